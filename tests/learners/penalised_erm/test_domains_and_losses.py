"""Domains: uniform laws, volumes.  Losses: derivatives, and what one record can do."""

import math

import numpy as np
import pytest
from scipy.special import gammainc, gammaln
from scipy.stats import truncnorm

from privml.learners import penalised_erm, unit_rows
from privml.learners.penalised_erm import Ball, Box, cut_off
from tests.refusals import refused

BODIES = [
    penalised_erm.Ball(3, 2.0),
    penalised_erm.Box([-1.0, 0.0, 2.0], [1.0, 0.5, 5.0]),
]
LOSSES = [
    penalised_erm.LogisticLoss(),
    penalised_erm.HingeLoss(),
    penalised_erm.SquaredLoss(),
    penalised_erm.RampLoss(),
]


def name(thing):
    return type(thing).__name__


def test_uniform_points_have_the_moments_of_the_uniform_law():
    H = BODIES[0]._cut_off(np.zeros(3), 1e-9, 20_000, np.random.default_rng(1))
    square = (H**2).sum(axis=1)
    assert (abs(H.mean(axis=0)) < 4 * H.std(axis=0) / math.sqrt(len(H))).all()
    assert abs(square.mean() - 3 * 4 / 5) < 4 * square.std() / math.sqrt(len(H))
    assert (BODIES[0].radius, BODIES[1].radius) == (
        2.0,
        pytest.approx(math.sqrt(1 + 0.25 + 25)),
    )


def test_a_grid_is_a_finite_domain_inside_of_the_box():
    grid = BODIES[1].grid(4)
    assert len(grid.H) == 64
    assert BODIES[1].contains(grid.H).all()
    np.testing.assert_allclose(grid.H.mean(axis=0), [0, 0.25, 3.5])
    assert grid.H[0].tolist() == [-0.75, 0.0625, 2.375]


@pytest.mark.parametrize("loss", LOSSES, ids=name)
def test_the_derivative_is_the_slope(loss):
    rng = np.random.default_rng(2)
    s, y = rng.uniform(-3, 3, size=400), rng.uniform(-1, 1, size=400)
    numeric = (loss.value(s + 1e-6, y) - loss.value(s - 1e-6, y)) / 2e-6
    np.testing.assert_allclose(loss._derivative(s, y), numeric, atol=1e-5)


@pytest.mark.source("WLF16-cond-A1")
@pytest.mark.parametrize("radius", [0.3, 1.0, 1.7, 4.0])
@pytest.mark.parametrize("loss", LOSSES, ids=name)
def test_oscillation_supremum_and_lipschitz_constant_are_those_of_the_worst_record(
    loss, radius
):
    s, y = np.linspace(-radius, radius, 2001)[:, None], np.linspace(-1, 1, 401)[None, :]
    values = loss.value(s, y)
    assert values.min() >= 0
    assert values.max() == pytest.approx(loss.supremum(radius))
    assert (values.max(axis=0) - values.min(axis=0)).max() == pytest.approx(
        loss.oscillation(radius)
    )
    steepest = abs(loss._derivative(s, y)).max()
    assert steepest <= loss.lipschitz(radius) * (1 + 1e-12)
    assert steepest >= loss.lipschitz(radius) * 0.99


@pytest.mark.parametrize("loss", LOSSES, ids=name)
def test_a_loss_says_whether_it_is_convex(loss):
    s = np.linspace(-3, 3, 601)
    assert (
        bool(np.diff(loss.value(s, np.ones_like(s)), n=2).min() >= -1e-12)
        == loss.convex
    )


def test_records_never_raise_and_end_in_the_unit_ball():
    rows = unit_rows(
        np.array(
            [[3.0, 4.0], [np.nan, 0.5], [np.inf, -1.0], [1e300, -1e300], [0.3, 0.4]]
        )
    )
    assert (np.linalg.norm(rows, axis=1) <= 1 + 1e-12).all()
    np.testing.assert_allclose(rows[[0, 1, 4]], [[0.6, 0.8], [0.0, 0.5], [0.3, 0.4]])
    np.testing.assert_allclose(rows[3], [math.sqrt(0.5), -math.sqrt(0.5)])


test_bad_parameters_are_named = refused(
    (lambda: penalised_erm.Box([0.0], [0.0]), "lower must be below upper"),
    (lambda: penalised_erm.Box([0.0], [math.inf]), "upper must be finite"),
    (
        lambda: penalised_erm.Finite([[math.nan]]),
        "H must be a non-empty array of finite rows",
    ),
    (
        lambda: penalised_erm.Ball(2).contains([[1.0]]),
        r"H must be of shape \(n_points, 2\)",
    ),
    (lambda: unit_rows([1.0]), "X must be of shape"),
)


@pytest.mark.parametrize(
    ("mean", "precision"), [([1.2, 0.0], 3.0), ([0.3, 2.5], 9.0), ([0.0, 0.0], 0.01)]
)
def test_gaussians_cut_off_at_a_disc_have_the_law_of_quadrature(mean, precision):
    body, rng = penalised_erm.Ball(2, 1.0), np.random.default_rng(0)
    nodes, weights = body.nodes(300)
    mass = weights * np.exp(-precision / 2 * ((nodes - mean) ** 2).sum(axis=1))
    draws = np.concatenate(
        [body._cut_off(np.array(mean), precision, 40, rng) for _ in range(50)]
    )
    assert body.contains(draws).all()
    for of in (lambda H: H[:, 0], lambda H: H[:, 1], lambda H: (H**2).sum(axis=1)):
        order = np.argsort(of(nodes))
        cdf = np.interp(
            np.sort(of(draws)), of(nodes)[order], np.cumsum(mass[order]) / mass.sum()
        )
        distance = abs(cdf - (np.arange(len(draws)) + 0.5) / len(draws)).max()
        assert (
            distance < 1.95 / math.sqrt(len(draws)) + 2e-3
        )  # Kolmogorov, two-sided level 1e-3


@pytest.mark.parametrize("dimension", [2, 3, 10, 100, 1000])
def test_draws_cut_off_at_a_ball_come_back_empty_with_probability_at_most_one_half(
    dimension,
):
    """The exact probability that a candidate is accepted, over places of the mean and precisions."""
    shape = (dimension - 1) / 2
    least = math.exp(-1) * (gammainc(shape, shape) - gammainc(shape, max(shape - 1, 0)))
    for size in (4, 8, 64):
        n_rounds = cut_off.rounds(dimension, size)
        failed = 1 - least
        assert (
            failed ** (4 * size * n_rounds)
            <= 0.5
            < failed ** (4 * size * (n_rounds - 1)) + 1e-12
        )
    for far in (0.0, 0.5, 0.999, 1.0, 3.0, 50.0):
        for precision in (1e-3, 1.0, 30.0, 1e3):
            chords, kept = cut_off.Chords(1.0, dimension, far, precision), []
            candidates = np.random.default_rng(0).gamma(shape, 1.0, size=4000)

            class Given:
                def gamma(self, shape, scale, size, kept=kept, candidates=candidates):
                    kept.append(scale)
                    return candidates * scale

                def random(self, size, kept=kept):
                    kept.append(size)
                    return np.full(size, 1e-300)  # all inside are taken

            p = chords.draws(1000, Given())
            scale = kept[0]
            p0 = shape * scale  # where the envelope touches: the mean
            logs = (
                chords.log_mass(p)
                - chords.log_mass(p0)
                + chords.steepness(p0) * (p - p0)
            )
            assert logs.max() < 1e-6
            assert np.exp(logs).sum() / 4000 > least - 4.5 * math.sqrt(least / 4000)


def test_a_round_in_which_all_candidates_fail_ends():
    class Failing(np.random.Generator):
        def random(self, *args, **kwargs):
            return np.ones(args[0])

    found = Ball(3, 1.0)._gaussians(
        np.full(3, 9.0), 4.0, 8, Failing(np.random.PCG64(0))
    )
    assert found.shape == (0, 3)


@pytest.mark.parametrize(
    ("dimension", "far"), [(1, 0.4), (1, 3.0), (2, 0.5), (2, 1.0), (2, 4.0)]
)
@pytest.mark.parametrize("precision", [0.1, 3.0, 200.0])
def test_the_mean_of_a_gaussian_that_is_cut_off_is_that_of_quadrature(
    dimension, far, precision
):
    for body in (Ball(dimension, 1.0), Box([-1.0] * dimension, [0.5] * dimension)):
        mean = far * np.array([0.6, -0.8])[:dimension]
        H, weights = body.nodes(400)
        logs = -precision * ((H - mean) ** 2).sum(axis=1) / 2
        heights = weights * np.exp(logs - logs.max())
        np.testing.assert_allclose(
            body._mean(mean, precision), heights @ H / heights.sum(), atol=2e-6
        )


def test_means_far_outside_and_in_many_dimensions():
    assert (
        abs(
            Ball(1, 1.0)._mean(np.array([30.0]), 9.0)
            - truncnorm(-93, -87, 30, 1 / 3).mean()
        ).max()
        < 1e-9
    )
    for d, far, precision in ((30, 1.0, 30.0), (300, 0.4, 20.0), (1000, 1.0, 10.0)):
        body, mean = Ball(d, 1.0), far * np.eye(d)[0]
        rng = np.random.default_rng(0)
        t = np.concatenate(
            [body._gaussians(mean, precision, 4000, rng) for _ in range(3)]
        )[:, 0]
        error = t.std() / math.sqrt(t.size)
        assert abs(t.mean() - body._mean(mean, precision)[0]) < 4.5 * error


def test_the_incomplete_gamma_function_where_it_underflows():
    x = np.array([1e-3, 1.0, 10.0, 499.0, 501.0, 900.0])
    np.testing.assert_allclose(
        np.exp(cut_off._log_inside(500.0, x[3:])), gammainc(500.0, x[3:]), rtol=1e-9
    )
    lowest = (
        500 * math.log(1.0)
        - gammaln(501)
        - 1.0
        + math.log(1 + 1 / 501 + 1 / (501 * 502))
    )
    assert cut_off._log_inside(500.0, x[1:2])[0] == pytest.approx(lowest, rel=1e-9)
    assert np.isfinite(cut_off._log_inside(500.0, x)).all()
