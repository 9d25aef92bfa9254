"""Enumerations of data sets and neighbours agree with slow, independent ones."""

from collections import Counter
from itertools import combinations, product
from math import comb

import numpy as np
import pytest

from privml import adjacency
from privml.adjacency import Adjacency

SIZES = [(1, 1), (2, 1), (2, 3), (3, 2), (3, 3), (4, 2)]


def distance(a, b):
    """Records to remove and to add on the way from multiset a to multiset b."""
    a, b = Counter(map(int, a)), Counter(map(int, b))
    return sum((a - b).values()), sum((b - a).values())


@pytest.mark.parametrize(("n_points", "size"), [*SIZES, (3, 0)])
def test_multisets_and_sequences_are_all_of_them_once(n_points, size):
    everything = list(product(range(n_points), repeat=size))
    assert [
        tuple(row) for row in adjacency.sequences(n_points, size).tolist()
    ] == everything
    rows = [tuple(row) for row in adjacency.multisets(n_points, size).tolist()]
    assert rows == sorted({tuple(sorted(row)) for row in everything})
    assert (
        len(rows)
        == adjacency.n_multisets(n_points, size)
        == comb(n_points + size - 1, size)
    )


@pytest.mark.parametrize(("n_points", "size"), SIZES)
def test_replacement_pairs_of_multisets_are_those_at_distance_one(n_points, size):
    rows = adjacency.multisets(n_points, size)
    pairs = combinations(range(len(rows)), 2)
    wanted = [[i, j] for i, j in pairs if distance(rows[i], rows[j]) == (1, 1)]
    assert adjacency.replacement_pairs(rows).tolist() == wanted


@pytest.mark.source("WLF16-eq-3")
@pytest.mark.parametrize(("n_points", "size"), SIZES)
def test_replacement_pairs_of_sequences_differ_in_one_place(n_points, size):
    rows = adjacency.sequences(n_points, size)
    places = range(len(rows))
    wanted = [
        [i, j]
        for i in places
        for j in places[i + 1 :]
        if (rows[i] != rows[j]).sum() == 1
    ]
    assert adjacency.replacement_pairs(rows).tolist() == wanted
    assert 2 * len(wanted) == len(rows) * size * (n_points - 1)


@pytest.mark.parametrize(("n_points", "size"), SIZES)
def test_removal_pairs_drop_one_record(n_points, size):
    larger, smaller = (
        adjacency.multisets(n_points, size),
        adjacency.multisets(n_points, size - 1),
    )
    wanted = [
        [i, j]
        for i, a in enumerate(larger)
        for j, b in enumerate(smaller)
        if distance(a, b) == (1, 0)
    ]
    assert adjacency.removal_pairs(larger, smaller).tolist() == wanted


def test_a_universe_too_large_says_how_large_and_what_to_do():
    with pytest.raises(
        ValueError,
        match=r"at most 500000 multisets .*, but got \d{7,}\. Use fewer points",
    ):
        adjacency.multisets(50, 10)
    with pytest.raises(
        ValueError,
        match=r"at most 500000 sequences .*, but got 1073741824\. Use fewer points",
    ):
        adjacency.sequences(2, 30)


def test_a_universe_is_one_array_or_columns_of_one_length():
    X, y = np.array([[1.0], [2.0]]), np.array([True, False])
    taken = adjacency.records((X, y), np.array([1, 1]))
    assert taken[0].tolist() == [[2.0], [2.0]]
    assert taken[1].tolist() == [False, False]
    with pytest.raises(ValueError, match="one positive length"):
        adjacency.universe_size((X, y[:1]))
    with pytest.raises(ValueError, match="one positive length"):
        adjacency.universe_size(np.empty(0))


def test_neighbours_under_both_relations():
    relation = Adjacency.ADD_OR_REMOVE_ONE
    first, second, pairs = adjacency.neighbouring_datasets(
        np.arange(2), 3, adjacency=relation
    )
    assert first.shape == (4, 3)
    assert second.shape == (3, 2)
    assert len(pairs) == 6
    with pytest.raises(
        ValueError,
        match="adjacency must be 'replace-one' or 'add-or-remove-one', but got",
    ):
        adjacency.neighbouring_datasets(np.arange(2), 3, adjacency="replace one")
