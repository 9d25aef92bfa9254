"""Concentrated and bounded-range guarantees: conversions in the allowed directions only, relations kept."""

import math

import numpy as np
import pytest

from privml import audit
from privml.adjacency import Adjacency
from privml.divergences import privacy_loss
from privml.guarantee import (
    BoundedRangeGuarantee,
    ConcentratedGuarantee,
    Guarantee,
    gaussian_rho,
)
from privml.mechanisms import ExponentialMechanism, PermuteAndFlip

ADD, REPLACE = Adjacency.ADD_OR_REMOVE_ONE, Adjacency.REPLACE_ONE
KINDS = [ConcentratedGuarantee, BoundedRangeGuarantee]


@pytest.mark.source("LZCW21-def-50")
def test_groups_of_gaussian_noise_cost_the_square():
    mu, k = 0.3, 4
    group = ConcentratedGuarantee(gaussian_rho(mu)).for_group(k)
    assert group.rho == pytest.approx(gaussian_rho(k * mu))
    assert group.group_size == k
    assert group.for_group(2).group_size == 2 * k


@pytest.mark.parametrize("kind", KINDS)
def test_the_relation_is_kept_converted_one_way_and_compared(kind):
    added = kind(0.1, ADD)
    assert added.under(ADD) is added
    replaced = added.under(REPLACE)
    assert replaced.adjacency is REPLACE
    assert replaced == kind(0.4 if kind is ConcentratedGuarantee else 0.2, REPLACE)
    with pytest.raises(ValueError, match="adjacency must be replace-one"):
        replaced.under(ADD)
    assert added.implies(kind(0.1, ADD))
    assert not added.implies(kind(0.1, REPLACE))
    assert not kind(0.2).implies(kind(0.1))
    assert kind(0.1).for_group(2).implies(kind(0.5))
    assert not kind(0.1).implies(kind(10.0).for_group(2))
    assert str(ADD) in str(added)


def test_conversions_keep_relation_and_group():
    bounded = BoundedRangeGuarantee(0.5, ADD).for_group(2)
    assert bounded.as_pure() == Guarantee(1.0, 0.0, ADD, 2)
    concentrated = bounded.as_concentrated()
    assert (concentrated.adjacency, concentrated.group_size) == (ADD, 2)
    approximate = concentrated.as_approximate(1e-6)
    assert (approximate.delta, approximate.adjacency, approximate.group_size) == (
        1e-6,
        ADD,
        2,
    )
    assert Guarantee(0.5, 0.0, ADD).as_bounded_range() == BoundedRangeGuarantee(
        1.0, ADD
    )
    assert Guarantee(1.0, 0.0, ADD, 3).as_concentrated().group_size == 3


@pytest.mark.source("LZCW21-lem-51", "LZCW21-lem-52")
def test_tight_conversions_are_never_looser_than_those_of_the_source():
    pure = Guarantee(0.7)
    tight, simple = (pure.as_concentrated(conversion=c) for c in ("tight", "simple"))
    assert tight.implies(simple)
    assert simple.rho == pytest.approx(0.245)
    assert tight.as_approximate(1e-5).implies(
        tight.as_approximate(1e-5, conversion="simple")
    )
    epsilon = 0.245 + 2 * math.sqrt(0.245 * math.log(1e5))
    assert simple.as_approximate(1e-5, conversion="simple").epsilon == pytest.approx(
        epsilon
    )


@pytest.mark.parametrize("zero", [0, 0.0])
def test_concentrated_privacy_implies_no_pure_privacy(zero):
    with pytest.raises(
        ValueError, match="concentrated privacy implies no pure guarantee"
    ):
        ConcentratedGuarantee(0.1).as_approximate(zero)


def test_a_positive_delta_leads_to_neither():
    for way in ("as_concentrated", "as_gaussian", "as_bounded_range", "as_pure"):
        with pytest.raises(ValueError, match="guarantee must be pure"):
            getattr(Guarantee(0.1, 1e-9), way)()


@pytest.mark.parametrize("n_outcomes", [2, 4])
def test_the_exponential_mechanism_has_bounded_range_and_permute_and_flip_has_not(
    n_outcomes,
):
    """Ranges of the loss over all neighbouring vote counts of few records."""
    ranges = {}
    for kind in (ExponentialMechanism, PermuteAndFlip):
        mechanism = kind(epsilon=1.0, sensitivity=1.0)
        counts = (
            np.array(np.meshgrid(*[range(4)] * n_outcomes))
            .reshape(n_outcomes, -1)
            .T.astype(float)
        )
        laws = {
            tuple(row): mechanism.output_distribution(row).logpmf() for row in counts
        }
        worst = 0.0
        for row, law in laws.items():
            for move in (
                np.eye(n_outcomes)[0] - np.eye(n_outcomes)[1],
                np.eye(n_outcomes)[0],
            ):
                other = laws.get(tuple(np.array(row) + move))
                if other is not None:
                    worst = max(
                        worst, float(np.ptp(privacy_loss(law, other, logs=True)))
                    )
        ranges[kind] = worst
    assert ranges[ExponentialMechanism] == pytest.approx(1.0)
    assert ExponentialMechanism(
        epsilon=1.0, sensitivity=1.0
    ).bounded_range == BoundedRangeGuarantee(1.0)
    assert ranges[PermuteAndFlip] > 1.1


def test_monotone_scores_give_the_same_range_with_half_the_noise():
    """Counts under addition: no score falls, so the exponent may be twice as large."""
    mechanism = ExponentialMechanism(
        epsilon=1.0, sensitivity=1.0, adjacency=ADD, monotone=True
    )
    assert mechanism.bounded_range == BoundedRangeGuarantee(1.0, ADD)
    worst = 0.0
    for scores in np.array(np.meshgrid(*[range(4)] * 3)).reshape(3, -1).T.astype(float):
        for gains in np.array(np.meshgrid(*[(0, 1)] * 3)).reshape(3, -1).T:
            laws = (
                mechanism.output_distribution(scores).logpmf()
                for scores in (scores, scores + gains)
            )
            worst = max(worst, float(np.ptp(privacy_loss(*laws, logs=True))))
    assert worst == pytest.approx(1.0)


def test_a_bounded_range_implies_the_same_pure_epsilon_and_it_is_attained():
    law = ExponentialMechanism(epsilon=1.0, sensitivity=1.0).output_distribution
    found = audit.exact(
        lambda z: law(np.bincount(z, minlength=2)), np.array([0, 1]), 30
    )
    assert 0.99 < found.epsilon <= BoundedRangeGuarantee(1.0).as_pure().epsilon
