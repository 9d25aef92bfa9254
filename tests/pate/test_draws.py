"""What is drawn: laws at uneven scales, budgets that count every point, and seeds that are the caller's."""

from math import floor, log, sqrt

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from privml import pate
from privml.bounds.fast_rates import NoiseCondition
from privml.bounds.pate import gaussian_pate_bound, sparse_vector_pate_bound
from privml.divergences import gaussian_delta, gaussian_mu
from privml.hypotheses import Thresholds
from privml.populations import FinitePopulation

LOOSE = {"epsilon": 2.0, "delta": 0.01}
X = np.random.default_rng(0).normal(size=(400, 2))
Y = X[:, 0] > 0
VOTES = np.random.default_rng(1).random((60, 400)) < 1 / (1 + np.exp(-3 * X[:, 0]))


class Given(np.random.Generator):
    """Noise of a given multiple of its scale; of two generators that it spawns each has its own multiple."""

    def __init__(self, *units):
        super().__init__(np.random.PCG64(0))
        self.units = units

    def spawn(self, n_children):
        return [Given(unit) for unit in self.units[:n_children]]

    def normal(self, loc=0.0, scale=1.0, size=None):
        return scale * self.units[0] * np.ones(() if size is None else size)

    laplace = normal


SECOND = np.array([0.0, 1.0])  # noise on the votes of the second class
SMALL = {
    "epsilon": 0.05,
    "delta": 0.01,
}  # so that a tenth of each scale is several votes
CONFIDENT = {"n_queries": 9, "n_answers": 9} | SMALL
DRAWS = [  # an aggregator, the multiples of both generators, the lead that such noise just makes up for
    (pate.GaussianAggregator(n_queries=9, **SMALL), (1, 0), lambda a: 2 * a.sigma),
    (pate.NoisyMaxAggregator(n_queries=9, **SMALL), (SECOND, 0), lambda a: a.scale),
    (
        pate.NoisyMaxAggregator(n_queries=9, noise="laplace", **SMALL),
        (SECOND, 0),
        lambda a: a.scale,
    ),
]
for share in (0.02, 0.98):
    checked = pate.ConfidentAggregator(threshold=10**6, check_share=share, **CONFIDENT)
    sure = pate.ConfidentAggregator(threshold=0, check_share=share, **CONFIDENT)
    DRAWS += [
        (checked, (-1, 0), lambda a: 2 * a.check_sigma),
        (sure, (0, SECOND), lambda a: a.sigma),
    ]
for split in ("source", "optimal"):
    sparse = pate.SparseVectorAggregator(cutoff=9, split=split, **SMALL)
    DRAWS += [(sparse, (-1, 0), lambda a: 2 * (a.threshold + a.noise.query_scale + 1))]
    DRAWS += [
        (sparse, (0, 1), lambda a: 2 * (a.threshold + a.noise.threshold_scale + 1))
    ]


@pytest.mark.parametrize(("aggregator", "units", "lead"), DRAWS)
def test_every_noise_is_drawn_at_its_own_scale(aggregator, units, lead):
    """Noise of one scale against the leader: the label or answer is lost up to a lead and no further."""
    half = floor(lead(aggregator) / 2) + np.array([0, 0, 1])
    votes = np.stack([10**6 + half, 10**6 - half], axis=1)
    labels = aggregator.answer_counts(votes, rng=Given(*units)).labels
    assert (labels == 0).tolist() == [False, False, True]


@pytest.mark.parametrize("n_queries", [1, 30])
def test_the_noise_that_is_drawn_pays_for_all_queries(n_queries):
    """Standard deviations of drawn counts, and those of the labels, against the Gaussian curve."""
    least = sqrt(n_queries) / gaussian_mu(*LOOSE.values())
    assert pate.noisy_counts(
        np.full(n_queries, 50), 100, **LOOSE, rng=3
    ).sigma == pytest.approx(least)
    fifty = np.full(n_queries, 50)
    drawn = [
        pate.noisy_counts(fifty, 100, **LOOSE, rng=seed).counts - 50
        for seed in range(400)
    ]
    assert np.std(drawn) == pytest.approx(least, rel=4.5 / sqrt(2 * 400 * n_queries))
    aggregator = pate.GaussianAggregator(n_queries=n_queries, **LOOSE)
    assert aggregator.sigma == pytest.approx(least)
    assert gaussian_delta(2.0, mu=sqrt(n_queries) / aggregator.sigma) <= 0.01


@pytest.mark.parametrize(
    "aggregator",
    [
        pate.SparseVectorAggregator(cutoff=9, n_queries=6, **LOOSE),
        pate.ConfidentAggregator(
            n_queries=6, n_answers=6, threshold=1e9, check_share=0.5, **LOOSE
        ),
    ],
)
def test_a_point_without_an_answer_is_a_query_all_the_same(aggregator):
    stream = aggregator.stream(rng=0)
    assert (stream.answer_counts([[5, 5]] * 4) == pate.NO_ANSWER).all()
    assert (stream.n_asked, stream.queries_left) == (4, 2)
    stream.answer_counts([[5, 5]] * 2)
    with pytest.raises(ValueError, match="n_queries must be at least 7"):
        stream.answer_counts([[5, 5]])


def everything(rng):
    """One draw of everything in the room that takes a generator or a seed."""
    options = {"n_teachers": 9, "classes": [False, True]}
    aggregators = [
        pate.GaussianAggregator(n_queries=400, **LOOSE),
        pate.NoisyMaxAggregator(n_queries=400, **LOOSE),
        pate.SparseVectorAggregator(cutoff=100, epsilon=300.0, delta=0.01),
        pate.ConfidentAggregator(
            n_queries=400, n_answers=400, threshold=40, check_share=0.5, **LOOSE
        ),
    ]
    student = {
        "estimator": GaussianNB(),
        "X": X,
        "votes": VOTES,
        "aggregator": aggregators[0],
    }
    aggregator = pate.GaussianAggregator(n_queries=20, **LOOSE)
    model = pate.PATEClassifier(n_queries=20, **options, aggregator=aggregator)
    return {
        type(a).__name__: a.release(VOTES.astype(int), rng=rng()) for a in aggregators
    } | {
        "independent": pate.independent_parts(50, 9, rng=rng()),
        "teachers": pate.fit_teachers(
            LogisticRegression(), X, Y, **options, rng=rng()
        ).votes(X),
        "counts": pate.noisy_counts(np.full(5, 3), 9, **LOOSE, rng=rng()).counts,
        "passive": pate.taught_student(**student, n_queries=30, rng=rng()).queried,
        "active": pate.taught_student(
            **student, queries="active", n_queries=30, rng=rng()
        ).queried,
        "labels": pate.taught_student(**student, rng=rng()).labels,
        "oracle": pate.active_learning(
            GaussianNB(), X, lambda i: Y[i], n_queries=30, rng=rng()
        ).queried,
        "count learning": pate.count_learning(
            X, VOTES.sum(axis=0), 60, **LOOSE, n_queries=24, rng=rng()
        ).queried,
        "estimator": model.fit(X, Y, X_public=X, rng=rng()).queried_,
        "law": pate.teacher_distribution(
            Thresholds([0.0, 0.5, 1.0]), population(), 3, n_draws=50, rng=rng()
        ),
    }


def population():
    return FinitePopulation(
        X=[0.0, 0.7, 1.0], y=[False, True, False], probabilities=[0.3, 0.3, 0.4]
    )


@pytest.mark.filterwarnings("ignore:The noise .*is too large for")
def test_two_seeds_differ_one_repeats_and_a_generator_is_used_up():
    one, again, other = (everything(lambda seed=seed: seed) for seed in (5, 5, 6))
    generators = [np.random.default_rng(5) for _ in range(2)]
    first, repeated = (everything(lambda g=generator: g) for generator in generators)
    later = everything(lambda: generators[0])
    for name in one:
        assert np.array_equal(one[name], again[name]), name
        assert not np.array_equal(one[name], other[name]), name
        assert np.array_equal(first[name], repeated[name]), name
        assert not np.array_equal(first[name], later[name]), name


@pytest.mark.source("LZCW21-thm-10", "LZCW21-thm-28")
@pytest.mark.parametrize("bound", [sparse_vector_pate_bound, gaussian_pate_bound])
def test_the_student_pays_for_the_labellings_of_twice_the_public_points(bound):
    condition = NoiseCondition(tau=1.0, vc_dimension=3)
    found = bound(condition, 10**12, 10**5, 1.0, 1e-9, beta=0.12)
    part = 0.03 if bound is sparse_vector_pate_bound else 0.04
    labellings = condition.log_growth(2 * 10**5) + log(4 / part)
    assert found.excess == pytest.approx(
        (4 * found.wrong_labels + 5 * labellings) / 10**5, rel=1e-12
    )
    assert found.excess < 1
