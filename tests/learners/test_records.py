"""Records of every learner: refused for the shape and dtype of the whole, never for the value of one."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import is_regressor

from privml._records import declared_classes, label_places, numeric
from privml.learners import ERM, UnscaledWarning
from tests.learners.roster import CLASSIFIERS, LEARNERS, each, records, released

STRANGE = [
    *(
        None,
        "secret",
        np.nan,
        np.inf,
        -np.inf,
        10**400,
        {"secret": 1},
        [1.0],
        1j,
        object(),
    ),
    *(
        1e308,
        -1e308,
        1e200,
        5e-324,
        np.complex128(2.0),
        np.longdouble("1e4000"),
        np.float16(6e4),
    ),
]


def output(learner, X, y):
    """Everything that a fit learned, without warnings but for those of the base."""
    options = {} if is_regressor(learner) else {"classes": (0, 1)}
    learner.set_params(**options).fit(
        X, y, **({} if isinstance(learner, ERM) else {"rng": 3})
    )
    return np.concatenate([released(learner), learner.predict(np.eye(2))])


@each(LEARNERS)
@pytest.mark.parametrize("strange", STRANGE, ids=lambda value: type(value).__name__)
def test_no_instance_raises_by_its_value(make, strange):
    X, y = records()
    X = X.astype(object)
    X[4, 1] = strange
    ranges = [{"bounds": (0.0, 1.0)}] if "bounds" in make().get_params() else []
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UnscaledWarning)
        warnings.filterwarnings(
            "ignore", message="The noise .*is too large for"
        )  # by public numbers
        for options in ({}, *ranges):
            assert np.isfinite(output(make(**options), X, y)).all()
            output(make(**options), X.tolist(), y.tolist())


@each(LEARNERS)
def test_no_float_overflows_audibly(make):
    """Alone it has a dtype of its own, whose sums and squares overflow."""
    X, y = records()
    floats = np.array([[1e308, -1e308], [np.inf, 1e200], [5e-324, 1e-200]])
    entries = [*floats, np.array(["1e4000"] * 2, np.longdouble)]
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UnscaledWarning)
        warnings.filterwarnings(
            "ignore", message="The noise .*is too large for"
        )  # by public numbers
        for entry in entries:
            odd = X.astype(entry.dtype)
            odd[4] = entry
            assert np.isfinite(output(make(), odd, y)).all()


@each(CLASSIFIERS)
def test_complex_numbers_are_refused_and_not_shown(make):
    """The message of scikit-learn on sparse ones and on labels shows them all."""
    X, y = records()
    for instances, labels in (
        (sparse.csr_matrix(X + 77j), y),
        (X, y + 77j),
        (X, [77j, *y[1:]]),
    ):
        with pytest.raises(ValueError, match="omplex|dense|set_params") as refusal:
            make().fit(instances, labels)
        assert "77" not in str(refusal.value)


@each(CLASSIFIERS)
@pytest.mark.parametrize(
    "strange", [*STRANGE, 7, True, 0.5], ids=lambda value: type(value).__name__
)
def test_a_label_that_is_none_of_the_declared_ones_counts_as_the_first(make, strange):
    X, y = records()
    y = y.astype(object)
    y[4] = strange
    held = strange is True or strange == [1.0]  # a row of one is its entry
    expected = output(make(), X, np.where(np.arange(len(y)) == 4, held, y).astype(int))
    assert (output(make(), X, y) == expected).all()
    assert (output(make(), X, y.tolist()) == expected).all()


@each(LEARNERS)
@pytest.mark.parametrize("strange", [np.nan, np.inf, -np.inf, 1e300])
def test_no_float_label_raises_by_its_value(make, strange):
    X, y = records()
    y = y.astype(float)
    y[4] = strange
    end = np.nan_to_num(np.clip(strange, -1.0, 1.0)) if is_regressor(make()) else 0.0
    assert (
        output(make(), X, y)
        == output(make(), X, np.where(np.arange(len(y)) == 4, end, y))
    ).all()


@each(CLASSIFIERS)
def test_a_part_or_a_data_set_with_one_class_is_no_error(make):
    X, y = records()
    output(make(), X, np.ones_like(y))
    output(make(), X[:4], np.zeros(4))


@each(CLASSIFIERS)
def test_declared_classes_that_no_label_can_match_are_refused_by_dtype(make):
    X, y = records()
    for labels, classes in (
        (y == 1, ("no", "yes")),
        (y.astype(str), (0, 1)),
        (y, ("0", "1")),
    ):
        with pytest.raises(
            ValueError, match="classes must have the same type as the labels"
        ):
            make(classes=classes).fit(X, labels)
    for classes in ((0,), (1, 1), (0, 1, 2), (0.0, np.nan)):
        with pytest.raises(ValueError, match="classes must be two distinct labels"):
            make(classes=classes).fit(X, y)
    assert (
        make(classes=(False, True)).fit(X, y).predict(X).dtype == y.dtype
    )  # a bag takes them for places


@each(LEARNERS)
def test_what_is_refused_is_refused_for_shape_or_dtype_and_shows_no_record(make):
    X, y = records()
    learner = make() if is_regressor(make()) else make(classes=(0, 1))
    X[0] = 0.125
    bad = [
        (X[:, 0], y),
        (X[:, :, None], y),
        (X + 0j, y),
        (X.astype(str), y),
        (X, y[:5]),
        (X[:0], y[:0]),
    ]
    texts = (
        pd.DataFrame(X).astype({1: "str"}),
        pd.DataFrame(X).astype({1: "string"}).astype({1: "category"}),
    )
    for instances, labels in [*bad, *((text, y) for text in texts)]:
        with pytest.raises(ValueError, match=r"shape|dtype|array|records") as refusal:
            learner.fit(instances, labels)
        assert "0.125" not in str(refusal.value)


@pytest.mark.filterwarnings("error:X .* feature names")
@each(LEARNERS)
def test_names_of_columns_are_kept_and_columns_in_another_order_refused(make):
    X, y = records()
    frame = pd.DataFrame(X, columns=["a", "b"])
    for options in {}, {} if is_regressor(make()) else {"classes": (0, 1)}:
        learner = make(**options).fit(frame, y)
        assert learner.feature_names_in_.tolist() == ["a", "b"]
        assert learner.n_features_in_ == 2
        with pytest.raises(ValueError, match="must be in the same order"):
            learner.predict(frame[["b", "a"]])
        learner.predict(frame)


@pytest.mark.filterwarnings("ignore:A column-vector y")
def test_columns_of_labels_are_read_by_their_dtype_and_others_refused_by_it():
    classes, codes = np.array(["<=50K", ">50K"]), np.arange(6) % 2
    texts = [
        pd.Series(classes[codes], dtype=dtype)
        for dtype in ("str", "string", "category", object)
    ]
    whole = [
        pd.Series(codes, dtype=dtype)
        for dtype in ("int8", "Int64", "boolean", "category")
    ]
    for columns, known, others in (
        (texts, classes, [0, 1]),
        (whole, np.array([0, 1]), ["0", "1"]),
    ):
        for column in columns:
            gap = column.copy()
            gap[1] = None if column.dtype != "int8" else 0
            for y in column, pd.Index(column), column.array:
                assert label_places(y, known, 6).tolist() == codes.tolist()
            assert label_places(gap, known, 6).tolist() == [0, 0, 0, 1, 0, 1]
            for y in (
                (column, gap, gap.array, gap.to_frame())
                if column.dtype != object
                else ()
            ):
                with pytest.raises(
                    ValueError,
                    match="labels of dtype .* Declare the labels as they are",
                ):
                    label_places(y, np.array(others), 6)


def test_numbers_of_any_kind_are_read():
    assert numeric("X", [[True, "2.5", np.float32(0.5), 3]]).tolist() == [
        [1.0, 2.5, 0.5, 3.0]
    ]
    assert numeric("X", np.array([1, 2**53 + 1])).tolist() == [1, 2**53 + 1]
    assert numeric("X", [[10**400, -(10**400)]]).tolist() == [[np.inf, -np.inf]]
    odd = pd.DataFrame(
        {"age": pd.Series([2, "3", "?"], dtype=object), 0: [1, 2, 1]}
    ).astype({0: "category"})
    assert np.array_equal(
        numeric("X", odd), [[2, 1], [3, 2], [np.nan, 1]], equal_nan=True
    )
    with pytest.raises(
        ValueError,
        match=r"got age: str, 1: category \(str\)\. Encode words with OneHotEncoder",
    ):
        numeric(
            "X",
            odd.astype({"age": "str"}).assign(**{"1": "a"}).astype({"1": "category"}),
        )


def test_many_classes_are_read_by_place():
    classes = declared_classes([3, 1, 2], n_most=256)
    assert label_places(
        np.array([1.0, 2.0, 3.0, 4.0, np.nan]), classes, 5
    ).tolist() == [1, 2, 0, 0, 0]
    assert label_places([1, "2", True, None, 2], classes, 5).tolist() == [1, 0, 1, 0, 2]
    with pytest.raises(ValueError, match="2 to 256 distinct"):
        declared_classes([1], n_most=256)
