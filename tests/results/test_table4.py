"""The protocol of Table 4: sizes, named randomness, methods, and what one repetition holds."""

import numpy as np
import pandas as pd
import pytest

from privml.composition import subsampling_alone
from privml.pate import SparseVectorAggregator, readable_teachers, vote_sigma
from privml.results import table4


def repetition(number, **options):
    """Rows of one repetition on the synthetic records."""
    rows = table4.repetition("halfspace", number, seed=3, **options)
    return pd.DataFrame(rows, columns=list(table4.COLUMNS))


@pytest.mark.source("LZCW21-tab-3")
def test_the_sizes_are_those_of_the_sources_table():
    printed = [
        (6499, 163, 1462, 49),
        (39_073, 977, 8792, 293),
        (57_847, 1447, 13_015, 434),
    ]
    for n_samples, sizes in zip((8124, 48_842, 72_309), printed, strict=True):
        assert table4.split_sizes(n_samples) == sizes
        assert sum(sizes[:3]) == n_samples
    teachers = [table4.split_sizes(n).n_teachers for n in (8124, 48_842, 72_309)]
    assert teachers == [65, 391, 578]
    with pytest.raises(ValueError, match="n_samples must be at least 50, but got 49"):
        table4.split_sizes(49)


def test_random_choices_with_other_names_or_seeds_are_other_choices():
    first = table4.source_of(0, "mushrooms", 1, "split").random(3).tolist()
    assert table4.source_of(0, "mushrooms", 1, "split").random(3).tolist() == first
    assert table4.source_of(0, "mushrooms", 2, "split").random(3).tolist() != first
    assert table4.source_of(1, "mushrooms", 1, "split").random(3).tolist() != first


@pytest.fixture(scope="module")
def table():
    return repetition(0, epsilons=[1.0, np.inf])


@pytest.mark.source("LZCW21-rem-experiment-setup")
def test_a_repetition_has_a_row_for_each_task_within_its_budget(table):
    assert table.columns.tolist() == list(table4.COLUMNS)
    tasks = table[table["n_teachers"] > 0]
    assert tasks["method"].tolist() == list(table4.METHODS) * 2
    assert (tasks["queries"] <= tasks["budget"]).all()
    assert set(tasks[tasks["method"].isin(["PSQ", "SVT"])]["budget"]) == {160}
    assert set(tasks["budget"]) == {48, 160}
    assert set(tasks[tasks["method"] != "counts"]["n_teachers"]) == {64}


def test_a_row_does_not_depend_on_the_other_rows_that_are_asked_for(table):
    alone = repetition(0, epsilons=[1.0], methods=["counts"])
    row = table[(table["method"] == "counts") & (table["epsilon"] == 1.0)]
    assert alone.iloc[0].tolist() == row.iloc[0].tolist()


def test_private_test_and_public_records_do_not_overlap(monkeypatch):
    seen = {}
    whole = table4.fit_teachers

    def spy(estimator, X, y, **options):
        seen["private"] = X
        return whole(estimator, X, y, **options)

    monkeypatch.setattr(table4, "fit_teachers", spy)
    monkeypatch.setattr(table4, "scores", lambda predicted, y: (len(y), 0.0))
    found = repetition(1, epsilons=[np.inf], methods=["PSQ"])
    assert seen["private"].shape[0] == 6400
    assert found["accuracy"].tolist() == [1440] * 3


def test_our_method_has_as_many_teachers_as_the_noise_asks_for(table):
    free = table[(table["method"] == "counts") & np.isinf(table["epsilon"])].iloc[0]
    assert (free["n_teachers"], free["queries"], free["budget"]) == (64, 160, 160)
    row = table[(table["method"] == "counts") & (table["epsilon"] == 1.0)].iloc[0]
    assert row["n_teachers"] == max(
        64, readable_teachers(vote_sigma(48, 1.0, 1 / 6400))
    )
    assert row["queries"] == 48


def test_the_sparse_vector_has_the_largest_cutoff_that_a_unanimous_vote_passes_safely():
    sizes = table4.split_sizes(48_842)
    for epsilon in (0.1, 2.0, 8.0):
        service = table4.sparse_vector_service(table4.Task(None, sizes, epsilon, None))
        more = SparseVectorAggregator(
            cutoff=service.cutoff + 1, epsilon=epsilon, delta=1 / sizes.private
        )
        assert service.threshold <= sizes.n_teachers / 4 or service.cutoff == 1
        assert more.threshold > sizes.n_teachers / 4


def test_the_sparse_vector_answers_nothing_with_so_few_teachers():
    sizes = table4.split_sizes(8124)
    votes = np.ones(
        (sizes.n_teachers, sizes.public), dtype=np.uint8
    )  # unanimous, the most that is possible
    task = table4.Task(
        np.zeros((sizes.public, 1)), sizes, 0.2, lambda n_teachers, C: votes
    )
    assert table4.sparse_vector_service(task).threshold > 4 * sizes.n_teachers / 2
    assert table4.sparse_vector(task, np.random.default_rng(0)).n_queries == 0


def test_without_noise_passive_students_come_close_to_all_private_records(table):
    exact = table[np.isinf(table["epsilon"])].set_index("method")["accuracy"]
    assert exact["all private records"] > 0.93  # one label in twenty is flipped
    assert exact["PSQ"] > 0.85
    assert exact["majority label"] < 0.6


@pytest.mark.erratum("LZCW21-rem-experiment-setup/1")
def test_delta_of_one_over_n_lets_a_random_record_be_published():
    promise = subsampling_alone(6499, 1)
    assert promise.epsilon == 0.0
    assert 1 / 6499 <= promise.delta <= 1 / 6499 * (1 + 2**-52)  # rounded up


def test_unknown_names_are_refused():
    with pytest.raises(ValueError, match="name must be one of"):
        table4.records("iris")
    with pytest.raises(ValueError, match="method must be one of"):
        table4.repetition("halfspace", 0, epsilons=[1.0], methods=["magic"], seed=0)
