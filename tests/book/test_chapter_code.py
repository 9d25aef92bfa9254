"""What a cell stands on is found from the names, and the definitions of a chapter make a module."""

import pytest

from book.tools.chapter_code import (
    chapter_module,
    definitions,
    only_defines,
    silent,
    standalone_code,
    uses,
)
from book.tools.chapters import Chapter

LOOP = "for k in range(n):\n    d[k] = k"


def chapter(*codes, **tagged):
    """Code cells: parameters `n`, an import, and the given ones; `tagged` names tags by the cell's place."""
    texts = ["n = 3", "import numpy as np", *codes]
    tags = {0: ["parameters"], 1: ["imports"]} | {
        int(k[1:]): [tag] for k, tag in tagged.items()
    }
    told = [(text, {"tags": tags.get(i, [])}) for i, text in enumerate(texts)]
    return [
        {"cell_type": "code", "source": text, "metadata": tagged}
        for text, tagged in told
    ]


def test_names_are_read_bound_and_changed():
    assert uses("a = b + 1\nc = a") == ({"b"}, {"a", "c"}, set())
    assert uses("rows.append(f(x for x in y))") == ({"rows", "f", "y"}, set(), {"rows"})
    assert uses("table['z'] = 1") == ({"table"}, set(), {"table"})
    assert uses("total += 1")[0] == {"total"}
    assert uses("def f(x, k=m):\n    return g(x) + len(h)")[:2] == (
        {"m", "g", "h"},
        {"f"},
    )
    grows = "def f(n):\n    total = 0\n    total += n\n    rows[0] = total\n    return total"
    assert uses(grows) == ({"rows"}, {"f"}, set())
    assert uses("[lambda u: u + v for w in range(2)]")[0] == {"v"}


@pytest.mark.parametrize(
    ("codes", "needed"),
    [
        (
            ["def f(x):\n    return x + 1", "unused = 2", "y = f(n)"],
            ["def f(x):\n    return x + 1"],
        ),
        (["a = 1", "b = a + n", "c = 5", "y = b"], ["a = 1", "b = a + n"]),
        (["a = 1", "a = 2", "y = a"], ["a = 2"]),
        (["a = 1", "a = a + 1", "y = a"], ["a = 1", "a = a + 1"]),
        (["rows = []", "rows.append(n)", "y = rows"], ["rows = []", "rows.append(n)"]),
        (["d = {}", LOOP, "y = d"], ["d = {}", LOOP]),
        (["a = 1\nprint(a)\nnotebook.show_table(a)", "y = a"], ["a = 1"]),
        (
            ["def g():\n    return h()", "def h():\n    return 1", "y = g()"],
            ["def g():\n    return h()", "def h():\n    return 1"],
        ),
    ],
)
def test_the_programme_of_a_cell_is_what_binds_and_changes_its_names(codes, needed):
    cells = chapter(*codes)
    assert standalone_code(cells, len(cells)) == (needed, set())


def test_a_name_that_only_a_solution_binds_is_missing():
    assert standalone_code(chapter("a = 1", "y = a", _2="solution"), 4) == ([], {"a"})
    assert standalone_code(chapter("y = z"), 3)[1] == {"z"}


def test_a_silent_cell_displays_nothing_and_computes_all():
    cell = "x = 1\nnotebook.figure(\n    draw,\n    x)\nnotebook.glue('x', x)\ny = x"
    assert silent(cell) == "x = 1\ny = x"


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("def f():\n    pass", True),
        ("LIMIT = 3\ndef f():\n    pass", True),
        ("LIMIT = 3", False),
        ("x = 3\ndef f():\n    pass", False),
        ("def f():\n    pass\nf()", False),
        ("class A:\n    pass", True),
    ],
)
def test_a_definition_cell_only_defines(text, is_one):
    assert only_defines(text) is is_one
    assert definitions(chapter(text, _2="solution")) == {}


def test_definitions_are_kept_and_what_else_a_cell_does_is_not():
    text = "LIMIT = 3\n@cache\ndef f(x):\n    return x\n\ntable = f(LIMIT)\nclass A:\n    pass"
    kept = "LIMIT = 3\n\n@cache\ndef f(x):\n    return x\n\nclass A:\n    pass"
    assert definitions(chapter(text)) == {3: kept}
    assert definitions(chapter("x = 3\nf(x)")) == {}


def test_the_definitions_of_a_chapter_are_a_module_and_nothing_else_runs(small_book):
    source = Chapter(small_book, "a-chapter").source
    cell = "```{code-cell} ipython3\ndef double(x):\n    return 2 * x + seed\n```\n"
    source.write_text(
        source.read_text() + cell + "```{code-cell} ipython3\nraise RuntimeError\n```\n"
    )
    module = chapter_module("a-chapter", small_book)
    assert (module.double(4), module.seed) == (8, 0)
    assert not hasattr(module, "table")
