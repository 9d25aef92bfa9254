"""Tables on classes of distributions: hidden supports, private supports, and the two steps of Lemma 14."""

from collections.abc import Sequence
from itertools import combinations, product
from math import exp, isqrt, sqrt

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.distributions.binomial import binomial_logpmf
from privml.learnability.impossibility import (
    hidden_support_risk,
    missing_mass,
    missing_mass_bound,
    private_support_risk,
)


def missing_masses(n_atoms: int, n_samples: Sequence[int]) -> pd.DataFrame:
    """Missing mass against the number of records: exact laws, bounds, and unknown supports that grow.

    Parameters
    ----------
    n_atoms : int
        Largest number N of atoms.
    n_samples : sequence of int
        Numbers n of records.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``n_samples``, ``mass``.  ``worst found`` puts all atoms but one at 1 / (n + 1);
        ``3m points`` is the uniform law on three times as many points as records.

    Examples
    --------
    >>> missing_masses(20, [10, 100]).round(4)["mass"].tolist()
    [0.5987, 0.0059, 0.5987, 0.0695, 0.5987, 0.0732, 1.0, 0.2, 0.7125, 0.7161]
    """

    def worst_found(n: int) -> float:
        peak = min(1 / (n + 1), 1 / n_atoms)
        law = np.array([1 - (n_atoms - 1) * peak] + [peak] * (n_atoms - 1))
        return missing_mass(law, n)

    curves = {
        "uniform law": lambda n: missing_mass(np.full(n_atoms, 1 / n_atoms), n),
        "worst law found": worst_found,
        "bound": lambda n: missing_mass_bound(n_atoms, n),
        "source, N / m": lambda n: min(1.0, n_atoms / n),
        "uniform law on 3m points": lambda n: hidden_support_risk(3 * n, n),
    }
    rows = [(name, n, curve(n)) for name, curve in curves.items() for n in n_samples]
    return pd.DataFrame(rows, columns=["curve", "n_samples", "mass"])


def subset_selection_risk(n_points: int, n_samples: int, output_size: int, epsilon: float) -> float:
    """Expected empirical risk of subset selection on uniformly drawn records of a small universe.

    Parameters
    ----------
    n_points, n_samples, output_size : int
        Sizes of the universe, of the sample and of the sets to choose from.
    epsilon : float
        Privacy parameter in nats: a set has the weight ``e^(epsilon / 2)`` to the number of records in it,
        or ``e^epsilon`` for one record.

    Returns
    -------
    float
        Exact, over all samples.

    Examples
    --------
    >>> round(subset_selection_risk(6, 1, 2, 1.0), 6) == round(private_support_risk(6, 2, 1.0), 6)
    True
    """
    chosen = list(combinations(range(n_points), output_size))
    sets = np.array([[point in each for point in range(n_points)] for each in chosen])
    exponent = epsilon if n_samples == 1 else epsilon / 2
    samples = np.array(list(product(range(n_points), repeat=n_samples)))
    hits = sets[:, samples].sum(axis=2).T
    weights = np.exp(exponent * (hits - n_samples))
    risk = (weights * (1 - hits / n_samples)).sum(axis=1) / weights.sum(axis=1)
    return float(risk.mean())


def private_supports(n_points: Sequence[int], output_size: int, epsilon: float) -> pd.DataFrame:
    """Empirical risk that no private learner of a support avoids, against the size of the universe.

    Parameters
    ----------
    n_points : sequence of int
        Sizes M of the universe.
    output_size : int
        Largest number s of points in the output.
    epsilon : float
        Privacy parameter in nats.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``n_points``, ``risk``: the bound, the simpler ``1 - e^epsilon s / M``, and
        returning the sample without privacy.

    Examples
    --------
    >>> private_supports([10, 1000], 5, 1.0).round(4)["risk"].tolist()
    [0.2689, 0.9865, 0.0, 0.9864, 0.0, 0.0]
    """
    curves = {
        "any private learner": lambda m: private_support_risk(m, output_size, epsilon),
        "simpler bound": lambda m: max(0.0, 1 - exp(epsilon) * output_size / m),
        "returning the sample": lambda m: 0.0,
    }
    rows = [(name, m, curve(m)) for name, curve in curves.items() for m in n_points]
    return pd.DataFrame(rows, columns=["curve", "n_points", "risk"])


def _shares(n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Values of p, and for each the probabilities that the share of ones among n is above, at, below 1/2."""
    p = np.linspace(0, 0.5, 101)
    table = np.exp([binomial_logpmf(n, share) for share in p])
    ones = np.arange(n + 1)
    return p, table @ (np.sign(2 * ones - n)[:, None] == np.array([1, 0, -1]))


def erm_rate(n: int) -> float:
    """Worst excess risk of ERM between two opposite constants, with a coin for ties, on a grid of p."""
    p, chances = _shares(n)
    return float(((1 - 2 * p) * (chances[:, 0] + chances[:, 1] / 2)).max())


def best_risk_gap(n_samples: Sequence[int]) -> pd.DataFrame:
    """How far the expected least empirical risk is below the least risk, and two bounds on it.

    The problem has two opposite constant rules; ``direct`` is the book's bound with the best size k of its
    inner sample, ``fourth root`` with k = floor(n^(1/4)), and ``printed`` the source's.

    Parameters
    ----------
    n_samples : sequence of int
        Numbers n of records.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``exact`` (for the fair coin, the worst case), ``direct``, ``fourth_root`` and
        ``printed``.

    Examples
    --------
    >>> best_risk_gap([16, 1000]).round(3)
       n_samples  exact  direct  fourth_root  printed
    0         16  0.098   0.188        0.312   10.500
    1       1000  0.013   0.086        0.086    1.985
    """
    rows = []
    for n in n_samples:
        ones = np.arange(n + 1)
        exact = 0.5 - float(np.exp(binomial_logpmf(n, 0.5)) @ np.minimum(ones, n - ones)) / n
        direct = {k: erm_rate(k) + k * (k + 1) / (2 * n) for k in range(1, isqrt(n) + 1)}
        root = isqrt(isqrt(n))
        rows.append((n, exact, min(direct.values()), direct[root], 12 * erm_rate(root) + 36 / sqrt(n)))
    columns = ["n_samples", "exact", "direct", "fourth_root", "printed"]
    return pd.DataFrame(rows, columns=columns)
