"""What no argument of its name can be is refused by that name, whatever function or learner it is of.

The calls are those of the examples, as in the tests of bad input.
"""

import inspect
import math
import sys
import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator

from privml import _check as check
from privml import bounds, learnability, learners, pate, populations, queries
from privml.hypotheses import Thresholds
from privml.learners.penalised_erm import (
    Ball,
    ExponentialERM,
    PenalisedRisk,
    SquaredLoss,
)
from privml.learners.statistical_queries import AdversarialOracle, SampleOracle
from tests.learners import roster
from tests.refusals import refused
from tests.test_bad_input import (
    SECONDS,
    arguments_of_examples,
    callables,
    called,
    own,
    rooms,
)

NO_NUMBERS = (math.nan, math.inf, True, "a", None)
NUMBER, COUNT, SHARE = (
    (-1.0, *NO_NUMBERS),
    (0, -1, 0.5, *NO_NUMBERS),
    (-0.1, 1.5, *NO_NUMBERS),
)
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
    (([0.5, math.nan], "a", None), "probabilities weights counts values"),
    (("a", 1), "adjacency"),
    ((-1.0, math.nan, "a", None), "order"),
    (("a", None), "location"),
    (("a", math.nan, None), "threshold"),
]
REFUSED = {name: values for values, names in NAMES for name in names.split()}
"""What an argument of a name must refuse, by that name, whatever function or learner it is of."""

# results; refusals by another's name; a wider range, or lazy; and what no check looks at when it is not used
OWN_MEANING = """
    audit.enumeration.ExactAudit.adjacency audit.enumeration.ExactAudit.epsilon
    audit.enumeration.ExactAudit.n_datasets composition.numerical.NumericalLoss.interval
    pate.counts.NoisyCounts.counts pate.counts.NoisyCounts.n_teachers pate.counts.NoisyCounts.sigma
    bounds.experts.linear_excess_risk.n_features bounds.experts.linear_excess_risk.n_samples
    bounds.tails.regret_deviation.n_rounds bounds.pate.gaussian_pate_bound.n_public
    bounds.private_pac.private_erm_gap.n_hypotheses learners.linear.linear_eta.n_samples
    learners.penalised_erm.distributions.ExponentialERM.sensitivity
    learners.statistical_queries.oracles.query_values.n_answers
    bounds.fast_rates.NoiseCondition.vc_dimension bounds.fast_rates.log_sauer_shelah.vc_dimension
    bounds.fast_rates.sauer_shelah.vc_dimension bounds.pate.pate_rate.n_public bounds.pate.pate_rate.n_samples
    bounds.pate.pate_rate.vc_dimension divergences.curve.PrivacyCurve.delta.epsilon
    divergences.curve.PrivacyCurve.epsilon.delta divergences.curve.PrivacyCurve.log_delta.epsilon
    divergences.finite.hockey_stick.epsilon learnability.generalisation.posterior_mean.epsilon
    learners.experts.runs.RunCurves.epsilon.delta learners.representation.greedy_cover.radius
    learners.statistical_queries.oracles.AdversarialOracle.rule
    mechanisms.transcript_distribution.transcripts.n_queries pac.mistake_count_distribution.n_samples
    pac.samples.n_samples pate.active.disagreement_coefficient.radius pate.ensembles.teacher_distribution.n_samples
    pate.teachers.independent_parts.n_samples pate.ensembles.high_margin_mass.xi
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


def checks_in_fit(label, function):
    """Whether it is the constructor of an estimator, which stores what it is given."""
    module, _, name = label.rpartition(".")
    made = getattr(
        sys.modules.get(f"privml.{module}"), name, None
    )  # of a method nothing
    return function.__name__ == "__init__" and issubclass(made, BaseEstimator)


def refusals_due(label, function, arguments):
    """Arguments of a call, or parameters of the learner that it fits, which must refuse some values."""
    learner = arguments.get("self")
    fits = label.endswith(".fit") and isinstance(learner, BaseEstimator)
    parameters = inspect.signature(
        type(learner) if fits else function
    ).parameters.items()
    for name, parameter in () if checks_in_fit(label, function) else parameters:
        for value in REFUSED.get(name, ()):
            may_be_none = parameter.default is None or "None" in str(
                parameter.annotation
            )
            if (
                f"{label}.{name}" in OWN_MEANING.split()
                or value is None
                and may_be_none
            ):
                continue
            yield (
                name,
                value,
                {"self": own(learner).set_params(**{name: value})}
                if fits
                else {name: value},
            )


def taken(label, function, arguments):
    """Every value that a call must refuse and takes, or refuses by another name, as a line each."""
    for name, value, given in refusals_due(label, function, arguments):
        try:
            called(function, {**arguments, **given}, SECONDS)
        except ValueError as refusal:
            if name in str(refusal):
                continue
        yield f"{label}: {name} = {value!r}"


def test_each_name_of_the_tables_is_a_parameter_of_the_package():
    known = dict(each for room in rooms() for each in callables(room))
    signed = {
        (label, name)
        for label, each in known.items()
        for name in inspect.signature(each).parameters
    }
    assert set(REFUSED) - {name for _, name in signed} == set()
    assert set(OWN_MEANING.split()) - {".".join(each) for each in signed} == set()


@pytest.mark.parametrize("room", rooms())
def test_what_no_argument_of_its_name_can_be_is_refused_by_that_name(room):
    subjects, found = dict(callables(room)), []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for label, arguments in arguments_of_examples(room).items():
            found += taken(label, subjects[label], arguments)
    assert not found, "\n" + "\n".join(found)


TWO = np.array([[0.0], [1.0]]), np.array([False, True])
COIN = populations.FinitePopulation(*TWO, [0.5, 0.5])
BUDGET = {"epsilon": 1.0, "delta": 0.01}


test_what_the_tables_above_leave_to_a_callable_is_refused_too = refused(
    (
        lambda: bounds.selection_gap(5, 2, math.nan, beta=0.1),
        "epsilon must be positive",
    ),
    (
        lambda: bounds.boosted_excess_risk(lambda n: -1.0, 99, 1.0, beta=0.1),
        "rate must be non-negative",
    ),
    (lambda: bounds.sauer_shelah(-1, 3), "vc_dimension must be a non-negative integer"),
    (lambda: learnability.packing_excess_risk(0, 1, 1.0), "n_datasets"),
    (lambda: learnability.thresholds_excess_risk(2.5, 3, 1.0), "n_datasets"),
    (lambda: learnability.posterior_mean(0.5, math.nan), "epsilon"),
    (lambda: learners.RandomStumps(n_cuts=0).draw(2), "n_cuts"),
    (lambda: learners.greedy_cover([[0.0]], -1.0), "radius"),
    (
        lambda: queries.empirical_error(
            Thresholds([0.0]), np.empty((0, 1)), np.empty(0, bool)
        ),
        "got 0",
    ),
    (
        lambda: AdversarialOracle(COIN, 0.0).answers(None, 0),
        "n_answers must be a positive",
    ),
    (lambda: SampleOracle(*TWO, mode="split"), "n_queries must be at most 2"),
    (
        lambda: ExponentialERM(
            PenalisedRisk(*TWO, SquaredLoss(), Ball(1)), 1.0, sensitivity="x"
        ),
        "rule must be",
    ),
    (
        lambda: pate.disagreement_coefficient(np.eye(3, dtype=bool), 0, radius=-1),
        "radius",
    ),
    (
        lambda: pate.SparseVectorAggregator(cutoff=3, **BUDGET, calibration="source"),
        "n_queries must be",
    ),
    (lambda: populations.TsybakovLine(tau=math.nan, n_points=4), "tau"),
    (lambda: populations.TsybakovLine(tau=1.5, n_points=4), "tau"),
    (lambda: populations.TsybakovLine(tau=0.5, n_points=4, scale=0), "scale"),
    (lambda: COIN.sample(-1), "n_samples"),
    (lambda: COIN.sample(None), "n_samples"),
    (lambda: COIN.sample(True), "n_samples"),
    (
        lambda: check.finite_vector(x=[-math.inf, 0.0]),
        "finite everywhere, but got -inf at index 0",
    ),
)


@roster.each(roster.LEARNERS)
def test_each_learner_refuses_in_its_own_fit(make):
    """Fits that a class takes over from its base: the examples above call each of them for one class only."""
    taken, parameters = [], inspect.signature(make.func).parameters
    for name, value in [
        (key, value) for key in parameters for value in REFUSED.get(key, ())
    ]:
        if value is None and "None" in str(parameters[name]):
            continue
        with warnings.catch_warnings(action="ignore"):
            try:
                make().set_params(**{name: value}).fit(*roster.records())
            except ValueError as refusal:
                if name in str(refusal):
                    continue
            taken.append(f"{name} = {value!r}")
    assert not taken, taken
