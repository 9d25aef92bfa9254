"""Units of chapters and what holds for them: `book.tools.units`."""

import pytest

from book import check
from book.tools import teaching, units
from book.tools.typed_numbers import in_source

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

Text.

{QUESTIONS}## Unit 2: And so?

{QUESTIONS.replace("unit 1", "unit 2")}## Exactly *

### A part of it

## Another one *

## Recap

## Exercises

## Sources

## What next
"""


def faults(text):
    return [f"{line}: {fault}" for line, fault in units.form_faults(text)]


def test_a_chapter_of_units_is_known_and_sound():
    assert units.has_units(CHAPTER)
    assert faults(CHAPTER) == []
    assert in_source(CHAPTER) == []


def test_a_chapter_without_units_is_left_alone():
    old = CHAPTER.replace("## Unit 1: ", "## ").replace("## Unit 2: ", "## Unity: ")
    assert not units.has_units(old)
    assert faults(old) == []
    assert not units.has_units("# Title\n\n```python\n## Unit 1: no\n```\n\n### Unit 1: no\n")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("## Unit 2: And", "## Unit 3: And", "29: this is unit 2, so its title must begin with 'Unit 2:'"),
        ("## Unit 2: And", "## And", "29: the section 'And so?' must be part of a unit, or have a star"),
        ("## Another one *", "## Another one", "51: the section 'Another one' must be part of a unit"),
        ("### Questions to unit 1", "### Questions", "7: unit 1 must end with the section '### Questions to"),
        ("## Exactly *", "### More\n\n## Exactly *", "29: unit 2 must end with the section '### Questions"),
        ("*Second.* Why", "Why", "7: unit 1 must have two or three questions"),
        ("*First.* Is it?", "*First.* Is it?\n\n*Extra.* No?", "7: unit 1 must have two or three questions"),
        ("{dropdown} Answer\nBecause", "{note}\nBecause", "7: unit 1 must have two or three questions"),
        (QUESTIONS, QUESTIONS + QUESTIONS.partition("\n")[2], "7: unit 1 must have two or three questions"),
    ],
)
def test_a_fault_of_form_is_named_with_its_line(old, new, fault):
    assert old in CHAPTER
    found = faults(CHAPTER.replace(old, new, 1))
    assert any(sentence.startswith(fault) for sentence in found), found


def test_the_check_of_sources_sees_the_form(small_book):
    chapter = small_book / "book" / "a-chapter.md"
    chapter.write_text(chapter.read_text().replace("## A result", "## Unit 1: A result"))
    fault = "book/a-chapter.md:32: unit 1 must end with the section '### Questions to unit 1'"
    assert fault in check.source_faults(small_book)


def test_a_recap_after_units_needs_no_questions_and_has_none():
    recap = f"## Recap\n\n{teaching.SYMBOLS}\n\n| a |\n|---|\n| b |\n\n"
    text = CHAPTER.partition("---\n\n")[2].replace("## Recap\n\n", recap)
    assert list(teaching.recap_faults("a", [{"cell_type": "markdown", "source": text}])) == []
    text = text.replace("## Exercises", f"{teaching.TEST}\n\n1. Is it?\n\n## Exercises")
    [fault] = teaching.recap_faults("a", [{"cell_type": "markdown", "source": text}])
    assert "must not have **Test yourself**" in fault
