"""What the contents name, and how files are written: `book.tools.chapters`."""

import pytest

from book.tools import chapters
from book.tools.chapters import Chapter, write_whole


def test_the_contents_are_read_in_order_through_parts_and_sections(tmp_path):
    (tmp_path / "_toc.yml").write_text(
        "root: book/start\nparts:\n- caption: A\n  chapters:\n  - file: notebooks/one\n    sections:\n"
        "    - file: book/two.md\n- caption: B\n  chapters: [{file: notebooks/three}, {url: x}]\n"
    )
    assert chapters.pages(tmp_path) == [
        "book/start",
        "notebooks/one",
        "book/two",
        "notebooks/three",
    ]


def test_a_page_without_a_source_is_named(small_book):
    (small_book / "book" / "a-chapter.md").unlink()
    with pytest.raises(
        FileNotFoundError, match="a-chapter, but there is no book/a-chapter.md"
    ):
        chapters.chapters(small_book)


def test_files_are_written_whole(tmp_path):
    write_whole(tmp_path / "new" / "a.txt", "text")
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["a.txt"]
    assert Chapter(tmp_path, "x").source == tmp_path / "book" / "x.md"
