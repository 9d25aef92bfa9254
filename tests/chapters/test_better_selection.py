"""Better selection: laws by other integrals and by draws, losses of all neighbours, programs by hand."""

from itertools import product
from math import cosh, exp, log

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from book.tools.programme import tangled
from privml import ExponentialMechanism, PermuteAndFlip

chapter = tangled("better-selection")
LAWS = {"Gumbel": stats.gumbel_r, "exponential": stats.expon, "Laplace": stats.laplace}


@pytest.mark.parametrize("noise", LAWS)
@pytest.mark.parametrize("scores", [[0.0, 0.0], [1.3, -0.4, 0.0], [2.0, 1.0, 0.5, -3.0]])
def test_the_law_of_a_race_is_that_of_an_adaptive_integral_in_other_coordinates(noise, scores):
    law, scale = LAWS[noise], 1.7
    found = chapter.race(scores, noise, scale)
    for h, own in enumerate(scores):
        others = (np.delete(scores, h) - own) / scale
        inner = lambda s: np.prod(law.cdf(law.ppf(s) - others))  # noqa: B023, E731
        kinks = sorted({0.0, 0.5, 1.0, *law.cdf(others)})
        value = sum(quad(inner, *ends, epsabs=1e-10)[0] for ends in zip(kinks[:-1], kinks[1:], strict=True))
        assert found[h] == pytest.approx(value, abs=1e-8)
    assert found.sum() == pytest.approx(1, abs=1e-13)


FORMS = [("Gumbel", ExponentialMechanism), ("exponential", PermuteAndFlip)]


@pytest.mark.parametrize(("noise", "form"), FORMS)
def test_two_of_the_races_are_the_mechanisms_of_the_library(noise, form):
    scores = [5.0, 4.5, 1.0, 5.0]
    known = form(epsilon=0.7, sensitivity=1.5).output_distribution(scores).pmf()
    assert chapter.race(scores, noise, 3 / 0.7) == pytest.approx(known, abs=1e-13)


def test_two_options_with_laplace_noise_have_the_closed_form_of_the_exercise():
    for x in (0.0, 0.5, 2.0, 7.0):
        assert chapter.race([x, 0.0], "Laplace", 1.0)[1] == pytest.approx((2 + x) * exp(-x) / 4, rel=1e-12)


@pytest.mark.parametrize("noise", LAWS)
def test_the_law_of_the_gap_agrees_with_draws(noise):
    scores, scale, edges, n = np.array([1.0, 0.0, 2.5]), 2.0, (0.0, 1.0, 3.0), 200_000
    noisy = scores + scale * LAWS[noise].rvs(size=(n, 3), random_state=5)
    order = np.sort(noisy, axis=1)
    cells = 3 * noisy.argmax(axis=1) + np.searchsorted(edges, order[:, -1] - order[:, -2], side="right") - 1
    law = chapter.gap_law(scores, noise, scale, edges)
    assert law.sum() == pytest.approx(1, abs=1e-12)
    off = np.bincount(cells, minlength=9) - n * law
    assert np.abs(off / np.sqrt(n * law * (1 - law))).max() < 4.5


@pytest.mark.parametrize("noise", LAWS)
def test_the_gap_is_free_for_random_scores_and_moves(noise):
    rng, edges = np.random.default_rng(8), (0.0, 0.3, 1.0, 2.5, 6.0)
    for _ in range(12):
        k, epsilon = int(rng.integers(2, 6)), float(rng.uniform(0.2, 3))
        scores, moves = rng.normal(scale=3, size=k), rng.choice([-1.0, 1.0, rng.uniform(-1, 1)], size=k)
        here, there = (chapter.gap_law(u, noise, 2 / epsilon, edges) for u in (scores, scores + moves))
        seen = np.minimum(here, there) > 1e-9
        assert np.abs(np.log(here[seen] / there[seen])).max() <= epsilon + 1e-5


def test_the_density_of_the_gap_with_exponential_noise_is_that_of_the_proof():
    others, own, g = np.array([0.2, -1.0, 0.5]), 1.4, 0.6
    top = max(own - g, others.max())
    factors = lambda y: np.prod(1 - np.exp(others - top) * y)  # noqa: E731
    formula = exp(own - g - top) * (quad(factors, 0, 1)[0] - factors(1.0))
    h = 1e-4
    cells = chapter.gap_law([own, *others], "exponential", 1.0, (0.0, g - h, g + h))
    assert cells[1] / (2 * h) == pytest.approx(formula, rel=1e-6)


def test_the_gap_of_a_wrong_winner_is_exponential():
    law = chapter.gap_law([3.0, 0.0, 2.5], "exponential", 2.0, (0.0, 2 * log(20))).reshape(3, 2)
    assert law[1:, 1] / law[1:].sum(axis=1) == pytest.approx([0.05, 0.05], rel=1e-10)
    assert law[0, 1] / law[0].sum() > 0.05


@pytest.mark.parametrize("noise", LAWS)
def test_the_planted_faults_are_caught(noise):
    states = chapter.leads(3, 2)
    fresh = chapter.largest_loss(lambda u: chapter.fresh_law(u, noise, 2.0, (-4, 0, 4)), states)
    halved = chapter.largest_loss(lambda u: chapter.race(u, noise, 1.0), states)
    assert 1.5 < fresh <= 2 + 1e-9
    assert 1.5 < halved <= 2 + 1e-9


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 2.5])
def test_the_best_choice_of_two_options_is_the_one_found_by_hand(epsilon):
    states, *parts = chapter.selection_program(chapter.leads(2, 5), chapter.scores_near)
    short = parts[2] @ chapter.optimum(*parts, epsilon, False)
    for (_, low), found in zip(states, short, strict=True):
        j, odd = divmod(-low, 2)
        least = exp(-j * epsilon) / (1 + exp(epsilon)) if odd else exp(-j * epsilon) / 2
        assert found == pytest.approx(-low * least, abs=1e-9)
    assert exp(-epsilon / 2) / 2 * (1 + exp(epsilon)) == pytest.approx(cosh(epsilon / 2))


def test_a_choice_that_sees_clipped_scores_can_beat_all_that_see_differences_only():
    every = np.array(list(product(range(-4, 1), repeat=4)))
    levels, pairs, totals, losses = chapter.selection_program(every, chapter.levels_near)
    top = losses[[max(s) == 0 for s in levels]]
    law = chapter.optimum(pairs, totals, top, 1.0, False)
    assert all(law[i] <= exp(1.0) * law[j] + 1e-9 for i, j in pairs)
    assert totals @ law == pytest.approx(np.ones(len(levels)))
    _, flips, best, _ = chapter.compare(chapter.leads(4, 4), chapter.scores_near, 1.0, False)
    assert (top @ law).mean() == pytest.approx(0.5060, abs=1e-4)
    assert (top @ law).mean() < 0.93 * best < best < flips


def test_every_solution_of_a_program_is_private_and_no_worse_than_both_mechanisms():
    states, pairs, totals, losses = chapter.selection_program(chapter.ballots(3, 5), chapter.ballots_near)
    for worst, judge in ((True, np.max), (False, np.mean)):
        law = chapter.optimum(pairs, totals, losses, 0.8, worst)
        assert all(law[i] <= exp(0.8) * law[j] + 1e-9 for i, j in pairs)
        assert totals @ law == pytest.approx(np.ones(len(states)))
        em, pf, best, _ = chapter.compare(states, chapter.ballots_near, 0.8, worst)
        assert judge(losses @ law) == pytest.approx(best)
        assert best <= pf + 1e-9 <= em + 1e-9
