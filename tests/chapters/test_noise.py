"""What the chapter on noise computes in its cells, against many digits, draws and brute force."""

import math
from itertools import combinations, product
from statistics import NormalDist

import mpmath
import numpy as np
import pytest
from scipy.optimize import brentq

from book.tools.chapter_code import chapter_module
from privml import DiscreteLaplaceMechanism, audit, divergences
from privml.adjacency import Adjacency, multisets
from privml.distributions import DiscreteGaussian, DiscreteLaplace, Gaussian, Laplace
from privml.mechanisms import gaussian_sigma
from privml.queries import sensitivity_of
from tests.chapters import noise_functions as functions
from tests.chapters import noise_on_integers_functions as widths
from tests.chapters.checkers import checkers, several

noise = chapter_module("noise")
integers = chapter_module("noise-on-integers")


@pytest.mark.source("LZCW21-lem-42")
@pytest.mark.parametrize("move", [0.2, 1.0, 3.0])
def test_the_closed_curves_agree_with_quadrature(move):
    for t in np.linspace(0, 0.99, 6) * move:
        v = (move - t) / 2
        assert functions.excess(t, move) == pytest.approx(
            divergences.laplace_delta(t, shift=move, scale=1.0), abs=1e-9
        )
        assert functions.excess_of_two(t, move / 2) == pytest.approx(
            1 - math.exp(-v) * (1 + v / 2), abs=1e-7
        )


REPLACE, ADD = Adjacency.REPLACE_ONE, Adjacency.ADD_OR_REMOVE_ONE


@pytest.mark.erratum("LZCW21-def-43")
@pytest.mark.parametrize(("n_points", "m"), [(2, 1), (3, 4), (5, 2)])
def test_no_two_data_sets_of_one_size_are_neighbours_when_a_record_is_added(
    n_points, m
):
    histograms = [np.bincount(z, minlength=n_points) for z in multisets(n_points, m)]
    assert min(np.abs(a - b).sum() for a, b in combinations(histograms, 2)) == 2


@pytest.mark.source("LZCW21-lem-42", "LZCW21-def-41")
@pytest.mark.parametrize("declared", [1, 2])
def test_a_histogram_spends_its_change_over_the_declared_sensitivity(declared):
    mechanism = DiscreteLaplaceMechanism(epsilon=0.7, sensitivity=declared)
    law = functions.noisy_histogram(mechanism, 3, 3)
    for relation, change in ((REPLACE, 2), (ADD, 1)):
        found = audit.exact(law, np.arange(3), 3, adjacency=relation).epsilon
        assert found == pytest.approx(0.7 * change / declared, abs=1e-9)


@pytest.mark.source("LZCW21-lem-42")
@pytest.mark.parametrize("steps", [(1, 1), (2, 1), (1, 1, 1), (3, 2)])
@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_no_vector_of_integers_is_worse_than_one_number_that_moves_by_the_sum(
    steps, scale
):
    """The lemma on steps, for both integer laws, by adding up the laws of the whole vectors."""
    points, grid = np.arange(-50, 54), np.linspace(0, sum(steps) / scale, 9)
    for law in (DiscreteLaplace(0, scale=scale), DiscreteGaussian(0, variance=scale)):
        joint = [np.zeros(1), np.zeros(1)]
        for step in steps:
            for k, shift in enumerate((0, step)):
                joint[k] = np.add.outer(joint[k], law.logpmf(points - shift)).ravel()
        vector = divergences.PrivacyCurve.between(*joint, logs=True).delta(grid)
        moved = law.logpmf(points - sum(steps))
        number = divergences.PrivacyCurve.between(
            law.logpmf(points), moved, logs=True
        ).delta(grid)
        assert (vector <= number + 1e-9).all()
        assert (vector < number - 1e-6).any()


@pytest.mark.source("LZCW21-lem-44")
@pytest.mark.parametrize(
    ("epsilon", "delta"), [(1.0, 1e-5), (1.0, 1e-30), (100.0, 1e-30), (1e-6, 1e-12)]
)
def test_the_curve_is_an_integral_and_typed_formulas_lose_it(epsilon, delta):
    mu = 1 / gaussian_sigma(epsilon, delta)
    assert functions.curve_by_integral(epsilon, mu) == pytest.approx(delta, rel=1e-9)
    assert divergences.gaussian_log_delta(epsilon, mu=mu) <= math.log(delta) + 1e-13
    assert (functions.curve_by_erf(epsilon, mu) == 0) == (delta == 1e-30)
    assert math.isnan(functions.curve_by_erf(800.0, 1.0))
    assert math.isnan(functions.curve_by_erfc(800.0, 1.0))


@pytest.mark.source("LZCW21-lem-42", "LZCW21-lem-44")
@pytest.mark.parametrize("law", [Laplace(scale=2.0), Gaussian(sigma=3.0)])
def test_the_worst_cell_exceeds_its_width_with_probability_beta(law):
    width = widths.half_width(law, 20, 0, integers.beta)
    assert widths.holds(law, width, 20, 0) == pytest.approx(1 - integers.beta, abs=1e-9)
    largest = np.abs(law.rvs(2_000_000, rng=8)).reshape(-1, 20).max(axis=1)
    error = math.sqrt(integers.beta * (1 - integers.beta) / 100_000)
    assert abs((largest > width).mean() - integers.beta) < 5 * error


def true_delta(epsilon, mu):
    with mpmath.workdps(60):
        epsilon, mu = mpmath.mpf(float(epsilon)), mpmath.mpf(float(mu))
        below, above = (mpmath.ncdf(side * mu / 2 - epsilon / mu) for side in (1, -1))
        return float(below - mpmath.exp(epsilon) * above)


@pytest.mark.source("LZCW21-lem-44")
@pytest.mark.parametrize(
    ("epsilon", "delta"), [(0.1, 1e-5), (0.5, 1e-5), (0.9, 1e-9), (5.0, 1e-3)]
)
def test_the_three_calibrations_solve_what_they_say(epsilon, delta):
    row = functions.calibrations([epsilon], delta).iloc[0]
    mu = 1 / row["tail"]
    assert float(mpmath.ncdf(mu / 2 - epsilon / mu)) == pytest.approx(delta, rel=1e-9)
    assert true_delta(epsilon, 1 / row["exact"]) == pytest.approx(delta, rel=1e-9)
    assert row["exact"] < row["tail"]
    for way in (functions.curve_by_erfc, functions.curve_by_integral):
        assert way(epsilon, 1 / row["exact"]) == pytest.approx(delta, rel=1e-6)


@pytest.mark.source("LZCW21-lem-44")
@pytest.mark.parametrize("delta", [1e-9, 1e-5, 0.01, 0.5])
def test_the_noise_of_unit_2_is_enough_at_every_epsilon(delta):
    for epsilon in np.geomspace(0.001, 200, 60):
        mu = 1 / noise.enough_sigma(epsilon, delta)
        assert divergences.gaussian_log_delta(epsilon, mu=mu) <= math.log(delta)


@pytest.mark.source("LZCW21-lem-44")
@pytest.mark.parametrize("delta", [1e-9, 1e-5, 0.01, 0.5])
def test_the_textbook_formula_is_above_the_noise_of_unit_2_up_to_twice_a_logarithm(
    delta,
):
    end = 2 * math.log(2.5)
    for epsilon, above in ((0.1, True), (0.999 * end, True), (1.001 * end, False)):
        formula = noise.classical_sigma(epsilon, delta)
        assert (formula > noise.enough_sigma(epsilon, delta)) == above


VECTORS = np.array([[3.0, 4.0], [-3.0, -4.0], [0.6, -0.8], [0.0, 0.0]])


@pytest.mark.source("LZCW21-def-43")
@pytest.mark.parametrize("bound", [0.5, 1.0, 2.5, 5.0])
def test_the_mean_of_clipped_vectors_moves_by_twice_the_bound_over_their_number(bound):
    lengths = np.linalg.norm(VECTORS, axis=1, keepdims=True)
    clipped = VECTORS * np.minimum(1, bound / np.maximum(lengths, 1e-300))

    def mean(z):
        return clipped[z].mean(axis=0)

    moved = sensitivity_of(mean, np.arange(4), 3, order=2, adjacency=REPLACE)
    assert moved == pytest.approx(2 * bound / 3)


@pytest.mark.source("LZCW21-lem-44")
def test_the_private_mean_has_at_most_the_error_of_the_proposition():
    """Sampling by enumeration of all samples of three, noise by draws."""
    bound, m, sigma_1 = 5.0, 3, 1.7
    samples = VECTORS[np.array(list(product(range(4), repeat=m)))].mean(axis=1)
    sampling = ((samples - VECTORS.mean(axis=0)) ** 2).sum(axis=1).mean()
    sigma = 2 * bound * sigma_1 / m
    draws = sigma * np.random.default_rng(5).standard_normal((200_000, 2))
    squares = (draws**2).sum(axis=1)
    added = 4 * 2 * bound**2 * sigma_1**2 / m**2
    assert abs(squares.mean() - added) < 5 * squares.std() / math.sqrt(len(squares))
    assert bound**2 / m / 3 < sampling <= bound**2 / m


@pytest.mark.source("LZCW21-lem-42")
def test_two_short_moves_of_halving_noise_are_harder_to_detect_than_a_long_one():
    points = np.arange(-60, 63)

    def halving(centre):
        return np.log(1 / 3) - np.log(2) * np.abs(points - centre)

    def pair(centre):
        return np.add.outer(halving(centre), halving(centre)).ravel()

    def delta(p, q):
        return divergences.PrivacyCurve.between(p, q, logs=True).delta(
            np.array([math.log(2)])
        )[0]

    assert delta(halving(2), halving(0)) == pytest.approx(1 / 3)
    assert delta(pair(1), pair(0)) == pytest.approx(2 / 9)


@pytest.mark.source("LZCW21-lem-44")
@pytest.mark.parametrize("delta", [1e-12, 1e-5, 0.1, 0.73, 0.75, 0.9, 0.999])
def test_the_classical_formula_keeps_its_claim_up_to_epsilon_one_for_every_delta(delta):
    assert (noise.classical_delta(np.linspace(0.001, 1, 200), delta) < delta).all()


@pytest.mark.erratum("LZCW21-lem-44")
def test_the_classical_formula_breaks_its_claim_beyond_and_ends_in_no_privacy_at_all():
    epsilons = np.array([8.0, 8.41, 8.43, 10.0, 20.0])
    exact = noise.classical_delta(epsilons, 1e-5)
    assert (exact > 1e-5).tolist() == [False, False, True, True, True]
    for epsilon, delta in zip(epsilons, exact, strict=True):
        sigma = noise.classical_sigma(epsilon, 1e-5)
        assert true_delta(epsilon, 1 / sigma) == pytest.approx(delta, rel=1e-9)
    assert (noise.classical_delta(1000.0, np.array([1e-9, 1e-3, 0.5])[0]) > 0.999).all()


def test_many_counts_get_the_noise_that_their_curves_allow():
    pure, integer, gaussian = integers.deviations([3], 1.0, 0.05).iloc[0, 1:]
    assert pure == pytest.approx(math.sqrt(2) * 3)
    assert divergences.gaussian_delta(1.0, mu=math.sqrt(3) / gaussian) == pytest.approx(
        0.05
    )
    rate = 2 * math.asinh(1 / (math.sqrt(2) * integer))
    law, points = DiscreteLaplace(0, scale=1 / rate), np.arange(-60, 62)
    assert np.sqrt(np.exp(law.logpmf(points)) @ points**2) == pytest.approx(
        integer, rel=1e-4
    )
    joint = [np.zeros(1), np.zeros(1)]
    for _ in range(3):
        joint = [
            np.add.outer(j, law.logpmf(points - s)).ravel() for s, j in enumerate(joint)
        ]
    assert divergences.PrivacyCurve.between(*joint, logs=True).delta(
        1.0
    ) == pytest.approx(0.05, rel=1e-3)


@pytest.mark.source("LZCW21-lem-42")
def test_every_answer_of_half_precision_is_there():
    table = integers.half_precision(0)
    assert set(table["answer"]) == set(
        integers.equally_likely_answers(0.0, 1.0).astype(float).tolist()
    )
    assert table["probability"].sum() == pytest.approx(1)
    excluded = table.loc[table["excludes"], "probability"].sum()
    assert (
        excluded == pytest.approx(integers.impossible_mass(0, 1, 1.0)) == 0.666259765625
    )


@pytest.mark.source("LZCW21-lem-42")
def test_intervals_of_whole_noise_are_the_least_that_hold():
    law, r = DiscreteLaplace(scale=1.0), math.exp(-1)
    width = widths.half_width(law, 1, 1, integers.beta)
    assert 2 * r ** (width + 1) / (1 + r) <= integers.beta < 2 * r**width / (1 + r)
    draws = law.rvs(700_000, rng=3).reshape(-1, 7)
    held = widths.holds(law, 4, 7, 1)
    assert abs((np.abs(draws) <= 4).all(axis=1).mean() - held) < 5 * math.sqrt(
        held * (1 - held) / 100_000
    )


def crossing(delta):
    c = np.sqrt(2 * np.log(1.25 / delta))
    return brentq(
        lambda epsilon: np.log(
            divergences.gaussian_delta(epsilon, mu=epsilon / c) / delta
        ),
        4,
        15,
    )


def wide(n_samples, epsilon, beta):
    whole = np.ceil(np.log(4 / (beta * (1 + np.exp(-epsilon)))) / epsilon) - 1
    return 2 * (np.sqrt(np.log(4 / beta) / (2 * n_samples)) + whole / n_samples)


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "zero": [
            (lambda q: 2 * np.arctanh(q), None),
            (lambda q: np.log(1 / q), "it is right with probability"),
            (lambda q: -1.0, "epsilon must be positive"),
        ],
        "total_and_number": [
            (lambda d: (d, np.hypot(d, 1)), "L1 is 2.0000 by enumeration, not 1.0000"),
            (lambda d: (d + 1, d + 1), "L2 is"),
        ],
        "once": [
            (several([0, 1], [0, 0], lambda o: abs(o[0] - o[1]) < 0.5), None),
            (several([0, 1], [0, 0], lambda o: o[0] > 0), "your function"),
            (several([0, 1], [0, 0], lambda o: True), "takes the second list"),
            (several([0, 1], [0, 1], lambda o: True), "exactly one wait"),
            (several([0, 1], [0], lambda o: True), "keeps the number"),
        ],
        "fitted": [
            (lambda r, s: [s * math.sqrt(x * sum(r)) for x in r], None),
            (lambda r, s: [s * math.hypot(*r)] * len(r), "can be smaller"),
            (lambda r, s: [s * x for x in r], "moves the scaled sum"),
            (lambda r, s: [s], "one standard deviation"),
        ],
        "no_epsilon": [
            (lambda delta: 1 / divergences.gaussian_mu(0.0, delta), None),
            (lambda delta: 1 / (2 * NormalDist().inv_cdf((1 + delta) / 2)), None),
            (lambda delta: 1 / (delta * np.sqrt(2 * np.pi)), "the least is"),
        ],
        "last_valid": [
            (crossing, None),
            (lambda delta: 1.0, "still kept"),
            (lambda delta: 1.01 * crossing(delta), "already broken"),
        ],
        "share": [
            (
                lambda n, epsilon, beta: np.log(1 / beta) / (epsilon * n),
                "is missed with probability",
            ),
            (wide, "half of your width"),
        ],
        "crossover": [
            (several(6, 1.0, 1e-5), "Laplace noise is smaller"),
            (several(8, 1.0, 1e-5), "7 counts are enough"),
        ],
        "rounded": [
            (several((5, 4, 13), 1.0), None),
            (several((0, 1, -9), 1.0), "cannot come from 0 either"),
            (several((0, 1, 0), 1.0), "comes from 1 too"),
            (several((0, 2, -8), 1.0), "differ by 1, these by 2"),
        ],
    },
    integers,
    noise,
)
