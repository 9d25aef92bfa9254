"""The best stump from correlational queries: ask how often each stump agrees with the label."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.hypotheses import DecisionStumps
from privml.learners.statistical_queries.base import SQLearner, SQOracle, StatisticalQuery


@dataclass(frozen=True)
class StumpSQLearner(SQLearner):
    """Choose the stump that agrees most with the labels, by one correlational query per cut point.

    A *correlational* query has the form ``(1 + g(x) s) / 2`` with a function g from instances to [-1, 1] and
    the label as a sign s.  With the sign of a stump for g it is 1 where the stump agrees with the label.
    The negation of a stump agrees where the stump does not, so half the class is enough.

    **Accuracy.** On every population: if all answers are within tau, the error is at most the smallest one
    of the class plus 2 tau (:meth:`accuracy`).
    **Source.** DR11-def-11.5, agnostic; the same works for every finite class with |H| queries.

    Parameters
    ----------
    stumps : DecisionStumps
        The class; public.

    Raises
    ------
    ValueError
        If `stumps` is something else.

    Examples
    --------
    >>> from privml.learners.statistical_queries import SampleOracle
    >>> learner = StumpSQLearner(DecisionStumps([[0.5, 1.5]]))
    >>> oracle = SampleOracle([[0.0], [1.0], [2.0]], [True, False, False])
    >>> learner.stumps.describe(learner.run(oracle)), oracle.n_answered
    ('x[0] < 0.5', 2)
    """

    stumps: DecisionStumps

    def __post_init__(self) -> None:
        check.instance(DecisionStumps, stumps=self.stumps)

    @property
    def n_queries(self) -> int:
        """Half the number of stumps: one per cut point."""
        return self.stumps.n_hypotheses // 2

    def accuracy(self, tolerance: float) -> float:
        """Bound on the excess error over the best stump, if all answers are this accurate."""
        check.non_negative(tolerance=tolerance)
        return 2 * tolerance

    def query(self, index: int) -> StatisticalQuery:
        """The query of one positive stump: does it agree with the label?"""

        def agrees(X: NDArray, y: NDArray[np.bool_]) -> NDArray[np.bool_]:
            return self.stumps.predict(X, indices=[index])[0] == y

        return agrees

    def run(self, oracle: SQOracle) -> int:
        """Ask one query per cut point; return the index of the stump with the largest answer."""
        check.instance(SQOracle, oracle=oracle)
        agreement = np.array([oracle.answer(self.query(index)) for index in range(self.n_queries)])
        return int(np.argmax(np.concatenate([agreement, 1 - agreement])))

    def predict(self, found: int, X: ArrayLike) -> NDArray[np.bool_]:
        """Labels that the stump gives."""
        return self.stumps.predict(X, indices=[found])[0]
