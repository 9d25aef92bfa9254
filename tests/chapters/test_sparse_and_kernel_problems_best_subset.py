"""Best subset selection: sizes of samples, the split of epsilon, and the errata of Example 22."""

from math import comb, log, sqrt

import numpy as np
import pytest

from book.tools.programme import tangled
from privml.learners.best_subset import coefficient_lattice, subset_risks
from privml.learners.penalised_erm import Ball, PenalisedRisk, SquaredLoss
from tests.measure_ratios import log_measure_ratio

best_subset_gap = tangled("sparse-and-kernel-problems").best_subset_gap
SIZES = {"n_features": 30, "n_selected": 3, "fit_cost": log(200)}


@pytest.mark.source("WLF16-ex-22")
def test_the_share_is_best_and_one_stage_is_never_worse():
    a, b = log(comb(30, 3)), log(200)
    best = sqrt(a) / (sqrt(a) + sqrt(b))
    at_best = best_subset_gap(100, 1.0, share=best, **SIZES)
    grid = [best_subset_gap(100, 1.0, share=share, **SIZES) for share in np.linspace(0.02, 0.98, 97)]
    assert at_best <= min(grid)
    assert at_best == pytest.approx(2 / 100 * (sqrt(a) + sqrt(b)) ** 2)
    assert best_subset_gap(100, 1.0, **SIZES) == pytest.approx(2 / 100 * (a + b))


@pytest.mark.source("WLF16-ex-22")
def test_a_lattice_costs_at_most_its_gap():
    rng = np.random.default_rng(1)
    X, y = rng.uniform(-0.7, 0.7, size=(30, 2)), rng.uniform(-1, 1, size=30)
    fine, coarse = (
        subset_risks(X, y, [[0, 1]], coefficient_lattice(2, 1.0, cells)).min() for cells in (60, 3)
    )
    lipschitz = SquaredLoss().lipschitz(1.0)
    assert 0 < coarse - fine <= lipschitz / 3 * sqrt(2)


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
