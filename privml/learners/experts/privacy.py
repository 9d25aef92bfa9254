r"""What a run of randomised weighted majority promises, and the learning rate for a promise.

The data set is the sequence of losses; neighbours differ in all losses of one round; what is published is
the whole sequence of choices.  A round is an exponential mechanism with score ``-sum_{j<t} loss_j``, which
the one round changes by at most B, the length of the interval of losses.  So its privacy loss has range
``2 eta B``.  The first round sees no losses: T rounds cost what T - 1 do.

Two theorems turn the rounds into a run.  *Concentrated* privacy adds up, also if losses are chosen in the
light of earlier choices.  If the losses are *fixed in advance* the rounds are independent, and the optimum
for fixed bounded-range steps applies; over all numbers of experts nothing smaller is true.
"""

from math import log, sqrt

from privml import _check as check
from privml.bounds.experts import private_eta_dr11
from privml.composition import (
    concentrated_step_epsilon,
    nonadaptive_range_composition,
    nonadaptive_range_step_epsilon,
)
from privml.guarantee import BoundedRangeGuarantee, ConcentratedGuarantee, Guarantee
from privml.guarantee.conversions import concentrated_rho


def round_guarantee(eta: float, *, loss_range: float = 1.0) -> BoundedRangeGuarantee:
    """What one round promises: a privacy loss in an interval of length 2 eta B.

    **Returns.** BoundedRangeGuarantee: under replace-one: loss sequences that differ in one round.
    **Privacy.** Also ``2 eta B``-DP, and concentrated with rho at most ``(eta B)^2 / 2``.
    **Source.** DR11-lem-rwm-exp-mech; the score has a minus sign, which the source drops.

    Parameters
    ----------
    loss_range : float, default 1
        Length B of the interval that losses lie in.

    Examples
    --------
    >>> print(round_guarantee(0.01), "|", round_guarantee(0.01).concentrated(conversion="simple"))
    0.02-bounded-range privacy (replace-one) | 5e-05-concentrated differential privacy (replace-one)
    """
    check.positive(eta=eta, loss_range=loss_range)
    return BoundedRangeGuarantee(2 * eta * loss_range)


def concentrated_run(eta: float, n_rounds: int, *, loss_range: float = 1.0) -> ConcentratedGuarantee:
    """What a run promises as concentrated privacy.

    **Returns.** ConcentratedGuarantee: T - 1 times the tight rho of a round, at most ``(T - 1) (eta B)^2 /
    2``.
    **Privacy.** Also for losses that are chosen in the light of earlier choices, if both sequences are made
    by the same rule but for the one round.
    **Source.** DR11-thm-11.2 in its concentrated form; DR11-lem-rwm-exp-mech.

    Parameters
    ----------
    loss_range : float, default 1
        Length B of the interval that losses lie in.

    Examples
    --------
    >>> print(concentrated_run(0.01, 1001))
    0.0499998-concentrated differential privacy (replace-one)
    """
    check.positive_integer(n_rounds=n_rounds)
    step = round_guarantee(eta, loss_range=loss_range).concentrated()
    return ConcentratedGuarantee((n_rounds - 1) * step.rho, step.adjacency)


def run_guarantee(
    eta: float, n_rounds: int, delta: float, *, loss_range: float = 1.0, adaptive: bool = False
) -> Guarantee:
    """What a run promises at a chosen delta.

    **Privacy.** Of the whole sequence of choices, for loss sequences that differ in one round.
    **Source.** DR11-thm-11.2, sharpened by Dong, Durfee and Rogers (2020), Theorem 3, or (adaptive) by
    concentrated privacy.

    Parameters
    ----------
    loss_range : float, default 1
        Length B of the interval that losses lie in.
    adaptive : bool, default False
        Whether losses may be chosen in the light of earlier choices.

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
        return concentrated_run(eta, n_rounds, loss_range=loss_range).approximate(delta)
    return nonadaptive_range_composition(step, n_rounds - 1, delta)


def _simple_eta(epsilon: float, steps: int, delta: float) -> float:
    return sqrt(2 / steps * concentrated_rho(epsilon, delta, conversion="simple"))


def _concentrated_eta(epsilon: float, steps: int, delta: float) -> float:
    return concentrated_step_epsilon(epsilon, steps, delta, step="bounded range") / 2


def _oblivious_eta(epsilon: float, steps: int, delta: float) -> float:
    return nonadaptive_range_step_epsilon(epsilon, steps, delta) / 2


def four_times_excess(epsilon: float, delta: float) -> float:
    """How far four times the printed rate is from what the four-times theorem needs: at most 0 is enough.

    **Returns.** ``epsilon / 2 - epsilon^2 / (16 L) - 1 - ln(2 L / epsilon - 1 / 2)`` with L = ln(1 / delta):
    a bound on ln(delta' / delta) for the delta' at epsilon.
    **Privacy.** Concentrated privacy with ``rho = epsilon^2 / (4 L)``, converted at the order
    ``1 + (epsilon - rho) / (2 rho)``.  At most 0 for every epsilon <= 1 and delta <= 1 / 2.
    **Source.** Sharpens DR11-thm-11.2.

    >>> round(four_times_excess(1.0, 1e-5), 3), round(four_times_excess(6.0, 1e-5), 3)
    (-3.62, 0.599)
    """
    check.positive(epsilon=epsilon)
    check.probability_open(delta=delta)
    order = -2 * log(delta) / epsilon - 1 / 2
    if order <= 0:
        raise ValueError(f"epsilon must be below 4 ln(1 / delta) = {-4 * log(delta):g}, got {epsilon!r}")
    return epsilon / 2 + epsilon**2 / (16 * log(delta)) - 1 - log(order)


def _four_times_eta(epsilon: float, delta: float, n_rounds: int) -> float:
    if four_times_excess(epsilon, delta) > 0:
        rule = "such that four_times_excess(epsilon, delta) is at most 0"
        raise ValueError(f"epsilon must be {rule}, got {epsilon!r} with delta {delta!r}")
    return 4 * private_eta_dr11(epsilon, delta, n_rounds)


_ETAS = {"simple": _simple_eta, "concentrated": _concentrated_eta, "oblivious": _oblivious_eta}
METHODS = ("dr11", "four times", *_ETAS)


def private_eta(
    epsilon: float, delta: float, n_rounds: int, *, method: str = "concentrated", loss_range: float = 1.0
) -> float:
    """Learning rate at which a run of T rounds is (epsilon, delta)-differentially private.

    **Returns.** A single round is private at any rate; it is given the rate of two.
    **Privacy.** Of the whole sequence of choices, for loss sequences that differ in one round.  All methods
    but "oblivious" also cover losses that are chosen in the light of earlier choices.
    **Source.** DR11-thm-11.2 for "dr11"; the others sharpen it, "simple" to
    ``sqrt(2 / (T - 1)) (sqrt(ln(1 / delta) + epsilon) - sqrt(ln(1 / delta)))``.

    Parameters
    ----------
    method : {"concentrated", "oblivious", "simple", "four times", "dr11"}
        The largest rate by concentrated privacy, tightly converted; the largest rate that is private for
        every loss sequence fixed in advance and every number of experts; concentrated privacy in closed
        form; Theorem 11.2 as printed, and four times its rate where that is proved.
    loss_range : float, default 1
        Length B of the interval that losses lie in; divides the rate.

    Examples
    --------
    Times the printed rate:

    >>> printed = private_eta(1.0, 1e-5, 1000, method="dr11")
    >>> for method in ("simple", "concentrated", "oblivious"):
    ...     print(method, round(private_eta(1.0, 1e-5, 1000, method=method) / printed, 3))
    simple 3.919
    concentrated 4.747
    oblivious 5.148
    """
    check.one_of(METHODS, method=method)
    check.positive(epsilon=epsilon, loss_range=loss_range)
    check.probability_open(delta=delta)
    check.positive_integer(n_rounds=n_rounds)
    if method == "dr11":
        return private_eta_dr11(epsilon, delta, n_rounds, loss_range=loss_range)
    if method == "four times":
        return _four_times_eta(epsilon, delta, n_rounds) / loss_range
    eta = _ETAS[method](epsilon, max(n_rounds - 1, 1), delta) / loss_range
    check.positive(**{"rate at this epsilon": eta})
    return eta
