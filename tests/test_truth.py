"""The truth bench: intervals by other routes, planted bugs that the harness must see, committed tables."""

import json
import re
import subprocess
from itertools import product
from math import erfc, exp, inf, sqrt
from time import sleep

import numpy as np
import pytest

from benchmarks.truth import adapters, ask, auditors, score, scores
from benchmarks.truth import intervals as I
from benchmarks.truth.claims import Accountant, Claims, Refused, Unasked, size
from benchmarks.truth.derive import curve_of, derived, question, written
from benchmarks.truth.entries import ABOUT, FILE, HERE, PRIVML, REPLACE, entries, read
from benchmarks.truth.faults import UNEXPLAINED, causes
from benchmarks.truth.tables import auditing, faults, page

ENTRIES = read()
IV = I.IV


@pytest.fixture(autouse=True)
def precise():
    """Enough bits for what is compared with floats."""
    IV.prec = I.START


def named(start):
    """The committed entry whose name begins so."""
    return next(entry for entry in ENTRIES if entry["name"].startswith(start))


# the data


def test_the_bench_has_two_hundred_entries_that_need_no_accountant():
    assert sum(entry["derivation"] != PRIVML for entry in ENTRIES) == 305
    assert len({entry["name"] for entry in ENTRIES}) == len(ENTRIES)


def test_the_file_holds_the_questions_of_today_and_is_written_as_it_is_read():
    assert [question(entry) for entry in ENTRIES] == json.loads(json.dumps(entries()))
    assert FILE.read_text(encoding="utf-8") == written(ENTRIES)
    assert ABOUT["licence"] in (HERE / "LICENSE").read_text(encoding="utf-8")


@pytest.mark.parametrize("quantity", ["epsilon", "delta"])
def test_intervals_are_in_order_and_fall(quantity):
    for entry in ENTRIES:
        rows = sorted(entry[f"{quantity}_at"])
        assert all(0 <= lower <= upper < inf for _, lower, upper in rows), entry["name"]
        assert all(
            one[1] >= two[1] and one[2] >= two[2]
            for one, two in zip(rows, rows[1:], strict=False)
        )
        assert rows or quantity == "delta", entry["name"]


def test_most_intervals_are_narrow_and_the_page_says_how_many_are_not():
    ends = [row[1:] for entry in ENTRIES for row in entry["epsilon_at"]]
    assert len(ends) == 913
    assert sum(high - low > high / 100 for low, high in ends) == 30
    narrow = sum(high - low <= high * 1e-9 for low, high in ends)
    assert 0.90 < narrow / len(ends) < 0.92


def test_epsilon_and_delta_of_an_entry_agree():
    """Delta at an epsilon below the least one exceeds the target, and the other way round."""
    for entry in ENTRIES:
        for (target, low, high), (epsilon, least, most) in product(
            entry["epsilon_at"], entry["delta_at"]
        ):
            assert epsilon > low or most > target * (1 - 1e-9), entry["name"]
            assert epsilon < high or least < target * (1 + 1e-9), entry["name"]


SAMPLE = (
    "gaussian (sigma 30.0",
    "laplace (scale 1.0, sensitivity 1.0) x 3",
    "pure (epsilon 0.5) x 10",
    "approximate (epsilon 1.0, delta 1e-08) x 30",
    "randomised response (share 0.5, categories 4)",
    "discrete laplace (parameter 0.5, sensitivity 3) x 5",
    "discrete gaussian (sigma 2.0, sensitivity 1) x 4",
    "exponential (epsilon 0.5) x 5",
    "permute and flip (epsilon 1.0, options 2) x 5",
    "gaussian (sigma 1.0, sensitivity 1.0, sampling rate 0.01)",
    "gaussian (sigma 0.5, sensitivity 1.0, sampling rate 0.1, scheme subset)",
    "laplace (scale 2.0, sensitivity 1.0) x 3 + pure",
)


@pytest.mark.parametrize("name", SAMPLE)
def test_the_committed_intervals_are_derived_again(name):
    entry = named(name)
    again = derived(question(entry))
    for key in ("epsilon_at", "delta_at"):
        for (at, low, high), (place, lower, upper) in zip(
            entry[key], again[key], strict=True
        ):
            assert at == place
            assert max(low, lower) <= min(high, upper)
            assert [low, high] == pytest.approx([lower, upper], rel=1e-9, abs=0)


def test_every_derivation_is_in_the_sample_or_slow():
    rest = {entry["derivation"] for entry in ENTRIES} - {
        named(name)["derivation"] for name in SAMPLE
    }
    assert rest == {"exponential_between", "sampled_noise", PRIVML}


# the harness


def exact_gaussian(entry):
    """An accountant of one mechanism, by the textbook in floats."""
    if {step["mechanism"] for step in entry["steps"]} != {
        "gaussian"
    } or "sampling_rate" in entry["steps"][0]:
        raise Refused("not Gaussian")
    mu = sqrt(sum(step["times"] * size(step) ** 2 for step in entry["steps"]))

    def at(epsilon):
        below = exp(min(epsilon, 600)) * erfc((epsilon / mu + mu / 2) / sqrt(2)) / 2
        return erfc((epsilon / mu - mu / 2) / sqrt(2)) / 2 - below

    def least(target):
        low, high = 0.0, 1000.0
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (middle, high) if at(middle) > target else (low, middle)
        return high

    return Claims(least, at)


def halved(entry):
    """The planted bug: half of delta is taken for the whole."""
    claims = exact_gaussian(entry)
    return Claims(
        lambda target: claims.epsilon(2 * target), lambda e: claims.delta(e) / 2
    )


def count_ignored(entry):
    """The planted bug: however often, it is counted once."""
    once = [step | {"times": 1} for step in entry["steps"]]
    return adapters.privml(entry | {"steps": once})


def answered(made, some):
    """The answers of an accountant, as the process that asks would give them."""
    return {entry["name"]: ask.answers(entry, made) for entry in some}


MODEST = [e for e in ENTRIES if e["kind"] == "Gaussian" and e["epsilon_at"][-1][2] < 60]


def test_an_honest_accountant_is_never_false_and_what_it_refuses_is_said():
    some = [*MODEST, named("pure (epsilon 0.5) x 10")]
    found = scores.scored(some, answered(exact_gaussian, some), "honest")
    assert (found.answered, found.refused, found.failed, found.false) == (
        len(MODEST),
        1,
        0,
        [],
    )
    assert max(found.ratios) < 1 + 1e-6


def test_delta_halved_is_called_false_everywhere():
    found = scores.scored(MODEST, answered(halved, MODEST), "halved")
    claims = scores.claims(MODEST, answered(halved, MODEST), "halved")
    assert len(found.false) == len([claim for claim in claims if claim.lower > 0])
    assert {claim.quantity for claim in found.false} == {"epsilon", "delta"}


def test_a_count_that_is_ignored_is_called_false_where_it_is_more_than_one():
    some = [
        e
        for e in ENTRIES
        if e["kind"] == "exponential mechanism" and e["derivation"] == "exponential"
    ]
    found = scores.scored(some, answered(count_ignored, some), "ignores")
    assert {c.entry["name"] for c in found.false} == {
        e["name"] for e in some if e["steps"][0]["times"] > 1
    }


def test_permute_and_flip_booked_as_of_bounded_range_is_called_false():
    """It is epsilon-private and not of range epsilon, as the exponential mechanism is."""
    some = [e for e in ENTRIES if e["kind"] == "permute-and-flip"]

    def booked(entry):
        return adapters.privml(
            entry
            | {"steps": [s | {"mechanism": "exponential"} for s in entry["steps"]]}
        )

    assert len(scores.scored(some, answered(booked, some), "booked").false) > len(some)
    assert scores.scored(some, answered(adapters.privml, some), "pure").false == []


def test_what_only_the_adapter_lacks_is_not_counted_as_the_tools():
    def lacks(entry):
        raise Unasked("a constructor")

    found = scores.scored(MODEST[:3], answered(lacks, MODEST[:3]), "lacks")
    assert (found.unasked, found.refused, found.failed, found.late) == (3, 0, 0, 0)


def test_a_tool_that_fails_or_says_nothing_has_not_answered():
    some = MODEST[:3]

    def fails(entry):
        raise ZeroDivisionError

    for made in (fails, lambda entry: Claims(lambda target: float("nan"))):
        found = scores.scored(some, answered(made, some), "none")
        assert (found.answered, found.failed, found.false) == (0, 3, [])


def test_patience_ends_with_the_time_of_the_processor_and_not_of_the_wall(monkeypatch):
    monkeypatch.setattr(ask, "PATIENCE", 0.2)

    def slow(entry):
        while True:
            sqrt(2.0)

    assert "failed" in ask.answers(MODEST[0], slow)
    rested = ask.answers(MODEST[0], lambda entry: sleep(0.3) or Claims(float))
    assert rested["seconds"] < 0.2


def test_what_is_missing_is_said():
    assert "missing" in ask.about(Accountant("no-such-package", exact_gaussian, ""))


def test_what_is_asked_from_a_checkout_is_called_by_its_commit(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-08-02T00:00:00Z")
    person = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (
        ["init", "-q"],
        [*person, "commit", "-q", "--allow-empty", "-m", "One"],
    ):
        subprocess.run(["git", "-C", tmp_path, *words], check=True)
    assert re.fullmatch(r"[0-9a-f]{7} of August 2026", score.commit(str(tmp_path)))


QUICK = [
    e
    for e in ENTRIES
    if e["derivation"] in ("gaussian", "approximate", "sampled_step", "mixed")
]


def test_privml_is_not_false_on_a_part_of_the_bench():
    some = [
        *QUICK,
        *(e for e in ENTRIES if e["kind"] in ("randomised response", "pure steps")),
    ]
    found = scores.scored(some, answered(adapters.privml, some), "privml")
    assert (found.failed, found.refused, found.false) == (0, 0, [])


# queries of data


def by_enumeration(query, relation):
    """How far one record moves each coordinate at most, on all data sets of two records."""
    values = {
        "sum": (-1.0, 0.0, 1.0),
        "mean": (-1.0, 0.0, 1.0),
        "histogram": (0, 1, 2),
    }[query]

    def answer(records):
        if query == "histogram":
            return np.array([records.count(value) for value in values], float)
        return np.array([sum(records) / (64 if query == "mean" else 1)])

    moves = []
    for records in product(values, repeat=2):
        for value in values:
            other = (value, *records[1:]) if relation == REPLACE else (*records, value)
            moves.append(np.abs(answer(records) - answer(other)))
    return max(move.max() for move in moves), max(
        np.count_nonzero(move) for move in moves
    )


def test_what_a_record_moves_in_queries_of_data_is_enumerated():
    some = [entry for entry in ENTRIES if entry["kind"] == "query of data"]
    assert len(some) == 28
    for entry in some:
        [step] = entry["steps"]
        far, coordinates = by_enumeration(step["query"], entry["relation"])
        assert step["sensitivity"] == far
        assert step.get("coordinates", 1) == coordinates


# auditors


def test_an_auditor_that_is_right_stays_within_its_error_and_one_that_is_not_is_seen():
    null = auditors.CASES[0]
    right = auditors.audited(auditors.split, null, runs=60, size=300)
    wrong = auditors.audited(auditors.counted, null, runs=60, size=300)
    assert right["chance"] > 1e-3
    assert wrong["chance"] < 1e-12
    assert wrong["false"] == 60


def test_an_auditor_catches_a_broken_twin():
    twin = next(case for case in auditors.CASES if case.name.startswith("its twin, 4"))
    found = auditors.audited(auditors.privml, twin, runs=5, size=500)
    assert found["caught"] == 5
    assert found["false"] == 0


def test_the_exact_epsilon_of_the_gaussian_case_is_in_the_bench():
    [low, high] = named("gaussian (sigma 1.0, sensitivity 1.0)")["epsilon_at"][1][1:]
    assert low <= auditors.GAUSSIAN <= high


# what is committed


def test_the_table_shows_the_committed_answers():
    kept = score.answers()
    assert kept["about"]["truth"] == ABOUT["version"]
    assert score.TABLE.read_text(encoding="utf-8") == page(ENTRIES, kept)
    assert score.kept_text(kept) == score.ANSWERS.read_text(encoding="utf-8")


def test_what_is_known_was_caught_and_every_false_claim_has_a_cause():
    kept = score.answers()["accountants"]
    found = {}
    for tool, answer in kept.items():
        false = scores.scored(ENTRIES, answer["answers"], tool).false
        found[tool] = set(causes(tool, false))
    assert found.pop("privml") == set()
    assert found["dp_accounting, PLD"] == {"randomised response with a count"}
    assert found["dp_accounting, Rényi"] == {"noise under replace-one"}
    assert found["prv_accountant"] == {"pure steps, many or large"}
    assert not any(UNEXPLAINED in names for names in found.values())
    assert not found["OpenDP"] | found["autodp"] | found["diffprivlib"]


def test_a_fault_of_two_events_has_a_row_for_each_and_is_counted_once():
    told = faults(ENTRIES, score.answers()["accountants"])
    assert told.startswith("The 8 rows show 4 faults.")
    for event, claims in (("Gaussian", 48), ("Laplace", 33)):
        row = f"| noise under replace-one: `{event}DpEvent` | 8 | {claims} | {event.lower()} ("
        assert told.count(row) == 2
    [overview] = [
        row.split(" | ")
        for row in score.TABLE.read_text(encoding="utf-8").splitlines()
        if row.startswith("| dp_accounting, Rényi | 0.6.0 |")
    ]
    assert overview[7:10] == ["1", "16", "81"]


PAGE = (HERE.parent.parent / "book" / "who-is-right.md").read_text(encoding="utf-8")


def test_the_page_has_the_numbers_of_the_tables_on_accountants():
    kept = score.answers()["accountants"]
    found = {
        tool: scores.scored(ENTRIES, answer["answers"], tool)
        for tool, answer in kept.items()
    }
    names = {tool: set(causes(tool, scored.false)) for tool, scored in found.items()}
    released = {
        name for tool, some in names.items() for name in some if "head" not in tool
    }
    assert (len(set().union(*names.values())), len(released)) == (4, 3)
    assert "four faults" in PAGE
    assert "Three of the four are in released versions" in PAGE
    assert found["prv_accountant"].failed == 7
    assert "The seven errors of prv_accountant" in PAGE
    for start, shown, needed in (
        ("gaussian (sigma 1.0, sensitivity 2.0, query sum", "4.73", "9.997"),
        ("laplace (scale 2.0, sensitivity 2.0, query sum", "0.503", "0.99998"),
    ):
        [entry] = [
            entry
            for entry in ENTRIES
            if entry["name"].startswith(start) and " x " not in entry["name"]
        ]
        row = [row[0] for row in entry["epsilon_at"]].index(1e-5)
        claim = kept["dp_accounting, Rényi"]["answers"][entry["name"]]["epsilon"][row]
        assert f"{claim:.3g}" == shown
        assert f"{entry['epsilon_at'][row][1]:.{len(needed) - 2}f}" == needed
        assert shown in PAGE
        assert needed in PAGE


def test_an_auditor_is_judged_where_its_promise_applies():
    rows = auditing(score.answers()["auditors"]).splitlines()
    cells = {row.split(" | ")[0].strip("| "): row.split(" | ") for row in rows}
    curve = cells["jax_privacy, one run, f-DP"]
    assert int(curve[5].split(" of ")[0]) > 100
    assert curve[6:] == ["0 of 100", "200 of 200", "keeps its promise |"]
    assert "which the documentation does not mention" in curve[2]
    assert cells["jax_privacy, raw counts"][6] == "applies to none"


@pytest.mark.parametrize(
    ("lack", "seen"), [(0.0, 0), (3e-13, 0), (1e-12, 1), (1e-7, 1), (1e-5, 0)]
)
def test_a_lack_is_rounding_where_the_digits_that_are_kept_show_it(lack, seen):
    assert scores.Claim({}, "epsilon", 1e-5, 2.0 * (1 - lack), 2.0, 2.0).rounded == seen


def test_every_accountant_has_a_line():
    assert set(adapters.ACCOUNTANTS) <= set(score.answers()["accountants"])
    assert {line["auditor"] for line in score.answers()["auditors"]} == set(
        auditors.AUDITORS
    )


def test_a_small_lack_of_a_small_delta_is_what_floats_lose():
    assert not scores.Claim({}, "delta", 1.0, 8.6795e-10, 8.6833e-10, 1.0).false
    assert scores.Claim({}, "delta", 1.0, 8.6e-10, 8.7e-9, 1.0).false


def test_a_changed_claim_changes_the_table():
    kept = score.answers()
    answer = kept["accountants"]["privml"]["answers"][MODEST[0]["name"]]
    answer["epsilon"] = [value / 2 for value in answer["epsilon"]]
    assert page(ENTRIES, kept) != score.TABLE.read_text(encoding="utf-8")


def test_the_curve_of_an_entry_is_what_its_derivation_says():
    entry = named("gaussian (sigma 1.0, sensitivity 1.0)")
    assert I.floats(curve_of(entry)(1.0))[0] == pytest.approx(
        0.12693673750664395, rel=1e-12
    )
