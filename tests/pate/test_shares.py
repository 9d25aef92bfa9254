"""The student of noisy counts: it minimises its cost, weighs priors by evidence, and learns halfspaces."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from scipy.special import expit

from privml.pate import NoisyCounts, count_student, noisy_counts
from privml.pate.shares import PRIOR_SCALES, _Share


def released_votes(n_points=80, n_features=4, n_teachers=60, seed=2):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_points, n_features)) + 1
    votes = rng.binomial(n_teachers, expit(2 * (X @ np.linspace(-1, 1, n_features)) - 0.5))
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
        model.precision[-1] = 1.0  # a proper prior of the intercept, so that the integral is finite
        w = model.fit(np.zeros(2))

        def inner(slope, model=model, w=w):
            return quad(
                lambda b: np.exp(model.cost(w) - model.cost(np.array([slope, b]))), w[1] - 1, w[1] + 1
            )[0]

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
    student = count_student(X, noisy_counts(votes, 100, epsilon=0.5, delta=1e-5, rng=rng))
    sigma = noisy_counts(votes, 100, epsilon=0.5, delta=1e-5, rng=rng).sigma
    assert sigma > 5 * 50  # a unanimous lead is a fifth of the noise
    assert (student.predict(Z) == (Z @ truth > 0)).mean() > 0.8


def test_points_that_are_all_equal_leave_the_intercept():
    released = NoisyCounts(counts=np.array([8.0, 9.0, 10.0]), n_teachers=10, sigma=0.0, guarantee=None)
    student = count_student(np.ones((3, 2)), released)
    np.testing.assert_allclose(student.coef, 0, atol=1e-9)
    assert expit(student.decision_function(np.ones((1, 2)))[0]) == pytest.approx(0.9, abs=1e-3)


def test_a_point_without_a_count_is_refused():
    X, released = released_votes()
    with pytest.raises(ValueError, match="X must have a row for each of 80 counts, got 79"):
        count_student(X[:-1], released)
