r"""Noisy gradient descent: every step uses all records and adds Gaussian noise to the mean gradient.

.. math:: w_{t + 1} = w_t - \eta \Big( \nabla \hat R(w_t) + \frac{2 L \sqrt{T}}{n \mu} Z_t \Big), \qquad
          \hat w = \frac1k \sum_{t = T - k + 1}^{T} w_t .

A replaced record moves the mean gradient by at most 2 L / n, so each step is a Gaussian mechanism with
parameter :math:`\mu / \sqrt{T}`, and T of them have exactly the privacy curve of one with parameter mu.
"""

from dataclasses import KW_ONLY, dataclass
from math import ceil, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.divergences import gaussian_mu
from privml.guarantee import ConcentratedGuarantee, gaussian_rho
from privml.learners.perturbation.base import CutLogisticLoss, PerturbedClassifier


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

    **Source.** Ours; the usual analysis of stochastic gradient descent with smooth losses.

    >>> steps, rate = descent_schedule(400, 30, 0.25, norm=10.0)
    >>> steps, round(rate, 3)
    (33, 3.912)

    Parameters
    ----------
    n_samples, dimension : int
        Number of records, a positive integer; dimension of the weights, a positive integer.
    mu : float
        Shift of Gaussian noise in standard deviations, of all steps together, positive.
    norm, slope : float
        Length of the weights to compete with R, positive; steepest slope of the loss L, positive, at most 1.
    n_steps : int, optional
        Number T of steps, a positive integer; None takes the fewest with :math:`\eta \le 1 / c`.
    max_steps : int
        Most steps that None takes, a positive integer.
    """
    check.positive_integer(n_samples=n_samples, dimension=dimension, max_steps=max_steps)
    check.positive(mu=mu, norm=norm)
    loss = CutLogisticLoss(slope)
    time = n_samples * mu * norm / (2 * loss.slope * sqrt(2 * dimension))
    if n_steps is None:
        n_steps = min(max(1, ceil(time * loss.smoothness)), max_steps)
    check.positive_integer(n_steps=n_steps)
    return Schedule(n_steps, min(time / n_steps, 1 / loss.smoothness))


@dataclass(eq=False, repr=False)
class NoisyGradientDescent(PerturbedClassifier):
    """Private linear classifier: full-batch gradient descent with Gaussian noise in every step.

    A logistic regression, with the loss of :class:`~privml.learners.OutputPerturbation`.
    **Privacy.** As :class:`~privml.learners.OutputPerturbation`, of all iterates together, with its clipping
    of records.  Gradients need none: with slope L they are no longer than L.
    **Source.** Song, Chaudhuri and Sarwate (2013); Bassily, Smith and Thakurta (2014); the accounting is
    Corollary 3.3 of Dong, Roth and Su (2022).

    >>> X = np.random.default_rng(0).uniform(-0.5, 0.5, size=(2000, 2))
    >>> learner = NoisyGradientDescent(1.0, bounds="unit").fit(X, X[:, 0] > X[:, 1], rng=0)
    >>> print(learner.privacy_, bool(learner.score(X, X[:, 0] > X[:, 1]) > 0.9))
    (1, 1e-05)-differential privacy (replace-one) True

    Parameters
    ----------
    epsilon, delta : float
        Privacy parameter in nats, positive; additive slack, in (0, 1).
    fit_intercept : bool
        Whether to append a constant feature, and divide it and the record by the root of 2.
    bounds : tuple or str, optional
        Declared ranges (lower, upper), or "unit" for rows in the unit ball; None cuts and warns.
    classes : sequence, optional
        Public labels, the negative one first; None reads them from `y`, so that their set is public.
    norm : float
        Length of the weights to compete with, positive.
    n_steps : int, optional
        Number of steps, a positive integer; None takes the rule of ``descent_schedule``.
    max_steps, slope : int, float
        Most steps that the rule takes, a positive integer; steepest slope of the loss, positive, at most 1.
    averaged : float
        Share of the iterates, the last ones, whose mean is released; positive, at most 1.

    Attributes
    ----------
    coef_, intercept_ : ndarray
        Weights of shape (1, n_features); intercept of shape (1,): the private output.
    concentrated_, schedule_ : ConcentratedGuarantee, Schedule
        The same as a concentrated guarantee, and the steps, from public numbers.
    strength_ : float
        0: there is no penalty.
    classes_, privacy_ : ndarray, Guarantee
        The two labels; promise of one fit.
    """

    epsilon: float = 1.0
    delta: float = 1e-5
    _: KW_ONLY
    norm: float = 10.0
    n_steps: int | None = None
    max_steps: int = 200
    slope: float = 0.5
    averaged: float = 0.5

    def _release(self, rows: NDArray, rng: np.random.Generator) -> tuple[NDArray, float]:
        check.probability_open(delta=self.delta)
        check.positive(averaged=self.averaged)
        if self.averaged > 1:
            raise ValueError(f"averaged must be at most 1, got {self.averaged!r}")
        (n, d), loss = rows.shape, CutLogisticLoss(self.slope)
        mu = gaussian_mu(self.epsilon, self.delta)
        self.concentrated_ = ConcentratedGuarantee(gaussian_rho(mu))
        self.schedule_ = descent_schedule(
            n, d, mu, norm=self.norm, slope=self.slope, n_steps=self.n_steps, max_steps=self.max_steps
        )
        steps, rate = self.schedule_
        noise = rng.standard_normal((steps, d)) * (2 * loss.slope * sqrt(steps) / (n * mu))
        weights, iterates = np.zeros(d), np.empty((steps, d))
        for step, shift in enumerate(noise):
            gradient = loss.derivative(rows @ weights) @ rows / n
            weights = weights - rate * (gradient - shift)
            iterates[step] = weights
        return iterates[-ceil(self.averaged * steps) :].mean(axis=0), 0.0


check.doors(__name__)
