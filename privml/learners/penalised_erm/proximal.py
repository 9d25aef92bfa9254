r"""A chain for strongly log-concave laws whose distance from the law is proved, and exact draws.

The density is proportional to exp(-U) on a convex body, with ``U = c sum_i loss_i + kappa |h|^2 / 2``.  The
*proximal sampler* adds noise, ``y = h + sqrt(eta) z``, and draws the next h from the law of h given y, which
is proportional to ``exp(-U(h) - |h - y|^2 / (2 eta))``.  That draw is exact, by rejection: a convex loss lies
above its tangent, so a Gaussian cut off at the body, with tangents in place of the losses, is an envelope.
Between the first and the last step the noise is turned against that of the step before.  From any start and
for all records, k steps on a body of diameter D come in total variation within

.. math:: \frac{D}{\sqrt{2 \pi \eta}} (1 + 2 \kappa \eta)^{-(k - 2)}

of the law.  Without y, eta infinite, the first draw has the law itself.
"""

from math import ceil, log, log1p, pi
from sys import float_info
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.learners.penalised_erm.domains import Body
from privml.learners.penalised_erm.laws import ExponentialERM

MODE_STEPS, DIFFERENCE = 100, 0.5
STEP_COST, PILOT, MOST_TRIES = 30.0, 1000, 64
LARGEST_LOG_TRIES, LARGEST_EPSILON, MOST_STEPS = 25.0, 100.0, 2**53


class Draw(NamedTuple):
    """Weights, steps of the chain (0 if exact), and tries of rejection, which tell of the records.

    >>> Draw(np.zeros(2), 0, 7).exact
    True
    """

    weights: NDArray[np.float64]
    n_steps: int
    n_tries: int

    @property
    def exact(self) -> bool:
        """Whether the weights have the law itself."""
        return self.n_steps == 0


class ProximalChain:
    """States h of the chain; `pull` is 1 / eta, 0 for exact draws."""

    def __init__(self, law: ExponentialERM, rng: np.random.Generator, pull: float = 0.0) -> None:
        check.instance(ExponentialERM, law=law)
        check.non_negative(pull=pull)
        if not law.log_concave:
            loss, domain = type(law.risk.loss).__name__, type(law.domain).__name__
            raise ValueError(f"the law must be log-concave, got {loss} on {domain}: a chain may miss modes")
        check.instance(Body, domain=law.domain)
        check.positive(penalty=law.risk.penalty)
        self.law, self.rng, self.n_tries = law, rng, 0
        self.kappa = law.scale * law.risk.n_samples * law.risk.penalty
        self.state = self.noisy = self._mode()
        self._look(self.state)
        self.bend = self._bend()
        self.values = np.maximum(np.linalg.eigvalsh(self.bend), 0.0)
        self._set(pull, pilot=False)

    def _mode(self) -> NDArray[np.float64]:
        from scipy.optimize import minimize

        def potential(h: NDArray) -> tuple[float, NDArray]:
            totals, gradients = zip(*self.law.risk._tangents(h), strict=True)
            value = self.law.scale * sum(totals) + self.kappa * (h @ h) / 2
            return value, self.law.scale * sum(gradients) + self.kappa * h

        start = np.zeros(self.law.domain.dimension)
        found = minimize(potential, start, jac=True, method="L-BFGS-B", options={"maxiter": MODE_STEPS})
        return self.law.domain._nearest(found.x)

    def _look(self, centre: NDArray) -> None:
        """Tangents of the losses at a point, block by block."""
        self.centre, self.tangents = centre, list(self.law.risk._tangents(centre))
        self.slope = self.law.scale * sum(gradient for _, gradient in self.tangents)

    def _bend(self) -> NDArray[np.float64]:
        """Second derivatives of the losses at the start, with kinks smoothed; they set the speed only."""
        risk, scores = self.law.risk, self.law.risk.X @ self.centre
        ends = (risk.loss._derivative(scores + sign * DIFFERENCE, risk.y) for sign in (1, -1))
        weights = self.law.scale * np.subtract(*ends) / (2 * DIFFERENCE)
        return (risk.X * weights[:, None]).T @ risk.X

    def log_tries(self, pull: float) -> float:
        """About the logarithm of the tries that a step needs."""
        check.non_negative(pull=pull)
        return float(np.log1p(self.values / (self.kappa + pull)).sum()) / 2

    def _set(self, pull: float, *, pilot: bool = True) -> None:
        """Use a pull, or one that is as much larger as tries at the start ask for."""
        self.pull = pull
        while pilot and not self._accepted(self._proposals(self.state, PILOT)).size:
            self.pull = 2 * self.pull or self.kappa
        eye = np.eye(self.state.size)
        self.inverse = np.linalg.inv(self.bend + (self.kappa + self.pull) * eye)
        self.batch = int(np.clip(np.exp(self.log_tries(self.pull)) / 2, 4, MOST_TRIES))

    def _proposals(self, y: NDArray, size: int) -> NDArray[np.float64]:
        precision = self.kappa + self.pull
        return self.law.domain._gaussians((self.pull * y - self.slope) / precision, precision, size, self.rng)

    def _accepted(self, H: NDArray) -> NDArray[np.intp]:
        """Which points are accepted: with probability exp(-g), if the losses exceed their tangents by g / c.

        That is the probability that an exponential number exceeds g; the sum stops where it is passed.
        """
        excess, limits = np.zeros(len(H)), self.rng.exponential(size=len(H))
        active = np.arange(len(H))
        for (least, gradient), (X, y) in zip(self.tangents, self.law.risk._blocks(), strict=True):
            rows = H[active]
            losses = self.law.risk.loss._sum(X @ rows.T, y)
            excess[active] += self.law.scale * (losses - least - (rows - self.centre) @ gradient)
            active = active[excess[active] <= limits[active]]
            if not active.size:
                break
        return active

    def advance(self, *, fresh: bool = False) -> NDArray[np.float64]:
        """One step, with fresh noise, or with noise turned against the last; returns the state."""
        if self.pull:
            turn = 0.0 if fresh else self.pull / (self.pull + 2 * self.kappa)
            noise = self.rng.normal(size=self.state.size) / np.sqrt(self.pull)
            self.noisy = self.state - turn * (self.noisy - self.state) + np.sqrt(1 - turn**2) * noise
            newton = self.inverse @ (self.pull * self.noisy - self.slope + self.bend @ self.centre)
            self._look(self.law.domain._nearest(newton))
        while True:
            H = self._proposals(self.noisy, self.batch)
            accepted = self._accepted(H)
            self.n_tries += int(accepted[0]) + 1 if accepted.size else len(H)
            if accepted.size:
                self.state = H[accepted[0]]
                return self.state


def steps_within(log_total_variation: float, diameter: float, kappa: float, pull: float) -> int:
    """Steps of the proximal sampler after which its distance from the law is proved.

    **Source.** WLF16-prop-26, in place of a chain whose distance is not known.

    Parameters
    ----------
    log_total_variation : float
        Logarithm of the distance that is wanted.
    diameter, kappa, pull : float
        Of the body; strong convexity of minus the log-density; 1 / eta.

    Examples
    --------
    >>> steps_within(log(1e-9), 8.0, 1.0, 10.0)
    129
    """
    check.finite(log_total_variation=log_total_variation)
    check.positive(diameter=diameter, kappa=kappa, pull=pull)
    first = log(diameter) + (log(pull) - log(2 * pi)) / 2
    shrinking = log1p(min(2 * float(kappa) / float(pull), float_info.max))
    missing = max(0.0, first - log_total_variation)
    n_steps = ceil(min(missing / max(shrinking, float_info.min), float_info.max))
    check.at_most(MOST_STEPS, n_steps=n_steps)
    return 2 + n_steps


def proximal_draw(
    law: ExponentialERM, delta: float = 1e-6, *, rng: np.random.Generator | int | None = None
) -> Draw:
    """One draw from within a proved distance of a law with a quadratic penalty: exactly, or by a chain.

    Which of the two, the length of the chain and its tries depend on the records, and so does the time.  For
    `delta` = 0 the draw is exact, and refused where public numbers do not bound its tries, as is an epsilon
    over 100, whose price would be too small to pay.
    **Privacy.** A draw is (epsilon, delta)-DP under replace-one, for the epsilon of the law: whatever the
    records are, the distance is at most ``delta / (1 + e^epsilon)``.
    **Source.** WLF16-prop-26, with the chain of Lee, Shen and Tian (2021).

    >>> from privml.learners.penalised_erm import Ball, LogisticLoss, PenalisedRisk
    >>> risk = PenalisedRisk([[0.5, 0.5]] * 100, [1.0] * 100, LogisticLoss(), Ball(2, 2.0), penalty=0.2)
    >>> proximal_draw(ExponentialERM(risk, 2.0), rng=0).exact
    True
    """
    check.instance(ExponentialERM, law=law)
    check.probability_half_open(delta=delta)
    check.at_most(LARGEST_EPSILON, epsilon=law.epsilon)
    chain = ProximalChain(law, np.random.default_rng(rng))
    if not delta:
        exponent = law.scale * law.risk.n_samples * float(law.risk.loss._gap(chain.kappa**-0.5))
        if exponent > LARGEST_LOG_TRIES:
            rule = f"an exact draw may need e^{exponent:.0f} tries"
            raise ValueError(f"delta must be positive for this loss, epsilon and n_samples: {rule}")
        return Draw(chain.advance(), 0, chain.n_tries)
    diameter, distance = 2 * law.domain.radius, log(delta) - np.logaddexp(0, law.epsilon)

    def cost(pull: float) -> float:
        steps = steps_within(distance, diameter, chain.kappa, pull) if pull else 1
        return log(steps) + float(np.logaddexp(log(STEP_COST), chain.log_tries(pull)))

    chain._set(min([0.0, *chain.kappa * 2.0 ** np.arange(-4, 40, 0.5)], key=cost))
    n_steps = steps_within(distance, diameter, chain.kappa, chain.pull) if chain.pull else 0
    for step in range(max(1, n_steps)):
        chain.advance(fresh=step in (0, n_steps - 1))
    return Draw(chain.state, n_steps, chain.n_tries)


check.doors(__name__)
