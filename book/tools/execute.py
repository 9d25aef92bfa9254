"""Running chapters: source to executed notebook in normal form, several at a time, each in its own process.

The kernel is the interpreter that runs the build, with one thread for linear algebra, a fixed hash seed, no
settings of the reader's and no private data folder: a chapter's outputs follow from what is committed.
"""

import multiprocessing
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path
from queue import Empty
from typing import Any, NamedTuple

import jupytext
import nbformat

from book.tools.chapters import Chapter
from book.tools.normalise import faults, normalised

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
    settings = root / "_build" / "ipython"
    settings.mkdir(parents=True, exist_ok=True)
    threads = {f"{library}_NUM_THREADS": "1" for library in ("BLIS", "MKL", "NUMEXPR", "OMP", "OPENBLAS")}
    return threads | {
        "IPYTHONDIR": str(settings),
        "JUPYTER_PATH": str(Path(sys.prefix) / "share" / "jupyter"),
        "LC_ALL": "C.UTF-8",
        "MPLBACKEND": "agg",
        "PYTHONHASHSEED": "0",
        "PYTHONNOUSERSITE": "1",
        "TZ": "UTC",
    }


def foreign_library(root: Path) -> str:
    """Where kernels find the library, if that is not this root: the outputs would be those of other code."""
    there = root / "privml" / "__init__.py"
    if not there.exists():
        return ""
    asked = [sys.executable, "-c", "from importlib.util import find_spec; print(find_spec('privml').origin)"]
    environment = os.environ | kernel_environment(root)
    done = subprocess.run(
        asked, cwd=there.parent, env=environment, capture_output=True, text=True, check=False
    )
    found = done.stdout.strip()
    return found if found and Path(found).resolve() != there.resolve() else ""


def unexecuted(chapter: Chapter) -> nbformat.NotebookNode:
    """The notebook that a chapter's source describes."""
    return jupytext.read(chapter.source, fmt="md:myst")


def _counting_engine(tick: Callable[[], None]) -> str:
    """Register a papermill engine that calls `tick` after each cell; its name."""
    from papermill.engines import NBClientEngine, papermill_engines

    class CountingEngine(NBClientEngine):
        @classmethod
        def execute_managed_notebook(cls, nb_man, kernel_name, **settings):
            complete = nb_man.cell_complete
            nb_man.cell_complete = lambda *args, **kwargs: (complete(*args, **kwargs), tick())
            return super().execute_managed_notebook(nb_man, kernel_name, **settings)

    papermill_engines.register("counting", CountingEngine)
    return "counting"


def executed(
    chapter: Chapter, tick: Callable[[], None] = lambda: None, parameters: dict[str, Any] | None = None
) -> nbformat.NotebookNode:
    """Execute a chapter from its source, in the folder of the notebooks, possibly with other parameters.

    Raises
    ------
    papermill.PapermillExecutionError
        When a cell fails.
    """
    import papermill

    chapter.notebook.parent.mkdir(exist_ok=True)
    return papermill.execute_notebook(
        unexecuted(chapter),
        None,
        parameters=parameters,
        engine_name=_counting_engine(tick),
        kernel_name="python3",
        progress_bar=False,
        extra_arguments=["--log-level=40"],  # not that it talks over TCP, which is all on this machine
        cwd=chapter.notebook.parent,
        execution_timeout=SECONDS_PER_CELL,
    )


def explanation(chapter: Chapter, error: Exception) -> str:
    """A failed cell as its author needs it: chapter, cell, code and traceback."""
    if not hasattr(error, "exec_count"):
        return f"{chapter.topic}: {type(error).__name__}: {error}"
    trace = _ANSI.sub("", "\n".join(error.traceback))
    place = f"{chapter.topic}: cell {error.cell_index + 1} (code cell {error.exec_count}) failed"
    return f"{place} with {error.ename}: {error.evalue}\n\n{error.source}\n\n{trace}"


def run(chapter: Chapter, tick: Callable[[], None] = lambda: None) -> Run:
    """Execute and normalise one chapter; a failure is part of the result."""
    begin = time.perf_counter()
    text = failure = None
    try:
        notebook = executed(chapter, tick)
        if found := faults(notebook, home=str(chapter.root)):
            failure = "\n".join(f"{chapter.topic}: {fault}" for fault in found)
        else:
            text = normalised(notebook)
    except Exception as error:
        failure = explanation(chapter, error)
    return Run(chapter, time.perf_counter() - begin, text, failure)


def _begin_worker(environment: dict[str, str], log: Path, ticks: multiprocessing.Queue) -> None:
    """Set a worker process up: environment, and the kernels' own messages into a file."""
    global _TICKS
    _TICKS = ticks
    os.environ.pop("PRIVML_DATA", None)
    os.environ.update(environment)
    os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)


def _run_in_worker(chapter: Chapter) -> Run:
    return run(chapter, lambda: _TICKS.put(chapter.topic))


def _drained(ticks: multiprocessing.Queue) -> int:
    """Number of cells that were finished since the last look."""
    count = 0
    while True:
        try:
            ticks.get_nowait()
        except Empty:
            return count
        count += 1


def run_all(chapters: list[Chapter], *, jobs: int, advance: Callable[[int], None]) -> Iterator[Run]:
    """Execute chapters in parallel and yield each as it ends; after a failure no further one is begun.

    Parameters
    ----------
    chapters : list of Chapter
        All of one root.
    jobs : int
        Number of processes.
    advance : callable
        Called with the number of cells done since the last call.
    """
    log = chapters[0].root / "_build" / "reports" / "kernels.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    context = multiprocessing.get_context("spawn")
    with context.Manager() as manager:
        ticks = manager.Queue()
        setting = (kernel_environment(chapters[0].root), log, ticks)
        with ProcessPoolExecutor(jobs, context, _begin_worker, setting) as pool:
            waiting: set[Future] = {pool.submit(_run_in_worker, chapter) for chapter in chapters}
            while waiting:
                done, waiting = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
                advance(_drained(ticks))
                for result in (future.result() for future in done if not future.cancelled()):
                    if result.failure:
                        waiting = {future for future in waiting if not future.cancel()}
                    yield result
