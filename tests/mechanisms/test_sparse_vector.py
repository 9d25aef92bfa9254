"""Sparse vectors: exact laws of transcripts against independent integration, exact audits, streaming."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import integrate

from privml.adjacency import Adjacency
from privml.bounds import restarting_margin
from privml.distributions import Laplace
from privml.mechanisms import Noise, RestartingSparseVector, SparseVector
from privml.mechanisms.transcript_distribution import (
    transcript_log_probabilities,
    transcripts,
)
from tests.refusals import refused

ADD = Adjacency.ADD_OR_REMOVE_ONE

# Values of 3 queries of sensitivity 1 on two neighbouring data sets: every pattern of changes.
CHANGES = np.array(np.meshgrid(*[[-1.0, 0.0, 1.0]] * 3)).reshape(3, -1).T
STARTS = [np.zeros(3), np.array([0.5, -1.0, 2.0]), np.array([-3.0, 1.0, 1.0])]


def transcript_probabilities(*arguments, **options):
    return np.exp(transcript_log_probabilities(*arguments, **options))


def by_adaptive_quadrature(values, noise, cutoff):
    """The law of transcripts when the threshold's noise is drawn once, by scipy."""
    kinks = sorted({0.0, *values})

    def probability(pattern):
        def integrand(x):
            density = math.exp(-abs(x) / noise.threshold_scale) / (
                2 * noise.threshold_scale
            )
            for value, crossed in zip(values, pattern, strict=False):
                tail = float(Laplace(scale=noise.query_scale).sf(x - value))
                density *= tail if crossed else 1 - tail
            return density

        ends = [
            kinks[0] - 60 * noise.threshold_scale,
            *kinks,
            kinks[-1] + 60 * noise.threshold_scale,
        ]
        pieces = zip(ends[:-1], ends[1:], strict=True)
        return sum(
            integrate.quad(integrand, *piece, epsabs=1e-13, limit=200)[0]
            for piece in pieces
        )

    return [probability(pattern) for pattern in transcripts(len(values), cutoff)]


def test_transcripts_end_at_the_cutoff():
    assert transcripts(3, 1) == [
        (True,),
        (False, True),
        (False, False, True),
        (False, False, False),
    ]
    assert len(transcripts(3, None)) == 8
    assert (True, True) in transcripts(3, 2)
    assert (True, True, False) not in transcripts(3, 2)


@pytest.mark.source("LZCW21-alg-6")
@pytest.mark.parametrize("cutoff", [1, 2, None])
@pytest.mark.parametrize("noise", [Noise(1.0, 2.0), Noise(3.0, 0.7)])
def test_the_law_of_transcripts_agrees_with_adaptive_quadrature(noise, cutoff):
    values = np.array([0.3, -2.0, 1.5])
    law = transcript_probabilities(values, noise, cutoff, redraw=False)
    assert law.sum() == pytest.approx(1.0, abs=1e-12)
    assert law == pytest.approx(
        by_adaptive_quadrature(values, noise, cutoff), abs=1e-10
    )


def test_fresh_thresholds_make_runs_independent():
    noise, values = Noise(1.0, 2.0), np.array([0.2, -1.0])
    law = dict(
        zip(
            transcripts(2, 2),
            transcript_probabilities(values, noise, 2, redraw=True),
            strict=True,
        )
    )
    single = [
        transcript_probabilities(values[i : i + 1], noise, 1, redraw=False)[0]
        for i in range(2)
    ]
    assert law[(True, True)] == pytest.approx(single[0] * single[1], rel=1e-12)
    kept = dict(
        zip(
            transcripts(2, 2),
            transcript_probabilities(values, noise, 2, redraw=False),
            strict=True,
        )
    )
    assert kept[(True, True)] > law[(True, True)]
    assert kept[(False, False)] == pytest.approx(law[(False, False)], rel=1e-12)


def worst_loss(mechanism, pairs, left=0.0):
    """Largest privacy loss over pairs of value vectors, both ways, with what a transcript leaves for more."""
    laws = (
        (mechanism.output_distribution(values).logpmf() for values in pair)
        for pair in pairs
    )
    return max(float((np.abs(p - q) + left).max()) for p, q in laws)


ALL_PAIRS = [(start, start + change) for start in STARTS for change in CHANGES]


@pytest.mark.source("LZCW21-alg-6")
@pytest.mark.parametrize("cutoff", [1, 2, 3])
@pytest.mark.parametrize("share", [None, 0.5, 0.2])
@pytest.mark.parametrize("side", ["above", "below"])
def test_every_change_of_the_queries_keeps_epsilon(cutoff, share, side):
    mechanism = SparseVector(
        epsilon=1.5, cutoff=cutoff, threshold_share=share, side=side, sensitivity=1
    )
    unused = np.array(
        [1 - sum(crossings) / cutoff for crossings in mechanism.transcripts(3)]
    )
    left = unused * (
        mechanism.epsilon - mechanism.sensitivity / mechanism.noise.threshold_scale
    )
    assert worst_loss(mechanism, ALL_PAIRS, left) <= 1.5 + 1e-9


def test_the_promise_is_nearly_used_up_and_half_the_query_noise_breaks_it():
    mechanism = SparseVector(epsilon=1.0, threshold_share=0.5, sensitivity=1)
    low, high = (
        np.append(np.full(11, -60.0), -60.0),
        np.append(np.full(11, -61.0), -59.0),
    )
    start = np.append(np.full(11, 0.0), -60.0)
    pairs = [(start, start + np.append(np.full(11, -1.0), 1.0)), (low, high)]
    assert 0.9 < worst_loss(mechanism, pairs) <= 1.0 + 1e-9

    class HalfNoise(SparseVector):
        @property
        def noise(self):
            whole = super().noise
            return Noise(whole.threshold_scale, whole.query_scale / 2)

    assert (
        worst_loss(HalfNoise(epsilon=1.0, threshold_share=0.5, sensitivity=1), pairs)
        > 1.0
    )


@pytest.mark.parametrize("cutoff", [1, 2])
def test_monotone_queries_need_half_of_the_query_noise(cutoff):
    mechanism = SparseVector(
        epsilon=1.5, cutoff=cutoff, monotone=True, adjacency=ADD, sensitivity=1
    )
    one_way = [(a, b) for a, b in ALL_PAIRS if (b >= a).all() or (b <= a).all()]
    assert worst_loss(mechanism, one_way) <= 1.5 + 1e-9
    assert mechanism.noise.query_scale == pytest.approx(
        cutoff / (1.5 - 1 / mechanism.noise.threshold_scale)
    )


@pytest.mark.parametrize("monotone", [True, False])
@pytest.mark.parametrize("cutoff", [1, 4, 30])
def test_the_default_split_has_the_least_variance(cutoff, monotone):
    options = {
        "epsilon": 1.0,
        "sensitivity": 1,
        "cutoff": cutoff,
        "monotone": monotone,
        "adjacency": ADD,
    }

    def variance(share):
        noise = SparseVector(**options, threshold_share=share).noise
        return 2 * noise.threshold_scale**2 + 2 * noise.query_scale**2

    best = SparseVector(**options).noise.threshold_scale ** -1
    assert all(
        variance(best) <= variance(share) for share in np.linspace(0.01, 0.99, 99)
    )


@pytest.mark.source("LZCW21-alg-6", "LZCW21-lem-45")
@pytest.mark.parametrize("cutoff", [1, 2])
@pytest.mark.parametrize("delta", [1e-2, 1e-6])
def test_the_restarting_form_keeps_epsilon_and_delta_exactly(cutoff, delta):
    epsilon = 1.0
    options = {"cutoff": cutoff, "side": "below", "sensitivity": 1}
    mechanism = RestartingSparseVector(epsilon=epsilon, delta=delta, **options)
    per_run = 2 / mechanism.noise.threshold_scale
    assert per_run == pytest.approx(
        epsilon / math.sqrt(8 * cutoff * math.log(1 / delta))
    )
    for a, b in ALL_PAIRS:
        p, q = (mechanism.output_distribution(values) for values in (a, b))
        losses = p.logpmf() - q.logpmf()
        assert np.abs(losses).max() <= cutoff * per_run + 1e-9
        assert (p.pmf() - math.exp(epsilon) * q.pmf()).clip(0).sum() <= delta


@pytest.mark.source("LZCW21-lem-45")
@pytest.mark.parametrize("cutoff", [1, 3])
@pytest.mark.parametrize("delta", [0.1, 1e-9])
def test_the_runs_together_are_as_concentrated_as_their_noise_allows(cutoff, delta):
    """A run changes by at most 1 on the threshold and by 2 on the query that crosses it."""
    epsilon, sensitivity = 0.7, 3.0
    mechanism = RestartingSparseVector(
        epsilon=epsilon, delta=delta, cutoff=cutoff, sensitivity=sensitivity
    )
    noise = mechanism.noise
    per_run = sensitivity / noise.threshold_scale + 2 * sensitivity / noise.query_scale
    rho = mechanism.concentrated.rho
    assert rho == pytest.approx(cutoff * per_run * math.tanh(per_run / 2), rel=1e-12)
    assert rho <= epsilon**2 / (16 * math.log(1 / delta)) <= rho * 1.1


@pytest.mark.source("LZCW21-lem-46")
def test_queries_beyond_the_margin_are_answered_correctly():
    epsilon, delta, beta, n_queries, cutoff = 1.0, 1e-2, 0.2, 5, 2
    options = {"cutoff": cutoff, "side": "below", "sensitivity": 1}
    mechanism = RestartingSparseVector(epsilon=epsilon, delta=delta, **options)
    margin = restarting_margin(
        n_queries, cutoff, mechanism.noise.threshold_scale, beta=beta
    )
    one_low = np.array(
        [margin, -5.0, margin, margin, margin]
    )  # one query (fewer than two) may cross
    found = mechanism.output_distribution(one_low).pmf()
    law = dict(zip(mechanism.transcripts(n_queries), found, strict=True))

    def good(run):
        return len(run) == n_queries and not any(run[i] for i in (0, 2, 3, 4))

    right = sum(probability for run, probability in law.items() if good(run))
    assert 1 - beta <= right < 1


@pytest.mark.source("LZCW21-lem-46")
@pytest.mark.erratum("LZCW21-lem-46/2")
def test_a_cutoff_reached_by_low_queries_halts_the_run():
    """With exactly T queries far below the threshold the lemma as printed fails: the run is over."""
    mechanism = RestartingSparseVector(
        epsilon=1.0, delta=1e-2, cutoff=1, side="below", sensitivity=1
    )
    margin = restarting_margin(2, 1, mechanism.noise.threshold_scale, beta=0.2)
    found = mechanism.output_distribution([-margin, margin]).pmf()
    law = dict(zip(mechanism.transcripts(2), found, strict=True))
    assert law[(True,)] > 0.99  # the second query, far above, is never answered


@pytest.mark.parametrize("make", [
    lambda: SparseVector(epsilon=1.0, cutoff=2, threshold=0.4, sensitivity=1),
    lambda: SparseVector(epsilon=1.0, cutoff=2, side="below", sensitivity=1),
    lambda: RestartingSparseVector(epsilon=2.0, delta=0.1, cutoff=2, sensitivity=1),
])  # fmt: skip
def test_runs_follow_the_exact_law(make):
    mechanism, values, draws = make(), np.array([0.0, 2.0, -1.0]), 20_000
    patterns = mechanism.transcripts(3)
    law = mechanism.output_distribution(values).pmf()
    rng = np.random.default_rng(6)
    seen = np.zeros(len(patterns))
    for _ in range(draws):
        seen[
            patterns.index(tuple(mechanism.run(values, rng=rng).crossings.tolist()))
        ] += 1
    assert (np.abs(seen / draws - law) < 5 * np.sqrt(law * (1 - law) / draws)).all()


@pytest.mark.parametrize(
    ("units", "name"), [((1, 0, 1, 1), "threshold"), ((0, -1, 0, 0), "query")]
)
def test_each_noise_of_a_run_is_drawn_at_its_own_scale(monkeypatch, units, name):
    """Noise of one scale on the threshold, drawn again after a crossing, or one scale off each query."""
    given = iter(units)
    monkeypatch.setattr(
        Laplace,
        "_noise",
        lambda law, shape, rng: np.full(shape, next(given) * law.scale),
    )
    mechanism = RestartingSparseVector(epsilon=1.0, delta=0.1, cutoff=2, sensitivity=1)
    scale = getattr(mechanism.noise, f"{name}_scale")
    run = mechanism.run(scale * np.array([0.99, 1.01, 0.99, 1.01]), rng=0)
    assert run.crossings.tolist() == [False, True, False, True]


@pytest.mark.parametrize("kind", ["once", "restarting"])
def test_blocks_of_any_size_and_single_values_are_one_stream(kind):
    if kind == "once":
        mechanism = SparseVector(epsilon=5.0, threshold=10.0, cutoff=3, sensitivity=1)
    else:
        mechanism = RestartingSparseVector(
            epsilon=5.0, delta=0.01, threshold=10.0, cutoff=3, sensitivity=1
        )
    values = np.full(9000, -1e4)
    values[[10, 4200, 4300, 8000]] = 1e4
    for stream in (
        values,
        np.split(values, 9),
        iter(np.split(values, 3)),
        (np.array([v]) for v in values),
    ):
        run = mechanism.run(stream, rng=1)
        assert np.flatnonzero(run.crossings).tolist() == [10, 4200, 4300]
        assert run.crossings.size == 4301
        assert run.halted
        assert run.guarantee == mechanism.guarantee


def test_an_adaptive_stream_is_read_no_further_than_the_halt():
    asked = []

    def analyst():
        for value in (-1e6, 1e6, 5.0):
            asked.append(value)
            yield value

    run = SparseVector(epsilon=1.0, sensitivity=1).run(analyst(), rng=0)
    assert run.crossings.tolist() == [False, True]
    assert asked == [-1e6, 1e6]
    assert SparseVector(epsilon=1.0, sensitivity=1).run([], rng=0).crossings.size == 0


test_bad_parameters_are_refused = refused(
    ({"epsilon": 0.0}, "epsilon must be positive"),
    ({"threshold_share": 1.0}, "threshold_share must be in the open interval"),
    ({"monotone": 1}, "monotone must be True or False"),
    call=lambda parameters: SparseVector(
        **{"epsilon": 1.0, "sensitivity": 1, **parameters}
    ),
)


def test_bad_deltas_and_streams_are_refused():
    for delta in (0.0, 1.0, math.nan):
        with pytest.raises(ValueError, match="delta must be in the open interval"):
            RestartingSparseVector(epsilon=1.0, delta=delta, sensitivity=1)
    with pytest.raises(ValueError, match=r"epsilon must be at most 8 ln\(1/delta\)"):
        RestartingSparseVector(epsilon=6.0, delta=0.5, sensitivity=1)
    mechanism = SparseVector(epsilon=1.0, sensitivity=1)
    wrong = [(bad, "values must be") for bad in ([1.0, math.nan], [math.inf], [])]
    wrong += [
        ([0] * 13, "values must hold at most 12 queries, but got 13"),
        ([0, 1e9], "values must be within"),
    ]
    for values, message in wrong:
        with pytest.raises(ValueError, match=message):
            mechanism.output_distribution(values)
    streams = (
        (np.array([0.0, math.nan]), "values must be finite"),
        (250.0, "got float. .* to answers"),
    )
    for stream, message in streams:
        with pytest.raises(ValueError, match=message):
            mechanism.run(stream, rng=0)


def test_a_table_or_a_dict_is_refused_and_a_series_is_read_by_its_values():
    """Their keys were the queries: the labels of columns, if these were numbers."""
    form = SparseVector(epsilon=1000.0, sensitivity=1, threshold=50.0, cutoff=3)
    values = [0.0, 99.0, 5.0, 80.0]
    wanted = form.run(np.array(values), rng=0).crossings.tolist()
    assert (
        form.run(pd.Series(values, index=[99, 0, 99, 0]), rng=0).crossings.tolist()
        == wanted
    )
    for stream in (
        dict(enumerate(values)),
        pd.DataFrame({0: values}),
        pd.DataFrame([values]),
    ):
        for ask in (form.run, lambda stream, rng: list(form.answers(stream, rng=rng))):
            with pytest.raises(
                ValueError, match="stream must be an array or an iterator, but got"
            ):
                ask(stream, rng=0)
