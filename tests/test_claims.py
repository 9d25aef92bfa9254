"""Every mechanism keeps its promise on every neighbouring pair of a small universe, and spends all of it.

One case a mechanism: the law of its answer as a function of the data, the universe, the size, and whether
98 % of the promised epsilon would already be too little.  A mechanism that is not here has no claim; the
last test says so.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from privml import audit, mechanisms
from privml.adjacency import Adjacency
from privml.distributions import Categorical
from privml.guarantee import Guarantee
from privml.hypotheses import Thresholds
from privml.learners import ExponentialPACLearner
from privml.mechanisms import (
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    DistanceToInstability,
    ExponentialMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    PermuteAndFlip,
    RandomisedResponse,
    RestartingSparseVector,
    SparseVector,
)

REPLACE, ADD = Adjacency.REPLACE_ONE, Adjacency.ADD_OR_REMOVE_ONE
BITS = np.array([0, 1])
ROUNDING = 1e-9


@dataclass
class Claim:
    name: str
    kind: type
    guarantee: Guarantee
    law: Callable
    universe: object
    n_samples: int
    tight: bool

    def __repr__(self) -> str:
        return self.name


def votes(bits):
    return [float((1 - bits).sum()), float(bits.sum())]


def three_scores(bits):
    return [float((1 - bits).sum()), float(bits.sum()), 0.3 * len(bits)]


def selection(name, kind, scores, n_samples, *, tight, **parameters):
    mechanism = kind(sensitivity=1.0, **parameters)
    return Claim(
        f"{name} {parameters}",
        kind,
        mechanism.guarantee,
        lambda bits: mechanism.output_distribution(scores(bits)),
        BITS,
        n_samples,
        tight,
    )


def learner(epsilon, adjacency, n_samples, *, tight):
    estimator = ExponentialPACLearner(
        epsilon, Thresholds([-1.0, 0.5, 1.5, 9.0]), adjacency=adjacency, classes=(False, True)
    )
    universe = np.array([[0.0], [1.0], [0.0], [1.0]]), np.array([True, True, False, False])
    privacy = estimator.fit(*universe, rng=0).privacy_
    return Claim(
        f"private learner {epsilon} {adjacency}",
        ExponentialPACLearner,
        privacy,
        lambda data: estimator.output_distribution(*data),
        universe,
        n_samples,
        tight,
    )


def counting_stream(bits):
    """Six queries of sensitivity 1: two counts in turn."""
    return [float(bits.sum()), float((1 - bits).sum())] * 3


def crossings(kind, n_samples, *, tight, **parameters):
    mechanism = kind(threshold=n_samples / 2, **parameters)
    return Claim(
        f"{kind.__name__} {parameters}",
        kind,
        mechanism.guarantee,
        lambda bits: mechanism.output_distribution(counting_stream(bits)),
        BITS,
        n_samples,
        tight,
    )


def stable_majority(epsilon, delta, adjacency, *, tight):
    """The majority of bits, whose stability radius under add/remove and replacement is a count."""
    mechanism = DistanceToInstability(epsilon=epsilon, delta=delta, adjacency=adjacency)

    def law(bits):
        margin = 2 * int(bits.sum()) - len(bits)
        steps = margin if margin > 0 else 1 - margin
        if adjacency is REPLACE:
            steps = (steps + 1) // 2
        return mechanism.output_distribution((int(margin > 0), steps - 1))

    return Claim(
        f"distance to instability {epsilon} {delta} {adjacency}",
        DistanceToInstability,
        mechanism.guarantee,
        law,
        BITS,
        9,
        tight,
    )


def noisy_count(kind, cell, *, tight, **parameters):
    """A count of bits with noise, seen through cells of the real line that hide next to nothing."""
    mechanism = kind(**parameters)
    edges = np.arange(-60, 66, cell)

    def law(bits):
        answer = mechanism.output_distribution(int(bits.sum()))
        below, above = answer.logcdf(edges), answer.logsf(edges)
        inner = np.where(below[1:] < -1, np.diff(np.exp(below)), -np.diff(np.exp(above)))
        with np.errstate(divide="ignore"):
            return Categorical(np.concatenate([below[:1], np.log(inner), above[-1:]]))

    return Claim(f"{kind.__name__} {parameters}", kind, mechanism.guarantee, law, BITS, 5, tight)


def answer(epsilon, n_values):
    """The answer of one record; lists of them need an audit in order, see the mechanism's own tests."""
    survey = RandomisedResponse(epsilon, n_values)
    return Claim(
        f"randomised response {epsilon} {n_values}",
        RandomisedResponse,
        survey.guarantee,
        lambda records: survey.output_distribution(records[0]),
        np.arange(n_values),
        1,
        tight=True,
    )


NOISE = [
    *(
        noisy_count(kind, 1, tight=True, epsilon=epsilon, sensitivity=1, adjacency=adjacency)
        for kind in (LaplaceMechanism, DiscreteLaplaceMechanism)
        for epsilon in (0.5, 2.0)
        for adjacency in Adjacency
    ),
    *(
        noisy_count(kind, cell, tight=True, epsilon=epsilon, delta=delta, sensitivity=1)
        for kind, cell in ((GaussianMechanism, 0.01), (DiscreteGaussianMechanism, 1))
        for epsilon in (0.5, 2.0)
        for delta in (0.1, 1e-3)
    ),
]
CLAIMS = [
    *(crossings(SparseVector, 6, tight=False, epsilon=1.0, cutoff=cutoff) for cutoff in (1, 2)),
    crossings(SparseVector, 6, tight=False, epsilon=1.0, side="below", threshold_share=0.5),
    crossings(SparseVector, 6, tight=False, epsilon=1.0, adjacency=ADD, cutoff=2, monotone=True),
    *(stable_majority(1.0, 0.05, adjacency, tight=True) for adjacency in Adjacency),
    crossings(RestartingSparseVector, 6, tight=False, epsilon=1.0, delta=0.01, cutoff=2, side="below"),
    *(
        selection("exponential mechanism", ExponentialMechanism, votes, 40, tight=True, epsilon=epsilon)
        for epsilon in (0.5, 1.0, 3.0)
    ),
    selection("exponential mechanism", ExponentialMechanism, three_scores, 12, tight=False, epsilon=1.0),
    selection(
        "exponential mechanism with counts under add/remove",
        ExponentialMechanism,
        votes,
        40,
        tight=True,
        epsilon=0.5,
        adjacency=ADD,
        monotone=True,
    ),
    selection(
        "exponential mechanism under add/remove",
        ExponentialMechanism,
        votes,
        40,
        tight=False,
        epsilon=0.5,
        adjacency=ADD,
    ),
    selection(
        "exponential mechanism with a base measure",
        ExponentialMechanism,
        votes,
        40,
        tight=True,
        epsilon=0.7,
        base_measure=(0.2, 0.8),
    ),
    *(
        selection("permute-and-flip", PermuteAndFlip, votes, 30, tight=True, epsilon=epsilon)
        for epsilon in (0.5, 1.0)
    ),
    selection("permute-and-flip", PermuteAndFlip, three_scores, 12, tight=False, epsilon=1.0),
    selection(
        "permute-and-flip with counts under add/remove",
        PermuteAndFlip,
        votes,
        30,
        tight=True,
        epsilon=0.5,
        adjacency=ADD,
        monotone=True,
    ),
    learner(1.0, REPLACE, 12, tight=False),
    learner(1.0, ADD, 12, tight=False),
    *NOISE,
    *(answer(epsilon, n_values) for epsilon in (0.3, 2.0) for n_values in (2, 4)),
]


@pytest.mark.source("L4-exp-mech-privacy", "S16-thm-0.1", "L4-private-erm", "DR11-alg-exp-mech-learner")
@pytest.mark.source("LZCW21-lem-42", "LZCW21-lem-44")
@pytest.mark.parametrize("claim", CLAIMS, ids=repr)
def test_every_neighbouring_pair_keeps_the_promise(claim):
    promised = claim.guarantee
    found = audit.exact(claim.law, claim.universe, claim.n_samples, adjacency=promised.adjacency)
    assert found.delta(promised.epsilon + ROUNDING) <= promised.delta + 1e-12
    assert promised.delta > 0 or found.epsilon <= promised.epsilon + ROUNDING
    assert found.epsilon > 0.09 * promised.epsilon  # the case is not vacuous


@pytest.mark.parametrize("claim", [claim for claim in CLAIMS if claim.tight], ids=repr)
def test_less_than_the_promise_would_be_false(claim):
    found = audit.exact(claim.law, claim.universe, claim.n_samples, adjacency=claim.guarantee.adjacency)
    promised = claim.guarantee
    if promised.delta == 0:
        assert found.delta(0.98 * promised.epsilon) > 0
    else:
        assert found.delta(promised.epsilon) > 0.98 * promised.delta


@pytest.mark.parametrize("claim", CLAIMS[:3], ids=repr)
def test_a_factor_two_in_the_sensitivity_is_noticed(claim):
    broken = ExponentialMechanism(epsilon=2 * claim.guarantee.epsilon, sensitivity=1.0)
    found = audit.exact(lambda bits: broken.output_distribution(votes(bits)), BITS, claim.n_samples)
    assert found.epsilon > claim.guarantee.epsilon + ROUNDING


def test_every_public_mechanism_has_a_claim():
    public = {
        kind
        for name in mechanisms.__all__
        if isinstance(kind := getattr(mechanisms, name), type)
        and issubclass(kind, mechanisms.Mechanism)
        and kind is not mechanisms.Mechanism
    }
    claimed = {claim.kind for claim in CLAIMS}
    assert public <= claimed, f"no claim tested for {public - claimed}"
