"""One round at a time: the same law as all rounds at once, and adversaries that answer."""

import math
import warnings

import numpy as np
import pytest

from privml.learners.experts import (
    RandomizedWeightedMajority,
    action_probabilities,
    play,
    private_actions,
)


@pytest.mark.source("DR11-def-online", "DR11-alg-15", "DR11-alg-16")
@pytest.mark.parametrize("eta", [0.3, 5.0, 900.0])
def test_the_weights_go_through_the_rounds_as_the_sums_do(eta):
    losses = np.random.default_rng(0).random((40, 6))
    game = play(
        RandomizedWeightedMajority(6, eta),
        lambda actions: losses[actions.size],
        40,
        rng=1,
    )
    assert (
        np.abs(game.action_distributions - action_probabilities(losses, eta)).max()
        < 1e-9
    )
    assert (game.losses == losses).all()
    assert game.actions.shape == (40,)


@pytest.mark.source("DR11-def-online")
def test_the_choice_is_made_before_the_loss_is_seen():
    seen = []

    def adversary(actions):
        seen.append(actions.copy())
        return [0, 1]

    game = play(RandomizedWeightedMajority(2, 1.0), adversary, 4, rng=2)
    assert [actions.size for actions in seen] == [0, 1, 2, 3]
    assert (seen[3] == game.actions[:3]).all()


@pytest.mark.source("DR11-def-online")
def test_draws_follow_the_probabilities():
    runs = 4000
    game = play(
        RandomizedWeightedMajority(3, 1e-9), lambda actions: np.zeros(3), runs, rng=3
    )
    seen = np.bincount(game.actions, minlength=3) / runs
    assert (np.abs(seen - 1 / 3) < 5 * math.sqrt(2 / 9 / runs)).all()


def test_a_refused_loss_changes_nothing():
    learner = RandomizedWeightedMajority(2, 1.0)
    learner.update([0.0, 1.0])
    before = learner.output_distribution().pmf()
    for bad in ([0.0], [0.0, 0.0, 0.0], np.array(["a", "b"])):
        with pytest.raises(ValueError, match="loss"):
            learner.update(bad)
    assert (learner.output_distribution().pmf() == before).all()


@pytest.mark.parametrize(
    "odd",
    [None, "a", 1j, [0.5], 10**400, 5e-324, np.longdouble("1e4000"), object()],
    ids=type,
)
def test_one_odd_loss_counts_as_an_end_and_neither_raises_nor_warns(odd):
    """What numpy may do is the caller's; of a loss it says nothing, as of a record."""
    end = float(isinstance(odd, int | np.longdouble))
    inside, outside = (
        np.array([[0.5, x], *[[1.0, 0.25]] * 99], object) for x in (end, 0.0)
    )
    outside[0, 1] = odd
    forms = [outside, outside.tolist()]
    if isinstance(odd, float | np.longdouble):
        forms.append(outside.astype(type(odd)))
    with warnings.catch_warnings(action="error"), np.errstate(all="raise"):
        for losses in forms:
            runs = [
                private_actions(each, epsilon=1.0, delta=1e-6, rng=0)
                for each in (losses, inside)
            ]
            assert (runs[0].actions == runs[1].actions).all()
            learner = RandomizedWeightedMajority(2, 0.4)
            learner.update(losses[0])
            assert np.diff(
                np.log(learner.output_distribution().pmf())
            ) == pytest.approx(0.2 - 0.4 * end)


@pytest.mark.parametrize(
    ("lower", "upper"), [(0.0, 1.0), (-2.0, 3.0), (1e16, 1e16 + 6)]
)
def test_a_loss_outside_of_the_declared_interval_counts_as_its_end(lower, upper):
    outside = np.array(
        [[lower, upper + 0.5], [lower - 3, upper], [upper, math.nan], [0.25, 0.75]]
    )
    inside = (
        np.clip(
            [[lower, upper], [lower, upper], [upper, lower], [0.25, 0.75]], lower, upper
        )
        - lower
    )
    learner = RandomizedWeightedMajority(2, 0.4, lower=lower, upper=upper)
    game = play(learner, lambda actions: outside[actions.size], 4, rng=0)
    assert game.action_distributions == pytest.approx(
        action_probabilities(inside, 0.4, upper=upper - lower), rel=1e-12
    )
    np.testing.assert_array_equal(game.losses, outside)


def test_bad_parameters_are_refused():
    wrong = [
        (2, bad, 0.0, "eta must be positive") for bad in (0.0, -1.0, math.nan, math.inf)
    ]
    wrong.append((0, 1.0, 0.0, "n_experts must be a positive integer, but got 0"))
    wrong.append((2, 1.0, 1.0, "upper must be above lower = 1.0, but got 1.0"))
    for n_experts, eta, lower, message in wrong:
        with pytest.raises(ValueError, match=message):
            RandomizedWeightedMajority(n_experts, eta, lower=lower)
    with pytest.raises(
        ValueError, match="n_rounds must be a positive integer, but got 0"
    ):
        play(RandomizedWeightedMajority(2, 1.0), lambda actions: [0, 0], 0)
    with pytest.raises(ValueError, match="adversary must be"):
        play(RandomizedWeightedMajority(2, 1.0), [[0, 0]], 1)
