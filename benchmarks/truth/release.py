"""What a mechanism releases, against what it claims: exactly by its law, and by draws.

A *release* is a mechanism of a library on two neighbouring inputs, and the library's own claim for this pair.
Its outputs are counted in bins, which is post-processing: what is false in bins is false.  The *law* of the bins,
where it can be derived from the library's source or documentation, gives the exact delta at the claimed epsilon,
at least; draws must then agree with the law.  Without a law, an event is chosen on one half of the draws and
judged on the other.  All limits of one run hold together with probability 1 - ERROR.
"""

from collections.abc import Callable
from math import exp, inf, log
from typing import NamedTuple

import numpy as np
from scipy.special import betaincinv

ERROR = 0.01  # of all limits of a run together
ROUNDING, GRAIN = 1e-6, 1e-12  # relative, and of a probability: what floats may lose
PUBLIC = 1e-5  # the delta at which a claim of concentrated privacy is read

Draw = Callable[[int, int], np.ndarray]  # side, number of draws
Law = Callable[[int], np.ndarray]  # side: probabilities of the bins


class Release(NamedTuple):
    """A mechanism on two neighbouring inputs, and what is claimed for them."""

    library: str
    name: str
    kind: str
    claim: tuple[float, float]  # epsilon and delta, for this pair
    draw: Draw
    edges: np.ndarray  # of the bins; below the first and above the last are bins too
    law: Law | None = None
    size: int = 10_000
    rho: float | None = None  # a claim of concentrated privacy, beside the one above
    twin: bool = False  # broken on purpose
    hidden: bool = (
        False  # of a twin: not to be seen in so many draws, and why is in its name
    )


class Verdict(NamedTuple):
    """What was found: the least epsilon at the claimed delta, exactly and by draws."""

    exact: float | None
    delta: float | None  # exactly, at the claimed epsilon
    drawn: float
    agrees: bool | None
    false: bool  # by the law
    refuted: bool  # by the draws


def excess(p: np.ndarray, q: np.ndarray, epsilon: float) -> float:
    """The delta of two laws at this epsilon, in the worse direction."""
    grown = exp(min(epsilon, 700.0))
    return max(np.maximum(a - grown * b, 0.0).sum() for a, b in ((p, q), (q, p)))


def least(p: np.ndarray, q: np.ndarray, delta: float) -> float:
    """The least epsilon at this delta."""
    delta = delta * (1 + 1e-9) + 1e-15  # what floats may add
    if excess(p, q, 0.0) <= delta:
        return 0.0
    if excess(p, q, 700.0) > delta:
        return inf
    low, high = 0.0, 700.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(p, q, middle) > delta else (low, middle)
    return high


def renyi_ratio(p: np.ndarray, q: np.ndarray) -> float:
    """The largest ratio of a Renyi divergence to its order: the least rho of concentrated privacy."""
    found = 0.0
    for order in np.exp(np.linspace(log(1.001), log(200.0), 80)):
        for a, b in ((p, q), (q, p)):
            kept = (a > 1e-14) & (b > 1e-14)  # what is left out only lowers it
            terms = order * np.log(a[kept]) + (1 - order) * np.log(b[kept])
            top = terms.max()
            value = (top + log(np.exp(terms - top).sum())) / (order - 1)
            found = max(found, value / order)
    return found


def limits(count: np.ndarray, n: int, error: float) -> tuple[np.ndarray, np.ndarray]:
    """Clopper-Pearson limits, each of which is missed with probability at most `error`."""
    count = np.asarray(count, float)
    low = np.where(
        count > 0,
        betaincinv(np.maximum(count, 1), n - np.maximum(count, 1) + 1, error),
        0.0,
    )
    fewer = np.minimum(count, n - 1)
    high = np.where(count < n, betaincinv(fewer + 1, n - fewer, 1 - error), 1.0)
    return low, high


def counted(outputs: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """How many outputs lie in each bin: below the first edge, between edges (the left one included), above."""
    places = np.searchsorted(edges, np.asarray(outputs, float), side="right")
    return np.bincount(places, minlength=edges.size + 1)


def refuting(
    counts: list[np.ndarray], claim: tuple[float, float], error: float
) -> float:
    """The least epsilon that the draws leave possible at the claimed delta.

    `counts` are of a first and a second half on either side.  The first halves choose an event, the bins that
    one side prefers the most, in one of the two directions; the second halves judge it.
    """
    (p, p2), (q, q2) = counts[:2], counts[2:]
    best = (0.0, None, 0)
    for direction, (a, b) in enumerate(((p, q), (q, p))):
        order = np.argsort(-(a + 0.5) / (b + 0.5))
        low = limits(np.cumsum(a[order]), int(a.sum()), error)[0]
        high = limits(np.cumsum(b[order]), int(b.sum()), error)[1]
        value = np.log(np.maximum(low - claim[1], 1e-300) / high)
        place = int(value.argmax())
        if value[place] > best[0]:
            best = float(value[place]), order[: place + 1], direction
    _, event, direction = best
    if event is None:
        return 0.0
    a, b = ((p2, q2), (q2, p2))[direction]
    low = limits(a[event].sum(), int(a.sum()), error / 2)[0]
    high = limits(b[event].sum(), int(b.sum()), error / 2)[1]
    return max(0.0, log(max(low - claim[1], 1e-300) / high))


def judged(release: Release, error: float) -> Verdict:
    """A release by its law, if it has one, and by draws whose limits all hold but for this error."""
    counts = []
    for side in (0, 1):
        drawn = np.asarray(release.draw(side, release.size), float)
        half = drawn.size // 2
        counts += [
            counted(drawn[:half], release.edges),
            counted(drawn[half:], release.edges),
        ]
    epsilon, delta = release.claim
    drawn = refuting(counts, release.claim, error / 3)
    refuted = drawn > epsilon * (1 + ROUNDING)
    if release.law is None:
        return Verdict(None, None, drawn, None, False, refuted)
    p, q = (np.asarray(release.law(side), float) for side in (0, 1))
    agrees = True
    for law, one, two in ((p, *counts[:2]), (q, *counts[2:])):
        both = one + two
        low, high = limits(both, int(both.sum()), error / (6 * law.size))
        agrees &= bool(((low <= law + GRAIN) & (law <= high + GRAIN)).all())
    if release.rho is not None:
        false = renyi_ratio(p, q) > release.rho * (1 + ROUNDING)
    else:
        false = excess(p, q, epsilon) > delta * (1 + ROUNDING) + GRAIN
    return Verdict(
        least(p, q, delta), excess(p, q, epsilon), drawn, agrees, bool(false), refuted
    )


# laws of bins


def of_cdf(cdf: Callable[[np.ndarray], np.ndarray], edges: np.ndarray) -> np.ndarray:
    """Bins of a law that is continuous at the edges."""
    return np.diff(np.concatenate([[0.0], cdf(edges), [1.0]]))


def of_values(values: np.ndarray, masses: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Bins of a law on some values."""
    places = np.searchsorted(edges, np.asarray(values, float), side="right")
    return np.bincount(places, weights=masses, minlength=edges.size + 1)


def laplace(x: np.ndarray, centre: float, scale: float) -> np.ndarray:
    """The distribution function of Laplace noise."""
    z = (np.asarray(x, float) - centre) / scale
    return np.where(
        z < 0, np.exp(np.minimum(z, 0)) / 2, 1 - np.exp(-np.maximum(z, 0)) / 2
    )


def discrete_laplace(values: np.ndarray, centre: int, scale: float) -> np.ndarray:
    """Masses of Laplace noise on the integers."""
    return np.tanh(0.5 / scale) * np.exp(-np.abs(values - centre) / scale)


def discrete_gaussian(values: np.ndarray, centre: int, sigma: float) -> np.ndarray:
    """Masses of Gaussian noise on the integers."""
    far = np.arange(-int(40 * sigma) - 40, int(40 * sigma) + 41)
    total = np.exp(-(far**2) / (2 * sigma**2)).sum()
    return np.exp(-((values - centre) ** 2) / (2 * sigma**2)) / total


def softmax(scores: np.ndarray) -> np.ndarray:
    """The exponential mechanism."""
    weights = np.exp(scores - np.max(scores))
    return weights / weights.sum()


def permute_and_flip(scores: np.ndarray) -> np.ndarray:
    """The noisy maximum with exponential noise of rate 1, by quadrature: exact to about 1e-12."""
    nodes, weights = np.polynomial.legendre.leggauss(400)
    found = []
    for i, score in enumerate(scores):
        others = np.delete(np.asarray(scores, float), i)
        start = max(
            0.0, float(others.max() - score)
        )  # below it another one is larger for sure
        x = start + 20 * (nodes + 1)  # up to 40 above, where e^-40 is left out
        below = np.prod(
            [1 - np.exp(-np.maximum(x + score - o, 0.0)) for o in others], axis=0
        )
        found.append(float((20 * weights * np.exp(-x) * below).sum()))
    return np.array(found)
