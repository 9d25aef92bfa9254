"""Laws of averages of actions and bounds on linear learning, against draws, audits and exact risks."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.special import expit

from book.tools.chapter_code import chapter_module
from privml import audit
from privml.bounds import experts as linear
from privml.composition import advanced_epsilon
from privml.learners.experts import run_guarantee
from privml.learners.linear import MarginLosses, linear_eta, mean_draw
from tests.bounds.test_linear import laws
from tests.chapters import linear_learning_functions as own
from tests.learners.test_linear import sequence_law

chapter = chapter_module("linear-learning")
average_law, exact_curve = own.average_law, chapter.average_curve
CORNERS = np.array(list(product([-1.0, 1.0], repeat=2)))


@pytest.mark.source("DR11-alg-17")
def test_the_average_law_is_that_of_the_sequence_counted():
    X = np.random.default_rng(3).uniform(-1, 1, size=(4, 3))
    counted = np.zeros((5, 5))
    for sequence, probability in zip(
        product(range(3), repeat=4), sequence_law(X, 0.7).pmf(), strict=True
    ):
        weights = 1.0
        for t, choice in enumerate(sequence):
            behind = np.exp(-0.7 * X[:t].sum(axis=0))
            weights *= behind[choice] / behind.sum()
        assert probability == pytest.approx(weights, rel=1e-9)
        counted[sequence.count(0), sequence.count(1)] += probability
    np.testing.assert_allclose(
        average_law(X, 0.7).pmf(), counted[counted > 0], atol=1e-12
    )


@pytest.mark.source("DR11-alg-17")
def test_draws_follow_the_average_law():
    X, repeats = np.random.default_rng(4).uniform(-1, 1, size=(6, 2)), 4000
    rng = np.random.default_rng(5)
    found = [round(6 * mean_draw(X, 1.5, rng=rng)[0]) for _ in range(repeats)]
    law = average_law(X, 1.5).pmf()
    seen = np.bincount(found, minlength=7) / repeats
    assert (np.abs(seen - law) <= 5 * np.sqrt(law * (1 - law) / repeats) + 1e-12).all()


@pytest.mark.source("DR11-thm-11.5")
@pytest.mark.parametrize(
    "method", ["corrected", "source", "concentrated", "nonadaptive"]
)
@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 1e-2), (1.0, 1e-5), (3.0, 0.3)])
def test_all_neighbours_of_a_small_universe_keep_epsilon_and_delta(
    method, epsilon, delta
):
    n_samples = 5
    eta = linear_eta(epsilon, delta, n_samples, method=method)
    for law in (sequence_law, average_law):
        found = audit.exact(
            lambda X, law=law: law(X, eta), CORNERS, n_samples, ordered=True
        )
        assert found.delta(epsilon) <= delta


@pytest.mark.source("DR11-thm-11.5")
def test_the_optimal_rate_is_nearly_spent_by_two_coordinates_and_a_larger_one_is_not_private():
    """Even the average of the draws; so no accountant can do better but for a round or two."""
    epsilon, delta, n_samples = 1.0, 1e-3, 2000
    eta = linear_eta(epsilon, delta, n_samples, method="nonadaptive")
    assert 0.95 * delta < exact_curve(eta, n_samples).delta(epsilon) <= delta
    assert exact_curve(1.02 * eta, n_samples).delta(epsilon) > delta


@pytest.mark.source("DR11-thm-11.5")
@pytest.mark.erratum("DR11-thm-11.5/1")
def test_the_printed_rate_is_private_but_not_by_the_printed_argument():
    epsilon, delta, n_samples = 1.0, 1e-5, 1000
    printed = linear_eta(epsilon, delta, n_samples, method="source")
    per_round = epsilon / math.sqrt(8 * n_samples * math.log(1 / delta))
    assert 4 * printed == pytest.approx(
        2 * per_round
    )  # what Theorem 3.20 is given for (epsilon, delta)
    assert advanced_epsilon(4 * printed, n_samples - 1, delta) > epsilon
    assert advanced_epsilon(2 * printed, n_samples - 1, delta) <= epsilon
    assert (
        run_guarantee(printed, n_samples, delta, loss_range=2, adaptive=True).epsilon
        < epsilon / 2
    )
    assert exact_curve(printed, n_samples).delta(epsilon) == pytest.approx(
        3.2e-24, rel=0.05
    )


def test_the_order_of_the_records_matters():
    X, y = np.array([[1.0], [-1.0], [0.2], [0.4]]), np.array([1, 1, 0, 1])
    losses = MarginLosses(X, 1.0 - 2.0 * y, intercept=False, signed=True)[:]
    laws = [average_law(losses[order], 1.0) for order in ([0, 1, 2, 3], [3, 2, 1, 0])]
    assert np.abs(laws[0].pmf() - laws[1].pmf()).max() > 0.01


@pytest.mark.source("DR11-thm-11.6")
def test_quantiles_of_the_excess_risk_are_below_the_bound_and_the_three_events_above_it():
    rng, beta, n_rounds, eta, repeats = np.random.default_rng(1), 0.05, 300, 0.1, 4000
    for bias in (0.02, 0.1, 0.4):
        X = rng.choice(
            [-1.0, 1.0], p=[(1 + bias) / 2, (1 - bias) / 2], size=(repeats, n_rounds)
        )
        first = laws(np.stack([X, -X], axis=2), eta)[:, :, 0]
        wrong = (rng.random(first.shape) > first).mean(axis=1)
        bound = linear.linear_excess_risk(eta, n_rounds, 2, beta=beta)
        assert (2 * bias * wrong > bound).mean() <= beta + 5 * math.sqrt(
            beta * (1 - beta) / repeats
        )
    assert bound < own.three_events(eta, n_rounds, 2, beta)


@pytest.mark.source("DR11-thm-11.6")
@pytest.mark.erratum("DR11-thm-11.6/2")
@pytest.mark.parametrize(("epsilon", "ratio"), [(1000.0, 42), (10_000.0, 423)])
def test_without_a_limit_on_epsilon_the_claimed_order_is_too_small_by_any_factor(
    epsilon, ratio
):
    n_rounds, delta, beta = 400, 1e-5, 0.05
    eta = epsilon / math.sqrt(32 * n_rounds * math.log(1 / delta))
    worst = max(
        own.coin_excess(eta, n_rounds, bias) for bias in np.geomspace(0.03, 0.1, 9)
    )
    order = math.sqrt(math.log(1 / delta) / n_rounds) * math.log(2 / beta) / epsilon
    assert worst == pytest.approx(0.0265, rel=0.01)
    assert worst / order == pytest.approx(ratio, rel=0.02)
    assert worst <= linear.linear_excess_risk(eta, n_rounds, 2, beta=beta)


@pytest.mark.source("DR11-thm-11.6")
@pytest.mark.parametrize("n_features", [2, 10, 10**6])
@pytest.mark.parametrize("delta", [0.5, 1e-2, 1e-12])
def test_the_closed_form_covers_the_bound_up_to_its_largest_epsilon(n_features, delta):
    largest = math.sqrt(math.log(1 / delta) * math.log(n_features)) * (1 - 1e-12)
    for share, beta, n_samples in product(
        (1.0, 0.5, 0.01), (0.5, 0.05, 1e-9), (1, 100, 10**6)
    ):
        epsilon = min(share * largest, 48 * math.log(1 / delta) * (1 - 1e-12))
        eta = linear.linear_learning_rate(epsilon, delta, n_samples)
        closed = own.closed_form(epsilon, delta, n_samples, n_features, beta)
        assert (
            linear.linear_excess_risk(eta, n_samples, n_features, beta=beta) <= closed
        )


def test_the_closed_form_is_tight_up_to_a_tenth_where_epsilon_is_small_and_d_large():
    eta = linear.linear_learning_rate(1e-3, 1e-5, 10**9)
    bound = linear.linear_excess_risk(eta, 10**9, 10**30, beta=0.9)
    assert 1.1 < own.closed_form(1e-3, 1e-5, 10**9, 10**30, 0.9) / bound < 1.2


@pytest.mark.source("DR11-thm-11.6")
def test_the_three_events_add_up_as_written():
    eta, n, d, beta = 0.02, 900, 7, 0.1
    expected = math.log(d) / (eta * n) + eta
    expected += 2 * math.sqrt(2 * math.log(4 / beta) / n) + math.sqrt(
        2 * math.log(4 * d / beta) / n
    )
    assert own.three_events(eta, n, d, beta) == pytest.approx(expected)


@pytest.mark.parametrize(("epsilon", "n_samples"), [(0.5, 200), (2.0, 60), (20.0, 40)])
def test_one_private_draw_fails_no_more_often_than_promised(epsilon, n_samples):
    """Exact over all samples of x = (s, -s): the draw is a logistic function of one binomial."""
    from scipy.stats import binom

    beta, n_ones = 0.2, np.arange(n_samples + 1)
    wrong = expit(epsilon / 2 * (2 * n_ones - n_samples))
    failed = []
    for bias in np.linspace(0.01, 1, 40):
        law = binom.pmf(n_ones, n_samples, (1 - bias) / 2)
        bound = chapter.one_draw(epsilon, n_samples, 2, beta)
        failed.append(float(law @ wrong) if 2 * bias > bound else 0.0)
    assert max(failed) <= beta
    gap = 4 * math.log(4 / beta) / (epsilon * n_samples)
    assert bound == pytest.approx(
        gap + 2 * math.sqrt(2 * math.log(6 / beta) / n_samples)
    )
