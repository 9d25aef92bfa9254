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
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.learners.perturbation.base import PerturbedClassifier, Release, minimiser
from privml.learners.perturbation.losses import CutLogisticLoss
from privml.learners.perturbation.noise import RadialLaplace
from privml.learners.perturbation.tilt import tilt_budget, tilt_mean_square, tilted_gaussian_mu


def objective_strength(
    n_samples: int, dimension: int, epsilon: float, delta: float = 0.0, *, norm: float, slope: float = 0.5
) -> float:
    r"""Strength of the penalty for which the proved excess risk is least, up to the share of the determinant.

    With V the mean square of the tilt the excess risk over weights of length R is at most
    :math:`\Lambda R^2 / 2 + V / (2 n^2 \Lambda)`.

    Returns
    -------
    float
        :math:`\sqrt{V} / (n R)`; if V were the tilt's at this strength, the bound were R^2 times it.

    Notes
    -----
    **Source.** Ours, after Chaudhuri, Monteleoni and Sarwate (2011), Theorem 18.

    Examples
    --------
    >>> round(objective_strength(400, 30, 1.0, norm=10.0), 6)
    0.007624
    """
    check.positive_integer(n_samples=n_samples)
    check.positive(norm=norm)
    return sqrt(tilt_mean_square(dimension, epsilon, delta, slope=slope)) / (n_samples * norm)


class ObjectivePerturbation(PerturbedClassifier):
    """Private linear classifier: the minimiser of a randomly tilted penalised risk.

    Parameters
    ----------
    delta : float, default 0.0
        0 takes a radial Laplace tilt; in (0, 1), a Gaussian one.

    Notes
    -----
    **Privacy.** Replace-one (epsilon, delta)-DP; the number of records is public.  Idealised: it is
    that of the exact minimiser and of real numbers.
    **Records are clipped**: rows longer than 1 are scaled down to length 1, NaN counts as 0.  So centre and
    scale by public numbers beforehand, see :func:`~privml.learners.perturbation.centred_rows`.
    **Source.** Chaudhuri, Monteleoni and Sarwate (2011), Algorithm 2, with half its share for the
    determinant; Kifer, Smith and Thakurta (2012) for the Gaussian tilt, with an exact integral for their
    tail bound.

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
