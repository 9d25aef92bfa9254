"""Mechanisms on the integers: laws against claims, calibration, exact parameters, bad input."""

import math
import re
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from privml.adjacency import Adjacency
from privml.distributions import DiscreteGaussian, DiscreteLaplace, Laplace
from privml.divergences import discrete_gaussian_log_delta, hockey_stick
from privml.mechanisms import (
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    ExponentialDensity,
)
from privml.queries import sensitivity_of

REACH = np.arange(-1500, 1501)


@pytest.mark.source("LZCW21-lem-42")
@pytest.mark.parametrize("epsilon", [0.1, 1, Fraction(7, 3)])
@pytest.mark.parametrize("sensitivity", [1, 3])
def test_discrete_laplace_spends_all_of_epsilon_and_no_more(epsilon, sensitivity):
    mechanism = DiscreteLaplaceMechanism(epsilon=epsilon, sensitivity=sensitivity)
    p, q = (
        mechanism.output_distribution(value).logpmf(REACH) for value in (0, sensitivity)
    )
    assert (p - q).max() == pytest.approx(float(epsilon), rel=1e-12)
    loss = float(hockey_stick(p, q, 0.9 * float(epsilon), logs=True))
    assert mechanism.privacy_curve(0.9 * float(epsilon)) == pytest.approx(
        loss, rel=1e-9
    )
    assert mechanism.scale == Fraction(sensitivity) / Fraction(epsilon)
    assert mechanism.guarantee.epsilon >= epsilon


def test_the_help_of_discrete_laplace_has_the_standard_deviation_of_its_law():
    text = " ".join(DiscreteLaplaceMechanism.__doc__.split())
    said = re.search(r"standard deviation is ``sqrt\((.*?)\) / \((.*?)\)``", text)
    for epsilon, sensitivity in (0.1, 1), (3.0, 2):
        mechanism = DiscreteLaplaceMechanism(epsilon=epsilon, sensitivity=sensitivity)
        k, r = np.arange(-2000, 2001), math.exp(-epsilon / sensitivity)
        variance = (k**2 * np.exp(mechanism.output_distribution(0).logpmf(k))).sum()
        top, below = (
            eval(part.replace("2 r", "2 * r"), {"r": r}) for part in said.groups()
        )
        assert math.sqrt(top) / below == pytest.approx(math.sqrt(variance), rel=1e-9)


def test_a_promised_float_is_never_below_the_fraction():
    third = DiscreteLaplaceMechanism(
        epsilon=Fraction(1, 3), sensitivity=1
    ).guarantee.epsilon
    tenth = DiscreteLaplaceMechanism(
        epsilon=Fraction(1, 10), sensitivity=1
    ).guarantee.epsilon
    assert Fraction(third) > Fraction(1, 3) > Fraction(math.nextafter(third, 0))
    assert Fraction(tenth) >= Fraction(1, 10) > Fraction(math.nextafter(tenth, 0))


@pytest.mark.parametrize("delta", [0.3, 1e-5, 1e-30])
@pytest.mark.parametrize(
    ("epsilon", "sensitivity"), [(0.1, 1), (1.0, 1), (1.0, 4), (10.0, 1), (100.0, 2)]
)
def test_a_calibrated_variance_keeps_delta_and_a_little_less_does_not(
    epsilon, delta, sensitivity
):
    variance = DiscreteGaussianMechanism(
        epsilon=epsilon, delta=delta, sensitivity=sensitivity
    ).variance
    assert discrete_gaussian_log_delta(epsilon, sensitivity, variance) <= math.log(
        delta
    )
    less = discrete_gaussian_log_delta(
        epsilon, sensitivity, variance * (1 - Fraction(1, 10**5))
    )
    assert less > math.log(delta)


@pytest.mark.parametrize("delta", [0.1, 1e-6, 1e-30])
@pytest.mark.parametrize("variance", [Fraction(1, 3), 4, 1000])
def test_the_least_epsilon_of_a_variance(variance, delta):
    mechanism = DiscreteGaussianMechanism.with_variance(
        variance=variance, delta=delta, sensitivity=1
    )
    epsilon = mechanism.epsilon
    assert discrete_gaussian_log_delta(epsilon, 1, variance) <= math.log(delta)
    if epsilon > 0:
        assert discrete_gaussian_log_delta(
            epsilon * (1 - 1e-9), 1, variance
        ) > math.log(delta)
    mechanism = DiscreteGaussianMechanism.with_variance(
        variance=variance, delta=delta, sensitivity=1
    )
    assert mechanism.epsilon == epsilon
    assert mechanism.concentrated.rho == pytest.approx(1 / (2 * float(variance)))


@pytest.mark.parametrize("variance", [Fraction(1, 2), 2, 30])
@pytest.mark.parametrize("order", [1.5, 2.0, 8.0, 40.0])
def test_discrete_gaussian_noise_is_concentrated(variance, order):
    """Renyi divergence of the exact laws: at most rho order, and all of it at integer order times shift."""
    mechanism = DiscreteGaussianMechanism.with_variance(
        variance=variance, delta=1e-3, sensitivity=2
    )
    p, q = (mechanism.output_distribution(value).logpmf(REACH) for value in (0, 2))
    renyi = np.logaddexp.reduce(order * p - (order - 1) * q) / (order - 1)
    assert renyi <= mechanism.concentrated.rho * order * (1 + 1e-12)
    if (2 * order).is_integer():
        assert renyi == pytest.approx(mechanism.concentrated.rho * order, rel=1e-9)


@pytest.mark.source("LZCW21-def-43")
def test_a_histogram_is_charged_for_its_worst_direction():
    def cells(z):
        return np.bincount(z, minlength=3)

    sensitivity = sensitivity_of(cells, np.arange(3), 4, order=2)
    mechanism = DiscreteGaussianMechanism(
        epsilon=1.0, delta=0.01, sensitivity=sensitivity, n_coordinates=3
    )
    p, q = (mechanism.output_distribution(value) for value in ([2, 1, 0], [1, 1, 1]))
    grid = np.stack(np.meshgrid(*[np.arange(-20, 23)] * 3), axis=-1).reshape(-1, 3)
    found = float(hockey_stick(p.logpmf(grid), q.logpmf(grid), 1.0, logs=True))
    assert found <= 0.01
    assert found == pytest.approx(mechanism.privacy_curve(1.0), rel=1e-6)
    assert mechanism.release([2, 1, 0], rng=0).shape == (3,)
    assert mechanism.privacy_curve([0.5, 1.0]).shape == (2,)


def test_a_false_claim_cannot_be_made():
    with pytest.raises(
        ValueError,
        match="variance must be larger for this epsilon and delta, but got 13.0",
    ):
        DiscreteGaussianMechanism(epsilon=1.0, delta=1e-5, sensitivity=1, variance=13)
    DiscreteGaussianMechanism(epsilon=1.0, delta=1e-5, sensitivity=1, variance=14)


@pytest.mark.parametrize(
    ("epsilon", "delta", "sensitivity"), [(0.5, 1e-9, 1), (2.0, 0.1, 3), (8.0, 1e-4, 2)]
)
def test_a_variance_below_the_exact_curve_is_refused(epsilon, delta, sensitivity):
    """The curve in 60 digits, summed over the outcomes where the first law is e^epsilon times the second."""
    claim = {"epsilon": epsilon, "delta": delta, "sensitivity": sensitivity}

    def exact(variance):
        with mpmath.workdps(60):
            v = mpmath.mpf(variance.numerator) / variance.denominator
            weights = {k: mpmath.exp(-(k**2) / (2 * v)) for k in range(-250, 251)}

            def law(k):
                return weights[k] if abs(k) <= 250 else mpmath.mpf(0)

            gaps = (
                law(k) - mpmath.exp(epsilon) * law(k + sensitivity) for k in weights
            )
            return mpmath.fsum(gap for gap in gaps if gap > 0) / mpmath.fsum(
                weights.values()
            )

    low, high = (
        DiscreteGaussianMechanism(**claim).variance * Fraction(f, 1000)
        for f in (999, 1001)
    )
    assert exact(low) > delta > exact(high)
    for _ in range(34):
        low, high = (
            ((low + high) / 2, high)
            if exact((low + high) / 2) > delta
            else (low, (low + high) / 2)
        )
    DiscreteGaussianMechanism(**claim, variance=high * (1 + Fraction(1, 10**9)))
    with pytest.raises(
        ValueError, match="variance must be larger for this epsilon and delta"
    ):
        DiscreteGaussianMechanism(**claim, variance=low * (1 - Fraction(1, 10**9)))


def test_an_irrational_sensitivity_counts_as_the_integer_sum_of_squares_that_it_is():
    for squared in (2, 3, 5, 7, 50):
        options = {"sensitivity": math.sqrt(squared), "n_coordinates": 2}
        mechanism = DiscreteGaussianMechanism.with_variance(
            variance=400, delta=1e-3, **options
        )
        assert mechanism.concentrated.rho == pytest.approx(squared / 800, rel=1e-12)


@pytest.mark.parametrize(
    "mechanism",
    [
        DiscreteLaplaceMechanism(epsilon=0.5, sensitivity=1),
        DiscreteGaussianMechanism(epsilon=0.5, delta=1e-3, sensitivity=1),
    ],
    ids=["laplace", "gaussian"],
)
def test_releases_are_integers_and_only_integers_are_taken(mechanism):
    assert type(mechanism.release(10**15, rng=0)) is int
    assert mechanism.release(np.int32(3), rng=0) == mechanism.release(3, rng=0)
    assert mechanism.release([3], rng=0).dtype == np.int64
    for bad in (1.0, 0.5, True, None, "1", [], [[1]], [1.5], 2**63):
        with pytest.raises(ValueError, match="value must be"):
            mechanism.output_distribution(bad)


def test_the_number_of_coordinates_is_part_of_the_claim():
    mechanism = DiscreteGaussianMechanism(
        epsilon=1.0, delta=1e-3, sensitivity=2, n_coordinates=2
    )
    with pytest.raises(
        ValueError,
        match="value must have n_coordinates=2, but got 3. .*n_coordinates=3",
    ):
        mechanism.output_distribution([1, 2, 3])
    with pytest.raises(ValueError, match="value must have n_coordinates=2, but got 1"):
        mechanism.output_distribution(1)


@pytest.mark.parametrize("bad", [0, -1.0, math.nan, math.inf, None, "1", True])
def test_bad_parameters_are_refused(bad):
    with pytest.raises(ValueError, match="epsilon must be positive and finite"):
        DiscreteLaplaceMechanism(epsilon=bad, sensitivity=1)
    for wrong in (bad, 1.5):
        with pytest.raises(ValueError, match="sensitivity must be a positive integer"):
            DiscreteLaplaceMechanism(epsilon=1.0, sensitivity=wrong)
    claim = {"epsilon": 1.0, "delta": 1e-5, "sensitivity": 1}
    rules = {
        "delta": "in the open",
        "sensitivity": "positive",
        "n_coordinates": "a positive",
    }
    for name, rule in rules.items():
        with pytest.raises(ValueError, match=f"{name} must be {rule}"):
            DiscreteGaussianMechanism(**{**claim, name: bad})
    if bad is not None:
        with pytest.raises(ValueError, match="variance must be positive and finite"):
            DiscreteGaussianMechanism(**claim, variance=bad)


def test_claims_out_of_reach_are_refused():
    with pytest.raises(ValueError, match="epsilon must be at least 3.55"):
        DiscreteLaplaceMechanism(epsilon=2.0**-49, sensitivity=1)
    with pytest.raises(
        ValueError, match="sensitivity must be from 1 to 1e100 for integers"
    ):
        DiscreteGaussianMechanism(epsilon=1.0, delta=1e-5, sensitivity=0.9)
    with pytest.raises(ValueError, match="adjacency must be 'replace-one' or"):
        DiscreteGaussianMechanism(
            epsilon=1.0, delta=1e-5, sensitivity=1, adjacency="replace one"
        )
    mechanism = DiscreteLaplaceMechanism(
        epsilon=1, sensitivity=1, adjacency=Adjacency.ADD_OR_REMOVE_ONE
    )
    assert str(mechanism.guarantee) == "1-differential privacy (add-or-remove-one)"


@pytest.mark.parametrize("adjacency", Adjacency)
def test_the_mechanism_of_a_variance_keeps_the_relation_it_is_given(adjacency):
    options = {"variance": 9, "delta": 1e-5, "sensitivity": 1, "adjacency": adjacency}
    mechanism = DiscreteGaussianMechanism.with_variance(**options)
    assert (
        mechanism.guarantee.adjacency == mechanism.concentrated.adjacency == adjacency
    )


@pytest.mark.source("S16-rem-normaliser")
@pytest.mark.parametrize("epsilon", [0.01, 0.5, 3.0])
@pytest.mark.parametrize("centre", [-2.0, 0.0, 100.0])
def test_minus_the_distance_gives_laplace_noise(epsilon, centre):
    def score(y):
        return -abs(y - centre)

    law = ExponentialDensity(
        score, epsilon=epsilon, sensitivity=1.5, breakpoints=[centre]
    )
    scale = 2 * 1.5 / epsilon
    points = centre + np.array([-3.0, 0.0, 0.1, 10.0])
    expected = -np.abs(points - centre) / scale - math.log(2 * scale)
    assert law.logpdf(points) == pytest.approx(expected, rel=1e-9)


@pytest.mark.source("S16-rem-normaliser")
def test_a_truncated_and_a_constant_score_have_their_closed_forms():
    law = ExponentialDensity(
        lambda y: 0.0, epsilon=1.0, sensitivity=1.0, lower=2.0, upper=5.0
    )
    assert law.log_normaliser == pytest.approx(math.log(3.0))
    inside = pytest.approx(-math.log(3.0))
    assert law.logpdf([1.9, 2.0, 5.0, 5.1]).tolist() == [
        -math.inf,
        inside,
        inside,
        -math.inf,
    ]
    slope = ExponentialDensity(
        lambda y: y, epsilon=2.0, sensitivity=1.0, lower=0.0, upper=1.0
    )
    assert slope.log_normaliser == pytest.approx(math.log(math.e - 1))


def test_a_law_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="integral of exp"):
        ExponentialDensity(
            lambda y: 0.0, epsilon=1.0, sensitivity=1.0, breakpoints=[0.0]
        )


def test_bad_ends_and_scores_are_refused():
    with pytest.raises(ValueError, match="lower must be a number less than upper"):
        ExponentialDensity(
            lambda y: 0.0, epsilon=1.0, sensitivity=1.0, lower=1.0, upper=1.0
        )
    with pytest.raises(ValueError, match="breakpoints must contain a finite point"):
        ExponentialDensity(lambda y: -abs(y), epsilon=1.0, sensitivity=1.0)
    for name in ("epsilon", "sensitivity"):
        with pytest.raises(ValueError, match=f"{name} must be positive"):
            ExponentialDensity(
                lambda y: 0.0, **{"epsilon": 1.0, "sensitivity": 1.0, name: math.nan}
            )


def test_a_peak_far_above_every_breakpoint_raises_and_warns_of_nothing():
    def peak(y):
        return -1000 * (y - 3) ** 2

    with pytest.raises(
        ValueError, match="breakpoints must contain the place of the largest score"
    ):
        ExponentialDensity(peak, epsilon=1.0, sensitivity=1.0, lower=0.0, upper=10.0)
    law = ExponentialDensity(
        peak, epsilon=1.0, sensitivity=1.0, lower=0.0, upper=10.0, breakpoints=[3.0]
    )
    assert law.log_normaliser == pytest.approx(0.5 * np.log(np.pi / 500))


LARGE = [2**62 + 1, 2**63 - 1, -(2**63), -(2**62) - 1]


@pytest.mark.parametrize("large", LARGE)
def test_noise_on_large_integers_does_not_wrap_around(large):
    for value in (large, np.array([0, large]), np.array([large])):
        for form in (
            DiscreteLaplaceMechanism(epsilon=1, sensitivity=1),
            DiscreteGaussianMechanism.with_variance(
                variance=4, delta=1e-5, sensitivity=1
            ),
        ):
            with pytest.raises(ValueError, match="at most 2\\^62 in size"):
                form.release(value, rng=0)
        for law in (DiscreteLaplace, DiscreteGaussian):
            with pytest.raises(ValueError, match=r"location must be at most 2\^62"):
                law(value)


@pytest.mark.parametrize("middle", [2**62, -(2**62)])
def test_the_largest_integers_get_their_noise_exactly(middle):
    for law in (DiscreteLaplace(middle, scale=3), DiscreteGaussian(middle, variance=9)):
        drawn = law.rvs(50, rng=0).astype(object) - middle
        assert (abs(drawn) < 100).all()
        assert len(set(drawn)) > 3
        assert law.logpmf([middle + 2]) == type(law)(0, **scales(law)).logpmf([2])
        far = np.array([-middle], dtype=np.int64)
        assert law.logpmf(far)[0] < -1e17 or np.isneginf(law.logpmf(far)[0])


def scales(law):
    return {"scale": law.scale} if hasattr(law, "scale") else {"variance": law.variance}


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.uint64, np.int64])
def test_points_of_narrow_or_unsigned_integers_are_no_other_numbers(dtype):
    """9 less 10 was 255."""
    points = np.array([9, 10, 127], dtype=dtype)
    for law in (DiscreteLaplace(10, scale=2), DiscreteGaussian(100, variance=4)):
        for name in ("logpmf", "logcdf", "logsf"):
            found, wanted = (
                getattr(law, name)(p) for p in (points, points.astype(float))
            )
            np.testing.assert_allclose(found, wanted, rtol=1e-12)
    law = Laplace(100.0, scale=1.0)
    np.testing.assert_allclose(law.logpdf(points), law.logpdf(points.astype(float)))
    huge = np.array([2**64 - 1], dtype=np.uint64)
    assert DiscreteLaplace(0, scale=2).logpmf(huge)[0] == pytest.approx(-(2.0**63))
