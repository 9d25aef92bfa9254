"""Uniform convergence: inverse pairs, the one published constant, and bad input."""

import pytest

from privml.bounds import smallest_sample
from privml.bounds import tails as uc

GRID = [(h, a, b) for h in (1, 16, 10**6) for a in (0.5, 0.1, 0.007) for b in (0.3, 0.05, 1e-9)]
CONSTANTS = pytest.mark.parametrize("constant", ["hoeffding", "lecture"])


def sample_size(n_hypotheses, alpha, beta, **kinds):
    return smallest_sample(lambda m: uc.uniform_convergence_radius(n_hypotheses, m, beta, **kinds), alpha)


@pytest.mark.source("L4-thm-uniform-convergence", "DR11-lem-sampling-bound")
@CONSTANTS
@pytest.mark.parametrize(("n_hypotheses", "alpha", "beta"), GRID)
def test_radius_failure_and_sample_size_are_one_equation(n_hypotheses, alpha, beta, constant):
    size = sample_size(n_hypotheses, alpha, beta, constant=constant)
    failure = uc.uniform_convergence_failure(n_hypotheses, size, alpha, constant=constant)
    assert failure <= beta * (1 + 1e-9)
    radius = uc.uniform_convergence_radius(n_hypotheses, size, beta, constant=constant)
    at_radius = uc.uniform_convergence_failure(n_hypotheses, size, radius, constant=constant)
    assert at_radius == pytest.approx(beta, rel=1e-9)


@pytest.mark.source("L4-thm-uc-implies-agnostic", "DR11-lem-sampling-bound")
@pytest.mark.parametrize(("n_hypotheses", "alpha", "beta"), GRID)
def test_erm_needs_uniform_convergence_to_half_of_alpha(n_hypotheses, alpha, beta):
    size = smallest_sample(lambda m: uc.agnostic_erm_excess_error(n_hypotheses, m, beta), alpha)
    assert size == sample_size(n_hypotheses, alpha / 2, beta)


def test_bad_accuracies_and_constants_are_refused():
    with pytest.raises(ValueError, match="alpha must be positive"):
        uc.uniform_convergence_failure(3, 10, 0.0)
    with pytest.raises(ValueError, match="constant must be one of 'hoeffding', 'lecture'"):
        uc.uniform_convergence_radius(3, 10, 0.1, constant="chernoff")
