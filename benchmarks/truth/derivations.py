"""What is true of each entry, from first principles: the exact curve of a pair of laws.

A *derivation* takes the steps of an entry and gives functions from epsilon to an interval that holds the
exact delta, of the precision at which they were made, by a closed form or by going through all outcomes;
delta is the largest of them.  No accountant is used here, ours included.

Each derivation is about a *pair of laws that occurs* and is at the same time the worst one; where these are
not the same, the lower end is of a pair that occurs, and the upper end of a theorem (`exponential_between`,
`permute_and_flip`) or of a law that is no better (`sampled_noise`).
"""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import comb

from benchmarks.truth import intervals as I
from benchmarks.truth.intervals import IV, Interval

Curve = Callable[[Interval], Interval]  # from epsilon, any real number, to delta
Outcomes = list[tuple[Interval, Interval]]  # probabilities under both laws
Steps = list[dict]
MOST_LAPLACE = 20  # releases whose exact convolution is quick


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
        for a, b in product(
            range(m + 1), range(times - m + 1)
        ):  # a times -1/S, b times 1/S
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
                total += up * sums(w, Fraction(-1, 2), weights) - down * sums(
                    w, Fraction(1, 2), weights
                )
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
    found = [
        (1, times, IV.mpf(1), IV.mpf(1))
    ]  # ways, steps that are left, both probabilities
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
        return [
            (told, lie),
            (lie, told),
            *([((m - 2) * lie, (m - 2) * lie)] if m > 2 else []),
        ]
    if (
        kind == "discrete laplace"
    ):  # of the integers, P(x) = tanh(a / 2) e^(-a |x|), and s to the right
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
        sampled(pair_of(step), step["sampling_rate"])
        if "sampling_rate" in step
        else pair_of(step)
        for step in steps
    ]
    whole = together(
        [repeated(pair, step["times"]) for pair, step in zip(pairs, steps, strict=True)]
    )
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
    squares = (
        s["times"]
        * s.get("coordinates", 1)
        * (I.exact(s["sensitivity"]) / I.exact(s["sigma"])) ** 2
        for s in steps
    )
    return sum(squares, IV.mpf(0))


def gaussian(steps: Steps) -> list[Curve]:
    """The likelihood ratio of all releases depends on one normal number."""
    return [gaussian_curve(gaussian_square(steps))]


def laplace(steps: Steps) -> list[Curve]:
    """Equal Laplace releases: exact convolution. Noise on each of two counts that move is two releases."""
    [step] = steps
    times = step["times"] * step.get("coordinates", 1)
    return [laplace_curve(I.exact(step["sensitivity"]) / I.exact(step["scale"]), times)]


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
    return kind(
        [{k: v for k, v in step.items() if k not in ("sampling_rate", "scheme")}]
    )[0]


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
