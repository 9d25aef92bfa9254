"""Figures of the chapter on how small delta must be, from its tables in `privml.experiments`."""

from typing import TYPE_CHECKING

import numpy as np

from privml.figures.style import COLOURS, INK, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

__all__ = ["bound_by_delta_curves", "lasting_risk_curves", "optimum_by_delta_curves", "phase_regions"]

ABOVE = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}
THIN = {"color": INK, "linewidth": 0.9, "linestyle": (0, (1, 2)), "zorder": 1}


def optimum_by_delta_curves(table: "DataFrame", axes: "Axes", *, n_samples: int) -> None:
    """Worst expected excess risk against delta: bound, best learners, two simple ones; a line at 1 / m.

    Parameters
    ----------
    table : DataFrame
        From ``optimum_by_delta``.
    axes : Axes
        Where to draw.
    n_samples : int
        Number m of records.
    """
    for index, (name, curve) in enumerate(table.groupby("curve", sort=False)):
        axes.plot(curve["delta"], curve["excess"], label=name, **line(index))
    axes.axvline(1 / n_samples, **THIN)
    axes.text(1 / n_samples, 0.93, " δ = 1 / m", transform=axes.get_xaxis_transform(), fontsize=9)
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("δ")
    axes.set_ylabel("worst expected excess empirical risk")
    axes.legend(ncols=2, **ABOVE)


def bound_by_delta_curves(table: "DataFrame", axes: "Axes") -> None:
    """Packing bound against log10 of delta, one colour a sample size: all records at the cut, best number.

    Parameters
    ----------
    table : DataFrame
        From ``bound_by_delta``.
    axes : Axes
        Where to draw.
    """
    for index, (n_samples, curve) in enumerate(table.groupby("n_samples")):
        colour = COLOURS[index]
        axes.plot(
            curve["log10_delta"], curve["all"], color=colour, linestyle="-", label=f"m = {n_samples}, all"
        )
        axes.plot(
            curve["log10_delta"], curve["best"], color=colour, linestyle="--", label=f"m = {n_samples}, best"
        )
        axes.plot([curve["limit"].iloc[0]], [0], marker="v", markersize=9, color=colour, clip_on=False)
    axes.set_ylim(0, 0.53)
    axes.set_xlabel("log₁₀ δ")
    axes.set_ylabel("excess risk no learner avoids")
    axes.legend(ncols=3, **ABOVE)


def lasting_risk_curves(table: "DataFrame", axes: "Axes") -> None:
    """Bound on the excess risk against the number of records, one curve a rate, with the limits.

    Parameters
    ----------
    table : DataFrame
        From ``lasting_risk``.
    axes : Axes
        Where to draw.
    """
    for index, (rate, curve) in enumerate(table.groupby("rate")):
        axes.plot(curve["n_samples"], curve["risk"], label=f"c = {rate:g}", **line(index))
        axes.axhline(curve["limit"].iloc[0], color=COLOURS[index], linewidth=0.8, linestyle=(0, (1, 2)))
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_ylim(0, 0.53)
    axes.set_xlabel("number of records m")
    axes.set_ylabel("excess risk no learner avoids")
    axes.legend(ncols=4, **ABOVE)


def phase_regions(table: "DataFrame", axes: "Axes") -> None:
    """Decimal exponent of 1 / delta against the number of records, with the regions between the curves.

    Parameters
    ----------
    table : DataFrame
        From ``exponents``; the first three curves are the borders of the regions.
    axes : Axes
        Where to draw.
    """
    curves = dict(list(table.groupby("curve", sort=False)))
    names = list(curves)
    m = curves[names[0]]["n_samples"].to_numpy()
    easy, later, hard = (curves[name]["exponent"].to_numpy() for name in names[:3])
    low, high = 1.0, 10 * table["exponent"].max()
    axes.fill_between(m, low, easy, color=COLOURS[3], alpha=0.25, linewidth=0)
    axes.fill_between(m, np.maximum(hard, later), high, color=COLOURS[1], alpha=0.3, linewidth=0)
    axes.fill_between(m, later, np.maximum(hard, later), color=COLOURS[1], alpha=0.12, linewidth=0)
    for index, name in enumerate(names):
        axes.plot(m, curves[name]["exponent"], label=name, **line(index))
    axes.text(m[-1] * 0.8, low * 1.3, "all that is learnable is", ha="right", fontsize=9)
    axes.text(m[-1] * 0.8, later[-1] * 1.5, "thresholds are not (quoted)", ha="right", fontsize=9)
    axes.text(m[0] * 1.1, high / 6, "thresholds are not (proved here)", fontsize=9)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(low, high)
    axes.set_xlabel("number of records m")
    axes.set_ylabel("log₁₀ (1 / δ)")
    axes.legend(ncols=3, **ABOVE)
