"""What no pure private learner can avoid: lower bounds by packing.

Many populations that pairwise exclude each other's answers, all within a short distance of one data set:
group privacy carries a part of each answer's probability to that data set, where the parts must share 1.
"""

from math import log, log1p

from privml import _check as check


def thresholds_packing_sample_size(n_cuts: int, epsilon: float, alpha: float, beta: float) -> float:
    """Number of samples below which no private learner of thresholds meets the PAC criterion.

    Parameters
    ----------
    n_cuts : int
        Number T of thresholds on the line, at least 1.
    epsilon : float
        Privacy parameter in nats, positive, for pure differential privacy under ``REPLACE_ONE``.

    Returns
    -------
    float
        ``ln(T (1 - 2 beta)) / (4 alpha epsilon)``, at least 0, for learners that output one of the T
        thresholds, even if the best error is 0.

    Notes
    -----
    **Source.** L4-rem-price-of-privacy, DR11-cor-pac-iff-private-pac: the price of privacy can exceed any
    constant.  The proof is in the book.

    Examples
    --------
    >>> round(thresholds_packing_sample_size(2**16, 0.1, 0.05, 0.05), 3)
    549.25
    """
    check.positive_integer(n_cuts=n_cuts)
    check.positive(epsilon=epsilon)
    for name, value in {"alpha": alpha, "beta": beta}.items():
        check.probability_open(**{name: value})
        if value >= 0.5:
            raise ValueError(f"{name} must be below 1/2, got {value!r}")
    return max(0.0, (log(n_cuts) + log1p(-2 * beta)) / (4 * alpha * epsilon))
