"""What the chapter on the exponential mechanism computes and proves, against brute force."""

from itertools import permutations, product

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml import audit
from privml.adjacency import Adjacency, multisets, neighbouring_datasets
from privml.distributions import rejection_sample
from privml.divergences import privacy_loss
from privml.mechanisms import ExponentialMechanism, PermuteAndFlip
from privml.queries import sensitivity_of
from tests.chapters.exponential_mechanism_functions import (
    distance_density,
    exact_at_worst,
    loss_factors,
    mean_rounds,
    random_case,
    shortfalls,
    tie_and_neighbour,
    two_option_epsilon,
    vote_distribution,
    worst_scores,
)

chapter = chapter_module("exponential-mechanism")
EPSILONS = (0.3, 1.0, 2.5)
MOVED = {Adjacency.REPLACE_ONE: 2, Adjacency.ADD_OR_REMOVE_ONE: 1}


def vote_choice(epsilon, n_options, **options):
    return vote_distribution(
        ExponentialMechanism(epsilon=epsilon, sensitivity=1.0, **options), n_options
    )


def softmax(scores, epsilon):
    weights = np.exp(epsilon * (np.asarray(scores, dtype=float) - max(scores)) / 2)
    return weights / weights.sum()


def random_scores(rng, count):
    return [
        rng.integers(0, 9, size=rng.integers(2, 9)).astype(float) for _ in range(count)
    ]


@pytest.mark.source("L4-exp-mech", "S16-alg-1")
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_law_by_hand_is_the_softmax_and_that_of_the_library(epsilon):
    votes = [3, 9, 14, 12, 2]
    np.testing.assert_allclose(
        chapter.probabilities(votes, epsilon), softmax(votes, epsilon), rtol=1e-12
    )
    law = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0).output_distribution(
        votes
    )
    np.testing.assert_allclose(law.pmf(), softmax(votes, epsilon), rtol=1e-12)


@pytest.mark.source("L4-exp-mech", "L4-exp-mech-privacy")
def test_the_six_ballots_worked_by_hand():
    doubling, quadrupling = 2 * np.log(2), 4 * np.log(2)
    first, moved = [1, 3, 2], [2, 2, 2]
    np.testing.assert_allclose(14 * chapter.probabilities(first, doubling), [2, 8, 4])
    np.testing.assert_allclose(
        20 * chapter.probabilities([1, 4, 1], doubling), [2, 16, 2]
    )
    np.testing.assert_allclose(
        5 * chapter.probabilities([1, 2, 2], doubling), [1, 2, 2]
    )
    for rule, factor in ((doubling, 7 / 3), (quadrupling, 7)):
        here, there = (chapter.probabilities(counts, rule) for counts in (first, moved))
        assert np.exp(np.abs(np.log(here / there))).max() == pytest.approx(factor)


@pytest.mark.parametrize("relation", Adjacency)
def test_the_score_of_the_private_median_has_sensitivity_one(relation):
    grid = np.arange(5)

    def score(records):
        return chapter.median_scores(np.array(records), grid)

    assert sensitivity_of(score, grid, 4, order=np.inf, adjacency=relation) == 1


def test_adding_a_record_never_raises_the_score_of_the_private_median():
    grid = np.arange(4)
    for records in multisets(4, 4):
        fewer = chapter.median_scores(np.array(records[1:]), grid)
        assert (chapter.median_scores(np.array(records), grid) <= fewer).all()


def test_the_private_median_worked_by_hand():
    scores = chapter.median_scores(
        np.array([20, 30, 30, 40, 70]), np.arange(20, 80, 10)
    )
    assert scores.tolist() == [-4, -2, -3, -4, -4, -4]
    np.testing.assert_allclose(
        10 * chapter.probabilities(scores, 2 * np.log(2)), [1, 4, 2, 1, 1, 1]
    )


def test_both_sides_of_the_private_median_hold_few_records_as_proved():
    rng, grid = np.random.default_rng(8), np.arange(30)
    worst = 0.0
    for _ in range(300):
        records = rng.integers(0, rng.integers(1, 31), size=rng.integers(1, 60))
        epsilon, beta = rng.uniform(0.2, 2), rng.uniform(0.05, 1)
        scores = chapter.median_scores(records, grid)
        sides = [max((records < y).sum(), (records > y).sum()) for y in grid]
        bad = np.array(sides) >= records.size / 2 + 2 / epsilon * np.log(
            grid.size / beta
        )
        worst = max(worst, chapter.probabilities(scores, epsilon)[bad].sum() / beta)
    assert 0 < worst <= 1


@pytest.mark.source("L4-exp-mech-privacy", "S16-thm-0.1")
@pytest.mark.parametrize("relation", Adjacency)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_closed_form_for_two_options_is_what_the_audit_finds(relation, epsilon):
    law = vote_choice(epsilon, 2)
    for n_samples in (1, 2, 3, 8, 17):
        found = audit.exact(law, np.arange(2), n_samples, adjacency=relation).epsilon
        closed = two_option_epsilon(epsilon, n_samples, MOVED[relation])
        assert found == pytest.approx(closed, abs=1e-12)
        assert closed < epsilon / (1 if relation is Adjacency.REPLACE_ONE else 2)


@pytest.mark.source("S16-alg-3")
@pytest.mark.parametrize("n_samples", [1, 4, 15])
def test_the_monotone_variant_uses_all_of_epsilon_and_has_the_formula_of_twice_epsilon(
    n_samples,
):
    add, bits = Adjacency.ADD_OR_REMOVE_ONE, np.arange(2)
    laws = [
        vote_choice(0.7, 2, adjacency=add, monotone=monotone)
        for monotone in (False, True)
    ]
    half, whole = (
        audit.exact(law, bits, n_samples, adjacency=add).epsilon for law in laws
    )
    assert whole == pytest.approx(two_option_epsilon(1.4, n_samples, 1), abs=1e-12)
    assert half < 0.5 * 0.7
    assert whole < 0.7
    if n_samples == 15:
        assert whole > 0.99 * 0.7


@pytest.mark.source("L4-exp-mech-privacy", "S16-thm-0.1")
@pytest.mark.parametrize("relation", Adjacency)
def test_the_two_factors_multiply_to_the_probability_ratio_of_every_case(relation):
    factors = loss_factors(3, 4, 1.3, relation)
    first, second, pairs = neighbouring_datasets(np.arange(3), 4, adjacency=relation)
    law = vote_choice(1.3, 3)
    p, q = (np.array([law(row).logpmf() for row in rows]) for rows in (first, second))
    one_way = privacy_loss(p[pairs[:, 0]], q[pairs[:, 1]], logs=True).ravel()
    np.testing.assert_allclose(
        factors.sum(axis=1), np.concatenate([one_way, -one_way]), atol=1e-10
    )


@pytest.mark.source("L4-exp-mech-privacy", "S16-thm-0.1")
@pytest.mark.parametrize("relation", Adjacency)
def test_each_factor_is_at_most_half_of_epsilon_and_the_weight_ratio_attains_it(
    relation,
):
    weight, normaliser = loss_factors(3, 6, 1.0, relation).T
    assert max(np.abs(weight).max(), np.abs(normaliser).max()) <= 0.5 + 1e-12
    assert weight.max() == 0.5
    assert (weight + normaliser).max() < 1.0


def test_under_add_or_remove_one_the_two_factors_never_pull_in_one_direction():
    weight, normaliser = loss_factors(3, 6, 1.0, Adjacency.ADD_OR_REMOVE_ONE).T
    assert (weight * normaliser <= 1e-15).all()
    assert np.abs(weight + normaliser).max() <= 0.5


@pytest.mark.source("S16-rem-normaliser")
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_normaliser_is_constant_on_the_line_and_moves_on_an_interval(epsilon):
    scale, grid = 2 / epsilon, np.linspace(0, 10, 101)
    for ends, factor in (((-np.inf, np.inf), 0), ((0, 10), 1)):
        laws = [distance_density(x, epsilon, ends) for x in (1.0, 2.0)]
        for x, law in zip((1.0, 2.0), laws, strict=True):
            cut = factor * (np.exp(-x / scale) + np.exp(-(10 - x) / scale))
            assert np.exp(law.log_normaliser) == pytest.approx(
                scale * (2 - cut), rel=1e-9
            )
        loss = np.abs(laws[0].logpdf(grid) - laws[1].logpdf(grid)).max()
        assert (
            epsilon / 2 < loss < epsilon
            if factor
            else loss == pytest.approx(epsilon / 2, rel=1e-6)
        )


@pytest.mark.source("L4-exp-mech-utility", "S16-thm-0.2")
@pytest.mark.parametrize("n_best", [1, 8])
def test_the_tail_lies_under_the_bound_whatever_the_number_of_best_options(n_best):
    scores = np.concatenate(
        [np.full(n_best, 20), np.linspace(0, 19, 64 - n_best).round()]
    )
    for epsilon, gap in product(EPSILONS, range(21)):
        bound = min(1.0, 64 / n_best * np.exp(-epsilon * gap / 2))
        assert chapter.failure(scores, gap, epsilon) <= bound * (1 + 1e-12)


def test_failure_probability_counts_scores_at_the_cut_off():
    scores = [3.0, 2.9, 2.6]
    assert chapter.failure(scores, 0.4, 1.0) == pytest.approx(softmax(scores, 1.0)[2])
    assert chapter.failure(scores, 0.0, 1.0) == pytest.approx(1.0)
    assert chapter.failure(scores, 0.5, 1.0) == 0.0


@pytest.mark.source("L4-exp-mech-utility", "S16-thm-0.2")
def test_the_utility_theorem_holds_in_random_cases_and_is_not_far_from_tight():
    rng = np.random.default_rng(3)
    ratios = np.array([random_case(rng) for _ in range(1000)])
    assert (ratios <= 1).all()
    assert (ratios > 0.3).any()  # half the gap would raise some above 1


@pytest.mark.source("L4-exp-mech-utility", "S16-thm-0.2")
def test_the_worst_scores_are_the_worst():
    rng = np.random.default_rng(4)
    for scores in random_scores(rng, 300):
        epsilon, gap = rng.uniform(0.2, 2), float(rng.integers(1, 6))
        n_optimal = int((scores == scores.max()).sum())
        worst = worst_scores(scores.size, n_optimal, gap)
        failures = [chapter.failure(u, gap, epsilon) for u in (scores, worst)]
        rest = (scores.size - n_optimal) * np.exp(-epsilon * gap / 2)
        assert failures[1] == pytest.approx(rest / (n_optimal + rest), abs=1e-12)
        assert failures[0] <= failures[1] + 1e-12


@pytest.mark.parametrize("k", [2, 5, 300])
def test_the_tightness_ratio_follows_its_formula_and_does_not_depend_on_epsilon(k):
    for t in np.linspace(0.05, 6, 9):
        rest = (1 - 1 / k) * np.exp(-t)
        for epsilon in (0.4, 3.0):
            assert exact_at_worst(k, t, epsilon) == pytest.approx(
                rest / (1 + rest), rel=1e-9
            )


@pytest.mark.source("S16-alg-2")
def test_rounds_of_algorithm_2_do_not_depend_on_the_data_and_those_of_the_variant_do():
    mechanism = ExponentialMechanism(epsilon=1.0, sensitivity=1.0)
    for i, counts in enumerate(tie_and_neighbour(5, 20).values()):
        law, total = (
            mechanism.output_distribution(counts),
            np.exp((np.array(counts) - max(counts)) / 2).sum(),
        )
        for envelope, stop in (("normalised", 1 / 5), ("maximum", total / 5)):
            assert mean_rounds(law, envelope) == pytest.approx(1 / stop)
            rounds = rejection_sample(law, 20_000, envelope=envelope, rng=i).rounds
            for r in range(11):
                p = (1 - stop) ** r
                assert abs((rounds > r).mean() - p) <= 4.5 * np.sqrt(
                    p * (1 - p) / 20_000
                )


def permute_and_flip_by_brute_force(scores, epsilon):
    accept = np.exp(epsilon * (np.asarray(scores, dtype=float) - max(scores)) / 2)
    law, orders = np.zeros(len(scores)), list(permutations(range(len(scores))))
    for order, coins in product(orders, product((0, 1), repeat=len(scores))):
        if (chosen := next((i for i in order if coins[i]), None)) is not None:
            law[chosen] += np.prod(np.where(coins, accept, 1 - accept)) / len(orders)
    return law


def test_the_comparison_reports_expected_shortfalls_of_the_two_laws():
    behind = np.array([0, 2, 3])
    exponential, flip, ratio, floor = shortfalls([3, 1, 0], 1.1)
    assert exponential == pytest.approx(softmax([3, 1, 0], 1.1) @ behind)
    assert flip == pytest.approx(
        permute_and_flip_by_brute_force([3, 1, 0], 1.1) @ behind
    )
    assert floor <= ratio <= 1
    assert ratio == pytest.approx(flip / exponential)
    assert floor == pytest.approx(1 / (1 + softmax([3, 1, 0], 1.1)[0]))


def test_two_options_make_permute_and_flip_use_all_of_epsilon():
    law = vote_distribution(PermuteAndFlip(epsilon=0.8, sensitivity=1.0), 2)
    assert audit.exact(law, np.arange(2), 4).epsilon == pytest.approx(0.8, abs=1e-12)


def test_the_exact_loss_is_an_upper_bound_attained_at_opposite_moves_only():
    rng, form = (
        np.random.default_rng(0),
        ExponentialMechanism(epsilon=1.3, sensitivity=1.0),
    )
    for scores in random_scores(rng, 100):
        here, opposite = (
            form.output_distribution(scores),
            np.r_[-1.0, np.ones(scores.size - 1)],
        )
        ceiling = np.log(here.pmf() + (1 - here.pmf()) * np.exp(1.3))
        there = form.output_distribution(scores + rng.uniform(-1, 1, scores.size))
        assert (privacy_loss(here, there) < ceiling).all()
        found = privacy_loss(here, form.output_distribution(scores + opposite))[0]
        assert found == pytest.approx(ceiling[0], abs=1e-12)


def test_the_table_of_unit_2_has_exact_probabilities_and_bounds():
    rows = []
    for k, gap in ((3, 2), (64, 10), (1024, 20)):
        exact = chapter.failure(worst_scores(k, 1, gap), gap, 2 * np.log(2))
        rows.append((exact, k / 2**gap))
    np.testing.assert_allclose(rows[:2], [(0.3333, 0.75), (0.0580, 0.0625)], atol=5e-5)
    np.testing.assert_allclose(rows[2], (0.0009747, 0.0009766), atol=5e-8)


@pytest.mark.parametrize("form", [ExponentialMechanism, PermuteAndFlip])
def test_no_choice_wins_unanimous_votes_with_fewer_ballots_than_the_packing_bound(form):
    for epsilon, k in product(EPSILONS, (2, 5, 300)):
        choice = form(epsilon=epsilon, sensitivity=1.0)
        for g in range(1, 60):
            wins = choice.output_distribution([g, *[0] * (k - 1)]).pmf()[0]
            if wins >= 0.5:
                break
        assert g >= np.log(k / 2) / epsilon


def test_the_packing_example_needs_ten_ballots_by_the_doubling_rule():
    wins = [chapter.probabilities([g, *[0] * 1023], np.log(4))[0] for g in (9, 10)]
    assert wins[0] < 0.5 < wins[1]
    assert np.log(512) / np.log(4) == pytest.approx(4.5)


def test_the_factors_of_the_exact_loss_worked_by_hand():
    found = [np.exp(two_option_epsilon(np.log(4), m, 2)) for m in (2, 4, 6, 10)]
    np.testing.assert_allclose(found, [2.5, 3.4, 3.824, 3.988], atol=5e-4)


def test_permute_and_flip_worked_by_hand():
    flip = PermuteAndFlip(epsilon=np.log(4), sensitivity=1.0)
    chosen = flip.output_distribution([1, 3, 2]).pmf()
    np.testing.assert_allclose(48 * chosen, [5, 32, 11])
    np.testing.assert_allclose(chosen, [0.104, 0.667, 0.229], atol=5e-4)
    exponential, flipped, *_ = shortfalls([1, 3, 2], np.log(4))
    assert (exponential, flipped) == pytest.approx((8 / 14, 21 / 48))


def test_the_running_times_worked_by_hand():
    here = 1 - chapter.acceptance([20, 20, 0, 0, 0], np.log(4))
    there = 1 - chapter.acceptance([21, 19, 0, 0, 0], np.log(4))
    assert (here, there) == pytest.approx((0.6, 0.75), abs=1e-5)
    assert (here**7, there**7) == pytest.approx((0.028, 0.133), abs=5e-4)
    assert there**7 / here**7 > 4 > there**6 / here**6
