"""Every committed table says how it was made, and parts of each are made again."""

import json
import os

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer as bundled_breast_cancer
from sklearn.model_selection import train_test_split

from privml import results
from privml.datasets import Dataset
from privml.hypotheses import DecisionStumps
from privml.learners import ExponentialPACLearner
from privml.pate import fit_teachers
from privml.results import (
    experts_cost,
    margins_adult,
    mushrooms_stumps,
    private_erm,
    private_erm_norms,
)
from privml.results.runs import provenance

NO_DATA = "PRIVML_DATA does not name a folder"
NEEDS_DATA = pytest.mark.skipif(not os.environ.get("PRIVML_DATA"), reason=NO_DATA)


def committed_lines(name):
    return (results.FOLDER / f"{name}.csv").read_text(encoding="utf-8").splitlines()


def lines(study, rows):
    table = pd.DataFrame(rows, columns=list(study.columns))
    return table.to_csv(
        index=False, float_format=f"%.{study.digits}g", lineterminator="\n"
    ).splitlines()


@pytest.mark.parametrize("name", results.tables())
def test_a_committed_table_says_how_it_was_made(name):
    study, told = results.study(name), results.origin(name)
    assert study.name == name
    assert results.read(name).columns.tolist() == list(study.columns)
    assert told["command"] == study.command
    assert told["parameters"] == json.loads(
        json.dumps(study.parameters).replace("Infinity", '"inf"')
    )
    assert set(told.get("data", {})) == set(study.data)


@pytest.mark.slow
@NEEDS_DATA
@pytest.mark.parametrize(
    "name", [name for name in results.tables() if results.study(name).data]
)
def test_the_records_are_those_of_the_committed_table(name):
    assert provenance(results.study(name)) == results.origin(name)


@NEEDS_DATA
@pytest.mark.parametrize(
    ("name", "job"),
    [
        ("mushrooms-stumps", 8),
        ("margins-adult", 0),
        ("descent-batches", 5),
        ("descent-batches", 18),
        ("private-erm", 0),
        ("private-erm", 36),
        ("a9a-linear", 12),
        ("table4-readings", 1),
    ],
)
def test_a_job_gives_the_committed_rows(name, job):
    assert_a_job_gives_the_committed_rows(name, job)


@pytest.mark.parametrize("job", [1, 5, 7])
def test_the_linear_program_gives_the_committed_sizes(job):
    assert_a_job_gives_the_committed_rows("best-private-learner-grids", job)


def assert_a_job_gives_the_committed_rows(name, job):
    study = results.study(name)
    head, *made = lines(study, study.work(*study.jobs[job]))
    assert head == committed_lines(name)[0]
    assert made
    assert set(made) <= set(committed_lines(name))


@NEEDS_DATA
def test_a_repetition_of_table_4_gives_the_committed_rows():
    study = results.study("table4")
    rows = study.work("mushrooms", 7, epsilons=[0.5], methods=["PSQ", "counts"])
    assert set(lines(study, rows)) <= set(committed_lines("table4"))


def test_a_table_that_is_not_there_is_named_with_those_that_are_near():
    with pytest.raises(ValueError, match="got 'table5'. Did you mean table4"):
        results.read("table5")


# stumps on the mushrooms


def toy():
    rng = np.random.default_rng(3)
    X = rng.random((60, 2))
    return Dataset(
        X, (X[:, 0] + 0.2 * rng.standard_normal(60)) > 0.5, ("no", "yes"), ("a", "b")
    )


def test_the_accuracy_of_stumps_averages_the_exact_law_of_the_estimator():
    data, epsilon, hypotheses = toy(), 0.8, DecisionStumps.on_grid(2, 0.0, 1.0, 4)
    splits = mushrooms_stumps.split_counts(data, hypotheses, 3, 5)
    _, mean, low, high, *_ = mushrooms_stumps.accuracy(splits, epsilon)
    learner, expected = (
        ExponentialPACLearner(epsilon, hypotheses, classes=[False, True]),
        [],
    )
    for rng in np.random.default_rng(5).spawn(3):
        order = rng.permutation(60)
        test, train = order[:18], order[18:]
        law = learner.output_distribution(data.X[train], data.y[train]).pmf()
        expected.append(
            law @ (hypotheses.predict(data.X[test]) == data.y[test]).mean(axis=1)
        )
    assert mean == pytest.approx(np.mean(expected))
    assert low <= mean <= high


def test_weighted_quantiles_are_those_of_the_repeated_values():
    values, weights = np.array([5.0, 1.0, 3.0, 3.0]), np.array([2, 3, 1, 4])
    repeated = np.repeat(values, weights)
    for level in (0.05, 0.3, 0.31, 0.5, 0.8, 0.95):
        expected = np.quantile(repeated, level, method="inverted_cdf")
        assert mushrooms_stumps.weighted_quantiles(values, weights / 10, [level]) == [
            expected
        ]


# margins on Adult


def test_the_study_of_margins_asks_teachers_of_private_records_about_other_records():
    data = toy()
    rows = margins_adult.votes(data, None, 45, 4, 12, 1)
    shuffling, teaching = np.random.default_rng(1).spawn(2)
    order = shuffling.permutation(60)
    private, queries = order[:45], order[45:57]
    options = {"n_teachers": 4, "classes": [False, True], "rng": teaching}
    model = margins_adult.default_teacher
    teachers = fit_teachers(model(), data.X[private], data.y[private], **options)
    share, best, label = map(np.array, zip(*rows, strict=True))
    np.testing.assert_allclose(share, teachers.votes(data.X[queries]).mean(axis=0))
    np.testing.assert_array_equal(label, data.y[queries])
    whole = model().fit(data.X[private], data.y[private])
    np.testing.assert_array_equal(best, whole.predict(data.X[queries]))


def test_a_given_order_decides_which_records_are_private():
    data, order = toy(), np.arange(60)[::-1]
    rows = margins_adult.votes(data, order, 40, 3, 10, 0)
    assert [label for *_, label in rows] == data.y[order[40:50]].astype(int).tolist()


@pytest.mark.erratum("LZCW21-ex-appE-adult/1")
def test_the_sizes_of_the_appendix_are_those_of_three_quarters_and_not_of_the_published_files():
    private, public, queries = 36_631, 10_211, 2000
    assert private + public + queries == 48_842
    assert private == 3 * 48_842 // 4 == margins_adult.N_PRIVATE
    assert (private, public + queries) != (32_561, 16_281)


def test_the_shares_of_adult_are_counts_of_250_teachers():
    table = results.read("margins-adult")
    assert table.groupby("split").size().tolist() == [margins_adult.N_QUERIES] * 2
    np.testing.assert_allclose(
        table["share"] * 250, (table["share"] * 250).round(), atol=1e-6
    )


# private learners side by side


def test_the_splits_are_those_of_the_quoted_numbers():
    _, train, _, test = private_erm.splits("breast cancer", 2)[1]
    target = bundled_breast_cancer().target
    theirs = train_test_split(target, test_size=0.3, random_state=1, stratify=target)
    np.testing.assert_array_equal(train, theirs[0] == 0)
    np.testing.assert_array_equal(test, theirs[1] == 0)


def test_the_yardstick_gives_the_quoted_number_for_the_quoted_seeds():
    splits = enumerate(private_erm.splits("breast cancer", 20))
    found = [
        private_erm.Yardstick(1.0).fit(X, ~y, rng=i).score(Z, ~v)
        for i, (X, y, Z, v) in splits
    ]
    assert np.mean(found) == pytest.approx(0.911, abs=0.0015)


def test_synthetic_populations_have_unit_rows_and_can_be_learned():
    for world in private_erm_norms.WORLDS:
        X, y, Z, v = private_erm_norms.sample(
            world, 300, 10, 300, rng=np.random.default_rng(0)
        )
        np.testing.assert_allclose(np.linalg.norm(X, axis=1), 1.0)
        assert 0.2 < y.mean() < 0.8
        assert private_erm.not_private().fit(X, y).score(Z, v) > 0.55


def test_the_norm_of_all_methods_is_the_one_that_the_synthetic_populations_choose():
    table = results.read("private-erm-norms")
    private = table[np.isfinite(table["norm"])]
    assert private.groupby("norm")["accuracy"].mean().idxmax() == private_erm.NORM


# times


def test_times_are_measured_for_each_size():
    for task in experts_cost.TASKS:
        [(name, k, n_rounds, seconds)] = experts_cost.measured(task, 3, 50, repeats=2)
        assert (name, k, n_rounds) == (task, 3, 50)
        assert seconds >= 0
