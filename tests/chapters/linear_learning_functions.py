"""Functions with which the tests of linear learning check the theorems of the chapter."""

from itertools import product
from math import log, sqrt

import numpy as np
import pandas as pd
from scipy.special import expit
from scipy.stats import binom

from book.tools.chapter_code import chapter_module
from privml.bounds import azuma_deviation, linear_excess_risk
from privml.distributions import Categorical
from privml.learners.experts import action_sequence_distribution

chapter = chapter_module("linear-learning")
BIASES = (0.05, 0.1, 0.2, 0.4, 0.7, 1.0)  # of the coins that are tried


def second_draw(d, eta):
    """Largest loss of the second draw when the first example is replaced by its opposite."""
    x = np.append(-1.0, np.ones(d - 1))
    one, other = (np.exp(-eta * z) / np.exp(-eta * z).sum() for z in (x, -x))
    return np.log(one / other).max()


def draws_law(X, eta):
    """Exact law of the list of draws: all of them, in lexicographic order."""
    return action_sequence_distribution(X, eta, lower=-1.0)


def average_law(X, eta):
    """Exact law of the average: lists with the same counts, taken together."""
    n_samples, d = X.shape
    law = draws_law(X, eta).pmf()
    lists = product(range(d), repeat=n_samples)
    counts = [np.bincount(draws, minlength=d) for draws in lists]
    places = np.unique(counts, axis=0, return_inverse=True)[1].ravel()
    return Categorical(np.log(np.bincount(places, law)))


def coin_excess(eta, n_samples, bias):
    """Mean excess risk for x = (s, -s), s = -1 with probability (1 + bias) / 2."""
    total = 0.0
    for past in range(n_samples):
        ups = np.arange(past + 1)  # how often s was 1
        wrong = expit(2 * eta * (2 * ups - past))
        total += binom.pmf(ups, past, (1 - bias) / 2) @ wrong
    return 2 * bias * total / n_samples


def coin_quantile(eta, n_samples, bias, beta):
    """Excess risk of the average that is exceeded with probability at most beta."""
    up, law = (1 - bias) / 2, np.ones((1, 1))  # of ones and wrong draws
    for past in range(n_samples):
        wrong = expit(2 * eta * (2 * np.arange(past + 1) - past))[:, None]
        drawn = np.pad(law * (1 - wrong), ((0, 0), (0, 1)))
        drawn[:, 1:] += law * wrong
        law = np.pad(drawn * (1 - up), ((0, 1), (0, 0)))
        law[1:] += drawn * up
    above = 1 - np.cumsum(law.sum(axis=0))
    return 2 * bias * np.argmax(above <= beta + 1e-12) / n_samples


def three_events(eta, n_samples, d, beta):
    """Bound by the three events of the source: draws, examples, the same at vertices."""
    draws = azuma_deviation(n_samples, beta / 4, step_range=2.0, two_sided=False)
    vertices = azuma_deviation(
        n_samples, beta / (4 * d), step_range=2.0, two_sided=False
    )
    return chapter.linear_regret(eta, n_samples, d) + eta / 2 + 2 * draws + vertices


def by_rate(etas, n_samples, beta, biases=BIASES):
    """Exact mean and quantile on the worst of these coins, and the bounds."""
    return pd.DataFrame(
        {
            "eta": etas,
            "mean, exact": [
                max(coin_excess(e, n_samples, b) for b in biases) for e in etas
            ],
            "mean, bound": [chapter.linear_regret(e, n_samples, 2) for e in etas],
            "quantile, exact": [
                max(coin_quantile(e, n_samples, b, beta) for b in biases) for e in etas
            ],
            "quantile, one martingale": [
                linear_excess_risk(e, n_samples, 2, beta=beta) for e in etas
            ],
            "quantile, three events": [
                three_events(e, n_samples, 2, beta) for e in etas
            ],
        }
    )


def closed_form(epsilon, delta, n_samples, d, beta):
    """Bound at the corrected rate in the form of the source, with the constant of the theorem."""
    return 13 * sqrt(log(1 / delta) / n_samples) * log(d / beta) / epsilon
