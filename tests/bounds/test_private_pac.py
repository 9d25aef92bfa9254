"""Private sample sizes of the three sources: printed formulas, inverse pairs, exact failure probabilities."""

import math
from functools import partial

import numpy as np
import pytest

from privml.bounds import private_pac, required_epsilon, required_sample_size, tails

GRID = [
    (h, e, a, b)
    for h in (2, 16, 10**5)
    for e in (0.01, 0.5, 5.0)
    for a in (0.3, 0.05)
    for b in (0.2, 1e-6)
]
SOURCES = ["thirds", "halves", "sum"]


def sample_size(source, n_hypotheses, epsilon, alpha, beta, **kinds):
    excess_error = partial(private_pac.private_pac_excess_error, proof=source)
    return required_sample_size(
        lambda m: excess_error(n_hypotheses, m, epsilon, beta=beta, **kinds), alpha
    )


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(("n_hypotheses", "epsilon", "alpha", "beta"), GRID)
def test_epsilon_and_excess_error_are_inverse(
    source, n_hypotheses, epsilon, alpha, beta
):
    """For the sample that an epsilon needs, it is enough, and the least is only a little smaller."""
    excess_error = partial(private_pac.private_pac_excess_error, proof=source)
    size = sample_size(source, n_hypotheses, epsilon, alpha, beta)
    found = required_epsilon(
        lambda e: excess_error(n_hypotheses, size, e, beta=beta), alpha
    )
    assert excess_error(n_hypotheses, size, found, beta=beta) <= alpha
    assert excess_error(n_hypotheses, size, found * (1 - 1e-9), beta=beta) > alpha
    assert found <= epsilon


@pytest.mark.source("L4-private-agnostic-pac", "S16-thm-0.3")
@pytest.mark.parametrize(("n_hypotheses", "epsilon", "alpha", "beta"), GRID)
def test_the_explicit_formulas_of_two_sources(n_hypotheses, epsilon, alpha, beta):
    four, two = math.log(4 * n_hypotheses / beta), math.log(2 * n_hypotheses / beta)
    l4 = max(27 * four / alpha**2, 6 * two / (alpha * epsilon))
    sharp = max(4.5 * four / alpha**2, 6 * two / (alpha * epsilon))
    s16 = max(8 * four / alpha**2, 4 * two / (alpha * epsilon))
    arguments = n_hypotheses, epsilon, alpha, beta
    assert sample_size("thirds", *arguments) == math.ceil(l4)
    assert sample_size("thirds", *arguments, constant="hoeffding") == math.ceil(sharp)
    assert sample_size("halves", *arguments) == math.ceil(s16)


def test_classes_too_large_for_a_float_have_sample_sizes():
    sizes = [sample_size("sum", 2**k, 1.0, 0.25, 0.1) for k in (1000, 2000, 4000)]
    assert 1.95 < sizes[1] / sizes[0] < sizes[2] / sizes[1] < 2


direct_excess = partial(private_pac.private_pac_excess_error, proof="moment")


def direct_size(n_hypotheses, epsilon, alpha, beta, excess=direct_excess):
    return required_sample_size(
        lambda m: excess(n_hypotheses, m, epsilon, beta=beta), alpha
    )


def least_exponent(epsilon, alpha):
    """Largest value of ``s alpha - s**2 / 2`` over the allowed powers, by brute force."""
    powers = np.linspace(0, epsilon / 2, 20_001)
    return float((powers * alpha - powers**2 / 2).max())


@pytest.mark.source("L4-private-agnostic-pac")
@pytest.mark.parametrize(("n_hypotheses", "epsilon", "alpha", "beta"), GRID)
def test_the_sample_size_optimises_the_exponent(n_hypotheses, epsilon, alpha, beta):
    size = direct_size(n_hypotheses, epsilon, alpha, beta)
    wanted = math.log(n_hypotheses / beta) / least_exponent(epsilon, alpha)
    assert size == pytest.approx(wanted, rel=1e-6, abs=1.5)


def test_above_twice_alpha_the_size_does_not_depend_on_epsilon():
    sizes = {direct_size(16, e, 0.1, 0.05) for e in (0.2, 0.3, 1.0, 50.0)}
    assert sizes == {math.ceil(2 * math.log(16 / 0.05) / 0.1**2)}
    assert direct_size(16, 0.19, 0.1, 0.05) > sizes.pop()


@pytest.mark.parametrize(("old", "new"), private_pac.FORMER_PROOFS.items())
def test_a_proof_may_still_be_named_by_its_source(old, new):
    assert private_pac.private_pac_excess_error(
        16, 900, 0.5, beta=0.05, proof=old
    ) == private_pac.private_pac_excess_error(16, 900, 0.5, beta=0.05, proof=new)
    with pytest.raises(ValueError, match="thirds"):
        private_pac.private_pac_excess_error(16, 900, 0.5, beta=0.05, proof="l5")


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 8.0])
@pytest.mark.parametrize("error", [0.05, 0.2])
def test_the_realizable_bound_holds_exactly_for_rivals_that_err_on_cells_of_their_own(
    epsilon, error
):
    """Each of two rivals of a perfect hypothesis errs on a cell of its own; all counts of mistakes are tried."""
    n_samples = 12
    drawn = 0.0
    for first in range(n_samples + 1):
        for second in range(n_samples + 1 - first):
            rest = n_samples - first - second
            ways = math.comb(n_samples, first) * math.comb(n_samples - first, second)
            chance = ways * error ** (first + second) * (1 - 2 * error) ** rest
            weights = np.exp(-epsilon * np.array([first, second]) / 2)
            drawn += chance * weights.sum() / (1 + weights.sum())
    beta = 3 * (1 - error * -math.expm1(-epsilon / 2)) ** n_samples
    assert drawn <= min(1.0, beta)
    if beta < 1:
        bound = private_pac.private_realizable_error(3, n_samples, epsilon, beta=beta)
        assert bound == pytest.approx(error)


@pytest.mark.parametrize(("n_hypotheses", "epsilon", "alpha", "beta"), GRID)
def test_realizable_sample_sizes_are_inverse_and_below_the_agnostic_ones(
    n_hypotheses, epsilon, alpha, beta
):
    bound = partial(private_pac.private_realizable_error, n_hypotheses, beta=beta)
    size = required_sample_size(lambda m: bound(m, epsilon), alpha)
    wanted = math.log(n_hypotheses / beta) / -math.log1p(
        alpha * math.expm1(-epsilon / 2)
    )
    assert size == math.ceil(wanted)
    assert size <= direct_size(n_hypotheses, epsilon, alpha, beta)
    free = required_sample_size(
        lambda m: tails.realizable_erm_error(n_hypotheses, m, beta), alpha
    )
    assert free == math.ceil(math.log(n_hypotheses / beta) / -math.log1p(-alpha))
    assert free <= size
