"""Tables of the chapter on sublevel sets and rates: orders, closed forms, and the errata they show."""

from math import inf

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import binom

from privml.experiments import sublevel_sets_and_rates as experiments
from privml.experiments.sublevel_sets_and_rates.base import samples, segment, square


def test_the_losses_lie_in_the_unit_interval_and_change_by_at_most_the_variation():
    for problem in (segment("absolute", 0.3), segment("squared", 0.3), segment("needle", 0.3), square(16)):
        assert problem.losses.min() >= 0
        assert problem.losses.max() <= 1
        if problem.dimension == 1:
            assert abs(np.diff(problem.losses, axis=0)).max() <= 2 * problem.variation + 1e-12
    with pytest.raises(ValueError, match="name must be"):
        segment("cubic", 0.3)


def test_the_samples_that_are_left_out_do_not_matter():
    for n, share in ((5, 0.3), (10**4, 0.02), (10**5, 0.4)):
        frequencies, chances = samples(segment("absolute", share, 4), n)
        assert chances.sum() == pytest.approx(1, abs=1e-12)
        assert chances @ frequencies[:, 1] == pytest.approx(share)


@pytest.mark.source("WLF16-cond-A2", "WLF16-ex-21")
def test_the_bands_hold_the_ratios_of_closed_form_and_no_convex_problem_leaves_its_line():
    heights = np.geomspace(0.02, 0.5, 6)
    table = experiments.curves(8, 0.3, heights)
    assert (table["lower"] <= table["upper"] + 1e-12).all()
    convex = table[table["problem"] != "needle"]
    assert (convex["lower"] <= convex["convex"] + 1e-12).all()
    yes = np.arange(9)
    chances = binom.pmf(yes, 8, 0.3)
    for name, exact in (
        ("absolute", lambda p, t: min(t / abs(1 - 2 * p), 1) if p != 0.5 else 1.0),
        ("squared", lambda p, t: min(p + t**0.5, 1) - max(p - t**0.5, 0)),
    ):
        rows = table[table["problem"] == name]
        for t, low, high in zip(rows["t"], rows["lower"], rows["upper"], strict=True):
            found = np.log(chances @ [1 / exact(p, t) for p in yes / 8])
            assert low - 1e-9 <= found <= high + 1e-9


@pytest.mark.source("WLF16-cond-A2")
def test_certified_constants_are_those_of_the_definition():
    table = experiments.certificates(8, 0.3, np.geomspace(0.05, 0.4, 8)).set_index("problem")
    assert table.loc["absolute", "rho"] == pytest.approx(0.95, abs=0.1)
    assert table.loc["squared", "rho"] < 0.55
    assert table.loc["needle", "K_d"] > 2
    assert (table["K"] > 0).all()
    assert table["K_convex"].isna().tolist() == [False, False, True, False]


@pytest.mark.erratum("WLF16-ex-21/1")
def test_the_printed_volume_fails_from_the_dimensions_named():
    table = experiments.printed_volumes(range(1, 21), [1.0, 2.0, inf], 0.1)
    first = table[~table["holds"]].groupby("p")["d"].min()
    assert first.to_dict() == {1.0: 5, 2.0: 15}
    assert ((table["log_K"] > table["log_K_printed"]) == (table["volume"] < 1)).all()


def mean_square(p, q):
    """Mean of (h - q)^2 under the density proportional to exp(-6 (h - p)^2) on [0, 1]."""
    total = quad(lambda h: np.exp(-6 * (h - p) ** 2), 0, 1)[0]
    return quad(lambda h: np.exp(-6 * (h - p) ** 2) * (h - q) ** 2, 0, 1)[0] / total


@pytest.mark.source("WLF16-thm-19", "WLF16-lem-37")
def test_the_exact_expectations_agree_with_adaptive_quadrature():
    table = experiments.wanted([6], 2.0, 0.3)
    gap = excess = 0.0
    for yes in range(7):
        p, chance = yes / 6, binom.pmf(yes, 6, 0.3)
        gap += chance * mean_square(p, p)
        excess += chance * mean_square(p, 0.3)
    assert table.loc[0, "empirical"] == pytest.approx(gap, rel=1e-5)
    assert table.loc[0, "excess"] == pytest.approx(excess, rel=1e-5)
    assert table.loc[0, "convex"] == pytest.approx(1 / 6)


@pytest.mark.source("WLF16-thm-19", "WLF16-ex-20", "WLF16-ex-21", "WLF16-fig-3")
def test_exact_risks_lie_below_all_bounds_and_the_bounds_in_order():
    for name in ("absolute", "squared"):
        table = experiments.rates(name, [50, 2000], 0.4)
        assert (table["excess"] < table["convex"]).all()
        assert (table["convex"] < table["condition"]).all()
        assert (table["condition"] < table["wlf16"] / 4.5).all()
    levels = experiments.level_rates(16, [100, 10_000], 0.4)
    assert (levels["excess"] < levels["ours"]).all()
    assert (levels["ours"] < levels["wlf16"]).all()


def test_with_many_records_the_excess_of_the_absolute_loss_is_one_over_c():
    row = experiments.rates("absolute", [10**6], 0.4).iloc[0]
    assert row["excess"] * row["epsilon"] * 10**6 / 2 == pytest.approx(1, rel=1e-3)


@pytest.mark.source("WLF16-lem-36")
def test_the_worst_class_lies_between_half_the_entropy_and_the_entropy():
    table = experiments.finite_gaps([2, 16, 10**6], 10**5, 0.2)
    assert (table["worst"] < table["ours"]).all()
    assert table["worst"].iloc[-1] > 0.75 * table["ours"].iloc[-1]
    assert (table["ours"] < table["wlf16_tight"] / 2.5).all()
    np.testing.assert_allclose(table["wlf16"], 1.8 * table["wlf16_tight"])


@pytest.mark.source("WLF16-fig-3")
def test_every_number_of_the_map_is_below_its_bound():
    table = experiments.theorem_map(5, 12, 0.8, 0.3)
    known = table[table["bound"].notna()]
    assert (known["exact"] <= known["bound"] + 1e-12).all()
    arrows = table[table["kind"] == "arrow"]
    assert set(arrows["name"]) | set(arrows["to"]) == set(table.loc[table["kind"] == "node", "name"])


@pytest.mark.erratum("WLF16-lem-36/1", "WLF16-thm-19/2")
def test_beyond_the_known_heights_the_printed_bounds_are_false():
    row = experiments.beyond_t_max([50], 0.05).iloc[0]
    assert row["t"] > 0.01
    values = np.r_[0.0, np.full(999, 0.5)]
    weights = np.exp(-0.05 * 50 / (2 * 2) * values)  # sensitivity 2 / n
    assert row["exact"] == pytest.approx(values @ weights / weights.sum(), rel=1e-12)
    assert row["exact"] > 2 * row["printed_risk"] > 2 * row["printed"]
    assert row["exact"] < row["ours"]


@pytest.mark.erratum("WLF16-thm-19/1", "WLF16-lem-37/2")
def test_the_regulariser_counts_twice():
    row = experiments.changing_sign(0.25, 10**8, 1e-3).iloc[0]
    assert row["once"] < row["excess"] <= row["twice"]


@pytest.mark.erratum("WLF16-lem-36/2")
def test_the_step_with_a_negative_infimum_needs_twice_the_supremum():
    row = experiments.negative_infimum(2.0, 0.1, 0.5).iloc[0]
    assert row.tolist() == pytest.approx([-0.6, 0.3, -0.7])
    assert row["corrected"] <= row["left"] < row["printed"]


@pytest.mark.source("WLF16-cond-A2")
def test_thresholds_have_no_mean_ratio_and_a_small_gap():
    table = experiments.thresholds_without_mean([1, 4, 50], 1.0, n_draws=2000)
    assert table.loc[1, "mean_log"] == pytest.approx(1 + 1 / 2 + 1 / 3 + 1 / 4)
    one = 1 + np.log(1e6)  # E min(1/x, L) for one uniform x
    assert table.loc[0, "truncated"] == pytest.approx(one, rel=1e-4)
    assert (table["gap"] + 4 * 0.5 / 2000**0.5 * table["gap"].clip(lower=0.05) < table["bound"]).all()
    exact = quad(lambda x: (1 - x) * np.exp(-0.5) / (x + (1 - x) * np.exp(-0.5)), 0, 1)[0]
    assert table.loc[0, "gap"] == pytest.approx(exact, abs=4 * 0.3 / 2000**0.5)


@pytest.mark.source("WLF16-ex-21")
@pytest.mark.parametrize("power", [1.0, 2.0, 4.0])
def test_powers_of_the_distance_follow_a_gamma_law(power):
    row = experiments.spread(power, 3, 50.0).iloc[0]
    assert row["mean"] == pytest.approx(row["gamma"], rel=1e-2)
    assert row["gamma"] <= row["convex"]
