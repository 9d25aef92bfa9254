"""The printed edition: what a page does with links, folds and sliders, a book does in its own way.

`book.pdf` switches this extension on, for LaTeX only. Sphinx joins all pages to one tree; here its boxes,
proofs, figures, tables and code get their printed form, which ``book/print/privml.sty`` sets. All numbers are
those of the pages: they come from Sphinx, LaTeX counts nothing.
"""

from pathlib import Path
from typing import Any

import yaml
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders.latex.nodes import thebibliography
from sphinx.config import Config
from sphinx.transforms.post_transforms import SphinxPostTransform

import privml
from book.extensions import printed_blocks as blocks
from book.extensions.erratum_notes import TITLE
from book.extensions.path_switch import FurtherMark
from book.extensions.printed_blocks import latex, mark_of, page_of, printable, replace
from book.tools.chapters import source_of
from book.tools.myst import headings
from book.tools.short_path import END

ABSENT = "%absent"  # address of a page that is not printed
RECURRING = {"Exactly", TITLE, *END}  # titles of sections that every chapter has
LIVE = {"what-needs-what"}  # sections that make no sense on paper


class Absent(SphinxPostTransform):
    """Words in place of links to what is not printed, before Sphinx looks for it."""

    default_priority = 3
    formats = ("latex",)

    def run(self, **options: Any) -> None:
        for node in list(self.document.findall(addnodes.pending_xref)):
            kind = node["reftype"]
            if not node.get("refdomain") and kind in ("item", "erratum"):
                replace(node, node.children)
            elif kind == "doc" and (title := self.absent_title(node)):
                replace(
                    node,
                    node.children
                    if node["refexplicit"]
                    else [nodes.emphasis(title, title)],
                )

    def absent_title(self, node: addnodes.pending_xref) -> str:
        """Title of a page that the book has and this edition has not."""
        path, _ = self.env.relfn2path(f"{node['reftarget']}.md", node["refdoc"])
        docname = path.removesuffix(".md")
        if docname in self.env.all_docs:
            return ""
        return headings(
            source_of(Path(self.app.srcdir), docname).read_text(encoding="utf-8")
        )[0]


def mend_links(tree: nodes.document, exercises: dict[str, dict]) -> None:
    """Numbers as Sphinx knows them; no link to what is not printed, and an anchor wherever one leads."""
    for node in list(tree.findall(addnodes.number_reference)):
        if "refuri" not in node and node["refid"] in exercises:
            address = f"%{exercises[node['refid']]['docname']}#{node['refid']}"
        else:
            address = node.get("refuri") or f"%{page_of(node)}#{node['refid']}"
        replace(
            node,
            [nodes.reference("", "", *node.children, refuri=address, internal=True)],
        )
    for node in list(tree.findall(nodes.reference)):
        if node.get("refuri", "").startswith(ABSENT):
            replace(node, node.children)
    for node in tree.findall(
        lambda n: isinstance(n, nodes.inline | nodes.container | nodes.row)
    ):
        if names := node["ids"]:
            marks = latex("".join(mark_of(page_of(node), name) for name in names))
            (
                node.next_node(nodes.paragraph) if isinstance(node, nodes.row) else node
            ).insert(0, marks)
            node["ids"] = []


def set_parts(app: Sphinx, tree: nodes.document) -> None:
    """Parts of the book before their first pages, and numbers where the contents give some."""
    toc = yaml.safe_load(Path(app.config.external_toc_path).read_text(encoding="utf-8"))
    first = {part["chapters"][0]["file"]: part["caption"] for part in toc["parts"]}
    for start in tree.findall(addnodes.start_of_file):
        docname = start["docname"]
        number = app.env.toc_secnumbers.get(docname, {}).get("", ())
        depth = f"\\setcounter{{chapter}}{{{number[0] - 1}}}" if number else ""
        depth += f"\\setcounter{{secnumdepth}}{{{2 if number else -1}}}"
        part = (
            f"\\privmlpart{{{printable(first[docname])}}}" if docname in first else ""
        )
        start.insert(0, latex(f"\n{part}{depth}\n"))


def set_exact(tree: nodes.document) -> None:
    """Sections with a star, such as the exact half of a chapter, in smaller type below their titles."""
    starred = list(
        tree.findall(
            lambda n: isinstance(n, nodes.section) and "further" in n["classes"]
        )
    )
    within = {
        id(inner)
        for section in starred
        for inner in section.findall()
        if inner is not section
    }
    for section in [section for section in starred if id(section) not in within]:
        title = section.next_node(nodes.title)
        section.insert(section.index(title) + 1, latex("\n\\begin{privmlexact}\n"))
        section.append(latex("\n\\end{privmlexact}\n"))


def set_rest(tree: nodes.document) -> None:
    """Sections that are live only go; stars come back; the bibliography stands where its page is."""
    for section in list(tree.findall(nodes.section)):
        if LIVE & set(section["ids"]):
            section.parent.remove(section)
    for section in list(tree.findall(nodes.section)):
        title = section.next_node(nodes.title).astext()
        if title in RECURRING and page_of(section).startswith("notebooks/"):
            section.insert(
                0,
                latex("\n\\privmltoc{0}" + "\\privmlkeep" * (title == END[-1]) + "\n"),
            )
            section.insert(2, latex("\n\\privmltoc{1}\\privmlkeptfalse\n"))
    for mark in list(tree.findall(FurtherMark)):
        replace(mark, [latex("\\texorpdfstring{\\privmlstar}{ *}")])
    for works in list(tree.findall(thebibliography)):
        for work in works:
            label, text = work.children
            marks = "".join(
                f"\\privmlcited{{{work['docname']}:{name}}}" for name in work["ids"]
            )
            text.insert(0, latex(f"{marks}\\privmlwork{{{printable(label.astext())}}}"))
        page = next(
            n
            for n in tree.findall(addnodes.start_of_file)
            if n["docname"] == works[0]["docname"]
        )
        page.next_node(nodes.section).extend(work[1] for work in works)
        works.parent.remove(works)


def begin(app: Sphinx, tree: nodes.document, docname: str) -> None:
    """Before the extensions of the pages see the tree: figures have no line and no slider."""
    app.privml_figures = {}


def complete(app: Sphinx, tree: nodes.document, docname: str) -> None:
    """Give everything its printed form."""
    set_parts(app, tree)
    mend_links(tree, getattr(app.env, "sphinx_exercise_registry", {}))
    blocks.set_statements(app, tree)
    blocks.set_exercises(tree)
    blocks.set_answers(tree)
    blocks.set_proofs(tree)
    blocks.set_formulas(tree)
    blocks.set_figures(app, tree)
    blocks.set_tables(tree)
    blocks.set_code(tree)
    set_exact(tree)
    set_rest(tree)


def configure(app: Sphinx, config: Config) -> None:
    """One document: the whole table of contents; its title page names the version."""
    config.release = privml.__version__
    target = (
        config.root_doc,
        "privml-book.tex",
        config.project,
        config.author,
        "manual",
        True,
    )
    config.latex_documents = [target]


def find_pages(app: Sphinx) -> None:
    """Pages that are not printed have an address too, which no link keeps."""
    here = app.builder.get_target_uri

    def address(docname: str, typ: str | None = None) -> str:
        return here(docname, typ) if docname in app.builder.docnames else ABSENT

    app.builder.get_target_uri = address


def setup(app: Sphinx) -> None:
    app.add_post_transform(Absent)
    app.connect("config-inited", configure, priority=950)
    app.connect("builder-inited", find_pages)
    app.connect("doctree-resolved", begin, priority=300)
    app.connect("doctree-resolved", complete, priority=990)
