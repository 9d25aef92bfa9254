"""Answers that come one by one: the draws and the law of a run, for queries that depend on the answers."""

import math
from collections import Counter
from functools import partial
from itertools import product

import numpy as np
import pytest

from privml.adjacency import Adjacency
from privml.mechanisms import RestartingSparseVector, SparseVector


@pytest.mark.parametrize(
    "make", [SparseVector, partial(RestartingSparseVector, delta=0.1)]
)
def test_live_answers_are_those_of_a_run_and_each_comes_before_the_next_query(make):
    """Each query depends on all answers so far; the run on the same values draws the same, bool by bool."""
    mechanism = make(epsilon=3.0, threshold=12.0, cutoff=3, sensitivity=1)
    for seed in range(50):
        asked, seen = [], []

        def analyst(asked=asked, seen=seen):
            while True:
                assert len(seen) == len(asked)
                asked.append(14.0 - 3 * sum(seen) - len(seen) % 3)
                yield asked[-1]

        for crossed in mechanism.answers(analyst(), rng=seed):
            seen.append(crossed)
        run = mechanism.run([*asked, 14.0], rng=seed)
        assert seen == run.crossings.tolist()
        assert (run.halted, run.n_asked) == (True, len(asked))
        assert sum(seen) == 3 == len(asked) - seen.count(False)
        assert seen[-1] is True
        assert mechanism.run(asked[:-1], rng=seed).halted is False


def test_live_answers_follow_the_exact_law_for_queries_chosen_by_the_answers():
    """The threshold has one noise for all: answers drawn from a fresh one each would have another law."""
    mechanism = SparseVector(epsilon=4.0, cutoff=2, sensitivity=1)
    first, after, draws, rng = (
        0.5,
        {True: -0.5, False: 1.0},
        20_000,
        np.random.default_rng(3),
    )
    seen = Counter()
    for _ in range(draws):
        told = []
        stream = (value() for value in (lambda: first, lambda: after[told[0]]))
        for crossed in mechanism.answers(stream, rng=rng):
            told.append(crossed)
        seen[tuple(told)] += 1
    for pattern in product((True, False), repeat=2):
        law = mechanism.output_distribution(np.array([first, after[pattern[0]]])).pmf()
        exact = law[mechanism.transcripts(2).index(pattern)]
        assert abs(seen[pattern] / draws - exact) < 5 * math.sqrt(
            exact * (1 - exact) / draws
        )


ADD = Adjacency.ADD_OR_REMOVE_ONE


def worst_loss(mechanism, *pairs):
    laws = [
        [mechanism.output_distribution(values).logpmf() for values in pair]
        for pair in pairs
    ]
    return max(float(np.abs(p - q).max()) for p, q in laws)


def test_counts_are_not_monotone_under_replace_one():
    """Half the query noise would be charged 1 and lose up to 1.5: one count moves up and another one down."""
    with pytest.raises(
        ValueError,
        match="monotone must be False under replace-one, but got True. .*='add-or-",
    ):
        SparseVector(epsilon=1.0, monotone=True, sensitivity=1)
    halved = SparseVector(
        epsilon=1.0, monotone=True, adjacency=ADD, threshold_share=0.5, sensitivity=1
    )
    quiet, crossing = np.full(11, 0.0), np.array([0.0])
    assert (
        1.4
        < worst_loss(halved, (np.r_[quiet, crossing], np.r_[quiet + 1, crossing - 1]))
        <= 1.5
    )


@pytest.mark.parametrize("epsilon", [1e-6, 1.0, 30.0, 1e3, 1e4])
@pytest.mark.parametrize("cutoff", [1, 2])
@pytest.mark.parametrize("side", ["above", "below"])
def test_the_law_keeps_epsilon_where_probabilities_underflow(epsilon, cutoff, side):
    """At epsilon 10,000 a transcript against all the values has probability e^-5000."""
    mechanism = SparseVector(epsilon=epsilon, cutoff=cutoff, side=side, sensitivity=1)
    laws = [
        mechanism.output_distribution(values).logpmf()
        for values in ([1.0, 0.0, 1.0], [0.0, 1.0, 0.0])
    ]
    assert np.isfinite(laws).all()
    loss = np.abs(laws[0] - laws[1]).max()
    assert loss <= epsilon * (1 + 1e-9)
    assert loss > 0.2 * epsilon
