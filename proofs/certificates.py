"""Certificates of the table of least sample sizes, for Coq: ``python proofs/certificates.py`` writes them.

An entry says that n records are enough for a (ln 3, delta)-private search for an interior point among K numbers
that fails with probability at most beta, and that n - 1 are not. The first is certified by a table of
probabilities with one denominator, the second by multipliers in whole numbers. Both come from linear programs,
whose floats are rounded here and checked in fractions; `SampleSize.v` proves that the checks are sound, and
Coq repeats them.
"""

import argparse
import re
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import NamedTuple

import numpy as np

from book.tools.compare import read_shown
from privml.learnability import count_vectors
from privml.results.interior_points import (
    GROWTH,
    best_search,
    ordered_pairs,
    outside,
)

FOLDER = Path(__file__).parent
CHAPTER = "thresholds-and-littlestone"
LARGEST_DENOMINATOR = 10**7
LARGEST_UNIT = 10**7


class Entry(NamedTuple):
    """One number of the table: so many records for K points, at this beta and delta."""

    beta: Fraction
    delta: Fraction
    n_points: int
    n_samples: int

    @property
    def name(self) -> str:
        """A name for the theorem."""
        words = f"{self.beta} {self.delta}".replace("/", "_").replace(" ", "_delta_")
        return f"beta_{words}"


class Enough(NamedTuple):
    """Probabilities of the answers, by data sets, as numerators over one denominator."""

    denominator: int
    rows: dict[tuple[int, ...], list[int]]


class Multiplier(NamedTuple):
    """Numbers, one for each answer, of the neighbours that `one` and `other` make of `rest`."""

    rest: tuple[int, ...]
    one: int
    other: int
    numbers: list[int]


class Short(NamedTuple):
    """Weights of data sets, and multipliers; each stands for its mirror image as well."""

    weights: dict[tuple[int, ...], int]
    multipliers: list[Multiplier]


def table(rows: list[list[str]]) -> list[Entry]:
    """The entries of the chapter's table, but for those that say `more`; the first row is its head."""
    sizes = [int(re.sub(r"\D", "", name)) for name in rows[0][2:]]
    return [
        Entry(Fraction(beta), Fraction(delta), K, int(n))
        for beta, delta, *cells in rows[1:]
        for K, n in zip(sizes, cells, strict=True)
        if n != "more"
    ]


def table_of_chapter() -> list[Entry]:
    """The entries that `notebooks/thresholds-and-littlestone.ipynb` shows."""
    tables = read_shown(FOLDER.parent / "notebooks" / f"{CHAPTER}.ipynb").tables
    [rows] = [rows for rows in tables if rows[0][:3] == ["beta", "delta", "K = 2"]]
    return table(rows)


def records(counts: np.ndarray) -> tuple[int, ...]:
    """A count vector as the sorted list of its records, the numbers from 1 on."""
    return tuple(int(v) + 1 for v in np.repeat(np.arange(len(counts)), counts))


def completed(K: int, n: int, places: dict[tuple[int, ...], int]) -> np.ndarray:
    """For each data set of n - 1 records the data sets that one more record makes of it."""
    rests = count_vectors(K, n - 1) if n > 1 else np.zeros((1, K), dtype=int)
    units = np.eye(K, dtype=int)
    return np.array([[places[tuple(row + unit)] for unit in units] for row in rests])


def roomy_law(K: int, n: int, delta: Fraction, beta: Fraction) -> np.ndarray:
    """A law that keeps all constraints with the most room for what rounding changes."""
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    counts, wrong = count_vectors(K, n), outside(K, n)
    places = {tuple(row): i for i, row in enumerate(counts)}
    mirror = np.array([places[tuple(row[::-1])] for row in counts])
    cells = np.arange(wrong.size).reshape(wrong.shape)
    unknowns, column = np.unique(
        np.minimum(cells, cells[mirror][:, ::-1]), return_inverse=True
    )
    column = column.reshape(wrong.shape)
    room, width = len(unknowns), len(unknowns) + 1  # the column of the room
    at: list[np.ndarray] = []
    of: list[np.ndarray] = []
    values: list[np.ndarray] = []
    right: list[np.ndarray] = []
    n_rows = 0

    def rows(
        number: int, *terms: tuple[np.ndarray, np.ndarray, float], bound: float
    ) -> None:
        nonlocal n_rows
        for row, where, value in terms:
            at.append(n_rows + np.ravel(row))
            of.append(np.ravel(where))
            values.append(np.full(np.size(row), float(value)))
        right.append(np.full(number, bound))
        n_rows += number

    if delta == 0:  # u <= p <= 3 u - 4 room for one u of each rest and answer
        tables = completed(K, n, places)
        laws = column[tables]
        lows = width + np.arange(tables.shape[0] * K).reshape(-1, 1, K)
        lows = np.broadcast_to(lows, laws.shape)
        width += tables.shape[0] * K
        each = np.arange(laws.size)
        rooms = np.full(laws.size, room)
        rows(laws.size, (each, lows, 1), (each, laws, -1), bound=0)
        rows(
            laws.size, (each, laws, 1), (each, lows, -GROWTH), (each, rooms, 4), bound=0
        )
    else:
        pairs = ordered_pairs(K, n)
        codes = pairs @ [len(wrong), 1]
        pairs = pairs[codes <= mirror[pairs] @ [len(wrong), 1]]
        each, whole = np.arange(len(pairs) * K), np.arange(len(pairs))
        slack = width + each
        width += len(each)
        first, second = column[pairs[:, 0]], column[pairs[:, 1]]
        rows(
            len(each),
            (each, first, 1),
            (each, second, -GROWTH),
            (each, slack, -1),
            bound=0,
        )
        rooms = np.full(len(pairs), room)
        sums = (each // K, slack, 1.0)
        rows(len(pairs), sums, (whole, rooms, 4 * K), bound=float(delta))
    spots = np.nonzero(wrong)
    sets = np.arange(len(wrong))
    failures = (spots[0], column[spots], 1.0)
    rows(len(wrong), failures, (sets, np.full(len(wrong), room), K), bound=float(beta))
    matrix = coo_array(
        (np.concatenate(values), (np.concatenate(at), np.concatenate(of))),
        shape=(n_rows, width),
    ).tocsr()
    homes = coo_array(
        (np.ones(wrong.size), (cells.ravel() // K, column.ravel())),
        shape=(len(wrong), width),
    ).tocsr()
    cost = -1.0 * (np.arange(width) == room)
    limits = matrix, np.concatenate(right), homes, np.ones(len(wrong))
    found = linprog(cost, *limits, (0, None), method="highs-ipm")
    if found.status != 0:
        raise ValueError(
            f"no private law for {K} points and {n} records: {found.message}"
        )
    return found.x[column]


def rounded(law: np.ndarray, denominator: int) -> np.ndarray:
    """Each row to whole numerators with the right sum, by the largest remainders."""
    scaled = law * denominator
    whole = np.floor(scaled + 1e-9).astype(np.int64)
    order = np.argsort(-(scaled - whole), axis=1, kind="stable")
    ranks = np.argsort(order, axis=1, kind="stable")
    return whole + (ranks < denominator - whole.sum(axis=1, keepdims=True))


def keeps(law: np.ndarray, denominator: int, entry: Entry) -> bool:
    """Whether numerators are private and accurate, in whole numbers."""
    K, n = entry.n_points, entry.n_samples
    pairs = ordered_pairs(K, n)
    gain = np.maximum(law[pairs[:, 0]] - GROWTH * law[pairs[:, 1]], 0).sum(axis=1)
    failures = (law * outside(K, n)).sum(axis=1)
    return bool(
        (law >= 0).all()
        and (law.sum(axis=1) == denominator).all()
        and int(gain.max(initial=0)) <= entry.delta * denominator
        and int(failures.max()) <= entry.beta * denominator
    )


def symmetric(law: np.ndarray, mirror: np.ndarray) -> np.ndarray:
    """The law with the second of two mirror images made from the first."""
    second = np.arange(len(law)) > mirror
    law = law.copy()
    law[second] = law[mirror[second]][:, ::-1]
    return law


def enough(entry: Entry) -> Enough:
    """Numerators that certify that so many records are enough, over a small denominator."""
    K, n = entry.n_points, entry.n_samples
    counts = count_vectors(K, n)
    places = {tuple(row): i for i, row in enumerate(counts)}
    mirror = np.array([places[tuple(row[::-1])] for row in counts])
    law = np.maximum(roomy_law(K, n, entry.delta, entry.beta), 0)
    law /= law.sum(axis=1, keepdims=True)
    for denominator in denominators(law):
        whole = symmetric(rounded(law, denominator), mirror)
        if keeps(whole, denominator, entry):
            kept = [i for i in range(len(counts)) if i <= mirror[i]]
            return Enough(
                denominator, {records(counts[i]): whole[i].tolist() for i in kept}
            )
    raise ValueError(f"no denominator below {LARGEST_DENOMINATOR} keeps {entry}")


def denominators(law: np.ndarray):
    """Denominators to try: small ones, those of the solver's fractions, and ever larger ones."""
    yield from range(1, 400)
    parts = [
        Fraction(float(p)).limit_denominator(1000).denominator
        for p in np.unique(law.round(10))
    ]
    common = lcm(*parts)
    if common <= LARGEST_DENOMINATOR:
        yield common
    size = 400
    while size < LARGEST_DENOMINATOR:
        yield from range(size, size + 4)
        size += size // 4


def proves(short: Short, entry: Entry) -> bool:
    """Whether multipliers show that one record fewer is not enough, in whole numbers."""
    K = entry.n_points

    def mirrored(z: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(K + 1 - v for v in reversed(z))

    value: dict[tuple[int, ...], np.ndarray] = {}

    def add(z: tuple[int, ...], vector: np.ndarray) -> None:
        value[z] = value.get(z, np.zeros(K, dtype=object)) + vector

    total, spent = 0, 0
    answers = np.arange(1, K + 1)
    for z, weight in short.weights.items():
        out = ((answers < z[0]) | (answers > z[-1])).astype(object) * weight
        add(z, out)
        add(mirrored(z), out[::-1])
        total += 2 * weight
    for rest, one, other, numbers in short.multipliers:
        y = np.array(numbers, dtype=object)
        for w, a, b, v in (
            (rest, one, other, y),
            (mirrored(rest), K + 1 - one, K + 1 - other, y[::-1]),
        ):
            add(tuple(sorted((*w, a))), v)
            add(tuple(sorted((*w, b))), -GROWTH * v)
            spent += int(v.max())
    low = sum(int(vector.min()) for vector in value.values())
    return low - entry.delta * spent > entry.beta * total


def short(entry: Entry) -> Short:
    """Multipliers that certify that one record fewer is not enough, in small numbers."""
    K, n = entry.n_points, entry.n_samples - 1
    counts = count_vectors(K, n)
    _, of_datasets, (pairs, _, weights) = best_search(K, n, entry.delta)
    unit = 8
    while unit < LARGEST_UNIT:
        found = whole_multipliers(counts, of_datasets, pairs, weights, unit)
        if found.weights and proves(found, entry):
            return found
        unit += max(1, unit // 6)
    raise ValueError(f"no unit below {LARGEST_UNIT} proves {entry}")


def whole_multipliers(counts, of_datasets, pairs, weights, unit: int) -> Short:
    """What the solver found, in whole multiples of ``1 / unit``."""
    total = np.rint(of_datasets * unit).astype(int)
    numbers = np.rint(weights * unit).astype(int)
    multipliers = []
    for (p, q), row in zip(
        pairs[numbers.any(axis=1)], numbers[numbers.any(axis=1)], strict=True
    ):
        rest = np.minimum(counts[p], counts[q])
        one, other = (int(np.argmax(counts[i] - rest)) + 1 for i in (p, q))
        multipliers.append(Multiplier(records(rest), one, other, row.tolist()))
    kept = np.nonzero(total)[0]
    return Short({records(counts[i]): int(total[i]) for i in kept}, multipliers)


def listed(numbers) -> str:
    """A list of Coq."""
    return "[" + ";".join(map(str, numbers)) + "]"


def claim(entry: Entry) -> str:
    """The entry as Coq states it."""
    beta, delta = (
        f"({x.numerator} / {x.denominator})" for x in (entry.beta, entry.delta)
    )
    return f"least_records {entry.n_points} (ln 3) {delta} {beta} {entry.n_samples}"


def theorem(entry: Entry, yes: Enough, no: Short | None) -> str:
    """The entry as a theorem, with its certificates."""
    rows = [f"({listed(z)}%nat, {listed(v)})" for z, v in yes.rows.items()]
    beta, delta = entry.beta, entry.delta
    words = f"{entry.n_points} numbers, beta = {beta}, delta = {delta}"
    name, n = entry.name, entry.n_samples - 1
    parts = [
        f"(** {words}: {entry.n_samples} records. *)",
        f"Definition {name}_rows : list (list nat * list Z) := [\n"
        + ";\n".join(rows)
        + "].",
    ]
    weights = multipliers = "[]"
    if no is not None:
        of_sets = [f"({listed(z)}%nat, {k})" for z, k in no.weights.items()]
        items = [
            f"pair_of {listed(w)}%nat {a} {b} {listed(y)}"
            for w, a, b, y in no.multipliers
        ]
        parts += [
            f"Definition {name}_weights : list (list nat * Z) := [\n"
            + ";\n".join(of_sets)
            + "].",
            f"Definition {name}_multipliers : list multiplier := [\n"
            + ";\n".join(items)
            + "].",
        ]
        weights, multipliers = f"{name}_weights", f"{name}_multipliers"
    numbers = f"{entry.n_points} {n} {delta.numerator} {delta.denominator} {beta.numerator} {beta.denominator}"
    short_proof = (
        "left; split; [reflexivity | lia]"
        if no is None
        else "right; vm_compute; reflexivity"
    )
    parts += [
        f"Theorem {name} : {claim(entry)}.",
        "Proof.",
        f"  apply (certified {numbers} {yes.denominator}",
        f"    {name}_rows {weights} {multipliers});",
        f"    [vm_compute; reflexivity | {short_proof} | lia].",
        "Qed.",
    ]
    return "\n".join(parts) + "\n"


HEAD = """(** Made by [certificates.py]: the column K = {K} of the table of least sample sizes.

    For each entry: numerators of the probabilities of the answers on each data set (its mirror image has the
    mirror image of the row), and weights and multipliers against one record fewer. *)

From Coq Require Import Reals List ZArith Lia.
From Privml Require Import SampleSize.
Import ListNotations.
Open Scope Z_scope.

"""


def column(K: int, entries: list[Entry]) -> str:
    """The file of one column of the table."""
    parts = []
    for entry in entries:
        no = short(entry) if entry.n_samples > 1 else None
        parts.append(theorem(entry, enough(entry), no))
    return HEAD.format(K=K) + "\n".join(parts)


def whole_table(entries: list[Entry]) -> str:
    """The file that says the whole table in one theorem."""
    columns = sorted({entry.n_points for entry in entries})
    claims, proofs = [], []
    for entry in entries:
        claims.append(f"  {claim(entry)}")
        proofs.append(f"K{entry.n_points}.{entry.name}")
    claimed = " /\\\n".join(claims)
    exact = "\n  ".join(f"split; [exact {proof}|]." for proof in proofs[:-1])
    return (
        "(** Made by [certificates.py]: the table of least sample sizes as one theorem. *)\n\n"
        "From Coq Require Import Reals.\nFrom Privml Require Import SampleSize.\n"
        f"From Privml.certificates Require {' '.join(f'K{K}' for K in columns)}.\n"
        "Open Scope R_scope.\n\n"
        f"(** checked -- the table of least sample sizes, all {len(entries)} numbers that it has *)\n"
        f"Theorem table_of_sample_sizes :\n{claimed}.\nProof.\n  {exact}\n  exact {proofs[-1]}.\nQed.\n"
    )


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--points",
        type=int,
        nargs="*",
        help="columns to make, of which there may be none",
    )
    parser.add_argument("--folder", type=Path, default=FOLDER / "certificates")
    options = parser.parse_args(arguments)
    entries = table_of_chapter()
    options.folder.mkdir(exist_ok=True)
    columns = sorted({entry.n_points for entry in entries})
    for K in columns if options.points is None else options.points:
        text = column(K, [entry for entry in entries if entry.n_points == K])
        (options.folder / f"K{K}.v").write_text(text, encoding="utf-8")
        print(f"K = {K}: {len(text) / 1000:.0f} kB", flush=True)
    text = whole_table(entries)
    (options.folder.parent / "Table.v").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
