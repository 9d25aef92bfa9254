"""Time of a run against its size: measured by a command, and committed.

Times differ from machine to machine; the table is therefore made by hand and stored, and the chapter reads
it.  What it shows, growth in proportion to rounds times experts, does not differ.
"""

import json
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd

from privml.learners.experts import actions, expected_regret

RESULTS = Path(__file__).resolve().parents[3] / "results"
"""Where committed tables live: beside the package, in the repository."""

NAME = "experts-cost"
COMMAND = "python -m privml.experiments.experts cost"
PARAMETERS = {
    "rounds": [1000, 3000, 10_000, 30_000, 100_000],
    "experts": [10, 100, 1000],
    "eta": 0.01,
    "seed": 0,
}
REPEATS = 5


def measured(rounds: list[int], experts: list[int], eta: float, seed: int) -> pd.DataFrame:
    """Processor time of one run and of its exact expected regret: the least of a few repeats.

    Parameters
    ----------
    rounds, experts : list of int
        Sizes; all pairs are measured.
    eta : float
        Learning rate.
    seed : int
        Seed of the losses, which are fair coins.

    Returns
    -------
    DataFrame
        Columns ``task``, ``k``, ``T`` and ``seconds``.

    Examples
    --------
    >>> measured([50], [3], 0.1, 0)[["task", "k", "T"]].to_numpy().tolist()
    [['choices', 3, 50], ['expected regret', 3, 50]]
    """
    rng, rows = np.random.default_rng(seed), []
    for k in experts:
        losses = np.empty((max(rounds), k), dtype=bool)
        for block in range(0, len(losses), 1000):
            losses[block : block + 1000] = rng.integers(0, 2, losses[block : block + 1000].shape)
        tasks = {
            "choices": lambda z: actions(z, eta, rng=seed),
            "expected regret": lambda z: expected_regret(z, eta),
        }
        for task, run in tasks.items():
            for n_rounds in rounds:
                times = []
                for _ in range(REPEATS):
                    start = time.process_time()
                    run(losses[:n_rounds])
                    times.append(time.process_time() - start)
                rows.append((task, k, n_rounds, min(times)))
    return pd.DataFrame(rows, columns=["task", "k", "T", "seconds"])


def committed_cost() -> pd.DataFrame:
    """The table of `measured` that is committed under ``results/``.

    Returns
    -------
    DataFrame

    Raises
    ------
    FileNotFoundError
        If the package is not in its repository.

    Examples
    --------
    >>> committed_cost().columns.tolist()
    ['task', 'k', 'T', 'seconds']
    """
    return pd.read_csv(RESULTS / f"{NAME}.csv")


def growth(table: pd.DataFrame) -> pd.DataFrame:
    """Slopes of log time against log rounds, and time per round and expert, for each task and k.

    Parameters
    ----------
    table : DataFrame
        From `measured`.

    Returns
    -------
    DataFrame
        Columns ``task``, ``k``, ``slope`` (least squares) and ``nanoseconds`` per entry at the longest run.

    Examples
    --------
    >>> line = pd.DataFrame({"task": ["a"] * 2, "k": [10] * 2, "T": [100, 1000], "seconds": [1e-6, 1e-5]})
    >>> growth(line).round(6).to_numpy().tolist()
    [['a', 10, 1.0, 1.0]]
    """
    rows = []
    for (task, k), group in table.groupby(["task", "k"], sort=False):
        slope = float(np.polyfit(np.log(group["T"]), np.log(group["seconds"]), 1)[0])
        last = group.loc[group["T"].idxmax()]
        rows.append((task, k, slope, 1e9 * last["seconds"] / (last["T"] * k)))
    return pd.DataFrame(rows, columns=["task", "k", "slope", "nanoseconds"])


def write(folder: Path = RESULTS) -> None:
    """Measure, and write the table as CSV with its provenance as JSON beside it.

    Parameters
    ----------
    folder : Path
        Where to write.
    """
    folder.mkdir(exist_ok=True)
    table = measured(**PARAMETERS)
    table.to_csv(folder / f"{NAME}.csv", index=False, float_format="%.4g", lineterminator="\n")
    origin = {"command": COMMAND, "privml": version("privml"), "parameters": PARAMETERS, "repeats": REPEATS}
    (folder / f"{NAME}.json").write_text(json.dumps(origin, indent=2) + "\n", encoding="utf-8")
