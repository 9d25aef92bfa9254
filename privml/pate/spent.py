r"""What a run of noisy votes has spent when it stops early.

A run of the Gaussian aggregator has a budget of l queries and stops after :math:`q \le l` of them, because
the student has learned enough.  What may be said then?

* The budget: the run is :math:`(\varepsilon, \delta)`-DP whatever the stopping rule.
* If q was *fixed* in advance, or drawn without looking at the answers, the run is
  :math:`(\varepsilon_q, \delta)`-DP with :math:`\mu_q = \mu \sqrt{q / l}`.  The source reports this number as
  *ex-post* epsilon for runs whose q depends on the answers.
* If q = tau depends on the answers, an *odometer* must hold for every rule: a sequence
  :math:`\varepsilon_1, \dots, \varepsilon_l` is valid at delta when, for neighbours and both orders of them,

  .. math:: \sum_q E\big[1(\tau = q) (1 - e^{\varepsilon_q - L_q})_+\big] \le \delta
            \quad \text{for every stopping time } \tau,

  with :math:`L_q` the privacy loss of the first q answers.  For noisy counts it is a Gaussian random walk
  with steps of mean :math:`s^2 / 2` and variance :math:`s^2`, :math:`s = \mu / \sqrt l`, and the largest
  value of the sum is an optimal-stopping problem: :func:`stopping_delta`.
"""

from math import log, pi, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.divergences import gaussian_epsilon, gaussian_mu

METHODS = ("fixed", "union", "line")
TAIL = 9.0  # standard deviations of the walk on the grid
LARGEST_GRID = 3e8  # cells of the walk, all queries together
CELLS = 30  # grid points per standard deviation of a step


def _checked_use(budget: int, used: int) -> None:
    check.positive_integer(budget=budget, used=used)
    if used > budget:
        raise ValueError(f"used must be at most the budget ({budget}), got {used!r}")


def ex_post_epsilon(epsilon: float, delta: float, budget: int, used: int, *, method: str) -> float:
    r"""Epsilon that goes with the number of queries used, out of a budget with (epsilon, delta).

    **Privacy.** None by itself: the guarantee of an adaptive run is that of its budget.  An odometer may be
    reported beside it, as a second statement; it may be larger than the budget.
    **Source.** LZCW21-rem-ex-post, whose number is "fixed".

    Parameters
    ----------
    budget : int
        Number of queries l that the noise is calibrated to, exactly.
    used : int
        Number of queries q asked, from 1 to l.
    method : {"fixed", "union", "line"}
        *fixed*: :math:`\delta_{\mu \sqrt{q / l}}(\varepsilon_q) = \delta`, what the source calls ex-post;
        valid only if q does not depend on the private data.  *union*: the same with delta / l, a valid
        odometer.
        *line*: :math:`\rho q / l + \sqrt{\rho \ln(1 / \delta)} (1 + q / l)` with
        :math:`\rho = \mu^2 / 2`, a valid odometer by Ville's inequality.

    Examples
    --------
    >>> fixed = ex_post_epsilon(0.5, 1 / 6499, 49, 40, method="fixed")
    >>> union = ex_post_epsilon(0.5, 1 / 6499, 49, 40, method="union")
    >>> round(fixed, 4), round(union, 4)
    (0.4457, 0.6119)
    """
    check.positive(epsilon=epsilon)
    check.probability_open(delta=delta)
    _checked_use(budget, used)
    check.one_of(METHODS, method=method)
    mu, share = gaussian_mu(epsilon, delta), used / budget
    if method == "line":
        rho = mu * mu / 2
        return rho * share + sqrt(rho * log(1 / delta)) * (1 + share)
    return gaussian_epsilon(delta / budget if method == "union" else delta, mu * sqrt(share))


def stopping_delta(epsilons: ArrayLike, step: float) -> float:
    r"""Largest delta of an odometer over all stopping rules, for a Gaussian random walk of privacy loss.

    Largest :math:`E (1 - e^{\varepsilon_\tau - L_\tau})_+`, the same for both orders of the neighbours.

    Backward induction on a grid of the walk: the value after q queries is the larger of stopping and going
    on.  With claims that are infinite but for one q it is the exact Gaussian curve.

    **Source.** LZCW21-rem-ex-post.

    Parameters
    ----------
    epsilons : array_like of shape (budget,)
        What is claimed after 1, 2, ... queries, in nats; infinity where stopping claims nothing.

    Examples
    --------
    >>> from privml.divergences import gaussian_delta
    >>> only_last = stopping_delta([np.inf] * 8 + [0.5], 0.1)
    >>> round(only_last / gaussian_delta(0.5, 0.3), 2)
    1.0
    """
    claims = np.atleast_1d(check.numbers(epsilons=epsilons))
    check.positive(step=step)
    if claims.ndim != 1 or claims.size == 0 or np.isnan(claims).any():
        raise ValueError(f"epsilons must be a non-empty vector without NaN, got shape {claims.shape}")
    reach = TAIL * step * sqrt(claims.size)
    cells = CELLS * (2 * reach / step + claims.size * step + step)
    if not cells * claims.size <= LARGEST_GRID:
        raise ValueError(f"epsilons must be few enough for a grid, got {claims.size} at step {step!r}")
    loss = np.arange(-reach, reach + claims.size * step * step, step / CELLS)
    kernel, value = _kernel(step), np.zeros_like(loss)
    for claim in claims[::-1]:
        value = _mean_after(np.maximum(value, _excess(claim, loss)), kernel)
    return max(0.0, float(np.interp(0.0, loss, value)))  # the transform rounds at about 1e-17


def _excess(claim: float, loss: NDArray) -> NDArray[np.float64]:
    """How much of the probability of a loss a claim does not cover."""
    return np.zeros_like(loss) if claim == np.inf else np.maximum(0.0, -np.expm1(claim - loss))


def _kernel(step: float) -> NDArray[np.float64]:
    """Weights of the grid points around the present one in the mean after a step, exact for linear pieces."""
    from scipy.special import ndtr

    offset = np.arange(-int(TAIL * CELLS) - 1, int((TAIL + step / 2) * CELLS) + 2) / CELLS - step / 2
    integral = offset * ndtr(offset) + np.exp(-offset * offset / 2) / sqrt(2 * pi)
    return CELLS * np.diff(integral, 2)


def _mean_after(value: NDArray, kernel: NDArray) -> NDArray[np.float64]:
    """Mean of the value after one more step of the walk; beyond the grid it stays what it is at the end."""
    from scipy.signal import oaconvolve

    before = int(TAIL * CELLS)
    padded = np.pad(value, (before, kernel.size - 1 - before), mode="edge")
    return oaconvolve(padded, kernel[::-1], mode="valid")
