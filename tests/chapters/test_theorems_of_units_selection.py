"""Simple theorems of units on choices, floats, losses and votes, against exact computations."""

from math import exp, log, pi, sqrt

import numpy as np
import pytest
from scipy.stats import laplace

from book.tools.programme import tangled
from privml.composition import optimal_delta
from privml.divergences import gaussian_delta
from privml.mechanisms import Noise

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


unstable = tangled("unstable-queries")


@pytest.mark.parametrize("a", [0.3, 1.0, 40.0])
def test_a_point_of_distance_zero_passes_no_more_often_than_promised(a):
    noise = Noise(a, 2 * a)
    for w in (0.0, a, 10 * a, 60 * a):
        promised = 2 / 3 * exp(-w / (2 * a))
        assert unstable.slip(w, noise) <= promised
    assert unstable.slip(60 * a, noise) > 0.999 * promised  # and it is sharp
    places = np.linspace(-40 * a, 40 * a, 200_001)
    for w in (-5 * a, -20 * a):  # below 0, where the closed form does not hold
        above = laplace.sf(w + places, scale=2 * a) @ laplace.pdf(places, scale=a) * (places[1] - places[0])
        assert above <= 2 / 3 * exp(-w / (2 * a))
