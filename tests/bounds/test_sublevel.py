"""The sublevel-set condition, and the tail of the exponential mechanism with a base measure."""

from math import exp, inf, log, pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from privml.bounds import sublevel
from privml.bounds.sublevel import SublevelCondition
from tests.measure_ratios import log_measure_ratio
from tests.refusals import refused


@pytest.mark.source("WLF16-eq-9", "WLF16-cond-A2")
def test_the_measure_ratio_counts_the_hypotheses_near_the_best():
    values = np.array([[0.3, 0.1, 0.2, 0.9], [0.0, 1.0, 1.0, 1.0]])
    weights = np.array([1.0, 2.0, 3.0, 4.0])
    assert np.exp(log_measure_ratio(values, 0.1)).tolist() == pytest.approx([2.0, 4.0])
    assert np.exp(log_measure_ratio(values, 0.15, weights)).tolist() == pytest.approx(
        [2.0, 10.0]
    )


@pytest.mark.source("WLF16-ex-20", "WLF16-cond-A2")
@given(st.lists(st.floats(0, 1), min_size=1, max_size=9), st.floats(1e-6, 1))
def test_a_finite_class_meets_its_condition(values, t):
    condition = sublevel.finite_class_condition(len(values))
    assert log_measure_ratio(values, t) <= condition.log_ratio(t) + 1e-12


def tail(density, values, limit):
    return density[values > limit].sum() / density.sum()


@pytest.mark.source("WLF16-eq-18")
@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0.01, 5)), min_size=2, max_size=12),
    st.floats(0.001, 0.6),
    st.floats(0.01, 100),
)
def test_the_tail_holds_for_any_values_and_weights(pairs, t, epsilon):
    values, weights = np.array(pairs).T
    density = weights * np.exp(-epsilon * (values - values.min()) / (2 * 0.1))
    ratio = float(log_measure_ratio(values, t, weights))
    bound = sublevel.measure_ratio_tail(ratio, t, epsilon, sensitivity=0.1)
    assert tail(density, values, values.min() + 2 * t) <= bound * (1 + 1e-12)


def test_the_tail_is_nearly_attained():
    """One hypothesis at height t, very many just above 2 t: what is lost is the normaliser, close to 1."""
    t, epsilon, many = 0.5, 1.0, 30.0
    values, weights = np.array([0.0, t, 2 * t * 1.0001]), np.array([1e-9, 1.0, many])
    density = weights * np.exp(-epsilon * values / 0.2)
    ratio = float(log_measure_ratio(values, t, weights))
    bound = sublevel.measure_ratio_tail(ratio, t, epsilon, sensitivity=0.1)
    assert 0.6 * bound < tail(density, values, 2 * t) < bound


@pytest.mark.source("WLF16-ex-21")
@pytest.mark.parametrize(
    ("dimension", "order", "volume"),
    [
        (1, 2.0, 2.0),
        (2, 2.0, pi),
        (4, 2.0, pi**2 / 2),
        (3, 1.0, 8 / 6),
        (5, inf, 32.0),
        (2, 4.0, None),
    ],
)
def test_volumes_of_balls_are_the_known_ones(dimension, order, volume):
    expected = volume or 4 * quad(lambda x: (1 - x**4) ** 0.25, 0, 1)[0]
    assert exp(sublevel.log_ball_volume(dimension, order=order)) == pytest.approx(
        expected, rel=1e-8
    )
    scaled = sublevel.log_ball_volume(dimension, 3.0, order=order)
    assert scaled == pytest.approx(log(expected) + dimension * log(3), rel=1e-8)


@pytest.mark.source("WLF16-ex-21")
@pytest.mark.parametrize(
    ("dimension", "order"), [(1, 2.0), (3, 2.0), (4, 1.0), (2, inf)]
)
def test_a_cone_inside_a_ball_meets_the_condition_with_equality(dimension, order):
    """F = L |h| on the unit ball: the sublevel set of height t is the ball of radius t / L."""
    lipschitz, t = 2.0, 0.3
    volume = sublevel.log_ball_volume(dimension, order=order)
    shape = {
        "log_volume": volume,
        "regularity": 1.0,
        "order": order,
        "t_max": lipschitz,
    }
    condition = sublevel.lipschitz_condition(lipschitz, dimension, **shape)
    exact = volume - sublevel.log_ball_volume(dimension, t / lipschitz, order=order)
    assert condition.log_ratio(t) == pytest.approx(exact, rel=1e-12)


@pytest.mark.erratum("WLF16-ex-21/1")
@pytest.mark.parametrize(
    ("dimension", "order", "false"), [(4, 1, 0), (5, 1, 1), (14, 2, 0), (15, 2, 1)]
)
def test_without_the_volume_of_the_unit_ball_the_printed_inequality_fails(
    dimension, order, false
):
    """Printed: a cone's sublevel set has volume at least beta (t / L)^d; beta is about 1/2 for a ball."""
    beta = 0.499
    assert (exp(sublevel.log_ball_volume(dimension, order=order)) < beta) == bool(false)


@pytest.mark.source("WLF16-ex-21")
def test_the_box_meets_its_condition_for_the_worst_place_of_the_minimiser():
    """Maximum norm on [0, 1]^d: a corner keeps a share 2^-d of its cube, and no point keeps less."""
    dimension, lipschitz, t = 2, 1.5, 0.2
    shape = {
        "log_volume": 0.0,
        "regularity": 2.0**-dimension,
        "order": inf,
        "t_max": lipschitz / 2,
    }
    condition = sublevel.lipschitz_condition(lipschitz, dimension, **shape)
    grid = (np.arange(200) + 0.5) / 200
    points = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
    away = [
        np.abs(points - centre).max(axis=1)
        for centre in ([0.0, 0.0], [0.5, 0.0], [0.3, 0.6])
    ]
    ratios = [-np.log((lipschitz * distance <= t).mean()) for distance in away]
    assert max(ratios) <= condition.log_ratio(t) + 0.05
    assert ratios[0] == pytest.approx(condition.log_ratio(t), abs=0.05)


test_bad_input_is_refused_with_a_reason = refused(
    (
        lambda: SublevelCondition(log_constant=float("nan"), rho=1.0),
        "log_constant must be",
    ),
    (
        lambda: SublevelCondition(log_constant=0.0, rho=1.0, t_max=0.0),
        "t_max must be above",
    ),
    (
        lambda: SublevelCondition(log_constant=0.0, rho=1.0, t_max=0.5).log_ratio(0.5),
        "below t_max",
    ),
    (lambda: sublevel.log_ball_volume(2, order=0.5), "order must be at least 1"),
    (
        lambda: sublevel.lipschitz_condition(
            1.0, 2, log_volume=0.0, regularity=1.5, t_max=1.0
        ),
        "regularity must be",
    ),
    (
        lambda: sublevel.measure_ratio_tail(-0.1, 0.1, 1.0, sensitivity=1.0),
        "log_ratio must be",
    ),
)
