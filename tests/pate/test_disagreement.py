"""The reduction to training: exact for an exact base learner, frugal for others."""

import numpy as np
import pytest
import scipy.sparse as sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from privml.hypotheses import Thresholds
from privml.pate import active_learning, disagreement_region

CLASS = Thresholds(np.arange(1, 40) / 40)
STREAM = np.random.default_rng(2).uniform(size=(128, 1))
NOISY = (STREAM[:, 0] >= 0.4) ^ (np.random.default_rng(5).random(128) < 0.1)


class BestThreshold(ClassifierMixin, BaseEstimator):
    """Minimises the weighted number of mistakes over the class, exactly."""

    def fit(self, X, y, sample_weight=None):
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        self.index_ = int(
            np.argmin((CLASS.predict(X) != np.asarray(y, bool)) @ weights)
        )
        return self

    def predict(self, X):
        return CLASS.predict(X, indices=[self.index_])[0].astype(int)


class BestThresholdOfCopies(BestThreshold):
    """The same without weights: a point that counts more has to come more often."""

    def fit(self, X, y):
        return super().fit(X, y)


@pytest.mark.source("LZCW21-alg-4")
@pytest.mark.parametrize("learner", [BestThreshold, BestThresholdOfCopies])
@pytest.mark.parametrize("allowed", [0, 1, 3])
def test_with_an_exact_base_learner_exactly_the_region_of_disagreement_is_asked(
    allowed, learner
):
    blocks = []

    def ask(points):
        blocks.append(np.array(points))
        return NOISY[points]

    options = {"order": "stream", "patience": None, "n_queries": 128, "n_rounds": 16}
    found = active_learning(
        learner(), STREAM, ask, slack=lambda n: allowed, rng=0, **options
    )
    stream = np.random.default_rng(0).permutation(128)
    assert blocks[0].tolist() == stream[:8].tolist()
    seen, later = stream[:8], iter(blocks[1:])
    for end in (8, 16, 32, 64):
        mistakes = (CLASS.predict(STREAM[seen]) != NOISY[seen]).sum(axis=1)
        space = CLASS.predict(STREAM)[mistakes <= mistakes.min() + allowed]
        wanted = [x for x in stream[end : 2 * end] if disagreement_region(space)[x]]
        assert not wanted or next(later).tolist() == wanted
        seen = np.append(seen, np.array(wanted, dtype=int))
    assert found.queried.tolist() == seen.tolist()
    assert len(seen) < 128


def test_a_witness_saves_trainings():
    options = {
        "order": "stream",
        "patience": None,
        "n_queries": 128,
        "n_rounds": 16,
        "rng": 0,
    }
    found = active_learning(
        BestThreshold(), STREAM, lambda i: NOISY[i], slack=lambda n: 3, **options
    )
    assert found.n_fits < 128


LINE = np.linspace(-1, 1, 1000)[:, None]


@pytest.mark.parametrize("order", ["closest", "stream"])
@pytest.mark.parametrize(
    "estimator", [LogisticRegression(C=1e3), GaussianNB(), KNeighborsClassifier(1)]
)
def test_any_classifier_will_do_and_the_budget_holds(order, estimator):
    def label(i):
        return LINE[i, 0] > 0.2

    found = active_learning(
        estimator, LINE, label, n_queries=40, order=order, n_rounds=4, rng=1
    )
    assert len(found.queried) <= 40
    assert len(set(found.queried.tolist())) == len(found.queried)
    assert (found.model.predict(LINE) == (LINE[:, 0] > 0.2)).mean() > 0.9


def test_patience_stops_the_search_far_from_the_boundary():
    options = {"n_queries": 60, "slack": lambda n: 0, "rng": 0}
    model = LogisticRegression(C=1e3)

    def label(i):
        return LINE[::5][i, 0] > 0.2

    fits = [
        active_learning(model, LINE[::5], label, patience=k, **options).n_fits
        for k in (2, None)
    ]
    assert fits[0] < 0.4 * fits[1]


class Stubborn(ClassifierMixin, BaseEstimator):
    """A classifier that no label turns, with a boundary at 0.2."""

    def fit(self, X, y):
        return self

    def decision_function(self, X):
        return np.round(np.asarray(X)[:, 0] - 0.2, 6)

    def predict(self, X):
        return (self.decision_function(X) > 0).astype(int)


@pytest.mark.parametrize("patience", [1, 2, 3, 4, None])
def test_points_that_could_not_be_turned_use_up_patience_but_for_ties(patience):
    """Pairs at one distance from the boundary: of a pair both are tested, in whatever order they come."""
    distances = np.array([1, 2, 3, 4, 5]) / 10
    points = 0.2 + np.concatenate([distances, -distances])[:, None]
    first = np.random.default_rng(1).permutation(10)[:2]
    labels = points[:, 0] > 0.2
    assert labels[first].tolist() in ([False, True], [True, False])
    left = np.sort(np.tile([1, 2, 3, 4, 5], 2)[np.setdiff1d(np.arange(10), first)])
    last = left[-1 if patience is None else patience - 1]
    found = active_learning(
        Stubborn(),
        points,
        lambda i: labels[i],
        n_queries=4,
        n_rounds=2,
        slack=lambda n: 100,
        patience=patience,
        rng=1,
    )
    assert found.queried.tolist() == first.tolist()
    assert found.n_fits == (left <= last).sum() + 2  # the best one, and the last fit


def test_filling_spends_the_whole_budget_close_to_the_boundary():
    def label(i):
        return LINE[i, 0] > 0.2

    found = active_learning(
        LogisticRegression(C=1e3), LINE, label, n_queries=80, fill=True, rng=0
    )
    assert len(found.queried) == 80
    assert np.abs(LINE[found.queried[40:], 0] - 0.2).max() < 0.2


def test_active_labels_beat_random_ones_where_the_boundary_is_sharp():
    rng = np.random.default_rng(1)
    X, w = rng.normal(size=(2000, 20)), rng.normal(size=20)
    y, model = X @ w > 0, LogisticRegression(solver="liblinear", C=100)
    found = active_learning(model, X, lambda i: y[i], n_queries=120, rng=0)
    random = rng.choice(2000, 120, replace=False)
    passive = (model.fit(X[random], y[random]).predict(X) == y).mean()
    assert (found.model.predict(X) == y).mean() > passive + 0.03


def test_a_seed_decides_everything_and_sparse_points_give_the_same_run():
    options = {"n_queries": 30, "rng": 4}
    model = LogisticRegression(solver="liblinear", dual=True)
    X = np.random.default_rng(0).normal(size=(200, 5))
    forms = (X, X, sparse.csr_matrix(X))
    runs = [
        active_learning(model, points, lambda i: X[i, 0] > 0, **options)
        for points in forms
    ]
    assert (
        runs[0].queried.tolist() == runs[1].queried.tolist() == runs[2].queried.tolist()
    )


def test_refused_labels_and_labels_of_one_class_are_survived():
    refused = active_learning(
        GaussianNB(), LINE, lambda i: np.full(len(i), -1), n_queries=20, rng=0
    )
    assert refused.model == 0
    assert (refused.labels == -1).all()
    assert (
        active_learning(
            GaussianNB(), LINE, lambda i: np.ones(len(i)), n_queries=20, rng=0
        ).model
        == 1
    )

    def label(i):
        return np.where(i % 2, -1, LINE[i, 0] > 0)

    some = active_learning(GaussianNB(), LINE, label, n_queries=40, rng=0)
    assert (some.model.predict(LINE) == (LINE[:, 0] > 0)).mean() > 0.9


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"patience": 0}, "patience must be a positive integer"),
        ({"X": LINE[:0]}, "X must hold at least one point"),
    ],
)
def test_bad_parameters_are_refused(change, message):
    options = {"X": LINE, "n_queries": 5} | change
    with pytest.raises(ValueError, match=message):
        active_learning(
            GaussianNB(), options.pop("X"), lambda i: LINE[i, 0] > 0, **options
        )
