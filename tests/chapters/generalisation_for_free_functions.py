"""Functions with which the tests of adaptive data analysis check the theorems of the chapter."""

from math import ceil, comb, exp, factorial, inf, log, log1p, sqrt, tanh
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.optimize import brentq, minimize_scalar
from scipy.special import betainc

from book.tools.chapter_code import chapter_module
from privml.bounds import required_sample_size
from privml.bounds.statistical_queries import overfitting_bias
from privml.learnability import (
    LearningProblem,
    coin_problem,
    count_vectors,
    exact_privacy,
    expected_gap_from_privacy,
    exponential_learner,
    generalisation_deviation,
    generalisation_gap,
    generalisation_tail,
    neighbours,
    posterior_mean,
    simplex_grid,
    thresholds_problem,
    total_variation_stability,
)

chapter = chapter_module("generalisation-for-free")


def log_odds(epsilon, m):
    """For every cut: its risk, the empirical risk that led to it, and the range."""
    problem = thresholds_problem(2)
    law, p = exponential_learner(problem, epsilon), np.array([7, 6, 5, 4]) / 22
    spent = exact_privacy(law, problem.n_records, m).value
    probability, risk, remembered = chapter.remembered_risks(law, problem, p, m)
    return pd.DataFrame(
        {
            "cut": problem.hypotheses,
            "probability": probability,
            "lower": posterior_mean(risk, -spent),
            "remembered": remembered,
            "risk": risk,
            "upper": posterior_mean(risk, spent),
        }
    )


def memoriser(K, m, epsilon):
    """A problem and the learner that tilts a coin for every record of a kind."""
    coins = np.array(list(np.ndindex(*[2] * (K * m))), dtype=bool).reshape(-1, K, m)
    low = exp(-epsilon / 2) / (1 + exp(-epsilon / 2))
    high = 1 / (1 + exp(-epsilon / 2))

    def law(counts):
        tilted = np.arange(m) < np.asarray(counts)[:, :, None]
        return np.where(coins == tilted[:, None], high, low).prod(axis=(2, 3))

    return LearningProblem(1.0 - coins[:, :, 0]), law


def memoriser_gap(K, m, epsilon):
    """Its expected gap on uniform records."""
    return tanh(epsilon / 4) * (1 - 1 / K) ** m


def memoriser_tail(m, epsilon, tau):
    """P(Bin(m, q) >= m (p + tau)): overfitting in a very large universe."""
    p = exp(-epsilon / 2) / (1 + exp(-epsilon / 2))
    needed = ceil(m * (p + tau) - 1e-9)
    return betainc(needed, m - needed + 1, 1 - p) if needed <= m else 0.0


def worst_gap(m, problem, law):
    """Exact epsilon, total variation, largest gap over populations, bound."""
    kinds = problem.n_records
    spent = exact_privacy(law, kinds, m).value
    variation = total_variation_stability(law, kinds, m).value
    grid = simplex_grid(kinds, 40 if kinds == 2 else 6)
    gap = np.max(generalisation_gap(law, problem, grid, m))
    return m, spent, variation, gap, expected_gap_from_privacy(spent)


def mean_gaps(epsilon, m=1000):
    """Promises of stability and here; memoriser of 10^6 kinds; nine coins."""
    coin = coin_problem()
    law = exponential_learner(coin, epsilon)
    gap = generalisation_gap(law, coin, simplex_grid(2, 40), 9)
    worst = memoriser_gap(10**6, m, epsilon)
    return epsilon, tanh(epsilon / 2), tanh(epsilon / 4), worst, gap.max()


def monitor_tail(m, epsilon, tau, delta=0.0, *, two_sided=True):
    """The bound of the monitor, below, at the best T and eta of a grid."""
    T = np.unique(np.floor(np.geomspace(1, 1e15, 240)))[:, None]
    eta = np.geomspace(tau * 1e-3, 4, 160)
    s = np.minimum(1, T * delta)
    gap = s + (1 - s) * np.tanh((epsilon + eta) / 4) + np.log(T + 1) / (eta * m)
    share = gap.min(axis=1) / tau  # of 1 - (1 - beta)^T
    failure = -np.expm1(np.log1p(-share[share < 1]) / T[share < 1, 0])
    return min(1.0, (1 + two_sided) * failure.min(initial=1.0))


def monitor_sample_size(tau, epsilon, beta, delta=0.0, *, two_sided=True):
    """Fewest records at which the bound of the monitor is at most beta."""

    def tail(m):
        return monitor_tail(m, epsilon, tau, delta, two_sided=two_sided)

    return required_sample_size(tail, beta)


def monitor_terms(epsilon, beta):
    """The round constants: tau, records that are enough, largest delta."""
    m = ceil(2 * log(2 + 1 / beta) / epsilon**2)
    return 12 * epsilon / 5, m, epsilon * beta / 4


def records_needed(tau, beta, delta):
    """Records for accuracy tau with epsilon = tau / 4, by four theorems."""
    epsilon = tau / 4

    def monitor(slack):
        return monitor_sample_size(tau, epsilon, beta, slack)

    def deviation(e):
        return lambda m: generalisation_deviation(m, e, beta=beta)

    fixed, pure = (required_sample_size(deviation(e), tau) for e in (0.0, epsilon))
    printed = ceil(12 * log(4 / beta) / tau**2)  # Lemma 38
    return tau, fixed, pure, printed, monitor(0.0), monitor(delta)


def tails(m, epsilon, tau, delta):
    """One side: exact for the coin and the memoriser, then four bounds."""
    coin, one = coin_problem(), {"two_sided": False}
    law = exponential_learner(coin, epsilon)
    true = chapter.exact_generalisation_tail(law, coin, [0.5, 0.5], m, tau, **one)
    worst = memoriser_tail(m, epsilon, tau)
    pure = generalisation_tail(m, epsilon, tau=tau, **one)
    printed = 4 * exp(-m * tau**2 / 12) if epsilon < tau / 2 else 1.0

    def monitor(slack):
        return monitor_tail(m, epsilon, tau, slack, **one)

    return tau, true, worst, pure, min(1.0, printed), monitor(0.0), monitor(delta)


def monitor_privacy(law, problem, p, m, *, eta):
    """Exact epsilon of the monitor of two runs, over all samples and neighbours."""
    counts = count_vectors(problem.n_records, m)
    with np.errstate(divide="ignore"):
        logs = np.log(law(counts))  # of each output
    scores = eta * m * (problem.risk(p) - problem.empirical_risk(counts))
    published = []
    for output, one in zip(
        logs, scores, strict=False
    ):  # first sample, against every second
        one, two = one[:, None], scores[:, None, :]
        joint = output[:, None] + logs[:, None, :]
        joint = joint - np.logaddexp(np.logaddexp(one, two), 0)
        first = np.logaddexp.reduce(joint + one, axis=2)
        second = np.logaddexp.reduce(joint + two, axis=1)
        none = np.logaddexp.reduce(joint.reshape(len(joint), -1), axis=1)
        published.append(np.column_stack([first, second, none]))
    published, pairs = np.array(published), neighbours(problem.n_records, m)
    with np.errstate(invalid="ignore"):  # impossible on both
        return np.nanmax(np.abs(published[pairs[:, 0]] - published[pairs[:, 1]]))


def monitor_audit(law, m, eta):
    """Exact epsilon of the monitor of two runs, and what is promised."""
    spent = monitor_privacy(law, coin_problem(), [0.5, 0.5], m, eta=eta)
    return eta, spent, exact_privacy(law, 2, m).value + eta


def chosen_gap(values, weights, rate, T):
    """Mean of sum g w / (1 + sum w) over T independent gaps g with w = e^(rate g).

    1 / a is the integral of e^(-s a): in u = ln s it is a sum of smooth bumps.
    """
    low = -40 - log(T) - max(0.0, rate * values.max())
    u = np.linspace(low, 5, int((5 - low) / 0.02) + 1)
    x = np.minimum(u[:, None] + rate * values, 700)  # s w = e^x
    published = np.exp(x - np.exp(x)) @ (weights * values)
    decay = np.maximum(np.expm1(-np.exp(x)) @ weights, 1e-16 - 1)
    mean = published * np.exp((T - 1) * np.log1p(decay) - np.exp(u))
    return T * mean.sum() * (5 - low) / (len(u) - 1)


class MonitoredGap(NamedTuple):
    largest: float  # mean of the largest gap of the runs, or of 0
    chosen: float
    mean: float  # of one run


def monitored_gap(law, problem, p, m, *, n_runs, eta):
    """What the monitor of so many runs finds, exactly."""
    joint, empirical = chapter.joint_law(law, problem, p, m)
    gaps = (problem.risk(p) - empirical).round(12)
    values, where = np.unique(gaps, return_inverse=True)
    weights = np.bincount(where.ravel(), joint.ravel(), len(values))
    values, weights = values[weights > 0], weights[weights > 0]
    below = np.append(0.0, np.cumsum(weights)) ** n_runs
    largest = np.diff(below) @ np.maximum(values, 0)
    chosen = chosen_gap(values, weights, eta * m, n_runs)
    return MonitoredGap(largest, chosen, values @ weights)


def monitored_coin(law, m, eta, runs):
    """Largest and chosen gap of so many runs on fair coins."""
    found = monitored_gap(law, coin_problem(), [0.5, 0.5], m, n_runs=runs, eta=eta)
    return found.largest, found.chosen


def excess(x):
    """X - 1 - ln x, without cancellation near 1."""
    step = x - 1
    return step - log1p(step) if step < 1 else step - log(x)


def mean_square_gap(rho, m):
    """Of a rho-concentrated learner, at most: x / (4 m), excess(x) = 2 m rho."""
    if rho == 0:
        return 1 / (4 * m)
    top = 2 + 4 * m * rho + 4 * sqrt(m * rho)

    def miss(x):
        return excess(x) - 2 * m * rho

    return brentq(miss, 1, top, xtol=1e-15, rtol=1e-15) / (4 * m)


def noise_and_error(k):
    """Best m sigma^2 for k answers, and m times the mean square of their error."""
    if k == 1:
        return 0.0, 1 / 4

    def error(x):
        return (k - 1) / excess(x) + x / 4

    ends, options = (1 + 1e-6, 10 + 4 * sqrt(k)), {"xatol": 1e-10}
    x = minimize_scalar(error, bounds=ends, options=options).x
    return (k - 1) / excess(x), error(x)


def gaussian_answers(m, k):
    """Noise sigma, privacy rho and root-mean-square error of k answers."""
    noise, error = noise_and_error(k)
    rho = k / (2 * noise * m) if noise else inf
    return sqrt(noise / m), rho, sqrt(error / m)


def noise_and_promise(answers, m, k):
    """Noise on each of k answers; promised root-mean-square error of the last."""
    sigma, rho, error = gaussian_answers(m, k)
    if answers == "gaussian":
        return sigma, error
    if answers == "laplace":  # with the same privacy rho
        scale = 1 / (m * sqrt(2 * rho / k))
        bias = mean_square_gap(rho * (k - 1) / k, m)
        return scale, sqrt(2 * scale**2 + bias)
    return 0.0, chapter.split_error(m, k) if answers == "split" else inf


def game(k, m, answers, repetitions, rng):
    """Errors of the last answer after k features, by the way to answer."""
    noise, promised = noise_and_promise(answers, m, k + 1)
    draws = {"repetitions": repetitions, "rng": rng}
    errors = chapter.majority_errors(k, m, answers=answers, noise=noise, **draws)
    truth = {"gaussian": np.nan, "split": 0.0}.get(answers)
    truth = overfitting_bias(k, m, noise_scale=noise) if truth is None else truth
    spread, rms = errors.std(ddof=1) / sqrt(repetitions), sqrt(np.mean(errors**2))
    return k, answers, noise, errors.mean(), spread, rms, promised, truth


def sweep_row(k, m, noise):
    """Exact bias after Laplace noise, its deviation, the bound on the bias."""
    rho = k / (2 * (noise * m) ** 2)
    bias = overfitting_bias(k, m, noise_scale=noise)
    return noise, bias, sqrt(2) * noise, sqrt(rho / 2)


def centre(n, power=10):
    """The minimiser of the mean of |x - h|^power for a 1 among n - 1 zeros."""

    def slope(h):
        return (n - 1) * h ** (power - 1) - (1 - h) ** (power - 1)

    return brentq(slope, 0, 1, xtol=1e-15)


def noise_excess(scale, power):
    """Excess of Laplace noise around the centre 1/2 of as many zeros as ones."""

    def moment(i):
        return factorial(i) * scale**i

    orders = range(2, power + 1, 2)
    return sum(comb(power, i) * moment(i) / 2 ** (power - i) for i in orders)


def lemma_floor(m, beta=None):
    """What the route through Lemma 38 gives at best, however small epsilon is."""
    beta = beta or 1 / sqrt(m)
    return sqrt(12 * log(4 / beta) / m) + beta


def routes(m):
    """Exact excess for fair coins, its AERM gap, and the rates by two proofs."""
    epsilon = m ** (-2 / 3)
    aerm = noise_excess(1 / (epsilon * m), 2)
    tail = aerm + max(2 * epsilon, lemma_floor(m))
    stability = aerm + expected_gap_from_privacy(epsilon)
    return float(m), aerm + 1 / (4 * m), aerm, stability, tail, log(m) / sqrt(m)
