"""Local, shuffled and label privacy: theorems and programmes against sums by another route."""

from itertools import product
from math import atanh, ceil, exp, log, sqrt, tanh

import numpy as np
import pytest
from scipy.stats import binom

from book.tools.chapter_code import chapter_module
from tests.chapters.checkers import checkers, several

chapter = chapter_module("weaker-privacy")
LN3 = log(3)


@pytest.mark.parametrize(
    ("k", "alpha", "epsilon", "beta"), [(1, 0.1, LN3, 0.05), (3, 0.2, 0.5, 0.2)]
)
def test_local_answers_fail_as_seldom_as_the_theorem_says(k, alpha, epsilon, beta):
    """Exactly, for queries of every mean: the answer is a function of a binomial number."""
    b, truth = chapter.people(k, alpha, epsilon, beta) // k, tanh(epsilon / 2)
    ones = np.arange(b + 1)
    answer = (ones / b - (1 - truth) / 2) / truth
    worst = 0.0
    for mean in np.linspace(0, 1, 21):
        chance = binom.pmf(ones, b, (1 - truth) / 2 + truth * mean)
        worst = max(worst, float(chance @ (np.abs(answer - mean) > alpha)))
    assert worst <= beta / k
    few = b // 6  # a sixth of the people is not enough
    ones = np.arange(few + 1)
    assert (
        binom.pmf(ones, few, 0.5) @ (np.abs((ones / few - 0.5) / truth) > alpha)
        > beta / k
    )


def by_enumeration(m, epsilon, at):
    """Exact delta of the number of yes, from the probabilities of all lists of answers."""
    p = exp(epsilon) / (1 + exp(epsilon))
    laws = {}
    for z in product((0, 1), repeat=m):
        law = np.zeros(m + 1)
        for answers in product((0, 1), repeat=m):
            law[sum(answers)] += np.prod(
                [p if a == b else 1 - p for a, b in zip(z, answers, strict=True)]
            )
        laws[z] = law
    pairs = [
        (a, b)
        for a in laws
        for b in laws
        if sum(x != y for x, y in zip(a, b, strict=True)) == 1
    ]
    return max(
        float(np.clip(laws[a] - exp(at) * laws[b], 0, None).sum()) for a, b in pairs
    )


@pytest.mark.parametrize(("m", "epsilon"), [(1, LN3), (3, 0.4), (5, LN3), (5, 2.5)])
def test_the_exact_curve_of_shuffled_answers_is_that_of_all_lists_of_answers(
    m, epsilon
):
    at = epsilon * np.array([0.0, 0.2, 0.6, 0.95])
    found = chapter.shuffled_delta(m, epsilon, at)
    assert found == pytest.approx(
        [by_enumeration(m, epsilon, e) for e in at], abs=1e-12
    )


@pytest.mark.parametrize("m", [2, 10, 60, 200])
@pytest.mark.parametrize("epsilon", [0.1, LN3, 3.0])
def test_shuffling_is_as_private_as_the_theorem_and_the_proposition_say(m, epsilon):
    at = epsilon * np.array([0.02, 0.1, 0.3, 0.6, 1.0])
    exact = chapter.shuffled_delta(m, epsilon, at)
    coins = np.array([chapter.among_coins(m, epsilon, e) for e in at])
    assert (
        (exact <= coins + 1e-14) & (coins <= chapter.promised(m, epsilon, at) + 1e-14)
    ).all()
    assert (exact <= chapter.published(m, epsilon, at) + 1e-14).all()


def test_the_constant_of_the_theorem_cannot_be_much_larger():
    """Three eighths is proved, one half is the limit for small epsilons; eight tenths would be false."""
    m, epsilon, at, truth = 400, 0.2, np.array([0.07]), tanh(0.1)
    bold = 2 * np.exp(-0.8 * (1 - truth) * m * (np.tanh(at / 2) / truth) ** 2)
    assert (
        bold < chapter.shuffled_delta(m, epsilon, at) < chapter.promised(m, epsilon, at)
    )


def among(m, coin, truth, at):
    """Delta for an observer who knows the coins: over numbers of coins, both orders, by convolution."""
    total = 0.0
    for coins, chance in enumerate(binom.pmf(np.arange(m), m - 1, coin)):
        others = binom.pmf(np.arange(coins + 1), coins, 0.5)
        yes, no = (
            np.convolve(others, law) / 2
            for law in ([1 - truth, 1 + truth], [1 + truth, 1 - truth])
        )
        total += chance * max(
            np.clip(p - exp(at) * q, 0, None).sum() for p, q in ((yes, no), (no, yes))
        )
    return total


@pytest.mark.parametrize(
    ("m", "epsilon", "at"), [(1, LN3, 0.4), (6, LN3, 0.4), (400, 0.7, 0.1)]
)
def test_ann_among_coins_is_what_an_observer_sees_who_knows_the_coins(m, epsilon, at):
    truth = tanh(epsilon / 2)
    assert chapter.among_coins(m, epsilon, at) == pytest.approx(
        among(m, 1 - truth, truth, at)
    )
    yes = (
        np.convolve(binom.pmf(np.arange(m), m - 1, 0.5), [1 - truth, 1 + truth]) / 2
    )  # with Ann's
    large = yes[
        yes > exp(at) * yes[::-1]
    ].sum()  # with yes and no exchanged it is the reverse
    assert large <= 2 * exp(-m * (tanh(at / 2) / truth) ** 2 / 2)


def test_a_shuffled_survey_is_nearly_a_gaussian_mechanism():
    exact = chapter.shuffled_delta(800, LN3, np.array([0.02, 0.06]))
    for at, delta in zip((0.02, 0.06), exact, strict=True):
        assert chapter.gaussian(800, LN3, at) == pytest.approx(delta, rel=0.15)
        assert (
            chapter.gaussian(800 * 1.2, LN3, at) < 0.9 * delta
        )  # the variance is not that of other noise


def test_the_closed_form_for_all_local_algorithms_is_below_the_published_one():
    tried = 0
    for m, epsilon, delta in product(
        (50, 1000, 10**6), (0.05, 1.0, 3.0, 8.0), (0.5, 1e-3, 1e-9)
    ):
        if 16 * exp(epsilon) * log(2 / delta) > m:
            continue
        tried += 1
        truth, root = tanh(epsilon / 2), sqrt(exp(epsilon) / m)
        ours = 2 * atanh(truth * sqrt(8 / 3 * log(2 / delta)) * root)
        without = log(1 + 8 * truth * root * sqrt(log(4 / delta)))
        theirs = log(
            1 + truth * (8 * root * sqrt(log(4 / delta)) + 8 * exp(epsilon) / m)
        )
        assert ours < without < theirs
        assert chapter.published(m, epsilon, theirs) == pytest.approx(delta)
        assert ours > 0.3 * theirs  # so a third of the constant would be refuted here
    assert tried >= 10


def no_share(k, alpha, epsilon, beta):
    return k * ceil(log(2 * k / beta) / (2 * alpha**2))


def exact_people(k, alpha, epsilon, beta):
    return k * ceil(log(2 * k / beta) / (2 * (alpha * tanh(epsilon / 2)) ** 2))


def right_mix(m, epsilon0, delta):
    part = sqrt(8 * log(2 / delta) / (3 * (1 - tanh(epsilon0 / 2)) * m))
    return 2 * atanh(tanh(epsilon0 / 2) * part) if part < 1 else epsilon0


test_the_checkers = checkers(
    {
        "people": [
            (exact_people, None),
            (no_share, "too few"),
            (lambda *a: 2 * exact_people(*a), "more than needed"),
            (lambda *a: exact_people(*a) + 1, "divided evenly|more than needed"),
        ],
        "mix": [
            (right_mix, None),
            (lambda m, e, d: 1.01 * right_mix(m, e, d), "not the smallest"),
            (lambda m, e, d: 0.99 * right_mix(m, e, d), "the theorem gives"),
        ],
        "break": [
            (several([(1, 0), (2, 1)], [(1, 0), (3, 1)], 2), None),
            (several([(1, 0), (2, 1)], [(1, 0), (2, 0)], 2), "possible on the second"),
            (several([(1, 0), (2, 1)], [(2, 0), (3, 1)], 2), "differ in one record"),
            (several([(1, 0), (2, 1)], [(1, 0), (3, 1)], 3), "on the first data set"),
            (several([(1, 0)], [(1, 0)], 2), "two records"),
        ],
        "worth": [(1.613, None), (1.5, "a little above"), (1.8, "a little below")],
    },
    chapter,
)
