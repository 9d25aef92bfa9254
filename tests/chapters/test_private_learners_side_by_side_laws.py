"""Exact losses of privacy on a line: the promises hold on all neighbours, and what is too good does not."""

from itertools import product
from math import log1p

import numpy as np
import pytest
from scipy.integrate import quad

from book.tools.programme import tangled
from privml.learners import perturbation

CHAPTER = tangled("private-learners-side-by-side")
objective_logpdf, line_minimiser = CHAPTER.objective_logpdf, CHAPTER.line_minimiser
ROWS = np.linspace(-1.0, 1.0, 9)
GRID = np.concatenate([-np.logspace(2, -4, 1500), [0.0], np.logspace(-4, 2, 1500)])


def laplace(scale):
    return lambda b: perturbation.RadialLaplace(1, scale).logpdf(b[:, None])


def worst_loss(datasets, loss, total, log_noise):
    """Largest privacy loss over datasets that differ in their last row, at the points of the grid."""
    laws = [objective_logpdf(GRID, rows, loss, total, log_noise) for rows in datasets]
    return max(float((p - q).max()) for p, q in product(laws, repeat=2))


@pytest.mark.parametrize("slope", [0.25, 0.5, 1.0])
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_objective_perturbation_keeps_its_promise_on_a_line(slope, epsilon):
    loss = perturbation.CutLogisticLoss(slope)
    for total in (0.01, 0.5, 5.0):
        budget = perturbation.tilt_budget(epsilon, total, loss.smoothness)
        noise = laplace(2 * slope / budget.epsilon)
        for others in ([], [1.0], [-1.0, 0.3]):
            found = worst_loss([[*others, row] for row in ROWS], loss, budget.total, noise)
            assert found <= epsilon + 1e-12


def test_a_tilt_of_half_the_size_breaks_the_promise():
    loss = perturbation.CutLogisticLoss(0.5)
    budget = perturbation.tilt_budget(1.0, 5.0, loss.smoothness)
    assert worst_loss([[row] for row in ROWS], loss, budget.total, laplace(0.5 / budget.epsilon)) > 1.5


def test_without_the_share_of_the_determinant_the_promise_breaks():
    loss = perturbation.CutLogisticLoss(1.0)
    found = worst_loss([[-0.02, row] for row in (-1.0, -0.02, 0.02, 1.0)], loss, 0.05, laplace(2.0 / 1.0))
    assert found > 1.0


def test_the_determinant_costs_at_most_one_logarithm_and_can_cost_nearly_that():
    loss, total = perturbation.CutLogisticLoss(1.0), 0.5
    flat = worst_loss([[row] for row in ROWS], loss, total, lambda b: np.zeros_like(b))
    assert flat == pytest.approx(log1p(loss.smoothness / total), rel=1e-9)


@pytest.mark.parametrize("rows", [[1.0], [0.5, -1.0, 1.0]])
def test_the_density_integrates_to_one(rows):
    def density(w):
        return np.exp(objective_logpdf([w], rows, perturbation.CutLogisticLoss(), 0.7, laplace(1.5))[0])

    pieces = ((-200, -2), (-2, 0), (0, 2), (2, 200))
    total = sum(quad(density, low, high, limit=300)[0] for low, high in pieces)
    assert total == pytest.approx(1.0, abs=1e-7)


def test_no_replaced_record_moves_the_minimiser_by_more_than_the_sensitivity():
    loss = perturbation.CutLogisticLoss(0.5)
    for others, strength in product(([], [0.4], [-1.0, 1.0, 1.0]), (0.05, 0.5, 5.0)):
        n = len(others) + 1
        found = [line_minimiser([*others, row], loss, n * strength) for row in ROWS]
        assert max(found) - min(found) <= perturbation.output_sensitivity(n, strength) * (1 + 1e-12)


def test_the_sensitivity_is_attained_where_all_records_lie_on_the_line():
    n, strength = 101, 2.0
    half = [1.0, -1.0] * 50
    far = [
        line_minimiser([*half, row], perturbation.CutLogisticLoss(0.5), n * strength) for row in (1.0, -1.0)
    ]
    assert abs(far[0] - far[1]) > 0.9 * perturbation.output_sensitivity(n, strength)
    assert abs(far[0] - far[1]) <= perturbation.output_sensitivity(n, strength)


def test_the_density_is_that_of_the_fitted_weights():
    from privml.learners import ObjectivePerturbation

    X, y = np.array([[1.0], [-0.5], [0.8], [0.3]]), np.array([True, False, False, True])
    learner = ObjectivePerturbation(2.0, strength=0.3)
    drawn = np.array([learner.fit(X, y, rng=seed).coef_[0, 0] for seed in range(800)])
    budget = perturbation.tilt_budget(2.0, 4 * 0.3)
    rows = X[:, 0] * np.where(y, 1, -1)

    def below(edge):
        def density(w):
            law = laplace(1 / budget.epsilon)
            return np.exp(objective_logpdf([w], rows, perturbation.CutLogisticLoss(), budget.total, law)[0])

        return quad(density, -40, edge, limit=300, points=[0.0] if edge > 0 else None)[0]

    for edge in (-2.0, 0.5, 2.0):
        expected = below(edge)
        tolerance = 4 * np.sqrt(expected * (1 - expected) / len(drawn))
        assert (drawn < edge).mean() == pytest.approx(expected, abs=tolerance)
