"""Fast rates of learners and of teachers: sample sizes, the source's form, and all teachers at once."""

from math import log

from privml import _check as check
from privml.bounds.noise_condition import NoiseCondition


def fast_rate(
    n_samples: int, vc_dimension: int, tau: float, beta: float, *, constant: float, truncated: bool = True
) -> float:
    """The source's form of the fast rate, with the constant that it hides.

    **Returns.** ``constant ((d Log(n / d) + ln(1 / beta)) / n)**(1 / (2 - tau))``.
    **Source.** LZCW21-lem-38; as printed, without the truncation, no constant makes it true at ``n = d``.

    Parameters
    ----------
    constant : float
        What the source hides, positive.
    truncated : bool, default True
        Read the logarithm as ``max(1, ln(n / d))``, as the book that the source cites does.

    Examples
    --------
    >>> round(fast_rate(1000, 10, 1.0, 0.05, constant=1.0), 6)
    0.049047
    """
    check.positive_integer(n_samples=n_samples, vc_dimension=vc_dimension)
    check.unit_interval(tau=tau)
    check.probability_open(beta=beta)
    check.positive(constant=constant)
    check.instance(bool, truncated=truncated)
    logarithm = log(n_samples / vc_dimension)
    logarithm = max(1.0, logarithm) if truncated else logarithm
    inner = (vc_dimension * logarithm + log(1 / beta)) / n_samples
    return constant * max(inner, 0.0) ** (1 / (2 - tau))


def teacher_disagreement(condition: NoiseCondition, n_samples: int, n_teachers: int, beta: float) -> float:
    """Distance from h* that no teacher exceeds, except with probability beta.

    **Returns.** ``eta excess**tau`` with the excess of ``n // K`` records and confidence ``beta / K``; at
    most 1.
    **Source.** LZCW21-lem-13, with ``ln(K / beta)`` multiplied by K, which the printed bound lacks.

    Parameters
    ----------
    condition : NoiseCondition
        The class and its noise.
    n_samples : int
        Number of private records n; each teacher has at least ``n // K`` of them.

    Examples
    --------
    >>> realizable = NoiseCondition(tau=1.0, n_hypotheses=100)
    >>> round(teacher_disagreement(realizable, 10**6, 1000, 0.05), 4)
    0.029
    """
    check.instance(NoiseCondition, condition=condition)
    check.probability_open(beta=beta)
    check.positive_integer(n_samples=n_samples, n_teachers=n_teachers)
    if n_teachers > n_samples:
        raise ValueError(f"n_teachers must be at most the number of records ({n_samples}), got {n_teachers}")
    return condition.disagreement(condition.excess(n_samples // n_teachers, beta / n_teachers))
