"""Random finite representations: collisions exactly, privacy, and points of a huge domain."""

from itertools import product

import numpy as np
import pytest

from privml import audit
from privml.hypotheses import Table, Thresholds
from privml.learners import HashedPoints, RepresentationLearner, representation
from privml.learners.exponential import ExponentialPACLearner, selection_mechanism
from privml.learners.representation import Buckets


@pytest.mark.source("WLF16-ex-23")
@pytest.mark.parametrize(("p", "n_buckets"), [(7, 2), (11, 3), (13, 5), (13, 12)])
def test_two_points_share_a_bucket_with_probability_at_most_one_over_their_number(monkeypatch, p, n_buckets):
    """Exactly, over all partitions of the family with a small prime."""
    monkeypatch.setattr(representation, "PRIME", p)
    pairs = list(product(range(1, p), range(p)))
    drawn = Buckets(tuple(a for a, _ in pairs), tuple(b for _, b in pairs), n_buckets)
    labels = drawn.predict(np.arange(p)).reshape(len(pairs), n_buckets, p)
    assert (labels.sum(axis=1) == 1).all()
    together = np.einsum("tjx,tjy->xy", labels.astype(float), labels.astype(float)) / len(pairs)
    found = together[~np.eye(p, dtype=bool)]
    assert 0 < found.max() <= 1 / n_buckets + 1e-12


def test_partitions_are_drawn_from_the_whole_family(monkeypatch):
    monkeypatch.setattr(representation, "PRIME", 5)
    drawn = HashedPoints(2, 4000).draw(rng=0)
    counts = np.zeros((5, 5))
    np.add.at(counts, (np.array(drawn.factors), np.array(drawn.shifts)), 1)
    assert (counts[0] == 0).all()
    assert abs(counts[1:] - 200).max() < 5 * np.sqrt(200)


@pytest.mark.source("WLF16-ex-23")
def test_some_bucket_comes_close_to_a_point_with_the_promised_probability():
    alpha, beta = 0.2, 0.3
    rng, failures, trials = np.random.default_rng(0), 0, 400
    buckets = HashedPoints(int(np.ceil(2 / alpha)), int(np.ceil(-np.log2(beta))))
    points = rng.integers(0, 2**30, size=25)
    weights = rng.dirichlet(np.ones(25))
    for seed in range(trials):
        drawn = buckets.draw(rng=seed)
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
    with pytest.raises(AttributeError, match="vc_dimension of random partitions is not known"):
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
        lambda: HashedPoints(0),
        lambda: HashedPoints(2, 0),
        lambda: HashedPoints(2).draw(2),
        lambda: RepresentationLearner(0.0).fit([[0.0], [1.0]], [0, 1]),
        lambda: Buckets((1,), (0,), 3).predict([0], indices=[3]),
    ],
)
def test_bad_parameters_raise(call):
    with pytest.raises(ValueError, match="must"):
        call()
