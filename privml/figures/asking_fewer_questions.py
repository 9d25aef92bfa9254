"""Figures of the chapter on active students, from its tables in `privml.experiments`."""

from typing import TYPE_CHECKING

from privml.figures.style import COLOURS, INK, MARKERS, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

__all__ = [
    "active_audit_curves",
    "active_label_curves",
    "active_overlap_curves",
    "active_student_errors",
    "disagreement_lines",
    "noisy_vote_curves",
    "version_space_run",
]

ABOVE = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}


def version_space_run(table: "DataFrame", axes: "Axes") -> None:
    """The cuts that are left when a point is asked, as a band, and the points with their labels.

    Parameters
    ----------
    table : DataFrame
        From ``shrinking_interval``.
    axes : Axes
        Where to draw.
    """
    seen = table["n_seen"]
    axes.fill_between(
        seen,
        table["lower"],
        table["upper"],
        step="mid",
        color=COLOURS[6],
        alpha=0.4,
        label="cuts that are left",
    )
    for label, colour, marker in ((True, COLOURS[0], "^"), (False, COLOURS[1], "v")):
        chosen = table[table["label"] == label]
        axes.plot(
            chosen["n_seen"],
            chosen["x"],
            linestyle="none",
            marker=marker,
            color=colour,
            label=f"asked: {label}",
        )
    axes.set_xscale("log")
    axes.set_ylim(0, 1)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("position in the stream")
    axes.set_ylabel("point x")
    axes.legend(ncols=3, **ABOVE)


def disagreement_lines(table: "DataFrame", axes: "Axes") -> None:
    """Disagreement coefficient against the least radius that counts, one curve a class and centre.

    Parameters
    ----------
    table : DataFrame
        From ``coefficient_curves``.
    axes : Axes
        Where to draw.
    """
    for index, (name, curve) in enumerate(table.groupby("curve", sort=False)):
        axes.plot(curve["radius"], curve["theta"], label=name, **line(index))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("least radius that counts")
    axes.set_ylabel("disagreement coefficient θ")
    axes.legend(ncols=3, **ABOVE)


def active_label_curves(table: "DataFrame", axes: "Axes") -> None:
    """Labels asked against points seen: measured (markers), bound (thin), and all points (dotted).

    Parameters
    ----------
    table : DataFrame
        From ``label_counts``.
    axes : Axes
        Where to draw.
    """
    for index, (noise, curve) in enumerate(table.groupby("noise")):
        colour = COLOURS[index]
        axes.plot(
            curve["m"],
            curve["labels"],
            color=colour,
            marker=MARKERS[index],
            label=f"noise {noise:g}, measured",
        )
        axes.plot(
            curve["m"], curve["labels_bound"], color=colour, linestyle="--", label=f"noise {noise:g}, bound"
        )
    axes.plot(table["m"].unique(), table["m"].unique(), color=INK, linestyle=":", label="all labels")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("points seen")
    axes.set_ylabel("labels asked")
    axes.legend(ncols=2, **ABOVE)


def noisy_vote_curves(table: "DataFrame", axes: "Axes") -> None:
    """Probability of a wrong noisy vote against the share of wrong teachers, exactly and bounded.

    Parameters
    ----------
    table : DataFrame
        From ``vote_errors``.
    axes : Axes
        Where to draw.
    """
    names = {
        "exact": "exact",
        "printed": "3 p + 1/n, as printed",
        "one_sided": "one-sided noise",
        "chord": "best multiple of p",
    }
    for index, (column, name) in enumerate(names.items()):
        axes.plot(table["share"], table[column], label=name, **line(index))
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("share p of teachers that are wrong")
    axes.set_ylabel("probability of a wrong label")
    axes.legend(ncols=2, **ABOVE)


def active_audit_curves(table: "DataFrame", axes: "Axes") -> None:
    """Exact delta against epsilon on the tiny stream, beside the promise.

    Parameters
    ----------
    table : DataFrame
        From ``audited``.
    axes : Axes
        Where to draw.
    """
    for index, (name, curve) in enumerate(table.groupby("curve", sort=False)):
        style = line(index, markers=True) | {"markersize": 9 - 3 * index}
        axes.plot(curve["epsilon"], curve["delta"], label=name, **style)
    axes.set_yscale("log")
    axes.set_xlabel("ε in nats")
    axes.set_ylabel("δ")
    axes.legend(ncols=2, **ABOVE)


def active_student_errors(table: "DataFrame", axes: "Axes") -> None:
    """Mean error of the student against the number of private records, active and passive.

    Parameters
    ----------
    table : DataFrame
        From ``line_students``.
    axes : Axes
        Where to draw.
    """
    for index, (name, curve) in enumerate(table.groupby("student", sort=False)):
        axes.plot(curve["n"], curve["error"], label=name, **line(index, markers=True))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("private records n")
    axes.set_ylabel("mean error of the student")
    axes.legend(ncols=2, **ABOVE)


def active_overlap_curves(table: "DataFrame", axes: "Axes") -> None:
    """Share of unstable points among the queries of each round; dotted: among all public points.

    Parameters
    ----------
    table : DataFrame
        From ``overlap_by_round``.
    axes : Axes
        Where to draw.
    """
    for index, (name, curve) in enumerate(table.groupby("curve", sort=False)):
        axes.plot(curve["round"], curve["share"], label=name, **line(index, markers=True))
        axes.axhline(curve["base"].iloc[0], color=COLOURS[index], linewidth=1, linestyle=":")
    axes.set_ylim(0, 1.03)
    axes.set_xlabel("round of queries")
    axes.set_ylabel("share of unstable points")
    axes.legend(ncols=2, **ABOVE)
