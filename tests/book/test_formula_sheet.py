"""Formula sheets hold the statements of the chapters, word for word and without what must be unique."""

from book.extensions import formula_sheet
from book.tools import chapters, myst

ROOT = chapters.ROOT
PAGE = ROOT / "book" / "formula-sheet.md"


def labels() -> list[str]:
    page = myst.walk(*myst.without_header(PAGE.read_text(encoding="utf-8")))
    sheets = [b for b in page if getattr(b, "name", "") == "formula-sheet"]
    return [line.strip() for sheet in sheets for line in sheet.lines if line.strip()]


def test_each_label_is_that_of_a_statement_and_occurs_once():
    known = formula_sheet.statements(ROOT)
    assert len(labels()) == len(set(labels())) > 60
    assert [label for label in labels() if label not in known] == []


def test_a_copy_keeps_the_words_and_drops_labels_and_notes():
    source = """(a-target)=
Let $x > 0$. Then

$$ x + 1 > 1 .
$$ (eq-one)

```{erratum} Somewhere
A note.
```

```{list-table} Values
:header-rows: 1

* - a
```
""".splitlines()
    directive = myst.Directive("prf:theorem", "Title", {}, source, 1)
    copy = "\n".join(formula_sheet.body(directive))
    assert "Let $x > 0$" in copy
    assert "* - a" in copy
    assert not any(word in copy for word in ("a-target", "eq-one", "A note"))


def test_no_statement_on_a_sheet_repeats_a_label():
    known = formula_sheet.statements(ROOT)
    for label in labels():
        copy = "\n".join(formula_sheet.body(known[label][1]))
        assert list(myst.labels_in(copy)) == []
