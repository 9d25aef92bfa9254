r"""Output perturbation: minimise the penalised risk, then add noise to the minimiser.

.. math:: \hat w = \arg\min_w \Big\{ \hat R(w) + \frac{\Lambda}{2} |w|^2 \Big\} + b .

Two minimisers on neighbouring data are at most :math:`2 L / (n \Lambda)` apart: the penalised risk is
:math:`\Lambda`-strongly convex, and at the minimiser w' of the one its gradient is that of a difference of
two records, of length at most 2 L / n.

The private mean is its limit: as :math:`\Lambda \to \infty` the minimiser, times :math:`\Lambda / L`, tends
to the mean :math:`\frac1n \sum_i a_i` (for L up to 1/2), of sensitivity 2 / n.
"""

from collections.abc import Sequence
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.divergences import gaussian_mu
from privml.learners.perturbation.base import PerturbedClassifier, Release, minimiser
from privml.learners.perturbation.losses import CutLogisticLoss
from privml.learners.perturbation.noise import RadialLaplace

LARGEST_DRAW = 10**7


def output_sensitivity(n_samples: int, strength: float, *, slope: float = 0.5) -> float:
    r"""How far the minimiser of the penalised risk can move when one record is replaced: 2 L / (n Lambda).

    **Source.** Chaudhuri, Monteleoni and Sarwate (2011), Corollary 8, for L = 1; an upper bound that is
    attained in the limit of many equal records on the straight part of the loss.

    >>> output_sensitivity(1000, 0.01), output_sensitivity(1000, 0.01, slope=1.0)
    (0.1, 0.2)
    """
    check.positive_integer(n_samples=n_samples)
    check.positive(strength=strength)
    return 2 * CutLogisticLoss(slope).slope / (n_samples * strength)


def vector_mean_square(dimension: int, sensitivity: float, epsilon: float, delta: float = 0.0) -> float:
    """Mean squared length of the noise that a vector of given L2 sensitivity needs.

    **Returns.** ``d (d + 1) (s / epsilon)^2`` or ``d (s / mu)^2``.
    **Source.** Chaudhuri, Monteleoni and Sarwate (2011), Algorithm 1; Balle and Wang (2018) for the Gaussian.

    Parameters
    ----------
    epsilon, delta : float
        Privacy parameters; with delta = 0 radial Laplace noise, else Gaussian noise.

    Examples
    --------
    >>> vector_mean_square(30, 1.0, 1.0), round(vector_mean_square(30, 1.0, 1.0, 1e-5), 1)
    (930.0, 417.5)
    """
    check.positive_integer(dimension=dimension)
    check.positive(sensitivity=sensitivity, epsilon=epsilon)
    check.probability_half_open(delta=delta)
    if delta == 0:
        return RadialLaplace(dimension, sensitivity / epsilon).mean_square
    scale = sensitivity / gaussian_mu(epsilon, delta)
    check.finite(mean_square=dimension * scale * scale)
    return dimension * scale * scale


def vector_noise(
    dimension: int,
    sensitivity: float,
    epsilon: float,
    delta: float = 0.0,
    *,
    rng: np.random.Generator | int | None = None,
) -> NDArray[np.float64]:
    """Noise for a vector of given L2 sensitivity: radial Laplace if delta is 0, else Gaussian.

    **Privacy.** Vector plus noise is (epsilon, delta)-DP, under the relation of the sensitivity.
    **Source.** As :func:`vector_mean_square`.

    >>> vector_noise(2, 1.0, 1.0, rng=0).shape
    (2,)
    """
    mean_square = vector_mean_square(dimension, sensitivity, epsilon, delta)
    if dimension > LARGEST_DRAW:
        raise ValueError(f"dimension must be at most {LARGEST_DRAW} for a draw, got {dimension!r}")
    rng = np.random.default_rng(rng)
    if delta == 0:
        return RadialLaplace(dimension, sensitivity / epsilon).rvs(rng=rng)
    return sqrt(mean_square / dimension) * rng.standard_normal(dimension)


def output_strength(
    n_samples: int, dimension: int, epsilon: float, delta: float = 0.0, *, norm: float, slope: float = 0.5
) -> float:
    r"""Strength of the penalty for which the proved excess risk is least.

    With c the smoothness of the loss and V the mean square of the noise at strength 1, the excess risk over
    weights of length R is at most :math:`\Lambda R^2 / 2 + c V / (2 \Lambda^2)`.

    **Returns.** :math:`(2 c V / R^2)^{1/3}`; the bound is then 3/4 of it times R^2.
    **Source.** Ours, after Chaudhuri, Monteleoni and Sarwate (2011), Lemma 17.

    >>> round(output_strength(400, 30, 1.0, norm=10.0), 4)
    0.0307
    """
    check.positive(norm=norm)
    loss = CutLogisticLoss(slope)
    V = vector_mean_square(dimension, output_sensitivity(n_samples, 1.0, slope=slope), epsilon, delta)
    strength = (2 * loss.smoothness * V / norm / norm) ** (1 / 3)
    check.positive(strength=strength)
    return strength


class OutputPerturbation(PerturbedClassifier):
    """Private linear classifier: the minimiser of the penalised risk plus noise.

    **Privacy.** Replace-one (epsilon, delta)-DP; the number of records is public.  Idealised: it is
    that of the exact minimiser and of real numbers.
    **Records are clipped**: rows longer than 1 are scaled down to length 1, NaN counts as 0.  So centre and
    scale by public numbers beforehand, see :func:`~privml.learners.perturbation.centred_rows`.
    **Source.** Chaudhuri, Monteleoni and Sarwate (2011), Algorithm 1.

    Parameters
    ----------
    delta : float, default 0.0
        0 takes radial Laplace noise; in (0, 1), Gaussian noise with the exact calibration.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-0.5, 0.5, size=(2000, 2))
    >>> learner = OutputPerturbation(2.0).fit(X, X[:, 0] > X[:, 1], rng=0)
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
            strength = output_strength(n, d, self.epsilon, self.delta, norm=self.norm, slope=self.slope)
        sensitivity = output_sensitivity(n, strength, slope=self.slope)
        noise = vector_noise(d, sensitivity, self.epsilon, self.delta, rng=rng)
        return Release(minimiser(rows, loss, n * strength) + noise, float(strength))


class MeanClassifier(PerturbedClassifier):
    """Private linear classifier: the mean of label times record, plus noise.

    **Privacy.** Replace-one (epsilon, delta)-DP; the number of records is public.  Idealised.
    **Records are clipped**: rows longer than 1 are scaled down to length 1, NaN counts as 0.
    **Source.** The mean with the noise of Chaudhuri, Monteleoni and Sarwate (2011), Algorithm 1.

    Parameters
    ----------
    delta : float, default 0.0
        0 takes radial Laplace noise; in (0, 1), Gaussian noise with the exact calibration.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-0.5, 0.5, size=(2000, 2))
    >>> learner = MeanClassifier(2.0).fit(X, X[:, 0] > X[:, 1], rng=0)
    >>> print(learner.privacy_, bool(learner.score(X, X[:, 0] > X[:, 1]) > 0.9))
    2-differential privacy (replace-one) True
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        delta: float = 0.0,
        *,
        fit_intercept: bool = False,
        classes: Sequence | None = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.fit_intercept = fit_intercept
        self.classes = classes

    def _release(self, rows: NDArray, rng: np.random.Generator) -> Release:
        n, d = rows.shape
        return Release(rows.mean(axis=0) + vector_noise(d, 2 / n, self.epsilon, self.delta, rng=rng), inf)
