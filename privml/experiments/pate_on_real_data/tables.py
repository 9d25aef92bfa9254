"""Tables of the chapter: from the committed runs, from closed forms, and one small run."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

import privml.experiments.table4 as table4
from privml.pate import SparseVectorAggregator, readable_teachers, vote_sigma
from privml.results.table4 import COLUMNS, Task, repetition, sparse_vector_service

SHOWN = {
    "PSQ": "PSQ",
    "ASQ": "ASQ",
    "ASQ, closest first": "ASQ, closest first",
    "counts": "counts (ours)",
    "majority label": "majority label",
}


def frontier(name: str) -> pd.DataFrame:
    """Accuracy against epsilon of each method on one data set, from the committed run.

    Parameters
    ----------
    name : str
        Data set.

    Returns
    -------
    DataFrame
        Columns ``method``, ``epsilon``, ``accuracy``, ``low``, ``high`` (1.96 standard errors around it),
        ``exact`` (the same method without noise) and ``records`` (logistic regression on all private
        records, without privacy).

    Examples
    --------
    >>> frontier("a9a")["method"].unique().tolist()
    ['PSQ', 'ASQ', 'ASQ, closest first', 'counts (ours)']
    """
    table = table4.committed()
    table = table[table["dataset"] == name].set_index(["method", "epsilon"])
    records, rows = table.loc[("all private records", np.inf), "accuracy"], []
    for method in ("PSQ", "ASQ", "ASQ, closest first", "counts"):
        exact = table.loc[(method, np.inf), "accuracy"]
        for epsilon, cell in table.loc[method].iterrows():
            if np.isfinite(epsilon):
                low, high = cell["accuracy"] - cell["half_width"], cell["accuracy"] + cell["half_width"]
                rows.append((SHOWN[method], epsilon, cell["accuracy"], low, high, exact, records))
    columns = ["method", "epsilon", "accuracy", "low", "high", "exact", "records"]
    return pd.DataFrame(rows, columns=columns)


def _shown(mean: float, half: float) -> str:
    return f"{mean:.4f} ± {half:.4f}"


def cells(name: str) -> pd.DataFrame:
    """The printed cells of a data set, if any, and ours, as text.

    Parameters
    ----------
    name : str
        Data set.

    Returns
    -------
    DataFrame
        One row for each epsilon; accuracies with 95 % intervals.

    Notes
    -----
    **Source.** LZCW21-tab-4.

    Examples
    --------
    >>> cells("mushrooms")["PSQ, printed"].tolist()[:2]
    ['0.6416 ± 0.0036', '0.7534 ± 0.0045']
    """
    table = table4.committed()
    table = table[table["dataset"] == name].set_index(["method", "epsilon"])
    printed = table4.published_cells()
    printed = printed[printed["dataset"] == name].set_index(["method", "epsilon"])
    rows = []
    for epsilon in table4.EPSILONS:
        row = {"ε": "∞" if np.isinf(epsilon) else f"{epsilon:g}"}
        for method in ("PSQ", "ASQ"):
            if len(printed):
                cell = printed.loc[(method, epsilon)]
                row[f"{method}, printed"] = _shown(cell["accuracy"], cell["half_width"])
            cell = table.loc[(method, epsilon)]
            row[method] = _shown(cell["accuracy"], cell["half_width"])
        for method in ("ASQ, closest first", "counts"):
            cell = table.loc[(method, epsilon)]
            row[SHOWN[method]] = _shown(cell["accuracy"], cell["half_width"])
        rows.append(row)
    return pd.DataFrame(rows)


def leads(epsilons: Sequence[float]) -> pd.DataFrame:
    """How far our method is ahead of the others at some epsilons, from the committed run.

    Parameters
    ----------
    epsilons : sequence of float
        Of the committed run.

    Returns
    -------
    DataFrame
        As :func:`privml.experiments.table4.paired_leads`, in percentage points.

    Examples
    --------
    >>> leads([0.5])["other"].unique().tolist()
    ['PSQ', 'ASQ', 'ASQ, closest first']
    """
    others = ("PSQ", "ASQ", "ASQ, closest first")
    found = table4.paired_leads(table4.committed_rows(), "counts", others)
    found = found[found["epsilon"].isin(epsilons)].reset_index(drop=True)
    numbers = ["lead", "paired", "separate"]
    return found.assign(**{column: (100 * found[column]).round(6) for column in numbers})


def half_widths(repetitions: int = 30) -> pd.DataFrame:
    """Printed half widths next to the least that a random choice of test records would give.

    Parameters
    ----------
    repetitions : int
        Those of the source.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``method``, ``epsilon``, ``accuracy``, ``printed``, ``floor`` (1.96 standard
        errors of the accuracy of one fixed classifier on random test sets of that size) and ``ratio``.

    Notes
    -----
    A classifier of accuracy p has, on t of N records chosen at random, an accuracy of variance
    ``p (1 - p) (1 - t / N) / t`` or a little more.
    **Source.** LZCW21-tab-4.

    Examples
    --------
    >>> half_widths().iloc[0][["printed", "floor"]].astype(float).round(4).tolist()
    [0.0006, 0.0013]
    """
    cells = table4.published_cells().merge(table4.published_sizes(), on="dataset")
    accuracy = cells["accuracy"]
    variance = accuracy * (1 - accuracy) * (1 - cells["test"] / cells["all"]) / cells["test"]
    floor = 1.96 * np.sqrt(variance / repetitions)
    table = cells[["dataset", "method", "epsilon", "accuracy"]]
    return table.assign(printed=cells["half_width"], floor=floor, ratio=cells["half_width"] / floor)


def query_noise(names: Sequence[str], epsilons: Sequence[float]) -> pd.DataFrame:
    """The noise of PSQ and of the active methods, and how many teachers would be readable.

    Parameters
    ----------
    names : sequence of str
        Data sets.
    epsilons : sequence of float
        In nats.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``epsilon``, ``lead`` (of a unanimous vote of the source's teachers, K / 2),
        ``sigma_psq``, ``sigma_active`` (standard deviations of the noise for all public points and for
        30 % of them), ``misread`` (probability that PSQ misreads a unanimous vote), ``readable`` (teachers
        of our method).

    Notes
    -----
    **Source.** LZCW21-alg-1, LZCW21-rem-experiment-setup.

    Examples
    --------
    >>> query_noise(["mushrooms"], [0.5]).iloc[0, 1:].astype(float).round(2).tolist()
    [0.5, 32.5, 72.34, 39.66, 0.33, 131.0]
    """
    from scipy.special import ndtr

    sizes = {row.dataset: row.all for row in table4.published_sizes().itertuples()} | {
        "news20-usenet": 18_846
    }
    rows = []
    for name in names:
        parts = table4.split_sizes(sizes[name])
        for epsilon in epsilons:
            wide, narrow = (vote_sigma(n, epsilon, 1 / parts.private) for n in (parts.public, parts.budget))
            lead = parts.n_teachers / 2
            readable = max(parts.n_teachers, readable_teachers(narrow))
            rows.append((name, epsilon, lead, wide, narrow, float(ndtr(-lead / wide)), readable))
    columns = ["dataset", "epsilon", "lead", "sigma_psq", "sigma_active", "misread", "readable"]
    return pd.DataFrame(rows, columns=columns)


def sparse_vector_budget(names: Sequence[str], epsilons: Sequence[float]) -> pd.DataFrame:
    """What the sparse vector asks of the teachers of the protocol.

    Parameters
    ----------
    names : sequence of str
        Data sets of the source's table.
    epsilons : sequence of float
        In nats.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``epsilon``, ``unanimous`` (the distance of a unanimous vote, in votes),
        ``threshold_one`` and ``threshold_tenth`` (thresholds for one unstable query, and for a tenth
        of the public points), ``cutoff`` (of the method SVT).

    Notes
    -----
    **Source.** LZCW21-alg-2.

    Examples
    --------
    >>> sparse_vector_budget(["mushrooms"], [0.5])[["unanimous", "cutoff"]].to_numpy().tolist()
    [[32, 1]]
    """
    sizes, rows = table4.published_sizes().set_index("dataset")["all"], []
    for name in names:
        parts = table4.split_sizes(int(sizes[name]))
        for epsilon in epsilons:
            options = {"epsilon": epsilon, "delta": 1 / parts.private}
            cutoffs = (1, max(1, parts.public // 10))
            thresholds = [SparseVectorAggregator(cutoff=cutoff, **options).threshold for cutoff in cutoffs]
            chosen = sparse_vector_service(Task(None, parts, epsilon, None)).cutoff
            rows.append((name, epsilon, (parts.n_teachers + 1) // 2 - 1, *thresholds, chosen))
    columns = ["dataset", "epsilon", "unanimous", "threshold_one", "threshold_tenth", "cutoff"]
    return pd.DataFrame(rows, columns=columns)


def live(n_repetitions: int, seed: int) -> pd.DataFrame:
    """The protocol on synthetic halfspaces with noise, run here and now.

    Parameters
    ----------
    n_repetitions : int
        Repetitions.
    seed : int
        Seed of the run.

    Returns
    -------
    DataFrame
        As :func:`privml.experiments.table4.summary`.

    Examples
    --------
    >>> live(1, seed=0)["method"].nunique()
    7
    """
    rows = [row for number in range(n_repetitions) for row in repetition("halfspace", number, seed=seed)]
    return table4.summary(pd.DataFrame(rows, columns=COLUMNS))


def budgets_compared(epsilon: float, delta: float, budgets: Sequence[int]) -> pd.DataFrame:
    """What a number of queries costs, and what all its answers together are worth.

    Parameters
    ----------
    epsilon, delta : float
        Of all queries together.
    budgets : sequence of int
        Numbers l of queries.

    Returns
    -------
    DataFrame
        Columns ``queries``, ``sigma``, ``teachers`` (readable ones) and ``worth``, l over the variance of a
        count, which is the same for every l.

    Examples
    --------
    >>> budgets_compared(1.0, 1 / 6499, [10, 1000])["worth"].round(4).tolist()
    [0.1056, 0.1056]
    """
    rows = []
    for n_queries in budgets:
        sigma = vote_sigma(n_queries, epsilon, delta)
        rows.append((n_queries, sigma, readable_teachers(sigma), n_queries / sigma**2))
    return pd.DataFrame(rows, columns=["queries", "sigma", "teachers", "worth"])
