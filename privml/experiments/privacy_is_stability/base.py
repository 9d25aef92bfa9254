"""The problems and learners of the chapter."""

from collections.abc import Callable

import numpy as np

from privml.learnability import (
    CountLaw,
    LearningProblem,
    erm_law,
    exponential_law,
    permute_and_flip_law,
    subsampled_law,
)
from privml.learnability.problems import coin_problem, thresholds_problem


def median_problem(n_levels: int = 5, n_answers: int = 11) -> LearningProblem:
    """Guess a value in [0, 1]: the loss is the distance to the record.

    Parameters
    ----------
    n_levels : int, default 5
        Records are this many equally spaced values.
    n_answers : int, default 11
        Hypotheses are this many equally spaced values.

    Returns
    -------
    LearningProblem

    Examples
    --------
    >>> median_problem(3, 2).losses.tolist()
    [[0.0, 0.5, 1.0], [1.0, 0.5, 0.0]]
    """
    answers, levels = np.linspace(0, 1, n_answers), np.linspace(0, 1, n_levels)
    return LearningProblem(np.abs(answers[:, None] - levels), hypotheses=answers, records=levels)


def problems() -> dict[str, LearningProblem]:
    """The finite problems of the chapter by name.

    Examples
    --------
    >>> {name: problem.losses.shape for name, problem in problems().items()}
    {'coin': (2, 2), 'median': (11, 5), 'thresholds': (4, 6)}
    """
    return {"coin": coin_problem(), "median": median_problem(), "thresholds": thresholds_problem(3)}


def mean_law(n_samples: int) -> tuple[LearningProblem, CountLaw]:
    """The mean of records 0 and 1, published exactly, and its problem with loss ``|h - w|``.

    Examples
    --------
    >>> problem, law = mean_law(2)
    >>> problem.losses.tolist(), law(np.array([[1, 1]])).tolist()
    ([[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]], [[0.0, 1.0, 0.0]])
    """
    values = np.arange(n_samples + 1) / n_samples
    problem = LearningProblem(np.abs(values[:, None] - np.array([0.0, 1.0])), hypotheses=values)
    return problem, lambda counts: np.eye(n_samples + 1)[np.asarray(counts)[:, 1]]


def learners(problem: LearningProblem, epsilon: float) -> dict[str, CountLaw]:
    """The learners of the chapter by name, for one problem.

    Examples
    --------
    >>> sorted(learners(median_problem(), 1.0))
    ['ERM', 'ERM on a subsample', 'exponential', 'exponential on a subsample', 'permute and flip']
    """
    exponential = exponential_law(problem, epsilon)
    found: dict[str, Callable] = {
        "exponential": exponential,
        "permute and flip": permute_and_flip_law(problem, epsilon),
        "exponential on a subsample": subsampled_law(exponential),
        "ERM on a subsample": subsampled_law(erm_law(problem)),
        "ERM": erm_law(problem),
    }
    return found
