"""Tumours that scikit-learn bundles, scaled by their published ranges."""

import numpy as np

from privml.datasets.base import Dataset

# Feature, published minimum and maximum: the summary statistics in the data set's description.
BREAST_CANCER_RANGES = (
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

    **Returns.** Dataset: every feature is moved and scaled so that its public range becomes [0, 1], and
    clipped to it.
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
    names, lower, upper = zip(*BREAST_CANCER_RANGES, strict=True)
    scaled = (bunch.data - np.array(lower)) / (np.array(upper) - np.array(lower))
    return Dataset(np.clip(scaled, 0.0, 1.0), bunch.target == 0, ("benign", "malignant"), names)
