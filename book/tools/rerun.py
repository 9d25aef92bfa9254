"""Making figures anew: each figure's programme, in a process that knows nothing else.

``python -m book.tools.rerun`` reads a list of programmes from its input and writes one result for each to
its output. Each figure starts from an empty namespace; nothing of the chapter's other cells is there.
"""

import contextlib
import json
import os
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any, NamedTuple

from book.tools.chapters import ROOT
from book.tools.execute import kernel_environment
from book.tools.figures import Figure


class Remade(NamedTuple):
    """What came of making a figure anew: its record, or why there is none."""

    record: dict[str, Any] | None
    failure: str


def _made(code: list[str]) -> dict[str, Any]:
    """Run the cells of one figure; its record, or the traceback."""
    from IPython.utils.capture import RichOutput, capture_output

    from privml.notebook import FIGURE_MIME

    shown: list[RichOutput] = []
    try:
        with capture_output() as captured:
            names: dict[str, Any] = {"__name__": "__main__"}
            for cell in code:
                exec(compile(cell, "<cell>", "exec"), names)
            shown = captured.outputs
    except Exception:
        return {"record": None, "failure": traceback.format_exc()}
    records = [output.data[FIGURE_MIME] for output in shown if FIGURE_MIME in output.data]
    if len(records) != 1:
        return {"record": None, "failure": f"the cell showed {len(records)} figures, not one"}
    return {"record": records[0], "failure": ""}


def rerun(figures: list[Figure], root: Path) -> list[Remade]:
    """Make figures anew in one fresh process, in the same order."""
    asked = json.dumps([[f.parameters, f.imports, *f.before, f.call] for f in figures])
    environment = {name: value for name, value in os.environ.items() if name != "PRIVML_DATA"}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, "-m", "book.tools.rerun"],
        cwd=root / "notebooks",
        env=environment | kernel_environment(root),
        input=asked,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return [Remade(None, done.stderr) for _ in figures]
    return [Remade(**made) for made in json.loads(done.stdout)]


def main() -> None:
    """Answer the request on standard input; what the cells print goes nowhere."""
    # display() needs a shell to hand its bundles to.
    from IPython.core.interactiveshell import InteractiveShell

    InteractiveShell.instance()
    with contextlib.redirect_stdout(sys.stderr):
        made = [_made(code) for code in json.load(sys.stdin)]
    json.dump(made, sys.stdout, allow_nan=False)


if __name__ == "__main__":
    main()
