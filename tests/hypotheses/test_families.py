"""Every family against its definition, spelled out record by record in plain Python."""

import tracemalloc
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privml.hypotheses import (
    Conjunctions,
    DecisionStumps,
    HypothesisClass,
    Parities,
    Table,
    Thresholds,
    base,
    boolean_cube,
    table,
)

CUTS = [0.0, 0.5, 2.0]
ROWS = [
    [False, True, True],
    [True, False, True],
    [False, True, True],
    [False, False, False],
]


def digits(index, base, length):
    return [index // base**place % base for place in range(length)]


def stump(index, x):
    grid = [
        (feature, cut) for feature, cuts in enumerate([CUTS, [], [1.0]]) for cut in cuts
    ]
    feature, cut = grid[index % len(grid)]
    return bool(x[feature] >= cut) == (index < len(grid))


def conjunction(index, x):
    if index == 27:
        return False
    pairs = zip(digits(index, 3, 3), x, strict=True)
    return all(asked == 0 or (asked == 1) == (bit > 0) for asked, bit in pairs)


def monotone(index, x):
    return all(
        bit > 0 for asked, bit in zip(digits(index, 2, 3), x, strict=True) if asked
    )


def parity(index, x):
    return (
        sum(bit > 0 for asked, bit in zip(digits(index, 2, 3), x, strict=True) if asked)
        % 2
        == 1
    )


def nearest(x, n_points):
    return 0 if np.isnan(x) else min(max(round(min(max(x, -9), 9)), 0), n_points - 1)


LINE = st.lists(
    st.sampled_from([-np.inf, -1.0, 0.0, 0.25, 0.5, 1.0, 2.0, 3.0, np.inf, np.nan]),
    max_size=8,
)
CUBE = st.lists(
    st.tuples(*[st.sampled_from([-1.0, 0.0, 1.0, 0.3, 2.0, np.nan])] * 3).map(list),
    max_size=8,
)
FAMILIES = {
    "thresholds": (Thresholds(CUTS), lambda index, x: x >= CUTS[index], LINE),
    "stumps": (DecisionStumps([CUTS, [], [1.0]]), stump, CUBE),
    "conjunctions": (Conjunctions(3), conjunction, CUBE),
    "monotone": (Conjunctions(3, monotone=True), monotone, CUBE),
    "parities": (Parities(3), parity, CUBE),
    "table": (Table(ROWS), lambda index, x: ROWS[index][nearest(x, 3)], LINE),
}
SIZES = dict(zip(FAMILIES, [3, 8, 28, 8, 8, 4], strict=True))


@pytest.fixture(params=FAMILIES, scope="module")
def family(request):
    return request.param


def as_records(hypotheses, rows):
    X = np.array(rows, dtype=float)
    return X.reshape(-1, 3) if hypotheses.n_features == 3 else X


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_predictions_and_mistakes_agree_with_the_definition_record_by_record(
    family, data
):
    hypotheses, label, records = FAMILIES[family]
    rows = data.draw(records)
    y = np.array(
        data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))),
        dtype=bool,
    )
    X = as_records(hypotheses, rows)
    expected = np.array(
        [[label(index, x) for x in rows] for index in range(SIZES[family])], dtype=bool
    )
    expected = expected.reshape(SIZES[family], len(rows))
    assert hypotheses.n_hypotheses == SIZES[family]
    np.testing.assert_array_equal(hypotheses.predict(X), expected)
    for mistakes in (
        hypotheses.mistakes(X, y),
        HypothesisClass.mistakes(hypotheses, X, y),
    ):
        assert mistakes.dtype == np.int64
        assert mistakes.tolist() == [
            sum(row[i] != y[i] for i in range(len(rows))) for row in expected
        ]


def test_chosen_indices_give_the_same_rows_in_the_asked_order(family):
    hypotheses = FAMILIES[family][0]
    X = as_records(hypotheses, np.arange(9) % 4 - 0.5)
    order = np.random.default_rng(0).integers(hypotheses.n_hypotheses, size=20)
    np.testing.assert_array_equal(
        hypotheses.predict(X, order), hypotheses.predict(X)[order]
    )
    assert hypotheses.predict(X, []).shape == (0, len(X))


def test_descriptions_are_true(family):
    hypotheses = FAMILIES[family][0]
    rows = (
        list(product([0.0, 1.0], repeat=3))
        if hypotheses.n_features == 3
        else [0.0, 1.0, 2.0]
    )
    labels = hypotheses.predict(as_records(hypotheses, rows))
    fixed = {"always true": "True", "always false": "False"}
    for index in range(hypotheses.n_hypotheses):
        text = hypotheses.describe(index)
        if family == "table":
            assert text == "".join("01"[int(label)] for label in labels[index])
            continue
        expression = fixed.get(text, text.replace("xor", "!="))
        if family == "parities" and " != " in expression:  # chained != is not xor
            expression = "(" + text.replace(" xor ", " + ") + ") % 2"
        assert [bool(eval(expression, {"x": x})) for x in rows] == labels[
            index
        ].tolist(), text


@pytest.mark.parametrize("index", [-1, 10**6, 1.5, True, None, "0", np.nan])
def test_an_index_out_of_range_is_refused(family, index):
    hypotheses = FAMILIES[family][0]
    X = as_records(hypotheses, [0.0, 1.0, 2.0])
    with pytest.raises(ValueError, match="index must be"):
        hypotheses.describe(index)
    if index is not None:
        with pytest.raises(ValueError, match="indices must be"):
            hypotheses.predict(X, [index])


def test_blocks_cover_the_class_in_order_within_their_memory(family, monkeypatch):
    hypotheses = FAMILIES[family][0]
    X = as_records(hypotheses, np.arange(12_000) % 5 - 1.0)
    hypotheses.predict(X[:1])  # warm up
    monkeypatch.setattr(base, "BLOCK_BYTES", 200_000)
    expected, seen = hypotheses.predict(X), 0
    for rows, labels in hypotheses.blocks(X):
        assert rows.start == seen
        np.testing.assert_array_equal(labels, expected[rows])
        seen = rows.stop
        assert labels.nbytes <= 200_000
    assert seen == hypotheses.n_hypotheses


BIG = {
    "stumps": DecisionStumps.on_grid(8, 0.0, 1.0, 250),
    "conjunctions": Conjunctions(8),
    "parities": Parities(8),
    "table": Table(np.eye(500, dtype=bool)),
}


@pytest.mark.parametrize("name", BIG)
def test_peak_memory_stays_near_the_budget(name, monkeypatch):
    monkeypatch.setattr(base, "BLOCK_BYTES", 4_000_000)
    hypotheses = BIG[name]
    X = np.random.default_rng(1).random((5000, hypotheses.n_features or 1))
    y = X[:, 0] < 0.5
    HypothesisClass.mistakes(hypotheses, X[:2], y[:2])
    tracemalloc.start()
    HypothesisClass.mistakes(hypotheses, X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4_000_000 + 4 * X.nbytes + 200_000


@pytest.mark.parametrize("name", BIG)
def test_mistakes_without_predictions_equal_mistakes_by_predictions(name):
    hypotheses = BIG[name]
    rng = np.random.default_rng(2)
    X = rng.random((700, hypotheses.n_features or 1)) * (500 if name == "table" else 1)
    X = X - 0.5 * (name in ("conjunctions", "parities"))
    y = rng.random(700) < 0.3
    slow = HypothesisClass.mistakes(hypotheses, X, y)
    np.testing.assert_array_equal(hypotheses.mistakes(X, y), slow)
    assert len(set(slow.tolist())) > 8


def test_counts_stay_exact_beyond_the_whole_numbers_of_float32(monkeypatch):
    monkeypatch.setattr(base, "_EXACT_FLOAT32", 7)
    thresholds = Thresholds([0.5, 1.5])
    X, y = np.arange(40) % 3, np.arange(40) % 2 == 0
    np.testing.assert_array_equal(
        HypothesisClass.mistakes(thresholds, X, y), thresholds.mistakes(X, y)
    )


def test_no_records_mean_no_mistakes(family):
    hypotheses = FAMILIES[family][0]
    assert (
        hypotheses.mistakes(as_records(hypotheses, []), []).tolist()
        == [0] * hypotheses.n_hypotheses
    )


@pytest.mark.parametrize(
    "y", [[1, 0, 1], [True, False], [[True], [False], [True]], [1.0, -1, 1], ["a"] * 3]
)
def test_labels_that_are_not_one_bool_per_record_are_refused(family, y):
    hypotheses = FAMILIES[family][0]
    with pytest.raises(ValueError, match="y must be a vector of 3 bools"):
        hypotheses.mistakes(
            as_records(hypotheses, np.zeros((3, hypotheses.n_features or 1)).squeeze()),
            y,
        )


@pytest.mark.parametrize(
    "X", [np.zeros((3, 4)), np.zeros(()), np.zeros((2, 3, 1)), [["a"] * 3], [{}]]
)
def test_instances_of_the_wrong_shape_or_kind_are_refused(family, X):
    with pytest.raises(ValueError, match="X must be"):
        FAMILIES[family][0].predict(X)


def test_a_sparse_matrix_is_refused_with_a_reason():
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(
        ValueError, match="X must be a dense array of numbers, but got csr_array"
    ):
        Parities(3).predict(sparse.csr_array(np.zeros((2, 3))))


CUTLESS = [
    [],
    [np.nan],
    [0.0, np.inf],
    [1.0, 0.0],
    [1.0, 1.0],
    "ab",
    [[0.0, 1.0]],
    None,
]


@pytest.mark.parametrize("cuts", CUTLESS)
@pytest.mark.parametrize(
    "family_of_cuts", [Thresholds, lambda cuts: DecisionStumps([cuts])]
)
def test_cut_points_that_are_empty_not_finite_or_not_increasing_are_refused(
    family_of_cuts, cuts
):
    with pytest.raises(ValueError, match="cut"):
        family_of_cuts(cuts)


@pytest.mark.parametrize(
    "rows", [[], [[]], [True], [[0, 1]], np.zeros((2, 0), dtype=bool), [[0.5]]]
)
def test_a_table_that_is_empty_or_not_bool_is_refused(rows):
    with pytest.raises(ValueError, match="predictions must be a non-empty bool matrix"):
        Table(rows)


def test_classes_that_are_too_large_say_so_and_still_predict_by_index():
    wide = Parities(40)
    X = np.ones((2, 40))
    with pytest.raises(
        ValueError, match=r"at most 67108864 .* got 1099511627776\. Pass indices"
    ):
        wide.mistakes(X, [True, False])
    with pytest.raises(ValueError, match="Pass indices"):
        next(wide.blocks(X))
    assert wide.predict(X, [0, 7, 2**39]).tolist() == [
        [False] * 2,
        [True] * 2,
        [True] * 2,
    ]
    for make, largest in [(Conjunctions, 39), (Parities, 62), (boolean_cube, 24)]:
        with pytest.raises(ValueError, match=f"n_features must be at most {largest}"):
            make(largest + 1)


def test_what_a_class_stores_cannot_be_changed():
    cuts = np.array([0.0, 1.0])
    thresholds = Thresholds(cuts)
    cuts[0] = 5.0
    assert thresholds.cuts[0] == 0.0
    stumps = DecisionStumps([cuts * 0 + [1, 2]])
    for array in (thresholds.cuts, Table(ROWS).predictions, stumps.cut_points[0]):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_a_grid_of_stumps_divides_the_range_into_equal_cells():
    stumps = DecisionStumps.on_grid(3, -1.0, 1.0, 4)
    assert stumps.n_hypotheses == 24
    for cuts in stumps.cut_points:
        np.testing.assert_allclose(np.diff(np.concatenate([[-1.0], cuts, [1.0]])), 0.4)


@pytest.mark.parametrize("ends", [(1.0, 1.0, 3), (1.0, 0.0, 3), (np.nan, 1.0, 3)])
def test_an_empty_grid_is_refused(ends):
    with pytest.raises(ValueError, match="must be"):
        DecisionStumps.on_grid(2, *ends)
    with pytest.raises(ValueError, match="must be"):
        DecisionStumps.on_grid(0, 0.0, 1.0, 3)


def test_an_index_one_past_the_last_is_refused():
    for hypotheses in (Thresholds(CUTS), Table(ROWS), Parities(2)):
        with pytest.raises(ValueError, match="index must be in"):
            hypotheses.describe(hypotheses.n_hypotheses)
        with pytest.raises(ValueError, match="indices must be in"):
            hypotheses.predict(
                np.zeros((1, hypotheses.n_features or 1)), [hypotheses.n_hypotheses]
            )


def test_sums_of_labels_are_added_in_parts_that_floats_hold_exactly(monkeypatch):
    assert base._EXACT_FLOAT32 <= 2**24  # up to there float32 counts
    labels = np.random.default_rng(0).random((3, 20)) < 0.5
    y = np.arange(20) % 3 == 0
    monkeypatch.setattr(base, "_EXACT_FLOAT32", 7)
    assert (
        base._mistakes_of_rows(labels, y).tolist() == (labels != y).sum(axis=1).tolist()
    )


def test_a_table_is_a_copy_and_counts_mistakes_whatever_the_blocks(monkeypatch):
    given = np.array(ROWS)
    hypotheses = Table(given)
    X, y = np.array([0, 1, 2, 2, 0]), np.array([True, False, True, False, False])
    expected = (hypotheses.predict(X) != y).sum(axis=1).tolist()
    for size in (1, 48, 1 << 20):  # one row, two rows or all at a time
        monkeypatch.setattr(table, "BLOCK_BYTES", size)
        assert hypotheses.mistakes(X, y).tolist() == expected
    given[:] = ~given
    assert hypotheses.predictions.tolist() == ROWS
