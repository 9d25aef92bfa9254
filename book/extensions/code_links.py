"""Names of the library in a chapter's code lead to where the reference, or else the source, explains them.

The imports cell says which names are the library's. A name that a page shows in code is linked wherever it
stands, with an attribute where the name is a module's: ``LaplaceMechanism``, ``audit.exact``.
"""

import re
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any

from sphinx.application import Sphinx

from book.extensions import code, locations
from book.tools import api, figures
from book.tools.chapters import Chapter

_CELL = re.compile(
    r'(<div class="highlight-ipython3 notranslate">)(.*?)(</pre>)', re.DOTALL
)
_NAME = re.compile(
    r'<span class="n">(\w+)</span>(?:<span class="o">\.</span><span class="n">(\w+)</span>)?'
)
_IMPORT = '<span class="kn">import</span>'
_PLUMBING = ("privml.notebook",)


def imported(text: str) -> dict[str, Any]:
    """Objects of the library that an imports cell binds, by their names there."""
    space: dict[str, Any] = {}
    exec(text, space)
    return {name: thing for name, thing in space.items() if symbol(thing)}


def symbol(thing: Any) -> str:
    """Dotted name of a module, class or function of the library as its file defines it; else empty."""
    if isinstance(thing, ModuleType):
        return thing.__name__ if thing.__name__.split(".")[0] == "privml" else ""
    return (
        api.defined_name(thing) if (api.home(thing) or "").startswith("privml.") else ""
    )


def place(app: Sphinx, thing: Any) -> locations.Place | None:
    """Where the book explains a thing of the library."""
    dotted = symbol(thing)
    if not dotted or dotted.startswith(_PLUMBING):
        return None
    if found := locations.of_symbol(app.env, dotted):
        return found
    if (
        not locations.store(app.env)["modules"]
        or dotted.split(".")[0] not in app.privml_code
    ):
        return None
    return locations.of_code(*code.of_symbol(app, dotted))


def linked(body: str, known: dict[str, Any], address: Any) -> str:
    """HTML of a page with links on the known names in its code; `address` says where a thing is explained.

    All names are linked in the imports cell; elsewhere each name once, and on no two lines that follow each
    other, so that every link is a target of its own for a finger.
    """
    told: set[str] = set()

    def name(match: re.Match, everywhere: bool) -> str:
        thing, attribute = known.get(match[1]), match[2]
        spans, rest = f'<span class="n">{match[1]}</span>', match[0]
        if isinstance(thing, ModuleType) and attribute:
            thing, spans, rest = getattr(thing, attribute, None), match[0], ""
        else:
            rest = match[0].removeprefix(spans)
        goal = (
            address(thing)
            if thing is not None and (everywhere or match[0] not in told)
            else ""
        )
        if not everywhere:
            told.add(match[0])
        return (
            f'<a class="library-name" href="{escape(goal)}">{spans}</a>{rest}'
            if goal
            else match[0]
        )

    def cell(match: re.Match) -> str:
        everywhere, lines, linked_before = _IMPORT in match[2], [], False
        for line in match[2].split("\n"):
            made = (
                line
                if linked_before
                else _NAME.sub(lambda found: name(found, everywhere), line)
            )
            linked_before = not everywhere and made != line
            lines.append(made)
        return match[1] + "\n".join(lines) + match[3]

    return _CELL.sub(cell, body)


def add(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Link the names in the code of a chapter."""
    topic = locations.topic_of(pagename)
    if not topic or "body" not in context:
        return

    def address(thing: Any) -> str:
        found = place(app, thing)
        relative = (
            app.builder.get_relative_uri(pagename, found.docname) if found else ""
        )
        return relative + (f"#{found.anchor}" if found and found.anchor else "")

    notebook = Chapter(Path(app.srcdir), topic).notebook
    cells = [
        cell for cell in figures.cells_of(notebook) if "imports" in figures.tags(cell)
    ]
    context["body"] = linked(
        context["body"], imported(figures.source(cells[0])), address
    )


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", add)
