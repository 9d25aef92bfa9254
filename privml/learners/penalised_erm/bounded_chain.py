r"""A chain whose whole work is a number of public parameters, for the worst records.

Its step size is public: such that losses bend an envelope by at most half, ``c n smoothness <= tau / 2``, so
that by :mod:`~privml.learners.penalised_erm.envelopes` a try succeeds with probability about exp(-1/4) or
more (for the hinge loss ``tau = (2 c n)^2``, and about exp(-1/2)).  So a step that takes more than a public
number of tries has a probability that is public, and it is charged to the distance.

Where records choose the step size, as in :mod:`~privml.learners.penalised_erm.proximal`, the plan is public
for each size that they may choose.
"""

from math import ceil, exp, inf, isfinite, log, log1p, pi, sqrt
from sys import float_info
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import privml.learners.penalised_erm.envelopes as envelopes
from privml import _check as check
from privml.learners.penalised_erm.distributions import ExponentialERM, refuse_flat
from privml.learners.penalised_erm.domains import Body

MOST_STEPS, BATCH = 2**53, 8  # whole numbers that floats hold; proposals at a time
LARGEST_EPSILON = 100.0  # of all draws: beyond it delta would pay too little
SHARE = (
    2.0**-7
)  # of the distance, which pays for the steps of another chain that the bounded chain draws


def reflection_factor(kappa: float, inverse_step: float) -> float:
    """How far the noise is turned against the last: 1 / (1 + 2 kappa / inverse_step)."""
    return inverse_step / (inverse_step + 2 * kappa)


def mixing_steps(
    log_total_variation: float, diameter: float, kappa: float, inverse_step: float
) -> int:
    """Number of steps after which the proximal sampler is provably close to its target.

    Parameters
    ----------
    log_total_variation : float
        Logarithm of the distance that is wanted, finite.
    diameter, kappa, inverse_step : float
        Of the body; strong convexity of minus the log-density; 1 / eta; all positive.

    Returns
    -------
    int
        At least 2.

    References
    ----------
    WLF16-prop-26, in place of a chain whose distance is not known.

    Examples
    --------
    >>> mixing_steps(log(1e-9), 8.0, 1.0, 10.0)
    129
    """
    check.finite(log_total_variation=log_total_variation)
    check.positive(diameter=diameter, kappa=kappa, inverse_step=inverse_step)
    first = log(diameter) + (log(inverse_step) - log(2 * pi)) / 2
    shrinking = log1p(min(2 * float(kappa) / float(inverse_step), float_info.max))
    missing = max(0.0, first - log_total_variation)
    n_steps = ceil(min(missing / max(shrinking, float_info.min), float_info.max))
    check.at_most(MOST_STEPS, n_steps=n_steps)
    return 2 + n_steps


def bounded_inverse_step(distribution: ExponentialERM, kappa: float) -> float:
    """The public inverse step size: with it the losses bend an envelope by at most half."""
    loss, exponent = distribution.risk.loss, envelopes.loss_exponent(distribution)
    precision = (
        2 * exponent * loss.smoothness
        if isfinite(loss.smoothness)
        else (2 * exponent) ** 2
    )
    return max(0.0, precision - kappa)


class Plan(NamedTuple):
    """What a bounded chain will do at most, by public numbers.

    Examples
    --------
    >>> Plan(0.0, 1, 2, 3).n_passes
    26
    """

    inverse_step: float
    n_steps: int
    n_rounds: int
    n_batches: int

    @property
    def n_passes(self) -> int:
        """Passes over all records at most: for a centre, and for a proposal, each."""
        return self.n_steps * (self.n_rounds + self.n_batches * BATCH)


def bounded_chain_plan(
    distribution: ExponentialERM, kappa: float, log_distance: float
) -> Plan:
    """What brings a bounded chain within a distance: half for the steps, half for tries that all fail."""
    inverse_step, share = (
        bounded_inverse_step(distribution, kappa),
        log_distance - log(2),
    )
    n_steps = (
        mixing_steps(share, 2 * distribution.domain.radius, kappa, inverse_step)
        if inverse_step
        else 1
    )
    accepted = (
        exp(-envelopes.largest_log_tries(distribution, kappa + inverse_step)) / 2
    )  # in a batch; it may be empty
    n_batches = ceil((log(n_steps) - share) / -log1p(-accepted))
    return Plan(
        inverse_step,
        n_steps,
        envelopes.centre_rounds(distribution, kappa + inverse_step) + 2,
        n_batches,
    )


class BoundedChain(envelopes.Envelope):
    """One draw near the law with precision `kappa` of its quadratic part and with a linear part, `anchor`."""

    def __init__(
        self,
        distribution: ExponentialERM,
        rng: np.random.Generator,
        kappa: float,
        anchor: NDArray[np.float64],
        plan: Plan,
    ) -> None:
        super().__init__(distribution, rng, kappa, plan.inverse_step)
        self.anchor, self.plan = anchor, plan

    def draw(self) -> NDArray[np.float64]:
        """The last state; a step whose tries all fail stays where it is, at the price of the plan."""
        turn, last = (
            reflection_factor(self.kappa, self.inverse_step),
            self.plan.n_steps - 1,
        )
        state = noisy = self.body._nearest(np.asarray(self.anchor) / self.kappa)
        self._linearise(state)
        for step in range(self.plan.n_steps):
            if self.inverse_step:
                turned = turn if 0 < step < last else 0.0
                noise = self.rng.normal(size=state.size) * sqrt(
                    (1 - turned**2) / self.inverse_step
                )
                noisy = state - turned * (noisy - state) + noise
            self._centre_envelope(noisy)
            tried = (self._drawn(noisy, BATCH) for _ in range(self.plan.n_batches))
            state = next((found for found in tried if found is not None), state)
        return state


def _drawable(distribution: ExponentialERM) -> None:
    check.instance(ExponentialERM, distribution=distribution)
    if not distribution.log_concave:
        loss, domain = (
            type(distribution.risk.loss).__name__,
            type(distribution.domain).__name__,
        )
        raise ValueError(
            f"distribution must be log-concave, since a chain may miss modes, but got {loss} on {domain}."
        )
    check.instance(Body, domain=distribution.domain)
    check.positive(penalty=distribution.risk.penalty)
    refuse_flat(distribution)


def _log_distance(distribution: ExponentialERM, delta: float) -> float:
    """Logarithm of the distance in total variation that delta pays for."""
    _drawable(distribution)
    check.probability_half_open(delta=delta)
    check.at_most(LARGEST_EPSILON, epsilon=distribution.epsilon)
    return log(delta) - float(np.logaddexp(0, distribution.epsilon)) if delta else -inf


def _inverse_steps(distribution: ExponentialERM) -> list[float]:
    """The inverse step sizes of which records choose one: below that of the bounded chain."""
    kappa = envelopes.curvature_of(distribution)
    return [
        p
        for p in (0.0, *kappa * 2.0 ** np.arange(-4, 40, 0.5))
        if p < bounded_inverse_step(distribution, kappa)
    ]


def _steps(
    distribution: ExponentialERM, inverse_step: float, log_distance: float
) -> int:
    """Steps of this size, at a distance that leaves the share of those that the bounded chain draws."""
    kept, kappa = log_distance + log1p(-SHARE), envelopes.curvature_of(distribution)
    return (
        mixing_steps(kept, 2 * distribution.domain.radius, kappa, inverse_step)
        if inverse_step
        else 0
    )


def _plan(
    distribution: ExponentialERM, inverse_step: float, log_distance: float
) -> Plan:
    """For one step that the bounded chain draws: its part of the share, or all of it if there is one only."""
    part = (
        log(SHARE) - log(_steps(distribution, inverse_step, log_distance))
        if inverse_step
        else 0.0
    )
    return bounded_chain_plan(
        distribution,
        envelopes.curvature_of(distribution) + inverse_step,
        log_distance + part,
    )


check.wrap_module(__name__)
