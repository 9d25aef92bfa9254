"""The checkers of the chapter on what privacy promises take right answers and refuse wrong ones."""

import numpy as np

from book.tools.programme import tangled
from tests.chapters.checkers import checkers, several

chapter = tangled("what-privacy-promises")
attacker = tangled("what-an-attacker-learns")


def by_yes(epsilon, delta, n):
    said = delta * np.expm1(epsilon * np.arange(n + 1)) / np.expm1(epsilon)
    return np.minimum(1.0, said)


SIZE = int(np.ceil(1 / (2 * np.sinh(0.5) * 0.05) ** 2))
test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "coins": [
            (lambda t: np.log((1 + t) / (1 - t)), None),
            (lambda t: np.log(t / (1 - t)), "the audit finds"),
            (lambda t: 2 * t, "the audit finds"),
            (lambda t: np.log((1 + t) / 2), "the audit finds"),
        ],
        "guess": [
            (lambda epsilon, prior: max(prior, 1 - prior, 1 / (1 + np.exp(-epsilon))), None),
            (lambda epsilon, prior: 1 / (1 + np.exp(-epsilon)), "one can do better"),
            (lambda epsilon, prior: 1.0, "nobody guesses right"),
        ],
        "belief": [
            (lambda epsilon, prior: 1 / (1 + np.exp(-epsilon) * (1 / prior - 1)), None),
            (lambda epsilon, prior: prior, "randomised response already leads to"),
            (lambda epsilon, prior: min(1.0, prior * np.exp(epsilon)), "no output leads to more"),
        ],
        "admission": [
            (chapter.slowest_admission, None),
            (lambda epsilon, delta, n: np.full(n + 1, 0.5), "with no yes at all"),
            (
                lambda epsilon, delta, n: chapter.slowest_admission(epsilon, 0.9 * delta, n),
                "larger probability would keep",
            ),
            (
                lambda epsilon, delta, n: chapter.slowest_admission(epsilon, 1.1 * delta, n),
                "the audit finds delta",
            ),
            (lambda epsilon, delta, n: np.zeros(n), "probabilities are wanted"),
            (by_yes, "the audit finds delta"),
        ],
        "size": [
            (several(SIZE, 1.0, 0.05), None),
            (several(SIZE - 1, 1.0, 0.05), "the deviation is"),
            (several(SIZE + 1, 1.0, 0.05), "fewer suffice"),
            (several(0, 1.0, 0.05), "a number of answers"),
        ],
        "suppressed": [
            (([1, 1, 1, 0], [1, 1, 0, 0]), None),
            (([1, 1, 1, 1], [1, 1, 1, 0]), None),
            (([1, 0, 0, 0], [1, 1, 0, 0]), "both are answered"),
            (([1, 1, 1, 1], [0, 0, 1, 1]), "differ in one answer"),
            (([1, 1, 1], [1, 1]), "same number"),
            (([3], [0]), "0 or 1"),
        ],
    },
    chapter,
    attacker,
)
