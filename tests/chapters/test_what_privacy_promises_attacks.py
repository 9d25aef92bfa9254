"""Attacks and beliefs in the chapter on what differential privacy promises, against brute force."""

from itertools import product

import numpy as np
import pytest
from scipy.special import ndtr, ndtri
from scipy.stats import binom

from book.tools.chapter_code import chapter_module
from privml import audit
from privml.divergences import (
    PrivacyCurve,
    gaussian_epsilon,
    kullback_leibler,
    total_variation,
)
from tests.chapters.test_what_privacy_promises import (
    every_event,
    name_and_shame,
    random_laws,
)
from tests.chapters.what_an_attacker_learns_functions import (
    close_pair,
    deviations,
    gaussian_parameter,
    made_from_response,
    parity_laws,
    random_prior,
    shift,
    trade_off_by_lines,
)

before = chapter_module("what-privacy-promises")
chapter = chapter_module("what-an-attacker-learns")
EPSILONS = (0.3, 1.0, 2.5)


@pytest.mark.source("WLF16-def-27", "WLF16-def-2")
def test_the_region_is_what_the_definition_says_about_every_test_and_conversely():
    rng = np.random.default_rng(3)
    for _ in range(200):
        p, q = random_laws(rng, 4)
        epsilon, delta = rng.uniform(0, 1.5), rng.uniform(0, 0.3)
        events = every_event(p, q)
        close = all(
            (x <= np.exp(epsilon) * y + delta + 1e-12).all()
            for x, y in (events, events[::-1])
        )
        levels, misses = events[0], 1 - events[1]
        above = (
            misses
            >= chapter.least_allowed(epsilon, delta, np.clip(levels, 0, 1)) - 1e-12
        ).all()
        grid = np.linspace(0, 1, 41)
        exact = chapter.trade_off(np.log(p), np.log(q), grid)
        assert close == above
        if close:
            assert (exact >= chapter.least_allowed(epsilon, delta, grid) - 1e-12).all()


def test_the_curve_of_q_against_p_draws_the_trade_off():
    rng, levels = np.random.default_rng(4), np.linspace(0, 1, 101)
    for _ in range(100):
        p, q = np.log(random_laws(rng, 6))
        lines = trade_off_by_lines(p, q, levels)
        np.testing.assert_allclose(lines, chapter.trade_off(p, q, levels), atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_no_test_beats_the_trade_off_and_some_test_attains_it(seed):
    p, q = np.log(random_laws(np.random.default_rng(seed), 4))
    levels, caught = every_event(np.exp(p), np.exp(q))
    assert (1 - caught >= chapter.trade_off(p, q, np.clip(levels, 0, 1)) - 1e-12).all()
    best = np.argsort(p - q)
    corners = np.cumsum(np.exp(p[best]))[:-1]
    attained = 1 - np.cumsum(np.exp(q[best]))[:-1]
    assert chapter.trade_off(p, q, corners) == pytest.approx(attained, abs=1e-12)


@pytest.mark.source("WLF16-def-27")
@pytest.mark.parametrize("seed", range(5))
def test_the_trade_off_and_the_curve_hold_the_same_promise(seed):
    """Above the two lines of (epsilon, delta) exactly when delta is on the curve, both ways."""
    p, q = np.log(random_laws(np.random.default_rng(seed), 4))
    levels = np.linspace(0.0, 1.0, 2001)
    for epsilon in (0.0, 0.3, 1.0):
        delta = max(
            PrivacyCurve.between(p, q, logs=True).delta(epsilon),
            PrivacyCurve.between(q, p, logs=True).delta(epsilon),
        )
        gap = chapter.trade_off(p, q, levels) - chapter.least_allowed(
            epsilon, delta, levels
        )
        assert gap.min() >= -1e-12
        if delta > 0.02:
            less = chapter.trade_off(p, q, levels) - chapter.least_allowed(
                epsilon, delta - 0.01, levels
            )
            assert less.min() < 0


@pytest.mark.parametrize("mu", [0.3, 1.0])
def test_the_gaussian_trade_off_touches_the_lines_of_its_curve(mu):
    levels = np.linspace(1e-6, 1 - 1e-6, 20_001)
    for delta in (1e-3, 1e-2):
        gap = ndtr(-ndtri(levels) - mu) - chapter.least_allowed(
            gaussian_epsilon(delta=delta, mu=mu), delta, levels
        )
        assert gap.min() >= -1e-12
        assert gap.min() < 1e-6


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_gaussian_trade_off_of_pure_privacy_lies_below_its_limit_and_touches_it_once(
    epsilon,
):
    levels, mu = np.linspace(0, 1, 2001), gaussian_parameter(epsilon)
    gap = chapter.least_allowed(epsilon, 0.0, levels) - ndtr(-ndtri(levels) - mu)
    assert gap.min() >= -1e-12
    corner = 1 / (1 + np.exp(epsilon))
    assert ndtr(-ndtri(corner) - mu) == pytest.approx(corner)
    assert ndtr(-ndtri(corner) - (mu - 1e-3)) > corner + 1e-5


@pytest.mark.parametrize("m", [2, 4, 8])
def test_no_local_guess_of_the_world_is_better_than_the_majority_of_randomised_answers(
    m,
):
    """Every deterministic guess from the number of yes, by brute force."""
    epsilon = 2.5
    tau = np.tanh(epsilon / 2)
    a = 1 / (4 * tau * np.sqrt(m))
    local = chapter.majority_wrong(m, 0.5 + a * tau)
    law = chapter.coin_laws(epsilon)[:, 1]
    shares = [(0.5 + sign * a) * law[1] + (0.5 - sign * a) * law[0] for sign in (1, -1)]
    high, low = (binom.pmf(np.arange(m + 1), m, share) for share in shares)
    wrong = [
        np.where(guess, low, high).sum() / 2
        for guess in product((False, True), repeat=m + 1)
    ]
    assert min(wrong) == pytest.approx(local)


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0])
def test_the_curators_noise_is_the_root_of_half_of_m_times_better(epsilon):
    m = 500
    local, curator = deviations(m, epsilon)
    assert curator == pytest.approx(1 / (np.sqrt(2) * np.sinh(epsilon / 2) * m))
    assert local / curator == pytest.approx(np.sqrt(m / 2))


@pytest.mark.parametrize("m", [2, 6])
def test_the_curators_guess_is_what_enumeration_finds(m):
    """All lists of records and all noises that matter, one by one."""
    epsilon, probability = 0.7, 0.6
    reach = np.arange(-80, 81)
    noise = np.exp(-epsilon * np.abs(reach))
    noise /= noise.sum()
    wrong = 0.0
    for records in product((0, 1), repeat=m):
        chance = np.prod([probability if x else 1 - probability for x in records])
        published = sum(records) + reach
        wrong += chance * noise[published < m / 2].sum()
        wrong += chance * noise[published == m / 2].sum() / 2
    assert chapter.curator_wrong(m, probability, epsilon) == pytest.approx(wrong)


def test_the_majority_of_an_odd_number_has_no_tie():
    assert chapter.majority_wrong(3, 0.75) == pytest.approx(10 / 64)


def test_the_curve_of_name_and_shame_is_flat():
    found = audit.exact(
        lambda z: name_and_shame(z, 0.001), np.array([0, 1]), 4, ordered=True
    )
    np.testing.assert_allclose(found.delta([0.0, 1.0, 10.0]), 0.001, atol=1e-12)


def test_no_privacy_loss_is_blind_guessing():
    assert chapter.least_allowed(0.0, 0.0, 0.3) == pytest.approx(0.7)
    assert chapter.least_allowed(500.0, 0.1, np.array([0.0, 0.5])) == pytest.approx(
        [0.9, 0.0]
    )


@pytest.mark.source("WLF16-def-2")
@pytest.mark.parametrize(
    ("name", "touches"), [("answers_by_name", True), ("number_of_yes", False)]
)
def test_randomised_answers_touch_the_region_and_their_number_stays_above_it(
    name, touches
):
    levels = np.linspace(0, 1, 51)
    region = chapter.least_allowed(1.0, 0.0, levels)
    miss = chapter.least_miss(getattr(before, name)(1.0), 1 if touches else 6, levels)
    assert (miss >= region - 1e-12).all()
    assert (miss > region + 1e-3).any() != touches


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_every_close_pair_is_made_from_randomised_response_and_loses_less(epsilon):
    rng = np.random.default_rng(5)
    distance, _, mean_loss = chapter.attack_limits(epsilon)
    for _ in range(200):
        p, q = close_pair(rng, epsilon, 5)
        assert np.abs(np.log(p / q)).max() <= epsilon + 1e-9
        np.testing.assert_allclose(
            made_from_response(p, q, epsilon), [p, q], atol=1e-12
        )
        assert total_variation(p, q) <= distance + 1e-9
        assert kullback_leibler(p, q) <= mean_loss + 1e-9


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_limits_of_attacks_are_the_closed_forms(epsilon):
    distance, guess, mean_loss = chapter.attack_limits(epsilon)
    assert distance == pytest.approx(np.tanh(epsilon / 2))
    assert guess == pytest.approx(1 / (1 + np.exp(-epsilon)))
    assert mean_loss == pytest.approx(epsilon * np.tanh(epsilon / 2))
    assert mean_loss < epsilon**2 / 2
    no, yes = chapter.coin_laws(epsilon)
    assert max(yes / no) == pytest.approx(np.exp(epsilon))


@pytest.mark.parametrize("m", [1, 2, 5])
def test_equal_records_multiply_the_odds_by_as_many_factors(m):
    law = chapter.number_of_yes(0.4)
    assert np.log(law([1] * m) / law([0] * m)).max() == pytest.approx(
        0.4 * m, rel=1e-12
    )


def test_one_record_moves_no_posterior_further_than_the_bound_which_parity_attains():
    epsilon, rng = chapter.epsilon, np.random.default_rng(7)
    bound = np.tanh(epsilon / 2)
    data, shifts = np.array(list(product((0, 1), repeat=3))), []
    laws = parity_laws(data, epsilon), parity_laws(data, epsilon, 0)
    for shape in np.geomspace(1.0, 0.02, 300):
        prior = random_prior(rng, shape, 8)
        shifts.append(shift(prior, *laws).max())
    assert 0.9 * bound < max(shifts) <= bound + 1e-12
    pair = np.array([[1, 0], [1, 1]])
    laws = parity_laws(pair, epsilon), parity_laws(pair, epsilon, 0)
    assert shift(np.full(2, 0.5), *laws) == pytest.approx(bound)


def smoking_by_enumeration(epsilon, m, rates):
    """Posterior of her illness for each number of yes: all answers of all participants, one by one."""
    law, tables = chapter.number_of_yes(epsilon), []
    for takes_part in (True, False):
        joint = np.zeros((2, 2, m + 1))  # effect, ill, number of yes
        for effect, ill, *others in product((0, 1), repeat=m + 1):
            chance = np.prod(
                [rates[effect] if x else 1 - rates[effect] for x in (ill, *others)]
            )
            joint[effect, ill] += chance * law([ill if takes_part else 0, *others])
        tables.append(
            (joint[:, 1].sum(axis=0) / joint.sum(axis=(0, 1)), joint[1].sum(axis=0))
        )
    return tables


@pytest.mark.parametrize("m", [1, 2, 5])
def test_the_study_of_smoking_is_what_enumeration_finds(m):
    before, with_record, without, difference = chapter.smoking_study(0.8, m, (0.1, 0.7))
    (here, law), (absent, law_absent) = smoking_by_enumeration(0.8, m, (0.1, 0.7))
    assert with_record == pytest.approx(here @ law)
    assert without == pytest.approx(absent @ law_absent)
    assert difference == pytest.approx(np.abs(here - absent).max())
    assert difference <= np.tanh(0.4)
    assert before == pytest.approx(0.4)
