"""The table on privacy: what an exact audit says about empirical risk minimisation."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from privml import audit
from privml.experiments.learning_without_privacy.base import CUTS
from privml.hypotheses import HypothesisClass, Table, Thresholds
from privml.learners.erm import TIE_BREAKS, erm_law

AUDITED_READINGS = (0.0, 3.0, 7.0, 9.0)


def _universe(points: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """Every point with either label."""
    return np.repeat(np.array(points), 2), np.tile([False, True], len(points))


def erm_audit(sizes: Sequence[int], epsilons: Sequence[float]) -> pd.DataFrame:
    """The exact privacy of ERM under replace-one, for two classes and two ways to break ties.

    Parameters
    ----------
    sizes : sequence of int
        Sizes of the data sets.
    epsilons : sequence of float
        Where to evaluate the privacy curve.

    Returns
    -------
    DataFrame
        Columns ``rules``, ``tie_break``, ``n_samples``, ``exact_epsilon``, and one column
        ``delta(epsilon)`` for each epsilon.

    Examples
    --------
    >>> erm_audit([2], [1.0])
              rules tie_break  n_samples  exact_epsilon  delta(1)
    0  two constants     first          2            inf       1.0
    1  two constants   uniform          2            inf       0.5
    2    three cuts     first          2            inf       1.0
    3    three cuts   uniform          2            inf       1.0
    """
    cases: list[tuple[str, HypothesisClass, Sequence[float]]] = [
        ("two constants", Table([[False], [True]]), [0.0]),
        ("three cuts", Thresholds(CUTS), AUDITED_READINGS),
    ]
    rows = []
    for rules, hypotheses, points in cases:
        for tie_break in TIE_BREAKS:
            law = erm_law(tie_break)
            for m in sizes:
                found = audit.exact(
                    lambda data, law=law, rule=hypotheses: law(rule.mistakes(*data)), _universe(points), m
                )
                rows.append((rules, tie_break, m, found.epsilon, *found.delta(epsilons)))
    names = ["rules", "tie_break", "n_samples", "exact_epsilon", *(f"delta({e:g})" for e in epsilons)]
    return pd.DataFrame(rows, columns=names)
