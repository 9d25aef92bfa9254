"""Chapters under other values of their parameters: `book.tools.variations`."""

from pathlib import Path

import pytest

from book.tools import live, named_numbers
from book.tools.chapter_code import source, tags
from book.tools.chapters import Chapter, topics
from book.tools.execute import unexecuted
from book.tools.variations import HOLDS, Outcome, Variations, faults, others

ROOT = Path(__file__).resolve().parents[2]
CALCULATORS = [
    {"n_steps": 1_000_000}, {"epsilon": 50.0}, {"epsilon": 1000.0}, {"epsilon": -1.0}, {"delta": 0.0},
    {"n_samples": 0}, {"n_samples": 1}, {"n_hypotheses": 1}, {"cutoff": 300}, {"alpha": 2.0},
]  # fmt: skip

# What once stopped a chapter: in which cell (None: in whichever), and the values.
MENDED = [
    ("best-private-learner", 17, [{"n_points": 1}, {"n_samples": 1}, {"n_samples": 6}]),
    ("first-hour", 8, [{"epsilon": 0.1}]),
    ("how-much-is-wasted", 10, [{"delta": 0.05}]),
    ("how-to", 4, [{"alpha": 0.02}, {"beta": 0.001}]),
    ("noise-on-integers", 18, [{"largest": 1}]),
    ("sparse-vectors", 28, [{"delta": 1e-9}]),
    ("tsybakov-condition", 17, [{"epsilon": 0.1}]),
    ("what-privacy-promises", None, [{"epsilon": 0.1}]),
]
# What a remark refuses, since the chapter would stop there.
REFUSED = [
    ("generalisation-for-free", "n_game", 500),
    ("how-much-is-wasted", "epsilon", 5.0),
    ("private-experts-today", "delta", 1e-9),
    ("tracing", "delta", 1e-3),
]


@pytest.fixture
def edited(committed):
    """The small book's chapter with other text in place of some."""

    def edit(old, new):
        text = committed.source.read_text()
        assert old in text
        committed.source.write_text(text.replace(old, new))
        return committed

    return edit


def test_a_value_that_stops_a_chapter_is_found_and_the_others_are_not(edited):
    [fault] = faults(edited('print("threads"', '1 / (seed - 2)\nprint("threads"'))
    assert (
        fault
        == "a-chapter stops at seed=2, code cell 3: ZeroDivisionError: division by zero"
    )


def test_cells_that_do_not_stand_on_a_value_keep_what_they_made(edited):
    chapter = edited(
        "## A result",
        "```{code-cell} ipython3\ncalls = [0]\ncalls[0] += 1\n```\n\n## A result",
    )
    chapter = edited('print("threads"', 'assert calls == [1], calls\nprint("threads"')
    assert Variations(chapter).apart({"seed": 5}) == Outcome()


def test_a_function_sees_the_names_of_its_own_run(edited):
    """Not those at the end of the first run, where a later cell has bound one anew."""
    before = "```{code-cell} ipython3\ndef other(x):\n    return one(x)\n\ndef one(x):\n    return x\n```\n\n"
    edited("## A result", before + "## A result")
    edited('print("threads"', 'other(seed)\nprint("threads"')
    assert (
        Variations(edited("table = pd.", "one = 1\ntable = pd.")).apart({"seed": 5})
        == Outcome()
    )


def test_a_run_that_takes_too_long_ends(edited):
    chapter = edited('print("threads"', 'while seed: pass\nprint("threads"')
    assert (
        Variations(chapter).apart({"seed": 1}, seconds=1).words
        == "no answer within 1 s"
    )


def test_captions_follow_the_parameters_that_move_their_figures(edited):
    moves = '"probability": [0.5, 1 / (seed + 3)]'
    assert list(faults(edited('"A line."', '"A line, seed = 0."'))) == []
    chapter = edited('"probability": [0.5, 1 / 3]', moves)
    assert list(faults(chapter)) == [
        "a-chapter, code cell 4: its figure follows seed, its words do not"
    ]
    found = named_numbers.typed_parameters(
        "2,000 of 12, s = 1", {"n": 2000, "k": 2, "s": 1}, alone=True
    )
    assert found == ["n", "s"]
    chapter = edited("seed = 0.", "seed = {glue:text}`given-seed`.")
    assert list(faults(chapter)) == []
    chapter = edited(moves, '"probability": [0.5, 1 / 3]')
    assert list(faults(chapter)) == [
        "a-chapter, code cell 4: its figure does not follow seed, its words do"
    ]


@pytest.mark.parametrize(
    ("text", "value", "meant"),
    [
        ("10,20", 1020, False),
        ("10,20", 20, True),
        ("1,020", 1020, True),
        ("1,000,000", 1_000_000, True),
        ("1e+06", 1_000_000, True),
        ("1e+06", 6, False),
        ("12,345.5 of them", 12345.5, True),
        ("1,2345", 12345, False),
    ],
)
def test_numbers_are_read_as_they_are_typed(text, value, meant):
    for said, alone in ((f"n = ${text}$", False), (f"of {text}", True)):
        if alone or value != 20:  # the second of two numbers has no sign before it
            assert (
                named_numbers.typed_parameters(said, {"n": value}, alone=alone)
                == ["n"] * meant
            ), said


@pytest.mark.parametrize(
    ("topic", "last", "values"), MENDED, ids=[topic for topic, *_ in MENDED]
)
def test_what_stopped_a_chapter_stops_it_no_more(topic, last, values, monkeypatch):
    monkeypatch.chdir(ROOT / "notebooks")
    ready = Variations(Chapter(ROOT, topic), last)
    assert [ready.apart(some)[:2] for some in values] == [Outcome()[:2]] * len(values)


@pytest.mark.parametrize(("topic", "name", "value"), REFUSED)
def test_what_would_stop_a_chapter_is_refused_by_the_remark_on_its_parameter(
    topic, name, value
):
    limits = limits_of(unexecuted(Chapter(ROOT, topic)).cells)[name]
    assert not all(HOLDS[sign](value, bound) for sign, bound in limits)


def limits_of(cells):
    """Limits of the parameters of a chapter."""
    [text] = [source(cell) for cell in cells if "parameters" in tags(cell)]
    return {held["name"]: held["limits"] for held in live.parameter_fields(text)}


@pytest.mark.parametrize("topic", topics(ROOT))
def test_each_number_among_the_parameters_has_other_values(topic):
    cells = unexecuted(Chapter(ROOT, topic)).cells
    limits = limits_of(cells)
    for name, value in named_numbers.parameters(cells).items():
        found = others(topic, name, value, limits[name])
        assert len(found) >= 4 or topic == "your-data" or isinstance(value, list)
        assert all(type(one) is type(value) and one != value for one in found)


@pytest.fixture(scope="module")
def calculators():
    return Variations(Chapter(ROOT, "calculators"))


@pytest.mark.parametrize("values", CALCULATORS, ids=str)
def test_the_calculators_go_on_where_a_rule_refuses_and_an_empty_bound_says_so(
    calculators, values
):
    assert calculators.apart(values) == Outcome()
    assert [calculators.space["said"](lambda: 2.6, most)[4:] for most in (3, 1)] == [
        "",
        ": says nothing",
    ]
