"""In index order the subsampling lemmas of WLF16 fail, exactly; shuffled, they hold."""

import math

import numpy as np
import pytest

from privml import audit
from privml.composition import (
    amplified_epsilon,
    amplified_epsilon_wlf16,
    amplified_wlf16,
    root_subsample_epsilon_wlf16,
    subsampled_law,
)
from privml.counterexamples import index_ordered_pair, index_ordered_subsample, place_reader

KINDS = np.arange(4)


def loss(n_samples, size, epsilon, second, others):
    law = index_ordered_subsample(epsilon, size)
    z, neighbour = index_ordered_pair(n_samples, second=second, others=others)
    assert np.flatnonzero(z != neighbour).tolist() == [0]
    return float(law(z).logpmf()[0] - law(neighbour).logpmf()[0])


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_on_its_subsample_the_mechanism_keeps_its_promise_exactly(epsilon, size):
    found = audit.exact(place_reader(epsilon, size), KINDS, size, ordered=True)
    assert found.epsilon == pytest.approx(epsilon)


@pytest.mark.parametrize(("n", "size"), [(3, 1), (4, 2), (5, 3), (4, 4)])
def test_one_pass_agrees_with_going_through_all_subsets(n, size):
    rng = np.random.default_rng(n)
    passing, all_subsets = index_ordered_subsample(1.3, size), subsampled_law(place_reader(1.3, size), size)
    for _ in range(20):
        records = rng.integers(4, size=n)
        assert passing(records).pmf() == pytest.approx(all_subsets(records), rel=1e-12)


def test_two_of_n_by_pairs():
    """The mean over pairs in closed form: record 1 with any other, or any other two."""
    n, epsilon, second = 1000, 4.0, 121
    grown = math.expm1(epsilon)
    rate, with_first = 2 / n, 1 + grown * (second - 1) / (n - 1)
    # Without record 1: the later of two records has an index of at most `second`.
    without = 1 + grown * math.comb(second - 1, 2) / math.comb(n - 1, 2)
    high = rate * math.exp(epsilon) * with_first + (1 - rate) * without
    wanted = math.log(high / (rate * with_first + (1 - rate) * without))
    assert loss(n, 2, epsilon, second, 0) == pytest.approx(wanted, rel=1e-10)


@pytest.mark.source("WLF16-lem-34")
@pytest.mark.parametrize(
    ("n", "epsilon", "second", "exact", "printed"),
    [(1000, 4.0, 121, 0.3703, 0.2183), (5000, 5.0, 369, 0.3279, 0.1187), (1000, 4.0, 135, 0.3685, 0.2183)],
)
def test_two_records_of_many_refute_lemma_34(n, epsilon, second, exact, printed):
    assert loss(n, 2, epsilon, second, 0) == pytest.approx(exact, abs=6e-5)
    assert amplified_epsilon_wlf16(epsilon, 2 / n) == pytest.approx(printed, abs=6e-5)


@pytest.mark.source("WLF16-lem-31", "WLF16-lem-34")
def test_forty_of_two_thousand_refute_lemma_31_and_lemma_34():
    found = loss(2000, 40, 1.0, 16, 120)
    assert found == pytest.approx(0.1105, abs=6e-5)
    assert found > amplified_epsilon_wlf16(1.0, 0.02) > amplified_wlf16(1.0, 0.0, 0.02).epsilon


@pytest.mark.source("WLF16-lem-4", "WLF16-lem-10", "WLF16-lem-31")
def test_a_hundred_of_ten_thousand_refute_lemma_4():
    found = loss(10_000, 100, 1.5, 14, 200)
    assert found == pytest.approx(0.2230, abs=6e-5)
    assert found > amplified_wlf16(1.5, 0.0, 0.01).epsilon > root_subsample_epsilon_wlf16(1.5, 10_000)


@pytest.mark.source("WLF16-lem-34")
@pytest.mark.parametrize(("n", "size"), [(5, 2), (5, 3)])
def test_the_exact_audit_catches_it_and_passes_the_shuffled_one(n, size):
    claimed = amplified_epsilon(1.0, size / n)
    caught = audit.exact(index_ordered_subsample(1.0, size), KINDS, n, ordered=True)
    assert caught.epsilon > 1.1 * claimed
    shuffled = subsampled_law(place_reader(1.0, size), size, scheme="shuffled subset")
    assert audit.exact(shuffled, KINDS, n, ordered=True).epsilon <= claimed + 1e-12


@pytest.mark.source("WLF16-lem-34")
def test_for_large_epsilon_five_records_suffice_against_the_sharper_form_too():
    caught = audit.exact(index_ordered_subsample(3.0, 2), KINDS, 5, ordered=True)
    assert caught.epsilon > amplified_epsilon_wlf16(3.0, 2 / 5, form="ratio")
    assert caught.epsilon <= 3.0


def test_bad_input_is_refused():
    for call in (place_reader, index_ordered_subsample):
        with pytest.raises(ValueError, match="epsilon must be positive and finite"):
            call(0.0, 2)
        with pytest.raises(ValueError, match="subsample_size must be a positive integer"):
            call(1.0, 1.5)
        with pytest.raises(ValueError, match="at most 700, got 800"):
            call(8.0, 100)
    with pytest.raises(ValueError, match="records must be at least 3, got 2"):
        index_ordered_subsample(1.0, 3)(np.zeros(2))
    with pytest.raises(ValueError, match="at most n_samples = 5, got 6"):
        index_ordered_pair(5, second=6)
