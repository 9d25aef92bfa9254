"""The searches behind perturbed minimisers: what they leave is counted, at any strength of the penalty.

The exact minimisers come from a root in one dimension, or from the proof that gradients of length g are at
most g / total away.
"""

import warnings
from decimal import Decimal, localcontext
from itertools import product
from math import sqrt

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import brentq

from privml.learners import MeanClassifier, ObjectivePerturbation, OutputPerturbation
from privml.learners.perturbation import (
    CutLogisticLoss,
    minimisers,
    output_sensitivity,
    tilt_budget,
    tilt_noise,
)
from privml.learners.perturbation.base import (
    IsotropicGaussian,
    RadialLaplace,
    gradient_left,
    least_total,
    minimiser,
    row_sum,
)

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


@pytest.fixture
def spent(monkeypatch):
    """What fits ask of the noise: sensitivity or slope, epsilon and delta of each law, and the draws."""
    asked = []

    def recorded(name, make):
        def law(dimension, *args, **named):
            found = make(dimension, *args, **named)
            draws = []
            asked.append((name, args, named, found, draws))

            class Law:
                mean_square, reach = found.mean_square, found.reach

                def rvs(self, *, rng=None):
                    draws.append(found.rvs(rng=rng))
                    return draws[-1]

            return Law()

        return law

    for name in ("tilt_noise", "vector_noise"):
        monkeypatch.setattr(minimisers, name, recorded(name, getattr(minimisers, name)))
    return asked


def drawn(asked, name):
    return [each for each in asked if each[0] == name and each[4]]


@pytest.mark.parametrize("delta", [0.0, 1e-6])
@pytest.mark.parametrize("strength", [1e-3, 1e3])
def test_output_perturbation_counts_what_both_searches_leave(spent, delta, strength):
    n, loss = 500, CutLogisticLoss()
    OutputPerturbation(
        1.0, delta, strength=strength, bounds="unit", classes=(0, 1)
    ).fit(*neighbours(n)[0], rng=0)
    [(_, (sensitivity, epsilon, slack), *_)] = drawn(spent, "vector_noise")
    assert (epsilon, slack) == (1.0, delta)
    left = gradient_left(n, 1, loss, n * strength)
    promised = output_sensitivity(n, strength)
    moved = 2 * left / (n * strength)
    assert moved > 1e-11 * promised  # more than rounding
    assert sensitivity - promised == pytest.approx(moved, rel=1e-3)


@pytest.mark.parametrize("delta", [0.0, 1e-6])
@pytest.mark.parametrize("epsilon", [1e-4, 1.0, 30.0])
def test_the_parts_of_objective_perturbation_spend_epsilon_and_delta_once(
    spent, epsilon, delta
):
    """The determinant, the tilt and the noise for what the search leaves, which is on the weights."""
    n, d, loss = 400, 3, CutLogisticLoss()
    rows = np.random.default_rng(0).uniform(-0.5, 0.5, size=(n, d))
    labels = rows[:, 0] > 0
    learner = ObjectivePerturbation(
        epsilon, delta, strength=0.01, bounds="unit", classes=(False, True)
    ).fit(rows, labels, rng=0)
    [(_, (kept, tilt_delta), _, law, [tilt])] = drawn(spent, "tilt_noise")
    *_, noise = drawn(spent, "vector_noise")  # the first is that of the tilt
    _, (sensitivity, rest_epsilon, rest_delta), _, _, [rest] = noise
    total = learner.strength_ * n
    determinant = epsilon - tilt_budget(epsilon, 0.01 * n, loss.smoothness).epsilon
    assert determinant + kept + rest_epsilon == pytest.approx(epsilon, rel=1e-12)
    assert tilt_delta + rest_delta == pytest.approx(delta, rel=1e-12)
    assert 0 < rest_epsilon < 1e-3 * epsilon
    reach = learner._reach(d)
    assert law.reach <= reach
    left = gradient_left(n, d, loss, total, reach)
    assert sensitivity == pytest.approx(2 * left / total, rel=1e-12)
    signed = rows * np.where(labels, 1.0, -1.0)[:, None]
    found = minimiser(signed, loss, total, tilt, left=left)
    np.testing.assert_allclose(learner.coef_[0] - found, rest, rtol=1e-6, atol=1e-15)
    assert np.linalg.norm(rest) > 10 * np.spacing(np.linalg.norm(found))


def test_a_strength_too_small_for_floats_is_raised_where_epsilon_is_large():
    """Half of epsilon asks for next to no penalty; rounding asks for some."""
    X, y = neighbours(100)[0]
    learner = ObjectivePerturbation(
        1e3, strength=1e-45, bounds="unit", classes=(0, 1)
    ).fit(X, y, rng=0)
    least = least_total(100, 1, CutLogisticLoss(), learner._reach(1)) / 100
    assert learner.strength_ == pytest.approx(least, rel=1e-9)
    assert least > 1e-20


def test_a_tilt_whose_rounding_would_hide_a_record_is_refused():
    X, y = neighbours(100)[0]
    with pytest.raises(ValueError, match="epsilon must be larger for this learner"):
        ObjectivePerturbation(1e-11, bounds="unit", classes=(0, 1)).fit(X, y, rng=0)
    ObjectivePerturbation(1e-6, bounds="unit", classes=(0, 1)).fit(X, y, rng=0)


def test_what_is_left_is_never_less_than_the_tolerance_or_the_rounding_of_sums():
    for n, slope in product([1, 1000, 10**7], [0.1, 1.0]):
        left = gradient_left(n, 1, CutLogisticLoss(slope), 1e9)
        assert left >= 1e-10 * slope
        assert left >= 5 * 2.0**-53 * n * (2 * 128 + 64) * slope  # as of row_sum


def test_rounding_of_margins_is_counted():
    """Long weights, on which margins of size 1 are differences of millions: against fifty digits."""
    n, d, total, loss = 40, 6, 1e-16, CutLogisticLoss(1.0)
    rng = np.random.default_rng(3)
    length = sqrt(2 * n * np.log(2) / total)
    weights = rng.normal(size=d)
    weights *= length / np.linalg.norm(weights)
    rows = rng.normal(size=(n, d))
    rows -= np.outer(rows @ weights, weights) / (weights @ weights)
    rows /= 2 * np.linalg.norm(rows, axis=1, keepdims=True)
    computed = row_sum(loss.derivative(rows @ weights), rows) + total * weights
    with localcontext() as context:
        context.prec = 50
        w = [Decimal(float(value)) for value in weights]
        exact = [Decimal(total) * value for value in w]
        for row in rows.tolist():
            row = [Decimal(value) for value in row]
            margin = sum(a * b for a, b in zip(row, w, strict=True))
            slope = -1 / (1 + margin.exp())
            exact = [e + slope * a for e, a in zip(exact, row, strict=True)]
    off = np.linalg.norm(computed - np.array([float(value) for value in exact]))
    assert off > 1e-9  # as much as the tolerance and sums explain, many times
    assert off <= gradient_left(n, d, loss, total) / 5


@pytest.mark.parametrize("d", [1, 3, 50, 1000])
def test_a_draw_exceeds_its_reach_with_probability_below_1e_43(d):
    assert stats.gamma(d).logsf(RadialLaplace(d, 2.0).reach / 2) < -43 * np.log(10)
    assert stats.chi(d).logsf(IsotropicGaussian(d, 3.0).reach / 3) < -43 * np.log(10)
