"""The checkers of the chapter on sparse vectors take right answers and refuse wrong ones."""

import numpy as np
import pytest

from book.tools.programme import tangled

chapter = tangled("sparse-vectors")


def test_both_quiet():
    chapter.check_both_quiet(lambda r: 1 / 2 - 1 / (2 * (1 + r)) + 1 / (4 * (1 + 2 * r)))
    with pytest.raises(AssertionError, match="the probability is"):
        chapter.check_both_quiet(lambda r: 1 / 4)
    with pytest.raises(AssertionError, match="the probability is"):
        chapter.check_both_quiet(lambda r: 1 / 2 - 1 / (2 * (1 + r)))


def margin_share(n_queries, cutoff, beta):
    parts = np.sqrt([np.log(2 / beta), 2 * cutoff * np.log(2 * n_queries / beta)])
    return parts[0] / parts.sum()


def test_a_split_for_the_margin():
    chapter.check_margin_share(margin_share)
    with pytest.raises(AssertionError, match="is possible"):
        chapter.check_margin_share(lambda n, cutoff, beta: 1 / (1 + (2 * cutoff) ** (2 / 3)))
    with pytest.raises(AssertionError, match="is possible"):
        chapter.check_margin_share(lambda n, cutoff, beta: 1 - margin_share(n, cutoff, beta))
    with pytest.raises(AssertionError, match="between 0 and 1"):
        chapter.check_margin_share(lambda n, cutoff, beta: 2.0)


def plurality_radius(votes):
    winner = int(np.argmax(votes))
    steps = [
        (votes[winner] - other + 1) // 2 if rival < winner else (votes[winner] - other) // 2 + 1
        for rival, other in enumerate(votes)
        if rival != winner
    ]
    return min(steps) - 1


@pytest.mark.source("LZCW21-def-47")
def test_the_radius_of_a_vote():
    chapter.check_plurality_radius(plurality_radius)
    with pytest.raises(AssertionError, match="the radius is"):
        chapter.check_plurality_radius(lambda votes: sorted(votes)[-1] - sorted(votes)[-2])
    with pytest.raises(AssertionError, match="the radius is"):
        chapter.check_plurality_radius(
            lambda votes: max((np.sort(votes)[-1] - np.sort(votes)[-2]) // 2 - 1, 0)
        )


@pytest.mark.source("LZCW21-alg-6")
def test_when_to_start_again():
    chapter.check_cheaper_from(78, 1.0, 1e-6)
    with pytest.raises(AssertionError, match="still less noisy"):
        chapter.check_cheaper_from(77, 1.0, 1e-6)
    with pytest.raises(AssertionError, match="already less noisy"):
        chapter.check_cheaper_from(79, 1.0, 1e-6)


def test_nothing_to_see_here():
    chapter.check_skip_zeros(([1], [0]))
    chapter.check_skip_zeros(([2, 1], [2, 0]))
    with pytest.raises(AssertionError, match="is possible on the second"):
        chapter.check_skip_zeros(([2, 1], [1, 1]))
    with pytest.raises(AssertionError, match="is possible on the second"):
        chapter.check_skip_zeros(([0], [1]))
    with pytest.raises(AssertionError, match="by more than 1"):
        chapter.check_skip_zeros(([2], [0]))
    with pytest.raises(AssertionError, match="same queries"):
        chapter.check_skip_zeros(([1, 0], [1]))
    with pytest.raises(AssertionError, match="not negative"):
        chapter.check_skip_zeros(([0], [-1]))


def test_skipping_zeros_leaves_a_law():
    for values in ([0, 0], [0, 3, 0, 1], [1, 1]):
        assert sum(chapter.skip_zeros_law(values, 0.5).values()) == pytest.approx(1.0)


@pytest.mark.source("LZCW21-alg-7")
def test_the_gap_is_not_the_radius():
    chapter.check_gap_for_radius(([0, 1, 1, 1], [0, 0, 1, 1]), 1.0, 0.001)
    chapter.check_gap_for_radius(([0, 0, 1], [0, 1, 1]), 1.0, 0.05)
    with pytest.raises(AssertionError, match="within the claim"):
        chapter.check_gap_for_radius(([0] * 20, [0] * 19 + [1]), 1.0, 0.05)
    with pytest.raises(AssertionError, match="same size"):
        chapter.check_gap_for_radius(([0, 1], [0]), 1.0, 0.05)
    with pytest.raises(AssertionError, match="one bit"):
        chapter.check_gap_for_radius(([0, 1], [0, 1]), 1.0, 0.05)
