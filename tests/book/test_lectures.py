"""Lectures and exams: `book.tools.lectures`, `book.tools.lecture_files`, `book.tools.exams`."""

import re
from fractions import Fraction as F
from itertools import product
from math import comb, erfc, log, sqrt
from pathlib import Path
from types import SimpleNamespace

import pytest

from book import in_class
from book.extensions import course_map, downloads
from book.tools import (
    citations,
    course,
    exams,
    figures,
    lecture_files,
    lectures,
    named_numbers,
    short_path,
    teaching,
    units,
)
from book.tools.chapters import Chapter
from book.tools.handouts import Handout
from book.tools.plain_markdown import References

ROOT = Path(__file__).resolve().parent.parent.parent
COURSES = course.read(ROOT).courses
TOPICS = list(
    dict.fromkeys(topic for one in COURSES for week in one.weeks for topic in week)
)
WORKS = citations.works(ROOT / "book" / "references.bib")
EXAMS = exams.read(ROOT)
UNIT = """# A chapter

A town counts. How?

## Unit 1: How much noise?

### By hand

Two counts differ by 1. Their sum is $1 + 1 = 2$. The next cell prints it.

| a | b |
|---|---|
| $1$ | $3$ |

*Idea.* We add.

### A theorem

```{prf:theorem} Sum
:label: thm-sum
Let $a = 1$. Then the sum is

$$a + 1$$

for all of them.
```

*Idea.* One and one.

```{code-cell} ipython3
---
mystnb: {figure: {name: fig-a}}
---
```

### Questions to unit 1

*First.* Why?

```{dropdown} Answer
So.
```

*Second.* How?

```{dropdown} Answer
Thus.
```
"""


def handout(topic):
    """A chapter as far as it is known without the pages: references say labels."""
    cells = figures.cells_of(Chapter(ROOT, topic).notebook)
    return Handout(topic, cells, References(named_numbers.glued_numbers(cells), WORKS))


def lecture_of(text, **said):
    [unit] = filter(units.is_unit, units.chapter_sections(text))
    of = Handout("a", [], References())
    return lectures.lecture(
        of, unit, 1, "A town counts. How?", {"instance": "By hand", **said}
    )


@pytest.mark.parametrize("topic", TOPICS)
def test_each_unit_of_a_course_is_a_lecture(topic):
    """Question, instance to complete, statement, picture and questions, in pieces that a slide can hold."""
    made = lectures.of_chapter(ROOT, handout(topic))
    assert (
        len(made)
        == len(units.measures(Chapter(ROOT, topic).source.read_text(encoding="utf-8")))
        > 0
    )
    drawn = {
        one.name: one.picture
        for one in figures.of_notebook(topic, handout(topic).cells)
    }
    for one in made:
        kinds = [slide.kind for slide in one.slides]
        assert {"question", "instance", "statement", "picture"} <= set(kinds), one.name
        assert kinds.count("ask") == kinds.count("answer") >= 2
        assert all(
            drawn[slide.figure] for slide in one.slides if slide.kind == "picture"
        )
        taught = [
            slide for slide in one.slides if slide.kind not in ("picture", "question")
        ]
        assert all(slide.pieces for slide in taught), one.name
        [(_, instance)] = one.texts("instance")
        empty, filled = (
            lectures.with_gaps(instance, filled=filled) for filled in (False, True)
        )
        assert empty.count('class="gap"') == filled.count('class="gap"') >= 2
        kept = re.sub(r"</?span[^>]*>|[$\s]", "", filled)
        assert kept == re.sub(r"[$\s]", "", instance)
        assert len(empty) < len(filled)
        quiz = lecture_files.papers(one, handout(topic), [], answers=True)["quizzes"][
            "parts"
        ]
        assert sum(int(head.removesuffix(" points")) for head, *_ in quiz) == 10
        set_off = re.compile(r"\s*(?:\||\$\$)")
        said = [
            part
            for slide in one.slides
            for piece in slide.pieces
            for part in piece.split("\n\n")
        ]
        long = [
            part
            for part in said
            if not set_off.match(part) and short_path.words(part) > lectures.MOST
        ]
        assert long == [], one.name


def test_a_lecture_follows_its_unit():
    made = lecture_of(UNIT)
    assert [(slide.kind, slide.head) for slide in made.slides] == [
        ("question", "How much noise?"),
        ("instance", "By hand"),
        ("idea", "Why it is true"),
        ("statement", "thm-sum. Sum"),
        ("idea", "Why it is true"),
        ("picture", ""),
        *[
            (kind, head)
            for n in (1, 2)
            for kind, head in (("ask", f"Question {n}"), ("answer", "Answer"))
        ],
    ]
    [question, instance, _, statement, idea, picture, *_] = made.slides
    assert " ".join(question.pieces).strip() == "A town counts. How?"
    assert [piece.strip() for piece in instance.pieces] == [
        "Two counts differ by 1.",
        "Their sum is $1 + 1 = 2$.",
        "| a | b |\n|---|---|\n| $1$ | $3$ |",
    ]
    said = [piece.split("\n\n")[-3::2] for piece in statement.pieces]
    assert said[-1] == ["Then the sum is", "for all of them."]
    assert (idea.pieces, picture.figure) == (["\n\nOne and one."], "fig-a")
    assert made.texts("answer") == [("Answer", "\n\nSo."), ("Answer", "\n\nThus.")]


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("prf:theorem", "note", "statement"),
        ("figure: {name: fig-a}", "other: 1", "picture"),
    ],
)
def test_what_a_unit_lacks_its_lecture_lacks(old, new, kind):
    """So that the test of the courses can fail."""
    assert kind in [slide.kind for slide in lecture_of(UNIT).slides]
    assert kind not in [
        slide.kind for slide in lecture_of(UNIT.replace(old, new)).slides
    ]


@pytest.mark.parametrize(
    ("instance", "open_on_the_sheet"),
    [
        ("Their sum is $1 + 1 = 2$.", ["$2$"]),
        ("It is $x = a \\approx \\frac{1}{4}$.", [r"$\frac{1}{4}$"]),
        ("With probability $\\frac14$, or about 0.25.", [r"$\frac14$", "0.25"]),
        ("| a | b |\n|---|---|\n| 1 | $\\frac12$ |", [r"$\frac12$"]),
        ("First $a = 1$, then $b = 2$, then $c = 3$, then $d = 4$.", ["$1$", "$3$"]),
        ("Two counts differ by $k$, see $a_1 < b$.", []),
        ("Let\n\n$$\nx = 0.6 y + 0.8 z .\n$$\n\nThen $y = 3$.", ["$3$"]),
    ],
)
def test_a_sheet_leaves_results_of_the_instance_open(instance, open_on_the_sheet):
    filled = lectures.with_gaps(instance, filled=True)
    assert re.findall(r"<span[^>]*>(.*?)</span>", filled) == open_on_the_sheet
    empty = lectures.with_gaps(instance, filled=False)
    assert empty.count("></span>") == len(open_on_the_sheet)


def test_the_instance_must_be_a_section_of_the_unit():
    with pytest.raises(ValueError, match="'Elsewhere' is no section"):
        lecture_of(UNIT, instance="Elsewhere")


def test_pieces_are_the_text_again():
    sentence = "One " * 25 + "two, and " + "three " * 25 + "four."
    text = f"{sentence} So it is. Here:\n\n| a |\n|---|\n| 1 |\n\n"
    text += f"As\n$$x$$\nwhere. Then:\n\n- {sentence}\n- Five."
    made = lectures.pieces(text)
    assert " ".join(made).split() == text.split()
    parts = [part for piece in made for part in piece.split("\n\n")]
    assert (
        max(map(short_path.words, parts)) <= lectures.MOST < short_path.words(sentence)
    )


def test_formulas_in_lines_and_lists_are_set():
    made = lecture_files.html("1. So $a < b$ and\n   $$c$$ ends.")
    assert r"\(a &lt; b\)" in made
    assert r"\[c\]" in made
    assert "$" not in made


@pytest.mark.parametrize("one", COURSES, ids=lambda one: one.title)
def test_the_problems_of_a_week_take_two_to_four_hours(one):
    for week in one.weeks:
        tasks = [course_map.assigned(ROOT, topic) for topic in week]
        counts = [len(lectures.of_chapter(ROOT, handout(t))) for t in week]
        assert all(len(found) >= n for n, found in zip(counts, tasks, strict=True))
        assert 2 <= sum(map(lecture_files.hours, tasks)) <= 4, week


def test_the_files_of_a_course(tmp_path, monkeypatch):
    """Students get what the index links, without answers; the teacher gets the answers, and exams."""
    first = course.read(ROOT)._replace(
        courses=[course.Course("One week", [[TOPICS[0]]])]
    )
    monkeypatch.setattr(course, "read", lambda root: first)
    monkeypatch.setattr(
        downloads, "handout", lambda app, chapter: handout(chapter.topic)
    )
    monkeypatch.setattr(in_class, "title", lambda app, topic: topic)
    app, student, teacher = (
        SimpleNamespace(srcdir=ROOT),
        tmp_path / "student",
        tmp_path / "teacher",
    )
    made = in_class.lecture_pages(app, student, answers=False)
    lecture_files.write(
        student / "index.html", "index.html", lectures=made, courses=first.courses
    )
    in_class.lecture_pages(app, teacher, answers=True)
    in_class.write_exams(ROOT, teacher / "exams")

    linked = re.findall(r'href="([^"]+\.html)"', (student / "index.html").read_text())
    assert len(linked) == 4 * 2
    assert {
        file.relative_to(student).as_posix() for file in student.glob("*/*.html")
    } == set(linked)
    assert {file.parent.name for file in teacher.glob("*/*.html")} == {
        "sheets",
        "quizzes",
        "exams",
    }
    [answer] = {
        lecture.texts("answer")[0][1].strip()[:40] for lecture, _ in made[TOPICS[0]][:1]
    }
    for kind, name in (file.parts[-2:] for file in teacher.glob("[sq]*/*.html")):
        texts = [(folder / kind / name).read_text() for folder in (student, teacher)]
        assert ["<blockquote>" in text for text in texts] == [False, True]
    assert answer in (teacher / "sheets" / f"{TOPICS[0]}-1.html").read_text()
    assert answer not in (student / "sheets" / f"{TOPICS[0]}-1.html").read_text()
    rubrics = {
        file.name: "Rubric" in file.read_text()
        for file in (teacher / "exams").glob("*.html")
    }
    assert rubrics == {name: name.endswith("-rubric.html") for name in rubrics}
    assert len(rubrics) == 2 * len(EXAMS)


# ---------------------------------------------------------------- exams


def exam_faults(exam, questions):
    """What is wrong with an exam: points that are not its minutes, chapters that were not read by then."""
    total = sum(sum(one.points) for one in questions)
    if total != exam["minutes"]:
        yield f"has {total} points in {exam['minutes']} minutes"
    weeks = next(one.weeks for one in COURSES if one.title == exam["course"])[
        : exam["after"]
    ]
    known = {topic for week in weeks for topic in week}
    one = next(one for one in COURSES if one.title == exam["course"])
    known |= set(course.read_before(one, course.read(ROOT)))
    for one in questions:
        parts = len(re.findall(r"^\([a-z]\)", one.text, re.MULTILINE))
        if not one.topics or not set(one.topics) <= known:
            yield f"{one.title}: {set(one.topics) - known} is read later"
        if (
            not parts
            == len(one.points)
            == len(re.findall(r"^\([a-z]\)", one.answer, re.MULTILINE))
        ):
            yield f"{one.title}: {parts} parts, {len(one.points)} in the rubric"


@pytest.mark.parametrize(
    ("exam", "questions"), EXAMS, ids=[f"{e['course']}-{e['name']}" for e, _ in EXAMS]
)
def test_the_points_of_an_exam_are_its_minutes(exam, questions):
    assert list(exam_faults(exam, questions)) == []
    for one in questions:
        exec(compile(one.code, one.title, "exec"), {})


def test_the_numbers_of_the_specimens():
    """Those of the other exams stand beside their answers."""
    tails = [F(1, 2) * F(1, 3**first) / (1 - F(1, 3)) for first in (1, 2)]
    assert [F(1, 2) + 2 * tails[0], 2 * tails[1]] == [1, F(1, 6)]
    assert [F(2**votes, 2**5 + 2**4 + 2) for votes in (5, 4, 1)] == [
        F(16, 25),
        F(8, 25),
        F(1, 25),
    ]
    yes, no = (
        [comb(3, k) * p**k * (1 - p) ** (3 - k) for k in range(4)]
        for p in (F(2, 3), F(1, 3))
    )
    assert yes == [F(n, 27) for n in (1, 6, 12, 8)]
    assert sum(max(0, p - 4 * q) for p, q in zip(yes, no, strict=True)) == F(4, 27)
    assert (erfc(-1 / sqrt(2)) / 2, 0.32 * sqrt(2 * log(160))) == pytest.approx(
        (0.84, 1.02), abs=5e-3
    )
    scores = [
        sum(a * x for a, x in zip((1, 0, -1), row, strict=True))
        for row in product((1, -1), repeat=3)
    ]
    assert (sum(scores), sum(score**2 for score in scores)) == (0, 2 * 8)
    far, near = (
        sum(h * log(h / p) for h, p in ((0.75, q), (0.25, 1 - q)))
        for q in (1 / 2, 2 / 3)
    )
    assert (far, near) == pytest.approx((0.131, 0.016), abs=5e-4)


def test_a_fault_of_an_exam_is_found():
    exam, questions = EXAMS[0]
    one, *rest = questions
    planted = {
        "points": one._replace(points=[*one.points[:-1], one.points[-1] + 1]),
        "is read later": one._replace(topics=["asking-fewer-questions"]),
        "parts": one._replace(text=f"{one.text}\n\n(e) More?"),
    }
    for said, broken in planted.items():
        assert any(
            said in fault for fault in exam_faults(exam | {"after": 1}, [broken, *rest])
        )
        assert any(said in fault for fault in exam_faults(exam, [broken, *rest]))


def test_each_course_has_its_exams_and_no_question_is_left_over():
    private = teaching.file_of(ROOT, "exams").exists()
    names = {"Specimen"} | ({"Midterm", "Final"} if private else set())
    assert {(e["course"], e["name"]) for e, _ in EXAMS} == {
        (c.title, name)
        for c in COURSES
        for name in (names - {"Midterm"} if c.after else names)
    }
    asked = {one.title for _, questions in EXAMS for one in questions}
    assert asked == {
        one.title for name in exams.FILES for one in teaching.model_answers(ROOT / name)
    }
    assert not private or all(
        one.code for e, found in EXAMS if e["name"] == "Midterm" for one in found
    )
