"""Empirical risk minimisation over a finite class: the learner without privacy."""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.distributions import Categorical
from privml.hypotheses import HypothesisClass
from privml.learners.base import FiniteClassLearner

TIE_BREAKS = ("first", "uniform")


def erm_mistake_learner(
    tie_break: str = "first",
) -> Callable[[NDArray], NDArray[np.float64]]:
    """Law of empirical risk minimisation as a function of the numbers of mistakes.

    Parameters
    ----------
    tie_break : str
        One of "first" and "uniform": which of the hypotheses with the fewest mistakes.

    Returns
    -------
    callable
        From mistakes of shape (n_datasets, n_hypotheses) to probabilities of that shape.

    References
    ----------
    L4-alg-erm.

    Examples
    --------
    >>> erm_mistake_learner("uniform")(np.array([[3, 1, 1], [0, 2, 5]])).tolist()
    [[0.0, 0.5, 0.5], [1.0, 0.0, 0.0]]
    """
    check.one_of(TIE_BREAKS, tie_break=tie_break)

    def learner(mistakes: NDArray) -> NDArray[np.float64]:
        mistakes = np.asarray(mistakes)
        best = mistakes == mistakes.min(axis=-1, keepdims=True)
        if tie_break == "first":
            best &= np.cumsum(best, axis=-1) == 1
        return best / best.sum(axis=-1, keepdims=True)

    return learner


@dataclass(eq=False, repr=False)
class ERM(FiniteClassLearner):
    """Classifier that minimises the number of mistakes over a finite class.

    Parameters
    ----------
    hypotheses : HypothesisClass, optional
        Public candidates; None stands for stumps with 16 cuts per feature, equally spaced in [-1, 1].
    tie_break : str
        One of "first" and "uniform": which of the hypotheses with the fewest mistakes.
    classes : sequence, optional
        Public labels, the negative one first; None reads them from `y`, so that their set is public.

    Attributes
    ----------
    hypotheses_, hypothesis_index_ : HypothesisClass, int
        The class, and what was selected.
    classes_, privacy_ : ndarray, None
        The two labels, and that there is no guarantee.

    Notes
    -----
    *Privacy.* There is no guarantee: where the minimiser changes between neighbouring data sets, an outcome goes from
    probability 0 to a positive one, and no finite epsilon covers that.

    *Accuracy.* Excess error at most :func:`~privml.bounds.tails.agnostic_erm_excess_error`, except with
    probability beta.

    References
    ----------
    L4-alg-erm; the notes leave the tie-break open.

    Examples
    --------
    >>> from privml.hypotheses import Thresholds
    >>> learner = ERM(Thresholds([0.5, 1.5, 2.5])).fit([[0], [1], [2], [3]], [0, 0, 1, 1])
    >>> learner.predict([[1.4], [1.6]]).tolist()
    [0, 1]
    """

    hypotheses: HypothesisClass | None = None
    _: KW_ONLY
    tie_break: str = "first"
    classes: Sequence | None = None

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check.one_of(TIE_BREAKS, tie_break=self.tie_break)

    def _distribution(self, scores: NDArray[np.int64]) -> Categorical:
        with np.errstate(divide="ignore"):
            return Categorical(np.log(erm_mistake_learner(self.tie_break)(-scores)))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.non_deterministic = self.tie_break == "uniform"
        return tags


check.wrap_module(__name__)
