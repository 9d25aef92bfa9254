"""Domains: uniform laws, volumes.  Losses: derivatives, and what one record can do."""

import math

import numpy as np
import pytest

from privml.learners import penalised_erm, unit_rows

BODIES = [penalised_erm.Ball(3, 2.0), penalised_erm.Box([-1.0, 0.0, 2.0], [1.0, 0.5, 5.0])]
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
    assert (BODIES[0].radius, BODIES[1].radius) == (2.0, pytest.approx(math.sqrt(1 + 0.25 + 25)))


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
def test_oscillation_supremum_and_lipschitz_constant_are_those_of_the_worst_record(loss, radius):
    s, y = np.linspace(-radius, radius, 2001)[:, None], np.linspace(-1, 1, 401)[None, :]
    values = loss.value(s, y)
    assert values.min() >= 0
    assert values.max() == pytest.approx(loss.supremum(radius))
    assert (values.max(axis=0) - values.min(axis=0)).max() == pytest.approx(loss.oscillation(radius))
    steepest = abs(loss._derivative(s, y)).max()
    assert steepest <= loss.lipschitz(radius) * (1 + 1e-12)
    assert steepest >= loss.lipschitz(radius) * 0.99


@pytest.mark.parametrize("loss", LOSSES, ids=name)
def test_a_loss_says_whether_it_is_convex(loss):
    s = np.linspace(-3, 3, 601)
    bends = np.diff(loss.value(s, np.ones_like(s)), n=2)
    assert bool(bends.min() >= -1e-12) == loss.convex


def test_records_never_raise_and_end_in_the_unit_ball():
    X = np.array([[3.0, 4.0], [np.nan, 0.5], [np.inf, -1.0], [1e300, -1e300], [0.3, 0.4]])
    rows = unit_rows(X)
    assert (np.linalg.norm(rows, axis=1) <= 1 + 1e-12).all()
    np.testing.assert_allclose(rows[[0, 1, 4]], [[0.6, 0.8], [0.0, 0.5], [0.3, 0.4]])
    np.testing.assert_allclose(rows[3], [math.sqrt(0.5), -math.sqrt(0.5)])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: penalised_erm.Box([0.0], [0.0]), "lower must be below upper"),
        (lambda: penalised_erm.Box([0.0], [math.inf]), "upper must be finite"),
        (lambda: penalised_erm.Finite([[math.nan]]), "H must be a non-empty array of finite rows"),
        (lambda: penalised_erm.Ball(2).contains([[1.0]]), r"hypotheses must be of shape \(n_points, 2\)"),
        (lambda: unit_rows([1.0]), "X must be of shape"),
    ],
)
def test_bad_parameters_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(("mean", "precision"), [([1.2, 0.0], 3.0), ([0.3, 2.5], 9.0), ([0.0, 0.0], 0.01)])
def test_gaussians_cut_off_at_a_disc_have_the_law_of_quadrature(mean, precision):
    body, rng = penalised_erm.Ball(2, 1.0), np.random.default_rng(0)
    nodes, weights = body.nodes(300)
    mass = weights * np.exp(-precision / 2 * ((nodes - mean) ** 2).sum(axis=1))
    draws = np.concatenate([body._cut_off(np.array(mean), precision, 40, rng) for _ in range(50)])
    assert body.contains(draws).all()
    for of in (lambda H: H[:, 0], lambda H: H[:, 1], lambda H: (H**2).sum(axis=1)):
        order = np.argsort(of(nodes))
        cdf = np.interp(np.sort(of(draws)), of(nodes)[order], np.cumsum(mass[order]) / mass.sum())
        distance = abs(cdf - (np.arange(len(draws)) + 0.5) / len(draws)).max()
        assert distance < 1.95 / math.sqrt(len(draws)) + 2e-3  # Kolmogorov, two-sided level 1e-3
