"""Figures of the chapter on private ERM by sampling, from its tables in `privml.experiments`."""

from typing import TYPE_CHECKING

import numpy as np

from privml.figures.style import COLOURS, INK, MARKERS, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

__all__ = [
    "accuracy_curves",
    "audit_curves",
    "density_curves",
    "difference_curves",
    "sharpness_curves",
    "stopped_curves",
    "tail_curves",
    "well_curves",
]

ABOVE = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}
THIN = {"color": INK, "linewidth": 0.9, "linestyle": (0, (1, 2)), "zorder": 1}


def density_curves(table: "DataFrame", axes: "Axes") -> None:
    """Density of the released weight, one curve a number of records.

    Parameters
    ----------
    table : DataFrame
        From ``densities``.
    axes : Axes
        Where to draw.
    """
    for index, (n_samples, curve) in enumerate(table.groupby("n_samples")):
        axes.plot(curve["h"], curve["density"], label=f"m = {n_samples}", **line(index))
    axes.set_ylim(bottom=0)
    axes.set_xlabel("weight h")
    axes.set_ylabel("density")
    axes.legend(ncols=4, **ABOVE)


def audit_curves(table: "DataFrame", axes: "Axes", *, epsilon: float) -> None:
    """Exact privacy parameter against the number of records: filled markers sharp, open ones the source's.

    Parameters
    ----------
    table : DataFrame
        From ``audit_by_size``.
    axes : Axes
        Where to draw.
    epsilon : float
        The claim.
    """
    for index, (name, curves) in enumerate(table.groupby("loss", sort=False)):
        for rule, curve in curves.groupby("sensitivity", sort=False):
            sharp = rule == "tight"
            look = {"color": COLOURS[index], "marker": MARKERS[index], "linestyle": "-" if sharp else ":"}
            face = COLOURS[index] if sharp else "white"
            label = name if sharp else f"{name}, source's Δ"
            axes.plot(curve["n_samples"], curve["exact_epsilon"], label=label, markerfacecolor=face, **look)
    for level in (epsilon / 2, epsilon):
        axes.axhline(level, **THIN)
    axes.set_ylim(0, 1.05 * epsilon)
    axes.set_xlabel("number of records m")
    axes.set_ylabel("exact privacy parameter")
    axes.legend(ncols=4, fontsize=8, **ABOVE)


def sharpness_curves(table: "DataFrame", axes: "Axes", *, epsilon: float) -> None:
    """Privacy loss of one pair against the number of records, with the claim.

    Parameters
    ----------
    table : DataFrame
        From ``sharpness``.
    axes : Axes
        Where to draw.
    epsilon : float
        The claim.
    """
    for index, (name, curve) in enumerate(table.groupby("loss", sort=False)):
        axes.plot(curve["n_samples"], curve["privacy_loss"], label=name, **line(index, markers=True))
    axes.axhline(epsilon, **THIN)
    axes.set_xscale("log")
    axes.set_ylim(0, 1.05 * epsilon)
    axes.set_xlabel("number of records m")
    axes.set_ylabel("privacy loss of one pair")
    axes.legend(ncols=4, **ABOVE)


def tail_curves(table: "DataFrame", axes: "Axes") -> None:
    """Probability of a large excess risk, exact (solid) and bound (dashed), one colour a number of records.

    Parameters
    ----------
    table : DataFrame
        From ``tails``.
    axes : Axes
        Where to draw.
    """
    for index, (n_samples, curve) in enumerate(table.groupby("n_samples")):
        for column, dashes in (("exact", "-"), ("bound", "--")):
            seen = curve[curve[column] > 1e-9]
            label = f"m = {n_samples}, {column}"
            axes.plot(2 * seen["t"], seen[column], color=COLOURS[index], linestyle=dashes, label=label)
    axes.set_yscale("log")
    axes.set_ylim(1e-9, 2)
    axes.set_xlabel("excess empirical risk 2t")
    axes.set_ylabel("probability to exceed it")
    axes.legend(ncols=2, **ABOVE)


def difference_curves(table: "DataFrame", axes: "Axes") -> None:
    """Empirical less exact distribution function, one curve a sampler, with the band of exact draws.

    Parameters
    ----------
    table : DataFrame
        From ``disc_differences``.
    axes : Axes
        Where to draw.
    """
    for index, (name, curve) in enumerate(table.groupby("sampler", sort=False)):
        axes.plot(curve["h"], curve["difference"], label=name, **line(index))
        for sign in (-1, 1):
            axes.axhline(sign * curve["band"].iloc[0], color=COLOURS[index], linewidth=0.9, linestyle="--")
    axes.axhline(0.0, **THIN)
    axes.set_xlabel("first weight")
    axes.set_ylabel("empirical less exact\ndistribution function")
    axes.legend(ncols=2, **ABOVE)


STOPPED = {
    "distance": ("total variation", "-"),
    "proved": ("its proved bound", "--"),
    "delta_distance": ("δ by the theorem", "-."),
    "delta_exact": ("δ, exact", ":"),
}


def stopped_curves(table: "DataFrame", axes: "Axes") -> None:
    """Distance, its bound and two deltas against the number of steps.

    Parameters
    ----------
    table : DataFrame
        From ``stopped``, of one start.
    axes : Axes
        Where to draw.
    """
    for index, (column, (label, dashes)) in enumerate(STOPPED.items()):
        seen = table[table[column] > 1e-10]
        axes.plot(seen["steps"], seen[column], color=COLOURS[index], linestyle=dashes, label=label)
    axes.set_yscale("log")
    axes.set_ylim(1e-10, 2)
    axes.set_xlabel("steps of the chain")
    axes.set_ylabel("distance or δ")
    axes.legend(ncols=2, **ABOVE)


def well_curves(table: "DataFrame", axes: "Axes") -> None:
    """Probabilities of the places on the line, of the target and of a chain after some steps.

    Parameters
    ----------
    table : DataFrame
        From ``well_laws``.
    axes : Axes
        Where to draw.
    """
    for index, (name, curve) in enumerate(table.groupby("curve", sort=False)):
        axes.plot(curve["h"], curve["probability"], label=name, **line(index))
    axes.set_ylim(bottom=0)
    axes.set_xlabel("weight h")
    axes.set_ylabel("probability")
    axes.legend(ncols=3, **ABOVE)


def accuracy_curves(table: "DataFrame", axes: "Axes") -> None:
    """Accuracy against epsilon with one deviation, and levels without privacy.

    Parameters
    ----------
    table : DataFrame
        From ``breast_cancer``.
    axes : Axes
        Where to draw.
    """
    private = table[np.isfinite(table["epsilon"])]
    for index, (name, curve) in enumerate(private.groupby("learner", sort=False)):
        spread = curve["deviation"]
        look = line(index, markers=True)
        axes.errorbar(curve["epsilon"], curve["accuracy"], yerr=spread, capsize=3, label=name, **look)
    for _, row in table[~np.isfinite(table["epsilon"])].iterrows():
        axes.axhline(row["accuracy"], **THIN)
        axes.text(private["epsilon"].min(), row["accuracy"], row["learner"], fontsize=8, va="bottom")
    axes.set_xscale("log")
    axes.set_xticks(private["epsilon"].unique())
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter("")
    axes.set_ylim(0.4, 1.0)
    axes.set_xlabel("ε")
    axes.set_ylabel("accuracy on held-out records")
    axes.legend(ncols=3, **ABOVE)
