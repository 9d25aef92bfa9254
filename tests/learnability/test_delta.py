"""How small delta must be: the two ends of the source's Proposition 33, and Theorem 32's parameters."""

from itertools import combinations
from math import exp, inf, log

import numpy as np
import pytest

from privml import audit
from privml.composition import subsampled_law, subsampling_alone
from privml.learnability.impossibility import (
    approx_aerm_privacy,
    delta_subsample_size,
    log_delta_limit,
    log_delta_limit_wlf16,
    packing_excess_risk,
    thresholds_excess_risk,
)


@pytest.mark.source("WLF16-prop-33")
@pytest.mark.parametrize("n_samples", [1, 7, 100, 12345])
@pytest.mark.parametrize("delta", [0.0, 1e-3, 0.1, 0.29, 1 / 3, 0.7, 1.0])
def test_the_subsample_is_the_largest_that_delta_pays_for(n_samples, delta):
    size = delta_subsample_size(n_samples, delta)
    assert size == 0 or subsampling_alone(n_samples, size).delta <= delta
    assert size == n_samples or (size + 1) / n_samples > delta


@pytest.mark.source("WLF16-prop-33")
def test_publishing_the_subsample_has_just_that_delta():
    size = delta_subsample_size(5, 0.45)
    publish = lambda z: np.eye(2**6)[sum(1 << int(record) for record in set(z))]  # noqa: E731
    found = audit.exact(subsampled_law(publish, size), np.arange(6), 5)
    assert found.delta(0.0) == pytest.approx(size / 5)


@pytest.mark.source("WLF16-prop-33")
@pytest.mark.parametrize(("distance", "epsilon"), [(1, 0.3), (4, 0.5), (10, 1.0), (60, 2.0)])
def test_the_packing_bound_vanishes_just_at_the_limit(distance, epsilon):
    limit = exp(log_delta_limit(distance, epsilon))
    assert limit == pytest.approx((exp(epsilon) - 1) / (exp(distance * epsilon) - 1), rel=1e-12)
    at = packing_excess_risk(100, distance, epsilon, delta=min(1.0, limit * (1 + 1e-9)))
    below = packing_excess_risk(100, distance, epsilon, delta=limit * 0.999)
    assert at == pytest.approx(0, abs=1e-12)
    assert below > 0
    assert log_delta_limit(5000, 1.0) == pytest.approx(log(exp(1) - 1) - 5000)


@pytest.mark.source("WLF16-prop-33")
@pytest.mark.parametrize("epsilon", [0.2, 1.0])
def test_below_the_threshold_of_the_source_no_learner_minimises_the_empirical_risk(epsilon):
    for n in (20, 100, 400):
        delta = 0.4 * exp(-epsilon * n) / n
        assert thresholds_excess_risk(inf, n, epsilon, delta=delta) > 0.5 - 0.4 / n / (exp(epsilon) - 1)


@pytest.mark.source("WLF16-prop-33")
@pytest.mark.erratum("WLF16-prop-33")
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 2.0])
def test_the_exponent_is_linear_in_n_and_lies_between_two_lines(epsilon):
    growth = exp(epsilon) * (exp(epsilon) - 1)
    for n in (1, 10, 100, 10**4, 10**6):
        exponent = -log_delta_limit_wlf16(n, epsilon) - epsilon + log(0.4 / n)
        assert n * log(1 + growth) * (1 - 1e-9) <= exponent <= n * growth * (1 + 1e-9)
    assert -log_delta_limit_wlf16(10**6, epsilon) / 10**6 == pytest.approx(growth, rel=1e-2)
    assert -log_delta_limit_wlf16(100, 1.0) - 1 + log(0.004) == pytest.approx(456.5, abs=0.1)


@pytest.mark.erratum("WLF16-prop-33/2")
def test_with_n_in_the_numerator_the_subtracted_term_is_far_above_one():
    n, epsilon = 10, 0.5
    n_datasets = exp(epsilon * n)
    printed = n_datasets * exp(-epsilon) * n * (0.4 * n * exp(-epsilon * n))
    corrected = n_datasets * exp(-epsilon) * n * (0.4 * exp(-epsilon * n) / n)
    assert printed == pytest.approx(24.3, abs=0.05)
    assert corrected == pytest.approx(0.4 * exp(-0.5))
    # Not only the proof fails: at the printed delta(n) group privacy over n records says nothing.
    assert thresholds_excess_risk(inf, n, epsilon, delta=0.4 * n * exp(-epsilon * n)) < 0.5
    assert packing_excess_risk(inf, n, epsilon, delta=0.4 * n * exp(-epsilon * n)) == 0


@pytest.mark.erratum("WLF16-prop-33/3")
@pytest.mark.parametrize("exponent", [1.5, 3.0, 10.0])
def test_with_the_corrected_constants_the_contradiction_survives(exponent):
    n_datasets = np.ceil(exp(exponent))
    inside = 0.8
    outside = (n_datasets - 1) * exp(-exponent) * inside - 0.4
    assert outside >= 0.8 * (1 - exp(-exponent)) - 0.4 - 1e-12
    assert 0.5 * (0.8 * (1 - exp(-exponent)) - 0.4) == pytest.approx(0.2 - 0.4 * exp(-exponent))
    if exp(-exponent) < 0.25:
        assert 0.5 * outside > 0.1


@pytest.mark.erratum("WLF16-prop-33/4")
def test_theorem_32_at_n_squared_needs_the_constant_that_is_dropped():
    n, epsilon = 30, 0.5
    delta = lambda k: exp(log_delta_limit_wlf16(k, epsilon))  # noqa: E731
    privacy = approx_aerm_privacy(epsilon, delta, n**2, form="printed")
    needed = 0.4 * exp(-privacy.epsilon * n**2) / n**2
    assert privacy.delta == pytest.approx(needed, rel=1e-9)
    assert exp(epsilon) / 0.4 * privacy.delta > needed  # without the constant


@pytest.mark.source("WLF16-thm-32")
@pytest.mark.parametrize("n_samples", [1, 10, 10_000, 10**8])
def test_the_parameters_of_theorem_32_vanish_and_the_tight_ones_are_smaller(n_samples):
    tight = approx_aerm_privacy(1.0, lambda k: k**-2.0, n_samples)
    printed = approx_aerm_privacy(1.0, lambda k: k**-2.0, n_samples, form="printed")
    assert tight.epsilon <= printed.epsilon
    assert tight.delta <= printed.delta
    assert printed.epsilon <= exp(1) * (exp(1) - 1) / n_samples**0.5
    assert tight.delta <= n_samples**-0.5 * int(n_samples**0.5) ** -2.0 + 1e-15


@pytest.mark.source("WLF16-thm-32")
def test_a_subsampled_approximate_mechanism_keeps_the_parameters_exactly():
    epsilon, delta = 0.8, 0.1

    def learner(z):
        """The canonical mechanism on the number of ones, for two records."""
        ones = int(sum(z))
        first = {0: [delta, 0.0], 1: [0.0, 0.0], 2: [0.0, delta]}[ones]
        odds = exp(epsilon) ** (ones - 1)
        rest = 1 - sum(first)
        return np.array([*first, rest / (1 + odds), rest * odds / (1 + odds)])

    own = audit.exact(learner, np.arange(2), 2)
    worst = own.delta(epsilon)
    privacy = approx_aerm_privacy(epsilon, lambda k: worst, 4)
    assert {len(c) for c in combinations(range(4), 2)} == {2}
    found = audit.exact(subsampled_law(learner, 2), np.arange(2), 4)
    assert found.delta(privacy.epsilon) <= privacy.delta + 1e-12
    assert found.delta(0.3 * privacy.epsilon) > 0.3 * privacy.delta


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: approx_aerm_privacy(-1.0, float, 4), "epsilon"),
        (lambda: approx_aerm_privacy(1.0, lambda k: 2.0, 4), "delta"),
        (lambda: approx_aerm_privacy(1.0, lambda k: 0.1, 4, form="x"), "form"),
        (lambda: delta_subsample_size(0, 0.1), "n_samples"),
        (lambda: delta_subsample_size(3, 1.1), "delta"),
        (lambda: log_delta_limit(0, 1.0), "distance"),
        (lambda: log_delta_limit_wlf16(3, 301.0), "epsilon"),
    ],
)
def test_parameters_out_of_range_raise(call, message):
    with pytest.raises(ValueError, match=message):
        call()
