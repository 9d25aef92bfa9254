"""MWEM: its law by another route and by draws, its loss on all neighbours, planted bugs."""

import re
from itertools import product
from math import exp

import numpy as np
import pytest

from privml import Adjacency, audit, compose, mechanisms
from privml import _check as check
from privml.mechanisms import MWEM, marginals
from tests.refusals import refused

QUERIES = np.array([[0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 0, 1]], dtype=bool)


def made(epsilon=1.0, n_rounds=2, **options):
    return MWEM(epsilon=epsilon, queries=QUERIES, n_rounds=n_rounds, **options)


def law_of(mechanism):
    return lambda z: mechanism.output_distribution(np.bincount(z, minlength=4))


def by_hand(counts, epsilon, n_rounds, share=0.5, rate=4.0):
    """Probability of each transcript, each factor from its formula, with noise summed far beyond the ends."""
    m, k = sum(counts), len(QUERIES)
    true = [sum(c for c, q in zip(counts, row, strict=True) if q) for row in QUERIES]
    choose, measure = (
        2 * share * epsilon / (2 * n_rounds),
        2 * (1 - share) * epsilon / (2 * n_rounds),
    )
    noise = {j: exp(-measure * abs(j)) for j in range(-4000, 4001)}
    total = sum(noise.values())
    answers = []
    for a in true:
        law = [noise[c - a] / total for c in range(m + 1)]
        law[0] = sum(w for j, w in noise.items() if a + j <= 0) / total
        law[m] = sum(w for j, w in noise.items() if a + j >= m) / total
        answers.append(law)
    found = []
    for transcript in product(product(range(k), range(m + 1)), repeat=n_rounds):
        p, chance = [0.25] * 4, 1.0
        for q, c in transcript:
            shares = [
                sum(w for w, one in zip(p, row, strict=True) if one) for row in QUERIES
            ]
            weights = [
                exp(choose / 2 * abs(a - m * s))
                for a, s in zip(true, shares, strict=True)
            ]
            chance *= weights[q] / sum(weights) * answers[q][c]
            raised = [
                w * exp(rate * (c / m - shares[q]) * one)
                for w, one in zip(p, QUERIES[q], strict=True)
            ]
            p = [w / sum(raised) for w in raised]
        found.append(chance)
    return np.array(found)


@pytest.mark.parametrize(
    ("counts", "rate"), [((1, 0, 1, 1), 4.0), ((0, 2, 0, 0), 0.5), ((1, 0, 0, 0), 4.0)]
)
def test_the_law_is_that_of_the_formulas(counts, rate):
    law = made(0.8, 2, rate=rate).output_distribution(np.array(counts))
    assert law.pmf() == pytest.approx(by_hand(counts, 0.8, 2, rate=rate), rel=1e-9)
    assert law.n_outcomes == (3 * (sum(counts) + 1)) ** 2


def test_the_draws_follow_the_law():
    mechanism, counts, n = made(3.0, 2), np.array([1, 0, 0, 1]), 4_000
    place = {t: i for i, t in enumerate(mechanism.transcripts(2))}
    rng, seen = np.random.default_rng(4), np.zeros(len(place))
    for _ in range(n):
        table = mechanism.release(counts, rng=rng)
        seen[
            place[
                tuple(zip(table.chosen.tolist(), table.measured.tolist(), strict=True))
            ]
        ] += 1
    law = mechanism.output_distribution(counts).pmf()
    off = (seen - n * law)[law > 2e-3] / np.sqrt(n * law * (1 - law))[law > 2e-3]
    assert np.abs(off).max() < 4.5


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 8.0])
@pytest.mark.parametrize(("n_samples", "n_rounds"), [(1, 1), (3, 1), (2, 2), (3, 2)])
def test_no_pair_of_neighbours_loses_more_than_the_claim(epsilon, n_samples, n_rounds):
    found = audit.exact(law_of(made(epsilon, n_rounds)), np.arange(4), n_samples)
    assert 0.5 * epsilon < found.epsilon <= epsilon * (1 + 1e-9)


@pytest.mark.parametrize(
    "bug", ["choices for all of epsilon", "noise for all of epsilon", "no sensitivity"]
)
def test_planted_bugs_break_the_claim(monkeypatch, bug):
    choice, noise = made(8.0, 1)._steps
    choice = (
        mechanisms.ExponentialMechanism(epsilon=8.0, sensitivity=1.0)
        if "choices" in bug
        else choice
    )
    noise = (
        mechanisms.DiscreteLaplaceMechanism(epsilon=8, sensitivity=1)
        if "noise" in bug
        else noise
    )
    if bug == "no sensitivity":
        choice = mechanisms.ExponentialMechanism(epsilon=4.0, sensitivity=0.5)
    monkeypatch.setattr(MWEM, "_steps", (choice, noise))
    assert audit.exact(law_of(made(8.0, 1)), np.arange(4), 6).epsilon > 8.5


@pytest.mark.parametrize("m", [8, 8000])
def test_measured_counts_are_possible_ones_and_the_weights_follow_from_the_transcript(
    monkeypatch, m
):
    mechanism, counts, seen, drawn = (
        made(0.05, 5),
        np.array([3, 0, 2, 3]) * m // 8,
        [],
        [],
    )
    choose = mechanisms.ExponentialMechanism.release

    def watched(self, scores, rng):
        return seen.append(scores) or choose(self, scores, rng=rng)

    monkeypatch.setattr(mechanisms.ExponentialMechanism, "release", watched)
    measure = mechanisms.DiscreteLaplaceMechanism.release

    def kept(self, count, rng):
        return drawn.append(measure(self, count, rng=rng)) or drawn[-1]

    monkeypatch.setattr(mechanisms.DiscreteLaplaceMechanism, "release", kept)
    table = mechanism.release(counts, rng=1)
    assert table.measured.tolist() == np.clip(drawn, 0, m).tolist()
    tables = mechanism.tables(list(zip(table.chosen, table.measured, strict=True)), m)
    assert table.weights == pytest.approx(tables[:-1].mean(axis=0))
    assert table.last == pytest.approx(tables[-1])
    assert np.array(seen) == pytest.approx(
        np.abs(QUERIES @ (counts - m * tables[:-1]).T).T
    )
    assert tables[0] == pytest.approx(np.full(4, 0.25))
    assert (mechanism.release(counts, rng=1).measured == table.measured).all()
    assert compose(table, table, delta=0.0).guarantee.epsilon == 2 * mechanism.epsilon


def test_synthetic_records_are_drawn_from_the_weights():
    table = made(5.0, 5).release(np.array([30, 0, 20, 30]), rng=2)
    drawn = np.bincount(table.records(40_000, rng=3), minlength=4) / 40_000
    assert np.abs(drawn - table.weights).max() < 4.5 * 0.5 / 200


def test_marginals_are_the_cells_of_all_tables():
    cells = marginals((2, 3, 2), 2)
    assert cells.shape == (2 * 3 + 2 * 2 + 3 * 2, 12)
    data = np.random.default_rng(0).integers(0, (2, 3, 2), size=(50, 3))
    counts = np.bincount(np.ravel_multi_index(data.T, (2, 3, 2)), minlength=12)
    tables = [np.zeros((2, 3)), np.zeros((2, 2)), np.zeros((3, 2))]
    for a, b, c in data:
        tables[0][a, b] += 1
        tables[1][a, c] += 1
        tables[2][b, c] += 1
    assert (cells @ counts).tolist() == np.concatenate(
        [t.ravel() for t in tables]
    ).tolist()


test_bad_parameters_are_refused = refused(
    {"epsilon": 0.0},
    {"epsilon": 1e-14},
    {"n_rounds": 0},
    {"rate": -1.0},
    {"adjacency": Adjacency.ADD_OR_REMOVE_ONE},
    call=lambda options: made(**options),
    words="must",
)


def test_the_message_about_fractions_names_rows_whose_mean_is_the_query():
    """``astype(bool)`` would make each positive fraction a 1."""
    queries, counts = np.random.default_rng(0).random((30, 6)), np.arange(6)
    with pytest.raises(
        ValueError, match="queries must be .* numbers 0 and 1 with astype"
    ) as refusal:
        MWEM(epsilon=1.0, queries=queries, n_rounds=2)
    first, second, last = map(float, re.findall(r"q > ([\d.]+)", str(refusal.value)))
    levels = np.arange(first, last + 1e-9, second - first)
    rows = MWEM(
        epsilon=1.0, queries=np.concatenate([queries > t for t in levels]), n_rounds=2
    ).queries
    means = (rows @ counts / counts.sum()).reshape(len(levels), -1).mean(axis=0)
    assert np.abs(means - queries @ counts / counts.sum()).max() <= 0.5 / len(levels)
    with pytest.raises(ValueError, match="with astype\\(bool\\).$"):
        check.bool_matrix(predictions=[[1, 0]])


@pytest.mark.parametrize(
    "counts", [[1, 2, 3], [0, 0, 0, 0], [1, -1, 2, 0], [0.5, 1, 1, 1]]
)
def test_bad_histograms_are_refused_without_being_shown(counts):
    for act in (made().release, made().output_distribution):
        with pytest.raises(ValueError, match="must"):
            act(counts)


def test_a_law_with_too_many_transcripts_is_refused():
    with pytest.raises(ValueError, match="n_transcripts must be at most"):
        made(1.0, 30).output_distribution(np.array([3, 0, 2, 3]))
