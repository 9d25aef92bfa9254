"""Tables on groups of records and on the two neighbouring relations."""

from fractions import Fraction

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from privml import audit
from privml.adjacency import Adjacency
from privml.distributions import DiscreteLaplace
from privml.divergences import hockey_stick
from privml.experiments.what_privacy_promises.base import (
    Law,
    admission_law,
    admission_probabilities,
    answer_list_law,
)
from privml.guarantee import Guarantee

BITS = np.array([0, 1])


def group_delta(epsilon: float, delta: float, largest: int) -> pd.DataFrame:
    """Delta at k epsilon between data sets k steps apart: the theorem, WLF16's bound, and an exact value.

    Parameters
    ----------
    epsilon, delta : float
        Of one step.
    largest : int
        Largest number of steps.

    Returns
    -------
    DataFrame
        Columns ``k``, ``theorem``, ``source`` (``k exp((k - 1) epsilon) delta``) and ``exact``, the
        hockey-stick divergence of the slowest admission between k yes and none.

    Examples
    --------
    >>> group_delta(1.0, 0.01, 3).round(5)
       k  theorem   source    exact
    0  1  0.01000  0.01000  0.01000
    1  2  0.03718  0.05437  0.03718
    2  3  0.11107  0.22167  0.11107
    """
    said = admission_probabilities(epsilon, delta, largest)
    with np.errstate(divide="ignore"):
        laws = np.log(np.stack([1 - said, said], axis=1))
    rows = []
    for k in range(1, largest + 1):
        promised = Guarantee(epsilon, delta).for_group(k)
        source = min(1.0, k * np.exp((k - 1) * epsilon) * delta)
        exact = float(hockey_stick(laws[k], laws[0], promised.epsilon))
        rows.append((k, promised.delta, float(source), exact))
    return pd.DataFrame(rows, columns=["k", "theorem", "source", "exact"])


def printed_group_bound(epsilon: float, delta: float, k: int) -> pd.DataFrame:
    """WLF16's rearranged group bound as printed and as corrected, for the slowest admission.

    Parameters
    ----------
    epsilon, delta : float
        Of one step.
    k : int
        Number of steps.

    Returns
    -------
    DataFrame
        For each of the two events: ``probability`` of it with no yes, the ``printed`` upper bound on it,
        from the same data set, and the ``corrected`` lower bound, from k yes.

    Examples
    --------
    >>> printed_group_bound(0.5, 0.001, 3).round(4)
              event  probability  printed  corrected
    0       nothing          1.0   0.2213     0.2201
    1  somebody did          0.0  -0.0018    -0.0006
    """
    law, factor = admission_law(epsilon, delta, k), np.exp(-k * epsilon)
    none, all_yes = law([0] * k), law([1] * k)
    slack = np.exp(-epsilon) * k * delta
    columns = {"event": ["nothing", "somebody did"], "probability": none}
    return pd.DataFrame(columns | {"printed": factor * none - slack, "corrected": factor * all_yes - slack})


def _clamped_counts(epsilon: float, largest: int, *, both: bool) -> Law:
    """Counts of yes, or of yes and of no, with discrete Laplace noise, clamped to [0, largest]."""

    def cell(count: int) -> NDArray[np.float64]:
        law, points = DiscreteLaplace(int(count), scale=1 / Fraction(epsilon)), np.arange(largest + 1)
        inner = np.exp(law.logpmf(points[1:-1]))
        return np.concatenate([[law.cdf(0)], inner, [law.sf(largest - 1)]])

    def law(records: ArrayLike) -> NDArray[np.float64]:
        bits = np.asarray(records, dtype=int)
        yes = cell(bits.sum())
        return np.multiply.outer(yes, cell((1 - bits).sum())).ravel() if both else yes

    return law


def two_relations(epsilon: float, delta: float, n_samples: int) -> pd.DataFrame:
    """Exact parameters of one release under both relations.

    Parameters
    ----------
    epsilon : float
        Parameter of each release under ``ADD_OR_REMOVE_ONE`` where it has one, in nats.
    delta : float
        Of the slowest admission.
    n_samples : int
        Number of records, of the larger data set under ``ADD_OR_REMOVE_ONE``.

    Returns
    -------
    DataFrame
        Columns ``release``, ``relation``, ``epsilon`` (exact), ``at`` (an epsilon: the parameter, doubled
        under ``REPLACE_ONE``) and ``delta`` there (exact).

    Examples
    --------
    >>> two_relations(0.5, 0.01, 3).query("release == 'number of records'").round(4)
                 release           relation  epsilon   at  delta
    6  number of records  add-or-remove-one      inf  0.5    1.0
    7  number of records        replace-one      0.0  1.0    0.0
    """
    sizes = np.eye(n_samples + 1)
    members = {
        "noisy count of yes": _clamped_counts(epsilon, n_samples, both=False),
        "noisy counts of yes and no": _clamped_counts(epsilon, n_samples, both=True),
        "slowest admission of yes - no": admission_law(epsilon, delta, 2, shift=n_samples % 2),
        "number of records": lambda records: sizes[len(records)],
        "list of randomised answers": answer_list_law(epsilon, n_samples),
    }
    rows = []
    for name, law in members.items():
        for relation, at in ((Adjacency.ADD_OR_REMOVE_ONE, epsilon), (Adjacency.REPLACE_ONE, 2 * epsilon)):
            found = audit.exact(law, BITS, n_samples, adjacency=relation, ordered=True)
            rows.append((name, str(relation), found.epsilon, at, found.delta(at + 1e-12)))
    return pd.DataFrame(rows, columns=["release", "relation", "epsilon", "at", "delta"])
