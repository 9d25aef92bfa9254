"""What privacy costs in samples, as a ratio to what learning costs without it."""

from math import log

from privml import _check as check
from privml.bounds.private_pac import private_pac_sample_size_dr11
from privml.bounds.uniform_convergence import agnostic_erm_sample_size


def price_of_privacy(n_hypotheses: int, epsilon: float, alpha: float, beta: float) -> float:
    """Sufficient private sample size over sufficient non-private sample size.

    Returns
    -------
    float
        :func:`~privml.bounds.private_pac.private_pac_sample_size_dr11` over
        :func:`~privml.bounds.uniform_convergence.agnostic_erm_sample_size`: the cost of privacy in this
        finite-class analysis, in samples, as a ratio of two upper bounds.

    Notes
    -----
    **Source.** L4-rem-price-of-privacy: bounded by a constant while epsilon >= alpha, and growing like
    alpha / epsilon (the notes print "linear") below.

    Examples
    --------
    >>> round(price_of_privacy(16, 1.0, 0.1, 0.05), 3), round(price_of_privacy(16, 0.01, 0.1, 0.05), 3)
    (1.299, 13.92)
    """
    private = private_pac_sample_size_dr11(n_hypotheses, epsilon, alpha, beta)
    return private / agnostic_erm_sample_size(n_hypotheses, alpha, beta)


def free_privacy_ratio(n_hypotheses: int, beta: float, *, constant: str = "lecture") -> float:
    """The ratio epsilon / alpha above which lecture 4's sample size does not depend on epsilon.

    Parameters
    ----------
    constant : {"lecture", "hoeffding"}
        Tail bound for one hypothesis.

    Returns
    -------
    float
        ``6 ln(2|H| / beta) / (c ln(4|H| / beta))`` with c = 27 (lecture) or 9/2 (Hoeffding), where the two
        terms of :func:`~privml.bounds.private_pac.private_pac_sample_size_l4` are equal.

    Notes
    -----
    **Source.** L4-rem-price-of-privacy.

    Examples
    --------
    >>> round(free_privacy_ratio(16, 0.05), 3), round(free_privacy_ratio(16, 0.05, constant="hoeffding"), 3)
    (0.201, 1.204)
    """
    check.positive_integer(n_hypotheses=n_hypotheses)
    check.probability_open(beta=beta)
    check.one_of(("lecture", "hoeffding"), constant=constant)
    factor = {"lecture": 27.0, "hoeffding": 4.5}[constant]
    return 6 * (log(2 * n_hypotheses) - log(beta)) / (factor * (log(4 * n_hypotheses) - log(beta)))
