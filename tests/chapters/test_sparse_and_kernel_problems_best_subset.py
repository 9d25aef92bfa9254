"""Best subset selection: sizes of samples, the split of epsilon, and the errata of Example 22."""

from itertools import combinations, product
from math import comb, log, sqrt

import numpy as np
import pytest

from book.tools.programme import tangled
from privml.distributions import Categorical
from privml.learners.best_subset import coefficient_lattice, subset_risks, two_stage_law
from privml.learners.penalised_erm import Ball, LogisticLoss, PenalisedRisk, SquaredLoss, penalised_law
from tests.measure_ratios import log_measure_ratio

best_subset_gap = tangled("sparse-and-kernel-problems").best_subset_gap
SIZES = {"n_features": 30, "n_selected": 3, "fit_cost": log(200)}


@pytest.mark.source("WLF16-ex-22")
def test_the_gap_bounds_the_exact_one_for_random_risks_and_the_worst_case_is_not_far():
    rng, ratios = np.random.default_rng(0), []
    for n_samples, epsilon, share in product((5, 50), (0.3, 2.0), (None, 0.3, 0.7)):
        risks = rng.choice([0.0, 1.0], p=[0.05, 0.95], size=(comb(6, 2), 11)) * rng.uniform()
        if share is None:
            law = penalised_law(np.ravel(risks), n_samples, epsilon)
        else:
            law = two_stage_law(risks, n_samples, share * epsilon, (1 - share) * epsilon)
        exact = law.pmf() @ risks.ravel() - risks.min()
        sizes = {"n_features": 6, "n_selected": 2, "fit_cost": log(11)}
        bound = best_subset_gap(n_samples, epsilon, share=share, **sizes)
        assert exact <= bound
        ratios.append(exact / bound)
    assert max(ratios) > 0.1


@pytest.mark.source("WLF16-ex-22")
def test_the_share_is_best_and_one_stage_is_never_worse():
    a, b = log(comb(30, 3)), log(200)
    best = sqrt(a) / (sqrt(a) + sqrt(b))
    at_best = best_subset_gap(100, 1.0, share=best, **SIZES)
    grid = [best_subset_gap(100, 1.0, share=share, **SIZES) for share in np.linspace(0.02, 0.98, 97)]
    assert at_best <= min(grid)
    assert at_best == pytest.approx(2 / 100 * (sqrt(a) + sqrt(b)) ** 2)
    assert best_subset_gap(100, 1.0, **SIZES) == pytest.approx(2 / 100 * (a + b))


def test_the_gap_is_that_of_gibbs_for_each_stage():
    law = penalised_law(np.r_[0.0, np.full(99, 0.3)], 10, 0.5)
    exact = law.pmf() @ np.r_[0.0, np.full(99, 0.3)]
    assert exact <= best_subset_gap(10, 0.5, n_features=100, n_selected=1, fit_cost=0.0)
    assert exact > 0.15 * best_subset_gap(10, 0.5, n_features=100, n_selected=1, fit_cost=0.0)


@pytest.mark.source("WLF16-ex-22")
@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_the_lattice_is_in_the_ball_and_no_point_of_the_ball_is_far_from_it(dimension):
    lattice = coefficient_lattice(dimension, 2.0, 5)
    assert np.linalg.norm(lattice, axis=1).max() <= 2.0 + 1e-12
    assert len(np.unique(lattice, axis=0)) == len(lattice)
    points = Ball(dimension, 2.0)._gaussians(np.zeros(dimension), 1.0, 1000, np.random.default_rng(0))
    apart = np.linalg.norm(points[:, None] - lattice, axis=2).min(axis=1)
    assert apart.max() <= 2.0 / 5 * sqrt(dimension)
    assert apart.max() > 0.4 * 2.0 / 5


@pytest.mark.source("WLF16-ex-22")
def test_a_lattice_costs_at_most_its_gap():
    rng = np.random.default_rng(1)
    X, y = rng.uniform(-0.7, 0.7, size=(30, 2)), rng.uniform(-1, 1, size=30)
    fine, coarse = (
        subset_risks(X, y, [[0, 1]], coefficient_lattice(2, 1.0, cells)).min() for cells in (60, 3)
    )
    lipschitz = SquaredLoss().lipschitz(1.0)
    assert 0 < coarse - fine <= lipschitz / 3 * sqrt(2)


@pytest.mark.source("WLF16-ex-22")
@pytest.mark.parametrize("loss", [LogisticLoss(), SquaredLoss()])
def test_with_a_convex_loss_a_draw_from_the_ball_costs_its_dimension(loss):
    """Both stages on the supports of three features, the second by quadrature on the disc."""
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(40, 3)) / 2, rng.choice([-1.0, 1.0], size=40)
    X /= np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1.0)
    H, weights = Ball(2, 1.5).nodes(40)
    risks = [PenalisedRisk(X[:, S], y, loss, Ball(2, 1.5)).value(H) for S in combinations(range(3), 2)]
    least, width = np.array([values.min() for values in risks]), loss.oscillation(1.5)
    for epsilon in (0.5, 5.0, 50.0):
        first = penalised_law(least, 40, epsilon / 2, loss_range=width).pmf()
        rate = epsilon / 2 * 40 / (2 * width)
        second = [Categorical(np.log(weights) - rate * values).pmf() @ values for values in risks]
        exact = first @ np.array(second) - least.min()
        bound = best_subset_gap(
            40, epsilon, n_features=3, n_selected=2, fit_cost=2.0, oscillation=width, share=0.5
        )
        assert exact <= bound
    assert exact > 0.2 * bound


@pytest.mark.erratum("WLF16-ex-22/1")
@pytest.mark.parametrize("dimension", [1, 2])
def test_in_the_second_stage_the_sublevel_sets_shrink_like_a_power_of_t(dimension):
    """On a ball rho is the size of the support, not 0: ten times lower, 10^s times rarer."""
    risk = PenalisedRisk(np.eye(dimension), np.zeros(dimension), SquaredLoss(), Ball(dimension))
    H, weights = risk.domain.nodes(600)
    cone = np.sqrt(risk.value(H) * dimension)  # the norm of h, 1-Lipschitz
    ratios = [float(log_measure_ratio(cone, t, weights)) for t in (0.5, 0.05)]
    assert ratios[1] - ratios[0] == pytest.approx(dimension * log(10), rel=0.03)


@pytest.mark.erratum("WLF16-ex-22/2")
def test_the_lipschitz_constant_enters_by_its_logarithm():
    """The sum of the two stages, on a lattice as fine as 1/n: with L a million times larger, 14 s more."""

    def total(lipschitz, n_samples=10**6, n_selected=3):
        points = n_selected * log(2 * n_samples * lipschitz + 1)
        return best_subset_gap(
            n_samples, 1.0, n_features=50, n_selected=n_selected, fit_cost=points, share=0.5
        )

    added = (total(10.0**6) - total(1.0)) * 10**6 / 4
    assert added == pytest.approx(3 * log(10**6), rel=1e-6)
    assert added < 3 * 10**6 / 10**4
