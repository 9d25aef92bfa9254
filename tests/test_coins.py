"""Exact coins: their digits, and the laws of the samplers made of them, by enumeration of all flips."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from privml import coins
from privml.coins import (
    Coin,
    exponential_coin,
    exponential_coins,
    geometric,
    logistic_coin,
)
from privml.distributions import Categorical
from tests.enumeration import Scripted, exact_law

EXPONENTS = [
    Fraction(1, 2**90),
    Fraction(1, 10**6),
    Fraction(0.1),
    Fraction(1, 2),
    Fraction(1),
    Fraction(22, 7),
    Fraction(40),
    Fraction(10**4, 3),
]


def true_digit(probability, index):
    """Digit of a probability in base 2^16, by mpmath; a function, so that it works at its own precision."""
    with mpmath.workdps(200):
        return (
            int(mpmath.floor(probability() * mpmath.mpf(2) ** (16 * (index + 1))))
            % 2**16
        )


def exact_exponential(exponent):
    return mpmath.exp(-mpmath.mpf(exponent.numerator) / exponent.denominator)


@pytest.mark.parametrize("exponent", EXPONENTS, ids=str)
@pytest.mark.parametrize("index", [0, 1, 2, 7])
def test_digits_agree_with_200_decimal_places(exponent, index):
    exponential = exponential_coin(exponent).digit(index)
    assert exponential == true_digit(lambda: exact_exponential(exponent), index)
    logistic = logistic_coin(exponent).digit(index)
    assert logistic == true_digit(
        lambda: 1 / (1 + 1 / exact_exponential(exponent)), index
    )


@given(st.fractions(0, 2000, max_denominator=10**12), st.integers(1, 300))
def test_an_enclosure_encloses_and_is_tight(exponent, precision):
    lower, upper = coins.exponential_enclosure(exponent, precision)
    with mpmath.workdps(1200):
        truth = exact_exponential(exponent) * mpmath.mpf(2) ** precision
        assert lower <= truth <= upper
    assert upper - lower <= 2


@given(
    st.fractions(0, 20, max_denominator=10**6),
    st.sampled_from([1, 7, 1000]),
    st.integers(8, 200),
)
def test_the_enclosure_of_a_logistic_coin_encloses(exponent, odds, precision):
    assume(exponent > 0)
    lower, upper = coins.logistic_coin(exponent, odds)._enclosure(precision)
    with mpmath.workdps(200):
        weight = odds * exact_exponential(exponent)
        assert lower <= weight / (1 + weight) * mpmath.mpf(2) ** precision <= upper


def test_digits_do_not_depend_on_the_order_in_which_they_are_asked_for():
    forward, backward = (
        Coin(lambda p: coins.exponential_enclosure(Fraction(1, 3), p)) for _ in range(2)
    )
    last_first = [backward.digit(index) for index in (5, 3, 0, 1, 2, 4)]
    assert [forward.digit(index) for index in (5, 3, 0, 1, 2, 4)] == last_first


def test_every_first_word_gives_heads_exactly_when_it_is_below_the_first_digit(
    monkeypatch,
):
    """All 2^16 words are shown to the coin once; the tie is settled by the second digit."""
    coin = exponential_coin(Fraction(1, 3))
    for second, settled in ((coin.digit(1) - 1, True), (coin.digit(1) + 1, False)):
        scripted = iter(
            [np.arange(2**16, dtype=np.uint16), np.array([second], dtype=np.uint16)]
        )
        monkeypatch.setattr(
            coins, "words", lambda size, rng, bits, scripted=scripted: next(scripted)
        )
        heads = coin.flip(2**16, None)
        assert heads[: coin.digit(0)].all()
        assert heads[coin.digit(0)] == settled
        assert not heads[coin.digit(0) + 1 :].any()
        assert list(scripted) == []


def test_ties_are_broken_as_deep_as_it_takes(monkeypatch):
    coin = exponential_coin(Fraction(1, 3))
    digits = [coin.digit(index) for index in range(6)]
    for last, heads in ((digits[5] - 1, True), (digits[5] + 1, False)):
        scripted = iter([*digits[:5], last])

        def word(size, *_, scripted=scripted):
            return np.full(size, next(scripted), np.uint16)

        monkeypatch.setattr(coins, "words", word)
        assert coin.flip(1, None).tolist() == [heads]


def test_words_are_uniform_and_all_bits_of_the_generator_are_used():
    drawn = coins.words(1 << 20, np.random.default_rng(5))
    assert drawn.dtype == np.uint16
    counts = np.bincount(drawn, minlength=2**16)
    expected = drawn.size / 2**16
    assert abs(((counts - expected) ** 2 / expected).sum() - 2**16) < 6 * math.sqrt(
        2 * 2**16
    )
    assert coins.words(5, np.random.default_rng(0)).size == 5
    assert coins.words(0, np.random.default_rng(0)).size == 0


@pytest.mark.parametrize(
    "exponent", [Fraction(1, 5), Fraction(1), Fraction(3)], ids=str
)
def test_flips_come_up_heads_at_the_rate_of_the_coin(exponent):
    rng = np.random.default_rng(11)
    coins = exponential_coin(exponent), logistic_coin(exponent)
    for coin, p in zip(
        coins, (math.exp(-exponent), 1 / (1 + math.exp(exponent))), strict=True
    ):
        n = 2_000_000
        assert abs(coin.flip(n, rng).mean() - p) < 5 * math.sqrt(p * (1 - p) / n)


@pytest.mark.parametrize(
    "rate", [Fraction(5), Fraction(4), Fraction(1), Fraction(3, 10), Fraction(1, 7)]
)
def test_the_geometric_sampler_has_exactly_the_geometric_law(rate):
    """Every sequence of flips is followed, with its probability; what is cut off has mass below 1e-12."""
    law, lost = exact_law(lambda: int(geometric(rate, 1, None)[0]), lost=1e-16)
    r = math.exp(-rate)
    assert lost < 1e-12
    for value, probability in law.items():
        assert probability == pytest.approx((1 - r) * r**value, abs=2 * lost + 1e-15)
    assert sum(law.values()) == pytest.approx(1.0, abs=2e-12)


@given(
    st.integers(0, 300),
    st.fractions(min_value=Fraction(1, 500), max_value=2, max_denominator=1000),
)
def test_a_coin_with_a_count_has_exactly_the_power_as_its_probability(count, rate):
    law, _ = exact_law(
        lambda: bool(exponential_coins(rate, np.array([count]), None)[0]), lost=0.0
    )
    assert law.get(True, 0.0) == pytest.approx(math.exp(-rate * count), rel=1e-12)


def test_counts_may_be_integers_of_any_length():
    rate = Fraction(1, 3**60)
    counts = np.array([0, 3**60, 3**64], dtype=object)
    law, _ = exact_law(
        lambda: tuple(exponential_coins(rate, counts, None).tolist()), lost=1e-9
    )
    assert law[(True, True, False)] == pytest.approx(math.exp(-1), rel=1e-6)
    assert set(law) <= {(True, True, False), (True, False, False)}


def test_counts_of_different_size_are_decided_independently():
    rng = np.random.default_rng(2)
    counts = np.repeat(np.arange(40), 20_000)
    heads = exponential_coins(Fraction(1, 10), counts, rng).reshape(40, -1).mean(axis=1)
    p = np.exp(-np.arange(40) / 10)
    assert (np.abs(heads - p) <= 5 * np.sqrt(p * (1 - p) / 20_000)).all()


def exact_steps(log_weights):
    """The distribution function times 2^53, with 400 digits."""
    weights = [mpmath.exp(mpmath.mpf(w)) for w in log_weights]
    steps = [
        mpmath.fsum(weights[: i + 1]) / mpmath.fsum(weights)
        for i in range(len(weights) - 1)
    ]
    return [step * mpmath.mpf(2) ** 53 for step in steps]


@pytest.mark.parametrize(
    "log_weights",
    [
        [0.0, 40.0],
        [40.0, 0.0],
        [0.1, -0.2, 0.3],
        [-1000.0, 0.0, -2000.0],
        [0.0, -math.inf, 0.0, -1e300],
        [0],
    ],
)
def test_an_index_changes_exactly_at_the_steps_of_the_law(log_weights):
    """Just below and just above each step, in digits that a float does not have."""
    law = Categorical(log_weights)
    with mpmath.workdps(800):
        for i, step in enumerate(exact_steps(log_weights)):
            word = int(mpmath.floor(step))
            rest = step - word
            if word >= 2**53 or min(rest, 1 - rest) < 2.0**-40:
                continue  # a step closer to a 53-bit number than the second word can tell
            for uniform, index in (
                (float(rest) * (1 - 1e-9), i),
                (float(rest) * (1 + 1e-9), i + 1),
            ):
                while index < i + 1 and log_weights[index] == -math.inf:
                    index -= 1
                while log_weights[index] == -math.inf:
                    index += 1
                assert (
                    coins.exact_index(np.array(log_weights), word, Scripted(uniform))
                    == index
                )
                assert law.rvs(rng=Scripted(word / 2**53, uniform)) == index


def test_far_outcomes_keep_the_ratio_that_floats_round_away():
    """With the first word 0, the second one decides: P(0) = e^-40 / (1 + e^-40) = 0.038 of 2^-53."""
    share = math.exp(-40) * 2**53
    for uniform, index in ((0.99 * share, 0), (1.01 * share, 1)):
        assert Categorical([0.0, 40.0]).rvs(rng=Scripted(0.0, uniform)) == index
    assert (
        Categorical([0.0, 800.0]).rvs(rng=Scripted(0.0, *[0.0] * 20, 0.5)) == 1
    )  # e^-800 is 2^-1154.2
    assert Categorical([0.0, 800.0]).rvs(rng=Scripted(*[0.0] * 23)) == 0


@pytest.mark.parametrize(("n_outcomes", "seed"), [(40, 0), (600, 1), (5000, 2)])
def test_no_rounding_of_sums_moves_a_step_of_a_law(n_outcomes, seed):
    """Below an exact step its outcome, above it the next; within its 53 bits the second word decides."""
    log_weights = np.random.default_rng(seed).normal(scale=3.0, size=n_outcomes)
    law = Categorical(log_weights)
    with mpmath.workdps(40):
        weights = [mpmath.exp(mpmath.mpf(w)) for w in log_weights.tolist()]
        total, places = (
            mpmath.fsum(weights),
            np.linspace(0, n_outcomes - 2, 24).astype(int).tolist(),
        )
        exact = [mpmath.fsum(weights[: i + 1]) / total * 2**53 for i in places]
        steps = [(int(step), float(step - int(step))) for step in exact]
    for i, (step, _) in zip(places, steps, strict=True):
        assert law.rvs(rng=Scripted((step - 1) / 2**53)) == i
        assert law.rvs(rng=Scripted((step + 1) / 2**53)) == i + 1
    for i, (step, rest) in list(zip(places, steps, strict=True))[1:3]:
        assert law.rvs(rng=Scripted(step / 2**53, rest * (1 - 1e-9))) == i
        assert law.rvs(rng=Scripted(step / 2**53, rest * (1 + 1e-9))) == i + 1


def test_many_outcomes_are_settled_by_sums_that_are_rounded_once():
    law = Categorical(np.zeros(10_000))
    for index in (0, 1, 4999, 9998):
        uniform = (index + 1) / 10_000
        assert law.rvs(rng=Scripted(uniform + 2.0**-43)) == index + 1
        assert law.rvs(rng=Scripted(uniform - 2.0**-43)) == index


@pytest.mark.parametrize("exponent", [0.3, 5.0, 36.0, 40.0, 100.0])
def test_a_coin_of_a_float_turns_exactly_at_its_probability(exponent):
    with mpmath.workdps(400):
        threshold = mpmath.exp(-mpmath.mpf(exponent)) * 2**53
        word, rest = int(threshold), threshold - int(threshold)
        later = int(rest * mpmath.mpf(2) ** 159)  # three words more
    for shift, heads in ((-1, True), (1, False)):
        digits = [(later + shift) >> place & 2**53 - 1 for place in (106, 53, 0)]
        rng = Scripted(0.5, *(digit / 2**53 for digit in [word, *digits]))
        assert coins.exponential_heads(np.array([0.0, exponent]), rng).tolist() == [
            True,
            heads,
        ]
