r"""Rejection below a Gaussian with tangents in place of the losses, and how many tries it takes at most.

The law has a density proportional to ``exp(-c sum_i loss_i(h) - kappa |h|^2 / 2 + <anchor, h>)`` on a convex
body; a step of size eta of a chain adds ``- |h - y|^2 / (2 eta)``.  Convex losses lie above their tangents at
a *centre*, so with tangents we get an envelope: a Gaussian of precision ``tau = kappa + 1 / eta``, cut off at
the body.

**Where to touch.** At the mean m of the envelope itself.  Under the envelope the score of a record has at
most the variance 1 / tau (Brascamp and Lieb), so the losses of n records exceed their tangents by at most
``c n gap(tau^(-1/2))`` in the mean, where ``gap`` is concave in the square of the length.  By Jensen's
inequality a proposal is accepted with probability at least exp of minus that: a number of n, epsilon, the
loss and tau, the same for all records.  From a centre that is ``NEAR / sqrt(tau)`` away, the squared length
is ``(1 + NEAR^2) / tau``.

**How it is found.** Let A be the logarithm of the integral of the envelope as a function of its tilt.  The
centre minimises ``c sum_i loss_i + A*``.  The first is smooth relative to the second with constant
``relative = c n smoothness / tau``, so mirror descent nears it by the factor ``1 - 1 / (1 + relative)`` in
a round, in the divergence of A*, which is tau-strongly convex.  So a public number of rounds is enough.
"""

from math import ceil, isfinite, log, log1p, sqrt

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.learners.penalised_erm.distributions import ExponentialERM
from privml.learners.penalised_erm.domains import Body

CENTRE_TOLERANCE = 0.1  # how near to the mean of its envelope a centre must be, in units of 1 / sqrt(tau)


def loss_exponent(distribution: ExponentialERM) -> float:
    """The number c n: the largest weight of all losses together."""
    return distribution.scale * distribution.risk.n_samples


def curvature_of(distribution: ExponentialERM) -> float:
    """The number kappa: the precision that the penalty gives."""
    return loss_exponent(distribution) * distribution.risk.penalty


def largest_log_tries(distribution: ExponentialERM, precision: float) -> float:
    """Logarithm of the mean number of tries with an envelope of this precision, for the worst records.

    A number of public parameters and of `n_samples`, which is public under replace-one.

    Parameters
    ----------
    distribution : ExponentialERM
        What is drawn from.
    precision : float
        Of the Gaussian, kappa + 1 / eta, positive.

    Examples
    --------
    >>> from privml.learners.penalised_erm import Ball, LogisticLoss, PenalisedRisk
    >>> risk = PenalisedRisk([[0.5, 0.5]] * 100, [1.0] * 100, LogisticLoss(), Ball(2, 2.0), penalty=0.2)
    >>> round(largest_log_tries(ExponentialERM(risk, 2.0), 10.0), 4)
    0.6313
    """
    check.instance(ExponentialERM, distribution=distribution)
    check.positive(precision=precision)
    return loss_exponent(distribution) * float(
        distribution.risk.loss._gap(sqrt((1 + CENTRE_TOLERANCE**2) / precision))
    )


def width_of(distribution: ExponentialERM, precision: float) -> float:
    """How wide kinks are smoothed before they are touched: as far as the gap of the loss reaches."""
    return (
        0.0
        if isfinite(distribution.risk.loss.smoothness)
        else sqrt((1 + CENTRE_TOLERANCE**2) / precision)
    )


def relative_smoothness(distribution: ExponentialERM, precision: float) -> float:
    """Largest second derivative of the losses that are touched, over the precision of the envelope."""
    width = width_of(distribution, precision)
    return (
        loss_exponent(distribution)
        * (1 / width if width else distribution.risk.loss.smoothness)
        / precision
    )


def centre_rounds(distribution: ExponentialERM, precision: float) -> int:
    """Rounds after which a centre is near the mean of its envelope, whatever the records are.

    Two slopes differ by at most ``G = c n min(jump, smoothness D)``, so the first divergence is at most
    ``G^2 / (2 tau)``; a centre at the distance r from the right one is ``(1 + relative) r`` from its mean.
    """
    loss, relative = (
        distribution.risk.loss,
        relative_smoothness(distribution, precision),
    )
    apart = loss_exponent(distribution) * min(
        loss.jump, loss.smoothness * 2 * distribution.domain.radius
    )
    ratio = (1 + relative) * apart / (CENTRE_TOLERANCE * sqrt(precision))
    return ceil(max(0.0, 2 * log(max(ratio, 1.0)) / log1p(1 / relative)))


class Envelope:
    """Proposals and their acceptance; `n_tries` and `n_passes` count them and passes over all records."""

    def __init__(
        self,
        distribution: ExponentialERM,
        rng: np.random.Generator,
        kappa: float,
        inverse_step: float,
    ) -> None:
        self.distribution, self.rng, self.kappa, self.inverse_step = (
            distribution,
            rng,
            kappa,
            inverse_step,
        )
        self.body: Body = distribution.domain  # type: ignore[assignment]  # checked where chains are made
        self.anchor: NDArray[np.float64] | float = 0.0
        self.n_tries = self.n_passes = 0
        self.width = 0.0

    def _linearise(self, centre: NDArray, width: float = 0.0) -> None:
        """Tangents of the losses at a point, block by block."""
        self.centre, self.width = centre, width
        self.tangents = list(self.distribution.risk._tangents(centre, width))
        self.slope = self.distribution.scale * np.sum(
            [gradient for _, gradient in self.tangents], axis=0
        )
        self.n_passes += 1

    def _middle(self, y: NDArray, slope: NDArray) -> NDArray[np.float64]:
        """Mean of the Gaussian before it is cut off."""
        return (self.anchor + self.inverse_step * y - slope) / (
            self.kappa + self.inverse_step
        )

    def _centre_envelope(self, y: NDArray, most: int | None = None) -> None:
        """Touch the losses near the mean of the envelope itself; with `most` rounds maybe not as near."""
        precision, slope = self.kappa + self.inverse_step, np.asarray(self.slope)
        width, relative = (
            width_of(self.distribution, precision),
            relative_smoothness(self.distribution, precision),
        )
        rounds = centre_rounds(self.distribution, precision)
        for _ in range(1 + (rounds if most is None else min(rounds, most))):
            if self.width == width and self._off_centre(y) <= CENTRE_TOLERANCE:
                break
            self._linearise(self._mean(y, slope), width)
            slope = slope + (self.slope - slope) / (1 + relative)

    def _mean(self, y: NDArray, slope: NDArray) -> NDArray[np.float64]:
        """Mean of the envelope for a slope of the losses."""
        return self.body._mean(self._middle(y, slope), self.kappa + self.inverse_step)

    def _off_centre(self, y: NDArray) -> float:
        """How far the centre is from the mean of the envelope, in units of 1 / sqrt(tau)."""
        off = np.linalg.norm(self._mean(y, self.slope) - self.centre)
        return float(off * sqrt(self.kappa + self.inverse_step))

    def _proposals(self, y: NDArray, size: int) -> NDArray[np.float64]:
        precision = self.kappa + self.inverse_step
        return self.body._gaussians(
            self._middle(y, self.slope), precision, size, self.rng
        )

    def _accepted(self, H: NDArray) -> NDArray[np.intp]:
        """Which points are accepted: with probability exp(-g), if the losses exceed their tangents by g / c.

        That is the probability that an exponential number exceeds g; the sum stops where it is passed.
        """
        excess, limits = np.zeros(len(H)), self.rng.exponential(size=len(H))
        active = np.arange(len(H))
        self.n_passes += len(H)
        for (least, gradient), (X, y) in zip(
            self.tangents, self.distribution.risk._blocks(), strict=True
        ):
            rows = H[active]
            losses = self.distribution.risk.loss._sum(X @ rows.T, y)
            excess[active] += self.distribution.scale * (
                losses - least - (rows - self.centre) @ gradient
            )
            active = active[excess[active] <= limits[active]]
            if not active.size:
                break
        return active

    def _drawn(self, y: NDArray, size: int) -> NDArray[np.float64] | None:
        """The first accepted one of some proposals, if one is accepted; failures do not bias what follows."""
        H = self._proposals(y, size)
        accepted = self._accepted(H)
        self.n_tries += int(accepted[0]) + 1 if accepted.size else len(H)
        return H[accepted[0]] if accepted.size else None


check.wrap_module(__name__)
