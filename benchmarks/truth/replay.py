"""Replay: the same code on neighbouring inputs, with the outputs of its noise calls held fixed.

The first run records what each noise call receives, what it declares (sensitivity, scale, bounds) and what it
returns; the second run, on a neighbour, receives those same outputs, so that it takes the same way through the
code.  What a call receives may then differ by the declared sensitivity at most, and nothing else that decides
the noise may differ at all.  A difference beyond that is in the code, and shows without a single draw.
(The idea is of Cebere et al. 2026, who replay libraries with fixed random numbers.)
"""

import contextlib
import json
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib import metadata
from typing import Any, NamedTuple

import numpy as np

SLACK = 1e-6  # relative: what floats may lose


class Call(NamedTuple):
    """One noise call: the name of the mechanism, what it receives, its sensitivity, and all else that it knows."""

    name: str
    value: np.ndarray
    sensitivity: float
    public: tuple
    output: Any


class Replayed(NamedTuple):
    """The largest move of a value over its declared sensitivity, and whether anything else moved."""

    ratio: float
    moved: str


@contextlib.contextmanager
def recorded(
    spots: list[tuple[Any, str, Callable]], forced: list[Call] | None
) -> Iterator[list[Call]]:
    """Record the noise calls at these spots (class, method, what it declares), the outermost only."""
    calls: list[Call] = []
    inside = [False]

    def wrapped(original: Callable, told: Callable) -> Callable:
        def call(self, value=None, *words, **named):
            if inside[0]:
                return original(self, value, *words, **named)
            inside[0] = True
            try:
                if forced is not None and len(calls) < len(forced):
                    output = forced[len(calls)].output
                else:
                    output = original(self, value, *words, **named)
                calls.append(Call(type(self).__name__, *told(self, value), output))
                return output
            finally:
                inside[0] = False

        return call

    with contextlib.ExitStack() as stack:
        for kind, name, told in spots:
            original = vars(kind)[name]
            stack.callback(setattr, kind, name, original)
            setattr(kind, name, wrapped(original, told))
        yield calls


def compared(first: list[Call], second: list[Call]) -> Replayed:
    """Two runs, call by call; where they make different calls there is nothing to compare."""
    if len(first) != len(second):
        return Replayed(0.0, "the number of calls")
    ratio, moved = 0.0, ""
    for one, two in zip(first, second, strict=True):
        if one.name != two.name or one.value.shape != two.value.shape:
            return Replayed(ratio, "the calls differ")
        far = float(np.abs(one.value - two.value).max(initial=0.0))
        declared = min(one.sensitivity, two.sensitivity)
        if far > 0:
            ratio = max(ratio, far / declared if declared > 0 else np.inf)
        if not np.allclose(one.public, two.public, rtol=1e-9, atol=0, equal_nan=True):
            moved = moved or f"parameters of {one.name}"
    return Replayed(ratio, moved)


def replay(run: Callable[[Any], Any], data: Any, other: Any, spots: list) -> Replayed:
    """The same function on both, with the outputs of the first."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with recorded(spots, None) as first:
            run(data)
        with recorded(spots, first) as second:
            run(other)
    if not first and not second:
        raise LookupError("no noise call was seen")
    return compared(first, second)


def diffprivlib_spots() -> list:
    """The mechanisms that draw, and what each knows beside the value."""
    from diffprivlib import mechanisms as m

    def number(self, value):
        public = [
            self.epsilon,
            getattr(self, "lower", 0.0),
            getattr(self, "upper", 0.0),
        ]
        return (
            np.atleast_1d(np.asarray(value, float)),
            float(self.sensitivity),
            (*public, self.sensitivity),
        )

    def scores(self, _):
        return np.asarray(self.utility, float), float(self.sensitivity), (self.epsilon,)

    kinds = (
        "Laplace",
        "LaplaceTruncated",
        "LaplaceFolded",
        "LaplaceBoundedDomain",
        "Geometric",
        "GeometricTruncated",
        "GeometricFolded",
    )
    spots = [(getattr(m, name), "randomise", number) for name in kinds]
    return spots + [
        (kind, "randomise", scores) for kind in (m.Exponential, m.PermuteAndFlip)
    ]


def numbers(low: float, high: float, n: int = 6, missing: int = 0) -> Iterator[tuple]:
    """Arrays between bounds: a record replaced by either end, and a record more."""
    rng = np.random.default_rng(3)
    for _ in range(4):
        data = np.concatenate([rng.uniform(low, high, n), np.full(missing, np.nan)])
        for end in (low, high):
            other = data.copy()
            other[0] = end
            start = data.copy()
            start[0] = low + high - end
            yield "replace-one", start, other
            yield "add-or-remove-one", data, np.append(data, end)


def rows(low: float, high: float, n: int = 12) -> Iterator[tuple]:
    """Labelled rows of one feature: a feature replaced, a label replaced, a row more."""
    for _, data, other in (
        pair for pair in numbers(low, high, n) if pair[0] == "replace-one"
    ):
        labels = np.arange(n) % 2
        changed = labels.copy()
        changed[1] = 0
        yield "replace-one", (data[:, None], labels), (other[:, None], labels)
        yield "replace-one", (data[:, None], labels), (data[:, None], changed)
        longer = np.append(data, high)[:, None], np.append(labels, 1)
        yield "add-or-remove-one", (data[:, None], labels), longer


def diffprivlib() -> Iterator[tuple[str, Callable, list]]:
    """What is replayed of diffprivlib: a name, a function of the data, and neighbouring pairs."""
    from diffprivlib import models, tools

    bounds = {"epsilon": 1.0, "bounds": (0.0, 1.0)}
    for name in ("mean", "var", "sum"):
        yield (
            f"tools.{name}",
            partial(getattr(tools, name), **bounds),
            list(numbers(0, 1)),
        )
    for name in ("nanmean", "nanvar", "nansum"):
        yield (
            f"tools.{name}, half missing",
            partial(getattr(tools, name), **bounds),
            list(numbers(0, 1, missing=6)),
        )
    yield (
        "tools.count_nonzero",
        lambda x: tools.count_nonzero(x > 0.5, epsilon=1.0),
        list(numbers(0, 1)),
    )
    yield (
        "tools.histogram",
        lambda x: tools.histogram(x, epsilon=1.0, bins=3, range=(0, 1)),
        list(numbers(0, 1)),
    )
    yield (
        "tools.histogram, weights",
        lambda x: tools.histogram(
            x, epsilon=1.0, bins=3, range=(0, 1), weights=np.full(x.size, 5)
        ),
        list(numbers(0, 1)),
    )
    yield (
        "StandardScaler",
        lambda x: models.StandardScaler(**bounds).fit(x[:, None]),
        list(numbers(0, 1)),
    )
    for low in (0.0, 100.0):
        about = {"epsilon": 1.0, "bounds": (low, low + 1), "random_state": 1}
        yield (
            f"GaussianNB, bounds ({low:g}, {low + 1:g})",
            lambda d, a=about: models.GaussianNB(**a).fit(*d),
            list(rows(low, low + 1)),
        )
        yield (
            f"KMeans, bounds ({low:g}, {low + 1:g})",
            lambda d, a=about: models.KMeans(n_clusters=2, **a).fit(d[0]),
            list(rows(low, low + 1)),
        )
    for low in (-1.0, 0.0):
        about = {
            "epsilon": 1.0,
            "bounds_X": (low, 1),
            "bounds_y": (0, 1),
            "fit_intercept": False,
        }
        yield (
            f"LinearRegression, bounds_X ({low:g}, 1)",
            lambda d, a=about: models.LinearRegression(**a).fit(*d),
            list(rows(low, 1)),
        )
    forest = {
        "n_estimators": 2,
        "epsilon": 1.0,
        "bounds": (0, 1),
        "classes": [0, 1],
        "max_depth": 1,
        "random_state": 1,
    }
    yield (
        "RandomForestClassifier, two trees",
        lambda d: models.RandomForestClassifier(**forest).fit(*d),
        list(rows(0, 1)),
    )


def jax_privacy() -> Iterator[dict]:
    """The clipped sum of jax_privacy, whose sensitivity a method says: for each relation the largest move over it."""
    import dp_accounting
    import jax.numpy as jnp
    from jax_privacy import clipping

    summed = clipping.clipped_fun(lambda x: x.sum(axis=0), l2_clip_norm=1.0)
    rng = np.random.default_rng(4)
    relations = dp_accounting.NeighboringRelation
    for name, relation in (
        ("replace-one", relations.REPLACE_ONE),
        ("add-or-remove-one", relations.ADD_OR_REMOVE_ONE),
    ):
        most = 0.0
        for scale in (0.1, 1.0, 1e6, np.nan):
            data = rng.normal(0, 1 if np.isnan(scale) else scale, (5, 2))
            last = -data[-1] if not np.isnan(scale) else np.full(2, np.nan)
            other = np.vstack([data[:-1], last]) if name == "replace-one" else data[:-1]
            one, two = (
                np.asarray(summed(jnp.asarray(x)), float) for x in (data, other)
            )
            most = max(
                most, float(np.linalg.norm(one - two)) / summed.sensitivity(relation)
            )
        yield {
            "library": "jax_privacy",
            "name": "clipping.clipped_fun",
            "relation": name,
            "ratio": most,
            "moved": "",
        }


def lines() -> Iterator[dict]:
    """What each function was found to do, for either relation."""
    spots = diffprivlib_spots()
    for name, run, pairs in diffprivlib():
        for relation in ("replace-one", "add-or-remove-one"):
            found = [
                replay(run, one, two, spots)
                for kind, one, two in pairs
                if kind == relation
            ]
            ratio, moved = (
                max(x.ratio for x in found),
                next((x.moved for x in found if x.moved), ""),
            )
            yield {
                "library": "diffprivlib",
                "name": name,
                "relation": relation,
                "ratio": ratio,
                "moved": moved,
            }
    yield from jax_privacy()


def main() -> int:
    """All replays, as JSON lines."""
    for line in lines():
        version = metadata.version(line["library"].replace("_", "-"))
        ratio = line["ratio"]
        kept = "no bound" if np.isinf(ratio) else float(f"{ratio:.4g}")
        print(json.dumps(line | {"version": version, "ratio": kept}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
