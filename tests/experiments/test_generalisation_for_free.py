"""Tables of the chapter on generalisation: orders, exact values, and the errata they show."""

from math import log, sqrt

import numpy as np
import pytest

from privml.experiments import generalisation_for_free as experiments


@pytest.mark.source("S16-rem-recap")
def test_gaps_are_in_order():
    table = experiments.mean_gaps([0.1, 1.0, 4.0], 1000)
    assert (np.diff(table[["coin", "memoriser", "bound", "stability"]], axis=1) > 0).all()
    assert (table["memoriser"] / table["bound"] > 0.998).all()


@pytest.mark.source("S16-rem-recap")
def test_no_learner_of_the_table_is_above_its_bound_and_one_is_on_it():
    table = experiments.worst_gaps(1.0)
    assert (table["gap"] <= table["bound"] + 1e-12).all()
    assert table["gap"].iloc[-1] == pytest.approx(table["bound"].iloc[-1])
    assert (table["gap"] <= table["total_variation"]).all()


@pytest.mark.source("WLF16-lem-38")
def test_what_is_remembered_is_within_the_range_of_log_odds():
    table = experiments.log_odds(1.0, 4)
    assert (np.diff(table[["lower", "remembered", "upper"]], axis=1) >= 0).all()
    assert table["probability"].sum() == pytest.approx(1)
    assert (table["remembered"] < table["risk"]).all()


@pytest.mark.source("WLF16-lem-38")
def test_tails_are_in_order_wherever_they_say_something():
    table = experiments.tails_by_deviation(1000, 0.2, np.linspace(0.05, 0.4, 15), 1e-6)
    assert (table["coin"] <= table["bound"]).all()
    assert (table["memoriser"] <= table["bound"]).all()
    assert (table["bound"] <= table[["printed", "monitor"]].min(axis=1)).all()
    assert (table["monitor"] <= table["monitor_delta"]).all()
    assert (table[table["tau"] <= 0.4]["printed"] == 1).sum() >= 14


@pytest.mark.source("WLF16-lem-38")
def test_records_are_in_order():
    table = experiments.records_needed([0.05, 0.2], 0.05, 1e-9)
    assert (np.diff(table[["fixed", "bound", "monitor", "printed"]], axis=1) > 0).all()
    assert (table["monitor"] <= table["monitor_delta"]).all()


@pytest.mark.source("S16-rem-monitor")
def test_the_monitor_catches_what_is_not_private_and_only_that():
    table = experiments.monitored_by_runs(50, 0.1, 0.1, [1, 10, 1000])
    private, erm = (table[table["learner"] == name] for name in ("private", "ERM"))
    assert (private["chosen"] <= private["upper"]).all()
    assert erm["chosen"].iloc[-1] > erm["upper"].iloc[-1]
    assert (table["chosen"] >= table["lower"]).all()
    assert (table["chosen"] <= table["largest"]).all()


@pytest.mark.source("S16-rem-monitor")
def test_the_monitor_spends_no_more_than_promised():
    table = experiments.monitor_audit(5, 1.0, [0.1, 1.0])
    assert (table["exact_epsilon"] <= table["promised"] + 1e-12).all()
    assert (table["exact_epsilon"] >= 0.7 * table["promised"]).all()
    assert (experiments.monitor_promises([0.05, 0.3], 0.01)["tail"] < 0.01).all()


@pytest.mark.source("S16-rem-recap")
def test_simulated_errors_agree_with_exact_means_and_keep_their_promises():
    table = experiments.adaptive_errors([21, 101], 200, repetitions=60, seed=1)
    known = table[table["exact"].notna()]
    assert (abs(known["mean"] - known["exact"]) <= 4 * known["standard_error"]).all()
    assert (table["root_mean_square"] <= 1.3 * table["promised"]).all()
    assert table["promised"].eq(np.inf).sum() == 2
    noisy = table[table["answers"] == "laplace"]
    assert (noisy["promised"] > table[table["answers"] == "gaussian"]["promised"].to_numpy()).all()


@pytest.mark.source("S16-rem-recap")
def test_bias_and_noise_of_laplace_answers_trade_off():
    table = experiments.noise_sweep(101, 1000, [0.001, 0.01, 0.1])
    assert (table["bias"].diff().dropna() < 0).all()
    assert (table["bias"] <= table["bound"]).all()


@pytest.mark.source("S16-rem-recap")
@pytest.mark.erratum("S16-rem-recap")
def test_the_printed_rate_drowns_the_answers():
    table = experiments.answer_rates(10_000, 100, 0.1)
    assert table["gap"][0] == pytest.approx(0.1)
    assert table["scale"].tolist() == pytest.approx([0.005, 1.0])
    assert table["scale"][1] / table["scale"][0] == pytest.approx(2 * sqrt(10_000))


def test_answers_cross_at_the_number_of_queries_that_the_library_names():
    table = experiments.answer_errors(22 * 21 * 1000, [21, 22])
    assert (table["gaussian"] < table["split"]).tolist() == [False, True]


@pytest.mark.source("WLF16-ex-appB-mean")
@pytest.mark.erratum("WLF16-ex-appB-mean", "WLF16-ex-appB-mean/2")
def test_centres_move_far_and_the_second_moment_rules():
    moves = experiments.centre_moves([10, 1000, 10**6])
    assert moves["moved"].round(3).tolist() == [0.439, 0.317, 0.177]
    noisy = experiments.noisy_centres([20, 30, 40])
    assert (noisy["second"] / noisy["excess"]).iloc[-1] == pytest.approx(1, abs=1e-3)
    assert (noisy["printed"] < 1e-9 * noisy["excess"]).all()


@pytest.mark.source("WLF16-rem-appB")
@pytest.mark.erratum("WLF16-rem-appB")
def test_the_routes_part():
    table = experiments.two_routes([10**4, 10**6, 10**8])
    assert (table["truth"] <= table["stability"]).all()
    assert (table["stability"] < table["tail"]).all()
    slopes = np.diff(np.log(table[["stability", "tail"]]), axis=0) / log(100)
    np.testing.assert_allclose(slopes[:, 0], -2 / 3, atol=1e-3)
    assert (slopes[:, 1] > -0.5).all()
    ratio = table["printed"] / table["tail"]
    assert ratio.is_monotonic_increasing
