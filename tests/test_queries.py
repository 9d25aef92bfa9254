"""Scores and their sensitivities, by enumeration."""

import math
from inspect import Parameter, signature

import numpy as np
import pytest

from privml import mechanisms
from privml.adjacency import Adjacency, neighbouring_datasets
from privml.hypotheses import Table, Thresholds
from privml.queries import (
    CORRECT_COUNT_SENSITIVITY,
    correct_count,
    empirical_error,
    sensitivity_of,
)

BOTH = pytest.mark.parametrize("adjacency", list(Adjacency))
UNIVERSE = np.array([0, 1, 0, 1]), np.array([True, True, False, False])
LABELLINGS = Table(
    np.array([[False, False], [False, True], [True, False], [True, True]])
)


@pytest.mark.source("L4-rem-count-score", "L4-def-empirical-error", "DR11-def-11.2")
def test_counts_and_errors_agree_with_a_loop():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 6, size=30), rng.random(30) < 0.5
    cuts = [0.5, 2.5, 4.5]
    wrong = [
        sum((x >= cut) != label for x, label in zip(X, y, strict=True)) for cut in cuts
    ]
    assert correct_count(Thresholds(cuts), X, y).tolist() == [
        30 - count for count in wrong
    ]
    assert empirical_error(Thresholds(cuts), X, y).tolist() == [
        count / 30 for count in wrong
    ]


@pytest.mark.source(
    "L4-rem-count-score", "L4-def-sensitivity", "S16-def-exp-mech-inputs"
)
@BOTH
def test_one_record_changes_the_count_by_one(adjacency):
    def count(data):
        return correct_count(LABELLINGS, *data)

    found = sensitivity_of(count, UNIVERSE, 4, order=np.inf, adjacency=adjacency)
    assert found == CORRECT_COUNT_SENSITIVITY


@pytest.mark.source("L4-def-empirical-error", "S16-alg-3", "S16-def-exp-mech-inputs")
def test_one_record_changes_the_error_rate_by_one_over_m():
    """Over neighbours 1/4; over all pairs of data sets, as S16 prints the supremum, 1."""

    def rate(data):
        return empirical_error(LABELLINGS, *data)

    assert sensitivity_of(rate, UNIVERSE, 4, order=np.inf) == 0.25
    opposite = [np.array([0, 0, 0, 0]), np.array([2, 2, 2, 2])]
    errors = [rate((UNIVERSE[0][rows], UNIVERSE[1][rows])) for rows in opposite]
    assert np.abs(errors[0] - errors[1]).max() == 1.0


@pytest.mark.source("L4-rem-count-score")
def test_the_count_is_monotone_in_the_data():
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 2, size=9), rng.random(9) < 0.5
    counts = np.array([correct_count(LABELLINGS, X[:n], y[:n]) for n in range(1, 10)])
    assert (np.diff(counts, axis=0) >= 0).all()


@pytest.mark.source("LZCW21-def-41", "LZCW21-def-43")
@pytest.mark.parametrize(
    ("statistic", "adjacency", "first", "second"),
    [
        (lambda z: z.sum(), Adjacency.REPLACE_ONE, 3.0, 3.0),
        (lambda z: z.sum(), Adjacency.ADD_OR_REMOVE_ONE, 3.0, 3.0),
        (
            lambda z: np.bincount(z, minlength=4),
            Adjacency.REPLACE_ONE,
            2.0,
            math.sqrt(2),
        ),
        (lambda z: np.bincount(z, minlength=4), Adjacency.ADD_OR_REMOVE_ONE, 1.0, 1.0),
        (lambda z: z.mean(), Adjacency.REPLACE_ONE, 0.75, 0.75),
        (
            lambda z: [z.sum(), (z * z).sum()],
            Adjacency.REPLACE_ONE,
            12.0,
            math.sqrt(90),
        ),
    ],
)
def test_l1_and_l2_sensitivities_of_known_statistics(
    statistic, adjacency, first, second
):
    found = [
        sensitivity_of(statistic, np.arange(4), 4, order=order, adjacency=adjacency)
        for order in (1, 2)
    ]
    assert found == [pytest.approx(first), pytest.approx(second)]


def test_a_histogram_released_with_the_sensitivity_of_its_mechanism_keeps_its_claim():
    """Without an order it used to be that of scores, 1, and the claim of .5 was a loss of 1."""
    histogram, universe = (lambda z: np.bincount(z, minlength=3)), np.arange(3)
    with pytest.raises(TypeError, match="order"):
        sensitivity_of(histogram, universe, 4)
    sensitivity = sensitivity_of(
        histogram, universe, 4, order=mechanisms.DiscreteLaplaceMechanism
    )
    mechanism = mechanisms.DiscreteLaplaceMechanism(
        epsilon=0.5, sensitivity=int(sensitivity)
    )
    first, _, pairs = neighbouring_datasets(universe, 4)
    counts = np.array([histogram(row) for row in universe[first]])
    loss = (
        np.abs(counts[pairs[:, 0]] - counts[pairs[:, 1]]).sum(axis=1).max()
        / mechanism.scale
    )
    assert loss == mechanism.guarantee.epsilon == 0.5


@pytest.mark.parametrize(
    ("kind", "order"),
    [
        (mechanisms.LaplaceMechanism, 1),
        (mechanisms.DiscreteLaplaceMechanism, 1),
        (mechanisms.GaussianMechanism, 2),
        (mechanisms.DiscreteGaussianMechanism, 2),
        (mechanisms.ExponentialMechanism, np.inf),
        (mechanisms.SparseVector, np.inf),
    ],
)
def test_mechanisms_say_which_norm_they_want(kind, order):
    assert kind.sensitivity_order == order


def test_no_mechanism_assumes_a_sensitivity():
    """The sparse vector took 1: queries that move by 3 then lost more than its claim."""
    kinds = [getattr(mechanisms, name) for name in dir(mechanisms) if name[0].isupper()]
    takers = [kind for kind in kinds if "sensitivity" in signature(kind).parameters]
    assert len(takers) >= 8
    for kind in takers:
        assert signature(kind).parameters["sensitivity"].default is Parameter.empty, (
            kind
        )

    def loss(sensitivity):
        run = mechanisms.SparseVector(epsilon=1.0, sensitivity=sensitivity)
        laws = [
            run.output_distribution(values).logpmf()
            for values in ([3.0, 3.0, 0.0], [0.0, 0.0, 3.0])
        ]
        return np.abs(laws[0] - laws[1]).max()

    assert loss(3) <= 1.0 < 1.5 < loss(1)
    made = (mechanisms.SparseVector(epsilon=1.0, sensitivity=s) for s in (1, 3))
    pair = [
        alarm.output_distribution([alarm.sensitivity, -2.0 * alarm.sensitivity]).pmf()
        for alarm in made
    ]
    assert pair[0] == pytest.approx(pair[1])  # both noises grow with it


@pytest.mark.parametrize("order", [0, 3, -np.inf, None])
def test_other_norms_are_refused(order):
    with pytest.raises(ValueError, match="order must be one of 1, 2"):
        sensitivity_of(lambda z: z.sum(), np.arange(2), 2, order=order)


@pytest.mark.parametrize("adjacency", list(Adjacency))
def test_a_statistic_that_depends_on_the_order_is_refused(adjacency):
    for statistic in (
        lambda z: z[0] if len(z) else 0,
        lambda z: (z * np.arange(len(z))).sum(),
        lambda z: [z.sum(), float((np.diff(z) > 0).any())],
    ):
        with pytest.raises(ValueError, match="must not depend on the order"):
            sensitivity_of(statistic, np.arange(3), 4, order=1, adjacency=adjacency)
    assert sensitivity_of(np.std, np.linspace(0, 1, 5), 5, order=1) > 0
