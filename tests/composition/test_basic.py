"""Adding up, and disjoint parts, against exact audits of products of mechanisms."""

import math
from functools import partial
from itertools import permutations

import numpy as np
import pytest

from privml import audit
from privml.adjacency import Adjacency
from privml.composition import (
    advanced_composition,
    basic_composition,
    bounded_range_composition,
    concentrated_composition,
    nonadaptive_range_composition,
    optimal_composition,
    parallel_composition,
)
from privml.guarantee import BoundedRangeGuarantee, ConcentratedGuarantee, Guarantee
from tests.refusals import refused

ADD, REPLACE = Adjacency.ADD_OR_REMOVE_ONE, Adjacency.REPLACE_ONE
BITS = np.array([0, 1])


def noisy_count(count, epsilon, reach=30):
    """Two-sided geometric noise of ratio e^-epsilon on a count, cut to a range."""
    weights = np.exp(-epsilon * abs(np.arange(-reach, reach + 6) - count))
    inner = weights * math.tanh(epsilon / 2)
    inner[[0, -1]] = weights[[0, -1]] / (1 + math.exp(-epsilon))
    return inner


def product_law(*factors):
    law = np.ones(1)
    for factor in factors:
        law = np.multiply.outer(law, factor).ravel()
    return law


MIXED = Guarantee(0.1), Guarantee(0.1, adjacency=ADD)
test_mixed_relations_and_groups_raise = refused(
    (
        basic_composition,
        MIXED,
        "about the same neighbours, but got add-or-remove-one.* and replace-one",
    ),
    (
        basic_composition,
        (Guarantee(0.1), Guarantee(0.1).for_group(2)),
        "groups of 1 and .*groups of 2",
    ),
    (partial(parallel_composition, partition="index"), MIXED, "same neighbours"),
    (
        concentrated_composition,
        [ConcentratedGuarantee(0.1, a) for a in (REPLACE, ADD)],
        "same neighbours",
    ),
    (
        bounded_range_composition,
        [BoundedRangeGuarantee(0.1, a) for a in (REPLACE, ADD)],
        "same neighbours",
    ),
    call=lambda composed, parts: composed(*parts),
)


@pytest.mark.parametrize(
    "call", [basic_composition, concentrated_composition, bounded_range_composition]
)
def test_nothing_and_other_kinds_are_refused(call):
    with pytest.raises(
        ValueError, match="guarantees must contain at least one guarantee, but got none"
    ):
        call()
    with pytest.raises(ValueError, match="guarantee must be an instance of"):
        call(0.5)
    with pytest.raises(
        ValueError, match="guarantee must be an instance of BoundedRangeGuarantee"
    ):
        bounded_range_composition(BoundedRangeGuarantee(0.1), Guarantee(0.1))


def histogram(z, epsilon):
    """One noisy count per kind of record: parts are decided by the record."""
    return product_law(*(noisy_count(np.sum(z == kind), epsilon) for kind in BITS))


def test_parts_decided_by_the_record_cost_one_part_for_additions_and_two_for_replacements():
    epsilon = 0.5
    total = parallel_composition(
        *[Guarantee(epsilon, adjacency=ADD)] * 2, partition="record"
    )
    assert total == Guarantee(epsilon, adjacency=ADD)
    found = audit.exact(lambda z: histogram(z, epsilon), BITS, 3, adjacency=ADD)
    assert found.epsilon == pytest.approx(epsilon)
    found = audit.exact(lambda z: histogram(z, epsilon), BITS, 3, adjacency=REPLACE)
    assert (
        found.epsilon
        == pytest.approx(total.under(REPLACE).epsilon)
        == pytest.approx(2 * epsilon)
    )


def test_a_replace_one_promise_of_parts_says_nothing_when_the_record_decides():
    """Each part reveals its size and is otherwise silent: 0-DP under replacement within it."""

    def sizes(z):
        return np.eye(5)[np.sum(z == 0)]

    assert audit.exact(sizes, BITS, 4).epsilon == math.inf
    with pytest.raises(ValueError, match="A replaced record can change two parts"):
        parallel_composition(Guarantee(0.0), Guarantee(0.0), partition="record")
    with pytest.raises(ValueError, match="An added record shifts the others"):
        parallel_composition(Guarantee(0.1, adjacency=ADD), partition="index")
    with pytest.raises(ValueError, match="partition must be one of"):
        parallel_composition(Guarantee(0.1), partition="random")
    with pytest.raises(ValueError, match="groups of 1"):
        parallel_composition(Guarantee(0.1).for_group(2), partition="index")


def test_bounded_ranges_add_up_as_rho():
    parts = [BoundedRangeGuarantee(0.05)] * 999 + [BoundedRangeGuarantee(0.5)]
    total = bounded_range_composition(*parts)
    assert total.rho == pytest.approx(999 * 0.05**2 / 8 + 0.5**2 / 8, rel=1e-2)
    assert total.rho < 999 * 0.05**2 / 8 + 0.5**2 / 8


@pytest.mark.parametrize(
    ("kind", "compose"),
    [
        (Guarantee, lambda promise: basic_composition(promise, promise)),
        (Guarantee, lambda promise: advanced_composition(promise, 10, 1e-6)),
        (Guarantee, lambda promise: optimal_composition(promise, 10, 0.1)),
        (
            ConcentratedGuarantee,
            lambda promise: concentrated_composition(promise, promise),
        ),
        (ConcentratedGuarantee, lambda promise: promise.as_approximate(1e-6)),
        (
            BoundedRangeGuarantee,
            lambda promise: bounded_range_composition(promise, promise),
        ),
        (
            BoundedRangeGuarantee,
            lambda promise: nonadaptive_range_composition(promise, 10, 1e-6),
        ),
        (BoundedRangeGuarantee, lambda promise: promise.as_concentrated()),
    ],
)
def test_what_composes_speaks_of_the_same_relation_and_groups(kind, compose):
    for promise in (kind(0.5, adjacency=ADD), kind(0.5).for_group(2)):
        total = compose(promise)
        assert (total.adjacency, total.group_size) == (
            promise.adjacency,
            promise.group_size,
        )


def test_the_worst_part_counts_for_epsilon_and_for_delta():
    for order in permutations(
        (Guarantee(0.5, 1e-6), Guarantee(0.2, 1e-3), Guarantee(0.1, 0.0))
    ):
        found = parallel_composition(*order, partition="index")
        assert (found.epsilon, found.delta) == (0.5, 1e-3)


def test_epsilons_add_up_and_the_sum_is_attained():
    parts = (0.5, 0.2)
    total = basic_composition(*(Guarantee(epsilon) for epsilon in parts))
    assert total == Guarantee(
        math.nextafter(sum(parts), 1.0)
    )  # 0.2 is more than 2 / 10
    found = audit.exact(
        lambda z: product_law(*(noisy_count(z.sum(), e) for e in parts)), BITS, 3
    )
    assert found.epsilon == pytest.approx(total.epsilon)
