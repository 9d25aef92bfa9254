"""Figures of the chapter on sparse vectors and stability, from its tables in `privml.experiments`."""

import numpy as np
from matplotlib.axes import Axes
from pandas import DataFrame

from privml.figures.style import COLOURS, INK, line

__all__ = [
    "answer_against_radius",
    "busy_days",
    "comparison_noise_by_cutoff",
    "loss_over_claim",
    "restarting_profiles",
    "split_of_the_budget",
]

THIN = {"color": INK, "linewidth": 0.9, "linestyle": (0, (1, 2)), "zorder": 1}


def _note(axes: Axes, text: str, place: tuple[float, float], shift: tuple[float, float], **options) -> None:
    """A small remark beside a point of the data."""
    axes.annotate(text, place, xytext=shift, textcoords="offset points", fontsize=9, **options)


def busy_days(table: DataFrame, axes: Axes, *, threshold: float, largest: float) -> None:
    """Callers on each day, the days reported as busy, and the counts with noise for every day.

    Parameters
    ----------
    table : DataFrame
        From ``answers_of_a_year``.
    axes : matplotlib Axes
    threshold : float
        Callers from which on a day is busy.
    largest : float
        Upper end of the vertical axis; its lower end is minus half of that.
    """
    noisy = {"color": COLOURS[6], "markersize": 3, "zorder": 1}
    axes.plot(table["day"], table["noisy_callers"], "x", label="count with noise for all days", **noisy)
    axes.plot(table["day"], table["callers"], color=COLOURS[0], linewidth=1.2, label="callers")
    busy = table[table["answer"] == "busy"]
    axes.plot(busy["day"], busy["callers"], "D", color=COLOURS[1], label="reported as busy")
    axes.axhline(threshold, **THIN)
    _note(axes, "threshold", (0, threshold), (2, 3))
    axes.set_ylim(-largest / 2, largest)
    axes.set_xlabel("day of the year")
    axes.set_ylabel("callers")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.14), ncols=3, fontsize=9)


def split_of_the_budget(table: DataFrame, axes: Axes) -> None:
    """Noise of a comparison against the threshold's share of epsilon, with the best share of each cut-off.

    Parameters
    ----------
    table : DataFrame
        From ``split_table``.
    axes : matplotlib Axes
    """
    for k, (cutoff, group) in enumerate(table.groupby("cutoff")):
        axes.plot(group["share"], group["deviation"], label=f"cut-off {cutoff}", **line(k))
        best = group.iloc[0]
        axes.plot(best["best_share"], best["best_deviation"], "o", color=COLOURS[k])
    axes.set_yscale("log")
    axes.set_xlabel("share of ε that the threshold gets")
    axes.set_ylabel("standard deviation of a comparison")
    axes.legend()


def comparison_noise_by_cutoff(table: DataFrame, axes: Axes) -> None:
    """Noise of a comparison against the cut-off for each form of the sparse vector.

    Parameters
    ----------
    table : DataFrame
        From ``comparison_noise``.
    axes : matplotlib Axes
    """
    for k, (form, group) in enumerate(table.groupby("form", sort=False)):
        axes.plot(group["cutoff"], group["deviation"], label=form, **line(k))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("cut-off: number of crossings allowed")
    axes.set_ylabel("standard deviation of a comparison")
    axes.legend()


def loss_over_claim(table: DataFrame, axes: Axes, *, epsilon: float) -> None:
    """Exact loss of one transcript over the claimed epsilon, against the number of quiet queries.

    Parameters
    ----------
    table : DataFrame
        From ``loss_by_length``; losses of 0 and infinite ones are not drawn.
    axes : matplotlib Axes
    epsilon : float
        The claim.
    """
    finite = table[np.isfinite(table["loss"]) & (table["loss"] > 0)]
    for k, (mechanism, group) in enumerate(finite.groupby("mechanism", sort=False)):
        axes.plot(group["n_quiet"], group["loss"] / epsilon, label=mechanism, **line(k, markers=True))
        limit = group["limit"].iloc[0] / epsilon
        if np.isfinite(limit):
            axes.axhline(limit, **THIN)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    ticks = sorted(set(table["n_quiet"]))
    axes.set_xticks(ticks, [str(n) for n in ticks])
    axes.set_xlabel("quiet queries before the crossing")
    axes.set_ylabel("exact privacy loss / ε")
    axes.legend()


def restarting_profiles(table: DataFrame, axes: Axes, *, epsilon: float, delta: float) -> None:
    """Profiles delta against epsilon of the restarting form, with the claimed point.

    Parameters
    ----------
    table : DataFrame
        From ``restarting_profile``.
    axes : matplotlib Axes
    epsilon, delta : float
        The claim.
    """
    groups = list(table.groupby("cutoff"))
    shared = groups[0][1][groups[0][1]["concentrated"] > delta / 100]  # rho does not depend on T
    axes.plot(shared["epsilon"], shared["concentrated"], label="concentrated, any T", **line(2))
    for k, (cutoff, group) in enumerate(groups):
        for j, (column, name) in enumerate(
            {"composition": "composed", "exact": "exact, short streams"}.items()
        ):
            shown = group[group[column] > delta / 100]
            look = {"color": COLOURS[k], "linestyle": ("--", "-")[j]}
            axes.plot(shown["epsilon"], shown[column], label=f"T = {cutoff}: {name}", **look)
    axes.plot(epsilon, delta, "*", color=INK, markersize=12)
    _note(axes, "claim", (epsilon, delta), (-8, 8), ha="right")
    axes.set_yscale("log")
    axes.set_xlabel("ε (nats)")
    axes.set_ylabel("δ")
    axes.legend(fontsize=9)


def answer_against_radius(table: DataFrame, axes: Axes) -> None:
    """Probability that an answer is released, against its stability radius.

    Parameters
    ----------
    table : DataFrame
        From ``answer_by_radius``.
    axes : matplotlib Axes
    """
    names = {"best": "best possible", "tight": "ln(1/2δ)/ε", "printed": "ln(1/δ)/ε"}
    for k, (epsilon, group) in enumerate(table.groupby("epsilon")):
        for j, (column, name) in enumerate(names.items()):
            look = line(j) | {"color": COLOURS[k]}
            axes.plot(group["radius"], group[column], label=f"ε = {epsilon:g}: {name}", **look)
    axes.set_xlabel("stability radius of the answer (records)")
    axes.set_ylabel("probability that it is released")
    axes.legend(fontsize=9)
