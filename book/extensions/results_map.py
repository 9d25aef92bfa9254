"""Where each result lives: for every item of the inventory its place in the book, its code and its tests.

``{results-map}`` makes the page from the inventory, the docstrings of the package and the markers of the
tests.
"""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book.extensions import claim_index, links, locations, typeset
from book.tools import results

_HEAD = ["Item", "Stated in", "Code", "Tests", "Status"]


def evidence(env, name: str) -> results.Evidence:
    """What speaks for one item in this build."""
    known = claim_index.of(env)
    stated = locations.of_label(env, name.lower()) is not None
    return results.Evidence(
        known.symbols.get(name, []), known.tests.get(name, []), stated
    )


def symbol_link(app: Sphinx, docname: str, symbol: str) -> nodes.Node:
    """Link to a symbol in the reference, or to its code when it is not public."""
    place = locations.of_symbol(app.env, symbol)
    if place is None:
        return nodes.literal("", symbol.removeprefix("privml."))
    return locations.link(app.builder, docname, place, literal=True, title=symbol)


def test_links(app: Sphinx, docname: str, tests: list[str]) -> nodes.bullet_list:
    """Links to tests, given as ``file::name``."""
    found = [(test, *test.partition("::")[::2]) for test in tests]
    at = [
        locations.of_code(path, name)._replace(words=test) for test, path, name in found
    ]
    links = [
        typeset.paragraph(locations.link(app.builder, docname, place, literal=True))
        for place in at
    ]
    return nodes.bullet_list("", *[nodes.list_item("", link) for link in links])


def counted(number: int, one: str, many: str) -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else many}"


@claim_index.deferred_maker("counts")
def _counts(app: Sphinx, docname: str, node: nodes.Element) -> list[nodes.Node]:
    """Table of how many items of each source have which status."""
    rows, total = [], [0] * (len(results.STATUSES) + 3)
    for source in results.SOURCES:
        items = [
            item
            for item in claim_index.of(app.env).items.values()
            if item["source"] == source
        ]
        found = [
            results.status(item["tier"], evidence(app.env, item["id"]))
            for item in items
        ]
        numbers = [len(items), *[found.count(status) for status in results.STATUSES]]
        kinds = [erratum.kind for item in items for erratum in results.errata_of(item)]
        numbers += [kinds.count("erratum"), kinds.count("slip")]
        total = [sum(pair) for pair in zip(total, numbers, strict=True)]
        rows.append(typeset.row([source, *map(str, numbers)]))
    head = [
        "Source",
        "Items",
        *[status.capitalize() for status in results.STATUSES],
        "Errata",
        "Slips",
    ]
    return [
        typeset.table(
            head, [*rows, typeset.row(["All", *map(str, total)])], ("counts",)
        )
    ]


def _about(app: Sphinx, docname: str, item: dict) -> list[nodes.Node]:
    """Id, kind and tier of an item, and a link to its first erratum, which names the others."""
    name = item["id"]
    about = [
        nodes.literal("", name, classes=["item-id"]),
        nodes.Text(f" {item['kind']}, {item['tier']}"),
    ]
    if item["errata"]:
        words = results.counted_kinds(results.errata_of(item))
        place = links.place_of(app.env, "erratum", name)
        link = (
            locations.link(app.builder, docname, place._replace(words=words))
            if place
            else nodes.Text(words)
        )
        about += [nodes.Text("; "), link]
    return about


def _row(app: Sphinx, docname: str, item: dict) -> nodes.row:
    """Row of one item, marked with its status, so that a filter can find it."""
    name, known = item["id"], evidence(app.env, item["id"])
    title = nodes.strong(
        "", "", *typeset.inline(item["title"], lambda other: nodes.literal("", other))
    )
    stated, code, tests = (
        [typeset.paragraph(nodes.inline("", "none yet", classes=["nothing"]))]
        for _ in "123"
    )
    if place := locations.of_label(app.env, name.lower()):
        where = app.env.titles[place.docname].astext()
        stated = [
            typeset.paragraph(locations.link(app.builder, docname, place, title=where))
        ]
    if known.symbols:
        named = [[symbol_link(app, docname, symbol)] for symbol in known.symbols]
        code = [typeset.paragraph(*typeset.joined(named))]
    if known.tests:
        listed = test_links(app, docname, known.tests)
        tests = typeset.details(counted(len(known.tests), "test", "tests"), listed)
    status = results.status(item["tier"], known)
    about = typeset.paragraph(*_about(app, docname, item), classes=("about",))
    said = typeset.paragraph(nodes.inline("", status, classes=["status"]))
    cells = [[typeset.paragraph(title), about], stated, code, tests, [said]]
    classes = ["item", f"status-{status.replace(' ', '-')}"]
    return typeset.row(cells, ids=[results.item_anchor(name)], classes=classes)


@claim_index.deferred_maker("results-of")
def _results_of(app: Sphinx, docname: str, node: nodes.Element) -> list[nodes.Node]:
    """Table of the items of one source."""
    items = [
        item
        for item in claim_index.of(app.env).items.values()
        if item["source"] == node["name"]
    ]
    return [
        typeset.table(
            _HEAD, [_row(app, docname, item) for item in items], ("results-map",)
        )
    ]


class ResultsMap(SphinxDirective):
    """Directive ``{results-map}``: counts, then one table a source, filled in when all pages are read."""

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(
            str(claim_index.inventory_file(Path(self.env.app.srcdir)))
        )
        locations.store(self.env)["pages"]["results"] = (self.env.docname,)
        there = {item["source"] for item in claim_index.of(self.env).items.values()}
        made: list[nodes.Node] = [claim_index.deferred_node("counts", "")]
        for source, title in results.SOURCES.items():
            if source in there:
                table = claim_index.deferred_node("results-of", source)
                made.append(
                    typeset.section(
                        f"{source}: {title}", f"results-{source.lower()}", table
                    )
                )
        return made


def setup(app: Sphinx) -> None:
    app.setup_extension("book.extensions.links")
    app.add_directive("results-map", ResultsMap)
    locations.script(app, "results.js", "results-map", loading_method="defer")
