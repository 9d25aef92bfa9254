"""Simple theorems of units on votes and generalisation, against exact computations."""

from math import exp, log, sqrt

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import binom, laplace

from book.tools.programme import tangled
from privml.learnability import (
    always_aerm_gap,
    coin_problem,
    exponential_law,
    optimal_learner,
    packing_excess_risk,
    thresholds_excess_risk,
    thresholds_problem,
)
from privml.mechanisms import Noise

unstable = tangled("unstable-queries")


@pytest.mark.parametrize("seed", range(5))
def test_losses_of_a_choice_lie_in_an_interval_of_length_epsilon(seed):
    rng, epsilon = np.random.default_rng(seed), 1.3
    scores = rng.normal(size=6)
    moved = scores + rng.uniform(-1, 1, 6)
    weights = np.exp(epsilon / 2 * np.array([scores, moved]))
    losses = np.log(np.divide(*(weights / weights.sum(axis=1, keepdims=True))))
    assert np.ptp(losses) <= epsilon
    assert np.abs(losses).max() <= epsilon


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_the_coin_and_the_bound_by_the_number_of_hypotheses(epsilon):
    for m in (2, 4, 8):
        rule = max(k / m * exp(-epsilon * k / 2) / 2 for k in range(0, m + 1, 2))
        assert optimal_learner(coin_problem(), m, epsilon).value == pytest.approx(rule, abs=1e-9)
        assert rule <= 1 / (exp(1) * m * epsilon)
    problem = thresholds_problem(2)
    worst = always_aerm_gap(exponential_law(problem, epsilon), problem, 4).value
    assert worst <= 2 * log(3) / (4 * epsilon)


@pytest.mark.parametrize(("n", "beta"), [(200, 0.5), (400, 0.05), (2000, 1e-4)])
def test_boosting_with_half_of_the_records(n, beta):
    a = int(np.ceil(log(2 / beta)))
    lam = log(2 * (a - 1) / beta)
    v, epsilon = n - a * (n // (2 * a)), 4 * sqrt(lam / n)
    excess = 2 * sqrt(lam / n)
    assert v >= n / 2
    assert a >= 2
    assert exp(-a) <= beta / 2
    # a - 1 rivals that are worse by the excess, each erring where the best one does not
    errors = np.arange(v + 1)
    one = binom.pmf(errors, v, (1 + min(1.0, excess)) / 2) @ expit(-epsilon / 2 * (2 * errors - v))
    assert (a - 1) * one <= beta / 2


def test_teachers_agree_where_the_margin_is_high():
    xi, m, beta = 1 / 6, 1000, 0.05
    K = int(np.ceil(2 / xi**2 * log(m / beta)))
    lost = binom.cdf(np.ceil((K + K * xi) / 2) - 1, K, 0.5 + xi)  # a lead below K xi
    assert m * lost <= beta
    few = K // 12
    assert m * binom.cdf(np.ceil((few + few * xi) / 2) - 1, few, 0.5 + xi) > beta


@pytest.mark.parametrize("k", [2, 3, 5])
def test_a_drawn_list_costs_its_distance_and_the_logarithm_of_its_length(k):
    p, epsilon, instances = 7, 2.0, np.array([4, 4, 4, 0, 0, 2, 3, 5])  # labelled True at 4 only
    found = []
    for a in range(1, p):
        for b in range(p):
            bucket = (a * instances + b) % p % k
            wrong = np.array([((bucket == j) != (instances == 4)).sum() for j in range(k)])
            weights = np.exp(-epsilon * wrong / 2)
            found.append((wrong.min(), weights @ wrong / weights.sum()))
    best, drawn = np.mean(found, axis=0) / len(instances)
    assert best <= 1 / k
    assert best < drawn <= 1 / k + 2 * log(k) / (epsilon * len(instances))


def test_the_ring_of_arcs_is_twice_as_bad_for_the_vote():
    for a in (1, 3, 10):
        arcs = (np.arange(2 * a + 1) - np.arange(2 * a + 1)[:, None]) % (2 * a + 1) < a
        assert (arcs.mean(axis=0) < 0.5).all()  # so that the ensemble says 0 everywhere, error 1
        assert 1 / (~arcs).mean(axis=1) == pytest.approx((2 * a + 1) / (a + 1))


@pytest.mark.parametrize(("wrong", "astray"), [(50, False), (85, True)])
def test_a_student_of_few_wrong_labels_keeps_its_distance(wrong, astray):
    m, near, far, beta = 400, 0.1, 0.5, 0.05  # two rules that differ from the vote on disjoint sets
    bound = near + 2 * wrong / m + sqrt(2 * log(2 * 2 / beta) / m)
    assert (bound < far) != astray
    ahead = np.arange(m + 1)  # the points on which the far rule differs; the wrong labels favour it
    rest = binom.sf(np.maximum(ahead - 2 * wrong, 0) - 1, m - ahead, near / (1 - far))
    chosen = binom.pmf(ahead, m, far) @ rest
    assert (chosen <= beta) != astray


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


def test_the_seven_teachers_are_answered_with_the_stated_chances():
    halving = laplace(scale=1 / log(2))
    before, after = (halving.sf(3 - np.array(d)) for d in ([3, 1, 0], [2, 0, 0]))
    assert before == pytest.approx([1 / 2, 1 / 8, 1 / 16])
    assert after == pytest.approx([1 / 4, 1 / 16, 1 / 16])


def test_the_seven_readings_leave_the_stated_cuts():
    cuts = np.arange(1, 9)
    for order, lies, asked, left in (
        ([4, 6, 2, 5, 7, 3], set(), [4, 6, 5], [5]),
        ([7, 4, 6, 2, 5, 3], {7}, [7], [8]),
    ):
        possible, questions = cuts, []
        for reading in order:
            says = reading >= possible  # ill
            if says.any() and not says.all():
                questions.append(reading)
                possible = possible[says == ((reading >= 5) != (reading in lies))]
        assert questions == asked
        assert possible.tolist() == left
    mistakes = {c: sum((r >= c) != ((r >= 5) != (r == 7)) for r in (7, 4, 6, 2, 5, 3)) for c in (5, 8)}
    assert mistakes == {5: 1, 8: 2}  # the passive learner is not misled


@pytest.mark.parametrize(("d", "tau", "beta"), [(1, 0.3, 0.1), (2, 0.2, 0.05), (3, 0.15, 0.3)])
def test_the_stated_records_make_bad_draws_of_a_cone_rare(d, tau, beta):
    epsilon, r = 0.5, np.linspace(0, 1, 200_001)[1:]

    def bad(m):  # for the loss |h| on the unit ball, whose oscillation is 1
        weights = r ** (d - 1) * np.exp(-epsilon * m / 2 * r)
        return weights[r > 2 * tau].sum() / weights.sum()

    m = int(np.ceil(2 / (epsilon * tau) * (d * log(1 / tau) + log(1 / beta))))
    assert bad(m) <= beta < bad(m // 4)


def _a_learner_of_two_records(seed, epsilon):
    """Laws of three outputs on two records of three kinds, their delta at epsilon, and a population."""
    rng = np.random.default_rng(seed)
    laws, p = rng.dirichlet(np.full(3, 4.0), size=(3, 3)), rng.dirichlet(np.ones(3))
    excess = np.maximum(laws[:, None] - exp(epsilon) * laws[None], 0).sum(axis=-1).max()  # the first record
    other = np.maximum(laws[:, :, None] - exp(epsilon) * laws[:, None], 0).sum(axis=-1).max()
    return laws, max(excess, other), p, rng


def test_an_output_has_no_more_nats_than_records_times_rho():
    for seed in range(20):
        laws, _, p, _ = _a_learner_of_two_records(seed, 0.0)
        weights = np.outer(p, p)
        mean = np.einsum("ab,abo->o", weights, laws)
        nats = (weights[..., None] * laws * np.log(laws / mean)).sum()
        first = (laws[:, None] * np.log(laws[:, None] / laws[None])).sum(axis=-1)
        second = (laws[:, :, None] * np.log(laws[:, :, None] / laws[:, None])).sum(axis=-1)
        assert 0 < nats <= 2 * max(first.max(), second.max())
    keep, other = 1e5 / (1e5 + 999), 1 / (1e5 + 999)  # randomised response with a thousand kinds
    nats = keep * log(1000 * keep) + 999 * other * log(1000 * other)
    rho = (keep - other) * log(1e5)
    assert rho / 2 < nats <= rho  # half of the bound would be wrong
    response = np.full((3, 3), 1 / 6) + np.eye(3) / 2
    assert (response[0] * np.log(3 * response[0])).sum() == pytest.approx(log(2) / 3)
    assert (response[0] * np.log(response[0] / response[1])).sum() == pytest.approx(log(4) / 2)


@pytest.mark.parametrize("epsilon", [0.0, 0.3, 1.0])
def test_a_record_and_a_fresh_one_change_places(epsilon):
    """Any score f of an output and two records, and the gap of any published query on average."""
    for seed in range(20):
        laws, delta, p, rng = _a_learner_of_two_records(seed, epsilon)
        first, second = p[:, None, None, None], p[:, None, None]
        joint = first * second * laws[..., None] * p  # output and fresh record last
        f = rng.integers(0, 2, (3, 3, 3)).astype(float)  # output, record of the sample, fresh record
        before = np.einsum("abow,oaw->", joint, f)
        after = np.einsum("abow,owa->", joint, f)
        assert before <= exp(epsilon) * after + delta + 1e-12
        queries = rng.integers(0, 2, (3, 3)).astype(float)  # output, record
        sample = (np.einsum("abow,oa->", joint, queries) + np.einsum("abow,ob->", joint, queries)) / 2
        gap = sample - np.einsum("abow,ow->", joint, queries)
        assert abs(gap) <= exp(epsilon) - 1 + delta + 1e-12


def test_a_hundred_records_on_a_grid():
    assert thresholds_excess_risk(2**20 + 1, 100, log(2)) >= 1 / 20
    assert packing_excess_risk(2**20 + 1, 20, log(2), loss=1 / 10) == pytest.approx(1 / 20)
    assert packing_excess_risk(2**20 + 1, 100, log(2)) < 1e-20
