"""Write the table and the figure of `benchmarks.peers` for the book: ``python -m benchmarks.table``.

Both are made from peers.csv and peers.json: peers.md, which the book includes, and peers.svg, which carries
the fingerprint of the table.
"""

import csv
import hashlib
import io
import json
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.timing import readable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HERE = Path(__file__).resolve().parent
TOOLS = (
    "floor",
    "privml",
    "diffprivlib",
    "OpenDP",
    "dp_accounting",
    "autodp",
    "prv_accountant",
)
SHORT = {"dp_accounting": "dp_acc.", "prv_accountant": "prv_acc."}


def rows(folder: Path = HERE) -> list[dict[str, str]]:
    """Lines of the table: question, tool, seconds, times_ours, answer, note."""
    with (folder / "peers.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def about(folder: Path = HERE) -> dict:
    """When, where and with what it was measured."""
    return json.loads((folder / "peers.json").read_text(encoding="utf-8"))


def fingerprint(folder: Path = HERE) -> str:
    """Of the table as it is committed."""
    return hashlib.sha256((folder / "peers.csv").read_bytes()).hexdigest()


def questions(lines: list[dict[str, str]]) -> list[str]:
    """In their order."""
    return list(dict.fromkeys(line["question"] for line in lines))


def _times(text: str) -> str:
    value = float(text)
    if value >= 100:
        return f"{float(f'{value:.2g}'):,.0f} ×"
    return f"{value:.2g} ×" if value < 10 else f"{value:.0f} ×"


def cell(line: dict[str, str] | None) -> str:
    """How many times ours a tool takes; for ours its time; with the answer, where there is one."""
    if line is None or not line["seconds"]:
        return "" if line is None else "fails"
    unit = readable(float(line["seconds"])).replace("us", "µs")
    time = unit if line["tool"] == "privml" else _times(line["times_ours"])
    time = time.replace(" ", "\N{NO-BREAK SPACE}")
    return f"{float(line['answer']):.4g}, {time}" if line["answer"] else time


def where(facts: dict) -> str:
    """One sentence on the measurement."""
    versions = ", ".join(
        f"{name} {number}" for name, number in facts["versions"].items() if number
    )
    loads = [facts[name][0] for name in ("load_before", "load_after") if facts[name]]
    busy = " and ".join(f"{load:g}" for load in loads)
    place = f"{facts['processor']}, {facts['cores']} cores, load before and after: {busy or 'unknown'}"
    return (
        f"Measured on {facts['date']} in processor time; processor: {place}; the least of up to "
        f"{facts['repetitions']} repetitions in which all tools are asked in turn; Python {facts['python']}, "
        f"{versions}."
    )


def markdown(lines: list[dict[str, str]], facts: dict) -> str:
    """The table: one row for each question, one column for each tool, and where it was measured."""
    found = {(line["question"], line["tool"]): line for line in lines}
    heads = [SHORT.get(tool, tool) for tool in TOOLS]
    table = ["| | " + " | ".join(heads) + " |", "|---" * (len(TOOLS) + 1) + "|"]
    for question in questions(lines):
        cells = [cell(found.get((question, tool))) for tool in TOOLS]
        table.append("| " + " | ".join([question, *cells]) + " |")
    return "\n".join([*table, "", textwrap.fill(where(facts), 118), ""])


def points(lines: list[dict[str, str]]) -> dict[str, list[tuple[float, int]]]:
    """For each tool but ours: how many times ours it takes, and the place of the question from below."""
    order = questions(lines)[::-1]
    found: dict[str, list[tuple[float, int]]] = {
        tool: [] for tool in TOOLS if tool != "privml"
    }
    for line in lines:
        if line["seconds"] and line["tool"] in found:
            found[line["tool"]].append(
                (float(line["times_ours"]), order.index(line["question"]))
            )
    return found


def draw(lines: list[dict[str, str]], axes: "Axes") -> None:
    """A line for each question, a mark for each tool, at the multiple of our time."""
    from privml.figures.style import COLOURS, INK, MARKERS

    order = questions(lines)[::-1]
    axes.axvline(1.0, color=INK, linewidth=1)
    for (tool, places), colour, marker in zip(
        points(lines).items(), COLOURS, MARKERS, strict=False
    ):
        x, y = [place[0] for place in places], [place[1] for place in places]
        axes.plot(
            x,
            y,
            linestyle="none",
            marker=marker,
            color=colour,
            markersize=6,
            label=tool,
        )
    axes.set_yticks(range(len(order)), order)
    axes.set(
        xscale="log", xlabel="time, as a multiple of that of privml (the line at 1)"
    )
    axes.legend(ncols=3, fontsize=8, loc="lower center", bbox_to_anchor=(0.3, 1.0))


def picture(folder: Path = HERE, form: str = "svg") -> bytes:
    """The figure as SVG, or as PDF for the printed book, with the fingerprint of its table."""
    import matplotlib.pyplot as plt

    from privml.figures.style import style

    with style(), plt.rc_context({"svg.hashsalt": "benchmarks"}):
        figure, axes = plt.subplots(figsize=(7.2, 5.2), facecolor="white")
        draw(rows(folder), axes)
        made = io.BytesIO()
        dated, said = (
            ("Date", "Description") if form == "svg" else ("CreationDate", "Subject")
        )
        metadata = {dated: None, said: f"table {fingerprint(folder)}"}
        figure.savefig(made, format=form, metadata=metadata, bbox_inches="tight")
        plt.close(figure)
    return made.getvalue()


def main() -> int:
    """Write the table and the figure."""
    table = markdown(rows(), about())
    for form in ("svg", "pdf"):
        (HERE / f"peers.{form}").write_bytes(picture(form=form))
    (HERE / "peers.md").write_text(table, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
