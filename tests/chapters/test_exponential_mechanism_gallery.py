"""Each wrong variant is caught with its exact epsilon, and its right counterpart is not."""

import math

import numpy as np
import pytest

from book.tools.programme import tangled
from privml import audit
from privml.mechanisms import ExponentialMechanism

chapter = tangled("exponential-mechanism")
ENDS = np.array([0.0, 1.0])


def minority_loss(exponent, n):
    """Log-ratio of the minority's probabilities at counts 1 and 0, for weights exp(exponent count)."""
    return math.log1p(math.exp(exponent * n)) - math.log1p(math.exp(exponent * (n - 2)))


@pytest.mark.source("L4-def-sensitivity")
@pytest.mark.parametrize("n_samples", [2, 5, 40])
def test_half_the_sensitivity_doubles_epsilon(n_samples):
    found = audit.exact(chapter.half_sensitivity(1.0), ENDS, n_samples)
    assert found.epsilon == pytest.approx(minority_loss(1.0, n_samples), rel=1e-12)
    assert n_samples < 3 or found.epsilon > 1.0
    assert found.epsilon <= 2.0


@pytest.mark.parametrize("n_samples", [2, 5, 20])
def test_the_wrong_scale_multiplies_epsilon_by_the_sample_size(n_samples):
    found = audit.exact(chapter.wrong_scale(1.0), ENDS, n_samples)
    assert found.epsilon == pytest.approx(minority_loss(n_samples / 2, n_samples), rel=1e-9)
    assert 1.0 < found.epsilon <= n_samples


@pytest.mark.parametrize("n_samples", [4, 10])
def test_clipping_after_scoring_bounds_nothing(n_samples):
    universe = np.array([0.0, 1.0, 100.0])
    found = audit.exact(chapter.clipped_after_scoring(1.0), universe, n_samples)
    assert found.epsilon == pytest.approx(math.log((1 + math.exp(n_samples / 2)) / 2), rel=1e-12)
    assert found.epsilon > 1.0


def test_clipping_the_records_first_keeps_the_promise():
    mechanism = ExponentialMechanism(epsilon=1.0, sensitivity=1.0)

    def law(records):
        return mechanism.output_distribution(np.array([0.0, 1.0]) * np.clip(records, 0.0, 1.0).sum())

    assert audit.exact(law, np.array([0.0, 1.0, 100.0]), 8).epsilon <= 1.0


@pytest.mark.parametrize("variant", ["half_sensitivity", "wrong_scale", "clipped_after_scoring"])
@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
def test_bad_epsilon_is_refused(variant, bad):
    with pytest.raises(ValueError, match="epsilon must be positive and finite"):
        getattr(chapter, variant)(bad)(ENDS)


def test_half_the_sensitivity_is_found_out_by_draws():
    law = tangled("exponential-mechanism").half_sensitivity(1.0)

    def sample(records, size, rng):
        return law(records).rvs(size, rng=rng)

    pair = np.array([0.0] * 6), np.array([1.0] + [0.0] * 5)
    found = audit.monte_carlo(sample, pair, 100_000, rng=1)
    assert found.epsilon > 1.2
    assert found.event in {"output == 1", "output >= 1"}
    assert found.counts[0] > found.counts[1]
