"""How far an ensemble of teachers agrees on Adult: Figures 3 and 4 of LZCW21.

Both splits that the appendix describes: "random" has the sizes it prints, "published" takes the published
training file as private and asks random records of the test file.  The raw census records are coded by public
lists and ranges alone.
"""

import csv
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.datasets import Dataset
from privml.datasets.base import RemoteFile, content_of
from privml.pate import fit_teachers
from privml.results.runs import Study, main

__all__ = ["STUDY"]

N_TEACHERS, N_QUERIES, N_PRIVATE, SEED = 250, 2000, 36_631, 0
UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases/adult/"
ADULT = {
    "train": RemoteFile(
        "adult.data.gz",
        "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
        3_974_305,
        UCI + "adult.data",
    ),
    "test": RemoteFile(
        "adult.test.gz",
        "a2a9044bc167a35b2361efbabec64e89d69ce82d9790d2980119aac5fd7e9c05",
        2_003_153,
        UCI + "adult.test",
    ),
}


def _between(low: float, high: float) -> Callable[[NDArray], NDArray]:
    return lambda value: (value - low) / (high - low)


def _dollars(value: NDArray) -> NDArray:
    """Amounts of up to five digits, on a logarithmic scale."""
    return np.log1p(np.maximum(value, 0.0)) / np.log1p(99_999)


NUMBERS = {
    "age": _between(0, 100),
    "fnlwgt": _between(0, 1_500_000),
    "education-num": _between(1, 16),
    "capital-gain": _dollars,
    "capital-loss": _dollars,
    "hours-per-week": _between(1, 99),
}
"""Numeric attributes, with the public map that brings each to [0, 1]; what falls outside is clipped."""

VALUES = {
    "workclass": "Private Self-emp-not-inc Self-emp-inc Federal-gov Local-gov State-gov Without-pay "
    "Never-worked",
    "education": "Bachelors Some-college 11th HS-grad Prof-school Assoc-acdm Assoc-voc 9th 7th-8th 12th "
    "Masters 1st-4th 10th Doctorate 5th-6th Preschool",
    "marital-status": "Married-civ-spouse Divorced Never-married Separated Widowed Married-spouse-absent "
    "Married-AF-spouse",
    "occupation": "Tech-support Craft-repair Other-service Sales Exec-managerial Prof-specialty "
    "Handlers-cleaners Machine-op-inspct Adm-clerical Farming-fishing Transport-moving "
    "Priv-house-serv Protective-serv Armed-Forces",
    "relationship": "Wife Own-child Husband Not-in-family Other-relative Unmarried",
    "race": "White Asian-Pac-Islander Amer-Indian-Eskimo Other Black",
    "sex": "Female Male",
    "native-country": "United-States Cambodia England Puerto-Rico Canada Germany Outlying-US(Guam-USVI-etc) "
    "India Japan Greece South China Cuba Iran Honduras Philippines Italy Poland Jamaica "
    "Vietnam Mexico Portugal Ireland France Dominican-Republic Laos Ecuador Taiwan Haiti "
    "Columbia Hungary Guatemala Nicaragua Scotland Thailand Yugoslavia El-Salvador "
    "Trinadad&Tobago Peru Hong Holand-Netherlands",
}
"""Attributes with a list of values, in the order of the data set's description."""

ORDER = (
    *(
        "age",
        "workclass",
        "fnlwgt",
        "education",
        "education-num",
        "marital-status",
        "occupation",
    ),
    *(
        "relationship",
        "race",
        "sex",
        "capital-gain",
        "capital-loss",
        "hours-per-week",
        "native-country",
    ),
)
"""The fourteen attributes as they stand in the file."""


def load_adult(part: str = "train") -> Dataset:
    """Adult from the raw census file: 105 features in [0, 1], True for an income over 50,000 dollars.

    `part` is "train" or "test", the published split: 32,561 or 16,281 records.

    Returns
    -------
    Dataset
        ``X`` is a sparse matrix (CSR). Six features are the numeric attributes: ages from 0 to 100, the
        sampling weight up to 1,500,000, years of education coded 1 to 16, capital gain and loss on a
        logarithmic scale up to 99,999 dollars, hours from 1 to 99. The other 99 are indicators of the
        published values; a missing value sets none of them.

    Notes
    -----
    *Privacy.* Lists and ranges are constants of this module, from the description of the data set and the
    numbers of digits of its fields, not from the records; what falls outside a range is clipped.

    References
    ----------
    B. Becker and R. Kohavi, Adult [Dataset], UCI Machine Learning Repository, 1996, doi:10.24432/C5XW20.
    """
    check.one_of(ADULT, part=part)
    return _coded(content_of(ADULT[part]).decode("ascii"))


def _coded(text: str) -> Dataset:
    """Records from lines of fifteen fields; the first line of the test file is no record."""
    from scipy.sparse import csr_matrix

    lines = [
        line for line in text.splitlines() if line.strip() and not line.startswith("|")
    ]
    *fields, classes = zip(*csv.reader(lines, skipinitialspace=True), strict=True)
    blocks, names = [], []
    for name, field in zip(ORDER, fields, strict=True):
        if name in NUMBERS:
            scaled = np.clip(NUMBERS[name](np.array(field, dtype=float)), 0.0, 1.0)
            blocks.append(scaled[:, None])
            names.append(name)
        else:
            values = VALUES[name].split()
            blocks.append(np.array(field)[:, None] == np.array(values))
            names.extend(f"{name}={value}" for value in values)
    y = np.array([label.rstrip(".") == ">50K" for label in classes])
    return Dataset(
        csr_matrix(np.hstack(blocks), dtype=float),
        y,
        ("at most 50K", "over 50K"),
        tuple(names),
    )


def default_teacher():
    """Logistic regression as every teacher, and h*, is trained here."""
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(solver="liblinear")


def votes(
    data: Dataset,
    order: NDArray | None,
    n_private: int,
    n_teachers: int,
    n_queries: int,
    seed: int,
):
    """For each query the share of the teachers that say 1, what h* says, and the label.

    h* is fitted to all private records; `order` has these first and the queries next, random by default.
    """
    shuffling, teaching = np.random.default_rng(seed).spawn(2)
    order = shuffling.permutation(len(data.y)) if order is None else order
    private, queries = order[:n_private], order[n_private : n_private + n_queries]
    X, y = data.X[private], data.y[private]
    options = {"n_teachers": n_teachers, "classes": [False, True], "rng": teaching}
    share = (
        fit_teachers(default_teacher(), X, y, **options)
        .votes(data.X[queries])
        .mean(axis=0)
    )
    best = default_teacher().fit(X, y).predict(data.X[queries])
    return list(zip(share, best.astype(int), data.y[queries].astype(int), strict=True))


def whole_adult() -> tuple[Dataset, int]:
    """All records of Adult, the published training file first, and the length of that file."""
    from scipy.sparse import vstack

    train, test = load_adult("train"), load_adult("test")
    both = train._replace(
        X=vstack([train.X, test.X]).tocsr(), y=np.concatenate([train.y, test.y])
    )
    return both, len(train.y)


def work(split: str) -> list[tuple]:
    """The rows of one split."""
    data, n_train = whole_adult()
    later = n_train + np.random.default_rng(SEED).permutation(len(data.y) - n_train)
    order = None if split == "random" else np.concatenate([np.arange(n_train), later])
    n_private = N_PRIVATE if split == "random" else n_train
    return [
        (*row, split)
        for row in votes(data, order, n_private, N_TEACHERS, N_QUERIES, SEED)
    ]


STUDY = Study(
    name="margins-adult",
    columns=("share", "best", "label", "split"),
    jobs=(("random",), ("published",)),
    work=work,
    parameters={
        "n_teachers": N_TEACHERS,
        "n_queries": N_QUERIES,
        "n_private": N_PRIVATE,
        "seed": SEED,
    },
    data={"adult": lambda: whole_adult()[0]},
)

if __name__ == "__main__":
    main(STUDY.name)
