r"""Choosing one of finitely many outcomes, or a real number, privately.

A selection mechanism prefers high scores, but only as sharply as epsilon allows.  A promise
``monotone=True``, under ``ADD_OR_REMOVE_ONE`` only, says that adding a record moves all scores in one
direction, as counts do.  Then half the noise suffices: the exponent is ``epsilon score / sensitivity``.

Draws are exact for the exponents as floats (:mod:`privml.coins`); the rounding of the scores and exponents
themselves is not covered by the proofs.
"""

import warnings
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.coins import exponential_heads
from privml.distributions import NOISE_BLOCK, Categorical
from privml.guarantee import BoundedRangeGuarantee, ConcentratedGuarantee
from privml.mechanisms.base import Selection


@dataclass(frozen=True, kw_only=True)
class ExponentialMechanism(Selection):
    r"""Choose an outcome with probability proportional to exp(epsilon score / (2 sensitivity)).

    For scores :math:`u(h, z)` of sensitivity :math:`\Delta` the mechanism outputs :math:`h` with
    probability proportional to :math:`\mu(h) \exp(\varepsilon\, u(h, z) / (2 \Delta))`, where the public
    base measure :math:`\mu` is uniform unless stated.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    sensitivity : float
        Largest change between neighbours of any one score, positive.
    adjacency : Adjacency
        Neighbouring relation.
    monotone : bool, default False
        Whether adding a record moves all scores in one direction, under add-or-remove-one only.
    base_measure : tuple of float, optional
        Public non-negative weights of the outcomes, not all zero, whatever the data; None is uniform.

    Raises
    ------
    ValueError
        If a weight of the base measure is negative, or all of them are 0.

    Notes
    -----
    *Privacy.* Under `adjacency`, the choice is epsilon-differentially private, and even epsilon-bounded-range.

    *Accuracy.* With probability at least 1 - beta, the chosen score lies within
    ``(2 sensitivity / epsilon) ln(n_outcomes / beta)`` of the best score
    (:func:`privml.bounds.exponential_utility_gap`), or within half of that distance if `monotone`.  With a base
    measure, replace n_outcomes by the total weight divided by the weight of the best outcomes.

    References
    ----------
    L4-exp-mech, L4-exp-mech-privacy, S16-alg-1 and S16-thm-0.1; McSherry and Talwar (2007), Theorem 6.

    Examples
    --------
    >>> mechanism = ExponentialMechanism(epsilon=1.0, sensitivity=1.0)
    >>> mechanism.output_distribution([0.0, 2.0, 4.0]).pmf().round(4).tolist()
    [0.09, 0.2447, 0.6652]
    >>> mechanism.release([0.0, 2.0, 4.0], rng=0)
    2
    """

    base_measure: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.base_measure is None:
            return
        measure = check.finite_vector(base_measure=self.base_measure)
        if measure.min() < 0 or measure.max() == 0:
            raise ValueError(
                f"base_measure must be non-negative and not all zero, but got {self.base_measure!r}."
            )
        object.__setattr__(self, "base_measure", tuple(measure.tolist()))

    @property
    def bounded_range(self) -> BoundedRangeGuarantee:
        """epsilon-bounded-range privacy: implies the guarantee, and composes about twice as well."""
        return BoundedRangeGuarantee(self.epsilon, self.adjacency)

    @property
    def concentrated(self) -> ConcentratedGuarantee:
        """rho-concentrated privacy by the bounded range, about a quarter of that of the epsilon alone."""
        return self.bounded_range.as_concentrated()

    def output_distribution(self, scores: ArrayLike) -> Categorical:
        """Exact law of the chosen index.

        Parameters
        ----------
        scores : array_like
            Private scores, finite, of shape (n_outcomes,), the higher the better.
        """
        exponents = self.exponents(scores)
        if self.base_measure is None:
            return Categorical(exponents)
        if len(self.base_measure) != exponents.size:
            rule = f"one entry per weight of base_measure ({len(self.base_measure)})"
            raise ValueError(f"scores must have {rule}, but got {exponents.size}.")
        return Categorical(exponents + np.log(self.base_measure))


@dataclass(frozen=True, kw_only=True)
class PermuteAndFlip(Selection):
    r"""Visit the outcomes in random order and flip a coin for each until one is accepted.

    An outcome is accepted with probability ``exp(epsilon (score - best) / (2 sensitivity))``.  The best is
    accepted for certain when it is reached, so the walk ends.  The same distribution results from adding independent
    exponential noise of mean ``2 sensitivity / epsilon`` to each score and reporting the largest.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    sensitivity : float
        Largest change between neighbours of any one score, positive.
    adjacency : Adjacency
        Neighbouring relation.
    monotone : bool, default False
        Whether adding a record moves all scores in one direction, under add-or-remove-one only.

    Notes
    -----
    *Privacy.* The choice is epsilon-differentially private under `adjacency`.  It is not epsilon-bounded-range, but
    at every delta, alone and in compositions, it is no worse than Laplace noise with the same epsilon.

    *Accuracy.* The expected score is never below that of the exponential mechanism with the same parameters
    (McKenna and Sheldon, 2020), and the same tail bound holds.

    References
    ----------
    McKenna and Sheldon (2020), Algorithm 1; Ding, Kifer, Steinke, Wang, Xiao and Zhang (2021) for the
    equivalence with exponential noise.

    Examples
    --------
    >>> mechanism = PermuteAndFlip(epsilon=1.0, sensitivity=1.0)
    >>> mechanism.output_distribution([0.0, 2.0, 4.0]).pmf().round(4).tolist()
    [0.0594, 0.1756, 0.765]
    """

    def output_distribution(self, scores: ArrayLike) -> Categorical:
        r"""Exact law of the chosen index.

        With :math:`q_j` the acceptance probabilities, give each outcome an independent uniform time of
        visit; outcome i, visited at time t, is chosen when no other one visited before t was accepted:

        .. math:: P(i) = q_i \int_0^1 \prod_{j \ne i} (1 - q_j t)\, dt .

        The integrand is a polynomial, so Gauss-Legendre quadrature with half its degree in nodes is exact;
        beyond 64 nodes their number grows like the square root of the number of outcomes only, and what is
        lost is rounding: before it is normalised, the law of twenty thousand outcomes sums to 1 within 1e-9.

        Parameters
        ----------
        scores : array_like
            Private scores, finite, of shape (n_outcomes,), the higher the better.
        """
        exponents = self.exponents(scores)
        accept = np.exp(exponents)
        times, weights = _unit_interval_nodes(accept.size)
        total = np.zeros(accept.size)
        rows = max(1, NOISE_BLOCK // accept.size)
        for start in range(0, times.size, rows):
            block = slice(start, start + rows)
            log_reject = np.log1p(-np.multiply.outer(times[block], accept))
            others = np.exp(log_reject.sum(axis=1, keepdims=True) - log_reject)
            total += weights[block] @ others
        return Categorical(exponents + np.log(total))

    def release(
        self, scores: ArrayLike, *, rng: np.random.Generator | int | None = None
    ) -> int:
        # All coins at once: the first heads in a random order is an even choice among the heads.
        rng, exponents = np.random.default_rng(rng), self.exponents(scores)
        return int(
            rng.choice(
                np.flatnonzero(
                    exponential_heads(np.negative(exponents, out=exponents), rng)
                )
            )
        )


def _unit_interval_nodes(
    n_outcomes: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Gauss-Legendre nodes and weights on [0, 1] for a product of n_outcomes - 1 linear factors."""
    n_nodes = min((n_outcomes + 1) // 2, 64 + 4 * int(np.ceil(np.sqrt(n_outcomes))))
    nodes, weights = np.polynomial.legendre.leggauss(n_nodes)
    return (nodes + 1) / 2, weights / 2


def _log_integral(
    score: Callable[[float], float], scale: float, cuts: list[float]
) -> float:
    """Logarithm of the integral of exp(score / scale) over consecutive intervals between `cuts`."""
    from scipy.integrate import IntegrationWarning, quad

    best = max(score(cut) for cut in cuts if np.isfinite(cut))
    with warnings.catch_warnings(), np.errstate(over="raise"):
        warnings.simplefilter("error", IntegrationWarning)
        try:
            pieces = [
                quad(
                    lambda x: np.exp((score(x) - best) / scale),
                    *ends,
                    epsabs=0,
                    epsrel=1e-11,
                    limit=400,
                )[0]
                for ends in zip(cuts[:-1], cuts[1:], strict=True)
            ]
        except FloatingPointError:
            raise ValueError(
                f"breakpoints must contain the place of the largest score, but got {cuts!r}."
            ) from None
        except IntegrationWarning as error:
            raise ValueError(
                f"score must have a finite integral of exp(score / scale), but the quadrature reported: {error}"
            ) from None
    total = sum(pieces)
    if not (np.isfinite(total) and total > 0):
        raise ValueError(
            f"score must have a positive and finite integral of exp(score / scale), but got {total!r}."
        )
    return best / scale + float(np.log(total))


@dataclass(frozen=True)
class ExponentialDensity:
    r"""Distribution of the exponential mechanism on an interval, with Lebesgue measure as base measure.

    .. math:: D(y) = \exp\!\Big(\frac{\varepsilon f(y)}{2\Delta}\Big)
              \Big/ \int_{\text{lower}}^{\text{upper}} \exp\!\Big(\frac{\varepsilon f(t)}{2\Delta}\Big) dt .

    The integral is computed by adaptive quadrature.

    Parameters
    ----------
    score : callable
        The score f of one real outcome, for the data at hand.
    epsilon : float
        Privacy parameter in nats, positive.
    sensitivity : float
        Largest change between neighbours of the score at any place, positive.
    lower, upper : float
        Ends of the interval, possibly infinite.
    breakpoints : array_like, optional
        Places where the score has its maximum, a kink or a jump; needed for full accuracy, and at least
        one is required on an infinite interval.

    Raises
    ------
    ValueError
        If the interval is empty, or infinite without a breakpoint, or the integral is not finite.

    Notes
    -----
    *Privacy.* A draw is epsilon-differentially private under the neighbouring relation of `sensitivity`.  The proof
    for finite classes carries over with integrals in place of sums.

    References
    ----------
    S16-rem-normaliser.

    Examples
    --------
    The score -|y - x| gives Laplace noise of scale 2 sensitivity / epsilon:

    >>> law = ExponentialDensity(lambda y: -abs(y - 3.0), epsilon=0.5, sensitivity=1.0, breakpoints=[3.0])
    >>> round(law.log_normaliser, 9) == round(float(np.log(2 * 4.0)), 9)
    True
    """

    score: Callable[[float], float]
    _: KW_ONLY
    epsilon: float
    sensitivity: float
    lower: float = -np.inf
    upper: float = np.inf
    breakpoints: ArrayLike = ()
    log_normaliser: float = field(init=False)

    def __post_init__(self) -> None:
        check.positive(epsilon=self.epsilon, sensitivity=self.sensitivity)
        check.function(score=self.score)
        lower, upper = self.lower, self.upper
        if not (isinstance(lower, Real) and isinstance(upper, Real) and lower < upper):
            raise ValueError(
                f"lower must be a number less than upper, but got {lower!r} and {upper!r}."
            )
        points = np.sort(check.numbers(breakpoints=self.breakpoints).ravel())
        cuts = [
            float(lower),
            *points[(lower < points) & (points < upper)].tolist(),
            float(upper),
        ]
        if not any(np.isfinite(cuts)):
            raise ValueError(
                "breakpoints must contain a finite point on an infinite interval, but got none."
            )
        object.__setattr__(
            self, "log_normaliser", _log_integral(self.score, self._scale, cuts)
        )

    @property
    def _scale(self) -> float:
        return 2 * self.sensitivity / self.epsilon

    def logpdf(self, points: ArrayLike) -> NDArray[np.float64]:
        """Natural logarithm of the density at each of `points`."""
        points = np.asarray(points, dtype=float)
        scores = np.array(
            [self.score(point) for point in points.ravel()], dtype=float
        ).reshape(points.shape)
        inside = (points >= self.lower) & (points <= self.upper)
        return np.where(inside, scores / self._scale - self.log_normaliser, -np.inf)


check.wrap_module(__name__)
