"""What the chapter on unstable queries computes: exact laws against brute force, and the audit."""

from math import log, sqrt

import numpy as np
import pytest

from book.tools.programme import tangled
from privml import audit
from privml.bounds.pate import passive_bound, sparse_vector_teachers
from privml.pate import NO_ANSWER, SparseVectorAggregator

chapter = tangled("unstable-queries")


@pytest.mark.source("LZCW21-alg-2")
def test_answers_grow_with_the_margin_and_sooner_with_better_constants():
    counts = np.array([[750, 750], [500, 1000], [250, 1250]])
    answered = {}
    for name in chapter.VARIANTS:
        law = chapter.service(name, 5, 100, 1.0, 1e-6).label_law(counts)
        assert (np.diff(1 - law[:, NO_ANSWER]) > 0).all()
        answered[name] = 1 - law[2, NO_ANSWER]
    assert answered["exact"] > answered["exact, printed split"] > answered["source"]


@pytest.mark.source("LZCW21-thm-26")
@pytest.mark.parametrize("number", [1, 3, 6])
def test_the_slip_does_not_grow_with_the_points(number):
    one = SparseVectorAggregator(cutoff=1, epsilon=2.0, delta=0.05)
    law = one.output_distribution(np.repeat([[0], [1]], number, axis=1)).pmf()
    answered = (one.label_sequences(number) != NO_ANSWER).any(axis=1)
    assert law[answered].sum() == pytest.approx(0.025, rel=1e-8)


@pytest.mark.source("LZCW21-lem-3")
def test_the_chance_that_all_are_answered_is_that_of_draws():
    run = chapter.service("exact", 3, 30, 3.0, 1e-2)
    size = 6 * (round(run.threshold) + 18)
    exact = chapter.answered(run, size, 30)
    counts = np.tile([[0, -(-size // 3)]], (30, 1))
    seen = np.mean([(run.answer_counts(counts, rng=s).labels == 1).all() for s in range(2000)])
    assert 0.05 < exact < 0.98
    assert abs(seen - exact) < 4.5 * np.sqrt(exact * (1 - exact) / 2000)
    assert chapter.all_answered([size], 30, 3, 3.0, 1e-2)["exact"].tolist() == [exact]


@pytest.mark.source("LZCW21-thm-2", "LZCW21-thm-26")
@pytest.mark.parametrize("cutoff", [1, 2])
def test_no_distances_exceed_the_promise(cutoff):
    table = chapter.audit_of_stable_labels(3, [cutoff], [2.0], 0.01).drop(columns="claimed")
    assert (table <= 2.0).all(axis=None)
    assert (table > 0).all(axis=None)


def test_the_audit_over_distances_covers_that_over_all_votes():
    """Two points, seven teachers: the general audit finds no more than the one over distances."""
    run = chapter.service("exact", 1, 2, 8.0, 0.1)
    points = np.array([[b >> i & 1 for i in range(2)] for b in range(4)])
    votes = audit.exact(run.output_distribution, points, 7)
    distances = chapter.DistanceAudit(run, 1, width=3)
    for level in (1.0, 3.0, 8.0):
        assert votes.delta(level) <= distances.delta(level) + 1e-12
    assert votes.delta(3.0) > 0


def test_the_audit_catches_a_threshold_that_is_too_low():
    run = chapter.service("exact", 1, 3, 1.0, 0.01)
    object.__setattr__(run, "threshold", run.threshold / 2)
    assert chapter.DistanceAudit(run, 2).delta(1.0) > 0.01


@pytest.mark.parametrize("cutoff", [1, 10])
def test_exact_constants_reach_less_far_than_the_source_and_the_lemma(cutoff):
    ours, theirs = (
        chapter.reach(chapter.service(v, cutoff, 200, 1.0, 1e-6), 200, 0.05) for v in ("exact", "source")
    )
    assert ours < theirs < sparse_vector_teachers(200, cutoff, 1.0, 1e-6, beta=0.05) / 6


@pytest.mark.source("LZCW21-thm-5", "LZCW21-rem-6")
def test_the_bound_has_a_best_number_of_public_points():
    sizes = (10**3, 3 * 10**5, 3 * 10**7)
    errors = [passive_bound(10**10, m, 1000, 1.0, 1e-6, beta=0.05).error for m in sizes]
    assert int(np.argmin(errors)) == 1


@pytest.mark.erratum("LZCW21-lem-3/2")
@pytest.mark.parametrize(("epsilon", "refused"), [(20.0, 0.0), (100.0, 0.18), (200.0, 1.0)])
def test_the_failing_lemma_is_that_of_the_inventory(epsilon, refused):
    size = int(np.ceil(136 * log(2e6) * sqrt(5 * log(2000)) / epsilon))
    chance = 1 - chapter.answered(chapter.service("source", 5, 100, epsilon, 1e-3), size, 100)
    assert round(chance, 2) == refused


def test_ninety_nine_teachers_are_heard_with_one_refusal_paid_for():
    assert chapter.least_teachers(1) == 99
    law = SparseVectorAggregator(cutoff=1, epsilon=1.0, delta=1e-6).label_law
    assert law([[0, 98]])[0, 1] < 0.5 <= law([[0, 99]])[0, 1]


def closed(cutoff, scale, slack, factor=6):
    ratio = factor * slack / cutoff
    return -2 * scale * log(ratio / (2 + sqrt(4 - ratio)))


def test_the_closed_threshold_is_accepted():
    chapter.check_threshold(closed)


@pytest.mark.parametrize("factor", [3, 12])
def test_a_wrong_constant_in_the_threshold_is_refused(factor):
    with pytest.raises(AssertionError, match="but it is"):
        chapter.check_threshold(lambda *arguments: closed(*arguments, factor))


def test_the_crossing_is_accepted_and_its_neighbours_are_not():
    low, high = 10, 10**6
    while high - low > 1:
        middle = (low + high) // 2
        _, gaussian, sparse = chapter.margins_needed([middle], [10], 2.0, 1e-6, 0.05).loc[0]
        low, high = (low, middle) if sparse < gaussian else (middle, high)
    chapter.check_crossing(high)
    with pytest.raises(AssertionError, match="Gaussian noise needs the smaller margin"):
        chapter.check_crossing(high - 1)
    with pytest.raises(AssertionError, match="the cheaper one already"):
        chapter.check_crossing(high + 1)


def test_a_breach_is_accepted():
    chapter.check_halt(300, 20)


@pytest.mark.parametrize(("n_points", "distance"), [(1, 33), (8, 16), (5000, 20)])
def test_an_event_that_is_excused_is_refused(n_points, distance):
    with pytest.raises(AssertionError, match="no breach"):
        chapter.check_halt(n_points, distance)


@pytest.mark.parametrize(("T", "epsilon", "delta"), [(1, 1.0, 0.01), (20, 0.5, 1e-6), (3, 4.0, 0.2)])
def test_the_simple_constants_slip_with_two_thirds_of_delta_at_most(T, epsilon, delta):
    noise, threshold = chapter.simple_constants(T, epsilon, delta)
    assert 1 / noise.threshold_scale + 2 / noise.query_scale == pytest.approx(epsilon / T)
    assert 0.6 * delta < T * chapter.slip(threshold, noise) <= 2 / 3 * delta


@pytest.mark.parametrize("cutoff", [1, 2])
def test_the_simple_theorem_holds_exactly_and_not_with_half_the_threshold(cutoff):
    run = chapter.service("exact", cutoff, 4, 2.0, 0.01)
    noise, threshold = chapter.simple_constants(cutoff, 2.0, 0.01)
    object.__setattr__(run, "noise", noise)
    object.__setattr__(run, "threshold", threshold)
    assert 0 < chapter.DistanceAudit(run, 3).delta(2.0) <= 0.01
    object.__setattr__(run, "threshold", threshold / 2)
    assert chapter.DistanceAudit(run, 3).delta(2.0) > 0.01


def enough(T, n_queries, epsilon, delta, beta, factor=4):
    logarithms = factor * log(T / delta) + 2 * log(T / beta) + 4 * log(n_queries / beta)
    return int(np.ceil(6 * (T / epsilon * logarithms + 1)))


def test_the_number_of_teachers_is_accepted():
    chapter.check_enough(enough)


@pytest.mark.parametrize(("factor", "message"), [(2, "too few"), (5, "not the smallest")])
def test_a_wrong_number_of_teachers_is_refused(factor, message):
    with pytest.raises(AssertionError, match=message):
        chapter.check_enough(lambda *arguments: enough(*arguments, factor))
