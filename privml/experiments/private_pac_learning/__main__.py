"""Make the result tables of the chapter anew.

python -m privml.experiments.private_pac_learning mushrooms     needs the data set, see privml.datasets
"""

import argparse

from privml.datasets import load_mushrooms
from privml.experiments.private_pac_learning.real_data import MUSHROOMS, mushrooms
from privml.experiments.results import RESULTS, provenance, write

COMMAND = "python -m privml.experiments.private_pac_learning mushrooms"


def main(arguments: list[str] | None = None) -> None:
    """Write ``results/mushrooms-stumps.csv`` and its provenance."""
    parser = argparse.ArgumentParser(prog=COMMAND.rpartition(" ")[0], description=__doc__.splitlines()[0])
    parser.add_argument("table", choices=["mushrooms"])
    parser.parse_args(arguments)
    origin = provenance(COMMAND, load_mushrooms(), MUSHROOMS)
    write("mushrooms-stumps", mushrooms, origin)
    print(f"wrote mushrooms-stumps.csv and mushrooms-stumps.json in {RESULTS}")


if __name__ == "__main__":
    main()
