"""Tables on what no learner can do with a small delta: packings, exponents, and the source's constants."""

from collections.abc import Sequence
from math import exp, inf, log

import numpy as np
import pandas as pd

from privml.learnability.impossibility import (
    log_delta_limit,
    log_delta_limit_wlf16,
    packing_excess_risk,
    thresholds_excess_risk,
    thresholds_population_excess_risk,
)


def bound_by_delta(n_samples: Sequence[int], epsilon: float, log10_deltas: Sequence[float]) -> pd.DataFrame:
    """The packing bound for thresholds on [0, 1] against delta, with all or some records at the cut.

    Parameters
    ----------
    n_samples : sequence of int
        Numbers of records.
    epsilon : float
        Privacy parameter in nats.
    log10_deltas : sequence of float
        Decimal logarithms of delta.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``log10_delta``, ``all``, ``best``, and ``limit``: the decimal logarithm of the
        delta at which ``all`` reaches 0.

    Examples
    --------
    >>> bound_by_delta([10], 1.0, [-8, -2]).round(3)
       n_samples  log10_delta   all   best  limit
    0         10           -8  0.5  0.500 -4.108
    1         10           -2  0.0  0.138 -4.108
    """
    rows = []
    for n in n_samples:
        limit = log_delta_limit(n, epsilon) / log(10)
        for exponent in log10_deltas:
            delta = 10.0**exponent
            everything = packing_excess_risk(inf, n, epsilon, delta=delta)
            rows.append(
                (n, exponent, everything, thresholds_excess_risk(inf, n, epsilon, delta=delta), limit)
            )
    return pd.DataFrame(rows, columns=["n_samples", "log10_delta", "all", "best", "limit"])


def lasting_risk(rates: Sequence[float], n_samples: Sequence[int], epsilon: float) -> pd.DataFrame:
    """Excess risk that learners of thresholds on [0, 1] cannot avoid if delta(n) = e^(-c n).

    Parameters
    ----------
    rates : sequence of float
        Values of c.
    n_samples : sequence of int
        Numbers n of records.
    epsilon : float
        Privacy parameter in nats.

    Returns
    -------
    DataFrame
        Columns ``rate``, ``n_samples``, ``risk``: the largest bound on populations over 40 masses, and
        ``limit``: ``min(1/2, c / (2 epsilon))``, which it approaches.

    Examples
    --------
    >>> lasting_risk([0.1], [100, 700], 1.0).round(3)
       rate  n_samples   risk  limit
    0   0.1        100  0.029   0.05
    1   0.1        700  0.039   0.05
    """
    masses = np.linspace(0, 0.5, 41)[1:]
    rows = []
    for rate in rates:
        limit = min(0.5, rate / (2 * epsilon))
        for n in n_samples:
            candidates = masses * limit / 0.5
            risks = [
                thresholds_population_excess_risk(inf, n, epsilon, mass=float(a), delta=exp(-rate * n))
                for a in candidates
            ]
            rows.append((rate, n, max(risks), limit))
    return pd.DataFrame(rows, columns=["rate", "n_samples", "risk", "limit"])


def exponents(n_samples: Sequence[int], epsilon: float, rate: float) -> pd.DataFrame:
    """The size of 1 / delta(n), as a decimal logarithm, at which learnability of thresholds changes.

    Parameters
    ----------
    n_samples : sequence of int
        Numbers n of records, at least 2.
    epsilon : float
        Privacy parameter in nats.
    rate : float
        The constant c of this chapter's e^(-c n); any positive number.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``n_samples``, ``exponent``.  In order: from where on everything is learnable; then
        where thresholds are not: by later work, by this chapter, by the source for one epsilon, its example
        for all epsilon, and its remark.

    Examples
    --------
    >>> exponents([100], 1.0, 0.01).round(1)["exponent"].tolist()
    [2.0, 4.7, 0.4, 201.1, 200.0, 20000.0]
    """
    curves = {
        "1 / m": log,
        "1 / (m² ln m)": lambda n: 2 * log(n) + log(log(n)),
        "exp(−c m)": lambda n: rate * n,
        "WLF16, one ε": lambda n: -log_delta_limit_wlf16(n, epsilon),
        "exp(−m ln m)": lambda n: n * log(n),
        "exp(−m² ln m)": lambda n: n**2 * log(n),
    }
    rows = [(name, n, curve(n) / log(10)) for name, curve in curves.items() for n in n_samples]
    return pd.DataFrame(rows, columns=["curve", "n_samples", "exponent"])


def subtracted_terms(n_samples: Sequence[int], epsilon: float) -> pd.DataFrame:
    """What the source's proof subtracts, ``K e^(-epsilon) n delta(n)`` with ``K = e^(epsilon n)``.

    Parameters
    ----------
    n_samples : sequence of int
        Numbers n of records.
    epsilon : float
        Privacy parameter in nats.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``printed`` for ``delta(n) = 0.4 n e^(-epsilon n)``, ``corrected`` for
        ``0.4 e^(-epsilon n) / n``, and what is left of the packing bound with K without limit at either.

    Examples
    --------
    >>> subtracted_terms([10], 0.5).round(3)
       n_samples  printed  corrected  bound_printed  bound_corrected
    0         10   24.261      0.243            0.0            0.469
    """
    rows = []
    for n in n_samples:
        deltas = [0.4 * n * exp(-epsilon * n), 0.4 * exp(-epsilon * n) / n]
        terms = [exp(epsilon * n) * exp(-epsilon) * n * delta for delta in deltas]
        bounds = [packing_excess_risk(inf, n, epsilon, delta=delta) for delta in deltas]
        rows.append((n, *terms, *bounds))
    names = ["n_samples", "printed", "corrected", "bound_printed", "bound_corrected"]
    return pd.DataFrame(rows, columns=names)


def chain_constants(exponents_of_n: Sequence[float]) -> pd.DataFrame:
    """The last chain of the source's proof with its constants and with the corrected ones.

    Parameters
    ----------
    exponents_of_n : sequence of float
        Values of n epsilon.

    Returns
    -------
    DataFrame
        Columns ``n_epsilon``, ``printed`` (9/10 - 4/10, a probability outside, where a wrong threshold is
        said to cost 1), ``outside`` (``0.8 (1 - e^(-n epsilon)) - 0.4``) and ``risk``, half of it.

    Examples
    --------
    >>> chain_constants([1.0, 3.0]).round(3)
       n_epsilon  printed  outside   risk
    0        1.0      0.5    0.106  0.053
    1        3.0      0.5    0.360  0.180
    """
    rows = [(t, 0.5, 0.8 * (1 - exp(-t)) - 0.4, 0.5 * (0.8 * (1 - exp(-t)) - 0.4)) for t in exponents_of_n]
    return pd.DataFrame(rows, columns=["n_epsilon", "printed", "outside", "risk"])
