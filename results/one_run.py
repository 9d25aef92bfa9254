"""A small network trained by noisy gradients, with canaries, and what one run of it says about its privacy.

The records are the digits of the book (below five or not), the network has one hidden layer. A *canary* is a
record whose gradient pulls at one weight of its own, far beyond the length that the training allows; a coin
decides whether it takes part. Whoever sees all steps, and the digits, guesses which canaries did. Two faults
are planted: clipping after averaging, and noise whose shares by several workers are too small.
"""

import numpy as np

from privml.datasets import load_digits_below_five
from privml.results.runs import Study, main

__all__ = [
    "STUDY",
    "after_averaging",
    "clip",
    "each_clipped",
    "gradients",
    "guesses",
    "quarter",
    "start",
    "train",
]

HIDDEN, STEPS, RATE, SIGMA, LENGTH = 16, 60, 0.25, 4.0, 1.0
WORKERS = (
    9  # that share the noise: each should add its part with a deviation of SIGMA / 3
)
CANARIES, SEEDS = (100, 400, 1000), range(40)


def start(n_features, rng):
    """Random weights: from features to hidden units, their offsets, to the output, and its offset."""
    inner = rng.standard_normal((n_features, HIDDEN)) * 2 / np.sqrt(n_features)
    return [inner, np.zeros(HIDDEN), rng.standard_normal(HIDDEN) / 2, np.zeros(1)]


def gradients(weights, X, y):
    """Gradient of the logistic loss for each record, as rows, and the probability of True."""
    inner, offsets, outer, offset = weights
    hidden = np.tanh(X @ inner + offsets)
    chance = 1 / (1 + np.exp(-(hidden @ outer + offset)))
    error = (chance - y)[:, None]
    back = error * outer * (1 - hidden**2)
    by_inner = (X[:, :, None] * back[:, None, :]).reshape(len(X), inner.size)
    return np.hstack([by_inner, back, error * hidden, error]), chance


def clip(rows, length):
    """Rows that are longer than `length` are shortened to it."""
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows * np.minimum(1, length / np.maximum(norms, 1e-12))


def each_clipped(rows, length):
    """The sum of the clipped gradients: no record moves it by more than `length`."""
    return clip(rows, length).sum(axis=0)


def after_averaging(rows, length):
    """The fault: the mean is clipped, and one record may move the sum by far more."""
    return len(rows) * clip(rows.mean(axis=0, keepdims=True), length)[0]


def train(total, deviation, inside, *, rng, rate=1.0, pull=5 * LENGTH):
    """One run with the canaries that are `inside`: a score for each canary, and the accuracy.

    In each step a record takes part with probability RATE; `total` adds up the gradients, and every
    coordinate gets Gaussian noise of the given deviation. The score of a canary is what its weight was moved
    by, added up over the steps, after the part of the digits (the auditor knows them) is taken away.
    """
    X, y = load_digits_below_five()[:2]
    weights = start(X.shape[1], rng)
    sizes = np.cumsum([w.size for w in weights])
    own = rng.permutation(sizes[-1])[: len(inside)]  # the weight of each canary
    seen = np.zeros(sizes[-1])
    for _ in range(STEPS):
        drawn, called = (
            rng.random(len(y)) < RATE,
            inside & (rng.random(len(inside)) < RATE),
        )
        rows, _ = gradients(weights, X[drawn], y[drawn])
        pulls = np.zeros((called.sum(), sizes[-1]))
        pulls[np.arange(called.sum()), own[called]] = pull
        step = total(np.vstack([rows, pulls]), LENGTH) + rng.normal(
            scale=deviation, size=sizes[-1]
        )
        seen += step - total(rows, LENGTH)
        parts = np.split(step, sizes[:-1])
        rates = rate / (RATE * len(y))
        weights = [
            w - rates * p.reshape(w.shape) for w, p in zip(weights, parts, strict=True)
        ]
    return seen[own], np.mean((gradients(weights, X, y)[1] > 0.5) == y)


def guesses(scores, n_guesses):
    """1 for the highest half of an even number of guesses, -1 for the lowest half, 0 for no guess."""
    order, found = np.argsort(scores), np.zeros(len(scores), dtype=int)
    found[order[-(n_guesses // 2) :]] = 1
    found[order[: n_guesses // 2]] = -1
    return found


def quarter(n_canaries):
    """The even number next to a quarter of the canaries, or above."""
    return 2 * -(-n_canaries // 8)


KINDS = {
    "right": (each_clipped, SIGMA * LENGTH),
    "clipped late": (after_averaging, SIGMA * LENGTH),
    "shares of noise": (each_clipped, SIGMA * LENGTH / np.sqrt(WORKERS)),
}


def work(kind, n_canaries, seed):
    """The row of one run: right guesses among a quarter of the canaries, and the accuracy."""
    rng = np.random.default_rng([seed, n_canaries])
    inside = rng.random(n_canaries) < 0.5
    scores, accuracy = train(*KINDS[kind], inside, rng=rng)
    n_guesses = quarter(n_canaries)
    n_right = int((guesses(scores, n_guesses) == np.where(inside, 1, -1)).sum())
    return [(kind, n_canaries, seed, n_guesses, n_right, float(accuracy))]


STUDY = Study(
    name="one-run",
    columns=("kind", "n_canaries", "seed", "n_guesses", "n_right", "accuracy"),
    jobs=tuple((kind, n, seed) for kind in KINDS for n in CANARIES for seed in SEEDS),
    work=work,
    parameters={
        "hidden": HIDDEN,
        "steps": STEPS,
        "rate": RATE,
        "sigma": SIGMA,
        "length": LENGTH,
    },
    data={"digits": load_digits_below_five},
)

if __name__ == "__main__":
    main(STUDY.name)
