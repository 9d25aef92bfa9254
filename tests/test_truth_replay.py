"""Replay of our own code: at each noise call a record moves what is declared, and nothing else moves.

The same code runs on neighbouring data; the laws that the first run asks for are handed to the second, so that
with the same random numbers it takes the same way.  See ``benchmarks/truth/replay.py``.
"""

from unittest.mock import patch

import numpy as np
import pytest

from benchmarks.truth.replay import SLACK, recorded, replay
from privml import learners, mechanisms, statistics
from privml.hypotheses import Thresholds
from privml.learners.perturbation import minimisers

KINDS = (
    mechanisms.LaplaceMechanism,
    mechanisms.GaussianMechanism,
    mechanisms.DiscreteLaplaceMechanism,
    mechanisms.DiscreteGaussianMechanism,
    mechanisms.ExponentialMechanism,
    mechanisms.PermuteAndFlip,
)


def told(self, value):
    """What a mechanism of ours receives and declares."""
    public = (float(self.epsilon), float(getattr(self, "delta", 0.0)))
    return np.atleast_1d(np.asarray(value, float)), float(self.sensitivity), public


SPOTS = [
    (kind, "output_distribution", told)
    for kind in KINDS
    if "output_distribution" in vars(kind)
]
X = np.array([[-0.8], [-0.4], [0.1], [0.35], [0.7], [0.9]])
Y = np.array([0, 0, 0, 1, 1, 1])


def neighbours():
    """A feature replaced, a label replaced, both."""
    for x, y in ((0.9, 0), (-0.8, 1), (0.3, 1)):
        rows, labels = X.copy(), Y.copy()
        rows[0], labels[0] = x, y
        yield (X, Y), (rows, labels)


CUTS = Thresholds([-0.5, 0.0, 0.5])
LEARNERS = {
    "ExponentialPACLearner": lambda: learners.ExponentialPACLearner(
        1.0, CUTS, classes=(0, 1)
    ),
    "PrivateConfidenceBooster": lambda: learners.PrivateConfidenceBooster(
        learners.ExponentialPACLearner(1.0, CUTS, classes=(0, 1)), 2, classes=(0, 1)
    ),
}


@pytest.mark.parametrize("name", LEARNERS)
def test_a_record_moves_the_scores_of_a_learner_by_what_is_declared(name):
    for one, other in neighbours():
        found = replay(
            lambda data: LEARNERS[name]().fit(*data, rng=0), one, other, SPOTS
        )
        assert not found.moved
        assert 0 < found.ratio <= 1 + SLACK


NUMBERS = np.array([0.1, 0.4, 0.9, 0.9, 0.2])
STATISTICS = {
    "PrivateCount": lambda adjacency: statistics.PrivateCount(
        epsilon=1.0, adjacency=adjacency
    ),
    "PrivateHistogram": lambda adjacency: statistics.PrivateHistogram(
        categories=[0.1, 0.4, 0.9], epsilon=1.0, adjacency=adjacency
    ),
    "PrivateMean": lambda adjacency: statistics.PrivateMean(
        bounds=(0, 1), epsilon=1.0, adjacency=adjacency
    ),
    "PrivateSum": lambda adjacency: statistics.PrivateSum(
        bounds=(0, 1), epsilon=1.0, adjacency=adjacency
    ),
    "PrivateQuantile": lambda adjacency: statistics.PrivateQuantile(
        q=0.5, options=[0, 0.5, 1], epsilon=1.0, adjacency=adjacency
    ),
}


@pytest.mark.parametrize("relation", ["replace-one", "add-or-remove-one"])
@pytest.mark.parametrize("name", STATISTICS)
def test_a_record_moves_a_statistic_by_what_is_declared(name, relation):
    for value in (0.0, 0.4, 1.0):
        other = np.append(NUMBERS[1:] if relation == "replace-one" else NUMBERS, value)
        released, data = STATISTICS[name](relation), NUMBERS
        if name == "PrivateCount":
            data, other = data > 0.3, other > 0.3
        found = replay(
            lambda records: released.release(records, rng=0), data, other, SPOTS
        )
        assert not found.moved
        assert found.ratio <= 1 + SLACK


KINDS_OF_PERTURBATION = (learners.MeanClassifier, learners.OutputPerturbation)


@pytest.mark.parametrize("kind", KINDS_OF_PERTURBATION)
@pytest.mark.parametrize("delta", [0.0, 1e-5])
def test_a_record_moves_the_weights_by_the_sensitivity_that_their_noise_is_made_for(
    kind, delta
):
    """With the same random numbers the noise cancels, so what is left between two fits is the move."""
    declared, original = [], minimisers.vector_noise

    def noted(dimension, sensitivity, *words, **named):
        declared.append(sensitivity)
        return original(dimension, sensitivity, *words, **named)

    with patch.object(minimisers, "vector_noise", noted):
        for one, other in neighbours():
            weights, last = [], []
            for data in (one, other):
                weights.append(kind(1.0, delta, classes=(0, 1)).fit(*data, rng=0).coef_)
                last.append(
                    declared[-1]
                )  # a fit may ask before for the noise of other strengths
            moved = float(np.linalg.norm(weights[0] - weights[1]))
            assert last[0] == last[1]
            assert 0 < moved <= last[0] * (1 + SLACK)


class Halved:
    """A mean of which a twin declares half the sensitivity, or one that follows the number of records."""

    def __init__(self, sensitivity):
        self.sensitivity = sensitivity

    def __call__(self, records):
        mechanism = mechanisms.LaplaceMechanism(
            epsilon=1.0, sensitivity=self.sensitivity(records)
        )
        return mechanism.release(float(np.sum(records)), rng=0)


def test_a_sum_that_declares_half_its_sensitivity_is_caught_and_the_right_one_is_not():
    other = np.append(NUMBERS, 1.0)
    assert replay(Halved(lambda _: 1.0), NUMBERS, other, SPOTS).ratio == pytest.approx(
        1
    )
    assert replay(Halved(lambda _: 0.5), NUMBERS, other, SPOTS).ratio == pytest.approx(
        2
    )


def test_noise_that_depends_on_the_data_is_caught():
    """Between neighbours the smaller of the two sensitivities counts."""
    followed = replay(
        Halved(lambda records: 1 / len(records)),
        NUMBERS,
        np.append(NUMBERS, 0.1),
        SPOTS,
    )
    assert followed.ratio == pytest.approx(0.1 * 6)
    loud = replay(
        Halved(lambda records: float(records[0])),
        NUMBERS,
        NUMBERS + [0.3, 0, 0, 0, 0],
        SPOTS,
    )
    assert loud.ratio == pytest.approx(3)


def test_other_parameters_and_other_calls_are_caught():
    def by_size(records):
        return mechanisms.LaplaceMechanism(
            epsilon=1.0 * len(records), sensitivity=1.0
        ).release(0.0, rng=0)

    def by_value(records):
        for _ in range(int(records[0] * 10)):
            mechanisms.LaplaceMechanism(epsilon=1.0, sensitivity=1.0).release(
                0.0, rng=0
            )

    longer = np.append(NUMBERS, 0.5)
    assert (
        replay(by_size, NUMBERS, longer, SPOTS).moved
        == "parameters of LaplaceMechanism"
    )
    assert replay(by_value, NUMBERS, NUMBERS[1:], SPOTS).moved == "the number of calls"


def test_code_that_never_adds_noise_is_refused_and_what_was_replaced_is_put_back():
    before = mechanisms.LaplaceMechanism.output_distribution
    with pytest.raises(LookupError):
        replay(np.mean, NUMBERS, NUMBERS[1:], SPOTS)
    with recorded(SPOTS, None):
        assert mechanisms.LaplaceMechanism.output_distribution is not before
    assert mechanisms.LaplaceMechanism.output_distribution is before
