"""The prepared curve is the hockey-stick divergence at every epsilon, and its inverse is exact."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privml.divergences import PrivacyCurve, hockey_stick, max_divergence
from tests.refusals import refused

WEIGHTS = st.lists(st.floats(0.0, 10.0), min_size=5, max_size=5).filter(
    lambda w: sum(w) > 0.1
)


def logs(weights):
    with np.errstate(divide="ignore"):
        return np.log(np.array(weights) / sum(weights))


@pytest.mark.source("WLF16-def-27")
@given(WEIGHTS, WEIGHTS, st.lists(st.floats(-5.0, 5.0), min_size=1, max_size=6))
def test_the_curve_is_the_hockey_stick_divergence(p, q, epsilons):
    p, q = logs(p), logs(q)
    curve = PrivacyCurve.between(p, q, logs=True)
    at = np.array(epsilons)
    wanted = [float(hockey_stick(p, q, epsilon, logs=True)) for epsilon in epsilons]
    assert curve.delta(at) == pytest.approx(np.array(wanted), rel=1e-11, abs=1e-15)
    assert curve.delta(epsilons[0]) == curve.delta(at)[0]


@given(WEIGHTS, WEIGHTS, st.floats(1e-12, 1.0))
def test_the_inverse_is_the_smallest_epsilon_with_that_delta(p, q, delta):
    p, q = logs(p), logs(q)
    curve = PrivacyCurve.between(p, q, logs=True)
    unbounded = float(np.exp(p)[q == -np.inf].sum())
    if delta < unbounded * (1 - 1e-12):
        with pytest.raises(ValueError, match="where the loss is infinite"):
            curve.epsilon(delta)
    elif delta > unbounded * (1 + 1e-12):
        epsilon = curve.epsilon(delta)
        assert hockey_stick(p, q, epsilon, logs=True) <= delta * (1 + 1e-11) + 1e-15
        if epsilon > 1e-6:
            assert (
                curve.delta(epsilon * (1 - 1e-7)) > delta or curve.delta(0.0) <= delta
            )


def test_the_inverse_is_never_too_small_by_rounding_and_hardly_too_large():
    """Two formulas for one number differ by rounding; what is returned holds for the curve itself."""
    rng, moved = np.random.default_rng(0), 0
    for _ in range(100):
        curve = PrivacyCurve.between(*rng.dirichlet(np.full(5, 0.7), 2))
        for delta in np.exp(rng.uniform(-25.0, 0.0, 5)).tolist():
            epsilon = curve.epsilon(delta)
            assert curve.log_delta(epsilon) <= math.log(delta)
            if epsilon > 1e-6:
                less = epsilon * (1 - 2.0**-46) - 2.0**-50
                assert curve.log_delta(less) > math.log(delta)
                moved += 1
    assert moved > 250


def test_tied_losses_and_impossible_outcomes_are_no_trouble():
    p, q = logs([2.0, 2.0, 1.0, 0.0, 0.0]), logs([1.0, 1.0, 3.0, 1.0, 0.0])
    curve = PrivacyCurve.between(p, q, logs=True)
    for epsilon in (-1.0, 0.0, float(p[0] - q[0]), 0.5, 3.0):
        assert curve.delta(epsilon) == pytest.approx(
            float(hockey_stick(p, q, epsilon, logs=True)), rel=1e-13
        )
    assert PrivacyCurve.between(p, p, logs=True).epsilon(0.0) == pytest.approx(0.0)


@pytest.mark.source("WLF16-def-2")
def test_at_delta_zero_the_epsilon_is_the_largest_loss_both_ways():
    p, q = logs([3.0, 1.0, 2.0]), logs([1.0, 1.0, 1.0])
    assert PrivacyCurve.between(p, q, logs=True).epsilon(0.0) == max_divergence(
        p, q, logs=True
    )
    assert PrivacyCurve.between(q, p, logs=True).epsilon(0.0) == max_divergence(
        q, p, logs=True
    )


def test_deltas_far_below_the_smallest_float_keep_their_logarithm():
    n, share = 3000, math.log(0.5)
    losses = np.arange(-n, n + 1, 2.0)
    log_p = np.array(
        [
            math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1)
            for i in range(n + 1)
        ]
    )
    curve = PrivacyCurve(losses, log_p + n * share)
    assert curve.log_delta(n - 0.5) == pytest.approx(
        n * share + math.log(-math.expm1(-0.5)), rel=1e-10
    )
    assert curve.delta(n - 0.5) == 0.0


def test_laws_that_only_one_side_can_produce():
    curve = PrivacyCurve.between(
        np.array([0.0, -np.inf]), np.array([-np.inf, 0.0]), logs=True
    )
    assert curve.delta([-1.0, 0.0, 50.0]).tolist() == [1.0, 1.0, 1.0]
    assert curve.epsilon(1.0) == 0.0
    with pytest.raises(
        ValueError, match="delta must be at least 1, where the loss is infinite"
    ):
        curve.epsilon(0.5)


test_bad_input_is_refused = refused(
    (lambda: PrivacyCurve([0.0, 1.0], [0.0]), "vectors of one length"),
    (lambda: PrivacyCurve([math.nan], [0.0]), "free of NaN"),
    (lambda: PrivacyCurve([0.0], [-math.inf]), "a possible outcome"),
    (lambda: PrivacyCurve([0.0], [0.0]).delta(math.nan), "epsilon must be free of NaN"),
    (
        lambda: PrivacyCurve([0.0], [0.0]).epsilon(-0.1),
        "delta must be non-negative and finite",
    ),
)
