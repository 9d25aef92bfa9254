"""Output laws that several tables of the chapter use, as functions of a data set of bits."""

from collections.abc import Callable
from functools import reduce

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.mechanisms import RandomisedResponse

Law = Callable[[ArrayLike], NDArray[np.float64]]


def _bits(records: ArrayLike) -> list[int]:
    return np.asarray(records, dtype=int).tolist()


def answers_by_name_law(epsilon: float) -> Law:
    """Randomised response of every record, the answers shown in the order of the records.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats.

    Returns
    -------
    callable
        From m bits to the law of the list of answers, of size 2^m.

    Examples
    --------
    >>> answers_by_name_law(np.log(3))([0, 1]).round(4).tolist()
    [0.1875, 0.5625, 0.0625, 0.1875]
    """
    survey = RandomisedResponse(epsilon)
    laws = [survey.output_distribution(bit).pmf() for bit in (0, 1)]
    return lambda records: reduce(np.multiply.outer, [laws[bit] for bit in _bits(records)]).ravel()


def answer_list_law(epsilon: float, largest: int) -> Law:
    """Randomised response of every record, for data sets of different sizes: lists of different lengths.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats.
    largest : int
        Largest number of records.

    Returns
    -------
    callable
        From m bits to the law of the list, on all lists of 1 to `largest` answers, shortest first.

    Examples
    --------
    >>> answer_list_law(np.log(3), 2)([1]).round(4).tolist()
    [0.25, 0.75, 0.0, 0.0, 0.0, 0.0]
    """
    by_name = answers_by_name_law(epsilon)

    def law(records: ArrayLike) -> NDArray[np.float64]:
        size = len(np.atleast_1d(records))
        lists = [by_name(records) if n == size else np.zeros(2**n) for n in range(1, largest + 1)]
        return np.concatenate(lists)

    return law


def yes_count_law(epsilon: float) -> Law:
    """Number of yes answers after randomised response of every record.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats.

    Returns
    -------
    callable
        From m bits to the law of the number, of size m + 1.

    Examples
    --------
    >>> yes_count_law(np.log(3))([0, 1]).round(4).tolist()
    [0.1875, 0.625, 0.1875]
    """
    survey = RandomisedResponse(epsilon)
    laws = [survey.output_distribution(bit).pmf() for bit in (0, 1)]
    return lambda records: reduce(np.convolve, [laws[bit] for bit in _bits(records)])


def name_and_shame_law(delta: float) -> Law:
    """Every record is published in the clear with probability delta, independently.

    Parameters
    ----------
    delta : float
        In [0, 1).

    Returns
    -------
    callable
        From m bits to the law of the list of entries (hidden, 0 or 1), of size 3^m.

    Examples
    --------
    >>> name_and_shame_law(0.1)([1]).round(4).tolist()
    [0.9, 0.0, 0.1]
    """
    check.probability_half_open(delta=delta)
    entry = [np.array([1 - delta, delta, 0.0]), np.array([1 - delta, 0.0, delta])]
    return lambda records: reduce(np.multiply.outer, [entry[bit] for bit in _bits(records)]).ravel()


def admission_probabilities(epsilon: float, delta: float, n_samples: int) -> NDArray[np.float64]:
    """Largest probabilities of saying "somebody did" that (epsilon, delta) allows, by the number of yes.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        In (0, 1).
    n_samples : int
        Largest number of yes answers.

    Returns
    -------
    ndarray of shape (n_samples + 1,)
        From probability 0 at no yes at all, each as large as its predecessor permits.

    Notes
    -----
    **Source.** Desfontaines et al. (2022); attains WLF16-eq-group-privacy.

    Examples
    --------
    >>> admission_probabilities(1.0, 0.01, 3).round(4).tolist()
    [0.0, 0.01, 0.0372, 0.1111]
    """
    check.positive(epsilon=epsilon)
    check.probability_open(delta=delta)
    said = [0.0]
    for _ in range(n_samples):
        by_yes, by_no = np.exp(epsilon) * said[-1] + delta, 1 - np.exp(-epsilon) * (1 - said[-1] - delta)
        said.append(float(min(by_yes, by_no, 1.0)))
    return np.array(said)


def admission_law(epsilon: float, delta: float, n_samples: int, *, shift: int | None = None) -> Law:
    """Say "somebody did", or nothing, with the largest probabilities that (epsilon, delta) allows.

    Parameters
    ----------
    epsilon, delta : float
        As for :func:`admission_probabilities`.
    n_samples : int
        Largest number of records.
    shift : int, optional
        Count ``yes - no + shift`` instead of yes, clipped to [0, n_samples].

    Returns
    -------
    callable
        From at most `n_samples` bits to the law of (nothing, "somebody did").

    Examples
    --------
    >>> admission_law(1.0, 0.01, 3)([1, 0, 1]).round(4).tolist()
    [0.9628, 0.0372]
    """
    said = admission_probabilities(epsilon, delta, n_samples)

    def law(records: ArrayLike) -> NDArray[np.float64]:
        bits = np.asarray(records, dtype=int)
        count = bits.sum() if shift is None else (2 * bits - 1).sum() + shift
        probability = said[np.clip(count, 0, n_samples)]
        return np.array([1 - probability, probability])

    return law
