"""The checkers of the chapter on what privacy promises take right answers and refuse wrong ones."""

import numpy as np
import pytest

from book.tools.programme import tangled

chapter = tangled("what-privacy-promises")
attacker = tangled("what-an-attacker-learns")


@pytest.mark.source("WLF16-def-2")
def test_coins_in_the_hand():
    chapter.check_coins(lambda t: np.log((1 + t) / (1 - t)))
    for wrong in (lambda t: np.log(t / (1 - t)), lambda t: 2 * t, lambda t: np.log((1 + t) / 2)):
        with pytest.raises(AssertionError, match="the audit finds"):
            chapter.check_coins(wrong)


def test_the_best_guess():
    attacker.check_guess(lambda epsilon, prior: max(prior, 1 - prior, 1 / (1 + np.exp(-epsilon))))
    with pytest.raises(AssertionError, match="one can do better"):
        attacker.check_guess(lambda epsilon, prior: 1 / (1 + np.exp(-epsilon)))
    with pytest.raises(AssertionError, match="nobody guesses right"):
        attacker.check_guess(lambda epsilon, prior: 1.0)


def test_how_far_a_belief_can_rise():
    attacker.check_belief(lambda epsilon, prior: 1 / (1 + np.exp(-epsilon) * (1 / prior - 1)))
    with pytest.raises(AssertionError, match="randomised response already leads to"):
        attacker.check_belief(lambda epsilon, prior: prior)
    with pytest.raises(AssertionError, match="no output leads to more"):
        attacker.check_belief(lambda epsilon, prior: min(1.0, prior * np.exp(epsilon)))


@pytest.mark.source("WLF16-eq-group-privacy", "WLF16-def-27")
def test_the_slowest_admission():
    chapter.check_admission(chapter.slowest_admission)
    with pytest.raises(AssertionError, match="with no yes at all"):
        chapter.check_admission(lambda epsilon, delta, n: np.full(n + 1, 0.5))
    with pytest.raises(AssertionError, match="larger probability would keep"):
        chapter.check_admission(lambda epsilon, delta, n: chapter.slowest_admission(epsilon, 0.9 * delta, n))
    with pytest.raises(AssertionError, match="the audit finds delta"):
        chapter.check_admission(lambda epsilon, delta, n: chapter.slowest_admission(epsilon, 1.1 * delta, n))
    with pytest.raises(AssertionError, match="probabilities are wanted"):
        chapter.check_admission(lambda epsilon, delta, n: np.zeros(n))


def test_only_one_of_the_two_rules_of_admission_is_not_enough():
    def by_yes(epsilon, delta, n):
        said = delta * np.expm1(epsilon * np.arange(n + 1)) / np.expm1(epsilon)
        return np.minimum(1.0, said)

    with pytest.raises(AssertionError, match="the audit finds delta"):
        chapter.check_admission(by_yes)


def test_enough_answers():
    size = int(np.ceil(1 / (2 * np.sinh(0.5) * 0.05) ** 2))
    chapter.check_size(size, 1.0, 0.05)
    with pytest.raises(AssertionError, match="the deviation is"):
        chapter.check_size(size - 1, 1.0, 0.05)
    with pytest.raises(AssertionError, match="fewer suffice"):
        chapter.check_size(size + 1, 1.0, 0.05)
    with pytest.raises(AssertionError, match="a number of answers"):
        chapter.check_size(0, 1.0, 0.05)


def test_too_few_to_say():
    chapter.check_suppressed(([1, 1, 1, 0], [1, 1, 0, 0]))
    chapter.check_suppressed(([1, 1, 1, 1], [1, 1, 1, 0]))
    with pytest.raises(AssertionError, match="both are answered"):
        chapter.check_suppressed(([1, 0, 0, 0], [1, 1, 0, 0]))
    with pytest.raises(AssertionError, match="differ in one answer"):
        chapter.check_suppressed(([1, 1, 1, 1], [0, 0, 1, 1]))
    with pytest.raises(AssertionError, match="same number"):
        chapter.check_suppressed(([1, 1, 1], [1, 1]))
    with pytest.raises(AssertionError, match="0 or 1"):
        chapter.check_suppressed(([3], [0]))
