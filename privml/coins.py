r"""Exact coins: heads with probability exp(-x) or 1 / (1 + exp(x)), decided by integers alone.

A sampler that computes probabilities as floats draws from a law *near* the one that was proved private,
and the difference can give the data away (Mironov 2012).  Here no probability is ever rounded.
All this holds for ideal random bits.  The generators of numpy stand in for them; they pass every statistical
test in use, but are not made to withstand an adversary who sees part of their output.

**A coin.**  Let U be uniform on [0, 1), drawn as an endless string of random 16-bit words, that is, digits
in base B = 65536.  Heads means U < p, so P(heads) = p exactly.  The comparison reads the first word; only
if it equals the first digit of p, one time in B, is a second word drawn, and so on.  The digits of p are
found by integer arithmetic: a lower and an upper bound of p, each an integer over a power of two, refined
until both give the same digits.  They always do in the end, because e^x is transcendental for rational
x != 0 (Lindemann), so p is no fraction with denominator B^k.

**Whole numbers out of coins.**  The bits of a geometric variable are independent coins, and a coin of
probability exp(-rate N) is the AND of one coin for each set bit of N, as the chapter on noise proves.  So
every probability needed is known in advance, and a whole array of coins costs one comparison each.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from privml import _check as check

__all__ = [
    "Coin",
    "exact_index",
    "exponential_coin",
    "exponential_coins",
    "geometric",
    "logistic_coin",
]

WORD_BITS = 16  # of a uniform word, four of which are one draw of 64 bits
UNIFORM_BITS = 53  # of a uniform float of numpy, which is an integer over 2^53
GUARD_BITS = 32  # computed beyond those that are asked for, at first
SMALLEST_RATE = Fraction(1, 2**48)  # so that geometric draws are integers of 64 bits
MOST_DIGITS = (
    1000  # of a coin, in a fifth of a second; the chance to need one more is 2^-16000
)


def _exponential_of_small(numerator: int, precision: int, step: int) -> int:
    """2^precision exp(numerator / 2^precision), for 0 <= numerator / 2^precision <= 1 / 16.

    From below (step 0: every term of the series rounded down) or from above (step 1: every term rounded
    up, and the remainder after the last term, at most twice that term, added).
    """
    total = term = 1 << precision
    index = 0
    while term > step:
        index += 1
        term = ((term * numerator) >> precision) // index + step
        total += term
    return total + 2 * step * term


def exponential_enclosure(exponent: Fraction, precision: int) -> tuple[int, int]:
    """Integers (lower, upper) with lower <= 2^precision exp(-exponent) <= upper.

    ``exp(-x) = (1 / exp(x / 2^s))^(2^s)`` with ``x / 2^s <= 1 / 16``; rounded down below and up above.

    Examples
    --------
    >>> exponential_enclosure(Fraction(1), 30)  # 2^30 / e = 395007542.09...
    (395007542, 395007543)
    """
    if exponent > precision:
        return 0, 1
    squarings = max(0, (exponent.numerator // exponent.denominator).bit_length() + 4)
    work = precision + squarings + GUARD_BITS
    reduced = (exponent.numerator << work) // (exponent.denominator << squarings)
    one = 1 << (2 * work)
    lower = one // _exponential_of_small(reduced + 1, work, 1)
    upper = one // _exponential_of_small(reduced, work, 0) + 1
    for _ in range(squarings):
        lower = (lower * lower) >> work
        upper = ((upper * upper) >> work) + 1
    return lower >> (work - precision), (upper >> (work - precision)) + 1


class Coin:
    """A coin whose probability of heads, an irrational number in (0, 1), is known to any precision.

    Parameters
    ----------
    enclosure : callable
        From a precision to integers with ``lower <= 2^precision p <= upper``, ever closer as it grows.
    bits : {16, 53}
        Length of the words that are compared: 53 for those of numpy's uniform floats.
    """

    def __init__(
        self, enclosure: Callable[[int], tuple[int, int]], bits: int = WORD_BITS
    ) -> None:
        check.function(enclosure=enclosure)
        check.one_of((WORD_BITS, UNIFORM_BITS), bits=bits)
        self._enclosure, self._bits = enclosure, bits
        self._digits: list[int] = []

    def digit(self, index: int) -> int:
        """Digit `index` of p after the point, in base 2^bits; the first has index 0."""
        check.non_negative_integer(index=index)
        if index >= MOST_DIGITS:
            raise ValueError(f"index must be below {MOST_DIGITS}, but got {index!r}.")
        precision, guard = (index + 1) * self._bits, GUARD_BITS
        while len(self._digits) <= index:
            lower, upper = (
                bound >> guard for bound in self._enclosure(precision + guard)
            )
            if lower == upper:
                shifts = range(precision - self._bits, -1, -self._bits)
                self._digits = [
                    (lower >> shift) % (1 << self._bits) for shift in shifts
                ]
            guard *= 2
        return self._digits[index]

    def flip(self, size: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Independent flips, `size` of them by the bits of the Generator `rng`: True is heads."""
        check.draws(size)
        return self.heads(words(size, rng, self._bits), rng)

    def heads(self, drawn: NDArray, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Flips whose uniform numbers begin with the words `drawn`; the Generator `rng` draws others."""
        drawn, first, depth = check.integers(drawn=drawn), self.digit(0), 1
        heads, tied = drawn < first, (drawn == first).nonzero()[0]
        while tied.size:
            drawn = words(tied.size, rng, self._bits)
            heads[tied] = drawn < self.digit(depth)
            tied = tied[drawn == self.digit(depth)]
            depth += 1
        return heads


def words(
    size: int, rng: np.random.Generator, bits: int = WORD_BITS
) -> NDArray[np.integer]:
    """Independent uniform words of 16 bits, four out of each 64-bit word of the generator, or of 53."""
    if bits == UNIFORM_BITS:
        return uniform_words(rng.random(size))
    raw = rng.integers(0, 2**64 - 1, size=-(-size // 4), dtype=np.uint64, endpoint=True)
    return raw.view(np.uint16)[:size]


def uniform_words(uniform: NDArray | float) -> NDArray[np.int64]:
    """The 53 binary digits of uniform floats in [0, 1), as integers: nothing is rounded."""
    return np.asarray(uniform * 2**UNIFORM_BITS, dtype=np.int64)


def exponential_coin(exponent: Fraction, bits: int = WORD_BITS) -> Coin:
    """Coin with probability exp(-x) of heads, for a positive rational x.

    Parameters
    ----------
    exponent : Fraction
        Number x, a positive rational.
    bits : int
        Length of the words that are compared, 16 or 53.

    Examples
    --------
    >>> round(exponential_coin(Fraction(1), 53).digit(0) / 2**53, 9)
    0.367879441
    """
    check.one_of((WORD_BITS, UNIFORM_BITS), bits=bits)
    return _coin(check.positive_rational(exponent=exponent), None, bits)


def logistic_coin(exponent: Fraction, odds: int = 1, bits: int = WORD_BITS) -> Coin:
    """Coin with probability k x / (1 + k x) of heads, where x = exp(-exponent) and k is `odds`.

    Parameters
    ----------
    exponent : Fraction
        Number whose ``exp(-exponent)`` is x, a positive rational.
    odds : int
        Factor k, a positive integer.
    bits : int
        Length of the words that are compared, 16 or 53.

    Examples
    --------
    >>> round(logistic_coin(Fraction(1), bits=53).digit(0) / 2**53, 9)
    0.268941421
    """
    check.one_of((WORD_BITS, UNIFORM_BITS), bits=bits)
    check.positive_integer(odds=odds)
    return _coin(check.positive_rational(exponent=exponent), int(odds), bits)


@lru_cache(maxsize=4096)
def _coin(exponent: Fraction, odds: int | None, bits: int) -> Coin:
    def enclosure(precision: int) -> tuple[int, int]:
        lower, upper = exponential_enclosure(exponent, precision)
        if odds is None:
            return lower, upper
        lower, upper, one = odds * lower, odds * upper, 1 << precision
        return (lower << precision) // (one + lower), (upper << precision) // (
            one + upper
        ) + 1

    return Coin(enclosure, bits)


def geometric(rate: Fraction, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Independent draws of G on 0, 1, 2, ... with P(G = k) proportional to exp(-rate k), exactly.

    Parameters
    ----------
    rate : Fraction
        Rate, a positive rational of at least 2^-48.
    size : int
        Here the number of draws, a non-negative integer.
    rng : Generator
        Generator of the random bits.

    Returns
    -------
    ndarray
        Of shape (size,); overflow of a 64-bit integer has probability below exp(-4000). Each round beyond
        the low bits concerns at most one draw in 54.

    Examples
    --------
    >>> geometric(Fraction(1, 10), 5, np.random.default_rng(0)).tolist()
    [1, 9, 2, 16, 8]
    """
    rate = check.positive_rational(rate=rate)
    if rate < SMALLEST_RATE:
        raise ValueError(f"rate must be at least 2^-48, but got {rate!r}.")
    check.draws(size)
    n_bits = 0
    while rate * 2**n_bits < 4:
        n_bits += 1
    drawn = np.zeros(size, dtype=np.int64)
    for bit in reversed(range(n_bits)):
        np.left_shift(drawn, 1, out=drawn)
        np.bitwise_or(
            drawn, _coin(rate * 2**bit, 1, WORD_BITS).flip(size, rng), out=drawn
        )
    another = _coin(rate * 2**n_bits, None, WORD_BITS)
    alive = np.flatnonzero(another.flip(size, rng))
    while alive.size:
        drawn[alive] += 1 << n_bits
        alive = alive[another.flip(alive.size, rng)]
    return drawn


def exponential_coins(
    rate: Fraction, counts: NDArray, rng: np.random.Generator
) -> NDArray[np.bool_]:
    """One independent coin for each count N, heads with probability exp(-rate N), exactly.

    Parameters
    ----------
    rate : Fraction
        Rate, a positive rational.
    counts : ndarray
        Here the numbers N, non-negative integers of 64 bits or of Python (dtype object).
    rng : Generator
        Generator of the random bits.

    Returns
    -------
    ndarray
        Bools of the shape of the counts.

    Examples
    --------
    >>> exponential_coins(Fraction(1, 4), np.arange(6), np.random.default_rng(3)).tolist()
    [True, False, False, True, False, False]
    """
    rate, counts = check.positive_rational(rate=rate), check.integers(counts=counts)
    heads = np.ones(len(counts), dtype=bool)
    for bit in reversed(range(int(counts.max(initial=0)).bit_length())):
        asked = np.flatnonzero((counts & (1 << bit)).astype(bool) & heads)
        if asked.size:
            heads[asked] = _coin(rate * 2**bit, None, WORD_BITS).flip(asked.size, rng)
    return heads


def exponential_heads(
    exponents: NDArray, rng: np.random.Generator
) -> NDArray[np.bool_]:
    """One independent coin for each float x >= 0, heads with probability exp(-x), exactly.

    Examples
    --------
    >>> exponential_heads(np.array([0.0, 0.1, 10.0]), np.random.default_rng(0)).tolist()
    [True, True, False]
    """
    uniform, above = rng.random(exponents.size), np.negative(exponents)
    np.subtract(uniform, np.exp(above, out=above), out=above)
    heads, close = (
        above < 0,
        np.abs(above, out=above) <= 2.0**-49,
    )  # an ulp of exp and of the number
    for place in np.flatnonzero(close & (exponents > 0) if close.any() else close):
        coin = exponential_coin(Fraction(float(exponents[place])), UNIFORM_BITS)
        heads[place] = coin.heads(uniform_words(uniform[[place]]), rng)[0]
    return heads


def exact_index(log_weights: NDArray, word: int, rng: np.random.Generator) -> int:
    """Index i with probability proportional to exp(log_weights[i]), exactly: inverse CDF in integers.

    Parameters
    ----------
    log_weights : ndarray
        Logarithms of weights, exact as they are, one at least finite; minus infinity is weight zero.
    word : int
        First 53 binary digits of the uniform number, a non-negative integer below 2^53; more as needed.
    rng : Generator
        Generator of the random bits.

    Examples
    --------
    >>> exact_index(np.array([-100.0, 0.0]), 0, np.random.default_rng(0))  # P(0) = 2^-144.3
    1
    """
    log_weights = check.numbers(log_weights=log_weights)
    if (
        log_weights.ndim != 1
        or not log_weights.size
        or not np.isfinite(log_weights.max())
    ):
        raise ValueError(
            f"log_weights must be a vector with a finite maximum, but got {log_weights!r}."
        )
    check.non_negative_integer(word=word)
    if word >= 1 << UNIFORM_BITS:
        raise ValueError(f"word must be below 2^{UNIFORM_BITS}, but got {word!r}.")
    largest, last = (
        Fraction(float(log_weights.max())),
        int(np.flatnonzero(log_weights > -np.inf)[-1]),
    )
    exponents = [
        largest - Fraction(w) if w > -np.inf else None
        for w in log_weights[: last + 1].tolist()
    ]
    bits = UNIFORM_BITS
    while True:
        precision = bits + GUARD_BITS + last.bit_length()
        bounds = [
            (0, 0) if x is None else exponential_enclosure(x, precision)
            for x in exponents
        ]
        lower, upper = (list(accumulate(side)) for side in zip(*bounds, strict=True))
        # step i lies in [lower[i] / upper[-1], upper[i] / lower[-1]], the number in [word, word + 1) / 2^bits
        passed = bisect_right(upper[:-1], (word * lower[-1]) >> bits)
        reached = bisect_left(lower[:-1], -(-(word + 1) * upper[-1] >> bits))
        if passed == reached:
            return passed
        word = (word << UNIFORM_BITS) + int(uniform_words(rng.random(1))[0])
        bits += UNIFORM_BITS


check.wrap_module(__name__)
