"""Handwritten digits, which scikit-learn bundles."""

from privml.datasets.base import Dataset


def load_digits_below_five() -> Dataset:
    """Handwritten digits: 1,797 pictures of 8 by 8 pixels, True for the digits 0 to 4.

    **Returns.** Dataset: every feature is the darkness of a pixel, 0 to 16, divided by 16.
    **Privacy.** A pixel counts the dark cells in a block of 4 by 4, so its range is public.

    References
    ----------
    E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits [Dataset], UCI Machine Learning
    Repository, 1998, doi:10.24432/C50P49; the test part.  Bundled with scikit-learn.

    Examples
    --------
    >>> digits = load_digits_below_five()
    >>> digits.X.shape, int(digits.y.sum()), digits.classes
    ((1797, 64), 901, ('5 to 9', '0 to 4'))
    """
    from sklearn import datasets

    bunch = datasets.load_digits()
    return Dataset(bunch.data / 16, bunch.target < 5, ("5 to 9", "0 to 4"), tuple(bunch.feature_names))
