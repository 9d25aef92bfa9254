"""A learner on a random part of its records: the exact laws, and what is true of them."""

from itertools import combinations, product
from math import comb, isqrt, log

import numpy as np
import pytest

from privml import composition, learnability
from privml.composition import subsampled_mechanism as subsampled_records
from privml.counterexamples import order_sensitive_mechanism
from privml.guarantee import Guarantee
from tests.learnability.problems import COIN, RANDOM, every_problem
from tests.refusals import refused


def resampled_epsilon(epsilon, n, k):
    return composition.subsampled_with_replacement(Guarantee(epsilon), n, k).epsilon


@pytest.fixture
def problem():
    return learnability.LearningProblem(np.random.default_rng(5).random((4, 3)))


@pytest.mark.source("WLF16-lem-10")
def test_the_law_is_the_mean_over_all_sequences_of_draws(problem):
    learner = learnability.exponential_learner(problem, 2.0)
    data = np.array([0, 0, 1, 2, 2])
    counts = (np.array(list(product(data, repeat=3)))[:, :, None] == np.arange(3)).sum(
        axis=1
    )
    expected = learner(counts).mean(axis=0)
    found = learnability.resampled_learner(learner, 3)(np.bincount(data)[None])
    np.testing.assert_allclose(found[0], expected, rtol=1e-12)


@pytest.mark.source("WLF16-lem-10")
@pytest.mark.erratum("WLF16-lem-10/1")
def test_with_replacement_the_gap_is_the_risk_under_the_frequencies_so_the_printed_rate_holds(
    problem,
):
    n, k = 9, 3
    learner = learnability.exponential_learner(problem, 1.0)
    counts = learnability.count_vectors(3, n)
    gap = (
        learnability.resampled_learner(learner, k)(counts)
        * problem.excess_empirical_risk(counts)
    ).sum(axis=1)
    small = learnability.count_vectors(3, k)
    for row, data in enumerate(counts):
        frequencies = data / n
        expected = learnability.sample_probabilities(small, frequencies) @ learner(
            small
        )
        assert gap[row] == pytest.approx(
            expected @ problem.excess_risk(frequencies), abs=1e-13
        )


@pytest.mark.source("WLF16-lem-10")
@pytest.mark.erratum("WLF16-lem-10/2")
def test_the_printed_privacy_holds_without_any_condition_on_the_order():
    for epsilon in (0.1, 1.0, 4.0):
        for n in (1, 2, 10, 10_000):
            printed = composition.root_subsample_epsilon_wlf16(epsilon, n)
            assert resampled_epsilon(epsilon, n, isqrt(n)) <= printed


def test_by_default_the_integer_part_of_the_root_is_drawn(problem):
    law, counts = (
        learnability.exponential_learner(problem, 1.0),
        learnability.count_vectors(3, 10),
    )
    found = learnability.resampled_learner(law)(counts)
    np.testing.assert_array_equal(found, learnability.resampled_learner(law, 3)(counts))


def reader_law(epsilon, size, n=None, *, scheme="subset"):
    """The place reader as a law on ordered data sets, by itself or on a subset of n records."""
    reader = order_sensitive_mechanism(epsilon, size)
    answer = (
        subsampled_records(reader, size, scheme=scheme)
        if n
        else lambda row: reader(row).pmf()
    )
    return lambda rows: np.array([answer(row) for row in rows])


def test_weights_of_subsets_are_those_of_going_through_all_subsets():
    data = np.array([0, 0, 0, 1, 2, 2])
    parts = learnability.count_vectors(3, 3)
    seen = [
        np.bincount(data[list(chosen)], minlength=3).tolist()
        for chosen in combinations(range(6), 3)
    ]
    expected = [seen.count(part.tolist()) / comb(6, 3) for part in parts]
    weights = learnability.hypergeometric_weights(np.bincount(data)[None], parts)
    np.testing.assert_allclose(weights[0], expected, atol=1e-14)


@pytest.mark.source("WLF16-lem-4", "WLF16-lem-10", "WLF16-lem-29")
@every_problem
@pytest.mark.parametrize(("n", "size"), [(4, None), (5, 3), (3, 3), (4, 1)])
def test_the_law_of_the_whole_is_the_mean_over_all_subsets(problem, n, size):
    law, counts = (
        learnability.exponential_learner(problem, 1.4),
        learnability.count_vectors(problem.n_records, n),
    )
    found = learnability.subset_learner(law, size)(counts)

    def one(rows):
        return law(np.bincount(rows, minlength=problem.n_records)[None])[0]

    records = subsampled_records(
        one, learnability.root_size(n) if size is None else size
    )
    for row, output in zip(counts, found, strict=True):
        np.testing.assert_allclose(
            output, records(np.repeat(np.arange(problem.n_records), row)), atol=1e-13
        )


@pytest.mark.source("WLF16-lem-4")
@every_problem
@pytest.mark.parametrize("n", [4, 9])
def test_the_whole_keeps_the_tight_and_the_printed_promise_on_all_neighbours(
    problem, n
):
    if problem.n_records > 3 and n > 4:
        n = 6
    epsilon = 1.2
    law = learnability.subset_learner(
        learnability.exponential_learner(problem, epsilon)
    )
    found = learnability.exact_privacy(law, problem.n_records, n).value
    tight = learnability.subsample_guarantee(Guarantee(epsilon), n).epsilon
    assert 0.1 * tight < found <= tight + 1e-13
    assert tight <= composition.root_subsample_epsilon_wlf16(epsilon, n)


@pytest.mark.source("WLF16-lem-4", "WLF16-lem-10")
@pytest.mark.erratum("WLF16-lem-4", "WLF16-lem-10/2")
def test_in_index_order_the_place_reader_exceeds_the_promise_and_shuffled_it_does_not():
    n, size, epsilon = 5, 2, 3.0
    tight = composition.amplified_epsilon(epsilon, size / n)
    ordered = reader_law(epsilon, size, n)
    shuffled = reader_law(epsilon, size, n, scheme="shuffled subset")
    assert learnability.exact_privacy(ordered, 4, n, ordered=True).value > 1.05 * tight
    assert learnability.exact_privacy(shuffled, 4, n, ordered=True).value <= tight


@pytest.mark.source("WLF16-lem-29")
@every_problem
def test_any_learner_is_within_the_share_in_total_variation_and_publishing_attains_it(
    problem,
):
    n, K = 5, problem.n_records
    law = learnability.subset_learner(learnability.erm_learner(problem))
    found = learnability.total_variation_stability(law, K, n).value
    assert found <= int(np.sqrt(n)) / n + 1e-14

    def publish(counts):
        return np.eye(len(parts))[[keys.index(row) for row in counts.tolist()]]

    parts = learnability.count_vectors(K, learnability.root_size(n))
    keys = parts.tolist()
    attained = learnability.total_variation_stability(
        learnability.subset_learner(publish), K, n
    )
    assert attained.value == pytest.approx(learnability.root_size(n) / n, rel=1e-12)
    assert (
        learnability.exact_privacy(learnability.subset_learner(publish), K, n).value
        == np.inf
    )


@pytest.mark.source("WLF16-rem-lem-10-alternative")
@every_problem
@pytest.mark.parametrize(("n", "size"), [(4, None), (5, 3), (6, 6)])
def test_learnability_bounds_optimism(problem, n, size):
    k = learnability.root_size(n) if size is None else size
    uniform = learnability.count_vectors(problem.n_records, n) / n
    excess = learnability.expected_excess_risk(
        learnability.erm_learner(problem), problem, uniform, k
    ).max()
    for p in (uniform, learnability.simplex_grid(problem.n_records, 5)):
        found = learnability.expected_risks(
            learnability.erm_learner(problem), problem, p, n
        )
        optimism = found.best_risk - found.best_empirical_risk
        assert optimism.max() <= excess + k / n + 1e-14
        assert (optimism <= excess + k / n * found.best_risk + 1e-14).all()
    assert optimism.max() > 0


def test_blocks_of_data_sets_do_not_change_the_result(monkeypatch):
    from privml.learnability import subsampling

    counts, law = (
        learnability.count_vectors(3, 5),
        learnability.exponential_learner(RANDOM, 1.0),
    )
    whole = learnability.subset_learner(law)(counts)
    monkeypatch.setattr(subsampling, "_BLOCK_ENTRIES", 7)
    np.testing.assert_allclose(
        learnability.subset_learner(law)(counts), whole, atol=1e-15
    )


def test_large_data_sets_need_no_enumeration_of_subsets():
    law = learnability.subset_learner(learnability.exponential_learner(COIN, 1.0))
    p, q = law(np.array([[3600, 6400], [3601, 6399]]))
    assert (
        0
        < abs(log(p[0] / q[0]))
        <= learnability.subsample_guarantee(Guarantee(1.0), 10_000).epsilon
    )
    weights = learnability.sample_probabilities(
        learnability.count_vectors(2, 100), [0.36, 0.64]
    )
    iid = weights @ learnability.exponential_learner(COIN, 1.0)(
        learnability.count_vectors(2, 100)
    )
    np.testing.assert_allclose(p, iid, atol=1e-3)


test_bad_input_is_refused_with_a_reason = refused(
    (
        lambda: learnability.subset_learner(learnability.erm_learner(COIN), 3)(
            np.array([[1, 1]])
        ),
        "at most n_samples = 2, but got 3",
    ),
    (
        lambda: learnability.subset_learner(learnability.erm_learner(COIN))(
            np.array([[1, 1], [1, 2]])
        ),
        "of one size, but got sizes",
    ),
)
