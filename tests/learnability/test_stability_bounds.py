"""What privacy promises about stability: attained and never exceeded."""

from math import exp, expm1

import numpy as np
import pytest

from privml.divergences import hockey_stick, total_variation
from privml.learnability import (
    stability_from_bounded_range,
    stability_from_privacy,
)

EPSILONS = [0.0, 0.01, 0.5, 1.0, 3.0, 20.0]
DELTAS = [0.0, 1e-6, 0.1, 0.7, 1.0]


def extremal_pair(epsilon, delta):
    """With probability delta the truth is told, otherwise by randomised response."""
    yes = 1 / (1 + exp(-epsilon))
    law = np.array([delta, (1 - delta) * yes, (1 - delta) * (1 - yes), 0.0])
    return law, law[::-1]


def logs(*laws):
    with np.errstate(divide="ignore"):
        return [np.log(law) for law in laws]


@pytest.mark.source("WLF16-lem-30", "WLF16-lem-8")
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("delta", DELTAS)
def test_the_extremal_pair_keeps_its_privacy_and_attains_the_bound(epsilon, delta):
    p, q = logs(*extremal_pair(epsilon, delta))
    assert np.exp(p).sum() == pytest.approx(1, rel=1e-14)
    for one, other in ((p, q), (q, p)):
        assert float(hockey_stick(one, other, epsilon)) == pytest.approx(delta, abs=1e-12)
    bound = stability_from_privacy(epsilon, delta)
    assert float(total_variation(p, q)) == pytest.approx(bound, rel=1e-12)
    closed = (expm1(epsilon) + 2 * delta) / (exp(epsilon) + 1)
    assert bound == pytest.approx(closed, rel=1e-12)


@pytest.mark.source("WLF16-lem-8", "WLF16-lem-30")
@pytest.mark.erratum("WLF16-lem-8", "WLF16-lem-30")
def test_the_printed_bounds_are_never_below_and_far_above():
    for epsilon in EPSILONS:
        for delta in DELTAS:
            assert stability_from_privacy(epsilon, delta) <= expm1(epsilon) + delta + 1e-15
        assert stability_from_privacy(epsilon) <= epsilon / 2
    assert f"{stability_from_privacy(1.0):.3f} against {expm1(1.0):.3f}" == "0.462 against 1.718"


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 6.0])
def test_the_bound_for_a_range_is_attained_by_losses_half_up_and_half_down(epsilon):
    high = 1 / (1 + exp(-epsilon / 2))
    p, q = logs(np.array([high, 1 - high]), np.array([1 - high, high]))
    assert float((p - q).max() - (p - q).min()) == pytest.approx(epsilon)
    assert float(total_variation(p, q)) == pytest.approx(stability_from_bounded_range(epsilon), rel=1e-12)
