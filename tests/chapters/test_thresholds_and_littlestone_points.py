"""The table of interior points: its bounds made again, and checked by other routes."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml import results
from privml.learnability import count_vectors
from privml.results import interior_points as study
from tests.chapters.thresholds_and_littlestone_functions import (
    mechanism_records,
    packing_records,
)

chapter = chapter_module("thresholds-and-littlestone")


@pytest.mark.parametrize(("K", "n"), [(2, 1), (2, 4), (3, 3), (4, 2)])
@pytest.mark.parametrize("delta", study.DELTAS)
def test_the_committed_bounds_are_made_again_and_agree(K, n, delta):
    low, high = study.bounds(K, n, delta)
    rows = results.read("interior-points")
    at = (
        (rows["n_points"] == K)
        & (rows["n_samples"] == n)
        & (rows["delta"] == float(Fraction(delta)))
    )
    row = rows[at].iloc[0]
    assert row["lower"] <= float(high) + 1e-9
    assert float(low) <= row["upper"] + 1e-9
    assert 0 <= high - low < Fraction(1, 10**6)


def test_bounds_from_both_sides_agree_over_the_whole_table_and_are_monotone():
    rows = results.read("interior-points")
    assert ((rows["upper"] - rows["lower"]).between(0, 1e-6)).all()
    table = rows.set_index(["n_points", "n_samples", "delta"])["upper"]
    for (K, n, delta), value in table.items():
        for other in ((K - 1, n, delta), (K, n + 1, delta)):
            assert table.get(other, 0.0) <= value + 1e-6


@pytest.mark.parametrize("n", range(1, 7))
def test_two_points_have_their_closed_form(n):
    rows = results.read("interior-points")
    at = (rows["n_points"] == 2) & (rows["n_samples"] == n) & (rows["delta"] == 0)
    exact = 3 ** (-n / 2) / 2 if n % 2 == 0 else 3 ** (-(n - 1) / 2) / 4
    assert rows[at]["lower"].iloc[0] <= exact <= rows[at]["upper"].iloc[0]


def test_with_one_record_the_best_search_is_the_packing_bound():
    rows = results.read("interior-points").query("n_samples == 1 and delta == 0")
    for K, low, high in zip(
        rows["n_points"], rows["lower"], rows["upper"], strict=True
    ):
        assert low - 1e-12 <= (K - 1) / (K + 2) <= high + 1e-12


def private_by_hand(law, K, n, delta):
    """Exact delta at ln 3, and failure, of a table of fractions, over all pairs."""
    sets = count_vectors(K, n)
    worst = Fraction(0)
    for a, b in product(range(len(sets)), repeat=2):
        if np.abs(sets[a] - sets[b]).sum() == 2:
            worst = max(
                worst,
                sum(
                    max(p - 3 * q, Fraction(0))
                    for p, q in zip(law[a], law[b], strict=True)
                ),
            )
    failure = max(
        sum(p for c, p in enumerate(row) if not any(z[: c + 1]) or not any(z[c:]))
        for row, z in zip(law, sets, strict=True)
    )
    return worst <= delta, failure


def test_the_upper_bound_refuses_a_law_that_is_not_private():
    """A constant law is private; one that tells the truth must be mixed until it is."""
    constant = np.full((len(count_vectors(3, 2)), 3), 1 / 3)
    assert study.law_error(constant, 3, 2, "0") == pytest.approx(2 / 3, abs=1e-9)
    exact = [[Fraction(1, 3)] * 3] * len(constant)
    assert private_by_hand(exact, 3, 2, 0) == (True, Fraction(2, 3))
    mixed = study.law_error(np.eye(3)[count_vectors(3, 2).argmax(axis=1)], 3, 2, "1/10")
    assert mixed > study.bounds(3, 2, "1/10")[0] > 0.1


def test_no_multipliers_prove_more_than_a_private_law_reaches():
    """Weak duality, at random: the exponential mechanism is never below a proved bound."""
    K, n = 3, 3
    sets, outside = count_vectors(K, n), study.outside(K, n)
    weights = 3.0 ** (
        np.minimum(sets.cumsum(axis=1), sets[:, ::-1].cumsum(axis=1)[:, ::-1]) / 2
    )
    failure = ((weights * outside).sum(axis=1) / weights.sum(axis=1)).max()
    _, of_datasets, (pairs, mirror, y) = study.best_search(K, n, 0)
    best = study.multiplier_bound(of_datasets, (pairs, mirror, y), K, n, 0)
    rng = np.random.default_rng(2)
    for scale in (0.0, 0.1, 1.0):
        moved = y + scale * rng.random(y.shape) * (rng.random(y.shape) < 0.1)
        assert (
            study.multiplier_bound(of_datasets, (pairs, mirror, moved), K, n, 0)
            <= failure
        )
    assert best <= failure
    # the planted fault: pairs read in the wrong order would prove too much or nothing
    assert study.multiplier_bound(
        of_datasets, (pairs[:, ::-1], mirror, y), K, n, 0
    ) < best - Fraction(1, 100)


def test_outside_is_outside():
    for z, row in zip(count_vectors(4, 3), study.outside(4, 3), strict=True):
        there = np.flatnonzero(z)
        assert [bool(v) for v in row] == [
            c < there[0] or c > there[-1] for c in range(4)
        ]


@pytest.mark.parametrize("K", [2, 3, 4])
def test_the_exponential_mechanism_is_worst_at_one_or_two_neighbouring_points(K):
    for n in range(1, 7):
        sets = count_vectors(K, n)
        depth = np.minimum(sets.cumsum(axis=1), sets[:, ::-1].cumsum(axis=1)[:, ::-1])
        weights = 3.0 ** (depth / 2)
        worst = ((weights * (depth == 0)).sum(axis=1) / weights.sum(axis=1)).max()
        assert (worst <= 0.1) == (mechanism_records(K, 0.1) <= n)


def test_packing_demands_no_more_than_the_truth():
    for K in (2, 3, 4):
        truth = mechanism_records(K, 0.1)
        rows = results.read("interior-points").query(
            f"n_points == {K} and delta == 0 and upper <= 0.1"
        )
        assert packing_records(K, 0.1) <= rows["n_samples"].min() <= truth


def test_what_a_tenth_buys_is_checked():
    table = results.read("interior-points")
    pairs = {
        K: [chapter.least_records(table, K, d, 0.05) for d in (0.0, 0.1)]
        for K in range(2, 9)
    }
    saved = [K for K, (pure, large) in pairs.items() if pure and large < pure]
    assert saved
    chapter.check_tenth(saved)
    with pytest.raises(AssertionError, match=f"K = {saved[0]}"):
        chapter.check_tenth(saved[1:])


def test_a_smallest_number_is_refused_where_the_bounds_leave_it_open():
    table = results.read("interior-points").copy()
    at = (table["n_points"] == 2) & (table["n_samples"] == 3) & (table["delta"] == 0)
    assert chapter.least_records(table, 2, 0.0, 0.1) == 3
    table.loc[at, "lower"], table.loc[at, "upper"] = 0.05, 0.15
    with pytest.raises(AssertionError, match="open"):
        chapter.least_records(table, 2, 0.0, 0.1)
