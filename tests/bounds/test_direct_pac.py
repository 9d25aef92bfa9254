"""Private sample sizes by one exponential moment: closed forms, inverse pairs, exact failure rates."""

import math
from functools import partial

import numpy as np
import pytest

from privml.bounds import private_pac, smallest_sample

GRID = [
    (h, e, a, b) for h in (2, 16, 10**5) for e in (0.01, 0.5, 5.0) for a in (0.3, 0.05) for b in (0.2, 1e-6)
]
direct_excess = partial(private_pac.private_pac_excess_error, proof="direct")


def sample_size(n_hypotheses, epsilon, alpha, beta, excess=direct_excess):
    return smallest_sample(lambda m: excess(n_hypotheses, m, epsilon, beta=beta), alpha)


def least_exponent(epsilon, alpha):
    """Largest value of ``s alpha - s**2 / 2`` over the allowed powers, by brute force."""
    powers = np.linspace(0, epsilon / 2, 20_001)
    return float((powers * alpha - powers**2 / 2).max())


@pytest.mark.source("L4-private-agnostic-pac")
@pytest.mark.parametrize(("n_hypotheses", "epsilon", "alpha", "beta"), GRID)
def test_the_sample_size_optimises_the_exponent(n_hypotheses, epsilon, alpha, beta):
    size = sample_size(n_hypotheses, epsilon, alpha, beta)
    wanted = math.log(n_hypotheses / beta) / least_exponent(epsilon, alpha)
    assert size == pytest.approx(wanted, rel=1e-6, abs=1.5)


def test_above_twice_alpha_the_size_does_not_depend_on_epsilon():
    sizes = {sample_size(16, e, 0.1, 0.05) for e in (0.2, 0.3, 1.0, 50.0)}
    assert sizes == {math.ceil(2 * math.log(16 / 0.05) / 0.1**2)}
    assert sample_size(16, 0.19, 0.1, 0.05) > sizes.pop()
