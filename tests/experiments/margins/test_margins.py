"""Margins of an ensemble: what Figures 3 and 4 of the source show, and what they cannot show."""

import numpy as np
import pandas as pd
import pytest

from privml.datasets import Dataset
from privml.experiments import margins
from privml.results.margins_adult import votes


def halfspace(n_samples=3000, noise=0.1):
    rng = np.random.default_rng(8)
    X = rng.standard_normal((n_samples, 3))
    y = (X @ [1.0, -1.0, 0.5] > 0) ^ (rng.random(n_samples) < noise)
    return Dataset(X, y, ("no", "yes"), ("a", "b", "c"))


@pytest.fixture(scope="module")
def table():
    rows = votes(halfspace(), None, 2250, 40, 600, 1)
    return pd.DataFrame(rows, columns=["share", "best", "label"])


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
