"""Hit-and-run of the chapter on private ERM by sampling: its chords, its law, and runs that are too short."""

import math

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml.learners.penalised_erm import (
    Ball,
    Box,
    HingeLoss,
    LogisticLoss,
    SquaredLoss,
)
from tests.learners.penalised_erm.test_samplers import KOLMOGOROV, law_of

chapter = chapter_module("private-erm-by-sampling")
effective = chapter.effective_sample_size
BODIES = [Ball(3, 2.0), Box([-1.0, 0.0, 2.0], [1.0, 0.5, 5.0])]


def name(thing):
    return type(thing).__name__


def distance_to_quadrature(law, draws, direction):
    """Kolmogorov-Smirnov distance of draws from the law, times the root of the effective sample size.

    The size is that of what is compared, the share of draws below a point, the least over the deciles.
    """
    exact = law.quadrature(400)
    projected = draws @ direction
    deciles = np.quantile(projected, np.linspace(0.1, 0.9, 9))
    size = effective((projected[..., None] <= deciles).astype(float)).min()
    points = np.sort(projected.ravel())
    cdf, steps = exact.cdf(direction, points), np.arange(points.size + 1) / points.size
    return max((cdf - steps[:-1]).max(), (steps[1:] - cdf).max()) * math.sqrt(size)


@pytest.mark.parametrize("body", BODIES, ids=name)
def test_a_chord_ends_on_the_boundary_and_passes_through_the_point(body):
    rng = np.random.default_rng(0)
    H = body._cut_off(np.zeros(3), 1e-9, 500, rng)  # about uniform
    V = rng.normal(size=H.shape)
    low, high = chapter.chord(body, H, V)
    assert (low <= 0).all()
    assert (high >= 0).all()
    for t, outwards in ((low, -1), (high, 1)):
        assert body.contains(H + t[:, None] * V).all()
        assert not body.contains(H + (t + outwards * 1e-6)[:, None] * V).any()


@pytest.mark.parametrize("body", BODIES, ids=name)
def test_points_pulled_inwards_are_inside(body):
    far = 100 * np.random.default_rng(0).normal(size=(50, 3))
    assert body.contains(chapter.inside(body, far)).all()
    np.testing.assert_allclose(
        chapter.inside(body, chapter.inside(body, far)), chapter.inside(body, far)
    )


def test_the_bending_is_the_derivative_of_the_log_density():
    law, h = (
        law_of(LogisticLoss(), Ball(3, 2.0), penalty=0.0),
        np.array([0.3, -0.2, 0.5]),
    )
    steps, room = 1e-5 * np.eye(3), 5 / 2.0**2 * np.eye(3)
    gradient, bend = chapter.bending(law, h)
    slope = (law.log_density(h - steps) - law.log_density(h + steps)) / 2e-5
    np.testing.assert_allclose(gradient, slope, rtol=1e-5)
    second = [
        (chapter.bending(law, h + e)[0] - chapter.bending(law, h - e)[0]) / 2e-5
        for e in steps
    ]
    np.testing.assert_allclose(bend - room, second, rtol=1e-5)


@pytest.mark.source("WLF16-prop-26")
@pytest.mark.parametrize(
    ("loss", "domain"),
    [
        (LogisticLoss(), Ball(1, 2.0)),
        (LogisticLoss(), Ball(2, 3.0)),
        (HingeLoss(), Ball(2, 2.0)),
        (SquaredLoss(), Box([-1.0, -1.0], [0.5, 1.0])),
    ],
    ids=name,
)
def test_the_chain_draws_from_the_law_that_quadrature_gives(loss, domain):
    """Also for other losses than the one whose bending steers it."""
    law = law_of(loss, domain)
    run = chapter.hit_and_run(law, 500, n_chains=16, rng=1)
    assert run.diagnostics.mixed
    for direction in np.eye(domain.dimension):
        assert distance_to_quadrature(law, run.draws, direction) < KOLMOGOROV
    assert domain.contains(run.draws.reshape(-1, domain.dimension)).all()


def test_in_ten_dimensions_the_chain_has_the_moments_of_the_gaussian():
    law = law_of(SquaredLoss(), Ball(10, 3.0), n=1000, epsilon=32.0, penalty=0.0)
    precision = 2 * law.scale * law.risk.X.T @ law.risk.X
    mean = np.linalg.solve(precision, 2 * law.scale * law.risk.X.T @ law.risk.y)
    variance = np.diag(np.linalg.inv(precision))
    run = chapter.hit_and_run(law, 600, n_chains=12, rng=0)
    size = effective(run.draws).min()
    draws = run.draws.reshape(-1, 10)
    assert (abs(draws.mean(axis=0) - mean) < 4.5 * np.sqrt(variance / size)).all()
    assert (abs(draws.var(axis=0) / variance - 1) < 4.5 * np.sqrt(2 / size)).all()


def test_runs_repeat_with_a_seed_and_one_that_is_too_short_is_flagged():
    law = law_of(LogisticLoss(), Ball(2, 3.0))
    runs = [chapter.hit_and_run(law, 10, rng=seed) for seed in (5, 5, 6)]
    assert (runs[0].draws == runs[1].draws).all()
    assert (runs[0].draws != runs[2].draws).any()
    hard = law_of(LogisticLoss(), Ball(20, 5.0), n=500, epsilon=20.0)
    assert not chapter.hit_and_run(hard, 10, rng=0).diagnostics.mixed


def test_effective_size_of_an_autoregression_is_the_known_one():
    rng = np.random.default_rng(0)
    for rho in (0.0, 0.5, 0.9):
        noise = rng.normal(size=(4, 20_000))
        draws = np.zeros_like(noise)
        draws[:, 0] = noise[:, 0] / math.sqrt(1 - rho**2)
        for t in range(1, 20_000):
            draws[:, t] = rho * draws[:, t - 1] + noise[:, t]
        expected = draws.size * (1 - rho) / (1 + rho)
        assert float(effective(draws)) == pytest.approx(expected, rel=0.1)
        assert float(chapter.split_r_hat(draws)) == pytest.approx(1.0, abs=0.01)


def test_chains_that_disagree_or_drift_or_stand_still_are_flagged():
    draws = np.random.default_rng(0).normal(size=(4, 500, 2))
    assert chapter.diagnose(draws).mixed
    apart = draws + np.array([0.0, 0.0, 0.0, 1.0])[:, None, None]
    drift = draws + np.linspace(0, 2, 500)[:, None]
    for bad in (apart, drift, np.zeros_like(draws)):
        assert not chapter.diagnose(bad).mixed
    # two chains, means a and b, unit variance: R-hat^2 is about 1 + (a - b)^2 / 3 over four halves
    assert float(chapter.split_r_hat(apart[2:, :, 0])) == pytest.approx(
        math.sqrt(1 + 1 / 3), rel=0.05
    )


@pytest.mark.parametrize(
    ("r_hat", "size", "mixed"),
    [
        (1.05, 100.0, True),
        (1.06, 1e4, False),
        (1.0, 99.0, False),
        (0.0, math.inf, True),
    ],
)
def test_both_signs_of_trouble_count(r_hat, size, mixed):
    assert chapter.Diagnostics(r_hat, size).mixed is mixed
