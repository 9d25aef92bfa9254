"""The tables of the chapter on learning without privacy, and the claims that the chapter makes about them."""

from fractions import Fraction
from itertools import product
from math import exp, sqrt

import numpy as np
import pytest
from scipy.stats import binom, norm

from privml import pac
from privml.bounds import uniform_convergence as bounds
from privml.experiments import learning_without_privacy as experiments
from privml.hypotheses import Table
from privml.learners.erm import erm_law
from privml.populations import FinitePopulation

NOISE, ALPHA, BETA = 0.2, 0.2, 0.05


def by_curve(table):
    """A table of curves with one column a curve."""
    return table.pivot(index="n_samples", columns="curve", values="probability")


@pytest.mark.source("L4-def-agnostic")
def test_label_noise_becomes_the_least_error_of_the_clinic_and_keeps_the_best_rule():
    hypotheses, population = experiments.clinic(NOISE)
    assert population.best(hypotheses).index == experiments.clinic(0.0)[1].best(hypotheses).index == 1
    assert population.best(hypotheses).error == pytest.approx(NOISE)


def test_a_coin_misleads_by_a_hair_more_than_alpha():
    hypotheses, _ = experiments.clinic(NOISE)
    excess = experiments.coin(ALPHA).error_rates(hypotheses) - experiments.coin(ALPHA).best(hypotheses).error
    assert excess == pytest.approx([0, ALPHA, ALPHA])
    assert (excess[1:] > ALPHA + pac.SLACK).all()


@pytest.mark.source("L4-lem-error-count-binomial", "L4-def-empirical-error")
def test_all_samples_give_each_hypothesis_binomially_many_mistakes():
    hypotheses, population = experiments.clinic(0.3)
    probabilities, mistakes = experiments.all_samples(hypotheses, population, 3)
    for error, column in zip(population.error_rates(hypotheses), mistakes.T, strict=True):
        law = np.bincount(column, weights=probabilities, minlength=4)
        assert law == pytest.approx(pac.mistake_count_distribution(error, 3), abs=1e-12)


def test_all_samples_agree_with_ordered_samples_counted_one_by_one():
    hypotheses = Table([[False, True], [True, True]])
    population = FinitePopulation([0, 1], [True, False], [0.25, 0.75])
    probabilities, mistakes = experiments.all_samples(hypotheses, population, 3)
    slow = {}
    for indices in product(range(2), repeat=3):
        key = tuple(hypotheses.mistakes(population.X[list(indices)], population.y[list(indices)]).tolist())
        slow[key] = slow.get(key, 0) + float(np.prod(population.probabilities[list(indices)]))
    assert dict(zip(map(tuple, mistakes.tolist()), probabilities, strict=True)) == pytest.approx(slow)


def test_a_deviation_probability_counts_only_what_is_strictly_outside():
    assert experiments.deviation_probability(0.5, 10, 0.2) == pytest.approx(2 * binom.cdf(2, 10, 0.5))
    assert experiments.deviation_probability(0.1, 20, 0.1) == pytest.approx(binom.sf(4, 20, 0.1))
    alone, die = Table([[False]]), FinitePopulation([0, 0], [False, True], [0.7, 0.3])
    for m in (1, 10, 31):
        exact = pac.uniform_deviation_probability(alone, die, m, 0.1)
        assert experiments.deviation_probability(0.3, m, 0.1) == pytest.approx(exact, abs=1e-12)


@pytest.mark.source("L4-lem-hoeffding")
def test_both_tail_bounds_hold_on_a_grid_and_are_not_both_tight():
    table = experiments.tail_check(range(1, 120, 7), np.linspace(0, 1, 21), (0.03, 0.1, 0.2, 0.4))
    assert table["violations"].tolist() == [0, 0]
    curves = by_curve(experiments.single_tails(ALPHA, [150]))
    assert curves["bound printed in L4"].iloc[0] / curves["Hoeffding's bound"].iloc[0] > 1e4


def test_a_bound_that_does_not_hold_would_be_seen(monkeypatch):
    monkeypatch.setattr(experiments.deviations.tails, "hoeffding_tail", lambda m, a: 2 * exp(-16 * m * a**2))
    assert experiments.tail_check([20, 50], [0.5], [0.1])["violations"].tolist() == [2, 0]


@pytest.mark.source("L4-thm-uniform-convergence", "DR11-lem-sampling-bound")
def test_the_exact_deviation_of_the_class_lies_below_every_bound():
    curves = by_curve(experiments.class_deviation(NOISE, ALPHA, [5, 15, 30], [5, 15, 30]))
    order = ["exact", "union of exact tails", "bound, Hoeffding", "bound, constant of L4"]
    assert (np.diff(curves[order].to_numpy(), axis=1) >= 0).all()
    assert (curves["exact"] < curves["union of exact tails"]).all()


@pytest.mark.source("L4-thm-uc-implies-agnostic", "L4-alg-erm")
def test_on_no_sample_is_the_excess_of_erm_above_twice_the_largest_gap():
    table = experiments.erm_chain(NOISE, [1, 2, 3, 4])
    assert (table["violations"] == 0).all()
    assert table["largest_ratio"].max() == pytest.approx(1)
    assert table["n_datasets"].tolist()[:4] == [20, 210, 1540, 8855]


def coin_failure(m, alpha):
    """Failure on the coin in closed form: a lost majority, or a tie that falls on one of two wrong rules."""
    right = binom(m, 0.5 + (alpha + 1e-9) / 2)
    tie = right.pmf(m // 2) if m % 2 == 0 else 0.0
    return right.cdf(m // 2) - tie + tie * 2 / 3


@pytest.mark.source("L4-def-pac", "L4-thm-uc-implies-agnostic")
def test_the_failure_of_erm_on_the_coin_is_a_binomial_sum_and_below_the_bound():
    curves = by_curve(experiments.erm_failure(NOISE, ALPHA, [9, 10, 69, 240], [10]))
    for m in (9, 10, 69, 240):
        assert curves["exact, coin"][m] == pytest.approx(coin_failure(m, ALPHA), rel=1e-9)
    assert (curves["exact, coin"] < curves["bound"]).all()
    assert curves["exact, clinic"][10] < curves["exact, coin"][10]
    assert curves["bound"][240] <= BETA


@pytest.mark.source("L4-def-pac")
def test_the_sample_sizes_are_those_at_which_the_failure_falls_below_beta_for_good():
    sizes = experiments.erm_sample_sizes(NOISE, ALPHA, BETA).set_index("population")["n_samples"]
    assert sizes["any (theorem)"] == bounds.agnostic_erm_sample_size(3, ALPHA, BETA)
    hard = sizes["coin (exact)"]
    assert coin_failure(hard - 1, ALPHA) > BETA
    assert all(coin_failure(m, ALPHA) <= BETA for m in range(hard, sizes["any (theorem)"] + 1))
    clinic, easy = experiments.clinic(NOISE), sizes["clinic (exact)"]
    fails = [
        pac.failure_probability(erm_law("uniform"), *clinic, m, ALPHA) for m in range(easy - 1, easy + 8)
    ]
    assert fails[0] > BETA >= max(fails[1:])


@pytest.mark.source("L4-thm-uc-implies-agnostic")
def test_the_goal_printed_in_l4_is_met_where_learning_fails():
    table = experiments.printed_goal(6, [1, 4, 16], ALPHA)
    assert (table["printed_goal_fails"] == 0).all()
    assert table["pac_goal_fails"].tolist()[:2] == pytest.approx([1, 1])
    # by inclusion and exclusion: at least 2 of 6 instances are missing among 16 draws
    seen = {0: Fraction(1)}
    for _ in range(16):
        seen = {
            k: seen.get(k, 0) * Fraction(k, 6) + seen.get(k - 1, 0) * Fraction(7 - k, 6) for k in range(7)
        }
    assert table["pac_goal_fails"].iloc[2] == pytest.approx(float(sum(seen[k] for k in range(5))))


@pytest.mark.source("DR11-lem-sampling-bound")
def test_the_printed_sample_size_of_dr11_fails_about_one_time_in_five_however_small_alpha():
    table = experiments.printed_sampling_bound([0.2, 0.02, 0.005], BETA)
    failure = table.pivot(index="alpha", columns="logarithm", values="failure")
    assert failure["natural"][0.005] == pytest.approx(norm.cdf(-sqrt(np.log(2))), abs=1e-3)
    assert failure["binary"][0.005] == pytest.approx(norm.cdf(-1), abs=1e-3)
    assert (failure[["natural", "binary"]] > 3 * BETA).all().all()
    assert (failure["corrected"] <= BETA).all()


@pytest.mark.source("L4-alg-erm")
def test_erm_has_no_finite_epsilon_and_the_delta_that_the_proposition_says():
    table = experiments.erm_audit([1, 2, 3, 4], [0.0, 1.0, 20.0])
    deltas = table[["delta(0)", "delta(1)", "delta(20)"]].to_numpy()
    assert np.isinf(table["exact_epsilon"]).all()
    assert (deltas == deltas[:, :1]).all(), "the same for every epsilon"
    assert (deltas[:, 0] >= np.where(table["n_samples"] % 2 == 1, 1.0, 0.5)).all()
    tight = table[(table["rules"] == "two constants") & (table["tie_break"] == "uniform")]
    assert tight["delta(1)"].tolist() == [1.0, 0.5, 1.0, 0.5]


@pytest.mark.parametrize("seed", [0, 4])
def test_the_table_of_one_sample_is_what_the_population_and_the_bound_say(seed):
    table = experiments.errors_on_one_sample(40, NOISE, BETA, seed=seed)
    assert table["true_error"].to_numpy() == pytest.approx(0.2 + 0.06 * abs(table["cut"] - 5))
    assert table["radius"].unique() == pytest.approx([bounds.uniform_convergence_radius(11, 40, BETA)])
    assert np.allclose(table["empirical_error"] * 40, np.rint(table["empirical_error"] * 40))
