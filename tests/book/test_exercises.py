"""Exercises: their form, their checked answers, and the tests of their checkers: `book.tools.exercises`."""

from pathlib import Path

import pytest

from book.tools import course, exercises
from book.tools.chapters import Chapter, topics
from book.tools.execute import unexecuted
from tests.book.conftest import EXERCISES

ROOT = Path(__file__).resolve().parent.parent.parent


def chapter_cells(root, topic):
    return unexecuted(Chapter(root, topic)).cells


def all_exercises():
    found = [
        exercises.of_chapter(topic, chapter_cells(ROOT, topic))
        for topic in topics(ROOT)
    ]
    return [exercise for there in found for exercise in there]


RECIPES = {
    "first-hour",
    "how-to",
    "calculators",
    "audit-yours",
    "your-data",
    "definitions-map",
}
EVERY = all_exercises()


@pytest.mark.parametrize("topic", topics(ROOT))
def test_the_exercises_of_a_chapter_are_sound(topic):
    assert exercises.faults(topic, chapter_cells(ROOT, topic)) == []


@pytest.mark.parametrize(
    "topic", [topic for topic in topics(ROOT) if topic not in RECIPES]
)
def test_the_chapters_of_a_topic_have_at_least_three_exercises_of_several_kinds(topic):
    family = course.family(ROOT, topic)
    mine = [
        exercise
        for exercise in EVERY
        if exercise.topic in family and not exercise.proof
    ]
    assert len(mine) >= 3
    kinds = {kind for exercise in mine for kind in exercise.kinds}
    assert len(kinds) >= 2
    assert kinds <= set(exercises.SOLVED)


@pytest.mark.parametrize(
    "exercise", [e for e in EVERY if e.coded], ids=lambda exercise: exercise.label
)
def test_the_checker_of_a_coded_exercise_is_tested_with_a_wrong_answer(exercise):
    names = [
        f"test_{topic.replace('-', '_')}*.py"
        for topic in course.family(ROOT, exercise.topic)
    ]
    tests = {
        file for name in names for file in (ROOT / "tests" / "chapters").glob(name)
    }
    assert list(exercises.untested([exercise], sorted(tests))) == []


def test_exercises_are_read_with_title_kind_difficulty_and_checker(exercise_book):
    first, second = exercises.of_chapter(
        "a-chapter", chapter_cells(exercise_book, "a-chapter")
    )
    assert (first.label, first.title) == ("ex-a-chapter-sum", "A sum")
    assert (first.kinds, first.difficulties, first.coded) == (["code"], ["easy"], True)
    assert first.checker == "check_sum"
    assert (second.kinds, second.difficulties, second.coded) == (
        ["pencil"],
        ["hard"],
        False,
    )
    assert first.statement.cell == 7


LAST_SOLUTION = EXERCISES[EXERCISES.index("```{solution-start} ex-a-chapter-proof") :]
PROOF, SUM = (
    "cell 11: exercise 'ex-a-chapter-proof'",
    "cell 7: exercise 'ex-a-chapter-sum'",
)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (LAST_SOLUTION, "", f"{PROOF} has no solution"),
        ("pencil hard", "hard", f"{PROOF} must have one kind"),
        ("pencil hard", "pencil", f"{PROOF} must have one diff"),
        ("pencil hard", "pencil code hard", f"{PROOF} must have one kind"),
        (
            "ex-a-chapter-proof",
            "ex-proof",
            "cell 11: exercise 'ex-proof' must have a label ex-a-chapter-...",
        ),
        (
            "pencil hard",
            "proof hard",
            f"{PROOF} is of kind proof and must have its answer in",
        ),
        (
            ":label: sol-a-chapter-proof\n:class: dropdown",
            ":label: sol-a-chapter-proof",
            f"{PROOF} must have the class dropdown on its solution",
        ),
        (
            ":label: sol-a-chapter-proof\n",
            "",
            f"{PROOF} must have a label on its solution",
        ),
        (
            "{solution-start} ex-a-chapter-proof",
            "{solution-start} ex-a-chapter-prove",
            "cell 11: solution to 'ex-a-chapter-prove', which is no exercise here",
        ),
        (
            LAST_SOLUTION,
            LAST_SOLUTION * 2,
            "cell 11: second solution to 'ex-a-chapter-proof'",
        ),
        (":tags: [solution]", ":tags: [answer]", f"{SUM} is of kind code"),
        ("\ncheck_sum(answer)", "\n", f"{SUM} must call check_sum in its solution"),
        (
            "ex-a-chapter-sum",
            "ex-a-chapter-total",
            "cell 7: exercise 'ex-a-chapter-total' has no checker check_total",
        ),
        (
            "As above.\n```{solution-end}\n```",
            "As above.",
            "cell 11: solution 'sol-a-chapter-proof' is not",
        ),
        (
            "\n```{exercise-end}\n```",
            "",
            "cell 9: solution-start without what it should follow",
        ),
        (
            "## A result",
            "```{code-cell} ipython3\nanswer\n```\n",
            "cell 4: uses answer, which only a solution",
        ),
    ],
)
def test_a_fault_of_an_exercise_is_named_with_its_cell(exercise_book, old, new, fault):
    assert (
        exercises.faults("a-chapter", chapter_cells(exercise_book, "a-chapter")) == []
    )
    source = exercise_book / "book" / "a-chapter.md"
    text = source.read_text()
    assert old in text
    source.write_text(text.replace(old, new))
    faults = exercises.faults("a-chapter", chapter_cells(exercise_book, "a-chapter"))
    found = [f"cell {number}: {sentence}" for number, sentence in faults]
    assert any(sentence.startswith(fault) for sentence in found), found


WRONG = "def test_wrong():\n    with pytest.raises(AssertionError, match='add'):\n        chapter.check_sum(1)\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (WRONG, True),
        ("test_all = checkers({'sum': [(1, 'add')]}, chapter)\n", True),
        ("test_all = checkers({'other': [(1, 'add')]}, chapter)\n", False),
        ("cases = checkers({'sum': [(1, 'add')]}, chapter)\n", False),
        (WRONG.replace("AssertionError", "TypeError"), False),
        (WRONG.replace("check_sum", "check_other"), False),
        (
            "def test_right():\n    chapter.check_sum(5 / 6)\n# check_sum(1) is refused\n",
            False,
        ),
    ],
)
def test_a_checker_without_a_wrong_answer_is_seen(exercise_book, text, shown):
    found = exercises.of_chapter("a-chapter", chapter_cells(exercise_book, "a-chapter"))
    tests = exercise_book / "test_a_chapter.py"
    fault = (7, "no test shows that check_sum refuses a wrong answer")
    assert list(exercises.untested(found, [])) == [fault]
    tests.write_text(text)
    assert list(exercises.untested(found, [tests])) == [fault] * (not shown)
