"""Make Table 4 of LZCW21 anew, with our own method beside it; may be stopped and started again.

python -m privml.experiments.table4     needs the data sets, see privml.datasets; takes about ten minutes
"""

import argparse
from math import isfinite
from pathlib import Path

from privml.datasets.base import cache
from privml.experiments.results import RESULTS, provenance, write
from privml.experiments.table4.base import FRONTIER, LOADERS, records
from privml.experiments.table4.methods import METHODS
from privml.experiments.table4.runner import run

COMMAND = "python -m privml.experiments.table4"
NAME = "table4"
COMMITTED = ("mushrooms", "a9a", "news20-usenet")


def parser() -> argparse.ArgumentParser:
    """Options of the command."""
    options = argparse.ArgumentParser(prog=COMMAND, description=__doc__.splitlines()[0])
    options.add_argument(
        "--datasets", nargs="+", choices=LOADERS, default=["mushrooms", "a9a", "news20-usenet"]
    )
    options.add_argument("--epsilons", nargs="+", type=float, default=list(FRONTIER), help="inf is no noise")
    options.add_argument("--repetitions", type=int, default=30)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--jobs", type=int, default=2, help="processes")
    options.add_argument("--parts", type=Path, default=cache() / NAME, help="where finished jobs are kept")
    options.add_argument("--to", type=Path, default=RESULTS, help="where the table goes")
    return options


def main(arguments: list[str] | None = None) -> None:
    """Write ``table4.csv``, a row for each repetition, and its provenance."""
    chosen = parser().parse_args(arguments)
    table = run(
        chosen.datasets,
        epsilons=chosen.epsilons,
        n_repetitions=chosen.repetitions,
        seed=chosen.seed,
        folder=chosen.parts,
        n_jobs=chosen.jobs,
    )
    epsilons = [epsilon if isfinite(epsilon) else "inf" for epsilon in chosen.epsilons]
    parameters = {"epsilons": epsilons, "repetitions": chosen.repetitions, "seed": chosen.seed}
    origins = {name: provenance(COMMAND, records(name), parameters) for name in chosen.datasets}
    kept = ("n_samples", "n_features", "sha256_of_records")
    origin = {
        "command": COMMAND,
        "privml": next(iter(origins.values()))["privml"],
        "parameters": parameters | {"methods": list(METHODS)},
        "datasets": {name: {key: origin[key] for key in kept} for name, origin in origins.items()},
    }
    write(NAME, lambda: table, origin, chosen.to)
    print(f"wrote {NAME}.csv and {NAME}.json in {chosen.to}")


if __name__ == "__main__":
    main()
