"""References to what stands under a star: `book.tools.star_references`."""

import pytest

from book import check
from book.tools import star_references

LEANING = """# A chapter

## Unit 1: One

By {prf:ref}`lem-unit`.

```{prf:lemma}
:label: lem-unit
It holds.
```

## Exactly *

By {prf:ref}`lem-sharp`.

### Sharp

(s16-lem-1)=
(s16-lem-2)=

```{prf:lemma}
:label: lem-sharp
It holds.
```

(a-section)=
### Not a statement

```{note}
:name: a-note
Text.
```

## Recap

- It holds.

**Symbols of this chapter**

{prf:ref}`lem-sharp`

## Exercises

```{exercise-start} One
:label: ex-one
:class: pencil easy
```
Text of one.
```{exercise-end}
```

```{solution-start} ex-one
:label: sol-one
```
Answer one.
```{solution-end}
```

```{exercise-start} Two
:label: ex-two
:class: pencil hard exact
```
By {prf:ref}`lem-sharp`.
```{exercise-end}
```

```{solution-start} ex-two
:label: sol-two
```
By {prf:ref}`lem-sharp`.
```{solution-end}
```

## Sources

As {prf:ref}`lem-sharp`.
"""


def test_statements_under_a_star_are_known_by_all_their_labels():
    assert star_references.starred(LEANING) == {"lem-sharp", "s16-lem-1", "s16-lem-2"}


@pytest.fixture
def two_chapters(tmp_path):
    """A chapter with units, and one without."""
    (tmp_path / "book").mkdir()
    (tmp_path / "_toc.yml").write_text(
        "root: a\nchapters: [{file: notebooks/new}, {file: notebooks/old}]\n"
    )
    (tmp_path / "book" / "new.md").write_text(LEANING)
    old = "# Old\n\n## Part *\n\n```{prf:lemma}\n:label: lem-old\nSo.\n```\n\n## Else\n\n{prf:ref}`lem-old`\n"
    (tmp_path / "book" / "old.md").write_text(old)
    return tmp_path


def test_a_chapter_that_leans_on_nothing_has_no_fault(two_chapters):
    assert star_references.found(two_chapters) == []


@pytest.mark.parametrize(
    ("old", "line"),
    [
        ("By {prf:ref}`lem-unit`.", 5),
        ("It holds.\n```\n\n## Exactly", 9),
        ("- It holds.", 36),
        ("Text of one.", 48),
        ("Answer one.", 55),
    ],
)
@pytest.mark.parametrize("label", ["lem-sharp", "S16-lem-2", "lem-old"])
def test_what_leans_on_a_star_is_named_with_its_line(two_chapters, old, line, label):
    text = LEANING.replace(old, f"See {{prf:ref}}`the lemma <{label}>`. {old}", 1)
    (two_chapters / "book" / "new.md").write_text(text)
    [found] = star_references.found(two_chapters)
    assert found == ("new", line, label.lower(), "old" if label == "lem-old" else "new")
    assert str(found).startswith(
        f"book/new.md:{line}: what has no star refers to {label.lower()}, which"
    )


def test_the_check_of_sources_sees_what_leans(small_book):
    chapter = small_book / "book" / "a-chapter.md"
    units = "## Unit 1: A\n\nBy {prf:ref}`l4-thm-one`.\n\n## B *\n"
    text = chapter.read_text().replace("## A result\n", units)
    chapter.write_text(text)
    leans = "book/a-chapter.md:34: what has no star"
    assert any(fault.startswith(leans) for fault in check.source_faults(small_book))
    chapter.write_text(text + "\n## C\\*\n")
    found = check.source_faults(small_book)
    assert [leans in fault for fault in found if "star" in fault] == [False, False], (
        "only its cause is named"
    )
