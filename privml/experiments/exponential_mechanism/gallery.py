"""What breaks the exponential mechanism: exact epsilon of wrong variants against their claim."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from privml import audit, counterexamples
from privml.adjacency import Adjacency
from privml.distributions import Categorical
from privml.experiments.exponential_mechanism.base import two_option_epsilon
from privml.mechanisms import ExponentialMechanism


def _clipped_before_scoring(epsilon: float) -> Callable[[ArrayLike], Categorical]:
    """The repair of `clipped_after_scoring`: clip each record, then add up."""
    mechanism = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0)
    return lambda records: mechanism.output_distribution([0.0, np.clip(records, 0.0, 1.0).sum()])


def _gallery_formula(name: str, epsilon: float, n: int) -> float:
    """Closed form of the exact epsilon of a member of the gallery on `n` records."""
    growth = {"half sensitivity": 2.0, "wrong scale": float(n), "counts, as proved": 1.0}
    if name in growth:
        return two_option_epsilon(growth[name] * epsilon, n, Adjacency.REPLACE_ONE)
    top = np.logaddexp(0.0, n * epsilon / 2)
    before = np.logaddexp(0.0, (n - 1) * epsilon / 2)
    return float(top - (before if name == "clipped before scoring" else np.log(2)))


def gallery(epsilon: float, sizes: Sequence[int]) -> pd.DataFrame:
    """Exact epsilon of the broken variants, and of two sound ones, against their claim.

    Parameters
    ----------
    epsilon : float
        The privacy parameter that every one of them claims, in nats, under ``REPLACE_ONE``.
    sizes : sequence of int
        Numbers of records.

    Returns
    -------
    DataFrame
        Columns ``mechanism``, ``n_samples``, ``claim``, ``exact_epsilon`` (by audit) and ``formula``.

    Examples
    --------
    >>> gallery(1.0, [10])[["mechanism", "exact_epsilon"]].round(3)
                    mechanism  exact_epsilon
    0       counts, as proved          0.989
    1        half sensitivity          2.000
    2             wrong scale         10.000
    3   clipped after scoring          4.314
    4  clipped before scoring          0.496
    """
    bits, wild = np.array([0.0, 1.0]), np.array([0.0, 1.0, 1e9])
    sound = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0)
    members = {
        "counts, as proved": (lambda z: sound.output_distribution(counterexamples.vote_counts(z, 2)), bits),
        "half sensitivity": (counterexamples.half_sensitivity(epsilon), bits),
        "wrong scale": (counterexamples.wrong_scale(epsilon), bits),
        "clipped after scoring": (counterexamples.clipped_after_scoring(epsilon), wild),
        "clipped before scoring": (_clipped_before_scoring(epsilon), wild),
    }
    rows = [
        (name, n, epsilon, audit.exact(law, universe, n).epsilon, _gallery_formula(name, epsilon, n))
        for name, (law, universe) in members.items()
        for n in sizes
    ]
    return pd.DataFrame(rows, columns=["mechanism", "n_samples", "claim", "exact_epsilon", "formula"])
