"""Tables that take long: committed under ``results/`` with what is needed to make them again."""

import hashlib
import json
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd

from privml.datasets import Dataset

RESULTS = Path(__file__).resolve().parents[2] / "results"
"""Where committed tables live: beside the package, in the repository."""


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
    records = data.X if isinstance(data.X, np.ndarray) else data.X.toarray()
    digest = hashlib.sha256(np.ascontiguousarray(records).tobytes() + data.y.tobytes()).hexdigest()
    return {
        "command": command,
        "privml": version("privml"),
        "parameters": parameters,
        "n_samples": len(data.y),
        "n_features": data.X.shape[1],
        "sha256_of_records": digest,
    }


def write(name: str, make: Callable[[], pd.DataFrame], origin: dict, folder: Path = RESULTS) -> None:
    """Write a table as CSV with 9 significant digits, and its provenance as JSON beside it.

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
    folder.mkdir(exist_ok=True)
    make().to_csv(folder / f"{name}.csv", index=False, float_format="%.9g", lineterminator="\n")
    (folder / f"{name}.json").write_text(json.dumps(origin, indent=2) + "\n", encoding="utf-8")
