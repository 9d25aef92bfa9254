"""The tables of the chapter on what differential privacy promises, against definitions and brute force."""

from itertools import product

import numpy as np
import pytest

from privml import audit
from privml.adjacency import Adjacency, neighbouring_datasets
from privml.divergences import (
    PrivacyCurve,
    after_channel,
    hockey_stick,
    privacy_loss,
)
from privml.experiments import what_privacy_promises as experiments
from privml.guarantee import Guarantee

BITS = np.array([0, 1])
EPSILONS = (0.3, 1.0, 2.5)
REPLACE, ADD = Adjacency.REPLACE_ONE, Adjacency.ADD_OR_REMOVE_ONE


def every_event(p, q):
    """Probabilities of all events under both laws."""
    events = np.array(list(product((0, 1), repeat=len(p))))
    return events @ p, events @ q


def random_laws(rng, n_outcomes):
    return rng.dirichlet(np.ones(n_outcomes), size=2)


@pytest.mark.source("WLF16-eq-3")
@pytest.mark.parametrize(("n_points", "m"), [(2, 3), (3, 2), (4, 3)])
def test_a_data_set_has_m_times_one_less_than_the_universe_neighbours(n_points, m):
    first, _, pairs = neighbouring_datasets(np.arange(n_points), m, ordered=True)
    assert (np.bincount(pairs.ravel(), minlength=len(first)) == m * (n_points - 1)).all()
    assert ((first[pairs[:, 0]] != first[pairs[:, 1]]).sum(axis=1) == 1).all()


@pytest.mark.source("WLF16-def-2", "WLF16-eq-3")
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_randomised_answers_keep_epsilon_on_every_event_of_every_pair_and_use_all_of_it(epsilon):
    law = experiments.answers_by_name_law(epsilon)
    first, _, pairs = neighbouring_datasets(BITS, 3, ordered=True)
    for a, b in pairs:
        p, q = every_event(law(first[a]), law(first[b]))
        assert (p <= np.exp(epsilon) * q + 1e-12).all()
        assert (q <= np.exp(epsilon) * p + 1e-12).all()
        assert (p > 0.99 * np.exp(epsilon) * q)[1:].any()
    assert audit.exact(law, BITS, 3, ordered=True).epsilon == pytest.approx(epsilon, abs=1e-12)


@pytest.mark.source("LZCW21-def-1")
def test_randomised_answers_have_no_parameter_when_a_record_may_be_added():
    law = experiments.answer_list_law(1.0, 3)
    found = audit.exact(law, BITS, 3, adjacency=ADD, ordered=True)
    assert found.epsilon == np.inf
    assert found.delta(20.0) == pytest.approx(1.0)


def test_the_number_of_yes_is_a_count_of_the_answers_by_name():
    answers = [1, 0, 1, 1]
    lists = experiments.answers_by_name_law(0.7)(answers)
    counts = [sum(answer) for answer in product((0, 1), repeat=4)]
    wanted = np.bincount(counts, weights=lists)
    np.testing.assert_allclose(experiments.yes_count_law(0.7)(answers), wanted, rtol=1e-12)


def test_the_two_laws_of_the_first_figure_belong_to_neighbours():
    table = experiments.neighbouring_counts(1.0, [1, 0, 0, 1])
    law = experiments.yes_count_law(1.0)
    np.testing.assert_allclose(table["here"], law([0, 0, 1, 1]))
    np.testing.assert_allclose(table["neighbour"], law([0, 0, 0, 1]))
    assert table["privacy_loss"].abs().max() == pytest.approx(1.0)


@pytest.mark.source("WLF16-def-27")
def test_the_hockey_stick_is_the_largest_excess_over_all_events_and_the_curve_of_the_audit():
    epsilon, grid = 1.0, np.array([0.0, 0.4, 0.9])
    table = experiments.privacy_curves(epsilon, 4, 0.05, grid)
    laws = {
        "answers by name": [np.array([1, np.e]) / (1 + np.e), np.array([np.e, 1]) / (1 + np.e)],
        "name and shame": [np.array([0.95, 0.05, 0]), np.array([0.95, 0, 0.05])],
    }
    for name, (p, q) in laws.items():
        events = every_event(p, q)
        wanted = [np.max(events[0] - np.exp(t) * events[1]) for t in grid]
        np.testing.assert_allclose(table.loc[table["mechanism"] == name, "delta"], wanted, atol=1e-12)
    law = experiments.yes_count_law(epsilon)
    pairs = [(k, k + step) for k in range(5) for step in (-1, 1) if 0 <= k + step <= 4]
    events = [every_event(*(law([1] * k + [0] * (4 - k)) for k in pair)) for pair in pairs]
    wanted = [max(np.max(p - np.exp(t) * q) for p, q in events) for t in grid]
    found = table.loc[table["mechanism"] == "number of yes", "delta"]
    np.testing.assert_allclose(found, wanted, atol=1e-12)


@pytest.mark.source("WLF16-def-27")
def test_delta_lies_between_the_two_bounds_by_the_tail_of_the_loss():
    rng = np.random.default_rng(1)
    for _ in range(200):
        p, q = random_laws(rng, 6)
        loss, epsilon, t = privacy_loss(np.log(p), np.log(q)), rng.uniform(0, 2), rng.uniform(0.01, 2)
        delta = hockey_stick(np.log(p), np.log(q), epsilon)
        assert delta <= p[loss > epsilon].sum() + 1e-12
        assert p[loss > epsilon + t].sum() <= delta / -np.expm1(-t) + 1e-12


def test_the_table_of_the_tail_is_the_curve_of_its_pair():
    table = experiments.loss_tail(1.0, 6, [0.0, 0.3, 0.8])
    law = experiments.yes_count_law(1.0)
    pair = np.log(law([1] + [0] * 5)), np.log(law([0] * 6))
    np.testing.assert_allclose(
        table["delta"], PrivacyCurve.between(*pair).delta(table["threshold"]), atol=1e-14
    )
    loss = privacy_loss(*pair)
    wanted = [np.exp(pair[0])[loss > t].sum() for t in table["threshold"]]
    np.testing.assert_allclose(table["loss_probability"], wanted)


@pytest.mark.source("LZCW21-lem-40")
def test_no_map_of_the_outcomes_raises_a_curve_and_all_maps_are_tried():
    table = experiments.maps_of_outcomes(1.0, 3, np.linspace(0, 1.2, 7)).set_index("n_values")
    assert table["n_maps"].tolist() == [4, 84, 144, 24]
    assert table["largest_rise"].max() <= 1e-15
    assert table.loc[4, "smallest_epsilon"] == pytest.approx(1.0)
    assert table["smallest_epsilon"].is_monotonic_increasing


@pytest.mark.source("LZCW21-lem-40")
def test_no_random_channel_raises_a_curve():
    rng, grid = np.random.default_rng(2), np.linspace(0.0, 2.0, 9)
    for _ in range(300):
        p, q = random_laws(rng, 5)
        channel = rng.dirichlet(np.full(4, 0.3), size=5)
        after = PrivacyCurve.between(after_channel(np.log(p), channel), after_channel(np.log(q), channel))
        assert (after.delta(grid) <= PrivacyCurve.between(np.log(p), np.log(q)).delta(grid) + 1e-12).all()


@pytest.mark.source("LZCW21-lem-40")
def test_a_map_that_looks_at_the_data_again_is_no_post_processing():
    law = experiments.yes_count_law(1.0)

    def rounded_to_the_truth(records):
        keep = np.eye(4)
        keep[np.arange(4) != records.sum()] = np.full(4, 0.25)
        return law(records) @ keep

    assert audit.exact(rounded_to_the_truth, BITS, 3).epsilon > 1.01


@pytest.mark.source("WLF16-eq-group-privacy")
@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 0.001), (1.0, 0.01), (0.1, 0.05)])
def test_groups_keep_the_theorem_which_is_attained_and_below_the_bound_of_the_source(epsilon, delta):
    table = experiments.group_delta(epsilon, delta, 12)
    assert (table["exact"] <= table["theorem"] + 1e-12).all()
    assert (table["theorem"] <= table["source"] + 1e-12).all()
    said = experiments.admission_probabilities(epsilon, delta, 12)
    attained = said[:-1] <= (1 - delta) / (1 + np.exp(epsilon))
    np.testing.assert_allclose(table["exact"][attained], table["theorem"][attained], rtol=1e-9)
    assert attained.sum() >= 3


@pytest.mark.source("WLF16-eq-group-privacy")
@pytest.mark.parametrize("k", [1, 2, 3])
def test_any_k_records_move_randomised_answers_and_the_admission_by_what_the_theorem_allows(k):
    for law, promise in (
        (experiments.answers_by_name_law(0.6), Guarantee(0.6)),
        (experiments.admission_law(0.6, 0.01, 4), Guarantee(0.6, 0.01)),
    ):
        group = promise.for_group(k)
        for z, other in product(product((0, 1), repeat=3), repeat=2):
            if sum(a != b for a, b in zip(z, other, strict=True)) == k:
                p, q = every_event(law(z), law(other))
                assert (p <= np.exp(group.epsilon) * q + group.delta + 1e-12).all()


@pytest.mark.erratum("WLF16-eq-group-privacy")
def test_the_printed_group_bound_fails_on_both_events_and_the_corrected_one_holds():
    table = experiments.printed_group_bound(0.5, 0.001, 3)
    assert (table["probability"] > table["printed"] + 1e-4).all()
    assert (table["probability"] >= table["corrected"]).all()
    assert (table["printed"] < 0).any()


@pytest.mark.source("WLF16-def-27", "LZCW21-def-1")
@pytest.mark.parametrize("relation", Adjacency)
@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 0.001), (2.0, 0.1)])
def test_the_admission_keeps_its_promise_under_both_relations_and_uses_all_of_it(relation, epsilon, delta):
    law = experiments.admission_law(epsilon, delta, 8)
    found = audit.exact(law, BITS, 8, adjacency=relation)
    assert found.delta(epsilon) == pytest.approx(delta, abs=1e-12)
    assert found.delta(0.9 * epsilon) > delta + 1e-6


@pytest.mark.source("LZCW21-def-1", "WLF16-def-27")
@pytest.mark.parametrize("n_samples", [2, 3, 4])
def test_replacing_costs_at_most_two_steps_both_attained_and_there_is_no_way_back(n_samples):
    epsilon, delta = 0.5, 0.01
    table = experiments.two_relations(epsilon, delta, n_samples).set_index(["release", "relation"])
    promised = Guarantee(epsilon, delta, ADD).under(REPLACE)
    both = table.loc["noisy counts of yes and no", "epsilon"]
    assert both[str(ADD)] == pytest.approx(epsilon)
    assert both[str(REPLACE)] == pytest.approx(2 * epsilon)
    admission = table.loc["slowest admission of yes - no", "delta"]
    assert admission[str(ADD)] == pytest.approx(delta)
    assert admission[str(REPLACE)] == pytest.approx(promised.delta)
    for release in ("number of records", "list of randomised answers"):
        assert table.loc[(release, str(ADD)), "delta"] == 1.0
        assert table.loc[(release, str(REPLACE)), "epsilon"] <= epsilon + 1e-12


@pytest.mark.source("WLF16-def-27")
@pytest.mark.parametrize("delta", [0.01, 0.3])
def test_name_and_shame_is_private_with_epsilon_zero_and_its_curve_is_flat(delta):
    found = audit.exact(experiments.name_and_shame_law(delta), BITS, 3, ordered=True)
    assert found.epsilon == np.inf
    np.testing.assert_allclose(found.delta([0.0, 1.0, 5.0]), delta, rtol=1e-12)


def test_exposures_are_those_of_the_law():
    table = experiments.exposures([4]).set_index("delta")["probability"]
    hidden = experiments.name_and_shame_law(0.25)([1, 0, 0, 1])[0]
    assert table["1 / m"] == pytest.approx(1 - hidden)
    assert table["1 / m²"] == pytest.approx(1 - (15 / 16) ** 4)
