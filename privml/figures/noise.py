"""Figures of the chapter on noise, from its tables in `privml.experiments`."""

from matplotlib.axes import Axes
from pandas import DataFrame

from privml.figures.style import COLOURS, INK, line

__all__ = [
    "answers_in_floats",
    "classical_delta_over_claim",
    "curves_beside_floats",
    "curves_of_noise",
    "losses_of_answers",
    "noise_on_many_counts",
    "sigma_over_exact",
]

THIN = {"color": INK, "linewidth": 0.9, "linestyle": (0, (1, 2)), "zorder": 1}


def losses_of_answers(table: DataFrame, axes: Axes) -> None:
    """Privacy loss of each answer under two kinds of noise.

    Parameters
    ----------
    table : DataFrame
        From ``losses``.
    axes : matplotlib Axes
    """
    for k, (noise, group) in enumerate(table.groupby("noise", sort=False)):
        axes.plot(group["answer"], group["privacy_loss"], label=noise, **line(k))
    for value in (0, 1):
        axes.axvline(value, **THIN)
    axes.set_xlabel("released number (true values 0 and 1)")
    axes.set_ylabel("privacy loss (nats)")
    axes.legend()


def sigma_over_exact(table: DataFrame, axes: Axes, *, proved: float = 1.0) -> None:
    """Noise of three calibrations over the least that keeps the claim, which is the middle line.

    Parameters
    ----------
    table : DataFrame
        From ``calibrations``.
    axes : matplotlib Axes
    proved : float
        Epsilon up to which the classical formula is proved.
    """
    lowest = 0.9 * min(1.0, (table["classical"] / table["exact"]).min())
    axes.axhspan(lowest, 1, color="#E3E3E3", zorder=0, label="breaks the claim")
    inside, beyond = table["epsilon"] <= proved, table["epsilon"] >= proved
    classical = table["classical"] / table["exact"]
    axes.plot(table["epsilon"][inside], classical[inside], label="classical, proved", color=COLOURS[0])
    dashed = {"color": COLOURS[0], "linestyle": "--"}
    axes.plot(table["epsilon"][beyond], classical[beyond], label="classical formula, beyond", **dashed)
    axes.plot(table["epsilon"], table["tail"] / table["exact"], label="tail of the loss", **line(3))
    axes.axhline(1, color=INK, label="exact")
    axes.set_xscale("log")
    axes.set_xlim(table["epsilon"].min(), table["epsilon"].max())
    axes.set_ylim(lowest, None)
    axes.set_xlabel("ε (nats)")
    axes.set_ylabel("σ / least σ for (ε, δ)")
    axes.legend()


def classical_delta_over_claim(table: DataFrame, axes: Axes, *, proved: float = 1.0) -> None:
    """Exact delta of the bare classical formula over the claimed one.

    Parameters
    ----------
    table : DataFrame
        From ``classical_deltas``.
    axes : matplotlib Axes
    proved : float
        Epsilon up to which the formula is proved.
    """
    for k, (claimed, group) in enumerate(table.groupby("claimed", sort=False)):
        axes.plot(group["epsilon"], group["ratio"], label=f"δ = {claimed:g}", **line(k))
    axes.axhline(1, **THIN)
    axes.axvspan(0, proved, color="#E3E3E3", zorder=0, label="proved")
    axes.set_yscale("log")
    axes.set_xlim(0, table["epsilon"].max())
    axes.set_xlabel("ε (nats)")
    axes.set_ylabel("exact δ / claimed δ")
    axes.legend()


def noise_on_many_counts(table: DataFrame, axes: Axes) -> None:
    """Standard deviation of the noise on each of k counts.

    Parameters
    ----------
    table : DataFrame
        From ``deviations``.
    axes : matplotlib Axes
    """
    for k, (noise, group) in enumerate(table.groupby("noise", sort=False)):
        axes.plot(group["n_counts"], group["deviation"], label=noise, **line(k))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("number of counts k that one person moves by 1")
    axes.set_ylabel("standard deviation of each count's noise")
    axes.legend()


def curves_of_noise(table: DataFrame, axes: Axes, *, lowest: float = 1e-6) -> None:
    """Exact privacy curves of four kinds of noise.

    Parameters
    ----------
    table : DataFrame
        From ``noise_curves``.
    axes : matplotlib Axes
    lowest : float
        Smaller values are not drawn.
    """
    for k, (noise, group) in enumerate(table.groupby("noise", sort=False)):
        shown = group[group["delta"] >= lowest]
        axes.plot(shown["epsilon"], shown["delta"], label=noise, **line(k))
    axes.set_yscale("log")
    axes.set_ylim(lowest, 1)
    axes.set_xlim(0, table["epsilon"].max())
    axes.set_xlabel("ε (nats)")
    axes.set_ylabel("δ(ε), exact")
    axes.legend()


def answers_in_floats(table: DataFrame, axes: Axes) -> None:
    """Probability of every answer in a window: for the value 0 upwards, for the value 1 downwards.

    Parameters
    ----------
    table : DataFrame
        From ``answers_in_half_precision``.
    axes : matplotlib Axes
    """
    for value, side in ((0, 1), (1, -1)):
        for excludes in (False, True):
            chosen = table[(table["value"] == value) & (table["excludes"] == excludes)]
            colour = COLOURS[1] if excludes else COLOURS[0]
            name = "impossible for the other value" if excludes else "possible for both"
            label = name if value == 0 else None
            height = side * chosen["probability"]
            axes.vlines(chosen["answer"], 0, height, color=colour, linewidth=1.1, label=label)
            axes.plot(chosen["answer"], height, "^" if excludes else "o", color=colour, markersize=3)
    axes.axhline(0, color=INK, linewidth=0.9)
    top = 1.45 * table["probability"].max()
    axes.set_ylim(-top, top)
    ticks = [0.0005, 0.001]
    axes.set_yticks([-t for t in ticks[::-1]] + [0, *ticks], [f"{t:g}" for t in [*ticks[::-1], 0, *ticks]])
    place = {"xycoords": "axes fraction", "fontsize": 9}
    axes.annotate("true value 0", (0.01, 0.94), **place)
    axes.annotate("true value 1", (0.01, 0.02), **place)
    axes.set_xlabel("released number")
    axes.set_ylabel("probability")
    axes.legend(loc="upper right", ncols=2, fontsize=9)


def curves_beside_floats(table: DataFrame, axes: Axes, *, lowest: float = 1e-3) -> None:
    """Exact privacy curves of Laplace noise on paper, in half precision and on the integers.

    Parameters
    ----------
    table : DataFrame
        From ``curves_in_half_precision``.
    axes : matplotlib Axes
    lowest : float
        Smaller values are not drawn.
    """
    for k, (law, group) in enumerate(table.groupby("law", sort=False)):
        shown = group[group["delta"] >= lowest]
        axes.plot(shown["epsilon"], shown["delta"], label=law, **line(k))
    axes.set_yscale("log")
    axes.set_ylim(lowest, 1)
    axes.set_xlim(0, table["epsilon"].max())
    axes.set_xlabel("ε (nats)")
    axes.set_ylabel("δ(ε), exact")
    axes.legend(loc="lower right")
