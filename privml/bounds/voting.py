r"""How near a private vote is to that of infinitely many teachers, and what a student makes of it.

No noise condition: the teachers need not be near the labels, nor near the best hypothesis.  It is enough that
at most points their mean prediction is away from 1/2, since then they agree, with the infinite ensemble.
"""

from math import floor, log

from privml import _check as check
from privml._search import ceiling
from privml.bounds.fast_rates import bernstein_count, uniform_bernstein_upper
from privml.bounds.pate import source_sigma


def high_margin_parameters(
    n_public: int,
    epsilon: float,
    delta: float,
    beta: float,
    *,
    nu: float,
    xi: float,
) -> tuple[int, int]:
    r"""Cut-off and number of teachers with which a sparse vector gives the labels of the infinite ensemble.

    Except with probability beta all but ``T - 1`` labels are those; if T is m, nothing is promised of them.

    **Returns.** T and ``K >= max(2 L / xi**2, (2 / xi) (1 + 3 lambda (ln(4 m / delta) + L)))``, where ``L =
    ln(3 m / beta)`` and lambda is of the source's calibration.
    **Privacy.** (epsilon, delta)-DP if one record changes one teacher.
    **Source.** LZCW21-prop-18 and LZCW21-prop-30, where T is one smaller and the second K half as large.

    >>> high_margin_parameters(1000, 1.0, 1e-10, 0.05, nu=0.0, xi=0.0072)
    (3, 850526)
    """
    check.unit_interval(nu=nu)
    check.positive(xi=xi, epsilon=epsilon)
    check.positive_integer(n_public=n_public)
    check.probability_open(delta=delta, beta=beta)
    if xi > 0.5:
        raise ValueError(f"xi must be at most 1/2, got {xi!r}")
    cutoff = min(n_public, floor(bernstein_count(n_public, nu, beta=beta / 3)) + 1)
    logarithm = log(3 * n_public / beta)
    scale = 2 * source_sigma(cutoff, epsilon, delta / 2)
    reach = 3 * scale * (log(4 * n_public) - log(delta) + logarithm)
    return cutoff, ceiling(max(2 * logarithm / xi / xi, 2 * (1 + reach) / xi))


def pate_agnostic_bound(
    min_disagreement: float, cutoff: int, n_public: int, beta: float, *, log_growth: float
) -> float:
    """Distance of a student in H from the infinite ensemble, and so its excess error over it.

    **Returns.** ``(sqrt(A) + sqrt(A + e))**2`` with ``A = (log_growth + ln(8 / beta)) / m`` and e the least
    distance on the sample plus ``2 (T - 1) / m``; at most 1.
    **Source.** LZCW21-thm-19 and LZCW21-thm-31 with explicit constants, and fast where the distance is 0.

    >>> round(pate_agnostic_bound(0.1, 20, 10_000, 0.05, log_growth=10.0), 4)
    0.1419
    """
    check.unit_interval(min_disagreement=min_disagreement)
    check.positive_integer(cutoff=cutoff, n_public=n_public)
    check.probability_open(beta=beta)
    nearest = bernstein_count(n_public, min_disagreement, beta=beta / 2)
    nearest = nearest if min_disagreement else 0.0
    empirical = min(1.0, (nearest + 2 * (cutoff - 1)) / n_public)
    return uniform_bernstein_upper(empirical, n_public, beta / 2, log_growth=log_growth)
