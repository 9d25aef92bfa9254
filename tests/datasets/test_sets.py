"""Data sets: public ranges, published shapes, and how each is read."""

import gzip
import hashlib
import os
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer as bundled_breast_cancer
from sklearn.datasets import load_digits

from privml import datasets
from privml.datasets import base, load_digits_below_five, loaders
from privml.results import margins_adult

DATA = Path(os.environ.get("PRIVML_DATA", "/nowhere"))
needs_data = pytest.mark.skipif(
    not (DATA / "mushrooms.svm.gz").is_file(),
    reason="PRIVML_DATA does not name a folder with mushrooms.svm.gz",
)
LINES = """|1x3 Cross validator
25, Private, 226802, 11th, 7, Never-married, Machine-op-inspct, Own-child, Black, Male, 0, 0, 40, Peru, <=50K.
90, ?, 9999999, Masters, 14, Divorced, ?, Wife, White, Female, 99999, 1, 99, ?, >50K.

"""


def test_breast_cancer_is_scaled_by_the_ranges_printed_in_its_description():
    bunch = bundled_breast_cancer()
    printed = re.findall(
        r"^([a-z ]+\([a-z ]+\)): +([\d.]+) +([\d.]+)$", bunch.DESCR, flags=re.MULTILINE
    )
    found = [(name, float(low), float(high)) for name, low, high in printed]
    assert found == list(loaders.BREAST_CANCER_RANGES)
    tumours = datasets.load_breast_cancer()
    for column, (name, low, high) in enumerate(loaders.BREAST_CANCER_RANGES):
        expected = np.clip((bunch.data[:, column] - low) / (high - low), 0, 1)
        np.testing.assert_allclose(tumours.X[:, column], expected, atol=1e-15)
        assert tumours.feature_names[column] == name


def test_the_order_of_the_breast_cancer_features_is_that_of_the_data():
    words = {"(mean)": "mean", "(standard error)": "error", "(worst)": "worst"}
    ours = datasets.load_breast_cancer().feature_names
    for name, theirs in zip(ours, bundled_breast_cancer().feature_names, strict=True):
        feature, kind = name.split(" (")
        assert sorted([*feature.split(), words["(" + kind]]) == sorted(theirs.split())


def test_breast_cancer_labels_are_true_for_malignant():
    tumours, bunch = datasets.load_breast_cancer(), bundled_breast_cancer()
    assert tumours.y.dtype == bool
    np.testing.assert_array_equal(
        tumours.y, bunch.target_names[bunch.target] == tumours.classes[1]
    )
    assert tumours.X.min() == 0.0
    assert tumours.X.max() == 1.0


@needs_data
def test_mushrooms_have_the_published_shape_and_classes():
    mushrooms = datasets.load_mushrooms()
    assert mushrooms.X.shape == (8124, 112)
    assert set(np.unique(mushrooms.X)) == {0.0, 1.0}
    assert (mushrooms.X.sum(axis=1) == 21).all()  # one value of each of 21 attributes
    assert int(mushrooms.y.sum()) == 3916
    assert mushrooms.classes == ("edible", "poisonous")
    assert len(mushrooms.feature_names) == 112


@needs_data
@pytest.mark.parametrize(
    ("part", "n_samples", "n_rich"), [("train", 32561, 7841), ("test", 16281, 3846)]
)
def test_a9a_has_the_published_shape_and_classes(part, n_samples, n_rich):
    adult = datasets.load_a9a(part)
    assert adult.X.shape == (n_samples, 123)
    assert adult.X.format == "csr"
    assert set(np.unique(adult.X.data)) == {1.0}
    assert np.diff(adult.X.indptr).max() == 14
    assert (adult.y.dtype, int(adult.y.sum())) == (np.dtype(bool), n_rich)
    assert (len(adult.feature_names), adult.classes[1]) == (123, "over 50K")


def test_a9a_is_read_from_the_svmlight_format_and_other_parts_are_refused(
    remote, monkeypatch
):
    monkeypatch.setitem(loaders.A9A, "test", remote)
    adult = datasets.load_a9a("test")
    assert adult.X.toarray()[:, :4].tolist() == [[1, 0, 1, 0], [0, 1, 0, 0]]
    assert adult.y.tolist() == [True, False]
    with pytest.raises(
        ValueError, match="part must be one of 'train', 'test', but got 'all'"
    ):
        datasets.load_a9a("all")


def test_mushrooms_are_read_from_the_svmlight_format(remote, monkeypatch):
    monkeypatch.setattr(loaders, "MUSHROOMS", remote)
    mushrooms = datasets.load_mushrooms()
    assert mushrooms.X.shape == (2, 112)
    assert [np.flatnonzero(row).tolist() for row in mushrooms.X] == [[0, 2], [1]]
    assert mushrooms.y.tolist() == [True, False]


def test_adult_is_coded_by_public_lists_and_ranges_and_missing_values_set_nothing():
    data = margins_adult._coded(LINES)
    names, rows = list(data.feature_names), data.X.toarray()
    assert rows.shape == (2, 105)
    assert data.y.tolist() == [False, True]
    assert {
        name: value for name, value in zip(names, rows[0], strict=True) if value
    } == pytest.approx(
        {
            "age": 0.25,
            "workclass=Private": 1,
            "fnlwgt": 226802 / 1_500_000,
            "education=11th": 1,
            "education-num": 6 / 15,
            "marital-status=Never-married": 1,
            "occupation=Machine-op-inspct": 1,
            "relationship=Own-child": 1,
            "race=Black": 1,
            "sex=Male": 1,
            "hours-per-week": 39 / 98,
            "native-country=Peru": 1,
        }
    )
    second = dict(zip(names, rows[1], strict=True))
    assert (second["fnlwgt"], second["capital-gain"], second["hours-per-week"]) == (
        1,
        1,
        1,
    )
    assert second["capital-loss"] == pytest.approx(np.log(2) / np.log(100_000))
    kinds = ("workclass", "occupation", "native-country")
    assert not any(
        value for name, value in second.items() if name.split("=")[0] in kinds
    )


def test_adult_is_read_from_the_checked_file_and_other_parts_are_refused(
    remote, tmp_path, monkeypatch
):
    monkeypatch.setitem(
        margins_adult.ADULT, "test", remote._replace(n_bytes=len(LINES.encode()))
    )
    monkeypatch.setenv("PRIVML_DATA", str(tmp_path))
    (tmp_path / "tiny.svm.gz").write_bytes(gzip.compress(LINES.encode()))
    with pytest.raises(ValueError, match="must have SHA-256"):
        margins_adult.load_adult("test")
    with pytest.raises(
        ValueError, match="part must be one of 'train', 'test', but got 'all'"
    ):
        margins_adult.load_adult("all")


def test_articles_are_scaled_row_by_row_and_an_empty_one_stays_zero(
    remote, tmp_path, monkeypatch
):
    monkeypatch.setenv("PRIVML_DATA", str(tmp_path))
    for name, content in (
        ("COUNTS", b"1 1:1 3:3\n-1\n-1 2:7\n"),
        ("WORDS", b"one\ntwo\nthree\n"),
    ):
        file = base.RemoteFile(f"{name}.gz", _digest(content), len(content), None)
        monkeypatch.setattr(loaders, name, file)
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(content))
    news = datasets.load_news20_usenet()
    expected = np.log([2, 4]) / np.hypot(*np.log([2, 4]))
    np.testing.assert_allclose(
        news.X.toarray(), [[expected[0], 0, expected[1]], [0, 0, 0], [0, 1, 0]]
    )
    assert news.y.tolist() == [True, False, False]
    assert news.feature_names == ("one", "two", "three")


def test_real_sim_is_asked_for_by_both_its_names_where_it_is_absent(
    remote, monkeypatch
):
    monkeypatch.setattr(
        loaders,
        "REAL_SIM",
        loaders.REAL_SIM._replace(url="file:///nowhere/real-sim.bz2"),
    )
    with pytest.raises(
        FileNotFoundError,
        match=r"as real-sim.svm.gz, or as it is published as real-sim.bz2",
    ):
        datasets.load_real_sim()


def test_real_sim_is_read_from_the_svmlight_format(remote, monkeypatch):
    monkeypatch.setattr(loaders, "REAL_SIM", remote)
    found = datasets.load_real_sim()
    assert (found.X.shape, found.X.nnz, found.y.tolist()) == (
        (2, 20958),
        3,
        [True, False],
    )


@needs_data
@pytest.mark.parametrize(
    ("part", "n_samples", "n_rich"), [("train", 32561, 7841), ("test", 16281, 3846)]
)
def test_adult_has_the_published_shape_and_agrees_with_a9a(part, n_samples, n_rich):
    raw, coded = margins_adult.load_adult(part), datasets.load_a9a(part)
    assert raw.X.shape == (n_samples, 105)
    assert raw.X.format == "csr"
    assert (raw.X.min(), raw.X.max(), int(raw.y.sum())) == (0.0, 1.0, n_rich)
    np.testing.assert_array_equal(raw.y, coded.y)
    indicators = raw.X[
        :, [j for j, name in enumerate(raw.feature_names) if "=" in name]
    ]
    assert np.isin(
        np.asarray(indicators.sum(axis=1)), [5, 6, 7, 8]
    ).all()  # at most three are missing


@needs_data
def test_news_articles_have_the_described_shape_and_classes():
    news = datasets.load_news20_usenet()
    assert (news.X.shape, news.X.nnz) == ((18846, 21595), 2237417)
    lengths = np.sqrt(np.asarray(news.X.multiply(news.X).sum(axis=1)).ravel())
    assert int((lengths == 0).sum()) == 37
    np.testing.assert_allclose(lengths[lengths > 0], 1)
    assert int(news.y.sum()) == 9818
    assert {"cipher", "hockey"} <= set(news.feature_names)


def _digest(content):
    return hashlib.sha256(content).hexdigest()


def test_digits_below_five_are_scaled_by_the_range_of_a_pixel():
    digits, bunch = load_digits_below_five(), load_digits()
    assert len(digits.feature_names) == 64
    assert digits.X.min() == 0
    assert digits.X.max() == 1
    np.testing.assert_array_equal(16 * digits.X, bunch.data)
    np.testing.assert_array_equal(digits.y, np.isin(bunch.target, [0, 1, 2, 3, 4]))
