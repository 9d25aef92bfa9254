r"""The private choice among candidates by their losses on validation records.

Let b be the best of a candidates and j one whose risk is larger by t.  Given the v validation records the
exponential mechanism chooses j with probability at most ``1 / (1 + e^(c S)) <= e^(-u S)`` for
``0 <= u <= c = epsilon / 2``, S being the difference of their total losses: v independent terms in [-1, 1]
of mean t.  By Hoeffding's lemma its expectation is at most ``exp(-v (u t - u^2 / 2))``.  Sum over the a - 1
others, and take ``u = min(t, c)``.  So the records and the coins share one failure probability beta, and with
``L = ln((a - 1) / beta)`` the chosen candidate is worse than the best by at most

.. math:: t = \sqrt{2 L / v} \quad (\varepsilon \ge \sqrt{8 L / v}), \qquad
          t = \frac{2 L}{v \varepsilon} + \frac{\varepsilon}{4} \quad \text{otherwise.}

From that epsilon on the private choice has the bound of the choice without privacy.
"""

from math import exp, inf, log, sqrt
from typing import NamedTuple

from privml import _check as check
from privml._search import smallest_integer

VALIDATIONS = ("equal", "half")
"""Ways to split: a validation block like the others, or half of the records."""


class Blocks(NamedTuple):
    """Sizes of the blocks: of each of the learner's, and of the one for validation."""

    learning: int
    validation: int


def boosting_blocks(n_samples: int, n_candidates: int, *, validation: str = "equal") -> Blocks:
    """Sizes of the blocks into which boosting splits the records.

    **Returns.** Blocks: the learner's blocks have ``n // (a + 1)`` or ``n // (2 a)`` records; validation gets
    the rest.
    **Source.** WLF16-alg-boost; the second split is ours.

    Parameters
    ----------
    n_candidates : int
        Number of candidates a, at least 1.
    validation : {"equal", "half"}
        Make a + 1 blocks of equal size, as the source does, or use half of the records for validation.

    Examples
    --------
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


def boosting_candidates(failure: float) -> int:
    """Smallest number of candidates that are all worse than e times the rate with probability `failure`.

    **Returns.** Smallest a with ``e^-a <= failure``.
    **Source.** WLF16-alg-boost, where ``ln(3 / delta)`` is not rounded up to an integer.

    Parameters
    ----------
    failure : float
        In (0, 1); delta / 3 in the source, delta / 2 in :func:`~privml.bounds.boosting.boosted_excess_risk`.

    Raises
    ------
    ValueError
        If `failure` is out of range.

    Examples
    --------
    >>> boosting_candidates(0.05 / 3)
    5
    """
    check.probability_open(failure=failure)
    return smallest_integer(lambda a: -a <= log(failure))


def _log_share(n_candidates: int, beta: float) -> float:
    """``ln((a - 1) / beta)``; minus infinity if there is nothing to choose from."""
    return log(n_candidates - 1) - log(beta) if n_candidates > 1 else -inf


def selection_failure(n_validation: int, n_candidates: int, epsilon: float, gap: float) -> float:
    """Bound on the probability that the chosen candidate's risk exceeds the best one's by more than `gap`.

    **Returns.** ``(a - 1) exp(-v (u t - u^2 / 2))`` with ``u = min(t, epsilon / 2)``, at most 1.
    **Accuracy.** Over the validation records and the coins, for losses in [0, 1].
    **Source.** Sharpens (21) and (22) in the proof of WLF16-thm-25: see the module's second step.

    Parameters
    ----------
    n_validation : int
        Number of validation records v, at least 1.
    n_candidates : int
        Number of candidates a, at least 1; fixed before the validation records are looked at.
    epsilon : float
        Privacy parameter of the choice in nats, positive; infinite for the choice without privacy.
    gap : float
        Difference t of risks, positive.

    Examples
    --------
    >>> round(selection_failure(200, 5, 1.0, 0.3), 6), round(selection_failure(200, 5, 0.1, 0.3), 6)
    (0.000494, 0.255711)
    """
    check.positive_integer(n_validation=n_validation, n_candidates=n_candidates)
    check.positive(gap=gap)
    if epsilon != inf:
        check.positive(epsilon=epsilon)
    tilt = min(gap, epsilon / 2)
    return min(1.0, (n_candidates - 1) * exp(-n_validation * tilt * (gap - tilt / 2)))


def selection_gap(n_validation: int, n_candidates: int, epsilon: float, beta: float) -> float:
    """Difference of risks at which :func:`selection_failure` equals beta.

    **Returns.** ``sqrt(2 L / v)`` or ``2 L / (v epsilon) + epsilon / 4``, with ``L = ln((a - 1) / beta)``.
    **Source.** Sharpens (21) and (22) in the proof of WLF16-thm-25.

    Parameters
    ----------
    n_validation : int
        Number of validation records v, at least 1.
    n_candidates : int
        Number of candidates a, at least 1.
    epsilon : float
        Privacy parameter of the choice in nats, positive; infinite for the choice without privacy.

    Examples
    --------
    >>> round(selection_gap(200, 5, 1.0, 0.05), 6), round(selection_gap(200, 5, 0.1, 0.05), 6)
    (0.209333, 0.463203)
    """
    check.positive_integer(n_validation=n_validation, n_candidates=n_candidates)
    check.probability_open(beta=beta)
    if epsilon != inf:
        check.positive(epsilon=epsilon)
    share = max(_log_share(n_candidates, beta), 0.0)
    free = sqrt(2 * share / n_validation)
    return free if free <= epsilon / 2 else 2 * share / (n_validation * epsilon) + epsilon / 4


def free_selection_epsilon(n_validation: int, n_candidates: int, beta: float) -> float:
    """Epsilon from which on the private choice has the bound of the choice without privacy.

    **Returns.** ``sqrt(8 ln((a - 1) / beta) / v)``.
    **Source.** Ours, in place of ``(a + 1) / sqrt(n)`` in WLF16-thm-25.

    Parameters
    ----------
    n_validation : int
        Number of validation records v, at least 1.
    n_candidates : int
        Number of candidates a, at least 2.

    Examples
    --------
    >>> round(free_selection_epsilon(200, 5, 0.05), 6)
    0.418666
    """
    check.positive_integer(n_validation=n_validation, n_candidates=n_candidates)
    if n_candidates < 2:
        raise ValueError(f"n_candidates must be at least 2, got {n_candidates!r}")
    return 2 * selection_gap(n_validation, n_candidates, inf, beta)
