"""Teachers for a sparse vector of votes, and the error of a passive student without a noise condition."""

from functools import partial
from math import floor, log, sqrt

import numpy as np
import pytest

from privml.bounds.pate import passive_cutoff, sparse_vector_teachers
from privml.bounds.students import passive_bound
from privml.pate import SparseVectorAggregator
from tests.refusals import refused


def printed(n_queries, cutoff, epsilon, delta):
    source = {"calibration": "source", "split": "source"}
    return SparseVectorAggregator(
        n_queries=n_queries, cutoff=cutoff, epsilon=epsilon, delta=delta, **source
    )


@pytest.mark.source("LZCW21-lem-3")
def test_the_teachers_of_the_source_are_the_formula():
    by_hand = 136 * log(4 * 1000 * 20 / 1e-6) * sqrt(20 * log(2e6))
    assert (
        by_hand <= sparse_vector_teachers(1000, 20, 1.0, 1e-6, beta=0.05) < by_hand + 1
    )


@pytest.mark.erratum("LZCW21-lem-3/2", "LZCW21-thm-5/4")
@pytest.mark.parametrize(
    ("epsilon", "teachers", "failure"),
    [(100.0, 122, 0.18), (200.0, 61, 1.0), (20.0, None, 0.0)],
)
def test_without_a_condition_on_epsilon_the_lemma_fails(epsilon, teachers, failure):
    """All margins at K / 3: the exact chance that one of 100 points is refused in the first run."""
    n_queries, cutoff, delta, beta = 100, 5, 1e-3, 0.1
    logs = log(4 * n_queries * cutoff / min(delta, beta / 2)) * sqrt(
        cutoff * log(2 / delta)
    )
    n_teachers = int(np.ceil(136 * logs / epsilon))
    assert teachers is None or n_teachers == teachers
    aggregator = printed(n_queries, cutoff, epsilon, delta)
    distance = np.ceil(np.ceil(n_teachers / 3) / 2) - 1
    a, b = vars(aggregator.noise).values()
    offset = np.linspace(-40 * a, 40 * a, 80_001)
    gap = distance - aggregator.threshold - offset
    passes = np.where(
        gap > 0, 1 - np.exp(-np.abs(gap) / b) / 2, np.exp(-np.abs(gap) / b) / 2
    )
    density = np.exp(-np.abs(offset) / a) / (2 * a) * (offset[1] - offset[0])
    refused = 1 - (density * passes**n_queries).sum()
    assert refused == pytest.approx(failure, abs=0.03)
    if epsilon > log(2 / delta):
        with pytest.raises(ValueError, match="epsilon must be at most"):
            sparse_vector_teachers(n_queries, cutoff, epsilon, delta, beta=beta)


@pytest.mark.source("LZCW21-thm-5", "LZCW21-thm-27")
@pytest.mark.parametrize("best_error", [0.0, 0.02])
def test_the_parameters_of_the_bound_are_the_smallest_that_fit_each_other(best_error):
    options = {
        "n_public": 2000,
        "n_hypotheses": 100,
        "epsilon": 1.0,
        "delta": 1e-6,
        "beta": 0.05,
    }
    bound = passive_bound(10**9, **options, best_error=best_error)
    assert bound.n_teachers == sparse_vector_teachers(
        2000, bound.cutoff, 1.0, 1e-6, beta=0.05 / 4
    )
    student = (
        best_error
        + 2 * (bound.cutoff - 1) / 2000
        + 2 * sqrt(log(8 * 100 / 0.05) / (2 * 2000))
    )
    assert bound.error == pytest.approx(min(1, student))
    assert (
        passive_cutoff(bound.teacher_error, 2000, bound.n_teachers, beta=0.05 / 4)
        <= bound.cutoff
    )
    wider = sparse_vector_teachers(2000, bound.cutoff - 1, 1.0, 1e-6, beta=0.05 / 4)
    error = (
        sqrt(best_error) + sqrt(log(100 * wider / (0.05 / 4)) / (10**9 // wider))
    ) ** 2
    assert passive_cutoff(error, 2000, wider, beta=0.05 / 4) > bound.cutoff - 1


@pytest.mark.source("LZCW21-thm-5")
def test_the_bound_falls_with_the_records_and_says_nothing_for_few():
    bounds = [
        passive_bound(n, 2000, 100, 1.0, 1e-6, beta=0.05).error
        for n in (10**3, 10**7, 10**8, 10**9)
    ]
    assert bounds[0] == 1.0
    assert (np.diff(bounds) <= 0).all()
    assert bounds[-1] < bounds[1]


@pytest.mark.erratum("LZCW21-thm-5/3")
def test_the_agnostic_factor_comes_close_to_seven():
    """With more and more records and public points the bound tends to 7 times the best error."""
    bound = passive_bound(10**30, 10**12, 100, 1.0, 1e-6, beta=0.05, best_error=0.01)
    assert 7 * 0.01 < bound.error < 7.01 * 0.01


@pytest.mark.erratum("LZCW21-thm-5/1", "LZCW21-thm-27/1", "LZCW21-thm-27/2")
def test_the_cutoff_from_the_expected_error_is_too_small():
    """A third of the teachers are wrong on a tenth of the points: the exact chance, by a binomial tail."""
    from scipy.stats import binom

    size, distance, n_teachers, n_public = 11, 0.0978, 301, 10**8
    wrong = (1 - distance) ** size
    assert wrong == pytest.approx(0.3225, abs=5e-4)
    chance = binom.sf(np.ceil(n_teachers / 3) - 1, n_teachers, wrong)
    printed_cutoff = 3 * (
        wrong * distance * n_public + sqrt(n_public * log(n_public / 0.05) / 2)
    )
    assert chance == pytest.approx(0.33, abs=0.02)
    assert printed_cutoff < distance * n_public
    assert (
        passive_cutoff(distance, n_public, n_teachers, beta=0.05) > distance * n_public
    )


test_bad_parameters_are_refused = refused(
    (partial(passive_cutoff, beta=0.1), (1.5, 10, 3), "teacher_error must be"),
    call=lambda function, arguments: function(*arguments),
)


@pytest.mark.source("LZCW21-thm-5")
def test_the_cutoff_is_the_one_that_the_theorem_asks_for():
    """T >= 1 + floor(3 B): at most floor(3 B) points get K / 3 wrong votes, and T - 1 do not halt a run."""
    mistakes = 1000 * 0.005 + sqrt(1000 * log(400 / 0.05) / 2)
    assert 3 * mistakes == pytest.approx(216.1, abs=0.1)
    assert passive_cutoff(0.005, 1000, 400, beta=0.05) == 1 + floor(3 * mistakes) == 217
