"""Claims against proved intervals: which are false, and how much too large the others are."""

from collections.abc import Iterable
from math import isnan
from typing import NamedTuple

from benchmarks.truth.entries import PRIVML

ROUNDING = 1e-6  # relative
GRAIN = 1e-12  # of delta: what a transform in floats may lose of a probability
DIGITS = 13  # of a claim that are kept: what it lacks in the last of them is not seen


class Claim(NamedTuple):
    """One number that a tool said, and what is true."""

    entry: dict
    quantity: str  # "epsilon" at a delta, or "delta" at an epsilon
    at: float
    claim: float
    lower: float
    upper: float

    @property
    def false(self) -> bool:
        """Below what is proved, by more than rounding."""
        grain = GRAIN if self.quantity == "delta" else 0.0
        return self.claim < self.lower * (1 - ROUNDING) - grain

    @property
    def rounded(self) -> bool:
        """Below what is proved, by no more."""
        return (
            not self.false and self.claim * (1 + 0.5 * 10 ** (1 - DIGITS)) < self.lower
        )

    @property
    def ratio(self) -> float | None:
        """To the upper end, where there is something to compare."""
        return self.claim / self.upper if self.upper > 0 else None


def claims(entries: list[dict], answers: dict[str, dict], tool: str) -> list[Claim]:
    """All numbers of one tool; privml is not asked where it made the interval."""
    found = []
    for entry in entries:
        answer = answers.get(entry["name"], {})
        if "epsilon" not in answer or (
            tool == "privml" and entry["derivation"] == PRIVML
        ):
            continue
        for quantity in ("epsilon", "delta"):
            rows = entry[f"{quantity}_at"]
            for (at, lower, upper), claim in zip(
                rows, answer[quantity] or [None] * len(rows), strict=True
            ):
                if claim is not None and not isnan(claim):
                    found.append(
                        Claim(entry, quantity, at, max(claim, 0.0), lower, upper)
                    )
    return found


class Score(NamedTuple):
    """What is known of a tool on some entries."""

    asked: int
    answered: int
    refused: int
    unasked: int
    late: int
    failed: int
    false: list[Claim]
    rounded: int
    ratios: list[float]
    seconds: list[float]


def scored(entries: list[dict], answers: dict[str, dict], tool: str) -> Score:
    """One tool on some entries."""
    some = [e for e in entries if not (tool == "privml" and e["derivation"] == PRIVML)]
    mine = [answers[entry["name"]] for entry in some if entry["name"] in answers]
    made = claims(some, answers, tool)
    said = {claim.entry["name"] for claim in made}
    refused = sum("refused" in answer for answer in mine)
    unasked = sum("unasked" in answer for answer in mine)
    late = sum("more than" in answer.get("failed", "") for answer in mine)
    return Score(
        len(mine),
        len(said),
        refused,
        unasked,
        late,
        len(mine) - len(said) - refused - unasked - late,
        [claim for claim in made if claim.false],
        sum(claim.rounded for claim in made),
        [
            c.ratio
            for c in made
            if c.quantity == "epsilon" and c.ratio is not None and not c.false
        ],
        [answer["seconds"] for answer in mine if answer.get("seconds")],
    )


def worst(false: Iterable[Claim]) -> Claim:
    """The claim that is too small by the largest factor; of such that are zero the one that hides most."""
    return min(false, key=lambda claim: (claim.claim / claim.lower, -claim.lower))
