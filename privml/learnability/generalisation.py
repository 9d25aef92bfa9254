r"""What privacy promises about the mean of a published query on the sample, against its true mean.

Let z be m independent records and phi the query, in [0, 1].

**In the mean.**  Exchange a record with a fresh one.  For an epsilon-DP learner the two means differ by at
most tanh(epsilon / 4), half of what stability alone would give, and with a delta by at most ``delta +
(1 - delta) tanh(epsilon / 4)``.

**With high probability.**  Whatever the other records are, the next one satisfies a published 0-1 query of
mean p with a chance between the two numbers with ``logit q = logit p -+ epsilon``.  So its count lies between
two binomials, and Hoeffding's inequality gives

.. math:: \Pr[|\phi(z) - \phi(D)| \ge \tau] \le 2 \exp(-2 m (\tau - \tanh(\varepsilon / 4))^2) .

**In mean square.**  A rho-concentrated learner has a mutual information of at most ``m rho`` with the sample,
and a change of measure gives ``E (phi(z) - phi(D))^2 <= x / (4 m)`` with ``x - 1 - ln x = 2 m rho``.

The proofs, a bound with delta, the monitor and the memoriser are in the chapter *Generalisation for free*.
"""

from math import exp, inf, log, log1p, sqrt, tanh
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._search import crossing


def expected_gap_from_privacy(epsilon: float, delta: float = 0.0) -> float:
    """Largest expected generalisation gap of a private learner on independent records.

    ``delta + (1 - delta) tanh(epsilon / 4)``: a bound on ``|E phi(z) - phi(D)|``.

    Attained in the limit of large universes, for any number of records.
    **Source.** S16-rem-recap, generalisation in expectation, with a sharp constant; half of the stability
    constant that WLF16-thm-35 uses.

    >>> round(expected_gap_from_privacy(1.0), 6), round(expected_gap_from_privacy(1.0, 0.03), 6)
    (0.244919, 0.267571)
    """
    check.non_negative(epsilon=epsilon)
    check.unit_interval(delta=delta)
    return delta + (1 - delta) * tanh(epsilon / 4)


def posterior_mean(mean: ArrayLike, epsilon: float) -> NDArray[np.float64] | float:
    """Largest chance that a record satisfies a 0-1 query, once an epsilon-DP learner has published the query.

    ``p e^epsilon / (1 - p + p e^epsilon)``: the log-odds of the mean p move by epsilon, which may have either
    sign; with ``-epsilon`` it is the least chance.  For queries in [0, 1] it bounds the mean.

    **Source.** The step that proves WLF16-lem-38 with better constants.

    >>> round(posterior_mean(0.5, 1.0), 6), round(posterior_mean(0.5, -1.0), 6)
    (0.731059, 0.268941)
    """
    check.finite(epsilon=epsilon)
    p = check.numbers(mean=mean)
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError(f"mean must be in the closed interval [0, 1], got {mean!r}")
    ratio = exp(-abs(epsilon))
    inside, outside = (p, (1 - p) * ratio) if epsilon >= 0 else (p * ratio, 1 - p)
    q = np.divide(inside, inside + outside, where=inside + outside > 0, out=p.copy())
    return q if np.ndim(q) else float(q)


def generalisation_tail(n_samples: int, epsilon: float, tau: float, *, two_sided: bool = True) -> float:
    """Probability that the query of an epsilon-DP learner misses its population mean by tau, at most.

    ``2 exp(-2 m (tau - tanh(epsilon / 4))^2)`` for tau above tanh(epsilon / 4), and never above 1; without
    the factor 2 for one side.

    **Source.** WLF16-lem-38 (Lemma 38; Dwork et al. 2015, Theorem 7) with better constants.

    >>> round(generalisation_tail(1000, 0.2, 0.1), 6)
    0.013364
    """
    check.flag(two_sided=two_sided)
    check.positive_integer(n_samples=n_samples)
    check.non_negative(epsilon=epsilon)
    check.probability_open(tau=tau)
    beyond = max(0.0, tau - tanh(epsilon / 4))
    return min(1.0, (1 + two_sided) * exp(-2 * n_samples * beyond**2))


def generalisation_deviation(n_samples: int, epsilon: float, beta: float) -> float:
    """Deviation that the query of an epsilon-DP learner reaches with probability at most beta.

    ``tanh(epsilon / 4) + sqrt(ln(2 / beta) / (2 m))``, in both directions.

    **Source.** WLF16-lem-38 with better constants: what privacy adds to Hoeffding's inequality is the first
    summand.  Printed there: every tau above ``max(2 epsilon, sqrt(12 ln(4 / beta) / m))``.

    >>> round(generalisation_deviation(1000, 0.2, 0.05), 6)
    0.092905
    """
    check.positive_integer(n_samples=n_samples)
    check.non_negative(epsilon=epsilon)
    check.probability_open(beta=beta)
    return tanh(epsilon / 4) + sqrt(log(2 / beta) / (2 * n_samples))


def _excess(x: float) -> float:
    """``x - 1 - ln x``, without cancellation near 1."""
    step = x - 1
    return step - log1p(step) if step < 1 else step - log(x)


def mean_square_gap(rho: float, n_samples: int) -> float:
    """Mean-square generalisation gap of a rho-concentrated learner from m independent records, at most.

    ``x / (4 m)`` where x of at least 1 has ``x - 1 - ln x = 2 m rho``: 1 / (4 m) for rho = 0, about rho / 2
    for large m.  k adaptive answers add their rho.

    **Source.** For S16-rem-recap: generalisation of adaptive queries, in mean square.

    >>> mean_square_gap(0.0, 100), round(mean_square_gap(0.02, 1000), 6)
    (0.0025, 0.011201)
    """
    check.non_negative(rho=rho)
    check.positive_integer(n_samples=n_samples)
    information = n_samples * rho
    if information == 0:
        return 1 / (4 * n_samples)
    top = 2 + 4 * information + 4 * sqrt(information)
    return crossing(lambda x: 2 * information - _excess(x), lower=1.0, upper=top) / (4 * n_samples)


class GaussianAnswers(NamedTuple):
    """How to answer k adaptive queries with Gaussian noise."""

    sigma: float  # of the noise on each answer
    rho: float  # concentrated privacy of all answers
    root_mean_square: float  # bound on the error of every answer


def noise_and_error(k: int) -> tuple[float, float]:
    """Best m sigma^2, and m times the mean-square error that it gives, for k queries."""
    if k == 1:
        return 0.0, 0.25
    from scipy.optimize import minimize_scalar

    error = lambda x: (k - 1) / _excess(x) + x / 4  # noqa: E731
    ends = 1 + 1e-6, 10 + 4 * sqrt(k)
    x = minimize_scalar(error, bounds=ends, options={"xatol": 1e-10}, method="bounded").x
    return (k - 1) / _excess(x), error(x)


def gaussian_answers(n_samples: int, k: int) -> GaussianAnswers:
    """Noise for k adaptive queries in [0, 1] on one sample, with the error that is proved for each answer.

    The root-mean-square error is about ``k^(1/4) / sqrt(m)`` for large k.

    **Privacy.** rho-concentrated under ``REPLACE_ONE``; infinite rho for one query, which needs no noise.
    **Source.** For S16-rem-recap, with Gaussian noise and all constants.

    >>> found = gaussian_answers(10_000, 1001)
    >>> round(found.sigma, 4), round(found.root_mean_square, 4), round(split_answers_error(10_000, 1001), 4)
    (0.0399, 0.0574, 0.1667)
    """
    check.positive_integer(n_samples=n_samples, k=k)
    noise, error = noise_and_error(k)
    rho = k / (2 * noise * n_samples) if noise else inf
    return GaussianAnswers(sqrt(noise / n_samples), rho, sqrt(error / n_samples))


def split_answers_error(n_samples: int, k: int) -> float:
    """Root-mean-square error of k adaptive queries when each gets its own part of the sample, at most.

    ``sqrt(1 / (4 floor(m / k)))``, attained by queries of mean 1/2.

    **Source.** What the noise of S16-rem-recap has to beat.

    >>> split_answers_error(10_000, 100)
    0.05
    """
    check.positive_integer(n_samples=n_samples, k=k)
    if k > n_samples:
        raise ValueError(f"k must be at most n_samples = {n_samples}, got {k}")
    return sqrt(1 / (4 * (n_samples // k)))
