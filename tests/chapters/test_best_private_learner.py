"""What the chapter on the best private learner computes: orders, certificates, counterexamples, studies."""

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml import results
from privml.audit import exact
from privml.learnability import (
    LearningProblem,
    coin_problem,
    count_vectors,
    neighbours,
    optimal_learner,
    thresholds_problem,
    worst_excess_empirical_risk,
)
from tests.chapters import best_private_learner_functions as functions
from tests.chapters.checkers import checkers

chapter = chapter_module("best-private-learner")


@pytest.mark.source("WLF16-eq-6")
@pytest.mark.parametrize("n_samples", [1, 2, 5, 6])
@pytest.mark.parametrize("epsilon", [0.3, 2.0])
def test_the_geometric_rule_is_private_and_optimal(n_samples, epsilon):
    rule = functions.geometric_rule(n_samples, epsilon)
    found = exact(
        lambda z: rule(np.bincount(z, minlength=2)[None])[0],
        np.array([0, 1]),
        n_samples,
    )
    assert found.epsilon == pytest.approx(epsilon, abs=1e-12)
    value = worst_excess_empirical_risk(rule, coin_problem(), n_samples).value
    assert value == pytest.approx(
        optimal_learner(coin_problem(), n_samples, epsilon).value, abs=1e-9
    )
    assert value <= 1 / (np.e * n_samples * epsilon) + 1e-12


def test_on_an_even_number_of_votes_permute_and_flip_is_the_geometric_rule():
    counts = count_vectors(2, 6)
    flip = chapter.permute_and_flip_learner(coin_problem(), 1.0)(counts)
    np.testing.assert_allclose(
        functions.geometric_rule(6, 1.0)(counts), flip, rtol=1e-12
    )


def test_one_record_more_can_make_the_best_learner_worse():
    assert (
        chapter.best_for_doses(3, 2, 2.0).lower_bound
        > chapter.best_for_doses(3, 1, 2.0).value + 0.01
    )


@pytest.mark.source("WLF16-eq-6")
@pytest.mark.parametrize(
    ("problem", "m"), [(coin_problem(), 2), (thresholds_problem(2), 2)]
)
def test_the_linear_program_and_its_certificate_find_the_same(problem, m):
    solved = chapter.linear_program(problem, m, 0.7)
    assert solved.fun == pytest.approx(optimal_learner(problem, m, 0.7).value)
    weights = np.maximum(0, -solved.ineqlin.marginals)
    n_data = len(count_vectors(problem.n_records, m))
    multipliers = weights[n_data:].reshape(-1, problem.n_hypotheses)
    certified = functions.certified(problem, m, 0.7, weights[:n_data], multipliers)
    assert certified == pytest.approx(solved.fun)


@pytest.mark.parametrize("epsilon", [0.1, np.log(2), 3.0])
def test_the_weights_for_two_votes_prove_the_optimum_and_no_weights_prove_more(
    epsilon,
):
    problem, optimum = coin_problem(), np.exp(-epsilon) / 2
    ones = count_vectors(2, 2)[:, 1]
    pairs = functions.ordered_pairs(problem, 2)
    multipliers = np.zeros((len(pairs), 2))
    for (c, other), row in zip(ones[pairs], multipliers, strict=True):
        if c == 1:
            row[1 if other == 0 else 0] = np.exp(-epsilon) / 2
    weights = np.where(ones == 1, 0.0, 0.5)
    proved = functions.certified(problem, 2, epsilon, weights, multipliers)
    assert proved == pytest.approx(optimum, abs=1e-15)
    rng = np.random.default_rng(3)
    for _ in range(50):
        drawn = rng.exponential(size=multipliers.shape) * rng.choice([0, 0.2, 1])
        some = functions.certified(problem, 2, epsilon, rng.dirichlet([1] * 3), drawn)
        assert some <= optimum + 1e-12


@pytest.mark.source("WLF16-eq-6")
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_bounds_optimum_and_mechanisms_stand_in_order(epsilon):
    found = list(chapter.all_curves(3, 3, epsilon).values())
    assert (np.diff(found) <= 1e-12).all()


@pytest.mark.erratum("WLF16-eq-6")
@pytest.mark.parametrize("k", [4, 8, 16])
def test_there_is_always_a_better_learner_where_the_infimum_is_not_attained(k):
    objective, epsilon = functions.without_minimiser(k)
    assert objective == pytest.approx(1 / 4 + 1 / k, abs=1e-9)
    assert epsilon == 0


@pytest.mark.source("WLF16-eq-7")
@pytest.mark.erratum("WLF16-thm-18")
@pytest.mark.parametrize("k", [3, 6])
def test_point_masses_without_a_common_rate_make_equation_7_ignore_the_data(k):
    objective, epsilon = functions.point_masses(k, 2)
    assert (epsilon, objective) == (0, pytest.approx(1 - 1 / k, abs=1e-9))
    found = optimal_learner(
        LearningProblem(1 - np.eye(k)), 2, 0.5, distributions=np.eye(k)
    )
    assert found.value >= (k - 1) / (np.exp(2 * 0.5) + k - 1) - 1e-9


@pytest.mark.source("WLF16-thm-18")
def test_excess_risk_is_at_most_gap_plus_tanh_which_is_at_most_the_objective():
    found = chapter.bound_and_truth(12)
    assert found["worst excess risk"] <= found["V + tanh(ε/2)"] <= found["bound, V + ε"]
    assert found["bound, V + ε"] <= found["2 / √(e m)"] + 2e-3


@pytest.mark.source("WLF16-eq-7")
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_smaller_classes_of_distributions_are_easier(epsilon):
    everything, grid, realizable = functions.over_classes(2, 2, epsilon)
    assert everything >= grid - 1e-9
    assert grid >= realizable - 1e-9


def test_the_committed_times_keep_the_promise_on_speed():
    times = results.read("best-private-learner-times")
    seconds = times.set_index(["n_points", "n_samples", "curve"])[
        "seconds"
    ].sort_index()
    assert seconds[4, 3].max() < 5
    assert seconds[6, 4].max() < 60


def losing_share(n_for, n_against, epsilon):
    steps, odd = divmod(n_for - n_against, 2)
    return np.exp(-epsilon * steps) / (1 + np.exp(epsilon) if odd else 2)


def two_constants(n_points, epsilon):
    table = np.zeros((2 * n_points, n_points + 1))
    right = np.exp(epsilon) / (1 + np.exp(epsilon))
    table[:n_points, -1] = table[n_points:, 0] = right
    table[:n_points, 0] = table[n_points:, -1] = 1 - right
    return table


COUNTS = count_vectors(4, 3)
PAIRS = COUNTS[neighbours(4, 3)]


def loss_of_rounding(pair):
    first, second = chapter.rounded_law(pair, 1)
    differ = first != second
    with np.errstate(divide="ignore"):
        return np.abs(np.log(first[differ]) - np.log(second[differ])).max(initial=0.0)


LOSSES = [loss_of_rounding(pair) for pair in PAIRS]
test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "losing_share": [
            (losing_share, None),
            (
                lambda a, b, epsilon: 1 / (1 + np.exp(epsilon * (a - b) / 2)),
                "the worst excess is",
            ),
            (lambda a, b, epsilon: losing_share(a, b, 2 * epsilon), "the audit finds"),
            (
                lambda a, b, epsilon: losing_share(a, b, epsilon) if a > b else 0.4,
                "fair coin",
            ),
            (lambda a, b, epsilon: 1 - losing_share(a, b, epsilon), "a probability in"),
        ],
        "one_record": [
            (two_constants, None),
            (lambda n, epsilon: two_constants(n, 2 * epsilon), "the exact ε is 2"),
            (lambda n, epsilon: two_constants(n, epsilon / 2), "the worst excess is"),
            (lambda n, epsilon: 2 * two_constants(n, epsilon), "is a probability distribution"),
            (
                lambda n, epsilon: two_constants(n, 60.0).round(6),
                "possible on some records only",
            ),
            (lambda n, epsilon: two_constants(n, epsilon).T, "does not fit"),
        ],
        "first_spender": [
            (5, None),
            (4, "costs at least what it saves"),
            (6, r"already \[5\] records"),
        ],
        "rounded": [
            (PAIRS[np.argmax(LOSSES)], None),
            (PAIRS[np.argmin(LOSSES)], "the largest loss on this pair"),
            ([COUNTS[0], COUNTS[-1]], "differ in one record"),
            ([[1, 1, 0, 0], [3, 0, 0, 0]], "two count vectors"),
        ],
    },
    chapter,
)
