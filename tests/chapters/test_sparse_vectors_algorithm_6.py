"""What the chapter says of the printed form of LZCW21's Algorithm 6, against its exact law."""

from math import exp, log, log10, sqrt

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml.divergences import hockey_stick
from privml.guarantee import ConcentratedGuarantee
from privml.mechanisms import (
    Noise,
    RestartingSparseVector,
    transcript_log_probabilities,
    transcripts,
)

chapter = chapter_module("sparse-vectors")


@pytest.mark.source("LZCW21-alg-6")
@pytest.mark.erratum("LZCW21-alg-6")
def test_the_printed_scale_breaks_the_claim_at_small_epsilon_and_not_from_a_quarter_on():
    rows = {e: chapter.printed_scale(e, 1e-6, 2) for e in (1e-4, 0.26, 1.0)}
    assert rows[1e-4][2] > 30e-6
    assert all(row[4] == 0 for row in rows.values())
    assert max(rows[0.26][2], rows[1.0][2]) <= 1e-6
    assert rows[1.0][1] == rows[1.0][3]
    rho = 0.26 / (16 * log(1e6))
    assert rho + 2 * sqrt(rho * log(1e6)) <= 0.26


@pytest.mark.source("LZCW21-alg-6")
def test_the_worst_delta_agrees_with_the_closed_form_of_one_comparison():
    """For scales 1 and 2: P(2 L2 - L1 >= x) = (4 e^(-x/2) - e^(-x)) / 6 for x >= 0."""

    def yes(x):
        return (4 * exp(-x / 2) - exp(-x)) / 6

    assert chapter.worst_delta(1, 1.0, 0.0) == pytest.approx(
        1 - 2 * yes(0.5), abs=1e-12
    )


def printed_loop(values, scale, cutoff):
    """Law of the printed loop: one noisy threshold, later ones w + 1 without noise, T + 1 crossings."""
    first = Noise(scale, 2 * scale)
    law = {}
    for pattern in transcripts(len(values), cutoff + 1):
        ends = np.flatnonzero(pattern)
        stop = int(ends[0]) + 1 if ends.size else len(pattern)
        head = np.exp(
            transcript_log_probabilities(
                -np.asarray(values[:stop]), first, 1, redraw=False
            )
        )
        probability = head[transcripts(stop, 1).index(pattern[:stop])]
        for value, crossed in zip(values[stop:], pattern[stop:], strict=False):
            away, quiet = np.array([1.0 - value]), Noise(0.0, 2 * scale)
            crossing = np.exp(
                transcript_log_probabilities(away, quiet, 1, redraw=False)
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
        for moves in (
            [0, -1, -1, -1, -1, -1],
            [1, -1, -1, -1, 1, 1],
            [0, 1, 1, 1, 1, 1],
        ):
            there = printed_loop(base + np.array(moves), scale, cutoff)
            for epsilon in (1.0, 2.0, 4.0, 6.0):
                worst = max(
                    float(hockey_stick(*pair, epsilon, logs=True))
                    for pair in ((here, there), (there, here))
                )
                bound = chapter.refresh_bound(epsilon, scale, cutoff)
                assert worst == 0 or log10(worst) <= bound + 1e-9
                seen = max(seen, worst if epsilon >= 1 else 0)
    assert seen > 1e-3


@pytest.mark.source("LZCW21-alg-6")
def test_the_event_against_the_printed_loop_has_the_delta_that_is_stated():
    """The first query crosses for certain; the others stay quiet with probability 1/2 each."""
    scale, epsilon = 0.9, 1.0
    n_quiet, log_delta = chapter.refresh_event(epsilon, scale)
    assert n_quiet <= 8
    base = np.append(-200.0, np.ones(n_quiet))
    here, there = (printed_loop(values, scale, 1) for values in (base, base - 1))
    quiet = transcripts(n_quiet + 1, 2).index((True, *(False,) * n_quiet))
    shown = np.exp(here[quiet]) - exp(epsilon) * np.exp(there[quiet])
    assert shown == pytest.approx(10**log_delta, rel=1e-9)


@pytest.mark.source("LZCW21-alg-6")
@pytest.mark.erratum("LZCW21-alg-6/2")
@pytest.mark.parametrize("cutoff", [1, 2, 10, 100])
def test_the_printed_loop_keeps_usual_claims_and_breaks_absurdly_small_ones(cutoff):
    for delta in (1e-6, 1e-40):
        scale = sqrt(32 * cutoff * log(1 / delta))
        event, bound = (
            chapter.refresh_event(1.0, scale)[1],
            chapter.refresh_bound(1.0, scale, cutoff),
        )
        assert event <= bound
        if delta == 1e-6:
            assert bound < -6
        elif cutoff == 1:
            assert event > -40
    assert chapter.refresh_event(1.0, sqrt(32 * log(1e6)))[1] == pytest.approx(
        log10(2.6e-15), abs=0.01
    )


@pytest.mark.source("LZCW21-alg-6", "LZCW21-lem-45")
@pytest.mark.erratum("LZCW21-alg-6/3")
@pytest.mark.parametrize("cutoff", [1, 2, 10])
def test_one_crossing_more_than_composed_keeps_the_promise_up_to_the_stated_epsilon(
    cutoff,
):
    delta, root = 1e-6, sqrt(1 + 1 / cutoff)
    edge = 16 * log(1 / delta) * (1 - root / 2) / root**2
    for epsilon, kept in ((1.0, True), (0.999 * edge, True), (1.001 * edge, False)):
        form = RestartingSparseVector(
            epsilon=epsilon, delta=delta, cutoff=cutoff, sensitivity=1
        )
        per_run = 2 / form.noise.threshold_scale
        rho = ConcentratedGuarantee((cutoff + 1) * per_run**2 / 2)
        assert (
            rho.as_approximate(delta, conversion="simple").epsilon <= epsilon
        ) == kept


def test_vacuous_bounds_say_so():
    assert chapter.refresh_bound(0.01, 0.5, 3) == 0.0
