r"""What the Tsybakov noise condition gives: from rare coin flips to fast rates.

With margins ``M = |r(x) - 1/2|`` the condition is ``Pr[M <= t] <= C t**(tau / (1 - tau))``.  It implies, and
with other constants is implied by, ``Dis(h, h*) <= eta (err(h) - err(h*))**tau``, the Bernstein condition
when asked of one class.  Then the noise in comparing h with h* shrinks as h gets good, and empirical risk
minimisation has excess error of order ``n**(-1 / (2 - tau))``.
"""

from dataclasses import dataclass
from math import inf, log

from privml import _check as check
from privml._search import power
from privml.bounds.uniform_convergence import log_sauer_shelah


def _check_eta(eta: float) -> None:
    check.positive(eta=eta)
    if eta < 1:
        raise ValueError(f"eta must be at least 1, got {eta!r}")


def bernstein_from_tail(constant: float, tau: float) -> float:
    """Constant eta of the Bernstein condition that follows from a tail of noise margins.

    **Returns.** ``C**(1 - tau) / (2 tau)**tau``, or 1 if that is more: the least for all such populations.
    **Source.** LZCW21-lem-9, one direction, with the constant.

    >>> bernstein_from_tail(2.0, 0.5)
    1.4142135623730951
    """
    check.positive(constant=constant)
    check.probability_open(tau=tau)
    return max(1.0, constant ** (1 - tau) / (2 * tau) ** tau)


def tail_from_bernstein(eta: float, tau: float) -> float:
    """Constant C of the tail of noise margins that follows from the Bernstein condition for all functions.

    **Returns.** ``eta**(1 / (1 - tau)) 2**(tau / (1 - tau))``.
    **Source.** LZCW21-lem-9, the other direction, with the constant.

    >>> tail_from_bernstein(2.0, 0.5)
    8.0
    """
    _check_eta(eta)
    check.probability_open(tau=tau)
    return power(eta, 1 / (1 - tau)) * power(2.0, tau / (1 - tau))


@dataclass(frozen=True, kw_only=True)
class NoiseCondition:
    r"""A class with the Bernstein condition ``Dis(h, h*) <= eta (err(h) - err(h*))**tau``, and its size.

    Every class satisfies the condition with ``tau = 0, eta = 1``.
    **Source.** LZCW21-lem-9; LZCW21-def-8.

    >>> condition = NoiseCondition(tau=1.0, eta=2.0, n_hypotheses=100)
    >>> round(condition.excess(1000, 0.05), 4), round(condition.disagreement(0.03), 4)
    (0.0304, 0.06)
    """

    tau: float
    eta: float = 1.0
    vc_dimension: int | None = None
    n_hypotheses: int | None = None

    def __post_init__(self) -> None:
        check.unit_interval(tau=self.tau)
        _check_eta(self.eta)
        if self.vc_dimension is None and self.n_hypotheses is None:
            raise ValueError("vc_dimension or n_hypotheses must be given")
        if self.vc_dimension is not None:
            check.non_negative_integer(vc_dimension=self.vc_dimension)
        if self.n_hypotheses is not None:
            check.positive_integer(n_hypotheses=self.n_hypotheses)

    def log_growth(self, n_points: int) -> float:
        """Logarithm of the number of labellings of n points, by the size or by the VC dimension."""
        check.positive_integer(n_points=n_points)
        by_size = inf if self.n_hypotheses is None else log(self.n_hypotheses)
        if self.vc_dimension is None:
            return by_size
        return min(by_size, log_sauer_shelah(self.vc_dimension, n_points))

    def disagreement(self, excess: float) -> float:
        """Largest distance from h* of a hypothesis with this excess error."""
        check.non_negative(excess=excess)
        return min(1.0, self.eta * excess**self.tau)

    def excess(self, n_samples: int, beta: float) -> float:
        """Excess error of empirical risk minimisation on n records, except with probability beta.

        The smaller of ``(2 eta ln(|H| / beta) / n)**(1 / (2 - tau))`` and
        ``(32 eta (ln S(2 n) + ln(8 / beta)) / n)**(1 / (2 - tau))``, as far as they apply; at most 1.

        **Source.** LZCW21-lem-38 with its hidden constant; LZCW21-rem-erm-fast-rate.
        """
        check.positive_integer(n_samples=n_samples)
        check.probability_open(beta=beta)
        numerator = inf
        if self.n_hypotheses is not None:
            numerator = 2 * log(self.n_hypotheses / beta)
        if self.vc_dimension is not None:
            growth = log_sauer_shelah(self.vc_dimension, 2 * n_samples)
            numerator = min(numerator, 32 * (growth + log(8 / beta)))
        return min(1.0, (self.eta * numerator / n_samples) ** (1 / (2 - self.tau)))

    def teacher_disagreement(self, n_samples: int, n_teachers: int, beta: float) -> float:
        """Distance from h* that none of K teachers exceeds, except with probability beta.

        ``eta excess**tau`` with the excess of ``n // K`` records and confidence ``beta / K``; at most 1.

        **Source.** LZCW21-lem-13, with ``ln(K / beta)`` multiplied by K, which the printed bound lacks.
        """
        check.probability_open(beta=beta)
        check.positive_integer(n_samples=n_samples, n_teachers=n_teachers)
        if n_teachers > n_samples:
            rule = f"at most the number of records ({n_samples})"
            raise ValueError(f"n_teachers must be {rule}, got {n_teachers}")
        return self.disagreement(self.excess(n_samples // n_teachers, beta / n_teachers))
