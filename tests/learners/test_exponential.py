"""The private learner: its law in three guises, exact audits, and what it refuses."""

import numpy as np
import pytest

from privml import audit
from privml.adjacency import Adjacency
from privml.hypotheses import Table, Thresholds
from privml.learners import ExponentialPACLearner, exponential_mistake_learner
from privml.mechanisms import ExponentialMechanism
from privml.queries import correct_count, empirical_error
from tests.refusals import refused

CLASS = Thresholds([-1.0, 0.5, 1.5, 2.5, 9.0])


def sample(n, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, size=(n, 1)).astype(float)
    return X, (X[:, 0] >= 1.5) ^ (rng.random(n) < 0.2)


@pytest.mark.source("L4-private-erm", "S16-alg-3", "DR11-alg-exp-mech-learner")
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_counts_and_error_rates_give_the_same_law(epsilon):
    X, y = sample(25)
    by_count = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0)
    by_rate = ExponentialMechanism(epsilon=epsilon, sensitivity=1 / 25)
    law = by_count.output_distribution(correct_count(CLASS, X, y)).pmf()
    assert law == pytest.approx(
        by_rate.output_distribution(-empirical_error(CLASS, X, y)).pmf(), rel=1e-9
    )
    assert law == pytest.approx(
        exponential_mistake_learner(epsilon)(CLASS.mistakes(X, y)), rel=1e-12
    )
    learner = ExponentialPACLearner(epsilon, CLASS)
    assert law == pytest.approx(learner.output_distribution(X, y).pmf(), rel=1e-12)


@pytest.mark.parametrize(
    "values", [(0, 1), (-1, 1), ("no", "yes"), (2.5, 7.5), (False, True)]
)
def test_any_two_labels_will_do(values):
    X, y = sample(60)
    labels = np.array(values)[y.astype(int)]
    learner = ExponentialPACLearner(5.0, CLASS).fit(X, labels, rng=1)
    assert learner.classes_.tolist() == list(values)
    assert set(learner.predict(X).tolist()) <= set(np.array(values).tolist())
    assert (learner.predict(X) == labels).mean() > 0.6


@pytest.mark.parametrize("labels", [[1, 1, 1], [0, 1, 2]])
def test_one_class_or_three_are_refused_unless_the_labels_are_declared(labels):
    X = [[0.0], [1.0], [2.0]]
    with pytest.raises(
        ValueError, match=r"y must hold two classes, but got [13] class"
    ):
        ExponentialPACLearner(1.0, CLASS).fit(X, labels)
    assert ExponentialPACLearner(1.0, CLASS, classes=(0, 1)).fit(
        X, labels, rng=0
    ).classes_.tolist() == [0, 1]


def fit(epsilon=1.0, hypotheses=CLASS, **options):
    return ExponentialPACLearner(epsilon, hypotheses, **options).fit(
        [[0.0], [1.0]], [0, 1], rng=0
    )


test_bad_parameters_are_refused = refused(
    *(
        (lambda c=c: fit(classes=c), "classes must be two distinct labels")
        for c in [(1, 1), (0,), (0, 1, 2)]
    ),
    (lambda: fit(0.0), "epsilon must be positive and finite, but got"),
    (
        lambda: exponential_mistake_learner(0.0),
        "epsilon must be positive and finite, but got",
    ),
    (
        lambda: fit(adjacency="replace"),
        "adjacency must be one of .*'replace-one', .*got 'replace'",
    ),
    (
        lambda: fit(hypotheses="stumps"),
        "hypotheses must be an instance of HypothesisClass",
    ),
)


def test_a_relation_may_be_given_by_its_name():
    assert (
        fit(adjacency="add-or-remove-one").privacy_.adjacency
        is Adjacency.ADD_OR_REMOVE_ONE
    )


def test_the_guarantee_is_that_of_the_fit_and_not_of_later_parameters():
    X, y = sample(20)
    learner = ExponentialPACLearner(0.5, CLASS).fit(X, y, rng=0)
    learner.set_params(epsilon=9.0)
    assert learner.privacy_.epsilon == 0.5
    assert str(learner.privacy_) == "0.5-differential privacy (replace-one)"


@pytest.mark.parametrize(("epsilon", "finite"), [(350.0, True), (400.0, False)])
def test_probabilities_round_to_zero_in_the_table_of_laws_and_not_in_the_learner(
    epsilon, finite
):
    """Four records: the smallest weight is exp(-2 epsilon), a float up to exp(-745)."""
    constants = Table(np.array([[False], [True]]))
    universe, law = (
        (np.zeros((2, 1)), np.array([False, True])),
        exponential_mistake_learner(epsilon),
    )
    assert (
        np.isfinite(
            audit.exact(lambda z: law(constants.mistakes(*z)), universe, 4).epsilon
        )
        == finite
    )
    learner = ExponentialPACLearner(epsilon, constants, classes=(False, True))
    found = audit.exact(lambda data: learner.output_distribution(*data), universe, 4)
    assert found.epsilon <= epsilon * (1 + 1e-12)
