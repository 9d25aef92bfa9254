"""Figures of the chapter on PATE on real data, from its tables in `privml.experiments`."""

from typing import TYPE_CHECKING

import numpy as np

from privml.figures.style import COLOURS, INK, MARKERS, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

__all__ = ["cell_points", "cumulated_lines", "frontier_curves", "margin_bars", "signed_points"]

ABOVE = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}
THIN = {"color": INK, "linewidth": 0.9, "linestyle": (0, (1, 2)), "zorder": 1}


def frontier_curves(table: "DataFrame", axes: "Axes") -> None:
    """Accuracy against epsilon, a curve with intervals for each method, and regression on all records.

    Parameters
    ----------
    table : DataFrame
        From ``frontier``.
    axes : Axes
        Where to draw.
    """
    for index, (method, curve) in enumerate(table.groupby("method", sort=False)):
        look = line(index)
        axes.plot(curve["epsilon"], curve["accuracy"], label=method, **look)
        axes.fill_between(curve["epsilon"], curve["low"], curve["high"], color=look["color"], alpha=0.2, lw=0)
    records = table["records"].iloc[0]
    axes.axhline(records, **THIN)
    axes.text(0.1, records, "all records, no privacy", fontsize=8, va="bottom", color=INK)
    axes.set_xscale("log")
    ticks = sorted(table["epsilon"].unique())
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    axes.set_xlabel("ε (nats), of the whole run")
    axes.set_ylabel("accuracy on test records")
    axes.legend(ncols=2, **ABOVE)


def cell_points(table: "DataFrame", axes: "Axes") -> None:
    """Printed accuracies, those of our runs of the same methods, and those of our method, cell by cell.

    Parameters
    ----------
    table : DataFrame
        From ``side_by_side``.
    axes : Axes
        Where to draw.
    """
    places = np.arange(len(table))[::-1]
    columns = (
        ("printed", "printed_half_width", "printed"),
        ("ours", "half_width", "our run of it"),
        ("counts", "counts_half_width", "counts (ours)"),
    )
    for index, (mean, width, label) in enumerate(columns):
        shift = 0.22 * (1 - index)
        look = {"fmt": MARKERS[index], "color": COLOURS[index], "markersize": 5, "elinewidth": 1.5}
        axes.errorbar(table[mean], places + shift, xerr=table[width], label=label, **look)
    names = [
        f"{cell.dataset}, {cell.method}, ε = {'∞' if np.isinf(cell.epsilon) else f'{cell.epsilon:g}'}"
        for cell in table.itertuples()
    ]
    axes.set_yticks(places, names, fontsize=8)
    axes.set_xlabel("accuracy on test records")
    axes.legend(ncols=3, **ABOVE)


def margin_bars(table: "DataFrame", axes: "Axes") -> None:
    """Share of the queries in each bin of the margin: majority agrees with h* or differs; mistakes as points.

    Parameters
    ----------
    table : DataFrame
        From ``margin_histogram``.
    axes : Axes
        Where to draw.
    """
    width = table["high"] - table["low"]
    kept = {"width": width, "align": "edge", "edgecolor": "white", "linewidth": 1}
    axes.bar(table["low"], table["agrees"], color=COLOURS[0], label="majority agrees with h*", **kept)
    bottom = {"bottom": table["agrees"], "hatch": "///"}
    axes.bar(table["low"], table["differs"], color=COLOURS[1], label="differs", **bottom, **kept)
    middle = (table["low"] + table["high"]) / 2
    axes.plot(middle, table["mistakes"], "D", color=INK, label="majority is wrong", markersize=5)
    axes.set_xlabel("margin |p − 1/2|, where p is the share of votes for 1")
    axes.set_ylabel("share of the queries")
    axes.legend(loc="upper left")


def signed_points(table: "DataFrame", axes: "Axes") -> None:
    """Margins of the queries against their signed margins: two lines and nothing between them.

    Parameters
    ----------
    table : DataFrame
        From ``with_margins``.
    axes : Axes
        Where to draw.
    """
    agrees = table["signed"] >= 0
    for chosen, index, label in ((agrees, 0, "agrees with h*"), (~agrees, 1, "differs")):
        look = {"color": COLOURS[index], "marker": MARKERS[index], "linestyle": "none", "alpha": 0.4}
        points = table[chosen]
        axes.plot(points["margin"], points["signed"], markersize=4, label=label, **look)
    axes.axhline(0, **THIN)
    axes.set_xlabel("margin |p − 1/2|")
    axes.set_ylabel("1/2 − share that differs from h*")
    axes.legend(loc="upper left")


def cumulated_lines(table: "DataFrame", axes: "Axes") -> None:
    """Cumulated signed margins against cumulated margins, in their order and shuffled.

    Parameters
    ----------
    table : DataFrame
        From ``cumulated``.
    axes : Axes
        Where to draw.
    """
    for index, (column, label) in enumerate((("signed", "as they are"), ("shuffled", "shuffled"))):
        look = line(index) | {"marker": None}
        axes.plot(table["margin"], table[column], label=label, **look)
    axes.set_xlabel("cumulated margins of the queries")
    axes.set_ylabel("cumulated signed margins")
    axes.legend(loc="upper left")
