"""What every statement of a chapter gets without its author's help: valid anchors, index entries, its code.

A box (definition, theorem, algorithm and so on) with a title enters the index under that title. One whose
label is an item of the inventory ends with a line that names its code, its tests and, outside of the teaching
half of a chapter, its errata. A label that looks like an item's id but is none stops a strict build.
"""

import re
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

from book.extensions import claim_index, links, locations, typeset
from book.extensions.results_map import counted, symbol_link
from book.tools import results

logger = logging.getLogger(__name__)
_LOOKS_LIKE_ID = re.compile(rf"(?:{'|'.join(results.SOURCES)})-", re.IGNORECASE)
_REPEATED = {"exercise-content", "proof", "proof-content", "solution-content"}


def is_statement(node: nodes.Node) -> bool:
    """Whether a block is a definition, a theorem, an algorithm and so on."""
    return isinstance(node, nodes.Element) and "realtype" in node.attributes


def boxes(document: nodes.document) -> list[nodes.Element]:
    """All boxes of a page."""
    return list(document.findall(is_statement))


def labels_of(app: Sphinx, docname: str, box: nodes.Element) -> list[str]:
    """Labels that lead to a box: its own, and targets on the lines before it."""
    anonymous = app.env.get_domain("std").anonlabels
    targets = [
        label
        for label, place in anonymous.items()
        if place[0] == docname and place[1] in box["ids"]
    ]
    return [box["label"], *[label for label in targets if label != box["label"]]]


class Statements(SphinxTransform):
    """Put the titles of boxes into the index."""

    default_priority = (
        700  # after targets are attached to boxes, before the domains read the page
    )

    def apply(self, **options: Any) -> None:
        for box in boxes(self.document):
            title = box["title"].strip().removeprefix("(").removesuffix(")")
            if title and "$" not in title:
                entry = (
                    "single",
                    f"{title} ({box['realtype']})",
                    box["ids"][0],
                    "",
                    None,
                )
                box.parent.insert(
                    box.parent.index(box), addnodes.index(entries=[entry])
                )


def remember(app: Sphinx, doctree: nodes.document) -> None:
    """Note which anchors lead to which box."""
    docname = app.env.docname
    for box in boxes(doctree):
        for anchor in box["ids"]:
            locations.store(app.env)["boxes"][docname, anchor] = (docname, box["label"])


def check_labels(app: Sphinx, doctree: nodes.document) -> None:
    """Warn of labels that look like an item's id but are none."""
    known = {name.lower() for name in claim_index.of(app.env).items}
    at = {
        anchor: node
        for node in doctree.findall(nodes.Element)
        for anchor in node["ids"]
    }
    anonymous = app.env.get_domain("std").anonlabels
    labels = {
        label: at.get(anchor)
        for label, (page, anchor) in anonymous.items()
        if page == app.env.docname
    }
    for label, node in (labels | {box["label"]: box for box in boxes(doctree)}).items():
        if known and _LOOKS_LIKE_ID.match(label) and label not in known:
            logger.warning(
                f"the label {label} is no item of the inventory", location=node
            )


def line(
    app: Sphinx, docname: str, items: list[str], *, teaching: bool
) -> list[nodes.Node]:
    """What unfolds under a box: its items with their code, tests and errata (not in what teaches)."""
    known = claim_index.of(app.env)
    symbols = list(
        dict.fromkeys(
            symbol for name in items for symbol in known.symbols.get(name, [])
        )
    )
    tests = {test for name in items for test in known.tests.get(name, [])}
    rows = [links.place_of(app.env, "item", name) for name in items]
    found, said = (
        [
            [locations.link(app.builder, docname, row, literal=True)]
            for row in rows
            if row
        ],
        ["source"],
    )
    if symbols:
        said.append("code")
        listed = typeset.joined(
            [[symbol_link(app, docname, symbol)] for symbol in symbols]
        )
        found.append([nodes.Text("code: "), *listed])
    if tests:
        said.append("tests")
        found.append([nodes.Text(counted(len(tests), "test", "tests"))])
    for name in [] if teaching else items:
        place = links.place_of(app.env, "erratum", name)
        if place and known.items[name]["errata"]:
            words = results.counted_kinds(results.errata_of(known.items[name]))
            found.append(
                [
                    locations.link(
                        app.builder, docname, place._replace(words=f"{words} of {name}")
                    )
                ]
            )
            said.append(words)
    opening = (
        f'<details class="box-fold"><summary aria-label="{", ".join(said)}"></summary>'
    )
    inside = typeset.paragraph(*typeset.joined(found, " · "), classes=("box-links",))
    return [
        nodes.raw("", opening, format="html"),
        inside,
        nodes.raw("", "</details>", format="html"),
    ]


def complete(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Add the line to each box whose labels name items; drop anchors that all boxes share."""
    for node in doctree.findall(nodes.Element):
        node["ids"] = [anchor for anchor in node["ids"] if anchor not in _REPEATED]
    by_label = {name.lower(): name for name in claim_index.of(app.env).items}
    exact = [
        section
        for section in doctree.findall(nodes.section)
        if "further" in section["classes"]
    ]
    inside = {id(box) for section in exact for box in section.findall(is_statement)}
    for box in boxes(doctree):
        items = [
            by_label[label]
            for label in labels_of(app, docname, box)
            if label in by_label
        ]
        if items and locations.store(app.env)["pages"]:
            box += line(
                app, docname, items, teaching=bool(exact) and id(box) not in inside
            )


def setup(app: Sphinx) -> None:
    app.setup_extension("book.extensions.links")
    app.add_transform(Statements)
    app.connect("doctree-read", remember)
    app.connect("doctree-read", check_labels)
    app.connect("doctree-resolved", complete)
