"""One rule for default values of delta: 0 where a pure version exists for every size of data, else 1e-5."""

import importlib
import inspect
import pkgutil

import numpy as np
import pytest

import privml

ROOMS = [
    module.name
    for module in pkgutil.walk_packages(privml.__path__, "privml.")
    if "._" not in module.name
]
DEFAULTS = (0.0, 1e-5)
PUBLIC = {"classes": (False, True), "bounds": "unit", "target_bounds": "unit"}


def callables():
    """Every public function, class and method of the package, once, by its dotted name."""
    found = {}
    for room in ROOMS:
        for name, thing in vars(importlib.import_module(room)).items():
            home = getattr(thing, "__module__", None) or ""
            if name.startswith("_") or not home.startswith("privml"):
                continue
            found[f"{home}.{name}"] = thing
            if inspect.isclass(thing):
                for method, function in inspect.getmembers(thing, callable):
                    if not method.startswith("_"):
                        found[f"{home}.{name}.{method}"] = function
    return found


def defaults():
    """Each default value of a parameter that is a delta."""
    for name, thing in callables().items():
        try:
            parameters = inspect.signature(thing).parameters.values()
        except (TypeError, ValueError):
            continue
        for parameter in parameters:
            if parameter.name.endswith("delta") and parameter.default not in (
                inspect.Parameter.empty,
                None,
            ):
                yield f"{name}({parameter.name})", parameter.default


def learners():
    """The learners that a user finds, with the default of their delta."""
    return [
        (thing, inspect.signature(thing).parameters["delta"].default)
        for name, thing in callables().items()
        if inspect.isclass(thing)
        and not inspect.isabstract(thing)
        and hasattr(thing, "fit")
        and thing.__name__ in {*privml.learners.__all__, "PATEClassifier"}
        and "delta" in inspect.signature(thing).parameters
    ]


def test_every_default_of_a_delta_is_0_or_1e_5():
    wrong = {name: value for name, value in defaults() if value not in DEFAULTS}
    assert wrong == {}


@pytest.mark.parametrize(
    ("learner", "default"), learners(), ids=lambda value: getattr(value, "__name__", "")
)
def test_the_default_is_0_exactly_where_a_fit_can_be_pure(learner, default):
    rng = np.random.default_rng(0)
    X = rng.uniform(-0.5, 0.5, size=(4000, 3))
    y = X[:, 0] if hasattr(learner, "target_bounds") else X[:, 0] > X[:, 1]
    asked = inspect.signature(learner).parameters
    public = {name: value for name, value in PUBLIC.items() if name in asked}
    if default == 0:
        assert learner(1.0, **public).fit(X, y, rng=0).privacy_.delta == 0
        return
    with pytest.raises(ValueError, match="delta must be"):
        learner(epsilon=1.0, delta=0.0, **public).fit(X, y, rng=0)


@pytest.mark.parametrize("learner", [learner for learner, _ in learners()])
def test_the_repr_shows_the_delta_of_a_default(learner):
    assert f"delta={learner().delta!r}" in repr(learner())


def test_there_are_learners_of_both_kinds():
    assert {default for _, default in learners()} == set(DEFAULTS)
