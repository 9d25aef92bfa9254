"""Audits by draws: valid limits, sound bounds, and power against known violations."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from privml import audit, counterexamples
from privml.distributions import Laplace
from privml.mechanisms import ExponentialMechanism


@pytest.mark.parametrize("n_draws", [1, 7, 30])
@pytest.mark.parametrize("error", [0.05, 0.005])
def test_clopper_pearson_limits_miss_no_more_than_promised(n_draws, error):
    """Exactly, for every probability on a grid: sum the law of the counts whose limit misses it."""
    limits = [audit.clopper_pearson(count, n_draws, error) for count in range(n_draws + 1)]
    for p in np.linspace(0.001, 0.999, 97):
        law = binom.pmf(range(n_draws + 1), n_draws, p)
        too_high = sum(law[count] for count, (low, _) in enumerate(limits) if low > p)
        too_low = sum(law[count] for count, (_, high) in enumerate(limits) if high < p)
        assert too_high <= error + 1e-12
        assert too_low <= error + 1e-12


def votes(epsilon):
    mechanism = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0)

    def sample(bits, size, rng):
        return mechanism.output_distribution([(1 - bits).sum(), bits.sum()]).rvs(size, rng=rng)

    return sample


PAIR = np.array([0, 0, 0, 0, 0, 0]), np.array([1, 0, 0, 0, 0, 0])


def test_the_bound_stays_below_the_exact_epsilon_and_comes_close():
    law = ExponentialMechanism(epsilon=1.0, sensitivity=1.0)
    exact = max(
        np.abs(law.output_distribution([6.0, 0.0]).logpmf() - law.output_distribution([5.0, 1.0]).logpmf())
    )
    bounds = [audit.monte_carlo(votes(1.0), PAIR, 40_000, rng=seed).epsilon for seed in range(20)]
    assert max(bounds) <= exact
    assert np.median(bounds) > 0.8 * exact


def test_a_correct_mechanism_is_rarely_accused():
    """At confidence 0.9, over 200 audits, accusations beyond 10 % plus 4 deviations would be a fault."""
    law = Laplace(scale=1.0)

    def sample(answer, size, rng):
        return answer + law.rvs(size, rng=rng)

    accused = sum(
        audit.monte_carlo(sample, (0.0, 1.0), 400, confidence=0.9, rng=seed).epsilon > 1.0
        for seed in range(200)
    )
    assert accused <= 200 * 0.1 + 4 * math.sqrt(200 * 0.1 * 0.9)


def test_half_the_sensitivity_is_found_out_by_draws():
    law = counterexamples.half_sensitivity(1.0)

    def sample(records, size, rng):
        return law(records).rvs(size, rng=rng)

    pair = np.array([0.0] * 6), np.array([1.0] + [0.0] * 5)
    found = audit.monte_carlo(sample, pair, 100_000, rng=1)
    assert found.epsilon > 1.2
    assert found.event in {"output == 1", "output >= 1"}
    assert found.counts[0] > found.counts[1]


def test_continuous_outputs_are_cut_at_quantiles_and_delta_is_subtracted():
    def sample(answer, size, rng):
        return answer + rng.normal(size=size)

    pure = audit.monte_carlo(sample, (0.0, 1.0), 20_000, rng=2)
    slack = audit.monte_carlo(sample, (0.0, 1.0), 20_000, delta=0.05, rng=2)
    assert 0.5 < slack.epsilon < pure.epsilon
    assert pure.event.startswith("output")


def test_equal_laws_give_zero():
    found = audit.monte_carlo(lambda data, size, rng: rng.integers(2, size=size), (0, 1), 1000, rng=0)
    assert found.epsilon == 0.0
    assert found.n_judged == 500


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_draws": 3}, "n_draws must be at least 4"),
        ({"n_draws": 0}, "n_draws must be a positive integer"),
        ({"delta": 1.0}, "delta must be in the half-open interval"),
        ({"confidence": 1.0}, "confidence must be in the open interval"),
        ({"confidence": math.nan}, "confidence must be in the open interval"),
    ],
)
def test_bad_parameters_are_refused(parameters, message):
    arguments = {"n_draws": 100, **parameters}
    with pytest.raises(ValueError, match=message):
        audit.monte_carlo(votes(1.0), PAIR, **arguments)


def test_bad_counts_are_refused():
    with pytest.raises(ValueError, match="count must be at most n_draws"):
        audit.clopper_pearson(5, 4, 0.1)
    with pytest.raises(ValueError, match="error must be in the open interval"):
        audit.clopper_pearson(1, 4, 0.0)
