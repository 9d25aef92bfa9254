"""Tables of the chapter on PATE on real data, most of them from committed runs."""

from privml.experiments.pate_on_real_data.tables import (
    budgets_compared,
    cells,
    frontier,
    half_widths,
    leads,
    live,
    query_noise,
    sparse_vector_budget,
)

__all__ = [
    "cells",
    "budgets_compared",
    "frontier",
    "half_widths",
    "leads",
    "live",
    "sparse_vector_budget",
    "query_noise",
]
