"""Accountants as they are asked: one function each, from the steps of an entry to their epsilon and delta.

An adapter books a mechanism as the tool's documentation shows and as tightly as it can.  What a tool has no
name for is booked by a true property of it, if the tool knows one: as a pure step (exponential mechanism,
permute-and-flip, randomised response), as concentrated, or as its pair of laws.  Else it is `Refused`; and
`Unasked` where only the adapter has no way.  Imports stand inside, so that a tool that is missing fails alone.

To add one: a function ``made(entry)`` that returns a `Claims`, and a line in `ACCOUNTANTS`.
"""

from collections.abc import Callable
from functools import reduce
from math import exp, log, sqrt
from typing import Any

from benchmarks.truth.claims import (
    Accountant,
    Claims,
    Refused,
    Unasked,
    booked,
    pair,
    pure_epsilon,
    size,
)


def privml(entry: dict) -> Claims:
    """Closed forms where the package has them, else the upper end of its numerical composition."""
    from privml import composition as c
    from privml import divergences as d

    steps = booked(entry["steps"])
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
        return privml_integers(steps[0])
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


SAMPLING = "sampling_rate", "scheme"


def bound(step: dict) -> float:
    """The norm bound C of GaussianDpEvent and LaplaceDpEvent: of a record's vector, or the sensitivity."""
    return step.get("clip", step.get("sensitivity", 1.0))


def event(step: dict) -> Any:
    """A step as an event of dp_accounting, in the version that is installed; None if it has no event."""
    from dp_accounting import dp_event as d

    kind = step["mechanism"]
    if any(word in step for word in SAMPLING):
        inner = event({k: v for k, v in step.items() if k not in SAMPLING})
        rate = step["sampling_rate"]
        if step.get("scheme") == "subset":
            return d.SampledWithoutReplacementDpEvent(
                10_000, round(rate * 10_000), inner
            )
        named = isinstance(inner, d.GaussianDpEvent | d.LaplaceDpEvent)
        return d.PoissonSampledDpEvent(rate, inner) if named else None
    if kind == "gaussian":
        return d.GaussianDpEvent(step["sigma"] / bound(step))
    if kind == "laplace":
        return d.LaplaceDpEvent(step["scale"] / bound(step))
    if kind == "randomised response":
        return d.RandomizedResponseDpEvent(step["share"], step["categories"])
    if kind == "discrete laplace":
        return d.DiscreteLaplaceDpEvent(step["parameter"], step["sensitivity"])
    if kind == "discrete gaussian" and hasattr(d, "DiscreteGaussianDpEvent"):
        return d.DiscreteGaussianDpEvent(step["sigma"], step["sensitivity"], 1)
    named = {
        "exponential": "ExponentialMechanismDpEvent",
        "permute and flip": "PermuteAndFlipDpEvent",
    }
    if hasattr(d, named.get(kind, "")):
        return getattr(d, named[kind])(step["epsilon"])
    if hasattr(d, "EpsilonDeltaDpEvent") and "epsilon" in step:
        return d.EpsilonDeltaDpEvent(step["epsilon"], step.get("delta", 0.0))
    return None


def under(entry: dict, made: Callable[[Any], Claims]) -> Claims:
    """Claims of dp_accounting under the first relation of the entry's for which it has any."""
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
        choices = choices[1:2]
    reasons = []
    for relation in choices:
        try:
            return made(relation)
        except (UnsupportedEventError, Refused) as error:
            reasons.append(str(error))
    raise Refused(reasons[0].split(". Found")[0][:80])


def renyi(entry: dict) -> Claims:
    """dp_accounting by Renyi divergences; what has no event is booked as concentrated.

    Pure steps alone are booked as the worst of them, which is randomised response.
    """
    from dp_accounting.privacy_accountant import NeighboringRelation as relations
    from dp_accounting.rdp import RdpAccountant

    pure = all(
        step["mechanism"] in ("pure", "permute and flip") for step in entry["steps"]
    )

    def made(relation: Any) -> Claims:
        accountant = RdpAccountant(
            neighboring_relation=relations.REPLACE_ONE if pure else relation
        )
        for step in entry["steps"]:
            one = event(step)
            if one is None or not accountant.supports(one):
                one = concentrated(step, pure)
            accountant.compose(one, step["times"])
        return Claims(accountant.get_epsilon, accountant.get_delta)

    return under(entry, made)


def concentrated(step: dict, pure: bool) -> Any:
    """ZCDpEvent of Gaussian-like noise, of bounded range, and of pure steps that are not alone."""
    from dp_accounting import dp_event as d

    if any(word in step for word in SAMPLING):
        raise Refused("samples Gaussian noise alone")
    if step["mechanism"] == "approximate":
        raise Refused("no approximate steps")
    if step["mechanism"] == "discrete gaussian":
        return d.ZCDpEvent(step["sensitivity"] ** 2 / (2 * step["sigma"] ** 2))
    epsilon = pure_epsilon(step)
    if pure:
        return d.RandomizedResponseDpEvent(2 / (1 + exp(epsilon)), 2)
    return d.ZCDpEvent(epsilon**2 / (8 if step["mechanism"] == "exponential" else 2))


def losses(entry: dict) -> Claims:
    """dp_accounting by privacy-loss distributions: by events, or if one is missing by their constructors."""
    from dp_accounting.pld import PLDAccountant

    def made(relation: Any) -> Claims:
        accountant = PLDAccountant(neighboring_relation=relation)
        events = [event(step) for step in entry["steps"]]
        if all(one is not None and accountant.supports(one) for one in events):
            for one, step in zip(events, entry["steps"], strict=True):
                accountant.compose(one, step["times"])
            return Claims(accountant.get_epsilon, accountant.get_delta)
        first, *rest = map(loss_distribution, booked(entry["steps"]))
        whole = reduce(lambda a, b: a.compose(b), rest, first)
        return Claims(whole.get_epsilon_for_delta, whole.get_delta_for_epsilon)

    return under(entry, made)


def loss_distribution(step: dict) -> Any:
    """A step by the constructor of its loss distribution."""
    from dp_accounting.pld import common
    from dp_accounting.pld import privacy_loss_distribution as pld

    kind, k = step["mechanism"], step["times"]
    if step.get("scheme") == "subset":
        raise Refused("no sampling without replacement")
    rate = {"sampling_prob": step.get("sampling_rate", 1.0)}
    if kind == "gaussian" and "sampling_rate" not in step:
        return pld.from_gaussian_mechanism(step["sigma"] / sqrt(k), step["sensitivity"])
    if kind == "laplace":
        made = pld.from_laplace_mechanism(step["scale"], step["sensitivity"], **rate)
    elif kind == "discrete gaussian":
        made = pld.from_discrete_gaussian_mechanism(step["sigma"], step["sensitivity"])
    elif kind == "discrete laplace":
        made = pld.from_discrete_laplace_mechanism(
            step["parameter"], step["sensitivity"], **rate
        )
    elif "epsilon" in step:
        privacy = common.DifferentialPrivacyParameters(
            step["epsilon"], step.get("delta", 0.0)
        )
        made = pld.from_privacy_parameters(privacy)
    else:
        raise Refused(kind)
    return made.self_compose(k)


def autodp(entry: dict) -> Claims:
    """The composition of autodp; for subsets its mechanisms are told that their relation is replace-one."""
    from autodp import mechanism_zoo as zoo
    from autodp import transformer_zoo as transform
    from autodp.autodp_core import Mechanism

    mechanisms, steps = [], booked(entry["steps"])
    for step in steps:
        kind = step["mechanism"]
        if kind == "approximate":
            if len(steps) > 1 or step["times"] > 1:
                raise Refused("composes no approximate steps")
            made = Mechanism()
            made.propagate_updates((step["epsilon"], step["delta"]), "approxDP")
            return Claims(lambda delta, one=made: float(one.get_approxDP(delta)))
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
            poisson = step.get("scheme") != "subset"
            if not poisson:
                made.neighboring = "replace_one"
            sampling = transform.AmplificationBySampling(PoissonSampling=poisson)
            made = sampling(made, step["sampling_rate"], improved_bound_flag=True)
        mechanisms.append(made)
    exactly = all(
        step["mechanism"] == "gaussian" and "sampling_rate" not in step
        for step in steps
    )
    compose = (transform.ComposeGaussian if exactly else transform.Composition)()
    whole = compose(mechanisms, [step["times"] for step in steps])
    return Claims(lambda delta: float(whole.get_approxDP(delta)))


def prv(entry: dict) -> Claims:
    """The upper end of prv_accountant, asked to a hundredth and to a thousandth of delta."""
    from prv_accountant import PRVAccountant
    from prv_accountant import privacy_random_variables as kinds

    made, counts = [], []
    for step in booked(entry["steps"]):
        kind = step["mechanism"]
        sampled = "sampling_rate" in step and kind != "gaussian"
        if sampled or step.get("scheme") == "subset" or kind == "discrete gaussian":
            raise Unasked("a custom mechanism, by its distribution function")
        if kind == "gaussian" and "sampling_rate" in step:
            made.append(
                kinds.PoissonSubsampledGaussianMechanism(
                    step["sampling_rate"], 1 / size(step)
                )
            )
        elif kind == "gaussian":
            made.append(kinds.GaussianMechanism(1 / size(step)))
        elif kind == "laplace":
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

    dp.enable_features("contrib", "honest-but-curious")
    real = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    whole = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    scores = (
        dp.vector_domain(dp.atom_domain(T=float, nan=False)),
        dp.linf_distance(T=float),
    )

    def known(measure: Any, privacy: Any) -> Any:
        """A mechanism of ours with this privacy, which composes with theirs."""
        return dp.m.make_user_measurement(
            *real, measure, lambda value: value, lambda distance: privacy
        )

    def one(step: dict) -> Any:
        kind = step["mechanism"]
        if step.get("scheme") == "subset":
            raise Unasked("make_population_amplification")
        if "sampling_rate" in step:
            raise Refused("no Poisson sampling")
        if kind == "gaussian":
            return dp.m.make_gaussian(*real, 1 / size(step))
        if kind == "laplace":
            return dp.m.make_laplace(*real, 1 / size(step))
        if kind == "discrete gaussian":
            return dp.m.make_gaussian(*whole, step["sigma"])
        if kind == "discrete laplace":
            return dp.m.make_laplace(*whole, 1 / step["parameter"])
        if kind == "randomised response":
            share, m = step["share"], step["categories"]
            return dp.m.make_randomized_response(list(range(m)), 1 - share + share / m)
        if kind == "exponential":
            scale, measure = 2.0 / step["epsilon"], dp.zero_concentrated_divergence()
            return dp.m.make_noisy_max(*scores, measure, scale=scale)
        if kind == "permute and flip":
            scale, measure = 2.0 / step["epsilon"], dp.max_divergence()
            return dp.m.make_noisy_max(*scores, measure, scale=scale)
        if kind == "approximate":
            privacy = step["epsilon"], step["delta"]
            return known(dp.fixed_smoothed_max_divergence(), privacy)
        return known(dp.max_divergence(), step["epsilon"])

    steps = booked(entry["steps"])
    made = [(one(step), step["times"]) for step in steps]
    first = steps[0]["mechanism"]
    distance = 1 if first == "randomised response" else 1.0
    if first.startswith("discrete"):
        distance = steps[0]["sensitivity"]
    if steps[0]["mechanism"] == "approximate":
        every = dp.c.make_composition([step for step, k in made for _ in range(k)])
        epsilon, delta = every.map(distance)

        def stated(target: float) -> float:
            if delta > target:
                raise Refused("delta below that of the steps")
            return epsilon

        return Claims(stated)
    pure = all(step.output_measure == dp.max_divergence() for step, _ in made)
    total = sum(step.map(distance) * k for step, k in made) if pure else float("inf")
    inner = [
        (dp.c.make_pureDP_to_zCDP(step), k)
        if step.output_measure == dp.max_divergence()
        else (step, k)
        for step, k in made
    ]
    curve = dp.c.make_zCDP_to_approxDP(
        dp.c.make_composition([step for step, k in inner for _ in range(k)])
    ).map(distance)
    return Claims(
        lambda delta: min(total, curve.epsilon(delta)),
        lambda e: 0.0 if e >= total else curve.delta(e),
    )


def diffprivlib(entry: dict) -> Claims:
    """The budget accountant of diffprivlib, which knows epsilon and delta of each step."""
    from diffprivlib import BudgetAccountant

    steps = booked(entry["steps"])
    for step in steps:
        gaussian = step["mechanism"] in ("gaussian", "discrete gaussian")
        if gaussian and "sampling_rate" not in step:
            raise Unasked("Gaussian noise, as an epsilon and a delta of our choice")
        if step["mechanism"] != "approximate":
            pure_epsilon(step)

    def epsilon(delta: float) -> float:
        own = sum(step["times"] * step.get("delta", 0.0) for step in steps)
        if own >= delta:
            raise Refused("delta below that of the steps")
        accountant = BudgetAccountant(
            epsilon=float("inf"), delta=1.0, slack=delta - own
        )
        for step in steps:
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
    "privml": Accountant(
        None, privml, "closed forms; else `composition.numerical_composition`, defaults"
    ),
    "dp_accounting, PLD": Accountant(
        "dp-accounting",
        losses,
        "`PLDAccountant`, interval 1e-4 (default); steps without an event by `from_privacy_parameters` and the like",
    ),
    "dp_accounting, Rényi": Accountant(
        "dp-accounting",
        renyi,
        "`RdpAccountant`, default orders; steps without an event by `ZCDpEvent`",
    ),
    "autodp": Accountant(
        "autodp",
        autodp,
        "`Composition`, `ComposeGaussian` where it can; subsets with `neighboring` set to `replace_one`; `ComposeAFA` finds no ε with the SciPy that is pinned here (see the text)",
    ),
    "prv_accountant": Accountant(
        "prv-accountant",
        prv,
        "upper end of `PRVAccountant`, `eps_error` 0.01, `delta_error` δ/1000 (documented as typical: 0.1, δ/1000); no custom mechanisms",
    ),
    "OpenDP": Accountant(
        "opendp",
        opendp,
        "the smaller of the pure sum and `make_zCDP_to_approxDP`; other steps by `make_user_measurement`",
    ),
    "diffprivlib": Accountant(
        "diffprivlib",
        diffprivlib,
        "`BudgetAccountant`, `slack` δ; knows steps by epsilon and delta alone",
    ),
}
HEAD = " at head"  # of dp_accounting, from a folder that is given
