r"""Privacy curves of finite laws: delta as a function of epsilon, prepared once and evaluated anywhere.

Sort the outcomes by falling privacy loss, ``l_1 >= l_2 >= ...``.  Between two
neighbouring losses the curve is affine in e^epsilon:

.. math::
    \delta(\varepsilon) = \delta(\ell_j) + S_j \bigl(1 - e^{\varepsilon - \ell_j}\bigr)
    \quad (\ell_{j+1} \le \varepsilon \le \ell_j), \qquad
    S_j = e^{\ell_j} \sum_{i \le j} q_i , \quad
    \delta(\ell_{j+1}) = \delta(\ell_j) + S_j \bigl(1 - e^{\ell_{j+1} - \ell_j}\bigr) .

Every term is positive, so nothing cancels, and in log space nothing overflows.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._display import (
    POINTS,
    SHOWN_EPSILONS,
    Picture,
    curve_picture,
    html_card,
    rounded_up,
)
from privml.distributions import Categorical
from privml.divergences.finite import _aligned, loss_of_logs

LARGEST_SHOWN_LOSS = 700.0  # whose exponential is a float


def _log_of_rise(
    log_slope: NDArray[np.float64], gap: NDArray[np.float64]
) -> NDArray[np.float64]:
    """ln(S (1 - e^-gap))."""
    with np.errstate(divide="ignore"):
        return log_slope + np.log(-np.expm1(-gap))


class PrivacyCurve:
    """delta(epsilon) of one finite law against another: the hockey-stick divergence at every epsilon.

    Parameters
    ----------
    losses : array_like of shape (n_outcomes,)
        Privacy loss of each outcome, in nats; plus infinity where only the first law is positive.
    log_p : array_like of shape (n_outcomes,)
        Log-probabilities of the first law.

    Raises
    ------
    ValueError
        If the arrays differ in shape or hold NaN, or if the probabilities do not sum to 1.

    References
    ----------
    WLF16-def-27: the smallest delta for each epsilon.

    Examples
    --------
    >>> curve = PrivacyCurve.between([0.5, 0.5], [0.25, 0.75])
    >>> curve.delta([0.0, 0.5, 1.0]).round(6).tolist(), round(curve.epsilon(0.1), 6)
    ([0.25, 0.08782, 0.0], 0.470004)
    >>> round(PrivacyCurve(np.log([2, 2 / 3]), np.log([0.5, 0.5])).epsilon(0.1), 6)
    0.470004
    """

    def __init__(self, losses: ArrayLike, log_p: ArrayLike) -> None:
        losses, log_p = check.numbers(losses=losses), check.numbers(log_p=log_p)
        self._prepare(losses, log_p)
        check.log_distributions(log_p=log_p)

    def _prepare(self, losses: NDArray, log_p: NDArray) -> None:
        if losses.ndim != 1 or losses.shape != log_p.shape:
            shapes = f"{losses.shape} and {log_p.shape}"
            raise ValueError(
                f"losses and log_p must be vectors of one length, but got shapes {shapes}."
            )
        if np.isnan(losses).any() or np.isnan(log_p).any():
            raise ValueError("losses and log_p must be free of NaN, but got NaN.")
        possible = log_p > -np.inf
        if not possible.any():
            raise ValueError(
                "log_p must have a possible outcome, but got minus infinity everywhere."
            )
        infinite = possible & (losses == np.inf)
        self._log_infinite = float(np.logaddexp.reduce(log_p[infinite]))
        finite = np.flatnonzero(possible & ~infinite)
        finite = finite[np.argsort(-losses[finite])]
        self._losses, log_p = losses[finite], log_p[finite]
        self._log_slopes = self._losses + np.logaddexp.accumulate(log_p - self._losses)
        rises = _log_of_rise(self._log_slopes[:-1], -np.diff(self._losses))
        start = [self._log_infinite] if finite.size else []
        self._log_deltas = np.logaddexp.accumulate(np.concatenate([start, rises]))

    @classmethod
    def between(
        cls,
        p: Categorical | ArrayLike,
        q: Categorical | ArrayLike,
        *,
        logs: bool = False,
    ) -> "PrivacyCurve":
        """The curve of law p against law q, as laws or probabilities of shape (n_outcomes,).

        Arrays of natural logarithms are announced by `logs`.
        """
        log_p, log_q = _aligned(p, q, logs)
        found = cls.__new__(cls)
        found._prepare(loss_of_logs(log_p, log_q), log_p)
        return found

    def log_delta(self, epsilon: ArrayLike) -> NDArray[np.float64] | float:
        """Natural logarithm of delta at each epsilon, which may be any real number."""
        epsilon = check.numbers(epsilon=epsilon)
        if np.isnan(epsilon).any():
            raise ValueError(f"epsilon must be free of NaN, but got {epsilon!r}.")
        above = np.searchsorted(
            -self._losses, -epsilon, side="left"
        )  # how many losses exceed epsilon
        if self._losses.size == 0:
            value = np.full(epsilon.shape, self._log_infinite)
        else:
            last = np.maximum(above - 1, 0)
            rise = _log_of_rise(
                self._log_slopes[last], np.maximum(self._losses[last] - epsilon, 0.0)
            )
            value = np.where(
                above > 0,
                np.logaddexp(self._log_deltas[last], rise),
                self._log_infinite,
            )
        return float(value) if value.ndim == 0 else value

    def delta(self, epsilon: ArrayLike) -> NDArray[np.float64] | float:
        """Smallest delta at each epsilon, which may be any real number."""
        delta = np.exp(self.log_delta(epsilon))
        return float(delta) if np.ndim(delta) == 0 else delta

    def __repr__(self) -> str:
        delta = rounded_up(self.delta(0.0))
        return (
            f"PrivacyCurve(of {len(self._losses)} losses, delta {delta} at epsilon 0)"
        )

    def _repr_html_(self) -> str:
        rows = [
            (f"{epsilon:g}", rounded_up(self.delta(epsilon), 4))
            for epsilon in SHOWN_EPSILONS
        ]
        return html_card("PrivacyCurve", [("epsilon", "delta"), *rows])

    def plot(self, axes: Any = None, *, trade_off: bool = False) -> Picture:
        """Picture of delta against epsilon; or of the trade-off of a test between the laws.

        The least chance to miss the first law, where a test blames the second one falsely with chance a, is
        ``sup (1 - delta(epsilon) - e^epsilon a)``, attained at a loss.

        Parameters
        ----------
        axes : matplotlib axes, optional
            Where to draw; None makes a figure.
        trade_off : bool, default False
            Whether to draw the trade-off.
        """
        check.flag(trade_off=trade_off)
        finite = self._losses[np.abs(self._losses) < LARGEST_SHOWN_LOSS]
        if not trade_off:
            places = np.linspace(0.0, float(max(finite.max(initial=1.0), 1.0)), POINTS)
            return curve_picture(
                places, self.delta(places), "epsilon", "delta", axes, ylim=(0, None)
            )
        places, least = np.linspace(0.0, 1.0, POINTS), np.zeros(POINTS)
        for loss in finite.tolist():
            np.maximum(least, 1 - self.delta(loss) - np.exp(loss) * places, out=least)
        return curve_picture(
            places, least, "false alarms", "misses", axes, xlim=(0, 1), ylim=(0, 1)
        )

    def epsilon(self, delta: float) -> float:
        """Smallest non-negative epsilon at which the curve, evaluated there, is at most delta."""
        check.non_negative(delta=delta)
        with np.errstate(divide="ignore"):
            target = float(np.log(delta))
        if target < self._log_infinite:
            least = rounded_up(np.exp(self._log_infinite))
            raise ValueError(
                f"delta must be at least {least}, where the loss is infinite, but got {delta!r}."
            )
        if self.log_delta(0.0) <= target:
            return 0.0
        if target == -np.inf:
            return float(self._losses[0])
        at = np.searchsorted(self._log_deltas, target, side="right") - 1
        share = np.exp(target - self._log_slopes[at]) * -np.expm1(
            self._log_deltas[at] - target
        )
        epsilon = max(float(self._losses[at] + np.log1p(-share)), 0.0)
        step = max(epsilon, 1e-300) * 2.0**-52
        while self.log_delta(epsilon) > target:  # a few units in the last place above
            epsilon, step = epsilon + step, 2 * step
        return epsilon


check.wrap_module(__name__)
