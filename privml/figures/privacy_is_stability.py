"""Figures of the chapter on privacy and stability, from its tables in `privml.experiments`."""

from typing import TYPE_CHECKING

from matplotlib.ticker import LogLocator, NullFormatter

from privml.figures.style import COLOURS, INK, MARKERS, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame, Series

__all__ = [
    "gap_curves",
    "implication_diagram",
    "learners_at_random",
    "memory_curves",
    "rate_curves",
    "root_subsample_curves",
    "stability_bound_curves",
]

THIN = {"color": INK, "linewidth": 0.9, "linestyle": (0, (1, 2)), "zorder": 1}
RIGHT = {"textcoords": "offset points", "ha": "right"}
ABOVE = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0), "ncols": 2, "fontsize": 9}


def _plain_logarithmic(axis, *, subs: tuple[float, ...] = (1.0, 2.0, 5.0)) -> None:
    axis.set_major_locator(LogLocator(subs=subs))
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter(NullFormatter())


def memory_curves(table: "DataFrame", axes: "Axes") -> None:
    """Training error, true error, their gap and its bound, for a class that can memorise, against epsilon.

    Parameters
    ----------
    table : DataFrame
        From ``memorising``; the row with infinite epsilon is drawn as a level.
    axes : Axes
        Where to draw.
    """
    private, minimiser = table[table["epsilon"] < float("inf")], table[table["epsilon"] == float("inf")]
    curves = {"bound": "bound tanh(ε/4)", "gap": "gap", "training_error": "training error"}
    for index, (column, label) in enumerate(curves.items()):
        axes.plot(private["epsilon"], private[column], label=label, **line(index))
    for level in minimiser["gap"]:
        axes.axhline(level, **THIN)
        axes.annotate("gap of ERM", (private["epsilon"].max(), level), (0, 3), **RIGHT)
    axes.set_xscale("log")
    _plain_logarithmic(axes.xaxis)
    axes.set_ylim(0, 1)
    axes.set_xlabel("privacy parameter ε (nats)")
    axes.set_ylabel("error, or difference of errors")
    axes.legend()


def stability_bound_curves(table: "DataFrame", axes: "Axes") -> None:
    """Bounds on stability against epsilon, and exact constants of two learners that attain two of them.

    Parameters
    ----------
    table : DataFrame
        From ``bounds_by_epsilon``.
    axes : Axes
        Where to draw.
    """
    labels = {
        "printed": "Lemma 8: exp(ε) - 1",
        "linear": "Lemma 8 for ε ≤ 1: 2ε",
        "tight": "tanh(ε/2)",
        "range": "tanh(ε/4), exponential mechanisms",
    }
    for index, (column, label) in enumerate(labels.items()):
        axes.plot(table["epsilon"], table[column], label=label, **line(index))
    points = {"response": "exact: randomised response", "exponential": "exact: exponential, two rules"}
    for index, (column, label) in enumerate(points.items()):
        keywords = {"marker": MARKERS[index], "color": COLOURS[2 + index], "linestyle": "None"}
        axes.plot(table["epsilon"][::3], table[column][::3], label=label, **keywords)
    axes.axhline(1, **THIN)
    axes.set_ylim(0, 2.05)
    axes.set_xlim(left=0)
    axes.set_xlabel("privacy parameter ε (nats)")
    axes.set_ylabel("stability constant")
    axes.legend(**ABOVE)


def learners_at_random(table: "DataFrame", axes: "Axes") -> None:
    """Excess risk of random learners against stability plus AERM gap, with the diagonal.

    Parameters
    ----------
    table : DataFrame
        From ``random_learners``.
    axes : Axes
        Where to draw.
    """
    for index, (kind, points) in enumerate(table.groupby("kind", sort=False)):
        keywords = {"marker": MARKERS[index], "color": COLOURS[index], "linestyle": "None", "alpha": 0.6}
        axes.plot(points["bound"], points["excess"], label=f"{kind} law", markersize=3.5, **keywords)
    largest = float(table["bound"].max())
    axes.plot([0, largest], [0, largest], label="theorem: not above", **THIN)
    axes.set_xlim(0, largest)
    axes.set_ylim(0, largest)
    axes.set_xlabel("uniform stability + expected AERM gap")
    axes.set_ylabel("expected excess risk")
    axes.legend(loc="upper left")


def rate_curves(table: "DataFrame", axes: "Axes") -> None:
    """Worst excess risk and its bounds through stability against epsilon, for a fixed number of records.

    Parameters
    ----------
    table : DataFrame
        From ``rates``.
    axes : Axes
        Where to draw.
    """
    labels = {
        "printed": "AERM gap + exp(ε) - 1",
        "tight": "AERM gap + tanh(ε/2)",
        "range": "AERM gap + tanh(ε/4)",
        "stable": "AERM gap + exact stability",
        "excess": "excess risk, exact",
        "gap": "AERM gap, exact",
    }
    for index, (column, label) in enumerate(labels.items()):
        axes.plot(table["epsilon"], table[column], label=label, **line(index))
    axes.set_xscale("log")
    _plain_logarithmic(axes.xaxis)
    axes.set_ylim(0, 1.2)
    axes.set_xlabel("privacy parameter ε (nats)")
    axes.set_ylabel("risk, largest over distributions")
    axes.legend(**ABOVE)


def gap_curves(table: "DataFrame", axes: "Axes") -> None:
    """AERM gaps, stability and excess risk against the number of records, epsilon falling.

    Parameters
    ----------
    table : DataFrame
        From ``gaps_by_size``.
    axes : Axes
        Where to draw.
    """
    labels = {
        "bound": "universal gap + tanh(ε/4)",
        "excess": "excess risk",
        "always": "always AERM gap",
        "universal": "universal AERM gap",
        "stability": "uniform stability",
    }
    for index, (column, label) in enumerate(labels.items()):
        axes.plot(table["m"], table[column], label=label, **line(index, markers=True))
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("records m, with ε = 2/√m")
    axes.set_ylabel("risk or constant, largest")
    axes.legend(**ABOVE)


def root_subsample_curves(table: "DataFrame", axes: "Axes") -> None:
    """Privacy and stability of a learner on a subsample against the number of records, and the promises.

    Parameters
    ----------
    table : DataFrame
        From ``subsampled_constants``.
    axes : Axes
        Where to draw.
    """
    labels = {
        "promised_epsilon": "promised ε",
        "exact_epsilon": "exact ε",
        "promised_stability": "promised stability",
        "stability": "exact stability",
    }
    for index, (column, label) in enumerate(labels.items()):
        axes.plot(table["m"], table[column], label=label, **line(index, markers=True))
    axes.set_ylim(bottom=0)
    axes.set_xticks(table["m"])
    axes.set_xlabel("records m, of which √m are used")
    axes.set_ylabel("constant of the whole")
    axes.legend(**ABOVE)


def _inequality(arrow: "Series") -> str:
    if arrow["kind"] == "refuted":
        return f"no: {arrow['left']:.3f}, but ε = ∞"
    return f"{arrow['left']:.3f} ≤ {arrow['right']:.3f}"


def _arrow(axes: "Axes", arrow: "Series", boxes: dict) -> None:
    """One arrow from box to box; bent where another one runs between the same two notions."""
    refuted = arrow["kind"] == "refuted"
    bend = {"refuted": 0.28, "back": -0.5}.get(arrow["kind"], 0)
    axes.annotate(
        "",
        (arrow["to_x"], arrow["to_y"]),
        (arrow["x"], arrow["y"]),
        arrowprops={
            "arrowstyle": "-|>",
            "color": COLOURS[1] if refuted else INK,
            "linestyle": "--" if refuted else "-",
            "patchA": boxes[arrow["name"]],
            "patchB": boxes[arrow["to"]],
            "shrinkA": 0,
            "shrinkB": 1,
            "connectionstyle": f"arc3,rad={bend}",
        },
    )


def _number(axes: "Axes", arrow: "Series") -> None:
    """The inequality of an arrow, beside its middle."""
    upright = arrow["x"] == arrow["to_x"]
    slanted = not upright and arrow["y"] != arrow["to_y"]
    lift = {"refuted": 0.29, "back": -0.33}.get(arrow["kind"], 0)
    axes.annotate(
        _inequality(arrow),
        ((arrow["x"] + arrow["to_x"]) / 2, (arrow["y"] + arrow["to_y"]) / 2 + lift),
        (6 if upright else 0, 0 if upright or slanted else 4),
        textcoords="offset points",
        ha="left" if upright else "center",
        va="center" if upright or slanted else "bottom",
        fontsize=8.5,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.2},
    )


def implication_diagram(table: "DataFrame", axes: "Axes") -> None:
    """Notions and implications, each arrow with the two sides of the inequality behind it.

    Parameters
    ----------
    table : DataFrame
        From ``implications``.
    axes : Axes
        Where to draw.
    """
    axes.set_axis_off()
    axes.set_xlim(-0.45, 2.5)
    axes.set_ylim(-0.5, 2.5)
    style = {"boxstyle": "round,pad=0.45", "facecolor": "white", "edgecolor": INK}
    boxes = {}
    for _, node in table[table["kind"] == "node"].iterrows():
        place = {"ha": "center", "va": "center", "fontsize": 10, "bbox": style}
        boxes[node["name"]] = axes.text(node["x"], node["y"], node["name"], **place).get_bbox_patch()
    arrows = [arrow for _, arrow in table[table["kind"] != "node"].iterrows()]
    for arrow in arrows:
        _arrow(axes, arrow, boxes)
    for arrow in arrows:
        _number(axes, arrow)
