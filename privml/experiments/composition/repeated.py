"""Tables on one bit that is reported by randomised response again and again."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from privml.composition import optimal_delta
from privml.distributions.binomial import binomial_logpmf
from privml.mechanisms import RandomisedResponse


def total_loss(step_epsilon: float, k: int) -> pd.DataFrame:
    """Law of the total privacy loss of k answers of randomised response about one bit.

    Parameters
    ----------
    step_epsilon : float
        Epsilon of each answer in nats.
    k : int
        Number of answers.

    Returns
    -------
    DataFrame
        One row for each number of untrue answers: ``n_untrue``, ``loss``, and its probability if the bit is
        what it is (``here``) and if it is the other one (``neighbour``).

    Examples
    --------
    >>> total_loss(1.0, 2).round(4)
       n_untrue  loss    here  neighbour
    0         0   2.0  0.5344     0.0723
    1         1   0.0  0.3932     0.3932
    2         2  -2.0  0.0723     0.5344
    """
    keep = RandomisedResponse(step_epsilon).keep
    n_untrue = np.arange(k + 1)
    laws = {"here": binomial_logpmf(k, 1 - keep), "neighbour": binomial_logpmf(k, keep)}
    columns = {"n_untrue": n_untrue, "loss": (k - 2 * n_untrue) * step_epsilon}
    return pd.DataFrame(columns | {name: np.exp(law) for name, law in laws.items()})


def guesses(step_epsilon: float, counts: Sequence[int]) -> pd.DataFrame:
    """Chance of guessing a bit from k answers, from even odds before: the truth and what basic allows.

    Parameters
    ----------
    step_epsilon : float
        Epsilon of each answer in nats.
    counts : sequence of int
        Numbers of answers.

    Returns
    -------
    DataFrame
        Columns ``k``, ``right`` (of the best guess, exact) and ``basic``, the chance of being wrong,
        ``1 / (1 + e^(k step_epsilon))``, below which basic composition alone would let it fall.

    Examples
    --------
    >>> guesses(0.05, [1, 1000]).round(4)
          k   right   basic
    0     1  0.5125  0.4875
    1  1000  0.7853  0.0000
    """
    rows = []
    for k in counts:
        right = (1 + optimal_delta(step_epsilon, k, 0.0)) / 2
        rows.append((k, right, float(np.exp(-np.logaddexp(0.0, k * step_epsilon)))))
    return pd.DataFrame(rows, columns=["k", "right", "basic"])
