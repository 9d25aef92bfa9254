"""What the chapter on what privacy promises computes in its cells, against definitions and brute force."""

from functools import reduce
from itertools import product

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml import audit
from privml.adjacency import Adjacency, neighbouring_datasets
from privml.guarantee import Guarantee
from tests.chapters.checkers import checkers, several
from tests.chapters.what_privacy_promises_functions import (
    BITS,
    admitted,
    answer_lists,
    left_after,
    noisy,
    noisy_counts,
    slowest_admission,
)

chapter = chapter_module("what-privacy-promises")
EPSILONS = (0.3, 1.0, 2.5)
REPLACE, ADD = Adjacency.REPLACE_ONE, Adjacency.ADD_OR_REMOVE_ONE


def admission(epsilon, delta, most):
    said = slowest_admission(epsilon, delta, most)
    return lambda records: np.array([1 - said[np.sum(records)], said[np.sum(records)]])


def name_and_shame(records, delta):
    entry = np.array([[1 - delta, delta, 0], [1 - delta, 0, delta]])
    return reduce(np.multiply.outer, [entry[bit] for bit in records]).ravel()


def every_event(p, q):
    """Probabilities of all events under both laws."""
    events = np.array(list(product((0, 1), repeat=len(p))))
    return events @ p, events @ q


def random_laws(rng, n_outcomes):
    return rng.dirichlet(np.ones(n_outcomes), size=2)


@pytest.mark.source("WLF16-def-2", "WLF16-eq-3")
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_randomised_answers_keep_epsilon_on_every_event_of_every_pair_and_use_all_of_it(
    epsilon,
):
    law = chapter.answers_by_name(epsilon)
    first, _, pairs = neighbouring_datasets(BITS, 3, ordered=True)
    for a, b in pairs:
        p, q = every_event(law(first[a]), law(first[b]))
        assert (p <= np.exp(epsilon) * q + 1e-12).all()
        assert (q <= np.exp(epsilon) * p + 1e-12).all()
        assert (p > 0.99 * np.exp(epsilon) * q)[1:].any()
    assert audit.exact(law, BITS, 3, ordered=True).epsilon == pytest.approx(
        epsilon, abs=1e-12
    )


@pytest.mark.source("LZCW21-def-1")
def test_randomised_answers_have_no_parameter_when_a_record_may_be_added():
    found = audit.exact(answer_lists, BITS, 3, adjacency=ADD, ordered=True)
    assert found.epsilon == np.inf
    assert found.delta(20.0) == pytest.approx(1.0)


def test_the_number_of_yes_is_a_count_of_the_answers_by_name():
    answers = [1, 0, 1, 1]
    lists = chapter.answers_by_name(0.7)(answers)
    wanted = np.bincount(
        [sum(answer) for answer in product((0, 1), repeat=4)], weights=lists
    )
    np.testing.assert_allclose(chapter.number_of_yes(0.7)(answers), wanted, rtol=1e-12)


@pytest.mark.source("WLF16-def-27")
def test_the_hockey_stick_is_the_largest_excess_over_all_events_and_the_curve_of_the_audit():
    grid = np.array([0.0, 0.4, 0.9])

    def shamed(z):
        return name_and_shame(z, 0.05)

    for law, m in (
        (chapter.answers_by_name(1.0), 3),
        (chapter.number_of_yes(1.0), 3),
        (shamed, 2),
    ):
        rests = list(product((0, 1), repeat=m - 1))
        events = [
            every_event(law([k, *rest]), law([1 - k, *rest]))
            for k in (0, 1)
            for rest in rests
        ]
        wanted = [max(np.max(p - np.exp(t) * q) for p, q in events) for t in grid]
        np.testing.assert_allclose(
            audit.exact(law, BITS, m, ordered=True).delta(grid), wanted, atol=1e-12
        )


@pytest.mark.source("LZCW21-lem-40")
def test_no_map_of_the_outcomes_raises_a_curve():
    law, grid = chapter.number_of_yes(1.0), np.linspace(0, 1.2, 7)
    before = audit.exact(law, BITS, 3).delta(grid)
    found = [
        left_after(images, law, before, grid) for images in product(range(4), repeat=4)
    ]
    n_values, left, rise = map(np.array, zip(*found, strict=True))
    assert np.bincount(n_values)[1:].tolist() == [4, 84, 144, 24]
    assert rise.max() <= 1e-15
    assert left[n_values == 4] == pytest.approx(1.0)
    assert (np.diff([left[n_values == k].min() for k in (1, 2, 3, 4)]) > 0).all()


@pytest.mark.source("LZCW21-lem-40")
def test_a_map_that_looks_at_the_data_again_is_no_post_processing():
    law = chapter.number_of_yes(1.0)

    def rounded_to_the_truth(records):
        keep = np.eye(4)
        keep[np.arange(4) != records.sum()] = np.full(4, 0.25)
        return law(records) @ keep

    assert audit.exact(rounded_to_the_truth, BITS, 3).epsilon > 1.01


@pytest.mark.erratum("WLF16-eq-group-privacy")
def test_the_printed_group_bound_fails_on_both_events_and_the_corrected_one_holds():
    epsilon, delta, k = 0.5, 0.001, 3
    none, all_yes = (admission(epsilon, delta, k)([bit] * k) for bit in (0, 1))
    factor, slack = np.exp(-k * epsilon), np.exp(-epsilon) * k * delta
    assert (none > factor * none - slack + 1e-4).all()  # printed: at most
    assert (none >= factor * all_yes - slack).all()
    assert (factor * none - slack < 0).any()


@pytest.mark.source("WLF16-def-27", "LZCW21-def-1")
@pytest.mark.parametrize("relation", Adjacency)
@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 0.001), (2.0, 0.1)])
def test_the_admission_keeps_its_promise_under_both_relations_and_uses_all_of_it(
    relation, epsilon, delta
):
    found = audit.exact(admission(epsilon, delta, 8), BITS, 8, adjacency=relation)
    assert found.delta(epsilon) == pytest.approx(delta, abs=1e-12)
    assert found.delta(0.9 * epsilon) > delta + 1e-6


@pytest.mark.source("LZCW21-def-1", "WLF16-def-27")
def test_replacing_costs_at_most_two_steps_both_attained_and_there_is_no_way_back():
    """The examples of the last section, at the chapter's parameters and with three records."""
    epsilon, delta = chapter.epsilon, chapter.delta
    promised = Guarantee(epsilon, delta, ADD).under(REPLACE)

    def both(law):
        return [
            audit.exact(law, BITS, 3, adjacency=relation, ordered=True)
            for relation in (ADD, REPLACE)
        ]

    added, replaced = both(lambda z: noisy(sum(z)))
    assert (added.epsilon, replaced.epsilon) == pytest.approx((epsilon, epsilon))
    added, replaced = both(noisy_counts)
    assert (added.epsilon, replaced.epsilon) == pytest.approx((epsilon, 2 * epsilon))
    added, replaced = both(admitted)
    assert added.delta(epsilon) == pytest.approx(delta)
    assert replaced.delta(2 * epsilon) == pytest.approx(promised.delta)
    for law in (lambda z: np.eye(4)[len(z)], answer_lists):
        added, replaced = both(law)
        assert added.delta(epsilon) == pytest.approx(1.0)
        assert replaced.epsilon <= epsilon + 1e-12


attacker = chapter_module("what-an-attacker-learns")


def by_yes(epsilon, delta, n):
    said = delta * np.expm1(epsilon * np.arange(n + 1)) / np.expm1(epsilon)
    return np.minimum(1.0, said)


def smallest_consistent(a, b, delta):
    return np.log(max((1 - delta - b) / a, (1 - delta - a) / b, 1.0))


CROWD = 25
SIZE = int(np.ceil(1 / (2 * np.sinh(0.5) * 0.05) ** 2))
test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "coins": [
            (lambda t: np.log((1 + t) / (1 - t)), None),
            (lambda t: np.log(t / (1 - t)), "the audit finds"),
            (lambda t: 2 * t, "the audit finds"),
            (lambda t: np.log((1 + t) / 2), "the audit finds"),
        ],
        "guess": [
            (
                lambda epsilon, prior: max(
                    prior, 1 - prior, 1 / (1 + np.exp(-epsilon))
                ),
                None,
            ),
            (lambda epsilon, prior: 1 / (1 + np.exp(-epsilon)), "one can do better"),
            (lambda epsilon, prior: 1.0, "nobody guesses right"),
        ],
        "belief": [
            (lambda epsilon, prior: 1 / (1 + np.exp(-epsilon) * (1 / prior - 1)), None),
            (lambda epsilon, prior: prior, "randomised response already leads to"),
            (
                lambda epsilon, prior: min(1.0, prior * np.exp(epsilon)),
                "no output leads to more",
            ),
        ],
        "refute": [
            (smallest_consistent, None),
            (
                lambda a, b, delta: smallest_consistent(a, b, 0.0),
                "a smaller epsilon than",
            ),
            (
                lambda a, b, delta: max(0.0, np.log((1 - delta - b) / a)),
                "the rates are impossible",
            ),
            (lambda a, b, delta: -1.0, "must not be negative"),
        ],
        "brother": [
            ([[0.45, 0.05], [0.05, 0.45]], None),
            ([[0.9, 0.02], [0.01, 0.07]], None),
            ([[0.25, 0.25], [0.25, 0.25]], "the factor is only"),
            ([[0.5, 0.0], [0.0, 0.5]], "at least 0.01"),
            ([[0.4, 0.1], [0.1, 0.45]], "add up to 1"),
            ([0.5, 0.5], "two rows"),
        ],
        "crowd": [
            (CROWD, None),
            (CROWD - 1, "some test misses"),
            (CROWD + 1, "fewer nurses suffice"),
        ],
        "admission": [
            (slowest_admission, None),
            (lambda epsilon, delta, n: np.full(n + 1, 0.5), "with no yes at all"),
            (
                lambda epsilon, delta, n: slowest_admission(epsilon, 0.9 * delta, n),
                "larger probability would keep",
            ),
            (
                lambda epsilon, delta, n: slowest_admission(epsilon, 1.1 * delta, n),
                "the audit finds delta",
            ),
            (lambda epsilon, delta, n: np.zeros(n), "probabilities are wanted"),
            (by_yes, "the audit finds delta"),
        ],
        "size": [
            (several(SIZE, 1.0, 0.05), None),
            (several(SIZE - 1, 1.0, 0.05), "the deviation is"),
            (several(SIZE + 1, 1.0, 0.05), "fewer suffice"),
            (several(0, 1.0, 0.05), "a number of answers"),
        ],
        "suppressed": [
            (([1, 1, 1, 0], [1, 1, 0, 0]), None),
            (([1, 1, 1, 1], [1, 1, 1, 0]), None),
            (([1, 0, 0, 0], [1, 1, 0, 0]), "both are answered"),
            (([1, 1, 1, 1], [0, 0, 1, 1]), "differ in one answer"),
            (([1, 1, 1], [1, 1]), "same number"),
            (([3], [0]), "0 or 1"),
        ],
    },
    chapter,
    attacker,
)
