r"""Objective perturbation: tilt the penalised risk by a random linear term, then minimise it.

.. math:: \hat w = \arg\min_w \Big\{ \sum_i \ell(\langle w, a_i \rangle) + \frac{\kappa}{2} |w|^2
          + \langle b, w \rangle \Big\}, \qquad \kappa = n \Lambda .

The tilt b and the weights determine each other, so the density of the weights is that of
:math:`b = \sum_i -\ell'(\langle w, a_i \rangle) a_i - \kappa w` times the Jacobian determinant of this map.
A replaced record changes b by at most 2 L, and the determinant by at most a factor :math:`1 + c / \kappa`,
with c the smoothness of the loss.  Of epsilon, :math:`\ln(1 + c / \kappa)` goes to the determinant, the rest
to b.
"""

from collections.abc import Sequence
from math import expm1, log, log1p, pi, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml._search import last_crossing
from privml.learners.perturbation.base import PerturbedClassifier, Release, minimiser
from privml.learners.perturbation.losses import CutLogisticLoss
from privml.learners.perturbation.noise import RadialLaplace

ROUNDING = 1e-12
LARGEST_SHARE = 600.0  # of epsilon for the determinant, in nats, so that its exponential is finite


class TiltBudget(NamedTuple):
    """What is left of epsilon for the tilt, and the total strength kappa, raised where it had to be."""

    epsilon: float
    total: float


def tilt_budget(epsilon: float, total: float, smoothness: float = 0.25) -> TiltBudget:
    r"""Split epsilon between the determinant and the tilt.

    **Returns.** TiltBudget: ``epsilon - ln(1 + c / total)``; where that is less than half of epsilon, `total`
    is raised so that it is half.
    **Source.** Chaudhuri, Monteleoni and Sarwate (2011), Algorithm 2, which spends twice as much, from a
    bound for matrices of rank two; see the chapter for the proof of this one.

    Parameters
    ----------
    total : float
        Total strength kappa = n Lambda of the penalty, non-negative.
    smoothness : float, default 1/4
        Largest second derivative c of the loss.

    Examples
    --------
    >>> budget = tilt_budget(1.0, 2.0)
    >>> round(budget.epsilon, 4), budget.total
    (0.8822, 2.0)
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

    **Source.** Redberg, Koskela and Wang (2023) for one added or removed record, whose change lies on a
    line; in place of the tail bound of Kifer, Smith and Thakurta (2012), Theorem 2.

    >>> round(1 / tilted_gaussian_mu(1.0, 1e-5), 4)
    4.2514
    """
    check.positive(epsilon=epsilon)
    check.probability_open(delta=delta)
    root = sqrt(-2 * log(delta))
    lower = 2 * epsilon / (root + sqrt(root * root + 2 * epsilon)) * (1 - 1e-9)
    return last_crossing(lambda mu: _log_delta(epsilon, mu) - log(delta) + ROUNDING, lower=lower)


def tilt_mean_square(dimension: int, epsilon: float, delta: float = 0.0, *, slope: float = 0.5) -> float:
    """Mean squared length of the tilt.

    **Source.** Chaudhuri, Monteleoni and Sarwate (2011), Algorithm 2, for delta = 0.

    Parameters
    ----------
    epsilon, delta : float
        What is left for the tilt; with delta = 0 radial Laplace, else Gaussian.

    Examples
    --------
    >>> tilt_mean_square(30, 1.0), round(tilt_mean_square(30, 1.0, 1e-5), 1)
    (930.0, 542.2)
    """
    check.positive_integer(dimension=dimension)
    check.positive(epsilon=epsilon)
    check.probability_half_open(delta=delta)
    change = 2 * CutLogisticLoss(slope).slope
    if delta == 0:
        return RadialLaplace(dimension, change / epsilon).mean_square
    scale = change / tilted_gaussian_mu(epsilon, delta)
    check.finite(mean_square=dimension * scale * scale)
    return dimension * scale * scale


def objective_strength(
    n_samples: int, dimension: int, epsilon: float, delta: float = 0.0, *, norm: float, slope: float = 0.5
) -> float:
    r"""Strength of the penalty for which the proved excess risk is least, up to the share of the determinant.

    With V the mean square of the tilt the excess risk over weights of length R is at most
    :math:`\Lambda R^2 / 2 + V / (2 n^2 \Lambda)`.

    **Returns.** :math:`\sqrt{V} / (n R)`; if V were the tilt's at this strength, the bound were R^2 times it.
    **Source.** Ours, after Chaudhuri, Monteleoni and Sarwate (2011), Theorem 18.

    >>> round(objective_strength(400, 30, 1.0, norm=10.0), 6)
    0.007624
    """
    check.positive_integer(n_samples=n_samples)
    check.positive(norm=norm)
    return sqrt(tilt_mean_square(dimension, epsilon, delta, slope=slope)) / (n_samples * norm)


class ObjectivePerturbation(PerturbedClassifier):
    """Private linear classifier: the minimiser of a randomly tilted penalised risk.

    **Privacy.** Replace-one (epsilon, delta)-DP; the number of records is public.  Idealised: it is
    that of the exact minimiser and of real numbers.
    **Records are clipped**: rows longer than 1 are scaled down to length 1, NaN counts as 0.  So centre and
    scale by public numbers beforehand, see :func:`~privml.learners.perturbation.centred_rows`.
    **Source.** Chaudhuri, Monteleoni and Sarwate (2011), Algorithm 2, with half its share for the
    determinant; Kifer, Smith and Thakurta (2012) for the Gaussian tilt, with an exact integral for their
    tail bound.

    Parameters
    ----------
    delta : float, default 0.0
        0 takes a radial Laplace tilt; in (0, 1), a Gaussian one.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-0.5, 0.5, size=(2000, 2))
    >>> learner = ObjectivePerturbation(2.0).fit(X, X[:, 0] > X[:, 1], rng=0)
    >>> print(learner.privacy_, bool(learner.score(X, X[:, 0] > X[:, 1]) > 0.9))
    2-differential privacy (replace-one) True
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        delta: float = 0.0,
        *,
        norm: float = 10.0,
        strength: float | None = None,
        slope: float = 0.5,
        fit_intercept: bool = False,
        classes: Sequence | None = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.norm = norm
        self.strength = strength
        self.slope = slope
        self.fit_intercept = fit_intercept
        self.classes = classes

    def _release(self, rows: NDArray, rng: np.random.Generator) -> Release:
        (n, d), loss = rows.shape, CutLogisticLoss(self.slope)
        strength = self.strength
        if strength is None:
            strength = objective_strength(n, d, self.epsilon, self.delta, norm=self.norm, slope=self.slope)
        check.positive(strength=strength)
        budget = tilt_budget(self.epsilon, n * strength, loss.smoothness)
        if self.delta == 0:
            tilt = RadialLaplace(d, 2 * loss.slope / budget.epsilon).rvs(rng=rng)
        else:
            tilt = rng.standard_normal(d) * (2 * loss.slope / tilted_gaussian_mu(budget.epsilon, self.delta))
        return Release(minimiser(rows, loss, budget.total, tilt), float(budget.total / n))
