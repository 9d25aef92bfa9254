"""How far each item of the inventory is covered, and what an erratum is called.

An item of tier *core* is covered when a page states it, a symbol implements it and a test checks it; one of
tier *support* when a page states it or a test checks it; one of tier *context* when a page states it. An item
that has something, but not all its tier asks for, is covered in part.
"""

from collections.abc import Iterator
from typing import NamedTuple

from book.tools import inventory

STATUSES = ("covered", "partly", "not yet")

SOURCES = {
    "L4": "Lecture 4: What can we learn privately?",
    "WLF16": "Wang, Lei and Fienberg (2016), Learning with Differential Privacy",
    "LZCW21": "Liu, Zhu, Chaudhuri and Wang (2021), Revisiting Model-Agnostic Private Learning",
    "S16": "Sorrell (2025), Theory of Replicable ML, Lecture 16",
    "DR11": "Dwork and Roth (2014), chapter 11",
}
SCANNED = frozenset({"L4", "S16", "DR11"})

TYPES = {
    "wrong": "False or unsafe as printed",
    "condition": "A hypothesis is missing",
    "proof": "A step of the proof fails",
    "typo": "Slips of notation, or of the scan",
    "loose": "Correct, but a better constant or rate is available",
    "note": "Other remarks",
    "refuted": "Suspicions that were tested and dropped",
}
# What concerns the mathematics, what only its writing, and what is no fault, with their plurals.
KINDS = {
    "erratum": ("errata", ("wrong", "condition", "proof")),
    "slip": ("slips", ("typo",)),
    "remark": ("remarks", ("loose", "note", "refuted")),
}


class Evidence(NamedTuple):
    """What speaks for one item: symbols and tests that name it, and whether a page states it."""

    symbols: list[str]
    tests: list[str]
    stated: bool


def status(tier: str, evidence: Evidence) -> str:
    """How far an item of a tier is covered, one of `STATUSES`."""
    has = {
        "symbol": bool(evidence.symbols),
        "test": bool(evidence.tests),
        "page": evidence.stated,
    }
    asked = {
        "core": all(has.values()),
        "support": has["test"] or has["page"],
        "context": has["page"],
    }
    if asked[tier]:
        return "covered"
    return "partly" if any(has.values()) else "not yet"


class Erratum(NamedTuple):
    """One erratum of one item; `name` is how texts and tests refer to it, `anchor` where it stands."""

    name: str
    anchor: str
    item: dict
    entry: dict

    @property
    def type(self) -> str:
        """One of `TYPES`; ``slip: true`` says that only the writing of a wrong line is at fault."""
        return "typo" if self.entry.get("slip") else self.entry["type"]

    @property
    def kind(self) -> str:
        """One of `KINDS`."""
        return next(kind for kind, (_, types) in KINDS.items() if self.type in types)


def counted_kinds(errata: list[Erratum]) -> str:
    """How many there are of each kind, in words."""
    numbers = {kind: sum(erratum.kind == kind for erratum in errata) for kind in KINDS}
    return ", ".join(
        f"{n} {kind if n == 1 else KINDS[kind][0]}" for kind, n in numbers.items() if n
    )


def errata_of(item: dict) -> list[Erratum]:
    """Errata of an item: the first is named like the item, the others ``ID/2``, ``ID/3`` and so on."""
    found = []
    for number, entry in enumerate(item["errata"] or [], 1):
        name = item["id"] if number == 1 else f"{item['id']}/{number}"
        found.append(
            Erratum(name, f"erratum-{name.lower().replace('/', '-')}", item, entry)
        )
    return found


def item_anchor(name: str) -> str:
    """Anchor of an item's row in the map of results."""
    return f"item-{name.lower()}"


def unknown_ids(
    items: dict[str, dict],
    symbols: inventory.Claims,
    tests: inventory.Claims,
    shown: inventory.Claims,
) -> Iterator[str]:
    """Docstrings and test markers that name an item or an erratum that does not exist, one sentence each."""
    errata = {erratum.name for item in items.values() for erratum in errata_of(item)}
    claims = {"docstring": (symbols, set(items)), "marker source": (tests, set(items))}
    claims["marker erratum"] = shown, errata
    for kind, (claimed, existing) in claims.items():
        for name in sorted(set(claimed) - existing):
            places = ", ".join(claimed[name])
            yield f"book/inventory.yml has no {name}, which a {kind} names: {places}"
