"""The tables of the chapter on composition, against definitions, brute force and other routes."""

from fractions import Fraction
from itertools import product
from math import comb, exp, expm1, log, sqrt, tanh

import numpy as np
import pytest

from privml.composition import optimal_delta, optimal_epsilon
from privml.divergences import PrivacyCurve, gaussian_epsilon
from privml.experiments import composition as experiments
from privml.guarantee.rho import bounded_range_rho, laplace_rho, pure_rho


def test_the_law_of_the_loss_is_the_sum_over_all_patterns_of_answers():
    epsilon, k = 0.7, 6
    keep, found = exp(epsilon) / (1 + exp(epsilon)), experiments.total_loss(epsilon, k)
    wanted = np.zeros(k + 1)
    for pattern in product((0, 1), repeat=k):
        wanted[sum(pattern)] += np.prod([1 - keep if untrue else keep for untrue in pattern])
    np.testing.assert_allclose(found["here"], wanted, rtol=1e-12)
    np.testing.assert_allclose(found["neighbour"], wanted[::-1], rtol=1e-12)
    np.testing.assert_allclose(np.log(found["here"] / found["neighbour"]), found["loss"], atol=1e-9)


def test_the_best_guess_counts_votes():
    table = experiments.guesses(0.4, [1, 3, 5])
    keep = exp(0.4) / (1 + exp(0.4))
    for row in table.itertuples():
        votes = [comb(row.k, i) * keep ** (row.k - i) * (1 - keep) ** i for i in range((row.k + 1) // 2)]
        assert row.right == pytest.approx(sum(votes), abs=1e-12)
        assert row.right <= 1 - row.basic + 1e-12


@pytest.mark.source("DR11-thm-3.20")
def test_adaptive_majorities_keep_every_promise_on_every_pair():
    table = experiments.adaptive_audits(1.0, 4, [1, 2, 3])
    assert (table["exact_epsilon"] <= table["sum"]).all()
    assert (table["exact_epsilon"] > 0.75 * table["sum"]).all()
    assert (table["exact_delta"] <= table["optimal_delta"]).all()
    assert (table["exact_delta"] > 0).all()


def test_the_questions_of_the_audit_depend_on_the_answers():
    from privml.experiments.composition.audits import _adaptive_law

    records = np.array([[1, 0], [1, 0], [1, 1]])
    law = _adaptive_law(2, 1.0)(records).reshape(2, 2)
    second_after = law[:, 1] / law.sum(axis=1)
    assert law.sum() == pytest.approx(1.0)
    assert abs(second_after[0] - second_after[1]) > 0.1


@pytest.mark.parametrize("epsilon", [0.5, 1.0])
def test_disjoint_parts_cost_what_the_theorem_says(epsilon):
    table = experiments.parallel_audits(epsilon, 5)
    np.testing.assert_allclose(table["exact_epsilon"] / epsilon, [1, 2, 1, 5, np.inf], rtol=1e-9)
    assert table["promised"].tolist() == [f"{epsilon:g}", "refused", f"{epsilon:g}", "refused", "refused"]


@pytest.mark.source("DR11-thm-3.20", "LZCW21-lem-51", "LZCW21-lem-52")
def test_the_rules_by_their_formulas_in_the_order_of_their_size():
    step, k, delta = 0.05, 1000, 1e-5
    found = experiments.epsilon_by_steps(step, [k], delta).set_index("rule")["epsilon"]
    root = sqrt(2 * k * log(1 / delta)) * step
    assert found["basic"] == pytest.approx(50.0)
    assert found["advanced"] == pytest.approx(root + k * step * expm1(step))
    assert found["concentrated, simple"] == pytest.approx(root + k * step**2 / 2)
    assert found["optimum"] == pytest.approx(optimal_epsilon(step, k, delta))
    assert found.is_monotonic_decreasing
    assert found["range, fixed in advance"] < 0.5 * found["optimum"]


@pytest.mark.source("DR11-thm-3.20")
@pytest.mark.parametrize(("step", "k"), [(0.05, 1000), (0.5, 20), (1.0, 5)])
def test_the_curves_of_all_bounds_lie_above_the_optimum(step, k):
    table = experiments.composition_curves(step, k, np.linspace(0, k * step, 23))
    curves = table.pivot(index="epsilon", columns="rule", values="delta")
    rules = ["optimum", "concentrated, tight", "concentrated, simple", "advanced"]
    for lower, upper in zip(rules, rules[1:], strict=False):
        assert (curves[lower] <= curves[upper] * (1 + 1e-9)).all()
    for upper in ("range, concentrated", "optimum"):  # the library reports nothing below 1e-280
        assert (curves["range, fixed in advance"] <= curves[upper] * (1 + 1e-9) + 1e-279).all()


@pytest.mark.source("DR11-thm-3.20")
def test_the_mean_loss_is_below_what_advanced_composition_charges():
    for epsilon in np.geomspace(1e-3, 5, 40):
        assert epsilon * tanh(epsilon / 2) <= epsilon**2 / 2 <= epsilon * expm1(epsilon)


def test_the_totals_of_the_great_table():
    table = experiments.thousandfold(0.05, 50.0, 1000, 1e-5)
    found = table.groupby("step", sort=False)["epsilon"].last()
    np.testing.assert_allclose(found, [7.4928, 3.3404, 7.4213, 2.5944], atol=5e-5)
    wanted = {("any pure step", "basic: k ε"): 50.0, ("any pure step", "advanced"): 10.1507}
    wanted |= {("exponential mechanism", "concentrated, best constant, tight"): 3.6169}
    rows = table.set_index(["step", "rule"])["epsilon"]
    for place, epsilon in wanted.items():
        assert rows[place] == pytest.approx(epsilon, abs=5e-5)
    assert (table["ratio"] >= 1 - 1e-12).all()


def test_finer_grids_come_down_to_the_exact_value_from_above():
    table = experiments.numerical_grids(0.05, 50.0, 1000, 1e-5, [0.02, 0.005, 0.001])
    exact = gaussian_epsilon(1e-5, sqrt(1000) / 50)
    assert table["gaussian"].is_monotonic_decreasing
    assert table["laplace"].is_monotonic_decreasing
    np.testing.assert_allclose(table["excess"], table["gaussian"] - exact)
    assert 0 < table["excess"].iloc[-1] < 0.002
    assert table["laplace"].iloc[-1] < optimal_epsilon(0.05, 1000, 1e-5)


@pytest.mark.source("DR11-thm-3.20")
@pytest.mark.parametrize("k", [1, 10, 1000, 100_000])
@pytest.mark.parametrize("delta", [0.5, 0.1, 1e-3, 1e-6])
def test_the_rule_of_thumb_holds_up_to_eight_times_the_logarithm(k, delta):
    table = experiments.rule_of_thumb(k, [delta], [0.1, 1, 2, 4, 6, 8])
    assert table["ratio"].max() < 0.134


@pytest.mark.source("DR11-thm-3.20")
@pytest.mark.erratum("DR11-thm-3.20")
def test_the_rule_of_thumb_is_false_for_large_epsilon_and_many_steps():
    table = experiments.rule_of_thumb(100_000, [0.4, 0.1, 1e-5], [16, 20])
    assert (table["exact_delta"] > table["delta"]).all()
    large = table.query("multiple == 20")["exact_delta"]
    np.testing.assert_allclose(large, [0.700, 0.835, 0.991], atol=5e-4)
    np.testing.assert_allclose(table["limit"], table["exact_delta"], rtol=5e-3)


def test_an_exact_sum_of_fractions_refutes_the_rule_of_thumb_for_few_steps_too():
    k, delta, odds = 2000, Fraction(1, 10), Fraction(4, 3)  # e^step = 4/3
    step = log(odds)
    epsilon = step * sqrt(8 * k * log(10))
    reached = int(epsilon / step) + 1  # losses of at least this many steps exceed epsilon
    weights = [comb(k, i) * odds ** (k - i) for i in range((k - reached) // 2 + 1)]
    keep_mass = sum(weights) / (1 + odds) ** k
    other = sum(comb(k, i) * odds**i for i in range(len(weights))) / (1 + odds) ** k
    exact = keep_mass - Fraction(exp(epsilon)) * other
    assert epsilon > 8 * log(10)
    assert exact > delta
    assert float(exact) == pytest.approx(optimal_delta(step, k, epsilon), rel=1e-6)


@pytest.mark.source("DR11-thm-3.20")
def test_the_smallest_false_multiple_falls_to_eight():
    table = experiments.smallest_false_multiple([0.4, 0.1, 1e-5, 1e-50, 1e-300])
    assert table["multiple"].is_monotonic_decreasing
    assert table["multiple"].iloc[0] < 16
    assert 8 < table["multiple"].iloc[-1] < 8.03
    for row in table.head(3).itertuples():
        around = experiments.rule_of_thumb(1_000_000, [row.delta], row.multiple * np.array([0.99, 1.01]))
        assert around["ratio"].iloc[0] < 1 < around["ratio"].iloc[1]


@pytest.mark.source("LZCW21-def-50", "LZCW21-lem-52")
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_divergence_over_order_is_largest_at_order_one_where_it_is_the_tight_rho(epsilon):
    table = experiments.renyi_by_order(epsilon, [1.0, 1.01, 1.3, 2.0, 5.0, 40.0])
    quotients = table.pivot(index="order", columns="pair", values="quotient")
    tight = {
        "randomised response": pure_rho(epsilon),
        "Laplace noise": laplace_rho(epsilon),
        "bounded range": bounded_range_rho(epsilon),
        "Gaussian noise": epsilon**2 / 2,
    }
    for pair, rho in tight.items():
        assert quotients[pair].iloc[0] == pytest.approx(rho, rel=1e-4)
        assert (np.diff(quotients[pair]) <= 1e-12).all()
    assert tight["randomised response"] <= epsilon**2 / 2
    assert tight["bounded range"] <= epsilon**2 / 8


@pytest.mark.source("LZCW21-def-50")
@pytest.mark.parametrize("epsilon", [0.3, 2.0])
def test_random_pairs_of_bounded_range_are_made_from_skewed_response_and_stay_below_the_tight_rho(epsilon):
    table = experiments.random_pairs(epsilon, 300, 4, [1.0, 1.2, 2.0, 6.0], seed=3)
    assert table["error"].max() < 1e-9
    assert table["largest_loss"].between(0, epsilon).all()
    assert 0.9 < table["share"].max() <= 1


@pytest.mark.source("LZCW21-def-50")
def test_divergences_of_independent_steps_add_up():
    from privml.divergences import renyi_divergence

    rng = np.random.default_rng(5)
    p, q, r, s = np.log(rng.dirichlet(np.ones(4), size=4))
    for order in (1.5, 2.0, 7.0):
        joint = renyi_divergence(np.add.outer(p, r).ravel(), np.add.outer(q, s).ravel(), order)
        assert joint == pytest.approx(renyi_divergence(p, q, order) + renyi_divergence(r, s, order))


@pytest.mark.parametrize("k", [2, 3])
def test_no_other_fixed_steps_beat_the_theorem_on_bounded_range(k):
    totals = np.array([0.4, 0.8, 1.2]) if k == 3 else np.array([0.2, 0.5, 1.1])
    table = experiments.equal_ranges(1.0, k, totals, 19 if k == 3 else 29)
    assert (table["brute_force"] <= table["theorem"] + 1e-12).all()
    np.testing.assert_allclose(table["equal"], table["theorem"], rtol=1e-9)


def test_adaptive_steps_beat_fixed_ones_and_not_the_pure_optimum():
    table = experiments.adaptive_ranges(1.0, [1, 2, 3], [0.1, 0.25], 401)
    once = table[table["k"] == 1]
    np.testing.assert_allclose(once["ratio"], 1.0, rtol=1e-12)
    assert (table["ratio"] > 1 - 1e-4).all()
    assert table["ratio"].max() > 1.05
    assert (table["adaptive"] < table["pure"]).all()


def test_one_adaptive_choice_by_hand():
    """Two steps of range 1 at a total of 1/5: all choices for the first, and for the second by its answer."""
    grid, best = np.linspace(0.001, 0.999, 60), 0.0

    def law(t):
        low = expm1(t) / expm1(1.0)
        return np.log([1 - low, low]), np.array([t, t - 1])

    for first in grid:
        log_p, losses = law(first)
        branches = []
        for branch in (0, 1):
            options = [PrivacyCurve(losses[branch] + law(t)[1], law(t)[0]).delta(0.2) for t in grid]
            branches.append(exp(log_p[branch]) * max(options))
        best = max(best, sum(branches))
    found = experiments.adaptive_ranges(1.0, [2], [0.1], 401)["adaptive"].iloc[0]
    assert found == pytest.approx(best, rel=1e-3)


def test_the_worst_rule_for_stopping_agrees_with_all_stopping_rules_of_three_steps():
    step, delta, k = 1.0, 0.2, 3
    keep, claims = exp(step) / (1 + exp(step)), [0.0] + [optimal_epsilon(1.0, j, 0.2) for j in (1, 2, 3)]
    prefixes = [p for j in range(k) for p in product((1, -1), repeat=j)]
    worst = 0.0
    for stops in product((False, True), repeat=len(prefixes)):
        stopping, total = dict(zip(prefixes, stops, strict=True)), 0.0
        for path in product((1, -1), repeat=k):
            j = next((j for j in range(k) if stopping[path[:j]]), k)
            weight = np.prod([keep if sign > 0 else 1 - keep for sign in path])
            total += weight * max(0.0, 1 - exp(claims[j] - step * sum(path[:j])))
        worst = max(worst, total)
    table = experiments.stopped_delta(step, [k], delta)
    assert table["exact"].iloc[0] == pytest.approx(worst, abs=1e-12)


def test_stopping_early_breaks_the_claim_and_a_fixed_number_does_not():
    table = experiments.stopped_delta(0.05, [1, 30, 200], 1e-5)
    assert table["ratio"].iloc[0] == pytest.approx(1.0, rel=1e-6)
    assert table["ratio"].is_monotonic_increasing
    assert table["ratio"].iloc[-1] > 5
