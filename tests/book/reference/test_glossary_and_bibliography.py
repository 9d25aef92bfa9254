"""The glossary and the bibliography say what the chapters and the package need."""

import re
from collections import Counter
from pathlib import Path

from pybtex.database import parse_file

from book.tools import works
from book.tools.works import Work

ROOT = Path(__file__).resolve().parents[3]
TERMS = re.compile(r"^(?! |```|:|#|\[|The |Short |A data )(\S.*)$", re.MULTILINE)


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
    assert {" ".join(term.lower().split()) for term in wanted.split(";")} <= set(terms())
    assert len(terms()) >= 50


def test_no_term_is_explained_twice():
    assert len(terms()) == len(set(terms()))


def test_every_work_that_a_docstring_names_is_in_the_bibliography():
    assert works.missing(ROOT) == []


def test_no_work_is_listed_twice():
    entries = parse_file(str(ROOT / "book" / "references.bib")).entries.values()
    named = [
        (re.sub(r"\W", "", entry.fields["title"]).lower(), entry.fields.get("year")) for entry in entries
    ]
    assert [work for work, times in Counter(named).items() if times > 1] == []


def test_works_are_found_by_first_author_and_year(tmp_path):
    (tmp_path / "privml").mkdir()
    (tmp_path / "book").mkdir()
    (tmp_path / "privml" / "a.py").write_text(
        '"""As Bun and\nSteinke (2016), Lemma 1; Lyu, Su and Li (2017); Nobody et al. (1999)."""\n'
    )
    (tmp_path / "book" / "references.bib").write_text(
        "@article{a, author = {Bun, Mark and Steinke, Thomas}, title = {T}, journal = {J}, year = {2016}}\n"
        "@article{b, author = {Lyu, Min}, title = {T}, journal = {J}, year = {2017}}\n"
    )
    assert set(works.cited(tmp_path)) == {Work("Bun", "2016"), Work("Lyu", "2017"), Work("Nobody", "1999")}
    assert works.missing(tmp_path) == ["privml/a.py: book/references.bib has no work of Nobody (1999)"]
