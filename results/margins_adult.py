"""How far an ensemble of teachers agrees on Adult: Figures 3 and 4 of LZCW21.

Both splits that the appendix describes: "random" has the sizes it prints, "published" takes the published
training file as private and asks random records of the test file.
"""

import numpy as np
from numpy.typing import NDArray

from privml.datasets import Dataset, load_adult
from privml.pate import fit_teachers
from privml.results.runs import Study, main

__all__ = ["STUDY"]

N_TEACHERS, N_QUERIES, N_PRIVATE, SEED = 250, 2000, 36_631, 0


def default_teacher():
    """Logistic regression as every teacher, and h*, is trained here."""
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(solver="liblinear")


def votes(data: Dataset, order: NDArray | None, n_private: int, n_teachers: int, n_queries: int, seed: int):
    """For each query the share of the teachers that say 1, what h* says, and the label.

    h* is fitted to all private records; `order` has these first and the queries next, random by default.
    """
    shuffling, teaching = np.random.default_rng(seed).spawn(2)
    order = shuffling.permutation(len(data.y)) if order is None else order
    private, queries = order[:n_private], order[n_private : n_private + n_queries]
    X, y = data.X[private], data.y[private]
    options = {"n_teachers": n_teachers, "classes": [False, True], "rng": teaching}
    share = fit_teachers(default_teacher(), X, y, **options).votes(data.X[queries]).mean(axis=0)
    best = default_teacher().fit(X, y).predict(data.X[queries])
    return list(zip(share, best.astype(int), data.y[queries].astype(int), strict=True))


def whole_adult() -> tuple[Dataset, int]:
    """All records of Adult, the published training file first, and the length of that file."""
    from scipy.sparse import vstack

    train, test = load_adult("train"), load_adult("test")
    both = train._replace(X=vstack([train.X, test.X]).tocsr(), y=np.concatenate([train.y, test.y]))
    return both, len(train.y)


def work(split: str) -> list[tuple]:
    """The rows of one split."""
    data, n_train = whole_adult()
    later = n_train + np.random.default_rng(SEED).permutation(len(data.y) - n_train)
    order = None if split == "random" else np.concatenate([np.arange(n_train), later])
    n_private = N_PRIVATE if split == "random" else n_train
    return [(*row, split) for row in votes(data, order, n_private, N_TEACHERS, N_QUERIES, SEED)]


STUDY = Study(
    name="margins-adult",
    columns=("share", "best", "label", "split"),
    jobs=(("random",), ("published",)),
    work=work,
    parameters={"n_teachers": N_TEACHERS, "n_queries": N_QUERIES, "n_private": N_PRIVATE, "seed": SEED},
    data={"adult": lambda: whole_adult()[0]},
)

if __name__ == "__main__":
    main(STUDY.name)
