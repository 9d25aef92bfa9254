"""Formulas: MathJax from the site itself, and of it what pages load.

MathJax's bundle would bring its menu too, 0.4 MB on every page, and behind it the speech engine; without them
assistive technology still reads each formula as MathML, and formulas are no stops of the keyboard.
"""

import importlib
import shutil
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

PARTS = ["core", "input/tex", "output/chtml", "a11y/assistive-mml"]
_LATER = ("output/chtml/fonts/**/*.*", "input/tex/extensions/*.js")  # loaded by the parts themselves
_ALL = "all-packages.js"  # every extension at once


def copy(app: Sphinx, error: Exception | None) -> None:
    """Put into the site what its pages load."""
    if error or app.builder.format != "html":
        return
    source = Path(importlib.import_module("sphinx-mathjax-offline").__file__).parent / "static" / "mathjax"
    wanted = [source / f"{part}.js" for part in ["startup", *PARTS]]
    wanted += [path for pattern in _LATER for path in source.glob(pattern) if path.name != _ALL]
    for path in wanted:
        goal = Path(app.outdir) / "_static" / "mathjax" / path.relative_to(source)
        goal.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, goal)


def setup(app: Sphinx) -> dict[str, Any]:
    """Switch the extension on."""
    app.config.mathjax_path = "mathjax/startup.js"
    app.config.mathjax3_config = {"loader": {"load": PARTS}}
    app.connect("build-finished", copy)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
