"""The student of noisy counts: it minimises its cost, weighs priors by evidence, and learns halfspaces."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from scipy.special import expit

from privml.pate import (
    NoisyCounts,
    count_learning,
    count_student,
    noisy_counts,
    vote_sigma,
)
from privml.pate.counts import PRIOR_SCALES, _Share


def released_votes(n_points=80, n_features=4, n_teachers=60, seed=2):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_points, n_features)) + 1
    votes = rng.binomial(
        n_teachers, expit(2 * (X @ np.linspace(-1, 1, n_features)) - 0.5)
    )
    return X, noisy_counts(votes, n_teachers, epsilon=5.0, delta=1e-5, rng=rng)


@pytest.mark.parametrize("n_features", [4, 100])  # fewer and more features than points
def test_the_weights_minimise_the_cost_in_the_space_of_the_features(n_features):
    X, released = released_votes(n_features=n_features)
    student = count_student(X, released)
    centred = X - X.mean(axis=0)
    variance = (released.sigma / 60) ** 2 + 1 / 240
    precision = (centred**2).sum() / len(X) / student.prior_scale

    def cost(weights):
        offset = weights[-1] + X.mean(axis=0) @ weights[:-1]
        residual = released.counts / 60 - expit(centred @ weights[:-1] + offset)
        fit = residual @ residual / (2 * variance)
        return fit + precision * weights[:-1] @ weights[:-1] / 2 + 1e-6 * offset**2 / 2

    ours = np.append(student.coef, student.intercept)
    best = minimize(cost, ours, method="BFGS", options={"gtol": 1e-6})
    assert cost(ours) <= best.fun + 1e-4
    np.testing.assert_allclose(ours, best.x, atol=0.02)


def test_the_evidence_is_that_of_quadrature_where_the_data_decide():
    rng = np.random.default_rng(4)
    F = rng.standard_normal((100, 1))
    shares = expit(1.5 * F[:, 0]) + 0.1 * rng.standard_normal(100)
    ratios = []
    for precision in (0.1, 1.0, 10.0):
        model = _Share(F, shares, 0.01, precision)
        model.precision[-1] = (
            1.0  # a proper prior of the intercept, so that the integral is finite
        )
        w = model.fit(np.zeros(2))

        def inner(slope, model=model, w=w):
            def odds(b):
                return np.exp(model.cost(w) - model.cost(np.array([slope, b])))

            return quad(odds, w[1] - 1, w[1] + 1)[0]

        volume = quad(inner, w[0] - 1, w[0] + 1, epsabs=1e-6)[0]
        exact = np.log(precision) / 2 - model.cost(w) + np.log(volume)
        ratios.append(exact - model.log_evidence(w))
    np.testing.assert_allclose(ratios, np.log(2 * np.pi), atol=0.06)


def test_the_prior_with_most_evidence_is_taken():
    X, released = released_votes()
    student = count_student(X, released)
    centred = X - X.mean(axis=0)
    spread = (centred**2).sum() / len(X)
    variance = (released.sigma / 60) ** 2 + 1 / 240
    found = []
    for scale in PRIOR_SCALES:
        model = _Share(centred, released.counts / 60, variance, spread / scale)
        found.append(model.log_evidence(model.fit(np.zeros(5))))
    assert PRIOR_SCALES[int(np.argmax(found))] == student.prior_scale
    assert max(found) == pytest.approx(student.log_evidence, abs=1e-3)


def test_sparse_and_dense_points_give_one_student():
    X, released = released_votes()
    X[X < 0.5] = 0
    dense, sparse = count_student(X, released), count_student(csr_matrix(X), released)
    np.testing.assert_allclose(dense.coef, sparse.coef, atol=1e-9)
    assert dense.intercept == pytest.approx(sparse.intercept, abs=1e-9)
    np.testing.assert_array_equal(dense.predict(X), sparse.predict(csr_matrix(X)))


def test_a_halfspace_is_learned_from_counts_in_which_no_single_label_can_be_read():
    rng = np.random.default_rng(0)
    X, Z = rng.standard_normal((2, 2000, 3))
    truth = np.array([1.0, -1.0, 0.5])
    votes = rng.binomial(100, expit(3 * X @ truth))
    student = count_student(
        X, noisy_counts(votes, 100, epsilon=0.5, delta=1e-5, rng=rng)
    )
    sigma = noisy_counts(votes, 100, epsilon=0.5, delta=1e-5, rng=rng).sigma
    assert sigma > 5 * 50  # a unanimous lead is a fifth of the noise
    assert (student.predict(Z) == (Z @ truth > 0)).mean() > 0.8


def test_points_that_are_all_equal_leave_the_intercept():
    released = NoisyCounts(
        counts=np.array([8.0, 9.0, 10.0]), n_teachers=10, sigma=0.0, guarantee=None
    )
    student = count_student(np.ones((3, 2)), released)
    np.testing.assert_allclose(student.coef, 0, atol=1e-9)
    assert expit(student.decision_function(np.ones((1, 2)))[0]) == pytest.approx(
        0.9, abs=1e-3
    )


def test_a_point_without_a_count_is_refused():
    X, released = released_votes()
    with pytest.raises(
        ValueError, match="X must have a row for each of 80 counts, but got 79"
    ):
        count_student(X[:-1], released)


def plane_votes(n_points, n_teachers, seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_points, 5))
    return (
        X,
        rng.binomial(n_teachers, expit(6 * X @ [1.0, -1.0, 0.5, 0, 0])),
        n_teachers,
    )


def test_a_run_asks_its_budget_once_each_and_promises_the_whole_budget():
    run = count_learning(
        *plane_votes(300, 50, 0), epsilon=2.0, delta=1e-5, n_queries=61, rng=7
    )
    assert (
        len(run.queried)
        == len(set(run.queried.tolist()))
        == len(run.released.counts)
        == 61
    )
    assert run.released.sigma == vote_sigma(61, 2.0, 1e-5)
    assert (run.released.guarantee.epsilon, run.released.guarantee.delta) == (2.0, 1e-5)


def test_the_noise_of_a_run_is_fresh_for_every_point_and_of_the_size_that_is_paid_for():
    X, counts, n_teachers = plane_votes(3000, 50, 1)
    run = count_learning(
        X,
        counts,
        n_teachers,
        epsilon=2.0,
        delta=1e-5,
        n_queries=2000,
        n_rounds=2,
        rng=7,
    )
    noise = (run.released.counts - counts[run.queried]) / run.released.sigma
    assert len(set(noise.tolist())) == 2000
    assert abs(noise.std() - 1) < 4 / np.sqrt(2 * 2000)
    assert abs(np.corrcoef(noise[:1000], noise[1000:])[0, 1]) < 4 / np.sqrt(1000)


def test_counts_that_are_not_asked_have_no_influence():
    X, counts, n_teachers = plane_votes(300, 50, 2)
    options = {"epsilon": 2.0, "delta": 1e-5, "n_queries": 40, "rng": 5}
    run = count_learning(X, counts, n_teachers, **options)
    changed = np.where(np.isin(np.arange(300), run.queried), counts, 50 - counts)
    again = count_learning(X, changed, n_teachers, **options)
    np.testing.assert_array_equal(again.queried, run.queried)
    np.testing.assert_array_equal(again.student.coef, run.student.coef)


def test_later_rounds_ask_close_to_the_boundary_and_one_round_asks_at_random():
    X, counts, n_teachers = plane_votes(1000, 50, 3)
    distance = np.abs(X @ [1.0, -1.0, 0.5, 0, 0])
    options = {"epsilon": None, "delta": 1e-5, "n_queries": 80, "rng": 5}
    active = count_learning(X, counts, n_teachers, **options).queried
    passive = count_learning(X, counts, n_teachers, n_rounds=1, **options).queried
    assert distance[active[10:]].mean() < distance.mean() / 2
    assert distance[passive].mean() == pytest.approx(
        distance.mean(), rel=4 / np.sqrt(80)
    )


@pytest.mark.parametrize("change", [{"n_queries": 301}, {"n_queries": 7}])
def test_budgets_that_cannot_be_met_are_refused(change):
    options = {"epsilon": 1.0, "delta": 1e-5, "n_queries": 40} | change
    with pytest.raises(ValueError, match=r"n_queries|n_rounds"):
        count_learning(*plane_votes(300, 50, 0), **options)
