"""Which chapters are stale, and what the contents name: `book.tools.chapters`."""

import shutil

import pytest

from book.tools import chapters
from book.tools.chapters import Chapter, shared_inputs, write_whole


@pytest.fixture
def made(small_book):
    """A chapter that is up to date."""
    write_whole(small_book / "notebooks" / "a-chapter.ipynb", "{}\n")
    [chapter] = chapters.chapters(small_book)
    chapter.remember(chapter.inputs(shared_inputs(small_book)))
    assert not chapter.is_stale(shared_inputs(small_book))
    return chapter


@pytest.mark.parametrize(
    "name",
    [
        "book/a-chapter.md",
        "privml/core.py",
        "privml/new/part.py",
        "privml/data/cuts.csv",
        "results/table.csv",
        "constraints.txt",
        "book/tools/normalise.py",
        "notebooks/a-chapter.ipynb",
    ],
)
def test_a_change_of_what_decides_the_outputs_makes_a_chapter_stale(made, name):
    write_whole(made.root / name, "changed\n")
    assert made.is_stale(shared_inputs(made.root))


@pytest.mark.parametrize(
    "name",
    ["book/start.md", "README.md", "tests/test_it.py", "privml/__pycache__/core.pyc", "privml/.core.swp"],
)
def test_a_change_of_something_else_does_not(made, name):
    write_whole(made.root / name, "changed\n")
    assert not made.is_stale(shared_inputs(made.root))


def test_dates_do_not_decide(made):
    for file in made.root.rglob("*.*"):
        if file.is_file() and not file.is_symlink():
            file.touch()
    assert not made.is_stale(shared_inputs(made.root))


def test_a_renamed_module_makes_a_chapter_stale(made):
    (made.root / "privml" / "core.py").rename(made.root / "privml" / "heart.py")
    assert made.is_stale(shared_inputs(made.root))


def test_a_fresh_clone_has_no_record_and_is_stale(made):
    shutil.rmtree(made.root / "_build")
    assert made.is_stale(shared_inputs(made.root))


def test_a_missing_notebook_is_stale(made):
    made.notebook.unlink()
    assert made.is_stale(shared_inputs(made.root))


def test_the_contents_are_read_in_order_through_parts_and_sections(tmp_path):
    (tmp_path / "_toc.yml").write_text(
        "root: book/start\nparts:\n- caption: A\n  chapters:\n  - file: notebooks/one\n    sections:\n"
        "    - file: book/two.md\n- caption: B\n  chapters: [{file: notebooks/three}, {url: x}]\n"
    )
    assert chapters.pages(tmp_path) == ["book/start", "notebooks/one", "book/two", "notebooks/three"]


def test_a_page_without_a_source_is_named(small_book):
    (small_book / "book" / "a-chapter.md").unlink()
    with pytest.raises(FileNotFoundError, match="a-chapter, but there is no book/a-chapter.md"):
        chapters.chapters(small_book)


def test_files_are_written_whole(tmp_path):
    write_whole(tmp_path / "new" / "a.txt", "text")
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["a.txt"]
    assert Chapter(tmp_path, "x").source == tmp_path / "book" / "x.md"
