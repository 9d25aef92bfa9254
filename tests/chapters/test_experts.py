"""What the chapter on experts computes in its cells: in other ways, and the findings that it reports."""

import math
from itertools import product

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml import results
from privml.composition import nonadaptive_range_delta
from privml.divergences import hockey_stick
from privml.learners.experts import (
    RandomizedWeightedMajority,
    action_probabilities,
    private_eta,
)
from privml.results import experts_cost
from tests.chapters import experts_functions as functions

chapter = chapter_module("experts")


@pytest.mark.source("DR11-thm-11.1")
@pytest.mark.erratum("DR11-thm-11.1")
def test_worst_regrets_stay_below_both_bounds():
    table = functions.worst_regrets([(2, 5), (3, 4)], [0.1, 0.5, 2.0])
    assert (table["worst"] <= table["hoeffding"]).all()
    assert (table["signs"] <= table["dr11"]).all()
    assert (table["hoeffding"] < table["dr11"]).all()


@pytest.mark.parametrize("rounds", [1, 3, 6])
def test_fair_coins_cost_every_learner_the_same(rounds):
    """All loss sequences of two coins, and a learner that always takes expert 0: the mean regret."""
    totals = np.reshape(list(product((0, 1), repeat=2 * rounds)), (-1, rounds, 2)).sum(
        axis=1
    )
    regret = (totals[:, 0] - totals.min(axis=1)).mean() / rounds
    assert functions.fair_coin_regret(rounds) == pytest.approx(regret)


@pytest.mark.source("DR11-rem-rounds")
def test_the_bound_is_nearly_attained_and_no_learner_does_much_better():
    table = functions.regret_by_rounds([1000]).iloc[0]
    assert 1.0 < table["bound, Hoeffding"] / table["exact worst losses"] < 1.05
    assert 2.0 < table["bound, Hoeffding"] / table["fair coins, any learner"] < 2.2
    shares = functions.many_experts([2, 1000], 2000, seed=0)["share"]
    assert shares[0] < 0.7 < 0.8 < shares[1] < 1


@pytest.mark.source("DR11-lem-rwm-exp-mech")
def test_the_loss_of_a_rare_expert_tends_to_the_limits():
    table = functions.rare_expert([1000], 1e-3)
    assert table.iloc[0, 1:].tolist() == pytest.approx([1.9980, 3.9960], abs=5e-5)


@pytest.mark.source("DR11-thm-11.2")
@pytest.mark.erratum("DR11-thm-11.2/2")
def test_rates_are_four_to_five_times_the_printed_one():
    table = functions.rate_multiples([(1.0, 1e-5), (1.0, 1e-6)], 1000)
    assert table["simple"].tolist() == pytest.approx([3.92, 3.93], abs=5e-3)
    assert table["pair"].tolist() == pytest.approx([5.15, 4.99], abs=5e-3)
    assert (table["nonadaptive"] <= table["pair"]).all()
    four = functions.multiples_by_epsilon([0.5, 6.0], 1e-5, 1000)[
        "four times, as proved"
    ].tolist()
    assert four[0] == pytest.approx(4.0)
    assert np.isnan(four[1])


@pytest.mark.source("DR11-thm-11.2")
@pytest.mark.erratum("DR11-thm-11.2")
def test_the_counterexamples_to_the_printed_rate():
    table = functions.very_large_epsilon([(70.0, 0.4), (48.5, 0.5)], 10_000)
    assert (table["exact"] > table["claimed"]).all()
    assert (table["over ln(1/delta)"] > 64).all()


def test_curves_are_in_order_and_reach_the_promise():
    eta = private_eta(1.0, 1e-5, 100, method="nonadaptive")
    wide = functions.run_delta_curves(
        eta, 100, 1e-12, np.linspace(0.2, 1.0, 5)
    ).set_index("epsilon")
    names = [
        "exact, opposite losses",
        "all fixed losses, any k",
        "concentrated",
        "advanced composition",
    ]
    assert (np.diff(wide[names].to_numpy(), axis=1) > -1e-15).all()
    assert wide.loc[1.0, "all fixed losses, any k"] == pytest.approx(1e-5, rel=1e-6)


@pytest.mark.source("DR11-thm-11.2")
def test_audits_find_less_than_is_promised_and_almost_as_much():
    table = functions.run_audits([(2, 3, 2), (3, 2, 2)], 0.5)
    assert (table["exact epsilon"] < table["2 eta (T - 1)"]).all()
    assert (table["exact delta"] <= table["optimum"] * (1 + 1e-12)).all()
    assert (table["exact delta"] > 0.8 * table["optimum"]).all()


def test_a_share_of_favoured_experts_attains_the_optimum_in_the_limit():
    shares = functions.favoured_share([2, 300], 0.1, 60, 0.8)["share"]
    assert shares[0] < 0.998 < 0.9995 < shares[1] <= 1


def answering_by_enumeration(eta, n_rounds, epsilon):
    """Best rule of an answering adversary from the laws themselves: its value, and losses by past actions."""
    free = [
        (np.array(move), np.array(move))
        for move in ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0))
    ]
    forced = [(np.array([0.0, 1.0]), np.array([1.0, 0.0]))]

    def step(actions, pasts, chances):
        if len(actions) == n_rounds:
            return max(0.0, chances[0] - math.exp(epsilon) * chances[1]), {}
        laws = [np.exp(-eta * past) / np.exp(-eta * past).sum() for past in pasts]
        options = []
        for move in free if actions else forced:
            later = [past + loss for past, loss in zip(pasts, move, strict=True)]
            parts = [
                step(
                    (*actions, a),
                    later,
                    [c * law[a] for c, law in zip(chances, laws, strict=True)],
                )
                for a in (0, 1)
            ]
            options.append(
                (parts[0][0] + parts[1][0], {actions: move} | parts[0][1] | parts[1][1])
            )
        return max(options, key=lambda option: option[0])

    return step((), [np.zeros(2), np.zeros(2)], [1.0, 1.0])


@pytest.mark.source("DR11-thm-11.2")
def test_the_optimum_for_fixed_losses_does_not_cover_an_adversary_that_answers():
    """Found by dynamic programming; confirmed with the library's own learner on all sequences of choices."""
    eta, n_rounds, epsilon = 1.0, 6, 2.0
    value, rule = answering_by_enumeration(eta, n_rounds, epsilon)
    laws = np.zeros((2, 2**n_rounds))
    for index, sequence in enumerate(product((0, 1), repeat=n_rounds)):
        for side in (0, 1):
            learner, chance = RandomizedWeightedMajority(2, eta), 1.0
            for t, a in enumerate(sequence):
                chance *= learner.output_distribution().pmf()[a]
                learner.update(rule[sequence[:t]][side])
            laws[side, index] = chance
    exact = float(hockey_stick(*laws, epsilon))
    optimum = nonadaptive_range_delta(2 * eta, n_rounds - 1, epsilon)
    table = functions.answering_adversary(eta, [n_rounds], [epsilon]).iloc[0]
    assert exact == pytest.approx(value)
    assert exact == pytest.approx(table["adaptive"])
    assert table["fixed"] * (1 - 1e-12) <= optimum < 0.998 * exact
    assert exact <= table["concentrated"]


def test_finer_grids_give_less_and_converge():
    steps = -np.diff(
        functions.resolution_check(200, 6, 0.01, [4, 8, 16, 32], seed=0)["epsilon"]
    )
    assert (steps > 0).all()
    assert steps[0] > 8 * steps[2]


@pytest.mark.source("DR11-thm-11.3")
@pytest.mark.erratum("DR11-thm-11.3")
def test_the_printed_chain_breaks_where_the_condition_ends():
    table = functions.printed_chain([(3.9, 100), (4.0, 100), (5.0, 100)], 0.5)
    assert (table["first line"] <= table["second line"]).tolist() == [
        True,
        False,
        False,
    ]
    assert (table["exact"] <= table["second line"]).all()


@pytest.mark.source("DR11-thm-11.3")
def test_exact_private_regret_is_below_its_bounds():
    wide = functions.private_regret_by_rounds([100, 1000], 1.0, 1e-5)
    order = [
        "bound, DR11 sum",
        "exact, printed rate",
        "exact, largest private rate",
        "exact, no privacy",
    ]
    assert (np.diff(wide[order], axis=1) < 0).all()


@pytest.mark.source("DR11-rem-price-of-privacy")
def test_prices_fall_with_epsilon_and_the_sharp_one_is_smaller():
    table = functions.prices_of(10, [0.1, 1.0], 1e-5, 10_000)
    assert (table["sharp"] < table["printed"]).all()
    assert (table["sharp"].diff().dropna() < 0).all()
    assert table["printed"][1] == pytest.approx(
        math.sqrt(32 * math.log(10) * math.log(1e5))
    )


@pytest.mark.source("DR11-thm-11.4")
@pytest.mark.erratum("DR11-thm-11.4")
def test_exact_quantiles_are_below_both_deviations():
    wide = functions.regret_quantiles(400, 5, 0.05, [0.1, 1e-3, 1e-6], seed=0)
    assert (wide["exact"] <= wide["Azuma"]).all()
    assert (wide["Azuma"] < wide["DR11"]).all()


@pytest.mark.source("DR11-thm-11.4")
@pytest.mark.erratum("DR11-thm-11.4/2")
def test_signed_losses_exceed_the_printed_deviation_too_often():
    table = functions.signed_losses([1e-3, 1e-6], 2000)
    assert table["printed"].tolist() == pytest.approx([2.97e-3, 6.5e-5], rel=0.02)
    assert (
        (table["correct"] <= table["beta"]) & (table["beta"] < table["printed"])
    ).all()


def test_tumours_are_a_stream_and_their_losses_those_of_the_stumps():
    losses = chapter.tumour_losses(1, repeats=2, seed=0)
    assert losses.shape == (1138, 60)
    assert (losses[:569].sum(axis=0) == losses[569:].sum(axis=0)).all()
    row = functions.tumour_stream([2.0], 1e-5, repeats=[1], n_cuts=1, seed=0).iloc[0]
    law = action_probabilities(
        losses[:569], private_eta(2.0, 1e-5, 569, method="nonadaptive")
    )
    exact = float((law * losses[:569]).sum()) / 569
    assert row["largest private rate"] == pytest.approx(exact)
    assert row["best stump"] == losses[:569].mean(axis=0).min()


def test_the_committed_times_are_of_the_right_sizes_and_grow_in_proportion():
    table = results.read("experts-cost")
    sizes = product(experts_cost.EXPERTS, experts_cost.ROUNDS)
    assert sorted(set(zip(table["k"], table["T"], strict=True))) == sorted(sizes)
    for _, group in table.groupby(["task", "k"]):
        assert (
            0.75 < np.polyfit(np.log(group["T"]), np.log(group["seconds"]), 1)[0] < 1.25
        )
