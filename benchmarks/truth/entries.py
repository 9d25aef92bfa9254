"""The questions of the truth bench: mechanisms, compositions and samplings, with the derivation of each.

A step is a mechanism with its parameters, how often it is released (`times`), and the share of the records
it sees (`sampling_rate`; each record by a coin of its own, or a `scheme` "subset" of fixed size).
"""

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
FILE = HERE / "truth.json"
ABOUT = {
    "title": "privml truth bench",
    "version": "2",
    "licence": "CC0-1.0",
    "format": "benchmarks/truth/README.md",
}

DELTAS = (1e-2, 1e-5, 1e-9)
ANY, ADD, REPLACE = "any, of this sensitivity", "add-or-remove-one", "replace-one"
PRIVML = "certified by privml"


def entry(
    kind: str, derivation: str, *steps: dict, relation: str = ANY, **more: Any
) -> dict:
    """One question; its name says what it asks."""
    about = f" under {relation}" if any("query" in step for step in steps) else ""
    return {
        "name": named(steps) + about,
        "kind": kind,
        "relation": relation,
        "derivation": derivation,
        **more,
    } | {"steps": list(steps)}


def named(steps: tuple[dict, ...]) -> str:
    """The parameters in a row."""
    parts = []
    for step in steps:
        rest = [
            f"{k.replace('_', ' ')} {v}"
            for k, v in step.items()
            if k not in ("mechanism", "times")
        ]
        times = f" x {step['times']}" if step["times"] > 1 else ""
        parts.append(f"{step['mechanism']} ({', '.join(rest)}){times}")
    return " + ".join(parts)


def noise(
    mechanism: str, scale: float, times: int = 1, sensitivity: float = 1.0, **more: Any
) -> dict:
    """Gaussian or Laplace noise."""
    name = "sigma" if mechanism == "gaussian" else "scale"
    return {
        "mechanism": mechanism,
        name: scale,
        "sensitivity": sensitivity,
        "times": times,
        **more,
    }


def pure(epsilon: float, times: int = 1, mechanism: str = "pure", **more: Any) -> dict:
    """A step of which an epsilon is known, or a mechanism that has one."""
    return {"mechanism": mechanism, "epsilon": epsilon, **more, "times": times}


def gaussians() -> Iterator[dict]:
    """Gaussian noise, one release and many, equal and not."""
    for sigma, k in product(
        (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 200.0), (1, 10, 100, 1000, 10_000)
    ):
        if 0.01 <= k**0.5 / sigma <= 25:
            yield entry("Gaussian", "gaussian", noise("gaussian", sigma, k))
    unequal = (
        [(1.0, 1, 1.0), (2.0, 1, 1.0), (4.0, 1, 1.0)],
        [(30.0, 500, 1.0), (5.0, 10, 1.0)],
        [(3.0, 20, 0.5)],
        [(10.0, 7, 3.0), (8.0, 9, 1.0)],
    )
    for steps in unequal:
        yield entry(
            "Gaussian", "gaussian", *(noise("gaussian", *step) for step in steps)
        )


def laplaces() -> Iterator[dict]:
    """Laplace noise, one release and some."""
    for scale, k in product((0.5, 1.0, 2.0, 10.0, 100.0), (1, 2, 3, 5, 10, 20)):
        yield entry("Laplace", "laplace", noise("laplace", scale, k))


def steps_of_a_kind() -> Iterator[dict]:
    """Pure and approximate steps, of which nothing else is known; the worst is randomised response."""
    for epsilon, k in product((0.01, 0.05, 0.1, 0.5, 1.0, 2.0), (1, 2, 10, 100, 1000)):
        yield entry("pure steps", "finite", pure(epsilon, k))
    yield entry("pure steps", "finite", pure(0.1, 5), pure(0.2, 5), pure(0.4, 5))
    yield entry("pure steps", "finite", pure(1.0), pure(0.05, 60))
    yield entry(
        "pure steps",
        "finite",
        pure(0.5, 3),
        pure(0.25, 3),
        pure(0.125, 3),
        pure(0.0625, 3),
    )
    for epsilon, delta, k in product((0.1, 1.0), (1e-6, 1e-8), (1, 10, 30)):
        yield entry(
            "approximate steps",
            "approximate",
            pure(epsilon, k, "approximate", delta=delta),
        )


def responses() -> Iterator[dict]:
    """Randomised response over categories: all but a share tell the truth."""
    for share, m, k in product((0.25, 0.5, 0.9), (2, 4, 10), (1, 20)):
        step = {
            "mechanism": "randomised response",
            "share": share,
            "categories": m,
            "times": k,
        }
        yield entry("randomised response", "finite", step, relation=REPLACE)


def integers() -> Iterator[dict]:
    """Noise on the integers."""
    for a, s, k in product((0.1, 0.5, 1.0), (1, 2, 3), (1, 5, 15)):
        step = {
            "mechanism": "discrete laplace",
            "parameter": a,
            "sensitivity": s,
            "times": k,
        }
        yield entry("discrete Laplace", "finite", step)
    for sigma, k in product((1.0, 2.0, 5.0), (1, 4, 16, 64)):
        step = {
            "mechanism": "discrete gaussian",
            "sigma": sigma,
            "sensitivity": 1,
            "times": k,
        }
        yield entry("discrete Gaussian", "discrete_gaussian", step)


def selections() -> Iterator[dict]:
    """Private choices, fixed in advance."""
    for epsilon, k in product((0.05, 0.1, 0.5, 1.0, 2.0), (1, 2, 5, 10, 30)):
        yield entry(
            "exponential mechanism", "exponential", pure(epsilon, k, "exponential")
        )
    for epsilon, k in ((0.05, 1000), (0.1, 1000), (0.5, 300)):
        yield entry(
            "exponential mechanism",
            "exponential_between",
            pure(epsilon, k, "exponential"),
        )
    for epsilon, k in product((0.1, 0.5, 1.0, 2.0), (1, 5, 20, 60)):
        step = pure(epsilon, k, "permute and flip", options=2)
        yield entry("permute-and-flip", "permute_and_flip", step)


def samplings() -> Iterator[dict]:
    """A random part of the records: one release, and many of finite ones."""
    for sigma, rate in product((0.5, 1.0, 2.0), (0.001, 0.01, 0.1, 0.5)):
        step = noise("gaussian", sigma, sampling_rate=rate)
        yield entry("sampled, one release", "sampled_step", step, relation=ADD)
    for scale, rate in product((0.5, 1.0), (0.01, 0.1, 0.5)):
        step = noise("laplace", scale, sampling_rate=rate)
        yield entry("sampled, one release", "sampled_step", step, relation=ADD)
    for sigma, rate in product((0.5, 1.0), (0.01, 0.1)):
        step = noise("gaussian", sigma, sampling_rate=rate, scheme="subset")
        yield entry("sampled, one release", "sampled_step", step, relation=REPLACE)
    for a, rate, k in (
        *product((0.5, 1.0, 2.0), (0.01, 0.1), (10, 100)),
        (0.5, 0.01, 1000),
        (0.5, 0.1, 1000),
    ):
        step = {
            "mechanism": "discrete laplace",
            "parameter": a,
            "sensitivity": 1,
            "times": k,
        }
        yield entry(
            "sampled, many releases",
            "finite",
            step | {"sampling_rate": rate},
            relation=ADD,
        )


def mixtures() -> Iterator[dict]:
    """Releases of different kinds together."""
    for sigma, k, epsilon, n in product((1.0, 5.0), (1, 20), (0.1, 0.5), (1, 10)):
        yield entry("mixed", "mixed", noise("gaussian", sigma, k), pure(epsilon, n))
    for scale, k, epsilon, n in (
        (1.0, 1, 0.5, 1),
        (2.0, 3, 0.5, 5),
        (10.0, 10, 0.1, 20),
    ):
        yield entry("mixed", "mixed", noise("laplace", scale, k), pure(epsilon, n))


def query(
    name: str, mechanism: str, scale: float, relation: str, times: int = 1
) -> dict:
    """Noise on a query of the data, and how far one record moves it.

    Each record is a number in [-clip, clip] (`sum`; `mean` divides it by a number of records that does not
    change), or one of some values (`histogram`: the counts of all values, where `coordinates` of them move).
    """
    replaced = relation == REPLACE
    clip = MEAN_OF if name == "mean" else 1.0
    if name == "histogram":
        more = {"clip": 1.0, "coordinates": 2 if replaced else 1}
        return noise(mechanism, scale, times, query=name, **more)
    most = 2 * clip if replaced else clip
    return noise(mechanism, scale, times, most, query=name, clip=clip)


MEAN_OF = 1 / 64  # what one record adds at most to the mean of 64


def data() -> Iterator[dict]:
    """Queries of the data with a relation: what one record moves is for the tool to say, if it can."""
    for (name, mechanism, scale), k in product(
        (
            ("sum", "gaussian", 1.0),
            ("sum", "gaussian", 5.0),
            ("mean", "gaussian", 0.0625),
            ("histogram", "gaussian", 2.0),
            ("sum", "laplace", 2.0),
            ("sum", "laplace", 10.0),
            ("mean", "laplace", 0.125),
            ("histogram", "laplace", 4.0),
        ),
        (1, 10),
    ):
        for relation in (ADD, REPLACE) if name != "mean" else (REPLACE,):
            step = query(name, mechanism, scale, relation, k)
            yield entry("query of data", mechanism, step, relation=relation)


def lattices() -> Iterator[dict]:
    """Many releases of sampled noise: both ends by whole numbers on a lattice."""
    made = (
        ("laplace", 1.0, 0.1, 30, 0.0005, 4.0),
        ("laplace", 1.0, 0.01, 100, 0.0001, 1.0),
        ("laplace", 0.5, 0.01, 30, 0.0002, 2.0),
        ("gaussian", 1.0, 0.01, 10, 0.0005, 4.0),
        ("gaussian", 1.0, 0.01, 100, 0.001, 4.0),
        ("gaussian", 1.0, 0.01, 10_000, 0.0005, 14.0),
        ("gaussian", 4.0, 0.1, 1000, 0.001, 8.0),
        ("gaussian", 1.0, 0.001, 10_000, 0.0001, 2.0),
    )
    for mechanism, scale, rate, k, width, most in made:
        step, grid = (
            noise(mechanism, scale, k, sampling_rate=rate),
            {"width": width, "most": most},
        )
        yield entry(
            "sampled, many releases", "sampled_noise", step, relation=ADD, lattice=grid
        )


def certified() -> Iterator[dict]:
    """What has no derivation here yet: both ends are of privml, which these do not score."""
    for scale, rate, k in ((1.0, 0.01, 5000), (5.0, 0.1, 1000)):
        step = noise("laplace", scale, k, sampling_rate=rate)
        yield entry("sampled, certified by privml", PRIVML, step, relation=ADD)
    for scale, k in ((20.0, 1000), (100.0, 10_000)):
        yield entry("Laplace, certified by privml", PRIVML, noise("laplace", scale, k))


def entries() -> list[dict]:
    """All of them, in their order."""
    made = (
        gaussians,
        laplaces,
        steps_of_a_kind,
        responses,
        integers,
        selections,
        samplings,
        mixtures,
        data,
    )
    return [one for make in (*made, lattices, certified) for one in make()]


def read() -> list[dict]:
    """The committed entries, with their intervals."""
    return json.loads(FILE.read_text(encoding="utf-8"))["entries"]
