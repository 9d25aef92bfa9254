"""What the chapter on sparse vectors computes in its cells, against closed forms, laws and proofs."""

from itertools import product
from math import log, sqrt

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml import audit
from privml.adjacency import Adjacency
from privml.bounds.tails import stable_answer_radius
from privml.mechanisms import (
    DistanceToInstability,
    Noise,
    RestartingSparseVector,
    SparseVector,
)
from privml.mechanisms.transcript_distribution import (
    transcript_log_probabilities,
    transcripts,
)
from tests.chapters import sparse_vectors_functions as functions

chapter = chapter_module("sparse-vectors")


@pytest.mark.parametrize("seed", [3, 4])
def test_a_year_is_reported_correctly_and_noisy_counts_would_not_be(seed):
    counts = chapter.busy_year(365, seed)
    truth = counts >= 250
    assert truth.sum() == 5
    mechanism = SparseVector(epsilon=1.0, threshold=250.0, cutoff=6, sensitivity=1)
    crossings = mechanism.run(counts, rng=seed).crossings
    assert (crossings == truth).all()
    halted = SparseVector(epsilon=1.0, threshold=250.0, cutoff=3, sensitivity=1).run(
        counts, rng=seed
    )
    assert (halted.crossings.size, halted.halted) == (201, True)


@pytest.mark.source("LZCW21-lem-45", "LZCW21-alg-6")
def test_audits_of_days_stay_within_the_claims_and_see_the_forgotten_factor():
    people = np.array(list(product((0, 1), repeat=3)))
    forms = [
        SparseVector(epsilon=1.0, cutoff=c, threshold=1.0, sensitivity=1)
        for c in (1, 2)
    ]
    fresh = RestartingSparseVector(
        epsilon=1.0, delta=1e-6, cutoff=2, threshold=1.0, sensitivity=1
    )
    for form, claim in [
        (forms[0], 1.0),
        (forms[1], 1.0),
        (fresh, 2 / sqrt(8 * 2 * log(1e6))),
    ]:
        for relation in Adjacency:
            assert (
                0
                < functions.audited(form, people, 2, relation).epsilon
                <= claim + 1e-12
            )
    options = {"noise": Noise(0.5, 1.0), "cutoff": 1, "redraw": False}

    def law(z):
        return np.exp(transcript_log_probabilities(z.sum(axis=0) - 1.0, **options))

    assert audit.exact(law, people, 2).epsilon > 1.0  # scales of epsilon = 4


@pytest.mark.parametrize("cutoff", [1, 2, 5])
@pytest.mark.parametrize("share", [None, 0.5, 0.1])
def test_the_loss_of_the_worst_moves_rises_to_epsilon_and_not_beyond(cutoff, share):
    noise = SparseVector(
        epsilon=0.8, cutoff=cutoff, threshold_share=share, sensitivity=1
    ).noise
    losses = [chapter.shifted_loss(n, cutoff, noise) for n in (1, 4, 16, 64, 256)]
    assert all(a < b for a, b in zip(losses[:3], losses[1:4], strict=True))
    assert losses[-1] == pytest.approx(0.8, abs=1e-9)
    assert max(losses) <= 0.8 + 1e-9


@pytest.mark.parametrize(("n_quiet", "n_crossing"), [(1, 1), (3, 2), (5, 1)])
def test_the_loss_of_the_worst_moves_is_that_of_the_law(n_quiet, n_crossing):
    noise, crossed = Noise(3.0, 0.7), np.repeat([False, True], [n_quiet, n_crossing])
    place = transcripts(crossed.size, None).index(tuple(crossed.tolist()))
    streams = np.zeros(crossed.size), np.where(crossed, -1.0, 1.0)
    laws = (
        np.exp(transcript_log_probabilities(v, noise, None, redraw=False))
        for v in streams
    )
    here, there = (law[place] for law in laws)
    assert chapter.shifted_loss(n_quiet, n_crossing, noise) == pytest.approx(
        log(here / there), abs=1e-10
    )


def by_pattern(values, noise, cutoff):
    chances = np.exp(
        transcript_log_probabilities(np.asarray(values), noise, cutoff, redraw=False)
    )
    return dict(zip(transcripts(len(values), cutoff), np.log(chances), strict=True))


@pytest.mark.parametrize("cutoff", [1, 2, 3])
def test_a_transcript_loses_no_more_than_its_crossings_cost(cutoff):
    """All moves by 1 of four queries: a transcript with c crossings costs Delta / a + 2 c Delta / b."""
    noise = SparseVector(epsilon=1.5, cutoff=cutoff, sensitivity=1).noise
    here, tight = by_pattern([0.0, 1.0, -2.0, 0.5], noise, cutoff), {}
    for move in product((-1.0, 0.0, 1.0), repeat=4):
        there = by_pattern(np.add([0.0, 1.0, -2.0, 0.5], move), noise, cutoff)
        for pattern, chance in here.items():
            assert (
                abs(chance - there[pattern])
                <= chapter.spent(noise, sum(pattern)) + 1e-9
            )
            tight[sum(pattern)] = max(
                tight.get(sum(pattern), 0), abs(chance - there[pattern])
            )
    assert chapter.spent(noise, cutoff) == pytest.approx(1.5)
    assert (
        tight[0] < chapter.spent(noise, 0) < tight[cutoff]
    )  # so that fewer crossings do cost less


@pytest.mark.parametrize("noise", [Noise(1.0, 2.0), Noise(3.0, 0.7)])
def test_the_law_of_the_gap_sums_to_that_of_the_answers_and_agrees_with_draws(noise):
    values, edges = np.array([0.3, -2.0, 1.5]), np.array([0.0, 0.5, 1.0, 4.0])
    law = functions.gap_cells(values, noise, edges)
    answers = np.exp(transcript_log_probabilities(values, noise, 1, redraw=False))
    np.testing.assert_allclose(
        [*law[:-1].reshape(3, 4).sum(axis=1), law[-1]], answers, atol=1e-12
    )
    n, rng = 200_000, np.random.default_rng(5)
    gaps = values + rng.laplace(scale=noise.query_scale, size=(n, 3))
    gaps -= rng.laplace(scale=noise.threshold_scale, size=(n, 1))
    gaps = gaps[(gaps >= 0).any(axis=1)]
    first = (gaps >= 0).argmax(axis=1)
    cell = np.searchsorted(edges, gaps[np.arange(len(gaps)), first], side="right") - 1
    seen = np.bincount(4 * first + cell, minlength=12) / n
    assert (np.abs(seen - law[:-1]) <= 4.5 * np.sqrt(law[:-1] / n)).all()


@pytest.mark.parametrize("share", [None, 0.5])
def test_the_gap_is_free_and_the_noisy_value_is_not(share):
    """Over all moves of three queries, and along the streams that use up all of epsilon."""
    edges = np.linspace(0, 6, 13)
    noise = SparseVector(epsilon=0.8, threshold_share=share, sensitivity=1).noise
    here = functions.gap_cells(np.zeros(3), noise, edges)
    for move in product((-1.0, 0.0, 1.0), repeat=3):
        assert (
            np.abs(
                np.log(here / functions.gap_cells(np.array(move), noise, edges))
            ).max()
            <= 0.8 + 1e-9
        )
    n = 80
    streams = np.zeros(n + 1), np.append(np.ones(n), -1.0)
    here, there = (functions.gap_cells(values, noise, edges) for values in streams)
    assert np.log(here / there)[-14:-1] == pytest.approx(0.8, abs=1e-6)
    assert functions.reused_loss(8) == pytest.approx(
        3.5, abs=1e-8
    )  # the noisy value, at a claim of 1


def test_the_gallery_reaches_its_limits_and_grows_where_there_is_none():
    epsilon, few = chapter.epsilon, [functions.gallery(n, 2) for n in (4, 16, 64)]
    assert few[-1]["right"] == pytest.approx(epsilon, abs=1e-6)
    assert few[-1]["noise ignores the cut-off"] == pytest.approx(
        epsilon * 13 / 4, abs=1e-6
    )
    reused = [row["reused noise"] for row in few]
    np.testing.assert_allclose(reused, (np.array([4, 16, 64]) - 1) * epsilon / 2)
    rng = np.random.default_rng(0)
    rho, nu = rng.laplace(scale=2 / epsilon, size=(2, 200_000))
    seen = (
        (nu + 1 >= rho)
        & (nu + 1 <= 0)
        & (rng.laplace(scale=2 / epsilon, size=rho.size) < rho)
    ).mean()
    law = functions.small_release(np.array([0.0, 1.0]))
    assert abs(seen - law) <= 4.5 * np.sqrt(law * (1 - law) / 200_000)
    assert (np.diff([row["no cut-off"] for row in few]) > 10).all()


def test_without_a_cutoff_the_loss_of_a_fixed_number_of_crossings_tends_to_its_formula():
    epsilon = 1.0
    for crossings in (1, 3):
        loss = chapter.shifted_loss(200, crossings, Noise(2 / epsilon, 2 / epsilon))
        assert loss == pytest.approx(epsilon / 2 + crossings * epsilon, abs=1e-9)


@pytest.mark.parametrize("cutoff", [1, 4, 30])
def test_the_best_split_is_the_best_and_has_the_variance_of_the_formula(cutoff):
    least, *others = functions.deviations(
        cutoff, [functions.best_share(cutoff), *np.linspace(0.01, 0.99, 99)]
    )
    assert min(others) >= least * (1 - 1e-12)
    assert least == pytest.approx(
        sqrt(2 * (1 + (2 * cutoff) ** (2 / 3)) ** 3) / chapter.epsilon, rel=1e-12
    )
    default = SparseVector(epsilon=chapter.epsilon, cutoff=cutoff, sensitivity=1).noise
    assert chapter.deviation(default) == pytest.approx(least, rel=1e-12)


def test_noise_of_the_forms_follows_their_scales():
    one, hundred = (chapter.forms(T, 1.0, 1e-6) for T in (1, 100))
    assert one["restarting"] == pytest.approx(sqrt(320 * log(1e6)))
    assert hundred["restarting"] == pytest.approx(10 * one["restarting"])
    composed = "restarting, composed optimally"
    assert one[composed] == pytest.approx(sqrt(40), rel=1e-5)  # scales 2 and 4
    assert all(form[composed] < form["restarting"] for form in (one, hundred))
    assert chapter.deviation(Noise(3.0, 4.0)) == pytest.approx(5 * sqrt(2))


def test_exact_margins_fail_with_probability_beta():
    noise = SparseVector(epsilon=1.0, threshold_share=0.5, sensitivity=1).noise
    for k in (1, 30, 10**5):
        exact = functions.exact_margin(k, noise, 0.05, 8 * log(2 * k / 0.05))
        assert functions.quiet_failure(exact, k, noise) == pytest.approx(0.05, rel=1e-8)
        assert exact < 2 * log(2 / 0.05) + 4 * log(2 * k / 0.05)
    law = np.exp(transcript_log_probabilities(np.full(5, -3.0), noise, 1, redraw=False))
    assert functions.quiet_failure(3.0, 5, noise) == pytest.approx(
        1 - law[-1], abs=1e-12
    )


@pytest.mark.source("LZCW21-lem-45", "LZCW21-alg-6")
def test_profiles_are_ordered_exact_below_composed_and_end_where_the_pure_parameter_does():
    grid = np.linspace(0, 0.2, 21)
    profiles = {T: functions.restarting_profile(T, 3, grid) for T in (1, 2)}
    for T, table in profiles.items():
        assert (table["exact"] <= table["composed"] + 1e-12).all()
        pure = T / sqrt(8 * T * log(1e6))
        assert (table["exact"][table["epsilon"] > pure] == 0).all()
        assert table["composed"].iloc[0] > table["exact"].iloc[0] > 0.005
    np.testing.assert_allclose(
        profiles[1]["concentrated"], profiles[2]["concentrated"], rtol=1e-9
    )


@pytest.mark.source("LZCW21-lem-48")
@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.05), (0.4, 1e-3)])
@pytest.mark.parametrize("relation", list(Adjacency))
def test_the_majority_audit_finds_delta_and_half_of_it(epsilon, delta, relation):
    for factor in (2, 1):
        options = {
            "threshold": log(1 / (factor * delta)) / epsilon,
            "adjacency": relation,
        }
        form = DistanceToInstability(epsilon=epsilon, delta=delta, **options)
        assert functions.majority_delta(form, relation, 6) == pytest.approx(
            factor * delta / 2, rel=1e-9
        )


@pytest.mark.source("LZCW21-alg-7", "LZCW21-lem-49")
@pytest.mark.parametrize("epsilon", [0.3, 1.0])
def test_answers_become_likelier_with_the_radius_and_never_beat_the_best(epsilon):
    table = functions.answer_by_radius(epsilon, 1e-4, 50)
    for column in ("best", "tight", "printed"):
        assert (np.diff(table[column]) >= 0).all()
    assert (table["printed"] <= table["tight"]).all()
    assert (table["printed"] < table["tight"]).sum() > 10
    assert (table["tight"] <= table["best"] + 1e-12).all()
    radius = stable_answer_radius(epsilon, 1e-4, beta=0.05)
    assert (table["printed"][table["radius"] >= radius] >= 1 - 0.025).all()


@pytest.mark.source("LZCW21-def-47")
@pytest.mark.parametrize("adjacency", list(Adjacency))
def test_the_best_mechanism_keeps_the_promise_and_uses_all_of_it(adjacency):
    epsilon, delta, size = 0.7, 0.02, 9
    best = chapter.best_answer(epsilon, delta, 10)

    def law(bits):
        answer, lead = int(2 * bits.sum() > len(bits)), abs(2 * bits.sum() - len(bits))
        chance = best[
            (lead - answer) // (1 if adjacency is Adjacency.ADD_OR_REMOVE_ONE else 2)
        ]
        return np.array([chance * (answer == 0), chance * (answer == 1), 1 - chance])

    found = audit.exact(law, np.array([0, 1]), size, adjacency=adjacency)
    assert found.delta(epsilon) == pytest.approx(delta, rel=1e-9)
    assert found.delta(0.98 * epsilon) > delta * (1 + 1e-6)
