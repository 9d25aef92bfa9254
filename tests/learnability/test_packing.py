"""Packing bounds: against the linear program they relax, against their inverses, against private learners."""

from math import exp, inf

import numpy as np
import pytest
from scipy.optimize import linprog

from privml.learnability import LearningProblem, count_vectors
from privml.learnability.impossibility import (
    Packing,
    _smallest_level,
    grid_packing,
    packing_excess_risk,
    thresholds_excess_risk,
)
from tests.refusals import refused


def program(distances, losses, epsilon, delta):
    """Minimax risk over laws on the answers (one column more for no answer), by linear programming."""
    n = len(losses)
    width = n * (n + 1) + 1
    rows, limits = [], []
    for i in range(n):
        row = np.zeros(width)
        row[i * (n + 1) + i], row[-1] = -losses[i], -1
        rows.append(row)
        limits.append(-losses[i])
        for j in range(n):
            if i != j:
                d = distances[i][j]
                row = np.zeros(width)
                row[j * (n + 1) + j], row[i * (n + 1) + j] = 1, -exp(d * epsilon)
                rows.append(row)
                limits.append(delta * (exp(d * epsilon) - 1) / (exp(epsilon) - 1))
    sums = np.hstack([np.kron(np.eye(n), np.ones(n + 1)), np.zeros((n, 1))])
    cost = np.eye(width)[-1]
    return linprog(
        cost,
        A_ub=np.array(rows),
        b_ub=limits,
        A_eq=sums,
        b_eq=np.ones(n),
        bounds=(0, None),
    ).fun


def uniform(n_datasets, distance):
    return distance * (1 - np.eye(n_datasets, dtype=int))


@pytest.mark.source("WLF16-prop-12")
@pytest.mark.parametrize(
    ("n_datasets", "distance", "epsilon"), [(2, 1, 2.0), (3, 2, 0.4), (8, 3, 0.7)]
)
def test_the_formula_is_the_optimum_of_the_program_for_pure_privacy(
    n_datasets, distance, epsilon
):
    exact = program(uniform(n_datasets, distance), [0.5] * n_datasets, epsilon, 0.0)
    assert packing_excess_risk(n_datasets, distance, epsilon) == pytest.approx(
        exact, abs=1e-9
    )


@pytest.mark.source("WLF16-prop-33")
@pytest.mark.parametrize(
    ("n_datasets", "distance", "epsilon"), [(2, 1, 2.0), (5, 4, 0.5), (6, 2, 0.7)]
)
@pytest.mark.parametrize("delta", [0.01, 0.05, 0.9])
def test_the_formula_is_the_optimum_of_the_program_for_approximate_privacy(
    n_datasets, distance, epsilon, delta
):
    exact = program(uniform(n_datasets, distance), [0.5] * n_datasets, epsilon, delta)
    found = packing_excess_risk(n_datasets, distance, epsilon, delta=delta)
    assert found == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_the_convex_program_of_a_packing_is_the_linear_one(seed):
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(3, np.ones(6) / 6, size=4)
    distances = np.abs(counts[:, None] - counts[None]).sum(axis=-1) // 2
    losses = rng.random(4)
    delta = [0.0, 0.02][seed % 2]
    exact = program(distances, losses, 0.6, delta)
    missed = delta * np.expm1(0.6 * distances) / np.expm1(0.6)
    assert _smallest_level(np.exp(-0.6 * distances), missed, losses) == pytest.approx(
        exact, abs=1e-9
    )


def test_infinitely_many_data_sets_are_the_limit_of_many():
    limit = packing_excess_risk(inf, 4, 0.5, delta=0.01)
    assert packing_excess_risk(10**15, 4, 0.5, delta=0.01) == pytest.approx(
        limit, rel=1e-9
    )


@pytest.mark.source("WLF16-prop-12")
@pytest.mark.parametrize(
    ("n_points", "n_samples", "distance"), [(2, 2, None), (4, 5, 4), (3, 4, 1)]
)
def test_a_grid_packing_has_the_distances_and_losses_it_claims(
    n_points, n_samples, distance
):
    packing = grid_packing(n_points, n_samples, distance=distance)
    d = distance or n_samples
    assert packing.distances[~np.eye(len(packing.counts), dtype=bool)].max() <= d
    assert (packing.counts.sum(axis=1) == n_samples).all()
    assert (packing.losses >= d // 2 / n_samples - 1e-12).all()
    own = (packing.answers * packing.problem.empirical_risk(packing.counts)).sum(axis=1)
    assert (own == packing.problem.best_empirical_risk(packing.counts)).all()
    formula = packing_excess_risk(
        len(packing.counts), d, 0.8, loss=max(packing.losses.min(), 1e-12)
    )
    assert packing.excess_risk(0.8) >= formula - 1e-12


def test_a_packing_of_everything_is_vacuous_without_answers_left_out():
    packing = Packing(LearningProblem([[0.0, 1.0]]), count_vectors(2, 2)[:1], [[True]])
    assert packing.excess_risk(1.0) == 0


test_a_packing_that_is_none_raises = refused(
    ([[2, 0], [0, 1]], np.eye(2, dtype=bool), "one size"),
    ([[2, 0], [0, 2]], np.ones((2, 2), dtype=bool), "disjoint"),
    ([[2, 0], [0, 2]], np.eye(3, dtype=bool), "shape"),
    ([[2.0, 0.0], [0.0, 2.0]], np.eye(2, dtype=bool), "integers"),
    call=lambda counts, answers: Packing(
        LearningProblem([[0.0, 1.0], [1.0, 0.0]]), counts, answers
    ),
)


test_parameters_out_of_range_raise = refused(
    (lambda: packing_excess_risk(2, 0, 1.0), "distance"),
    (lambda: packing_excess_risk(2, 1, 0.0), "epsilon"),
    (lambda: packing_excess_risk(2, 1, 1.0, loss=1.5), "loss"),
    (lambda: grid_packing(1, 3), "n_points"),
    (lambda: grid_packing(3, 2, distance=3), "distance"),
)


@pytest.mark.source("WLF16-prop-12")
def test_on_the_whole_interval_no_number_of_records_helps_a_pure_private_learner():
    assert [thresholds_excess_risk(inf, n, 1.0) for n in (1, 2, 7, 10**6)] == [
        0,
        0.5,
        3 / 7,
        0.5,
    ]


@pytest.mark.parametrize("delta", [0.0, 1e-6])
@pytest.mark.parametrize(
    ("n_thresholds", "epsilon"), [(1, 1.0), (2, 0.3), (1000, 1.0), (2**60, 0.2)]
)
def test_the_bound_is_the_largest_over_the_distances(n_thresholds, epsilon, delta):
    for n in (1, 2, 9, 40):

        def risk(d):
            return packing_excess_risk(
                n_thresholds, d, epsilon, delta=delta, loss=d // 2 / n
            )

        best = max(map(risk, range(2, n + 1)), default=0.0)
        found = thresholds_excess_risk(n_thresholds, n, epsilon, delta=delta)
        assert found == pytest.approx(best, abs=1e-15)
