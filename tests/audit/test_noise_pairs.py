"""The exact audit of noise: no true claim is convicted, and no claim that is 5 % too strong is acquitted."""

import itertools
from fractions import Fraction
from math import exp, inf, log

import numpy as np
import pytest
from scipy.integrate import quad

from privml import audit, mechanisms
from privml.adjacency import Adjacency
from privml.audit.noise_pairs import noise_of
from privml.distributions import (
    DiscreteGaussian,
    DiscreteLaplace,
    Gaussian,
    Laplace,
    Product,
)
from privml.guarantee import Guarantee

BITS = np.array([0, 1])
PLANES = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.3, 0.7]])
EPSILONS = (1e-6, 0.01, 0.5, 1.0, 3.0, 20.0)


def count(noise, scale=1):
    return lambda z: noise.output_distribution(scale * z.sum())


def found(noise, scale=1, n=3, adjacency=Adjacency.REPLACE_ONE):
    return audit.exact(count(noise, scale), BITS, n, adjacency=adjacency)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("scale", [1, 0.1, 1 / 3, 1e6])
def test_laplace_noise_is_exactly_as_private_as_it_claims(epsilon, scale):
    noise = mechanisms.LaplaceMechanism(epsilon=epsilon, sensitivity=scale)
    result = found(noise, scale)
    assert result.epsilon == pytest.approx(epsilon, rel=1e-12)
    assert not result.refutes(noise)
    assert result.refutes(Guarantee(epsilon / 1.05))
    curve = noise.privacy_curve(epsilon / 2)
    assert result.delta(epsilon / 2) == pytest.approx(curve, rel=1e-9)
    assert not result.refutes(Guarantee(epsilon / 2, curve))
    assert result.refutes(Guarantee(epsilon / 2, curve / 1.05))


@pytest.mark.parametrize(
    ("epsilon", "delta"),
    list(itertools.product((0.0, 1e-3, 1.0, 10.0), (0.3, 1e-5, 1e-12, 1e-200))),
)
def test_gaussian_noise_is_convicted_of_five_per_cent_less(epsilon, delta):
    noise = mechanisms.GaussianMechanism(
        epsilon=epsilon, delta=delta, sensitivity=2**0.5
    )
    law = lambda z: noise.output_distribution(  # noqa: E731
        [(z == 0).sum(), (z == 1).sum()]
    )
    result = audit.exact(law, BITS, 3)
    assert result.epsilon == inf
    assert np.abs(result.outcome).tolist() == [inf, inf]
    assert not result.refutes(noise)
    assert result.delta(epsilon) == pytest.approx(delta, rel=1e-6)
    less = Gaussian(0.0, sigma=noise.sigma / 1.05)
    weaker = audit.exact(
        lambda z: Gaussian(2**0.5 * z.sum(), sigma=less.sigma), BITS, 3
    )
    assert weaker.refutes(noise)
    assert result.refutes(Guarantee(epsilon, delta / 1.05))


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 5.0])
@pytest.mark.parametrize("sensitivity", [1, 2, 7])
def test_noise_on_integers(epsilon, sensitivity):
    laplace = mechanisms.DiscreteLaplaceMechanism(
        epsilon=epsilon, sensitivity=sensitivity
    )
    result = found(laplace, sensitivity)
    assert result.epsilon == pytest.approx(epsilon, rel=1e-9)
    assert not result.refutes(laplace)
    assert result.refutes(Guarantee(epsilon / 1.05))
    gaussian = mechanisms.DiscreteGaussianMechanism(
        epsilon=epsilon, delta=1e-6, sensitivity=sensitivity
    )
    result = found(gaussian, sensitivity)
    assert result.epsilon == inf
    assert not result.refutes(gaussian)
    assert result.refutes(Guarantee(epsilon, result.delta(epsilon) / 1.05))
    assert not result.refutes(Guarantee(epsilon, result.delta(epsilon)))


def test_add_or_remove_is_audited_with_its_own_pairs():
    noise = mechanisms.LaplaceMechanism(
        epsilon=1.0, sensitivity=1.0, adjacency=Adjacency.ADD_OR_REMOVE_ONE
    )
    result = found(noise, adjacency=Adjacency.ADD_OR_REMOVE_ONE)
    assert result.epsilon == 1.0
    assert not result.refutes(noise)


def curve_on_the_plane(epsilon, b):
    """Delta of noise on (0, 0) against that on (1, 1), cut at both centres of each coordinate."""
    y = (np.arange(4000) + 0.5) / 4000
    p = {"below": np.array([1.0]), "between": np.exp(-y / b), "above": np.exp([-1 / b])}
    q = {"below": p["above"], "between": p["between"][::-1], "above": p["below"]}
    length = {
        "below": b,
        "between": 1.0,
        "above": b,
    }  # beyond the centres both decay alike
    total = 0.0
    for first, second in itertools.product(p, repeat=2):
        excess = np.outer(p[first], p[second]) - exp(epsilon) * np.outer(
            q[first], q[second]
        )
        total += np.maximum(0, excess).mean() * length[first] * length[second]
    return total / (2 * b) ** 2


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_a_vector_with_laplace_noise_has_a_curve_between_proved_ends(epsilon):
    noise = mechanisms.LaplaceMechanism(epsilon=epsilon, sensitivity=2.0)
    result = audit.exact(lambda z: noise.output_distribution(z.sum(axis=0)), PLANES, 2)
    assert result.epsilon == pytest.approx(epsilon)  # from (1, 0) to (0, 1)
    assert result.outcome.shape == (2,)
    assert not result.refutes(noise)
    assert result.refutes(Guarantee(epsilon / 1.05))
    delta, exact = (
        result.delta(epsilon / 2),
        curve_on_the_plane(epsilon / 2, noise.scale),
    )
    assert delta == pytest.approx(exact, rel=3e-3)
    assert result.refutes(Guarantee(epsilon / 2, exact / 1.05))
    assert not result.refutes(Guarantee(epsilon / 2, delta))


def test_a_vector_with_discrete_laplace_noise():
    noise = mechanisms.DiscreteLaplaceMechanism(epsilon=1.0, sensitivity=2)
    table = lambda z: noise.output_distribution(  # noqa: E731
        [int((z == 0).sum()), int((z == 1).sum())]
    )
    result = audit.exact(table, BITS, 3)
    values = np.arange(-80, 81)
    p = np.exp(DiscreteLaplace(0, scale=2).logpmf(values))
    q = np.exp(DiscreteLaplace(1, scale=2).logpmf(values))
    both = np.outer(p, q), np.outer(q, p)
    for epsilon in (0.0, 0.3, 0.7):
        exact = np.maximum(0, both[0] - exp(epsilon) * both[1]).sum()
        assert result.delta(epsilon) == pytest.approx(exact, rel=2e-3)
        assert result.refutes(Guarantee(epsilon, exact / 1.05))
        assert not result.refutes(Guarantee(epsilon, exact))
    assert not result.refutes(noise)
    assert result.refutes(Guarantee(1 / 1.05))


LAWS = {
    "laplace": lambda a, s: Laplace(a, scale=s),
    "gaussian": lambda a, s: Gaussian(a, sigma=s),
}


@pytest.mark.parametrize("kinds", list(itertools.product(LAWS, LAWS)))
@pytest.mark.parametrize("scales", [(1.0, 2.0), (0.5, 0.45), (1.0, 1.0)])
@pytest.mark.parametrize("move", [0.0, 0.4, 3.0])
def test_noise_whose_scale_depends_on_the_data(kinds, scales, move):
    """Against integrals of the density, cut at the places where the integrand turns."""
    p, q = LAWS[kinds[0]](0.0, scales[0]), LAWS[kinds[1]](move, scales[1])
    if type(p) is type(q) and scales[0] == scales[1]:
        return  # one scale
    result = audit.exact(lambda z: (p, q)[int(z.sum())], BITS, 1)

    def integral(first, second, epsilon):
        excess = lambda x: max(  # noqa: E731
            0.0, float(np.exp(first.logpdf(x)) - np.exp(epsilon + second.logpdf(x)))
        )
        edges = np.linspace(-40, 40, 161)
        edges = np.unique([*edges, 0.0, move])
        return sum(
            quad(excess, a, b, epsabs=1e-12)[0] for a, b in itertools.pairwise(edges)
        )

    for epsilon in (0.0, 0.2, 1.0):
        exact = max(integral(p, q, epsilon), integral(q, p, epsilon))
        assert result.delta(epsilon) == pytest.approx(exact, rel=1e-6, abs=1e-9)
        if exact > 1e-8:
            assert result.refutes(Guarantee(epsilon, exact / 1.05))
        assert not result.refutes(
            Guarantee(epsilon, min(1.0, exact * (1 + 1e-6) + 1e-9))
        )
    x = np.linspace(-200, 200, 400001)
    seen = max(np.max(p.logpdf(x) - q.logpdf(x)), np.max(q.logpdf(x) - p.logpdf(x)))
    assert result.epsilon == inf or result.epsilon == pytest.approx(seen, abs=1e-4)
    assert (result.epsilon == inf) == (seen > 30)


def test_the_scale_of_noise_on_integers_may_depend_on_the_data():
    p, q = DiscreteLaplace(0, scale=1), DiscreteLaplace(1, scale=Fraction(3, 2))
    result = audit.exact(lambda z: (p, q)[int(z.sum())], BITS, 1)
    values = np.arange(-300, 301)
    log_p, log_q = p.logpmf(values), q.logpmf(values)
    for epsilon in (0.0, 0.5, 1.0):
        exact = max(
            np.maximum(0, np.exp(a) - np.exp(epsilon + b)).sum()
            for a, b in ((log_p, log_q), (log_q, log_p))
        )
        assert result.delta(epsilon) == pytest.approx(exact, rel=1e-9)
        assert result.refutes(Guarantee(epsilon, exact / 1.05))
        assert not result.refutes(Guarantee(epsilon, exact))
    assert result.epsilon == inf
    narrow, wide = DiscreteGaussian(0, variance=1), DiscreteGaussian(1, variance=2)
    result = audit.exact(lambda z: (narrow, wide)[int(z.sum())], BITS, 1)
    values = np.arange(-30, 31)
    loss = narrow.logpmf(values) - wide.logpmf(values)
    assert result.epsilon == inf
    assert -loss.min() > 60


def test_answers_that_rounding_moved_convict_nobody():
    """A mean of tenths is off by some units, and its noise is the least that the claim allows."""
    rng = np.random.default_rng(0)
    for n in (3, 5, 7):
        for _ in range(30):
            offset = 10.0 ** rng.integers(-3, 9)
            universe = offset + np.array([0.0, 0.1])
            epsilon = 10.0 ** rng.uniform(-2, 1)
            for noise in (
                mechanisms.LaplaceMechanism(
                    epsilon=epsilon, sensitivity=(universe[1] - universe[0]) / n
                ),
                mechanisms.GaussianMechanism(
                    epsilon=epsilon,
                    delta=1e-9,
                    sensitivity=(universe[1] - universe[0]) / n,
                ),
            ):
                result = audit.exact(
                    lambda z, noise=noise, n=n: noise.output_distribution(z.sum() / n),
                    universe,
                    n,
                )
                assert not result.refutes(noise)
                if offset < 1e6:
                    assert result.refutes(
                        Guarantee(epsilon / 1.05, noise.guarantee.delta)
                    )


def test_no_claim_of_random_mechanisms_is_convicted_and_each_planted_error_is_found():
    rng = np.random.default_rng(1)
    for _ in range(200):
        epsilon, sensitivity = 10.0 ** rng.uniform(-3, 2), 10.0 ** rng.uniform(-4, 4)
        noise = mechanisms.LaplaceMechanism(epsilon=epsilon, sensitivity=sensitivity)
        result = found(noise, sensitivity, n=2)
        assert not result.refutes(noise)
        assert result.refutes(Guarantee(epsilon / 1.05))
        delta = 10.0 ** rng.uniform(-15, -0.5)
        gauss = mechanisms.GaussianMechanism(
            epsilon=epsilon, delta=delta, sensitivity=sensitivity
        )
        result = found(gauss, sensitivity, n=2)
        assert not result.refutes(gauss)
        assert result.refutes(Guarantee(epsilon / 1.05, delta))


def test_a_law_that_depends_on_the_order_is_refused():
    noise = mechanisms.LaplaceMechanism(epsilon=1.0, sensitivity=1.0)
    first = lambda z: noise.output_distribution(z[0])  # noqa: E731
    with pytest.raises(ValueError, match="ordered must be True"):
        audit.exact(first, BITS, 2)
    assert audit.exact(first, BITS, 2, ordered=True).epsilon == 1.0
    mean = lambda z: noise.output_distribution(np.mean(z))  # noqa: E731
    audit.exact(mean, np.array([0.1, 0.7, 1e5]), 4)


def test_forms_that_cannot_be_compared_are_refused():
    laplace, p = Laplace(0.0, scale=1.0), [0.5, 0.5]
    for laws, message in (
        (
            (laplace, p),
            "finitely many outcomes for all data sets, or noise for all of them",
        ),
        ((laplace, DiscreteLaplace(0)), "either on integers or on the reals"),
        ((laplace, Product(Laplace(np.zeros(1), scale=1.0))), "vectors of one length"),
        (
            (
                Product(Laplace(np.zeros(2), scale=1.0)),
                Product(Laplace(np.zeros(2), scale=2.0)),
            ),
            "one kind and scale",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            audit.exact(lambda z, laws=laws: laws[int(z.sum())], BITS, 1)


def test_what_is_found_is_shown():
    noise = mechanisms.GaussianMechanism(epsilon=1.0, delta=1e-5, sensitivity=1.0)
    result = found(noise)
    assert "inf" in result._repr_html_()
    assert result.plot() is not None
    assert noise_of("a string") is None
    assert log(result.delta(1.0)) == pytest.approx(log(1e-5), rel=1e-9)
