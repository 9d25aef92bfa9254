"""The overfitting analyst: simulation against closed forms and bounds."""

from math import sqrt

import numpy as np
import pytest

from privml.learnability import (
    expected_gap_from_concentration,
    gaussian_answers,
    laplace_bias,
    laplace_noise,
    majority_errors,
    mean_square_gap,
)

STANDARD_ERRORS = 4


def close(errors, exact):
    return abs(errors.mean() - exact) <= STANDARD_ERRORS * errors.std(ddof=1) / sqrt(len(errors))


@pytest.mark.source("S16-rem-recap")
@pytest.mark.parametrize("noise", [0.0, 0.02, 0.1])
def test_the_bias_of_the_last_answer_is_the_exact_one(noise):
    answers = "laplace" if noise else "reuse"
    errors = majority_errors(101, 200, answers=answers, noise=noise, repetitions=400, rng=1)
    assert close(errors, laplace_bias(101, 200, noise))


@pytest.mark.source("S16-rem-recap")
def test_fresh_parts_and_strong_noise_leave_no_bias():
    assert close(majority_errors(101, 1020, answers="split", repetitions=400, rng=2), 0.0)
    assert close(majority_errors(21, 100, answers="gaussian", noise=50.0, repetitions=400, rng=2), 0.0)


@pytest.mark.source("S16-rem-recap")
@pytest.mark.parametrize("answers", ["laplace", "gaussian"])
def test_noisy_answers_keep_what_privacy_promises(answers):
    m, k = 300, 151
    if answers == "gaussian":
        noise, _, promised = gaussian_answers(m, k + 1)
        rho = k / (2 * m**2 * noise**2)
        variance = noise**2
    else:
        rho = 0.02
        noise = laplace_noise(m, k, rho)
        variance = 2 * noise**2
        promised = sqrt(variance + mean_square_gap(rho, m))
    errors = majority_errors(k, m, answers=answers, noise=noise, repetitions=300, rng=5)
    spread = STANDARD_ERRORS * (errors**2).std(ddof=1) / sqrt(len(errors))
    assert (errors**2).mean() <= promised**2 + spread
    assert abs(errors.mean()) <= expected_gap_from_concentration(rho) + STANDARD_ERRORS * sqrt(variance / 300)
    reused = majority_errors(k, m, answers="reuse", repetitions=50, rng=5)
    assert (errors**2).mean() < (reused**2).mean() / 2 or answers == "laplace"


def test_the_scale_of_laplace_noise_and_the_size_of_a_part():
    from privml.guarantee.rho import laplace_rho

    scale = laplace_noise(1000, 50, 0.01)
    assert scale == pytest.approx(0.05)
    assert 0.98 * 0.01 < 50 * laplace_rho(1 / (1000 * scale)) <= 0.01
    errors = majority_errors(9, 1234, answers="split", repetitions=50, rng=0)
    np.testing.assert_allclose((errors + 0.5) * 123, ((errors + 0.5) * 123).round(), atol=1e-9)


def test_the_seed_decides():
    same = [majority_errors(5, 20, answers="gaussian", noise=0.1, repetitions=3, rng=7) for _ in range(2)]
    np.testing.assert_array_equal(*same)


@pytest.mark.parametrize(
    "call",
    [
        lambda: majority_errors(4, 20, answers="reuse"),
        lambda: majority_errors(5, 20, answers="trust"),
        lambda: majority_errors(5, 20, answers="reuse", noise=0.1),
        lambda: majority_errors(5, 20, answers="laplace"),
        lambda: majority_errors(5, 5, answers="split"),
        lambda: majority_errors(5, 20, answers="reuse", repetitions=0),
        lambda: laplace_noise(10, 3, 0.0),
        lambda: laplace_bias(4, 10, 0.0),
    ],
)
def test_bad_parameters_are_refused(call):
    with pytest.raises(ValueError):
        call()
