"""Table 4 of LZCW21, reproduced by its protocol, with our own method beside it."""

from privml.experiments.table4.comparison import observations, paired_leads, side_by_side
from privml.experiments.table4.published import published_cells, published_sizes
from privml.experiments.table4.readings import committed_readings, distances
from privml.experiments.table4.summary import (
    committed,
    committed_rows,
    ex_post,
    half_width,
    reproduced_ex_post,
    summary,
)
from privml.results.table4 import EPSILONS, split_sizes

__all__ = [
    "EPSILONS",
    "committed",
    "committed_readings",
    "committed_rows",
    "distances",
    "ex_post",
    "half_width",
    "observations",
    "paired_leads",
    "published_cells",
    "published_sizes",
    "reproduced_ex_post",
    "side_by_side",
    "split_sizes",
    "summary",
]
