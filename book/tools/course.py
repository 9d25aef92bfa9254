"""What the chapters need of each other, and the courses: ``book/prerequisites.yml``, held to the chapters."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import yaml

from book.tools import short_path
from book.tools.chapters import Chapter


class Course(NamedTuple):
    """Chapters whose cores are read, week by week, perhaps after those of another course."""

    title: str
    weeks: list[list[str]]
    after: str = ""


class Map(NamedTuple):
    """Chapters that each chapter needs, those of which it recalls a statement, the courses, and split topics.

    A chapter that was split off from another one names it, ``with: <topic>``.
    """

    needs: dict[str, list[str]]
    recalls: dict[str, list[str]]
    courses: list[Course]
    split: dict[str, str]

    def all_needed(self, topic: str) -> set[str]:
        """What a chapter needs, directly or through others."""
        return set().union(
            *(self.all_needed(other) | {other} for other in self.needs.get(topic, []))
        )


def file_of(root: Path) -> Path:
    """Where the prerequisites are written."""
    return root / "book" / "prerequisites.yml"


def read(root: Path) -> Map:
    """The map of a book."""
    found = yaml.safe_load(file_of(root).read_text(encoding="utf-8"))
    entries = found["chapters"].items()
    needs, recalls = (
        {topic: e.get(key, []) for topic, e in entries} for key in ("needs", "recalls")
    )
    split = {topic: entry["with"] for topic, entry in entries if "with" in entry}
    return Map(needs, recalls, [Course(**course) for course in found["courses"]], split)


def family(root: Path, topic: str) -> list[str]:
    """Chapters that come from the same topic as this one, itself among them: they share what they owe."""
    split = read(root).split if file_of(root).exists() else {}
    first = split.get(topic, topic)
    return [first, *(other for other in split if split[other] == first)]


def parts(root: Path) -> dict[str, list[str]]:
    """Numbered chapters of the table of contents by the caption of their part, in reading order."""
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    found = {}
    for part in toc["parts"]:
        files = [entry["file"] for entry in part["chapters"] if part.get("numbered")]
        topics = [
            name.removeprefix("notebooks/")
            for name in files
            if name.startswith("notebooks/")
        ]
        found |= {part["caption"]: topics} if topics else {}
    return found


def _graph_faults(course: Map, order: list[str]) -> Iterator[str]:
    for topic in [*order, *course.needs]:
        if (topic in course.needs) != (topic in order):
            yield f"{topic} must stand in both, in _toc.yml as a numbered chapter and in the list"
    for topic, first in course.split.items():
        if first not in course.needs or first in course.split:
            yield f"{topic} stands with {first}, which must be a chapter that stands by itself"
    for topic, needs in course.needs.items():
        before = order[: order.index(topic)] if topic in order else order
        for other in [
            other for other in [*needs, *course.recalls[topic]] if other not in before
        ]:
            yield f"{topic} needs or recalls {other}, which does not come before it in the book"


def _extra_faults(course: Map, topic: str, referred: set[str]) -> Iterator[str]:
    """Entries of one chapter that say nothing, and references that no entry allows."""
    needed, recalled = course.all_needed(topic), set(course.recalls[topic])
    for other in course.needs[topic]:
        if any(other in course.all_needed(third) for third in course.needs[topic]):
            yield f"{topic} needs {other} through another chapter already"
    for other in sorted(recalled - (referred - needed)):
        yield f"{topic} recalls {other}, but needs it or does not refer to it"
    for other in sorted(referred - needed - recalled):
        yield f"the core of {topic} refers to a statement of {other}, which it neither needs nor recalls"


def read_before(course: Course, known: Map) -> list[str]:
    """The chapters of the course that one builds on, and of those before it."""
    found: list[str] = []
    for other in known.courses:
        if other.title == course.after:
            found = [*read_before(other, known), *sum(other.weeks, [])]
    return found


def _course_faults(course: Course, known: Map) -> Iterator[str]:
    if course.after and course.after not in [one.title for one in known.courses]:
        yield f"{course.title}: there is no course {course.after!r} before it"
    seen = read_before(course, known)
    for topic in [topic for week in course.weeks for topic in week]:
        if topic not in known.needs or topic in seen:
            yield f"{course.title}: {topic} is no chapter, or comes twice"
        for other in sorted(known.all_needed(topic) - set(seen)):
            yield f"{course.title}: {topic} comes before {other}, which it needs"
        seen.append(topic)


def faults(root: Path, home: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with the prerequisites and courses; `home` tells the chapter of each label."""
    if not file_of(root).exists():
        return
    found, order = (
        read(root),
        [topic for part in parts(root).values() for topic in part],
    )
    wrong = list(_graph_faults(found, order))
    for number, topic in enumerate(order if not wrong else []):
        labels = short_path.references(
            Chapter(root, topic).source.read_text(encoding="utf-8")
        )
        referred = {home[label] for label in labels if label in home} & set(
            order[:number]
        )
        wrong += _extra_faults(found, topic, referred)
    for course in found.courses if not wrong else []:
        wrong += _course_faults(course, found)
    yield from (
        f"{file_of(root).relative_to(root).as_posix()}: {fault}" for fault in wrong
    )
