"""Which chapters are stale: by their own code, and by the rooms of the package behind it."""

import ast
import json
import shutil
import subprocess
import sys

import pytest

from book import page
from book.tools import staleness
from book.tools.chapter_code import called, source
from book.tools.chapters import ROOT, Chapter, chapters, write_whole
from book.tools.execute import unexecuted
from book.tools.normalise import normalised

PACKAGE = {
    "__init__.py": "",
    "__init__.pyi": "from privml import low as low\nfrom privml.high.top import thing as thing\n",
    "_check.py": "",
    "low.py": "",
    "mid.py": "def late():\n    from privml.low import x\n",
    "high/__init__.py": 'from importlib import import_module\nimport_module("privml.mid")\n',
    "high/top.py": "from privml._check import real\nthing = 1\n",
    "high/cuts.csv": "1\n",
    "whole.py": "import privml\n",
    "results/__init__.py": "",
}
ROOMS = {"low", "mid", "high", "whole", "results"}


def stale(chapter):
    return staleness.inputs(chapter.root).is_stale(chapter)


def write(chapter, line, text="Words."):
    """A chapter of one sentence and one line of code, with what its notebook printed."""
    write_whole(
        chapter.source,
        f"# A chapter\n\n{text}\n\n```{{code-cell}} ipython3\n{line}\n```\n",
    )
    return unexecuted(chapter)


def chapter_of(root, line):
    """A chapter of one line of code that is up to date, in a package of a few rooms."""
    chapter = Chapter(root, "a-chapter")
    for name, text in PACKAGE.items():
        write_whole(root / "privml" / name, text)
    made = write(chapter, line)
    made.cells[-1]["outputs"] = [
        {"output_type": "stream", "name": "stdout", "text": "printed"}
    ]
    write_whole(chapter.notebook, normalised(made))
    staleness.remember(chapter, staleness.inputs(root).of(chapter))
    assert not stale(chapter)
    return chapter


@pytest.fixture
def made(tmp_path):
    return chapter_of(tmp_path, "from privml.mid import late")


@pytest.mark.parametrize(
    ("line", "behind"),
    [
        ("x = 1", set()),
        ("from privml import low", {"low"}),
        ("import privml.low as l", {"low"}),
        (
            "def later():\n    from privml.mid import late",
            {"low", "mid"},
        ),  # and what that imports when called
        (
            "from privml import thing",
            {"low", "mid", "high"},
        ),  # a name that the package itself offers
        ("from privml._check import real", set()),
        ("import_module('privml.mid')", {"low", "mid"}),
        ("import privml", ROOMS),
        ("from privml import *", ROOMS),
        ("from privml import unheard_of", ROOMS),
        ("from . import low", ROOMS),
        ("from privml import whole", ROOMS),
        (
            "from privml.results import study",
            {"results", "low", "mid"},
        ),  # of which one imports a room
    ],
)
def test_behind_code_are_the_rooms_that_it_imports_and_those_that_these_import(
    tmp_path, line, behind
):
    write_whole(tmp_path / "results" / "study.py", "from privml import mid\n")
    chapter = chapter_of(tmp_path, line)
    for room in sorted(ROOMS):
        file = (
            tmp_path
            / "privml"
            / (f"{room}.py" if room in ("low", "mid", "whole") else f"{room}/new.py")
        )
        was = file.read_text() if file.exists() else None
        write_whole(file, f"{was or ''}changed = 1\n")
        assert stale(chapter) == (room in behind), room
        file.unlink() if was is None else write_whole(file, was)
    assert not stale(chapter)


@pytest.mark.parametrize(
    ("line", "behind"),
    [
        ("from privml.mid import late", set()),
        (
            "from privml.mid import late\nnotebook.show_source(late)",
            {"mid"},
        ),  # and not low, which that imports
        ("from privml import thing\nnotebook.show_source(thing.part, thing)", {"high"}),
        (
            "from privml import low, mid\nx = low\nnotebook.show_source(x.part)",
            {"low", "mid"},
        ),
        ("import privml\nnotebook.show_source(privml.low.part)", ROOMS),
        (
            "from privml import mid\ndef mine():\n    pass\nnotebook.show_source(mine)",
            set(),
        ),
    ],
)
def test_a_comment_or_docstring_counts_where_source_is_shown(tmp_path, line, behind):
    chapter = chapter_of(tmp_path, line)
    for room, file in [
        (room, next((tmp_path / "privml").glob(f"{room}*/**/*.py"), None))
        for room in ROOMS
    ]:
        file = file or tmp_path / "privml" / f"{room}.py"
        was = file.read_text()
        for text in (f"{was}# changed\n", f'"""Changed."""\n{was}'):
            write_whole(file, text)
            assert stale(chapter) == (room in behind), room
        write_whole(file, was)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "privml/__init__.py",
            "privml/_check.py",
            "privml/_new.py",
            "privml/high/cuts.csv",
            "privml/py.typed",
        ),
        *(
            "privml/mid.pyi",
            "constraints.txt",
            "book/tools/normalise.py",
            "book/tools/execute.py",
        ),
    ],
)
def test_a_change_of_what_counts_for_all_makes_a_chapter_stale(made, name):
    write_whole(made.root / name, "changed = 1\n")
    assert stale(made)


@pytest.mark.parametrize(
    "name",
    [
        *("book/start.md", "README.md", "tests/test_it.py", "results/table.csv"),
        *("privml/__pycache__/mid.pyc", "privml/.mid.swp", "privml/high/top.py"),
    ],
)
def test_a_change_of_something_else_does_not(made, name):
    write_whole(made.root / name, "changed = 1\n")
    assert not stale(made)


def test_dates_do_not_decide_and_names_of_modules_do(made):
    for file in made.root.rglob("*.*"):
        file.touch()
    assert not stale(made)
    (made.root / "privml" / "low.py").rename(made.root / "privml" / "lower.py")
    assert stale(made)


@pytest.mark.parametrize(
    "change",
    [
        lambda made: shutil.rmtree(made.root / "_build"),
        lambda made: made.notebook.unlink(),
        lambda made: write_whole(made.notebook, "<<<<<<< ours\n"),
        lambda made: write_whole(
            made.notebook, made.notebook.read_text().replace("printed", "other")
        ),
        lambda made: write(made, "from privml.mid import late as early"),
        lambda made: write(made, "from privml.mid import"),
    ],
)
def test_without_record_or_notebook_and_with_other_outputs_or_code_a_chapter_is_stale(
    made, change
):
    change(made)
    assert stale(made)


def test_of_a_text_that_changed_the_notebook_takes_the_words_and_keeps_the_outputs(
    made,
):
    assert not staleness.reworded(made)
    write(made, "from privml.mid import late", "Other words.")
    assert not stale(made)
    assert staleness.reworded(made)
    text = made.notebook.read_text()
    assert "Other words." in text
    assert "printed" in text
    assert not stale(made)
    write(made, "from privml.mid import later", "New words.")
    assert not staleness.reworded(made)  # its code is another: it is executed
    assert made.notebook.read_text() == text


def test_a_page_executes_a_chapter_only_if_what_decides_its_outputs_changed(committed):
    assert page.refresh(committed).endswith(
        " s, matches the committed outputs byte for byte"
    )
    write_whole(
        committed.source,
        committed.source.read_text().replace("It holds.", "It holds always."),
    )
    assert (
        page.refresh(committed)
        == "nothing that decides its outputs changed, so they are kept"
    )
    assert "It holds always." in committed.notebook.read_text()
    write_whole(committed.root / "privml" / "core.py", "number = 2\n")
    assert "executed in" in page.refresh(committed)


LOADED = """
import json, sys
for line in sys.stdin:
    topic, code = json.loads(line)
    for name in [name for name in sys.modules if name.partition(".")[0] == "privml"]:
        del sys.modules[name]
    exec(code, {})
    print(json.dumps([topic, [name for name in sys.modules if name.startswith("privml.")]]), file=sys.stderr)
"""


def imports(chapter):
    """The code of a chapter, and its lines that import, wherever they stand."""
    code = [
        source(cell)
        for cell in unexecuted(chapter).cells
        if cell["cell_type"] == "code"
    ]
    nodes = [node for text in code for node in ast.walk(ast.parse(text))]
    return code, "\n".join(
        ast.unparse(n) for n in nodes if isinstance(n, ast.Import | ast.ImportFrom)
    )


@pytest.fixture(scope="module")
def real():
    """The code of all chapters, and their lines that import."""
    return {chapter.topic: imports(chapter) for chapter in chapters(ROOT)}


def test_what_importing_the_imports_of_a_chapter_loads_is_behind_it(real):
    told = "".join(
        json.dumps([topic, lines]) + "\n" for topic, (_, lines) in real.items()
    )
    command, options = (
        [sys.executable, "-c", LOADED],
        {"capture_output": True, "text": True},
    )
    done = subprocess.run(command, input=told, cwd=ROOT, check=False, **options)
    loaded = dict(map(json.loads, done.stderr.splitlines()))
    assert done.returncode == 0
    assert loaded.keys() == real.keys()
    known = staleness.inputs(ROOT)
    for topic, modules in loaded.items():
        rooms = {name.split(".")[1] for name in modules}
        assert len(rooms) > 4, topic
        assert {room for room in rooms if room[0] != "_"} - known.rooms(
            real[topic][0]
        ) == set(), topic


def test_a_change_of_pate_leaves_most_chapters_as_they_are(real):
    known = staleness.inputs(ROOT)
    behind = {topic: known.rooms(code) for topic, (code, _) in real.items()}
    assert "pate" in behind["teachers-and-votes"]
    behind_votes = sum("pate" in rooms for rooms in behind.values())
    assert (
        5 < behind_votes < len(behind) / 2
    )  # in ten, and in those that read a table of studies
    assert all({"notebook", "figures"} <= rooms for rooms in behind.values())
    assert {"mechanisms", "audit", "learners"} <= behind[
        "first-hour"
    ]  # which imports the package


def test_names_of_modules_are_put_together_only_where_it_is_known(real):
    """In the package for names of its stub, of packages that are optional, of drawings and of studies."""
    by_name = {
        file.relative_to(ROOT).as_posix()
        for file in (ROOT / "privml").rglob("*.py")
        if {"import_module", "importlib.import_module", "__import__"}
        & called(file.read_text()).keys()
    }
    known = {"_exports.py", "_optional.py", "figures/__init__.py", "results/runs.py"}
    assert by_name == {f"privml/{name}" for name in known}
    for code, lines in real.values():
        text = "\n".join(code)
        loading = {
            "import_module",
            "__import__",
            "exec",
            "eval",
            "open",
            "subprocess.run",
        }
        assert not loading & called(text).keys()
        assert "book" not in lines.replace(".", " ").split()
