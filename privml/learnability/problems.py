"""Learning problems, ready made, and the losses of Table 1 of WLF16 that take more than a line.

These go from hypotheses and records to a table: rows are hypotheses, columns are records.  Those of
dictionaries contain a minimum over codes b.  It is exact: an optimal code is determined by the set of entries
that are not zero (and their signs), and for the few columns of a small dictionary all of them are tried.
"""

from itertools import combinations, product
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.hypotheses import Thresholds
from privml.learnability.problem import LearningProblem, loss_table

LARGEST_LOSS_TABLE = 5_000_000  # hypotheses times records: 40 MB
MOST_COLUMNS = 6  # of a dictionary: 729 patterns of signs


def _refuse_large(n_hypotheses: int, n_records: int) -> None:
    if n_hypotheses * n_records > LARGEST_LOSS_TABLE:
        raise ValueError(
            f"losses must be a table of at most {LARGEST_LOSS_TABLE} entries, but got {n_hypotheses} hypotheses times "
            f"{n_records} records."
        )


def rescaled_problem(
    losses: ArrayLike,
    *,
    upper: float,
    lower: float = 0.0,
    clip: bool = False,
    hypotheses: ArrayLike | None = None,
    records: ArrayLike | None = None,
) -> LearningProblem:
    """The learning problem with losses ``(l - lower) / (upper - lower)``: those of a public range.

    Parameters
    ----------
    losses : array_like
        Raw losses, of shape (n_hypotheses, n_records).
    upper, lower : float
        Public range of the losses, finite, `lower` below `upper`: read off the data, it would leak.
    clip : bool
        Whether to move losses outside of the range to its nearest end; else they are refused.
    hypotheses, records : array_like, optional
        Here names of these, for people and figures, None for indices.

    Returns
    -------
    LearningProblem
        With losses in [0, 1].

    Raises
    ------
    ValueError
        If the range is empty, or losses are no table of numbers in it.

    References
    ----------
    WLF16-tab-1, made to fit the assumption that all losses lie in [0, 1].

    Examples
    --------
    >>> rescaled_problem([[0.0, 4.0], [1.0, 1.0]], upper=4.0).losses.tolist()
    [[0.0, 1.0], [0.25, 0.25]]
    >>> rescaled_problem([[0.0, 4.0], [1.0, 1.0]], upper=2.0, clip=True).losses.tolist()
    [[0.0, 1.0], [0.5, 0.5]]
    """
    check.finite(upper=upper, lower=lower)
    if not lower < upper:
        raise ValueError(f"upper must be above lower = {lower!r}, but got {upper!r}.")
    table = loss_table(losses)
    if np.isnan(table).any():
        raise ValueError("losses must be numbers, but got NaN.")
    slack = 1e-9 * (1 + abs(lower) + abs(upper))
    if not clip and (table.min() < lower - slack or table.max() > upper + slack):
        raise ValueError(
            f"losses must be in [{lower:g}, {upper:g}], but got [{table.min():g}, {table.max():g}]. Give a wider "
            "range, or pass clip=True."
        )
    scaled = (np.clip(table, lower, upper) - lower) / (upper - lower)
    return LearningProblem(
        np.clip(scaled, 0.0, 1.0), hypotheses=hypotheses, records=records
    )


def coin_problem() -> LearningProblem:
    """The smallest problem there is to learn: records 0 and 1, guesses 0 and 1, and the loss ``1(h != z)``.

    References
    ----------
    WLF16-rem-thm-7-scope: the problem of its example.

    Examples
    --------
    >>> coin_problem().losses.tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    return LearningProblem([[0.0, 1.0], [1.0, 0.0]])


def thresholds_problem(n_points: int) -> LearningProblem:
    """Thresholds ``x >= i / n_points`` on a grid of [0, 1], with 0-1 loss.

    Records are the points labelled False and then True.

    Parameters
    ----------
    n_points : int
        Number of points, a positive integer.

    Returns
    -------
    LearningProblem
        Of ``2 n_points`` records and ``n_points + 1`` thresholds.

    References
    ----------
    WLF16-prop-12, on a grid: towards the problem that cannot be learned privately.

    Examples
    --------
    >>> thresholds_problem(2).losses.tolist()
    [[1.0, 1.0, 0.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, 0.0, 1.0, 1.0]]
    """
    check.positive_integer(n_points=n_points)
    _refuse_large(n_points + 1, 2 * n_points)
    cuts, points = (
        np.arange(n_points + 1) / n_points,
        (np.arange(n_points) + 0.5) / n_points,
    )
    table = LearningProblem.of_class(Thresholds(cuts), points).losses
    records = np.stack([np.tile(points, 2), np.repeat([0.0, 1.0], n_points)], axis=1)
    return LearningProblem(table, hypotheses=cuts, records=records)


def finite_subsets_problem(n_points: int, largest: int) -> LearningProblem:
    """Sets of at most some number of points, by size.

    Parameters
    ----------
    n_points : int
        Number of points, a positive integer.
    largest : int
        Size of the largest sets, a non-negative integer up to `n_points`.

    Returns
    -------
    LearningProblem
        Of the loss 1(z is not in h); its hypotheses are rows of membership.

    Raises
    ------
    ValueError
        If the table has more than 5,000,000 entries.

    References
    ----------
    WLF16-ex-16 and WLF16-ex-17, with finitely many points.

    Examples
    --------
    >>> finite_subsets_problem(2, 1).losses.tolist()
    [[1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]
    """
    check.positive_integer(n_points=n_points)
    check.non_negative_integer(largest=largest)
    if largest > n_points:
        raise ValueError(
            f"largest must be at most n_points = {n_points}, but got {largest!r}."
        )
    _refuse_large(sum(comb(n_points, size) for size in range(largest + 1)), n_points)
    sets = [
        chosen
        for size in range(largest + 1)
        for chosen in combinations(range(n_points), size)
    ]
    member = np.array([np.isin(np.arange(n_points), chosen) for chosen in sets])
    return LearningProblem(1.0 - member, hypotheses=member)


def _floats(*arrays: ArrayLike) -> list[NDArray[np.float64]]:
    return [np.asarray(array, dtype=float) for array in arrays]


def hinge_loss(margins: ArrayLike, labels: ArrayLike) -> NDArray[np.float64]:
    """``max(0, 1 - y <x, h>)`` of inner products (n_hypotheses, n_records) and labels -1 or +1.

    With labels 0 and 1, as the source prints, every record labelled 0 would have the loss 1 whatever the
    hypothesis: other labels are refused, for they belong to the public table of possible records.

    References
    ----------
    WLF16-tab-1, RKHS classification, with the labels corrected.

    Examples
    --------
    >>> hinge_loss([[0.5, 0.5], [2.0, 2.0]], [1, -1]).tolist()
    [[0.5, 1.5], [0.0, 3.0]]
    """
    margins, labels = _floats(margins, labels)
    if not np.isin(labels, (-1.0, 1.0)).all():
        raise ValueError("labels must be -1 or 1, but got other values.")
    return np.maximum(0.0, 1 - labels * margins)


def centres_loss(centres: ArrayLike, points: ArrayLike) -> NDArray[np.float64]:
    """``min over c in h of |c - z|^2`` of centres (n_hypotheses, k, n_dimensions): k-means.

    Examples
    --------
    >>> centres_loss([[[0.0], [3.0]]], [[1.0], [2.5]]).tolist()
    [[1.0, 0.25]]
    """
    centres, points = _floats(centres, points)
    return ((centres[:, :, None, :] - points) ** 2).sum(axis=-1).min(axis=1)


def topic_loss(
    topics: ArrayLike, documents: ArrayLike, mixtures: ArrayLike
) -> NDArray[np.float64]:
    """``-max over b of sum over words w of ln P_{b, h}(w)``, b among public mixtures (n_mixtures, n_topics).

    Topics are laws of words (n_hypotheses, n_topics, n_words), documents counts of them (n_records, n_words).

    Examples
    --------
    >>> topic_loss([[[0.9, 0.1], [0.1, 0.9]]], [[2, 0], [1, 1]], [[1.0, 0.0], [0.5, 0.5]]).round(4).tolist()
    [[0.2107, 1.3863]]
    """
    from scipy.special import xlogy

    topics, mixtures = _floats(topics, mixtures)
    return (
        -xlogy(np.asarray(documents), (mixtures @ topics)[:, :, None, :])
        .sum(axis=-1)
        .max(axis=1)
    )


def line_projections(angles: ArrayLike) -> NDArray[np.float64]:
    """Projections of the plane onto the lines through the origin at these angles, shape (n, 2, 2).

    Examples
    --------
    >>> line_projections([0.0]).tolist()
    [[[1.0, 0.0], [0.0, 0.0]]]
    """
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return directions[:, :, None] * directions[:, None, :]


def _residuals(projections: ArrayLike, points: ArrayLike) -> NDArray[np.float64]:
    """``P z - z`` for all pairs, of shape (..., n_records, n_dimensions)."""
    projections, points = _floats(projections, points)
    return np.einsum("...ij,nj->...ni", projections, points) - points


def projection_loss(
    projections: ArrayLike, points: ArrayLike, *, penalty: float = 0.0
) -> NDArray:
    """``|P z - z|^2 + penalty |P|_1`` of matrices P: principal components, sparse with a positive penalty.

    Examples
    --------
    >>> projection_loss(line_projections([0.0]), [[3.0, 4.0]], penalty=0.5).tolist()
    [[16.5]]
    """
    check.non_negative(penalty=penalty)
    sizes = np.abs(projections).sum(axis=(1, 2))
    return (_residuals(projections, points) ** 2).sum(axis=-1) + penalty * sizes[
        :, None
    ]


def robust_projection_loss(
    projections: ArrayLike, points: ArrayLike, *, penalty: float
) -> NDArray:
    """``|P z - z|_1 + penalty rank(P)``: robust principal components.  The rank of P is its trace.

    Examples
    --------
    >>> robust_projection_loss(line_projections([0.0]), [[3.0, 4.0]], penalty=0.5).tolist()
    [[4.5]]
    """
    check.non_negative(penalty=penalty)
    ranks = np.trace(projections, axis1=1, axis2=2)
    return (
        np.abs(_residuals(projections, points)).sum(axis=-1) + penalty * ranks[:, None]
    )


def subspaces_loss(projections: ArrayLike, points: ArrayLike) -> NDArray[np.float64]:
    """``min over P in h of |P z - z|^2`` of k projections a hypothesis: subspace clustering.

    Examples
    --------
    >>> subspaces_loss([line_projections([0.0, np.pi / 2])], [[3.0, 4.0]]).round(6).tolist()
    [[9.0]]
    """
    return (_residuals(projections, points) ** 2).sum(axis=-1).min(axis=1)


def completion_loss(
    bases: list, entries: ArrayLike, seen: ArrayLike, *, penalty: float = 0.0
) -> NDArray[np.float64]:
    """``min over b in h of |y o (b - x)|^2 + penalty rank(h)``: matrix completion.

    The columns x and the marks y of what is seen have shape (n_records, n_dimensions), the basis of each
    subspace h (n_dimensions, rank).  The minimum is the least squares distance of the seen entries from h.

    Examples
    --------
    >>> completion_loss([[[1.0], [1.0]]], [[0.0, 2.0], [0.0, 2.0]], [[1, 1], [1, 0]]).round(6).tolist()
    [[2.0, 0.0]]
    """
    check.non_negative(penalty=penalty)
    entries, seen = _floats(entries, seen)
    target, rows = (entries * seen)[:, :, None], []
    for basis in bases:
        masked = seen[:, :, None] * np.asarray(basis, dtype=float)
        residual = target - masked @ (np.linalg.pinv(masked) @ target)
        rows.append((residual**2).sum(axis=(1, 2)) + penalty * np.shape(basis)[1])
    return np.array(rows)


def _coded_loss(
    dictionaries: ArrayLike, points: ArrayLike, signs: tuple, penalty: float
) -> NDArray:
    """Least objective over the stationary codes with each pattern of signs, of those that keep to them."""
    dictionaries, points = _floats(dictionaries, points)
    if dictionaries.ndim != 3 or dictionaries.shape[2] > MOST_COLUMNS:
        shape = f"(n_hypotheses, n_dimensions, at most {MOST_COLUMNS})"
        raise ValueError(
            f"dictionaries must have shape {shape}, but got {dictionaries.shape}."
        )
    rows = []
    for dictionary in dictionaries:
        least = np.full(len(points), np.inf)
        for pattern in product(signs, repeat=dictionary.shape[1]):
            support = np.flatnonzero(pattern)
            columns = dictionary[:, support]
            right = points @ columns - penalty * np.array(pattern)[support] / 2
            codes = right @ np.linalg.pinv(
                columns.T @ columns
            )  # least squares, shifted by the penalty
            value = ((codes @ columns.T - points) ** 2).sum(axis=-1) + penalty * np.abs(
                codes
            ).sum(axis=-1)
            kept = (
                np.ones(len(points), dtype=bool)
                if -1 in signs
                else (codes >= -1e-12).all(axis=-1)
            )
            least = np.where(kept, np.minimum(least, value), least)
        rows.append(least)
    return np.array(rows)


def dictionary_loss(
    dictionaries: ArrayLike, points: ArrayLike, *, penalty: float
) -> NDArray[np.float64]:
    """``min over b of |h b - z|^2 + penalty |b|_1``: dictionary learning.

    Dictionaries h have shape (n_hypotheses, n_dimensions, n_columns), with at most `MOST_COLUMNS` columns.
    Some optimal code is stationary for its own signs and has independent columns in its support, and the
    objective at any code is at least the minimum; so the least value over all patterns of signs is exact.

    Examples
    --------
    >>> dictionary_loss([np.eye(2)], [[3.0, 0.1]], penalty=1.0).round(6).tolist()
    [[2.76]]
    """
    check.non_negative(penalty=penalty)
    return _coded_loss(dictionaries, points, (-1, 0, 1), penalty)


def nonnegative_loss(dictionaries: ArrayLike, points: ArrayLike) -> NDArray[np.float64]:
    """``min over b >= 0 of |h b - z|^2``: non-negative factorisation, by least squares on each support.

    Examples
    --------
    >>> nonnegative_loss([[[1.0], [1.0]]], [[1.0, 3.0], [-1.0, -1.0]]).round(6).tolist()
    [[2.0, 2.0]]
    """
    return _coded_loss(dictionaries, points, (0, 1), 0.0)


check.wrap_module(__name__)
