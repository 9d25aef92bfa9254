r"""The floating-point hole: why noise that is private on paper may give the data away on a computer.

Textbook Laplace noise is :math:`\pm b \ln U` with U uniform on (0, 1].  A computer takes U from a grid,
rounds the logarithm, rounds the product, and rounds the sum with the value.  What comes out is no continuum
but a set of floating-point numbers with gaps in it, and *where the gaps are depends on the value*.  An answer
that is possible on one data set and impossible on its neighbour has infinite privacy loss: it tells the two
apart for certain, whatever epsilon was claimed (Mironov 2012).

Here this is not an estimate.  Half precision has so few numbers that all equally likely answers can be
written down (:func:`equally_likely_answers`), and so the law is known exactly and can be audited
(:func:`naive_laplace`).  In double precision each single answer is decided (:func:`is_possible`): could
:meth:`numpy.random.Generator.laplace` have produced it from a given value?

The cure is :mod:`privml.mechanisms.discrete`: noise on the integers, drawn exactly.
"""

from bisect import bisect_left
from collections.abc import Callable
from math import log

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from privml import _check as check
from privml.distributions import Categorical

FORMATS = (np.float16, np.float32)
MOST_BITS = 24
HALF = np.unique(np.arange(2**16, dtype=np.uint16).view(np.float16)[np.arange(2**16) & 0x7C00 != 0x7C00])
GRID = 2**53  # numpy's uniform numbers are multiples of 1 / GRID


def equally_likely_answers(
    value: float, scale: float, *, format: DTypeLike = np.float16, bits: int = 11
) -> NDArray:
    r"""All answers of textbook Laplace noise in a small floating-point format, each of the same probability.

    The answer is ``value + s scale ln(k / 2^bits)``, with s = 1 or -1 and k from 1 to 2^bits, each step
    rounded to the format, ``numpy.float16`` or ``numpy.float32``, as value and scale are.

    >>> equally_likely_answers(0.0, 1.0, bits=1).tolist()
    [-0.693359375, 0.0, 0.693359375, 0.0]
    """
    check.finite(value=value)
    check.positive(scale=scale)
    check.one_of(FORMATS, format=format)
    check.positive_integer(bits=bits)
    if bits > MOST_BITS:
        raise ValueError(f"bits must be at most {MOST_BITS}, got {bits}")
    logarithms = np.log(np.arange(1, 2**bits + 1) / 2**bits).astype(format)
    noise = (logarithms.astype(float) * float(format(scale))).astype(format)
    both = np.concatenate([noise, -noise]).astype(float)
    return (float(format(value)) + both).astype(format) + format(0)


def impossible_mass(
    value: float, neighbour: float, scale: float, *, format: DTypeLike = np.float16, bits: int = 11
) -> float:
    """Probability, under one value, of an answer that is impossible under another one.

    **Returns.** Exact.  No epsilon covers this mass: it is a lower bound on delta at every epsilon.

    >>> impossible_mass(0.0, 1.0, 1.0)
    0.666259765625
    """
    answers, others = (equally_likely_answers(v, scale, format=format, bits=bits) for v in (value, neighbour))
    return float(np.mean(~np.isin(answers, others)))


def naive_laplace(epsilon: float, *, bits: int = 11) -> Callable[[ArrayLike], Categorical]:
    """A count of ones with textbook Laplace noise in half precision, whose author believes it epsilon-DP.

    **Returns.** Callable: from records, zeros and ones, to the exact law of the answer: a
    :class:`~privml.distributions.Categorical` on the finite numbers in half precision, :data:`HALF`.
    **Privacy.** None: epsilon is infinite.
    **Source.** LZCW21-lem-42, which speaks of real numbers; Mironov (2012) for the hole.

    >>> from privml import audit
    >>> audit.exact(naive_laplace(1.0), np.array([0, 1]), 3).epsilon
    inf
    """
    check.positive(epsilon=epsilon)

    def law(records: ArrayLike) -> Categorical:
        answers = equally_likely_answers(float(np.sum(records)), 1 / epsilon, bits=bits)
        counts = np.bincount(np.searchsorted(HALF, answers), minlength=HALF.size)
        with np.errstate(divide="ignore"):
            return Categorical(np.log(counts))

    return law


def is_possible(answers: ArrayLike, value: float, scale: float) -> NDArray[np.bool_]:
    """Whether numpy's Laplace generator, in double precision, could have given each answer for a value.

    :meth:`numpy.random.Generator.laplace` draws U = j / 2^53 and returns ``value + scale log(U + U)`` below
    one half and ``value - scale log(2 - U - U)`` above.  Both increase with the integer j, so a bisection
    over all 2^53 of them finds the j that leads to an answer, or shows that none does.

    The library's logarithm must be the one numpy calls, and monotone, as it is on common platforms.

    >>> released = np.random.default_rng(0).laplace(0.0, 1.0, size=500)
    >>> int(is_possible(released, 0.0, 1.0).sum()), int(is_possible(released, 1.0, 1.0).sum())
    (500, 98)
    """
    check.finite(value=value)
    check.positive(scale=scale)
    grid = range(1, GRID)

    def answer(j: int) -> float:
        uniform = j / GRID
        if uniform < 0.5:
            return value + scale * log(uniform + uniform)
        return value - scale * log(2.0 - uniform - uniform)

    def reached(target: float) -> bool:
        place = bisect_left(grid, target, key=answer)
        return place < len(grid) and answer(grid[place]) == target

    wanted = np.ravel(check.numbers(answers=answers)).tolist()
    return np.array([reached(target) for target in wanted], dtype=bool)
