"""Prices of privacy and the packing of thresholds, in the cells of the chapter on private PAC learning."""

import math

import pytest

from book.tools.programme import tangled

chapter = tangled("private-pac-learning")
ALPHA, BETA = 0.2, 0.1


def test_it_grows_with_the_logarithm_of_the_class_and_never_falls_below_zero():
    sizes = [chapter.thresholds_packing(2**k, 0.5, ALPHA, BETA) for k in (1, 11, 21, 2001)]
    assert sizes[2] - sizes[1] == pytest.approx(sizes[1] - sizes[0])
    assert sizes[0] == pytest.approx(math.log(1.6) / 0.4)
    assert sizes[3] == pytest.approx((2001 * math.log(2) + math.log(0.8)) / 0.4)
    assert chapter.thresholds_packing(1, 0.5, ALPHA, BETA) == 0


@pytest.mark.source("L4-rem-price-of-privacy")
def test_privacy_is_free_above_alpha_and_costs_alpha_over_epsilon_below():
    n_hypotheses, alpha, beta = 16, 0.01, 0.05
    ratios = [chapter.price_of_privacy(n_hypotheses, epsilon, alpha, beta) for epsilon in (10.0, 1.0, alpha)]
    assert ratios[0] < ratios[1] < ratios[2] < 3
    far_below = [chapter.price_of_privacy(n_hypotheses, alpha / k, alpha, beta) for k in (1000, 2000)]
    assert far_below[1] / far_below[0] == pytest.approx(2.0, rel=0.01)


@pytest.mark.source("L4-rem-price-of-privacy")
@pytest.mark.parametrize(("constant", "knee"), [("lecture", 0.201), ("hoeffding", 1.204)])
def test_the_knee_of_lecture_4_is_where_its_two_terms_meet(constant, knee):
    n_hypotheses, alpha, beta = 16, 0.001, 0.05
    ratio = chapter.free_privacy_ratio(n_hypotheses, beta, constant)
    assert ratio == pytest.approx(knee, abs=5e-4)

    def size(epsilon):
        return chapter.sample_size("L4", n_hypotheses, epsilon, alpha, beta, constant=constant)

    at_knee = size(ratio * alpha)
    assert size(ratio * alpha * 10) == pytest.approx(at_knee, abs=1)
    assert size(ratio * alpha / 2) == pytest.approx(2 * at_knee, rel=1e-6)


@pytest.mark.source("L4-rem-price-of-privacy")
def test_the_price_is_a_ratio_of_the_two_sample_sizes():
    arguments = 16, 0.1, 0.05, 0.05
    private, free = chapter.sample_size("DR11", *arguments), chapter.erm_size(16, 0.05, 0.05)
    assert chapter.price_of_privacy(*arguments) == private / free
