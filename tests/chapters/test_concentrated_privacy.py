"""The cells of the chapter on concentrated privacy, against definitions, closed forms and other routes."""

from itertools import product
from math import exp, expm1, log, pi, sqrt

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml.composition import gaussian_loss, optimal_delta, optimal_epsilon
from privml.divergences import gaussian_epsilon, renyi_divergence
from tests.chapters import concentrated_privacy_functions as more
from tests.chapters.checkers import checkers, several

chapter = chapter_module("concentrated-privacy")


@pytest.mark.source("DR11-thm-3.20", "LZCW21-lem-51", "LZCW21-lem-52")
def test_the_rules_by_their_formulas_in_the_order_of_their_size():
    step, k, delta = 0.05, 1000, 1e-5
    found = more.totals_by_rule(step, k, delta)
    root = sqrt(2 * k * log(1 / delta)) * step
    assert found["basic"] == pytest.approx(50.0)
    assert found["advanced"] == pytest.approx(root + k * step * expm1(step))
    assert found["concentrated, simple"] == pytest.approx(root + k * step**2 / 2)
    assert found["optimum"] == pytest.approx(optimal_epsilon(step, k, delta))
    rules = list(found.values())
    assert sorted(rules[:-1], reverse=True) == rules[:-1]
    assert rules[-1] > rules[0]
    assert found["range, fixed in advance"] < 0.5 * found["optimum"]


@pytest.mark.source("DR11-thm-3.20")
@pytest.mark.parametrize(("step", "k"), [(0.05, 1000), (0.5, 20), (1.0, 5)])
def test_the_curves_of_all_bounds_lie_above_the_optimum(step, k):
    grid = np.linspace(0, k * step, 23)
    curves = {
        rule: np.array([f(e) for e in grid])
        for rule, f in more.bound_curves(step, k).items()
    }
    rules = ["optimum", "concentrated, tight", "concentrated, simple", "advanced"]
    for lower, upper in zip(rules, rules[1:], strict=False):
        assert (curves[lower] <= curves[upper] * (1 + 1e-9)).all()
    for upper in ("range, concentrated", "optimum"):
        assert (curves["range, fixed in advance"] <= curves[upper] * (1 + 1e-9)).all()


@pytest.mark.parametrize("epsilon", [0.1, log(3), 5.0])
def test_the_moments_of_a_pure_step_are_below_the_bound_by_hoeffdings_lemma(epsilon):
    p = np.log([1 / (1 + exp(-epsilon)), 1 / (1 + exp(epsilon))])
    for order in (1.0001, 2.0, 10.0, 1000.0):
        assert renyi_divergence(p, p[::-1], order, logs=True) <= order * epsilon**2 / 2
    if epsilon == log(3):  # the coin of the unit
        assert renyi_divergence(p, p[::-1], 2.0, logs=True) == pytest.approx(log(7 / 3))


def test_the_worst_rule_for_stopping_agrees_with_all_stopping_rules_of_three_steps():
    step, k = 1.0, 3
    keep, claims = (
        exp(step) / (1 + exp(step)),
        [0.0] + [optimal_epsilon(1.0, j, 0.2) for j in (1, 2, 3)],
    )
    prefixes = [p for j in range(k) for p in product((1, -1), repeat=j)]
    worst = 0.0
    for stops in product((False, True), repeat=len(prefixes)):
        stopping, total = dict(zip(prefixes, stops, strict=True)), 0.0
        for path in product((1, -1), repeat=k):
            j = next((j for j in range(k) if stopping[path[:j]]), k)
            weight = np.prod([keep if sign > 0 else 1 - keep for sign in path])
            total += weight * max(0.0, 1 - exp(claims[j] - step * sum(path[:j])))
        worst = max(worst, total)
    assert chapter.worst_stop(step, claims) == pytest.approx(worst, abs=1e-12)


def test_stopping_early_breaks_the_claim_and_a_fixed_number_does_not():
    claims = [0.0] + [optimal_epsilon(0.05, j, 1e-5) for j in range(1, 201)]
    ratios = [chapter.worst_stop(0.05, claims[: k + 1]) / 1e-5 for k in (1, 30, 200)]
    assert ratios[0] == pytest.approx(1.0, rel=1e-6)
    assert ratios == sorted(ratios)
    assert ratios[-1] > 5


def test_one_moment_of_three_answers_by_hand():
    """The instance of Exactly: from E exp(loss) alone, delta is at most 343 / 972."""
    moment, total = (7 / 3) ** 3, 2 * log(3)
    by_one_moment = moment * exp(-total) / 4
    assert by_one_moment == pytest.approx(343 / 972)
    assert by_one_moment == pytest.approx(0.353, abs=5e-4)
    assert optimal_delta(log(3), 3, total) == pytest.approx(9 / 32)


@pytest.mark.parametrize("order", [1.01, 1.5, 2.0, 7.0, 100.0])
def test_the_factor_of_one_moment_is_the_least(order):
    factor = (1 - 1 / order) ** order / (order - 1)
    peak = -log(1 - 1 / order)  # the loss above epsilon at which the factor is needed
    loss = np.linspace(-1, 3 * peak, 400_001)
    needed = np.maximum(0, -np.expm1(-loss)) * np.exp(-(order - 1) * loss)
    assert needed.max() == pytest.approx(factor, rel=1e-6)


def test_a_split_output_keeps_both_totals():
    p, q = 0.5, 0.5 * exp(-0.7)
    high = (p - q) / -expm1(-1.0)
    low = p - high
    assert (low, high) == pytest.approx((0.102, 0.398), abs=5e-4)
    assert low + high * exp(-1) == pytest.approx(q)
    for e in (0.0, 0.3, 0.7, 0.9):
        before = max(0.0, p - exp(e) * q)
        assert before <= max(0.0, high * -expm1(e - 1)) + 1e-12


@pytest.mark.parametrize(("mu", "rate"), [(1.0, 0.01), (2.0, 0.1), (0.3, 0.5)])
def test_one_step_of_training_has_its_closed_form(mu, rate):
    loss = gaussian_loss(mu, 1, sampling_rate=rate)
    for e in (0.05, 0.2, 0.4):
        exact = max(
            more.sampled_delta(mu, rate, e), more.sampled_delta_other(mu, rate, e)
        )
        ends = loss.delta_bounds(e)
        assert ends.lower * (1 - 1e-9) <= exact <= ends.upper * (1 + 1e-9)


def test_a_secret_batch_does_not_lower_rho():
    """Divided by its order, the divergence of a sampled step tends to that of a whole one."""
    mu, rate = 1.0, 0.01
    grid, step = np.linspace(-40, 400, 2_000_001, retstep=True)
    log_q = -(grid**2) / 2 - log(2 * pi) / 2
    ratio = np.logaddexp(log(1 - rate), log(rate) + mu * grid - mu**2 / 2)
    found = []
    for order in (2.0, 10.0, 50.0, 200.0):
        log_terms = order * ratio + log_q
        moment = np.logaddexp.reduce(log_terms) + log(step)
        divided = moment / (order - 1) / order
        assert divided >= mu**2 / 2 - log(1 / rate) / (order - 1) - 1e-9
        found.append(divided)
    assert found == sorted(found)
    assert 0.47 < found[-1] < mu**2 / 2


def test_sampling_is_what_makes_a_training_run_private():
    sampled = gaussian_loss(1.0, 3000, sampling_rate=0.01).epsilon_bounds(1e-5).upper
    assert sampled < 4
    assert gaussian_epsilon(delta=1e-5, mu=sqrt(3000)) > 1000


def test_two_counts_are_made_from_one():
    rng = np.random.default_rng(5)
    x, y = rng.standard_normal((2, 100_000))
    first, second = 0.6 * (x + 5) + 0.8 * y, 0.8 * (x + 5) - 0.6 * y
    assert (first.mean(), second.mean()) == pytest.approx((3, 4), abs=0.02)
    assert np.cov(first, second) == pytest.approx(np.eye(2), abs=0.02)
    np.testing.assert_allclose(0.6 * first + 0.8 * second, x + 5)


def epochs(multiplier, q, epsilon, delta):
    n = 0
    while True:
        loss = gaussian_loss(1 / multiplier, (n + 1) * round(1 / q), sampling_rate=q)
        if loss.epsilon_bounds(delta).upper > epsilon:
            return n
        n += 1


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "sum": [
            ((2.0, 14.0), None),
            ((1.0, 14.0), "add up those of all 58"),
            ((2.0, 12.0), "does not give 12"),
        ],
        "late": [
            (several([1.0], [1.0, -5.0]), None),
            (several([0.0], [0.0, 9.0]), "moves by 1.000 only"),
            (several([1.0], [-1.0]), "one more record"),
            (several([1.0], [2.0, -5.0]), "are the same"),
        ],
        "epochs": [
            (epochs, None),
            (lambda *given: epochs(*given) + 1, "epochs have epsilon"),
            (lambda *given: max(0, epochs(*given) - 1), "epochs are possible"),
        ],
        "crossing": [
            (several(7, 1.0, 1e-5), None),
            (several(1, 1.0, 1e-5), "Laplace noise deviates"),
            (several(6, 1.0, 1e-5), "Laplace noise deviates"),
            (several(8, 1.0, 1e-5), "Laplace noise deviates"),
            (several(100, 1.0, 1e-5), "Laplace noise deviates"),
        ],
    },
    chapter,
)
