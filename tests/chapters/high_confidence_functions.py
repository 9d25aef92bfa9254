"""Functions with which the tests of boosting check what the chapter proves or says of its source."""

from math import e, exp, log, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.special import logsumexp
from scipy.stats import binom

from privml import ExponentialMechanism
from privml.bounds import boosting_candidates
from privml.learners.penalised_erm import (
    Box,
    ExponentialERM,
    PenalisedRisk,
    RampLoss,
    early_stopping_guarantee,
)


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


def constant_risk_normaliser(radius):
    """Normaliser on an interval for four records without a feature, on which all hypotheses lose 1 / 2, at epsilon 1."""
    risk = PenalisedRisk([[0.0]] * 4, [1.0] * 4, RampLoss(), Box([-radius], [radius]))
    return exp(ExponentialERM(risk, 1.0).quadrature(20).log_normaliser)


def inexact_delta(epsilon, distance):
    """Delta of a draw within a total variation distance of an epsilon-private one."""
    exact = ExponentialMechanism(epsilon=epsilon, sensitivity=1).guarantee
    return early_stopping_guarantee(exact, distance).delta
