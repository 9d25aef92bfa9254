"""The benchmark with peers: page and figure show the committed table. Nothing is timed."""

import matplotlib.pyplot as plt
import pytest

from benchmarks import peers, table
from benchmarks.questions import Answer, Question

LINES = table.rows()


def test_the_figure_carries_the_fingerprint_of_the_table():
    for form in ("svg", "pdf"):
        assert (
            table.fingerprint().encode() in (table.HERE / f"peers.{form}").read_bytes()
        )


def test_the_figure_draws_every_time_of_the_table():
    figure, axes = plt.subplots()
    table.draw(LINES, axes)
    lines = [line for line in axes.lines if line.get_label() in table.TOOLS]
    drawn = {
        (line.get_label(), *at)
        for line in lines
        for at in zip(*line.get_data(), strict=True)
    }
    names = [text.get_text() for text in axes.get_yticklabels()]
    plt.close(figure)
    timed = [line for line in LINES if line["seconds"] and line["tool"] != "privml"]
    assert names == table.questions(LINES)[::-1]
    keys = [
        (line["tool"], float(line["times_ours"]), names.index(line["question"]))
        for line in timed
    ]
    assert drawn == set(keys)


def test_the_page_shows_the_table():
    made = table.markdown(LINES, table.about())
    assert (table.HERE / "peers.md").read_text(encoding="utf-8") == made
    page = (table.HERE.parent / "book" / "which-tool.md").read_text(encoding="utf-8")
    assert "{include} ../benchmarks/peers.md" in page
    assert "{figure} ../benchmarks/peers.*" in page


def test_a_changed_number_is_seen():
    changed = [dict(line) for line in LINES]
    place = next(
        i
        for i, line in enumerate(changed)
        if line["tool"] == "OpenDP" and line["seconds"]
    )
    changed[place]["times_ours"] = str(3 * float(changed[place]["times_ours"]))
    made = table.markdown(changed, table.about())
    assert made != (table.HERE / "peers.md").read_text(encoding="utf-8")


def test_ratios_are_of_the_seconds_and_every_question_has_ours():
    assert table.questions(LINES) == [question.name for question in peers.QUESTIONS]
    for question in table.questions(LINES):
        here = [line for line in LINES if line["question"] == question]
        [ours] = [float(line["seconds"]) for line in here if line["tool"] == "privml"]
        for line in here:
            if line["seconds"]:
                assert float(line["times_ours"]) == pytest.approx(
                    float(line["seconds"]) / ours, rel=0.02
                )


@pytest.mark.parametrize(
    "name", [q.name for q in peers.QUESTIONS if q.name.startswith(("σ", "ε"))]
)
def test_our_answers_in_the_table_are_those_of_the_library(name):
    [ours] = [
        a
        for q in peers.QUESTIONS
        if q.name == name
        for a in q.answers
        if a.tool == "privml"
    ]
    [line] = [
        line for line in LINES if (line["question"], line["tool"]) == (name, "privml")
    ]
    assert float(line["answer"]) == pytest.approx(float(ours.make()()), rel=1e-5)


def test_the_facts_say_when_and_where():
    facts = table.about()
    sentence = table.where(facts)
    assert facts["processor"]
    assert len(facts["date"]) == 10
    versions = filter(None, facts["versions"].values())
    assert all(
        part in sentence
        for part in (facts["date"], facts["processor"], facts["python"], *versions)
    )


def test_a_tool_that_is_missing_or_fails_has_a_line_that_says_so():
    def missing():
        import no_such_package  # noqa: F401

    answers = [
        Answer("privml", lambda: lambda: 2.0, number=float),
        Answer("peer", missing),
    ]
    asked = Question("q", [*answers, Answer("other", lambda: lambda: 1 / 0)])
    ours, peer, other = peers.measured(asked, 1)
    assert (ours["answer"], ours["times_ours"]) == ("2", "1")
    assert peer["note"] == "not installed"
    assert other["note"] == "fails: ZeroDivisionError"
    assert "seconds" not in peer


def test_the_peers_are_pinned_without_an_address():
    lines = (table.HERE / "peers.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert all("==" in line and "/" not in line and "@" not in line for line in pins)
    pinned = dict(line.split("==") for line in pins)
    assert pinned == {
        name: number for name, number in table.about()["versions"].items() if number
    }


@pytest.mark.parametrize("loads", [[2.0], [0.1, 1.5]])
def test_a_machine_that_is_not_at_rest_writes_no_table(loads, monkeypatch, tmp_path):
    after = iter(loads)
    monkeypatch.setattr("os.getloadavg", lambda: (next(after), 0.0, 0.0))
    monkeypatch.setattr(peers, "HERE", tmp_path)
    monkeypatch.setattr(peers, "QUESTIONS", [])
    monkeypatch.setattr("sys.argv", ["peers"])
    with pytest.raises(SystemExit, match=f"the load is {loads[-1]:g}"):
        peers.main()
    assert not list(tmp_path.iterdir())
