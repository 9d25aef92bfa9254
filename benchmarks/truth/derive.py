"""Derive truth.json from first principles: ``python -m benchmarks.truth.derive`` (some minutes).

For each entry epsilon at three deltas and delta at these epsilons, rounded to two digits: each a pair of
floats, one at or below and one at or above the exact value, proved by intervals.  An interval of epsilon is
proved by that of delta, which falls: delta exceeds the target at its lower end, and does not at the upper.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from functools import cache
from math import inf, log

from benchmarks.truth import choices, derivations, integers, lattice
from benchmarks.truth import intervals as I
from benchmarks.truth.entries import ABOUT, DELTAS, FILE, PRIVML, entries, read
from benchmarks.truth.intervals import IV, Interval

BETWEEN = ("exponential_between", "permute_and_flip")  # whose ends are of different laws
FAR = 1e6  # an epsilon beyond all that are finite
CLOSE = 1e-12  # relative width of a proved epsilon, where the curve itself is proved to more
Enclosure = Callable[[float], Interval]


def curve_of(entry: dict) -> Enclosure:
    """From a float epsilon to an interval that holds delta, by the derivation of an entry."""
    steps, name = derivations.sharpened(entry["steps"]), entry["derivation"]
    if name == "sampled_noise":
        both = lattice.sampled_noise(steps, **entry["lattice"])
        return lambda epsilon: I.largest([curve(I.exact(epsilon)) for curve in both])

    @cache
    def curves(bits: int) -> list[derivations.Curve]:
        [made] = [vars(room)[name] for room in (derivations, integers, choices) if name in vars(room)]
        return made(steps)

    def curve(epsilon: float) -> Interval:
        return I.largest([curve(I.exact(epsilon)) for curve in curves(IV.prec)])

    if name in BETWEEN:
        IV.prec = I.START
        return curve
    return cache(lambda epsilon: I.narrowed(lambda: curve(epsilon)))


def crossing(curve: Enclosure, target: float, end: str) -> float:
    """A float close to where one end ("a" or "b") of the curve falls to the target: not proved.

    False position in the logarithm, with the weight of an end that stays twice halved.
    """

    def height(epsilon: float) -> float:
        value = IV.mpf(getattr(curve(epsilon), end))
        return float((IV.log(value) - goal).mid) if value.a > 0 else -inf

    goal = IV.log(I.exact(target))
    left, right = 0.0, 1.0
    f = height(left)
    if f <= 0:
        return 0.0
    while (g := height(right)) > 0:
        left, f, right = right, g, 2 * right
        if right > FAR:
            return inf
    side = 0
    for _ in range(200):
        share = 0.5 if g == -inf else min(max(f / (f - g), 1e-9), 1 - 1e-9)
        middle = left + share * (right - left)
        h = height(middle)
        if right - left <= 2e-14 * right or abs(h) < 1e-14 * max(1.0, -log(target)):
            return middle
        if h > 0:
            left, f, g = middle, h, g / 2 if side > 0 else g
        else:
            right, g, f = middle, h, f / 2 if side < 0 else f
        side = 1 if h > 0 else -1
    return right


def proved_epsilon(curve: Enclosure, target: float) -> tuple[float, float]:
    """Floats around the smallest epsilon at which delta is at most the target."""
    if curve(0.0).b <= target:
        return 0.0, 0.0
    lower, upper = crossing(curve, target, "a"), crossing(curve, target, "b")
    if lower == inf:
        return inf, inf
    for wider in (CLOSE, 10 * CLOSE, 1000 * CLOSE, 1e-6):
        below = max(0.0, lower * (1 - wider / 2))
        if not below or curve(below).a > target:
            break
    else:
        raise I.TooWide(f"no lower end near {lower}")
    for wider in (CLOSE, 10 * CLOSE, 1000 * CLOSE, 1e-6):
        above = upper * (1 + wider / 2)
        if curve(above).b <= target:
            return below, above
    raise I.TooWide(f"no upper end near {upper}")


def derived(entry: dict) -> dict:
    """The entry with its intervals."""
    if entry["derivation"] == PRIVML:
        return entry | certified(entry)
    curve = curve_of(entry)
    epsilons = [[delta, *proved_epsilon(curve, delta)] for delta in DELTAS]
    epsilons = [row for row in epsilons if row[2] < inf]
    asked = dict.fromkeys(float(f"{upper:.2g}") for _, _, upper in epsilons if upper > 0)
    deltas = [[epsilon, *I.floats(curve(epsilon))] for epsilon in asked]
    return entry | {"epsilon_at": epsilons, "delta_at": [row for row in deltas if row[2] > 1e-13]}


def certified(entry: dict) -> dict:
    """Both ends by privml's numerical composition, to 1e-4."""
    from privml.composition import gaussian_loss, laplace_loss

    [step] = derivations.sharpened(entry["steps"])
    kind = gaussian_loss if step["mechanism"] == "gaussian" else laplace_loss
    size = step["sensitivity"] / (step["sigma"] if step["mechanism"] == "gaussian" else step["scale"])
    loss = kind(size, step["times"], sampling_rate=step.get("sampling_rate", 1.0))
    epsilons = [[d, *map(float, loss.epsilon_bounds(d, tolerance=1e-4))] for d in DELTAS]
    asked = dict.fromkeys(float(f"{upper:.2g}") for _, _, upper in epsilons if upper > 0)
    deltas = [[e, *map(float, loss.delta_bounds(e, tolerance=1e-4))] for e in asked]
    return {"epsilon_at": epsilons, "delta_at": [row for row in deltas if row[2] > 1e-13]}


def written(found: list[dict]) -> str:
    """The file: an entry a line, so that a change is seen."""
    lines = ",\n".join("  " + json.dumps(entry) for entry in found)
    head = json.dumps(ABOUT)[1:-1]
    return f'{{{head}, "entries": [\n{lines}\n]}}\n'


def question(entry: dict) -> dict:
    """An entry without its intervals."""
    return {k: v for k, v in entry.items() if k not in ("epsilon_at", "delta_at")}


def main() -> int:
    """Derive all entries, or those whose name has a word."""
    parser = argparse.ArgumentParser(prog="benchmarks.truth.derive", description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="print entries whose kind or name has this, write nothing")
    parser.add_argument("--keep", action="store_true", help="derive only what the file does not have")
    chosen, found = parser.parse_args(), []
    old = read() if chosen.keep and FILE.exists() else []
    for entry in entries():
        if chosen.only not in f"{entry['kind']} {entry['name']}":
            continue
        start = time.perf_counter()
        kept = [one for one in old if question(one) == entry]
        found.append(kept[0] if kept else derived(entry))
        print(f"{time.perf_counter() - start:6.2f} s  {entry['name']}", flush=True)
        if chosen.only:
            print(json.dumps({k: found[-1][k] for k in ("epsilon_at", "delta_at")}))
        elif not kept:
            FILE.write_text(written(found), encoding="utf-8")
    if not chosen.only:
        FILE.write_text(written(found), encoding="utf-8")
        print(len(found), "entries")
    return 0


if __name__ == "__main__":
    sys.exit(main())
