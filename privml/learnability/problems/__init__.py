"""Learning problems, ready made: those of the theorems on a grid, and the rows of Table 1 of WLF16.

A loss is a function from hypotheses and records to a table; an example is a small instance of it with a
public range, as a :class:`~privml.learnability.problems.base.RawProblem`; ``.problem()`` moves its losses to
[0, 1], which every theorem on private learning assumes.
"""

from privml.learnability.problems.base import RawProblem, rescaled_problem
from privml.learnability.problems.grids import (
    all_labellings_problem,
    coin_problem,
    finite_subsets_problem,
    power_mean_problem,
    thresholds_problem,
    with_minorant,
)
from privml.learnability.problems.table import Row, rows

__all__ = [
    "RawProblem",
    "Row",
    "all_labellings_problem",
    "coin_problem",
    "finite_subsets_problem",
    "power_mean_problem",
    "rescaled_problem",
    "rows",
    "thresholds_problem",
    "with_minorant",
]
