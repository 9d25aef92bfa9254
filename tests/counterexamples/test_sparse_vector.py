"""The published but wrong sparse vectors are caught with their exact losses."""

import math

import numpy as np
import pytest

from privml import counterexamples


def loss(law, first, second):
    p, q = law(first).logpmf(), law(second).logpmf()
    possible = (p > -np.inf) | (q > -np.inf)
    return float(np.abs(p - q)[possible].max())


def test_without_query_noise_an_outcome_is_possible_on_one_side_only():
    law = counterexamples.no_query_noise(1.0)
    assert math.isinf(loss(law, [0.0, 1.0], [1.0, 0.0]))
    between = (1 - math.exp(-0.5)) / 2  # threshold noise in (0, 1]
    assert law([0.0, 1.0]).pmf()[2] == pytest.approx(between, rel=1e-12)


@pytest.mark.parametrize("quiet", [1, 4, 11])
def test_a_released_value_with_reused_noise_makes_the_quiet_queries_pay(quiet):
    """For (0, ..., 0, 1) and (1, ..., 1, 0) the loss at a small released value is (n - 1) epsilon / 2."""
    epsilon = 1.0
    law = counterexamples.reused_query_noise(epsilon)
    p = law(np.append(np.zeros(quiet), 1.0)).logpmf()
    q = law(np.append(np.ones(quiet), 0.0)).logpmf()
    assert p[-3] - q[-3] == pytest.approx((quiet - 1) * epsilon / 2, abs=1e-9)
    assert np.exp(p).sum() == pytest.approx(1.0)


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
def test_bad_epsilon_is_refused(bad):
    for variant in (counterexamples.no_query_noise, counterexamples.reused_query_noise):
        with pytest.raises(ValueError, match="epsilon must be positive and finite"):
            variant(bad)
