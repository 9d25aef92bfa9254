"""What the chapter on unstable queries computes: exact laws against brute force, and the audit."""

from math import log, sqrt
from types import SimpleNamespace

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml import audit
from privml._search import smallest_integer
from privml.bounds.pate import sparse_vector_teachers
from privml.bounds.students import passive_bound
from privml.mechanisms import Noise
from privml.pate import NO_ANSWER, SparseVectorAggregator, vote_distance
from tests.bounds.test_pate_labels import printed
from tests.chapters import unstable_queries_functions as functions
from tests.chapters.checkers import checkers, several

chapter = chapter_module("unstable-queries")


@pytest.mark.source("LZCW21-alg-2")
def test_answers_grow_with_the_margin_and_sooner_with_better_constants():
    counts = np.array([[750, 750], [500, 1000], [250, 1250]])
    answered = {}
    for name in functions.VARIANTS:
        law = functions.service(name, 5, 100, 1.0, 1e-6).label_distribution(counts)
        assert (np.diff(1 - law[:, NO_ANSWER]) > 0).all()
        answered[name] = 1 - law[2, NO_ANSWER]
    assert answered["exact"] > answered["exact, printed split"] > answered["source"]


@pytest.mark.source("LZCW21-lem-3")
def test_the_chance_that_all_are_answered_is_that_of_draws():
    run = functions.service("exact", 3, 30, 3.0, 1e-2)
    size = 6 * (round(run.threshold) + 18)
    exact = chapter.answered(run, size, 30)
    counts = np.tile([[0, -(-size // 3)]], (30, 1))
    seen = np.mean(
        [(run.answer_counts(counts, rng=s).labels == 1).all() for s in range(2000)]
    )
    assert 0.05 < exact < 0.98
    assert abs(seen - exact) < 4.5 * np.sqrt(exact * (1 - exact) / 2000)
    assert functions.all_answered([size], 30, 3, 3.0, 1e-2)["exact"].tolist() == [exact]


@pytest.mark.source("LZCW21-thm-2", "LZCW21-thm-26")
@pytest.mark.parametrize("cutoff", [1, 2])
def test_no_distances_exceed_the_promise(cutoff):
    table = functions.audit_of_stable_labels(3, [cutoff], [2.0], 0.01).drop(
        columns="claimed"
    )
    assert (table <= 2.0).all(axis=None)
    assert (table > 0).all(axis=None)


def test_the_audit_over_distances_covers_that_over_all_votes():
    """Two points, seven teachers: the general audit finds no more than the one over distances."""
    run = functions.service("exact", 1, 2, 8.0, 0.1)
    points = np.array([[b >> i & 1 for i in range(2)] for b in range(4)])
    votes = audit.exact(run.output_distribution, points, 7)
    distances = functions.DistanceAudit(run, 1, width=3)
    for level in (1.0, 3.0, 8.0):
        assert votes.delta(level) <= distances.delta(level) + 1e-12
    assert votes.delta(3.0) > 0


def test_the_audit_catches_a_threshold_that_is_too_low():
    run = functions.service("exact", 1, 3, 1.0, 0.01)
    object.__setattr__(run, "threshold", run.threshold / 2)
    assert functions.DistanceAudit(run, 2).delta(1.0) > 0.01


@pytest.mark.parametrize("cutoff", [1, 10])
def test_exact_constants_reach_less_far_than_the_source_and_the_lemma(cutoff):
    services = (
        functions.service(v, cutoff, 200, 1.0, 1e-6) for v in ("exact", "source")
    )
    ours, theirs = (chapter.reach(service, 200, 0.05) for service in services)
    assert ours < theirs < sparse_vector_teachers(200, cutoff, 1.0, 1e-6, beta=0.05) / 6


@pytest.mark.source("LZCW21-thm-5", "LZCW21-rem-6")
def test_the_bound_has_a_best_number_of_public_points():
    sizes = (10**3, 3 * 10**5, 3 * 10**7)
    errors = [passive_bound(10**10, m, 1000, 1.0, 1e-6, beta=0.05).error for m in sizes]
    assert int(np.argmin(errors)) == 1


def test_ninety_nine_teachers_are_heard_with_one_refusal_paid_for():
    assert chapter.least_teachers(1) == 99
    law = SparseVectorAggregator(cutoff=1, epsilon=1.0, delta=1e-6).label_distribution
    assert law([[0, 98]])[0, 1] < 0.5 <= law([[0, 99]])[0, 1]


def test_the_number_of_doubtful_points_does_not_change_the_chance_of_a_slip():
    one = SparseVectorAggregator(cutoff=1, epsilon=1.0, delta=0.01)
    for number in (1, 2, 4, 8):
        law = one.output_distribution(np.repeat([[0], [1]], number, axis=1)).pmf()
        slips = (one.label_sequences(number) != NO_ANSWER).any(axis=1)
        assert law[slips].sum() == pytest.approx(0.01 / 2)


def test_the_least_number_of_teachers_is_the_first_with_which_all_are_answered():
    run = functions.service("exact", 5, 100, 1.0, 1e-6)
    least = chapter.least_for_all(run, 100, 0.05)
    assert chapter.answered(run, least - 1, 100) < 0.95
    assert chapter.answered(run, least, 100) >= 0.95


def closed(cutoff, scale, slack, factor=6):
    ratio = factor * slack / cutoff
    return -2 * scale * log(ratio / (2 + sqrt(4 - ratio)))


def sparse_is_cheaper(n_queries):
    _, gaussian, sparse = chapter.margins_needed(
        [n_queries], [10], 2.0, 1e-6, 0.05
    ).loc[0]
    return sparse < gaussian


CROSSING = smallest_integer(sparse_is_cheaper, lower=10)


@pytest.mark.parametrize(
    ("T", "epsilon", "delta"), [(1, 1.0, 0.01), (20, 0.5, 1e-6), (3, 4.0, 0.2)]
)
def test_the_simple_constants_slip_with_two_thirds_of_delta_at_most(T, epsilon, delta):
    noise, threshold = chapter.simple_constants(T, epsilon, delta)
    assert 1 / noise.threshold_scale + 2 / noise.query_scale == pytest.approx(
        epsilon / T
    )
    assert 0.6 * delta < T * functions.slip(threshold, noise) <= 2 / 3 * delta


@pytest.mark.parametrize("cutoff", [1, 2])
def test_the_simple_theorem_holds_exactly_and_not_with_half_the_threshold(cutoff):
    run = functions.service("exact", cutoff, 4, 2.0, 0.01)
    noise, threshold = chapter.simple_constants(cutoff, 2.0, 0.01)
    object.__setattr__(run, "noise", noise)
    object.__setattr__(run, "threshold", threshold)
    assert 0 < functions.DistanceAudit(run, 3).delta(2.0) <= 0.01
    object.__setattr__(run, "threshold", threshold / 2)
    assert functions.DistanceAudit(run, 3).delta(2.0) > 0.01


def enough(T, n_queries, epsilon, delta, beta, factor=4):
    logarithms = factor * log(T / delta) + 2 * log(T / beta) + 4 * log(n_queries / beta)
    return int(np.ceil(6 * (T / epsilon * logarithms + 1)))


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "threshold": [
            (closed, None),
            (lambda *arguments: closed(*arguments, 3), "but it is"),
            (lambda *arguments: closed(*arguments, 12), "but it is"),
        ],
        "crossing": [
            (CROSSING, None),
            (CROSSING - 1, "Gaussian noise needs the smaller margin"),
            (CROSSING + 1, "the cheaper one already"),
        ],
        "halt": [
            (several(300, 20), None),
            (several(1, 33), "no breach"),
            (several(8, 16), "no breach"),
            (several(5000, 20), "no breach"),
        ],
        "enough": [
            (enough, None),
            (lambda *arguments: enough(*arguments, 2), "too few"),
            (lambda *arguments: enough(*arguments, 5), "not the smallest"),
        ],
    },
    chapter,
)
reach = chapter_module("unstable-queries").reach
SETTINGS = [
    (100, 5, 1.0, 1e-6, 0.1),
    (1000, 20, 0.5, 1e-5, 0.05),
    (10, 1, 7.0, 1e-3, 0.3),
    (50, 50, 14.0, 1e-6, 0.01),
]


def refusal(aggregator, distance):
    """Exact probability that a point of this distance is refused, with fresh noise on the threshold."""
    a, b, ahead = *vars(aggregator.noise).values(), distance - aggregator.threshold
    tail = (b**2 * np.exp(-abs(ahead) / b) - a**2 * np.exp(-abs(ahead) / a)) / (
        2 * (b**2 - a**2)
    )
    return tail if ahead > 0 else 1 - tail


@pytest.mark.source("LZCW21-lem-3")
@pytest.mark.parametrize("setting", SETTINGS)
def test_with_the_teachers_of_the_source_stable_points_are_answered(setting):
    """The union over the queries of the exact chance of a refusal, all margins at K / 3, one run."""
    n_queries, cutoff, epsilon, delta, beta = setting
    n_teachers = sparse_vector_teachers(n_queries, cutoff, epsilon, delta, beta=beta)
    margin = -(-n_teachers // 3)
    margin += (n_teachers - margin) % 2
    votes = (np.arange(n_teachers) < (n_teachers + margin) // 2).astype(int)[:, None]
    aggregator = printed(n_queries, cutoff, epsilon, delta)
    assert n_queries * refusal(aggregator, vote_distance(votes)[0]) <= beta
    assert vote_distance(votes)[0] >= reach(aggregator, n_queries, beta)


@pytest.mark.source("LZCW21-lem-3")
def test_the_reach_leaves_half_of_beta_to_the_thresholds_and_half_to_the_points():
    """Both tails of the noise at their share of the reach, by the tail of a Laplace variable."""
    run = SimpleNamespace(cutoff=7, threshold=100.0, noise=Noise(3.0, 5.0))
    thresholds, points = 3.0 * log(7 / 0.1), 5.0 * log(300 / 0.1)
    assert 7 * np.exp(-thresholds / 3.0) / 2 + 300 * np.exp(
        -points / 5.0
    ) / 2 == pytest.approx(0.1)
    assert reach(run, 300, 0.1) == pytest.approx(100 + thresholds + points, rel=1e-12)
