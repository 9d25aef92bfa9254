"""One run of Sphinx over the sources, by a ``conf.py`` that ``_config.yml`` and ``_toc.yml`` become.

Jupyter Book 1 turns its two files into settings of Sphinx (``jupyter-book config sphinx`` writes the same).
They are written out, so that Sphinx itself makes the pages, and a newer one can (`make drift`).

    python -m book.tools.sphinx_run FOLDER    write conf.py into a folder
"""

import os
import subprocess
import sys
from pathlib import Path
from pprint import pformat

from book.tools.chapters import ROOT, write_whole

# Sphinx writes pages side by side, but reads them alone: sphinx-proof cannot join what two processes read,
# and Sphinx would refuse where an extension does not say that it bears it.
_SETUP = """
def setup(app):
    app.is_parallel_allowed = lambda kind: kind == "write"
"""
_PATHS = ("bibtex_bibfiles", "html_favicon", "html_static_path")  # which Sphinx seeks beside conf.py


def write_conf(root: Path, folder: Path, toc: Path, without: tuple[str, ...] = ()) -> None:
    """Write ``conf.py`` for a table of contents into a folder, without some extensions."""
    from jupyter_book.config import get_final_config

    given = {"external_toc_path": toc.resolve().as_posix(), "latex_individualpages": False}
    made, _ = get_final_config(user_yaml=root / "_config.yml", cli_config=given, sourcedir=root)
    # Jupyter Book's own extension only declares two settings of its command.
    made["extensions"] = [name for name in made["extensions"] if name not in ("jupyter_book", *without)]
    for name in _PATHS:
        paths = made.get(name) or []
        where = [str(root / path) for path in ([paths] if isinstance(paths, str) else paths)]
        made[name] = where[0] if isinstance(paths, str) else where
    lines = [f"{name} = {pformat(value, width=110)}" for name, value in sorted(made.items())]
    write_whole(folder / "conf.py", "\n".join([*lines, _SETUP]))


def run(root: Path, conf: Path, out: Path, *, doctrees: Path, options: list[str]) -> tuple[int, str]:
    """Run Sphinx for HTML; its exit status and what it printed."""
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-c", str(conf), "-d", str(doctrees), *options]
    environment = os.environ | {"NO_COLOR": "1", "PYTHONHASHSEED": "0"}
    told = {"cwd": root, "env": environment, "capture_output": True, "text": True}
    done = subprocess.run([*command, str(root), str(out)], check=False, **told)
    return done.returncode, done.stdout + done.stderr


if __name__ == "__main__":
    write_conf(ROOT, Path(sys.argv[1]), ROOT / "_toc.yml")
