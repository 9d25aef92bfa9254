"""Both ends of the accountant and its lattices, against closed forms, integrals and dp_accounting."""

import importlib.util
import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ndtr

from privml.adjacency import Adjacency
from privml.composition import (
    bracket,
    finite_loss,
    gaussian_loss,
    laplace_loss,
    lattice,
    numerical_composition,
    optimal_epsilon,
)
from privml.composition.steps import FiniteStep, GaussianStep, LaplaceStep
from privml.divergences import PrivacyCurve, gaussian_delta, gaussian_epsilon

WIDE = 1e-9  # relative, of what the tests themselves compute


def holds(found, exact, wide=WIDE):
    return (
        found.lower <= exact * (1 + wide) + 1e-300 and exact * (1 - wide) <= found.upper
    )


class Mixture:
    """A release on a random part of the records: exact delta of one step, also for negative epsilon."""

    def __init__(self, rate, above, below, swapped):
        """`above(l)` and `below(l)`: both masses of the release itself, P's first, over and up to a loss."""
        self.rate, self.above, self.below, self.swapped = rate, above, below, swapped

    def delta(self, epsilon):
        q, t = self.rate, math.exp(epsilon)
        if not self.swapped:  # (1 - q) Q + q P against Q
            if t <= 1 - q:
                return 1 - t
            p, other = self.above(math.log((t - 1 + q) / q))
            return q * p + (1 - q - t) * other
        if 1 / t <= 1 - q:
            return 0.0
        p, other = self.below(math.log((1 / t - 1 + q) / q))
        return other * (1 - t * (1 - q)) - t * q * p


def gaussian(mu, rate, swapped):
    def above(l):
        return (ndtr(mu / 2 - l / mu), ndtr(-mu / 2 - l / mu))

    def below(l):
        return (ndtr(l / mu - mu / 2), ndtr(l / mu + mu / 2))

    return Mixture(rate, above, below, swapped)


def twice(step, mu, epsilon):
    """Delta of two steps: the mean of the delta that the first leaves, over the noise of the first."""

    def term(x):
        p = (1 - step.rate) * math.exp(-x * x / 2) + step.rate * math.exp(
            -((x - mu) ** 2) / 2
        )
        loss = math.log(p) + x * x / 2
        weight = math.exp(-x * x / 2) if step.swapped else p
        return weight * step.delta(epsilon - (-loss if step.swapped else loss))

    points = [-1.0, 0.0, 1.0, 2.0, 4.0]
    mean = quad(term, -12, 12 + mu, points=points, limit=400, epsabs=0, epsrel=1e-11)[0]
    return mean / math.sqrt(2 * math.pi)


@pytest.mark.parametrize(
    ("mu", "k"), [(1e-3, 1000), (0.02, 1000), (0.3, 10), (0.1, 1000), (1, 1), (20, 1)]
)
@pytest.mark.parametrize("delta", [0.3, 1e-2, 1e-5, 1e-12])
def test_gaussian_noise_without_sampling_lies_between_the_ends(mu, k, delta):
    found, exact = (
        gaussian_loss(mu, k).epsilon_bounds(delta),
        gaussian_epsilon(delta=delta, mu=mu * math.sqrt(k)),
    )
    assert holds(found, exact)
    assert found.upper - found.lower <= 1e-3 * found.upper


@pytest.mark.parametrize("rate", [1e-3, 0.01, 0.3, 0.999])
@pytest.mark.parametrize("mu", [0.2, 1.0, 3.0])
def test_one_sampled_gaussian_release_has_the_exact_curve(mu, rate):
    steps = [gaussian(mu, rate, swapped) for swapped in (False, True)]
    for epsilon in (0.0, 0.01, 0.4, 1.5):
        exact = max(step.delta(epsilon) for step in steps)
        found = gaussian_loss(mu, sampling_rate=rate).delta_bounds(epsilon)
        assert holds(found, exact)
        if exact > 1e-9:
            assert found.upper - found.lower <= 2e-3 * found.upper


@pytest.mark.parametrize(("mu", "rate"), [(1.0, 0.01), (1.5, 0.3), (0.5, 0.9)])
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("epsilon", [0.05, 0.5, 1.5])
def test_two_sampled_gaussian_releases_are_an_integral_in_each_direction(
    mu, rate, swapped, epsilon
):
    exact = twice(gaussian(mu, rate, swapped), mu, epsilon)
    search = bracket.DeltaSearch(
        [(GaussianStep(mu, rate, swapped=swapped), 2)], epsilon, 1e-3
    )
    found = bracket._refine_until_close([search], 1e-3)
    assert holds(found, exact, 1e-8)
    if exact > 1e-12:
        assert found.upper - found.lower <= 2e-3 * found.upper


@pytest.mark.parametrize(
    ("size", "rate"), [(1.0, 1.0), (1.0, 0.01), (0.3, 0.5), (3.0, 0.2)]
)
def test_one_laplace_release_has_the_exact_curve(size, rate):
    def above(l):
        l = max(l, -size)
        return (
            (0.0, 0.0)
            if l >= size
            else (1 - math.exp((l - size) / 2) / 2, math.exp(-(l + size) / 2) / 2)
        )

    def below(l):
        l = min(l, size)
        return (
            (0.0, 0.0)
            if l < -size
            else (math.exp((l - size) / 2) / 2, 1 - math.exp(-(l + size) / 2) / 2)
        )

    for share in (0.0, 0.2, 0.7, 0.99):
        epsilon = share * math.log1p(rate * math.expm1(size))
        exact = max(
            Mixture(rate, above, below, swapped).delta(epsilon)
            for swapped in (False, True)
        )
        found = laplace_loss(size, sampling_rate=rate).delta_bounds(epsilon)
        assert holds(found, exact)
        assert found.upper - found.lower <= 2e-3 * found.upper


@pytest.mark.parametrize("rate", [0.01, 0.4, 1.0])
def test_one_release_on_a_subset_is_the_amplified_curve(rate):
    for epsilon in (0.0, 0.1, 1.0):
        exact = rate * gaussian_delta(math.log1p(math.expm1(epsilon) / rate), mu=1.0)
        found = gaussian_loss(1.0, sampling_rate=rate, scheme="subset").delta_bounds(
            epsilon
        )
        assert holds(found, exact)
        assert found.upper - found.lower <= 2e-3 * found.upper


@pytest.mark.parametrize(("rate", "epsilon"), [(0.1, 0.3), (0.5, 1.0)])
def test_three_releases_on_subsets_are_a_convolution_of_their_curve(rate, epsilon):
    """By chords of the curve of one: its kinks are the masses of Q above a loss of 0, and of P below."""
    found, values = (
        gaussian_loss(1.0, 3, sampling_rate=rate, scheme="subset").delta_bounds(
            epsilon
        ),
        [],
    )
    for width in (0.04, 0.02):
        x = width * np.arange(int(12 / width))
        curve = rate * gaussian_delta(np.log1p(np.expm1(x) / rate), mu=1.0)
        q = np.append(np.diff(np.diff(curve) / np.diff(np.exp(x))), 0.0)
        p = np.concatenate([q[::-1], [0.0], q * np.exp(x[1:])])
        p[q.size] = 1 - p.sum()
        losses = width * np.arange(-3 * q.size, 3 * q.size + 1)
        above = -np.expm1(np.minimum(epsilon - losses, 0.0))
        values.append(np.convolve(np.convolve(p, p), p) @ above)
    assert found.upper == pytest.approx((4 * values[1] - values[0]) / 3, rel=3e-3)
    assert found.lower <= values[1]


@pytest.mark.parametrize("seed", range(4))
def test_a_finite_pair_is_enumerated(seed):
    p, q = np.random.default_rng(seed).dirichlet(np.ones(3), size=2)
    both = [p, q]
    for _ in range(5):
        both = [
            np.multiply.outer(total, step).ravel()
            for total, step in zip(both, (p, q), strict=True)
        ]
    logs = [np.log(total) for total in both]
    for epsilon in (0.0, 0.5, 2.0):
        exact = max(
            PrivacyCurve.between(*pair, logs=True).delta(epsilon)
            for pair in (logs, logs[::-1])
        )
        found = finite_loss(p, q, 6).delta_bounds(epsilon)
        assert holds(found, exact)
        assert found.upper <= exact * 1.01 + 1e-30


@pytest.mark.parametrize(("step", "k"), [(0.05, 1000), (0.33, 40), (2.0, 3)])
def test_randomised_response_is_exact(step, k):
    p = np.log([1 / (1 + math.exp(-step)), 1 / (1 + math.exp(step))])
    found, exact = (
        finite_loss(p, p[::-1], k, logs=True).epsilon_bounds(1e-5),
        optimal_epsilon(step, k, 1e-5),
    )
    assert holds(found, exact)
    assert found.upper - found.lower <= 1e-4 * exact


CASES = [
    (gaussian_loss, {"mu": 1.0}, 1000, 0.01, 1e-5),
    (gaussian_loss, {"mu": 1.25}, 1000, 0.01, 1e-5),
    (gaussian_loss, {"mu": 1.0}, 5000, 0.01, 1e-5),
    (gaussian_loss, {"mu": 1.0}, 1000, 0.01, 1e-9),
    (gaussian_loss, {"mu": 0.5}, 100, 0.5, 1e-6),
    (laplace_loss, {"epsilon": 1.0}, 1000, 0.01, 1e-5),
]


@pytest.mark.skipif(
    not importlib.util.find_spec("dp_accounting"),
    reason="dp_accounting is not installed",
)
@pytest.mark.parametrize(("make", "size", "k", "rate", "delta"), CASES)
def test_dp_accounting_lies_between_or_a_little_above(make, size, k, rate, delta):
    from dp_accounting.pld import privacy_loss_distribution as pld

    name = "from_gaussian_mechanism" if "mu" in size else "from_laplace_mechanism"
    law = getattr(pld, name)(1 / next(iter(size.values())), sampling_prob=rate)
    peer = law.self_compose(k).get_epsilon_for_delta(delta)
    found = make(**size, k=k, sampling_rate=rate).epsilon_bounds(delta)
    assert found.lower <= peer
    assert found.upper <= peer * (1 + 1e-3)
    assert found.upper >= peer * (1 - 1e-3)
    assert found.upper - found.lower <= 1e-3 * found.upper


@pytest.mark.parametrize("scheme", ["coins", "subset"])
@pytest.mark.parametrize("rate", [1e-6, 1e-3, 0.5, 1 - 1e-9])
@pytest.mark.parametrize(
    ("mu", "k"), [(1e-3, 1), (0.05, 100_000), (1.0, 1000), (4.0, 10)]
)
@pytest.mark.parametrize("delta", [0.3, 1e-12])
def test_extremes_are_bounded_by_one_step_and_by_no_sampling(
    scheme, rate, mu, k, delta
):
    found = gaussian_loss(mu, k, sampling_rate=rate, scheme=scheme).epsilon_bounds(
        delta
    )
    assert 0 <= found.lower <= found.upper < math.inf
    assert found.lower <= gaussian_epsilon(delta=delta, mu=mu * math.sqrt(k)) * (
        1 + WIDE
    )
    once = gaussian_loss(mu, sampling_rate=rate, scheme=scheme).epsilon_bounds(delta)
    assert once.lower <= found.upper * (1 + WIDE)


def test_a_width_that_is_given_is_kept_and_of_two_the_smaller():
    exact = gaussian_epsilon(delta=1e-5, mu=1.0)
    gaps = []
    for width in (0.5, 0.02):
        found = gaussian_loss(0.5, 4, interval=width).epsilon_bounds(1e-5)
        assert found.lower <= exact <= found.upper
        gaps.append(found.upper - found.lower)
    assert gaps[0] > 20 * gaps[1]
    pair = gaussian_loss(0.5, interval=0.5), laplace_loss(0.5, interval=0.01)
    assert (pair[0] + pair[1]).interval == (pair[1] + pair[0]).interval == 0.01


def test_epsilon_and_delta_are_inverse():
    loss = gaussian_loss(1.0, 1000, sampling_rate=0.01)
    epsilon = loss.epsilon_bounds(1e-5)
    assert (
        loss.delta_bounds(epsilon.upper).lower
        <= 1e-5
        <= loss.delta_bounds(epsilon.lower).upper
    )
    assert loss.delta(epsilon.upper) == pytest.approx(1e-5, rel=0.02)


def test_both_directions_count_whichever_is_larger():
    for loss in (
        gaussian_loss(1.0, 10, sampling_rate=0.5),
        laplace_loss(1.0, 10, sampling_rate=0.5),
    ):
        ((step, k),) = loss.parts
        found = (
            bracket.EpsilonSearch([(part, k)], 1e-5, 1e-4)
            for part in (step, step.other())
        )
        ends = [bracket._refine_until_close([search], 1e-4) for search in found]
        found = loss.epsilon_bounds(1e-5, tolerance=1e-4)
        assert found.upper == pytest.approx(max(end.upper for end in ends), rel=2e-4)
    p, q = np.log([0.7, 0.2, 0.1]), np.log([0.6, 0.1, 0.3])
    forth, back = (
        finite_loss(*pair, 5, logs=True).epsilon_bounds(1e-5)
        for pair in ((p, q), (q, p))
    )
    assert forth.upper == pytest.approx(back.upper, rel=1e-3)


def test_relations_of_the_schemes():
    assert (
        gaussian_loss(1.0, sampling_rate=0.1).adjacency is Adjacency.ADD_OR_REMOVE_ONE
    )
    assert (
        laplace_loss(1.0, sampling_rate=0.1, scheme="subset").adjacency
        is Adjacency.REPLACE_ONE
    )
    for made in gaussian_loss, laplace_loss:
        sweep = [made(0.5, 10, sampling_rate=rate) for rate in (0.1, 0.9, 1.0, 1)]
        assert {loss.adjacency for loss in sweep} == {Adjacency.ADD_OR_REMOVE_ONE}
        assert (
            made(0.5, sampling_rate=1, scheme="subset").adjacency
            is Adjacency.REPLACE_ONE
        )
        assert made(0.5, 10).adjacency is Adjacency.REPLACE_ONE
        assert made(0.5, 10).epsilon_bounds(1e-5) == sweep[-1].epsilon_bounds(1e-5)
        restated = made(0.5, sampling_rate=1, adjacency=Adjacency.REPLACE_ONE)
        assert restated.adjacency is Adjacency.REPLACE_ONE
    with pytest.raises(ValueError, match="replace-one for subsets of fixed size"):
        gaussian_loss(
            1.0,
            sampling_rate=0.1,
            scheme="subset",
            adjacency=Adjacency.ADD_OR_REMOVE_ONE,
        )
    with pytest.raises(ValueError, match="scheme must be one of"):
        gaussian_loss(1.0, scheme="draws")


@pytest.mark.parametrize("size", [40, 100, 400])
@pytest.mark.parametrize("tilt", [0.3, 3.0])
def test_a_window_that_is_too_small_keeps_both_ends_true(size, tilt):
    """Sums that leave the window come back on the other side: each end must pay for them."""
    width, k, exact = 0.05, 20, gaussian_delta(1.0, mu=0.5 * math.sqrt(20))
    step = GaussianStep(0.5)
    for middle in (-4.0, 0.0, 1.0):
        form = bracket.Window(tilt, tilt + 1.0, 0.5, int(middle / width), size)
        low, high = lattice._bounding_distributions(
            step.cells(width, 0.0, 1e-14), width
        )
        below = bracket._curve([(low, k)], width, form, 1.0, above=False)
        above = bracket._curve([(high, k)], width, form, 1.0, above=True)
        if above.x[0] <= 1.0:
            assert below.delta(1.0) <= exact <= above.delta(1.0)


STEPS = [
    GaussianStep(1.0, 0.05),
    GaussianStep(1.0, 0.05, swapped=True),
    GaussianStep(0.7, 0.3, "subset"),
    LaplaceStep(1.0, 0.2),
    LaplaceStep(1.0, 0.2, swapped=True),
    LaplaceStep(0.5, 0.3, "subset"),
    FiniteStep(np.log([2.0, 0.8, 0.5]), np.array([0.4, 0.4, 0.1]), (0.1, 0.1)),
]


def lattice_delta(law, width, epsilon):
    x = law.shift + width * (law.first + np.arange(law.mass.size))
    return law.infinite + float(
        law.mass @ np.maximum(0.0, -np.expm1(np.minimum(epsilon - x, 0.0)))
    )


@pytest.mark.parametrize("step", STEPS, ids=str)
@pytest.mark.parametrize("width", [0.3, 0.07, 0.01])
def test_a_coarse_lattice_stays_outside_of_a_fine_one(step, width):
    """At every epsilon, also negative ones, where the other direction of the pair shows."""
    fine, shift = step.aligned(width / 64)
    below, above = lattice._bounding_distributions(step.cells(fine, shift, 1e-13), fine)
    for w in (step.aligned(width)[0], 0.9 * width):
        low, high = lattice._bounding_distributions(
            step.cells(w, step.aligned(w)[1], 1e-13), w
        )
        for epsilon in np.linspace(-1.2, 1.2, 41):
            assert lattice_delta(low, w, epsilon) <= lattice_delta(
                above, fine, epsilon
            ) * (1 + WIDE)
            assert lattice_delta(high, w, epsilon) >= lattice_delta(
                below, fine, epsilon
            ) * (1 - WIDE)


@pytest.mark.parametrize("step", STEPS[:6], ids=str)
def test_a_finer_lattice_closes_in_with_the_square_of_its_width(step):
    gaps = []
    for width in (0.004, 0.001):
        width, shift = step.aligned(width)
        low, high = lattice._bounding_distributions(
            step.cells(width, shift, 1e-13), width
        )
        gaps.append(lattice_delta(high, width, 0.02) - lattice_delta(low, width, 0.02))
    assert 0 < gaps[1] <= gaps[0] / 8


def test_rare_sampling_in_many_steps_is_no_worse_than_renyi_accounting():
    """By the moments of the step, an integral, at the best order: the account of dp-sgd's authors."""
    sigma, rate, k, delta = 0.693, 0.00014, 776468, 1.1e-14
    x = np.linspace(-12 * sigma, 1 + 40 * sigma, 400_001)
    log_q = -(x**2) / (2 * sigma**2) - math.log(sigma * math.sqrt(2 * math.pi))
    loss = np.log1p(rate * np.expm1((2 * x - 1) / (2 * sigma**2)))
    bounds = []
    for order in np.linspace(2.0, 30.0, 57):  # of both directions
        for power in (order, 1 - order):
            top = log_q + power * loss
            moment = np.trapezoid(np.exp(top), x)
            total = k * math.log(moment) - math.log(delta)
            bounds.append(
                total / (order - 1)
                + math.log1p(-1 / order)
                - math.log(order) / (order - 1)
            )
    renyi = min(max(bounds[i : i + 2]) for i in range(0, len(bounds), 2))
    assert 4.9 < renyi < 4.96
    loss = gaussian_loss(1 / sigma, k, sampling_rate=rate)
    assert loss.epsilon_bounds(delta).upper <= renyi


LITTLE_NOISE = [
    (20, 1000, 0.1, 1e-5, 28165.9),
    (12, 1000, 0.1, 1e-5, 9908.4),
    (10, 10000, 0.1, 1e-5, 53131),
    (10, 1000, 0.1, 1e-5, 6770.7),
    (10, 1000, 0.1, 0.5, 4666.8),
]


@pytest.mark.parametrize(("mu", "k", "rate", "delta", "epsilon"), LITTLE_NOISE)
def test_little_noise_is_answered(mu, k, rate, delta, epsilon):
    loss = gaussian_loss(mu, k, sampling_rate=rate)
    found = numerical_composition(loss, delta=delta).epsilon
    assert epsilon * (1 - 1e-4) <= found <= epsilon * (1 + 1e-3)


@pytest.mark.parametrize("k", [3, 40, 1000])
@pytest.mark.parametrize("n", [64, 1024])
def test_the_errors_of_a_product_of_transforms_have_the_norm_that_is_claimed(k, n):
    """Against direct convolution modulo n in extended precision."""
    rng = np.random.default_rng(k)
    for concentrated in (False, True):
        mass = rng.dirichlet(np.ones(n) / 10)
        mass = 0.999 * (np.arange(n) == 3) + 0.001 * mass if concentrated else mass
        exact, power, left = None, mass.astype(np.longdouble), k
        while left:
            if left & 1:
                exact = power if exact is None else circular(exact, power)
            power, left = circular(power, power), left >> 1
        found = np.fft.irfft(bracket._power(np.fft.rfft(mass), k), n)
        norm = float(np.linalg.norm(mass))
        off = np.linalg.norm((found - exact).astype(float))
        assert off <= bracket._error_norm(n, k, norm)
        assert bracket._error_norm(n, k, norm) < bracket._error(n, k, norm) * n


def circular(one, other):
    total = np.convolve(one, other)
    folded = total[: one.size].copy()
    folded[: total.size - one.size] += total[one.size :]
    return folded
