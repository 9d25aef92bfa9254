"""The study of networks that are audited by one run: its gradients by differences, its table by one job."""

import numpy as np
import pytest

from privml import results
from privml.results import one_run


def loss(flat, shapes, x, y):
    parts = np.split(flat, np.cumsum([int(np.prod(shape)) for shape in shapes])[:-1])
    inner, offsets, outer, offset = (
        part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)
    )
    score = np.tanh(x @ inner + offsets) @ outer + offset[0]
    return np.logaddexp(0, score) - y * score


def test_gradients_are_those_of_differences():
    rng = np.random.default_rng(0)
    weights = one_run.start(3, rng)
    X, y, shapes = (
        rng.standard_normal((2, 3)),
        np.array([1.0, 0.0]),
        [w.shape for w in weights],
    )
    rows, chance = one_run.gradients(weights, X, y)
    flat = np.concatenate([w.ravel() for w in weights])
    for row, x, label, p in zip(rows, X, y, chance, strict=True):

        def at(place):
            return loss(place, shapes, x, label)

        moved = [
            (at(flat + step) - at(flat - step)) / 2e-6
            for step in 1e-6 * np.eye(flat.size)
        ]
        np.testing.assert_allclose(row, moved, atol=1e-8)
        assert loss(flat, shapes, x, 1.0) == pytest.approx(-np.log(p))


def test_one_record_moves_the_right_sum_by_the_length_and_the_late_one_by_more():
    rows = np.random.default_rng(1).standard_normal((30, 8)) / 20
    more = np.vstack([rows, 5 * one_run.LENGTH * np.eye(8)[:1]])
    totals = one_run.each_clipped, one_run.after_averaging
    moved = [np.linalg.norm(total(more, 1.0) - total(rows, 1.0)) for total in totals]
    assert moved[0] == pytest.approx(1)
    assert moved[1] == pytest.approx(5)


def test_guesses_are_the_extreme_scores():
    assert one_run.guesses(np.array([3.0, -1.0, 0.0, 7.0, 2.0]), 2).tolist() == [
        0,
        -1,
        0,
        1,
        0,
    ]
    assert [one_run.quarter(n) for n in (100, 400, 1000)] == [26, 100, 250]


def test_the_table_is_whole_and_a_job_makes_its_row_again():
    table = results.read("one-run")
    jobs = list(
        table[["kind", "n_canaries", "seed"]].itertuples(index=False, name=None)
    )
    assert jobs == list(one_run.STUDY.jobs)
    assert (table["n_right"] <= table["n_guesses"]).all()
    row = one_run.work("shares of noise", 100, 3)[0]
    published = table[
        (table["kind"] == row[0]) & (table["n_canaries"] == 100) & (table["seed"] == 3)
    ].iloc[0]
    assert (
        abs(published["n_right"] - row[4]) <= 1
    )  # the order of sums may move a score past another
    assert published["accuracy"] == pytest.approx(row[5], abs=0.02)
