"""Renyi divergences against their definition, their limits, and additivity."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privml.divergences import kullback_leibler, max_divergence, renyi_divergence

WEIGHTS = st.lists(st.floats(0.01, 10.0), min_size=4, max_size=4)
ORDERS = (1.0, 1.001, 1.5, 2.0, 7.0, 60.0)


def logs(weights):
    return np.log(np.array(weights) / sum(weights))


@given(WEIGHTS, WEIGHTS, st.floats(1.01, 20.0))
def test_it_is_the_logarithm_of_a_power_sum(p, q, order):
    p, q = logs(p), logs(q)
    wanted = math.log(np.sum(np.exp(p) ** order * np.exp(q) ** (1 - order))) / (order - 1)
    assert renyi_divergence(p, q, order) == pytest.approx(wanted, rel=1e-9, abs=1e-12)


@given(WEIGHTS, WEIGHTS)
def test_it_grows_with_the_order_from_the_mean_to_the_largest_loss(p, q):
    p, q = logs(p), logs(q)
    values = [renyi_divergence(p, q, order) for order in (*ORDERS, math.inf)]
    assert all(a <= b + 1e-12 for a, b in zip(values, values[1:], strict=False))
    assert values[0] == kullback_leibler(p, q) == pytest.approx(float(np.exp(p) @ (p - q)), abs=1e-13)
    assert values[-1] == max_divergence(p, q)
    assert renyi_divergence(p, q, 1 + 1e-9) == pytest.approx(values[0], rel=1e-6, abs=1e-13)


@pytest.mark.source("LZCW21-def-50")
@pytest.mark.parametrize("order", ORDERS)
def test_independent_pairs_add_up(order):
    rng = np.random.default_rng(4)
    p, q = (np.log(rng.dirichlet(np.ones(3), size=2)) for _ in range(2))
    both_p, both_q = np.add.outer(p[0], p[1]).ravel(), np.add.outer(q[0], q[1]).ravel()
    apart = renyi_divergence(p, q, order)
    assert renyi_divergence(both_p, both_q, order) == pytest.approx(apart.sum(), rel=1e-12)


def test_impossible_outcomes():
    p, q = np.array([0.0, -np.inf]), np.log([0.5, 0.5])
    assert [renyi_divergence(p, q, order) for order in (1, 2, np.inf)] == pytest.approx([math.log(2)] * 3)
    assert [renyi_divergence(q, p, order) for order in (1, 2, np.inf)] == [math.inf] * 3


def test_huge_orders_do_not_overflow():
    p, q = np.log([0.5, 0.5]), np.log([0.25, 0.75])
    assert renyi_divergence(p, q, 1e6) == pytest.approx(math.log(2), rel=1e-5)


@pytest.mark.parametrize("bad", [0.5])
def test_bad_orders_are_refused(bad):
    for call in (lambda: renyi_divergence(np.zeros(1), np.zeros(1), bad),):
        with pytest.raises(ValueError, match="order must be"):
            call()
