r"""High confidence: from a rate in expectation to a bound that fails with probability delta.

A learner with expected excess risk at most xi(n) exceeds ``xi(n) / delta`` with probability at most delta,
by Markov.  Boosting replaces ``1 / delta`` by a logarithm: run the learner on a disjoint blocks of m records,
and choose among the a candidates by their losses on v other records, with the exponential mechanism.  Each
candidate exceeds ``e xi(m)`` with probability at most ``1 / e``, independently of the others, so that all do
with probability at most ``e^-a``; the choice costs what :mod:`privml.bounds.boosting_selection` says.

The source claims ``e xi(m) + C sqrt(ln(3 / delta) / n)`` with its a + 1 equal blocks and
``epsilon = (a + 1) / sqrt(n)``.  No C will do; the order is ``ln(3 / delta) / sqrt(n)``.  The claim holds for
another booster, which keeps half of the records for validation: then ``v >= n / 2``, and the gap is
``2 sqrt(L / n)`` from ``epsilon = 4 sqrt(L / n)`` on.
"""

from collections.abc import Callable
from math import exp, lgamma, log, sqrt

from privml import _check as check
from privml._search import largest_float, smallest_integer
from privml.bounds.boosting_selection import VALIDATIONS, boosting_blocks, boosting_candidates, selection_gap


def markov_excess_risk(rate: float, delta: float) -> float:
    """Bound on the excess risk, except with probability delta, from its expectation alone.

    **Returns.** ``rate / delta``.
    **Accuracy.** Attained by a learner whose excess risk is this with probability delta, and 0 otherwise.
    **Source.** WLF16-rem-markov.

    Parameters
    ----------
    rate : float
        Bound on the expected excess risk, non-negative.

    Examples
    --------
    >>> markov_excess_risk(0.01, 0.25)
    0.04
    """
    check.non_negative(rate=rate)
    check.probability_open(delta=delta)
    return rate / delta


def _rate_at(rate: Callable[[int], float], n_samples: int, name: str = "rate") -> float:
    if not callable(rate):
        raise ValueError(f"{name} must be a function of the number of samples, got {rate!r}")
    value = rate(n_samples)
    check.non_negative(**{name: value})
    return value


def boosted_excess_risk(
    rate: Callable[[int], float], n_samples: int, epsilon: float, delta: float, *, validation: str = "equal"
) -> float:
    """Bound on the excess risk after boosting, except with probability delta.

    **Returns.** ``e rate(m) + selection_gap(v, a, epsilon, delta - e^-a)`` with a the smallest integer for
    which ``e^-a <= delta / 2``; v is m, or n / 2 rounded up: what the split always leaves for validation.
    **Accuracy.** Over the records, which are independent, and all coins; losses in [0, 1].
    **Source.** WLF16-thm-25, with our constants: see the module.

    Parameters
    ----------
    rate : callable
        From a number of records to a bound on the learner's expected excess risk.
    n_samples : int
        Number of records n, enough for :func:`boosting_blocks`.
    epsilon : float
        Privacy parameter of the choice in nats, positive; infinite for the choice without privacy.
    validation : {"equal", "half"}
        How the records are split.

    Examples
    --------
    >>> round(boosted_excess_risk(lambda n: n**-0.5 / 4, 30_000, 1.0, 0.05), 6)
    0.04772
    """
    check.probability_open(delta=delta)
    n_candidates = boosting_candidates(delta / 2)
    m = boosting_blocks(n_samples, n_candidates, validation=validation).learning
    v = m if validation == "equal" else (n_samples + 1) // 2
    gap = selection_gap(v, n_candidates, epsilon, delta - exp(-n_candidates))
    return exp(1) * _rate_at(rate, m) + gap


def boosted_sample_size(
    rate: Callable[[int], float], alpha: float, epsilon: float, delta: float, *, validation: str = "equal"
) -> int:
    """Smallest number of records at which :func:`boosted_excess_risk` is at most alpha.

    **Source.** WLF16-thm-25, inverted.

    Parameters
    ----------
    rate : callable
        Bound on the learner's expected excess risk, non-increasing in the number of records.
    epsilon : float
        Privacy parameter of the choice in nats, positive; infinite for the choice without privacy.
    validation : {"equal", "half"}
        How the records are split.

    Examples
    --------
    >>> boosted_sample_size(lambda n: n**-0.5 / 4, 0.1, 1.0, 0.05)
    6835
    """
    check.positive(alpha=alpha)
    check.probability_open(delta=delta)
    check.one_of(VALIDATIONS, validation=validation)
    n_candidates = boosting_candidates(delta / 2)
    fewest = n_candidates + 1 if validation == "equal" else 2 * n_candidates

    def holds(n_samples: int) -> bool:
        return boosted_excess_risk(rate, n_samples, epsilon, delta, validation=validation) <= alpha

    return smallest_integer(holds, lower=fewest)


def boosted_excess_risk_wlf16(
    rate: Callable[[int], float], n_samples: int, epsilon: float, delta: float
) -> float:
    """The source's bound on the excess risk after boosting, corrected, except with probability delta.

    **Returns.** ``e rate(m) + 2 sqrt(ln(2 a / d) / (2 m)) + (2 / (m epsilon)) ln(a / d)`` with ``d = delta /
    3``, ``a = ceil(ln(1 / d))`` and ``m = n // (a + 1)``.
    **Source.** WLF16-thm-25: the deviation on the validation block (not on all records), twice.

    Parameters
    ----------
    rate : callable
        From a number of records to a bound on the learner's expected excess risk.
    delta : float
        Failure probability in (0, 1); each of the three steps may fail with a third of it.

    Examples
    --------
    >>> round(boosted_excess_risk_wlf16(lambda n: n**-0.5 / 4, 30_000, 1.0, 0.05), 6)
    0.062476
    """
    check.probability_open(delta=delta)
    check.positive(epsilon=epsilon)
    n_candidates = boosting_candidates(delta / 3)
    m = boosting_blocks(n_samples, n_candidates).learning
    share = log(3 * n_candidates) - log(delta)
    return exp(1) * _rate_at(rate, m) + 2 * sqrt((log(2) + share) / (2 * m)) + 2 * share / (m * epsilon)


def boosted_epsilon(privacy: Callable[[int], float], n_samples: int, delta: float) -> float:
    """Epsilon of the source's booster, whose choice has ``(a + 1) / sqrt(n)``, under replace-one.

    **Returns.** ``max(privacy(n // (a + 1)), (a + 1) / sqrt(n))`` with ``a = ceil(ln(3 / delta))``.
    **Source.** WLF16-thm-25, where the size of a block is printed with ``ln(3 / n)``.

    Parameters
    ----------
    privacy : callable
        From a number of records to the learner's epsilon.

    Examples
    --------
    >>> boosted_epsilon(lambda n: 10 / n, 3600, 0.05)
    0.1
    """
    check.probability_open(delta=delta)
    n_candidates = boosting_candidates(delta / 3)
    learner = _rate_at(privacy, boosting_blocks(n_samples, n_candidates).learning, "epsilon")
    return max(learner, (n_candidates + 1) / sqrt(n_samples))


def _log_keeping_bad(n_candidates: int, exponent: float) -> float:
    """Logarithm of the chance to choose a bad candidate if each is bad with probability 1 / (2 e)."""
    log_bad, log_good = -log(2) - 1, log(1 - 1 / (2 * exp(1)))
    terms = []
    for k in range(1, n_candidates + 1):
        rest = n_candidates - k
        binomial = lgamma(n_candidates + 1) - lgamma(k + 1) - lgamma(rest + 1) + k * log_bad + rest * log_good
        chosen = log(k) - exponent - log(k * exp(-exponent) + rest) if rest else 0.0
        terms.append(binomial + chosen)
    largest = max(terms)
    return largest + log(sum(exp(term - largest) for term in terms))


def boosting_claim_constant_wlf16(delta: float, *, sensitivity_factor: float = 2.0) -> float:
    """Smallest constant C with which the source's bound could hold at delta, by a counterexample.

    The learner ignores the records: with probability ``1 / (2 e)`` it returns a hypothesis of constant loss
    l, otherwise one of loss 0.  Its rate is ``l / (2 e)``, so a bad output exceeds ``e xi`` by l / 2.  With
    ``epsilon = (a + 1) / sqrt(n)`` the two differ by ``l sqrt(n) / (2 s)`` in the exponent only, and the
    largest l for which a bad one is kept with probability delta or more gives C.

    **Returns.** By an exact sum over the number of bad candidates; the same for all n with whole blocks and l
    <= 1.
    **Source.** WLF16-thm-25, the term ``C sqrt(ln(3 / delta) / n)``.

    Parameters
    ----------
    sensitivity_factor : float, default 2
        Sensitivity s of the number of mistakes that the mechanism assumes: 2 in the source, 1 suffices.

    Examples
    --------
    >>> [round(boosting_claim_constant_wlf16(10.0**-k), 1) for k in (2, 10, 50, 300)]
    [2.8, 8.8, 21.1, 52.4]
    """
    check.probability_open(delta=delta)
    check.positive(sensitivity_factor=sensitivity_factor)
    if not delta < 1 / (2 * exp(1)):
        raise ValueError(f"delta must be below 1 / (2 e), got {delta!r}")
    n_candidates = boosting_candidates(delta / 3)
    width = 2 * sensitivity_factor
    scaled_loss = largest_float(
        lambda y: _log_keeping_bad(n_candidates, y / width) >= log(delta),
        lower=0.0,
        upper=width * (2 + 2 * n_candidates),
    )
    return scaled_loss / 2 / sqrt(log(3) - log(delta))
