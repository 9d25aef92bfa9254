"""No public name prints a promise that its exact law breaks, at ordinary and at extreme public parameters.

Every case either keeps its promise on all its pairs of laws, or is refused with name, rule and value, within
a second.  So that no claim passes for want of a telling pair, a stronger promise must be seen broken.
The last test walks the public names: one that promises privacy and has no claim here fails it.
"""

import importlib
import inspect
import pkgutil
from functools import cache

import pytest

import privml
from tests.claims import (
    advice,
    mechanisms,
    private_learners,
    small_universes,
    spine,
    statistics,
    votes,
)
from tests.claims.claim import SECONDS, fault, limited, nearly, print_fault, stronger

FILES = (
    spine,
    mechanisms,
    small_universes,
    advice,
    private_learners,
    votes,
    statistics,
)
CLAIMS = [claim for file in FILES for claim in file.CLAIMS]
ABSTRACT = {
    "ApproximateMechanism",
    "BinaryLearner",
    "Mechanism",
    "NoiseMechanism",
    "Promise",
    "Selection",
}
ABSTRACT |= {"IntegerNoise", "VoteAggregator"}
ABSTRACT |= {
    "FiniteClassLearner",
    "PerturbedClassifier",
    "ExponentialLinearModel",
    "_ExponentialClassifier",
}
ABSTRACT |= {"PrivacyCurve", "LearningSetting"}
ABSTRACT |= {
    "ExactAudit",
    "MonteCarloAudit",
    "require_guarantee",
}  # judge or read promises, and make none
NOT_CALLED = ("figures", "notebook", "results")


@cache
def outcomes(claim):
    """Promises that were kept or broken, what went wrong, and which would break if they were stronger.

    Refusals are left out; last comes which are spent to 98 %.
    """
    promises, faults, tight, spent = [], [], [], []
    for label, case in claim.cases:
        try:
            with limited(SECONDS):
                promise, pairs = case()
                pairs = list(pairs)
        except Exception as error:
            refused = (
                isinstance(error, ValueError)
                and " must " in str(error)
                and ", but " in str(error)
            )
            faults += [] if refused else [f"{label}: {error!r}"]
            continue
        promises.append(promise)
        faults += [
            f"{label}: {found}" for pair in pairs if (found := fault(promise, pair))
        ]
        tight.append(
            any(fault(stronger(promise, claim.factor), pair) for pair in pairs)
        )
        spent.append(
            claim.spent and any(fault(nearly(promise), pair) for pair in pairs)
        )
    return promises, faults, tight, spent


@pytest.mark.source(
    "L4-exp-mech-privacy", "S16-thm-0.1", "L4-private-erm", "DR11-alg-exp-mech-learner"
)
@pytest.mark.source("LZCW21-lem-42", "LZCW21-lem-44")
@pytest.mark.parametrize("claim", CLAIMS, ids=repr)
def test_what_is_printed_holds_at_every_parameter_that_is_not_refused(claim):
    promises, faults, _, _ = outcomes(claim)
    assert not faults, "\n".join([f"{len(faults)} faults", *faults[:12]])
    assert len(promises) >= len(claim.cases) / 4, "nearly all cases are refused"


@pytest.mark.parametrize("claim", CLAIMS, ids=repr)
def test_no_print_is_stronger_than_its_promise(claim):
    assert [
        found for promise in outcomes(claim)[0] if (found := print_fault(promise))
    ] == []


@pytest.mark.parametrize("claim", CLAIMS, ids=repr)
def test_a_stronger_promise_is_seen_broken(claim):
    _, _, tight, spent = outcomes(claim)
    assert any(tight), "no case has a pair of laws that could break the promise"
    assert sum(spent) >= claim.spent * len(spent), (
        f"{sum(spent)} of {len(spent)} promises are spent whole"
    )


def promising():
    """Names of the public classes and functions that return or state a promise."""
    for module in pkgutil.walk_packages(privml.__path__, "privml."):
        if module.name.split(".")[1] in NOT_CALLED or "._" in module.name:
            continue
        for name, thing in vars(importlib.import_module(module.name)).items():
            if name.startswith("_") or getattr(thing, "__module__", "") != module.name:
                continue
            if inspect.isclass(thing):
                source = inspect.getsource(thing)
                if (
                    hasattr(thing, "guarantee")
                    or "Guarantee" in source
                    or "privacy_ =" in source
                ):
                    yield name
            elif inspect.isfunction(thing) and "Guarantee" in str(
                thing.__annotations__.get("return", "")
            ):
                yield name


def test_every_public_name_that_promises_has_a_claim():
    missing = set(promising()) - {claim.name for claim in CLAIMS} - ABSTRACT
    assert not missing, f"no claim is tested for {sorted(missing)}"
