"""The checkers of the chapter on learnability in general take right answers and refuse wrong ones."""

from math import exp, inf, log, log1p

import numpy as np

from book.tools.programme import tangled
from privml.composition import no_repeat_probability
from tests.chapters.checkers import checkers, several

chapter = tangled("learnability-in-general")


def logistic(margins, labels):
    return np.logaddexp(0, -labels * margins)


def largest(r):
    return r + log1p(exp(-r))


def gap_over_rate(n, k, epsilon):
    chance, high = no_repeat_probability(n, k), 1 / (1 + exp(-epsilon))
    return high / (chance * high + (1 - chance) * (1 - high))


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "clipped": [
            (several([[0.0, 0.0, 9.0], [2.0, 2.0, 2.0]], 3.0), None),
            (several([[0.0, 9.0], [5.0, 5.0]], 3.0), "best before and after"),
            (several([[0.0, 4.0], [2.0, 2.0]], 3.0), "are tied"),
            (several([[0.0, inf], [2.0, 2.0]], 3.0), "finite"),
            (several([[0.0, -1.0], [2.0, 2.0]], 3.0), "negative"),
        ],
        "logistic": [
            (several(logistic, largest), None),
            (several(lambda m, y: np.log(1 + np.exp(-y * m)), largest), "not inf"),
            (several(lambda m, y: np.logaddexp(0, y * m), largest), "the loss is"),
            (several(lambda m, y: logistic(m, y).ravel(), largest), "shape"),
            (several(logistic, lambda r: r + log(2)), "largest loss is"),
        ],
        "slow_tail": [
            (lambda x: 1 / (1 + log(1 + log(1 + x))), None),
            (lambda x: 1 / (x + 1), "below 0.3"),
            (lambda x: 0.5 if x else 1.0, "does not seem to tend to 0"),
            (lambda x: 0.5 / (x + 1), "tail\\(0\\) is 0.5"),
            (lambda x: 1.0 if x % 2 == 0 else 0.5, "must not increase"),
        ],
        "factor": [
            (gap_over_rate, None),
            (lambda n, k, epsilon: 1 / no_repeat_probability(n, k), "the ratio is"),
            (lambda n, k, epsilon: gap_over_rate(n, k, -epsilon), "the ratio is"),
            (lambda n, k, epsilon: 1 / gap_over_rate(n, k, epsilon), "the ratio is"),
        ],
    },
    chapter,
)
