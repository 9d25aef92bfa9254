"""Figures of the chapter on what can be learned privately, from its tables in `privml.experiments`."""

from typing import TYPE_CHECKING

from matplotlib.ticker import LogLocator, NullFormatter, PercentFormatter

from privml.figures.style import COLOURS, INK, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

__all__ = [
    "accuracy_band",
    "price_curves",
    "sample_size_curves",
    "threshold_sizes_curves",
    "training_gap_curves",
]

THIN = {"color": INK, "linewidth": 0.9, "linestyle": (0, (1, 2)), "zorder": 1}
ABOVE = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}


def _curves(table: "DataFrame", axes: "Axes", x: str, y: str, *, markers: bool) -> None:
    for index, (name, curve) in enumerate(table.groupby("curve", sort=False)):
        axes.plot(curve[x], curve[y], label=name, **line(index, markers=markers))


def _plain_logarithmic(*axes_of_figure) -> None:
    """Ticks at 1, 2 and 5 times the powers of ten, as plain numbers."""
    for axis in axes_of_figure:
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter(NullFormatter())


def training_gap_curves(table: "DataFrame", axes: "Axes") -> None:
    """Excess training error against epsilon: bound, and exact on the worst of all data sets.

    Parameters
    ----------
    table : DataFrame
        From ``training_gap``.
    axes : Axes
        Where to draw.
    """
    _curves(table, axes, "epsilon", "excess", markers=True)
    axes.set_xscale("log")
    _plain_logarithmic(axes.xaxis)
    axes.set_ylim(0, 1.05)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_xlabel("privacy parameter ε (nats)")
    axes.set_ylabel("excess training error (share of the records)")
    axes.legend()


def sample_size_curves(table: "DataFrame", axes: "Axes", *, alpha: float) -> None:
    """Sample sizes against epsilon, both logarithmic, with a line at epsilon = alpha.

    Parameters
    ----------
    table : DataFrame
        From ``sample_sizes``.
    axes : Axes
        Where to draw.
    alpha : float
        Excess error.
    """
    _curves(table, axes, "epsilon", "n_samples", markers=True)
    axes.axvline(alpha, **THIN)
    axes.text(alpha, 0.85, " ε = α", transform=axes.get_xaxis_transform(), fontsize=9)
    axes.set_xscale("log")
    axes.set_yscale("log")
    _plain_logarithmic(axes.xaxis, axes.yaxis)
    axes.set_xlabel("privacy parameter ε (nats)")
    axes.set_ylabel("number of records m")
    axes.legend(ncols=3, **ABOVE)


def price_curves(table: "DataFrame", axes: "Axes") -> None:
    """Private over non-private sample size against epsilon / alpha, with the knees that are known.

    Parameters
    ----------
    table : DataFrame
        From ``prices``.
    axes : Axes
        Where to draw.
    """
    _curves(table, axes, "ratio", "price", markers=False)
    for index, (_, curve) in enumerate(table.groupby("curve", sort=False)):
        knee = curve["knee"].iloc[0]
        if knee == knee:  # not NaN
            axes.plot([knee], [1.0], marker="v", markersize=9, color=COLOURS[index], zorder=3)
    axes.axvline(1.0, **THIN)
    axes.text(1.0, 0.93, " ε = α", transform=axes.get_xaxis_transform(), fontsize=9)
    axes.set_xscale("log")
    axes.set_yscale("log")
    _plain_logarithmic(axes.xaxis, axes.yaxis)
    axes.set_xlabel("ε / α")
    axes.set_ylabel("records needed, relative to no privacy")
    axes.legend(ncols=3, **ABOVE)


def threshold_sizes_curves(table: "DataFrame", axes: "Axes") -> None:
    """Sample sizes for thresholds against the binary logarithm of their number, both logarithmic.

    Parameters
    ----------
    table : DataFrame
        From ``threshold_sizes``.
    axes : Axes
        Where to draw.
    """
    _curves(table, axes, "log2_size", "n_samples", markers=True)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(sorted(set(table["log2_size"])))
    axes.xaxis.set_major_formatter("{x:g}")
    _plain_logarithmic(axes.yaxis)
    axes.set_xlabel("log₂ of the number of thresholds")
    axes.set_ylabel("number of records m")
    axes.legend(ncols=1, **ABOVE)


def accuracy_band(table: "DataFrame", axes: "Axes") -> None:
    """Accuracy on held-out records against epsilon: exact mean, 5 % to 95 % band, and two levels.

    Parameters
    ----------
    table : DataFrame
        From ``breast_cancer`` or ``mushrooms``.
    axes : Axes
        Where to draw.
    """
    axes.fill_between(
        table["epsilon"], table["low"], table["high"], color=COLOURS[6], alpha=0.3, label="5 % to 95 %"
    )
    axes.plot(table["epsilon"], table["mean"], label="private, mean", **line(0, markers=True))
    axes.plot(table["epsilon"], table["erm"], label="ERM, no privacy", **line(1))
    axes.plot(table["epsilon"], table["majority"], label="majority label", **line(2))
    axes.set_xscale("log")
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("privacy parameter ε (nats)")
    axes.set_ylabel("correct labels among held-out records")
    axes.legend(loc="lower right")
