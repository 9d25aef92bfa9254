"""What is true of each entry, from first principles: the exact curve of a pair of laws.

A *derivation* takes the steps of an entry and gives functions from epsilon to an interval that holds the
exact delta, of the precision at which they were made, by a closed form or by going through all outcomes;
delta is the largest of them.  No accountant is used here, ours included.

Each derivation is about a *pair of laws that occurs* and is at the same time the worst one; where these are
not the same, the lower end is of a pair that occurs, and the upper end of a theorem (`exponential`,
`permute_and_flip`).
"""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, sqrt

from benchmarks.truth import intervals as I
from benchmarks.truth.intervals import IV, Interval

Curve = Callable[[Interval], Interval]  # from epsilon, any real number, to delta
Outcomes = list[tuple[Interval, Interval]]  # probabilities under both laws
Steps = list[dict]
MOST_LAPLACE = 20  # releases whose exact convolution is quick


def sharpened(steps: Steps) -> Steps:
    """The steps with times, 1 if it is not said."""
    return [{"times": 1} | step for step in steps]


def gaussian_curve(square: Interval) -> Curve:
    """N(mu, 1) against N(0, 1): Phi(mu / 2 - epsilon / mu) - e^epsilon Phi(-mu / 2 - epsilon / mu)."""

    def curve(epsilon: Interval) -> Interval:
        mu = IV.sqrt(square)
        a = epsilon / mu
        return I.normal_tail(a - mu / 2) - IV.exp(epsilon) * I.normal_tail(a + mu / 2)

    return curve


def laplace_curve(size: Interval, times: int) -> Curve:
    """Laplace noise, `times` releases that move by `size` scales each.

    With the loss l, ``e^(-l/2) dP`` is the symmetric measure with masses e^(-size/2) / 2 at l = +-size and
    density e^(-size/2) / 4 between.  Its Laplace transform is e^(-size/2) times
    ``(S + 1/S) / 2 + (S - 1/S) / (4 s)`` with S = e^(size s), so the k-th power is a sum of rational numbers
    times S^j s^(-m): masses at j size (m = 0) and, turned round, powers
    ``(j size - l)_+^(m - 1) / (m - 1)!``.  Delta is the integral of ``e^(l/2) - e^(epsilon - l/2)`` over all
    of it above epsilon: with ``w = j size - epsilon`` and
    ``G_m(a) = int_0^w e^(a y) y^(m - 1) / (m - 1)! dy``, which is found by parts, a
    term gives ``e^(j size / 2) G_m(-1/2) - e^(epsilon - j size / 2) G_m(1/2)``.
    """
    shifts: dict[int, dict[int, Fraction]] = {}
    for m in range(times + 1):
        weight = Fraction(comb(times, m), 4**m * 2 ** (times - m))
        row: Counter[int] = Counter()
        for a, b in product(range(m + 1), range(times - m + 1)):  # a times -1/S, b times 1/S
            row[times - 2 * (a + b)] += (-1) ** a * comb(m, a) * comb(times - m, b)
        for j, n in row.items():
            shifts.setdefault(j, {})[m] = weight * n

    def sums(w: Interval, a: Fraction, weights: dict[int, Fraction]) -> Interval:
        """The weights times G_m(a), where m > 0."""
        grown = IV.exp(I.exact(a) * w)
        power, g, total = IV.mpf(1), (grown - 1) / I.exact(a), IV.mpf(0)
        for m in range(1, times + 1):
            total += I.exact(weights.get(m, Fraction(0))) * g
            power = power * w / m
            g = (power * grown - g) / I.exact(a)
        return total

    def curve(epsilon: Interval) -> Interval:
        total = IV.mpf(0)
        for j, weights in shifts.items():
            w = I.positive(j * size - epsilon)
            if w.b > 0:
                up, down = IV.exp(j * size / 2), IV.exp(epsilon - j * size / 2)
                total += I.exact(weights.get(0, Fraction(0))) * I.positive(up - down)
                total += up * sums(w, Fraction(-1, 2), weights) - down * sums(w, Fraction(1, 2), weights)
        return total * IV.exp(-times * size / 2)

    return curve


def finite_curve(outcomes: Outcomes) -> Curve:
    """Any two laws on finitely many outcomes."""
    return lambda epsilon: I.excess(outcomes, epsilon)


def binomials(times: int) -> Iterator[int]:
    """C(times, 0), C(times, 1), ..."""
    coefficient = 1
    for i in range(times + 1):
        yield coefficient
        coefficient = coefficient * (times - i) // (i + 1)


def powers(x: Interval, times: int) -> list[Interval]:
    """x^0, ..., x^times."""
    found = [IV.mpf(1)]
    for _ in range(times):
        found.append(found[-1] * x)
    return found


def repeated(outcomes: Outcomes, times: int) -> Outcomes:
    """The same finite step several times: one outcome for each vector of counts, multinomial."""
    (p, q), rest = outcomes[0], outcomes[1:]
    if not rest:
        return [(p**times, q**times)]
    tables = [[powers(x, times) for x in pair] for pair in outcomes]
    found = [(1, times, IV.mpf(1), IV.mpf(1))]  # ways, steps that are left, both probabilities
    for ps, qs in tables[:-1]:
        found = [
            (ways * n, left - i, p * ps[i], q * qs[i])
            for ways, left, p, q in found
            for i, n in enumerate(binomials(left))
        ]
    ps, qs = tables[-1]
    return [(ways * p * ps[left], ways * q * qs[left]) for ways, left, p, q in found]


def together(parts: list[Outcomes]) -> Outcomes:
    """Independent steps, one after the other."""
    found = [(IV.mpf(1), IV.mpf(1))]
    for part in parts:
        found = [(p * a, q * b) for p, q in found for a, b in part]
    return found


def response(epsilon: float) -> Outcomes:
    """The worst pair of an epsilon-private step (Kairouz, Oh and Viswanath 2015)."""
    grown = IV.exp(I.exact(epsilon))
    lie = 1 / (1 + grown)
    return [(lie * grown, lie), (lie, lie * grown)]


def pair_of(step: dict) -> Outcomes:
    """The two laws of a step with finitely many outcomes, or losses."""
    kind = step["mechanism"]
    if kind == "pure":
        return response(step["epsilon"])
    if kind == "randomised response":  # the true one of m with 1 - share + share / m
        share, m = I.exact(step["share"]), step["categories"]
        lie = share / m
        told = 1 - share + lie
        return [(told, lie), (lie, told), *([((m - 2) * lie, (m - 2) * lie)] if m > 2 else [])]
    if kind == "discrete laplace":  # of the integers, P(x) = tanh(a / 2) e^(-a |x|), and s to the right
        a, s = I.exact(step["parameter"]), step["sensitivity"]
        ratio = IV.exp(-a)
        end, peak = 1 / (1 + ratio), (1 - ratio) / (1 + ratio)
        inner = [(peak * ratio**x, peak * ratio ** (s - x)) for x in range(1, s)]
        return [(end, end * ratio**s), *inner, (end * ratio**s, end)]
    raise KeyError(kind)


def sampled(outcomes: Outcomes, rate: float) -> Outcomes:
    """With the record, which is used with this probability, against without it."""
    share = I.exact(rate)
    return [((1 - share) * q + share * p, q) for p, q in outcomes]


def finite(steps: Steps) -> list[Curve]:
    """Any finite steps on all records, or each on a Poisson sample: binomial and multinomial sums.

    A record of a sample is added or removed in all steps at once, so both directions are the same pair.
    """
    pairs = [
        sampled(pair_of(step), step["sampling_rate"]) if "sampling_rate" in step else pair_of(step)
        for step in steps
    ]
    whole = together([repeated(pair, step["times"]) for pair, step in zip(pairs, steps, strict=True)])
    curves = [finite_curve(whole)]
    if any("sampling_rate" in step for step in steps):
        curves.append(finite_curve([(q, p) for p, q in whole]))
    return curves


def approximate(steps: Steps) -> list[Curve]:
    """Equal (epsilon, delta)-private steps: an accident in some step, or as many pure steps."""
    [step] = steps
    survived = (1 - I.exact(step["delta"])) ** step["times"]
    whole = finite_curve(repeated(response(step["epsilon"]), step["times"]))
    return [lambda epsilon: 1 - survived + survived * whole(epsilon)]


def gaussian_square(steps: Steps) -> Interval:
    """The square of the mu of all Gaussian steps together: the sum of (sensitivity / sigma)^2."""
    squares = (s["times"] * (I.exact(s["sensitivity"]) / I.exact(s["sigma"])) ** 2 for s in steps)
    return sum(squares, IV.mpf(0))


def gaussian(steps: Steps) -> list[Curve]:
    """The likelihood ratio of all releases depends on one normal number."""
    return [gaussian_curve(gaussian_square(steps))]


def laplace(steps: Steps) -> list[Curve]:
    """Equal Laplace releases: exact convolution."""
    [step] = steps
    return [laplace_curve(I.exact(step["sensitivity"]) / I.exact(step["scale"]), step["times"])]


def mixed(steps: Steps) -> list[Curve]:
    """Finite steps beside Gaussian or Laplace ones: the mean of their curve over the finite losses.

    Given a finite outcome of probabilities p and q, the rest must exceed epsilon - ln(p / q).
    """
    noise = [s for s in steps if s["mechanism"] in ("gaussian", "laplace")]
    others = [s for s in steps if s not in noise]
    [inner] = (gaussian if noise[0]["mechanism"] == "gaussian" else laplace)(noise)
    outcomes = together([repeated(pair_of(step), step["times"]) for step in others])

    def curve(epsilon: Interval) -> Interval:
        total = IV.mpf(0)
        for p, q in outcomes:
            total += p * inner(epsilon - IV.log(p / q)) if q.b > 0 else p
        return total

    return [curve]


def base_curve(step: dict) -> Curve:
    """Of one step on all records, the same in both directions."""
    kind = {"gaussian": gaussian, "laplace": laplace}.get(step["mechanism"], finite)
    return kind([{k: v for k, v in step.items() if k not in ("sampling_rate", "scheme")}])[0]


def sampled_step(steps: Steps) -> list[Curve]:
    """One step on a random part of the records, with the closed form of the step itself inside.

    With l the loss of the step, the pair is (1 - r) Q + r P against Q.  Forward the loss exceeds epsilon
    where ``e^l > 1 + (e^epsilon - 1) / r``, and delta is r times that of the step there; backward, with
    ``rest = 1 - e^epsilon (1 - r)``, it is rest times that of the step at ``ln(e^epsilon r / rest)``, or 0 if
    rest is negative.  A subset of fixed size, under replacement, has the forward curve alone: attained where
    the other records and the new one are zero, and never more (Balle, Barthe and Gaboardi 2018, Theorem 9).
    """
    [step] = steps
    rate, inner = I.exact(step["sampling_rate"]), base_curve(step)

    def forward(epsilon: Interval) -> Interval:
        return rate * inner(IV.log(1 + (IV.exp(epsilon) - 1) / rate))

    def backward(epsilon: Interval) -> Interval:
        rest = 1 - IV.exp(epsilon) * (1 - rate)
        if rest.b <= 0:
            return IV.mpf(0)
        if rest.a <= 0:
            return I.hull(IV.mpf(0), I.high(rest))
        return rest * inner(IV.log(IV.exp(epsilon) * rate / rest))

    return [forward] if step.get("scheme") == "subset" else [forward, backward]


@cache
def discrete_masses(sigma: float, times: int, bits: int) -> tuple[int, list[int], list[int]]:
    """Sum of `times` discrete Gaussians: reach, and masses in units of 2^-bits, rounded down and up.

    Masses so far out that they are no unit are left out below; above they are an infinite loss.
    """
    from benchmarks.truth.lattice import power

    reach, square = int(sigma * sqrt(1.4 * bits)) + 1, 2 * I.exact(sigma) ** 2
    weights = [IV.exp(-IV.mpf(x * x) / square) for x in range(reach + 1)]
    near = weights[0] + 2 * sum(weights[1:], IV.mpf(0))
    first = IV.exp(-IV.mpf((reach + 1) ** 2) / square)  # each further one e^(-(2 reach + 3) / square) times
    tail = 2 * first / (1 - IV.exp(-IV.mpf(2 * reach + 3) / square))
    whole = I.hull(near, near + tail)
    down, up = zip(*(scaled(w / whole, bits) for w in weights), strict=True)
    lost = scaled(tail / whole, bits)[1]
    below, _ = power([*down[:0:-1], *down], 0, times, bits, up=False)
    above, rest = power([*up[:0:-1], *up], lost, times, bits, up=True)
    return rest, below, above


def scaled(x: Interval, bits: int) -> tuple[int, int]:
    """An interval as whole numbers of 2^-bits, rounded down and up."""
    return I.whole(x * IV.mpf(2) ** bits)


def discrete_gaussian(steps: Steps) -> list[Curve]:
    """The likelihood ratio of all releases depends on the sum of the noise: exact convolution on a lattice.

    With the sum S, the loss is ``(2 s S + k s^2) / (2 sigma^2)`` for S the noise under P, so delta is
    ``Pr[S > t] - e^epsilon Pr[S > t + k s]`` with ``t = epsilon sigma^2 / s - k s / 2``.
    """
    [step] = steps
    sigma, k, s, bits = step["sigma"], step["times"], step["sensitivity"], IV.prec + 96

    def curve(epsilon: Interval) -> Interval:
        rest, below, above = discrete_masses(sigma, k, bits)
        unit = IV.mpf(2) ** -bits
        t = epsilon * I.exact(sigma) ** 2 / s - IV.mpf(k * s) / 2
        reach = (len(below) - 1) // 2

        def tail(place: int) -> Interval:
            place = max(0, place + reach + 1)
            return I.hull(sum(below[place:]) * unit, (sum(above[place:]) + rest) * unit)

        # any cut gives a lower end; the best one is at t or, where that is not decided, at one of two places
        cuts = {I.whole(t)[0], I.whole(t)[1] - 1}
        return I.positive(I.largest([tail(cut) - IV.exp(epsilon) * tail(cut + k * s) for cut in cuts]))

    return [curve]


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
        found.append((1 - p_small) ** times * here - grown * (1 - small) ** times * there)
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
        place = (float(total.mid) / k / step["epsilon"] + 1) / 2  # t of a step whose sums centre at the total
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
        bound = IV.exp((order - 1) * (order * rho - epsilon)) / (order - 1) * (1 - 1 / order) ** order
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
    """Permute-and-flip on two options: from below pairs that occur, from above Laplace noise.

    Permute-and-flip is the noisy maximum with exponential noise, whose difference is Laplace noise: on two
    options it shows the sign of a Laplace release, which is no worse.
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
