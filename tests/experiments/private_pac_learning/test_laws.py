"""Laws on crowds and independent rivals, audits and training errors: against brute force."""

import math
from itertools import product

import numpy as np
import pytest

from privml import pac
from privml.bounds.exponential_mechanism import private_erm_gap
from privml.experiments import private_pac_learning as experiments
from privml.experiments.private_pac_learning import base, independent, privacy, training
from privml.hypotheses import Table, boolean_cube
from privml.learners import erm_law, exponential_law
from privml.populations import FinitePopulation


@pytest.mark.parametrize("epsilon", [0.3, 4.0])
def test_the_law_on_a_crowd_is_that_of_the_learner_with_all_rivals_written_out(epsilon):
    mistakes = np.array([[0, 0], [3, 5], [7, 2]])
    full = exponential_law(epsilon)(mistakes[:, [0, 1, 1, 1, 1]])
    crowded = base.crowd_law(epsilon, math.log(4))(mistakes)
    np.testing.assert_allclose(crowded, np.stack([full[:, 0], full[:, 1:].sum(axis=1)], axis=1))
    erm = erm_law("uniform")(mistakes[:, [0, 1, 1, 1, 1]])
    np.testing.assert_allclose(base.crowd_erm_law(5)(mistakes)[:, 0], erm[:, 0])


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 9.0])
def test_independent_rivals_agree_with_the_enumeration_of_all_samples(epsilon):
    alpha, n_samples = 0.2, 6
    cube = boolean_cube(3)
    rates = np.array([0.4, 0.6, 0.6]) + np.array([-1, 1, 1]) * base.MARGIN / 2
    weights = np.where(cube, 1 - rates, rates).prod(axis=1)
    population = FinitePopulation(np.arange(8), np.ones(8, dtype=bool), weights)
    bits = Table(cube.T)
    enumerated = pac.failure_probability(exponential_law(epsilon), bits, population, n_samples, alpha)
    assert independent.private_failure(3, n_samples, epsilon, alpha) == pytest.approx(enumerated, abs=1e-11)
    enumerated = pac.failure_probability(erm_law("uniform"), bits, population, n_samples, alpha)
    assert independent.erm_failure(3, n_samples, alpha) == pytest.approx(enumerated, abs=1e-12)


def test_the_quadrature_does_not_depend_on_its_step(monkeypatch):
    coarse = [independent.private_failure(16, m, e, 0.2) for m, e in ((50, 0.1), (200, 1.0), (80, 20.0))]
    monkeypatch.setattr(independent, "STEP", 0.03)
    fine = [independent.private_failure(16, m, e, 0.2) for m, e in ((50, 0.1), (200, 1.0), (80, 20.0))]
    np.testing.assert_allclose(coarse, fine, atol=1e-10)


@pytest.mark.source("L4-rem-count-score", "L4-def-sensitivity")
@pytest.mark.parametrize("n_samples", [2, 4])
def test_the_count_has_sensitivity_one_and_the_error_rate_one_over_n(n_samples):
    table = experiments.sensitivities(n_samples)
    np.testing.assert_allclose(table["sensitivity"], [1, 1, 1 / n_samples, 1 / n_samples])


@pytest.mark.source("L4-private-erm", "DR11-alg-exp-mech-learner")
def test_the_audit_stays_below_epsilon_and_approaches_it_where_the_theorem_is_tight():
    table = experiments.learner_audit(1.0, [2, 6])
    last = table[table["n_samples"] == 6]["exact_epsilon"].tolist()
    assert (table["exact_epsilon"] < 1).all()
    assert 0.97 < last[0] < 1
    assert 0.48 < last[1] < 0.5
    assert 0.99 < last[2] < 1


@pytest.mark.source("S16-alg-3", "DR11-alg-exp-mech-learner")
def test_counting_and_averaging_give_one_law_and_a_wrong_average_is_noticed(monkeypatch):
    assert experiments.two_ways_to_score(0.7, 4) == 0
    wrong = privacy.empirical_error
    monkeypatch.setattr(privacy, "empirical_error", lambda *data: 1.01 * wrong(*data))
    assert experiments.two_ways_to_score(0.7, 4) > 0


@pytest.mark.source("L4-rem-count-score")
def test_the_score_compares_predictions_with_labels():
    hypotheses, (readings, labels) = base.ward()
    correct = (hypotheses.predict(readings) == labels).sum(axis=1)
    assert (privacy.correct_count(hypotheses, readings, labels) == correct).all()
    np.testing.assert_allclose(1 - correct / 8, privacy.empirical_error(hypotheses, readings, labels))


def test_all_mistakes_are_those_of_all_ordered_data_sets():
    hypotheses, (readings, labels) = base.ward()
    losses = (hypotheses.predict(readings) != labels).T.astype(int)
    brute = {tuple(losses[list(rows)].sum(axis=0)) for rows in product(range(8), repeat=3)}
    assert {tuple(row) for row in training.all_mistakes(3).tolist()} == brute


@pytest.mark.source("L4-private-erm-gap", "DR11-lem-empirical-utility")
@pytest.mark.parametrize("epsilon", [0.8, 3.0])
def test_on_no_data_set_is_the_training_error_far_from_the_least_more_often_than_beta(epsilon):
    for beta in (0.05, 0.3):
        gap = private_erm_gap(5, 10, epsilon, beta)
        assert experiments.worst_failure(10, epsilon, gap) <= beta
    curves = experiments.training_gap(10, [epsilon], 0.1).set_index("curve")["excess"]
    assert curves["exact, worst data set"] <= curves["bound"]
    below = experiments.worst_failure(10, epsilon, curves["exact, worst data set"] + 0.1)
    at = experiments.worst_failure(10, epsilon, curves["exact, worst data set"])
    assert below <= 0.1 < at
