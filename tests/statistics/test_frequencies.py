"""Frequencies under local privacy: unbiased, with exact variances, and intervals of exact coverage."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import beta as beta_law
from scipy.stats import binom

from privml.mechanisms import RandomisedResponse, UnaryEncoding, best_frequency_oracle
from privml.statistics import PrivateMean, local_frequencies

KINDS = {
    "response": RandomisedResponse,
    "optimised": UnaryEncoding,
    "symmetric": lambda epsilon, k: UnaryEncoding(epsilon, k, symmetric=True),
}
EVERY_KIND = pytest.mark.parametrize("kind", KINDS)


@EVERY_KIND
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 6.0])
def test_a_value_is_supported_with_the_stated_probabilities(kind, epsilon):
    survey = KINDS[kind](epsilon, 3)
    for record in range(3):
        law = survey.output_distribution(record).pmf()
        if kind == "response":
            supported = law
        else:
            bits = np.array(list(product((0, 1), repeat=3)))
            supported = law @ bits
        expected = np.where(np.arange(3) == record, survey.keep, survey.other)
        np.testing.assert_allclose(supported, expected, rtol=1e-12)
    assert survey.gap == pytest.approx(survey.keep - survey.other, rel=1e-12)


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("epsilon", [1e-3, 1.0, 40.0])
def test_the_largest_ratio_of_two_bit_strings_is_e_to_the_epsilon(epsilon, symmetric):
    survey = UnaryEncoding(epsilon, 4, symmetric)
    laws = [survey.output_distribution(value).logpmf() for value in range(4)]
    losses = [np.abs(one - other).max() for one, other in product(laws, laws)]
    assert max(losses) == pytest.approx(epsilon, rel=1e-9)


@pytest.mark.parametrize("symmetric", [False, True])
def test_the_bits_have_the_law_and_are_independent(symmetric):
    survey, n_draws = UnaryEncoding(1.0, 3, symmetric), 60_000
    drawn = survey.release(np.full(n_draws, 1), rng=0)
    places = drawn @ [4, 2, 1]
    seen = np.bincount(places, minlength=8) / n_draws
    law = survey.output_distribution(1).pmf()
    assert (np.abs(seen - law) <= 4.5 * np.sqrt(law * (1 - law) / n_draws)).all()
    assert survey.release(2, rng=0).shape == (3,)
    assert survey.release(np.array([[0, 1]]), rng=0).shape == (1, 2, 3)
    for odd in (None, np.nan, "x", -3):  # counts as the value 0
        law = survey.output_distribution(odd).pmf()
        np.testing.assert_array_equal(law, survey.output_distribution(0).pmf())


@EVERY_KIND
def test_the_estimate_is_unbiased_with_the_stated_variance(kind):
    """Over all supports of a value among five records, of which two have it."""
    survey = KINDS[kind](0.8, 4)
    true = binom.pmf(np.arange(3), 2, survey.keep)
    support = np.convolve(true, binom.pmf(np.arange(4), 3, survey.other))
    estimates = (np.arange(6) / 5 - survey.other) / survey.gap
    assert support @ estimates == pytest.approx(2 / 5)
    variance = support @ (estimates - 2 / 5) ** 2
    assert variance == pytest.approx(survey.variance(2 / 5) / 5)


@EVERY_KIND
@pytest.mark.parametrize("epsilon", [0.2, 1.0, 4.0])
@pytest.mark.parametrize("beta", [0.9, 0.2, 0.01])
def test_each_interval_misses_as_seldom_as_promised(kind, epsilon, beta):
    """By the exact law of the support, for each number of records with the value, of one to forty."""
    survey = KINDS[kind](epsilon, 2)
    shares = []
    for m in (1, 2, 7, 40):
        lower, upper = np.empty((2, m + 1))
        for support in range(m + 1):
            bits = np.arange(m) < support
            answers = bits.astype(int)
            if kind != "response":
                answers = np.column_stack([~bits, bits])
            found = local_frequencies(survey, answers, beta=beta)
            assert found.value[1] == pytest.approx(survey.share(answers))
            assert found.lower[1] <= found.value[1] <= found.upper[1]
            lower[support], upper[support] = found.lower[1], found.upper[1]
        for a in range(m + 1):
            law = np.convolve(
                binom.pmf(np.arange(a + 1), a, survey.keep),
                binom.pmf(np.arange(m - a + 1), m - a, survey.other),
            )
            above, below = law[lower > a / m].sum(), law[upper < a / m].sum()
            assert max(above, below) <= beta / 4  # each side, of two values
            shares.append(max(above, below) / (beta / 4))
    if beta == 0.2:
        assert max(shares) > 0.05  # the room that one more success takes


def test_the_intervals_of_many_answers_are_nearly_those_of_a_normal_law():
    survey = UnaryEncoding(1.0, 4)
    records = np.repeat([0, 1, 2, 3], [40_000, 30_000, 20_000, 10_000])
    found = local_frequencies(survey, survey.release(records, rng=0))
    deviation = np.sqrt([survey.variance(f) for f in (0.4, 0.3, 0.2, 0.1)]) / 1e5**0.5
    widths = (found.upper - found.lower) / 2
    np.testing.assert_allclose(widths, 2.4977 * deviation, rtol=0.06)
    assert (np.abs(found.value - [0.4, 0.3, 0.2, 0.1]) <= widths).all()
    assert str(found).startswith("0: 0.4")
    assert found.guarantee == survey.guarantee


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 3.0])
def test_unary_encoding_is_better_from_a_known_number_of_values_on(epsilon):
    for k in range(2, 80):
        best = best_frequency_oracle(epsilon, k)
        assert isinstance(best, UnaryEncoding) == (k > 3 * np.exp(epsilon) + 2)
        choices = [kind(epsilon, k) for kind in KINDS.values()]
        for frequency in (0.0, 0.1, 0.9):
            least = min(choice.variance(frequency) for choice in choices)
            found = best_frequency_oracle(epsilon, k, frequency=frequency)
            assert found.variance(frequency) == least
    optimised = UnaryEncoding(epsilon, 5)
    assert optimised.variance() == pytest.approx(1 / np.sinh(epsilon / 2) ** 2)


def test_the_ends_are_those_of_clopper_and_pearson_with_one_support_of_room():
    survey, bits = RandomisedResponse(1.0), np.arange(40) < 13
    found = local_frequencies(survey, bits.astype(int), beta=0.2)
    rates = beta_law.ppf(0.05, 12, 29), beta_law.ppf(0.95, 15, 26)
    exact = [(rate - survey.other) / survey.gap for rate in rates]
    assert [found.lower[1], found.upper[1]] == pytest.approx(exact, rel=1e-6)
    assert local_frequencies(survey, [0, 0]).lower[1] == -survey.other / survey.gap


def test_what_cannot_be_estimated_is_refused():
    survey = UnaryEncoding(1.0, 3)
    with pytest.raises(ValueError, match="answers must have one row of 3 bits"):
        local_frequencies(survey, [[0, 1]])
    with pytest.raises(ValueError, match="at least one answer"):
        local_frequencies(RandomisedResponse(1.0), [])
    with pytest.raises(ValueError, match="at least one answer"):
        local_frequencies(survey, np.empty((0, 3)))
    with pytest.raises(ValueError, match="mechanism must be an instance"):
        local_frequencies(PrivateMean(bounds=(0, 1), epsilon=1.0), [1])
    with pytest.raises(ValueError, match="n_values must be at most 20"):
        UnaryEncoding(1.0, 21).output_distribution(0)
    with pytest.raises(ValueError, match="symmetric must be True or False"):
        UnaryEncoding(1.0, 3, symmetric=2)
    with pytest.raises(ValueError, match="frequency must be"):
        best_frequency_oracle(1.0, 3, frequency=1.5)
    with pytest.raises(ValueError, match="value must be an integer from 0 to 2"):
        survey.share([[0, 1, 0]], 3)
