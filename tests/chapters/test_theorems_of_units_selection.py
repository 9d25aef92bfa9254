"""Simple theorems of units on choices, floats and losses, against exact computations."""

from math import exp, log, pi, sqrt

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import binom

from book.tools.programme import tangled
from privml.composition import optimal_delta, optimal_epsilon
from privml.divergences import gaussian_delta

better = tangled("better-selection")
wasted = tangled("how-much-is-wasted")
littlestone = tangled("thresholds-and-littlestone")


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_exponential_noise_has_no_memory(epsilon):
    scale = 2 / epsilon
    scores = np.array([0.0, 0.0, -1.0, -2.5])
    before = better.race(scores, "exponential", scale)
    for lowered in (0.5, 2.0, 6.0):
        after = better.race(scores - lowered * (np.arange(4) == 2), "exponential", scale)
        assert after[2] == pytest.approx(before[2] * exp(-lowered / scale), rel=1e-9)
    alone = better.race([0.0, -1.0], "Laplace", scale)[1]  # another noise remembers
    assert abs(better.race([0.0, -3.0], "Laplace", scale)[1] / alone - exp(-2 / scale)) > 1e-3


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_winner_and_laplace_gap_cost_no_more_than_claimed(epsilon):
    states = better.leads(3, 3)
    for noise in ("Laplace", "exponential"):
        lost = better.largest_loss(lambda u, noise=noise: better.race(u, noise, 2 / epsilon), states)
        assert lost <= epsilon + 1e-9
        halved = better.largest_loss(lambda u, noise=noise: better.race(u, noise, 1 / epsilon), states)
        assert halved > epsilon + 1e-3  # half of the noise is not enough

    def law(u):
        return better.gap_law(u, "Laplace", 2 / epsilon, (0.0, 1.0, 3.0))

    assert better.largest_loss(law, states) <= epsilon + 1e-9


@pytest.mark.parametrize(("n", "epsilon"), [(1, 1.0), (10, 0.5), (1000, 1.0)])
def test_one_choice_fails_no_more_often_than_promised(n, epsilon):
    for g in (2.0, 5.0, 12.0):
        exact = better.one_choice(g, n, epsilon)
        assert exact <= n / 2 * exp(-epsilon * g) + 1e-15
    assert better.one_choice(30.0, n, epsilon) > 0.9 * n / 2 * exp(-30.0 * epsilon)  # and it is sharp


@pytest.mark.parametrize(("a", "b"), [(1.0, 2.0), (3.0, 3.0), (5.0, 1.5)])
def test_above_threshold_with_exponential_noise(a, b):
    values = np.array([[i, j] for i in range(-2, 3) for j in range(-2, 3)], dtype=float)
    lost = better.stream_loss(lambda v: better.runs(v, "exponential", a, b), values)
    assert lost == pytest.approx(1 / a + 2 / b, abs=1e-6)  # attained by two queries


@pytest.mark.parametrize(("k", "step", "delta"), [(1, 0.7, 0.01), (10, 0.3, 1e-4), (100, 0.1, 1e-6)])
def test_a_tie_is_randomised_response_with_half_of_the_parameter(k, step, delta):
    tied = wasted.lead_epsilon(np.full(k, step / 2), step, delta)
    assert tied == pytest.approx(optimal_epsilon(step / 2, k, delta), abs=1e-9)


def test_the_choices_worked_by_hand_lose_what_the_unit_says():
    assert optimal_delta(log(2), 2, log(3)) == pytest.approx(1 / 9)
    assert wasted.lead_epsilon(np.full(2, log(2)), log(4), 1 / 9) == pytest.approx(log(3))
    far = np.array([log(2**6)])  # ahead by six points, and by four on the other data set
    assert wasted.lead_epsilon(far, log(4), 0.0) == pytest.approx(log(65 / 17))
    assert wasted.lead_epsilon(far, log(4), 1 / 17) < log(2) / 2  # the rare loss no longer counts


def test_labels_of_a_tie_have_a_share_of_the_mu_of_the_counts():
    a = [log(wasted.ndtr(1 / (2 * s)) / wasted.ndtr(-1 / (2 * s))) for s in (1.0, 10.0, 1000.0)]
    assert a[0] == pytest.approx(0.807, abs=1e-3)
    assert 1000 * a[2] == pytest.approx(sqrt(2 / pi), rel=1e-6)
    mu, n = 1.5, 40_000  # many labels: the curve of the smaller mu, not that of the counts
    few = optimal_delta(log(wasted.ndtr(mu / (2 * sqrt(n))) / wasted.ndtr(-mu / (2 * sqrt(n)))), n, 1.0)
    assert few == pytest.approx(float(gaussian_delta(1.0, mu * sqrt(2 / pi))), rel=1e-3)
    assert few < float(gaussian_delta(1.0, mu)) - 0.01


def test_the_simple_price_is_the_least_that_its_bound_permits():
    for bits, epsilon, delta, beta in ((8, 1.0, 1e-3, 0.05), (64, 0.5, 1e-6, 0.2), (4096, 2.0, 1e-9, 0.01)):
        t = littlestone.cells_price(bits, epsilon, delta, beta)
        T = (t + 1) // 2
        assert 2 * T == t + 1
        bound = [2 * bits * exp(epsilon / 2) / delta * exp(-epsilon * k / 2) for k in (T, T - 1)]
        assert bound[0] <= beta < bound[1]
        assert littlestone.price(bits, epsilon, delta, beta)[0] <= t  # the sharp theorem promises more


def test_the_worked_streams_have_the_stated_chances():
    mean = 1 / log(2)
    here = better.runs([0, 0], "exponential", mean, mean)[1]  # no, then yes
    there = better.runs([1, -1], "exponential", mean, mean)[1]
    assert here == pytest.approx(1 / 6)
    assert there == pytest.approx(1 / 48)


@pytest.mark.parametrize("x", [0.0, 2.0, 10.0])
def test_the_tails_of_a_comparison_are_the_stated_ones(x):
    # a single query that lies x below the threshold is answered yes if nu - rho is at least x
    assert better.runs([-x], "exponential", 1.0, 1.0)[0] == pytest.approx(exp(-x) / 2)
    assert better.runs([-x], "Laplace", 1.0, 1.0)[0] == pytest.approx((2 + x) / 4 * exp(-x))


@pytest.mark.parametrize("beta", [0.3, 0.05])
def test_a_count_of_rare_events_stays_below_twice_its_bound_and_a_logarithm(beta):
    rng = np.random.default_rng(3)
    for chances in (rng.uniform(size=40), np.full(60, 0.02), np.r_[1.0, np.zeros(5)], np.ones(12)):
        law = np.ones(1)
        for q in chances:
            law = np.convolve(law, [1 - q, q])
        limit = 2 * (chances.sum() + log(1 / beta))
        assert law[np.arange(len(law)) >= limit].sum() <= beta
        assert 2.0 ** np.arange(len(law)) @ law <= exp(chances.sum()) + 1e-9  # the mean capital


def votes_density(exponent, h):
    """Density on [-1, 1] that is proportional to exp(exponent h)."""
    return np.exp(exponent * h) * exponent / (2 * np.sinh(exponent))


def test_the_worked_votes_have_the_stated_ratios():
    h = np.linspace(-1, 1, 201)
    ratio = votes_density(1.0, h) / 0.5
    assert (round(ratio.min(), 2), round(ratio.max(), 2), round(1 / ratio.min(), 1)) == (0.31, 2.31, 3.2)
    jumped = votes_density(3.5, h) / votes_density(-3.5, h)  # a penalty chosen by the majority of three votes
    assert jumped.max() == pytest.approx(exp(7.0))
    assert 1090 < jumped.max() < 1105


@pytest.mark.parametrize("epsilon", [0.3, log(3)])
def test_an_approximate_draw_has_the_stated_delta_and_can_attain_it(epsilon):
    rng, p = np.random.default_rng(2), exp(epsilon) / (1 + exp(epsilon))
    exact = np.array([[p, 1 - p, 0.0], [1 - p, p, 0.0]])
    for eta in (0.01, 1 - p):
        found = 0.0
        for _ in range(500):
            moved = exact.copy()
            for row in moved:
                gone = rng.dirichlet(np.ones(3)) * eta
                gone = np.minimum(gone, row)
                row += rng.permutation(np.eye(3)[0]) * gone.sum() - gone
            found = max(found, np.maximum(moved[0] - exp(epsilon) * moved[1], 0).sum())
        assert found <= (1 + exp(epsilon)) * eta + 1e-12
        worst = exact + eta * np.array([[1, -1, 0], [-1, 1, 0]])
        delta = np.maximum(worst[0] - exp(epsilon) * worst[1], 0).sum()
        assert delta == pytest.approx((1 + exp(epsilon)) * eta)


def test_two_candidates_are_confused_as_seldom_as_the_unit_says():
    errors = np.arange(201)
    better_one, worse_one = (binom.pmf(errors, 200, risk) for risk in (0.3, 0.5))
    ahead = errors[None, :] - errors[:, None]  # S, of the better row and the worse column
    joint = np.outer(better_one, worse_one)
    assert joint[ahead <= 0].sum() <= exp(-4)
    assert (joint * expit(-0.4 / 2 * ahead)).sum() <= exp(-4)  # epsilon = 2/5
    assert (joint * expit(-0.02 / 2 * ahead)).sum() > exp(-4)  # with more privacy it is not free


def test_two_people_of_the_registry_err_by_seven_in_twenty_four():
    x = np.linspace(0, 0.5, 100_001)
    missed = (1 - x) ** 2  # nobody has a reading within x below the threshold one half
    assert np.trapezoid(missed, x) == pytest.approx(7 / 24, abs=1e-9)
