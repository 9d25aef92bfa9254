"""Tables that take long: committed under ``results/`` with what is needed to make them again."""

import hashlib
import json
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd

from privml.datasets import Dataset
from privml.datasets.base import write as write_whole

RESULTS = Path(__file__).resolve().parents[2] / "results"
"""Where committed tables live: beside the package, in the repository."""

ROWS = 1024
"""Records that are unpacked at a time."""


def provenance(command: str, data: Dataset, parameters: dict) -> dict:
    """What a reader needs to make a table again: command, version, parameters, checksum of the records.

    Parameters
    ----------
    command : str
        The command that makes the table.
    data : Dataset
        The records.
    parameters : dict
        Parameters, the seed among them.

    Returns
    -------
    dict
    """
    digest = hashlib.sha256()
    for start in range(0, len(data.y), ROWS):  # sparse records are unpacked in blocks
        rows = data.X[start : start + ROWS]
        digest.update(
            np.ascontiguousarray(rows if isinstance(rows, np.ndarray) else rows.toarray()).tobytes()
        )
    digest.update(data.y.tobytes())
    return {
        "command": command,
        "privml": version("privml"),
        "parameters": parameters,
        "n_samples": len(data.y),
        "n_features": data.X.shape[1],
        "sha256_of_records": digest.hexdigest(),
    }


def write(name: str, make: Callable[[], pd.DataFrame], origin: dict, folder: Path = RESULTS) -> None:
    """Write a table as CSV with 9 significant digits, and its provenance as JSON beside it, all or nothing.

    Parameters
    ----------
    name : str
        Name of both files, without suffix.
    make : callable
        Makes the table.
    origin : dict
        From `provenance`.
    folder : Path
        Where to write.
    """
    text = make().to_csv(index=False, float_format="%.9g", lineterminator="\n")
    write_whole(folder / f"{name}.csv", text.encode())
    write_whole(folder / f"{name}.json", (json.dumps(origin, indent=2) + "\n").encode())
