"""The bounds that the chapter on linear learning states in its cells, against exact risks and each other."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.special import expit

from book.tools.programme import tangled
from privml.bounds import experts as linear
from tests.bounds.test_linear import laws

chapter = tangled("linear-learning")


@pytest.mark.source("DR11-thm-11.6")
def test_quantiles_of_the_excess_risk_are_below_the_bound_and_the_three_events_above_it():
    rng, beta, n_rounds, eta, repeats = np.random.default_rng(1), 0.05, 300, 0.1, 4000
    for bias in (0.02, 0.1, 0.4):
        X = rng.choice([-1.0, 1.0], p=[(1 + bias) / 2, (1 - bias) / 2], size=(repeats, n_rounds))
        first = laws(np.stack([X, -X], axis=2), eta)[:, :, 0]
        wrong = (rng.random(first.shape) > first).mean(axis=1)
        bound = linear.linear_excess_risk(eta, n_rounds, 2, beta=beta)
        share = (2 * bias * wrong > bound).mean()
        assert share <= beta + 5 * math.sqrt(beta * (1 - beta) / repeats)
    assert bound < chapter.three_events(eta, n_rounds, 2, beta)


@pytest.mark.source("DR11-thm-11.6")
@pytest.mark.erratum("DR11-thm-11.6/2")
@pytest.mark.parametrize(("epsilon", "ratio"), [(1000.0, 42), (10_000.0, 423)])
def test_without_a_limit_on_epsilon_the_claimed_order_is_too_small_by_any_factor(epsilon, ratio):
    n_rounds, delta, beta = 400, 1e-5, 0.05
    eta = epsilon / math.sqrt(32 * n_rounds * math.log(1 / delta))
    worst = max(chapter.coin_excess(eta, n_rounds, bias) for bias in np.geomspace(0.03, 0.1, 9))
    order = math.sqrt(math.log(1 / delta) / n_rounds) * math.log(2 / beta) / epsilon
    assert worst == pytest.approx(0.0265, rel=0.01)
    assert worst / order == pytest.approx(ratio, rel=0.02)
    assert worst <= linear.linear_excess_risk(eta, n_rounds, 2, beta=beta)


@pytest.mark.source("DR11-thm-11.6")
@pytest.mark.parametrize("n_features", [2, 10, 10**6])
@pytest.mark.parametrize("delta", [0.5, 1e-2, 1e-12])
def test_the_closed_form_covers_the_bound_up_to_its_largest_epsilon(n_features, delta):
    largest = math.sqrt(math.log(1 / delta) * math.log(n_features)) * (1 - 1e-12)
    for share, beta, n_samples in product((1.0, 0.5, 0.01), (0.5, 0.05, 1e-9), (1, 100, 10**6)):
        epsilon = min(share * largest, 48 * math.log(1 / delta) * (1 - 1e-12))
        eta = linear.linear_learning_rate(epsilon, delta, n_samples)
        closed = chapter.closed_form(epsilon, delta, n_samples, n_features, beta)
        assert linear.linear_excess_risk(eta, n_samples, n_features, beta=beta) <= closed


def test_the_closed_form_is_tight_up_to_a_tenth_where_epsilon_is_small_and_d_large():
    eta = linear.linear_learning_rate(1e-3, 1e-5, 10**9)
    bound = linear.linear_excess_risk(eta, 10**9, 10**30, beta=0.9)
    closed = chapter.closed_form(1e-3, 1e-5, 10**9, 10**30, 0.9)
    assert 1.1 < closed / bound < 1.2


@pytest.mark.source("DR11-thm-11.6")
def test_the_three_events_add_up_as_written():
    eta, n, d, beta = 0.02, 900, 7, 0.1
    expected = math.log(d) / (eta * n) + eta
    expected += 2 * math.sqrt(2 * math.log(4 / beta) / n) + math.sqrt(2 * math.log(4 * d / beta) / n)
    assert chapter.three_events(eta, n, d, beta) == pytest.approx(expected)


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
    assert bound == pytest.approx(gap + 2 * math.sqrt(2 * math.log(6 / beta) / n_samples))
