"""How many records statistical queries take, with and without privacy; where they fail; and parities.

The adaptive example asks how often each of v fair coins agrees with y, then how often their majority does,
each coin turned by the sign of its answer: all truths are 1/2, but the last answer is more.
"""

from collections.abc import Callable
from math import ceil, floor, inf, pi, sqrt, tanh
from typing import NamedTuple

import numpy as np

from privml import _check as check
from privml.bounds.tails import (
    gaussian_max_quantile,
    laplace_max_quantile,
    uniform_convergence_radius,
)

LARGEST_NUMBER_OF_VOTES = 5000  # more than the worked example ever asks for
LARGEST_SAMPLE = 10**9  # 400,000 outcomes around its middle count
_WINDOW = (
    12.0  # standard deviations around the middle; what is beyond is below rounding
)
VARIANTS = ("sharp", "source")
GRID = (
    2.0**-53
)  # step of numpy's uniform floats: below a multiple of it with exactly that probability


def _records_per_query(n_queries: int, n_samples: int, adaptive: bool) -> int:
    """Records behind one answer: all, or a batch of one's own."""
    check.positive_integer(n_queries=n_queries, n_samples=n_samples)
    check.flag(adaptive=adaptive)
    return n_samples // n_queries if adaptive else n_samples


def sq_accuracy(
    n_queries: int, n_samples: int, beta: float, *, adaptive: bool = False
) -> float:
    """Accuracy of k empirical means, all at once, without privacy.

    Parameters
    ----------
    n_queries, n_samples : int
        Numbers of queries and records, positive integers.
    beta : float
        Failure probability, in (0, 1).
    adaptive : bool
        Whether a query may depend on earlier answers.

    Returns
    -------
    float
        Hoeffding's deviation with a union bound over the queries.

    References
    ----------
    DR11-thm-private-sq-sample-complexity, which has the form for fixed queries for all learners.

    Examples
    --------
    >>> round(sq_accuracy(202, 450, 0.05), 4), round(sq_accuracy(202, 450 * 202, 0.05, adaptive=True), 4)
    (0.1, 0.1)
    """
    check.probability_open(beta=beta)
    records = _records_per_query(n_queries, n_samples, adaptive)
    return uniform_convergence_radius(n_queries, records, beta) if records else inf


def _noisy(
    n_queries: int,
    n_samples: int,
    beta: float,
    adaptive: bool,
    form: str,
    quantile: Callable,
    scale: Callable,
) -> float:
    """Sampling error, and largest noise of scale(shares of the budget) / records, each at half of beta."""
    check.probability_open(beta=beta)
    check.one_of(("sum", "halves"), form=form)
    records = _records_per_query(n_queries, n_samples, adaptive)
    if not records:
        return inf
    radius = uniform_convergence_radius(n_queries, records, beta / 2)
    noise = quantile(
        n_queries,
        scale(1 if adaptive else n_queries) / records,
        beta=beta / 2,
        form="union",
    )
    return radius + noise if form == "sum" else 2 * max(radius, noise)


def private_sq_accuracy(
    n_queries: int,
    n_samples: int,
    epsilon: float,
    *,
    beta: float,
    adaptive: bool = False,
    form: str = "sum",
) -> float:
    """Accuracy of k answers with Laplace noise under a pure budget, all at once.

    Parameters
    ----------
    n_queries, n_samples : int
        Numbers of queries and records, positive integers.
    epsilon : float
        Privacy parameter in nats, positive.
    beta : float
        Failure probability, in (0, 1).
    adaptive : bool
        Whether a query may depend on earlier answers.
    form : str
        One of "sum" and "halves".

    Returns
    -------
    float
        Sampling error plus noise ("sum"), or twice the larger of the two ("halves").

    Notes
    -----
    *Privacy.* epsilon-DP under replace-one, see :class:`~privml.learners.PrivateSQOracle`.

    References
    ----------
    DR11-thm-private-sq-sample-complexity, whose explicit sizes "halves" inverts to; the comparison is
    DR11-rem-sq-comparison.

    Examples
    --------
    >>> round(private_sq_accuracy(50, 20_000, 1.0, beta=0.05), 6)
    0.033402
    """
    check.positive(epsilon=epsilon)
    noise = laplace_max_quantile, lambda shares: shares / epsilon
    return _noisy(n_queries, n_samples, beta, adaptive, form, *noise)


def concentrated_sq_accuracy(
    n_queries: int,
    n_samples: int,
    rho: float,
    *,
    beta: float,
    adaptive: bool = False,
    form: str = "sum",
) -> float:
    """Accuracy of k answers with Gaussian noise under a concentrated budget, all at once.

    Parameters
    ----------
    n_queries, n_samples : int
        Numbers of queries and records, positive integers.
    rho : float
        Parameter of concentrated privacy, positive.
    beta : float
        Failure probability, in (0, 1).
    adaptive : bool
        Whether a query may depend on earlier answers.
    form : str
        One of "sum" and "halves".

    Returns
    -------
    float
        As :func:`private_sq_accuracy`.

    Notes
    -----
    *Privacy.* rho-concentrated under replace-one.

    References
    ----------
    DR11-thm-private-sq-sample-complexity with concentrated composition: sqrt(k) where it has k.

    Examples
    --------
    >>> round(concentrated_sq_accuracy(50, 20_000, 0.5, beta=0.05), 4)
    0.0158
    """
    check.positive(rho=rho)
    noise = gaussian_max_quantile, lambda k: sqrt(k / (2 * rho))
    return _noisy(n_queries, n_samples, beta, adaptive, form, *noise)


def vote_lean(n_samples: int, *, noise_scale: float = 0.0) -> float:
    """Mean vote of one record for what the sample that holds it has decided.

    Parameters
    ----------
    n_samples : int
        Number of records, a positive integer up to 10^9.
    noise_scale : float
        Scale b of the Laplace noise on each answer, non-negative.

    Returns
    -------
    float
        ``E |S| / m``, or ``E (|S| / m) (1 - exp(-|S| / (2 m b)))`` with Laplace noise of scale b on the
        answers, over twelve standard deviations.

    References
    ----------
    DR11-thm-private-sq-sample-complexity, its erratum on adaptive learners.

    Examples
    --------
    >>> round(vote_lean(450), 6), round(vote_lean(450, noise_scale=0.01), 6)
    (0.037592, 0.032928)
    """
    from scipy.special import poch
    from scipy.stats import binom

    check.standard_ranges(n_samples=n_samples, noise_scale=noise_scale)
    check.at_most(LARGEST_SAMPLE, n_samples=n_samples)
    middle = n_samples // 2
    if noise_scale == 0:
        return float(poch(middle + 1, -0.5)) / sqrt(pi)  # C(2 h, h) / 4^h
    width = int(_WINDOW * sqrt(n_samples) / 2) + 1
    successes = np.arange(max(0, middle - width), min(n_samples, middle + width) + 1)
    size = np.abs(2 * successes - n_samples) / n_samples
    return float(
        binom.pmf(successes, n_samples, 0.5)
        @ (size * -np.expm1(-size / (2 * noise_scale)))
    )


def overfitting_bias(
    n_votes: int, n_samples: int, *, noise_scale: float = 0.0
) -> float:
    """Expected error of the last answer when one sample answers the adaptive example, exactly.

    Parameters
    ----------
    n_votes : int
        Number of votes, odd, a positive integer up to 5000.
    n_samples : int
        Number of records, a positive integer up to 10^9.
    noise_scale : float
        Scale b of the Laplace noise on each answer, non-negative.

    Returns
    -------
    float
        ``P(Bin(v, (1 + mu) / 2) > v / 2) - 1/2`` with mu of :func:`vote_lean`; the truth is 1/2, and the
        mean absolute error is at least as large.

    References
    ----------
    DR11-thm-private-sq-sample-complexity, its erratum on adaptive learners.

    Examples
    --------
    >>> round(overfitting_bias(201, 450), 4)
    0.2033
    """
    from scipy.special import bdtrc

    check.positive_integer(n_votes=n_votes)
    if n_votes % 2 == 0 or n_votes > LARGEST_NUMBER_OF_VOTES:
        raise ValueError(
            f"n_votes must be odd and at most {LARGEST_NUMBER_OF_VOTES}, but got {n_votes!r}."
        )
    lean = min(vote_lean(n_samples, noise_scale=noise_scale), 1.0)
    return float(bdtrc(n_votes // 2, n_votes, (1 + lean) / 2)) - 0.5


class ParityPlan(NamedTuple):
    """Probability with which a record is used, and probability of giving up without a look at the data.

    Parameters
    ----------
    sampling_rate, abort : float
        Chance that a record is used, in (0, 1]; chance of giving up without a look at the data.
    """

    sampling_rate: float
    abort: float


def parity_plan(epsilon: float, *, variant: str = "sharp") -> ParityPlan:
    """How the private parity learner samples records and how often it gives up, for a given epsilon.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    variant : str
        One of "sharp" and "source".

    Returns
    -------
    ParityPlan
        "sharp": rate ``p = tanh(epsilon / 2)`` and abort ``(1 - p) / (3 - p)``; "source": ``epsilon / 4``,
        up to 3.83 / 4, and 1/2. Rounded down and up to what uniform floats follow exactly.

    Raises
    ------
    ValueError
        If epsilon exceeds 3.83 for the source's sampling rate.

    Notes
    -----
    *Privacy.* Rate p is ``ln((1 + p) / (1 - p))``-DP if the abort is at least ``(1 - p) / (3 - p)``.

    References
    ----------
    DR11-rem-parity; Kasiviswanathan et al. (2011), whose learner is "source".

    Examples
    --------
    >>> [round(number, 4) for number in parity_plan(1.0)]
    [0.4621, 0.2119]
    """
    check.one_of(VARIANTS, variant=variant)
    check.positive(epsilon=epsilon)
    rate = tanh(epsilon / 2)
    steps = max(0, floor(rate / GRID) - 2)  # tanh may be off by one of them
    if variant == "source":
        if epsilon / 4 > rate:
            raise ValueError(
                f"epsilon must be at most 3.83 for the source's sampling rate, but got {epsilon!r}."
            )
        return ParityPlan(min(floor(epsilon / 4 / GRID), steps) * GRID, 0.5)
    rate = steps * GRID
    return ParityPlan(rate, (ceil((1 - rate) / (3 - rate) / GRID) + 1) * GRID)


check.wrap_module(__name__)
