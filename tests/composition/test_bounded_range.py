"""The non-adaptive optimum for bounded ranges, against brute force over the steps' own worst cases."""

import math

import mpmath
import numpy as np
import pytest

from privml.composition import (
    nonadaptive_range_delta,
    nonadaptive_range_epsilon,
    nonadaptive_range_step_epsilon,
)
from privml.composition.bounded_range import _Candidates, _log_delta, _log_tail


def joint(laws):
    """Log-probabilities of independent outcomes together."""
    total = np.zeros(1)
    for law in laws:
        total = np.add.outer(total, law).ravel()
    return total


@pytest.mark.parametrize(
    ("step", "k", "delta"),
    [(0.05, 1000, 1e-5), (0.3, 20, 1e-9), (2.0, 3, 0.1), (1.0, 1, 0.3)],
)
def test_epsilon_and_step_are_inverses_on_the_safe_side(step, k, delta):
    epsilon = nonadaptive_range_epsilon(step, k, delta)
    assert nonadaptive_range_delta(step, k, epsilon) <= delta * (1 + 1e-13)
    if epsilon > 0:
        assert nonadaptive_range_delta(step, k, epsilon * (1 - 1e-9)) > delta
        assert nonadaptive_range_step_epsilon(epsilon, k, delta) == pytest.approx(
            step, rel=1e-8
        )


def exact_log_delta(step, k, epsilon):
    """The largest F_l, each summed in as many digits as its terms need."""
    with mpmath.workdps(60 + int(min(k * step, 2000) / 2)):
        step, epsilon, best = mpmath.mpf(step), mpmath.mpf(epsilon), mpmath.mpf(0)
        for most in range(k):
            t = (epsilon + (most + 1) * step) / (k + 1)
            if t >= step:
                continue
            q = (1 - mpmath.exp(-t)) / (1 - mpmath.exp(-step))
            p = q * mpmath.exp(t - step)
            chance, ratio, total = (
                (1 - p) ** k,
                mpmath.exp(epsilon - k * t),
                mpmath.mpf(0),
            )
            for small in range(most + 1):
                total += chance * (1 - ratio)
                chance *= p / (1 - p) * (k - small) / (small + 1)
                ratio *= mpmath.exp(step)
            best = max(best, total)
        return mpmath.log(best)


@pytest.mark.parametrize("k", [1, 2, 7, 30])
@pytest.mark.parametrize("step", [1e-9, 1e-4, 0.05, 1.0, 20.0, 710.0, 5000.0])
@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99])
def test_it_is_right_at_every_epsilon(k, step, share):
    epsilon = share * k * step
    with mpmath.workdps(60):
        excess = float(_log_delta(step, k, epsilon) - exact_log_delta(step, k, epsilon))
    assert abs(excess) <= 1e-12 * max(1.0, -_log_delta(step, k, epsilon))


@pytest.mark.parametrize("share", [0.001, 0.03, 0.2, 0.8])
@pytest.mark.parametrize("step", [1e-6, 0.01, 2.0])
def test_pruning_loses_no_candidate(step, share):
    k = 600
    candidates = _Candidates(step, k, share * k * step)
    best = max(candidates.log_sum(index) for index in range(candidates.l.size))
    assert -1e-12 <= candidates.log_largest() - best <= 1e-10 / min(1.0, step)


def test_tiny_and_huge_parameters():
    assert nonadaptive_range_epsilon(1e-9, 5, 1e-5) == 0.0
    assert _log_delta(0.05, 1000, 49.0) < -2000
    assert nonadaptive_range_delta(0.05, 1000, 50.0) == 0.0
    assert nonadaptive_range_delta(50.0, 3, 10.0) == pytest.approx(1.0)
    assert nonadaptive_range_delta(5.0, 1000, 710.0) == pytest.approx(1.0)
    assert nonadaptive_range_epsilon(5.0, 1000, 1e-5) > 1200
    assert nonadaptive_range_epsilon(1.0, 1, 1e-200) <= 1.0
    assert nonadaptive_range_epsilon(0.1, 10, 1e-300) <= 1.0
    with pytest.raises(ValueError, match="k must be at most 50000"):
        nonadaptive_range_epsilon(1e-3, 10**7, 1e-5)


@pytest.mark.parametrize(
    ("step", "k", "delta"), [(0.05, 300, 1e-5), (0.5, 40, 1e-9), (3.0, 6, 0.01)]
)
def test_the_inverses_are_the_same_when_the_search_for_the_top_goes_astray(
    step, k, delta, monkeypatch
):
    """It only makes them fast: what they return is held against all candidates."""

    def one(self, share):
        return self.log_sum(int(share * self.l.size)) if self.l.size else -math.inf

    epsilon = nonadaptive_range_epsilon(step, k, delta)
    largest = nonadaptive_range_step_epsilon(epsilon, k, delta)
    for share in (0.1, 0.9):
        monkeypatch.setattr(
            _Candidates, "log_near", lambda self, share=share: one(self, share)
        )
        assert nonadaptive_range_epsilon(step, k, delta) == pytest.approx(
            epsilon, rel=1e-12
        )
        assert nonadaptive_range_step_epsilon(epsilon, k, delta) == pytest.approx(
            largest, rel=1e-12
        )
        assert nonadaptive_range_delta(step, k, epsilon) == pytest.approx(
            delta, rel=1e-11
        )


@pytest.mark.parametrize("bad", [0.0])
def test_a_bad_step_is_refused(bad):
    for call in (nonadaptive_range_delta, nonadaptive_range_epsilon):
        with pytest.raises(
            ValueError, match="step_epsilon must be positive and finite"
        ):
            call(bad, 10, 0.1)


@pytest.mark.parametrize(
    ("k", "l", "p"),
    [
        (5000, 3, 0.3),
        (5000, 1000, 0.6),
        (2000, 0, 0.5),
        (50_000, 100, 0.2),
        (3000, 500, 0.55),
    ],
)
def test_tails_below_the_range_of_floats_agree_with_exact_sums(k, l, p):
    with mpmath.workdps(50):
        exact = mpmath.mpf(p)
        terms = (
            mpmath.binomial(k, j) * exact**j * (1 - exact) ** (k - j)
            for j in range(l + 1)
        )
        expected = float(mpmath.log(mpmath.fsum(terms)))
    found = _log_tail(np.array([l]), k, np.log([p]), np.log1p([-p]))
    assert expected < -500
    assert found == pytest.approx([expected], rel=1e-13)
