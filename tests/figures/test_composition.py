"""Each figure of the chapter on composition draws what its table holds."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from privml.experiments import composition as experiments
from privml.figures import composition as figures

CASES = {
    "composed_curves": (lambda: experiments.composition_curves(0.5, 10, [0.0, 1.0, 2.0, 3.0]), {}),
    "loss_of_many": (lambda: experiments.total_loss(0.5, 20), {}),
    "orders_of_divergence": (lambda: experiments.renyi_by_order(1.0, [1.0, 2.0, 9.0]), {"epsilon": 1.0}),
    "rule_of_thumb_spent": (lambda: experiments.rule_of_thumb(1000, [0.1, 0.01], [4.0, 8.0, 20.0]), {}),
    "total_by_steps": (lambda: experiments.epsilon_by_steps(0.5, [1, 5, 20], 1e-3), {}),
}
GROUPS = {
    "composed_curves": ("rule", "delta"),
    "orders_of_divergence": ("pair", "quotient"),
    "rule_of_thumb_spent": ("delta", "ratio"),
    "total_by_steps": ("rule", "epsilon"),
}


def drawn(name):
    table, options = CASES[name]
    axes = Figure().subplots()
    getattr(figures, name)(table(), axes, **options)
    return axes


def test_every_draw_function_has_a_case():
    assert sorted(CASES) == figures.__all__


@pytest.mark.parametrize("name", figures.__all__)
def test_axes_are_labelled_and_curves_named(name):
    axes = drawn(name)
    assert axes.get_ylabel()
    assert axes.get_xlabel()
    assert axes.get_legend() is not None


@pytest.mark.parametrize("name", sorted(GROUPS))
def test_each_group_of_the_table_is_a_curve(name):
    group, column = GROUPS[name]
    curves = [list(curve.get_ydata()) for curve in drawn(name).lines]
    for _, rows in CASES[name][0]().groupby(group):
        assert list(rows[column]) in curves


def test_the_two_laws_are_curves_and_their_means_are_marked():
    table, axes = CASES["loss_of_many"][0](), drawn("loss_of_many")
    means = [(table["loss"] * table[column]).sum() for column in ("here", "neighbour")]
    marked = [line.get_xdata()[0] for line in axes.lines if len(set(line.get_xdata())) == 1]
    np.testing.assert_allclose(sorted(marked), sorted(means))
    assert any(np.array_equal(line.get_ydata(), table["here"]) for line in axes.lines)


def test_one_rule_looks_the_same_in_both_figures():
    colours = [
        {line.get_label(): line.get_color() for line in drawn(name).lines}
        for name in ("composed_curves", "total_by_steps")
    ]
    common = set(colours[0]) & set(colours[1])
    assert len(common) == 6
    assert all(colours[0][label] == colours[1][label] for label in common)
