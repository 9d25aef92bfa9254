"""Figures of the chapter on generalisation, from its tables in `privml.experiments`."""

from typing import TYPE_CHECKING

from privml.figures.style import COLOURS, INK, MARKERS, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

__all__ = [
    "answer_error_curves",
    "last_answer_curves",
    "mean_gap_curves",
    "monitor_curves",
    "noisy_centre_curves",
    "overfitting_tail_curves",
    "route_curves",
]

THIN = {"color": INK, "linewidth": 0.9, "linestyle": (0, (1, 2)), "zorder": 1}
ABOVE = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0), "ncols": 2, "fontsize": 9}


def last_answer_curves(table: "DataFrame", axes: "Axes") -> None:
    """Mean error of the last answer against the number of features, with two standard errors.

    Parameters
    ----------
    table : DataFrame
        From ``adaptive_errors``.
    axes : Axes
        Where to draw.
    """
    labels = {"reuse": "reuse", "laplace": "Laplace noise", "gaussian": "Gaussian noise", "split": "split"}
    for index, (answers, label) in enumerate(labels.items()):
        rows = table[table["answers"] == answers]
        keywords = {"color": COLOURS[index], "marker": MARKERS[index], "linestyle": "None", "capsize": 2}
        axes.errorbar(rows["features"], rows["mean"], 2 * rows["standard_error"], label=label, **keywords)
        axes.plot(rows["features"], rows["exact"], color=COLOURS[index], linestyle=line(index)["linestyle"])
    axes.axhline(0, **THIN)
    axes.set_xscale("log")
    axes.set_xlabel("features the analyst tries")
    axes.set_ylabel("mean of last answer - truth")
    axes.legend()


def mean_gap_curves(table: "DataFrame", axes: "Axes") -> None:
    """Bounds on the expected gap against epsilon, and two learners.

    Parameters
    ----------
    table : DataFrame
        From ``mean_gaps``.
    axes : Axes
        Where to draw.
    """
    curves = {"stability": "stability: tanh(ε/2)", "bound": "tanh(ε/4)", "coin": "exponential, nine coins"}
    for index, (column, label) in enumerate(curves.items()):
        axes.plot(table["epsilon"], table[column], label=label, **line(index))
    points = {"marker": MARKERS[1], "color": COLOURS[4], "linestyle": "None", "label": "memoriser"}
    axes.plot(table["epsilon"][::3], table["memoriser"][::3], **points)
    axes.set_xlim(left=0)
    axes.set_ylim(0, 1)
    axes.set_xlabel("privacy parameter ε (nats)")
    axes.set_ylabel("expected generalisation gap")
    axes.legend()


def overfitting_tail_curves(table: "DataFrame", axes: "Axes") -> None:
    """Probability of overfitting by tau, exact and bounded.

    Parameters
    ----------
    table : DataFrame
        From ``tails_by_deviation``.
    axes : Axes
        Where to draw.
    """
    curves = {
        "printed": "Lemma 38 (two sides)",
        "monitor_delta": "monitor, δ = 10⁻⁶",
        "monitor": "monitor, δ = 0",
        "bound": "bound for pure privacy",
        "memoriser": "exact: memoriser",
        "coin": "exact: exponential, coin",
    }
    for index, (column, label) in enumerate(curves.items()):
        rows = table[table[column] > 0]
        axes.plot(rows["tau"], rows[column], label=label, **line(index))
    axes.set_yscale("log")
    axes.set_ylim(1e-12, 2)
    axes.set_xlabel("deviation τ")
    axes.set_ylabel("probability")
    axes.legend(**ABOVE)


def monitor_curves(table: "DataFrame", axes: "Axes") -> None:
    """What the monitor finds against its number of runs, for a private learner and for ERM.

    Parameters
    ----------
    table : DataFrame
        From ``monitored_by_runs``.
    axes : Axes
        Where to draw.
    """
    index = 0
    for learner in ("private", "ERM"):
        rows = table[table["learner"] == learner]
        for column, label in (("largest", "largest gap"), ("chosen", "chosen gap")):
            axes.plot(rows["n_runs"], rows[column], label=f"{label}, {learner}", **line(index, markers=True))
            index += 1
    axes.plot(rows["n_runs"], rows["upper"], label="bound for what is chosen", **line(4))
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("runs T")
    axes.set_ylabel("expected gap")
    axes.legend(**ABOVE)


def answer_error_curves(table: "DataFrame", axes: "Axes") -> None:
    """Proved errors of adaptive answers against their number.

    Parameters
    ----------
    table : DataFrame
        From ``answer_errors``.
    axes : Axes
        Where to draw.
    """
    curves = {
        "split": "a part for each query",
        "gaussian": "one sample, Gaussian noise",
        "fixed": "one fixed query",
    }
    for index, (column, label) in enumerate(curves.items()):
        axes.plot(table["queries"], table[column], label=label, **line(index))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("adaptive queries k")
    axes.set_ylabel("root-mean-square error, at most")
    axes.legend()


def noisy_centre_curves(table: "DataFrame", axes: "Axes") -> None:
    """Excess risk of a noisy centre under the tenth power against the number of records.

    Parameters
    ----------
    table : DataFrame
        From ``noisy_centres``.
    axes : Axes
        Where to draw.
    """
    curves = {"excess": "exact", "second": "second-moment term", "printed": "printed rate, order 1/n"}
    for index, (column, label) in enumerate(curves.items()):
        axes.plot(table["n_samples"], table[column], label=label, **line(index))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("records")
    axes.set_ylabel("excess risk")
    axes.legend()


def route_curves(table: "DataFrame", axes: "Axes") -> None:
    """Rates of consistency of a private mean through stability and through Lemma 38.

    Parameters
    ----------
    table : DataFrame
        From ``two_routes``.
    axes : Axes
        Where to draw.
    """
    curves = {
        "printed": "floor as printed",
        "tail": "through Lemma 38",
        "stability": "through stability",
        "truth": "exact, fair coins",
    }
    for index, (column, label) in enumerate(curves.items()):
        axes.plot(table["n_samples"], table[column], label=label, **line(index))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("records")
    axes.set_ylabel("excess risk")
    axes.legend()
