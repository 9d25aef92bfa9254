"""How rare hypotheses near the best are, by counting: what bounds on sublevel sets are tested against."""

import numpy as np


def log_measure_ratio(values, t, weights=None):
    """Logarithm of mu(H) / mu(S_t) for finitely many hypotheses, a row of values a data set."""
    values = np.asarray(values, dtype=float)
    weights = (
        np.ones(values.shape[-1])
        if weights is None
        else np.asarray(weights, dtype=float)
    )
    inside = values <= values.min(axis=-1, keepdims=True) + t
    return np.log(weights.sum()) - np.log((inside * weights).sum(axis=-1))
