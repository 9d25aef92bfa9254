"""How far from the threshold a query must lie for a sparse vector to answer it correctly."""

from math import log

from privml import _check as check


def above_threshold_margin(n_queries: int, epsilon: float, beta: float, *, sensitivity: float = 1.0) -> float:
    """Distance from the threshold at which AboveThreshold is right about every query.

    **Returns.** ``8 Delta (ln k + ln(2 / beta)) / epsilon``, in query units, for the even split of epsilon.
    **Source.** Dwork and Roth (2014), Theorem 3.24, for :class:`privml.mechanisms.SparseVector` with
    ``cutoff=1`` and ``threshold_share=0.5``.

    >>> round(above_threshold_margin(100, 1.0, 0.05), 4)
    66.3524
    """
    check.positive_integer(n_queries=n_queries)
    check.positive(epsilon=epsilon, sensitivity=sensitivity)
    check.probability_open(beta=beta)
    return 8 * sensitivity * (log(n_queries) + log(2 / beta)) / epsilon


def sparse_vector_margin(n_queries: int, threshold_scale: float, query_scale: float, beta: float) -> float:
    """Distance from the threshold at which a sparse vector with any scales is right about every query.

    **Returns.** ``threshold_scale ln(2 / beta) + query_scale ln(2 k / beta)``, in query units, for threshold
    noise that is drawn once.
    **Source.** Sharpens Dwork and Roth (2014), Theorem 3.24, whose proof lets each noise take half of
    the margin: :func:`above_threshold_margin`.

    Parameters
    ----------
    threshold_scale, query_scale : float
        Scales of the Laplace noise, positive, in query units.

    Examples
    --------
    >>> round(sparse_vector_margin(100, 2.0, 4.0, 0.05), 4)
    40.554
    """
    check.positive_integer(n_queries=n_queries)
    check.positive(threshold_scale=threshold_scale, query_scale=query_scale)
    check.probability_open(beta=beta)
    return threshold_scale * log(2 / beta) + query_scale * log(2 * n_queries / beta)


def restarting_margin(n_queries: int, cutoff: int, threshold_scale: float, beta: float) -> float:
    """Distance from the threshold at which the restarting sparse vector is right about every query.

    **Returns.** ``phi = 4 lambda ln(2 m T / beta)``, in query units.  If fewer than T queries lie on the
    crossing side of the threshold or within phi of it, then with probability at least 1 - beta no other query
    crosses, and the run does not halt.
    **Source.** LZCW21-lem-46, with fewer than T where the lemma prints at most T.

    Parameters
    ----------
    cutoff : int
        Number of crossings T at which the run halts.
    threshold_scale : float
        Scale lambda of the threshold's noise, ``RestartingSparseVector(...).noise.threshold_scale``.

    Examples
    --------
    >>> round(restarting_margin(100, 2, 29.735, 0.05), 2)
    1068.94
    """
    check.positive_integer(n_queries=n_queries, cutoff=cutoff)
    check.positive(threshold_scale=threshold_scale)
    check.probability_open(beta=beta)
    return 4 * threshold_scale * log(2 * n_queries * cutoff / beta)


def stable_answer_radius(epsilon: float, delta: float, beta: float) -> float:
    """Stability radius from which on the source's distance-to-instability mechanism answers.

    **Returns.** ``(ln(1/delta) + ln(1/beta)) / epsilon``, for the threshold ``ln(1/delta) / epsilon``.  The
    failure probability is in fact at most beta / 2.
    **Source.** LZCW21-lem-49.

    >>> round(stable_answer_radius(1.0, 1e-6, 0.05), 4)
    16.8112
    """
    check.positive(epsilon=epsilon)
    check.probability_open(delta=delta, beta=beta)
    return (log(1 / delta) + log(1 / beta)) / epsilon
