"""Generalisation in the mean: never above the bound, attained by the memoriser, inverted."""

from math import log, tanh

import numpy as np
import pytest
from scipy.optimize import linprog

from privml.learnability import (
    LearningProblem,
    exact_privacy,
    expected_gap_from_concentration,
    expected_gap_from_privacy,
    exponential_law,
    generalisation_gap,
    laplace_answer_epsilon,
    memoriser,
    memoriser_gap,
    memoriser_tail,
    permute_and_flip_law,
    posterior_mean,
    privacy_for_expected_gap,
    remembered_risks,
    replace_one_stability,
)

EPSILONS = [0.1, 1.0, 2 * log(2), 4.0]


def random_private_law(n_samples, n_hypotheses, epsilon, rng):
    """A law on two kinds of records whose neighbouring rows are within e^epsilon, far from symmetric."""
    rows = [rng.dirichlet(np.ones(n_hypotheses))]
    while len(rows) <= n_samples:
        tilted = rows[-1] * np.where(rng.random(n_hypotheses) < 0.5, 1, np.exp(-epsilon))
        rows.append(tilted / tilted.sum())
    table = np.array(rows)
    return lambda counts: table[np.asarray(counts)[:, 1]]


@pytest.mark.source("S16-rem-recap", "WLF16-thm-35")
@pytest.mark.parametrize("epsilon", [0.2, 1.0, 5.0])
def test_no_private_learner_has_a_larger_gap_than_promised(epsilon):
    rng = np.random.default_rng(5)
    ratios = []
    for n_samples in (1, 2, 5, 9):
        for _ in range(20):
            problem = LearningProblem(rng.random((6, 2)).round())
            law = random_private_law(n_samples, 6, epsilon, rng)
            exact = exact_privacy(law, 2, n_samples).value
            assert exact <= 2 * epsilon
            p = rng.random()
            gap = generalisation_gap(law, problem, [p, 1 - p], n_samples)
            assert abs(gap) <= expected_gap_from_privacy(exact) + 1e-12
            ratios.append(abs(gap) / expected_gap_from_privacy(exact))
    assert max(ratios) > 0.15


@pytest.mark.source("S16-rem-recap")
@pytest.mark.parametrize(("n_records", "n_samples"), [(2, 1), (3, 1), (3, 3), (5, 2), (2, 6)])
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_the_memoriser_keeps_its_privacy_exactly_and_its_gap_has_a_closed_form(n_records, n_samples, epsilon):
    problem, law = memoriser(n_records, n_samples, epsilon)
    assert exact_privacy(law, n_records, n_samples).value == pytest.approx(epsilon, rel=1e-9)
    uniform = np.full(n_records, 1 / n_records)
    gap = generalisation_gap(law, problem, uniform, n_samples)
    assert gap == pytest.approx(memoriser_gap(n_records, n_samples, epsilon), rel=1e-10)
    assert gap < expected_gap_from_privacy(epsilon)


@pytest.mark.source("S16-rem-recap")
@pytest.mark.parametrize("epsilon", [1e-6, 40.0, 80.0, 300.0, 800.0, 1400.0, 1e4, 1e300])
def test_the_memoriser_keeps_its_privacy_at_the_ends_or_refuses(epsilon):
    for n_records, n_samples in ((2, 1), (2, 2), (3, 2)):
        if epsilon * n_records * n_samples / 2 > 700:
            with pytest.raises(ValueError, match="epsilon . n_records . n_samples must be at most"):
                memoriser(n_records, n_samples, epsilon)
        else:
            law = memoriser(n_records, n_samples, epsilon)[1]
            spent = exact_privacy(law, n_records, n_samples).value
            assert spent == pytest.approx(epsilon, rel=1e-9, abs=1e-14)
        assert memoriser_gap(n_records, n_samples, epsilon) == pytest.approx(
            tanh(epsilon / 4) * (1 - 1 / n_records) ** n_samples
        )
        assert 0 <= memoriser_tail(n_samples, epsilon, 0.3) <= 1


@pytest.mark.source("S16-rem-recap")
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_memoriser_attains_the_bound_in_large_universes(epsilon):
    for n_samples in (1, 50, 1000):
        share = memoriser_gap(10**9, n_samples, epsilon) / expected_gap_from_privacy(epsilon)
        assert 1 - 2e-6 < share < 1


@pytest.mark.source("S16-rem-recap")
def test_randomised_response_among_three_attains_the_bound_exactly():
    epsilon = 2 * log(2)
    truth = np.full((3, 3), 1 / 6) + np.eye(3) / 2
    law = lambda counts: np.asarray(counts) @ truth  # noqa: E731
    problem = LearningProblem(1 - np.eye(3))
    assert exact_privacy(law, 3, 1).value == pytest.approx(epsilon)
    gap = generalisation_gap(law, problem, np.full(3, 1 / 3), 1)
    assert gap == pytest.approx(1 / 3) == pytest.approx(expected_gap_from_privacy(epsilon))
    assert replace_one_stability(law, problem, 1).value == pytest.approx(1 / 2)


@pytest.mark.source("S16-rem-recap")
@pytest.mark.parametrize(("epsilon", "delta"), [(0.0, 0.3), (0.7, 0.0), (0.7, 0.05), (2.0, 0.4)])
def test_the_worst_joint_law_that_an_exchange_of_records_allows_is_not_above_the_bound(epsilon, delta):
    """Queries of mean 1/4, 1/2 or 3/4 and any joint law of the mean and of whether the record is inside.

    Unknowns: total mass w_j and inside mass s_j of each mean p_j, and t_j.  With u = s (1 - p) and v = (w -
    s) p the exchange of two records says that the positive parts of u - e^epsilon v add up to at most
    delta.
    """
    p = np.arange(5) / 4
    inner = slice(1, 4)
    share = p[inner]
    size, grow = 3, np.exp(epsilon)
    one, none = np.eye(size), np.zeros((size, size))
    excess = np.hstack([one * (1 - share) + grow * one * share, -grow * one * share, -one])
    total = np.hstack([np.zeros(2 * size), np.ones(size)])[None]
    within = np.hstack([one, -one, none])
    found = linprog(
        np.hstack([-np.ones(size), share, np.zeros(size)]),
        A_ub=np.vstack([excess, total, within]),
        b_ub=np.hstack([np.zeros(size), delta, np.zeros(size)]),
        A_eq=np.hstack([np.zeros(size), np.ones(size), np.zeros(size)])[None],
        b_eq=[1],
    )
    assert -found.fun <= expected_gap_from_privacy(epsilon, delta) + 1e-9
    assert -found.fun > 0.6 * expected_gap_from_privacy(epsilon, delta)


@pytest.mark.source("S16-rem-recap")
def test_the_inequality_behind_the_delta_holds_on_a_grid_and_is_attained():
    a, p = np.meshgrid(np.linspace(0, 1, 401), np.linspace(0, 1, 401))
    for epsilon in EPSILONS:
        worst = tanh(epsilon / 4)
        beyond = a * (1 - p) - np.exp(epsilon) * p * (1 - a)
        slack = worst + (1 - worst) * np.maximum(beyond, 0) - (a - p)
        assert slack.min() >= -1e-12
        assert slack.min() < 1e-3


@pytest.mark.source("WLF16-lem-38")
@pytest.mark.parametrize("make", [exponential_law, permute_and_flip_law])
def test_what_an_output_tells_about_its_sample_moves_log_odds_by_at_most_epsilon(make):
    rng = np.random.default_rng(2)
    problem = LearningProblem(rng.random((5, 3)))
    law = make(problem, 1.5)
    epsilon = exact_privacy(law, 3, 4).value
    for weights in rng.dirichlet(np.ones(3), size=5):
        found = remembered_risks(law, problem, weights, 4)
        assert (found.empirical_risk >= posterior_mean(found.risk, -epsilon) - 1e-12).all()
        assert (found.empirical_risk <= posterior_mean(found.risk, epsilon) + 1e-12).all()
        assert found.probability.sum() == pytest.approx(1)
        gap = found.probability @ (found.risk - found.empirical_risk)
        assert gap == pytest.approx(generalisation_gap(law, problem, weights, 4))


def test_the_posterior_moves_log_odds_by_epsilon_and_back():
    p = np.array([0.0, 0.01, 0.5, 0.9, 1.0])
    for epsilon in (0.3, 50.0, 800.0):
        np.testing.assert_allclose(
            posterior_mean(p, epsilon) + posterior_mean(1 - p, -epsilon), 1, rtol=1e-12
        )
    q = posterior_mean(p[1:4], 0.3)
    np.testing.assert_allclose(np.log(q / (1 - q)) - np.log(p[1:4] / (1 - p[1:4])), 0.3)
    fine = np.linspace(0, 1, 100_001)
    assert (posterior_mean(fine, 1.0) - fine).max() == pytest.approx(tanh(1 / 4), abs=1e-9)


@pytest.mark.parametrize("delta", [0.0, 1e-3])
@pytest.mark.parametrize("n_runs", [1, 7])
def test_epsilon_for_a_gap_is_the_inverse(delta, n_runs):
    for gap in (0.01, 0.3, 0.999):
        epsilon = privacy_for_expected_gap(gap, delta, n_runs=n_runs)
        assert expected_gap_from_privacy(epsilon, delta, n_runs=n_runs) <= gap
        assert expected_gap_from_privacy(epsilon * (1 + 1e-9), delta, n_runs=n_runs) > gap * (1 - 1e-12)
    assert expected_gap_from_privacy(0.3, 0.2, n_runs=9) == 1
    assert expected_gap_from_privacy(1e4) == 1


@pytest.mark.source("S16-rem-recap")
@pytest.mark.erratum("S16-rem-recap")
def test_answers_of_order_tau_over_root_k_are_private_enough():
    """epsilon_0 = 2 tau / sqrt(k), without the root of m; that of the source would drown every answer."""
    for tau, k in ((0.1, 100), (0.01, 7)):
        epsilon = laplace_answer_epsilon(tau, k)
        assert expected_gap_from_concentration(k * epsilon**2 / 2) == pytest.approx(tau)
    m, k, tau = 10_000, 100, 0.1
    ours, printed = 1 / (m * laplace_answer_epsilon(tau, k)), 1 / (m * tau / np.sqrt(k * m))
    assert ours < tau < 10 * tau <= printed * (1 + 1e-12)


@pytest.mark.parametrize(
    "call",
    [
        lambda: expected_gap_from_privacy(-1.0),
        lambda: expected_gap_from_privacy(1.0, 1.5),
        lambda: expected_gap_from_privacy(1.0, n_runs=0),
        lambda: privacy_for_expected_gap(0.1, 0.2),
        lambda: privacy_for_expected_gap(1.0),
        lambda: posterior_mean([0.5, 1.5], 1.0),
        lambda: posterior_mean(0.5, float("nan")),
        lambda: expected_gap_from_concentration(-0.1),
        lambda: laplace_answer_epsilon(0.1, 0),
        lambda: memoriser(3, 6, 1.0),
        lambda: memoriser(1, 2, 1.0),
        lambda: memoriser(2, 2, 0.0),
    ],
)
def test_bad_parameters_are_refused(call):
    with pytest.raises(ValueError):
        call()
