"""The variants of the sparse vector of votes that the tables compare."""

from privml.pate import SparseVectorAggregator

VARIANTS = {
    "source": {"calibration": "source", "split": "printed"},
    "source, best split": {"calibration": "source", "split": "optimal"},
    "exact, printed split": {"calibration": "exact", "split": "printed"},
    "exact": {"calibration": "exact", "split": "optimal"},
}


def aggregator(
    variant: str, cutoff: int, n_queries: int, epsilon: float, delta: float
) -> SparseVectorAggregator:
    """One variant, by its name."""
    promise = {"cutoff": cutoff, "n_queries": n_queries, "epsilon": epsilon, "delta": delta}
    return SparseVectorAggregator(**promise, **VARIANTS[variant])


def reach(variant: SparseVectorAggregator, n_queries: int, beta: float) -> float:
    """Distance from which on all of some points are answered, except with probability beta."""
    from privml.bounds.pate_labels import answered_distance

    scales = variant.noise.threshold_scale, variant.noise.query_scale
    return answered_distance(n_queries, variant.cutoff, variant.threshold, *scales, beta)
