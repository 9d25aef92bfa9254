r"""Correlated noise from a factorisation of a matrix: running counts with a small error, and other linear answers.

Let x hold the numbers of records in some cells, and let A be the *workload*, so that :math:`A x` holds the answers
that are wanted: for running counts, the matrix of ones on and below the diagonal.  A *strategy* R holds other sums,
of which one record moves only a few, or each by little.  The sums :math:`R x` receive independent noise :math:`\xi`,
and the answers are assembled from them:

.. math:: L \, (R x + \xi) = A x + L \xi , \qquad A = L R .

The noise is scaled to what a record moves, which is the length of a column of R.  The matrix L, which the data do not
touch, is the one with the smallest errors, that of least squares: :math:`L = A R^+` with the pseudo-inverse.

**Exactness.**  The strategy is first rounded to whole multiples of a fine step, and L belongs to the rounded one, so
that :math:`A = L R` still holds.  Then all sums are whole numbers, what a record moves is computed in whole numbers,
and the noise is drawn exactly.

**Gaussian noise.**  For the step that is used, discrete Gaussian noise is as good as continuous: with variance
parameter v, the probability of an integer k is at most :math:`e^{1 / (24 v)}` times the probability that real Gaussian
noise of variance v, rounded to an integer, is k.  (By Jensen's inequality, the mean of the density over the unit
interval around k is at least :math:`e^{-1 / (24 v)}` times the density at k; and the normaliser of the discrete law is
at least that of the density.)  The privacy loss of a move s is increasing in :math:`\langle s, \xi \rangle`, which
rounding changes by at most :math:`|s|_1 / 2`.  For n sums it follows that

.. math:: \delta(\varepsilon) \le e^{n / (24 v)} \, \delta_\mu\bigl(\varepsilon - |s|_1 / (2 v)\bigr) ,

where :math:`\delta_\mu` is the curve of real Gaussian noise with :math:`\mu = |s| / \sqrt v`.

**Intervals.**  An error is a sum :math:`S = \langle w, \xi \rangle`.  Gaussian noise is compared with real noise as
above.  Discrete Laplace noise is the difference of two exponential variables that are rounded down, and rounding
changes S by at most :math:`|w|_1`.  The sum of real Laplace noises of scale b has a logarithmically concave density, and
so has its law tilted by :math:`e^{t S}`, whose density is therefore at most 1 over its standard deviation
:math:`\sigma_t`.  With :math:`M(t) = E e^{t S} = \prod_i (1 - b^2 t^2 w_i^2)^{-1}`, this sharpens Chernoff's bound to

.. math:: P(S > u) \le M(t) \, e^{-t u} \min\{1, 1 / (t \sigma_t)\} ,

for each exponent t, of which the best on a grid is taken.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import exp, log, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._rounding import above, below, float_at_least
from privml.adjacency import Adjacency
from privml.distributions import DiscreteGaussian, DiscreteLaplace, Product
from privml.guarantee import ConcentratedGuarantee
from privml.mechanisms.additive import gaussian_sigma
from privml.mechanisms.base import ApproximateMechanism
from privml.mechanisms.discrete import DiscreteLaplaceMechanism

STEP_BITS = 21  # the longest column of a strategy has about so many bits, in steps
LARGEST_SUM = 2.0**62  # of a sum, to which noise is added without wrapping around
MOST_VARIANCE = 2.0**94  # of discrete Gaussian noise that can be drawn
MOST_ENTRY = 1e50  # of a matrix, so that variances are floats
LARGEST_RESIDUAL = (
    1e-6  # of a row of A - L R, relative, where it counts as a combination
)
SHARES = (*np.linspace(0.04, 0.96, 24), 0.98, 0.99, 0.999)  # of the largest exponent


def tree_strategy(n_counts: int) -> NDArray[np.float64]:
    """Sums over the blocks of the binary tree: of each length that is a power of two, one after the other.

    Parameters
    ----------
    n_counts : int
        Number of counts, a positive integer; where it is no power of two, blocks that would end later are left out.

    Returns
    -------
    ndarray
        One row of zeros and ones for each block, the short ones first, of shape (n_blocks, n_counts).

    References
    ----------
    Dwork, Naor, Pitassi and Rothblum (2010); Chan, Shi and Song (2011).

    Examples
    --------
    >>> tree_strategy(3).astype(int).tolist()
    [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]
    """
    check.positive_integer(n_counts=n_counts)
    cells = np.arange(n_counts)
    levels = range(n_counts.bit_length())
    blocks = [np.equal.outer(cells[: n_counts >> i], cells >> i) for i in levels]
    return np.vstack(blocks).astype(float)


def square_root_strategy(n_counts: int) -> NDArray[np.float64]:
    r"""The square root of the matrix of running counts, whose entries depend on the distance from the diagonal only.

    The entries are those of :math:`(1 - y)^{-1/2} = \sum_k r_k y^k`, with :math:`r_k = \binom{2 k}{k} / 4^k`.

    Parameters
    ----------
    n_counts : int
        Number of counts, a positive integer.

    Returns
    -------
    ndarray
        Lower triangular matrix of shape (n_counts, n_counts).

    References
    ----------
    Bennett (1977); Fichtenberger, Henzinger and Upadhyay (2023).

    Examples
    --------
    >>> square_root_strategy(3).tolist()
    [[1.0, 0.0, 0.0], [0.5, 1.0, 0.0], [0.375, 0.5, 1.0]]
    """
    check.positive_integer(n_counts=n_counts)
    k = np.arange(1, n_counts)
    coefficients = np.append(1.0, np.cumprod((2 * k - 1) / (2 * k)))
    distance = np.subtract.outer(np.arange(n_counts), np.arange(n_counts))
    return np.tril(coefficients[np.abs(distance)])


def _matrix(name: str, value: ArrayLike) -> NDArray[np.float64]:
    """A copy of a public matrix that nobody can change later, or raise."""
    matrix = np.array(check.numbers(**{name: value}))
    if matrix.ndim != 2 or matrix.size == 0:
        raise ValueError(
            f"{name} must be a matrix with at least one row and one column, but got shape {matrix.shape}."
        )
    if not (np.abs(matrix) <= MOST_ENTRY).all():
        raise ValueError(
            f"{name} must have entries of at most {MOST_ENTRY:g} in absolute value, but got a larger one or NaN."
        )
    matrix.setflags(write=False)
    return matrix


def _gaussian_variance(
    epsilon: float, delta: float, squared: int, n_sums: int
) -> Fraction:
    """Variance parameter of noise on sums that move by a length, by the bound at the head of the module.

    What rounding to integers takes of epsilon and delta decreases with the variance, and is computed for one that is
    too small.  The variance is at least 4 per sum, for any epsilon: it is then that of the law, and little is taken.
    """
    length = above(sqrt(squared))
    least = max(gaussian_sigma(epsilon, delta, length), 2 * sqrt(n_sums))
    taken = above(sqrt(n_sums * squared) / 2 / least / least, 8)
    if not taken < epsilon:
        raise ValueError(
            f"epsilon must be larger for this delta and so many sums, but got {epsilon!r}."
        )
    kept = below(delta * exp(-n_sums / 24 / least / least), 8)
    sigma = max(least, gaussian_sigma(below(epsilon - taken), kept, length))
    variance = above(sigma * sigma)
    if variance > MOST_VARIANCE:
        raise ValueError(
            f"epsilon must leave noise that can be drawn at this delta, but got {epsilon!r}."
        )
    return Fraction(variance)


@dataclass(frozen=True, kw_only=True, eq=False)
class FactorisationMechanism(ApproximateMechanism):
    r"""Answer linear queries about counts through noisy answers to other ones, whose noise is shared.

    The value is the vector x of the numbers of records in n_counts cells.  The sums :math:`R x` of the strategy receive
    discrete Laplace noise or, with a delta, discrete Gaussian noise.  The answers to the workload are the estimates of
    least squares from the noisy sums; they are unbiased and consistent with each other.

    Parameters
    ----------
    workload : array_like
        Public matrix A of shape (n_answers, n_counts), one row for each answer that is wanted.
    strategy : array_like
        Public matrix R of shape (n_sums, n_counts) rounded to 21 bits of its longest column.
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float, default 0
        Additive slack, in [0, 1); 0 is for Laplace noise.
    adjacency : Adjacency, default REPLACE_ONE
        Neighbouring relation.

    Raises
    ------
    ValueError
        If the matrices have different numbers of columns, or a row of the workload is no combination of the rows of the
        strategy.

    Notes
    -----
    *Privacy.* The mechanism is (epsilon, delta)-differentially private under `adjacency`, if each record is in one cell
    or in none.  One that is added moves the sums by a column of R, one that is replaced by the difference of two
    columns, or by one column if a cell is left or entered.  The longest such move is computed in whole numbers, in the
    L1 norm for Laplace noise and in the Euclidean norm for Gaussian noise.  The guarantee holds for the program as it
    runs, since the noise is drawn exactly.  With a delta, :attr:`concentrated` holds as well.

    *Accuracy.* :attr:`covariance` is that of the errors, exactly, whatever the data are.

    References
    ----------
    Li, Hay, Rastogi, Miklau and McGregor (2010); Edmonds, Nikolov and Ullman (2020); LZCW21-lem-42 and LZCW21-lem-44 on
    the integers.

    Examples
    --------
    >>> daily = [1, 0, 1, 1, 0, 0, 1, 0]
    >>> mechanism = FactorisationMechanism(workload=np.tri(8), strategy=tree_strategy(8), epsilon=4.0)
    >>> mechanism.release(daily, rng=0).round(1).tolist()
    [-3.4, -0.9, 2.4, 3.4, 2.4, 2.6, 5.3, 4.4]
    >>> np.sqrt(np.diag(mechanism.covariance)).round(2).tolist()
    [1.66, 1.4, 1.92, 1.37, 2.07, 1.78, 2.13, 1.55]
    """

    workload: NDArray[np.float64]
    strategy: NDArray[np.float64]
    epsilon: float
    delta: float = 0.0
    adjacency: Adjacency = Adjacency.REPLACE_ONE

    def __post_init__(self) -> None:
        check.positive(epsilon=self.epsilon)
        check.probability_half_open(delta=self.delta)
        check.instance(Adjacency, adjacency=self.adjacency)
        workload = _matrix("workload", self.workload)
        strategy = _matrix("strategy", self.strategy)
        if workload.shape[1] != strategy.shape[1]:
            raise ValueError(
                "workload must have as many columns as the strategy, one for each count, but got "
                f"{workload.shape[1]} and {strategy.shape[1]}."
            )
        object.__setattr__(self, "workload", workload)
        object.__setattr__(self, "strategy", strategy)
        if not (self._residuals <= LARGEST_RESIDUAL * np.abs(workload).max(1)).all():
            raise ValueError(
                "workload must have rows that are combinations of the rows of the strategy, but got a row that is not. "
                "Add rows to the strategy, for example those of numpy.eye(n_counts)."
            )
        _ = self.noise

    @cached_property
    def _steps(self) -> NDArray[np.float64]:
        """The strategy in whole steps: scaled by a power of two, and rounded."""
        _, exponent = np.frexp(np.abs(self.strategy).max())
        unit = np.ldexp(self.strategy, -exponent)
        _, exponent = np.frexp(np.linalg.norm(unit, axis=0).max())
        return np.rint(np.ldexp(unit, STEP_BITS - exponent))

    @cached_property
    def _moved(self) -> int:
        """What one record moves the sums by, in steps: the L1 norm or, for Gaussian noise, the squared length."""
        from scipy.spatial.distance import cdist, pdist

        # A cell that is left or entered stands against no cell: a column of zeros.
        columns = np.vstack([np.zeros(len(self._steps)), self._steps.T])
        metric = "sqeuclidean" if self.delta else "cityblock"
        if self.adjacency is Adjacency.REPLACE_ONE:
            moves = pdist(columns, metric)
        else:
            moves = cdist(columns[:1], columns, metric)
        return int(moves.max())  # exact, being made of whole numbers below 2^53

    @cached_property
    def noise(self) -> DiscreteLaplace | DiscreteGaussian:
        """Law of the independent noise on each sum, in steps."""
        if not self.delta:
            scale = DiscreteLaplaceMechanism(
                epsilon=self.epsilon, sensitivity=self._moved
            ).scale
            return DiscreteLaplace(scale=scale)
        variance = _gaussian_variance(
            self.epsilon, self.delta, self._moved, len(self._steps)
        )
        return DiscreteGaussian(variance=variance)

    @cached_property
    def _reconstruction(self) -> NDArray[np.float64]:
        """The matrix L of least squares, from sums in steps to answers."""
        gram = self._steps.T @ self._steps
        inverse = np.linalg.pinv(gram, hermitian=True)
        return self.workload @ inverse @ self._steps.T

    @cached_property
    def _residuals(self) -> NDArray[np.float64]:
        """Upper bound on the entries of each row of A - L R, rounding of this very product included."""
        found = np.abs(self.workload - self._reconstruction @ self._steps)
        rounding = np.abs(self._reconstruction) @ np.abs(self._steps)
        return (found + 2.0**-51 * len(self._steps) * rounding).max(axis=1)

    @property
    def concentrated(self) -> ConcentratedGuarantee:
        """rho-concentrated differential privacy: of Gaussian noise, rho is half of the squared move over v."""
        if isinstance(self.noise, DiscreteLaplace):
            return super().concentrated
        rho = float_at_least(self._moved / (2 * self.noise.variance))
        return ConcentratedGuarantee(rho, self.adjacency)

    @property
    def covariance(self) -> NDArray[np.float64]:
        """Covariance matrix of the errors of all answers; its diagonal holds their variances."""
        if isinstance(self.noise, DiscreteLaplace):
            rate = float(1 / self.noise.scale)
            variance = 2 * np.exp(-rate) / np.expm1(-rate) ** 2
        else:
            variance = float(self.noise.variance)
        return variance * self._reconstruction @ self._reconstruction.T

    def half_widths(self, combinations: ArrayLike, beta: float) -> NDArray[np.float64]:
        """Half the width of an interval for each of some linear combinations of the answers.

        Each interval fails with probability at most beta, whatever the data are; several of them hold together but for
        the sum of their probabilities.

        Parameters
        ----------
        combinations : array_like
            Coefficients of the answers, of shape (n_combinations, n_answers).
        beta : float
            Failure probability of each interval, in (0, 1).
        """
        check.probability_open(beta=beta)
        weights = _matrix("combinations", combinations) @ self._reconstruction
        exponent = log(2) - log(beta)
        if isinstance(self.noise, DiscreteGaussian):
            from scipy.special import ndtri_exp

            variance = float(self.noise.variance)
            quantile = -ndtri_exp(-exponent - len(self._steps) / (24 * variance))
            lengths = np.linalg.norm(weights, axis=1)
            widths = quantile * sqrt(variance) * lengths + np.abs(weights).sum(1) / 2
            return widths * (1 + 1e-9)

        scaled = weights * float(self.noise.scale)
        longest = np.maximum(np.abs(scaled).max(axis=1), 1e-300)
        widths = np.full(len(weights), np.inf)
        for share in SHARES:
            t = share / longest
            squares = (scaled * t[:, None]) ** 2
            log_moment = -np.log1p(-squares).sum(axis=1)
            variance = (2 * squares * (1 + squares) / (1 - squares) ** 2).sum(axis=1)
            log_factor = np.minimum(0.0, -np.log(np.maximum(variance, 1e-300)) / 2)
            widths = np.minimum(widths, (log_moment + log_factor + exponent) / t)
        return (widths + np.abs(weights).sum(axis=1)) * (1 + 1e-9)

    def output_distribution(self, value: ArrayLike) -> Product:
        """The exact law of the noisy sums, in steps.

        Parameters
        ----------
        value : array_like
            Number of records in each cell, private: a vector of integers of shape (n_counts,).
        """
        counts = np.atleast_1d(check.integer_answer(value=value))
        n_counts = self._steps.shape[1]
        if counts.size != n_counts:
            raise ValueError(
                f"value must have {n_counts} counts, as the strategy has columns, but got {counts.size}."
            )
        if (np.abs(self._steps) @ np.abs(counts.astype(float))).max() > LARGEST_SUM:
            raise ValueError(
                "value must have sums of at most 2^62 steps, but got larger ones."
            )
        sums = self._steps.astype(np.int64) @ counts
        return Product(replace(self.noise, location=sums))

    def estimates(self, sums: ArrayLike) -> NDArray[np.float64]:
        """Answers to the workload, by least squares.

        Parameters
        ----------
        sums : array_like
            Noisy sums in steps, as drawn from :meth:`output_distribution`.
        """
        return self._reconstruction @ check.finite_vector(sums=sums)

    def rounding(self, sums: ArrayLike, n_most: float) -> float:
        """Upper bound on what the arithmetic of floats changes in an estimate.

        Parameters
        ----------
        sums : array_like
            Noisy sums in steps, of which the estimates are made.
        n_most : float
            Number of records, or more.
        """
        sizes = np.abs(self._reconstruction) @ np.abs(check.finite_vector(sums=sums))
        unit = 2.0**-51 * len(self._steps)
        return float(unit * sizes.max() + self._residuals.max() * n_most)

    def release(
        self, value: ArrayLike, *, rng: np.random.Generator | int | None = None
    ) -> NDArray[np.float64]:
        """Answers to the workload from one draw of the noisy sums.  Each call spends the guarantee once.

        Parameters
        ----------
        value : array_like
            Number of records in each cell, private: integers of shape (n_counts,); a refusal tells of them.
        rng : int or Generator, optional
            Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.
        """
        return self.estimates(self.output_distribution(value).rvs(rng=rng))


check.wrap_module(__name__)
