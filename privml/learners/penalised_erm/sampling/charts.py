r"""Maps from all of R^d onto the inside of a ball or box, so that a chain never meets a boundary.

Both are chosen so that the uniform law on the body is the standard Gaussian in the new coordinates w: a law
with density p on the body has there the density ``p(h(w)) exp(-|w|^2 / 2)``, up to a constant.  In the box
every coordinate is a Gaussian distribution function; in the ball of radius R a point moves along its ray, to
the length ``R F(|w|)^(1/d)``, where F is the distribution function of the length of a Gaussian vector.
"""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from privml.learners.penalised_erm.base import Domain
from privml.learners.penalised_erm.domains import Ball, Box


class Chart(ABC):
    """Coordinates w of the inside of a body; all arrays have one point per row."""

    @abstractmethod
    def point(self, W: NDArray) -> NDArray[np.float64]:
        """The points h(w)."""

    @abstractmethod
    def pulled(self, W: NDArray, G: NDArray) -> NDArray[np.float64]:
        """Gradient of ``f(h(w))`` in w, G being the gradient of f at h(w)."""

    @staticmethod
    def of(domain: Domain) -> "Chart":
        """The chart of a ball or box."""
        for kind, chart in ((Ball, BallChart), (Box, BoxChart)):
            if isinstance(domain, kind):
                return chart(domain)
        raise ValueError(f"domain must be a ball or a box, got {domain!r}: use hit_and_run")


class BallChart(Chart):
    """The ball: a point moves along its ray.

    >>> BallChart(Ball(2, 3.0)).point(np.array([[0.0, 0.0], [0.0, 50.0]])).round(9).tolist()
    [[0.0, 0.0], [0.0, 3.0]]
    """

    def __init__(self, ball: Ball) -> None:
        self.radius = ball.radius

    def _rays(self, W: NDArray) -> tuple[NDArray, NDArray]:
        """Length of h over length of w, and the derivative of the length, as columns.

        With ``a = d / 2`` and ``x = |w|^2 / 2`` the distribution function is ``x^a e^-x M / Gamma(a + 1)``,
        M being Kummer's function ``1F1(1; a + 1; x)``; the derivative is the ratio over M.
        """
        from scipy.special import gammainc, gammaln, hyp1f1

        d = W.shape[1]
        a, x = d / 2, (W * W).sum(axis=1, keepdims=True) / 2
        near = x < a + 1
        log_m = np.log(hyp1f1(1.0, a + 1, np.where(near, x, 0.0)))
        far = np.where(near, a + 1, x)
        log_m = np.where(near, log_m, np.log(gammainc(a, far)) + gammaln(a + 1) + far - a * np.log(far))
        log_ratio = (log_m - x - gammaln(a + 1)) / d - np.log(2.0) / 2
        ratio = self.radius * np.exp(log_ratio)
        return ratio, ratio * np.exp(-log_m)

    def point(self, W: NDArray) -> NDArray[np.float64]:
        return self._rays(W)[0] * W

    def pulled(self, W: NDArray, G: NDArray) -> NDArray[np.float64]:
        ratio, slope = self._rays(W)
        rays = W / np.maximum(np.linalg.norm(W, axis=1, keepdims=True), 1e-300)
        return ratio * G + (slope - ratio) * (rays * G).sum(axis=1, keepdims=True) * rays


class BoxChart(Chart):
    """The box: a Gaussian distribution function in every coordinate.

    >>> BoxChart(Box([0.0], [4.0])).point(np.array([[0.0]])).tolist()
    [[2.0]]
    """

    def __init__(self, box: Box) -> None:
        self.lower, self.side = box.lower, box.upper - box.lower

    def point(self, W: NDArray) -> NDArray[np.float64]:
        from scipy.special import ndtr

        return self.lower + self.side * ndtr(W)

    def pulled(self, W: NDArray, G: NDArray) -> NDArray[np.float64]:
        return self.side * np.exp(-W * W / 2) / np.sqrt(2 * np.pi) * G
