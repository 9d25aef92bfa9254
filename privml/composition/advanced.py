r"""Advanced composition: for small epsilon the total grows like the square root of the number of steps.

Each step's privacy loss is at most epsilon, but its mean is at most ``epsilon (e^epsilon - 1)``, about
epsilon squared.  The sum over k steps stays near its mean by the Azuma-Hoeffding inequality: it exceeds

.. math:: \sqrt{2 k \ln(1 / \delta)} \, \varepsilon + k \varepsilon (e^{\varepsilon} - 1)

with probability at most delta.  The exact optimum for pure steps is in :mod:`~privml.composition.optimal`.
"""

from math import expm1, inf, log, sqrt

from privml import _check as check
from privml.composition.base import approximate, checked_steps
from privml.guarantee import Guarantee


def advanced_epsilon(step_epsilon: float, k: int, delta: float) -> float:
    """Total epsilon of k adaptive epsilon-DP steps by advanced composition.

    ``sqrt(2 k ln(1 / delta)) step_epsilon + k step_epsilon (e^step_epsilon - 1)``; may be infinite, and
    may exceed the sum ``k step_epsilon``.

    **Source.** DR11-thm-3.20, Theorem 3.20; Dwork, Rothblum and Vadhan (2010).

    >>> round(advanced_epsilon(0.05, 1000, 1e-5), 4)
    10.1507
    """
    check.non_negative(step_epsilon=step_epsilon)
    checked_steps(k)
    check.probability_open(delta=delta)
    growth = expm1(step_epsilon) if step_epsilon < 700 else inf
    return sqrt(-2 * k * log(delta)) * step_epsilon + k * step_epsilon * growth


def advanced_composition(step: Guarantee, k: int, slack: float) -> Guarantee:
    """Guarantee of k adaptive steps by advanced composition.

    Epsilon as in :func:`advanced_epsilon`, delta ``k step.delta + slack``.

    **Source.** DR11-thm-3.20, Theorem 3.20.

    Parameters
    ----------
    slack : float
        Delta to spend on the sum of the losses, in (0, 1).

    Examples
    --------
    >>> print(advanced_composition(Guarantee(0.05), 1000, 1e-5))
    (10.1507, 1e-05)-differential privacy (replace-one)
    """
    check.instance(Guarantee, step=step)
    return approximate(step, advanced_epsilon(step.epsilon, k, slack), k * step.delta + slack)
