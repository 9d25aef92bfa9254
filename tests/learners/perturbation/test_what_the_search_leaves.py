"""The searches behind perturbed minimisers: what they leave is counted, at any strength of the penalty.

The exact minimisers come from a root in one dimension, or from the proof that gradients of length g are at
most g / total away.
"""

import warnings
from itertools import product
from math import sqrt

import numpy as np
import pytest
from scipy.optimize import brentq

from privml.learners import MeanClassifier, ObjectivePerturbation, OutputPerturbation
from privml.learners.perturbation import (
    CutLogisticLoss,
    output_sensitivity,
    tilt_budget,
    tilt_noise,
)
from privml.learners.perturbation.base import gradient_left, minimiser, row_sum

WITNESSES = [(1000, 5e7), (1000, 1e12), (1000, 1e40), (100_000, 1e3), (300, 1e-6)]


def exact_minimiser(rows, loss, total, tilt=0.0):
    """Root of the derivative in one dimension, in units of the force."""

    def force(pull):
        return float(loss.derivative(pull / total * rows) @ rows) + pull + tilt

    most = len(rows) * loss.slope + abs(tilt)
    return brentq(force, -most, most, xtol=1e-300, rtol=1e-15) / total


def neighbours(n):
    """Two data sets of one feature that pull as hard as they can, and differ in one record."""
    X, y = np.ones((n, 1)), np.ones(n, dtype=int)
    y[: n // 3] = 0
    return (X, y), (X, np.r_[1 - y[:1], y[1:]])


class Silent(np.random.Generator):
    """Draws of length 0: a fit without its noise."""

    def __init__(self):
        super().__init__(np.random.PCG64(0))

    def standard_normal(self, size=None):
        return np.ones(size)

    def gamma(self, shape, scale=1.0, size=None):
        return 0.0


@pytest.mark.parametrize(("n", "strength"), WITNESSES)
def test_fits_on_neighbours_are_no_further_apart_than_promised(n, strength):
    one, two = (
        OutputPerturbation(1.0, strength=strength, classes=(0, 1), bounds="unit")
        .fit(X, y, rng=Silent())
        .coef_[0, 0]
        for X, y in neighbours(n)
    )
    promised = output_sensitivity(n, strength)
    assert abs(one - two) <= promised * (1 + 1e-6)
    if strength > 10:  # the bound is nearly met
        assert abs(one - two) > 0.9 * promised


@pytest.mark.parametrize(
    ("n", "strength", "of_the_second"),
    [(1000, 4.995e7, 0), (100_000, 1e3, 49_998), (100_000, 1e3, 49_999)],
)
def test_no_start_is_good_enough_for_one_neighbour_alone(n, strength, of_the_second):
    """Where the first gradient was just at the tolerance: 500 and 2 promised sensitivities apart."""
    X, y = np.ones((n, 1)), (np.arange(n) >= of_the_second).astype(int)
    z = y.copy()
    z[of_the_second] = 0
    options = {"strength": strength, "classes": (0, 1), "bounds": "unit"}
    one, two = (
        OutputPerturbation(1.0, **options).fit(X, labels, rng=Silent()).coef_[0, 0]
        for labels in (y, z)
    )
    promised = output_sensitivity(n, strength)
    assert 0.9 * promised < abs(one - two) <= promised * (1 + 1e-6)


@pytest.mark.parametrize(("n", "strength"), WITNESSES)
@pytest.mark.parametrize("slope", [0.5, 1.0])
def test_the_minimiser_is_exact_compared_with_the_sensitivity(n, strength, slope):
    loss = CutLogisticLoss(slope)
    for X, y in neighbours(n):
        rows = np.where(y, 1.0, -1.0) * X[:, 0]
        found = minimiser(rows[:, None], loss, n * strength)[0]
        off = abs(found - exact_minimiser(rows, loss, n * strength))
        assert off <= 1e-6 * output_sensitivity(n, strength, slope=slope)


@pytest.mark.parametrize(
    ("n", "d", "total"),
    [*product([50, 3000], [1, 7, 60], [1e-5, 1e-2, 1.0, 1e3, 1e8, 1e20])],
)
def test_the_gradient_that_is_left_is_tiny_beside_one_record(n, d, total):
    rng = np.random.default_rng(n + d)
    rows = rng.normal(size=(n, d))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    for slope in (0.1, 0.5, 1.0):
        loss, tilt = CutLogisticLoss(slope), rng.normal(size=d) * 10
        weights = minimiser(rows, loss, total, tilt)
        slopes = loss.derivative(rows @ weights)
        left = slopes @ rows + total * weights + tilt
        promised = gradient_left(n, d, loss, total, np.linalg.norm(tilt))
        assert np.linalg.norm(left) <= promised
        assert promised < (1e-6 if total >= 0.01 else 1e-3) * slope * (1 + d / 10)


def test_a_tilted_minimiser_of_a_strong_penalty_is_exact_too():
    """Its own noise is the tilt over the strength; an early stop would drown in nothing."""
    (X, y), loss = neighbours(1000)[0], CutLogisticLoss()
    rows = np.where(y, 1.0, -1.0) * X[:, 0]
    for total in (1e6, 5e10):
        tilt = -3.0
        found = minimiser(rows[:, None], loss, total, np.array([tilt]))[0]
        assert abs(found - exact_minimiser(rows, loss, total, tilt)) < 1e-6 / total


@pytest.mark.parametrize("kind", [OutputPerturbation, ObjectivePerturbation])
@pytest.mark.parametrize(
    "options",
    [
        {"strength": 1e-300},
        {"strength": 1e300},
        {"strength": 1e308},
        {"slope": 1e-300},
        {"slope": 1e-20},
        {"strength": 5e-324},
        {"norm": 1e300},
        {"norm": 1e-300},
    ],
    ids=str,
)
def test_what_floats_cannot_carry_is_refused_by_public_numbers(kind, options):
    """The same on all records of one size: an answer for all, or one refusal that names a parameter."""
    found = set()
    sets = [
        *neighbours(500),
        (np.zeros((500, 1)), np.ones(500)),
        (np.full((500, 1), np.nan), np.arange(500) % 2),
        (np.linspace(-1, 1, 500)[:, None], np.arange(500) % 2),
    ]
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        for X, y in sets:
            model = kind(1.0, bounds="unit", classes=(0, 1), **options)
            try:
                fit = model.fit(X, y, rng=0)
                assert np.isfinite(fit.coef_).all()
                found.add("fitted")
            except ValueError as refusal:
                found.add(str(refusal))
    assert len(found) == 1
    assert found == {"fitted"} or next(iter(options)) in found.pop()


def test_sums_of_many_rows_do_not_drift():
    """The error of a sum is far below one record, also where each rounding has the same sign."""
    rows = np.full((3_000_001, 1), 0.1)
    exact = 3_000_001 * 0.1
    assert abs(row_sum(np.ones(len(rows)), rows)[0] - exact) < 1e-9
    rng = np.random.default_rng(0)
    rows, factors = rng.normal(size=(1000, 3)), rng.normal(size=1000)
    np.testing.assert_allclose(row_sum(factors, rows), factors @ rows, rtol=1e-12)


def test_the_mean_of_many_records_is_summed_without_drift():
    X, y = np.full((1_000_001, 1), 0.1), np.arange(1_000_001) % 2
    y[-1] = 1
    fit = MeanClassifier(1.0, bounds="unit", classes=(0, 1)).fit(
        X, np.ones_like(y), rng=Silent()
    )
    assert abs(fit.coef_[0, 0] - 0.1) < 1e-9 * 2 / len(X)


def test_the_share_for_what_the_search_leaves_is_small():
    """The tilt keeps nearly all of epsilon, and the noise on the weights is small beside it."""
    rng = np.random.default_rng(3)
    X = rng.uniform(-1, 1, size=(2000, 5)) / sqrt(5)
    y = (X[:, 0] > 0).astype(int)
    for delta in (0.0, 1e-6):
        fit = ObjectivePerturbation(1.0, delta, bounds="unit", classes=(0, 1))
        fit.fit(X, y, rng=4)
        rows, loss = np.where(y, 1.0, -1.0)[:, None] * X, CutLogisticLoss()
        total = fit.strength_ * len(X)
        tilt = -loss.derivative(rows @ fit.coef_[0]) @ rows - total * fit.coef_[0]
        law = tilt_noise(5, tilt_budget(1.0, total).epsilon, delta)
        assert np.linalg.norm(tilt - law.rvs(rng=4)) < 1e-3 * sqrt(law.mean_square)
