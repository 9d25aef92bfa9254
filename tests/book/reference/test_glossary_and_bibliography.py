"""The glossary and the bibliography say what the chapters and the package need."""

import re
from collections import Counter
from pathlib import Path

from pybtex.database import parse_file

ROOT = Path(__file__).resolve().parents[3]
NAME = r"[A-Z][\w'’-]+"
CITED = re.compile(
    rf"({NAME})(?:(?:, {NAME})*,? and {NAME}| et al\.?)?,? \((\d{{4}})\)"
)
TERMS = re.compile(r"^(?! |```|:|#|\[|The |Short |A data )(\S.*)$", re.MULTILINE)


def named(text):
    """Works that a text names as ``Author (year)``: first author and year."""
    return set(CITED.findall(" ".join(text.split())))


def listed(file):
    """Works of a bibliography, each under the family name of its first author."""
    entries = [
        entry
        for entry in parse_file(str(file)).entries.values()
        if entry.persons.get("author")
    ]
    names = [
        " ".join(entry.persons["author"][0].last_names).strip("{}") for entry in entries
    ]
    return {
        (name, entry.fields.get("year", ""))
        for name, entry in zip(names, entries, strict=True)
    }


def terms():
    """Terms of the glossary, lower case."""
    text = (ROOT / "book" / "glossary.md").read_text(encoding="utf-8")
    inside = text.partition("```{glossary}")[2].rpartition("```")[0]
    return [term.lower() for term in TERMS.findall(inside)]


def test_the_terms_of_the_first_chapters_are_explained():
    wanted = """
    adjacency; agnostic learning; base measure; differential privacy; empirical error; ERM;
    exponential mechanism; growth function; Gumbel-max; hockey-stick divergence; neighbouring data sets;
    PAC learning; privacy loss; realizable learning; score; sensitivity; uniform convergence; VC dimension
    """
    assert {" ".join(term.lower().split()) for term in wanted.split(";")} <= set(
        terms()
    )
    assert len(terms()) >= 50


def test_no_term_is_explained_twice():
    assert len(terms()) == len(set(terms()))


def test_every_work_that_a_docstring_names_is_in_the_bibliography():
    known = listed(ROOT / "book" / "references.bib")
    texts = {
        str(file.relative_to(ROOT)): file.read_text("utf-8")
        for file in (ROOT / "privml").rglob("*.py")
    }
    assert sum(len(named(text)) for text in texts.values()) > 20
    assert {
        name: named(text) - known for name, text in texts.items() if named(text) - known
    } == {}


def test_no_work_is_listed_twice():
    entries = parse_file(str(ROOT / "book" / "references.bib")).entries.values()
    named = [
        (re.sub(r"\W", "", one.fields["title"]).lower(), one.fields.get("year"))
        for one in entries
    ]
    assert [work for work, times in Counter(named).items() if times > 1] == []


def test_works_are_found_by_first_author_and_year(tmp_path):
    text = "As Bun and\nSteinke (2016), Lemma 1; Lyu, Su and Li (2017); Nobody et al. (1999)."
    assert named(text) == {("Bun", "2016"), ("Lyu", "2017"), ("Nobody", "1999")}
    (tmp_path / "a.bib").write_text(
        "@article{a, author = {Bun, Mark and Steinke, Thomas}, title = {T}, journal = {J}, year = {2016}}\n"
        "@article{b, author = {Lyu, Min}, title = {T}, journal = {J}, year = {2017}}\n"
    )
    assert listed(tmp_path / "a.bib") == {("Bun", "2016"), ("Lyu", "2017")}
