"""The tables of the chapter on the exponential mechanism, against brute force and its proofs."""

from itertools import permutations, product

import numpy as np
import pytest

from privml import audit
from privml.adjacency import Adjacency, multisets, neighbouring_datasets
from privml.distributions import rejection_sample
from privml.divergences import privacy_loss
from privml.experiments import exponential_mechanism as experiments
from privml.mechanisms import ExponentialMechanism, PermuteAndFlip
from privml.queries import score_sensitivity

EPSILONS = (0.3, 1.0, 2.5)


def softmax(scores, epsilon):
    weights = np.exp(epsilon * (np.asarray(scores, dtype=float) - max(scores)) / 2)
    return weights / weights.sum()


def random_scores(rng, count):
    return [rng.integers(0, 9, size=rng.integers(2, 9)).astype(float) for _ in range(count)]


@pytest.mark.source("L4-exp-mech", "S16-alg-1")
def test_the_table_of_laws_is_the_softmax_of_the_votes():
    table = experiments.selection_law([3, 9, 14, 12, 2], EPSILONS)
    for epsilon, group in table.groupby("epsilon"):
        np.testing.assert_allclose(group["probability"], softmax([3, 9, 14, 12, 2], epsilon), rtol=1e-12)


@pytest.mark.source("L4-exp-mech-privacy", "S16-thm-0.1")
@pytest.mark.parametrize("relation", Adjacency)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_closed_form_for_two_options_is_what_the_audit_finds(relation, epsilon):
    law = experiments.vote_law(epsilon, 2)
    for n_samples in (1, 2, 3, 8, 17):
        found = audit.exact(law, np.arange(2), n_samples, adjacency=relation).epsilon
        closed = experiments.two_option_epsilon(epsilon, n_samples, relation)
        assert found == pytest.approx(closed, abs=1e-12)
        assert closed < epsilon / (1 if relation is Adjacency.REPLACE_ONE else 2)


@pytest.mark.source("L4-exp-mech-privacy")
def test_the_closed_form_gives_the_published_numbers_and_tends_to_epsilon_and_its_half():
    replace = [experiments.two_option_epsilon(1.0, n, Adjacency.REPLACE_ONE) for n in (5, 20, 60)]
    assert replace[0] == pytest.approx(0.877, abs=5e-4)
    assert replace[1] == pytest.approx(0.99992, abs=5e-6)
    assert 1 - replace[2] == pytest.approx(1.6e-13, abs=0.1e-13)
    assert experiments.two_option_epsilon(1.0, 80, Adjacency.ADD_OR_REMOVE_ONE) == pytest.approx(0.5)


@pytest.mark.source("S16-alg-3")
def test_the_audit_table_agrees_with_its_formulas_and_the_monotone_variant_uses_all_of_epsilon():
    table = experiments.audit_by_size(0.7, 15)
    np.testing.assert_allclose(table["exact_epsilon"], table["formula"], atol=1e-12)
    last = table[table["n_samples"] == 15].set_index("variant")["exact_epsilon"]
    assert (last <= 0.7).all()
    assert last["add-or-remove-one, monotone"] > 0.99 * 0.7 > 0.5 * 0.7 > last["add-or-remove-one"]


@pytest.mark.source("L4-exp-mech-privacy", "S16-thm-0.1")
def test_the_two_factors_multiply_to_the_probability_ratio_of_every_case():
    table = experiments.loss_factors(3, 4, 1.3)
    losses = {}
    for relation in Adjacency:
        first, second, pairs = neighbouring_datasets(np.arange(3), 4, adjacency=relation)
        law = experiments.vote_law(1.3, 3)
        p, q = (np.array([law(row).logpmf() for row in rows]) for rows in (first, second))
        one_way = privacy_loss(p[pairs[:, 0]], q[pairs[:, 1]]).ravel()
        losses[str(relation)] = np.sort(np.concatenate([one_way, -one_way]))
    for relation, group in table.groupby("relation"):
        listed = np.sort(np.repeat(group["privacy_loss"], group["n_cases"]))
        np.testing.assert_allclose(listed, losses[relation], atol=1e-10)


@pytest.mark.source("L4-exp-mech-privacy", "S16-thm-0.1")
def test_each_factor_is_at_most_half_of_epsilon_and_the_weight_ratio_attains_it():
    table = experiments.loss_factors(3, 6, 1.0)
    assert table[["log_numerator", "log_normaliser"]].abs().max().max() <= 0.5 + 1e-12
    assert (table.groupby("relation")["log_numerator"].max() == 0.5).all()
    assert table["privacy_loss"].max() < 1.0


def test_under_add_or_remove_one_the_two_factors_never_pull_in_one_direction():
    table = experiments.loss_factors(3, 6, 1.0).query("relation == 'add-or-remove-one'")
    assert (table["log_numerator"] * table["log_normaliser"] <= 0).all()
    assert table["privacy_loss"].abs().max() <= 0.5


def test_the_exact_loss_is_an_upper_bound_attained_at_opposite_moves_only():
    rng = np.random.default_rng(0)
    for scores in random_scores(rng, 200):
        epsilon = rng.uniform(0.1, 3)
        mechanism = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0)
        here = mechanism.output_distribution(scores)
        ceiling = np.log(here.pmf() + (1 - here.pmf()) * np.exp(epsilon))
        there = mechanism.output_distribution(scores + rng.uniform(-1, 1, scores.size))
        assert (privacy_loss(here, there) < ceiling).all()
        moves = np.ones(scores.size)
        moves[0] = -1
        opposite = privacy_loss(here, mechanism.output_distribution(scores + moves))
        assert opposite[0] == pytest.approx(ceiling[0], abs=1e-12)


@pytest.mark.source("S16-rem-normaliser")
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_normaliser_is_constant_on_the_line_and_moves_on_an_interval(epsilon):
    line, interval = experiments.interval_normalisers(epsilon).itertuples(index=False)
    scale = 2 / epsilon
    assert line.normaliser == pytest.approx(2 * scale, rel=1e-9)
    assert line.neighbour_normaliser == pytest.approx(2 * scale, rel=1e-9)
    assert line.largest_loss == pytest.approx(epsilon / 2, rel=1e-6)
    for x, found in ((1.0, interval.normaliser), (2.0, interval.neighbour_normaliser)):
        assert found == pytest.approx(scale * (2 - np.exp(-x / scale) - np.exp(-(10 - x) / scale)), rel=1e-9)
    assert epsilon / 2 < interval.largest_loss < epsilon


@pytest.mark.source("L4-exp-mech-utility", "S16-thm-0.2")
def test_the_tail_lies_under_both_bounds_which_differ_by_the_number_of_best_options():
    table = experiments.utility_tail(64, 8, 1.0)
    assert (table["exact"] <= table["bound_with_ties"]).all()
    below_one = table[table["bound"] < 1]
    assert len(below_one) > 5
    np.testing.assert_allclose(below_one["bound"] / below_one["bound_with_ties"], 8)


def test_failure_probability_counts_scores_at_the_cut_off():
    law = ExponentialMechanism(epsilon=1.0, sensitivity=1.0).output_distribution([3.0, 2.9, 2.6])
    probabilities = law.pmf()
    assert experiments.failure_probability(law, [3.0, 2.9, 2.6], 0.4) == pytest.approx(probabilities[2])
    assert experiments.failure_probability(law, [3.0, 2.9, 2.6], 0.0) == pytest.approx(1.0)
    assert experiments.failure_probability(law, [3.0, 2.9, 2.6], 0.5) == 0.0


@pytest.mark.source("L4-exp-mech-utility", "S16-thm-0.2")
def test_the_utility_theorem_holds_in_random_cases_and_would_fail_with_half_the_gap():
    table = experiments.utility_random_cases(1000, seed=3)
    assert (table["ratio"] <= 1).all()
    rest = 1 - table["n_optimal"] / table["n_outcomes"]
    assert (table["exact"] <= rest * table["bound"] / (1 + rest * table["bound"]) + 1e-12).all()
    assert (table["exact"] > table["bound"] ** 2).any()


@pytest.mark.source("L4-exp-mech-utility", "S16-thm-0.2")
def test_the_worst_scores_are_the_worst():
    rng = np.random.default_rng(4)
    for scores in random_scores(rng, 300):
        epsilon, gap = rng.uniform(0.2, 2), float(rng.integers(1, 6))
        n_optimal = int((scores == scores.max()).sum())
        mechanism = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0)
        worst = experiments.extremal_scores(scores.size, n_optimal, gap)
        failures = [
            experiments.failure_probability(mechanism.output_distribution(u), u, gap) for u in (scores, worst)
        ]
        rest = (scores.size - n_optimal) * np.exp(-epsilon * gap / 2)
        assert failures[1] == pytest.approx(rest / (n_optimal + rest), abs=1e-12)
        assert failures[0] <= failures[1] + 1e-12


def test_the_tightness_ratio_follows_its_formula_and_does_not_depend_on_epsilon():
    exponents = np.linspace(0.05, 6, 9)
    table = experiments.utility_tightness([2, 5, 300], exponents, epsilon=0.4)
    np.testing.assert_allclose(table["ratio"], table["formula"], rtol=1e-9)
    np.testing.assert_allclose(
        table["ratio"], experiments.utility_tightness([2, 5, 300], exponents, 3.0)["ratio"], rtol=1e-9
    )
    assert table["ratio"].between(1 / 3, 1).all()


@pytest.mark.source("S16-alg-2")
def test_rounds_of_algorithm_2_do_not_depend_on_the_data_and_those_of_the_variant_do():
    table = experiments.rejection_rounds(5, 20, 1.0, n_draws=20_000, largest=10, seed=1)
    curves = {key: group["exact"].to_numpy() for key, group in table.groupby(["envelope", "votes"])}
    np.testing.assert_allclose(curves["normalised", "tie"], 0.8 ** np.arange(11), rtol=1e-12)
    np.testing.assert_array_equal(curves["normalised", "tie"], curves["normalised", "neighbour"])
    for votes, counts in zip(("tie", "neighbour"), experiments.tie_and_neighbour(5, 20), strict=True):
        total = np.exp((np.array(counts) - max(counts)) / 2).sum()
        np.testing.assert_allclose(curves["maximum", votes], (1 - total / 5) ** np.arange(11), rtol=1e-9)
    error = np.sqrt(table["exact"] * (1 - table["exact"]) / 20_000)
    assert ((table["observed"] - table["exact"]).abs() <= 4.5 * error).all()


@pytest.mark.source("S16-alg-2")
@pytest.mark.parametrize("envelope", ["normalised", "maximum"])
def test_the_option_and_the_number_of_rounds_are_independent(envelope):
    law = ExponentialMechanism(epsilon=1.0, sensitivity=1.0).output_distribution([0, 1, 3])
    sample = rejection_sample(law, 40_000, envelope=envelope, rng=5)
    for option in range(3):
        quick = sample.rounds == 1
        share = (sample.outcomes[quick] == option).mean()
        p = law.pmf()[option]
        assert abs(share - p) <= 4.5 * np.sqrt(p * (1 - p) / quick.sum())


def permute_and_flip_by_brute_force(scores, epsilon):
    accept = np.exp(epsilon * (np.asarray(scores, dtype=float) - max(scores)) / 2)
    law = np.zeros(len(scores))
    orders = list(permutations(range(len(scores))))
    for order, coins in product(orders, product((0, 1), repeat=len(scores))):
        chosen = next((i for i in order if coins[i]), None)
        if chosen is not None:
            law[chosen] += np.prod(np.where(coins, accept, 1 - accept)) / len(orders)
    return law


@pytest.mark.parametrize("scores", [[3, 1, 0], [2, 2, 1, 0], [5, 4, 4, 4, 1]])
def test_permute_and_flip_has_the_law_of_its_walk(scores):
    law = PermuteAndFlip(epsilon=1.1, sensitivity=1.0).output_distribution(scores)
    np.testing.assert_allclose(law.pmf(), permute_and_flip_by_brute_force(scores, 1.1), atol=1e-12)


def test_permute_and_flip_stays_between_the_proved_floor_and_the_exponential_mechanism():
    rng = np.random.default_rng(6)
    for scores in random_scores(rng, 300):
        epsilon = float(np.exp(rng.uniform(-2, 2)))
        exponential, flip = (
            kind(epsilon=epsilon, sensitivity=1.0).output_distribution(scores).pmf()
            for kind in (ExponentialMechanism, PermuteAndFlip)
        )
        total = np.exp(epsilon * (scores - scores.max()) / 2).sum()
        ratio = (flip / exponential)[np.argsort(scores)]
        assert (ratio >= total / (1 + total) - 1e-9).all()
        assert (np.diff(ratio) >= -1e-9).all()


def test_the_comparison_reports_expected_shortfalls_of_the_two_laws():
    table = experiments.selection_comparison([[3, 1, 0], [0, 9]], [1.1])
    shortfall = np.array([0, 2, 3])
    assert table.loc[0, "exponential"] == pytest.approx(softmax([3, 1, 0], 1.1) @ shortfall)
    expected = permute_and_flip_by_brute_force([3, 1, 0], 1.1) @ shortfall
    assert table.loc[0, "permute_and_flip"] == pytest.approx(expected)
    assert (table["ratio"] >= table["floor"]).all()
    assert (table["ratio"] <= 1).all()


def test_two_options_make_permute_and_flip_use_all_of_epsilon():
    mechanism = PermuteAndFlip(epsilon=0.8, sensitivity=1.0)
    law = lambda votes: mechanism.output_distribution(np.bincount(votes, minlength=2))  # noqa: E731
    assert audit.exact(law, np.arange(2), 4).epsilon == pytest.approx(0.8, abs=1e-12)


@pytest.mark.source("L4-def-sensitivity", "L4-exp-mech-privacy")
@pytest.mark.parametrize("epsilon", [0.25, 1.0])
def test_the_gallery_is_caught_with_its_exact_epsilon_and_the_sound_variants_pass(epsilon):
    table = experiments.gallery(epsilon, [1, 2, 9])
    np.testing.assert_allclose(table["exact_epsilon"], table["formula"], rtol=1e-9)
    last = table[table["n_samples"] == 9].set_index("mechanism")["exact_epsilon"] / epsilon
    for sound in ("counts, as proved", "clipped before scoring"):
        assert last.pop(sound) <= 1
    assert (last > 1.5).all()


@pytest.mark.erratum("L4-exp-mech-privacy")
def test_the_printed_middle_term_is_not_the_weight_ratio_and_exceeds_its_bound():
    ratio = np.exp(experiments.loss_factors(3, 6, 1.0)["log_numerator"].max())
    printed, bound = np.exp(1.0 * 1 / 1), np.exp(1.0 / 2)
    assert ratio == pytest.approx(bound)
    assert printed > 1.5 * bound


@pytest.mark.erratum("L4-exp-mech-privacy/2")
def test_the_printed_normaliser_would_make_every_option_equally_likely():
    weights = np.exp(np.array([3, 9, 14, 12, 2]) / 2)
    printed = np.array([weight / sum(weight for _ in weights) for weight in weights])
    np.testing.assert_allclose(printed, 1 / 5)
    law = ExponentialMechanism(epsilon=1.0, sensitivity=1.0).output_distribution([3, 9, 14, 12, 2])
    assert np.abs(law.pmf() - printed).max() > 0.4


@pytest.mark.erratum("L4-exp-mech-utility")
def test_the_utility_proof_ends_in_e_to_the_minus_t():
    for t in (0.5, 1.0, 3.0):
        end = np.exp(np.log(64) + 1 / 2 * (-2 * (np.log(64) + t)))
        assert end == pytest.approx(np.exp(-t))
        assert np.exp(t) > 1


@pytest.mark.erratum("S16-def-exp-mech-inputs")
def test_the_supremum_over_all_pairs_is_m_times_that_over_neighbours():
    def share(votes):
        return np.bincount(votes, minlength=2) / len(votes)

    shares = np.array([share(votes) for votes in multisets(2, 4)])
    assert np.ptp(shares, axis=0).max() == 1.0
    assert score_sensitivity(share, np.arange(2), 4) == 0.25


@pytest.mark.erratum("S16-alg-2")
@pytest.mark.parametrize("scores", [[0, 0, 0, 0], [0, 1, 2, 3], [0, 0, 0, 30]])
def test_algorithm_2_needs_as_many_rounds_as_there_are_options_whatever_the_scores(scores):
    law = ExponentialMechanism(epsilon=1.0, sensitivity=1.0).output_distribution(scores)
    rounds = rejection_sample(law, 20_000, rng=7).rounds
    assert abs(rounds.mean() - 4) <= 4.5 * np.sqrt(12 / 20_000)
