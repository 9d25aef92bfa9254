"""A chapter that nbval found to agree is not executed again; any doubt, and it is."""

import pytest

from book import nbval_report
from book.tools import staleness
from book.tools.chapters import Chapter
from book.tools.execute import run

CASE = '<testcase classname="notebooks.a-chapter.ipynb" name="Cell {}">{}</testcase>'


@pytest.fixture
def executed_book(small_book):
    """The small book with its chapter executed, but not remembered."""
    chapter = Chapter(small_book, "a-chapter")
    chapter.notebook.write_text(run(chapter).text)
    return small_book


def stale_after(book, inside=("", "", "", ""), change=lambda book: None):
    """Whether the build would execute the chapter after a report with these contents of its four cases."""
    report = book / "report.xml"
    cases = "".join(CASE.format(number, text) for number, text in enumerate(inside))
    report.write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
    change(book)
    assert nbval_report.main(str(report), book) == 0
    return staleness.inputs(book).is_stale(Chapter(book, "a-chapter"))


def reword(book):
    source = book / "book" / "a-chapter.md"
    source.write_text(source.read_text().replace("It holds.", "It holds always."))


def test_a_chapter_whose_cells_all_agree_is_not_executed_again(executed_book):
    assert staleness.inputs(executed_book).is_stale(Chapter(executed_book, "a-chapter"))
    assert not stale_after(executed_book, ("", "<system-out>text</system-out>", "", ""))


@pytest.mark.parametrize("kind", ["failure", "error", "skipped"])
def test_one_cell_that_did_not_pass_is_enough_to_execute_it(executed_book, kind):
    assert stale_after(executed_book, ("", "", f'<{kind} message="no">no</{kind}>', ""))


def test_a_cell_that_was_not_run_or_another_source_is_executed(executed_book):
    assert stale_after(executed_book, ("", "", ""))
    assert stale_after(executed_book, change=reword)
