"""What a student learns from private votes, with every constant, and the rates of Table 1 of LZCW21.

If teachers make at most B mistakes each, at most 3 B points get K / 3 wrong votes, and only
those can be unstable or wrongly labelled.
"""

from math import floor, log, sqrt
from typing import NamedTuple

from privml import _check as check
from privml._search import ceiling, power, smallest_integer
from privml.bounds.fast_rates import NoiseCondition, bernstein_count

ALGORITHMS = ("gaussian", "sparse_vector", "active", "sparse_vector_2018")
NOISE_SETTINGS = ("realizable", "tsybakov", "agnostic")


def source_sigma(n_queries: int, epsilon: float, delta: float) -> float:
    """Noise on each of some counts with which the source's concentrated budget pays for them.

    Parameters
    ----------
    n_queries : int
        Number of queries, a positive integer.
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).

    Returns
    -------
    float
        ``sqrt(l / (2 rho))``, ``rho = (sqrt(ln(1 / delta) + epsilon) - sqrt(ln(1 / delta)))**2``.

    References
    ----------
    LZCW21-alg-1.

    Examples
    --------
    >>> round(source_sigma(100, 1.0, 1e-6), 3)
    53.5
    """
    check.standard_ranges(n_queries=n_queries, epsilon=epsilon, delta=delta)
    return (
        (sqrt(epsilon - log(delta)) + sqrt(-log(delta))) * sqrt(n_queries / 2) / epsilon
    )


def gaussian_teachers(
    n_samples: int, n_queries: int, epsilon: float, delta: float
) -> int:
    """Number of teachers with which the Gaussian noise that pays for the queries does little harm.

    Parameters
    ----------
    n_samples, n_queries : int
        Numbers of records and queries, positive integers.
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).

    Returns
    -------
    int
        ``6 sigma sqrt(2 ln(2 n))``, rounded up, with sigma of :func:`source_sigma`.

    References
    ----------
    LZCW21-thm-22 and LZCW21-thm-28, which prints the same number without sigma.

    Examples
    --------
    >>> gaussian_teachers(10**6, 1000, 1.0, 1e-6)
    5469
    """
    check.positive_integer(n_samples=n_samples)
    return ceiling(
        6 * source_sigma(n_queries, epsilon, delta) * sqrt(2 * log(2 * n_samples))
    )


def _stable_teachers(
    n_queries: int, cutoff: int, epsilon: float, delta: float, beta: float
) -> int:
    """Number of teachers at which no point with fewer than K / 3 dissenting votes is answered as unstable."""
    noises = n_queries + cutoff
    logarithms = log(2 * noises / delta) + max(0.0, log(noises / (2 * beta)))
    reach = 3 * (2 * source_sigma(cutoff, epsilon, delta / 2)) * logarithms
    return smallest_integer(lambda n_teachers: n_teachers / 6 - 1 >= reach)


def sparse_vector_teachers(
    n_queries: int, cutoff: int, epsilon: float, delta: float, *, beta: float
) -> int:
    """Number of teachers with which, if fewer than T margins are below K / 3, all others get their majority.

    Parameters
    ----------
    n_queries : int
        Number of queries, a positive integer.
    cutoff : int
        Number of unstable queries, a positive integer.
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).
    beta : float
        Failure probability, in (0, 1).

    Returns
    -------
    int
        ``136 ln(4 l T / min(delta, beta / 2)) sqrt(T ln(2 / delta)) / epsilon``, rounded up.

    Raises
    ------
    ValueError
        If epsilon exceeds ``ln(2 / delta)``.

    References
    ----------
    LZCW21-lem-3, for fewer than T where at most T is printed, with a condition on epsilon.

    Examples
    --------
    >>> sparse_vector_teachers(1000, 20, 1.0, 1e-6, beta=0.05)
    58162
    """
    check.standard_ranges(
        n_queries=n_queries, cutoff=cutoff, epsilon=epsilon, delta=delta, beta=beta
    )
    if epsilon > log(2 / delta):
        raise ValueError(
            f"epsilon must be at most ln(2/delta) = {log(2 / delta)!r}, but got {epsilon!r}."
        )
    logarithm = log(4 * n_queries * cutoff) - log(min(delta, beta / 2))
    return ceiling(136 * logarithm * sqrt(cutoff * log(2 / delta)) / epsilon)


def passive_cutoff(
    teacher_error: float, n_public: int, n_teachers: int, *, beta: float
) -> int:
    """Cut-off above the number of public points that K / 3 teachers get wrong.

    Parameters
    ----------
    teacher_error : float
        Error that no teacher exceeds, in [0, 1].
    n_public, n_teachers : int
        Numbers of public points and teachers, positive integers.
    beta : float
        Failure probability, in (0, 1).

    Returns
    -------
    int
        ``floor(3 (m e + sqrt(m ln(K / beta) / 2))) + 1``, at most m + 1.

    References
    ----------
    LZCW21-thm-5, with the largest error of a teacher, K for m in the logarithm, and 1 more.

    Examples
    --------
    >>> passive_cutoff(0.01, 1000, 300, beta=0.05)
    228
    """
    check.standard_ranges(
        teacher_error=teacher_error, n_public=n_public, n_teachers=n_teachers, beta=beta
    )
    mistakes = n_public * teacher_error + sqrt(
        n_public * (log(n_teachers) - log(beta)) / 2
    )
    return min(floor(3 * mistakes), n_public) + 1


class PATEBound(NamedTuple):
    """Parameters of PATE; bounds on its teachers' distance from h*, its wrong labels, its excess error.

    Parameters
    ----------
    n_teachers : int
        Number of teachers, a positive integer.
    cutoff : int
        Number of unstable queries allowed, a positive integer, or 0 where none are counted.
    disagreement, wrong_labels : float
        Distance in [0, 1] from h* that no teacher exceeds; number of wrong labels that is not exceeded.
    excess : float
        Bound on the excess error of the student, in [0, 1].
    """

    n_teachers: int
    cutoff: int
    disagreement: float
    wrong_labels: float
    excess: float


def _student_excess(
    condition: NoiseCondition, n_public: int, wrong: float, beta: float
) -> float:
    """Four times the share of wrong labels, and five times the complexity of the student's problem."""
    complexity = (condition.log_growth(2 * n_public) + log(4 / beta)) / n_public
    return min(1.0, 4 * wrong / n_public + 5 * complexity)


def sparse_vector_pate_bound(
    condition: NoiseCondition,
    n_samples: int,
    n_public: int,
    epsilon: float,
    delta: float,
    *,
    beta: float,
) -> PATEBound:
    """Excess error of PATE with the sparse vector under a noise condition, and the parameters to run it with.

    Parameters
    ----------
    condition : NoiseCondition
        Noise condition of the class, with its size.
    n_samples, n_public : int
        Numbers of records and public points, positive integers.
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).
    beta : float
        Failure probability, in (0, 1).

    Returns
    -------
    PATEBound
        For the least ``K >= 6 + 18 lambda (ln(2 (m + T) / delta) + ln(2 (m + T) / beta))``, T its cut-off,
        with lambda of the source's calibration.

    Raises
    ------
    ValueError
        If there are fewer records than teachers that are needed.

    Notes
    -----
    *Privacy.* (epsilon, delta)-DP if one record changes one teacher.

    References
    ----------
    LZCW21-thm-10, LZCW21-lem-15 and LZCW21-rem-11 with explicit constants.

    Examples
    --------
    >>> massart = NoiseCondition(tau=1.0, eta=1.25, vc_dimension=1, n_hypotheses=101)
    >>> bound = sparse_vector_pate_bound(massart, 10**9, 1000, 1.0, 1e-9, beta=0.05)
    >>> bound.n_teachers, bound.cutoff, round(bound.excess, 3)
    (87399, 88, 0.4)
    """
    check.standard_ranges(
        n_samples=n_samples, n_public=n_public, delta=delta, beta=beta
    )
    check.instance(NoiseCondition, condition=condition)
    part = beta / 4
    n_teachers = _stable_teachers(n_public, 1, epsilon, delta, part)
    while n_teachers <= n_samples:
        far = condition.teacher_disagreement(n_samples, n_teachers, part)
        cutoff = floor(3 * bernstein_count(n_public, far, beta=part / n_teachers)) + 1
        needed = _stable_teachers(n_public, cutoff, epsilon, delta, part)
        if needed <= n_teachers:
            excess = _student_excess(condition, n_public, cutoff - 1, part)
            return PATEBound(n_teachers, cutoff, far, float(cutoff - 1), excess)
        n_teachers = needed
    rule = f"at least {n_teachers}, one record for each of the teachers that are needed"
    raise ValueError(f"n_samples must be {rule}, but got {n_samples}.")


def gaussian_pate_bound(
    condition: NoiseCondition,
    n_samples: int,
    n_public: int,
    epsilon: float,
    delta: float,
    *,
    beta: float,
) -> PATEBound:
    """Excess error of PATE with Gaussian votes under a noise condition, and the number of teachers.

    Parameters
    ----------
    condition : NoiseCondition
        Noise condition of the class, with its size.
    n_samples, n_public : int
        Numbers of records and public points, positive integers.
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).
    beta : float
        Failure probability, in (0, 1).

    Returns
    -------
    PATEBound
        Parameters and bounds; its cut-off is 0.

    Notes
    -----
    *Privacy.* (epsilon, delta)-DP if one record changes one teacher.

    References
    ----------
    LZCW21-thm-28 with explicit constants.

    Examples
    --------
    >>> massart = NoiseCondition(tau=1.0, eta=1.25, vc_dimension=1, n_hypotheses=101)
    >>> bound = gaussian_pate_bound(massart, 10**9, 1000, 1.0, 1e-9, beta=0.05)
    >>> bound.n_teachers, round(bound.excess, 7)
    (8090, 0.0800343)
    """
    check.probability_open(beta=beta)
    check.instance(NoiseCondition, condition=condition)
    part = beta / 3
    n_teachers = gaussian_teachers(n_samples, n_public, epsilon, delta)
    far = condition.teacher_disagreement(n_samples, n_teachers, part)
    wrong = bernstein_count(n_public, min(1.0, 3 * far + 1 / n_samples), beta=part)
    return PATEBound(
        n_teachers, 0, far, wrong, _student_excess(condition, n_public, wrong, part)
    )


def pate_rate(
    algorithm: str,
    setting: str,
    n_samples: float,
    n_public: float,
    *,
    vc_dimension: float,
    epsilon: float,
    tau: float = 1.0,
    disagreement_coefficient: float = 1.0,
    best_error: float = 0.0,
) -> float:
    """An entry of Table 1: the rate of the excess error, with teachers and labelled public points optimised.

    Parameters
    ----------
    algorithm : str
        One of "gaussian", "sparse_vector", "active" and "sparse_vector_2018".
    setting : str
        One of "realizable", "tsybakov" and "agnostic".
    n_samples, n_public, vc_dimension : float
        Here any numbers of records and public points, positive; VC dimension, positive.
    epsilon : float
        Privacy parameter in nats, positive.
    tau : float
        Exponent of the noise condition, in (0, 1], which only "tsybakov" uses.
    disagreement_coefficient : float
        Disagreement coefficient, positive, which only "active" uses.
    best_error : float
        Least error in the class, in [0, 1].

    Returns
    -------
    float
        Without constants and logarithms; agnostic, `best_error`, which cannot be avoided in general.
        "sparse_vector_2018" is as Bassily et al. (2018) analyse it.

    References
    ----------
    LZCW21-tab-1.

    Examples
    --------
    >>> round(pate_rate("sparse_vector", "realizable", 1e6, 1e6, vc_dimension=4, epsilon=1.0), 9)
    8e-06
    """
    check.one_of(ALGORITHMS, algorithm=algorithm)
    check.one_of(NOISE_SETTINGS, setting=setting)
    check.positive(
        n_samples=n_samples,
        n_public=n_public,
        vc_dimension=vc_dimension,
        epsilon=epsilon,
    )
    check.positive(
        tau=tau,
        disagreement_coefficient=disagreement_coefficient,
        budget=n_samples * epsilon,
    )
    check.unit_interval(best_error=best_error, tau=tau)
    old, budget, public = (
        algorithm == "sparse_vector_2018",
        n_samples * epsilon,
        vc_dimension / n_public,
    )
    if old and setting != "realizable":
        return 13 * best_error + max(
            power(power(vc_dimension, 1.5) / budget, 0.4), sqrt(public)
        )
    if setting == "agnostic":
        return best_error
    if old:
        return max(vc_dimension / power(budget, 2 / 3), sqrt(public))
    tau = 1.0 if setting == "realizable" else tau
    exponent = 2 * tau / (4 - tau) if algorithm == "gaussian" else tau / (2 - tau)
    theta = disagreement_coefficient if algorithm == "active" else 1.0
    return max(power(power(vc_dimension, 1.5) * sqrt(theta) / budget, exponent), public)


check.wrap_module(__name__)
