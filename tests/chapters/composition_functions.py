"""Functions with which the tests of *composition* check its theorems beyond what the page computes."""

from fractions import Fraction
from math import comb, exp, expm1, log, sqrt

import numpy as np
from scipy.optimize import brentq

from privml import ExponentialMechanism, Guarantee, RandomisedResponse
from privml.composition import parallel_composition
from privml.distributions import DiscreteLaplace
from privml.divergences import PrivacyCurve, gaussian_log_delta

FOUR_KINDS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
QUESTIONS = (1, 0), (0, 1), (1, 1)


def majority(records, question, epsilon):
    """Do most records have an odd number of the bits asked about?  Privately."""
    odd = records @ np.array(question) % 2
    chooser = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0)
    return chooser.output_distribution([(1 - odd).sum(), odd.sum()]).pmf()


def adaptive_law(k, epsilon):
    """Distribution of k private majorities, each asked in the light of the earlier ones."""

    def law(records, past=()):
        if len(past) == k:
            return np.ones(1)
        question = QUESTIONS[sum((i + 1) * bit for i, bit in enumerate(past)) % 3]
        chances = majority(records, question, epsilon)
        parts = [chances[bit] * law(records, (*past, bit)) for bit in (0, 1)]
        return np.concatenate(parts)

    return law


def noisy_yes(bits, epsilon, largest):
    """Probabilities of the number of yes with integer noise, clamped to [0, largest]."""
    law = DiscreteLaplace(int(bits.sum()), scale=1 / Fraction(epsilon))
    inner = np.exp(law.logpmf(np.arange(1, largest)))
    return np.concatenate([[law.cdf(0)], inner, [law.sf(largest - 1)]])


def majority_and_size(bits, epsilon, largest):
    """Probabilities of the majority by randomised response, and of the exact size."""
    law = np.zeros((largest + 1, 2))
    most = int(2 * bits.sum() > len(bits))
    law[len(bits)] = RandomisedResponse(epsilon).output_distribution(most).pmf()
    return law.ravel()


def of_two_parts(release, split, epsilon, largest):
    """Distribution of one release for each of the two parts of a data set."""

    def law(z):
        parts = (release(part, epsilon, largest) for part in split(z))
        return np.multiply.outer(*parts).ravel()

    return law


def by_record(z):
    """The second bits, by the first bit of the record."""
    return z[z[:, 0] == 0, 1], z[z[:, 0] == 1, 1]


def by_position(z):
    """The records at even and at odd positions."""
    return z[::2], z[1::2]


def promised(epsilon, partition, relation):
    """What the library says about two parts, or that it refuses."""
    part = Guarantee(epsilon, adjacency=relation)
    try:
        return f"{parallel_composition(part, part, partition=partition).epsilon:g}"
    except ValueError:
        return "refused"


def last_multiple(delta):
    """The multiple of ln(1 / delta) beyond which the rule of thumb is false for many steps."""
    target = log(1 / delta)

    def excess(c):
        return gaussian_log_delta(c * target, mu=c * sqrt(target / 8)) + target

    return brentq(excess, 8, 16)


def skewed_response(epsilon, t):
    """Log-probabilities of the outputs of loss t and t - epsilon, under both distributions."""
    r = expm1(t) / expm1(epsilon)
    p = np.log([1 - r, r])
    return p, p - [t, t - epsilon]


def product_delta(step, largest, epsilon):
    """Exact delta of independent skewed responses with these largest losses."""
    losses, log_p = np.zeros(1), np.zeros(1)
    for t in largest:
        losses = np.add.outer(losses, [t, t - step]).ravel()
        log_p = np.add.outer(log_p, skewed_response(step, t)[0]).ravel()
    return PrivacyCurve(losses, log_p).delta(epsilon)


def adaptive_delta(step, k, gap, grid):
    """Largest delta when each step chooses its t on a grid, given what is left."""
    if k == 0:
        return np.maximum(0.0, -np.expm1(gap))
    last = np.clip((gap[..., None] + step) / 2, 0, step)
    t = np.linspace(0, step, grid) if k > 1 else last
    small = np.expm1(t) / expm1(step)
    after = [
        adaptive_delta(step, k - 1, gap[..., None] - loss, grid)
        for loss in (t, t - step)
    ]
    return ((1 - small) * after[0] + small * after[1]).max(axis=-1)


def delta_by_the_sum(epsilon, k, total):
    """The binomial sum of optimal composition, term by term."""
    terms = [
        comb(k, i) * (exp((k - i) * epsilon) - exp(total + i * epsilon))
        for i in range(k + 1)
        if (k - 2 * i) * epsilon > total
    ]
    return sum(terms) / (1 + exp(epsilon)) ** k
