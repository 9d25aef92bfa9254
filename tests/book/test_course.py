"""What chapters need of each other and the courses: `book.tools.course`."""

import re
from collections import Counter
from pathlib import Path

import pytest

from book.extensions import course_map
from book.tools import course, short_path

ROOT = Path(__file__).resolve().parent.parent.parent
TOC = """\
root: book/start
parts:
- caption: First
  numbered: true
  chapters: [{file: book/notation}, {file: notebooks/a}, {file: notebooks/b}]
- caption: Second
  numbered: true
  chapters: [{file: notebooks/c}, {file: notebooks/d}]
- caption: Not numbered
  chapters: [{file: notebooks/e}]
"""
NEEDS = """\
chapters:
  a: {}
  b: {needs: [a]}
  c: {needs: [b]}
  d: {needs: [b]}
courses:
- title: A course
  weeks: [[a, b], [d]]
"""
CHAPTER = """# {0}

By {{prf:ref}}`{1}` it holds.

```{{prf:theorem}}
:label: thm-{0}
By {{prf:ref}}`words <{2}>`.
```

## Further *

By {{prf:ref}}`thm-c`.

```{{erratum}} L4
See {{prf:ref}}`thm-c`.
```

## Exercises

By {{prf:ref}}`thm-c`.
"""
HOME = {f"thm-{topic}": topic for topic in "abcd"}


@pytest.fixture
def book(tmp_path):
    """A book of four chapters: b stands on a, d on b, and c on b; e is not numbered."""
    (tmp_path / "book").mkdir()
    (tmp_path / "_toc.yml").write_text(TOC)
    course.file_of(tmp_path).write_text(NEEDS)
    for topic, (first, second) in {"a": "ac", "b": "ad", "c": "ba", "d": "ba"}.items():
        text = CHAPTER.format(topic, f"thm-{first}", f"thm-{second}")
        (tmp_path / "book" / f"{topic}.md").write_text(text)
    return tmp_path


def test_references_are_those_of_the_core(book):
    assert short_path.references((book / "book" / "d.md").read_text()) == {
        "thm-b",
        "thm-a",
    }


def test_a_good_list_has_no_faults(book):
    assert list(course.faults(book, HOME)) == []
    assert course.parts(book) == {"First": ["a", "b"], "Second": ["c", "d"]}
    assert course.read(book).all_needed("d") == {"a", "b"}


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            "d: {needs: [b]}",
            "",
            "d must stand in both, in _toc.yml as a numbered chapter and in the list",
        ),
        (
            "a: {}",
            "a: {}\n  e: {}",
            "e must stand in both, in _toc.yml as a numbered chapter and in the list",
        ),
        (
            "a: {}",
            "a: {needs: [b]}",
            "a needs or recalls b, which does not come before it in the book",
        ),
        (
            "a: {}",
            "a: {needs: [a]}",
            "a needs or recalls a, which does not come before it in the book",
        ),
        (
            "a: {}",
            "a: {needs: [x]}",
            "a needs or recalls x, which does not come before it in the book",
        ),
        (
            "d: {needs: [b]}",
            "d: {needs: [a, b]}",
            "d needs a through another chapter already",
        ),
        (
            "d: {needs: [b]}",
            "d: {}",
            "the core of d refers to a statement of a, which it neither needs nor recalls",
        ),
        (
            "c: {needs: [b]}",
            "c: {needs: [b], recalls: [a]}",
            "c recalls a, but needs it or does not refer to it",
        ),
        (
            "d: {needs",
            "d: {with: e, needs",
            "d stands with e, which must be a chapter that stands by itself",
        ),
        (
            "d: {needs",
            "d: {with: d, needs",
            "d stands with d, which must be a chapter that stands by itself",
        ),
        (
            "[[a, b], [d]]",
            "[[a], [d, b]]",
            "A course: d comes before b, which it needs",
        ),
        (
            "[[a, b], [d]]",
            "[[b, a], [d]]",
            "A course: b comes before a, which it needs",
        ),
        ("[[a, b], [d]]", "[[a, b], [b]]", "A course: b is no chapter, or comes twice"),
        ("[[a, b], [d]]", "[[a, b], [e]]", "A course: e is no chapter, or comes twice"),
    ],
)
def test_a_planted_fault_is_named(book, old, new, fault):
    file = course.file_of(book)
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    assert f"book/prerequisites.yml: {fault}" in list(course.faults(book, HOME))


def test_the_courses_of_the_book_respect_what_its_chapters_need():
    found, parts = course.read(ROOT), course.parts(ROOT)
    assert set(found.needs) == {topic for part in parts.values() for topic in part}
    assert [len(one.weeks) for one in found.courses] == [6, 12, 6]
    assert [one.title for one in found.courses] == [
        "Six weeks",
        "Twelve weeks",
        "Second course",
    ]
    for one in found.courses:
        seen = set(course.read_before(one, found))
        for topic in sum(one.weeks, []):
            assert set(found.needs[topic]) <= seen, topic
            seen.add(topic)


def test_chapters_of_one_topic_are_a_family(book):
    file = course.file_of(book)
    file.write_text(
        file.read_text()
        .replace("c: {", "c: {with: b, ")
        .replace("d: {", "d: {with: b, ")
    )
    assert [course.family(book, topic) for topic in "abcd"] == [
        ["a"],
        *[["b", "c", "d"]] * 3,
    ]
    file.unlink()
    assert course.family(book, "c") == ["c"]


def test_arcs_lead_down_from_the_chapter_that_is_needed(book):
    drawn = course_map.picture(course.parts(book), course.read(book))
    assert drawn.count("<path") == 3
    assert (
        '<path class="part-1" data-from="b" data-to="d" d="M140 110C' in drawn
    )  # First, a, b, Second, c, d
    assert drawn.split('data-to="d"')[1].partition("/>")[0].endswith(' 140 242"')


def test_every_part_has_its_colour_by_day_and_by_night():
    style = (ROOT / "book" / "_static" / "course-map.css").read_text(encoding="utf-8")
    coloured = Counter(
        int(n) for n in re.findall(r"\.part-(\d+) \{ --part: #[0-9a-f]{6}; \}", style)
    )
    assert coloured == dict.fromkeys(range(1, len(course.parts(ROOT)) + 1), 2)


def test_no_arc_of_the_book_leaves_the_picture():
    arcs = re.findall(
        r'd="M(\d+) \d+C(-?\d+) ',
        course_map.picture(course.parts(ROOT), course.read(ROOT)),
    )
    assert len(arcs) > 40
    assert min(int(dot) - 0.75 * (int(dot) - int(out)) for dot, out in arcs) >= 2
