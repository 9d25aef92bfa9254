"""How often the best (ln 3, delta)-private search for an interior point fails, between two exact numbers.

A data set is a multiset of n of the points 0, ..., K - 1, an answer is a point, and it is wrong outside of
the smallest and the largest of the n. The solver's law and multipliers are rounded to whole multiples of
``1 / UNIT``; what they prove is then a matter of whole numbers, because ``e^epsilon = 3``.
"""

from fractions import Fraction
from math import ceil, floor

import numpy as np

from privml.learnability import count_vector_rows, count_vectors, neighbours
from privml.results.runs import Study, main

__all__ = [
    "STUDY",
    "best_search",
    "bounds",
    "law_error",
    "multiplier_bound",
    "outside",
    "ordered_pairs",
]

GROWTH = 3  # e^epsilon
UNIT = 1 << 40
DELTAS = ("0", "1/100", "1/10")
SIZES = {2: 7, 3: 7, 4: 7, 5: 6, 6: 6, 7: 6, 8: 5}  # points: most records


def outside(K, n):
    """Table (data sets, points): whether a point is outside of the range of the data set."""
    counts = count_vectors(K, n)
    upwards = counts.cumsum(axis=1) == 0
    return upwards | (counts[:, ::-1].cumsum(axis=1) == 0)[:, ::-1]


def ordered_pairs(K, n):
    """Neighbouring data sets, in both orders."""
    pairs = neighbours(K, n)
    return np.concatenate([pairs, pairs[:, ::-1]])


def best_search(K, n, delta):
    """The solver's law (data sets, points), and its multipliers of data sets and of pairs."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    wrong, pairs = outside(K, n), ordered_pairs(K, n)
    mirror = count_vector_rows(count_vectors(K, n)[:, ::-1])
    cells = np.arange(wrong.size).reshape(
        wrong.shape
    )  # one unknown for a cell and its mirror image
    unknowns, column = np.unique(
        np.minimum(cells, cells[mirror][:, ::-1]), return_inverse=True
    )
    column = column.reshape(wrong.shape)
    codes = pairs @ [len(wrong), 1]
    pairs = pairs[codes <= mirror[pairs] @ [len(wrong), 1]]
    n_rows, size = pairs.shape[0] * K, len(unknowns)
    slack = np.arange(
        n_rows if delta else 0
    )  # s >= p_a - 3 p_b, and the sum over points <= delta
    width, rows = size + 1 + len(slack), np.arange(n_rows)
    ones = np.ones(n_rows)
    blocks = [
        (rows, column[pairs[:, 0]].ravel(), ones),
        (rows, column[pairs[:, 1]].ravel(), -GROWTH * ones),
    ]
    if delta:
        blocks += [
            (rows, size + 1 + slack, -ones),
            (n_rows + rows // K, size + 1 + slack, ones),
        ]
    first = n_rows + (len(pairs) if delta else 0)
    spots = np.nonzero(wrong)
    blocks += [(first + spots[0], column[spots], np.ones(len(spots[0])))]
    blocks += [
        (first + np.arange(len(wrong)), np.full(len(wrong), size), -np.ones(len(wrong)))
    ]
    at, of, values = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    matrix = csr_array((values, (at, of)), shape=(first + len(wrong), width))
    right = np.zeros(matrix.shape[0])
    right[n_rows:first] = float(delta)
    homes = csr_array(
        (np.ones(wrong.size), (cells.ravel() // K, column.ravel())),
        shape=(len(wrong), width),
    )
    cost = np.arange(width) == size
    program = cost, matrix, right, homes, np.ones(len(wrong)), (0, None)
    found = linprog(*program, method="highs-ipm")
    weights = np.maximum(-found.ineqlin.marginals, 0)
    return (
        found.x[column],
        weights[first:],
        (pairs, mirror, weights[:n_rows].reshape(-1, K)),
    )


def law_error(law, K, n, delta):
    """Largest probability of a wrong answer of a law near the given one that is private, exactly."""
    delta, wrong, pairs = Fraction(delta), outside(K, n), ordered_pairs(K, n)
    law, mixture = np.maximum(law, 0), 0.0
    law /= law.sum(axis=1, keepdims=True)
    while True:
        table = np.floor(((1 - mixture) * law + mixture / K) * UNIT).astype(np.int64)
        table[np.arange(len(table)), table.argmax(axis=1)] += UNIT - table.sum(axis=1)
        gain = (
            np.maximum(table[pairs[:, 0]] - GROWTH * table[pairs[:, 1]], 0)
            .sum(axis=1)
            .max()
        )
        if (
            int(gain) * delta.denominator <= delta.numerator * UNIT
        ):  # private, in whole numbers
            return Fraction(int((table * wrong).sum(axis=1).max()), UNIT)
        mixture = max(1e-9, 2 * mixture)


def multiplier_bound(of_datasets, of_pairs, K, n, delta):
    """What non-negative multipliers, whatever they are, prove about every private search, exactly."""
    pairs, mirror, weights = of_pairs
    y = np.floor(weights * UNIT).astype(np.int64)
    total = np.floor(of_datasets * UNIT).astype(np.int64)
    total += total[mirror]  # everything twice: as it is, and its mirror image
    value = total[:, None] * outside(K, n)
    for (a, b), table in ((pairs.T, y), (mirror[pairs].T, y[:, ::-1])):
        np.add.at(value, a, table)
        np.add.at(value, b, -GROWTH * table)
    spent = 2 * int(y.max(axis=1).sum()) * Fraction(delta)
    return (sum(int(least) for least in value.min(axis=1)) - spent) / int(total.sum())


def bounds(K, n, delta):
    """Between which two fractions the least probability of a wrong answer lies."""
    law, *multipliers = best_search(K, n, Fraction(delta))
    return multiplier_bound(*multipliers, K, n, delta), law_error(law, K, n, delta)


def rows(K, n):
    """For each delta the two bounds, to eight decimals, outwards."""
    found = ((delta, *bounds(K, n, delta)) for delta in DELTAS)
    return [
        (
            K,
            n,
            float(Fraction(delta)),
            floor(low * 10**8) / 10**8,
            ceil(high * 10**8) / 10**8,
        )
        for delta, low, high in found
    ]


STUDY = Study(
    name="interior-points",
    columns=("n_points", "n_samples", "delta", "lower", "upper"),
    jobs=tuple((K, n) for K, most in SIZES.items() for n in range(1, most + 1)),
    work=rows,
    parameters={
        "growth": GROWTH,
        "deltas": list(DELTAS),
        "most_records": list(SIZES.items()),
    },
    digits=9,
)

if __name__ == "__main__":
    main(STUDY.name)
