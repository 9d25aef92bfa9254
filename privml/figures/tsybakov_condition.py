"""Figures of the chapter on the Tsybakov condition, from its tables in `privml.experiments`."""

from typing import TYPE_CHECKING

from privml.figures.style import COLOURS, MARKERS, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

__all__ = [
    "bound_curves",
    "far_teacher_curves",
    "pair_rate_curves",
    "student_points",
    "tail_steps",
    "threshold_rate_curves",
]

ABOVE = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}


def _tau(tau: float) -> str:
    return f"τ = {tau:g}"


def tail_steps(table: "DataFrame", axes: "Axes") -> None:
    """Probability of small margins against t: steps, and the bound of the condition as a thin line.

    Parameters
    ----------
    table : DataFrame
        From ``margin_tails``.
    axes : Axes
        Where to draw.
    """
    for index, (tau, part) in enumerate(table.groupby("tau")):
        seen = part[part["probability"] > 0]
        axes.plot(seen["t"], seen["probability"], drawstyle="steps-post", label=_tau(tau), **line(index))
        axes.plot(part["t"], part["bound"], color=COLOURS[index], linewidth=0.8, linestyle="-")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(table["probability"][table["probability"] > 0].min() / 2, 1.3)
    axes.set_xlabel("t")
    axes.set_ylabel("probability of a margin up to t")
    axes.legend(ncols=4, **ABOVE)


def threshold_rate_curves(table: "DataFrame", axes: "Axes") -> None:
    """Mean excess error and its bound against the number of records, one colour an exponent.

    Parameters
    ----------
    table : DataFrame
        From ``threshold_rates``.
    axes : Axes
        Where to draw.
    """
    for index, (tau, part) in enumerate(table.groupby("tau")):
        colour, marker = COLOURS[index], MARKERS[index]
        axes.plot(
            part["n_samples"],
            part["mean"],
            color=colour,
            linestyle="-",
            marker=marker,
            label=f"{_tau(tau)}, mean",
        )
        axes.plot(part["n_samples"], part["quantile"], color=colour, linestyle=":", label="quantile")
        axes.plot(part["n_samples"], part["bound"], color=colour, linestyle="--", label="bound")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("mean number of records n")
    axes.set_ylabel("excess error")
    axes.legend(ncols=table["tau"].nunique(), **ABOVE)


def pair_rate_curves(table: "DataFrame", axes: "Axes") -> None:
    """Largest mean excess error over pairs against the number of records, one curve an exponent.

    Parameters
    ----------
    table : DataFrame
        From ``pair_rates``.
    axes : Axes
        Where to draw.
    """
    for index, (tau, part) in enumerate(table.groupby("tau")):
        axes.plot(part["n_samples"], part["mean"], label=_tau(tau), **line(index, markers=True))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("mean number of records n")
    axes.set_ylabel("mean excess error on the worst pair")
    axes.legend(ncols=4, **ABOVE)


def far_teacher_curves(table: "DataFrame", axes: "Axes") -> None:
    """Distance of the farthest teacher from h* and its bound against the number of teachers.

    Parameters
    ----------
    table : DataFrame
        From ``far_teachers``.
    axes : Axes
        Where to draw.
    """
    for index, (tau, part) in enumerate(table.groupby("tau")):
        colour, marker = COLOURS[index], MARKERS[index]
        axes.plot(part["n_teachers"], part["mean"], color=colour, linestyle=":", label=f"{_tau(tau)}, mean")
        axes.plot(
            part["n_teachers"], part["farthest"], color=colour, linestyle="-", marker=marker, label="farthest"
        )
        axes.plot(part["n_teachers"], part["bound"], color=colour, linestyle="--", label="bound")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("number of teachers K")
    axes.set_ylabel("distance from h*")
    axes.legend(ncols=table["tau"].nunique(), **ABOVE)


def bound_curves(table: "DataFrame", axes: "Axes") -> None:
    """Both bounds with every constant against the number of private records, for each exponent.

    Parameters
    ----------
    table : DataFrame
        From ``bounds_by_records``.
    axes : Axes
        Where to draw.
    """
    for index, ((tau, name), part) in enumerate(table.groupby(["tau", "aggregation"])):
        axes.plot(part["log10_n"], part["excess"], label=f"{_tau(tau)}, {name}", **line(index, markers=True))
    axes.set_yscale("log")
    axes.set_xlabel("log₁₀ of the number of private records n")
    axes.set_ylabel("bound on the excess error")
    axes.legend(ncols=2, **ABOVE)


def student_points(table: "DataFrame", axes: "Axes") -> None:
    """Measured excess error of the student against the number of private records, with two standard errors.

    Parameters
    ----------
    table : DataFrame
        From ``tuned_students``.
    axes : Axes
        Where to draw.
    """
    for index, ((tau, name), part) in enumerate(table.groupby(["tau", "aggregation"])):
        axes.errorbar(
            part["n_samples"],
            part["mean"],
            yerr=2 * part["error"],
            label=f"{_tau(tau)}, {name}",
            capsize=3,
            **line(index, markers=True),
        )
    axes.set_xscale("log")
    axes.set_yscale("log", nonpositive="clip")
    axes.set_xlabel("number of private records n")
    axes.set_ylabel("excess error of the student")
    axes.legend(ncols=2, **ABOVE)
