"""Stumps on real records that scikit-learn bundles."""

import numpy as np
import pytest

from privml.datasets import Dataset
from privml.experiments import private_pac_learning as experiments


def toy():
    rng = np.random.default_rng(3)
    X = rng.random((60, 2))
    return Dataset(X, (X[:, 0] + 0.2 * rng.standard_normal(60)) > 0.5, ("no", "yes"), ("a", "b"))


def test_a_vanishing_epsilon_gives_accuracy_one_half_and_a_large_one_that_of_erm_without_ties():
    table = experiments.stump_accuracy(toy(), epsilons=[1e-9, 1e4], n_cuts=40, n_splits=6, seed=0)
    assert table.loc[0, "mean"] == pytest.approx(0.5, abs=1e-6)
    assert table.loc[1, "mean"] == pytest.approx(table.loc[1, "erm"], abs=0.1)


def test_breast_cancer_is_learned_privately_almost_as_well_as_without_privacy():
    table = experiments.breast_cancer([1.0], n_cuts=16, n_splits=4, seed=0)
    assert table.loc[0, "mean"] > table.loc[0, "erm"] - 0.02 > table.loc[0, "majority"] + 0.2
