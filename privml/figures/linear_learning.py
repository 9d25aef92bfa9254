"""Figures of the chapter on linear learning, from its tables in `privml.experiments`."""

from typing import TYPE_CHECKING

from matplotlib.ticker import PercentFormatter

from privml.figures.style import COLOURS, INK, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

__all__ = ["excess_by_rate", "price_of_many_draws", "real_accuracy", "spent_by_rate"]

THIN = {"color": INK, "linewidth": 0.9, "linestyle": (0, (1, 2)), "zorder": 1}
ABOVE = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}


def spent_by_rate(table: "DataFrame", axes: "Axes", *, epsilon: float, delta: float) -> None:
    """Delta against epsilon for each learning rate: exact for the average, and the bound for the draws.

    Parameters
    ----------
    table : DataFrame
        From ``spent_curves``.
    axes : Axes
        Where to draw.
    epsilon, delta : float
        What is claimed; marked.
    """
    for index, (method, curves) in enumerate(table.groupby("method", sort=False)):
        for kind, curve in curves.groupby("kind", sort=False):
            if kind == "average, exact":
                axes.plot(curve["epsilon"], curve["delta"], label=f"{method} rate", **line(index))
            else:
                every = curve.iloc[index % 2 :: 4]
                axes.plot(every["epsilon"], every["delta"], "o", color=COLOURS[index], markersize=4)
    axes.plot([epsilon], [delta], marker="*", markersize=13, color=INK, linestyle="none", label="claimed")
    axes.set_yscale("log")
    axes.set_ylim(1e-14, 1)
    axes.set_xlabel("privacy parameter ε (nats)")
    axes.set_ylabel("δ")
    axes.legend(loc="upper right")


def excess_by_rate(table: "DataFrame", axes: "Axes") -> None:
    """Excess risk against the learning rate, both logarithmic: exact worst cases and bounds.

    Parameters
    ----------
    table : DataFrame
        From ``by_learning_rate``.
    axes : Axes
        Where to draw.
    """
    for index, (name, curve) in enumerate(table.groupby("curve", sort=False)):
        axes.plot(curve["eta"], curve["excess"], label=name, **line(index, markers=True))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("learning rate η")
    axes.set_ylabel("excess risk")
    axes.legend(ncols=2, **ABOVE)


def price_of_many_draws(table: "DataFrame", axes: "Axes") -> None:
    """Excess risk against the number of examples, both logarithmic.

    Parameters
    ----------
    table : DataFrame
        From ``price``.
    axes : Axes
        Where to draw.
    """
    for index, (name, curve) in enumerate(table.groupby("curve", sort=False)):
        axes.plot(curve["n_samples"], curve["excess"], label=name, **line(index, markers=True))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(1e-4, 1e2)
    axes.set_xlabel("number of examples T")
    axes.set_ylabel("mean excess risk")
    axes.legend(ncols=2, **ABOVE)


def real_accuracy(table: "DataFrame", axes: "Axes", *, column: str) -> None:
    """Accuracy against epsilon for each learner; learners without privacy as levels.

    Parameters
    ----------
    table : DataFrame
        From ``breast_cancer`` or ``committed_a9a``.
    axes : Axes
        Where to draw.
    column : str
        "accuracy" or "balanced".
    """
    left, right = table.loc[table["epsilon"] < float("inf"), "epsilon"].agg(["min", "max"])
    for index, (name, curve) in enumerate(table.groupby("learner", sort=False)):
        if (curve["epsilon"] < float("inf")).all():
            axes.plot(curve["epsilon"], curve[column], label=name, **line(index, markers=True))
        else:
            axes.plot([left, right], [curve[column].iloc[0]] * 2, label=name, **line(index))
    axes.set_xscale("log")
    axes.set_xticks(sorted(set(table["epsilon"]) - {float("inf")}))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter("")
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("privacy parameter ε (nats), δ = 10⁻⁵")
    axes.set_ylabel("accuracy" if column == "accuracy" else "mean accuracy of the two classes")
    axes.legend(ncols=2, fontsize=8, **ABOVE)
