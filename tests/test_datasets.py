"""Data sets: public ranges, and a loader that finds, checks and caches files without the network."""

import gzip
import hashlib
import os
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer as bundled_breast_cancer

from privml import datasets

CONTENT = b"1 1:1 3:1\n2 2:1\n"
needs_data = pytest.mark.skipif(
    not (Path(os.environ.get("PRIVML_DATA", "/nowhere")) / "mushrooms.svm.gz").is_file(),
    reason="PRIVML_DATA does not name a folder with mushrooms.svm.gz",
)


@pytest.fixture
def remote(tmp_path, monkeypatch):
    """A published file on disk, an empty cache and no data folder."""
    monkeypatch.delenv("PRIVML_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    published = tmp_path / "published"
    published.write_bytes(CONTENT)
    return datasets._RemoteFile("tiny.svm.gz", published.as_uri(), hashlib.sha256(CONTENT).hexdigest())


def test_breast_cancer_is_scaled_by_the_ranges_printed_in_its_description():
    bunch = bundled_breast_cancer()
    printed = re.findall(r"^([a-z ]+\([a-z ]+\)): +([\d.]+) +([\d.]+)$", bunch.DESCR, flags=re.MULTILINE)
    assert [(name, float(low), float(high)) for name, low, high in printed] == list(
        datasets._BREAST_CANCER_RANGES
    )
    cancer = datasets.load_breast_cancer()
    for column, (name, low, high) in enumerate(datasets._BREAST_CANCER_RANGES):
        expected = np.clip((bunch.data[:, column] - low) / (high - low), 0, 1)
        np.testing.assert_allclose(cancer.X[:, column], expected, atol=1e-15)
        assert cancer.feature_names[column] == name


def test_the_order_of_the_breast_cancer_features_is_that_of_the_data():
    words = {"(mean)": "mean", "(standard error)": "error", "(worst)": "worst"}
    ours = datasets.load_breast_cancer().feature_names
    for name, theirs in zip(ours, bundled_breast_cancer().feature_names, strict=True):
        feature, kind = name.split(" (")
        assert sorted([*feature.split(), words["(" + kind]]) == sorted(theirs.split())


def test_breast_cancer_labels_are_true_for_malignant():
    cancer, bunch = datasets.load_breast_cancer(), bundled_breast_cancer()
    assert cancer.y.dtype == bool
    np.testing.assert_array_equal(cancer.y, bunch.target_names[bunch.target] == cancer.classes[1])
    assert cancer.X.min() == 0.0
    assert cancer.X.max() == 1.0


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
@pytest.mark.parametrize(("part", "n_samples", "n_rich"), [("train", 32561, 7841), ("test", 16281, 3846)])
def test_a9a_has_the_published_shape_and_classes(part, n_samples, n_rich):
    adult = datasets.load_a9a(part)
    assert adult.X.shape == (n_samples, 123)
    assert adult.X.format == "csr"
    assert set(np.unique(adult.X.data)) == {1.0}
    assert np.diff(adult.X.indptr).max() == 14
    assert (adult.y.dtype, int(adult.y.sum())) == (np.dtype(bool), n_rich)
    assert (len(adult.feature_names), adult.classes[1]) == (123, "over 50K")


def test_a9a_is_read_from_the_svmlight_format_and_other_parts_are_refused(remote, monkeypatch):
    monkeypatch.setitem(datasets._A9A, "test", remote)
    adult = datasets.load_a9a("test")
    assert adult.X.toarray()[:, :4].tolist() == [[1, 0, 1, 0], [0, 1, 0, 0]]
    assert adult.y.tolist() == [True, False]
    with pytest.raises(ValueError, match="part must be one of 'train', 'test', got 'all'"):
        datasets.load_a9a("all")


def test_mushrooms_are_read_from_the_svmlight_format(remote, monkeypatch):
    monkeypatch.setattr(datasets, "_MUSHROOMS", remote)
    mushrooms = datasets.load_mushrooms()
    assert mushrooms.X.shape == (2, 112)
    assert [np.flatnonzero(row).tolist() for row in mushrooms.X] == [[0, 2], [1]]
    assert mushrooms.y.tolist() == [True, False]


def test_a_download_is_cached_and_not_repeated(remote, tmp_path):
    assert datasets._content(remote) == CONTENT
    cached = tmp_path / "cache" / "privml" / "tiny.svm.gz"
    assert gzip.decompress(cached.read_bytes()) == CONTENT
    assert [path.name for path in cached.parent.iterdir()] == ["tiny.svm.gz"]
    (tmp_path / "published").unlink()
    assert datasets._content(remote) == CONTENT


def test_the_given_folder_comes_before_the_cache_and_the_network(remote, tmp_path, monkeypatch):
    (tmp_path / "published").unlink()
    monkeypatch.setenv("PRIVML_DATA", str(tmp_path))
    (tmp_path / "tiny.svm.gz").write_bytes(gzip.compress(CONTENT))
    datasets._write(tmp_path / "cache" / "privml" / "tiny.svm.gz", gzip.compress(b"other"))
    assert datasets._content(remote) == CONTENT


@pytest.mark.parametrize("place", ["data", "cache", "network"])
def test_another_content_is_refused_wherever_it_lies(place, remote, tmp_path, monkeypatch):
    if place == "network":
        (tmp_path / "published").write_bytes(b"other")
    else:
        folder = tmp_path / "data" if place == "data" else tmp_path / "cache" / "privml"
        datasets._write(folder / "tiny.svm.gz", gzip.compress(b"other"))
        monkeypatch.setenv("PRIVML_DATA", str(tmp_path / "data"))
    with pytest.raises(ValueError, match=f"must have SHA-256 {remote.sha256}, got"):
        datasets._content(remote)
    assert not (tmp_path / "cache" / "privml" / "tiny.svm.gz").exists() or place == "cache"


@pytest.mark.parametrize(
    "content", [CONTENT, b"", gzip.compress(CONTENT, mtime=0)[:-9]], ids=["not packed", "empty", "cut short"]
)
def test_a_file_that_is_not_packed_or_cut_short_is_refused(content, remote, tmp_path, monkeypatch):
    monkeypatch.setenv("PRIVML_DATA", str(tmp_path))
    (tmp_path / "tiny.svm.gz").write_bytes(content)
    with pytest.raises(ValueError, match="tiny.svm.gz must"):
        datasets._content(remote)


def test_without_the_network_the_error_says_which_file_goes_where(remote, tmp_path):
    (tmp_path / "published").unlink()
    with pytest.raises(FileNotFoundError, match="put the file, packed with gzip, as tiny.svm.gz in") as error:
        datasets._content(remote)
    assert str(tmp_path / "cache" / "privml") in str(error.value)
    assert remote.url in str(error.value)


def test_a_cache_that_cannot_be_written_is_done_without(remote, tmp_path):
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert datasets._content(remote) == CONTENT


def test_a_failed_write_leaves_nothing_behind(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError("no space")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="no space"):
        datasets._write(tmp_path / "folder" / "file", b"content")
    assert list((tmp_path / "folder").iterdir()) == []
