"""Figures of the chapter on what cannot be learned, from its tables in `privml.experiments`."""

from typing import TYPE_CHECKING

from matplotlib.ticker import PercentFormatter

from privml.figures.style import COLOURS, INK, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

__all__ = [
    "between_curves",
    "crossing_curves",
    "digits_curves",
    "missing_mass_curves",
    "private_support_curves",
    "risk_by_size_curves",
]

ABOVE = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}


def _curves(table: "DataFrame", axes: "Axes", x: str, y: str, *, markers: bool) -> None:
    for index, (name, curve) in enumerate(table.groupby("curve", sort=False)):
        axes.plot(curve[x], curve[y], label=name, **line(index, markers=markers))


def digits_curves(table: "DataFrame", axes: "Axes", *, erm: float) -> None:
    """Expected training error against the number of digits, with the error of ERM on the tumours.

    Parameters
    ----------
    table : DataFrame
        From ``digits``.
    axes : Axes
        Where to draw.
    erm : float
        Least training error on the tumours.
    """
    _curves(table, axes, "bits", "error", markers=False)
    axes.axhline(erm, color=INK, linewidth=0.9, linestyle=(0, (1, 2)))
    axes.text(table["bits"].max(), erm - 0.035, "tumours, ERM", ha="right", fontsize=9)
    axes.set_ylim(0, 0.53)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("binary digits of the measurement")
    axes.set_ylabel("expected training error")
    axes.legend(**ABOVE)


def between_curves(table: "DataFrame", axes: "Axes") -> None:
    """Worst expected excess risk against the number of grid points: four curves in their order.

    Parameters
    ----------
    table : DataFrame
        From ``between``.
    axes : Axes
        Where to draw.
    """
    _curves(table, axes, "n_points", "excess", markers=True)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter("{x:g}")
    axes.tick_params(axis="y", which="minor", labelsize=8)
    axes.set_xticks(sorted(set(table["n_points"])))
    axes.set_xlabel("points of the grid")
    axes.set_ylabel("worst expected excess empirical risk")
    axes.legend(ncols=2, **ABOVE)


def risk_by_size_curves(table: "DataFrame", axes: "Axes") -> None:
    """Packing bound against the number of thresholds, one curve a sample size, with the quarters marked.

    Parameters
    ----------
    table : DataFrame
        From ``risk_by_size``.
    axes : Axes
        Where to draw.
    """
    for index, (n_samples, curve) in enumerate(table.groupby("n_samples")):
        axes.plot(curve["log2_size"], curve["excess"], label=f"m = {n_samples}", **line(index))
        quarter = curve["quarter"].iloc[0]
        axes.plot([quarter], [0.25], marker="o", markersize=7, color=COLOURS[index], zorder=3)
    axes.set_ylim(0, 0.52)
    axes.set_xlabel("log₂ of the number K of data sets")
    axes.set_ylabel("excess risk no private learner avoids")
    axes.legend()


def crossing_curves(table: "DataFrame", axes: "Axes") -> None:
    """Numbers of records that are not enough and that are enough, against log2 of the class size.

    Parameters
    ----------
    table : DataFrame
        From ``crossing_sizes``.
    axes : Axes
        Where to draw.
    """
    _curves(table, axes, "bits", "n_samples", markers=True)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(sorted(set(table["bits"])))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("log₂ of the number K of thresholds")
    axes.set_ylabel("number of records m")
    axes.legend(**ABOVE)


def missing_mass_curves(table: "DataFrame", axes: "Axes") -> None:
    """Missing mass against the number of records, both logarithmic.

    Parameters
    ----------
    table : DataFrame
        From ``missing_masses``.
    axes : Axes
        Where to draw.
    """
    _curves(table, axes, "n_samples", "mass", markers=False)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_ylim(1e-3, 1.4)
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("number of records m")
    axes.set_ylabel("expected missing mass")
    axes.legend(ncols=2, **ABOVE)


def private_support_curves(table: "DataFrame", axes: "Axes") -> None:
    """Empirical risk that no private learner of a support avoids, against the size of the universe.

    Parameters
    ----------
    table : DataFrame
        From ``private_supports``.
    axes : Axes
        Where to draw.
    """
    _curves(table, axes, "n_points", "risk", markers=False)
    axes.set_xscale("log")
    axes.set_ylim(-0.03, 1.05)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("size M of the universe")
    axes.set_ylabel("expected empirical risk")
    axes.legend(loc="center right")
