"""What no output knows: the direct argument, the transfer theorem, and the records that they need."""

from math import exp, log, sqrt, tanh
from statistics import NormalDist

import numpy as np
import pytest

from book.tools.programme import tangled
from privml.divergences import gaussian_delta
from privml.learnability import LearningProblem, coin_problem, exponential_law

chapter = tangled("generalisation-for-free")


def test_the_direct_argument_is_sharp_at_both_ends():
    """Randomised response among K kinds for delta = 0; a record published with probability delta."""
    K, epsilon, delta = 200, 2 * log(199), 1e-3
    gap = exp(epsilon) / (exp(epsilon) + K - 1) - 1 / K
    assert gap == pytest.approx(tanh(epsilon / 4), abs=1e-9)
    problem = LearningProblem(np.vstack([1 - np.eye(K), np.full(K, 0.5)]))
    confess = lambda counts: np.column_stack([delta * counts, np.full(len(counts), 1 - delta)])  # noqa: E731
    probability, risk, empirical = chapter.remembered_risks(confess, problem, np.full(K, 1 / K), 1)
    knows = risk - empirical >= 1 - 1 / K - 1e-9
    assert probability[knows].sum() == pytest.approx(delta)  # margin 1 at t = 1 - 1 / K, epsilon 0


@pytest.mark.source("S16-rem-monitor")
@pytest.mark.parametrize(("m", "epsilon", "tau"), [(200, 0.2, 0.3), (1000, 0.05, 0.15), (60, 0.5, 0.6)])
def test_the_direct_bound_is_above_the_exact_tail_and_falls_as_it_should(m, epsilon, tau):
    law = exponential_law(coin_problem(), epsilon)
    exact = chapter.exact_generalisation_tail(law, coin_problem(), [0.5, 0.5], m, tau)
    bounds = [chapter.direct_tail(m, epsilon, tau, delta) for delta in (0.0, 1e-6, 1e-3)]
    assert exact <= bounds[0] <= bounds[1] <= bounds[2]
    assert bounds[1] >= 2 * 1e-6 / tau  # no more is left than all of tau
    assert chapter.direct_tail(4 * m, epsilon, tau, 1e-6) <= bounds[1]
    assert chapter.direct_tail(m, epsilon, tau, 1e-6) <= chapter.simple_tail(m, epsilon, tau, 1e-6)


def test_the_direct_bound_is_the_theorem_at_some_parameters():
    """By hand at one choice, which the grid must not be far above."""
    m, epsilon, tau, delta, eta = 100_000, 0.05, 0.1, 1e-9, 0.02
    a, c = 0.012, 0.002
    t = tau - 2 * a - c
    margin = t - (exp(epsilon + eta) - 1) * (1 - t) ** 2 / 4
    by_hand = exp(-a * eta * m) * (1 + 1 / (c * eta * m)) + 2 * delta / margin
    assert chapter.direct_tail(m, epsilon, tau, delta) < 1.05 * by_hand
    assert chapter.direct_tail(m, epsilon, tau, delta) < chapter.monitor_tail(m, epsilon, tau, delta)


def test_the_best_c_and_d_are_those_of_cauchy_and_schwarz():
    m, k = 60_000, 100
    failure, epsilon, delta = chapter.transfer(m, k)
    place = np.unravel_index(failure.argmin(), failure.shape)
    room, width = chapter.ROOM[place[0], 0, 0], chapter.WIDTH[place[1], 0]
    left = (1 - room) * chapter.TAU - np.expm1(epsilon[place[0], 0, place[2]])
    missed = 2 * k * (1 - NormalDist().cdf(width))
    c = np.linspace(0, left, 100_001)[1:-1]
    assert (missed / c + 2 * delta[place] / (left - c)).min() == pytest.approx(failure[place], rel=1e-6)


def test_the_privacy_curve_of_the_answers_is_that_of_the_library():
    m, k, epsilon = 20_000, 256, np.full((1, 1, 1), 0.1)
    mu = sqrt(k) * chapter.WIDTH / (chapter.ROOM * chapter.TAU * m)
    np.testing.assert_allclose(chapter.leak(m, k, epsilon), gaussian_delta(0.1, mu), rtol=1e-6, atol=1e-13)


@pytest.mark.parametrize("name", list(chapter.THEOREMS))
def test_the_grid_misses_little_and_the_counts_are_smallest(name):
    """A grid twice as fine in each direction asks for less than two percent fewer records."""
    k = 256
    found = chapter.records(name, k)
    theorem = chapter.THEOREMS[name]
    assert theorem(found, k)[0].min() <= chapter.BETA < theorem(found - 1, k)[0].min()
    room = np.linspace(0.04, 0.96, 47)[:, None, None]
    finer = {"ROOM": room, "REST": (1 - room) * chapter.TAU, "WIDTH": np.linspace(1.5, 7.5, 47)[:, None]}
    finer |= {
        "SPENT": np.linspace(0.2, 0.98, 47),
        "RUNS": np.round(np.geomspace(10, 1000, 15))[:, None, None, None],
    }
    with pytest.MonkeyPatch.context() as patch:
        for key, value in finer.items():
            patch.setattr(chapter, key, value)
        assert theorem(found, k)[0].min() <= chapter.BETA < theorem(int(0.98 * found), k)[0].min()


def test_constants_are_in_order_at_every_number_of_queries():
    for k in (1, 64, 4096):
        count = {name: chapter.records(name, k) for name in chapter.THEOREMS}
        assert count["direct"] < count["Jung et al., our constants"] < count["Jung et al."] / 3
        assert count["direct"] < count["monitor"] < count["monitor, plain parts"] / 3
    assert chapter.pays_from("direct") < chapter.pays_from("monitor") < chapter.pays_from("Jung et al.")
