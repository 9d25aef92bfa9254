"""Problems on a grid that the theorems and counterexamples of learnability speak about."""

from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.hypotheses import Thresholds
from privml.learnability.base import LearningProblem

LARGEST_TABLE = 5_000_000


def _refuse_large(n_hypotheses: int, n_records: int) -> None:
    if n_hypotheses * n_records > LARGEST_TABLE:
        raise ValueError(
            f"the table of losses must have at most {LARGEST_TABLE} entries, got {n_hypotheses} hypotheses "
            f"times {n_records} records"
        )


def thresholds_problem(n_points: int) -> LearningProblem:
    """Thresholds on a grid of [0, 1], with 0-1 loss: towards the problem that cannot be learned privately.

    **Returns.** LearningProblem: ``2 n_points`` records, the points labelled False and then True, and the
    ``n_points + 1`` thresholds ``x >= i / n_points``.
    **Source.** WLF16-prop-12, on a grid.

    Raises
    ------
    ValueError
        If `n_points` is not a positive integer or the table too large.

    Examples
    --------
    >>> thresholds_problem(2).losses.tolist()
    [[1.0, 1.0, 0.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, 0.0, 1.0, 1.0]]
    """
    check.positive_integer(n_points=n_points)
    _refuse_large(n_points + 1, 2 * n_points)
    cuts, points = np.arange(n_points + 1) / n_points, (np.arange(n_points) + 0.5) / n_points
    table = LearningProblem.of_class(Thresholds(cuts), points).losses
    records = np.stack([np.tile(points, 2), np.repeat([0.0, 1.0], n_points)], axis=1)
    return LearningProblem(table, hypotheses=cuts, records=records)


def all_labellings_problem(n_points: int) -> LearningProblem:
    """All functions from a finite domain to {0, 1}, with 0-1 loss: not learnable as the domain grows.

    **Returns.** LearningProblem: ``2 n_points`` records (points labelled False, then True) and ``2^n_points``
    hypotheses; bit x of the index of a hypothesis is its label at x.
    **Source.** WLF16-thm-7: the class of the counterexample to its printed form.

    Raises
    ------
    ValueError
        If `n_points` is not a positive integer or the table too large.

    Examples
    --------
    >>> all_labellings_problem(1).losses.tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    check.positive_integer(n_points=n_points)
    _refuse_large(1 << min(n_points, 62), 2 * n_points)
    labels = (np.arange(1 << n_points)[:, None] >> np.arange(n_points)) & 1
    return LearningProblem(np.hstack([labels, 1 - labels]).astype(float))


def finite_subsets_problem(n_points: int, largest: int) -> LearningProblem:
    """Sets of at most `largest` of `n_points` points, with the loss 1(z is not in h).

    **Returns.** LearningProblem: hypotheses are the sets, by size and then in lexicographic order, as rows of
    membership.
    **Source.** WLF16-ex-16 and WLF16-ex-17, with finitely many points.

    Parameters
    ----------
    largest : int
        Largest size of a set, from 0 to `n_points`.

    Examples
    --------
    >>> finite_subsets_problem(2, 1).losses.tolist()
    [[1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]
    """
    check.positive_integer(n_points=n_points)
    check.non_negative_integer(largest=largest)
    if largest > n_points:
        raise ValueError(f"largest must be at most n_points = {n_points}, got {largest!r}")
    _refuse_large(sum(comb(n_points, size) for size in range(largest + 1)), n_points)
    sets = [chosen for size in range(largest + 1) for chosen in combinations(range(n_points), size)]
    member = np.zeros((len(sets), n_points), dtype=bool)
    for row, chosen in enumerate(sets):
        member[row, list(chosen)] = True
    return LearningProblem(1.0 - member, hypotheses=member)


def power_mean_problem(n_values: int, n_hypotheses: int, *, exponent: float = 10.0) -> LearningProblem:
    """A centre of numbers in [0, 1] under the loss ``|x - h|^exponent``, both on a grid.

    **Returns.** LearningProblem: its losses lie in [0, 1] as they stand.
    **Source.** WLF16-ex-appB-mean, on a grid.

    Parameters
    ----------
    n_values : int
        Number of equally spaced values of x from 0 to 1, at least 2.
    exponent : float, default 10
        Positive; 2 is the mean, 10 the example of the source.

    Examples
    --------
    >>> power_mean_problem(3, 2, exponent=2.0).losses.tolist()
    [[0.0, 0.25, 1.0], [1.0, 0.25, 0.0]]
    """
    check.positive_integer(n_values=n_values, n_hypotheses=n_hypotheses)
    check.positive(exponent=exponent)
    if min(n_values, n_hypotheses) < 2:
        raise ValueError(f"n_values and n_hypotheses must be at least 2, got {n_values}, {n_hypotheses}")
    _refuse_large(n_hypotheses, n_values)
    x, h = np.linspace(0, 1, n_values), np.linspace(0, 1, n_hypotheses)
    return LearningProblem(np.abs(x - h[:, None]) ** exponent, hypotheses=h, records=x)


def with_minorant(problem: LearningProblem, scale: float = 0.5) -> LearningProblem:
    """A problem with one further hypothesis that no record can prefer another to.

    The deviations ``R - R-hat`` of the other hypotheses are s times those of `problem`.
    **Returns.** LearningProblem: with the *minorant* as hypothesis 0, whose loss is 0 on every record.
    Returning it always is 0-DP with excess risk 0, whether or not the problem that it was added to can be
    learned.
    **Source.** WLF16-rem-uniform-convergence: privately learnable without uniform convergence.

    Parameters
    ----------
    scale : float, default 1/2
        Number s in (0, 1): the losses become ``1 - s + s l(h, z)``.

    Raises
    ------
    ValueError
        If `scale` is not in (0, 1).

    Examples
    --------
    >>> with_minorant(LearningProblem([[0.0, 1.0]])).losses.tolist()
    [[0.0, 0.0], [0.5, 1.0]]
    """
    check.instance(LearningProblem, problem=problem)
    check.probability_open(scale=scale)
    others: NDArray[np.float64] = 1 - scale + scale * problem.losses
    return LearningProblem(np.vstack([np.zeros(problem.n_records), others]), records=problem.records)


def coin_problem() -> LearningProblem:
    """The smallest problem there is to learn: records 0 and 1, and a guess that should equal the record.

    **Returns.** LearningProblem: with the loss ``1(h != z)``.
    **Source.** WLF16-rem-thm-7-scope: the problem of its example.

    >>> coin_problem().losses.tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    return LearningProblem([[0.0, 1.0], [1.0, 0.0]], hypotheses=[0, 1], records=[0, 1])
