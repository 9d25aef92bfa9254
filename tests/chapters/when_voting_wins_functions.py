"""Functions with which the tests of majority votes compute students, centres and runs that finish."""

from math import ceil, log
from typing import NamedTuple

import numpy as np
from scipy.stats import binom

from privml import bounds, populations
from privml.distributions import Laplace
from privml.hypotheses import Table
from privml.mechanisms.transcript_distribution import threshold_quadrature
from privml.pate import (
    NO_ANSWER,
    SparseVectorAggregator,
    expected_margin,
    high_margin_mass,
    infinite_ensemble,
    teacher_distribution,
    vote_closure,
    vote_noise,
    vote_threshold,
)
from privml.populations import TsybakovLine, regression_population

SLOW = (1000, 1.0, 1e-10)  # m, epsilon, delta
MARGIN = {"beta": 0.05, "nu": 0.0, "xi": 0.0072}


def ensemble_of(problem, n, ties="uniform"):
    """What infinitely many teachers on n records each vote."""
    law = teacher_distribution(*problem, n, ties=ties)
    return infinite_ensemble(law, problem.hypotheses.predictions)


def mean_margin(p, n_teachers):
    """Mean of the realised margin of independent votes."""
    votes = np.arange(n_teachers + 1)
    return float(np.abs(2 * votes - n_teachers) @ binom.pmf(votes, n_teachers, p))


def nearest(rules, labels, masses):
    """Rules at the least distance from given labels: what a student may return."""
    distances = (np.asarray(rules) != labels) @ masses
    return np.flatnonzero(distances <= distances.min() + 1e-12)


def student_excess(problem, n):
    """Excess error of the ensemble's student; of several nearest, the worst."""
    errors = problem.population.error_rates(problem.hypotheses)
    table, labels = problem.hypotheses.predictions, ensemble_of(problem, n).labels
    students = nearest(table, labels, problem.masses)
    return float(errors[students].max() - errors.min())


def students(problem):
    """Students in the class and among votes of three; all labels are 1."""
    labels, table = ensemble_of(problem, 12).labels, problem.hypotheses.predictions
    best = (~table @ problem.masses).min()
    for kind, rules in (("H", table), ("Vote3(H)", vote_closure(table, 3))):
        rule = rules[nearest(rules, labels, problem.masses)[0]]
        error = ~rule @ problem.masses
        yield kind, error, error - best, (rule != labels) @ problem.masses


# Arcs of 22 of 60 points on a ring, and a point in the middle, which is the last.
PLACES = (np.arange(60) - np.arange(60)[:, None]) % 60
ARCS = Table(np.hstack([PLACES < 22, np.ones((60, 1), dtype=bool)]))
MASSES = np.append(np.full(60, 0.75 / 60), 0.25)
CENTRES = ("no noise", "bounded noise", "agnostic")


def ring(setting):
    """Labels of an arc, the same with 3/10 of them wrong, or 1 everywhere."""
    arc = ARCS.predictions[0].astype(float)
    noisy = 0.7 * arc + 0.3 * (1 - arc)
    regression = {"no noise": arc, "bounded noise": noisy, "agnostic": np.ones(61)}
    return regression_population(np.arange(61), MASSES, regression[setting])


def centre_distances(setting, n, rng, n_draws=4000):
    """Mean disagreement of a teacher with y, h*, the ensemble, and a colleague."""
    population, table = ring(setting), ARCS.predictions
    law = teacher_distribution(ARCS, population, n, n_draws=n_draws, rng=rng)
    errors, best = population.error_rates(ARCS), population.best(ARCS)
    vote = infinite_ensemble(law, table)
    rules = table[best.index], vote.labels
    to = [(table != rule) @ MASSES @ law for rule in rules]
    colleague = 2 * (vote.means * (1 - vote.means)) @ MASSES
    wrong = (np.tile(vote.labels, 2) != population.y) @ population.probabilities
    return law @ errors, *to, colleague, wrong, best.error


class Teaching(NamedTuple):
    """Table of labels, masses of points, best rule, and the law of a teacher."""

    table: np.ndarray
    masses: np.ndarray
    best: np.ndarray
    law: np.ndarray

    def low(self, xi):
        """Mass of the points whose expected margin is at most xi."""
        margins = expected_margin(self.law, self.table)
        return high_margin_mass(margins, self.masses, xi)

    def ensemble(self):
        return infinite_ensemble(self.law, self.table).labels


def on_line(noise, n, rng):
    """Thresholds on 32 points of a line, teachers with n records each."""
    problem = TsybakovLine(tau=1.0, n_points=32, scale=1 - 2 * noise)
    world = problem.hypotheses, problem.population
    law = teacher_distribution(*world, n, n_draws=4000, rng=rng)
    table = problem.hypotheses.predict(problem.points)
    return Teaching(table, np.full(32, 1 / 32), problem.points >= 0.5, law)


def example_one(with_h4):
    problem = populations.voting_fails_example(with_h4)
    table, law = problem.hypotheses.predictions, teacher_distribution(*problem, 24)
    return Teaching(table, problem.masses, table[0], law)


def released_labels(found, cutoff, n_teachers, points, rng):
    """Labels of Algorithm 2 for teachers drawn from their law; 0 for none."""
    votes = rng.multinomial(n_teachers, found.law) @ found.table
    sample = rng.choice(len(found.masses), size=points, p=found.masses)
    counts = np.stack([n_teachers - votes, votes], axis=1)[sample]
    source = {"calibration": "source", "split": "source", "n_queries": points}
    service = SparseVectorAggregator(cutoff=cutoff, epsilon=1.0, delta=1e-6, **source)
    labels = service.answer_counts(counts, rng=rng).labels
    return sample, np.where(labels == NO_ANSWER, 0, labels).astype(bool)


def private_student(found, xi, truth, m, rng, beta=0.05):
    """A run with the parameters of the proposition, and its student."""
    nu = float(found.low(xi))
    T, K = bounds.high_margin_parameters(m, 1.0, 1e-6, beta=beta, nu=nu, xi=xi)
    sample, labels = released_labels(found, T, K, m, rng)
    near = nearest(found.table[:, sample], labels, np.full(m, 1 / m))
    student, vote = found.table[near[0]], found.ensemble()

    def far(rule, other):
        return (rule != other) @ found.masses

    growth = np.log(len(np.unique(found.table, axis=0)))
    least = float(far(found.table, vote).min())
    bound = bounds.pate_agnostic_bound(least, T, m, beta=beta, log_growth=growth)
    best = far(found.table, truth).min()
    off = int((labels != vote[sample]).sum())
    return nu, K, T, off, far(student, vote), bound, far(student, truth) - best


def unstable_chances(p, n_teachers, noise, threshold):
    """Chance of an unstable point at nodes of the noise; their weights."""
    mean, width = n_teachers * p, 12 * np.sqrt(n_teachers * p * (1 - p)) + 1
    last = min(n_teachers, int(mean + width) + 1)
    votes = np.arange(max(0, int(mean - width)), last + 1)
    distance = np.maximum((abs(2 * votes - n_teachers) + 1) // 2 - 1, 0)
    rho, log_weights = threshold_quadrature(np.zeros(1), noise)
    query = Laplace(scale=noise.query_scale)
    unstable = query.cdf(threshold + rho[:, None] - distance)
    return unstable @ binom.pmf(votes, n_teachers, p), np.exp(log_weights)


def finishing_probability(p, n_teachers, n_queries, cutoff, noise, threshold):
    """Chance that the T-th unstable point is the last of the points, or none."""
    chances, weights = unstable_chances(p, n_teachers, noise, threshold)
    steps = np.arange(n_queries - 1)
    stretch = (weights * chances) @ (1 - chances)[:, None] ** steps
    arrival = np.eye(1, n_queries)[0]
    for _ in range(cutoff):
        arrival = np.append(0.0, np.convolve(arrival, stretch))[:n_queries]
    return 1 - arrival.sum()


def printed_parameters(m, epsilon, delta, *, beta, nu, xi):
    """T and K as the source prints them."""
    cutoff = max(1, ceil(bounds.bernstein_count(m, nu, beta=beta / 3)))
    scale = 2 * bounds.source_sigma(cutoff, epsilon, delta / 2)
    logarithm = log(3 * m / beta)
    outvote = 3 * scale * (log(4 * m / delta) + logarithm) / xi
    return cutoff, ceil(max(2 * logarithm / xi**2, outvote))


def finishes(n_teachers):
    """Probability that these teachers get through the 1000 points."""
    cutoff, _ = bounds.high_margin_parameters(*SLOW, **MARGIN)
    noise = vote_noise(cutoff, 1.0, 1e-10, calibration="source", split="source")
    threshold = vote_threshold(
        cutoff, noise, 1e-10, calibration="source", n_queries=1000
    )
    p = 0.5 + MARGIN["xi"]
    return finishing_probability(p, n_teachers, 1000, cutoff, noise, threshold)


def vote_vc_bound(n_voters, d):
    """Largest M with 2^M at most the n_voters-th power of the Sauer-Shelah bound."""
    size = 1
    while 2 ** (size + 1) <= bounds.sauer_shelah(d, size + 1) ** n_voters:
        size += 1
    return size


def listed_sets(numbers, n_points):
    """One row a set: point i is in it if bit i of its number is set."""
    ends = [piece.split("-") for piece in numbers.split()]
    each = np.concatenate([np.arange(int(e[0]), int(e[-1]) + 1) for e in ends])
    return (each[:, None] >> np.arange(n_points)) & 1 == 1


def median_class():
    """166 sets of ten points of VC dimension 3, whose majorities of three are all 1024."""
    return listed_sets(
        """
    17-31 81-87 95 97 99-103 111 113 115-119 147 178 195 197 199 207 211 215
    225-231 242 246 274 276 278-282 284-287 292 294 308 310-311 326-327 334-335
    338 340 342-343 346 348 350-351 356 358-359 364 366-367 372 374-375 402 406
    410 418 420 422 434 438 442 454-455 462-463 466 470 474 478 482 484 486-487
    490 492 494 498 502 506 508 510 531 595 609 611-613 615 625 627 643 659 674
    690 707 709 711 719 723 738-743 754 868 876 930 932 934 938 946 954 966-967
    974-975 994 996 998-999 1002 1004 1006 1010 1014 1018
    """,
        10,
    )
