"""Functions with which the tests of the chapter on statistical queries check its theorems and numbers.

They search for the worst adversary, audit the private oracle and the learner of parities, compute failure
probabilities exactly, and play the signed majority, whose last question depends on the answers before it.
"""

from fractions import Fraction
from itertools import product
from math import ceil, exp, sqrt

import numpy as np
import pandas as pd
from scipy.stats import binom

from book.tools.chapter_code import chapter_module
from privml import FinitePopulation, PrivateSQOracle, audit
from privml.adjacency import neighbouring_datasets, records
from privml.bounds import (
    concentrated_sq_accuracy,
    gaussian_max_quantile,
    laplace_max_error,
    laplace_max_quantile,
    overfitting_bias,
    parity_plan,
    required_sample_size,
    sq_accuracy,
    vote_lean,
)
from privml.hypotheses import Parities, boolean_cube
from privml.learners import exponential_mistake_learner
from privml.learners.statistical_queries import (
    ConjunctionSQLearner,
    SQOracle,
    laplace_epsilon,
    parity_distribution,
)
from privml.pac import failure_probability

chapter = chapter_module("statistical-queries")
BETA = 0.05  # failure probability of the published cases
CUBE = boolean_cube(3)
UNIFORM = FinitePopulation(CUBE, CUBE[:, 0], np.full(8, 1 / 8))
UNIVERSE = np.array([[0.0], [0.0], [1.0], [1.0]]), np.array([False, True, False, True])
QUERIES = [lambda X, y: y, lambda X, y: (X[:, 0] > 0) == y, lambda X, y: ~y]


PATTERNS = np.array(list(product([-1.0, 1.0], repeat=4)))


def conjunction_worst(tau, laws):
    """Largest error over laws, targets and patterns; four features, monotone."""
    learner = ConjunctionSQLearner(4, tau * (1 + 1e-9), monotone=True)
    X = np.vstack([~np.eye(4, dtype=bool), np.ones(4, dtype=bool)])
    predictions, worst = learner.hypotheses.predict(X), 0.0
    for y in predictions:
        answers = (laws[:, :4] * y[:4])[:, None] + tau * PATTERNS
        chosen = learner.chosen(answers.reshape(-1, 4)).reshape(answers.shape[:2])
        errors = np.take_along_axis(laws @ (predictions != y).T, chosen, axis=1)
        worst = max(worst, errors.max())
    return worst


def stump_worst(tau, laws):
    """Largest excess error; four stumps, their negations, eight labelled points."""
    points, labels = np.arange(4).repeat(2), np.tile([False, True], 4)
    truths = laws @ ((points >= np.arange(4)[:, None]) == labels).T
    errors = np.concatenate([1 - truths, truths], axis=1)
    answers = truths[:, None] + tau * PATTERNS
    chosen = np.concatenate([answers, 1 - answers], axis=2).argmax(axis=2)
    found = np.take_along_axis(errors, chosen, axis=1)
    return (found - errors.min(axis=1, keepdims=True)).max()


def worst_errors(tolerances, n_populations, seed):
    """What the learners promise, and the worst found, on one made for it too."""
    rng, rows = np.random.default_rng(seed), []
    instances = rng.dirichlet(np.full(5, 1 / 2), size=n_populations)
    labelled = rng.dirichlet(np.full(8, 1 / 2), size=n_populations)
    for tau in tolerances:
        laws = np.vstack([instances, np.append(np.full(4, 2 * tau), 1 - 8 * tau)])
        promised = ConjunctionSQLearner(4, tau, monotone=True).accuracy(tau)
        rows.append(
            {
                "tolerance": tau,
                "conjunctions, promised": promised,
                "conjunctions, worst found": conjunction_worst(tau, laws),
                "stumps, promised": 2 * tau,
                "stumps, worst found": stump_worst(tau, labelled),
            }
        )
    return pd.DataFrame(rows)


def density_audit(epsilon, n, mode):
    """Largest privacy loss of three answers over all neighbours, by densities."""
    first, _, pairs = neighbouring_datasets(UNIVERSE, n, ordered=True)
    table = []
    for row in first:
        data, how = records(UNIVERSE, row), {"epsilon": epsilon, "mode": mode}
        oracle = PrivateSQOracle(*data, n_queries=3, rng=0, **how)
        table.append([])
        for query in QUERIES:
            law = oracle.output_distribution(query)
            table[-1].append(law.location / law.scale)
            oracle.answer(query)
    table = np.array(table)
    return np.abs(table[pairs[:, 0]] - table[pairs[:, 1]]).sum(axis=1).max()


def transcript_audit(epsilon, n, mode):
    """Exact audit of two answers in cells; the first chooses the second query."""
    edges = np.linspace(-1.0, 2.0, 13)

    def cells(law):
        return np.diff(np.concatenate([[0.0], law.cdf(edges), [1.0]]))

    how = {"n_queries": 2, "epsilon": epsilon, "mode": mode, "rng": 0}

    def law(data):
        oracle = PrivateSQOracle(*data, **how)
        first = cells(oracle.output_distribution(QUERIES[0]))
        oracle.answer(QUERIES[0])
        later = [cells(oracle.output_distribution(query)) for query in QUERIES[1:]]
        return (first[:, None] * np.array(7 * later)).ravel()

    return audit.exact(law, UNIVERSE, n, ordered=True).epsilon


def noise_of_answers(n, epsilon, rho, k, beta):
    """How far off the worst of k answers is, and how far sampling may be."""
    pure, shared = k / (epsilon * n), 1 / (laplace_epsilon(rho / k) * n)
    sigma = sqrt(k / (2 * rho)) / n
    return {
        "n_queries": k,
        "Laplace, ε: mean": laplace_max_error(k, pure),
        "Laplace, ε: quantile": laplace_max_quantile(k, pure, beta=beta),
        "Laplace, ρ: quantile": laplace_max_quantile(k, shared, beta=beta),
        "Gauss, ρ: quantile": gaussian_max_quantile(k, sigma, beta=beta),
        "sampling: bound": sq_accuracy(k, n, beta),
    }


def coins(n):
    """Probabilities of 0, 1, ..., n heads among n fair coins."""
    return binom.pmf(np.arange(n + 1), n, 1 / 2)


def exact_failure(k, n, epsilon, alpha):
    """Chance that one of k independent queries of mean 1/2 is off by over alpha."""
    off, scale = np.abs(np.arange(n + 1) / n - 1 / 2), k / (epsilon * n)
    near = np.exp(-np.abs(alpha - off) / scale) / 2
    beyond = np.where(off < alpha, near, 1 - near)
    beyond += np.exp(-(alpha + off) / scale) / 2
    return -np.expm1(k * np.log1p(-(coins(n) @ beyond)))


def exact_size(k, epsilon, alpha, beta, upper=2**20):
    """Least number of records at which this is at most beta, by bisection."""
    low = 0
    while upper - low > 1:
        n = (low + upper) // 2
        enough = exact_failure(k, n, epsilon, alpha) <= beta
        low, upper = (low, n) if enough else (n, upper)
    return upper


def both_majorities(k, lean):
    """Chance that the k votes of two records both have a majority for agreement."""
    total = 0.0
    for alike in range(k + 1):  # on these the two vote alike, with the lean
        apart = np.arange(k - alike + 1)
        needed = (alike + np.abs(2 * apart - (k - alike))) // 2 + 1
        reached = binom.sf(needed - 1, alike, 0.5 + lean)
        chance = binom.pmf(apart, k - alike, 0.5) @ reached
        total += binom.pmf(alike, k, 0.5) * chance
    return total


def overfitting_probability(k, m, alpha, *, noise_scale=0.0):
    """At least this often the last answer after k is off by more than alpha."""
    how = {"noise_scale": noise_scale}
    lean, mean = vote_lean(m, **how), overfitting_bias(k, m, **how) + 0.5
    covariance = both_majorities(k, lean) - mean**2
    variance = (mean * (1 - mean) + (m - 1) * covariance) / m + 2 * noise_scale**2
    beyond = max(mean - 0.5 - alpha, 0.0)
    return beyond**2 / (beyond**2 + variance)


def violation(k, name, noisy):
    """Mean error and chance to break the promise, at the sample size it names."""
    alpha = 0.1 if name == "1/10" else 1 / k
    n = chapter.free(k, alpha, BETA)
    if noisy:
        n = chapter.private(k, alpha, 1.0, BETA, form="halves")
    how = {"noise_scale": k / n if noisy else 0.0}
    bias = overfitting_bias(k - 1, n, **how)
    chance = overfitting_probability(k - 1, n, alpha, **how)
    return k, name, "yes" if noisy else "no", n, bias, bias / alpha, chance


def mean_size(n, scale):
    """Mean of |A + L|: the error of a mean over n coins, and Laplace noise."""
    off = np.abs(np.arange(n + 1) / n - 1 / 2)
    return coins(n) @ (off + scale * np.exp(-off / scale) if scale else off)


def last_answer(k, n, epsilon, beta):
    """Errors of the last answer to the signed majority with n records."""
    scale, batch = k / (epsilon * n), n // k
    hidden = overfitting_bias(k - 1, n, noise_scale=scale)
    return {
        "n_samples": n,
        "promised for fixed queries": sq_accuracy(k, n, beta),
        "one sample": overfitting_bias(k - 1, n),
        "one sample, private": hidden + scale * exp(-hidden / scale),
        "batches": mean_size(batch, 0.0),
        "batches, private": mean_size(batch, 1 / (epsilon * batch)),
    }


def price(alpha_k, k, epsilon, beta, adaptive=False):
    """Private over free number of records; none where alpha would be 1 or more."""
    alpha = alpha_k / k
    if alpha >= 1:
        return np.nan
    paid = chapter.private(k, alpha, epsilon, beta, adaptive=adaptive)
    return paid / (chapter.free(k, alpha, beta) * (k if adaptive else 1))


def prices(products, counts, epsilon, beta):
    """Prices against alpha k of fixed queries, and of batches for the last k."""

    def of(k, **how):
        return [price(p, k, epsilon, beta, **how) for p in products]

    fixed = {f"fixed, k = {k}": of(k) for k in counts}
    last = counts[-1]
    batches = {f"batches, k = {last}": of(last, adaptive=True)}
    return pd.DataFrame({"product": products} | fixed | batches)


def walsh_hadamard(values):
    """Mean of a function on the cube times each parity, as a sign."""
    d = values.size.bit_length() - 1
    sums = values.reshape((2,) * d)
    for axis in range(d):
        zero, one = np.moveaxis(sums, axis, 0)
        sums = np.stack([zero + one, zero - one], axis)
    return sums.ravel() / values.size


def parity_truths(query, d):
    """Means of a query if labels are fair coins, and for each parity; the lemma."""
    cube = boolean_cube(d)
    zero, one = (query(cube, np.full(1 << d, y)) * 1.0 for y in (False, True))
    fair = (zero + one).mean() / 2
    return fair, fair + walsh_hadamard(zero - one) / 2


def sample_sizes(k, alpha, epsilon, rho, beta):
    """Records that are enough for k answers."""

    def gauss(m):
        return concentrated_sq_accuracy(k, m, rho, beta=beta)

    return {
        "n_queries": k,
        "fixed": chapter.free(k, alpha, beta),
        "fixed, Laplace, ε": chapter.private(k, alpha, epsilon, beta),
        "fixed, Gauss, ρ": required_sample_size(gauss, alpha),
        "batches": chapter.free(k, alpha, beta, adaptive=True),
        "batches, Laplace, ε": chapter.private(k, alpha, epsilon, beta, adaptive=True),
    }


def parities_ruled_out(tolerance):
    """The largest whole number below one over four squares of the tolerance."""
    return ceil(1 / (4 * Fraction(tolerance) ** 2)) - 1


def most_ruled_out(d, tolerances):
    """Most parities that one query rules out, of all with values 0 and 1."""
    differences = np.array(list(product([-1.0, 0.0, 1.0], repeat=1 << d)))
    signs = np.array([walsh_hadamard(row) for row in np.eye(1 << d)])
    shifts = np.abs(differences @ signs) / 2
    return [int((shifts > tau).sum(axis=1).max()) for tau in tolerances]


class ParityAdversary(SQOracle):
    """Oracle for a parity that is not chosen until the learner has finished."""

    def __init__(self, d, tolerance):
        super().__init__()
        self.d, self.tolerance, self.consistent = d, tolerance, np.arange(1 << d)

    def _respond(self, query, n_answers):
        fair, truths = parity_truths(query, self.d)
        truths = truths[self.consistent]
        ruled_out = (np.abs(truths - fair) > self.tolerance).all()
        answer = np.sort(truths)[truths.size // 2] if ruled_out else fair
        kept = np.abs(truths - answer) <= self.tolerance
        self.consistent = self.consistent[kept]
        return [answer]


def single_parities(d):
    """Ask of one parity after the other how often it agrees with the label."""
    for digits in boolean_cube(d).astype(np.int64)[::-1]:
        yield lambda X, y, digits=digits: (X @ digits % 2 == 1) == y


def sixteen_at_once(d):
    """Correlate with sixteen parities at once, by 1/4 each: a bent function."""
    for digits in boolean_cube(d - 4).astype(np.int64)[::-1]:

        def query(X, y, digits=digits):
            X = X.astype(np.int64)
            bent = X[:, 0] * X[:, 1] + X[:, 2] * X[:, 3] + X[:, 4:] @ digits
            return (bent % 2 == 1) == y

        yield query


def parities_left(d, tolerance, counts, questions):
    """Parities consistent with the adversary's answers after so many queries."""
    oracle, asking, left = ParityAdversary(d, tolerance), questions(d), []
    for k in counts:
        while oracle.n_answered < k and (query := next(asking, None)) is not None:
            oracle.answer(query)
        left.append(len(oracle.consistent))
    return left


def parity_audit(epsilon, variant):
    """Rate, chance to give up, exact epsilon on two records of two features."""
    cube = boolean_cube(2)
    universe = np.repeat(cube, 2, axis=0), np.tile([False, True], len(cube))

    def law(data):
        return parity_distribution(*data, epsilon, variant=variant)

    found = audit.exact(law, universe, 2).epsilon
    names = [f"{name}, {variant}" for name in ("rate", "gives up", "exact")]
    return dict(
        zip(names, [*parity_plan(epsilon, variant=variant), found], strict=True)
    )


def wrong_given_seen(d):
    """For each set of instances seen, the chance that a solution is wrong."""
    instances = boolean_cube(d).astype(np.int64)
    sets = boolean_cube(1 << d).astype(np.int64)
    clashes = sets @ ((instances @ instances.T) % 2)  # with the empty parity
    return 1 - 1 / (clashes == 0).sum(axis=1)


def wrong_parity(d, n, rate):
    """Chance that a learner that does not give up is wrong, for uniform x."""
    n_points, sets = 1 << d, boolean_cube(1 << d)
    chances = (1 - rate * (1 - sets.sum(axis=1) / n_points)) ** n  # only these
    for point in range(n_points):  # inclusion and exclusion: just these are seen
        pairs = chances.reshape(-1, 2, 1 << point)
        pairs[:, 1] -= pairs[:, 0]
    return chances @ wrong_given_seen(d)


def private_parity_failure(d, m, epsilon, alpha, *, variant="sharp"):
    """Part 2 of the theorem: a parity wrong by more than alpha is left."""
    rate = parity_plan(epsilon, variant=variant).sampling_rate
    return min(1.0, (2**d - 1) * (1 - rate * alpha) ** m)


def parity_failures(n, epsilon, largest_enumerated=14):
    """Failure of three private learners with n records, and one bound."""
    row, law = {"n_samples": n}, exponential_mistake_learner(epsilon)
    for variant in ("sharp", "source"):
        rate, abort = parity_plan(epsilon, variant=variant)
        wrong = wrong_parity(3, n, rate)
        row[f"subsample, {variant}"] = abort + (1 - abort) * wrong
    abort = parity_plan(epsilon).abort
    promised = private_parity_failure(3, n, epsilon, 0.5)
    row["sharp, promised"] = abort + (1 - abort) * promised
    row["exponential mechanism"] = np.nan
    if n <= largest_enumerated:
        exact = failure_probability(law, Parities(3), UNIFORM, n, 0.25)
        row["exponential mechanism"] = exact
    return row


def chosen_stumps(mistakes, n_training, noise, epsilon, n_draws, rng):
    """Stumps that `StumpSQLearner` chooses in independent runs, by mistakes."""
    agreement = 1 - mistakes[: len(mistakes) // 2] / n_training
    budget = {"epsilon": epsilon} if noise == "laplace" else {"rho": epsilon**2 / 2}
    nobody = np.zeros((n_training, 1)), np.zeros(n_training, dtype=bool)
    k = len(agreement)
    oracle = PrivateSQOracle(*nobody, n_queries=k, noise=noise, **budget)
    draw = rng.laplace if noise == "laplace" else rng.normal
    answers = agreement + draw(scale=oracle.scale, size=(n_draws, k))  # public
    return np.concatenate([answers, 1 - answers], axis=1).argmax(axis=1)


def tumours(splits, n_training, epsilons, n_draws, rng):
    """Mean accuracy on held-out tumours, and the standard error of the noise."""
    noises = {"Laplace, ε": "laplace", "Gauss, ρ = ε²/2": "gaussian"}
    erm, rows = np.mean([right[wrong.argmin()] for wrong, right, _ in splits]), []
    for e in epsilons:
        law = exponential_mistake_learner(e)
        exact = [law(wrong[None])[0] @ right for wrong, right, _ in splits]
        rows.append((e, "exponential mechanism, ε", np.mean(exact), 0.0))
        for name, noise in noises.items():
            drawn = np.array(
                [
                    right[chosen_stumps(wrong, n_training, noise, e, n_draws, rng)]
                    for wrong, right, _ in splits
                ]
            )
            error = np.sqrt(drawn.var(axis=1, ddof=1).mean() / drawn.size)
            rows.append((e, f"queries, {name}", drawn.mean(), error))
        rows.append((e, "no privacy", erm, 0.0))
    return pd.DataFrame(rows, columns=["epsilon", "curve", "accuracy", "error"])
