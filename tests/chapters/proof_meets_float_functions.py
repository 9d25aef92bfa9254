"""Functions with which the tests of *proof-meets-float* check its statements beyond what the page computes."""

from fractions import Fraction

import numpy as np

from privml.coins import exponential_coins
from privml.distributions import DiscreteLaplace


def rational_law(scores, base):
    gaps = max(scores) - np.asarray(scores)
    weights = [base ** int(gap) for gap in gaps]
    return [float(weight / sum(weights)) for weight in weights]


def permute_and_flip(scores, epsilon, rng):
    """An exact draw for whole scores of sensitivity 1 and a rational epsilon."""
    gaps = np.max(scores) - np.asarray(scores)
    heads = exponential_coins(Fraction(epsilon) / 2, gaps, rng)
    return int(rng.choice(np.flatnonzero(heads)))


def crossing_law(values, threshold, epsilon):
    """Probabilities that the first crossing is query 1, 2, ..., or none."""
    bars = np.arange(-400, 401)
    weight = np.exp(DiscreteLaplace(scale=2 / epsilon).logpmf(bars))
    beyond = threshold + bars[:, None] - 1 - np.asarray(values)
    below = np.exp(DiscreteLaplace(scale=4 / epsilon).logcdf(beyond))
    none_yet = np.cumprod(np.column_stack([np.ones(bars.size), below]), axis=1)
    return weight @ np.column_stack([-np.diff(none_yet, axis=1), none_yet[:, -1]])


class Counting(np.random.Generator):
    """A generator that counts the words of 64 bits that are taken."""

    taken = 0

    def integers(self, *range, size=None, **words):
        self.taken += size
        return super().integers(*range, size=size, **words)


def drawn_and_taken(scale, n, seed):
    """Noise and number of words of n single draws."""
    rng, found = Counting(np.random.PCG64(seed)), []
    law = DiscreteLaplace(scale=scale)
    for _ in range(n):
        before = rng.taken
        found.append((law.rvs(rng=rng), rng.taken - before))
    return np.array(found)
