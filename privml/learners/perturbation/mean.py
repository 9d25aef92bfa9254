r"""The mean of the signed rows plus noise: output perturbation in the limit of an infinite penalty.

As :math:`\Lambda \to \infty` the minimiser, times :math:`\Lambda / L`, tends to the mean :math:`\frac1n
\sum_i a_i` (for L up to 1/2), and :math:`\Lambda / L` times its sensitivity is that of the mean, 2 / n.
"""

from collections.abc import Sequence
from math import inf

import numpy as np
from numpy.typing import NDArray

from privml.learners.perturbation.base import PerturbedClassifier, Release
from privml.learners.perturbation.output import vector_noise


class MeanClassifier(PerturbedClassifier):
    """Private linear classifier: the mean of label times record, plus noise.

    Parameters
    ----------
    delta : float, default 0.0
        0 takes radial Laplace noise; in (0, 1), Gaussian noise with the exact calibration.

    Notes
    -----
    **Privacy.** Replace-one (epsilon, delta)-DP; the number of records is public.  Idealised.
    **Records are clipped**: rows longer than 1 are scaled down to length 1, NaN counts as 0.
    **Source.** The mean with the noise of Chaudhuri, Monteleoni and Sarwate (2011), Algorithm 1.

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
