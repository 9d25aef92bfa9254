"""Sparse vectors where floats or a promise of monotony would break the claim."""

import numpy as np
import pytest

from privml.adjacency import Adjacency
from privml.mechanisms import SparseVector

ADD = Adjacency.ADD_OR_REMOVE_ONE


def worst_loss(mechanism, *pairs):
    laws = [[mechanism.output_distribution(values).logpmf() for values in pair] for pair in pairs]
    return max(float(np.abs(p - q).max()) for p, q in laws)


def test_counts_are_not_monotone_under_replace_one():
    """Half the query noise would be charged 1 and lose up to 1.5: one count moves up and another one down."""
    with pytest.raises(ValueError, match="monotone must be False under replace-one, got True"):
        SparseVector(epsilon=1.0, monotone=True, sensitivity=1)
    halved = SparseVector(epsilon=1.0, monotone=True, adjacency=ADD, threshold_share=0.5, sensitivity=1)
    quiet, crossing = np.full(11, 0.0), np.array([0.0])
    loss = worst_loss(halved, (np.r_[quiet, crossing], np.r_[quiet + 1, crossing - 1]))
    assert 1.4 < loss <= 1.5


@pytest.mark.parametrize("epsilon", [1e-6, 1.0, 30.0, 1e3, 1e4])
@pytest.mark.parametrize("cutoff", [1, 2])
@pytest.mark.parametrize("side", ["above", "below"])
def test_the_law_keeps_epsilon_where_probabilities_underflow(epsilon, cutoff, side):
    """At epsilon 10,000 a transcript against all the values has probability e^-5000."""
    mechanism = SparseVector(epsilon=epsilon, cutoff=cutoff, side=side, sensitivity=1)
    laws = [mechanism.output_distribution(values).logpmf() for values in ([1.0, 0.0, 1.0], [0.0, 1.0, 0.0])]
    assert np.isfinite(laws).all()
    loss = np.abs(laws[0] - laws[1]).max()
    assert loss <= epsilon * (1 + 1e-9)
    assert loss > 0.2 * epsilon
