"""Figures of the chapter on sparse and kernel problems, from its tables in `privml.experiments`."""

from typing import TYPE_CHECKING

from privml.figures.style import COLOURS, INK, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

__all__ = [
    "counts_by_bits_curves",
    "points_by_bits_curves",
    "risk_by_pairs_curves",
    "subset_excess_curves",
    "tumour_risk_curves",
]

ABOVE = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}


def tumour_risk_curves(table: "DataFrame", axes: "Axes") -> None:
    """Expected squared loss of private best subsets against epsilon, and the least on the lattice.

    Parameters
    ----------
    table : DataFrame
        From ``tumour_risks``.
    axes : Axes
        Where to draw.
    """
    for index, (name, curve) in enumerate(table.groupby("curve", sort=False)):
        axes.plot(curve["epsilon"], curve["risk"], label=name, **line(index, markers=True))
    axes.axhline(table["best"].iloc[0], color=INK, linewidth=0.9, label="least on the lattice")
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("ε of the whole, in nats")
    axes.set_ylabel("expected squared loss")
    axes.legend(ncols=2, **ABOVE)


def subset_excess_curves(table: "DataFrame", axes: "Axes") -> None:
    """Exact expected excess of the squared loss against the number of features, with thin lines for bounds.

    Parameters
    ----------
    table : DataFrame
        From ``excess_by_features``.
    axes : Axes
        Where to draw.
    """
    for index, (name, curve) in enumerate(table.groupby("curve", sort=False)):
        axes.plot(curve["n_features"], curve["excess"], label=name, **line(index, markers=True))
        axes.plot(
            curve["n_features"], curve["bound"], color=COLOURS[index], linewidth=0.9, linestyle=(0, (1, 2))
        )
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("number of features d")
    axes.set_ylabel("expected excess squared loss")
    axes.legend(ncols=3, **ABOVE)


def points_by_bits_curves(table: "DataFrame", axes: "Axes") -> None:
    """Exact expected error of learning a point against the digits of the domain, one curve a set.

    Parameters
    ----------
    table : DataFrame
        From ``points_by_bits``.
    axes : Axes
        Where to draw.
    """
    for index, (name, curve) in enumerate(table.groupby("curve", sort=False)):
        axes.plot(curve["bits"], curve["error"], label=name, **line(index, markers=True))
    axes.set_ylim(0, 0.53)
    axes.set_xlabel("binary digits of the number of points")
    axes.set_ylabel("expected error")
    axes.legend(ncols=4, **ABOVE)


def counts_by_bits_curves(table: "DataFrame", axes: "Axes") -> None:
    """Exact expected excess error of thresholds on stored counts against the bits, with and without a cover.

    Parameters
    ----------
    table : DataFrame
        From ``counts_by_bits``.
    axes : Axes
        Where to draw.
    """
    for index, (name, curve) in enumerate(table.groupby("curve", sort=False)):
        axes.plot(curve["bits"], curve["excess"], label=name, **line(index, markers=True))
    axes.set_ylim(0, 0.53)
    axes.set_xlabel("bits of a stored count")
    axes.set_ylabel("expected excess error")
    axes.legend(ncols=2, **ABOVE)


def risk_by_pairs_curves(table: "DataFrame", axes: "Axes") -> None:
    """Squared loss on fresh points against the number of frequencies, with bars of two standard errors.

    Parameters
    ----------
    table : DataFrame
        From ``risk_by_pairs``.
    axes : Axes
        Where to draw.
    """
    for index, (name, curve) in enumerate(table.groupby("curve", sort=False)):
        look = line(index, markers=True)
        axes.errorbar(
            curve["pairs"], curve["risk"], yerr=2 * curve["error_of_risk"], label=name, capsize=3, **look
        )
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("number of frequencies q")
    axes.set_ylabel("squared loss on fresh points")
    axes.legend(ncols=2, **ABOVE)
