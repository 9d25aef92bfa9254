"""Tables of the chapter on private ERM by sampling: closed forms, limits, and what goes wrong."""

import math

import numpy as np
import pytest

from privml.bounds.sublevel import measure_ratio_tail
from privml.distributions import Categorical
from privml.divergences import total_variation
from privml.experiments import private_erm_by_sampling as experiments
from privml.experiments.private_erm_by_sampling import wells
from privml.learners.penalised_erm import (
    ExponentialERM,
    chain_laws,
    diagnose,
    effective_sample_size,
    hit_and_run,
    line_chain,
    spectral_distance,
)


def test_densities_integrate_to_one_and_gather_at_the_log_odds():
    table = experiments.densities([8, 800], 1.0, 3.0)
    for _, curve in table.groupby("n_samples"):
        assert np.trapezoid(curve["density"], curve["h"]) == pytest.approx(1.0, abs=1e-3)
    sharp = table[table["n_samples"] == 800]
    assert sharp.loc[sharp["density"].idxmax(), "h"] == pytest.approx(math.log(3), abs=0.05)


@pytest.mark.source("WLF16-alg-1")
@pytest.mark.erratum("WLF16-alg-1/1")
def test_audits_stay_below_the_claim_and_those_of_the_source_below_half():
    table = experiments.audit_by_size([1, 3, 6], 0.7, 2.0)
    tight, source = (table[table["sensitivity"] == rule] for rule in ("tight", "WLF16"))
    assert tight["exact_epsilon"].max() <= 0.7 + 1e-12
    assert source["exact_epsilon"].max() <= 0.35 + 1e-12
    for _, curve in table.groupby(["loss", "sensitivity"]):
        assert curve["exact_epsilon"].is_monotonic_increasing
    assert tight["exact_epsilon"].max() > 0.75 * 0.7


@pytest.mark.source("WLF16-alg-1")
@pytest.mark.parametrize("radius", [0.6, 2.0])
def test_the_sharp_pair_changes_by_twice_the_oscillation(radius):
    angle = np.linspace(0, 2 * math.pi, 2001)
    H = radius * np.column_stack([np.cos(angle), np.sin(angle)])
    for loss in experiments.LOSSES.values():
        first, second, other = experiments.sharp_pair(loss, radius)
        assert np.linalg.norm([first, second, other], axis=1).max() <= 1 + 1e-12
        change = loss.value(H @ first, 1.0) - loss.value(H @ second, 1.0)
        assert np.ptp(change) == pytest.approx(2 * loss.oscillation(radius), rel=1e-5)
        assert loss.value(H @ other, 1.0).argmin() == abs(angle - math.pi).argmin()
        assert change[abs(angle - math.pi).argmin()] == pytest.approx(change.max(), abs=1e-9)


@pytest.mark.source("WLF16-alg-1")
def test_the_loss_of_the_sharp_pair_rises_to_the_claim_and_never_above():
    table = experiments.sharpness([1, 10, 100], 1.0, 2.0, nodes=40)
    for _, curve in table.groupby("loss"):
        assert curve["privacy_loss"].is_monotonic_increasing
    assert table["privacy_loss"].max() <= 1 + 1e-9
    assert table.query("loss == 'ramp'")["privacy_loss"].max() > 0.99
    finer = experiments.sharpness([100], 1.0, 2.0, nodes=100)["privacy_loss"].to_numpy()
    np.testing.assert_allclose(table.query("n_samples == 100")["privacy_loss"], finer, atol=1e-3)


def test_on_the_disc_losses_lie_below_epsilon_and_their_range_reaches_it():
    table = experiments.disc_audits(0.8, 2.0, 2, nodes=16)
    assert (table["largest"] <= 0.8 + 1e-9).all()
    assert (table["range"] <= 0.8 + 1e-9).all()
    assert table["range"].max() > 0.79


@pytest.mark.source("WLF16-eq-8")
def test_a_fixed_penalty_is_free_and_one_that_looks_is_not():
    table = experiments.penalty_audits([0.0, 0.1, 1.0], 1.0, 2.0, 4).set_index("penalty")["exact_epsilon"]
    assert table[["0", "0.1", "1"]].max() <= 1 + 1e-12
    assert table["chosen on the data"] > 1.5


@pytest.mark.source("WLF16-eq-18")
def test_the_tail_is_below_its_bound_and_the_bound_is_not_idle():
    table = experiments.tails([40, 400], [0.02, 0.1, 0.3], 1.0, 2.0)
    assert (table["exact"] <= table["bound"]).all()
    assert (table["bound"] < 1).sum() >= 4
    row = table.iloc[1]
    expected = measure_ratio_tail(row["log_ratio"], row["t"], 1.0, sensitivity=2.0 / 40)
    assert row["bound"] == pytest.approx(expected)
    h = np.linspace(-2, 2, 200_001)
    risk = 0.75 * np.log1p(np.exp(-h)) + 0.25 * np.log1p(np.exp(h))
    weights = np.exp(-40 / 4 * risk)  # epsilon m / (2 omega), with omega 2
    above = risk - risk.min() > 2 * row["t"]
    assert row["exact"] == pytest.approx(weights[above].sum() / weights.sum(), rel=0.02)


def test_coordinates_of_the_separate_law_are_independent():
    law = experiments.separate_law(2, 5, 1.0, 2.0)
    rng = np.random.default_rng(0)
    a, b = rng.uniform(-2, 2, size=(2, 6, 2))
    mixed = np.column_stack([a[:, 0], b[:, 1]]), np.column_stack([b[:, 0], a[:, 1]])
    whole = law.log_density(a) + law.log_density(b)
    np.testing.assert_allclose(law.log_density(mixed[0]) + law.log_density(mixed[1]), whole)


@pytest.mark.source("WLF16-prop-26")
def test_samplers_that_mix_pass_and_the_one_that_does_not_is_flagged():
    table = experiments.sampler_evidence([2, 12], 20, 4.0, 2.0, 400, seed=1).set_index(
        ["sampler", "dimension"]
    )
    assert (table["distance"] <= table["limit"]).all()
    assert table.loc[("hit-and-run", 2), "r_hat"] < 1.05
    assert table.loc[("hit-and-run", 12), "r_hat"] > 1.05
    # the test sees a wrong law: draws for one scale against the marginals of another
    right, wrong = (experiments.separate_law(1, 20, e, 2.0) for e in (4.0, 8.0))
    draws = np.sort(hit_and_run(right, 600, n_chains=8, rng=0).draws[:, :, 0].ravel())
    gaps = [
        abs(law.quadrature().cdf([1.0], draws) - np.arange(draws.size) / draws.size).max()
        for law in (right, wrong)
    ]
    limit = math.sqrt(math.log(2000) / 2 / draws.size * 2)
    assert gaps[0] < limit < gaps[1]


def test_differences_on_the_disc_stay_in_the_band():
    table = experiments.disc_differences(60, 6.0, 2.0, 150, seed=2)
    assert (table["difference"].abs() <= table["band"]).all()


@pytest.mark.source("WLF16-prop-26")
@pytest.mark.erratum("WLF16-prop-26/1")
def test_a_stopped_chain_costs_no_more_than_its_distance_and_that_no_more_than_its_bound():
    table = experiments.stopped([0, 5, 50, 500, 1500], 5, 1.0, n_points=15)
    assert (table["delta_exact"] <= table["delta_distance"] + 1e-12).all()
    assert (table["distance"] <= table["proved"] + 1e-9).all()
    np.testing.assert_allclose(
        table["delta_distance"], np.minimum(1, (1 + math.e) * table["distance"]), rtol=1e-12
    )
    worst = 0.0
    for target in experiments.line_laws(5, 1.0, 15, 3.0):
        after = np.linalg.matrix_power(line_chain(target), 50)[7]
        worst = max(worst, abs(after - target.pmf()).sum() / 2)
    assert table.query("start == 'middle' and steps == 50")["distance"].item() == pytest.approx(worst)
    mode = table.query("start == 'mode'")
    assert mode["delta_exact"].iloc[0] == 1.0
    assert mode["delta_exact"].iloc[-1] < 1e-9


@pytest.mark.source("WLF16-prop-26")
def test_the_spectral_bound_is_the_known_one_for_two_states_and_its_rate_is_sharp():
    law = Categorical(np.log([0.25, 0.75]))
    chain = line_chain(law)
    second = np.trace(chain) - 1  # the other eigenvalue is 1
    found = spectral_distance(chain, law, [1.0, 0.0], 7)
    assert found == pytest.approx(0.5 * abs(second) ** 7 * math.sqrt(3))
    assert spectral_distance(chain, law, law.pmf(), 0) == pytest.approx(0.0, abs=1e-7)
    assert spectral_distance(chain, law, [1.0, 0.0], 0) == pytest.approx(math.sqrt(3) / 2)
    target = experiments.line_laws(4, 1.0, 9, 3.0)[1]
    chain, start = line_chain(target), np.eye(9)[4]
    with np.errstate(divide="ignore"):
        exact = [
            float(total_variation(np.log(p), target.logpmf())) for p in chain_laws(chain, start, [60, 61])
        ]
    bounds = [spectral_distance(chain, target, start, k) for k in (60, 61)]
    assert bounds[1] / bounds[0] == pytest.approx(exact[1] / exact[0], rel=0.01)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda law: spectral_distance(np.full((2, 2), 0.5), law, [1.0, 0.0], 3), "must be reversible"),
        (lambda law: spectral_distance(np.eye(3), law, [1.0, 0.0], 3), "one number of states"),
        (lambda law: spectral_distance(line_chain(law), law, [1.0, 0.0], -1), "n_steps must be"),
        (lambda law: spectral_distance(line_chain(law), law, [1.0], 1), "one number of states"),
    ],
)
def test_bad_chains_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make(Categorical(np.log([0.25, 0.75])))


def test_a_rule_that_looks_costs_a_delta_of_order_one():
    table = experiments.looking([np.inf, 0.1, 0.0], 3000, 6, 1.0, n_points=15).set_index("height")
    assert table.loc[np.inf, "delta"] == 0.0
    assert (table.loc[[0.1, 0.0], "delta_ten"] > 0.5).all()
    assert table["excess"].is_monotonic_decreasing
    assert table.loc[0.0, "excess"] < 1e-6


@pytest.mark.source("WLF16-prop-26")
def test_chains_in_one_well_look_mixed_and_are_far_from_their_law():
    table = experiments.stuck(2000, 2.0, 62, seed=0).set_index("start")
    assert table.loc["left well", "mixed"]
    assert not table.loc["both wells", "mixed"]
    assert (table["distance"] > 0.4).all()
    places = experiments.well_laws([1], 2.0, 62)
    right = places[(places["curve"] == "target") & (places["h"] > 1)]["probability"].sum()
    assert table.loc["left well", "distance"] == pytest.approx(right, abs=0.01)


def test_the_first_half_of_a_chain_is_warm_up(monkeypatch):
    seen = []
    monkeypatch.setattr(
        wells, "diagnose", lambda draws, rate: seen.append(draws.shape) or diagnose(draws, rate)
    )
    experiments.stuck(50, 2.0, 62, seed=0)
    assert seen == [(4, 50, 1)] * 2


def test_a_stuck_chain_gives_away_where_it_started():
    table = experiments.start_matters(1000, 2.0, 62).set_index("start")["delta"]
    assert table["left well"] == 0.0
    assert table["mode"] > 0.99


def test_the_two_wells_are_refused_by_a_sampler_on_their_body():
    law = experiments.two_wells(1.0, 62)
    assert isinstance(law, ExponentialERM)
    with pytest.raises(ValueError, match="must be log-concave"):
        hit_and_run(law, 10)


def test_a_fit_without_privacy_gives_the_label_away_and_accuracies_are_in_order():
    table = experiments.given_away(100)
    assert abs(table["first"].diff().iloc[1]) > 1e-4
    found = experiments.breast_cancer([20.0], 2, n_draws=60).set_index("learner")["accuracy"]
    assert found["majority label"] < found["squared"] < found["logistic regression, not private"] + 0.02
    assert found["majority label"] < found["hinge"]


def test_effective_sizes_of_the_thinned_draws_are_nearly_their_number():
    law = experiments.disc_law(50, 4.0, 2.0, seed=0)
    run = hit_and_run(law, 300, n_chains=4, rng=0)
    step = math.ceil(1200 / run.diagnostics.effective_size)
    thinned = run.draws[:, ::step]
    assert effective_sample_size(thinned).min() > 0.4 * thinned.shape[0] * thinned.shape[1]
