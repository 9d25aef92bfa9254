"""Data sets in the form in which LIBSVM publishes them."""

from privml import _check as check
from privml.datasets.base import Dataset, RemoteFile, content_of, numbered, svmlight

PAGE = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary/"

MUSHROOMS = RemoteFile(
    "mushrooms.svm.gz",
    "f39a4eb628dc61a7d43760815b061c9e497aa728ce1ad8bde57a09ef6043b538",
    PAGE + "mushrooms",
)

A9A = {
    "train": RemoteFile(
        "a9a.train.svm.gz",
        "f5d5ffd8d865ff41328e7ee043e4b020816914ff6843ff15b98905ddbedce906",
        PAGE + "a9a",
    ),
    "test": RemoteFile(
        "a9a.test.svm.gz",
        "1f448a153f0320399a7e40836eb207655b0bde0f21fc941cc472193daa9f5de9",
        PAGE + "a9a.t",
    ),
}

REAL_SIM = RemoteFile(
    "real-sim.svm.gz",
    "0fd9b12b6dc60dab7885a7367b286a53aac5d92057dc1083ab13ade275120270",
    PAGE + "real-sim.bz2",
)


def load_mushrooms() -> Dataset:
    """Mushrooms: 8,124 kinds described by 112 binary features, True for poisonous.

    **Returns.** Dataset: the features are indicators of attribute values, in the order of LIBSVM's
    ``mushrooms``; they are named by their number there, from 1.
    **Privacy.** The features are 0 or 1 by construction, so their ranges are public.
    Looks in the folder ``PRIVML_DATA``, then in the user's cache, for ``mushrooms.svm.gz``; else it
    downloads LIBSVM's ``mushrooms`` into the cache.

    Raises
    ------
    FileNotFoundError
        If the file is in neither folder and cannot be downloaded; the message says where to put it.
    ValueError
        If a file has another content than the published one.

    References
    ----------
    Mushroom [Dataset], UCI Machine Learning Repository, 1981, doi:10.24432/C5959T.  C.-C. Chang and C.-J.
    Lin, LIBSVM: a library for support vector machines, ACM TIST 2(3):27, 2011.
    """
    X, labels = svmlight(content_of(MUSHROOMS), n_features=112)
    return Dataset(X.toarray(), labels == 1, ("edible", "poisonous"), numbered(112))


def load_a9a(part: str = "train") -> Dataset:
    """Adult in the coding of LIBSVM's ``a9a``: 123 binary features, True for an income over 50,000 dollars.

    **Returns.** Dataset: ``X`` is a sparse matrix (CSR) of zeros and ones, at most 14 ones in a row; the
    features are indicators of public intervals and attribute values, named by their number, from 1.  About a
    quarter of the labels are True.
    **Privacy.** The features are 0 or 1 by construction, so their ranges are public.
    Looks in the folder ``PRIVML_DATA``, then in the user's cache, for ``a9a.train.svm.gz`` or
    ``a9a.test.svm.gz``; else it downloads LIBSVM's ``a9a`` or ``a9a.t`` into the cache.

    Parameters
    ----------
    part : {"train", "test"}
        The published split: 32,561 or 16,281 records.

    Raises
    ------
    FileNotFoundError
        If the file is in neither folder and cannot be downloaded; the message says where to put it.
    ValueError
        If `part` is unknown, or a file has another content than the published one.

    References
    ----------
    B. Becker and R. Kohavi, Adult [Dataset], UCI Machine Learning Repository, 1996, doi:10.24432/C5XW20.
    J. Platt, Fast training of support vector machines using sequential minimal optimization, 1998, for the
    coding.  C.-C. Chang and C.-J. Lin, LIBSVM, ACM TIST 2(3):27, 2011.
    """
    check.one_of(A9A, part=part)
    X, labels = svmlight(content_of(A9A[part]), n_features=123)
    return Dataset(X, labels == 1, ("at most 50K", "over 50K"), numbered(123))


def load_real_sim() -> Dataset:
    """UseNet articles: 72,309 of them, 20,958 words; True for the label +1.

    The authors of this book had no copy of this file.  Size and checksum are those that one public
    repository gives for the unpacked file; if a good copy is refused, they are the first thing to doubt.
    Looks for ``real-sim.svm.gz`` or ``real-sim.bz2`` in the folder ``PRIVML_DATA``, then in the user's
    cache; else it downloads LIBSVM's ``real-sim.bz2``.

    **Returns.** Dataset: ``X`` is a sparse matrix (CSR) of non-negative weights of words in rows of Euclidean
    length 1; features are named by their number, from 1.
    **Privacy.** Weights lie in [0, 1] and rows in the unit ball by construction.  The list of words, and the
    weights if they depend on the frequencies of words, were computed from these very articles.

    Raises
    ------
    FileNotFoundError
        If the file is in neither folder and cannot be downloaded; the message says where to put it.
    ValueError
        If a file has another content than the expected one.

    References
    ----------
    C.-C. Chang and C.-J. Lin, LIBSVM, ACM TIST 2(3):27, 2011; from A. McCallum's SRAA articles.
    """
    X, labels = svmlight(content_of(REAL_SIM), n_features=20958)
    return Dataset(X, labels == 1, ("label -1", "label +1"), numbered(20958))
