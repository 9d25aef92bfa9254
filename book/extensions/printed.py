"""The printed edition: what a page does with links, folds and sliders, a book does in its own way.

`book.pdf` switches this extension on, for LaTeX only. Sphinx joins all pages to one tree; here its boxes,
proofs, figures, tables and code get their printed form, which ``book/print/privml.sty`` sets. All numbers are
those of the pages: they come from Sphinx, LaTeX counts nothing.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from bs4 import BeautifulSoup
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders.latex.nodes import thebibliography
from sphinx.config import Config
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.texescape import escape

from book.extensions.short_path import FurtherMark
from book.tools.markup import headings_of, source_of

ABSENT = "%absent"  # address of a page that is not printed
PICTURES = Path("_build", "html", "figures")  # the vector pictures that the pages publish
FOLDED = "hide_mode"  # cells that a page folds are not printed, only their outputs
LIVE = {"what-needs-what"}  # sections that make no sense on paper
_LONG = 18  # characters: a longer name in the text may be broken behind its punctuation
_BREAK = re.compile(r"(?<=[_/.:,=(-])(?=\w)")
_NUMBER = re.compile(r"^([-−+]?\d\S*|[-−]?inf|[-−]?∞|nan|–|)$")
_TAG = re.compile(r"\\tag\*?\{(?:[^{}]|\{[^{}]*\})*\}")
_ITEMS = ("item", "erratum", "item-or-erratum")


def latex(text: str) -> nodes.raw:
    """Commands of LaTeX."""
    return nodes.raw("", text, format="latex")


def replace(node: nodes.Node, made: list[nodes.Node]) -> None:
    """Put nodes in the place of one, whose names and classes print does not need."""
    at = node.parent.index(node)
    node.parent[at : at + 1] = made


def words(text: str) -> str:
    """A text as LaTeX sets it."""
    return escape(text, "xelatex")


def page_of(node: nodes.Node) -> str:
    """Name of the page that a node of the joined tree came from."""
    while node is not None and not (isinstance(node, nodes.section) and "docname" in node):
        node = node.parent
    return node["docname"] if node is not None else ""


def anchor(docname: str, name: str, number: str = "") -> str:
    """Commands for a place that links lead to, and its number, which the check of the numbers reads."""
    return f"\\privmlanchor{{\\detokenize{{{docname}:{name}}}}}{{{number}}}"


# ---------------------------------------------------------------- links


class Absent(SphinxPostTransform):
    """Words in place of links to what is not printed, before Sphinx looks for it."""

    default_priority = 3
    formats = ("latex",)

    def run(self, **options: Any) -> None:
        """Change the joined tree."""
        for node in list(self.document.findall(addnodes.pending_xref)):
            kind = node["reftype"]
            if not node.get("refdomain") and kind in _ITEMS:
                replace(node, node.children)
            elif kind == "doc" and (title := self.absent_title(node)):
                replace(node, node.children if node["refexplicit"] else [nodes.emphasis(title, title)])

    def absent_title(self, node: addnodes.pending_xref) -> str:
        """Title of a page that the book has and this edition has not."""
        path, _ = self.env.relfn2path(f"{node['reftarget']}.md", node["refdoc"])
        docname = path.removesuffix(".md")
        if docname in self.env.all_docs:
            return ""
        return headings_of(source_of(Path(self.app.srcdir), docname))[0]


def mend_links(tree: nodes.document, exercises: dict[str, dict]) -> None:
    """Numbers as Sphinx knows them; no link to what is not printed, and an anchor wherever one leads."""
    for node in list(tree.findall(addnodes.number_reference)):
        if "refuri" not in node and node["refid"] in exercises:
            address = f"%{exercises[node['refid']]['docname']}#{node['refid']}"
        else:
            address = node.get("refuri") or f"%{page_of(node)}#{node['refid']}"
        replace(node, [nodes.reference("", "", *node.children, refuri=address, internal=True)])
    for node in list(tree.findall(nodes.reference)):
        if node.get("refuri", "").startswith(ABSENT):
            replace(node, node.children)
    for node in tree.findall(lambda n: isinstance(n, nodes.inline | nodes.container | nodes.row)):
        if names := node["ids"]:
            marks = latex("".join(anchor(page_of(node), name) for name in names))
            (node.next_node(nodes.paragraph) if isinstance(node, nodes.row) else node).insert(0, marks)
            node["ids"] = []


# ---------------------------------------------------------------- boxes


def number_of(app: Sphinx, docname: str, kind: str, name: str) -> str:
    """Number of a figure, a statement or an exercise."""
    return ".".join(map(str, app.env.toc_fignumbers.get(docname, {}).get(kind, {}).get(name, ())))


def opened(node: nodes.Element, environment: str, head: list[nodes.Node]) -> list[nodes.Node]:
    """An environment around the content of a box, its head before the first words."""
    content = [part for child in node for part in (child if isinstance(child, nodes.section) else [child])]
    if not (content and isinstance(content[0], nodes.paragraph)):
        content.insert(0, nodes.paragraph())
    content[0][:0] = head
    return [latex(f"\n\\begin{{{environment}}}\n"), *content, latex(f"\n\\end{{{environment}}}\n")]


def set_statements(app: Sphinx, tree: nodes.document) -> None:
    """Definitions, theorems and the rest, under the kind and number that the page shows."""
    for node in [node for node in tree.findall(nodes.Element) if "realtype" in node.attributes]:
        docname, title = page_of(node), node.pop(0)
        number = number_of(app, docname, node["countertype"], node["label"])
        said = f"{node['realtype'].title()} {number}".strip()
        marks = "".join(anchor(docname, name, said) for name in dict.fromkeys([*node["ids"], node["label"]]))
        head = [latex(f"{marks}\\privmlhead{{{said}"), *title.children, latex("}")]
        replace(node, opened(node, "privmlbox", head))


def set_exercises(tree: nodes.document) -> None:
    """Exercises with kind and difficulty; solutions, which pages fold, follow in smaller type."""
    for node in list(tree.findall(nodes.Admonition)):
        if node.get("type") not in ("exercise", "solution"):
            continue
        title, docname, is_exercise = node.pop(0), page_of(node), node["type"] == "exercise"
        said = title.astext().partition(" (")[0]
        kinds = [name for name in node["classes"] if name not in ("exercise", "solution", "dropdown")]
        about = f"\\privmlkind{{{', '.join(kinds)}}}" if is_exercise else ""
        marks = "".join(anchor(docname, name, said if is_exercise else "") for name in node["ids"])
        shown = title.children if is_exercise else [nodes.Text("Solution")]
        head = [latex(f"{marks}\\privmlhead{{"), *shown, latex(f"}}{about}")]
        replace(node, opened(node, "privmlexercise" if is_exercise else "privmlsolution", head))


def ends(node: nodes.Element) -> None:
    """Put the mark behind the last words of a proof, beside its last formula or on a line of its own."""
    last: nodes.Node = node
    while isinstance(last, nodes.Element) and last.children and not isinstance(last, nodes.paragraph):
        last = last[-1] if not isinstance(last, nodes.math_block) else last
        if isinstance(last, nodes.math_block | nodes.table | nodes.literal_block | nodes.raw):
            break
    if isinstance(last, nodes.paragraph):
        last += latex("\\privmlqed{}")
    elif isinstance(last, nodes.math_block) and not last.get("nowrap") and "\\tag" not in last.astext():
        formula = last.astext().strip()
        body = f"\\begin{{split}}{formula}\\end{{split}}" if "\\\\" in formula or "&" in formula else formula
        last.replace_self(latex(f"\n\\begin{{equation*}}{body}\\tag*{{\\privmlend}}\\end{{equation*}}\n"))
    else:
        node += latex("\n\\par\\privmlqed{}\\par\n")


def set_proofs(tree: nodes.document) -> None:
    """Proofs: the first word in italics, the mark at the end."""
    for node in [node for node in tree.findall(nodes.Element) if type(node).__name__ == "proof_node"]:
        inner = node[0]
        first = inner.next_node(nodes.Text)
        head = re.match(r"Proof(?: of [^.]*)?\.", first.astext()) if first is not None else None
        if head:
            rest = first.astext()[head.end() :]
            first.parent.replace(first, [nodes.emphasis("", head[0]), nodes.Text(rest)])
        ends(inner)
        replace(node, [latex("\n\\begin{privmlproof}\n"), *inner.children, latex("\n\\end{privmlproof}\n")])


# ---------------------------------------------------------------- figures, tables and code


def set_figures(app: Sphinx, tree: nodes.document) -> None:
    """The vector picture of each figure, under its number."""
    for node in tree.findall(nodes.figure):
        for name in node["ids"]:
            number = number_of(app, page_of(node), "figure", name)
            node.insert(0, latex(f"\\renewcommand{{\\thefigure}}{{{number}}}"))
            picture = PICTURES / f"{name}.pdf"
            if (Path(app.srcdir) / picture).exists():
                image = node.next_node(nodes.image)
                image["uri"], image["candidates"], image["width"] = (
                    picture.as_posix(),
                    {"*": picture.as_posix()},
                    "78%",
                )
                app.env.images.add_file(page_of(node), picture.as_posix())


def frame(text: str) -> Iterator[str]:
    """A table of values, which a page holds as HTML, as lines of LaTeX."""
    tree = BeautifulSoup(text, "html.parser").find("table")
    rows = [[cell.get_text().strip() for cell in row.find_all(["th", "td"])] for row in tree.find_all("tr")]
    n_heads = len(tree.thead.find_all("tr")) if tree.thead else 0
    width = max(map(len, rows))
    numeric = [all(_NUMBER.match(row[k]) for row in rows[n_heads:]) for k in range(width)]
    yield f"\\begin{{privmlframe}}{{{''.join('r' if right else 'l' for right in numeric)}}}\n\\toprule"
    for number, row in enumerate(rows, 1):
        yield " & ".join(map(words, row)) + r" \\" + (r"\midrule" if number == n_heads else "")
    yield "\\bottomrule\n\\end{privmlframe}"


def set_formulas(tree: nodes.document) -> None:
    """Formulas that a sign of their own names: it stands outside of their lines."""
    for formula in tree.findall(nodes.math_block):
        text = formula.astext().strip()
        if tags := _TAG.findall(text):
            body = _TAG.sub("", text).strip()
            if "\\\\" in body or "&" in body:
                body = f"\\begin{{split}}{body}\\end{{split}}"
            formula["nowrap"] = True
            formula[:] = [nodes.Text(f"\\begin{{equation*}}{body}{''.join(tags)}\\end{{equation*}}")]


def set_tables(tree: nodes.document) -> None:
    """Tables of values; what else is HTML is for pages only. Columns of written tables share the line."""
    for node in list(tree.findall(nodes.raw)):
        if node.get("format") == "html":
            made = "\n" + "\n".join(frame(node.astext())) + "\n" if "<table" in node.astext() else ""
            replace(node, [latex(made)] if made else [])
    for table in tree.findall(nodes.table):
        table["classes"] = [name for name in table["classes"] if name != "colwidths-auto"]


def set_code(tree: nodes.document) -> None:
    """Cells without what a page folds; long names in the text may be broken."""
    for cell in list(tree.findall(lambda n: isinstance(n, nodes.container) and "cell" in n["classes"])):
        parts: list[nodes.Node] = []
        for part in cell:
            shown = "cell_input" not in part["classes"] or cell.get(FOLDED) not in ("input", "all")
            kind = "privmlin" if "cell_input" in part["classes"] else "privmlout"
            if shown:
                parts += [latex(f"\n\\begin{{{kind}}}\n"), *part.children, latex(f"\n\\end{{{kind}}}\n")]
        replace(cell, parts)
    for name in tree.findall(nodes.literal):
        if len(name.astext()) > _LONG:
            name[:] = [nodes.Text(_BREAK.sub("\u200b", name.astext()))]


# ---------------------------------------------------------------- the whole


def set_parts(app: Sphinx, tree: nodes.document) -> None:
    """Parts of the book before their first pages, and numbers where the contents give some."""
    toc = yaml.safe_load(Path(app.config.external_toc_path).read_text(encoding="utf-8"))
    first = {part["chapters"][0]["file"]: part["caption"] for part in toc["parts"]}
    for start in tree.findall(addnodes.start_of_file):
        docname = start["docname"]
        number = app.env.toc_secnumbers.get(docname, {}).get("", ())
        depth = f"\\setcounter{{chapter}}{{{number[0] - 1}}}" if number else ""
        depth += f"\\setcounter{{secnumdepth}}{{{2 if number else -1}}}"
        part = f"\\privmlpart{{{words(first[docname])}}}" if docname in first else ""
        start.insert(0, latex(f"\n{part}{depth}\n"))


def set_rest(tree: nodes.document) -> None:
    """Sections that are live only go; stars come back; the bibliography stands where its page is."""
    for section in list(tree.findall(nodes.section)):
        if LIVE & set(section["ids"]):
            section.parent.remove(section)
    for mark in list(tree.findall(FurtherMark)):
        replace(mark, [latex("\\texorpdfstring{\\privmlstar}{ *}")])
    for works in list(tree.findall(thebibliography)):
        for work in works:
            label, text = work.children
            marks = "".join(f"\\privmlcited{{{work['docname']}:{name}}}" for name in work["ids"])
            text.insert(0, latex(f"{marks}\\privmlwork{{{words(label.astext())}}}"))
        page = next(n for n in tree.findall(addnodes.start_of_file) if n["docname"] == works[0]["docname"])
        page.next_node(nodes.section).extend(work[1] for work in works)
        works.parent.remove(works)


def begin(app: Sphinx, tree: nodes.document, docname: str) -> None:
    """Before the extensions of the pages see the tree: figures have no line and no slider."""
    app.privml_figures = {}


def complete(app: Sphinx, tree: nodes.document, docname: str) -> None:
    """Give everything its printed form."""
    set_parts(app, tree)
    mend_links(tree, getattr(app.env, "sphinx_exercise_registry", {}))
    set_statements(app, tree)
    set_exercises(tree)
    set_proofs(tree)
    set_formulas(tree)
    set_figures(app, tree)
    set_tables(tree)
    set_code(tree)
    set_rest(tree)


def configure(app: Sphinx, config: Config) -> None:
    """One document: the whole table of contents."""
    target = (config.root_doc, "privml-book.tex", config.project, config.author, "manual", True)
    config.latex_documents = [target]


def find_pages(app: Sphinx) -> None:
    """Pages that are not printed have an address too, which no link keeps."""
    here = app.builder.get_target_uri

    def address(docname: str, typ: str | None = None) -> str:
        return here(docname, typ) if docname in app.builder.docnames else ABSENT

    app.builder.get_target_uri = address


def setup(app: Sphinx) -> dict[str, Any]:
    """Switch the extension on."""
    app.add_post_transform(Absent)
    app.connect("config-inited", configure, priority=950)
    app.connect("builder-inited", find_pages)
    app.connect("doctree-resolved", begin, priority=300)
    app.connect("doctree-resolved", complete, priority=990)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
