"""Errata of the sources in a chapter: a short mark in place, the note at the chapter's end.

A reader who does not own a source meets one small link, ``erratum 3``. The body of the directive

    ```{erratum} LZCW21, Lemma 33
    The bracket closes early ({erratum}`LZCW21-lem-33`).
    ```

goes to a section *Errata of the sources* before *Sources*, under its number, with the place it belongs to and
a link back. The mark stands at the end of the statement that follows the directive; where no statement
follows, at the end of the block before it.
"""

from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective

from book.extensions import claim_index, locations, typeset
from book.extensions.statements import is_statement

TITLE, ANCHOR = "Errata of the sources", "errata-of-the-sources"
_NO_BLOCK = (
    addnodes.index,
    nodes.comment,
    nodes.pending,
    nodes.substitution_definition,
    nodes.target,
)


class erratum_note(nodes.General, nodes.Element):  # noqa: N801 (docutils names nodes in lower case)
    """A note where it was written, until it is moved to the end of the chapter."""


class ErratumNote(SphinxDirective):
    """Directive ``{erratum} place in the source``: what is wrong there."""

    has_content = True
    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        self.assert_has_content()
        place, messages = self.state.inline_text(self.arguments[0], self.lineno)
        made = erratum_note("", nodes.paragraph("", "", *place))
        self.set_source_info(made)
        self.state.nested_parse(self.content, self.content_offset, made)
        return [made, *messages]


def _neighbour(note: nodes.Node, step: int) -> nodes.Node | None:
    """The next block of the same section in one direction, over what shows nothing and other notes."""
    siblings, at = note.parent.children, note.parent.index(note) + step
    while 0 <= at < len(siblings) and isinstance(
        siblings[at], (*_NO_BLOCK, erratum_note)
    ):
        at += step
    return siblings[at] if 0 <= at < len(siblings) else None


def home(note: nodes.Node) -> nodes.Node | None:
    """The block that a note belongs to: see the module; None where only code or a heading stands around."""
    after, before = _neighbour(note, 1), _neighbour(note, -1)
    if is_statement(after) or not _holds_text(before):
        return after if _holds_text(after) else None
    return before


def _holds_text(node: nodes.Node | None) -> bool:
    texts = (
        nodes.paragraph,
        nodes.bullet_list,
        nodes.enumerated_list,
        nodes.math_block,
    )
    return (
        isinstance(node, texts)
        or is_statement(node)
        or type(node).__name__ == "proof_node"
    )


def attach(mark: nodes.Node, block: nodes.Element) -> None:
    """Put a mark at the end of a block: into its last paragraph where that ends the block, else below."""
    last: nodes.Node = block
    while (
        not isinstance(last, nodes.paragraph)
        and isinstance(last, nodes.Element)
        and last.children
    ):
        last = last[-1]
    if isinstance(last, nodes.paragraph):
        last += mark
        return
    alone = typeset.paragraph(mark, classes=("erratum-alone",))
    inside = block if is_statement(block) else None
    if inside is None:
        block.parent.insert(block.parent.index(block) + 1, alone)
        return
    while isinstance(inside[-1], nodes.section | nodes.container):
        inside = inside[-1]
    inside += alone


def place_of(note: nodes.Node, block: nodes.Node | None) -> list[nodes.Node]:
    """Words that say where a note belongs: its statement, else its section."""
    if is_statement(block):
        return [claim_index.deferred_node("statement-words", block["label"])]
    while note is not None and not isinstance(note, nodes.section):
        note = note.parent
    title = note.next_node(nodes.title) if note is not None else None
    return (
        [nodes.emphasis("", "", *[part.deepcopy() for part in title])]
        if title is not None
        else []
    )


@claim_index.deferred_maker("statement-words")
def _statement_words(
    app: Sphinx, docname: str, node: nodes.Element
) -> list[nodes.Node]:
    place = locations.of_label(app.env, node["name"])
    return [nodes.Text(place.words if place else node["name"])]


class MoveNotes(SphinxTransform):
    """Leave marks where notes stand, and gather the notes at the end of the chapter."""

    default_priority = (
        695  # after the stars of titles, before contents and index are read
    )

    def apply(self, **options: Any) -> None:
        found = list(self.document.findall(erratum_note))
        if not found:
            return
        homes = [home(note) for note in found]
        words = [self.words(note) for note in found]
        moved = [
            self.entry(number, *pair)
            for number, pair in enumerate(zip(found, homes, strict=True), 1)
        ]
        for number, (note, block, word) in enumerate(
            zip(found, homes, words, strict=True), 1
        ):
            if block is None:
                note.replace_self(
                    typeset.paragraph(_mark(number, word), classes=("erratum-alone",))
                )
            else:
                attach(_mark(number, word), block)
                note.parent.remove(note)
        section = typeset.section(TITLE, ANCHOR, *moved)
        top = next(self.document.findall(nodes.section), self.document)
        parts = [
            (n, part) for n, part in enumerate(top) if isinstance(part, nodes.section)
        ]
        ends = [
            n for n, part in parts if part.next_node(nodes.title).astext() == "Sources"
        ]
        top.insert(ends[-1] if ends else len(top), section)

    def words(self, note: erratum_note) -> str:
        """What a note is called: a slip if all errata that begin its paragraphs are slips."""
        names = [link["reftarget"] for link in _leading(note.children)]
        kinds = {
            claim_index.errata(self.env)[name].kind
            for name in names
            if name in claim_index.errata(self.env)
        }
        return "slip" if kinds == {"slip"} else "erratum"

    def entry(
        self, number: int, note: erratum_note, block: nodes.Node | None
    ) -> nodes.container:
        head, *body = note.children
        back = nodes.reference(
            "",
            "",
            *place_of(note, block),
            internal=True,
            refid=f"erratum-mark-{number}",
        )
        parts = [
            nodes.strong("", f"{number}. "),
            *head.children,
            nodes.Text(", to "),
            back,
            nodes.Text("."),
        ]
        title = typeset.paragraph(*parts, classes=("erratum-title",))
        for leading in _leading(body):
            leading[:] = [part for part in leading if isinstance(part, nodes.literal)]
        made = nodes.container("", title, *body, classes=["erratum-note"])
        made["ids"] = [f"erratum-{number}"]
        return made


def _leading(body: list[nodes.Node]) -> Iterator[nodes.Element]:
    """Links to the ledger with which paragraphs begin: there the name alone says enough."""
    for paragraph in [
        block for block in body if isinstance(block, nodes.paragraph) and block.children
    ]:
        link = paragraph[0].next_node(addnodes.pending_xref, include_self=True)
        if (
            link is not None
            and link["reftype"] == "erratum"
            and not link["refexplicit"]
        ):
            yield link


def _mark(number: int, word: str) -> nodes.inline:
    """The short mark in the text, to which the note links back."""
    link = nodes.reference(
        "", f"{word} {number}", internal=True, refid=f"erratum-{number}"
    )
    classes, ids = ["erratum-mark"], [f"erratum-mark-{number}"]
    return nodes.inline("", "", nodes.Text(" "), link, ids=ids, classes=classes)


def setup(app: Sphinx) -> None:
    app.setup_extension("book.extensions.links")
    app.add_node(erratum_note)
    app.add_directive("erratum", ErratumNote)
    app.add_transform(MoveNotes)
