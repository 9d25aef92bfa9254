"""What the output of a learner says about its sample, exactly: sums over all its data sets."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.learnability.base import CountLaw, LearningProblem
from privml.learnability.counts import count_vectors, sample_probabilities
from privml.learnability.stability.base import fitting, probabilities_on

_BOUNDARY = 1e-12


class Remembered(NamedTuple):
    """What the output of a learner says about its sample, one entry for each hypothesis."""

    probability: NDArray[np.float64]  # of being the output
    risk: NDArray[np.float64]
    empirical_risk: NDArray[np.float64]  # mean over the samples that led to it; NaN if it never comes out


def _joint(
    law: CountLaw, problem: LearningProblem, probabilities: ArrayLike, n_samples: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Joint law of data set and output, and the empirical risks, both (n_datasets, n_hypotheses)."""
    counts = count_vectors(problem.n_records, n_samples)
    laws = fitting(probabilities_on(law, counts), problem)
    weights = np.asarray(sample_probabilities(counts, probabilities))
    return weights[:, None] * laws, problem.empirical_risk(counts)


def remembered_risks(
    law: CountLaw, problem: LearningProblem, probabilities: ArrayLike, n_samples: int
) -> Remembered:
    """Risk of every output beside its mean empirical risk on the samples that led to it, exactly.

    Parameters
    ----------
    law : callable
        Law of the learner.
    probabilities : array_like of shape (n_records,)
        Distribution on the records.

    Returns
    -------
    Remembered

    Notes
    -----
    For an epsilon-DP learner the log-odds of the two differ by at most epsilon, see :func:`posterior_mean`.
    **Source.** The step that proves WLF16-lem-38 with better constants.

    Examples
    --------
    >>> from privml.learnability import exponential_law
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> found = remembered_risks(exponential_law(problem, 1.0), problem, [0.5, 0.5], 3)
    >>> found.empirical_risk.round(4).tolist()
    [0.39, 0.39]
    """
    check.instance(LearningProblem, problem=problem)
    joint, empirical = _joint(law, problem, probabilities, n_samples)
    total = joint.sum(axis=0)
    with np.errstate(invalid="ignore"):
        return Remembered(total, problem.risk(probabilities), (joint * empirical).sum(axis=0) / total)


def exact_generalisation_tail(
    law: CountLaw,
    problem: LearningProblem,
    probabilities: ArrayLike,
    n_samples: int,
    tau: float,
    *,
    two_sided: bool = True,
) -> float:
    """Probability that risk and empirical risk of the output differ by tau or more, exactly.

    Parameters
    ----------
    law : callable
        Law of the learner.
    probabilities : array_like of shape (n_records,)
        Distribution on the records.
    two_sided : bool, default True
        Whether a risk below the empirical risk counts as well.

    Notes
    -----
    **Source.** WLF16-lem-38: the probability that it bounds.

    Examples
    --------
    >>> from privml.learnability import erm_law
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> round(exact_generalisation_tail(erm_law(problem), problem, [0.5, 0.5], 3, 0.5), 12)
    0.25
    """
    check.instance(LearningProblem, problem=problem)
    check.flag(two_sided=two_sided)
    check.positive(tau=tau)
    joint, empirical = _joint(law, problem, probabilities, n_samples)
    gap = problem.risk(probabilities) - empirical
    reached = (np.abs(gap) if two_sided else gap) >= tau - _BOUNDARY
    return float(joint[reached].sum())
