"""Roles that link to an item or an erratum: ``{item}`L4-def-pac`` and ``{erratum}`L4-def-pac``.

An item with several errata has ``ID``, ``ID/2``, ``ID/3``. A name that does not exist stops a strict build.
"""

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.roles import XRefRole
from sphinx.util import logging

from book.extensions import claim_index, locations
from book.tools import results

logger = logging.getLogger(__name__)


class ErratumRole(XRefRole):
    """Link to an erratum; the list of errata links back to where the role was used."""

    def result_nodes(
        self,
        document: nodes.document,
        env: BuildEnvironment,
        node: nodes.Element,
        is_ref: bool,
    ) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The link, with an anchor of its own."""
        anchor = f"mention-{env.new_serialno('mention')}"
        locations.store(env)["mentions"][env.docname, anchor] = (
            env.docname,
            node["reftarget"],
        )
        if not node["refexplicit"]:
            node[:] = [
                nodes.Text("see the errata, "),
                nodes.literal("", node["reftarget"]),
            ]
        return [nodes.inline("", "", node, ids=[anchor])], []


def place_of(env: BuildEnvironment, kind: str, name: str) -> locations.Place | None:
    """Where an item or an erratum is listed; None when there is no such thing or no page that lists it."""
    known, pages = claim_index.of(env), locations.store(env)["pages"]
    errata = claim_index.errata(env)
    if kind == "erratum" and name in errata and "errata" in pages:
        return locations.Place(pages["errata"][0], errata[name].anchor, name)
    if kind == "item" and name in known.items and "results" in pages:
        return locations.Place(pages["results"][0], results.item_anchor(name), name)
    return None


def resolve(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.Node
) -> nodes.Node | None:
    """Make the link, or say what is wrong with it and where."""
    kind, name = node["reftype"], node["reftarget"]
    if node.get("refdomain") or kind not in ("item", "erratum"):
        return None
    if name not in (
        claim_index.errata(env) if kind == "erratum" else claim_index.of(env).items
    ):
        logger.warning(f"no {kind} of the inventory is called {name!r}", location=node)
    place = place_of(env, kind, name)
    if place is None:  # or a page is made alone
        return nodes.inline("", "", *[child.deepcopy() for child in node.children])
    return locations.link(app.builder, node["refdoc"], place, node.children or content)


def setup(app: Sphinx) -> None:
    app.setup_extension("book.extensions.claim_index")
    app.add_role("item", XRefRole(innernodeclass=nodes.literal))
    app.add_role("erratum", ErratumRole(innernodeclass=nodes.inline))
    app.connect("missing-reference", resolve)
