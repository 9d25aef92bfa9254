"""For teachers: lectures, the teacher's edition, and a chapter as a problem set with other parameters.

    python -m book.in_class slides                     what `make slides` does
    python -m book.in_class teacher                    what `make teacher` does
    python -m book.in_class problems TOPIC NAME=VALUE ...   what `make problems TOPIC=...` does

All need the pages, whose numbers of statements they use. Slides, sheets, assignments and quizzes of the
courses go below ``_build/slides``, as HTML and PDF, and as one file into ``dist``. The edition is a folder
for each chapter (the notebook for students, the one with solutions, proof problems with model answers and
rubrics, tests for otter-grader, figures as PDF and SVG), the courses, answers to sheets and quizzes,
solutions of the exercises for Coq, and exams, below ``_build/teacher`` and as one file in ``dist``. A problem set is the same notebooks and tests
below ``_build/problems``, of the chapter as it runs with these parameters. The exit status is 0 when all went
well, 1 when a cell failed, 2 when the request makes no sense.
"""

import pickle
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

from book import run
from book.extensions import course_map, downloads, formulas, locations
from book.tools import (
    archive,
    command,
    coq,
    course,
    exams,
    exercises,
    figures,
    handouts,
    lecture_files,
    lectures,
    teaching,
)
from book.tools.chapters import Chapter, chapters, write_whole

NAME = "privml-teacher"
_EDITIONS = {"for-students": False, "with-solutions": True}


def pages(root: Path) -> downloads.Pages:
    """What Sphinx remembers of the pages that it made last, to ask for numbers; ValueError if nothing."""
    file = root / "_build" / ".doctrees" / "environment.pickle"
    if not file.exists():
        raise ValueError("the pages must be made first: make book")
    env = pickle.loads(file.read_bytes())
    # Sphinx leaves these two out of the file.
    env.srcdir, env.domains = root, {"std": SimpleNamespace(**env.domaindata["std"])}
    return downloads.Pages(env, env.config, root)


def title(app: downloads.Pages, topic: str) -> str:
    """Number and title of a chapter."""
    docname = f"notebooks/{topic}"
    return f"{locations.number(app.env, docname)} {app.env.titles[docname].astext()}".strip()


def courses(app: downloads.Pages) -> str:
    """The courses of the course map as plain Markdown."""
    told = ["# Courses"]
    for one in course.read(app.srcdir).courses:
        told += [f"\n## {one.title}\n", "| week | short paths |", "|---|---|"]
        for number, week in enumerate(one.weeks, 1):
            links = [
                f"[{title(app, topic)}]({topic}/with-solutions.ipynb)" for topic in week
            ]
            told.append(f"| {number} | {'; '.join(links)} |")
    return "\n".join(told) + "\n"


def of_chapter(
    app: downloads.Pages, chapter: Chapter, of: handouts.Handout
) -> Iterator[tuple[str, str]]:
    """Texts of the teacher's edition of a chapter with their names in its folder."""
    for name, solutions in _EDITIONS.items():
        yield f"{name}.ipynb", handouts.notebook(of, solutions=solutions)
    if answers := teaching.model_answers(teaching.file_of(chapter.root, chapter.topic)):
        yield (
            "proof-problems.ipynb",
            handouts.proof_problems(of, title(app, chapter.topic), answers),
        )
    for exercise in [
        e for e in exercises.of_chapter(chapter.topic, of.cells) if e.coded
    ]:
        name = exercise.checker.removeprefix("check_")
        yield f"tests/{name}.py", handouts.otter_test(exercise)


def pack(folder: Path, goal: Path) -> None:
    """Write a folder as one file."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    archive.write(
        goal,
        (
            (f"{goal.stem}/{p.relative_to(folder).as_posix()}", p.read_bytes())
            for p in paths
        ),
    )


def lecture_pages(
    app: downloads.Pages, folder: Path, *, answers: bool
) -> dict[str, list]:
    """Write the files of all lectures; for each topic of a course its lectures with their hours."""
    root, made = app.srcdir, {}
    listed = [
        topic
        for one in course.read(root).courses
        for week in one.weeks
        for topic in week
    ]
    for topic in dict.fromkeys(listed):
        of, tasks = (
            downloads.handout(app, Chapter(root, topic)),
            course_map.assigned(root, topic),
        )
        made[topic] = []
        for number, one in enumerate(lectures.of_chapter(root, of)):
            mine = tasks[number : number + 1]
            lecture_files.of_lecture(
                folder, one, of, title(app, topic), mine, answers=answers
            )
            made[topic].append((one, lecture_files.hours(mine)))
    return made


def shared(folder: Path) -> Path:
    """Put into a folder what the files of its lectures load; the folder."""
    formulas.put(folder / "_static" / "mathjax")
    for name in ("lectures.css", "lectures.js"):
        shutil.copyfile(lecture_files.TEMPLATES / name, folder / name)
    return folder


def write_exams(root: Path, folder: Path) -> None:
    """Write all exams, and their rubrics."""
    for exam, questions in exams.read(root):
        parts = [
            (f"{one.title} ({sum(one.points)} points)", one.text, one.answer)
            for one in questions
        ]
        told = {"above": exam["course"], "parts": parts}
        told["title"] = f"{exam['name']}, {exam['minutes']} minutes"
        for end, answers in (("", False), ("-rubric", True)):
            name = f"{exam['course']}-{exam['name']}{end}".lower().replace(" ", "-")
            lecture_files.write(
                folder / f"{name}.html",
                "paper.html",
                kind="exams",
                answers=answers,
                **told,
            )


def slides(root: Path) -> int:
    """Make slides, sheets, assignments and quizzes of the courses; the exit status."""
    app, folder = pages(root), root / "_build" / "slides"
    shutil.rmtree(folder, ignore_errors=True)
    told = {
        "lectures": lecture_pages(app, folder, answers=False),
        "courses": course.read(root).courses,
    }
    lecture_files.write(folder / "index.html", "index.html", **told)
    number, goal = (
        lecture_files.print_all(shared(folder)),
        root / "dist" / "privml-slides.zip",
    )
    pack(folder, goal)
    print(
        f"wrote {folder.relative_to(root)} and {goal.relative_to(root)}, {number} files as PDF"
    )
    return 0


def teacher(root: Path) -> int:
    """Make the teacher's edition of the whole book; the exit status."""
    app, folder = pages(root), root / "_build" / "teacher"
    shutil.rmtree(folder, ignore_errors=True)
    lecture_files.write(folder / "README.md", "teacher.md", points=teaching.POINTS)
    if course.file_of(root).exists():
        write_whole(folder / "courses.md", courses(app))
        if any(lecture_pages(app, folder / "lectures", answers=True).values()):
            write_exams(root, folder / "lectures" / "exams")
            lecture_files.print_all(shared(folder / "lectures"))
    for chapter in chapters(root):
        for name, text in of_chapter(app, chapter, downloads.handout(app, chapter)):
            write_whole(folder / chapter.topic / name, text)
    for figure in figures.published(root):
        for file in sorted(
            (root / "_build" / "html" / "figures").glob(f"{figure.name}.[ps][dv][fg]")
        ):
            (folder / figure.topic / "figures").mkdir(exist_ok=True)
            shutil.copyfile(file, folder / figure.topic / "figures" / file.name)
    for file in sorted((root / coq.SOLUTIONS).glob("*.v")):
        write_whole(folder / "proofs" / file.name, file.read_text(encoding="utf-8"))
    goal = root / "dist" / f"{NAME}.zip"
    pack(folder, goal)
    if not teaching.file_of(root, "").parent.is_dir():
        print(
            "without model answers: the folder book/teacher is not here, see PUBLISHING.md"
        )
    print(f"wrote {folder.relative_to(root)} and {goal.relative_to(root)}")
    return 0


def problems(root: Path, topic: str, words: list[str]) -> int:
    """Make a chapter with other parameters into a problem set; the exit status."""
    app = pages(root)
    if status := run.run(root, topic, words):
        return status
    chapter = Chapter(root, topic)
    of = downloads.handout(
        app, chapter, figures.cells_of(root / "_build" / "run" / f"{topic}.ipynb")
    )
    said = f"*Problem set with {', '.join(words)}.*" if words else ""
    of = of._replace(origin="\n\n".join(filter(None, [of.origin, said])))
    for name, text in of_chapter(app, chapter, of):
        file = root / "_build" / "problems" / f"{topic}-{name}"
        write_whole(file, text)
        print(f"wrote {file.relative_to(root)}")
    return 0


@command.exits_on_errors("in class")
def main(arguments: list[str] | None = None) -> int:
    """Run the command; its exit status."""
    parser = command.parser("in_class", __doc__)
    parser.add_argument("what", choices=["slides", "teacher", "problems"])
    parser.add_argument(
        "topic", nargs="?", metavar="TOPIC", help="the chapter of a problem set"
    )
    parser.add_argument(
        "parameters", nargs="*", metavar="NAME=VALUE", help="its parameters"
    )
    options = parser.parse_args(arguments)
    root, topic = options.root, options.topic or ""
    if options.what == "problems":
        return problems(root, topic, options.parameters)
    return {"slides": slides, "teacher": teacher}[options.what](root)


if __name__ == "__main__":
    sys.exit(main())
