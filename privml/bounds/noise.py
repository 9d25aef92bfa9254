"""How large noise gets: the largest of k independent noises, and how far from a threshold answers are right.

The absolute value of Laplace noise of scale b is exponential with mean b.  The largest of k of them has the
law of ``E_1 / k + E_2 / (k - 1) + ... + E_k / 1`` with independent exponential E_i: first all k wait for the
earliest to come, then k - 1 for the next.  So its mean is b times the harmonic number of k.
"""

from math import expm1, fsum, log, log1p, sqrt

from privml import _check as check

FORMS = ("exact", "union")
_EULER = 0.5772156649015329
_SUMMED = 1000


def laplace_max_error(n_queries: int, scale: float) -> float:
    """Expected largest absolute noise among k independent Laplace answers, exactly.

    **Returns.** ``b H_k``; above a thousand terms ``H_k = ln k + gamma + 1 / (2 k) - 1 / (12 k^2)``, off by
    less than ``1 / (120 k^4)``.
    **Source.** DR11-lem-laplace-worst-case, where it is O(b log k).

    Fifty queries to a thousand records under epsilon = 1:

    >>> round(laplace_max_error(50, scale=50 / 1000), 4)
    0.225
    """
    check.positive(scale=scale)
    check.positive_integer(n_queries=n_queries)
    if n_queries <= _SUMMED:
        return scale * fsum(1 / i for i in range(1, n_queries + 1))
    return scale * (log(n_queries) + _EULER + 1 / (2 * n_queries) - 1 / (12 * n_queries**2))


def _single_tail(n_queries: int, beta: float, form: str) -> float:
    """Tail of one answer at which the largest of k has tail beta, exactly or by a union bound."""
    check.one_of(FORMS, form=form)
    check.positive_integer(n_queries=n_queries)
    check.probability_open(beta=beta)
    return beta / n_queries if form == "union" else -expm1(log1p(-beta) / n_queries)


def laplace_max_quantile(n_queries: int, scale: float, beta: float, *, form: str = "exact") -> float:
    """Error that the worst of k independent Laplace answers exceeds with probability beta.

    **Returns.** The quantile ("exact"), or the bound ``b ln(k / beta)``, which needs no independence
    ("union").
    **Source.** DR11-lem-laplace-worst-case.

    >>> [round(laplace_max_quantile(50, 0.05, 0.05, form=form), 4) for form in FORMS]
    [0.3441, 0.3454]
    """
    single = _single_tail(n_queries, beta, form)
    check.positive(scale=scale)
    return -scale * log(single)


def gaussian_max_quantile(n_queries: int, sigma: float, beta: float, *, form: str = "exact") -> float:
    """Error that the worst of k independent Gaussian answers exceeds with probability beta.

    One answer is off by more than t with probability at most ``exp(-t^2 / (2 sigma^2))``, both sides
    together.
    **Returns.** The quantile ("exact"), or the bound ``sigma sqrt(2 ln(k / beta))`` ("union").
    **Source.** The counterpart of DR11-lem-laplace-worst-case for concentrated privacy.

    >>> [round(gaussian_max_quantile(50, 0.05, 0.05, form=form), 4) for form in FORMS]
    [0.1642, 0.1858]
    """
    from scipy.special import ndtri

    single = _single_tail(n_queries, beta, form)
    check.positive(sigma=sigma)
    if form == "union":
        return sigma * sqrt(2 * log(n_queries / beta))
    return float(-sigma * ndtri(single / 2))


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

    **Returns.** ``(ln(1/delta) + ln(1/beta)) / epsilon``, for the threshold ``ln(1/delta) / epsilon``;
    symmetric in delta and beta.  The failure probability is in fact at most beta / 2.
    **Source.** LZCW21-lem-49.

    >>> round(stable_answer_radius(1.0, 1e-6, 0.05), 4)
    16.8112
    """
    check.positive(epsilon=epsilon)
    check.probability_open(delta=delta, beta=beta)
    return (log(1 / delta) + log(1 / beta)) / epsilon
