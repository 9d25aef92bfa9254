"""The tables of the chapter on sparse vectors, against closed forms, the library's laws and its proofs."""

from itertools import product
from math import exp, inf, log, log10, sqrt

import numpy as np
import pytest

from privml import audit
from privml.adjacency import Adjacency
from privml.bounds.sparse_vector import stable_answer_radius
from privml.divergences import hockey_stick
from privml.experiments import sparse_vectors as experiments
from privml.experiments.sparse_vectors.misprints import refresh_bound, refresh_event, worst_delta
from privml.experiments.sparse_vectors.noise import comparison_deviation, quiet_failure
from privml.guarantee import ConcentratedGuarantee
from privml.mechanisms import RestartingSparseVector, SparseVector
from privml.mechanisms.sparse_vector.base import Noise, transcript_probabilities, transcripts


def test_a_year_is_reported_correctly_and_noisy_counts_would_not_be():
    table = experiments.answers_of_a_year(365, 1.0, 250.0, 6, seed=3)
    truth = table["callers"] >= 250
    assert truth.sum() == 5
    assert (truth == (table["answer"] == "busy")).all()
    assert (truth != (table["noisy_callers"] >= 250)).sum() > 50
    halted = experiments.answers_of_a_year(365, 1.0, 250.0, 3, seed=3)
    assert (halted["answer"] == "busy").sum() == 3
    assert (halted["answer"].iloc[201:] == "none").all()


@pytest.mark.source("LZCW21-lem-45", "LZCW21-alg-6")
def test_audits_of_days_stay_within_the_claims_and_see_the_forgotten_factor():
    table = experiments.audit_of_days(1.0, 2, 3)
    assert (table["exact_epsilon"] <= table["claim"]).all()
    assert (table["exact_epsilon"] > 0).all()
    restarting = table[table["mechanism"].str.startswith("restarting")]
    assert restarting["claim"].iloc[0] == pytest.approx(2 / sqrt(8 * 2 * log(1e6)), rel=1e-12)
    people = np.array(list(product((0, 1), repeat=3)))
    law = lambda z: transcript_probabilities(z.sum(axis=0) - 1.0, Noise(0.5, 1.0), 1, redraw=False)  # noqa: E731
    assert audit.exact(law, people, 2).epsilon > 1.0  # scales of epsilon = 4


@pytest.mark.parametrize(("threshold_scale", "query_scale"), [(1.0, 2.0), (3.0, 0.7)])
def test_long_transcripts_have_the_probabilities_of_the_law(threshold_scale, query_scale):
    noise, values = Noise(threshold_scale, query_scale), np.array([0.0, 1.0, 0.0, -2.0])
    law = transcript_probabilities(values, noise, None, redraw=False)
    for pattern, probability in zip(transcripts(4, None), law, strict=True):
        assert experiments.transcript_log_probability(values, pattern, noise) == pytest.approx(
            log(probability), abs=1e-11
        )


@pytest.mark.parametrize("cutoff", [1, 2, 5])
@pytest.mark.parametrize("share", [None, 0.5, 0.1])
def test_the_loss_of_the_worst_moves_rises_to_epsilon_and_not_beyond(cutoff, share):
    noise = SparseVector(epsilon=0.8, cutoff=cutoff, threshold_share=share).noise
    losses = [experiments.shifted_loss(n, cutoff, noise) for n in (1, 4, 16, 64, 256)]
    assert all(a < b for a, b in zip(losses[:3], losses[1:4], strict=True))
    assert losses[-1] == pytest.approx(0.8, abs=1e-9)
    assert max(losses) <= 0.8 + 1e-9


def test_the_gallery_reaches_its_limits_and_grows_where_there_is_none():
    table = experiments.loss_by_length(1.2, 2, [4, 16, 64]).set_index(["mechanism", "n_quiet"])
    last = table.xs(64, level="n_quiet")
    for name in ("right", "noise ignores the cut-off"):
        assert last.loc[name, "loss"] == pytest.approx(last.loc[name, "limit"], abs=1e-6)
    assert last.loc["noise ignores the cut-off", "limit"] == pytest.approx(1.2 * 13 / 4)
    reused = table.loc["reused noise", "loss"]
    np.testing.assert_allclose(reused, (np.array([4, 16, 64]) - 1) * 0.6, atol=1e-8)
    assert (table.loc["no cut-off", "loss"].diff().dropna() > 10).all()
    assert last.loc["no query noise", "loss"] == inf


def test_without_a_cutoff_the_loss_of_a_fixed_number_of_crossings_tends_to_its_formula():
    epsilon = 1.0
    for crossings in (1, 3):
        loss = experiments.shifted_loss(200, crossings, Noise(2 / epsilon, 2 / epsilon))
        assert loss == pytest.approx(epsilon / 2 + crossings * epsilon, abs=1e-9)


def test_the_best_split_is_the_best_and_has_the_variance_of_the_formula():
    table = experiments.split_table([1, 4, 30], 0.7, np.linspace(0.01, 0.99, 99))
    assert (table["deviation"] >= table["best_deviation"] * (1 - 1e-12)).all()
    for cutoff, group in table.groupby("cutoff"):
        formula = sqrt(2 * (1 + (2 * cutoff) ** (2 / 3)) ** 3) / 0.7
        assert group["best_deviation"].iloc[0] == pytest.approx(formula, rel=1e-12)
        assert group["best_share"].iloc[0] == pytest.approx(1 / (1 + (2 * cutoff) ** (2 / 3)))


def test_noise_of_the_forms_follows_their_scales():
    table = experiments.comparison_noise([1, 100], 1.0, 1e-6).pivot(
        index="cutoff", columns="form", values="deviation"
    )
    restarting = table["restarting"]
    assert restarting[1] == pytest.approx(sqrt(320 * log(1e6)))
    assert restarting[100] == pytest.approx(10 * restarting[1])
    composed = table["restarting, composed optimally"]
    assert composed[1] == pytest.approx(table.loc[1, "once, half and half"], rel=1e-5)
    assert (composed < restarting).all()
    assert comparison_deviation(Noise(3.0, 4.0)) == pytest.approx(5 * sqrt(2))


def test_exact_margins_fail_with_probability_beta_and_lie_under_both_bounds():
    noise = SparseVector(epsilon=1.0, threshold_share=0.5).noise
    table = experiments.exact_margins([1, 30, 10**5], 1.0, 0.05)
    assert (table["exact"] < table["by_scales"]).all()
    assert (table["by_scales"] < table["dwork_roth"]).all()
    for row in table.itertuples():
        assert quiet_failure(row.exact, int(row.n_queries), noise) == pytest.approx(0.05, rel=1e-8)
    law = transcript_probabilities(np.full(5, -3.0), noise, 1, redraw=False)
    assert quiet_failure(3.0, 5, noise) == pytest.approx(1 - law[-1], abs=1e-12)


@pytest.mark.source("LZCW21-alg-6")
@pytest.mark.erratum("LZCW21-alg-6")
def test_the_printed_scale_breaks_the_claim_at_small_epsilon_and_not_from_a_quarter_on():
    table = experiments.printed_scale([1e-4, 0.26, 1.0], 1e-6, 2).set_index("epsilon")
    assert table.loc[1e-4, "printed_delta"] > 30e-6
    assert (table["corrected_delta"] == 0).all()
    assert (table.loc[[0.26, 1.0], "printed_delta"] <= 1e-6).all()
    assert table.loc[1.0, "printed_scale"] == table.loc[1.0, "corrected_scale"]
    rho = 0.26 / (16 * log(1e6))
    assert rho + 2 * sqrt(rho * log(1e6)) <= 0.26


@pytest.mark.source("LZCW21-alg-6")
def test_the_worst_delta_agrees_with_the_closed_form_of_one_comparison():
    """For scales 1 and 2: P(2 L2 - L1 >= x) = (4 e^(-x/2) - e^(-x)) / 6 for x >= 0."""
    yes = lambda x: (4 * exp(-x / 2) - exp(-x)) / 6  # noqa: E731
    assert worst_delta(1, 1.0, 0.0) == pytest.approx(1 - 2 * yes(0.5), abs=1e-12)


def printed_loop(values, scale, cutoff):
    """Law of the printed loop: one noisy threshold, later ones w + 1 without noise, T + 1 crossings."""
    first = Noise(scale, 2 * scale)
    law = {}
    for pattern in transcripts(len(values), cutoff + 1):
        ends = np.flatnonzero(pattern)
        stop = int(ends[0]) + 1 if ends.size else len(pattern)
        head = transcript_probabilities(-np.asarray(values[:stop]), first, 1, redraw=False)
        probability = head[transcripts(stop, 1).index(pattern[:stop])]
        for value, crossed in zip(values[stop:], pattern[stop:], strict=False):
            crossing = transcript_probabilities(
                np.array([1.0 - value]), Noise(0.0, 2 * scale), 1, redraw=False
            )
            probability *= crossing[0] if crossed else crossing[1]
        law[pattern] = probability
    assert sum(law.values()) == pytest.approx(1.0, abs=1e-10)
    return np.log(np.array(list(law.values())))


@pytest.mark.source("LZCW21-alg-6")
@pytest.mark.parametrize("cutoff", [1, 2])
def test_the_bound_for_the_printed_loop_holds_for_its_exact_law(cutoff):
    """At scale 0.9, where delta is large enough to be seen in short streams."""
    scale, seen = 0.9, 0.0
    for start in (-60.0, 0.0, 1.0, 2.0):
        base = np.array([start, 1.0, 1.0, 1.0, 1.5, 2.0])
        here = printed_loop(base, scale, cutoff)
        for moves in ([0, -1, -1, -1, -1, -1], [1, -1, -1, -1, 1, 1], [0, 1, 1, 1, 1, 1]):
            there = printed_loop(base + np.array(moves), scale, cutoff)
            for epsilon in (1.0, 2.0, 4.0, 6.0):
                worst = max(
                    float(hockey_stick(here, there, epsilon)), float(hockey_stick(there, here, epsilon))
                )
                bound = refresh_bound(epsilon, scale, cutoff)
                assert worst == 0 or log10(worst) <= bound + 1e-9
                seen = max(seen, worst if epsilon >= 1 else 0)
    assert seen > 1e-3


@pytest.mark.source("LZCW21-alg-6")
def test_the_event_against_the_printed_loop_has_the_delta_that_is_stated():
    """The first query crosses for certain; the others stay quiet with probability 1/2 each."""
    scale, epsilon = 0.9, 1.0
    n_quiet, log_delta = refresh_event(epsilon, scale)
    assert n_quiet <= 8
    base = np.append(-200.0, np.ones(n_quiet))
    here, there = (printed_loop(values, scale, 1) for values in (base, base - 1))
    quiet = transcripts(n_quiet + 1, 2).index((True, *(False,) * n_quiet))
    shown = np.exp(here[quiet]) - exp(epsilon) * np.exp(there[quiet])
    assert shown == pytest.approx(10**log_delta, rel=1e-9)


@pytest.mark.source("LZCW21-alg-6")
@pytest.mark.erratum("LZCW21-alg-6/2")
def test_the_printed_loop_keeps_usual_claims_and_breaks_absurdly_small_ones():
    table = experiments.printed_refresh(1.0, [1e-6, 1e-40], [1, 2, 10, 100])
    assert (table["event"] <= table["bound"]).all()
    usual = table[table["delta"] == 1e-6]
    assert (usual["bound"] < -6).all()
    assert usual["event"].iloc[0] == pytest.approx(log10(2.6e-15), abs=0.01)
    small = table[table["delta"] == 1e-40]
    assert small["event"].iloc[0] > -40


@pytest.mark.source("LZCW21-alg-6", "LZCW21-lem-45")
@pytest.mark.erratum("LZCW21-alg-6/3")
@pytest.mark.parametrize("cutoff", [1, 2, 10])
def test_one_crossing_more_than_composed_keeps_the_promise_up_to_the_stated_epsilon(cutoff):
    delta, root = 1e-6, sqrt(1 + 1 / cutoff)
    edge = 16 * log(1 / delta) * (1 - root / 2) / root**2
    for epsilon, kept in ((1.0, True), (0.999 * edge, True), (1.001 * edge, False)):
        per_run = (
            2 / RestartingSparseVector(epsilon=epsilon, delta=delta, cutoff=cutoff).noise.threshold_scale
        )
        rho = ConcentratedGuarantee((cutoff + 1) * per_run**2 / 2)
        assert (rho.approximate(delta, conversion="simple").epsilon <= epsilon) == kept


def test_vacuous_bounds_say_so():
    assert refresh_bound(0.01, 0.5, 3) == 0.0


@pytest.mark.source("LZCW21-lem-45", "LZCW21-alg-6")
def test_profiles_are_ordered_exact_below_composed_and_end_where_the_pure_parameter_does():
    grid = np.linspace(0, 0.2, 21)
    table = experiments.restarting_profile(1.0, 1e-6, [1, 2], 3, grid)
    assert (table["exact"] <= table["composition"] + 1e-12).all()
    for cutoff, group in table.groupby("cutoff"):
        pure = cutoff / sqrt(8 * cutoff * log(1e6))
        assert (group["exact"][group["epsilon"] > pure] == 0).all()
        assert group["exact"].iloc[0] > 0.005
        assert group["composition"].iloc[0] > group["exact"].iloc[0]
    both = [group["concentrated"].to_numpy() for _, group in table.groupby("cutoff")]
    np.testing.assert_allclose(both[0], both[1], rtol=1e-9)


@pytest.mark.source("LZCW21-lem-48")
@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.05), (0.4, 1e-3)])
def test_the_majority_audit_finds_delta_and_half_of_it(epsilon, delta):
    table = experiments.majority_audit(epsilon, delta, 6)
    np.testing.assert_allclose(table["ratio"], [1, 0.5, 1, 0.5], rtol=1e-9)


@pytest.mark.source("LZCW21-alg-7", "LZCW21-lem-49")
def test_answers_become_likelier_with_the_radius_and_never_beat_the_best():
    table = experiments.answer_by_radius([0.3, 1.0], 1e-4, 50)
    for epsilon, group in table.groupby("epsilon"):
        for column in ("best", "tight", "printed"):
            assert (np.diff(group[column]) >= 0).all()
        assert (group["printed"] <= group["tight"]).all()
        assert (group["printed"] < group["tight"]).sum() > 10
        assert (group["tight"] <= group["best"] + 1e-12).all()
        radius = stable_answer_radius(epsilon, 1e-4, 0.05)
        assert (group["printed"][group["radius"] >= radius] >= 1 - 0.025).all()


@pytest.mark.source("LZCW21-def-47")
@pytest.mark.parametrize("adjacency", list(Adjacency))
def test_the_best_mechanism_keeps_the_promise_and_uses_all_of_it(adjacency):
    epsilon, delta, size = 0.7, 0.02, 9
    best = experiments.best_answer_probability(epsilon, delta, 10)
    radius = lambda bits: (  # noqa: E731
        abs(2 * bits.sum() - len(bits)) - (2 * bits.sum() > len(bits))
        if adjacency is Adjacency.ADD_OR_REMOVE_ONE
        else (abs(2 * bits.sum() - len(bits)) - (2 * bits.sum() > len(bits))) // 2
    )

    def law(bits):
        answer, chance = int(2 * bits.sum() > len(bits)), best[radius(bits)]
        return np.array([chance * (answer == 0), chance * (answer == 1), 1 - chance])

    found = audit.exact(law, np.array([0, 1]), size, adjacency=adjacency)
    assert found.delta(epsilon) == pytest.approx(delta, rel=1e-9)
    assert found.delta(0.98 * epsilon) > delta * (1 + 1e-6)
