"""Running counts: the sums that are drawn, and coverage of the counts and of all ranges at once."""

from itertools import combinations_with_replacement

import numpy as np
import pandas as pd
import pytest

from privml.adjacency import Adjacency
from privml.guarantee import Guarantee
from privml.statistics import PrivateRunningCounts

DAYS = np.repeat([0, 2, 3, 6], [5, 1, 8, 2])


def made(n=8, **named):
    return PrivateRunningCounts(categories=range(n), **{"epsilon": 1.0} | named)


@pytest.mark.parametrize("delta", [0.0, 1e-6])
@pytest.mark.parametrize("strategy", [None, "tree", "square root"])
@pytest.mark.parametrize("adjacency", Adjacency, ids=str)
def test_all_ranges_are_answered_by_one_release(strategy, delta, adjacency):
    counts = made(strategy=strategy, delta=delta, adjacency=adjacency, epsilon=1e5)
    released = counts.release(DAYS, rng=0)
    exact = np.cumsum(np.bincount(DAYS, minlength=8))
    np.testing.assert_allclose(released.value, exact, atol=0.5)
    assert released.guarantee == Guarantee(1e5, delta, adjacency)
    for first, last in combinations_with_replacement(range(8), 2):
        found = released.range_count(first, last)
        assert found.value == pytest.approx(
            np.sum((first <= DAYS) & (DAYS <= last)), abs=0.5
        )
        assert found.lower < found.value < found.upper
        assert found.guarantee == released.guarantee
        assert found.coverage == released.coverage == 0.95


def test_the_better_strategy_is_taken_without_looking_at_the_data():
    for n, delta in ((3, 0.0), (120, 0.0), (120, 1e-6)):
        largest = {
            kind: made(n, delta=delta, strategy=kind).variances.max()
            for kind in ("tree", "square root", None)
        }
        assert largest[None] == min(largest["tree"], largest["square root"])
    assert made(120).variances.max() == made(120, strategy="tree").variances.max()


def test_many_running_counts_are_more_accurate_than_sums_of_a_histogram():
    """Of 365 days: fresh noise of scale 2 on each has variance 8 each, and 2920 at the end of the year."""
    assert made(365).variances.max() < 2920 * 0.65
    assert made(365, delta=1e-6).variances.max() < 2920 / 11


@pytest.mark.parametrize("delta", [0.0, 1e-3])
@pytest.mark.parametrize("beta", [0.5, 0.05])
def test_the_running_counts_and_all_ranges_hold_together_as_often_as_promised(
    beta, delta
):
    """By draws; the union bound over all ranges is generous, so that misses are rare."""
    counts, n_draws = made(4, beta=beta, delta=delta, epsilon=0.5), 150
    data = DAYS[DAYS < 4]
    exact = np.cumsum(np.bincount(data, minlength=4))
    missed = np.zeros(2)
    rng = np.random.default_rng(0)
    for _ in range(n_draws):
        released = counts.release(data, rng=rng)
        missed[0] += not ((released.lower <= exact) & (exact <= released.upper)).all()
        for first, last in combinations_with_replacement(range(4), 2):
            found = released.range_count(first, last)
            true = exact[last] - (exact[first - 1] if first else 0)
            if not found.lower <= true <= found.upper:
                missed[1] += 1
                break
    error = np.sqrt(beta * (1 - beta) / n_draws)
    assert (missed / n_draws <= beta + 4 * error).all()


@pytest.mark.parametrize("delta", [0.0, 1e-3])
def test_each_interval_has_its_part_of_the_failure_probability(delta):
    counts = made(5, delta=delta)
    released, mechanism = counts.release(DAYS, rng=1), counts._mechanism
    widths = (released.upper - released.lower) / 2
    np.testing.assert_allclose(
        widths, mechanism.half_widths(np.eye(5), 0.05 / 5), rtol=1e-9
    )
    found = released.range_count(2, 3)
    (width,) = mechanism.half_widths([[0, -1, 0, 1, 0]], 0.05 / 15)
    assert (found.upper - found.lower) / 2 == pytest.approx(width, rel=1e-9)
    assert found.value == pytest.approx(released.value[3] - released.value[1])


def test_what_rounding_changes_is_within_the_intervals():
    counts = made(40, epsilon=1e9, delta=1e-6)
    for size in (10, 10**6):
        data = np.tile(np.arange(40), size // 10)
        exact = np.cumsum(np.bincount(data, minlength=40))
        released = counts.release(data, rng=0)
        assert 0 < released.rounding < 1e-3
        assert ((released.lower <= exact) & (exact <= released.upper)).all()


def test_cells_of_numbers_and_dates_and_records_in_none_of_them():
    edges = [0.0, 1.0, 2.5, 10.0]
    counts = PrivateRunningCounts(edges=edges, epsilon=1e5)
    released = counts.release([-1, 0.5, 2, 2.2, 10, 99, np.nan], rng=0)
    np.testing.assert_allclose(released.value, [1, 3, 4], atol=0.1)
    assert released.labels == ["[0, 1)", "[1, 2.5)", "[2.5, 10]"]
    assert "[1, 2.5): " in str(released)
    days = pd.date_range("2024-01-01", periods=3)
    by_day = PrivateRunningCounts(categories=list(days), epsilon=1e5)
    released = by_day.release(pd.Series([days[0], days[2], days[2]]), rng=0)
    np.testing.assert_allclose(released.value, [1, 1, 3], atol=0.1)


def test_a_range_outside_of_the_cells_and_a_word_that_is_no_strategy_are_refused():
    released = made().release(DAYS, rng=0)
    for first, last in ((3, 2), (0, 8)):
        with pytest.raises(ValueError, match="first and last must be positions"):
            released.range_count(first, last)
    with pytest.raises(ValueError, match="first must be a non-negative integer"):
        released.range_count(-1, 2)
    with pytest.raises(ValueError, match="strategy must be one of"):
        made(strategy="best")
    with pytest.raises(ValueError, match="categories or edges must be given"):
        PrivateRunningCounts(epsilon=1.0)
    assert made() == made()
    assert made().release(DAYS, rng=0) != released  # of another mechanism
    assert released._repr_html_()
