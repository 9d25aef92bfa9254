"""How many rows a person contributes: `privml.statistics.contributions`."""

from itertools import permutations, product
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from privml import (
    Adjacency,
    ExponentialPACLearner,
    Guarantee,
    PrivateCount,
    bound_contributions,
    compose,
)
from privml.hypotheses import Thresholds

ADD, REPLACE = Adjacency.ADD_OR_REMOVE_ONE, Adjacency.REPLACE_ONE
OUTPUTS = np.arange(-30, 36)


class Ordered(np.random.Generator):
    """A generator whose only permutation is given."""

    def __init__(self, order):
        super().__init__(np.random.PCG64(0))
        self.order = order

    def permutation(self, x, axis=0):
        return np.array(self.order, dtype=np.intp)


def log_probabilities(rows, max_rows, mechanism):
    """Exact log-probabilities of a noisy count of the chosen rows, over all orders of the draw."""
    persons = [person for person, _ in rows]
    values = np.array([value for _, value in rows], dtype=bool)
    orders = list(permutations(range(len(rows))))
    total = np.zeros(OUTPUTS.size)
    for order in orders:
        chosen = bound_contributions(
            persons, max_rows, adjacency=mechanism.adjacency, rng=Ordered(order)
        )
        law = mechanism.output_distribution(values[chosen])
        total += np.exp(law.logpmf(OUTPUTS))
    return np.log(total / len(orders))


def histories(person, sizes):
    """Every list of truth values that a person may have, as rows."""
    return [
        [(person, value) for value in values]
        for size in sizes
        for values in product([0, 1], repeat=size)
    ]


@pytest.mark.parametrize("max_rows", [1, 2, 3])
def test_the_exact_loss_of_a_removed_person_is_what_is_promised_for_a_group(max_rows):
    mechanism = PrivateCount(epsilon=0.4, adjacency=ADD)
    worst = 0.0
    for others in histories("a", [0, 2]):
        for own in histories("b", [1, 3]):
            mixed = own[:1] + others + own[1:]  # the person stands among the others
            with_person = log_probabilities(mixed, max_rows, mechanism)
            without = log_probabilities(others, max_rows, mechanism)
            worst = max(worst, np.abs(with_person - without).max())
    promise = mechanism.guarantee.for_group(max_rows)
    assert worst == pytest.approx(promise.epsilon, abs=1e-9)


@pytest.mark.parametrize("max_rows", [1, 2, 3])
def test_the_exact_loss_of_a_replaced_person_is_what_is_promised_for_a_group(max_rows):
    mechanism = PrivateCount(epsilon=0.4, adjacency=REPLACE)
    worst = 0.0
    others = [("a", 1), ("a", 0)]
    found = [
        log_probabilities(own[:1] + others + own[1:], max_rows, mechanism)
        for own in histories("b", [1, 2, 3])
    ]
    for first in found:
        for second in found:
            worst = max(worst, np.abs(first - second).max())
    promise = mechanism.guarantee.for_group(max_rows)
    assert worst == pytest.approx(promise.epsilon, abs=1e-9)


def test_each_person_keeps_own_rows_and_no_more_than_allowed():
    persons = np.array(["a", "b", "a", "a", "c", "b", "a"])
    for seed in range(30):
        rows = bound_contributions(persons, 2, adjacency=ADD, rng=seed)
        assert len(set(rows.tolist())) == rows.size == 5
        assert persons[rows].tolist() == ["a", "a", "b", "b", "c"]
        exact = bound_contributions(persons, 3, rng=seed)
        assert persons[exact].tolist() == list("aaabbbccc")
        assert len(set(exact[:3].tolist())) == 3  # no row twice while others are left
        assert set(exact[3:6].tolist()) == {1, 5}


def test_each_row_of_a_person_is_equally_likely():
    persons = ["a", "b", "a", "a", "b"]
    counts = np.zeros(5)
    for order in permutations(range(5)):
        rows = bound_contributions(persons, 1, adjacency=ADD, rng=Ordered(order))
        counts[rows] += 1
    assert counts.tolist() == [40, 60, 40, 40, 60]


def test_the_number_of_records_is_public_under_replace_one():
    few, many = ["a", "b", "b"], ["a"] * 9 + ["b"]
    assert bound_contributions(few, 4).size == bound_contributions(many, 4).size == 8


class Odd:
    """An identifier that cannot be hashed and raises when it is compared."""

    __hash__ = None

    def __eq__(self, other):
        raise RuntimeError("compared")


@pytest.mark.parametrize("odd", [None, np.nan, pd.NA, pd.NaT, Odd(), [], {}])
def test_a_row_without_a_person_is_left_out(odd):
    rows = bound_contributions(["a", odd, "b", odd], 2, adjacency=ADD, rng=0)
    assert sorted(rows.tolist()) == [0, 2]


@pytest.mark.parametrize(
    "persons",
    [
        np.array([7, 8, 7]),
        pd.Series(["x", "y", "x"]),
        pd.Series(["x", "y", "x"], dtype="category"),
        np.array(["2020-01-01", "2021-01-01", "2020-01-01"], dtype="datetime64[D]"),
        ("x", "y", "x"),
    ],
    ids=["integers", "strings", "category", "dates", "tuple"],
)
def test_identifiers_of_any_type_are_compared_by_value(persons):
    rows = bound_contributions(persons, 1, adjacency=ADD, rng=1)
    assert rows.size == 2
    assert rows[1] == 1


def test_no_rows_give_no_positions():
    for adjacency in Adjacency:
        assert bound_contributions([], 3, adjacency=adjacency).tolist() == []


def test_a_learner_fits_the_chosen_rows_and_protects_a_person():
    generator = np.random.default_rng(3)
    X = generator.random((60, 1))
    persons = generator.integers(0, 20, 60)
    rows = bound_contributions(persons, 5, rng=0)
    learner = ExponentialPACLearner(
        0.2, Thresholds(np.linspace(0, 1, 5)), classes=(False, True)
    )
    learner.fit(X[rows], (X[:, 0] > 0.5)[rows], rng=0)
    promise = learner.privacy_.for_group(5)
    assert promise.implies(Guarantee(1.0 + 1e-12, group_size=5))
    assert str(promise).endswith(
        "(replace-one, a person or group with at most 5 records)"
    )
    with pytest.raises(ValueError, match="groups of 1 and .*groups of 5.*for_group"):
        compose(promise, learner.privacy_)


@pytest.mark.parametrize(
    ("persons", "max_rows", "message"),
    [
        (["a"], 0, "max_rows must be a positive integer"),
        (["a"], 10**6 + 1, "max_rows must be at most"),
        (SimpleNamespace(), 1, "persons must hold one value for each record"),
        (np.zeros((3, 2)), 1, "persons must hold one value for each record"),
    ],
)
def test_bad_parameters_are_refused(persons, max_rows, message):
    with pytest.raises(ValueError, match=message):
        bound_contributions(persons, max_rows)
