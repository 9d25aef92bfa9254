"""What is drawn: laws at uneven scales, budgets that count every point, and seeds that are the caller's."""

from math import log, sqrt

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


@pytest.mark.parametrize("check_share", [0.02, 0.98])
def test_checks_and_answers_are_drawn_at_their_own_scales(check_share):
    aggregator = pate.ConfidentAggregator(
        n_queries=20, n_answers=20, threshold=40, check_share=check_share, **LOOSE
    )
    assert not 0.2 < aggregator.check_sigma / aggregator.sigma < 4
    counts, rng = np.array([[30, 34], [12, 52], [60, 4]]), np.random.default_rng(2)
    law = aggregator.label_law(counts)
    drawn = np.array([aggregator.answer_counts(counts, rng=rng).labels for _ in range(4000)])
    for label, chance in zip([0, 1, pate.NO_ANSWER], law.T, strict=True):
        seen = (drawn == label).mean(axis=0)
        assert (np.abs(seen - chance) <= 4.5 * np.sqrt(chance * (1 - chance) / 4000)).all()


@pytest.mark.parametrize("n_queries", [1, 30])
def test_the_noise_that_is_drawn_pays_for_all_queries(n_queries):
    """Standard deviations of drawn counts, and the shares of labels, against the Gaussian curve."""
    least = sqrt(n_queries) / gaussian_mu(*LOOSE.values())
    assert pate.noisy_counts(np.full(n_queries, 50), 100, **LOOSE, rng=3).sigma == pytest.approx(least)
    drawn = [
        pate.noisy_counts(np.full(n_queries, 50), 100, **LOOSE, rng=seed).counts - 50 for seed in range(400)
    ]
    assert np.std(drawn) == pytest.approx(least, rel=4.5 / sqrt(2 * 400 * n_queries))
    aggregator = pate.GaussianAggregator(n_queries=n_queries, **LOOSE)
    assert aggregator.sigma == pytest.approx(least)
    assert gaussian_delta(2.0, sqrt(n_queries) / aggregator.sigma) <= 0.01
    chance = aggregator.label_law([[40, 60]])[0, 1]
    seen = np.mean([aggregator.answer_counts([[40, 60]] * n_queries, rng=i).labels for i in range(400)])
    assert abs(seen - chance) <= 4.5 * sqrt(chance * (1 - chance) / 400 / n_queries)


@pytest.mark.parametrize(
    "aggregator",
    [
        pate.SparseVectorAggregator(cutoff=9, n_queries=6, **LOOSE),
        pate.ConfidentAggregator(n_queries=6, n_answers=6, threshold=1e9, check_share=0.5, **LOOSE),
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
        pate.ConfidentAggregator(n_queries=400, n_answers=400, threshold=40, check_share=0.5, **LOOSE),
    ]
    student = {"estimator": GaussianNB(), "X": X, "votes": VOTES, "aggregator": aggregators[0]}
    model = pate.PATEClassifier(
        n_queries=20, **options, aggregator=pate.GaussianAggregator(n_queries=20, **LOOSE)
    )
    return {type(a).__name__: a.release(VOTES.astype(int), rng=rng()) for a in aggregators} | {
        "independent": pate.independent_parts(50, 9, rng=rng()),
        "teachers": pate.fit_teachers(LogisticRegression(), X, Y, **options, rng=rng()).votes(X),
        "counts": pate.noisy_counts(np.full(5, 3), 9, **LOOSE, rng=rng()).counts,
        "passive": pate.taught_student(**student, n_queries=30, rng=rng()).queried,
        "active": pate.taught_student(**student, queries="active", n_queries=30, rng=rng()).queried,
        "labels": pate.taught_student(**student, rng=rng()).labels,
        "oracle": pate.active_learning(GaussianNB(), X, lambda i: Y[i], n_queries=30, rng=rng()).queried,
        "count learning": pate.count_learning(
            X, VOTES.sum(axis=0), 60, **LOOSE, n_queries=24, rng=rng()
        ).queried,
        "estimator": model.fit(X, Y, X_public=X, rng=rng()).queried_,
        "law": pate.teacher_law(Thresholds([0.0, 0.5, 1.0]), population(), 3, n_draws=50, rng=rng()),
    }


def population():
    return FinitePopulation(X=[0.0, 0.7, 1.0], y=[False, True, False], probabilities=[0.3, 0.3, 0.4])


@pytest.mark.filterwarnings("ignore:the noise drowns")
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
    assert found.excess == pytest.approx((4 * found.wrong_labels + 5 * labellings) / 10**5, rel=1e-12)
    assert found.excess < 1


@pytest.mark.parametrize("lead", [0, 20, 60, 140])
def test_a_sparse_vector_draws_both_of_its_noises_at_their_scales(lead):
    options = {"calibration": "exact", "split": "source", "epsilon": 1.0, "delta": 0.1}
    aggregator = pate.SparseVectorAggregator(cutoff=1, **options)
    assert aggregator.noise.query_scale == 2 * aggregator.noise.threshold_scale
    rng, counts = np.random.default_rng(4), [[100, 100 + lead]]
    chance = aggregator.label_law(counts)[0, -1]
    seen = np.mean(
        [aggregator.answer_counts(counts, rng=rng).labels[0] == pate.NO_ANSWER for _ in range(4000)]
    )
    assert abs(seen - chance) <= 4.5 * sqrt(chance * (1 - chance) / 4000)
