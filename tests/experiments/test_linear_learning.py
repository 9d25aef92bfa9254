"""The tables of the chapter on linear learning, each computed in another way."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import binom

from privml.bounds.online_to_batch import linear_regret
from privml.datasets import load_breast_cancer
from privml.divergences import PrivacyCurve
from privml.experiments import linear_learning as experiments
from privml.experiments.linear_learning import real_data, risk
from privml.learners import LinearLearner
from privml.learners.experts import action_probabilities
from privml.learners.linear import average_law, mean_draw
from privml.results.a9a_linear import accuracies


def test_the_average_curve_is_that_of_the_average_law():
    for eta, n_samples in ((0.3, 7), (0.05, 60)):
        here, there = (average_law(X, eta) for X in experiments.extreme_pair(n_samples))
        exact, fast = PrivacyCurve.between(here, there), experiments.average_curve(eta, n_samples)
        for epsilon in (0.0, 0.3, 1.0):
            assert fast.delta(epsilon) == pytest.approx(exact.delta(epsilon), rel=1e-9)


@pytest.mark.source("DR11-alg-17", "DR11-thm-11.5")
def test_small_audits_find_more_than_two_eta_a_round_and_no_more_than_four():
    table = experiments.small_audits(0.5)
    assert (table["exact"] > table["two"]).all()
    assert (table["exact"] <= table["four"]).all()
    by_universe = table.groupby("universe")["exact"]
    assert np.allclose(by_universe.min(), by_universe.max())  # the average gives away as much as the draws


def test_one_round_tends_to_four_eta():
    table = experiments.one_round(0.1, [2, 10, 1000])
    assert table["over_eta"].is_monotonic_increasing
    assert 3.99 < table["over_eta"].iloc[-1] < 4


@pytest.mark.source("DR11-thm-11.5")
def test_the_bound_for_the_draws_lies_above_the_exact_average_by_little():
    table = experiments.spent_curves(1.0, 1e-5, 1000, [0.0, 1.0], ["corrected", "printed", "oblivious"])
    wide = table.pivot(index=["method", "epsilon"], columns="kind", values="delta")
    assert (wide["average, exact"] <= wide["draws, bound"]).all()
    tight = wide.loc["oblivious"]
    assert (tight["average, exact"] > 0.9 * tight["draws, bound"]).all()


@pytest.mark.erratum("DR11-thm-11.5/2")
def test_the_claim_of_the_printed_rate_breaks_between_eight_and_sixteen():
    table = experiments.beyond_the_limit([8, 16, 20], 0.4, 100_000).set_index("times")
    assert table.loc[8, "over_claim"] < 0.135
    assert table.loc[16, "delta"] == pytest.approx(0.429, abs=1e-3)
    assert table.loc[20, "delta"] == pytest.approx(0.700, abs=1e-3)


def test_the_constant_example_has_the_excess_of_its_laws_and_nearly_the_bound():
    for eta, n_samples, n_features in ((0.3, 9, 3), (0.01, 700, 40)):
        X = np.ones((n_samples, n_features))
        X[:, 0] = -1.0
        laws = action_probabilities(X, eta, lower=-1.0, upper=1.0)
        exact = 2 * (1 - laws[:, 0]).mean()
        assert experiments.constant_excess(eta, n_samples, n_features) == pytest.approx(exact)
    eta, n_samples = 1e-3, 10**6
    lower = (math.log(50) - math.log1p(49 * math.exp(-2 * eta * n_samples))) / (eta * n_samples)
    exact = experiments.constant_excess(eta, n_samples, 50)
    assert lower <= exact <= linear_regret(eta, n_samples, 50) < 1.15 * exact


def test_one_draw_on_the_constant_example_is_the_exponential_mechanism():
    weights = np.exp(-0.7 / 4 * 12 * np.array([-1.0, 1, 1, 1]))
    expected = 2 * (1 - weights[0] / weights.sum())
    assert risk.constant_excess_one_draw(0.7, 12, 4) == pytest.approx(expected)


@pytest.mark.parametrize("bias", [0.1, 0.6, 1.0])
def test_the_excess_on_coins_is_a_sum_over_binomials(bias):
    n_samples, eta = 40, 0.2
    total = 0.0
    for past in range(n_samples):
        ups = np.arange(past + 1)
        total += binom.pmf(ups, past, (1 - bias) / 2) @ expit(2 * eta * (2 * ups - past))
    expected = 2 * bias * total / n_samples
    assert experiments.coin_excess([eta, 1.0], n_samples, bias)[0] == pytest.approx(expected)


def test_the_quantile_on_coins_is_that_of_many_runs():
    n_samples, eta, bias, beta, repeats = 30, 0.3, 0.4, 0.1, 1500
    rng = np.random.default_rng(0)
    found = []
    for _ in range(repeats):
        s = np.where(rng.random(n_samples) < (1 + bias) / 2, -1.0, 1.0)
        found.append(2 * bias * mean_draw(np.stack([s, -s], axis=1), eta, rng=rng)[1])
    exact = experiments.coin_quantile(eta, n_samples, bias, beta)
    error = 5 * math.sqrt(beta * (1 - beta) / repeats)
    assert np.mean(np.array(found) > exact + 1e-9) <= beta + error
    assert np.mean(np.array(found) > exact - 2 * bias / n_samples - 1e-9) >= beta - error


def test_the_quantile_on_four_coins_is_that_of_all_signs_and_all_draws():
    eta, bias, law = 0.6, 0.4, np.zeros(5)
    for signs in product((-1.0, 1.0), repeat=4):
        s = np.array(signs)
        wrong = expit(2 * eta * (np.cumsum(s) - s))
        chance = np.where(s < 0, (1 + bias) / 2, (1 - bias) / 2).prod()
        for draws in product((0, 1), repeat=4):
            law[sum(draws)] += chance * np.where(draws, wrong, 1 - wrong).prod()
    for below in np.cumsum(law)[:-1]:
        for beta in (1 - below - 1e-6, 1 - below + 1e-6):
            expected = int(np.argmax(1 - np.cumsum(law) <= beta))
            found = experiments.coin_quantile(eta, 4, bias, beta)
            assert found == pytest.approx(2 * bias * expected / 4)


@pytest.mark.source("DR11-thm-11.6")
def test_exact_worst_cases_lie_below_their_bounds_at_every_rate():
    table = experiments.by_learning_rate([0.01, 0.1, 1.0], 60, 0.05, [0.1, 0.4, 1.0])
    wide = table.pivot(index="eta", columns="curve", values="excess")
    assert (wide["mean, exact"] <= wide["mean, bound"]).all()
    assert (wide["mean, exact"] <= wide["quantile, exact"]).all()
    assert (wide["quantile, exact"] <= wide["quantile, one martingale"]).all()
    assert (wide["quantile, one martingale"] < wide["quantile, three events"]).all()


@pytest.mark.source("DR11-thm-11.6")
def test_the_price_falls_like_the_root_of_the_sample_size_and_one_draw_is_far_better():
    table = experiments.price([10**5, 10**6], 1.0, 1e-5, 10, ["corrected", "concentrated"])
    wide = table.pivot(index="n_samples", columns="curve", values="excess")
    slope = np.log10(wide["exact, corrected rate"]).diff().iloc[-1]
    assert slope == pytest.approx(-0.5, abs=0.01)
    assert (wide["exact, corrected rate"] / wide["bound, corrected rate"]).iloc[-1] > 0.99
    assert wide["exact, one draw"].iloc[0] < 1e-9
    sizes = experiments.promised_sizes([1.0], 1e-5, 10, 0.1, 0.05)
    assert sizes["ratio"].iloc[0] > 100


@pytest.mark.erratum("DR11-thm-11.6/2")
def test_the_claimed_order_vanishes_where_the_excess_does_not():
    table = experiments.unlimited_epsilon([1.0, 1000.0], 1e-5, 0.05, 400, np.geomspace(0.03, 0.1, 8))
    assert table["excess"].iloc[1] == pytest.approx(0.0264, rel=0.01)
    assert table["ratio"].iloc[1] > 40


def test_stump_signs_are_those_of_the_cuts():
    X = np.random.default_rng(1).random((6, 2))
    signs = real_data.stump_signs(X, n_cuts=4)
    for row, feature, cut in np.ndindex(6, 2, 4):
        assert signs[row, 4 * feature + cut] == (1.0 if X[row, feature] >= (cut + 1) / 5 else -1.0)


def test_the_table_of_tumours_holds_the_mean_accuracy_of_the_estimator():
    table = experiments.breast_cancer([1.0], 2)
    cancer, found = load_breast_cancer(), []
    for seed in range(2):
        X, y, Z, v = real_data.splits(cancer.X, cancer.y, seed)
        learner = LinearLearner(1.0, 1e-5, method="concentrated", classes=(False, True))
        learner.fit(2 * X - 1, y, rng=seed)
        found.append((learner.predict(2 * Z - 1) == v).mean())
    row = table[table["learner"] == "centred, concentrated rate"].iloc[0]
    assert row["accuracy"] == pytest.approx(np.mean(found))
    assert row["deviation"] == pytest.approx(np.std(found))


def test_accuracies_of_unequal_classes():
    y = np.array([True, False, False, False])
    assert accuracies(np.array([False] * 4), y) == (0.75, 0.5)


def test_quoted_rows_are_marked_as_quoted():
    ours = experiments.breast_cancer([0.1, 0.5], 1)
    shown = experiments.beside_quoted(ours, ["one stump, δ = 0"])
    assert shown["source"].tolist() == ["here"] + ["quoted"] * 5


def test_the_majority_label_of_the_incomes_is_counted():
    majority = experiments.committed_a9a().set_index("learner").loc["majority label"]
    assert majority["accuracy"] == pytest.approx(12435 / 16281)
