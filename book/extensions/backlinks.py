"""Links from the reference: where the book states what an object implements, and where its code stands.

They are made from the docstrings when all pages are read. `book.extensions.statements` makes the links back.
"""

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from book.extensions import claim_index, code, links, locations, typeset
from book.tools import api
from book.tools.inventory import ID

_MEMBER = addnodes.desc | addnodes.index
_NOT_PROSE = (
    nodes.literal
    | nodes.literal_block
    | nodes.doctest_block
    | nodes.reference
    | nodes.math
)


def symbol_of(signature: addnodes.desc_signature, names: dict[str, str]) -> str:
    """Name under which a file defines what a signature describes; empty when it has none."""
    head, tail = locations.split(
        ".".join(filter(None, map(signature.get, ("module", "fullname")))), names
    )
    return names[head] + tail if head else ""


def items_by_symbol(app: Sphinx) -> dict[str, list[str]]:
    """Ids that each symbol's docstring names, in the order of the inventory."""
    known = claim_index.of(app.env)
    found: dict[str, list[str]] = {}
    for item in known.items:
        for symbol in known.symbols.get(item, []):
            found.setdefault(symbol, []).append(item)
    return found


def stated_in(app: Sphinx, docname: str, items: list[str]) -> list[nodes.Node]:
    """The line that links an object to the statements it implements; none when no page states them."""
    stated = [
        place for name in items if (place := locations.of_label(app.env, name.lower()))
    ]
    boxes = {
        (place.docname, place.words): place for place in reversed(stated)
    }  # one may have several items
    groups = []
    for place in reversed(boxes.values()):
        chapter = nodes.Text(f" of {app.env.titles[place.docname].astext()}")
        groups.append([locations.link(app.builder, docname, place), chapter])
    head = nodes.strong("", "Stated in: ")
    return (
        [typeset.paragraph(head, *typeset.joined(groups), classes=("stated-in",))]
        if groups
        else []
    )


def link_items(app: Sphinx, docname: str, doctree: nodes.document) -> None:
    """Turn ids of items in the text of docstrings into links to their rows in the map of results."""
    for text in list(doctree.findall(nodes.Text)):
        above = [text.parent]
        while above[-1].parent:
            above.append(above[-1].parent)
        if not ID.search(text) or any(isinstance(node, _NOT_PROSE) for node in above):
            continue
        made, done = [], 0
        for match in ID.finditer(text):
            row = links.place_of(app.env, "item", match[0])
            made.append(nodes.Text(text[done : match.start()]))
            made.append(
                locations.link(app.builder, docname, row)
                if row
                else nodes.Text(match[0])
            )
            done = match.end()
        text.parent.replace(text, [*made, nodes.Text(text[done:])])


def complete(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Add to each documented object the statements it implements and a link to its code."""
    if all(page[0] != docname for page in locations.store(app.env)["modules"].values()):
        return
    link_items(app, docname, doctree)
    items, aliases = items_by_symbol(app), locations.store(app.env)["aliases"]
    names = {documented: defined for defined, (_, documented) in aliases.items()}
    for desc in doctree.findall(addnodes.desc):
        signature, content = (
            desc.next_node(one)
            for one in (addnodes.desc_signature, addnodes.desc_content)
        )
        if symbol := symbol_of(signature, names):
            signature += code_link(app, docname, symbol)
            end = next(
                (n for n, child in enumerate(content) if isinstance(child, _MEMBER)),
                len(content),
            )
            content[end:end] = stated_in(app, docname, items.get(symbol, []))


def code_link(app: Sphinx, docname: str, symbol: str) -> list[nodes.Node]:
    """Link to the code of a symbol; none for what a class inherits."""
    path, name = code.of_symbol(app, symbol)
    if name not in code.names(app, path):
        return []
    made = locations.link(
        app.builder, docname, locations.of_code(path, name)._replace(words="source")
    )
    made["classes"].append("code-link")
    return [made]


def resolve_constant(
    app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, content: nodes.Node
) -> nodes.Node | None:
    """Link to a constant of a module where its file defines it."""
    if node.get("refdomain") != "py" or node["reftype"] != "data":
        return None
    for symbol in (f"{node.get('py:module')}.{node['reftarget']}", node["reftarget"]):
        if symbol.startswith(api.PACKAGE):
            path, name = code.of_symbol(app, symbol)
            if name in code.names(app, path):
                return locations.link(
                    app.builder, node["refdoc"], locations.of_code(path, name), content
                )
    return None


def setup(app: Sphinx) -> None:
    for name in ("book.extensions.links", "book.extensions.code"):
        app.setup_extension(name)
    app.connect("doctree-resolved", complete)
    app.connect("missing-reference", resolve_constant)
