r"""Parities learned privately: linear equations modulo 2 on a random subsample.

A labelled example (x, y) of a parity r is an equation :math:`\langle x, r \rangle = y` modulo 2.  All of them
together fix r as well as anything can, but the set of solutions may collapse when one record changes.  The
learner of Kasiviswanathan et al. solves the equations of a random subsample and picks a random solution; and
now and then it gives up without a look at the data, so that giving up gives nothing away.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from math import log, log1p
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from privml import _check as check
from privml.bounds.statistical_queries import VARIANTS, parity_plan
from privml.distributions import Categorical
from privml.guarantee import Guarantee
from privml.hypotheses import boolean_cube
from privml.learners.base import BinaryLearner

MOST_PAIRS = 1 << 24  # of a subset of the records and a parity: 64 MiB


def _reduced(
    A: NDArray[np.bool_], b: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], list[int]] | None:
    """Reduced rows of the system A x = b and its pivot columns; None if it has no solution."""
    n_features = A.shape[1]
    padded = np.pad(np.column_stack([A, b]), ((0, 0), (0, -(n_features + 1) % 64)))
    rows = np.packbits(padded, axis=1, bitorder="little").view(
        "<u8"
    )  # words of 64 bits, lowest bit first
    pivots: list[int] = []
    for column in range(n_features + 1):
        rank = len(pivots)
        has_bit = (rows[:, column // 64] >> np.uint64(column % 64)) & np.uint64(1) == 1
        candidates = np.flatnonzero(has_bit[rank:])
        if not candidates.size:
            continue
        if column == n_features:
            return None
        first = rank + int(candidates[0])
        rows[[rank, first]], has_bit[[rank, first]] = (
            rows[[first, rank]],
            has_bit[[first, rank]],
        )
        has_bit[rank] = False
        rows[has_bit] ^= rows[rank]
        pivots.append(column)
    reduced = np.unpackbits(
        rows[: len(pivots)].view(np.uint8), axis=1, bitorder="little"
    )
    return reduced[:, : n_features + 1].astype(bool), pivots


def random_solution(
    A: ArrayLike, b: ArrayLike, *, rng: np.random.Generator | int | None = None
) -> NDArray[np.bool_] | None:
    """A uniformly random solution of linear equations A x = b modulo 2.

    Gaussian elimination on rows packed into 64-bit words; unknowns that are free are fair coins.

    Parameters
    ----------
    A, b : array_like
        Coefficients and right-hand sides, bools of shape (n_equations, n_unknowns) and (n_equations,).
    rng : int or Generator, optional
        Seed or Generator; None draws fresh entropy.

    Returns
    -------
    ndarray or None
        Bools of shape (n_unknowns,), or None where there is no solution.

    Raises
    ------
    ValueError
        If there is not one right-hand side for each equation.

    References
    ----------
    DR11-rem-parity; a step of the learner of Kasiviswanathan et al. (2011).

    Examples
    --------
    >>> random_solution([[1, 1, 0], [0, 1, 1]], [1, 0], rng=0).astype(int).tolist()
    [0, 1, 1]
    >>> random_solution([[1, 1], [1, 1]], [0, 1]) is None
    True
    """
    rng = np.random.default_rng(rng)
    A, b = np.asarray(A, dtype=bool), np.asarray(b, dtype=bool)
    if A.ndim != 2 or b.shape != (len(A),):
        raise ValueError(
            f"b must be a vector with one entry per row of A, but got {b.shape} and {A.shape}."
        )
    solution, reduced = np.less(rng.random(A.shape[1]), 0.5), _reduced(A, b)
    if reduced is None:
        return None
    rows, pivots = reduced
    free = solution.copy()
    free[pivots] = False
    solution[pivots] = rows[:, -1] ^ (
        np.count_nonzero(rows[:, :-1] & free, axis=1) % 2 == 1
    )
    return solution


def parity_distribution(
    X: ArrayLike, y: ArrayLike, epsilon: float, *, variant: str = "sharp"
) -> Categorical:
    """Exact law of what the private parity learner returns on small data.

    A sum over all subsets of the distinct records, of which one that occurs c times is in the subsample at
    least once with probability ``1 - (1 - p)^c``.

    Parameters
    ----------
    X : array_like
        Records of shape (n_samples, n_features); a feature is true when it is positive.
    y : array_like
        Labels of shape (n_samples,), bools or 0 and 1.
    epsilon : float
        Privacy parameter in nats, positive.
    variant : str
        One of "sharp" and "source", as of :func:`~privml.bounds.statistical_queries.parity_plan`.

    Returns
    -------
    Categorical
        On the indices of :class:`~privml.hypotheses.Parities`, and giving up.

    Raises
    ------
    ValueError
        If distinct records and features are more than 24 together.

    Notes
    -----
    *Privacy.* The output is epsilon-differentially private under replace-one.

    References
    ----------
    DR11-rem-parity; Kasiviswanathan et al. (2011).

    Examples
    --------
    >>> law = parity_distribution([[1, 0], [1, 1]], np.array([True, False]), 1.0)
    >>> law.pmf().round(4).tolist()
    [0.1549, 0.1549, 0.057, 0.4212, 0.2119]
    """
    plan = parity_plan(epsilon, variant=variant)
    X, y = np.asarray(X), np.asarray(y)
    if (
        X.ndim != 2
        or X.dtype.kind not in "biuf"
        or y.dtype.kind not in "biuf"
        or y.shape != X.shape[:1]
    ):
        rule = "a matrix of numbers with a label for each row"
        raise ValueError(
            f"X must be {rule}, but got {X.dtype} of shape {X.shape} and y of shape {y.shape}."
        )
    bits, y = X > 0, y.astype(bool)
    kinds, counts = np.unique(np.column_stack([bits, y]), axis=0, return_counts=True)
    n_kinds, n_features = len(kinds), bits.shape[1]
    if n_features + n_kinds > MOST_PAIRS.bit_length() - 1:
        raise ValueError(
            f"X must leave at most {MOST_PAIRS} pairs of a subset and a parity, but got "
            f"{n_kinds} distinct records and {n_features} features."
        )
    agrees = (boolean_cube(n_features).astype(np.int64) @ kinds[:, :-1].T) % 2 == kinds[
        :, -1
    ]
    subsets = boolean_cube(n_kinds)
    missed = counts * log1p(-plan.sampling_rate)
    chances = np.where(subsets, np.log(-np.expm1(missed)), missed).sum(axis=1)
    solves = (subsets.astype(np.float32) @ (~agrees).T.astype(np.float32)) == 0
    n_solutions = solves.sum(axis=1)
    shares = (chances - np.log(np.maximum(n_solutions, 1)))[:, None]
    solved = np.logaddexp.reduce(np.where(solves, shares, -np.inf), axis=0)
    unsolved = np.logaddexp.reduce(chances[n_solutions == 0], initial=-np.inf)
    log_try = log1p(-plan.abort)
    return Categorical(
        np.append(log_try + solved, np.logaddexp(log(plan.abort), log_try + unsolved))
    )


@dataclass(eq=False, repr=False)
class PrivateParityLearner(BinaryLearner):
    r"""Private classifier for parities, by Gaussian elimination on a random subsample.

    With a small constant probability it gives up.  Otherwise it takes each record with probability p, solves
    :math:`\langle x, r \rangle = y` modulo 2 for the records taken, and returns a uniformly random solution;
    if there is none, it gives up as well.

    A feature is true when it is positive.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive, at most 3.83 with "source".
    variant : str
        One of "sharp" and "source", as of :func:`~privml.bounds.statistical_queries.parity_plan`.
    classes : sequence, optional
        Public labels, the negative one first; None reads them from `y`, so that their set is public.

    Attributes
    ----------
    parity_ : ndarray or None
        Features summed modulo 2, bools of shape (n_features,): the private output; None: it gave up.
    classes_ : ndarray
        The two labels.
    privacy_ : Guarantee
        Promise of one fit.

    Notes
    -----
    *Privacy.* The output is epsilon-differentially private under replace-one.

    *Accuracy.* Where some parity makes no mistake and it does not give up, wrong by more than alpha with
    probability at most ``(2^d - 1) (1 - p alpha)^m``, p the sampling rate. With label noise it mostly gives
    up.

    References
    ----------
    DR11-rem-parity; Kasiviswanathan et al. (2011).

    Examples
    --------
    >>> X = np.random.default_rng(1).integers(0, 2, size=(400, 20))
    >>> learner = PrivateParityLearner(1.0).fit(X, X[:, [2, 3, 17]].sum(axis=1) % 2, rng=1)
    >>> np.flatnonzero(learner.parity_).tolist()
    [2, 3, 17]
    >>> print(learner.privacy_)
    1-differential privacy (replace-one)
    """

    epsilon: float = 1.0
    _: KW_ONLY
    variant: str = "sharp"
    classes: Sequence | None = None

    def output_distribution(self, X: ArrayLike, y: ArrayLike) -> Categorical:
        """Exact law of the parity that `fit` would find, see ``parity_distribution``; itself not private.

        Parameters
        ----------
        X, y : array_like
            Records of shape (n_samples, n_features); labels of shape (n_samples,).
        """
        check.one_of(VARIANTS, variant=self.variant)
        X, labels, _ = self._prepared(X, y, reset=not hasattr(self, "n_features_in_"))
        return parity_distribution(X, labels, self.epsilon, variant=self.variant)

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        rng: np.random.Generator | int | None = None,
    ) -> Self:
        rng = np.random.default_rng(rng)
        plan = parity_plan(self.epsilon, variant=self.variant)
        X, labels, self.classes_ = self._prepared(X, y, reset=True)
        gives_up = rng.random() < plan.abort
        taken = rng.random(len(labels)) < plan.sampling_rate
        solution = random_solution(X[taken] > 0, labels[taken], rng=rng)
        self.parity_ = None if gives_up else solution
        self.privacy_ = Guarantee(float(self.epsilon))
        return self

    def predict(self, X: ArrayLike) -> NDArray:
        """Labels that the parity gives, or the negative label if the learner gave up.

        Parameters
        ----------
        X : array_like
            Records of shape (n_samples, n_features).
        """
        check_is_fitted(self, "parity_")
        X = self._features(X)
        chosen = (
            np.zeros(X.shape[1], dtype=bool) if self.parity_ is None else self.parity_
        )
        return self._labels(np.count_nonzero((X > 0) & chosen, axis=1) % 2 == 1)


check.wrap_module(__name__)
