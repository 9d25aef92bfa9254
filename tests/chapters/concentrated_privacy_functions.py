"""Functions with which the tests of *concentrated-privacy* check its theorems beyond what the page computes."""

from math import exp, expm1, log

import numpy as np
from scipy.stats import norm

from privml import RandomisedResponse
from privml.composition import (
    advanced_epsilon,
    nonadaptive_range_delta,
    nonadaptive_range_epsilon,
    optimal_delta,
    optimal_epsilon,
)
from privml.divergences import privacy_loss, renyi_divergence
from privml.guarantee import (
    bounded_range_rho,
    concentrated_delta,
    concentrated_epsilon,
    pure_rho,
)
from tests.chapters.composition_functions import skewed_response


def bound_curves(step, k):
    """Delta at a total epsilon by each rule; the last two rules are for exponential mechanisms."""
    tight, ranged = k * pure_rho(step), k * bounded_range_rho(step)

    def advanced(e):
        excess = max(0.0, e - k * step * expm1(step))
        return exp(-(excess**2) / (2 * k * step**2))

    def simple(e, rho=k * step**2 / 2):
        return exp(-(max(0.0, e - rho) ** 2) / (4 * rho))

    return {
        "advanced": advanced,
        "concentrated, simple": simple,
        "concentrated, tight": lambda e: concentrated_delta(rho=tight, epsilon=e),
        "optimum": lambda e: optimal_delta(step, k, e),
        "range, concentrated": lambda e: concentrated_delta(rho=ranged, epsilon=e),
        "range, fixed in advance": lambda e: nonadaptive_range_delta(step, k, e),
    }


def totals_by_rule(step, k, delta):
    """Total epsilon of k steps by each rule; all but advanced composition at most the sum."""
    simple = concentrated_epsilon(rho=k * step**2 / 2, delta=delta, conversion="simple")
    ranged = concentrated_epsilon(rho=k * bounded_range_rho(step), delta=delta)
    found = {
        "advanced": advanced_epsilon(step, k, delta),
        "concentrated, simple": simple,
        "concentrated, tight": concentrated_epsilon(
            rho=k * pure_rho(step), delta=delta
        ),
        "optimum": optimal_epsilon(step, k, delta),
        "range, concentrated": ranged,
        "range, fixed in advance": nonadaptive_range_epsilon(step, k, delta),
        "basic": k * step,
    }
    return {
        rule: e if rule == "advanced" else min(e, k * step) for rule, e in found.items()
    }


def laplace_divergence(order, epsilon):
    """Rényi divergence of Laplace noise of scale 1 / epsilon, sensitivity 1; at order 1 the mean loss."""
    if order == 1:
        return epsilon + expm1(-epsilon)
    near = order * exp((order - 1) * epsilon)
    far = (order - 1) * exp(-order * epsilon)
    return log((near + far) / (2 * order - 1)) / (order - 1)


def worst_range(epsilon, order):
    """Largest Rényi divergence of skewed responses, over a fine grid of t."""
    grid = np.linspace(0, epsilon, 402)[1:-1]
    pairs = np.array([skewed_response(epsilon, t) for t in grid])
    p, q = np.moveaxis(pairs, 1, 0)
    return renyi_divergence(p, q, order, logs=True).max()


def divergences(epsilon, order):
    """Rényi divergence of worst pairs of four promises."""
    p, q = (RandomisedResponse(epsilon).output_distribution(bit) for bit in (1, 0))
    return {
        "Gaussian noise": order * epsilon**2 / 2,
        "randomised response": renyi_divergence(p, q, order, logs=True),
        "Laplace noise": laplace_divergence(order, epsilon),
        "bounded range": worst_range(epsilon, order),
    }


def range_pair(rng, epsilon, n_outcomes):
    """Random log-distributions whose privacy losses spread over exactly epsilon."""
    losses = rng.uniform(size=n_outcomes) ** rng.choice([0.2, 1.0, 5.0])
    losses = (losses - losses.min()) / np.ptp(losses) * epsilon
    weights = rng.dirichlet(np.full(n_outcomes, rng.choice([0.2, 1.0])))
    log_q = np.log(weights + 1e-12)
    log_q -= np.logaddexp.reduce(log_q)
    return log_q + losses - np.logaddexp.reduce(log_q + losses), log_q


def made_from_skewed(p, q, epsilon):
    """The two distributions that the map of the lemma makes from skewed response."""
    t = np.clip(privacy_loss(p, q, logs=True).max(), 1e-9, epsilon - 1e-9)
    high = (np.exp(p) - np.exp(t - epsilon + q)) / -np.expm1(t - epsilon)
    low = (np.exp(t + q) - np.exp(p)) / np.expm1(t)
    return [
        np.exp(weights) @ np.array([high, low])
        for weights in skewed_response(epsilon, t)
    ]


def sampled_delta(mu, rate, epsilon):
    """Delta at epsilon of one step of DP-SGD, with the record against without it, in closed form."""
    # the loss exceeds epsilon where 1 - rate + rate * exp(mu o - mu^2 / 2) exceeds exp(epsilon)
    start = (log((expm1(epsilon) + rate) / rate) + mu**2 / 2) / mu
    with_record = (1 - rate) * norm.sf(start) + rate * norm.sf(start - mu)
    return with_record - exp(epsilon) * norm.sf(start)


def sampled_delta_other(mu, rate, epsilon):
    """The same without the record against with it."""
    ratio = (exp(-epsilon) - 1 + rate) / rate
    if ratio <= 0:  # no output has so large a loss
        return 0.0
    end = (log(ratio) + mu**2 / 2) / mu
    with_record = (1 - rate) * norm.cdf(end) + rate * norm.cdf(end - mu)
    return norm.cdf(end) - exp(epsilon) * with_record
