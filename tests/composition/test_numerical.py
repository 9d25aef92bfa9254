"""Numerical composition is never below the exact values, and close to them."""

import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from privml.adjacency import Adjacency
from privml.composition import (
    finite_loss,
    gaussian_loss,
    laplace_loss,
    numerical_composition,
    optimal_epsilon,
)
from privml.divergences import PrivacyCurve, gaussian_epsilon
from privml.guarantee import Guarantee, concentrated_epsilon, laplace_rho

ADD = Adjacency.ADD_OR_REMOVE_ONE


@pytest.mark.parametrize(("mu", "k"), [(0.02, 1000), (1.0, 1), (0.3, 10)])
@pytest.mark.parametrize("delta", [1e-2, 1e-6])
def test_gaussian_noise_is_as_exact(mu, k, delta):
    found = numerical_composition(gaussian_loss(mu, k), delta=delta).epsilon
    exact = gaussian_epsilon(delta, mu * math.sqrt(k))
    assert exact <= found + 1e-9
    assert found == pytest.approx(exact, abs=2e-4)


@pytest.mark.parametrize("seed", range(5))
def test_a_finite_pair_keeps_its_whole_curve(seed):
    rng = np.random.default_rng(seed)
    p, q = np.log(rng.dirichlet(np.ones(4), size=2))
    loss = finite_loss(p, q, interval=1e-2)
    for epsilon in (0.0, 0.123, 0.5, 1.0):
        exact = max(PrivacyCurve.between(a, b).delta(epsilon) for a, b in ((p, q), (q, p)))
        found = loss.delta(epsilon)
        assert exact - 1e-14 <= found <= exact + 1e-4


def test_outcomes_of_infinite_loss_are_kept():
    with np.errstate(divide="ignore"):
        p, q = np.log([0.2, 0.8, 0.0]), np.log([0.3, 0.6, 0.1])
    for pair in ((p, q), (q, p)):
        assert finite_loss(*pair, 2).delta(50.0) == pytest.approx(1 - 0.9**2)
    with pytest.raises(ValueError, match="delta must exceed the mass of infinite losses"):
        numerical_composition(finite_loss(p, q, 2), delta=0.1)


@pytest.mark.parametrize(("step", "k"), [(0.05, 1000), (0.33, 40)])
def test_randomised_response_off_and_on_the_grid(step, k):
    keep = 1 / (1 + math.exp(-step))
    p = np.log([keep, 1 - keep])
    exact = optimal_epsilon(step, k, 1e-5)
    for interval in (1e-4, 1.7e-3):
        found = numerical_composition(finite_loss(p, p[::-1], k, interval=interval), delta=1e-5).epsilon
        assert exact - 1e-9 <= found <= exact + 0.01


def test_laplace_noise_lies_between_its_own_moments_and_the_optimum_for_its_epsilon():
    found = numerical_composition(laplace_loss(0.05, 1000), delta=1e-5).epsilon
    assert found == pytest.approx(7.4213, abs=5e-5)
    assert found < optimal_epsilon(0.05, 1000, 1e-5)
    assert found < concentrated_epsilon(1000 * laplace_rho(0.05), 1e-5)


def test_poisson_subsampled_gaussian_noise():
    found = numerical_composition(gaussian_loss(1.0, 1000, sampling_rate=0.01), delta=1e-5)
    assert found.epsilon == pytest.approx(1.8282, abs=5e-4)
    assert found.adjacency is Adjacency.ADD_OR_REMOVE_ONE


def replace_one_delta(mu, rate, epsilon):
    """Exact delta of Gaussian noise on a Poisson subsample when a record turns from mu to -mu."""
    x = np.linspace(-12, 12, 400_001)
    base, up, down = (np.exp(-((x - shift) ** 2) / 2) / np.sqrt(2 * np.pi) for shift in (0.0, mu, -mu))
    p, q = (1 - rate) * base + rate * up, (1 - rate) * base + rate * down
    return float(np.maximum(0.0, p - math.exp(epsilon) * q).sum() * (x[1] - x[0]))


def test_a_subsampled_loss_prints_the_relation_it_was_computed_for():
    """Replacing a record of a sample with rate .9 is far worse than adding one: delta .0767 for 1e-3."""
    found = numerical_composition(gaussian_loss(1.0, sampling_rate=0.9), delta=1e-3)
    assert replace_one_delta(1.0, 0.9, found.epsilon) == pytest.approx(0.0767, abs=5e-4)
    assert found.adjacency is ADD
    with pytest.raises(ValueError, match="adjacency must be add-or-remove-one for Poisson subsamples"):
        gaussian_loss(1.0, sampling_rate=0.9, adjacency=Adjacency.REPLACE_ONE)


def test_losses_of_two_relations_do_not_compose():
    sampled = gaussian_loss(0.5, sampling_rate=0.5)
    with pytest.raises(ValueError, match="one relation, got add-or-remove-one and replace-one"):
        numerical_composition(sampled, laplace_loss(0.5), delta=1e-3)
    both = numerical_composition(sampled, laplace_loss(0.5, adjacency=ADD), delta=1e-3)
    assert both.adjacency is ADD
    p = np.log([0.6, 0.4])
    assert numerical_composition(finite_loss(p, p[::-1], adjacency=ADD), delta=0.1).adjacency is ADD
    with pytest.raises(ValueError, match="an instance of NumericalLoss"):
        numerical_composition(sampled.parts, delta=1e-3)


@pytest.mark.parametrize(
    "call",
    [
        lambda: gaussian_loss(1e300),
        lambda: gaussian_loss(30.0, sampling_rate=0.1),
        lambda: gaussian_loss(1.0, 10**13),
        lambda: laplace_loss(1e300),
        lambda: laplace_loss(1.0, 10**400),
        lambda: finite_loss(np.log([0.9, 0.1]), np.log([0.1, 0.9]), 10**13),
        lambda: gaussian_loss(1.0, interval=-1.0),
    ],
)
def test_what_is_out_of_range_is_refused(call):
    with pytest.raises(ValueError, match="must be"):
        call()


def test_different_steps_compose_in_any_order():
    parts = [gaussian_loss(0.5), laplace_loss(0.4, 3), finite_loss(np.log([0.5, 0.5]), np.log([0.4, 0.6]))]
    forth, back = (numerical_composition(*order, delta=1e-4) for order in (parts, parts[::-1]))
    assert isinstance(forth, Guarantee)
    assert forth.epsilon == pytest.approx(back.epsilon, abs=1e-9)
    assert forth.epsilon < gaussian_epsilon(1e-4, 0.5) + 3 * 0.4 + math.log(1.25)


def test_what_was_refused_by_a_fixed_grid_is_answered():
    for mu, k, answer in ((1.25, 1000, 3.141), (1.0, 5000, 4.202)):
        found = numerical_composition(gaussian_loss(mu, k, sampling_rate=0.01), delta=1e-5)
        assert found.epsilon == pytest.approx(answer, abs=1e-3)
    assert numerical_composition(gaussian_loss(1.0, 10**11), delta=1e-5).epsilon > 4e10


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="losses must be at least one"):
        numerical_composition(delta=0.1)
    with pytest.raises(ValueError, match="delta must be in the open interval"):
        numerical_composition(gaussian_loss(1.0), delta=0.0)
    with pytest.raises(ValueError, match="sampling_rate must be in the interval"):
        gaussian_loss(1.0, sampling_rate=2.0)
    with pytest.raises(ValueError, match="k must be a positive integer"):
        laplace_loss(1.0, 0)
    with pytest.raises(ValueError, match="interval must be positive"):
        finite_loss(np.zeros(1), np.zeros(1), interval=0.0)


def test_finer_grids_come_down_to_the_exact_value_from_above():
    widths, exact = (0.02, 0.005, 0.001), gaussian_epsilon(1e-5, math.sqrt(1000) / 50)
    for make in (
        lambda h: gaussian_loss(1 / 50, 1000, interval=h),
        lambda h: laplace_loss(0.05, 1000, interval=h),
    ):
        totals = [numerical_composition(make(width), delta=1e-5).epsilon for width in widths]
        assert totals == sorted(totals, reverse=True)
        assert totals[-1] < optimal_epsilon(0.05, 1000, 1e-5)
    found = numerical_composition(gaussian_loss(1 / 50, 1000, interval=0.001), delta=1e-5).epsilon
    assert 0 < found - exact < 0.002


def test_the_mu_of_clipped_records_is_that_of_the_relation():
    """Gradients 1 and -1, noise of 2: exact deltas of two of four and of all, for a replaced one."""
    sigma, x = 2.0, np.linspace(-40, 40, 200_001)

    def law(records, size):
        sums = [sum(batch) for batch in combinations(records, size)]
        return np.mean([stats.norm.pdf(x, loc=s, scale=sigma) for s in sums], axis=0)

    for size in (2, 4):
        p, q = law([1, 1, 1, 1], size), law([1, 1, 1, -1], size)
        exact = np.sum(np.maximum(p - np.exp(0.1) * q, 0)) * (x[1] - x[0])
        told = [gaussian_loss(c / sigma, sampling_rate=size / 4, scheme="subset").delta(0.1) for c in (1, 2)]
        assert told[0] < 0.9 * exact
        assert exact <= told[1] * (1 + 1e-6)
    assert told[1] == pytest.approx(exact, rel=1e-5)
    assert "2 / sigma under\n" in gaussian_loss.__doc__


def test_the_calculator_keeps_its_relation_without_sampling():
    """Its mu is 1 / multiplier, that of add-or-remove-one; the default for all records is replace-one."""
    page = Path("book/calculators.md").read_text()
    code = page[page.index("def descent") : page.index("def spent")]
    given = {"gaussian_loss": gaussian_loss, "Adjacency": Adjacency, "n_steps": 10, "sampling_rate": 1.0}
    exec(code, given)
    assert given["descent"](2.0).adjacency is Adjacency.ADD_OR_REMOVE_ONE
