"""Tables of the chapter on sparse and kernel problems: few features, few hypotheses, few frequencies."""

from privml.experiments.sparse_and_kernel_problems.kernels import (
    feature_costs,
    kernel_errors,
    rings,
    risk_by_pairs,
    row_lengths,
    scale_rule,
)
from privml.experiments.sparse_and_kernel_problems.sets import (
    counts_by_bits,
    cover_sizes,
    narrow_laws,
    points_by_bits,
    public_points,
    reference_sizes,
    representation_sizes,
)
from privml.experiments.sparse_and_kernel_problems.subsets import (
    audited,
    excess_by_features,
    rate_forms,
    tumour_risks,
)

__all__ = [
    "audited",
    "counts_by_bits",
    "cover_sizes",
    "excess_by_features",
    "feature_costs",
    "kernel_errors",
    "narrow_laws",
    "points_by_bits",
    "public_points",
    "rate_forms",
    "reference_sizes",
    "representation_sizes",
    "rings",
    "risk_by_pairs",
    "row_lengths",
    "scale_rule",
    "tumour_risks",
]
