"""What a chapter shows: live source, numbers for the prose, figures with their data, and rounded tables.

Each puts one bundle of MIME types into the notebook, so that a page needs no code to be run again; they run
in plain Jupyter, without the book's tools.
"""

import ast
import base64
import hashlib
import inspect
import json
import math
import numbers
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from privml._display import rounded_down, rounded_up
from privml._optional import required

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = [
    "FIGURE_MIME",
    "digest",
    "figure",
    "formatted",
    "show_table",
    "show_source",
    "glue",
]
__dir__ = __all__.copy

FIGURE_MIME = "application/vnd.privml.figure+json"
GLUE_PREFIX = "application/papermill.record/"
RECORD_DIGITS = 9  # significant ones of a published table, the same on every processor
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def formatted(
    number: Any, digits: int | None = 3, *, up: bool = False, down: bool = False
) -> str:
    """Text of a number: whole numbers in full, others to `digits` significant digits.

    Parameters
    ----------
    number : object
        What to print; text is returned as it is.
    digits : int or None
        Number of significant digits, a positive integer; None for all that the number has, as in prose.
    up, down : bool
        Whether to round up, as an epsilon or a delta must be, or down, as a lower limit of one.

    Returns
    -------
    str
        Plain notation between 0.0001 and 10 ** max(digits, 6), powers of ten outside.

    Examples
    --------
    >>> formatted(0.123456), formatted(1234.5), formatted(12), formatted(0.5)
    ('0.123', '1230', '12', '0.500')
    >>> formatted(0.1237), formatted(0.1231, up=True), formatted(0.1237, down=True)
    ('0.124', '0.124', '0.123')
    >>> formatted(1.5e-9)
    '1.50 × 10⁻⁹'
    >>> [formatted(given, None) for given in (1.0, 0.05, 1e-5, 3e-7, 10_000)]
    ['1', '0.05', '10⁻⁵', '3 × 10⁻⁷', '10,000']
    """
    if (
        isinstance(number, str | bool)
        or hasattr(number, "dtype")
        and number.dtype.kind == "b"
    ):
        return str(number)
    if isinstance(number, numbers.Integral):
        return str(int(number)) if digits else f"{int(number):,}"
    number = math.nan if number is None else float(number)
    if not math.isfinite(number):
        return "–" if math.isnan(number) else ("∞" if number > 0 else "-∞")
    if number == 0:
        return "0"
    if digits is None:
        return _in_full(number)
    if up or down:
        number = float((rounded_up if up else rounded_down)(number, digits))
    mantissa, exponent = f"{number:.{digits - 1}e}".split("e")
    power = int(exponent)
    if -5 < power < max(digits, 6):
        return f"{float(f'{mantissa}e{power}'):.{max(digits - 1 - power, 0)}f}"
    return f"{mantissa} × 10{str(power).translate(_SUPERSCRIPTS)}"


def _in_full(number: float) -> str:
    """A number with all its digits but no more, as prose writes it."""
    mantissa, exponent = f"{number:.11e}".split("e")
    power, mantissa = int(exponent), mantissa.rstrip("0").rstrip(".")
    if -5 < power < 12:
        return f"{number:,.12g}"
    raised = f"10{str(power).translate(_SUPERSCRIPTS)}"
    return raised if mantissa == "1" else f"{mantissa} × {raised}"


def _display(
    bundle: dict[str, object], metadata: dict[str, object] | None = None
) -> None:
    required("IPython.display").display(bundle, raw=True, metadata=metadata or {})


def glue(name: str, number: Any, digits: int | None = 3, *, up: bool = False) -> None:
    """Give a number a name, so that the text can show it with ``{glue:text}`name```.

    Parameters
    ----------
    name : str
        Name, unique in its chapter.
    number : object
        What to print; text is taken as it is.
    digits : int
        Number of significant digits, a positive integer; None is all of them.
    up : bool
        Whether to round up, as an epsilon or a delta must be.

    Raises
    ------
    ValueError
        If the number is NaN.
    """
    if not isinstance(number, str) and math.isnan(number):
        raise ValueError(
            f"{name} must be a number to stand in a sentence, but got {number!r}."
        )
    record = {"name": name, "mime_prefix": GLUE_PREFIX}
    _display(
        {GLUE_PREFIX + "text/plain": formatted(number, digits, up=up)},
        {"scrapbook": record},
    )


def _docstring_lines(tree: ast.AST) -> set[int]:
    """Line numbers of all docstrings below `tree` (a body that is only a docstring keeps it)."""
    lines: set[int] = set()
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.FunctionDef | ast.ClassDef)
            and ast.get_docstring(node) is not None
        ):
            first = node.body[0]
            if len(node.body) > 1 and first.lineno > node.lineno:
                lines.update(
                    range(first.lineno, (first.end_lineno or first.lineno) + 1)
                )
    return lines


def _without_docstrings(text: str) -> str:
    """Drop the docstrings of a piece of code and the blank lines that follow them."""
    dropped, kept, after_docstring = _docstring_lines(ast.parse(text)), [], False
    for number, line in enumerate(text.splitlines(), 1):
        after_docstring = number in dropped or (after_docstring and not line.strip())
        if not after_docstring:
            kept.append(line)
    return "\n".join(kept)


def _code(member: Any) -> str:
    """Source text of a function, class, method or property under a comment that says where it lives."""
    member = getattr(member, "fget", None) or getattr(member, "func", None) or member
    text = textwrap.dedent(inspect.getsource(member)).rstrip()
    heading = f"# {member.__module__}"
    if "." in member.__qualname__:
        heading += f", {member.__qualname__}"
    heading = (
        "" if member.__module__ == "__main__" else f"{heading}\n"
    )  # what the page itself defines
    return f"{heading}{_without_docstrings(text)}"


def show_source(*objects: object) -> None:
    """Show the live source of functions, classes, methods or properties, docstrings dropped.

    Parameters
    ----------
    *objects : object
        What to show, docstrings dropped.
    """
    code = "\n\n\n".join(_code(member) for member in objects)
    _display({"text/markdown": f"```python\n{code}\n```", "text/plain": code})


def _plain(entry: object) -> object:
    """An entry of a table as JSON holds it: floats to 9 significant digits, NaN as null, infinity as text."""
    entry = entry.item() if hasattr(entry, "item") else entry
    if isinstance(entry, float):
        if math.isinf(entry):
            return "inf" if entry > 0 else "-inf"
        return None if math.isnan(entry) else float(f"{entry:.{RECORD_DIGITS - 1}e}")
    if entry is None or isinstance(entry, str | bool | int):
        return entry
    raise TypeError(
        f"table must hold numbers, text and truth values, but got {entry!r}."
    )


def _record(
    draw: Callable, table: "DataFrame", size: tuple[float, float], options: dict
) -> dict[str, Any]:
    """What is published with a figure: name of the draw function, options, size, and the rounded table."""
    return {
        "draw": draw.__name__,
        "options": json.loads(json.dumps(options, allow_nan=False)),
        "size": list(size),
        "columns": [str(column) for column in table.columns],
        "rows": [
            [_plain(entry) for entry in row]
            for row in table.itertuples(index=False, name=None)
        ],
    }


def digest(record: dict[str, object]) -> str:
    """Fingerprint of a figure's record, which its picture carries too: it says which table was drawn.

    Parameters
    ----------
    record : dict
        Record of a figure, of what JSON holds.

    Examples
    --------
    >>> digest({"draw": "line", "rows": []}) == digest({"rows": [], "draw": "line"})
    True
    """
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


def figure(
    draw: Callable,
    table: "DataFrame",
    *,
    size: tuple[float, float] = (6.4, 4),
    **options: Any,
) -> None:
    """Draw a table by ``draw(table, axes, **options)`` and display picture and table as one bundle.

    Parameters
    ----------
    draw : callable
        From the table, axes and the options to a drawing.
    table : DataFrame
        Numbers, text and truth values.
    size : tuple of float
        Here width and height in inches.
    **options : object
        Passed to `draw` and recorded: numbers, text and lists.

    Raises
    ------
    TypeError
        If the table holds anything else.
    """
    from privml.figures.style import picture

    record = _record(draw, table, size, options)
    summary = (
        f"<figure {draw.__name__}: {len(table)} rows of {', '.join(record['columns'])}>"
    )
    png = picture(
        draw,
        table,
        size,
        options,
        metadata={"Software": None, "Comment": digest(record)},
    )
    encoded = base64.b64encode(png).decode()  # not every kernel turns bytes into text
    _display({"image/png": encoded, "text/plain": summary, FIGURE_MIME: record})


def show_table(table: "DataFrame", digits: int = 3) -> None:
    """Display a table with rounded numbers (:func:`formatted`), without its index.

    Parameters
    ----------
    table : DataFrame
        Numbers, text and truth values.
    digits : int
        Number of significant digits, a positive integer.
    """
    rounded = table.map(lambda entry: formatted(entry, digits)) if len(table) else table
    html = rounded.to_html(
        index=False, border=0, justify="left", classes="table privml-table"
    )
    _display({"text/html": html, "text/plain": rounded.to_string(index=False)})
