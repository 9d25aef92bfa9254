"""The split of the records, and teachers of which one record changes one."""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sparse
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from privml.pate import PATEClassifier, fit_teachers, independent_parts
from tests.refusals import refused

RNG = np.random.default_rng(5)
X = RNG.normal(size=(300, 4))
Y = np.where(X[:, 0] + 0.3 * RNG.normal(size=300) > 0, "yes", "no")
CLASSES = ["no", "yes"]


def fitted(X=X, y=Y, estimator=None, **options):
    options = {"n_teachers": 7, "classes": CLASSES, "rng": 3} | options
    return fit_teachers(estimator or LogisticRegression(), X, y, **options)


@pytest.mark.source("LZCW21-alg-pate-framework")
def test_replacing_one_record_changes_the_votes_of_one_teacher():
    votes = fitted().votes(X)
    for record in (0, 150, 299):
        changed_X, changed_y = X.copy(), Y.copy()
        changed_X[record] += 30
        changed_y[record] = "no"
        assert (votes != fitted(changed_X, changed_y).votes(X)).any(axis=1).sum() == 1


def test_teachers_are_shown_by_their_number_and_not_one_by_one():
    assert (
        repr(fitted())
        == str(fitted())
        == "Teachers(n_teachers=7, classes=['no', 'yes'])"
    )


@pytest.mark.parametrize(
    "odd", [None, "a", 1j, [0.5], [1.0, 2.0], 10**400, 2**64, 5.0], ids=type
)
@pytest.mark.parametrize("form", [list, np.array], ids=["list", "object"])
def test_one_odd_entry_of_a_list_with_gaps_moves_one_teacher_and_raises_nothing(
    form, odd
):
    """In a list no entry says of which dtype the others are: all gaps are read as before."""
    gaps = np.where(RNG.random(X.shape) < 0.05, np.nan, X).astype(object)
    gaps[17, 0] = 1e35
    strange = gaps.copy()
    strange[150, 1] = odd
    tables = [table.tolist() if form is list else table for table in (gaps, strange)]
    one, other = (fitted(table).votes(X) for table in tables)
    assert (one != other).any(axis=1).sum() <= 1
    assert (one == fitted(gaps.astype(float)).votes(X)).all()
    model = PATEClassifier(n_teachers=7, epsilon=None, classes=CLASSES)
    assert model.fit(tables[1], Y, X_public=X, rng=3).score(X, Y) > 0.8


@pytest.mark.source("LZCW21-alg-pate-framework")
def test_adding_a_record_changes_one_teacher_when_records_choose_independently():
    """The same coins for the records that stay: one more coin for the one that comes."""
    assert (
        independent_parts(299, 7, rng=3) == independent_parts(300, 7, rng=3)[:-1]
    ).all()


def test_independent_parts_are_uniform():
    counts = np.bincount(independent_parts(70_000, 7, rng=1), minlength=7)
    assert np.abs(counts - 10_000).max() < 5 * np.sqrt(70_000 * 6 / 49)


def test_a_teacher_is_the_classifier_trained_on_its_part():
    parts, teachers = independent_parts(300, 7, rng=3), fitted()
    for teacher, votes in enumerate(teachers.votes(X)):
        own = LogisticRegression().fit(X[parts == teacher], Y[parts == teacher])
        assert (own.predict(X) == np.array(CLASSES)[votes]).all()


def test_parts_of_one_class_or_none_give_constant_teachers():
    teachers = fit_teachers(
        LogisticRegression(), X[:3], ["yes"] * 3, n_teachers=9, classes=CLASSES, rng=0
    )
    assert set(teachers.members) == {0, 1}
    assert (
        teachers.votes(X).any(axis=1)
        == np.isin(np.arange(9), independent_parts(3, 9, rng=0))
    ).all()


def test_a_label_that_is_no_class_counts_as_the_first():
    odd = Y.copy()
    odd[:40] = "??"
    plain = Y.copy()
    plain[:40] = "no"
    assert (fitted(y=odd).votes(X) == fitted(y=plain).votes(X)).all()


def test_classes_may_stand_in_any_order():
    assert (fitted(classes=["yes", "no"]).votes(X) == 1 - fitted().votes(X)).all()


@pytest.mark.parametrize(
    "estimator", [GaussianNB(), DecisionTreeClassifier(max_features=1)]
)
def test_votes_do_not_depend_on_the_number_of_processes(estimator):
    assert (
        fitted(estimator=estimator, n_jobs=2).votes(X)
        == fitted(estimator=estimator).votes(X)
    ).all()


def test_sparse_matrices_give_the_same_votes_and_the_estimator_is_left_alone():
    estimator = LogisticRegression()
    found = fitted(sparse.coo_matrix(X), estimator=estimator).votes(
        sparse.csr_matrix(X)
    )
    assert (found == fitted().votes(X)).all()
    assert not hasattr(estimator, "coef_")


def test_more_than_two_classes_are_allowed():
    y = np.digitize(X[:, 1], [-0.5, 0.5])
    assert (fitted(y=y, classes=[0, 1, 2]).votes(X)[0] == y).mean() > 0.7


@pytest.mark.parametrize(
    "convert",
    [
        np.array,
        sparse.csr_matrix,
        lambda t: pd.DataFrame(t).where(abs(t) < 9).round().astype("Int64"),
    ],
)
@pytest.mark.parametrize(
    "estimator",
    [
        LogisticRegression(),
        LogisticRegression(solver="liblinear"),
        DecisionTreeClassifier(),
    ],
)
def test_a_number_that_is_not_finite_counts_as_zero_and_does_not_raise(
    convert, estimator
):
    odd, plain = X.copy(), X.copy()
    odd[[3, 70, 111, 200, 201], 1] = [np.nan, np.inf, -np.inf, 1e300, 2e30]
    plain[[3, 70, 111, 200, 201], 1] = 0
    votes = fitted(convert(odd), estimator=estimator).votes(convert(odd))
    assert (
        votes == fitted(convert(plain), estimator=estimator).votes(convert(plain))
    ).all()
    assert np.isnan(odd[3, 1])  # the caller's records are left alone


class Touchy(GaussianNB):
    """Raises an error with the record in it, and warns of it, where a number is large."""

    def fit(self, X, y):
        warnings.warn("a record is " + str(X.max()), stacklevel=1)
        if X.max() > 20:
            raise RuntimeError(f"the record {X.max()}")
        return super().fit(X, y)

    def predict(self, X):
        if X.max() > 20:
            raise RuntimeError("a point")
        return super().predict(X)


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_a_teacher_that_fails_says_the_first_class_and_the_others_are_as_they_were(
    n_jobs,
):
    odd = X.copy()
    odd[150, 0] = 25.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one, other = (
            fitted(table, estimator=Touchy(), n_jobs=n_jobs).votes(X)
            for table in (X, odd)
        )
    changed = (one != other).any(axis=1)
    assert changed.sum() == 1
    assert not other[changed].any()
    assert not fitted(estimator=Touchy()).votes(odd).any()


class Wild(GaussianNB):
    """Answers with numbers that are no class."""

    def predict(self, X):
        return np.resize([0.0, 1.0, -1.0, 2.0, np.nan, 300.0], len(X))


def test_answers_that_are_no_class_count_as_the_first():
    assert fitted(estimator=Wild()).votes(X[:6]).tolist() == [[0, 1, 0, 0, 0, 0]] * 7


def test_warnings_of_training_are_not_shown():
    """Whether an iteration converges depends on one record."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted(estimator=LogisticRegression(max_iter=1))


@pytest.mark.parametrize(
    "estimator",
    [
        DecisionTreeClassifier(max_features=1, splitter="random"),
        make_pipeline(
            StandardScaler(), DecisionTreeClassifier(max_features=1, splitter="random")
        ),
    ],
)
def test_teachers_get_seeds_of_their_own_from_the_generator_of_the_caller(estimator):
    """Two heaps of equal records, so that teachers differ by where they cut between, by their seeds."""
    heaps, labels = np.repeat([[0.0], [1.0]], 300, axis=0), np.repeat(CLASSES, 300)
    points = np.linspace(0, 1, 1000)[:, None]
    votes = [
        fitted(heaps, labels, estimator, n_teachers=6, rng=i).votes(points)
        for i in (1, 1, 2)
    ]
    one, again, other = votes
    assert len({row.tobytes() for row in one}) == 6
    assert (one == again).all()
    assert (one != other).any()


test_bad_input_is_refused_with_a_reason = refused(
    ({"classes": ["no"]}, "classes must be"),
    ({"classes": ["no", "no"]}, "classes must be"),
    ({"y": Y[:10]}, "one label for each of the"),
    call=lambda change: fitted(**change),
)


def test_votes_are_the_same_on_a_dask_cluster():
    import distributed
    from joblib import parallel_config

    local = {
        "n_workers": 2,
        "threads_per_worker": 1,
        "processes": False,
        "dashboard_address": None,
    }
    with distributed.Client(**local), parallel_config("dask"):
        votes = fitted(n_jobs=2).votes(X)
    assert (votes == fitted().votes(X)).all()


@pytest.mark.parametrize("kind", [np.array, pd.DataFrame, sparse.csr_matrix])
def test_a_teacher_that_writes_into_its_points_changes_those_of_no_other(kind):
    """A scaler without copies would subtract a private mean from the public points of all later teachers."""

    class Shifted:
        def fit(self, X, labels):
            self.shift = float(X.sum())

        def predict(self, X):
            X *= self.shift
            return (np.ravel(X.sum(axis=1)) > 0).astype(int)

    rng = np.random.default_rng(0)
    X, public = rng.normal(size=(400, 2)), rng.normal(size=(30, 2))
    y, first = X[:, 0] > 0, independent_parts(400, 8, rng=1) == 0
    scaled = make_pipeline(
        StandardScaler(copy=False, with_mean=kind is not sparse.csr_matrix),
        LogisticRegression(),
    )
    other = np.where(first[:, None], -1e3 * np.abs(X), X)
    for estimator in (Shifted(), scaled):
        votes = [
            fit_teachers(
                estimator, kind(records), y, n_teachers=8, classes=[False, True], rng=1
            ).votes(kind(public))
            for records in (X, other)
        ]
        changed = (votes[0] != votes[1]).any(axis=1)
        assert not changed[1:].any()
