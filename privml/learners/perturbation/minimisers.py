r"""Perturbed minimisers of a penalised risk: noise on the minimiser, or a random tilt before minimising.

*Output perturbation* releases :math:`\arg\min_w \{ \hat R(w) + \frac{\Lambda}{2} |w|^2 \} + b`.  The private
mean is its limit: as :math:`\Lambda \to \infty` the minimiser, times :math:`\Lambda / L`, tends to
:math:`\frac1n \sum_i a_i` (for L up to 1/2).  *Objective perturbation* tilts the risk by a random term:

.. math:: \hat w = \arg\min_w \Big\{ \sum_i \ell(\langle w, a_i \rangle) + \frac{\kappa}{2} |w|^2
          + \langle b, w \rangle \Big\}, \qquad \kappa = n \Lambda .

The density of the weights is that of :math:`b = \sum_i -\ell'(\langle w, a_i \rangle) a_i - \kappa w` times a
determinant.  A replaced record changes b by at most 2 L, and the determinant by at most a factor
:math:`1 + c / \kappa`, with c the smoothness of the loss: that much of epsilon goes to it, the rest to b.

**What a search leaves.**  The minimisers above are found up to a gradient of length g, in floating point, so
up to a distance of :math:`g / \kappa`, with g far below L and public
(:func:`~privml.learners.perturbation.base.gradient_left`).  Output perturbation adds :math:`2 g / \kappa` to
its sensitivity.  Given the exact minimiser, the tilt and with it the error is a function of the records:
objective perturbation adds noise for :math:`2 g / \kappa` to the weights, at a share of
:math:`2 \sqrt{g / L}` of epsilon and delta, usually some hundred-thousandths.  The sum is basic composition.
"""

from abc import abstractmethod
from dataclasses import KW_ONLY, dataclass
from math import expm1, inf, log, log1p, pi, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import privml.learners.perturbation.base as base
from privml import _check as check
from privml._search import last_crossing
from privml.learners.perturbation.base import (
    CutLogisticLoss,
    PerturbedClassifier,
    vector_noise,
)

LOG_DELTA_ROUNDING = 1e-12  # of the bound on ln delta, generously
LARGEST_SHARE = (
    600.0  # of epsilon for the determinant, in nats, so that its exponential is finite
)


class TiltBudget(NamedTuple):
    """What is left of epsilon for the tilt, and the total strength kappa, raised where it had to be."""

    epsilon: float
    total: float


def tilt_budget(epsilon: float, total: float, smoothness: float = 0.25) -> TiltBudget:
    r"""Split epsilon between the determinant and the tilt.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    total : float
        Total strength kappa of the penalty, non-negative.
    smoothness : float
        Largest second derivative c of the loss, positive.

    Returns
    -------
    TiltBudget
        ``epsilon - ln(1 + c / total)``, and `total`, raised where that is below half of epsilon.

    References
    ----------
    Chaudhuri, Monteleoni and Sarwate (2011), Algorithm 2, which spends twice as much.

    Examples
    --------
    >>> tilt_budget(1.0, 2.0)
    TiltBudget(epsilon=0.88221..., total=2.0)
    """
    check.positive(epsilon=epsilon, smoothness=smoothness)
    check.non_negative(total=total)
    total = max(total, smoothness / expm1(min(epsilon / 2, LARGEST_SHARE)))
    return TiltBudget(max(epsilon - log1p(smoothness / total), epsilon / 2), total)


def _log_delta(epsilon: float, mu: float) -> float:
    r"""Logarithm of a bound on delta for a Gaussian tilt, at the epsilon that is left for it.

    .. math:: \delta \le \mathbb E \big( 1 - e^{\varepsilon - \mu \chi - \mu^2 / 2} \big)_+
              = \sqrt{2 \pi} \, \mu \, e^{\varepsilon} \, \Phi(-\varepsilon / \mu - \mu / 2)

    with :math:`\chi` of the Rayleigh law; the equality for :math:`\varepsilon \ge \mu^2 / 2`.
    """
    from scipy.special import log_ndtr

    tail = log(2 * pi) / 2 + log(mu) + epsilon
    if epsilon >= mu * mu / 2:
        return float(tail + log_ndtr(-epsilon / mu - mu / 2))
    return float(np.log(-expm1(epsilon - mu * mu / 2) + np.exp(tail + log_ndtr(-mu))))


def tilted_gaussian_mu(epsilon: float, delta: float) -> float:
    """Largest mu for which the bound on delta is kept; the noise of the tilt is ``2 L / mu``.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).

    References
    ----------
    Redberg, Koskela and Wang (2023) for one added or removed record, whose change lies on a line; in place
    of the tail bound of Kifer, Smith and Thakurta (2012), Theorem 2.

    Examples
    --------
    >>> round(1 / tilted_gaussian_mu(1.0, 1e-5), 5)
    4.25144
    """
    check.standard_ranges(epsilon=epsilon, delta=delta)
    root = sqrt(-2 * log(delta))
    lower = 2 * epsilon / (root + sqrt(root * root + 2 * epsilon)) * (1 - 1e-9)
    return last_crossing(
        lambda mu: _log_delta(epsilon, mu) - log(delta) + LOG_DELTA_ROUNDING,
        lower=lower,
    )


def tilt_noise(
    dimension: int, epsilon: float, delta: float = 0.0, *, slope: float = 0.5
) -> base.RadialLaplace | base.IsotropicGaussian:
    """Law of the tilt, at the epsilon that is left for it: radial Laplace if delta is 0, else Gaussian.

    Parameters
    ----------
    dimension : int
        Dimension, a positive integer.
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in [0, 1).
    slope : float
        Steepest slope of the loss L, positive, at most 1.

    Returns
    -------
    base.RadialLaplace or base.IsotropicGaussian
        A law with `mean_square` and `rvs`.

    References
    ----------
    Chaudhuri, Monteleoni and Sarwate (2011), Algorithm 2, for delta = 0.

    Examples
    --------
    >>> tilt_noise(30, 1.0).mean_square, round(tilt_noise(30, 1.0, 1e-5).mean_square, 3)
    (930.0, 542.242)
    """
    return vector_noise(
        dimension,
        2 * CutLogisticLoss(slope).slope,
        epsilon,
        delta,
        shift=tilted_gaussian_mu,
    )


class MeanClassifier(PerturbedClassifier):
    """Private linear classifier: the mean of label times record, plus noise.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in [0, 1).
    fit_intercept : bool
        Whether to append a constant feature, and divide it and the record by the root of 2.
    bounds : tuple or str, optional
        Declared ranges (lower, upper), or "unit" for rows in the unit ball; None cuts and warns.
    classes : sequence, optional
        Public labels, the negative one first; None reads them from `y`, so that their set is public.

    Attributes
    ----------
    coef_ : ndarray
        Weights of shape (1, n_features).
    intercept_ : ndarray
        Intercept of shape (1,): the private output.
    strength_ : float
        Infinite: the mean is the limit of a strong penalty.
    classes_ : ndarray
        The two labels.
    privacy_ : Guarantee
        Promise of one fit.

    Notes
    -----
    *Privacy.* The guarantee is that of :class:`OutputPerturbation`, with its noise and clipping.

    References
    ----------
    The mean with the noise of Chaudhuri, Monteleoni and Sarwate (2011), Algorithm 1.

    Examples
    --------
    >>> X = np.random.default_rng(0).uniform(-0.5, 0.5, size=(2000, 2))
    >>> learner = MeanClassifier(2.0, bounds="unit").fit(X, X[:, 0] > X[:, 1], rng=0)
    >>> print(learner.privacy_, bool(learner.score(X, X[:, 0] > X[:, 1]) > 0.9))
    2-differential privacy (replace-one) True
    """

    def _release(
        self, rows: NDArray, rng: np.random.Generator
    ) -> tuple[NDArray, float]:
        n, d = rows.shape
        noise = vector_noise(d, 2 / n, self.epsilon, self.delta).rvs(rng=rng)
        return base.row_sum(np.ones(n), rows) / n + noise, inf


@dataclass(eq=False, repr=False)
class _PenalisedMinimiser(PerturbedClassifier):
    """Base of the two that minimise; `strength` None takes their rule, the least proved excess risk."""

    _: KW_ONLY
    norm: float = 10.0
    strength: float | None = None
    slope: float = 0.5

    @abstractmethod
    def _rule(self, n: int, d: int) -> float:
        """Strength of the penalty from public numbers."""

    def _check(self) -> None:
        super()._check()
        check.positive(norm=self.norm)
        check.carried(norm=self.norm, slope=CutLogisticLoss(self.slope).slope)
        if self.strength is not None:
            check.positive(strength=self.strength)
            check.carried(strength=self.strength)

    def _strength(self, n: int, d: int) -> float:
        """The strength that was given, or by the rule, and then no less than floats can carry."""
        loss = CutLogisticLoss(self.slope)
        if base.gradient_left(n, d, loss, inf) > base.MOST_LEFT / 2 * loss.slope:
            raise ValueError(
                f"slope must be larger for {n} records, since the rounding of their gradients would count more than "
                f"one of them, but got {self.slope!r}."
            )
        least = base.least_total(n, d, loss, self._reach(d)) / n
        if self.strength is None:
            return float(max(self._rule(n, d), least))
        return self._carried_strength(float(self.strength), least)

    def _reach(self, d: int) -> float:
        """Length that a tilt does not exceed, from public numbers."""
        return 0.0

    @abstractmethod
    def _carried_strength(self, strength: float, least: float) -> float:
        """The strength, or what is done about one below the least that floats can carry."""


class OutputPerturbation(_PenalisedMinimiser):
    """Private linear classifier: the minimiser of the penalised risk plus noise.

    Logistic regression, whose loss goes on as a line where it is steeper than `slope`; at 1 it never does.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in [0, 1).
    fit_intercept : bool
        Whether to append a constant feature, and divide it and the record by the root of 2.
    bounds : tuple or str, optional
        Declared ranges (lower, upper), or "unit" for rows in the unit ball; None cuts and warns.
    classes : sequence, optional
        Public labels, the negative one first; None reads them from `y`, so that their set is public.
    norm : float
        Length of the weights to compete with, positive.
    strength : float, optional
        Factor of the penalty, positive; None takes the one of least proved excess risk.
    slope : float
        Steepest slope of the loss, positive, at most 1.

    Attributes
    ----------
    coef_ : ndarray
        Weights of shape (1, n_features).
    intercept_ : ndarray
        Intercept of shape (1,): the private output.
    strength_ : float
        Factor of the penalty, from public numbers.
    classes_ : ndarray
        The two labels.
    privacy_ : Guarantee
        Promise of one fit.

    Notes
    -----
    *Privacy.* Each fit is (epsilon, delta)-differentially private under replace-one; the number of records is public. What the search for the
    minimiser leaves is counted in the sensitivity. Idealised: the noise is in real numbers. It is radial
    Laplace if delta is 0, else Gaussian, exactly calibrated. **Records are clipped** to the unit ball, so
    declare `bounds`; NaN counts as 0.

    References
    ----------
    Chaudhuri, Monteleoni and Sarwate (2011), Algorithm 1.

    Examples
    --------
    >>> X = np.random.default_rng(0).uniform(-0.5, 0.5, size=(2000, 2))
    >>> learner = OutputPerturbation(2.0, bounds="unit").fit(X, X[:, 0] > X[:, 1], rng=0)
    >>> print(learner.privacy_, bool(learner.score(X, X[:, 0] > X[:, 1]) > 0.9))
    2-differential privacy (replace-one) True
    """

    def _rule(self, n: int, d: int) -> float:
        r"""Excess risk over weights of length R: at most :math:`\Lambda R^2 / 2 + c V / (2 \Lambda^2)`.

        V is the mean square of the noise at strength 1; with :math:`\Lambda = (2 c V / R^2)^{1/3}` it is
        :math:`\frac34 \Lambda R^2`.
        """
        moved = base.output_sensitivity(n, 1.0, slope=self.slope)
        V = vector_noise(d, moved, self.epsilon, self.delta).mean_square
        return (
            2 * CutLogisticLoss(self.slope).smoothness * V / self.norm / self.norm
        ) ** (1 / 3)

    def _carried_strength(self, strength: float, least: float) -> float:
        if strength < least:
            raise ValueError(
                f"strength must be at least {least:.2g} for so many records and features, since with less of it "
                f"rounding moves the minimiser almost as far as one record may, but got {strength!r}."
            )
        return strength

    def _release(
        self, rows: NDArray, rng: np.random.Generator
    ) -> tuple[NDArray, float]:
        (n, d), loss = rows.shape, CutLogisticLoss(self.slope)
        strength = self._strength(n, d)
        left = base.gradient_left(n, d, loss, n * strength)
        sensitivity = base.output_sensitivity(n, strength, slope=self.slope)
        sensitivity *= 1 + left / loss.slope  # both minimisers are off by left / total
        noise = vector_noise(d, sensitivity, self.epsilon, self.delta).rvs(rng=rng)
        found = base.minimiser(rows, loss, n * strength, left=left)
        return found + noise, strength


class ObjectivePerturbation(_PenalisedMinimiser):
    """Private linear classifier: the minimiser of a randomly tilted penalised risk.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in [0, 1).
    fit_intercept : bool
        Whether to append a constant feature, and divide it and the record by the root of 2.
    bounds : tuple or str, optional
        Declared ranges (lower, upper), or "unit" for rows in the unit ball; None cuts and warns.
    classes : sequence, optional
        Public labels, the negative one first; None reads them from `y`, so that their set is public.
    norm : float
        Length of the weights to compete with, positive.
    strength : float, optional
        Factor of the penalty, positive; None takes the one of least proved excess risk.
    slope : float
        Steepest slope of the loss, positive, at most 1.

    Attributes
    ----------
    coef_ : ndarray
        Weights of shape (1, n_features).
    intercept_ : ndarray
        Intercept of shape (1,): the private output.
    strength_ : float
        Factor of the penalty, from public numbers; raised where epsilon is too small for it.
    classes_ : ndarray
        The two labels.
    privacy_ : Guarantee
        Promise of one fit.

    Notes
    -----
    *Privacy.* The guarantee is that of :class:`OutputPerturbation`, with its loss and clipping; delta = 0 takes a radial Laplace
    tilt, else a Gaussian one. A tiny share of both parameters is spent on noise that hides what the search
    leaves, as in approximate-minima perturbation. It has no ``predict_proba``: scores of noisy weights are
    not calibrated.

    References
    ----------
    Chaudhuri, Monteleoni and Sarwate (2011), Algorithm 2, with half its share for the determinant; Kifer,
    Smith and Thakurta (2012) for the Gaussian tilt, with an exact integral for their tail bound.

    Examples
    --------
    >>> X = np.random.default_rng(0).uniform(-0.5, 0.5, size=(2000, 2))
    >>> learner = ObjectivePerturbation(2.0, bounds="unit").fit(X, X[:, 0] > X[:, 1], rng=0)
    >>> print(learner.privacy_, bool(learner.score(X, X[:, 0] > X[:, 1]) > 0.9))
    2-differential privacy (replace-one) True
    """

    def _rule(self, n: int, d: int) -> float:
        r"""Excess risk over weights of length R: at most :math:`\Lambda R^2 / 2 + V / (2 n^2 \Lambda)`.

        V is the mean square of the tilt, here before the share of the determinant is taken off.
        """
        return sqrt(
            tilt_noise(d, self.epsilon, self.delta, slope=self.slope).mean_square
        ) / (n * self.norm)

    def _carried_strength(self, strength: float, least: float) -> float:
        return max(strength, least)

    def _reach(self, d: int) -> float:
        """The tilt keeps at least 0.48 of epsilon, beside the determinant and the share of the search."""
        return tilt_noise(d, 0.4 * self.epsilon, self.delta, slope=self.slope).reach

    def _release(
        self, rows: NDArray, rng: np.random.Generator
    ) -> tuple[NDArray, float]:
        (n, d), loss = rows.shape, CutLogisticLoss(self.slope)
        budget = tilt_budget(self.epsilon, n * self._strength(n, d), loss.smoothness)
        left = base.gradient_left(n, d, loss, budget.total, self._reach(d))
        if left > base.MOST_LEFT * loss.slope:
            raise ValueError(
                "epsilon must be larger for this learner, since the random term is so long that its rounding would "
                f"hide a record, but got {self.epsilon!r}."
            )
        share = 2 * sqrt(left / loss.slope)  # of epsilon and delta, for what is left
        kept, delta = budget.epsilon - share * self.epsilon, (1 - share) * self.delta
        tilt = tilt_noise(d, kept, delta, slope=self.slope).rvs(rng=rng)
        found = base.minimiser(rows, loss, budget.total, tilt, left=left)
        price = share * self.epsilon, share * self.delta
        rest = vector_noise(d, 2 * left / budget.total, *price).rvs(rng=rng)
        return found + rest, float(budget.total / n)


check.wrap_module(__name__)
