"""Audits by draws: valid limits, sound bounds, and power against known violations."""

import math

import numpy as np
import pytest
from scipy.stats import beta, binom

from privml import audit
from privml.distributions import Laplace
from privml.guarantee import Guarantee
from privml.mechanisms import ExponentialMechanism, SparseVector
from privml.statistics import PrivateMean


@pytest.mark.parametrize("n_draws", [1, 7, 30])
@pytest.mark.parametrize("error", [0.05, 0.005])
def test_clopper_pearson_limits_miss_no_more_than_promised(n_draws, error):
    """Exactly, for every probability on a grid: sum the law of the counts whose limit misses it."""
    limits = [
        audit.clopper_pearson(count, n_draws, error) for count in range(n_draws + 1)
    ]
    for p in np.linspace(0.001, 0.999, 97):
        law = binom.pmf(range(n_draws + 1), n_draws, p)
        too_high = sum(law[count] for count, (low, _) in enumerate(limits) if low > p)
        too_low = sum(law[count] for count, (_, high) in enumerate(limits) if high < p)
        assert too_high <= error + 1e-12
        assert too_low <= error + 1e-12


def vote_law(bits, epsilon=1.0):
    mechanism = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0)
    return mechanism.output_distribution([(1 - bits).sum(), bits.sum()])


def votes(epsilon):
    def sample(bits, size, rng):
        return vote_law(bits, epsilon).rvs(size, rng=rng)

    return sample


PAIR = np.array([0, 0, 0, 0, 0, 0]), np.array([1, 0, 0, 0, 0, 0])


def test_the_bound_stays_below_the_exact_epsilon_and_comes_close():
    law = ExponentialMechanism(epsilon=1.0, sensitivity=1.0)
    told, other = (
        law.output_distribution(scores).logpmf() for scores in ([6.0, 0.0], [5.0, 1.0])
    )
    exact = max(np.abs(told - other))
    bounds = [
        audit.monte_carlo(votes(1.0), PAIR, 40_000, rng=seed).epsilon
        for seed in range(20)
    ]
    assert max(bounds) <= exact
    assert np.median(bounds) > 0.8 * exact


def test_a_correct_mechanism_is_rarely_accused():
    """At confidence 0.9, over 200 audits, accusations beyond 10 % plus 4 deviations would be a fault."""
    law = Laplace(scale=1.0)

    def sample(answer, size, rng):
        return answer + law.rvs(size, rng=rng)

    options = {"n_draws": 400, "confidence": 0.9}
    found = (
        audit.monte_carlo(sample, (0.0, 1.0), rng=seed, **options).epsilon
        for seed in range(200)
    )
    accused = sum(epsilon > 1.0 for epsilon in found)
    assert accused <= 200 * 0.1 + 4 * math.sqrt(200 * 0.1 * 0.9)


def test_continuous_outputs_are_cut_at_quantiles_and_delta_is_subtracted():
    def sample(answer, size, rng):
        return answer + rng.normal(size=size)

    pure = audit.monte_carlo(sample, (0.0, 1.0), 20_000, rng=2)
    assert (
        0.5
        < audit.monte_carlo(sample, (0.0, 1.0), 20_000, delta=0.05, rng=2).epsilon
        < pure.epsilon
    )
    assert pure.event.startswith("output")


def test_the_choice_of_an_event_is_steady_where_many_tell_as_much():
    """Half-lines beyond the middle of Laplace noise all tell epsilon = 1.5: rare ones are not preferred."""
    law = Laplace(scale=1 / 1.5)

    def sample(answer, size, rng):
        return answer + law.rvs(size, rng=rng)

    found = [
        audit.monte_carlo(sample, (0.0, 1.0), 10_000, rng=seed) for seed in range(20)
    ]
    assert min(each.epsilon for each in found) > 1.1
    assert min(max(each.counts) for each in found) > 1000


def test_equal_laws_give_zero():
    found = audit.monte_carlo(
        lambda data, size, rng: rng.integers(2, size=size), (0, 1), 1000, rng=0
    )
    assert found.epsilon == 0.0
    assert found.n_judged == 500


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_draws": 3}, "n_draws must be from 4 to"),
        ({"delta": 1.0}, "delta must be in the half-open interval"),
    ],
)
def test_bad_parameters_are_refused(parameters, message):
    arguments = {"n_draws": 100, **parameters}
    with pytest.raises(ValueError, match=message):
        audit.monte_carlo(votes(1.0), PAIR, **arguments)


def test_bad_counts_are_refused():
    with pytest.raises(
        ValueError, match="counts must be whole numbers from 0 to n_draws"
    ):
        audit.clopper_pearson(5, 4, 0.1)
    with pytest.raises(ValueError, match="error must be in the open interval"):
        audit.clopper_pearson(1, 4, 0.0)


def test_an_answer_of_nan_on_one_side_is_seen():
    """Truth: infinite.  The bound grows like the logarithm of the number of draws."""

    def sample(bit, size, rng):
        return np.where(rng.random(size) < 0.1 * bit, math.nan, 1.0)

    few, many = (
        audit.monte_carlo(sample, (0, 1), n, rng=1) for n in (10_000, 1_000_000)
    )
    assert few.event == many.event == "output is NaN"
    assert 3 < few.epsilon < few.epsilon + 4 < many.epsilon
    always = audit.monte_carlo(
        lambda bit, size, rng: np.full(size, math.nan), (0, 1), 1000, rng=0
    )
    assert always.epsilon == 0.0


@pytest.mark.parametrize(
    "labels", [("yes", "no"), (None, "no"), ((1, 2), "no"), (True, False)]
)
def test_outputs_may_be_labels(labels):
    """Warner's answer in words: the bound is below ln 9 and close to it."""
    table = np.empty(2, dtype=object)
    table[:] = labels

    def sample(bit, size, rng):
        return table[np.where(rng.random(size) < 0.9, bit, 1 - bit)]

    found = audit.monte_carlo(sample, (0, 1), 40_000, rng=0)
    assert 2.0 < found.epsilon < math.log(9)
    assert found.event in {f"output == {label!r}" for label in labels}
    if labels[0] == "yes":
        words = audit.monte_carlo(
            lambda *a: sample(*a).astype(str), (0, 1), 40_000, rng=0
        )
        assert words.epsilon == found.epsilon


def test_labels_that_are_new_on_the_judged_half_count_as_others():
    def sample(bit, size, rng):
        return np.array([f"{bit}-{i}" if bit else "same" for i in range(size)])

    found = audit.monte_carlo(sample, (0, 1), 2000, rng=0)
    assert found.epsilon > 4
    assert found.event in {"output == 'same'", "another output"}


def test_a_loss_in_the_middle_is_seen_by_intervals():
    """Uniform on [-20, 20], but on one side half of the draws are within 1 of 0."""

    def sample(often, size, rng):
        return rng.uniform(-1, 1, size) * np.where(rng.random(size) < often, 1.0, 20.0)

    truth = math.log((0.5 / 2 + 0.5 / 40) / (0.02 / 2 + 0.98 / 40))
    found = audit.monte_carlo(sample, (0.5, 0.02), 40_000, rng=0)
    assert "<= output <=" in found.event
    assert 0.85 * truth < found.epsilon <= truth


def scripted(*sides):
    """A sampler that gives the prepared outputs of each side."""
    return lambda side, size, rng: np.asarray(sides[side])


@pytest.mark.parametrize(("judged", "counts"), [((2, 1), (0, 100)), ((6, 5), (0, 0))])
def test_the_event_is_made_and_chosen_on_the_one_half_and_judged_on_the_other(
    judged, counts
):
    """Judged draws come first.  The choosing half says 1 against 2; on the judged half that is not so."""
    sides = [
        np.repeat([late, early], 100)
        for late, early in zip(judged, (1, 2), strict=True)
    ]
    found = audit.monte_carlo(scripted(*sides), (0, 1), 200)
    assert found.event in {"output == 1", "output <= 1"}
    assert found.counts == counts
    assert found.epsilon == 0.0


@pytest.mark.parametrize("delta", [0.0, 0.05])
@pytest.mark.parametrize("confidence", [0.5, 0.99])
def test_the_bound_is_that_of_clopper_and_pearson_with_half_of_the_error_for_each_side(
    delta, confidence
):
    """Also by scipy's quantiles of the beta law, so that neither half can be forgotten."""
    first, second = (
        np.repeat([1, 0, 1, 0], [60, 40, 60, 40]),
        np.repeat([1, 0, 1, 0], [10, 90, 10, 90]),
    )
    found = audit.monte_carlo(
        scripted(first, second), (0, 1), 200, delta=delta, confidence=confidence
    )
    assert found.counts in {(60, 10), (90, 40)}
    (high, low), half = found.counts, (1 - confidence) / 2
    p, q = beta.ppf(half, high, 101 - high), beta.ppf(1 - half, low + 1, 100 - low)
    assert found.epsilon == pytest.approx(max(0.0, math.log((p - delta) / q)), rel=1e-9)


@pytest.mark.parametrize(
    "outputs", [np.zeros(99), np.zeros((100, 1)), 0.0, [[1], [1, 2]] * 50]
)
def test_a_sampler_gives_one_output_per_draw(outputs):
    with pytest.raises(ValueError, match="sample must return one output per draw"):
        audit.monte_carlo(lambda *_: outputs, (0, 1), 100)


def test_infinite_outputs_are_values():
    def sample(bit, size, rng):
        return np.where(
            rng.random(size) < 0.5,
            rng.normal(size=size),
            math.inf if bit else -math.inf,
        )

    assert audit.monte_carlo(sample, (0, 1), 10_000, rng=0).epsilon > 4


def test_the_sampler_gets_the_generator_of_the_caller():
    seen = []

    def sample(data, size, rng):
        seen.append(float(rng.random()))
        return np.zeros(size)

    rng = np.random.default_rng(5)
    for source in (5, rng, 6):
        audit.monte_carlo(sample, (0, 1), 10, rng=source)
    assert seen[:2] == seen[2:4] == np.random.default_rng(5).random(2).tolist()
    assert seen[4] != seen[0]


def one_vote(bits, *, rng):
    """As `votes(1.0)`, one output a call."""
    return votes(1.0)(bits, 1, np.random.default_rng(rng))[0]


def test_a_sampler_of_one_output_a_call_is_audited_as_one_of_many():
    exact = audit.exact(vote_law, np.array([0, 1]), 6).epsilon
    found = audit.monte_carlo(one_vote, PAIR, 4000, rng=3)
    assert 0 < found.epsilon <= exact
    assert found.n_judged == 2000


@pytest.mark.parametrize(
    "sample",
    [
        ExponentialMechanism(epsilon=8.0, sensitivity=1.0).release,
        lambda scores, rng: int(np.argmax(scores)),
        lambda scores, rng=None: ["a", "b"][np.argmax(scores)],
    ],
)
def test_what_a_mechanism_releases_may_be_audited_as_it_is(sample):
    found = audit.monte_carlo(sample, ([0.0, 1.0], [1.0, 0.0]), 400, rng=0)
    assert found.epsilon > 2
    assert sum(found.counts) < 240


def test_an_answer_that_carries_its_guarantee_is_judged_by_its_value():
    pair = ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0])
    found = audit.monte_carlo(
        PrivateMean(bounds=(0, 1), epsilon=8.0).release, pair, 400, rng=0
    )
    assert (
        found.epsilon > 2
    )  # as objects all answers differ, and nothing would be found
    assert "output" in found.event


def test_every_draw_of_such_a_sampler_is_fresh_and_a_whole_array_from_it_is_refused():
    seen = []
    audit.monte_carlo(
        lambda data, rng: seen.append(rng.random()) or 0, (0, 1), 50, rng=0
    )
    assert len(set(seen)) == 100
    vector = SparseVector(epsilon=1.0, sensitivity=1)
    for sample in vector.run, vector.release, vector.answers, lambda data, rng: [0, 1]:
        with pytest.raises(
            ValueError,
            match="sample must return one output per draw, but got .* or str.run",
        ):
            audit.monte_carlo(sample, ([0, 0], [1, 1]), 50, rng=0)


def test_a_sampler_that_may_be_told_a_size_is_told_it():
    calls = []

    def sample(data, size=None, rng=None):
        calls.append(size)
        return rng.random(size)

    audit.monte_carlo(sample, (0, 1), 50, rng=0)
    assert calls == [50, 50]


@pytest.mark.parametrize(
    ("epsilon", "delta"), [(0.0, 0.0), (1.0, 0.0), (0.5, 0.2), (1.5, 1e-3)]
)
@pytest.mark.parametrize("confidence", [0.9, 0.99])
def test_a_true_claim_is_refuted_no_more_often_than_said(epsilon, delta, confidence):
    """Exactly: the law of the counts of an event that just keeps the claim."""
    n, claim = 40, Guarantee(epsilon, delta)
    counts = [(a, b) for a in range(n + 1) for b in range(n + 1)]
    refuted = np.array(
        [
            audit.MonteCarloAudit(0.0, "", c, n, confidence).refutes(claim)
            for c in counts
        ]
    )
    here, there = np.array(counts).T
    for q in (0.01, 0.03, (1 - delta) * math.exp(-epsilon)):
        p = math.exp(epsilon) * q + delta
        law = binom.pmf(here, n, p) * binom.pmf(there, n, q)
        assert law[refuted].sum() <= 1 - confidence + 1e-12
    assert refuted[counts.index((n, 0))]  # and the strongest evidence counts


def test_the_verdict_on_a_pure_claim_is_that_of_the_bound():
    found = audit.monte_carlo(votes(1.0), PAIR, 2000, rng=0)
    assert 0.2 < found.epsilon < 1.0
    assert found.refutes(Guarantee(0.99 * found.epsilon))
    assert not found.refutes(Guarantee(found.epsilon))
    with pytest.raises(ValueError, match="claim must be"):
        found.refutes(0.1)
