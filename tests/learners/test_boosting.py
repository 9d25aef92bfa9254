"""The booster: exact audits with and without the random split, its law, and what it refuses."""

import math
from itertools import permutations, product

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone

from privml import audit
from privml.bounds.private_pac import boosting_blocks
from privml.guarantee import Guarantee
from privml.hypotheses import Thresholds
from privml.learners import (
    ERM,
    ExponentialPACLearner,
    LinearLearner,
    PrivateConfidenceBooster,
    boosted_distribution,
    exponential_mistake_learner,
)
from tests.refusals import refused

CLASS = Thresholds([-1.0, 0.5, 1.5])
UNIVERSE = np.array([[0.0], [1.0], [0.0]]), np.array([False, True, True])
LABELS = (False, True)


def booster(base=1.0, select=1.0, n_candidates=2, **options):
    options |= {"epsilon_select": select, "classes": LABELS}
    return PrivateConfidenceBooster(
        ExponentialPACLearner(base, CLASS), n_candidates, **options
    )


def given_split(bits, base, select, sign=1.0):
    """Law of (candidate, candidate, choice): randomised response of records 0 and 1, a choice by the rest."""
    truth = 1 / (1 + math.exp(-base))
    laws = [
        np.array([1 - truth, truth] if bit else [truth, 1 - truth]) for bit in bits[:2]
    ]
    right = np.array([(~bits[2:]).sum(), bits[2:].sum()])
    outcomes = []
    for h, g in product(range(2), repeat=2):
        second = 1 / (1 + math.exp(sign * select / 2 * (right[h] - right[g])))
        outcomes += [
            laws[0][h] * laws[1][g] * (1 - second),
            laws[0][h] * laws[1][g] * second,
        ]
    return np.array(outcomes)


@pytest.mark.erratum("WLF16-alg-boost/2")
def test_a_record_of_the_learning_blocks_moves_no_score_and_one_of_the_last_block_moves_it_by_one():
    bits = np.array([False, True, True, False])

    def scores(z):
        return np.array([(~z[2:]).sum(), z[2:].sum()])

    for j in range(4):
        other = bits.copy()
        other[j] = ~other[j]
        assert np.abs(scores(bits) - scores(other)).max() == (0 if j < 2 else 1)


@pytest.mark.erratum("WLF16-alg-boost")
def test_the_printed_sign_prefers_the_worse_candidate():
    bits = np.array([False, True, True, True, True])

    def worse(sign):
        """How often the constant that errs on the last block is chosen, if both are candidates."""
        law = given_split(bits, 1.0, 3.0, sign).reshape(2, 2, 2)
        return (law[0, 1, 0] + law[1, 0, 1]) / (law[0, 1] + law[1, 0]).sum()

    assert worse(1.0) == pytest.approx(1 / (1 + math.exp(4.5)))
    assert worse(-1.0) == pytest.approx(1 / (1 + math.exp(-4.5)))


class Echo(BaseEstimator):
    """Learns the first label of its block, and draws nothing."""

    def __init__(self, epsilon=0.5, classes=None):
        self.epsilon, self.classes = epsilon, classes

    def fit(self, X, y, *, rng=None):
        self.label_, self.privacy_ = y[0], Guarantee(self.epsilon)
        return self

    def predict(self, X):
        return np.full(len(X), self.label_)


@pytest.mark.source("WLF16-alg-boost")
@pytest.mark.parametrize("select", [1e-6, 0.5, 3.0, 40.0])
def test_the_choice_is_a_draw_of_the_exponential_mechanism_on_labels_that_are_right(
    select,
):
    """From the same coins: the order, then one uniform number against weights e^(epsilon right / 2)."""
    X, y = np.arange(40.0)[:, None], np.arange(40) % 4 == 0
    learner = PrivateConfidenceBooster(
        Echo(), 3, epsilon_select=select, validation="half", classes=LABELS
    )
    chosen, best = [], []
    for seed in range(60):
        coins = np.random.default_rng(seed)
        labels = y[coins.permutation(40)]
        right = [int((labels[18:] == label).sum()) for label in labels[:18:6]]
        weights = [math.exp(select / 2 * (score - max(right))) for score in right]
        number = coins.random() * math.fsum(weights)
        chosen.append(sum(number >= math.fsum(weights[: j + 1]) for j in range(2)))
        best.append(int(np.argmax(right)))
        assert learner.fit(X, y, rng=seed).chosen_ == chosen[-1]
    assert len(set(chosen)) > 1
    assert (chosen == best) == (select == 40.0) or select == 40.0


class Witness(ExponentialPACLearner):
    """Remembers what it was shown."""

    def fit(self, X, y, *, rng=None):
        self.seen_ = X[:, 0].tolist()
        return super().fit(X, y, rng=rng)

    def predict(self, X):
        self.judged_ = X[:, 0].tolist()
        return super().predict(X)


@pytest.mark.source("WLF16-alg-boost")
@pytest.mark.parametrize(("validation", "size"), [("equal", 6), ("half", 4)])
def test_blocks_are_disjoint_and_random(validation, size):
    X, y = np.arange(24.0)[:, None], np.arange(24) % 2
    learner = PrivateConfidenceBooster(Witness(1.0, CLASS), 3, validation=validation)
    seen = [
        [c.seen_ for c in learner.fit(X, y, rng=seed).candidates_] for seed in (0, 1)
    ]
    judged = [candidate.judged_ for candidate in learner.candidates_]
    assert judged == [judged[0]] * 3
    assert sorted(sum(seen[1], judged[0])) == X[:, 0].tolist()
    for blocks in seen:
        assert [len(block) for block in blocks] == [size] * 3
        assert len(set().union(*blocks)) == 3 * size
    assert seen[0] != seen[1]


def test_the_guarantee_is_the_worse_part_and_the_choice_takes_the_epsilon_of_the_base_by_default():
    X, y = np.arange(24.0)[:, None], np.arange(24) % 2
    stated = [
        booster(0.5, select).fit(X, y, rng=0).privacy_ for select in (None, 0.1, 2.0)
    ]
    assert [guarantee.epsilon for guarantee in stated] == [0.5, 0.5, 2.0]
    assert str(stated[2]) == "2-differential privacy (replace-one)"
    linear = LinearLearner(1.0)
    alone = clone(linear).fit(X, y, rng=0).privacy_
    around = (
        PrivateConfidenceBooster(linear, 2, epsilon_select=0.5)
        .fit(X, y, rng=0)
        .privacy_
    )
    assert (around.epsilon, around.delta) == (alone.epsilon, alone.delta)


def test_a_block_with_one_label_is_no_error_and_labels_may_be_words():
    X, y = np.arange(9.0)[:, None], np.array(["no"] * 8 + ["yes"])
    learner = PrivateConfidenceBooster(ExponentialPACLearner(9.0, CLASS), 2).fit(
        X, y, rng=0
    )
    assert learner.classes_.tolist() == ["no", "yes"]
    assert set(learner.predict(X)) <= {"no", "yes"}


test_bad_parameters_are_refused = refused(
    (
        booster(n_candidates=5),
        "n_samples must be at least 6 for 5 candidates, but got 4",
    ),
    (booster(select=0.0), "epsilon_select must be positive"),
    (
        PrivateConfidenceBooster("stumps", 2),
        "base_learner must have a parameter classes",
    ),
    (PrivateConfidenceBooster(ERM(CLASS), 2), "base_learner must state a Guarantee"),
    (
        PrivateConfidenceBooster(
            ExponentialPACLearner(1.0, CLASS, adjacency="add-or-remove-one"), 2
        ),
        "convert those that add or remove records with guarantee.under",
    ),
    call=lambda learner: learner.fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1], rng=0),
)


def test_laws_that_are_too_large_or_not_laws_are_refused():
    with pytest.raises(ValueError, match="n_candidates must give at most 65536 tuples"):
        boosted_distribution(np.full((17, 2), 0.5), [0, 1], 1.0)
    with pytest.raises(ValueError, match="candidate_distributions must have 2 columns"):
        boosted_distribution([[1.0]], [0, 1], 1.0)
    with pytest.raises(ValueError, match="rows of probabilities"):
        boosted_distribution([[0.5, 0.6]], [0, 1], 1.0)
    with pytest.raises(ValueError, match="at most 65536 splits, but got 9465511770"):
        booster().output_distribution(np.zeros((24, 1)), np.arange(24) % 2)
    with pytest.raises(
        ValueError, match="base_learner must be an instance of FiniteClassLearner"
    ):
        PrivateConfidenceBooster(LinearLearner(), 2).output_distribution(
            [[0.0], [1.0], [2.0]], [0, 1, 1]
        )


class Draws(Echo):
    """States another guarantee from block to block."""

    def fit(self, X, y, *, rng=None):
        super().fit(X, y)
        self.privacy_ = Guarantee(
            float(rng.integers(1, 9)), float(rng.integers(1, 9)) / 100
        )
        return self


@pytest.mark.source("WLF16-thm-25")
@pytest.mark.parametrize("seed", range(6))
def test_the_guarantee_counts_every_candidate(seed):
    X, y = np.arange(40.0)[:, None], np.arange(40) % 2
    learner = PrivateConfidenceBooster(Draws(), 4, epsilon_select=0.5).fit(
        X, y, rng=seed
    )
    stated = [candidate.privacy_ for candidate in learner.candidates_]
    assert len({guarantee.epsilon for guarantee in stated}) > 1
    assert learner.privacy_.epsilon == max(guarantee.epsilon for guarantee in stated)
    assert learner.privacy_.delta == max(guarantee.delta for guarantee in stated)


@pytest.mark.source("WLF16-alg-boost")
def test_the_law_of_the_whole_chooses_with_the_epsilon_of_the_choice():
    """Against all orders of the records, from a choice that is nearly a guess to one that is nearly sure."""
    X, y = (
        np.array([[0.0], [1.0], [1.0], [0.0], [1.0]]),
        np.array([0, 1, 1, 1, 0], dtype=bool),
    )
    right = CLASS.predict(X) == y
    laws = []
    for select in (1e-3, 0.5, 30.0):
        learner, total = booster(1.5, select), np.zeros(3)
        size = boosting_blocks(5, 2).learning
        for order in permutations(range(5)):
            seen = right[:, list(order)]
            wrong = [
                size - seen[:, start : start + size].sum(axis=1) for start in (0, size)
            ]
            judged = seen[:, 2 * size :].sum(axis=1)
            total += boosted_distribution(
                exponential_mistake_learner(1.5)(np.array(wrong)), judged, select
            )
        laws.append(learner.output_distribution(X, y).pmf())
        assert laws[-1] == pytest.approx(total / math.factorial(5), rel=1e-10)
    assert np.abs(laws[0] - laws[2]).max() > 0.01


@pytest.mark.source("WLF16-alg-boost", "WLF16-thm-25")
@pytest.mark.parametrize(("base", "select"), [(1.0, 1.0), (0.2, 2.0), (2.0, 0.2)])
@pytest.mark.parametrize("validation", ["equal", "half"])
def test_the_larger_epsilon_holds_on_all_neighbours_with_the_random_split(
    base, select, validation
):
    learner = booster(base, select, validation=validation)
    found = audit.exact(lambda data: learner.output_distribution(*data), UNIVERSE, 4)
    assert 0 < found.epsilon <= max(base, select)
