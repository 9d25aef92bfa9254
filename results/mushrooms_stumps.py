"""Decision stumps on real records: exact laws of the learned rule, averaged over fixed splits.

The cut points are public numbers in public ranges. For each split of the records the law of the private rule
is computed exactly, and so are the mean and the quantiles of its accuracy on the records held out: no rule is
drawn, the only randomness left is the choice of the splits, and that is seeded.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from privml.datasets import Dataset, load_mushrooms
from privml.hypotheses import DecisionStumps
from privml.learners.exponential import exponential_mistake_learner
from privml.results.runs import Study, main

__all__ = ["STUDY"]

TEST_SHARE = 0.3
EPSILONS = tuple(float(f"{10**k:.3g}") for k in np.linspace(-4, 0, 17))
COLUMNS = ("epsilon", "mean", "low", "high", "erm", "majority")

Split = tuple[NDArray[np.int64], NDArray[np.float64], float]


def split_counts(
    data: Dataset, hypotheses: DecisionStumps, n_splits: int, seed: int
) -> list[Split]:
    """For each split: training mistakes and test accuracies of all stumps, and that of the majority label."""
    found, n_test = [], round(TEST_SHARE * len(data.y))
    for rng in np.random.default_rng(seed).spawn(n_splits):
        test, train = np.split(rng.permutation(len(data.y)), [n_test])
        accuracies = 1 - hypotheses.mistakes(data.X[test], data.y[test]) / n_test
        majority = 2 * np.count_nonzero(data.y[train]) > len(train)
        mistakes = hypotheses.mistakes(data.X[train], data.y[train])
        found.append((mistakes, accuracies, float((data.y[test] == majority).mean())))
    return found


def weighted_quantiles(
    values: NDArray, weights: NDArray, levels: Sequence[float]
) -> list[float]:
    """Least values at which the distribution function reaches each level."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    places = np.searchsorted(reached, np.array(levels) * reached[-1] * (1 - 1e-12))
    return values[order][places].tolist()


def accuracy(splits: list[Split], epsilon: float) -> tuple:
    """Row of the table: mean, 5 % and 95 % quantiles over splits and the exact law, ERM, majority label."""
    accuracies = np.concatenate([accuracy for _, accuracy, _ in splits])
    law = exponential_mistake_learner(epsilon)
    weights = np.concatenate([law(mistakes) for mistakes, *_ in splits]) / len(splits)
    low, high = weighted_quantiles(accuracies, weights, (0.05, 0.95))
    erm = float(
        np.mean([accuracy[mistakes.argmin()] for mistakes, accuracy, _ in splits])
    )
    majority = float(np.mean([share for *_, share in splits]))
    return (epsilon, float(weights @ accuracies), low, high, erm, majority)


@lru_cache(maxsize=1)
def mushrooms(n_cuts: int, n_splits: int, seed: int) -> list[Split]:
    """The splits of the mushrooms, made once in a process."""
    data = load_mushrooms()
    return split_counts(
        data, DecisionStumps.on_grid(data.X.shape[1], 0.0, 1.0, n_cuts), n_splits, seed
    )


def work(
    epsilon: float, *, n_cuts: int = 1, n_splits: int = 20, seed: int = 0
) -> list[tuple]:
    """The row of one epsilon."""
    return [accuracy(mushrooms(n_cuts, n_splits, seed), epsilon)]


STUDY = Study(
    name="mushrooms-stumps",
    columns=COLUMNS,
    jobs=tuple((epsilon,) for epsilon in EPSILONS),
    work=work,
    parameters={"epsilons": list(EPSILONS), "n_cuts": 1, "n_splits": 20, "seed": 0},
    data={"mushrooms": load_mushrooms},
)

if __name__ == "__main__":
    main(STUDY.name)
