"""Private and online learning, unit 2 and *Exactly*: Ramsey, lines, trees; the exercise on a secret bit."""

from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import ceil, comb, exp, log, log2

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.stats import binom

from book.tools.chapter_code import chapter_module
from tests.chapters.checkers import checkers
from tests.chapters.private_and_online_learning_functions import (
    bit_mistakes,
    block,
    one_colour,
    ramsey,
)
from tests.chapters.thresholds_and_littlestone_functions import parities

chapter = chapter_module("private-and-online-learning")
games = chapter_module("thresholds-and-littlestone")


def most_probable_gap(K, ratio, delta):
    """Largest q that a private learner of two records puts into every gap between False and True.

    A linear program over all data sets of two labelled points, as multisets; slacks pay for delta.
    """
    records = list(product(range(K), (0, 1)))
    data = list(combinations_with_replacement(records, 2))

    def law(z):
        return data.index(tuple(sorted(z))) * (K + 1) + np.arange(K + 1)

    n = len(data) * (K + 1)
    pairs = {
        (z, tuple(sorted((z[k], new)))) for z in data for k in (0, 1) for new in records
    }
    pairs = [(z, near) for z, near in pairs if z != near]
    size = n + (K + 1) * len(pairs) * (delta > 0)
    rows, sides = [], []
    for at, (z, near) in enumerate(pairs):
        block = np.zeros((K + 1, size + 1))
        block[np.arange(K + 1), law(z)] = 1
        block[np.arange(K + 1), law(near)] = -ratio
        if delta:
            slack = n + at * (K + 1) + np.arange(K + 1)
            block[np.arange(K + 1), slack] = -1
            total = np.zeros((1, size + 1))
            total[0, slack] = 1
            block = np.vstack([block, total])
            sides += [0] * (K + 1) + [delta]
        else:
            sides += [0] * (K + 1)
        rows.append(block)
    for a, b in combinations(range(K), 2):
        row = np.zeros((1, size + 1))
        row[0, law(((a, 0), (b, 1)))[a + 1 : b + 1]] = -1  # the cuts c with a < c <= b
        row[0, -1] = 1
        rows.append(row)
        sides.append(0)
    sums = np.zeros((len(data), size + 1))
    for z in data:
        sums[data.index(z), law(z)] = 1
    return -linprog(
        -np.eye(size + 1)[-1], np.vstack(rows), sides, sums, np.ones(len(data))
    ).fun


@pytest.mark.parametrize(
    ("K", "ratio", "delta"), [(4, 2, 0), (6, 2, 0), (5, 1.1, 0), (4, 1.1, 0.05)]
)
def test_the_best_learner_of_two_records_stays_below_the_lemma(K, ratio, delta):
    """With two records there is one gap, so the lemma is a bound for all learners."""
    q = most_probable_gap(K, ratio, delta)
    assert K <= 1 + ratio**2 / (q - (1 + ratio) * delta)  # the lemma with m = 2
    if ratio == 1.1:
        assert K - 1 > 0.5 * ratio**2 / (
            q - 0.5 * (1 + ratio) * delta
        )  # half of it would be false


def test_numbers_of_the_theorem_on_lines():
    assert block(2, 0, 2, 0, Fraction(1, 5)) == 7
    assert block(4, 1, 2, 0, Fraction(1, 4)) == 4 - 1 + 16 + 1
    assert (
        block(2, 0, 2, Fraction(1, 10), Fraction(1, 4)) == 1 + 8 + 1
    )  # 4 / 0.45 is 8.9


@pytest.mark.parametrize(("colours", "wanted"), [(2, 3), (2, 4), (3, 2)])
def test_pairs_of_as_many_points_as_the_formula_says_have_one_colour(colours, wanted):
    R = colours * (wanted - 1) + 1
    points, rng = range((R + 1) * colours**R), np.random.default_rng(0)
    table = (
        rng.integers(colours, size=(len(points),) * 2) if len(points) < 3000 else None
    )
    rules = [
        lambda B: (B[0] ^ B[1]).bit_length() % colours,
        lambda B: (B[0] // 7 + B[1] // 5) % colours,
    ]
    if table is not None:
        rules.append(lambda B: table[B])
    for colour in rules:
        found = one_colour(points, colour, 2)
        assert (
            len(found) >= wanted + 1
        )  # one more than the theorem, as the last point may be added
        assert len({colour(B) for B in combinations(found, 2)}) == 1


@pytest.mark.parametrize("k", [1, 3, 4])
def test_sets_of_points_that_the_proof_finds_have_one_colour(k):
    weights = np.random.default_rng(k).integers(1, 97, size=k)
    for colour in (
        lambda B: int(weights @ B) % 3 % 2,
        lambda B: (B[0] ^ B[-1]).bit_count() % 3,
    ):
        found = one_colour(range(60), colour, k)
        assert len(found) >= k
        assert found == sorted(set(found))
        assert len({colour(B) for B in combinations(found, k)}) == 1


def test_enough_candidates_are_left_after_each_round_of_the_proof_of_ramsey():
    """A round takes one candidate and keeps one in C of the others for each set that it settles."""
    for k, C, R in product((2, 3, 4), (1, 2, 3), (3, 5, 8)):
        claimed = [
            (R + 1 - s) * C ** (comb(R, k - 1) - comb(s, k - 1)) for s in range(R + 1)
        ]
        assert claimed[R] == 1
        for s in range(R):
            assert (claimed[s] - 1) / C ** comb(s, k - 2) >= claimed[s + 1]


def log_star(height, top):
    """log* of a tower of twos."""
    return height + (0 if top <= 1 else 1 + log_star(0, log2(top)))


def test_power_towers_are_the_numbers_of_ramsey_and_a_record_adds_about_one_exponential():
    assert ramsey(3, 1, 15) == (0, 15)
    height, top = ramsey(2, 3, 4)
    assert (height, top) == (1, pytest.approx(log2(11 * 3**10)))
    R2 = 6 * 2**5  # R_3(2, 3): log2 of (R2 + 1) 2^(R2 choose 2)
    height, top = ramsey(3, 2, 3)
    assert height == 2
    assert top == pytest.approx(log2(log2(R2 + 1) + comb(R2, 2)), abs=0.02)
    assert ramsey(4, 3, 40)[1] == pytest.approx(
        ramsey(3, 3, 40)[1] + log2(3)
    )  # R_3 cubed
    for m in range(4, 12):
        C = 2 * (m // 2 - 1) + 1
        M = block(m, m // 2 - 1, 3, 0, Fraction(1, 4))
        height, top = ramsey(m, C, M)
        assert log_star(height, top) <= m + log_star(0, 2 * m * log2(C * M))


@pytest.mark.parametrize("m", [1, 2, 5, 40])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_constants_of_the_proof_for_learners_that_publish_any_function(m, epsilon):
    tau = Fraction(1, 24 * m)
    assert Fraction(1, 3 * m) - tau / m - tau >= Fraction(1, 4 * m)
    assert Fraction(1, 8) / Fraction(15, 16) * Fraction(16, 7) < Fraction(1, 3)
    size = 8 * m * (m + 1)
    assert Fraction(m * (m + 1), 2 * size) <= Fraction(1, 16)
    assert Fraction(size // 2 - m, size) >= Fraction(7, 16)

    def runs(L):
        return ceil(32 * m**2 * log(4 * L))

    L = next(
        L for L in (2**k for k in range(1, 60)) if (L - 1) * log(2) > epsilon * runs(L)
    )
    t = runs(L)
    for low in np.linspace(
        0, 1 - 1 / (4 * m), 5
    ):  # two means that are 1 / (4 m) apart, exactly
        middle, high = low + 1 / (8 * m), low + 1 / (4 * m)
        assert max(
            binom.sf(middle * t, t, low), binom.cdf(middle * t, t, high)
        ) <= 1 / (4 * L)
    assert L * log(2) > log(2) + epsilon * t


def has_one_colour(red, node, depth):
    """Whether some subtree of this depth lies below a node (of a heap) with all of its nodes among `red`."""
    if depth == 0:
        return True
    if node >= 2**3:
        return False
    sides = [has_one_colour(red, 2 * node + b, depth - 1) for b in (0, 1)]
    lower = [has_one_colour(red, 2 * node + b, depth) for b in (0, 1)]
    return (node in red and all(sides)) or any(lower)


def test_every_colouring_of_a_tree_of_depth_three_has_a_subtree_of_depth_two_and_some_has_none_deeper():
    nodes, deep = range(1, 8), []
    for colours in product((0, 1), repeat=7):
        sets = [
            {n for n, c in zip(nodes, colours, strict=True) if c == b} for b in (0, 1)
        ]
        for p in range(4):
            q = 4 - p  # p + q - 1 = 3
            assert has_one_colour(sets[0], 1, p) or has_one_colour(sets[1], 1, q)
        deep.append(any(has_one_colour(s, 1, 3) for s in sets))
    assert not all(deep)


@pytest.mark.parametrize(
    "H", [list(product((0, 1), repeat=3)), games.thresholds(8), parities(3)]
)
def test_a_class_of_dimension_three_has_two_thresholds_on_two_points(H):
    assert games.littlestone(H) >= 3
    places = list(product(range(len(H[0])), repeat=2))
    assert any(a[x] == a[y] != b[x] for a, b in product(H, repeat=2) for x, y in places)


@pytest.mark.parametrize("epsilon", [0.1, log(3), 3.0])
def test_mistakes_on_one_bit_are_at_most_those_of_the_players_in_the_exercise(epsilon):
    for T in (2, 3, 4, 5):
        first = 1 / 2 + (T - 1) / (exp(epsilon) + 1)
        second = 1 / 2 + 2 / (exp(epsilon) + 1) + 4 / (exp(epsilon) - 1)
        found = bit_mistakes(T, exp(epsilon))
        assert found <= min(first, second) + 1e-6
        if T <= 3:  # nothing beats repeating the first label
            assert found == pytest.approx(first, abs=1e-6)
        else:
            assert found < first - 1e-3


def test_blocks_of_doubling_length_cost_what_the_exercise_says():
    for epsilon in (0.05, 0.5, 2.0):
        cost = sum(2**j * exp(-epsilon * 2 ** (j - 1)) for j in range(1, 40))
        assert 1 / (exp(epsilon) - 1) < cost <= 4 / (exp(epsilon) - 1)


def select(points, colour):
    """A homogeneous list for pairs, as in the solution of the exercise."""
    return one_colour(points, lambda pair: colour(*pair), 2)


test_the_checker_of_homogeneous_points = checkers(
    {
        "homogeneous": [
            (select, None),
            (lambda points, colour: points[:3], "pairs of both colours"),
            (lambda points, colour: points[:2], "too short"),
            (lambda points, colour: [-1], "are wanted"),
        ],
    },
    chapter,
)
