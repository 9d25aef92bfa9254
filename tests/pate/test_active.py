"""Version spaces, regions of disagreement and the disagreement coefficient, by enumeration."""

from itertools import combinations, product

import numpy as np
import pytest

from privml import pate
from privml.bounds.students import active_slack
from privml.hypotheses import Thresholds
from tests.refusals import refused

RNG = np.random.default_rng(7)
CUTS = Thresholds(np.arange(1, 22) / 22)
STREAM = RNG.uniform(size=300)
TABLE = CUTS.predict(STREAM)


@pytest.mark.source("LZCW21-def-7")
def test_a_point_lies_in_the_region_if_and_only_if_two_hypotheses_differ_there():
    for _ in range(30):
        table = RNG.random((RNG.integers(1, 6), 8)) < 0.5
        brute = [any(a[x] != b[x] for a, b in product(table, table)) for x in range(8)]
        assert pate.disagreement_region(table).tolist() == brute


def coefficient_by_balls(table, centre, weights, radius):
    """Supremum over a fine grid of radii and the jumps, straight from the definition."""
    distances = (table != table[centre]) @ weights
    radii = np.unique(
        np.r_[
            distances,
            distances + 1e-9,
            radius + 1e-12,
            np.linspace(radius + 1e-9, 1, 50),
        ]
    )
    ratios = [
        weights @ pate.disagreement_region(table[distances <= r]) / r
        for r in radii[radii > radius]
    ]
    return max(1.0, *ratios)


@pytest.mark.source("LZCW21-def-disagreement-coefficient")
@pytest.mark.parametrize("radius", [0.0, 0.1, 0.3])
def test_the_coefficient_is_the_supremum_over_balls(radius):
    for _ in range(25):
        table = RNG.random((6, 7)) < 0.5
        weights = RNG.dirichlet(np.ones(7))
        found = pate.disagreement_coefficient(table, 2, weights, radius=radius)
        assert found == pytest.approx(
            coefficient_by_balls(table, 2, weights, radius), rel=1e-6
        )


@pytest.mark.source("LZCW21-def-disagreement-coefficient")
def test_thresholds_have_coefficient_two_singletons_half_their_number_and_it_falls_with_the_radius():
    line = Thresholds(np.arange(41)).predict(np.arange(40))
    assert pate.disagreement_coefficient(line, 20) == pytest.approx(2)
    assert pate.disagreement_coefficient(line, 0) == pytest.approx(1)
    points = np.eye(50, dtype=bool)
    assert pate.disagreement_coefficient(points, 3) == pytest.approx(25)
    found = [
        pate.disagreement_coefficient(points, 3, radius=r)
        for r in (0, 0.03, 0.04, 0.1, 0.5, 1)
    ]
    assert found == pytest.approx([25, 25, 25, 10, 2, 1])
    assert found == sorted(found, reverse=True)


def test_an_interval_of_probability_p_is_surrounded_by_its_empty_neighbour():
    """The empty interval lies at distance p; a ball of that radius disagrees nearly everywhere."""
    lower, upper = np.array([(0, 0), *combinations(range(41), 2)]).T
    x = np.arange(40)
    table = (lower[:, None] <= x) & (x < upper[:, None])
    narrow = int(np.flatnonzero((lower == 18) & (upper == 20))[0])
    wide = int(np.flatnonzero((lower == 10) & (upper == 30))[0])
    assert pate.disagreement_coefficient(table, narrow) == pytest.approx(40 / 3)
    assert pate.disagreement_coefficient(table, wide) == pytest.approx(4)


@pytest.mark.source("LZCW21-def-disagreement-coefficient")
def test_the_radii_give_every_region():
    table, weights = RNG.random((9, 12)) < 0.4, RNG.dirichlet(np.ones(12))
    radii = pate.disagreement_radii(table, 4, weights)
    distances = (table != table[4]) @ weights
    for r in np.unique(distances):
        assert (
            pate.disagreement_region(table[distances <= r + 1e-12])
            == (radii <= r + 1e-12)
        ).all()


def run(truth, flips=None, **options):
    labels = TABLE[truth] if flips is None else TABLE[truth] ^ flips
    return pate.version_space_learning(TABLE, lambda j: labels[j], **options)


@pytest.mark.source("LZCW21-alg-4")
@pytest.mark.parametrize("truth", [0, 9, 20])
def test_without_noise_it_ends_with_the_version_space_of_all_labels(truth):
    found = pate.version_space_learning(TABLE[:, :256], lambda j: TABLE[truth, j])
    passive = (TABLE[:, :256] == TABLE[truth, :256]).all(axis=1)
    assert (found.survivors == passive).all()
    assert passive[found.index]
    assert len(found.queried) < 80


@pytest.mark.source("LZCW21-alg-4")
def test_it_never_asks_outside_of_the_region_and_always_inside():
    flips = np.random.default_rng(3).random(300) < 0.1

    def slack(j):
        return 1.0 + 0.1 * j

    found = run(9, flips, slack=slack)
    labels, alive, mistakes, queried = (
        TABLE[9] ^ flips,
        np.ones(21, dtype=bool),
        np.zeros(21, dtype=int),
        [],
    )
    for j in range(300):
        if pate.disagreement_region(TABLE[alive])[j]:
            queried.append(j)
            mistakes += TABLE[:, j] != labels[j]
        if j + 1 in (1, 2, 4, 8, 16, 32, 64, 128, 256):
            alive &= mistakes <= mistakes[alive].min() + slack(j + 1)
    assert found.queried.tolist() == queried
    assert (found.survivors == alive).all()


@pytest.mark.source("LZCW21-alg-4")
def test_differences_of_mistakes_among_survivors_are_those_of_the_whole_stream():
    flips = np.random.default_rng(4).random(300) < 0.2
    found = run(9, flips, slack=lambda j: 2.0 + 0.05 * j)
    last = 256
    asked = found.queried[found.queried < last]
    labels = TABLE[9] ^ flips
    on_asked = (TABLE[:, asked] != labels[asked]).sum(axis=1)[found.survivors]
    on_all = (TABLE[:, :last] != labels[:last]).sum(axis=1)[found.survivors]
    assert len(asked) < last
    assert np.ptp(on_all - on_asked) == 0


@pytest.mark.source("LZCW21-alg-4")
@pytest.mark.erratum("LZCW21-alg-4/1")
@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_with_the_explicit_slack_the_best_survives_every_time_and_with_none_it_does_not(
    noise,
):
    lost = {"explicit": 0, "none": 0}
    for seed in range(60):
        flips = np.random.default_rng(seed).random(300) < noise
        explicit = run(
            9, flips, slack=lambda j: active_slack(j, 21, 0.1, best_error=noise)
        )
        lost["explicit"] += not explicit.survivors[9]
        lost["none"] += not run(9, flips).survivors[9]
    assert lost["explicit"] <= 0.1 * 60
    assert (lost["none"] > 20) == (noise > 0)


def test_a_hypothesis_that_is_out_stays_out_even_if_it_has_fewest_mistakes_later():
    """The first is contradicted once and removed at j = 1; the others are wrong in turn, more often."""
    table = np.zeros((3, 8), dtype=bool)
    table[0, 0] = table[1, [1, 3, 5, 7]] = table[2, [2, 4, 6]] = True
    slacks = {1: 0, 2: 9, 4: 9, 8: 0}
    found = pate.version_space_learning(table, lambda j: False, slack=slacks.get)
    assert found.survivors.tolist() == [False, False, True]
    assert found.index == 2


def test_labels_after_the_last_power_of_two_do_not_matter_when_the_budget_ends():
    first = pate.version_space_learning(TABLE, lambda j: bool(TABLE[9, j]), n_queries=5)
    after = [j for j in first.queried.tolist() if j >= first.stages[-1].n_seen]
    assert len(first.queried) == 5
    assert after
    lying = pate.version_space_learning(
        TABLE, lambda j: bool(TABLE[9, j]) ^ (j in after), n_queries=5
    )
    assert (lying.survivors == first.survivors).all()
    assert lying.index == first.index


def test_the_stages_count_what_happened():
    found = run(9)
    assert [stage.n_seen for stage in found.stages] == [
        0,
        1,
        2,
        4,
        8,
        16,
        32,
        64,
        128,
        256,
    ]
    assert found.stages[0].n_survivors == 21
    for stage in found.stages:
        assert stage.n_queried == (found.queried < stage.n_seen).sum()
    assert found.n_seen == 300


test_bad_parameters_are_refused = refused(
    (lambda: pate.disagreement_region([[1, 0]]), "predictions must be"),
    (lambda: pate.disagreement_radii(TABLE, 21), "centre must be below"),
    (
        lambda: pate.disagreement_radii(TABLE, 0, [0.5, 0.5]),
        "weights must be probabilities",
    ),
)
