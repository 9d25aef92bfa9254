"""Attacks and beliefs in the chapter on what differential privacy promises, against brute force."""

from itertools import product

import numpy as np
import pytest

from privml.divergences import hockey_stick, privacy_trade_off, total_variation, trade_off
from privml.experiments import what_privacy_promises as experiments

EPSILONS = (0.3, 1.0, 2.5)


def every_event(p, q):
    """Probabilities of all events under both laws."""
    events = np.array(list(product((0, 1), repeat=len(p))))
    return events @ p, events @ q


def random_laws(rng, n_outcomes):
    return rng.dirichlet(np.ones(n_outcomes), size=2)


@pytest.mark.source("WLF16-def-27", "WLF16-def-2")
def test_the_region_is_what_the_definition_says_about_every_test_and_conversely():
    rng = np.random.default_rng(3)
    for _ in range(200):
        p, q = random_laws(rng, 4)
        epsilon, delta = rng.uniform(0, 1.5), rng.uniform(0, 0.3)
        events = every_event(p, q)
        close = all((x <= np.exp(epsilon) * y + delta + 1e-12).all() for x, y in (events, events[::-1]))
        levels, misses = events[0], 1 - events[1]
        above = (misses >= privacy_trade_off(epsilon, delta, np.clip(levels, 0, 1)) - 1e-12).all()
        grid = np.linspace(0, 1, 41)
        exact = trade_off(np.log(p), np.log(q), grid)
        assert close == above
        if close:
            assert (exact >= privacy_trade_off(epsilon, delta, grid) - 1e-12).all()


def test_the_curve_of_q_against_p_draws_the_trade_off():
    rng, levels = np.random.default_rng(4), np.linspace(0, 1, 101)
    for _ in range(100):
        p, q = np.log(random_laws(rng, 6))
        np.testing.assert_allclose(
            experiments.trade_off_by_lines(p, q, levels), trade_off(p, q, levels), atol=1e-12
        )


@pytest.mark.source("WLF16-def-2")
def test_randomised_answers_touch_the_region_and_the_others_stay_above_it():
    levels = np.linspace(0, 1, 51)
    table = experiments.trade_offs(1.0, 6, levels)
    region = privacy_trade_off(1.0, 0.0, levels)
    for name, group in table.groupby("mechanism"):
        assert (group["miss"].to_numpy() >= region - 1e-12).all()
        if name == "answers by name":
            np.testing.assert_allclose(group["miss"], region, atol=1e-12)
        else:
            assert (group["miss"].to_numpy() > region + 1e-3).any()


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_every_close_pair_is_made_from_randomised_response_and_loses_less(epsilon):
    table = experiments.dominated_pairs(epsilon, 200, 5, seed=5)
    assert table["error"].max() < 1e-12
    assert table[["total_variation", "kullback_leibler"]].max().max() <= 1 + 1e-9


def test_a_pair_that_is_further_apart_than_epsilon_is_not_made_from_randomised_response():
    p, q = np.array([0.9, 0.1]), np.array([0.1, 0.9])
    assert (np.e * q - p).min() < 0


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_limits_of_attacks_are_the_closed_forms(epsilon):
    row = experiments.attack_limits([epsilon]).iloc[0]
    assert row["total_variation"] == pytest.approx(np.tanh(epsilon / 2))
    assert row["guess"] == pytest.approx(1 / (1 + np.exp(-epsilon)))
    assert row["kullback_leibler"] == pytest.approx(epsilon * np.tanh(epsilon / 2))
    assert row["kullback_leibler"] < row["half_square"]


@pytest.mark.source("WLF16-def-27")
def test_no_pair_has_a_larger_total_variation_than_epsilon_and_delta_allow():
    rng = np.random.default_rng(6)
    for _ in range(300):
        p, q = np.log(random_laws(rng, 4))
        epsilon = rng.uniform(0, 2)
        delta = max(hockey_stick(p, q, epsilon), hockey_stick(q, p, epsilon))
        limit = (np.expm1(epsilon) + 2 * delta) / (np.exp(epsilon) + 1)
        assert total_variation(p, q) <= limit + 1e-12


def test_equal_records_multiply_the_odds_by_as_many_factors():
    table = experiments.family_odds(0.4, [1, 2, 5])
    np.testing.assert_allclose(table["log_factor"], 0.4 * table["n_samples"], rtol=1e-12)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_one_record_moves_no_posterior_further_than_the_bound_which_parity_attains(epsilon):
    table = experiments.random_beliefs(epsilon, 3, 300, seed=7)
    assert (table["shift"] <= table["bound"] + 1e-12).all()
    assert table["shift"].max() > 0.9 * np.tanh(epsilon / 2)
    parity = experiments.parity_beliefs(epsilon)
    np.testing.assert_allclose(parity[["with_record", "without", "prior"]].sum(), 1.0)
    assert (parity["with_record"] - parity["without"]).abs().max() == pytest.approx(np.tanh(epsilon / 2))


def smoking_by_enumeration(epsilon, m, rates):
    """Posterior of her illness for each number of yes: all answers of all participants, one by one."""
    law, tables = experiments.yes_count_law(epsilon), []
    for takes_part in (True, False):
        joint = np.zeros((2, 2, m + 1))  # effect, ill, number of yes
        for effect, ill, *others in product((0, 1), repeat=m + 1):
            chance = np.prod([rates[effect] if x else 1 - rates[effect] for x in (ill, *others)])
            joint[effect, ill] += chance * law([ill if takes_part else 0, *others])
        tables.append((joint[:, 1].sum(axis=0) / joint.sum(axis=(0, 1)), joint[1].sum(axis=0)))
    return tables


@pytest.mark.parametrize("m", [1, 2, 5])
def test_the_study_of_smoking_is_what_enumeration_finds(m):
    row = experiments.smoking_study(0.8, [m], (0.1, 0.7)).iloc[0]
    (here, law), (absent, law_absent) = smoking_by_enumeration(0.8, m, (0.1, 0.7))
    assert row["with_record"] == pytest.approx(here @ law)
    assert row["without"] == pytest.approx(absent @ law_absent)
    assert row["largest_difference"] == pytest.approx(np.abs(here - absent).max())
    assert row["largest_difference"] <= row["bound"]
    assert row["before"] == pytest.approx(0.4)
