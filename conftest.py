"""Settings of every test: the build's environment for kernels, repeatable examples, tables in chapters."""

import os
import zipfile
from pathlib import Path

import pytest
from hypothesis import settings
from nbval.plugin import IPyNbCell

from book.tools.execute import kernel_environment
from book.tools.tables import compare
from book.tools.wheels import build

os.environ.update(kernel_environment(Path(__file__).resolve().parent))
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """The wheel, in a folder with what it unpacks to, ``site``."""
    made = build(tmp_path_factory.mktemp("wheel"))
    zipfile.ZipFile(made).extractall(made.parent / "site")
    return made


class Recorded(dict):
    """The table of a figure as nbval sees it: equal to another as published tables are compared."""

    def __eq__(self, other):
        return not compare(self, other).differences

    def __ne__(self, other):
        return not self == other

    __hash__ = None


_sanitize = IPyNbCell.sanitize
IPyNbCell.sanitize = lambda cell, text: (
    Recorded(text) if isinstance(text, dict) else _sanitize(cell, text)
)
