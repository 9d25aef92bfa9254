"""What the browser tests stand on: a browser, and pages built from the present files.

Where one of them is missing the tests are skipped and say why; with ``PRIVML_REQUIRE_BROWSER=1`` they fail.
"""

import os
from pathlib import Path

import pytest

from book.tools import site
from book.tools.lecture_files import chromium
from tests.browser import serving

ROOT = Path(__file__).resolve().parent.parent.parent


def missing(reason):
    """Skip, or fail where these tests are required."""
    if os.environ.get("PRIVML_REQUIRE_BROWSER") == "1":
        pytest.fail(f"PRIVML_REQUIRE_BROWSER=1, but {reason}", pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def html():
    """Folder of the built pages, when they are those of the present files."""
    if not site.is_fresh(ROOT):
        missing("_build/html is not built from the present files (make book)")
    return ROOT / "_build" / "html"


@pytest.fixture(scope="session")
def browser():
    """One browser for all tests of a process."""
    path = chromium()
    if path is None:
        missing("there is no Chromium (on Debian: apt install chromium)")
    with serving.running(path) as browser:
        yield browser


@pytest.fixture(scope="session")
def context(browser):
    """One profile of the browser, so that scripts and fonts are loaded once."""
    context = browser.new_context()
    yield context
    context.close()


@pytest.fixture(scope="session")
def tab(context):
    """One page of that profile for visits one after another, since opening its window costs a second."""
    return context.new_page()


@pytest.fixture(scope="session")
def book(html):
    """Address of the built pages."""
    with serving.served(html) as address:
        yield address
