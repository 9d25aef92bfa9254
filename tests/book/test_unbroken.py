"""Lines of a page do not begin with a comma, and what is not text keeps every character."""

import pytest

from book.extensions.unbroken import held

OPENING = '<span class="math notranslate nohighlight">'


def formula(tex):
    """A formula as pages have it before a browser sets it."""
    return rf"{OPENING}\({tex}\)</span>"


LONG = formula("x" * 80)


@pytest.mark.parametrize(
    ("text", "on_one_line"),
    [
        (f"for {formula('x')}, and", f"{formula('x')},"),
        (f"of the rule (“{formula('x')}” or {formula('y')}).", f"(“{formula('x')}”"),
        (f"of the rule (“{formula('x')}” or {formula('y')}).", f"{formula('y')})."),
        (f"{formula('P')}’s law", f"{formula('P')}’s"),
        (f"{formula('k')}th, so", f"{formula('k')}th,"),
        (f"{formula('a < b')}&gt; c", f"{formula('a < b')}&gt;"),
        (f"{formula('a')}–{formula('b')} c", f"{formula('a')}–"),
        (f"is {formula('e')}-differentially private", f"{formula('e')}-differentially"),
        (f"is {LONG}-differentially private", f"{LONG}-"),
    ],
)
def test_a_formula_keeps_what_touches_it(text, on_one_line):
    assert f'<span class="together">{on_one_line}</span>' in held(text)


@pytest.mark.parametrize(
    "text", [f"for {formula('x')} and", f"<em>{formula('x')}</em>, and"]
)
def test_a_formula_that_nothing_touches_stays_as_it_is(text):
    assert held(text) == text


def test_a_power_of_ten_stays_on_one_line():
    assert held("<td>4.28 × 10⁻⁵⁰</td>") == "<td>4.28\xa0×\xa010⁻⁵⁰</td>"
    assert held("2 × 10<sup>3</sup>, 3 × 100") == "2\xa0×\xa010<sup>3</sup>, 3 × 100"


@pytest.mark.parametrize("tag", ["pre", "script", "textarea"])
def test_code_and_data_keep_every_character(tag):
    kept = f"<{tag}>1 × 10⁻⁵ {formula('x')}, \n</{tag}>"
    assert held(f"{kept} 2 × 10⁻⁵ {kept}") == f"{kept} 2\xa0×\xa010⁻⁵ {kept}"


def test_the_link_of_a_solution_is_set_like_text():
    link = '<a class="reference internal" href="#ex-a">'
    said = (
        f"Solution to{link} Exercise 2.5 (&quot;It's stable, hence private&quot;)</a>"
    )
    assert (
        held(said)
        == f"Solution to {link}Exercise 2.5 (“It’s stable, hence private”)</a>"
    )
