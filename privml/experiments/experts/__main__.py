"""Make the result table of the chapter anew.

python -m privml.experiments.experts cost     measures times, on one core
"""

import argparse

from privml.experiments.experts.cost import COMMAND, NAME, RESULTS, write


def main(arguments: list[str] | None = None) -> None:
    """Write ``results/experts-cost.csv`` and its provenance."""
    parser = argparse.ArgumentParser(prog=COMMAND.rpartition(" ")[0], description=__doc__.splitlines()[0])
    parser.add_argument("table", choices=["cost"])
    parser.parse_args(arguments)
    write()
    print(f"wrote {NAME}.csv and {NAME}.json in {RESULTS}")


if __name__ == "__main__":
    main()
