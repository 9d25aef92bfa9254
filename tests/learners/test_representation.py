"""Random finite representations: collisions exactly, privacy, and points of a huge domain."""

from itertools import product

import numpy as np
import pytest

from privml import audit
from privml.bounds.representation import hashed_points_size
from privml.hypotheses import PointFunctions, Thresholds
from privml.learners import HashedPoints, RepresentationLearner
from privml.learners.exponential import ExponentialPACLearner, selection_mechanism
from privml.learners.representation import Buckets, RandomStumps


def collision_share(p, n_buckets, x, y):
    """Exact probability that two points collide under ((a x + b) mod p) mod n_buckets, a and b uniform."""
    a, b = np.arange(1, p)[:, None], np.arange(p)[None, :]
    return (((a * x + b) % p % n_buckets) == ((a * y + b) % p % n_buckets)).mean()


@pytest.mark.source("WLF16-ex-23")
@pytest.mark.parametrize(("p", "n_buckets"), [(7, 2), (11, 3), (13, 5), (13, 12)])
def test_two_points_share_a_bucket_with_probability_at_most_one_over_their_number(p, n_buckets):
    found = [collision_share(p, n_buckets, x, y) for x, y in product(range(p), repeat=2) if x < y]
    assert max(found) <= 1 / n_buckets + 1e-12
    assert max(found) > 0.5 / n_buckets - 1e-12 or n_buckets > p / 2


@pytest.mark.source("WLF16-ex-23")
def test_some_bucket_comes_close_to_a_point_with_the_promised_probability():
    alpha, beta = 0.2, 0.3
    rng, failures, trials = np.random.default_rng(0), 0, 400
    representation = HashedPoints(*hashed_points_size(alpha, beta))
    points = rng.integers(0, 2**30, size=25)
    weights = rng.dirichlet(np.ones(25))
    for seed in range(trials):
        drawn = representation.draw(rng=seed)
        wrong = drawn.predict(points) != (points == points[0])
        failures += (wrong @ weights).min() > alpha
    assert failures / trials <= beta + 3 * np.sqrt(beta * (1 - beta) / trials)


def test_buckets_are_partitions_and_describe_themselves():
    drawn = HashedPoints(6, 3).draw(rng=1)
    labels = drawn.predict([0, 5, 10**9, 2**40, np.nan])
    assert labels.shape == (18, 5)
    assert (labels.reshape(3, 6, 5).sum(axis=1) == 1).all()
    assert (labels[:, 0] == labels[:, 4]).all()
    assert drawn.describe(7) == "bucket 1 of partition 1"
    with pytest.raises(NotImplementedError):
        _ = drawn.vc_dimension


@pytest.mark.source("WLF16-ex-23")
def test_given_the_set_the_index_is_private_on_all_neighbours():
    drawn = HashedPoints(3, 2).draw(rng=0)
    X, y = np.array([0, 1, 2, 0, 1, 2]), np.array([False, False, False, True, True, True])

    def law(data):
        scores = len(data[1]) - drawn.mistakes(*data)
        return selection_mechanism(1.3).output_distribution(scores)

    found = audit.exact(law, (X, y), 3)
    assert found.epsilon <= 1.3 + 1e-12
    assert found.epsilon > 0.5


@pytest.mark.source("WLF16-ex-23")
def test_a_point_of_a_billion_is_learned_from_records_that_say_nothing_about_a_billion():
    population = np.array([123_456_789, 5, 17, 999_999_937])
    X = population[np.arange(300) % 4][:, None]
    y = X[:, 0] == population[0]
    scores = [
        RepresentationLearner(1.0, HashedPoints(40, 2)).fit(X, y, rng=seed).score(X, y) for seed in range(10)
    ]
    assert np.mean(scores) > 0.95


def test_the_same_seed_gives_the_same_fit_and_another_seed_another_set():
    X, y = np.arange(20.0)[:, None], np.arange(20) > 9
    learner = RepresentationLearner(1.0, RandomStumps(5))
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
    points = PointFunctions(6)
    for x in range(6):
        X = np.array([x, (x + 1) % 6])
        error = (points.predict(X) != (X == x)).mean(axis=1)
        assert (np.flatnonzero(error < 0.5) == [x]).all()


@pytest.mark.parametrize(
    "call",
    [
        lambda: HashedPoints(0),
        lambda: HashedPoints(2, 0),
        lambda: HashedPoints(2).draw(2),
        lambda: RandomStumps(0),
        lambda: RepresentationLearner(0.0).fit([[0.0], [1.0]], [0, 1]),
        lambda: Buckets((1,), (0,), 3).predict([0], indices=[3]),
    ],
)
def test_bad_parameters_raise(call):
    with pytest.raises(ValueError, match="must"):
        call()
