"""Sparse vectors that were published and are not private, each with its exact law.

Lyu, Su and Li (2017) compared six versions of the sparse vector technique; four of them break their
promise.  Each function here returns the law of one of these, for queries of sensitivity 1 and the
threshold 0, so that an auditor can catch it with its exact epsilon.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.distributions import Categorical, Laplace
from privml.mechanisms.sparse_vector.base import Noise, threshold_quadrature, transcript_log_probabilities

Law = Callable[[ArrayLike], Categorical]


def _categorical(probabilities: NDArray) -> Categorical:
    with np.errstate(divide="ignore"):
        return Categorical(np.log(np.maximum(probabilities, 0.0)))


def _transcript_law(noise: Noise, cutoff: int | None) -> Law:
    def law(values: ArrayLike) -> Categorical:
        values = check.finite_vector(values=values)
        return Categorical(transcript_log_probabilities(values, noise, cutoff, redraw=False))

    return law


def query_noise_without_cutoff(epsilon: float, cutoff: int) -> Law:
    """Query noise that does not grow with the number of crossings allowed (Lee and Clifton, 2014).

    A quarter of epsilon goes to the threshold; each query gets noise of scale ``4 / (3 epsilon)``,
    whatever the cut-off c.

    **Returns.** Callable: from query values to the law of the transcript.
    **Privacy.** ``(1 + 6 c) epsilon / 4``-DP, and not better in general.
    **Source.** Lyu, Su and Li (2017), Algorithm 4; the rule that it misses is in LZCW21-alg-6.

    Parameters
    ----------
    cutoff : int
        Number of crossings after which the run halts.

    Raises
    ------
    ValueError
        If `epsilon` is not positive or `cutoff` is not a positive integer.

    Examples
    --------
    >>> law = query_noise_without_cutoff(1.0, 2)
    >>> before, after = law([0.0, -9.0, -9.0]).logpmf(), law([1.0, -10.0, -10.0]).logpmf()
    >>> bool(np.abs(before - after).max() > 1.0)
    True
    """
    check.positive(epsilon=epsilon)
    check.positive_integer(cutoff=cutoff)
    return _transcript_law(Noise(4 / epsilon, 4 / (3 * epsilon)), cutoff)


def no_query_noise(epsilon: float) -> Law:
    """Noise on the threshold only, and no cut-off (Stoddard, Chen and Machanavajjhala, 2014).

    **Returns.** Callable: from query values to the law of the transcript.
    **Privacy.** None: with values (0, 1) the second query alone can cross, with (1, 0) it cannot.
    **Source.** Lyu, Su and Li (2017), Algorithm 5.

    Raises
    ------
    ValueError
        If `epsilon` is not positive.

    Examples
    --------
    >>> law = no_query_noise(1.0)
    >>> law([0.0, 1.0]).pmf().round(4).tolist(), law([1.0, 0.0]).pmf().round(4).tolist()
    ([0.5, 0.0, 0.1967, 0.3033], [0.5, 0.1967, 0.0, 0.3033])
    """
    check.positive(epsilon=epsilon)
    return _transcript_law(Noise(2 / epsilon, 0.0), None)


def no_cutoff(epsilon: float) -> Law:
    """Noise as for one crossing, and any number of crossings (Chen, Xiao, Zhang and Xu, 2015).

    **Returns.** Callable: from query values to the law of the transcript.
    **Privacy.** No finite epsilon serves all streams: the loss grows with their length.
    **Source.** Lyu, Su and Li (2017), Algorithm 6.

    Raises
    ------
    ValueError
        If `epsilon` is not positive.

    Examples
    --------
    >>> law = no_cutoff(1.0)
    >>> gaps = [np.abs(law(np.zeros(n)).logpmf() - law(np.r_[np.ones(n // 2), -np.ones(n // 2)]).logpmf())
    ...         for n in (2, 6, 10)]
    >>> [round(float(gap.max()), 2) for gap in gaps]
    [0.82, 2.62, 4.49]
    """
    check.positive(epsilon=epsilon)
    return _transcript_law(Noise(2 / epsilon, 2 / epsilon), None)


def reused_query_noise(epsilon: float) -> Law:
    """The crossing query's noisy value, released with the noise that decided the crossing (Roth, 2011).

    The run halts at the first crossing and releases that query's noisy value; its sign is part of the
    outcome here, which is enough to see the violation.

    **Returns.** Callable: from query values to the law on: first crossing at query j with a released value of
    at most 0 (outcome 2 j) or above 0 (outcome 2 j + 1), and no crossing (last).
    **Privacy.** No finite epsilon serves all streams: a small released value says that the threshold was
    smaller still, so that every earlier "below" answer has to be paid for.
    **Source.** Lyu, Su and Li (2017), Algorithm 3.

    Raises
    ------
    ValueError
        If `epsilon` is not positive.

    Examples
    --------
    >>> law = reused_query_noise(1.0)
    >>> gaps = [law(np.r_[np.zeros(n), 1.0]).logpmf() - law(np.r_[np.ones(n), 0.0]).logpmf() for n in (2, 8)]
    >>> [round(float(gap[-3]), 3) for gap in gaps]
    [0.5, 3.5]
    """
    check.positive(epsilon=epsilon)
    noise = Noise(2 / epsilon, 2 / epsilon)

    def law(values: ArrayLike) -> Categorical:
        values = check.finite_vector(values=values)
        points, weights = threshold_quadrature(values, noise)
        query = Laplace(scale=noise.query_scale)
        crossing = query.sf(points - values[:, None])
        small = np.maximum(crossing - query.sf(-values[:, None]), 0.0)  # threshold <= value + noise <= 0
        quiet = np.cumprod(np.vstack([np.ones_like(points), 1 - crossing]), axis=0)
        outcomes = np.stack([quiet[:-1] * small, quiet[:-1] * (crossing - small)], axis=1) @ weights
        return _categorical(np.append(outcomes.ravel(), quiet[-1] @ weights))

    return law
