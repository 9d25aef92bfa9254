"""The largest of k independent noises: mean, tail and quantile.

The absolute value of Laplace noise of scale b is exponential with mean b.  The largest of k independent
exponential variables has the same law as ``E_1 / k + E_2 / (k - 1) + ... + E_k / 1`` with independent
exponential E_i: first all k wait for the earliest to come, then k - 1 for the next, and so on.  So its mean
is b times the harmonic number of k.  Its distribution function is the k-th power of one.
"""

from math import exp, expm1, fsum, log, log1p, sqrt

from privml import _check as check

FORMS = ("exact", "union")
_EULER = 0.5772156649015329
_SUMMED = 1000


def harmonic_number(n_terms: int) -> float:
    """Sum of 1 / i for i from 1 to n.

    Above a thousand terms it is ``ln n + gamma + 1 / (2 n) - 1 / (12 n^2)``, which is off by less than
    ``1 / (120 n^4)``.

    **Returns.** Between ``ln n`` and ``1 + ln n``.
    **Source.** DR11-lem-laplace-worst-case.

    Parameters
    ----------
    n_terms : int
        Number of terms n, at least 1.

    Raises
    ------
    ValueError
        If `n_terms` is not a positive integer.

    Examples
    --------
    >>> harmonic_number(4) == 25 / 12
    True
    """
    check.positive_integer(n_terms=n_terms)
    if n_terms <= _SUMMED:
        return fsum(1 / i for i in range(1, n_terms + 1))
    return log(n_terms) + _EULER + 1 / (2 * n_terms) - 1 / (12 * n_terms**2)


def laplace_max_error(n_queries: int, scale: float) -> float:
    """Expected largest absolute noise among k independent Laplace answers, exactly.

    **Returns.** ``b H_k``, with the harmonic number H_k.
    **Source.** DR11-lem-laplace-worst-case, where it is O(b log k).

    Fifty queries to a thousand records under epsilon = 1:

    >>> round(laplace_max_error(50, scale=50 / 1000), 4)
    0.225
    """
    check.positive(scale=scale)
    return scale * harmonic_number(n_queries)


def laplace_max_tail(n_queries: int, scale: float, threshold: float) -> float:
    """Probability that some of k independent Laplace answers is off by more than a threshold, exactly.

    **Returns.** ``1 - (1 - exp(-t / b))^k``.
    **Source.** DR11-lem-laplace-worst-case.

    Parameters
    ----------
    threshold : float
        The error t, non-negative.

    Examples
    --------
    >>> round(laplace_max_tail(50, 0.05, 0.35), 6)
    0.04459
    """
    check.positive_integer(n_queries=n_queries)
    check.positive(scale=scale)
    check.non_negative(threshold=threshold)
    single = exp(-threshold / scale)
    return 1.0 if single == 1 else -expm1(n_queries * log1p(-single))


def _single_tail(n_queries: int, beta: float) -> float:
    """Tail of one answer at which the largest of k independent ones has tail beta."""
    return -expm1(log1p(-beta) / n_queries)


def laplace_max_quantile(n_queries: int, scale: float, beta: float, *, form: str = "exact") -> float:
    """Error that the worst of k independent Laplace answers exceeds with probability beta.

    **Source.** DR11-lem-laplace-worst-case; the union bound needs no independence.

    Parameters
    ----------
    form : {"exact", "union"}
        The quantile itself, or the union bound ``b ln(k / beta)``.

    Examples
    --------
    >>> round(laplace_max_quantile(50, 0.05, 0.05), 4), round(laplace_max_quantile(
    ...     50, 0.05, 0.05, form="union"), 4)
    (0.3441, 0.3454)
    """
    check.one_of(FORMS, form=form)
    check.positive_integer(n_queries=n_queries)
    check.positive(scale=scale)
    check.probability_open(beta=beta)
    single = beta / n_queries if form == "union" else _single_tail(n_queries, beta)
    return -scale * log(single)


def gaussian_max_quantile(n_queries: int, sigma: float, beta: float, *, form: str = "exact") -> float:
    """Error that the worst of k independent Gaussian answers exceeds with probability beta.

    One Gaussian answer is off by more than t with probability at most ``exp(-t^2 / (2 sigma^2))``, both
    sides together: the quotient of the two is 1 at t = 0 and falls.

    **Source.** The counterpart of DR11-lem-laplace-worst-case for concentrated privacy.

    Parameters
    ----------
    form : {"exact", "union"}
        The quantile itself, or the bound ``sigma sqrt(2 ln(k / beta))``.

    Examples
    --------
    >>> round(gaussian_max_quantile(50, 0.05, 0.05), 4), round(gaussian_max_quantile(
    ...     50, 0.05, 0.05, form="union"), 4)
    (0.1642, 0.1858)
    """
    check.one_of(FORMS, form=form)
    check.positive_integer(n_queries=n_queries)
    check.positive(sigma=sigma)
    check.probability_open(beta=beta)
    if form == "union":
        return sigma * sqrt(2 * log(n_queries / beta))
    from scipy.special import ndtri

    return float(-sigma * ndtri(_single_tail(n_queries, beta) / 2))
