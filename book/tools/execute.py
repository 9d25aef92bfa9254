"""Running chapters: source to executed notebook in normal form, several at a time, each in its own process.

The kernel is the interpreter that runs the build, with one thread for linear algebra, a fixed hash seed, no
settings of the reader's and no private data folder: a chapter's outputs follow from what is committed.
"""

import multiprocessing
import os
import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import jupytext
import nbformat
from jupyter_client import AsyncKernelManager

from book.tools.chapters import Chapter
from book.tools.forms import first_lines
from book.tools.normalise import machine_faults, normalised

SECONDS_PER_CELL = 600
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


class Run(NamedTuple):
    """What came of executing one chapter: the text of its notebook, or why there is none."""

    chapter: Chapter
    seconds: float
    text: str | None
    failure: str | None


def kernel_environment(root: Path) -> dict[str, str]:
    """Environment variables of the kernels: everything that could make two machines differ is fixed."""
    settings, fonts = root / "_build" / "ipython", root / "_build" / "matplotlib"
    for folder in (settings, fonts):
        folder.mkdir(parents=True, exist_ok=True)
    threads = {
        f"{library}_NUM_THREADS": "1"
        for library in ("BLIS", "MKL", "NUMEXPR", "OMP", "OPENBLAS")
    }
    return threads | {
        "IPYTHONDIR": str(settings),
        "JUPYTER_PATH": str(Path(sys.prefix) / "share" / "jupyter"),
        "LC_ALL": "C.UTF-8",
        "MPLBACKEND": "agg",
        "MPLCONFIGDIR": str(
            fonts
        ),  # its list of fonts, which another checkout may have left without any
        "MPL_IGNORE_SYSTEM_FONTS": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONNOUSERSITE": "1",
        "TZ": "UTC",
    }


def unexecuted(chapter: Chapter) -> nbformat.NotebookNode:
    """The notebook that a chapter's source describes."""
    return jupytext.read(chapter.source, fmt="md:myst")


def executed(
    chapter: Chapter, parameters: dict[str, Any] | None = None
) -> nbformat.NotebookNode:
    """Execute a chapter from its source, possibly with other parameters."""
    return run_cells(chapter.root, unexecuted(chapter), parameters)


def run_cells(
    root: Path,
    notebook: nbformat.NotebookNode,
    parameters: dict[str, Any] | None = None,
) -> nbformat.NotebookNode:
    """Execute a notebook in a fresh kernel, in the folder of the notebooks; the first error is raised.

    The library is that of this root, wherever another one is installed.
    """
    import papermill

    (root / "notebooks").mkdir(exist_ok=True)
    found = os.pathsep.join(filter(None, [str(root), os.environ.get("PYTHONPATH")]))
    quietly = patch.object(
        AsyncKernelManager, "_async_interrupt_kernel"
    )  # of an idle kernel it is an error
    with (
        patch.dict(os.environ, kernel_environment(root) | {"PYTHONPATH": found}),
        quietly,
    ):
        os.environ.pop("PRIVML_DATA", None)
        return papermill.execute_notebook(
            notebook,
            None,
            parameters=parameters,
            kernel_name="python3",
            progress_bar=False,
            extra_arguments=[
                "--log-level=40"
            ],  # not that it talks over TCP, which is all on this machine
            cwd=root / "notebooks",
            execution_timeout=SECONDS_PER_CELL,
            coalesce_streams=True,  # where they break is an accident of timing
        )


def explanation(name: str, error: Any) -> str:
    """A failed cell as its author needs it: chapter or figure, cell, code and traceback."""
    if not hasattr(error, "exec_count"):
        return f"{name}: {type(error).__name__}: {error}"
    trace = _ANSI.sub("", "\n".join(error.traceback))
    place = f"{name}: cell {error.cell_index + 1} (code cell {error.exec_count}) failed"
    return f"{place} with {error.ename}: {error.evalue}\n\n{error.source}\n\n{trace}"


def run(chapter: Chapter) -> Run:
    """Execute and normalise one chapter; a failure is part of the result."""
    begin = time.perf_counter()
    text = failure = None
    try:
        notebook = executed(chapter)
        if found := machine_faults(notebook, home=str(chapter.root)):
            failure = "\n".join(f"{chapter.topic}: {fault}" for fault in found)
        else:
            text = normalised(notebook)
    except Exception as error:
        at, said = getattr(error, "cell_index", None), chapter.source.read_text()
        line = (
            "" if at is None else f"book/{chapter.topic}.md:{first_lines(said)[at]}: "
        )
        failure = line + explanation(chapter.topic, error)
    return Run(chapter, time.perf_counter() - begin, text, failure)


def _begin_worker(log: Path) -> None:
    """Let the kernels of a worker process write their own messages into a file."""
    os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)


def run_all(chapters: list[Chapter], *, jobs: int) -> Iterator[Run]:
    """Execute chapters of one root, several at a time, and yield each as it ends; a failure ends the rest."""
    log = chapters[0].root / "_build" / "reports" / "kernels.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(
        jobs, multiprocessing.get_context("spawn"), _begin_worker, (log,)
    ) as pool:
        waiting = [pool.submit(run, chapter) for chapter in chapters]
        for result in (
            future.result()
            for future in as_completed(waiting)
            if not future.cancelled()
        ):
            if result.failure:
                for future in waiting:
                    future.cancel()
            yield result
