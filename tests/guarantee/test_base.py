"""Guarantees compare like with like and convert only where a theorem allows it."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privml import audit
from privml.adjacency import Adjacency
from privml.divergences import hockey_stick
from privml.guarantee import BoundedRangeGuarantee, ConcentratedGuarantee, Guarantee

ADD = Adjacency.ADD_OR_REMOVE_ONE


def randomised_response(epsilon):
    """Law of the number of ones after each of the bits is kept with odds e^epsilon : 1."""
    keep = math.exp(epsilon) / (1 + math.exp(epsilon))

    def law(bits):
        pmf = np.ones(1)
        for bit in bits:
            one = keep if bit else 1 - keep
            pmf = np.convolve(pmf, [1 - one, one])
        return pmf

    return law


def test_implication_needs_the_same_relation():
    assert Guarantee(0.5).implies(Guarantee(0.5))
    assert Guarantee(0.5).implies(Guarantee(0.6, 0.1))
    assert not Guarantee(0.5, 0.1).implies(Guarantee(0.5))
    assert not Guarantee(0.7).implies(Guarantee(0.6))
    assert not Guarantee(0.5, adjacency=ADD).implies(Guarantee(1.0))
    assert Guarantee(0.5).for_group(2).implies(Guarantee(1.0))
    assert not Guarantee(0.5).implies(Guarantee(1.0).for_group(2))


@pytest.mark.parametrize("adjacency", Adjacency)
@pytest.mark.parametrize("group", [1, 3])
def test_what_a_promise_means_as_another_is_about_the_same_neighbours(adjacency, group):
    neighbours = {"adjacency": adjacency, "group_size": group}
    pure, rho, wide = Guarantee(0.5, 0.0, **neighbours), 0.25 * math.tanh(0.25) * 2, 1.0
    concentrated = pure.as_concentrated()
    assert concentrated.rho == pytest.approx(rho)
    assert concentrated == ConcentratedGuarantee(concentrated.rho, **neighbours)
    simple = pure.as_concentrated(conversion="simple")
    assert simple == ConcentratedGuarantee(0.125, **neighbours)
    ranged = pure.as_bounded_range()
    assert ranged == BoundedRangeGuarantee(wide, **neighbours)
    assert ranged.as_pure() == Guarantee(wide, **neighbours)
    simple = ranged.as_concentrated(conversion="simple")
    assert simple == ConcentratedGuarantee(0.125, **neighbours)
    assert ranged.as_concentrated() == ConcentratedGuarantee(
        ranged.as_concentrated().rho, **neighbours
    )
    approximate = simple.as_approximate(0.01, conversion="simple")
    assert approximate.epsilon == pytest.approx(
        0.125 + 2 * math.sqrt(0.125 * math.log(100))
    )
    assert approximate == Guarantee(approximate.epsilon, 0.01, **neighbours)
    for promise in (pure, concentrated, ranged, approximate):
        further = promise.for_group(2)
        assert (further.adjacency, further.group_size) == (adjacency, 2 * group)
        assert not promise.implies(further)
        assert promise.under(adjacency) == promise
    if adjacency is ADD:
        assert ranged.under(Adjacency.REPLACE_ONE) == BoundedRangeGuarantee(
            2.0, group_size=group
        )
        assert simple.under(Adjacency.REPLACE_ONE) == ConcentratedGuarantee(
            0.5, group_size=group
        )
        assert not pure.implies(Guarantee(9.0, group_size=group))


def test_the_way_back_from_replacing_to_adding_raises():
    with pytest.raises(ValueError, match="adjacency must be replace-one"):
        Guarantee(0.5).under(ADD)
    assert Guarantee(0.5).under(Adjacency.REPLACE_ONE) == Guarantee(0.5)


@pytest.mark.source("LZCW21-def-1")
def test_replacing_is_two_steps_of_adding_or_removing():
    converted = Guarantee(0.5, 1e-3, ADD).under(Adjacency.REPLACE_ONE)
    assert converted.epsilon == 1.0
    assert converted.delta == pytest.approx(1e-3 * (1 + math.exp(0.5)), rel=1e-12)
    assert converted.adjacency is Adjacency.REPLACE_ONE


@pytest.mark.source("WLF16-eq-group-privacy")
def test_group_delta_is_a_geometric_sum_also_at_epsilon_zero_and_capped():
    assert Guarantee(0.0, 0.01).for_group(3).delta == pytest.approx(0.03)
    delta = Guarantee(0.2, 1e-4).for_group(4).delta
    assert delta == pytest.approx(
        1e-4 * sum(math.exp(0.2 * i) for i in range(4)), rel=1e-12
    )
    assert Guarantee(1.0, 0.1).for_group(1000).delta == 1.0


@pytest.mark.source("WLF16-def-2", "WLF16-eq-group-privacy")
def test_a_group_of_two_is_exactly_twice_as_exposed_under_randomised_response():
    law = randomised_response(0.7)
    p, q = law([1, 1, 1]), law([0, 0, 1])
    loss = np.log(p / q).max()
    assert loss <= Guarantee(0.7).for_group(2).epsilon + 1e-12
    assert loss > Guarantee(0.7).epsilon
    assert audit.exact(law, np.array([0, 1]), 3).epsilon <= 0.7 + 1e-12


@pytest.mark.source("WLF16-eq-group-privacy", "WLF16-def-27")
@pytest.mark.parametrize("k", [1, 2, 3])
def test_groups_of_an_approximate_mechanism_are_within_the_formula_and_attain_it(k):
    """A chain of alarms, each as likely as the last one allows."""
    epsilon, delta = 0.6, 0.05
    # Laws on a line: neighbours in the chain are exactly (epsilon, delta)-close by construction.
    laws = [np.array([1.0 - 1e-3, 1e-3])]
    for _ in range(k):
        alarm = min(1.0, math.exp(epsilon) * laws[-1][1] + delta)
        laws.append(np.array([1 - alarm, alarm]))
    promise = Guarantee(epsilon, delta).for_group(k)
    found = hockey_stick(laws[-1], laws[0], promise.epsilon)
    assert found == pytest.approx(promise.delta, rel=1e-9)
    assert promise.delta <= k * math.exp((k - 1) * epsilon) * delta * (1 + 1e-12)


@pytest.mark.source("LZCW21-def-1", "WLF16-eq-3")
def test_a_count_under_both_relations():
    """Geometric noise of scale 1 / epsilon on a count, cut to a finite range: epsilon and again epsilon.

    The number of ones moves by one under either relation; a histogram of two cells moves by two under
    replacement, so its two noisy counts are epsilon-private under one relation and 2 epsilon under the other.
    """
    epsilon, values = 0.5, np.arange(-40, 45)

    def noisy(count):
        weights = np.exp(-epsilon * abs(values - count))
        inner = weights * math.tanh(epsilon / 2)
        inner[0] = weights[0] / (1 + math.exp(-epsilon))
        inner[-1] = weights[-1] / (1 + math.exp(-epsilon))
        return inner

    def histogram(z):
        return np.multiply.outer(noisy(np.sum(z == 0)), noisy(np.sum(z == 1))).ravel()

    universe = np.array([0, 1])
    for law, replaced in ((lambda z: noisy(np.sum(z)), 1.0), (histogram, 2.0)):
        found = audit.exact(law, universe, 3, adjacency=ADD)
        assert found.epsilon == pytest.approx(epsilon)
        found = audit.exact(law, universe, 3, adjacency=Adjacency.REPLACE_ONE)
        assert found.epsilon == pytest.approx(replaced * epsilon)


@given(st.floats(0, 1e300), st.floats(0, 1))
def test_nothing_prints_stronger_than_it_is(size, delta):
    """Every number in the text, read back, is at least the claim and within a unit of its sixth digit."""
    promises = [
        (Guarantee(size), [size]),
        (Guarantee(size, delta), [size, delta] if delta else [size]),
        (ConcentratedGuarantee(size), [size]),
        (BoundedRangeGuarantee(size), [size]),
    ]
    for promise, claims in promises:
        text = re.split(r"\)-diff|-conc|-bounded|-differential", str(promise))[0]
        printed = [float(number) for number in text.strip("(").split(", ")]
        assert len(printed) == len(claims)
        for shown, claim in zip(printed, claims, strict=True):
            assert claim <= shown <= claim * (1 + 1.1e-5) or shown < 1e-305


def test_a_smallest_epsilon_prints_rounded_up():
    assert str(Guarantee(1.0000001)).startswith("1.00001-")
    assert str(Guarantee(0.5)).startswith("0.5-")
    assert str(Guarantee(1.0, 0.1234561)).startswith("(1, 0.123457)-")
