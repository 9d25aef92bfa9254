"""Best subset selection: exact expected risks on tumours and on synthetic records, audits, and rates."""

from collections.abc import Sequence
from math import comb, log, sqrt

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml import audit
from privml.bounds.best_subset import best_subset_gap, best_subset_share
from privml.datasets import load_breast_cancer
from privml.distributions import Categorical
from privml.learners.penalised_erm import SquaredLoss
from privml.learners.subset_law import (
    coefficient_lattice,
    one_stage_law,
    subset_risks,
    supports_of,
    two_stage_law,
)

ONE, TWO, SPLIT = "one stage", "two stages", "two stages, best split"


def _law(risks: NDArray, n_samples: int, epsilon: float, share: float | None, width: float) -> Categorical:
    if share is None:
        return one_stage_law(risks, n_samples, epsilon, oscillation=width)
    parts = share * epsilon, (1 - share) * epsilon
    return two_stage_law(risks, n_samples, *parts, oscillation=width)


def _shares(n_features: int, n_selected: int, log_points: float) -> dict[str, float | None]:
    return {TWO: 0.5, SPLIT: best_subset_share(n_features, n_selected, log_points), ONE: None}


def tumour_risks(
    epsilons: Sequence[float], *, n_selected: int = 2, cells: int = 8, radius: float = 1.0
) -> pd.DataFrame:
    """Exact expected squared loss of private best subsets on the breast cancer records, against epsilon.

    Parameters
    ----------
    epsilons : sequence of float
        Privacy parameters in nats.
    n_selected : int, default 2
        Features of a support.
    cells : int, default 8
        Lattice points along a radius.
    radius : float, default 1.0
        Of the ball of coefficients.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``epsilon``, ``risk`` (mean squared loss on the records, targets -1 and 1),
        ``best`` (the least on the lattice), ``bound`` (least plus bound), ``support`` (probability of the
        support of the least).

    Examples
    --------
    >>> tumour_risks([2.0], n_selected=1).round(3)
                        curve  epsilon   risk   best  bound  support
    0              two stages      2.0  0.450  0.448  0.536    0.999
    1  two stages, best split      2.0  0.450  0.448  0.535    0.999
    2               one stage      2.0  0.448  0.448  0.492    1.000
    """
    cancer = load_breast_cancer()
    X, y = 2 * cancer.X - 1, np.where(cancer.y, 1.0, -1.0)
    supports = supports_of(X.shape[1], n_selected)
    lattice = coefficient_lattice(n_selected, radius, cells)
    risks, width = subset_risks(X, y, supports, lattice), SquaredLoss().oscillation(radius * sqrt(n_selected))
    sizes = {"n_features": X.shape[1], "n_selected": n_selected, "fit_cost": log(len(lattice))}
    top, rows = int(np.argmin(risks.min(axis=1))), []
    for name, share in _shares(X.shape[1], n_selected, log(len(lattice))).items():
        for epsilon in epsilons:
            law = _law(risks, len(y), epsilon, share, width).pmf().reshape(risks.shape)
            bound = best_subset_gap(len(y), epsilon, oscillation=width, share=share, **sizes)
            least = float(risks.min())
            rows.append((name, epsilon, float((law * risks).sum()), least, least + bound, law[top].sum()))
    return pd.DataFrame(rows, columns=["curve", "epsilon", "risk", "best", "bound", "support"])


def _sparse_records(n_samples: int, n_features: int, rng: np.random.Generator) -> tuple[NDArray, NDArray]:
    """Features -1 and 1, targets half of the first minus half of the second, with a little noise."""
    X = rng.choice([-1.0, 1.0], size=(n_samples, n_features))
    return X, 0.5 * X[:, 0] - 0.5 * X[:, 1] + rng.uniform(-0.25, 0.25, size=n_samples)


def excess_by_features(
    n_features: Sequence[int], n_samples: int, epsilon: float, *, n_seeds: int = 5, seed: int = 0
) -> pd.DataFrame:
    """Exact expected excess of the squared loss against the number of features, two of which matter.

    Parameters
    ----------
    n_features : sequence of int
        Numbers d, at least 2.
    n_samples : int
        Number of records.
    epsilon : float
        Privacy parameter of the whole in nats.
    n_seeds : int, default 5
        Data sets; excesses are means over them.
    seed : int, default 0
        Of the data.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``n_features``, ``excess``, ``bound``.

    Examples
    --------
    >>> excess_by_features([8], 1000, 1.0, n_seeds=1).round(3)
                        curve  n_features  excess  bound
    0              two stages           8   0.016  0.168
    1  two stages, best split           8   0.015  0.168
    2               one stage           8   0.002  0.084
    """
    lattice, width = coefficient_lattice(2, 1.0, 4), SquaredLoss().oscillation(sqrt(2))
    rows = []
    for d in n_features:
        streams = np.random.default_rng([seed, d]).spawn(n_seeds)
        data = [_sparse_records(n_samples, d, rng) for rng in streams]
        tables = [subset_risks(X, y, supports_of(d, 2), lattice) for X, y in data]
        sizes = {"n_features": d, "n_selected": 2, "fit_cost": log(len(lattice))}
        for name, share in _shares(d, 2, log(len(lattice))).items():
            if share == 0:
                continue
            laws = [_law(risks, n_samples, epsilon, share, width).pmf() for risks in tables]
            excess = [law @ risks.ravel() - risks.min() for law, risks in zip(laws, tables, strict=True)]
            bound = best_subset_gap(n_samples, epsilon, oscillation=width, share=share, **sizes)
            rows.append((name, d, float(np.mean(excess)), bound))
    rows.sort(key=lambda row: ((TWO, SPLIT, ONE).index(row[0]), row[1]))
    return pd.DataFrame(rows, columns=["curve", "n_features", "excess", "bound"])


def audited(epsilons: Sequence[float], n_samples: int) -> pd.DataFrame:
    """Exact epsilon of both ways over all neighbours: two features, records on the axes, one is selected.

    Parameters
    ----------
    epsilons : sequence of float
        Claims in nats; two stages take a third and two thirds.
    n_samples : int
        Number of records.

    Returns
    -------
    DataFrame
        Columns ``claim``, ``two_stages``, ``one_stage``, ``n_pairs``.

    Examples
    --------
    >>> audited([6.0], 2).round(4)
       claim  two_stages  one_stage  n_pairs
    0    6.0       2.556     3.6472       50
    """
    X = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [0.0, 0.0]])
    y = np.array([1.0, -1.0, 1.0, -1.0, 0.0])
    supports, lattice = supports_of(2, 1), coefficient_lattice(1, 1.0, 1)
    width, rows = SquaredLoss().oscillation(1.0), []

    def law(data: tuple, epsilon: float, share: float | None) -> Categorical:
        return _law(subset_risks(*data, supports, lattice), len(data[1]), epsilon, share, width)

    for epsilon in epsilons:
        both = [
            audit.exact(lambda data, e=epsilon, p=share: law(data, e, p), (X, y), n_samples)
            for share in (1 / 3, None)
        ]
        rows.append((epsilon, both[0].epsilon, both[1].epsilon, both[0].n_pairs))
    return pd.DataFrame(rows, columns=["claim", "two_stages", "one_stage", "n_pairs"])


def rate_forms(
    lipschitz: Sequence[float], n_samples: int, *, n_features: int = 100, n_selected: int = 3
) -> pd.DataFrame:
    """The rate of Example 22 as printed, as corrected, and ours for convex losses, both stages at 1/sqrt(n).

    Parameters
    ----------
    lipschitz : sequence of float
        Lipschitz constants L of the loss, whose values lie in [0, 1].
    n_samples : int
        Number of records.
    n_features, n_selected : int
        Dimension and size of a support.

    Returns
    -------
    DataFrame
        Columns ``lipschitz``, ``printed`` and ``corrected`` (the brackets over sqrt(n), without their unknown
        constant and without the volume term), ``convex`` (our bound on the expected excess of F, constant
        included).

    Examples
    --------
    >>> rate_forms([1.0, 1000.0], 10**6).round(4)
       lipschitz  printed  corrected  convex
    0        1.0   0.0583     0.0553    0.03
    1     1000.0   3.0553     0.0760    0.03
    """
    root, logs = sqrt(n_samples), log(n_features) + log(n_samples)
    convex = 2 * (log(comb(n_features, n_selected)) + n_selected) / root
    share = n_selected / root
    rows = [(L, share * (logs + L), share * (logs + log(L)), convex) for L in lipschitz]
    return pd.DataFrame(rows, columns=["lipschitz", "printed", "corrected", "convex"])
