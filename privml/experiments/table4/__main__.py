"""Make Table 4 of LZCW21 anew, with our own method beside it; may be stopped and started again.

python -m privml.experiments.table4               needs the data sets, see privml.datasets
python -m privml.experiments.table4 --readings    other learners and measures for the passive method
"""

import argparse
from importlib.metadata import version
from math import isfinite
from pathlib import Path

import pandas as pd

from privml.datasets.base import cache
from privml.experiments.results import RESULTS, provenance, write
from privml.experiments.table4.base import EPSILONS, FRONTIER, LOADERS, records
from privml.experiments.table4.methods import METHODS
from privml.experiments.table4.readings import READINGS_RUN, readings
from privml.experiments.table4.runner import run

COMMAND = "python -m privml.experiments.table4"
NAME = "table4"
COMMITTED = {"mushrooms": FRONTIER, "a9a": FRONTIER, "news20-usenet": EPSILONS}
"""Data sets of the committed run, with their epsilons."""


def parser() -> argparse.ArgumentParser:
    """Options of the command."""
    options = argparse.ArgumentParser(prog=COMMAND, description=__doc__.splitlines()[0])
    options.add_argument("--readings", action="store_true", help="make table4-readings instead")
    options.add_argument("--datasets", nargs="+", choices=LOADERS, default=list(COMMITTED))
    options.add_argument("--repetitions", type=int, default=30)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--jobs", type=int, default=2, help="processes")
    options.add_argument("--parts", type=Path, default=cache() / NAME, help="where finished jobs are kept")
    options.add_argument("--to", type=Path, default=RESULTS, help="where the table goes")
    return options


def _plain(epsilon: float) -> float | str:
    return epsilon if isfinite(epsilon) else "inf"  # JSON has no infinity


def main(arguments: list[str] | None = None) -> None:
    """Write ``table4.csv``, a row for each repetition and task, and its provenance."""
    chosen = parser().parse_args(arguments)
    if chosen.readings:
        origin = {"command": f"{COMMAND} --readings", "privml": version("privml"), "parameters": READINGS_RUN}
        write("table4-readings", lambda: readings(**READINGS_RUN), origin, chosen.to)
        return
    epsilons = {name: list(COMMITTED.get(name, EPSILONS)) for name in chosen.datasets}
    options = {"n_repetitions": chosen.repetitions, "seed": chosen.seed, "n_jobs": chosen.jobs}
    tables = [
        run([name], epsilons=epsilons[name], folder=chosen.parts / name, **options) for name in epsilons
    ]
    sets = {name: provenance(COMMAND, records(name), {}) for name in epsilons}
    kept = ("n_samples", "n_features", "sha256_of_records")
    origin = {
        "command": COMMAND,
        "privml": version("privml"),
        "parameters": {"repetitions": chosen.repetitions, "seed": chosen.seed, "methods": list(METHODS)},
        "epsilons": {
            name: [e if isfinite(e) else "inf" for e in listed] for name, listed in epsilons.items()
        },
        "datasets": {name: {key: found[key] for key in kept} for name, found in sets.items()},
    }
    write(NAME, lambda: pd.concat(tables, ignore_index=True), origin, chosen.to)
    print(f"wrote {NAME}.csv and {NAME}.json in {chosen.to}")


if __name__ == "__main__":
    main()
