"""What stands on a printed page: boxes, proofs, formulas, figures, tables and code, as `printed` needs them.

``book/print/privml.sty`` defines the environments.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from bs4 import BeautifulSoup
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.texescape import escape

from book.extensions import locations
from book.extensions.statements import boxes
from book.tools.compare import table_rows

PICTURES = Path(
    "_build", "html", "figures"
)  # the vector pictures that the pages publish
FOLDED = "hide_mode"  # cells that a page folds are not printed, only their outputs
MOST = 20  # lines of code that stay on one page
DENSE = 9  # columns: a written table with more is set smaller
_LONG = 18  # characters: a longer name in the text may be broken behind its punctuation
_BREAK = re.compile(r"(?<=[_/.:,=(-])(?=\w)")
_NUMBER = re.compile(r"^([-−+]?\d\S*|[-−]?inf|[-−]?∞|nan|–|)$")
_TAG = re.compile(r"\\tag\*?\{(?:[^{}]|\{[^{}]*\})*\}")


def latex(text: str) -> nodes.raw:
    """Commands of LaTeX."""
    return nodes.raw("", text, format="latex")


def replace(node: nodes.Node, made: list[nodes.Node]) -> None:
    """Put nodes in the place of one, whose names and classes print does not need."""
    at = node.parent.index(node)
    node.parent[at : at + 1] = made


def printable(text: str) -> str:
    """A text as LaTeX sets it."""
    return escape(text, "xelatex")


def page_of(node: nodes.Node) -> str:
    """Name of the page that a node of the joined tree came from."""
    while node is not None and not (
        isinstance(node, nodes.section) and "docname" in node
    ):
        node = node.parent
    return node["docname"] if node is not None else ""


def mark_of(docname: str, name: str, number: str = "") -> str:
    """Commands for a place that links lead to, and its number, which the check of the numbers reads."""
    return f"\\privmlanchor{{\\detokenize{{{docname}:{name}}}}}{{{number}}}"


def opened(
    node: nodes.Element, environment: str, head: list[nodes.Node]
) -> list[nodes.Node]:
    """An environment around the content of a box, its head before the first words."""
    content = [
        part
        for child in node
        for part in (child if isinstance(child, nodes.section) else [child])
    ]
    if not (content and isinstance(content[0], nodes.paragraph)):
        content.insert(0, nodes.paragraph())
    content[0][:0] = head
    return [
        latex(f"\n\\begin{{{environment}}}\n"),
        *content,
        latex(f"\n\\end{{{environment}}}\n"),
    ]


def drop_targets(box: nodes.Element) -> None:
    """Take away the places before a box that name it: it has them all."""
    for target in [node for node in box.parent if isinstance(node, nodes.target)]:
        if target.get("refid") in box["ids"]:
            box.parent.remove(target)


def set_statements(app: Sphinx, tree: nodes.document) -> None:
    """Definitions, theorems and the rest, under the kind and number that the page shows."""
    for node in boxes(tree):
        docname, title = page_of(node), node.pop(0)
        number = locations.number_of(
            app.env, docname, node["countertype"], node["label"]
        )
        said = f"{node['realtype'].title()} {number}".strip()
        marks = "".join(
            mark_of(docname, name, said)
            for name in dict.fromkeys([*node["ids"], node["label"]])
        )
        drop_targets(node)
        head = [latex(f"{marks}\\privmlhead{{{said}"), *title.children, latex("}")]
        framed = (
            node.next_node(nodes.table) is None
        )  # a frame that is broken off in a table sticks out
        replace(node, opened(node, "privmlbox" if framed else "privmlopen", head))


def set_exercises(tree: nodes.document) -> None:
    """Exercises with kind and difficulty; solutions, which pages fold, follow in smaller type."""
    for node in list(tree.findall(nodes.Admonition)):
        if node.get("type") not in ("exercise", "solution"):
            continue
        title, docname, is_exercise = (
            node.pop(0),
            page_of(node),
            node["type"] == "exercise",
        )
        said = title.astext().partition(" (")[0]
        kinds = [
            name
            for name in node["classes"]
            if name not in ("exercise", "solution", "dropdown")
        ]
        about = f"\\privmlkind{{{', '.join(kinds)}}}" if is_exercise else ""
        marks = "".join(
            mark_of(docname, name, said if is_exercise else "") for name in node["ids"]
        )
        drop_targets(node)
        shown = title.children if is_exercise else [nodes.Text("Solution")]
        head = [latex(f"{marks}\\privmlhead{{"), *shown, latex(f"}}{about}")]
        replace(
            node,
            opened(node, "privmlexercise" if is_exercise else "privmlsolution", head),
        )


def set_answers(tree: nodes.document) -> None:
    """Words that fold a text on its page begin it in print."""
    for fold in list(tree.findall(nodes.rubric)):
        after = fold.parent[fold.parent.index(fold) + 1 :]
        if after and isinstance(after[0], nodes.paragraph):
            after[0][:0] = [nodes.emphasis("", f"{fold.astext()}."), nodes.Text(" ")]
            fold.parent.remove(fold)


def ends(node: nodes.Element) -> None:
    """Put the mark behind the last words of a proof, beside its last formula or on a line of its own."""
    last: nodes.Node = node
    while (
        isinstance(last, nodes.Element)
        and last.children
        and not isinstance(last, nodes.paragraph)
    ):
        last = last[-1] if not isinstance(last, nodes.math_block) else last
        if isinstance(
            last, nodes.math_block | nodes.table | nodes.literal_block | nodes.raw
        ):
            break
    if isinstance(last, nodes.paragraph):
        last += latex("\\privmlqed{}")
    elif (
        isinstance(last, nodes.math_block)
        and not last.get("nowrap")
        and "\\tag" not in last.astext()
    ):
        formula = last.astext().strip()
        body = (
            f"\\begin{{split}}{formula}\\end{{split}}"
            if "\\\\" in formula or "&" in formula
            else formula
        )
        last.replace_self(
            latex(
                f"\n\\begin{{equation*}}{body}\\tag*{{\\privmlend}}\\end{{equation*}}\n"
            )
        )
    else:
        node += latex("\n\\par\\privmlqed{}\\par\n")


def set_proofs(tree: nodes.document) -> None:
    """Proofs: the first word in italics, the mark at the end."""
    for node in [
        node
        for node in tree.findall(nodes.Element)
        if type(node).__name__ == "proof_node"
    ]:
        inner = node[0]
        first = inner.next_node(nodes.Text)
        head = (
            re.match(r"Proof(?: of [^.]*)?\.", first.astext())
            if first is not None
            else None
        )
        if head:
            rest = first.astext()[head.end() :]
            first.parent.replace(first, [nodes.emphasis("", head[0]), nodes.Text(rest)])
        ends(inner)
        replace(
            node,
            [
                latex("\n\\begin{privmlproof}\n"),
                *inner.children,
                latex("\n\\end{privmlproof}\n"),
            ],
        )


def set_figures(app: Sphinx, tree: nodes.document) -> None:
    """Figures under their numbers; a published one is its vector picture, with the caption beside it."""
    for node in list(tree.findall(nodes.figure)):
        for name in node["ids"]:
            number = locations.number_of(app.env, page_of(node), "figure", name)
            picture = PICTURES / f"{name}.pdf"
            if (Path(app.srcdir) / picture).exists():
                image = node.next_node(nodes.image)
                told = {
                    "uri": picture.as_posix(),
                    "candidates": {"*": picture.as_posix()},
                    "width": "100%",
                }
                image.attributes.update(told)
                app.env.images.add_file(page_of(node), picture.as_posix())
                replace(
                    image,
                    [latex("\n\\privmlpicture\n"), image, latex("\n\\privmlbeside\n")],
                )
                node += latex("\n\\privmlpictured\n")
            node.insert(0, latex(f"\\renewcommand{{\\thefigure}}{{{number}}}"))


def frame(text: str) -> Iterator[str]:
    """A table of values, which a page holds as HTML, as lines of LaTeX."""
    tree = BeautifulSoup(text, "html.parser").find("table")
    rows = table_rows(tree)
    n_heads = len(tree.thead.find_all("tr")) if tree.thead else 0
    width = max(map(len, rows))
    numeric = [
        all(_NUMBER.match(row[k]) for row in rows[n_heads:]) for k in range(width)
    ]
    yield f"\\begin{{privmlframe}}{{{''.join('r' if right else 'l' for right in numeric)}}}\n\\toprule"
    for number, row in enumerate(rows, 1):
        yield (
            " & ".join(map(printable, row))
            + r" \\"
            + (r"\midrule" if number == n_heads else "")
        )
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
            formula[:] = [
                nodes.Text(
                    f"\\begin{{equation*}}{body}{''.join(tags)}\\end{{equation*}}"
                )
            ]


def set_tables(tree: nodes.document) -> None:
    """Tables of values; what else is HTML is for pages only. Columns of written tables share the line."""
    for node in list(tree.findall(nodes.raw)):
        if node.get("format") == "html":
            made = (
                "\n" + "\n".join(frame(node.astext())) + "\n"
                if "<table" in node.astext()
                else ""
            )
            replace(node, [latex(made)] if made else [])
    for table in list(tree.findall(nodes.table)):
        table["classes"] = [
            name for name in table["classes"] if name != "colwidths-auto"
        ]
        if len(list(table.findall(nodes.colspec))) > DENSE:
            table.parent.insert(table.parent.index(table), latex("\n\\privmldense\n"))


def set_code(tree: nodes.document) -> None:
    """Cells without what a page folds; long names in the text may be broken."""
    for cell in list(
        tree.findall(
            lambda n: isinstance(n, nodes.container) and "cell" in n["classes"]
        )
    ):
        parts: list[nodes.Node] = []
        for part in cell:
            shown = "cell_input" not in part["classes"] or cell.get(FOLDED) not in (
                "input",
                "all",
            )
            kind = "privmlin" if "cell_input" in part["classes"] else "privmlout"
            if shown:
                begin = f"\n\\begin{{{kind}}}{{{min(part.astext().count(chr(10)), MOST) + 3}}}\n"
                parts += [latex(begin), *part.children, latex(f"\n\\end{{{kind}}}\n")]
        replace(cell, parts)
    for name in tree.findall(nodes.literal):
        if len(name.astext()) > _LONG:
            name[:] = [nodes.Text(_BREAK.sub("\u200b", name.astext()))]
