"""Thresholds and Littlestone dimension: games played out, laws audited, bounds checked by other routes."""

from functools import cache
from itertools import combinations_with_replacement, product
from math import exp, log, log2

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml import audit
from privml.hypotheses import Thresholds
from tests.chapters.checkers import checkers, several
from tests.chapters.thresholds_and_littlestone_functions import (
    cell_failure,
    data_set,
    exponential_failure,
    intervals,
    lines,
    parities,
    tiny_law,
    vc,
)

chapter = chapter_module("thresholds-and-littlestone")
FAMILIES = [
    *((chapter.thresholds(K), int(log2(K))) for K in range(2, 34)),
    *((chapter.points(N), 1) for N in (2, 3, 9)),
    *((parities(d), d) for d in (1, 2, 4)),
    *((lines(p), 2) for p in (2, 3, 5)),
    *((list(product((0, 1), repeat=d)), d) for d in (1, 2, 3)),
]


@pytest.mark.parametrize(("hypotheses", "dimension"), FAMILIES)
def test_the_dimension_of_a_family_is_the_known_one(hypotheses, dimension):
    assert chapter.littlestone(hypotheses) == dimension


def forced(hypotheses):
    """Mistakes that an opponent can force, over all strategies of both, without trees."""
    n_points = len(next(iter(hypotheses)))

    @cache
    def value(left):
        parts = (
            tuple(frozenset(h for h in left if h[x] == y) for y in (0, 1))
            for x in range(n_points)
        )
        split = [pair for pair in parts if all(pair)]
        # the player names a label; the opponent says whether it is wrong
        play = [
            min(max(value(p[guess]), 1 + value(p[1 - guess])) for guess in (0, 1))
            for p in split
        ]
        return max(play, default=0)

    return value(frozenset(hypotheses))


@pytest.mark.parametrize("seed", range(12))
def test_on_random_classes_it_is_the_value_of_the_game_and_at_least_the_vc_dimension(
    seed,
):
    rng = np.random.default_rng(seed)
    hypotheses = {
        tuple(row) for row in rng.integers(0, 2, (rng.integers(2, 14), 5)).tolist()
    }
    found = chapter.littlestone(hypotheses)
    assert found == forced(hypotheses)
    assert vc(hypotheses) <= found <= log2(len(hypotheses))


def test_the_vc_dimension_agrees_with_the_library():
    assert vc(chapter.thresholds(9)) == Thresholds(np.arange(9.0)).vc_dimension == 1
    assert vc(intervals(5)) == 2
    assert vc(parities(3)) == 3


def test_the_leaves_of_the_search_tree_agree_with_their_paths():
    found = {(place, level): point for place, level, point in chapter.search_tree(0, 7)}
    assert sorted(place for (place, _), point in found.items() if not point) == list(
        range(8)
    )
    assert sorted(int(point) for point in found.values() if point) == list(range(7))


def deltas(law, bits, n, epsilon):
    """Exact delta of a law of labelled records."""
    return audit.exact(law, np.arange(2 << bits), n).delta(epsilon)


@pytest.mark.parametrize(
    ("epsilon", "delta", "s"), [(0.5, 0.2, 2), (0.5, 0.05, 3), (2, 1, 1), (1, 0.3, 4)]
)
def test_the_cells_keep_their_promise_on_all_neighbours_of_two_bits(epsilon, delta, s):
    def law(records):
        return tiny_law(records, s, delta, epsilon)

    for n in (1, 3):
        assert deltas(law, 2, n, epsilon) <= delta + 1e-12


def test_without_enough_weight_for_no_answer_the_promise_is_broken():
    """The planted fault: a weight made for a delta 20 times as large."""

    def law(records):
        return tiny_law(records, 1, 1.0, 0.5)

    assert deltas(law, 2, 1, 0.5) > 0.05


def test_a_record_proposes_one_cut_for_each_bit_and_the_ends_are_always_there():
    for x in range(8):
        found = chapter.occupied([x, x], 3)
        assert set(found.values()) == {2}
        assert len(set(found) - {0, 8}) == 3
        for c in set(found) - {0, 8}:
            size = c & -c
            assert c - size <= x < c + size


@pytest.mark.parametrize("seed", range(20))
def test_the_counts_of_cells_and_mistakes_are_those_by_hand(seed):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 16, 7).tolist(), rng.integers(0, 2, 7).tolist()
    cells = chapter.occupied(x, 4)
    for c in range(1, 16):
        size = c & -c
        assert cells.get(c, 0) == sum(c - size <= v < c + size for v in x)
    wrong = chapter.mistakes(x, y, range(17))
    assert wrong == [
        sum((v >= c) != bool(label) for v, label in zip(x, y, strict=True))
        for c in range(17)
    ]


def right_data(bits, m):
    """All data sets of m records on which some cut is right."""
    for x in combinations_with_replacement(range(1 << bits), m):
        for below in range(m + 1):
            if below in (0, m) or x[below - 1] < x[below]:
                yield list(x), [0] * below + [1] * (m - below)


@pytest.mark.parametrize(("s", "m"), [(1, 3), (2, 3), (3, 4), (4, 4), (5, 4)])
def test_on_all_small_data_a_good_cut_is_proposed_and_few_are_bad(s, m):
    size = (2 * s + 2) // 3
    for x, y in right_data(3, m):
        cells = chapter.occupied(x, 3)
        wrong = dict(zip(cells, chapter.mistakes(x, y, cells), strict=True))
        if size <= m:
            assert max(min(cells[c], s - wrong[c]) for c in cells) >= size
            assert any(cells[c] >= size and wrong[c] <= (size - 1) / 2 for c in cells)
        for e in range(1, m + 1):
            assert sum(found == e for found in wrong.values()) <= 4 * 3


@pytest.mark.parametrize(("t", "s", "epsilon"), [(1, 4, 3.0), (1, 3, 1.0), (2, 5, 4.0)])
def test_the_bound_holds_on_all_small_data(t, s, epsilon):
    delta, m = 0.5, 4
    bound = float(chapter.failure_bound(t, np.array([s]), 3, epsilon, delta)[0])
    worst = max(
        cell_failure(x, y, 3, epsilon, delta, t, s) for x, y in right_data(3, m)
    )
    assert 0.05 * bound < worst <= bound < 1


def test_the_price_is_the_least_that_the_bound_promises_and_below_the_formula():
    for bits, epsilon, delta, beta in product(
        (4, 64, 4096), (0.3, 1.0, 2.0), (1e-9, 1e-3), (0.2, 0.01)
    ):
        t, s = chapter.sharp_errors(bits, epsilon, delta, beta)
        offsets = np.arange(1, 20 * t + 400)
        assert chapter.failure_bound(t, np.array([s]), bits, epsilon, delta)[0] <= beta
        assert chapter.failure_bound(t - 1, offsets, bits, epsilon, delta).min() > beta
        formula = (
            log(1 / delta)
            + 3 * log(2 * bits / beta)
            + 2 * log(4 / (exp(epsilon / 2) - 1))
        )
        assert t <= np.ceil(formula / epsilon + 1.5)


@pytest.mark.parametrize("bits", [3, 6])
def test_the_exponential_mechanism_pays_exactly_its_price_on_packed_data(bits):
    t = chapter.exponential_errors(bits, 1.0, 0.05)
    for mistakes, below in ((t, True), (t - 1, False)):
        x, y = data_set("packed", mistakes + 1, bits, np.random.default_rng(0))
        wrong = np.array(chapter.mistakes(x, y, np.arange((1 << bits) + 1).tolist()))
        weights = np.exp(-wrong / 2)
        brute = weights[wrong > mistakes].sum() / weights.sum()
        assert exponential_failure(x, y, bits, 1.0, mistakes) == pytest.approx(
            brute, rel=1e-12
        )
        assert (brute <= 0.05) == below


def test_the_floor_is_the_packing_bound():
    t = chapter.pure_errors(8, 0.5, 0.1)

    def packing(t):
        return 254 / (exp((t + 1) * 1.0) + 254)

    assert packing(t) <= 0.1 < packing(t - 1)
    assert (
        chapter.pure_errors(128, 1.0, 0.05)
        > chapter.sharp_errors(128, 1.0, 1e-6, 0.05)[0]
    )


@pytest.mark.parametrize("kind", ["packed", "doubling", "uniform"])
def test_the_kinds_of_data_have_a_right_cut(kind):
    x, y = data_set(kind, 20, 64, np.random.default_rng(1))
    assert len(x) == len(y) == 40
    assert all(0 <= v < 1 << 64 for v in x)
    zeros, ones = (
        [v for v, label in zip(x, y, strict=True) if label == kind] for kind in (0, 1)
    )
    assert max(zeros) < min(ones)


# Exercises


def crossing(delta, more=0):
    b = 2
    while chapter.sharp_errors(b, 1.0, delta, 0.05)[0] >= chapter.pure_errors(
        b, 1.0, 0.05
    ):
        b += 1
    return b + more


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "crossing": [
            (crossing, None),
            (lambda d: crossing(d, 1), "already"),
            (lambda d: crossing(d, -1), "cells"),
        ],
        "refusal": [
            (several([(0, 0)], [(3, 1)]), None),
            (several([(0, 0)], [(0, 1)]), "not above"),
            (several([(0, 0)], [(9, 0)]), "two bits"),
            (several([(0, 0)] * 2, [(3, 1)] * 2), "not in 2"),
            (several([(0, 0)], [(0, 0)] * 2), "same number"),
        ],
    },
    chapter,
)
