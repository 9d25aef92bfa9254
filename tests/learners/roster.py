"""Every learner of the package, once: what a test of all of them runs through."""

from functools import partial

import numpy as np
import pytest
from sklearn.base import is_regressor

from privml import learners
from privml.learnability import SubsampledLearner

QUICK = {"PrivateConfidenceBooster": {"n_candidates": 2}}
LEARNERS = {
    kind.__name__: partial(kind, **QUICK.get(kind.__name__, {}))
    for kind in [
        *(getattr(learners, name) for name in learners.__all__),
        SubsampledLearner,
    ]
    if isinstance(kind, type) and hasattr(kind, "fit") and hasattr(kind, "predict")
    if kind not in (learners.PrivatePipeline, learners.PrivateRandomSearch)  # of others
}
CLASSIFIERS = {
    name: make for name, make in LEARNERS.items() if not is_regressor(make())
}
RELEASED = (
    "coef_",
    "intercept_",
    "hypothesis_index_",
    "parity_",
    "output_",
    "theta_",
    "support_",
    "chosen_",
)


def each(makes):
    """A test of each of some learners, by name."""
    return pytest.mark.parametrize("make", makes.values(), ids=makes)


def records(n=24, d=2, seed=5, half_width=1.0):
    """Points of a cube, and whether the first coordinate is positive."""
    X = np.random.default_rng(seed).uniform(-half_width, half_width, size=(n, d))
    return X, (X[:, 0] > 0).astype(int)


def released(learner):
    """All that a fit let out, as one vector."""
    found = (getattr(learner, name, None) for name in RELEASED)
    return np.concatenate(
        [[], *(np.ravel(value) for value in found if value is not None)]
    )
