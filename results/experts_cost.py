"""What a private run of experts costs in processor time: run by command, since times differ between machines.

What the table shows, growth in proportion to rounds times experts, does not differ.
"""

import time

import numpy as np

from privml.learners.experts import actions, expected_regret
from privml.results.runs import Study, main

__all__ = ["STUDY"]

EXPERTS, ROUNDS = (10, 100, 1000), (1000, 3000, 10_000, 30_000, 100_000)
TASKS = {
    "choices": lambda losses, eta, seed: actions(losses, eta, rng=seed),
    "expected regret": lambda losses, eta, seed: expected_regret(losses, eta),
}


def fair_coins(k: int, n_rounds: int, seed: int) -> np.ndarray:
    """Losses of k experts, drawn in blocks so that memory does not decide."""
    rng, losses = np.random.default_rng([seed, k]), np.empty((n_rounds, k), dtype=bool)
    for block in range(0, n_rounds, 1000):
        losses[block : block + 1000] = rng.integers(
            0, 2, losses[block : block + 1000].shape
        )
    return losses


def measured(
    task: str, k: int, n_rounds: int, *, eta=0.01, repeats=5, seed=0
) -> list[tuple]:
    """Processor time of one run, or of its exact expected regret: the least of a few repeats."""
    losses, times = fair_coins(k, n_rounds, seed), []
    for _ in range(repeats):
        start = time.process_time()
        TASKS[task](losses, eta, seed)
        times.append(time.process_time() - start)
    return [(task, k, n_rounds, min(times))]


STUDY = Study(
    name="experts-cost",
    columns=("task", "k", "T", "seconds"),
    jobs=tuple(
        (task, k, n_rounds) for k in EXPERTS for task in TASKS for n_rounds in ROUNDS
    ),
    work=measured,
    parameters={
        "rounds": list(ROUNDS),
        "experts": list(EXPERTS),
        "eta": 0.01,
        "repeats": 5,
        "seed": 0,
    },
    digits=4,
)

if __name__ == "__main__":
    main(STUDY.name)
