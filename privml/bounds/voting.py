r"""How near a private vote is to that of infinitely many teachers, and what a student makes of it.

No noise condition: the teachers need not be near the labels, nor near the best hypothesis.  It is enough that
at most points their mean prediction is away from 1/2, since then they agree, with the infinite ensemble.
"""

from math import ceil, exp, floor, log

from privml import _check as check
from privml._search import ceiling, smallest_integer
from privml.bounds.pate import source_sigma
from privml.bounds.relative_deviation import bernstein_count, uniform_bernstein_upper
from privml.bounds.vc import log_sauer_shelah, sauer_shelah

_EXACT = 2000  # bits of the whole numbers that are compared
STATEMENTS = ("corrected", "printed")


def _check_margin(xi: float) -> None:
    check.positive(xi=xi)
    if xi > 0.5:
        raise ValueError(f"xi must be at most 1/2, got {xi!r}")


def majority_error_bound(n_teachers: int, xi: float) -> float:
    """Bound on the probability that a vote is wrong where each voter is right with probability 1/2 + xi.

    ``exp(-2 K xi**2)``.

    Right means equal to one fixed label: for a random label the bound fails.
    **Source.** LZCW21-ex-2; Hoeffding's inequality.

    >>> round(majority_error_bound(101, 0.1), 4)
    0.1327
    """
    check.positive_integer(n_teachers=n_teachers)
    _check_margin(xi)
    return exp(-2 * n_teachers * xi**2)


def high_margin_parameters(
    nu: float,
    xi: float,
    n_public: int,
    epsilon: float,
    delta: float,
    beta: float,
    *,
    statement: str = "corrected",
) -> tuple[int, int]:
    r"""Cut-off and number of teachers with which a sparse vector gives the labels of the infinite ensemble.

    Except with probability beta the run answers all m points, and all but ``cutoff - 1`` of its labels
    are those of the infinite ensemble.  The cut-off is m at most; where more would be needed, the run
    answers all points and nothing is promised about its labels.

    ``K >= max(2 L / xi**2, (2 / xi) (1 + 3 lambda (ln(4 m / delta) + L)))`` with ``L = ln(3 m / beta)`` and
    lambda of the source's calibration.  **Privacy.** (epsilon, delta)-DP if one record changes one teacher.
    **Source.** LZCW21-prop-18 and LZCW21-prop-30.

    Parameters
    ----------
    statement : {"corrected", "printed"}
        The source's T is one smaller, and its second number of teachers half as large.

    Examples
    --------
    >>> high_margin_parameters(0.0, 0.0072, 1000, 1.0, 1e-10, 0.05)
    (3, 850526)
    >>> high_margin_parameters(0.0, 0.0072, 1000, 1.0, 1e-10, 0.05, statement="printed")
    (3, 425124)
    """
    _check_margin(xi)
    check.unit_interval(nu=nu)
    check.positive_integer(n_public=n_public)
    check.positive(epsilon=epsilon)
    check.probability_open(delta=delta, beta=beta)
    check.one_of(STATEMENTS, statement=statement)
    few = bernstein_count(n_public, nu, beta / 3)
    printed = statement == "printed"
    cutoff = max(1, ceil(few) if printed else min(n_public, floor(few) + 1))
    scale = 2 * source_sigma(cutoff, epsilon, delta / 2)
    logarithm = log(3 * n_public / beta)
    reach = 3 * scale * (log(4 * n_public) - log(delta) + logarithm)
    outvote = reach / xi if printed else 2 * (1 + reach) / xi
    return cutoff, ceiling(max(2 * logarithm / xi / xi, outvote))


def pate_agnostic_bound(
    min_disagreement: float, cutoff: int, n_public: int, beta: float, *, log_growth: float
) -> float:
    """Distance of a student in H from the infinite ensemble, and so its excess error over it.

    ``(sqrt(A) + sqrt(A + e))**2`` with ``A = (log_growth + ln(8 / beta)) / m`` and ``e`` the least
    distance on the sample plus ``2 (T - 1) / m``; at most 1.

    **Source.** LZCW21-thm-19 and LZCW21-thm-31 with explicit constants, and fast where the distance is 0.

    >>> round(pate_agnostic_bound(0.1, 20, 10_000, 0.05, log_growth=10.0), 4)
    0.1419
    """
    check.unit_interval(min_disagreement=min_disagreement)
    check.positive_integer(cutoff=cutoff, n_public=n_public)
    check.probability_open(beta=beta)
    nearest = bernstein_count(n_public, min_disagreement, beta / 2)
    empirical = min(1.0, (nearest + 2 * (cutoff - 1)) / n_public)
    if min_disagreement == 0:
        empirical = min(1.0, 2 * (cutoff - 1) / n_public)
    return uniform_bernstein_upper(empirical, n_public, beta / 2, log_growth=log_growth)


def vote_vc_bound(n_voters: int, vc_dimension: int) -> int:
    """Largest VC dimension that the votes of K members of a class of given VC dimension can have.

    Largest M with ``2**M <= S(M)**K``, S the Sauer-Shelah bound; an upper bound, d for K = 1.

    M points that the votes shatter get 2^M labellings, each from K labellings by the class.
    **Source.** LZCW21-def-vote-class, in place of the printed K d, which is too small.

    >>> vote_vc_bound(1, 3), vote_vc_bound(2, 2), vote_vc_bound(3, 3)
    (3, 13, 40)
    """
    check.positive_integer(n_voters=n_voters, vc_dimension=vc_dimension)
    if n_voters == 1:
        return vc_dimension
    if n_voters * vc_dimension > _EXACT:
        return smallest_integer(lambda m: m * log(2) > n_voters * log_sauer_shelah(vc_dimension, m)) - 1
    return smallest_integer(lambda m: 2**m > sauer_shelah(vc_dimension, m) ** n_voters) - 1
