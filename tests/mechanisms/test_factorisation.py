"""Correlated noise from a factorisation: exact moves, exact variances, and bounds compared with exact laws."""

from fractions import Fraction
from itertools import product
from math import comb, exp, log, sqrt

import mpmath
import numpy as np
import pytest
from scipy.stats import norm

from privml.adjacency import Adjacency, neighbouring_datasets
from privml.distributions import DiscreteGaussian, DiscreteLaplace
from privml.divergences.integers import discrete_gaussian_log_delta
from privml.mechanisms import (
    FactorisationMechanism,
    square_root_strategy,
    tree_strategy,
)
from privml.mechanisms.factorisation import _gaussian_variance

REPLACE, ADD = Adjacency
STRATEGIES = {"tree": tree_strategy, "root": square_root_strategy, "days": np.eye}
EVERY_STRATEGY = pytest.mark.parametrize("kind", STRATEGIES)


def made(n, kind, **named):
    named = {"epsilon": 1.0} | named
    return FactorisationMechanism(
        workload=np.tri(n), strategy=STRATEGIES[kind](n), **named
    )


@pytest.mark.parametrize("n", [1, 2, 7, 8, 50])
def test_the_strategies_are_blocks_and_a_square_root(n):
    blocks = [
        [float(k * length <= j < (k + 1) * length) for j in range(n)]
        for length in (2**i for i in range(n.bit_length()))
        for k in range(n // length)
    ]
    np.testing.assert_array_equal(tree_strategy(n), blocks)
    root = square_root_strategy(n)
    exact = [float(Fraction(comb(2 * k, k), 4**k)) for k in range(n)]
    np.testing.assert_allclose(root[:, 0], exact, rtol=1e-14)
    np.testing.assert_allclose(root @ root, np.tri(n), atol=1e-12)


def moves(mechanism, n):
    """Changes of the drawn integers between all neighbours of two records, each in a cell or in none."""
    counts = np.vstack([np.zeros(n, dtype=int), np.eye(n, dtype=int)])
    first, second, pairs = neighbouring_datasets(
        np.arange(n + 1), 2, adjacency=mechanism.adjacency
    )

    def drawn(rows):
        value = counts[rows].sum(axis=0)
        return mechanism.output_distribution(value).marginals.location.tolist()

    for i, j in pairs:
        yield [a - b for a, b in zip(drawn(first[i]), drawn(second[j]), strict=True)]


@EVERY_STRATEGY
@pytest.mark.parametrize("adjacency", Adjacency, ids=str)
@pytest.mark.parametrize("n", [1, 2, 5])
def test_the_noise_is_made_for_the_longest_move_of_all_neighbours(n, adjacency, kind):
    laplace = made(n, kind, epsilon=0.7, adjacency=adjacency)
    longest = max(sum(map(abs, move)) for move in moves(laplace, n))
    assert laplace.noise.scale == longest / Fraction(0.7)
    gaussian = made(n, kind, epsilon=0.7, delta=1e-6, adjacency=adjacency)
    squared = max(sum(x * x for x in move) for move in moves(gaussian, n))
    assert gaussian.concentrated.rho == pytest.approx(
        squared / (2 * float(gaussian.noise.variance)), rel=1e-14
    )
    # Gaussian noise is within a millionth of the least for real numbers.
    least = _gaussian_variance(0.7, 1e-6, squared, len(gaussian.strategy))
    assert gaussian.noise.variance == least
    assert laplace.concentrated == laplace.guarantee.as_concentrated()


def test_a_neighbouring_relation_changes_what_a_record_moves():
    """Of eight days: four blocks are entered, or three are left and three entered, the longest one stays."""
    unit = 2**21 / made(8, "tree")._steps.max()
    assert unit in (2, 4)
    scales = [
        made(8, "tree", adjacency=relation).noise.scale * unit / 2**21
        for relation in (ADD, REPLACE)
    ]
    assert scales == [4, 6]


@pytest.mark.parametrize(
    ("epsilon", "delta"),
    [(0.1, 1e-3), (0.3, 0.1), (1.0, 1e-5), (1.0, 1e-12), (5.0, 1e-12), (30.0, 1e-300)],
)
def test_the_variance_for_coarse_steps_keeps_the_claim_by_the_exact_curve(
    epsilon, delta
):
    """With steps as coarse as the moves, where rounding takes most."""
    for shift in ((1,), (1, 1), (2, 1), (1, 1, 1)):
        squared = sum(s * s for s in shift)
        variance = _gaussian_variance(epsilon, delta, squared, len(shift))
        exact = discrete_gaussian_log_delta(epsilon, shift, variance)
        assert exact <= log(delta)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 40.0])
@pytest.mark.parametrize("delta", [0.3, 1e-5, 1e-12])
def test_one_sum_spends_its_delta_and_no_more_by_the_exact_curve(epsilon, delta):
    mechanism = made(1, "days", epsilon=epsilon, delta=delta)
    moved = int(mechanism.output_distribution([1]).marginals.location[0])
    exact = discrete_gaussian_log_delta(epsilon, moved, mechanism.noise.variance)
    assert log(delta) * (1 + 1e-3) - 1e-3 <= exact <= log(delta)


@EVERY_STRATEGY
@pytest.mark.parametrize("delta", [0.0, 1e-6])
@pytest.mark.parametrize("n", [1, 6, 33])
def test_the_answers_are_unbiased_and_their_variances_exact(n, delta, kind):
    mechanism = made(n, kind, epsilon=0.5, delta=delta)
    counts = np.arange(n) ** 2
    sums = mechanism.output_distribution(counts).marginals.location
    np.testing.assert_allclose(
        mechanism.estimates(sums), np.cumsum(counts), rtol=1e-9, atol=1e-9
    )
    # The law of one noise, and the errors of least squares, in another way.
    if delta:
        variance = float(mechanism.noise.variance)  # that of the law, for fine steps
    else:
        decay = mpmath.exp(-1 / mpmath.mpf(float(mechanism.noise.scale)))
        variance = float(2 * decay / (1 - decay) ** 2)
    steps = mechanism._steps
    answers = np.linalg.lstsq(steps, np.eye(len(steps)), rcond=None)[0]
    left = np.cumsum(answers, axis=0)
    np.testing.assert_allclose(
        mechanism.covariance, variance * left @ left.T, rtol=1e-6, atol=1e-6 * variance
    )
    rows = np.random.default_rng(1).normal(size=(1, n))
    drawn = [float(rows[0] @ mechanism.release(counts, rng=seed)) for seed in range(64)]
    deviation = sqrt(float(rows[0] @ mechanism.covariance @ rows[0]))
    assert abs(np.mean(drawn) - rows[0] @ np.cumsum(counts)) <= 5 * deviation / 8
    assert np.std(drawn) == pytest.approx(deviation, rel=0.4)


def test_least_squares_from_the_tree_beats_the_sums_of_blocks():
    """By the chapter, the totals of eight days need up to three blocks, of variance 4 at mu = 1."""
    mechanism = made(8, "tree", epsilon=1.0, delta=1e-6, adjacency=ADD)
    lengths = np.diag(mechanism.covariance) / np.diag(mechanism.covariance).max()
    blocks = np.array([t.bit_count() for t in range(1, 9)])
    relative = np.diag(mechanism.covariance) / float(mechanism.noise.variance)
    unit = mechanism._steps.max() ** 2
    assert (relative * unit <= blocks + 1e-9).all()
    assert lengths.min() > 0.3


def exact_tail(weights, scale, reach):
    """P(sum of weighted Laplace noises > reach), for distinct weights, by partial fractions."""
    with mpmath.workdps(60):
        sizes = [mpmath.mpf(float(abs(w))) for w in weights]
        tail = mpmath.mpf(0)
        for i, one in enumerate(sizes):
            factor = mpmath.mpf(1)
            for j, other in enumerate(sizes):
                if i != j:
                    factor *= one**2 / (one**2 - other**2)
            tail += factor / 2 * mpmath.exp(-mpmath.mpf(reach) / (one * scale))
        return float(tail)


@pytest.mark.parametrize("beta", [0.5, 0.05, 1e-6, 1e-40])
def test_the_intervals_of_laplace_noise_hold_by_the_exact_tail(beta):
    mechanism = made(5, "root", epsilon=0.4)
    combinations = np.array([[0, 0, 0, 0, 1.0], [1, -2, 0.5, 3, 1], [1, 0, 0, 0, 0]])
    widths = mechanism.half_widths(combinations, beta)
    for row, width in zip(combinations, widths, strict=True):
        weights = row @ mechanism._reconstruction
        weights = weights[np.abs(weights) > 1e-9 * np.abs(weights).max()]
        scale = float(mechanism.noise.scale)
        assert 2 * exact_tail(weights, scale, width) <= beta
        assert 2 * exact_tail(weights, scale, 0.65 * width) > beta


@pytest.mark.parametrize("beta", [0.5, 0.05, 1e-6, 1e-300])
def test_the_intervals_of_gaussian_noise_are_the_quantiles(beta):
    mechanism = made(9, "tree", epsilon=0.4, delta=1e-6)
    widths = mechanism.half_widths(np.eye(9), beta)
    exact = -norm.ppf(beta / 2) * np.sqrt(np.diag(mechanism.covariance))
    rounding = np.abs(mechanism._reconstruction).sum(axis=1) / 2
    assert (widths >= exact + rounding).all()
    np.testing.assert_allclose(widths, exact, rtol=1e-5)


@pytest.mark.parametrize("variance", [0.3, 1, 4, 30])
def test_the_lemma_that_compares_discrete_noise_with_rounded_gaussian_noise(variance):
    k = np.arange(-200, 201)
    discrete = DiscreteGaussian(variance=Fraction(variance)).logpmf(k)
    sigma = sqrt(variance)
    with mpmath.workdps(50):
        for place, log_probability in zip(k.tolist(), discrete.tolist(), strict=True):
            # In the lower tail, where nothing cancels.
            low, high = (-abs(place) + side for side in (-0.5, 0.5))
            rounded = mpmath.ncdf(high / sigma) - mpmath.ncdf(low / sigma)
            if rounded > 0:
                assert log_probability <= mpmath.log(rounded) + 1 / (
                    24 * mpmath.mpf(variance)
                ) + mpmath.mpf(1e-9)


def test_noise_on_any_answers_is_possible_where_the_sums_tell_them():
    """Both halves and the whole, from the halves alone: their columns are not independent, and need not be."""
    halves = np.array([[1, 1, 0, 0], [0, 0, 1, 1]])
    workload = np.vstack([halves, np.ones(4)])
    mechanism = FactorisationMechanism(workload=workload, strategy=halves, epsilon=1e6)
    np.testing.assert_allclose(
        mechanism.release([1, 2, 3, 4], rng=0), [3, 7, 10], atol=1e-3
    )
    scaled = FactorisationMechanism(
        workload=workload, strategy=1e-40 * halves, epsilon=1.0
    )
    plain = FactorisationMechanism(workload=workload, strategy=halves, epsilon=1.0)
    np.testing.assert_allclose(scaled.covariance, plain.covariance)


def test_public_matrices_cannot_be_changed_later():
    strategy = np.eye(2)
    mechanism = FactorisationMechanism(
        workload=np.tri(2), strategy=strategy, epsilon=1.0
    )
    strategy[0, 0] = 100
    assert mechanism.strategy[0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        mechanism.strategy[0, 0] = 100


def test_pure_noise_on_the_steps_is_exact_at_small_scales():
    mechanism = made(3, "tree", epsilon=40.0)
    law = mechanism.noise
    assert isinstance(law, DiscreteLaplace)
    moved = float(law.scale * 40)
    assert float(law.logpmf(0) - law.logpmf(int(moved))) == pytest.approx(40.0)
    assert exp(-40) > 0


TREE = tree_strategy(4)
REFUSED = [
    ({"epsilon": 0.0}, "epsilon must be positive"),
    ({"delta": 1.0}, "delta must be"),
    ({"epsilon": 1e-12, "delta": 1e-300}, "epsilon must"),
    ({"epsilon": 1e-300, "delta": 1e-300}, "epsilon must"),
    ({"workload": np.ones(4)}, "workload must be a matrix"),
    ({"workload": np.ones((1, 3))}, "workload must have as many columns"),
    ({"strategy": np.ones((1, 4))}, "combinations of the rows of the strategy"),
    ({"strategy": np.full((4, 4), np.nan)}, "strategy must have entries"),
    ({"strategy": 1e60 * TREE}, "strategy must have entries"),
    ({"adjacency": "neighbours"}, "adjacency must"),
]


@pytest.mark.parametrize(("named", "message"), REFUSED)
def test_what_cannot_be_promised_is_refused(named, message):
    given = {"workload": np.tri(4), "strategy": TREE, "epsilon": 1.0} | named
    with pytest.raises(ValueError, match=message):
        FactorisationMechanism(**given)


def test_values_of_the_wrong_kind_are_refused_without_being_shown():
    mechanism = made(4, "tree")
    for value in ([1, 2, 3], 7, [0.5, 1, 2, 3], [2**61, 2**61, 2**61, 2**61]):
        with pytest.raises(ValueError, match="value must") as refusal:
            mechanism.release(value)
        assert "61" not in str(refusal.value).replace("2^62", "")
    with pytest.raises(ValueError, match="beta must"):
        mechanism.half_widths(np.eye(4), 0.0)


@pytest.mark.parametrize("delta", [0.0, 1e-3])
def test_two_cells_at_all_neighbours_by_the_law_that_is_drawn(delta):
    """The drawn integers are the rounded strategy times the counts, with independent noise of one law."""
    mechanism = made(2, "root", delta=delta)
    for value in product(range(3), repeat=2):
        law = mechanism.output_distribution(list(value))
        assert type(law.marginals) is type(mechanism.noise)
        expected = [2 * value[0], value[0] + 2 * value[1]]
        unit = mechanism._steps.max()
        np.testing.assert_allclose(law.marginals.location / unit * 2, expected)


def test_a_small_row_of_the_workload_must_be_a_combination_too():
    """Beside a large row its residual is small, but the answer would be 0 whatever the counts are."""
    with pytest.raises(ValueError, match="combinations of the rows of the strategy"):
        FactorisationMechanism(
            workload=[[1, 0], [0, 1e-7]], strategy=[[1, 0]], epsilon=1.0
        )


@pytest.mark.parametrize("epsilon", [1e12, 1e15, 2**62])
def test_for_any_epsilon_the_variance_is_that_of_the_law(epsilon):
    """A discrete Gaussian law with a small parameter has a much smaller variance than that."""
    mechanism = made(3, "tree", epsilon=epsilon, delta=1e-300)
    k = np.arange(-100, 101)
    exact = float(k**2 @ np.exp(mechanism.noise.logpmf(k)))
    assert exact == pytest.approx(float(mechanism.noise.variance), rel=1e-12)
