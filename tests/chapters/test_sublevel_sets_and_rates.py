"""What the chapter on sublevel sets and rates computes: orders, closed forms, and the errata it names."""

from math import inf, log, sqrt, tanh

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import binom

from book.tools.chapter_code import chapter_module
from privml.bounds import (
    finite_class_condition,
    lipschitz_condition,
    penalised_erm_excess_risk,
    penalised_erm_utility_gap,
)
from privml.learnability import (
    LearningProblem,
    count_vectors,
    sample_probabilities,
)
from tests.chapters.checkers import checkers
from tests.chapters.sublevel_sets_and_rates_functions import (
    beyond,
    changing_sign,
    cone,
    negative_infimum,
    printed_rate,
    shrinking_condition,
    source_utility,
    threshold_gap,
    truncated_mean,
)
from tests.measure_ratios import log_measure_ratio

chapter = chapter_module("sublevel-sets-and-rates")


def mean_square(p, q):
    """Mean of (h - q)^2 under the density proportional to exp(-6 (h - p)^2) on [0, 1]."""
    total = quad(lambda h: np.exp(-6 * (h - p) ** 2), 0, 1)[0]
    return quad(lambda h: np.exp(-6 * (h - p) ** 2) * (h - q) ** 2, 0, 1)[0] / total


@pytest.mark.source("WLF16-thm-19", "WLF16-lem-37")
def test_the_exact_expectations_agree_with_adaptive_quadrature():
    found = chapter.town(6, 2.0, 0.3)
    gap = excess = 0.0
    for yes in range(7):
        p, chance = yes / 6, binom.pmf(yes, 6, 0.3)
        gap += chance * mean_square(p, p)
        excess += chance * mean_square(p, 0.3)
    assert found == pytest.approx((gap, excess), rel=1e-5)


@pytest.mark.source("WLF16-thm-19", "WLF16-ex-20", "WLF16-fig-3")
def test_exact_risks_lie_below_all_bounds_and_the_bounds_in_order():
    for m in (50, 2000):
        for epsilon in (0.1, 1.0):
            gap, excess = chapter.town(m, epsilon, 0.4)
            assert gap <= 2 / (epsilon * m)
            convex = 2 / (epsilon * m) + epsilon / 4
            general = penalised_erm_excess_risk(m, epsilon, shrinking_condition(1))
            assert excess < convex < general + epsilon / 4 - tanh(epsilon / 4)
    for m in (100, 10_000):  # the rate of a finite class, with its constant
        epsilon = sqrt((4 + log(m)) / m)
        ours = penalised_erm_excess_risk(m, epsilon, finite_class_condition(16))
        assert ours <= (2 * log(2) + 1 / 4) * epsilon
        assert ours < printed_rate(m, epsilon, finite_class_condition(16))


@pytest.mark.source("WLF16-ex-21", "WLF16-thm-19")
@pytest.mark.parametrize(("d", "m"), [(1, 10**3), (5, 10**5)])
def test_the_rate_of_a_lipschitz_problem(d, m):
    condition = lipschitz_condition(
        20.0, d, log_volume=0.0, regularity=2.0**-d, order=inf, t_max=10.0
    )
    epsilon = sqrt((condition.log_constant + d * log(m)) / m)
    assert 2 * d < 10 * epsilon * m
    bound = penalised_erm_excess_risk(m, epsilon, condition)
    assert bound <= 2.25 * epsilon + 1 / m


@pytest.mark.source("WLF16-ex-21", "WLF16-cond-A2")
def test_the_needle_meets_the_condition_of_its_lipschitz_constant():
    condition = lipschitz_condition(
        20.0, 1, log_volume=0.0, regularity=0.5, order=inf, t_max=10.0
    )
    assert condition.log_constant == pytest.approx(log(20))
    h = np.linspace(0, 1, 20_001)
    needle = h / 3 + 2 / 3 * np.minimum(20 * abs(h - 0.9), 1)
    for t in (0.02, 0.1, 0.4):
        found = float(log_measure_ratio(needle, t))
        assert found <= condition.log_ratio(t)


@pytest.mark.source("WLF16-cond-A2", "WLF16-eq-9", "WLF16-lem-36")
@pytest.mark.parametrize("seed", range(4))
def test_the_mean_excess_is_at_most_the_bound_from_the_mean_ratio(seed):
    rng = np.random.default_rng(seed)
    counts = count_vectors(3, 6)
    values = LearningProblem(rng.random((5, 3))).empirical_risk(counts)
    chances = sample_probabilities(counts, [0.5, 0.3, 0.2])
    excess = values - values.min(axis=1, keepdims=True)
    for c in (0.5, 5.0, 60.0):
        weights = np.exp(-c * excess)
        law = weights / weights.sum(axis=1, keepdims=True)
        found = chances @ (law * excess).sum(axis=1)
        for u in (0.01, 0.1, 0.3):
            ratios = np.exp(log_measure_ratio(values, u))
            assert found <= u + chances @ np.log(ratios) / c + 1e-12
            assert chances @ np.log(ratios) <= log(chances @ ratios) + 1e-12


@pytest.mark.source("WLF16-lem-36")
def test_the_form_of_the_source_holds_and_is_weaker():
    for condition in (finite_class_condition(16), shrinking_condition(1)):
        for m, epsilon in ((10**4, 0.5), (10**6, 0.1)):
            ours = penalised_erm_utility_gap(m, epsilon, condition)
            source = source_utility(m, condition, epsilon * m / 2)
            assert ours < source / 2
            half = source_utility(m, condition, epsilon * m / 4)
            assert half == pytest.approx(2 * source)
            printed = printed_rate(m, epsilon, condition) - 2 * epsilon
            assert half == pytest.approx(8 / 9 * printed)
    with pytest.raises(ValueError, match="out of range"):
        source_utility(100, finite_class_condition(2), 1000.0)


@pytest.mark.source("WLF16-lem-36")
@pytest.mark.parametrize("size", [2, 16, 10**6])
def test_the_worst_class_attains_its_bound_below_the_logarithm(size):
    worst = chapter.worst_excess(size, 10.0)
    assert (0.75 * log(size) if size > 100 else 0) < 10 * worst < log(size)
    x = np.r_[0.0, np.full(size - 1, worst + 1 / 10)]
    assert chapter.mean_excess(x, 10.0) == pytest.approx(worst)
    assert worst < chapter.best_bound(x, 10.0) <= log(size) / 10 + 1.01e-4


@pytest.mark.source("WLF16-fig-3")
def test_every_number_of_the_map_is_below_its_bound():
    numbers = chapter.theorem_map(5, 12, 0.8, 0.3)
    assert (numbers["exact"] <= numbers["bound"] + 1e-12).all()


@pytest.mark.erratum("WLF16-ex-21/1")
def test_the_printed_volume_fails_from_the_dimensions_named():
    rows = {(d, p): cone(d, p) for d in range(1, 21) for p in (1.0, 2.0, inf)}
    fails = [(d, p) for (d, p), row in rows.items() if row[0] < 0.5]
    first = {p: min(d for d, q in fails if q == p) for _, p in fails}
    assert first == {1.0: 5, 2.0: 15}
    assert all((ours > printed) == (v < 1) for v, printed, ours in rows.values())


@pytest.mark.erratum("WLF16-lem-36/1", "WLF16-thm-19/2")
def test_beyond_the_known_heights_the_printed_bounds_are_false():
    height, exact, printed, ours = beyond(50, 0.05)
    assert height > 0.01
    values = np.r_[0.0, np.full(999, 0.5)]
    found = chapter.mean_excess(values, 0.05 * 50 / 4)  # sensitivity 2 / n
    assert exact == pytest.approx(found, rel=1e-12)
    assert ours > exact > 2 * printed


@pytest.mark.erratum("WLF16-thm-19/1", "WLF16-lem-37/2")
def test_the_regulariser_counts_twice():
    excess, once, twice = changing_sign(0.25, 10**8, 1e-3)
    assert once < excess <= twice


@pytest.mark.erratum("WLF16-lem-36/2")
def test_the_step_with_a_negative_infimum_needs_twice_the_supremum():
    left, printed, corrected = negative_infimum(2.0, 0.1, 0.5)
    assert (left, printed, corrected) == pytest.approx((-0.6, 0.3, -0.7))
    assert corrected <= left < printed


@pytest.mark.source("WLF16-cond-A2")
def test_thresholds_have_no_mean_ratio_and_a_small_gap():
    one = 1 + np.log(1e6)  # E min(1/x, L) for one uniform x
    assert truncated_mean(1, 1e6) == pytest.approx(one, rel=1e-4)
    assert truncated_mean(1, 1e12) > 1.9 * one  # it grows without limit
    rng = np.random.default_rng(0)
    gaps = {m: threshold_gap(m, 1.0, rng, n_draws=2000) for m in (1, 4, 50)}
    for m, gap in gaps.items():
        harmonic = sum(1 / i for i in range(1, m + 1))
        assert gap + 4 * 0.5 / 2000**0.5 * max(gap, 0.05) < 2 * harmonic / m
    low = np.exp(-0.5)
    exact = quad(lambda x: (1 - x) * low / (x + (1 - x) * low), 0, 1)[0]
    assert gaps[1] == pytest.approx(exact, abs=4 * 0.3 / 2000**0.5)


def test_the_shortest_interval_is_distributed_as_the_proof_says():
    rng = np.random.default_rng(0)
    m = 5
    shortest = rng.dirichlet(np.ones(m + 1), size=20_000).min(axis=1)
    mean = np.log(1 / shortest).mean()
    harmonic = sum(1 / i for i in range(1, m + 1))
    assert mean == pytest.approx(log(m + 1) + harmonic, abs=0.05)


DIP = np.r_[0.0, np.full(999, 0.05)]
test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "bowl": [
            (lambda a, d: d / a, None),
            (lambda a, d: d, "volume t"),
            (lambda a, d: a * d, "volume t"),
            (lambda a, d: 1 / a, "volume t"),
        ],
        "worst": [
            ([0.0] + [3.598] * 99, None),
            ([0.0] * 100, "is possible"),
            ([0.0] + [3.0] * 99, "is possible"),
            (np.linspace(0, 5, 100), "is possible"),
            ([1.0] * 100, "one of them 0"),
        ],
        "town": [
            (120, None),
            (200, "are enough"),
            (100, "too few"),
        ],
        "needle": [
            (DIP, None),
            (np.r_[np.zeros(30), np.full(970, 0.05)], "not 4 times"),
            (DIP - 0.1, "in "),
        ],
    },
    chapter,
)

GRID = (np.arange(400) + 0.5) / 400
SQUARE = np.stack(np.meshgrid(GRID[::4], GRID[::4]), axis=-1).reshape(-1, 2)


def convex_functions(points, rng):
    """Random maxima of affine functions, moved onto [0, 1]."""
    slopes, shifts = rng.normal(size=(4, points.shape[1])), rng.normal(size=4)
    values = (points @ slopes.T + shifts).max(axis=1)
    return (values - values.min()) / np.ptp(values)


@pytest.mark.source("WLF16-cond-A2")
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("points", [GRID[:, None], SQUARE], ids=["segment", "square"])
def test_a_convex_objective_meets_the_condition_for_every_height(points, seed):
    values = convex_functions(points, np.random.default_rng(seed))
    d = points.shape[1]
    for t in (0.05, 0.2, 0.5, 0.99):
        found = float(log_measure_ratio(values, t))
        assert found <= shrinking_condition(d).log_ratio(t) + 0.12
    for c in (1.0, 5.0, 25.0):
        assert chapter.mean_excess(values, c) <= d / c + 0.01


@pytest.mark.source("WLF16-ex-21")
def test_a_cone_whose_apex_is_a_corner_attains_the_condition():
    """F = max(h) on the unit cube: the sublevel set is a cube of side t, the ratio t^-d."""
    values = SQUARE.max(axis=1)
    for t in (0.25, 0.5):
        found = float(log_measure_ratio(values, t - values.min()))
        assert found == pytest.approx(shrinking_condition(2).log_ratio(t), abs=1e-9)
    balls = lipschitz_condition(
        1.0, 2, log_volume=0.0, regularity=0.25, order=inf, t_max=1.0
    )
    assert balls.log_constant == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("power", [1.0, 2.0, 4.0])
def test_a_cone_comes_close_to_d_over_c_and_a_bowl_to_half_of_it(power):
    """F = |h|^power on a ball in d dimensions has mean excess close to d / (power c)."""
    d, c = 3, 50.0
    x = (np.arange(200_000) + 0.5) / 200_000  # values of F on the unit ball
    weights = x ** (d / power - 1) * np.exp(-c * x)
    mean = weights @ x / weights.sum()
    assert mean == pytest.approx(d / (power * c), rel=1e-3)
    general = penalised_erm_utility_gap(100, 1.0, shrinking_condition(d))
    assert general == pytest.approx(d / c * (1 + log(c / d)))
