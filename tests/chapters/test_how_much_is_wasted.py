"""The chapter on wasted privacy: every attained loss again from laws written out."""

from itertools import product
from math import exp, log

import numpy as np
import pytest
from scipy.stats import laplace, norm

from book.tools.chapter_code import chapter_module
from privml import audit
from privml.composition import (
    finite_loss,
    laplace_loss,
    nonadaptive_range_epsilon,
    numerical_composition,
    optimal_epsilon,
)
from privml.divergences import hockey_stick
from privml.learners import ExponentialPACLearner, PrivateConfidenceBooster
from privml.learners.experts import action_probabilities
from privml.mechanisms import ExponentialMechanism
from privml.pate import GaussianAggregator
from tests.chapters import private_learners_side_by_side_functions as side_by_side
from tests.chapters.checkers import checkers

chapter = chapter_module("how-much-is-wasted")
PROMISES = [(0.3, 1e-5), (1.0, 1e-6), (3.0, 1e-3)]


def products(laws):
    """Log-probabilities of independent draws from finite laws."""
    total = np.zeros(1)
    for law in laws:
        total = np.add.outer(total, np.log(law)).ravel()
    return total


@pytest.mark.parametrize(("epsilon", "delta"), PROMISES)
def test_attained_is_at_most_proved_and_proved_at_most_printed(epsilon, delta):
    table = chapter.waste_table(epsilon, delta)
    assert len(table) == 10
    assert (table["printed"] == epsilon).all()
    assert (0 < table["attained"]).all()
    assert (table["attained"] <= table["proved"] * (1 + 1e-9)).all()
    assert (table["proved"] <= epsilon * (1 + 2e-9)).all()


def test_a_row_that_promises_too_little_is_an_error():
    with pytest.raises(AssertionError, match="broken"):
        chapter.row("broken", 1.0, 0.5, 0.6)
    with pytest.raises(AssertionError, match="broken"):
        chapter.row("broken", 1.0, 1.1, 0.6)


def led(step, odds):
    """Laws of one choice between two options whose difference of scores gives these log-odds on z."""
    mechanism = ExponentialMechanism(epsilon=step, sensitivity=1.0)
    ahead = [2 * odds / step, 2 * odds / step - 2]
    return [mechanism.output_distribution([lead, 0.0]).pmf() for lead in ahead]


def test_choices_with_different_leads_are_composed_as_their_product():
    step, delta, odds = 0.5, 1e-2, np.array([0.25, 0.5, 1.0, -0.3])
    laws = [led(step, a) for a in odds]
    p, q = (products([law[i] for law in laws]) for i in (0, 1))
    found = chapter.lead_epsilon(odds, step, delta)
    worse = max(
        float(hockey_stick(p, q, found, logs=True)),
        float(hockey_stick(q, p, found, logs=True)),
    )
    assert worse == pytest.approx(delta, rel=1e-9)


@pytest.mark.parametrize(
    ("k", "delta"), [(1, 1e-6), (10, 1e-6), (100, 1e-6), (7, 1e-2)]
)
def test_the_best_lead_attains_the_theorem_for_choices_and_a_tie_does_not(k, delta):
    found = chapter.selection_row(1.0, delta, k)
    assert found["attained"] == pytest.approx(found["proved"], rel=1e-7)
    step = chapter.textbook_step(1.0, delta, k)
    assert optimal_epsilon(step / 2, k, delta) < found["proved"] * (1 - 5e-3)
    tied = optimal_epsilon(step / 2, k, delta)
    assert chapter.lead_epsilon(np.full(k, step / 2), step, delta) == pytest.approx(
        tied, rel=1e-9
    )


@pytest.mark.parametrize("lead", [-5.0, -0.4, 0.0, 2.5])
def test_the_losses_of_a_lead_are_those_of_the_lemma(lead):
    step = log(4)
    a = (lead + 1) * step / 2
    p, q = led(step, a)
    t = log((exp(step) + exp(a)) / (1 + exp(a)))
    assert np.log(p / q) == pytest.approx([t, t - step], rel=1e-9)
    if lead == 0:
        assert t == pytest.approx(step / 2)
    if lead == -5:
        assert t == pytest.approx(log(65 / 17))


@pytest.mark.parametrize("width", [1.0, 2.0])
def test_the_attained_loss_of_the_experts_is_the_largest_of_those_that_set_up_a_lead(
    width,
):
    delta, n_rounds, worst = 1e-2, 9, []
    eta = chapter.private_eta_dr11(1.0, delta, n_rounds)
    for rounds in (0, 1):
        losses = np.zeros((2, n_rounds, 2))
        losses[0, 0], losses[1, 0] = (0.0, width), (width, 0.0)
        losses[:, 1 : 1 + rounds] = (0.0, width)
        p, q = (
            products(action_probabilities(sequence, eta, upper=width))
            for sequence in losses
        )
        found = chapter.lead_of_experts(eta, n_rounds, delta, width, rounds)
        loss = max(
            float(hockey_stick(*pair, found, logs=True)) for pair in ((p, q), (q, p))
        )
        assert loss == pytest.approx(delta, rel=1e-9)
        worst.append(found)
    assert chapter.experts_row(1.0, delta, n_rounds, width=width)[
        "attained"
    ] == pytest.approx(max(worst))


def test_the_waste_of_a_long_run_is_that_of_the_limit():
    epsilon, delta, k = 1.0, 1e-6, 40_000
    step = epsilon / np.sqrt(-8 * k * log(delta))
    limit = chapter.limit_waste(epsilon, delta)
    assert epsilon / optimal_epsilon(step / 2, k, delta) == pytest.approx(
        limit, rel=2e-3
    )
    assert epsilon / nonadaptive_range_epsilon(step, k, delta) == pytest.approx(
        limit, rel=2e-3
    )
    assert epsilon / optimal_epsilon(step, k, delta) < limit / 1.8


def test_a_limit_that_loses_nothing_at_a_large_delta_wastes_everything():
    mu = 0.1 / np.sqrt(-32 * log(0.05))
    assert 2 * norm.cdf(mu / 2) - 1 < 0.05  # the total variation distance
    assert chapter.limit_waste(0.1, 0.05) == np.inf


@pytest.mark.parametrize(
    ("step", "k", "delta"), [(0.05, 100, 1e-5), (0.01, 100, 1e-6), (0.5, 7, 1e-3)]
)
def test_rounding_both_ways_encloses_the_accountant_and_is_narrow(step, k, delta):
    low, high = (
        chapter.laplace_epsilon(step, k, delta, way) for way in (np.floor, np.ceil)
    )
    found = numerical_composition(
        laplace_loss(step, k, interval=1e-5), delta=delta
    ).epsilon
    assert low < high <= low + 2.1 * k * step / 4000
    assert low - 1e-9 <= found <= high + 1e-5 * k
    assert high < optimal_epsilon(step, k, delta) * (1 + 1e-3)


@pytest.mark.parametrize("epsilon", [-0.7, 0.0, 0.4, 1.5])
def test_half_lines_find_the_divergence_of_laplace_answers_and_full_moves_are_worst(
    epsilon,
):
    places = np.linspace(-30, 30, 60_001)  # every answer below is one of them
    found = []
    for s in (0.0, 0.3, 1.0, 2.0):
        rest = np.exp(-np.abs(places)) - exp(epsilon) * np.exp(-np.abs(places - s))
        whole = np.trapezoid(np.maximum(rest, 0) / 2, places)
        lines = laplace.cdf(places) - exp(epsilon) * laplace.cdf(places, loc=s)
        assert max(0, lines.max()) == pytest.approx(whole, abs=1e-4)
        found.append(whole)
    assert (np.diff(found) >= -1e-9).all()
    assert found[-1] > found[1]


def test_a_finite_loss_composed_from_below_is_that_of_randomised_response():
    chances = np.array([exp(0.3), 1]) / (1 + exp(0.3))
    low = chapter.composed(np.array([0.3, -0.3]), chances, 12, 1e-4)
    assert low == pytest.approx(optimal_epsilon(0.3, 12, 1e-4), abs=12 * 0.6 / 4000)


@pytest.mark.source("LZCW21-alg-1")
@pytest.mark.parametrize("lead", [-0.5, -2.5])
def test_labels_of_a_lead_are_those_of_the_aggregator(lead):
    sigma = chapter.source_sigma(4, 1.0, 1e-2)
    aggregator = GaussianAggregator(n_queries=4, epsilon=1.0, delta=1e-2, sigma=sigma)
    ones = round(9 / 2 + lead)  # of nine teachers
    votes = [
        np.tile((np.arange(9) < n).astype(int)[:, None], 4) for n in (ones, ones - 1)
    ]
    p, q = (aggregator.output_distribution(v).logpmf() for v in votes)
    found = chapter.votes_losses(1.0, 1e-2, 4)[lead]
    loss = max(
        float(hockey_stick(*pair, found, logs=True)) for pair in ((p, q), (q, p))
    )
    assert loss == pytest.approx(1e-2, rel=1e-6)


def test_a_lead_of_a_hundred_votes_shows_more_than_the_share_of_the_limit():
    by_lead = chapter.votes_losses(1.0, 1e-6)
    assert by_lead.idxmax() == -15.5
    assert (
        by_lead.max()
        == pytest.approx(0.6119, abs=1e-4)
        == chapter.votes_row(1.0, 1e-6)["attained"]
    )
    assert by_lead[0.5] == pytest.approx(0.5985, abs=1e-4)
    mu = 10 / chapter.source_sigma(100, 1.0, 1e-6)
    assert (
        by_lead.max()
        > chapter.gaussian_epsilon(delta=1e-6, mu=mu * np.sqrt(2 / np.pi))
        > by_lead[0.5]
    )


def test_the_sparse_vector_row_composes_its_runs_as_the_accountant_does():
    noise = chapter.vote_noise(20, 1.0, 1e-6, calibration="source", split="source")
    w = chapter.vote_threshold(20, noise, 1e-6, calibration="source", n_queries=1000)
    far = np.round(w + np.array([noise.query_scale / 2] * 3 + [0.0]))
    both = far, far + [-1, -1, -1, 1]
    p, q = (
        chapter.transcript_log_probabilities(w - f, noise, 1, redraw=True) for f in both
    )
    found = numerical_composition(
        finite_loss(p, q, 20, interval=1e-5, logs=True), delta=1e-6
    ).epsilon
    assert chapter.sparse_row(1.0, 1e-6)["attained"] == pytest.approx(found, rel=3e-3)


@pytest.mark.source("WLF16-lem-34")
def test_the_alarm_attains_the_tight_amplification_and_the_printed_formula_is_one():
    for epsilon in (0.5, 1.0, 2.0):
        found = chapter.subsampling_row(epsilon, 0.0)
        assert found["attained"] == pytest.approx(found["proved"], rel=1e-12)
        inner = chapter.asinh(epsilon * 10 / 4)
        assert chapter.amplified_epsilon(inner, 0.1) < epsilon
        assert 2 * 0.1 * (exp(inner) - exp(-inner)) == pytest.approx(epsilon)


@pytest.mark.source("WLF16-alg-boost")
@pytest.mark.parametrize(("m", "epsilon"), [(2, 1.0), (3, 0.5)])
def test_the_boosted_pair_is_that_of_the_learner_on_all_splits(m, epsilon):
    from privml.hypotheses import Thresholds

    base = ExponentialPACLearner(epsilon, Thresholds([0.5, 1.5]))
    learner = PrivateConfidenceBooster(base, 2, classes=(False, True))
    X, y = np.ones((3 * m, 1)), np.zeros(3 * m, dtype=bool)
    plain = learner.output_distribution(X, y).pmf()
    odd = learner.output_distribution(X, y | (np.arange(3 * m) == 0)).pmf()
    mine = np.mean([chapter.boosted(block, epsilon, m=m) for block in range(3)], axis=0)
    assert sorted(mine) == pytest.approx(sorted(odd), rel=1e-9)
    assert sorted(chapter.boosted(None, epsilon, m=m)) == pytest.approx(
        sorted(plain), rel=1e-9
    )


@pytest.mark.parametrize("a", [2, 3, 5])
def test_boosting_forgets_the_block_as_the_problem_says(a):
    odd = [chapter.boosted(block, 1.0, a=a) for block in range(a + 1)]
    lost = chapter.apart(np.mean(odd, axis=0), chapter.boosted(None, 1.0, a=a))
    assert lost == pytest.approx(log((2 * exp(1) + a - 1) / (a + 1)), abs=1e-6)


def test_objective_perturbation_loses_on_two_records_all_that_is_proved():
    total = 0.25 / chapter.expm1(1 / 4)
    known = side_by_side.worst_loss([1, -1], [-1], 0.5, total, 2.0)
    found = chapter.objective_row(1.0, 0.0)
    assert found["attained"] == pytest.approx(known, rel=2e-3)
    assert found["attained"] == pytest.approx(0.75, abs=1e-7)
    assert found["proved"] == pytest.approx(0.75)
    assert (
        side_by_side.worst_loss(np.linspace(-1, 1, 9), [], 0.5, total, 2.0) < 0.69
    )  # one record alone


@pytest.mark.parametrize("total", [0.3, 2.0, 50.0])
def test_the_claim_of_objective_perturbation_is_attained_at_every_penalty(total):
    scale = 1 / (1.0 - chapter.log1p(0.25 / total))  # one logarithm paid
    points = np.array([1e-9])
    laws = [chapter.released([-1, r], points, total, scale) for r in (1, -1)]
    assert float(np.abs(laws[0] - laws[1])[0]) == pytest.approx(1.0, abs=1e-6)


def test_the_parities_lose_what_the_formula_says_for_two_features_too():
    cube = np.array(list(product([0, 1], repeat=2)))
    universe = np.concatenate([cube, cube]), np.repeat([False, True], 4)
    found = audit.exact(
        lambda z: chapter.parity_distribution(*z, 1.0, variant="source"), universe, 2
    ).epsilon
    row = chapter.parity_row(1.0, 0.0)
    assert found == pytest.approx(row["attained"])
    assert row["attained"] == pytest.approx(row["proved"])


def right(k, delta):
    return 1 / optimal_epsilon(chapter.textbook_step(1.0, delta, k) / 2, k, delta)


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "delta": [
            (right, None),
            (lambda k, delta: 1.1 * right(k, delta), "the factor is"),
        ],
        "linear": [(0.001, None), (1e-6, "the tie loses")],
    },
    chapter,
)
