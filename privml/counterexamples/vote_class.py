"""Classes whose votes have a larger VC dimension than the number of voters times that of the class.

Each is a table with one row a hypothesis, coded as a bit mask: point i is labelled True when bit i is set.
Found by local search; small enough to be checked by going through everything.
"""

import numpy as np
from numpy.typing import NDArray

_UNION = "0-2 4-8 10 12-13 16-18 21 29"
_MEDIAN = """17-31 81-87 95 97 99-103 111 113 115-119 147 178 195 197 199 207 211 215 225-231 242 246 274 276
278-282 284-287 292 294 308 310-311 326-327 334-335 338 340 342-343 346 348 350-351 356 358-359 364 366-367
372 374-375 402 406 410 418 420 422 434 438 442 454-455 462-463 466 470 474 478 482 484 486-487 490 492 494
498 502 506 508 510 531 595 609 611-613 615 625 627 643 659 674 690 707 709 711 719 723 738-743 754 868 876
930 932 934 938 946 954 966-967 974-975 994 996 998-999 1002 1004 1006 1010 1014 1018"""


def _table(codes: str, n_points: int) -> NDArray[np.bool_]:
    masks = []
    for piece in codes.split():
        first, _, last = piece.partition("-")
        masks += range(int(first), int(last or first) + 1)
    return (np.array(masks)[:, None] >> np.arange(n_points)) & 1 == 1


def union_class() -> NDArray[np.bool_]:
    """Sixteen sets of five points, of VC dimension 2; the unions of two of them are all 32 sets.

    Two votes with ties to 1 are a union.
    **Source.** LZCW21-def-vote-class, its claim for K = 2.

    Returns
    -------
    ndarray of bool, shape (16, 5)

    Examples
    --------
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

    Returns
    -------
    ndarray of bool, shape (166, 10)

    Examples
    --------
    >>> from privml.hypotheses import vc_dimension_by_brute_force
    >>> median_class().shape, vc_dimension_by_brute_force(median_class())
    ((166, 10), 3)
    """
    return _table(_MEDIAN, 10)
