"""The big picture of WLF16 as a table: sets of problems as rectangles, problems with the number that counts.

Where a rectangle lies carries no meaning, only what contains what.
"""

import pandas as pd

from privml.experiments.learnability_in_general.convergence import grids_and_labellings
from privml.experiments.learnability_in_general.memory import hidden_labels_excess
from privml.experiments.learnability_in_general.rates import coin_rates
from privml.learnability.impossibility import hidden_support_risk, thresholds_excess_risk

REGIONS = (
    ("all problems with losses in [0, 1]", 0.0, 0.0, 10.6, 6.4),
    ("learnable", 0.3, 0.3, 7.4, 5.4),
    ("uniform convergence", 0.6, 0.6, 4.1, 4.5),
    ("privately learnable = private AERM", 2.2, 1.0, 5.2, 2.0),
)


def _facts(n_samples: int, epsilon: float) -> list[tuple]:
    coin = float(coin_rates([n_samples], epsilon)["excess"][1])
    growth = grids_and_labellings([10], 4, epsilon).set_index("curve")["value"]
    private = thresholds_excess_risk(float("inf"), n_samples, epsilon)
    labels = hidden_labels_excess(10 * n_samples, n_samples)
    support = hidden_support_risk(3 * n_samples, n_samples)
    deviation = float(growth["with a minorant: uniform deviation"])
    return [
        ("coin", f"private excess risk {coin:.3f}", coin, 2.4, 1.9),
        ("labellings with a minorant", f"deviation {deviation:.2f}", deviation, 4.8, 1.9),
        ("thresholds on [0, 1]", f"private gap ≥ {private:.2f}", private, 0.8, 3.9),
        ("all labellings of ℕ", f"excess risk ≥ {labels:.3f}", labels, 7.9, 4.4),
        ("finite subsets of [0, 1]", f"risk ≥ {support:.3f}", support, 7.9, 2.4),
    ]


def landscape(n_samples: int, epsilon: float) -> pd.DataFrame:
    """Sets of learning problems, and five problems in them, each with a computed number.

    Parameters
    ----------
    n_samples : int
        Number of records at which the numbers are computed.
    epsilon : float
        Privacy parameter in nats.

    Returns
    -------
    DataFrame
        Columns ``kind`` ("set" or "problem"), ``name``, ``fact``, ``value``, ``x``, ``y``, ``width``,
        ``height``.  The deviation is that of ten points and four records.

    Examples
    --------
    >>> table = landscape(16, 1.0)
    >>> table["kind"].tolist().count("problem"), table["fact"].iloc[-2]
    (5, 'excess risk ≥ 0.452')
    """
    lines = [("set", name, "", None, *box) for name, *box in REGIONS]
    for name, fact, value, x, y in _facts(n_samples, epsilon):
        lines.append(("problem", name, fact, value, x, y, 0.0, 0.0))
    columns = ["kind", "name", "fact", "value", "x", "y", "width", "height"]
    return pd.DataFrame(lines, columns=columns)
