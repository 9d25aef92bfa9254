"""The margins of an ensemble on Adult, computed from the records, and the committed table."""

import numpy as np
import pandas as pd

from privml import _check as check
from privml.datasets import Dataset, load_adult
from privml.experiments.margins.study import margin_study
from privml.experiments.results import RESULTS

ADULT = {"n_teachers": 250, "n_queries": 2000, "n_private": 36_631, "seed": 0}
"""Parameters of the committed table, those of `adult`."""


def whole_adult() -> tuple[Dataset, int]:
    """All records of Adult, the published training file first, and the length of that file."""
    from scipy.sparse import vstack

    train, test = load_adult("train"), load_adult("test")
    both = train._replace(X=vstack([train.X, test.X]).tocsr(), y=np.concatenate([train.y, test.y]))
    return both, len(train.y)


def adult(n_teachers: int, n_queries: int, n_private: int, seed: int) -> pd.DataFrame:
    """The study of the appendix on Adult, with both splits that its text describes; from the records.

    Parameters
    ----------
    n_teachers, n_queries, n_private, seed : int
        As in `margin_study`.

    Returns
    -------
    DataFrame
        As `margin_study`, with a column ``split``: "random" has the sizes that the appendix prints,
        "published" takes the published training file as private and asks random records of the test file.

    Raises
    ------
    FileNotFoundError, ValueError
        As :func:`privml.datasets.load_adult`.

    Notes
    -----
    **Source.** LZCW21-ex-appE-adult.
    """
    data, n_train = whole_adult()
    options = {"n_teachers": n_teachers, "n_queries": n_queries, "seed": seed}
    later = n_train + np.random.default_rng(seed).permutation(len(data.y) - n_train)
    order = np.concatenate([np.arange(n_train), later])
    tables = {
        "random": margin_study(data, n_private=n_private, **options),
        "published": margin_study(data, n_private=n_train, order=order, **options),
    }
    return pd.concat([table.assign(split=name) for name, table in tables.items()], ignore_index=True)


def committed_adult(split: str = "random") -> pd.DataFrame:
    """The table of `adult` that is committed under ``results/``, one of its splits.

    Parameters
    ----------
    split : {"random", "published"}
        See `adult`.

    Returns
    -------
    DataFrame

    Raises
    ------
    FileNotFoundError
        If the package is not in its repository.

    Examples
    --------
    >>> committed_adult().columns.tolist()
    ['share', 'best', 'label']
    """
    check.one_of(("random", "published"), split=split)
    table = pd.read_csv(RESULTS / "margins-adult.csv")
    return table[table["split"] == split].drop(columns="split").reset_index(drop=True)
