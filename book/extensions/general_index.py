"""The index of the book as a page of its own: ``{general-index}``.

Sphinx gathers the entries: terms of the glossary, titles of statements, objects of the package, and whatever
authors mark. Here they become a page in the reading order, with links that name the page they lead to.
"""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment.adapters.indexentries import IndexEntries
from sphinx.util.docutils import SphinxDirective

from book.extensions import claim_index, locations, typeset

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_OTHER = "Other"
_OMITTED = ("privml.figures",)


class _Addresses:
    """Stands in for a builder: an entry's address is the place it leads to."""

    @staticmethod
    def get_relative_uri(here: str, there: str) -> str:
        return there


def _links(app: Sphinx, docname: str, found: list[tuple[str, str]]) -> list[nodes.Node]:
    """Links to the places of one entry, each named after its page."""
    made = []
    for _, address in found:
        page, _, anchor = address.partition("#")
        place = locations.Place(page, anchor, app.env.titles[page].astext())
        made.append([locations.link(app.builder, docname, place)])
    return typeset.joined(made)


def _belongs(app: Sphinx, entry: list) -> bool:
    """Whether an entry leads anywhere but to the code behind single figures and exercises."""
    modules = locations.store(app.env)["modules"]
    omitted = {modules[name][0] for name in _OMITTED if name in modules}
    found, below, _ = entry
    addresses = [
        address
        for _, address in [*found, *[place for _, links in below for place in links]]
    ]
    return any(address.partition("#")[0] not in omitted for address in addresses)


def _lines(app: Sphinx, docname: str, word: str, entry: list) -> nodes.list_item:
    """One entry with its places, and its sub-entries below."""
    found, below, _ = entry
    comma = [nodes.Text(", ")] if found else []
    item = nodes.list_item(
        "", typeset.paragraph(word, *comma, *_links(app, docname, found))
    )
    if below:
        item += nodes.bullet_list(
            "", *[_lines(app, docname, w, [links, [], None]) for w, links in below]
        )
    return item


@claim_index.deferred_maker("index-letter")
def _letter(app: Sphinx, docname: str, node: nodes.Element) -> list[nodes.Node]:
    """Entries that begin with one letter."""
    groups = dict(IndexEntries(app.env).create_index(_Addresses(), group_entries=False))
    if node["name"] == _OTHER:
        entries = [
            entry
            for key, group in groups.items()
            if key not in LETTERS
            for entry in group
        ]
    else:
        entries = groups.get(node["name"], [])
    entries = [(word, entry) for word, entry in entries if _belongs(app, entry)]
    if not entries:
        return [typeset.paragraph("No entry.")]
    items = [_lines(app, docname, word, entry) for word, entry in entries]
    return [nodes.bullet_list("", *items, classes=["index-entries"])]


class GeneralIndex(SphinxDirective):
    """Directive ``{general-index}``: one section a letter."""

    def run(self) -> list[nodes.Node]:
        """Sections whose entries are filled in when all pages are read."""
        locations.store(self.env)["pages"]["index"] = (self.env.docname,)
        letters = [*LETTERS, _OTHER]
        return [
            typeset.section(
                x, f"index-{x.lower()}", claim_index.deferred_node("index-letter", x)
            )
            for x in letters
        ]


def setup(app: Sphinx) -> None:
    app.setup_extension("book.extensions.claim_index")
    app.add_directive("general-index", GeneralIndex)
