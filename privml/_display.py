"""How objects show themselves in a notebook: a small table in the colours of the page, and a picture."""

from collections.abc import Callable, Iterable
from decimal import ROUND_CEILING, Context
from html import escape
from io import BytesIO
from re import Match, sub
from typing import Any

from privml._optional import required

SHOWN_EPSILONS = (0.0, 0.1, 0.5, 1.0, 2.0, 5.0)  # of a table of a privacy curve
MOST_ROWS = 8  # of a table; the likeliest outcomes of a law
POINTS = 401  # of a curve
SIZE = (4.8, 3.0)  # of a picture, in inches
BORDER = "border:1px solid;border-radius:4px;padding:2px 8px;display:inline-block"


def rounded_up(value: Any, digits: int = 6) -> str:
    """Text of a parameter of a promise to some significant digits, never below the value itself.

    Examples
    --------
    >>> rounded_up(0.5), rounded_up(1 / 3), rounded_up(1.0000000001e-6)
    ('0.5', '0.333334', '1.00001e-06')
    """
    above = Context(prec=digits, rounding=ROUND_CEILING).create_decimal(
        repr(float(value))
    )
    return f"{float(above):.{digits}g}"


def rounded_down(value: Any, digits: int = 6) -> str:
    """The same of what is promised to be at least so much, never above the value itself."""
    return f"{-float(rounded_up(-value, digits)):.{digits}g}"


def html_card(
    title: str, rows: Iterable[tuple[object, ...]] = (), note: str = ""
) -> str:
    """HTML of a title, of rows of text and of a note; colours are those of the page, dark or light."""
    cells = ("".join(f"<td>{escape(str(cell))}</td>" for cell in row) for row in rows)
    table = "".join(f"<tr>{row}</tr>" for row in cells)
    body = f"<table>{table}</table>" if table else ""
    small = f"<div><small>{escape(note)}</small></div>" if note else ""
    return f'<div style="{BORDER}"><b>{escape(title)}</b>{body}{small}</div>'


def curve_picture(
    places: Any, values: Any, xlabel: str, ylabel: str, axes: Any = None, **options: Any
) -> "Picture":
    """A picture of one curve; options are those of ``axes.set``."""

    def draw(axes: Any) -> None:
        axes.plot(places, values)
        axes.set(xlabel=xlabel, ylabel=ylabel, **options)

    return Picture(draw, axes)


class Picture:
    """A drawing that a notebook shows, and that :meth:`save` writes to a file; nothing global is changed.

    Parameters
    ----------
    draw, axes : callable, matplotlib axes
        What draws on the axes; where to draw, None makes a figure.
    """

    def __init__(self, draw: Callable[[Any], None], axes: Any = None) -> None:
        if axes is None:
            figure = required("matplotlib.figure").Figure(
                figsize=SIZE, layout="constrained", facecolor="w"
            )
            axes = figure.add_subplot()
        self.axes = axes
        draw(axes)

    def save(self, file: Any, **options: Any) -> None:
        """Write the figure, as its method ``savefig`` does."""
        self.axes.figure.savefig(file, **options)

    savefig = save  # the name that readers try

    def _repr_png_(self) -> bytes:
        file = BytesIO()
        self.save(file, format="png", dpi=110)
        return file.getvalue()


class ShownBudget:
    """A learner whose ``repr`` always shows epsilon and delta, also where they are defaults."""

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        shown = super().__repr__(N_CHAR_MAX)  # type: ignore[call-arg]  # of an estimator
        held = vars(self)
        if "delta" not in held or held.get("aggregator") is not None:
            return shown  # an aggregator has a budget of its own
        name, _, rest = shown.partition("(")

        def dropped(found: Match) -> str:
            before = rest[: found.start()]
            return found[0] if before.count("(") > before.count(")") else ""

        rest = sub(r"(?<!\w)(epsilon|delta)=[^,()\s]+(,\s*|(?=\)))", dropped, rest)
        rest = sub(r",\s*\)$", ")", rest)
        budget = ", ".join(
            f"{n}={held[n]!r}" for n in ("epsilon", "delta") if n in held
        )
        return f"{name}({budget}{'' if rest == ')' else ', '}{rest}"
