"""Inverting the optimum: the smallest epsilon, and the fewest records, that reach a wanted excess risk."""

from collections.abc import Sequence
from math import log

from numpy.typing import ArrayLike

from privml import _check as check
from privml._search import crossing
from privml.learnability.base import LearningProblem
from privml.learnability.optimal.base import OptimalLearner
from privml.learnability.optimal.learner import Setting, optimal_learner


def optimal_epsilon(
    problem: LearningProblem, n_samples: int, alpha: float, *, symmetries: Sequence[ArrayLike] = ()
) -> OptimalLearner:
    """The most private learner whose excess empirical risk is at most alpha on every data set.

    The optimum does not increase with epsilon, and the exponential mechanism reaches alpha at
    ``2 ln |H| / (n_samples alpha)``, so that a root is bracketed.

    Parameters
    ----------
    symmetries : sequence of array_like of int
        As for :func:`~privml.learnability.optimal.optimal_learner`.

    Returns
    -------
    OptimalLearner
        With ``value <= alpha``; its epsilon is the smallest one, to the precision of the solver.

    Notes
    -----
    **Privacy.** epsilon-DP under replace-one, with the epsilon found.
    **Source.** WLF16-eq-6.

    Examples
    --------
    >>> coin = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> learner = optimal_epsilon(coin, 20, 0.1)
    >>> round(learner.epsilon, 4), learner.value <= 0.1
    (0.1833, True)
    """
    check.probability_open(alpha=alpha)
    setting = Setting.of(problem, n_samples, None, symmetries)
    learners = {}

    def excess(epsilon: float) -> float:
        learners[epsilon] = setting.optimum(epsilon)[0]
        return learners[epsilon].value - alpha

    largest = 2 * log(max(2, problem.n_hypotheses)) / (n_samples * alpha)
    upper = min(largest, 1.0)
    while upper < largest and excess(upper) > 0:  # far beyond the root the solver is out of its depth
        upper = min(largest, 2 * upper)
    return learners[crossing(excess, lower=0.0, upper=upper)]


def optimal_sample_size(
    problem: LearningProblem,
    epsilon: float,
    alpha: float,
    *,
    symmetries: Sequence[ArrayLike] = (),
    largest: int = 100,
) -> OptimalLearner:
    """The learner for the fewest records at which some epsilon-DP learner reaches alpha on every data set.

    The sizes are tried one after the other, since the optimum need not fall with the number of records: for
    thresholds on three points and epsilon = 2 two records are worse than one.  More records than the size
    found may again be too few.

    Parameters
    ----------
    symmetries : sequence of array_like of int
        As for :func:`~privml.learnability.optimal.optimal_learner`.
    largest : int, default 100
        Size to stop at.

    Returns
    -------
    OptimalLearner
        With ``n_samples`` records and ``value <= alpha``; with one record less the ``lower_bound`` is
        above alpha, up to the solver's precision.

    Notes
    -----
    **Privacy.** epsilon-DP under replace-one.
    **Source.** WLF16-eq-6; WLF16-rem-beimel-log-H.

    Examples
    --------
    >>> coin = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> [optimal_sample_size(coin, epsilon, 0.1).n_samples for epsilon in (0.5, 1.0, 2.0)]
    [7, 3, 2]
    """
    check.instance(LearningProblem, problem=problem)
    check.positive_integer(largest=largest)
    check.probability_open(alpha=alpha)
    for n_samples in range(1, largest + 1):
        learner = optimal_learner(problem, n_samples, epsilon, symmetries=symmetries)
        if learner.value <= alpha:
            return learner
    raise ValueError(
        f"alpha must be reached by {largest} records, got {learner.value:.6g} there for {alpha!r}"
    )
