"""Divergences against their definitions: the supremum over all events."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privml.distributions import Categorical
from privml.divergences import hockey_stick, max_divergence, privacy_loss, total_variation

WEIGHTS = st.lists(st.floats(0.01, 10.0), min_size=4, max_size=4)


def over_events(p, q, quantity):
    events = np.array(list(product([0, 1], repeat=len(p))))
    return max(quantity(float(event @ p), float(event @ q)) for event in events)


@given(WEIGHTS, WEIGHTS, st.floats(0.0, 3.0))
def test_each_divergence_is_a_supremum_over_events(p, q, epsilon):
    p, q = np.array(p) / sum(p), np.array(q) / sum(q)
    laws = Categorical(np.log(p)), Categorical(np.log(q))
    gap = over_events(p, q, lambda a, b: a - math.exp(epsilon) * b)
    assert hockey_stick(*laws, epsilon) == pytest.approx(gap, abs=1e-12)
    assert total_variation(*laws) == pytest.approx(over_events(p, q, lambda a, b: abs(a - b)), abs=1e-12)
    ratio = over_events(p, q, lambda a, b: math.log(a / b) if a > 0 else -math.inf)
    assert max_divergence(*laws) == pytest.approx(ratio, abs=1e-12)


def test_zero_probabilities_mean_an_infinite_loss_one_way_and_none_the_other():
    p, q = np.log([0.5, 0.5]), np.array([0.0, -np.inf])
    assert privacy_loss(p, q).tolist() == [math.log(0.5), math.inf]
    assert privacy_loss(q, p).tolist() == [math.log(2.0), -math.inf]
    assert hockey_stick(p, q, 10.0) == 0.5
    both = np.array([0.0, -np.inf])
    assert privacy_loss(both, both).tolist() == [0.0, -math.inf]
    assert hockey_stick(both, both, 0.0) == 0.0


def test_pairs_are_compared_all_at_once():
    rng = np.random.default_rng(2)
    p, q = (np.log(rng.dirichlet(np.ones(5), size=7)) for _ in range(2))
    together = hockey_stick(p, q, 0.3)
    assert together.tolist() == [float(hockey_stick(a, b, 0.3)) for a, b in zip(p, q, strict=True)]


def test_laws_must_have_the_same_outcomes_and_no_nan():
    with pytest.raises(ValueError, match="same outcomes"):
        max_divergence(np.log([0.5, 0.5]), np.zeros(1))
    with pytest.raises(ValueError, match="free of NaN"):
        max_divergence(np.array([math.nan]), np.zeros(1))
    with pytest.raises(ValueError, match="same outcomes"):
        max_divergence(0.0, 0.0)
