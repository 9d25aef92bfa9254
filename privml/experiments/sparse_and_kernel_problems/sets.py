"""Public sets of hypotheses: points hashed into buckets, and covers under a reference law."""

from collections.abc import Callable, Sequence
from math import ceil, log

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml._search import smallest_integer
from privml.bounds.representation import (
    expected_public_gap,
    packing_number_bound,
    reference_cover_sample_size,
    representation_sample_size,
)
from privml.distributions.binomial import binomial_logpmf
from privml.hypotheses import Thresholds
from privml.learners.reference_cover import Members, greedy_cover, loss_distances
from privml.pac import expected_excess_error
from privml.populations import FinitePopulation

REFERENCE = np.array([0.4, 0.3, 0.15, 0.1, 0.05])
"""Public law of the readings 0, 1, 2, 3, 4."""
DATA = np.array([0.25, 0.25, 0.25, 0.15, 0.1])
"""A law of the data: at most twice the public one."""


def _excess_of_points(n_hypotheses: float, n_samples: int, epsilon: float) -> float:
    """Exact expected error: one point always right, one always wrong, the others wrong on True records."""
    count = np.arange(n_samples + 1)
    law = np.exp(binomial_logpmf(n_samples, 0.5))
    others = (n_hypotheses - 2) * np.exp(-epsilon * count / 2)
    worst = np.exp(-epsilon * n_samples / 2)
    return float(law @ ((others / 2 + worst) / (1 + worst + others)))


def points_by_bits(
    bits: Sequence[int], n_samples: int, epsilon: float, n_buckets: Sequence[int]
) -> pd.DataFrame:
    """Exact expected error of learning a point among 2^bits, half of the records being on it.

    The other half is on one other point, labelled False.

    Parameters
    ----------
    bits : sequence of int
        Binary digits of the number of points, at least 1.
    n_samples : int
        Number of records.
    epsilon : float
        Privacy parameter in nats.
    n_buckets : sequence of int
        Sizes of a uniformly random partition into buckets, one a curve; a collision has error 1/2.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``bits``, ``error``.

    Examples
    --------
    >>> points_by_bits([4, 30], 60, 1.0, [20]).round(4)
            curve  bits   error
    0  all points     4  0.0000
    1  all points    30  0.4922
    2  20 buckets     4  0.0250
    3  20 buckets    30  0.0250
    """
    rows = [("all points", b, _excess_of_points(2.0**b, n_samples, epsilon)) for b in bits]
    for k in n_buckets:
        error = (1 - 1 / k) * _excess_of_points(k, n_samples, epsilon) + 1 / (2 * k)
        rows += [(f"{k} buckets", b, error) for b in bits]
    return pd.DataFrame(rows, columns=["curve", "bits", "error"])


def _weighted(multiplicity: NDArray, epsilon: float) -> Callable[[NDArray], NDArray]:
    def law(mistakes: NDArray) -> NDArray:
        exponents = np.log(multiplicity) - epsilon * np.asarray(mistakes, dtype=float) / 2
        weights = np.exp(exponents - exponents.max(axis=-1, keepdims=True))
        return weights / weights.sum(axis=-1, keepdims=True)

    return law


def counts_by_bits(
    bits: Sequence[int], n_samples: int, epsilon: float, alpha: float, density_ratio: float
) -> pd.DataFrame:
    """Exact expected excess error of thresholds on counts that are stored with many bits.

    Readings are 0 to 4, True from 2 on; the class has a threshold at every whole number from 1 to 2^bits.

    Parameters
    ----------
    bits : sequence of int
        Binary digits of a count, at least 3.
    n_samples : int
        Number of records, from the law `DATA`.
    epsilon : float
        Privacy parameter in nats.
    alpha : float
        What the cover may cost.
    density_ratio : float
        c, at least 2 for the promise to hold.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``bits``, ``excess``, ``size`` (of the set that the mechanism chooses from).

    Examples
    --------
    >>> counts_by_bits([3, 64], 8, 1.0, 0.1, 2.0).round(4)
          curve  bits  excess          size
    0  all cuts     3  0.2246  8.000000e+00
    1  all cuts    64  0.5000  1.844674e+19
    2     cover     3  0.1460  4.000000e+00
    3     cover    64  0.1460  4.000000e+00
    """
    whole = Thresholds(np.arange(1, 6))  # the last one stands for all cuts from 5 on
    readings = np.arange(5)
    population = FinitePopulation(readings.astype(float), readings >= 2, DATA)
    distances = loss_distances(whole.predict(readings), REFERENCE)
    cover = Members(whole, greedy_cover(distances, alpha / density_ratio))
    even = _weighted(np.ones(cover.n_hypotheses), epsilon)
    plain = expected_excess_error(even, cover, population, n_samples)
    plain += float(population.error_rates(cover).min())
    rows = []
    for b in bits:
        multiplicity = np.array([1.0, 1.0, 1.0, 1.0, 2.0**b - 4])
        excess = expected_excess_error(_weighted(multiplicity, epsilon), whole, population, n_samples)
        rows.append(("all cuts", b, excess, 2.0**b))
    rows += [("cover", b, plain, float(cover.n_hypotheses)) for b in bits]
    return pd.DataFrame(rows, columns=["curve", "bits", "excess", "size"])


def cover_sizes(n_cuts: Sequence[int], radii: Sequence[float]) -> pd.DataFrame:
    """Sizes of greedy covers of thresholds under the uniform law, next to the least and to the bound.

    Parameters
    ----------
    n_cuts : sequence of int
        Cut points, equally spaced in [0, 1].
    radii : sequence of float
        Radii r.

    Returns
    -------
    DataFrame
        Columns ``n_cuts``, ``radius``, ``greedy``, ``least`` (by a sweep), ``bound`` (on packings).

    Examples
    --------
    >>> cover_sizes([101], [0.1])
       n_cuts  radius  greedy  least  bound
    0     101     0.1       5      5     92
    """
    rows = []
    for count in n_cuts:
        cuts = np.arange(count)
        distances = abs(cuts[:, None] - cuts) / (count - 1)
        for radius in radii:
            reach = 2 * int(radius * (count - 1) + 1e-9) + 1
            greedy = len(greedy_cover(distances, radius))
            rows.append((count, radius, greedy, ceil(count / reach), packing_number_bound(1, radius)))
    return pd.DataFrame(rows, columns=["n_cuts", "radius", "greedy", "least", "bound"])


def reference_sizes(density_ratios: Sequence[float], alpha: float, epsilon: float) -> pd.DataFrame:
    """Records for thresholds behind a cover, against the density ratio, and by the size of a sweep's cover.

    Parameters
    ----------
    density_ratios : sequence of float
        Ratios c, at least 1.
    alpha : float
        Expected excess risk.
    epsilon : float
        Privacy budget in nats.

    Returns
    -------
    DataFrame
        Columns ``ratio``, ``size`` (``ceil(c / alpha)``, a cover of thresholds of radius alpha / (2 c)),
        ``records`` (with that size), ``by_dimension`` (with the packing bound for VC dimension 1).

    Examples
    --------
    >>> reference_sizes([2.0], 0.1, 1.0)
       ratio  size  records  by_dimension
    0    2.0    20      822          1704
    """
    rows = []
    for c in density_ratios:
        size = ceil(c / alpha - 1e-9)
        records = representation_sample_size(alpha, epsilon, float(np.log(size)), approximation=alpha / 2)
        general = reference_cover_sample_size(alpha, epsilon, vc_dimension=1, density_ratio=c)
        rows.append((c, size, records, general))
    return pd.DataFrame(rows, columns=["ratio", "size", "records", "by_dimension"])


def public_points(alphas: Sequence[float], epsilon: float) -> pd.DataFrame:
    """Public points and private records for thresholds, one threshold kept in each gap of the public points.

    Parameters
    ----------
    alphas : sequence of float
        Expected excess errors, in (0, 1); half of it goes to the gaps.
    epsilon : float
        Privacy budget in nats.

    Returns
    -------
    DataFrame
        Columns ``alpha``, ``public``, ``private``.

    Examples
    --------
    >>> public_points([0.1], 1.0)
       alpha  public  private
    0    0.1     104     1271
    """
    rows = []
    for alpha in alphas:
        n_public = smallest_integer(lambda m, alpha=alpha: expected_public_gap(m) <= alpha / 2)
        gap = expected_public_gap(n_public)
        records = representation_sample_size(alpha, epsilon, log(n_public + 1), approximation=gap)
        rows.append((alpha, n_public, records))
    return pd.DataFrame(rows, columns=["alpha", "public", "private"])


def representation_sizes(bits: Sequence[int], alpha: float, epsilon: float) -> pd.DataFrame:
    """Records for thresholds and for points on 2^bits instances, by the bound for public finite sets.

    Parameters
    ----------
    bits : sequence of int
        Binary digits of the number of instances, at least 1.
    alpha : float
        Expected excess error, in (0, 1).
    epsilon : float
        Privacy budget in nats.

    Returns
    -------
    DataFrame
        Columns ``bits``, ``thresholds`` (all of them are the set), ``all_points``, ``hashed_points`` (with
        the best number of buckets) and ``buckets``.

    Examples
    --------
    >>> representation_sizes([8, 64], 0.25, 1.0)
       bits  thresholds  all_points  hashed_points  buckets
    0     8         117         117             87       21
    1    64         930         930             87       21
    """

    def hashed(k: int) -> int:
        return representation_sample_size(alpha, epsilon, float(np.log(k)), approximation=1 / k)

    buckets = min(range(int(1 / alpha) + 1, ceil(40 / alpha)), key=hashed)
    rows = []
    for b in bits:
        whole = representation_sample_size(alpha, epsilon, float(b * np.log(2)))
        rows.append((b, whole, whole, hashed(buckets), buckets))
    names = ["bits", "thresholds", "all_points", "hashed_points", "buckets"]
    return pd.DataFrame(rows, columns=names)


def narrow_laws(widths: Sequence[float], radius: float) -> pd.DataFrame:
    """What a cover of thresholds is worth when readings crowd around the right cut, between two members.

    Parameters
    ----------
    widths : sequence of float
        Lengths of the interval on which the data are uniform, around the middle of two members.
    radius : float
        Of the cover under the uniform law on [0, 1]: members are 2 radius apart.

    Returns
    -------
    DataFrame
        Columns ``width``, ``ratio`` (1 / width, the density ratio), ``promise`` (radius times ratio, at most
        1), ``loss`` (exact least excess risk on the cover).

    Examples
    --------
    >>> narrow_laws([0.5, 0.1], 0.05).round(3)
       width  ratio  promise  loss
    0    0.5    2.0      0.1   0.1
    1    0.1   10.0      0.5   0.5
    """
    rows = [(w, 1 / w, min(1.0, radius / w), min(0.5, radius / w)) for w in widths]
    return pd.DataFrame(rows, columns=["width", "ratio", "promise", "loss"])
