"""The chain from stability to consistency in the chapter on privacy and stability, for all kinds of laws."""

from math import tanh

import numpy as np
import pytest

from book.tools.programme import tangled
from privml import learnability

chapter = tangled("privacy-is-stability")
RANDOM = learnability.LearningProblem(np.random.default_rng(5).random((4, 3)))
GRID = learnability.LearningProblem(np.abs(np.linspace(0, 1, 5)[:, None] - np.linspace(0, 1, 3)))
CHAINED = {
    "coin": learnability.coin_problem(),
    "random": RANDOM,
    "thresholds": learnability.thresholds_problem(2),
    "grid": GRID,
}
LAWS = {
    "exponential": lambda problem: learnability.exponential_law(problem, 1.3),
    "permute and flip": lambda problem: learnability.permute_and_flip_law(problem, 0.6),
    "minimiser": learnability.erm_law,
}
every_law = pytest.mark.parametrize("make", LAWS.values(), ids=LAWS)


@pytest.mark.source("WLF16-thm-35")
@every_law
@pytest.mark.parametrize("problem", CHAINED.values(), ids=CHAINED)
@pytest.mark.parametrize("seed", [1, 2])
def test_every_link_of_the_chain_holds_and_the_identities_are_equalities(make, problem, seed):
    population = np.random.default_rng(seed).dirichlet(np.ones(problem.n_records))
    table = chapter.links(make(problem), problem, population, 4)
    assert len(table) == 10
    assert (table["slack"] == table["right_value"] - table["left_value"]).all()
    assert (table["slack"] >= -1e-12).all()
    assert (table["slack"].abs()[table["relation"] == "="] < 1e-12).all()
    terms = chapter.terms(make(problem), problem, population, 4)
    assert abs(terms["generalisation gap"]) <= terms["mean change"] + 1e-14
    assert terms["optimism"] >= -1e-15


@pytest.mark.source("WLF16-thm-35")
@every_law
def test_the_terms_of_the_chain_are_those_of_the_functions(make):
    law, population = make(RANDOM), np.random.default_rng(1).dirichlet(np.ones(3))
    terms = chapter.terms(law, RANDOM, population, 4)
    assert terms["uniform stability"] == learnability.replace_one_stability(law, RANDOM, 4).value
    assert terms["tanh(ε/2)"] == pytest.approx(tanh(learnability.exact_privacy(law, 3, 4).value / 2))
    assert terms["always AERM gap"] == learnability.always_aerm_gap(law, RANDOM, 4).value
    assert terms["excess risk"] == pytest.approx(
        learnability.expected_excess_risk(law, RANDOM, population, 4), abs=1e-15
    )
