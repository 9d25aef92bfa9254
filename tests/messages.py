"""A page of all messages that the tests provoke, for whoever edits them; no test needs it.

``python -m pytest -q -p tests.messages tests/mechanisms`` prints the errors of the package that
``pytest.raises`` meets, and its warnings.  Messages that differ in numbers only are printed once.
"""

import re
import traceback
import warnings
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "privml"
FOUND: dict[str, tuple[str, str]] = {}  # the file and the message, by its words
RAISES, WARN = pytest.raises, warnings.warn


class Recording:
    """What ``pytest.raises`` returns, which keeps the message of an error that the package raised."""

    def __init__(self, context):
        self.context = context

    def __enter__(self):
        return self.context.__enter__()

    def __exit__(self, kind, error, trace):
        keep(traceback.extract_tb(trace), error)
        return self.context.__exit__(kind, error, trace)


def keep(frames, message):
    """Keep a message that the package gives, with the last file that is no private module."""
    files = [Path(frame.filename) for frame in frames]
    if files and files[-1].is_relative_to(PACKAGE):
        own = [str(f.relative_to(PACKAGE)) for f in files if f.is_relative_to(PACKAGE)]
        public = [file for file in own if not file.startswith("_")]
        place = (public or own)[-1]
        FOUND.setdefault(re.sub(r"[\d.e+-]+", "#", str(message)), (place, str(message)))


def recorded_warning(message, *arguments, stacklevel=1, **named):
    """``warnings.warn``, which keeps the message."""
    keep(traceback.extract_stack()[:-1], message)
    WARN(message, *arguments, stacklevel=stacklevel + 1, **named)


def recorded_raises(*arguments, **named):
    """``pytest.raises``, which keeps the message."""
    context = RAISES(*arguments, **named)
    return Recording(context) if hasattr(context, "__exit__") else context


def pytest_configure():
    """Record from now on."""
    pytest.raises, warnings.warn = recorded_raises, recorded_warning


def pytest_terminal_summary(terminalreporter):
    """Print the page."""
    for place, message in sorted(FOUND.values()):
        terminalreporter.write_line(f"{place}: {message}")
