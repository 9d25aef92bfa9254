"""Real data sets, each with what is public about it.

A private learner may use public knowledge freely and private records only through its mechanism.  So a
data set here comes with its public side (feature names, classes, ranges), and features are scaled by
public ranges, never by the ranges of the records at hand.

Data that scikit-learn does not bundle is looked for in three places, in this order: the folder that the
environment variable ``PRIVML_DATA`` names; a per-user cache; its publisher's page, from which it is
downloaded once into the cache.  Whatever the place, the content must have the published SHA-256.
"""

import gzip
import hashlib
import io
import os
import tempfile
import urllib.error
import urllib.request
import zlib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from privml import _check as check

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

DOWNLOAD_TIMEOUT = 60.0
"""Seconds without an answer after which a download is given up."""


class Dataset(NamedTuple):
    """Labelled records, and what is public about them.

    Attributes
    ----------
    X : ndarray or csr_matrix of float, shape (n_samples, n_features)
        Records, every feature in [0, 1]; sparse where the loader says so.
    y : ndarray of bool, shape (n_samples,)
        Labels.
    classes : tuple of str
        What the labels False and True mean.
    feature_names : tuple of str
        One per feature.
    """

    X: "NDArray[np.float64] | csr_matrix"
    y: NDArray[np.bool_]
    classes: tuple[str, str]
    feature_names: tuple[str, ...]


class _RemoteFile(NamedTuple):
    """A file that someone else publishes: our name for it, where it is, and what it must contain."""

    name: str
    url: str
    sha256: str  # of the content, unpacked


_MUSHROOMS = _RemoteFile(
    "mushrooms.svm.gz",
    "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary/mushrooms",
    "f39a4eb628dc61a7d43760815b061c9e497aa728ce1ad8bde57a09ef6043b538",
)

_A9A = {
    "train": _RemoteFile(
        "a9a.train.svm.gz",
        "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary/a9a",
        "f5d5ffd8d865ff41328e7ee043e4b020816914ff6843ff15b98905ddbedce906",
    ),
    "test": _RemoteFile(
        "a9a.test.svm.gz",
        "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary/a9a.t",
        "1f448a153f0320399a7e40836eb207655b0bde0f21fc941cc472193daa9f5de9",
    ),
}

# Feature, published minimum and maximum: the summary statistics in the data set's description.
_BREAST_CANCER_RANGES = (
    ("radius (mean)", 6.981, 28.11),
    ("texture (mean)", 9.71, 39.28),
    ("perimeter (mean)", 43.79, 188.5),
    ("area (mean)", 143.5, 2501.0),
    ("smoothness (mean)", 0.053, 0.163),
    ("compactness (mean)", 0.019, 0.345),
    ("concavity (mean)", 0.0, 0.427),
    ("concave points (mean)", 0.0, 0.201),
    ("symmetry (mean)", 0.106, 0.304),
    ("fractal dimension (mean)", 0.05, 0.097),
    ("radius (standard error)", 0.112, 2.873),
    ("texture (standard error)", 0.36, 4.885),
    ("perimeter (standard error)", 0.757, 21.98),
    ("area (standard error)", 6.802, 542.2),
    ("smoothness (standard error)", 0.002, 0.031),
    ("compactness (standard error)", 0.002, 0.135),
    ("concavity (standard error)", 0.0, 0.396),
    ("concave points (standard error)", 0.0, 0.053),
    ("symmetry (standard error)", 0.008, 0.079),
    ("fractal dimension (standard error)", 0.001, 0.03),
    ("radius (worst)", 7.93, 36.04),
    ("texture (worst)", 12.02, 49.54),
    ("perimeter (worst)", 50.41, 251.2),
    ("area (worst)", 185.2, 4254.0),
    ("smoothness (worst)", 0.071, 0.223),
    ("compactness (worst)", 0.027, 1.058),
    ("concavity (worst)", 0.0, 1.252),
    ("concave points (worst)", 0.0, 0.291),
    ("symmetry (worst)", 0.156, 0.664),
    ("fractal dimension (worst)", 0.055, 0.208),
)


def load_breast_cancer() -> Dataset:
    """Breast cancer Wisconsin (diagnostic): 569 tumours, 30 features, True for malignant.

    Returns
    -------
    Dataset
        Every feature is moved and scaled so that its public range becomes [0, 1], and clipped to it.

    Notes
    -----
    **Privacy.** The ranges are those printed, to about four digits, in the published description of the
    data set.  That summary was computed from these very records; to treat it as public is a choice, made
    here because it has been published for decades.  The ranges are constants of this module and are not
    computed from the records that are loaded.  Records outside (the printed numbers are rounded) are
    clipped.

    References
    ----------
    W. Wolberg, O. Mangasarian, N. Street and W. Street, Breast Cancer Wisconsin (Diagnostic) [Dataset],
    UCI Machine Learning Repository, 1993, doi:10.24432/C5DW2B.  Bundled with scikit-learn.

    Examples
    --------
    >>> cancer = load_breast_cancer()
    >>> cancer.X.shape, int(cancer.y.sum()), cancer.classes
    ((569, 30), 212, ('benign', 'malignant'))
    """
    from sklearn import datasets

    bunch = datasets.load_breast_cancer()
    names, lower, upper = zip(*_BREAST_CANCER_RANGES, strict=True)
    scaled = (bunch.data - np.array(lower)) / (np.array(upper) - np.array(lower))
    return Dataset(np.clip(scaled, 0.0, 1.0), bunch.target == 0, ("benign", "malignant"), names)


def load_mushrooms() -> Dataset:
    """Mushrooms: 8,124 kinds described by 112 binary features, True for poisonous.

    Returns
    -------
    Dataset
        The features are indicators of attribute values, in the order of LIBSVM's ``mushrooms``; they are
        named by their number there, from 1.

    Raises
    ------
    FileNotFoundError
        If the file is in neither folder and cannot be downloaded; the message says where to put it.
    ValueError
        If a file has another content than the published one.

    Notes
    -----
    **Privacy.** The features are 0 or 1 by construction, so their ranges are public.
    Looks in the folder ``PRIVML_DATA``, then in the user's cache, for ``mushrooms.svm.gz``; else it
    downloads LIBSVM's ``mushrooms`` into the cache.

    References
    ----------
    Mushroom [Dataset], UCI Machine Learning Repository, 1981, doi:10.24432/C5959T.  C.-C. Chang and C.-J.
    Lin, LIBSVM: a library for support vector machines, ACM TIST 2(3):27, 2011.
    """
    X, labels = _svmlight(_content(_MUSHROOMS), n_features=112)
    return Dataset(X.toarray(), labels == 1, ("edible", "poisonous"), _numbered(112))


def load_a9a(part: str = "train") -> Dataset:
    """Adult in the coding of LIBSVM's ``a9a``: 123 binary features, True for an income over 50,000 dollars.

    Parameters
    ----------
    part : {"train", "test"}
        The published split: 32,561 or 16,281 records.

    Returns
    -------
    Dataset
        ``X`` is a sparse matrix (CSR) of zeros and ones, at most 14 ones in a row; the features are
        indicators of public intervals and attribute values, named by their number, from 1.  About a quarter
        of the labels are True.

    Raises
    ------
    FileNotFoundError
        If the file is in neither folder and cannot be downloaded; the message says where to put it.
    ValueError
        If `part` is unknown, or a file has another content than the published one.

    Notes
    -----
    **Privacy.** The features are 0 or 1 by construction, so their ranges are public.
    Looks in the folder ``PRIVML_DATA``, then in the user's cache, for ``a9a.train.svm.gz`` or
    ``a9a.test.svm.gz``; else it downloads LIBSVM's ``a9a`` or ``a9a.t`` into the cache.

    References
    ----------
    B. Becker and R. Kohavi, Adult [Dataset], UCI Machine Learning Repository, 1996, doi:10.24432/C5XW20.
    J. Platt, Fast training of support vector machines using sequential minimal optimization, 1998, for the
    coding.  C.-C. Chang and C.-J. Lin, LIBSVM, ACM TIST 2(3):27, 2011.
    """
    check.one_of(_A9A, part=part)
    X, labels = _svmlight(_content(_A9A[part]), n_features=123)
    return Dataset(X, labels == 1, ("at most 50K", "over 50K"), _numbered(123))


def _numbered(n_features: int) -> tuple[str, ...]:
    return tuple(f"feature {number}" for number in range(1, n_features + 1))


def _svmlight(content: bytes, n_features: int) -> "tuple[csr_matrix, NDArray[np.float64]]":
    from sklearn.datasets import load_svmlight_file

    return load_svmlight_file(io.BytesIO(content), n_features=n_features, zero_based=False)


def _cache() -> Path:
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(root) / "privml"


def _content(file: _RemoteFile) -> bytes:
    """The checked content of a file, from the first of the three places that has it."""
    given = os.environ.get("PRIVML_DATA")
    for folder in [*([Path(given)] if given else []), _cache()]:
        path = folder / file.name
        if path.is_file():
            return _checked(_unpacked(path), file, str(path))
    content = _checked(_download(file), file, file.url)
    with suppress(OSError):  # a cache that cannot be written is no reason to fail
        _write(_cache() / file.name, gzip.compress(content, mtime=0))
    return content


def _unpacked(path: Path) -> bytes:
    try:
        return gzip.decompress(path.read_bytes())
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(f"content of {path} must be packed with gzip, got {error}") from error


def _checked(content: bytes, file: _RemoteFile, place: str) -> bytes:
    found = hashlib.sha256(content).hexdigest()
    if found != file.sha256:
        raise ValueError(f"content of {place} must have SHA-256 {file.sha256}, got {found}")
    return content


def _download(file: _RemoteFile) -> bytes:
    try:
        with urllib.request.urlopen(file.url, timeout=DOWNLOAD_TIMEOUT) as response:
            return response.read()
    except (urllib.error.URLError, OSError) as error:
        raise FileNotFoundError(
            f"{file.url} could not be read ({error}); put the file, packed with gzip, as {file.name} "
            f"in {_cache()} or in the folder that PRIVML_DATA names"
        ) from error


def _write(path: Path, content: bytes) -> None:
    """Write all or nothing: a reader never sees half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, partial = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(partial, path)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise
