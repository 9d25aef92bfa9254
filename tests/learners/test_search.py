"""A private search over settings: what it promises, what it keeps, and what it refuses."""

import numpy as np
import pytest
from sklearn.base import clone

from privml import Guarantee
from privml.composition import best_of_geometric, geometric_stopping
from privml.learners import (
    ExponentialPACLearner,
    MeanClassifier,
    NoisyGradientDescent,
    ObjectivePerturbation,
    PrivateRandomSearch,
    PublicScaler,
    private_pipeline,
)
from privml.mechanisms import DiscreteLaplaceMechanism

RNG = np.random.default_rng(0)
X = RNG.uniform(-0.5, 0.5, size=(400, 2))
Y = X[:, 0] > X[:, 1]
LEARNER = ObjectivePerturbation(0.5, bounds="unit", classes=(False, True))


@pytest.mark.parametrize("n_settings", [1, 3, 50])
def test_the_promise_does_not_depend_on_the_number_of_settings(n_settings):
    grid = {"norm": np.linspace(1, 20, n_settings).tolist()}
    search = PrivateRandomSearch(LEARNER, grid, score_epsilon=0.25).fit(X, Y, rng=0)
    assert search.privacy_ == geometric_stopping(Guarantee(0.5), 0.1)
    assert search.best_params_["norm"] in grid["norm"]
    assert search.best_estimator_.norm == search.best_params_["norm"]
    assert set(search.predict(X)) <= {False, True}


def test_settings_may_change_the_budget_and_the_largest_counts():
    grid = {"epsilon": [0.1, 2.0], "delta": [0.0, 1e-6]}
    search = PrivateRandomSearch(LEARNER, grid, stopping_probability=0.9)
    for seed in range(6):
        found = search.fit(X, Y, rng=seed).privacy_
        assert found == geometric_stopping(Guarantee(2.0, 1e-6), 0.9)
    scored = PrivateRandomSearch(LEARNER, score_epsilon=3.0).fit(X, Y, rng=0)
    assert scored.privacy_ == geometric_stopping(Guarantee(3.0), 0.1)


def test_a_pipeline_is_searched_and_one_that_spends_more_is_refused():
    whole = private_pipeline(PublicScaler(-0.5, 0.5), LEARNER)
    grid = {"objectiveperturbation__norm": [1.0, 5.0]}
    search = PrivateRandomSearch(whole, grid, score_epsilon=0.5).fit(X, Y, rng=0)
    assert search.privacy_ == geometric_stopping(Guarantee(0.5), 0.1)

    class Spender(PublicScaler):
        def fit(self, X, y=None, *, rng=None):
            self.privacy_ = Guarantee(0.25)
            return super().fit(X)

    whole = private_pipeline(Spender(-0.5, 0.5), LEARNER)
    with pytest.raises(ValueError, match="estimator must promise at least 0.5"):
        PrivateRandomSearch(whole, score_epsilon=0.5).fit(X, Y, rng=0)
    batches = NoisyGradientDescent(
        1.0, batch_size=20, sampling_rate=0.1, bounds="unit", classes=(False, True)
    )
    with pytest.raises(ValueError, match="estimator must promise at least"):
        PrivateRandomSearch(batches).fit(X, Y, rng=0)
    with pytest.raises(ValueError, match="estimator must have an epsilon"):
        PrivateRandomSearch(PublicScaler()).fit(X, Y, rng=0)


def test_the_first_records_are_fitted_and_the_last_ones_scored():
    seen = []

    class Watching(ObjectivePerturbation):
        def fit(self, X, y, *, rng=None):
            seen.append(("fit", X.copy()))
            return super().fit(X, y, rng=rng)

        def predict(self, X):
            seen.append(("predict", X.copy()))
            return super().predict(X)

    watching = Watching(0.5, bounds="unit", classes=(False, True))
    PrivateRandomSearch(watching, validation=0.25).fit(X, Y, rng=1)
    for kind, rows in seen:
        expected = X[:300] if kind == "fit" else X[300:]
        np.testing.assert_array_equal(rows, expected)
    assert {kind for kind, _ in seen} == {"fit", "predict"}


def test_the_exact_law_of_a_search_keeps_its_promise():
    """Two settings of a constant rule, scored on one record or two: all laws in full."""
    score_epsilon, gamma = 1.0, 0.2
    noise = DiscreteLaplaceMechanism(epsilon=score_epsilon, sensitivity=1)
    values = np.arange(-60, 63)

    def law(right):
        """Of (score, setting), the best one last, for both settings' numbers of correct labels."""
        each = [np.exp(noise.output_distribution(r).logpmf(values)) / 2 for r in right]
        both = np.stack(each, axis=1).ravel()
        return best_of_geometric(both / both.sum(), gamma).logpmf()

    promised = geometric_stopping(Guarantee(score_epsilon), gamma).epsilon
    largest = max(
        float(np.abs(law(first) - law(second)).max())
        for first, second in (((1, 1), (0, 2)), ((0, 1), (1, 0)), ((2, 2), (1, 1)))
    )
    assert 0.5 * promised < largest <= promised * (1 + 1e-9)


def test_more_runs_find_better_settings():
    """A bad and a good setting: the mean of the released share rises with the number of runs."""
    grid = [{"norm": [1e-6]}, {"norm": [10.0]}]
    learner = ObjectivePerturbation(5.0, bounds="unit", classes=(False, True))
    shares = {}
    for gamma in (1.0, 0.1):
        search = PrivateRandomSearch(learner, grid, stopping_probability=gamma)
        chosen = [search.fit(X, Y, rng=seed).best_params_ for seed in range(30)]
        shares[gamma] = np.mean([each["norm"] == 10.0 for each in chosen])
    assert shares[1.0] < 0.8
    assert shares[0.1] >= shares[1.0]


def test_a_seed_gives_the_same_search_and_a_clone_none():
    search = PrivateRandomSearch(MeanClassifier(1.0, bounds="unit"))
    first, second = (clone(search).fit(X, Y, rng=3).best_estimator_ for _ in range(2))
    np.testing.assert_array_equal(first.coef_, second.coef_)
    assert not hasattr(clone(search), "privacy_")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"stopping_probability": 0.0}, "stopping_probability must be in"),
        ({"stopping_probability": 1e-9}, "stopping_probability must be at least 1e-06"),
        ({"score_epsilon": 0.0}, "score_epsilon must be positive"),
        ({"validation": 1.0}, "validation must be in"),
    ],
)
def test_what_is_out_of_range_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        PrivateRandomSearch(LEARNER, **change).fit(X, Y, rng=0)
    with pytest.raises(ValueError, match="y must hold at least 2 labels"):
        PrivateRandomSearch(LEARNER).fit(X[:1], Y[:1], rng=0)


def test_a_finite_class_is_searched_too():
    learner = ExponentialPACLearner(epsilon=1.0)
    search = PrivateRandomSearch(learner, {"epsilon": [0.5, 1.0]}).fit(X, Y, rng=0)
    assert search.privacy_ == geometric_stopping(Guarantee(1.0), 0.1)


@pytest.mark.filterwarnings("ignore:A column-vector y")
def test_a_column_of_labels_is_scored_as_a_vector():
    search = PrivateRandomSearch(LEARNER, stopping_probability=1.0)
    expected = search.fit(X, Y, rng=0).best_score_
    assert search.fit(X, Y[:, None], rng=0).best_score_ == expected
    assert search.score(X, Y[:, None]) == search.score(X, Y)


@pytest.mark.parametrize("odd", [None, "x", [1, 2], np.zeros(2), object()])
@pytest.mark.parametrize("place", [0, -1])
def test_one_odd_label_raises_nothing_and_moves_the_score_by_one_record(odd, place):
    labels = Y.tolist()
    labels[place] = odd
    search = PrivateRandomSearch(LEARNER, stopping_probability=1.0)
    expected = search.fit(X, Y, rng=0).best_score_
    score = search.fit(X, labels, rng=0).best_score_
    if place == -1:  # a scored record: every fit is the same
        assert abs(score - expected) <= 1 / 120 + 1e-12


@pytest.mark.parametrize("odd", [[None, "x"], [[1], 0.0], [np.zeros(2), {}]])
@pytest.mark.parametrize("place", [0, -1])
def test_one_odd_row_raises_nothing(odd, place):
    rows = X.tolist()
    rows[place] = odd
    PrivateRandomSearch(LEARNER, stopping_probability=1.0).fit(rows, Y, rng=0)


@pytest.mark.parametrize("ragged", [[], [1.0], [1.0, 2.0, 3.0], None, np.zeros((2, 2))])
@pytest.mark.parametrize("place", [0, -1])
def test_a_ragged_row_is_refused_without_being_shown(ragged, place):
    """The lengths of rows are public, as everywhere; the message is that of one shape for all."""
    rows = X.tolist()
    rows[place] = ragged
    with pytest.raises(ValueError, match="got X of shape") as refusal:
        PrivateRandomSearch(LEARNER, stopping_probability=1.0).fit(rows, Y, rng=0)
    assert "(280,)" in str(refusal.value)


def test_one_object_is_no_table_of_records():
    for records, labels, name in ((3, Y, "X"), (X, "yes", "y")):
        with pytest.raises(ValueError, match=f"{name} must hold one entry for each"):
            PrivateRandomSearch(LEARNER).fit(records, labels, rng=0)
