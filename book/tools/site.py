"""Making the pages: one strict run of Sphinx, in full whenever the last one did not end well.

    python -m book.tools.site FOLDER    write conf.py into a folder

Jupyter Book 1 turns ``_config.yml`` and ``_toc.yml`` into settings of Sphinx (``jupyter-book config sphinx``
writes the same). They are written out as ``conf.py``, so that Sphinx itself makes the pages, and a newer one
can (`make drift`).

Every warning is an error (``-W -n``). Sphinx does not repeat a warning about a page that it has already read;
a run that failed is therefore forgotten as a whole.

Finished pages that passed all checks carry a stamp: what they were made from.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from pprint import pformat

from book.tools import page_weight
from book.tools.chapters import ROOT, hash_of, write_whole
from book.tools.forms import first_lines

_DECIDING = (
    "_config.yml",
    "_toc.yml",
    "constraints.txt",
    "book/extensions",
    "book/tools",
    "proofs",  # what marks in boxes show
)
_SHOWN = (
    "_config.yml",
    "_toc.yml",
    "CITATION.cff",
    "constraints.txt",
    "book",
    "notebooks",
    "privml",
    "proofs",
)
_PLACE = re.compile(
    r"\S*notebooks/([\w-]+)\.ipynb:(\d+)(\d{4})(?=:)"
)  # 10,000 lines a cell, the first is 2
_PROBLEM_LINE = re.compile(r"WARNING|ERROR|Error|Exception|Traceback|error:")
# Sphinx writes pages side by side, but reads them alone: sphinx-proof cannot join what two processes read,
# and Sphinx would refuse where an extension does not say that it bears it.
_SETUP = """
def setup(app):
    app.is_parallel_allowed = lambda kind: kind == "write"
"""
# Which Sphinx seeks beside conf.py.
_PATHS = (
    "bibtex_bibfiles",
    "html_favicon",
    "html_static_path",
    "latex_additional_files",
)


def write_conf(
    root: Path,
    folder: Path,
    toc: Path,
    without: tuple[str, ...] = (),
    config: Path | None = None,
) -> None:
    """Write ``conf.py`` for a table of contents into a folder, by these settings, without some extensions."""
    from jupyter_book.config import get_final_config

    given = {
        "external_toc_path": toc.resolve().as_posix(),
        "latex_individualpages": False,
    }
    made, _ = get_final_config(
        user_yaml=config or root / "_config.yml", cli_config=given, sourcedir=root
    )
    # Jupyter Book's own extension only declares two settings of its command.
    made["extensions"] = [
        name for name in made["extensions"] if name not in ("jupyter_book", *without)
    ]
    for name in _PATHS:
        paths = made.get(name) or []
        where = [
            str(root / path) for path in ([paths] if isinstance(paths, str) else paths)
        ]
        made[name] = where[0] if isinstance(paths, str) else where
    lines = [
        f"{name} = {pformat(value, width=110)}" for name, value in sorted(made.items())
    ]
    write_whole(folder / "conf.py", "\n".join([*lines, _SETUP]))


def sphinx(
    root: Path,
    conf: Path,
    out: Path,
    *,
    doctrees: Path,
    options: list[str],
    kind: str = "html",
) -> tuple[int, str]:
    """Run Sphinx for pages, or another kind of output; its exit status and what it printed."""
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-b",
        kind,
        "-c",
        str(conf),
        "-d",
        str(doctrees),
        *options,
    ]
    environment = os.environ | {"NO_COLOR": "1", "PYTHONHASHSEED": "0"}
    told = {"cwd": root, "env": environment, "capture_output": True, "text": True}
    done = subprocess.run([*command, str(root), str(out)], check=False, **told)
    return done.returncode, done.stdout + done.stderr


def in_sources(root: Path, printed: str) -> str:
    """What Sphinx printed, with lines of the sources where it names cells of notebooks."""

    def place(found: re.Match) -> str:
        begun = first_lines(
            (root / "book" / f"{found[1]}.md").read_text(encoding="utf-8")
        )
        return f"book/{found[1]}.md:{begun[int(found[2]) - 1] + int(found[3]) - 2}"

    return _PLACE.sub(place, printed)


def _settings(root: Path) -> str:
    """Hash of the files after whose change every page is made anew."""
    return hash_of(root, _DECIDING)


def made_from(root: Path) -> str:
    """What decides the pages: the hash of files, tests too, which pages show, but for those in a browser."""
    tests = sorted(
        path.relative_to(root).as_posix() for path in (root / "tests").glob("*")
    )
    files = hash_of(
        root, (*_SHOWN, *(name for name in tests if name != "tests/browser"))
    )
    return f"{files} {os.environ.get('PYODIDE', '')} {os.environ.get('BOOK_URL', '')}"


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


def build(root: Path, *, jobs: int) -> bool:
    """Make the pages below ``_build/html``; whether there was neither an error nor a warning."""
    good, html, doctrees = (
        root / "_build" / name for name in ("pages-are-good", "html", ".doctrees")
    )
    _stamp(root).unlink(missing_ok=True)
    if not good.exists() or good.read_text() != _settings(root):
        for folder in (html, doctrees, root / "_build" / "jupyter_execute"):
            shutil.rmtree(folder, ignore_errors=True)
    good.unlink(missing_ok=True)
    write_conf(root, root / "_build" / "conf", root / "_toc.yml")
    strictly = ["-W", "-n", "--keep-going", "-j", str(jobs)]
    status, printed = sphinx(
        root, root / "_build" / "conf", html, doctrees=doctrees, options=strictly
    )
    log, printed = root / "_build" / "reports" / "sphinx.log", in_sources(root, printed)
    write_whole(log, printed)
    if status == 0:
        page_weight.remove_unused_files(html)
        write_whole(good, _settings(root))
        return True
    lines = printed.splitlines()
    telling = [line for line in lines if _PROBLEM_LINE.search(line)] or lines[-5:]
    print(
        "\n".join(["FAILED Sphinx", *telling, f"(all of it: {log})"]), file=sys.stderr
    )
    return False


if __name__ == "__main__":
    write_conf(ROOT, Path(sys.argv[1]), ROOT / "_toc.yml")
