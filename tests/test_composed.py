"""What compose says against each theorem by itself, and the inverse against what it inverts."""

import functools as ft
import math
import re
from dataclasses import replace

import numpy as np
import pytest

from privml import Guarantee, compose, smallest_scale
from privml.adjacency import Adjacency
from privml.composition import (
    basic_composition,
    bounded_range_composition,
    concentrated_composition,
    finite_loss,
    gaussian_loss,
    laplace_loss,
    numerical_composition,
    optimal_composition,
)
from privml.divergences import PrivacyCurve, gaussian_epsilon
from privml.guarantee import BoundedRangeGuarantee, ConcentratedGuarantee
from privml.learners import ERM
from privml.mechanisms import (
    ExponentialMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    PermuteAndFlip,
    gaussian_sigma,
)
from tests.refusals import refused

ADD = Adjacency.ADD_OR_REMOVE_ONE
COUNT = LaplaceMechanism(epsilon=0.2, sensitivity=2.0)
MEAN = GaussianMechanism(epsilon=0.3, delta=1e-6, sensitivity=2.0)
CHOICE = ExponentialMechanism(epsilon=0.1, sensitivity=1.0)


def test_guarantees_are_added_by_plus_as_by_basic_composition():
    a, b = Guarantee(0.5, 1e-6), Guarantee(0.25, 1e-7)
    assert a + b == basic_composition(a, b)
    assert Guarantee(1.0, 0.7) + Guarantee(1.0, 0.7) == Guarantee(2.0, 1.0)
    with pytest.raises(ValueError, match="about the same neighbours"):
        a + Guarantee(0.5, adjacency=ADD)
    with pytest.raises(TypeError):
        a + 1.0


def test_a_refusal_of_mixed_relations_or_of_a_list_names_a_way_that_works():
    added = Guarantee(0.5, adjacency=ADD)
    with pytest.raises(ValueError, match=r"guarantee.under\(Adjacency.REPLACE_ONE\)"):
        compose(COUNT, added, delta=0.0)
    assert (
        compose(COUNT, added.under(Adjacency.REPLACE_ONE), delta=0.0).guarantee.epsilon
        == math.nextafter(0.2 + 2 * 0.5, 2.0)  # as a float 0.2 is more than 2 / 10
    )
    with pytest.raises(ValueError, match=r"compose\(\*releases, delta=delta\)"):
        compose([COUNT, COUNT], delta=0.0)
    assert compose(*[COUNT, COUNT], delta=0.0).n_releases == 2


def test_two_releases_with_one_seed_show_the_difference_of_the_data():
    for mechanism in COUNT, MEAN:
        one, other = (mechanism.release(value, rng=7) for value in (30.0, 33.0))
        assert other - one == pytest.approx(3.0)


def test_pure_privacy_is_added_up():
    found = compose(
        Guarantee(0.5),
        (Guarantee(0.1), 3),
        COUNT,
        (BoundedRangeGuarantee(0.25), 2),
        delta=0,
    )
    assert found.guarantee == Guarantee(math.nextafter(1.5, 2.0))  # 3 * 0.1 + 0.2 + 1
    assert (found.theorem, found.n_releases) == ("basic", 7)
    with pytest.raises(ValueError, match="delta must be larger"):
        compose((Guarantee(0.5, 1e-6), 11), delta=1e-5)  # the deltas add up, too


def test_equal_steps_are_composed_as_well_as_possible():
    found = compose(Guarantee(0.05, 1e-9), (Guarantee(0.05, 1e-9), 999), delta=1e-5)
    assert found.theorem == "optimal"
    assert found.guarantee == optimal_composition(Guarantee(0.05, 1e-9), 1000, 1e-5)


@pytest.mark.parametrize(
    "release",
    [
        LaplaceMechanism(epsilon=0.1, sensitivity=1),
        gaussian_loss(0.1, 2, sampling_rate=0.1),
    ],
)
def test_releases_one_by_one_cost_what_they_cost_counted(release):
    assert compose(*[release] * 50, delta=1e-5) == compose((release, 50), delta=1e-5)


class _HalfTheNoise(LaplaceMechanism):
    guarantee = Guarantee(1.0)  # of noise of half the scale, epsilon 0.5


class _HalfTheRange(ExponentialMechanism):
    guarantee = Guarantee(1.0)


@pytest.mark.parametrize("kind", [_HalfTheNoise, _HalfTheRange])
def test_a_subclass_is_composed_by_its_own_promise(kind):
    release = kind(epsilon=0.5, sensitivity=1)
    assert compose((release, 20), delta=1e-6) == compose(
        (Guarantee(1.0), 20), delta=1e-6
    )


def test_gaussian_noise_is_exact():
    other = GaussianMechanism.with_sigma(sigma=9.0, delta=1e-5, sensitivity=1.0)
    found = compose((MEAN, 7), other, delta=1e-5)
    assert found.theorem == "gaussian"
    exact = gaussian_epsilon(1e-5, math.sqrt(7 * MEAN.mu**2 + other.mu**2))
    assert exact <= found.guarantee.epsilon <= exact * (1 + 1e-14)


def test_choices_are_concentrated():
    found = compose((CHOICE, 1000), delta=1e-5)
    same = bounded_range_composition(*[CHOICE.bounded_range] * 1000)
    assert found.theorem == "concentrated"
    assert found.guarantee.epsilon == pytest.approx(
        same.approximate(1e-5).epsilon, rel=1e-12
    )
    again = compose((BoundedRangeGuarantee(0.1), 1000), delta=1e-5)
    assert again.guarantee.epsilon == pytest.approx(found.guarantee.epsilon, rel=1e-12)


def test_different_noise_is_convolved():
    found = compose((COUNT, 30), (MEAN, 5), delta=1e-5)
    losses = laplace_loss(0.2, 30), gaussian_loss(MEAN.mu, 5)
    assert found.theorem == "numerical"
    assert found.guarantee == numerical_composition(*losses, delta=1e-5)
    rho = concentrated_composition(*[COUNT.concentrated] * 30, *[MEAN.concentrated] * 5)
    assert found.guarantee.epsilon < rho.approximate(1e-5).epsilon


def test_what_has_no_rho_is_added_to_what_has():
    found = compose(
        (Guarantee(0.5, 1e-6), 3), (ConcentratedGuarantee(0.01), 10), delta=1e-5
    )
    assert found.theorem == "concentrated"
    rest = ConcentratedGuarantee(0.1).approximate(1e-5 - 3e-6).epsilon
    assert found.guarantee.epsilon == pytest.approx(3 * 0.5 + rest, rel=1e-12)
    with pytest.raises(ValueError, match="delta must be larger"):
        compose((Guarantee(0.5, 1e-6), 11), ConcentratedGuarantee(0.01), delta=1e-5)


@pytest.mark.parametrize("delta", [1e-3, 0.02, 0.2])
def test_worst_steps_of_different_guarantees_are_enumerated(delta):
    """Two pure steps and one with a delta, as randomised responses in all their outcomes."""
    steps = [Guarantee(0.4), Guarantee(1.0), Guarantee(0.7, 5e-4)]
    both = [np.ones(1), np.ones(1)]
    for step in steps:
        keep = (1 - step.delta) / (1 + math.exp(-step.epsilon))
        p = np.array([step.delta, keep, 1 - step.delta - keep, 0.0])
        both = [
            np.multiply.outer(total, law).ravel()
            for total, law in zip(both, (p, p[::-1]), strict=True)
        ]
    with np.errstate(divide="ignore"):
        curve = PrivacyCurve.between(*both)
    found = compose(*steps, delta=delta).guarantee.epsilon
    assert curve.delta(found) <= delta * (1 + 1e-9)
    assert curve.delta(found * 0.99 - 1e-3) > delta


@pytest.mark.parametrize("delta", [0.0, 1e-12, 1e-5, 0.1])
def test_no_theorem_of_the_package_is_better(delta):
    pure = [Guarantee(0.05)] * 50
    found = compose((Guarantee(0.05), 50), delta=delta).guarantee.epsilon
    assert found <= basic_composition(*pure).epsilon + 1e-12
    if delta:
        assert found <= optimal_composition(pure[0], 50, delta).epsilon * (1 + 1e-12)


def test_losses_and_learners_are_taken_too():
    found = compose((gaussian_loss(1.0, 100, sampling_rate=0.01), 10), delta=1e-5)
    assert found.guarantee.adjacency is ADD
    assert found.n_releases == 1000
    assert found.guarantee.epsilon == pytest.approx(1.8283, rel=1e-3)
    p = np.log([0.6, 0.4])
    assert (
        compose(finite_loss(p, p[::-1], logs=True), delta=1e-5).guarantee.epsilon
        <= math.log(1.5) + 1e-9
    )

    class Fitted:
        privacy_ = Guarantee(0.3)

    assert compose((Fitted(), 2), delta=0).guarantee == Guarantee(0.6)


def test_relations_do_not_mix():
    with pytest.raises(
        ValueError, match="add-or-remove-one, groups of 1 and replace-one, groups of 1"
    ):
        compose(Guarantee(0.5), gaussian_loss(1.0, sampling_rate=0.1), delta=1e-5)
    for kind in Guarantee, ConcentratedGuarantee:
        pair = kind(0.5).for_group(2)
        with pytest.raises(ValueError, match="same neighbours"):
            compose(Guarantee(0.5), pair, delta=1e-5)
        assert compose(pair, delta=1e-5).guarantee.group_size == 2
        assert compose(kind(0.5, adjacency=ADD), delta=1e-5).guarantee.adjacency is ADD


def test_groups_of_unequal_sizes_are_added_by_the_way_out_that_the_message_names():
    """One person has three rows in one table and one in the other."""
    a, b = Guarantee(1.0).for_group(3), Guarantee(1.0)
    for composed in (
        ft.partial(compose, delta=0),
        basic_composition,
        lambda a, b: a + b,
    ):
        with pytest.raises(
            ValueError, match=r"groups of 1 and replace-one, groups of 3; restate"
        ) as refusal:
            composed(a, b)
        assert "under" not in str(refusal.value)
        way = re.search(
            r"dataclasses\.(replace\(guarantee, group_size=1\))", str(refusal.value)
        )[1]
        found = composed(
            *(eval(way, {"replace": replace, "guarantee": each}) for each in (a, b))
        )
        assert getattr(found, "guarantee", found) == Guarantee(4.0)
    with pytest.raises(
        ValueError, match=r"\.under\(Adjacency.REPLACE_ONE\) and groups.*group_size=1"
    ):
        compose(a, Guarantee(1.0, adjacency=ADD), delta=0)
    with pytest.raises(ValueError, match=r"\.under\(Adjacency.REPLACE_ONE\)$"):
        compose(b, Guarantee(1.0, adjacency=ADD), delta=0)


test_bad_input_is_refused = refused(
    (lambda: compose(delta=1e-5), "releases must be at least one"),
    (lambda: compose(0.5, delta=1e-5), "releases must be mechanisms"),
    (lambda: compose(ERM, delta=1e-5), "releases must be mechanisms"),
    (
        lambda: compose((Guarantee(0.5), 0), delta=1e-5),
        "count must be a positive integer",
    ),
    (lambda: compose((Guarantee(0.5, 1e-6), 100), delta=1e-5), "delta must be larger"),
    (lambda: compose(ConcentratedGuarantee(0.1), delta=0), "delta must be larger"),
)


def test_the_print_names_the_theorem_and_is_rounded_up():
    told = "(7.49285, 1e-05)-differential privacy (replace-one)\nof 1000 releases, by optimal"
    assert str(compose((Guarantee(0.05), 1000), delta=1e-5)).startswith(told)
    assert "\nof 1 release, by basic composition" in str(
        compose(Guarantee(0.5), delta=0)
    )


@pytest.mark.parametrize(
    ("epsilon", "delta"), [(0.01, 1e-5), (1.0, 1e-5), (20.0, 1e-12)]
)
def test_the_smallest_noise_is_that_of_the_exact_inverse(epsilon, delta):
    def made(sigma):
        return (
            GaussianMechanism.with_sigma(sigma=sigma, delta=delta, sensitivity=1.0),
            16,
        )

    found, exact = (
        smallest_scale(made, epsilon, delta),
        4 * gaussian_sigma(epsilon, delta),
    )
    assert exact * (1 - 1e-9) <= found <= exact * 1.001
    assert compose(made(found), delta=delta).guarantee.epsilon <= epsilon


def test_the_smallest_noise_under_sampling_keeps_the_promise_and_no_less_does():
    def made(sigma):
        return [
            gaussian_loss(1 / sigma, 500, sampling_rate=0.02),
            laplace_loss(0.1, adjacency=ADD),
        ]

    found = smallest_scale(made, 1.0, 1e-6)
    assert compose(*made(found), delta=1e-6).guarantee.epsilon <= 1.0
    assert compose(*made(found / 1.01), delta=1e-6).guarantee.epsilon > 1.0


def test_a_promise_out_of_reach_is_refused():
    tried = []
    with pytest.raises(ValueError, match="epsilon must be reachable"):
        smallest_scale(lambda scale: tried.append(scale) or Guarantee(2.0), 1.0, 1e-5)
    assert max(tried) == 2.0**60
    assert (
        smallest_scale(lambda scale: tried.append(scale) or Guarantee(0.5), 1.0, 1e-5)
        in tried
    )


@pytest.mark.parametrize(
    ("relation", "monotone"), [(Adjacency.REPLACE_ONE, False), (ADD, True)]
)
def test_permute_and_flip_counts_like_laplace_noise_and_more_than_a_series_of_ties(
    relation, monotone
):
    flips = PermuteAndFlip(
        epsilon=0.1, sensitivity=3.0, monotone=monotone, adjacency=relation
    )
    found = compose((flips, 100), delta=1e-6)
    assert found.theorem == "numerical"
    assert (
        found.guarantee.epsilon
        == numerical_composition(laplace_loss(0.1, 100), delta=1e-6).epsilon
    )
    tie, moved = np.log([0.5, 0.5]), np.log([1 - np.exp(-0.1) / 2, np.exp(-0.1) / 2])
    ties = numerical_composition(
        finite_loss(tie, moved, 100, logs=True), delta=1e-6
    ).epsilon
    assert (
        ties
        < found.guarantee.epsilon
        < optimal_composition(Guarantee(0.1), 100, 1e-6).epsilon
    )
