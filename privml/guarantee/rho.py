"""The rho of other promises: what pure privacy, a bounded range or one noise mean as concentrated privacy.

The quotient ``D_alpha / alpha`` of the worst pair of laws is largest as the order alpha falls to 1.  So the
tight rho is the largest Kullback-Leibler divergence that the promise allows: of randomised response for pure
privacy, of its skewed form (:func:`privml.composition.bounded_range.skewed_response`) for a bounded range, of
two shifted laws for noise.
"""

from math import exp, expm1, log, log1p, tanh

from privml import _check as check


def _not_none(rho: float, size: float) -> float:
    """A positive promise stays one where its rho underflows."""
    return max(rho, 5e-324) if size > 0 else rho


def pure_rho(epsilon: float) -> float:
    """Smallest rho for which every epsilon-DP mechanism is rho-concentrated: epsilon tanh(epsilon / 2).

    **Source.** Sharpens LZCW21-lem-52.

    >>> round(pure_rho(1.0), 6), pure_rho_simple(1.0)
    (0.462117, 0.5)
    """
    check.non_negative(epsilon=epsilon)
    return _not_none(epsilon * tanh(epsilon / 2), epsilon)


def pure_rho_simple(epsilon: float) -> float:
    """The usual rho of an epsilon-DP mechanism: epsilon^2 / 2.

    **Source.** LZCW21-lem-52, Lemma 52; Bun and Steinke (2016), Proposition 1.4.

    >>> pure_rho_simple(0.5)
    0.125
    """
    check.non_negative(epsilon=epsilon)
    return _not_none(epsilon * epsilon / 2, epsilon)


def bounded_range_rho(epsilon: float) -> float:
    """Smallest rho for which every epsilon-bounded-range mechanism is rho-concentrated.

    ``ln((e^epsilon - 1) / epsilon) + epsilon / (e^epsilon - 1) - 1``: below, and for small epsilon
    close to, :func:`bounded_range_rho_simple`.

    Among the pairs of laws whose loss lies in [t - epsilon, t], those with the two outcomes t and
    t - epsilon are the worst; the larger loss then has probability 1 - r with
    ``r = (e^t - 1) / (e^epsilon - 1)``, and the divergence ``t - epsilon r`` is largest at
    ``e^t = (e^epsilon - 1) / epsilon``.

    **Source.** Harrison and Manurangsi (2026); sharpens Cesar and Rogers (2021).

    >>> round(bounded_range_rho(1.0), 6), bounded_range_rho_simple(1.0)
    (0.123302, 0.125)
    """
    check.non_negative(epsilon=epsilon)
    if epsilon < 0.1:  # the Bernoulli series: the closed form cancels
        square = epsilon * epsilon
        rho = square * (1 / 8 - square * (1 / 576 - square * (1 / 25920 - square / 1075200)))
        return _not_none(rho, epsilon)
    return epsilon - log(epsilon) + log1p(-exp(-epsilon)) + epsilon * exp(-epsilon) / -expm1(-epsilon) - 1


def bounded_range_rho_simple(epsilon: float) -> float:
    """The usual rho of an epsilon-bounded-range mechanism: epsilon^2 / 8.

    Hoeffding's lemma: a loss in an interval of length epsilon has a moment generating function of at most
    that of a Gaussian of variance ``epsilon^2 / 4``.

    **Source.** Cesar and Rogers (2021), Lemma 3.2; four times smaller than LZCW21-lem-52.

    >>> bounded_range_rho_simple(0.5)
    0.03125
    """
    check.non_negative(epsilon=epsilon)
    return _not_none(epsilon * epsilon / 8, epsilon)


def laplace_rho(epsilon: float) -> float:
    """Smallest rho for which Laplace noise of scale sensitivity / epsilon is rho-concentrated.

    ``epsilon + e^-epsilon - 1``.

    **Source.** Harrison and Manurangsi (2026); sharpens LZCW21-lem-52 for LZCW21-lem-42.

    Parameters
    ----------
    epsilon : float
        Sensitivity over scale, non-negative: the pure guarantee of the noise.

    Examples
    --------
    >>> round(laplace_rho(1.0), 6)
    0.367879
    """
    check.non_negative(epsilon=epsilon)
    if epsilon < 0.01:  # the alternating series, stopped after a positive term
        series = 1 / 2 - epsilon * (1 / 6 - epsilon * (1 / 24 - epsilon * (1 / 120 - epsilon / 720)))
        return _not_none(epsilon * epsilon * series, epsilon)
    return epsilon + expm1(-epsilon)


def gaussian_rho(mu: float) -> float:
    """Smallest rho for which Gaussian noise is rho-concentrated: mu^2 / 2.

    Exact: every Renyi divergence is ``order mu^2 / 2``.

    **Source.** LZCW21-def-50; Bun and Steinke (2016), Proposition 1.6.

    >>> gaussian_rho(0.02)
    0.0002
    """
    check.non_negative(mu=mu)
    return _not_none(mu * mu / 2, mu)
