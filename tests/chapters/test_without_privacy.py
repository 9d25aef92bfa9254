"""The attacks of the first chapter do what is proved of them, and its checkers refuse wrong answers."""

from itertools import product

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from tests.chapters.checkers import checkers
from tests.chapters.without_privacy_functions import farthest

chapter = chapter_module("without-privacy")


@pytest.mark.parametrize(
    ("m", "error"), [(4, 0.5), (5, 1.0), (6, 1.5), (7, 1.0), (3, 5.0)]
)
def test_no_list_that_fits_all_answers_is_farther_than_the_theorem_says_and_some_are_as_far(
    m, error
):
    assert farthest(m, error) == min(4 * error, m)


@pytest.mark.parametrize("twice_error", [1, 2])
def test_no_guess_is_close_to_all_lists_that_one_set_of_answers_fits(twice_error):
    """Part 2 of the proposition on sharpness, by going through all questions and all guesses."""
    m = 4 * twice_error - 1
    lists = (chapter.hadamard(m + 1)[1:, 1:] + 1) // 2
    everything = np.array(list(product((0, 1), repeat=m)))
    counts = everything @ lists.T
    assert np.ptp(counts, axis=1).max() == twice_error
    wrong = (everything[:, None] != lists).sum(axis=2).max(axis=1)
    assert wrong.min() == 2 * twice_error - 1


def answers(secret, errors):
    """Answers to the Hadamard questions, made without the chapter's code: signs by parities of bits."""
    m = len(secret)
    asked = [[(k & i).bit_count() % 2 == 0 for i in range(m)] for k in range(m)]
    return np.array(asked) @ secret + errors


@pytest.mark.parametrize("m", [8, 32, 128])
def test_exact_answers_give_every_bit(m):
    secret = np.random.default_rng(m).integers(0, 2, m)
    assert (chapter.rebuilt(answers(secret, np.zeros(m))) == secret).all()


@pytest.mark.parametrize("error", [0.25, 0.5, 1.0, 2.0])
def test_no_errors_do_more_harm_than_the_theorem_says(error):
    """Signs that push half of the estimates across one half: the worst that a greedy adversary finds."""
    m, rng = 64, np.random.default_rng(0)
    for _ in range(50):
        secret = rng.integers(0, 2, m)
        aimed = np.sign(
            answers(np.zeros(m, int), 0) + (2 * answers(1 - 2 * secret, 0) - 0.5)
        )
        for errors in (
            error * aimed,
            error * rng.choice([-1, 1], m),
            np.full(m, error),
        ):
            assert (
                chapter.rebuilt(answers(secret, errors)) != secret
            ).sum() <= 16 * error**2 + 1


def test_taking_the_total_from_the_others_hurts_the_first_patient_only():
    secret, errors = np.array([1, 1, 0, 1, 1, 0, 0, 1]), np.zeros(8)
    errors[0] = 1.0
    assert (chapter.rebuilt(answers(secret, errors)) != secret).tolist() == [True] + [
        False
    ] * 7


def test_losses_are_those_of_scikit_learn():
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import log_loss

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 2)), rng.random(50) < 0.5
    model = LogisticRegression().fit(X, y)
    assert chapter.losses(model, X, y).mean() == pytest.approx(
        log_loss(y, model.predict_proba(X))
    )


def rounded_share(step):
    true = (chapter.hadamard(512) + 1) // 2 @ np.asarray(chapter_secret())
    return np.mean(chapter.rebuilt(step * np.round(true / step)) != chapter_secret())


def chapter_secret():
    """The list of the chapter, which its checker reads."""
    return chapter.load_breast_cancer().y[: chapter.n_patients].astype(int)


def least_squares(questions, found):
    return (
        np.linalg.lstsq(questions.astype(float), found, rcond=None)[0] > 0.5
    ).astype(int)


@pytest.mark.parametrize(("m", "n"), [(3, 2), (4, 3)])
def test_combinations_are_unique_as_often_as_the_proposition_says(m, n):
    alone = np.mean(
        [people.count(people[0]) == 1 for people in product(range(n), repeat=m)]
    )
    assert 1 - (m - 1) / n <= alone == pytest.approx((1 - 1 / n) ** (m - 1))


def test_a_share_is_unique_if_no_other_line_is_equal():
    table = np.array([[0, 1], [0, 1], [1, 1], [2, 0]])
    assert chapter.share_unique(table) == 0.5
    assert chapter.share_unique(table[:, :1]) == 0.5
    assert chapter.share_unique(table[:, 1:]) == 0.25


def test_all_columns_together_single_out_everybody():
    table = chapter.load_breast_cancer().X[: chapter.n_patients]
    cuts = np.quantile(table, [0.25, 0.5, 0.75], axis=0)
    assert chapter.share_unique((table[None] > cuts[:, None]).sum(axis=0)) > 0.99
    assert chapter.share_unique(table) == 1


def test_the_checker_of_rounding_takes_the_share_and_refuses_others(monkeypatch):
    monkeypatch.setattr(chapter, "secret", chapter_secret(), raising=False)
    chapter.check_rounded(rounded_share(10))
    with pytest.raises(AssertionError, match="not the share"):
        chapter.check_rounded(0.0)
    with pytest.raises(AssertionError, match="at most 1"):
        chapter.check_rounded(22)


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "four": [
            ([1, 1, 0, 0], None),
            ([1, 0, 1, 0], "about the patients 1, 3 your list gives 2, not 1"),
            ([1], "four bits"),
            ([2, 0, 0, 0], "0 or 1"),
        ],
        "quarter": [(15, None), (14, "less than a quarter"), (16, "are enough")],
        "decode": [
            (least_squares, None),
            (
                lambda questions, found: np.zeros(questions.shape[1], int),
                "bits are wrong",
            ),
            (
                lambda questions, found: np.full(questions.shape[1], 0.5),
                "round at one half",
            ),
            (lambda questions, found: np.zeros(3, int), "one a patient"),
        ],
    },
    chapter,
)
