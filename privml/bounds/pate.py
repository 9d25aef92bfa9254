r"""What a student learns from private votes when the noise condition holds, with every constant.

K teachers, each an empirical risk minimiser on its own ``n / K`` private records, lie within D of the best
hypothesis h*.  So they make few mistakes *with respect to h** on the m public points, few points get K / 3
wrong votes, and only those can be unstable or wrongly labelled.  The student minimises the empirical risk on
labels that are those of h* but for a few, and so is itself close to h*.  Both private aggregators are here:
the sparse vector, which pays for unstable points only, and Gaussian noise on every vote.
"""

from math import floor, log, sqrt
from typing import NamedTuple

from privml import _check as check
from privml._search import ceiling, smallest_integer
from privml.bounds.fast_rates import teacher_disagreement
from privml.bounds.noise_condition import NoiseCondition
from privml.bounds.relative_deviation import bernstein_count


def source_sigma(n_queries: int, epsilon: float, delta: float) -> float:
    """Noise on each of some counts with which the source's concentrated budget pays for them.

    ``sqrt(l / (2 rho))`` with ``rho = (sqrt(ln(1 / delta) + epsilon) - sqrt(ln(1 / delta)))**2``.

    **Source.** LZCW21-alg-1.

    >>> round(source_sigma(100, 1.0, 1e-6), 3)
    53.5
    """
    check.positive_integer(n_queries=n_queries)
    check.positive(epsilon=epsilon)
    check.probability_open(delta=delta)
    return (sqrt(epsilon - log(delta)) + sqrt(-log(delta))) * sqrt(n_queries / 2) / epsilon


def teacher_mistakes(n_public: int, disagreement: float, n_teachers: int, beta: float) -> float:
    """Number of disagreements with h* on public points that no teacher exceeds, except with probability beta.

    ``m D + sqrt(2 m D L) + 2 L / 3`` with ``L = ln(K / beta)``, at most m.

    **Source.** LZCW21-lem-14.

    >>> round(teacher_mistakes(1000, 0.02, 100, 0.05), 2)
    42.5
    """
    check.positive_integer(n_teachers=n_teachers)
    check.probability_open(beta=beta)
    return bernstein_count(n_public, disagreement, beta / n_teachers)


def unstable_cutoff(mistakes: float) -> int:
    """Cut-off with which the sparse vector answers everything, if teachers make at most so many mistakes.

    ``floor(3 B) + 1``: at most 3 B points get K / 3 wrong votes, and the run halts at the T-th unstable
    answer.

    **Source.** LZCW21-lem-15, with 1 more than the printed ``T = 3 B``.

    >>> unstable_cutoff(10.5)
    32
    """
    check.non_negative(mistakes=mistakes)
    return floor(3 * mistakes) + 1


def stable_teachers(n_queries: int, cutoff: int, epsilon: float, delta: float, beta: float) -> int:
    """Number of teachers at which no point with fewer than K / 3 dissenting votes is answered as unstable.

    The smallest K with ``K / 6 - 1 >= 3 lambda (ln(2 (m + T) / delta) + ln((m + T) / (2 beta)))``, where
    ``lambda = sqrt(2 T / rho)`` and rho is the concentrated budget of (epsilon, delta / 2).

    **Source.** The step that LZCW21-thm-10 and LZCW21-lem-15 take from Lemma 3; no condition on epsilon.

    >>> stable_teachers(1000, 10, 1.0, 1e-6, 0.05)
    19119
    """
    check.positive_integer(n_queries=n_queries, cutoff=cutoff)
    check.positive(epsilon=epsilon)
    check.probability_open(delta=delta, beta=beta)
    scale = 2 * source_sigma(cutoff, epsilon, delta / 2)
    noises = n_queries + cutoff
    reach = 3 * scale * (log(2 * noises / delta) + max(0.0, log(noises / (2 * beta))))
    return smallest_integer(lambda n_teachers: n_teachers / 6 - 1 >= reach)


def gaussian_teachers(n_samples: int, n_public: int, epsilon: float, delta: float) -> int:
    """Number of teachers for Gaussian votes on m public points.

    ``6 sigma sqrt(2 ln(2 n))``, rounded up, with sigma the noise of the source's concentrated budget.

    **Source.** LZCW21-thm-28, which prints the same number without sigma.

    >>> gaussian_teachers(10**6, 1000, 1.0, 1e-6)
    5469
    """
    check.positive_integer(n_samples=n_samples, n_public=n_public)
    return ceiling(6 * source_sigma(n_public, epsilon, delta) * sqrt(2 * log(2 * n_samples)))


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

    With the least number of teachers K that :func:`stable_teachers` allows for the cut-off that K itself
    calls for.

    **Privacy.** (epsilon, delta)-DP if one record changes one teacher.
    **Source.** LZCW21-thm-10 with explicit constants, and LZCW21-rem-11 for ``tau = 1``.

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

    A label is wrong with probability at most ``3 D + 1 / n`` given the teachers, independently.
    **Privacy.** (epsilon, delta)-DP if one record changes one teacher.
    **Source.** LZCW21-thm-28 with explicit constants.

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
