"""The drawing that most tables want: `curves`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from privml.figures.style import INK, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

__all__ = ["curves"]

THIN = {"color": INK, "linewidth": 0.9, "linestyle": (0, (1, 2)), "zorder": 1}


def curves(
    table: "DataFrame",
    axes: "Axes",
    *,
    log: str = "",
    markers: bool = False,
    labels: Sequence[str] = (),
    x_at: Sequence[float] = (),
    y_at: Sequence[float] = (),
    x_band: Sequence = (),
    y_band: Sequence = (),
    xlim: Sequence[float] = (),
    ylim: Sequence[float] = (),
    xlabel: str = "",
    ylabel: str = "",
    legend: str = "best",
) -> None:
    """One curve for each column after the first, which holds the places; rows that lack a value are skipped.

    Parameters
    ----------
    table : DataFrame
    axes : matplotlib Axes
    log : str
        The axes that are logarithmic: "", "x", "y" or "xy".
    markers : bool
        Whether the rows are marked, for short tables.
    labels : sequence of str
        What the legend says, in place of the names of the columns.
    x_at, y_at : sequence of float
        Thin lines across.
    x_band, y_band : sequence
        A shaded range and what the legend says of it: (from, to, words).
    xlim, ylim : sequence of float
        Ends of the axes; None leaves one free.
    xlabel, ylabel : str
        The first column's name stands in for an empty `xlabel`.
    legend : str
        Where matplotlib puts the legend; empty for none.
    """
    place, *columns = table.columns
    for k, (name, label) in enumerate(zip(columns, labels or columns, strict=True)):
        held = table[table[name].notna()]
        axes.plot(held[place], held[name], label=label, **line(k, markers=markers))
    for x in x_at:
        axes.axvline(x, **THIN)
    for y in y_at:
        axes.axhline(y, **THIN)
    if x_band:
        axes.axvspan(*x_band[:2], color="#E3E3E3", zorder=0, label=x_band[2])
    if y_band:
        axes.axhspan(*y_band[:2], color="#E3E3E3", zorder=0, label=y_band[2])
    axes.set(xscale="log" if "x" in log else "linear", yscale="log" if "y" in log else "linear")
    axes.set(xlabel=xlabel or place, ylabel=ylabel)
    axes.set_xlim(*xlim or (None, None))
    axes.set_ylim(*ylim or (None, None))
    if legend:
        axes.legend(loc=legend)
