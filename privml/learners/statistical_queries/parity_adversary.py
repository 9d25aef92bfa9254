"""An oracle that makes parities unlearnable: it answers, and commits to a parity only when it has to."""

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.hypotheses import boolean_cube
from privml.learners.statistical_queries.base import SQOracle, StatisticalQuery, query_values

LARGEST_DIMENSION = 20


def walsh_hadamard(values: NDArray) -> NDArray[np.float64]:
    """Correlations of a function on the cube with all parities, under the uniform law.

    **Returns.** ndarray of shape (2 ** d,): entry S is the mean of ``f(x) (-1)^(sum of x over S)``, where the
    binary digits of S are its members.
    **Source.** DR11-rem-parity.

    Parameters
    ----------
    values : ndarray of shape (2 ** d,)
        The function on the rows of :func:`~privml.hypotheses.boolean_cube`.

    Examples
    --------
    >>> walsh_hadamard(np.array([1.0, 1.0, -1.0, -1.0])).tolist()
    [0.0, 0.0, 1.0, 0.0]
    """
    sums = check.finite_vector(values=values)
    n_features = sums.size.bit_length() - 1
    if sums.size != 1 << n_features:
        raise ValueError(f"values must be a vector of 2 ** d numbers, got shape {sums.shape}")
    sums = sums.reshape((2,) * n_features)
    for axis in range(n_features):
        zero, one = np.moveaxis(sums, axis, 0)
        sums = np.stack([zero + one, zero - one], axis)
    return sums.ravel() / sums.size


def parity_truths(query: StatisticalQuery, n_features: int) -> tuple[float, NDArray[np.float64]]:
    """Means of a query under fair labels, and under each parity as labels; instances are uniform.

    **Source.** DR11-rem-parity: ``truths = fair + walsh_hadamard(phi(., 0) - phi(., 1)) / 2``.

    Parameters
    ----------
    query : callable
        From (X, y) to values in [0, 1].

    Returns
    -------
    fair : float
        Mean with labels that are fair coins.
    truths : ndarray of shape (2 ** d,)
        Mean for each parity, in the order of :class:`~privml.hypotheses.Parities`.

    Examples
    --------
    >>> fair, truths = parity_truths(lambda X, y: X[:, 0] == y, 2)
    >>> fair, truths.tolist()
    (0.5, [0.5, 1.0, 0.5, 0.5])
    """
    cube = _cube(n_features)
    zero, one = (query_values(query, cube, np.full(len(cube), label)) for label in (False, True))
    fair = float((zero + one).mean() / 2)
    return fair, fair + walsh_hadamard(zero - one) / 2


def _cube(n_features: int) -> NDArray[np.bool_]:
    check.positive_integer(n_features=n_features)
    if n_features > LARGEST_DIMENSION:
        raise ValueError(f"n_features must be at most {LARGEST_DIMENSION}, got {n_features!r}")
    return boolean_cube(n_features)


class ParityAdversary(SQOracle):
    """Oracle for a parity under the uniform law that is not chosen until the learner has finished.

    It answers as if labels were fair coins while that is within the tolerance for some parity that agrees
    with all answers so far.  A parity for which the answer is too far off is ruled out.  Where fair coins
    would rule out all that are left, it answers with the truth of a median one among them.

    **Accuracy.** Each answer of the first kind rules out at most
    :func:`~privml.bounds.statistical_queries.parities_ruled_out` parities.
    **Source.** DR11-rem-parity; Kearns (1998), Blum et al. (1994).

    Parameters
    ----------
    tolerance : float
        Tolerance tau of the oracle, positive.

    Attributes
    ----------
    consistent : ndarray of int
        Indices of the parities for which every answer so far was within the tolerance.

    Examples
    --------
    >>> oracle = ParityAdversary(3, 0.25)
    >>> [oracle.answer(lambda X, y, j=j: X[:, j] == y) for j in range(3)]
    [0.5, 0.5, 0.5]
    >>> oracle.consistent.tolist()
    [0, 3, 5, 6, 7]
    """

    def __init__(self, n_features: int, tolerance: float, *, n_queries: int | None = None) -> None:
        super().__init__(n_queries)
        check.positive(tolerance=tolerance)
        self.consistent = np.arange(len(_cube(n_features)))
        self.n_features = n_features
        self.tolerance = tolerance

    def _respond(self, query: StatisticalQuery, n_answers: int | None) -> NDArray[np.float64]:
        if n_answers is None:
            return np.array([self._single(query)])
        columns = [lambda X, y, j=j: np.asarray(query(X, y))[:, j] for j in range(n_answers)]
        cube = _cube(self.n_features)
        query_values(query, cube, np.zeros(len(cube), dtype=bool), n_answers)
        return np.array([self._single(column) for column in columns])

    def _single(self, query: StatisticalQuery) -> float:
        fair, truths = parity_truths(query, self.n_features)
        truths = truths[self.consistent]
        answer = fair
        if (np.abs(truths - fair) > self.tolerance).all():
            answer = float(np.sort(truths)[truths.size // 2])
        self.consistent = self.consistent[np.abs(truths - answer) <= self.tolerance]
        return answer
