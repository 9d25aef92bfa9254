"""Containers of records: what one entry is or does changes neither errors, nor warnings, nor other entries."""

import array
import warnings
from collections import UserList, deque
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from privml import statistics
from privml._records import declared_classes, label_places, numeric, targets
from privml.learners import ExponentialRidge, ObjectivePerturbation


class Raises:
    """Every way to ask what it is raises."""

    @property
    def __class__(self):
        raise RuntimeError("secret")

    @property
    def __array_interface__(self):
        raise RuntimeError("secret")

    def _fail(self, *args, **kwargs):
        raise RuntimeError("secret")

    __array__ = __float__ = __int__ = __index__ = __eq__ = __hash__ = __len__ = _fail
    __getitem__ = __iter__ = __repr__ = __str__ = __bool__ = __ne__ = _fail


class Warns(float):
    """A number that warns when it is read."""

    def __float__(self):
        warnings.warn("secret", UserWarning, stacklevel=2)
        return 1.0

    def __array__(self, *args, **kwargs):
        warnings.warn("secret", UserWarning, stacklevel=2)
        return np.array([1.0, 2.0])

    def __eq__(self, other):
        warnings.warn("secret", UserWarning, stacklevel=2)
        return True

    def __hash__(self):
        warnings.warn("secret", UserWarning, stacklevel=2)
        return 1


class WarningInteger(int):
    def __float__(self):
        warnings.warn("secret", UserWarning, stacklevel=2)
        raise OverflowError

    def __gt__(self, other):
        raise RuntimeError("secret")


class Long:
    """As long as a record, and of other entries."""

    def __len__(self):
        return 2

    def __getitem__(self, place):
        return [[1.0], [2.0]][place]


def of_bad_type():
    """An object whose class raises, in a function since pytest looks at all classes of a module."""

    class BadType(type):
        def __getattribute__(cls, name):
            if name in ("__name__", "__mro__", "__class__", "__module__"):
                raise RuntimeError("secret")
            return super().__getattribute__(name)

    class OfBadType(metaclass=BadType):
        pass

    return OfBadType()


STRANGE = {
    "raises": Raises(),
    "warns": Warns(1.0),
    "integer": WarningInteger(3),
    "long": Long(),
    "type": of_bad_type(),
    "list": [1.0, 2.0],
    "nested": [[1.0], [2.0]],
    "short": [],
    "array": np.ones(2),
    "matrix": np.ones((2, 1)),
    "ragged": [1.0, [2.0]],
    "deque": deque([1.0, 2.0]),
    "word": "secret",
    "none": None,
    "complex": 1j,
    "bytes": b"12",
    "date": np.datetime64("2020-01-01"),
    "span": np.timedelta64(3, "D"),
    "long double": np.longdouble("1e4000"),
    "large": 10**5000,
    "digits": "1" * 5000,
    "fraction": Fraction(10**400),
    "decimal": Decimal("sNaN"),
    "void": np.zeros(1, dtype=[("a", float)])[0],
    "set": {1.0},
    "generator": (i for i in range(2)),
    "iterator": iter([1.0]),
    "range": range(2),
    "object": object(),
    "type itself": float,
}
CONTAINERS = {
    "list": list,
    "tuple": tuple,
    "deque": deque,
    "UserList": UserList,
    "array": lambda values: np.fromiter(values, dtype=object, count=len(values)),
}
each_entry = pytest.mark.parametrize("entry", STRANGE)
each_container = pytest.mark.parametrize("make", CONTAINERS.values(), ids=CONTAINERS)


def table(make, rows):
    """Rows in a container: of an array the cells of one, since rows in an array of objects are no table."""
    if make is not CONTAINERS["array"]:
        return make([make(row) for row in rows])
    held = np.empty((len(rows), len(rows[0])), dtype=object)
    for place, row in enumerate(rows):
        held[place] = make(row)
    return held


@pytest.fixture(autouse=True)
def strict():
    """Every warning is an error."""
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        yield


@each_entry
@each_container
def test_a_value_is_read_by_itself(make, entry):
    entry = STRANGE[entry]
    for place in range(3):
        values = [0.25, 0.5, 0.75]
        values[place] = entry
        for found in (
            numeric("records", make(values)),
            targets(make(values), 3),
        ):
            assert found.shape == (3,)
            kept = np.delete(found, place)
            assert kept.tolist() == np.delete([0.25, 0.5, 0.75], place).tolist()


@each_entry
@each_container
def test_an_entry_of_a_row_is_read_by_itself(make, entry):
    entry = STRANGE[entry]
    rows = [[0.25, 0.5], [0.75, 1.0], [0.0, 0.125]]
    rows[1][1] = entry
    found = numeric("X", table(make, rows))
    assert found.shape == (3, 2)
    assert np.delete(found.ravel(), 3).tolist() == [0.25, 0.5, 0.75, 0.0, 0.125]


@each_entry
@each_container
def test_a_label_is_read_by_itself(make, entry):
    entry = STRANGE[entry]
    classes = declared_classes((0, 1))
    found = label_places(make([1, entry, 1]), classes, 3)
    assert found[[0, 2]].tolist() == [1, 1]
    words = label_places(make(["b", entry, "b"]), declared_classes(("a", "b")), 3)
    assert words.tolist() == [1, 0, 1]


@each_entry
@each_container
def test_statistics_take_every_container(make, entry):
    entry = STRANGE[entry]
    values = make([0.25, entry, 0.75])
    for statistic in (
        statistics.PrivateMean(bounds=(0, 1), epsilon=1.0),
        statistics.PrivateSum(bounds=(0, 1), epsilon=1.0),
        statistics.PrivateQuantile(q=0.5, options=[0.0, 0.5, 1.0], epsilon=1.0),
        statistics.PrivateCount(epsilon=1.0),
        statistics.PrivateHistogram(categories=[0.25, 0.5], epsilon=1.0),
        statistics.PrivateRunningCounts(edges=[0, 0.3, 1], epsilon=1.0),
    ):
        statistic.release(values, rng=0)


@each_entry
@each_container
def test_learners_take_every_container(make, entry):
    entry = STRANGE[entry]
    rows, labels = [[0.25, 0.5]] * 9, [0, 1, 1] * 3
    for learner in (
        ObjectivePerturbation(1.0, bounds="unit", classes=(0, 1)),
        ExponentialRidge(1.0, bounds="unit", target_bounds="unit"),
    ):
        odd = table(make, [[0.25, entry], *rows[1:]])
        learner.fit(odd, make(labels), rng=0)
        learner.fit(table(make, rows), make([entry, *labels[1:]]), rng=0)
        learner.predict(odd)


def test_a_column_of_rows_of_one_counts_each_by_itself():
    assert targets([[1.0], [2.0]], 2).tolist() == [1.0, 2.0]
    assert targets([[1.0], 2.0, (3.0,)], 3).tolist() == [1.0, 2.0, 3.0]
    classes = declared_classes((0, 1))
    assert label_places([[1], 0, (1,)], classes, 3).tolist() == [1, 0, 1]


def test_buffers_and_ranges_are_read_as_before():
    assert numeric("records", array.array("d", [1.0, 2.0])).tolist() == [1.0, 2.0]
    assert numeric("records", range(3)).tolist() == [0, 1, 2]
    assert numeric("records", memoryview(np.arange(2.0))).tolist() == [0.0, 1.0]
    assert numeric("X", deque([deque([1, 2]), deque([3, 4])])).tolist() == [
        [1, 2],
        [3, 4],
    ]
