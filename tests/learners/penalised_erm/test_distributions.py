"""The exact law of private penalised ERM: sensitivity, privacy over all neighbours, what is refused."""

import math
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from privml.learners.penalised_erm import (
    Ball,
    Box,
    ExponentialERM,
    Finite,
    HingeLoss,
    LogisticLoss,
    PenalisedRisk,
    RampLoss,
    SquaredLoss,
    WholeSpace,
    penalised_distribution,
)
from tests.refusals import refused

LOSSES = [LogisticLoss(), HingeLoss(), SquaredLoss(), RampLoss()]
RECORDS = [(x, y) for x in (-1.0, 0.0, 1.0) for y in (-1.0, 1.0)]


def name(thing):
    return type(thing).__name__


def risk_of(records, loss, domain, penalty=0.0):
    x = np.array([[x] * domain.dimension for x, _ in records])
    return PenalisedRisk(x, [y for _, y in records], loss, domain, penalty=penalty)


def all_datasets(n):
    return list(combinations_with_replacement(RECORDS, n))


def largest_loss(laws):
    """Largest log-ratio of laws, rows of an array, over all pairs that differ in one record."""

    def near(a, b):
        return len(set(enumerate(a)) - set(enumerate(b))) <= 1 and a != b

    return max(
        abs(laws[a] - laws[b]).max() for a, b in product(laws, repeat=2) if near(a, b)
    )


@pytest.mark.source("WLF16-eq-8")
def test_the_penalised_risk_is_the_mean_loss_plus_half_lambda_times_the_squared_norm():
    rng = np.random.default_rng(0)
    X, y, H = (
        rng.uniform(-0.5, 0.5, (30, 2)),
        rng.uniform(-1, 1, 30),
        rng.uniform(-1, 1, (7, 2)),
    )
    for loss in LOSSES:
        risk = PenalisedRisk(X, y, loss, Ball(2, 3.0), penalty=0.7)
        direct = [loss.value(X @ h, y).mean() + 0.35 * (h @ h) for h in H]
        np.testing.assert_allclose(risk.value(H), direct)
        for h, whole in zip(H, direct, strict=True):
            [(total, gradient)] = risk._tangents(h)
            assert total == pytest.approx(30 * (whole - 0.35 * (h @ h)))
            steps = np.eye(2) * 1e-6
            slopes = (
                30 * (risk.value(h + steps) - risk.value(h - steps)) / 2e-6
                - 30 * 0.7 * h
            )
            np.testing.assert_allclose(gradient, slopes, atol=1e-4)
        assert (
            risk.sensitivity() == PenalisedRisk(X, y, loss, Ball(2, 3.0)).sensitivity()
        )


@pytest.mark.parametrize("loss", LOSSES, ids=name)
@pytest.mark.parametrize("radius", [0.5, 2.0])
def test_sensitivity_is_attained_by_a_pair_of_neighbours_up_to_a_constant(loss, radius):
    grid = Finite(np.linspace(-radius, radius, 201)[:, None])
    values = {z: risk_of([z], loss, grid).value(grid.H) for z in RECORDS}
    oscillation = max(np.ptp(v) for v in values.values())
    assert oscillation == pytest.approx(risk_of([RECORDS[0]], loss, grid).sensitivity())
    assert risk_of([RECORDS[0]] * 5, loss, grid).sensitivity() == pytest.approx(
        oscillation / 5
    )


@pytest.mark.source("WLF16-alg-1")
@pytest.mark.parametrize("loss", LOSSES, ids=name)
@pytest.mark.parametrize("penalty", [0.0, 0.5])
def test_the_finite_law_is_private_over_all_neighbours(loss, penalty):
    grid, epsilon = Finite(np.linspace(-2, 2, 9)[:, None]), 0.8
    risks = {z: risk_of(z, loss, grid, penalty) for z in all_datasets(3)}
    laws = {
        z: ExponentialERM(risk, epsilon).finite_distribution().logpmf()
        for z, risk in risks.items()
    }
    assert 0.3 * epsilon < largest_loss(laws) <= epsilon + 1e-12


@pytest.mark.source("WLF16-alg-1")
@pytest.mark.parametrize("loss", LOSSES, ids=name)
def test_losses_of_neighbours_lie_in_an_interval_of_length_epsilon(loss):
    grid = Finite(np.linspace(-2, 2, 9)[:, None])
    laws = {z: ExponentialERM(risk_of(z, loss, grid), 0.8) for z in all_datasets(2)}
    logs = {z: law.finite_distribution().logpmf() for z, law in laws.items()}

    def near(a, b):
        return len(set(enumerate(a)) - set(enumerate(b))) <= 1

    ranges = [
        np.ptp(logs[a] - logs[b]) for a, b in product(logs, repeat=2) if near(a, b)
    ]
    promised = next(iter(laws.values())).bounded_range
    assert max(ranges) <= promised.epsilon + 1e-12 == pytest.approx(0.8)
    assert max(ranges) > 0.85 * promised.epsilon


@pytest.mark.source("WLF16-alg-1")
@pytest.mark.erratum("WLF16-alg-1/1")
def test_the_tight_sensitivity_spends_all_of_epsilon_and_that_of_the_source_half():
    epsilon, bulk = 1.0, 60.0
    risks = {
        0: [0.0, 1.0],
        1: [1.0, 0.0],
    }  # one record, two hypotheses, losses of range 1

    def law(records, sensitivity):
        mean = np.mean([risks[z] for z in records], axis=0)
        width = (2 if sensitivity == "tight" else 4) / len(records)
        options = {
            "penalties": [0.0, bulk * width / epsilon],
            "sensitivity": sensitivity,
        }
        return penalised_distribution(mean, len(records), epsilon, **options)

    for sensitivity, spent in (("tight", epsilon), ("WLF16", epsilon / 2)):
        laws = [law((*[0] * 3, z), sensitivity).logpmf() for z in (0, 1)]
        assert abs(laws[0] - laws[1]).max() == pytest.approx(spent, rel=1e-9)


@pytest.mark.source("WLF16-alg-1")
def test_the_law_from_risks_is_the_exponential_mechanism_with_the_penalty():
    weights = np.exp(-0.5 * 7 * (np.array([0.2, 0.4, 0.9]) + [0.0, 0.1, -0.3]))
    law = penalised_distribution([0.2, 0.4, 0.9], 7, 1.0, penalties=[0, 0.1, -0.3])
    np.testing.assert_allclose(law.pmf(), weights / weights.sum())
    half = penalised_distribution(
        [0.2, 0.4, 0.9], 7, 2.0, sensitivity="WLF16", loss_range=1.0
    )
    np.testing.assert_allclose(
        half.pmf(), penalised_distribution([0.2, 0.4, 0.9], 7, 1.0).pmf()
    )


def test_quadrature_agrees_with_a_closed_form():
    n, epsilon, R = 40, 1.0, 3.0
    law = ExponentialERM(
        risk_of([(1.0, 0.5)] * n, SquaredLoss(), Ball(1, R)), epsilon
    ).quadrature(200)
    sigma = math.sqrt(
        (1 + R) ** 2 / (epsilon * n)
    )  # exponent epsilon n (h - 1/2)^2 / (2 (1 + R)^2)
    erf = [math.erf((e - 0.5) / sigma / math.sqrt(2)) for e in (-R, 0.9, R)]
    assert law.log_normaliser == pytest.approx(
        math.log(sigma * math.sqrt(math.pi / 2) * (erf[2] - erf[0]))
    )
    assert law.cdf([1.0], 0.9) == pytest.approx(
        (erf[1] - erf[0]) / (erf[2] - erf[0]), abs=1e-3
    )
    assert law.probabilities.sum() == pytest.approx(1.0)


def test_quadrature_of_a_disc_integrates_polynomials():
    H, weights = Ball(2, 2.0).nodes(30)
    assert weights @ H[:, 0] ** 2 == pytest.approx(math.pi * 2.0**4 / 4)
    H, weights = Box([0.0, 1.0], [2.0, 4.0]).nodes(10)
    assert weights @ (H[:, 0] * H[:, 1] ** 2) == pytest.approx(2.0 * 21.0)


@pytest.mark.source("WLF16-rem-infinite-domain")
@pytest.mark.erratum("WLF16-prop-26/2")
def test_a_law_on_an_unbounded_domain_needs_a_penalty():
    empty = [(0.0, 1.0)] * 5  # constant loss: records without a feature
    with pytest.raises(
        ValueError, match="risk must have a penalty or a bounded domain"
    ):
        ExponentialERM(risk_of(empty, RampLoss(), WholeSpace(1)), 1.0)
    assert (
        ExponentialERM(
            risk_of(empty, RampLoss(), WholeSpace(1), penalty=0.1), 1.0
        ).scale
        == 0.5
    )
    for loss in (LogisticLoss(), HingeLoss(), SquaredLoss()):
        with pytest.raises(ValueError, match="loss must be bounded on the domain"):
            ExponentialERM(risk_of(empty, loss, WholeSpace(1), penalty=0.1), 1.0)
    radii = [1.0, 10.0, 100.0]
    risks = [risk_of(empty, RampLoss(), Box([-r], [r])) for r in radii]
    measured = [
        ExponentialERM(risk, 1.0).quadrature(20).log_normaliser for risk in risks
    ]
    np.testing.assert_allclose(measured, [math.log(2 * r) - 0.5 * 5 / 2 for r in radii])


test_bad_parameters_are_named = refused(
    (
        lambda: ExponentialERM(risk_of(RECORDS, LogisticLoss(), Ball(1)), 0.0),
        "epsilon must be positive",
    ),
    (
        lambda: PenalisedRisk([[1.0]], [1.0], LogisticLoss(), Ball(2)),
        "domain must have dimension 1",
    ),
    (
        lambda: PenalisedRisk([[1.0]], [1.0, 2.0], LogisticLoss(), Ball(1)),
        "y must be of shape",
    ),
    (lambda: Ball(3).nodes(5), "dimension must be 1 or 2 for quadrature"),
    (
        lambda: penalised_distribution([0.1, math.nan], 3, 1.0),
        "empirical_risks must be finite",
    ),
    (
        lambda: penalised_distribution([0.1], 3, 1.0, penalties=[0.0, 0.0]),
        "penalties must be of shape",
    ),
)


@pytest.mark.source("WLF16-alg-1")
@pytest.mark.parametrize("loss", [LogisticLoss(), SquaredLoss()], ids=name)
@pytest.mark.parametrize(
    "domain", [Ball(1, 2.0), Ball(2, 1.5), Box([-1.0, -1.0], [2.0, 0.5])], ids=name
)
def test_densities_are_private_by_quadrature(loss, domain):
    risks = {z: risk_of(z, loss, domain, 0.1) for z in all_datasets(2)}
    laws = {
        z: ExponentialERM(risk, 1.5).quadrature(40).logpdf for z, risk in risks.items()
    }
    assert 0.3 < largest_loss(laws) <= 1.5 + 1e-9
