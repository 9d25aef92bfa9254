"""Each figure of the chapter on privacy and stability draws what its table holds."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from privml.experiments import privacy_is_stability as experiments
from privml.figures import privacy_is_stability as figures

CASES = {
    "gap_curves": lambda: experiments.gaps_by_size("coin", [4, 16], 4),
    "implication_diagram": lambda: experiments.implications("coin", 4, 1.0, 4),
    "learners_at_random": lambda: experiments.random_learners(2, 10, 0),
    "memory_curves": lambda: experiments.memorising([0.1, 1.0, np.inf], 100, 10),
    "rate_curves": lambda: experiments.rates("coin", 4, [0.5, 1.0], 4),
    "root_subsample_curves": lambda: experiments.subsampled_constants([4], 1.0),
    "stability_bound_curves": lambda: experiments.bounds_by_epsilon([0.5, 1.0, 1.5, 2.0], 3),
}


def drawn(name):
    axes = Figure().subplots()
    getattr(figures, name)(CASES[name](), axes)
    return axes


def test_every_draw_function_has_a_case():
    assert sorted(CASES) == figures.__all__


@pytest.mark.parametrize("name", sorted(set(CASES) - {"implication_diagram"}))
def test_axes_are_labelled_and_curves_named(name):
    axes = drawn(name)
    assert axes.get_xlabel()
    assert axes.get_ylabel()
    assert axes.get_legend() is not None


def test_the_level_of_erm_is_drawn_and_kept_off_the_curves():
    axes = drawn("memory_curves")
    assert [len(line.get_xdata()) for line in axes.lines[:3]] == [2, 2, 2]
    level = CASES["memory_curves"]()["gap"].iloc[-1]
    assert axes.lines[3].get_ydata()[0] == pytest.approx(level)


def test_the_map_names_every_notion_and_writes_every_inequality():
    table, axes = CASES["implication_diagram"](), drawn("implication_diagram")
    words = [text.get_text() for text in axes.texts]
    assert set(table[table["kind"] == "node"]["name"]) <= set(words)
    arrows = table[table["kind"] != "node"]
    for _, arrow in arrows[arrows["kind"] != "refuted"].iterrows():
        assert f"{arrow['left']:.3f} ≤ {arrow['right']:.3f}" in words
    assert any(word.startswith("no: 0.250") for word in words)
