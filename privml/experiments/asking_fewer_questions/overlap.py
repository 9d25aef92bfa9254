"""Do active learning and the sparse vector select the same points?  Remark 25 of LZCW21, by experiment."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import fisher_exact
from sklearn.linear_model import LogisticRegression

from privml.pate import (
    GaussianAggregator,
    SparseVectorAggregator,
    active_learning,
    fit_teachers,
    taught_student,
    vote_distance,
)

MODEL = LogisticRegression(solver="liblinear")
PART, QUERIES, ROUNDS = 40, 104, 8
EPSILON, DELTA = 4.0, 1e-6


class World(NamedTuple):
    """Public points, votes about them, true scores, the sparse vector and what is unstable for it."""

    public: np.ndarray
    votes: np.ndarray
    scores: np.ndarray
    service: SparseVectorAggregator
    unstable: np.ndarray


def world(n_features: int, steepness: float, *, n_teachers: int = 1000, cutoff: int = 10, seed: int) -> World:
    """A logistic population, teachers, and the points whose distance is below the sparse vector's threshold.

    Parameters
    ----------
    n_features : int
        Independent standard normal features.
    steepness : float
        Factor of the score in the logistic law of the label.
    n_teachers : int
        Teachers, with 40 records each on average, and as many public points.
    cutoff : int
        Unstable queries at which the sparse vector halts.
    seed : int
        For everything.

    Returns
    -------
    World

    Examples
    --------
    >>> world(3, 3.0, n_teachers=300, cutoff=1, seed=0).votes.shape
    (300, 300)
    """
    rng = np.random.default_rng(seed)
    direction = rng.normal(size=n_features)
    direction *= steepness / np.linalg.norm(direction)
    X = rng.normal(size=(n_teachers * PART, n_features))
    y = rng.random(len(X)) < 1 / (1 + np.exp(-X @ direction))
    public = rng.normal(size=(n_teachers, n_features))
    votes = fit_teachers(MODEL, X, y, n_teachers=n_teachers, classes=[False, True], rng=rng).votes(public)
    service = SparseVectorAggregator(cutoff=cutoff, epsilon=EPSILON, delta=DELTA)
    return World(public, votes, public @ direction, service, vote_distance(votes) < service.threshold)


def overlap(worlds: Sequence[World]) -> pd.DataFrame:
    """Which of the points that active learning asks are unstable, on exact majorities.

    Parameters
    ----------
    worlds : sequence of World
        From :func:`world`.

    Returns
    -------
    DataFrame
        One row per world: ``unstable`` (share of all points), ``both``, ``asked_only``, ``unstable_only``,
        ``neither`` (counts), ``odds_ratio``, ``p_value`` (Fisher's exact test, two-sided).

    Notes
    -----
    **Source.** LZCW21-rem-25.

    Examples
    --------
    >>> found = overlap([world(3, 3.0, n_teachers=300, cutoff=1, seed=0)])
    >>> bool(found["odds_ratio"][0] > 5), int(found[["both", "asked_only"]].sum(axis=1)[0])
    (True, 104)
    """
    rows = []
    for seed, place in enumerate(worlds):
        asked = np.zeros(len(place.public), dtype=bool)
        asked[_asked(place, seed)] = True
        pairs = ((asked, place.unstable), (asked, ~place.unstable))
        pairs += ((~asked, place.unstable), (~asked, ~place.unstable))
        cells = [int((a & b).sum()) for a, b in pairs]
        test = fisher_exact(np.reshape(cells, (2, 2)))
        rows.append((place.unstable.mean(), *cells, test.statistic, test.pvalue))
    names = ["both", "asked_only", "unstable_only", "neither"]
    return pd.DataFrame(rows, columns=["unstable", *names, "odds_ratio", "p_value"])


def _asked(place: World, seed: int) -> np.ndarray:
    majority = place.votes.mean(axis=0) >= 0.5
    options = {"n_queries": QUERIES, "n_rounds": ROUNDS, "fill": True}
    return active_learning(MODEL, place.public, lambda i: majority[i], rng=seed, **options).queried


def overlap_by_round(groups: dict[str, Sequence[World]]) -> pd.DataFrame:
    """Share of unstable points among those asked in each round, and among all.

    Parameters
    ----------
    groups : dict
        From a name to worlds.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``round`` (from 1; the first is a random sample), ``share``, ``base`` (among all
        public points).

    Examples
    --------
    >>> found = overlap_by_round({"easy": [world(3, 3.0, n_teachers=300, cutoff=1, seed=0)]})
    >>> len(found), bool(found["share"].mean() > found["base"].mean())
    (8, True)
    """
    rows, size = [], QUERIES // ROUNDS
    for name, worlds in groups.items():
        shares = [
            place.unstable[_asked(place, seed)].reshape(ROUNDS, size).mean(axis=1)
            for seed, place in enumerate(worlds)
        ]
        base = float(np.mean([place.unstable.mean() for place in worlds]))
        rows += [(name, k + 1, share, base) for k, share in enumerate(np.mean(shares, axis=0).tolist())]
    return pd.DataFrame(rows, columns=["curve", "round", "share", "base"])


def combined(worlds: Sequence[World], *, n_repeats: int) -> pd.DataFrame:
    """Students at one (epsilon, delta): Gaussian or sparse-vector answers, to random or to active queries.

    Parameters
    ----------
    worlds : sequence of World
        From :func:`world`.
    n_repeats : int
        Releases per world.

    Returns
    -------
    DataFrame
        Columns ``answers``, ``queries``, ``labels`` (mean number received), ``refused`` (mean number of
        unstable queries), ``accuracy`` (against the sign of the true score, mean), ``half_width`` (1.96
        standard errors of that mean).

    Examples
    --------
    >>> combined([world(3, 3.0, n_teachers=300, cutoff=1, seed=0)], n_repeats=2)["answers"].tolist()
    ['Gaussian', 'Gaussian', 'sparse vector', 'sparse vector']
    """
    gaussian, rows = GaussianAggregator(n_queries=QUERIES, epsilon=EPSILON, delta=DELTA), []
    for answers in ("Gaussian", "sparse vector"):
        for queries in ("passive", "active"):
            found = [
                _student(
                    place, gaussian if answers == "Gaussian" else place.service, queries, 100 * index + repeat
                )
                for index, place in enumerate(worlds)
                for repeat in range(n_repeats)
            ]
            labels, refused, accuracy = np.transpose(found)
            half = 1.96 * accuracy.std(ddof=1) / np.sqrt(len(accuracy)) if len(accuracy) > 1 else np.nan
            rows.append((answers, queries, labels.mean(), refused.mean(), accuracy.mean(), half))
    names = ["answers", "queries", "labels", "refused", "accuracy", "half_width"]
    return pd.DataFrame(rows, columns=names)


def _student(place: World, service, queries: str, seed: int) -> tuple[float, float, float]:
    options = {"queries": queries, "rng": seed} | ({"n_rounds": ROUNDS} if queries == "active" else {})
    n_queries = len(place.public) if service.n_queries is None and queries == "passive" else QUERIES
    found = taught_student(MODEL, place.public, place.votes, service, n_queries=n_queries, **options)
    wrong = found.model if isinstance(found.model, int) else found.model.predict(place.public)
    right = (wrong == (place.scores > 0)).mean()
    received = int((found.labels >= 0).sum())
    return received, min(place.service.cutoff, int((found.labels < 0).sum())), float(right)
