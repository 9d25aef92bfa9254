"""Make the result table of the chapter on linear learning anew.

python -m privml.experiments.linear_learning a9a     needs the data set, see privml.datasets
"""

import argparse

from privml.datasets import load_a9a
from privml.experiments.linear_learning.real_data import A9A, a9a
from privml.experiments.results import RESULTS, provenance, write

COMMAND = "python -m privml.experiments.linear_learning a9a"


def main(arguments: list[str] | None = None) -> None:
    """Write ``results/a9a-linear.csv`` and its provenance."""
    parser = argparse.ArgumentParser(prog=COMMAND.rpartition(" ")[0], description=__doc__.splitlines()[0])
    parser.add_argument("table", choices=["a9a"])
    parser.parse_args(arguments)
    write("a9a-linear", a9a, provenance(COMMAND, load_a9a("train"), A9A))
    print(f"wrote a9a-linear.csv and a9a-linear.json in {RESULTS}")


if __name__ == "__main__":
    main()
