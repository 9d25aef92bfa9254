r"""The exponential mechanism for penalised risks: its law on finite sets and by quadrature, and exact draws.

.. math:: p_Z(h) \propto \exp\Big(-\frac{\varepsilon}{2\Delta} F_Z(h)\Big)

with respect to the base measure of the domain.  On the whole space only losses that are not convex, as
:class:`~privml.learners.penalised_erm.RampLoss`, have a finite sensitivity.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from math import exp, inf, isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.distributions import Categorical
from privml.guarantee import BoundedRangeGuarantee, Guarantee
from privml.learners.penalised_erm.domains import Body, Domain, Finite
from privml.learners.penalised_erm.risks import (
    SENSITIVITIES,
    PenalisedRisk,
    ScoreLoss,
    SquaredLoss,
)

LARGEST_EXPONENT = 700.0  # beyond it ``exp(epsilon)`` is no float
TRIES = 100  # batches of a draw by rejection before it gives up
RIDGE_BATCH = 1000  # proposals at a time
LEAST_PENALTY = 1e-9  # of what losses bend and pull: below it matrices may be singular


def penalised_distribution(
    empirical_risks: ArrayLike,
    n_samples: int,
    epsilon: float,
    *,
    penalties: ArrayLike | None = None,
    loss_range: float = 1.0,
    sensitivity: str = "tight",
) -> Categorical:
    """Exact law of the learner on finitely many hypotheses, from their empirical risks.

    Parameters
    ----------
    empirical_risks : array_like
        Mean loss of each hypothesis on the data, of shape (n_hypotheses,).
    n_samples : int
        Number of records, a positive integer.
    epsilon : float
        Privacy parameter in nats, positive.
    penalties : array_like, optional
        What a regulariser adds to each, not made from the data; None is nothing.
    loss_range : float
        Length of the interval of the losses, positive.
    sensitivity : str
        Here "tight", ``loss_range / n``, or "WLF16", ``2 loss_range / n`` for losses in [0, loss_range].

    Raises
    ------
    ValueError
        If `penalties` have another shape.

    Notes
    -----
    *Privacy.* The output is epsilon-differentially private under replace-one; epsilon/2 with "WLF16".

    References
    ----------
    WLF16-alg-1 on a finite class.

    Examples
    --------
    >>> penalised_distribution([0.0, 0.5], 4, 1.0).pmf().round(4).tolist()
    [0.7311, 0.2689]
    """
    risks = check.finite_vector(empirical_risks=empirical_risks)
    check.positive_integer(n_samples=n_samples)
    check.positive(epsilon=epsilon, loss_range=loss_range)
    check.one_of(SENSITIVITIES, sensitivity=sensitivity)
    extra = (
        np.zeros_like(risks)
        if penalties is None
        else check.finite_vector(penalties=penalties)
    )
    if extra.shape != risks.shape:
        raise ValueError(
            f"penalties must be of shape {risks.shape}, but got shape {extra.shape}."
        )
    delta = loss_range * (1 if sensitivity == "tight" else 2) / n_samples
    return Categorical(-epsilon / (2 * delta) * (risks + extra))


def least_penalty(loss: ScoreLoss, radius: float) -> float:
    """Least factor of the penalty with which a law is drawn from, whatever the records are.

    Relative to how the losses of worst records bend, or, over the radius, pull.  A number of the loss and the
    radius only, so that no record decides whether a matrix can be inverted.

    Examples
    --------
    >>> from privml.learners.penalised_erm import LogisticLoss
    >>> least_penalty(LogisticLoss(), 4.0)
    2.5e-10
    """
    bent = min(loss.smoothness, loss.jump)  # kinks are smoothed to a width of 1
    return LEAST_PENALTY * max(bent, loss.lipschitz(radius) / radius)


class ExponentialERM:
    """The law of private penalised ERM on a domain: density proportional to exp(-epsilon F / (2 Delta)).

    Parameters
    ----------
    risk : PenalisedRisk
        The penalised risk F.
    epsilon : float
        Privacy parameter in nats, positive.
    sensitivity : str
        Here one of "tight" and "WLF16", as of :meth:`PenalisedRisk.sensitivity`.

    Raises
    ------
    ValueError
        If the loss is unbounded on the domain, or an unbounded domain has no penalty.

    Notes
    -----
    *Privacy.* The output is epsilon-differentially private under replace-one for a draw from this law; the number of records is public.

    References
    ----------
    WLF16-alg-1; WLF16-rem-infinite-domain for what is refused.

    Examples
    --------
    >>> from privml.learners.penalised_erm import LogisticLoss
    >>> risk = PenalisedRisk([[1.0]] * 10, [1.0] * 10, LogisticLoss(), Finite([[-1.0], [1.0]]))
    >>> ExponentialERM(risk, 0.4).finite_distribution().pmf().round(4).tolist()
    [0.1192, 0.8808]
    """

    def __init__(
        self, risk: PenalisedRisk, epsilon: float, *, sensitivity: str = "tight"
    ) -> None:
        check.instance(PenalisedRisk, risk=risk)
        check.positive(epsilon=epsilon)
        self.risk, self.epsilon = risk, float(epsilon)
        self.scale = epsilon / (2 * risk.sensitivity(sensitivity) * risk.n_samples)
        if not isfinite(risk.domain.radius) and risk.penalty == 0:
            raise ValueError(
                "risk must have a penalty or a bounded domain, since otherwise the integral of the density is "
                f"infinite, but got penalty {risk.penalty!r} on {type(risk.domain).__name__}."
            )

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
        """Logarithm of the density up to a constant, at rows of `H`, points of the domain."""
        return -self.scale * self.risk.n_samples * self.risk.value(H)

    def finite_distribution(self) -> Categorical:
        """Exact law on a finite domain, on the indices of its points."""
        return Categorical(
            self.log_density(check.instance(Finite, domain=self.domain).H)
        )

    def quadrature(self, nodes: int = 400) -> "QuadratureDistribution":
        """The law on a box or ball of one or two dimensions, by quadrature with `nodes` per axis."""
        H, weights = check.instance(Body, domain=self.domain).nodes(nodes)
        return QuadratureDistribution(H, np.log(weights), self.log_density(H))


def refuse_flat(distribution: ExponentialERM) -> None:
    """Refuse a penalty that is too small for draws, by public numbers."""
    least, penalty = (
        least_penalty(distribution.risk.loss, distribution.domain.radius),
        distribution.risk.penalty,
    )
    if not penalty >= least:
        raise ValueError(
            f"penalty must be at least {least:.3g}, since a smaller one may leave matrices singular for some "
            f"records, but got {penalty!r}."
        )


@dataclass(frozen=True, eq=False)
class QuadratureDistribution:
    """A law on a small body, by a quadrature rule.

    Parameters
    ----------
    H : ndarray
        Nodes of a rule, of shape (n_nodes, dimension).
    log_weights, log_unnormalised : ndarray
        Log-weights of the rule, of shape (n_nodes,), and log-density up to a constant.

    Examples
    --------
    >>> from privml.learners.penalised_erm import Ball
    >>> H, weights = Ball(1, 2.0).nodes(50)
    >>> law = QuadratureDistribution(H, np.log(weights), np.zeros(50))
    >>> round(abs(law.log_normaliser - float(np.log(4.0))), 9), float(law.cdf([1.0], 1.0).round(3))
    (0.0, 0.75)
    """

    H: NDArray[np.float64]
    log_weights: NDArray[np.float64]
    log_unnormalised: NDArray[np.float64]

    @cached_property
    def log_normaliser(self) -> float:
        """Logarithm of the integral of the unnormalised density."""
        return float(np.logaddexp.reduce(self.log_weights + self.log_unnormalised))

    @property
    def logpdf(self) -> NDArray[np.float64]:
        """Log-density at the nodes."""
        return self.log_unnormalised - self.log_normaliser

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """Mass that the rule gives to each node."""
        return np.exp(self.logpdf + self.log_weights)

    def cdf(self, direction: ArrayLike, at: ArrayLike) -> NDArray[np.float64]:
        """Distribution function of <h, direction>; exact up to the mass of the nodes around `at`."""
        projected = (self.H @ check.finite_vector(direction=direction)).round(12)
        places, group = np.unique(projected, return_inverse=True)
        mass = np.bincount(group, weights=self.probabilities)
        middle = np.cumsum(mass) - 0.5 * mass
        return np.asarray(
            np.interp(check.finite_answer(at=at), places, middle, left=0.0, right=1.0)
        )


def ridge_draw(
    distribution: ExponentialERM, *, rng: np.random.Generator | int | None = None
) -> NDArray[np.float64] | None:
    """Exact draw for the squared loss: a Gaussian, drawn again until it falls into the domain.

    Parameters
    ----------
    distribution : ExponentialERM
        With the squared loss, on a ball or box.
    rng : int or Generator, optional
        Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.

    Returns
    -------
    ndarray or None
        Of shape (dimension,), or None if no one of 100,000 fell into the domain.

    Notes
    -----
    *Privacy.* The guarantee is that of the law; only the number of tries, at most 100,000, depends on the data otherwise,
    and so does the time.

    References
    ----------
    WLF16-alg-1 without a chain.

    Examples
    --------
    >>> from privml.learners.penalised_erm import Ball, PenalisedRisk, SquaredLoss
    >>> risk = PenalisedRisk([[1.0]] * 1000, [0.5] * 1000, SquaredLoss(), Ball(1))
    >>> bool(abs(ridge_draw(ExponentialERM(risk, 1.0), rng=0)[0] - 0.5) < 0.3)
    True
    """
    check.instance(ExponentialERM, distribution=distribution)
    check.instance(SquaredLoss, loss=distribution.risk.loss)
    domain = check.instance(Body, domain=distribution.domain)
    rng, risk, d = (
        np.random.default_rng(rng),
        distribution.risk,
        distribution.domain.dimension,
    )
    precision = distribution.scale * (
        risk.X.T @ (2 * risk.X) + risk.n_samples * risk.penalty * np.eye(d)
    )
    values = np.linalg.eigvalsh(precision)
    if not values.min() > 1e-12 * max(values.max(), 1.0):
        return None
    mean = np.linalg.solve(precision, 2 * distribution.scale * risk.X.T @ risk.y)
    root = np.linalg.inv(
        np.linalg.cholesky(precision)
    )  # unique, where eigenvectors have arbitrary signs
    for _ in range(TRIES):
        H = mean + rng.normal(size=(RIDGE_BATCH, d)) @ root
        inside = np.flatnonzero(domain.contains(H))
        if inside.size:
            return H[inside[0]]
    return None


def early_stopping_guarantee(guarantee: Guarantee, total_variation: float) -> Guarantee:
    """Guarantee of a sampler whose law is within a total-variation distance eta of a private law.

    Nothing better holds in general, and eta is rarely known: diagnostics measure symptoms.

    Parameters
    ----------
    guarantee : Guarantee
        Of the exact law.
    total_variation : float
        Distance eta from the exact law, in [0, 1].

    Returns
    -------
    Guarantee
        The same epsilon, and ``delta + (1 + e^epsilon) eta``, at most 1.

    References
    ----------
    WLF16-prop-26, as corrected: the source's "arbitrarily close in total variation" is not pure.

    Examples
    --------
    >>> early_stopping_guarantee(Guarantee(1.0), 1e-6).delta
    3.718281828459045e-06
    """
    check.instance(Guarantee, guarantee=guarantee)
    check.unit_interval(total_variation=total_variation)
    growth = exp(guarantee.epsilon) if guarantee.epsilon < LARGEST_EXPONENT else inf
    added = (1 + growth) * total_variation if total_variation else 0.0
    return replace(guarantee, delta=min(1.0, guarantee.delta + added))


check.wrap_module(__name__)
