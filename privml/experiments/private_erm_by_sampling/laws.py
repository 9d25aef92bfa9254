"""Tables on exact laws: densities, privacy over all neighbours, sharp pairs, penalties, tails."""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import sqrt

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml import audit
from privml.distributions import Categorical
from privml.learners.penalised_erm import (
    Ball,
    ExponentialERM,
    Finite,
    HingeLoss,
    LogisticLoss,
    PenalisedRisk,
    RampLoss,
    ScoreLoss,
    SquaredLoss,
)

LOSSES: dict[str, ScoreLoss] = {
    "logistic": LogisticLoss(),
    "hinge": HingeLoss(),
    "squared": SquaredLoss(),
    "ramp": RampLoss(),
}
FOR, AGAINST = 3, 1
"""Shares of the labels 1 and -1 in the data of one feature: three to one."""


def divided_opinion(n_samples: int, radius: float, *, penalty: float = 0.0) -> PenalisedRisk:
    """Logistic risk of one feature, always 1, with labels 1 and -1 in the proportion three to one.

    Examples
    --------
    >>> divided_opinion(8, 2.0).y.tolist()
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, -1.0, -1.0]
    """
    minus = n_samples * AGAINST // (FOR + AGAINST)
    y = np.repeat([1.0, -1.0], [n_samples - minus, minus])
    return PenalisedRisk(np.ones((n_samples, 1)), y, LogisticLoss(), Ball(1, radius), penalty=penalty)


def densities(sizes: Sequence[int], epsilon: float, radius: float) -> pd.DataFrame:
    """Density of the released weight for more and more records with the same shares of labels.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of records, multiples of 4.
    epsilon : float
        Privacy parameter in nats.
    radius : float
        The weight lies in [-radius, radius].

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``h``, ``density``.

    Examples
    --------
    >>> densities([8], 1.0, 2.0).shape
    (121, 3)
    """
    h = np.linspace(-radius, radius, 121)
    tables = []
    for n_samples in sizes:
        law = ExponentialERM(divided_opinion(n_samples, radius), epsilon)
        logs = law.log_density(h[:, None]) - law.quadrature().log_normaliser
        tables.append(pd.DataFrame({"n_samples": n_samples, "h": h, "density": np.exp(logs)}))
    return pd.concat(tables, ignore_index=True)


def line_records(radius: float) -> tuple[NDArray, NDArray]:
    """Four records of one feature that pull to either side, strongly and to the very end.

    Examples
    --------
    >>> line_records(2.0)[0].ravel().tolist()
    [-1.0, -0.5, 0.5, 1.0]
    """
    near = min(1.0, 1 / radius)
    return np.array([[-1.0], [-near], [near], [1.0]]), np.ones(4)


def _finite_law(loss: ScoreLoss, grid: Finite, epsilon: float, rule: str) -> Callable:
    def law(data: tuple) -> Categorical:
        return ExponentialERM(PenalisedRisk(*data, loss, grid), epsilon, sensitivity=rule).finite_law()

    return law


def audit_by_size(sizes: Sequence[int], epsilon: float, radius: float, n_points: int = 9) -> pd.DataFrame:
    """Exact privacy parameter on a grid of weights, over all pairs of neighbours.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of records; each is one of `line_records`.
    epsilon : float
        The claim, in nats.
    radius : float
        The grid reaches from -radius to radius.
    n_points : int, default 9
        Points of the grid.

    Returns
    -------
    DataFrame
        Columns ``loss``, ``sensitivity``, ``n_samples``, ``exact_epsilon``.

    Examples
    --------
    >>> audit_by_size([2], 1.0, 2.0).query("loss == 'logistic'")["exact_epsilon"].round(3).tolist()
    [0.548, 0.246]
    """
    grid, rows = Finite(np.linspace(-radius, radius, n_points)[:, None]), []
    for name, loss in LOSSES.items():
        for rule in ("tight", "WLF16"):
            law = _finite_law(loss, grid, epsilon, rule)
            for n in sizes:
                found = audit.exact(law, line_records(radius), n)
                rows.append((name, rule, n, found.epsilon))
    return pd.DataFrame(rows, columns=["loss", "sensitivity", "n_samples", "exact_epsilon"])


def sharp_pair(loss: ScoreLoss, radius: float) -> NDArray[np.float64]:
    """Three records of the plane: the replaced one, its replacement, and the one all others equal.

    The label is 1.  The loss of the first less that of the second changes by twice the oscillation between
    two points of the disc, and the third pulls to the first of them.

    Examples
    --------
    >>> sharp_pair(LogisticLoss(), 2.0).tolist()
    [[1.0, 0.0], [-1.0, 0.0], [-0.5, 0.0]]
    """
    cosine = -1 / radius if isinstance(loss, SquaredLoss) and radius > 1 else -1.0
    return np.array([[1.0, 0.0], [cosine, sqrt(1 - cosine**2)], [-min(1.0, 1 / radius), 0.0]])


def sharpness(sizes: Sequence[int], epsilon: float, radius: float, nodes: int = 80) -> pd.DataFrame:
    """Privacy loss of one pair of neighbours at one point of the disc: it approaches the claim.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of records.
    epsilon : float
        The claim, in nats.
    radius : float
        Of the disc.
    nodes : int, default 80
        Of the quadrature rule, along the radius.

    Returns
    -------
    DataFrame
        Columns ``loss``, ``n_samples``, ``privacy_loss``.

    Examples
    --------
    >>> sharpness([10], 1.0, 2.0, nodes=60).round(3)["privacy_loss"].tolist()
    [0.622, 0.695, 0.568, 0.837]
    """
    rows = []
    for name, loss in LOSSES.items():
        first, second, other = sharp_pair(loss, radius)
        point = -radius * second[None]
        for n in sizes:
            logs = []
            for record in (first, second):
                X = np.vstack([record, np.tile(other, (n - 1, 1))])
                law = ExponentialERM(PenalisedRisk(X, np.ones(n), loss, Ball(2, radius)), epsilon)
                logs.append(law.log_density(point)[0] - law.quadrature(nodes).log_normaliser)
            rows.append((name, n, logs[0] - logs[1]))
    return pd.DataFrame(rows, columns=["loss", "n_samples", "privacy_loss"])


def disc_audits(epsilon: float, radius: float, n_samples: int, nodes: int = 24) -> pd.DataFrame:
    """Largest privacy loss of densities on the disc, at the nodes, over all pairs of neighbours.

    Parameters
    ----------
    epsilon : float
        The claim, in nats.
    radius : float
        Of the disc.
    n_samples : int
        Number of records; each is one of four unit vectors or half of one, with the label 1.
    nodes : int, default 24
        Of the quadrature rule, along the radius.

    Returns
    -------
    DataFrame
        Columns ``loss``, ``n_pairs``, ``largest``, ``range`` (largest difference of two privacy
        losses of a pair, which does not depend on the other records).

    Examples
    --------
    >>> disc_audits(1.0, 2.0, 1, nodes=10)["n_pairs"].tolist()
    [28, 28, 28, 28]
    """
    units = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    universe, rows = np.vstack([units, units / 2]), []
    for name, loss in LOSSES.items():

        def law(X: NDArray, loss: ScoreLoss = loss) -> Categorical:
            risk = PenalisedRisk(X, np.ones(len(X)), loss, Ball(2, radius))
            exact = ExponentialERM(risk, epsilon).quadrature(nodes)
            return Categorical(exact.logpdf + exact.log_weights)

        found = audit.exact(law, universe, n_samples)
        singles = np.array([law(record[None]).logpmf() for record in universe])
        spans = [np.ptp(singles[i] - singles[j]) for i, j in combinations(range(len(universe)), 2)]
        rows.append((name, found.n_pairs, found.epsilon, max(spans)))
    return pd.DataFrame(rows, columns=["loss", "n_pairs", "largest", "range"])


def oscillations(radii: Sequence[float]) -> pd.DataFrame:
    """Oscillation and supremum of the losses, and the source's sensitivity over the sharp one.

    Examples
    --------
    >>> oscillations([2.0]).round(3)["ratio"].tolist()
    [2.127, 2.0, 2.0, 2.0]
    """
    rows = [
        (name, radius, loss.oscillation(radius), loss.supremum(radius))
        for name, loss in LOSSES.items()
        for radius in radii
    ]
    table = pd.DataFrame(rows, columns=["loss", "radius", "oscillation", "supremum"])
    return table.assign(ratio=2 * table["supremum"] / table["oscillation"])
