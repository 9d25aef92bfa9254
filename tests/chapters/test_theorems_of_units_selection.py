"""Simple theorems of units on choices, floats, losses and votes, against exact computations."""

from collections import Counter
from itertools import combinations_with_replacement
from math import ceil, exp, inf, log, pi, sqrt, tanh

import numpy as np
import pytest
from scipy.stats import expon, laplace

from book.tools.chapter_code import chapter_module
from privml.composition import optimal_delta
from privml.divergences import gaussian_delta
from privml.learnability import packing_excess_risk, thresholds_excess_risk
from privml.mechanisms import Noise
from privml.pate import vote_distance
from tests.chapters.better_selection_functions import runs, stream_loss
from tests.chapters.thresholds_and_littlestone_functions import cell_failure
from tests.chapters.unstable_queries_functions import slip

better = chapter_module("better-selection")
wasted = chapter_module("how-much-is-wasted")
littlestone = chapter_module("thresholds-and-littlestone")


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_exponential_noise_has_no_memory(epsilon):
    scale = 2 / epsilon
    scores = np.array([0.0, 0.0, -1.0, -2.5])
    before = better.race(scores, expon, scale)
    for lowered in (0.5, 2.0, 6.0):
        after = better.race(scores - lowered * (np.arange(4) == 2), expon, scale)
        assert after[2] == pytest.approx(before[2] * exp(-lowered / scale), rel=1e-9)
    alone = better.race([0.0, -1.0], laplace, scale)[1]  # another noise remembers
    assert (
        abs(better.race([0.0, -3.0], laplace, scale)[1] / alone - exp(-2 / scale))
        > 1e-3
    )


@pytest.mark.parametrize(("n", "epsilon"), [(1, 1.0), (10, 0.5), (1000, 1.0)])
def test_one_choice_fails_no_more_often_than_promised(n, epsilon):
    for g in (2.0, 5.0, 12.0):
        assert better.choice_failure(g, n, epsilon) <= n / 2 * exp(-epsilon * g) + 1e-15
    assert better.choice_failure(30.0, n, epsilon) > 0.9 * n / 2 * exp(
        -30.0 * epsilon
    )  # and it is sharp


@pytest.mark.parametrize(("a", "b"), [(1.0, 2.0), (3.0, 3.0), (5.0, 1.5)])
def test_above_threshold_with_exponential_noise(a, b):
    values = np.array([[i, j] for i in range(-2, 3) for j in range(-2, 3)], dtype=float)
    lost = stream_loss(lambda v: runs(v, expon, a, b), values)
    assert lost == pytest.approx(1 / a + 2 / b, abs=1e-6)  # attained by two queries


def test_the_choices_worked_by_hand_lose_what_the_unit_says():
    assert optimal_delta(log(2), 2, log(3)) == pytest.approx(1 / 9)
    assert wasted.lead_epsilon(np.full(2, log(2)), log(4), 1 / 9) == pytest.approx(
        log(3)
    )
    far = np.array(
        [log(2**6)]
    )  # ahead by six points, and by four on the other data set
    assert wasted.lead_epsilon(far, log(4), 0.0) == pytest.approx(log(65 / 17))
    assert (
        wasted.lead_epsilon(far, log(4), 1 / 17) < log(2) / 2
    )  # the rare loss no longer counts


def test_labels_of_a_tie_have_a_share_of_the_mu_of_the_counts():
    a = [
        log(wasted.ndtr(1 / (2 * s)) / wasted.ndtr(-1 / (2 * s)))
        for s in (1.0, 10.0, 1000.0)
    ]
    assert a[0] == pytest.approx(0.807, abs=1e-3)
    assert 1000 * a[2] == pytest.approx(sqrt(2 / pi), rel=1e-6)
    mu, n = (
        1.5,
        40_000,
    )  # many labels: the curve of the smaller mu, not that of the counts
    few = optimal_delta(
        log(wasted.ndtr(mu / (2 * sqrt(n))) / wasted.ndtr(-mu / (2 * sqrt(n)))), n, 1.0
    )
    assert few == pytest.approx(
        float(gaussian_delta(1.0, mu=mu * sqrt(2 / pi))), rel=1e-3
    )
    assert few < float(gaussian_delta(1.0, mu=mu)) - 0.01


def test_the_simple_price_is_the_least_that_its_bound_permits():
    for bits, epsilon, delta, beta in (
        (8, 1.0, 1e-3, 0.05),
        (64, 0.5, 1e-6, 0.2),
        (4096, 2.0, 1e-9, 0.01),
    ):
        t = littlestone.cells_errors(bits, epsilon, delta, beta)
        T = (t + 1) // 2
        assert 2 * T == t + 1
        bound = [
            2 * bits * exp(epsilon / 2) / delta * exp(-epsilon * k / 2)
            for k in (T, T - 1)
        ]
        assert bound[0] <= beta < bound[1]
        assert (
            littlestone.sharp_errors(bits, epsilon, delta, beta)[0] <= t
        )  # the sharp theorem promises more


def test_the_worked_streams_have_the_stated_chances():
    mean = 1 / log(2)
    here = runs([0, 0], expon, mean, mean)[1]  # no, then yes
    there = runs([1, -1], expon, mean, mean)[1]
    assert here == pytest.approx(1 / 6)
    assert there == pytest.approx(1 / 48)
    quiet = [runs(np.zeros(n), expon, mean, mean)[-1] for n in (1, 2, 6)]
    assert quiet == pytest.approx([1 / 2, 1 / 3, 1 / 7])  # n values at the threshold


@pytest.mark.parametrize("x", [0.0, 2.0, 10.0])
def test_the_tails_of_a_comparison_are_the_stated_ones(x):
    # a single query that lies x below the threshold is answered yes if nu - rho is at least x
    assert runs([-x], expon, 1.0, 1.0)[0] == pytest.approx(exp(-x) / 2)
    assert runs([-x], laplace, 1.0, 1.0)[0] == pytest.approx((2 + x) / 4 * exp(-x))


@pytest.mark.parametrize("a", [0.3, 1.0, 40.0])
def test_a_point_of_distance_zero_passes_no_more_often_than_promised(a):
    noise = Noise(a, 2 * a)
    for w in (0.0, a, 10 * a, 60 * a):
        promised = 2 / 3 * exp(-w / (2 * a))
        assert slip(w, noise) <= promised
    assert slip(60 * a, noise) > 0.999 * promised  # and it is sharp
    places = np.linspace(-40 * a, 40 * a, 200_001)
    for w in (-5 * a, -20 * a):  # below 0, where the closed form does not hold
        above = (
            laplace.sf(w + places, scale=2 * a)
            @ laplace.pdf(places, scale=a)
            * (places[1] - places[0])
        )
        assert above <= 2 / 3 * exp(-w / (2 * a))


@pytest.mark.parametrize("beta", [0.3, 0.05])
def test_a_count_of_rare_events_stays_below_twice_its_bound_and_a_logarithm(beta):
    rng = np.random.default_rng(3)
    for chances in (
        rng.uniform(size=40),
        np.full(60, 0.02),
        np.r_[1.0, np.zeros(5)],
        np.ones(12),
    ):
        law = np.ones(1)
        for q in chances:
            law = np.convolve(law, [1 - q, q])
        assert (
            law[np.arange(len(law)) >= 2 * (chances.sum() + log(1 / beta))].sum()
            <= beta
        )
        assert (
            2.0 ** np.arange(len(law)) @ law <= exp(chances.sum()) + 1e-9
        )  # the mean capital


@pytest.mark.parametrize(
    ("d", "tau", "beta"), [(1, 0.3, 0.1), (2, 0.2, 0.05), (3, 0.15, 0.3)]
)
def test_the_stated_records_make_bad_draws_of_a_cone_rare(d, tau, beta):
    r, m = (
        np.linspace(0, 1, 200_001)[1:],
        ceil(4 / tau * (d * log(1 / tau) + log(1 / beta))),
    )  # epsilon 1/2
    laws = [
        r ** (d - 1) * np.exp(-n / 4 * r) for n in (m, m // 4)
    ]  # of the loss |h| on the unit ball
    bad = [law[r > 2 * tau].sum() / law.sum() for law in laws]
    assert bad[0] <= beta < bad[1]


confident = chapter_module("high-confidence")
small = chapter_module("how-small-delta")
sparse = chapter_module("sparse-and-kernel-problems")


def test_the_worked_features_have_the_stated_chances():
    mistakes = np.array([[0, 4], [1, 3], [2, 2]]) / 4
    one = sparse.one_stage(mistakes, 4, 4 * log(2), 1.0)
    two = sparse.two_stages(mistakes, 4, 4 * log(2), 1.0)
    assert one[:2, 0] == pytest.approx([256 / 357, 64 / 357])
    assert two[:2, 0] == pytest.approx([64 / 119, 8 / 35])
    assert 4 * (one * mistakes).sum() == pytest.approx(144 / 357)
    assert 4 * (two * mistakes).sum() == pytest.approx(488 / 595)


@pytest.mark.parametrize(("n", "epsilon"), [(3, 2.0), (20, 1.0), (1000, 0.7)])
def test_proper_answers_err_on_a_quarter_up_to_the_stated_number_of_records(n, epsilon):
    m = 2 * int(log(n - 2) / epsilon)
    permitted = [
        (n - 2) / (exp(epsilon * k / 2) + n - 2) / 2 for k in (m, m + 2)
    ]  # by the packing
    assert permitted[1] < 1 / 4 <= permitted[0]
    assert confident.exact_gap(300, 1.0, 0.01) <= sqrt(2 * log(1 / 0.01) / 300) + 1e-9


def worst_failure(s, m, epsilon, delta):
    """Largest probability of no answer or of s mistakes, over all data of three bits with a right cut."""
    worst = 0.0
    for x in combinations_with_replacement(range(8), m):
        for below in (k for k in range(m + 1) if k in (0, m) or x[k - 1] < x[k]):
            labels = [0] * below + [1] * (m - below)
            worst = max(
                worst,
                cell_failure(list(x), labels, 3, epsilon, delta, s - 1, s),
            )
    return worst


@pytest.mark.parametrize(
    ("T", "m", "epsilon"), [(2, 2, 7.0), (2, 4, 8.0), (3, 3, 5.0), (4, 4, 4.0)]
)
def test_a_cut_costs_no_more_than_the_simple_price(T, m, epsilon):
    delta = 1 / (m + 2)
    bound = 2 * 3 * exp(epsilon / 2) / delta * exp(-epsilon * T / 2)
    worst = worst_failure(2 * T, m, epsilon, delta)
    assert worst <= bound < 1
    assert worst > bound * exp(
        -epsilon
    )  # with T + 2 in place of T the bound would be false


def walk(x, y, bits, T):
    """The walk of the lemma on a good cut, with the largest right cut as its aim."""
    g = min((v for v, label in zip(x, y, strict=True) if label), default=1 << bits)
    low, high = 0, 1 << bits
    if g in (low, high):
        return g
    while True:
        middle = (low + high) // 2
        half = (low, middle) if g < middle else (middle, high)
        if g == middle or sum(half[0] <= v < half[1] for v in x) < T:
            return middle
        low, high = half


@pytest.mark.parametrize("m", [2, 4])
def test_the_walk_stops_at_a_cut_with_enough_records_and_few_mistakes(m):
    most = Counter()
    for x in combinations_with_replacement(range(8), m):
        for below in (k for k in range(m + 1) if k in (0, m) or x[k - 1] < x[k]):
            labels = [0] * below + [1] * (m - below)
            for T in range(1, m + 1):
                c = walk(x, labels, 3, T)
                mistakes = littlestone.mistakes(x, labels, [c])[0]
                assert littlestone.occupied(x, 3)[c] >= T
                assert mistakes < T
                most[T] = max(most[T], mistakes)
    assert most[2] == 1  # T - 1 is attained
    seven = [1, 2, 2, 5, 6, 6, 13], [0, 0, 0, 0, 1, 1, 1]  # the instance of the page
    assert [walk(*seven, 4, T) for T in (2, 4)] == [6, 4]


@pytest.mark.parametrize("n_teachers", [3, 4, 7, 8])
def test_the_distance_of_a_vote_is_the_radius_or_one_less(n_teachers):
    votes = (np.arange(n_teachers)[:, None] < np.arange(n_teachers + 1)).astype(
        int
    )  # 0 to all for 1
    distance = vote_distance(votes)
    ones = 2 * np.arange(n_teachers + 1) >= n_teachers  # a tie counts as 1
    for v in range(
        n_teachers + 1
    ):  # the radius is larger by 1 for a positive even lead of the label 1
        radius = (
            min(abs(v - u) for u in range(n_teachers + 1) if ones[u] != ones[v]) - 1
        )
        lead = 2 * v - n_teachers
        assert radius == distance[v] + (lead > 0 and lead % 2 == 0)


@pytest.mark.parametrize("epsilon", [0.2, log(2), 2.0])
def test_a_rate_for_every_delta(epsilon):
    for delta in (1e-12, 1e-4, 0.01, 0.3, 1.0):
        d = 0
        while small.group_delta(d + 2, epsilon, delta) <= 0.5:
            d += 2
        for m in (max(d, 2), d + 1, 10 * d + 2):
            assert (
                thresholds_excess_risk(inf, m, epsilon, delta=delta)
                >= d / (4 * m) - 1e-12
            )
            simple = log((exp(epsilon) - 1) / (2 * delta)) / (4 * epsilon * m) - 1 / (
                2 * m
            )
            assert d / (4 * m) >= simple - 1e-12


def test_the_worked_exponentially_small_deltas_force_the_stated_errors():
    for m, L, errors in ((100, 49, 12), (1000, 499, 124)):
        delta = 2.0 ** (-m / 2)
        assert log(1 / (2 * delta)) / log(2) == pytest.approx(L)
        assert (
            small.group_delta(L - 1, log(2), delta)
            < 1 / 2
            < small.group_delta(L + 1, log(2), delta)
        )
        assert (
            m * thresholds_excess_risk(inf, m, log(2), delta=delta)
            > (L - 1) / 4
            >= errors
        )


def test_the_share_of_errors_stays_where_delta_is_exponentially_small():
    for m, d in ((100, 46), (1000, 496)):
        assert 16 * (2**d - 1) < 2 ** (m // 2)
        assert small.group_delta(d, log(2), 2.0 ** (-m / 2)) == pytest.approx(1 / 16)
        assert (
            thresholds_excess_risk(inf, m, log(2), delta=2.0 ** (-m / 2))
            > d / (2 * m) * 0.9374
            > 1 / 5
        )


def test_the_roomy_and_the_narrow_town_and_the_three_people_have_the_stated_chances():
    c = 4 * log(2)
    for best, chance in ((20, 1 / 2), (4, 1 / 7)):
        weights = np.exp(-c * np.r_[np.zeros(best), np.full(100 - best, 1 / 2)])
        assert weights[:best].sum() / weights.sum() == pytest.approx(chance)
        assert (1 - chance) / 2 <= log(100 / best) / c  # the mean excess and its bound
        assert weights @ (1 / weights) / weights.sum() == pytest.approx(
            1 / weights.mean()
        )
    ones = [1 / (1 + 2.0 ** (3 - 2 * yes)) for yes in (1, 2)]  # chance of the number 1
    assert ones == pytest.approx([1 / 3, 2 / 3])
    assert ones[1] - ones[0] == pytest.approx(tanh(2 * log(2) / 4))


@pytest.mark.parametrize("epsilon", [0.2, log(2), 2.0])
def test_one_of_many_wrong_targets_is_hit_seldom(epsilon):
    for K in (2, 3, 11, 1000):
        for d in (1, 2, 5):
            for delta in (0.0, 1e-6, 0.01, 0.1, 0.5):
                least = packing_excess_risk(K, d, epsilon, delta=delta, loss=1.0)
                grown = small.group_delta(d, epsilon, delta)
                assert least >= 1 - grown - exp(d * epsilon) / (K - 1) - 1e-12
    assert packing_excess_risk(11, 1, log(2), delta=0.1, loss=1.0) == pytest.approx(
        3 / 4
    )
