r"""What a run of randomised weighted majority promises, the learning rate for a promise, and a run with both.

The data set is the sequence of losses; neighbours differ in all losses of one round; what is published is
the whole sequence of choices.  A round is an exponential mechanism with score ``-sum_{j<t} loss_j``, which
the one round changes by at most B, the length of the interval of losses.  So its privacy loss has range
``2 eta B``.  The first round sees no losses: T rounds cost what T - 1 do.

Two theorems turn the rounds into a run.  *Concentrated* privacy adds up, also if losses are chosen in the
light of earlier choices.  If the losses are *fixed in advance* the rounds are independent, and the optimum
for fixed bounded-range steps applies; over all numbers of experts nothing smaller is true.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml import composition
from privml._display import MOST_ROWS, html_card, rounded_down
from privml._rounding import product
from privml.bounds.experts import private_eta_dr11
from privml.guarantee import BoundedRangeGuarantee, ConcentratedGuarantee, Guarantee
from privml.learners.experts.base import checked_losses
from privml.learners.experts.majority import actions

ETA_METHODS = ("dr11", "concentrated", "nonadaptive")


def round_guarantee(eta: float, *, loss_range: float = 1.0) -> BoundedRangeGuarantee:
    """What one round promises: a privacy loss in an interval of length 2 eta B.

    Parameters
    ----------
    eta : float
        Learning rate, positive.
    loss_range : float
        Length of the interval of the losses, positive.

    Returns
    -------
    BoundedRangeGuarantee
        Range of ``2 eta loss_range``.

    Notes
    -----
    *Privacy.* The guarantee is under replace-one, for loss sequences that differ in one round.

    References
    ----------
    DR11-lem-rwm-exp-mech; the score has a minus sign, which the source drops.

    Examples
    --------
    >>> print(round_guarantee(0.01), "|", round_guarantee(0.01).as_concentrated(conversion="simple"))
    0.02-bounded-range privacy (replace-one) | 5e-05-concentrated differential privacy (replace-one)
    """
    check.positive(eta=eta, loss_range=loss_range)
    return BoundedRangeGuarantee(product(2, eta, loss_range))


def concentrated_run(
    eta: float, n_rounds: int, *, loss_range: float = 1.0
) -> ConcentratedGuarantee:
    """What a run promises as concentrated privacy.

    Parameters
    ----------
    eta : float
        Learning rate, positive.
    n_rounds : int
        Number of rounds, a positive integer.
    loss_range : float
        Length of the interval of the losses, positive.

    Returns
    -------
    ConcentratedGuarantee
        ``n_rounds - 1`` times the tight rho of a round.

    Notes
    -----
    *Privacy.* The guarantee also holds for losses that are chosen in the light of earlier choices, if both sequences are made
    by the same rule but for the one round.

    References
    ----------
    DR11-thm-11.2 in its concentrated form.

    Examples
    --------
    >>> print(concentrated_run(0.01, 1001))
    0.0499998-concentrated differential privacy (replace-one)
    """
    check.positive_integer(n_rounds=n_rounds)
    step = round_guarantee(eta, loss_range=loss_range).as_concentrated()
    return ConcentratedGuarantee(product(n_rounds - 1, step.rho), step.adjacency)


def run_guarantee(
    eta: float,
    n_rounds: int,
    delta: float,
    *,
    loss_range: float = 1.0,
    adaptive: bool = False,
) -> Guarantee:
    """What a run promises at a chosen delta.

    Parameters
    ----------
    eta : float
        Learning rate, positive.
    n_rounds : int
        Number of rounds, a positive integer.
    delta : float
        Additive slack, in (0, 1).
    loss_range : float
        Length of the interval of the losses, positive.
    adaptive : bool
        Here whether losses may be chosen in the light of earlier choices.

    Notes
    -----
    *Privacy.* The guarantee is about the whole sequence of choices, for loss sequences that differ in one round.

    References
    ----------
    DR11-thm-11.2, sharpened by Dong, Durfee and Rogers (2020), Theorem 3, or (adaptive) by concentrated
    privacy.

    Examples
    --------
    >>> print(run_guarantee(0.0016475, 1000, 1e-5))
    (0.167289, 1e-05)-differential privacy (replace-one)
    >>> print(run_guarantee(0.0016475, 1000, 1e-5, adaptive=True))
    (0.185473, 1e-05)-differential privacy (replace-one)
    """
    check.positive_integer(n_rounds=n_rounds)
    step = round_guarantee(eta, loss_range=loss_range)
    if n_rounds == 1:
        check.probability_open(delta=delta)
        return Guarantee(0.0, delta)
    if adaptive:
        return concentrated_run(eta, n_rounds, loss_range=loss_range).as_approximate(
            delta
        )
    return composition.nonadaptive_range_composition(step, n_rounds - 1, delta)


def private_eta(
    epsilon: float,
    delta: float,
    n_rounds: int,
    *,
    method: str = "concentrated",
    loss_range: float = 1.0,
) -> float:
    """Learning rate at which a run of T rounds is (epsilon, delta)-differentially private.

    "concentrated" is the largest rate by concentrated privacy, tightly converted; "nonadaptive" the largest
    that is private for every loss sequence fixed in advance and every number of experts; "dr11" Theorem 11.2
    as printed.  A single round is private at any rate; the first two give it the rate of two.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).
    n_rounds : int
        Number of rounds, a positive integer.
    method : str
        One of "concentrated", "nonadaptive" and "dr11", as above.
    loss_range : float
        Length of the interval of the losses, positive.

    Notes
    -----
    *Privacy.* The guarantee is about the whole sequence of choices, for loss sequences that differ in one round. All methods
    but "nonadaptive", the default of :func:`private_actions`, also cover losses that answer to choices.

    References
    ----------
    DR11-thm-11.2 for "dr11"; the others sharpen it.

    Examples
    --------
    >>> printed = private_eta(1.0, 1e-5, 1000, method="dr11")
    >>> [round(private_eta(1.0, 1e-5, 1000, method=m) / printed, 3) for m in ("concentrated", "nonadaptive")]
    [4.747, 5.148]
    """
    check.one_of(ETA_METHODS, method=method)
    check.standard_ranges(
        epsilon=epsilon, loss_range=loss_range, delta=delta, n_rounds=n_rounds
    )
    if method == "dr11":
        return private_eta_dr11(epsilon, delta, n_rounds, loss_range=loss_range)
    steps = max(n_rounds - 1, 1)
    if method == "concentrated":
        step_epsilon = composition.concentrated_step_epsilon(
            epsilon, steps, delta, step="bounded range"
        )
    else:
        step_epsilon = composition.nonadaptive_range_step_epsilon(epsilon, steps, delta)
    eta = step_epsilon / 2 / loss_range
    check.positive(**{"rate at this epsilon": eta})
    return eta


class PrivateRun(NamedTuple):
    """One private run.

    Parameters
    ----------
    actions, eta : ndarray, float
        Indices of the experts chosen, of shape (n_rounds,); learning rate, positive.
    guarantee : Guarantee
        What publishing the choices promises.
    """

    actions: NDArray[np.intp]
    eta: float
    guarantee: Guarantee

    def _repr_html_(self) -> str:
        chosen, times = np.unique(self.actions, return_counts=True)
        often = np.argsort(-times, kind="stable")[:MOST_ROWS]
        rows = [("expert", "chosen"), *((int(chosen[k]), int(times[k])) for k in often)]
        title = f"{self.actions.size} rounds at eta {rounded_down(self.eta, 4)}"
        return html_card(title, rows, str(self.guarantee))


def private_actions(
    losses: ArrayLike,
    *,
    epsilon: float,
    delta: float,
    method: str = "nonadaptive",
    lower: float = 0.0,
    upper: float = 1.0,
    rng: np.random.Generator | int | None = None,
) -> PrivateRun:
    """Choices of one private run over losses that are fixed in advance, with what they promise.

    Parameters
    ----------
    losses : array_like
        Losses of shape (n_rounds, n_experts), fixed in advance, moved into [lower, upper]; private.
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).
    method : str
        One of "nonadaptive" (losses are fixed here), "concentrated" and "dr11", as of :func:`private_eta`.
    lower, upper : float
        Public ends of the interval of the losses, finite, `lower` below `upper`.
    rng : int or Generator, optional
        Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.

    Notes
    -----
    *Privacy.* The output is (epsilon, delta)-differentially private for loss sequences that differ in one round; a loss outside of the public
    interval counts as its end. Idealised: the draws use floating-point numbers.

    *Accuracy.* Expected regret: :func:`~privml.bounds.experts.regret_bound`, ``loss_range=upper - lower``.

    References
    ----------
    DR11-alg-16.

    Examples
    --------
    >>> run = private_actions(np.tile([1, 0], (1000, 1)), epsilon=1.0, delta=1e-5, rng=0)
    >>> print(run.guarantee, run.actions.mean())
    (1, 1e-05)-differential privacy (replace-one) 0.925
    """
    losses = checked_losses(losses, lower=lower, upper=upper)
    eta = private_eta(
        epsilon,
        delta,
        len(losses),
        method=method,
        loss_range=float(upper) - float(lower),
    )
    return PrivateRun(
        actions(losses, eta, lower=lower, upper=upper, rng=rng),
        eta,
        Guarantee(epsilon, delta),
    )


check.wrap_module(__name__)
