"""The floating-point hole, by complete enumeration in small formats and by decision in double precision."""

import math

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml import audit

noise = chapter_module("noise-on-integers")
HALF = noise.FINITE


def test_half_precision_has_the_finite_numbers_it_should():
    assert (
        HALF.size == 2 * (2**15 - 2**10) - 1
    )  # both signs, one zero, no infinities, no NaN
    assert HALF[0] == -65504
    assert (np.diff(HALF.astype(float)) > 0).all()


@pytest.mark.parametrize(("value", "scale"), [(0.0, 1.0), (1.0, 0.5), (-3.0, 2.5)])
def test_answers_are_the_textbook_formula_with_every_step_rounded(value, scale):
    answers = noise.equally_likely_answers(value, scale, bits=6)
    assert answers.dtype == np.float16
    assert answers.size == 2**7
    for k in (1, 5, 33, 64):
        drawn = np.float16(
            float(np.float16(math.log(k / 64))) * float(np.float16(scale))
        )
        assert answers[k - 1] == np.float16(value + float(drawn))
        assert answers[64 + k - 1] == np.float16(value - float(drawn))


def test_the_law_counts_every_equally_likely_answer():
    law = noise.naive_laplace(0.5)([1, 1, 0])
    answers = noise.equally_likely_answers(2.0, 2.0)
    for outcome in (0, 1000, *np.searchsorted(HALF, answers)[:50]):
        count = int((answers == HALF[outcome]).sum())
        assert law[outcome] == pytest.approx(count / answers.size, abs=1e-15)
    assert law.sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.source("LZCW21-lem-42")
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_rounding_leaves_textbook_noise_without_any_epsilon(epsilon):
    found = audit.exact(noise.naive_laplace(epsilon), np.array([0, 1]), 2)
    assert found.epsilon == math.inf
    before, after = (noise.naive_laplace(epsilon)(data) for data in found.pair)
    assert before[found.outcome] > 0
    assert after[found.outcome] == 0
    assert found.delta(50.0) >= noise.impossible_mass(0.0, 1.0, 1 / epsilon) - 1e-12
    assert noise.impossible_mass(0.0, 1.0, 1 / epsilon) > 0.1


def test_the_impossible_mass_is_counted_without_the_law():
    answers = [noise.equally_likely_answers(v, 1.0).tolist() for v in (0.0, 1.0)]
    others = set(answers[1])
    assert noise.impossible_mass(0, 1, 1.0) == sum(
        a not in others for a in answers[0]
    ) / len(answers[0])
    assert noise.impossible_mass(2, 2, 1.0) == 0.0


def test_more_precise_numbers_do_not_close_the_hole():
    answers, others = (
        noise.equally_likely_answers(v, 1.0, 16, np.float32) for v in (0.0, 1.0)
    )
    assert np.mean(~np.isin(answers, others)) > 0.99


def share_possible(released, value):
    return np.mean(
        [noise.is_possible(answer, value, 1.0) for answer in released.tolist()]
    )


def test_every_answer_of_the_generator_is_recognised_and_most_exclude_the_neighbour():
    """Recognising all of them shows that the model of numpy's generator is right, rounding included."""
    for value, neighbour in ((0.0, 1.0), (1.0, 0.0), (5.0, 6.0)):
        released = np.random.default_rng(17).laplace(value, 1.0, size=3000)
        assert share_possible(released, value) == 1
        assert share_possible(released, neighbour) < 0.85
    assert share_possible(np.random.default_rng(1).laplace(0.0, 1.0, 3000), 1.0) < 0.25


def test_a_search_over_all_uniform_numbers_agrees_on_a_few_of_them():
    reachable = [noise.answer_of(j, 2.0, 1.0) for j in range(1, 2**9)]
    candidates = sorted(reachable) + [math.nextafter(x, math.inf) for x in reachable]
    found = [noise.is_possible(x, 2.0, 1.0, largest=2**9 - 1) for x in candidates]
    assert found == [x in reachable for x in candidates]
    assert 2**8 < sum(found) < len(candidates)
