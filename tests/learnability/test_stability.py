"""Exact stability constants against brute force and closed forms, and what privacy promises about them."""

from math import exp, expm1

import numpy as np
import pytest

from privml.counterexamples import order_sensitive_mechanism
from privml.divergences import hockey_stick, total_variation
from privml.learnability import (
    LearningProblem,
    count_vectors,
    erm_learner,
    exact_privacy,
    exponential_learner,
    neighbours,
    replace_one_stability,
    stability_from_bounded_range,
    stability_from_privacy,
    total_variation_stability,
)
from tests.learnability.problems import COIN, LAWS, RANDOM, every_problem
from tests.refusals import refused


def random_law(problem, seed=0):
    """Any symmetric learner: a random law for each data set."""
    laws = {}

    def law(counts):
        for row in counts.tolist():
            rng = np.random.default_rng([seed, *row])
            laws.setdefault(tuple(row), rng.dirichlet(np.ones(problem.n_hypotheses)))
        return np.array([laws[tuple(row)] for row in counts.tolist()])

    return law


LEARNERS = LAWS | {"random": random_law}


def brute_force(law, problem, n):
    """Every neighbouring pair and every record, one at a time."""
    counts, best = count_vectors(problem.n_records, n), 0.0
    for i, j in neighbours(problem.n_records, n):
        p, q = law(counts[[i]])[0], law(counts[[j]])[0]
        for z in range(problem.n_records):
            best = max(best, abs(sum((p - q) * problem.losses[:, z])))
    return best


@pytest.mark.source("WLF16-def-6")
@pytest.mark.parametrize("make", LEARNERS.values(), ids=LEARNERS)
@every_problem
def test_the_constant_is_the_largest_change_over_all_pairs_and_what_comes_with_it_attains_it(
    make, problem
):
    law = make(problem)
    found = replace_one_stability(law, problem, 4)
    assert found.value == pytest.approx(brute_force(law, problem, 4), abs=1e-14)
    p, q = law(np.array([found.first, found.second]))
    assert abs((p - q) @ problem.losses[:, found.record]) == pytest.approx(
        found.value, rel=1e-12
    )
    assert np.abs(found.first - found.second).sum() == 2
    assert found.first.sum() == found.second.sum() == 4


@pytest.mark.parametrize("n", [1, 3, 5, 9])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_the_exponential_mechanism_on_two_rules_attains_the_bound_of_its_range_for_odd_sizes(
    epsilon, n
):
    found = replace_one_stability(exponential_learner(COIN, epsilon), COIN, n)
    assert found.value == pytest.approx(
        stability_from_bounded_range(epsilon), rel=1e-13
    )
    assert (
        replace_one_stability(exponential_learner(COIN, epsilon), COIN, n + 1).value
        < found.value
    )


@pytest.mark.parametrize("seed", range(4))
def test_divergences_are_largest_in_the_order_that_comes_with_them(seed):
    law, n = random_law(RANDOM, seed), 3
    table = np.log(law(count_vectors(3, n)))
    both = [pair for i, j in neighbours(3, n) for pair in ((i, j), (j, i))]
    for measure, compare in (
        (exact_privacy, lambda p, q: float((p - q).max())),
        (
            total_variation_stability,
            lambda p, q: float(np.abs(np.exp(p) - np.exp(q)).sum() / 2),
        ),
    ):
        found = measure(law, 3, n)
        p, q = np.log(law(np.array([found.first, found.second])))
        assert found.value == pytest.approx(compare(p, q), rel=1e-12)
        assert found.value == pytest.approx(
            max(compare(table[i], table[j]) for i, j in both), rel=1e-12
        )


def test_ordered_laws_are_compared_on_all_sequences():
    reader = order_sensitive_mechanism(1.2, 3)

    def law(rows):
        return np.array([reader(row).pmf() for row in rows])

    found = exact_privacy(law, 4, 3, ordered=True)
    assert found.value == pytest.approx(1.2, rel=1e-12)
    assert (found.first != found.second).sum() == 1
    change = replace_one_stability(
        law, LearningProblem([[1.0] * 4, [0.0] * 4]), 3, ordered=True
    )
    assert change.value == pytest.approx(
        total_variation_stability(law, 4, 3, ordered=True).value
    )


test_bad_input_is_refused_with_a_reason = refused(
    (
        lambda: replace_one_stability(erm_learner(COIN), RANDOM, 2),
        "2 columns|must be integers of shape",
    ),
    (
        lambda: replace_one_stability(lambda c: np.ones((len(c), 1)), COIN, 2),
        "learner must be on 2 hypotheses, but got 1",
    ),
    (
        lambda: total_variation_stability(lambda c: c / 1.0, 2, 3),
        "learner must be non-negative and sum to 1",
    ),
    (
        lambda: total_variation_stability(lambda c: c[:1] / 3, 2, 3),
        "one row for each of 4 data sets",
    ),
    (
        lambda: total_variation_stability(lambda c: c / 3, 1, 3),
        "n_records must be at least 2",
    ),
    (
        lambda: total_variation_stability(lambda c: c * np.nan, 2, 3),
        "learner must be non-negative and sum to 1",
    ),
    (
        lambda: exact_privacy(lambda c: c / 30, 30, 30),
        "at most 500000 multisets .* got 59132290782430712",
    ),
    (
        lambda: exact_privacy(lambda c: c, 4, 12, ordered=True),
        "at most 500000 sequences .* got 16777216",
    ),
    (
        lambda: exact_privacy(lambda c: c / 3, 2, 3, ordered=1),
        "ordered must be True or False",
    ),
)


EPSILONS = [0.0, 0.01, 0.5, 1.0, 3.0, 20.0]
DELTAS = [0.0, 1e-6, 0.1, 0.7, 1.0]


def extremal_pair(epsilon, delta):
    """With probability delta the truth is told, otherwise by randomised response."""
    yes = 1 / (1 + exp(-epsilon))
    law = np.array([delta, (1 - delta) * yes, (1 - delta) * (1 - yes), 0.0])
    return law, law[::-1]


def logs(*laws):
    with np.errstate(divide="ignore"):
        return [np.log(law) for law in laws]


@pytest.mark.source("WLF16-lem-30", "WLF16-lem-8")
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("delta", DELTAS)
def test_the_extremal_pair_keeps_its_privacy_and_attains_the_bound(epsilon, delta):
    p, q = logs(*extremal_pair(epsilon, delta))
    assert np.exp(p).sum() == pytest.approx(1, rel=1e-14)
    for one, other in ((p, q), (q, p)):
        assert float(hockey_stick(one, other, epsilon, logs=True)) == pytest.approx(
            delta, abs=1e-12
        )
    bound = stability_from_privacy(epsilon, delta)
    assert float(total_variation(p, q, logs=True)) == pytest.approx(bound, rel=1e-12)
    closed = (expm1(epsilon) + 2 * delta) / (exp(epsilon) + 1)
    assert bound == pytest.approx(closed, rel=1e-12)


@pytest.mark.source("WLF16-lem-8", "WLF16-lem-30")
@pytest.mark.erratum("WLF16-lem-8", "WLF16-lem-30")
def test_the_printed_bounds_are_never_below_and_far_above():
    for epsilon in EPSILONS:
        for delta in DELTAS:
            assert (
                stability_from_privacy(epsilon, delta) <= expm1(epsilon) + delta + 1e-15
            )
        assert stability_from_privacy(epsilon) <= epsilon / 2
    assert (
        f"{stability_from_privacy(1.0):.3f} against {expm1(1.0):.3f}"
        == "0.462 against 1.718"
    )


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 6.0])
def test_the_bound_for_a_range_is_attained_by_losses_half_up_and_half_down(epsilon):
    high = 1 / (1 + exp(-epsilon / 2))
    p, q = logs(np.array([high, 1 - high]), np.array([1 - high, high]))
    assert float((p - q).max() - (p - q).min()) == pytest.approx(epsilon)
    assert float(total_variation(p, q, logs=True)) == pytest.approx(
        stability_from_bounded_range(epsilon), rel=1e-12
    )
