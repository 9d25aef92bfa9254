"""Functions with which the tests of boosting check what the chapter proves or says of its source."""

from math import e, exp, log, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.special import logsumexp
from scipy.stats import binom

from privml.bounds import boosting_candidates


def log_bad_chosen(a, y):
    """Logarithm of the chance that a bad one of a candidates is chosen; each is bad with probability 1 / (2 e)."""
    k = np.arange(1, a + 1)
    chosen = -np.log1p((a - k) / k * exp(y))
    return logsumexp(binom.logpmf(k, a, 1 / (2 * e)) + chosen)


def claim_constant(beta, sensitivity):
    """The C that the printed bound with equal blocks needs: that of the y at which the chance is beta."""
    a = boosting_candidates(beta / 3)
    y = brentq(lambda y: log_bad_chosen(a, y) - log(beta), 0, -log(beta), xtol=1e-13)
    return sensitivity * y / sqrt(log(3) - log(beta))


def records_needed(place, epsilon, beta):
    """Prior 1 / (h (h + 1)) of a cut, least even number of records to find it, and the bound of the chapter."""
    prior, n = 1 / (place * (place + 1)), 2
    while (others := (1 - prior) * exp(-epsilon * n / 4)) / (others + prior) > beta:
        n += 2
    return prior, n, 4 / epsilon * (log(1 / prior) + log(1 / beta))
