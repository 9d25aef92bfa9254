r"""Noisy counts of votes, which the Gaussian aggregator may publish beside the labels, and students of them.

The student fits :math:`(v_i + N(0, \sigma^2)) / K = 1 / (1 + e^{-w \cdot x_i - b}) + N(0, \tau)`, with
:math:`\tau = \sigma^2 / K^2 + 1 / (4 K)` and with the Gaussian prior on w under which the released counts are
most probable (Laplace's approximation).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from privml import _check as check
from privml.adjacency import Adjacency
from privml.guarantee import Guarantee
from privml.mechanisms import gaussian_sigma
from privml.pate.teachers import indexable

PRIOR_SCALES = tuple(
    10.0 ** (k / 2) for k in range(-3, 5)
)  # variances of w times a mean square
LARGEST_COORDINATE = (
    1e100  # squares of the numbers of a point, and sums of squares, must not overflow
)
STEPS = 25  # of Gauss and Newton, at most


@dataclass(frozen=True, kw_only=True)
class NoisyCounts:
    """Counts of votes for class 1 as they were released.

    Parameters
    ----------
    counts, n_teachers : ndarray, int
        Here released votes for class 1, numbers of shape (n_points,); number of teachers, a positive integer.
    sigma, guarantee : float, Guarantee or None
        Standard deviation of the noise, positive, or 0 without any; promise of the release, or None likewise.
    """

    counts: NDArray[np.float64]
    n_teachers: int
    sigma: float
    guarantee: Guarantee | None


def noisy_counts(
    counts: ArrayLike,
    n_teachers: int,
    *,
    epsilon: float | None,
    delta: float,
    adjacency: Adjacency = Adjacency.ADD_OR_REMOVE_ONE,
    rng: np.random.Generator | int | None = None,
) -> NoisyCounts:
    """Publish how many teachers vote for class 1 at each of some points.

    Parameters
    ----------
    counts : array_like
        Here private votes for class 1, integers of shape (n_points,).
    n_teachers : int
        Number of teachers, a positive integer.
    epsilon : float, optional
        Privacy parameter in nats, positive, of all points together; None is without noise.
    delta : float
        Additive slack, in (0, 1).
    adjacency : Adjacency
        Neighbouring relation.
    rng : int or Generator, optional
        Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.

    Raises
    ------
    ValueError
        If a count is no whole number from 0 to `n_teachers`.

    Notes
    -----
    *Privacy.* The output is (epsilon, delta)-differentially private under `adjacency`: one teacher moves each count by at most 1, so the
    vector by at most the root of its length. Idealised: floating point leaks.

    References
    ----------
    LZCW21-alg-1 without the rounding; exact calibration of Balle and Wang (2018).

    Examples
    --------
    >>> released = noisy_counts([90, 10], 100, epsilon=1.0, delta=1e-6, rng=0)
    >>> print(released.guarantee, round(released.sigma, 3))
    (1, 1e-06)-differential privacy (add-or-remove-one) 5.975
    """
    counts = check.finite_vector(counts=counts)
    check.standard_ranges(n_teachers=n_teachers, delta=delta)
    if counts.min() < 0 or counts.max() > n_teachers or (counts % 1).any():
        raise ValueError(
            f"counts must be whole numbers from 0 to n_teachers={n_teachers!r}, but some entries are not."
        )
    if epsilon is None:
        return NoisyCounts(
            counts=counts, n_teachers=n_teachers, sigma=0.0, guarantee=None
        )
    check.positive(epsilon=epsilon)
    sigma = gaussian_sigma(epsilon, delta, sqrt(len(counts)))
    noisy = counts + sigma * np.random.default_rng(rng).standard_normal(len(counts))
    guarantee = Guarantee(epsilon, delta, adjacency)
    return NoisyCounts(
        counts=noisy, n_teachers=n_teachers, sigma=sigma, guarantee=guarantee
    )


def _points(X: ArrayLike) -> Any:
    """Public points as a table of numbers."""
    X = indexable(X)
    X = X if hasattr(X, "tocsr") else check.numbers(X=X)
    if X.shape[0] == 0:
        raise ValueError(f"X must have at least one row, but got shape {X.shape}.")
    if not abs(X).max() < LARGEST_COORDINATE:
        raise ValueError(
            f"X must hold numbers below {LARGEST_COORDINATE:g} in absolute value, but got larger ones or NaN."
        )
    return X


@dataclass(frozen=True, kw_only=True)
class CountStudent:
    """Linear classifier fitted to noisy shares of votes.

    Parameters
    ----------
    coef, intercept : ndarray, float
        Weights w of shape (n_features,); intercept b.
    prior_scale, log_evidence : float
        Prior variance of w times the mean square of centred points; Laplace's approximation up to a constant.
    """

    coef: NDArray[np.float64]
    intercept: float
    prior_scale: float
    log_evidence: float

    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """``w . x + b``, the logit of the share of votes, for points `X` of shape (n_points, n_features)."""
        return np.asarray(_points(X) @ self.coef).ravel() + self.intercept

    def predict(self, X: ArrayLike) -> NDArray[np.int64]:
        """Class indices of points `X`: 1 where more than half of the votes are expected."""
        return (self.decision_function(X) >= 0).astype(np.int64)


def _coordinates(X: Any) -> tuple[NDArray[np.float64], Callable[[NDArray], NDArray]]:
    """Centred points in few coordinates, F = U S, and the way from weights there to those of the features."""
    if X.shape[1] <= X.shape[0]:
        dense = X.toarray() if hasattr(X, "toarray") else X
        return dense - dense.mean(axis=0), lambda w: w
    gram = X @ X.T
    gram = gram.toarray() if hasattr(gram, "toarray") else gram
    rows = gram.mean(axis=0)
    squares, axes = np.linalg.eigh(gram - rows - rows[:, None] + rows.mean())
    kept = squares > 1e-9 * max(squares[-1], 1e-300)
    axes, lengths = axes[:, kept], np.sqrt(squares[kept])
    return axes * lengths, lambda w: np.asarray(X.T @ (axes @ (w / lengths))).ravel()


class _Share:
    """The model of the shares of votes: objective, Gauss-Newton steps and evidence, for one prior."""

    def __init__(
        self, F: NDArray, shares: NDArray, variance: float, precision: float
    ) -> None:
        self.A = np.column_stack([F, np.ones(len(F))])
        self.shares, self.variance = shares, variance
        self.precision = np.append(
            np.full(F.shape[1], precision), 1e-6
        )  # the intercept is almost free

    def cost(self, w: NDArray) -> float:
        residual = self.shares - expit(self.A @ w)
        return float(
            residual @ residual / (2 * self.variance) + self.precision @ (w * w) / 2
        )

    def step(self, w: NDArray) -> tuple[NDArray, NDArray]:
        """Gauss-Newton matrix, and the downhill direction times it."""
        share = expit(self.A @ w)
        slope = share * (1 - share)
        matrix = (self.A * (slope**2 / self.variance)[:, None]).T @ self.A + np.diag(
            self.precision
        )
        return matrix, self.A.T @ (
            slope * (self.shares - share)
        ) / self.variance - self.precision * w

    def fit(self, w: NDArray) -> NDArray:
        """Weights of least cost, from a start, by damped Gauss-Newton steps."""
        cost = self.cost(w)
        for _ in range(STEPS):
            direction, size = np.linalg.solve(*self.step(w)), 1.0
            while size > 1e-6 and self.cost(w + size * direction) > cost:
                size /= 2
            new = self.cost(w + size * direction)
            if cost - new <= 1e-7 * abs(cost):
                break
            w, cost = w + size * direction, new
        return w

    def log_evidence(self, w: NDArray) -> float:
        """Laplace's approximation at the fitted weights, without constants that all priors share."""
        matrix, _ = self.step(w)
        prior = np.log(self.precision[:-1]).sum() / 2
        return float(prior - self.cost(w) - np.linalg.slogdet(matrix)[1] / 2)


def count_student(X: ArrayLike, released: NoisyCounts) -> CountStudent:
    """Fit a linear classifier to noisy counts of votes.

    Parameters
    ----------
    X : array_like
        Here public points, numbers of shape (n_points, n_features).
    released : NoisyCounts
        Noisy votes for class 1 at these points.

    Raises
    ------
    ValueError
        If `X` has not one row for each count.

    Notes
    -----
    *Privacy.* The guarantee is that of the release: only released numbers and public points are used.

    References
    ----------
    Ours, with the teachers and the noise of LZCW21-alg-3.

    Examples
    --------
    >>> X = np.linspace(-1, 1, 50)[:, None]
    >>> votes = np.random.default_rng(0).binomial(100, 1 / (1 + np.exp(-5 * X[:, 0])))
    >>> student = count_student(X, noisy_counts(votes, 100, epsilon=1.0, delta=1e-6, rng=1))
    >>> student.predict([[-0.5], [0.5]]).tolist()
    [0, 1]
    """
    X = _points(X)
    check.instance(NoisyCounts, released=released)
    if X.shape[0] != len(released.counts):
        raise ValueError(
            f"X must have a row for each of {len(released.counts)} counts, but got {X.shape[0]}."
        )
    F, lifted = _coordinates(X)
    n_teachers = released.n_teachers
    shares = released.counts / n_teachers
    variance = (released.sigma / n_teachers) ** 2 + 1 / (4 * n_teachers)
    spread = max(float((F * F).sum() / len(F)), 1e-300)
    fits, w = [], np.zeros(F.shape[1] + 1)
    for scale in PRIOR_SCALES:
        model = _Share(F, shares, variance, spread / scale)
        w = model.fit(w)
        fits.append((model.log_evidence(w), scale, w))
    evidence, scale, w = max(fits, key=lambda fit: fit[0])
    coef = lifted(w[:-1])
    centre = float(np.asarray(X.mean(axis=0)).ravel() @ coef)
    return CountStudent(
        coef=coef,
        intercept=float(w[-1]) - centre,
        prior_scale=scale,
        log_evidence=evidence,
    )


class CountedRun(NamedTuple):
    """A student of noisy counts.

    Parameters
    ----------
    student, queried, released : CountStudent, ndarray, NoisyCounts
        The classifier; positions of the points that were asked, in order; counts at these points.
    """

    student: CountStudent
    queried: NDArray[np.int64]
    released: NoisyCounts


def count_learning(
    X: ArrayLike,
    counts: ArrayLike,
    n_teachers: int,
    *,
    epsilon: float | None,
    delta: float,
    n_queries: int,
    n_rounds: int = 8,
    adjacency: Adjacency = Adjacency.ADD_OR_REMOVE_ONE,
    rng: np.random.Generator | int | None = None,
) -> CountedRun:
    """Ask for noisy counts in rounds, each time where the student so far is least sure, and fit a student.

    Parameters
    ----------
    X : array_like
        Here public points, numbers of shape (n_points, n_features).
    counts : array_like
        Here votes for class 1, whole numbers of shape (n_points,), private; looked at where asked.
    n_teachers : int
        Number of teachers, a positive integer.
    epsilon : float, optional
        Privacy parameter in nats, positive, of all points together; None is without noise.
    delta : float
        Additive slack, in (0, 1).
    n_queries, n_rounds : int
        Numbers of counts asked, all used, and of rounds, the first at random, positive integers.
    adjacency : Adjacency
        Neighbouring relation.
    rng : int or Generator, optional
        Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.

    Raises
    ------
    ValueError
        If `n_queries` is not from `n_rounds` to the points, or a point has no count.

    Notes
    -----
    *Privacy.* The output is (epsilon, delta)-differentially private under `adjacency` for the released counts and the student together. The
    points of a round depend on released counts only, and Gaussian noise composes adaptively as it does on a
    fixed list: l counts, each with noise sigma, are a release with mu = sqrt(l) / sigma.

    References
    ----------
    Ours, in the place of LZCW21-alg-5.

    Examples
    --------
    >>> X = np.linspace(-1, 1, 400)[:, None]
    >>> votes = np.random.default_rng(0).binomial(200, 1 / (1 + np.exp(-9 * (X[:, 0] - 0.2))))
    >>> run = count_learning(X, votes, 200, epsilon=1.0, delta=1e-6, n_queries=40, rng=1)
    >>> len(run.queried), bool(abs(-run.student.intercept / run.student.coef[0] - 0.2) < 0.1)
    (40, True)
    """
    X = _points(X)
    check.positive_integer(n_teachers=n_teachers)
    counts = noisy_counts(
        counts, n_teachers, epsilon=None, delta=delta
    ).counts  # checked, without noise
    check.positive_integer(n_queries=n_queries, n_rounds=n_rounds)
    if not n_rounds <= n_queries <= X.shape[0] or counts.shape != (X.shape[0],):
        raise ValueError(
            f"n_queries must be from n_rounds={n_rounds} to the {X.shape[0]} points, with one count for each point, "
            f"but got {n_queries!r} with counts of shape {counts.shape}."
        )
    choosing, noise = np.random.default_rng(rng).spawn(2)
    plan = noisy_counts(  # the noise of the whole run, drawn ahead
        np.zeros(n_queries),
        n_teachers,
        epsilon=epsilon,
        delta=delta,
        adjacency=adjacency,
        rng=noise,
    )
    queried = choosing.permutation(X.shape[0])[: n_queries // n_rounds]
    for step in range(1, n_rounds + 1):
        released = replace(plan, counts=counts[queried] + plan.counts[: len(queried)])
        student = count_student(X[queried], released)
        if step < n_rounds:
            unsure = np.abs(student.decision_function(X))
            unsure[queried] = np.inf
            n_new = n_queries * (step + 1) // n_rounds - len(queried)
            queried = np.append(queried, np.argsort(unsure, kind="stable")[:n_new])
    return CountedRun(student, queried, released)


check.wrap_module(__name__)
