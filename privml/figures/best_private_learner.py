"""Figures of the chapter on the best private learner, from its tables in `privml.experiments`."""

from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter, PercentFormatter
from pandas import DataFrame

from privml.figures.style import COLOURS, INK, line

__all__ = [
    "chain_curves",
    "excess_curves",
    "grid_curves",
    "margin_curves",
    "share_curves",
    "time_points",
    "valley_curves",
]

THIN = {"color": INK, "linewidth": 0.9, "linestyle": (0, (1, 2)), "zorder": 1}
ABOVE = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}
ORDER = ("theorem", "exponential", "permute-and-flip", "best prior", "optimum", "packing")
LABELS = {
    "theorem": "theorem, 2 ln|H| / (m ε)",
    "exponential": "exponential mechanism",
    "permute-and-flip": "permute-and-flip",
    "best prior": "exponential, best prior",
    "optimum": "optimum",
    "packing": "packing lower bound",
    "best": "geometric rule",
}
STYLE = {"theorem": 2, "exponential": 1, "permute-and-flip": 3, "best prior": 4, "optimum": 0, "packing": 5}


def _plain_logarithmic(*axes_of_figure) -> None:
    """Ticks at 1, 2 and 5 times the powers of ten, as plain numbers."""
    for axis in axes_of_figure:
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter(NullFormatter())


def margin_curves(table: DataFrame, axes: Axes) -> None:
    """Probability of the less frequent answer against the margin, logarithmic.

    Parameters
    ----------
    table : DataFrame
        From ``coin_laws``.
    axes : matplotlib Axes
    """
    for name, k in (("exponential", 1), ("permute-and-flip", 3), ("best", 0)):
        curve = table[table["curve"] == name]
        axes.plot(curve["margin"], curve["probability"], label=LABELS[name], **line(k, markers=True))
    axes.set_yscale("log")
    _plain_logarithmic(axes.yaxis)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("margin: votes more for the other answer")
    axes.set_ylabel("probability of the losing answer")
    axes.legend()


def excess_curves(table: DataFrame, axes: Axes, *, x: str) -> None:
    """Worst excess empirical risk of mechanisms, bounds and the optimum, logarithmic.

    Parameters
    ----------
    table : DataFrame
        From ``excess_by_epsilon`` or ``excess_by_samples``.
    axes : matplotlib Axes
    x : str
        Column of the horizontal axis: epsilon or n_samples.
    """
    for name in ORDER:
        curve = table[table["curve"] == name]
        axes.plot(curve[x], curve["excess"], label=LABELS[name], **line(STYLE[name], markers=True))
    axes.set_yscale("log")
    _plain_logarithmic(axes.yaxis)
    if x == "epsilon":
        axes.set_xscale("log")
        _plain_logarithmic(axes.xaxis)
        axes.set_xlabel("privacy parameter ε (nats)")
    else:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel("number of records m")
    axes.set_ylabel("worst excess empirical risk")
    axes.legend(ncols=2, fontsize=9, **ABOVE)


def share_curves(table: DataFrame, axes: Axes) -> None:
    """The optimum as a share of each mechanism's worst excess, against epsilon.

    Parameters
    ----------
    table : DataFrame
        From ``shares``.
    axes : matplotlib Axes
    """
    for name in ("exponential", "permute-and-flip", "best prior"):
        curve = table[table["curve"] == name]
        axes.plot(curve["epsilon"], curve["share"], label=LABELS[name], **line(STYLE[name], markers=True))
    axes.axhline(0.5, **THIN)
    axes.set_xscale("log")
    _plain_logarithmic(axes.xaxis)
    axes.set_ylim(0, 1.05)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_xlabel("privacy parameter ε (nats)")
    axes.set_ylabel("optimum / mechanism")
    axes.legend(loc="lower left", fontsize=9)


def valley_curves(table: DataFrame, axes: Axes) -> None:
    """Epsilon plus the optimum against epsilon, one curve for each number of records.

    Parameters
    ----------
    table : DataFrame
        From ``objective_curves``.
    axes : matplotlib Axes
    """
    for k, (n_samples, curve) in enumerate(table.groupby("n_samples")):
        axes.plot(curve["epsilon"], curve["objective"], label=f"m = {n_samples}", **line(k, markers=True))
    axes.set_xlabel("privacy parameter ε (nats)")
    axes.set_ylabel("ε + worst excess of the optimum")
    axes.legend()


def chain_curves(table: DataFrame, axes: Axes) -> None:
    """The optimum of equation (6) against the number of records, and what it bounds, both logarithmic.

    Parameters
    ----------
    table : DataFrame
        From ``tradeoff_chain``.
    axes : matplotlib Axes
    """
    for k, (name, curve) in enumerate(table.groupby("curve", sort=False)):
        axes.plot(curve["n_samples"], curve["value"], label=name, **line(k, markers=True))
    axes.set_xscale("log")
    axes.set_yscale("log")
    _plain_logarithmic(axes.xaxis, axes.yaxis)
    axes.set_xlabel("number of records m")
    axes.set_ylabel("excess risk, or nats for ε")
    axes.legend(ncols=2, fontsize=9, **ABOVE)


def grid_curves(table: DataFrame, axes: Axes) -> None:
    """Fewest records against the number of grid points, horizontally in powers of two.

    Parameters
    ----------
    table : DataFrame
        From ``grid_sizes``, for one epsilon and alpha.
    axes : matplotlib Axes
    """
    for name in ("theorem", "exponential", "optimum", "packing"):
        curve = table[table["curve"] == name].dropna()
        axes.plot(
            curve["n_points"], curve["n_samples"], label=LABELS[name], **line(STYLE[name], markers=True)
        )
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("points of the grid")
    axes.set_ylabel("fewest records")
    axes.legend(ncols=2, fontsize=9, **ABOVE)


def time_points(table: DataFrame, axes: Axes) -> None:
    """Processor time of the linear program against its size, both logarithmic.

    Parameters
    ----------
    table : DataFrame
        From ``program_times``.
    axes : matplotlib Axes
    """
    for k, (name, curve) in enumerate(table.sort_values("rows").groupby("curve", sort=False)):
        axes.plot(curve["rows"], curve["seconds"], MARKER[k], color=COLOURS[k], label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    _plain_logarithmic(axes.yaxis)
    axes.set_xlabel("rows of privacy before symmetries")
    axes.set_ylabel("processor time (seconds)")
    axes.legend()


MARKER = ("o", "s")
