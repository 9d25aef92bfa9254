"""PSQ, ASQ and the estimator around them: exact audits on tiny streams, budgets, scikit-learn's checks."""

import warnings
from itertools import permutations, product

import numpy as np
import pytest
import scipy.sparse as sparse
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks

from privml.adjacency import Adjacency
from privml.divergences import gaussian_epsilon, hockey_stick
from privml.hypotheses import Thresholds
from privml.pate import (
    ConfidentAggregator,
    GaussianAggregator,
    NoisyMaxAggregator,
    PATEClassifier,
    SparseVectorAggregator,
    affordable_labels,
    readable_teachers,
    spent_epsilon,
    taught_student,
    version_space_learning,
    vote_counts,
    vote_sigma,
)
from privml.pate.sparse_vector import winners
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
    ({"y": np.arange(3000) % 257}, "y must hold at most 256 classes, but got 257"),
    ({"y": np.arange(3000) / 7}, "Unknown label type"),
    ({"classes": ["a"]}, "classes must be 2 to 256 distinct labels"),
    (
        {"classes": [0, 1, 2], "queries": "active"},
        "queries must be 'passive' for more than two classes",
    ),
    (
        {
            "classes": [0, 1, 2],
            "aggregator": GaussianAggregator(n_queries=60, epsilon=1.0, delta=1e-6),
        },
        "aggregator must be for 3 classes, but got one with n_classes=2",
    ),
    ({"student": GaussianNB}, "estimator must be a classifier, an object with"),
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


# More than two labels, and students of other libraries.
BANDS = np.digitize(X[:, 0] - X[:, 1], [-1.0, 1.0])  # three classes
PUBLIC_BANDS = np.digitize(PUBLIC[:, 0] - PUBLIC[:, 1], [-1.0, 1.0])


class NearestMean:
    """A classifier of no library: fit returns nothing, predictions are floats in a column."""

    def fit(self, X, y):
        self.labels = sorted(set(np.asarray(y).tolist()))
        self.means = np.stack([X[y == label].mean(axis=0) for label in self.labels])

    def predict(self, X):
        distances = ((X[:, None] - self.means) ** 2).sum(axis=2)
        return np.array(self.labels, dtype=float)[distances.argmin(axis=1)][:, None]


class Probabilities(NearestMean):
    """It predicts a number between the class indices."""

    def predict(self, X):
        return np.full(len(X), 0.5)


@pytest.mark.source("LZCW21-alg-3", "LZCW21-rem-24")
@pytest.mark.parametrize("student", [None, NearestMean()])
@pytest.mark.parametrize("declared", [False, True])
def test_three_labels_are_learned_from_noise_on_all_counts(student, declared):
    names = np.array(["low", "middle", "high"])
    classes = names.tolist() if declared else None
    model = fitted(
        y=names[BANDS],
        student=student,
        classes=classes,
        n_queries=100,
        epsilon=8.0,
    )
    assert isinstance(model.aggregator_, NoisyMaxAggregator)
    assert model.aggregator_.n_classes == 3
    assert model.classes_.tolist() == (classes or sorted(names))
    assert (model.predict(X) == names[BANDS]).mean() > 0.8
    assert model.privacy_.epsilon == 8.0
    assert model.votes_.max() == 2


def test_another_librarys_classifier_may_be_teacher_and_student_and_ask_actively():
    own = fitted(estimator=NearestMean(), queries="active")
    assert own.score(X, Y) > 0.85
    np.testing.assert_array_equal(own.predict(X).shape, Y.shape)
    bands = fitted(y=BANDS, estimator=NearestMean(), epsilon=8.0, n_jobs=2)
    assert bands.score(X, BANDS) > 0.7
    assert not hasattr(bands.estimator, "means")  # only copies are trained


def test_predictions_that_are_no_class_indices_are_refused_before_the_records_are_used():
    for role in ("student", "estimator"):
        with pytest.raises(ValueError, match="must be class indices from 0 to 2"):
            fitted(y=BANDS, **{role: Probabilities()})


def test_without_noise_the_winner_of_three_is_exact_and_ties_go_to_the_last():
    votes = np.array([[0, 2, 1, 0], [0, 2, 2, 1], [1, 2, 1, 2]])
    found = taught_student(GaussianNB(), PUBLIC[:4], votes, None, n_classes=3, rng=0)
    assert found.labels.tolist() == np.array([0, 2, 1, 2])[found.queried].tolist()
    model = fitted(y=BANDS, epsilon=None, n_queries=None)
    assert model.privacy_ is None
    assert model.score(X, BANDS) > 0.7


@pytest.mark.parametrize(
    "aggregator",
    [
        NoisyMaxAggregator(
            n_queries=60, n_classes=3, epsilon=8.0, delta=1e-5, noise="laplace"
        ),
        ConfidentAggregator(
            n_queries=60,
            n_classes=3,
            n_answers=40,
            threshold=80,
            check_share=0.2,
            epsilon=8.0,
            delta=1e-5,
        ),
        SparseVectorAggregator(cutoff=20, n_classes=3, epsilon=200.0, delta=1e-3),
    ],
    ids=lambda aggregator: type(aggregator).__name__,
)
def test_every_service_for_three_labels_pays_for_the_student(aggregator):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The noise .*is too large for")
        model = fitted(y=BANDS, aggregator=aggregator, n_queries=60)
    assert model.privacy_ == aggregator.guarantee
    assert set(model.votes_) <= {-1, 0, 1, 2}
    with pytest.raises(ValueError, match="must be for 2 classes, but got one .*=3"):
        fitted(aggregator=aggregator, n_queries=60)


@pytest.mark.source("LZCW21-alg-2")
def test_the_distance_of_four_counts_moves_by_at_most_1_and_is_0_where_the_winner_changes():
    """All votes of seven teachers for four classes, and every change of one of them."""
    service = SparseVectorAggregator(cutoff=1, n_classes=4, epsilon=1.0, delta=1e-5)
    splits = [c for c in product(range(8), repeat=4) if sum(c) == 7]
    distance = dict(zip(splits, service.distance(splits).tolist(), strict=True))
    winner = dict(zip(splits, winners(np.array(splits)).tolist(), strict=True))
    changed = 0
    for split, (one, other) in product(splits, permutations(range(4), 2)):
        if split[one]:
            near = list(split)
            near[one], near[other] = near[one] - 1, near[other] + 1
            near = tuple(near)
            assert abs(distance[split] - distance[near]) <= 1
            if winner[split] != winner[near]:
                changed += 1
                assert distance[split] == distance[near] == 0
    assert changed > 100


def test_the_number_of_teachers_for_two_labels_is_enough_for_more_by_a_union_bound():
    for n_classes in (3, 10, 200):
        service = NoisyMaxAggregator(
            n_queries=50, n_classes=n_classes, epsilon=1.0, delta=1e-6
        )
        sigma = vote_sigma(50, 1.0, 1e-6)
        assert service.scale == pytest.approx(np.sqrt(2) * sigma)
        teachers = readable_teachers(sigma, 0.05 / (n_classes - 1))
        unanimous = [[0] * (n_classes - 1) + [teachers]]
        misread = 1 - service.label_distribution(unanimous)[0, n_classes - 1]
        assert 0.01 < misread <= 0.05
        assert affordable_labels(
            teachers, 1.0, 1e-6, misread=0.05 / (n_classes - 1)
        ) in (
            50,
            51,
        )


@pytest.mark.source("LZCW21-rem-ex-post")
def test_what_a_run_has_spent_holds_for_any_number_of_labels():
    """A run of 10 of 40 queries on five classes has a quarter of the squared shift of the budget."""
    service = NoisyMaxAggregator(n_queries=40, n_classes=5, epsilon=1.0, delta=1e-6)
    mu = np.sqrt(2 * 10) / service.scale
    fixed = spent_epsilon(1.0, 1e-6, 40, 10, method="fixed")
    assert fixed == pytest.approx(gaussian_epsilon(delta=1e-6, mu=mu), rel=1e-6)
    union = spent_epsilon(1.0, 1e-6, 40, 10, method="union")
    assert union == pytest.approx(gaussian_epsilon(delta=1e-6 / 40, mu=mu), rel=1e-6)


def test_a_warning_about_noise_counts_all_the_other_labels():
    options = {"y": np.arange(3000) % 40, "classes": list(range(40)), "n_queries": 60}
    with pytest.warns(UserWarning, match="probability only 0"):
        fitted(n_teachers=60, **options)
