"""High confidence: from a rate in expectation to a bound that fails with probability beta.

Run the learner on a blocks of m records, and choose among the candidates by their losses on v others with the
exponential mechanism: each exceeds e times its rate with probability at most 1 / e, and all with ``e^-a``.
"""

from collections.abc import Callable
from math import exp, inf, log, sqrt
from typing import NamedTuple

from privml import _check as check
from privml._search import smallest_integer

VALIDATIONS = ("equal", "half")


class Blocks(NamedTuple):
    """Sizes of the blocks: of each of the learner's, and of the one for validation."""

    learning: int
    validation: int


def boosting_blocks(n_samples: int, n_candidates: int, *, validation: str = "equal") -> Blocks:
    """Sizes of the blocks into which boosting splits the records.

    **Returns.** ``n // (a + 1)`` or ``n // (2 a)`` records for each candidate; validation gets the rest.
    **Source.** WLF16-alg-boost; the second split is ours.

    >>> boosting_blocks(100, 5), boosting_blocks(100, 5, validation="half")
    (Blocks(learning=16, validation=20), Blocks(learning=10, validation=50))
    """
    check.positive_integer(n_samples=n_samples, n_candidates=n_candidates)
    check.one_of(VALIDATIONS, validation=validation)
    parts = n_candidates + 1 if validation == "equal" else 2 * n_candidates
    if n_samples < parts:
        raise ValueError(f"n_samples must be at least {parts} for {n_candidates} candidates, got {n_samples}")
    learning = n_samples // parts
    return Blocks(learning, n_samples - n_candidates * learning)


def boosting_candidates(beta: float) -> int:
    """Smallest number of candidates that are all worse than e times the rate with probability at most beta.

    **Returns.** Smallest a with ``e^-a <= beta``.
    **Source.** WLF16-alg-boost, where ``ln(3 / delta)`` is not rounded up to an integer.

    >>> boosting_candidates(0.05 / 3)
    5
    """
    check.probability_open(beta=beta)
    return smallest_integer(lambda a: -a <= log(beta))


def selection_gap(n_validation: int, n_candidates: int, epsilon: float, beta: float) -> float:
    """Difference of risks by which the chosen candidate is worse than the best with probability at most beta.

    **Returns.** ``sqrt(2 L / v)`` or ``2 L / (v epsilon) + epsilon / 4``, with ``L = ln((a - 1) / beta)``.
    **Accuracy.** Over the validation records and the coins, for losses in [0, 1]; epsilon may be infinite.
    **Source.** Sharpens (21) and (22) in the proof of WLF16-thm-25.

    >>> round(selection_gap(200, 5, 1.0, 0.05), 6), round(selection_gap(200, 5, 0.1, 0.05), 6)
    (0.209333, 0.463203)
    """
    check.ranges(n_validation=n_validation, n_candidates=n_candidates, beta=beta)
    if epsilon != inf:
        check.positive(epsilon=epsilon)
    share = max(log(n_candidates - 1) - log(beta), 0.0) if n_candidates > 1 else 0.0
    free = sqrt(2 * share / n_validation)
    return free if free <= epsilon / 2 else 2 * share / (n_validation * epsilon) + epsilon / 4


def boosted_excess_risk(
    rate: Callable[[int], float], n_samples: int, epsilon: float, beta: float, *, validation: str = "equal"
) -> float:
    """Bound on the excess risk after boosting, except with probability beta.

    **Returns.** ``e rate(m) + selection_gap(v, a, epsilon, beta - e^-a)``, a the smallest integer for which
    ``e^-a <= beta / 2``; v is m, or n / 2 rounded up: what the split always leaves for validation.
    **Accuracy.** Over independent records and all coins, for losses in [0, 1]; epsilon may be infinite.
    **Source.** WLF16-thm-25, with our constants.

    >>> round(boosted_excess_risk(lambda n: n**-0.5 / 4, 30_000, 1.0, 0.05), 6)
    0.04772
    """
    check.probability_open(beta=beta)
    check.function(rate=rate)
    n_candidates = boosting_candidates(beta / 2)
    m = boosting_blocks(n_samples, n_candidates, validation=validation).learning
    v = m if validation == "equal" else (n_samples + 1) // 2
    expected = rate(m)
    check.non_negative(rate=expected)
    return exp(1) * expected + selection_gap(v, n_candidates, epsilon, beta - exp(-n_candidates))
