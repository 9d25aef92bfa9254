"""Whatever a public callable is given, it answers or raises a ValueError of its own, and at once.

The calls are those of the examples in the docstrings, caught while they run; then one argument at a time is
replaced by what a careless caller may send.  A public function or class without such a call is a failure.
"""

import doctest
import importlib
import inspect
import math
import pkgutil
import signal
import sys
import time
import traceback
import warnings
from copy import deepcopy
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from sklearn.base import BaseEstimator

import privml

PAGES = ("figures", "notebook", "datasets", "results")
"""Rooms of the pages: what they hold is called from there, or reads files."""

SECONDS = 1.0
"""Longest that a call may take beyond twice its example, of the processor's time and not of the clock's."""

NUMBERS = (math.nan, math.inf, -math.inf, 0, -1, 0.5, 10**20, 1e-300, 1e300, Fraction(1, 2), True)
STRANGERS = (None, "a", [1.0, math.nan], {}, 1j, object())
FEW = (math.nan, -1, 10**20, 1e300, None, "a")
"""For callables whose example takes a while."""

SLOW = 0.03

SIMPLE = (int, float, str, list, tuple, np.ndarray, np.generic)

NO_NUMBERS = (math.nan, math.inf, True, "a", None)
NUMBER, COUNT, SHARE = (-1.0, *NO_NUMBERS), (0, -1, 0.5, *NO_NUMBERS), (-0.1, 1.5, *NO_NUMBERS)
NAMES = [
    (
        NUMBER,
        (
            "epsilon alpha rho eta mu sensitivity rate t target step_epsilon slope noise_scale tolerance "
            "penalty regulariser_width strength constant epsilon_select distance"
        ),
    ),
    ((0, *NUMBER), "scale sigma interval resolution norm variance radius loss_range"),
    (
        COUNT,
        (
            "n_samples n_queries n_rounds n_experts n_hypotheses n_teachers n_points n_outcomes n_features "
            "n_classes n_candidates n_steps n_draws n_values n_votes n_trials n_coordinates n_cuts "
            "n_datasets n_records n_answers n_optimal n_validation n_public subsample_size vc_dimension "
            "k cutoff group_size dimension cells"
        ),
    ),
    (SHARE, "delta sampling_rate best_error error_rate probability xi tau share"),
    ((0, 1, *SHARE), "beta confidence"),
    (("a", 2, None), "two_sided fit_intercept monotone adaptive ordered signed"),
    (
        ("a", 1.0),
        (
            "conversion method form rule misread validation partition variant algorithm setting deviation "
            "tie_break noise calibration split side"
        ),
    ),
    (([0.5, math.nan], "a", None), "probabilities weights counts ranges values"),
    (("a", 1), "adjacency"),
    ((-1.0, math.nan, "a", None), "order"),
    (("a", None), "location"),
    (("a", math.nan, None), "threshold"),
]
REFUSED = {name: values for values, names in NAMES for name in names.split()}
"""What an argument of a name must refuse, by that name, whatever function or learner it is of."""

# results; refusals by another's name; a wider range, or lazy; and what no check looks at when it is not used
OWN_MEANING = """
    audit.ExactAudit.adjacency audit.ExactAudit.epsilon audit.ExactAudit.n_datasets
    pate.counts.NoisyCounts.counts pate.counts.NoisyCounts.n_teachers pate.counts.NoisyCounts.sigma
    bounds.experts.linear_excess_risk.n_features bounds.experts.linear_excess_risk.n_samples
    bounds.experts.regret_deviation.n_rounds bounds.pate.gaussian_pate_bound.n_public
    bounds.private_pac.private_erm_gap.n_hypotheses learners.linear.linear_eta.n_samples
    learners.penalised_erm.laws.ExponentialERM.sensitivity
    learners.statistical_queries.oracles.query_values.n_answers
    bounds.fast_rates.NoiseCondition.vc_dimension bounds.tails.log_sauer_shelah.vc_dimension
    bounds.tails.sauer_shelah.vc_dimension bounds.pate.pate_rate.n_public bounds.pate.pate_rate.n_samples
    bounds.pate.pate_rate.vc_dimension divergences.finite.PrivacyCurve.delta.epsilon
    divergences.finite.PrivacyCurve.epsilon.delta divergences.finite.PrivacyCurve.log_delta.epsilon
    divergences.finite.hockey_stick.epsilon learnability.stability.posterior_mean.epsilon
    learners.experts.runs.RunCurves.epsilon.delta learners.representation.greedy_cover.radius
    learners.statistical_queries.oracles.AdversarialOracle.rule
    mechanisms.transcript_law.transcripts.n_queries pac.mistake_count_distribution.n_samples
    pac.samples.n_samples pate.active.disagreement_coefficient.radius
    pate.teachers.independent_parts.n_samples pate.votes.erm_law.n_samples pate.votes.high_margin_mass.xi
    learners.statistical_queries.learners.LinearSQLearner.query.weights
    adjacency.neighbouring_datasets.ordered bounds.experts.private_regret_bound.deviation
    hypotheses.cube.Conjunctions.monotone learners.statistical_queries.learners.ConjunctionSQLearner.monotone
    learners.experts.privacy.run_guarantee.adaptive learners.representation.RandomStumps.n_cuts
    bounds.private_pac.boosted_excess_risk.epsilon bounds.private_pac.selection_gap.epsilon
    divergences.integers.discrete_laplace_delta.epsilon divergences.noise.gaussian_delta.epsilon
    divergences.noise.gaussian_delta.mu divergences.noise.gaussian_log_delta.epsilon
    divergences.noise.gaussian_log_delta.mu divergences.noise.laplace_delta.epsilon
    learnability.impossibility.packing_excess_risk.n_datasets populations.line.TsybakovLine.scale
    populations.line.TsybakovLine.tau pate.counts.noisy_counts.adjacency
    pate.sparse_vector.vote_threshold.n_queries
"""

WITHOUT = frozenset({"adjacency.Adjacency", "distributions.noise.joint"})
"""A list of members, and one that examples of another room call."""


class TooSlow(BaseException):
    """Not an Exception, so that no handler of the library catches it."""


def modules(room):
    """All modules of one room, a module or a package at the top."""
    package = importlib.import_module(f"privml.{room}")
    below = pkgutil.walk_packages(getattr(package, "__path__", []), f"privml.{room}.")
    return [package, *(importlib.import_module(module.name) for module in below)]


def rooms():
    names = [module.name for module in pkgutil.iter_modules(privml.__path__)]
    return [name for name in names if name not in PAGES and not name.startswith("_")]


def is_public(module, name, thing):
    """Whether it is defined here and exported, where the room says what it exports."""
    if name.startswith("_") or getattr(thing, "__module__", None) != module.__name__:
        return False
    room = module.__name__.rpartition(".")[0]
    home = module if room == "privml" or hasattr(module, "__all__") else sys.modules[room]
    return name in getattr(home, "__all__", [name]) or hasattr(privml, name)


def callables(room):
    """Label and function of each public function, constructor and method of a room."""
    for module in modules(room):
        for name, thing in vars(module).items():
            label = f"{module.__name__.removeprefix('privml.')}.{name}"
            if not is_public(module, name, thing):
                continue
            if inspect.isfunction(thing):
                yield label, thing
            elif inspect.isclass(thing) and not inspect.isabstract(thing):
                for method, body in {"": vars(thing).get("__init__"), **vars(thing)}.items():
                    body = getattr(body, "__func__", body)
                    if not method.startswith("_") and inspect.isfunction(body):
                        yield f"{label}.{method}".rstrip("."), body


def is_method(label, function):
    """Whether it is a method; those of a class without an example of their own need none."""
    return function.__name__ != "__init__" and label.split(".")[-2][0].isupper()


@cache
def arguments_of_examples(room):
    """Arguments of the first call of each public function while the examples of a room run."""
    subjects = dict(callables(room))
    labels = {id(inspect.unwrap(function).__code__): label for label, function in subjects.items()}
    calls = {}

    def watch(frame, event, _):
        if event == "call" and id(frame.f_code) in labels:
            label = labels[id(frame.f_code)]
            if label not in calls:
                calls[label] = {name: own(value) for name, value in frame.f_locals.items()}

    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for module in modules(room):
        for example in doctest.DocTestFinder(exclude_empty=True).find(module):
            sys.setprofile(watch)
            try:
                runner.run(example, out=lambda _: None, clear_globs=False)
            finally:
                sys.setprofile(None)
    return calls


def own(value):
    """A copy of what a call may change, where there can be one."""
    try:
        return deepcopy(value)
    except TypeError:
        return value


def passed(function, arguments):
    """Positional and named arguments of a call: copies of what a method may change."""
    positional, named = [], {}
    for name, parameter in inspect.signature(function).parameters.items():
        value = own(arguments[name])
        if parameter.kind == parameter.VAR_POSITIONAL:
            positional.extend(value)
        elif parameter.kind == parameter.VAR_KEYWORD:
            named.update(value)
        elif parameter.kind == parameter.KEYWORD_ONLY:
            named[name] = value
        else:
            positional.append(value)
    return positional, named


def called(function, arguments, seconds):
    """Call within a time."""
    return timed(function, *passed(function, arguments), seconds)


def timed(function, positional, named, seconds):
    """Call within a time of the processor."""

    def stop(*_):
        raise TooSlow

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return function(*positional, **named)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def fault(function, arguments, seconds):
    """What is wrong with a call, or None."""
    try:
        answer = called(function, arguments, seconds)
    except ValueError as refusal:
        where = traceback.extract_tb(refusal.__traceback__)[-1].filename
        return None if "privml" in where or "sklearn" in where else f"another library's message: {refusal}"
    except TooSlow:
        return f"over {seconds:.1f} s"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "NaN" if isinstance(answer, float | np.floating) and math.isnan(answer) else None


def replaceable(function, arguments):
    """Arguments that are numbers, flags, choices or arrays; an object may be replaced by None only."""
    for name, parameter in inspect.signature(function).parameters.items():
        value = arguments[name]
        if name in ("self", "cls", "rng") or parameter.kind in (
            parameter.VAR_POSITIONAL,
            parameter.VAR_KEYWORD,
        ):
            continue
        yield name, value is None or isinstance(value, SIMPLE)


def checks_in_fit(label, function):
    """Whether it is the constructor of an estimator, which stores what it is given."""
    module, _, name = label.rpartition(".")
    return function.__name__ == "__init__" and issubclass(
        vars(sys.modules[f"privml.{module}"])[name], BaseEstimator
    )


def refusals_due(label, function, arguments):
    """Arguments of a call, or parameters of the learner that it fits, which must refuse some values."""
    learner = arguments.get("self")
    fits = label.endswith(".fit") and isinstance(learner, BaseEstimator)
    parameters = inspect.signature(type(learner) if fits else function).parameters.items()
    for name, parameter in () if checks_in_fit(label, function) else parameters:
        for value in REFUSED.get(name, ()):
            may_be_none = parameter.default is None or "None" in str(parameter.annotation)
            if f"{label}.{name}" in OWN_MEANING.split() or value is None and may_be_none:
                continue
            yield name, value, {"self": own(learner).set_params(**{name: value})} if fits else {name: value}


def taken(label, function, arguments):
    """Every value that a call must refuse and takes, or refuses by another name, as a line each."""
    for name, value, given in refusals_due(label, function, arguments):
        try:
            called(function, {**arguments, **given}, SECONDS)
        except ValueError as refusal:
            if name in str(refusal):
                continue
        yield f"{label}: {name} = {value!r}"


def faults(function, arguments):
    """Every fault of one callable, as a line each."""
    start = time.process_time()
    called(function, arguments, 60)
    taken = time.process_time() - start
    values = (*NUMBERS, *STRANGERS) if taken < SLOW else FEW
    found = []
    for name, simple in replaceable(function, arguments):
        for value in values if simple else (None,):
            wrong = fault(function, {**arguments, name: value}, SECONDS + 2 * taken)
            if wrong:
                found.append(f"{name} = {value!r}: {wrong}")
    return found


@pytest.mark.parametrize("room", rooms())
def test_a_bad_argument_is_refused_with_a_message(room):
    subjects = dict(callables(room))
    calls = arguments_of_examples(room)
    found = {}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for label, arguments in calls.items():
            found[label] = faults(subjects[label], arguments)
        for label, function in subjects.items():
            if label not in calls and label not in WITHOUT and not is_method(label, function):
                found[label] = ["no example calls it"]
    lines = [f"{label}: {line}" for label, each in found.items() for line in each]
    assert not lines, "\n" + "\n".join(lines)


@pytest.mark.parametrize("room", rooms())
def test_what_no_argument_of_its_name_can_be_is_refused_by_that_name(room):
    subjects, found = dict(callables(room)), []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for label, arguments in arguments_of_examples(room).items():
            found += taken(label, subjects[label], arguments)
    assert not found, "\n" + "\n".join(found)
