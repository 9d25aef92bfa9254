"""The published but wrong sparse vectors are caught with their exact losses."""

import math

import numpy as np
import pytest

from privml import counterexamples
from privml.mechanisms import SparseVector


def loss(law, first, second):
    p, q = law(first).logpmf(), law(second).logpmf()
    possible = (p > -np.inf) | (q > -np.inf)
    return float(np.abs(p - q)[possible].max())


def streams(quiet, crossing):
    """Neighbouring query values: quiet queries move up by one while the crossing ones move down by one."""
    first = np.append(np.zeros(quiet), np.full(crossing, -40.0))
    second = np.append(np.ones(quiet), np.full(crossing, -41.0))
    return first, second


@pytest.mark.source("LZCW21-alg-6")
@pytest.mark.parametrize("cutoff", [1, 2, 3])
def test_query_noise_that_ignores_the_cutoff_breaks_its_promise(cutoff):
    found = loss(counterexamples.query_noise_without_cutoff(1.0, cutoff), *streams(12 - cutoff, cutoff))
    limit = (1 + 6 * cutoff) / 4
    assert found <= limit + 1e-9
    assert found > 0.9 * limit
    right = SparseVector(epsilon=1.0, cutoff=cutoff)
    assert loss(right.output_distribution, *streams(12 - cutoff, cutoff)) <= 1.0


def test_without_query_noise_an_outcome_is_possible_on_one_side_only():
    law = counterexamples.no_query_noise(1.0)
    assert math.isinf(loss(law, [0.0, 1.0], [1.0, 0.0]))
    between = (1 - math.exp(-0.5)) / 2  # threshold noise in (0, 1]
    assert law([0.0, 1.0]).pmf()[2] == pytest.approx(between, rel=1e-12)


def test_without_a_cutoff_the_loss_grows_with_the_stream():
    law = counterexamples.no_cutoff(1.0)
    found = [loss(law, np.zeros(2 * n), np.append(np.ones(n), -np.ones(n))) for n in (1, 2, 4, 6)]
    assert all(b > a + 0.5 for a, b in zip(found[:-1], found[1:], strict=True))
    assert found[-1] > 4.0


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
    for variant in (
        counterexamples.no_query_noise,
        counterexamples.no_cutoff,
        counterexamples.reused_query_noise,
        lambda epsilon: counterexamples.query_noise_without_cutoff(epsilon, 1),
    ):
        with pytest.raises(ValueError, match="epsilon must be positive and finite"):
            variant(bad)
    with pytest.raises(ValueError, match="cutoff must be a positive integer"):
        counterexamples.query_noise_without_cutoff(1.0, 0)
