"""Tables of the chapter on unstable queries: exact laws against brute force, and the audit."""

import numpy as np
import pytest

from privml import audit
from privml.experiments import unstable_queries as experiments
from privml.experiments.unstable_queries.audits import DistanceAudit
from privml.experiments.unstable_queries.base import aggregator
from privml.pate import NO_ANSWER


@pytest.mark.source("LZCW21-alg-2")
def test_answers_grow_with_the_margin_and_are_those_of_the_law():
    table = experiments.answer_by_margin([0, 500, 1000], 5, 100, 1.0, 1e-6)
    for name, curve in table.groupby("variant"):
        assert curve["answered"].is_monotonic_increasing
        law = aggregator(name, 5, 100, 1.0, 1e-6).label_law([[500, 1000]])
        assert curve["answered"].iloc[1] == pytest.approx(1 - law[0, NO_ANSWER])
    wide = table.pivot(index="margin", columns="variant", values="answered").loc[1000]
    assert wide["exact"] > wide["exact, printed split"] > wide["source"]


@pytest.mark.source("LZCW21-thm-26")
def test_the_slip_does_not_grow_with_the_points():
    slips = experiments.chance_of_a_slip([1, 3, 6], 2.0, 0.05)
    assert slips["exact"].tolist() == pytest.approx([1, 1, 1], rel=1e-8)


@pytest.mark.source("LZCW21-lem-3")
def test_the_chance_that_all_are_answered_is_that_of_draws():
    run = aggregator("exact", 3, 30, 3.0, 1e-2)
    size = 6 * (round(run.threshold) + 18)
    exact = (
        experiments.all_answered([size], 30, 3, 3.0, 1e-2).set_index("variant").loc["exact"]["probability"]
    )
    margin = -(-size // 3)
    counts = np.tile([[0, margin]], (30, 1))
    seen = np.mean([(run.answer_counts(counts, rng=s).labels == 1).all() for s in range(2000)])
    assert 0.05 < exact < 0.98
    assert abs(seen - exact) < 4.5 * np.sqrt(exact * (1 - exact) / 2000)


@pytest.mark.source("LZCW21-thm-2", "LZCW21-thm-26")
@pytest.mark.parametrize("cutoff", [1, 2])
def test_no_distances_exceed_the_promise(cutoff):
    table = experiments.audit_of_stable_labels(3, [cutoff], [2.0], 0.01)
    assert (table["exact"] <= table["claimed"]).all()
    assert (table["exact"] > 0).all()


def test_the_audit_over_distances_covers_that_over_all_votes():
    """Two points, seven teachers: the general audit finds no more than the one over distances."""
    run = aggregator("exact", 1, 2, 8.0, 0.1)
    points = np.array([[b >> i & 1 for i in range(2)] for b in range(4)])
    votes = audit.exact(run.output_distribution, points, 7)
    distances = DistanceAudit(run, 1, width=3)
    for level in (1.0, 3.0, 8.0):
        assert votes.delta(level) <= distances.delta(level) + 1e-12
    assert votes.delta(3.0) > 0


def test_the_audit_catches_a_threshold_that_is_too_low():
    run = aggregator("exact", 1, 3, 1.0, 0.01)
    object.__setattr__(run, "_threshold", run.threshold / 2)
    assert DistanceAudit(run, 2).delta(1.0) > 0.01


def test_exact_constants_reach_less_far_than_the_source_and_the_lemma():
    table = experiments.constants([1, 10], 200, 1.0, 1e-6, 0.05)
    assert (table["exact_reach"] < table["source_reach"]).all()
    assert (table["source_reach"] < table["lemma"]).all()


@pytest.mark.source("LZCW21-thm-5", "LZCW21-rem-6")
def test_the_bound_has_a_best_number_of_public_points():
    table = experiments.bound_by_public([10**10], [10**3, 3 * 10**5, 3 * 10**7], 0.0, 1e-6)
    assert table["bound"].idxmin() == 1


@pytest.mark.erratum("LZCW21-lem-3/2")
def test_the_failing_lemma_is_that_of_the_inventory():
    assert experiments.failing_lemma([20.0, 100.0, 200.0])["refused"].round(2).tolist() == [0.0, 0.18, 1.0]
