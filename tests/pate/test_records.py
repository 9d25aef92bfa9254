"""The estimator on odd records and on data frames: of one entry nothing is seen but in the labels."""

import itertools
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from privml.pate import PATEClassifier, SparseVectorAggregator, vote_sigma
from tests.pate.test_student import PUBLIC, TRUTH, X, Y, fitted


@pytest.mark.parametrize("odd", [None, "??", [1], np.inf, np.nan, 7, {}], ids=repr)
def test_a_list_or_a_column_with_one_odd_label_gives_what_the_first_class_gives(odd):
    plain = [int(label) for label in Y]
    plain[3] = 0
    mixed = plain.copy()
    mixed[3] = odd
    column = np.empty(len(Y), dtype=object)
    column[:] = mixed
    expected = fitted(y=plain, classes=[0, 1]).votes_.tolist()
    assert fitted(y=mixed, classes=[0, 1]).votes_.tolist() == expected
    if isinstance(odd, float | int):
        column = column.astype(float)
    assert fitted(y=column, classes=[0, 1]).votes_.tolist() == expected


@pytest.mark.parametrize(
    ("y", "classes"),
    [(Y, ["no", "yes"]), (Y.astype(float), ["0", "1"]), (Y.astype(str), [0, 1])],
)
def test_classes_that_no_label_of_this_dtype_can_match_are_refused(y, classes):
    with pytest.raises(
        ValueError, match="classes must have the same type as the labels"
    ):
        fitted(y=y, classes=classes)


@pytest.mark.parametrize(
    "form",
    [np.ravel, np.dstack, lambda rows: [*rows.tolist(), [77.5]]],
    ids=["1", "3", "?"],
)
def test_records_of_another_shape_are_refused_and_not_shown(form):
    """A table that was flattened by mistake holds records all the same; scikit-learn's message shows them."""
    records = form(np.full((20, 2), 77.5))
    labels = np.arange(len(records)) % 2
    for model in (
        PATEClassifier(n_teachers=2, classes=[0, 1]),
        PATEClassifier(n_teachers=2),
    ):
        with pytest.raises(ValueError, match=r"shape \(.*Reshape your data") as refusal:
            model.fit(records, labels, X_public=PUBLIC[:, :2], rng=0)
        assert "77.5" not in str(refusal.value)


def test_at_its_defaults_the_estimator_warns_and_with_teachers_enough_it_does_not():
    with pytest.warns(
        UserWarning, match=r"too large for n_teachers=10: .* probability only 0\.5"
    ) as seen:
        PATEClassifier(classes=[False, True]).fit(X, Y, X_public=PUBLIC, rng=0)
    assert [warning.filename for warning in seen] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = fitted()
    assert model.aggregator_.sigma == vote_sigma(60, 2.0, 1e-5)


def test_a_sparse_vector_that_drowns_the_votes_is_told_of_its_cutoff_which_helps_and_not_of_queries():
    rows, chances = [[0, 1000]], {}
    for cutoff, n_queries in itertools.product((2, 20), (30, 300)):
        asked = SparseVectorAggregator(
            cutoff=cutoff, n_queries=n_queries, epsilon=1.0, delta=1e-6
        )
        chances[cutoff, n_queries] = asked.label_distribution(rows)[0, 1]
    assert chances[2, 300] > 0.95 > chances[20, 30] == chances[20, 300]
    model = PATEClassifier(n_teachers=10, aggregator=asked, classes=[False, True])
    with pytest.warns(
        UserWarning, match="Use more teachers, a smaller cutoff or a larger epsilon"
    ):
        model.fit(X, Y, PUBLIC, rng=0)


def test_the_warning_depends_on_public_numbers_only():
    for labels in (Y, ~Y, np.zeros(3000, bool)):
        with pytest.warns(UserWarning, match="probability only 0.56"):
            PATEClassifier(
                n_teachers=10, delta=1e-6, n_queries=60, classes=[False, True]
            ).fit(X, labels, PUBLIC, rng=0)


def test_a_missing_number_reaches_the_imputer_of_the_caller():
    """Missing here says 1 and 0 says 0, so only who sees the gaps can learn."""
    gaps = np.where(Y[:, None], np.nan, 0.0) + np.zeros((3000, 1))
    points = np.where(np.arange(300)[:, None] % 2, np.nan, 0.0)
    imputer = make_pipeline(
        SimpleImputer(strategy="constant", fill_value=5.0), LogisticRegression()
    )
    model = fitted(
        gaps, public=points, estimator=imputer, n_queries=20, classes=[False, True]
    )
    assert model.score(gaps, Y) == 1.0
    assert (
        fitted(gaps, public=np.zeros((9, 1)), n_queries=9, classes=[False, True]).score(
            gaps, Y
        )
        < 0.6
    )


def frames():
    def frame(table, shift):
        odd = np.where(table[:, 0] > shift, "red", "blue")
        return pd.DataFrame({"width": table[:, 1], "colour": odd, "unused": 3.0})

    return frame(X, 0.0), frame(PUBLIC, 0.0)


@pytest.mark.parametrize("queries", ["passive", "active"])
def test_columns_by_name_work(queries):
    records, points = frames()
    columns = ColumnTransformer(
        [("c", OneHotEncoder(), ["colour"]), ("w", StandardScaler(), ["width"])]
    )
    pipeline = make_pipeline(columns, LogisticRegression())
    options = {
        "queries": queries,
        "classes": [False, True],
        "n_teachers": 50,
        "epsilon": 8.0,
    }
    model = fitted(records, public=points, estimator=pipeline, **options)
    assert model.score(records, Y) > 0.8
    assert model.feature_names_in_.tolist() == ["width", "colour", "unused"]
    with pytest.raises(
        ValueError, match="X_public must be given unless X holds numbers"
    ):
        fitted(records, public=None, estimator=pipeline)


def test_a_category_that_one_record_alone_has_raises_nothing():
    records, points = frames()
    records.loc[7, "colour"] = "green"
    columns = ColumnTransformer(
        [("c", OneHotEncoder(), ["colour"]), ("w", StandardScaler(), ["width"])]
    )
    pipeline = make_pipeline(columns, LogisticRegression())
    model = fitted(
        records, public=points, estimator=pipeline, n_teachers=50, epsilon=8.0
    )
    assert model.score(points, TRUTH) > 0.8


def test_a_classifier_that_cannot_learn_is_refused_on_public_points():
    with pytest.raises(
        ValueError,
        match=r"estimator must be able to learn from public points, but got .*C",
    ):
        fitted(estimator=LogisticRegression(C=-1.0))


def test_public_points_with_other_columns_are_refused_by_name():
    records, points = frames()
    for other, said in (
        (points[points.columns[::-1]], "same order"),
        (points.assign(label=1), "- label"),
    ):
        with pytest.raises(
            ValueError, match=f"feature names should match(.|\n)*{said}"
        ):
            fitted(records, public=other)


@pytest.mark.parametrize("frame", [0, 1, 2])
def test_records_and_public_points_may_differ_in_form(frame):
    """A frame and an array, an array and a frame, and a frame with points made up."""
    table, points = (
        pd.DataFrame(X, columns=list("abc")),
        pd.DataFrame(PUBLIC, columns=list("abc")),
    )
    records, public = [(table, PUBLIC), (X, points), (table, None)][frame]
    assert fitted(records, public=public).score(records, Y) > 0.85


def test_records_that_are_called_public_warn_and_copies_of_their_law_do_not():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2))
    y = X[:, 0] > 0
    model = PATEClassifier(n_teachers=100, n_queries=2, classes=[False, True])
    with pytest.warns(UserWarning, match="X_public are the records themselves"):
        model.fit(X, y, X_public=X, rng=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(X, y, X_public=rng.normal(size=(20, 2)), rng=0)
        PATEClassifier(n_teachers=5, epsilon=None, classes=[False, True]).fit(
            X, y, X_public=X, rng=0
        )
