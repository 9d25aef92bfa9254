"""Tables of the chapter that compares private learners: laws, risks, norms, and the committed accuracies."""

import json
import os

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer as bundled_breast_cancer
from sklearn.model_selection import train_test_split

from privml.experiments import private_learners_side_by_side as experiments
from privml.experiments import results
from privml.experiments.private_learners_side_by_side import methods, real_data, synthetic
from privml.experiments.private_learners_side_by_side.__main__ import origin_of_accuracies
from privml.learners import OutputPerturbation
from privml.learners.perturbation import CutLogisticLoss, output_sensitivity, vector_mean_square


def test_no_rule_for_unit_rows_loses_more_than_it_claims_on_a_line():
    table = experiments.line_losses(1.0, [0.9, 3.0, 30.0])
    assert (table["loss"] <= 1.0).all()
    wide = table.pivot(index="total", columns="curve", values="loss")
    assert (wide["slope 1/2, one determinant"] > wide["slope 1/2, two, as published"]).all()
    assert wide["slope 1/2, one determinant"].min() > 0.9


def test_without_the_square_the_loss_grows_and_with_it_the_claim_holds():
    table = experiments.unsquared_losses(1.0, [1.0, 20.0, 100.0])
    assert table["without the square"].is_monotonic_increasing
    assert table["without the square"].iloc[1] == pytest.approx(1.77, abs=0.02)
    assert table["without the square"].iloc[2] == pytest.approx(3.26, abs=0.01)
    assert (table["with the square"] <= 1.0).all()


def test_a_tilt_lies_between_a_vector_and_the_tail_bound():
    table = experiments.tilt_deviations([0.1, 1.0, 5.0], 1e-5)
    assert (table["vector"] < table["tilt"]).all()
    assert (table["tilt"] < table["tilt by a tail bound"]).all()


def test_the_best_weights_of_a_length_beat_random_ones_of_that_length():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(200, 4)) / 4 + [0.2, 0, 0, 0]
    loss = CutLogisticLoss()
    best = experiments.best_in_ball(rows, loss, 2.0)
    assert np.linalg.norm(best) <= 2 * (1 + 1e-9)
    others = rng.normal(size=(300, 4))
    others *= 2 / np.linalg.norm(others, axis=1, keepdims=True)
    assert loss.value(rows @ best).mean() <= loss.value(others @ rows.T).mean(axis=1).min()


def test_measured_excess_stays_below_proved_excess():
    table = experiments.proved_and_measured([0.5, 2.0], 8.0, 8, n_samples=300, dimension=4, seed=1)
    assert (table["measured"] <= table["proved"]).all()


def test_the_bound_of_output_perturbation_is_penalty_plus_noise():
    X = np.array([[1.0], [-1.0]] * 50)
    model = OutputPerturbation(0.7, norm=4.0).fit(X, X[:, 0] > 0, rng=0)
    noise = vector_mean_square(1, output_sensitivity(100, model.strength_), 0.7)
    expected = model.strength_ * 16 / 2 + 0.25 / 2 * noise
    assert experiments.proved(model, 100, 1) == pytest.approx(expected)


def test_synthetic_populations_have_unit_rows_and_can_be_learned():
    for world in synthetic.WORLDS:
        X, y, Z, v = experiments.sample(world, 300, 10, 300, rng=np.random.default_rng(0))
        np.testing.assert_allclose(np.linalg.norm(X, axis=1), 1.0)
        assert 0.2 < y.mean() < 0.8
        assert experiments.not_private().fit(X, y).score(Z, v) > 0.55


def test_the_norm_of_all_methods_is_the_one_that_the_synthetic_populations_choose():
    assert experiments.chosen_norm(experiments.committed_norms()) == methods.NORM
    origin = json.loads((results.RESULTS / "private-erm-norms.json").read_text())
    assert origin["parameters"] == synthetic.NORM_RUN


def test_the_splits_are_those_of_the_quoted_numbers():
    task = real_data.TASKS[0]
    _, train, _, test = task.splits(2)[1]
    target = bundled_breast_cancer().target
    theirs = train_test_split(target, test_size=0.3, random_state=1, stratify=target)
    np.testing.assert_array_equal(train, theirs[0] == 0)
    np.testing.assert_array_equal(test, theirs[1] == 0)


def test_the_yardstick_gives_the_quoted_number_for_the_quoted_seeds():
    found = [
        experiments.Yardstick(1.0).fit(X, ~y, rng=seed).score(Z, ~v)
        for seed, (X, y, Z, v) in enumerate(real_data.TASKS[0].splits(20))
    ]
    assert np.mean(found) == pytest.approx(0.911, abs=0.0015)


def test_a_run_that_was_stopped_is_finished_and_not_repeated(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.uniform(-0.5, 0.5, size=(60, 2))
    y = X[:, 0] > 0
    task = real_data.Task("toy", None, lambda n: [(X[:40], y[:40], X[40:], y[40:])] * n)
    run = {"epsilons": [1.0], "n_splits": 2, "n_draws": {"toy": 1}, "n_draws_of_sampling": 1}
    whole = real_data.make((task,), run, tmp_path)
    assert not (tmp_path / "private-erm.partial").exists()
    first = ["toy", "mean", "ε", 1.0, None, 0.123, 0.0, 2]
    lines = [json.dumps(run), json.dumps(first)]
    (tmp_path / "private-erm.partial").write_text("\n".join(lines) + "\n")
    again = real_data.make((task,), run, tmp_path)
    assert again["accuracy"].iloc[0] == 0.123
    pd.testing.assert_frame_equal(again.iloc[1:], whole.iloc[1:])


def test_the_committed_accuracies_say_how_they_were_made():
    origin = json.loads((results.RESULTS / "private-erm.json").read_text())
    assert origin["parameters"] == real_data.RUN
    table = experiments.committed()
    assert set(table["data"]) == {"breast cancer", "digits", "a9a"}
    private = table[np.isfinite(table["epsilon"])]
    assert sorted(set(private["epsilon"])) == real_data.RUN["epsilons"]
    assert len(private) == 4 * (9 + 9 + 8)
    if os.environ.get("PRIVML_DATA"):
        assert origin["data"] == origin_of_accuracies()["data"]


def test_committed_accuracies_are_what_the_records_give():
    task, method = real_data.TASKS[0], methods.METHODS[0]
    row = real_data.private_row(task.name, method, 1.0, task.splits(20), 10)
    table = experiments.committed()
    here = table[(table["data"] == task.name) & (table["method"] == "mean") & (table["promise"] == "ε")]
    assert here[here["epsilon"] == 1.0]["accuracy"].iloc[0] == pytest.approx(row[5], rel=1e-8)


def test_the_duel_compares_like_with_like():
    table = experiments.duel("digits")
    assert (table["best"] >= table["named"]).all()
    assert table["anew"].notna().tolist() == [False] * 4 + [True] * 4
    assert table[table["promise"] == "ε"]["quoted"].tolist() == [0.541, 0.617, 0.703, 0.785]
