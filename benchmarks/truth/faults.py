"""Why claims are false: one cause is one fault, however many entries show it.

A fault says which claims it explains, which public function promised what, and what is wrong.  A false claim that
no fault explains is called unexplained, and is nobody's until it has been understood.
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from benchmarks.truth.scores import Claim


class Fault(NamedTuple):
    """A cause: of which tool, of which of its claims, and in words."""

    name: str
    tool: str  # the beginning of its name
    explains: Callable[[dict], bool]
    promise: str
    cause: str
    events: Mapping[str, str] = MappingProxyType({})  # if several: by mechanism


class Flaw(NamedTuple):
    """A cause of releases that are false, and the beginnings of the names of those that show it."""

    name: str
    shown_by: tuple[str, ...]
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
        (
            "`PLDAccountant.compose(event, count)`, documented in the base class `PrivacyAccountant`, composes the event "
            "`count` times, and `get_epsilon` and `get_delta` then account for it"
        ),
        "a `RandomizedResponseDpEvent` is composed once, whatever the count",
    ),
    Fault(
        "noise under replace-one",
        "dp_accounting, Rényi",
        lambda entry: (
            entry["kind"] == "query of data" and entry["relation"] == "replace-one"
        ),
        (
            "`RdpAccountant` supports `GaussianDpEvent` and `LaplaceDpEvent` with `neighboring_relation` `REPLACE_ONE`, and "
            "its `get_epsilon` and `get_delta` account for them. Both classes are documented as a sum of vectors with noise. "
            "The norm of a vector (for `LaplaceDpEvent` its L1 norm) is at most C, and `noise_multiplier` is the standard "
            "deviation (for `LaplaceDpEvent` the scale) of the noise, divided by C"
        ),
        (
            "for both events the accountant ignores the relation and computes with a sum that moves by C. A vector that is "
            "replaced can move the sum by 2C. At δ = 1e-5 one `GaussianDpEvent(1)` has ε = 4.73 by this accountant and 9.997 "
            "in truth, and one `LaplaceDpEvent(2)` has 0.503 and 0.99998 (google/differential-privacy issue 378, open, "
            "describes it for Gaussian events). Private functions of the module, such as "
            "`_compute_rdp_poisson_subsampled_gaussian`, define the multiplier of Gaussian noise by the sensitivity of the sum; if "
            "both multipliers are meant so, the numbers are right, but the documentation of the two events has the definition above"
        ),
        MappingProxyType(
            {"gaussian": "`GaussianDpEvent`", "laplace": "`LaplaceDpEvent`"}
        ),
    ),
    Fault(
        "exponential mechanisms with a count",
        "dp_accounting, Rényi at head",
        lambda entry: _mechanisms(entry) == {"exponential"} and _many(entry),
        (
            "`RdpAccountant.compose(event, count)`, documented in the base class `PrivacyAccountant`, composes the event "
            "`count` times, and `get_epsilon` and `get_delta` then account for it"
        ),
        (
            "the divergence of an `ExponentialMechanismDpEvent` is added once, whatever the count. The event is not in a "
            "release yet"
        ),
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
        (
            "`PRVAccountant.compute_epsilon` returns a lower bound, an estimate and an upper bound for ε, and "
            "`PRVAccountant(eps_max=None)`, the default, computes a suitable domain if the mechanism supports it, as "
            "`PureDPMechanism` does"
        ),
        (
            "the domain is computed from the method `PureDPMechanism.rdp`. For ε of 1 or more its values are smaller than the "
            "Rényi divergence of the distribution that the class itself uses (at order 2 and ε = 2 it is 1 instead of 1.88). The "
            "domain is then too short for many steps"
        ),
    ),
)
UNEXPLAINED = "unexplained"
RELEASED = (
    Flaw(
        "boundary of a threshold on whole numbers",
        (
            "OpenDP make_laplace_threshold, counts",
            "OpenDP make_gaussian_threshold, counts",
        ),
        (
            "for a distance, `map` returns ε and δ (`make_laplace_threshold`) or ρ and δ (`make_gaussian_threshold`). The "
            "documentation of the former excludes counts that are less than the threshold, and hence keeps the threshold "
            "itself, as both functions do"
        ),
        (
            "δ is the probability of a noisy count above the threshold, without the probability of the threshold itself; "
            "for Gaussian noise it is moreover computed for continuous noise. Both are described in opendp issue 2922 (open). "
            "The claim shown for the Gaussian row is ρ read at 1e-5, with the library's δ added"
        ),
    ),
    Flaw(
        "mean that ignores missing values",
        ("diffprivlib tools.nanmean",),
        "`nanmean` is a differentially private mean that ignores NaNs",
        (
            "the sensitivity is the width of the bounds divided by the size of the array, whereas the mean is over the values "
            "that are not NaN"
        ),
    ),
    Flaw(
        "histogram with weights",
        ("diffprivlib tools.histogram, a weight",),
        (
            "`histogram` takes `weights`, by which values contribute to the counts, and adds noise by `GeometricTruncated` to "
            "satisfy differential privacy"
        ),
        (
            "the sensitivity is 1 whatever the weights, which are public here. On the pair shown the value of weight 5 moves "
            "into the range"
        ),
    ),
    Flaw(
        "squares in linear regression",
        ("diffprivlib LinearRegression",),
        "`LinearRegression` guarantees differential privacy for `epsilon` and data within `bounds_X` and `bounds_y`",
        (
            "the sensitivity of the sum of squares of a feature is computed from the lower bound twice, and is 0 for the "
            "bounds (0, 1) (IBM/differential-privacy-library issues 104 and 105, open)"
        ),
    ),
    Flaw(
        "curvature in logistic regression",
        ("diffprivlib LogisticRegression",),
        (
            "`LogisticRegression` is differentially private for `epsilon` and rows of norm at most `data_norm`, adapted from "
            "Chaudhuri, Monteleoni and Sarwate (2011), where one record is replaced"
        ),
        (
            "the curvature of the loss of a record is bounded by c R, as derived in issue 10, where R is `data_norm`; it is up "
            "to c R²"
        ),
    ),
    Flaw(
        "sums in naive Bayes",
        ("diffprivlib GaussianNB",),
        "`GaussianNB` adds noise to means and variances to satisfy differential privacy for `epsilon` and data within `bounds`",
        (
            "a record that joins or leaves a class, by a change of its label alone, moves the sum of the class by its value, "
            "which can be as large as the larger bound in absolute value, but the noise is scaled to the difference of the bounds"
        ),
    ),
)


def flaw(name: str) -> Flaw:
    """What explains a release that is false, by its library and name; a `Flaw` that says so if nothing does."""
    for one in RELEASED:
        if name.startswith(one.shown_by):
            return one
    return Flaw(UNEXPLAINED, (name,), "", "")


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
