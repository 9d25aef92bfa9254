"""What privacy promises about stability: attained and never exceeded."""

from math import exp, expm1, tanh

import numpy as np
import pytest
from scipy.optimize import linprog

from privml.divergences import hockey_stick, kullback_leibler, max_divergence, total_variation
from privml.learnability import (
    LearningProblem,
    replace_one_stability,
    stability_from_bounded_range,
    stability_from_privacy,
)
from privml.mechanisms import RandomisedResponse

EPSILONS = [0.0, 0.01, 0.5, 1.0, 3.0, 20.0]
DELTAS = [0.0, 1e-6, 0.1, 0.7, 1.0]


def extremal_pair(epsilon, delta):
    """With probability delta the truth is told, otherwise by randomised response."""
    yes = 1 / (1 + exp(-epsilon))
    law = np.array([delta, (1 - delta) * yes, (1 - delta) * (1 - yes), 0.0])
    return law, law[::-1]


def logs(*laws):
    with np.errstate(divide="ignore"):
        return [np.log(law) for law in laws]


@pytest.mark.source("WLF16-lem-30", "WLF16-lem-8")
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("delta", DELTAS)
def test_the_extremal_pair_keeps_its_privacy_and_attains_the_bound(epsilon, delta):
    p, q = logs(*extremal_pair(epsilon, delta))
    assert np.exp(p).sum() == pytest.approx(1, rel=1e-14)
    for one, other in ((p, q), (q, p)):
        assert float(hockey_stick(one, other, epsilon)) == pytest.approx(delta, abs=1e-12)
    bound = stability_from_privacy(epsilon, delta)
    assert float(total_variation(p, q)) == pytest.approx(bound, rel=1e-12)
    closed = (expm1(epsilon) + 2 * delta) / (exp(epsilon) + 1)
    assert bound == pytest.approx(closed, rel=1e-12)


@pytest.mark.source("WLF16-lem-30")
@pytest.mark.parametrize(("epsilon", "delta"), [(0.3, 0.0), (1.0, 0.05), (2.0, 0.3)])
def test_no_pair_of_laws_has_a_larger_total_variation_says_the_linear_program(epsilon, delta):
    """P(E), P'(E) and their complements: two numbers, four inequalities, and the largest difference."""
    growth = exp(epsilon)
    rows = [[1, -growth], [-growth, 1], [-1, growth], [growth, -1]]
    limits = [delta, delta, growth - 1 + delta, growth - 1 + delta]
    found = linprog([-1, 1], A_ub=rows, b_ub=limits, bounds=[(0, 1)] * 2)
    assert -found.fun == pytest.approx(stability_from_privacy(epsilon, delta), rel=1e-9)


@pytest.mark.source("WLF16-lem-8")
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 2.5])
def test_no_random_pair_exceeds_the_bounds_for_pure_privacy(epsilon):
    rng = np.random.default_rng(3)
    for spread in (0.1, 1.0, 10.0):
        q = rng.dirichlet(np.full(5, spread), size=500)
        p = q * np.exp(rng.uniform(-epsilon / 2, epsilon / 2, size=q.shape))
        log_p, log_q = np.log(p / p.sum(axis=1, keepdims=True)), np.log(q)
        least = np.maximum(max_divergence(log_p, log_q), max_divergence(log_q, log_p))
        variation, divergence = total_variation(log_p, log_q), kullback_leibler(log_p, log_q)
        for e, tv, kl in zip(least, variation, divergence, strict=True):
            assert tv <= stability_from_privacy(e) + 1e-13
            assert kl <= e * tanh(e / 2) + 1e-13
        loss = log_p - log_q
        width = loss.max(axis=1) - loss.min(axis=1)
        assert (variation <= np.tanh(width / 4) + 1e-13).all()


@pytest.mark.source("WLF16-lem-8")
@pytest.mark.parametrize("epsilon", [0.2, 1.0, 4.0])
def test_randomised_response_attains_both_bounds_as_a_learner(epsilon):
    answer = RandomisedResponse(epsilon)
    law = lambda counts: np.array([answer.output_distribution(int(c[1])).pmf() for c in counts])  # noqa: E731
    indicator = LearningProblem([[1.0, 1.0], [0.0, 0.0]])
    found = replace_one_stability(law, indicator, 1)
    assert found.value == pytest.approx(tanh(epsilon / 2), rel=1e-13)
    p, q = logs(*law(np.array([[1, 0], [0, 1]])))
    assert float(kullback_leibler(p, q)) == pytest.approx(epsilon * tanh(epsilon / 2), rel=1e-12)


@pytest.mark.source("WLF16-lem-8", "WLF16-lem-30")
@pytest.mark.erratum("WLF16-lem-8", "WLF16-lem-30")
def test_the_printed_bounds_are_never_below_and_far_above():
    for epsilon in EPSILONS:
        for delta in DELTAS:
            assert stability_from_privacy(epsilon, delta) <= expm1(epsilon) + delta + 1e-15
        assert stability_from_privacy(epsilon) <= epsilon / 2
    assert f"{stability_from_privacy(1.0):.3f} against {expm1(1.0):.3f}" == "0.462 against 1.718"


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 6.0])
def test_the_bound_for_a_range_is_attained_by_losses_half_up_and_half_down(epsilon):
    high = 1 / (1 + exp(-epsilon / 2))
    p, q = logs(np.array([high, 1 - high]), np.array([1 - high, high]))
    assert float((p - q).max() - (p - q).min()) == pytest.approx(epsilon)
    assert float(total_variation(p, q)) == pytest.approx(stability_from_bounded_range(epsilon), rel=1e-12)
