"""What the docstring of a public mechanism, bound or learner must hold beside its parameters."""

import ast
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest
from numpydoc.docscrape import NumpyDocString

from book.tools import inventory
from privml.mechanisms import Mechanism

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("privml.bounds", "privml.composition", "privml.learners", "privml.mechanisms")


def module_names(package):
    """All modules of a package that hold more than what its other files share."""
    found = pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}.")
    return [module.name for module in found if not module.name.endswith(".base")]


def promises(thing):
    """Whether something is a mechanism or a learner, so that its docstring must say what is private."""
    return inspect.isclass(thing) and (issubclass(thing, Mechanism) or hasattr(thing, "fit"))


def subjects():
    """Every function, mechanism and learner of these packages that is in reach from one of them."""
    offered = {label for package in PACKAGES for label in dir(importlib.import_module(package))}
    for package in PACKAGES:
        for name in module_names(package):
            for label, thing in vars(importlib.import_module(name)).items():
                is_ours = getattr(thing, "__module__", None) == name and label in offered
                if is_ours and (inspect.isfunction(thing) or promises(thing)):
                    yield thing


def faults(thing, *, promises):
    """What the docstring of one function or class lacks, as sentences."""
    text = inspect.getdoc(thing) or ""
    parsed = NumpyDocString(text)
    summary = " ".join(parsed["Summary"])
    found = []
    if not (summary.endswith(".") and len(parsed["Summary"]) == 1):
        found.append(f"the summary must be one sentence on one line, got {summary!r}")
    if not re.search(r"\*\*Source\.\*\*\s+\w", text):
        found.append("no **Source.**")
    if promises and not re.search(r"\*\*Privacy\.\*\*\s+\w", text):
        found.append("no **Privacy.**")
    if ">>> " not in text:
        found.append("no example that runs")
    return found


@pytest.mark.parametrize("thing", list(subjects()), ids=lambda thing: f"{thing.__module__}.{thing.__name__}")
def test_a_public_mechanism_bound_or_learner_is_documented(thing):
    assert faults(thing, promises=promises(thing)) == []


def test_there_is_something_of_each_kind_to_look_at():
    assert {".".join(thing.__module__.split(".")[:2]) for thing in subjects()} == set(PACKAGES)


def test_every_module_begins_with_a_docstring():
    files = sorted((ROOT / "privml").rglob("*.py"))
    assert [file for file in files if not ast.get_docstring(ast.parse(file.read_text()))] == []


def test_a_source_that_names_an_item_names_one_that_exists():
    assert set(inventory.symbols(ROOT)) - {item["id"] for item in inventory.items(ROOT)} == set()


def sound(epsilon, *, share=0.5):
    """Return a number.

    **Returns.** The given number.
    **Source.** L4-def-pac.

    Parameters
    ----------
    share : float
        In (0, 1).

    Examples
    --------
    >>> sound(1.0)
    1.0
    """
    if epsilon <= 0:
        raise ValueError
    return epsilon * (share / share)


def test_a_sound_docstring_has_no_fault():
    assert faults(sound, promises=False) == []
    assert faults(sound, promises=True) == ["no **Privacy.**"]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("Return a number.", "Return a number", "the summary must be one sentence"),
        ("**Source.** L4-def-pac.", "Known to all.", "no **Source.**"),
        (">>> sound(1.0)", "sound(1.0)", "no example that runs"),
    ],
)
def test_a_fault_of_a_docstring_is_seen(monkeypatch, old, new, fault):
    assert old in sound.__doc__
    monkeypatch.setattr(sound, "__doc__", sound.__doc__.replace(old, new))
    assert any(found.startswith(fault) for found in faults(sound, promises=False))
