"""Tables of the chapter on teachers and votes."""

import numpy as np
import pytest
from scipy.stats import norm

from privml.divergences import gaussian_delta
from privml.experiments import teachers_and_votes as experiments
from privml.mechanisms import gaussian_sigma


def test_more_teachers_are_worse_alone_and_heard_better():
    table = experiments.labels_by_teachers(4000, [10, 100], 20, 1.0, 1e-5, 0)
    assert table["teacher"].is_monotonic_decreasing
    assert table["released"].is_monotonic_increasing
    assert (table["released"] < table["majority"]).all()


def test_the_released_share_is_that_of_draws():
    from privml.pate import GaussianAggregator

    table = experiments.labels_by_teachers(2000, [40], 2000, 30.0, 1e-2, 0)
    assert 0.5 < table.loc[0, "released"] < 0.95
    sigma = GaussianAggregator(n_queries=2000, epsilon=30.0, delta=1e-2).sigma
    mean = norm.cdf(table.loc[0, "margin"] * 40 / 2 / sigma)
    assert table.loc[0, "released"] == pytest.approx(mean, abs=0.05)


@pytest.mark.erratum("LZCW21-alg-pate-framework/1")
def test_an_even_split_under_add_or_remove_spends_more_than_is_claimed():
    """The mixture's hockey stick at a threshold, by brute force over a grid."""
    sigma = gaussian_sigma(1.0, 1e-6)
    x = np.linspace(-60, 60, 400_001)
    mixture = 0.6 * norm.pdf(x, 1, sigma) + 0.4 * norm.pdf(x, 2, sigma)
    exact = np.maximum(mixture - np.e * norm.pdf(x, 0, sigma), 0).sum() * (x[1] - x[0])
    assert experiments.even_split_delta(1.0, 1e-6) == pytest.approx(exact, rel=1e-5)
    assert exact == pytest.approx(3.6e-4, rel=0.02)


@pytest.mark.source("LZCW21-alg-1")
def test_curves_of_labels_lie_below_those_of_counts_and_these_below_the_bound():
    table = experiments.curves_of_labels(30, 1.0, 1e-5, [0.2, 0.6, 1.0])
    wide = table.pivot(index="epsilon", columns="curve", values="delta")
    assert (wide["labels, constant votes"] < wide["noisy counts"]).all()
    assert (wide["noisy counts"] < wide["source"]).all()
    assert wide.loc[1.0, "source"] == pytest.approx(1e-5)


@pytest.mark.erratum("LZCW21-alg-1/2")
def test_labels_amount_to_the_root_of_two_over_pi():
    ratio = experiments.label_effective_mu([100, 1000], 1.0, 1e-6)["ratio"]
    assert ratio.tolist() == pytest.approx([0.803, 0.798], abs=5e-4)
    assert ratio.iloc[1] == pytest.approx(np.sqrt(2 / np.pi), abs=2e-3)


@pytest.mark.source("LZCW21-thm-2")
def test_the_audit_of_one_label_is_the_curve_of_two_coins():
    """One point: the worst pair is a majority that turns, and delta is that of two probabilities."""
    table = experiments.audit_of_labels(4, 1, [1.0], 0.05).set_index("aggregator")
    assert (table["exact"] <= table["claimed"]).all()
    sigma = gaussian_sigma(1.0, 0.05)
    chances = norm.cdf((np.arange(5) - 2) / sigma)
    level = table.loc["Gaussian, exact", "exact"]
    delta = max((chances[1:] - np.exp(level) * chances[:-1]).max(), 0)
    assert delta == pytest.approx(0.05, rel=1e-9)
    assert gaussian_delta(1.0, 1 / sigma) <= 0.05


@pytest.mark.source("LZCW21-rem-ex-post")
def test_what_is_spent_is_ordered_and_ends_at_the_budget():
    wide = experiments.spent_by_use(0.5, 1e-4, 10).pivot(index="used", columns="count", values="epsilon")
    assert (wide["q fixed beforehand"] < wide["odometer, union"]).all()
    assert wide.loc[10, "q fixed beforehand"] == pytest.approx(wide.loc[10, "the budget"])
    worst = experiments.worst_stops([(1.0, 6499, 20)])
    assert worst.loc[0, "fixed"] > 1 > worst.loc[0, "union"] > worst.loc[0, "line"]
