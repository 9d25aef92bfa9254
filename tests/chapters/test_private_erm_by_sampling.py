"""What the chapter on private ERM by sampling computes: closed forms, limits, and what goes wrong."""

import math

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml.bounds.sublevel import measure_ratio_tail
from privml.distributions import Categorical
from privml.divergences import total_variation
from privml.learners.penalised_erm import ExponentialERM
from tests.chapters.checkers import checkers, several

chapter = chapter_module("private-erm-by-sampling")
LOSSES = chapter.LOSSES.items()


def test_densities_integrate_to_one_and_gather_at_the_log_odds():
    h = np.linspace(-3, 3, 121)
    curves = {
        m: chapter.density(ExponentialERM(chapter.divided_opinion(m, 3.0), 1.0), h)
        for m in (8, 800)
    }
    for curve in curves.values():
        assert np.trapezoid(curve, h) == pytest.approx(1.0, abs=1e-3)
    assert h[curves[800].argmax()] == pytest.approx(math.log(3), abs=0.05)


@pytest.mark.source("WLF16-alg-1")
@pytest.mark.erratum("WLF16-alg-1/1")
def test_audits_stay_below_the_claim_and_those_of_the_source_below_half():
    def spent(rule):
        return [
            [chapter.spent(loss, m, 0.7, 2.0, rule) for m in (1, 3, 6)]
            for _, loss in LOSSES
        ]

    found = {rule: np.array(spent(rule)) for rule in ("tight", "WLF16")}
    assert 0.75 * 0.7 < found["tight"].max() <= 0.7 + 1e-12
    assert found["WLF16"].max() <= 0.35 + 1e-12
    assert all((np.diff(table, axis=1) > 0).all() for table in found.values())


@pytest.mark.source("WLF16-alg-1")
@pytest.mark.parametrize("radius", [0.6, 2.0])
def test_the_sharp_pair_changes_by_twice_the_oscillation(radius):
    angle = np.linspace(0, 2 * math.pi, 2001)
    H = radius * np.column_stack([np.cos(angle), np.sin(angle)])
    for _, loss in LOSSES:
        first, second, other = chapter.sharp_pair(loss, radius)
        assert np.linalg.norm([first, second, other], axis=1).max() <= 1 + 1e-12
        change = loss.value(H @ first, 1.0) - loss.value(H @ second, 1.0)
        assert np.ptp(change) == pytest.approx(2 * loss.oscillation(radius), rel=1e-5)
        assert loss.value(H @ other, 1.0).argmin() == abs(angle - math.pi).argmin()
        assert change[abs(angle - math.pi).argmin()] == pytest.approx(
            change.max(), abs=1e-9
        )


@pytest.mark.source("WLF16-alg-1")
def test_the_loss_of_the_sharp_pair_rises_to_the_claim_and_never_above():
    for name, loss in LOSSES:
        found = [chapter.pair_loss(loss, m, 1.0, 2.0, nodes=40) for m in (1, 10, 100)]
        assert found == sorted(found)
        assert (0.99 if name == "ramp" else 0.5) < found[-1] <= 1 + 1e-9
        assert found[-1] == pytest.approx(
            chapter.pair_loss(loss, 100, 1.0, 2.0, nodes=100), abs=1e-3
        )


def test_on_the_disc_losses_lie_below_epsilon_and_their_range_reaches_it():
    table = np.array(
        [chapter.disc_audit(loss, 0.8, 2.0, 2, nodes=16) for _, loss in LOSSES]
    )
    assert (table[:, 1:] <= 0.8 + 1e-9).all()
    assert table[:, 2].max() > 0.79


@pytest.mark.source("WLF16-eq-8")
def test_a_fixed_penalty_is_free_and_one_that_looks_is_not():
    assert (
        max(chapter.penalty_audit([factor], 1.0, 2.0, 4) for factor in (0.0, 0.1, 1.0))
        <= 1 + 1e-12
    )
    assert chapter.penalty_audit([0.0, 0.1, 1.0], 1.0, 2.0, 4) > 1.5


@pytest.mark.source("WLF16-eq-18")
def test_the_tail_is_below_its_bound_and_the_bound_is_not_idle():
    cases = [
        (m, t, *chapter.tail(m, t, 1.0, 2.0))
        for m in (40, 400)
        for t in (0.02, 0.1, 0.3)
    ]
    assert all(exact <= bound for *_, exact, bound in cases)
    assert sum(bound < 1 for *_, bound in cases) >= 4
    _, t, log_ratio, exact, bound = cases[1]
    assert bound == pytest.approx(
        measure_ratio_tail(log_ratio, t, 1.0, sensitivity=2.0 / 40)
    )
    h = np.linspace(-2, 2, 200_001)
    risk = 0.75 * np.log1p(np.exp(-h)) + 0.25 * np.log1p(np.exp(h))
    weights = np.exp(-40 / 4 * risk)  # epsilon m / (2 omega), with omega 2
    assert exact == pytest.approx(
        weights[risk - risk.min() > 2 * t].sum() / weights.sum(), rel=0.02
    )


def test_coordinates_of_the_separate_law_are_independent():
    law = chapter.separate_law(2, 5, 1.0, 2.0)
    a, b = np.random.default_rng(0).uniform(-2, 2, size=(2, 6, 2))
    mixed = np.column_stack([a[:, 0], b[:, 1]]), np.column_stack([b[:, 0], a[:, 1]])
    whole = law.log_density(a) + law.log_density(b)
    np.testing.assert_allclose(
        law.log_density(mixed[0]) + law.log_density(mixed[1]), whole
    )


@pytest.mark.source("WLF16-prop-26")
def test_samplers_that_mix_pass_and_the_one_that_does_not_is_flagged():
    cases = [(name, d) for d in (2, 12) for name in chapter.SAMPLERS]
    found = {case: chapter.evidence(*case, 20, 4.0, 2.0, 400, seed=1) for case in cases}
    assert all(distance <= limit for *_, distance, limit in found.values())
    assert found["hit-and-run", 2][0] < 1.05 < found["hit-and-run", 12][0]
    # the test sees a wrong law: draws for one scale against the marginals of another
    right, wrong = (chapter.separate_law(1, 20, e, 2.0) for e in (4.0, 8.0))
    draws = chapter.hit_and_run(right, 600, n_chains=8, rng=0).draws[:, :, 0].ravel()
    gaps = [chapter.farthest(draws, law.quadrature()) for law in (right, wrong)]
    assert gaps[0] < math.sqrt(2) * chapter.band(draws.size) < gaps[1]


@pytest.mark.parametrize("name", chapter.SAMPLERS)
def test_draws_on_the_disc_stay_in_the_band(name):
    law = chapter.disc_law(60, 6.0, 2.0, seed=2)
    points = chapter.thinned(chapter.SAMPLERS[name](law, 150, n_chains=8, rng=2))[:, 0]
    exact = law.quadrature(400)
    cdf, steps = (
        exact.cdf([1.0, 0.0], np.sort(points)),
        np.arange(points.size + 1) / points.size,
    )
    assert max((cdf - steps[:-1]).max(), (steps[1:] - cdf).max()) <= chapter.band(
        points.size
    )


@pytest.mark.source("WLF16-prop-26")
@pytest.mark.erratum("WLF16-prop-26/1")
@pytest.mark.parametrize("start", ["mode", "middle"])
def test_a_stopped_chain_costs_no_more_than_its_distance_and_that_no_more_than_its_bound(
    start,
):
    table = chapter.stopped([0, 5, 50, 500, 1500], 5, 1.0, start, n_points=15)
    assert (table["delta_exact"] <= table["delta_distance"] + 1e-12).all()
    assert (table["distance"] <= table["proved"] + 1e-9).all()
    worst = np.minimum(1, (1 + math.e) * table["distance"])
    np.testing.assert_allclose(table["delta_distance"], worst, rtol=1e-12)
    worst = 0.0
    for target in chapter.line_laws(5, 1.0, 15):
        first = 7 if start == "middle" else target.pmf().argmax()
        after = np.linalg.matrix_power(chapter.line_chain(target), 50)[first]
        worst = max(worst, abs(after - target.pmf()).sum() / 2)
    assert table["distance"][2] == pytest.approx(worst)
    assert table["delta_exact"][0] == (start == "mode")
    assert table["delta_exact"].iloc[-1] < 1e-9


@pytest.mark.source("WLF16-prop-26")
def test_the_spectral_bound_is_the_known_one_for_two_states_and_its_rate_is_sharp():
    law, first = Categorical(np.log([0.25, 0.75])), np.array([1.0, 0.0])
    chain = chapter.line_chain(law)
    second = np.trace(chain) - 1  # the other eigenvalue is 1
    found = chapter.proved_distance(chain, law, first, 7)
    assert found == pytest.approx(0.5 * abs(second) ** 7 * math.sqrt(3))
    assert chapter.proved_distance(chain, law, law.pmf(), 0) == pytest.approx(
        0.0, abs=1e-7
    )
    assert chapter.proved_distance(chain, law, first, 0) == pytest.approx(
        math.sqrt(3) / 2
    )
    target = chapter.line_laws(4, 1.0, 9)[1]
    chain, start = chapter.line_chain(target), np.eye(9)[4]
    after = [np.log(start @ np.linalg.matrix_power(chain, k)) for k in (60, 61)]
    exact = [float(total_variation(law, target.logpmf(), logs=True)) for law in after]
    bounds = [chapter.proved_distance(chain, target, start, k) for k in (60, 61)]
    assert bounds[1] / bounds[0] == pytest.approx(exact[1] / exact[0], rel=0.01)


def test_a_rule_that_looks_costs_a_delta_of_order_one():
    rules = [
        chapter.looking(height, 3000, 6, 1.0, n_points=15)
        for height in (np.inf, 0.1, 0.0)
    ]
    _, delta, delta_ten, excess = np.transpose(rules)
    assert delta[0] == 0.0
    assert (delta_ten[1:] > 0.5).all()
    assert (np.diff(excess) < 0).all()
    assert excess[-1] < 1e-6


@pytest.mark.source("WLF16-prop-26")
def test_chains_in_one_well_look_mixed_and_are_far_from_their_law():
    target, left = chapter.two_wells(2.0, 62).finite_distribution(), chapter.LEFT
    one = chapter.stuck([left] * 4, 2000, target, seed=0)
    both = chapter.stuck([left, left, 60, 60], 2000, target, seed=0)
    assert (one[2], both[2]) == (True, False)
    assert min(one[3], both[3]) > 0.4
    assert one[3] == pytest.approx(target.pmf()[chapter.PLACES > 1].sum(), abs=0.01)


def test_the_first_half_of_a_chain_is_warm_up(monkeypatch):
    seen, diagnose = [], chapter.diagnose

    def recorder(draws):
        return seen.append(draws.shape) or diagnose(draws)

    monkeypatch.setattr(chapter, "diagnose", recorder)
    chapter.stuck(
        [chapter.LEFT] * 4, 50, chapter.two_wells(2.0, 62).finite_distribution(), seed=0
    )
    assert seen == [(4, 50, 1)]


def test_a_stuck_chain_gives_away_where_it_started():
    assert chapter.start_delta("left well", 1000, 2.0, 62) == 0.0
    assert chapter.start_delta("mode", 1000, 2.0, 62) > 0.99


def test_a_fit_without_privacy_gives_the_label_away_and_accuracies_are_in_order():
    X, y = chapter.tumours()
    weights = [
        chapter.minimiser(X[:100], np.r_[label, y[1:100]])[0] for label in (False, True)
    ]
    assert abs(weights[1] - weights[0]) > 1e-4
    found = {name: chapter.summary(name, 20.0, 1)[2] for name in ("hinge", "squared")}
    A, b, Z, v = chapter.split(0)
    assert max(v.mean(), 1 - v.mean()) < min(found.values())
    assert found["squared"] < ((Z @ chapter.minimiser(A, b) > 0) == v).mean() + 0.02


def test_the_line_chain_takes_the_law_as_it_is():
    matrix = chapter.line_chain(Categorical(np.zeros(4)))
    np.testing.assert_allclose(matrix[1], [0.5, 0.0, 0.5, 0.0])
    np.testing.assert_allclose(matrix[0], [0.5, 0.5, 0.0, 0.0])


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "absolute": [
            (lambda R: R + min(R, 1), None),
            (lambda R: R, "too small"),
            (lambda R: 2 * R, "more than"),
        ],
        "tries": [
            (lambda law: law.n_outcomes * law.pmf().max(), None),
            (lambda law: law.n_outcomes, "equally likely"),
            (lambda law: 1.0, "should be"),
        ],
        "steps": [(1297, None), (1296, "above"), (1298, "are enough")],
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
