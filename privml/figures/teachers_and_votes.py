"""Figures of the chapter on teachers and votes, from its tables in `privml.experiments`."""

from typing import TYPE_CHECKING

from privml.figures.style import COLOURS, INK, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

__all__ = ["accuracy_by_teachers", "claimed_against_exact", "label_curves", "spent_curves"]

ABOVE = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}
THIN = {"color": INK, "linewidth": 0.9, "linestyle": (0, (1, 2)), "zorder": 1}


def accuracy_by_teachers(table: "DataFrame", axes: "Axes") -> None:
    """Share of right labels against the number of teachers: one teacher, the majority, what is released.

    Parameters
    ----------
    table : DataFrame
        From ``labels_by_teachers``.
    axes : Axes
        Where to draw.
    """
    names = {"teacher": "a teacher", "majority": "the majority", "released": "the released label"}
    for index, (column, name) in enumerate(names.items()):
        marked = {**line(index), "marker": "osD"[index]}
        axes.plot(table["n_teachers"], table[column], label=name, **marked)
    axes.set_xscale("log")
    axes.set_xlabel("number of teachers K (logarithmic)")
    axes.set_ylabel("share of right labels")
    axes.legend(ncols=3, **ABOVE)


def label_curves(table: "DataFrame", axes: "Axes", *, epsilon: float, delta: float) -> None:
    """Privacy curves on a logarithmic axis, with the claim as a point.

    Parameters
    ----------
    table : DataFrame
        From ``curves_of_labels``.
    axes : Axes
        Where to draw.
    epsilon, delta : float
        The claim.
    """
    for index, (name, curve) in enumerate(table.groupby("curve", sort=False)):
        axes.plot(curve["epsilon"], curve["delta"], label=name, **line(index))
    axes.plot([epsilon], [delta], "D", color=COLOURS[3], label="claim", zorder=5)
    axes.set_yscale("log")
    axes.set_ylim(1e-12, 1)
    axes.set_xlabel("ε")
    axes.set_ylabel("δ (logarithmic)")
    axes.legend(ncols=2, **ABOVE)


def claimed_against_exact(table: "DataFrame", axes: "Axes") -> None:
    """Exact against claimed epsilon, one curve an aggregator, with the diagonal.

    Parameters
    ----------
    table : DataFrame
        From ``audit_of_labels``, or any table with its columns.
    axes : Axes
        Where to draw.
    """
    top = table["claimed"].max()
    axes.plot([0, top], [0, top], label="claimed", **THIN)
    for index, (name, curve) in enumerate(table.groupby("aggregator", sort=False)):
        marked = {**line(index), "marker": "osDv"[index]}
        axes.plot(curve["claimed"], curve["exact"], label=name, **marked)
    axes.set_xlabel("claimed ε")
    axes.set_ylabel("exact ε at the same δ")
    axes.legend(ncols=2, **ABOVE)


def spent_curves(table: "DataFrame", axes: "Axes") -> None:
    """Epsilon against the number of queries used, one curve a way of counting.

    Parameters
    ----------
    table : DataFrame
        From ``spent_by_use``.
    axes : Axes
        Where to draw.
    """
    for index, (name, curve) in enumerate(table.groupby("count", sort=False)):
        axes.plot(curve["used"], curve["epsilon"], label=name, **line(index))
    axes.set_ylim(bottom=0)
    axes.set_xlabel("queries used q")
    axes.set_ylabel("ε")
    axes.legend(ncols=2, **ABOVE)
