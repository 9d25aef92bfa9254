"""Floating-point noise and privacy: attacks beside bisection and enumeration."""

from math import exp, inf

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml import GaussianMechanism, LaplaceMechanism
from privml.distributions import DiscreteLaplace

chapter = chapter_module("proof-meets-float")


def ordered(x):
    """Doubles as integers in the same order."""
    bits = np.asarray(x, dtype=float).view(np.int64)
    return np.where(bits < 0, -(bits & np.int64(2**63 - 1)), bits)


def double(place):
    """The double of an integer of `ordered`."""
    return float(
        np.copysign(
            np.array([abs(int(place))]).view(float)[0], -1.0 if place < 0 else 1.0
        )
    )


def by_bisection(answer, value, scale):
    """Whether some double leads to the answer: the answer grows with the double."""
    low, high = int(ordered(-1e300)), int(ordered(1e300))
    while low < high:
        middle = (low + high) // 2
        if value + scale * double(middle) < answer:
            low = middle + 1
        else:
            high = middle
    return value + scale * double(low) == answer


@pytest.mark.parametrize("scale", [1.0, 10.0, 1 / 0.7, 10400.0, 1.9999, 3.7e-5])
def test_nine_neighbours_decide_what_a_search_over_all_doubles_decides(scale):
    rng = np.random.default_rng(1)
    for value in (0.0, 1.0, 7.0, 61.0, 1e6, 0.1):
        answers = np.concatenate(
            [value + scale * rng.standard_normal(40), rng.normal(value, scale, 40)]
        )
        answers = np.concatenate(
            [answers, np.nextafter(answers[:30], inf), value + 1.0 + answers[:20]]
        )
        found = chapter.possible(answers, value, scale)
        assert found.tolist() == [
            by_bisection(a, value, scale) for a in answers.tolist()
        ]


@pytest.mark.parametrize("kind", ["laplace", "gauss"])
def test_the_attack_never_excludes_the_truth(kind):
    rng = np.random.default_rng(2)
    for e in (1.0, 0.3, 0.0123):
        if kind == "laplace":
            mechanism = LaplaceMechanism(epsilon=e, sensitivity=3.0)
            scale = mechanism.scale
        else:
            mechanism = GaussianMechanism(epsilon=e, delta=1e-6, sensitivity=3.0)
            scale = mechanism.sigma
        for value in (0.0, 2.5, 400.0):
            drawn = mechanism.output_distribution(np.full(3000, value)).rvs(rng=rng)
            assert chapter.possible(drawn, value, scale).all()


def test_at_a_power_of_two_answers_near_zero_exclude_little_unless_a_draw_is_small():
    s, rng = 16.0, np.random.default_rng(11)
    first, second = rng.standard_exponential((2, 200_000))
    answers = s * (first - second)
    near, large = (answers > -1) & (answers < 0.5), np.minimum(first, second) >= 1 / s
    excluded = ~chapter.possible(answers, 1.0, s)
    assert not excluded[near & large].any()
    assert excluded[near & ~large].any()
    assert excluded[~near].sum() > 2 * excluded[near].sum()


def test_integer_noise_excludes_nothing():
    assert np.isfinite(DiscreteLaplace(scale=1000).logpmf(np.arange(-5000, 5001))).all()


@pytest.mark.parametrize("bits", [4, 5, 7, 9])
def test_holes_are_at_least_what_the_proposition_says_for_every_scale(bits):
    for m in chapter.floats(bits, 0, 1)[1:]:
        least = 1 - 1 / m - 1 / ((2 - m) * 2 ** (bits - 1))
        assert chapter.unreached(float(m), bits) >= least - 1e-12


@pytest.mark.parametrize("bits", [3, 5, 8])
def test_draws_that_lead_into_the_range_are_fewer_than_its_floats(bits):
    for m in chapter.floats(bits, 0, 1)[1:]:
        where = chapter.floats(bits, 0, 1)
        where = where[where >= m]
        assert where.size == (2 - m) * 2 ** (bits - 1)
        draws = chapter.floats(bits, -2, 2)
        reached = set(chapter.rounded(m * draws, bits)) & set(where)
        enough = draws[(draws >= 1) & (draws < 2 / m)]
        assert enough.size <= (2 / m - 1) * 2 ** (bits - 1) + 1
        assert reached <= set(chapter.rounded(m * enough, bits))


def test_the_instances_of_the_unit_are_as_worked_by_hand():
    draws = np.concatenate([-chapter.floats(3, -6, 3), [0.0], chapter.floats(3, -6, 3)])
    answers = [
        set(chapter.rounded(v + chapter.rounded(1.5 * draws, 3), 3)) for v in (0, 1)
    ]
    assert 7 / 4 in answers[1] - answers[0]
    exact = set(chapter.rounded(1 + draws, 3))  # scale 1
    assert sorted(y for y in exact if abs(y) <= 1 / 4) == [-1 / 4, 0, 1 / 8, 1 / 4]
    noise = chapter.rounded(1.5 * chapter.floats(4, -6, 4), 4)
    noise = noise[noise <= 4]
    for v in (8, 9):
        counts = [np.sum(chapter.rounded(v + noise, 4) == y) for y in (9, 10, 11, 12)]
        assert min(counts) >= 2


def test_rounding_is_that_of_half_precision():
    x = np.random.default_rng(3).normal(size=2000)
    assert np.array_equal(chapter.rounded(x, 11), x.astype(np.float16).astype(float))
    tiny = np.array([2.0**-14])
    assert chapter.rounded(tiny, 11) == tiny


def test_a_guess_under_a_promise_is_no_better_than_randomised_response():
    from scipy.optimize import linprog

    e, d = 0.7, 0.05
    # largest (p_0(0) + p_1(1)) / 2 over laws of one bit: unknowns p_0(0), p_1(1)
    bounds = [(0, 1)] * 2
    found = linprog(
        [-0.5, -0.5],
        A_ub=[[1, exp(e)], [exp(e), 1]],
        b_ub=[exp(e) + d] * 2,
        bounds=bounds,
    )
    assert -found.fun == pytest.approx(chapter.allowed(e, d))


def test_the_fed_generator_gives_back_the_word_and_the_layers_are_those_of_a_ziggurat():
    assert (
        chapter.feeding(12345).integers(0, 2**64 - 1, dtype=np.uint64, endpoint=True)
        == 12345
    )
    edges = chapter.EDGES
    assert edges[255] == pytest.approx(3.6541528853610088)
    areas = edges[2:] * (
        np.exp(-(edges[1:-1] ** 2) / 2) - np.exp(-(edges[2:] ** 2) / 2)
    )
    assert areas == pytest.approx(np.full(254, areas[0]), rel=1e-9)
    for layer, a in ((7, 5), (200, 2**40 + 1)):
        assert (
            chapter.feeding((a << 9) | layer).standard_normal()
            == a * chapter.WIDTHS[layer]
        )


def test_every_normal_number_has_a_layer_and_its_neighbours_differ():
    drawn = np.random.default_rng(4).standard_normal(4000)
    drawn = drawn[abs(drawn) < 3.65]
    assert (chapter.ways(drawn) > 0).all()
    assert (
        chapter.ways(drawn).mean()
        > 1.005 * chapter.ways(np.nextafter(drawn, inf)).mean()
    )


def float_sum(records, bits):
    """Sum from left to right, rounded after each step."""
    total = 0.0
    for x in records:
        total = float(chapter.rounded(np.float64(total + x), bits))
    return total


def test_the_sums_of_the_unit_are_as_worked_by_hand():
    others = [3.0] * 6
    moves = [
        float_sum([16.0, *others[:n]], 4) - float_sum([0.0, *others[:n]], 4)
        for n in range(1, 7)
    ]
    assert moves == [17, 18, 19, 20, 21, 22]


def test_the_float_sum_is_numpys_in_half_precision():
    rng = np.random.default_rng(5)
    for _ in range(20):
        z = rng.uniform(0, 30, 12).astype(np.float16)
        assert float_sum(z.astype(float).tolist(), 11) == np.add.accumulate(z)[-1]


def test_the_excess_of_a_float_sum_is_that_of_the_problem():
    p, n = 11, 128
    most, others = 2.0**p, [9 / 8] * (n - 1)
    moved = float_sum([most, *others], p) - float_sum([0.0, *others], p)
    assert moved == most + 7 / 8 * (n - 1)


def test_on_a_grid_one_record_moves_the_sum_by_at_most_the_sensitivity():
    rng = np.random.default_rng(6)
    for step, low, high in ((0.01, 0.0, 50.0), (0.3, -1.0, 1.0), (7.0, 0.0, 10.0)):
        whole, move = chapter.on_grid(
            rng.uniform(low - 1, high + 1, 500), step, low, high
        )
        assert whole.max() - whole.min() <= move
