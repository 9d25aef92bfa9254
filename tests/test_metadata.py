"""What a release says of itself: its files agree; and what a person fills in."""

import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml

import privml

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
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]


@pytest.fixture
def citation():
    return yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


@pytest.fixture
def archive():
    return json.loads((ROOT / ".zenodo.json").read_text(encoding="utf-8"))


def spoken(person):
    """A name: one format wants it in parts, one with the family first, one as it is spoken."""
    family, _, given = person.get("name", "").partition(", ")
    return f"{person.get('given-names', given)} {person.get('family-names', family)}".strip()


def test_one_name_in_three_formats_is_the_same():
    forms = (
        {"given-names": "Ada M.", "family-names": "Low"},
        {"name": "Low, Ada M."},
        {"name": "Ada M. Low"},
    )
    assert set(map(spoken, forms)) == {"Ada M. Low"}


def test_title_people_keywords_and_licences_are_the_same(project, citation, archive):
    assert citation["title"] == archive["title"]
    people = citation["authors"], archive["creators"], project["authors"]
    assert len({tuple(map(spoken, named)) for named in people}) == 1
    assert citation["keywords"] == archive["keywords"] == project["keywords"]
    assert archive["description"] == f"<p>{citation['abstract']}</p>"
    assert citation["license"][0] == project["license"]
    assert archive["license"] == project["license"].lower()


def test_the_version_is_the_same_everywhere(project, citation, archive):
    assert (
        project["version"]
        == privml.__version__
        == citation["version"]
        == archive["version"]
    )
    assert f"## {project['version']}" in (ROOT / "CHANGELOG.md").read_text()
    assert (
        f"{{Version {project['version']}}}" in (ROOT / "book" / "cover.md").read_text()
    )


def test_the_citation_file_has_the_fields_of_its_format(citation):
    assert CITATION_NEEDS <= set(citation) <= CITATION_KNOWS
    assert (citation["cff-version"], citation["type"]) == ("1.2.0", "software")
    assert all(
        person.get("name") or person.get("family-names")
        for person in citation["authors"]
    )


def test_the_archive_knows_every_field_of_its_file(archive):
    assert ZENODO_NEEDS <= set(archive) <= ZENODO_KNOWS
    assert archive["upload_type"] == "software"
    assert archive["access_right"] == "open"
    assert all(person["name"] for person in archive["creators"])


def test_the_page_on_publishing_names_every_file_that_waits_for_a_person():
    kept = (
        "_config.yml",
        ".zenodo.json",
        "*.toml",
        "*.cff",
        "LICENSE*",
        "benchmarks/truth/LICENSE*",
    )
    kept += ("*.md", "book/*.md", "paper/*.md")
    files = {path for pattern in kept for path in ROOT.glob(pattern)} - {
        ROOT / "PUBLISHING.md"
    }
    texts = {
        path.relative_to(ROOT).as_posix(): path.read_text().lower() for path in files
    }
    rows = (ROOT / "PUBLISHING.md").read_text().split("## 2. Host")[0]
    lines = re.findall(r"(?m)^\| (.*?) \|(.*)", rows)
    told = {what: set(re.findall("`([^`]+)`", where)) for what, where in lines}
    assert told["names of the authors"] == {
        name for name in texts if "privml developers" in texts[name]
    }
    waits = {name for name in texts if "to be filled in" in texts[name]}
    assert told["affiliation, date, acknowledgements"] == waits
