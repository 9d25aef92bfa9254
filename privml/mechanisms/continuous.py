"""The exponential mechanism on a real interval: when its law exists, and its density.

On infinitely many outcomes the weights ``exp(epsilon score / (2 Delta))`` define a law only if their
integral against the chosen base measure is finite.  Here the base measure is Lebesgue measure on an
interval, and the integral is computed by adaptive quadrature.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check


@dataclass(frozen=True)
class ExponentialDensity:
    """Density proportional to exp(score / scale) on an interval, zero outside it."""

    score: Callable[[float], float]
    scale: float
    lower: float
    upper: float
    log_normaliser: float

    def logpdf(self, points: ArrayLike) -> NDArray[np.float64]:
        """Natural logarithm of the density at each point, in nats."""
        points = np.asarray(points, dtype=float)
        scores = np.array([self.score(point) for point in points.ravel()], dtype=float).reshape(points.shape)
        inside = (points >= self.lower) & (points <= self.upper)
        return np.where(inside, scores / self.scale - self.log_normaliser, -np.inf)


def _log_integral(score: Callable[[float], float], scale: float, cuts: list[float]) -> float:
    """Logarithm of the integral of exp(score / scale) over consecutive intervals between `cuts`."""
    from scipy.integrate import IntegrationWarning, quad

    best = max(score(cut) for cut in cuts if np.isfinite(cut))
    with warnings.catch_warnings(), np.errstate(over="raise"):
        warnings.simplefilter("error", IntegrationWarning)
        try:
            pieces = [
                quad(lambda x: np.exp((score(x) - best) / scale), *ends, epsabs=0, epsrel=1e-11, limit=400)[0]
                for ends in zip(cuts[:-1], cuts[1:], strict=True)
            ]
        except FloatingPointError:
            raise ValueError(f"breakpoints must hold the place of the largest score, got {cuts!r}") from None
        except IntegrationWarning as error:
            raise ValueError(f"the integral of exp(score / scale) must be finite, got {error}") from None
    total = sum(pieces)
    if not (np.isfinite(total) and total > 0):
        raise ValueError(f"the integral of exp(score / scale) must be positive and finite, got {total!r}")
    return best / scale + float(np.log(total))


def exponential_density(
    score: Callable[[float], float],
    *,
    epsilon: float,
    sensitivity: float,
    lower: float = -np.inf,
    upper: float = np.inf,
    breakpoints: ArrayLike = (),
) -> ExponentialDensity:
    r"""Law of the exponential mechanism on an interval, with Lebesgue measure as base measure.

    .. math:: D(y) = \exp\!\Big(\frac{\varepsilon f(y)}{2\Delta}\Big)
              \Big/ \int_{\text{lower}}^{\text{upper}} \exp\!\Big(\frac{\varepsilon f(t)}{2\Delta}\Big) dt .

    **Returns.** ExponentialDensity: with ``logpdf`` and ``log_normaliser``.
    **Privacy.** A draw from this density is epsilon-DP under the relation of `sensitivity`; the proof for
    finite classes carries over with integrals in place of sums.
    **Source.** S16-rem-normaliser.

    Parameters
    ----------
    score : callable
        The score f of one real outcome, for the data at hand.
    sensitivity : float
        Largest change of any one outcome's score between adjacent data sets, in score units.
    lower, upper : float
        Ends of the interval, possibly infinite.
    breakpoints : array_like, optional
        Places where the score has its maximum, a kink or a jump; needed for full accuracy, and at least
        one is required on an infinite interval.

    Examples
    --------
    The score -|y - x| gives Laplace noise of scale 2 sensitivity / epsilon:

    >>> law = exponential_density(lambda y: -abs(y - 3.0), epsilon=0.5, sensitivity=1.0, breakpoints=[3.0])
    >>> round(law.log_normaliser, 9) == round(float(np.log(2 * 4.0)), 9)
    True
    """
    check.positive(epsilon=epsilon, sensitivity=sensitivity)
    if not lower < upper:
        raise ValueError(f"lower must be less than upper, got {lower!r} and {upper!r}")
    inner = [float(point) for point in np.sort(np.asarray(breakpoints, dtype=float)) if lower < point < upper]
    cuts = [float(lower), *inner, float(upper)]
    if not any(np.isfinite(cuts)):
        raise ValueError("breakpoints must hold a finite point on an infinite interval, got none")
    scale = 2 * sensitivity / epsilon
    return ExponentialDensity(score, scale, float(lower), float(upper), _log_integral(score, scale, cuts))
