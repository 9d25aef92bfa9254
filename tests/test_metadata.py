"""What a release says of itself: its files agree; what a person fills in, and what the article cites."""

import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
CITATION_NEEDS = {"cff-version", "message", "title", "authors"}
CITATION_KNOWS = CITATION_NEEDS | {
    "abstract", "commit", "contact", "date-released", "doi", "identifiers", "keywords", "license",
    "license-url", "preferred-citation", "references", "repository", "repository-artifact", "repository-code",
    "type", "url", "version",
}  # fmt: skip
ZENODO_NEEDS = {"title", "description", "creators", "upload_type", "license"}
# A release with a field that the archive does not know is refused.
ZENODO_KNOWS = ZENODO_NEEDS | {
    "access_right", "communities", "contributors", "doi", "grants", "keywords", "language", "notes",
    "publication_date", "references", "related_identifiers", "version",
}  # fmt: skip


@pytest.fixture
def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture
def citation():
    return yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


@pytest.fixture
def archive():
    return json.loads((ROOT / ".zenodo.json").read_text(encoding="utf-8"))


def test_title_people_keywords_and_licences_are_the_same(project, citation, archive):
    assert citation["title"] == archive["title"]
    assert citation["authors"] == archive["creators"] == project["authors"]
    assert citation["keywords"] == archive["keywords"] == project["keywords"]
    assert archive["description"] == f"<p>{citation['abstract']}</p>"
    assert citation["license"][0] == project["license"]
    assert archive["license"] == project["license"].lower()


def test_the_citation_file_has_the_fields_of_its_format(citation):
    assert CITATION_NEEDS <= set(citation) <= CITATION_KNOWS
    assert (citation["cff-version"], citation["type"]) == ("1.2.0", "software")
    assert all(person.get("name") or person.get("family-names") for person in citation["authors"])


def test_the_archive_knows_every_field_of_its_file(archive):
    assert ZENODO_NEEDS <= set(archive) <= ZENODO_KNOWS
    assert archive["upload_type"] == "software"
    assert archive["access_right"] == "open"
    assert all(person["name"] for person in archive["creators"])


def cells(row):
    return (row.split("|") + [""] * 4)[:4]


def test_the_page_on_publishing_names_every_file_that_waits_for_a_person():
    kept = ("_config.yml", ".zenodo.json", "*.toml", "*.cff", "LICENSE*", "benchmarks/truth/LICENSE*")
    kept += ("*.md", "book/*.md", "paper/*.md")
    files = {path for pattern in kept for path in ROOT.glob(pattern)} - {ROOT / "PUBLISHING.md"}
    names = {path.relative_to(ROOT).as_posix() for path in files if "privml developers" in path.read_text()}
    rows = (ROOT / "PUBLISHING.md").read_text().split("## 2. Host")[0].splitlines()
    told = {what.strip(): set(re.findall("`([^`]+)`", where)) for _, what, where, _ in map(cells, rows[7:])}
    assert told["names of the authors"] == names
    waits = {
        path.relative_to(ROOT).as_posix() for path in files if "to be filled in" in path.read_text().lower()
    }
    assert waits == told["affiliation, date, acknowledgements"]


def test_the_article_cites_what_its_own_bibliography_has_with_the_book_s_identifiers():
    """A journal sets it with `paper.bib` alone."""
    cited = set(re.findall(r"@(\w+)", (ROOT / "paper" / "paper.md").read_text()))
    known, of_the_book = (dois(ROOT / file) for file in ("paper/paper.bib", "book/references.bib"))
    assert cited == set(known)
    assert [key for key in cited & set(of_the_book) if known[key] != of_the_book[key]] == []


def dois(file):
    """Of each entry of a bibliography its DOI, if it has one."""
    entries = re.findall(r"^@\w+\{(\w+),\n(.*?)^\}", file.read_text(), re.DOTALL | re.MULTILINE)
    return {key: re.findall(r"doi\s*= \{(.*)\}", fields) for key, fields in entries}
