"""The selection mechanisms: their exact laws, their utility, and bad input."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privml.adjacency import Adjacency
from privml.mechanisms import ExponentialMechanism, PermuteAndFlip
from privml.mechanisms.selection import _unit_interval_nodes

BOTH = pytest.mark.parametrize("kind", [ExponentialMechanism, PermuteAndFlip])
SCORES = st.lists(st.integers(-8, 8), min_size=1, max_size=6)


def permute_and_flip_by_hand(scores, epsilon):
    """Average over all orders of visit."""
    accept = np.exp(epsilon / 2 * (np.array(scores, dtype=float) - max(scores)))
    law = np.zeros(len(scores))
    orders = list(permutations(range(len(scores))))
    for order in orders:
        reached = 1.0
        for outcome in order:
            law[outcome] += reached * accept[outcome] / len(orders)
            reached *= 1 - accept[outcome]
    return law


@pytest.mark.source("L4-exp-mech", "S16-alg-1")
@given(SCORES, st.floats(0.01, 5.0), st.floats(0.1, 10.0))
def test_exponential_weights_have_the_stated_ratios(scores, epsilon, sensitivity):
    law = ExponentialMechanism(
        epsilon=epsilon, sensitivity=sensitivity
    ).output_distribution(scores)
    weights = [
        math.exp(epsilon * (score - max(scores)) / (2 * sensitivity))
        for score in scores
    ]
    assert law.pmf() == pytest.approx(
        np.array(weights) / sum(weights), rel=1e-9, abs=1e-300
    )


@given(SCORES, st.floats(0.05, 5.0))
def test_permute_and_flip_has_the_law_of_the_walk(scores, epsilon):
    law = PermuteAndFlip(epsilon=epsilon, sensitivity=1.0).output_distribution(scores)
    assert law.pmf() == pytest.approx(
        permute_and_flip_by_hand(scores, epsilon), abs=1e-12
    )
    other, low = (
        ExponentialMechanism(epsilon=epsilon, sensitivity=1.0),
        np.argsort(scores),
    )
    below = (
        other.output_distribution(scores).pmf()[low].cumsum()
    )  # which is nowhere higher up
    assert (law.pmf()[low].cumsum() <= below + 1e-12).all()


def test_the_unnormalised_permute_and_flip_law_already_sums_to_one():
    """Quadrature must be exact: normalising would hide an error."""
    rng = np.random.default_rng(4)
    for n_outcomes in (1, 2, 3, 50, 500, 3000):
        scores = rng.normal(size=n_outcomes)
        accept = np.exp((scores - scores.max()) / 2)
        times, weights = _unit_interval_nodes(n_outcomes)
        log_reject = np.log1p(-np.multiply.outer(times, accept))
        others = np.exp(log_reject.sum(axis=1, keepdims=True) - log_reject)
        assert (accept * (weights @ others)).sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("scores", [[0.0, 1.0, 3.0], [2.0, 2.0, 1.0, 0.0]])
def test_releases_of_permute_and_flip_follow_its_law(scores):
    mechanism = PermuteAndFlip(epsilon=1.0, sensitivity=1.0)
    rng = np.random.default_rng(8)
    draws = 20_000
    seen = np.bincount(
        [mechanism.release(scores, rng=rng) for _ in range(draws)],
        minlength=len(scores),
    )
    law = mechanism.output_distribution(scores).pmf()
    assert (np.abs(seen / draws - law) < 5 * np.sqrt(law * (1 - law) / draws)).all()


def test_a_base_measure_multiplies_the_weights_and_may_exclude_outcomes():
    mechanism = ExponentialMechanism(
        epsilon=2.0, sensitivity=1.0, base_measure=(1.0, 2.0, 0.0)
    )
    law = mechanism.output_distribution([0.0, 1.0, 5.0]).pmf()
    assert law == pytest.approx(
        [1 / (1 + 2 * math.e), 2 * math.e / (1 + 2 * math.e), 0.0]
    )
    with pytest.raises(ValueError, match="scores must have one entry per weight"):
        mechanism.output_distribution([0.0, 1.0])


@pytest.mark.parametrize(
    "measure", [(-1.0, 2.0), (0.0, 0.0), (math.nan, 1.0), (), (math.inf, 1.0)]
)
def test_a_base_measure_must_be_a_measure(measure):
    with pytest.raises(ValueError, match="base_measure must be"):
        ExponentialMechanism(epsilon=1.0, sensitivity=1.0, base_measure=measure)


@BOTH
@pytest.mark.parametrize("name", ["epsilon", "sensitivity"])
@pytest.mark.parametrize("bad", [0, -1.0, math.nan, math.inf, "1", None, True])
def test_bad_parameters_are_refused(kind, name, bad):
    with pytest.raises(
        ValueError, match=f"{name} must be positive and finite, but got"
    ):
        kind(**{"epsilon": 1.0, "sensitivity": 1.0, name: bad})


@BOTH
@pytest.mark.parametrize(
    "bad", [[], [math.nan, 1.0], [1.0, math.inf], [-math.inf], [[1.0, 2.0]], ["a"]]
)
def test_bad_scores_are_refused(kind, bad):
    mechanism = kind(epsilon=1.0, sensitivity=1.0)
    with pytest.raises(ValueError, match="scores must be"):
        mechanism.output_distribution(bad)
    with pytest.raises(ValueError, match="scores must be"):
        mechanism.release(bad)


@BOTH
def test_the_monotone_promise_exists_under_add_or_remove_only(kind):
    with pytest.raises(ValueError, match="monotone must be False under replace-one"):
        kind(epsilon=1.0, sensitivity=1.0, monotone=True)
    mechanism = kind(
        epsilon=1.0,
        sensitivity=1.0,
        monotone=True,
        adjacency=Adjacency.ADD_OR_REMOVE_ONE,
    )
    assert mechanism.scale == 1.0
    with pytest.raises(ValueError, match="adjacency must be 'replace-one' or"):
        kind(epsilon=1.0, sensitivity=1.0, adjacency="replace one")


@BOTH
def test_extreme_scores_give_a_law_and_not_an_overflow(kind):
    mechanism = kind(epsilon=1.0, sensitivity=1.0)
    assert mechanism.output_distribution([1e6, -1e6, 1e6]).pmf() == pytest.approx(
        [0.5, 0.0, 0.5]
    )
    assert mechanism.output_distribution([1e300, -1e300]).pmf().tolist() == [1.0, 0.0]
    assert mechanism.output_distribution([7.0]).pmf().tolist() == [1.0]


@pytest.mark.parametrize("n_outcomes", [2, 100, 129, 1000, 20_000])
def test_the_nodes_integrate_a_product_of_all_the_others(n_outcomes):
    """The product of n - 1 factors 1 - t is sharpest: its integral is 1 / n."""
    nodes, weights = _unit_interval_nodes(n_outcomes)
    integral = n_outcomes * (weights @ (1 - nodes) ** (n_outcomes - 1))
    assert integral == pytest.approx(1, abs=1e-12 if n_outcomes <= 129 else 1e-9)
