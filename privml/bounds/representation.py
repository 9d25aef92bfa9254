r"""Learning from a finite set of hypotheses that was chosen without looking at the data.

Let V be a finite set of K hypotheses, fixed or drawn at random before the data are seen, and let
*approximation* bound the expected distance ``E min_V R - R*``.  The exponential mechanism over V has, in
expectation,

* empirical risk at most ``2 ln K / (n epsilon)`` above the least one on V (Gibbs), and
* a risk above its empirical risk by at most ``tanh(epsilon / 4)``, because it is private, or by at most
  ``sqrt(ln K / (2 n))``, because K means of n numbers in [0, 1] all stay near their expectations.

The excess risk is at most the sum of the approximation, the first, and the smaller of the other two.
"""

from math import ceil, exp, floor, log, sqrt, tanh

from privml import _check as check
from privml._search import smallest_integer
from privml.bounds.vc import log_sauer_shelah, sauer_shelah

LARGEST_LOG_PACKING = 700.0
"""Largest logarithm of a packing number that is given as a whole number."""

SUMMED_GAPS = 10**6
EULER = 0.5772156649015329


def representation_excess_risk(
    n_samples: int, epsilon: float, log_size: float, *, approximation: float = 0.0
) -> float:
    """Bound on the expected excess risk of the exponential mechanism over a public finite set.

    Parameters
    ----------
    epsilon : float
        Privacy budget in nats, positive; as much of it is used as is best.
    log_size : float
        Logarithm of the number K of hypotheses, non-negative.
    approximation : float, default 0
        Bound on the expected distance of the least risk on the set from the benchmark.

    Notes
    -----
    **Accuracy.** In expectation over set, sample and draw, for losses in [0, 1] and independent records.
    **Source.** WLF16-ex-23, WLF16-ex-24: the reduction to WLF16-ex-20, with constants.

    Examples
    --------
    >>> round(representation_excess_risk(1000, 1.0, log(64), approximation=0.05), 4)
    0.1039
    """
    check.positive_integer(n_samples=n_samples)
    check.positive(epsilon=epsilon)
    check.non_negative(log_size=log_size, approximation=approximation)
    uniform = 2 * log_size / (n_samples * epsilon) + sqrt(log_size / (2 * n_samples))
    best = min(epsilon, sqrt(8 * log_size / n_samples)) if log_size else 0.0
    private = 2 * log_size / (n_samples * best) + tanh(best / 4) if best else 0.0
    return approximation + min(uniform, private)


def representation_sample_size(
    alpha: float, epsilon: float, log_size: float, *, approximation: float = 0.0
) -> int:
    """Smallest n for which `representation_excess_risk` is at most alpha.

    Parameters
    ----------
    log_size : float
        Logarithm of the number of hypotheses, non-negative.
    approximation : float, default 0
        Bound on the expected distance of the least risk on the set from the benchmark.

    Notes
    -----
    **Source.** WLF16-ex-23, WLF16-ex-24, solved for n.

    Examples
    --------
    >>> representation_sample_size(0.1, 1.0, log(64), approximation=0.05)
    1141
    """
    check.positive(alpha=alpha)
    check.non_negative(approximation=approximation)
    if not alpha > approximation:
        raise ValueError(f"alpha must be above approximation ({approximation!r}), got {alpha!r}")
    return smallest_integer(
        lambda n: representation_excess_risk(n, epsilon, log_size, approximation=approximation) <= alpha
    )


def hashed_points_size(alpha: float, beta: float) -> tuple[int, int]:
    """Numbers of buckets and of repetitions with which hashed points come within alpha of any point function.

    Returns
    -------
    (n_buckets, n_repeats) : tuple of int
        ``ceil(2 / alpha)`` and ``ceil(log2(1 / beta))``: a random partition into that many buckets fails with
        probability at most 1/2, independent ones all fail with the product.  The size of the domain does
        not occur.

    Notes
    -----
    **Source.** WLF16-ex-23 for point functions; a representation in the sense of Beimel, Nissim and
    Stemmer (2013).

    Examples
    --------
    >>> hashed_points_size(0.1, 0.01)
    (20, 7)
    """
    check.probability_open(alpha=alpha, beta=beta)
    return ceil(2 / alpha), max(1, ceil(-log(beta) / log(2)))


def packing_number_bound(vc_dimension: int, radius: float) -> int:
    """Bound on the number of hypotheses of a class that are pairwise further apart than the radius.

    Parameters
    ----------
    radius : float
        Distance ``P(h != h')`` under any one distribution, in (0, 1).

    Returns
    -------
    int
        The largest M with ``M <= C(n, 0) + ... + C(n, d)`` for ``n = ceil(2 ln M / radius)``: on so many
        random points M such hypotheses are all different with positive probability, and Sauer's lemma bounds
        how many can be.  It bounds the size of a cover, since a largest such set is one.

    Notes
    -----
    **Source.** WLF16-ex-24: the small cover that it assumes, for classes of finite VC dimension.

    Examples
    --------
    >>> packing_number_bound(1, 0.1), packing_number_bound(1, 0.01)
    (92, 1459)
    """
    logarithm, n_points = _packing(vc_dimension, radius)
    if logarithm > LARGEST_LOG_PACKING:
        rule = f"such that the bound stays below e^{LARGEST_LOG_PACKING:g}"
        raise ValueError(f"vc_dimension and radius must be {rule}, got {vc_dimension!r} and {radius!r}")
    growth, exponent = sauer_shelah(vc_dimension, n_points), radius * n_points / 2
    return growth if log(growth) <= exponent else floor(exp(exponent))


def _packing(vc_dimension: int, radius: float) -> tuple[float, int]:
    """Logarithm of the largest M of `packing_number_bound`, rounding to whole numbers left out, and its n."""
    check.positive_integer(vc_dimension=vc_dimension)
    check.probability_open(radius=radius)
    n_points = smallest_integer(lambda n: log_sauer_shelah(vc_dimension, n + 1) <= radius * n / 2)
    return min(log_sauer_shelah(vc_dimension, n_points), radius * n_points / 2), n_points


def reference_cover_sample_size(
    alpha: float, epsilon: float, *, vc_dimension: int, density_ratio: float
) -> int:
    """Records with which a cover under a public reference law learns to excess risk alpha.

    Parameters
    ----------
    alpha : float
        Expected excess risk, in (0, 1); half of it is left to the cover.
    density_ratio : float
        Largest ratio c of the probability of an event to its probability under the reference law, >= 1.

    Returns
    -------
    int
        From `representation_sample_size`, with a cover of radius ``alpha / (2 c)`` and its size bounded by
        `packing_number_bound`.

    Notes
    -----
    **Source.** WLF16-ex-24, with constants.

    Examples
    --------
    >>> reference_cover_sample_size(0.1, 1.0, vc_dimension=1, density_ratio=2.0)
    1704
    """
    check.probability_open(alpha=alpha)
    check.finite(density_ratio=density_ratio)
    if density_ratio < 1:
        raise ValueError(f"density_ratio must be at least 1, got {density_ratio!r}")
    log_size, _ = _packing(vc_dimension, alpha / (2 * density_ratio))
    return representation_sample_size(alpha, epsilon, log_size, approximation=alpha / 2)


def expected_public_gap(n_public: int) -> float:
    r"""Expected largest share of the instances that lies between neighbours among public points on a line.

    Parameters
    ----------
    n_public : int
        Number m of public points, drawn independently like the instances; at least 1.

    Returns
    -------
    float
        :math:`H_{m + 1} / (m + 1)` with the harmonic number H: the expectation for a continuous law, and an
        upper bound for every law.

    Notes
    -----
    **Accuracy.** Thresholds with the same labels on the public points differ inside one gap only.
    **Source.** LZCW21-rem-public-lower-bound, for thresholds, with constants.

    Examples
    --------
    >>> round(expected_public_gap(99), 6)
    0.051874
    """
    check.positive_integer(n_public=n_public)
    n_gaps = n_public + 1
    if n_gaps <= SUMMED_GAPS:
        return sum(1 / j for j in range(n_gaps, 0, -1)) / n_gaps
    return (log(n_gaps) + EULER + 1 / (2 * n_gaps)) / n_gaps  # the rest is below 1 / (12 n^2)


def public_gap_failure(n_public: int, alpha: float) -> float:
    r"""Bound on the probability that some gap between public points holds more than a share of the instances.

    Returns
    -------
    float
        :math:`(m + 1) (1 - \alpha)^m`, at most 1.

    Notes
    -----
    **Source.** LZCW21-rem-public-lower-bound, for thresholds, with constants.

    Examples
    --------
    >>> round(public_gap_failure(99, 0.1), 5)
    0.00295
    """
    check.positive_integer(n_public=n_public)
    check.probability_open(alpha=alpha)
    return min(1.0, (n_public + 1) * (1 - alpha) ** n_public)
