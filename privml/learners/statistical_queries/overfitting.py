"""An adaptive SQ learner that overfits whatever sample answers it: the signed majority."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.hypotheses.base import feature_matrix
from privml.learners.statistical_queries.base import SQLearner, SQOracle, StatisticalQuery


class SignedMajority(NamedTuple):
    """Signs of the votes, and how often the oracle says that the majority agrees with the label."""

    signs: NDArray[np.int64]
    claimed_agreement: float


@dataclass(frozen=True)
class SignedMajoritySQLearner(SQLearner):
    """Ask how each feature agrees with the label, let them vote, and ask how the vote agrees with it.

    The last query is made from the answers to the others.  An oracle that answers from one sample has given
    away so much of it by then that the last answer can be far from the truth, see
    :mod:`privml.bounds.statistical_queries`.

    **Accuracy.** The claimed agreement is within tau of the truth if all answers are: this is what the
    sample size for queries that are fixed in advance fails to give.
    **Source.** DR11-thm-private-sq-sample-complexity, its erratum on adaptive learners.

    Parameters
    ----------
    n_features : int
        Number of features; odd, so that no vote is tied.

    Raises
    ------
    ValueError
        If `n_features` is not an odd positive integer.

    Examples
    --------
    >>> from privml.learners.statistical_queries import SampleOracle
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.integers(0, 2, size=(450, 201)), rng.random(450) < 0.5
    >>> found = SignedMajoritySQLearner(201).run(SampleOracle(X, y))
    >>> round(found.claimed_agreement, 3)
    0.716
    """

    n_features: int

    def __post_init__(self) -> None:
        check.positive_integer(n_features=self.n_features)
        if self.n_features % 2 == 0:
            raise ValueError(f"n_features must be odd, got {self.n_features!r}")

    @property
    def n_queries(self) -> int:
        """One per feature, and one for the majority."""
        return self.n_features + 1

    def accuracy(self, tolerance: float) -> float:
        """Bound on the error of the claimed agreement, if all answers are this accurate."""
        check.non_negative(tolerance=tolerance)
        return tolerance

    def query(self, index: int) -> StatisticalQuery:
        """Does one feature agree with the label?"""
        return lambda X, y: (X[:, index] > 0) == y

    def run(self, oracle: SQOracle) -> SignedMajority:
        """Ask all queries; return the signs and what the oracle says about their majority."""
        check.instance(SQOracle, oracle=oracle)
        answers = np.array([oracle.answer(self.query(index)) for index in range(self.n_features)])
        signs = np.where(answers > 0.5, 1, -1)
        found = SignedMajority(signs, 0.5)
        return found._replace(claimed_agreement=oracle.answer(lambda X, y: self.predict(found, X) == y))

    def predict(self, found: SignedMajority, X: ArrayLike) -> NDArray[np.bool_]:
        """True where the signed majority of the features is positive."""
        check.instance(SignedMajority, found=found)
        return np.where(feature_matrix(X, self.n_features) > 0, 1, -1) @ found.signs > 0
