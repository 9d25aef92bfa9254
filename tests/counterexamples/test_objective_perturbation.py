"""Objective perturbation without the square is caught on a line, and right for rows of length 1."""

import numpy as np
import pytest

from privml.counterexamples import unsquared_tilt
from privml.learners.perturbation import CutLogisticLoss, RadialLaplace, objective_logpdf


def worst_loss(radius):
    scale, total = unsquared_tilt(1.0, 1.0, radius)
    weights = np.linspace(-1, 1, 4001) * 20 / radius
    laws = [
        objective_logpdf(
            weights,
            [row, 0.0],
            CutLogisticLoss(1.0),
            total,
            lambda b: RadialLaplace(1, scale).logpdf(b[:, None]),
        )
        for row in (radius, 0.0, -radius)
    ]
    return max(float((p - q).max()) for p in laws for q in laws)


@pytest.mark.parametrize("radius", [20.0, 100.0])
def test_long_rows_lose_more_than_is_claimed(radius):
    assert worst_loss(radius) > 1.5


def test_rows_of_length_one_lose_no_more():
    assert worst_loss(1.0) <= 1.0


def test_it_is_the_rule_with_the_radius_in_place_of_its_square():
    scale, total = unsquared_tilt(4.0, 10.0, 5.0)
    assert total == 10.0
    assert scale == pytest.approx(10.0 / (4.0 - 2 * np.log(1 + 0.25 * 5.0 / 10.0)))


@pytest.mark.parametrize("bad", [{"epsilon": 0.0}, {"total": -1.0}, {"radius": np.nan}])
def test_bad_parameters_are_refused(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        unsquared_tilt(**{"epsilon": 1.0, "total": 1.0, "radius": 1.0, **bad})
