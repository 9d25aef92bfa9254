"""Claims on all data sets of a small universe, with the neighbours of the relation that the promise names.

Nearly all of each promise is spent here, and a sum of signs tells the two relations apart: a record moves it
by 1 where it comes or goes, and by 2 where it is replaced.
"""

import numpy as np

from privml.adjacency import Adjacency, neighbouring_datasets, records
from privml.composition import best_of_geometric
from privml.distributions import Categorical
from privml.hypotheses import Thresholds
from privml.learners import (
    ExponentialPACLearner,
    PrivatePipeline,
    PrivateRandomSearch,
    PublicScaler,
    private_pipeline,
)
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
from privml.queries import correct_count
from tests.claims.claim import Claim, audited, cells

REPLACE, ADD = Adjacency.REPLACE_ONE, Adjacency.ADD_OR_REMOVE_ONE
BITS, SIGNS = np.array([0, 1]), np.array([-1, 1])


def claim(kind, promise, law, universe, n_samples, factor=None):
    cases = [
        (
            "all neighbours",
            lambda: (promise, audited(law, universe, n_samples, promise.adjacency)),
        )
    ]
    return Claim(kind.__name__, cases, factor or 1 / 0.98, spent=factor is None)


def votes(bits):
    return [float((1 - bits).sum()), float(bits.sum())]


def three_scores(bits):
    return [*votes(bits), 0.3 * len(bits)]


def selection(
    kind,
    n_samples,
    scores=votes,
    factor=None,
    promise="guarantee",
    universe=BITS,
    **parameters,
):
    mechanism = kind(**{"sensitivity": 1.0, **parameters})

    def law(z):
        return mechanism.output_distribution(scores(z))

    return claim(kind, getattr(mechanism, promise), law, universe, n_samples, factor)


def signed(kind, adjacency, promise):
    """The sum of signs and its opposite as scores."""
    public = {
        "sensitivity": 1.0 if adjacency is ADD else 2.0,
        "adjacency": adjacency,
        "epsilon": 0.8,
    }
    return selection(
        kind, 25, lambda z: [z.sum(), -z.sum()], None, promise, SIGNS, **public
    )


def learner(adjacency):
    points = (
        np.array([[0.0], [1.0], [0.0], [1.0]]),
        np.array([True, True, False, False]),
    )
    cuts = Thresholds([-1.0, 0.5, 1.5, 9.0])
    estimator = ExponentialPACLearner(
        1.0, cuts, adjacency=adjacency, classes=(False, True)
    )

    def law(data):
        return estimator.output_distribution(*data)

    return claim(
        ExponentialPACLearner,
        estimator.fit(*points, rng=0).privacy_,
        law,
        points,
        12,
        11,
    )


def pipeline(adjacency):
    """A learner behind a scaler that tells of the labels, with the guarantee of the whole."""
    vote = ExponentialMechanism(epsilon=0.5, sensitivity=1.0, adjacency=adjacency)

    class Telling(PublicScaler):
        def fit(self, X, y, *, rng=None):
            self.privacy_ = vote.guarantee
            return super().fit(X)

    points = (
        np.array([[0.0], [1.0], [0.0], [1.0]]),
        np.array([True, True, False, False]),
    )
    scaler = Telling(-1.0, 2.0, unit=False)
    cuts = Thresholds([-1.0, 0.0, 0.7, 9.0])
    estimator = ExponentialPACLearner(
        1.0, cuts, adjacency=adjacency, classes=(False, True)
    )
    promise = private_pipeline(scaler, estimator).fit(*points, rng=0).privacy_

    def law(data):
        learned = estimator.output_distribution(scaler.transform(data[0]), data[1])
        told = vote.output_distribution(votes(np.asarray(data[1], dtype=int)))
        return np.add.outer(told.logpmf(), learned.logpmf()).ravel()

    return claim(PrivatePipeline, promise, law, points, 12, 11)


def search(score_epsilon, gamma):
    """A fit on six records, scored on two others: what is released is the best pair of a score and a rule."""
    points = (
        np.array([[0.0], [1.0], [0.0], [1.0]]),
        np.array([True, True, False, False]),
    )
    cuts = Thresholds([-1.0, 0.5, 9.0])
    estimator = ExponentialPACLearner(1.0, cuts, classes=(False, True))
    tuned = PrivateRandomSearch(
        estimator,
        score_epsilon=score_epsilon,
        stopping_probability=gamma,
        validation=0.25,
    )
    public = tuple(np.repeat(part, 2, axis=0) for part in points)
    promise = tuned.fit(*public, rng=0).privacy_
    noise = DiscreteLaplaceMechanism(epsilon=score_epsilon, sensitivity=1)
    values = np.arange(-60, 63)

    def law(fitted, scored):
        rules = estimator.output_distribution(*records(points, fitted)).logpmf()
        X, y = records(points, scored)
        right = correct_count(cuts, X, y)
        scores = [noise.output_distribution(int(r)).logpmf(values) for r in right]
        log_p = (np.array(scores) + rules[:, None]).T.ravel()  # by the score
        return best_of_geometric(np.exp(log_p) / np.exp(log_p).sum(), gamma).logpmf()

    def pairs():
        some = [np.array(row) for row in ([0, 1], [0, 2], [3, 3])]
        first, second, near = neighbouring_datasets(points, 6)
        for scored in some:
            laws = [law(row, scored) for row in first]
            yield from ((laws[i], laws[j]) for i, j in near.tolist())
        first, second, near = neighbouring_datasets(points, 2)
        for fitted in (np.array([0, 0, 0, 2, 2, 2]), np.array([0, 1, 2, 3, 3, 3])):
            laws = [law(fitted, row) for row in first]
            yield from ((laws[i], laws[j]) for i, j in near.tolist())

    cases = [("all neighbours", lambda: (promise, pairs()))]
    return Claim(PrivateRandomSearch.__name__, cases, 2)


def crossings(kind, factor=11, **parameters):
    """Six queries of sensitivity 1: two counts in turn."""
    mechanism = kind(threshold=3.0, epsilon=1.0, sensitivity=1, **parameters)

    def law(bits):
        return mechanism.output_distribution(votes(bits)[::-1] * 3)

    return claim(kind, mechanism.guarantee, law, BITS, 6, factor)


def stable_majority(adjacency):
    """The majority of bits, whose stability radius under add/remove and replacement is a count."""
    mechanism = DistanceToInstability(epsilon=1.0, delta=0.05, adjacency=adjacency)

    def law(bits):
        margin = 2 * int(bits.sum()) - len(bits)
        steps = margin if margin > 0 else 1 - margin
        if adjacency is REPLACE:
            steps = (steps + 1) // 2
        return mechanism.output_distribution((int(margin > 0), steps - 1))

    return claim(DistanceToInstability, mechanism.guarantee, law, BITS, 9)


def noisy_sum(
    kind, cell, promise="guarantee", universe=BITS, factor=None, **parameters
):
    """A sum with noise, seen through cells of the real line that hide next to nothing."""
    mechanism = kind(**parameters)
    edges = np.arange(-60, 66, cell)

    def law(z):
        answer = mechanism.output_distribution(int(z.sum()))
        return Categorical(cells(answer.logcdf(edges), answer.logsf(edges)))

    return claim(kind, getattr(mechanism, promise), law, universe, 5, factor)


def signed_noise(kind, cell, adjacency, promise, **parameters):
    public = {
        "sensitivity": 1 if adjacency is ADD else 2,
        "adjacency": adjacency,
        **parameters,
    }
    return noisy_sum(kind, cell, promise, SIGNS, **public)


def answer(epsilon, n_values):
    """The answer of one record; lists of them need an audit in order, see the mechanism's own tests."""
    survey, kinds = RandomisedResponse(epsilon, n_values), np.arange(n_values)

    def law(records):
        return survey.output_distribution(records[0])

    return claim(RandomisedResponse, survey.guarantee, law, kinds, 1)


LAPLACE, GAUSSIAN = (
    (LaplaceMechanism, DiscreteLaplaceMechanism),
    {"delta": 0.1, "epsilon": 0.5},
)
CLAIMS = [
    *(search(epsilon, gamma) for epsilon in (1.0, 2.0) for gamma in (0.3, 0.05)),
    *(crossings(SparseVector, cutoff=cutoff) for cutoff in (1, 2)),
    crossings(SparseVector, side="below", threshold_share=0.5),
    crossings(SparseVector, adjacency=ADD, cutoff=2, monotone=True),
    crossings(RestartingSparseVector, 30, delta=0.01, cutoff=2, side="below"),
    *(stable_majority(adjacency) for adjacency in Adjacency),
    *(
        selection(ExponentialMechanism, 40, epsilon=epsilon)
        for epsilon in (0.5, 1.0, 3.0)
    ),
    *(selection(PermuteAndFlip, 30, epsilon=epsilon) for epsilon in (0.5, 1.0)),
    *(
        selection(kind, 12, three_scores, 11, epsilon=1.0)
        for kind in (ExponentialMechanism, PermuteAndFlip)
    ),
    *(
        selection(kind, 40, epsilon=0.5, adjacency=ADD, monotone=True)
        for kind in (ExponentialMechanism, PermuteAndFlip)
    ),
    selection(ExponentialMechanism, 40, factor=11, epsilon=0.5, adjacency=ADD),
    selection(ExponentialMechanism, 40, epsilon=0.7, base_measure=(0.2, 0.8)),
    *(
        signed(kind, adjacency, promise)
        for kind, promise in (
            (ExponentialMechanism, "guarantee"),
            (ExponentialMechanism, "bounded_range"),
            (PermuteAndFlip, "guarantee"),
        )
        for adjacency in Adjacency
    ),
    *(learner(adjacency) for adjacency in Adjacency),
    *(pipeline(adjacency) for adjacency in Adjacency),
    *(
        noisy_sum(kind, 1, epsilon=epsilon, sensitivity=1, adjacency=adjacency)
        for kind in LAPLACE
        for epsilon in (0.5, 2.0)
        for adjacency in Adjacency
    ),
    *(
        noisy_sum(kind, cell, epsilon=epsilon, delta=delta, sensitivity=1)
        for kind, cell in ((GaussianMechanism, 0.01), (DiscreteGaussianMechanism, 1))
        for epsilon in (0.5, 2.0)
        for delta in (0.1, 1e-3)
    ),
    *(
        signed_noise(kind, cell, adjacency, promise, **public)
        for adjacency in Adjacency
        for kind, cell, promise, public in (
            (LaplaceMechanism, 1, "guarantee", {"epsilon": 0.5}),
            (LaplaceMechanism, 0.01, "concentrated", {"epsilon": 0.5}),
            (DiscreteLaplaceMechanism, 1, "guarantee", {"epsilon": 0.5}),
            (GaussianMechanism, 0.01, "guarantee", GAUSSIAN),
            (GaussianMechanism, 0.01, "concentrated", GAUSSIAN),
            (DiscreteGaussianMechanism, 1, "guarantee", GAUSSIAN),
            (DiscreteGaussianMechanism, 1, "concentrated", GAUSSIAN),
        )
    ),
    *(answer(epsilon, n_values) for epsilon in (0.3, 2.0) for n_values in (2, 4)),
]
