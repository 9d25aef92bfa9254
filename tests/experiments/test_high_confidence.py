"""Tables of the chapter on high confidence: against enumeration, closed forms, bounds, and simulation."""

from fractions import Fraction
from itertools import product
from math import e, exp, inf, log, sqrt

import numpy as np
import pytest
from scipy.stats import binom

from privml.bounds.boosting import boosted_excess_risk
from privml.bounds.boosting_selection import boosting_candidates, free_selection_epsilon
from privml.experiments import high_confidence as experiments
from privml.experiments.high_confidence.boosting import candidate_law, chosen_law
from privml.experiments.high_confidence.computers import _steps_of_second
from privml.experiments.high_confidence.constants import worse_chosen
from privml.learners.exponential import selection_mechanism

LEVELS = np.array([0.0, 0.5, 1.0])


def by_hand(n, share, epsilon, asleep):
    """Law of the chosen level with two candidates: all lists of answers, all pairs of candidates."""
    m, total = n // 4, np.zeros(3)
    for bits in product((0, 1), repeat=n):
        z = np.array(bits)
        chance = share ** z.sum() * (1 - share) ** (n - z.sum())
        losses = [np.abs(LEVELS[:, None] - part).sum(axis=1) for part in (z[:m], z[m : 2 * m], z[2 * m :])]
        laws = []
        for loss in losses[:2]:
            weights = np.exp(-epsilon / 2 * loss)
            laws.append((1 - asleep) * weights / weights.sum() + asleep / 3)
        for h, g in product(range(3), repeat=2):
            second = 1 / (1 + exp(epsilon / 2 * (losses[2][g] - losses[2][h])))
            total[h] += chance * laws[0][h] * laws[1][g] * (1 - second)
            total[g] += chance * laws[0][h] * laws[1][g] * second
    return total


@pytest.mark.source("WLF16-alg-boost")
@pytest.mark.parametrize("asleep", [0.0, 0.2])
def test_the_law_of_boosting_is_that_of_going_through_all_lists_of_records(asleep):
    found = chosen_law(8, 0.3, 1.5, asleep, 2, LEVELS)
    assert found == pytest.approx(by_hand(8, 0.3, 1.5, asleep), abs=1e-14)


@pytest.mark.source("WLF16-rem-markov", "WLF16-thm-25")
def test_boosting_hurts_the_one_with_a_light_tail_and_helps_the_one_with_a_heavy_tail():
    table = experiments.survival(300, 0.3, 1.0, 0.05, 5).set_index(["learner", "boosted", "excess"])
    chance = table["probability"].unstack("boosted")
    assert (chance.loc["awake", True] > 100 * chance.loc["awake", False]).all()
    assert (chance.loc["drowsy", False] > 15 * chance.loc["drowsy", True]).all()
    assert (table["probability"] <= table["markov"] + 1e-12).all()
    assert chance.loc["drowsy", False].iloc[-1] == pytest.approx(0.01, abs=1e-9)


@pytest.mark.source("WLF16-thm-25")
@pytest.mark.parametrize("asleep", [0.0, 0.2])
def test_the_whole_bound_holds_for_the_exact_law(asleep):
    n, beta, epsilon = 6000, 0.1, 1.0
    a = boosting_candidates(beta / 2)
    m = n // (2 * a)
    levels = np.array([0.0, 1.0])
    rate = candidate_law(m, 0.05, epsilon, asleep, levels)[1] * 0.9
    bound = boosted_excess_risk(lambda _: rate, n, epsilon, beta, validation="half")
    law = chosen_law(n, 0.05, epsilon, asleep, a, levels)
    assert bound < 0.9
    assert 0 <= law[1] <= beta


def test_tumours_are_classified_and_the_worst_run_is_worse_than_the_mean():
    table = experiments.tumours([1.0], 3, 4, seed=1)
    assert (table["mean"] < 0.25).all()
    assert (table["mean"] <= table["worst"]).all()
    assert table.equals(experiments.tumours([1.0], 3, 4, seed=1))


@pytest.mark.source("WLF16-thm-25")
def test_the_exact_gap_is_below_the_bound_and_close_to_it_for_small_epsilon():
    table = experiments.choice_gaps(150, 0.02, [0.1, 0.2, 0.5, 2.0])
    assert (table["exact"] <= table["bound"]).all()
    assert table["exact"].iloc[0] > 0.95 * table["bound"].iloc[0]
    for epsilon, gap in zip(table["epsilon"], table["exact"], strict=True):
        assert worse_chosen(150, epsilon, gap) <= 0.02 < worse_chosen(150, epsilon, gap - 1e-9)
    assert (table.loc[table["epsilon"] >= table["free"], "bound"] == table["without"].iloc[0]).all()


def test_the_worse_of_two_is_chosen_as_often_as_enumeration_says():
    v, epsilon, gap = 6, 0.7, 0.4
    total = 0.0
    for errs in product((0, 1), repeat=v):
        lead = 2 * sum(errs) - v
        chance = 0.7 ** sum(errs) * 0.3 ** (v - sum(errs))
        total += chance / (1 + exp(epsilon / 2 * lead))
    assert worse_chosen(v, epsilon, gap) == pytest.approx(total, rel=1e-12)


@pytest.mark.erratum("WLF16-thm-25/3")
def test_the_constant_of_the_claim_grows_and_that_of_half_validation_stays():
    table = experiments.claim_constants([10.0**-k for k in (1, 2, 3, 10, 40, 150, 300)])
    assert (np.diff(table["needed"]) > 0).all()
    assert np.allclose(table["needed_wlf16"], 2 * table["needed"], rtol=1e-9)
    assert table["needed"].iloc[-1] > 26
    assert (table["needed_log"] < 1).all()
    assert (table["proved_half"] < 2.22).all()
    a = np.array([boosting_candidates(beta / 3) for beta in table["beta"]])
    lower = (table["log"] - np.log(2 * e * a)) / np.sqrt(log(3) + table["log"])
    assert (lower <= table["needed"]).all()


@pytest.mark.source("WLF16-thm-25")
def test_the_constants_of_the_corollaries_hold_for_every_failure_probability():
    n = 10**12
    for beta in np.geomspace(0.95, 1e-300, 4000):
        share, a = log(3) - log(beta), boosting_candidates(beta / 2)
        half = boosted_excess_risk(lambda m: 0.0, n, inf, beta, validation="half")
        assert half * sqrt(n) <= 2.22 * sqrt(share)
        if a > 1:
            free = free_selection_epsilon(n // 2, a, beta - exp(-a))
            assert free * sqrt(n) <= 4.44 * sqrt(share)
        a = boosting_candidates(beta / 3)
        logarithm = log(a - 1) - log(beta - exp(-a))
        assert 2 * logarithm + (a + 1) / 4 <= 11 / 4 * share


def test_markov_wins_for_large_failure_probabilities_and_loses_below_the_crossing():
    found = experiments.crossings([0.25, 20.0], 10**6, 1.0)
    assert found["beta"].iloc[0] < 0.05 < found["beta"].iloc[1]
    for constant, beta in found.to_numpy():
        below = experiments.markov_or_boost(constant, 10**6, 1.0, np.geomspace(beta, 1e-4, 30))
        assert (below[["equal", "half"]].min(axis=1) < below["markov"]).all()
        above = experiments.markov_or_boost(constant, 10**6, 1.0, [beta * 1.01]).iloc[0]
        assert above["markov"] <= min(above["equal"], above["half"])


@pytest.mark.erratum("WLF16-thm-25/2")
def test_the_deviation_of_the_block_is_kept_and_the_printed_one_is_not():
    table = experiments.printed_deviation(6000, 0.05)
    assert table["tail"].iloc[0] > 40 * table["allotted"].iloc[0]
    assert table["tail"].iloc[1] <= table["allotted"].iloc[1]
    outside = binom.cdf(476, 1000, 0.5) * 2  # 523.09 and more on one side
    assert table["tail"].iloc[0] == pytest.approx(outside, rel=1e-9)


def test_floats_give_nothing_where_the_law_gives_something():
    table = experiments.float_choices([10, 72, 74], 1.0).set_index("lead")
    assert table.loc[72, "floats"] > 0
    assert table.loc[74, "floats"] == 0 < table.loc[74, "exact"]
    assert table.loc[72, "loss"] == inf
    assert table.loc[10, "loss"] == pytest.approx(log((1 + exp(6)) / (1 + exp(5))), rel=1e-10)
    assert (table["distance"] < 4 * 2.0**-53).all()


class Fixed(np.random.Generator):
    """Returns one uniform number."""

    def __init__(self, number):
        super().__init__(np.random.PCG64(0))
        self.number = number

    def random(self, size=None):
        return np.full(size, self.number)


@pytest.mark.parametrize("lead", [3, 60, 72, 74])
def test_the_counted_steps_are_those_of_the_sampler(lead):
    law = selection_mechanism(1.0).output_distribution([lead, 0])
    steps = _steps_of_second(law)
    assert law.rvs(rng=Fixed((2**53 - steps - 1) / 2**53)) == 0
    if steps:
        assert law.rvs(rng=Fixed((2**53 - steps) / 2**53)) == 1
    else:
        assert law.rvs(rng=Fixed(1 - 2.0**-53)) == 0


@pytest.mark.source("WLF16-alg-boost")
def test_exact_choices_follow_the_law():
    table = experiments.exact_choices([4, 7, 6], Fraction(1, 2), 3000, seed=5)
    assert (table["deviations"].abs() < 5).all()
    rounds = table["rounds"].iloc[0]
    assert table["proposals"].iloc[0] == pytest.approx(rounds, abs=5 * rounds / sqrt(3000))
    assert table["probability"].to_numpy() == pytest.approx(
        np.exp([1.0, 1.75, 1.5]) / np.exp([1.0, 1.75, 1.5]).sum()
    )


@pytest.mark.source("WLF16-prop-26")
def test_inexact_candidates_cost_privacy_once_and_confidence_for_each():
    row = experiments.inexact_candidates([0.01], 1.0, 0.05, 5).iloc[0]
    assert row["privacy_delta"] == pytest.approx((1 + e) * 0.01)
    assert row["failure"] == pytest.approx(0.1)


@pytest.mark.source("WLF16-rem-infinite-domain")
def test_truncated_normalisers_grow_linearly_and_the_formula_is_right():
    table = experiments.truncated_normalisers([1.0, 10.0, 1000.0], 1.0, 4)
    assert table["quadrature"].to_numpy() == pytest.approx(2 * table["radius"].to_numpy() * exp(-1))
    assert table["formula"].to_numpy() == pytest.approx(table["quadrature"].to_numpy())


@pytest.mark.source("WLF16-rem-infinite-domain")
def test_a_prior_on_the_integers_finds_any_threshold_within_the_bound():
    table = experiments.prior_on_integers([2, 7, 100, 10**9], 0.5, 0.2)
    assert (np.diff(table["records"]) > 0).all()
    assert ((table["records"] - 2 < table["bound"]) & (table["records"] > table["bound"] - 8)).all()
    prior, w = 1 / np.arange(1, 200_001.0) / np.arange(2, 200_002.0), 7
    n = int(table["records"].iloc[1])
    assert prior.sum() == pytest.approx(1, abs=1e-5)
    for size, enough in ((n, True), (n - 2, False)):
        weights = prior * np.exp(-0.25 * np.where(np.arange(1, 200_001) == w, 0, size / 2))
        assert (1 - weights[w - 1] / weights.sum() <= 0.2) == enough
