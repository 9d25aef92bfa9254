"""What the chapter on PATE on real data computes in its cells: intervals, printed numbers, margins."""

from math import sqrt

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from book.tools.chapter_code import chapter_module
from privml import results
from privml.datasets import Dataset
from privml.divergences import gaussian_epsilon, gaussian_mu
from privml.pate import spent_epsilon
from privml.results import table4 as study
from privml.results.margins_adult import votes
from tests.chapters import pate_on_real_data_functions as functions
from tests.chapters.checkers import checkers

chapter = chapter_module("pate-on-real-data")
ROWS = results.read("table4")
RUNS, PRINTED = chapter.summary(ROWS), chapter.published_cells()
SIZES = chapter.published_sizes().set_index("dataset")


@pytest.mark.source("LZCW21-rem-ex-post", "LZCW21-tab-4")
def test_the_printed_ex_post_epsilons_are_those_of_the_printed_numbers_of_queries():
    table = chapter.reproduced_ex_post(PRINTED, SIZES)
    assert len(table) == 5
    for row in table.itertuples():
        # the mean number of queries is printed to one tenth, epsilon to four digits
        case = row.epsilon, 1 / SIZES["private"][row.dataset], row.budget
        ends = [chapter.ex_post(*case, row.queries + step) for step in (-0.05, 0.05)]
        assert ends[0] - 5e-5 <= row.printed <= ends[1] + 5e-5 + 2e-4
    zcdp = np.array(
        [0.4517, 0.9341, 1.9457]
    )  # what concentrated privacy would give on mushrooms
    assert (np.abs(table["printed"][:3] - zcdp) > 0.003).all()


@pytest.mark.erratum("LZCW21-rem-ex-post/1")
@pytest.mark.erratum("LZCW21-rem-observations/1")
def test_a_valid_odometer_is_above_the_budget_at_the_printed_numbers_of_queries():
    table = chapter.reproduced_ex_post(PRINTED, SIZES)
    assert (table["fixed"] < table["epsilon"]).all()
    assert (table["union"] > table["epsilon"]).all()


def test_the_ex_post_epsilon_of_whole_numbers_is_that_of_the_library():
    for method, n_stops in (("fixed", 1), ("union", 49)):
        ours = chapter.ex_post(0.5, 1 / 6499, 49, 40, n_stops)
        assert ours == pytest.approx(
            spent_epsilon(0.5, 1 / 6499, 49, 40, method=method)
        )
    assert chapter.ex_post(np.inf, 0.1, 10, 5) == np.inf
    assert chapter.ex_post(0.5, 1e-4, 10, 10) == pytest.approx(0.5)


@pytest.mark.erratum("LZCW21-tab-4/1")
def test_the_interval_has_level_95_per_cent_and_uses_the_standard_deviation():
    assert 2 * norm.cdf(1.96) - 1 == pytest.approx(0.95, abs=1e-4)
    assert 2 * norm.cdf(2.326) - 1 == pytest.approx(0.98, abs=1e-4)
    values = np.random.default_rng(0).standard_normal((20_000, 30))
    widths = 1.96 * values.std(axis=1, ddof=1) / np.sqrt(30)
    assert chapter.half_width(values[0]) == pytest.approx(widths[0])
    covered = (np.abs(values.mean(axis=1)) <= widths).mean()
    assert covered == pytest.approx(
        0.94, abs=0.01
    )  # normal quantile, so a little below 0.95
    again = (np.abs(values.mean(axis=1)) <= widths / np.sqrt(30)).mean()
    assert again < 0.35  # a standard error divided by the root once more
    assert np.isnan(chapter.half_width([0.5]))


def test_a_summary_averages_over_repetitions():
    options = {"epsilons": [1.0], "methods": ["ASQ"]}
    rows = [
        row for k in range(3) for row in study.repetition("halfspace", k, **options)
    ]
    rows = pd.DataFrame(rows, columns=list(study.COLUMNS))
    row = chapter.summary(rows).iloc[0]
    accuracies = rows[rows["method"] == "ASQ"]["accuracy"]
    assert row["accuracy"] == pytest.approx(accuracies.mean())
    assert row["half_width"] == pytest.approx(
        1.96 * accuracies.std(ddof=1) / np.sqrt(3)
    )
    assert row["queries"] == pytest.approx(
        rows[rows["method"] == "ASQ"]["queries"].mean()
    )


def test_leads_are_differences_within_repetitions():
    columns = ["dataset", "epsilon", "repetition", "method", "accuracy"]
    entries = [(0, "counts", 0.9), (0, "b", 0.8), (1, "counts", 0.7), (1, "b", 0.5)]
    rows = pd.DataFrame([("x", 1.0, *entry) for entry in entries], columns=columns)
    lead = chapter.leads(rows, ["b"]).iloc[0]
    assert lead["lead"] == pytest.approx(15)
    assert lead["paired"] == pytest.approx(1.96 * np.std([10, 20], ddof=1) / np.sqrt(2))
    assert lead["separate"] > lead["paired"]


def test_the_committed_rows_are_all_there():
    rows = ROWS
    assert set(study.RUN) == set(rows["dataset"])
    assert len(rows) == 30 * sum(
        len(epsilons) * len(study.METHODS) + 2 for epsilons in study.RUN.values()
    )
    assert not rows.duplicated(["dataset", "repetition", "method", "epsilon"]).any()
    assert rows["accuracy"].between(0, 1).all()


@pytest.mark.source("LZCW21-tab-4")
def test_every_printed_cell_of_mushrooms_and_a9a_is_reached_by_ours():
    table = functions.side_by_side(RUNS, PRINTED)
    assert len(table) == 16
    private = table[np.isfinite(table["epsilon"])]
    for column in ("ours", "counts"):
        assert (
            private[column] > private["printed"] + private["printed_half_width"]
        ).all()
    exact = table[np.isinf(table["epsilon"])].set_index(["dataset", "method"])
    assert (exact["counts"] + exact["counts_half_width"] > exact["printed"]).all()
    short = exact["ours"] + exact["half_width"] < exact["printed"]
    assert short[short].index.tolist() == [
        ("mushrooms", "PSQ")
    ]  # C = 1 is too strong, as the chapter says


def test_ours_is_ahead_of_both_reproductions_beyond_the_intervals_at_small_epsilon():
    leads = chapter.leads(ROWS, ["PSQ", "ASQ"])
    small = leads[leads["epsilon"].isin([0.5, 1.0])]
    assert len(small) == 12
    assert (small["lead"] > small["separate"]).all()


@pytest.mark.erratum("LZCW21-tab-4/2")
def test_every_printed_accuracy_of_a9a_is_below_that_of_the_majority_label():
    majority = RUNS.loc[("a9a", "majority label", np.inf), "accuracy"]
    assert majority == pytest.approx(0.76, abs=0.005)
    assert (PRINTED.loc["a9a"]["accuracy"] < majority - 0.2).all()


@pytest.mark.source("LZCW21-rem-observations")
def test_the_observations_compare_what_they_say():
    found = chapter.observations(RUNS)
    assert len(found) == 12
    wide = RUNS[["budget", "queries", "accuracy"]].unstack("method")
    for row in found.itertuples():
        cell = wide.loc[row.dataset, row.epsilon]
        assert (
            row.queries
            == cell["queries", "ASQ"]
            <= cell["budget", "ASQ"]
            < cell["queries", "PSQ"] / 3
        )
        assert row.gain == pytest.approx(
            100 * (cell["accuracy", "ASQ"] - cell["accuracy", "PSQ"])
        )


def test_no_reading_explains_the_printed_accuracies_of_both_data_sets():
    table = chapter.distances(
        chapter.beside_printed(results.read("table4-readings"), PRINTED)
    )
    assert (table[["mushrooms", "a9a"]].max(axis=1) > 0.05).all()
    balanced = table[table["measure"] == "balanced"].set_index("reading")["a9a"]
    assert (
        table[table["measure"] == "accuracy"].set_index("reading")["a9a"].min() > 0.15
    )
    assert balanced["logistic regression, C = 0.1"] < 0.05


def halfspace(n_samples=3000, noise=0.1):
    rng = np.random.default_rng(8)
    X = rng.standard_normal((n_samples, 3))
    y = (X @ [1.0, -1.0, 0.5] > 0) ^ (rng.random(n_samples) < noise)
    return Dataset(X, y, ("no", "yes"), ("a", "b", "c"))


@pytest.fixture(scope="module")
def table():
    rows = votes(halfspace(), None, 2250, 40, 600, 1)
    return chapter.with_margins(pd.DataFrame(rows, columns=["share", "best", "label"]))


@pytest.mark.source("LZCW21-fig-3")
def test_the_two_quantities_of_figure_three_are_one(table):
    found = table
    np.testing.assert_allclose(found["margin"], found["margin_of_best"], atol=1e-15)
    np.testing.assert_allclose(found["signed"].abs(), found["margin"], atol=1e-15)
    agrees = (table["share"] >= 0.5) == (table["best"] == 1)
    assert ((found["signed"] > 0) == agrees)[table["share"] != 0.5].all()
    assert 0 < (~agrees).mean() < 0.05


def test_the_histogram_holds_every_query_once_and_finds_margins_by_hand(table):
    histogram = functions.margin_histogram(table, 10)
    assert (histogram["agrees"] + histogram["differs"]).sum() == pytest.approx(1)
    share, last = table["share"], histogram.iloc[-1]
    assert last["agrees"] + last["differs"] == pytest.approx(
        ((share - 0.5).abs() >= 0.45 - 1e-9).mean()
    )
    assert histogram["mistakes"].sum() == pytest.approx(
        ((share >= 0.5) != (table["label"] == 1)).mean()
    )


def test_halfspaces_with_noise_have_large_margins_and_agree_with_the_best_one(table):
    found = chapter.margin_summary(table)
    assert found["high"] > 0.7
    assert found["agree_high"] == 1.0
    assert found["wrong_high"] == pytest.approx(0.1, abs=3 * np.sqrt(0.09 / 420))
    assert found["best"] == pytest.approx(found["majority"], abs=0.02)


@pytest.mark.source("LZCW21-fig-4")
@pytest.mark.erratum("LZCW21-fig-4/1")
def test_cumulated_sums_lie_on_a_line_even_if_the_sequences_are_independent():
    rng = np.random.default_rng(5)
    n_queries = 200
    share, label = rng.uniform(0.5, 1, n_queries), rng.integers(2, size=n_queries)
    independent = pd.DataFrame({"share": share, "best": 1, "label": label})
    found = chapter.cumulated(chapter.with_margins(independent), n_queries, seed=6)
    assert found["margin"].corr(found["shuffled"]) > 0.99
    steps = found[["margin", "shuffled"]].diff().dropna()
    assert abs(steps["margin"].corr(steps["shuffled"])) < 3 / np.sqrt(n_queries)
    assert found["shuffled"].iloc[-1] == pytest.approx(found["signed"].iloc[-1])


def test_the_frontier_has_every_private_cell_with_its_interval():
    table = chapter.frontier(RUNS, "a9a").set_index(["method", "epsilon"])
    assert len(table) == 4 * 7
    cell = RUNS.loc["a9a", "PSQ", 0.5]
    row = table.loc["PSQ", 0.5]
    assert (row["accuracy"], row["high"] - row["low"]) == pytest.approx(
        (cell.accuracy, 2 * cell.half_width)
    )
    assert (
        table["records"] == RUNS.loc[("a9a", "all private records", np.inf), "accuracy"]
    ).all()


def test_the_noise_and_the_readable_teachers_are_those_of_the_formulas():
    _, _, lead, passive, active, misread, readable = chapter.query_noise(
        "mushrooms", 0.5
    )
    mu = gaussian_mu(0.5, 1 / 6499)
    assert (lead, passive, active) == pytest.approx((32.5, sqrt(163) / mu, 7 / mu))
    assert misread == pytest.approx(norm.sf(lead / passive))
    assert (
        norm.cdf(-readable / 2 / active)
        <= 0.05
        < norm.cdf(-(readable - 1) / 2 / active)
    )


def test_the_sparse_vector_gives_no_labels_of_mushrooms_at_one_half():
    found = functions.sparse_vector_budget("mushrooms", 0.5, 8124)
    unanimous, one, tenth, cutoff = found[2:]
    assert (unanimous, cutoff) == (32, 1)
    assert unanimous < one < tenth
    assert RUNS.loc[("mushrooms", "SVT", 0.5), "queries"] == 0


def interval(values, ddof=1, power=0.5, quantile=1.96):
    half = quantile * np.std(values, ddof=ddof) / len(values) ** power
    return np.mean(values) - half, np.mean(values) + half


def spent(epsilon, delta, budget, used, share=sqrt):
    return gaussian_epsilon(
        delta=delta, mu=gaussian_mu(epsilon, delta) * share(used / budget)
    )


ODD = np.arange(200) % 2
test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "interval": [
            (interval, None),
            (lambda values: interval(values, ddof=0), "half width"),
            (lambda values: interval(values, power=1.0), "half width"),
            (lambda values: interval(values, quantile=2.326), "half width"),
            (lambda values: (0.0, 1.0), "middle"),
        ],
        "spent": [
            (spent, None),
            (lambda *case: spent(*case, share=lambda part: part), "the profile gives"),
            (lambda *case: spent(*case, share=lambda part: 1.0), "the profile gives"),
        ],
        "readable": [
            (2.3, None),
            (2.2, "it takes"),
            (2.4, "already"),
            (2.15, "multiple"),
        ],
        "line": [
            ((0.5 * ODD, 0.5 * (1 - ODD)), None),
            ((np.zeros(3), np.zeros(3)), "200"),
            ((np.full(200, 0.7), np.zeros(200)), "between 0 and 1/2"),
            ((np.zeros(200), np.zeros(200)), "constant"),
            ((np.arange(200) % 2 / 2, np.arange(200) % 2 / 2), "not below"),
            ((np.linspace(0, 0.5, 200), np.linspace(0.5, 0, 200)), "not above"),
        ],
    },
    chapter,
)
