"""The release bench: how it judges, what it catches of mechanisms that are broken on purpose, what is committed."""

import ast
from itertools import permutations
from math import exp, inf

import numpy as np
import pytest
from scipy.special import ndtr

from benchmarks.truth import ours, release, score, tables
from benchmarks.truth.entries import HERE
from benchmarks.truth.faults import RELEASED, UNEXPLAINED, flaw

ERROR = 1e-4
TWINS = {twin.name: twin for twin in ours.twins()}


def test_delta_and_epsilon_of_two_laws_by_hand():
    """Two answers by randomised response, each true with 3/4: the page's instance."""
    p, q = np.array([9, 6, 1]) / 16, np.array([1, 6, 9]) / 16
    assert release.excess(p, q, np.log(5)) == pytest.approx(1 / 4)
    assert release.least(p, q, 1 / 4) == pytest.approx(np.log(5))
    assert release.least(p, q, 0.0) == pytest.approx(np.log(9))
    assert release.least(np.array([1.0, 0.0]), np.array([0.5, 0.5]), 0.1) == inf


def test_the_concentration_of_two_laws_is_that_of_gaussian_noise():
    edges = np.linspace(-9, 10, 20_000)
    p, q = (
        release.of_cdf(lambda x, c=centre: ndtr(x - c), edges) for centre in (0.0, 1.0)
    )
    assert release.renyi_ratio(p, q) == pytest.approx(0.5, rel=1e-3)


def test_permute_and_flip_is_what_its_own_steps_select():
    """A random order; an option is taken with chance e^(score - best), else the next."""
    scores = np.array([0.3, 1.0, 0.0])
    found = np.zeros(3)
    for order in permutations(range(3)):
        left = 1 / 6
        for option in order:
            taken = exp(scores[option] - scores.max())
            found[option] += left * taken
            left *= 1 - taken
    assert release.permute_and_flip(scores) == pytest.approx(found, abs=1e-10)


def test_bins_hold_what_is_drawn_and_what_the_law_says():
    edges = np.array([0.0, 1.0])
    assert release.counted(np.array([-1.0, 0.0, 0.5, 1.0, 7.0]), edges).tolist() == [
        1,
        2,
        2,
    ]
    assert release.of_values(
        np.array([-1, 0, 1]), np.array([0.2, 0.3, 0.5]), edges
    ).tolist() == [0.2, 0.3, 0.5]


@pytest.mark.parametrize(
    "name", [name for name, twin in TWINS.items() if not twin.hidden]
)
def test_a_twin_is_caught_by_its_law_or_by_draws(name):
    found = release.judged(TWINS[name], ERROR)
    assert found.false or found.refuted
    assert found.agrees is not False


@pytest.mark.parametrize("name", [name for name, twin in TWINS.items() if twin.hidden])
def test_a_hidden_twin_is_missed_as_the_page_says(name):
    assert not release.judged(TWINS[name], ERROR).refuted


def test_a_right_mechanism_is_not_refuted_and_agrees_with_its_law():
    right = next(iter(ours.ours()))
    for _ in range(5):
        found = release.judged(right._replace(size=1000), ERROR)
        assert (found.agrees, found.false, found.refuted) == (True, False, False)


def test_draws_that_contradict_their_law_are_seen():
    right = next(iter(ours.ours()))
    wrong = right._replace(
        draw=lambda side, n: side + np.random.default_rng(1).laplace(0, 1.5, n)
    )
    assert release.judged(wrong, ERROR).agrees is False


# what is committed

LINES = [line for line in score.answers()["releases"] if "name" in line]


def test_no_release_of_ours_is_wrong_and_no_law_is_contradicted():
    assert all("failed" not in line and line["agrees"] is not False for line in LINES)
    mine = [line for line in LINES if line["library"] == "privml"]
    assert mine
    assert not any(line["false"] or line["refuted"] for line in mine)


def test_the_thresholds_are_found_and_the_noisy_maximum_has_no_fault():
    by_name = {(line["library"], line["name"]): line for line in LINES}
    boundary = by_name["OpenDP", "make_laplace_threshold, counts, scale 1, threshold 5"]
    assert boundary["false"]
    assert boundary["refuted"]
    assert boundary["delta"] == pytest.approx(exp(-4) / (1 + exp(-1)), rel=1e-5)
    assert boundary["claim"][1] == pytest.approx(0.0049258, rel=1e-4)
    selected = by_name["OpenDP", "make_noisy_max, zCDP"]
    assert selected["agrees"]
    assert not selected["false"]


def test_every_wrong_release_has_a_promise_and_a_cause():
    wrong = [
        f"{line['library']} {line['name']}"
        for line in LINES
        if not line["twin"] and (line["false"] or line["refuted"])
    ]
    assert len(wrong) == 8
    assert {flaw(name) for name in wrong} == set(RELEASED)
    starts = [start for one in RELEASED for start in one.shown_by]
    assert all(any(name.startswith(start) for name in wrong) for start in starts)
    assert flaw("OpenDP make_geometric").name == UNEXPLAINED


def test_one_bug_is_one_fault_with_the_number_of_its_releases_beside_it():
    rows = tables.libraries(score.answers()["releases"]).splitlines()
    cells = {row.split(" | ")[0]: row.strip("| ").split(" | ") for row in rows}
    assert cells["| OpenDP"][-3:-1] == ["1", "3"]
    assert cells["| diffprivlib"][-3:-1] == ["5", "5"]
    wrong = tables.wrong_releases(score.answers()["releases"])
    assert wrong.startswith("The 8 rows show 6 faults.")
    assert wrong.count("*boundary of a threshold on whole numbers* (3 releases)") == 1


def test_replays_that_are_as_declared_under_neither_relation_are_those_of_the_page():
    rows = tables.replays(score.answers()["replays"]).splitlines()
    neither = {row.split(" | ")[1] for row in rows if row.endswith("neither |")}
    assert neither == {
        "tools.nanmean, half missing",
        "tools.histogram, weights",
        "GaussianNB, bounds (100, 101)",
        "KMeans, bounds (100, 101)",
        "LinearRegression, bounds_X (0, 1)",
    }


def test_the_page_has_the_numbers_of_the_tables_on_releases():
    page = (HERE.parent.parent / "book" / "who-is-right.md").read_text(encoding="utf-8")
    wrong = [line for line in LINES if tables.wrongly(line)]
    assert (len(wrong), len({tables.of_flaw(line) for line in wrong})) == (8, 6)
    assert "The eight false rows come from six faults" in page
    libraries = [line["library"] for line in wrong]
    assert [libraries.count(name) for name in ("OpenDP", "diffprivlib")] == [3, 5]
    assert sum(not line["refuted"] for line in wrong) == 3
    assert "Draws alone would have missed three of the eight rows" in page


def test_a_report_has_its_script_and_the_list_has_both():
    folder = HERE / "reports"
    listed = (folder / "README.md").read_text(encoding="utf-8")
    reports = sorted(path.stem for path in folder.glob("*.md") if path.stem != "README")
    assert reports == sorted(path.stem for path in folder.glob("*.py"))
    for name in reports:
        assert name in listed or f"`-{name.removeprefix('diffprivlib-')}`" in listed
        ast.parse((folder / f"{name}.py").read_text(encoding="utf-8"))
