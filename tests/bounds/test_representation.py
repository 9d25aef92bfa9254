"""Public finite sets of hypotheses: the bound against exact risks, covers, and inverses."""

from itertools import product
from math import log

import numpy as np
import pytest

from privml.bounds.private_pac import representation_excess_risk
from privml.hypotheses import Table, vc_dimension_by_brute_force
from privml.learners.exponential import exponential_mistake_learner
from privml.pac import expected_excess_error
from privml.populations import FinitePopulation
from tests.refusals import refused


@pytest.mark.source("WLF16-ex-23", "WLF16-ex-24")
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 8.0])
@pytest.mark.parametrize("n_samples", [4, 16])
def test_the_bound_holds_for_the_exact_expected_risk_of_random_classes(
    n_samples, epsilon
):
    rng = np.random.default_rng(0)
    for _ in range(10):
        table = Table(rng.integers(0, 2, size=(6, 3)).astype(bool))
        population = FinitePopulation(
            np.arange(3), rng.integers(0, 2, 3) > 0, rng.dirichlet(np.ones(3))
        )
        budgets = [epsilon * share for share in (1.0, 0.5, 0.25, 0.1)]
        laws = map(exponential_mistake_learner, budgets)
        best = min(
            expected_excess_error(law, table, population, n_samples) for law in laws
        )
        assert best <= representation_excess_risk(n_samples, epsilon, log(6))


@pytest.mark.source("WLF16-ex-23", "WLF16-ex-24")
def test_the_bound_is_the_smaller_of_privacy_and_uniform_convergence():
    for n_samples, epsilon, log_size in product(
        (10, 1000, 10**6), (0.01, 0.3, 5.0), (0.7, 5.0, 40.0)
    ):
        grid = np.geomspace(1e-5, epsilon, 4001)
        private = (2 * log_size / (n_samples * grid) + np.tanh(grid / 4)).min()
        uniform = 2 * log_size / (n_samples * epsilon) + np.sqrt(
            log_size / (2 * n_samples)
        )
        found = representation_excess_risk(n_samples, epsilon, log_size)
        assert found == pytest.approx(min(private, uniform), rel=0.03)
        assert found <= uniform


test_bad_parameters_raise = refused(
    lambda: representation_excess_risk(5, 1.0, -1.0), words="must"
)


@pytest.mark.erratum("LZCW21-rem-public-lower-bound")
@pytest.mark.parametrize("dimension", [2, 3, 4])
def test_how_many_public_points_are_needed_does_not_grow_with_the_dimension(dimension):
    thresholds = np.arange(9) >= np.arange(10)[:, None]
    rules = np.array(list(product([False, True], repeat=dimension - 1)))
    glued = np.array([np.append(a, b) for a in thresholds for b in rules])
    assert vc_dimension_by_brute_force(glued) == dimension
    public = [1, 4, 6]  # of the line only, for every dimension
    _, first = np.unique(thresholds[:, public], axis=0, return_index=True)
    kept = np.array([np.append(a, b) for a in thresholds[first] for b in rules])
    assert len(kept) == 4 * 2 ** (dimension - 1)
    apart = (glued[:, None] != kept).sum(axis=2).min(axis=1)
    assert apart.max() <= 2  # the largest gap holds two of the nine points
