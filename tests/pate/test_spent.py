"""What is spent when a run stops early: the source's number, valid odometers, and the worst stopping rule."""

import copy
import pickle

import numpy as np
import pytest

from privml.divergences import gaussian_epsilon, gaussian_mu
from privml.learners.statistical_queries import PrivateSQOracle
from privml.pate import spent_epsilon


def claims(epsilon, n_records, budget, method):
    """The epsilons after every number of queries, and the step of the walk."""
    used = range(1, budget + 1)
    epsilons = [
        spent_epsilon(epsilon, 1 / n_records, budget, q, method=method) for q in used
    ]
    return epsilons, gaussian_mu(epsilon, 1 / n_records) / np.sqrt(budget)


@pytest.mark.source("LZCW21-rem-ex-post")
def test_all_methods_grow_with_use_and_only_the_fixed_one_ends_at_the_budget():
    ends = {}
    for method in ("fixed", "union", "line"):
        epsilons, _ = claims(0.5, 6499, 49, method)
        assert (np.diff(epsilons) > 0).all()
        ends[method] = epsilons[-1]
    assert ends["fixed"] == pytest.approx(0.5, rel=1e-9)
    assert 0.5 < ends["union"] < ends["line"]


@pytest.mark.erratum("LZCW21-rem-ex-post/1")
def test_the_odometers_certify_no_saving_at_four_fifths_of_the_budget():
    numbers = [
        spent_epsilon(0.5, 1 / 6499, 49, 40, method=m) for m in ("union", "line")
    ]
    assert numbers == pytest.approx([0.61, 0.68], abs=6e-3)
    mu = gaussian_mu(0.5, 1 / 6499)
    union = gaussian_epsilon(delta=1 / 6499 / 49, mu=mu * np.sqrt(40 / 49))
    assert numbers[0] == pytest.approx(union, rel=1e-9)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"used": 50}, "used must be at most the budget"),
        ({"used": 0}, "used must be a positive integer"),
        ({"delta": 1.0}, "delta must be in the open interval"),
    ],
)
def test_bad_numbers_are_refused(change, message):
    good = {"epsilon": 0.5, "delta": 1e-4, "budget": 49, "used": 40, "method": "fixed"}
    with pytest.raises(ValueError, match=message):
        spent_epsilon(**(good | change))


def aggregators():
    from privml import pate

    return [
        pate.GaussianAggregator(n_queries=4, epsilon=1.0, delta=1e-6),
        pate.SparseVectorAggregator(n_queries=4, epsilon=1.0, delta=1e-6, cutoff=2),
    ]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_what_holds_a_budget_or_unused_noise_is_not_copied(copied):
    """A copy drew the same noise again, and both had the whole budget left."""
    votes = np.repeat([0, 1], [40, 60])
    for aggregator in aggregators():
        stream = aggregator.stream(rng=0)
        for _ in range(2):
            with pytest.raises(TypeError, match="must not be copied or pickled"):
                copied(stream)
            with pytest.raises(TypeError, match="must not be copied or pickled"):
                copied([stream]) if copied is not copy.copy else copied(stream)
            stream.answer(votes)
        copied(aggregator)
    oracle = PrivateSQOracle(
        np.zeros((1000, 1)), np.arange(1000) < 300, n_queries=2, epsilon=1.0, rng=0
    )
    for _ in range(2):
        with pytest.raises(TypeError, match="PrivateSQOracle must not be copied"):
            copied(oracle)
        oracle.answer(lambda X, y: y)
