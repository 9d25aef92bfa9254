"""Numbers of numpy become Python's on entry: what narrow ones printed before, witness by witness.

The claims suite goes through all public names with all types (``tests/claims/test_scalars.py``).
"""

import importlib
import inspect
import pickle
import pkgutil

import numpy as np
import pytest
from sklearn.base import clone

import privml
from privml import _check as check
from privml.bounds import pate as bounds
from privml.composition import (
    basic_composition,
    concentrated_composition,
    optimal_composition,
)
from privml.guarantee import ConcentratedGuarantee, Guarantee
from privml.learners import ExponentialPACLearner, PrivateBestSubset
from privml.learners.experts import round_guarantee
from privml.learners.statistical_queries import PrivateSQOracle
from privml.mechanisms import RestartingSparseVector, SparseVector
from privml.pate import ConfidentAggregator, NoisyMaxAggregator

u8 = np.uint8


def test_promises_of_narrow_numbers_add_and_multiply_as_numbers():
    assert basic_composition(Guarantee(u8(200)), Guarantee(u8(100))).epsilon == 300
    assert Guarantee(np.int8(100)).for_group(3).epsilon == 300
    assert Guarantee(u8(100)).for_group(u8(200)).epsilon == 20_000
    assert ConcentratedGuarantee(3).for_group(np.int64(10**10)).rho == 3e20
    assert ConcentratedGuarantee(3).for_group(10**10).rho == 3e20
    many = basic_composition(*[Guarantee(np.float32(0.1))] * 100_000)
    assert many.epsilon >= 100_000 * float(np.float32(0.1)) * (1 - 1e-12)
    rho = concentrated_composition(
        ConcentratedGuarantee(u8(200)), ConcentratedGuarantee(u8(100))
    )
    assert rho.rho == 300
    assert optimal_composition(Guarantee(u8(3)), 100, 1e-5) == optimal_composition(
        Guarantee(3), 100, 1e-5
    )
    assert round_guarantee(u8(200)) == round_guarantee(200)


def test_fields_and_hyperparameters_hold_numbers_of_python():
    promise = Guarantee(np.float32(0.5), np.float64(1e-6), group_size=np.int64(2))
    numbers = promise.epsilon, promise.delta, promise.group_size
    assert [type(number) for number in numbers] == [float, float, int]
    learner = ExponentialPACLearner(epsilon=u8(3))
    assert type(learner.epsilon) is int
    assert type(learner.set_params(epsilon=np.float16(0.5)).epsilon) is float
    learner.epsilon = np.int8(2)
    assert type(learner.epsilon) is int
    assert clone(PrivateBestSubset(u8(3), bounds=(u8(0), u8(200)))).bounds == (0, 200)


def test_tracebacks_leave_wrappers_out():
    with pytest.raises(ValueError) as raised:
        SparseVector(epsilon=1.0, cutoff=1, sensitivity=1).release(["a"])
    wrappers = [
        entry.frame.f_locals
        for entry in raised.traceback
        if entry.path.name == "_wrapping.py"
    ]
    assert {"__tracebackhide__" in names for names in wrappers} == {True}


@pytest.mark.parametrize("number", [u8(3), np.int8(3), np.float32(3), np.longdouble(3)])
def test_a_narrow_epsilon_of_best_subset_is_that_epsilon(number):
    rows, y = np.eye(4), np.array([0.0, 1.0, 0.0, 1.0])
    fits = [
        PrivateBestSubset(epsilon, bounds="unit").fit(rows, y, rng=0)
        for epsilon in (number, 3)
    ]
    assert fits[0].privacy_.epsilon == fits[1].privacy_.epsilon == 3
    assert np.array_equal(fits[0].coef_, fits[1].coef_)


def test_sparse_vectors_with_a_narrow_cutoff_have_the_noise_of_that_cutoff():
    for made in (
        lambda number: SparseVector(epsilon=1.0, cutoff=number(200), sensitivity=1),
        lambda number: RestartingSparseVector(
            epsilon=number(3), delta=0.3, cutoff=number(9), sensitivity=1
        ),
    ):
        assert repr(made(u8)) == repr(made(int))
        assert made(u8).guarantee == made(int).guarantee
        assert made(u8).noise == made(int).noise


def test_votes_with_narrow_numbers_of_queries_have_the_noise_of_those_numbers():
    options = {"n_classes": 3, "epsilon": 1.0, "delta": 1e-6}
    narrow, plain = (
        NoisyMaxAggregator(n_queries=kind(200), **options) for kind in (u8, int)
    )
    assert narrow.scale == plain.scale
    options |= {"n_queries": 300, "threshold": 10, "check_share": 0.2}
    narrow, plain = (
        ConfidentAggregator(n_answers=kind(200), **options) for kind in (u8, int)
    )
    assert narrow.sigma == plain.sigma


def test_a_narrow_number_of_queries_does_not_wrap_around_a_budget():
    oracle = PrivateSQOracle(
        np.zeros((10, 1)), np.zeros(10, dtype=bool), epsilon=1.0, n_queries=100, rng=0
    )
    oracle.answers(lambda X, y: np.zeros((len(X), 100)), np.int8(100))
    with pytest.raises(ValueError, match="n_queries must be at least 200"):
        oracle.answers(lambda X, y: np.zeros((len(X), 100)), np.int8(100))


def modules():
    """All modules of the package with public functions of parameters, or classes."""
    for module in pkgutil.walk_packages(privml.__path__, "privml."):
        if "._" not in module.name and module.name.split(".")[1] not in (
            "figures",
            "notebook",
            "results",
        ):
            yield importlib.import_module(module.name)


def test_every_module_has_its_doors():
    """A public function or constructor that numbers of numpy reach as they are."""
    open_ = []
    for module in modules():
        for name, thing in vars(module).items():
            if getattr(thing, "__module__", None) != module.__name__ or name.startswith(
                "_"
            ):
                continue
            function = vars(thing).get("__init__") if inspect.isclass(thing) else thing
            if inspect.isfunction(function) and inspect.signature(function).parameters:
                open_ += (
                    []
                    if hasattr(function, "__wrapped__")
                    else [f"{module.__name__}.{name}"]
                )
    assert open_ == []


def test_what_is_no_number_of_numpy_passes_the_door_as_it_is():
    values = [
        1,
        0.5,
        True,
        None,
        "a",
        np.str_("a"),
        np.zeros(2),
        np.datetime64("2020-01-01"),
        (1, 2),
    ]
    assert all(check.plain(value) is value for value in values)
    assert check.plain((u8(200), ("a", np.True_))) == (200, ("a", True))
    assert type(check.plain(np.longdouble(1) / 3)) is float
    assert bounds.source_sigma(u8(200), 1.0, 1e-6) == bounds.source_sigma(
        200, 1.0, 1e-6
    )


def test_behind_its_door_a_function_keeps_its_source_its_signature_and_its_name():
    """As the book shows them; pickles find them by name."""
    for thing in (bounds.source_sigma, Guarantee.for_group):
        assert inspect.getsource(thing).lstrip().startswith(f"def {thing.__name__}(")
        assert "args" not in inspect.signature(thing).parameters
        assert pickle.loads(pickle.dumps(thing)) is thing
