"""What a claim is: calls with public parameters, each with its promise and exact laws of neighbours."""

import re
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import product

import mpmath
import numpy as np

from privml.adjacency import Adjacency, neighbouring_datasets, records
from privml.distributions import Categorical
from privml.guarantee import BoundedRangeGuarantee, ConcentratedGuarantee, Guarantee

EPSILONS = (1e-6, 0.3, 1.0, 4.0, 40.0, 720.0, 1e4)
DELTAS = (1e-300, 1e-12, 1e-5, 0.3)
ROUNDING = 1e-9
SECONDS = 1.0  # of the processor
ORDERS = (1.001, 1.3, 2.0, 5.0, 40.0, 1e4)
Pairs = Iterable[tuple[np.ndarray, np.ndarray] | float]
"""Log-probabilities of all outcomes on two neighbouring data sets; or the distance of two unit Gaussians."""


@dataclass(eq=False)
class Claim:
    """A public name and its cases: each is a call that returns the promise and the pairs of laws.

    A promise that is `factor` times stronger must be seen broken in a case: 3 times, but where the printed
    theorem or the small example is loose.  And of the kept promises at least the share `spent` is spent
    whole: 98 % of delta, or else of epsilon or rho, would be too little.
    """

    name: str
    cases: list[tuple[str, Callable[[], tuple[object, Pairs]]]]
    factor: float = 3
    spent: float = 0.0

    def __repr__(self) -> str:
        return self.name


def grid(function: Callable, **values: Iterable) -> list:
    """Cases of one function at all combinations of parameters."""
    names = list(values)
    return [
        (
            ", ".join(f"{n}={v!r}" for n, v in zip(names, row, strict=True)),
            lambda r=row: function(*r),
        )
        for row in product(*values.values())
    ]


def audited(
    law: Callable, universe: object, n_samples: int, adjacency: Adjacency
) -> Pairs:
    """Laws on all neighbouring data sets of that size over a universe, or of that size and one less."""

    def logpmf(indices: np.ndarray) -> np.ndarray:
        output = law(records(universe, indices))
        return (
            output.logpmf() if isinstance(output, Categorical) else np.asarray(output)
        )

    first, second, pairs = neighbouring_datasets(
        universe, n_samples, adjacency=adjacency
    )
    left = [logpmf(row) for row in first]
    right = left if second is first else [logpmf(row) for row in second]
    return [(left[i], right[j]) for i, j in pairs.tolist()]


def log_delta(log_p: np.ndarray, log_q: np.ndarray, epsilon: float) -> float:
    """Logarithm of the smallest delta at epsilon, for one direction."""
    seen = log_p > -np.inf
    loss = log_p[seen] - log_q[seen] - epsilon
    over = loss > 0
    if not over.any():
        return -np.inf
    terms = log_p[seen][over] + np.log(-np.expm1(-loss[over]))
    return float(np.logaddexp.reduce(terms))


def gaussian_log_delta(mu: float, epsilon: float) -> float:
    """Logarithm of delta at epsilon of two unit Gaussians mu apart, in many digits."""
    with mpmath.workdps(60 + int(epsilon / 2.3 if epsilon < 3000 else 1400)):
        a, b = (
            mpmath.mpf(mu) / 2 - mpmath.mpf(epsilon) / mu,
            -mpmath.mpf(mu) / 2 - mpmath.mpf(epsilon) / mu,
        )
        delta = mpmath.ncdf(a) - mpmath.exp(epsilon) * mpmath.ncdf(b)
        return float(mpmath.log(delta)) if delta > 0 else -np.inf


def renyi(log_p: np.ndarray, log_q: np.ndarray, order: float) -> float:
    """Renyi divergence of two finite laws with the same outcomes."""
    seen = log_p > -np.inf
    return float(
        np.logaddexp.reduce(order * log_p[seen] - (order - 1) * log_q[seen])
    ) / (order - 1)


def cells(below: np.ndarray, above: np.ndarray) -> np.ndarray:
    """Log-probabilities of the cells between points, and beyond, from those of being below and above each."""
    with np.errstate(divide="ignore", invalid="ignore"):
        low = below[1:] + np.log(-np.expm1(below[:-1] - below[1:]))
        high = above[:-1] + np.log(-np.expm1(above[1:] - above[:-1]))
    return np.concatenate(
        [below[:1], np.where(below[1:] < above[1:], low, high), above[-1:]]
    )


def printed(promise: object) -> list[float]:
    """The numbers of a printed promise."""
    head = re.split(r"-differential|-concentrated|-bounded", str(promise))[0]
    return [float(number) for number in head.strip("()").split(", ")]


def slack(log_p: np.ndarray, log_q: np.ndarray, epsilon: float) -> float:
    """What rounding of log-probabilities can do to a loss."""
    sizes = [abs(law[np.isfinite(law)]).max(initial=0.0) for law in (log_p, log_q)]
    return ROUNDING * epsilon + 1e-14 * (1 + max(sizes))


def fault(promise: object, pair: tuple[np.ndarray, np.ndarray] | float) -> str | None:
    """Why a promise does not hold on a pair of laws, or None."""
    if np.ndim(pair) == 0:
        return gaussian_fault(promise, float(pair))
    log_p, log_q = (np.asarray(law, dtype=float) for law in pair)
    if isinstance(promise, Guarantee):
        epsilon = promise.epsilon + slack(log_p, log_q, promise.epsilon)
        limit = np.log(promise.delta) + 1e-7 if promise.delta > 0 else -np.inf
        for one, other in ((log_p, log_q), (log_q, log_p)):
            if (found := log_delta(one, other, epsilon)) > limit:
                return f"{promise!r}: ln delta is {found!r} at its epsilon"
        return None
    if isinstance(promise, BoundedRangeGuarantee):
        loss = (log_p - log_q)[(log_p > -np.inf) | (log_q > -np.inf)]
        wide = np.ptp(loss) > promise.epsilon + 2 * slack(log_p, log_q, promise.epsilon)
        return f"{promise!r}: losses spread over {np.ptp(loss)!r}" if wide else None
    assert isinstance(promise, ConcentratedGuarantee)
    for order, (one, other) in product(ORDERS, ((log_p, log_q), (log_q, log_p))):
        found = renyi(one, other, order)
        if found > order * promise.rho * (1 + ROUNDING) + slack(
            one, other, 0.0
        ) * order / (order - 1):
            return f"{promise!r}: Renyi divergence {found!r} at order {order}"
    return None


def gaussian_fault(promise: object, mu: float) -> str | None:
    """Why a promise does not hold for two unit Gaussians mu apart, or None."""
    if isinstance(promise, ConcentratedGuarantee):
        kept = mu**2 / 2 <= promise.rho * (1 + ROUNDING)
        return None if kept else f"{promise!r}: two Gaussians {mu!r} apart"
    exact = gaussian_log_delta(mu, promise.epsilon)
    # The float mu carries a relative error, which the tail of the Gaussian multiplies by its exponent.
    kept = promise.delta > 0 and exact <= np.log(promise.delta) + ROUNDING * max(
        1.0, -np.log(promise.delta)
    )
    return (
        None
        if kept
        else f"{promise!r}: ln delta is {exact!r} at its epsilon, {mu!r} apart"
    )


def divided(promise: object, **sizes: float) -> object:
    """The same promise with numbers that are so many times smaller."""
    numbers = {name: getattr(promise, name, 0.0) / size for name, size in sizes.items()}
    return replace(promise, **{name: value for name, value in numbers.items() if value})


def stronger(promise: object, factor: float) -> object:
    """The same promise with numbers that are so many times smaller: rho by the square."""
    return divided(promise, epsilon=factor, delta=factor, rho=factor**2)


def nearly(promise: object) -> object:
    """98 % of delta, or else of epsilon or rho."""
    part = "delta" if getattr(promise, "delta", 0.0) > 0 else "epsilon"
    return divided(promise, **{part: 1 / 0.98, "rho": 1 / 0.98})


def print_fault(promise: object) -> str | None:
    """Why a print is stronger than its promise, or None."""
    values = (
        [promise.rho]
        if isinstance(promise, ConcentratedGuarantee)
        else [promise.epsilon]
    )
    values += [promise.delta] if getattr(promise, "delta", 0) > 0 else []
    weaker = all(
        shown >= value * (1 - 1e-12)
        for shown, value in zip(printed(promise), values, strict=True)
    )
    return None if weaker else f"{promise!r} prints as {promise}"


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Stop a call that takes more time of the processor."""

    def late(*_):
        raise TimeoutError(f"over {seconds:g} s")

    previous = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)


def response(epsilon: float, delta: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """The worst pair of (epsilon, delta)-privacy: randomised response, and an accident that tells all."""
    with np.errstate(divide="ignore"):
        accident, kept = np.log(delta), np.log1p(-delta)
    true = kept - np.logaddexp(0.0, -epsilon)
    return np.array([accident, true, true - epsilon, -np.inf]), np.array(
        [-np.inf, true - epsilon, true, accident]
    )
