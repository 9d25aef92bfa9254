"""Errata of the sources: what is printed, what holds instead, why, what shows it, and how sure we are.

``{errata}`` makes the page from the inventory, grouped by source and type. A note links to an entry by the
role ``erratum``, and the entry links back.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from book.extensions import claim_index, links, locations, typeset
from book.extensions.results_map import counted, test_links
from book.tools import results

logger = logging.getLogger(__name__)


def _text(app: Sphinx, docname: str, text: str) -> nodes.paragraph:
    """A text of the inventory, whose ids are links."""

    def refer(name: str) -> nodes.Node:
        said = nodes.literal("", name, classes=["item-id"])
        place = links.place_of(app.env, "erratum", name) or links.place_of(
            app.env, "item", name
        )
        if place is None:
            logger.warning(
                f"no item of the inventory is called {name!r}", location=docname
            )
            return said
        return locations.link(app.builder, docname, place, said)

    return typeset.paragraph(*typeset.inline(text, refer))


def _shown_by(app: Sphinx, docname: str, name: str) -> list[nodes.Node]:
    """Tests that show an erratum; else those of its item, and what they do not show."""
    known = claim_index.of(app.env)
    if shown := known.shown.get(name):
        return [test_links(app, docname, shown)]
    tests = known.tests.get(name.partition("/")[0], [])
    if not tests:
        return [
            typeset.paragraph(
                "No test in this repository yet; the argument stands by itself."
            )
        ]
    said = f"No test of its own yet; {counted(len(tests), 'test', 'tests')} of what we state instead"
    return typeset.details(said, test_links(app, docname, tests))


def _told_in(app: Sphinx, docname: str, name: str) -> list[nodes.Node]:
    """Links to the statement of the item and to the notes that mention the erratum."""
    found = []
    if place := locations.of_label(app.env, name.partition("/")[0].lower()):
        title = app.env.titles[place.docname].astext()
        found.append(
            [locations.link(app.builder, docname, place), nodes.Text(f" of {title}")]
        )
    for (page, anchor), mention in sorted(locations.store(app.env)["mentions"].items()):
        if mention[1] == name:
            place = locations.Place(
                page, anchor, f"a note in {app.env.titles[page].astext()}"
            )
            found.append([locations.link(app.builder, docname, place)])
    return [typeset.paragraph(*typeset.joined(found))] if found else []


def _entry(app: Sphinx, docname: str, erratum: results.Erratum) -> nodes.container:
    item, entry = erratum.item, erratum.entry
    named = _text(app, docname, item["title"]).children
    title = [nodes.strong("", "", nodes.Text(f"{item['kind'].capitalize()}. "), *named)]
    label = [nodes.Text(" "), nodes.literal("", erratum.name, classes=["item-id"])]
    printed = entry["issue"].removeprefix(f"{entry['type']}: ")
    if re.match(r"(?:a|[a-z]{2,})\b", printed):  # a word, not a symbol
        printed = printed[0].upper() + printed[1:]
    scanned = erratum.type == "typo" and item["source"] in results.SCANNED
    caution = (
        "; the slip may come from the character recognition, not from the authors"
        if scanned
        else ""
    )
    parts = {
        "In the source": [_text(app, docname, printed)],
        "What holds": [_text(app, docname, entry["corrected"])],
        "Why": [_text(app, docname, entry["argument"])],
        "Shown by": _shown_by(app, docname, erratum.name),
        "Told in": _told_in(app, docname, erratum.name),
        "Confidence": [typeset.paragraph(entry["confidence"] + caution)],
    }
    said = [
        (nodes.field_name(name, name), content)
        for name, content in parts.items()
        if content
    ]
    fields = [
        nodes.field("", name, nodes.field_body("", *content)) for name, content in said
    ]
    made = nodes.container(
        "", typeset.paragraph(*title, *label, classes=("erratum-title",))
    )
    made += nodes.field_list("", *fields)
    if erratum.name == item["id"]:
        whole = _text(app, docname, item["statement"])
        made += typeset.details("The whole statement as we read it", whole)
    made["ids"], made["classes"] = [erratum.anchor], ["erratum"]
    return made


@claim_index.deferred_maker("errata-of")
def _errata_of(app: Sphinx, docname: str, node: nodes.Element) -> list[nodes.Node]:
    """Entries of one source and type."""
    errata = claim_index.errata(app.env).values()
    return [
        _entry(app, docname, e)
        for e in errata
        if [e.item["source"], e.type] == node["name"].split()
    ]


@claim_index.deferred_maker("errata-counts")
def _errata_counts(app: Sphinx, docname: str, node: nodes.Element) -> list[nodes.Node]:
    """Table of how many errata of each type and kind each source has, and how many a test shows."""
    known = claim_index.of(app.env)
    errata, rows = claim_index.errata(app.env).values(), []
    for kind, (many, types) in results.KINDS.items():
        there = [erratum for erratum in errata if erratum.kind == kind]
        parts = {
            results.TYPES[one]: [e for e in there if e.type == one] for one in types
        }
        parts = {many.capitalize(): there} | (parts if len(parts) > 1 else {})
        for words, found in parts.items():
            numbers = [
                sum(e.item["source"] == source for e in found)
                for source in results.SOURCES
            ]
            shown = sum(erratum.name in known.shown for erratum in found)
            cells = [words, *map(str, numbers), str(len(found)), str(shown)]
            make = nodes.strong if words == many.capitalize() else nodes.inline
            rows.append(typeset.row([make(text, text) for text in cells]))
    return [
        typeset.table(
            ["Type", *results.SOURCES, "All", "Shown by a test"], rows, ("counts",)
        )
    ]


class Errata(SphinxDirective):
    """Directive ``{errata}``: counts, then sections by source and type, filled in when all pages are read."""

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(
            str(claim_index.inventory_file(Path(self.env.app.srcdir)))
        )
        locations.store(self.env)["pages"]["errata"] = (self.env.docname,)
        there = {
            (erratum.item["source"], erratum.type)
            for erratum in claim_index.errata(self.env).values()
        }
        made: list[nodes.Node] = [claim_index.deferred_node("errata-counts", "")]
        for source, title in results.SOURCES.items():
            parts = [
                typeset.section(
                    words,
                    f"errata-{source.lower()}-{kind}",
                    claim_index.deferred_node("errata-of", f"{source} {kind}"),
                )
                for kind, words in results.TYPES.items()
                if (source, kind) in there
            ]
            if parts:
                made.append(
                    typeset.section(
                        f"{source}: {title}", f"errata-{source.lower()}", *parts
                    )
                )
        return made


def setup(app: Sphinx) -> None:
    app.setup_extension("book.extensions.links")
    app.add_directive("errata", Errata)
