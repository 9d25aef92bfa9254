"""The collection of draw functions: `privml.figures`."""

import inspect
import subprocess
import sys

import pytest

from privml import figures


def topic_with(monkeypatch, tmp_path, **files):
    """A package of draw functions made for the test in the place of the real one."""
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.setattr(figures, "__path__", [*figures.__path__, str(tmp_path)])
    for name in files:
        monkeypatch.delitem(sys.modules, f"privml.figures.{name}", raising=False)


def test_draw_names_are_unique_and_every_draw_function_takes_a_table_and_axes():
    for name, draw in figures.draw_functions().items():
        first, second, *options = inspect.signature(draw).parameters.values()
        assert (first.name, second.name) == ("table", "axes"), name
        assert all(option.kind is option.KEYWORD_ONLY for option in options), name
        assert getattr(figures, name) is draw


def test_a_name_used_by_two_topics_raises(monkeypatch, tmp_path):
    text = "__all__ = ['same']\ndef same(table, axes):\n    pass\n"
    topic_with(monkeypatch, tmp_path, planted_one=text, planted_two=text)
    with pytest.raises(ValueError, match="draw name must be unique, got 'same'"):
        figures.draw_functions()


def test_an_unknown_draw_function_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = figures.nonsense


def test_the_package_alone_does_not_import_matplotlib():
    code = "import sys, privml.figures; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
