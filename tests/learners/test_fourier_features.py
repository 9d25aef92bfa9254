"""Public Fourier features: norm 1, no look at the data, and private kernel classification behind them."""

import numpy as np
import pytest
from sklearn.kernel_approximation import RBFSampler
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline

from privml.learners import ExponentialLogisticRegression, PublicFourierFeatures


def rings(n_samples, seed):
    """Points on two circles, one label each, in the square [-1, 1]^2."""
    rng = np.random.default_rng(seed)
    y, angle = rng.integers(0, 2, n_samples) > 0, rng.uniform(0, 2 * np.pi, n_samples)
    radius = np.where(y, 0.9, 0.4) + rng.normal(0, 0.05, n_samples)
    return radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), y


@pytest.mark.source("WLF16-rem-infinite-domain")
def test_features_have_norm_one_and_inner_products_near_the_kernel():
    X = rings(40, 0)[0]
    features = PublicFourierFeatures(2.0, 4000).fit_transform(X)
    np.testing.assert_allclose(np.linalg.norm(features, axis=1), 1.0)
    assert abs(features @ features.T - rbf_kernel(X, gamma=2.0)).max() < 5 / np.sqrt(
        4000
    )


def test_the_frequencies_do_not_depend_on_the_records():
    X = rings(30, 0)[0]
    one, other = (
        PublicFourierFeatures().fit(X),
        PublicFourierFeatures().fit(1000 * X + 5),
    )
    np.testing.assert_array_equal(one.frequencies_, other.frequencies_)
    assert not np.array_equal(
        one.frequencies_, PublicFourierFeatures(seed=1).fit(X).frequencies_
    )


def test_the_rule_scale_of_scikit_learn_does_depend_on_them():
    X = rings(30, 0)[0]
    changed = X.copy()
    changed[0] = 100.0
    weights = [
        RBFSampler(gamma="scale", random_state=0).fit(data).random_weights_
        for data in (X, changed)
    ]
    assert abs(weights[0] - weights[1]).max() > 0.1


def test_records_of_any_value_get_features():
    features = PublicFourierFeatures(n_pairs=3).fit_transform(
        [[np.nan, np.inf], [-np.inf, 1e308]]
    )
    assert np.isfinite(features).all()


@pytest.mark.source("WLF16-rem-infinite-domain")
def test_rings_that_no_line_separates_are_learned_privately():
    X, y = rings(1500, 1)
    logistic = ExponentialLogisticRegression(4.0, radius=8.0, classes=(False, True))
    kernel = make_pipeline(PublicFourierFeatures(2.0, 10), logistic)
    kernel.fit(X, y, exponentiallogisticregression__rng=0)
    assert kernel[-1].privacy_.epsilon == 4.0
    fresh, labels = rings(1000, 2)
    assert kernel.score(fresh, labels) > 0.8
    line = np.abs(
        np.linalg.lstsq(np.column_stack([X, np.ones(len(X))]), 2.0 * y - 1, rcond=None)[
            0
        ]
    )
    assert line[:2].max() < 0.15


@pytest.mark.parametrize(
    "parameters", [{"gamma": 0.0}, {"gamma": "scale"}, {"n_pairs": 0}, {"seed": -1}]
)
def test_bad_parameters_raise_in_fit(parameters):
    with pytest.raises(ValueError, match="must"):
        PublicFourierFeatures(**parameters).fit([[0.0]])
