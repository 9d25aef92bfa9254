"""Floating-point noise and privacy: the repairs, by laws of programs as fractions."""

import re
from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import product
from math import ceil, exp, inf, log
from pathlib import Path

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml import audit, mechanisms, results
from privml.mechanisms import Mechanism
from privml.results import draw_times, exact_draws
from tests.chapters import proof_meets_float_functions as more
from tests.chapters.checkers import checkers, several

ROOT = Path(__file__).resolve().parent.parent.parent
chapter = chapter_module("proof-meets-float")


def test_seeds_are_a_uniform_number_rounded_down():
    u, weights = chapter.all_floats(4, depth=6)
    assert weights.sum() == 2.0**6 * 8
    for x, following in zip(u[8:], np.append(u[9:], 1.0), strict=True):
        assert weights[u <= x].sum() / weights.sum() == pytest.approx(
            following, abs=1e-15
        )


def one_draw(value, scale, bits, bound, seed, sign):
    """The snapping algorithm, step by step, for one seed."""
    value = min(max(value, -bound), bound)
    logarithm = float(chapter.rounded(np.float64(-log(seed)), bits))
    noise = float(chapter.rounded(np.float64(scale * logarithm), bits))
    y = float(chapter.rounded(np.float64(value + sign * noise), bits))
    grid = 2.0 ** ceil(np.log2(scale))
    return min(max(grid * float(np.floor(y / grid + 0.5)), -bound), bound)


def test_the_law_of_snapping_is_that_of_the_algorithm_step_by_step():
    u, weights = chapter.all_floats(5, depth=12)
    law, by_hand = chapter.snapped(1.25, 1.5, 5, 8.0, (u, weights)), Counter()
    for seed, weight in zip(u, weights, strict=True):
        for sign in (1, -1):
            by_hand[one_draw(1.25, 1.5, 5, 8.0, seed, sign)] += weight
    assert law == dict(by_hand)


@pytest.mark.parametrize(
    ("scale", "bound", "bits"), [(1.0, 4, 9), (1.3, 8, 10), (2.0, 16, 11), (0.7, 3, 9)]
)
def test_snapping_keeps_its_claim_for_values_between_whole_numbers_too(
    scale, bound, bits
):
    seeds, claimed = chapter.all_floats(bits), chapter.claim(scale, bits, bound)
    assert claimed < inf
    for start in (0.0, 0.3125, -bound, bound - 0.5):
        laws = [chapter.snapped(start + i, scale, bits, bound, seeds) for i in range(4)]
        assert chapter.exact_loss(laws) <= claimed


def test_the_loss_in_fractions_is_that_of_the_audit():
    seeds, bits = chapter.all_floats(8), 8
    places = np.arange(-4.0, 5.0)

    def law(z):
        found = chapter.snapped(float(z.sum()), 1.0, bits, 4.0, seeds)
        chances = np.array([found.get(place, 0.0) for place in places.tolist()])
        return chances / chances.sum()

    laws = [chapter.snapped(float(v), 1.0, bits, 4.0, seeds) for v in range(4)]
    assert audit.exact(law, np.array([0, 1]), 3).epsilon == pytest.approx(
        chapter.exact_loss(laws), abs=1e-12
    )


def naive(value, scale, bits):
    """Laplace noise from a grid of uniform numbers, neither clamped nor snapped."""
    u, weights = chapter.grid_of(bits)
    n = chapter.noise(u, scale, bits)
    answers = chapter.rounded(np.concatenate([value + n, value - n]), bits)
    return chapter.counted(answers, np.concatenate([weights, weights]))


def test_planted_faults_of_snapping_are_caught():
    values, bits = [float(v) for v in range(6)], 12

    def law(v, bound):
        return chapter.snapped(v, 1.0, bits, bound, chapter.grid_of(bits))

    def loss(bound):
        return chapter.exact_loss([law(v, bound) for v in values])

    assert chapter.claim(1.0, bits, 4.0) < loss(4.0) < inf == loss(8.0)
    assert all(
        chapter.exact_loss([naive(float(v), 1.0, b) for v in (0, 1)]) == inf
        for b in (6, 9)
    )


def test_rational_choices_have_the_law_of_their_weights():
    scores, base = [3, 0, 2, 3, 5], Fraction(2, 3)
    weights = [base ** (5 - score) for score in scores]
    law = [float(weight / sum(weights)) for weight in weights]
    assert more.rational_law(scores, base) == pytest.approx(law)

    class Given:
        """A generator that gives one uniform number, then nothing else."""

        def __init__(self, number):
            self.number = number

        def bytes(self, length):
            return self.number.to_bytes(length, "little")

    total = int(sum(weights) * 3**5)
    found = Counter(
        exact_draws.rational_choice(scores, base, Given(number))
        for number in range(total)
    )
    assert [found[i] for i in range(5)] == [int(weight * 3**5) for weight in weights]


def against_all(k, z):
    """Scores: the ones, and k times the zeros."""
    return [z.sum(), *(k * [len(z) - z.sum()])]


def test_the_claim_of_rational_weights_is_tight_and_holds():
    base = Fraction(3, 4)
    for n, k in ((3, 1), (9, 40)):
        scores = partial(against_all, k)
        found = audit.exact(
            lambda z, scores=scores: more.rational_law(scores(z), base),
            np.arange(2),
            n,
        ).epsilon
        assert found <= 2 * log(1 / base) + 1e-12
    assert found > 0.97 * 2 * log(1 / base)


def test_exact_permute_and_flip_has_the_law_of_the_library():
    scores, n, rng = np.array([2, 5, 4]), 4000, np.random.default_rng(12)
    law = (
        mechanisms.PermuteAndFlip(epsilon=0.5, sensitivity=1.0)
        .output_distribution(scores)
        .pmf()
    )
    drawn = [more.permute_and_flip(scores, Fraction(1, 2), rng) for _ in range(n)]
    shares = np.bincount(drawn, minlength=3) / n
    assert (abs(shares - law) < 4.5 * np.sqrt(law * (1 - law) / n)).all()


def test_the_law_of_the_first_crossing_is_that_of_the_draws():
    values, e, n = [1, 3, 2], Fraction(1), 4000
    law = more.crossing_law(values, 2, e)
    assert law.sum() == pytest.approx(1, abs=1e-12)
    rng = np.random.default_rng(7)
    drawn = [exact_draws.first_crossing(values, 2, e, rng) for _ in range(n)]
    shares = np.array([drawn.count(i) for i in (0, 1, 2, None)]) / n
    assert (abs(shares - law) < 4.5 * np.sqrt(law * (1 - law) / n)).all()


@pytest.mark.parametrize("signs", list(product((0, 1), repeat=4)))
def test_the_first_crossing_is_private_for_queries_that_move_against_each_other(signs):
    def law(z):
        return more.crossing_law(
            [int((z == sign).sum()) for sign in signs], 2, Fraction(2)
        )

    assert audit.exact(law, np.arange(2), 4).epsilon <= 2 + 1e-9


def test_without_a_further_round_noise_is_below_the_power_of_two_and_the_edge_has_its_probability():
    found = more.drawn_and_taken(2, 4000, 8)
    fewest = found[:, 1].min()
    assert abs(found[found[:, 1] == fewest, 0]).max() <= 7
    r = exp(-1 / 2)
    both = Counter()
    for one, other in product(range(8), repeat=2):
        both[one - other] += (1 - r) ** 2 * r ** (one + other)
    assert both[7] == pytest.approx((1 - r) ** 2 * r**7)
    share = np.mean((found[:, 0] == 7) & (found[:, 1] == fewest))
    assert abs(share - both[7]) < 4.5 * np.sqrt(both[7] / 4000)


BASES = {"Mechanism", "ApproximateMechanism", "Selection"}


def test_exponents_in_floats_cost_less_than_the_page_says():
    mechanism, rng = (
        mechanisms.ExponentialMechanism(epsilon=0.7, sensitivity=3.0),
        np.random.default_rng(10),
    )
    worst = 0
    for _ in range(20):
        scores = rng.integers(-8000, 1, 50).astype(float)
        scores[0] = 0.0
        moved = scores + rng.integers(-3, 4, 50)
        one, other = (
            list(map(Fraction, mechanism.exponents(x).tolist()))
            for x in (scores, moved)
        )
        shift = (
            Fraction(0.7) / 6 * int(max(moved.tolist()))
        )  # the normaliser takes it out again
        worst = max(
            worst, *(abs(a - b - shift) for a, b in zip(one, other, strict=True))
        )
    assert worst <= Fraction(0.7) / 2 + Fraction(1, 10**12)


def test_the_table_names_every_mechanism_of_the_library():
    text = (ROOT / "book/proof-meets-float.md").read_text(encoding="utf-8")
    things = {name: getattr(mechanisms, name) for name in mechanisms.__all__}
    classes = {
        n: t
        for n, t in things.items()
        if isinstance(t, type) and issubclass(t, Mechanism)
    }
    kinds = [n for n in classes if n not in BASES]
    assert kinds
    for name in (*kinds, "ExponentialDensity"):
        assert re.search(rf"^\|.*`{name}`", text, re.MULTILINE), name


def test_ranks_are_the_probability_that_a_large_draw_takes_longer():
    rng = np.random.default_rng(9)
    times, large = rng.integers(0, 6, 60), rng.random(60) < 0.3
    pairs = [(a > b) + (a == b) / 2 for a in times[large] for b in times[~large]]
    assert draw_times.ranked(times, large) == pytest.approx(np.mean(pairs))


def test_the_studies_hold_a_row_for_each_task_and_ratios_of_their_columns():
    costs = results.read("exact-draws")
    assert costs["task"].tolist() == list(exact_draws.tasks())
    assert (costs["exact"] / costs["idealised"]).to_numpy() == pytest.approx(
        costs["ratio"], rel=0.02
    )
    rng = np.random.default_rng(0)
    for idealised, exact in exact_draws.tasks().values():
        assert exact_draws.call(idealised, rng) is not None
        exact_draws.call(exact, rng)


def holes(m, bits):
    grid = chapter.floats(bits, 0, 1)
    return int(np.sum(~np.isin(grid[grid >= m], chapter.rounded(m * grid, bits))))


def threshold(epsilon, delta):
    return ceil(-log(delta * (1 + exp(-float(epsilon)))) / float(epsilon) - 1)


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "count": [(holes, None), (lambda m, bits: holes(m, bits) + 1, "holes")],
        "cents": [
            (several(1.4e15, 0, 1, 1400000000002546.5), None),
            (several(1.4e15, 1, 0, 1400000000002546.5), "cannot come"),
            (several(1e4, 0, 1, 5000.25), "can come"),
            (several(1.4e15, 0, 2, 1400000000002546.5), "differ by 1"),
            (several(1.4e15, 0, 1, 2.0), "size of the noise"),
        ],
        "radius": [
            (threshold, None),
            (lambda *case: threshold(*case) + 1, "larger than needed"),
            (lambda *case: threshold(*case) - 1, "too likely"),
        ],
        "fine": [(7, None), (6, "."), (8, ".")],
    },
    chapter,
)
