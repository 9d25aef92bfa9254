"""The class of majority votes: its dimension and growth, its margins, and students among the votes."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from book.tools.programme import tangled
from privml.bounds import sauer_shelah
from privml.hypotheses import vc_dimension_by_brute_force
from privml.pate import infinite_ensemble, teacher_law, vote_closure
from privml.populations import voting_fails_example
from tests.enumeration import growth_function

chapter = tangled("when-voting-wins")


@pytest.mark.source("LZCW21-def-vote-class")
@pytest.mark.erratum("LZCW21-def-vote-class/1")
@pytest.mark.parametrize(("table", "n_voters", "dimension"), [("union_class", 2, 2), ("median_class", 3, 3)])
def test_the_votes_shatter_all_points_which_are_more_than_voters_times_dimension(table, n_voters, dimension):
    predictions = getattr(chapter, table)()
    n_points = predictions.shape[1]
    assert vc_dimension_by_brute_force(predictions) == dimension
    assert len(vote_closure(predictions, n_voters)) == 2**n_points
    assert n_points > n_voters * dimension
    assert n_points <= chapter.vote_vc_bound(n_voters, dimension)


@pytest.mark.source("LZCW21-eq-4")
@pytest.mark.erratum("LZCW21-prop-30/2")
@pytest.mark.parametrize("p", [0.0, 0.3, 0.5, 0.52, 1.0])
def test_the_mean_margin_is_at_least_twice_the_expected_one_and_more_near_one_half(p):
    for n_teachers in (1, 2, 10, 101):
        votes = np.arange(n_teachers + 1)
        exact = (np.abs(2 * votes - n_teachers) * binom.pmf(votes, n_teachers, p)).sum()
        found = chapter.mean_margin(p, n_teachers)
        assert found == pytest.approx(exact)
        assert found >= 2 * n_teachers * abs(p - 0.5) - 1e-9
    gap = chapter.mean_margin(p, 101) - 202 * abs(p - 0.5)
    assert (gap > 1) == (p in (0.5, 0.52))


@pytest.mark.source("LZCW21-def-vote-class")
@pytest.mark.parametrize("seed", range(6))
def test_the_growth_function_of_votes_is_at_most_a_power_and_the_dimension_within_its_bound(seed):
    table = np.random.default_rng(seed).random((6, 7)) < 0.5
    d = vc_dimension_by_brute_force(table)
    for n_voters in (2, 3):
        votes = vote_closure(table, n_voters)
        for size in (2, 4, 6):
            own = growth_function(table, size)
            assert growth_function(votes, size) <= own**n_voters
        assert vc_dimension_by_brute_force(votes) <= chapter.vote_vc_bound(n_voters, d)


@pytest.mark.source("LZCW21-def-vote-class")
def test_the_bound_on_the_dimension_is_the_last_size_with_enough_labellings():
    for n_voters, d in product((1, 2, 5, 20), (1, 2, 4)):
        last = chapter.vote_vc_bound(n_voters, d)
        holds = [2**m <= sauer_shelah(d, m) ** n_voters for m in range(1, last + 40)]
        assert holds == [True] * last + [False] * 39
    assert [chapter.vote_vc_bound(1, d) for d in (1, 2, 7)] == [1, 2, 7]


@pytest.mark.source("LZCW21-thm-20")
@pytest.mark.source("LZCW21-thm-32")
@pytest.mark.erratum("LZCW21-thm-20/2")
@pytest.mark.erratum("LZCW21-thm-32/1")
def test_a_student_among_the_votes_has_at_most_two_disagreements_per_unstable_label():
    """Random labels for the infinite ensemble, mostly no vote of the class; at most U labels are off."""
    rng, outside = np.random.default_rng(8), 0
    for _ in range(600):
        table, n_voters = rng.random((3, 8)) < rng.random(), int(rng.integers(1, 5))
        votes, unstable = vote_closure(table, n_voters), int(rng.integers(0, 3))
        realised = votes[rng.integers(len(votes))]
        infinite, private = realised.copy(), realised.copy()
        low = rng.choice(8, size=unstable, replace=False)
        infinite[low] ^= rng.random(unstable) < 0.7  # low-margin points may differ
        private[low] = np.where(rng.random(unstable) < 0.5, rng.random(unstable) < 0.5, private[low])
        outside += not (votes == infinite).all(axis=1).any()
        for student in chapter.nearest(votes, private, np.full(8, 1 / 8)):
            assert (votes[student] != infinite).sum() <= 2 * unstable
    assert outside > 50


@pytest.mark.source("LZCW21-thm-19")
@pytest.mark.source("LZCW21-thm-31")
def test_a_student_in_the_class_is_at_the_least_distance_plus_two_per_wrong_label():
    rng = np.random.default_rng(9)
    for _ in range(600):
        table, infinite = rng.random((4, 8)) < 0.5, rng.random(8) < 0.5
        private, wrong = infinite.copy(), int(rng.integers(0, 4))
        private[rng.choice(8, size=wrong, replace=False)] ^= True
        least = (table != infinite).sum(axis=1).min()
        for student in chapter.nearest(table, private, np.full(8, 1 / 8)):
            assert (table[student] != infinite).sum() <= least + 2 * wrong


nearest = tangled("when-voting-wins").nearest


@pytest.mark.source("LZCW21-rem-inconsistency")
@pytest.mark.erratum("LZCW21-ex-1/2")
@pytest.mark.parametrize("best_error", [0.5, 0.2, 0.05])
def test_the_student_loses_half_the_best_error_with_the_centre_and_nothing_without(best_error):
    excesses = []
    for with_centre in (False, True):
        problem = voting_fails_example(with_centre, best_error)
        table = problem.hypotheses.predictions
        law = teacher_law(*problem, 24)
        assert law[3:].sum() < (0.01 if best_error == 0.5 else 0.25)
        labels = infinite_ensemble(law, table).labels
        errors = problem.population.error_rates(problem.hypotheses)
        assert errors.min() == pytest.approx(best_error)
        students = nearest(table, labels, problem.masses)
        excesses.append(errors[students].max() - best_error)
        assert problem.hypotheses.vc_dimension == 1
    assert excesses == pytest.approx([0, best_error / 2], abs=1e-12)
