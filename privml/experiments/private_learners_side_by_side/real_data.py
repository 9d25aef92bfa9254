"""Accuracy of every method on real records, over splits and draws; resumable, one row at a time.

The splits are scikit-learn's stratified ones with the seeds 0, 1, ...: those of the quoted numbers.  Rows are
made from public ranges only.
"""

import json
from collections.abc import Callable, Iterator
from math import inf, sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from privml.datasets import Dataset, load_a9a, load_breast_cancer, load_digits_below_five
from privml.experiments.private_learners_side_by_side.methods import (
    EPSILONS,
    METHODS,
    NONE,
    NORM,
    Method,
    fitted,
    not_private,
)
from privml.experiments.private_learners_side_by_side.quoted import quoted
from privml.experiments.results import RESULTS
from privml.learners.perturbation import centred_rows

TEST_SHARE = 0.3
NAME = "private-erm"
COLUMNS = ["data", "method", "promise", "epsilon", "norm", "accuracy", "error", "n_fits"]
KEY = COLUMNS[:4]

RUN = {
    "epsilons": list(EPSILONS),
    "norm": NORM,
    "n_splits": 20,
    "n_draws": {"breast cancer": 10, "digits": 10, "a9a": 3},
    "n_draws_of_sampling": 1,
    "seed": 0,
}
"""Parameters of the committed table."""

Split = tuple[NDArray, NDArray, NDArray, NDArray]


class Task(NamedTuple):
    """Records, how they become rows, and training and test records for each seed."""

    name: str
    data: Callable[[], Dataset]
    splits: Callable[[int], list[Split]]


def _stratified(load: Callable[[], Dataset], flipped: bool = False) -> Callable[[int], list[Split]]:
    """Splits of scikit-learn, which depend on which label it calls 1."""

    def splits(n_splits: int) -> list[Split]:
        data = load()
        rows, found = centred_rows(data.X), []
        for seed in range(n_splits):
            parts = train_test_split(
                rows, data.y, test_size=TEST_SHARE, random_state=seed, stratify=data.y ^ flipped
            )
            found.append((parts[0], parts[2], parts[1], parts[3]))
        return found

    return splits


def _published(n_splits: int) -> list[Split]:
    """The published parts of a9a; a row has at most 14 ones, so its length is at most 1 after division."""
    train, test = load_a9a("train"), load_a9a("test")
    return [(train.X.toarray() / sqrt(14), train.y, test.X.toarray() / sqrt(14), test.y)]


TASKS = (
    Task("breast cancer", load_breast_cancer, _stratified(load_breast_cancer, True)),
    Task("digits", load_digits_below_five, _stratified(load_digits_below_five)),
    Task("a9a", load_a9a, _published),
)


def _summary(splits: list[Split], scores: Callable[[Split, int], list[float]]) -> tuple[float, float, int]:
    """Mean accuracy, its standard error over the means of splits, and the number of fits."""
    found = [scores(split, number) for number, split in enumerate(splits)]
    flat = np.concatenate(found)
    means = np.array([np.mean(f) for f in found]) if len(found) > 1 else flat
    error = means.std(ddof=1) / sqrt(len(means)) if len(means) > 1 else 0.0
    return float(flat.mean()), float(error), len(flat)


def private_row(task: str, method: Method, epsilon: float, splits: list[Split], n_draws: int) -> tuple:
    """One row of the table for one private method and one epsilon.

    Examples
    --------
    >>> split = centred_rows([[0.0], [1.0]]), np.array([False, True])
    >>> private_row("toy", METHODS[0], 1e6, [split + split], 2)[5:]
    (1.0, 0.0, 2)
    """

    def scores(split: Split, number: int) -> list[float]:
        X, y, Z, v = split
        seeds = [1000 * number + draw for draw in range(n_draws)]
        return [fitted(method, epsilon, X, y, seed).score(Z, v) for seed in seeds]

    norm = method.norm if method.norm < inf else np.nan
    return (task, method.name, method.promise, epsilon, norm, *_summary(splits, scores))


def reference_rows(task: str, splits: list[Split]) -> list[tuple]:
    """Logistic regression without privacy, and the majority label.

    Examples
    --------
    >>> split = centred_rows([[0.0], [1.0]]), np.array([False, True])
    >>> [row[5] for row in reference_rows("toy", [split + split])]
    [1.0, 0.5]
    """

    def plain(split: Split, number: int) -> list[float]:
        return [not_private().fit(split[0], split[1]).score(split[2], split[3])]

    def majority(split: Split, number: int) -> list[float]:
        return [float((split[3] == (2 * split[1].sum() > len(split[1]))).mean())]

    names = (("logistic regression", plain), ("majority label", majority))
    return [(task, name, NONE, inf, np.nan, *_summary(splits, scores)) for name, scores in names]


def rows(task: Task, done: set[tuple], run: dict) -> Iterator[tuple]:
    """The rows of one data set that are not done yet, each as soon as it is computed."""
    splits = task.splits(run["n_splits"])
    for method in METHODS:
        sampling = method.name == "exponential sampling"
        if sampling and task.name == "a9a":
            continue
        n_draws = run["n_draws_of_sampling"] if sampling else run["n_draws"][task.name]
        for epsilon in run["epsilons"]:
            if (task.name, method.name, method.promise, epsilon) not in done:
                yield private_row(task.name, method, epsilon, splits, n_draws)
    if (task.name, "majority label", NONE, inf) not in done:
        yield from reference_rows(task.name, splits)


def make(tasks: tuple[Task, ...] = TASKS, run: dict = RUN, folder: Path = RESULTS) -> pd.DataFrame:
    """Make the table, or finish it: rows already in a partial file of the same parameters are kept.

    Parameters
    ----------
    tasks : sequence of Task
        Data sets.
    run : dict
        Parameters, as `RUN`.
    folder : Path
        Where the partial file lives; it is removed at the end.

    Returns
    -------
    DataFrame
        Columns `COLUMNS`; epsilon is infinite where there is no privacy.
    """
    partial = folder / f"{NAME}.partial"
    lines = partial.read_text().splitlines() if partial.is_file() else []
    found = [tuple(json.loads(line)) for line in lines[1:]] if lines[:1] == [json.dumps(run)] else []
    if not found:
        partial.write_text(json.dumps(run) + "\n")
    done = {row[:4] for row in found}
    with partial.open("a") as file:
        for task in tasks:
            for row in rows(task, done, run):
                found.append(row)
                file.write(json.dumps(row) + "\n")
                file.flush()
    partial.unlink()
    order = {task.name: number for number, task in enumerate(tasks)}
    table = pd.DataFrame(found, columns=COLUMNS)
    return table.sort_values("data", key=lambda names: names.map(order), kind="stable", ignore_index=True)


def committed() -> pd.DataFrame:
    """The table that is committed under ``results/``.

    Returns
    -------
    DataFrame

    Raises
    ------
    FileNotFoundError
        If the package is not in its repository.

    Examples
    --------
    >>> committed().columns.tolist() == COLUMNS
    True
    """
    return pd.read_csv(RESULTS / f"{NAME}.csv")


def accuracies(data: str) -> pd.DataFrame:
    """Committed accuracies on one data set, with the quoted ones below, spread out over epsilon.

    Parameters
    ----------
    data : str
        Name of a data set.

    Returns
    -------
    DataFrame
        Columns ``method``, ``promise`` and one for each epsilon.

    Examples
    --------
    >>> accuracies("digits").shape
    (14, 6)
    """
    ours, theirs = committed(), quoted()
    ours = ours[(ours["data"] == data) & np.isfinite(ours["epsilon"])]
    theirs = theirs[theirs["data"] == data].assign(method=lambda t: t["method"] + " [quoted]")
    both = pd.concat([ours, theirs])
    wide = both.pivot_table(index=["method", "promise"], columns="epsilon", values="accuracy", sort=False)
    wide.columns = [f"ε = {epsilon:g}" for epsilon in wide.columns]
    return wide.reset_index()


def duel(data: str) -> pd.DataFrame:
    """For each guarantee and epsilon: the method named beforehand, our best, and the best quoted number.

    Parameters
    ----------
    data : str
        "breast cancer" or "digits".

    Returns
    -------
    DataFrame
        Columns ``promise``, ``epsilon``, ``named`` (objective perturbation where delta is 0, else noisy
        gradient descent), ``error``, ``best``, ``quoted``, ``anew`` (the yardstick in our run).

    Examples
    --------
    >>> duel("digits").shape
    (8, 7)
    """
    ours, theirs, found = committed(), quoted(), []
    ours, theirs = (t[t["data"] == data] for t in (ours, theirs))
    for promise, name in (("ε", "objective perturbation"), ("(ε, δ)", "noisy gradient descent")):
        for epsilon in EPSILONS:
            here = ours[(ours["promise"] == promise) & (ours["epsilon"] == epsilon)]
            there = theirs[(theirs["promise"] == promise) & (theirs["epsilon"] == epsilon)]
            named = here[here["method"] == name].iloc[0]
            anew = here[here["method"].str.startswith("yardstick")]["accuracy"].mean()
            best = here[~here["method"].str.startswith("yardstick")]["accuracy"].max()
            other = there["accuracy"].max()
            found.append((promise, epsilon, named["accuracy"], named["error"], best, other, anew))
    return pd.DataFrame(found, columns=["promise", "epsilon", "named", "error", "best", "quoted", "anew"])


def curves(data: str) -> pd.DataFrame:
    """What a figure shows of one data set: our methods, the best quoted numbers, and the two references.

    Parameters
    ----------
    data : str
        Name of a data set.

    Returns
    -------
    DataFrame
        Columns ``method``, ``promise``, ``epsilon``, ``accuracy``; epsilon is infinite for the references.

    Examples
    --------
    >>> sorted(set(curves("a9a")["promise"]))
    ['(ε, δ)', 'none', 'ε']
    """
    ours, theirs = committed(), quoted()
    ours = ours[(ours["data"] == data) & ~ours["method"].str.startswith("yardstick")]
    theirs = theirs[theirs["data"] == data]
    best = theirs.groupby(["promise", "epsilon"], sort=False, as_index=False)["accuracy"].max()
    both = pd.concat([ours, best.assign(method="best quoted")])
    return both[["method", "promise", "epsilon", "accuracy"]].reset_index(drop=True)
