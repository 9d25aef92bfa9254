"""Nine teachers and what they gather around: the label, the best hypothesis, or the infinite ensemble.

One class for three populations: a middle of mass 1/4 and a ring of 60 equally likely points, and the
hypotheses that say 1 in the middle and on an arc of 22 points of the ring.
"""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.hypotheses import Table
from privml.pate import erm_law, infinite_ensemble
from privml.populations import FinitePopulation, regression_population

RING, ARC, MIDDLE = 60, 22, 0.25
TEACHERS, NOISE, DRAWS = 9, 0.3, 4000
SETTINGS = {"no noise": "y", "bounded noise": "h*", "agnostic": "the infinite ensemble"}


def ring_class() -> Table:
    """All arcs of 22 of 60 points, with the middle, as a table; the middle is the last point."""
    places = (np.arange(RING) - np.arange(RING)[:, None]) % RING
    return Table(np.hstack([places < ARC, np.ones((RING, 1), dtype=bool)]))


def ring_population(setting: str) -> FinitePopulation:
    """Labels of the first arc without noise, the same with noise, or True everywhere."""
    arc = ring_class().predictions[0].astype(float)
    regression = {
        "no noise": arc,
        "bounded noise": arc * (1 - NOISE) + (1 - arc) * NOISE,
        "agnostic": np.ones(RING + 1),
    }[setting]
    return regression_population(np.arange(RING + 1), masses(), regression)


def masses() -> NDArray[np.float64]:
    """Probability of each point of the ring, and of the middle."""
    return np.append(np.full(RING, (1 - MIDDLE) / RING), MIDDLE)


def _plane(law: NDArray) -> tuple[NDArray, float]:
    """Two directions in which a teacher varies most, and their share of its variance."""
    rows = ring_class().predictions * np.sqrt(masses())
    spread = np.sqrt(law)[:, None] * (rows - law @ rows)
    _, values, directions = np.linalg.svd(spread, full_matrices=False)
    peaks = directions[np.arange(2), np.abs(directions[:2]).argmax(axis=1)]
    return directions[:2] * np.sign(peaks)[:, None], float((values[:2] ** 2).sum() / (values**2).sum())


def teacher_map(n_samples: int, seed: int) -> pd.DataFrame:
    """Nine teachers in the plane, for each of three populations, with their centre at the origin.

    Parameters
    ----------
    n_samples : int
        Records of a teacher.
    seed : int
        Seed of the draws.

    Returns
    -------
    DataFrame
        Columns ``setting``, ``centre``: its name, ``x``, ``y``, ``teachers``: how many of the nine are there,
        ``kept``: share of a teacher's variance in the plane, ``distance``: disagreement with the centre.

    Notes
    -----
    The squared distance of two classifiers is the mass on which they disagree; the plane is that of the two
    principal components of the law of a teacher.  **Source.** LZCW21-fig-2.

    Examples
    --------
    >>> teacher_map(40, 0).groupby("setting")["teachers"].sum().tolist()
    [9, 9, 9]
    """
    parts, table = [], ring_class()
    for (name, centre), rng in zip(SETTINGS.items(), np.random.default_rng(seed).spawn(3), strict=True):
        population = ring_population(name)
        law = erm_law(table, population, n_samples, n_draws=DRAWS, rng=rng)
        best = table.predictions[population.best(table).index]
        origin = infinite_ensemble(law, table.predictions).labels if name == "agnostic" else best
        drawn, counts = np.unique(rng.choice(RING, size=TEACHERS, p=law), return_counts=True)
        directions, kept = _plane(law)
        apart = table.predictions[drawn] != origin
        shifted = (table.predictions[drawn] * 1.0 - origin) * np.sqrt(masses())
        places = (shifted @ directions.T).round(12) + 0.0
        found = {"setting": name, "centre": centre, "x": places[:, 0], "y": places[:, 1]}
        parts.append(pd.DataFrame(found | {"teachers": counts, "kept": kept, "distance": apart @ masses()}))
    return pd.concat(parts, ignore_index=True)


def centre_distances(n_samples: int, n_draws: int, seed: int) -> pd.DataFrame:
    """Mean disagreement of a teacher with the label, the best hypothesis, the ensemble, and a colleague.

    Parameters
    ----------
    n_samples : int
        Records of a teacher.
    n_draws : int
        Samples drawn for the law of a teacher.
    seed : int
        Seed of the draws.

    Returns
    -------
    DataFrame
        Columns ``setting``, ``y`` (the error), ``h*``, ``ensemble``, ``colleague``, ``ensemble error``,
        ``best error``.

    Notes
    -----
    **Source.** LZCW21-fig-2, in numbers.

    Examples
    --------
    >>> centre_distances(40, 500, 0)["setting"].tolist()
    ['no noise', 'bounded noise', 'agnostic']
    """
    rows, table = [], ring_class()
    for name, rng in zip(SETTINGS, np.random.default_rng(seed).spawn(3), strict=True):
        population = ring_population(name)
        law = erm_law(table, population, n_samples, n_draws=n_draws, rng=rng)
        errors, best = population.error_rates(table), population.best(table)
        ensemble = infinite_ensemble(law, table.predictions)
        wrong = np.tile(ensemble.labels, 2) != population.y
        to = [
            (table.predictions != rule) @ masses() @ law
            for rule in (table.predictions[best.index], ensemble.labels)
        ]
        colleague = float(2 * (ensemble.means * (1 - ensemble.means)) @ masses())
        rows.append((name, law @ errors, *to, colleague, float(population.probabilities @ wrong), best.error))
    columns = ["setting", "y", "h*", "ensemble", "colleague", "ensemble error", "best error"]
    return pd.DataFrame(rows, columns=columns)
