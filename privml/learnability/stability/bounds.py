r"""What privacy promises about stability, and stability about consistency.

**One lemma for pure privacy.**  Let ``e^-epsilon <= p/q <= e^epsilon`` and f be convex.  The ratio has mean 1
under q, and a convex function of a bounded variable with a given mean is largest when the variable sits at
the ends of its range.  So ``E_q f(p/q)`` is at most its value for randomised response, where

* ``f(x) = max(0, x - 1)`` gives the total variation, ``tanh(epsilon / 2)``;
* ``f(x) = x ln x`` gives the Kullback-Leibler divergence, ``epsilon tanh(epsilon / 2)``;

and if the range of the loss is only epsilon, as for exponential mechanisms, the total variation is at most
``tanh(epsilon / 4)``.

**With a delta.**  For every event ``P(E) <= e^epsilon P'(E) + delta`` and, for the complement,
``1 - P'(E) <= e^epsilon (1 - P(E)) + delta``.  Added up: ``P(E) - P'(E) <= (e^epsilon - 1 + 2 delta) /
(e^epsilon + 1)``.
"""

from math import atanh, exp, expm1, inf, nextafter, tanh

import numpy as np
from numpy.typing import NDArray

from privml import _check as check


def _checked(epsilon: float, delta: float) -> None:
    check.non_negative(epsilon=epsilon, delta=delta)
    if delta > 1:
        raise ValueError(f"delta must be in the closed interval [0, 1], got {delta!r}")


def stability_from_privacy(epsilon: float, delta: float = 0.0) -> float:
    """Stability of every private learner: ``delta + (1 - delta) tanh(epsilon / 2)``.

    Returns
    -------
    float
        Largest total variation between neighbours, hence largest change of a mean loss in [0, 1].  Attained,
        for all parameters, by :func:`extremal_pair`.

    Notes
    -----
    **Source.** WLF16-lem-8 and WLF16-lem-30 in their sharp form, ``(e^epsilon - 1 + 2 delta) /
    (e^epsilon + 1)``; printed: :func:`stability_from_privacy_wlf16`.

    Examples
    --------
    >>> round(stability_from_privacy(1.0), 6), round(stability_from_privacy(1.0, 0.1), 6)
    (0.462117, 0.515905)
    """
    _checked(epsilon, delta)
    return delta + (1 - delta) * tanh(epsilon / 2)


def privacy_for_stability(stability: float, delta: float = 0.0) -> float:
    """Largest epsilon for which every private learner has at most a given stability constant.

    Parameters
    ----------
    stability : float
        Wanted, in [delta, 1), positive.

    Returns
    -------
    float
        ``2 artanh((stability - delta) / (1 - delta))``; :func:`stability_from_privacy` there has been
        evaluated and is at most `stability`.

    Notes
    -----
    **Source.** Inverse of the sharp form of WLF16-lem-30.

    Examples
    --------
    >>> round(privacy_for_stability(0.1), 6)
    0.200671
    """
    check.probability_open(stability=stability)
    check.probability_half_open(delta=delta)
    if delta > stability:
        raise ValueError(f"delta must be at most stability = {stability!r}, got {delta!r}")
    epsilon = 2 * atanh((stability - delta) / (1 - delta))
    while epsilon > 0 and stability_from_privacy(epsilon, delta) > stability:
        epsilon = max(0.0, nextafter(epsilon, -inf))
    return epsilon


def stability_from_privacy_wlf16(epsilon: float, delta: float = 0.0, *, form: str = "exponential") -> float:
    """Stability of every private learner as WLF16 states it: ``e^epsilon - 1 + delta``, or ``2 epsilon``.

    Parameters
    ----------
    delta : float, default 0
        In [0, 1]; 0 for the linear form.
    form : {"exponential", "linear"}
        The linear one is stated for epsilon at most 1 only.

    Notes
    -----
    **Source.** WLF16-lem-8 (Lemma 8) and WLF16-lem-30 (Lemma 30).

    Examples
    --------
    >>> round(stability_from_privacy_wlf16(1.0), 6), stability_from_privacy_wlf16(1.0, form="linear")
    (1.718282, 2.0)
    """
    _checked(epsilon, delta)
    check.one_of(("exponential", "linear"), form=form)
    if form == "exponential":
        return expm1(epsilon) + delta if epsilon < 700 else inf
    if epsilon > 1 or delta > 0:
        raise ValueError(f"epsilon must be at most 1 and delta 0 for this form, got {(epsilon, delta)!r}")
    return 2 * epsilon


def stability_from_bounded_range(epsilon: float) -> float:
    """Stability of every learner whose privacy losses have a range of epsilon: ``tanh(epsilon / 4)``.

    Parameters
    ----------
    epsilon : float
        Range in nats, non-negative: the epsilon of an exponential mechanism.

    Returns
    -------
    float
        Largest total variation between neighbours, about ``epsilon / 4``.

    Notes
    -----
    The exponential mechanism on two constant rules attains it, for every odd number of records.
    **Source.** Sharpens WLF16-lem-8 for the learners of L4-private-erm and S16-alg-3.

    Examples
    --------
    >>> round(stability_from_bounded_range(1.0), 6)
    0.244919
    """
    check.non_negative(epsilon=epsilon)
    return tanh(epsilon / 4)


def kullback_leibler_from_privacy(epsilon: float) -> float:
    """Largest Kullback-Leibler divergence between laws that are epsilon-close: ``epsilon tanh(epsilon / 2)``.

    Returns
    -------
    float
        At most ``epsilon^2 / 2``.  Attained by randomised response.

    Notes
    -----
    **Source.** The lemma of the module's docstring; a companion of WLF16-lem-8.

    Examples
    --------
    >>> round(kullback_leibler_from_privacy(1.0), 6)
    0.462117
    """
    check.non_negative(epsilon=epsilon)
    return epsilon * tanh(epsilon / 2)


def extremal_pair(epsilon: float, delta: float = 0.0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two (epsilon, delta)-close laws with the largest total variation.

    Returns
    -------
    tuple of ndarray of shape (4,)
        With probability delta the truth is told, otherwise by randomised response.

    Notes
    -----
    **Source.** Attains the sharp form of WLF16-lem-30; Kairouz, Oh and Viswanath (2015).

    Examples
    --------
    >>> p, q = extremal_pair(1.0, 0.1)
    >>> p.round(4).tolist(), round(float(np.abs(p - q).sum() / 2), 6)
    ([0.1, 0.658, 0.242, 0.0], 0.515905)
    """
    _checked(epsilon, delta)
    lie = exp(-epsilon) / (1 + exp(-epsilon))
    p = np.array([delta, (1 - delta) / (1 + exp(-epsilon)), (1 - delta) * lie, 0.0])
    return p, p[::-1].copy()


def consistency_rate(aerm_gap: float, epsilon: float, delta: float = 0.0) -> float:
    """Expected excess risk of every private learner with a given expected AERM gap, at most.

    Parameters
    ----------
    aerm_gap : float
        Expected excess of the empirical risk over its minimum, non-negative.

    Returns
    -------
    float
        ``aerm_gap`` + :func:`stability_from_privacy`.

    Notes
    -----
    **Source.** WLF16-cor-9 (Corollary 9) with the sharp stability; printed: ``aerm_gap + e^epsilon - 1``.
    With any stability constant in its place this is WLF16-thm-35.

    Examples
    --------
    >>> round(consistency_rate(0.05, 0.1), 6)
    0.099958
    """
    check.non_negative(aerm_gap=aerm_gap)
    return aerm_gap + stability_from_privacy(epsilon, delta)
