"""Learning a finite support: missing mass, hidden supports, private learners, and the rate of Lemma 14."""

from itertools import combinations, product
from math import comb, e, exp

import numpy as np
import pytest
from scipy.optimize import linprog

from privml.learnability import LearningProblem, count_vectors, erm_law, sample_probabilities
from privml.learnability.impossibility import (
    d_universal_aerm_rate,
    hidden_support_risk,
    missing_mass,
    missing_mass_bound,
    missing_mass_sample_size,
    private_support_risk,
)


def brute_missing_mass(law, n_samples):
    total = 0.0
    for sample in product(range(len(law)), repeat=n_samples):
        unseen = sum(p for i, p in enumerate(law) if i not in sample)
        total += np.prod([law[i] for i in sample]) * unseen
    return total


@pytest.mark.source("WLF16-ex-16")
@pytest.mark.parametrize("law", [[1.0], [0.5, 0.3, 0.2], [0.7, 0.1, 0.1, 0.1]])
def test_missing_mass_is_the_risk_of_returning_what_was_seen(law):
    for n in (1, 4):
        assert missing_mass(law, n) == pytest.approx(brute_missing_mass(law, n), abs=1e-12)
    assert missing_mass([law, law], 2).shape == (2,)


@pytest.mark.source("WLF16-ex-16")
@pytest.mark.parametrize("n_atoms", [2, 3, 5, 8])
@pytest.mark.parametrize("n_samples", [1, 2, 3, 4, 7, 20])
def test_no_distribution_has_more_missing_mass_than_the_bound(n_atoms, n_samples):
    laws = np.random.default_rng(0).dirichlet(np.full(n_atoms, 0.7), size=4000)
    peak = min(1 / (n_samples + 1), 1 / n_atoms)  # all but one atom at the peak of p (1 - p)^n
    laws = np.vstack([laws, [[1 - (n_atoms - 1) * peak] + [peak] * (n_atoms - 1)]])
    found, bound = missing_mass(laws, n_samples).max(), missing_mass_bound(n_atoms, n_samples)
    assert found <= bound + 1e-12
    assert found >= bound * (1 - 1 / n_atoms) - 1e-12
    if n_samples < n_atoms:
        assert found == pytest.approx(bound, rel=1e-12)


@pytest.mark.erratum("WLF16-ex-16/2")
def test_the_rate_of_the_source_is_true_and_e_times_too_large():
    for n_atoms, n in product((1, 2, 10, 1000), (1, 9, 10, 5000)):
        assert missing_mass_bound(n_atoms, n) <= min(1, n_atoms / (e * n)) + 1e-15
    assert missing_mass_bound(10, 10**6) * 10**6 / 10 == pytest.approx(1 / e, rel=1e-5)
    assert missing_mass_bound(8, 8) == pytest.approx(8 / 9 * (8 / 9) ** 8)
    uniform = np.full(8, 1 / 8)
    assert missing_mass(uniform, 7) == pytest.approx(missing_mass_bound(8, 7))


def test_the_sample_size_is_the_inverse():
    for n_atoms, alpha in product((2, 10, 300), (0.4, 0.05, 0.001)):
        n = missing_mass_sample_size(n_atoms, alpha)
        assert missing_mass_bound(n_atoms, n) <= alpha
        assert n == 1 or missing_mass_bound(n_atoms, n - 1) > alpha
    assert missing_mass_sample_size(1, 0.5) == 1


@pytest.mark.source("WLF16-ex-16")
@pytest.mark.erratum("WLF16-ex-16")
def test_three_times_as_many_points_as_records_defeat_every_learner_and_each_law_alone_does_not():
    risks = [hidden_support_risk(3 * n, n) for n in (1, 2, 10, 1000, 10**6)]
    np.testing.assert_allclose(risks[:4], [0.667, 0.694, 0.712, 0.717], atol=6e-4)
    assert min(risks) >= 2 / 3 - 1e-12
    assert max(risks) < exp(-1 / 3)
    law = np.full(30, 1 / 30)
    assert missing_mass(law, 10) == pytest.approx(hidden_support_risk(30, 10))
    assert missing_mass(law, 1000) < 1e-13  # pointwise, returning what was seen does learn this law


@pytest.mark.source("WLF16-ex-16")
@pytest.mark.parametrize("seed", range(3))
def test_a_learner_that_does_not_know_the_support_does_no_better_on_average_over_supports(seed):
    """Universe of 40 points: the average over supports of 3 points of any rule that guesses 5 points."""
    rng = np.random.default_rng(seed)
    universe, n_support, guesses = 40, 3, 5
    guess = {x: set(rng.choice(universe, guesses, replace=False)) | {x} for x in range(universe)}
    risk = np.mean(
        [
            np.mean([1 - len(guess[x] & set(support)) / n_support for x in support])
            for support in combinations(range(universe), n_support)
        ]
    )
    assert risk == pytest.approx(
        hidden_support_risk(n_support, 1) * (1 - np.mean([len(g) - 1 for g in guess.values()]) / 39)
    )
    assert risk < hidden_support_risk(n_support, 1)  # guesses help a little, and less in a larger universe


def best_private_support_risk(n_points, output_size, epsilon):
    """Linear program: one record, outputs are all sets of at most output_size points."""
    sizes = range(output_size + 1)
    outputs = [set(c) for size in sizes for c in combinations(range(n_points), size)]
    width = len(outputs)
    cost = np.concatenate([[float(z not in h) for h in outputs] for z in range(n_points)]) / n_points
    rows = []
    for z, other in product(range(n_points), repeat=2):
        if z != other:
            block = np.zeros((width, n_points * width))
            block[:, z * width : (z + 1) * width] = np.eye(width)
            block[:, other * width : (other + 1) * width] = -exp(epsilon) * np.eye(width)
            rows.append(block)
    sums = np.kron(np.eye(n_points), np.ones(width))
    zeros = np.zeros(len(rows) * width)
    return linprog(cost, A_ub=np.vstack(rows), b_ub=zeros, A_eq=sums, b_eq=np.ones(n_points)).fun


@pytest.mark.source("WLF16-ex-17")
@pytest.mark.parametrize(
    ("n_points", "output_size", "epsilon"), [(3, 1, 1.0), (4, 2, 0.5), (5, 2, 2.0), (3, 3, 1.0)]
)
def test_for_one_record_the_bound_is_the_optimum_of_all_private_learners(n_points, output_size, epsilon):
    exact = best_private_support_risk(n_points, output_size, epsilon)
    assert private_support_risk(n_points, output_size, epsilon) == pytest.approx(exact, abs=1e-9)


@pytest.mark.source("WLF16-ex-17")
def test_two_records_do_not_help_subset_selection_and_the_bound_is_above_the_inventory():
    n_points, size, epsilon = 6, 2, 1.0
    outputs = [set(c) for c in combinations(range(n_points), size)]
    weights = {z: np.array([exp(epsilon / 2 * (z in h)) for h in outputs]) for z in range(n_points)}
    risk = []
    for z1, z2 in product(range(n_points), repeat=2):
        law = weights[z1] * weights[z2]
        missed = np.array([((z1 not in h) + (z2 not in h)) / 2 for h in outputs])
        risk.append(law @ missed / law.sum())
    assert np.mean(risk) >= private_support_risk(n_points, size, epsilon)
    for M, s in product((10, 1000), (1, 7)):
        assert private_support_risk(M, s, epsilon) >= 1 - exp(epsilon) * s / M
    assert private_support_risk(10**9, 10, 3.0) > 1 - 1e-6


@pytest.mark.source("WLF16-lem-14")
def test_the_rate_adds_up_what_the_proofs_add_up():
    assert (3 + 6 + 3, 8 + 18 + 10 + 1) == (12, 37)
    xi, xi_prime = (lambda k: 1 / k), (lambda k: 2 / k)
    n = 6561
    assert d_universal_aerm_rate(xi, xi_prime, n, form="printed") == pytest.approx(
        1 / 81 + 12 * 2 / 9 + 37 / 81
    )
    assert d_universal_aerm_rate(xi, xi_prime, n) == pytest.approx(1 / 81 + 2 / 9 + 2 / 81)


@pytest.mark.source("WLF16-lem-14")
@pytest.mark.parametrize("n_samples", [4, 9])
@pytest.mark.parametrize("share", [0.5, 0.8])
def test_both_steps_of_the_lemma_hold_on_a_problem_of_two_hypotheses(n_samples, share):
    problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    law, size = np.array([share, 1 - share]), int(n_samples**0.5)
    counts = count_vectors(2, n_samples)
    weights = sample_probabilities(counts, law)
    best = weights @ problem.best_empirical_risk(counts)
    small = count_vectors(2, size)
    chosen = erm_law(problem)(small)
    excess = sample_probabilities(small, law) @ (chosen @ problem.excess_risk(law))
    empirical = 0.0
    for count, weight in zip(counts, weights, strict=True):
        chances = np.array([comb(count[0], a) * comb(count[1], b) for a, b in small]) / comb(n_samples, size)
        empirical += weight * chances @ (chosen @ problem.empirical_risk(count))
    smallest = problem.best_risk(law)
    assert empirical <= 1 / n_samples**0.5 + smallest + excess + 1e-12
    for k in range(1, n_samples + 1):
        shares = np.linspace(0, 1, 101)
        sample = count_vectors(2, k)
        each = np.stack([shares, 1 - shares], axis=1)
        rates = (sample_probabilities(sample, each) @ erm_law(problem)(sample)) * problem.excess_risk(each)
        slack = rates.sum(axis=1).max() + k * (k + 1) / (2 * n_samples)
        assert best >= smallest - slack


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: missing_mass([0.5, 0.6], 2), "sum 1"),
        (lambda: missing_mass([0.5, 0.5], 0), "n_samples"),
        (lambda: missing_mass_bound(0, 1), "n_atoms"),
        (lambda: missing_mass_sample_size(3, 1.0), "alpha"),
        (lambda: hidden_support_risk(0, 1), "n_support"),
        (lambda: private_support_risk(3, 4, 1.0), "output_size"),
        (lambda: private_support_risk(3, 1, 0.0), "epsilon"),
        (lambda: d_universal_aerm_rate(float, float, 0), "n_samples"),
        (lambda: d_universal_aerm_rate(float, float, 4, form="best"), "form"),
    ],
)
def test_parameters_out_of_range_raise(call, message):
    with pytest.raises(ValueError, match=message):
        call()
