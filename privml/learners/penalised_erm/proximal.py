r"""A chain for strongly log-concave laws whose distance from the law is proved, and exact draws.

The density is proportional to exp(-U) on a convex body, with ``U = c sum_i loss_i + kappa |h|^2 / 2``.  The
*proximal sampler* adds noise, ``y = h + sqrt(eta) z``, and draws the next h from the law of h given y, which
is proportional to ``exp(-U(h) - |h - y|^2 / (2 eta))``.  That draw is exact, by rejection: a convex loss lies
above its tangent, so a Gaussian cut off at the body, with tangents in place of the losses, is an envelope.
Between the first and the last step the noise is turned against that of the step before.  From any start and
for all records, k steps on a body of diameter D come in total variation within

.. math:: \frac{D}{\sqrt{2 \pi \eta}} (1 + 2 \kappa \eta)^{-(k - 2)}

of the law.  Without y, eta infinite, the first draw has the law itself.

**Work.** The step size eta is chosen by the records, for speed, and so is where losses are touched.  But a
step has a public number of tries; if all fail, it is drawn by a chain whose work is public altogether
(:mod:`~privml.learners.penalised_erm.bounded_chain`), no more than that of the tries, to within a share of delta.
Tries that fail do not bias what follows, since given y they are independent of it.  So the work is at most
:func:`largest_sampler_cost`, a number of public parameters; below that it depends on the records.
"""

from math import inf, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import privml.learners.penalised_erm.bounded_chain as bounded_chain
from privml import _check as check
from privml._optional import counted
from privml.learners.penalised_erm.bounded_chain import reflection_factor
from privml.learners.penalised_erm.distributions import ExponentialERM
from privml.learners.penalised_erm.envelopes import (
    Envelope,
    curvature_of,
    largest_log_tries,
)

MODE_STEPS, MODE_PASSES, DIFFERENCE = 100, 41, 0.5
"""Iterations to the mode; passes of one, two line searches of 20 by L-BFGS-B and one; half a kink's width."""
STEP_COST, PILOT_PROPOSALS, MOST_TRIES = (
    30.0,
    1000,
    64,
)  # of a step beside tries; proposals at the start; of a batch
LARGEST_LOG_TRIES = 25.0  # of exact draws on average, by a public bound
EARLY_TRIES, ROUNDS, SMALL_LOG_TRIES = 2**8, 2**6, 9.0
"""Tries of a step before a better centre is sought, rounds of that search, and where it is worth while."""


class SamplerResult(NamedTuple):
    """One draw of a sampler, and what it took.

    Parameters
    ----------
    weights : ndarray
        What was drawn, of shape (dimension,).
    n_steps, n_tries, n_passes : int
        Numbers of steps (0 if exact), tries, and passes over the records, which tell of them: integers.

    Examples
    --------
    >>> SamplerResult(np.zeros(2), 0, 7).exact
    True
    """

    weights: NDArray[np.float64]
    n_steps: int
    n_tries: int
    n_passes: int = 0

    @property
    def exact(self) -> bool:
        """Whether the weights have the law itself."""
        return self.n_steps == 0


class SamplerCost(NamedTuple):
    """The most that a draw may take.

    Parameters
    ----------
    n_steps : int
        Largest number of steps of chains, a non-negative integer.
    n_passes : float
        Largest number of passes over all records, each a product with their matrix: an integer, or infinite.

    Examples
    --------
    >>> SamplerCost(2, 30).n_passes
    30
    """

    n_steps: int
    n_passes: float


class ProximalChain(Envelope):
    """The chain, with its state h.

    Parameters
    ----------
    distribution : ExponentialERM
        What is drawn from, log-concave with a positive penalty on a ball or box.
    rng : Generator
        Here a Generator, never a seed or None.
    inverse_step : float
        1 / eta, non-negative; 0 for exact draws, which may take any number of tries.
    """

    def __init__(
        self,
        distribution: ExponentialERM,
        rng: np.random.Generator,
        inverse_step: float = 0.0,
    ) -> None:
        bounded_chain._drawable(distribution)
        check.non_negative(inverse_step=inverse_step)
        super().__init__(distribution, rng, curvature_of(distribution), inverse_step)
        self.plan: bounded_chain.Plan | None = None
        self.n_rescued = 0
        self.state = self.noisy = self._mode()
        self._linearise(self.state)
        self.hessian = self._hessian()
        self.values = np.maximum(np.linalg.eigvalsh(self.hessian), 0.0)
        self._set(inverse_step)

    def _mode(self) -> NDArray[np.float64]:
        from scipy.optimize import minimize

        def potential(h: NDArray) -> tuple[float, NDArray]:
            self.n_passes += 1
            totals, gradients = zip(*self.distribution.risk._tangents(h), strict=True)
            value = self.distribution.scale * sum(totals) + self.kappa * (h @ h) / 2
            return value, self.distribution.scale * sum(gradients) + self.kappa * h

        start = np.zeros(self.distribution.domain.dimension)
        found = minimize(
            potential,
            start,
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": MODE_STEPS},
        )
        return self.distribution.domain._nearest(found.x)

    def _hessian(self) -> NDArray[np.float64]:
        """Second derivatives of the losses at the start, with kinks smoothed; they set the speed only."""
        risk, scores = self.distribution.risk, self.distribution.risk.X @ self.centre
        ends = (
            risk.loss._derivative(scores + sign * DIFFERENCE, risk.y)
            for sign in (1, -1)
        )
        return (
            risk.X
            * (self.distribution.scale * np.subtract(*ends) / (2 * DIFFERENCE))[:, None]
        ).T @ risk.X

    def log_tries(self, inverse_step: float) -> float:
        """About the logarithm of the tries that a step of size 1 / `inverse_step` needs, by these records."""
        check.non_negative(inverse_step=inverse_step)
        return float(np.log1p(self.values / (self.kappa + inverse_step)).sum()) / 2

    def _set(self, inverse_step: float) -> None:
        """Use an inverse step size."""
        self.inverse_step = inverse_step
        eye = np.eye(self.state.size)
        self.inverse = np.linalg.inv(
            self.hessian + (self.kappa + self.inverse_step) * eye
        )
        self.batch = int(
            np.clip(np.exp(self.log_tries(self.inverse_step)) / 2, 4, MOST_TRIES)
        )

    def _pilot(self, inverse_step: float, most: float) -> float:
        """The inverse step size, or a larger one up to `most` if tries at the start ask for it."""
        self.inverse_step = inverse_step
        while self.inverse_step < most:
            if self._accepted(self._proposals(self.state, PILOT_PROPOSALS)).size:
                break
            self.inverse_step = 2 * self.inverse_step or self.kappa
        return self.inverse_step

    def advance(self, *, fresh: bool = False) -> NDArray[np.float64]:
        """One step, with fresh noise, or with noise turned against the last; returns the state."""
        if self.inverse_step:
            turn = 0.0 if fresh else reflection_factor(self.kappa, self.inverse_step)
            noise = self.rng.normal(size=self.state.size) / np.sqrt(self.inverse_step)
            self.noisy = (
                self.state
                - turn * (self.noisy - self.state)
                + np.sqrt(1 - turn**2) * noise
            )
            newton = self.inverse @ (
                self.inverse_step * self.noisy - self.slope + self.hessian @ self.centre
            )
            self._linearise(self.distribution.domain._nearest(newton))
        if not self._found(EARLY_TRIES // self.batch):
            if (
                largest_log_tries(self.distribution, self.kappa + self.inverse_step)
                <= SMALL_LOG_TRIES
            ):
                self._centre_envelope(self.noisy, ROUNDS)
            while not self._found(self.plan.n_passes // self.batch if self.plan else 1):
                if self.plan:
                    self._rescue(self.plan)
                    break
        return self.state

    def _found(self, n_batches: int) -> bool:
        """Whether one of some batches has the next state."""
        for _ in range(n_batches):
            found = self._drawn(self.noisy, self.batch)
            if found is not None:
                self.state = found
                return True
        return False

    def _rescue(self, plan: bounded_chain.Plan) -> None:
        """Draw the step by a bounded chain."""
        noise = self.inverse_step * self.noisy
        chain = bounded_chain.BoundedChain(
            self.distribution, self.rng, self.kappa + self.inverse_step, noise, plan
        )
        self.state = chain.draw()
        self.n_rescued += plan.n_steps
        self.n_tries, self.n_passes = (
            self.n_tries + chain.n_tries,
            self.n_passes + chain.n_passes,
        )


def largest_sampler_cost(
    distribution: ExponentialERM, delta: float = 1e-5
) -> SamplerCost:
    """Most steps and passes over the records that `proximal_draw` makes, for the worst records.

    Numbers of public parameters and of `n_samples`, which is public under replace-one: the records in the law
    do not matter.  Most records need far less.

    Parameters
    ----------
    distribution : ExponentialERM
        What is drawn from.
    delta : float
        Additive slack, in [0, 1).

    Returns
    -------
    SamplerCost
        Work: if `delta` is 0 no step, and passes without end, about ``2 exp(largest_log_tries)`` in the
        mean.

    References
    ----------
    WLF16-prop-26, whose approximate draws it is about.

    Examples
    --------
    >>> from privml.learners.penalised_erm import Ball, LogisticLoss, PenalisedRisk
    >>> risk = PenalisedRisk([[0.5, 0.5]] * 100, [1.0] * 100, LogisticLoss(), Ball(2, 2.0), penalty=0.2)
    >>> work = largest_sampler_cost(ExponentialERM(risk, 2.0))
    >>> work.n_passes > proximal_draw(ExponentialERM(risk, 2.0), rng=0).n_passes
    True
    """
    distance = bounded_chain._log_distance(distribution, delta)
    if not delta:
        return SamplerCost(0, inf)
    alone = bounded_chain.bounded_chain_plan(
        distribution, curvature_of(distribution), distance
    )
    steps, passes = [alone.n_steps], [alone.n_passes]
    for inverse_step in (inverse_steps := bounded_chain._inverse_steps(distribution)):
        n_steps = max(1, bounded_chain._steps(distribution, inverse_step, distance))
        plan = bounded_chain._plan(distribution, inverse_step, distance)
        steps.append(n_steps * (1 + plan.n_steps))
        passes.append(n_steps * (2 + EARLY_TRIES + ROUNDS + 2 * plan.n_passes))
    return SamplerCost(
        max(steps),
        MODE_STEPS * MODE_PASSES
        + 2
        + PILOT_PROPOSALS * len(inverse_steps)
        + max(passes),
    )


def proximal_draw(
    distribution: ExponentialERM,
    delta: float = 1e-5,
    *,
    progress: bool = False,
    rng: np.random.Generator | int | None = None,
) -> SamplerResult:
    """One draw from within a proved distance of a law with a quadratic penalty: exactly, or by a chain.

    **Time** is not part of the promise: which of the two, steps and tries depend on the records, below
    :func:`largest_sampler_cost`, a number of public parameters.  What arithmetic and memory take is not bounded.
    For `delta` = 0 the draw is exact, and the mean number of its tries has a public bound; where that is too
    large the draw is refused, as is an epsilon over 100, whose price would be too small to pay.

    Parameters
    ----------
    distribution : ExponentialERM
        What is drawn from, log-concave with a positive penalty on a ball or box.
    delta : float
        Additive slack, in [0, 1); 0 asks for an exact draw.
    progress : bool
        Whether a bar on the error stream counts the steps, whose number tells of the records.
    rng : int or Generator, optional
        Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.

    Notes
    -----
    *Privacy.* A draw is (epsilon, delta)-DP under replace-one, for the epsilon of the law: whatever the
    records are, the distance is at most ``delta / (1 + e^epsilon)``.

    References
    ----------
    WLF16-prop-26, with the chain of Lee, Shen and Tian (2021).

    Examples
    --------
    >>> from privml.learners.penalised_erm import Ball, LogisticLoss, PenalisedRisk
    >>> risk = PenalisedRisk([[0.5, 0.5]] * 100, [1.0] * 100, LogisticLoss(), Ball(2, 2.0), penalty=0.2)
    >>> proximal_draw(ExponentialERM(risk, 2.0), rng=0).exact
    True
    """
    check.flag(progress=progress)
    distance, chain = (
        bounded_chain._log_distance(distribution, delta),
        ProximalChain(distribution, np.random.default_rng(rng)),
    )
    if not delta:
        return _exact_draw(chain)

    def cost(inverse_step: float) -> float:
        steps = max(1, bounded_chain._steps(distribution, inverse_step, distance))
        return log(steps) + float(
            np.logaddexp(log(STEP_COST), chain.log_tries(inverse_step))
        )

    most = bounded_chain.bounded_inverse_step(distribution, chain.kappa)
    inverse_step = chain._pilot(
        min([*bounded_chain._inverse_steps(distribution), most], key=cost), most
    )
    if inverse_step >= most:
        plan = bounded_chain.bounded_chain_plan(distribution, chain.kappa, distance)
        alone = bounded_chain.BoundedChain(
            distribution, chain.rng, chain.kappa, 0 * chain.state, plan
        )
        return SamplerResult(
            alone.draw(), plan.n_steps, alone.n_tries, chain.n_passes + alone.n_passes
        )
    chain._set(inverse_step)
    chain.plan = bounded_chain._plan(distribution, inverse_step, distance)
    n_steps = bounded_chain._steps(distribution, inverse_step, distance)
    for step in counted(
        range(max(1, n_steps)), progress, total=max(1, n_steps), desc="steps"
    ):
        chain.advance(fresh=step in (0, n_steps - 1))
    return SamplerResult(
        chain.state, n_steps + chain.n_rescued, chain.n_tries, chain.n_passes
    )


def _exact_draw(chain: ProximalChain) -> SamplerResult:
    """From the law itself, if public numbers bound the mean number of tries."""
    exponent = largest_log_tries(chain.distribution, chain.kappa)
    if exponent > LARGEST_LOG_TRIES:
        raise ValueError(
            "delta must be positive for this loss, epsilon and n_samples, since an exact draw may need "
            f"e^{exponent:.0f} tries, but got 0."
        )
    chain._centre_envelope(chain.noisy)
    while not chain._found(1):
        pass
    return SamplerResult(chain.state, 0, chain.n_tries, chain.n_passes)


check.wrap_module(__name__)
