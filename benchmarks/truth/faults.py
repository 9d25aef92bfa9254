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
        lambda entry: (
            entry["kind"] == "query of data" and entry["relation"] == "replace-one"
        ),
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
        lambda entry: (
            _mechanisms(entry)
            <= {
                "pure",
                "randomised response",
                "permute and flip",
                "discrete laplace",
                "exponential",
            }
        ),
        "`compute_epsilon` returns an upper bound, and `eps_max=None` computes a suitable domain",
        "`PureDPMechanism.rdp` is smaller than the Rényi divergence of its own law, so the domain is too short",
    ),
)
UNEXPLAINED = "unexplained"
RELEASED = {  # of releases, by the beginning of library and name: what is promised, and the cause
    "OpenDP make_laplace_threshold, counts": (
        "`map` returns delta for a distance, and a value is kept if it is at least the threshold",
        (
            "the tail beyond the threshold is taken to start one integer too late: the boundary itself is released too "
            "(opendp issue 2922, open)"
        ),
    ),
    "OpenDP make_gaussian_threshold, counts": (
        "`map` returns rho and delta for a distance, and what it keeps reaches the threshold",
        (
            "for whole numbers the tail is that of continuous noise above the threshold, without the boundary's mass; "
            "the claim shown is that of rho at 1e-5, with delta added (the same issue)"
        ),
    ),
    "diffprivlib tools.nanmean": (
        "a differentially private mean that ignores NaNs",
        "the sensitivity is divided by the size of the array, the mean by the number of values that are not NaN",
    ),
    "diffprivlib tools.histogram, a weight": (
        "each value contributes its weight; noise by `GeometricTruncated` to satisfy differential privacy",
        "the sensitivity is 1 whatever the weights, here public: the value of weight 5 moves into the range",
    ),
    "diffprivlib LinearRegression": (
        "least squares with `epsilon`, bounds of the data given",
        (
            "the sensitivity of the squares of a feature is computed from the lower bound twice, and is 0 for "
            "bounds (0, 1) (IBM/differential-privacy-library issues 104 and 105, open)"
        ),
    ),
    "diffprivlib LogisticRegression": (
        (
            "`epsilon`, rows of norm at most `data_norm`; after Chaudhuri, Monteleoni and Sarwate (2011), "
            "where one record is replaced"
        ),
        "the curvature of a record is bounded by c R, as derived in issue 10, where it is up to c R^2",
    ),
    "diffprivlib GaussianNB": (
        "`epsilon` for the model, bounds of the data given",
        (
            "a record that joins or leaves a class, by a change of its label alone, moves the sum by up to the larger "
            "bound, and the noise is scaled to the difference of the bounds"
        ),
    ),
}


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
