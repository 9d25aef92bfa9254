"""Selection: what is true of exponential mechanisms and of permute-and-flip, alone and composed."""

from fractions import Fraction
from functools import cache

from benchmarks.truth import intervals as I
from benchmarks.truth.derivations import (
    MOST_LAPLACE,
    Curve,
    Outcomes,
    Steps,
    binomials,
    finite_curve,
    laplace_curve,
    powers,
    repeated,
    response,
)
from benchmarks.truth.intervals import IV, Interval


def shares(t: Interval, step: Interval) -> tuple[Interval, Interval]:
    """Chances of the small loss t - step under P and Q, where the large one is t: both laws sum to 1."""
    return (IV.exp(t) - 1) / (IV.exp(step) - 1), (1 - IV.exp(-t)) / (1 - IV.exp(-step))


def skewed(epsilon: float, share: Fraction) -> Outcomes:
    """Two options whose log odds move by epsilon, from a place where the larger loss is share * epsilon."""
    step = I.exact(epsilon)
    p, q = shares(I.exact(share) * step, step)
    return [(1 - p, 1 - q), (p, q)]


def range_sums(epsilon: float, times: int, total: Interval) -> Interval:
    """Dong, Durfee and Rogers (2020), Theorem 3: the largest of `times` sums, each at its own best t.

    With J small losses, ``F_l = P_t(J <= l) - e^total Q_t(J <= l)`` at ``t = (total + (l + 1) epsilon) /
    (times + 1)``, cut to [0, epsilon].
    """
    step, found, grown = I.exact(epsilon), [IV.mpf(0)], IV.exp(total)
    for l in range(times):
        t = (total + (l + 1) * step) / (times + 1)
        if t.a >= step.b:
            break
        if t.b > step.a:
            raise I.TooWide("t")
        p_small, small = shares(t, step)
        p, q = powers(p_small / (1 - p_small), l), powers(small / (1 - small), l)
        here, there = IV.mpf(0), IV.mpf(0)
        for i, ways in zip(range(l + 1), binomials(times), strict=False):
            here, there = here + ways * p[i], there + ways * q[i]
        found.append(
            (1 - p_small) ** times * here - grown * (1 - small) ** times * there
        )
    return I.largest(found)


def exponential(steps: Steps) -> list[Curve]:
    """Exponential mechanisms with scores that are fixed in advance.

    Attained by two options, of which one gains and the other loses; never more, by the theorem.
    """
    [step] = steps
    return [lambda total: range_sums(step["epsilon"], step["times"], total)]


SHARES = [Fraction(i, 40) for i in range(1, 40)]


def exponential_between(steps: Steps) -> list[Curve]:
    """Many exponential mechanisms: from below a pair that occurs, from above concentrated privacy.

    Bounded range epsilon is (epsilon^2 / 8)-concentrated (Cesar and Rogers 2021), for adaptive choices too.
    """
    [step] = steps
    k = step["times"]
    rho = k * I.exact(step["epsilon"]) ** 2 / 8

    @cache
    def outcomes(share: Fraction) -> Outcomes:
        return repeated(skewed(step["epsilon"], share), k)

    def curve(total: Interval) -> Interval:
        place = (
            float(total.mid) / k / step["epsilon"] + 1
        ) / 2  # t of a step whose sums centre at the total
        share = min(SHARES, key=lambda s: abs(float(s) - place))
        below = I.excess(outcomes(share), total)
        return I.hull(I.low(below), I.high(concentrated(rho, total)))

    return [curve]


def concentrated(rho: Interval, epsilon: Interval) -> Interval:
    """A bound on delta of rho-concentrated privacy (Canonne, Kamath and Steinke 2020, Proposition 7).

    ``e^((a - 1)(a rho - epsilon)) / (a - 1) (1 - 1/a)^a`` for any order a > 1, here near the best.
    """
    r, e = float(rho.mid), float(epsilon.mid)
    best = IV.mpf(1)
    for around in (0.5, 0.8, 1.0, 1.1, 1.25, 1.5, 2.0):
        order = I.exact(1 + max(1e-3, around * (e / r - 1) / 2))
        bound = (
            IV.exp((order - 1) * (order * rho - epsilon))
            / (order - 1)
            * (1 - 1 / order) ** order
        )
        best = bound if bound.b < best.b else best
    return best


GAPS = [Fraction(i, 20) for i in (-20, -16, -10, -4, 0)]


def flips(step: dict) -> list[Outcomes]:
    """Permute-and-flip on two options: some pairs of score gaps that differ by one epsilon.

    With gap g >= 0, in units in which the law of the noise has rate 1, the worse option comes with
    ``e^-g / 2``; the gap moves by epsilon.
    """
    epsilon = I.exact(step["epsilon"])

    def worse(share: Fraction) -> Interval:
        """Chance of the second option where the first is ahead by this share of epsilon, or behind."""
        half = IV.exp(-epsilon * I.exact(abs(share))) / 2
        return half if share >= 0 else 1 - half

    pairs = []
    for share in GAPS:
        p, q = worse(share), worse(1 + share)
        pairs.append([(1 - p, 1 - q), (p, q)])
    return pairs


def permute_and_flip(steps: Steps) -> list[Curve]:
    """Permute-and-flip on two options: from below pairs that occur, from above Laplace noise, of many steps any pure step.

    Permute-and-flip is the noisy maximum with exponential noise, whose difference is Laplace noise: on two
    options it shows the sign of a Laplace release, which is no worse.  Beyond `MOST_LAPLACE` steps the upper
    end is that of randomised response, the worst of all steps with this epsilon.
    """
    [step] = steps
    k = step["times"]
    if k <= MOST_LAPLACE:
        above = laplace_curve(I.exact(step["epsilon"]), k)
    else:
        above = finite_curve(repeated(response(step["epsilon"]), k))

    laws = [repeated(pair, k) for pair in flips(step)]

    def curve(total: Interval) -> Interval:
        below = I.largest([I.excess(law, total) for law in laws])
        return I.hull(I.low(below), I.high(above(total)))

    return [curve]
