"""What compose says against each theorem by itself, and the inverse against what it inverts."""

import functools as ft
import math
import re
import time

import numpy as np
import pytest

from privml import Guarantee, calibrate_noise_scale, compose
from privml.adjacency import Adjacency
from privml.composed import Composition
from privml.composition import (
    basic_composition,
    bounded_range_composition,
    concentrated_composition,
    finite_loss,
    gaussian_loss,
    laplace_loss,
    numerical_composition,
    optimal_composition,
    parallel_composition,
)
from privml.divergences import PrivacyCurve, gaussian_epsilon
from privml.guarantee import (
    BoundedRangeGuarantee,
    ConcentratedGuarantee,
    GaussianGuarantee,
)
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


class _HalfTheGaussianNoise(GaussianMechanism):
    guarantee = Guarantee(1.0, 1e-9)


def test_a_subclass_of_gaussian_noise_is_no_gaussian_noise():
    release = _HalfTheGaussianNoise(epsilon=0.5, delta=1e-9, sensitivity=1)
    own = (Guarantee(1.0, 1e-9), 20)
    assert compose((release, 20), delta=1e-6) == compose(own, delta=1e-6)


def test_accidents_of_equal_steps_overlap_in_optimal_composition():
    """Three with chance 0.1 each are 0.271, not 0.3."""
    found = compose((Guarantee(0.5, 0.1), 3), delta=0.28)
    assert found.theorem == "optimal"


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
    exact = gaussian_epsilon(delta=1e-5, mu=math.sqrt(7 * MEAN.mu**2 + other.mu**2))
    assert found.guarantee.epsilon == pytest.approx(exact, rel=1e-13)


def test_choices_are_concentrated():
    found = compose((CHOICE, 1000), delta=1e-5)
    same = bounded_range_composition(*[CHOICE.bounded_range] * 1000)
    assert found.theorem == "concentrated"
    assert found.guarantee.epsilon == pytest.approx(
        same.as_approximate(1e-5).epsilon, rel=1e-12
    )
    again = compose((BoundedRangeGuarantee(0.1), 1000), delta=1e-5)
    assert again.guarantee.epsilon == pytest.approx(found.guarantee.epsilon, rel=1e-12)


def test_different_noise_is_convolved():
    found = compose((COUNT, 30), (MEAN, 5), delta=1e-5)
    losses = laplace_loss(0.2, 30), gaussian_loss(MEAN.mu, 5)
    assert found.theorem == "numerical"
    assert found.guarantee == numerical_composition(*losses, delta=1e-5)
    rho = concentrated_composition(*[COUNT.concentrated] * 30, *[MEAN.concentrated] * 5)
    assert found.guarantee.epsilon < rho.as_approximate(1e-5).epsilon


def test_what_has_no_rho_is_added_to_what_has():
    found = compose(
        (Guarantee(0.5, 1e-6), 3), (ConcentratedGuarantee(0.01), 10), delta=1e-5
    )
    assert found.theorem == "concentrated"
    rest = ConcentratedGuarantee(0.1).as_approximate(1e-5 - 3e-6).epsilon
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
            ValueError,
            match=r"groups of 1 and replace-one, groups of 3\. Convert those",
        ) as refusal:
            composed(a, b)
        assert "under" not in str(refusal.value)
        assert "replace(" not in str(refusal.value)  # it turns rows into persons
        way = re.search(r"guarantee\.(for_group)\(k\)", str(refusal.value))[1]
        found = composed(a, getattr(b, way)(3))
        assert getattr(found, "guarantee", found) == Guarantee(6.0, group_size=3)
    with pytest.raises(
        ValueError,
        match=r"\.under\(Adjacency.REPLACE_ONE\) and those .*for_group\(k\), until",
    ):
        compose(a, Guarantee(1.0, adjacency=ADD), delta=0)
    with pytest.raises(ValueError, match=r"\.under\(Adjacency.REPLACE_ONE\)\.$"):
        compose(b, Guarantee(1.0, adjacency=ADD), delta=0)


def test_promises_about_groups_compose_as_well_as_those_about_single_records():
    """For neighbours two records apart they are promises like any other."""
    singles = [(Guarantee(0.05, 1e-9), 100), (Guarantee(0.1), 50)]
    pairs = [(Guarantee(0.05, 1e-9, group_size=2), 100)]
    pairs.append((Guarantee(0.1, group_size=2), 50))
    found, wanted = compose(*pairs, delta=1e-5), compose(*singles, delta=1e-5)
    assert (found.theorem, found.guarantee.group_size) == ("numerical", 2)
    assert found.guarantee.epsilon == wanted.guarantee.epsilon < 4  # their sum is 10


def test_promises_of_an_epsilon_of_0_spoil_no_theorem():
    steps = (Guarantee(0.2), 100)
    alone = compose(steps, delta=1e-5).guarantee.epsilon
    found = compose(steps, (Guarantee(0.0), 5), delta=1e-5).guarantee.epsilon
    assert found == pytest.approx(alone, rel=1e-3)  # adding up gives 20
    accidents = compose((Guarantee(0.0, 0.5), 1), delta=0.5).guarantee
    assert accidents == Guarantee(0.0, 0.5)


test_bad_input_is_refused = refused(
    (lambda: compose(Guarantee(0.5, 1.0), delta=0.5), "delta must be larger"),
    (lambda: compose(Guarantee(0.5, 1.0), delta=0), "delta must be larger"),
    (lambda: compose(delta=1e-5), "releases must contain at least one"),
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
    told = "(7.49285, 1e-05)-differential privacy (replace-one)\nof 1000 releases about the same records, by optimal"
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
        calibrate_noise_scale(made, epsilon, delta),
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

    found = calibrate_noise_scale(made, 1.0, 1e-6)
    assert compose(*made(found), delta=1e-6).guarantee.epsilon <= 1.0
    assert compose(*made(found / 1.01), delta=1e-6).guarantee.epsilon > 1.0


def test_a_promise_out_of_reach_is_refused():
    tried = []
    with pytest.raises(ValueError, match="epsilon must be reachable"):
        calibrate_noise_scale(
            lambda scale: tried.append(scale) or Guarantee(2.0), 1.0, 1e-5
        )
    assert max(tried) == 2.0**60
    assert (
        calibrate_noise_scale(
            lambda scale: tried.append(scale) or Guarantee(0.5), 1.0, 1e-5
        )
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


def unequal(n, low, high, seed, deltas=0.0):
    drawn = np.random.default_rng(seed).uniform(low, high, n).tolist()
    return [Guarantee(epsilon, deltas) for epsilon in drawn]


@pytest.mark.parametrize("delta", [1e-2, 1e-5, 1e-9])
@pytest.mark.parametrize(("low", "high"), [(0.01, 0.3), (0.2, 1.5), (1.0, 4.0)])
@pytest.mark.parametrize("step_delta", [0.0, 1e-12])
def test_many_unequal_promises_are_composed_closely_and_on_the_safe_side(
    low, high, delta, step_delta
):
    """Against the law of all signs of fifteen randomised responses."""
    promises = unequal(15, low, high, 3, step_delta)
    losses, log_p = np.zeros(1), np.zeros(1)
    for each in promises:
        log_p = np.add.outer(log_p, -np.logaddexp(0, [-each.epsilon, each.epsilon]))
        losses = np.add.outer(losses, [each.epsilon, -each.epsilon]).ravel()
        log_p = log_p.ravel()
    never = -math.expm1(15 * math.log1p(-step_delta))
    exact = PrivacyCurve(losses, log_p).epsilon((delta - never) / (1 - never))
    found = compose(*promises, delta=delta).guarantee
    assert exact * (1 - 1e-12) <= found.epsilon <= exact * 1.002
    assert found.delta == delta


def test_thousands_of_unequal_promises_take_seconds():
    promises, start = unequal(3000, 0.01, 0.3, 3000), time.perf_counter()
    found = compose(*promises, delta=1e-5)
    assert time.perf_counter() - start < 30  # it was nine minutes
    squares = sum(each.epsilon**2 for each in promises)
    mean = sum(each.epsilon * math.tanh(each.epsilon / 2) for each in promises)
    assert found.theorem == "numerical"
    assert found.guarantee.epsilon == pytest.approx(
        mean + 4.0 * math.sqrt(squares), rel=0.05
    )
    counts = [(each, 1 + i % 3) for i, each in enumerate(promises[:200])]
    apart = [each for each, times in counts for _ in range(times)]
    assert compose(*counts, delta=1e-5).guarantee.epsilon == pytest.approx(
        compose(*apart, delta=1e-5).guarantee.epsilon, rel=1e-4
    )
    mixed = compose(*promises[:50], gaussian_loss(0.3, 40), delta=1e-5)
    alone = compose(*promises[:50], delta=1e-5)
    assert alone.guarantee.epsilon < mixed.guarantee.epsilon


@pytest.mark.parametrize(
    ("mu", "k", "rate", "delta", "epsilon"),
    [
        (20, 1000, 0.1, 1e-5, 28165.9),
        (12, 1000, 0.1, 1e-5, 9908.4),
        (10, 10_000, 0.1, 1e-5, 53131),
        (10, 1000, 0.1, 1e-5, 6770.7),
        (10, 1000, 0.1, 0.5, 4666.8),
    ],
)
def test_a_large_epsilon_is_found(mu, k, rate, delta, epsilon):
    """The search said that delta must be larger, whatever it was."""
    loss = gaussian_loss(mu, k, sampling_rate=rate)
    assert compose(loss, delta=delta).guarantee.epsilon == pytest.approx(
        epsilon, rel=1e-3
    )
    bracket = loss.epsilon_bounds(delta)
    assert bracket.lower <= epsilon * 1.001


@pytest.mark.parametrize(
    ("mu", "k", "rate"), [(2, 10**6, 0.5), (3, 10**5, 0.5), (5, 10**5, 0.1)]
)
def test_a_huge_epsilon_is_between_those_of_two_other_laws(mu, k, rate):
    """Not below what Chebyshev's inequality asks for, nor above what moments of the losses give."""
    z = np.linspace(-12, 12, 200_001) * max(1.0, mu / 8)
    pdf = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi) * (z[1] - z[0])
    loss = np.log1p(rate * np.expm1(mu * z - mu * mu / 2))  # under Q; P is the mixture
    weights = pdf * np.exp(loss)
    mean, deviation = (
        weights @ loss,
        math.sqrt(weights @ loss**2 - (weights @ loss) ** 2),
    )
    found = compose(gaussian_loss(mu, k, sampling_rate=rate), delta=1e-5).guarantee
    middle = k * mean + 4.26 * math.sqrt(k) * deviation
    assert found.epsilon == pytest.approx(middle, rel=0.01)


@pytest.mark.parametrize(
    ("k", "epsilon", "size"), [(100, 3405.5, 0.06), (1000, 4596.7, 0.12)]
)
def test_the_search_for_a_scale_goes_up_to_what_is_refused(k, epsilon, size):
    """Half of such a size is too little noise for a lattice, which was the end of the search."""

    def made(scale):
        return gaussian_loss(1 / scale, k, sampling_rate=0.1)

    found = calibrate_noise_scale(made, epsilon, 1e-5)
    assert found == pytest.approx(size, rel=0.05)
    assert compose(made(found), delta=1e-5).guarantee.epsilon <= epsilon
    least = calibrate_noise_scale(made, 1e6, 1e-5)
    assert least == pytest.approx(0.05, rel=2e-3)


@pytest.mark.parametrize("times", [1, 2, 3, 1000])
@pytest.mark.parametrize("epsilon", [1e308, 1e300, 1e154, 800.0])
@pytest.mark.parametrize("step_delta", [0.0, 1e-9])
def test_a_promise_of_next_to_nothing_is_composed_or_refused(
    epsilon, step_delta, times
):
    promise = Guarantee(epsilon, step_delta)
    if times * epsilon <= 1.7e308:
        found = compose((promise, times), delta=1e-5).guarantee
        assert (
            times * epsilon * (1 - 1e-6) - 40
            <= found.epsilon
            <= times * epsilon * 1.000001
        )
    else:
        with pytest.raises(ValueError, match="add up to a finite float"):
            compose((promise, times), delta=1e-5)


def test_what_is_composed_says_that_it_is_about_the_same_records():
    """Not so the groups of a table, of which a replaced record changes two."""
    both = compose((Guarantee(1.0), 2), delta=0.0)
    assert "of 2 releases about the same records" in str(both)
    assert "about the same records" in both._repr_html_()
    assert "of 1 release, by" in str(compose(Guarantee(1.0), delta=0.0))


def test_what_is_pure_needs_no_delta():
    found = compose(Guarantee(0.5), (COUNT, 3))
    assert found == compose(Guarantee(0.5), (COUNT, 3), delta=0.0)
    for impure in (MEAN, Guarantee(0.1, 1e-9), ConcentratedGuarantee(0.1)):
        with pytest.raises(ValueError, match="delta must be given unless all"):
            compose(COUNT, impure)


def several():
    """Releases of every kind that composition knows, about one relation."""
    return [
        COUNT,
        (MEAN, 3),
        (CHOICE, 2),
        Guarantee(0.1, 1e-8),
        ConcentratedGuarantee(0.01),
        GaussianGuarantee(0.1),
        (gaussian_loss(0.3, 4), 2),
        finite_loss([0.6, 0.4], [0.4, 0.6], 2),
        laplace_loss(0.05, 3),
    ]


@pytest.mark.parametrize("split", [1, 3, 5])
def test_a_composition_composes_like_what_it_was_made_of(split):
    releases = several()
    releases = [release for i, release in enumerate(releases) if i not in (4,)]
    first = compose(*releases[:split], delta=1e-5)
    whole = compose(first, *releases[split:], delta=1e-5)
    assert whole == compose(*releases, delta=1e-5)
    twice = compose((first, 2), delta=1e-5)
    assert twice == compose(*releases[:split], *releases[:split], delta=1e-5) or (
        twice.guarantee.epsilon
        == pytest.approx(
            compose(*releases[:split], *releases[:split], delta=1e-5).guarantee.epsilon,
            rel=2e-3,
        )
    )


@pytest.mark.parametrize("place", range(len(several())))
def test_a_composition_is_read_as_it_was_written(place):
    spent = compose(several()[place], delta=1e-5)
    text = spent.to_json()
    again = Composition.from_json(text)
    assert again == spent
    assert again.to_json() == text
    assert compose(again, COUNT, delta=1e-4) == compose(spent, COUNT, delta=1e-4)


def test_groups_and_relations_are_read_again():
    spent = compose(Guarantee(0.3, 1e-9, Adjacency.ADD_OR_REMOVE_ONE, 5), delta=1e-6)
    assert Composition.from_json(spent.to_json()) == spent
    sampled = compose(gaussian_loss(0.5, 100, sampling_rate=0.01), delta=1e-6)
    assert Composition.from_json(sampled.to_json()) == sampled


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "null",
        '{"format": "privml composition 2", "delta": 0.1, "parts": []}',
        '{"format": "privml composition 1", "delta": 0.1, "parts": [1]}',
        compose(Guarantee(0.5), delta=1e-5).to_json().replace("0.5", "-0.5"),
        compose(gaussian_loss(0.5), delta=1e-5).to_json().replace("0.5", "-0.5"),
        compose(gaussian_loss(0.5), delta=1e-5).to_json().replace('"gaussian"', '"g"'),
        compose(ConcentratedGuarantee(0.5), delta=1e-5)
        .to_json()
        .replace('"times": 1', '"times": 0.5'),
    ],
)
def test_another_text_is_refused(text):
    with pytest.raises(
        ValueError, match="text must be the output of Composition.to_json"
    ):
        Composition.from_json(text)


def test_parallel_and_sequential_composition_take_each_others_results():
    parts = parallel_composition(COUNT, Guarantee(0.7), partition="index")
    both = compose(parts, COUNT)
    assert both.guarantee.epsilon == pytest.approx(0.7 + COUNT.epsilon)
    again = parallel_composition(both, Guarantee(0.1), partition="index")
    assert again == both.guarantee
    for kind in (ConcentratedGuarantee, GaussianGuarantee, BoundedRangeGuarantee):
        found = parallel_composition(kind(0.1), kind(0.4), partition="index")
        assert found == kind(0.4)
    with pytest.raises(ValueError, match="guarantee must be"):
        parallel_composition(
            Guarantee(0.1), ConcentratedGuarantee(0.1), partition="index"
        )


def test_gaussian_guarantees_add_up_their_squares():
    found = compose((GaussianGuarantee(0.3), 2), GaussianGuarantee(0.4), delta=1e-5)
    assert found.theorem == "gaussian"
    assert found.guarantee.epsilon == pytest.approx(
        gaussian_epsilon(delta=1e-5, mu=(2 * 0.09 + 0.16) ** 0.5)
    )
    assert compose(GaussianGuarantee(0.0), delta=1e-5).guarantee.epsilon == 0
    assert compose(GaussianGuarantee(0.0), COUNT, delta=1e-5).guarantee.epsilon <= 0.2
