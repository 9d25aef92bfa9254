"""Make the result tables of the chapter that compares private learners anew.

python -m privml.experiments.private_learners_side_by_side norms         which norm, on synthetic populations
python -m privml.experiments.private_learners_side_by_side accuracies    real records; a9a needs its file
"""

import argparse
from importlib.metadata import version

from privml.experiments.private_learners_side_by_side.real_data import NAME, RUN, TASKS, make
from privml.experiments.private_learners_side_by_side.synthetic import NORM_RUN, norms
from privml.experiments.results import RESULTS, provenance, write

COMMAND = "python -m privml.experiments.private_learners_side_by_side"


def origin_of_accuracies() -> dict:
    """Parameters, and size and checksum of every data set."""
    found = {}
    for task in TASKS:
        whole = provenance(COMMAND, task.data(), RUN)
        found[task.name] = {key: whole[key] for key in ("n_samples", "n_features", "sha256_of_records")}
    return {"parameters": RUN, "data": found}


def main(arguments: list[str] | None = None) -> None:
    """Write ``results/private-erm.csv`` or ``results/private-erm-norms.csv`` and its provenance."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__.splitlines()[0])
    parser.add_argument("table", choices=["norms", "accuracies"])
    table = parser.parse_args(arguments).table
    if table == "norms":
        name, make_table, origin = f"{NAME}-norms", lambda: norms(**NORM_RUN), {"parameters": NORM_RUN}
    else:
        name, make_table, origin = NAME, make, origin_of_accuracies()
    write(name, make_table, {"command": f"{COMMAND} {table}", "privml": version("privml"), **origin})
    print(f"wrote {name}.csv and {name}.json in {RESULTS}")


if __name__ == "__main__":
    main()
