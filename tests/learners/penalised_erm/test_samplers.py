"""Chains: their laws against quadrature, what they refuse, what they flag, and what stopping early costs."""

import math

import numpy as np
import pytest

from privml.bounds.sublevel import log_ball_volume
from privml.divergences import hockey_stick
from privml.guarantee import Guarantee
from privml.learners import ExponentialLinearSVC, unit_rows
from privml.learners.penalised_erm import (
    Ball,
    Box,
    Diagnostics,
    ExponentialERM,
    Finite,
    HingeLoss,
    LogisticLoss,
    PenalisedRisk,
    RampLoss,
    SquaredLoss,
    WholeSpace,
    diagnose,
    early_stopping_guarantee,
    effective_sample_size,
    mala,
    ridge_draw,
    split_r_hat,
)

KOLMOGOROV = 1.95  # two-sided level 1e-3


def law_of(loss, domain, *, n=200, epsilon=4.0, penalty=0.0, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, domain.dimension))
    y = np.sign(X @ np.arange(1.0, domain.dimension + 1) + 0.3 * rng.normal(size=n))
    return ExponentialERM(PenalisedRisk(X, y, loss, domain, penalty=penalty), epsilon)


def distance_to_quadrature(law, draws, direction):
    """Kolmogorov-Smirnov distance of draws from the law, times the root of the effective sample size.

    The size is that of what is compared, the share of draws below a point, the least over the deciles: for a
    Langevin chain a tenth below that of the mean, with which 1 of 24 runs was above the limit.
    """
    exact = law.quadrature(400)
    projected = draws @ direction
    deciles = np.quantile(projected, np.linspace(0.1, 0.9, 9))
    size = effective_sample_size((projected[..., None] <= deciles).astype(float)).min()
    points = np.sort(projected.ravel())
    cdf, steps = exact.cdf(direction, points), np.arange(points.size + 1) / points.size
    return max((cdf - steps[:-1]).max(), (steps[1:] - cdf).max()) * math.sqrt(size)


@pytest.mark.source("WLF16-prop-26")
@pytest.mark.parametrize(
    ("loss", "domain"),
    [
        (LogisticLoss(), Ball(1, 2.0)),
        (LogisticLoss(), Ball(2, 3.0)),
        (HingeLoss(), Ball(2, 2.0)),
        (SquaredLoss(), Box([-1.0, -1.0], [0.5, 1.0])),
    ],
    ids=lambda x: type(x).__name__,
)
def test_the_chain_draws_from_the_law_that_quadrature_gives(loss, domain):
    law = law_of(loss, domain)
    run = mala(law, 500, n_chains=16, rng=1)
    assert run.diagnostics.mixed
    for direction in np.eye(domain.dimension):
        assert distance_to_quadrature(law, run.draws, direction) < KOLMOGOROV
    assert domain.contains(run.draws.reshape(-1, domain.dimension)).all()


def test_in_ten_dimensions_the_chain_has_the_moments_of_the_gaussian():
    law = law_of(SquaredLoss(), Ball(10, 3.0), n=1000, epsilon=32.0)
    precision = 2 * law.scale * law.risk.X.T @ law.risk.X
    mean = np.linalg.solve(precision, 2 * law.scale * law.risk.X.T @ law.risk.y)
    variance = np.diag(np.linalg.inv(precision))
    run = mala(law, 600, n_chains=12, rng=0)
    size = effective_sample_size(run.draws).min()
    assert run.diagnostics.mixed
    draws = run.draws.reshape(-1, 10)
    assert (abs(draws.mean(axis=0) - mean) < 4.5 * np.sqrt(variance / size)).all()
    assert (abs(draws.var(axis=0) / variance - 1) < 4.5 * math.sqrt(2 / size)).all()


def test_a_loss_with_kinks_mixes_as_a_smooth_one_does():
    """Over a short difference the curvature of the hinge loss is that of few records: R-hat was 1.3."""
    rng = np.random.default_rng(4)
    X = unit_rows(rng.normal(size=(400, 30)) @ np.diag(np.geomspace(1, 0.02, 30)))
    y = np.where(X[:, 0] + X[:, 1] + 0.1 * rng.normal(size=400) > 0, 1.0, -1.0)
    learner = ExponentialLinearSVC(8.0)
    found = mala(learner.law(X, y), 500, n_chains=8, rng=0).diagnostics
    assert found.r_hat < 1.05
    assert found.effective_size > 100


@pytest.mark.parametrize("body", [Ball(3, 2.0), Ball(1, 0.5), Ball(9), Box([-1.0, 0.0], [1.0, 3.0])])
def test_a_chart_makes_the_uniform_law_gaussian(body):
    d, rng = body.dimension, np.random.default_rng(0)
    W = np.vstack([rng.normal(size=(6, d)), 1e-6 * rng.normal(size=(2, d)), 2 * rng.normal(size=(4, d))])
    slope, steps = rng.normal(size=d), 1e-5 * np.eye(d)
    assert body.contains(body._point(100 * W)).all()
    columns = [(body._point(W + e) - body._point(W - e)) / 2e-5 for e in steps]
    _, log_volume = np.linalg.slogdet(np.stack(columns, axis=-1))
    log_volume_of_body = log_ball_volume(d, body.radius) if isinstance(body, Ball) else math.log(6.0)
    constant = log_volume_of_body - d / 2 * math.log(2 * math.pi)
    np.testing.assert_allclose(log_volume, constant - (W**2).sum(axis=1) / 2, atol=1e-4)
    numeric = np.stack([column @ slope for column in columns], axis=1)
    np.testing.assert_allclose(body._pulled(W, np.tile(slope, (len(W), 1))), numeric, atol=1e-6)


def test_the_exact_draw_for_the_squared_loss_has_the_law_of_quadrature():
    law = law_of(SquaredLoss(), Ball(1, 1.2), n=20, epsilon=2.0)
    rng = np.random.default_rng(3)
    draws = np.sort([ridge_draw(law, rng=rng)[0] for _ in range(3000)])
    cdf = law.quadrature().cdf([1.0], draws)
    distance = np.abs(cdf - (np.arange(3000) + 0.5) / 3000).max()
    assert distance < KOLMOGOROV / math.sqrt(3000) + 1e-3


def test_the_exact_draw_gives_up_instead_of_lying():
    assert ridge_draw(law_of(SquaredLoss(), Box([-9.0], [-8.0]), n=2000, epsilon=900.0), rng=0) is None
    flat = ExponentialERM(PenalisedRisk(np.zeros((3, 2)), np.ones(3), SquaredLoss(), Ball(2)), 1.0)
    assert ridge_draw(flat, rng=0) is None


def test_a_law_that_is_not_log_concave_is_refused():
    with pytest.raises(ValueError, match="the law must be log-concave, got RampLoss on Ball"):
        mala(law_of(RampLoss(), Ball(2)), 100)
    with pytest.raises(ValueError, match="the law must be log-concave, got LogisticLoss on Finite"):
        mala(law_of(LogisticLoss(), Finite([[0.0], [1.0]])), 100)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: mala(law_of(LogisticLoss(), Ball(2)), 2), "n_draws must be at least 4"),
        (
            lambda: mala(law_of(LogisticLoss(), Ball(2)), 100, n_chains=0),
            "n_chains must be a positive integer",
        ),
        (lambda: ridge_draw(law_of(SquaredLoss(), Finite([[0.0, 1.0]]))), "domain must be an instance of"),
        (lambda: ridge_draw(law_of(LogisticLoss(), Ball(2))), "loss must be an instance of SquaredLoss"),
        (lambda: split_r_hat(np.zeros((2, 3))), "draws must be of shape"),
        (lambda: early_stopping_guarantee(Guarantee(1.0), 1.5), "total_variation must be in the interval"),
    ],
)
def test_bad_parameters_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_effective_size_of_an_autoregression_is_the_known_one():
    rng = np.random.default_rng(0)
    for rho in (0.0, 0.5, 0.9):
        noise = rng.normal(size=(4, 20_000))
        draws = np.zeros_like(noise)
        draws[:, 0] = noise[:, 0] / math.sqrt(1 - rho**2)
        for t in range(1, 20_000):
            draws[:, t] = rho * draws[:, t - 1] + noise[:, t]
        expected = draws.size * (1 - rho) / (1 + rho)
        assert float(effective_sample_size(draws)) == pytest.approx(expected, rel=0.1)
        assert float(split_r_hat(draws)) == pytest.approx(1.0, abs=0.01)


def test_chains_that_disagree_or_drift_or_stand_still_are_flagged():
    draws = np.random.default_rng(0).normal(size=(4, 500, 2))
    assert diagnose(draws).mixed
    apart = draws + np.array([0.0, 0.0, 0.0, 1.0])[:, None, None]
    drift = draws + np.linspace(0, 2, 500)[:, None]
    for bad in (apart, drift, np.zeros_like(draws)):
        assert not diagnose(bad).mixed
    # two chains, means a and b, unit variance: R-hat^2 is about 1 + (a - b)^2 / 3 over four halves
    assert float(split_r_hat(apart[2:, :, 0])) == pytest.approx(math.sqrt(1 + 1 / 3), rel=0.05)


@pytest.mark.parametrize(
    ("r_hat", "size", "mixed"),
    [(1.05, 100.0, True), (1.06, 1e4, False), (1.0, 99.0, False), (0.0, math.inf, True)],
)
def test_both_signs_of_trouble_count(r_hat, size, mixed):
    assert Diagnostics(r_hat, size).mixed is mixed


def test_a_run_that_is_too_short_is_flagged():
    law = law_of(LogisticLoss(), Ball(20, 5.0), n=500, epsilon=20.0)
    assert not mala(law, 10, rng=0).diagnostics.mixed
    assert isinstance(mala(law, 10, rng=0).diagnostics, Diagnostics)


def test_runs_repeat_with_a_seed():
    law = law_of(LogisticLoss(), Ball(2, 3.0))
    assert (mala(law, 10, rng=5).last == mala(law, 10, rng=5).last).all()
    assert (mala(law, 10, rng=5).last != mala(law, 10, rng=6).last).any()


def test_the_whole_space_with_a_penalty_is_refused():
    risk = PenalisedRisk(np.zeros((5, 1)), np.ones(5), RampLoss(), WholeSpace(1), penalty=1.0)
    with pytest.raises(ValueError, match="must be log-concave"):
        mala(ExponentialERM(risk, 1.0), 10)


@pytest.mark.source("WLF16-prop-26")
@pytest.mark.erratum("WLF16-prop-26/1")
def test_closeness_in_total_variation_costs_delta_and_perturbed_randomised_response_attains_it():
    epsilon, eta = 1.0, 0.01
    p, q = 1 / (1 + math.exp(-epsilon)), 1 / (1 + math.exp(epsilon))
    near, far = np.array([p + eta, 1 - p - eta]), np.array([q - eta, 1 - q + eta])
    stopped = early_stopping_guarantee(Guarantee(epsilon), eta)
    with np.errstate(divide="ignore"):
        delta = float(hockey_stick(np.log(near), np.log(far), epsilon))
    assert delta == pytest.approx(stopped.delta) == pytest.approx((1 + math.e) * eta)
    assert early_stopping_guarantee(Guarantee(1.0, 0.1), 0.0).delta == 0.1
    assert early_stopping_guarantee(Guarantee(1.0), 0.9).delta == 1.0
    assert early_stopping_guarantee(Guarantee(1000.0), 0.0).delta == 0.0
    assert early_stopping_guarantee(Guarantee(1000.0), 1e-6).delta == 1.0


@pytest.mark.parametrize("draw", [ridge_draw, lambda law, rng: mala(law, 50, rng=rng).last])
def test_draws_do_not_depend_on_the_signs_of_eigenvectors(monkeypatch, draw):
    law = law_of(SquaredLoss(), Ball(3, 5.0))
    here, eigh = draw(law, rng=0), np.linalg.eigh

    def elsewhere(matrix):
        values, vectors = eigh(matrix)
        return values, vectors * [-1.0, 1.0, -1.0]

    monkeypatch.setattr(np.linalg, "eigh", elsewhere)
    np.testing.assert_allclose(draw(law, rng=0), here, rtol=1e-6)
