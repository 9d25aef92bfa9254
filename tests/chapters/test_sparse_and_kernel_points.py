"""The representation of points by random partitions: collisions exactly, privacy, points of a huge domain."""

from itertools import product

import numpy as np
import pytest

from book.tools.programme import tangled
from privml import audit
from privml.learners import RepresentationLearner
from privml.learners.exponential import selection_mechanism

chapter = tangled("sparse-and-kernel-problems")


@pytest.mark.source("WLF16-ex-23")
@pytest.mark.parametrize(("p", "n_buckets"), [(7, 2), (11, 3), (13, 5), (13, 12)])
def test_two_points_share_a_bucket_with_probability_at_most_one_over_their_number(monkeypatch, p, n_buckets):
    """Exactly, over all partitions of the family with a small prime."""
    monkeypatch.setattr(chapter, "PRIME", p)
    pairs = list(product(range(1, p), range(p)))
    drawn = chapter.Buckets(np.array(pairs), n_buckets)
    labels = drawn.predict(np.arange(p)).reshape(len(pairs), n_buckets, p)
    assert (labels.sum(axis=1) == 1).all()
    together = np.einsum("tjx,tjy->xy", labels.astype(float), labels.astype(float)) / len(pairs)
    found = together[~np.eye(p, dtype=bool)]
    assert 0 < found.max() <= 1 / n_buckets + 1e-12


def test_partitions_are_drawn_from_the_whole_family(monkeypatch):
    monkeypatch.setattr(chapter, "PRIME", 5)
    drawn = chapter.HashedPoints(2, 4000).draw(rng=0)
    counts = np.zeros((5, 5))
    np.add.at(counts, tuple(drawn.partitions.T), 1)
    assert (counts[0] == 0).all()
    assert abs(counts[1:] - 200).max() < 5 * np.sqrt(200)


def test_buckets_are_partitions_and_describe_themselves():
    drawn = chapter.HashedPoints(6, 3).draw(rng=1)
    labels = drawn.predict([0, 5, 10**9, 2**40, np.nan])
    assert labels.shape == (18, 5)
    assert (labels.reshape(3, 6, 5).sum(axis=1) == 1).all()
    assert (labels[:, 0] == labels[:, 4]).all()
    assert drawn.describe(7) == "bucket 1 of partition 1"
    assert drawn.vc_dimension is None


@pytest.mark.source("WLF16-ex-23")
def test_given_the_set_the_index_is_private_on_all_neighbours():
    drawn = chapter.HashedPoints(3, 2).draw(rng=0)
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
    learner = RepresentationLearner(1.0, chapter.HashedPoints(40, 2))
    scores = [learner.fit(X, y, rng=seed).score(X, y) for seed in range(10)]
    assert np.mean(scores) > 0.95


def test_a_point_beyond_the_last_counts_as_the_last():
    points, y = chapter.HashedPoints(4, 2), [1, 0, 1, 0]
    for seed in range(3):
        learner = RepresentationLearner(50.0, points, classes=(0, 1))
        X = [[[2**31 - 2], [0], [far], [0]] for far in (2**31 - 2, 1e300)]
        last, beyond = (learner.fit(records, y, rng=seed).hypothesis_index_ for records in X)
        assert last == beyond
