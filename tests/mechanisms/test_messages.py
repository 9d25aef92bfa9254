"""No message of a mechanism shows the private value, and numpy does not tell of it by a warning."""

import importlib
import inspect
import pkgutil
import warnings

import numpy as np
import pytest

import privml
from privml import Mechanism, learnability, mechanisms, pate
from privml.learners import centred_rows, unit_rows

VOTES = {"epsilon": 1.0, "delta": 1e-6, "n_queries": 5}
COIN = learnability.LearningProblem([[0.0, 1.0], [1.0, 0.0]])
MECHANISMS = [
    mechanisms.DiscreteGaussianMechanism(epsilon=1.0, delta=1e-6, sensitivity=1),
    mechanisms.DiscreteLaplaceMechanism(epsilon=1.0, sensitivity=1),
    mechanisms.DistanceToInstability(epsilon=1.0, delta=1e-6, n_answers=2),
    mechanisms.ExponentialMechanism(epsilon=1.0, sensitivity=1.0),
    mechanisms.FactorisationMechanism(
        workload=np.tri(4), strategy=np.eye(4), epsilon=1.0
    ),
    mechanisms.GaussianMechanism(epsilon=1.0, delta=1e-6, sensitivity=1.0),
    mechanisms.LaplaceMechanism(epsilon=1.0, sensitivity=1.0),
    mechanisms.MWEM(epsilon=1.0, n_rounds=2, queries=np.eye(4, dtype=bool)),
    mechanisms.PermuteAndFlip(epsilon=1.0, sensitivity=1.0),
    mechanisms.RandomisedResponse(1.0),
    mechanisms.RestartingSparseVector(epsilon=1.0, delta=1e-6, cutoff=2, sensitivity=1),
    mechanisms.SparseVector(epsilon=1.0, cutoff=2, sensitivity=1),
    mechanisms.UnaryEncoding(1.0),
    learnability.optimal_learner(COIN, 2, 1.0),
    pate.ConfidentAggregator(**VOTES, n_answers=2, threshold=3.0, check_share=0.5),
    pate.GaussianAggregator(**VOTES),
    pate.NoisyMaxAggregator(**VOTES),
    pate.SparseVectorAggregator(**VOTES, cutoff=3),
]
HUGE = np.array([77.25], dtype=np.longdouble) * np.longdouble("1e4000")
VALUES = [
    *(
        1e308,
        -1e308,
        np.nan,
        np.inf,
        77j,
        77.25,
        -77,
        10**400,
        "secret77",
        None,
        {"secret77": 1},
        HUGE,
    ),
    *(
        [77.25, 3],
        [0, 1, 1, 0, 77],
        [1e308, 1e308],
        [np.nan, 77.0],
        [1e308, -1e308, np.inf],
    ),
    *(
        [[0, 77]],
        [[0, 77], [0]],
        (77, 1),
        (0, -77),
        (0, 77.5),
        np.array(["secret77"]),
        np.array([77.25 + 1j]),
    ),
]
TRACES = ("77", "e+308", "nan", "inf", "secret", "index")


def refusals(mechanism):
    """What the mechanism says to all values; numpy raises nothing of its own."""
    for value in VALUES:
        for call in (mechanism.release, mechanism.output_distribution):
            with warnings.catch_warnings(), np.errstate(all="raise"):
                warnings.simplefilter("error")
                try:
                    call(value)
                except ValueError as refusal:
                    yield refusal


@pytest.mark.parametrize(
    "mechanism", MECHANISMS, ids=lambda mechanism: type(mechanism).__name__
)
def test_no_message_shows_the_value(mechanism):
    found = list(refusals(mechanism))
    takes_all = isinstance(mechanism, mechanisms.RandomisedResponse)
    assert len(found) >= (8 if takes_all else 20)
    assert [
        refusal for refusal in found if any(trace in str(refusal) for trace in TRACES)
    ] == []
    assert all(
        refusal.__context__ is None or refusal.__suppress_context__ for refusal in found
    )


def concrete(kind):
    """The classes below one that can be made."""
    for below in kind.__subclasses__():
        yield from [] if inspect.isabstract(below) else [below]
        yield from concrete(below)


def test_each_mechanism_of_the_package_has_a_row():
    for module in pkgutil.walk_packages(privml.__path__, "privml."):
        importlib.import_module(module.name)
    ours = {
        kind for kind in concrete(Mechanism) if kind.__module__.startswith("privml.")
    }
    assert {*map(type, MECHANISMS)} == ours


CURVES = [mechanism for mechanism in MECHANISMS if hasattr(mechanism, "privacy_curve")]


@pytest.mark.parametrize(
    "mechanism", CURVES, ids=lambda mechanism: type(mechanism).__name__
)
def test_a_privacy_curve_is_that_of_the_laws_of_two_neighbours(mechanism):
    here, there = mechanism.output_distribution(0), mechanism.output_distribution(1)
    whole = hasattr(here, "logpmf")
    places = np.arange(-200, 202) if whole else np.linspace(-60.0, 61.0, 1_210_001)
    p, q = (
        np.exp((law.logpmf if whole else law.logpdf)(places)) for law in (here, there)
    )
    for epsilon in (0.0, 0.3, 0.9):
        delta = np.maximum(p - np.exp(epsilon) * q, 0).sum() * (places[1] - places[0])
        assert mechanism.privacy_curve(epsilon) == pytest.approx(delta, rel=1e-4)


def test_what_takes_a_private_value_says_there_that_a_refusal_tells_of_it():
    kinds = [*map(type, MECHANISMS), *(getattr(pate, name) for name in dir(pate))]
    kinds = [
        kind
        for kind in filter(inspect.isclass, kinds)
        if issubclass(kind, Mechanism | pate.VoteStream)
    ]
    names = "release", "run", "answers", "answer", "answer_counts"
    methods = {
        getattr(kind, name) for kind in kinds for name in names if hasattr(kind, name)
    }
    silent = {
        each.__qualname__
        for each in methods
        if "refusal tells of" not in inspect.getdoc(each)
    }
    # These take any record.
    assert silent == {"RandomisedResponse.release", "UnaryEncoding.release"}
    assert len(methods) > 9


@pytest.mark.parametrize(
    "entry",
    [1e308, -1e308, np.nan, np.inf, -np.inf, 5e-324, 77j, 10**400, HUGE[0], "a"],
)
def test_rows_are_made_of_any_entries_without_a_warning(entry):
    tables = [np.array([[0.5, entry]], dtype=object), [[0.5, entry]]]
    if isinstance(entry, float | np.longdouble):
        tables += [np.array([[0.5, entry]])]
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        for table in tables:
            rows = unit_rows(table)
            with np.errstate(under="ignore"):  # of the norm that the test computes
                assert np.linalg.norm(rows) <= 1 + 1e-15
            for ranges in (
                (0.0, 1.0),
                (-1e308, 1.7e308),
                (0.0, 1e-320),
                ([0.0, -1.0], [1e-3, 1e300]),
            ):
                assert np.linalg.norm(centred_rows(table, *ranges)) <= 1 + 1e-15
                assert np.abs(centred_rows(table, *ranges, unit=False)).max() <= 1


def test_ranges_whose_width_no_float_holds_are_refused():
    with pytest.raises(ValueError, match="ranges must be finite with lower < upper"):
        centred_rows([[0.0]], 0.0, 5e-324)
