"""Figures of the chapter on what voting learns, from its tables in `privml.experiments`."""

from typing import TYPE_CHECKING

from privml.figures.style import COLOURS, INK, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

__all__ = ["finishing_curve", "majority_curves", "margin_steps", "teacher_plane", "wrong_majority_curves"]

ABOVE = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}
THIN = {"color": INK, "linewidth": 0.9, "linestyle": (0, (1, 2)), "zorder": 1}


def majority_curves(table: "DataFrame", axes: "Axes") -> None:
    """Error of a majority against the number of teachers, with that of one teacher.

    Parameters
    ----------
    table : DataFrame
        From ``majority_errors``.
    axes : Axes
        Where to draw.
    """
    for index, (name, part) in enumerate(table.groupby("example", sort=False)):
        colour = COLOURS[index]
        axes.plot(part["n_teachers"], part["majority"], color=colour, marker="os"[index], label=name)
        axes.plot(part["n_teachers"], part["voter"], color=colour, linestyle=":", label="one voter")
    axes.set_xscale("log")
    axes.set_ylim(0, 0.8)
    axes.set_xlabel("number of teachers K, odd (logarithmic)")
    axes.set_ylabel("expected error")
    axes.legend(ncols=4, **ABOVE)


def wrong_majority_curves(table: "DataFrame", axes: "Axes") -> None:
    """Exact error of a majority and its bound on a logarithmic axis.

    Parameters
    ----------
    table : DataFrame
        From ``majority_tails``.
    axes : Axes
        Where to draw.
    """
    for index, (xi, part) in enumerate(table.groupby("xi", sort=False)):
        colour = COLOURS[index]
        axes.plot(part["n_teachers"], part["exact"], color=colour, marker="osD"[index], label=f"ξ = {xi:g}")
        axes.plot(part["n_teachers"], part["bound"], color=colour, linestyle="--", label="bound")
    axes.set_yscale("log")
    axes.set_ylim(1e-6, 1.5)
    axes.set_xlabel("number of teachers K, odd")
    axes.set_ylabel("probability of a wrong majority")
    axes.legend(ncols=3, **ABOVE)


def teacher_plane(table: "DataFrame", axes: "Axes") -> None:
    """Teachers around their centre, one picture beside the other.

    Parameters
    ----------
    table : DataFrame
        From ``teacher_map``.
    axes : Axes
        Where to draw.
    """
    for index, (name, part) in enumerate(table.groupby("setting", sort=False)):
        shift, mark = 1.4 * index, {"color": COLOURS[index], "marker": "osD"[index], "linestyle": ""}
        for size, some in part.groupby("teachers"):
            axes.plot(some["x"] + shift, some["y"], markersize=4 + 2 * size, alpha=0.7, **mark)
        axes.plot([shift], [0], marker="+", markersize=16, markeredgewidth=1.6, color=INK, linestyle="")
        axes.text(shift, 0.66, name, ha="center")
        axes.text(shift, -0.72, f"around {part['centre'].iloc[0]}", ha="center", fontsize="small")
    axes.set_aspect("equal")
    axes.set_xlim(-0.7, 3.5)
    axes.set_ylim(-0.8, 0.8)
    axes.set_axis_off()


def margin_steps(table: "DataFrame", axes: "Axes") -> None:
    """Mass of low margins against the level.

    Parameters
    ----------
    table : DataFrame
        From ``margin_profiles``.
    axes : Axes
        Where to draw.
    """
    for index, (name, part) in enumerate(table.groupby("problem", sort=False)):
        axes.plot(part["xi"], part["nu"], drawstyle="steps-post", label=name, **line(index))
    axes.set_xlabel("level ξ of the expected margin")
    axes.set_ylabel("mass ν of the points below")
    axes.legend(ncols=2, **ABOVE)


def finishing_curve(table: "DataFrame", axes: "Axes") -> None:
    """Probability that a run finishes against the number of teachers, with two theorems' numbers marked.

    Parameters
    ----------
    table : DataFrame
        From ``finishing_by_teachers``.
    axes : Axes
        Where to draw.
    """
    axes.plot(table["n_teachers"] / 1000, table["finishes"], **line(0))
    for index, name in enumerate(["printed", "corrected"], start=1):
        part = table[table["statement"] == name]
        mark = {"color": COLOURS[index], "marker": "oosD"[index], "linestyle": "", "markersize": 8}
        axes.plot(part["n_teachers"] / 1000, part["finishes"], label=f"{name} number", **mark)
    axes.axhline(0.95, label="claimed", **THIN)
    axes.set_xlabel("teachers, in thousands")
    axes.set_ylabel("probability to label all points")
    axes.legend(ncols=3, **ABOVE)
