"""Figures of the chapter that compares private learners, from its tables in `privml.experiments`."""

from typing import TYPE_CHECKING

import numpy as np

from privml.figures.style import COLOURS, INK, MARKERS, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

__all__ = [
    "competing_norm_curves",
    "forgotten_square_curves",
    "learner_accuracy_curves",
    "proved_excess_curves",
    "tilt_loss_curves",
]

ABOVE = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}
THIN = {"color": INK, "linewidth": 0.9, "linestyle": (0, (1, 2)), "zorder": 1}
METHODS = (
    "mean",
    "output perturbation",
    "objective perturbation",
    "exponential sampling",
    "noisy gradient descent",
)
STYLES = {"ε": "-", "(ε, δ)": "--"}


def tilt_loss_curves(table: "DataFrame", axes: "Axes", *, epsilon: float) -> None:
    """Exact privacy loss against the total strength of the penalty, with the claim.

    Parameters
    ----------
    table : DataFrame
        From ``line_losses``.
    axes : Axes
        Where to draw.
    epsilon : float
        What is claimed.
    """
    for index, (name, curve) in enumerate(table.groupby("curve", sort=False)):
        axes.plot(curve["total"], curve["loss"], label=name, **line(index, markers=True))
    axes.axhline(epsilon, **THIN)
    axes.text(table["total"].max(), epsilon, "claim", ha="right", va="bottom", fontsize=9)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_ylim(0, 1.1 * epsilon)
    axes.set_xlabel("total strength κ of the penalty")
    axes.set_ylabel("largest privacy loss (nats)")
    axes.legend(ncols=2, **ABOVE)


def forgotten_square_curves(table: "DataFrame", axes: "Axes") -> None:
    """Exact privacy loss against the length of rows, with and without the square.

    Parameters
    ----------
    table : DataFrame
        From ``unsquared_losses``.
    axes : Axes
        Where to draw.
    """
    for index, name in enumerate(["without the square", "with the square"]):
        axes.plot(table["radius"], table[name], label=name, **line(index, markers=True))
    axes.axhline(table["claimed"].iloc[0], **THIN)
    axes.text(table["radius"].min(), table["claimed"].iloc[0], "claim", va="bottom", fontsize=9)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("longest row R")
    axes.set_ylabel("largest privacy loss (nats)")
    axes.legend(ncols=2, **ABOVE)


def proved_excess_curves(table: "DataFrame", axes: "Axes") -> None:
    """Proved (dashed) and measured (solid) excess risk against epsilon.

    Parameters
    ----------
    table : DataFrame
        From ``proved_and_measured``.
    axes : Axes
        Where to draw.
    """
    for index, (name, curve) in enumerate(table.groupby("method", sort=False)):
        style = {"color": COLOURS[index], "marker": MARKERS[index], "markersize": 5}
        axes.plot(curve["epsilon"], curve["proved"], linestyle="--", **style)
        axes.plot(curve["epsilon"], curve["measured"], linestyle="-", label=name, **style)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("ε (nats)")
    axes.set_ylabel("excess risk")
    axes.legend(ncols=2, **ABOVE)


def competing_norm_curves(table: "DataFrame", axes: "Axes") -> None:
    """Mean accuracy on synthetic populations against the norm to compete with.

    Parameters
    ----------
    table : DataFrame
        From ``norms``.
    axes : Axes
        Where to draw.
    """
    private = table[np.isfinite(table["norm"])]
    for index, (name, curve) in enumerate(private.groupby(["method", "promise"], sort=False)):
        label = f"{name[0]}, {name[1]}"
        axes.plot(curve["norm"], curve["accuracy"], label=label, **line(index, markers=True))
    mean = private.groupby("norm")["accuracy"].mean()
    axes.plot(mean.index, mean, color=INK, linewidth=2.5, label="mean of all")
    axes.set_xscale("log")
    axes.set_xticks(mean.index, [f"{norm:g}" for norm in mean.index])
    axes.minorticks_off()
    axes.set_xlabel("norm R to compete with")
    axes.set_ylabel("accuracy")
    axes.legend(ncols=2, **ABOVE)


def learner_accuracy_curves(table: "DataFrame", axes: "Axes") -> None:
    """Accuracy against epsilon: one colour a method, solid for pure and dashed for approximate privacy.

    Parameters
    ----------
    table : DataFrame
        From ``curves``.
    axes : Axes
        Where to draw.
    """
    finite = np.isfinite(table["epsilon"])
    for (name, promise), curve in table[finite].groupby(["method", "promise"], sort=False):
        if name in METHODS:
            style = {"color": COLOURS[METHODS.index(name)], "marker": MARKERS[METHODS.index(name)]}
        else:
            style = {
                "color": INK,
                "marker": "D",
                "linewidth": 1.0,
                "markersize": 8,
                "markerfacecolor": "none",
            }
        axes.plot(
            curve["epsilon"],
            curve["accuracy"],
            linestyle=STYLES[promise],
            label=f"{name}, {promise}",
            **style,
        )
    for _, row in table[~finite].iterrows():
        axes.axhline(row["accuracy"], **THIN)
        axes.text(1.7, row["accuracy"], row["method"], ha="right", va="bottom", fontsize=8)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("ε (nats)")
    axes.set_ylabel("accuracy on held-out records")
    axes.legend(ncols=2, fontsize=8, **ABOVE)
