"""Figures of the chapter on subsampling, from its tables in `privml.experiments`."""

from matplotlib.axes import Axes
from pandas import DataFrame

from privml.figures.style import COLOURS, INK, line

__all__ = ["bounds_by_rate", "looseness_by_epsilon", "loss_in_index_order", "share_by_subsample"]

THIN = {"color": INK, "linewidth": 0.9, "linestyle": (0, (1, 2)), "zorder": 1}


def bounds_by_rate(table: DataFrame, axes: Axes, *, epsilon: float, largest: float) -> None:
    """Epsilon after subsampling against the sampling rate: exact points and four bounds.

    Parameters
    ----------
    table : DataFrame
        From ``sampling_bounds``.
    axes : matplotlib Axes
    epsilon : float
        Before subsampling.
    largest : float
        Upper end of the vertical axis; curves may leave it.
    """
    curves = {
        "lemma_34": "Lemma 34",
        "lemma_31": "Lemma 31 at δ = 0",
        "ratio_form": "first bound in Lemma 34's proof",
        "tight": "tight",
    }
    for k, (column, label) in enumerate(curves.items()):
        axes.plot(table["rate"], table[column], label=label, **line(k))
    axes.plot(table["rate"], table["exact"], "o", color=COLOURS[3], label="exact, the alarm")
    axes.axhline(epsilon, **THIN)
    axes.annotate("without subsampling", (1, epsilon), (0, 4), textcoords="offset points", ha="right")
    axes.set_ylim(0, largest)
    axes.set_xlabel("share γ of the records that is used")
    axes.set_ylabel("ε of the whole (nats)")
    axes.legend(fontsize=9, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)


def looseness_by_epsilon(table: DataFrame, axes: Axes) -> None:
    """Bounds of WLF16 as multiples of the tight one against epsilon.

    Parameters
    ----------
    table : DataFrame
        From ``looseness``.
    axes : matplotlib Axes
    """
    labels = {"lemma_34": "Lemma 34", "ratio_form": "first bound in its proof", "lemma_31": "Lemma 31"}
    for k, (column, label) in enumerate(labels.items()):
        axes.plot(table["epsilon"], table[column], label=label, **line(k))
    axes.axhline(1, **THIN)
    axes.set_xlabel("ε on the subsample (nats)")
    axes.set_ylabel("bound / tight bound")
    axes.set_ylim(bottom=0)
    axes.legend()


def loss_in_index_order(table: DataFrame, axes: Axes) -> None:
    """Exact loss of a mechanism that reads its pair in index order against the number of records.

    Parameters
    ----------
    table : DataFrame
        From ``index_order_losses``.
    axes : matplotlib Axes
    """
    labels = {
        "index_order": "exact loss in index order",
        "lemma_34": "Lemma 34 as printed",
        "tight": "tight bound, for shuffled pairs",
    }
    for k, (column, label) in enumerate(labels.items()):
        axes.plot(table["n_samples"], table[column], label=label, **line(k, markers=True))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("records, of which two are used")
    axes.set_ylabel("privacy loss (nats)")
    axes.legend()


def share_by_subsample(table: DataFrame, axes: Axes) -> None:
    """Error of a private share against the size of the subset, when the privacy of the whole is fixed.

    Parameters
    ----------
    table : DataFrame
        From ``share_deviation``.
    axes : matplotlib Axes
    """
    labels = {"total": "both", "sampling": "from sampling", "noise": "from the noise"}
    for k, (column, label) in enumerate(labels.items()):
        drawn = table[table[column] > 0]
        axes.plot(drawn["subsample_size"], drawn[column], label=label, **line(k))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("records used")
    axes.set_ylabel("standard deviation of the share")
    axes.legend()
