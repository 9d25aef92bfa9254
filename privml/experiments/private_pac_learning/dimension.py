"""Tables on the VC dimension: every class over four points, and what the size of a class costs."""

from collections.abc import Sequence
from itertools import product
from math import log10

import numpy as np
import pandas as pd

from privml.bounds.private_pac import private_pac_sample_size_dr11
from privml.bounds.vc import sauer_shelah


def shattered_sets(n_points: int) -> np.ndarray:
    """For every non-empty class over `n_points` points, how many point sets of each size it shatters.

    A class is a set of labellings, coded as a number whose bit l says whether labelling l belongs to it;
    it shatters a point set when it meets every cylinder, the labellings with a given pattern there.

    Parameters
    ----------
    n_points : int
        From 1 to 4.

    Returns
    -------
    ndarray of int, shape (2 ** 2 ** n_points - 1, n_points + 1)
        Row c - 1 belongs to the class with code c; column s counts shattered sets of s points.

    Examples
    --------
    >>> shattered_sets(2)[0b1111 - 1].tolist()
    [1, 2, 1]
    """
    labellings = np.arange(2**n_points)
    classes = np.arange(1, 2**2**n_points, dtype=np.int64)
    counts = np.zeros((classes.size, n_points + 1), dtype=np.int64)
    for points in range(2**n_points):
        meets_all = np.ones(classes.size, dtype=bool)
        for pattern in {int(labelling) & points for labelling in labellings}:
            cylinder = int((1 << labellings[labellings & points == pattern]).sum())
            meets_all &= (classes & cylinder) != 0
        counts[:, points.bit_count()] += meets_all
    return counts


def sauer_shelah_check(n_points: int = 4) -> pd.DataFrame:
    """All classes over `n_points` points by VC dimension: sizes against the bounds.

    Parameters
    ----------
    n_points : int, default 4
        From 1 to 4; 4 is the cube {0, 1}^2.

    Returns
    -------
    DataFrame
        Columns ``vc_dimension``, ``n_classes``, ``largest_class``, ``sauer_shelah``, ``violations``: classes
        that are larger than the Sauer-Shelah bound, or than the number of sets they shatter, or (for
        dimension v >= 1) than ``(e N / v)**v``.

    Examples
    --------
    >>> sauer_shelah_check(2)
       vc_dimension  n_classes  largest_class  sauer_shelah  violations
    0             0          4              1             1           0
    1             1         10              3             3           0
    2             2          1              4             4           0
    """
    counts = shattered_sets(n_points)
    sizes = np.array([code.bit_count() for code in range(1, len(counts) + 1)])
    dimensions = np.where(counts > 0, np.arange(n_points + 1), 0).max(axis=1)
    rows = []
    for v in range(n_points + 1):
        of_v = dimensions == v
        weak = (np.e * n_points / v) ** v if v else 1
        limits = np.minimum(counts[of_v].sum(axis=1), min(sauer_shelah(v, n_points), weak))
        largest = int(sizes[of_v].max())
        violations = int((sizes[of_v] > limits).sum())
        rows.append((v, int(of_v.sum()), largest, sauer_shelah(v, n_points), violations))
    columns = ["vc_dimension", "n_classes", "largest_class", "sauer_shelah", "violations"]
    return pd.DataFrame(rows, columns=columns)


def samples_and_weights(dimensions: Sequence[int], epsilon: float, alpha: float, beta: float) -> pd.DataFrame:
    """Samples that suffice, and weights that the exponential mechanism computes, for classes on the cube.

    Parameters
    ----------
    dimensions : sequence of int
        Values of d.
    epsilon : float
        Privacy parameter in nats.
    alpha, beta : float
        Excess error and failure probability.

    Returns
    -------
    DataFrame
        Columns ``class``, ``d``, ``m`` (DR11), ``log10_weights`` for parities (2**d) and conjunctions
        (3**d + 1).

    Examples
    --------
    >>> samples_and_weights([10], 1.0, 0.1, 0.05).round(2)
              class   d     m  log10_weights
    0      parities  10  2671           3.01
    1  conjunctions  10  3637           4.77
    """
    families = {"parities": lambda d: 2**d, "conjunctions": lambda d: 3**d + 1}
    rows = []
    for (name, size), d in product(families.items(), dimensions):
        m = private_pac_sample_size_dr11(size(d), epsilon, alpha, beta)
        rows.append((name, d, m, log10(size(d))))
    return pd.DataFrame(rows, columns=["class", "d", "m", "log10_weights"])
