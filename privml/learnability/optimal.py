"""The private learner with the smallest worst-case excess empirical risk, by linear programming.

It comes as an object with a certificate that no other learner is better.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

import privml.learnability.program as programs
from privml import _check as check
from privml.adjacency import Adjacency, n_multisets
from privml.distributions import Categorical
from privml.learnability.problem import (
    LearningProblem,
    count_vector_rows,
    count_vectors,
    neighbour_cliques,
    neighbours,
    sample_probabilities,
)
from privml.mechanisms.base import ApproximateMechanism

LARGEST_GAP = 1e-6  # largest certified distance from the optimum that is accepted, in relation to the value
LARGEST_PROGRAM_EPSILON = 700.0  # beyond it ``exp(epsilon)`` is no float


def _keeps(
    output_table: NDArray[np.float64],
    size: tuple[int, int],
    epsilon: float,
    delta: float,
) -> bool:
    """Whether a table is (epsilon, delta)-DP on all neighbours, up to what a logarithm is off by."""
    if programs.largest_ratio(output_table, neighbour_cliques(*size)) <= epsilon * (
        1 + 1e-15
    ):
        return True
    pairs = neighbours(*size)
    both = np.concatenate([pairs, pairs[:, ::-1]])
    return delta > 0 and programs.largest_divergence(
        output_table, both, epsilon
    ) <= delta * (1 + 1e-12)


@dataclass(frozen=True, eq=False, kw_only=True)
class OptimalLearner(ApproximateMechanism):
    """A learner with the smallest worst-case excess empirical risk, and the certificate that it is one.

    Made by :func:`optimal_learner` and its relatives.

    Parameters
    ----------
    problem : LearningProblem
        What is to be learned.
    n_samples : int
        Number of records, a positive integer.
    epsilon : float
        Privacy parameter in nats, non-negative.
    probabilities : ndarray
        Its laws of shape (n_datasets, n_hypotheses), in the order of ``count_vectors``.
    value : float
        Its largest excess, non-negative.
    lower_bound : float
        What no learner with this privacy is below, non-negative.
    delta : float
        Additive slack, in [0, 1).
    distributions : ndarray, optional
        Of shape (n_distributions, n_records): the excess is largest over these; None is over data sets.

    Raises
    ------
    ValueError
        If `probabilities` are no laws on the data sets, or do not keep the guarantee.

    Notes
    -----
    *Privacy.* The output is (epsilon, delta)-differentially private under replace-one, for data sets of `n_samples` records over the universe
    of the problem: the table is moved into the constraints after the program is solved, so that it
    satisfies them to the last bit but rounding, not up to the solver's tolerance.

    *Accuracy.* The largest excess is `value`, and no learner with this privacy has less than `lower_bound`.

    References
    ----------
    WLF16-eq-6.

    Examples
    --------
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
    adjacency: Adjacency = field(default=Adjacency.REPLACE_ONE, init=False, repr=False)

    def __post_init__(self) -> None:
        check.instance(LearningProblem, problem=self.problem)
        check.positive_integer(n_samples=self.n_samples)
        check.non_negative(
            epsilon=self.epsilon, value=self.value, lower_bound=self.lower_bound
        )
        check.probability_half_open(delta=self.delta)
        output_table = check.numbers(probabilities=self.probabilities)
        shape = (
            n_multisets(self.problem.n_records, self.n_samples),
            self.problem.n_hypotheses,
        )
        if (
            output_table.shape != shape
            or (output_table < 0).any()
            or not np.abs(output_table.sum(axis=1) - 1).max() < 1e-9
        ):
            raise ValueError(
                f"probabilities must be a table {shape} with row sums 1, but got shape {output_table.shape}."
            )
        if not _keeps(
            output_table,
            (self.problem.n_records, self.n_samples),
            self.epsilon,
            self.delta,
        ):
            raise ValueError(
                f"probabilities must satisfy {self.guarantee}, but some pair of neighbouring data sets violates it."
            )
        output_table.flags.writeable = False
        object.__setattr__(self, "probabilities", output_table)

    @property
    def slack(self) -> float:
        """By how much `value` may exceed the optimum: `value` minus `lower_bound`."""
        return self.value - self.lower_bound

    def output_probabilities(self, counts: ArrayLike) -> NDArray[np.float64]:
        """The learner as a law on rows of `counts`, count vectors of `n_samples` records."""
        counts = np.asarray(counts)
        if counts.ndim != 2 or counts.shape[1] != self.problem.n_records:
            raise ValueError(
                f"counts must have {self.problem.n_records} columns, but got shape {counts.shape}."
            )
        rows = count_vector_rows(counts)
        if counts[0].sum() != self.n_samples:
            raise ValueError(
                f"counts must have n_samples={self.n_samples} records in each row, but got {counts[0].sum()}."
            )
        return self.probabilities[rows]

    def output_distribution(self, value: ArrayLike) -> Categorical:
        """The exact law of the hypothesis on one data set, whatever the order of its records.

        Parameters
        ----------
        value : array_like
            Indices of records, integers of shape (n_samples,); one outside of the universe is clipped to it.

        Raises
        ------
        ValueError
            If there are not `n_samples` records.
        """
        records = np.asarray(value)
        if records.shape != (self.n_samples,):
            raise ValueError(
                f"value must have n_samples={self.n_samples} records, but got shape {records.shape}."
            )
        last = self.problem.n_records - 1
        counts = np.bincount(
            np.clip(records, 0, last).astype(np.int64), minlength=last + 1
        )
        with np.errstate(divide="ignore"):
            return Categorical(np.log(self.output_probabilities(counts[None])[0]))

    def release(
        self, value: ArrayLike, *, rng: np.random.Generator | int | None = None
    ) -> int:
        return int(super().release(value, rng=rng))


def exactly_private(
    output_table: NDArray, completed: NDArray, epsilon: float
) -> NDArray:
    r"""Move a law that is almost epsilon-DP to one that is: mix it with the uniform law.

    If ``p <= e^epsilon q + v``, then ``(1 - m) p + m / k <= e^epsilon ((1 - m) q + m / k)`` as soon as
    ``m (e^epsilon - 1) / k >= (1 - m) v``.  For epsilon = 0 the mean over the data sets is taken.
    """
    output_table = programs.on_the_simplex(output_table)
    if epsilon == 0:
        return programs.mean_output_table(output_table)
    high, low = output_table[completed].max(axis=1), output_table[completed].min(axis=1)
    violation = (high - np.exp(epsilon) * low).max()
    n_hypotheses, mixture, mixed = output_table.shape[1], 0.0, output_table
    while programs.largest_ratio(mixed, completed) > programs.less_rounding(epsilon):
        needed = max(float(violation), 1e-16) * n_hypotheses / np.expm1(epsilon)
        mixture = min(1.0, max(2 * mixture, needed / (1 + needed)))
        mixed = (1 - mixture) * output_table + mixture / n_hypotheses
    return mixed


def certified(
    problem: LearningProblem,
    n_samples: int,
    epsilon: float,
    output_table: NDArray[np.float64],
    lower_bound: float,
    *,
    delta: float = 0.0,
    distributions: NDArray[np.float64] | None = None,
) -> OptimalLearner:
    """The learner of a private law with its worst excess, which is no less than what is proved."""
    counts = count_vectors(problem.n_records, n_samples)
    excess = (output_table * problem.excess_empirical_risk(counts)).sum(axis=1)
    if distributions is not None:
        excess = sample_probabilities(counts, distributions) @ excess
    setting = partial(
        OptimalLearner,
        problem=problem,
        n_samples=n_samples,
        distributions=distributions,
    )
    private = partial(
        setting, epsilon=float(epsilon), delta=float(delta), probabilities=output_table
    )
    return private(value=max(float(excess.max()), lower_bound), lower_bound=lower_bound)


@dataclass(frozen=True, eq=False)
class LearningSetting:
    """A problem, a sample size and a class of distributions, with the program of all their epsilons."""

    problem: LearningProblem
    n_samples: int
    distributions: NDArray[np.float64] | None
    program: programs.Program

    @classmethod
    def of(
        cls,
        problem: LearningProblem,
        n_samples: int,
        distributions: ArrayLike | None = None,
        symmetries: Sequence[ArrayLike] = (),
    ) -> "LearningSetting":
        """Check the public parameters and put the program together."""
        check.instance(LearningProblem, problem=problem)
        check.positive_integer(n_samples=n_samples)
        if not isinstance(symmetries, Collection):
            raise ValueError(
                f"symmetries must be a collection of permutations, but got {symmetries!r}."
            )
        group, table = (
            [programs.symmetry(problem, records) for records in symmetries],
            None,
        )
        if distributions is not None:
            table = np.atleast_2d(check.numbers(distributions=distributions))
            problem.risk(table)  # refuses what is no distribution on the records
            for symmetry_ in group:
                away = (
                    np.abs(table[:, None, np.argsort(symmetry_.records)] - table)
                    .max(axis=2)
                    .min(axis=1)
                )
                if away.max() > 1e-12:
                    raise ValueError(
                        "distributions must be mapped to each other by every permutation in symmetries, but one of "
                        "them is mapped to none."
                    )
        return cls(
            problem,
            n_samples,
            table,
            programs.privacy_program(problem, n_samples, group, table),
        )

    def always_best(self) -> NDArray[np.float64] | None:
        """A hypothesis that is best on every record that can occur, as a constant law: the optimum is 0."""
        losses = self.problem.losses
        occurs = (
            np.ones(losses.shape[1])
            if self.distributions is None
            else self.distributions.max(axis=0)
        )
        best = ((losses == losses.min(axis=0)) | (occurs == 0)).all(axis=1)
        output_table = np.eye(len(best))[np.argmax(best)]
        return (
            np.tile(output_table, (len(self.program.columns), 1))
            if best.any()
            else None
        )

    def optimum(self, epsilon: float) -> tuple[OptimalLearner, NDArray[np.float64]]:
        """The certified learner for one epsilon, and the multipliers that certify it."""
        learner_of = partial(
            certified,
            self.problem,
            self.n_samples,
            epsilon,
            distributions=self.distributions,
        )
        output_table = self.always_best()
        if output_table is not None:
            return replace(learner_of(output_table, 0.0), value=0.0), np.zeros(
                self.program.inequalities(0.0).shape[0]
            )
        completed = neighbour_cliques(self.problem.n_records, self.n_samples)
        reached = np.inf
        for method in programs.SOLVERS if epsilon <= LARGEST_PROGRAM_EPSILON else ():
            try:
                solution = self.program.solve(epsilon, method)
            except (
                ValueError
            ):  # constant laws are feasible: the solver is out of its depth
                continue
            bound = max(
                0.0, self.program.lower_bound(solution.multipliers, epsilon, epsilon)
            )
            output_tables = (
                exactly_private(solution.output_table, completed, epsilon),
                programs.mean_output_table(solution.output_table),
            )
            learner = min(
                (learner_of(table, bound) for table in output_tables),
                key=lambda learner: learner.value,
            )
            reached = min(reached, learner.slack / learner.value)
            if reached <= LARGEST_GAP:
                return learner, solution.multipliers
        raise ValueError(
            f"epsilon must be within the reach of floats and the solver, but got {epsilon!r}, for which the "
            f"optimum has a relative error of up to {reached:.0e}, above {LARGEST_GAP:.0e}."
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

    With `distributions` the maximum over data sets becomes that, over these, of the expectation over samples
    of `n_samples` independent records.  Symmetries make the program smaller and leave the optimum as it is;
    for thresholds on a grid, ``range(n_records)[::-1]`` is one.

    Parameters
    ----------
    problem : LearningProblem
        What is to be learned.
    n_samples : int
        Number of records, a positive integer.
    epsilon : float
        Privacy parameter in nats, non-negative.
    distributions : array_like, optional
        Of shape (n_distributions, n_records): the excess is largest over these; None is over data sets.
    symmetries : sequence
        Permutations of the records, each of shape (n_records,), that leave the problem as it is.

    Notes
    -----
    *Privacy.* The output is epsilon-differentially private under replace-one, exactly; see :class:`OptimalLearner`.

    References
    ----------
    WLF16-eq-6 (for fixed epsilon) and WLF16-eq-7 (`distributions`).

    Examples
    --------
    >>> from privml.hypotheses import Thresholds
    >>> problem = LearningProblem.of_class(Thresholds([0.0, 1.0, 2.0, 3.0]), [0.0, 1.0, 2.0])
    >>> learner = optimal_learner(problem, 2, 1.0, symmetries=[range(6)[::-1]])
    >>> round(learner.value, 6), round(learner.lower_bound, 6), round(1 / (1 + float(np.exp(1))), 6)
    (0.268941, 0.268941, 0.268941)
    """
    check.non_negative(epsilon=epsilon)
    return LearningSetting.of(problem, n_samples, distributions, symmetries).optimum(
        epsilon
    )[0]


check.wrap_module(__name__)
