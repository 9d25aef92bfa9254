r"""The exact privacy curves of Laplace noise, on the reals and on the integers.

Noise of scale b on a value that moves by s makes two copies of one symmetric, log-concave law, s apart.
The privacy loss falls from s / b on one side of both centres to -s / b on the other, so the best event is
everything on one side of a threshold.

**Vectors.**  If the coordinates move by s_1, ..., s_p, the curve is never worse than that of one number that
moves by s = |s_1| + ... + |s_p|.  Let f_s be the trade-off function of two copies s apart: the least
chance of missing, as a function of the chance of a false alarm, over all tests.  Move the coordinates one
after the other; each move alone gives the trade-off f_(s_i), since the others do not change, and trade-offs
of successive moves chain: that of the whole path is at least f_(s_2)(1 - f_(s_1)) and so on (Dong, Roth and
Su 2019, Lemma A.5).  For one number the best tests are thresholds at every step of the way, so there the
chain is an equality: it gives exactly f_(s_1 + s_2 + ...).
"""

from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.distributions import DiscreteLaplace


def _non_negative_array(epsilon: ArrayLike) -> NDArray[np.float64]:
    epsilon = check.numbers(epsilon=epsilon)
    if not (np.isfinite(epsilon).all() and (epsilon >= 0).all()):
        raise ValueError(f"epsilon must be non-negative and finite, got {epsilon!r}")
    return epsilon


def laplace_delta(epsilon: ArrayLike, shift: float, scale: float) -> NDArray[np.float64] | float:
    r"""Exact delta(epsilon) between two Laplace laws `shift` apart.

    .. math:: \delta(\varepsilon) = \max\bigl(0,\; 1 - e^{(\varepsilon - s / b) / 2}\bigr) .

    **Source.** LZCW21-lem-42, whose claim is delta(s / b) = 0.

    Parameters
    ----------
    epsilon : array_like
        In nats, non-negative and finite.
    shift : float
        The distance s, positive and finite; for vectors the L1 distance, and then an upper bound.

    Examples
    --------
    >>> round(laplace_delta(0.5, 1.0, 1.0), 6), laplace_delta(1.0, 1.0, 1.0)
    (0.221199, 0.0)
    """
    check.positive(shift=shift, scale=scale)
    delta = -np.expm1(np.minimum(0.0, (_non_negative_array(epsilon) - shift / scale) / 2)) + 0.0
    return float(delta) if delta.ndim == 0 else delta


MANY_TERMS = 1 << 20


def _discrete_delta_by_tails(
    epsilon: NDArray[np.float64], shift: float, law: DiscreteLaplace
) -> NDArray[np.float64] | float:
    """P(Y <= k) - e^epsilon P(Y <= k - shift) at the last k whose loss exceeds epsilon."""
    last = np.maximum(np.ceil((shift - epsilon * float(law.scale)) / 2) - 1, 0)
    drop = law.logcdf(last) - epsilon - law.logcdf(last - shift)
    delta = law.cdf(last) * -np.expm1(np.minimum(0.0, -drop)) + 0.0
    return float(delta) if delta.ndim == 0 else delta


def discrete_laplace_delta(
    epsilon: ArrayLike, shift: int, scale: int | float | Fraction
) -> NDArray[np.float64] | float:
    r"""Exact delta(epsilon) between two discrete Laplace laws `shift` apart.

    The sum of :math:`p(k) (1 - e^{\varepsilon - \ell(k)})` over the integers k of privacy loss
    :math:`\ell(k) > \varepsilon`.  Up to the first centre the loss is s / b, then (s - 2 k) / b.

    **Source.** LZCW21-lem-42, on the integers.

    Parameters
    ----------
    epsilon : array_like
        In nats, non-negative and finite.
    shift : int
        The distance s, positive; for vectors the L1 distance, and then an upper bound.

    Examples
    --------
    >>> round(discrete_laplace_delta(0.0, 1, 1), 6), discrete_laplace_delta(1.0, 1, 1)
    (0.462117, 0.0)
    """
    check.positive_integer(shift=shift)
    law = DiscreteLaplace(0, scale=scale)
    epsilon = _non_negative_array(epsilon)
    if shift > MANY_TERMS:
        return _discrete_delta_by_tails(epsilon, float(shift), law)
    between = np.arange(1, (shift + 1) // 2)
    loss = (shift - 2 * np.append(0, between)) / float(law.scale)
    probability = np.append(law.cdf(0), np.exp(law.logpmf(between)))
    excess = -np.expm1(np.minimum(0.0, np.subtract.outer(epsilon, loss)))
    delta = excess @ probability + 0.0
    return float(delta) if delta.ndim == 0 else delta
