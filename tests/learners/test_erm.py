"""Empirical risk minimisation: its law, its ties, and that it is not private."""

import math
from itertools import product

import numpy as np
import pytest

from privml import audit
from privml.hypotheses import Table, Thresholds
from privml.learners import (
    ERM,
    RandomStumps,
    RepresentationLearner,
    erm_mistake_learner,
)
from tests.refusals import refused

UNIVERSE = np.array([[0.0], [1.0], [0.0], [1.0]]), np.array([True, True, False, False])


@pytest.mark.source("L4-alg-erm")
def test_the_law_is_uniform_on_or_first_among_the_fewest_mistakes():
    mistakes = np.array([[2, 1, 1], [0, 0, 0], [5, 4, 3]])
    assert erm_mistake_learner("first")(mistakes).tolist() == [
        [0, 1, 0],
        [1, 0, 0],
        [0, 0, 1],
    ]
    assert erm_mistake_learner("uniform")(mistakes)[1] == pytest.approx([1 / 3] * 3)
    assert erm_mistake_learner()(mistakes[0]).tolist() == [0, 1, 0]


@pytest.mark.source("L4-alg-erm")
def test_the_estimator_agrees_with_brute_force():
    cuts = [0.5, 1.5, 2.5]
    for labels in product([0, 1], repeat=4):
        if len(set(labels)) < 2:
            continue
        X, y = np.arange(4.0)[:, None], np.array(labels)
        learner = ERM(Thresholds(cuts)).fit(X, y)
        errors = [int(((X[:, 0] >= cut) != (y == 1)).sum()) for cut in cuts]
        assert learner.hypothesis_index_ == errors.index(min(errors))
        assert learner.privacy_ is None


@pytest.mark.source("L4-alg-erm")
@pytest.mark.parametrize("tie_break", ["first", "uniform"])
def test_no_finite_epsilon_covers_a_minimiser(tie_break):
    hypotheses = Table(np.array([[False, True], [True, False]]))
    learner = ERM(hypotheses, tie_break=tie_break, classes=(False, True))
    found = audit.exact(lambda data: learner.output_distribution(*data), UNIVERSE, 3)
    assert math.isinf(found.epsilon)
    assert found.delta(100.0) >= 0.5


def test_uniform_ties_use_the_generator():
    hypotheses = Table(np.array([[False, True], [True, False]]))
    X, y = np.array([[0], [0]]), np.array([0, 1])
    erm = ERM(hypotheses, tie_break="uniform")
    chosen = {erm.fit(X, y, rng=seed).hypothesis_index_ for seed in range(20)}
    assert chosen == {0, 1}


def test_bad_parameters_are_refused():
    X, y = np.arange(4.0)[:, None], np.array([0, 0, 1, 1])
    with pytest.raises(
        ValueError, match="tie_break must be one of 'first', 'uniform', but got 'last'"
    ):
        ERM(tie_break="last").fit(X, y)
    with pytest.raises(ValueError, match="tie_break must be one of"):
        erm_mistake_learner("last")
    with pytest.raises(
        ValueError, match="hypotheses must be an instance of HypothesisClass"
    ):
        ERM([1, 2]).fit(X, y)


@pytest.mark.source("WLF16-ex-23")
def test_a_representation_by_the_points_themselves_needs_all_of_them():
    """On a law with mass 1/2 on x and 1/2 elsewhere, only the point function of x errs less than 1/2."""
    points = Table(np.eye(6, dtype=bool))
    for x in range(6):
        X = np.array([x, (x + 1) % 6])
        assert (
            np.flatnonzero((points.predict(X) != (X == x)).mean(axis=1) < 0.5) == [x]
        ).all()


test_bad_parameters_raise = refused(
    lambda: RepresentationLearner(0.0).fit([[0.0], [1.0]], [0, 1]),
    lambda: RandomStumps(0.0, np.inf).draw(2),
    words="must",
)
