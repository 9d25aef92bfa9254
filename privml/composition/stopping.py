r"""The best of a random number of runs: private selection with random stopping.

A private algorithm, such as the fit of a randomly drawn candidate together with a noisy score, is run until a
coin says stop, and only the best of its results is released.  A fixed number of runs would add up; a random
one does not, since nobody knows how many there were.

With :math:`f(x) = \gamma x / (1 - (1 - \gamma) x)`, the generating function of the number of runs, a result of
probability p is the best with probability

.. math:: f(b) - f(a) = \frac{\gamma p}{(\gamma + (1 - \gamma)(1 - a)) (\gamma + (1 - \gamma)(1 - b))} ,

where a is the probability of a worse result and b = a + p.  Between neighbours p changes by a factor of at most
:math:`e^\varepsilon`.  Each factor below is :math:`\gamma + (1 - \gamma) u` for the probability u of an event, and
u and u' of neighbours obey :math:`u' \le \min(e^\varepsilon u, 1 - e^{- \varepsilon}(1 - u))`; the ratio of the
factors is largest at the corner :math:`u = 1 / (1 + e^\varepsilon)`.  Hence the loss is at most

.. math:: \varepsilon + 2 \ln \frac{\gamma + (1 - \gamma) e^\varepsilon / (1 + e^\varepsilon)}
                                  {\gamma + (1 - \gamma) / (1 + e^\varepsilon)} ,

which results of vanishing probability just above the corner attain.  The chapter *Private hyperparameter tuning*
proves it for a family of stopping rules.
"""

from dataclasses import replace
from math import exp, log, log1p, tanh

import numpy as np
from numpy.typing import ArrayLike

from privml import _check as check
from privml._rounding import above
from privml.distributions import Categorical
from privml.divergences import log_probabilities
from privml.guarantee import ConcentratedGuarantee, GaussianGuarantee, Guarantee

_ORDERS = 1 + np.geomspace(1e-3, 1e6, 4000)  # of Renyi divergences that are tried


def geometric_stopping(
    guarantee: Guarantee | ConcentratedGuarantee | GaussianGuarantee,
    stopping_probability: float,
    *,
    delta: float | None = None,
) -> Guarantee:
    r"""Guarantee of the best result of a geometric number of runs of a private algorithm.

    The algorithm is run again and again, with fresh coins each time, and after each run a coin of its own says
    whether to stop; only the best of all results is released.  The mean number of runs is
    ``1 / stopping_probability``.

    Parameters
    ----------
    guarantee : Guarantee, ConcentratedGuarantee or GaussianGuarantee
        Promise of one run, with its score.
    stopping_probability : float
        Chance gamma that a run is the last one, in (0, 1].
    delta : float, optional
        Additive slack of the whole, in (0, 1), for a concentrated or Gaussian guarantee; None for others.

    Returns
    -------
    Guarantee
        Of a pure guarantee the exact worst loss, as above, at most 3 epsilon. With a delta, runs are pure
        but for accidents: the same with the stopping probability gamma' = gamma + (1 - gamma) delta, and
        delta / gamma'. Of a concentrated or Gaussian one the least epsilon at the given delta that Renyi
        divergences prove.

    Raises
    ------
    ValueError
        If `delta` is missing for a concentrated or Gaussian guarantee, or given for another one.

    Notes
    -----
    *Privacy.* The score must be part of what a run returns, so that the better of two runs is found without another
    look at the records.  Ties are broken without the records, too.

    References
    ----------
    Liu and Talwar (2019) for 3 epsilon; Papernot and Steinke (2022), Theorem 2, for Renyi divergences. The
    exact loss, and what a delta does, are proved in the chapter *Private hyperparameter tuning*. For
    L4-exp-mech-privacy.

    Examples
    --------
    >>> for gamma in (0.5, 0.1, 0.01):
    ...     print(geometric_stopping(Guarantee(1.0), gamma))
    1.62111-differential privacy (replace-one)
    2.59135-differential privacy (replace-one)
    2.95371-differential privacy (replace-one)
    """
    check.share(stopping_probability=stopping_probability)
    if isinstance(guarantee, Guarantee):
        if delta is not None:
            raise ValueError(
                f"delta must be None for an (epsilon, delta) guarantee, which has its own, but got {delta!r}."
            )
        return _stopped(guarantee, stopping_probability)
    if not isinstance(guarantee, ConcentratedGuarantee | GaussianGuarantee):
        raise ValueError(
            f"guarantee must be pure, approximate, concentrated or Gaussian, but got {check._kind(guarantee)}."
        )
    concentrated = guarantee.as_concentrated()
    if delta is None:
        raise ValueError(
            "delta must be given for a concentrated or Gaussian guarantee, but got None."
        )
    check.probability_open(delta=delta)
    epsilon = _stopped_epsilon(concentrated.rho, stopping_probability, delta)
    return Guarantee(epsilon, delta, concentrated.adjacency, concentrated.group_size)


def _stopped(guarantee: Guarantee, gamma: float) -> Guarantee:
    """The exact loss of runs that are pure but for accidents."""
    epsilon, own_delta = guarantee.epsilon, guarantee.delta
    if own_delta == 1:
        return guarantee
    gamma = gamma + (1 - gamma) * own_delta  # that a run is the last, or an accident
    corner = exp(-epsilon) / (1 + exp(-epsilon))
    gain = (1 - gamma) * tanh(epsilon / 2) / (gamma + (1 - gamma) * corner)
    spent = min(epsilon + 2 * log1p(gain), 3 * epsilon)
    delta = min(1.0, above(own_delta / gamma, 8))
    return replace(guarantee, epsilon=above(spent, 16), delta=delta)


def _stopped_epsilon(rho: float, gamma: float, delta: float) -> float:
    """The least epsilon at delta over the orders of both Renyi divergences."""
    log_runs = -log(gamma)
    if rho == 0:
        return 0.0
    other = max(1.0, (log_runs / rho) ** 0.5)  # the best order of the second divergence
    extra = 2 * (other - 1) * rho + 2 * log_runs / other
    terms = (
        rho * _ORDERS,
        np.full(_ORDERS.shape, extra),
        log_runs / (_ORDERS - 1),
        np.log1p(-1 / _ORDERS),
        -(log(delta) + np.log(_ORDERS)) / (_ORDERS - 1),
    )
    bounds = sum(terms) + 2.0**-48 * sum(abs(term) for term in terms)
    return max(0.0, float(np.min(bounds)))


def best_of_geometric(
    distribution: Categorical | ArrayLike, stopping_probability: float
) -> Categorical:
    """Exact distribution of the best of a geometric number of independent draws.

    Parameters
    ----------
    distribution : Categorical or array_like of shape (n_outcomes,)
        Law of one draw, or its probabilities; outcomes in order, the best one last.
    stopping_probability : float
        Chance that a draw is the last one, in (0, 1].

    References
    ----------
    Liu and Talwar (2019), section 3; the chapter *Private hyperparameter tuning*. For L4-exp-mech-privacy.

    Examples
    --------
    >>> best_of_geometric([0.5, 0.5], 0.5).pmf().round(4).tolist()
    [0.3333, 0.6667]
    """
    check.share(stopping_probability=stopping_probability)
    log_p = log_probabilities(distribution)
    tails = np.append(np.cumsum(np.exp(log_p)[::-1])[::-1], 0.0)
    factors = np.log(
        stopping_probability + (1 - stopping_probability) * np.minimum(tails, 1.0)
    )
    return Categorical(log_p - factors[:-1] - factors[1:])


check.wrap_module(__name__)
