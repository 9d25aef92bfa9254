"""Tails of a mean, of all means of a class, and of the largest of k noises."""

from math import exp, expm1, log, log1p, sqrt

import numpy as np

from privml import _check as check

EXPONENTS = {"hoeffding": 2.0, "lecture": 1.0 / 3.0}
DEVIATIONS = ("azuma", "dr11")
QUANTILE_FORMS = ("exact", "union")


def _exponent(constant: str) -> float:
    check.one_of(tuple(EXPONENTS), constant=constant)
    return EXPONENTS[constant]


def _sides(two_sided: bool) -> int:
    check.flag(two_sided=two_sided)
    return 2 if two_sided else 1


def hoeffding_tail(
    n_samples: int, alpha: float, *, constant: str = "hoeffding", two_sided: bool = True
) -> float:
    """Bound on the probability that a mean of [0, 1] variables deviates by more than alpha.

    Parameters
    ----------
    n_samples : int
        Number of records, a positive integer.
    alpha : float
        Here the deviation of the mean, positive.
    constant : str
        One of "hoeffding" and "lecture".
    two_sided : bool
        Whether both tails are bounded.

    Returns
    -------
    float
        ``2 exp(-2 m alpha**2)``, or half of it, at most 1; "lecture" has 1/3 in the exponent.

    References
    ----------
    L4-lem-hoeffding, as printed with "lecture"; Hoeffding (1963), Theorem 1.

    Examples
    --------
    >>> round(hoeffding_tail(100, 0.1), 6), round(hoeffding_tail(1000, 0.1, constant="lecture"), 6)
    (0.270671, 0.071348)
    """
    check.positive_integer(n_samples=n_samples)
    check.positive(alpha=alpha)
    return min(
        1.0, _sides(two_sided) * exp(-_exponent(constant) * n_samples * (alpha * alpha))
    )


def azuma_deviation(
    n_steps: int, beta: float, *, step_range: float = 1.0, two_sided: bool = True
) -> float:
    """Deviation of the mean step of a martingale that is exceeded with probability at most beta.

    Parameters
    ----------
    n_steps : int
        Number of steps, a positive integer.
    beta : float
        Failure probability, in (0, 1).
    step_range : float
        Length r of the interval of a step, positive.
    two_sided : bool
        Whether both tails are bounded.

    Returns
    -------
    float
        ``r sqrt(ln(2 / beta) / (2 n))``, or with 1 in place of the first 2, for steps that lie in an
        interval of length r, which may move, and have mean 0 given the past.

    References
    ----------
    The step that the proof of DR11-thm-11.6 takes twice; Azuma (1967) and Hoeffding (1963).

    Examples
    --------
    >>> round(azuma_deviation(1000, 0.05, step_range=2.0, two_sided=False), 6)
    0.077405
    """
    check.standard_ranges(n_steps=n_steps, beta=beta, step_range=step_range)
    return step_range * sqrt(
        log(_sides(two_sided) / beta) / (EXPONENTS["hoeffding"] * n_steps)
    )


def regret_deviation(
    n_rounds: int, beta: float, n_experts: int, *, deviation: str = "azuma"
) -> float:
    r"""How far the regret of a run exceeds its mean, except with probability beta; losses in [0, 1].

    Parameters
    ----------
    n_rounds : int
        Number of rounds, a positive integer.
    beta : float
        Failure probability, in (0, 1).
    n_experts : int
        Number of experts, a positive integer.
    deviation : str
        One of "azuma" and "dr11", the source's.

    Returns
    -------
    float
        ``sqrt(ln(1 / beta) / (2 T))`` ("azuma") or the source's ``sqrt(ln(k / beta) / T)`` ("dr11").

    References
    ----------
    DR11-thm-11.4: the step that the source takes by a Chernoff bound, with a needless union.

    Examples
    --------
    >>> [round(regret_deviation(1000, 0.05, 10, deviation=name), 3) for name in DEVIATIONS]
    [0.039, 0.073]
    """
    check.one_of(DEVIATIONS, deviation=deviation)
    check.positive_integer(n_experts=n_experts)
    azuma = azuma_deviation(n_rounds, beta, two_sided=False)
    return azuma if deviation == "azuma" else sqrt(log(n_experts / beta) / n_rounds)


def uniform_convergence_failure(
    n_hypotheses: int, n_samples: int, alpha: float, *, constant: str = "hoeffding"
) -> float:
    """Union bound on the probability that some empirical error is more than alpha from its true error.

    Parameters
    ----------
    n_hypotheses, n_samples : int
        Numbers of hypotheses and records, positive integers.
    alpha : float
        Here the deviation of a mean, positive.
    constant : str
        One of "hoeffding" and "lecture".

    Returns
    -------
    float
        ``|H|`` times :func:`hoeffding_tail`, at most 1.

    References
    ----------
    L4-thm-uniform-convergence.

    Examples
    --------
    >>> round(uniform_convergence_failure(16, 500, 0.1), 6)
    0.001453
    """
    check.positive_integer(n_hypotheses=n_hypotheses)
    return min(1.0, n_hypotheses * hoeffding_tail(n_samples, alpha, constant=constant))


def uniform_convergence_radius(
    n_hypotheses: int, n_samples: int, beta: float, *, constant: str = "hoeffding"
) -> float:
    """Deviation that no hypothesis exceeds, except with probability beta.

    Parameters
    ----------
    n_hypotheses, n_samples : int
        Numbers of hypotheses and records, positive integers.
    beta : float
        Failure probability, in (0, 1).
    constant : str
        One of "hoeffding" and "lecture".

    Returns
    -------
    float
        ``sqrt(ln(2 |H| / beta) / (c m))``; c is 2, or the lecture's 1/3.

    References
    ----------
    L4-thm-uniform-convergence; DR11-lem-sampling-bound, which hides the constant in O(.).

    Examples
    --------
    >>> round(uniform_convergence_radius(16, 500, 0.05), 7)
    0.0803833
    """
    check.standard_ranges(n_hypotheses=n_hypotheses, n_samples=n_samples, beta=beta)
    return sqrt((log(2 * n_hypotheses) - log(beta)) / (_exponent(constant) * n_samples))


def agnostic_erm_excess_error(n_hypotheses: int, n_samples: int, beta: float) -> float:
    """Excess error of empirical risk minimisation over a finite class, except with probability beta.

    Parameters
    ----------
    n_hypotheses, n_samples : int
        Numbers of hypotheses and records, positive integers.
    beta : float
        Failure probability, in (0, 1).

    Returns
    -------
    float
        Two radii: one for the hypothesis chosen, one for the best.

    References
    ----------
    L4-thm-uc-implies-agnostic, for the true error (the printed chain ends at the empirical one).

    Examples
    --------
    >>> round(agnostic_erm_excess_error(16, 500, 0.05), 6)
    0.160767
    """
    return 2 * uniform_convergence_radius(n_hypotheses, n_samples, beta)


def realizable_erm_error(n_hypotheses: int, n_samples: int, beta: float) -> float:
    """Error of empirical risk minimisation where some hypothesis fits all labels, except with probability beta.

    Parameters
    ----------
    n_hypotheses, n_samples : int
        Numbers of hypotheses and records, positive integers.
    beta : float
        Failure probability, in (0, 1).

    Returns
    -------
    float
        ``1 - (beta / |H|)^(1 / m)``: at this error ``|H| (1 - error)^m`` is beta.

    References
    ----------
    L4-def-pac, in its realizable version; Shalev-Shwartz and Ben-David (2014), Corollary 2.3, have the
    larger ``ln(|H| / beta) / m``.

    Examples
    --------
    >>> round(realizable_erm_error(16, 500, 0.05), 6)
    0.01147
    """
    check.standard_ranges(n_hypotheses=n_hypotheses, n_samples=n_samples, beta=beta)
    return -expm1((log(beta) - log(n_hypotheses)) / n_samples)


def laplace_max_error(n_queries: int, scale: float) -> float:
    """Expected largest absolute noise among k independent Laplace answers, exactly.

    Parameters
    ----------
    n_queries : int
        Number of queries, a positive integer.
    scale : float
        Scale of the noise, positive.

    Returns
    -------
    float
        ``b H_k``: in size it has the law of ``b (E_1 / k + ... + E_k / 1)``, each E_i exponential.

    References
    ----------
    DR11-lem-laplace-worst-case, where it is O(b log k).

    Examples
    --------
    >>> round(laplace_max_error(50, scale=50 / 1000), 4)
    0.225
    """
    from scipy.special import digamma

    check.standard_ranges(scale=scale, n_queries=n_queries)
    return scale * float(digamma(n_queries + 1.0) + np.euler_gamma)


def _single_tail(n_queries: int, beta: float, form: str) -> float:
    """Tail of one answer at which the largest of k has tail beta, exactly or by a union bound."""
    check.one_of(QUANTILE_FORMS, form=form)
    check.standard_ranges(n_queries=n_queries, beta=beta)
    return beta / n_queries if form == "union" else -expm1(log1p(-beta) / n_queries)


def laplace_max_quantile(
    n_queries: int, scale: float, *, beta: float, form: str = "exact"
) -> float:
    """Error that the worst of k independent Laplace answers exceeds with probability beta.

    Parameters
    ----------
    n_queries : int
        Number of queries, a positive integer.
    scale : float
        Scale of the noise, positive.
    beta : float
        Failure probability, in (0, 1).
    form : str
        One of "exact" and "union".

    Returns
    -------
    float
        The quantile ("exact"), or ``b ln(k / beta)``, also without independence ("union").

    References
    ----------
    DR11-lem-laplace-worst-case.

    Examples
    --------
    >>> [round(laplace_max_quantile(50, 0.05, beta=0.05, form=form), 5) for form in QUANTILE_FORMS]
    [0.34414, 0.34539]
    """
    single = _single_tail(n_queries, beta, form)
    check.positive(scale=scale)
    return -scale * log(single)


def gaussian_max_quantile(
    n_queries: int, sigma: float, *, beta: float, form: str = "exact"
) -> float:
    """Error that the worst of k independent Gaussian answers exceeds with probability beta.

    Parameters
    ----------
    n_queries : int
        Number of queries, a positive integer.
    sigma : float
        Standard deviation of the noise, positive.
    beta : float
        Failure probability, in (0, 1).
    form : str
        One of "exact" and "union".

    Returns
    -------
    float
        The quantile ("exact"), or the bound ``sigma sqrt(2 ln(k / beta))`` ("union").

    References
    ----------
    The counterpart of DR11-lem-laplace-worst-case for concentrated privacy.

    Examples
    --------
    >>> [round(gaussian_max_quantile(50, 2.0, beta=0.05, form=form), 3) for form in QUANTILE_FORMS]
    [6.567, 7.434]
    """
    from scipy.special import ndtri

    single = _single_tail(n_queries, beta, form)
    check.positive(sigma=sigma)
    if form == "union":
        return sigma * sqrt(2 * log(n_queries / beta))
    return float(-sigma * ndtri(single / 2))


def restarting_margin(
    n_queries: int, cutoff: int, threshold_scale: float, *, beta: float
) -> float:
    """Distance from the threshold at which the restarting sparse vector is right about every query.

    Parameters
    ----------
    n_queries : int
        Number of queries, a positive integer.
    cutoff : int
        Number of unstable queries, a positive integer.
    threshold_scale : float
        Scale lambda of the noise on the threshold, positive.
    beta : float
        Failure probability, in (0, 1).

    Returns
    -------
    float
        ``phi = 4 lambda ln(2 m T / beta)``, lambda the scale of the threshold's noise: if fewer than T
        queries cross or are within phi of it, then except with probability beta no other query crosses.

    References
    ----------
    LZCW21-lem-46, with fewer than T where the lemma prints at most T.

    Examples
    --------
    >>> round(restarting_margin(100, 2, 29.735, beta=0.05), 2)
    1068.94
    """
    check.standard_ranges(
        n_queries=n_queries, cutoff=cutoff, threshold_scale=threshold_scale, beta=beta
    )
    return 4 * threshold_scale * log(2 * n_queries * cutoff / beta)


def stable_answer_radius(epsilon: float, delta: float, *, beta: float) -> float:
    """Stability radius from which on the source's distance-to-instability mechanism answers.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).
    beta : float
        Failure probability, in (0, 1).

    Returns
    -------
    float
        ``(ln(1/delta) + ln(1/beta)) / epsilon``; it fails in fact with probability beta / 2.

    References
    ----------
    LZCW21-lem-49.

    Examples
    --------
    >>> round(stable_answer_radius(1.0, 1e-6, beta=0.05), 6)
    16.811243
    """
    check.standard_ranges(epsilon=epsilon, delta=delta, beta=beta)
    return (log(1 / delta) + log(1 / beta)) / epsilon


check.wrap_module(__name__)
