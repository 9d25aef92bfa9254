"""Tables of the chapter that compares private learners: laws, risks, norms, and the committed accuracies."""

import numpy as np
import pytest

from privml.experiments import private_learners_side_by_side as experiments
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


def test_the_duel_compares_like_with_like():
    table = experiments.duel("digits")
    assert (table["best"] >= table["named"]).all()
    assert table["anew"].notna().tolist() == [False] * 4 + [True] * 4
    assert table[table["promise"] == "ε"]["quoted"].tolist() == [0.541, 0.617, 0.703, 0.785]
