"""Parities learned privately: elimination, the exact law, exact audits, and the exponential mechanism."""

import math
from itertools import product

import numpy as np
import pytest

from privml import audit
from privml.bounds import parity_plan
from privml.hypotheses import boolean_cube
from privml.learners import PrivateParityLearner
from privml.learners.statistical_queries import parity_distribution, random_solution
from tests.refusals import refused


def universe(d):
    return np.repeat(boolean_cube(d), 2, axis=0), np.tile([False, True], 1 << d)


def brute_force_law(X, y, rate, abort):
    """Sum over all subsets of the records, one by one."""
    d = X.shape[1]
    agrees = (boolean_cube(d).astype(int) @ X.T) % 2 == y
    law = np.zeros((1 << d) + 1)
    for taken in product([False, True], repeat=len(y)):
        taken = np.array(taken)
        chance = np.where(taken, rate, 1 - rate).prod()
        solves = agrees[:, taken].all(axis=1)
        if solves.any():
            law[:-1] += chance * solves / solves.sum()
        else:
            law[-1] += chance
    law *= 1 - abort
    law[-1] += abort
    return law


def test_elimination_finds_every_solution_equally_often_and_no_other():
    rng = np.random.default_rng(0)
    cube = boolean_cube(4)
    for _ in range(12):
        A, b = rng.random((3, 4)) < 0.5, rng.random(3) < 0.5
        solutions = np.flatnonzero((((cube.astype(int) @ A.T) % 2) == b).all(axis=1))
        drawn = [random_solution(A, b, rng=seed) for seed in range(160)]
        if not solutions.size:
            assert drawn == [None] * 160
            continue
        indices = np.array(drawn) @ (1 << np.arange(4))
        counts = np.bincount(indices, minlength=16)[solutions]
        assert counts.sum() == 160
        expected = 160 / len(solutions)
        assert (np.abs(counts - expected) < 5 * math.sqrt(expected)).all()


@pytest.mark.parametrize(
    ("n", "d"), [(0, 3), (200, 130), (64, 64), (90, 63), (300, 65)]
)
def test_elimination_solves_systems_of_many_words(n, d):
    rng = np.random.default_rng(d)
    A, target = rng.random((n, d)) < 0.5, rng.random(d) < 0.5
    b = np.count_nonzero(A & target, axis=1) % 2 == 1
    solution = random_solution(A, b, rng=1)
    assert (np.count_nonzero(A & solution, axis=1) % 2 == b).all()
    if n > d + 40:
        assert (solution == target).all()
        b[-1] ^= True
        assert random_solution(A, b) is None


@pytest.mark.source("DR11-rem-parity")
@pytest.mark.parametrize("variant", ["sharp", "source"])
def test_the_law_is_the_sum_over_all_subsamples(variant):
    rng = np.random.default_rng(2)
    plan = parity_plan(1.2, variant=variant)
    for d, n in ((1, 3), (2, 6), (3, 7)):
        X, y = rng.random((n, d)) < 0.5, rng.random(n) < 0.5
        law = parity_distribution(X, y, 1.2, variant=variant).pmf()
        assert law == pytest.approx(brute_force_law(X, y, *plan), abs=1e-12)
    learner = PrivateParityLearner(1.2, variant=variant, classes=(False, True))
    assert learner.output_distribution(X, y).pmf() == pytest.approx(law)


@pytest.mark.source("DR11-rem-parity")
@pytest.mark.parametrize("variant", ["sharp", "source"])
def test_fits_follow_the_exact_law(variant):
    rng = np.random.default_rng(0)
    X, draws = rng.random((8, 2)) < 0.5, 1000
    learner = PrivateParityLearner(1.0, variant=variant, classes=(False, True))
    for y in (rng.random(8) < 0.5, X[:, 0]):  # the second gives up by its own coin only
        law = learner.output_distribution(X, y).pmf()
        fits = [learner.fit(X, y, rng=rng).parity_ for _ in range(draws)]
        seen = (
            np.bincount(
                [4 if r is None else int(r @ [1, 2]) for r in fits], minlength=5
            )
            / draws
        )
        assert (np.abs(seen - law) < 5 * np.sqrt(law * (1 - law) / draws) + 1e-12).all()


@pytest.mark.source("DR11-rem-parity")
@pytest.mark.parametrize(("d", "sizes"), [(1, (1, 2, 5, 9)), (2, (1, 2, 4))])
def test_the_exact_epsilon_is_the_one_promised_and_attained_by_the_sharp_plan(d, sizes):
    for epsilon, n in product((0.1, 1.0, 3.0), sizes):
        laws = [
            lambda data, e=epsilon, v=v: parity_distribution(*data, e, variant=v)
            for v in ("sharp", "source")
        ]
        sharp, source = (audit.exact(law, universe(d), n).epsilon for law in laws)
        assert source <= sharp <= epsilon * (1 + 1e-9)
        if n == 1:
            assert sharp == pytest.approx(epsilon, rel=1e-9)


def test_large_parities_are_found_where_no_sq_learner_can():
    rng = np.random.default_rng(5)
    X = rng.random((2500, 300)) < 0.5
    target = rng.random(300) < 0.5
    y = np.count_nonzero(X & target, axis=1) % 2
    found = [PrivateParityLearner(1.0).fit(X, y, rng=seed) for seed in range(8)]
    solved = [fit for fit in found if fit.parity_ is not None]
    assert 3 <= len(solved)
    assert all(
        (fit.parity_ == target).all() and fit.score(X, y) == 1.0 for fit in solved
    )
    failed = [fit for fit in found if fit.parity_ is None]
    assert all((fit.predict(X) == 0).all() for fit in failed)


def test_label_noise_makes_it_give_up():
    rng = np.random.default_rng(6)
    X = rng.random((400, 20)) < 0.5
    y = X[:, 0] ^ (rng.random(400) < 0.1)
    assert all(
        PrivateParityLearner(1.0).fit(X, y, rng=seed).parity_ is None
        for seed in range(10)
    )


test_bad_parameters_are_refused = refused(
    (
        lambda: PrivateParityLearner(0.0).fit([[0], [1]], [0, 1]),
        "epsilon must be positive",
    ),
    (
        lambda: parity_distribution(np.eye(20), np.ones(20, dtype=bool), 1.0),
        "X must leave at most",
    ),
    (
        lambda: random_solution([[1, 0]], [1, 1]),
        "b must be a vector with one entry per row",
    ),
)
