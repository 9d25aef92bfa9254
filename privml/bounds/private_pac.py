"""The exponential mechanism as a learner of a finite class, and as a choice among candidates (boosting).

Each candidate of a learner with a rate in expectation, from m records of its own, exceeds e times the rate
with probability at most 1 / e, and all a of them with ``e^-a``; v other records choose.
"""

from collections.abc import Callable
from math import exp, expm1, inf, log, sqrt, tanh
from typing import NamedTuple

from privml import _check as check
from privml._search import smallest_integer
from privml.bounds.tails import realizable_erm_error, uniform_convergence_radius

PROOFS = ("thirds", "halves", "sum", "moment")
"""How a proof divides the excess error: in thirds (lecture 4), in halves (Sorrell's lecture 16), as a sum of two
radii and a gap (Dwork and Roth, section 11.1), and not at all, by one exponential moment."""
FORMER_PROOFS = {"l4": "thirds", "s16": "halves", "dr11": "sum", "direct": "moment"}
VALIDATIONS = ("equal", "half")


def exponential_utility_gap(
    n_outcomes: int,
    epsilon: float,
    *,
    beta: float,
    sensitivity: float = 1.0,
    n_optimal: int = 1,
) -> float:
    """Distance below the best score that the chosen one exceeds only with probability beta.

    Parameters
    ----------
    n_outcomes : int
        Number of outcomes, a positive integer.
    epsilon : float
        Privacy parameter in nats, positive.
    beta : float
        Failure probability, in (0, 1).
    sensitivity : float
        Largest change between neighbours of a score, positive.
    n_optimal : int
        Number of outcomes with the best score, a positive integer.

    Returns
    -------
    float
        ``(2 Delta / epsilon) (ln(k / k*) + ln(1 / beta))``, in score units.

    Raises
    ------
    ValueError
        If n_optimal exceeds n_outcomes.

    References
    ----------
    L4-exp-mech-utility with t = ln(1 / beta); S16-thm-0.2 for ``n_optimal > 1``.

    Examples
    --------
    >>> round(exponential_utility_gap(16, 1.0, beta=0.05), 6)
    11.536642
    """
    check.standard_ranges(n_outcomes=n_outcomes, n_optimal=n_optimal)
    check.standard_ranges(epsilon=epsilon, sensitivity=sensitivity, beta=beta)
    if n_optimal > n_outcomes:
        raise ValueError(
            f"n_optimal must be at most n_outcomes ({n_outcomes}), but got {n_optimal}."
        )
    return 2 * sensitivity / epsilon * (log(n_outcomes) - log(n_optimal) - log(beta))


def private_erm_gap(
    n_hypotheses: int, n_samples: int, epsilon: float, *, beta: float
) -> float:
    """Excess empirical error of the private learner on any data, except with probability beta.

    Parameters
    ----------
    n_hypotheses, n_samples : int
        Numbers of hypotheses and records, positive integers.
    epsilon : float
        Privacy parameter in nats, positive.
    beta : float
        Failure probability, in (0, 1).

    Returns
    -------
    float
        ``2 (ln|H| + ln(1 / beta)) / (m epsilon)``.

    References
    ----------
    L4-private-erm-gap, inequality (1); DR11-lem-empirical-utility.

    Examples
    --------
    >>> round(private_erm_gap(16, 500, 0.5, beta=0.05), 6)
    0.046147
    """
    check.positive_integer(n_samples=n_samples)
    return exponential_utility_gap(n_hypotheses, epsilon, beta=beta) / n_samples


def private_pac_excess_error(
    n_hypotheses: int,
    n_samples: int,
    epsilon: float,
    *,
    beta: float,
    proof: str,
    constant: str | None = None,
) -> float:
    """Excess error of the private learner, except with probability beta, by one of four proofs.

    The labels may be anything; where a hypothesis fits them all, :func:`private_realizable_error` is smaller.

    Parameters
    ----------
    n_hypotheses, n_samples : int
        Numbers of hypotheses and records, positive integers.
    epsilon : float
        Privacy parameter in nats, positive.
    beta : float
        Failure probability, in (0, 1).
    proof : str
        One of "thirds", "halves", "sum" and "moment", as above.
    constant : str, optional
        One of "hoeffding" and "lecture" for the radius r; None takes that of the proof.

    Returns
    -------
    float
        With r the radius of uniform convergence and g the gap of the mechanism, each at beta / 2: ``3
        max(r, g)`` ("thirds"), ``max(4 r, 2 g)`` ("halves") or ``2 r + g`` ("sum"); the constant of r is
        the lecture's for "thirds", else Hoeffding's. With ``L = ln(|H| / beta)``: ``sqrt(2 L / m)`` up to
        epsilon / 2, and from there ``2 L / (epsilon m) + epsilon / 4`` ("moment"), the smallest as a rule.

    References
    ----------
    L4-private-agnostic-pac (thirds); S16-thm-0.3 (Kasiviswanathan et al. 2011), with r twice as often
    (halves); DR11-thm-private-pac, with constants and one more use of the sampling bound (sum); "moment" is
    ours.

    Examples
    --------
    >>> [round(private_pac_excess_error(16, 9000, 0.5, beta=0.05, proof=proof), 3) for proof in PROOFS]
    [0.147, 0.08, 0.043, 0.036]
    """
    if proof in tuple(FORMER_PROOFS):
        proof = FORMER_PROOFS[proof]
    check.one_of(PROOFS, proof=proof)
    check.standard_ranges(
        n_hypotheses=n_hypotheses, n_samples=n_samples, epsilon=epsilon, beta=beta
    )
    if proof == "moment":
        twice_exponent = 2 * (log(n_hypotheses) - log(beta)) / n_samples
        free = sqrt(twice_exponent)
        return free if free <= epsilon / 2 else twice_exponent / epsilon + epsilon / 4
    if constant is None:
        constant = "lecture" if proof == "thirds" else "hoeffding"
    radius = uniform_convergence_radius(
        n_hypotheses, n_samples, beta / 2, constant=constant
    )
    gap = private_erm_gap(n_hypotheses, n_samples, epsilon, beta=beta / 2)
    return {
        "thirds": 3 * max(radius, gap),
        "halves": max(4 * radius, 2 * gap),
        "sum": 2 * radius + gap,
    }[proof]


def private_realizable_error(
    n_hypotheses: int, n_samples: int, epsilon: float, *, beta: float
) -> float:
    r"""Error of the private learner where some hypothesis fits all labels, except with probability beta.

    A hypothesis of error above :math:`\alpha` is drawn with probability at most
    :math:`\mathbb E \, e^{- \varepsilon X / 2} \le (1 - \alpha (1 - e^{- \varepsilon / 2}))^m`, where X counts its
    mistakes, since the hypothesis without mistakes has the weight 1 in the normaliser.

    Parameters
    ----------
    n_hypotheses, n_samples : int
        Numbers of hypotheses and records, positive integers.
    epsilon : float
        Privacy parameter in nats, positive.
    beta : float
        Failure probability, in (0, 1).

    Returns
    -------
    float
        ``(1 - (beta / |H|)^(1 / m)) / (1 - e^(-epsilon / 2))``, at most 1; a fewest number of records by
        :func:`required_sample_size`.

    References
    ----------
    For L4-def-pac in its realizable version, and S16-thm-0.3; the constants are ours.

    Examples
    --------
    >>> round(private_realizable_error(16, 500, 0.5, beta=0.05), 6)
    0.051855
    >>> from privml.bounds import required_sample_size
    >>> required_sample_size(lambda m: private_realizable_error(1000, m, 1.0, beta=0.05), 0.1)
    247
    """
    check.standard_ranges(
        n_hypotheses=n_hypotheses, n_samples=n_samples, epsilon=epsilon, beta=beta
    )
    bare = realizable_erm_error(n_hypotheses, n_samples, beta)
    return min(1.0, bare / -expm1(-epsilon / 2))


def representation_excess_risk(
    n_samples: int, epsilon: float, log_size: float, *, approximation: float = 0.0
) -> float:
    """Expected excess risk of the exponential mechanism over a finite set chosen without the data.

    Parameters
    ----------
    n_samples : int
        Number of records, a positive integer.
    epsilon : float
        Privacy parameter in nats, positive.
    log_size : float
        Logarithm of the number K of hypotheses, non-negative.
    approximation : float
        Excess risk of the best of them, non-negative.

    Returns
    -------
    float
        Approximation, ``2 ln K / (n e)`` for the best e up to epsilon (Gibbs), and the smaller of ``tanh(e
        / 4)`` (it is private) and ``sqrt(ln K / (2 n))`` (K means stay near their expectations).

    Notes
    -----
    *Accuracy.* In expectation over set, sample and draw, for losses in [0, 1] and independent records.

    References
    ----------
    WLF16-ex-23, WLF16-ex-24: the reduction to WLF16-ex-20, with constants.

    Examples
    --------
    >>> round(representation_excess_risk(1000, 1.0, log(64), approximation=0.05), 3)
    0.104
    """
    check.standard_ranges(
        n_samples=n_samples,
        epsilon=epsilon,
        log_size=log_size,
        approximation=approximation,
    )
    uniform = 2 * log_size / (n_samples * epsilon) + sqrt(log_size / (2 * n_samples))
    best = min(epsilon, sqrt(8 * log_size / n_samples)) if log_size else 0.0
    return approximation + min(
        uniform, 2 * log_size / (n_samples * best) + tanh(best / 4) if best else 0.0
    )


class Blocks(NamedTuple):
    """Sizes of the blocks: of each of the learner's, and of the one for validation.

    Parameters
    ----------
    learning, validation : int
        Number of records in each block of a learner; number of records in the block for validation.
    """

    learning: int
    validation: int


def boosting_blocks(
    n_samples: int, n_candidates: int, *, validation: str = "equal"
) -> Blocks:
    """Sizes of the blocks into which boosting splits the records.

    Parameters
    ----------
    n_samples, n_candidates : int
        Numbers of records and candidates, positive integers.
    validation : str
        Whether the block for validation is as large as the others ("equal") or half of the records ("half").

    Returns
    -------
    Blocks
        ``n // (a + 1)`` or ``n // (2 a)`` records for each candidate; validation gets the rest.

    Raises
    ------
    ValueError
        If there are fewer records than blocks.

    References
    ----------
    WLF16-alg-boost; the second split is ours.

    Examples
    --------
    >>> boosting_blocks(100, 5), boosting_blocks(100, 5, validation="half")
    (Blocks(learning=16, validation=20), Blocks(learning=10, validation=50))
    """
    check.positive_integer(n_samples=n_samples, n_candidates=n_candidates)
    check.one_of(VALIDATIONS, validation=validation)
    parts = n_candidates + 1 if validation == "equal" else 2 * n_candidates
    if n_samples < parts:
        raise ValueError(
            f"n_samples must be at least {parts} for {n_candidates} candidates, but got {n_samples}."
        )
    learning = n_samples // parts
    return Blocks(learning, n_samples - n_candidates * learning)


def boosting_candidates(beta: float) -> int:
    """Smallest number of candidates that are all worse than e times the rate with probability at most beta.

    Parameters
    ----------
    beta : float
        Failure probability, in (0, 1).

    Returns
    -------
    int
        Smallest a with ``e^-a <= beta``.

    References
    ----------
    WLF16-alg-boost, where ``ln(3 / delta)`` is not rounded up to an integer.

    Examples
    --------
    >>> boosting_candidates(0.05 / 3)
    5
    """
    check.probability_open(beta=beta)
    return smallest_integer(lambda a: -a <= log(beta))


def selection_gap(
    n_validation: int, n_candidates: int, epsilon: float, *, beta: float
) -> float:
    """Difference of risks by which the chosen candidate is worse than the best with probability at most beta.

    Parameters
    ----------
    n_validation, n_candidates : int
        Numbers of records for validation and candidates, positive integers.
    epsilon : float
        Privacy parameter in nats, positive or infinite.
    beta : float
        Failure probability, in (0, 1).

    Returns
    -------
    float
        ``sqrt(2 L / v)`` or ``2 L / (v epsilon) + epsilon / 4``, with ``L = ln((a - 1) / beta)``.

    Notes
    -----
    *Accuracy.* Over the validation records and the coins, for losses in [0, 1]; epsilon may be infinite.

    References
    ----------
    Sharpens (21) and (22) in the proof of WLF16-thm-25.

    Examples
    --------
    >>> round(selection_gap(200, 5, 1.0, beta=0.05), 6), round(selection_gap(200, 5, 0.1, beta=0.05), 6)
    (0.209333, 0.463203)
    """
    check.standard_ranges(
        n_validation=n_validation, n_candidates=n_candidates, beta=beta
    )
    if epsilon != inf:
        check.positive(epsilon=epsilon)
    share = max(log(n_candidates - 1) - log(beta), 0.0) if n_candidates > 1 else 0.0
    free = sqrt(2 * share / n_validation)
    return (
        free
        if free <= epsilon / 2
        else 2 * share / (n_validation * epsilon) + epsilon / 4
    )


def boosted_excess_risk(
    rate: Callable[[int], float],
    n_samples: int,
    epsilon: float,
    *,
    beta: float,
    validation: str = "equal",
) -> float:
    """Bound on the excess risk after boosting, except with probability beta.

    Parameters
    ----------
    rate : callable
        From the number of records to a bound on the learner's mean excess risk, non-negative.
    n_samples : int
        Number of records, a positive integer.
    epsilon : float
        Privacy parameter in nats, positive or infinite.
    beta : float
        Failure probability, in (0, 1).
    validation : str
        Whether the block for validation is as large as the others ("equal") or half of the records ("half").

    Returns
    -------
    float
        ``e rate(m) + selection_gap(v, a, epsilon, beta - e^-a)``, a the smallest integer for which ``e^-a
        <= beta / 2``; v is m, or n / 2 rounded up: what the split always leaves for validation.

    Raises
    ------
    ValueError
        If there are fewer records than blocks.

    Notes
    -----
    *Accuracy.* Over independent records and all coins, for losses in [0, 1]; epsilon may be infinite.

    References
    ----------
    WLF16-thm-25, with our constants.

    Examples
    --------
    >>> round(boosted_excess_risk(lambda n: n**-0.5 / 4, 30_000, 1.0, beta=0.05), 6)
    0.04772
    """
    check.probability_open(beta=beta)
    check.function(rate=rate)
    n_candidates = boosting_candidates(beta / 2)
    m = boosting_blocks(n_samples, n_candidates, validation=validation).learning
    v = m if validation == "equal" else (n_samples + 1) // 2
    expected = rate(m)
    check.non_negative(rate=expected)
    return exp(1) * expected + selection_gap(
        v, n_candidates, epsilon, beta=beta - exp(-n_candidates)
    )


check.wrap_module(__name__)
