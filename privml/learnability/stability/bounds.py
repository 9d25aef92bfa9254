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

from math import tanh

from privml import _check as check


def stability_from_privacy(epsilon: float, delta: float = 0.0) -> float:
    """Stability of every private learner: ``delta + (1 - delta) tanh(epsilon / 2)``.

    **Returns.** Largest total variation between neighbours, hence largest change of a mean loss in [0, 1].
    Attained, for all parameters, by telling the truth with probability delta and else by randomised response.
    **Source.** WLF16-lem-8 and WLF16-lem-30 in their sharp form, ``(e^epsilon - 1 + 2 delta) /
    (e^epsilon + 1)``; printed: ``e^epsilon - 1 + delta``.  Added to the expected AERM gap it bounds the
    excess risk, WLF16-cor-9; with any stability constant in its place this is WLF16-thm-35.

    >>> round(stability_from_privacy(1.0), 6), round(stability_from_privacy(1.0, 0.1), 6)
    (0.462117, 0.515905)
    """
    check.non_negative(epsilon=epsilon, delta=delta)
    if delta > 1:
        raise ValueError(f"delta must be in the closed interval [0, 1], got {delta!r}")
    return delta + (1 - delta) * tanh(epsilon / 2)


def stability_from_bounded_range(epsilon: float) -> float:
    """Stability of every learner whose privacy losses have a range of epsilon: ``tanh(epsilon / 4)``.

    The exponential mechanism on two constant rules attains it, for every odd number of records.
    **Returns.** Largest total variation between neighbours, about ``epsilon / 4``.
    **Source.** Sharpens WLF16-lem-8 for the learners of L4-private-erm and S16-alg-3.

    Parameters
    ----------
    epsilon : float
        Range in nats, non-negative: the epsilon of an exponential mechanism.

    Examples
    --------
    >>> round(stability_from_bounded_range(1.0), 6)
    0.244919
    """
    check.non_negative(epsilon=epsilon)
    return tanh(epsilon / 4)
