"""What the chapter on private ERM by sampling computes and states: closed forms, limits, and what goes wrong."""

import math

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml import audit
from privml.bounds.sublevel import measure_ratio_tail
from privml.distributions import Categorical
from privml.learners.penalised_erm import (
    ExponentialERM,
    LogisticLoss,
    mixing_steps,
    penalised_distribution,
)
from tests.chapters import private_erm_by_sampling_functions as functions
from tests.chapters.checkers import checkers, several

chapter = chapter_module("private-erm-by-sampling")
SHARP = ("logistic", "hinge", "ramp")


def test_densities_integrate_to_one_and_gather_at_the_log_odds():
    h = np.linspace(-3, 3, 121)
    curves = {
        m: chapter.density(ExponentialERM(chapter.divided_opinion(m, 3.0), 1.0), h)
        for m in (8, 800)
    }
    for curve in curves.values():
        assert np.trapezoid(curve, h) == pytest.approx(1.0, abs=1e-3)
        assert h[curve.argmax()] == pytest.approx(math.log(3), abs=0.05)


def votes_density(successes, failures, h, tilt=0.0):
    """Density of the votes with c = 1 and the exponent of a penalty, by numerical integration."""
    grid = np.linspace(-1, 1, 20_001)

    def weight(h):
        losses = successes * (1 - h) / 2 + failures * (1 + h) / 2
        return np.exp(-losses + tilt * h)

    return weight(h) / np.trapezoid(weight(grid), grid)


@pytest.mark.source("WLF16-alg-1")
def test_the_four_votes_are_as_the_text_says():
    h = np.linspace(-1, 1, 2001)
    before, after = votes_density(3, 1, h), votes_density(2, 2, h)
    assert before == pytest.approx(np.exp(h) / (math.e - 1 / math.e), rel=1e-6)
    assert after == pytest.approx(np.full_like(h, 0.5))
    assert np.trapezoid(before[h >= 0], h[h >= 0]) == pytest.approx(0.73, abs=0.005)
    ratio = before / after
    assert ratio.min() == pytest.approx(0.313, abs=0.001)
    assert ratio.max() == pytest.approx(2.313, abs=0.001)
    # all votes are successes but for one, which is replaced
    for m, wanted in ((4, 4.19), (20, 6.65), (600, 299 / 300 * math.e**2)):
        ends = [votes_density(m - k, k, np.array([-1.0]))[0] for k in (1, 0)]
        assert ends[0] / ends[1] == pytest.approx(wanted, abs=0.01)


@pytest.mark.source("WLF16-eq-8")
@pytest.mark.parametrize("m", [3, 5])
def test_a_penalty_that_follows_the_majority_breaks_the_guarantee(m):
    most, end = (m + 1) // 2, np.array([1.0])
    first = votes_density(most, m - most, end, tilt=m)
    second = votes_density(m - most, most, end, tilt=-m)
    assert first / second == pytest.approx(math.exp(2 * m + 1), rel=1e-6)


@pytest.mark.source("WLF16-alg-1")
@pytest.mark.erratum("WLF16-alg-1/1")
def test_audits_stay_below_the_claim_and_those_of_the_source_below_half():
    def spent(rule):
        return [
            [functions.spent(loss, m, 0.7, 2.0, rule) for m in (1, 3, 6)]
            for loss in functions.LOSSES.values()
        ]

    found = {rule: np.array(spent(rule)) for rule in ("tight", "WLF16")}
    assert 0.75 * 0.7 < found["tight"].max() <= 0.7 + 1e-12
    assert found["WLF16"].max() <= 0.35 + 1e-12
    assert all((np.diff(table, axis=1) > 0).all() for table in found.values())


@pytest.mark.source("WLF16-alg-1")
@pytest.mark.parametrize("radius", [0.6, 2.0])
@pytest.mark.parametrize("name", SHARP)
def test_the_sharp_pair_changes_by_twice_the_oscillation(name, radius):
    loss, angle = functions.LOSSES[name], np.linspace(0, 2 * math.pi, 2001)
    H = radius * np.column_stack([np.cos(angle), np.sin(angle)])
    first, second, other = functions.sharp_pair(radius)
    assert np.linalg.norm([first, second, other], axis=1).max() <= 1 + 1e-12
    change = loss.value(H @ first, 1.0) - loss.value(H @ second, 1.0)
    assert np.ptp(change) == pytest.approx(2 * loss.oscillation(radius), rel=1e-5)
    end = abs(angle - math.pi).argmin()
    assert loss.value(H @ other, 1.0).argmin() == end
    assert change[end] == pytest.approx(change.max(), abs=1e-9)


@pytest.mark.parametrize("radius", [0.5, 1.0, 4.0])
@pytest.mark.parametrize("name", functions.LOSSES)
def test_the_oscillations_are_those_of_the_table(name, radius):
    table = {
        "logistic": radius,
        "hinge": radius + min(radius, 1),
        "ramp": min(radius, 1),
        "squared": 4 * radius if radius <= 1 else (1 + radius) ** 2,
    }
    loss = functions.LOSSES[name]
    scores = np.linspace(-radius, radius, 2001)[:, None]
    values = loss.value(scores, np.linspace(-1, 1, 201))
    assert np.ptp(values, axis=0).max() == pytest.approx(table[name], abs=1e-6)
    assert loss.oscillation(radius) == pytest.approx(table[name])


@pytest.mark.source("WLF16-alg-1")
@pytest.mark.parametrize("name", SHARP)
def test_the_loss_of_the_sharp_pair_rises_to_the_claim_and_never_above(name):
    loss = functions.LOSSES[name]
    found = [functions.pair_loss(loss, m, 1.0, 2.0, nodes=40) for m in (1, 10, 100)]
    assert found == sorted(found)
    assert (0.99 if name == "ramp" else 0.5) < found[-1] <= 1 + 1e-9
    finer = functions.pair_loss(loss, 100, 1.0, 2.0, nodes=100)
    assert found[-1] == pytest.approx(finer, abs=1e-3)


@pytest.mark.source("WLF16-eq-18")
def test_the_tail_is_below_its_bound_and_the_bound_is_not_idle():
    cases = [
        (m, t, *chapter.tail(m, t, 1.0, 2.0))
        for m in (40, 400)
        for t in (0.02, 0.1, 0.3)
    ]
    assert all(exact <= bound for *_, exact, bound in cases)
    assert sum(bound < 1 for *_, bound in cases) >= 4
    for m, t, log_ratio, _, bound in cases:
        wanted = measure_ratio_tail(log_ratio, t, 1.0, sensitivity=2.0 / m)
        assert bound == pytest.approx(wanted)
    _, t, _, exact, _ = cases[1]
    h = np.linspace(-2, 2, 200_001)
    risk = 0.75 * np.log1p(np.exp(-h)) + 0.25 * np.log1p(np.exp(h))
    weights = np.exp(-40 / 4 * risk)  # epsilon m / (2 omega), with omega 2
    bad = weights[risk - risk.min() > 2 * t].sum()
    assert exact == pytest.approx(bad / weights.sum(), rel=0.02)


def test_the_chain_keeps_its_target_and_takes_the_law_as_it_is():
    matrix = chapter.line_chain(Categorical(np.zeros(4)))
    np.testing.assert_allclose(matrix[1], [0.5, 0.0, 0.5, 0.0])
    np.testing.assert_allclose(matrix[0], [0.5, 0.5, 0.0, 0.0])
    for target in chapter.line_laws(5, 1.0, 15):
        p, K = target.pmf(), chapter.line_chain(target)
        np.testing.assert_allclose(p @ K, p)
        np.testing.assert_allclose(p[:, None] * K, (p[:, None] * K).T)


@pytest.mark.source("WLF16-prop-26")
@pytest.mark.erratum("WLF16-prop-26/1")
@pytest.mark.parametrize("start", ["mode", "middle"])
def test_a_stopped_chain_costs_no_more_than_the_theorem_says(start):
    targets = chapter.line_laws(5, 1.0, 15)
    for k in (0, 5, 50, 500, 1500):
        laws, eta = [], 0.0
        for target in targets:
            first = 7 if start == "middle" else target.pmf().argmax()
            law = np.linalg.matrix_power(chapter.line_chain(target), k)[first]
            laws.append(law)
            eta = max(eta, abs(law - target.pmf()).sum() / 2)
        found = functions.exact_delta(laws, 1.0)
        assert found <= (1 + math.e) * eta + 1e-12
        if k == 0:
            assert found == (start == "mode")  # the mode is the minimiser
    assert found < 1e-9


@pytest.mark.source("WLF16-prop-26")
def test_randomised_response_needs_the_whole_delta():
    eta = 0.25
    exact = [[0.75, 0.25], [0.25, 0.75]]
    assert functions.exact_delta(exact, math.log(3)) == pytest.approx(0, abs=1e-15)
    near = [[0.75 + eta, 0.25 - eta], [0.25 - eta, 0.75 + eta]]
    assert functions.exact_delta(near, math.log(3)) == pytest.approx((1 + 3) * eta)


@pytest.mark.source("WLF16-prop-26")
@pytest.mark.parametrize("kappa_gamma", [0.01, 0.5, 3.0])
def test_turned_noise_contracts_a_gaussian_by_the_factor_of_the_theorem(kappa_gamma):
    rho = 1 / (1 + 2 * kappa_gamma)
    assert (1 + rho) / (1 + kappa_gamma) - rho == pytest.approx(rho)
    kappa, gamma, diameter, eta = kappa_gamma, 1.0, 8.0, 1e-7
    k = mixing_steps(math.log(eta), diameter, kappa, 1 / gamma)
    bounds = [
        diameter / math.sqrt(2 * math.pi * gamma) * rho ** (j - 2) for j in (k, k - 1)
    ]
    assert bounds[0] <= eta * (1 + 1e-9)
    assert bounds[1] > eta


def test_a_fit_without_privacy_gives_the_label_away_and_accuracies_are_in_order():
    X, y = chapter.tumours()
    weights = [
        chapter.minimiser(X[:100], np.r_[label, y[1:100]])[0] for label in (False, True)
    ]
    assert abs(weights[1] - weights[0]) > 1e-4
    A, b, Z, v = chapter.split(0)
    plain = ((Z @ chapter.minimiser(A, b) > 0) == v).mean()
    assert max(v.mean(), 1 - v.mean()) < chapter.private_accuracy(20.0, 0) < plain


def test_tuning_for_free_spends_what_the_model_answer_says():
    h, loss, m = np.linspace(-2, 2, 9), LogisticLoss(), 6
    losses = loss.value(np.array([[-1], [-0.5], [0.5], [1]]) * h, np.ones((4, 1)))
    omega = loss.oscillation(2.0)
    c = 1 / (2 * omega)
    priors = [-c * m * factor / 2 * h**2 for factor in (0, 0.1, 1)]
    priors = [p - np.logaddexp.reduce(p) for p in priors]
    penalties = -np.concatenate(priors) / (c * m)

    def law(kinds):
        means = np.bincount(kinds, minlength=4) @ np.tile(losses, 3) / m
        return penalised_distribution(
            means, m, 1.0, penalties=penalties, loss_range=omega
        )

    assert audit.exact(law, np.arange(4), m).epsilon == pytest.approx(0.651, abs=5e-4)


def steps(eta, D, kappa, gamma):
    first = D / math.sqrt(2 * math.pi * gamma)
    return 2 + max(0, math.ceil(math.log(first / eta) / math.log1p(2 * kappa * gamma)))


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "absolute": [
            (lambda B: B + min(B, 1), None),
            (lambda B: B, "too small"),
            (lambda B: 2 * B, "more than"),
        ],
        "tries": [
            (lambda law: law.n_outcomes * law.pmf().max(), None),
            (lambda law: law.n_outcomes, "equally likely"),
            (lambda law: 1.0, "should be"),
        ],
        "steps": [
            (steps, None),
            (lambda *case: steps(*case) - 1, "above eta|at least 2"),
            (lambda *case: steps(*case) + 1, "are enough"),
            (lambda *case: 0, "at least 2"),
        ],
        "peeking": [
            (several([1] * 11 + [-1] * 10, [1] * 10 + [-1] * 11), None),
            (several([1] * 20 + [-1], [1] * 21), "penalty must change"),
            (several([1, -1], [-1, -1, 1]), "differ in one label"),
            (several([1, 1, -1, -1], [-1, -1, -1, -1]), "differ in one label"),
            (several([1], [-1]), "take more records"),
            (several([1, 0], [1, 1]), "labels 1 and -1"),
            (several([], []), "list of labels"),
        ],
    },
    chapter,
)
