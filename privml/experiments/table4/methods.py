"""The methods of the table: how a student is made from the votes, at which privacy.

==================  ==============================================================================
PSQ                 noisy labels of all public points; a logistic regression
ASQ                 noisy labels of at most 30 % of them, in the region of disagreement met by a stream
ASQ, closest first  the same with a larger region, asking the points in it that are closest to the boundary
SVT                 labels by the sparse vector technique while it lasts; a logistic regression
counts              ours: noisy counts of the votes of more teachers; see below
==================  ==============================================================================

Infinite epsilon stands for no noise.  *counts* differs from ASQ in four ways, none of which looks at private
data.  The released numbers are the noisy counts and not their signs, since the noise pays for the counts.
The number of teachers is the least for which a unanimous vote is misread with probability at most 5 %, a
function of epsilon, delta and the budget, and at least the source's.  Teachers are regularised less (C = 10):
the vote averages out their variance but not their bias.  And the student is fitted to shares of votes with
their known variance, its prior chosen by the evidence of the released numbers.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from privml.experiments.table4.base import Sizes
from privml.pate import (
    GaussianAggregator,
    SparseVectorAggregator,
    count_learning,
    readable_teachers,
    taught_student,
    vote_sigma,
)

METHODS = ("PSQ", "ASQ", "ASQ, closest first", "SVT", "counts")


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
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(solver="liblinear", C=C)


def predictions(model: Any, X: Any) -> NDArray[np.int64]:
    """Class indices of a fitted classifier, or of the label that stands for a constant one."""
    return np.full(X.shape[0], model) if isinstance(model, int) else np.asarray(model.predict(X))


def _gaussian(task: Task, n_queries: int) -> GaussianAggregator | None:
    if np.isinf(task.epsilon):
        return None
    return GaussianAggregator(n_queries=n_queries, epsilon=task.epsilon, delta=task.delta)


def _taught(task: Task, aggregator: Any, rng: np.random.Generator, **options: Any) -> Student:
    votes = task.votes(task.sizes.n_teachers, 1.0)
    found = taught_student(linear_model(), task.X, votes, aggregator, rng=rng, **options)
    return Student(found.model, len(votes), len(found.queried))


def passive(task: Task, rng: np.random.Generator) -> Student:
    """PSQ: a label for every public point."""
    return _taught(task, _gaussian(task, task.sizes.public), rng)


def active(task: Task, rng: np.random.Generator, **options: Any) -> Student:
    """ASQ: labels in the region of disagreement, up to the budget."""
    budget = task.sizes.budget
    options = {"queries": "active", "n_queries": budget, "fill": False} | options
    return _taught(task, _gaussian(task, budget), rng, **options)


def no_slack(n_labels: int) -> float:
    """The smallest version space: classifiers that fit the labels as well as the best one."""
    return 0.0


def sparse_vector_service(task: Task) -> SparseVectorAggregator:
    """The aggregator with the largest cutoff, up to a tenth of the points, that unanimous votes pass safely.

    Its threshold is at most half of the distance of a unanimous vote, or its cutoff is 1.
    """
    found = None
    for cutoff in range(1, max(1, task.sizes.public // 10) + 1):
        service = SparseVectorAggregator(cutoff=cutoff, epsilon=task.epsilon, delta=task.delta)
        if found is None or service.threshold <= task.sizes.n_teachers / 4:
            found = service
    return found


def sparse_vector(task: Task, rng: np.random.Generator) -> Student:
    """PSQ with labels by the sparse vector technique; points that get none are left out."""
    if np.isinf(task.epsilon):
        return passive(task, rng)
    service, votes = sparse_vector_service(task), task.votes(task.sizes.n_teachers, 1.0)
    found = taught_student(linear_model(), task.X, votes, service, n_queries=task.sizes.public, rng=rng)
    return Student(found.model, len(votes), int((found.labels >= 0).sum()))


def counted(task: Task, rng: np.random.Generator) -> Student:
    """Ours: noisy counts of a readable number of teachers, asked where the student is least sure.

    Without noise a query is free, so all public points are asked.
    """
    private = not np.isinf(task.epsilon)
    budget, n_teachers = task.sizes.budget, task.sizes.n_teachers
    if private:
        n_teachers = max(n_teachers, readable_teachers(vote_sigma(budget, task.epsilon, task.delta)))
    counts = task.votes(n_teachers, 10.0).sum(axis=0, dtype=np.int64)
    options = {"epsilon": task.epsilon, "n_queries": budget, "n_rounds": min(8, budget)}
    if not private:
        options = {"epsilon": None, "n_queries": task.sizes.public, "n_rounds": 1}
    run = count_learning(task.X, counts, n_teachers, delta=task.delta, **options, rng=rng)
    return Student(run.student, n_teachers, len(run.queried))


RECIPES: dict[str, Callable[[Task, np.random.Generator], Student]] = {
    "PSQ": passive,
    "ASQ": lambda task, rng: active(task, rng, order="stream", slack=no_slack),
    "ASQ, closest first": lambda task, rng: active(task, rng, order="closest"),
    "SVT": sparse_vector,
    "counts": counted,
}
