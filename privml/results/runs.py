"""Making the table of a study: many jobs on many processes, which may be stopped and taken up again.

    python -m privml.results.table4 --jobs 2                on one machine
    python -m privml.results.table4 --cluster ADDRESS       on a Dask cluster (extra `scale`)

A *job* is a part of a study that makes one or a few rows. Its rows are written to a file of their own as soon
as they come in, all or nothing, and a job whose file exists is done. So a run that is interrupted loses the
jobs under way and nothing else, no row can appear twice, and the next run takes up the rest. Rows depend on
the parameters and the name of the job only: the number of processes and the order of the jobs do not matter.
"""

import argparse
import difflib
import hashlib
import json
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import version
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from privml._optional import progress, required
from privml.datasets.base import Dataset, cache, write_whole

if TYPE_CHECKING:
    from pandas import DataFrame

ATTEMPTS = 3  # how often a pool whose workers die is started, at most
ROWS = 1024  # records that are unpacked at a time
_BESIDE = Path(__file__).resolve().parents[2] / "results"
FOLDER = (
    _BESIDE if _BESIDE.is_dir() else Path(__file__).resolve().parent
)  # where studies and tables are


@dataclass(frozen=True)
class Study:
    """How a table is made: each job holds the arguments of `work` for one part of it, in order."""

    name: str
    columns: tuple[str, ...]
    jobs: tuple[tuple, ...]
    work: Callable[
        ..., list[tuple]
    ]  # a function of a module, so that it can be sent to other processes
    parameters: dict[str, object]  # what is published, the seed among them
    data: dict[str, Callable[[], Dataset]] = field(
        default_factory=dict
    )  # loaders of the records
    digits: int = 9  # significant ones of the published numbers

    @property
    def command(self) -> str:
        """What makes the table."""
        return f"python -m privml.results.{self.name.replace('-', '_')}"


def tables() -> list[str]:
    """Names of the tables that are there.

    Returns
    -------
    list
        In alphabetical order.

    Examples
    --------
    >>> "table4" in tables()
    True
    """
    return sorted(file.stem for file in FOLDER.glob("*.csv"))


def _known(name: str) -> str:
    if name not in tables():
        near = ", ".join(
            difflib.get_close_matches(name, tables(), 3, 0.3)
        ) or ", ".join(tables())
        raise ValueError(
            f"name must be that of a table, but got {name!r}. Did you mean {near}?"
        )
    return name


def read(name: str) -> "DataFrame":
    """A committed table.

    Parameters
    ----------
    name : str
        Name of a table, one of :func:`tables`.

    Returns
    -------
    DataFrame
        With the columns of the study.

    Raises
    ------
    ValueError
        If there is no such table.

    Examples
    --------
    >>> read("experts-cost").columns.tolist()
    ['task', 'k', 'T', 'seconds']
    """
    return required("pandas").read_csv(FOLDER / f"{_known(name)}.csv")


def origin(name: str) -> dict[str, Any]:
    """How a committed table was made: command, version, parameters, sizes and checksums of the records.

    Parameters
    ----------
    name : str
        Name of a table, one of :func:`tables`.

    Returns
    -------
    dict
        What the file beside the table says, by these names.

    Raises
    ------
    ValueError
        If there is no such table.

    Examples
    --------
    >>> origin("table4")["parameters"]["repetitions"]
    30
    """
    return json.loads((FOLDER / f"{_known(name)}.json").read_text(encoding="utf-8"))


def study(name: str) -> Study:
    """The study that makes a table.

    Parameters
    ----------
    name : str
        Name of a table, one of :func:`tables`.

    Raises
    ------
    ValueError
        If there is no such table.

    Examples
    --------
    >>> study("experts-cost").columns
    ('task', 'k', 'T', 'seconds')
    """
    return import_module(f"privml.results.{_known(name).replace('-', '_')}").STUDY


class Incomplete(RuntimeError):
    """Some jobs failed; what the others found is kept, and a new run takes up the rest."""


def _described(data: Dataset) -> dict[str, Any]:
    """Size and checksum of records; sparse ones are unpacked in blocks."""
    digest = hashlib.sha256()
    for start in range(0, len(data.y), ROWS):
        rows = data.X[start : start + ROWS]
        rows = rows if isinstance(rows, np.ndarray) else rows.toarray()
        digest.update(np.ascontiguousarray(rows).tobytes())
    digest.update(data.y.tobytes())
    sizes = {"n_samples": len(data.y), "n_features": data.X.shape[1]}
    return sizes | {"sha256_of_records": digest.hexdigest()}


def _plain(entry: object) -> Any:
    """Parameters as JSON holds them: infinities as text."""
    if isinstance(entry, dict):
        return {str(key): _plain(value) for key, value in entry.items()}
    if isinstance(entry, list | tuple):
        return [_plain(value) for value in entry]
    return str(entry) if isinstance(entry, float) and not isfinite(entry) else entry


def provenance(study: Study) -> dict[str, Any]:
    """What a reader needs to make a table again."""
    note = {
        "command": study.command,
        "privml": version("privml"),
        "parameters": _plain(study.parameters),
    }
    data = {name: _described(load()) for name, load in study.data.items()}
    return note | ({"data": data} if data else {})


def write(study: Study, table: "DataFrame", folder: Path) -> None:
    """Write a table as CSV, and how it was made as JSON beside it, each all or nothing."""
    text = table.to_csv(
        index=False, float_format=f"%.{study.digits}g", lineterminator="\n"
    )
    note = json.dumps(provenance(study), indent=2, ensure_ascii=False) + "\n"
    write_whole(folder / f"{study.name}.csv", text.encode())
    write_whole(folder / f"{study.name}.json", note.encode())


def _attempt(
    work: Callable[..., list[tuple]], number: int, job: tuple
) -> tuple[int, list | None, str]:
    """Rows of a job, or None and what went wrong."""
    from threadpoolctl import threadpool_limits

    try:
        with threadpool_limits(1):
            return number, [list(row) for row in work(*job)], ""
    except Exception as error:  # reported by `run` with the name of the job
        return number, None, f"{type(error).__name__}: {error}"


class _Parts:
    """The finished jobs of a study: one file each in a folder that holds no other study's."""

    def __init__(self, study: Study, folder: Path) -> None:
        self.study, self.folder = study, folder
        entries = {
            "name": study.name,
            "parameters": study.parameters,
            "jobs": study.jobs,
        }
        note, text = (
            folder / "study.json",
            json.dumps(_plain(entries), indent=2, sort_keys=True),
        )
        if note.exists() and note.read_text(encoding="utf-8") != text:
            raise ValueError(
                f"folder must be empty or hold a run of the same study, but got {str(folder)!r}."
            )
        if not note.exists():
            write_whole(note, text.encode())

    def file(self, number: int) -> Path:
        return self.folder / f"{number:05d}.json"

    def pending(self) -> list[int]:
        return [
            number
            for number in range(len(self.study.jobs))
            if not self.file(number).exists()
        ]

    def keep(self, number: int, rows: list[list]) -> None:
        entries = [
            [entry.item() if hasattr(entry, "item") else entry for entry in row]
            for row in rows
        ]
        write_whole(self.file(number), json.dumps(entries).encode())

    def rows(self) -> Iterator[list]:
        for number in range(len(self.study.jobs)):
            yield from json.loads(self.file(number).read_text(encoding="utf-8"))

    def clear(self) -> None:
        for file in [
            *map(self.file, range(len(self.study.jobs))),
            self.folder / "study.json",
        ]:
            file.unlink(missing_ok=True)


def run(study: Study, folder: Path, *, n_jobs: int | None = None) -> "DataFrame":
    """Run the jobs that are not done yet, and return the rows of all; finished ones are kept in the folder.

    Within ``joblib.parallel_config("dask")`` the jobs go to a cluster.  Of jobs that failed, or died in every
    attempt, an :class:`Incomplete` tells the names; what was written is whole and taken up by the next run.
    """
    parts = _Parts(study, folder)
    if failed := _run_pending(parts, n_jobs):
        jobs = {number: " ".join(map(str, study.jobs[number])) for number in failed}
        reasons = "; ".join(f"{jobs[number]}: {why}" for number, why in failed.items())
        raise Incomplete(f"{len(failed)} of {len(study.jobs)} jobs failed: {reasons}")
    return required("pandas").DataFrame(list(parts.rows()), columns=list(study.columns))


def _run_pending(parts: _Parts, n_jobs: int | None) -> dict[int, str]:
    """Run what is not done, in several attempts if workers die; the jobs that failed, and why."""
    from joblib import Parallel, delayed

    failed: dict[int, str] = {}
    todo, broken, jobs = parts.pending(), "", parts.study.jobs
    with progress(
        total=len(jobs), initial=len(jobs) - len(todo), desc="jobs", disable=None
    ) as bar:
        for _ in range(ATTEMPTS):
            if not (
                todo := [number for number in parts.pending() if number not in failed]
            ):
                break
            try:
                pool = Parallel(
                    n_jobs=n_jobs, return_as="generator_unordered", batch_size=1
                )
                for number, rows, why in pool(
                    delayed(_attempt)(parts.study.work, n, jobs[n]) for n in todo
                ):
                    if rows is None:
                        failed[number] = why
                    else:
                        parts.keep(number, rows)
                    bar.update()
            except BrokenProcessPool as error:  # joblib's TerminatedWorkerError is one
                broken = f"a worker died ({type(error).__name__})"
    return failed | {
        number: broken for number in parts.pending() if number not in failed
    }


def main(name: str, arguments: list[str] | None = None) -> None:
    """Make a table anew; may be stopped and started again."""
    result = study(
        name
    )  # by its module's name, so that other processes find its functions
    parser = argparse.ArgumentParser(prog=result.command, description=main.__doc__)
    parser.add_argument("--jobs", type=int, help="processes")
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="of the scheduler of a Dask cluster"
    )
    parser.add_argument(
        "--parts", type=Path, default=cache() / name, help="for finished jobs"
    )
    parser.add_argument("--to", type=Path, default=FOLDER, help="where the table goes")
    chosen = parser.parse_args(arguments)
    with ExitStack() as stack:
        if chosen.cluster:
            from distributed import Client
            from joblib import parallel_config

            stack.enter_context(Client(chosen.cluster))
            stack.enter_context(parallel_config("dask"))
        table = run(result, chosen.parts, n_jobs=chosen.jobs)
    write(result, table, chosen.to)
    _Parts(result, chosen.parts).clear()
    print(f"wrote {name}.csv and {name}.json in {chosen.to}")
