"""Count vectors: their places, and cliques of neighbours."""

import numpy as np
import pytest

from privml.learnability import cliques, count_vectors, neighbours, rows_of


@pytest.mark.parametrize(("n_records", "n_samples"), [(1, 3), (2, 1), (3, 4), (5, 3), (12, 2)])
def test_every_count_vector_is_found_where_it_stands(n_records, n_samples):
    counts = count_vectors(n_records, n_samples)
    shuffled = np.random.default_rng(0).permutation(len(counts))
    np.testing.assert_array_equal(rows_of(counts[shuffled]), shuffled)


@pytest.mark.source("WLF16-eq-3")
@pytest.mark.parametrize(("n_records", "n_samples"), [(2, 1), (3, 4), (5, 3)])
def test_neighbours_are_the_pairs_within_cliques(n_records, n_samples):
    counts = count_vectors(n_records, n_samples)
    pairs = {(i, j) for row in cliques(n_records, n_samples) for i in row for j in row if i < j}
    distances = np.abs(counts[:, None] - counts[None]).sum(axis=2)
    assert pairs == {(i, j) for i, j in np.argwhere(distances == 2) if i < j}
    assert pairs == set(map(tuple, neighbours(n_records, n_samples)))


@pytest.mark.parametrize("counts", [[[1, 2], [1, 1]], [[-1, 3]], [[0.5, 0.5]], [1, 2]])
def test_what_is_no_table_of_counts_is_refused(counts):
    with pytest.raises(ValueError, match="counts must"):
        rows_of(np.array(counts))
