"""Library code on the pages fits the column and means what it meant."""

import ast
import re

from docutils import nodes
from docutils.utils import new_document
from sphinx_exercise.nodes import solution_node

from book.extensions.folds import folded, move_checkers
from book.tools.chapters import ROOT
from book.tools.forms import WIDEST

WORDS = re.compile(
    r"""\s*(.*#.*|(return |\w+ = )?f?(".*"|'.*'))"""
)  # a message or a remark, which ruff does not break


def long_codes():
    """The functions of the library that have lines longer than the column, as a chapter would show them."""
    for file in sorted((ROOT / "privml").rglob("*.py")):
        source = file.read_text(encoding="utf-8")
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef):
                node_source = without_docstring(ast.get_source_segment(source, node))
                if any(len(line) > WIDEST for line in node_source.splitlines()):
                    yield f"# privml.{file.stem}\n{node_source}"


def without_docstring(source):
    """The source of a function as it is shown: the signature and the body."""
    node = ast.parse(source).body[0]
    first = node.body[0]
    if ast.get_docstring(node) is None or len(node.body) == 1:
        return source
    lines = source.splitlines()
    return "\n".join(lines[: first.lineno - 1] + lines[first.end_lineno :])


def test_shown_code_of_the_library_fits_the_column_and_means_what_it_meant():
    codes = list(long_codes())
    assert len(codes) > 100
    for code in codes:
        made = folded(code)
        assert ast.dump(ast.parse(made)) == ast.dump(ast.parse(code))
        long = [line for line in made.splitlines() if len(line) > WIDEST]
        assert all(WORDS.fullmatch(line) for line in long), "\n".join(long)


def test_a_checker_moves_into_the_solution_after_it_in_front_of_its_code():
    checker = nodes.container(classes=["cell", "tag_checker"])
    code = nodes.container(classes=["cell", "tag_solution"])
    content = nodes.section("", nodes.paragraph("", "Why it is so."), code)
    page = new_document("page")
    page += [nodes.paragraph("", "What to do."), checker]
    page += solution_node("", nodes.title("", "Solution"), content)
    move_checkers(None, page)
    assert [type(node) for node in page] == [nodes.paragraph, solution_node]
    assert content.children[1:] == [checker, code]
