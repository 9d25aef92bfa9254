"""Every bound at random ordinary, extreme and senseless parameters: a number in under a second, or a refusal
that names the parameter, the rule and the value."""

import importlib
import inspect
import math
import pkgutil
import random
import signal
import warnings

import pytest

from privml import bounds

N_CALLS = 60
SECONDS = 1.0  # of the processor
FLOATS = [
    1e-300,
    1e-20,
    1e-6,
    0.1,
    0.25,
    0.5,
    1.0,
    1 - 1e-12,
    3.0,
    50.0,
    1e4,
    1e20,
    1e300,
]
INTEGERS = [1, 2, 3, 10, 1000, 10**5, 10**6, 10**9, 10**20]
SENSELESS = [0, -1, 2.5, math.nan, math.inf, "0.5", None, True]


def public_bounds():
    for module in pkgutil.walk_packages(bounds.__path__, "privml.bounds."):
        for name, function in vars(importlib.import_module(module.name)).items():
            if (
                name[0] != "_"
                and inspect.isfunction(function)
                and function.__module__ == module.name
            ):
                yield pytest.param(function, id=name)


def drawn(parameter, rng):
    """A value for a parameter: its default, something that its type allows, or nonsense; None if unknown."""
    kind, default = str(parameter.annotation), parameter.default
    if default is not inspect.Parameter.empty and (rng.random() < 0.6 or "str" in kind):
        return (default,)
    if "bool" in kind:
        return (rng.choice([True, False, "yes"]),)
    allowed = FLOATS if "float" in kind else INTEGERS if "int" in kind else None
    if (
        allowed is None
        or "Callable" in kind
        or parameter.kind is inspect.Parameter.VAR_KEYWORD
    ):
        return None
    return (rng.choice(SENSELESS if rng.random() < 0.1 else allowed),)


def _late(*_):
    raise TimeoutError


@pytest.mark.parametrize("function", list(public_bounds()))
def test_a_bound_is_a_number_or_a_refusal_with_name_rule_and_value(function):
    rng = random.Random(function.__name__)
    parameters = inspect.signature(function).parameters
    previous = signal.signal(signal.SIGPROF, _late)
    for _ in range(N_CALLS):
        values = {name: drawn(parameter, rng) for name, parameter in parameters.items()}
        if None in values.values():
            break
        call = {name: value[0] for name, value in values.items()}
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                result = function(**call)
        except Exception as error:
            if not (
                isinstance(error, ValueError)
                and " must " in str(error)
                and ", but " in str(error)
            ):
                raise AssertionError(
                    f"{function.__name__}({call}) raised {error!r}"
                ) from error
        else:
            assert not any(
                value in ("0.5", "yes")
                for value in call.values()
                if isinstance(value, str)
            ), call
            assert not (isinstance(result, float) and math.isnan(result)), call
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGPROF, previous)
