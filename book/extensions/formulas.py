"""Formulas: MathJax from the site itself, and of it what pages use.

``book/formulas/mathjax.js`` is MathJax without its menu, its speech engine and the packages of TeX that the
book does without, compiled for browsers of today (``make.sh`` beside it). It makes the same elements as the
whole of MathJax, in sizes that follow the font around them whenever it comes, and assistive technology reads
each formula as MathML. The fonts come from the installed MathJax, which must be of the same version.
"""

import importlib
import shutil
from pathlib import Path
from string import ascii_uppercase

from sphinx.application import Sphinx

from book.tools.page_weight import keep

SCRIPT = Path(__file__).resolve().parents[1] / "formulas" / "mathjax.js"
FONTS = "output/chtml/fonts/woff-v2/*.woff"
LETTERS = "MathJax_AMS-Letters.woff"  # those with double strokes


def installed() -> Path:
    """Folder of the whole of MathJax."""
    return (
        Path(importlib.import_module("sphinx-mathjax-offline").__file__).parent
        / "static"
        / "mathjax"
    )


def put(goal: Path) -> None:
    """Put into a folder what pages load."""
    shutil.rmtree(goal, ignore_errors=True)
    (goal / "fonts").mkdir(parents=True)
    shutil.copyfile(SCRIPT, goal / SCRIPT.name)
    for font in installed().glob(FONTS):
        shutil.copyfile(font, goal / "fonts" / font.name)
    letters, whole = (
        map(ord, ascii_uppercase),
        goal / "fonts" / "MathJax_AMS-Regular.woff",
    )
    keep(whole, whole.with_name(LETTERS), letters, flavor="woff", drop_tables=["FFTM"])


def copy(app: Sphinx, error: Exception | None) -> None:
    if not error and app.builder.format == "html":
        put(Path(app.outdir) / "_static" / "mathjax")


def setup(app: Sphinx) -> None:
    app.config.mathjax_path = f"mathjax/{SCRIPT.name}"
    app.connect("build-finished", copy)
