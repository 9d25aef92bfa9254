r"""Advanced composition: for small epsilon the total grows like the square root of the number of steps.

Each step's privacy loss is at most epsilon, but its mean is at most ``epsilon (e^epsilon - 1)``, about
epsilon squared.  The sum over k steps stays near its mean by the Azuma-Hoeffding inequality: it exceeds

.. math:: \sqrt{2 k \ln(1 / \delta)} \, \varepsilon + k \varepsilon (e^{\varepsilon} - 1)

with probability at most delta.  The exact optimum for pure steps is in :mod:`~privml.composition.optimal`.
"""

from math import expm1, inf, log, sqrt

from privml import _check as check
from privml._search import last_crossing
from privml.composition.base import approximate, checked_steps
from privml.guarantee import Guarantee


def advanced_epsilon(step_epsilon: float, k: int, delta: float) -> float:
    """Total epsilon of k adaptive epsilon-DP steps by advanced composition.

    Returns
    -------
    float
        ``sqrt(2 k ln(1 / delta)) step_epsilon + k step_epsilon (e^step_epsilon - 1)``; may be infinite, and
        may exceed the sum ``k step_epsilon``.

    Notes
    -----
    **Source.** DR11-thm-3.20, Theorem 3.20; Dwork, Rothblum and Vadhan (2010).

    Examples
    --------
    >>> round(advanced_epsilon(0.05, 1000, 1e-5), 4)
    10.1507
    """
    check.non_negative(step_epsilon=step_epsilon)
    checked_steps(k)
    check.probability_open(delta=delta)
    growth = expm1(step_epsilon) if step_epsilon < 700 else inf
    return sqrt(-2 * k * log(delta)) * step_epsilon + k * step_epsilon * growth


def advanced_step_epsilon(epsilon: float, k: int, delta: float) -> float:
    """Largest epsilon of each of k steps for which advanced composition gives (epsilon, delta).

    Returns
    -------
    float
        :func:`advanced_epsilon` of it has been evaluated and is at most `epsilon`.

    Notes
    -----
    **Source.** Inverse of DR11-thm-3.20.

    Examples
    --------
    >>> step = advanced_step_epsilon(1.0, 1000, 1e-5)
    >>> round(step, 6), round(advanced_epsilon(step, 1000, 1e-5), 6)
    (0.006326, 1.0)
    """
    check.positive(epsilon=epsilon)
    checked_steps(k)
    check.probability_open(delta=delta)
    root = sqrt(-2 * k * log(delta))
    lower = epsilon / (root + sqrt(root * root + 4 * k * epsilon) + 2 * k * min(epsilon, 1.0))
    while advanced_epsilon(lower, k, delta) > epsilon:
        lower /= 2
    return last_crossing(lambda step: advanced_epsilon(step, k, delta) - epsilon, lower=lower)


def advanced_step_epsilon_corollary(epsilon: float, k: int, delta: float) -> float:
    """The usual rule for each of k steps: epsilon / sqrt(8 k ln(1 / delta)).

    Notes
    -----
    **Privacy.** The steps are rho-concentrated together, with
    ``rho = k step_epsilon^2 / 2 = epsilon^2 / (16 ln(1 / delta))``, and
    ``rho + 2 sqrt(rho ln(1 / delta)) = epsilon^2 / (16 ln(1 / delta)) + epsilon / 2`` is at most epsilon
    under the condition.  The textbook asks for epsilon at most 1.
    **Source.** DR11-thm-3.20, the rule used in section 11.2, which states no limit on epsilon.

    Examples
    --------
    >>> round(advanced_step_epsilon_corollary(1.0, 1000, 1e-5), 6)
    0.003295
    """
    check.positive(epsilon=epsilon)
    checked_steps(k)
    check.probability_open(delta=delta)
    most = -8 * log(delta)
    if epsilon > most:
        raise ValueError(f"epsilon must be at most 8 ln(1 / delta) = {most:g}, got {epsilon!r}")
    return epsilon / sqrt(-8 * k * log(delta))


def advanced_composition(step: Guarantee, k: int, slack: float) -> Guarantee:
    """Guarantee of k adaptive steps by advanced composition.

    Parameters
    ----------
    slack : float
        Delta to spend on the sum of the losses, in (0, 1).

    Returns
    -------
    Guarantee
        Epsilon as in :func:`advanced_epsilon`, delta ``k step.delta + slack``.

    Notes
    -----
    **Source.** DR11-thm-3.20, Theorem 3.20.

    Examples
    --------
    >>> print(advanced_composition(Guarantee(0.05), 1000, 1e-5))
    (10.1507, 1e-05)-differential privacy (replace-one)
    """
    check.instance(Guarantee, step=step)
    return approximate(step, advanced_epsilon(step.epsilon, k, slack), k * step.delta + slack)
