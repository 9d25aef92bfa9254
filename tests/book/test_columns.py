"""Library code on the pages fits the column and means what it meant."""

import ast
import json

import pytest

from book.tools.columns import COLUMNS, folded
from book.tools.programme import ROOT


def shown():
    """All library code that the committed chapters show."""
    for file in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in json.loads(file.read_text())["cells"]:
            for output in cell.get("outputs", []):
                text = "".join(output.get("data", {}).get("text/plain", []))
                if text.startswith("# privml."):
                    yield text


def test_no_shown_line_of_the_library_is_longer_than_the_column():
    codes = list(shown())
    assert len(codes) > 50
    assert any(len(line) > COLUMNS for code in codes for line in code.splitlines())  # or this shows nothing
    made = [folded(code) for code in codes]
    assert [line for code in made for line in code.splitlines() if len(line) > COLUMNS] == []
    assert all(ast.dump(ast.parse(a)) == ast.dump(ast.parse(b)) for a, b in zip(codes, made, strict=True))


@pytest.mark.parametrize(
    ("long", "short"),
    [
        (f"x = a + {'b' * 80}", f"x = (\n    a\n    + {'b' * 80}\n)"),
        (f"f({'a' * 40}, {'b' * 40})", f"f(\n    {'a' * 40},\n    {'b' * 40}\n)"),
        (f"x = 1  # {'word ' * 17}", f"# {'word ' * 15}word\n# word\nx = 1"),
        (f"{'a' * 90} = 1", f"{'a' * 90} = 1"),
    ],
)
def test_long_lines_are_broken_where_the_reader_would(long, short):
    assert folded(long) == short
