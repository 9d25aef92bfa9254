"""Generalisation with high probability: pure privacy, the printed lemma, and what is exact."""

from math import exp, log, sqrt, tanh

import numpy as np
import pytest
from scipy.stats import binom

from privml.learnability import (
    LearningProblem,
    erm_law,
    exact_generalisation_tail,
    exact_privacy,
    exponential_law,
    generalisation_deviation,
    generalisation_deviation_wlf16,
    generalisation_epsilon,
    generalisation_sample_size,
    generalisation_sample_size_wlf16,
    generalisation_tail,
    high_probability_floor,
    memoriser,
    memoriser_tail,
    posterior_mean,
)

COIN = LearningProblem([[0.0, 1.0], [1.0, 0.0]])


@pytest.mark.source("WLF16-lem-38")
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
@pytest.mark.parametrize("two_sided", [True, False])
def test_the_exact_tail_of_private_learners_is_within_the_bound(epsilon, two_sided):
    rng = np.random.default_rng(0)
    problems = [
        (COIN, 60),
        (LearningProblem(rng.random((6, 3))), 12),
        (LearningProblem(rng.random((4, 2))), 200),
    ]
    for problem, m in problems:
        law = exponential_law(problem, epsilon)
        for p in ([1 / problem.n_records] * problem.n_records, rng.dirichlet(np.ones(problem.n_records))):
            for tau in (0.05, 0.2, 0.5):
                exact = exact_generalisation_tail(law, problem, p, m, tau, two_sided=two_sided)
                assert exact <= generalisation_tail(m, epsilon, tau, two_sided=two_sided) + 1e-12


@pytest.mark.source("WLF16-lem-38")
def test_the_printed_lemma_holds_on_the_coin_and_fails_without_privacy():
    """Tau = 0.7 and beta = 0.5 allow 51 records and epsilon below 0.35; memorising breaks it."""
    tau, beta = 0.7, 0.5
    m = generalisation_sample_size_wlf16(tau, beta)
    assert m == 51
    for p in (0.5, 0.3, 0.01):
        assert exact_generalisation_tail(exponential_law(COIN, 0.349), COIN, [p, 1 - p], m, tau) <= beta
    problem, _ = memoriser(8, 1, 1.0)
    remembers = lambda counts: ((counts[:, None] > 0) == (problem.losses == 0)).all(axis=2) * 1.0  # noqa: E731
    assert exact_generalisation_tail(remembers, problem, [1 / 8] * 8, 1, tau) == pytest.approx(1)


@pytest.mark.source("WLF16-lem-38")
def test_the_printed_lemma_follows_from_the_bound_with_room_to_spare():
    for tau in (0.9, 0.3, 0.01):
        for beta in (0.9, 0.1, 1e-6):
            m = generalisation_sample_size_wlf16(tau, beta)
            assert 12 * log(4 / beta) / tau**2 <= m < 12 * log(4 / beta) / tau**2 + 1
            assert generalisation_tail(m, tau / 2, tau) <= 2 * (beta / 4) ** 18
            # four times the epsilon and a sixth of the records
            assert generalisation_tail(int(2 * log(2 / beta) / tau**2) + 1, 2 * tau, tau) <= beta
    for m, epsilon, beta in ((10, 0.1, 0.1), (1000, 1.0, 1e-3), (10**6, 0.0, 0.5)):
        printed = generalisation_deviation_wlf16(m, epsilon, beta)
        assert printed == max(2 * epsilon, sqrt(12 * log(4 / beta) / m))
        assert generalisation_deviation(m, epsilon, beta) < printed


@pytest.mark.source("WLF16-lem-38")
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_counts_given_the_output_of_the_memoriser_are_binomial_where_no_kind_repeats(epsilon):
    problem, law = memoriser(4, 2, epsilon)
    coins, p = 1 - problem.losses, 1 / (1 + exp(epsilon / 2))
    distinct = np.array([[1, 1, 0, 0]])
    inside = coins @ distinct[0]
    expected = binom.pmf([0, 1, 2], 2, posterior_mean(p, epsilon))
    np.testing.assert_allclose([law(distinct)[0][inside == j].sum() for j in range(3)], expected)


@pytest.mark.source("WLF16-lem-38")
def test_the_tail_of_the_memoriser_is_below_the_bound_and_not_far_below():
    for m, epsilon, tau in ((100, 0.5, 0.2), (1000, 0.2, 0.1), (1000, 1.0, 0.3)):
        p = 1 / (1 + exp(epsilon / 2))
        exact = memoriser_tail(m, epsilon, tau)
        assert exact == pytest.approx(binom.sf(np.ceil(m * (p + tau) - 1e-9) - 1, m, 1 - p), rel=1e-9)
        bound = generalisation_tail(m, epsilon, tau, two_sided=False)
        assert exact <= bound < 25 * exact
    assert memoriser_tail(10, 1.0, 0.9) == 0


@pytest.mark.source("WLF16-lem-38")
def test_privacy_adds_a_bias_to_hoeffding_and_nothing_else():
    assert generalisation_tail(50, 0.0, 0.2, two_sided=False) == pytest.approx(exp(-4))
    assert generalisation_tail(50, 0.0, 0.2) == pytest.approx(2 * exp(-4))
    assert generalisation_tail(50, 4.0, tanh(1.0)) == 1
    assert generalisation_deviation(50, 0.8, 0.1) - generalisation_deviation(50, 0.0, 0.1) == pytest.approx(
        tanh(0.2)
    )


@pytest.mark.parametrize(("tau", "epsilon", "beta"), [(0.1, 0.05, 0.05), (0.5, 1.9, 1e-9), (0.02, 0.0, 0.5)])
def test_sizes_and_epsilons_are_inverses(tau, epsilon, beta):
    m = generalisation_sample_size(tau, epsilon, beta)
    assert generalisation_deviation(m, epsilon, beta) <= tau
    assert m == 1 or generalisation_deviation(m - 1, epsilon, beta) > tau
    assert generalisation_tail(m, epsilon, tau) <= beta * (1 + 1e-9)
    largest = generalisation_epsilon(tau, m, beta)
    assert largest >= epsilon
    assert generalisation_deviation(m, largest, beta) <= tau
    assert generalisation_deviation(m, largest + 1e-9, beta) > tau
    printed = generalisation_sample_size_wlf16(tau, beta)
    assert generalisation_deviation_wlf16(printed, 0.0, beta) <= tau
    assert generalisation_deviation_wlf16(printed - 1, 0.0, beta) > tau


@pytest.mark.source("WLF16-rem-appB")
@pytest.mark.erratum("WLF16-rem-appB")
def test_the_floor_of_the_high_probability_route_is_of_order_root_of_log_n_over_n():
    sizes = np.array([10**k for k in range(4, 17, 2)])
    floors = np.array([high_probability_floor(int(n)) for n in sizes])
    shares = floors / np.sqrt(np.log(sizes) / sizes)
    assert (np.diff(shares) < 0).all()
    assert 2.4 < shares[-1] < shares[0] < 3.2
    printed = floors / (np.log(sizes) / np.sqrt(sizes))
    assert (np.diff(printed) < 0).all()
    assert printed[-1] < 0.45  # and it tends to 0


def test_the_exact_tail_counts_ties_and_one_side():
    law = erm_law(COIN)
    assert exact_generalisation_tail(law, COIN, [0.5, 0.5], 3, 1 / 6) == pytest.approx(1)
    assert exact_generalisation_tail(law, COIN, [0.5, 0.5], 3, 0.5, two_sided=False) == pytest.approx(1 / 4)
    swapped = lambda counts: law(counts)[:, ::-1]  # noqa: E731
    assert exact_generalisation_tail(swapped, COIN, [0.5, 0.5], 3, 0.1, two_sided=False) == 0


def test_the_privacy_that_the_tails_start_from_is_the_exact_one():
    assert exact_privacy(exponential_law(COIN, 1.0), 2, 60).value <= 1.0


@pytest.mark.parametrize(
    "call",
    [
        lambda: generalisation_tail(0, 1.0, 0.1),
        lambda: generalisation_tail(10, -1.0, 0.1),
        lambda: generalisation_tail(10, 1.0, 1.0),
        lambda: generalisation_deviation(10, 1.0, 0.0),
        lambda: generalisation_sample_size(0.1, 1.0, 0.1),
        lambda: generalisation_epsilon(0.1, 10, 0.1),
        lambda: generalisation_sample_size_wlf16(0.1, 1.0),
        lambda: high_probability_floor(0),
        lambda: memoriser_tail(10, 0.0, 0.1),
        lambda: exact_generalisation_tail(erm_law(COIN), COIN, [0.5, 0.5], 3, 0.0),
        lambda: exact_generalisation_tail(lambda c: np.ones((len(c), 3)) / 3, COIN, [0.5, 0.5], 3, 0.1),
    ],
)
def test_bad_parameters_are_refused(call):
    with pytest.raises(ValueError):
        call()
