"""The memoriser, exact tails, the analyst and the printed example of the chapter on generalisation."""

from math import ceil, comb, exp, factorial, log, sqrt

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import binom

from book.tools.chapter_code import chapter_module
from privml import learnability
from privml.bounds.statistical_queries import overfitting_bias
from tests.chapters import generalisation_for_free_functions as functions

chapter = chapter_module("generalisation-for-free")
COIN = learnability.LearningProblem([[0.0, 1.0], [1.0, 0.0]])
EPSILONS = [0.1, 1.0, 2 * log(2), 4.0]
STANDARD_ERRORS = 4


@pytest.mark.source("S16-rem-recap")
@pytest.mark.parametrize(
    ("n_records", "n_samples"), [(2, 1), (3, 1), (3, 3), (5, 2), (2, 6)]
)
@pytest.mark.parametrize("epsilon", [0.5, 2.0, 30.0])
def test_the_memoriser_keeps_its_privacy_exactly_and_its_gap_has_a_closed_form(
    n_records, n_samples, epsilon
):
    problem, law = functions.memoriser(n_records, n_samples, epsilon)
    assert learnability.exact_privacy(law, n_records, n_samples).value == pytest.approx(
        epsilon, rel=1e-9
    )
    gap = learnability.generalisation_gap(
        law, problem, np.full(n_records, 1 / n_records), n_samples
    )
    assert gap == pytest.approx(
        functions.memoriser_gap(n_records, n_samples, epsilon), rel=1e-10
    )
    assert gap < learnability.expected_gap_from_privacy(epsilon)


@pytest.mark.source("S16-rem-recap")
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_memoriser_attains_the_bound_in_large_universes(epsilon):
    bound = learnability.expected_gap_from_privacy(epsilon)
    for n_samples in (1, 50, 1000):
        assert 1 - 2e-6 < functions.memoriser_gap(10**9, n_samples, epsilon) / bound < 1
    kappa = sqrt((exp(epsilon / 2) + exp(-epsilon / 2) - 1) ** 2 - 1)  # two coins turn
    assert epsilon > 1 or kappa / 3.2 < bound < kappa / 2  # as m grows


@pytest.mark.source("WLF16-lem-38")
@pytest.mark.parametrize(
    "make", [learnability.exponential_learner, learnability.permute_and_flip_learner]
)
def test_what_an_output_tells_about_its_sample_moves_log_odds_by_at_most_epsilon(make):
    rng = np.random.default_rng(2)
    problem = learnability.LearningProblem(rng.random((5, 3)))
    law = make(problem, 1.5)
    epsilon = learnability.exact_privacy(law, 3, 4).value
    for weights in rng.dirichlet(np.ones(3), size=5):
        probability, risk, empirical = chapter.remembered_risks(
            law, problem, weights, 4
        )
        assert (empirical >= learnability.posterior_mean(risk, -epsilon) - 1e-12).all()
        assert (empirical <= learnability.posterior_mean(risk, epsilon) + 1e-12).all()
        assert probability.sum() == pytest.approx(1)
        gap = probability @ (risk - empirical)
        assert gap == pytest.approx(
            learnability.generalisation_gap(law, problem, weights, 4)
        )


@pytest.mark.source("WLF16-lem-38")
def test_the_printed_lemma_holds_on_the_coin_and_fails_without_privacy():
    """Tau = 0.7 and beta = 0.5 allow 51 records and epsilon below 0.35; memorising breaks it."""
    tau, beta = 0.7, 0.5
    m = ceil(12 * log(4 / beta) / tau**2)
    assert m == 51
    for p in (0.5, 0.3, 0.01):
        law = learnability.exponential_learner(COIN, 0.349)
        assert chapter.exact_generalisation_tail(law, COIN, [p, 1 - p], m, tau) <= beta
    problem, _ = functions.memoriser(8, 1, 1.0)

    def remembers(counts):
        return ((counts[:, None] > 0) == (problem.losses == 0)).all(axis=2) * 1.0

    assert chapter.exact_generalisation_tail(
        remembers, problem, [1 / 8] * 8, 1, tau
    ) == pytest.approx(1)


@pytest.mark.source("WLF16-lem-38")
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_counts_given_the_output_of_the_memoriser_are_binomial_where_no_kind_repeats(
    epsilon,
):
    problem, law = functions.memoriser(4, 2, epsilon)
    coins, p = 1 - problem.losses, 1 / (1 + exp(epsilon / 2))
    distinct = np.array([[1, 1, 0, 0]])
    inside = coins @ distinct[0]
    expected = binom.pmf([0, 1, 2], 2, learnability.posterior_mean(p, epsilon))
    np.testing.assert_allclose(
        [law(distinct)[0][inside == j].sum() for j in range(3)], expected
    )


@pytest.mark.source("WLF16-lem-38")
def test_the_tail_of_the_memoriser_is_below_the_bound_and_not_far_below():
    for m, epsilon, tau in ((100, 0.5, 0.2), (1000, 0.2, 0.1), (1000, 1.0, 0.3)):
        p = 1 / (1 + exp(epsilon / 2))
        exact = functions.memoriser_tail(m, epsilon, tau)
        assert exact == pytest.approx(
            binom.sf(np.ceil(m * (p + tau) - 1e-9) - 1, m, 1 - p), rel=1e-9
        )
        assert (
            exact
            <= learnability.generalisation_tail(m, epsilon, tau=tau, two_sided=False)
            < 25 * exact
        )
    assert functions.memoriser_tail(10, 1.0, 0.9) == 0


@pytest.mark.source("WLF16-rem-appB")
@pytest.mark.erratum("WLF16-rem-appB")
def test_the_floor_of_the_high_probability_route_is_of_order_root_of_log_n_over_n():
    sizes = np.array([10**k for k in range(4, 17, 2)])
    floors = np.array([functions.lemma_floor(int(n)) for n in sizes])
    shares = floors / np.sqrt(np.log(sizes) / sizes)
    assert (np.diff(shares) < 0).all()
    assert 2.4 < shares[-1] < shares[0] < 3.2
    printed = floors / (np.log(sizes) / np.sqrt(sizes))
    assert (np.diff(printed) < 0).all()
    assert printed[-1] < 0.45  # and it tends to 0


def test_the_exact_tail_counts_ties_and_one_side():
    law = learnability.erm_learner(COIN)
    assert chapter.exact_generalisation_tail(
        law, COIN, [0.5, 0.5], 3, 1 / 6
    ) == pytest.approx(1)
    one_sided = chapter.exact_generalisation_tail(
        law, COIN, [0.5, 0.5], 3, 0.5, two_sided=False
    )
    assert one_sided == pytest.approx(1 / 4)

    def swapped(counts):
        return law(counts)[:, ::-1]

    assert (
        chapter.exact_generalisation_tail(
            swapped, COIN, [0.5, 0.5], 3, 0.1, two_sided=False
        )
        == 0
    )


def close(errors, exact):
    return abs(errors.mean() - exact) <= STANDARD_ERRORS * errors.std(ddof=1) / sqrt(
        len(errors)
    )


@pytest.mark.source("S16-rem-recap")
@pytest.mark.parametrize("noise", [0.0, 0.02, 0.1])
def test_the_bias_of_the_last_answer_is_the_exact_one(noise):
    answers = "laplace" if noise else "reuse"
    errors = chapter.majority_errors(
        101, 200, answers=answers, noise=noise, repetitions=400, rng=1
    )
    assert close(errors, overfitting_bias(101, 200, noise_scale=noise))


@pytest.mark.source("S16-rem-recap")
def test_fresh_parts_and_strong_noise_leave_no_bias():
    assert close(
        chapter.majority_errors(101, 1020, answers="split", repetitions=400, rng=2), 0.0
    )
    strong = {"answers": "gaussian", "noise": 50.0}
    assert close(
        chapter.majority_errors(21, 100, repetitions=400, rng=2, **strong), 0.0
    )


@pytest.mark.source("S16-rem-recap")
@pytest.mark.parametrize("answers", ["laplace", "gaussian"])
def test_noisy_answers_keep_what_privacy_promises(answers):
    m, k = 300, 151
    if answers == "gaussian":
        noise, _, promised = functions.gaussian_answers(m, k + 1)
        rho, variance = k / (2 * m**2 * noise**2), noise**2
    else:
        rho = 0.02
        noise = 1 / (m * sqrt(2 * rho / k))
        variance = 2 * noise**2
        promised = sqrt(variance + functions.mean_square_gap(rho, m))
    errors = chapter.majority_errors(
        k, m, answers=answers, noise=noise, repetitions=300, rng=5
    )
    spread = STANDARD_ERRORS * (errors**2).std(ddof=1) / sqrt(len(errors))
    assert (errors**2).mean() <= promised**2 + spread
    assert abs(errors.mean()) <= sqrt(rho / 2) + STANDARD_ERRORS * sqrt(variance / 300)
    reused = chapter.majority_errors(k, m, answers="reuse", repetitions=50, rng=5)
    assert (errors**2).mean() < (reused**2).mean() / 2 or answers == "laplace"


def test_the_seed_decides():
    options = {"answers": "gaussian", "noise": 0.1, "repetitions": 3}
    same = [chapter.majority_errors(5, 20, rng=7, **options) for _ in range(2)]
    np.testing.assert_array_equal(*same)


@pytest.mark.source("WLF16-ex-appB-mean")
@pytest.mark.erratum("WLF16-ex-appB-mean")
@pytest.mark.parametrize("n", [3, 10, 1000, 10**6])
def test_the_centre_is_far_more_sensitive_than_the_source_says(n):
    moved = functions.centre(n)
    r = (n - 1) ** (-1 / 9)
    assert moved == pytest.approx(r / (1 + r), rel=1e-8)
    if n >= 10:
        assert moved > 2 / n
    assert functions.centre(n, 2) == pytest.approx(1 / n)


@pytest.mark.source("WLF16-ex-appB-mean")
@pytest.mark.erratum("WLF16-ex-appB-mean/2")
def test_the_rate_of_the_source_is_that_of_one_term_and_not_the_largest():
    """Half zeros and half ones: order n^(-1/5), where 10! 2! / (epsilon n)^10 of order 1 / n is printed."""
    for power, scale in ((2, 0.3), (10, 0.7), (10, 0.05)):

        def excess(x, b=scale, k=power):
            return (abs(0.5 + x) ** k - 0.5**k) * np.exp(-abs(x) / b) / (2 * b)

        exact = quad(excess, -60 * scale, 60 * scale, points=[-0.5, 0], limit=200)[0]
        assert functions.noise_excess(scale, power) == pytest.approx(exact, rel=1e-6)
    scales = 2 * 10 ** -np.array([3.0, 4.0, 5.0])
    found = np.array([functions.noise_excess(scale, 10) for scale in scales])
    assert found[1] == pytest.approx(
        comb(10, 2) * 2 * scales[1] ** 2 / 2**8, abs=0, rel=1e-3
    )  # one term
    printed = factorial(10) * 2 / 10**40
    assert printed == pytest.approx(7.3e-34, rel=0.01)
    np.testing.assert_allclose(np.diff(np.log10(found)) / 10, -1 / 5, atol=1e-3)
    assert factorial(10) * 2e-4**10 == pytest.approx(printed * 512)  # the last term


@pytest.mark.source("WLF16-ex-appB-mean")
@pytest.mark.erratum("WLF16-ex-appB-mean/3")
def test_the_noise_leaves_the_interval_and_the_loss_exceeds_one():
    scale = 2 * 1000**-0.1
    assert scale == pytest.approx(1.0, abs=0.005)
    assert np.exp(-0.5 / scale) > 0.6
    assert functions.noise_excess(scale, 10) > 1


@pytest.mark.source("WLF16-rem-appB", "WLF16-ex-appB-mean")
def test_squared_loss_separates_the_two_routes():
    """Epsilon = n^(-2/3) and noise 1 / (epsilon n): gap and stability of order n^(-2/3), below the floor."""
    for n in (10**4, 10**6, 10**8):
        epsilon = n ** (-2 / 3)
        gap = functions.noise_excess(1 / (epsilon * n), 2)
        assert gap == pytest.approx(2 * n ** (-2 / 3))
        assert gap + epsilon < functions.lemma_floor(n)
    assert gap + epsilon == pytest.approx(1.4e-5, rel=0.01)
    assert functions.lemma_floor(10**4, 0.1) == pytest.approx(
        0.1 + np.sqrt(12 * np.log(40) / 10**4)
    )
    assert functions.lemma_floor(n) - n**-0.5 == pytest.approx(1.1e-3, rel=0.03)
