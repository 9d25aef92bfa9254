"""Code that runs in the page: the bar at the top of each chapter, and what its script loads when it is asked.

The script and Python's own side lie in ``_static/live``; for each chapter its cells are written beside them,
and once for all the wheel of the library.  Where the runtime comes from is ``privml_runtime``: by default the
public address that JupyterLite's kernel has built in; the variable ``PYODIDE`` names a folder that is copied
into the site instead, for class rooms without a network.
"""

import json
import os
import shutil
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL
from myst_nb.ext.glue.roles import PasteTextRole
from myst_nb.ext.glue.utils import retrieve_glue_data
from sphinx.application import Sphinx
from sphinx.util.osutil import relative_uri

from book.extensions import chapter_head, locations
from book.tools import figures, live, named_numbers, wheels
from book.tools.chapters import Chapter, topics, write_whole

FOLDER = "_static/live"
START = "Run this chapter in the page"
WORDS = "loads Python, 50 MB, once"


class NamedNumber(PasteTextRole):
    """``{glue:text}`name```: the number as the chapter wrote it, and its name, by which a run can change it.

    myst-nb reads the text as Python would, so that 0.460 loses the digit that says how exact it is.
    """

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The node of the number, or what myst-nb says of a name that it does not know."""
        made, messages = super().run()
        if not all(isinstance(node, nodes.inline) for node in made) or messages:
            return made, messages
        text = retrieve_glue_data(self.document, self.text).data["text/plain"]
        classes = ["pasted-text", f"glued-{self.text}"]
        return [nodes.inline(text, text, classes=classes) for _ in made], messages


def runtime(app: Sphinx) -> dict[str, Any]:
    """Where the runtime is, seen from the script, and the wheel that is loaded into it."""
    inside = app.config.privml_runtime
    return {
        "base": "pyodide/" if inside else f"{PYODIDE_CDN_URL}/",
        "wheel": wheel(app),
        "own": {"needs": wheels.NEEDS, "wheels": app.privml_own_wheels},
    }


def wheel(app: Sphinx) -> str:
    """Name of the library's wheel, which is built into the site once in a run, with those that it needs."""
    folder = Path(app.outdir) / FOLDER
    if not hasattr(app, "privml_wheel"):
        for old in folder.glob("*.whl"):
            old.unlink()
        app.privml_wheel = wheels.build(folder).name
        app.privml_own_wheels = [wheels.pack(name, folder).name for name in wheels.OWN]
    return app.privml_wheel


def name_parameters(app: Sphinx, docname: str, text: list[str]) -> None:
    """Let the text of a chapter name its parameters, and fill the alternative texts, which hold no roles."""
    if not locations.topic_of(docname):
        return
    notebook = json.loads(text[0])
    numbers = named_numbers.glued_numbers(notebook["cells"])
    for cell in [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]:
        if "parameters" in figures.tags(cell):
            cell["outputs"] += named_numbers.outputs([cell])
        image = figures.described(cell)["image"]
        if "alt" in image:
            image["alt"] = named_numbers.filled(image["alt"], numbers)
    text[0] = json.dumps(notebook, ensure_ascii=False)


def add_bar(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put the bar into the head of a chapter; it stays hidden where there are no scripts."""
    if not (topic := locations.topic_of(docname)):
        return
    address = relative_uri(
        app.builder.get_target_uri(docname), f"{FOLDER}/{topic}.json"
    )
    chapter_head.put(
        doctree,
        "run",
        f'<div class="live-bar" data-contents="{escape(address)}" hidden>'
        f'<button type="button" class="live-button live-start">{START}</button>'
        f'<span class="live-status" role="status">{WORDS}</span></div>',
    )


def write(app: Sphinx, error: Exception | None) -> None:
    """Write the contents of all chapters, and copy the runtime where it is to be inside of the site."""
    if error or app.builder.format != "html":
        return
    root, folder = Path(app.srcdir), Path(app.outdir) / FOLDER
    for chapter in [Chapter(root, topic) for topic in topics(root)]:
        if f"notebooks/{chapter.topic}" in app.env.found_docs:
            told = live.contents(figures.cells_of(chapter.notebook), runtime(app))
            write_whole(
                folder / f"{chapter.topic}.json", json.dumps(told, ensure_ascii=False)
            )
    if app.config.privml_runtime:
        shutil.copytree(
            app.config.privml_runtime, folder / "pyodide", dirs_exist_ok=True
        )


def setup(app: Sphinx) -> None:
    app.add_config_value("privml_runtime", os.environ.get("PYODIDE", ""), "html")
    app.setup_extension("myst_nb")
    app.setup_extension("book.extensions.chapter_head")
    app.add_role_to_domain("glue", "text", NamedNumber(), override=True)
    app.connect("source-read", name_parameters)
    app.connect("doctree-resolved", add_bar)
    locations.script(app, "live/live.js", 'class="live-bar"', loading_method="defer")
    app.connect("build-finished", write)
