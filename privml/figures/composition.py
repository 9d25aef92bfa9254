"""Figures of the chapter on composition, from its tables in `privml.experiments`."""

import numpy as np
from matplotlib.axes import Axes
from pandas import DataFrame

from privml.figures.style import COLOURS, INK, line

__all__ = [
    "composed_curves",
    "loss_of_many",
    "orders_of_divergence",
    "rule_of_thumb_spent",
    "total_by_steps",
]

THIN = {"color": INK, "linewidth": 0.9, "linestyle": (0, (1, 2)), "zorder": 1}
RULES = {
    "basic": "basic: kε",
    "advanced": "advanced",
    "concentrated, simple": "concentrated, simple",
    "concentrated, tight": "concentrated, tight",
    "optimum": "optimum",
    "range, concentrated": "bounded range, concentrated",
    "range, fixed in advance": "bounded range, fixed steps",
}


def _style(rule: str) -> dict:
    """One look for each rule in all figures."""
    return line(list(RULES).index(rule))


def loss_of_many(table: DataFrame, axes: Axes, *, lowest: float = 1e-9) -> None:
    """Law of the total privacy loss of many answers, on the data and on the neighbour.

    Parameters
    ----------
    table : DataFrame
        From ``total_loss``.
    axes : matplotlib Axes
    lowest : float
        Smaller probabilities are not drawn.
    """
    for k, (column, name) in enumerate((("here", "the bit as it is"), ("neighbour", "the other bit"))):
        shown = table[table[column] >= lowest]
        axes.plot(shown["loss"], shown[column], label=name, **line(k))
        mean = float((table["loss"] * table[column]).sum())
        axes.axvline(mean, **(THIN | {"color": COLOURS[k]}))
    axes.set_xlim(table["loss"].min(), table["loss"].max())
    axes.set_ylim(bottom=0)
    axes.set_xlabel("total privacy loss (nats), over all values that it could take")
    axes.set_ylabel("probability")
    axes.legend()


def composed_curves(table: DataFrame, axes: Axes, *, lowest: float = 1e-12) -> None:
    """Exact privacy curves of a composition and the curves of the bounds, on a logarithmic axis.

    Parameters
    ----------
    table : DataFrame
        From ``composition_curves``.
    axes : matplotlib Axes
    lowest : float
        Smaller values are not drawn.
    """
    for rule, group in table.groupby("rule", sort=False):
        shown = group[group["delta"] >= lowest]
        axes.plot(shown["epsilon"], shown["delta"], label=RULES[rule], **_style(rule))
    axes.set_yscale("log")
    axes.set_ylim(lowest, 1.5)
    axes.set_xlim(0, table["epsilon"].max())
    axes.set_xlabel("total ε (nats)")
    axes.set_ylabel("δ(ε)")
    axes.legend(loc="upper right")


def total_by_steps(table: DataFrame, axes: Axes) -> None:
    """Total epsilon by rule against the number of steps, both on logarithmic axes.

    Parameters
    ----------
    table : DataFrame
        From ``epsilon_by_steps``.
    axes : matplotlib Axes
    """
    for rule, group in table.groupby("rule", sort=False):
        axes.plot(group["k"], group["epsilon"], label=RULES[rule], **_style(rule))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("number of steps k")
    axes.set_ylabel("total ε (nats)")
    axes.legend(loc="upper left")


def rule_of_thumb_spent(table: DataFrame, axes: Axes) -> None:
    """Exact delta over claimed delta of the rule of thumb, against the claimed epsilon.

    Parameters
    ----------
    table : DataFrame
        From ``rule_of_thumb`` for one or more delta.
    axes : matplotlib Axes
    """
    for k, (delta, group) in enumerate(table.groupby("delta", sort=False)):
        axes.plot(group["multiple"], group["ratio"], label=f"δ = {delta:g}", **line(k))
    axes.axhline(1.0, **THIN)
    axes.axvline(8.0, **THIN)
    axes.annotate("claimed", (0.01, 1.0), xycoords=axes.get_yaxis_transform(), va="bottom", fontsize=9)
    style = {"xycoords": axes.get_xaxis_transform(), "ha": "right", "fontsize": 9}
    axes.annotate("proved ", (8.0, 0.03), **style)
    axes.set_yscale("log")
    axes.set_xlabel("claimed ε over ln(1/δ)")
    axes.set_ylabel("exact δ / claimed δ")
    axes.legend(loc="upper left", bbox_to_anchor=(0, 0.93))


def orders_of_divergence(table: DataFrame, axes: Axes, *, epsilon: float) -> None:
    """Renyi divergence over its order for several pairs, with the usual constants.

    Parameters
    ----------
    table : DataFrame
        From ``renyi_by_order``.
    axes : matplotlib Axes
    epsilon : float
        Of the promises, in nats.
    """
    for k, (pair, group) in enumerate(table.groupby("pair", sort=False)):
        axes.plot(group["order"], group["quotient"], label=pair, **line(k))
    last = table["order"].max()
    for height, text in ((epsilon**2 / 2, "ε²/2"), (epsilon**2 / 8, "ε²/8")):
        axes.axhline(height, **THIN)
        axes.annotate(text, (last, height), xytext=(0, 3), textcoords="offset points", ha="right")
    axes.set_xscale("log")
    axes.set_xticks([1, 2, 5, 10, 20], ["1", "2", "5", "10", "20"])
    axes.minorticks_off()
    axes.set_ylim(0, np.ceil(epsilon**2 * 6) / 10)
    axes.set_xlabel("order α")
    axes.set_ylabel("Rényi divergence / α (nats)")
    axes.legend(loc="center right", bbox_to_anchor=(1, 0.62))
