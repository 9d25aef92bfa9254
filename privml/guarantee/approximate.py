r"""From concentrated privacy to approximate privacy, tightly and as the sources print it.

*Concentrated* privacy with parameter rho bounds the Renyi divergences of every order alpha > 1 between the
output laws on neighbours: ``D_alpha <= rho alpha``.  By Markov's inequality for the right power of the
privacy loss,

.. math:: \ln \delta(\varepsilon) \le (\alpha - 1)(\alpha \rho - \varepsilon) + \alpha \ln(1 - 1 / \alpha)
          - \ln(\alpha - 1)

for every alpha > 1.  Solved for epsilon, the bound is smallest where
``rho (alpha - 1)^2 + ln alpha = ln(1 / delta)``, and for given epsilon where
``rho (2 alpha - 1) + ln(1 - 1 / alpha) = epsilon``; each has one root.  Any alpha gives a valid bound, so
inexact optimisation costs tightness, not truth.
"""

from math import exp, expm1, inf, log, log1p, sqrt

from privml import _check as check
from privml._search import crossing, last_crossing

_ROUNDING = 2.0**-50


def _log_delta_at(alpha_minus_one: float, rho: float, epsilon: float) -> float:
    """The bound on ln delta of one order, a bound on its rounding error included."""
    u = alpha_minus_one
    terms = (u * (1 + u) * rho, -u * epsilon, -(1 + u) * log1p(1 / u), -log(u))
    return sum(terms) + _ROUNDING * sum(map(abs, terms))


def concentrated_epsilon(rho: float, delta: float) -> float:
    """Smallest epsilon that the tight conversion of rho-concentrated privacy gives at delta.

    In nats, at least 0.  The bound on delta at this very float has been evaluated in log space and
    lies at or below the target.

    **Source.** Sharpens LZCW21-lem-51; Canonne, Kamath and Steinke (2020), Proposition 12.

    A thousand releases of Gaussian noise, each with rho = 1 / 5000:

    >>> round(concentrated_epsilon(0.2, 1e-5), 4), round(concentrated_epsilon_simple(0.2, 1e-5), 4)
    (2.8136, 3.2349)
    """
    check.non_negative(rho=rho)
    check.probability_open(delta=delta)
    target, rho = -log(delta), max(rho, 1e-300)
    upper = min(sqrt(target / rho), expm1(min(target, 700.0)))
    u = crossing(lambda u: target - rho * u * u - log1p(u), lower=upper * 1e-9, upper=upper * (1 + 1e-12))
    epsilon = rho * (1 + u) - log1p(1 / u) + (target - log1p(u)) / u
    if epsilon <= 0:
        return 0.0
    step = epsilon * 2.0**-52
    while _log_delta_at(u, rho, epsilon) > -target:
        epsilon, step = epsilon + step, 2 * step
    return epsilon


def concentrated_delta(rho: float, epsilon: float) -> float:
    """Smallest delta that the tight conversion of rho-concentrated privacy gives at epsilon.

    **Source.** Sharpens LZCW21-lem-51; Canonne, Kamath and Steinke (2020), Proposition 12.

    >>> round(concentrated_delta(0.2, 2.8136), 8)
    1e-05
    """
    check.non_negative(rho=rho, epsilon=epsilon)
    return min(1.0, exp(_log_concentrated_delta(rho, epsilon)))


def _log_concentrated_delta(rho: float, epsilon: float) -> float:
    if rho == 0:
        return -inf
    # At 1 / alpha_minus_one = 1e9 the bound is next to 1; the upper end has rho (2 alpha - 1) > epsilon.
    lower, upper = 1e-9, (epsilon + 1) / rho + 1
    u = crossing(lambda u: epsilon - rho * (2 * u + 1) + log1p(1 / u), lower=lower, upper=upper)
    return min(0.0, _log_delta_at(u, rho, epsilon))


def concentrated_rho(epsilon: float, delta: float) -> float:
    """Largest rho for which the tight conversion gives (epsilon, delta): the budget to spend.

    Positive; its conversion has been evaluated and is at most delta at epsilon.

    **Source.** Inverse of the tight form of LZCW21-lem-51.

    >>> round(concentrated_rho(1.0, 1e-5), 6), round(concentrated_rho_simple(1.0, 1e-5), 6)
    (0.030557, 0.02082)
    """
    check.positive(epsilon=epsilon)
    lower, target = concentrated_rho_simple(epsilon, delta), log(delta)
    if not 1e-280 < lower < 1e280:
        raise ValueError(f"epsilon must leave a rho between 1e-280 and 1e280, got {epsilon!r}")
    return last_crossing(lambda rho: _log_concentrated_delta(rho, epsilon) - target, lower=lower)


def concentrated_epsilon_simple(rho: float, delta: float) -> float:
    """The usual conversion of rho-concentrated privacy: rho + 2 sqrt(rho ln(1 / delta)).

    In nats; never below :func:`concentrated_epsilon`.

    **Source.** LZCW21-lem-51, Lemma 51; Bun and Steinke (2016), Proposition 1.3.

    >>> round(concentrated_epsilon_simple(0.1, 1e-6), 6)
    2.450788
    """
    check.non_negative(rho=rho)
    check.probability_open(delta=delta)
    return rho + 2 * sqrt(rho * -log(delta))


def concentrated_rho_simple(epsilon: float, delta: float) -> float:
    """Largest rho for which the usual conversion gives (epsilon, delta).

    ``(sqrt(ln(1 / delta) + epsilon) - sqrt(ln(1 / delta)))^2``, written without cancellation.

    **Source.** Inverse of LZCW21-lem-51.

    >>> rho = concentrated_rho_simple(2.0, 1e-6)
    >>> round(rho, 6), round(concentrated_epsilon_simple(rho, 1e-6), 6)
    (0.067574, 2.0)
    """
    check.positive(epsilon=epsilon)
    check.probability_open(delta=delta)
    target = -log(delta)
    return (epsilon / (sqrt(target + epsilon) + sqrt(target))) ** 2
