"""The bibliography in plain text: how a work is cited, and its whole entry."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from string import ascii_lowercase

from pybtex.database import Entry, parse_file

_FEW = 2
_UNDATED = "undated"
_NEEDLESS = re.compile(r"\\([.(),:-])")


def _name(person) -> str:
    return " ".join(
        str(part).strip("{}") for part in [*person.prelast_names, *person.last_names]
    )


def _authors(entry: Entry) -> str:
    """Last names: one, two joined, or the first and others."""
    people = entry.persons.get("author") or entry.persons.get("editor") or []
    names = [_name(person) for person in people]
    if not names:
        return entry.fields.get("title", entry.key).strip("{}")
    return " and ".join(names) if len(names) <= _FEW else f"{names[0]} et al."


def lettered(entries: Iterable[Entry]) -> None:
    """Put a letter after the year of works that are cited alike, and a word in place of a missing year."""
    alike = defaultdict(list)
    for entry in entries:
        entry.fields["year"] = entry.fields.get("year") or _UNDATED
        alike[_authors(entry), entry.fields["year"]].append(entry)
    for (_, year), found in alike.items():
        found.sort(
            key=lambda entry: (
                [*map(_name, entry.persons.get("author", []))],
                entry.fields["title"],
            )
        )
        letters = ascii_lowercase if len(found) > 1 and year != _UNDATED else [""]
        for letter, entry in zip(letters, found, strict=False):
            entry.fields["year"] = year + letter


@cache
def _entries(file: Path) -> Mapping[str, Entry]:
    entries = parse_file(str(file), "bibtex").entries
    lettered(entries.values())
    return entries


def works(file: Path) -> dict[str, tuple[str, str]]:
    """Author and year of every entry of a BibTeX file, by key."""
    if not file.exists() or not file.read_text(encoding="utf-8").strip():
        return {}
    return {
        key: (_authors(entry), entry.fields.get("year", ""))
        for key, entry in _entries(file).items()
    }


def reference_list(file: Path, keys: list[str]) -> list[str]:
    """Whole entries of these works as plain Markdown, sorted by author and year."""
    if not keys:
        return []
    from pybtex.backends.markdown import Backend
    from pybtex.style.formatting.unsrt import Style

    entries = _entries(file)
    cited = sorted(
        keys,
        key=lambda key: (_authors(entries[key]), entries[key].fields.get("year", "")),
    )
    formatted = Style().format_entries([entries[key] for key in cited])
    texts = [
        " ".join(entry.text.render(Backend("utf-8")).split()) for entry in formatted
    ]
    return ["- " + _NEEDLESS.sub(r"\1", text) for text in texts]
