"""Tables of the chapter on the Tsybakov condition: exact rates, far teachers, and runs of PATE."""

from math import exp

import numpy as np
import pytest

from privml.experiments import tsybakov_condition as experiments
from privml.experiments.tsybakov_condition.rates import erm_law
from privml.experiments.tsybakov_condition.students import student_run
from privml.pate import GaussianAggregator, SparseVectorAggregator
from privml.populations import TsybakovLine


@pytest.mark.source("LZCW21-def-8")
def test_tails_stay_below_the_bound_and_reach_it():
    table = experiments.margin_tails([0.3, 0.5], 64, np.logspace(-2, -0.31, 50))
    assert (table["probability"] <= table["bound"] + 1e-12).all()
    assert (table["probability"] / table["bound"]).max() > 0.95


@pytest.mark.source("LZCW21-lem-9")
def test_the_least_constant_is_between_that_of_thresholds_and_the_proved_one():
    table = experiments.bernstein_constants([0.25, 0.5, 0.75], 8)
    assert (table["thresholds"] <= table["least eta"]).all()
    assert (table["least eta"] <= table["proved"]).all()


@pytest.mark.source("LZCW21-rem-erm-fast-rate", "LZCW21-lem-38")
def test_exact_rates_of_thresholds_are_those_of_the_theorem_and_below_its_bound():
    table = experiments.threshold_rates([0.25, 0.5, 1.0], [64, 256], 2048, 0.1)
    assert (table["quantile"] <= table["bound"]).all()
    slopes = experiments.slopes(table)
    assert np.allclose(slopes["slope"], slopes["theorem"], atol=0.02)


@pytest.mark.source("LZCW21-rem-erm-fast-rate")
def test_the_worst_pair_has_the_rate_of_each_exponent_zero_included():
    table = experiments.pair_rates([0.0, 0.5, 1.0], [1000, 10_000], 1.0)
    slopes = experiments.slopes(table)
    assert np.allclose(slopes["slope"], slopes["theorem"], atol=0.02)
    worst = table[table["tau"] == 1.0].iloc[0]
    assert np.isclose(worst["mean"], 1 / (exp(1) * 1000), rtol=1e-3)


@pytest.mark.source("LZCW21-lem-13")
def test_the_farthest_teacher_stays_within_the_bound():
    table = experiments.far_teachers([0.5, 1.0], 100_000, [10, 100, 1000], 512, 0.1)
    assert (table["farthest"] <= table["bound"]).all()
    assert (table["mean"] < table["farthest"]).all()


@pytest.mark.source("LZCW21-lem-13")
@pytest.mark.erratum("LZCW21-lem-13")
def test_the_printed_bound_on_teachers_is_exceeded_and_the_corrected_one_is_not():
    table = experiments.printed_teachers(10**6, 1000, [-5.0, -100.0])
    assert list(table["quantile"] > table["printed"]) == [False, True]
    assert (table["quantile"] <= table["corrected"]).all()


@pytest.mark.source("LZCW21-lem-15")
def test_the_pigeonhole_is_tight_and_chance_is_kinder():
    table = experiments.third_of_votes(30, 300, [5, 60], seed=0)
    assert (table["at worst"] == table["bound"]).all()
    assert (table["at random"] < table["bound"]).all()


@pytest.mark.source("LZCW21-lem-36")
@pytest.mark.erratum("LZCW21-lem-36")
def test_unseen_points_exceed_the_printed_uniform_bound():
    row = experiments.unseen_points(200, 80_685, 443_767, 0.05, seed=0).iloc[0]
    assert row["unseen"] >= 200
    assert row["printed"] < row["true error"] < row["corrected"]


@pytest.mark.source("LZCW21-rem-agnostic-vacuous")
def test_noisy_labels_hardly_hurt_the_student_though_the_old_bound_is_vacuous():
    table = experiments.noisy_students([0.2, 0.4], 10**6, 1000, 1000, 1.0, 1e-6, seed=1)
    assert (table["13 err(h*)"] > 1).all()
    assert (table["student"] - table["best error"] < 0.02).all()


@pytest.mark.source("LZCW21-thm-10", "LZCW21-thm-28")
def test_rates_of_the_bounds_are_those_of_table_one():
    table = experiments.bounds_by_records([1.0], [12, 16], 256, 1.0, 1e-9, 0.1)
    for name, rate in {"Gaussian": -2 / 3, "sparse vector": -1}.items():
        excess = table[table["aggregation"] == name]["excess"].to_numpy()
        assert abs(np.log10(excess[1] / excess[0]) / 4 - rate) < 0.08


def test_sizes_without_teachers_are_left_out():
    assert len(experiments.bounds_by_records([1.0], [3], 256, 1.0, 1e-9, 0.1)) == 0


@pytest.mark.source("LZCW21-rem-16")
def test_the_student_takes_answers_as_they_come_and_coins_for_the_rest():
    line = TsybakovLine(tau=1.0, n_points=64)
    law = erm_law(line, 4000)
    rng = np.random.default_rng(0)
    good = GaussianAggregator(n_queries=300, epsilon=50.0, delta=1e-6)
    run = student_run(line, law, good, 500, 300, rng=rng)
    assert run.excess < 0.02
    assert run.wrong <= 10
    assert run.finished
    halting = SparseVectorAggregator(cutoff=1, n_queries=300, epsilon=0.1, delta=1e-6)
    run = student_run(line, law, halting, 50, 300, rng=np.random.default_rng(1))
    same = np.random.default_rng(1)
    same.multinomial(50, law)
    assert run.wrong != (same.integers(64, size=300) >= 32).sum()  # not all labels are False
    assert run.unanswered == 300
    assert not run.finished
    assert abs(run.wrong - 150) < 5 * np.sqrt(300) / 2


def test_tuned_students_do_not_depend_on_anything_but_the_seed():
    call = ([1.0], [10**5], [256], [64], 1.0, 1e-6, 2)
    first, second = (experiments.tuned_students(*call, seed=3) for _ in range(2))
    assert first.equals(second)
    assert (first["error"] >= 0).all()


def test_published_rates_at_tau_one_are_the_realizable_row():
    table = experiments.published_rates([1.0], [1e6], 4).iloc[0]
    assert np.isclose(table["sparse vector"], 8e-6)
    assert np.isclose(table["Gaussian"], 4e-4)
    assert table["active, theta = 1"] == table["sparse vector"]
