r"""Regret of one private run, except with a small probability: Theorem 11.4.

For losses fixed in advance the best expert's loss is a number; only the learner's own loss is random, a sum
of independent terms.  If losses are chosen in the light of earlier choices, the learner's loss less its
conditional mean is a martingale, and Azuma's inequality gives the same deviation.
"""

from math import log, sqrt

from privml import _check as check
from privml._search import smallest_integer
from privml.bounds.private_experts import private_regret_bound
from privml.bounds.tails import azuma_deviation

DEVIATIONS = ("azuma", "dr11")


def regret_deviation(n_rounds: int, beta: float, n_experts: int, *, deviation: str = "azuma") -> float:
    r"""How far the regret of a run exceeds its mean, except with probability beta; losses in [0, 1].

    Only the learner's own loss is random, for losses fixed in advance; no union over experts is needed.

    **Source.** DR11-thm-11.4: the step that the source takes by a Chernoff bound.

    Parameters
    ----------
    n_experts : int
        Number of experts k, at least 1; only the printed deviation grows with it.
    deviation : {"azuma", "dr11"}
        ``sqrt(ln(1 / beta) / (2 T))`` or the source's ``sqrt(ln(k / beta) / T)``.

    Examples
    --------
    >>> both = [regret_deviation(1000, 0.05, 10, deviation=name) for name in ("azuma", "dr11")]
    >>> [round(value, 5) for value in both]
    [0.0387, 0.07279]
    """
    check.one_of(DEVIATIONS, deviation=deviation)
    check.positive_integer(n_experts=n_experts)
    azuma = azuma_deviation(n_rounds, beta, two_sided=False)
    return azuma if deviation == "azuma" else sqrt(log(n_experts / beta) / n_rounds)


def private_regret_quantile(
    epsilon: float,
    delta: float,
    n_rounds: int,
    n_experts: int,
    beta: float,
    *,
    form: str = "closed",
    constant: str = "dr11",
    deviation: str = "dr11",
) -> float:
    """Bound on the regret of a private run that fails with probability at most beta.

    **Returns.** The sum of the two; as printed with the defaults.
    **Source.** DR11-thm-11.4, Theorem 11.4, for losses in [0, 1] fixed in advance.

    Parameters
    ----------
    form, constant : str
        Of :func:`~privml.bounds.private_experts.private_regret_bound`.
    deviation : {"dr11", "azuma"}
        Of :func:`regret_deviation`.

    Examples
    --------
    >>> round(private_regret_quantile(1.0, 1e-5, 10_000, 10, 0.05), 4)
    0.9069
    >>> round(private_regret_quantile(1.0, 1e-5, 10_000, 10, 0.05, form="sum", deviation="azuma"), 4)
    0.4547
    """
    mean = private_regret_bound(epsilon, delta, n_rounds, n_experts, form=form, constant=constant)
    return mean + regret_deviation(n_rounds, beta, n_experts, deviation=deviation)


def private_regret_quantile_rounds(
    epsilon: float, delta: float, n_experts: int, beta: float, alpha: float, **kinds: str
) -> int:
    """Smallest number of rounds at which :func:`private_regret_quantile` is at most alpha.

    **Source.** DR11-thm-11.4, inverted.

    Parameters
    ----------
    **kinds : str
        The form, constant and deviation of the bound.

    Examples
    --------
    >>> private_regret_quantile_rounds(1.0, 1e-5, 10, 0.05, 0.1)
    822539
    """
    check.positive(alpha=alpha)
    return smallest_integer(
        lambda rounds: private_regret_quantile(epsilon, delta, rounds, n_experts, beta, **kinds) <= alpha
    )
