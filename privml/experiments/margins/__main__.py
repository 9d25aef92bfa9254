"""Make the result table of the margins on Adult anew.

python -m privml.experiments.margins     needs the data set, see privml.datasets
"""

import argparse

from privml.experiments.margins.adult import ADULT, adult, whole_adult
from privml.experiments.results import RESULTS, provenance, write

COMMAND = "python -m privml.experiments.margins"


def main(arguments: list[str] | None = None) -> None:
    """Write ``results/margins-adult.csv`` and its provenance."""
    argparse.ArgumentParser(prog=COMMAND, description=__doc__.splitlines()[0]).parse_args(arguments)
    write("margins-adult", lambda: adult(**ADULT), provenance(COMMAND, whole_adult()[0], ADULT))
    print(f"wrote margins-adult.csv and margins-adult.json in {RESULTS}")


if __name__ == "__main__":
    main()
