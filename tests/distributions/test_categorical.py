"""The categorical law, and that its three samplers draw from it."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privml import audit
from privml.distributions import Categorical, Laplace, rejection_sample
from privml.distributions.binomial import binomial_logpmf
from privml.divergences import (
    PrivacyCurve,
    gaussian_delta,
    hockey_stick,
    max_divergence,
)
from privml.guarantee import Guarantee
from privml.mechanisms import ExponentialMechanism

LOG_WEIGHTS = np.log(
    np.array([0.05, 0.4, 0.0, 0.25, 0.3]),
    where=[1, 1, 0, 1, 1],
    out=np.full(5, -np.inf),
)


def chi_square(drawn, law):
    """Pearson statistic over outcomes of positive probability; its mean is their number minus one."""
    expected = law.pmf() * len(drawn)
    seen = np.bincount(drawn, minlength=law.n_outcomes)
    possible = expected > 0
    assert seen[~possible].sum() == 0
    return float(((seen - expected)[possible] ** 2 / expected[possible]).sum()), int(
        possible.sum()
    ) - 1


def assert_drawn_from(drawn, law):
    """A chi-square statistic with k degrees of freedom has mean k and variance 2k: allow 6 deviations."""
    statistic, freedom = chi_square(drawn, law)
    assert statistic < freedom + 6 * math.sqrt(2 * freedom)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30), st.floats(-1e6, 1e6))
def test_probabilities_are_normalised_and_do_not_see_a_constant(log_weights, shift):
    law = Categorical(log_weights)
    assert law.pmf().sum() == pytest.approx(1.0, abs=1e-12)
    assert law.cdf()[-1] == 1.0
    assert law.logpmf()[int(np.argmax(log_weights))] == law.logpmf().max()
    assert np.allclose(
        law.pmf(), Categorical(np.asarray(log_weights) + shift).pmf(), atol=1e-9
    )


def test_log_probabilities_agree_with_exact_arithmetic():
    from fractions import Fraction

    weights = [Fraction(1), Fraction(3), Fraction(10**12)]
    law = Categorical([float(math.log(w)) for w in weights])
    assert law.pmf() == pytest.approx(
        [float(w / sum(weights)) for w in weights], rel=1e-12
    )


def test_scores_of_a_million_either_way_are_safe():
    law = Categorical([-1e6, 1e6, 1e6 - 1.0])
    assert law.pmf() == pytest.approx(
        [0.0, 1 / (1 + math.exp(-1)), 1 / (1 + math.e)], abs=1e-12
    )
    assert law.logpmf()[0] == pytest.approx(-2e6, rel=1e-6)


@pytest.mark.parametrize(
    "bad", [[], [[0.0]], [math.nan, 0.0], [math.inf, 0.0], [-math.inf], 1.0]
)
def test_what_is_no_law_is_refused(bad):
    with pytest.raises(ValueError, match="log_weights must"):
        Categorical(bad)


def test_the_log_probabilities_cannot_be_overwritten():
    with pytest.raises(ValueError, match="read-only"):
        Categorical([0.0, 1.0]).logpmf()[0] = 0.0


@pytest.mark.source("L4-exp-mech", "S16-alg-2")
@pytest.mark.parametrize("method", ["inverse", "gumbel", "rejection"])
def test_each_sampler_draws_from_the_law(method):
    law = Categorical(LOG_WEIGHTS)
    assert_drawn_from(law.rvs(200_000, rng=11, method=method), law)


@pytest.mark.parametrize("method", ["inverse", "gumbel", "rejection"])
def test_one_draw_is_an_int_and_a_seed_repeats_it(method):
    law = Categorical(LOG_WEIGHTS)
    assert isinstance(law.rvs(rng=3, method=method), int)
    assert (
        law.rvs(50, rng=3, method=method).tolist()
        == law.rvs(50, rng=3, method=method).tolist()
    )
    assert law.rvs(0, rng=3, method=method).size == 0


def test_the_chi_square_check_would_notice_a_wrong_sampler():
    law = Categorical(LOG_WEIGHTS)
    wrong = Categorical(np.where(np.isfinite(LOG_WEIGHTS), 1.05 * LOG_WEIGHTS, -np.inf))
    with pytest.raises(AssertionError):
        assert_drawn_from(wrong.rvs(200_000, rng=11), law)


def test_a_uniform_number_next_to_one_never_gives_an_impossible_outcome():
    class Largest(np.random.Generator):
        def random(self, size=None):
            return np.full(size, np.nextafter(1.0, 0.0))

    assert Categorical([0.0, 0.0, -np.inf])._inverse(
        1, Largest(np.random.PCG64(0))
    ).tolist() == [1]


def test_unknown_samplers_and_sizes_are_refused():
    law = Categorical([0.0])
    with pytest.raises(ValueError, match="method must be one of"):
        law.rvs(method="alias")
    with pytest.raises(ValueError, match="size must be a non-negative integer"):
        law.rvs(-1)
    with pytest.raises(ValueError, match="envelope must be one of"):
        rejection_sample(law, 1, envelope="tight")


@pytest.mark.source("S16-alg-2")
def test_the_rounds_of_algorithm_2_are_geometric_with_mean_n_outcomes_whatever_the_law():
    for log_weights in ([0.0] * 6, [0.0, 50.0, 0.0, 0.0, 0.0, 0.0]):
        rounds = rejection_sample(Categorical(log_weights), 40_000, rng=5).rounds
        success = 1 / 6
        deviation = math.sqrt(1 - success) / success / math.sqrt(rounds.size)
        assert abs(rounds.mean() - 6.0) < 5 * deviation
        for k in range(1, 8):
            exact = (1 - success) ** (k - 1) * success
            assert abs((rounds == k).mean() - exact) < 5 * math.sqrt(
                exact / rounds.size
            )


def test_the_maximum_envelope_costs_n_outcomes_times_the_largest_probability():
    law = Categorical(np.log([0.1, 0.2, 0.7]))
    expected = 3 * 0.7
    sample = rejection_sample(law, 100_000, envelope="maximum", rng=7)
    assert_drawn_from(sample.outcomes, law)
    accept = 1 / expected
    assert abs(sample.rounds.mean() - expected) < 5 * math.sqrt(
        1 - accept
    ) / accept / math.sqrt(100_000)


def test_the_running_time_of_algorithm_2_is_independent_of_the_outcome():
    sample = rejection_sample(Categorical(np.log([0.1, 0.2, 0.7])), 150_000, rng=9)
    for outcome in range(3):
        rounds = sample.rounds[sample.outcomes == outcome]
        assert abs(rounds.mean() - 3.0) < 5 * math.sqrt(6.0 / rounds.size)


@pytest.mark.parametrize("method", ["inverse", "gumbel", "rejection"])
def test_draws_stay_random_at_log_weights_that_swallow_the_noise(method):
    drawn = Categorical([1e17, 1e17]).rvs(2000, rng=1, method=method)
    assert abs(drawn.mean() - 0.5) <= 5 * math.sqrt(0.25 / 2000)


def rejected(law, size, *, rng):
    return rejection_sample(law, size, rng=rng).outcomes


@pytest.mark.parametrize("draw", [Categorical.rvs, rejected])
def test_two_seeds_differ_and_a_generator_goes_on(draw):
    law, rng = Categorical(np.zeros(1000)), np.random.default_rng(1)
    drawn = [draw(law, 20, rng=source).tolist() for source in (1, rng, rng, 2)]
    assert drawn[0] == drawn[1] not in (drawn[2], drawn[3])


def test_rounds_are_counted_from_the_first_proposal():
    assert rejection_sample(Categorical([0.0]), 4, rng=0).rounds.tolist() == [
        1,
        1,
        1,
        1,
    ]


def exact(n, probability, i):
    with mpmath.workdps(40):
        p = mpmath.mpf(probability)
        choices = (
            mpmath.loggamma(n + 1) - mpmath.loggamma(i + 1) - mpmath.loggamma(n - i + 1)
        )
        return choices + i * mpmath.log(p) + (n - i) * mpmath.log(1 - p)


@pytest.mark.parametrize("n", [1, 2, 5, 17, 1000, 10**6])
@pytest.mark.parametrize("probability", [1e-12, 0.01, 0.3, 0.5, 0.4999, 0.999])
def test_every_part_of_the_range_has_its_digits(n, probability):
    found = binomial_logpmf(n, probability)
    mean, width = n * probability, math.sqrt(n * probability * (1 - probability))
    places = {
        0,
        n,
        n // 3,
        n // 2,
        *(min(n, max(0, round(mean + k * width))) for k in (-6, -1, 0, 1, 6)),
    }
    for i in sorted(places):
        wanted = exact(n, probability, i)
        assert abs(found[i] - wanted) <= 2e-14 * (1 + abs(wanted))
    assert np.exp(found).sum() == pytest.approx(1.0, abs=1e-12)


def test_sure_things():
    assert binomial_logpmf(2, 0.0).tolist() == [0.0, -math.inf, -math.inf]
    assert binomial_logpmf(2, 1.0).tolist() == [-math.inf, -math.inf, 0.0]


def test_bad_input_is_refused():
    for bad in (0, -1, 1.5, True):
        with pytest.raises(ValueError, match="n_trials must be a positive integer"):
            binomial_logpmf(bad, 0.5)
    with pytest.raises(ValueError, match="n_trials must be at most 10000000"):
        binomial_logpmf(10**8, 0.5)
    for bad in (-0.1, 1.1, math.nan):
        with pytest.raises(ValueError, match="probability must be"):
            binomial_logpmf(2, bad)


def test_numbers_that_round_to_zero_never_raise():
    """Under numpy's strictest setting: an underflow is no error anywhere in the package."""
    with np.errstate(all="raise"):
        law = Categorical([0.0, -800.0, -1e5, -np.inf])
        assert law.pmf().tolist() == [1.0, 0.0, 0.0, 0.0]
        assert law.cdf()[0] == 1.0
        assert law.rvs(3, rng=0).tolist() == [0, 0, 0]
        assert max_divergence(law, law) == 0.0
        assert hockey_stick(law, law, 1.0) == 0.0
        assert PrivacyCurve.between(law, law).delta(0.0) == 0.0
        assert gaussian_delta(1000.0, mu=1.0) == 0.0
        assert Laplace(0.0, scale=1.0).sf(1e4) == 0.0
        form = ExponentialMechanism(epsilon=1.0, sensitivity=1.0)
        assert form.output_distribution([0.0, 5e3]).pmf()[0] == 0.0
        assert form.release([0.0, 5e3], rng=0) == 1
        found = audit.exact(
            lambda z: Categorical([0.0, -900.0 * z.sum()]), np.arange(2), 2
        )
        assert found.refutes(Guarantee(1.0))
