"""What the docstring of a public mechanism, bound or learner must hold beside its parameters."""

import ast
import doctest
import importlib
import inspect
import pkgutil
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from numpydoc.docscrape import NumpyDocString

from book.tools import inventory
from privml.mechanisms import Mechanism

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = (
    "privml.bounds",
    "privml.composition",
    "privml.learners",
    "privml.mechanisms",
)


def module_names(package):
    """All modules of a package that hold more than what its other files share."""
    found = pkgutil.walk_packages(
        importlib.import_module(package).__path__, f"{package}."
    )
    return [module.name for module in found if not module.name.endswith(".base")]


def promises(thing):
    """Whether something is a mechanism or a learner, so that its docstring must say what is private."""
    return inspect.isclass(thing) and (
        issubclass(thing, Mechanism) or hasattr(thing, "fit")
    )


def subjects():
    """Every function, mechanism and learner of these packages that is in reach from one of them."""
    offered = {
        label for package in PACKAGES for label in dir(importlib.import_module(package))
    }
    for package in PACKAGES:
        for name in module_names(package):
            for label, thing in vars(importlib.import_module(name)).items():
                is_ours = (
                    getattr(thing, "__module__", None) == name and label in offered
                )
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
    if not parsed["References"]:
        found.append("no references")
    if promises and not re.search(r"\*Privacy\.\*\s+\w", text):
        found.append("no note on privacy")
    if ">>> " not in text:
        found.append("no example that runs")
    return found


@pytest.mark.parametrize(
    "thing", list(subjects()), ids=lambda thing: f"{thing.__module__}.{thing.__name__}"
)
def test_a_public_mechanism_bound_or_learner_is_documented(thing):
    assert faults(thing, promises=promises(thing)) == []


def test_there_is_something_of_each_kind_to_look_at():
    assert {".".join(thing.__module__.split(".")[:2]) for thing in subjects()} == set(
        PACKAGES
    )


def test_every_module_begins_with_a_docstring():
    files = sorted((ROOT / "privml").rglob("*.py"))
    assert [
        file for file in files if not ast.get_docstring(ast.parse(file.read_text()))
    ] == []


def test_a_source_that_names_an_item_names_one_that_exists():
    assert (
        set(inventory.symbols(ROOT)) - {item["id"] for item in inventory.items(ROOT)}
        == set()
    )


def sound(epsilon, *, share=0.5):
    """Return a number.

    Parameters
    ----------
    share : float
        In (0, 1).

    Returns
    -------
    float
        The given number.

    References
    ----------
    L4-def-pac.

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
    assert faults(sound, promises=True) == ["no note on privacy"]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("Return a number.", "Return a number", "the summary must be one sentence"),
        ("    References\n    ----------\n    L4-def-pac.\n", "", "no references"),
        (">>> sound(1.0)", "sound(1.0)", "no example that runs"),
    ],
)
def test_a_fault_of_a_docstring_is_seen(monkeypatch, old, new, fault):
    assert old in sound.__doc__
    monkeypatch.setattr(sound, "__doc__", sound.__doc__.replace(old, new))
    assert any(found.startswith(fault) for found in faults(sound, promises=False))


SAFE = {  # where an example rounds: what is enough up, what is allowed down
    "up": "calibrate_noise_scale mechanisms.gaussian_sigma mechanisms.GaussianMechanism divergences.gaussian_mu "
    "mechanisms.DiscreteGaussianMechanism mechanisms.RestartingSparseVector bounds.pate.source_sigma "
    "pate.vote_sigma pate.ConfidentAggregator pate.noisy_counts pate.sparse_vector.vote_threshold "
    "learners.perturbation.sampled_gaussian_mu learners.perturbation.minimisers.tilted_gaussian_mu "
    "composition.optimal_epsilon composition.optimal_delta composition.advanced_epsilon "
    "composition.laplace_loss composition.finite_loss composition.amplified_epsilon "
    "composition.amplified_epsilon_wlf16 composition.root_subsample_epsilon_wlf16 "
    "composition.nonadaptive_range_epsilon composition.nonadaptive_range_delta "
    "guarantee.concentrated_epsilon guarantee.concentrated_delta guarantee.pure_rho guarantee.laplace_rho "
    "guarantee.bounded_range_rho bounds.required_epsilon bounds.regret_bound bounds.private_regret_bound "
    "bounds.private_pac_excess_error bounds.private_sq_accuracy bounds.stable_answer_radius "
    "learnability.generalisation_deviation audit.sampling.clopper_pearson audit.exact "
    "composition.amplified_wlf16 bounds.representation_excess_risk bounds.finite_erm_error "
    "bounds.uniform_convergence_radius bounds.uniform_convergence_failure bounds.agnostic_erm_excess_error "
    "bounds.regret_deviation bounds.azuma_deviation bounds.best_regret_bound bounds.laplace_max_error "
    "bounds.laplace_max_quantile bounds.gaussian_max_quantile bounds.restarting_margin "
    "bounds.students.active_slack bounds.students.active_excess_error bounds.private_erm_gap "
    "bounds.exponential_utility_gap bounds.selection_gap bounds.boosted_excess_risk bounds.sq_accuracy "
    "bounds.concentrated_sq_accuracy bounds.hoeffding_tail bounds.measure_ratio_tail "
    "bounds.penalised_erm_utility_gap bounds.penalised_erm_excess_risk bounds.uniform_bernstein_upper "
    "learnability.generalisation_tail learnability.expected_gap_from_privacy "
    "learnability.stability_from_privacy",
    "down": "composition.optimal_step_epsilon composition.nonadaptive_range_step_epsilon "
    "composition.concentrated_step_epsilon guarantee.concentrated_rho bounds.private_eta_dr11 "
    "bounds.most_epsilon_closed bounds.linear_learning_rate learners.linear.linear_eta "
    "learners.statistical_queries.private.laplace_epsilon learnability.thresholds_excess_risk",
}


@pytest.mark.parametrize(
    ("side", "name"), [(side, name) for side in SAFE for name in SAFE[side].split()]
)
def test_an_example_is_rounded_to_the_side_that_keeps_the_promise(side, name):
    """Noise of 1.4153 was shown as 1.4: a reader who takes 1.4 has an epsilon above the one asked for."""
    module, _, label = f"privml.{name}".rpartition(".")
    thing, seen = getattr(importlib.import_module(module), label), []

    def watched(number, digits=None):
        seen.append((float(number), round(number, digits)))
        return seen[-1][1]

    scope = {**vars(sys.modules[thing.__module__]), "np": np, "round": watched}
    for example in doctest.DocTestParser().get_examples(inspect.getdoc(thing)):
        exec(compile(example.source, name, "single"), scope)
    assert seen
    assert [
        pair
        for pair in seen
        if (pair[1] < pair[0] if side == "up" else pair[1] > pair[0])
    ] == []
