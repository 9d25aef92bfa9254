"""Functions with which the tests of the chapter on PATE on real data compare its cells with the source."""

import numpy as np
import pandas as pd

from privml.pate import SparseVectorAggregator
from privml.results import table4 as study
from privml.results.table4 import split_sizes


def side_by_side(runs, printed):
    """Each printed cell that we have, our run of the method, and ours there."""
    both = printed[printed.index.isin(runs.index)]
    best = runs.loc[[(name, "counts", epsilon) for name, _, epsilon in both.index]]
    columns = {"printed": both["accuracy"]}
    columns |= {"printed_half_width": both["half_width"]}
    for name, table in (("ours", runs.loc[both.index]), ("counts", best)):
        columns[name] = table["accuracy"].to_numpy()
        width = "half_width" if name == "ours" else "counts_half_width"
        columns[width] = table["half_width"].to_numpy()
    return pd.DataFrame(columns).reset_index()


def sparse_vector_budget(name, epsilon, n_records):
    """Distance of a unanimous vote; thresholds for one unstable query and a tenth; the cutoff of our runs."""
    parts = split_sizes(n_records)
    options = {"epsilon": epsilon, "delta": 1 / parts.private}
    one, tenth = (
        SparseVectorAggregator(cutoff=cutoff, **options).threshold
        for cutoff in (1, max(1, parts.public // 10))
    )
    task = study.Task(None, parts, epsilon, None)
    cutoff = study.sparse_vector_service(task).cutoff
    return name, epsilon, (parts.n_teachers + 1) // 2 - 1, one, tenth, cutoff


def margin_histogram(table, n_bins=10):
    """Share of the queries in each bin: agreement, difference, mistakes."""
    place = (table["margin"] * 2 * n_bins + 1e-9).astype(int).clip(upper=n_bins - 1)
    agrees = table["majority"] == table["best"]
    mistakes = table["majority"] != table["label"]
    kinds = {"agrees": agrees, "differs": ~agrees, "mistakes": mistakes}
    edges = np.arange(n_bins + 1) / (2 * n_bins)
    shares = {
        name: np.bincount(place, kind, n_bins) / len(table)
        for name, kind in kinds.items()
    }
    return pd.DataFrame({"low": edges[:-1], "high": edges[1:]} | shares)
