"""Figures of the chapter on what differential privacy promises, from its tables in `privml.experiments`."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from pandas import DataFrame

from privml.figures.style import COLOURS, INK, line

__all__ = [
    "beliefs_after_study",
    "exact_privacy_curves",
    "group_deltas",
    "laws_of_neighbours",
    "trade_off_region",
]

THIN = {"color": INK, "linewidth": 0.9, "linestyle": (0, (1, 2))}


def laws_of_neighbours(table: DataFrame, axes: Axes) -> None:
    """Law of the number of yes on two neighbours, with the privacy loss of each outcome above it.

    Parameters
    ----------
    table : DataFrame
        From ``neighbouring_counts``.
    axes : matplotlib Axes
    """
    for k, (column, name) in enumerate((("here", "the answers"), ("neighbour", "one answer changed"))):
        style = {"color": COLOURS[k], "hatch": ("", "///")[k], "edgecolor": "white"}
        axes.bar(table["n_yes"] + 0.4 * k - 0.2, table[column], 0.4, label=name, **style)
    for row in table.itertuples(index=False):
        top, text = max(row.here, row.neighbour), f"{row.privacy_loss:+.2f}"
        place = {"xytext": (0, 3), "textcoords": "offset points", "ha": "center", "fontsize": 8}
        axes.annotate(text, (row.n_yes, top), **place)
    axes.set_xlabel("number of yes after the coins")
    axes.set_ylabel("probability")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="x", visible=False)
    axes.legend(title="above the bars: privacy loss (nats)", loc="upper right")


def exact_privacy_curves(table: DataFrame, axes: Axes, *, lowest: float = 1e-6) -> None:
    """Exact privacy curves of several releases, on a logarithmic axis.

    Parameters
    ----------
    table : DataFrame
        From ``privacy_curves``.
    axes : matplotlib Axes
    lowest : float
        Smaller values are not drawn.
    """
    for k, (name, group) in enumerate(table.groupby("mechanism", sort=False)):
        shown = group[group["delta"] >= lowest]
        axes.plot(shown["epsilon"], shown["delta"], label=name, **line(k))
    axes.set_yscale("log")
    axes.set_ylim(lowest, 1)
    axes.set_xlim(0, table["epsilon"].max())
    axes.set_xlabel("ε (nats)")
    axes.set_ylabel("δ(ε), exact")
    axes.legend(loc="lower left")


def trade_off_region(table: DataFrame, axes: Axes, *, epsilon: float, delta: float) -> None:
    """Exact trade-offs of releases, over what epsilon alone and what (epsilon, delta) allow.

    Parameters
    ----------
    table : DataFrame
        From ``trade_offs``.
    axes : matplotlib Axes
    epsilon, delta : float
        Of the shaded regions.
    """
    for slack, shade, name in ((delta, "#D5D5D5", "too good at (ε, δ)"), (0.0, "#ECECEC", "too good at ε")):
        corner = (1 - slack) / (1 + np.exp(epsilon))
        border = np.array([(0, 1 - slack), (corner, corner), (1 - slack, 0)])
        axes.fill_between(border[:, 0], 0, border[:, 1], color=shade, zorder=0 if slack == 0 else 0.5)
        axes.fill_between([], [], [], color=shade, label=name)
    axes.plot([0, 1], [1, 0], label="blind guessing", **THIN)
    for k, (name, group) in enumerate(table.groupby("mechanism", sort=False)):
        axes.plot(group["level"], group["miss"], label=name, **line(k))
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.set_aspect("equal")
    axes.set_xlabel("false alarms, a")
    axes.set_ylabel("misses, b")
    axes.legend(loc="upper right")


def group_deltas(table: DataFrame, axes: Axes) -> None:
    """Delta at k epsilon for data sets k steps apart: two bounds and an exact value.

    Parameters
    ----------
    table : DataFrame
        From ``group_delta``.
    axes : matplotlib Axes
    """
    names = {"source": "WLF16's bound", "theorem": "theorem", "exact": "slowest admission, exact"}
    for k, (column, name) in enumerate(names.items()):
        style = line(k, markers=column == "exact")
        if column == "exact":
            style["linestyle"] = "none"
        axes.plot(table["k"], table[column], label=name, **style)
    axes.set_yscale("log")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("number of records k in which the data sets differ")
    axes.set_ylabel("δ at kε")
    axes.legend()


def beliefs_after_study(table: DataFrame, axes: Axes) -> None:
    """What is believed about one person against the size of the study, with and without her.

    Parameters
    ----------
    table : DataFrame
        From ``smoking_study``.
    axes : matplotlib Axes
    """
    names = {"with_record": "after the study, she takes part", "without": "after the study, without her"}
    for k, (column, name) in enumerate(names.items()):
        axes.plot(table["n_samples"], table[column], label=name, **line(k, markers=True))
    axes.plot(table["n_samples"], table["before"], label="before the study", **THIN)
    axes.set_xscale("log")
    axes.set_xlabel("participants m")
    axes.set_ylabel("believed chance that she is ill")
    axes.legend(loc="lower right", bbox_to_anchor=(1, 0.1))
