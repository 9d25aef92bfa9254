"""The numbers in README are those of the chapters and of the benchmarks."""

import csv

import pytest

from benchmarks import table
from benchmarks.truth import score
from benchmarks.truth.entries import PRIVML, read
from benchmarks.truth.faults import causes
from benchmarks.truth.scores import scored
from book.tools.chapters import ROOT, Chapter
from book.tools.compare import read_shown

README = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())


def rows_of_table(topic, columns):
    """Rows of the table of a chapter that has these columns."""
    tables = read_shown(Chapter(ROOT, topic).notebook).tables
    [rows] = [rows for head, *rows in tables if head == columns]
    return rows


def test_the_wasted_privacy_is_that_of_the_chapter():
    columns = ["algorithm", "printed", "proved", "attained", "least", "most"]
    rows = {name: row for name, *row in rows_of_table("how-much-is-wasted", columns)}
    _, proved, attained, *_ = rows["100 choices"]
    assert proved == attained
    assert f"Their true privacy loss is {proved}:" in README
    _, proved, attained, least, most = rows["experts"]
    assert proved == attained
    assert least == most
    assert (
        f"the true loss is {proved}, so the printed ε is too large by a factor of {most}."
        in README
    )
    assert len(rows) == 10
    assert "examines ten algorithms" in README


def test_the_sample_sizes_are_those_of_the_chapter():
    columns = ["beta", "delta", *(f"K = {K}" for K in range(2, 9))]
    rows = rows_of_table("thresholds-and-littlestone", columns)
    sizes = {(beta, delta): size for beta, delta, *_, size, _ in rows}
    assert [sizes["1/10", delta] for delta in ("0", "1/100", "1/10")] == ["6", "5", "4"]
    assert "Six records are enough and five are not if δ = 0" in README
    assert "the least number is five if δ = 1/100, and four if δ = 1/10" in README


def test_the_verdicts_on_accountants_are_those_of_the_truth_bench():
    entries, kept = read(), score.answers()["accountants"]
    found = {
        tool: scored(entries, kept[tool]["answers"], tool)
        for tool in kept
        if "answers" in kept[tool]
    }
    proved = sum(entry["derivation"] != PRIVML for entry in entries)
    assert f"answers all {proved} proved entries without a false claim" in README
    assert found["privml"].answered == proved
    assert f"at most {max(found['privml'].ratios):.2f} times too large" in README
    assert not any(
        found[tool].false for tool in ("privml", "OpenDP", "diffprivlib", "autodp")
    )
    losses = causes("dp_accounting, PLD", found["dp_accounting, PLD"].false)
    assert list(losses) == ["randomised response with a count"]
    renyi = causes("dp_accounting, Rényi", found["dp_accounting, Rényi"].false)
    assert list(renyi) == ["noise under replace-one"]


def test_the_verdicts_on_releases_are_those_of_the_truth_bench():
    lines = [line for line in score.answers()["releases"] if "name" in line]
    wrong = [
        line
        for line in lines
        if not line["twin"] and (line["false"] or line["refuted"])
    ]
    [lone] = [line for line in wrong if "scale 1, threshold 5" in line["name"]]
    assert (
        f"probability {lone['delta']:.4f} where it claims {lone['claim'][1]:.4f}"
        in README
    )
    assert sum(line["library"] == "diffprivlib" for line in wrong) == 5
    assert "five functions of diffprivlib" in README


@pytest.mark.parametrize("tool", ["diffprivlib", "OpenDP"])
def test_the_times_are_those_of_the_benchmark(tool):
    with (table.HERE / "peers.csv").open(encoding="utf-8", newline="") as file:
        lines = [line for line in csv.DictReader(file) if line["tool"] == tool]
    draws = ("one choice", "choices of", "Laplace numbers", "discrete")
    times = [
        float(line["times_ours"])
        for line in lines
        if any(word in line["question"] for word in draws)
    ]
    assert min(times) > 35
    assert max(times) < 8_750
    assert "take 36 to 8,700 times as long" in README
