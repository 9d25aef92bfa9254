"""At the foot of each chapter: its BibTeX entry, how to cite a statement, the stamp of its outputs."""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from book.extensions import locations, typeset
from book.extensions.statements import boxes
from book.tools import editions
from book.tools.stamp import stamp

ANCHOR = "cite"


def _statement(
    app: Sphinx, doctree: nodes.document, docname: str, topic: str
) -> list[nodes.Node]:
    """How to cite a statement, by the example of the first that has a number; nothing without one."""
    for box in boxes(doctree):
        place = locations.of_label(app.env, box["label"])
        if place and place.words[-1:].isdigit():
            command, address = (
                f"\\cite[{place.words}]{{privml:{topic}}}",
                f"{docname}.html#{place.anchor}",
            )
            return [
                nodes.Text("A statement is cited with the same entry, as in "),
                nodes.literal(command, command),
                nodes.Text("; it has an address of its own, "),
                nodes.reference(
                    "", "", nodes.Text(address), internal=True, refid=place.anchor
                ),
                nodes.Text("."),
            ]
    return []


def _stamp(root: Path, topic: str) -> nodes.paragraph:
    """What the outputs were made with and from, and the hash by which a reader checks them."""
    versions, settings, found = stamp(root, topic)
    command = f"make verify CHAPTER={topic}"
    given = [
        part
        for text in settings
        for part in (nodes.Text(", "), nodes.literal(text, text))
    ]
    parts = [
        nodes.Text(f"Outputs made with {', '.join(versions)}"),
        *([nodes.Text(", from "), *given[1:]] if given else []),
        nodes.Text(". Hash of their texts and tables: "),
        nodes.literal(found, found),
        nodes.Text("; in a clone of the book "),
        nodes.literal(command, command),
        nodes.Text(
            " executes the chapter again, compares cell by cell and prints the hash it found."
        ),
    ]
    return typeset.paragraph(*parts)


def complete(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put the entry at the foot of a chapter."""
    topic, top = locations.topic_of(docname), doctree.next_node(nodes.section)
    if not topic or top is None:
        return
    of = editions.book(Path(app.srcdir), app.config.html_baseurl)
    entry = editions.bibtex_of_chapter(
        topic, locations.number(app.env, docname), app.env.titles[docname].astext(), of
    )
    parts = [
        typeset.paragraph("To cite this chapter:"),
        nodes.literal_block(entry, entry, language="bibtex"),
    ]
    statement = _statement(app, doctree, docname, topic)
    parts += [typeset.paragraph(*statement)] if statement else []
    parts += [_stamp(Path(app.srcdir), topic)]
    top += nodes.container("", *parts, classes=["chapter-cite"], ids=[ANCHOR])


def setup(app: Sphinx) -> None:
    app.setup_extension("book.extensions.claim_index")
    app.connect("doctree-resolved", complete, priority=950)
