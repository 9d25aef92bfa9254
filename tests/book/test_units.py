"""Units of chapters and what holds for them: `book.tools.units`."""

from pathlib import Path

import pytest

from book import check
from book.tools import course, units
from book.tools.chapters import Chapter

ROOT = Path(__file__).resolve().parent.parent.parent
QUESTIONS = """### Questions to unit 1

*First.* Is it?

```{dropdown} Answer
Yes, [0.5]{.worked} of it.
```

*Second.* Why?

It may help to draw it.

```{dropdown} Answer
Because.
```

"""
CHAPTER = f"""---
title: x
---

# A chapter

## Unit 1: Is it so?

### A part

{{WORDS}}

{QUESTIONS}## Unit 2: And so?

{{WORDS}}

{QUESTIONS.replace("unit 1", "unit 2")}## Exactly *

### A part of it

## Another one *

## Recap

## Exercises

## Sources

## What next
""".replace("{WORDS}", "word " * 1500)


def faults(text):
    return [f"{line}: {fault}" for line, fault in units.form_faults(text)]


def test_a_chapter_of_units_is_known_and_sound():
    assert units.has_units(CHAPTER)
    assert faults(CHAPTER) == []


def test_every_numbered_chapter_of_the_book_has_units():
    for topic in sum(course.parts(ROOT).values(), []):
        found = units.measures(Chapter(ROOT, topic).source.read_text(encoding="utf-8"))
        assert 1 <= len(found) <= units.UNITS, topic


def test_a_chapter_without_units_is_left_alone():
    old = CHAPTER.replace("## Unit 1: ", "## ").replace("## Unit 2: ", "## Unity: ")
    assert not units.has_units(old)
    assert faults(old) == []
    assert not units.has_units(
        "# Title\n\n```python\n## Unit 1: no\n```\n\n### Unit 1: no\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            "## Unit 2: And",
            "## Unit 3: And",
            "29: this is unit 2, so its title must begin with 'Unit 2:'",
        ),
        (
            "## Unit 2: And",
            "## And",
            "29: the section 'And so?' must be part of a unit, or have a star",
        ),
        (
            "## Another one *",
            "## Another one",
            "53: the section 'Another one' must be part of a unit",
        ),
        (
            "## Exactly *",
            "## Unit 3: More\n\n## Exactly *",
            "49: a chapter of more than 2 units is two",
        ),
        (
            "word " * 1500,
            "word " * 3300,
            "7: unit 1 has 3,325 words, more than 3,300",
        ),
        (
            "### Questions to unit 1",
            "### Questions",
            "7: unit 1 must end with the section '### Questions to",
        ),
        (
            "## Exactly *",
            "### More\n\n## Exactly *",
            "29: unit 2 must end with the section '### Questions",
        ),
        ("*Second.* Why", "Why", "7: unit 1 must have two or three questions"),
        (
            "*First.* Is it?",
            "*First.* Is it?\n\n*Extra.* No?",
            "7: unit 1 must have two or three questions",
        ),
        (
            "{dropdown} Answer\nBecause",
            "{note}\nBecause",
            "7: unit 1 must have two or three questions",
        ),
        (
            QUESTIONS,
            QUESTIONS + QUESTIONS.partition("\n")[2],
            "7: unit 1 must have two or three questions",
        ),
    ],
)
def test_a_fault_of_form_is_named_with_its_line(old, new, fault):
    assert old in CHAPTER
    found = faults(CHAPTER.replace(old, new, 1))
    assert any(sentence.startswith(fault) for sentence in found), found


def test_the_check_of_sources_sees_the_form(small_book):
    chapter = small_book / "book" / "a-chapter.md"
    chapter.write_text(
        chapter.read_text().replace("## A result", "## Unit 1: A result")
    )
    fault = "book/a-chapter.md:32: unit 1 must end with the section '### Questions to unit 1'"
    assert fault in check.source_faults(small_book)


HELD = """## Unit 1: A title

Three words here, $x + y$ and {prf:ref}`lem-one`.

$$
a = b
$$

(lem-two)=
```{prf:lemma} Two words
:label: lem-one

It holds.
$$c$$
```

```{prf:algorithm}
Go.
```

```{prf:proof}
See $z$.
```

```{dropdown} Answer
No.
```

```{code-cell} ipython3
:tags: [parameters]

x = 1

y = 2
```

```{code-cell} ipython3
---
tags: [drawing, hide-input]
mystnb:
  figure: {name: fig-one, caption: "A."}
---
draw()
```

```{erratum} L4, line 1
Not read.
```

### More *

Not counted $x$.

```{code-cell} ipython3
z = 3
```
"""


def test_what_a_unit_holds_is_counted_without_its_starred_sections():
    words = "Unit A title / Three words here x and x / x / Two words It holds x / Go / See x / No"
    [held] = units.measures(HELD)
    assert held == (len(words.replace("/", "").split()), 1, 2, 2, 2, 1)


def test_minutes_are_those_of_words_formulas_displays_lines_and_figures():
    assert units.Measure(words=2000).minutes == 10
    assert units.Measure(words=2000, formulas=200, displays=12).minutes == round(
        8.94 + 10 + 5
    )
    assert units.Measure(lines=60, figures=3).minutes == 8
    assert units.length(HELD).units == (
        round((15 * 0.3 + 2 * 3 + 2 * 25 + 2 * 5 + 60) / 60),
    )
