r"""The best constant for the exponential mechanism on a finite class: a value of Lambert's function.

Let the law on M hypotheses have weights ``exp(-x_i)`` with ``x_i >= 0`` and one ``x_i = 0``.  The mean of x
is largest if all other ``x_i`` are equal to one more than that mean, ``1 + w``, and then it is w with

.. math:: w e^w = \frac{M - 1}{e} .

With ``x = c (F - F*)`` this bounds the expected distance of F from its least value by ``w / c``, and two
values of F attain it, the worst family of McKenna and Sheldon (2020).  The entropy bound ``ln M / c`` is
larger by about ``(ln ln M + 1) / c``.
"""

from math import log

from privml import _check as check
from privml._search import crossing


def _largest_mean(n_hypotheses: int) -> float:
    """The w above, on the safe side."""
    if n_hypotheses == 1:
        return 0.0
    target = log(n_hypotheses - 1) - 1
    return crossing(lambda w: target - w - log(w), lower=0.2, upper=max(log(n_hypotheses), 0.3))


def finite_utility_gap(
    n_hypotheses: int, n_samples: int, epsilon: float, *, sensitivity_factor: float = 1.0
) -> float:
    """Sharp bound on the expected distance from the least penalised risk, for a finite class.

    **Returns.** ``w / c`` with ``c = epsilon n / (2 s)`` and ``w exp(w) = (M - 1) / e``.
    **Accuracy.** In expectation over the draw, for every data set; attained if the values ``0`` and
    ``(1 + w) / c`` of F are possible.
    **Source.** WLF16-lem-36 and WLF16-ex-20 with the best constant; it is ours.

    Parameters
    ----------
    sensitivity_factor : float, default 1
        n times the sensitivity s used by the mechanism.

    Examples
    --------
    >>> round(finite_utility_gap(16, 1000, 1.0), 6)
    0.002767
    """
    check.positive_integer(n_hypotheses=n_hypotheses, n_samples=n_samples)
    check.positive(epsilon=epsilon, sensitivity_factor=sensitivity_factor)
    return 2 * sensitivity_factor * _largest_mean(n_hypotheses) / (epsilon * n_samples)
