r"""How many records statistical queries take, with and without privacy; where they fail; and parities.

The accuracy of k private answers is Hoeffding's deviation, with half of beta, plus the quantile of the
largest noise: of scale ``k / (epsilon m)`` for queries fixed in advance, and ``1 / (epsilon (m // k))`` for
adaptive ones, each of which has a batch of its own.

Where one sample answers adaptive queries, it fails: let y and :math:`x_1, \dots, x_v` be independent fair
coins. Ask how often x_j agrees with y; let s_j be the sign of the answer minus 1/2; ask how often the sign of
:math:`\sum_j s_j x_j` agrees with y.  All truths are 1/2, and the last answer is nearly
:math:`\frac1\pi \sqrt{v / m}` more.
"""

from collections.abc import Callable
from math import ceil, floor, inf, lgamma, log, pi, sqrt, tanh
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.bounds.tails import gaussian_max_quantile, laplace_max_quantile, uniform_convergence_radius

LARGEST_NUMBER_OF_VOTES = 5000
LARGEST_SAMPLE = 10**9
_WINDOW = 12.0

VARIANTS = ("sharp", "source")

GRID = 2.0**-53
"""Step of numpy's uniform floats: they are below a multiple of it with exactly that probability."""

_FORMS = {"sum": lambda radius, noise: radius + noise, "halves": lambda radius, noise: 2 * max(radius, noise)}


def _records_per_query(n_queries: int, n_samples: int, adaptive: bool) -> int:
    """Records behind one answer: all, or a batch of one's own."""
    check.positive_integer(n_queries=n_queries, n_samples=n_samples)
    check.one_of((True, False), adaptive=adaptive)
    return n_samples // n_queries if adaptive else n_samples


def sq_accuracy(n_queries: int, n_samples: int, beta: float, *, adaptive: bool = False) -> float:
    """Accuracy of k empirical means, all at once, without privacy.

    **Returns.** Hoeffding's deviation with a union bound over the queries.
    **Source.** DR11-thm-private-sq-sample-complexity, which has the form for fixed queries for all learners.

    >>> round(sq_accuracy(202, 450, 0.05), 4), round(sq_accuracy(202, 450 * 202, 0.05, adaptive=True), 4)
    (0.1, 0.1)
    """
    check.probability_open(beta=beta)
    records = _records_per_query(n_queries, n_samples, adaptive)
    return uniform_convergence_radius(n_queries, records, beta) if records else inf


def _noisy(n_queries: int, n_samples: int, beta: float, adaptive: bool, form: str, noise: Callable) -> float:
    """Sampling error and noise(share of the budget, records, beta), each with half of beta."""
    check.probability_open(beta=beta)
    check.one_of(_FORMS, form=form)
    records = _records_per_query(n_queries, n_samples, adaptive)
    if not records:
        return inf
    radius = uniform_convergence_radius(n_queries, records, beta / 2)
    return _FORMS[form](radius, noise(1 if adaptive else n_queries, records))


def private_sq_accuracy(
    n_queries: int, n_samples: int, epsilon: float, beta: float, *, adaptive: bool = False, form: str = "sum"
) -> float:
    """Accuracy of k answers with Laplace noise under a pure budget, all at once.

    **Returns.** Sampling error plus noise ("sum"), or twice the larger of the two ("halves").
    **Privacy.** epsilon-DP under replace-one, see :class:`~privml.learners.PrivateSQOracle`.
    **Source.** DR11-thm-private-sq-sample-complexity, whose explicit sizes "halves" inverts to; the
    comparison is DR11-rem-sq-comparison.

    >>> round(private_sq_accuracy(50, 20_000, 1.0, 0.05), 4)
    0.0334
    """
    check.positive(epsilon=epsilon)

    def noise(shares: int, records: int) -> float:
        return laplace_max_quantile(n_queries, shares / epsilon / records, beta / 2, form="union")

    return _noisy(n_queries, n_samples, beta, adaptive, form, noise)


def concentrated_sq_accuracy(
    n_queries: int, n_samples: int, rho: float, beta: float, *, adaptive: bool = False, form: str = "sum"
) -> float:
    """Accuracy of k answers with Gaussian noise under a concentrated budget, all at once.

    **Privacy.** rho-concentrated under replace-one.
    **Source.** DR11-thm-private-sq-sample-complexity with concentrated composition: sqrt(k) where it has k.

    >>> round(concentrated_sq_accuracy(50, 20_000, 0.5, 0.05), 4)
    0.0158
    """
    check.positive(rho=rho)

    def noise(shares: int, records: int) -> float:
        return gaussian_max_quantile(n_queries, sqrt(shares / (2 * rho)) / records, beta / 2, form="union")

    return _noisy(n_queries, n_samples, beta, adaptive, form, noise)


def _log_binomial(n: int, successes: NDArray, probability: float) -> NDArray[np.float64]:
    """Log-probabilities of numbers of successes; the probability is strictly between 0 and 1."""
    from scipy.special import gammaln

    ways = lgamma(n + 1) - gammaln(successes + 1) - gammaln(n - successes + 1)
    return ways + successes * log(probability) + (n - successes) * log(1 - probability)


def vote_lean(n_samples: int, *, noise_scale: float = 0.0) -> float:
    """Mean vote of one record for what the sample that holds it has decided.

    **Returns.** ``E |S| / m``, or ``E (|S| / m) (1 - exp(-|S| / (2 m b)))`` with Laplace noise of scale b on
    the answers, summed over twelve standard deviations; the rest weighs below 1e-31.
    **Source.** DR11-thm-private-sq-sample-complexity, its erratum on adaptive learners.

    >>> round(vote_lean(450), 6), round(vote_lean(450, noise_scale=0.01), 6)
    (0.037592, 0.032928)
    """
    check.positive_integer(n_samples=n_samples)
    check.non_negative(noise_scale=noise_scale)
    if n_samples > LARGEST_SAMPLE:
        raise ValueError(f"n_samples must be at most {LARGEST_SAMPLE}, got {n_samples!r}")
    middle = n_samples // 2
    if noise_scale == 0:
        from scipy.special import poch

        return float(poch(middle + 1, -0.5)) / sqrt(pi)  # C(2 h, h) / 4^h
    width = int(_WINDOW * sqrt(n_samples) / 2) + 1
    successes = np.arange(max(0, middle - width), min(n_samples, middle + width) + 1)
    size = np.abs(2 * successes - n_samples) / n_samples
    weights = np.exp(_log_binomial(n_samples, successes, 0.5))
    return float(weights @ (size * -np.expm1(-size / (2 * noise_scale))))


def _majority(n_votes: int, n_samples: int, noise_scale: float) -> tuple[float, float]:
    """Lean of one vote, and the probability that most votes of a record agree."""
    check.positive_integer(n_votes=n_votes)
    if n_votes % 2 == 0 or n_votes > LARGEST_NUMBER_OF_VOTES:
        raise ValueError(f"n_votes must be odd and at most {LARGEST_NUMBER_OF_VOTES}, got {n_votes!r}")
    lean = vote_lean(n_samples, noise_scale=noise_scale)
    if lean >= 1:
        return lean, 1.0
    ahead = np.arange(n_votes // 2 + 1, n_votes + 1)
    return lean, float(np.exp(_log_binomial(n_votes, ahead, (1 + lean) / 2)).sum())


def overfitting_bias(n_votes: int, n_samples: int, *, noise_scale: float = 0.0) -> float:
    """Expected error of the last answer when one sample answers the adaptive example, exactly.

    **Returns.** ``P(Bin(v, (1 + mu) / 2) > v / 2) - 1/2`` with mu of :func:`vote_lean`; the truth is 1/2, and
    the mean absolute error is at least as large.
    **Source.** DR11-thm-private-sq-sample-complexity, its erratum on adaptive learners.

    >>> round(overfitting_bias(201, 450), 4)
    0.2033
    """
    return _majority(n_votes, n_samples, noise_scale)[1] - 0.5


class ParityPlan(NamedTuple):
    """Probability with which a record is used, and probability of giving up without a look at the data."""

    sampling_rate: float
    abort: float


def parity_plan(epsilon: float, *, variant: str = "sharp") -> ParityPlan:
    """How the private parity learner samples records and how often it gives up, for a given epsilon.

    **Returns.** "sharp": rate ``p = tanh(epsilon / 2)`` and abort ``(1 - p) / (3 - p)``, the extremes that
    the proof allows; "source": ``epsilon / 4`` and 1/2, for epsilon up to 3.83, the root of tanh(e / 2) = e /
    4. Rates are rounded down and aborts up to a multiple of 2^-53, so that uniform floats follow them
    exactly.
    **Privacy.** Either way :class:`~privml.learners.PrivateParityLearner` is epsilon-DP under replace-one:
    rate p is ``ln((1 + p) / (1 - p))``-DP if the abort is at least ``(1 - p) / (3 - p)``.
    **Source.** DR11-rem-parity; Kasiviswanathan et al. (2011), whose learner is "source".

    >>> [round(number, 4) for number in parity_plan(1.0)]
    [0.4621, 0.2119]
    """
    check.one_of(VARIANTS, variant=variant)
    check.positive(epsilon=epsilon)
    rate = tanh(epsilon / 2)
    steps = max(0, floor(rate / GRID) - 2)  # tanh may be off by one of them
    if variant == "source":
        if epsilon / 4 > rate:
            raise ValueError(f"epsilon must be at most 3.83 for the source's sampling rate, got {epsilon!r}")
        return ParityPlan(min(floor(epsilon / 4 / GRID), steps) * GRID, 0.5)
    rate = steps * GRID
    return ParityPlan(rate, (ceil((1 - rate) / (3 - rate) / GRID) + 1) * GRID)
