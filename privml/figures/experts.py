"""Figures of the chapter on learning from experts, from its tables in `privml.experiments`."""

from typing import TYPE_CHECKING

from matplotlib.ticker import LogLocator, NullFormatter, PercentFormatter

from privml.figures.style import COLOURS, DASHES, INK, MARKERS, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

__all__ = [
    "cost_of_a_run",
    "delta_of_a_run",
    "rate_multiple_curves",
    "regret_against_rounds",
    "regret_tail_curves",
    "stream_mistakes",
]

ABOVE = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}


def _curves(table: "DataFrame", axes: "Axes", group: str, x: str, y: str, *, markers: bool = True) -> None:
    for index, (name, curve) in enumerate(table.groupby(group, sort=False)):
        axes.plot(curve[x], curve[y], label=name, **line(index, markers=markers))


def _plain_logarithmic(*axes_of_figure) -> None:
    """Ticks at 1, 2 and 5 times the powers of ten, as plain numbers."""
    for axis in axes_of_figure:
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter(NullFormatter())


def regret_against_rounds(table: "DataFrame", axes: "Axes") -> None:
    """Average regret against the number of rounds, both logarithmic.

    Parameters
    ----------
    table : DataFrame
        From ``regret_by_rounds``, ``private_regret_by_rounds`` or ``unknown_horizon``.
    axes : Axes
        Where to draw.
    """
    _curves(table, axes, "curve", "T", "regret")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("number of rounds T")
    axes.set_ylabel("average regret")
    axes.legend(ncols=2, **ABOVE)


def delta_of_a_run(table: "DataFrame", axes: "Axes", *, epsilon: float, delta: float) -> None:
    """delta(epsilon) of a run by several reckonings, with the point that was promised.

    Parameters
    ----------
    table : DataFrame
        From ``run_delta_curves``.
    axes : Axes
        Where to draw.
    epsilon, delta : float
        The promise.
    """
    _curves(table, axes, "curve", "epsilon", "delta", markers=False)
    axes.plot([epsilon], [delta], marker="P", markersize=9, color=INK, linestyle="none", label="promise")
    axes.set_yscale("log")
    axes.set_xlabel("total ε (nats)")
    axes.set_ylabel("δ")
    axes.legend(ncols=2, **ABOVE)


def rate_multiple_curves(table: "DataFrame", axes: "Axes") -> None:
    """Private rates against epsilon, in units of the printed rate.

    Parameters
    ----------
    table : DataFrame
        From ``multiples_by_epsilon``.
    axes : Axes
        Where to draw.
    """
    _curves(table, axes, "method", "epsilon", "multiple")
    axes.axhline(1.0, color=INK, linewidth=0.9, linestyle=(0, (1, 2)), zorder=1)
    axes.set_xscale("log")
    _plain_logarithmic(axes.xaxis)
    axes.set_ylim(0, None)
    axes.set_xlabel("total ε (nats)")
    axes.set_ylabel("rate η, as a multiple of the printed one")
    axes.legend(ncols=2, **ABOVE)


def regret_tail_curves(table: "DataFrame", axes: "Axes") -> None:
    """How far the regret exceeds its mean, against the probability of that.

    Parameters
    ----------
    table : DataFrame
        From ``regret_quantiles``.
    axes : Axes
        Where to draw.
    """
    _curves(table, axes, "curve", "beta", "deviation")
    axes.set_xscale("log")
    axes.set_ylim(0, None)
    axes.set_xlabel("failure probability β")
    axes.set_ylabel("regret above its mean")
    axes.legend()


def stream_mistakes(table: "DataFrame", axes: "Axes") -> None:
    """Share of wrong labels on a stream against epsilon: one colour a curve, one marker a length.

    Parameters
    ----------
    table : DataFrame
        From ``tumour_stream``.
    axes : Axes
        Where to draw.
    """
    lengths, curves = list(dict.fromkeys(table["T"])), list(dict.fromkeys(table["curve"]))
    for (n_rounds, name), curve in table.groupby(["T", "curve"], sort=False):
        length, index = lengths.index(n_rounds), curves.index(name)
        look = {"color": COLOURS[index], "linestyle": DASHES[index], "marker": MARKERS[length]}
        axes.plot(curve["epsilon"], curve["mistakes"], label=f"{name}, T = {n_rounds}", **look)
    axes.set_xscale("log")
    _plain_logarithmic(axes.xaxis)
    axes.set_ylim(0, 0.52)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("total ε (nats)")
    axes.set_ylabel("expected share of wrong labels")
    axes.legend(ncols=2, **ABOVE)


def cost_of_a_run(table: "DataFrame", axes: "Axes", *, task: str) -> None:
    """Seconds against rounds for several numbers of experts, with lines of slope 1 through the last points.

    Parameters
    ----------
    table : DataFrame
        From ``committed_cost``.
    axes : Axes
        Where to draw.
    task : str
        Which task to draw.
    """
    for index, (k, curve) in enumerate(table[table["task"] == task].groupby("k", sort=False)):
        axes.plot(curve["T"], curve["seconds"], label=f"{k} experts", **line(index, markers=True))
        proportional = curve["seconds"].iloc[-1] * curve["T"] / curve["T"].iloc[-1]
        axes.plot(curve["T"], proportional, color=COLOURS[index], linewidth=0.8, linestyle=(0, (1, 2)))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("number of rounds T")
    axes.set_ylabel("seconds of processor time")
    axes.legend()
