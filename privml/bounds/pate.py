r"""What a student learns from private votes when the noise condition holds, with every constant.

K teachers, each an empirical risk minimiser on its own ``n / K`` private records, lie within D of the best
hypothesis h*.  So they make few mistakes *with respect to h** on the m public points, few points get K / 3
wrong votes, and only those can be unstable or wrongly labelled.  The student minimises the empirical risk on
labels that are those of h* but for a few, and so is itself close to h*.  Both private aggregators are here:
the sparse vector, which pays for unstable points only, and Gaussian noise on every vote.
"""

from math import log
from typing import NamedTuple

from privml import _check as check
from privml.bounds.fast_rates import teacher_disagreement
from privml.bounds.noise_condition import NoiseCondition
from privml.bounds.pate_steps import (
    gaussian_teachers,
    stable_teachers,
    teacher_mistakes,
    unstable_cutoff,
)
from privml.bounds.relative_deviation import bernstein_count


class PATEBound(NamedTuple):
    """A bound on the student's excess error, and the parameters and steps that lead to it.

    Attributes
    ----------
    n_teachers : int
        Number of teachers K.
    cutoff : int
        Number of unstable answers T at which the sparse vector halts; 0 for Gaussian votes.
    disagreement : float
        Distance from h* that no teacher exceeds.
    wrong_labels : float
        Number of public points with another label than that of h*, at most.
    excess : float
        Bound on ``err(student) - err(h*)``, at most 1.
    """

    n_teachers: int
    cutoff: int
    disagreement: float
    wrong_labels: float
    excess: float


def _student_excess(condition: NoiseCondition, n_public: int, wrong_labels: float, beta: float) -> float:
    """Four times the share of wrong labels, and five times the complexity of the student's problem."""
    complexity = (condition.log_growth(2 * n_public) + log(4 / beta)) / n_public
    return min(1.0, 4 * wrong_labels / n_public + 5 * complexity)


def sparse_vector_pate_bound(
    condition: NoiseCondition, n_samples: int, n_public: int, epsilon: float, delta: float, beta: float
) -> PATEBound:
    """Excess error of PATE with the sparse vector under a noise condition, and the parameters to run it with.

    Parameters
    ----------
    condition : NoiseCondition
        The class, which contains h*, and its noise.
    beta : float
        Failure probability in (0, 1); each of four steps takes a quarter.

    Returns
    -------
    PATEBound
        With the least number of teachers K that :func:`stable_teachers` allows for the cut-off that K itself
        calls for.

    Notes
    -----
    **Privacy.** (epsilon, delta)-DP if one record changes one teacher.
    **Source.** LZCW21-thm-10 with explicit constants, and LZCW21-rem-11 for ``tau = 1``.

    Examples
    --------
    >>> massart = NoiseCondition(tau=1.0, eta=1.25, vc_dimension=1, n_hypotheses=101)
    >>> bound = sparse_vector_pate_bound(massart, 10**9, 1000, 1.0, 1e-9, 0.05)
    >>> bound.n_teachers, bound.cutoff, round(bound.excess, 4)
    (87399, 88, 0.3999)
    """
    check.positive_integer(n_samples=n_samples)
    check.probability_open(beta=beta)
    check.instance(NoiseCondition, condition=condition)
    part = beta / 4
    n_teachers = stable_teachers(n_public, 1, epsilon, delta, part)
    while n_teachers <= n_samples:
        disagreement = teacher_disagreement(condition, n_samples, n_teachers, part)
        cutoff = unstable_cutoff(teacher_mistakes(n_public, disagreement, n_teachers, part))
        needed = stable_teachers(n_public, cutoff, epsilon, delta, part)
        if needed <= n_teachers:
            excess = _student_excess(condition, n_public, cutoff - 1, part)
            return PATEBound(n_teachers, cutoff, disagreement, float(cutoff - 1), excess)
        n_teachers = needed
    raise ValueError(
        f"n_samples must allow a record for each of the teachers that are needed, at least {n_teachers}, "
        f"got {n_samples}"
    )


def gaussian_pate_bound(
    condition: NoiseCondition, n_samples: int, n_public: int, epsilon: float, delta: float, beta: float
) -> PATEBound:
    """Excess error of PATE with Gaussian votes under a noise condition, and the number of teachers.

    Parameters
    ----------
    condition, n_samples, n_public, epsilon, delta
        As for :func:`sparse_vector_pate_bound`.
    beta : float
        Failure probability in (0, 1); each of three steps takes a third.

    Returns
    -------
    PATEBound

    Notes
    -----
    A label is wrong with probability at most ``3 D + 1 / n`` given the teachers, independently.
    **Privacy.** (epsilon, delta)-DP if one record changes one teacher.
    **Source.** LZCW21-thm-28 with explicit constants.

    Examples
    --------
    >>> massart = NoiseCondition(tau=1.0, eta=1.25, vc_dimension=1, n_hypotheses=101)
    >>> bound = gaussian_pate_bound(massart, 10**9, 1000, 1.0, 1e-9, 0.05)
    >>> bound.n_teachers, round(bound.excess, 4)
    (8090, 0.08)
    """
    check.probability_open(beta=beta)
    check.instance(NoiseCondition, condition=condition)
    part = beta / 3
    n_teachers = gaussian_teachers(n_samples, n_public, epsilon, delta)
    disagreement = teacher_disagreement(condition, n_samples, n_teachers, part)
    wrong = bernstein_count(n_public, min(1.0, 3 * disagreement + 1 / n_samples), part)
    return PATEBound(n_teachers, 0, disagreement, wrong, _student_excess(condition, n_public, wrong, part))
