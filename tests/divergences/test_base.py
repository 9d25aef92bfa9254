"""Divergences against their definitions: the supremum over all events."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privml.composed import compose
from privml.composition import finite_loss
from privml.distributions import Categorical, Gaussian
from privml.divergences import (
    PrivacyCurve,
    after_channel,
    hockey_stick,
    kullback_leibler,
    log_probabilities,
    max_divergence,
    privacy_loss,
    renyi_divergence,
    total_variation,
)
from tests.refusals import refused

WEIGHTS = st.lists(st.floats(0.01, 10.0), min_size=4, max_size=4)


def over_events(p, q, quantity):
    events = np.array(list(product([0, 1], repeat=len(p))))
    return max(quantity(float(event @ p), float(event @ q)) for event in events)


@given(WEIGHTS, WEIGHTS, st.floats(0.0, 3.0))
def test_each_divergence_is_a_supremum_over_events(p, q, epsilon):
    p, q = np.array(p) / sum(p), np.array(q) / sum(q)
    laws = Categorical(np.log(p)), Categorical(np.log(q))
    gap = over_events(p, q, lambda a, b: a - math.exp(epsilon) * b)
    assert hockey_stick(*laws, epsilon, logs=True) == pytest.approx(gap, abs=1e-12)
    assert total_variation(*laws, logs=True) == pytest.approx(
        over_events(p, q, lambda a, b: abs(a - b)), abs=1e-12
    )
    ratio = over_events(p, q, lambda a, b: math.log(a / b) if a > 0 else -math.inf)
    assert max_divergence(*laws, logs=True) == pytest.approx(ratio, abs=1e-12)


def test_zero_probabilities_mean_an_infinite_loss_one_way_and_none_the_other():
    p, q = np.log([0.5, 0.5]), np.array([0.0, -np.inf])
    assert privacy_loss(p, q, logs=True).tolist() == [math.log(0.5), math.inf]
    assert privacy_loss(q, p, logs=True).tolist() == [math.log(2.0), -math.inf]
    assert hockey_stick(p, q, 10.0, logs=True) == 0.5
    both = np.array([0.0, -np.inf])
    assert privacy_loss(both, both, logs=True).tolist() == [0.0, -math.inf]
    assert hockey_stick(both, both, 0.0, logs=True) == 0.0


def test_pairs_are_compared_all_at_once():
    rng = np.random.default_rng(2)
    p, q = (np.log(rng.dirichlet(np.ones(5), size=7)) for _ in range(2))
    together = hockey_stick(p, q, 0.3, logs=True)
    assert together.tolist() == [
        float(hockey_stick(a, b, 0.3, logs=True)) for a, b in zip(p, q, strict=True)
    ]


ORDERS = (1.0, 1.001, 1.5, 2.0, 7.0, 60.0)


def logs(weights):
    return np.log(np.array(weights) / sum(weights))


@given(WEIGHTS, WEIGHTS, st.floats(1.01, 20.0))
def test_it_is_the_logarithm_of_a_power_sum(p, q, order):
    p, q = logs(p), logs(q)
    wanted = math.log(np.sum(np.exp(p) ** order * np.exp(q) ** (1 - order))) / (
        order - 1
    )
    assert renyi_divergence(p, q, order, logs=True) == pytest.approx(
        wanted, rel=1e-9, abs=1e-12
    )


@given(WEIGHTS, WEIGHTS)
def test_it_grows_with_the_order_from_the_mean_to_the_largest_loss(p, q):
    p, q = logs(p), logs(q)
    values = [renyi_divergence(p, q, order, logs=True) for order in (*ORDERS, math.inf)]
    assert all(a <= b + 1e-12 for a, b in zip(values, values[1:], strict=False))
    assert (
        values[0]
        == kullback_leibler(p, q, logs=True)
        == pytest.approx(float(np.exp(p) @ (p - q)), abs=1e-13)
    )
    assert values[-1] == max_divergence(p, q, logs=True)
    assert renyi_divergence(p, q, 1 + 1e-9, logs=True) == pytest.approx(
        values[0], rel=1e-6, abs=1e-13
    )


@pytest.mark.source("LZCW21-def-50")
@pytest.mark.parametrize("order", ORDERS)
def test_independent_pairs_add_up(order):
    rng = np.random.default_rng(4)
    p, q = (np.log(rng.dirichlet(np.ones(3), size=2)) for _ in range(2))
    both_p, both_q = np.add.outer(p[0], p[1]).ravel(), np.add.outer(q[0], q[1]).ravel()
    apart = renyi_divergence(p, q, order, logs=True)
    assert renyi_divergence(both_p, both_q, order, logs=True) == pytest.approx(
        apart.sum(), rel=1e-12
    )


def test_impossible_outcomes():
    p, q = np.array([0.0, -np.inf]), np.log([0.5, 0.5])
    assert [
        renyi_divergence(p, q, order, logs=True) for order in (1, 2, np.inf)
    ] == pytest.approx([math.log(2)] * 3)
    assert [renyi_divergence(q, p, order, logs=True) for order in (1, 2, np.inf)] == [
        math.inf
    ] * 3


def test_huge_orders_do_not_overflow():
    p, q = np.log([0.5, 0.5]), np.log([0.25, 0.75])
    assert renyi_divergence(p, q, 1e6, logs=True) == pytest.approx(
        math.log(2), rel=1e-5
    )


def random_pair(seed, n=5):
    rng = np.random.default_rng(seed)
    return (np.log(rng.dirichlet(np.ones(n))) for _ in range(2))


@pytest.mark.source("LZCW21-lem-40")
@pytest.mark.parametrize("seed", range(20))
def test_post_processing_never_helps_the_attacker(seed):
    p, q = random_pair(seed)
    channel = np.random.default_rng(seed).dirichlet(0.3 * np.ones(3), size=5)
    after_p, after_q = (
        after_channel(p, channel, logs=True),
        after_channel(q, channel, logs=True),
    )
    for epsilon in (0.0, 0.4, 1.0, 2.0):
        assert (
            hockey_stick(after_p, after_q, epsilon)
            <= hockey_stick(p, q, epsilon, logs=True) + 1e-14
        )
    for order in (1, 2, np.inf):
        assert (
            renyi_divergence(after_p, after_q, order)
            <= renyi_divergence(p, q, order, logs=True) + 1e-12
        )


@pytest.mark.source("LZCW21-lem-40")
def test_looking_at_the_data_again_is_not_post_processing():
    p, q = np.log([0.5, 0.5]), np.log([0.4, 0.6])
    honest, peeking = np.eye(2), np.eye(2)[::-1]
    assert (
        hockey_stick(
            after_channel(p, honest, logs=True),
            after_channel(q, peeking, logs=True),
            0.0,
        )
        > 0
    )
    told = after_channel(p, honest, logs=True), after_channel(q, peeking, logs=True)
    assert (
        hockey_stick(*told, math.log(1.25))
        > hockey_stick(p, q, math.log(1.25), logs=True) - 1e-15
    )


READERS = {
    "privacy_loss": privacy_loss,
    "max_divergence": max_divergence,
    "hockey_stick": lambda p, q, **logs: hockey_stick(p, q, 0.3, **logs),
    "total_variation": total_variation,
    "renyi_divergence": lambda p, q, **logs: renyi_divergence(p, q, 2.0, **logs),
    "kullback_leibler": kullback_leibler,
    "log_probabilities": lambda p, q, **logs: log_probabilities(p, **logs),
    "after_channel": lambda p, q, **logs: after_channel(p, np.eye(2), **logs).pmf(),
    "PrivacyCurve": lambda p, q, **logs: PrivacyCurve.between(p, q, **logs).delta(0.3),
    "finite_loss": lambda p, q, **logs: finite_loss(p, q, 3, **logs).delta(0.3),
}


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_arrays_are_probabilities_and_logarithms_are_named(reader):
    p, q = np.array([0.9, 0.1]), np.array([0.1, 0.9])
    found = reader(p, q)
    np.testing.assert_allclose(reader(np.log(p), np.log(q), logs=True), found)
    laws = map(Categorical.from_probabilities, (p, q))
    np.testing.assert_allclose(reader(*laws), found)
    np.testing.assert_allclose(
        reader(p.astype(np.float32), q.astype(np.float32)), found, rtol=1e-6
    )
    with pytest.raises(ValueError, match="pass logs=True"):
        reader(np.log(p), np.log(q))
    with pytest.raises(ValueError, match="leave out logs=True"):
        reader(p, q, logs=True)
    for far in ([0.9, 0.2], [0.5, 0.5 + 3e-9], [0.5, 0.4]):
        with pytest.raises(ValueError, match="sum to 1|sum 1"):
            reader(far, far)
        with pytest.raises(ValueError, match="sum to 1|sum 1"):
            reader(np.log(far), np.log(far), logs=True)


def test_the_numbers_that_were_wrong_when_probabilities_were_read_as_logarithms():
    p, q = [0.9, 0.1], [0.1, 0.9]
    assert max_divergence(p, q) == pytest.approx(math.log(9))
    assert kullback_leibler([0.9, 0.1], [0.85, 0.15]) == pytest.approx(
        0.9 * math.log(0.9 / 0.85) + 0.1 * math.log(0.1 / 0.15)
    )
    assert PrivacyCurve.between(p, q).epsilon(0.0) == pytest.approx(math.log(9))
    total = compose(finite_loss(p, q, 10), delta=1e-5).guarantee.epsilon
    assert total == pytest.approx(10 * math.log(9), rel=1e-3)


test_bad_input_is_refused = refused(
    (lambda: max_divergence([0.5, 0.5], [1.0]), "same outcomes"),
    (lambda: max_divergence(np.array([math.nan]), np.zeros(1), logs=True), "got NaN"),
    (lambda: max_divergence(0.0, 0.0, logs=True), r"got shape \(\)"),
    (
        lambda: max_divergence(Gaussian(0.0, sigma=1.0), Gaussian(1.0, sigma=1.0)),
        r"p must be a distribution on finitely many outcomes, but got Gaussian.* privacy_curve",
    ),
    (
        lambda: renyi_divergence(np.zeros(1), np.zeros(1), 0.5, logs=True),
        "order must be",
    ),
    (lambda: after_channel(np.zeros(1), np.eye(2), logs=True), "one row per outcome"),
    (
        lambda: after_channel([0.5, 0.5], [[1.0, 0.0], [0.5, 0.6]]),
        r"non-negative and sum to 1 along .*got the sum 1\.1\. Divide by the sum",
    ),
)
