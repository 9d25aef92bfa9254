"""Convex objectives: the shrinking argument, and the utility gap without a logarithm."""

from math import exp, inf, log

import numpy as np
import pytest

from book.tools.programme import tangled
from privml.bounds import penalised_erm_utility_gap, sublevel
from tests.measure_ratios import log_measure_ratio

shrinking_condition = tangled("sublevel-sets-and-rates").shrinking_condition
GRID = (np.arange(400) + 0.5) / 400
SQUARE = np.stack(np.meshgrid(GRID[::4], GRID[::4]), axis=-1).reshape(-1, 2)


def convex_functions(points, rng):
    """Random maxima of affine functions, moved onto [0, 1]."""
    slopes, shifts = rng.normal(size=(4, points.shape[1])), rng.normal(size=4)
    values = (points @ slopes.T + shifts).max(axis=1)
    return (values - values.min()) / np.ptp(values)


@pytest.mark.source("WLF16-ex-21")
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("points", [GRID[:, None], SQUARE], ids=["segment", "square"])
def test_a_convex_objective_meets_the_condition_for_every_height(points, seed):
    values = convex_functions(points, np.random.default_rng(seed))
    condition = shrinking_condition(points.shape[1])
    for t in (0.05, 0.2, 0.5, 0.99):
        assert float(log_measure_ratio(values, t)) <= condition.log_ratio(t) + 0.12


@pytest.mark.source("WLF16-ex-21")
def test_a_cone_whose_apex_is_a_corner_attains_the_condition():
    """F = max(h) on the unit cube: the sublevel set is a cube of side t, the ratio t^-d."""
    values = SQUARE.max(axis=1)
    for t in (0.25, 0.5):
        found = float(log_measure_ratio(values, t - values.min()))
        assert found == pytest.approx(shrinking_condition(2).log_ratio(t), abs=1e-9)
    old = sublevel.lipschitz_condition(1.0, 2, log_volume=0.0, regularity=0.25, order=inf, t_max=1.0)
    assert old.log_constant == pytest.approx(shrinking_condition(2).log_constant)


@pytest.mark.source("WLF16-ex-21")
@pytest.mark.parametrize("dimension", [1, 2, 5, 20])
def test_shrinking_is_never_worse_than_balls_for_a_lipschitz_objective_on_the_unit_ball(dimension):
    """Volumes: L^d / beta with beta <= 1/2.  Shrinking: (2 L)^d.  Half a ball has no better constant."""
    volume = sublevel.log_ball_volume(dimension)
    balls = sublevel.lipschitz_condition(1.0, dimension, log_volume=volume, regularity=0.5, t_max=1.0)
    assert balls.log_constant == pytest.approx(log(2))
    assert shrinking_condition(dimension, 2.0).log_constant == pytest.approx(dimension * log(2))


@pytest.mark.source("WLF16-lem-36", "WLF16-ex-21")
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("points", [GRID[:, None], SQUARE], ids=["segment", "square"])
def test_the_mean_of_a_convex_objective_is_within_d_over_c(points, seed):
    values = convex_functions(points, np.random.default_rng(seed + 100))
    dimension = points.shape[1]
    for c in (1.0, 5.0, 25.0):
        weights = np.exp(-c * values)
        found = float(values @ weights / weights.sum())
        assert found <= dimension / c + 0.01


@pytest.mark.source("WLF16-lem-36")
@pytest.mark.parametrize("dimension", [1, 3])
def test_a_cone_comes_close_to_d_over_c_and_the_general_bound_has_a_logarithm_more(dimension):
    n_samples, epsilon = 400, 1.0
    c = epsilon * n_samples / 2
    r = (np.arange(200_000) + 0.5) / 200_000
    weights = r ** (dimension - 1) * np.exp(-c * r)
    limit = dimension / c
    assert (r * weights).sum() / weights.sum() == pytest.approx(limit, rel=1e-3)
    general = penalised_erm_utility_gap(n_samples, epsilon, shrinking_condition(dimension))
    assert general == pytest.approx(limit * (1 + log(c / dimension)))


def test_d_over_c_is_false_without_convexity():
    """A needle: F is 1 but for a thin dip, so the draw misses it."""
    values = np.where(abs(GRID - 0.5) < 0.003, 0.0, 1.0)
    weights = np.exp(-2.0 * values)
    assert values @ weights / weights.sum() > 400 / 500
    assert exp(float(log_measure_ratio(values, 0.5))) > 100


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("c", [1e-3, 1.0, 4 * log(2), 30.0])
def test_the_reciprocal_weight_of_a_draw_has_one_over_the_average_weight_as_its_mean(seed, c):
    """Ties and rare minima included; then the tail that the bound on the mean excess stands on."""
    rng = np.random.default_rng(seed)
    excess = rng.choice([0.0, 0.1, 0.5, 1.0], size=50, p=[0.02, 0.08, 0.4, 0.5])
    excess -= excess.min()
    weights = np.exp(-c * excess)
    draw = weights / weights.sum()
    assert draw @ np.exp(c * excess) == pytest.approx(1 / weights.mean())
    for u in (0.0, 0.1, 0.5):
        ratio = 1 / np.mean(excess <= u)
        assert draw @ excess <= u + log(ratio) / c + 1e-12
        for x in (u, 0.5, 2 * u, 1.0):
            assert draw[excess >= x].sum() <= ratio * exp(-c * (x - u)) + 1e-12


@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
@pytest.mark.parametrize("c", [0.1, 5.0, 60.0])
def test_shrinking_bounds_an_exponential_moment_of_the_excess_in_one_dimension(share, c):
    """Step 2 of the convex theorem, by quadrature for F = h, where step 1 is known in closed form."""
    h = (np.arange(200_000) + 0.5) / 200_000
    weights = np.exp(-c * h)
    moment = weights @ np.exp((1 - share) * c * h) / weights.sum()
    closed = -np.expm1(-share * c) / (share * -np.expm1(-c))
    assert moment == pytest.approx(closed, rel=1e-4)
    assert moment <= (1 + 1e-6) / share  # equality in the limit of large c, up to the quadrature
    assert weights @ h / weights.sum() == pytest.approx(1 / c - 1 / np.expm1(c), rel=1e-6)
