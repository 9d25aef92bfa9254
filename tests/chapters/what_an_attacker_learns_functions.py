"""Functions with which the tests of attacks and beliefs check the theorems of the chapter."""

from fractions import Fraction

import numpy as np
from scipy.special import ndtri

from book.tools.chapter_code import chapter_module
from privml.distributions import DiscreteLaplace
from privml.divergences import hockey_stick

chapter = chapter_module("what-an-attacker-learns")


def trade_off_by_lines(p, q, levels):
    """Trade-off as the largest of lines, from logarithms; the slopes are the losses of the outputs."""
    heights = [1 - hockey_stick(q, p, s, logs=True) - np.exp(s) * levels for s in q - p]
    return np.maximum(0, np.max(heights, axis=0))


def gaussian_parameter(epsilon):
    """The mu of Gaussian differential privacy that pure privacy implies."""
    return -2 * ndtri(1 / (1 + np.exp(epsilon)))


def close_pair(rng, epsilon, n_outputs):
    """Two laws with no loss beyond epsilon: one, and one moved towards another."""
    p, other = rng.dirichlet(np.ones(n_outputs), size=2)
    low, high = 0.0, 1.0
    for _ in range(60):
        t = (low + high) / 2
        far = np.abs(np.log(p) - np.log((1 - t) * p + t * other)).max() > epsilon
        low, high = (low, t) if far else (t, high)
    return p, (1 - low) * p + low * other


def made_from_response(p, q, epsilon):
    """P and Q again, from one reply through the map of the theorem."""
    no, yes = chapter.coin_laws(epsilon)
    maps = np.array([np.exp(epsilon) * p - q, np.exp(epsilon) * q - p])
    maps = np.maximum(0, maps) / np.expm1(epsilon)
    return [no @ maps, yes @ maps]


def parity_laws(data, epsilon, first=None):
    """Randomised response of the parity, the first bit replaced if one is given."""
    own = data[:, 0] if first is None else first
    return chapter.coin_laws(epsilon)[(data[:, 1:].sum(axis=1) + own) % 2]


def shift(prior, with_record, without):
    """Total variation distance of the two posteriors, for each output."""
    one, other = (prior[:, None] * laws for laws in (with_record, without))
    difference = one / one.sum(axis=0) - other / other.sum(axis=0)
    return np.abs(difference).sum(axis=0) / 2


def random_prior(rng, shape, size):
    """A Dirichlet prior, in logarithms so that small shapes do not underflow."""
    gammas = rng.gamma(shape + 1, size=size)
    logs = np.log(gammas) + np.log(rng.random(size)) / shape
    return np.exp(np.maximum(logs - logs.max(), -600))


def deviations(m, epsilon):
    """Deviations of the estimated fraction: local, from the reply's law, and with a curator."""
    keep = chapter.coin_laws(epsilon)[1, 1]
    local = np.sqrt(keep * (1 - keep) / m) / (2 * keep - 1)
    values = np.arange(-400, 401)
    noise = DiscreteLaplace(0, scale=1 / Fraction(epsilon))
    variance = np.exp(noise.logpmf(values)) @ values**2
    return local, np.sqrt(variance) / m
