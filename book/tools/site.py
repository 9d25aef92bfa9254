"""Making the pages: one strict run of Sphinx, in full whenever the last one did not end well.

Every warning is an error (``-W -n``). Sphinx does not repeat a warning about a page that it has already read;
a run that failed is therefore forgotten as a whole.

Finished pages that passed all checks carry a stamp: the hash of the files they were made from.
"""

import hashlib
import os
import re
import shutil
import sys
from pathlib import Path

from book.tools import light, sphinx_run
from book.tools.chapters import hash_of, write_whole

_DECIDING = ("_config.yml", "_toc.yml", "constraints.txt", "book/extensions/*.py", "book/tools/*.py")
_SHOWN = ("_config.yml", "_toc.yml", "CITATION.cff", "constraints.txt", "book", "notebooks", "privml")
_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_CELL = re.compile(r"(?<=\.ipynb):(\d+)\d{4}(?=:)")  # myst-nb counts 10,000 lines a cell
_TELLING = re.compile(r"WARNING|ERROR|Error|Exception|Traceback|error:")


def _settings(root: Path) -> str:
    """Hash of the files after whose change every page is made anew."""
    contents = [file.read_bytes() for pattern in _DECIDING for file in sorted(root.glob(pattern))]
    return hashlib.sha256(b"\0".join(contents)).hexdigest()


def made_from(root: Path) -> str:
    """Hash of all files that decide the pages: tests too, which pages show, but for those in a browser."""
    tests = sorted(path.relative_to(root).as_posix() for path in (root / "tests").glob("*"))
    files = hash_of(root, (*_SHOWN, *(name for name in tests if name != "tests/browser")))
    return hashlib.sha256(
        f"{files} {os.environ.get('PYODIDE', '')} {os.environ.get('BOOK_URL', '')}".encode()
    ).hexdigest()


def _stamp(root: Path) -> Path:
    return root / "_build" / "html-made-from"


def is_fresh(root: Path) -> bool:
    """Whether the pages below ``_build/html`` passed all checks and were made from the files as they are."""
    stamp = _stamp(root)
    made = (root / "_build" / "html" / "index.html").exists()
    return made and stamp.exists() and stamp.read_text() == made_from(root)


def approve(root: Path, inputs: str) -> None:
    """Stamp the pages as sound and made from `inputs`, taken with `made_from` before they were made."""
    write_whole(_stamp(root), inputs)


def _forget(root: Path) -> None:
    for name in ("html", ".doctrees", "jupyter_execute"):
        shutil.rmtree(root / "_build" / name, ignore_errors=True)


def _sphinx(root: Path, jobs: int) -> tuple[int, str]:
    """Run Sphinx, strictly; its exit status and what it printed."""
    conf, doctrees = root / "_build" / "conf", root / "_build" / ".doctrees"
    sphinx_run.write_conf(root, conf, root / "_toc.yml")
    options = ["-W", "-n", "--keep-going", "-j", str(jobs)]
    status, printed = sphinx_run.run(root, conf, root / "_build" / "html", doctrees=doctrees, options=options)
    return status, _CELL.sub(r": cell \1", _ANSI.sub("", printed))


def build(root: Path, *, jobs: int) -> bool:
    """Make the pages below ``_build/html``; whether there was neither an error nor a warning."""
    good = root / "_build" / "pages-are-good"
    _stamp(root).unlink(missing_ok=True)
    if not good.exists() or good.read_text() != _settings(root):
        _forget(root)
    good.unlink(missing_ok=True)
    status, printed = _sphinx(root, jobs)
    log = root / "_build" / "reports" / "sphinx.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text(printed, encoding="utf-8")
    if status == 0:
        light.lighten(root / "_build" / "html")
        good.write_text(_settings(root))
        return True
    lines = printed.splitlines()
    telling = [line for line in lines if _TELLING.search(line)] or lines[-5:]
    print("\n".join(["FAILED Sphinx", *telling, f"(all of it: {log})"]), file=sys.stderr)
    return False
