"""Margins of an ensemble: what Figures 3 and 4 of the source show, and what they cannot show."""

import json
import os

import numpy as np
import pandas as pd
import pytest

from privml.datasets import Dataset
from privml.experiments import margins, results
from privml.experiments.margins import study
from privml.pate import fit_teachers


def halfspace(n_samples=3000, noise=0.1):
    rng = np.random.default_rng(8)
    X = rng.standard_normal((n_samples, 3))
    y = (X @ [1.0, -1.0, 0.5] > 0) ^ (rng.random(n_samples) < noise)
    return Dataset(X, y, ("no", "yes"), ("a", "b", "c"))


@pytest.fixture(scope="module")
def table():
    return margins.margin_study(halfspace(), n_teachers=40, n_queries=600, seed=1)


@pytest.mark.source("LZCW21-ex-appE-adult")
def test_the_study_asks_teachers_of_private_records_about_other_records(table):
    data = halfspace()
    shuffling, teaching = np.random.default_rng(1).spawn(2)
    order = shuffling.permutation(3000)
    private, queries = order[:2250], order[2250:2850]
    options = {"n_teachers": 40, "classes": [False, True], "rng": teaching}
    teachers = fit_teachers(study.default_teacher(), data.X[private], data.y[private], **options)
    np.testing.assert_allclose(table["share"], teachers.votes(data.X[queries]).mean(axis=0))
    np.testing.assert_array_equal(table["label"], data.y[queries])
    best = study.default_teacher().fit(data.X[private], data.y[private])
    np.testing.assert_array_equal(table["best"], best.predict(data.X[queries]))


def test_a_given_order_decides_which_records_are_private():
    data, order = halfspace(), np.arange(3000)[::-1]
    found = margins.margin_study(data, n_teachers=5, n_queries=30, n_private=100, order=order, seed=0)
    np.testing.assert_array_equal(found["label"], data.y[order[100:130]])
    with pytest.raises(ValueError, match=r"must be at most the number of records \(3000\), got 3001"):
        margins.margin_study(data, n_teachers=5, n_queries=1, n_private=3000, seed=0)


@pytest.mark.erratum("LZCW21-ex-appE-adult/1")
def test_the_sizes_of_the_appendix_are_those_of_three_quarters_and_not_of_the_published_files():
    private, public, queries = 36_631, 10_211, 2000
    assert private + public + queries == 48_842
    assert private == 3 * 48_842 // 4 == margins.ADULT["n_private"]
    assert (private, public + queries) != (32_561, 16_281)


@pytest.mark.source("LZCW21-fig-3")
def test_the_two_quantities_of_figure_three_are_one(table):
    found = margins.with_margins(table)
    np.testing.assert_allclose(found["margin"], found["margin_of_best"], atol=1e-15)
    np.testing.assert_allclose(found["signed"].abs(), found["margin"], atol=1e-15)
    agrees = (table["share"] >= 0.5) == (table["best"] == 1)
    decided = table["share"] != 0.5
    assert ((found["signed"] > 0) == agrees)[decided].all()
    assert 0 < (~agrees).mean() < 0.05


def test_the_histogram_holds_every_query_once_and_finds_margins_by_hand(table):
    histogram = margins.margin_histogram(table, 10)
    assert (histogram["agrees"] + histogram["differs"]).sum() == pytest.approx(1)
    share, last = table["share"], histogram.iloc[-1]
    assert last["agrees"] + last["differs"] == pytest.approx(((share - 0.5).abs() >= 0.45 - 1e-9).mean())
    assert histogram["mistakes"].sum() == pytest.approx(((share >= 0.5) != (table["label"] == 1)).mean())


def test_halfspaces_with_noise_have_large_margins_and_agree_with_the_best_one(table):
    found = margins.margin_summary(table).iloc[0]
    assert found["high"] > 0.7
    assert found["agree_high"] == 1.0
    assert found["wrong_high"] == pytest.approx(0.1, abs=3 * np.sqrt(0.09 / 420))
    assert found["best"] == pytest.approx(found["majority"], abs=0.02)


@pytest.mark.source("LZCW21-fig-4")
@pytest.mark.erratum("LZCW21-fig-4/1")
def test_cumulated_sums_lie_on_a_line_even_if_the_sequences_are_independent():
    rng = np.random.default_rng(5)
    n_queries = 200
    independent = pd.DataFrame(
        {"share": rng.uniform(0.5, 1, n_queries), "best": 1, "label": rng.integers(2, size=n_queries)}
    )
    found = margins.cumulated(independent, n_queries, seed=6)
    assert margins.correlation(found["margin"], found["shuffled"]) > 0.99
    steps = found[["margin", "shuffled"]].diff().dropna()
    assert abs(margins.correlation(steps["margin"], steps["shuffled"])) < 3 / np.sqrt(n_queries)
    assert found["shuffled"].iloc[-1] == pytest.approx(found["signed"].iloc[-1])


def test_the_committed_table_says_how_it_was_made():
    origin = json.loads((results.RESULTS / "margins-adult.json").read_text())
    assert origin["parameters"] == margins.ADULT
    assert origin["n_samples"] == 48_842
    for split in ("random", "published"):
        table = margins.committed_adult(split)
        assert len(table) == margins.ADULT["n_queries"]
        np.testing.assert_allclose(table["share"] * 250, (table["share"] * 250).round(), atol=1e-6)


@pytest.mark.skipif(not os.environ.get("PRIVML_DATA"), reason="PRIVML_DATA does not name a folder with Adult")
def test_the_committed_table_is_what_the_records_give():
    data, n_train = margins.whole_adult()
    assert (data.X.shape, n_train) == ((48_842, 105), 32_561)
    again = margins.margin_study(data, n_teachers=250, n_queries=2000, n_private=36_631, seed=0)
    np.testing.assert_allclose(again, margins.committed_adult(), atol=0.005)
