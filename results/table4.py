"""Table 4 of LZCW21 by its protocol, with our own method beside it.

Every random choice has a name, for example ``mushrooms/7/PSQ/0.5``, and its generator is seeded by that name
and the seed of the run. So a row is the same whatever other rows are asked for, in whatever order.

==================  ==============================================================================
PSQ                 noisy labels of all public points; a logistic regression
ASQ                 noisy labels of at most 30 % of them, in the region of disagreement met by a stream
ASQ, closest first  the same with a larger region, asking the points in it that are closest to the boundary
SVT                 labels by the sparse vector technique while it lasts; a logistic regression
counts              ours: noisy counts of the votes of more teachers; see below
==================  ==============================================================================

Infinite epsilon stands for no noise. *counts* differs from ASQ in four ways, none of which looks at private
data. The released numbers are the noisy counts and not their signs, since the noise pays for the counts. The
number of teachers is the least for which a unanimous vote is misread with probability at most 5 %, a function
of epsilon, delta and the budget, and at least the source's. Teachers are regularised less (C = 10): the vote
averages out their variance but not their bias. And the student is fitted to shares of votes with their known
variance, its prior chosen by the evidence of the released numbers.

**Source.** LZCW21-tab-3, LZCW21-tab-4, LZCW21-rem-experiment-setup.
"""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from math import ceil, inf
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack
from sklearn import config_context
from sklearn.linear_model import LogisticRegression

from privml import _check as check
from privml.datasets import (
    Dataset,
    load_a9a,
    load_mushrooms,
    load_news20_usenet,
    load_real_sim,
)
from privml.pate import (
    GaussianAggregator,
    SparseVectorAggregator,
    count_learning,
    fit_teachers,
    readable_teachers,
    taught_student,
    vote_sigma,
)
from privml.results.runs import Study, main

__all__ = ["STUDY"]

EPSILONS = (0.5, 1.0, 2.0, inf)  # those of the source
FRONTIER = (0.1, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0, inf)
RUN = {"mushrooms": FRONTIER, "a9a": FRONTIER, "news20-usenet": EPSILONS}
REPETITIONS, SEED = 30, 0


class Sizes(NamedTuple):
    """Sizes of the parts of a data set: private, public and test records, and the label budget."""

    private: int
    public: int
    test: int
    budget: int

    @property
    def n_teachers(self) -> int:
        """Number of teachers of about a hundred records."""
        return max(1, round(self.private / 100))


def split_sizes(n_samples: int) -> Sizes:
    """80 % private, 2 % public, the rest for tests, and 30 % of the public points as label budget.

    Rounded down, rounded up and to the nearest number: so all rows of the source's Table 3 come out.
    """
    if n_samples < 50:
        raise ValueError(f"n_samples must be at least 50, but got {n_samples!r}.")
    private, public = 4 * n_samples // 5, ceil(n_samples / 50)
    return Sizes(
        private, public, n_samples - private - public, max(1, round(0.3 * public))
    )


def halfspace(n_samples: int, n_features: int, noise: float) -> Dataset:
    """Synthetic records: the sign of a linear function, flipped with one probability everywhere."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n_samples, n_features))
    y = (X @ rng.standard_normal(n_features) > 0) ^ (rng.random(n_samples) < noise)
    return Dataset(
        X, y, ("below", "above"), tuple(f"feature {j}" for j in range(n_features))
    )


def whole_a9a() -> Dataset:
    """Both published parts of a9a, joined."""
    train, test = load_a9a("train"), load_a9a("test")
    return train._replace(
        X=vstack([train.X, test.X]).tocsr(), y=np.concatenate([train.y, test.y])
    )


LOADERS: dict[str, Callable[[], Dataset]] = {
    "mushrooms": load_mushrooms,
    "a9a": whole_a9a,
    "real-sim": load_real_sim,
    "news20-usenet": load_news20_usenet,
    "halfspace": lambda: halfspace(8000, 20, 0.05),
}  # the last two are stand-ins and no part of the source's table


@lru_cache(maxsize=2)
def records(name: str) -> Dataset:
    """A data set, in sparse form, loaded once in a process."""
    check.one_of(LOADERS, name=name)
    data = LOADERS[name]()
    return data._replace(X=csr_matrix(data.X))


def source_of(seed: int, *names: object) -> np.random.Generator:
    """A generator for a random choice with a name."""
    return np.random.default_rng([seed, crc32("/".join(map(str, names)).encode())])


class Task(NamedTuple):
    """What a method may use: public points, sizes, privacy, and the votes of any ensemble."""

    X: Any
    sizes: Sizes
    epsilon: float
    votes: Callable[[int, float], NDArray[np.uint8]]

    @property
    def delta(self) -> float:
        """One over the number of private records, as in the source."""
        return 1 / self.sizes.private


class Student(NamedTuple):
    """What a method returns: a classifier or one label, how many teachers it had and points it asked."""

    model: Any
    n_teachers: int
    n_queries: int


def linear_model(C: float = 1.0) -> Any:
    """The base learner of the teachers and of the students: logistic regression by liblinear."""
    return LogisticRegression(solver="liblinear", C=C)


def predictions(model: Any, X: Any) -> NDArray[np.int64]:
    """Class indices of a fitted classifier, or of the label that stands for a constant one."""
    return (
        np.full(X.shape[0], model)
        if isinstance(model, int)
        else np.asarray(model.predict(X))
    )


def _gaussian(task: Task, n_queries: int) -> GaussianAggregator | None:
    if np.isinf(task.epsilon):
        return None
    return GaussianAggregator(
        n_queries=n_queries, epsilon=task.epsilon, delta=task.delta
    )


def _taught(
    task: Task, aggregator: Any, rng: np.random.Generator, **options: Any
) -> Student:
    votes = task.votes(task.sizes.n_teachers, 1.0)
    found = taught_student(
        linear_model(), task.X, votes, aggregator, rng=rng, **options
    )
    return Student(found.model, len(votes), len(found.queried))


def passive(task: Task, rng: np.random.Generator) -> Student:
    """PSQ: a label for every public point."""
    return _taught(task, _gaussian(task, task.sizes.public), rng)


def active(task: Task, rng: np.random.Generator, **options: Any) -> Student:
    """ASQ: labels in the region of disagreement, up to the budget."""
    options = {
        "queries": "active",
        "n_queries": task.sizes.budget,
        "fill": False,
    } | options
    return _taught(task, _gaussian(task, task.sizes.budget), rng, **options)


def no_slack(n_labels: int) -> float:
    """The smallest version space: classifiers that fit the labels as well as the best one."""
    return 0.0


def sparse_vector_service(task: Task) -> SparseVectorAggregator:
    """The aggregator with the largest cutoff, up to a tenth of the points, that unanimous votes pass safely.

    Its threshold is at most half of the distance of a unanimous vote, or its cutoff is 1.
    """
    found = None
    for cutoff in range(1, max(1, task.sizes.public // 10) + 1):
        service = SparseVectorAggregator(
            cutoff=cutoff, epsilon=task.epsilon, delta=task.delta
        )
        if found is None or service.threshold <= task.sizes.n_teachers / 4:
            found = service
    return found


def sparse_vector(task: Task, rng: np.random.Generator) -> Student:
    """PSQ with labels by the sparse vector technique; points that get none are left out."""
    if np.isinf(task.epsilon):
        return passive(task, rng)
    service, votes = sparse_vector_service(task), task.votes(task.sizes.n_teachers, 1.0)
    found = taught_student(
        linear_model(), task.X, votes, service, n_queries=task.sizes.public, rng=rng
    )
    return Student(found.model, len(votes), int((found.labels >= 0).sum()))


def counted(task: Task, rng: np.random.Generator) -> Student:
    """Ours; without noise a query is free, so all public points are asked."""
    private = not np.isinf(task.epsilon)
    budget, n_teachers = task.sizes.budget, task.sizes.n_teachers
    if private:
        n_teachers = max(
            n_teachers, readable_teachers(vote_sigma(budget, task.epsilon, task.delta))
        )
    counts = task.votes(n_teachers, 10.0).sum(axis=0, dtype=np.int64)
    options = {"epsilon": task.epsilon, "n_queries": budget, "n_rounds": min(8, budget)}
    if not private:
        options = {"epsilon": None, "n_queries": task.sizes.public, "n_rounds": 1}
    run = count_learning(
        task.X, counts, n_teachers, delta=task.delta, **options, rng=rng
    )
    return Student(run.student, n_teachers, len(run.queried))


METHODS: dict[str, Callable[[Task, np.random.Generator], Student]] = {
    "PSQ": passive,
    "ASQ": lambda task, rng: active(task, rng, order="stream", slack=no_slack),
    "ASQ, closest first": lambda task, rng: active(task, rng, order="closest"),
    "SVT": sparse_vector,
    "counts": counted,
}


def ensembles(
    data: Dataset, X: NDArray, seed: int, name: tuple
) -> Callable[[int, float], NDArray[np.uint8]]:
    """From (n_teachers, C) to the votes of an ensemble on public points, each ensemble trained once."""

    @cache
    def votes(n_teachers: int, C: float) -> NDArray[np.uint8]:
        rng = source_of(seed, *name, "teachers", n_teachers, C)
        options = {"n_teachers": n_teachers, "classes": [False, True], "rng": rng}
        return fit_teachers(linear_model(C), data.X, data.y, **options).votes(X)

    return votes


def scores(predicted: NDArray, y: NDArray[np.bool_]) -> tuple[float, float]:
    """Accuracy, and the mean of the accuracies in the two classes."""
    right = (predicted == 1) == y
    return float(right.mean()), float((right[y].mean() + right[~y].mean()) / 2)


COLUMNS = (
    *("dataset", "repetition", "method", "epsilon", "n_teachers", "budget", "queries"),
    *("accuracy", "balanced"),
)


def parts(name: str, number: int, seed: int) -> tuple[Dataset, Dataset, Dataset]:
    """Private, public and test records of one repetition."""
    data = records(name)
    sizes = split_sizes(len(data.y))
    order = source_of(seed, name, number, "split").permutation(len(data.y))
    places = np.split(order, [sizes.private, sizes.private + sizes.public])
    return tuple(data._replace(X=data.X[part], y=data.y[part]) for part in places)


def repetition(
    name: str,
    number: int,
    *,
    epsilons: Sequence[float] | None = None,
    methods: Sequence[str] = tuple(METHODS),
    seed: int = SEED,
) -> list[tuple]:
    """All rows of one repetition on one data set, those without privacy last.

    ``budget`` is the number of queries that the noise pays for, ``queries`` the number that was asked (SVT:
    answered).
    """
    for method in methods:
        check.one_of(METHODS, method=method)
    sizes = split_sizes(len(records(name).y))
    train, public, test = parts(name, number, seed)
    votes, rows = ensembles(train, public.X, seed, (name, number)), []
    with config_context(
        assume_finite=True, skip_parameter_validation=True
    ):  # the files are checked already
        for epsilon in map(
            float, RUN.get(name, EPSILONS) if epsilons is None else epsilons
        ):
            for method in methods:
                task = Task(public.X, sizes, epsilon, votes)
                found = METHODS[method](
                    task, source_of(seed, name, number, method, epsilon)
                )
                whole = method in ("PSQ", "SVT") or (
                    method == "counts" and np.isinf(epsilon)
                )
                budget = sizes.public if whole else sizes.budget
                label = (
                    name,
                    number,
                    method,
                    epsilon,
                    found.n_teachers,
                    budget,
                    found.n_queries,
                )
                rows.append((*label, *scores(predictions(found.model, test.X), test.y)))
        constant = int(2 * train.y.sum() > len(train.y))
        baselines = {
            "all private records": linear_model().fit(train.X, train.y),
            "majority label": constant,
        }
        for method, model in baselines.items():
            rows.append(
                (
                    name,
                    number,
                    method,
                    inf,
                    0,
                    0,
                    0,
                    *scores(predictions(model, test.X), test.y),
                )
            )
    return rows


STUDY = Study(
    name="table4",
    columns=COLUMNS,
    jobs=tuple((name, number) for name in RUN for number in range(REPETITIONS)),
    work=repetition,
    parameters={
        "repetitions": REPETITIONS,
        "seed": SEED,
        "methods": list(METHODS),
        "epsilons": RUN,
    },
    data={name: LOADERS[name] for name in RUN},
)

if __name__ == "__main__":
    main(STUDY.name)
