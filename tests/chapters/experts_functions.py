"""Functions with which the tests of experts check the theorems of the chapter, and what the sources print."""

from itertools import product
from math import exp, inf, lgamma, log, sqrt

import numpy as np
import pandas as pd

from book.tools.chapter_code import chapter_module
from privml import audit
from privml.bounds import experts as bounds
from privml.composition import advanced_epsilon, nonadaptive_range_delta
from privml.divergences import max_divergence
from privml.guarantee import bounded_range_rho, concentrated_delta
from privml.learners import experts
from privml.mechanisms import ExponentialMechanism

chapter = chapter_module("experts")


def opposite_losses(T, k=2, favoured=1):
    """Neighbours: in round 1 some experts lose nothing, or all others; afterwards nobody loses."""
    first, second = np.zeros((2, T, k), dtype=bool)
    first[0, favoured:] = True
    second[0, :favoured] = True
    return first, second


def random_losses(T, k, rng, gap=0.0):
    """Fair coins as losses, but for a first expert that is better by the gap."""
    means = np.full(k, 0.5)
    means[0] -= gap
    return np.random.default_rng(rng).random((T, k)) < means


def worst_regret(T, k, eta, values=(0, 1)):
    """Largest expected regret over all sequences of these losses."""
    vectors = list(product(values, repeat=k))
    losses = np.array(list(product(vectors, repeat=T)), dtype=float)
    past = np.cumsum(losses, axis=1) - losses
    weights = np.exp(-np.reshape(eta, (-1, 1)) * past)
    suffered = (weights * losses).sum(axis=2) / weights.sum(axis=2)
    return (suffered.sum(axis=1) - losses.sum(axis=1).min(axis=1)).max() / T


def worst_regrets(cases, etas):
    """Exact largest expected regret over all loss sequences, beside both bounds."""
    rows = []
    for (k, T), eta in product(cases, etas):
        worst = worst_regret(T, k, eta)
        signs = worst_regret(T, k, eta, values=(-1, 1))
        sizes = {"n_experts": k, "n_rounds": T, "capped": False}

        def bound(c):
            return bounds.regret_bound(eta, **sizes, constant=c)

        rows.append((k, T, eta, worst, signs, bound("hoeffding"), bound("dr11")))
    names = ["k", "T", "eta", "worst", "signs", "hoeffding", "dr11"]
    return pd.DataFrame(rows, columns=names)


def worst_of_two(T, eta):
    """Largest regret over zeros and ones, from the last round backwards."""
    d = np.arange(-T, T + 1)
    value = np.abs(d) / 2
    for rate in np.broadcast_to(eta, T)[::-1]:
        p = (1 - np.tanh(rate * d / 2)) / 2
        up, down = np.append(value[1:], -inf), np.append(-inf, value[:-1])
        value = np.max([value, p - 0.5 + up, 0.5 - p + down], axis=0)
    return value[T] / T


def fair_coin_regret(T):
    """Expected regret of every learner on two experts with fair coins as losses."""
    return exp(lgamma(2 * T + 1) - 2 * lgamma(T + 1) - 2 * T * log(2)) / 2


def regret_by_rounds(rounds):
    """Regret for two experts at the best rate for each horizon."""
    return pd.DataFrame(
        [
            {
                "T": T,
                "bound, DR11": bounds.best_regret_bound(2, T, constant="dr11"),
                "bound, Hoeffding": bounds.best_regret_bound(2, T),
                "exact worst losses": worst_of_two(T, bounds.best_eta(2, T)),
                "fair coins, any learner": fair_coin_regret(T),
            }
            for T in rounds
        ]
    )


def many_experts(counts, T, *, seed):
    """Fair coins, many experts: exact regret of weighted majority on one run."""
    rows, sources = [], np.random.default_rng(seed).spawn(len(counts))
    for k, rng in zip(counts, sources, strict=False):
        losses = random_losses(T, k, rng)
        found = experts.expected_regret(losses, bounds.best_eta(k, T))
        bound = bounds.best_regret_bound(k, T)
        rows.append((k, found, bound, found / bound))
    return pd.DataFrame(rows, columns=["k", "regret", "bound", "share"])


def rare_expert(counts, eta):
    """Largest loss of a round, over eta, when one expert of k changes its order."""
    mechanism = ExponentialMechanism(epsilon=2 * eta, sensitivity=1.0)

    def loss(k, lower):
        losses = np.full((2, k), lower)
        losses[0, 0], losses[1, 1:] = 1.0, 1.0
        p, q = (mechanism.output_distribution(-vector) for vector in losses)
        return max(max_divergence(p, q), max_divergence(q, p)) / eta

    rows = [(k, loss(k, 0.0), loss(k, -1.0)) for k in counts]
    names = ["k", "losses in [0, 1]", "losses in [-1, 1]"]
    return pd.DataFrame(rows, columns=names)


def resolution_check(T, k, eta, resolutions, *, seed):
    """Epsilon of a run on losses off the grid, drawn uniformly, by resolution."""
    rng = np.random.default_rng(seed)
    first = rng.random((T, k))
    second = first.copy()
    second[0] = rng.random(k)

    def curve(r):
        return experts.run_curves(first, second, eta, resolution=r)

    epsilons = [curve(r).epsilon(1e-5) for r in resolutions]
    return pd.DataFrame({"resolution": resolutions, "epsilon": epsilons})


def advanced_delta(step, k, epsilon):
    """Least delta at which advanced composition gives epsilon, at most 1."""
    rest = epsilon - advanced_epsilon(step, k, 1 - 1e-15)
    return min(1.0, exp(-(rest**2) / (2 * k * step * step))) if rest > 0 else 1.0


def run_delta_curves(eta, T, least, epsilons):
    """delta(epsilon) of a run: exact for one pair, the optimum, the accountants."""
    exact = experts.run_curves(*opposite_losses(T), eta)
    rho, optimum = experts.concentrated_run(eta, T).rho, nonadaptive_range_delta
    curves = {
        "advanced composition": lambda e: advanced_delta(2 * eta, T, e),
        "concentrated": lambda e: concentrated_delta(rho=rho, epsilon=e),
        "all fixed losses, any k": lambda e: optimum(2 * eta, T - 1, e),
        "exact, opposite losses": exact.delta,
    }
    table = {name: map(curve, epsilons) for name, curve in curves.items()}
    table = pd.DataFrame(table)
    table.insert(0, "epsilon", epsilons)
    return table.where(table.ge(least) | (table.columns == "epsilon"))


def pair_limit(epsilon, delta, T, start):
    """Largest rate at which the opposite losses keep (epsilon, delta), to 1e-6."""
    losses, low, high = opposite_losses(T), start * (1 - 1e-9), 2 * start
    while high / low > 1 + 1e-6:
        middle = sqrt(low * high)
        kept = experts.run_curves(*losses, middle).delta(epsilon) <= delta
        low, high = (middle, high) if kept else (low, middle)
    return low


def rate_multiples(pairs, T):
    """Private rates over the printed one, and the limit of one pair."""
    rows = []
    for case in pairs:
        printed, *largest = chapter.rates_of_a_run(*case, T)
        rates = [
            chapter.simple_eta(*case, T),
            *largest,
            pair_limit(*case, T, largest[1]),
        ]
        rows.append((*case, *(rate / printed for rate in rates)))
    names = ["epsilon", "delta", "simple", "concentrated", "nonadaptive", "pair"]
    return pd.DataFrame(rows, columns=names)


def four_times_holds(epsilon, delta):
    """The condition of the theorem, in logarithms, for epsilon below 4 L."""
    L = log(1 / delta)
    return epsilon / 2 - epsilon**2 / (16 * L) <= 1 + log(2 * L / epsilon - 1 / 2)


def multiples_by_epsilon(epsilons, delta, T):
    """Private rates against epsilon, as multiples of the printed rate."""
    rows = []
    for epsilon in epsilons:
        printed, tight, fixed = chapter.rates_of_a_run(epsilon, delta, T)
        four = 4 * printed if four_times_holds(epsilon, delta) else np.nan
        rates = fixed, tight, four, chapter.simple_eta(epsilon, delta, T)
        rows.append((epsilon, *(rate / printed for rate in rates)))
    names = ["largest for fixed losses", "concentrated, tight"]
    names += ["four times, as proved", "concentrated, simple"]
    return pd.DataFrame(rows, columns=["epsilon", *names])


def favoured_share(counts, eta, T, epsilon):
    """How close the best share of favoured experts comes to the optimum."""
    optimum, rows = nonadaptive_range_delta(2 * eta, T - 1, epsilon), []
    for k in counts:
        numbers = range(max(1, k // 2 - k // 25), k // 2 + 1)
        pairs = (opposite_losses(T, k, n) for n in numbers)
        deltas = [experts.run_curves(*pair, eta).delta(epsilon) for pair in pairs]
        best = int(np.argmax(deltas))
        rows.append((k, numbers[best], deltas[best], deltas[best] / optimum))
    return pd.DataFrame(rows, columns=["k", "favoured", "delta", "share"])


def run_audits(cases, eta):
    """Exact audits of whole runs over all loss sequences on a grid."""
    rows = []
    for k, T, n_values in cases:
        vectors = np.array(list(product(np.linspace(0, 1, n_values), repeat=k)))

        def law(losses):
            return experts.action_sequence_distribution(losses, eta)

        found = audit.exact(law, vectors, T, ordered=True)
        optimum = nonadaptive_range_delta(2 * eta, T - 1, eta / 2)
        losses = found.epsilon, 2 * eta * (T - 1), found.delta(eta / 2), optimum
        rows.append((k, T, n_values, found.n_pairs, *losses))
    names = ["k", "T", "losses", "pairs", "exact epsilon", "2 eta (T - 1)"]
    return pd.DataFrame(rows, columns=[*names, "exact delta", "optimum"])


def fixed_answer(eta, T, epsilon):
    """Largest delta over losses that are fixed in advance, by going through all."""
    first, second = (losses.astype(float) for losses in opposite_losses(T))
    largest = 0.0
    for later in product(((0, 0), (0, 1), (1, 0)), repeat=T - 2):
        first[1:-1] = second[1:-1] = np.reshape(later, (-1, 2))
        curves = experts.run_curves(first, second, eta)
        largest = max(largest, curves.forth.delta(epsilon))
    return largest


def answering_adversary(eta, rounds, epsilons):
    """Both adversaries, the optimum for fixed losses, concentrated privacy."""
    rows = []
    for T, epsilon in product(rounds, epsilons):
        found = fixed_answer(eta, T, epsilon), chapter.answer(eta, T, epsilon)
        optimum = nonadaptive_range_delta(2 * eta, T - 1, epsilon)
        safe = concentrated_delta(
            rho=experts.concentrated_run(eta, T).rho, epsilon=epsilon
        )
        rows.append((T, epsilon, *found, optimum, safe))
    names = ["T", "epsilon", "fixed", "adaptive", "optimum", "concentrated"]
    return pd.DataFrame(rows, columns=names)


def very_large_epsilon(cases, T):
    """Exact delta of the opposite losses at the printed rate, beside the claim."""
    rows = []
    for epsilon, delta in cases:
        eta = epsilon / sqrt(-32 * T * log(delta))
        exact = experts.run_curves(*opposite_losses(T), eta).delta(epsilon)
        rows.append((epsilon, delta, exact, -epsilon / log(delta)))
    names = ["epsilon", "claimed", "exact", "over ln(1/delta)"]
    return pd.DataFrame(rows, columns=names)


def printed_chain(cases, delta):
    """The printed chain for two experts, beside the exact worst regret."""
    rows, most = [], bounds.most_epsilon_closed(delta, 2)
    for epsilon, T in cases:
        eta = bounds.private_eta_dr11(epsilon, delta, T)
        first = bounds.private_regret_bound(epsilon, delta, T, 2)
        second = 2 * log(2) / (eta * T)
        exact = worst_of_two(T, eta)
        rows.append((epsilon, T, first, second, exact, most))
    names = ["epsilon", "T", "first line", "second line", "exact", "most epsilon"]
    return pd.DataFrame(rows, columns=names)


def private_regret_by_rounds(rounds, epsilon, delta):
    """Two experts: exact worst regret at several rates, and Theorem 11.3."""
    rows, bound = [], bounds.private_regret_bound
    for T in rounds:
        case = epsilon, delta, T
        oblivious = experts.private_eta(*case, method="nonadaptive")
        rows.append(
            {
                "T": T,
                "bound, DR11 closed": bound(*case, 2, form="closed"),
                "bound, DR11 sum": bound(*case, 2),
                "exact, printed rate": worst_of_two(T, bounds.private_eta_dr11(*case)),
                "exact, largest private rate": worst_of_two(T, oblivious),
                "exact, no privacy": worst_of_two(T, bounds.best_eta(2, T)),
            }
        )
    return pd.DataFrame(rows)


def prices_of(n_experts, epsilons, delta, T):
    """Regret bounds with privacy over those without, as printed and sharp."""
    rows, bound = [], bounds.private_regret_bound
    best = bounds.best_regret_bound(n_experts, T)
    loose = bounds.best_regret_bound(n_experts, T, constant="dr11")
    for epsilon in epsilons:
        case = epsilon, delta, T
        printed = bound(*case, n_experts, form="closed")
        private = experts.private_eta(*case, method="nonadaptive")
        eta = min(private, bounds.best_eta(n_experts, T))
        sharp = bounds.regret_bound(eta, n_experts=n_experts, n_rounds=T)
        rows.append((epsilon, printed / loose, sharp / best))
    return pd.DataFrame(rows, columns=["epsilon", "printed", "sharp"])


def total_loss_law(losses, eta):
    """Exact law of the learner's total, for losses of 0 and 1 fixed in advance."""
    law = np.ones(1)
    for chance in (experts.action_probabilities(losses, eta) * losses).sum(axis=1):
        law = np.convolve(law, [1 - chance, chance])
    return law


def regret_quantiles(T, k, eta, betas, *, seed):
    """Exact quantiles of the regret on fair coins, less its mean, and theorems."""
    law = total_loss_law(random_losses(T, k, seed), eta)
    mean, tail = law @ np.arange(T + 1), law[::-1].cumsum()[::-1]

    def exceeded(beta):
        return np.flatnonzero(tail > beta).max()

    deviation = bounds.regret_deviation
    return pd.DataFrame(
        {
            "beta": betas,
            "DR11": [deviation(T, beta, k, deviation="dr11") for beta in betas],
            "Azuma": [deviation(T, beta, k) for beta in betas],
            "exact": [(exceeded(beta) - mean) / T for beta in betas],
        }
    )


def signed_losses(betas, T):
    """Losses +1 and -1 of two experts: chance to exceed the mean by deviations."""
    fair = total_loss_law(np.tile([[0, 1], [1, 0]], (T // 2, 1)), 1e-12)
    mean, rows = (2 * np.arange(T + 1) - T) / T, []
    for beta in betas:
        printed = sqrt(log(2 / beta) / T)
        correct = 2 * bounds.regret_deviation(T, beta, 2)
        rows.append((beta, fair[mean > printed].sum(), fair[mean > correct].sum()))
    return pd.DataFrame(rows, columns=["beta", "printed", "correct"])


def epochs(T):
    """Epochs of 1, 2, 4, ... rounds: start, length, and rounds that are played."""
    lengths = [2**m for m in range(T.bit_length())]
    return [(n - 1, n, min(n, T - n + 1)) for n in lengths]


def doubling_probabilities(losses, rate):
    """Choices of a run that forgets everything at the end of an epoch."""
    return np.concatenate(
        [
            experts.action_probabilities(losses[start : start + played], rate(n))
            for start, n, played in epochs(len(losses))
        ]
    )


def doubling_bound(T, k, rate):
    """Bound on the regret of a run in epochs: the sum of their bounds."""
    parts = ((played / 8, rate(n)) for _, n, played in epochs(T))
    return sum(share * eta + log(k) / eta for share, eta in parts) / T


def cost(rates):
    """The rho of a run whose rates change, with the tight rho of each round."""
    return sum(bounded_range_rho(2 * rate) for rate in rates[1:].tolist())


def tumour_stream(epsilons, delta, *, repeats, n_cuts, seed):
    """Expected share of wrong labels by epsilon, and of the best expert."""
    rows = []
    for times in repeats:
        losses = chapter.tumour_losses(n_cuts, repeats=times, seed=seed)
        T, k = losses.shape
        best = losses.mean(axis=0).min()

        def wrong(eta):
            return best + experts.expected_regret(losses, eta)

        free = wrong(bounds.best_eta(k, T))

        def rate(e, how):
            return experts.private_eta(e, delta, T, method=how)

        rows += [
            {
                "T": T,
                "epsilon": e,
                "largest private rate": wrong(rate(e, "nonadaptive")),
                "printed rate": wrong(rate(e, "dr11")),
                "no privacy": free,
                "best stump": best,
            }
            for e in epsilons
        ]
    return pd.DataFrame(rows)
