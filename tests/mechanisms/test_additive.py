"""Laplace and Gaussian mechanisms: calibration checked in 60 digits, laws, releases, bad input."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privml.adjacency import Adjacency
from privml.distributions import Gaussian, Laplace, Product
from privml.divergences import gaussian_delta, gaussian_log_delta
from privml.mechanisms import GaussianMechanism, LaplaceMechanism, gaussian_sigma
from privml.mechanisms.additive import gaussian_mu
from privml.queries import sensitivity_of
from tests.refusals import refused

TARGETS = [
    (0.1, 1e-5),
    (1.0, 1e-5),
    (10.0, 1e-5),
    (1.0, 1e-15),
    (1.0, 1e-18),
    (1.0, 1e-30),
    (1e-3, 1e-12),
    (100.0, 1e-30),
    (100.0, 1e-5),
    (800.0, 1e-5),
    (0.0, 0.1),
    (0.5, 0.9),
    (1e-6, 1e-30),
]


def true_log_delta(epsilon, mu):
    """The curve in 400-digit arithmetic, straight from its definition."""
    with mpmath.workdps(400):
        epsilon, mu = mpmath.mpf(epsilon), mpmath.mpf(mu)
        below = mpmath.erfc((epsilon / mu - mu / 2) / mpmath.sqrt(2)) / 2
        above = mpmath.erfc((epsilon / mu + mu / 2) / mpmath.sqrt(2)) / 2
        return mpmath.log(below - mpmath.exp(epsilon) * above)


@pytest.mark.parametrize(("epsilon", "delta"), TARGETS)
@pytest.mark.parametrize("sensitivity", [1.0, 0.3])
def test_the_analytic_sigma_keeps_its_delta_and_nothing_smaller_does(
    epsilon, delta, sensitivity
):
    sigma = gaussian_sigma(epsilon, delta, sensitivity)
    with mpmath.workdps(400):
        mu = mpmath.mpf(sensitivity) / mpmath.mpf(sigma)
        assert true_log_delta(epsilon, mu) <= mpmath.log(mpmath.mpf(delta))
        smaller = mpmath.mpf(sensitivity) / (
            mpmath.mpf(sigma) * (1 - mpmath.mpf(10) ** -9)
        )
        assert true_log_delta(epsilon, smaller) > mpmath.log(mpmath.mpf(delta))
    public = {"epsilon": epsilon, "delta": delta, "sensitivity": sensitivity}
    assert (
        GaussianMechanism(**public, sigma=sigma).sigma
        == GaussianMechanism(**public).sigma
        == sigma
    )
    with pytest.raises(ValueError, match="sigma must be at least"):
        GaussianMechanism(**public, sigma=sigma * (1 - 1e-9))


def test_the_other_library_agrees_on_sigma():
    from dp_accounting import GaussianDpEvent
    from dp_accounting.mechanism_calibration import calibrate_dp_mechanism
    from dp_accounting.pld import PLDAccountant

    found = calibrate_dp_mechanism(PLDAccountant, GaussianDpEvent, 1.0, 1e-5, tol=1e-6)
    assert gaussian_sigma(1.0, 1e-5) == pytest.approx(found, rel=1e-4)


@pytest.mark.source("LZCW21-lem-44")
@given(
    st.one_of(st.floats(1e-3, 1), st.just(1.0)),
    st.floats(1e-300, 0.999),
    st.floats(0.01, 100),
)
def test_the_classical_sigma_is_enough_up_to_epsilon_one(epsilon, delta, sensitivity):
    sigma = gaussian_sigma(epsilon, delta, sensitivity, calibration="classical")
    GaussianMechanism(
        epsilon=epsilon, delta=delta, sensitivity=sensitivity, sigma=sigma
    )  # not refused
    assert gaussian_log_delta(epsilon, mu=sensitivity / sigma) < math.log(delta)
    assert sigma > math.sqrt(2 * math.log(1.25 / delta)) * sensitivity / epsilon
    assert sigma > gaussian_sigma(epsilon, delta, sensitivity)


@pytest.mark.source("LZCW21-lem-44")
def test_the_classical_formula_needs_its_condition_and_the_condition_is_enforced():
    """The source prints no condition on epsilon.  At delta = 1e-5 it holds up to 8 and fails at 10 and 20."""
    formula = {
        epsilon: math.sqrt(2 * math.log(1.25e5)) / epsilon
        for epsilon in (8.0, 10.0, 20.0)
    }
    found = {
        epsilon: gaussian_delta(epsilon, mu=1 / sigma)
        for epsilon, sigma in formula.items()
    }
    assert found[8.0] == pytest.approx(8.0e-6, rel=0.01)
    assert found[10.0] == pytest.approx(2.3e-5, rel=0.02)
    assert found[20.0] == pytest.approx(1.5e-3, rel=0.02)
    for epsilon in (1.001, 10.0):
        with pytest.raises(
            ValueError, match=r"epsilon must be in \(0, 1\] for calibration='classical'"
        ):
            gaussian_sigma(epsilon, 1e-5, calibration="classical")


def test_a_false_claim_cannot_be_made():
    GaussianMechanism(
        epsilon=1.0, delta=1e-5, sensitivity=2.0, sigma=gaussian_sigma(1.0, 1e-5, 2.0)
    )
    with pytest.raises(
        ValueError,
        match="sigma must be at least 7.46.* for this epsilon and delta, but got 7.4. .*with_sigma",
    ):
        GaussianMechanism(epsilon=1.0, delta=1e-5, sensitivity=2.0, sigma=7.4)


@given(st.floats(0.05, 50), st.floats(1e-12, 0.5))
def test_a_given_sigma_gets_the_least_epsilon(sigma, delta):
    mechanism = GaussianMechanism.with_sigma(sigma=sigma, delta=delta, sensitivity=1.0)
    assert mechanism.privacy_curve(mechanism.epsilon) <= delta * (1 + 1e-12)
    if mechanism.epsilon > 0:
        assert mechanism.privacy_curve(mechanism.epsilon * (1 - 1e-6)) > delta
    assert mechanism.concentrated.rho == pytest.approx(1 / (2 * sigma**2))


@pytest.mark.source("LZCW21-lem-42")
def test_laplace_noise_has_the_scale_of_the_lemma_and_all_of_its_epsilon():
    mechanism = LaplaceMechanism(epsilon=0.5, sensitivity=3.0)
    p, q = (mechanism.output_distribution(value) for value in (10.0, 13.0))
    points = np.linspace(-50, 80, 1301)
    losses = p.logpdf(points) - q.logpdf(points)
    assert p.scale == 6.0
    assert losses.max() == pytest.approx(0.5, abs=1e-12)
    assert -losses.min() == pytest.approx(0.5, abs=1e-12)
    assert mechanism.privacy_curve([0.0, 0.49, 0.5])[2] == 0.0
    assert mechanism.privacy_curve(0.49) > 0
    assert mechanism.guarantee.epsilon == 0.5


@pytest.mark.source("LZCW21-lem-44", "LZCW21-def-43")
def test_a_vector_with_gaussian_noise_has_the_curve_of_its_l2_sensitivity():
    """The loss of a vector is that of its component along the change: the same normal law."""

    def cells(z):
        return np.bincount(z, minlength=3)

    found = sensitivity_of(cells, np.arange(3), 4, order=2)
    assert found == pytest.approx(math.sqrt(2))
    mechanism = GaussianMechanism(epsilon=1.0, delta=1e-2, sensitivity=found)
    p, q = (
        mechanism.output_distribution(value)
        for value in ([1.0, 2.0, 1.0], [0.0, 2.0, 2.0])
    )
    drawn = p.rvs(200_000, rng=5)
    losses = p.logpdf(drawn) - q.logpdf(drawn)
    excess = -np.expm1(np.minimum(0.0, 0.2 - losses))
    error = excess.std() / math.sqrt(drawn.shape[0])
    assert abs(excess.mean() - mechanism.privacy_curve(0.2)) < 5 * error
    assert losses.mean() == pytest.approx(
        mechanism.mu**2 / 2, abs=5 * mechanism.mu / math.sqrt(200_000)
    )


@pytest.mark.parametrize(
    ("mechanism", "kind"),
    [
        (LaplaceMechanism(epsilon=1.0, sensitivity=1.0), Laplace),
        (GaussianMechanism(epsilon=1.0, delta=1e-3, sensitivity=1.0), Gaussian),
    ],
    ids=["laplace", "gaussian"],
)
def test_releases_are_numbers_for_numbers_and_vectors_for_vectors(mechanism, kind):
    assert isinstance(mechanism.output_distribution(3), kind)
    assert isinstance(mechanism.release(3, rng=0), float)
    assert isinstance(mechanism.output_distribution([1, 2, 3]), Product)
    assert mechanism.release([1, 2, 3], rng=0).shape == (3,)
    assert "333" not in repr(mechanism.output_distribution(333.0))
    for bad in (math.nan, math.inf, [1.0, math.nan], [], [[1.0]], None, "1"):
        with pytest.raises(ValueError, match="value must be"):
            mechanism.output_distribution(bad)


def gaussian(**changed):
    return GaussianMechanism(
        **{"epsilon": 1.0, "delta": 1e-5, "sensitivity": 1.0, **changed}
    )


test_bad_parameters_are_refused = refused(
    (
        lambda: LaplaceMechanism(epsilon=0.0, sensitivity=1.0),
        "epsilon must be positive and finite",
    ),
    (
        lambda: LaplaceMechanism(epsilon=1.0, sensitivity=0.0),
        "sensitivity must be positive and finite",
    ),
    (lambda: gaussian(sensitivity=0.0), "sensitivity must be positive"),
    (lambda: gaussian(delta=0.0), "delta must be in the open interval"),
    (lambda: gaussian(delta=1.0), "delta must be in the open interval"),
    (lambda: gaussian(sigma=0.0), "sigma must be"),
    (
        lambda: GaussianMechanism.with_sigma(sigma=0.0, delta=1e-5, sensitivity=1.0),
        "sigma must be positive",
    ),
    (
        lambda: gaussian_sigma(0.5, 1e-5, calibration="zcdp"),
        "calibration must be one of",
    ),
    (
        lambda: LaplaceMechanism(epsilon=1.0, sensitivity=1.0, adjacency="replace one"),
        "adjacency must be 'replace-one' or",
    ),
    (lambda: gaussian(adjacency=None), "adjacency must be 'replace-one' or"),
    (lambda: gaussian(epsilon=math.nan), "epsilon must be non-negative and finite"),
)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("order", [1.1, 2.0, 30.0])
def test_laplace_noise_is_concentrated(epsilon, order):
    """Renyi divergence of the exact laws by quadrature, on either side of the two peaks and between them."""
    mechanism = LaplaceMechanism(epsilon=epsilon, sensitivity=1.0)
    p, q = (mechanism.output_distribution(value) for value in (0.0, 1.0))
    far = 60 / epsilon
    nodes, weights = np.polynomial.legendre.leggauss(300)
    total = 0.0
    for low, high in ((-far, 0.0), (0.0, 1.0), (1.0, 1.0 + far)):
        x = (low + high) / 2 + (high - low) / 2 * nodes
        total += (
            (high - low)
            / 2
            * weights
            @ np.exp(order * p.logpdf(x) - (order - 1) * q.logpdf(x))
        )
    assert math.log(total) / (order - 1) <= mechanism.concentrated.rho * order


@pytest.mark.parametrize("adjacency", Adjacency)
def test_the_mechanism_of_a_sigma_keeps_the_relation_it_is_given(adjacency):
    mechanism = GaussianMechanism.with_sigma(
        sigma=2.0, delta=1e-5, sensitivity=1.0, adjacency=adjacency
    )
    assert (
        mechanism.guarantee.adjacency == mechanism.concentrated.adjacency == adjacency
    )


def test_sensitivity_over_sigma_is_never_above_the_mu_that_was_proved():
    """The quotient of floats may round up: at some sensitivities one more step of sigma is needed."""
    sensitivities = np.random.default_rng(0).uniform(0.5, 50, 400)
    mu = gaussian_mu(0.7, 1e-6)
    sigmas = np.array(
        [gaussian_sigma(0.7, 1e-6, sensitivity) for sensitivity in sensitivities]
    )
    assert (sensitivities / sigmas <= mu).all()
    assert (sensitivities / (sensitivities / mu) > mu).any()
