"""Figures of the chapter on sublevel sets and rates, from its tables in `privml.experiments`."""

from typing import TYPE_CHECKING

from matplotlib.ticker import LogLocator, NullFormatter

from privml.figures.style import COLOURS, INK, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

__all__ = ["measure_ratio_bands", "penalised_rate_curves", "theorem_diagram", "utility_constant_curves"]

ABOVE = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}
DIMENSIONS = {"absolute": 1, "squared": 1, "needle": 1, "logistic": 2}


def measure_ratio_bands(table: "DataFrame", axes: "Axes") -> None:
    """Expected measure ratio against one over the height: the proved band of each problem.

    Parameters
    ----------
    table : DataFrame
        From ``curves``.
    axes : Axes
        Where to draw.
    """
    for index, (name, rows) in enumerate(table.groupby("problem", sort=False)):
        x, finite = 1 / rows["t"], rows["upper"] < float("inf")
        axes.fill_between(
            x[finite], rows["lower"][finite], rows["upper"][finite], color=COLOURS[index], alpha=0.25
        )
        axes.plot(x, rows["lower"], label=f"{name}, d = {DIMENSIONS[name]}", **line(index))
    for problem, d in (("absolute", 1), ("logistic", 2)):
        rows = table[table["problem"] == problem]
        axes.plot(1 / rows["t"], rows["convex"], color=INK, linewidth=0.9, linestyle=(0, (1, 2)))
        end = rows[rows["convex"] < 5].iloc[0]
        below = {"xytext": (-2, -14 if d == 1 else 4), "textcoords": "offset points", "ha": "right"}
        axes.annotate(f"d = {d}", (1 / end["t"], end["convex"]), fontsize=9, **below)
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_ylim(0, 6)
    axes.set_xlabel("1 / t")
    axes.set_ylabel("ln of the expected measure ratio")
    axes.legend(ncols=2, **ABOVE)


def utility_constant_curves(table: "DataFrame", axes: "Axes") -> None:
    """Utility gap times m ε against the size of the class: worst class, and three bounds.

    Parameters
    ----------
    table : DataFrame
        From ``finite_gaps``.
    axes : Axes
        Where to draw.
    """
    names = {
        "wlf16": "WLF16 as printed",
        "wlf16_tight": "WLF16, sensitivity 1/m",
        "ours": "2 ln M",
        "worst": "exact, worst class",
    }
    for index, (column, label) in enumerate(names.items()):
        axes.plot(table["n_hypotheses"], table[column], label=label, **line(index))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("number of hypotheses M")
    axes.set_ylabel("expected distance from F*, times m ε")
    axes.legend(ncols=2, **ABOVE)


def penalised_rate_curves(table: "DataFrame", axes: "Axes") -> None:
    """Exact excess risk and bounds on it against the number of records, on logarithmic axes.

    Parameters
    ----------
    table : DataFrame
        From ``rates``.
    axes : Axes
        Where to draw.
    """
    names = {
        "wlf16": "rate of WLF16",
        "condition": "sublevel condition, our constants",
        "convex": "convex, d / c",
        "excess": "exact excess risk",
    }
    for index, (column, label) in enumerate(names.items()):
        axes.plot(table["n_samples"], table[column], label=label, **line(index, markers=True))
    axes.axhline(1.0, color=INK, linewidth=0.9, linestyle=(0, (1, 2)), zorder=1)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("number of records m")
    axes.set_ylabel("expected excess risk")
    axes.legend(ncols=2, **ABOVE)


def theorem_diagram(table: "DataFrame", axes: "Axes") -> None:
    """Assumptions, notions and implications of the theorem, with exact numbers and bounds.

    Parameters
    ----------
    table : DataFrame
        From ``theorem_map``.
    axes : Axes
        Where to draw.
    """
    axes.set_axis_off()
    axes.set_xlim(-0.5, 3.45)
    axes.set_ylim(-0.45, 2.35)
    style = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": INK}
    boxes = {}
    for _, node in table[table["kind"] == "node"].iterrows():
        known = node["bound"] == node["bound"]
        numbers = f"\n{node['exact']:.3f} ≤ {node['bound']:.3f}" if known else ""
        place = {"ha": "center", "va": "center", "fontsize": 9, "bbox": style}
        text = axes.text(node["x"], node["y"], node["name"] + numbers, **place)
        boxes[node["name"]] = text.get_bbox_patch()
    for _, arrow in table[table["kind"] == "arrow"].iterrows():
        ends = {"patchA": boxes[arrow["name"]], "patchB": boxes[arrow["to"]], "shrinkA": 0, "shrinkB": 1}
        axes.annotate(
            "",
            (arrow["to_x"], arrow["to_y"]),
            (arrow["x"], arrow["y"]),
            arrowprops={"arrowstyle": "-|>", "color": INK, **ends},
        )
