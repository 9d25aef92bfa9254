"""Make the result tables of the chapter anew.

python -m privml.experiments.best_private_learner times     about a minute of processor time
python -m privml.experiments.best_private_learner grids     about a quarter of a minute
"""

import argparse

from privml.experiments.best_private_learner.programs import (
    COMMAND,
    GRIDS,
    RESULTS,
    TIMES,
    grid_sizes,
    program_times,
    write,
)

TABLES = {
    "times": (program_times, TIMES),
    "grids": (grid_sizes, GRIDS),
}


def main(arguments: list[str] | None = None) -> None:
    """Write one table and its provenance under ``results/``."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__.splitlines()[0])
    parser.add_argument("table", choices=sorted(TABLES))
    name = parser.parse_args(arguments).table
    write(f"best-private-learner-{name}", *TABLES[name])
    print(f"wrote best-private-learner-{name}.csv and .json in {RESULTS.name}/")


if __name__ == "__main__":
    main()
