"""Sizes in nodes of the syntax tree do not depend on how code is laid out."""

from book.size import nodes, report


def test_laying_code_out_and_documenting_it_changes_nothing():
    squeezed = "def f(x): return {'a': x, 'b': 2}"
    laid_out = 'def f(x):\n    """Return a table."""\n    return {\n        "a": x,\n        "b": 2,\n    }\n'
    assert nodes(squeezed) == nodes(laid_out)


def test_more_code_is_larger():
    assert nodes("x = 1\ny = x + 1") > nodes("x = 1\ny = x")


def test_the_parts_of_a_folder_are_counted_apart(tmp_path):
    (tmp_path / "privml" / "audit").mkdir(parents=True)
    (tmp_path / "privml" / "audit" / "one.py").write_text("x = 1")
    (tmp_path / "privml" / "two.py").write_text("x = 1\ny = 2")
    assert report(tmp_path, "privml") == {
        "audit": nodes("x = 1"),
        "two": nodes("x = 1\ny = 2"),
    }
