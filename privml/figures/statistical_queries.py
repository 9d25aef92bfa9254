"""Figures of the chapter on statistical queries, from its tables in `privml.experiments`."""

from typing import TYPE_CHECKING

from matplotlib.ticker import LogLocator, NullFormatter, PercentFormatter

from privml.figures.style import INK, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

__all__ = [
    "errors_of_last_answers",
    "errors_of_worst_answers",
    "failures_of_parity_learners",
    "parities_by_queries",
    "sq_accuracy_on_tumours",
    "sq_prices",
    "sq_sample_sizes",
    "worst_errors_by_tolerance",
]

ABOVE = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}
THIN = {"color": INK, "linewidth": 0.9, "linestyle": (0, (1, 2)), "zorder": 1}


def _curves(table: "DataFrame", axes: "Axes", x: str, y: str, *, markers: bool = True) -> None:
    for index, (name, curve) in enumerate(table.groupby("curve", sort=False)):
        axes.plot(curve[x], curve[y], label=name, **line(index, markers=markers))


def _logarithmic(axes: "Axes", subs: tuple = (1.0,)) -> None:
    """Both axes logarithmic, with plain numbers at the given multiples of powers of ten."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(LogLocator(subs=subs))
        axis.set_major_formatter("{x:,.10g}")
        axis.set_minor_formatter(NullFormatter())


def worst_errors_by_tolerance(table: "DataFrame", axes: "Axes") -> None:
    """Error of two SQ learners against the tolerance: promised, and the worst found.

    Parameters
    ----------
    table : DataFrame
        From ``worst_errors``.
    """
    _curves(table, axes, "tolerance", "error")
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("tolerance τ of the oracle")
    axes.set_ylabel("error beyond the best rule")
    axes.legend()


def errors_of_worst_answers(table: "DataFrame", axes: "Axes") -> None:
    """Error of the worst of k answers against k, both logarithmic.

    Parameters
    ----------
    table : DataFrame
        From ``noise_of_answers``.
    """
    _curves(table, axes, "n_queries", "error")
    _logarithmic(axes)
    axes.set_xlabel("number of queries k")
    axes.set_ylabel("error of the worst answer")
    axes.legend(ncols=2, **ABOVE)


def sq_sample_sizes(table: "DataFrame", axes: "Axes") -> None:
    """Records that are enough for k answers against k, both logarithmic.

    Parameters
    ----------
    table : DataFrame
        From ``sample_sizes``.
    """
    _curves(table, axes, "n_queries", "n_samples")
    _logarithmic(axes)
    axes.set_xlabel("number of queries k")
    axes.set_ylabel("number of records m")
    axes.legend(ncols=2, **ABOVE)


def errors_of_last_answers(table: "DataFrame", axes: "Axes") -> None:
    """Error of the last adaptive answer against the number of records, both logarithmic.

    Parameters
    ----------
    table : DataFrame
        From ``last_answers``.
    """
    _curves(table, axes, "n_samples", "error")
    _logarithmic(axes)
    axes.set_xlabel("number of records m")
    axes.set_ylabel("error of the last answer")
    axes.legend(ncols=2, **ABOVE)


def sq_prices(table: "DataFrame", axes: "Axes") -> None:
    """Private over non-private sample size against alpha k, both logarithmic.

    Parameters
    ----------
    table : DataFrame
        From ``prices``.
    """
    _curves(table, axes, "product", "price", markers=False)
    axes.axvline(1.0, **THIN)
    axes.text(1.0, 0.93, " α = 1/k", transform=axes.get_xaxis_transform(), fontsize=9)
    _logarithmic(axes)
    axes.set_xlabel("α k")
    axes.set_ylabel("records needed, relative to no privacy")
    axes.legend(ncols=2, **ABOVE)


def parities_by_queries(table: "DataFrame", axes: "Axes") -> None:
    """Parities that are still possible against the number of queries.

    Parameters
    ----------
    table : DataFrame
        From ``parities_left``.
    """
    _curves(table, axes, "n_queries", "left")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("number of queries")
    axes.set_ylabel("parities still possible")
    axes.legend()


def failures_of_parity_learners(table: "DataFrame", axes: "Axes") -> None:
    """Failure probability of private learners of parities against the number of records.

    Parameters
    ----------
    table : DataFrame
        From ``parity_failures``.
    """
    _curves(table, axes, "n_samples", "failure")
    axes.set_ylim(0, 1.02)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_xlabel("number of records m")
    axes.set_ylabel("probability of a wrong parity or none")
    axes.legend(loc="upper right")


def sq_accuracy_on_tumours(table: "DataFrame", axes: "Axes") -> None:
    """Accuracy on held-out tumours against epsilon, with twice the standard error of the noise.

    Parameters
    ----------
    table : DataFrame
        From ``tumours``.
    """
    for index, (name, curve) in enumerate(table.groupby("curve", sort=False)):
        keywords = line(index, markers=name != "no privacy")
        axes.errorbar(curve["epsilon"], curve["accuracy"], yerr=2 * curve["error"], label=name, **keywords)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("privacy parameter ε (nats)")
    axes.set_ylabel("correct labels among held-out records")
    axes.legend(loc="lower right")
