"""Gaussians that are cut off at a ball or a box: how often draws come back empty, and their means."""

import math

import numpy as np
import pytest
from scipy.special import gammainc, gammaln
from scipy.stats import truncnorm

from privml.learners.penalised_erm import Ball, Box, cut_off


@pytest.mark.parametrize("dimension", [2, 3, 10, 100, 1000])
def test_draws_cut_off_at_a_ball_come_back_empty_with_probability_at_most_one_half(dimension):
    """The exact probability that a candidate is accepted, over places of the mean and precisions."""
    shape = (dimension - 1) / 2
    least = math.exp(-1) * (gammainc(shape, shape) - gammainc(shape, max(shape - 1, 0)))
    for size in (4, 8, 64):
        n_rounds = cut_off.rounds(dimension, size)
        assert (
            (1 - least) ** (4 * size * n_rounds) <= 0.5 < (1 - least) ** (4 * size * (n_rounds - 1)) + 1e-12
        )
    for far in (0.0, 0.5, 0.999, 1.0, 3.0, 50.0):
        for precision in (1e-3, 1.0, 30.0, 1e3):
            chords, kept = cut_off.Chords(1.0, dimension, far, precision), []
            candidates = np.random.default_rng(0).gamma(shape, 1.0, size=4000)

            class Given:
                def gamma(self, shape, scale, size, kept=kept, candidates=candidates):
                    kept.append(scale)
                    return candidates * scale

                def random(self, size, kept=kept):
                    kept.append(size)
                    return np.full(size, 1e-300)  # all inside are taken

            p = chords.draws(1000, Given())
            scale = kept[0]
            p0 = shape * scale  # where the envelope touches: the mean
            logs = chords.log_mass(p) - chords.log_mass(p0) + chords.steepness(p0) * (p - p0)
            assert logs.max() < 1e-6
            share = np.exp(logs).sum() / 4000
            assert share > least - 4.5 * math.sqrt(least / 4000)


def test_a_round_in_which_all_candidates_fail_ends():
    class Failing(np.random.Generator):
        def random(self, *args, **kwargs):
            return np.ones(args[0])

    rng = Failing(np.random.PCG64(0))
    found = Ball(3, 1.0)._gaussians(np.full(3, 9.0), 4.0, 8, rng)
    assert found.shape == (0, 3)


@pytest.mark.parametrize(("dimension", "far"), [(1, 0.4), (1, 3.0), (2, 0.5), (2, 1.0), (2, 4.0)])
@pytest.mark.parametrize("precision", [0.1, 3.0, 200.0])
def test_the_mean_of_a_gaussian_that_is_cut_off_is_that_of_quadrature(dimension, far, precision):
    for body in (Ball(dimension, 1.0), Box([-1.0] * dimension, [0.5] * dimension)):
        mean = far * np.array([0.6, -0.8])[:dimension]
        H, weights = body.nodes(400)
        logs = -precision * ((H - mean) ** 2).sum(axis=1) / 2
        heights = weights * np.exp(logs - logs.max())
        np.testing.assert_allclose(body._mean(mean, precision), heights @ H / heights.sum(), atol=2e-6)


def test_means_far_outside_and_in_many_dimensions():
    assert abs(Ball(1, 1.0)._mean(np.array([30.0]), 9.0) - truncnorm(-93, -87, 30, 1 / 3).mean()).max() < 1e-9
    for d, far, precision in ((30, 1.0, 30.0), (300, 0.4, 20.0), (1000, 1.0, 10.0)):
        body, mean = Ball(d, 1.0), far * np.eye(d)[0]
        rng = np.random.default_rng(0)
        t = np.concatenate([body._gaussians(mean, precision, 4000, rng) for _ in range(3)])[:, 0]
        error = t.std() / math.sqrt(t.size)
        assert abs(t.mean() - body._mean(mean, precision)[0]) < 4.5 * error


def test_the_incomplete_gamma_function_where_it_underflows():
    x = np.array([1e-3, 1.0, 10.0, 499.0, 501.0, 900.0])
    plain = gammainc(500.0, x[3:])
    np.testing.assert_allclose(np.exp(cut_off._log_inside(500.0, x[3:])), plain, rtol=1e-9)
    lowest = 500 * math.log(1.0) - gammaln(501) - 1.0 + math.log(1 + 1 / 501 + 1 / (501 * 502))
    assert cut_off._log_inside(500.0, x[1:2])[0] == pytest.approx(lowest, rel=1e-9)
    assert np.isfinite(cut_off._log_inside(500.0, x)).all()
