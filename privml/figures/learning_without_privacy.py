"""Figures of the chapter on learning without privacy."""

from typing import TYPE_CHECKING

from privml.figures.style import COLOURS, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

__all__ = ["errors_and_band", "failure_curves"]


def errors_and_band(table: "DataFrame", axes: "Axes") -> None:
    """True errors with their band, and the empirical errors of one sample, against the cut point.

    Parameters
    ----------
    table : DataFrame
        Columns cut, true_error, empirical_error, radius.
    axes : Axes
        Where to draw.
    """
    low, high = (table["true_error"] + sign * table["radius"] for sign in (-1, 1))
    axes.fill_between(
        table["cut"],
        low.clip(lower=0),
        high.clip(upper=1),
        color=COLOURS[6],
        alpha=0.25,
        label="true ± radius",
    )
    axes.plot(table["cut"], table["true_error"], label="true error", **line(0))
    style = line(1, markers=True) | {"linestyle": "none"}
    axes.plot(table["cut"], table["empirical_error"], label="empirical error", **style)
    axes.set_xlabel("cut point (treat from this reading on)")
    axes.set_ylabel("fraction of labels missed")
    axes.set_xticks(list(table["cut"]))
    axes.set_ylim(0, None)
    axes.legend(loc="lower left", ncols=3, bbox_to_anchor=(0, 1))


def failure_curves(
    table: "DataFrame",
    axes: "Axes",
    *,
    ylabel: str,
    level: float | None = None,
    lowest: float = 1e-6,
    logarithmic: bool = False,
) -> None:
    """Probabilities on a logarithmic scale against the number of samples, one curve a name.

    Parameters
    ----------
    table : DataFrame
        Columns n_samples, curve, probability.
    axes : Axes
        Where to draw.
    ylabel : str
        What the probability is of.
    level : float, optional
        Where to draw a thin line across: the failure probability that is allowed.
    lowest : float
        Lower end of the vertical axis; what lies below is in the table only.
    logarithmic : bool
        Whether the number of samples has a logarithmic axis too.
    """
    for index, (name, curve) in enumerate(table.groupby("curve", sort=False)):
        style = line(index, markers=len(curve) <= 25)
        axes.plot(curve["n_samples"], curve["probability"], label=name, **style)
    if level is not None:
        axes.axhline(level, color="#777777", linewidth=0.9)
        axes.text(1, level, f" {level:g}", va="bottom", ha="right", transform=axes.get_yaxis_transform())
    if logarithmic:
        axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(lowest, 2)
    axes.set_xlabel("number of samples m")
    axes.set_ylabel(ylabel)
    axes.legend(loc="lower left", ncols=2, bbox_to_anchor=(0, 1))
