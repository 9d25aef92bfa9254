"""Regret of randomised weighted majority, with and without privacy, and LinearLearner's excess risk.

Regret is the average over T rounds with k experts and losses in an interval of length B; the rate eta
multiplies losses in their own units.
"""

from math import log, sqrt

from privml import _check as check
from privml.bounds.tails import azuma_deviation, regret_deviation

VARIANCES = {
    "dr11": 1.0,
    "hoeffding": 1 / 8,
}  # of eta in the regret, on an interval of length 1
REGRET_FORMS = ("sum", "closed")
LOSS_RANGE = 2.0  # length of the interval of LinearLearner's losses
RANGES = {
    "corrected": LOSS_RANGE,
    "source": 1.0,
}  # the length that each of its rates is made for


def _variance(constant: str, loss_range: float = 1.0, **counts: int) -> float:
    check.positive_integer(**counts)
    check.one_of(VARIANCES, constant=constant)
    check.positive(loss_range=loss_range)
    return VARIANCES[constant]


def _regret_sum(
    eta: float, n_experts: int, n_rounds: int, constant: str, loss_range: float = 1.0
) -> float:
    variance = _variance(constant, loss_range, n_experts=n_experts, n_rounds=n_rounds)
    check.positive(eta=eta)
    return variance * eta * loss_range * loss_range + log(n_experts) / (eta * n_rounds)


def regret_bound(
    eta: float,
    *,
    n_experts: int,
    n_rounds: int,
    constant: str = "hoeffding",
    loss_range: float = 1.0,
    capped: bool = True,
) -> float:
    r"""Bound on the expected regret of randomised weighted majority.

    Parameters
    ----------
    eta : float
        Learning rate, positive.
    n_experts, n_rounds : int
        Numbers of experts and rounds, positive integers.
    constant : str
        One of "hoeffding" and "dr11", the source's.
    loss_range : float
        Length B of the interval of the losses, positive.
    capped : bool, default True
        Whether to answer B where the formula exceeds it, since no regret does.

    Returns
    -------
    float
        ``c eta B^2 + ln(k) / (eta T)`` with c = 1 / 8 ("hoeffding") or 1 ("dr11"), at most B.

    Notes
    -----
    *Accuracy.* For losses fixed in advance, and for losses chosen in the light of earlier actions.

    References
    ----------
    DR11-thm-11.1, Theorem 11.1; Cesa-Bianchi and Lugosi (2006), Theorem 2.2.

    Examples
    --------
    >>> round(regret_bound(0.5, n_experts=2, n_rounds=5), 4)
    0.3398
    >>> [round(regret_bound(0.01, n_experts=2, n_rounds=5, capped=capped), 4) for capped in (True, False)]
    [1.0, 13.8642]
    """
    check.flag(capped=capped)
    bound = _regret_sum(eta, n_experts, n_rounds, constant, loss_range)
    return min(float(loss_range), bound) if capped else bound


def best_eta(
    n_experts: int,
    n_rounds: int,
    *,
    constant: str = "hoeffding",
    loss_range: float = 1.0,
) -> float:
    """Learning rate at which :func:`regret_bound` is smallest.

    Parameters
    ----------
    n_experts, n_rounds : int
        Numbers of experts and rounds, positive integers.
    constant : str
        One of "hoeffding" and "dr11", the source's.
    loss_range : float
        Length B of the interval of the losses, positive.

    Returns
    -------
    float
        ``sqrt(8 ln(k) / T) / B``, or the source's ``sqrt(ln(k) / T) / B``.

    Raises
    ------
    ValueError
        If there are fewer than two experts.

    References
    ----------
    DR11-thm-11.1, Theorem 11.1.

    Examples
    --------
    >>> round(best_eta(10, 1000), 5), round(best_eta(10, 1000, constant="dr11"), 5)
    (0.13572, 0.04799)
    """
    variance = _variance(constant, loss_range, n_experts=n_experts, n_rounds=n_rounds)
    if n_experts < 2:
        raise ValueError(
            f"n_experts must be at least 2 for there to be a choice, but got {n_experts!r}."
        )
    return sqrt(log(n_experts) / (variance * n_rounds)) / loss_range


def best_regret_bound(
    n_experts: int,
    n_rounds: int,
    *,
    constant: str = "hoeffding",
    loss_range: float = 1.0,
) -> float:
    """Bound on the expected regret at the best learning rate.

    Parameters
    ----------
    n_experts, n_rounds : int
        Numbers of experts and rounds, positive integers.
    constant : str
        One of "hoeffding" and "dr11", the source's.
    loss_range : float
        Length B of the interval of the losses, positive.

    Returns
    -------
    float
        ``B sqrt(ln(k) / (2 T))``, or the source's ``2 B sqrt(ln(k) / T)``.

    References
    ----------
    DR11-thm-11.1, Theorem 11.1.

    Examples
    --------
    >>> round(best_regret_bound(10, 1000), 6), round(best_regret_bound(10, 1000, constant="dr11"), 6)
    (0.033931, 0.095971)
    """
    variance = _variance(constant, loss_range, n_experts=n_experts, n_rounds=n_rounds)
    return 2 * loss_range * sqrt(variance * log(n_experts) / n_rounds)


def private_eta_dr11(
    epsilon: float, delta: float, n_rounds: int, *, loss_range: float = 1.0
) -> float:
    """Learning rate at which the source proves a run private.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).
    n_rounds : int
        Number of rounds, a positive integer.
    loss_range : float
        Length B of the interval of the losses, positive.

    Returns
    -------
    float
        ``epsilon / sqrt(32 T ln(1 / delta)) / B``.

    Raises
    ------
    ValueError
        If epsilon exceeds ``48 ln(1 / delta)``.

    Notes
    -----
    *Privacy.* For loss sequences that differ in one round. About four times smaller than need be:
    :func:`privml.learners.experts.private_eta`.

    References
    ----------
    DR11-thm-11.2, Theorem 11.2, which states no limit on epsilon.

    Examples
    --------
    >>> round(private_eta_dr11(1.0, 1e-5, 1000), 7)
    0.0016475
    """
    check.standard_ranges(
        epsilon=epsilon, loss_range=loss_range, delta=delta, n_rounds=n_rounds
    )
    most = -48 * log(delta)
    if epsilon > most:
        raise ValueError(
            f"epsilon must be at most 48 ln(1 / delta) = {most!r}, but got {epsilon!r}."
        )
    return epsilon / sqrt(-32 * n_rounds * log(delta)) / loss_range


def most_epsilon_closed(
    delta: float, n_experts: int, *, constant: str = "dr11"
) -> float:
    """Largest epsilon at which the closed form of the private regret bound follows from the sum.

    Parameters
    ----------
    delta : float
        Additive slack, in (0, 1).
    n_experts : int
        Number of experts, a positive integer.
    constant : str
        One of "hoeffding" and "dr11", the source's.

    Returns
    -------
    float
        ``sqrt(32 ln(1 / delta) ln(k))``, or with 256 in place of 32.

    References
    ----------
    The condition that DR11-thm-11.3 and DR11-thm-11.4 leave out.

    Examples
    --------
    >>> round(most_epsilon_closed(0.5, 2), 3), round(most_epsilon_closed(0.5, 2, constant="hoeffding"), 3)
    (3.921, 11.09)
    """
    check.probability_open(delta=delta)
    variance = _variance(constant, n_experts=n_experts)
    return sqrt(-32 * log(delta) * log(n_experts) / variance)


def private_regret_bound(
    epsilon: float,
    delta: float,
    n_rounds: int,
    n_experts: int,
    *,
    beta: float | None = None,
    form: str = "sum",
    constant: str = "dr11",
    deviation: str = "dr11",
) -> float:
    r"""Bound at the rate of Theorem 11.2, for losses in [0, 1]: of the expected regret, or of that of a run.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).
    n_rounds, n_experts : int
        Numbers of rounds and experts, positive integers.
    beta : float, optional
        Failure probability, in (0, 1), for a bound on a run; None bounds the mean.
    form : str
        One of "sum" and "closed", as above.
    constant : str
        One of "hoeffding" and "dr11", as in :func:`regret_bound`.
    deviation : str
        One of "azuma" and "dr11", as in :func:`regret_deviation`.

    Returns
    -------
    float
        ``c eta + ln(k) / (eta T)`` ("sum"), or twice its second term ("closed"); for a run with failure
        probability beta, and losses fixed in advance, plus :func:`regret_deviation`.

    Raises
    ------
    ValueError
        If epsilon exceeds ``48 ln(1 / delta)``, or what the closed form allows,
        :func:`most_epsilon_closed`.

    References
    ----------
    DR11-thm-11.3, which states no condition on epsilon; DR11-thm-11.4 (closed, with beta).

    Examples
    --------
    >>> [round(private_regret_bound(1.0, 1e-5, 20_000, 20, form=form), 4) for form in REGRET_FORMS]
    [0.407, 0.8132]
    """
    check.one_of(REGRET_FORMS, form=form)
    eta = private_eta_dr11(epsilon, delta, n_rounds)
    bound = _regret_sum(eta, n_experts, n_rounds, constant)
    if form == "closed":
        most = most_epsilon_closed(delta, n_experts, constant=constant)
        if epsilon > most:
            rule = f"sqrt(32 ln(1 / delta) ln(k) / c) = {most!r} for the closed form"
            raise ValueError(f"epsilon must be at most {rule}, but got {epsilon!r}.")
        bound = 2 * log(n_experts) / (eta * n_rounds)
    return (
        bound
        if beta is None
        else bound + regret_deviation(n_rounds, beta, n_experts, deviation=deviation)
    )


def linear_learning_rate(
    epsilon: float, delta: float, n_samples: int, *, rule: str = "corrected"
) -> float:
    """Learning rate of LinearLearner in closed form, for losses in [-1, 1].

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).
    n_samples : int
        Number of records, a positive integer.
    rule : str
        One of "corrected" and "source".

    Returns
    -------
    float
        ``epsilon / sqrt(128 T ln(1 / delta))`` ("corrected"), or with 32, as for losses in [0, 1]
        ("source"); for epsilon up to ``48 ln(1 / delta)``, or ``8 ln(1 / delta)`` as printed.

    Raises
    ------
    ValueError
        If epsilon exceeds the limit.

    References
    ----------
    DR11-alg-17 and DR11-thm-11.5.

    Examples
    --------
    >>> [round(linear_learning_rate(1.0, 1e-5, 1000, rule=rule), 4) for rule in RANGES]
    [0.0008, 0.0016]
    """
    check.one_of(RANGES, rule=rule)
    check.positive_integer(n_samples=n_samples)
    eta = private_eta_dr11(epsilon, delta, n_samples, loss_range=RANGES[rule])
    if rule == "source" and epsilon > (largest := -8 * log(delta)):
        raise ValueError(
            f"epsilon must be at most 8 ln(1 / delta) = {largest!r} here, but got {epsilon!r}."
        )
    return eta


def online_excess_risk(regret: float, n_samples: int, *, beta: float) -> float:
    """Excess risk of the mean draw of any online algorithm, from its regret, except with probability beta.

    Parameters
    ----------
    regret : float
        Mean regret of a round in expectation, a finite number.
    n_samples : int
        Number of records, a positive integer.
    beta : float
        Failure probability, in (0, 1).

    Returns
    -------
    float
        ``regret + sqrt(10 ln(1 / beta) / T)``.

    References
    ----------
    DR11-red-erm-to-experts, with one martingale in place of three events.

    Examples
    --------
    >>> round(online_excess_risk(0.05, 1000, beta=0.05), 6)
    0.223082
    """
    check.finite(regret=regret)
    check.positive_integer(n_samples=n_samples)
    both = sqrt(
        LOSS_RANGE**2 + (2 * LOSS_RANGE) ** 2
    )  # a draw and an example, added in squares
    return regret + azuma_deviation(n_samples, beta, step_range=both, two_sided=False)


def linear_excess_risk(
    eta: float, n_samples: int, n_features: int, *, beta: float
) -> float:
    """Excess risk of LinearLearner at a learning rate, except with probability beta.

    Parameters
    ----------
    eta : float
        Learning rate, positive.
    n_samples, n_features : int
        Numbers of records and features, positive integers.
    beta : float
        Failure probability, in (0, 1).

    Returns
    -------
    float
        ``ln(d) / (eta T) + eta / 2 + sqrt(10 ln(1 / beta) / T)``.

    References
    ----------
    DR11-thm-11.6 with constants; holds for every eta, so for every epsilon.

    Examples
    --------
    >>> round(linear_excess_risk(0.05, 1000, 10, beta=0.05), 6)
    0.244134
    """
    regret = _regret_sum(eta, n_features, n_samples, "hoeffding", LOSS_RANGE)
    return online_excess_risk(regret, n_samples, beta=beta)


check.wrap_module(__name__)
