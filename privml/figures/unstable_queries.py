"""Figures of the chapter on paying only for unstable queries, from its tables in `privml.experiments`."""

from typing import TYPE_CHECKING

from privml.figures.style import INK, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

__all__ = ["answer_curves", "needed_margin_curves", "passive_bound_curves", "success_curves"]

ABOVE = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}
THIN = {"color": INK, "linewidth": 0.9, "linestyle": (0, (1, 2)), "zorder": 1}


def answer_curves(table: "DataFrame", axes: "Axes") -> None:
    """Probability of an answer against the margin, one curve a variant.

    Parameters
    ----------
    table : DataFrame
        From ``answer_by_margin``.
    axes : Axes
        Where to draw.
    """
    for index, (name, curve) in enumerate(table.groupby("variant", sort=False)):
        axes.plot(curve["margin"], curve["answered"], label=name, **line(index))
    axes.set_xlabel("margin, in votes")
    axes.set_ylabel("probability of an answer")
    axes.legend(ncols=2, **ABOVE)


def success_curves(table: "DataFrame", axes: "Axes", *, lemma: int) -> None:
    """Probability that all points are answered against the number of teachers, with that of the lemma.

    Parameters
    ----------
    table : DataFrame
        From ``all_answered``.
    axes : Axes
        Where to draw.
    lemma : int
        Number of teachers in the lemma.
    """
    for index, (name, curve) in enumerate(table.groupby("variant", sort=False)):
        axes.plot(curve["n_teachers"], curve["probability"], label=name, **line(index))
    axes.axvline(lemma, **THIN)
    axes.text(lemma, 0.5, " lemma", fontsize=9)
    axes.set_xscale("log")
    axes.set_xlabel("number of teachers K (logarithmic)")
    axes.set_ylabel("probability that all are answered")
    axes.legend(ncols=2, **ABOVE)


def needed_margin_curves(table: "DataFrame", axes: "Axes") -> None:
    """Margin that is needed against the number of labels, one curve an aggregator.

    Parameters
    ----------
    table : DataFrame
        From ``margins_needed``.
    axes : Axes
        Where to draw.
    """
    for index, (name, curve) in enumerate(table.groupby("aggregator", sort=False)):
        axes.plot(curve["n_queries"], curve["margin"], label=name, **line(index))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("number of labels ℓ (logarithmic)")
    axes.set_ylabel("margin needed, in votes (logarithmic)")
    axes.legend(ncols=2, **ABOVE)


def passive_bound_curves(table: "DataFrame", axes: "Axes") -> None:
    """Bound on the student's error against the number of public points, one curve a number of records.

    Parameters
    ----------
    table : DataFrame
        From ``bound_by_public``.
    axes : Axes
        Where to draw.
    """
    for index, (number, curve) in enumerate(table.groupby("n_samples")):
        axes.plot(curve["n_public"], curve["bound"], label=f"n = {number:.0e}", **line(index))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("number of public points m (logarithmic)")
    axes.set_ylabel("bound on the error (logarithmic)")
    axes.legend(ncols=3, **ABOVE)
