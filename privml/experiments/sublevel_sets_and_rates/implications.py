"""Figure 3 of WLF16 as data: from two assumptions and a mechanism to consistency, with numbers."""

import numpy as np
import pandas as pd

from privml.bounds.penalised_erm import penalised_erm_excess_risk, penalised_erm_utility_gap
from privml.bounds.sublevel import finite_class_condition
from privml.learnability import (
    LearningProblem,
    exact_privacy,
    expected_aerm_gap,
    expected_excess_risk,
    exponential_law,
    replace_one_stability,
    stability_from_bounded_range,
)

__all__ = ["theorem_map"]

NODES = {
    "losses in [0, 1]": (0.0, 2.0),
    "sublevel condition": (0.0, 1.0),
    "exponential\nmechanism": (0.0, 0.0),
    "utility": (1.0, 1.0),
    "privacy": (1.0, 0.0),
    "universal AERM": (2.0, 1.0),
    "stability": (2.0, 0.0),
    "consistency": (3.0, 0.5),
}
"""Notions, and where they stand."""

ARROWS = [
    ("losses in [0, 1]", "utility"),
    ("sublevel condition", "utility"),
    ("exponential\nmechanism", "utility"),
    ("exponential\nmechanism", "privacy"),
    ("utility", "universal AERM"),
    ("privacy", "stability"),
    ("universal AERM", "consistency"),
    ("stability", "consistency"),
]


def levels_problem(n_levels: int) -> LearningProblem:
    """Equally spaced answers in [0, 1] to a question with the answers no and yes; squared loss."""
    levels = np.linspace(0, 1, n_levels)
    return LearningProblem(np.stack([levels**2, (1 - levels) ** 2], axis=1), hypotheses=levels)


def theorem_map(n_levels: int, n_samples: int, epsilon: float, share: float) -> pd.DataFrame:
    """The picture as one table: nodes with exact numbers and bounds, and arrows.

    Parameters
    ----------
    n_levels : int
        Size of the class.
    n_samples : int
        Number of records.
    epsilon : float
        Privacy parameter in nats.
    share : float
        True share of yeses.

    Returns
    -------
    DataFrame
        Columns ``kind`` ("node" or "arrow"), ``name``, ``to``, ``x``, ``y``, ``to_x``, ``to_y``, and for
        nodes ``exact`` and ``bound``: logarithm of the measure ratio at height 0 (largest), expected utility
        gap, AERM gap, epsilon, stability constant, excess risk.

    Examples
    --------
    >>> table = theorem_map(4, 20, 1.0, 0.3)
    >>> nodes = table[(table["kind"] == "node") & table["bound"].notna()]
    >>> len(nodes), bool((nodes["exact"] <= nodes["bound"] + 1e-12).all())
    (6, True)
    """
    problem, population = levels_problem(n_levels), np.array([[1 - share, share]])
    law, condition = exponential_law(problem, epsilon), finite_class_condition(n_levels)
    gap = float(expected_aerm_gap(law, problem, population, n_samples)[0])
    excess = float(expected_excess_risk(law, problem, population, n_samples)[0])
    bound = penalised_erm_utility_gap(n_samples, epsilon, condition)
    numbers = {
        "sublevel condition": (np.log(n_levels), condition.log_constant),
        "utility": (gap, bound),
        "universal AERM": (gap, bound),
        "privacy": (exact_privacy(law, 2, n_samples).value, epsilon),
        "stability": (
            replace_one_stability(law, problem, n_samples).value,
            stability_from_bounded_range(epsilon),
        ),
        "consistency": (excess, penalised_erm_excess_risk(n_samples, epsilon, condition)),
    }
    blank = (None, None)
    rows = [("node", k, "", *xy, *xy, *numbers.get(k, blank)) for k, xy in NODES.items()]
    rows += [("arrow", a, b, *NODES[a], *NODES[b], *blank) for a, b in ARROWS]
    names = ["kind", "name", "to", "x", "y", "to_x", "to_y", "exact", "bound"]
    return pd.DataFrame(rows, columns=names).astype({"exact": float, "bound": float})
