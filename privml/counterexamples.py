"""Mechanisms that look right and are not, and classes that break a claim, by the theorem that they break.

The mechanisms exist to be caught: an auditor that lets one of them pass is broken.  Each function returns the
exact law of a mechanism whose author believes that it is epsilon-DP under ``REPLACE_ONE``.

*Selection.*  Records are numbers in [0, 1] (or beyond, where the point is that nobody clipped them); the
outcomes are as many equal cells of [0, 1].  A record supports the outcome whose cell it falls in.

*Subsampling* without the hypothesis that WLF16 leaves out.  The lemmas compare "record 1 is in the subsample"
with "it is not" by giving its place to another record.  In index order the place of record 1 is the first;
without it all others move up by one place.  :func:`place_reader` notices: it prefers one kind of record
in each place, and the data are laid out so that with record 1 in front the others are where they are liked.

*Votes.*  Classes whose votes have a larger VC dimension than the number of voters times that of the class,
found by local search, each a table with one row a hypothesis.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.distributions import Categorical
from privml.mechanisms import ExponentialMechanism

Law = Callable[[ArrayLike], Categorical]

MOST_OUTCOMES = 10**7

_UNION = "0-2 4-8 10 12-13 16-18 21 29"
_MEDIAN = """17-31 81-87 95 97 99-103 111 113 115-119 147 178 195 197 199 207 211 215 225-231 242 246 274 276
278-282 284-287 292 294 308 310-311 326-327 334-335 338 340 342-343 346 348 350-351 356 358-359 364 366-367
372 374-375 402 406 410 418 420 422 434 438 442 454-455 462-463 466 470 474 478 482 484 486-487 490 492 494
498 502 506 508 510 531 595 609 611-613 615 625 627 643 659 674 690 707 709 711 719 723 738-743 754 868 876
930 932 934 938 946 954 966-967 974-975 994 996 998-999 1002 1004 1006 1010 1014 1018"""


def vote_counts(records: ArrayLike, n_outcomes: int) -> NDArray[np.float64]:
    """Number of records in each of `n_outcomes` equal cells of [0, 1]; outside values go to the end cells."""
    check.positive_integer(n_outcomes=n_outcomes)
    if n_outcomes > MOST_OUTCOMES:
        raise ValueError(f"n_outcomes must be at most {MOST_OUTCOMES}, got {n_outcomes!r}")
    records = np.clip(np.nan_to_num(check.numbers(records=records)), 0.0, 1.0)  # an early cast overflows
    cells = np.minimum((records * n_outcomes).astype(int), n_outcomes - 1)
    return np.bincount(cells, minlength=n_outcomes).astype(float)


def half_sensitivity(epsilon: float, n_outcomes: int = 2) -> Law:
    """Vote counts with sensitivity declared as 1/2 instead of 1.

    **Privacy.** 2 epsilon-DP under ``REPLACE_ONE``, and not better as n_samples grows: not epsilon-DP.
    **Source.** A missing factor 2 in L4-def-sensitivity.

    >>> from privml import audit
    >>> round(audit.exact(half_sensitivity(1.0), np.array([0.0, 1.0]), 40).epsilon, 6)
    2.0
    """
    check.positive_integer(n_outcomes=n_outcomes)
    mechanism = ExponentialMechanism(epsilon=epsilon, sensitivity=0.5)
    return lambda records: mechanism.output_distribution(vote_counts(records, n_outcomes))


def wrong_scale(epsilon: float, n_outcomes: int = 2) -> Law:
    """Vote counts scored as counts, with the sensitivity 1 / n_samples of their averages.

    **Privacy.** n_samples epsilon-DP under ``REPLACE_ONE``: a factor n_samples worse than claimed.
    **Source.** S16-alg-3 scores by the average (sensitivity 1 / n), L4-rem-count-score by the count
    (sensitivity 1); this takes the one from here and the other from there.

    >>> from privml import audit
    >>> round(audit.exact(wrong_scale(0.5), np.array([0.0, 1.0]), 20).epsilon, 6)
    10.0
    """
    check.positive(epsilon=epsilon)
    check.positive_integer(n_outcomes=n_outcomes)

    def law(records: ArrayLike) -> Categorical:
        mechanism = ExponentialMechanism(epsilon=epsilon, sensitivity=1 / len(np.asarray(records)))
        return mechanism.output_distribution(vote_counts(records, n_outcomes))

    return law


def clipped_after_scoring(epsilon: float, outcomes: ArrayLike = (0.0, 1.0)) -> Law:
    """Scores ``sum(a * record)`` of outcomes a, clipped when finished, where each record should have been.

    Clipping the records to [0, 1] gives sensitivity at most 1 for outcomes in [0, 1].  Clipping the score to
    [0, n_samples] gives the right range, but one unclipped record still moves it from one end to the other.
    **Privacy.** With unbounded records the sensitivity of the score is n_samples, not 1.  For the outcomes
    0 and 1 the true parameter is ``ln((1 + exp(n_samples epsilon / 2)) / 2)``.
    **Source.** The premise of L4-exp-mech-privacy, a bounded difference between neighbours, is violated.

    >>> from privml import audit
    >>> round(audit.exact(clipped_after_scoring(1.0), np.array([0.0, 1.0, 100.0]), 10).epsilon, 4)
    4.3136
    """
    outcomes = check.finite_vector(outcomes=outcomes)
    mechanism = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0)

    def law(records: ArrayLike) -> Categorical:
        records = np.asarray(records, dtype=float)
        return mechanism.output_distribution(np.clip(outcomes * records.sum(), 0.0, len(records)))

    return law


def place_reader(epsilon: float, subsample_size: int) -> Law:
    """A mechanism on its subsample: private, but it depends on the order of the records.

    ``P(alarm) = c e^(epsilon M)``, M being the number of places that hold a record of the kind liked there:
    kind 3 in place 1, kind 2 in place 2, kinds 1 and 2 in all further places.  One replaced record changes M
    by at most 1; c keeps P(alarm) below logistic(epsilon).

    **Returns.** Callable: from the ordered records, of kinds 0 to 3, to the law of (alarm, none).
    **Privacy.** epsilon-DP under ``REPLACE_ONE``, as claimed.
    **Source.** For WLF16-lem-34 and WLF16-lem-31.

    >>> from privml import audit
    >>> round(audit.exact(place_reader(1.0, 3), np.arange(4), 3, ordered=True).epsilon, 6)
    1.0
    """
    check.positive(epsilon=epsilon)
    check.positive_integer(subsample_size=subsample_size)
    if epsilon * subsample_size > 700:
        product = epsilon * subsample_size
        raise ValueError(f"epsilon times subsample_size must be at most 700, got {product!r}")

    def law(records: ArrayLike) -> Categorical:
        kinds = np.asarray(records)[:subsample_size]
        front = (kinds[:1] == 3).sum() + (kinds[1:2] == 2).sum()
        matches = front + np.isin(kinds[2:], (1, 2)).sum()
        log_alarm = epsilon * (matches - subsample_size + 1) - np.log1p(np.exp(epsilon))
        return Categorical([log_alarm, np.log1p(-np.exp(log_alarm))])

    return law


def _table(codes: str, n_points: int) -> NDArray[np.bool_]:
    """Hypotheses from bit masks: point i is labelled True when bit i is set."""
    masks = []
    for piece in codes.split():
        first, _, last = piece.partition("-")
        masks += range(int(first), int(last or first) + 1)
    return (np.array(masks)[:, None] >> np.arange(n_points)) & 1 == 1


def union_class() -> NDArray[np.bool_]:
    """Sixteen sets of five points, of VC dimension 2; the unions of two of them are all 32 sets.

    Two votes with ties to 1 are a union.
    **Source.** LZCW21-def-vote-class, its claim for K = 2.

    >>> from privml.hypotheses import vc_dimension_by_brute_force
    >>> from privml.pate import vote_closure
    >>> vc_dimension_by_brute_force(union_class()), len(vote_closure(union_class(), 2))
    (2, 32)
    """
    return _table(_UNION, 5)


def median_class() -> NDArray[np.bool_]:
    """166 sets of ten points, of VC dimension 3; the majorities of three of them are all 1024 sets.

    Three voters have no ties.
    **Source.** LZCW21-def-vote-class, its claim for K = 3.

    >>> from privml.hypotheses import vc_dimension_by_brute_force
    >>> median_class().shape, vc_dimension_by_brute_force(median_class())
    ((166, 10), 3)
    """
    return _table(_MEDIAN, 10)
