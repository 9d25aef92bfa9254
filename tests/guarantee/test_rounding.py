"""What a promise stores is on the safe side of the exact value, not only what it prints."""

from fractions import Fraction
from math import inf, nextafter

import mpmath
import numpy as np
import pytest

from privml import composed
from privml._rounding import above, below, float_at_least, float_at_most, part, product
from privml._rounding import total as sum_up
from privml.adjacency import Adjacency
from privml.composed import compose
from privml.composition import (
    advanced_composition,
    advanced_epsilon,
    amplified_epsilon,
    basic_composition,
    concentrated_composition,
    optimal_epsilon,
    subsampled_poisson,
    subsampled_with_replacement,
    subsampled_without_replacement,
    subsampling_alone,
)
from privml.guarantee import (
    BoundedRangeGuarantee,
    ConcentratedGuarantee,
    Guarantee,
    bounded_range_rho,
    concentrated_epsilon,
    concentrated_rho,
    gaussian_rho,
    laplace_rho,
    pure_rho,
)
from privml.learners.experts import concentrated_run, round_guarantee
from privml.mechanisms import GaussianMechanism
from privml.statistics import PrivateQuantile

ADD = Adjacency.ADD_OR_REMOVE_ONE
SEEDS = range(200)


def drawn(seed):
    rng = np.random.default_rng(seed)
    sizes = np.exp(rng.uniform(-9, 1.5, 12)).tolist()
    deltas = np.exp(rng.uniform(-30, -6, 12)).tolist()
    return rng, sizes, deltas


def precise(function):
    with mpmath.workdps(60):
        return function()


@pytest.mark.parametrize("k", [3, 7, 10, 12, 1000])
def test_ten_times_a_tenth_is_more_than_one(k):
    for epsilon in (0.1, 0.3, 1 / 3, 0.7, 1e-5):
        exact = k * Fraction(epsilon)
        for found in (
            Guarantee(epsilon).for_group(k).epsilon,
            compose((Guarantee(epsilon), k), delta=0.0).guarantee.epsilon,
            basic_composition(*[Guarantee(epsilon)] * k).epsilon,
            BoundedRangeGuarantee(epsilon).for_group(k).epsilon,
            optimal_epsilon(epsilon, k, 0.0),
        ):
            assert Fraction(found) >= exact
            assert Fraction(nextafter(found, 0.0)) < exact
    assert str(Guarantee(0.1).for_group(10)).startswith("1.00001-")


@pytest.mark.parametrize("seed", SEEDS)
def test_sums_of_promises_are_not_below_the_exact_sums(seed):
    rng, sizes, deltas = drawn(seed)
    promises = list(map(Guarantee, sizes, deltas))
    epsilon, delta = sum(map(Fraction, sizes)), sum(map(Fraction, deltas))
    found = basic_composition(*promises)
    assert Fraction(found.epsilon) >= epsilon
    assert Fraction(found.delta) >= delta
    assert found.epsilon == pytest.approx(float(epsilon), rel=1e-15)
    two = promises[0] + promises[1]
    assert Fraction(two.epsilon) >= Fraction(sizes[0]) + Fraction(sizes[1])
    assert Fraction(two.delta) >= Fraction(deltas[0]) + Fraction(deltas[1])
    rhos = concentrated_composition(*map(ConcentratedGuarantee, sizes))
    assert Fraction(rhos.rho) >= epsilon
    k = int(rng.integers(2, 10**6))
    pairs = [(Guarantee(size), k) for size in sizes]
    assert Fraction(compose(*pairs, delta=0.0).guarantee.epsilon) >= k * epsilon
    asked = float(delta)
    promise = compose(*promises, delta=asked).guarantee
    if promise.epsilon >= epsilon:  # by adding up
        assert Fraction(promise.delta) >= delta
    assert promise.delta <= asked * (1 + 1e-15)
    assert Fraction(advanced_composition(promises[0], k, 1e-7).delta) >= min(
        1, k * Fraction(deltas[0]) + Fraction(1e-7)
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_groups_are_not_below_the_exact_ones(seed):
    rng, sizes, deltas = drawn(seed)
    for epsilon, delta in zip(sizes, deltas, strict=True):
        k = int(rng.integers(2, 40))
        found = Guarantee(epsilon, delta).for_group(k)
        exact = precise(
            lambda e=epsilon, d=delta, k=k: (
                d * mpmath.expm1(k * mpmath.mpf(e)) / mpmath.expm1(e)
            )
        )
        assert Fraction(found.epsilon) >= k * Fraction(epsilon)
        assert found.delta >= min(1, exact)
        assert found.delta <= exact * (1 + 1e-11)
        rho = ConcentratedGuarantee(epsilon).for_group(k).rho
        assert Fraction(rho) >= k * k * Fraction(epsilon)
        moved = Guarantee(epsilon, adjacency=ADD).under(Adjacency.REPLACE_ONE)
        assert Fraction(moved.epsilon) == 2 * Fraction(epsilon)
        flat = Guarantee(0.0, delta).for_group(k)
        assert Fraction(flat.delta) >= k * Fraction(delta)


CONVERSIONS = {
    "pure": (pure_rho, lambda e: e * mpmath.tanh(e / 2)),
    "pure simple": (lambda e: pure_rho(e, conversion="simple"), lambda e: e * e / 2),
    "range": (
        bounded_range_rho,
        lambda e: mpmath.log(mpmath.expm1(e) / e) + e / mpmath.expm1(e) - 1,
    ),
    "range simple": (
        lambda e: bounded_range_rho(e, conversion="simple"),
        lambda e: e * e / 8,
    ),
    "laplace": (laplace_rho, lambda e: e + mpmath.exp(-e) - 1),
    "gaussian": (gaussian_rho, lambda e: e * e / 2),
    "simple": (
        lambda e: concentrated_epsilon(rho=e, delta=1e-5, conversion="simple"),
        lambda e: e + 2 * mpmath.sqrt(-e * mpmath.log(mpmath.mpf(1e-5))),
    ),
    "subsampled": (
        lambda e: amplified_epsilon(e, 0.3),
        lambda e: mpmath.log1p(mpmath.mpf(0.3) * mpmath.expm1(e)),
    ),
    "advanced": (
        lambda e: advanced_epsilon(e, 30, 1e-5),
        lambda e: (
            mpmath.sqrt(-60 * mpmath.log(mpmath.mpf(1e-5))) * e
            + 30 * e * mpmath.expm1(e)
        ),
    ),
}


@pytest.mark.parametrize(("found", "exact"), CONVERSIONS.values(), ids=CONVERSIONS)
def test_conversions_are_not_below_their_formulas(found, exact):
    sizes = np.geomspace(1e-6, 30.0, 700).tolist()
    for size in [*sizes, 0.01, 0.1, 0.0999999, 1.0]:
        value = precise(lambda size=size: exact(mpmath.mpf(size)))
        assert found(size) >= value
        assert found(size) <= value * (1 + 1e-11)


@pytest.mark.parametrize("seed", range(50))
def test_subsamples_and_runs_are_not_below_their_formulas(seed):
    rng, sizes, deltas = drawn(seed)
    for epsilon, delta in zip(sizes, deltas, strict=True):
        n, m = int(rng.integers(50, 10**6)), int(rng.integers(1, 50))
        share, promise = Fraction(m, n), Guarantee(epsilon, delta)
        assert Fraction(subsampling_alone(n, m).delta) >= share
        kept = subsampled_without_replacement(promise, n, m, symmetric=True)
        assert Fraction(kept.delta) >= share * Fraction(delta)
        rate = mpmath.mpf(m) / n
        assert kept.epsilon >= precise(
            lambda e=epsilon, n=n, m=m: mpmath.log1p(
                mpmath.mpf(m) / n * mpmath.expm1(e)
            )
        )
        coins = subsampled_poisson(Guarantee(epsilon, delta, ADD), float(rate))
        assert Fraction(coins.delta) >= Fraction(float(rate)) * Fraction(delta)
        drawn_ = subsampled_with_replacement(promise, n, m)
        wanted = precise(
            lambda e=epsilon, n=n, m=m: m * mpmath.log1p(mpmath.expm1(e) / n)
        )
        assert drawn_.epsilon >= wanted
        assert drawn_.delta >= precise(
            lambda e=epsilon, d=delta, w=wanted: d * mpmath.expm1(w) / mpmath.expm1(e)
        )
        step = round_guarantee(epsilon, loss_range=delta)
        assert Fraction(step.epsilon) >= 2 * Fraction(epsilon) * Fraction(delta)
        run, one = (
            concentrated_run(epsilon, n),
            round_guarantee(epsilon).as_concentrated(),
        )
        assert Fraction(run.rho) >= (n - 1) * Fraction(one.rho)
        simple = concentrated_rho(epsilon, 1e-5, conversion="simple")
        assert simple <= precise(
            lambda e=epsilon: (
                (
                    mpmath.sqrt(-mpmath.log(mpmath.mpf(1e-5)) + e)
                    - mpmath.sqrt(-mpmath.log(mpmath.mpf(1e-5)))
                )
                ** 2
            )
        )


def test_three_thirds_of_an_epsilon_are_not_more_than_it():
    for epsilon in np.random.default_rng(0).uniform(0.01, 5.0, 300).tolist():
        form = PrivateQuantile(q=0.5, options=[0, 1], epsilon=epsilon, beta=0.1)
        assert 3 * Fraction(form._mechanism.epsilon) <= Fraction(epsilon)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_helpers_round_to_the_next_float(seed):
    rng = np.random.default_rng(seed)
    exact = Fraction(int(rng.integers(1, 10**9)), int(rng.integers(1, 10**9)))
    up, down = float_at_least(exact), float_at_most(exact)
    assert Fraction(down) <= exact <= Fraction(up)
    assert up <= nextafter(down, inf)
    numbers = rng.uniform(0, 3, 3).tolist()
    found = product(*numbers)
    assert Fraction(nextafter(found, 0)) < np.prod([*map(Fraction, numbers)]) <= found
    times = rng.integers(1, 10**12, 3).tolist()
    exact = sum(k * Fraction(x) for k, x in zip(times, numbers, strict=True))
    found = sum_up(zip(times, numbers, strict=True))
    assert Fraction(found) >= exact
    assert found <= nextafter(float_at_least(exact), inf)
    assert times[0] * Fraction(part(numbers[0], times[0])) <= Fraction(numbers[0])
    assert below(numbers[0]) < numbers[0] < above(numbers[0])


def test_what_no_float_holds_is_infinite_and_zero_stays_zero():
    assert product(1e308, 10.0) == sum_up([(10, 1e308)]) == inf
    assert sum_up([(1, 1.7e308), (1, 1.7e308)]) == inf
    assert float_at_least(Fraction(10) ** 400) == inf
    assert float_at_most(Fraction(10) ** 400) < inf
    assert product(5e-324, 0.1) == 5e-324
    assert above(0.0) == below(0.0) == product(0.0, 3.0) == sum_up([]) == 0.0
    with pytest.raises(ValueError, match="epsilon must be non-negative and finite"):
        Guarantee(1e308).for_group(3)


def test_an_infinite_factor_makes_an_infinite_product():
    assert product(2, inf, 0.5) == inf


def test_deltas_that_add_up_to_the_one_asked_for_but_for_rounding_are_composed():
    """Three times 0.1 is more than 0.3 as floats: the promise says so, and is not refused."""
    steps = [Guarantee(epsilon, 0.1) for epsilon in (500.0, 501.0, 502.0)]
    found = compose(*steps, delta=0.3)
    assert found.theorem == "basic"
    assert Fraction(found.guarantee.delta) >= 3 * Fraction(0.1) > Fraction(0.3)
    with pytest.raises(ValueError, match="delta must be larger"):
        compose(*steps, delta=0.3 * (1 - 1e-14))


def test_what_is_left_of_delta_and_the_mu_of_all_are_rounded_to_the_safe_side(
    monkeypatch,
):
    asked = {"delta": [], "mu": []}
    approximate = ConcentratedGuarantee.as_approximate
    gaussian = composed.gaussian_epsilon

    def recorded(promise, delta, **named):
        asked["delta"].append(delta)
        return approximate(promise, delta, **named)

    def recorded_too(*, delta, mu):
        asked["mu"].append(mu)
        return gaussian(delta=delta, mu=mu)

    monkeypatch.setattr(ConcentratedGuarantee, "as_approximate", recorded)
    monkeypatch.setattr(composed, "gaussian_epsilon", recorded_too)
    rng = np.random.default_rng(0)
    for delta in rng.uniform(1e-6, 1e-5, 30).tolist():
        spent = float(rng.uniform(0.1, 0.3)) * delta
        compose(
            (Guarantee(400.0, spent), 3), (ConcentratedGuarantee(0.01), 2), delta=delta
        )
        assert Fraction(asked["delta"][-1]) <= Fraction(delta) - 3 * Fraction(spent)
        sigmas = rng.uniform(5.0, 20.0, 2).tolist()
        noise = [
            GaussianMechanism.with_sigma(sigma=sigma, delta=1e-6, sensitivity=1.0)
            for sigma in sigmas
        ]
        compose((noise[0], 3), (noise[1], 7), delta=delta)
        squares = 3 * Fraction(noise[0].mu) ** 2 + 7 * Fraction(noise[1].mu) ** 2
        assert squares <= Fraction(asked["mu"][-1]) ** 2
    assert len(asked["mu"]) == 30
