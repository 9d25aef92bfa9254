"""Statements that Coq has checked: a mark in their boxes, and ``{checked-proofs}``, the list of all of them.

What a mark shows is taken from the sources in ``proofs/`` (`book.tools.coq`); the axioms behind a theorem are
those that ``make proofs`` has recorded there.
"""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from book.extensions import claim_index, locations, statements, typeset
from book.tools import coq

logger = logging.getLogger(__name__)
PAGE = "checked"
_HEADS = {
    True: ["Statement", "In Coq", "What is different", "Axioms"],
    False: ["Definition", "In Coq", "What is different"],
}


def of_root(root: Path) -> tuple[list[coq.Statement], dict[str, list[str]]]:
    """All statements, and the axioms behind each theorem; nothing where there are no proofs."""
    if not (root / coq.FOLDER).is_dir():
        return [], {}
    return coq.statements(root), coq.recorded(root)


def axioms(names: list[str]) -> str:
    """The axioms behind a theorem in words."""
    return ", ".join(names) if names else "none"


def code(text: str) -> nodes.literal_block:
    """Coq on the page."""
    return nodes.literal_block(text, text, language="coq")


def mark(app: Sphinx, docname: str, found: list[coq.Statement]) -> list[nodes.Node]:
    """What unfolds under a box: the statements in Coq, their axioms, and links to the source."""
    said = (
        "checked by Coq"
        if any(statement.proved for statement in found)
        else "stated in Coq"
    )
    inside: list[nodes.Node] = []
    for statement in found:
        line: list[list[nodes.Node]] = []
        if statement.note:
            line.append(in_words(f"Here: {statement.note}"))
        if statement.proved:
            known = app.privml_axioms.get(statement.name, [])
            line.append([nodes.Text(f"axioms: {axioms(known)}")])
        if place := locations.store(app.env)["pages"].get(PAGE):
            source = locations.of_code(statement.path, statement.name)._replace(
                words=statement.path
            )
            page = locations.Place(place[0], "", "what checking shows")
            line.append([locations.link(app.builder, docname, source, literal=True)])
            line.append([locations.link(app.builder, docname, page)])
        inside += [
            code(statement.text),
            typeset.paragraph(*typeset.joined(line, " · "), classes=("box-links",)),
        ]
    opening = (
        f'<details class="box-fold checked"><summary aria-label="{said}"></summary>'
    )
    return [
        nodes.raw("", opening, format="html"),
        *inside,
        nodes.raw("", "</details>", format="html"),
    ]


def in_words(text: str) -> list[nodes.Node]:
    """A note with its formulas."""
    return typeset.inline(text, nodes.Text)


def complete(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Mark each box whose label a statement in Coq names."""
    if app.builder.format != "html":
        return
    for box in statements.boxes(doctree):
        labels = statements.labels_of(app, docname, box)
        found = [s for s in app.privml_proofs if {*s.labels} & {*labels}]
        if found:
            box += mark(app, docname, found)


class CheckedProofs(SphinxDirective):
    """Directive ``{checked-proofs}``: theorems and definitions, file by file."""

    def run(self) -> list[nodes.Node]:
        root = Path(self.env.srcdir)
        self.env.note_dependency(str(root / coq.FOLDER / coq.RECORD))
        for module in coq.modules(root):
            self.env.note_dependency(str(root / coq.FOLDER / f"{module}.v"))
        locations.store(self.env)["pages"][PAGE] = (self.env.docname,)
        found, known = of_root(root)
        made: list[nodes.Node] = []
        for proved, title in ((True, "Theorems"), (False, "Definitions")):
            rows = [self.row(s, known) for s in found if s.proved == proved]
            table = typeset.table(_HEADS[proved], rows, ("checked-proofs",))
            made.append(typeset.section(title, f"checked-{title.lower()}", table))
        return made

    def row(self, statement: coq.Statement, known: dict[str, list[str]]) -> nodes.row:
        """The statement of the book, the name in Coq with its source, the difference, the axioms."""
        later = [
            [claim_index.deferred_node("checked", label)] for label in statement.labels
        ]
        stated: typeset.Cell = typeset.joined(later) if later else "not in the book"
        place = locations.of_code(statement.path, statement.name)._replace(
            words=statement.name
        )
        link = locations.link(
            self.env.app.builder, self.env.docname, place, literal=True
        )
        cells: list[typeset.Cell] = [stated, link, self.words(statement.note)]
        if statement.proved:
            cells.append(axioms(known.get(statement.name, [])))
        return typeset.row(cells)

    def words(self, text: str) -> list[nodes.Node | str]:
        """Text with its formulas and references."""
        return self.state.inline_text(text, self.lineno)[0] if text else [""]


@claim_index.deferred_maker("checked")
def stated_at(app: Sphinx, docname: str, node: nodes.Element) -> list[nodes.Node]:
    """A link to the statement with a label."""
    place = locations.of_label(app.env, node["name"])
    if place is None:
        return [nodes.literal("", node["name"])]
    return [locations.link(app.builder, docname, place)]


def check_labels(app: Sphinx, env) -> None:
    """Warn of labels in Coq that no box has, if all chapters were read."""
    if PAGE not in locations.store(env)["pages"]:
        return
    for statement in app.privml_proofs:
        for label in statement.labels:
            if locations.of_label(env, label) is None:
                logger.warning(f"{statement.path}: no statement has the label {label}")


def read(app: Sphinx) -> None:
    """Read the sources once."""
    app.privml_proofs, app.privml_axioms = of_root(Path(app.srcdir))


def setup(app: Sphinx) -> None:
    app.setup_extension("book.extensions.statements")
    app.add_directive("checked-proofs", CheckedProofs)
    app.connect("builder-inited", read)
    app.connect("env-check-consistency", check_labels)
    app.connect("doctree-resolved", complete)
