"""Where each result lives: for every item of the inventory its place in the book, its code and its tests.

``{results-map}`` makes the page from the inventory, the docstrings of the package and the markers of the
tests.
"""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book.extensions import claims, places, typeset
from book.tools import results

_HEAD = ["Item", "Stated in", "Code", "Tests", "Status"]


def evidence(env, name: str) -> results.Evidence:
    """What speaks for one item in this build."""
    known = claims.of(env)
    stated = places.of_label(env, name.lower()) is not None
    return results.Evidence(known.symbols.get(name, []), known.tests.get(name, []), stated)


def _nothing() -> list[nodes.Node]:
    return [nodes.inline("", "none yet", classes=["nothing"])]


@claims.fill("stated")
def _stated(app: Sphinx, docname: str, node: nodes.Element) -> list[nodes.Node]:
    """Link to the statement of an item."""
    place = places.of_label(app.env, node["name"].lower())
    if place is None:
        return _nothing()
    title = app.env.titles[place.docname].astext()
    return [places.link(app.builder, docname, place, title=title)]


def symbol_link(app: Sphinx, docname: str, symbol: str) -> nodes.Node:
    """Link to a symbol in the reference, or to its code when it is not public."""
    place = places.of_symbol(app.env, symbol)
    if place is None:
        return nodes.literal("", symbol.removeprefix("privml."))
    return places.link(app.builder, docname, place, literal=True, title=symbol)


@claims.fill("code")
def _code(app: Sphinx, docname: str, node: nodes.Element) -> list[nodes.Node]:
    """Links to the symbols that implement an item."""
    found = claims.of(app.env).symbols.get(node["name"], [])
    links = [[symbol_link(app, docname, symbol)] for symbol in found]
    return typeset.joined(links) or _nothing()


def test_link(app: Sphinx, docname: str, test: str) -> list[nodes.Node]:
    """Link to a test, given as ``file::name``."""
    path, _, name = test.partition("::")
    place = places.of_code(path, name)._replace(words=test)
    return [places.link(app.builder, docname, place, literal=True)]


def counted(number: int, one: str, many: str) -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else many}"


@claims.fill("tests")
def _tests(app: Sphinx, docname: str, node: nodes.Element) -> list[nodes.Node]:
    """Links to the tests that check an item, behind their number."""
    found = claims.of(app.env).tests.get(node["name"], [])
    if not found:
        return [typeset.paragraph(*_nothing())]
    links = typeset.bullets([test_link(app, docname, test) for test in found])
    return typeset.details(counted(len(found), "test", "tests"), links)


@claims.fill("status")
def _status(app: Sphinx, docname: str, node: nodes.Element) -> list[nodes.Node]:
    """Status of an item; its row is marked with it, so that a filter can find it."""
    name = node["name"]
    tier = claims.of(app.env).items[name]["tier"]
    status = results.status(tier, evidence(app.env, name))
    row = node.parent.parent.parent
    row["classes"].append(f"status-{status.replace(' ', '-')}")
    return [nodes.inline("", status, classes=["status"])]


@claims.fill("counts")
def _counts(app: Sphinx, docname: str, node: nodes.Element) -> list[nodes.Node]:
    """Table of how many items of each source have which status."""
    rows, total = [], [0] * (len(results.STATUSES) + 3)
    for source in results.SOURCES:
        items = [item for item in claims.of(app.env).items.values() if item["source"] == source]
        found = [results.status(item["tier"], evidence(app.env, item["id"])) for item in items]
        numbers = [len(items), *[found.count(status) for status in results.STATUSES]]
        kinds = [erratum.kind for item in items for erratum in results.errata_of(item)]
        numbers += [kinds.count("erratum"), kinds.count("slip")]
        total = [sum(pair) for pair in zip(total, numbers, strict=True)]
        rows.append(_count_row(source, numbers))
    head = ["Source", "Items", *[status.capitalize() for status in results.STATUSES], "Errata", "Slips"]
    return [typeset.table(head, [*rows, _count_row("All", total)], ("counts",))]


def _count_row(name: str, numbers: list[int]) -> nodes.row:
    return typeset.row([[typeset.paragraph(text)] for text in [name, *map(str, numbers)]])


class ResultsMap(SphinxDirective):
    """Directive ``{results-map}``: counts, then one table a source."""

    def run(self) -> list[nodes.Node]:
        """Sections with the items' titles; links are filled in when all pages are read."""
        self.env.note_dependency(str(claims.inventory_file(Path(self.env.app.srcdir))))
        places.store(self.env)["pages"]["results"] = (self.env.docname,)
        items = list(claims.of(self.env).items.values())
        made: list[nodes.Node] = [claims.later("counts", "")]
        for source, title in results.SOURCES.items():
            rows = [self.item_row(item) for item in items if item["source"] == source]
            if rows:
                table = typeset.table(_HEAD, rows, ("results-map",))
                made.append(typeset.section(f"{source}: {title}", f"results-{source.lower()}", table))
        return made

    def item_row(self, item: dict) -> nodes.row:
        """Row of one item."""
        name = item["id"]
        title = nodes.strong("", "", *typeset.inline(item["title"], lambda other: nodes.literal("", other)))
        about = [nodes.literal("", name, classes=["item-id"]), nodes.Text(f" {item['kind']}, {item['tier']}")]
        if item["errata"]:
            about += [nodes.Text("; "), claims.later("errata-of", name)]
        cells = [
            [typeset.paragraph(title), typeset.paragraph(*about, classes=("about",))],
            [typeset.paragraph(claims.later("stated", name))],
            [typeset.paragraph(claims.later("code", name))],
            [claims.later("tests", name)],
            [typeset.paragraph(claims.later("status", name))],
        ]
        return typeset.row(cells, ids=[results.item_anchor(name)], classes=["item"])


def setup(app: Sphinx) -> None:
    app.setup_extension("book.extensions.links")
    app.add_directive("results-map", ResultsMap)
    places.script(app, "results.js", "results-map", loading_method="defer")
