r"""Noisy gradient descent: steps along the mean gradient of all records or of a batch, with Gaussian noise.

.. math:: w_{t + 1} = w_t - \eta \Big( \nabla \hat R(w_t) + \frac{2 L \sqrt{T}}{n \mu} Z_t \Big), \qquad
          \hat w = \frac1k \sum_{t = T - k + 1}^{T} w_t .

A replaced record moves the mean gradient by at most 2 L / n, so each step is a Gaussian mechanism with
parameter :math:`\mu / \sqrt{T}`, and T of them have exactly the privacy curve of one with parameter mu.

With *batches* each record is in the batch of a step if a coin of its own, of chance q, says so (Poisson
sampling).  The sum of the gradients of the batch is divided by the expected size b, a public number, and not
by the realised one, which depends on the records that there are:

.. math::

    w_{t + 1} = w_t - \frac{\eta}{b} \Big( \sum_{i \in B_t} \nabla \ell_i(w_t) + \frac{L}{\mu} Z_t \Big) .

One record more or less moves the sum by at most L, if it is in the batch at all: a sampled Gaussian
mechanism, and :func:`~privml.composition.gaussian_loss` bounds the curve of T of them.  The relation is
add-or-remove-one, under which the number of records is secret: nothing is computed from it, and b / q takes
its place.
"""

from dataclasses import KW_ONLY, dataclass
from functools import lru_cache
from math import ceil, hypot, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.adjacency import Adjacency
from privml.composition import gaussian_loss
from privml.composition.numerical import LARGEST_SAMPLED_MU
from privml.divergences import gaussian_mu
from privml.guarantee import ConcentratedGuarantee, gaussian_rho
from privml.learners.perturbation.base import (
    CutLogisticLoss,
    PerturbedClassifier,
    row_sum,
)


class Schedule(NamedTuple):
    """Number of steps and length of each."""

    n_steps: int
    rate: float


def descent_schedule(
    n_samples: int,
    dimension: int,
    mu: float,
    *,
    norm: float,
    slope: float = 0.5,
    n_steps: int | None = None,
    max_steps: int = 200,
) -> Schedule:
    r"""Steps for which the proved excess risk is least.

    The mean of all iterates exceeds weights of length R by at most :math:`R^2 / (2 \tau) + \tau d (2 L / (n
    \mu))^2` with :math:`\tau = \eta T` and :math:`\eta \le 1 / c`; this is least at
    :math:`\tau = n \mu R / (2 L \sqrt{2 d})`.

    Parameters
    ----------
    n_samples : int
        Number of records, a positive integer.
    dimension : int
        Dimension of the weights, a positive integer.
    mu : float
        Shift of Gaussian noise in standard deviations, of all steps together, positive.
    norm : float
        Length of the weights to compete with R, positive.
    slope : float
        Steepest slope of the loss L, positive, at most 1.
    n_steps : int, optional
        Number T of steps, a positive integer; None takes the fewest with :math:`\eta \le 1 / c`.
    max_steps : int
        Most steps that None takes, a positive integer.

    References
    ----------
    Ours; the usual analysis of stochastic gradient descent with smooth losses.

    Examples
    --------
    >>> steps, rate = descent_schedule(400, 30, 0.25, norm=10.0)
    >>> steps, round(rate, 3)
    (33, 3.912)
    """
    check.positive_integer(
        n_samples=n_samples, dimension=dimension, max_steps=max_steps
    )
    check.positive(mu=mu, norm=norm)
    loss = CutLogisticLoss(slope)
    time = n_samples * mu * norm / (2 * loss.slope * sqrt(2 * dimension))
    if n_steps is None:
        n_steps = min(max(1, ceil(time * loss.smoothness)), max_steps)
    check.positive_integer(n_steps=n_steps)
    return Schedule(n_steps, min(time / n_steps, 1 / loss.smoothness))


@lru_cache(maxsize=256)
def sampled_gaussian_mu(
    epsilon: float, delta: float, k: int, sampling_rate: float
) -> float:
    r"""Shift that each of k releases with Gaussian noise on Poisson subsamples may have.

    The largest one, up to a thousandth, for which the accountant's bound on delta at epsilon is kept; never
    less than without sampling, ``gaussian_mu(epsilon, delta) / sqrt(k)``.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).
    k : int
        Number of releases, a positive integer.
    sampling_rate : float
        Chance that a record is used in a release, in (0, 1].

    Notes
    -----
    *Privacy.* The guarantee is under add-or-remove-one, for all k releases together, each on a subsample of its own.

    References
    ----------
    Inverse of :func:`~privml.composition.gaussian_loss`: Zhu, Dong and Wang (2022), Theorem 11.

    Examples
    --------
    >>> full, sampled = (sampled_gaussian_mu(1.0, 1e-5, 100, rate) for rate in (1.0, 0.1))
    >>> round(1 / full, 5), round(1 / sampled, 5)
    (37.30632, 3.94264)
    """
    check.standard_ranges(epsilon=epsilon, delta=delta)
    check.positive_integer(k=k)
    check.share(sampling_rate=sampling_rate)
    kept = gaussian_mu(epsilon, delta) / sqrt(k)
    if sampling_rate == 1 or kept >= LARGEST_SAMPLED_MU:
        return kept

    def holds(mu: float) -> bool:
        loss = gaussian_loss(mu, k, sampling_rate=sampling_rate)
        return loss.delta_bounds(epsilon, tolerance=0.01).upper <= delta

    broken = min(2 * kept, LARGEST_SAMPLED_MU)
    while holds(broken):
        if broken == LARGEST_SAMPLED_MU:
            return broken
        kept, broken = broken, min(2 * broken, LARGEST_SAMPLED_MU)
    while broken > 1.001 * kept:
        middle = sqrt(kept * broken)
        kept, broken = (middle, broken) if holds(middle) else (kept, middle)
    return kept


class _Plan(NamedTuple):
    """Steps, standard deviation of their noise, what the sum of gradients is divided by, mu of all steps."""

    schedule: Schedule
    deviation: float
    size: float
    mu: float


@dataclass(eq=False, repr=False)
class NoisyGradientDescent(PerturbedClassifier):
    """Private linear classifier: gradient descent, on all records or on batches, with Gaussian noise.

    A logistic regression, with the loss of :class:`~privml.learners.OutputPerturbation`.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).
    fit_intercept : bool
        Whether to append a constant feature, and divide it and the record by the root of 2.
    bounds : tuple or str, optional
        Declared ranges (lower, upper), or "unit" for rows in the unit ball; None cuts and warns.
    classes : sequence, optional
        Public labels, the negative one first; None reads them from `y`, so that their set is public.
    norm : float
        Length of the weights to compete with, positive.
    n_steps : int, optional
        Number of steps, a positive integer; None takes the rule of ``descent_schedule``, or with batches
        as many as `max_steps`.
    max_steps : int
        Most steps that the rule takes, a positive integer.
    slope : float
        Steepest slope of the loss, positive, at most 1.
    averaged : float
        Share of the iterates, the last ones, whose mean is released, in (0, 1].
    batch_size : float, optional
        Expected number of records in a batch, public, positive; None uses all records in each step.
    sampling_rate : float, optional
        Chance that a record is used in a step, in (0, 1]; None, as `batch_size`, for all records.

    Attributes
    ----------
    coef_ : ndarray
        Weights of shape (1, n_features).
    intercept_ : ndarray
        Intercept of shape (1,): the private output.
    concentrated_ : ConcentratedGuarantee
        The same as a concentrated guarantee, which does not count sampling.
    schedule_ : Schedule
        The steps, from public numbers.
    strength_ : float
        0: there is no penalty.
    classes_ : ndarray
        The two labels.
    privacy_ : Guarantee
        Promise of one fit.

    Notes
    -----
    *Privacy.* All iterates together are (epsilon, delta)-DP under replace-one, with the clipping of records
    of :class:`~privml.learners.OutputPerturbation`; gradients are no longer than the slope L. With batches
    under add-or-remove-one: the number of records is secret, but not that there is one (no record raises).

    *Noise.* Gaussian on each mean gradient, of standard deviation ``2 L sqrt(T) / (n mu)``, mu of
    ``gaussian_mu(epsilon, delta)``; of a batch ``L / (batch_size mu)``, mu of ``sampled_gaussian_mu``.

    References
    ----------
    Song, Chaudhuri and Sarwate (2013); Bassily, Smith and Thakurta (2014); Abadi et al. (2016); the
    accounting is Corollary 3.3 of Dong, Roth and Su (2022), of batches ``sampled_gaussian_mu``.

    Examples
    --------
    >>> X = np.random.default_rng(0).uniform(-0.5, 0.5, size=(2000, 2))
    >>> learner = NoisyGradientDescent(1.0, bounds="unit").fit(X, X[:, 0] > X[:, 1], rng=0)
    >>> print(learner.privacy_, bool(learner.score(X, X[:, 0] > X[:, 1]) > 0.9))
    (1, 1e-05)-differential privacy (replace-one) True

    Batches of about 100 of about 2000 records:

    >>> batches = NoisyGradientDescent(1.0, bounds="unit", batch_size=100, sampling_rate=0.05)
    >>> print(batches.fit(X, X[:, 0] > X[:, 1], rng=0).privacy_)
    (1, 1e-05)-differential privacy (add-or-remove-one)
    """

    epsilon: float = 1.0
    delta: float = 1e-5
    _: KW_ONLY
    norm: float = 10.0
    n_steps: int | None = None
    max_steps: int = 200
    slope: float = 0.5
    averaged: float = 0.5
    batch_size: float | None = None
    sampling_rate: float | None = None

    @property
    def _adjacency(self) -> Adjacency:
        return (
            Adjacency.REPLACE_ONE
            if self.batch_size is None
            else Adjacency.ADD_OR_REMOVE_ONE
        )

    def _plan(self, n: int, d: int, slope: float) -> _Plan:
        """From public numbers; with batches n is not one of them."""
        if self.batch_size is None or self.sampling_rate is None:
            mu = gaussian_mu(self.epsilon, self.delta)
            schedule = descent_schedule(
                n,
                d,
                mu,
                norm=self.norm,
                slope=slope,
                n_steps=self.n_steps,
                max_steps=self.max_steps,
            )
            return _Plan(schedule, 2 * slope * sqrt(schedule.n_steps) / (n * mu), n, mu)
        steps = self.max_steps if self.n_steps is None else self.n_steps
        check.positive_integer(max_steps=self.max_steps, n_steps=steps)
        mu = sampled_gaussian_mu(self.epsilon, self.delta, steps, self.sampling_rate)
        deviation = slope / self.batch_size / mu
        spread = hypot(
            sqrt(d) * deviation,
            slope * sqrt((1 - self.sampling_rate) / self.batch_size),
        )
        rate = min(
            self.norm / (spread * sqrt(2 * steps)),
            1 / CutLogisticLoss(slope).smoothness,
        )
        return _Plan(
            Schedule(steps, rate), deviation, self.batch_size, mu * sqrt(steps)
        )

    def _release(
        self, rows: NDArray, rng: np.random.Generator
    ) -> tuple[NDArray, float]:
        self._check()
        (n, d), loss = rows.shape, CutLogisticLoss(self.slope)
        self.schedule_, deviation, size, mu = self._plan(n, d, loss.slope)
        self.concentrated_ = ConcentratedGuarantee(gaussian_rho(mu), self._adjacency)
        (steps, rate), share = self.schedule_, self.sampling_rate or 1.0
        noise = rng.standard_normal((steps, d)) * deviation
        weights, iterates, used = np.zeros(d), np.empty((steps, d)), rows
        for step, shift in enumerate(noise):
            if share < 1:
                used = rows[rng.random(n) < share]
            gradient = row_sum(loss.derivative(used @ weights), used) / size
            weights = weights - rate * (gradient - shift)
            iterates[step] = weights
        return iterates[-ceil(self.averaged * steps) :].mean(axis=0), 0.0

    def _check(self) -> None:
        super()._check()
        check.probability_open(delta=self.delta)
        check.positive(norm=self.norm)
        check.carried(norm=self.norm, slope=CutLogisticLoss(self.slope).slope)
        check.share(averaged=self.averaged)
        if (self.batch_size is None) != (self.sampling_rate is None):
            raise ValueError(
                "sampling_rate must be given together with batch_size, the expected number of records in a batch, "
                f"but got batch_size={self.batch_size!r} and sampling_rate={self.sampling_rate!r}."
            )
        if self.batch_size is not None:
            check.positive(batch_size=self.batch_size)
            check.carried(batch_size=self.batch_size)
            check.share(sampling_rate=self.sampling_rate)


check.wrap_module(__name__)
