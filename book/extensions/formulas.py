"""Formulas: MathJax from the site itself, and of it what pages use.

``book/formulas/mathjax.js`` is MathJax without its menu, its speech engine and the packages of TeX that the
book does without, compiled for browsers of today (``make.sh`` beside it). It makes the same elements as the
whole of MathJax, and assistive technology reads each formula as MathML. The fonts come from the installed
MathJax, which must be of the same version.
"""

import importlib
import shutil
from collections.abc import Iterable
from pathlib import Path
from string import ascii_uppercase

from fontTools import subset
from sphinx.application import Sphinx

SCRIPT = Path(__file__).resolve().parents[1] / "formulas" / "mathjax.js"
FONTS = "output/chtml/fonts/woff-v2/*.woff"
LETTERS = "MathJax_AMS-Letters.woff"  # those with double strokes


def installed() -> Path:
    """Folder of the whole of MathJax."""
    return Path(importlib.import_module("sphinx-mathjax-offline").__file__).parent / "static" / "mathjax"


def _keep(font: Path, goal: Path, wanted: Iterable[int]) -> None:
    """Write a font with these characters only."""
    options = subset.Options(flavor="woff", notdef_outline=True, drop_tables=["FFTM"])
    found, kept = subset.load_font(str(font), options), subset.Subsetter(options)
    kept.populate(unicodes=wanted)
    kept.subset(found)
    subset.save_font(found, str(goal), options)


def copy(app: Sphinx, error: Exception | None) -> None:
    """Put into the site what its pages load."""
    if error or app.builder.format != "html":
        return
    goal = Path(app.outdir) / "_static" / "mathjax"
    shutil.rmtree(goal, ignore_errors=True)
    (goal / "fonts").mkdir(parents=True)
    shutil.copyfile(SCRIPT, goal / SCRIPT.name)
    for font in installed().glob(FONTS):
        shutil.copyfile(font, goal / "fonts" / font.name)
    _keep(goal / "fonts" / "MathJax_AMS-Regular.woff", goal / "fonts" / LETTERS, map(ord, ascii_uppercase))


def setup(app: Sphinx) -> None:
    app.config.mathjax_path = f"mathjax/{SCRIPT.name}"
    app.connect("build-finished", copy)
