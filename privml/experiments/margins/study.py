"""How far the teachers of an ensemble agree, with each other and with the best classifier of their class.

Let ``p`` be the share of the teachers that say 1 at a point.  The *margin* there is ``|p - 1/2|``.  Let d be
the share that differs from a fixed classifier h*.  Then ``d = p`` where h* says 0 and ``d = 1 - p`` where it
says 1, so ``|d - 1/2| = |p - 1/2|`` at every point, whatever h* is: the second of the two quantities that
LZCW21 plots in its Figure 3 is the first one.  What h* adds is a sign: ``1/2 - d`` is the margin where the
majority agrees with h*, and minus the margin where it does not.  So we keep the sign.
"""

import numpy as np
import pandas as pd

from privml import _check as check

HIGH = 0.4
"""A margin of at least this, that is nine votes in ten, is called high."""


def with_margins(table: pd.DataFrame) -> pd.DataFrame:
    """The table with the margins, and what they look like from h*.

    Parameters
    ----------
    table : DataFrame
        From the study `privml.results.margins_adult`.

    Returns
    -------
    DataFrame
        With ``margin``, ``margin_of_best`` (distance from 1/2 of the share that differs from h*) and
        ``signed`` (1/2 less that share).

    Notes
    -----
    **Source.** LZCW21-fig-3: its two quantities are equal at every point.

    Examples
    --------
    >>> with_margins(pd.DataFrame({"share": [0.9, 0.25], "best": [1, 1], "label": [1, 0]})).iloc[:, 3:]
       margin  margin_of_best  signed
    0    0.40            0.40    0.40
    1    0.25            0.25   -0.25
    """
    differs = np.where(table["best"] == 1, 1 - table["share"], table["share"])
    return table.assign(
        margin=(table["share"] - 0.5).abs(), margin_of_best=np.abs(differs - 0.5), signed=0.5 - differs
    )


def margin_histogram(table: pd.DataFrame, n_bins: int = 10) -> pd.DataFrame:
    """Share of the queries in each bin of the margin, split by whether the majority agrees with h*.

    Parameters
    ----------
    table : DataFrame
        From the study `privml.results.margins_adult`.
    n_bins : int
        Bins of equal width between 0 and 1/2.

    Returns
    -------
    DataFrame
        Columns ``low``, ``high``, ``agrees``, ``differs`` and ``mistakes`` (of the majority against the true
        labels, as a share of all queries).

    Notes
    -----
    **Source.** LZCW21-fig-3.

    Examples
    --------
    >>> table = pd.DataFrame({"share": [0.9, 0.25, 0.5, 1.0], "best": [1, 1, 1, 1], "label": [1, 0, 1, 0]})
    >>> margin_histogram(table, 2).to_numpy().tolist()
    [[0.0, 0.25, 0.25, 0.0, 0.0], [0.25, 0.5, 0.5, 0.25, 0.25]]
    """
    check.positive_integer(n_bins=n_bins)
    margins = with_margins(table)
    place = np.minimum((margins["margin"] * 2 * n_bins + 1e-9).astype(int), n_bins - 1)
    majority = margins["share"] >= 0.5
    agrees = majority == (margins["best"] == 1)
    wrong = majority != (margins["label"] == 1)
    edges = np.arange(n_bins + 1) / (2 * n_bins)
    counts = [
        np.bincount(place, weights=part, minlength=n_bins) / len(table) for part in (agrees, ~agrees, wrong)
    ]
    return pd.DataFrame(
        {
            "low": edges[:-1],
            "high": edges[1:],
            "agrees": counts[0],
            "differs": counts[1],
            "mistakes": counts[2],
        }
    )


def cumulated(table: pd.DataFrame, n_queries: int, *, seed: int) -> pd.DataFrame:
    """Cumulative sums of margins and signed margins, and the same after one of them is shuffled.

    Parameters
    ----------
    table : DataFrame
        From the study `privml.results.margins_adult`.
    n_queries : int
        How many queries, from the first.
    seed : int
        Seed of the shuffle.

    Returns
    -------
    DataFrame
        Columns ``query``, ``margin`` and ``signed`` (cumulated), ``shuffled`` (the signed margins of the same
        queries in random order, cumulated).

    Notes
    -----
    Cumulative sums of two sequences with positive means lie near a line even if the sequences are
    independent, which the last column shows.
    **Source.** LZCW21-fig-4.

    Examples
    --------
    >>> table = pd.DataFrame({"share": [0.9, 0.25], "best": [1, 1], "label": [1, 0]})
    >>> cumulated(table, 2, seed=0)[["margin", "signed"]].round(2).to_numpy().tolist()
    [[0.4, 0.4], [0.65, 0.15]]
    """
    check.positive_integer(n_queries=n_queries)
    margins = with_margins(table.head(n_queries))
    shuffled = np.random.default_rng(seed).permutation(margins["signed"].to_numpy())
    return pd.DataFrame(
        {
            "query": np.arange(1, len(margins) + 1),
            "margin": margins["margin"].cumsum(),
            "signed": margins["signed"].cumsum(),
            "shuffled": shuffled.cumsum(),
        }
    )


def correlation(first: pd.Series, second: pd.Series) -> float:
    """Pearson's coefficient of two columns.

    Examples
    --------
    >>> correlation(pd.Series([1.0, 2.0, 3.0]), pd.Series([1.0, 2.0, 0.0]))
    -0.5
    """
    return float(np.round(np.corrcoef(first, second)[0, 1], 12))


def margin_summary(table: pd.DataFrame) -> pd.DataFrame:
    """What the appendix reads off its figures, as numbers.

    Parameters
    ----------
    table : DataFrame
        From the study `privml.results.margins_adult`.

    Returns
    -------
    DataFrame
        One row: ``high`` (share of queries with a high margin), ``agree`` (majority and h* agree),
        ``agree_high`` and ``wrong_high`` (among those with a high margin: agreement with h*, mistakes),
        ``majority`` and ``best`` (accuracies), ``correlation`` (of margin and signed margin).

    Notes
    -----
    **Source.** LZCW21-ex-appE-adult.

    Examples
    --------
    >>> table = pd.DataFrame({"share": [0.9, 0.25, 0.5, 1.0], "best": [1, 1, 1, 1], "label": [1, 0, 1, 0]})
    >>> margin_summary(table).iloc[0, :6].tolist()
    [0.5, 0.75, 1.0, 0.5, 0.75, 0.5]
    """
    margins = with_margins(table)
    high = margins["margin"] >= HIGH - 1e-9
    majority = (margins["share"] >= 0.5).astype(int)
    row = {
        "high": high.mean(),
        "agree": (majority == margins["best"]).mean(),
        "agree_high": (majority == margins["best"])[high].mean(),
        "wrong_high": (majority != margins["label"])[high].mean(),
        "majority": (majority == margins["label"]).mean(),
        "best": (margins["best"] == margins["label"]).mean(),
        "correlation": correlation(margins["margin"], margins["signed"]),
    }
    return pd.DataFrame([row])
