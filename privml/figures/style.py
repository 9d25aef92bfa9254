"""One look for every figure of the book: colours that survive colour blindness, grey printing and dark pages.

A curve never differs from another by colour alone: `line(k)` gives the k-th curve its colour, its dash
pattern and its marker together. The colours are those of Okabe and Ito (2008); the two palest come last.
"""

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cycler import cycler

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

__all__ = [
    "COLOURS",
    "DASHES",
    "INK",
    "MARKERS",
    "SETTINGS",
    "curves",
    "line",
    "slider",
    "picture",
    "style",
]
__dir__ = __all__.copy

COLOURS = ("#0072B2", "#D55E00", "#000000", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
INK = "#222222"
THIN: dict[str, Any] = {
    "color": INK,
    "linewidth": 0.9,
    "linestyle": (0, (1, 2)),
    "zorder": 1,
}

SETTINGS = MappingProxyType(
    {
        "axes.axisbelow": True,
        "axes.edgecolor": INK,
        "axes.grid": True,
        "axes.labelcolor": INK,
        "axes.prop_cycle": cycler(color=COLOURS, linestyle=DASHES),
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.titlelocation": "left",
        "axes.titlesize": 11,
        "font.family": ["DejaVu Sans"],
        "font.size": 10,
        "grid.color": "#DDDDDD",
        "grid.linewidth": 0.6,
        "image.cmap": "cividis",
        "legend.frameon": False,
        "lines.linewidth": 1.8,
        "lines.markersize": 5,
        "pdf.fonttype": 42,
        "savefig.dpi": 150,
        "svg.hashsalt": "privml",
        "text.color": INK,
        "xtick.color": INK,
        "ytick.color": INK,
    }
)


@contextmanager
def style() -> Iterator[None]:
    """Apply the book's settings inside a ``with`` block, over matplotlib's defaults and not the reader's own.

    >>> import matplotlib
    >>> before = matplotlib.rcParams["axes.grid"]
    >>> with style():
    ...     matplotlib.rcParams["axes.grid"]
    True
    >>> matplotlib.rcParams["axes.grid"] == before
    True
    """
    import matplotlib  # seconds in a browser, and for a drawing only

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(SETTINGS)  # type: ignore[arg-type]  # keys are literals there
        yield


def line(index: int, *, markers: bool = False) -> dict:
    """Keywords of the curve number `index`: colour, dashes and (if wanted) marker, all three different.

    After the last colour the sequence starts again.

    >>> line(1)
    {'color': '#D55E00', 'linestyle': '--'}
    """
    keywords = {
        "color": COLOURS[index % len(COLOURS)],
        "linestyle": DASHES[index % len(DASHES)],
    }
    if markers:
        keywords["marker"] = MARKERS[index % len(MARKERS)]
    return keywords


def curves(
    table: "DataFrame",
    axes: "Axes",
    *,
    log: str = "",
    markers: bool = False,
    labels: Sequence[str] = (),
    x_at: Sequence[float] = (),
    y_at: Sequence[float] = (),
    x_band: Sequence = (),
    y_band: Sequence = (),
    xlim: Sequence[float] = (),
    ylim: Sequence[float] = (),
    xlabel: str = "",
    ylabel: str = "",
    legend: str = "best",
) -> None:
    """One curve for each column after the first, which holds the places; rows that lack a value are skipped.

    Parameters
    ----------
    table : DataFrame
        Places in the first column, a curve in each other one.
    axes : Axes
        Where to draw.
    log : str
        Logarithmic axes: "", "x", "y" or "xy".
    markers : bool
        Whether the curves have markers.
    labels, x_at, y_at : sequence
        Names in place of those of the columns; places of thin upright lines; places of thin level lines.
    x_band, y_band : sequence
        Band (from, to, words) of places; band (from, to, words) of values.
    xlim, ylim : sequence
        Ends (from, to) of the axis of places; ends (from, to) of the axis of values.
    xlabel, ylabel : str
        Words at the axis of places, else the name of the first column; words at the other axis.
    legend : str
        Place of the legend as matplotlib names it; "" for none.
    """
    place, *columns = table.columns
    for k, (name, label) in enumerate(zip(columns, labels or columns, strict=True)):
        present = table[table[name].notna()]
        axes.plot(
            present[place], present[name], label=label, **line(k, markers=markers)
        )
    for x in x_at:
        axes.axvline(x, **THIN)
    for y in y_at:
        axes.axhline(y, **THIN)
    if x_band:
        axes.axvspan(*x_band[:2], color="#E3E3E3", zorder=0, label=x_band[2])
    if y_band:
        axes.axhspan(*y_band[:2], color="#E3E3E3", zorder=0, label=y_band[2])
    axes.set(
        xscale="log" if "x" in log else "linear",
        yscale="log" if "y" in log else "linear",
    )
    axes.set(xlabel=xlabel or place, ylabel=ylabel)
    axes.set_xlim(*xlim or (None, None))
    axes.set_ylim(*ylim or (None, None))
    if legend:
        _name(axes, legend, len(x_band) + len(y_band))


def _name(axes: "Axes", place: str, bands: int) -> None:
    """Name the curves: beside their right ends where there is room, else in a legend that lies on none.

    An end is told by its place and its colour, so that one finds the curve without its dashes.
    """
    drawn: dict[Any, Any] = {line: line.get_xydata() for line in axes.lines}
    named = [
        line
        for line, at in drawn.items()
        if not str(line.get_label()).startswith("_") and len(at)
    ]
    ends = [
        axes.transLimits.transform(axes.transScale.transform(drawn[line][-1]))
        for line in named
    ]
    last = max((x for x, _ in ends), default=0)
    heights = sorted(y for x, y in ends if last - x < 0.01 and -0.01 <= y <= 1.01)
    apart = all(above - below > 0.06 for below, above in pairwise(heights))
    brief = all(len(str(line.get_label())) <= 22 for line in named)
    if (
        apart
        and brief
        and not bands
        and 0.9 < last < 1.01
        and 1 < len(named) == len(heights) <= 6
    ):
        text_options: dict[str, Any] = {
            "xycoords": axes.get_yaxis_transform(),
            "textcoords": "offset points",
        }
        for line in named:
            at = (
                1,
                drawn[line][-1][1],
            )  # behind the frame, where no grid and no thin line ends
            axes.annotate(
                str(line.get_label()),
                at,
                (6, 0),
                color=line.get_color(),
                va="center",
                **text_options,
            )
        return
    legend = axes.legend(loc=place)  # type: ignore[call-overload]  # places are literals there
    if len(axes.figure.axes) > 1:
        return
    axes.figure.draw_without_rendering()  # type: ignore[union-attr]  # no figure here is a part of one
    paths = [
        line.get_transform().transform_path(line.get_path()) for line in axes.lines
    ]
    if any(
        path.intersects_bbox(legend.get_window_extent(), filled=False) for path in paths
    ):
        legend.remove()
        longest = max(len(text.get_text()) for text in legend.texts)
        axes.figure.legend(
            loc="outside upper center",
            ncols=max(1, min(len(named), 66 // (longest + 6))),
        )


def slider(table: "DataFrame", axes: "Axes", *, at: float | str, **words: Any) -> None:
    """Draw the curves at one value of a parameter; pages add a slider over all values of the table.

    Where the places are texts, bars stand for the curves.

    Parameters
    ----------
    table : DataFrame
        Parameter in the first column, place in the second, a curve in each other one.
    axes : Axes
        Where to draw.
    at : float or str
        Value of the parameter to show.
    **words : object
        Passed to :func:`curves`; bars use `labels`, `ylabel` and `ylim`.
    """
    knob, place, *columns = table.columns
    frame = table[table[knob] == at].drop(columns=knob)
    axes.set_title(f"{knob} = {at:g}" if isinstance(at, float) else f"{knob} = {at}")
    if frame[place].map(lambda entry: not isinstance(entry, str)).all():
        curves(frame, axes, **words)
        return
    where, width = range(len(frame)), 0.8 / len(columns)
    for k, (name, label) in enumerate(
        zip(columns, words.get("labels") or columns, strict=True)
    ):
        left = [spot + (k + 0.5) * width - 0.4 for spot in where]
        axes.bar(
            left, frame[name], width=width, color=COLOURS[k % len(COLOURS)], label=label
        )
    axes.set_xticks(list(where), list(frame[place]))
    axes.set(ylabel=words.get("ylabel", ""), ylim=words.get("ylim") or (0, None))
    if len(columns) > 1:
        axes.figure.legend(loc="outside upper center", ncols=3)


def picture(
    draw: Callable,
    table: "DataFrame",
    size: tuple[float, float],
    options: dict[str, Any],
    **saving: Any,
) -> bytes:
    """The bytes of a drawing, a PNG unless `saving` (options of ``Figure.savefig``) says otherwise.

    No date and no version is in the file; the size is in inches.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    buffer = io.BytesIO()
    with style():
        sheet = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(sheet)
        draw(table, sheet.subplots(), **options)
        sheet.savefig(
            buffer, **({"format": "png", "metadata": {"Software": None}} | saving)
        )
    return buffer.getvalue()
