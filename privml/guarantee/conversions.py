r"""What promises of one kind mean as promises of another: tightly, and as the sources print it.

**From concentrated to approximate privacy.**  Parameter rho bounds the Renyi divergences of every order
alpha > 1: ``D_alpha <= rho alpha``.  By Markov's inequality for the right power of the privacy loss,

.. math:: \ln \delta(\varepsilon) \le (\alpha - 1)(\alpha \rho - \varepsilon) + \alpha \ln(1 - 1 / \alpha)
          - \ln(\alpha - 1) .

Any alpha gives a valid bound, so inexact optimisation costs tightness, not truth.

**To concentrated privacy.**  ``D_alpha / alpha`` of the worst pair of laws is largest as alpha falls to 1.
So the tight rho is the largest Kullback-Leibler divergence that the promise allows.
"""

from math import exp, expm1, inf, log, log1p, sqrt, tanh

from privml import _check as check
from privml._rounding import above, below, product
from privml._search import crossing, last_crossing

CONVERSIONS = ("tight", "simple")
_ROUNDING = 2.0**-50  # of a sum of four terms, relative to the sum of their sizes


def log_expm1(x: float) -> float:
    """Log of e^x - 1 for positive x, also where e^x overflows."""
    return x + log1p(-exp(-x)) if x > 1 else log(expm1(x))


def _log_delta_at(alpha_minus_one: float, rho: float, epsilon: float) -> float:
    """The bound on ln delta of one order, a bound on its rounding error included."""
    u = alpha_minus_one
    terms = (u * (1 + u) * rho, -u * epsilon, -(1 + u) * log1p(1 / u), -log(u))
    return sum(terms) + _ROUNDING * sum(map(abs, terms))


def concentrated_epsilon(
    *, rho: float, delta: float, conversion: str = "tight"
) -> float:
    """Smallest epsilon that the conversion of rho-concentrated privacy gives at delta.

    Simple: ``rho + 2 sqrt(rho ln(1 / delta))``.  Tight: never above that; the bound on delta at this very
    float has been evaluated in log space and lies at or below the target.

    Parameters
    ----------
    rho : float
        Parameter of concentrated privacy, non-negative.
    delta : float
        Additive slack, in (0, 1).
    conversion : str
        One of "tight" and "simple", which is what the sources print.

    References
    ----------
    LZCW21-lem-51, Lemma 51, and Bun and Steinke (2016), Proposition 1.3 (simple); Canonne, Kamath and
    Steinke (2020), Proposition 12 (tight).

    Examples
    --------
    A thousand releases of Gaussian noise, each with rho = 1 / 5000:

    >>> [round(concentrated_epsilon(rho=0.2, delta=1e-5, conversion=form), 3) for form in ("tight", "simple")]
    [2.814, 3.235]
    """
    check.non_negative(rho=rho)
    check.probability_open(delta=delta)
    check.one_of(CONVERSIONS, conversion=conversion)
    if conversion == "simple":
        return above(rho + 2 * sqrt(rho * -log(delta)), 8)
    target, rho = -log(delta), max(rho, 1e-300)
    upper = min(sqrt(target / rho), expm1(min(target, 700.0)))
    u = crossing(
        lambda u: target - rho * u * u - log1p(u),
        lower=upper * 1e-9,
        upper=upper * (1 + 1e-12),
    )
    epsilon = rho * (1 + u) - log1p(1 / u) + (target - log1p(u)) / u
    if epsilon <= 0:
        return 0.0
    step = epsilon * 2.0**-52
    while _log_delta_at(u, rho, epsilon) > -target:
        epsilon, step = epsilon + step, 2 * step
    return epsilon


def concentrated_delta(*, rho: float, epsilon: float) -> float:
    """Smallest delta that the tight conversion of rho-concentrated privacy gives at epsilon.

    Parameters
    ----------
    rho : float
        Parameter of concentrated privacy, non-negative.
    epsilon : float
        Privacy parameter in nats, non-negative.

    Raises
    ------
    ValueError
        If rho is positive and ``(epsilon + 1) / rho`` is not finite.

    References
    ----------
    Sharpens LZCW21-lem-51; Canonne, Kamath and Steinke (2020), Proposition 12.

    Examples
    --------
    >>> round(concentrated_delta(rho=0.2, epsilon=2.8136), 12)
    1.0002213e-05
    """
    check.non_negative(rho=rho, epsilon=epsilon)
    return exp(_log_concentrated_delta(rho, epsilon))


def _log_concentrated_delta(rho: float, epsilon: float) -> float:
    if rho == 0:
        return -inf
    # At 1 / alpha_minus_one = 1e9 the bound is next to 1; the upper end has rho (2 alpha - 1) > epsilon.
    lower, upper = 1e-9, (epsilon + 1) / rho + 1
    if upper == inf:
        raise ValueError(
            f"rho must be 0, or large enough for a finite order, but got {rho!r}."
        )
    u = crossing(
        lambda u: epsilon - rho * (2 * u + 1) + log1p(1 / u), lower=lower, upper=upper
    )
    return min(0.0, _log_delta_at(u, rho, epsilon))


def concentrated_rho(
    epsilon: float, delta: float, *, conversion: str = "tight"
) -> float:
    """Largest rho for which the conversion gives (epsilon, delta): the budget to spend.

    The result is positive.  Simple: ``(sqrt(ln(1 / delta) + epsilon) - sqrt(ln(1 / delta)))^2``, without cancellation.
    Tight: the conversion has been evaluated and is at most delta at epsilon.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1).
    conversion : str
        One of "tight" and "simple", which is what the sources print.

    Raises
    ------
    ValueError
        If the tight rho would not be between 1e-280 and 1e280.

    References
    ----------
    Inverse of both forms of LZCW21-lem-51.

    Examples
    --------
    >>> [round(concentrated_rho(1.0, 1e-5, conversion=form), 9) for form in ("tight", "simple")]
    [0.030556595, 0.020819938]
    """
    check.standard_ranges(epsilon=epsilon, delta=delta)
    check.one_of(CONVERSIONS, conversion=conversion)
    target = -log(delta)
    simple = below((epsilon / (sqrt(target + epsilon) + sqrt(target))) ** 2, 8)
    if conversion == "simple":
        return simple
    if not 1e-280 < simple < 1e280:
        raise ValueError(
            f"epsilon must leave a rho between 1e-280 and 1e280, but got {epsilon!r}."
        )
    return last_crossing(
        lambda rho: _log_concentrated_delta(rho, epsilon) + target, lower=simple
    )


def _smaller(simple: float, tight: float) -> float:
    """The smaller of two bounds; the simple one, which is rounded up, where the tight one underflows."""
    return min(simple, tight) if tight > 0 else simple


def pure_rho(epsilon: float, *, conversion: str = "tight") -> float:
    """Smallest rho for which every epsilon-DP mechanism is rho-concentrated: epsilon tanh(epsilon / 2).

    Simple: ``epsilon^2 / 2``.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, non-negative.
    conversion : str
        One of "tight" and "simple", which is what the sources print.

    References
    ----------
    LZCW21-lem-52, Lemma 52, and Bun and Steinke (2016), Proposition 1.4, for the simple one.

    Examples
    --------
    >>> round(pure_rho(1.0), 5), pure_rho(1.0, conversion="simple")
    (0.46212, 0.5)
    """
    check.non_negative(epsilon=epsilon)
    check.one_of(CONVERSIONS, conversion=conversion)
    simple = product(epsilon, epsilon, 0.5)
    if conversion == "simple":
        return simple
    return _smaller(simple, above(epsilon * tanh(epsilon / 2)))


def pure_mu(epsilon: float) -> float:
    r"""Smallest mu for which every epsilon-DP mechanism is mu-Gaussian: -2 Phi^-1(1 / (1 + e^epsilon)).

    The trade-off function of pure privacy is made of two segments that meet at the error
    ``1 / (1 + e^epsilon)`` of both kinds.  The Gaussian one with this mu passes through the same point and
    the same ends, and lies below the segments, since it is convex.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, non-negative.

    References
    ----------
    Dong, Roth and Su (2022), section 2, for both trade-off functions; for WLF16-def-2.

    Examples
    --------
    >>> round(pure_mu(1.0), 5)
    1.23204
    """
    from scipy.special import erfinv, ndtri_exp

    check.non_negative(epsilon=epsilon)
    if epsilon < 1:
        return above(2 * sqrt(2) * float(erfinv(tanh(epsilon / 2))), 2**10)
    log_error = -epsilon - log1p(exp(-epsilon))
    return above(-2 * float(ndtri_exp(log_error)), 2**10)


def bounded_range_rho(epsilon: float, *, conversion: str = "tight") -> float:
    """Smallest rho for which every epsilon-bounded-range mechanism is rho-concentrated.

    ``ln((e^epsilon - 1) / epsilon) + epsilon / (e^epsilon - 1) - 1``.  Simple: ``epsilon^2 / 8``, by
    Hoeffding's lemma four times smaller than LZCW21-lem-52.

    Among the pairs of distributions whose loss lies in [t - epsilon, t], those with the two outcomes t and t - epsilon
    are the worst; the larger loss then has probability 1 - r with ``r = (e^t - 1) / (e^epsilon - 1)``, and
    the divergence ``t - epsilon r`` is largest at ``e^t = (e^epsilon - 1) / epsilon``.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, non-negative.
    conversion : str
        One of "tight" and "simple", which is what the sources print.

    References
    ----------
    Harrison and Manurangsi (2026); Cesar and Rogers (2021), Lemma 3.2, for the simple one.

    Examples
    --------
    >>> round(bounded_range_rho(1.0), 6), bounded_range_rho(1.0, conversion="simple")
    (0.123302, 0.125)
    """
    check.non_negative(epsilon=epsilon)
    check.one_of(CONVERSIONS, conversion=conversion)
    square, simple = epsilon * epsilon, product(epsilon, epsilon, 0.125)
    if conversion == "simple":
        return simple
    if epsilon < 0.1:  # the Bernoulli series: the closed form cancels
        rho = square * (
            1 / 8 - square * (1 / 576 - square * (1 / 25920 - square / 1075200))
        )
        return _smaller(simple, above(rho, 8))
    small = exp(-epsilon)
    terms = (epsilon, -log(epsilon), log1p(-small), epsilon * small / -expm1(-epsilon))
    return min(simple, sum(terms) - 1 + _ROUNDING * (1 + sum(map(abs, terms))))


def laplace_rho(epsilon: float) -> float:
    """Smallest rho of Laplace noise of scale sensitivity / epsilon: epsilon + e^-epsilon - 1.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, non-negative.

    References
    ----------
    Harrison and Manurangsi (2026); sharpens LZCW21-lem-52 for LZCW21-lem-42.

    Examples
    --------
    >>> round(laplace_rho(1.0), 4)
    0.3679
    """
    check.non_negative(epsilon=epsilon)
    simple = product(epsilon, epsilon, 0.5)
    if epsilon < 0.01:  # the alternating series, stopped after a positive term
        series = 1 / 2 - epsilon * (
            1 / 6 - epsilon * (1 / 24 - epsilon * (1 / 120 - epsilon / 720))
        )
        return _smaller(simple, above(epsilon * epsilon * series, 8))
    return min(simple, epsilon + expm1(-epsilon) + _ROUNDING * epsilon)


def gaussian_rho(mu: float) -> float:
    """Smallest rho of Gaussian noise: mu^2 / 2, since every Renyi divergence is ``order mu^2 / 2``.

    Parameters
    ----------
    mu : float
        Shift of Gaussian noise in standard deviations, non-negative.

    References
    ----------
    LZCW21-def-50; Bun and Steinke (2016), Proposition 1.6.

    Examples
    --------
    >>> gaussian_rho(0.02)
    0.0002
    """
    check.non_negative(mu=mu)
    return product(mu, mu, 0.5)


check.wrap_module(__name__)
