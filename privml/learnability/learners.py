"""Learners of a finite problem as functions from data sets to output probabilities.

A learner takes the count vectors of many data sets at once, so that suprema over all data sets are one call.
"""

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.learnability.problem import CountLearner, LearningProblem
from privml.learners.exponential import exponential_mistake_learner
from privml.mechanisms import PermuteAndFlip

LOSS_SUM_SENSITIVITY = (
    1.0  # largest change of a sum of losses in [0, 1] when one record is replaced
)


def _loss_sums(
    problem: LearningProblem, counts: NDArray[np.int64]
) -> NDArray[np.float64]:
    counts = np.asarray(counts)
    return problem.empirical_risk(counts) * counts.sum(axis=-1, keepdims=True)


def erm_learner(problem: LearningProblem) -> CountLearner:
    """Empirical risk minimisation, the first hypothesis among equals.

    Sums that differ by less than 1e-9 count as equal, so that rounding does not decide.

    Parameters
    ----------
    problem : LearningProblem
        What is to be learned.

    Returns
    -------
    CountLearner
        From counts (n_datasets, n_records) to probabilities (n_datasets, n_hypotheses).

    Examples
    --------
    >>> erm_learner(LearningProblem([[0.0, 1.0], [1.0, 0.0]]))(np.array([[1, 2], [1, 1]])).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    check.instance(LearningProblem, problem=problem)

    def learner(counts: NDArray[np.int64]) -> NDArray[np.float64]:
        sums = _loss_sums(problem, counts)
        first = np.argmax(sums <= sums.min(axis=-1, keepdims=True) + 1e-9, axis=-1)
        return np.eye(problem.n_hypotheses)[first]

    return learner


def exponential_learner(problem: LearningProblem, epsilon: float) -> CountLearner:
    """The exponential mechanism on the sum of the losses: weights ``exp(-epsilon n R / 2)``.

    R is the empirical risk.

    Parameters
    ----------
    problem : LearningProblem
        What is to be learned.
    epsilon : float
        Privacy parameter in nats, positive.

    Returns
    -------
    CountLearner
        From counts (n_datasets, n_records) to probabilities (n_datasets, n_hypotheses).

    Notes
    -----
    *Privacy.* The output is epsilon-differentially private under replace-one; above ``epsilon n = 1400`` rounding to 0 may show an infinite
    loss.

    References
    ----------
    L4-private-erm; WLF16-alg-1 without a regulariser and with sensitivity 1/n.

    Examples
    --------
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> exponential_learner(problem, 1.0)(np.array([[2, 0], [1, 1]])).round(4).tolist()
    [[0.7311, 0.2689], [0.5, 0.5]]
    """
    check.instance(LearningProblem, problem=problem)
    of_sums = exponential_mistake_learner(epsilon)
    return lambda counts: of_sums(_loss_sums(problem, counts))


def permute_and_flip_learner(problem: LearningProblem, epsilon: float) -> CountLearner:
    """Permute-and-flip on the sum of the losses: never worse in expectation than the exponential mechanism.

    Parameters
    ----------
    problem : LearningProblem
        What is to be learned.
    epsilon : float
        Privacy parameter in nats, positive.

    Returns
    -------
    CountLearner
        From counts (n_datasets, n_records) to probabilities (n_datasets, n_hypotheses).

    Notes
    -----
    *Privacy.* The output is epsilon-differentially private under replace-one.

    References
    ----------
    McKenna and Sheldon (2020), Algorithm 1.

    Examples
    --------
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> permute_and_flip_learner(problem, 1.0)(np.array([[2, 0], [1, 1]])).round(4).tolist()
    [[0.8161, 0.1839], [0.5, 0.5]]
    """
    check.instance(LearningProblem, problem=problem)
    mechanism = PermuteAndFlip(epsilon=epsilon, sensitivity=LOSS_SUM_SENSITIVITY)

    def learner(counts: NDArray[np.int64]) -> NDArray[np.float64]:
        sums = _loss_sums(problem, counts)
        different, place = np.unique(
            sums.reshape(-1, problem.n_hypotheses), axis=0, return_inverse=True
        )
        output_tables = np.array(
            [mechanism.output_distribution(-row).pmf() for row in different]
        )
        return output_tables[place.ravel()].reshape(sums.shape)

    return learner


def constant_learner(problem: LearningProblem, index: int) -> CountLearner:
    """The learner that returns one hypothesis whatever the data.

    Parameters
    ----------
    problem : LearningProblem
        What is to be learned.
    index : int
        Index of the hypothesis, a non-negative integer.

    Returns
    -------
    CountLearner
        From counts (n_datasets, n_records) to probabilities (n_datasets, n_hypotheses).

    Raises
    ------
    ValueError
        If `index` is none of the hypotheses.

    Notes
    -----
    *Privacy.* The output is 0-differentially private under any relation.

    Examples
    --------
    >>> constant_learner(LearningProblem([[0.0, 1.0], [1.0, 0.0]]), 1)(np.array([[2, 0]])).tolist()
    [[0.0, 1.0]]
    """
    check.instance(LearningProblem, problem=problem)
    check.non_negative_integer(index=index)
    if index >= problem.n_hypotheses:
        raise ValueError(
            f"index must be in [0, {problem.n_hypotheses}), but got {index!r}."
        )
    return lambda counts: np.tile(
        np.eye(problem.n_hypotheses)[index], (*np.shape(counts)[:-1], 1)
    )


check.wrap_module(__name__)
