"""The loaders: what each data set holds, and what of it is public."""

from typing import Any

import numpy as np

from privml import _check as check
from privml.datasets.base import Dataset, RemoteFile, content_of, svmlight

LIBSVM = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary/"
SUMS = {
    "mushrooms": "f39a4eb628dc61a7d43760815b061c9e497aa728ce1ad8bde57a09ef6043b538",
    "a9a": "f5d5ffd8d865ff41328e7ee043e4b020816914ff6843ff15b98905ddbedce906",
    "a9a.t": "1f448a153f0320399a7e40836eb207655b0bde0f21fc941cc472193daa9f5de9",
    "real-sim": "0fd9b12b6dc60dab7885a7367b286a53aac5d92057dc1083ab13ade275120270",
    "real-sim.bz2": "7cd52374f55ce62e803ef33ca1c44689427c23d481eff64026f8ba9f53b8cc27",
    "counts": "1ec40e813f5aa691326487510e1433e39a732a7d8a884b4983078e21f0503408",
    "words": "2a417d81eace46b881e93ee52f2ac8a892ea884b15057e112bbfebda2c7e038c",
}
MUSHROOMS = RemoteFile(
    "mushrooms.svm.gz", SUMS["mushrooms"], 879_712, LIBSVM + "mushrooms"
)
A9A = {
    "train": RemoteFile("a9a.train.svm.gz", SUMS["a9a"], 2_329_875, LIBSVM + "a9a"),
    "test": RemoteFile("a9a.test.svm.gz", SUMS["a9a.t"], 1_164_628, LIBSVM + "a9a.t"),
}
REAL_SIM = RemoteFile(
    "real-sim.svm.gz",
    SUMS["real-sim"],
    90_377_515,
    LIBSVM + "real-sim.bz2",
    SUMS["real-sim.bz2"],
)
COUNTS = RemoteFile("news20-usenet.svm.gz", SUMS["counts"], 16_892_196, None)
WORDS = RemoteFile("news20-usenet.vocab.txt.gz", SUMS["words"], 170_967, None)


def load_mushrooms() -> Dataset:
    """Mushrooms: 8,124 kinds described by 112 binary features, True for poisonous.

    Returns
    -------
    Dataset
        Indicators of attribute values, named by their number in LIBSVM's ``mushrooms``.

    Notes
    -----
    *Privacy.* The features are 0 or 1 by construction, so their ranges are public.

    References
    ----------
    Mushroom [Dataset], UCI Machine Learning Repository, 1981, doi:10.24432/C5959T. C.-C. Chang and C.-J.
    Lin, LIBSVM: a library for support vector machines, ACM TIST 2(3):27, 2011.
    """
    data = svmlight(MUSHROOMS, ("edible", "poisonous"), n_features=112)
    return data._replace(X=data.X.toarray())  # type: ignore[union-attr]  # sparse


def load_a9a(part: str = "train") -> Dataset:
    """Adult in the coding of LIBSVM's ``a9a``: 123 binary features, True for an income over 50,000 dollars.

    The features are indicators of public intervals and attribute values.  About a quarter of the labels are
    True.

    Parameters
    ----------
    part : str
        One of "train" and "test", the published split: 32,561 or 16,281 records.

    Returns
    -------
    Dataset
        ``X`` is sparse (CSR), at most 14 ones in a row of zeros; features are named from 1.

    Notes
    -----
    *Privacy.* The features are 0 or 1 by construction, so their ranges are public.

    References
    ----------
    B. Becker and R. Kohavi, Adult [Dataset], UCI Machine Learning Repository, 1996, doi:10.24432/C5XW20. J.
    Platt, Fast training of support vector machines using sequential minimal optimization, 1998, for the
    coding. C.-C. Chang and C.-J. Lin, LIBSVM, ACM TIST 2(3):27, 2011.
    """
    check.one_of(A9A, part=part)
    return svmlight(A9A[part], ("at most 50K", "over 50K"), n_features=123)


def load_real_sim() -> Dataset:
    """UseNet articles: 72,309 of them, 20,958 words; True for the label +1.

    The authors of this book had no copy of this file.  Size and checksums are those that one public
    repository gives for the file, packed and unpacked; if a good copy is refused, they are the first thing
    to doubt.

    Features are named by their number, from 1.

    Returns
    -------
    Dataset
        ``X`` is sparse (CSR), non-negative weights of words in rows of Euclidean length 1.

    Notes
    -----
    *Privacy.* Weights lie in [0, 1] and rows in the unit ball by construction. The list of words, and the
    weights if they depend on the frequencies of words, were computed from these very articles.

    References
    ----------
    C.-C. Chang and C.-J. Lin, LIBSVM, ACM TIST 2(3):27, 2011; from A. McCallum's SRAA articles.
    """
    return svmlight(REAL_SIM, ("label -1", "label +1"), n_features=20958)


_MEASURED = """
radius: 6.981 28.11, 0.112 2.873, 7.93 36.04
texture: 9.71 39.28, 0.36 4.885, 12.02 49.54
perimeter: 43.79 188.5, 0.757 21.98, 50.41 251.2
area: 143.5 2501.0, 6.802 542.2, 185.2 4254.0
smoothness: 0.053 0.163, 0.002 0.031, 0.071 0.223
compactness: 0.019 0.345, 0.002 0.135, 0.027 1.058
concavity: 0.0 0.427, 0.0 0.396, 0.0 1.252
concave points: 0.0 0.201, 0.0 0.053, 0.0 0.291
symmetry: 0.106 0.304, 0.008 0.079, 0.156 0.664
fractal dimension: 0.05 0.097, 0.001 0.03, 0.055 0.208
"""
"""What was measured, and the published extremes of its mean, standard error and worst value.

A worst value is the mean of the three largest of a tumour."""


def _cancer_ranges() -> list[tuple[str, float, float]]:
    """Feature, minimum and maximum: of all means, then of all standard errors, then of all worst values."""
    rows = [row.split(": ") for row in _MEASURED.strip().splitlines()]
    return [
        (f"{name} ({kind})", float(least), float(most))
        for place, kind in enumerate(("mean", "standard error", "worst"))
        for name, ends in rows
        for least, most in [ends.split(", ")[place].split()]
    ]


BREAST_CANCER_RANGES = tuple(_cancer_ranges())


def load_breast_cancer() -> Dataset:
    """Breast cancer Wisconsin (diagnostic): 569 tumours, 30 features, True for malignant.

    Returns
    -------
    Dataset
        Every feature is moved and scaled so that its public range becomes [0, 1], and clipped to it.

    Notes
    -----
    *Privacy.* The ranges are those printed, to about four digits, in the published description of the data
    set. That summary was computed from these very records; to treat it as public is a choice, made here
    because it has been published for decades. The ranges are constants of this module and are not computed
    from the records that are loaded. Records outside (the printed numbers are rounded) are clipped.

    References
    ----------
    W. Wolberg, O. Mangasarian, N. Street and W. Street, Breast Cancer Wisconsin (Diagnostic) [Dataset], UCI
    Machine Learning Repository, 1993, doi:10.24432/C5DW2B. Bundled with scikit-learn.

    Examples
    --------
    >>> cancer = load_breast_cancer()
    >>> cancer.X.shape, int(cancer.y.sum()), cancer.classes
    ((569, 30), 212, ('benign', 'malignant'))
    """
    from sklearn import datasets

    bunch = datasets.load_breast_cancer()
    names, lower, upper = zip(*BREAST_CANCER_RANGES, strict=True)
    scaled = (bunch.data - np.array(lower)) / (np.array(upper) - np.array(lower))
    return Dataset(
        np.clip(scaled, 0.0, 1.0), bunch.target == 0, ("benign", "malignant"), names
    )


def load_digits_below_five() -> Dataset:
    """Handwritten digits: 1,797 pictures of 8 by 8 pixels, True for the digits 0 to 4.

    Returns
    -------
    Dataset
        Every feature is the darkness of a pixel, 0 to 16, divided by 16.

    Notes
    -----
    *Privacy.* A pixel counts the dark cells in a block of 4 by 4, so its range is public.

    References
    ----------
    E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits [Dataset], UCI Machine Learning
    Repository, 1998, doi:10.24432/C50P49; the test part. Bundled with scikit-learn.

    Examples
    --------
    >>> digits = load_digits_below_five()
    >>> digits.X.shape, int(digits.y.sum()), digits.classes
    ((1797, 64), 901, ('5 to 9', '0 to 4'))
    """
    from sklearn import datasets

    bunch = datasets.load_digits()
    return Dataset(
        bunch.data / 16,
        bunch.target < 5,
        ("5 to 9", "0 to 4"),
        tuple(bunch.feature_names),
    )


def load_news20_usenet() -> Dataset:
    """Twenty newsgroups in two classes: 18,846 articles, 21,595 words, True for ten technical groups.

    A **stand-in** for real-sim, which is made from other UseNet articles: results on one are not results on
    the other.  Words are runs of 2 to 30 letters that occur in at least 7 of the articles.  The file
    is made for this book and published nowhere else.

    An empty article stays a row of zeros.  True means one of the groups
    ``sci.*``, ``comp.*`` and ``misc.forsale``.  Rows are in the order of the by-date split: 11,314 earlier
    articles first, then 7,532 later ones; they are not shuffled.

    Returns
    -------
    Dataset
        ``X`` is sparse (CSR), ln(1 + count) of each word, in rows of Euclidean length 1.

    Notes
    -----
    *Privacy.* A row is scaled by itself alone, so features lie in [0, 1] and rows in the unit ball. The
    list of words was chosen on all articles: a study that treats some of them as private treats that list
    as public knowledge.

    References
    ----------
    T. Mitchell, Twenty Newsgroups [Dataset], UCI Machine Learning Repository, 1997, doi:10.24432/C5C323. K.
    Lang, NewsWeeder: learning to filter netnews, ICML 1995.
    """
    words = tuple(content_of(WORDS).decode().split())
    data = svmlight(
        COUNTS, ("other groups", "sci, comp, forsale"), n_features=len(words)
    )
    X: Any = data.X  # sparse
    np.log1p(X.data, out=X.data)
    lengths = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
    X.data /= np.repeat(lengths, np.diff(X.indptr))
    return data._replace(feature_names=words)


check.wrap_module(__name__)
