"""How far an ensemble of teachers agrees: Figures 3 and 4 of LZCW21, on Adult."""

from privml.experiments.margins.adult import committed_adult
from privml.experiments.margins.study import (
    correlation,
    cumulated,
    margin_histogram,
    margin_summary,
    with_margins,
)

__all__ = [
    "committed_adult",
    "correlation",
    "cumulated",
    "margin_histogram",
    "margin_summary",
    "with_margins",
]
