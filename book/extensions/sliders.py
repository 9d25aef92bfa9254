"""Moving figures: a slider under a figure whose table holds one picture for each value of a parameter.

The drawing is `privml.figures.slider`: the first column of its table is the parameter, the second the place,
each other one a curve, or a bar where places are words. The table travels with the page; the script
``_static/sliders.js`` shows the rows of one value, and the picture stays where there are no scripts.
"""

import json
from base64 import b64encode
from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book.extensions import locations, typeset
from book.extensions.figure_lines import numbered
from book.tools import figures

DIGITS = 5


def _short(entry: Any) -> Any:
    return float(f"{entry:.{DIGITS}g}") if isinstance(entry, float) else entry


def slider(figure: figures.Figure) -> nodes.raw:
    """What the script turns into a slider: the figure's table, rounded, and the options of its drawing.

    The first column is not rounded: its values are the stops, one of which is the option `at`.
    """
    record = figure.record
    rows = [[row[0], *map(_short, row[1:])] for row in record["rows"]]
    told = {"columns": record["columns"], "rows": rows, "options": record["options"]}
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":")).replace(
        "</", "<\\/"
    )
    held = f'<script type="application/json">{text}</script>'
    return nodes.raw(
        "",
        f'<div class="slider-figure" data-name="{escape(figure.name)}">{held}</div>',
        format="html",
    )


class SliderFigure(SphinxDirective):
    """Directive ``{slider-figure} name``: a figure of a chapter that moves, on a page that is none."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The picture with a link to the figure, and its slider."""
        figure = self.env.app.privml_figures[self.arguments[0]]
        self.env.note_dependency(f"notebooks/{figure.topic}.ipynb")
        picture = f"data:image/png;base64,{b64encode(figure.picture).decode()}"
        opened = f'<figure id="slider-{figure.name}"><img src="{picture}" alt="{escape(figure.alt)}"><figcaption>'
        link = numbered(figure.name, self.env.docname)
        caption = typeset.paragraph(f"{figure.caption} ", link, ".")
        closed = nodes.raw("", "</figcaption></figure>", format="html")
        return [nodes.raw("", opened, format="html"), caption, closed, slider(figure)]


def add(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put the place of the slider after each figure that moves."""
    for node in list(doctree.findall(nodes.figure)):
        for name in node["ids"]:
            figure = app.privml_figures.get(name)
            if figure and figure.record["draw"] == "slider":
                node.parent.insert(node.parent.index(node) + 1, slider(figure))


def setup(app: Sphinx) -> None:
    app.setup_extension("book.extensions.figure_lines")
    app.add_directive("slider-figure", SliderFigure)
    app.connect(
        "doctree-resolved", add, priority=600
    )  # after the line under each figure stands
    locations.script(app, "sliders.js", 'class="slider-figure"', loading_method="defer")
