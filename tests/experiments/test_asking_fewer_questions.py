"""Tables of the chapter on active students: against brute force, theory and each other."""

from math import log, sqrt

import numpy as np
import pandas as pd
import pytest
from scipy.stats import fisher_exact

from privml.divergences.gaussian import gaussian_delta
from privml.experiments import asking_fewer_questions as experiments
from privml.experiments.asking_fewer_questions import students


@pytest.mark.source("LZCW21-alg-4")
def test_every_asked_point_splits_the_cuts_that_are_left_and_the_truth_stays():
    table = experiments.shrinking_interval(512, 127, 0.375, seed=1)
    assert ((table["lower"] < table["x"]) & (table["x"] <= table["upper"])).all()
    assert ((table["lower"] <= 0.375) & (table["upper"] >= 0.375)).all()
    assert table["lower"].is_monotonic_increasing
    assert table["upper"].is_monotonic_decreasing
    assert (table["label"] == (table["x"] >= 0.375)).all()


@pytest.mark.source("LZCW21-def-disagreement-coefficient")
def test_coefficients_have_their_closed_forms():
    radii = [0.0, 0.03, 0.3, 1.0]
    table = experiments.coefficient_curves(40, [4], radii)
    found = table.pivot(index="curve", columns="radius", values="theta")
    assert found.loc["thresholds"].tolist() == pytest.approx([2, 2, 2, 1])
    assert found.loc["singletons"].tolist() == pytest.approx([20, 20, 1 / 0.3, 1])
    assert found.loc["interval, p = 0.1", 0.0] == pytest.approx(8)


@pytest.mark.source("LZCW21-lem-33", "LZCW21-lem-39")
def test_measured_labels_and_errors_stay_below_their_bounds():
    table = experiments.label_counts([64, 512, 2048], [0.0, 0.1], 63, n_runs=4, seed=0)
    assert (table["labels"] <= table["labels_bound"]).all()
    assert (table["excess"] <= table["excess_bound"]).all()
    assert table["labels"].iloc[2] < 40 < table["labels"].iloc[5]


@pytest.mark.source("LZCW21-thm-34")
def test_the_chord_touches_the_exact_error_and_the_printed_line_lies_above_all():
    table = experiments.vote_errors(40, 10_000, 1.0, 1e-6, np.linspace(0, 1, 1001))
    assert (table["exact"] <= table["chord"] * (1 + 1e-9) + 1e-12).all()
    gap = (table["chord"] - table["exact"])[table["share"] > 0.1]
    assert gap.min() < 1e-3
    assert (table["one_sided"] <= table["two_sided"]).all()
    assert (table["two_sided"] <= table["printed"] + 1e-12).all()


@pytest.mark.source("LZCW21-alg-5")
def test_the_audit_lies_below_the_promise_and_active_is_no_worse_than_passive():
    table = experiments.audited(1.5, [0.0, 0.5, 1.5])
    wide = table.pivot(index="epsilon", columns="curve", values="delta")
    promise = wide["promise for two answers"]
    assert promise.tolist() == pytest.approx([gaussian_delta(e, sqrt(2) / 1.5) for e in wide.index])
    for name in ("active, two labels", "passive, two labels"):
        assert (wide[name] < promise).all()
        assert wide[name].iloc[0] > 0.6 * promise.iloc[0]


@pytest.mark.source("LZCW21-thm-22")
def test_the_active_student_asks_few_labels_and_errs_less():
    table = experiments.line_students([20_000, 200_000], 2**13, (1.0, 1e-6), n_queries=40, n_runs=20, seed=1)
    wide = table.pivot(index="n", columns="student", values=["error", "queries"])
    assert (wide["error", "active"] < wide["error", "passive"] / 1.5).all()
    assert (wide["queries", "active"] < 40).all()
    slopes = experiments.slopes(table).set_index("student")["slope"]
    assert -1.35 < slopes["active"] < -0.7
    assert -0.95 < slopes["passive"] < -0.4


def test_the_line_students_are_what_they_say():
    """Bisection ends around the truth; the passive cut has fewest mistakes, by brute force."""
    rng = np.random.default_rng(0)
    public = rng.uniform(size=2000)
    cut, asked = students._active(public, lambda x: x >= 0.3, 100)
    inside = np.sort(public)
    assert abs(cut - 0.3) <= np.diff(inside).max()
    assert asked < 8 * log(2000)
    few = rng.uniform(size=30)
    flips = rng.random(30) < 0.2
    labels = (np.sort(few) >= 0.6) ^ flips
    cut = students._passive(few, lambda x: labels)
    mistakes = [((np.sort(few) >= c) != labels).sum() for c in np.linspace(0, 1, 5001)]
    assert ((np.sort(few) >= cut) != labels).sum() == min(mistakes)


def test_teachers_on_the_line_are_the_middles_of_their_gaps():
    """The share of votes at 1/2 is one half; k records leave a cut within about 1/k."""
    rng = np.random.default_rng(2)
    ask = students._service(10**6, 50, (1.0, 1e-6), rng)
    votes = [np.mean([ask(np.array([x]))[0] for _ in range(60)]) for x in (0.49, 0.51)]
    assert votes == [0.0, 1.0]


SMALL = experiments.world(4, 2.0, n_teachers=500, cutoff=2, seed=0)


@pytest.mark.source("LZCW21-rem-25")
@pytest.mark.erratum("LZCW21-rem-25/1")
def test_the_method_that_selects_is_algorithm_5_and_its_choice_overlaps_with_unstable_points():
    found = experiments.overlap([SMALL]).iloc[0]
    cells = found[["both", "asked_only", "unstable_only", "neither"]].to_numpy(dtype=int)
    assert cells.sum() == 500
    assert cells[:2].sum() == 104
    test = fisher_exact(cells.reshape(2, 2))
    assert (found["odds_ratio"], found["p_value"]) == pytest.approx((test.statistic, test.pvalue))
    assert found["odds_ratio"] > 3
    assert found["unstable"] == pytest.approx((cells[0] + cells[2]) / 500)
    rounds = experiments.overlap_by_round({"small": [SMALL]})
    assert rounds["share"].mean() == pytest.approx(cells[0] / 104)
    assert rounds["share"].max() > 5 * rounds["base"].iloc[0]


def test_unstable_points_lie_below_the_threshold_and_near_the_boundary():
    margins = np.abs(SMALL.votes.sum(axis=0).astype(int) - 250)
    assert margins[SMALL.unstable].max() <= margins[~SMALL.unstable].min() + 1
    assert np.abs(SMALL.scores[SMALL.unstable]).mean() < np.abs(SMALL.scores[~SMALL.unstable]).mean() / 2


def test_the_four_students_share_one_promise_and_get_what_it_pays_for():
    table = experiments.combined([SMALL], n_repeats=3)
    assert table["labels"].iloc[:2].tolist() == [104, 104]
    assert (table["refused"].iloc[2:] <= 2).all()
    assert table["accuracy"].between(0.5, 1).all()
    assert SMALL.service.guarantee.epsilon == 4.0


def test_slopes_are_least_squares():
    table = pd.DataFrame({"n": [1, 10, 100], "student": ["x"] * 3, "error": [1, 0.1, 0.01]})
    assert experiments.slopes(table)["slope"].tolist() == pytest.approx([-1])
