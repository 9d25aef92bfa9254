"""Numbers that the ledger of errata quotes, computed again: each stands in its entry as computed."""

import re
from math import e, erf, exp, expm1, log, sqrt, tanh
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom, norm

from book.tools import inventory, results
from privml.bounds.students import high_margin_parameters
from privml.divergences import gaussian_delta, gaussian_mu, hockey_stick
from privml.learners.experts import run_curves
from privml.pate import infinite_ensemble, vote_noise, vote_sigma, vote_threshold
from tests.chapters.when_voting_wins_functions import (
    finishing_probability,
    printed_parameters,
    unstable_chances,
)

ROOT = Path(__file__).resolve().parents[1]
ERRATA = {e.name: e for item in inventory.items(ROOT) for e in results.errata_of(item)}


def missing(name, *numbers):
    """Which of these numbers the entry does not have, written so."""
    said = re.findall(
        r"[-−]?\d[\d.]*(?:e-?\d+)?(?<!\.)", ERRATA[name].entry["argument"]
    )
    return [number for number in numbers if number not in said]


@pytest.mark.erratum("WLF16-lem-36")
@pytest.mark.erratum("WLF16-thm-19/2")
def test_the_bound_without_the_range_of_t():
    n, epsilon, rho, t_0 = 50, 0.05, 21.2, 0.01
    t = 4 * ((rho + 2) * log(n) + log(1000) + rho * log(t_0)) / (epsilon * n)
    bad = 999 * exp(-epsilon * n * 0.5 / 4)
    gap, bound = 0.5 * bad / (1 + bad), 9 / 4 * t
    assert missing("WLF16-lem-36", f"{t:.3f}", f"{gap:.3f}", f"{bound:.3f}") == []
    assert missing("WLF16-thm-19/2", f"{gap:.3f}", f"{bound + 2 * epsilon:.3f}") == []
    assert gap > bound + 2 * epsilon
    assert t > t_0


@pytest.mark.erratum("WLF16-thm-19")
def test_a_regulariser_of_two_signs():
    n, epsilon, g = 10**8, 1e-3, 0.25
    weight = exp(-epsilon * n / 4 * (0.49 - 2 * g))
    gap, rest = (
        0.49 * weight / (1 + weight),
        9 * (log(2) + 2 * log(n)) / (n * epsilon) + 2 * epsilon,
    )
    assert (
        missing("WLF16-thm-19", f"{gap:.4f}", f"{rest + g:.4f}", f"{rest + 2 * g:.4f}")
        == []
    )


@pytest.mark.erratum("WLF16-lem-8")
def test_the_largest_total_variation_of_a_promise():
    assert missing("WLF16-lem-8", f"{tanh(1 / 2):.3f}", f"{expm1(1):.3f}") == []


@pytest.mark.erratum("WLF16-thm-25")
def test_the_logarithm_that_is_negative():
    assert missing("WLF16-thm-25", f"{log(3 / 9) + 1:.4f}".replace("-", "−")) == []


@pytest.mark.erratum("WLF16-ex-appB-mean")
def test_the_minimiser_of_the_tenth_power():
    ratios = [(n - 1) ** (-1 / 9) for n in (10, 10**3, 10**6)]
    assert missing("WLF16-ex-appB-mean", *(f"{r / (1 + r):.3f}" for r in ratios)) == []


@pytest.mark.erratum("LZCW21-lem-44")
def test_the_classical_noise_at_large_epsilon():
    sigma = {
        epsilon: sqrt(2 * log(1.25 / 1e-5)) / epsilon for epsilon in (8.0, 10.0, 20.0)
    }
    found = [
        f"{float(gaussian_delta(epsilon, mu=1 / s)):.1e}"
        for epsilon, s in sigma.items()
    ]
    assert (
        missing("LZCW21-lem-44", *(text.replace("e-0", "e-") for text in found)) == []
    )


@pytest.mark.erratum("LZCW21-tab-4")
def test_the_level_of_the_interval():
    assert (
        missing("LZCW21-tab-4", f"{erf(1.96 / sqrt(2)):.4f}", f"{norm.ppf(0.99):.3f}")
        == []
    )


@pytest.mark.erratum("LZCW21-lem-36")
def test_the_points_that_stay_unseen():
    d, points, n = 200, 80_685, 443_767
    unseen, distance = points * (1 - 1 / points) ** n, d / points
    printed = 4 * (d + log(4 / 0.05)) / n
    whole = 4 * (d * log(2 * e * n / d) + log(80)) / n
    shown = f"{unseen:.0f}", f"{distance:.5f}", f"{printed:.5f}", f"{whole:.4f}"
    assert missing("LZCW21-lem-36", *shown) == []
    more, draws = 219_326, 1_206_293
    assert more * (1 - 1 / more) ** draws > d
    assert d / more > 4 * (d + log(4 / 0.05)) / draws


@pytest.mark.erratum("DR11-thm-11.2")
@pytest.mark.parametrize(("epsilon", "delta"), [(70.0, 0.4), (48.5, 0.5)])
def test_the_printed_rate_at_very_large_epsilon(epsilon, delta):
    rounds = 100_000
    one = np.zeros((rounds, 2), dtype=bool)
    other = one.copy()
    one[0], other[0] = (False, True), (True, False)
    exact = run_curves(one, other, epsilon / sqrt(32 * rounds * log(1 / delta))).delta(
        epsilon
    )
    assert missing("DR11-thm-11.2", f"{exact:.3f}") == []
    assert exact > delta


@pytest.mark.erratum("LZCW21-prop-18")
@pytest.mark.parametrize(
    ("margin", "problem"),
    [(0.0072, (1000, 1.0, 1e-10, 0.05)), (0.0265, (50, 10.0, 1e-20, 0.2))],
)
def test_the_run_that_stops_with_the_printed_number_of_teachers(margin, problem):
    points, epsilon, delta, beta = problem
    problem = problem[:3]
    cutoff, teachers = printed_parameters(*problem, beta=beta, nu=0.0, xi=margin)
    noise = vote_noise(cutoff, epsilon, delta, calibration="source", split="source")
    threshold = vote_threshold(
        cutoff, noise, delta, calibration="source", n_queries=points
    )
    finished = finishing_probability(
        0.5 + margin, teachers, points, cutoff, noise, threshold
    )
    digits = 3 if points == 1000 else 4
    assert missing("LZCW21-prop-18", str(cutoff), f"{finished:.{digits}f}") == []
    assert finished < 1 - beta
    if points == 1000:
        bottom = np.dot(*unstable_chances(0.5 + margin, teachers, noise, threshold))
        corrected = high_margin_parameters(*problem, beta=beta, nu=0.0, xi=margin)[1]
        assert (
            missing("LZCW21-prop-18", str(teachers), f"{bottom:.5f}", str(corrected))
            == []
        )


@pytest.mark.erratum("LZCW21-alg-1/2")
@pytest.mark.parametrize("n_queries", [100, 1000, 10_000])
def test_what_the_labels_alone_amount_to(n_queries):
    """At the worst whole or half number of votes off the middle, which is less than one sigma away."""
    sigma, ones, worst = vote_sigma(n_queries, 1.0, 1e-6), np.arange(n_queries + 1), 0.0
    for votes in np.arange(-round(sigma), 1, 0.5):
        p, q = norm.cdf([votes / sigma, (votes - 1) / sigma])
        pair = (binom.logpmf(ones, n_queries, p), binom.logpmf(ones, n_queries, q))
        worst = max(worst, hockey_stick(*pair, 1.0, logs=True))
    assert (
        missing(
            "LZCW21-alg-1/2", f"{gaussian_mu(1.0, worst) * sigma / sqrt(n_queries):.3f}"
        )
        == []
    )


@pytest.mark.erratum("LZCW21-rem-21")
def test_teachers_that_err_alike_have_a_high_margin_and_an_ensemble_that_is_wrong():
    predictions = np.array(
        [[False] * 3, [True] * 3]
    )  # h* and its opposite on three points
    ensemble = infinite_ensemble([0.1, 0.9], predictions)
    assert (ensemble.margins > 1 / 6).all()
    assert (ensemble.labels != predictions[0]).all()
    assert missing("LZCW21-rem-21", "0.9", f"{3 * 0.9:.1f}") == []


def is_slip_of_notation(erratum):
    """A misprint in a source that was read by a machine: the ledger alone tells it, beside the statement."""
    return erratum.entry["type"] == "typo" and erratum.item["source"] in (
        "L4",
        "S16",
        "DR11",
    )


def test_every_entry_is_linked_from_a_chapter_or_is_a_slip_of_notation_in_a_statement_of_one():
    pages = "\n".join(page.read_text("utf-8") for page in (ROOT / "book").glob("*.md"))
    linked = set(re.findall(r"\{erratum\}`(?:[^`<]*<)?([^`>]+)>?`", pages))
    labels = set(re.findall(r"(?m)^(?::label: |\()([\w.-]+)(?:\)=)?$", pages))
    stated = {name for name, one in ERRATA.items() if one.item["id"].lower() in labels}
    slips = {name for name, one in ERRATA.items() if is_slip_of_notation(one)}
    assert sorted(set(ERRATA) - linked - (slips & stated)) == []
