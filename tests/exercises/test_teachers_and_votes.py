"""Each checker of the chapter on teachers and votes takes the solution and refuses wrong answers."""

import pytest
from scipy.stats import norm

from privml.exercises import teachers_and_votes as exercises
from privml.pate import vote_sigma


def queries(n_teachers, epsilon, delta, beta, factor=2):
    sigma = vote_sigma(1, epsilon, delta)
    return int((n_teachers / (factor * sigma * norm.isf(beta))) ** 2)


def test_the_number_of_queries_is_accepted():
    exercises.check_queries(queries)


@pytest.mark.parametrize(("factor", "hint"), [(1, "too many"), (2 * 2**0.5, "fewer than possible")])
def test_a_wrong_number_of_queries_is_refused(factor, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_queries(lambda *arguments: queries(*arguments, factor))


def test_the_share_of_equal_noises_is_accepted_and_another_is_not():
    exercises.check_share(1000 / 1100)
    with pytest.raises(AssertionError, match="the noise of a check is"):
        exercises.check_share(1000 / 1050)


def test_a_rule_that_stops_above_the_claim_is_accepted():
    exercises.check_stop(lambda loss: loss > 2.3)


@pytest.mark.parametrize("rule", [lambda loss: True, lambda loss: False, lambda loss: loss < 2.3])
def test_a_rule_that_does_not_look_or_looks_the_wrong_way_is_refused(rule):
    with pytest.raises(AssertionError, match="times δ"):
        exercises.check_stop(rule)
