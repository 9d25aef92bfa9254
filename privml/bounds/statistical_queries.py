"""How many records it takes to answer k statistical queries, with and without privacy.

A private answer is off the query's mean over the population for two reasons: the sample is not the
population (Hoeffding), and there is noise.  With probability at least 1 - beta all k answers are within

==============  ====================================  ===========================================
part            queries fixed in advance              queries chosen adaptively, a batch for each
==============  ====================================  ===========================================
sampling        ``sqrt(ln(4 k / beta) / (2 m))``      the same with ``m // k`` for m
Laplace noise   ``k ln(2 k / beta) / (epsilon m)``    ``ln(2 k / beta) / (epsilon (m // k))``
Gaussian noise  ``sqrt(k ln(2 k / beta) / rho) / m``  ``sqrt(ln(2 k / beta) / rho) / (m // k)``
==============  ====================================  ===========================================

of the truth, both parts added.  Without privacy all of beta goes to the sample: ``ln(2 k / beta)``.
"""

from collections.abc import Callable
from math import inf, log, sqrt

from privml import _check as check
from privml._search import smallest_integer
from privml.bounds.noise_maximum import gaussian_max_quantile, laplace_max_quantile
from privml.bounds.tails import EXPONENTS

_FORMS = {"sum": lambda radius, noise: radius + noise, "halves": lambda radius, noise: 2 * max(radius, noise)}


def _records_per_query(n_queries: int, n_samples: int, adaptive: bool) -> int:
    """Records behind one answer: all, or a batch of one's own."""
    check.positive_integer(n_queries=n_queries, n_samples=n_samples)
    check.one_of((True, False), adaptive=adaptive)
    return n_samples // n_queries if adaptive else n_samples


def _radius(n_queries: int, n_records: int, beta: float) -> float:
    """Hoeffding's deviation of k means of m records each, by a union bound."""
    check.probability_open(beta=beta)
    return sqrt(log(2 * n_queries / beta) / (EXPONENTS["hoeffding"] * n_records)) if n_records else inf


def _combined(form: str, beta: float, radius: float, noise: Callable[[], float]) -> float:
    check.probability_open(beta=beta)
    check.one_of(_FORMS, form=form)
    return _FORMS[form](radius, noise()) if radius < inf else inf


def _smallest(accuracy: Callable, alpha: float, n_queries: int, *rest: float, **how: object) -> int:
    check.positive(alpha=alpha)
    return smallest_integer(lambda n_samples: accuracy(n_queries, n_samples, *rest, **how) <= alpha)


def sq_accuracy(n_queries: int, n_samples: int, beta: float, *, adaptive: bool = False) -> float:
    """Accuracy of k empirical means, all at once, without privacy.

    **Source.** DR11-thm-private-sq-sample-complexity, which has the first form for all learners.

    Parameters
    ----------
    adaptive : bool, default False
        False: queries fixed in advance, all records for each.  True: each query may depend on earlier
        answers, and has a batch of ``m // k`` records of its own.

    Examples
    --------
    >>> round(sq_accuracy(202, 450, 0.05), 4), round(sq_accuracy(202, 450 * 202, 0.05, adaptive=True), 4)
    (0.1, 0.1)
    """
    return _radius(n_queries, _records_per_query(n_queries, n_samples, adaptive), beta)


def sq_sample_size(n_queries: int, alpha: float, beta: float, *, adaptive: bool = False) -> int:
    """Smallest number of records at which :func:`sq_accuracy` is at most alpha.

    **Returns.** ``ln(2 k / beta) / (2 alpha^2)`` rounded up, times k for adaptive queries.
    **Source.** DR11-thm-private-sq-sample-complexity.

    Parameters
    ----------
    adaptive : bool, default False
        As in :func:`sq_accuracy`.

    Examples
    --------
    >>> sq_sample_size(202, 0.1, 0.05), sq_sample_size(202, 0.1, 0.05, adaptive=True)
    (450, 90900)
    """
    return _smallest(sq_accuracy, alpha, n_queries, beta, adaptive=adaptive)


def private_sq_accuracy(
    n_queries: int, n_samples: int, epsilon: float, beta: float, *, adaptive: bool = False, form: str = "sum"
) -> float:
    """Accuracy of k answers with Laplace noise under a pure budget, all at once.

    **Privacy.** epsilon-DP under replace-one, see
    :class:`~privml.learners.statistical_queries.PrivateSQOracle`.
    **Source.** DR11-thm-private-sq-sample-complexity; "halves" inverts to its explicit sizes.

    Parameters
    ----------
    adaptive : bool, default False
        As in :func:`sq_accuracy`.
    form : {"sum", "halves"}
        Sampling error plus noise, or twice the larger of the two: alpha / 2 for each.

    Examples
    --------
    >>> round(private_sq_accuracy(50, 20_000, 1.0, 0.05), 4)
    0.0334
    """
    check.positive(epsilon=epsilon)
    check.probability_open(beta=beta)
    records = _records_per_query(n_queries, n_samples, adaptive)
    radius = _radius(n_queries, records, beta / 2)
    scale = (1 if adaptive else n_queries) / epsilon
    return _combined(
        form, beta, radius, lambda: laplace_max_quantile(n_queries, scale / records, beta / 2, form="union")
    )


def private_sq_sample_size(
    n_queries: int, alpha: float, epsilon: float, beta: float, *, adaptive: bool = False, form: str = "sum"
) -> int:
    """Smallest number of records at which :func:`private_sq_accuracy` is at most alpha.

    **Source.** DR11-thm-private-sq-sample-complexity; the comparison is DR11-rem-sq-comparison.

    Parameters
    ----------
    adaptive : bool, default False
        As in :func:`sq_accuracy`.
    form : {"sum", "halves"}
        With "halves" it is ``max{2 ln(4 k / beta) / alpha^2, 2 k ln(2 k / beta) / (epsilon alpha)}``
        rounded up; for adaptive queries without the k, rounded up, and times k.

    Examples
    --------
    >>> private_sq_sample_size(50, 0.1, 1.0, 0.05), private_sq_sample_size(50, 0.1, 1.0, 0.05, form="halves")
    (5281, 7601)
    """
    return _smallest(private_sq_accuracy, alpha, n_queries, epsilon, beta, adaptive=adaptive, form=form)


def concentrated_sq_accuracy(
    n_queries: int, n_samples: int, rho: float, beta: float, *, adaptive: bool = False, form: str = "sum"
) -> float:
    """Accuracy of k answers with Gaussian noise under a concentrated budget, all at once.

    **Privacy.** rho-concentrated under replace-one.
    **Source.** DR11-thm-private-sq-sample-complexity with concentrated composition: sqrt(k) where it has k.

    Parameters
    ----------
    adaptive, form : bool, str
        As in :func:`private_sq_accuracy`.

    Examples
    --------
    >>> round(concentrated_sq_accuracy(50, 20_000, 0.5, 0.05), 4)
    0.0158
    """
    check.positive(rho=rho)
    check.probability_open(beta=beta)
    records = _records_per_query(n_queries, n_samples, adaptive)
    radius = _radius(n_queries, records, beta / 2)
    sigma = sqrt((1 if adaptive else n_queries) / (2 * rho))
    return _combined(
        form, beta, radius, lambda: gaussian_max_quantile(n_queries, sigma / records, beta / 2, form="union")
    )


def concentrated_sq_sample_size(
    n_queries: int, alpha: float, rho: float, beta: float, *, adaptive: bool = False, form: str = "sum"
) -> int:
    """Smallest number of records at which :func:`concentrated_sq_accuracy` is at most alpha.

    **Source.** DR11-thm-private-sq-sample-complexity with concentrated composition.

    Parameters
    ----------
    adaptive : bool, default False
        As in :func:`sq_accuracy`.
    form : {"sum", "halves"}
        "halves": ``max{2 ln(4 k / beta) / alpha^2, 2 sqrt(k ln(2 k / beta) / rho) / alpha}``, rounded up.

    Examples
    --------
    >>> concentrated_sq_sample_size(50, 0.1, 0.5, 0.05)
    880
    """
    return _smallest(concentrated_sq_accuracy, alpha, n_queries, rho, beta, adaptive=adaptive, form=form)
