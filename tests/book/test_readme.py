"""README shows the tables that the chapters show."""

import pytest

from book import readme
from book.tools.chapters import ROOT


@pytest.fixture
def copy(tmp_path):
    """A folder with README and the notebooks."""
    (tmp_path / "README.md").write_bytes((ROOT / "README.md").read_bytes())
    (tmp_path / "notebooks").symlink_to(ROOT / "notebooks")
    return tmp_path


def test_readme_shows_the_tables_of_the_committed_notebooks():
    committed = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme.written(ROOT) == committed, "python -m book.readme writes them"
    for topic, columns in readme.TABLES.items():
        assert (
            f"<!-- made by book.readme: {topic} -->\n\n| {' | '.join(columns)} |\n|"
            in committed
        )


def test_a_changed_number_is_written_again(copy):
    file = copy / "README.md"
    whole = file.read_text(encoding="utf-8")
    file.write_text(whole.replace("| 0.376 |", "| 0.377 |"), encoding="utf-8")
    assert file.read_text(encoding="utf-8") != whole
    assert readme.main(["--root", str(copy)]) == 0
    assert file.read_text(encoding="utf-8") == whole


def test_a_lost_mark_is_an_error(copy):
    file = copy / "README.md"
    file.write_text(
        file.read_text(encoding="utf-8").replace("made by book.readme: how", "by: how")
    )
    with pytest.raises(
        ValueError, match="must have <!-- made by book.readme: how-much-is-wasted"
    ):
        readme.written(copy)
