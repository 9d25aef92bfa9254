"""Convex objectives: the shrinking argument, and the utility gap without a logarithm."""

from math import inf, log

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
