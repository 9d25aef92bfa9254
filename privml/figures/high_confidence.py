"""Figures of the chapter on high confidence and real computers, from its tables in `privml.experiments`."""

from typing import TYPE_CHECKING

from privml.figures.style import INK, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

__all__ = ["choice_gap_curves", "claim_constant_curves", "excess_tails", "markov_boost_curves"]

ABOVE = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}
THIN = {"color": INK, "linewidth": 0.9, "linestyle": (0, (1, 2)), "zorder": 1}


def excess_tails(table: "DataFrame", axes: "Axes") -> None:
    """Probability of an excess risk of at least so much, for learners alone and boosted, and one bound.

    Parameters
    ----------
    table : DataFrame
        From ``survival``.
    axes : Axes
        Where to draw.
    """
    for index, ((learner, boosted), rows) in enumerate(table.groupby(["learner", "boosted"], sort=False)):
        label = f"{learner}, {'boosted' if boosted else 'alone'}"
        axes.plot(rows["excess"], rows["probability"], label=label, **line(index, markers=True))
    rows = table[(table["learner"] == "drowsy") & ~table["boosted"]]
    axes.plot(rows["excess"], rows["markov"], label="drowsy, Markov", **THIN)
    axes.set_yscale("log")
    axes.set_xlabel("excess risk")
    axes.set_ylabel("probability of at least this")
    axes.legend(ncols=2, **ABOVE)


def choice_gap_curves(table: "DataFrame", axes: "Axes") -> None:
    """Gap of risks that the private choice may overlook, against its privacy parameter: bound and exact.

    Parameters
    ----------
    table : DataFrame
        From ``choice_gaps``.
    axes : Axes
        Where to draw.
    """
    for index, (column, label) in enumerate({"bound": "bound", "exact": "exact, one pair"}.items()):
        axes.plot(table["epsilon"], table[column], label=label, **line(index))
    axes.plot(table["epsilon"], table["without"], label="bound without privacy", **THIN)
    axes.axvline(table["free"].iloc[0], color=INK, linewidth=0.9)
    axes.annotate("free", (table["free"].iloc[0], 0.9), xytext=(4, 0), textcoords="offset points", fontsize=9)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("ε of the choice")
    axes.set_ylabel("gap of the risks")
    axes.legend(ncols=3, **ABOVE)


def claim_constant_curves(table: "DataFrame", axes: "Axes") -> None:
    """Constants needed and proved, against the logarithm of one over the failure probability.

    Parameters
    ----------
    table : DataFrame
        From ``claim_constants``.
    axes : Axes
        Where to draw.
    """
    names = {
        "needed_wlf16": "needed, WLF16",
        "needed": "needed, sharp sensitivity",
        "proved_half": "proved, half for validation",
        "needed_log": "needed without the root",
    }
    for index, (column, label) in enumerate(names.items()):
        axes.plot(table["log"], table[column], label=label, **line(index))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("ln(1 / β)")
    axes.set_ylabel("constant C")
    axes.legend(ncols=2, **ABOVE)


def markov_boost_curves(table: "DataFrame", axes: "Axes") -> None:
    """Bounds on the excess risk against the failure probability: Markov's, and boosting with two splits.

    Parameters
    ----------
    table : DataFrame
        From ``markov_or_boost``.
    axes : Axes
        Where to draw.
    """
    names = {"markov": "Markov, one run", "equal": "boosted, equal blocks", "half": "boosted, half validates"}
    for index, (column, label) in enumerate(names.items()):
        axes.plot(table["beta"], table[column], label=label, **line(index))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(top=1.0)
    axes.set_xlabel("failure probability β")
    axes.set_ylabel("bound on the excess risk")
    axes.legend(ncols=2, **ABOVE)
