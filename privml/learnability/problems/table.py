"""The rows of Table 1 of WLF16: what is learned from what, whether the loss is bounded, and an instance.

``rows()`` returns them in the order of the source.  A row's `example` makes a small instance from a number
`radius`, the range of records and parameters; as the radius grows, ``growth`` shows whether the largest
loss does.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.learnability.base import LearningProblem
from privml.learnability.problems.base import RawProblem
from privml.learnability.problems.factors import dictionary_example, nonnegative_example
from privml.learnability.problems.subspaces import (
    completion_example,
    robust_components_example,
    sparse_components_example,
    subspace_clustering_example,
)
from privml.learnability.problems.supervised import (
    classification_example,
    kernel_classification_example,
    kernel_regression_example,
    regression_example,
)
from privml.learnability.problems.unsupervised import clustering_example, density_example, topic_example


class Row(NamedTuple):
    """One row of the table.

    Attributes
    ----------
    name : str
        The problem.
    hypotheses, records, loss : str
        What they are, in symbols.
    bounded : bool
        Whether the loss is bounded as the source prints the row.
    needs : str
        What has to be bounded for the theorems to apply.
    example : callable
        From a radius to a :class:`~privml.learnability.problems.base.RawProblem`.
    """

    name: str
    hypotheses: str
    records: str
    loss: str
    bounded: bool
    needs: str
    example: Callable[[float], RawProblem]

    def problem(self, radius: float = 1.0) -> LearningProblem:
        """The instance with losses in [0, 1], for records and parameters of this range."""
        return self.example(radius).problem()

    def growth(self, radii: Sequence[float]) -> NDArray[np.float64]:
        """Largest absolute raw loss of the instance at each radius.

        >>> rows()[1].growth([1.0, 10.0]).tolist()
        [4.0, 400.0]
        """
        radii = check.finite_vector(radii=radii).tolist()
        return np.array([np.abs(self.example(radius).losses).max() for radius in radii])


def rows() -> tuple[Row, ...]:
    """All thirteen rows, in the order of the source.

    **Source.** WLF16-tab-1, with the labels of RKHS classification corrected to -1 and +1.

    Returns
    -------
    tuple of Row

    Examples
    --------
    >>> [row.name for row in rows() if row.bounded]
    ['binary classification']
    >>> all(0 <= row.problem().losses.min() for row in rows())
    True
    """
    return (*_prediction_rows(), *_matrix_rows())


def _prediction_rows() -> tuple[Row, ...]:
    return (
        Row("binary classification", "h: {0,1}ᵈ → {0,1}", "(x, y)", "1(h(x) ≠ y)", True, "nothing",
            classification_example),
        Row("regression", "h: [0,1]ᵈ → ℝ", "(x, y)", "(h(x) − y)²", False, "h and y", regression_example),
        Row("density estimation", "densities h", "z", "−ln h(z)", False, "h from above and below",
            density_example),
        Row("k-means", "sets h of k centres", "z", "min |c − z|² over c in h", False, "z and centres",
            clustering_example),
        Row("kernel classification", "h in a ball", "(x, y), y = ±1", "max(0, 1 − y⟨x, h⟩)", False,
            "x, by a bounded kernel", kernel_classification_example),
        Row("kernel regression", "h in a ball", "(x, y)", "(⟨x, h⟩ − y)²", False, "x and y",
            kernel_regression_example),
    )  # fmt: skip


def _matrix_rows() -> tuple[Row, ...]:
    return (
        Row("sparse PCA", "projections h of rank r", "z", "|hz − z|² + λ|h|₁", False, "z",
            sparse_components_example),
        Row("robust PCA", "subspaces h", "z", "|P z − z|₁ + λ rank h", False, "z",
            robust_components_example),
        Row("matrix completion", "subspaces h", "(x, y), y a mask", "min |y∘(b − x)|² over b in h + λ rank h",
            False, "x", completion_example),
        Row("dictionary learning", "dictionaries h", "z", "min |hb − z|² + λ|b|₁ over b", False, "z",
            dictionary_example),
        Row("non-negative factorisation", "dictionaries h ≥ 0", "z", "min |hb − z|² over b ≥ 0", False, "z",
            nonnegative_example),
        Row("subspace clustering", "k subspaces of rank r", "z", "min |P z − z|² over P in h", False, "z",
            subspace_clustering_example),
        Row("topic models", "laws of words in topics", "documents z", "−max Σ ln P(w) over mixtures", False,
            "length, and laws from below", topic_example),
    )  # fmt: skip
