"""Functions with which the tests of teachers and votes compute what labels reveal."""

from functools import partial
from itertools import product
from math import sqrt

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.stats import binom, norm

from privml import audit
from privml.divergences import gaussian_delta, hockey_stick
from privml.pate import GaussianAggregator, NoisyMaxAggregator, vote_sigma


def label_delta(n_queries, sigma, levels):
    """Worst delta of labels at constant votes against one fewer vote."""
    ones, most, worst = np.arange(n_queries + 1), np.ceil(8 * sigma), 0.0
    for votes in np.arange(-most, most + 1, 0.5):  # off the middle by this many
        p, q = norm.cdf([votes / sigma, (votes - 1) / sigma])
        pair = binom.logpmf(ones, n_queries, p), binom.logpmf(ones, n_queries, q)
        deltas = [hockey_stick(*pair, level, logs=True) for level in levels]
        worst = np.maximum(worst, deltas)
    return worst


def curves_of_labels(n_queries, epsilon, delta, levels):
    """At the source's noise: its bound, the noisy counts, and the labels."""
    sigma = vote_sigma(n_queries, epsilon, delta, calibration="source")
    rho = n_queries / (2 * sigma**2)
    return pd.DataFrame(
        {
            "epsilon": levels,
            "source": np.exp(-(np.maximum(levels - rho, 0) ** 2) / (4 * rho)),
            "noisy counts": gaussian_delta(levels, mu=sqrt(n_queries) / sigma),
            "labels, constant votes": label_delta(n_queries, sigma, levels),
        }
    )


def exact_epsilon(aggregator, n_teachers, n_points):
    """Least epsilon at the claimed delta, over all votes and all changes."""
    rows = np.array(list(product(range(aggregator.n_classes), repeat=n_points)))
    found = audit.exact(aggregator.output_distribution, rows, n_teachers)
    if found.delta(0.0) <= aggregator.delta:
        return 0.0

    def excess(level):
        return float(found.delta(level)) - aggregator.delta

    return brentq(excess, 0.0, aggregator.epsilon, xtol=1e-14)


KINDS = {
    "Gaussian, source": partial(GaussianAggregator, calibration="source"),
    "Gaussian, exact": GaussianAggregator,
    "Laplace maximum": partial(NoisyMaxAggregator, noise="laplace"),
}


def audit_of_labels(n_teachers, n_points, claims, delta):
    """Claimed and exact epsilon of the labels of a few teachers, for three kinds of noise."""
    columns = {"claimed": claims}
    for name, kind in KINDS.items():
        makers = (
            kind(n_queries=n_points, epsilon=claim, delta=delta) for claim in claims
        )
        columns[name] = [exact_epsilon(maker, n_teachers, n_points) for maker in makers]
    return pd.DataFrame(columns)
