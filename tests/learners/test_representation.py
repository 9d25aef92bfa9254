"""Random finite representations: the law of what is chosen from a set, and seeds."""

import numpy as np
import pytest

from privml.hypotheses import Table, Thresholds
from privml.learners import RandomStumps, RepresentationLearner
from privml.learners.exponential import ExponentialPACLearner


def test_the_same_seed_gives_the_same_fit_and_another_seed_another_set():
    X, y = np.arange(20.0)[:, None], np.arange(20) > 9
    learner = RepresentationLearner(1.0)
    first = learner.fit(X, y, rng=0)
    index, cuts = first.hypothesis_index_, first.hypotheses_.cut_points[0]
    again = learner.fit(X, y, rng=0)
    assert again.hypothesis_index_ == index
    np.testing.assert_array_equal(again.hypotheses_.cut_points[0], cuts)
    assert not np.array_equal(learner.fit(X, y, rng=1).hypotheses_.cut_points[0], cuts)


def test_a_fixed_set_gives_the_law_of_the_exponential_learner():
    class Fixed:
        def draw(self, n_features, *, rng=None):
            return Thresholds([0.25, 0.75])

    X, y = np.array([[0.0], [0.5], [1.0]]), np.array([False, True, True])
    draws = 600
    found = [RepresentationLearner(1.0, Fixed()).fit(X, y, rng=s).hypothesis_index_ for s in range(draws)]
    law = ExponentialPACLearner(1.0, Thresholds([0.25, 0.75])).output_distribution(X, y).pmf()
    assert abs(np.mean(found) - law[1]) < 5 * np.sqrt(law[0] * law[1] / draws)


@pytest.mark.source("WLF16-ex-23")
def test_a_representation_by_the_points_themselves_needs_all_of_them():
    """On a law with mass 1/2 on x and 1/2 elsewhere, only the point function of x errs less than 1/2."""
    points = Table(np.eye(6, dtype=bool))
    for x in range(6):
        X = np.array([x, (x + 1) % 6])
        error = (points.predict(X) != (X == x)).mean(axis=1)
        assert (np.flatnonzero(error < 0.5) == [x]).all()


@pytest.mark.parametrize(
    "call",
    [
        lambda: RepresentationLearner(0.0).fit([[0.0], [1.0]], [0, 1]),
        lambda: RandomStumps(0.0, np.inf).draw(2),
    ],
)
def test_bad_parameters_raise(call):
    with pytest.raises(ValueError, match="must"):
        call()
