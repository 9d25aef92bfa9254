"""Derive truth.json from first principles: ``python -m benchmarks.truth.derive``, in about half an hour.

For each entry epsilon at three deltas and delta at these epsilons, rounded to two digits: each a pair of
floats, one at or below and one at or above the exact value, proved by intervals.  An interval of epsilon is
proved by that of delta, which falls: delta exceeds the target at its lower end, and does not at the upper.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from functools import cache, partial
from math import inf, log

from benchmarks.truth import choices, derivations, integers, lattice
from benchmarks.truth import intervals as I
from benchmarks.truth.entries import ABOUT, DELTAS, FILE, PRIVML, entries, read
from benchmarks.truth.intervals import IV, Interval

ROOMS = derivations, integers, choices, lattice
APART = (
    "exponential_between",
    "permute_and_flip",
    "sampled_noise",
)  # whose ends are of different laws
FAR = 1e6  # an epsilon beyond all that are finite
WIDTHS = (
    1e-12,
    1e-11,
    1e-9,
    1e-6,
)  # relative, of a proved epsilon: the first that its curve allows
Enclosure = Callable[[float], Interval]
Ends = Callable[[float], tuple[float, float]]


def curve_of(entry: dict) -> Enclosure:
    """From a float epsilon to an interval that holds delta, by the derivation of an entry."""
    name = entry["derivation"]
    [made] = [vars(room)[name] for room in ROOMS if name in vars(room)]

    @cache
    def curves(bits: int) -> list[derivations.Curve]:
        return made(entry["steps"], **entry.get("lattice", {}))

    def curve(epsilon: float) -> Interval:
        return I.largest([curve(I.exact(epsilon)) for curve in curves(IV.prec)])

    if name in APART:
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
    under = (max(0.0, lower * (1 - width / 2)) for width in WIDTHS)
    below = next((x for x in under if not x or curve(x).a > target), None)
    over = (upper * (1 + width / 2) for width in WIDTHS)
    above = next((x for x in over if curve(x).b <= target), None)
    if below is None or above is None:
        raise I.TooWide(f"no ends near {lower} and {upper}")
    return below, above


def derived(entry: dict) -> dict:
    """The entry with its intervals."""
    epsilon, delta = (certified if entry["derivation"] == PRIVML else proved)(entry)
    epsilons = [[target, *epsilon(target)] for target in DELTAS]
    epsilons = [row for row in epsilons if row[2] < inf]
    asked = dict.fromkeys(
        float(f"{upper:.2g}") for _, _, upper in epsilons if upper > 0
    )
    deltas = [[at, *delta(at)] for at in asked]
    return entry | {
        "epsilon_at": epsilons,
        "delta_at": [row for row in deltas if row[2] > 1e-13],
    }


def proved(entry: dict) -> tuple[Ends, Ends]:
    """Ends of epsilon at a delta, and of delta at an epsilon, by the derivation of an entry."""
    curve = curve_of(entry)
    return lambda target: proved_epsilon(curve, target), lambda at: I.floats(curve(at))


def certified(entry: dict) -> tuple[Ends, Ends]:
    """The same by privml's numerical composition, asked for 1e-4; some ends stay wider."""
    from benchmarks.truth.adapters import privml_loss

    [step] = entry["steps"]
    loss = privml_loss(step, entry["relation"])
    epsilon, delta = (
        partial(find, tolerance=1e-4)
        for find in (loss.epsilon_bounds, loss.delta_bounds)
    )
    return lambda target: tuple(map(float, epsilon(target))), lambda at: tuple(
        map(float, delta(at))
    )


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
    parser = argparse.ArgumentParser(
        prog="benchmarks.truth.derive", description=__doc__.splitlines()[0]
    )
    parser.add_argument(
        "--only",
        default="",
        help="print entries whose kind or name has this, write nothing",
    )
    parser.add_argument(
        "--keep", action="store_true", help="derive only what the file does not have"
    )
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
