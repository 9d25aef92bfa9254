"""The aggregators: exact laws, exact audits over all neighbouring votes, budgets, streams and bad input."""

from math import log, sqrt

import numpy as np
import pytest
from scipy.stats import norm

from privml import audit, pate
from privml.adjacency import Adjacency
from privml.divergences import gaussian_delta
from privml.guarantee import ConcentratedGuarantee
from privml.pate import GaussianAggregator, NoisyMaxAggregator, vote_sigma
from privml.pate.noisy_votes import maximum_distribution
from tests.refusals import refused

PROMISE = {"epsilon": 1.0, "delta": 1e-2}
AGGREGATORS = [
    pate.GaussianAggregator(n_queries=3, **PROMISE),
    pate.GaussianAggregator(n_queries=3, calibration="source", **PROMISE),
    pate.NoisyMaxAggregator(n_queries=3, **PROMISE),
    pate.NoisyMaxAggregator(n_queries=3, noise="laplace", **PROMISE),
    pate.ConfidentAggregator(
        n_queries=3, n_answers=2, threshold=4, check_share=0.3, **PROMISE
    ),
    pate.SparseVectorAggregator(cutoff=1, **PROMISE),
    pate.SparseVectorAggregator(cutoff=2, split="source", **PROMISE),
    pate.SparseVectorAggregator(
        cutoff=2, n_queries=3, calibration="source", split="source", **PROMISE
    ),
]
NAMES = [f"{type(a).__name__}-{i}" for i, a in enumerate(AGGREGATORS)]
POINTS = np.array(
    [[b >> i & 1 for i in range(2)] for b in range(4)]
)  # a teacher's votes on two points


def audited(aggregator, n_teachers=4):
    """Every set of four teachers' votes on two points, and every change of one teacher."""
    return audit.exact(aggregator.output_distribution, POINTS, n_teachers)


@pytest.mark.source("LZCW21-thm-2", "LZCW21-thm-26")
@pytest.mark.parametrize("aggregator", AGGREGATORS, ids=NAMES)
def test_no_change_of_one_teacher_exceeds_the_promise(aggregator):
    assert audited(aggregator).delta(aggregator.epsilon) <= aggregator.delta


@pytest.mark.source("LZCW21-thm-2")
def test_the_audit_catches_too_little_noise():
    small = pate.GaussianAggregator(n_queries=2, **PROMISE)
    object.__setattr__(small, "sigma", small.sigma / 3)
    assert audited(small).delta(1.0) > 1e-2


def test_frequencies_of_released_sequences_follow_the_exact_law():
    votes = np.array([[1, 0, 1], [1, 1, 0], [1, 0, 1], [1, 1, 1], [0, 1, 1]])
    loose = {"epsilon": 3.0, "delta": 0.3}
    for aggregator in (
        pate.SparseVectorAggregator(cutoff=2, **loose),
        pate.ConfidentAggregator(
            n_queries=3, n_answers=2, threshold=4, check_share=0.5, **loose
        ),
        pate.NoisyMaxAggregator(n_queries=3, noise="laplace", **loose),
    ):
        law, rng = aggregator.output_distribution(votes).pmf(), np.random.default_rng(8)
        drawn = np.array([aggregator.release(votes, rng=rng) for _ in range(3000)])
        places = np.where(drawn == pate.NO_ANSWER, 2, drawn) @ [9, 3, 1]
        seen = np.bincount(places, minlength=27) / 3000
        assert (
            np.abs(seen - law) <= 4.5 * np.sqrt(law * (1 - law) / 3000) + 1e-12
        ).all()


@pytest.mark.parametrize("aggregator", AGGREGATORS, ids=NAMES)
def test_a_stream_gives_the_labels_of_the_block(aggregator):
    votes = np.random.default_rng(0).integers(2, size=(30, 3))
    block, stream = aggregator.answer(votes, rng=7), aggregator.stream(rng=7)
    labels = []
    for column in votes.T:
        if not stream.halted:
            labels += stream.answer(column).tolist()
    assert labels == block.labels[: block.n_asked].tolist()
    assert (block.labels[block.n_asked :] == pate.NO_ANSWER).all()
    assert (stream.n_asked, stream.halted) == (block.n_asked, block.halted)
    assert stream.guarantee == block.guarantee == aggregator.guarantee


def test_a_refused_query_spends_nothing():
    votes = np.random.default_rng(0).integers(2, size=(30, 4))
    stream = pate.GaussianAggregator(n_queries=3, **PROMISE).stream(rng=1)
    with pytest.raises(ValueError, match="n_queries must be at least 4"):
        stream.answer(votes)
    with pytest.raises(ValueError, match="votes must be"):
        stream.answer(votes + 1)
    assert (stream.n_asked, stream.queries_left) == (0, 3)
    same = pate.GaussianAggregator(n_queries=3, **PROMISE).stream(rng=1)
    assert stream.answer(votes[:, :3]).tolist() == same.answer(votes[:, :3]).tolist()
    with pytest.raises(ValueError, match="at least 4 for these points, but got 3"):
        stream.answer(votes[:, 3])


def test_a_halted_sparse_vector_refuses():
    stream = pate.SparseVectorAggregator(cutoff=1, **PROMISE).stream(rng=0)
    assert stream.queries_left is None
    assert stream.answer_counts([[5, 5], [5, 5]]).tolist() == [
        pate.NO_ANSWER,
        pate.NO_ANSWER,
    ]
    assert (stream.n_asked, stream.queries_left) == (1, 0)
    with pytest.raises(ValueError, match="halted"):
        stream.answer_counts([[5, 5]])


def test_the_guarantee_names_its_relation():
    aggregator = pate.GaussianAggregator(
        n_queries=3, adjacency=Adjacency.REPLACE_ONE, **PROMISE
    )
    assert aggregator.guarantee.adjacency is Adjacency.REPLACE_ONE
    assert AGGREGATORS[0].guarantee.adjacency is Adjacency.ADD_OR_REMOVE_ONE
    rho = ConcentratedGuarantee(
        AGGREGATORS[1].n_queries / (2 * AGGREGATORS[1].sigma ** 2)
    )
    assert rho.as_approximate(1e-2, conversion="simple").epsilon == pytest.approx(1.0)


def test_the_confident_budget_is_one_gaussian_release():
    options = {"n_classes": 5, "threshold": 9, "check_share": 0.4} | PROMISE
    aggregator = pate.ConfidentAggregator(n_queries=80, n_answers=20, **options)
    mu = sqrt(80 / aggregator.check_sigma**2 + 2 * 20 / aggregator.sigma**2)
    assert gaussian_delta(1.0, mu=mu) == pytest.approx(1e-2, rel=1e-9)


test_a_budget_that_makes_no_sense_is_refused_with_a_reason = refused(
    (pate.GaussianAggregator, {"n_queries": 5, "n_classes": 3}, "n_classes must be 2"),
    (
        pate.GaussianAggregator,
        {"n_queries": 5, "sigma": 1.0},
        r"sigma must be at least 4\.\d+ for this budget",
    ),
    (
        pate.GaussianAggregator,
        {"n_queries": 5, "delta": 0.0},
        "delta must be in the open interval",
    ),
    (
        pate.NoisyMaxAggregator,
        {"n_queries": 5, "n_classes": 1},
        "n_classes must be from 2 to 256",
    ),
    (
        pate.ConfidentAggregator,
        {"n_queries": 5, "n_answers": 2, "threshold": 3, "check_share": 1.0},
        "check_share must be in the open interval",
    ),
    call=lambda kind, change: kind(**(PROMISE | change)),
)


@pytest.mark.parametrize(
    "counts", [[[1, 2, 3]], [[1.0, 2.0]], [[-1, 4]], [[1, 2], [2, 2]]]
)
def test_counts_that_are_not_votes_are_refused(counts):
    with pytest.raises(ValueError, match="counts must be"):
        AGGREGATORS[0].answer_counts(counts)


@pytest.mark.source("LZCW21-alg-1")
@pytest.mark.parametrize(
    ("n_queries", "epsilon", "delta"),
    [(1, 0.5, 1e-6), (100, 1.0, 1e-5), (5000, 3.0, 1e-3)],
)
def test_the_printed_sigma_solves_the_equation_of_the_source(n_queries, epsilon, delta):
    sigma = vote_sigma(n_queries, epsilon, delta, calibration="source")
    solved = sqrt(2 * n_queries * log(1 / delta) / sigma**2) + n_queries / (
        2 * sigma**2
    )
    assert solved == pytest.approx(epsilon, rel=1e-12)


@pytest.mark.source("LZCW21-alg-1", "LZCW21-thm-2")
@pytest.mark.parametrize("n_queries", [1, 100, 5000])
def test_the_exact_sigma_is_the_least_that_the_gaussian_curve_allows(n_queries):
    sigma = vote_sigma(n_queries, 1.0, 1e-5)
    assert gaussian_delta(1.0, mu=sqrt(n_queries) / sigma) <= 1e-5
    assert gaussian_delta(1.0, mu=sqrt(n_queries) / (sigma * (1 - 1e-9))) > 1e-5


@pytest.mark.erratum("LZCW21-alg-1/1")
@pytest.mark.parametrize("n_queries", [1, 49, 1000])
def test_the_printed_sigma_is_a_quarter_too_large(n_queries):
    exact, printed = (
        vote_sigma(n_queries, 1.0, 1e-6, calibration=c) for c in ("exact", "source")
    )
    assert exact / printed == pytest.approx(0.790, abs=5e-4)


@pytest.mark.source("LZCW21-alg-1")
def test_the_law_of_a_label_is_that_of_the_noisy_share():
    aggregator = GaussianAggregator(n_queries=1, **PROMISE)
    votes = np.arange(11)
    law = aggregator.label_distribution(np.stack([10 - votes, votes], axis=1))
    assert law[:, 1] == pytest.approx(
        norm.cdf((votes - 5) / aggregator.sigma), rel=1e-12
    )


def test_gaussian_noise_on_both_counts_is_noise_on_one():
    one, both = (
        GaussianAggregator(n_queries=50, **PROMISE),
        NoisyMaxAggregator(n_queries=50, **PROMISE),
    )
    counts = np.array([[30, 70], [50, 50], [95, 5]])
    assert both.label_distribution(counts) == pytest.approx(
        one.label_distribution(counts), abs=1e-13
    )


def test_laplace_noise_on_two_counts_has_the_law_of_the_difference():
    aggregator = NoisyMaxAggregator(n_queries=9, noise="laplace", **PROMISE)
    lead = 7 / aggregator.scale
    law = aggregator.label_distribution([[3, 10]])
    assert law[0, 0] == pytest.approx(np.exp(-lead) * (1 / 2 + lead / 4), rel=1e-12)


@pytest.mark.parametrize("noise", ["gaussian", "laplace"])
def test_the_law_of_the_largest_of_three_agrees_with_draws(noise):
    aggregator = NoisyMaxAggregator(
        n_queries=40_000, n_classes=3, noise=noise, epsilon=400.0, delta=0.1
    )
    counts = np.tile([[3, 6, 5]], (40_000, 1))
    law = aggregator.label_distribution(counts[:1])[0, :3]
    share = (
        np.bincount(aggregator.answer_counts(counts, rng=2).labels, minlength=3)
        / 40_000
    )
    assert law.sum() == pytest.approx(1, abs=1e-12)
    assert (np.abs(share - law) < 4.5 * np.sqrt(law * (1 - law) / 40_000)).all()


def test_far_losers_do_not_disturb_the_quadrature():
    law = maximum_distribution([10_000, 9_990, 0], norm, 1.0)
    assert law[1] == pytest.approx(norm.cdf(-10 / sqrt(2)), rel=1e-10)


def test_a_laplace_maximum_spends_its_epsilon_on_clear_votes_and_no_more():
    """Thirty teachers, one label: the loss of the unlikely label tends to epsilon, from below."""
    aggregator = NoisyMaxAggregator(
        n_queries=1, noise="laplace", epsilon=1.5, delta=1e-12
    )
    ones = np.arange(31)
    law = aggregator.label_distribution(np.stack([30 - ones, ones], axis=1))[:, :2]
    assert 0.9 * 1.5 < np.abs(np.diff(np.log(law), axis=0)).max() <= 1.5
