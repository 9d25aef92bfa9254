"""Exact curves of Laplace and integer noise: brute force, another library, all directions."""

import itertools
import math
import time
from fractions import Fraction

import numpy as np
import pytest

from privml.distributions import DiscreteGaussian, DiscreteLaplace, Laplace
from privml.divergences import (
    discrete_gaussian_log_delta,
    discrete_laplace_delta,
    gaussian_log_delta,
    hockey_stick,
    integers,
    laplace_delta,
    worst_discrete_gaussian_log_delta,
)
from privml.divergences.integers import maximal_shifts

EPSILONS = [0.0, 0.1, 0.7, 1.0, 2.0, 4.0]


def brute_force(law, shift, epsilon, reach):
    """Hockey-stick divergence of the whole product law, over a box of integers."""
    grid = np.arange(-reach, reach + 1)
    log_p, log_q = np.zeros(1), np.zeros(1)
    for s in shift:
        log_p = np.add.outer(log_p, law.logpmf(grid)).ravel()
        log_q = np.add.outer(log_q, law.logpmf(grid + s)).ravel()
    return float(hockey_stick(log_p, log_q, epsilon, logs=True))


@pytest.mark.source("LZCW21-lem-42")
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize(("shift", "scale"), [(1.0, 1.0), (2.5, 0.8), (1.0, 10.0)])
def test_the_laplace_curve_is_the_integral_of_the_excess(epsilon, shift, scale):
    """By quadrature between the kinks of the two densities."""
    p, q = Laplace(0.0, scale=scale), Laplace(shift, scale=scale)
    crossing = min(max((shift - epsilon * scale) / 2, 0.0), shift)
    cuts = [-60 * scale, 0.0, crossing, shift, shift + 60 * scale]
    nodes, weights = np.polynomial.legendre.leggauss(200)
    total = 0.0
    for low, high in itertools.pairwise(cuts):
        x = (low + high) / 2 + (high - low) / 2 * nodes
        excess = np.maximum(np.exp(p.logpdf(x)) - np.exp(epsilon + q.logpdf(x)), 0.0)
        total += (high - low) / 2 * weights @ excess
    assert laplace_delta(epsilon, shift=shift, scale=scale) == pytest.approx(
        total, abs=1e-9
    )


def test_the_laplace_curve_vanishes_from_its_epsilon_on():
    curve = laplace_delta(np.array([0.0, 0.5, 1.0, 7.0]), shift=1.0, scale=1.0)
    assert curve.tolist() == [
        pytest.approx(1 - math.exp(-0.5)),
        pytest.approx(1 - math.exp(-0.25)),
        0.0,
        0.0,
    ]
    assert laplace_delta(1 - 1e-12, shift=1.0, scale=1.0) == pytest.approx(
        5e-13, rel=1e-3
    )


@pytest.mark.parametrize("shift", [1, 2, 3, 8])
@pytest.mark.parametrize("scale", [Fraction(1, 3), 1, 2.5])
def test_the_discrete_laplace_curve_is_the_sum_of_the_excess(shift, scale):
    law = DiscreteLaplace(0, scale=scale)
    found = discrete_laplace_delta(np.array(EPSILONS), shift=shift, scale=scale)
    expected = [brute_force(law, (shift,), epsilon, 200) for epsilon in EPSILONS]
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-15)
    assert discrete_laplace_delta(
        shift / float(scale), shift=shift, scale=scale
    ) == pytest.approx(0.0, abs=1e-15)
    assert (
        discrete_laplace_delta(0.98 * shift / float(scale), shift=shift, scale=scale)
        > 0
    )


@pytest.mark.source("LZCW21-lem-42")
@pytest.mark.parametrize("shift", [(1, 1), (2, 1), (3, -2), (1, 1, 1)])
def test_for_laplace_noise_a_vector_is_never_worse_than_the_sum_of_its_changes(shift):
    law = DiscreteLaplace(0, scale=Fraction(3, 2))
    for epsilon in EPSILONS:
        whole = discrete_laplace_delta(
            epsilon, shift=sum(map(abs, shift)), scale=law.scale
        )
        assert brute_force(law, shift, epsilon, 40) <= whole + 1e-12


@pytest.mark.parametrize(
    "shift", [(1,), (3,), (1, 1), (2, -1), (1, 1, 1), (0, 2), (3, 2)]
)
@pytest.mark.parametrize("variance", [Fraction(1, 4), 1, 4.5])
def test_the_discrete_gaussian_curve_is_the_sum_of_the_excess(shift, variance):
    law = DiscreteGaussian(0, variance=variance)
    reach = int(9 * math.sqrt(variance)) + 8
    for epsilon in EPSILONS:
        found = math.exp(discrete_gaussian_log_delta(epsilon, shift, variance))
        assert found == pytest.approx(
            brute_force(law, shift, epsilon, reach), rel=1e-9, abs=1e-14
        )


@pytest.mark.parametrize(
    ("epsilon", "shift", "variance"), [(60.0, 1, 1), (30.0, 3, 2), (9.0, 1, 10)]
)
def test_tiny_deltas_keep_their_digits(epsilon, shift, variance):
    """Against 60-digit arithmetic; the first has delta = e^-1746."""
    import mpmath

    with mpmath.workdps(60):
        weights = {
            k: mpmath.exp(-mpmath.mpf(k * k) / (2 * variance)) for k in range(-500, 501)
        }
        total = sum(weights[k] for k in range(-400, 401))
        excess = (
            weights[k] - mpmath.exp(epsilon) * weights[k + shift]
            for k in range(-400, 401)
        )
        truth = mpmath.log(sum(x for x in excess if x > 0) / total)
    assert discrete_gaussian_log_delta(epsilon, shift, variance) == pytest.approx(
        float(truth), rel=1e-13
    )


@pytest.mark.parametrize(("epsilon", "variance"), [(20.0, 1), (60.0, 2), (3.0, 30)])
def test_tiny_deltas_of_vectors_keep_their_digits(epsilon, variance):
    """The same for a shift of (2, 1), whose loss is (5 + 4 y + 2 z) / (2 v); the second delta is e^-1372."""
    import mpmath

    with mpmath.workdps(60):
        reach = range(-160, 161)
        weight = {k: mpmath.exp(-mpmath.mpf(k * k) / (2 * variance)) for k in reach}
        total = sum(weight.values()) ** 2
        excess = mpmath.mpf(0)
        for t in range(-3 * 160, 3 * 160 + 1):
            loss = mpmath.mpf(5 + 2 * t) / (2 * variance)
            if loss > epsilon:
                probability = sum(
                    weight[y] * weight[t - 2 * y]
                    for y in reach
                    if abs(t - 2 * y) <= 160
                )
                excess += probability * (1 - mpmath.exp(epsilon - loss))
        truth = float(mpmath.log(excess / total))
    assert discrete_gaussian_log_delta(epsilon, (2, 1), variance) == pytest.approx(
        truth, rel=1e-12
    )


@pytest.mark.parametrize("sigma", [50, 400])
@pytest.mark.parametrize("shift", [1, (1, 1), (2, 1)])
def test_for_wide_noise_the_curve_is_that_of_gaussian_noise(sigma, shift):
    mu = math.hypot(*np.atleast_1d(shift)) / sigma
    for epsilon in (0.5 * mu, 2 * mu, 6 * mu):
        found = discrete_gaussian_log_delta(epsilon, shift, sigma**2)
        assert found == pytest.approx(gaussian_log_delta(epsilon, mu=mu), abs=0.02)


def test_the_other_library_agrees():
    from dp_accounting.pld import privacy_loss_distribution as pld

    discrete = pld.from_discrete_gaussian_mechanism(
        2.0, sensitivity=3, value_discretization_interval=1e-4
    )
    laplace = pld.from_discrete_laplace_mechanism(
        0.5, sensitivity=3, value_discretization_interval=1e-4
    )
    real = pld.from_laplace_mechanism(
        2.0, sensitivity=3, value_discretization_interval=1e-4
    )
    for epsilon in (0.0, 0.3, 1.1):
        found = math.exp(discrete_gaussian_log_delta(epsilon, 3, 4))
        assert discrete.get_delta_for_epsilon(epsilon) == pytest.approx(found, rel=2e-3)
        found = discrete_laplace_delta(epsilon, shift=3, scale=2)
        assert laplace.get_delta_for_epsilon(epsilon) == pytest.approx(found, rel=2e-3)
        found = laplace_delta(epsilon, shift=3.0, scale=2.0)
        assert real.get_delta_for_epsilon(epsilon) == pytest.approx(found, rel=2e-3)


@pytest.mark.parametrize("n_coordinates", [1, 2, 3])
@pytest.mark.parametrize("squared", [1, 2, 5, 9])
def test_the_worst_direction_is_found_among_all_integer_vectors(squared, n_coordinates):
    shifts = itertools.product(range(math.isqrt(squared) + 1), repeat=n_coordinates)
    everything = [shift for shift in shifts if 0 < sum(s * s for s in shift) <= squared]
    for epsilon, variance in ((0.3, 2), (2.0, 1), (1.0, Fraction(1, 2))):
        worst = max(
            discrete_gaussian_log_delta(epsilon, shift, variance)
            for shift in everything
        )
        found = worst_discrete_gaussian_log_delta(
            epsilon, squared, variance, n_coordinates=n_coordinates
        )
        assert found == pytest.approx(worst, abs=1e-12)


@pytest.mark.parametrize("squared", [1, 4, 7, 12])
def test_maximal_shifts_have_no_room_and_every_vector_lies_below_one(squared):
    padded = [(*shift, *[0] * (4 - len(shift))) for shift in maximal_shifts(squared, 4)]
    assert len(set(padded)) == len(padded)
    for vector in itertools.product(range(math.isqrt(squared) + 1), repeat=4):
        length = sum(s * s for s in vector)
        if length <= squared:
            ordered = sorted(vector, reverse=True)
            assert any(
                all(a <= b for a, b in zip(ordered, top, strict=True)) for top in padded
            )
            assert any(length + 2 * s + 1 <= squared for s in vector) == (
                tuple(ordered) not in padded
            )


def test_bad_parameters_are_refused():
    for bad in (-1.0, math.nan, math.inf):
        for curve in (
            lambda e: laplace_delta(e, shift=1.0, scale=1.0),
            lambda e: discrete_laplace_delta(e, shift=1, scale=1),
        ):
            with pytest.raises(
                ValueError, match="epsilon must be non-negative and finite"
            ):
                curve(bad)
        with pytest.raises(ValueError, match="epsilon must be non-negative and finite"):
            discrete_gaussian_log_delta(bad, 1, 1)
    with pytest.raises(ValueError, match="shift must not be zero"):
        discrete_gaussian_log_delta(1.0, (0, 0), 1)
    with pytest.raises(ValueError, match="shift must be an integer"):
        discrete_gaussian_log_delta(1.0, 0.5, 1)
    with pytest.raises(ValueError, match="shift must be a positive integer"):
        discrete_laplace_delta(1.0, shift=1.0, scale=1)
    with pytest.raises(ValueError, match="at most 4194304 terms"):
        discrete_gaussian_log_delta(1e-9, 1, 2.0**60)
    with pytest.raises(ValueError, match="at most 1000 shifts"):
        maximal_shifts(200, 200)


@pytest.mark.parametrize("epsilon", [0.0, 1e-3, 0.5, 1.0, 10.0])
@pytest.mark.parametrize(
    ("variance", "shift"), [(1e9, 30_000), (1e8, 20_000), (3e10, 200_000)]
)
def test_tails_and_the_sum_of_positive_terms_agree(
    monkeypatch, epsilon, variance, shift
):
    by_tails = discrete_gaussian_log_delta(epsilon, shift, variance)
    monkeypatch.setattr(integers, "MANY_TERMS", math.inf)
    monkeypatch.setattr(integers, "MOST_TERMS", math.inf)
    by_terms = discrete_gaussian_log_delta(epsilon, shift, variance)
    assert by_terms - 1e-13 * abs(by_terms) <= by_tails <= by_terms + 1e-9


def test_wide_noise_takes_no_longer_than_narrow_noise():
    """Sensitivity 10^6: 33 million terms before; and 10^6 candidates for the largest shift of a number."""
    start = time.perf_counter()
    wide = discrete_gaussian_log_delta(1.0, 10**6, 1.4e13)
    assert wide == pytest.approx(
        gaussian_log_delta(1.0, mu=10**6 / math.sqrt(1.4e13)), rel=1e-6
    )
    assert maximal_shifts(10**12, 1) == [(10**6,)]
    assert time.perf_counter() - start < 0.5


@pytest.mark.parametrize("squared", range(1, 24))
@pytest.mark.parametrize("n_coordinates", [1, 2, 3, 4])
def test_maximal_shifts_are_all_and_only_those_without_room(squared, n_coordinates):
    candidates = itertools.combinations_with_replacement(
        range(math.isqrt(squared), -1, -1), n_coordinates
    )
    left = {shift: squared - sum(s * s for s in shift) for shift in candidates}
    full = {
        shift
        for shift, room in left.items()
        if room >= 0 and all(2 * s + 1 > room for s in shift)
    }
    assert sorted(maximal_shifts(squared, n_coordinates)) == sorted(
        tuple(filter(None, s)) for s in full
    )


@pytest.mark.parametrize("epsilon", [0.0, 0.3, 2.0, 9.0])
@pytest.mark.parametrize(
    ("shift", "scale"), [(1, 1), (7, 3), (40, Fraction(9, 2)), (1001, 130)]
)
def test_the_discrete_laplace_curve_by_tails_is_the_sum(
    monkeypatch, epsilon, shift, scale
):
    by_terms = discrete_laplace_delta(epsilon, shift=shift, scale=scale)
    monkeypatch.setattr("privml.divergences.integers.MANY_LOSSES", 0)
    assert discrete_laplace_delta(epsilon, shift=shift, scale=scale) == pytest.approx(
        by_terms, rel=1e-10, abs=1e-15
    )
