"""Each figure of the chapter on noise draws what its table holds."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from privml.experiments import noise as experiments
from privml.figures import noise as figures

CASES = {
    "answers_in_floats": lambda: experiments.answers_in_half_precision(1.0, 0.98, 1.02),
    "classical_delta_over_claim": lambda: experiments.classical_deltas([1e-3, 1e-5], [1.0, 5.0, 10.0]),
    "curves_beside_floats": lambda: experiments.curves_in_half_precision(1.0, 2, [0.1, 0.5, 2.0]),
    "curves_of_noise": lambda: experiments.noise_curves(1.0, [0.1, 0.5, 2.0]),
    "losses_of_answers": lambda: experiments.losses(1.0, 2.0, [-1.0, 0.5, 2.0]),
    "noise_on_many_counts": lambda: experiments.deviations([1, 4, 16], 1.0, 1e-5),
    "sigma_over_exact": lambda: experiments.calibrations(1e-5, [0.1, 1.0, 10.0]),
}


def drawn(name):
    axes = Figure().subplots()
    getattr(figures, name)(CASES[name](), axes)
    return axes


def test_every_draw_function_has_a_case():
    assert sorted(CASES) == figures.__all__


@pytest.mark.parametrize("name", figures.__all__)
def test_axes_are_labelled_and_curves_named(name):
    axes = drawn(name)
    assert axes.get_ylabel()
    assert axes.get_xlabel()
    assert axes.get_legend() is not None


@pytest.mark.parametrize(
    ("name", "group", "column"),
    [
        ("classical_delta_over_claim", "claimed", "ratio"),
        ("losses_of_answers", "noise", "privacy_loss"),
        ("noise_on_many_counts", "noise", "deviation"),
    ],
)
def test_a_group_of_the_table_is_a_curve(name, group, column):
    curves = [curve.get_ydata() for curve in drawn(name).lines]
    for _, rows in CASES[name]().groupby(group):
        assert any(np.array_equal(curve, rows[column]) for curve in curves)


@pytest.mark.parametrize("name", ["curves_of_noise", "curves_beside_floats"])
def test_values_below_the_lowest_are_left_out(name):
    curves = drawn(name).lines
    assert len(curves) >= 3
    for curve in curves:
        assert (np.asarray(curve.get_ydata()) >= 1e-6).all()


def test_sigma_is_drawn_over_the_exact_one_and_the_unproved_part_apart():
    table = CASES["sigma_over_exact"]()
    wanted = (table["classical"] / table["exact"]).to_numpy()
    curves = {curve.get_label(): np.asarray(curve.get_ydata()) for curve in drawn("sigma_over_exact").lines}
    np.testing.assert_allclose(curves["classical, proved"], wanted[:2])
    np.testing.assert_allclose(curves["classical formula, beyond"], wanted[1:])
    np.testing.assert_allclose(curves["tail of the loss"], table["tail"] / table["exact"])


def test_every_answer_in_floats_has_its_stem():
    table = CASES["answers_in_floats"]()
    heights = np.concatenate([curve.get_ydata() for curve in drawn("answers_in_floats").lines[:-1]])
    signed = np.where(table["value"] == 0, 1, -1) * table["probability"]
    np.testing.assert_allclose(np.sort(heights), np.sort(signed))
