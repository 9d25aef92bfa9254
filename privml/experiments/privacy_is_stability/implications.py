"""Figure 2 of WLF16 as data: notions, implications between them, and one exact number for each arrow."""

import pandas as pd

from privml.experiments.privacy_is_stability.base import mean_law, problems
from privml.learnability import (
    always_aerm_gap,
    count_vectors,
    exact_privacy,
    expected_aerm_gap,
    expected_excess_risk,
    expected_risks,
    exponential_law,
    generalisation_gap,
    replace_one_stability,
    simplex_grid,
    stability_from_privacy,
    subsample_aerm_gap,
    subsampled_law,
    total_variation_stability,
    worst_distribution,
)

NODES = {
    "privacy": (0.0, 2.0),
    "total variation\nstability": (1.0, 2.0),
    "uniform\nstability": (2.0, 2.0),
    "generalisation\nin the mean": (2.0, 1.0),
    "universal AERM": (1.0, 0.0),
    "consistency": (2.0, 0.0),
    "always AERM": (0.0, 0.0),
    "private and\nalways AERM": (0.0, 1.0),
}
"""Notions, and where they stand."""


def _edges(name: str, n_samples: int, epsilon: float, steps: int) -> list[tuple[str, str, str, float, float]]:
    """From, to, kind of arrow, and both sides of an inequality that holds for the private learner."""
    problem = problems()[name]
    law, K = exponential_law(problem, epsilon), problem.n_records
    variation = total_variation_stability(law, K, n_samples).value
    uniform = replace_one_stability(law, problem, n_samples).value
    grid = simplex_grid(K, steps)
    gaps = generalisation_gap(law, problem, grid, n_samples)
    universal = worst_distribution(expected_aerm_gap, law, problem, n_samples, steps=steps).value
    excess = worst_distribution(expected_excess_risk, law, problem, n_samples, steps=steps).value
    risks = expected_risks(law, problem, grid, n_samples)
    optimism = float((risks.best_risk - risks.best_empirical_risk).max())
    generalisation = float(abs(gaps).max())
    part = subsampled_law(law)
    root = expected_excess_risk(law, problem, count_vectors(K, n_samples) / n_samples, int(n_samples**0.5))
    always_of_part = always_aerm_gap(part, problem, n_samples).value
    names = list(NODES)
    privacy, tv, stable, general, universally, consistent, always, both = names
    promised = stability_from_privacy(exact_privacy(law, K, n_samples).value)
    return [
        (privacy, tv, "implies", variation, promised),
        (tv, stable, "implies", uniform, variation),
        (stable, general, "implies", generalisation, uniform),
        (general, consistent, "and", excess, generalisation + universal),
        (universally, consistent, "and", excess, generalisation + universal),
        (always, universally, "implies", universal, always_aerm_gap(law, problem, n_samples).value),
        (consistent, universally, "back", universal, excess + generalisation + optimism),
        (consistent, both, "subsample", always_of_part, subsample_aerm_gap(float(root.max()), n_samples)),
        (privacy, both, "subsample", always_of_part, subsample_aerm_gap(float(root.max()), n_samples)),
        (both, always, "implies", always_of_part, always_of_part),
    ]


def implications(name: str, n_samples: int, epsilon: float, steps: int) -> pd.DataFrame:
    """The picture of the chapter as one table: nodes and arrows.

    Parameters
    ----------
    name : str
        Of the problem.
    n_samples : int
        Records in a sample.
    epsilon : float
        Of the exponential mechanism, in nats.
    steps : int
        Of the grid of distributions.

    Returns
    -------
    DataFrame
        Columns ``kind`` ("node", or that of an arrow), ``name``, ``to``, ``x``, ``y``, ``to_x``, ``to_y``,
        ``left`` and ``right``: the inequality that the arrow stands for.  The refuted arrow from uniform
        stability to privacy has the stability and the exact epsilon of the mean of bits.

    Examples
    --------
    >>> table = implications("median", 4, 1.0, 2)
    >>> arrows = table[~table["kind"].isin(["node", "refuted"])]
    >>> bool((arrows["left"] <= arrows["right"] + 1e-12).all())
    True
    """
    rows = [("node", name, "", x, y, x, y, None, None) for name, (x, y) in NODES.items()]
    problem, mean = mean_law(n_samples)
    refuted = (
        "uniform\nstability",
        "privacy",
        "refuted",
        replace_one_stability(mean, problem, n_samples).value,
        exact_privacy(mean, 2, n_samples).value,
    )
    for start, end, kind, left, right in [*_edges(name, n_samples, epsilon, steps), refuted]:
        rows.append((kind, start, end, *NODES[start], *NODES[end], left, right))
    names = ["kind", "name", "to", "x", "y", "to_x", "to_y", "left", "right"]
    return pd.DataFrame(rows, columns=names)
