"""Figures of the chapter on learnability in general, from its tables in `privml.experiments`."""

from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch
from pandas import DataFrame

from privml.figures.style import COLOURS, INK, line

__all__ = [
    "coin_rate_curves",
    "domain_growth_curves",
    "forgetful_gap_curves",
    "learning_landscape",
    "loss_growth_curves",
    "memory_gap_curves",
    "root_transformation_curves",
    "tumour_answer_curves",
]

ABOVE = {"fontsize": 9, "loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}


def _curves(table: DataFrame, axes: Axes, x: str, y: str) -> None:
    """One line with markers for each value of the column ``curve``."""
    for index, (name, curve) in enumerate(table.groupby("curve", sort=False)):
        axes.plot(curve[x], curve[y], label=name, **line(index, markers=True))


def loss_growth_curves(table: DataFrame, axes: Axes) -> None:
    """Largest loss against the range of records and parameters, both logarithmic.

    Parameters
    ----------
    table : DataFrame
        From ``loss_growth``.
    axes : matplotlib Axes
        Where to draw.
    """
    _curves(table, axes, "radius", "largest")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("range of records and parameters")
    axes.set_ylabel("largest loss, not rescaled")
    axes.legend()


def tumour_answer_curves(table: DataFrame, axes: Axes) -> None:
    """Excess of private answers about the tumours against epsilon, both logarithmic.

    Parameters
    ----------
    table : DataFrame
        From ``tumour_curves``.
    axes : matplotlib Axes
        Where to draw.
    """
    _curves(table, axes, "epsilon", "excess")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(1e-4, 1)
    axes.set_xlabel("privacy parameter ε (nats)")
    axes.set_ylabel("excess empirical risk")
    axes.legend(ncols=2, **ABOVE)


def coin_rate_curves(table: DataFrame, axes: Axes) -> None:
    """Worst expected excess risk against the number of records, both logarithmic.

    Parameters
    ----------
    table : DataFrame
        From ``coin_rates``.
    axes : matplotlib Axes
        Where to draw.
    """
    _curves(table, axes, "m", "excess")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("number of records m")
    axes.set_ylabel("excess risk, worst distribution")
    axes.legend(ncols=1, **ABOVE)


def root_transformation_curves(table: DataFrame, axes: Axes) -> None:
    """Rate, gap, privacy and excess risk along the transformation, both axes logarithmic.

    Parameters
    ----------
    table : DataFrame
        From ``circle``.
    axes : matplotlib Axes
        Where to draw.
    """
    _curves(table, axes, "m", "value")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("number of records m; k = √m are drawn")
    axes.set_ylabel("risk, or ε in nats")
    axes.legend(ncols=2, **ABOVE)


def memory_gap_curves(table: DataFrame, axes: Axes) -> None:
    """Gaps of the memory under several laws, and what every learner loses somewhere, against n.

    Parameters
    ----------
    table : DataFrame
        From ``memory_gaps``.
    axes : matplotlib Axes
        Where to draw.
    """
    _curves(table, axes, "m", "value")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(1e-6, 1.5)
    axes.set_xlabel("number of records m")
    axes.set_ylabel("expected AERM gap, or excess risk")
    axes.legend(ncols=1, fontsize=8, loc="lower left")


def forgetful_gap_curves(table: DataFrame, axes: Axes) -> None:
    """Gaps and excess risk of the forgetful learner against n, both logarithmic.

    Parameters
    ----------
    table : DataFrame
        From ``forgetful_curves``.
    axes : matplotlib Axes
        Where to draw.
    """
    _curves(table, axes, "m", "value")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(1e-3, 1)
    axes.set_xlabel("number of records m")
    axes.set_ylabel("gap, or excess risk")
    axes.legend(loc="lower left")


def domain_growth_curves(table: DataFrame, axes: Axes) -> None:
    """Deviations and private gaps of two problems against the size of their domain.

    Parameters
    ----------
    table : DataFrame
        From ``grids_and_labellings``.
    axes : matplotlib Axes
        Where to draw.
    """
    _curves(table, axes, "points", "value")
    axes.set_ylim(-0.03, 1)
    axes.set_xlabel("points of the domain")
    axes.set_ylabel("deviation, gap, or excess risk")
    axes.legend(ncols=1, **ABOVE)


def learning_landscape(table: DataFrame, axes: Axes) -> None:
    """Nested sets of problems as rounded boxes, and problems as points with a fact each.

    Parameters
    ----------
    table : DataFrame
        From ``landscape``.
    axes : matplotlib Axes
        Where to draw.
    """
    sets = table[table["kind"] == "set"]
    for index, box in enumerate(sets.itertuples(index=False)):
        colour = INK if index == 0 else COLOURS[index - 1]
        shape = {"boxstyle": "round,pad=0,rounding_size=0.3", "linestyle": line(index)["linestyle"]}
        patch = FancyBboxPatch((box.x, box.y), box.width, box.height, fill=False, edgecolor=colour, **shape)
        patch.set_linewidth(1.8)
        axes.add_patch(patch)
        axes.text(box.x + 0.2, box.y + box.height - 0.15, box.name, color=colour, fontsize=10, va="top")
    for point in table[table["kind"] == "problem"].itertuples(index=False):
        axes.plot([point.x], [point.y], marker="o", color=INK)
        axes.annotate(
            f"{point.name}\n{point.fact}", (point.x, point.y), (7, 0), textcoords="offset points",
            fontsize=8.5, va="center", color=INK,
        )  # fmt: skip
    axes.set_xlim(-0.1, 10.7)
    axes.set_ylim(-0.1, 6.5)
    axes.set_axis_off()
