"""Votes of a few members of a class."""

from itertools import product

import numpy as np
import pytest

from privml.hypotheses import Thresholds
from privml.pate import majority_probability, vote_closure
from privml.populations import voting_fails_example
from tests.refusals import refused


@pytest.mark.source("LZCW21-ex-1")
@pytest.mark.parametrize("n_teachers", range(1, 9))
def test_the_expected_error_of_a_majority_is_that_of_all_teachers_listed(n_teachers):
    table = voting_fails_example().hypotheses.predictions[:, :4]
    choices = product(range(3), repeat=n_teachers)
    errors = [
        (2 * table[list(choice)].sum(axis=0) < n_teachers).mean() for choice in choices
    ]
    assert 3 / 4 * (1 - majority_probability(1 / 3, n_teachers)) == pytest.approx(
        np.mean(errors)
    )


@pytest.mark.source("LZCW21-ex-1")
def test_the_error_tends_to_three_quarters_at_hoeffdings_rate():
    teachers = np.arange(1, 400)
    assert (majority_probability(1 / 3, teachers) <= np.exp(-teachers / 18)).all()
    assert 3 / 4 * (1 - majority_probability(1 / 3, 399)) == pytest.approx(0.75)


@pytest.mark.source("LZCW21-def-vote-class")
@pytest.mark.parametrize("n_voters", [1, 2, 3, 4])
def test_the_votes_are_those_of_all_lists_of_members(n_voters):
    table = np.random.default_rng(5).random((5, 4)) < 0.5
    choices = product(range(5), repeat=n_voters)
    listed = [2 * sum(table[i] * 1 for i in choice) >= n_voters for choice in choices]
    assert vote_closure(table, n_voters).tolist() == np.unique(listed, axis=0).tolist()


@pytest.mark.source("LZCW21-def-vote-class")
def test_an_odd_vote_of_thresholds_is_a_threshold_and_three_votes_of_the_example_are_not_in_its_class():
    cuts = Thresholds(np.arange(0.5, 6)).predict(np.arange(6.0))
    for n_voters in (3, 5):
        assert vote_closure(cuts, n_voters).tolist() == np.unique(cuts, axis=0).tolist()
    votes = vote_closure(voting_fails_example().hypotheses.predictions, 3)
    assert len(votes) == 4
    assert [1, 0, 0, 0, 1] in votes.astype(int).tolist()


test_bad_parameters_are_refused = refused(
    (lambda: majority_probability(1.5, 3), "vote_probability must be"),
    (lambda: majority_probability(0.5, 0), "n_teachers must be integers from 1"),
    (lambda: vote_closure([[0, 1]], 2), "predictions must be a non-empty bool matrix"),
    (lambda: vote_closure(np.eye(64, dtype=bool), 8), "n_voters must allow at most"),
)
