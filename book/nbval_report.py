"""What nbval has just executed and found to agree need not be executed again by the build.

    python -m book.nbval_report REPORT

REPORT is nbval's own (junit). A chapter is remembered as executed when its notebook is that of its source and
each of its code cells passed; any other is left to the build. `make test` calls this last.
"""

import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

from book import check
from book.tools import staleness
from book.tools.chapters import ROOT, Chapter, chapters
from book.tools.figures import cells_of


def proved(root: Path, report: Path) -> list[Chapter]:
    """The chapters all of whose code cells passed."""
    passed, wrong = Counter(), set()
    for case in ElementTree.parse(report).iter("testcase"):
        topic = (
            case.get("classname", "").removeprefix("notebooks.").removesuffix(".ipynb")
        )
        passed[topic] += 1
        if {part.tag for part in case} & {"failure", "error", "skipped"}:
            wrong.add(topic)
    wrong |= {fault.split(":")[0] for fault in check.notebook_faults(root)}
    found = [c for c in chapters(root) if c.notebook.exists() and c.topic not in wrong]
    code = {
        c: sum(cell["cell_type"] == "code" for cell in cells_of(c.notebook))
        for c in found
    }
    return [chapter for chapter in found if 0 < passed[chapter.topic] == code[chapter]]


def main(report: str | Path, root: Path = ROOT) -> int:
    """Remember the chapters of a report; the exit status."""
    inputs, found = staleness.inputs(root), proved(root, Path(report))
    for chapter in found:
        staleness.remember(chapter, inputs.of(chapter))
    print(
        f"{len(found)} chapters agree with their committed outputs: the build need not execute them again"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
