"""The exact law of boosting: which hypothesis of a finite class is chosen, with random candidates and split.

For study, on tiny data: all splits and all tuples of candidates are gone through.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.bounds.boosting import Blocks
from privml.distributions import Categorical
from privml.learners.exponential import selection_mechanism

LARGEST_CHOICE = 1 << 16
"""Most tuples of candidates, and most splits, for which an exact law is worked out."""


def _choice(joint: NDArray, candidates: NDArray, scores: NDArray, epsilon: float) -> NDArray[np.float64]:
    """Law of the chosen hypothesis, given the law of the tuple of candidates (one column per tuple)."""
    exponents = scores[candidates] / selection_mechanism(epsilon).scale
    weights = np.exp(exponents - exponents.max(axis=0))
    weights *= joint / weights.sum(axis=0)
    return np.bincount(candidates.ravel(), weights.ravel(), minlength=scores.size)


def _tuples(n_hypotheses: int, n_candidates: int) -> NDArray[np.int64]:
    """All tuples of candidates as columns; the last candidate runs fastest."""
    if n_hypotheses**n_candidates > LARGEST_CHOICE:
        raise ValueError(
            f"n_candidates must give at most {LARGEST_CHOICE} tuples for an exact law, "
            f"got {n_hypotheses} to the power {n_candidates}"
        )
    return np.indices((n_hypotheses,) * n_candidates).reshape(n_candidates, -1)


def _joint(laws: Sequence[NDArray]) -> NDArray[np.float64]:
    """Law of the tuple of independent candidates, in the order of :func:`_tuples`."""
    joint = np.ones(1)
    for law in laws:
        joint = np.multiply.outer(joint, law).ravel()
    return joint


def boosted_law(candidate_laws: ArrayLike, scores: ArrayLike, epsilon: float) -> NDArray[np.float64]:
    """Law of the chosen hypothesis: independent candidates, then the exponential mechanism among them.

    **Returns.** ndarray of shape (n_hypotheses,): exact, by going through all tuples of candidates.
    **Privacy.** Given the candidates, epsilon-DP in the validation records under replace-one.
    **Source.** WLF16-alg-boost, the law given a split.

    Parameters
    ----------
    candidate_laws : array_like of shape (n_candidates, n_hypotheses)
        Probability with which each candidate is each hypothesis.
    scores : array_like of shape (n_hypotheses,)
        Number of validation records that each hypothesis labels correctly.

    Examples
    --------
    >>> boosted_law([[0.5, 0.5], [0.5, 0.5]], [0, 2], 1.0).round(4).tolist()
    [0.3845, 0.6155]
    """
    laws = check.numbers(candidate_laws=candidate_laws)
    scores = check.finite_vector(scores=scores)
    if laws.ndim != 2 or laws.shape[1] != scores.size:
        raise ValueError(f"candidate_laws must have {scores.size} columns, got shape {laws.shape}")
    if not ((laws >= 0).all() and np.allclose(laws.sum(axis=1), 1, rtol=0, atol=1e-9)):
        raise ValueError(f"candidate_laws must have rows of probabilities, got {candidate_laws!r}")
    return _choice(_joint(laws), _tuples(scores.size, len(laws)), scores, epsilon)


def _splits(records: frozenset[int], size: int, n_blocks: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All sequences of disjoint blocks of one size."""
    if n_blocks == 0:
        yield ()
        return
    for block in combinations(sorted(records), size):
        for rest in _splits(records - frozenset(block), size, n_blocks - 1):
            yield (block, *rest)


def _n_splits(n_samples: int, blocks: Blocks, n_candidates: int) -> int:
    total, left = 1, n_samples
    for _ in range(n_candidates):
        total, left = total * comb(left, blocks.learning), left - blocks.learning
    return total


def split_law(
    law: Callable[[NDArray], NDArray], correct: ArrayLike, blocks: Blocks, epsilon: float
) -> Categorical:
    """Law of the chosen hypothesis with the random split averaged out, exactly.

    **Source.** WLF16-alg-boost.

    Parameters
    ----------
    correct : array_like of bool, shape (n_hypotheses, n_samples)
        Which hypothesis labels which record correctly.
    blocks : Blocks
        Sizes; what the validation block leaves must be a multiple of the learner's block.

    Examples
    --------
    >>> correct = [[True, True, True, False], [False, False, False, True]]
    >>> split_law(lambda scores: scores / scores.sum(), correct, Blocks(1, 2), 1.0).pmf().round(4).tolist()
    [0.8655, 0.1345]
    """
    correct = np.asarray(correct, dtype=bool)
    n_candidates, rest = divmod(correct.shape[1] - blocks.validation, blocks.learning)
    if rest or n_candidates < 1:
        raise ValueError(f"blocks must use all {correct.shape[1]} records, got {blocks!r}")
    n_splits = _n_splits(correct.shape[1], blocks, n_candidates)
    if n_splits > LARGEST_CHOICE:
        raise ValueError(f"blocks must allow at most {LARGEST_CHOICE} splits, got {n_splits}")
    candidates = _tuples(len(correct), n_candidates)
    everything = frozenset(range(correct.shape[1]))
    laws = {
        block: law(correct[:, block].sum(axis=1))
        for block in combinations(sorted(everything), blocks.learning)
    }
    joint: dict[tuple[int, ...], NDArray] = {}
    for split in _splits(everything, blocks.learning, n_candidates):
        last = tuple(sorted(everything.difference(*split)))
        joint[last] = joint.get(last, 0.0) + _joint([laws[block] for block in split])
    total = sum(
        _choice(weight, candidates, correct[:, last].sum(axis=1), epsilon) for last, weight in joint.items()
    )
    with np.errstate(divide="ignore"):
        return Categorical(np.log(total))
