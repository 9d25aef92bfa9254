r"""What random Fourier features cost: an error of the kernel, and a loss of risk.

With D pairs of features ``(cos <w, x>, sin <w, x>) / sqrt(D)``, the frequencies w drawn from the spectral law
of a shift-invariant kernel k with ``k(x, x) = 1``, every record has norm exactly 1, and

.. math:: \hat k(x, x') = \frac1D \sum_j \cos \langle w_j, x - x' \rangle

is a mean of D independent numbers in [-1, 1] with expectation ``k(x, x')``.

Let ``f(x) = E_w[a(w) cos <w, x> + b(w) sin <w, x>]`` with ``a^2 + b^2 <= C^2`` (a sum of kernels at points
with weights of absolute sum C is one).  The weights ``(a(w_j), b(w_j)) / sqrt(D)`` have norm at most C, and
their score has mean f(x) and variance at most ``C^2 / D``.  So some hypothesis of the ball of radius C in 2 D
dimensions is, in expectation over the frequencies, within ``L C / sqrt(D)`` of f for an L-Lipschitz loss.
The exponential mechanism on that ball pays for 2 D dimensions: more features approximate better and cost
more.
"""

from math import ceil, exp, floor, sqrt

from privml import _check as check
from privml._search import smallest_integer
from privml.bounds.convex_sublevel import convex_utility_gap


def fourier_kernel_failure(n_pairs: int, error: float, *, n_points: int = 2) -> float:
    """Bound on the probability that the kernel of some pair of points is wrong by at least the error.

    Parameters
    ----------
    n_pairs : int
        Number D of pairs of features.
    error : float
        Positive.

    Returns
    -------
    float
        ``n_points (n_points - 1) exp(-D error^2 / 2)``, at most 1: Hoeffding and a union over pairs.

    Notes
    -----
    **Source.** WLF16-rem-infinite-domain; Rahimi and Recht (2007).

    Examples
    --------
    >>> round(fourier_kernel_failure(1000, 0.1), 4)
    0.0135
    """
    check.positive_integer(n_pairs=n_pairs, n_points=n_points)
    check.positive(error=error)
    if n_points < 2:
        raise ValueError(f"n_points must be at least 2, got {n_points!r}")
    return min(1.0, n_points * (n_points - 1) * exp(-n_pairs * (error * error) / 2))


def fourier_kernel_pairs(error: float, beta: float, *, n_points: int = 2) -> int:
    """Smallest number of pairs of features for which `fourier_kernel_failure` is at most beta.

    Parameters
    ----------
    error : float
        Positive.

    Notes
    -----
    **Source.** WLF16-rem-infinite-domain; Rahimi and Recht (2007).

    Examples
    --------
    >>> fourier_kernel_pairs(0.1, 0.05, n_points=100)
    2440
    """
    check.probability_open(beta=beta)
    return smallest_integer(lambda pairs: fourier_kernel_failure(pairs, error, n_points=n_points) <= beta)


def fourier_erm_gap(
    n_samples: int, epsilon: float, n_pairs: int, *, norm: float, lipschitz: float, oscillation: float
) -> float:
    """Bound on the expected excess empirical risk over the best f of norm C, for a convex loss.

    Parameters
    ----------
    n_pairs : int
        Number D of pairs of features; the dimension is 2 D.
    norm : float
        C, also the radius of the ball, positive.
    lipschitz : float
        Lipschitz constant of the loss in the score, positive.
    oscillation : float
        Of one record's loss over the ball, positive.

    Returns
    -------
    float
        ``lipschitz C / sqrt(D)`` plus ``4 oscillation D / (n epsilon)``, the utility gap of private ERM for a
        convex loss in 2 D dimensions, which is at most `oscillation`.

    Notes
    -----
    **Accuracy.** In expectation over frequencies and draw, for every data set.
    **Source.** WLF16-rem-infinite-domain: what its remark on features costs.

    Examples
    --------
    >>> sizes = {"norm": 4.0, "lipschitz": 1.0, "oscillation": 4.0}
    >>> [round(fourier_erm_gap(10**6, 1.0, pairs, **sizes), 3) for pairs in (100, 1000, 10000)]
    [0.402, 0.142, 0.2]
    """
    check.positive_integer(n_pairs=n_pairs)
    check.positive(norm=norm, lipschitz=lipschitz, oscillation=oscillation)
    gap = convex_utility_gap(
        n_samples, epsilon, 2 * n_pairs, oscillation=oscillation, sensitivity_factor=oscillation
    )
    return lipschitz * norm / sqrt(n_pairs) + gap


def fourier_best_pairs(
    n_samples: int, epsilon: float, *, norm: float, lipschitz: float, oscillation: float
) -> int:
    """The number of pairs of features with the least sum of approximation and dimension.

    Parameters
    ----------
    norm, lipschitz, oscillation : float
        As for :func:`fourier_erm_gap`.

    Returns
    -------
    int
        The better neighbour of ``(lipschitz C n epsilon / (8 oscillation))^(2/3)``; `fourier_erm_gap` is then
        of the order ``(n epsilon)^(-1/3)``, whatever the dimension of the kernel's space.

    Notes
    -----
    **Source.** WLF16-rem-infinite-domain.

    Examples
    --------
    >>> fourier_best_pairs(10**6, 1.0, norm=4.0, lipschitz=1.0, oscillation=4.0)
    2500
    """
    check.positive_integer(n_samples=n_samples)
    check.positive(epsilon=epsilon, norm=norm, lipschitz=lipschitz, oscillation=oscillation)
    slope = 4 * oscillation / (n_samples * epsilon)
    check.positive(**{"oscillation / (n_samples * epsilon)": slope})
    middle = (lipschitz * norm / (2 * slope)) ** (2 / 3)
    check.finite(**{"n_samples * epsilon * lipschitz * norm / oscillation": middle})
    near = range(max(1, floor(middle)), max(1, ceil(middle)) + 1)
    return min(near, key=lambda pairs: lipschitz * norm / sqrt(pairs) + slope * pairs)


def fourier_kernel_variance(
    kernel: float, kernel_of_twice: float, n_pairs: int, *, paired: bool = True
) -> float:
    """Variance of the approximate kernel at one difference, with 2 D features: in pairs, or with phases.

    Parameters
    ----------
    kernel : float
        ``k(x - x')``, in [-1, 1].
    kernel_of_twice : float
        ``k(2 (x - x'))``, in [-1, 1]; the fourth power of `kernel` if that is Gaussian.
    n_pairs : int
        D; the phases have 2 D features ``sqrt(1 / D) cos(<w, x> + phase)``, as scikit-learn's RBFSampler.
    paired : bool, default True
        Whether the features come in pairs of cosine and sine.

    Returns
    -------
    float
        With ``v = (1 + k(2 delta)) / 2 - k(delta)^2``: ``v / D`` for pairs, ``(v + 1/2) / (2 D)`` for phases.
        Pairs are better where ``v <= 1/2``, everywhere for the Gaussian kernel.

    Notes
    -----
    **Source.** WLF16-rem-infinite-domain; Rahimi and Recht (2007).

    Examples
    --------
    >>> fourier_kernel_variance(1.0, 1.0, 50), fourier_kernel_variance(1.0, 1.0, 50, paired=False)
    (0.0, 0.005)
    """
    check.positive_integer(n_pairs=n_pairs)
    check.instance(bool, paired=paired)
    check.finite(kernel=kernel, kernel_of_twice=kernel_of_twice)
    if max(abs(kernel), abs(kernel_of_twice)) > 1:
        raise ValueError(f"kernels must be in the interval [-1, 1], got {kernel!r} and {kernel_of_twice!r}")
    one = max((1 + kernel_of_twice) / 2 - kernel**2, 0.0)
    return one / n_pairs if paired else (one + 0.5) / (2 * n_pairs)
