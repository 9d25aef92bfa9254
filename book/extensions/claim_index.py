"""What the inventory, the docstrings and the test markers say, read once a build and shared by the pages.

A page that shows links made from them holds a `deferred` node. It is replaced when all pages are read, by the
maker that an extension registered for its kind.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from docutils import nodes
from docutils.utils import new_document
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxSmartQuotes
from sphinx.util import logging

from book.extensions import locations
from book.tools import inventory, results

logger = logging.getLogger(__name__)


class Claims(NamedTuple):
    """Items by id; symbols, tests and shown errata by the id that they name."""

    items: dict[str, dict]
    symbols: inventory.Claims
    tests: inventory.Claims
    shown: inventory.Claims


class deferred(nodes.Inline, nodes.Element):  # noqa: N801 (docutils names nodes in lower case)
    """A place in a page that is filled when all pages are read."""


Maker = Callable[[Sphinx, str, deferred], list[nodes.Node]]
_makers: dict[str, Maker] = {}


def deferred_maker(kind: str) -> Callable[[Maker], Maker]:
    """Register the maker for deferred nodes of one kind."""

    def register(maker: Maker) -> Maker:
        _makers[kind] = maker
        return maker

    return register


def deferred_node(kind: str, name: str) -> deferred:
    """A place to be filled by the maker of this kind, for the item or erratum with this name."""
    return deferred("", kind=kind, name=name)


def inventory_file(root: Path) -> Path:
    """Where the inventory lies."""
    return root / "book" / "inventory.yml"


def read(app: Sphinx) -> None:
    """Read inventory, docstrings and markers; a book without inventory has none of them."""
    root = Path(app.srcdir)
    if not inventory_file(root).exists():
        app.privml_claims, app.privml_errata = Claims({}, {}, {}, {}), {}
        return
    items = {item["id"]: item for item in inventory.items(root)}
    found = (
        inventory.symbols(root),
        inventory.marked(root, "source"),
        inventory.errata(root),
    )
    app.privml_claims = Claims(items, *found)
    app.privml_errata = {
        e.name: e for item in items.values() for e in results.errata_of(item)
    }


def of(env: BuildEnvironment) -> Claims:
    """The claims of the build that this environment belongs to."""
    return env.app.privml_claims


def errata(env: BuildEnvironment) -> dict[str, results.Erratum]:
    """Every erratum of the inventory by its name."""
    return env.app.privml_errata


def fill_all(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Replace the deferred nodes of a page."""
    for node in list(doctree.findall(deferred)):
        made = new_document("", doctree.settings)
        made += _makers[node["kind"]](app, docname, node)
        if app.builder.format == "html":
            SphinxSmartQuotes(made, startnode=None).apply()  # as when a page is read
        if made.next_node(nodes.math):
            app.env.get_domain("math").data["has_equations"][docname] = True
        node.replace_self(made.children)


def check(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of docstrings and markers that name what the inventory does not have."""
    for sentence in results.unknown_ids(*of(env)) if of(env).items else []:
        logger.warning(sentence)


def _digest(env: BuildEnvironment) -> str:
    """Hash of all that links between pages are made from."""
    objects = sorted(
        (name, entry.docname) for name, entry in env.get_domain("py").objects.items()
    )
    known = [
        of(env),
        objects,
        locations.store(env),
        env.toc_fignumbers,
        getattr(env, "proof_list", {}),
    ]
    return hashlib.sha256(repr(known).encode()).hexdigest()


def stale_pages(app: Sphinx, env: BuildEnvironment) -> set[str]:
    """Pages to write again: all of them when something changed that links are made from."""
    digest = _digest(env)
    changed = getattr(env, "privml_digest", None) != digest
    env.privml_digest = digest
    return set(env.all_docs) if changed else set()


def setup(app: Sphinx) -> None:
    app.add_node(deferred)
    app.connect("builder-inited", read)
    app.connect("env-purge-doc", locations.forget)
    app.connect("env-check-consistency", check)
    app.connect("env-updated", stale_pages)
    app.connect("doctree-resolved", fill_all, priority=400)
