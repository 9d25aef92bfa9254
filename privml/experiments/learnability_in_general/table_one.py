"""Table 1 of WLF16, alive: every row with an instance, the growth of its loss, and a private answer."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from privml.learnability import count_vectors, exponential_law
from privml.learnability.problems import rows


def table_one(radii: Sequence[float] = (1.0, 10.0, 100.0)) -> pd.DataFrame:
    """Every row: whether its loss is bounded, what it needs, and its largest loss as ranges grow.

    Parameters
    ----------
    radii : sequence of float
        Ranges of records and parameters, at least 1.

    Returns
    -------
    DataFrame
        Columns ``problem``, ``loss``, ``bounded in [0, 1]?``, ``needs bounds on``, and ``max at r`` for
        each radius.

    Examples
    --------
    >>> table_one([1.0])["bounded in [0, 1]?"].value_counts().to_dict()
    {'no': 12, 'yes': 1}
    """
    lines = []
    for row in rows():
        line = {"problem": row.name, "loss": row.loss, "bounded in [0, 1]?": "yes" if row.bounded else "no"}
        line["needs bounds on"] = row.needs
        growth = row.growth(radii)
        line |= {f"max at {radius:g}": value for radius, value in zip(radii, growth, strict=True)}
        lines.append(line)
    return pd.DataFrame(lines)


def loss_growth(radii: Sequence[float]) -> pd.DataFrame:
    """Largest loss of each instance against the range of records and parameters.

    Parameters
    ----------
    radii : sequence of float
        Ranges, at least 1.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``radius``, ``largest``; one curve for each kind of growth that occurs, named
        after its problems.

    Examples
    --------
    >>> loss_growth([1.0, 100.0])["curve"].unique().tolist()
    ['bounded', 'logarithmic', 'linear', 'quadratic']
    """
    kinds = {
        "bounded": "binary classification",
        "logarithmic": "density estimation",
        "linear": "kernel classification",
        "quadratic": "k-means",
    }
    by_name = {row.name: row for row in rows()}
    lines = []
    for kind, name in kinds.items():
        growth = by_name[name].growth(radii)
        lines += [(kind, radius, value) for radius, value in zip(radii, growth, strict=True)]
    return pd.DataFrame(lines, columns=["curve", "radius", "largest"])


def private_instances(epsilon: float, n_samples: int) -> pd.DataFrame:
    """The exponential mechanism on every instance: its gap on the worst of all data sets, and the bound.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats.
    n_samples : int
        Number of records.

    Returns
    -------
    DataFrame
        Columns ``problem``, ``hypotheses``, ``records``, ``data_sets``, ``gap``, ``bound``: the largest
        expected excess empirical risk over all data sets, and ``2 ln|H| / (m epsilon)``.

    Examples
    --------
    >>> bool((private_instances(1.0, 2)["gap"] <= private_instances(1.0, 2)["bound"]).all())
    True
    """
    lines = []
    for row in rows():
        problem = row.problem()
        counts = count_vectors(problem.n_records, n_samples)
        gaps = (exponential_law(problem, epsilon)(counts) * problem.excess_empirical_risk(counts)).sum(axis=1)
        bound = 2 * np.log(problem.n_hypotheses) / (n_samples * epsilon)
        lines.append((row.name, problem.n_hypotheses, problem.n_records, len(counts), gaps.max(), bound))
    columns = ["problem", "hypotheses", "records", "data_sets", "gap", "bound"]
    return pd.DataFrame(lines, columns=columns)
