"""Votes of a few members of a class."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from book.tools.programme import tangled
from privml.bounds import sauer_shelah
from privml.hypotheses import Thresholds, vc_dimension_by_brute_force
from privml.pate import majority_probability, vote_closure
from privml.populations import voting_fails_example
from tests.enumeration import growth_function

chapter = tangled("when-voting-wins")


@pytest.mark.source("LZCW21-ex-1")
@pytest.mark.parametrize("n_teachers", range(1, 9))
def test_the_expected_error_of_a_majority_is_that_of_all_teachers_listed(n_teachers):
    table = voting_fails_example().hypotheses.predictions[:, :4]
    errors = [
        (2 * table[list(choice)].sum(axis=0) < n_teachers).mean()
        for choice in product(range(3), repeat=n_teachers)
    ]
    assert 3 / 4 * (1 - majority_probability(1 / 3, n_teachers)) == pytest.approx(np.mean(errors))


@pytest.mark.source("LZCW21-ex-1")
def test_the_error_tends_to_three_quarters_at_hoeffdings_rate():
    teachers = np.arange(1, 400)
    assert (majority_probability(1 / 3, teachers) <= np.exp(-teachers / 18)).all()
    assert 3 / 4 * (1 - majority_probability(1 / 3, 399)) == pytest.approx(0.75)


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
@pytest.mark.parametrize("n_voters", [1, 2, 3, 4])
def test_the_votes_are_those_of_all_lists_of_members(n_voters):
    table = np.random.default_rng(5).random((5, 4)) < 0.5
    listed = [
        2 * sum(table[i] * 1 for i in choice) >= n_voters for choice in product(range(5), repeat=n_voters)
    ]
    assert vote_closure(table, n_voters).tolist() == np.unique(listed, axis=0).tolist()


@pytest.mark.source("LZCW21-def-vote-class")
def test_an_odd_vote_of_thresholds_is_a_threshold_and_three_votes_of_the_example_are_not_in_its_class():
    cuts = Thresholds(np.arange(0.5, 6)).predict(np.arange(6.0))
    for n_voters in (3, 5):
        assert vote_closure(cuts, n_voters).tolist() == np.unique(cuts, axis=0).tolist()
    table = voting_fails_example().hypotheses.predictions
    votes = vote_closure(table, 3)
    assert len(votes) == 4
    assert [1, 0, 0, 0, 1] in votes.astype(int).tolist()


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


def test_bad_parameters_are_refused():
    with pytest.raises(ValueError, match="vote_probability must be"):
        majority_probability(1.5, 3)
    with pytest.raises(ValueError, match="n_teachers must be integers from 1"):
        majority_probability(0.5, 0)
    with pytest.raises(ValueError, match="predictions must be a non-empty bool matrix"):
        vote_closure([[0, 1]], 2)
    with pytest.raises(ValueError, match="n_voters must allow at most"):
        vote_closure(np.eye(64, dtype=bool), 8)
