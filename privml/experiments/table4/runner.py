"""Many repetitions on many processes, which may be stopped and taken up again at any time.

A *job* is one repetition on one data set.  Its rows are written by the parent process to a file of their own
as soon as they come in, all or nothing; a job whose file exists is done.  So a run that is interrupted loses
the jobs under way and nothing else, and no row can appear twice.  Rows depend on the seed and on the name of
the job only, so that the number of processes and the order of the jobs do not matter.

A job that raises is reported at the end, with the others done.  If a worker process dies, which takes the
whole pool with it, the jobs that are not done are started again, three times in all.  The pool is joblib's:
``with joblib.parallel_config("dask"): run(...)`` uses a cluster instead.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from io import StringIO
from pathlib import Path

import pandas as pd

from privml import _check as check
from privml.datasets.base import write
from privml.experiments.table4.base import LOADERS
from privml.experiments.table4.methods import METHODS
from privml.experiments.table4.protocol import repetition

ATTEMPTS = 3
"""How often a pool is started, at most."""

Job = tuple[str, int]


class Incomplete(RuntimeError):
    """Some jobs failed; what the others found is kept, and a new run takes up the rest."""


def _file(folder: Path, job: Job) -> Path:
    return folder / f"{job[0]}-{job[1]:03d}.csv"


def _attempt(work: Callable[..., pd.DataFrame], job: Job, options: dict) -> tuple[Job, str | None, str]:
    """Rows of a job as text, or None and what went wrong."""
    from threadpoolctl import threadpool_limits

    try:
        with threadpool_limits(1):
            return job, _text(work(*job, **options)), ""
    except Exception as error:  # reported by `run` with the name of the job
        return job, None, f"{type(error).__name__}: {error}"


def _text(table: pd.DataFrame) -> str:
    return table.to_csv(index=False, float_format="%.9g", lineterminator="\n")


def _results(pending: list[Job], work: Callable, options: dict, n_jobs: int | None) -> Iterator:
    """Results as they come in."""
    from joblib import Parallel, delayed

    if n_jobs in (None, 1):
        yield from (_attempt(work, job, options) for job in pending)
    else:
        pool = Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)
        yield from pool(delayed(_attempt)(work, job, options) for job in pending)


def _claim(folder: Path, parameters: dict) -> None:
    """Take a folder for a run with these parameters, or refuse one that holds another run."""
    note, text = folder / "run.json", json.dumps(parameters, indent=2, sort_keys=True)
    if note.exists() and note.read_text(encoding="utf-8") != text:
        raise ValueError(f"folder must be empty or hold a run with the same parameters, got {str(folder)!r}")
    if not note.exists():
        write(note, text.encode())


def run(
    names: Sequence[str],
    *,
    epsilons: Sequence[float],
    n_repetitions: int,
    seed: int,
    folder: Path,
    methods: Sequence[str] = METHODS,
    n_jobs: int | None = None,
    work: Callable[..., pd.DataFrame] = repetition,
) -> pd.DataFrame:
    """Run all repetitions that are not done yet, and return the rows of all.

    Parameters
    ----------
    names : sequence of str
        Data sets, of ``LOADERS``.
    epsilons : sequence of float
        In nats; infinity is no noise.
    n_repetitions : int
        Repetitions on each data set.
    seed : int
        Seed of the run.
    folder : Path
        Where finished jobs are kept.
    methods : sequence of str
        Of ``METHODS``.
    n_jobs : int, optional
        Processes, as joblib takes it; None is this one.
    work : callable
        Makes the rows of a job; `repetition` unless a test says otherwise.

    Returns
    -------
    DataFrame
        Rows in the order of data sets, repetitions and tasks.

    Raises
    ------
    ValueError
        If a parameter is out of range or the folder holds another run.
    Incomplete
        If jobs failed, or died in every attempt; the message names them.
    OSError
        If a file cannot be written; what was written before is whole and is taken up by the next run.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> options = {"epsilons": [1.0], "n_repetitions": 2, "seed": 0, "methods": ["PSQ"]}
    >>> with TemporaryDirectory() as folder:
    ...     run(["halfspace"], folder=Path(folder), **options).shape
    (6, 9)
    """
    for name in names:
        check.one_of(LOADERS, name=name)
    check.positive_integer(n_repetitions=n_repetitions)
    folder.mkdir(parents=True, exist_ok=True)
    options = {"epsilons": [float(e) for e in epsilons], "methods": list(methods), "seed": seed}
    _claim(folder, options)
    jobs = [(name, number) for name in names for number in range(n_repetitions)]
    failed = _run_pending(jobs, work, options, folder, n_jobs)
    if failed:
        shown = "; ".join(f"{name} {number}: {reason}" for (name, number), reason in failed.items())
        raise Incomplete(f"{len(failed)} of {len(jobs)} jobs failed: {shown}")
    tables = [pd.read_csv(StringIO(_file(folder, job).read_text(encoding="utf-8"))) for job in jobs]
    return pd.concat(tables, ignore_index=True).assign(epsilon=lambda table: table["epsilon"].astype(float))


def _run_pending(
    jobs: list[Job], work: Callable, options: dict, folder: Path, n_jobs: int | None
) -> dict[Job, str]:
    """Run what is not done, in several attempts if workers die; returns the jobs that failed, and why."""
    from tqdm import tqdm

    failed: dict[Job, str] = {}
    done = sum(_file(folder, job).exists() for job in jobs)
    with tqdm(total=len(jobs), initial=done, desc="repetitions", disable=None) as bar:
        for _ in range(ATTEMPTS):
            pending = [job for job in jobs if not _file(folder, job).exists() and job not in failed]
            if not pending:
                break
            try:
                for job, text, reason in _results(pending, work, options, n_jobs):
                    if text is None:
                        failed[job] = reason
                    else:
                        write(_file(folder, job), text.encode())
                    bar.update()
            except BrokenProcessPool as error:  # joblib's TerminatedWorkerError is one
                broken = f"a worker died ({type(error).__name__})"
        lost = [job for job in jobs if not _file(folder, job).exists() and job not in failed]
        return failed | dict.fromkeys(lost, broken if lost else "")
