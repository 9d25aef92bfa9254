"""What the chapter that compares private learners computes: laws, risks, and the duel."""

from itertools import product
from math import exp, expm1, log, log1p, sqrt

import numpy as np
import pytest
from scipy.integrate import quad

from book.tools.chapter_code import chapter_module
from privml.learners import OutputPerturbation, perturbation
from privml.learners.perturbation import (
    CutLogisticLoss,
    output_sensitivity,
    vector_noise,
)
from tests.chapters import private_learners_side_by_side_functions as exactly
from tests.chapters.checkers import checkers
from tests.learners.perturbation.test_fits_of_perturbation import (
    NOISES,
    noise_of,
    records,
)

chapter = chapter_module("private-learners-side-by-side")


@pytest.mark.parametrize("total", [0.9, 3.0, 30.0])
def test_no_rule_for_unit_rows_loses_more_than_it_claims_on_a_line(total):
    found = {
        case: exactly.line_loss(*case, 1.0, total)
        for case in ((0.5, 1), (0.5, 2), (1.0, 1), (1.0, 2))
    }
    assert max(found.values()) <= 1.0
    assert found[0.5, 1] > max(0.9, found[0.5, 2])


def test_without_the_square_the_loss_grows_and_with_it_the_claim_holds():
    without, right = np.transpose(
        [exactly.exact_losses(rho) for rho in (1.0, 20.0, 100.0)]
    )
    assert (np.diff(without) > 0).all()
    assert without[1] == pytest.approx(1.77, abs=0.02)
    assert without[2] == pytest.approx(3.26, abs=0.01)
    assert (right <= 1.0).all()


def test_the_rule_without_the_square_is_the_published_one_for_rows_of_length_one():
    scale, total = exactly.unsquared_tilt(4.0, 10.0, 5.0)
    assert total == 10.0
    assert scale == pytest.approx(10.0 / (4.0 - 2 * np.log(1 + 0.25 * 5.0 / 10.0)))
    assert exactly.unsquared_tilt(1.0, 1.0, 100.0) == pytest.approx(
        (400.0, 25.0 / expm1(0.25))
    )
    assert exactly.exact_losses(1.0)[0] <= 1.0


@pytest.mark.parametrize("radius", [20.0, 100.0])
def test_the_loss_at_the_weight_0_is_that_of_the_hand_calculation(radius):
    scale, total = exactly.unsquared_tilt(1.0, 1.0, radius)
    noise, loss = laplace(scale), CutLogisticLoss(1.0)
    long, short = (
        exactly.objective_logpdf([0.0], [0.0, row], loss, total, noise)[0]
        for row in (radius, 0.0)
    )
    assert chapter.unsquared_loss(radius) == pytest.approx(long - short)
    assert 1 < long - short <= exactly.exact_losses(radius)[0]


@pytest.mark.parametrize("total", [0.3, 1.0, 20.0])
def test_two_opposite_rows_attain_the_guarantee_of_objective_perturbation(total):
    left = 1.0
    near = exactly.worst_loss([1.0, -1.0], [-1.0], 0.5, total, 1 / left)
    assert near == pytest.approx(left + log1p(0.25 / total), abs=1e-3)


def test_the_bounds_of_the_chapter_are_those_of_its_theorems():
    output, objective, _ = chapter.proved_excess(1000, 10)
    V = 110 / 1000**2
    assert output == pytest.approx(0.75 * (V / 200) ** (1 / 3) * 100)
    total = sqrt(110) / 10
    left = 1 - log(1 + 1 / (4 * total))
    assert objective == pytest.approx((total * 100 + 110 / left**2 / total) / 2000)
    small, large = (np.array(chapter.proved_excess(m, 30)) for m in (400, 40_000))
    assert (large < small).all()


def test_noisy_descent_without_noise_goes_downhill_and_its_noise_has_its_size():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(200, 4)) / 4 + [0.2, 0, 0, 0]
    loss = CutLogisticLoss()
    w = chapter.noisy_descent(rows, 1e12, 200, 4.0, rng)
    best = exactly.best_in_ball(rows, loss, 1e3)
    assert loss.value(rows @ w).mean() < log(2)
    assert loss.value(rows @ w).mean() - loss.value(rows @ best).mean() < 0.01
    flat = np.zeros((50, 3))  # rows that do not pull: the mean of one step is its noise
    steps = [chapter.noisy_descent(flat, 0.5, 1, 2.0, rng) for _ in range(2000)]
    assert np.std(steps) == pytest.approx(2.0 / (50 * 0.5), rel=0.05)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_a_tilt_lies_between_a_vector_and_the_tail_bound_and_one_on_a_line_below_it(
    epsilon,
):
    vector, line, tilt, tail = exactly.deviations(epsilon, 1e-5)
    assert vector < line < tilt < tail


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_the_tilt_on_a_line_has_the_integral_of_the_absolute_value_of_a_gaussian_number(
    epsilon,
):
    mu = 1 / exactly.deviations(epsilon, 1e-3)[1]
    chi = np.linspace(0, 12, 1_000_001)
    density = np.sqrt(2 / np.pi) * np.exp(-(chi**2) / 2)
    found = np.trapezoid(
        density * np.maximum(-np.expm1(epsilon - mu * chi - mu**2 / 2), 0.0), chi
    )
    assert found == pytest.approx(1e-3, rel=1e-5)


def test_the_best_weights_of_a_length_beat_random_ones_of_that_length():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(200, 4)) / 4 + [0.2, 0, 0, 0]
    loss = CutLogisticLoss()
    best = exactly.best_in_ball(rows, loss, 2.0)
    assert np.linalg.norm(best) <= 2 * (1 + 1e-9)
    others = rng.normal(size=(300, 4))
    others *= 2 / np.linalg.norm(others, axis=1, keepdims=True)
    assert (
        loss.value(rows @ best).mean() <= loss.value(others @ rows.T).mean(axis=1).min()
    )


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
@pytest.mark.parametrize("name", exactly.MODELS)
def test_measured_excess_stays_below_proved_excess(name, epsilon):
    proved, measured = exactly.proved_and_measured(
        name, epsilon, 8.0, 8, m=300, d=4, seed=1
    )
    assert measured <= proved


def test_the_bound_of_output_perturbation_is_penalty_plus_noise():
    X = np.array([[1.0], [-1.0]] * 50)
    model = OutputPerturbation(0.7, norm=4.0).fit(X, X[:, 0] > 0, rng=0)
    noise = vector_noise(1, output_sensitivity(100, model.strength_), 0.7).mean_square
    expected = model.strength_ * 16 / 2 + 0.25 / 2 * noise
    assert exactly.proved(model, 100, 1) == pytest.approx(expected)


def test_single_draws_are_those_of_the_study():
    means = chapter.single_draws(2.0, n_draws=2)
    study = chapter.results.read("private-erm").set_index(
        ["data", "method", "epsilon"]
    )["accuracy"]
    assert len(means) == 2
    assert means.mean() == pytest.approx(
        study["breast cancer", "yardstick, measured anew", 2.0], abs=0.01
    )


def noise(d, scale, rng, shape=None):
    direction = rng.standard_normal(d)
    return direction / np.linalg.norm(direction) * rng.gamma(shape or d, scale)


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "noise": [
            (noise, None),
            (lambda *case: noise(*case, shape=1), "mean length"),
            (lambda *case: abs(noise(*case)), "not uniform"),
            (lambda d, scale, rng: rng.standard_normal(d) * scale, "mean length"),
            (lambda d, scale, rng: scale * noise(1, 1.0, rng), "shape"),
        ],
        "budget": [
            (lambda epsilon, part: 0.25 / expm1((1 - part) * epsilon), None),
            (lambda epsilon, share: 0.25 / expm1(share * epsilon), "is left"),
            (lambda epsilon, share: 0.25 / expm1((1 - share) * epsilon / 2), "is left"),
            (lambda epsilon, share: 0.25 / exp((1 - share) * epsilon), "is left"),
        ],
        "radius": [(8, None), (7, "as claimed"), (9, "too much already")],
        "apart": [
            ([[0.0] * 9 + [1.0], [0.0] * 9 + [-1.0]], None),
            (([1.0, 1.0], [1.0, -1.0]), "of the sensitivity"),
            (([1.0, 1.0], [-1.0, -1.0]), "differ in one place"),
            (([0.0, 2.0], [0.0, -2.0]), "lie in"),
            (([0.0], [0.0, 1.0]), "one size"),
        ],
    },
    chapter,
)


@NOISES
@pytest.mark.parametrize("slope", [0.25, 0.5, 1.0])
def test_output_perturbation_is_the_minimiser_plus_noise_for_its_sensitivity(
    slope, delta
):
    X, y = records(d=1)
    minimum = chapter.line_minimiser(
        np.where(y, X[:, 0], -X[:, 0]), CutLogisticLoss(slope), 0.3 * len(X)
    )
    for seed in range(3):
        found = (
            OutputPerturbation(0.7, delta, strength=0.3, slope=slope)
            .fit(X, y, rng=seed)
            .coef_[0]
        )
        noise = noise_of(
            np.random.default_rng(seed), 1, 2 * slope / (0.3 * len(X)), 0.7, delta
        )
        np.testing.assert_allclose(found, minimum + noise, rtol=1e-5, atol=1e-7)


ROWS = np.linspace(-1.0, 1.0, 9)
GRID = np.concatenate([-np.logspace(2, -4, 1500), [0.0], np.logspace(-4, 2, 1500)])


def laplace(scale):
    return lambda b: perturbation.RadialLaplace(1, scale).logpdf(b[:, None])


def worst_loss(datasets, loss, total, log_noise):
    """Largest privacy loss over datasets that differ in their last row, at the points of the grid."""
    laws = [
        exactly.objective_logpdf(GRID, rows, loss, total, log_noise)
        for rows in datasets
    ]
    return max(float((p - q).max()) for p, q in product(laws, repeat=2))


@pytest.mark.parametrize("slope", [0.25, 0.5, 1.0])
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_objective_perturbation_keeps_its_promise_on_a_line(slope, epsilon):
    loss = perturbation.CutLogisticLoss(slope)
    for total in (0.01, 0.5, 5.0):
        budget = perturbation.tilt_budget(epsilon, total, loss.smoothness)
        noise = laplace(2 * slope / budget.epsilon)
        for others in ([], [1.0], [-1.0, 0.3]):
            found = worst_loss(
                [[*others, row] for row in ROWS], loss, budget.total, noise
            )
            assert found <= epsilon + 1e-12


def test_a_tilt_of_half_the_size_breaks_the_promise():
    loss = perturbation.CutLogisticLoss(0.5)
    budget = perturbation.tilt_budget(1.0, 5.0, loss.smoothness)
    assert (
        worst_loss(
            [[row] for row in ROWS], loss, budget.total, laplace(0.5 / budget.epsilon)
        )
        > 1.5
    )


def test_without_the_share_of_the_determinant_the_promise_breaks():
    loss = perturbation.CutLogisticLoss(1.0)
    found = worst_loss(
        [[-0.02, row] for row in (-1.0, -0.02, 0.02, 1.0)],
        loss,
        0.05,
        laplace(2.0 / 1.0),
    )
    assert found > 1.0


def test_the_determinant_costs_at_most_one_logarithm_and_can_cost_nearly_that():
    loss, total = perturbation.CutLogisticLoss(1.0), 0.5
    flat = worst_loss([[row] for row in ROWS], loss, total, lambda b: np.zeros_like(b))
    assert flat == pytest.approx(log1p(loss.smoothness / total), rel=1e-9)


@pytest.mark.parametrize("rows", [[1.0], [0.5, -1.0, 1.0]])
def test_the_density_integrates_to_one(rows):
    def density(w):
        loss = perturbation.CutLogisticLoss()
        return np.exp(exactly.objective_logpdf([w], rows, loss, 0.7, laplace(1.5))[0])

    pieces = ((-200, -2), (-2, 0), (0, 2), (2, 200))
    total = sum(quad(density, low, high, limit=300)[0] for low, high in pieces)
    assert total == pytest.approx(1.0, abs=1e-7)


def test_no_replaced_record_moves_the_minimiser_by_more_than_the_sensitivity():
    loss = perturbation.CutLogisticLoss(0.5)
    for others, strength in product(([], [0.4], [-1.0, 1.0, 1.0]), (0.05, 0.5, 5.0)):
        n = len(others) + 1
        found = [
            chapter.line_minimiser([*others, row], loss, n * strength) for row in ROWS
        ]
        assert max(found) - min(found) <= perturbation.output_sensitivity(
            n, strength
        ) * (1 + 1e-12)


def test_the_sensitivity_is_attained_where_all_records_lie_on_the_line():
    n, strength = 101, 2.0
    half = [1.0, -1.0] * 50
    loss = perturbation.CutLogisticLoss(0.5)
    far = [
        chapter.line_minimiser([*half, row], loss, n * strength) for row in (1.0, -1.0)
    ]
    assert abs(far[0] - far[1]) > 0.9 * perturbation.output_sensitivity(n, strength)
    assert abs(far[0] - far[1]) <= perturbation.output_sensitivity(n, strength)


def test_the_density_is_that_of_the_fitted_weights():
    from privml.learners import ObjectivePerturbation

    X, y = np.array([[1.0], [-0.5], [0.8], [0.3]]), np.array([True, False, False, True])
    learner = ObjectivePerturbation(2.0, strength=0.3)
    drawn = np.array([learner.fit(X, y, rng=seed).coef_[0, 0] for seed in range(800)])
    budget = perturbation.tilt_budget(2.0, 4 * 0.3)
    rows = X[:, 0] * np.where(y, 1, -1)

    def below(edge):
        def density(w):
            law, loss = laplace(1 / budget.epsilon), perturbation.CutLogisticLoss()
            return np.exp(
                exactly.objective_logpdf([w], rows, loss, budget.total, law)[0]
            )

        return quad(density, -40, edge, limit=300, points=[0.0] if edge > 0 else None)[
            0
        ]

    for edge in (-2.0, 0.5, 2.0):
        expected = below(edge)
        tolerance = 4 * np.sqrt(expected * (1 - expected) / len(drawn))
        assert (drawn < edge).mean() == pytest.approx(expected, abs=tolerance)
