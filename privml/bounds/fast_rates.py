"""Fast rates: small errors are estimated more sharply than large ones, and little noise makes them small.

The size of an infinite class is the number of labellings that it gives to n points, by its VC dimension.
"""

from dataclasses import dataclass
from math import inf, log, sqrt

import numpy as np

from privml import _check as check

LARGEST_COUNT = 10_000  # largest VC dimension of which labellings are counted exactly
_EXACT = 1_000  # summands up to which labellings are counted in integers
_SUMMED = 100_000  # summands that are added in floats; the rest is bounded by a geometric series


def sauer_shelah(vc_dimension: int, n_points: int) -> int:
    """Largest number of labellings that a class of given VC dimension gives to n points.

    Parameters
    ----------
    vc_dimension : int
        VC dimension, a non-negative integer, or n if fewer, up to 10^4.
    n_points : int
        Number of points, a positive integer.

    Returns
    -------
    int
        ``C(n, 0) + C(n, 1) + ... + C(n, d)``.

    References
    ----------
    Sauer (1972), Shelah (1972); the step that makes DR11-cor-pac-iff-private-pac true.

    Examples
    --------
    >>> sauer_shelah(1, 8), sauer_shelah(3, 3)
    (9, 8)
    """
    check.non_negative_integer(vc_dimension=vc_dimension)
    check.positive_integer(n_points=n_points)
    last = min(vc_dimension, n_points)
    if last > LARGEST_COUNT:
        rule = f"at most {LARGEST_COUNT} for an exact count"
        raise ValueError(f"vc_dimension must be {rule}, but got {vc_dimension!r}.")
    total = term = 1
    for size in range(1, last + 1):
        term = term * (n_points - size + 1) // size
        total += term
    return total


def _log_binomial_coefficient(n: int, k: int) -> float:
    from scipy.special import betaln

    return -float(betaln(n - k + 1.0, k + 1.0)) - log(n + 1)


def log_sauer_shelah(vc_dimension: int, n_points: int) -> float:
    """Logarithm of :func:`sauer_shelah`; for more than a thousand summands in floats, rounded up.

    Parameters
    ----------
    vc_dimension : int
        VC dimension, a non-negative integer.
    n_points : int
        Number of points, a positive integer.

    References
    ----------
    As :func:`sauer_shelah`.

    Examples
    --------
    >>> round(log_sauer_shelah(10**5, 10**7), 2)
    560008.68
    """
    check.non_negative_integer(vc_dimension=vc_dimension)
    check.positive_integer(n_points=n_points)
    last = min(vc_dimension, n_points)
    if last <= _EXACT:
        return log(sauer_shelah(last, n_points))
    everything = n_points * log(2)
    if 2 * last >= n_points:
        return everything
    # C(n, last) times the sum of products of the ratios C(n, j - 1) / C(n, j), which fall with j.
    j = np.arange(last, max(0, last - _SUMMED), -1.0)
    ratios = j / (n_points - j + 1)
    products = np.cumprod(ratios)
    total = 1 + products.sum() + products[-1] * ratios[-1] / (1 - ratios[-1])
    return min(
        everything,
        (_log_binomial_coefficient(n_points, last) + log(total)) * (1 + 1e-9),
    )


def bernstein_count(n_samples: int, error: float, *, beta: float) -> float:
    """Number of mistakes of one hypothesis that is exceeded with probability at most beta.

    Parameters
    ----------
    n_samples : int
        Number of records, a positive integer.
    error : float
        Error of the hypothesis, in [0, 1].
    beta : float
        Failure probability, in (0, 1).

    Returns
    -------
    float
        ``n p + sqrt(2 n p L) + 2 L / 3`` with ``L = ln(1 / beta)``, at most n.

    References
    ----------
    LZCW21-lem-35, part 2, and LZCW21-lem-14 for one teacher.

    Examples
    --------
    >>> round(bernstein_count(1000, 0.01, beta=0.05), 3)
    19.738
    """
    check.standard_ranges(n_samples=n_samples, error=error, beta=beta)
    mean, log_term = n_samples * error, log(1 / beta)
    return min(float(n_samples), mean + sqrt(2 * mean * log_term) + 2 * log_term / 3)


def uniform_bernstein_upper(
    empirical_error: float, n_samples: int, *, beta: float, log_growth: float
) -> float:
    """Upper bound on the true errors of all hypotheses of a class at once.

    Parameters
    ----------
    empirical_error : float
        Share of mistakes of a hypothesis on the sample, in [0, 1].
    n_samples : int
        Number of records, a positive integer.
    beta : float
        Failure probability, in (0, 1).
    log_growth : float
        Logarithm of the growth function at 2 n, non-negative.

    Returns
    -------
    float
        ``(sqrt(A) + sqrt(A + e))**2``, ``A = (ln S(2 n) + ln(4 / beta)) / n``, at most 1; never more than
        ``e + 2 sqrt(A e) + 4 A``, the source's form.

    References
    ----------
    LZCW21-lem-36, with ``ln S(2 n)`` where the VC dimension is printed, which is too small.

    Examples
    --------
    >>> round(uniform_bernstein_upper(0.0, 1000, beta=0.05, log_growth=log_sauer_shelah(1, 2000)), 6)
    0.047934
    """
    check.standard_ranges(
        empirical_error=empirical_error,
        n_samples=n_samples,
        log_growth=log_growth,
        beta=beta,
    )
    unit = (log_growth + log(4 / beta)) / n_samples
    return min(1.0, (sqrt(unit) + sqrt(unit + empirical_error)) ** 2)


def finite_erm_error(
    n_samples: int, n_hypotheses: int, beta: float, *, best_error: float
) -> float:
    """Error of empirical risk minimisation over a finite class.

    Parameters
    ----------
    n_samples, n_hypotheses : int
        Numbers of records and hypotheses, positive integers.
    beta : float
        Failure probability, in (0, 1).
    best_error : float
        Least error in the class, in [0, 1].

    Returns
    -------
    float
        ``(sqrt(p) + sqrt(L / n))**2`` with ``L = ln(|H| / beta)``, at most 1.

    References
    ----------
    LZCW21-lem-37 for a finite class.

    Examples
    --------
    >>> round(finite_erm_error(1000, 16, 0.05, best_error=0.1), 3)
    0.154
    """
    check.positive_integer(n_samples=n_samples, n_hypotheses=n_hypotheses)
    check.unit_interval(best_error=best_error)
    check.probability_open(beta=beta)
    return min(
        1.0, (sqrt(best_error) + sqrt(log(n_hypotheses / beta) / n_samples)) ** 2
    )


def bernstein_from_tail(constant: float, tau: float) -> float:
    """Constant eta of the Bernstein condition that follows from a tail of noise margins.

    Parameters
    ----------
    constant : float
        Factor C of the tail ``C t^(tau / (1 - tau))`` of the noise margins, positive.
    tau : float
        Exponent of the noise condition, in (0, 1).

    Returns
    -------
    float
        ``C**(1 - tau) / (2 tau)**tau``, or 1 if that is more: the least for all such populations.

    References
    ----------
    LZCW21-lem-9, one direction, with the constant.

    Examples
    --------
    >>> bernstein_from_tail(2.0, 0.5)
    1.4142135623730951
    """
    check.positive(constant=constant)
    check.probability_open(tau=tau)
    return max(1.0, constant ** (1 - tau) / (2 * tau) ** tau)


@dataclass(frozen=True, kw_only=True)
class NoiseCondition:
    r"""A class with the Bernstein condition ``Dis(h, h*) <= eta (err(h) - err(h*))**tau``, and its size.

    Every class satisfies the condition with ``tau = 0, eta = 1``.

    Parameters
    ----------
    tau : float
        Exponent of the noise condition, in [0, 1].
    eta : float
        Here the factor of the condition, at least 1.
    vc_dimension : int, optional
        VC dimension, a non-negative integer; None if only the size is used.
    n_hypotheses : int, optional
        Number of hypotheses, a positive integer; None if only the VC dimension is used.

    Raises
    ------
    ValueError
        If neither vc_dimension nor n_hypotheses is given.

    References
    ----------
    LZCW21-lem-9; LZCW21-def-8.

    Examples
    --------
    >>> condition = NoiseCondition(tau=1.0, eta=2.0, n_hypotheses=100)
    >>> round(condition.excess(1000, 0.05), 6), round(condition.teacher_disagreement(10**5, 100, 0.05), 6)
    (0.030404, 0.097649)
    """

    tau: float
    eta: float = 1.0
    vc_dimension: int | None = None
    n_hypotheses: int | None = None

    def __post_init__(self) -> None:
        check.unit_interval(tau=self.tau)
        check.positive(eta=self.eta)
        if self.eta < 1:
            raise ValueError(f"eta must be at least 1, but got {self.eta!r}.")
        if self.vc_dimension is None and self.n_hypotheses is None:
            raise ValueError(
                "vc_dimension or n_hypotheses must be given, but got None for both."
            )
        if self.vc_dimension is not None:
            check.non_negative_integer(vc_dimension=self.vc_dimension)
        if self.n_hypotheses is not None:
            check.positive_integer(n_hypotheses=self.n_hypotheses)

    def log_growth(self, n_points: int) -> float:
        """Logarithm of the number of labellings of `n_points` points, by the size or by the VC dimension."""
        check.positive_integer(n_points=n_points)
        by_size = inf if self.n_hypotheses is None else log(self.n_hypotheses)
        if self.vc_dimension is None:
            return by_size
        return min(by_size, log_sauer_shelah(self.vc_dimension, n_points))

    def excess(self, n_samples: int, beta: float) -> float:
        """Excess error of empirical risk minimisation on `n_samples` records, but for the probability `beta`.

        Returns
        -------
        float
            The smaller of ``(2 eta ln(|H| / beta) / n)**(1 / (2 - tau))`` and ``(32 eta (ln S(2 n) + ln(8 /
            beta)) / n)**(1 / (2 - tau))``, as far as they apply; at most 1.

        References
        ----------
        LZCW21-lem-38 with its hidden constant; LZCW21-rem-erm-fast-rate.
        """
        check.standard_ranges(n_samples=n_samples, beta=beta)
        numerator = inf
        if self.n_hypotheses is not None:
            numerator = 2 * log(self.n_hypotheses / beta)
        if self.vc_dimension is not None:
            growth = log_sauer_shelah(self.vc_dimension, 2 * n_samples)
            numerator = min(numerator, 32 * (growth + log(8 / beta)))
        return min(1.0, (self.eta * numerator / n_samples) ** (1 / (2 - self.tau)))

    def teacher_disagreement(
        self, n_samples: int, n_teachers: int, beta: float
    ) -> float:
        """Distance from h* that none of `n_teachers`, sharing `n_samples`, exceeds but with chance `beta`.

        Returns
        -------
        float
            ``eta excess**tau`` for ``n // K`` records and confidence ``beta / K``; at most 1.

        References
        ----------
        LZCW21-lem-13, with ``ln(K / beta)`` multiplied by K, which the printed bound lacks.
        """
        check.standard_ranges(beta=beta, n_samples=n_samples, n_teachers=n_teachers)
        if n_teachers > n_samples:
            rule = f"at most the number of records ({n_samples})"
            raise ValueError(f"n_teachers must be {rule}, but got {n_teachers}.")
        return min(
            1.0,
            self.eta
            * self.excess(n_samples // n_teachers, beta / n_teachers) ** self.tau,
        )


check.wrap_module(__name__)
