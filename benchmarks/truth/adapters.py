"""Accountants as they are asked: one function each, from the steps of an entry to their epsilon and delta.

An adapter books a mechanism as its documentation shows and as tightly as it can; what a tool has no name for
is booked as a pure step where its epsilon is known (exponential mechanism, permute-and-flip, randomised
response), else it is `Refused`.  Imports stand inside, so that a tool that is missing fails alone.

To add one: a function ``made(entry)`` that returns a `Claims`, and a line in `ACCOUNTANTS`.
"""

from math import exp, log, sqrt
from typing import Any

from benchmarks.truth.claims import (
    Accountant,
    Claims,
    Refused,
    pair,
    pure_epsilon,
    size,
    sole,
)


def privml(entry: dict) -> Claims:
    """Closed forms where the package has them, else the upper end of its numerical composition."""
    from privml import composition as c
    from privml import divergences as d

    steps = entry["steps"]
    kinds = {step["mechanism"] for step in steps}
    if kinds == {"gaussian"} and not any("sampling_rate" in step for step in steps):
        mu = sqrt(sum(step["times"] * size(step) ** 2 for step in steps))
        return Claims(
            lambda delta: d.gaussian_epsilon(delta=delta, mu=mu),
            lambda e: d.gaussian_delta(e, mu=mu),
        )
    if len(steps) == 1 and kinds <= {"pure", "permute and flip", "approximate"}:
        [step] = steps
        epsilon, k, slack = step["epsilon"], step["times"], step.get("delta", 0.0)
        return Claims(
            lambda delta: c.optimal_epsilon(epsilon, k, delta, step_delta=slack),
            lambda e: c.optimal_delta(epsilon, k, e, step_delta=slack),
        )
    if kinds == {"exponential"}:
        [step] = steps
        epsilon, k = step["epsilon"], step["times"]
        return Claims(
            lambda delta: c.nonadaptive_range_epsilon(epsilon, k, delta),
            lambda e: c.nonadaptive_range_delta(epsilon, k, e),
        )
    if kinds == {"discrete gaussian"}:
        return privml_integers(sole(steps))
    total = privml_loss(steps[0], entry["relation"])
    for step in steps[1:]:
        total = total + privml_loss(step, entry["relation"])
    return Claims(
        lambda delta: c.numerical_composition(total, delta=delta).epsilon, total.delta
    )


def privml_integers(step: dict) -> Claims:
    """Discrete Gaussian noise: the exact curve of one release; concentrated privacy for more."""
    from privml import ConcentratedGuarantee, compose
    from privml._search import crossing
    from privml.divergences import discrete_gaussian_log_delta

    square, s = step["sigma"] ** 2, step["sensitivity"]
    if step["times"] == 1:

        def log_delta(e):
            return float(discrete_gaussian_log_delta(e, s, square))

        most = s * (s + 60 * step["sigma"]) / square
        return Claims(
            lambda delta: crossing(
                lambda e: log_delta(e) - log(delta), lower=0.0, upper=most
            ),
            lambda e: exp(log_delta(e)),
        )
    rho = ConcentratedGuarantee(s**2 / (2 * square))
    return Claims(
        lambda delta: compose((rho, step["times"]), delta=delta).guarantee.epsilon
    )


def privml_loss(step: dict, relation: str) -> Any:
    """The loss of a kind of step."""
    import numpy as np

    from privml import composition as c
    from privml.adjacency import Adjacency

    rate, k, kind = step.get("sampling_rate", 1.0), step["times"], step["mechanism"]
    if kind in ("gaussian", "laplace"):
        made = c.gaussian_loss if kind == "gaussian" else c.laplace_loss
        sampling = {
            name: step[name] for name in ("sampling_rate", "scheme") if name in step
        }
        return made(size(step), k, **sampling)
    adjacency = (
        Adjacency.ADD_OR_REMOVE_ONE
        if relation == "add-or-remove-one"
        else Adjacency.REPLACE_ONE
    )
    p, q = pair(step)
    if rate < 1:
        p = np.logaddexp(np.log1p(-rate) + np.array(q), np.log(rate) + np.array(p))
    return c.finite_loss(p, q, k, adjacency=adjacency, logs=True)


def event(step: dict) -> Any:
    """A step as an event of dp_accounting, in the version that is installed."""
    from dp_accounting import dp_event as d

    kind = step["mechanism"]
    if step.get("scheme") == "subset":
        whole = 10_000
        inner = event(
            {k: v for k, v in step.items() if k not in ("sampling_rate", "scheme")}
        )
        return d.SampledWithoutReplacementDpEvent(
            whole, round(step["sampling_rate"] * whole), inner
        )
    if "sampling_rate" in step:
        inner = event({k: v for k, v in step.items() if k != "sampling_rate"})
        return d.PoissonSampledDpEvent(step["sampling_rate"], inner)
    if kind == "gaussian":
        return d.GaussianDpEvent(1 / size(step))
    if kind == "laplace":
        return d.LaplaceDpEvent(1 / size(step))
    if kind == "randomised response":
        return d.RandomizedResponseDpEvent(step["share"], step["categories"])
    if kind == "discrete laplace":
        return d.DiscreteLaplaceDpEvent(step["parameter"], step["sensitivity"])
    if kind == "discrete gaussian":
        if hasattr(d, "DiscreteGaussianDpEvent"):
            return d.DiscreteGaussianDpEvent(step["sigma"], step["sensitivity"], 1)
        raise Refused(kind)
    named = {
        "exponential": "ExponentialMechanismDpEvent",
        "permute and flip": "PermuteAndFlipDpEvent",
    }
    if hasattr(d, named.get(kind, "")):
        return getattr(d, named[kind])(step["epsilon"])
    if not hasattr(d, "EpsilonDeltaDpEvent"):
        raise Refused(kind)
    return d.EpsilonDeltaDpEvent(step["epsilon"], step.get("delta", 0.0))


def accounted(entry: dict, kind: Any) -> Claims:
    """An accountant of dp_accounting, under the first relation of the entry's that it takes."""
    from dp_accounting.privacy_accountant import NeighboringRelation as relations
    from dp_accounting.privacy_accountant import UnsupportedEventError

    choices = [
        relations.ADD_OR_REMOVE_ONE,
        relations.REPLACE_ONE,
        relations.REPLACE_SPECIAL,
    ]
    if entry["relation"] == "add-or-remove-one":
        choices = choices[:1]
    elif entry["relation"] == "replace-one":
        choices = choices[1:]
    reason = ""
    for relation in choices:
        accountant = kind(neighboring_relation=relation)
        try:
            for step in entry["steps"]:
                accountant.compose(event(step), step["times"])
        except (UnsupportedEventError, NotImplementedError) as error:
            reason = reason or type(error).__name__
            continue
        return Claims(accountant.get_epsilon, accountant.get_delta)
    raise Refused(reason)


def renyi(entry: dict) -> Claims:
    """dp_accounting by Renyi divergences."""
    from dp_accounting.rdp import RdpAccountant

    return accounted(entry, RdpAccountant)


def losses(entry: dict) -> Claims:
    """dp_accounting by privacy-loss distributions."""
    from dp_accounting.pld import PLDAccountant

    return accounted(entry, PLDAccountant)


def autodp(entry: dict) -> Claims:
    """The composition of autodp."""
    from autodp import mechanism_zoo as zoo
    from autodp import transformer_zoo as transform

    mechanisms = []
    for step in entry["steps"]:
        kind = step["mechanism"]
        if kind == "gaussian":
            made = zoo.GaussianMechanism(1 / size(step))
        elif kind == "laplace":
            made = zoo.LaplaceMechanism(1 / size(step))
        elif kind == "discrete gaussian":
            made = zoo.DiscreteGaussianMechanism(step["sigma"] / step["sensitivity"])
        elif kind == "exponential":
            made = zoo.ExponentialMechanism(step["epsilon"])
        elif kind == "randomised response" and step["categories"] == 2:
            made = zoo.RandresponseMechanism(1 - step["share"] / 2)
        elif kind == "discrete laplace" and "sampling_rate" in step:
            made = zoo.PureDP_Mechanism(step["parameter"] * step["sensitivity"])
        else:
            made = zoo.PureDP_Mechanism(pure_epsilon(step))
        if "sampling_rate" in step:
            coins = step.get("scheme") != "subset"
            sampling = transform.AmplificationBySampling(PoissonSampling=coins)
            made = sampling(made, step["sampling_rate"], improved_bound_flag=coins)
        mechanisms.append(made)
    exactly = all(
        step["mechanism"] == "gaussian" and "sampling_rate" not in step
        for step in entry["steps"]
    )
    compose = (transform.ComposeGaussian if exactly else transform.Composition)()
    whole = compose(mechanisms, [step["times"] for step in entry["steps"]])
    return Claims(lambda delta: float(whole.get_approxDP(delta)))


def prv(entry: dict) -> Claims:
    """The upper end of prv_accountant, asked to a hundredth and to a thousandth of delta."""
    from prv_accountant import PRVAccountant
    from prv_accountant import privacy_random_variables as kinds

    made, counts = [], []
    for step in entry["steps"]:
        kind = step["mechanism"]
        if kind == "gaussian" and step.get("scheme") == "subset":
            raise Refused("subset")
        if kind == "gaussian" and "sampling_rate" in step:
            made.append(
                kinds.PoissonSubsampledGaussianMechanism(
                    step["sampling_rate"], 1 / size(step)
                )
            )
        elif kind == "gaussian":
            made.append(kinds.GaussianMechanism(1 / size(step)))
        elif kind == "laplace" and "sampling_rate" not in step:
            made.append(kinds.LaplaceMechanism(size(step)))
        elif kind == "approximate":
            made.append(kinds.ApproximateDPMechanism(step["epsilon"], step["delta"]))
        else:
            made.append(kinds.PureDPMechanism(pure_epsilon(step)))
        counts.append(step["times"])

    def epsilon(delta: float) -> float:
        options = {
            "max_self_compositions": counts,
            "eps_error": 0.01,
            "delta_error": delta / 1000,
        }
        return PRVAccountant(prvs=made, **options).compute_epsilon(delta, counts)[2]

    return Claims(epsilon)


def opendp(entry: dict) -> Claims:
    """OpenDP: the smaller of the sum of its pure steps and concentrated privacy."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    step = sole(entry["steps"])
    if "sampling_rate" in step:
        raise Refused("sampled")
    kind, distance = step["mechanism"], step.get("sensitivity", 1)
    real = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    whole = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    is_pure = kind not in ("gaussian", "discrete gaussian")
    if kind == "gaussian":
        made = dp.m.make_gaussian(*real, step["sigma"])
    elif kind == "discrete gaussian":
        made = dp.m.make_gaussian(*whole, step["sigma"])
    elif kind == "laplace":
        made = dp.m.make_laplace(*real, step["scale"])
    elif kind == "discrete laplace":
        made = dp.m.make_laplace(*whole, 1 / step["parameter"])
    elif kind == "randomised response":
        share, m = step["share"], step["categories"]
        made = dp.m.make_randomized_response(list(range(m)), 1 - share + share / m)
    elif kind == "exponential":
        space = (
            dp.vector_domain(dp.atom_domain(T=float, nan=False)),
            dp.linf_distance(T=float),
        )
        made = dp.m.make_noisy_max(
            *space, dp.zero_concentrated_divergence(), scale=2.0 / step["epsilon"]
        )
        is_pure, distance = False, 1.0
    else:
        raise Refused(kind)
    once = made.map(distance) if is_pure else None
    rho = made.map(distance) if not is_pure else None

    def epsilon(delta: float) -> float:
        inner = dp.c.make_pureDP_to_zCDP(made) if is_pure else made
        curve = dp.c.make_zCDP_to_approxDP(
            dp.c.make_composition([inner] * step["times"])
        )
        by_rho = curve.map(distance).epsilon(delta)
        return by_rho if rho is not None else min(step["times"] * once, by_rho)

    return Claims(epsilon)


def diffprivlib(entry: dict) -> Claims:
    """The budget accountant of diffprivlib, which knows epsilon and delta of each step."""
    from diffprivlib import BudgetAccountant

    def epsilon(delta: float) -> float:
        own = sum(step["times"] * step.get("delta", 0.0) for step in entry["steps"])
        if own >= delta:
            raise Refused("delta below that of the steps")
        accountant = BudgetAccountant(
            epsilon=float("inf"), delta=1.0, slack=delta - own
        )
        for step in entry["steps"]:
            one = (
                step["epsilon"]
                if step["mechanism"] == "approximate"
                else pure_epsilon(step)
            )
            for _ in range(step["times"]):
                accountant.spend(one, step.get("delta", 0.0))
        return accountant.total()[0]

    return Claims(epsilon)


ACCOUNTANTS = {
    "privml": Accountant(None, privml),
    "dp_accounting, PLD": Accountant("dp-accounting", losses),
    "dp_accounting, Rényi": Accountant("dp-accounting", renyi),
    "autodp": Accountant("autodp", autodp),
    "prv_accountant": Accountant("prv-accountant", prv),
    "OpenDP": Accountant("opendp", opendp),
    "diffprivlib": Accountant("diffprivlib", diffprivlib),
}
HEAD = " at head"  # of dp_accounting, from a folder that is given
