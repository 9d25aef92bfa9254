"""Additive noise laws: densities against distribution functions, tails against mpmath, draws against laws."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privml.coins import exponential_coins
from privml.distributions import (
    DiscreteGaussian,
    DiscreteLaplace,
    Gaussian,
    Laplace,
    Product,
)
from privml.distributions import discrete_gaussian as module
from tests.enumeration import exact_law

CONTINUOUS = [
    Laplace(1.5, scale=0.7),
    Gaussian(-2.0, sigma=3.0),
    Laplace(0.0, scale=1e-3),
]
SCALES = [Fraction(1, 10), Fraction(1), Fraction(7, 3), 0.1, 25]
VARIANCES = [Fraction(1, 100), Fraction(1, 4), Fraction(1), Fraction(7, 3), 0.1, 400]


def assert_frequencies(drawn, law, centre):
    """Chi-square with pooled tails: k cells have mean k - 1 and variance 2 (k - 1); allow 6 deviations."""
    reach = np.arange(drawn.min() - 1, drawn.max() + 2)
    expected = np.exp(law.logpmf(reach)) * drawn.size
    low, high = reach[expected >= 20][[0, -1]]
    inner = np.exp(law.logpmf(np.arange(low, high + 1)))
    cells = np.concatenate([[law.cdf(low - 1)], inner, [law.sf(high)]]) * drawn.size
    seen = np.bincount(
        np.clip(drawn, low - 1, high + 1) - (low - 1), minlength=cells.size
    )
    statistic = ((seen - cells)[cells > 0] ** 2 / cells[cells > 0]).sum()
    freedom = cells.size - 1
    assert statistic < freedom + 6 * math.sqrt(2 * freedom) + 6
    assert abs(drawn.mean() - centre) <= 5 * drawn.std() / math.sqrt(drawn.size)


@pytest.mark.source("LZCW21-lem-42", "LZCW21-lem-44")
@pytest.mark.parametrize("law", CONTINUOUS, ids=repr)
def test_the_density_is_the_slope_of_the_distribution_function(law):
    spread = getattr(law, "scale", None) or law.sigma
    points = law.location + spread * np.array([-7.0, -1.3, 0.4, 2.0, 5.0])
    step = 1e-4 * spread
    slope = (law.cdf(points + step) - law.cdf(points - step)) / (2 * step)
    assert np.log(slope) == pytest.approx(law.logpdf(points), abs=1e-6)
    assert law.cdf(points) + law.sf(points) == pytest.approx(1.0, abs=1e-15)
    assert law.sf(2 * law.location - points) == pytest.approx(
        law.cdf(points), rel=1e-12
    )


@pytest.mark.parametrize("distance", [0.0, 0.5, 3.0, 40.0, 2000.0])
def test_tails_keep_their_digits_in_log_space(distance):
    with mpmath.workdps(50):
        laplace = float(-mpmath.mpf(distance) / 2 - mpmath.log(2))
        gaussian = float(
            mpmath.log(mpmath.erfc(mpmath.mpf(distance) / 2 / mpmath.sqrt(2)) / 2)
        )
    assert float(Laplace(5.0, scale=2.0).logsf(5.0 + distance)) == pytest.approx(
        laplace, rel=1e-14
    )
    assert float(Gaussian(5.0, sigma=2.0).logcdf(5.0 - distance)) == pytest.approx(
        gaussian, rel=1e-13
    )


@pytest.mark.source("LZCW21-lem-42", "LZCW21-lem-44")
@pytest.mark.parametrize("law", CONTINUOUS, ids=repr)
def test_draws_follow_the_distribution_function(law):
    """Kolmogorov's statistic; it exceeds 2.5 / sqrt(n) with probability below 1e-5."""
    drawn = np.sort(law.rvs(200_000, rng=3))
    steps = np.arange(drawn.size + 1) / drawn.size
    gap = max((law.cdf(drawn) - steps[:-1]).max(), (steps[1:] - law.cdf(drawn)).max())
    assert gap < 2.5 / math.sqrt(drawn.size)
    squares = (law.rvs(1_000_000, rng=4) - law.location) ** 2
    variance = 2 * law.scale**2 if isinstance(law, Laplace) else law.sigma**2
    assert abs(squares.mean() - variance) < 5 * squares.std() / 1000


INTEGERS = [DiscreteLaplace(4, scale=scale) for scale in SCALES]
INTEGERS += [DiscreteGaussian(4, variance=variance) for variance in VARIANCES]


@pytest.mark.parametrize("law", INTEGERS, ids=repr)
def test_probabilities_of_integers_are_normalised_and_add_up(law):
    geometric = isinstance(law, DiscreteLaplace)
    half = math.ceil(40 * law.scale if geometric else 12 * math.sqrt(law.variance)) + 2
    reach = np.arange(4 - half, 4 + half + 1)
    pmf = np.exp(law.logpmf(reach))
    assert pmf.sum() == pytest.approx(1.0, abs=1e-13)
    assert law.cdf(reach) == pytest.approx(np.cumsum(pmf), abs=1e-13)
    assert law.sf(reach) == pytest.approx(1 - np.cumsum(pmf), abs=1e-13)
    if geometric:
        steps = np.array([-1, -1, -98]) / float(law.scale)
        assert np.diff(law.logpmf([4, 5, 6, 104])) == pytest.approx(steps)


def brute_force_tail(first, v):
    """Sum of exp(-(k^2 - first^2) / (2 v)) over k >= first, one term after the other until they vanish."""
    term = total = mpmath.mpf(1)
    ratio, squared = mpmath.exp(-(2 * first + 1) / (2 * v)), mpmath.exp(-1 / v)
    while term > mpmath.mpf(10) ** -30 * total:
        term *= ratio
        ratio *= squared
        total += term
    return total


def true_log_tail(first, variance):
    with mpmath.workdps(40):
        v = mpmath.mpf(variance.numerator) / variance.denominator
        normaliser = 2 * brute_force_tail(0, v) - 1
        log_tail = mpmath.log(brute_force_tail(first, v) / normaliser) - mpmath.mpf(
            first
        ) ** 2 / (2 * v)
        return float(log_tail)


@pytest.mark.parametrize(
    ("variance", "firsts"),
    [
        (Fraction(1, 50), [1, 2, 9]),
        (Fraction(7, 3), [1, 5, 60, 1000]),
        (Fraction(900), [1, 40, 1000]),
        (Fraction(65536), [1, 700, 1965, 1967, 30_000]),
        (Fraction(65535), [1, 700, 1965]),
        (Fraction(10**6), [1, 3000, 29_999, 30_001]),
    ],
    ids=str,
)
def test_discrete_gaussian_tails_agree_with_brute_force(variance, firsts):
    law = DiscreteGaussian(0, variance=variance)
    for first in firsts:
        tail = true_log_tail(first, variance)
        assert float(law.logsf(first - 1)) == pytest.approx(tail, rel=1e-12, abs=1e-14)
        assert float(law.logcdf(-first)) == float(law.logsf(first - 1))


def test_both_ways_to_sum_a_tail_agree_where_either_is_valid():
    for variance in (2.0**16, 3e5):
        firsts = np.array([1.0, 10.0, 0.5 * math.sqrt(variance), 0.029 * variance])
        terms = module._log_tail_by_terms(firsts, variance)
        assert module._log_tail_by_integral(firsts, variance) == pytest.approx(
            terms, rel=1e-13, abs=1e-13
        )


@pytest.mark.parametrize(
    "scale", [Fraction(1, 3), Fraction(1), Fraction(9, 4)], ids=str
)
def test_the_discrete_laplace_sampler_has_exactly_its_law(scale):
    law = DiscreteLaplace(0, scale=scale)
    found, lost = exact_law(lambda: int(law._noise((1,), None)[0]), lost=1e-12)
    assert lost < 1e-8
    for value, probability in found.items():
        assert probability == pytest.approx(math.exp(law.logpmf(value)), abs=2 * lost)
    assert sum(found.values()) == pytest.approx(1.0, abs=2 * lost)


@pytest.mark.parametrize(
    "variance", [Fraction(1, 4), Fraction(1), Fraction(5, 2), Fraction(13, 3)], ids=str
)
def test_the_discrete_gaussian_sampler_has_exactly_its_law(variance):
    """One proposal: the law of what is accepted, given that it is, must be the law wanted."""
    law = DiscreteGaussian(0, variance=variance)
    found, lost = exact_law(lambda: tuple(law._accepted(1, None).tolist()), lost=1e-11)
    assert lost < 1e-6
    accepted = 1 - found.pop(())
    assert accepted > 0.5
    for (value,), probability in found.items():
        assert probability / accepted == pytest.approx(
            math.exp(law.logpmf(value)), abs=3 * lost
        )
    assert sum(found.values()) == pytest.approx(accepted, abs=2 * lost)


@pytest.mark.parametrize("law", INTEGERS, ids=repr)
def test_draws_of_integers_follow_the_law(law):
    assert_frequencies(law.rvs(300_000, rng=7), law, 4)


@given(st.integers(1 - 2**61, 2**61 - 1))
def test_half_products_of_neighbours_are_those_of_python_integers(x):
    high, low = (int(digits[0]) for digits in module._half_products(np.array([x])))
    assert 0 <= low < 2**61
    assert high * 2**61 + low == x * (x - 1) // 2


def test_squares_beyond_64_bits_are_taken_in_two_digits():
    excess = np.arange(-4000, 9000)
    step, ways = Fraction(3, 10**7), (excess, excess.astype(object))
    kept = [
        exponential_coins(step, x * (x - 1) >> 1, np.random.default_rng(1))
        for x in ways
    ]
    assert (kept[0] == kept[1]).all()
    for sigma in (2**30, 2**35):  # few and many of the proposals need them
        drawn = DiscreteGaussian(0, variance=sigma**2).rvs(4000, rng=2) / sigma
        assert abs((drawn**2).mean() - 1) < 5 * math.sqrt(2 / drawn.size)
        assert abs((np.abs(drawn) < 1).mean() - 0.6827) < 5 * 0.47 / math.sqrt(
            drawn.size
        )


def test_the_coins_of_two_digits_have_the_exponent_of_the_square(monkeypatch):
    def heads(rate, counts, rng):
        asked.append([rate * int(count) for count in counts])
        return np.ones(len(counts), dtype=bool)

    asked, v = [], 2**70
    monkeypatch.setattr(module, "exponential_coins", heads)
    excess = (
        np.abs(DiscreteGaussian(0, variance=v)._accepted(64, np.random.default_rng(2)))
        - 2**35
    )
    exponents = [Fraction(x * (x - 1), 2 * v) for x in excess.tolist()]
    assert [high + low for high, low in zip(*asked, strict=True)] == exponents


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_proposals_of_both_sizes_follow_one_law(limit, monkeypatch):
    monkeypatch.setattr(module, "EXACT_SQUARE", limit)
    law = DiscreteGaussian(0, variance=6)
    assert_frequencies(law.rvs(100_000, rng=limit), law, 0)
    found, lost = exact_law(lambda: tuple(law._accepted(1, None).tolist()), lost=1e-10)
    accepted = 1 - found.pop(())
    for (value,), probability in found.items():
        assert probability / accepted == pytest.approx(
            math.exp(law.logpmf(value)), abs=3 * lost
        )


def test_a_product_is_independent_coordinates():
    marginals = Gaussian(np.array([0.0, 10.0, -5.0]), sigma=2.0)
    law = Product(marginals)
    drawn = law.rvs(40_000, rng=0)
    assert drawn.shape == (40_000, 3)
    assert law.rvs(rng=0).shape == (3,)
    assert np.abs(np.corrcoef(drawn.T) - np.eye(3)).max() < 5 / math.sqrt(40_000)
    assert np.abs(drawn.mean(axis=0) - marginals.location).max() < 5 * 2 / math.sqrt(
        40_000
    )
    point = np.array([1.0, 9.0, -5.0])
    assert law.logpdf(point) == pytest.approx(sum(marginals.logpdf(point)))
    integers = Product(DiscreteLaplace(np.array([0, 3]), scale=2))
    assert integers.logpmf([1, 1]) == pytest.approx(
        sum(DiscreteLaplace(0, scale=2).logpmf([1, 2]))
    )
    assert integers.rvs(7, rng=0).dtype == np.int64
    with pytest.raises(ValueError, match="location must be a vector"):
        Product(Gaussian(0.0))


@pytest.mark.parametrize("kind", [Laplace, Gaussian, DiscreteLaplace, DiscreteGaussian])
def test_sizes_and_types_of_draws(kind):
    law = kind(5)
    assert isinstance(
        law.rvs(rng=0), int if kind.__name__.startswith("Discrete") else float
    )
    assert law.rvs(0, rng=0).shape == (0,)
    assert law.rvs(3, rng=0).tolist() == law.rvs(3, rng=0).tolist()
    assert "5" not in repr(law)  # the location is the private answer
    for bad in (-1, 2.0, True):
        with pytest.raises(ValueError, match="size must be a non-negative integer"):
            law.rvs(bad)


def test_scales_beyond_64_bits_are_refused():
    assert DiscreteLaplace(0, scale=2**48).rvs(rng=0) != 0
    with pytest.raises(ValueError, match="scale must be at most 2"):
        DiscreteLaplace(0, scale=2**48 + 1)
    assert DiscreteGaussian(0, variance=2**94).rvs(rng=0) != 0
    with pytest.raises(ValueError, match="variance must be at most 2"):
        DiscreteGaussian(0, variance=2**94 + 1)


@pytest.mark.parametrize("law", [Laplace, Gaussian, DiscreteLaplace, DiscreteGaussian])
@pytest.mark.parametrize("bad", ["a", None, ["a"], 1j, True])
def test_a_location_is_made_of_numbers(law, bad):
    with pytest.raises(
        ValueError, match="location must be a number or an array of numbers, but got"
    ):
        law(location=bad)


LAWS = [
    Laplace(),
    Gaussian(),
    DiscreteLaplace(scale=50),
    DiscreteGaussian(variance=900),
]


@pytest.mark.parametrize("law", LAWS)
def test_a_seed_repeats_the_draws_two_differ_and_a_generator_goes_on(law):
    drawn = [law.rvs(20, rng=seed).tolist() for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    rng = np.random.default_rng(1)
    assert law.rvs(20, rng=rng).tolist() == drawn[0] != law.rvs(20, rng=rng).tolist()
