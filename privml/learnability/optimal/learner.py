"""The private learner with the smallest worst-case excess empirical risk, for a given epsilon."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.learnability.base import LearningProblem
from privml.learnability.counts import cliques, count_vectors, sample_probabilities
from privml.learnability.optimal.base import OptimalLearner, largest_ratio
from privml.learnability.optimal.program import METHODS, Program, privacy_program
from privml.learnability.optimal.symmetry import Symmetry, symmetry

SLACK = 1e-6
"""Largest certified distance from the optimum at which a solution is accepted, in relation to its value."""

LARGEST_EPSILON = 700.0
"""Beyond it ``exp(epsilon)`` is no float."""


def on_the_simplex(law: NDArray) -> NDArray[np.float64]:
    """A table without negative entries, each row with sum 1."""
    law = np.maximum(law, 0.0)
    return law / law.sum(axis=1, keepdims=True)


def constant_law(law: NDArray) -> NDArray[np.float64]:
    """The mean over the data sets, on all of them: private for every epsilon, and best for the smallest."""
    return np.broadcast_to(on_the_simplex(law).mean(axis=0), law.shape).copy()


def less_rounding(epsilon: float) -> float:
    """An epsilon that leaves room for what the logarithm and the quotient of two floats are off by."""
    return max(0.0, epsilon - 4 * np.finfo(float).eps * (1 + epsilon))


def exactly_private(law: NDArray, completed: NDArray[np.intp], epsilon: float) -> NDArray[np.float64]:
    r"""Move a law that is almost epsilon-DP to one that is: mix it with the uniform law.

    If ``p <= e^epsilon q + v``, then ``(1 - m) p + m / k <= e^epsilon ((1 - m) q + m / k)`` as soon as
    ``m (e^epsilon - 1) / k >= (1 - m) v``.  For epsilon = 0 the mean over the data sets is taken.
    """
    law = on_the_simplex(law)
    if epsilon == 0:
        return constant_law(law)
    n_hypotheses, mixture = law.shape[1], 0.0
    violation = max(
        0.0, float((law[completed].max(axis=1) - np.exp(epsilon) * law[completed].min(axis=1)).max())
    )
    mixed = law
    while largest_ratio(mixed, completed) > less_rounding(epsilon):
        needed = max(violation, 1e-16) * n_hypotheses / np.expm1(epsilon)
        mixture = min(1.0, max(2 * mixture, needed / (1 + needed)))
        mixed = (1 - mixture) * law + mixture / n_hypotheses
    return mixed


def worst_value(
    law: NDArray, problem: LearningProblem, n_samples: int, distributions: NDArray | None
) -> float:
    """Largest excess empirical risk of a law, over data sets or in expectation over distributions."""
    counts = count_vectors(problem.n_records, n_samples)
    excess = (law * problem.excess_empirical_risk(counts)).sum(axis=1)
    return float(
        (excess if distributions is None else sample_probabilities(counts, distributions) @ excess).max()
    )


def checked_distributions(
    problem: LearningProblem, distributions: ArrayLike | None, symmetries: Sequence[Symmetry]
):
    """A class of distributions as a table, closed under the symmetries."""
    if distributions is None:
        return None
    table = np.atleast_2d(check.numbers(distributions=distributions))
    problem.risk(table)  # refuses what is no distribution on the records
    for each in symmetries:
        moved = np.empty_like(table)
        moved[:, each.records] = table
        if (np.abs(moved[:, None] - table[None]).max(axis=2).min(axis=1) > 1e-12).any():
            raise ValueError(
                "distributions must be mapped to each other by the symmetries, got one that is not"
            )
    return table


@dataclass(frozen=True, eq=False)
class Setting:
    """A problem, a sample size and a class of distributions, with the program of all their epsilons."""

    problem: LearningProblem
    n_samples: int
    distributions: NDArray[np.float64] | None
    program: Program

    @classmethod
    def of(cls, problem, n_samples, distributions=None, symmetries=()) -> "Setting":
        """Check the public parameters and put the program together."""
        check.instance(LearningProblem, problem=problem)
        check.positive_integer(n_samples=n_samples)
        if not isinstance(symmetries, Collection):
            raise ValueError(f"symmetries must be a collection of permutations, got {symmetries!r}")
        group = [symmetry(problem, records) for records in symmetries]
        table = checked_distributions(problem, distributions, group)
        return cls(problem, n_samples, table, privacy_program(problem, n_samples, group, table))

    def always_best(self) -> NDArray[np.float64] | None:
        """A hypothesis that is best on every record that can occur, as a constant law: the optimum is 0."""
        losses = self.problem.losses
        occurs = np.ones(losses.shape[1]) if self.distributions is None else self.distributions.max(axis=0)
        best = ((losses == losses.min(axis=0)) | (occurs == 0)).all(axis=1)
        if not best.any():
            return None
        return np.tile(np.eye(len(best))[np.argmax(best)], (len(self.program.columns), 1))

    def certified(self, epsilon: float, law: NDArray, lower_bound: float) -> OptimalLearner:
        """The learner of a private law with its value, which is no less than what is proved."""
        value = worst_value(law, self.problem, self.n_samples, self.distributions)
        return OptimalLearner(
            problem=self.problem,
            n_samples=self.n_samples,
            epsilon=float(epsilon),
            probabilities=law,
            value=max(value, lower_bound),
            lower_bound=lower_bound,
            distributions=self.distributions,
        )

    def optimum(self, epsilon: float) -> tuple[OptimalLearner, NDArray[np.float64]]:
        """The certified learner for one epsilon, and the multipliers that certify it."""
        law = self.always_best()
        if law is not None:
            learner = replace(self.certified(epsilon, law, 0.0), value=0.0)
            return learner, np.zeros(self.program.inequalities(0.0).shape[0])
        completed = cliques(self.problem.n_records, self.n_samples)
        reached = np.inf
        for method in METHODS if epsilon <= LARGEST_EPSILON else ():
            try:
                found = self.program.solve(epsilon, method)
            except ValueError:  # constant laws are feasible: the solver is out of its depth
                continue
            bound = max(0.0, self.program.lower_bound(found.multipliers, epsilon, epsilon))
            laws = exactly_private(found.law, completed, epsilon), constant_law(found.law)
            learner = min((self.certified(epsilon, each, bound) for each in laws), key=lambda one: one.value)
            reached = min(reached, learner.slack / learner.value)
            if reached <= SLACK:
                return learner, found.multipliers
        raise ValueError(
            f"epsilon must be one that floats and the solver can carry, got {epsilon!r}: "
            f"the optimum was reached to a relative {reached:.0e} only, not to {SLACK:.0e}"
        )


def optimal_learner(
    problem: LearningProblem,
    n_samples: int,
    epsilon: float,
    *,
    distributions: ArrayLike | None = None,
    symmetries: Sequence[ArrayLike] = (),
) -> OptimalLearner:
    r"""The epsilon-DP learner with the smallest worst-case excess empirical risk, by linear programming.

    .. math:: \min_{\mathcal A\ \varepsilon\text{-DP}} \; \max_{Z} \;
        \mathbb E_{h \sim \mathcal A(Z)} \hat R(h, Z) - \min_h \hat R(h, Z) .

    **Returns.** OptimalLearner: the learner, its worst-case excess and a certified lower bound on that of any
    other.
    **Privacy.** epsilon-DP under replace-one, exactly; see :class:`OptimalLearner`.
    **Source.** WLF16-eq-6 (for fixed epsilon) and WLF16-eq-7 (`distributions`).

    Parameters
    ----------
    distributions : array_like of shape (n_distributions, n_records), optional
        Replace the maximum over data sets by the maximum, over these distributions, of the expectation over
        samples of `n_samples` independent records.
    symmetries : sequence of array_like of int, shape (n_records,)
        Permutations of the records under which the problem is symmetric; they make the program smaller and
        leave the optimum as it is.  For thresholds on a grid, ``range(n_records)[::-1]`` is one.

    Examples
    --------
    >>> from privml.hypotheses import Thresholds
    >>> problem = LearningProblem.of_class(Thresholds([0.0, 1.0, 2.0, 3.0]), [0.0, 1.0, 2.0])
    >>> learner = optimal_learner(problem, 2, 1.0, symmetries=[range(6)[::-1]])
    >>> round(learner.value, 6), round(learner.lower_bound, 6), round(1 / (1 + np.e), 6)
    (0.268941, 0.268941, 0.268941)
    """
    check.non_negative(epsilon=epsilon)
    return Setting.of(problem, n_samples, distributions, symmetries).optimum(epsilon)[0]
