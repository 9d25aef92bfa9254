"""The estimator that fits another one to a random part of its records."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from privml.adjacency import Adjacency
from privml.composition import amplified_epsilon, root_subsample_epsilon_wlf16
from privml.hypotheses import Thresholds
from privml.learnability import SubsampledLearner
from privml.learners import ERM, ExponentialPACLearner
from tests.refusals import refused


def sample(n, seed=0):
    X = np.random.default_rng(seed).uniform(-1, 1, size=(n, 1))
    return X, np.where(X[:, 0] >= 0.1, "yes", "no")


class Recorder(ERM):
    """Keeps what it was fitted to."""

    def fit(self, X, y, *, rng=None):
        self.seen_ = X[:, 0], y
        return super().fit(X, y, rng=rng)


@pytest.mark.source("WLF16-lem-4")
def test_the_promise_is_the_tight_one_and_below_the_printed_one():
    X, y = sample(400)
    learner = SubsampledLearner(ExponentialPACLearner(1.0)).fit(X, y, rng=0)
    assert learner.subsample_size_ == 20
    assert learner.privacy_.epsilon == pytest.approx(
        amplified_epsilon(1.0, 20 / 400), rel=1e-15
    )
    assert learner.privacy_.epsilon < root_subsample_epsilon_wlf16(1.0, 400)
    assert learner.privacy_.adjacency is Adjacency.REPLACE_ONE


@pytest.mark.source("WLF16-lem-29")
def test_a_learner_without_a_promise_gets_that_of_subsampling_alone():
    learner = SubsampledLearner(LogisticRegression(), subsample_size=50).fit(
        *sample(1000), rng=3
    )
    assert str(learner.privacy_) == "(0, 0.05)-differential privacy (replace-one)"
    assert learner.score(*sample(200, 1)) > 0.8


def test_a_promise_under_add_or_remove_is_converted_first():
    inner = ExponentialPACLearner(0.5, adjacency="add-or-remove-one")
    learner = SubsampledLearner(inner).fit(*sample(100), rng=0)
    assert learner.privacy_.epsilon == pytest.approx(
        amplified_epsilon(1.0, 10 / 100), rel=1e-12
    )


def test_the_subset_is_uniform_and_comes_in_random_order_without_repeats():
    n, size, draws = 8, 3, 800
    X, y = np.arange(n, dtype=float)[:, None], np.arange(n) % 2
    rng, seen = np.random.default_rng(1), np.zeros((size, n))
    for _ in range(draws):
        learner = SubsampledLearner(Recorder(), subsample_size=size)
        chosen, labels = learner.fit(X, y, rng=rng).estimator_.seen_
        assert len(set(chosen)) == size
        assert labels.tolist() == [bool(value % 2) for value in chosen]
        seen[np.arange(size), chosen.astype(int)] += 1
    tolerance = 5 * np.sqrt(1 / n * (1 - 1 / n) / draws)
    assert np.abs(seen / draws - 1 / n).max() < tolerance


def test_a_subset_with_one_label_only_does_not_raise():
    X, y = np.zeros((100, 1)), np.arange(100) == 0
    learner = SubsampledLearner(
        ExponentialPACLearner(1.0, Thresholds([0.5])), subsample_size=2
    )
    assert {len(learner.fit(X, y, rng=seed).predict(X)) for seed in range(5)} == {100}


def test_seeds_repeat_and_streams_differ():
    X, y = sample(100)
    learner = SubsampledLearner(Recorder())
    first = learner.fit(X, y, rng=5).estimator_.seen_[0]
    assert learner.fit(X, y, rng=5).estimator_.seen_[0].tolist() == first.tolist()
    assert learner.fit(X, y, rng=6).estimator_.seen_[0].tolist() != first.tolist()


test_bad_parameters_are_refused = refused(
    (SubsampledLearner(subsample_size=101), "at most n_samples = 100, but got 101"),
    (SubsampledLearner(classes=(1, 1)), "classes must be two distinct labels"),
    call=lambda learner: learner.fit(*sample(100), rng=0),
)
