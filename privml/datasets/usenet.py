"""UseNet articles as word counts: a stand-in for real-sim, and labelled as one."""

import numpy as np

from privml.datasets.base import Dataset, RemoteFile, content_of, svmlight

COUNTS = RemoteFile(
    "news20-usenet.svm.gz", "1ec40e813f5aa691326487510e1433e39a732a7d8a884b4983078e21f0503408", None
)
WORDS = RemoteFile(
    "news20-usenet.vocab.txt.gz", "2a417d81eace46b881e93ee52f2ac8a892ea884b15057e112bbfebda2c7e038c", None
)


def load_news20_usenet() -> Dataset:
    """Twenty newsgroups in two classes: 18,846 articles, 21,595 words, True for ten technical groups.

    A **stand-in** for real-sim, which is made from other UseNet articles: results on one are not results on
    the other.  Words are runs of 2 to 30 letters that occur in at least 7 of the articles.  The file
    is made for this book and published nowhere else.

    **Returns.** Dataset: ``X`` is a sparse matrix (CSR): logarithms of one plus the count of each word, each
    row divided by its Euclidean length (an empty article stays zero).  True means one of the groups
    ``sci.*``, ``comp.*`` and ``misc.forsale``.  Rows are in the order of the by-date split: 11,314 earlier
    articles first, then 7,532 later ones; they are not shuffled.
    **Privacy.** A row is scaled by itself alone, so features lie in [0, 1] and rows in the unit ball.  The
    list of words was chosen on all articles: a study that treats some of them as private treats that list
    as public knowledge.

    Raises
    ------
    FileNotFoundError
        If a file is in neither folder; the message says where to put it.
    ValueError
        If a file has another content than the expected one.

    References
    ----------
    T. Mitchell, Twenty Newsgroups [Dataset], UCI Machine Learning Repository, 1997, doi:10.24432/C5C323.
    K. Lang, NewsWeeder: learning to filter netnews, ICML 1995.
    """
    words = tuple(content_of(WORDS).decode().split())
    X, labels = svmlight(content_of(COUNTS), n_features=len(words))
    np.log1p(X.data, out=X.data)
    lengths = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
    X.data /= np.repeat(lengths, np.diff(X.indptr))
    return Dataset(X, labels == 1, ("other groups", "sci, comp, forsale"), words)
