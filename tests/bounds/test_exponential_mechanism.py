"""The utility theorem solved three ways, and its use for empirical errors."""

import math
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privml.bounds import private_pac as em
from privml.learners import exponential_mistake_learner

SMALL = st.floats(0.01, 10.0), st.floats(1e-9, 0.9), st.floats(0.1, 10.0)
PARAMETERS = st.tuples(st.integers(2, 10**6), *SMALL)


@pytest.mark.source("L4-exp-mech-utility", "S16-thm-0.2")
@given(PARAMETERS)
def test_gap_and_failure_solve_one_equation(parameters):
    n_outcomes, epsilon, beta, sensitivity = parameters
    gap = em.exponential_utility_gap(
        n_outcomes, epsilon, beta=beta, sensitivity=sensitivity
    )
    failure = n_outcomes * math.exp(-epsilon * gap / (2 * sensitivity))
    assert failure == pytest.approx(beta, rel=1e-9)


@pytest.mark.source("S16-thm-0.2")
def test_several_optima_subtract_their_logarithm():
    plain = em.exponential_utility_gap(100, 2.0, beta=0.1)
    refined = em.exponential_utility_gap(100, 2.0, beta=0.1, n_optimal=20)
    assert plain - refined == pytest.approx(2 / 2.0 * math.log(20))


@pytest.mark.source("L4-private-erm-gap", "DR11-lem-empirical-utility")
@pytest.mark.parametrize(
    ("n_samples", "epsilon", "beta"), [(6, 0.5, 0.3), (12, 2.0, 0.1), (20, 1.0, 0.05)]
)
def test_the_empirical_gap_holds_on_every_vector_of_mistakes(n_samples, epsilon, beta):
    """All data sets at once: any mistakes of four hypotheses, the first one best."""
    mistakes = np.array(list(combinations_with_replacement(range(n_samples + 1), 4)))
    law = exponential_mistake_learner(epsilon)(mistakes)
    gap = em.private_erm_gap(4, n_samples, epsilon, beta=beta)
    assert (law * ((mistakes - mistakes[:, :1]) / n_samples >= gap)).sum(
        axis=1
    ).max() <= beta


@pytest.mark.parametrize(
    ("name", "bad", "message"),
    [
        ("epsilon", 0.0, "epsilon must be positive"),
        ("n_optimal", 4, "n_optimal must be at most n_outcomes"),
    ],
)
def test_bad_parameters_are_refused(name, bad, message):
    good = {
        "n_outcomes": 3,
        "epsilon": 1.0,
        "beta": 0.1,
        "sensitivity": 1.0,
        "n_optimal": 1,
    }
    with pytest.raises(ValueError, match=message):
        em.exponential_utility_gap(**{**good, name: bad})
