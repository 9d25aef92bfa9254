"""Randomised response: its law, its draws, its estimate, and what it refuses."""

import warnings
from itertools import product

import mpmath
import numpy as np
import pytest

from privml.mechanisms import RandomisedResponse, UnaryEncoding
from tests.enumeration import Scripted
from tests.refusals import refused


@pytest.mark.source("WLF16-def-2")
@pytest.mark.parametrize("n_values", [2, 5])
@pytest.mark.parametrize("epsilon", [1e-3, 1.0, 40.0])
def test_every_ratio_of_two_answers_is_one_or_e_to_the_epsilon(epsilon, n_values):
    survey = RandomisedResponse(epsilon, n_values)
    laws = np.array(
        [survey.output_distribution(value).logpmf() for value in range(n_values)]
    )
    off = ~np.eye(n_values, dtype=bool)
    np.testing.assert_allclose(
        np.diag(laws)[:, None] - laws, np.where(off, epsilon, 0.0), atol=1e-12
    )
    np.testing.assert_allclose(np.exp(np.diag(laws)), survey.keep, rtol=1e-12)


@pytest.mark.parametrize("n_values", [2, 3])
def test_draws_have_the_law_and_are_independent(n_values):
    survey, n_draws = RandomisedResponse(1.0, n_values), 100_000
    drawn = survey.release(np.tile([0, n_values - 1], (n_draws, 1)), rng=1)
    law = np.multiply.outer(
        *(survey.output_distribution(value).pmf() for value in (0, n_values - 1))
    )
    for pair in product(range(n_values), repeat=2):
        p, seen = law[pair], (drawn == pair).all(axis=1).mean()
        assert abs(seen - p) <= 4.5 * np.sqrt(p * (1 - p) / n_draws)


@pytest.mark.parametrize("n_values", [2, 3])
def test_the_share_is_unbiased_with_the_stated_deviation_over_all_answers(n_values):
    survey, records = RandomisedResponse(0.8, n_values), (0, 1, 1, 0, 1)
    laws = [survey.output_distribution(record).pmf() for record in records]
    outcomes = list(product(range(n_values), repeat=len(records)))
    weights = np.array(
        [np.prod([law[a] for law, a in zip(laws, o, strict=True)]) for o in outcomes]
    )
    estimates = np.array([survey.share(outcome) for outcome in outcomes])
    assert weights @ estimates == pytest.approx(3 / 5)
    if n_values == 2:
        deviation = np.sqrt(weights @ (estimates - 3 / 5) ** 2)
        assert deviation == pytest.approx(1 / (2 * np.sinh(0.4) * np.sqrt(5)))


@pytest.mark.parametrize(
    "record", [2, -1, 0.5, 10**400, "1", "a", None, np.nan, np.inf, -np.inf, [1]]
)
def test_no_record_is_refused_by_its_value_nor_moves_another(record):
    survey = RandomisedResponse(1e4, 2**60)  # which draws no lie
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        answers = survey.release([5, record, 7], rng=0).tolist()
        law = (
            RandomisedResponse(1.0).output_distribution(record)
            if record != [1]
            else None
        )
    assert answers[::2] == [5, 7]
    assert 0 <= answers[1] < 2**60
    assert law is None or law.pmf().size == 2


def test_a_record_outside_the_values_counts_as_the_nearest_and_a_gap_as_0():
    survey = RandomisedResponse(1e4, 3)
    assert survey.release([-1, 3, 1.9, np.nan, np.inf, -np.inf], rng=0).tolist() == [
        0,
        2,
        1,
        0,
        2,
        0,
    ]
    assert survey.release(np.array([2**64 - 1], dtype=np.uint64), rng=0).tolist() == [2]


test_what_makes_no_sense_is_refused = refused(
    (lambda: RandomisedResponse(0.0), "epsilon must be positive and finite"),
    (lambda: RandomisedResponse(1.0, 1), "n_values must be"),
    (
        lambda: RandomisedResponse(1.0).output_distribution([0, 1]),
        "value must be one record",
    ),
    (
        lambda: RandomisedResponse(1.0).share(np.array([], dtype=int)),
        "answers must hold at least one",
    ),
)


@pytest.mark.source("WLF16-def-2")
@pytest.mark.parametrize(("epsilon", "n_values"), [(40.0, 2), (38.0, 5), (0.3, 3)])
def test_a_lie_is_drawn_with_exactly_its_probability(epsilon, n_values):
    """The digits of the uniform number beyond the 53rd decide, just below and above the threshold."""
    with mpmath.workdps(60):
        x = (n_values - 1) * mpmath.exp(-mpmath.mpf(epsilon))
        threshold = x / (1 + x) * 2**53
        word = int(threshold)
        rest = float(threshold - word)
    for uniform, lies in ((rest * (1 - 1e-9), True), (rest * (1 + 1e-9), False)):
        rng = Scripted(1 - (word + 1) * 2.0**-53, uniform)
        assert (
            RandomisedResponse(epsilon, n_values).release([1], rng=rng)[0] != 1
        ) == lies


@pytest.mark.parametrize("epsilon", [1e-300, 1e-6, 40.0, 1e4, 1e300])
@pytest.mark.parametrize("n_values", [2, 7, 2**62])
def test_extreme_parameters_are_carried(epsilon, n_values):
    survey = RandomisedResponse(epsilon, n_values)
    drawn = survey.release([0, 1] * 50, rng=0)
    assert ((drawn >= 0) & (drawn < n_values)).all()
    if epsilon > 100:
        assert drawn.tolist() == [0, 1] * 50
    if n_values < 10:
        law = survey.output_distribution(0).logpmf()
        assert law[0] - law[1] == pytest.approx(epsilon, abs=1e-15)


def test_what_is_not_an_answer_or_a_value_is_refused():
    survey = RandomisedResponse(1.0)
    for bad in ("a", None, 2, -1, 0.5, True, [1]):
        with pytest.raises(ValueError, match="value must be"):
            survey.share([0, 1], bad)
    with pytest.raises(
        ValueError, match="value must be of a numeric dtype, but got <U1"
    ):
        survey.release(np.array(["a"]))
    with pytest.raises(ValueError, match="n_values must be at most"):
        RandomisedResponse(1.0, 10**9).output_distribution(0)


@pytest.mark.parametrize("kind", [RandomisedResponse, UnaryEncoding])
def test_a_value_that_no_record_has_is_refused_and_not_counted(kind):
    mechanism = kind(1.0, 3)
    answers = mechanism.release([0, 1, 2], rng=0)
    for value in (-1, 3):
        with pytest.raises(ValueError, match="value must be"):
            mechanism.supports(answers, value)


@pytest.mark.parametrize("kind", [RandomisedResponse, UnaryEncoding])
def test_the_variance_is_infinite_where_answers_tell_nothing(kind):
    assert kind(5e-324, 3).variance() == np.inf
