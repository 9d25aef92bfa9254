"""The finished pages have what figures, exercises and chapters get without their author's help."""

import json
import os
import platform
import signal
import subprocess
import sys

import pytest
from bs4 import BeautifulSoup
from jupyter_client.provisioning import LocalProvisioner
from nbformat.v4 import new_code_cell, new_notebook

import privml
from book import build, check
from book.figure import find
from book.tools.chapters import Chapter
from book.tools.compare import fingerprint
from book.tools.execute import kernel_environment, run, run_cells
from tests.book.conftest import EXERCISES

TOC = """\
format: jb-book
root: book/start
parts:
- caption: Chapters
  numbered: true
  chapters:
  - file: notebooks/a-chapter
- caption: Lists
  chapters:
  - file: book/all-figures
  - file: book/all-exercises
  - file: book/course-map
"""
MAP = "# Course map\n\n```{chapter-map}\n```\n\n```{chapter-lengths}\n```\n\n```{courses}\n```\n"
NEEDS = (
    "chapters: {a-chapter: {}}\ncourses: [{title: One week, weeks: [[a-chapter]]}]\n"
)
PROOF = EXERCISES[EXERCISES.index("\n```{exercise-start} A proof") :]
EXERCISE = PROOF.replace("again.", "again; compare {numref}`fig-a-chapter-line`.")
ERRATUM = """```{erratum} L4, line 7
A bracket is missing.
```

```{prf:theorem}"""
NAME = "fig-a-chapter-line"
DRAWN = (
    "---\nmystnb:\n  figure:",
    "---\ntags: [drawing, hide-input]\nmystnb:\n  figure:",
)


def whole(root):
    """Give the small book an exercise and the pages that list figures and exercises, and execute it."""
    (root / "_toc.yml").write_text(TOC)
    for what in ("figures", "exercises"):
        (root / "book" / f"all-{what}.md").write_text(
            f"# All {what}\n\n```{{all-{what}}}\n```\n"
        )
    (root / "book" / "course-map.md").write_text(MAP)
    (root / "book" / "prerequisites.yml").write_text(NEEDS)
    chapter = Chapter(root, "a-chapter")
    text = chapter.source.read_text().replace("## A result", "## A result *")
    text = text.replace("```{prf:theorem}", ERRATUM).replace(*DRAWN)
    chapter.source.write_text(text + EXERCISE)
    outcome = run(chapter)
    assert outcome.failure is None, outcome.failure
    chapter.notebook.write_text(outcome.text)


def made(root):
    """Build the pages; the exit status."""
    return build.main(["--root", str(root), "--html-only"])


def page(root, name):
    return BeautifulSoup(
        (root / "_build" / "html" / f"{name}.html").read_text(), "html.parser"
    )


def words(tag):
    return " ".join(tag.get_text().split())


def notebook(root, kind):
    file = root / "_build" / "html" / "downloads" / f"a-chapter-{kind}.ipynb"
    return ["".join(cell["source"]) for cell in json.loads(file.read_text())["cells"]]


def assert_has_short_path(chapter):
    """A star in a heading is a mark there and in the contents, with a count and a switch."""
    said = "further section: may be skipped at a first reading"
    assert (
        words(chapter.select_one("section.further > h2")) == f"1.1. A result★ ({said})#"
    )
    assert (
        words(chapter.select_one(".page-toc li.further > a"))
        == f"1.1. A result★ ({said})"
    )
    assert "· sections with a star ★" in words(chapter.select_one("h1 + .short-path"))
    assert chapter.select_one(".short-path + .chapter-bar > .path-switch") is not None
    assert chapter.select_one("script[src*='short-path.js']") is not None


def assert_plumbing_is_out_of_the_flow(chapter):
    """Cells stand in their order; imports and values are marked and not folded, and a drawer waits."""
    cells = [
        (cell["class"][1], "plumbing" in cell["class"])
        for cell in chapter.select("main div.cell")
    ]
    hidden = {"parameters": False, "imports": True, "values": True, "drawing": False}
    assert cells == [(f"tag_{tag}", is_hidden) for tag, is_hidden in hidden.items()]
    assert chapter.select("details.hide") == []
    assert chapter.select_one(".code-drawer[hidden] + #cite") is not None
    assert chapter.select_one(".chapter-bar > .code-switch[hidden]") is not None


def assert_tells_the_erratum_at_the_end(chapter):
    mark, note = map(
        chapter.select_one,
        ("div.theorem .erratum-mark", "#errata-of-the-sources > div"),
    )
    assert words(mark.parent) == "It holds. erratum 1"
    assert words(note) == "1. L4, line 7, to Theorem 1.1. A bracket is missing."
    assert mark.a["href"] == f"#{note['id']}"
    assert note.a["href"] == f"#{mark['id']}"


def assert_says_how_to_cite(foot):
    assert "title        = {{Chapter 1: A chapter}}," in foot.pre.get_text()
    assert words(foot.select("p")[1]) == (
        "A statement is cited with the same entry, as in \\cite[Theorem 1.1]{privml:a-chapter}; "
        "it has an address of its own, notebooks/a-chapter.html#l4-thm-one."
    )


def assert_is_stamped(root, foot):
    """Versions of the build, parameters, and the hash that `make verify` prints."""
    cells = json.loads((root / "notebooks" / "a-chapter.ipynb").read_text())["cells"]
    python = ".".join(platform.python_version_tuple()[:2])
    assert words(foot.select("p")[2]) == (
        f"Outputs made with privml {privml.__version__}, Python {python}, numpy 2, from seed = 0. "
        f"Hash of their texts and tables: {fingerprint(cells)}; in a clone of the book "
        "make verify CHAPTER=a-chapter executes the chapter again, compares cell by cell and prints "
        "the hash it found."
    )


def assert_has_course_map(course):
    row, told, week = (
        course.select_one(".course-map li"),
        *course.select("table tbody tr"),
    )
    assert words(row) == "1A chapter5 min; needs no other chapter"
    assert row.a["href"] == "../notebooks/a-chapter.html"
    assert words(told).startswith("1. A chapter 5 min ")
    assert words(week) == "1 1. A chapter A proof 5 min"  # with what to assign
    assert course.select_one("script[src*='course-map.js']") is not None


def assert_has_two_editions(small_book):
    student, teacher = (
        notebook(small_book, "for-students"),
        notebook(small_book, "with-solutions"),
    )
    assert "**Exercise 1.1** (A proof; pencil, hard)." in "".join(student)
    assert "Prove Theorem 1.1 again; compare Figure 1.1." in "".join(student)
    assert all(
        said in student[0]
        for said in ("*Chapter 1 of “privml", "`pip install '.[notebook]' jupyter")
    )
    assert "*Sections with a star can be skipped at a first reading.*" in student[0]
    assert "> *Erratum* (L4, line 7). A bracket is missing." in "".join(student)
    assert "As above." in "".join(teacher)
    assert "As above." not in "".join(student)


def test_a_chapter_comes_with_citations_downloads_and_lists(small_book, capsys):
    whole(small_book)
    assert made(small_book) == 0, capsys.readouterr().err
    html = small_book / "_build" / "html"

    chapter = page(small_book, "notebooks/a-chapter")
    line = chapter.select_one("figure ~ .figure-line")
    assert words(line.select_one(".figure-code summary")) == "code of Figure 1.1"
    assert (
        'notebook.figure(curves, table, ylabel="probability"'
        in line.select_one(".figure-code pre").text
    )
    said = "files, cite of Figure 1.1 data: CSV vector: SVG, PDF more: call, parameters, BibTeX"
    assert words(line.select_one(".figure-files")).startswith(said)
    assert line.select_one(".figure-files p > a")["href"] == f"#{NAME}"
    assert_plumbing_is_out_of_the_flow(chapter)
    assert "title = {{Figure 1.1: A line}}" in words(line)
    assert "Parameters used: none; no seed in the call." in words(line)
    files = [(chapter, link["href"]) for link in line.select("span a")]
    kinds = "csv", "svg", "pdf", "py", "json", "bib"
    assert [address.rpartition("/")[2] for _, address in files] == [
        f"{NAME}.{kind}" for kind in kinds
    ]
    assert all(
        (html / "notebooks" / address).stat().st_size > 0 for _, address in files
    )
    number = json.loads((html / "figures" / f"{NAME}.json").read_text())["number"]
    assert (number, find(small_book, number).name) == ("1.1", NAME)
    top = chapter.select_one(".chapter-downloads")
    assert (
        words(top)
        == "Download this chapter: for students, with solutions, source. Cite it"
    )
    assert all(
        (html / "notebooks" / link["href"]).exists()
        for link in top.select("a[download]")
    )
    foot = chapter.select_one(top.select("a")[-1]["href"])
    assert_says_how_to_cite(foot)
    assert_is_stamped(small_book, foot)
    assert_has_short_path(chapter)
    assert_tells_the_erratum_at_the_end(chapter)
    assert '"A result"' in (html / "searchindex.js").read_text()

    figures = page(small_book, "book/all-figures")
    assert "Figure 1.1. A line." in words(figures.article)
    assert figures.select_one("img.thumbnail")["alt"].startswith("A straight line")
    exercises = page(small_book, "book/all-exercises")
    assert "Exercise 1.1 A proof pencil hard a reader" in words(exercises.article)

    assert_has_course_map(page(small_book, "book/course-map"))

    assert_has_two_editions(small_book)


PLANTED = [
    (
        "{prf:ref}`l4-thm-one` again",
        "{prf:ref}`l4-thm-two` again",
        "book/a-chapter.md:65",
    ),
    (
        "{numref}`fig-a-chapter-line`",
        "{numref}`fig-a-chapter-lines`",
        "book/a-chapter.md:65",
    ),
    (
        "As above.",
        "As {abbreviation}`above`.",
        "cell 7: the role 'abbreviation' has no plain form",
    ),
]


@pytest.mark.parametrize(("old", "new", "sentence"), PLANTED)
def test_a_reference_that_leads_nowhere_is_named_with_chapter_and_cell(
    small_book, capsys, old, new, sentence
):
    whole(small_book)
    for name in ("book/a-chapter.md", "notebooks/a-chapter.ipynb"):
        text = (small_book / name).read_text()
        assert old in text
        (small_book / name).write_text(text.replace(old, new))
    assert check.notebook_faults(small_book) == []
    assert made(small_book) == 1
    said = capsys.readouterr().err
    assert sentence in said, said
    assert "a-chapter" in said


def test_a_fault_of_the_sources_stops_the_build_before_a_page_is_made(
    small_book, capsys
):
    whole(small_book)
    source = small_book / "book" / "a-chapter.md"
    source.write_text(
        source.read_text().replace("It holds.", "It holds by {prf:ref}`lem-no`.")
    )
    assert made(small_book) == 1
    said = capsys.readouterr().err
    assert "FAULT book/a-chapter.md:40: a reference to 'lem-no'" in said
    assert (
        "FAULT a-chapter: cell 4 of the notebook is not the cell of book/a-chapter.md"
        in said
    )
    assert not (small_book / "_build" / "html").exists()


def test_a_fault_of_the_sources_stops_the_build_before_a_chapter_is_executed(
    small_book, capsys
):
    source = small_book / "book" / "a-chapter.md"
    source.write_text(
        source.read_text().replace("It holds.", "It holds by {prf:ref}`lem-no`.")
    )
    assert build.main(["--root", str(small_book)]) == 1
    said = capsys.readouterr()
    assert "FAULT book/a-chapter.md:36: a reference to 'lem-no'" in said.err
    assert "to execute" not in said.out
    assert not Chapter(small_book, "a-chapter").notebook.exists()


def test_kernels_import_the_library_of_their_root_and_end_without_an_interrupt(
    tmp_path, monkeypatch
):
    """Which an idle kernel sometimes tells the terminal as an error."""
    sent, send = [], LocalProvisioner.send_signal
    monkeypatch.setattr(
        LocalProvisioner, "send_signal", lambda of, n: sent.append(n) or send(of, n)
    )
    (tmp_path / "privml").mkdir()
    (tmp_path / "privml" / "__init__.py").write_text("")
    asked = new_notebook(cells=[new_code_cell("import privml\nprivml.__file__")])
    told = run_cells(tmp_path, asked).cells[0].outputs[0]["data"]["text/plain"]
    assert told == repr(str(tmp_path / "privml" / "__init__.py"))
    assert signal.SIGINT not in sent


def test_kernels_draw_with_the_fonts_of_matplotlib_whatever_list_the_machine_keeps(
    tmp_path,
):
    from matplotlib import font_manager

    elsewhere, family = (
        tmp_path / "matplotlib",
        font_manager.FontManager.__new__(font_manager.FontManager),
    )
    vars(family).update(vars(font_manager.fontManager), ttflist=[])
    elsewhere.mkdir()
    font_manager.json_dump(family, elsewhere / f"fontlist-v{family._version}.json")
    asked = [
        sys.executable,
        "-c",
        "from matplotlib import font_manager; font_manager.findfont('cmr10')",
    ]
    given = os.environ | {
        "MPLCONFIGDIR": str(elsewhere),
        "XDG_CACHE_HOME": str(tmp_path),
    }
    for settings, words in [
        (given, "not found"),
        (given | kernel_environment(tmp_path), ""),
    ]:
        done = subprocess.run(
            asked, env=settings, capture_output=True, text=True, check=False
        )
        assert (words in done.stderr, bool(done.stderr)) == (True, bool(words))
