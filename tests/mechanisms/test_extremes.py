"""Mechanisms at extreme public parameters: the exact law keeps the claim, or the call is refused."""

import math
import sys
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from privml import mechanisms

EPSILONS = [1e-300, 1e-6, 1.0, 40.0, 709.0, 750.0, 1e4, 1e300]
SENSITIVITIES = [1e-300, 1e-6, 3.0, 1e300]


def made(build):
    """What is built, or None and why not."""
    try:
        return build(), ""
    except ValueError as refusal:
        return None, str(refusal)


def worst(p, q):
    """Largest loss of two log-laws; outcomes that both rule out do not count."""
    with np.errstate(invalid="ignore"):
        return float(np.nanmax(np.abs(p - q)))


@pytest.fixture(autouse=True)
def _no_warnings():
    with np.errstate(all="raise", under="ignore"):
        yield


@pytest.mark.parametrize(
    "kind", [mechanisms.ExponentialMechanism, mechanisms.PermuteAndFlip]
)
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("sensitivity", SENSITIVITIES)
@pytest.mark.parametrize(
    "scores", [[0.0, 0.0, 1.0], [5.0], [0.0, 1e6, 3.0], [1e300, 0.0]], ids=str
)
def test_selection_keeps_its_claim_at_all_moves_of_the_scores(
    kind, epsilon, sensitivity, scores
):
    mechanism, why = made(lambda: kind(epsilon=epsilon, sensitivity=sensitivity))
    if mechanism is None:
        assert "epsilon must leave a noise scale of full precision" in why
        assert not 1e-290 < sensitivity / epsilon < 1e290
        return
    here = mechanism.output_distribution(scores).logpmf()
    assert 0 <= mechanism.release(scores, rng=0) < len(scores)
    for move in product((-1.0, 0.0, 1.0), repeat=len(scores)):
        moved = np.array(scores) + sensitivity * np.array(move)
        if np.abs(moved - scores).max() <= sensitivity:
            loss = worst(here, mechanism.output_distribution(moved).logpmf())
            assert loss <= epsilon * (1 + 1e-9) + 1e-13


@pytest.mark.parametrize(
    "kind", [mechanisms.ExponentialMechanism, mechanisms.PermuteAndFlip]
)
def test_what_is_far_behind_is_possible_on_both_sides_of_a_step(kind):
    """One point of the score moves the exponent over the end of the floats, by half of epsilon in truth."""
    mechanism = kind(epsilon=1e300, sensitivity=1.0)
    last = math.floor(sys.float_info.max * mechanism.scale)
    for far in (last - 1, last, last + 1, 10**300):
        law = mechanism.output_distribution([float(far), 0.0, float(far)]).logpmf()
        assert np.isfinite(law).all()
        assert law[1] <= -1e299
    sides = [
        mechanism.output_distribution([float(last + step), 0.0]).logpmf()
        for step in (0, 1)
    ]
    assert abs(sides[0] - sides[1]).max() <= mechanism.epsilon


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("sensitivity", [*SENSITIVITIES, 0.1, 1 / 3])
def test_the_scale_of_laplace_noise_is_never_rounded_down(epsilon, sensitivity):
    mechanism, why = made(
        lambda: mechanisms.LaplaceMechanism(epsilon=epsilon, sensitivity=sensitivity)
    )
    if mechanism is None:
        assert "epsilon must leave a noise scale of full precision" in why
        return
    exact = Fraction(sensitivity) / Fraction(epsilon)
    assert exact <= Fraction(mechanism.scale) <= exact * (1 + Fraction(1, 2**51))
    assert math.isfinite(mechanism.release(0.0, rng=0))


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("cutoff", [1, 3, 10**6, 10**12])
@pytest.mark.parametrize("share", [None, 0.5, 1e-12, 0.1])
def test_the_scales_of_the_sparse_vector_spend_no_more_than_epsilon(
    epsilon, cutoff, share
):
    options = {
        "epsilon": epsilon,
        "cutoff": cutoff,
        "threshold_share": share,
        "sensitivity": 0.1,
    }
    mechanism, why = made(lambda: mechanisms.SparseVector(**options))
    if mechanism is None:
        assert "epsilon must leave a noise scale" in why
        assert not 1e-280 < 0.1 / epsilon < 1e280
        return
    noise = mechanism.noise
    query = 2 * cutoff * Fraction(0.1) / Fraction(noise.query_scale)
    spent = Fraction(0.1) / Fraction(noise.threshold_scale) + query
    assert Fraction(epsilon) * (1 - Fraction(1, 2**51)) <= spent <= Fraction(epsilon)


@pytest.mark.parametrize("epsilon", [1e-300, 1.0, 1e300])
@pytest.mark.parametrize("delta", [1e-300, 0.9])
def test_restarting_is_refused_or_within_its_composition(epsilon, delta):
    options = {"epsilon": epsilon, "delta": delta, "cutoff": 3, "sensitivity": 1}
    mechanism, why = made(lambda: mechanisms.RestartingSparseVector(**options))
    if mechanism is None:
        assert "must be" in why
        return
    rho = 3 * (2 / mechanism.noise.threshold_scale) ** 2 / 2
    assert rho + 2 * math.sqrt(rho * -math.log(delta)) <= epsilon * (1 + 1e-12)


@pytest.mark.parametrize("epsilon", [1e-300, 0.5, 1 - 1e-16])
@pytest.mark.parametrize("sensitivity", [1e-300, 1.0, 1e300])
def test_the_classical_sigma_is_finite_or_refused(epsilon, sensitivity):
    options = {"epsilon": epsilon, "delta": 1e-5, "sensitivity": sensitivity}
    sigma, why = made(
        lambda: mechanisms.gaussian_sigma(**options, calibration="classical")
    )
    if sigma is None:
        assert "epsilon must leave a finite sigma" in why
        assert sensitivity / epsilon > 1e290
        return
    assert (
        mechanisms.GaussianMechanism(**options, sigma=sigma).privacy_curve(epsilon)
        <= 1e-5
    )


@pytest.mark.parametrize("sensitivity", [1, 3 * 2**20, 10**9, 10**18])
def test_the_curve_of_integer_noise_is_there_for_any_sensitivity(sensitivity):
    mechanism = mechanisms.DiscreteLaplaceMechanism(
        epsilon=1e4, sensitivity=sensitivity
    )
    assert mechanism.privacy_curve(1e4) == 0.0
    at_once = mechanism.privacy_curve([0.0, 9_990.0])
    assert 1 >= at_once[0] > 0.99
    assert at_once[1] > 0.98
    assert isinstance(mechanism.release(3, rng=0), int)
