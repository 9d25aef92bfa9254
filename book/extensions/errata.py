"""Errata of the sources: what is printed, what holds instead, why, what shows it, and how sure we are.

``{errata}`` makes the page from the inventory, grouped by source and type. A note links to an entry by the
role ``erratum``, and the entry links back.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book.extensions import claims, links, places, typeset
from book.extensions.results_map import counted, test_link
from book.tools import results


@claims.fill("errata-of")
def _errata_of(app: Sphinx, docname: str, node: nodes.Element) -> list[nodes.Node]:
    """Link from an item to its first erratum, which names the others."""
    name = node["name"]
    words = results.counted_kinds(results.errata_of(claims.of(app.env).items[name]))
    place = links.place_of(app.env, "erratum", name)
    return [places.link(app.builder, docname, place._replace(words=words)) if place else nodes.Text(words)]


@claims.fill("shown-by")
def _shown_by(app: Sphinx, docname: str, node: nodes.Element) -> list[nodes.Node]:
    """Tests that show an erratum; else those of its item, and what they do not show."""
    known, name = claims.of(app.env), node["name"]
    if shown := known.shown.get(name):
        return [typeset.bullets([test_link(app, docname, test) for test in shown])]
    tests = known.tests.get(name.partition("/")[0], [])
    if not tests:
        return [typeset.paragraph("No test in this repository yet; the argument stands by itself.")]
    links = typeset.bullets([test_link(app, docname, test) for test in tests])
    said = f"No test of its own yet; {counted(len(tests), 'test', 'tests')} of what we state instead"
    return typeset.details(said, links)


@claims.fill("told-in")
def _told_in(app: Sphinx, docname: str, node: nodes.Element) -> list[nodes.Node]:
    """Links to the statement of the item and to the notes that mention the erratum; else no such part."""
    name = node["name"]
    found = []
    if place := places.of_label(app.env, name.partition("/")[0].lower()):
        title = app.env.titles[place.docname].astext()
        found.append([places.link(app.builder, docname, place), nodes.Text(f" of {title}")])
    for (page, anchor), mention in sorted(places.store(app.env)["mentions"].items()):
        if mention[1] == name:
            place = places.Place(page, anchor, f"a note in {app.env.titles[page].astext()}")
            found.append([places.link(app.builder, docname, place)])
    if not found:
        field = node.parent.parent.parent
        field.parent.remove(field)
    return typeset.joined(found)


@claims.fill("errata-counts")
def _errata_counts(app: Sphinx, docname: str, node: nodes.Element) -> list[nodes.Node]:
    """Table of how many errata of each type and kind each source has, and how many a test shows."""
    known = claims.of(app.env)
    errata = claims.errata(app.env).values()
    rows = []
    for kind, (many, types) in results.KINDS.items():
        there = [erratum for erratum in errata if erratum.kind == kind]
        parts = {results.TYPES[one]: [e for e in there if e.type == one] for one in types}
        parts = {many.capitalize(): there} | (parts if len(parts) > 1 else {})
        for words, found in parts.items():
            numbers = [sum(e.item["source"] == source for e in found) for source in results.SOURCES]
            shown = sum(erratum.name in known.shown for erratum in found)
            cells = [words, *map(str, numbers), str(len(found)), str(shown)]
            make = nodes.strong if words == many.capitalize() else nodes.inline
            rows.append(typeset.row([[typeset.paragraph(make(text, text))] for text in cells]))
    head = ["Type", *results.SOURCES, "All", "Shown by a test"]
    return [typeset.table(head, rows, ("counts",))]


class Errata(SphinxDirective):
    """Directive ``{errata}``: counts, then sections by source and type."""

    def run(self) -> list[nodes.Node]:
        """Sections and entries; links are filled in when all pages are read."""
        self.env.note_dependency(str(claims.inventory_file(Path(self.env.app.srcdir))))
        places.store(self.env)["pages"]["errata"] = (self.env.docname,)
        errata = list(claims.errata(self.env).values())
        made: list[nodes.Node] = [claims.later("errata-counts", "")]
        for source, title in results.SOURCES.items():
            if found := [erratum for erratum in errata if erratum.item["source"] == source]:
                parts = self.by_type(source, found)
                made.append(typeset.section(f"{source}: {title}", f"errata-{source.lower()}", *parts))
        return made

    def by_type(self, source: str, errata: list[results.Erratum]) -> list[nodes.section]:
        """One section for each type that occurs."""
        made = []
        for kind, words in results.TYPES.items():
            entries = [self.entry(erratum) for erratum in errata if erratum.type == kind]
            if entries:
                made.append(typeset.section(words, f"errata-{source.lower()}-{kind}", *entries))
        return made

    def entry(self, erratum: results.Erratum) -> nodes.container:
        """One erratum with its parts."""
        item, entry = erratum.item, erratum.entry
        title = [nodes.strong("", "", nodes.Text(f"{item['kind'].capitalize()}. "), *self.set(item["title"]))]
        label = [nodes.Text(" "), nodes.literal("", erratum.name, classes=["item-id"])]
        printed = entry["issue"].removeprefix(f"{entry['type']}: ")
        if re.match(r"(?:a|[a-z]{2,})\b", printed):  # a word, not a symbol
            printed = printed[0].upper() + printed[1:]
        parts = {
            "In the source": typeset.paragraph(*self.set(printed)),
            "What holds": typeset.paragraph(*self.set(entry["corrected"])),
            "Why": typeset.paragraph(*self.set(entry["argument"])),
            "Shown by": claims.later("shown-by", erratum.name),
            "Told in": typeset.paragraph(claims.later("told-in", erratum.name)),
            "Confidence": typeset.paragraph(entry["confidence"] + self.ocr(erratum)),
        }
        fields = [
            nodes.field("", nodes.field_name(name, name), nodes.field_body("", content))
            for name, content in parts.items()
        ]
        made = nodes.container("", typeset.paragraph(*title, *label, classes=("erratum-title",)))
        made += nodes.field_list("", *fields)
        if erratum.name == item["id"]:
            statement = typeset.paragraph(*self.set(item["statement"]))
            made += typeset.details("The whole statement as we read it", statement)
        made["ids"], made["classes"] = [erratum.anchor], ["erratum"]
        return made

    @staticmethod
    def ocr(erratum: results.Erratum) -> str:
        """A caution for slips in texts that reached us through character recognition."""
        scanned = erratum.type == "typo" and erratum.item["source"] in results.SCANNED
        return "; the slip may come from the character recognition, not from the authors" if scanned else ""

    def set(self, text: str) -> list[nodes.Node]:
        """Nodes of a text of the inventory."""
        refer = lambda name: links.reference("item-or-erratum", name, self.env.docname)  # noqa: E731
        return typeset.inline(text, refer)


def setup(app: Sphinx) -> None:
    app.setup_extension("book.extensions.links")
    app.add_directive("errata", Errata)
