"""Where things stand in the book: statements by label, symbols of the package, tests, and pages of code.

Pages are read one after another, so a link to another page is made at the end, when every page is known. This
module keeps what the pages tell while they are read (in the environment, forgotten with each page) and makes
the links.
"""

from collections.abc import Container
from typing import Any, NamedTuple

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

CODE_FOLDER = "_source"


class Place(NamedTuple):
    """A place in the book: its page, its anchor and the words of a link to it."""

    docname: str
    anchor: str
    words: str


def store(env: BuildEnvironment) -> dict[str, dict]:
    """What the pages told, one dictionary a kind; each entry's value begins with the page that told it."""
    if not hasattr(env, "privml"):
        env.privml = {
            "boxes": {},
            "mentions": {},
            "aliases": {},
            "modules": {},
            "pages": {},
        }
    return env.privml


def forget(app, env: BuildEnvironment, docname: str) -> None:
    """Drop what a page told, before it is read again."""
    for entries in store(env).values():
        for key in [key for key, value in entries.items() if value[0] == docname]:
            del entries[key]


def _box_words(env: BuildEnvironment, docname: str, label: str) -> str:
    """Kind and number of a statement, as its box shows them."""
    box = env.proof_list[label]
    kind = box["realtype"].title()
    if box["nonumber"]:
        return kind
    return f"{kind} {number_of(env, docname, box['countertype'], label)}".strip()


def of_label(env: BuildEnvironment, label: str) -> Place | None:
    """Where a label stands: a statement's own label, a target before a statement, or any other target."""
    boxes = getattr(env, "proof_list", {})
    if label in boxes:
        docname = boxes[label]["docname"]
        return Place(docname, label, _box_words(env, docname, label))
    standard = env.get_domain("std")
    if label not in standard.anonlabels:
        return None
    docname, anchor = standard.anonlabels[label]
    if at := store(env)["boxes"].get((docname, anchor)):
        return Place(docname, anchor, _box_words(env, docname, at[1]))
    _, _, title = standard.labels.get(label, ("", "", "")) or ("", "", "")
    return Place(docname, anchor, title or env.titles[docname].astext())


def topic_of(docname: str) -> str:
    """Topic of the chapter that a page shows; empty for any other page."""
    folder, _, topic = docname.partition("/")
    return topic if folder == "notebooks" else ""


def number(env: BuildEnvironment, docname: str) -> str:
    """Number of a page in the contents; empty without one."""
    return ".".join(map(str, env.toc_secnumbers.get(docname, {}).get("", ())))


def number_of(env: BuildEnvironment, docname: str, kind: str, label: str) -> str:
    """Number of a figure, a statement or an exercise of a page; empty without one."""
    return ".".join(
        map(str, env.toc_fignumbers.get(docname, {}).get(kind, {}).get(label, ()))
    )


def split(name: str, known: Container[str]) -> tuple[str, str]:
    """A dotted name as its longest beginning that is known, empty without one, and the rest."""
    head, tail = name, ""
    while head and head not in known:
        head, _, last = head.rpartition(".")
        tail = f".{last}{tail}"
    return head, tail


def documented_name(env: BuildEnvironment, symbol: str) -> str:
    """Name under which a symbol is documented, given the name by which its file defines it."""
    aliases = store(env)["aliases"]
    head, tail = split(symbol, aliases)
    return aliases[head][1] + tail if head else symbol


def of_symbol(env: BuildEnvironment, symbol: str) -> Place | None:
    """Where the reference documents a symbol, given the name by which its file defines it."""
    domain = env.get_domain("py")
    for name in (documented_name(env, symbol), symbol):
        if name in domain.objects:
            entry = domain.objects[name]
            return Place(entry.docname, entry.node_id, short_name(name))
        if name in domain.modules:
            module = domain.modules[name]
            return Place(module.docname, module.node_id, name.removeprefix("privml."))
    return None


def short_name(name: str) -> str:
    """A dotted name without its module: a class or function, or a class and its method."""
    parts = name.split(".")
    is_method = len(parts) > 1 and parts[-2].lstrip("_")[:1].isupper()
    return ".".join(parts[-2:] if is_method else parts[-1:])


def of_code(path: str, name: str = "") -> Place:
    """Where a file of the package or of the tests is shown, at one of its functions or classes."""
    return Place(f"{CODE_FOLDER}/{path.removesuffix('.py')}", name, name or path)


def link(
    builder: Builder,
    here: str,
    place: Place,
    content: Any = None,
    *,
    literal: bool = False,
    title: str = "",
) -> nodes.reference:
    """A link from the page `here` to a place, under its words or some other content."""
    words = (
        nodes.literal(place.words, place.words) if literal else nodes.Text(place.words)
    )
    return make_refnode(
        builder, here, place.docname, place.anchor, content or words, title
    )


def script(app: Sphinx, name: str, mark: str, **how: Any) -> None:
    """Load a script on the pages whose text has a mark."""

    def add(
        app: Sphinx, pagename: str, templatename: str, context: dict, doctree: Any
    ) -> None:
        if mark in context.get("body", ""):
            app.add_js_file(name, **how)

    app.connect("html-page-context", add)
