"""Nothing is learnable only privately: a learner that is as good as a private one, and not private.

From a private learner A and one possible record z a rule A' is made.  On data sets without z it is A; where z
occurs, it moves mass at most 1 / n in such a way that some hypothesis has probability 0 on one of two
neighbours and not on the other.  With few hypotheses that all occur there is no mass so small, and empirical
risk minimisation takes the place of A.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.learnability.base import CountLaw, LearningProblem
from privml.learnability.laws import erm_law

Branch = Literal["mixing", "conditioning", "erm", "erm with mixing"]

LARGEST_SIZE = 1 << 30
"""Most records in a data set; counts of them are integers of 64 bits."""


@dataclass(frozen=True)
class NonPrivateLaw:
    """A law that is not private, made from a private one: call it like any law.

    **Privacy.** None: the largest privacy loss is infinite, for every number of records.
    **Source.** WLF16-prop-11, with the cases |H| = n and of constant empirical risk minimisation completed.

    Parameters
    ----------
    law : callable
        Law of the private learner A.
    record : int
        Index of the record z that gives itself away.

    Raises
    ------
    ValueError
        If there is only one hypothesis or record, or `record` is out of range.

    Examples
    --------
    >>> from privml.learnability.laws import exponential_law
    >>> problem = LearningProblem(1 - np.eye(3))
    >>> law = NonPrivateLaw(problem, exponential_law(problem, 1.0), 0)
    >>> law.branch(2), law(np.array([[0, 2, 0], [1, 1, 0]])).round(3).tolist()
    ('conditioning', [[0.212, 0.576, 0.212], [0.5, 0.5, 0.0]])
    """

    problem: LearningProblem
    law: CountLaw
    record: int

    def __post_init__(self) -> None:
        check.instance(LearningProblem, problem=self.problem)
        check.function(law=self.law)
        check.non_negative_integer(record=self.record)
        if self.record >= self.problem.n_records:
            raise ValueError(f"record must be in [0, {self.problem.n_records}), got {self.record!r}")
        for name in ("n_hypotheses", "n_records"):
            count = getattr(self.problem, name)
            if count < 2:
                raise ValueError(f"{name} must be at least 2, got 1: every learner is then private")

    def _unused(self, n_samples: int) -> NDArray[np.intp]:
        """Hypotheses that A never returns: private, so the same ones on all data sets of this size."""
        counts = np.zeros((1, self.problem.n_records), dtype=np.int64)
        counts[0, self.record] = n_samples
        return np.flatnonzero(np.asarray(self.law(counts))[0] == 0)

    def _constant_choice(self) -> bool:
        """Whether empirical risk minimisation returns the same on all data sets: look at pure ones."""
        pure = np.eye(self.problem.n_records, dtype=np.int64)
        return len(np.unique(np.argmax(erm_law(self.problem)(pure), axis=1))) == 1

    def branch(self, n_samples: int) -> Branch:
        """Which construction serves data sets of this size.

        **Returns.** ``"mixing"``: A never returns some hypothesis, which gets mass 1 / n where z occurs.
        ``"conditioning"``: there are more than n hypotheses; where z occurs, the least likely one is ruled
        out.  ``"erm"``: empirical risk minimisation.  ``"erm with mixing"``: that is constant, so that where
        z occurs another hypothesis gets mass 1 / n.

        Raises
        ------
        ValueError
            If `n_samples` is not a positive integer.
        """
        check.positive_integer(n_samples=n_samples)
        if n_samples > LARGEST_SIZE:
            raise ValueError(f"n_samples must be at most {LARGEST_SIZE}, got {n_samples!r}")
        if self._unused(n_samples).size:
            return "mixing"
        if self.problem.n_hypotheses > n_samples:
            return "conditioning"
        return "erm with mixing" if self._constant_choice() else "erm"

    def _changed(self, laws: NDArray, n_samples: int, branch: Branch) -> NDArray[np.float64]:
        """What `laws` become where z occurs."""
        if branch == "conditioning":
            kept = np.where(np.arange(laws.shape[1]) == laws.argmin(axis=1)[:, None], 0.0, laws)
            return kept / kept.sum(axis=1, keepdims=True)
        other = self._unused(n_samples)[0] if branch == "mixing" else np.flatnonzero(laws[0] == 0)[0]
        return laws * (1 - 1 / n_samples) + np.eye(laws.shape[1])[other] / n_samples

    def __call__(self, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Probabilities (n_datasets, n_hypotheses) on data sets of one size, given as count vectors."""
        counts = np.asarray(counts)
        n_samples = int(counts[0].sum())
        branch = self.branch(n_samples)
        base = erm_law(self.problem) if branch.startswith("erm") else self.law
        laws = np.array(base(counts), dtype=float)
        occurs = counts[:, self.record] > 0
        if branch != "erm" and occurs.any():
            laws[occurs] = self._changed(laws[occurs], n_samples, branch)
        return laws


def break_privacy(problem: LearningProblem, law: CountLaw, record: int = 0) -> NonPrivateLaw:
    """Make a learner that is not private out of one that is, with nearly the same risk.

    **Returns.** NonPrivateLaw: in the branches of mixing and conditioning the law differs from `law` by at
    most 1 / n in total variation on every data set, so that every risk differs by at most 1 / n.  In the
    branches of empirical risk minimisation the expected excess risk is at most twice the uniform deviation.
    **Privacy.** None, by construction.
    **Source.** WLF16-prop-11.

    Parameters
    ----------
    law : callable
        Law of a private learner, for some finite epsilon.
    record : int, default 0
        Index of the record that gives itself away.

    Raises
    ------
    ValueError
        If there is only one hypothesis: then every learner is constant, hence private.

    Examples
    --------
    >>> from privml.learnability.laws import exponential_law
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> break_privacy(problem, exponential_law(problem, 1.0)).branch(5)
    'erm'
    """
    check.instance(LearningProblem, problem=problem)
    return NonPrivateLaw(problem, law, record)
