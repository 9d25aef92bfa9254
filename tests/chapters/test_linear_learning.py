"""What the chapter on linear learning computes in its cells, each in another way, and its checkers."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.special import expit

from book.tools.chapter_code import chapter_module
from privml import audit, results
from privml.bounds import linear_excess_risk, regret_bound, required_sample_size
from privml.distributions import Categorical
from privml.divergences import PrivacyCurve
from privml.learners import LinearLearner
from privml.learners.experts import action_probabilities
from privml.learners.linear import linear_eta
from privml.results.a9a_linear import accuracies
from tests.chapters import linear_learning_functions as own
from tests.chapters.checkers import checkers, several

chapter = chapter_module("linear-learning")


def count_law(probabilities):
    """Law of the number of successes, by convolution."""
    law = np.ones(1)
    for p in probabilities:
        law = np.convolve(law, [1 - p, p])
    return law


def extreme_pair(n_samples):
    """Opposite first examples in two coordinates, then zeros."""
    pair = np.zeros((2, n_samples, 2))
    pair[0, 0], pair[1, 0] = (-1.0, 1.0), (1.0, -1.0)
    return pair


@pytest.mark.parametrize(("eta", "n_samples"), [(0.3, 7), (0.05, 60)])
def test_the_average_curve_is_that_of_the_average_law(eta, n_samples):
    first = [
        action_probabilities(X, eta, lower=-1.0)[:, 0] for X in extreme_pair(n_samples)
    ]
    exact = PrivacyCurve.between(
        *(Categorical(np.log(count_law(chances))) for chances in first)
    )
    fast = chapter.average_curve(eta, n_samples)
    for epsilon in (0.0, 0.3, 1.0):
        assert fast.delta(epsilon) == pytest.approx(exact.delta(epsilon), rel=1e-9)


@pytest.mark.source("DR11-alg-17", "DR11-thm-11.5")
@pytest.mark.erratum("DR11-alg-17/1")
@pytest.mark.parametrize(
    ("values", "d", "n_samples"), [((-1, 1), 2, 4), ((-1, 0, 1), 2, 3), ((-1, 1), 3, 3)]
)
def test_small_audits_find_more_than_two_eta_a_round_and_no_more_than_four(
    values, d, n_samples
):
    universe, eta = np.array(list(product(values, repeat=d)), float), 0.5
    laws = [lambda X, law=law: law(X, eta) for law in (own.draws_law, own.average_law)]
    found = [
        audit.exact(law, universe, n_samples, ordered=True).epsilon for law in laws
    ]
    assert 2 * eta * (n_samples - 1) < found[0] <= 4 * eta * (n_samples - 1)
    assert found[0] == pytest.approx(
        found[1]
    )  # the average gives away as much as the draws


def test_one_round_tends_to_four_eta():
    found = [own.second_draw(d, 0.1) / 0.1 for d in (2, 10, 1000)]
    assert found == sorted(found)
    assert 3.99 < found[-1] < 4
    pair = ([-1, 1, 1], [1, -1, -1])
    one, other = (
        action_probabilities([z, z], 0.1, lower=-1.0, upper=1.0)[1] for z in pair
    )
    assert own.second_draw(3, 0.1) == pytest.approx(np.log(np.divide(one, other)).max())


@pytest.mark.source("DR11-thm-11.5")
@pytest.mark.parametrize("method", ["corrected", "source", "nonadaptive"])
def test_the_bound_for_the_draws_lies_above_the_exact_average_by_little(method):
    exact, bounds = chapter.spent(1.0, 1e-5, 1000, method, [0.0, 1.0])
    assert (exact <= bounds).all()
    if method == "nonadaptive":
        assert (exact > 0.9 * np.array(bounds)).all()


@pytest.mark.erratum("DR11-thm-11.5/2")
def test_the_claim_of_the_printed_rate_breaks_between_eight_and_sixteen():
    found = [chapter.beyond(times, 0.4, 100_000) for times in (8, 16, 20)]
    assert found[0] / 0.4 < 0.135
    assert found[1:] == pytest.approx([0.429, 0.700], abs=1e-3)


def test_the_constant_example_has_the_excess_of_its_laws_and_nearly_the_bound():
    for eta, n_samples, d in ((0.3, 9, 3), (0.01, 700, 40)):
        X = np.ones((n_samples, d))
        X[:, 0] = -1.0
        exact = (
            2 * (1 - action_probabilities(X, eta, lower=-1.0, upper=1.0)[:, 0]).mean()
        )
        assert chapter.constant_risk(eta, n_samples, d) == pytest.approx(exact)
    eta, n_samples = 1e-3, 10**6
    lower = (math.log(50) - math.log1p(49 * math.exp(-2 * eta * n_samples))) / (
        eta * n_samples
    )
    exact = chapter.constant_risk(eta, n_samples, 50)
    assert lower <= exact <= chapter.linear_regret(eta, n_samples, 50) < 1.15 * exact


def test_one_draw_on_the_constant_example_is_the_exponential_mechanism():
    weights = np.exp(-0.7 / 4 * 12 * np.array([-1.0, 1, 1, 1]))
    expected = 2 * (1 - weights[0] / weights.sum())
    assert chapter.one_draw_risk(0.7, 12, 4) == pytest.approx(expected)


@pytest.mark.parametrize("bias", [0.1, 0.6, 1.0])
def test_the_excess_on_coins_is_that_of_all_signs(bias):
    eta, total = 0.2, 0.0
    for signs in product((-1.0, 1.0), repeat=9):
        s = np.array(signs)
        chance = np.where(s < 0, (1 + bias) / 2, (1 - bias) / 2).prod()
        total += chance * expit(2 * eta * (np.cumsum(s) - s)).mean()
    assert own.coin_excess(eta, 9, bias) == pytest.approx(2 * bias * total)


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
            assert own.coin_quantile(eta, 4, bias, beta) == pytest.approx(
                2 * bias * expected / 4
            )


@pytest.mark.source("DR11-thm-11.6")
@pytest.mark.parametrize("eta", [0.01, 0.1, 1.0])
def test_exact_worst_cases_lie_below_their_bounds_at_every_rate(eta):
    row = own.by_rate([eta], 60, 0.05, biases=(0.1, 0.4, 1.0)).iloc[0]
    assert row["mean, exact"] <= row["mean, bound"] == chapter.linear_regret(eta, 60, 2)
    assert (
        row["mean, exact"] <= row["quantile, exact"] <= row["quantile, one martingale"]
    )
    assert row["quantile, one martingale"] == linear_excess_risk(eta, 60, 2, beta=0.05)
    assert row["quantile, three events"] == own.three_events(eta, 60, 2, 0.05)
    assert row["quantile, one martingale"] < row["quantile, three events"]


@pytest.mark.source("DR11-thm-11.6")
def test_the_price_falls_like_the_root_of_the_sample_size_and_one_draw_is_far_better():
    etas = [linear_eta(1.0, 1e-5, n) for n in (10**5, 10**6)]
    before, after = (
        chapter.constant_risk(eta, n, 10)
        for eta, n in zip(etas, (10**5, 10**6), strict=True)
    )
    assert np.log10(after / before) == pytest.approx(-0.5, abs=0.01)
    assert after / chapter.linear_regret(etas[1], 10**6, 10) > 0.99
    assert chapter.one_draw_risk(1.0, 10**5, 10) < 1e-9
    one = required_sample_size(lambda n: chapter.one_draw(1.0, n, 10, 0.05), 0.1)
    assert chapter.many_draws(1.0, 1e-5, 100 * one, 10, 0.05, "corrected") > 0.1
    bounds = [chapter.one_draw(1.0, n, 10, 0.05) for n in (one - 1, one)]
    assert bounds[1] <= 0.1 < bounds[0]


def test_stump_signs_are_those_of_the_cuts():
    X = np.random.default_rng(1).random((6, 2))
    signs = chapter.stump_signs(X, n_cuts=4)
    for row, feature, cut in np.ndindex(6, 2, 4):
        assert signs[row, 4 * feature + cut] == (
            1.0 if X[row, feature] >= (cut + 1) / 5 else -1.0
        )


def test_a_row_of_tumours_holds_the_mean_accuracy_of_the_estimator():
    cancer = chapter.load_breast_cancer()
    parts = [chapter.split(cancer.X, cancer.y, seed) for seed in range(2)]
    assert len(parts[0][2]) == round(0.3 * len(cancer.y))
    row = chapter.private_row(
        chapter.Task("centred", chapter.centred, None), parts, 1.0, "concentrated"
    )
    found = []
    for seed, (X, y, Z, v) in enumerate(parts):
        learner = LinearLearner(1.0, 1e-5, method="concentrated", classes=(False, True))
        learner.fit(2 * X - 1, y, rng=seed)
        found.append((learner.predict(2 * Z - 1) == v).mean())
    assert row[:2] == ("centred, concentrated rate", 1.0)
    assert row[2:4] == pytest.approx((np.mean(found), np.std(found)))


def test_accuracies_of_unequal_classes():
    assert accuracies(np.array([False] * 4), np.array([True, False, False, False])) == (
        0.75,
        0.5,
    )


def test_the_majority_label_of_the_incomes_is_counted():
    incomes = results.read("a9a-linear").set_index("learner")
    assert incomes.loc["majority label", "accuracy"] == pytest.approx(12435 / 16281)
    unweighted = incomes.loc["centred, concentrated rate"]
    assert (unweighted["balanced"] == 0.5).all()
    assert (unweighted["accuracy"] == incomes.loc["majority label", "accuracy"]).all()


def test_the_regret_of_the_chapter_is_that_of_the_library():
    for eta, n_samples, d in ((0.01, 900, 7), (0.5, 4, 2)):
        expected = regret_bound(
            eta, n_experts=d, n_rounds=n_samples, loss_range=2, capped=False
        )
        assert chapter.linear_regret(eta, n_samples, d) == pytest.approx(expected)


def test_the_factor_of_one_round_at_the_rate_of_halving_is_that_of_the_table():
    factors = [np.exp(own.second_draw(d, math.log(2))) for d in (2, 10, 100, 1000)]
    expected = [4 * (4 * d - 3) / (d + 3) for d in (2, 10, 100, 1000)]
    assert factors == pytest.approx(expected)
    assert [round(f, 1) for f in factors] == [4.0, 11.4, 15.4, 15.9]


@pytest.mark.source("DR11-def-linear-erm")
def test_the_smallest_linear_loss_of_one_feature_is_not_that_with_fewest_mistakes():
    cancer = chapter.load_breast_cancer()
    signed = np.where(cancer.y, 1, -1)[:, None]
    both = np.hstack([2 * cancer.X - 1, 1 - 2 * cancer.X, np.ones((len(cancer.y), 1))])
    both = np.hstack([both, -both[:, -1:]])  # and the constant features
    losses = -(signed * both).mean(axis=0)
    right = ((both > 0) == cancer.y[:, None]).mean(axis=0)
    first, second = np.argsort(losses)[:2]
    assert cancer.feature_names[first] == "concave points (mean)"
    assert right[first] < 0.73 < 0.91 < right[second]


def rate(epsilon, delta, n_samples, bound, divisor=128):
    return epsilon / (bound * math.sqrt(divisor * n_samples * math.log(1 / delta)))


def test_the_count_law_agrees_with_the_library():
    X = np.random.default_rng(0).uniform(-1, 1, size=(12, 2))
    behind = np.cumsum(X, axis=0) - X
    first = 1 / (1 + np.exp(0.4 * (behind[:, 0] - behind[:, 1])))
    np.testing.assert_allclose(
        own.average_law(X, 0.4).pmf(), count_law(first), atol=1e-12
    )


def test_the_claimed_delta_is_what_lies_beyond():
    assert chapter.claimed_delta(9.5, 1e-3, 1000) == pytest.approx(
        chapter.beyond(9.5, 1e-3, 1000)
    )


def constant(eta, n_samples, n_features, start=0):
    past = np.arange(start, n_samples + start)
    return float(
        2 * ((n_features - 1) / (n_features - 1 + np.exp(2 * eta * past))).mean()
    )


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "rate_for_range": [
            (rate, None),
            (lambda *a: rate(*a, divisor=32), "a round may cost"),
            (lambda e, d, n, b: rate(e, d, n, 1.0), "a round may cost"),
            (lambda *a: rate(*a) / 2, "a round may cost"),
        ],
        "count_law": [
            (count_law, None),
            (lambda p: count_law(p)[::-1], "."),
            (lambda p: count_law([np.mean(p)] * len(p)), "."),
            (lambda p: count_law(p)[1:], "."),
            (lambda p: count_law(p) if len(p) < 9 else count_law([0.5] * 999), "."),
        ],
        "last_claim": [
            (several(9.5, 1e-3, 1000), None),
            (several(10.0, 1e-3, 1000), "more than the claimed"),
            (several(9.0, 1e-3, 1000), "still holds"),
            (several(9.3, 1e-3, 1000), "no multiple"),
        ],
        "mean_law": [
            (([[1.0, 0.0], [0.0, 0.0]], [[0.5, 0.0], [0.0, 0.0]]), None),
            (([[0.0, 0.0], [1.0, 0.0]], [[0.0, 0.0], [0.0, 1.0]]), "which rounds see"),
            (([[1.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 1.0]]), "differ in 2"),
            (([[1.0, 0.0]], [[1.0, 0.0], [0.0, 0.0]]), "one shape"),
            (([[2.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]), "entries must be"),
        ],
        "constant_excess": [
            (constant, None),
            (lambda *a: constant(*a, start=1), "where the laws give"),
            (lambda *a: constant(*a) / 2, "where the laws give"),
            (lambda e, n, d: constant(e / 2, n, d), "where the laws give"),
        ],
    },
    chapter,
)
