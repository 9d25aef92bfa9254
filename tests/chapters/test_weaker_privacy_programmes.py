"""Weaker privacy: smallest cases by linear programs on ordered lists, and the learners with proofs."""

from itertools import product
from math import exp, inf, log, sqrt

import numpy as np
import pytest
from scipy.optimize import linprog

from book.tools.chapter_code import chapter_module
from tests.chapters.weaker_privacy_functions import success_users

chapter = chapter_module("weaker-privacy")
LN3 = log(3)


def ordered_programme(K, n, epsilon, may, costs_of, n_public=0):
    """The least largest cost over tables on *lists* of records, dense, from nothing but the definition."""
    records = [(x, y) for x in range(1, K + 1) for y in (0, 1)]
    lists = list(product(product(records, repeat=n_public), product(records, repeat=n)))
    place, rules = {z: i for i, z in enumerate(lists)}, K + 1
    rows = []
    for public, z in lists:
        for i in range(n):
            for r in records:
                w = (public, (*z[:i], r, *z[i + 1 :]))
                if w != (public, z) and may(z[i], r):
                    for h in range(rules):
                        row = np.zeros(len(lists) * rules + 1)
                        row[place[(public, z)] * rules + h] = 1
                        row[place[w] * rules + h] = -exp(epsilon)
                        rows.append(row)
    for cost in costs_of(lists):
        rows.append(np.append(cost, -1.0))
    sums = np.zeros((len(lists), len(lists) * rules + 1))
    for i in range(len(lists)):
        sums[i, i * rules : (i + 1) * rules] = 1
    goal = np.append(np.zeros(len(lists) * rules), 1.0)
    rows = np.array(rows)
    return linprog(goal, rows, np.zeros(len(rows)), sums, np.ones(len(lists))).fun


def wrong_on(z, K):
    return np.array([sum((x >= c) != bool(y) for x, y in z) for c in range(1, K + 2)])


def failures(K):
    def costs_of(lists):
        for i, (_, z) in enumerate(lists):
            wrong = wrong_on(z, K)
            if wrong.min() == 0:
                yield np.kron(np.eye(len(lists))[i], wrong > 0)

    return costs_of


@pytest.mark.parametrize(("K", "epsilon"), [(1, 0.5), (2, LN3), (2, 0.2), (3, LN3)])
def test_the_largest_success_is_that_of_a_programme_on_lists(K, epsilon):
    anything, labels = lambda a, b: True, lambda a, b: a[0] == b[0]
    least = ordered_programme(K, 2, epsilon, anything, failures(K))
    assert chapter.success(K, 2, epsilon) == pytest.approx(1 - least, abs=1e-7)
    least = ordered_programme(K, 2, epsilon, labels, failures(K))
    assert chapter.success(K, 2, epsilon, labels_only=True) == pytest.approx(
        1 - least, abs=1e-7
    )


@pytest.mark.parametrize("epsilon", [0.1, LN3, 3.0])
def test_the_smallest_cases_have_the_values_of_the_propositions(epsilon):
    e = exp(epsilon)
    assert chapter.success(2, 2, epsilon) == pytest.approx(e / (e + 2))
    for K in (2, 3, 4):
        assert chapter.success(K, 2, epsilon, labels_only=True) == pytest.approx(
            e / (e + 2)
        )
        assert chapter.success(K, 2, epsilon) <= 1 / (1 + K / e**2) + 1e-9
        assert chapter.success(K, 1, epsilon) == pytest.approx(e / (e + 1))
    assert chapter.success(3, 2, epsilon) < e / (e + 2) - 1e-3
    for K in (1, 2, 3):
        assert chapter.success_remove(K, 1, epsilon, (0, 1)) == pytest.approx(
            1 - 1 / (2 * e)
        )
        assert (
            chapter.success_remove(K, 1, epsilon, (0, 1, 2)) <= 1 - 1 / (2 * e) + 1e-9
        )
        if K > 1:
            assert success_users(K, 1, epsilon) == pytest.approx(e / (e + K))
    assert chapter.success(2, 2, epsilon / 2) == pytest.approx(sqrt(e) / (sqrt(e) + 2))
    assert success_users(2, 2, epsilon) <= 1 / (1 + 2 / e**2) + 1e-9


@pytest.mark.parametrize(("K", "n"), [(3, 1), (4, 2), (4, 3), (5, 3)])
def test_with_private_labels_more_doses_than_records_change_nothing(K, n):
    found = chapter.success(K, n, 0.8, labels_only=True)
    few = chapter.success(n, n, 0.8, labels_only=True)
    assert found == pytest.approx(few, abs=1e-8)
    assert n == 1 or found > chapter.success(K, n, 0.8) + 1e-3


@pytest.mark.parametrize("n", [1, 2, 3])
def test_adding_and_removing_lies_between_replacing_with_one_and_with_two_epsilons(n):
    found = chapter.success_remove(2, n, LN3, range(n + 2))
    assert (
        chapter.success(2, n, LN3) + 0.01
        < found
        < chapter.success(2, n, 2 * LN3) - 0.01
    )
    assert found == pytest.approx(chapter.success_remove(2, n, LN3, (n - 1, n)))


def mean_errors(K, n, n_public):
    def costs_of(lists):
        for c in range(1, K + 2):
            cost = []
            for public, z in lists:
                both = [*public, *z]
                chance = all(y == (x >= c) for x, y in both) / K ** len(both)
                cost += [chance * abs(h - c) / K for h in range(1, K + 2)]
            yield np.array(cost)

    return costs_of


@pytest.mark.parametrize(
    ("K", "n", "n_public", "epsilon"),
    [(2, 1, 0, LN3), (2, 2, 0, 0.5), (2, 1, 1, LN3), (3, 1, 0, 2.0)],
)
def test_the_least_mean_error_is_that_of_a_programme_on_lists(K, n, n_public, epsilon):
    found = chapter.least_error(K, n, epsilon, n_public)
    direct = ordered_programme(
        K, n, epsilon, lambda a, b: True, mean_errors(K, n, n_public), n_public
    )
    assert found == pytest.approx(direct, abs=1e-8)


def test_one_public_record_alone_has_the_error_worked_by_hand():
    """With two doses: middle rule seen half of the time, else two rules are left, half a dose apart."""
    assert chapter.least_error(2, 0, 1.0, 1) == pytest.approx(1 / 6)
    assert chapter.least_error(2, 0, 1.0, 0) == pytest.approx(1 / 2)
    assert chapter.least_error(2, 3, LN3) == pytest.approx(1 / 6, abs=1e-9)


def test_chances_are_those_of_lists():
    for K, n, c in ((2, 3, 2), (3, 2, 4)):
        sets = chapter.data_sets(K, n)
        found, counted = chapter.probabilities(sets, c, K), dict.fromkeys(sets, 0.0)
        for points in product(range(1, K + 1), repeat=n):
            counted[tuple(sorted((x, int(x >= c)) for x in points))] += K**-n
        assert found == pytest.approx(list(counted.values()))
        assert found.sum() == pytest.approx(1)


def test_a_protocol_of_bits_is_as_near_to_its_queries_as_the_theorem_says():
    """An adaptive protocol of four bits, with an oracle that is off by the whole tolerance each time."""
    rng, m, tau, distance = np.random.default_rng(0), 4, 0.01, []
    means = {
        w: rng.uniform(0.1, 0.9) for n in range(m) for w in product((0, 1), repeat=n)
    }
    for sign in (1, -1, 0):
        far = 0.0
        for word in product((0, 1), repeat=m):
            p = np.array([means[word[:j]] for j in range(m)])
            off = [sign or (-1) ** sum(word[:j]) for j in range(m)]
            true, drawn = (
                np.where(word, a, 1 - a).prod() for a in (p, p + tau * np.array(off))
            )
            far += abs(true - drawn) / 2
        distance.append(far)
    assert (
        1.2 * tau < max(distance) <= m * tau
    )  # without the factor m it would be false


@pytest.mark.parametrize(("K", "n", "epsilon"), [(5, 3, LN3), (9, 4, 0.7)])
def test_the_learner_with_private_labels_keeps_its_promises(K, n, epsilon):
    rng = np.random.default_rng(2)
    for _ in range(6):
        points = np.sort(rng.integers(1, K + 1, size=n))
        rules, laws = (
            sorted({*points.tolist(), K + 1}),
            {},
        )  # one rule for each list of answers
        assert {tuple(points >= c) for c in rules} == {
            tuple(points >= c) for c in range(1, K + 2)
        }
        for y in product((0, 1), repeat=n):
            wrong = np.array([sum((points >= c) != y) for c in rules])
            weights = np.exp(-epsilon * wrong / 2)
            laws[y] = weights / weights.sum()
            assert laws[y] @ wrong / n <= wrong.min() / n + 2 * log(n + 1) / (
                epsilon * n
            )
        for y, i in product(laws, range(n)):
            assert (laws[y] / laws[(*y[:i], 1 - y[i], *y[i + 1 :])]).max() <= exp(
                epsilon
            ) * (1 + 1e-12)


@pytest.mark.parametrize(("K", "n"), [(2, 2), (3, 2), (3, 3), (2, 5), (4, 4)])
def test_private_records_need_the_logarithm_by_a_packing_whose_other_rules_err_on_a_third(
    K, n
):
    """Least worst share of mistakes by the programme on lists, below the stated number of records."""
    for c in range(1, K + 2):
        z = {1: [(1, 1)] * n, K + 1: [(K, 0)] * n}.get(
            c, [(c - 1, 0)] * (n // 2) + [(c, 1)] * (n - n // 2)
        )
        wrong = wrong_on(z, K)
        assert wrong[c - 1] == 0
        assert np.delete(wrong, c - 1).min() >= (n if c == 1 else n / 3)
    if n == 2:

        def costs(lists):
            return (
                np.kron(np.eye(len(lists))[i], wrong_on(z, K) / n)
                for i, (_, z) in enumerate(lists)
                if wrong_on(z, K).min() == 0
            )

        least = [
            ordered_programme(K, n, f * log(K) / n, lambda a, b: True, costs)
            for f in (0.999, 2.1)
        ]
        assert least[0] > 1 / 4
        assert K != 3 or least[1] < 1 / 4  # so a bound twice as large would be false


@pytest.mark.parametrize(
    "weights", [[0.25] * 4, [0.7, 0.1, 0.1, 0.1], [0.01, 0.01, 0.97, 0.01]]
)
@pytest.mark.parametrize("p", [0, 1, 3])
def test_the_best_rule_of_a_public_grid_errs_as_seldom_as_its_symmetry_says(weights, p):
    missed = np.zeros(5)
    for *public, x in product(range(1, 5), repeat=p + 1):
        for c in range(1, 6):
            begin = min((q for q in public if q >= c), default=inf)
            missed[c - 1] += (c <= x < begin) * np.prod(
                [weights[q - 1] for q in (*public, x)]
            )
    assert missed.max() <= 1 / (p + 1) + 1e-12
    assert (
        p != 1 or weights[0] != 0.25 or missed.max() == pytest.approx(3 / 8)
    )  # nearly one half
