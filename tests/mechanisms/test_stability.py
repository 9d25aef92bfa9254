"""Distance to instability: exact audits over small universes, the radius by brute force, accuracy."""

import math

import numpy as np
import pytest

from privml import audit
from privml.adjacency import Adjacency
from privml.bounds.tails import stable_answer_radius
from privml.mechanisms import DistanceToInstability
from privml.mechanisms.stability import stability_radius
from tests.refusals import refused

BITS = np.array([0, 1])
BOTH = pytest.mark.parametrize("adjacency", list(Adjacency))


def majority(bits):
    return int(2 * bits.sum() > len(bits))


def of_majority(mechanism, n_samples):
    """Law of the released majority, with the radius by brute force."""
    sizes = (
        {n_samples, n_samples - 1}
        if mechanism.adjacency is Adjacency.ADD_OR_REMOVE_ONE
        else {n_samples}
    )
    radii = {}
    for size in sizes:
        radii.update(
            stability_radius(majority, BITS, size, adjacency=mechanism.adjacency)
        )
    return lambda bits: mechanism.output_distribution(
        (majority(bits), radii[tuple(bits.tolist())])
    )


@pytest.mark.source("LZCW21-def-47")
@BOTH
@pytest.mark.parametrize("n_samples", [3, 6])
def test_the_radius_of_the_majority_is_its_margin(n_samples, adjacency):
    for dataset, radius in stability_radius(
        majority, BITS, n_samples, adjacency=adjacency
    ).items():
        margin = 2 * sum(dataset) - n_samples
        if adjacency is Adjacency.REPLACE_ONE:
            steps = (margin - 1) // 2 + 1 if margin > 0 else -margin // 2 + 1
        else:
            steps = margin if margin > 0 else 1 - margin
        assert radius == min(steps - 1, 8)


@pytest.mark.source("LZCW21-def-47", "LZCW21-alg-7")
@BOTH
def test_the_radius_has_sensitivity_one_whatever_the_function(adjacency):
    rng = np.random.default_rng(3)
    values = {}

    def random_function(bits):
        return values.setdefault(tuple(sorted(bits.tolist())), int(rng.integers(2)))

    sizes = (4, 5) if adjacency is Adjacency.ADD_OR_REMOVE_ONE else (5,)
    radii = {}
    for size in sizes:
        radii.update(stability_radius(random_function, BITS, size, adjacency=adjacency))
    first, second = (
        [d for d in radii if len(d) == 5],
        [d for d in radii if len(d) == sizes[0]],
    )
    for a in first:
        for b in second:
            apart = abs(sum(a) - sum(b)) + abs((len(a) - sum(a)) - (len(b) - sum(b)))
            if apart == (2 if adjacency is Adjacency.REPLACE_ONE else 1):
                assert abs(radii[a] - radii[b]) <= 1


@pytest.mark.source("LZCW21-lem-48")
@pytest.mark.erratum("LZCW21-lem-48")
def test_the_printed_threshold_uses_half_of_delta():
    epsilon, delta = 1.0, 0.05
    printed = DistanceToInstability(
        epsilon=epsilon, delta=delta, threshold=math.log(1 / delta) / epsilon
    )
    found = audit.exact(of_majority(printed, 7), BITS, 7, ordered=False)
    assert found.delta(epsilon) == pytest.approx(delta / 2, rel=1e-9)
    with pytest.raises(ValueError, match="threshold must be at least"):
        DistanceToInstability(
            epsilon=epsilon, delta=delta, threshold=0.9 * math.log(1 / (2 * delta))
        )


@pytest.mark.source("LZCW21-lem-49")
@pytest.mark.parametrize("beta", [0.3, 0.01])
def test_stable_answers_are_released(beta):
    epsilon, delta = 0.5, 1e-4
    printed = DistanceToInstability(
        epsilon=epsilon, delta=delta, threshold=math.log(1 / delta) / epsilon
    )
    radius = math.ceil(stable_answer_radius(epsilon, delta, beta=beta))
    assert printed.answer_probability(radius) >= 1 - beta / 2
    assert printed.answer_probability(math.floor(0.8 * radius)) < 1 - beta / 2


def test_releases_follow_the_law():
    mechanism = DistanceToInstability(epsilon=1.0, delta=0.1, n_answers=3)
    rng = np.random.default_rng(0)
    draws = [mechanism.release((2, 1), rng=rng) for _ in range(4000)]
    law = mechanism.output_distribution((2, 1)).pmf()
    assert law[:2].tolist() == [0.0, 0.0]
    beyond = (
        math.log(5) - 1
    )  # of the threshold over the radius, both of the noise's scale
    assert (
        mechanism.answer_probability(1)
        == pytest.approx(math.exp(-beyond) / 2, rel=1e-12)
        == law[2]
    )
    seen = np.bincount(draws, minlength=4) / 4000
    assert (np.abs(seen - law) <= 5 * np.sqrt(law * (1 - law) / 4000)).all()


test_bad_parameters_are_refused = refused(
    ({"epsilon": 0.0}, "epsilon must be positive"),
    ({"delta": 0.0}, "delta must be in the open interval"),
    ({"delta": 0.6}, "delta must be less than 1/2"),
    call=lambda parameters: DistanceToInstability(
        **{"epsilon": 1.0, "delta": 0.1, **parameters}
    ),
)


def test_bad_values_are_refused():
    mechanism = DistanceToInstability(epsilon=1.0, delta=0.1)
    with pytest.raises(
        ValueError,
        match="value must begin with an answer less than 2, but got a larger one",
    ):
        mechanism.output_distribution((2, 0))
    with pytest.raises(ValueError, match="value must be a non-negative integer"):
        mechanism.output_distribution((0, -1))


@pytest.mark.parametrize("epsilon", [1e-6, 0.3, 1.0, 40.0, 1e4])
@pytest.mark.parametrize("delta", [0.4, 1e-6, 1e-300])
def test_refusal_and_answer_keep_their_ratio_at_every_radius(epsilon, delta):
    """Neither side may vanish where the other one is close to 1: that would be an infinite loss."""
    mechanism = DistanceToInstability(epsilon=epsilon, delta=delta)
    centre = int(mechanism.threshold)
    for radius in {
        0,
        1,
        10,
        36,
        37,
        38,
        100,
        centre,
        centre + 37,
        centre + 100,
        10**6,
        2**63,
        10**30,
    }:
        p, q = (
            mechanism.output_distribution((0, r)).logpmf()[[0, 2]]
            for r in (radius, radius + 1)
        )
        assert np.isfinite([p, q]).all()
        assert (np.abs(p - q) <= epsilon * (1 + 1e-9) + 1e-15 * np.abs(p)).all()


@pytest.mark.source("LZCW21-alg-7", "LZCW21-lem-48")
@BOTH
@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.05), (0.3, 0.2), (2.0, 1e-6)])
def test_the_promise_holds_and_is_tight(epsilon, delta, adjacency):
    mechanism = DistanceToInstability(epsilon=epsilon, delta=delta, adjacency=adjacency)
    found = audit.exact(
        of_majority(mechanism, 7), BITS, 7, adjacency=adjacency, ordered=False
    )
    assert found.delta(epsilon) == pytest.approx(delta, rel=1e-9, abs=0)
    assert math.isinf(found.epsilon)
