r"""Learning from a finite set of hypotheses that was chosen without looking at the data.

Let V be a finite set of K hypotheses, fixed or drawn at random before the data are seen, and let
*approximation* bound the expected distance ``E min_V R - R*``.  The exponential mechanism over V has, in
expectation,

* empirical risk at most ``2 ln K / (n epsilon)`` above the least one on V (Gibbs), and
* a risk above its empirical risk by at most ``tanh(epsilon / 4)``, because it is private, or by at most
  ``sqrt(ln K / (2 n))``, because K means of n numbers in [0, 1] all stay near their expectations.

The excess risk is at most the sum of the approximation, the first, and the smaller of the other two.
"""

from math import sqrt, tanh

from privml import _check as check


def representation_excess_risk(
    n_samples: int, epsilon: float, log_size: float, *, approximation: float = 0.0
) -> float:
    """Bound on the expected excess risk of the exponential mechanism over a public finite set.

    **Accuracy.** In expectation over set, sample and draw, for losses in [0, 1] and independent records.
    **Source.** WLF16-ex-23, WLF16-ex-24: the reduction to WLF16-ex-20, with constants.

    Parameters
    ----------
    epsilon : float
        Privacy budget in nats, positive; as much of it is used as is best.
    log_size : float
        Logarithm of the number K of hypotheses, non-negative.
    approximation : float, default 0
        Bound on the expected distance of the least risk on the set from the benchmark.

    Examples
    --------
    >>> from math import log
    >>> round(representation_excess_risk(1000, 1.0, log(64), approximation=0.05), 4)
    0.1039
    """
    check.positive_integer(n_samples=n_samples)
    check.positive(epsilon=epsilon)
    check.non_negative(log_size=log_size, approximation=approximation)
    uniform = 2 * log_size / (n_samples * epsilon) + sqrt(log_size / (2 * n_samples))
    best = min(epsilon, sqrt(8 * log_size / n_samples)) if log_size else 0.0
    private = 2 * log_size / (n_samples * best) + tanh(best / 4) if best else 0.0
    return approximation + min(uniform, private)
