"""Why claims are false: one cause is one fault, however many entries show it.

A fault says which claims it explains, what was promised and where, and what is wrong.  A false claim that no
fault explains is called unexplained, and is nobody's until it has been understood.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from benchmarks.truth.scores import Claim


class Fault(NamedTuple):
    """A cause: of which tool, of which of its claims, and in words."""

    name: str
    tool: str  # the beginning of its name
    explains: Callable[[dict], bool]
    promise: str
    cause: str


def _mechanisms(entry: dict) -> set[str]:
    return {step["mechanism"] for step in entry["steps"]}


def _many(entry: dict) -> bool:
    return any(step["times"] > 1 for step in entry["steps"])


FAULTS = (
    Fault(
        "randomised response with a count",
        "dp_accounting, PLD",
        lambda entry: _mechanisms(entry) == {"randomised response"} and _many(entry),
        "`compose(event, count)`: the event `count` times",
        "`PLDAccountant` composes `RandomizedResponseDpEvent` once, whatever the count",
    ),
    Fault(
        "noise under replace-one",
        "dp_accounting, Rényi",
        lambda entry: entry["kind"] == "query of data" and entry["relation"] == "replace-one",
        "`GaussianDpEvent`: a sum of vectors of norm at most C, with noise of s / C, under `REPLACE_ONE`",
        "`RdpAccountant` charges a move of C; a replaced record moves the sum by up to 2C",
    ),
    Fault(
        "exponential mechanisms with a count",
        "dp_accounting, Rényi at head",
        lambda entry: _mechanisms(entry) == {"exponential"} and _many(entry),
        "`compose(event, count)`: the event `count` times",
        "`RdpAccountant` adds the divergence of `ExponentialMechanismDpEvent` once; not in a release yet",
    ),
    Fault(
        "pure steps, many or large",
        "prv_accountant",
        lambda entry: _mechanisms(entry)
        <= {"pure", "randomised response", "permute and flip", "discrete laplace", "exponential"},
        "`compute_epsilon` returns an upper bound, and `eps_max=None` computes a suitable domain",
        "`PureDPMechanism.rdp` is smaller than the Rényi divergence of its own law, so the domain is too short",
    ),
)
UNEXPLAINED = "unexplained"


def causes(tool: str, false: Iterable[Claim]) -> dict[str, list[Claim]]:
    """False claims of a tool by the fault that explains them."""
    found: dict[str, list[Claim]] = {}
    for claim in false:
        names = [
            fault.name
            for fault in FAULTS
            if tool.startswith(fault.tool) and fault.explains(claim.entry)
        ]
        found.setdefault(names[0] if names else UNEXPLAINED, []).append(claim)
    return found
