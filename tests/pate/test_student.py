"""PSQ, ASQ and the estimator around them: exact audits on tiny streams, budgets, scikit-learn's checks."""

from itertools import product

import numpy as np
import pytest
import scipy.sparse as sparse
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks

from privml.adjacency import Adjacency
from privml.divergences import hockey_stick
from privml.hypotheses import Thresholds
from privml.pate import (
    GaussianAggregator,
    PATEClassifier,
    SparseVectorAggregator,
    taught_student,
    version_space_learning,
    vote_counts,
    vote_sigma,
)
from tests.refusals import refused

X = np.random.default_rng(0).normal(size=(3000, 3))
Y = X[:, 0] - X[:, 1] + 0.3 * np.random.default_rng(1).normal(size=3000) > 0
PUBLIC = np.random.default_rng(2).normal(size=(300, 3))
VOTES = np.random.default_rng(3).random((400, 300)) < 1 / (
    1 + np.exp(-5 * (PUBLIC[:, 0] - PUBLIC[:, 1]))
)
TRUTH = PUBLIC[:, 0] > PUBLIC[:, 1]


class SeededPATEClassifier(PATEClassifier):
    """The checks compare two fits on the same data, so they get the same randomness."""

    def fit(self, X, y):
        return super().fit(X, y, rng=0)


@pytest.mark.filterwarnings("ignore:The noise .*is too large for")
@parametrize_with_checks([SeededPATEClassifier(n_teachers=5, n_queries=20)])
def test_it_is_a_scikit_learn_estimator(estimator, check):
    check(estimator)


# Algorithm 5 on a tiny stream: thresholds on four points, three teachers, two labels.
STREAM = np.array([1.5, 0.5, 2.5, 3.5])
TABLE = Thresholds(np.arange(5.0)).predict(STREAM)


def active_law(votes, sigma, budget=2):
    """Law of (queries, labels) of Algorithm 5: all sequences of labels, the queries following from them."""
    law = {}
    aggregator = GaussianAggregator(
        n_queries=budget, epsilon=50.0, delta=0.4, sigma=sigma
    )
    chances = aggregator.label_distribution(vote_counts(votes))
    for labels in product([0, 1], repeat=budget):
        answers, probability = iter(labels), 1.0
        run = version_space_learning(
            TABLE, lambda j, answers=answers: bool(next(answers)), n_queries=budget
        )
        for x, label in zip(run.queried, run.labels, strict=True):
            probability *= chances[x, int(label)]
        law[(tuple(run.queried), tuple(run.labels), run.index)] = probability
    return law


@pytest.mark.source("LZCW21-alg-5")
def test_adaptive_queries_keep_the_guarantee_on_every_pair_of_neighbouring_votes():
    """One teacher's four votes change: every such pair, both ways, against Gaussian composition."""
    from privml.divergences import gaussian_delta

    sigma, epsilon = 2.0, 0.5
    rows = [row.astype(int) for row in TABLE]
    others = np.array([rows[1], rows[3]])
    laws = [active_law(np.vstack([others, row]), sigma) for row in rows]
    outcomes = sorted(set().union(*laws))
    worst = 0.0
    for p, q in product(laws, laws):
        assert sum(p.values()) == pytest.approx(1)
        logs = [np.log([law.get(o, 1e-300) for o in outcomes]) for law in (p, q)]
        worst = max(worst, float(hockey_stick(*logs, epsilon, logs=True)))
    assert 0 < worst < gaussian_delta(epsilon, mu=np.sqrt(2) / sigma)
    assert {len(o[0]) for o in outcomes} == {2}
    assert len({o[0] for o in outcomes}) > 1


@pytest.mark.source("LZCW21-alg-3", "LZCW21-alg-5")
@pytest.mark.parametrize("queries", ["passive", "active"])
@pytest.mark.parametrize("budget", [1, 40, 300, 500])
def test_the_number_of_labels_never_exceeds_the_budget(queries, budget):
    aggregator = GaussianAggregator(n_queries=budget, epsilon=2.0, delta=1e-6)
    found = taught_student(
        GaussianNB(), PUBLIC, VOTES, aggregator, queries=queries, rng=0
    )
    assert len(found.queried) == min(budget, 300)
    assert len(set(found.queried.tolist())) == len(found.queried)
    assert found.guarantee == aggregator.guarantee


@pytest.mark.source("LZCW21-alg-3")
def test_passive_labels_have_the_law_of_the_aggregator():
    """With all points asked, the share of wrong labels is a sum of independent coins with known chances."""
    aggregator = GaussianAggregator(n_queries=300, epsilon=0.5, delta=1e-6)
    chance = aggregator.label_distribution(vote_counts(VOTES.astype(int)))[:, 1]
    seen = np.zeros(300)
    for seed in range(100):
        found = taught_student(GaussianNB(), PUBLIC, VOTES, aggregator, rng=seed)
        seen[found.queried] += found.labels
    assert np.abs(seen / 100 - chance).max() < 4.5 * 0.5 / np.sqrt(100)
    assert abs((seen / 100 - chance).mean()) < 4 * 0.5 / np.sqrt(30_000)


@pytest.mark.source("LZCW21-rem-24")
@pytest.mark.parametrize("student", [GaussianNB(), LogisticRegression(C=10.0)])
@pytest.mark.parametrize("queries", ["passive", "active"])
def test_any_student_learns(student, queries):
    aggregator = GaussianAggregator(n_queries=60, epsilon=2.0, delta=1e-6)
    gaps = np.where(np.arange(300)[:, None] % 30, PUBLIC, np.nan)
    found = taught_student(student, gaps, VOTES, aggregator, queries=queries, rng=2)
    assert (found.model.predict(PUBLIC) == TRUTH).mean() > 0.85


def test_without_an_aggregator_the_majority_is_exact_and_nothing_is_promised():
    found = taught_student(GaussianNB(), PUBLIC, VOTES, None, rng=0)
    assert (found.labels == (VOTES.mean(axis=0) >= 0.5)[found.queried]).all()
    assert found.guarantee is None


def test_a_sparse_vector_pays_for_active_queries_too_and_points_without_answer_are_left_out():
    aggregator = SparseVectorAggregator(cutoff=10, epsilon=60.0, delta=1e-3)
    found = taught_student(
        GaussianNB(), PUBLIC, VOTES, aggregator, queries="active", n_queries=100, rng=0
    )
    assert 0 < (found.labels == -1).sum()
    assert (found.labels >= 0).sum() > 20
    assert (found.model.predict(PUBLIC) == TRUTH).mean() > 0.8


def test_after_the_sparse_vector_has_halted_nothing_more_is_answered():
    aggregator = SparseVectorAggregator(cutoff=2, epsilon=20.0, delta=1e-3)
    found = taught_student(
        GaussianNB(), PUBLIC, VOTES, aggregator, queries="active", n_queries=200, rng=0
    )
    answered = np.flatnonzero(found.labels >= 0)
    assert len(found.queried) == 200
    assert (found.labels[answered.max() + 1 :] == -1).sum() > 20


def fitted(X=X, y=Y, public=PUBLIC, rng=0, **options):
    model = PATEClassifier(
        **({"n_teachers": 150, "n_queries": 60, "epsilon": 2.0} | options)
    )
    return model.fit(X, y, X_public=public, rng=rng)


@pytest.mark.source("LZCW21-alg-3", "LZCW21-alg-5", "LZCW21-alg-pate-framework")
@pytest.mark.parametrize("queries", ["passive", "active"])
def test_the_estimator_learns_states_its_privacy_and_keeps_no_votes_of_teachers(
    queries,
):
    model = fitted(queries=queries)
    assert model.score(X, Y) > 0.85
    assert model.privacy_.epsilon == 2.0
    assert model.privacy_.adjacency is Adjacency.ADD_OR_REMOVE_ONE
    assert model.n_queries_ == 60
    assert model.votes_.shape == (60,)


def test_the_aggregator_names_the_relation():
    options = {"n_queries": 60, "epsilon": 2.0, "delta": 1e-6}
    replace = GaussianAggregator(**options, adjacency=Adjacency.REPLACE_ONE)
    assert fitted(aggregator=replace).privacy_.adjacency is Adjacency.REPLACE_ONE


def test_sparse_data_strings_and_numbers_that_are_not_finite():
    y = np.where(Y, "yes", "no")
    dense, thin = (
        fitted(y=y),
        fitted(sparse.csr_matrix(X), y, sparse.csr_matrix(PUBLIC)),
    )
    assert set(dense.predict(X)) == {"no", "yes"}
    assert (dense.predict(X) == thin.predict(X)).mean() > 0.98
    odd = X.copy()
    odd[:5] = np.nan
    odd[5:9] = np.inf
    assert fitted(odd, public=np.vstack([odd[:9], PUBLIC])).score(X, Y) > 0.85


def test_another_aggregator_brings_its_own_promise():
    aggregator = SparseVectorAggregator(cutoff=5, epsilon=30.0, delta=1e-4)
    assert (
        fitted(aggregator=aggregator, n_queries=None).privacy_ == aggregator.guarantee
    )
    assert fitted(epsilon=None).privacy_ is None


test_bad_input_is_refused_with_a_reason = refused(
    ({"n_teachers": 3001}, "n_teachers must be at most the number of records"),
    ({"public": PUBLIC[:0]}, "X_public must hold at least one point"),
    (
        {"public": PUBLIC[:, :2]},
        "X_public must hold at least one point with 3 features",
    ),
    ({"y": np.ones(3000)}, "y must hold two classes, but got 1 class"),
    ({"y": np.arange(3000) % 3}, "Only binary classification"),
    ({"classes": ["a"]}, "classes must be two distinct labels"),
    ({"queries": "greedy"}, "queries must be one of"),
    (
        {"aggregator": GaussianAggregator(n_queries=9, epsilon=1.0, delta=1e-6)},
        "at most the 9",
    ),
    ({"aggregator": "gaussian"}, "aggregator must be an instance of VoteAggregator"),
    call=lambda change: fitted(**change),
)


def test_a_budget_that_cannot_be_met_says_the_smallest_sigma_that_would():
    least = vote_sigma(60, 2.0, 1e-5)
    with pytest.raises(ValueError, match=f"sigma must be at least {least!r}"):
        GaussianAggregator(n_queries=60, epsilon=2.0, delta=1e-5, sigma=5.0)
    assert fitted().aggregator_.sigma == least


def test_parameters_survive_cloning_and_constant_students_predict():
    model = clone(
        PATEClassifier(
            aggregator=GaussianAggregator(n_queries=9, epsilon=1.0, delta=1e-6)
        )
    )
    assert model.aggregator.n_queries == 9
    sure = fitted(
        y=np.ones(3000, bool), classes=[False, True], n_teachers=3000, queries="active"
    )
    assert sure.student_ == 1
    assert sure.predict(X[:4]).tolist() == [True] * 4
