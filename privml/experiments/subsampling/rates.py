"""Exact amplification of an alarm, by scheme and relation, against the bounds."""

from collections.abc import Callable, Sequence
from math import exp

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from privml import audit
from privml.adjacency import Adjacency
from privml.composition import (
    amplified_epsilon,
    amplified_epsilon_wlf16,
    amplified_wlf16,
    subsampled_law,
)

REPLACE, ADD = Adjacency
Law = Callable[[ArrayLike], NDArray[np.float64]]


def alarm_law(epsilon: float, size: int) -> Law:
    """An alarm that each unit of the records' sum makes e^epsilon times as likely.

    Parameters
    ----------
    epsilon : float
        In nats, positive.
    size : int
        Largest sum.

    Returns
    -------
    callable
        From records (bits, or votes -1, 0, 1) to the probabilities of (alarm, none).

    Notes
    -----
    **Privacy.** Bits: epsilon-DP under both relations.  Votes: epsilon-DP under ``ADD_OR_REMOVE_ONE`` and
    2 epsilon-DP under ``REPLACE_ONE``.

    Examples
    --------
    >>> alarm_law(1.0, 2)(np.array([1, 0])).round(6).tolist()
    [0.268941, 0.731059]
    """

    def law(records: ArrayLike) -> NDArray[np.float64]:
        alarm = exp(epsilon * (int(np.sum(records)) - size)) / (1 + exp(-epsilon))
        return np.array([alarm, 1 - alarm])

    return law


def talkative_alarm_law(epsilon: float, delta: float, size: int) -> Law:
    """The alarm, or with probability delta the sum of the bits in the open: (epsilon, delta)-DP.

    Parameters
    ----------
    epsilon, delta : float
        Privacy parameters under both relations.
    size : int
        Largest number of records.

    Returns
    -------
    callable
        From bits to the probabilities of alarm, none, and the sums 0 to `size`.

    Examples
    --------
    >>> talkative_alarm_law(1.0, 0.1, 1)(np.array([1])).round(4).tolist()
    [0.658, 0.242, 0.0, 0.1]
    """
    alarm = alarm_law(epsilon, size)

    def law(records: ArrayLike) -> NDArray[np.float64]:
        said = np.eye(size + 1)[int(np.sum(records))]
        return np.concatenate([(1 - delta) * alarm(records), delta * said])

    return law


def open_size_law(epsilon: float, size: int) -> Law:
    """The alarm together with the number of records: epsilon-DP under ``REPLACE_ONE`` only.

    Parameters
    ----------
    epsilon : float
        In nats, positive.
    size : int
        Largest number of records.

    Returns
    -------
    callable
        From bits to the probabilities of (alarm, none) for each number of records.

    Examples
    --------
    >>> open_size_law(1.0, 1)(np.array([1])).round(4).tolist()
    [0.0, 0.0, 0.7311, 0.2689]
    """
    alarm = alarm_law(epsilon, size)
    return lambda records: np.kron(np.eye(size + 1)[np.size(records)], alarm(records))


def sampling_bounds(epsilon: float, n_samples: int) -> pd.DataFrame:
    """Epsilon of the alarm on subsets of each size: exact, and by every bound.

    Parameters
    ----------
    epsilon : float
        Of the alarm on its subsample, in nats.
    n_samples : int
        Number of records; all subsets are gone through.

    Returns
    -------
    DataFrame
        Columns ``subsample_size``, ``rate``, ``exact``, ``tight``, ``ratio_form`` (the last step but one of
        WLF16's proof), ``lemma_34`` and ``lemma_31``.

    Examples
    --------
    >>> sampling_bounds(1.0, 2).round(4)[["rate", "exact", "tight", "lemma_34"]]
       rate   exact   tight  lemma_34
    0   0.5  0.6201  0.6201    2.3504
    1   1.0  1.0000  1.0000    4.7008
    """
    rows = []
    for k in range(1, n_samples + 1):
        rate = k / n_samples
        found = audit.exact(subsampled_law(alarm_law(epsilon, k), k), np.array([0, 1]), n_samples)
        printed = amplified_epsilon_wlf16(epsilon, rate), amplified_wlf16(epsilon, 0.0, rate).epsilon
        middle = amplified_epsilon_wlf16(epsilon, rate, form="ratio")
        rows.append((k, rate, found.epsilon, amplified_epsilon(epsilon, rate), middle, *printed))
    names = ["subsample_size", "rate", "exact", "tight", "ratio_form", "lemma_34", "lemma_31"]
    return pd.DataFrame(rows, columns=names)


def looseness(epsilons: Sequence[float], rate: float) -> pd.DataFrame:
    """Each bound of WLF16 over the tight one.

    Parameters
    ----------
    epsilons : sequence of float
        Of the mechanism on its subsample, in nats.
    rate : float
        Sampling rate, in (0, 1].

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``lemma_34``, ``ratio_form`` and ``lemma_31``.

    Examples
    --------
    >>> looseness([1.0], 1e-6).round(3)
       epsilon  lemma_34  ratio_form  lemma_31
    0      1.0     2.736       1.368     2.718
    """
    rows = []
    for epsilon in map(float, epsilons):
        tight = amplified_epsilon(epsilon, rate)
        lemma, middle = (amplified_epsilon_wlf16(epsilon, rate, form=form) for form in ("printed", "ratio"))
        rows.append((epsilon, lemma / tight, middle / tight, amplified_wlf16(epsilon, 0.0, rate)[0] / tight))
    return pd.DataFrame(rows, columns=["epsilon", "lemma_34", "ratio_form", "lemma_31"])


def relations_and_schemes(epsilon: float, n_samples: int, subsample_size: int) -> pd.DataFrame:
    """What happens to the tight formula when scheme and relation do not belong together.

    Parameters
    ----------
    epsilon : float
        Of the mechanism on its subsample under `promised`, in nats.
    n_samples, subsample_size : int
        Of the larger data set and its subset; coins have the rate ``subsample_size / n_samples``.

    Returns
    -------
    DataFrame
        Columns ``scheme``, ``promised`` (relation of the mechanism's guarantee), ``audited`` (relation of
        the audit), ``formula`` (the tight one), ``exact`` and ``theory`` (what is proved to be attained).

    Examples
    --------
    >>> table = relations_and_schemes(1.0, 3, 1)
    >>> (table["exact"] > table["formula"] + 1e-9).tolist()
    [False, False, True, True, True]
    """
    n, k, rate = n_samples, subsample_size, subsample_size / n_samples
    formula = amplified_epsilon(epsilon, rate)
    votes, bits = np.array([-1, 0, 1]), np.array([0, 1])
    middle = amplified_epsilon_wlf16(epsilon, rate, form="ratio")
    twice = amplified_epsilon(2 * epsilon, rate)
    whole, part = alarm_law(epsilon, n), alarm_law(epsilon, k)
    cases = [
        ("subset", REPLACE, REPLACE, part, bits, formula),
        ("coins", ADD, ADD, whole, votes, formula),
        ("coins", ADD, REPLACE, whole, votes, middle),
        ("subset", ADD, ADD, part, votes, twice),
        ("coins", REPLACE, REPLACE, open_size_law(epsilon, n), bits, epsilon),
    ]
    rows = []
    for scheme, promised, audited, law, universe, theory in cases:
        sampled = subsampled_law(law, rate if scheme == "coins" else k, scheme=scheme)
        found = audit.exact(sampled, universe, n, adjacency=audited)
        rows.append((scheme, str(promised), str(audited), formula, found.epsilon, theory))
    return pd.DataFrame(rows, columns=["scheme", "promised", "audited", "formula", "exact", "theory"])
