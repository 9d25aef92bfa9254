"""Attained losses of the learners in the chapter on wasted privacy, from laws written out."""

from itertools import product
from math import exp, log

import numpy as np
import pytest

from book.tools.programme import tangled
from privml import audit
from privml.composition import optimal_epsilon
from privml.learners import ExponentialPACLearner, PrivateConfidenceBooster
from tests.chapters.checkers import checkers

chapter = tangled("how-much-is-wasted")
side_by_side = tangled("private-learners-side-by-side")
PROMISES = [(0.3, 1e-5), (1.0, 1e-6), (3.0, 1e-3)]


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
    assert sorted(chapter.boosted(None, epsilon, m=m)) == pytest.approx(sorted(plain), rel=1e-9)


@pytest.mark.parametrize("a", [2, 3, 5])
def test_boosting_forgets_the_block_as_the_problem_says(a):
    expected = log((2 * exp(1) + a - 1) / (a + 1))
    assert chapter.blocks_loss(a) == pytest.approx(expected, abs=1e-6)


def test_objective_perturbation_loses_on_two_records_all_that_is_proved():
    total = 0.25 / chapter.expm1(1 / 4)
    known = side_by_side.worst_loss([1, -1], [-1], 0.5, total, 2.0)
    found = chapter.objective_row(1.0, 0.0)
    assert found["attained"] == pytest.approx(known, rel=2e-3)
    assert found["attained"] == pytest.approx(0.75, abs=1e-7)
    assert found["proved"] == pytest.approx(0.75)
    rows = np.linspace(-1, 1, 9)
    assert side_by_side.worst_loss(rows, [], 0.5, total, 2.0) < 0.69  # one record alone


@pytest.mark.parametrize("total", [0.3, 2.0, 50.0])
def test_the_claim_of_objective_perturbation_is_attained_at_every_penalty(total):
    scale = 1 / (1.0 - chapter.log1p(0.25 / total))  # one logarithm paid
    points = np.array([1e-9])
    laws = [chapter.released([-1, r], points, total, scale) for r in (1, -1)]
    assert float(np.abs(laws[0] - laws[1])[0]) == pytest.approx(1.0, abs=1e-6)


def test_the_parities_lose_what_the_formula_says_for_two_features_too():
    cube = np.array(list(product([0, 1], repeat=2)))
    universe = np.concatenate([cube, cube]), np.repeat([False, True], 4)
    found = audit.exact(lambda z: chapter.parity_law(*z, 1.0, variant="source"), universe, 2).epsilon
    row = chapter.parity_row(1.0, 0.0)
    assert found == pytest.approx(row["attained"])
    assert row["attained"] == pytest.approx(row["proved"])


def right(k, delta):
    return 1 / optimal_epsilon(chapter.textbook_step(1.0, delta, k) / 2, k, delta)


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "delta": [(right, None), (lambda k, delta: 1.1 * right(k, delta), "the factor is")],
        "blocks": [(5, None), (4, "with 4 candidates"), (6, "are enough")],
        "linear": [(0.001, None), (1e-6, "the tie loses")],
    },
    chapter,
)
