"""Figures of the chapter on the exponential mechanism, from its tables in `privml.experiments`."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from pandas import DataFrame

from privml.figures.style import COLOURS, INK, MARKERS, line

__all__ = [
    "exact_epsilon_by_size",
    "gallery_of_failures",
    "permute_and_flip_ratio",
    "proof_factors",
    "rejection_survival",
    "selection_probabilities",
    "utility_tail_bounds",
    "utility_tightness_ratio",
]

THIN = {"color": INK, "linewidth": 0.9, "linestyle": (0, (1, 2)), "zorder": 1}
HATCHES = ("", "///", "...", "xxx", "\\\\\\")


def _reference(axes: Axes, height: float, text: str, *, place: float = 0.99) -> None:
    """A thin horizontal line with its meaning written at one end, as a fraction of the width."""
    axes.axhline(height, **THIN)
    side = "right" if place > 0.5 else "left"
    axes.annotate(
        text,
        (place, height),
        xycoords=axes.get_yaxis_transform(),
        xytext=(0, 3),
        textcoords="offset points",
        ha=side,
        fontsize=9,
    )


def selection_probabilities(table: DataFrame, axes: Axes, *, options: list[str] | None = None) -> None:
    """Grouped bars: probability of each option for several epsilons.

    Parameters
    ----------
    table : DataFrame
        From ``selection_law``.
    axes : matplotlib Axes
    options : list of str, optional
        Names of the options.
    """
    groups = list(table.groupby("epsilon"))
    width = 0.8 / len(groups)
    for k, (epsilon, group) in enumerate(groups):
        places = group["option"] + (k - (len(groups) - 1) / 2) * width
        style = {"color": COLOURS[k], "hatch": HATCHES[k % len(HATCHES)], "edgecolor": "white"}
        axes.bar(places, group["probability"], width, label=f"ε = {epsilon:g}", **style)
    first = groups[0][1]
    names = options or [f"option {number}" for number in first["option"]]
    votes = [f"{name}\n{count} votes" for name, count in zip(names, first["votes"], strict=True)]
    axes.set_xticks(first["option"], votes)
    axes.grid(axis="x", visible=False)
    axes.set_ylim(0, 1)
    axes.set_ylabel("probability of being chosen")
    axes.legend()


def proof_factors(table: DataFrame, axes: Axes, *, epsilon: float) -> None:
    """The two factors of the privacy proof, in nats, one point a case, in the square that the proof gives.

    Parameters
    ----------
    table : DataFrame
        From ``loss_factors``.
    axes : matplotlib Axes
    epsilon : float
        Privacy parameter: the square has side epsilon.
    """
    half = epsilon / 2
    axes.plot([-half, half, half, -half, -half], [-half, -half, half, half, -half], color=INK, linewidth=1)
    for sign in (-1, 1):
        axes.plot([sign * half * 1.1, -sign * half * 0.1], [-sign * half * 0.1, sign * half * 1.1], **THIN)
    axes.annotate("loss ε", (half, half), xytext=(0, 4), textcoords="offset points", fontsize=9, ha="right")
    axes.annotate("loss ε / 2", (0, half), xytext=(4, 4), textcoords="offset points", fontsize=9)
    for k, (relation, group) in enumerate(table.groupby("relation", sort=False)):
        style = {"marker": MARKERS[k], "facecolor": "none" if k else COLOURS[0], "edgecolor": COLOURS[k]}
        axes.scatter(group["log_numerator"], group["log_normaliser"], 26 + 30 * k, label=relation, **style)
    axes.set_xlim(-1.25 * half, 1.25 * half)
    axes.set_ylim(-1.25 * half, 1.25 * half)
    axes.set_aspect("equal")
    axes.set_xlabel("ln of the weight ratio (nats)")
    axes.set_ylabel("ln of the normaliser ratio (nats)")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.14), ncols=2)


def exact_epsilon_by_size(table: DataFrame, axes: Axes, *, epsilon: float) -> None:
    """Exact epsilon against the number of votes: audited points on the closed forms.

    Parameters
    ----------
    table : DataFrame
        From ``audit_by_size``.
    axes : matplotlib Axes
    epsilon : float
        The parameter of the mechanism, drawn as a line with its half.
    """
    _reference(axes, epsilon, "claim: ε")
    _reference(axes, epsilon / 2, "ε / 2")
    for k, (variant, group) in enumerate(table.groupby("variant", sort=False)):
        style = line(k)
        axes.plot(group["n_samples"], group["formula"], **style)
        axes.plot(group["n_samples"], group["exact_epsilon"], MARKERS[k], color=COLOURS[k], markersize=4)
        axes.plot([], [], marker=MARKERS[k], markersize=4, label=variant, **style)
    axes.set_ylim(0, 1.12 * epsilon)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("number of votes m")
    axes.set_ylabel("exact privacy parameter (nats)")
    axes.legend(loc="lower right", bbox_to_anchor=(1, 0.06))


def utility_tail_bounds(table: DataFrame, axes: Axes) -> None:
    """Probability that the chosen option is at least a gap below the best, exactly and by the two bounds.

    Parameters
    ----------
    table : DataFrame
        From ``utility_tail``.
    axes : matplotlib Axes
    """
    names = {
        "bound": "bound with k (L4)",
        "bound_with_ties": "bound with k / k* (S16)",
        "exact": "exact",
    }
    for k, (column, name) in enumerate(names.items()):
        style = line(k, markers=column == "exact")
        axes.plot(table["gap"], table[column], label=name, **style)
    axes.set_yscale("log")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("gap g below the best score (votes)")
    axes.set_ylabel("probability of a score ≤ OPT − g")
    axes.legend()


def utility_tightness_ratio(table: DataFrame, axes: Axes) -> None:
    """Exact failure probability at the worst scores over the bound, against t.

    Parameters
    ----------
    table : DataFrame
        From ``utility_tightness``.
    axes : matplotlib Axes
    """
    _reference(axes, 1.0, "1: the bound is exact", place=0.01)
    for k, (n_outcomes, group) in enumerate(table.groupby("n_outcomes")):
        axes.plot(group["t"], group["ratio"], label=f"k = {n_outcomes}", **line(k))
    t = np.linspace(table["t"].min(), table["t"].max(), 100)
    axes.plot(t, 1 / (1 + np.exp(-t)), color=INK, linewidth=0.9, label="limit of large k")
    axes.set_ylim(0, 1.1)
    axes.set_xlabel("t (the bound is $e^{-t}$)")
    axes.set_ylabel("exact failure probability / bound")
    axes.legend(loc="lower right", ncols=2)


def rejection_survival(table: DataFrame, axes: Axes) -> None:
    """Probability that the rejection sampler needs more than r rounds, for two neighbouring data sets.

    Parameters
    ----------
    table : DataFrame
        From ``rejection_rounds``.
    axes : matplotlib Axes
    """
    names = {"normalised": "Algorithm 2", "maximum": "max-normalised"}
    for k, ((envelope, votes), group) in enumerate(table.groupby(["envelope", "votes"], sort=False)):
        colour, marker = COLOURS[0 if envelope == "normalised" else 1], MARKERS[k]
        face = colour if votes == "tie" else "none"
        size = 4 if votes == "tie" else 7
        axes.plot(group["rounds"], group["exact"], color=colour, linestyle="-" if votes == "tie" else "--")
        seen = group[group["observed"] > 0]
        dots = {"color": colour, "markerfacecolor": face, "markersize": size, "linestyle": "none"}
        axes.plot(
            seen["rounds"], seen["observed"], marker=marker, label=f"{names[envelope]}, {votes}", **dots
        )
    axes.set_yscale("log")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("rounds r")
    axes.set_ylabel("probability of more than r rounds")
    axes.legend()


def permute_and_flip_ratio(table: DataFrame, axes: Axes, *, profiles: list[str]) -> None:
    """Expected shortfall of permute-and-flip over that of the exponential mechanism, with the proved floor.

    Parameters
    ----------
    table : DataFrame
        From ``selection_comparison``.
    axes : matplotlib Axes
    profiles : list of str
        Names of the score vectors.
    """
    _reference(axes, 1.0, "1: equally good", place=0.01)
    _reference(axes, 0.5, "1/2: half the shortfall", place=0.01)
    for k, (number, group) in enumerate(table.groupby("profile")):
        axes.plot(group["epsilon"], group["ratio"], label=profiles[number - 1], **line(k))
        axes.plot(group["epsilon"], group["floor"], color=COLOURS[k], linewidth=0.8)
    axes.plot([], [], color=INK, linewidth=0.8, label="S / (1 + S), proved")
    axes.set_xscale("log")
    axes.set_ylim(0.45, 1.08)
    axes.set_xlabel("ε (nats)")
    axes.set_ylabel("shortfall ratio")
    axes.legend(loc="upper right", bbox_to_anchor=(1, 0.9))


def gallery_of_failures(table: DataFrame, axes: Axes) -> None:
    """Exact epsilon over the claimed one against the number of records, for sound and broken variants.

    Parameters
    ----------
    table : DataFrame
        From ``gallery``.
    axes : matplotlib Axes
    """
    _reference(axes, 1.0, "claim")
    for k, (name, group) in enumerate(table.groupby("mechanism", sort=False)):
        ratio = group["exact_epsilon"] / group["claim"]
        axes.plot(group["n_samples"], ratio, label=name, **line(k, markers=True))
    axes.set_yscale("log")
    axes.set_yticks([0.5, 1, 2, 5, 10, 20, 40], ["0.5", "1", "2", "5", "10", "20", "40"])
    axes.minorticks_off()
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("number of records m")
    axes.set_ylabel("exact ε / claimed ε")
    axes.legend()
