"""The page of all exercises: ``{all-exercises}``, by chapter, with kind, difficulty and checker."""

from collections import Counter
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book.extensions import typeset
from book.extensions.figure_lines import chapter_section, numbered
from book.tools import exercises, figures
from book.tools.chapters import Chapter, topics

_HEAD = ["Exercise", "Title", "Kind", "Difficulty", "Checked by"]


class AllExercises(SphinxDirective):
    """Directive ``{all-exercises}``: how many there are of each kind, and a table for each chapter."""

    def run(self) -> list[nodes.Node]:
        root = Path(self.env.srcdir)
        found: dict[str, list[exercises.Exercise]] = {}
        for chapter in [Chapter(root, topic) for topic in topics(root)]:
            if chapter.notebook.exists():
                self.env.note_dependency(str(chapter.notebook))
                found[chapter.topic] = exercises.of_chapter(
                    chapter.topic, figures.cells_of(chapter.notebook)
                )
        sections = [
            self.section(topic, there) for topic, there in found.items() if there
        ]
        return [
            counts([exercise for there in found.values() for exercise in there]),
            *sections,
        ]

    def section(self, topic: str, there: list[exercises.Exercise]) -> nodes.section:
        rows = [self.row(exercise) for exercise in there]
        table = typeset.table(_HEAD, rows, ("exercises",))
        return chapter_section(self, topic, f"exercises-of-{topic}", [table])

    def row(self, exercise: exercises.Exercise) -> nodes.row:
        """Number, title, kind, difficulty and checker of one exercise."""
        title, _ = self.state.inline_text(exercise.title, self.lineno)
        check = nodes.literal("", exercise.checker) if exercise.coded else "a reader"
        number = numbered(exercise.label, self.env.docname)
        kinds, difficulties = (
            ", ".join(exercise.kinds),
            ", ".join(exercise.difficulties),
        )
        return typeset.row([number, title, kinds, difficulties, check])


def counts(found: list[exercises.Exercise]) -> nodes.table:
    """How many exercises there are of each kind and difficulty."""
    number = Counter(
        (kind, level) for e in found for kind in e.kinds for level in e.difficulties
    )
    rows = []
    for kind in exercises.KINDS:
        texts = [kind, *[str(number[kind, level]) for level in exercises.DIFFICULTIES]]
        rows.append(typeset.row(texts))
    return typeset.table(["Kind", *exercises.DIFFICULTIES], rows, ("exercise-counts",))


def setup(app: Sphinx) -> None:
    app.setup_extension("book.extensions.figure_lines")
    app.add_directive("all-exercises", AllExercises)
