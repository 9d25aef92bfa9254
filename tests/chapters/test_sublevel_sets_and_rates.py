"""What the chapter on sublevel sets and rates computes: orders, closed forms, and the errata it shows."""

from math import inf, log

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import binom

from book.tools.chapter_code import chapter_module
from privml.bounds import penalised_erm_utility_gap, sublevel
from tests.chapters.checkers import checkers, several
from tests.measure_ratios import log_measure_ratio

chapter = chapter_module("sublevel-sets-and-rates")


def test_the_losses_lie_in_the_unit_interval_and_change_by_at_most_the_variation():
    for problem in (
        *(chapter.segment(name, 0.3, 2000) for name in chapter.SLOPE),
        chapter.square(16),
    ):
        assert problem.losses.min() >= 0
        assert problem.losses.max() <= 1
        if problem.d == 1:
            assert (
                abs(np.diff(problem.losses, axis=0)).max()
                <= 2 * problem.variation + 1e-12
            )


def test_the_samples_that_are_left_out_do_not_matter():
    for n, share in ((5, 0.3), (10**4, 0.02), (10**5, 0.4)):
        frequencies, chances = chapter.samples([1 - share, share], n)
        assert chances.sum() == pytest.approx(1, abs=1e-12)
        assert chances @ frequencies[:, 1] == pytest.approx(share)


@pytest.mark.source("WLF16-cond-A2", "WLF16-ex-21")
def test_the_bands_hold_the_ratios_of_closed_form_and_no_convex_problem_leaves_its_line():
    heights, chances = np.geomspace(0.02, 0.5, 6), binom.pmf(np.arange(9), 8, 0.3)
    exact = {
        "absolute": lambda p, t: min(t / abs(1 - 2 * p), 1) if p != 0.5 else 1.0,
        "squared": lambda p, t: min(p + t**0.5, 1) - max(p - t**0.5, 0),
    }
    problems = {name: chapter.segment(name, 0.3) for name in chapter.SLOPE} | {
        "logistic": chapter.square()
    }
    for name, problem in problems.items():
        lower, upper = (
            bound.log_mean for bound in chapter.ratio_bounds(problem, 8, heights)
        )
        assert (lower <= upper + 1e-12).all()
        if name != "needle":
            assert (lower <= -problem.d * np.log(heights) + 1e-12).all()
        if name in exact:
            ratios = [
                [1 / exact[name](yes / 8, t) for yes in range(9)] for t in heights
            ]
            found = np.log(np.array(ratios) @ chances)
            assert (lower - 1e-9 <= found).all()
            assert (found <= upper + 1e-9).all()


@pytest.mark.source("WLF16-cond-A2")
def test_certified_constants_are_those_of_the_definition():
    found = {}
    for name in chapter.SLOPE:
        problem = chapter.segment(name, 0.3)
        _, upper = chapter.ratio_bounds(problem, 8, np.geomspace(0.05, 0.4, 8))
        found[name] = chapter.certificate(problem, upper, name != "needle")
    assert found["absolute"][1] == pytest.approx(0.95, abs=0.1)
    assert found["squared"][1] < 0.55
    assert found["needle"][3] > 2
    assert min(row[2] for row in found.values()) > 0
    assert [bool(np.isnan(row[4])) for row in found.values()] == [False, False, True]


@pytest.mark.erratum("WLF16-ex-21/1")
def test_the_printed_volume_fails_from_the_dimensions_named():
    rows = {(d, p): chapter.cone(d, p) for d in range(1, 21) for p in (1.0, 2.0, inf)}
    fails = [(d, p) for (d, p), row in rows.items() if not row[2]]
    assert {p: min(d for d, q in fails if q == p) for _, p in fails} == {
        1.0: 5,
        2.0: 15,
    }
    assert all(
        (ours > printed) == (volume < 1)
        for volume, _, _, printed, ours in rows.values()
    )


def mean_square(p, q):
    """Mean of (h - q)^2 under the density proportional to exp(-6 (h - p)^2) on [0, 1]."""
    total = quad(lambda h: np.exp(-6 * (h - p) ** 2), 0, 1)[0]
    return quad(lambda h: np.exp(-6 * (h - p) ** 2) * (h - q) ** 2, 0, 1)[0] / total


@pytest.mark.source("WLF16-thm-19", "WLF16-lem-37")
def test_the_exact_expectations_agree_with_adaptive_quadrature():
    found = chapter.on_the_interval("squared", 0.3, 6, 2.0)
    gap = excess = 0.0
    for yes in range(7):
        p, chance = yes / 6, binom.pmf(yes, 6, 0.3)
        gap += chance * mean_square(p, p)
        excess += chance * mean_square(p, 0.3)
    assert found == pytest.approx((gap, excess), rel=1e-5)


@pytest.mark.source("WLF16-thm-19", "WLF16-ex-20", "WLF16-ex-21", "WLF16-fig-3")
def test_exact_risks_lie_below_all_bounds_and_the_bounds_in_order():
    for name in ("absolute", "squared"):
        for m in (50, 2000):
            _, _, excess, convex, condition, source = chapter.rate(name, m, 0.4)
            assert excess < convex < condition < source / 4.5
    for m in (100, 10_000):
        _, _, excess, ours, source, *_ = chapter.level_rate(16, m, 0.4)
        assert excess < ours < source


def test_with_many_records_the_excess_of_the_absolute_loss_is_one_over_c():
    _, epsilon, excess, *_ = chapter.rate("absolute", 10**6, 0.4)
    assert excess * epsilon * 10**6 / 2 == pytest.approx(1, rel=1e-3)


@pytest.mark.source("WLF16-lem-36")
@pytest.mark.parametrize("size", [2, 16, 10**6])
def test_the_worst_class_lies_between_half_the_entropy_and_the_entropy(size):
    printed, tight, ours, worst = chapter.in_units(size, 10**5, 0.2)
    assert (0.75 * ours if size > 100 else 0) < worst < ours < tight / 2.5
    assert printed == pytest.approx(1.8 * tight)
    gap = chapter.finite_utility_gap(size, 2, 10.0)  # c = 10
    found, bound = chapter.drawn(np.r_[0.0, np.full(size - 1, gap + 1 / 10)], 10.0)
    assert (
        gap - 1e-9 < found < bound <= np.log(size) / 10 + 1.01e-4
    )  # unit 1, at the least height


@pytest.mark.source("WLF16-fig-3")
def test_every_number_of_the_map_is_below_its_bound():
    numbers = chapter.theorem_map(5, 12, 0.8, 0.3)
    assert all(exact <= bound + 1e-12 for exact, bound in numbers.values())
    assert (
        {name for arrow in chapter.ARROWS for name in arrow}
        == set(chapter.PLACES)
        > set(numbers)
    )


@pytest.mark.erratum("WLF16-lem-36/1", "WLF16-thm-19/2")
def test_beyond_the_known_heights_the_printed_bounds_are_false():
    _, t, exact, printed, printed_risk, ours = chapter.beyond(50, 0.05)
    assert t > 0.01
    values = np.r_[0.0, np.full(999, 0.5)]
    weights = np.exp(-0.05 * 50 / (2 * 2) * values)  # sensitivity 2 / n
    assert exact == pytest.approx(values @ weights / weights.sum(), rel=1e-12)
    assert ours > exact > 2 * printed_risk > 2 * printed


@pytest.mark.erratum("WLF16-thm-19/1", "WLF16-lem-37/2")
def test_the_regulariser_counts_twice():
    excess, once, twice = chapter.changing_sign(0.25, 10**8, 1e-3)
    assert once < excess <= twice


@pytest.mark.erratum("WLF16-lem-36/2")
def test_the_step_with_a_negative_infimum_needs_twice_the_supremum():
    left, printed, corrected = chapter.negative_infimum(2.0, 0.1, 0.5)
    assert (left, printed, corrected) == pytest.approx((-0.6, 0.3, -0.7))
    assert corrected <= left < printed


@pytest.mark.source("WLF16-cond-A2")
def test_thresholds_have_no_mean_ratio_and_a_small_gap():
    rng = np.random.default_rng(0)
    rows = {m: chapter.thresholds(m, 1.0, rng, n_draws=2000) for m in (1, 4, 50)}
    assert rows[4][2] == pytest.approx(1 + 1 / 2 + 1 / 3 + 1 / 4)
    one = 1 + np.log(1e6)  # E min(1/x, L) for one uniform x
    assert rows[1][1] == pytest.approx(one, rel=1e-4)
    for *_, bound, gap in rows.values():
        assert gap + 4 * 0.5 / 2000**0.5 * max(gap, 0.05) < bound
    exact = quad(lambda x: (1 - x) * np.exp(-0.5) / (x + (1 - x) * np.exp(-0.5)), 0, 1)[
        0
    ]
    assert rows[1][-1] == pytest.approx(exact, abs=4 * 0.3 / 2000**0.5)


def ratio(values, t):
    values = np.asarray(values)
    return len(values) / np.sum(values <= values.min() + t)


SIZE = chapter.records_needed(0.1, 2.0, chapter.shrinking_condition(1))
DIP = np.r_[0.0, np.full(999, 0.05)]
test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "bowl": [
            (lambda a, d: d / a, None),
            (lambda a, d: d, "volume t"),
            (lambda a, d: a * d, "volume t"),
            (lambda a, d: 1 / a, "volume t"),
        ],
        "ratio": [
            (ratio, None),
            (lambda values, t: 1 / ratio(values, t), "two of three"),
            (
                lambda values, t: len(values) / np.sum(np.asarray(values) <= t),
                "least value",
            ),
            (
                lambda values, t: (
                    len(values) / np.sum(np.asarray(values) < min(values) + t)
                ),
                "closed",
            ),
        ],
        "worst": [
            ([0.0] + [3.598] * 99, None),
            ([0.0] * 100, "is possible"),
            ([0.0] + [3.0] * 99, "is possible"),
            (np.linspace(0, 5, 100), "is possible"),
            ([1.0] * 100, "one of them 0"),
        ],
        "sizes": [
            (several(SIZE, 200), None),
            (several(SIZE + 1, 200), "fewer are enough"),
            (several(SIZE - 1, 200), "too small"),
            (several(SIZE, 201), "fewer than"),
            (several(SIZE, 199), "too few"),
        ],
        "needle": [
            (DIP, None),
            (np.r_[np.zeros(30), np.full(970, 0.05)], "not 4 times"),
            (DIP - 0.1, "in "),
        ],
    },
    chapter,
)
shrinking_condition = chapter_module("sublevel-sets-and-rates").shrinking_condition
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
    for c in (1.0, 5.0, 25.0):
        weights = np.exp(-c * values)
        assert values @ weights / weights.sum() <= points.shape[1] / c + 0.01
    needle = np.where(
        abs(GRID - 0.5) < 0.003, 0.0, 1.0
    )  # without convexity the mean is far above
    assert needle @ np.exp(-2.0 * needle) / np.exp(-2.0 * needle).sum() > 4 / 5 > 1 / 2


@pytest.mark.source("WLF16-ex-21")
def test_a_cone_whose_apex_is_a_corner_attains_the_condition():
    """F = max(h) on the unit cube: the sublevel set is a cube of side t, the ratio t^-d."""
    values = SQUARE.max(axis=1)
    for t in (0.25, 0.5):
        found = float(log_measure_ratio(values, t - values.min()))
        assert found == pytest.approx(shrinking_condition(2).log_ratio(t), abs=1e-9)
    old = sublevel.lipschitz_condition(
        1.0, 2, log_volume=0.0, regularity=0.25, order=inf, t_max=1.0
    )
    assert old.log_constant == pytest.approx(shrinking_condition(2).log_constant)


@pytest.mark.source("WLF16-ex-21")
@pytest.mark.parametrize("dimension", [1, 2, 5, 20])
def test_shrinking_is_never_worse_than_balls_for_a_lipschitz_objective_on_the_unit_ball(
    dimension,
):
    """Volumes: L^d / beta with beta <= 1/2.  Shrinking: (2 L)^d.  Half a ball has no better constant."""
    volume = sublevel.log_ball_volume(dimension)
    balls = sublevel.lipschitz_condition(
        1.0, dimension, log_volume=volume, regularity=0.5, t_max=1.0
    )
    assert balls.log_constant == pytest.approx(log(2))
    assert shrinking_condition(dimension, 2.0).log_constant == pytest.approx(
        dimension * log(2)
    )


@pytest.mark.source("WLF16-lem-36")
@pytest.mark.parametrize("dimension", [1, 3])
def test_a_cone_comes_close_to_d_over_c_and_the_general_bound_has_a_logarithm_more(
    dimension,
):
    n_samples, epsilon = 400, 1.0
    c = epsilon * n_samples / 2
    r = (np.arange(200_000) + 0.5) / 200_000
    weights = r ** (dimension - 1) * np.exp(-c * r)
    limit = dimension / c
    assert (r * weights).sum() / weights.sum() == pytest.approx(limit, rel=1e-3)
    general = penalised_erm_utility_gap(
        n_samples, epsilon, shrinking_condition(dimension)
    )
    assert general == pytest.approx(limit * (1 + log(c / dimension)))
