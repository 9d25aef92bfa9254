"""The steps from teachers to labels: their mistakes, unstable points, and how many teachers outvote noise."""

from math import floor, log, sqrt

from privml import _check as check
from privml._search import ceiling, smallest_integer
from privml.bounds.relative_deviation import bernstein_count


def source_sigma(n_queries: int, epsilon: float, delta: float) -> float:
    """Noise on each of some counts with which the source's concentrated budget pays for them.

    Returns
    -------
    float
        ``sqrt(l / (2 rho))`` with ``rho = (sqrt(ln(1 / delta) + epsilon) - sqrt(ln(1 / delta)))**2``.

    Notes
    -----
    **Source.** LZCW21-alg-1.

    Examples
    --------
    >>> round(source_sigma(100, 1.0, 1e-6), 3)
    53.5
    """
    check.positive_integer(n_queries=n_queries)
    check.positive(epsilon=epsilon)
    check.probability_open(delta=delta)
    return (sqrt(epsilon - log(delta)) + sqrt(-log(delta))) * sqrt(n_queries / 2) / epsilon


def teacher_mistakes(n_public: int, disagreement: float, n_teachers: int, beta: float) -> float:
    """Number of disagreements with h* on public points that no teacher exceeds, except with probability beta.

    Parameters
    ----------
    disagreement : float
        Distance D from h* that no teacher exceeds, in [0, 1].

    Returns
    -------
    float
        ``m D + sqrt(2 m D L) + 2 L / 3`` with ``L = ln(K / beta)``, at most m.

    Notes
    -----
    **Source.** LZCW21-lem-14.

    Examples
    --------
    >>> round(teacher_mistakes(1000, 0.02, 100, 0.05), 2)
    42.5
    """
    check.positive_integer(n_teachers=n_teachers)
    check.probability_open(beta=beta)
    return bernstein_count(n_public, disagreement, beta / n_teachers)


def unstable_cutoff(mistakes: float) -> int:
    """Cut-off with which the sparse vector answers everything, if teachers make at most so many mistakes.

    Parameters
    ----------
    mistakes : float
        Number of mistakes B of a teacher, or their mean over the teachers, on the public points.

    Returns
    -------
    int
        ``floor(3 B) + 1``: at most 3 B points get K / 3 wrong votes, and the run halts at the T-th unstable
        answer.

    Raises
    ------
    ValueError
        If `mistakes` is negative or not finite.

    Notes
    -----
    **Source.** LZCW21-lem-15, with 1 more than the printed ``T = 3 B``.

    Examples
    --------
    >>> unstable_cutoff(10.5)
    32
    """
    check.non_negative(mistakes=mistakes)
    return floor(3 * mistakes) + 1


def stable_teachers(n_queries: int, cutoff: int, epsilon: float, delta: float, beta: float) -> int:
    """Number of teachers at which no point with fewer than K / 3 dissenting votes is answered as unstable.

    Parameters
    ----------
    cutoff : int
        Number of unstable answers T at which the run halts, at least 1.

    Returns
    -------
    int
        The smallest K with ``K / 6 - 1 >= 3 lambda (ln(2 (m + T) / delta) + ln((m + T) / (2 beta)))``, where
        ``lambda = sqrt(2 T / rho)`` and rho is the concentrated budget of (epsilon, delta / 2).

    Notes
    -----
    **Source.** The step that LZCW21-thm-10 and LZCW21-lem-15 take from Lemma 3; no condition on epsilon.

    Examples
    --------
    >>> stable_teachers(1000, 10, 1.0, 1e-6, 0.05)
    19119
    """
    check.positive_integer(n_queries=n_queries, cutoff=cutoff)
    check.positive(epsilon=epsilon)
    check.probability_open(delta=delta, beta=beta)
    scale = 2 * source_sigma(cutoff, epsilon, delta / 2)
    noises = n_queries + cutoff
    reach = 3 * scale * (log(2 * noises / delta) + max(0.0, log(noises / (2 * beta))))
    return smallest_integer(lambda n_teachers: n_teachers / 6 - 1 >= reach)


def gaussian_teachers(n_samples: int, n_public: int, epsilon: float, delta: float) -> int:
    """Number of teachers for Gaussian votes on m public points.

    Returns
    -------
    int
        ``6 sigma sqrt(2 ln(2 n))``, rounded up, with sigma the noise of the source's concentrated budget.

    Notes
    -----
    **Source.** LZCW21-thm-28, which prints the same number without sigma.

    Examples
    --------
    >>> gaussian_teachers(10**6, 1000, 1.0, 1e-6)
    5469
    """
    check.positive_integer(n_samples=n_samples, n_public=n_public)
    return ceiling(6 * source_sigma(n_public, epsilon, delta) * sqrt(2 * log(2 * n_samples)))
