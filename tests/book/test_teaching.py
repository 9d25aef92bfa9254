"""Recaps, proof problems and the teacher's edition: `book.tools.teaching`."""

from pathlib import Path

import pytest

from book import check
from book.tools import course, exercises, teaching
from book.tools.chapter_code import source
from book.tools.chapters import Chapter, topics
from book.tools.execute import unexecuted

ROOT = Path(__file__).resolve().parent.parent.parent
PROBLEM = """```{exercise-start} A long proof
:label: ex-a-chapter-long
:class: proof hard
```
(a) Prove it. (b) Improve it.
```{exercise-end}
```
"""
END = "\n## Sources\n\nOne.\n\n## What next\n\nMore.\n"
RECAP = """## Recap

It holds.

**Symbols of this chapter**

| symbol | meaning | where defined |
|---|---|---|
| $x$ | a number | {prf:ref}`l4-thm-one` |

"""
ERRATUM = """```{erratum} L4, line 7
{erratum}`L4-thm-1`: a bracket is missing.
```

"""
TEACHER = """# Teacher's edition: A chapter

## A long proof
(ex-a-chapter-long)

(a) It holds.

(b) It holds better.

**Rubric**

- (a) 4 points: says that it holds.
- (b) 6 points: 5 for the bound, 1 for the constant.
"""


def cells_of(root, topic):
    return unexecuted(Chapter(root, topic)).cells


def recapped(topic):
    """Whether a chapter has a recap."""
    return any(
        "## Recap" in source(cell).splitlines() for cell in cells_of(ROOT, topic)
    )


RECAPPED = [topic for topic in topics(ROOT) if recapped(topic)]


@pytest.mark.parametrize("topic", topics(ROOT))
def test_a_chapter_and_its_teachers_edition_belong_together(topic):
    cells = cells_of(ROOT, topic)
    assert [
        *teaching.recap_faults(cells),
        *teaching.answer_faults(ROOT, topic, cells),
    ] == []


@pytest.mark.parametrize("topic", RECAPPED)
def test_the_chapters_of_a_topic_with_a_recap_have_two_proof_problems(topic):
    family = course.family(ROOT, topic)
    there = [
        e for one in family for e in exercises.of_chapter(one, cells_of(ROOT, one))
    ]
    assert sum(exercise.proof for exercise in there) >= 2


def test_the_teachers_edition_is_of_chapters_only():
    assert list(teaching.stray_files(ROOT)) == []


@pytest.fixture
def taught_book(exercise_book):
    """The small book with a recap, a proof problem and its answer."""
    chapter = exercise_book / "book" / "a-chapter.md"
    text = chapter.read_text().replace("\n## Exercises", f"\n{RECAP}## Exercises")
    chapter.write_text(text + PROBLEM + END)
    teacher = teaching.file_of(exercise_book, "a-chapter")
    teacher.parent.mkdir()
    teacher.write_text(TEACHER)
    assert check.source_faults(exercise_book) == []
    return exercise_book


def test_an_erratum_in_its_form_is_no_fault():
    assert list(teaching.erratum_faults(ERRATUM)) == []


def test_answers_are_read_with_label_text_and_points(taught_book):
    [answer] = teaching.model_answers(teaching.file_of(taught_book, "a-chapter"))
    assert (answer.label, answer.title, answer.points) == (
        "ex-a-chapter-long",
        "A long proof",
        (4, 6),
    )
    assert answer.text == "(a) It holds.\n\n(b) It holds better."


CHAPTER, ANSWERS = "book/a-chapter.md", "book/teacher/a-chapter.md"
PLANTED = [
    (ANSWERS, TEACHER, "", "ex-a-chapter-long must have one answer"),
    (ANSWERS, TEACHER, TEACHER * 2, "ex-a-chapter-long must have one answer"),
    (CHAPTER, PROBLEM, "", "'A long proof' must have the label of a proof problem"),
    (
        ANSWERS,
        "(ex-a-chapter-long)",
        "",
        "'A long proof' must have the label of a proof problem",
    ),
    (ANSWERS, "## A long", "## A short", "'A short proof' must have the title"),
    (ANSWERS, "(b) 6 points", "(b) 5 points", "'3 points', in all 10 and not 9"),
    (ANSWERS, "**Rubric**", "", "'A long proof' must have a **Rubric**"),
    (
        ANSWERS,
        TEACHER[TEACHER.index("(a) It") : TEACHER.index("**R")],
        "",
        "must have a model answer",
    ),
    (CHAPTER, "|---|---|---|\n", "", "Recap must have **Symbols of this chapter**"),
    (
        CHAPTER,
        "**Symbols of this chapter**",
        "Symbols",
        "Recap must have **Symbols of this chapter**",
    ),
    (
        CHAPTER,
        "## Exercises",
        "## More\n\n## Exercises",
        "must end with the sections Recap, Exercises, ",
    ),
    (
        CHAPTER,
        "## Sources",
        "## Sources and what next",
        "must end with the sections Recap, Exercises, ",
    ),
    (
        CHAPTER,
        "## What next",
        "**What next.**",
        "must end with the sections Recap, Exercises, ",
    ),
    (
        CHAPTER,
        "## Recap",
        f"{ERRATUM}## Recap".replace(", line", " line"),
        "must name a source",
    ),
    (
        CHAPTER,
        "## Recap",
        f"{ERRATUM}## Recap".replace(", line 7", ""),
        "must name a source and a place",
    ),
    (
        CHAPTER,
        "## Recap",
        f"{ERRATUM}## Recap".replace("1`: a", "1`. A"),
        "must begin each paragraph with",
    ),
    (
        CHAPTER,
        "## Recap",
        f"{ERRATUM}## Recap".replace("}`L4", "}`S16"),
        "must begin each paragraph with",
    ),
    (
        CHAPTER,
        "## Recap",
        f"{ERRATUM}## Recap".replace("\n```\n", "\n\nToo.\n```\n"),
        "must begin each",
    ),
]


@pytest.mark.parametrize(("file", "old", "new", "fault"), PLANTED)
def test_a_fault_of_the_end_of_a_chapter_is_named(taught_book, file, old, new, fault):
    path = taught_book / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    found = check.source_faults(taught_book)
    assert any(fault in sentence and "a-chapter" in sentence for sentence in found), (
        found
    )


def test_an_answer_to_no_chapter_is_named(taught_book):
    teaching.file_of(taught_book, "a-chapter").rename(
        taught_book / "book" / "teacher" / "other.md"
    )
    assert (
        "book/teacher/other.md: is the teacher's edition of no chapter"
        in check.source_faults(taught_book)
    )


def test_in_public_the_whole_edition_may_be_kept_back(taught_book):
    (file := teaching.file_of(taught_book, "a-chapter")).unlink()
    missing = [
        fault
        for fault in check.source_faults(taught_book)
        if "must have one answer" in fault
    ]
    assert missing
    file.parent.rmdir()
    assert check.source_faults(taught_book) == []
