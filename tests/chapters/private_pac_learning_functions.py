"""Functions with which the tests of the chapter on private PAC learning check its theorems and numbers.

The ward of the chapter has four readings and two labels, and hence eight possible records. A crowd is a
population on which one rule is best and all the others, its rivals, make the same mistakes.
"""

from functools import partial
from math import ceil, e, exp, inf, isinf, log, log1p

import numpy as np
import pandas as pd
from scipy.special import expit

from privml import ExponentialMechanism, FinitePopulation, audit, pac
from privml.adjacency import multisets, records
from privml.bounds import (
    agnostic_erm_excess_error,
    private_pac_excess_error,
    required_sample_size,
    sauer_shelah,
)
from privml.hypotheses import Table, Thresholds
from privml.learners import erm_mistake_learner, exponential_mistake_learner
from privml.pac import mistake_count_distribution, smallest_sample_size
from privml.queries import correct_count, empirical_error

RULES = Thresholds([0.0, 1.0, 2.0, 3.0, 4.0])
READINGS = np.repeat([0.0, 1.0, 2.0, 3.0], 2)
LABELS = np.tile([False, True], 4)
UNIVERSE = READINGS, LABELS  # the eight possible records


def all_mistakes(m):
    """Every vector of mistakes that the rules of the ward can make on m records."""
    wrong = (RULES.predict(READINGS) != LABELS).astype(np.int64)
    return np.unique(wrong[:, multisets(len(LABELS), m)].sum(axis=2).T, axis=0)


def worst_failure(mistakes, epsilon, gap):
    """Largest probability over data sets of `gap` mistakes above the least."""
    excess = mistakes - mistakes.min(axis=1, keepdims=True)
    law = exponential_mistake_learner(epsilon)(mistakes)
    return np.where(excess >= gap, law, 0).sum(axis=1).max()


def worst_gap(mistakes, m, epsilon, beta):
    """Excess mistakes, exceeded with probability at most beta everywhere."""
    return next(
        k for k in range(m + 1) if worst_failure(mistakes, epsilon, k + 1) <= beta
    )


def two_ways_to_score(epsilon, m):
    """On how many data sets of the ward counting and averaging give different distributions."""
    counting = ExponentialMechanism(epsilon=epsilon, sensitivity=1)
    averaging = ExponentialMechanism(epsilon=epsilon, sensitivity=1 / m)
    different = 0
    for places in multisets(len(LABELS), m):
        data = records(UNIVERSE, places)
        one = counting.output_distribution(correct_count(RULES, *data)).pmf()
        other = averaging.output_distribution(-empirical_error(RULES, *data)).pmf()
        different += bool(np.abs(one - other).max() > 1e-12)
    return different


def audited(relation, designed, m, epsilon):
    """Exact audit in the ward: the learner for the relation ``designed`` under another relation."""
    law = exponential_mistake_learner(epsilon, designed)

    def distribution(data):
        return law(RULES.mistakes(*data)[None])[0]

    return audit.exact(distribution, UNIVERSE, m, adjacency=relation)


PROOFS = {"L4": "l4", "S16": "s16", "DR11": "dr11", "one moment": "direct"}

EXCESSES = {
    name: partial(private_pac_excess_error, proof=proof)
    for name, proof in PROOFS.items()
}

HAIR = 1e-9  # only an excess above alpha is a failure


def sample_size(theorem, n_hypotheses, epsilon, alpha, beta, **how):
    """Records that are enough by one of the theorems."""

    def excess(m):
        return EXCESSES[theorem](n_hypotheses, m, epsilon, beta=beta, **how)

    return required_sample_size(excess, alpha)


def erm_size(n_hypotheses, alpha, beta):
    """Records that are enough without privacy."""

    def excess(m):
        return agnostic_erm_excess_error(n_hypotheses, m, beta)

    return required_sample_size(excess, alpha)


def crowd(alpha, *, realizable=False):
    """A best rule, one for all its rivals, and a population that parts them."""
    gap = alpha + HAIR
    if realizable:
        population = FinitePopulation([0, 1], [True, True], [1 - gap, gap])
        return Table([[True, True], [True, False]]), population
    shares = [(1 + gap) / 2, (1 - gap) / 2]
    return Table([[True], [False]]), FinitePopulation([0, 0], [True, False], shares)


def crowd_law(epsilon, log_rivals):
    """Probabilities of the best rule and of all rivals, from their mistakes."""

    def law(mistakes):
        lead = epsilon * (mistakes[:, 1] - mistakes[:, 0]) / 2 - log_rivals
        return np.stack([expit(lead), expit(-lead)], axis=1)

    return law


def crowd_erm_law(n_hypotheses):
    """Empirical risk minimisation on a crowd, ties broken uniformly."""

    def law(mistakes):
        lead = mistakes[:, 1] - mistakes[:, 0]
        best = np.select([lead > 0, lead == 0], [1.0, 1 / n_hypotheses], 0.0)
        return np.stack([best, 1 - best], axis=1)

    return law


def exact_size(n_hypotheses, epsilon, alpha, beta):
    """m(alpha, beta) on the agnostic crowd; of ERM for infinite epsilon."""
    arguments = n_hypotheses, epsilon, alpha, beta
    if isinf(epsilon):
        law = crowd_erm_law(n_hypotheses)
        upper = erm_size(n_hypotheses, alpha, beta)
    else:
        law = crowd_law(epsilon, log(n_hypotheses - 1))
        upper = sample_size("one moment", *arguments)
    return smallest_sample_size(law, *crowd(alpha), alpha, beta=beta, upper=upper)


def sample_sizes(n_hypotheses, epsilons, alpha, beta):
    """Promised and exact numbers of records against epsilon."""
    arguments = [(n_hypotheses, e, alpha, beta) for e in epsilons]
    promised = {name: [sample_size(name, *a) for a in arguments] for name in EXCESSES}
    exact = {
        "exact, private": [exact_size(*a) for a in arguments],
        "exact, ERM": exact_size(n_hypotheses, inf, alpha, beta),
    }
    return pd.DataFrame({"epsilon": epsilons} | promised | exact)


def small_worlds(alpha):
    """Up to three kinds of records; errors a hair more than alpha apart."""
    gap = alpha + HAIR
    coin = FinitePopulation([0, 0], [True, False], [(1 + gap) / 2, (1 - gap) / 2])
    shares = [1 / 2, 1 / 2 - gap, gap]
    apart = FinitePopulation([0, 0, 1], [True, False, True], shares)
    realizable = FinitePopulation([0, 1, 2], [True] * 3, [gap, gap, 1 - 2 * gap])
    three = Table(np.array([[1, 1], [0, 1], [1, 0]], dtype=bool))
    four = Table(np.array([[1, 1, 1], [0, 1, 1], [1, 0, 1], [0, 0, 1]], dtype=bool))
    return {
        "two constants, one biased coin": (Table([[True], [False]]), coin),
        "one best rule, two different rivals": (three, apart),
        "four rules, one of them without error": (four, realizable),
    }


def mistake_laws(m, alpha):
    """Distributions of the mistakes of the best rule and of a rival."""
    errors = [(1 + side * (alpha + HAIR)) / 2 for side in (-1, 1)]
    return [mistake_count_distribution(error, m) for error in errors]


def private_failure(n_hypotheses, m, epsilon, alpha, step=0.1):
    """Failure with independent rivals: a race, in logarithmic time u."""
    best, rival = mistake_laws(m, alpha)
    likely = (best > 1e-18) | (rival > 1e-18)
    best, rival, mistakes = best[likely], rival[likely], np.flatnonzero(likely)
    log_weights = -epsilon / 2 * (mistakes - mistakes[0])
    u = np.arange(-40.0, 5.0 - log_weights[-1], step)
    rates = np.exp(np.minimum(u[:, None] + log_weights, 7.0))  # exp(-exp(7)) is 0
    survival = np.exp(-rates)
    rivals = (survival @ rival) ** (n_hypotheses - 1)
    return 1 - ((survival * rates) @ best) @ rivals * step


def erm_failure(n_hypotheses, m, alpha):
    """Failure of ERM with independent rivals, ties broken uniformly."""
    best, rival = mistake_laws(m, alpha)
    at_least = np.cumsum(rival[::-1])[::-1]
    tied = np.clip(rival / at_least, 1e-300, 1 - 1e-16)  # given no win
    wins = -np.expm1(n_hypotheses * np.log1p(-tied)) / (n_hypotheses * tied)
    return 1 - best @ (at_least ** (n_hypotheses - 1) * wins)


def independent_size(n_hypotheses, epsilon, alpha, beta):
    """Least size from which on independent rivals win with at most beta."""
    if isinf(epsilon):
        enough = erm_size(n_hypotheses, alpha, beta)
        for m in range(enough, 0, -1):
            if erm_failure(n_hypotheses, m, alpha) > beta + pac.SLACK:
                return m + 1
        return 1
    arguments = n_hypotheses, min(epsilon, 1.0), alpha, beta
    low, high = 0, sample_size("one moment", *arguments)
    while high - low > 1:
        m = (low + high) // 2
        holds = private_failure(n_hypotheses, m, epsilon, alpha) <= beta + pac.SLACK
        low, high = (low, m) if holds else (m, high)
    return high


def price_of_privacy(size, epsilon, alpha, beta):
    """DR11's sufficient number of records over that of ERM."""
    private = sample_size("DR11", size, epsilon, alpha, beta)
    return private / erm_size(size, alpha, beta)


def free_privacy_ratio(size, beta, constant):
    """The epsilon / alpha at which the two terms of L4 are equal."""
    factor = {"lecture": 27, "hoeffding": 9 / 2}[constant]
    return 6 * log(2 * size / beta) / (factor * log(4 * size / beta))


def prices(size, ratios, alpha, beta):
    """Private over non-private number of records, in six reckonings."""

    def relative(count, without=1e9):  # an epsilon that stands for no privacy
        erm = count(size, without, alpha, beta)
        return [count(size, r * alpha, alpha, beta) / erm for r in ratios]

    return pd.DataFrame(
        {
            "ratio": ratios,
            "L4": relative(partial(sample_size, "L4")),
            "L4, Hoeffding": relative(partial(sample_size, "L4", constant="hoeffding")),
            "DR11": [price_of_privacy(size, r * alpha, alpha, beta) for r in ratios],
            "one moment": relative(partial(sample_size, "one moment")),
            "exact, equal rivals": relative(exact_size, inf),
            "exact, independent rivals": relative(independent_size, inf),
        }
    )


def thresholds_packing(size, epsilon, alpha, beta):
    """Records below which the proposition rules a learner out."""
    return max(0.0, (log(size) + log1p(-2 * beta)) / (4 * alpha * epsilon))


def realizable_failure(size, m, epsilon, alpha):
    """Part 2 of the theorem: the best error is 0."""
    return exp(min(0, log(size) + m * log1p(-alpha * (1 - exp(-epsilon / 2)))))


def threshold_sizes(k, epsilon, alpha, beta):
    """Four numbers of records for 2^k realizable thresholds, or their crowd."""
    size, world = 2**k, crowd(alpha, realizable=True)

    def failure(m):
        return realizable_failure(size, m, epsilon, alpha)

    upper = required_sample_size(failure, beta)
    law, erm = crowd_law(epsilon, log(size - 1)), crowd_erm_law(size)
    enough = ceil(log(1 / beta) / -log1p(-alpha))
    return {
        "log2_size": k,
        "enough: exponential mechanism, any population": upper,
        "exact: exponential mechanism, one population": smallest_sample_size(
            law, *world, alpha, beta=beta, upper=upper
        ),
        "not enough: any private learner": thresholds_packing(
            size, epsilon, alpha, beta
        ),
        "exact: ERM, the same population": smallest_sample_size(
            erm, *world, alpha, beta=beta, upper=enough
        ),
    }


def shattered_sets(n_points):
    """How many sets of each size every class (bits: its labellings) shatters."""
    labellings = np.arange(2**n_points)
    classes = np.arange(1, 2**2**n_points, dtype=np.int64)
    counts = np.zeros((classes.size, n_points + 1), dtype=np.int64)
    for points in range(2**n_points):
        shatters = np.ones(classes.size, dtype=bool)
        for pattern in {int(labelling) & points for labelling in labellings}:
            cylinder = int((1 << labellings[labellings & points == pattern]).sum())
            shatters &= (classes & cylinder) != 0  # has this pattern there
        counts[:, points.bit_count()] += shatters
    return counts


def sauer_shelah_check(n_points):
    """All classes by VC dimension: sizes, and how many exceed one of the bounds."""
    counts, rows = shattered_sets(n_points), []
    sizes = np.array([code.bit_count() for code in range(1, len(counts) + 1)])
    dimensions = np.where(counts > 0, np.arange(n_points + 1), 0).max(axis=1)
    for v in range(n_points + 1):
        of_v, bound = dimensions == v, sauer_shelah(v, n_points)
        weak = (e * n_points / v) ** v if v else 1
        limits = np.minimum(counts[of_v].sum(axis=1), min(bound, weak))
        violations = int((sizes[of_v] > limits).sum())
        rows.append((v, int(of_v.sum()), int(sizes[of_v].max()), bound, violations))
    names = ["vc_dimension", "n_classes", "largest_class"]
    names += ["sauer_shelah", "violations"]
    return pd.DataFrame(rows, columns=names)


def crowd_failure(log_rivals, m, epsilon, alpha):
    """Exact failure probability of the private learner on the realizable crowd."""
    world = crowd(alpha, realizable=True)
    law = crowd_law(epsilon, log_rivals)
    return min(1.0, pac.failure_probability(law, *world, m, alpha))


def without_the_class(k, epsilon, alpha, beta):
    """Failures at sizes without the class, and at one with it."""
    row = {"k": k}
    for constant in (1, 10):
        m = constant * ceil(log(1 / beta) * (1 / alpha**2 + 1 / (alpha * epsilon)))
        row[f"m = {m}"] = crowd_failure(k * log(2), m, epsilon, alpha)
    m = sample_size("DR11", 2**k + 1, epsilon, alpha, beta)
    failure = crowd_failure(k * log(2), m, epsilon, alpha)
    return row | {"m with the class": m, "failure there": failure}


def proof_check(errors, empirical, chosen, radius):
    """Which premises of the proof hold for given errors, and the excess error."""
    errors, empirical = np.asarray(errors), np.asarray(empirical)
    one_sided = bool((empirical <= errors + radius + pac.SLACK).all())
    other = bool((empirical >= errors - radius - pac.SLACK).all())
    return {
        "printed_event": one_sided,
        "two_sided_event": one_sided and other,
        "empirical_gap": empirical[chosen] - empirical.min(),
        "excess_error": errors[chosen] - errors.min(),
    }


def goals(m, epsilon, alpha, size):
    """How often the empirical and the true error of the output are too large."""
    best, law = (1 - alpha - HAIR) / 2, crowd_law(epsilon, log(size - 1))
    wrong = np.arange(m + 1)  # mistakes of the best rule; rivals make the others
    mistakes = np.stack([wrong, m - wrong], axis=1)
    large = law(mistakes) * (mistakes / m > best + alpha + pac.SLACK)
    empirical = mistake_count_distribution(best, m) @ large.sum(axis=1)
    return m, empirical, pac.failure_probability(law, *crowd(alpha), m, alpha)


def erm_failures(d, m, alpha, noise, runs, rng):
    """In how many runs ERM over 2^d thresholds has an excess above alpha."""
    points, truth = np.arange(2**d), 2**d // 2
    errors = noise + (1 - 2 * noise) * np.abs(points - truth) / 2**d
    hypotheses = Thresholds(points.astype(float))
    law, failures = erm_mistake_learner("first"), 0
    for _ in range(runs):
        x = rng.integers(2**d, size=m)
        y = (x >= truth) ^ (rng.random(m) < noise)
        chosen = np.argmax(law(hypotheses.mistakes(x.astype(float), y)))
        failures += bool(errors[chosen] > noise + alpha + pac.SLACK)
    return failures
