r"""Not knowing how long it lasts: restarts in epochs of doubling length, and rates that decrease.

**Doubling.**  Epochs of 1, 2, 4, ... rounds, each with a fresh start and the rate for its own length.  A loss
vector is used in its own epoch only.  So if each epoch is (epsilon, delta)-differentially private, the whole
run is, however long it lasts: not knowing the horizon costs no privacy, and a constant factor of regret.

**Decreasing.**  Algorithm 16 with a rate eta_t for round t.  A loss vector is used in all later rounds, so
the costs ``eta_t^2 / 2`` add up over the run.  With rates in proportion to ``1 / sqrt(t)``, good for regret,
the sum grows like ln T; rates must fall a little faster for a promise that holds forever.
"""

from collections.abc import Callable
from math import log, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.bounds.experts import VARIANCES
from privml.guarantee import ConcentratedGuarantee
from privml.guarantee.conversions import bounded_range_rho, concentrated_rho
from privml.learners.experts.base import checked_eta, checked_losses
from privml.learners.experts.majority import action_probabilities

Rate = Callable[[int], float]

SUMMED = 100_000


def doubling_epochs(n_rounds: int) -> list[slice]:
    """Epochs of 1, 2, 4, ... rounds, the last one cut off where the rounds end.

    **Source.** For DR11-rem-price-of-privacy, whose footnote leaves the unknown horizon open; Cesa-Bianchi
    and Lugosi (2006), section 2.3.

    Returns
    -------
    list of slice

    Raises
    ------
    ValueError
        If `n_rounds` is not a positive integer.

    Examples
    --------
    >>> [(epoch.start, epoch.stop) for epoch in doubling_epochs(5)]
    [(0, 1), (1, 3), (3, 5)]
    """
    check.positive_integer(n_rounds=n_rounds)
    starts = [2**m - 1 for m in range(n_rounds.bit_length()) if 2**m - 1 < n_rounds]
    return [slice(start, min(2 * start + 1, n_rounds)) for start in starts]


def _rates(n_rounds: int, rate: Rate) -> list[tuple[slice, float]]:
    """Each epoch with the rate for its full length, which the learner cannot know to be cut off."""
    return [(epoch, rate(epoch.start + 1)) for epoch in doubling_epochs(n_rounds)]


def doubling_probabilities(losses: ArrayLike, rate: Rate) -> NDArray[np.float64]:
    """Choice probabilities of randomised weighted majority that restarts in epochs of doubling length.

    **Privacy.** Whatever all epochs promise alone, for loss sequences that differ in one round.
    **Source.** For DR11-rem-price-of-privacy; Cesa-Bianchi and Lugosi (2006), section 2.3.

    Parameters
    ----------
    losses : array_like of shape (n_rounds, n_experts)
        In [0, 1].
    rate : callable
        From the length of an epoch to its learning rate.

    Returns
    -------
    ndarray of shape (n_rounds, n_experts)

    Examples
    --------
    >>> doubling_probabilities([[1, 0], [1, 0], [1, 0]], lambda n: np.log(3)).round(4).tolist()
    [[0.5, 0.5], [0.5, 0.5], [0.25, 0.75]]
    """
    losses = checked_losses(losses)
    check.function(rate=rate)
    return np.concatenate(
        [action_probabilities(losses[epoch], eta) for epoch, eta in _rates(len(losses), rate)]
    )


def doubling_regret_bound(n_rounds: int, n_experts: int, rate: Rate, *, constant: str = "hoeffding") -> float:
    """Bound on the expected regret of a run that restarts in epochs of doubling length.

    **Returns.** The sum over epochs of ``c eta rounds + ln(k) / eta``, over T: the best expert of the whole
    run has at least the loss of the best of each epoch.
    **Source.** DR11-thm-11.1 for each epoch; Cesa-Bianchi and Lugosi (2006), section 2.3.

    Parameters
    ----------
    rate : callable
        From the length of an epoch to its learning rate.
    constant : {"hoeffding", "dr11"}
        Of the bound for each epoch, as in :func:`privml.bounds.experts.regret_bound`.

    Examples
    --------
    >>> from privml.bounds.experts import best_eta, best_regret_bound
    >>> bound = doubling_regret_bound(1023, 10, lambda n: best_eta(10, n))
    >>> round(bound / best_regret_bound(10, 1023), 3)
    2.34
    """
    check.positive_integer(n_experts=n_experts)
    check.one_of(VARIANCES, constant=constant)
    check.function(rate=rate)
    total = 0.0
    for epoch, eta in _rates(n_rounds, rate):
        check.positive(eta=eta)
        total += VARIANCES[constant] * eta * (epoch.stop - epoch.start) + log(n_experts) / eta
    return total / n_rounds


def decreasing_regret_bound(eta: ArrayLike, n_experts: int, *, constant: str = "hoeffding") -> float:
    """Bound on the expected regret of Algorithm 16 with rates that do not increase.

    **Returns.** ``(c sum_t eta_t + ln(k) / eta_T) / T``.
    **Source.** Sharpens DR11-thm-11.1, which is the case of equal rates.

    Parameters
    ----------
    eta : array_like of shape (n_rounds,)
        Rate of each round, positive, not increasing.
    constant : {"hoeffding", "dr11"}
        c = 1 / 8 or 1.

    Examples
    --------
    >>> eta = 2 * np.sqrt(np.log(10) / np.arange(1, 1024))
    >>> round(decreasing_regret_bound(eta, 10) / sqrt(log(10) / (2 * 1023)), 3)
    1.398
    """
    check.positive_integer(n_experts=n_experts)
    check.one_of(VARIANCES, constant=constant)
    rates = checked_eta(eta, np.size(eta))
    if (np.diff(rates) > 0).any():
        raise ValueError(f"eta must not increase, got a step of {np.diff(rates).max()!r}")
    return float(VARIANCES[constant] * rates.sum() + log(n_experts) / rates[-1]) / rates.size


def schedule_guarantee(eta: ArrayLike) -> ConcentratedGuarantee:
    """What a run with one rate per round promises as concentrated privacy.

    **Returns.** ConcentratedGuarantee: the sum of the tight rho of all rounds but the first, which sees no
    losses.
    **Privacy.** For loss sequences that differ in one round, also if losses answer to earlier choices.
    **Source.** DR11-lem-rwm-exp-mech, composed.

    Parameters
    ----------
    eta : array_like of shape (n_rounds,)
        Rate of each round, positive.

    Examples
    --------
    >>> print(schedule_guarantee(0.1 / np.sqrt(np.arange(1, 1001))))
    0.0324256-concentrated differential privacy (replace-one)
    """
    rates = checked_eta(eta, np.size(eta))
    return ConcentratedGuarantee(float(sum(bounded_range_rho(2 * rate) for rate in rates[1:].tolist())))


def lasting_eta(epsilon: float, delta: float, n_rounds: int) -> NDArray[np.float64]:
    """Rates for which a run of any length is (epsilon, delta)-differentially private.

    **Returns.** ndarray of shape (n_rounds,): ``c / (sqrt(t) ln(t + 1))``, with c such that the ``eta_t^2 /
    2`` of all t > 1 up to infinity add up to no more than the budget.
    **Privacy.** For loss sequences that differ in one round, also if losses answer to earlier choices.
    **Source.** For DR11-rem-price-of-privacy, whose footnote says that the rate can be set adaptively.

    Parameters
    ----------
    n_rounds : int
        How many of the rates to return, at least 1; they do not depend on it.

    Examples
    --------
    >>> lasting_eta(1.0, 1e-5, 3).round(4).tolist()
    [0.312, 0.1392, 0.0901]
    """
    check.positive_integer(n_rounds=n_rounds)
    t = np.arange(2, SUMMED + 1)
    # Past SUMMED the sum is at most the integral of 1 / (x ln(x)^2).
    total = float((1 / (t * np.log(t + 1) ** 2)).sum()) + 1 / log(SUMMED)
    t = np.arange(1, n_rounds + 1)
    return sqrt(2 * concentrated_rho(epsilon, delta) / total) / (np.sqrt(t) * np.log(t + 1))
