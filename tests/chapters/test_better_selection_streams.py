"""Better selection: threshold questions, the value of a gap, and in which account to book a choice."""

from itertools import product
from math import exp, log

import numpy as np
import pytest
from scipy.integrate import quad

from book.tools.programme import tangled
from privml import PermuteAndFlip
from privml.divergences import hockey_stick
from privml.mechanisms import Noise, transcript_log_probabilities
from tests.chapters.checkers import checkers

chapter = tangled("better-selection")


def test_with_laplace_noise_the_law_of_a_run_is_that_of_the_library():
    values, a, b = np.array([0.3, -1.0, 2.0]), 1.5, 2.5
    law = np.exp(transcript_log_probabilities(values, Noise(a, b), 1, redraw=False))
    assert chapter.runs(values, "Laplace", a, b) == pytest.approx(law, abs=1e-12)


def test_with_exponential_noise_the_law_of_a_run_agrees_with_draws():
    values, a, b, n = np.array([0.3, -1.0, 2.0]), 1.5, 2.5, 200_000
    rng = np.random.default_rng(3)
    yes = values + rng.exponential(b, size=(n, 3)) >= rng.exponential(a, size=(n, 1))
    first = np.where(yes.any(axis=1), yes.argmax(axis=1), 3)
    law = chapter.runs(values, "exponential", a, b)
    off = np.bincount(first, minlength=4) - n * law
    assert np.abs(off / np.sqrt(n * law * (1 - law))).max() < 4.5


@pytest.mark.parametrize("cutoff", [1, 3])
def test_exponential_noise_attains_its_claim_after_one_quiet_answer(cutoff):
    a, b = chapter.split(0.8, 2 * cutoff)
    no = lambda x: -np.expm1(-max(x, 0) / b)  # noqa: E731
    yes = lambda x: exp(-max(x, 0) / b)  # noqa: E731

    def chance(low, high):
        seen = lambda r: exp(-r / a) / a * no(r - low) * yes(r - high) ** cutoff  # noqa: E731
        return quad(seen, low, 40 * (a + b), limit=200)[0]

    assert log(chance(0, 0) / chance(1, -1)) == pytest.approx(0.8, abs=1e-6)


@pytest.mark.parametrize("noise", ["Laplace", "exponential"])
def test_runs_keep_the_claim_on_all_streams_of_three_and_half_of_the_scale_does_not(noise):
    streams = np.array(list(product(range(-1, 2), repeat=3)))
    a, b = chapter.split(1.0, 2)
    assert chapter.stream_loss(lambda v: chapter.runs(v, noise, a, b), streams) <= 1 + 1e-9
    c, d = chapter.split(1.0, 1)  # what monotone queries may use
    assert chapter.stream_loss(lambda v: chapter.runs(v, noise, c, d), streams) > 1.05


@pytest.mark.parametrize("noise", ["Laplace", "exponential"])
def test_failures_are_read_off_the_law_of_a_run_and_a_margin_is_where_they_come_to_beta(noise):
    a, b, n = 2.0, 3.5, 4
    false, lost = chapter.failures(2.5, 1.5, n, noise, a, b)
    assert false == pytest.approx(1 - chapter.runs([-2.5] * n, noise, a, b)[-1], abs=1e-12)
    assert lost == pytest.approx(1 - chapter.runs([-2.5] * (n - 1) + [1.5], noise, a, b)[-2], abs=1e-12)
    g = chapter.margin(n, noise, a, b, 0.1)
    assert chapter.least_failure(n, g, noise, a, b) == pytest.approx(0.1, abs=2e-4)


def first_scores(v):
    """The scores of the proposition, by hand."""
    before = [max(v[:j], default=-np.inf) for j in range(len(v) + 1)]
    return np.array([*(min(x, -top) for x, top in zip(v, before, strict=False)), -before[-1]])


def test_the_scores_of_one_choice_have_sensitivity_one_and_lead_by_twice_the_margin():
    g, streams = 2, list(product(range(-3, 4), repeat=3))
    for v in streams:
        moved = [first_scores(np.add(v, m)) for m in product((-1, 1), repeat=3)]
        assert np.abs(moved - first_scores(v)).max() <= 1
        right = next((i for i, x in enumerate(v) if x > -g), 3)
        if right == 3 or v[right] >= g:
            scores = first_scores(v)
            assert scores[right] - np.delete(scores, right).max() >= 2 * g
            law = PermuteAndFlip(epsilon=0.9, sensitivity=1.0).output_distribution(scores).pmf()
            assert 1 - law[right] <= chapter.one_choice(g, 3, 0.9) + 1e-12
    worst = PermuteAndFlip(epsilon=0.9, sensitivity=1.0).output_distribution([2.0, -2, -2, -2]).pmf()
    assert 1 - worst[0] == pytest.approx(chapter.one_choice(g, 3, 0.9), abs=1e-12)


@pytest.mark.parametrize(("n", "g"), [(1, 1), (1, 3), (2, 1), (2, 2), (3, 1)])
def test_floor_batch_online_and_one_choice_come_in_this_order(n, g):
    floor = n / (n + 1) * exp(-0.7 * g)
    batch, online = (chapter.best_failure(n, g, 0.7, kind) for kind in (False, True))
    choice = chapter.one_choice(g, n, 0.7)
    assert floor <= batch + 1e-9 <= online + 2e-9
    assert batch <= choice + 1e-9
    if n == 1:
        assert [batch, online, choice] == pytest.approx([exp(-0.7 * g) / 2] * 3)
    # the floor of margins inverts that of probabilities: below it g fails too often, at it by a hair not
    assert chapter.floor(n, 0.7, floor * (1 - 1e-6)) >= g
    assert n > 1 or g - 1 <= chapter.floor(n, 0.7, floor * (1 + 1e-6)) < g


@pytest.mark.parametrize("noise", ["Laplace", "exponential"])
@pytest.mark.parametrize("lead", [-2.0, 0.0, 3.0])
def test_the_error_of_a_gap_agrees_with_draws(noise, lead):
    a, b, cutoff, n = 1.5, 2.5, 2, 400_000
    rng = np.random.default_rng(11)
    draw = rng.exponential if noise == "exponential" else lambda s, size: rng.laplace(scale=s, size=size)
    nu, rho = draw(b, (n, cutoff)), draw(a, (n, 1))
    kept = (lead + nu >= rho).all(axis=1)
    squares = ((nu - rho)[kept, 0] - (b - a if noise == "exponential" else 0)) ** 2
    error = chapter.gap_error(lead, cutoff, noise, a, b)
    assert abs(squares.mean() - error) < 4.5 * squares.std() / kept.sum() ** 0.5


def test_the_booked_delta_is_that_of_the_product_law():
    step, k = 0.4, 6
    tie, moved = np.array([1, 1]) / 2, np.array([exp(-step) / 2, 1 - exp(-step) / 2])
    joint = [np.array([np.prod([p[i] for i in c]) for c in product((0, 1), repeat=k)]) for p in (tie, moved)]
    exact = max(hockey_stick(*map(np.log, pair), 0.9) for pair in (joint, joint[::-1]))
    assert chapter.flips_delta(step, k, 0.9) == pytest.approx(float(exact), rel=1e-9)


def certified(d, epsilon, beta):
    return chapter.wins(np.array([epsilon * d / 2 - log(1 / beta), 0, 0, 0]), 0, "exponential")


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "certified": [(certified, None), (lambda d, epsilon, beta: 1 - beta, "it is")],
        "third": [(17, None), (16, "still above"), (18, "is enough")],
        "upside": [
            ((np.zeros(5), -np.ones(5)), None),
            ((np.zeros(2), -np.ones(2)), "within"),
            (([0], [2]), "at most 1"),
            (([0], [0, 1]), "length"),
        ],
    },
    chapter,
)
