"""The result of the programs of this package: a private learner that no other one beats, as an object."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.adjacency import n_multisets
from privml.distributions import Categorical
from privml.divergences import hockey_stick
from privml.guarantee import Guarantee
from privml.learnability.base import LearningProblem
from privml.learnability.counts import cliques, neighbours, rows_of
from privml.mechanisms.base import Mechanism


def largest_ratio(law: NDArray[np.float64], completed: NDArray[np.intp]) -> float:
    """Exact epsilon of a law on count vectors: the largest log ratio within a clique of neighbours.

    **Source.** WLF16-def-2.

    Parameters
    ----------
    law : ndarray of shape (n_datasets, n_hypotheses)
        Probabilities.
    completed : ndarray of shape (n_rests, n_records)
        From :func:`~privml.learnability.counts.cliques`.

    Examples
    --------
    >>> law = np.array([[0.8, 0.2], [0.5, 0.5], [0.2, 0.8]])
    >>> bool(np.isclose(largest_ratio(law, cliques(2, 2)), np.log(2.5)))
    True
    """
    law = check.numbers(law=law)
    completed = np.asarray(completed)
    if law.ndim != 2 or completed.ndim != 2 or completed.dtype.kind not in "iu":
        raise ValueError(f"law and completed must be tables, got shapes {law.shape} and {completed.shape}")
    worst = 0.0
    for block in np.array_split(completed, max(1, completed.size * law.shape[1] // (1 << 22))):
        high, low = law[block].max(axis=1), law[block].min(axis=1)
        possible = high > 0
        with np.errstate(divide="ignore"):
            worst = max(worst, float(np.log(high[possible] / low[possible]).max(initial=0.0)))
    return worst


def largest_divergence(law: NDArray[np.float64], pairs: NDArray[np.intp], epsilon: float) -> float:
    """Largest hockey-stick divergence of a law on count vectors over ordered pairs of them."""
    with np.errstate(divide="ignore"):
        logs = np.log(law)
    return float(hockey_stick(logs[pairs[:, 0]], logs[pairs[:, 1]], epsilon).max(initial=0.0))


def keeps(law: NDArray[np.float64], n_records: int, n_samples: int, epsilon: float, delta: float) -> bool:
    """Whether a table is (epsilon, delta)-DP on all neighbours, up to what a logarithm is off by."""
    if largest_ratio(law, cliques(n_records, n_samples)) <= epsilon * (1 + 1e-15):
        return True
    pairs = neighbours(n_records, n_samples)
    both = np.concatenate([pairs, pairs[:, ::-1]])
    return delta > 0 and largest_divergence(law, both, epsilon) <= delta * (1 + 1e-12)


@dataclass(frozen=True, eq=False, kw_only=True)
class OptimalLearner(Mechanism):
    """A learner with the smallest worst-case excess empirical risk, and the certificate that it is one.

    Made by :func:`~privml.learnability.optimal.optimal_learner` and its relatives.

    **Privacy.** (epsilon, delta)-DP under replace-one, for data sets of `n_samples` records over the universe
    of the problem: the table is moved into the constraints after the program is solved, so that it satisfies
    them to the last bit but rounding, not up to the solver's tolerance.
    **Accuracy.** Excess empirical risk at most `value` on every data set.
    **Source.** WLF16-eq-6.

    Parameters
    ----------
    n_samples : int
        Size of the data sets; public.
    probabilities : ndarray of shape (n_datasets, n_hypotheses)
        The law of the output on every data set, in the order of
        :func:`~privml.learnability.counts.count_vectors`.
    value : float
        Worst excess empirical risk of `probabilities`: over all data sets, or over `distributions` in
        expectation.
    lower_bound : float
        No learner with this privacy has a smaller `value`, by linear programming duality.
    distributions : ndarray of shape (n_distributions, n_records), optional
        The class of distributions over which the expected excess is largest at `value`.

    Examples
    --------
    >>> from privml.learnability.optimal import optimal_learner
    >>> coin = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> learner = optimal_learner(coin, 2, 1.0)
    >>> print(learner.guarantee)
    1-differential privacy (replace-one)
    >>> learner.output_distribution([0, 0]).pmf().round(4).tolist(), learner.release([0, 0], rng=1)
    ([0.8161, 0.1839], 0)
    """

    problem: LearningProblem
    n_samples: int
    epsilon: float
    probabilities: NDArray[np.float64]
    value: float
    lower_bound: float
    delta: float = 0.0
    distributions: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        check.instance(LearningProblem, problem=self.problem)
        check.positive_integer(n_samples=self.n_samples)
        check.non_negative(epsilon=self.epsilon, value=self.value, lower_bound=self.lower_bound)
        check.probability_half_open(delta=self.delta)
        law = check.numbers(probabilities=self.probabilities)
        shape = n_multisets(self.problem.n_records, self.n_samples), self.problem.n_hypotheses
        rows = law.shape == shape and (law >= 0).all() and np.abs(law.sum(axis=1) - 1).max() < 1e-9
        if not rows:
            raise ValueError(f"probabilities must be a table {shape} with row sums 1, got shape {law.shape}")
        if not keeps(law, self.problem.n_records, self.n_samples, self.epsilon, self.delta):
            raise ValueError(
                f"probabilities must be ({self.epsilon:g}, {self.delta:g})-differentially private, got others"
            )
        law.flags.writeable = False
        object.__setattr__(self, "probabilities", law)

    @property
    def guarantee(self) -> Guarantee:
        """The privacy of one release."""
        return Guarantee(float(self.epsilon), float(self.delta))

    @property
    def slack(self) -> float:
        """By how much `value` may exceed the optimum: `value` minus `lower_bound`."""
        return self.value - self.lower_bound

    def law(self, counts: ArrayLike) -> NDArray[np.float64]:
        """The learner as a law on count vectors.

        Parameters
        ----------
        counts : array_like of int, shape (n_datasets, n_records)
            Count vectors of `n_samples` records.

        Returns
        -------
        ndarray of shape (n_datasets, n_hypotheses)
        """
        counts = np.asarray(counts)
        if counts.ndim != 2 or counts.shape[1] != self.problem.n_records:
            raise ValueError(f"counts must have {self.problem.n_records} columns, got shape {counts.shape}")
        rows = rows_of(counts)
        if counts[0].sum() != self.n_samples:
            raise ValueError(f"data sets must have {self.n_samples} records, got {counts[0].sum()}")
        return self.probabilities[rows]

    def output_distribution(self, value: ArrayLike) -> Categorical:
        """The exact law of the hypothesis on one data set.

        **Returns.** Categorical: on the hypotheses.

        Parameters
        ----------
        value : array_like of int, shape (n_samples,)
            The data set as record indices, in any order.  An index outside the universe is clipped to it.
        """
        records = np.asarray(value)
        if records.shape != (self.n_samples,):
            raise ValueError(f"data sets must have {self.n_samples} records, got shape {records.shape}")
        last = self.problem.n_records - 1
        counts = np.bincount(np.clip(records, 0, last).astype(np.int64), minlength=last + 1)
        with np.errstate(divide="ignore"):
            return Categorical(np.log(self.law(counts[None])[0]))
