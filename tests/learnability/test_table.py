"""The rows of Table 1: every instance keeps to its public range, and the column "bounded" tells the truth."""

import numpy as np
import pytest

from privml.learnability import (
    LearningProblem,
    exponential_learner,
    rescaled_problem,
    rows,
)
from tests.refusals import refused

ROWS = pytest.mark.parametrize("row", rows(), ids=lambda row: row.name)
RADII = [1.0, 10.0, 100.0, 1000.0]


@ROWS
@pytest.mark.parametrize("radius", [1.0, 3.0, 50.0])
def test_raw_losses_keep_to_the_range_that_the_row_proves(row, radius):
    raw = row.example(radius)
    assert raw.lower - 1e-9 <= raw.losses.min()
    assert raw.losses.max() <= raw.upper + 1e-9
    problem = row.problem(radius)
    np.testing.assert_allclose(
        problem.losses * (raw.upper - raw.lower) + raw.lower, raw.losses, atol=1e-9
    )
    assert problem.losses.shape == raw.losses.shape


@ROWS
@pytest.mark.source("WLF16-tab-1")
@pytest.mark.erratum("WLF16-tab-1/2")
def test_the_largest_loss_grows_without_bound_unless_the_row_is_marked_as_bounded(row):
    growth = row.growth(RADII)
    if row.bounded:
        assert (growth == growth[0]).all()
    else:
        assert (np.diff(growth) > 0.2).all()
        raw = row.example(RADII[-1])
        with pytest.raises(ValueError, match=r"losses must be in \[0, 1\]"):
            LearningProblem(raw.losses)


def test_one_row_of_thirteen_is_bounded_as_printed():
    assert [row.name for row in rows() if row.bounded] == ["binary classification"]
    assert len(rows()) == 13


@ROWS
def test_each_instance_is_a_problem_on_which_there_is_something_to_learn(row):
    problem = row.problem()
    assert len(np.unique(problem.losses.argmin(axis=0))) > 1
    counts = np.eye(problem.n_records, dtype=int)[:2] * 50
    gap = (
        exponential_learner(problem, 1.0)(counts)
        * problem.excess_empirical_risk(counts)
    ).sum(axis=1)
    assert (gap <= 2 * np.log(problem.n_hypotheses) / 50 + 1e-12).all()


def test_rescaling_keeps_the_order_of_all_risks_and_divides_the_excess():
    losses = np.random.default_rng(2).normal(size=(5, 4)) * 3
    problem = rescaled_problem(losses, lower=-20.0, upper=30.0)
    law = np.array([0.1, 0.2, 0.3, 0.4])
    raw = losses @ law
    np.testing.assert_allclose(problem.excess_risk(law), (raw - raw.min()) / 50)


def test_clipping_may_change_which_hypothesis_is_best():
    losses = [[0.0, 0.0, 9.0], [2.0, 2.0, 2.0]]
    counts = [[1, 1, 1]]
    kept = rescaled_problem(losses, upper=9.0).excess_empirical_risk(counts)
    clipped = rescaled_problem(losses, upper=3.0, clip=True).excess_empirical_risk(
        counts
    )
    assert kept.argmin() == 1
    assert clipped.argmin() == 0


test_losses_outside_of_the_range_are_refused = refused(
    (
        [[0.0, 4.0]],
        {"upper": 3.0},
        r"losses must be in \[0, 3\], but got \[0, 4\]. Give a wider range",
    ),
    ([[-1.0, 1.0]], {"upper": 3.0}, "losses must be in"),
    ([[np.nan, 1.0]], {"upper": 3.0}, "losses must be numbers, but got NaN"),
    ([[np.inf, 1.0]], {"upper": 3.0}, "losses must be in"),
    ([[0.0]], {"upper": np.inf}, "upper must be a finite number"),
    ([[0.0]], {"upper": 0.0}, "upper must be above lower = 0.0"),
    ([0.0], {"upper": 1.0}, "losses must be a table"),
    call=lambda losses, options: rescaled_problem(losses, **options),
)


def test_an_infinite_loss_can_be_clipped():
    assert rescaled_problem([[np.inf, 1.0]], upper=2.0, clip=True).losses.tolist() == [
        [1.0, 0.5]
    ]


def test_ranges_of_examples_are_checked():
    for row in rows():
        with pytest.raises(ValueError, match="radius must be positive"):
            row.example(float("nan"))
        with pytest.raises(ValueError, match="radius must be at least 1"):
            row.problem(0.5)
