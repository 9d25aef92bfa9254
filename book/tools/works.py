"""Works that are cited by author and year in docstrings, and those that the bibliography lists."""

import re
from pathlib import Path
from typing import NamedTuple

from pybtex.database import parse_file

_NAME = r"[A-Z][\w'’-]+"
_CITED = re.compile(rf"({_NAME})(?:(?:, {_NAME})*,? and {_NAME}| et al\.?)?,? \((\d{{4}})\)")


class Work(NamedTuple):
    """A work as a text names it: family name of the first author, and year."""

    author: str
    year: str


def cited(root: Path) -> dict[Work, list[str]]:
    """Works that the package names as ``Author (year)``, each with the files that do."""
    found: dict[Work, list[str]] = {}
    for file in sorted((root / "privml").rglob("*.py")):
        text = re.sub(r"\s+", " ", file.read_text(encoding="utf-8"))
        for work in {Work(*match) for match in _CITED.findall(text)}:
            found.setdefault(work, []).append(file.relative_to(root).as_posix())
    return found


def listed(root: Path) -> set[Work]:
    """Works of the bibliography, each under the family name of its first author."""
    entries = parse_file(str(root / "book" / "references.bib")).entries.values()
    authors = [entry.persons.get("author", []) for entry in entries]
    years = [entry.fields.get("year", "") for entry in entries]
    named = [(" ".join(who[0].last_names), year) for who, year in zip(authors, years, strict=True) if who]
    return {Work(name.strip("{}"), year) for name, year in named}


def missing(root: Path) -> list[str]:
    """Sentences about works that a docstring names and the bibliography lacks."""
    known = listed(root)
    absent = {work: files for work, files in cited(root).items() if work not in known}
    return [
        f"{', '.join(files)}: book/references.bib has no work of {work.author} ({work.year})"
        for work, files in sorted(absent.items())
    ]
