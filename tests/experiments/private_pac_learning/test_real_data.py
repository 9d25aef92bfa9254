"""Stumps on real records: exact laws averaged over splits, and the committed table."""

import json
import os

import numpy as np
import pandas as pd
import pytest

from privml.datasets import Dataset, load_mushrooms
from privml.experiments import private_pac_learning as experiments
from privml.experiments import results
from privml.experiments.private_pac_learning import real_data
from privml.hypotheses import DecisionStumps
from privml.learners import ExponentialPACLearner


def toy():
    rng = np.random.default_rng(3)
    X = rng.random((60, 2))
    return Dataset(X, (X[:, 0] + 0.2 * rng.standard_normal(60)) > 0.5, ("no", "yes"), ("a", "b"))


def test_the_accuracy_table_averages_the_exact_law_of_the_estimator():
    data, epsilon = toy(), 0.8
    table = experiments.stump_accuracy(data, epsilons=[epsilon], n_cuts=4, n_splits=3, seed=5)
    hypotheses = DecisionStumps.on_grid(2, 0.0, 1.0, 4)
    learner = ExponentialPACLearner(epsilon, hypotheses, classes=[False, True])
    expected = []
    for rng in np.random.default_rng(5).spawn(3):
        order = rng.permutation(60)
        test, train = order[:18], order[18:]
        law = learner.output_distribution(data.X[train], data.y[train]).pmf()
        expected.append(law @ (hypotheses.predict(data.X[test]) == data.y[test]).mean(axis=1))
    assert table.loc[0, "mean"] == pytest.approx(np.mean(expected))
    assert table.loc[0, "low"] <= table.loc[0, "mean"] <= table.loc[0, "high"]


def test_a_vanishing_epsilon_gives_accuracy_one_half_and_a_large_one_that_of_erm_without_ties():
    table = experiments.stump_accuracy(toy(), epsilons=[1e-9, 1e4], n_cuts=40, n_splits=6, seed=0)
    assert table.loc[0, "mean"] == pytest.approx(0.5, abs=1e-6)
    assert table.loc[1, "mean"] == pytest.approx(table.loc[1, "erm"], abs=0.1)


def test_weighted_quantiles_are_those_of_the_repeated_values():
    values, weights = np.array([5.0, 1.0, 3.0, 3.0]), np.array([2, 3, 1, 4])
    repeated = np.repeat(values, weights)
    for level in (0.05, 0.3, 0.31, 0.5, 0.8, 0.95):
        expected = np.quantile(repeated, level, method="inverted_cdf")
        assert real_data.weighted_quantiles(values, weights / 10, [level]) == [expected]


def test_breast_cancer_is_learned_privately_almost_as_well_as_without_privacy():
    table = experiments.breast_cancer([1.0], n_cuts=16, n_splits=4, seed=0)
    assert table.loc[0, "mean"] > table.loc[0, "erm"] - 0.02 > table.loc[0, "majority"] + 0.2


def test_a_table_and_its_provenance_are_written_side_by_side(tmp_path):
    table, data = pd.DataFrame({"epsilon": [0.1], "mean": [1 / 3]}), toy()
    origin = results.provenance("make it", data, {"seed": 5})
    results.write("toy", lambda: table, origin, tmp_path / "results")
    assert (tmp_path / "results/toy.csv").read_text() == "epsilon,mean\n0.1,0.333333333\n"
    found = json.loads((tmp_path / "results/toy.json").read_text())
    assert found["command"] == "make it"
    assert (found["parameters"], found["n_samples"], found["n_features"]) == ({"seed": 5}, 60, 2)
    changed = data._replace(y=~data.y)
    assert results.provenance("make it", changed, {})["sha256_of_records"] != found["sha256_of_records"]


def test_the_committed_mushrooms_say_how_they_were_made():
    origin = json.loads((results.RESULTS / "mushrooms-stumps.json").read_text())
    assert origin["parameters"] == real_data.MUSHROOMS
    table = experiments.committed_mushrooms()
    assert table["epsilon"].tolist() == real_data.MUSHROOMS["epsilons"]
    assert (table["low"] <= table["high"]).all()


@pytest.mark.skipif(
    not os.environ.get("PRIVML_DATA"), reason="PRIVML_DATA does not name a folder with mushrooms"
)
def test_the_committed_mushrooms_are_what_the_records_give():
    np.testing.assert_allclose(experiments.mushrooms(), experiments.committed_mushrooms(), rtol=1e-8)
    origin = json.loads((results.RESULTS / "mushrooms-stumps.json").read_text())
    again = results.provenance(origin["command"], load_mushrooms(), real_data.MUSHROOMS)
    assert again["sha256_of_records"] == origin["sha256_of_records"]
