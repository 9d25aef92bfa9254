r"""The exponential mechanism for penalised risks: its law on finite sets, and by quadrature on small bodies.

.. math:: p_Z(h) \propto \exp\Big(-\frac{\varepsilon}{2\Delta} F_Z(h)\Big)

with respect to the base measure of the domain.  The whole space is of little use: a convex loss of a score
that is bounded on the line is constant, so only losses that are not convex, as
:class:`~privml.learners.penalised_erm.RampLoss`, have a finite sensitivity there.
"""

from dataclasses import dataclass
from functools import cached_property
from math import isfinite, log, pi

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.distributions import Categorical
from privml.guarantee import BoundedRangeGuarantee, Guarantee
from privml.learners.penalised_erm.base import Domain
from privml.learners.penalised_erm.domains import Ball, Box, Finite
from privml.learners.penalised_erm.risk import SENSITIVITIES, PenalisedRisk

LARGEST_RULE = 10**4


def penalised_law(
    empirical_risks: ArrayLike,
    n_samples: int,
    epsilon: float,
    *,
    penalties: ArrayLike | None = None,
    base_weights: ArrayLike | None = None,
    loss_range: float = 1.0,
    sensitivity: str = "tight",
) -> Categorical:
    """Exact law of the learner on finitely many hypotheses, from their empirical risks.

    **Returns.** Categorical: on the indices of the hypotheses.
    **Privacy.** epsilon-DP under replace-one; epsilon/2 with "WLF16".
    **Source.** WLF16-alg-1 on a finite class.

    Parameters
    ----------
    empirical_risks : array_like of shape (n_hypotheses,)
        Mean loss of each on the data.
    penalties : array_like of shape (n_hypotheses,), optional
        What a regulariser adds to each; not made from the data.
    base_weights : array_like of shape (n_hypotheses,), optional
        Base measure, positive; None counts each once.
    loss_range : float, default 1
        Losses lie in an interval of this length (in [0, this] for "WLF16").
    sensitivity : {"tight", "WLF16"}
        ``loss_range / n``, or the source's ``2 loss_range / n``, which wastes half of epsilon.

    Examples
    --------
    >>> penalised_law([0.0, 0.5], 4, 1.0).pmf().round(4).tolist()
    [0.7311, 0.2689]
    """
    risks = check.finite_vector(empirical_risks=empirical_risks)
    check.positive_integer(n_samples=n_samples)
    check.positive(epsilon=epsilon, loss_range=loss_range)
    check.one_of(SENSITIVITIES, sensitivity=sensitivity)
    extra = np.zeros_like(risks) if penalties is None else check.finite_vector(penalties=penalties)
    base = np.ones_like(risks) if base_weights is None else check.finite_vector(base_weights=base_weights)
    if extra.shape != risks.shape or base.shape != risks.shape or not (base > 0).all():
        raise ValueError(f"penalties and positive base_weights must be of shape {risks.shape}")
    delta = loss_range * (1 if sensitivity == "tight" else 2) / n_samples
    return Categorical(np.log(base) - epsilon / (2 * delta) * (risks + extra))


class ExponentialERM:
    """The law of private penalised ERM on a domain: density proportional to exp(-epsilon F / (2 Delta)).

    **Privacy.** epsilon-DP under replace-one for a draw from this law; the number of records is public.
    **Source.** WLF16-alg-1; WLF16-rem-infinite-domain for what is refused.

    Parameters
    ----------
    sensitivity : {"tight", "WLF16"}
        Which Delta, see :meth:`~privml.learners.penalised_erm.PenalisedRisk.sensitivity`.

    Examples
    --------
    >>> from privml.learners.penalised_erm import LogisticLoss
    >>> risk = PenalisedRisk([[1.0]] * 10, [1.0] * 10, LogisticLoss(), Finite([[-1.0], [1.0]]))
    >>> ExponentialERM(risk, 0.4).finite_law().pmf().round(4).tolist()
    [0.1192, 0.8808]
    """

    def __init__(self, risk: PenalisedRisk, epsilon: float, *, sensitivity: str = "tight") -> None:
        check.instance(PenalisedRisk, risk=risk)
        check.positive(epsilon=epsilon)
        self.risk, self.epsilon = risk, float(epsilon)
        self.scale = epsilon / (2 * risk.sensitivity(sensitivity) * risk.n_samples)
        if not isfinite(risk.domain.log_volume) and risk.penalty == 0:
            reason = "on an unbounded domain without a penalty its integral is infinite"
            raise ValueError(f"the density is improper: {reason}; bound the domain or take penalty > 0")

    @property
    def domain(self) -> Domain:
        """Where hypotheses lie."""
        return self.risk.domain

    @property
    def log_concave(self) -> bool:
        """Whether the density is log-concave, by the convexity of the loss and of the domain."""
        return self.risk.loss.convex and self.domain.convex

    @property
    def guarantee(self) -> Guarantee:
        """What one draw from exactly this law guarantees."""
        return Guarantee(self.epsilon)

    @property
    def bounded_range(self) -> BoundedRangeGuarantee:
        """What one draw guarantees for composition: privacy losses within epsilon of each other."""
        return BoundedRangeGuarantee(self.epsilon)

    def log_density(self, H: ArrayLike) -> NDArray[np.float64]:
        """Logarithm of the density up to a constant, at points of the domain."""
        return -self.scale * self.risk.n_samples * self.risk.value(H)

    def finite_law(self) -> Categorical:
        """Exact law on a finite domain, on the indices of its points."""
        check.instance(Finite, domain=self.domain)
        return Categorical(self.log_density(self.domain.H))

    def quadrature(self, nodes: int = 400) -> "QuadratureLaw":
        """The law on a box or ball of one or two dimensions, by quadrature with `nodes` per axis."""
        H, weights = quadrature_nodes(self.domain, nodes)
        return QuadratureLaw(H, np.log(weights), self.log_density(H))


@dataclass(frozen=True, eq=False)
class QuadratureLaw:
    """A law on a small body, held by its log-density at the nodes of a quadrature rule.

    Parameters
    ----------
    H : ndarray of shape (n_nodes, dimension)
        The nodes.
    log_weights : ndarray of shape (n_nodes,)
        Logarithms of the weights of the rule.
    log_unnormalised : ndarray of shape (n_nodes,)
        Logarithm of the density up to a constant.

    Examples
    --------
    >>> H, weights = quadrature_nodes(Ball(1, 2.0), 50)
    >>> law = QuadratureLaw(H, np.log(weights), np.zeros(50))
    >>> round(law.log_normaliser - float(np.log(4.0)), 9), round(law.expectation(H[:, 0] ** 2), 9)
    (0.0, 1.333333333)
    """

    H: NDArray[np.float64]
    log_weights: NDArray[np.float64]
    log_unnormalised: NDArray[np.float64]

    @cached_property
    def log_normaliser(self) -> float:
        """Logarithm of the integral of the unnormalised density."""
        terms = self.log_weights + self.log_unnormalised
        return float(np.logaddexp.reduce(terms))

    @property
    def logpdf(self) -> NDArray[np.float64]:
        """Log-density at the nodes."""
        return self.log_unnormalised - self.log_normaliser

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """Mass that the rule gives to each node."""
        return np.exp(self.logpdf + self.log_weights)

    def expectation(self, values: ArrayLike) -> float:
        """Expectation of a function given by its values at the nodes."""
        return float(self.probabilities @ check.numbers(values=values))

    def cdf(self, direction: ArrayLike, at: ArrayLike) -> NDArray[np.float64]:
        """Distribution function of <h, direction>; exact up to the mass of the nodes around `at`.

        The nodes of one angle of a disc project close together, so take several hundred for a narrow law.
        """
        projected = (self.H @ np.asarray(direction, dtype=float)).round(12)
        places, group = np.unique(projected, return_inverse=True)
        mass = np.bincount(group, weights=self.probabilities)
        middle = np.cumsum(mass) - 0.5 * mass
        return np.interp(np.asarray(at, dtype=float), places, middle, left=0.0, right=1.0)


def quadrature_nodes(domain: Domain, nodes: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Gauss-Legendre nodes and weights on a box or ball of dimension one or two.

    **Source.** None; a rule that is exact for polynomials of degree ``2 nodes - 1`` along a segment.

    Parameters
    ----------
    nodes : int
        Number of nodes per axis.

    Examples
    --------
    >>> H, weights = quadrature_nodes(Ball(2), 20)
    >>> round(float(weights.sum() / np.pi), 12)
    1.0
    """
    check.positive_integer(nodes=nodes)
    if nodes > LARGEST_RULE:
        raise ValueError(f"nodes must be at most {LARGEST_RULE}, got {nodes!r}")
    check.instance(Domain, domain=domain)
    if domain.dimension > 2 or not isinstance(domain, (Box, Ball)):
        raise ValueError(f"quadrature needs a box or a ball of dimension 1 or 2, got {domain!r}")
    x, w = np.polynomial.legendre.leggauss(nodes)
    if isinstance(domain, Ball) and domain.dimension == 2:
        r, angle = domain.radius * (1 + x) / 2, 2 * pi * np.arange(2 * nodes) / (2 * nodes)
        H = r[:, None, None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
        weights = np.repeat(w * domain.radius / 2 * r * pi / nodes, 2 * nodes)
        return H.reshape(-1, 2), weights
    ends = [(-domain.radius, domain.radius)] if isinstance(domain, Ball) else None
    ends = ends or list(zip(domain.lower, domain.upper, strict=True))
    axes = [(a + b) / 2 + (b - a) / 2 * x for a, b in ends]
    scale = np.prod([(b - a) / 2 for a, b in ends])
    H = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(ends))
    weights = scale * (w if len(ends) == 1 else np.outer(w, w).ravel())
    return H, weights


def log_truncated_normaliser(epsilon_q: float, radius: float, dimension: int = 1) -> float:
    """Logarithm of the integral of ``exp(epsilon_q)``, a constant score, over the box [-radius, radius]^d.

    **Returns.** ``epsilon_q + d ln(2 radius)``: it grows without bound, so there is no limit law on the whole
    space.
    **Source.** WLF16-rem-infinite-domain, its example of a constant score.

    Parameters
    ----------
    epsilon_q : float
        The constant exponent.

    Examples
    --------
    >>> log_truncated_normaliser(0.0, 50.0) == log(100.0)
    True
    """
    check.finite(epsilon_q=epsilon_q)
    check.positive(radius=radius)
    check.positive_integer(dimension=dimension)
    return epsilon_q + dimension * log(2 * radius)
