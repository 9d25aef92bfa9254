"""The amplification theorems against exact audits of subsampled mechanisms, all subsamples gone through."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from privml import audit, composition
from privml.adjacency import Adjacency
from privml.counterexamples import order_sensitive_mechanism
from privml.guarantee import Guarantee
from tests.refusals import refused

ADD = Adjacency.ADD_OR_REMOVE_ONE
BITS = np.array([0, 1])


def count_alarm(epsilon, size):
    """A symmetric mechanism: P(alarm) = c e^(epsilon count), epsilon-DP and tight for an alarm."""

    def law(z):
        alarm = math.exp(epsilon * (int(np.sum(z)) - size)) / (1 + math.exp(-epsilon))
        return np.array([alarm, 1 - alarm])

    return law


@pytest.mark.source("WLF16-lem-34")
@pytest.mark.parametrize(("n", "m"), [(4, 2), (6, 2), (6, 3), (8, 1), (5, 5)])
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 2.5])
def test_a_symmetric_mechanism_attains_the_tight_epsilon_and_the_lemma_is_above(
    n, m, epsilon
):
    found = audit.exact(
        composition.subsampled_mechanism(count_alarm(epsilon, m), m), BITS, n
    )
    tight = composition.amplified_epsilon(epsilon, m / n)
    assert found.epsilon == pytest.approx(tight, rel=1e-9)
    ratio = composition.amplified_epsilon_wlf16(epsilon, m / n, form="ratio")
    assert (
        tight
        <= ratio
        <= composition.amplified_epsilon_wlf16(epsilon, m / n) / 2 * (1 + 1e-12)
    )
    assert tight <= epsilon * (1 + 1e-12)


@pytest.mark.source("WLF16-lem-34")
def test_the_factor_two_of_the_lemma_is_not_needed_and_the_bound_may_exceed_epsilon():
    """The scalar inequality behind the lemma, on a grid; and an erratum: no improvement for large gamma."""
    for epsilon in np.linspace(0.05, 8, 40):
        for gamma in np.linspace(0.01, 1, 40):
            ratio = composition.amplified_epsilon_wlf16(epsilon, gamma, form="ratio")
            assert ratio <= gamma * (math.exp(epsilon) - math.exp(-epsilon)) * (
                1 + 1e-12
            )
    assert composition.amplified_epsilon_wlf16(2.0, 0.5) == pytest.approx(
        7.25, abs=5e-3
    )


@pytest.mark.source("WLF16-lem-31")
def test_the_lemma_is_loose_by_up_to_e_to_the_epsilon():
    assert composition.amplified_epsilon(1.0, 2 / 6) == pytest.approx(0.4528, abs=5e-5)
    assert composition.amplified_wlf16(1.0, 0.0, 2 / 6).epsilon == pytest.approx(
        0.9388, abs=5e-5
    )


@pytest.mark.source("WLF16-lem-29")
@pytest.mark.parametrize(("n", "m"), [(4, 2), (5, 1), (3, 3)])
def test_subsampling_alone_is_attained_by_publishing_the_subsample(n, m):
    def publish(z):
        return np.eye(2 ** (n + 1))[sum(1 << int(record) for record in set(z))]

    promise = composition.subsampling_alone(n, m)
    assert promise == Guarantee(0.0, m / n)
    found = audit.exact(
        composition.subsampled_mechanism(publish, m), np.arange(n + 1), n
    )
    assert found.delta(0.0) == pytest.approx(promise.delta)
    assert found.epsilon == math.inf


@pytest.mark.source("WLF16-lem-4")
def test_constant_epsilon_is_made_to_vanish_like_one_over_the_root():
    values = [
        composition.amplified_epsilon(1.0, n**-0.5) * math.sqrt(n)
        for n in (10**4, 10**6, 10**8)
    ]
    assert values == pytest.approx([math.expm1(1.0)] * 3, rel=1e-2)
    assert composition.root_subsample_epsilon_wlf16(1.0, 10**4) == pytest.approx(
        0.02 * (math.e - 1 / math.e)
    )


@pytest.mark.source("WLF16-lem-10")
def test_draws_of_the_root_of_the_records_hardly_repeat():
    exact = [
        composition.no_repeat_probability(n, math.isqrt(n)) for n in range(1, 2000)
    ]
    assert min(exact) > math.exp(-0.5)
    for n, m in ((4, 2), (5, 3), (3, 4)):
        grid = np.array(np.meshgrid(*[range(n)] * m)).reshape(m, -1).T
        share = np.mean([len(set(row)) == m for row in grid.tolist()])
        assert composition.no_repeat_probability(n, m) == pytest.approx(share)


@pytest.mark.parametrize(("n", "m"), [(2, 2), (4, 2), (3, 4), (5, 3), (1, 2)])
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 2.0])
def test_draws_with_repeats_attain_their_own_formula(n, m, epsilon):
    found = audit.exact(
        composition.subsampled_mechanism(count_alarm(epsilon, m), m, scheme="draws"),
        BITS,
        n,
    )
    promise = composition.subsampled_with_replacement(Guarantee(epsilon), n, m)
    assert found.epsilon == pytest.approx(promise.epsilon, rel=1e-9)
    assert (
        promise.epsilon
        >= composition.amplified_epsilon(epsilon, min(1.0, m / n)) * (1 - 1e-12)
        or m > n
    )


def growing_alarm(epsilon, delta, size):
    """P(alarm) as large as (epsilon, delta) allows after each further one: tight for groups as well."""
    alarms = [1e-3]
    for _ in range(size):
        alarms.append(math.exp(epsilon) * alarms[-1] + delta)
    assert alarms[-1] < 0.5
    return lambda z: np.array([alarms[int(np.sum(z))], 1 - alarms[int(np.sum(z))]])


@pytest.mark.source("WLF16-lem-31")
@pytest.mark.parametrize(("n", "m"), [(3, 2), (4, 2), (3, 3)])
@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.01), (0.4, 0.05)])
def test_the_deltas_are_attained_too(n, m, epsilon, delta):
    base, promise = growing_alarm(epsilon, delta, m), Guarantee(epsilon, delta)
    lemma = composition.amplified_wlf16(epsilon, delta, m / n)
    assert lemma.delta == pytest.approx(m / n * math.exp(epsilon) * delta)
    for scheme, amplified in (
        (
            "subset",
            composition.subsampled_without_replacement(promise, n, m, symmetric=True),
        ),
        ("draws", composition.subsampled_with_replacement(promise, n, m)),
    ):
        found = audit.exact(
            composition.subsampled_mechanism(base, m, scheme=scheme), BITS, n
        )
        assert found.delta(amplified.epsilon) == pytest.approx(
            amplified.delta, rel=1e-9
        )
        assert scheme == "draws" or found.delta(lemma.epsilon) <= lemma.delta


@pytest.mark.source("WLF16-lem-34", "WLF16-lem-31")
@pytest.mark.parametrize(("n", "m"), [(5, 2), (3, 2), (6, 5), (9, 2), (4, 4)])
@pytest.mark.parametrize("epsilon", [0.05, 0.4, 1.0, 3.0])
@pytest.mark.parametrize("delta", [0.0, 1e-9, 0.2])
def test_without_symmetry_epsilon_stays_as_it_was_for_all_sizes(n, m, epsilon, delta):
    """A mechanism that likes one kind in each place; no promise of its subsample may be below its loss."""
    promise = composition.subsampled_without_replacement(
        Guarantee(epsilon, delta), n, m, symmetric=False
    )
    assert promise.epsilon == epsilon
    assert Fraction(promise.delta) >= Fraction(m, n) * Fraction(delta)
    assert promise.delta == pytest.approx(m / n * delta, rel=1e-15)
    if n < 6:
        law = composition.subsampled_mechanism(order_sensitive_mechanism(epsilon, m), m)
        found = audit.exact(law, np.arange(4), n, ordered=True)
        assert found.epsilon >= composition.amplified_epsilon(epsilon, m / n) * (
            1 - 1e-12
        )
        assert found.epsilon <= promise.epsilon * (1 + 1e-12)


@pytest.mark.source("LZCW21-def-1")
@pytest.mark.parametrize("n", [2, 5])
@pytest.mark.parametrize("rate", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_coins_attain_the_tight_epsilon_under_addition(n, rate, epsilon):
    law = composition.subsampled_mechanism(
        count_alarm(epsilon, n), rate, scheme="coins"
    )
    found = audit.exact(law, BITS, n, adjacency=ADD)
    promise = composition.subsampled_poisson(Guarantee(epsilon, adjacency=ADD), rate)
    assert promise.adjacency is ADD
    assert found.epsilon == pytest.approx(promise.epsilon, rel=1e-9)
    replaced = audit.exact(
        composition.subsampled_mechanism(count_alarm(epsilon, n), rate, scheme="coins"),
        BITS,
        n,
    )
    assert replaced.epsilon <= promise.under(Adjacency.REPLACE_ONE).epsilon + 1e-12


def of_a_fixed_size(step, **symmetric):
    return composition.subsampled_without_replacement(step, 3, 2, **symmetric)


test_relations_groups_and_sizes_are_checked = refused(
    (
        lambda: of_a_fixed_size(Guarantee(1.0, adjacency=ADD), symmetric=True),
        "single steps of replace-one",
    ),
    (
        lambda: of_a_fixed_size(Guarantee(1.0), symmetric="yes"),
        "symmetric must be True or False",
    ),
    (
        lambda: composition.subsampled_with_replacement(
            Guarantee(1.0).for_group(2), 10, 2
        ),
        "single steps of replace-one",
    ),
    (
        lambda: composition.subsampled_poisson(Guarantee(1.0), 0.1),
        "single steps of add-or-remove-one",
    ),
    (
        lambda: composition.subsampling_alone(3, 4),
        "subsample_size must be at most 3, but got 4",
    ),
)


def test_symmetry_must_be_said():
    with pytest.raises(TypeError):
        of_a_fixed_size(Guarantee(1.0))


TEN = composition.subsampled_mechanism(count_alarm(1.0, 10), 10)
test_bad_rates_sizes_and_schemes_are_refused = refused(
    (lambda: composition.amplified_epsilon(1.0, 0.0), "sampling_rate must be"),
    (lambda: composition.amplified_epsilon_wlf16(1.0, 0.0), "sampling_rate must be"),
    (
        lambda: TEN(np.zeros(30, dtype=int)),
        "subsamples must be at most 1000000, but got 30045015",
    ),
    (
        lambda: TEN(np.zeros(5, dtype=int)),
        "size must be at most the number of records, 5",
    ),
    (
        lambda: composition.subsampled_mechanism(TEN, 2, scheme="coins"),
        "size must be in the interval",
    ),
    (
        lambda: composition.subsampled_mechanism(TEN, 2, scheme="all"),
        "scheme must be one of",
    ),
)


def test_labelled_records_are_subsampled_together():
    def law(data):
        X, y = data
        assert X.shape == (2, 1)
        return np.eye(2)[int(y[0])]

    whole = composition.subsampled_mechanism(law, 2)
    found = whole((np.array([[0.0], [1.0], [2.0]]), np.array([True, False, False])))
    assert found == pytest.approx([1 / 3, 2 / 3])


@pytest.mark.parametrize("epsilon", [1e-8, 1e-5, 9e-4, 1.1e-3])
def test_delta_of_draws_with_repeats_at_a_small_epsilon(epsilon):
    """The delta is not m / n times that of the mechanism, but a little more."""
    n, m, delta = 50, 400, 1e-6
    with mpmath.workdps(50):
        growth = mpmath.expm1(mpmath.mpf(epsilon))
        wanted = delta * ((1 + growth / n) ** m - 1) / growth
    stated = composition.subsampled_with_replacement(
        Guarantee(epsilon, delta), n, m
    ).delta
    assert stated == pytest.approx(float(wanted), rel=1e-9)
    assert wanted * (1 - 1e-12) > delta * m / n
