"""The bibliography in plain text: how a work is cited, and its whole entry."""

import re
from pathlib import Path

from pybtex.database import Entry, parse_file

_FEW = 2
_NEEDLESS = re.compile(r"\\([.(),:-])")


def _name(person) -> str:
    parts = [*person.prelast_names, *person.last_names]
    return " ".join(str(part).strip("{}") for part in parts)


def _authors(entry: Entry) -> str:
    """Last names: one, two joined, or the first and others."""
    people = entry.persons.get("author") or entry.persons.get("editor") or []
    names = [_name(person) for person in people]
    if not names:
        return entry.fields.get("title", entry.key).strip("{}")
    return " and ".join(names) if len(names) <= _FEW else f"{names[0]} et al."


def works(file: Path) -> dict[str, tuple[str, str]]:
    """Author and year of every entry of a BibTeX file, by key."""
    if not file.exists() or not file.read_text(encoding="utf-8").strip():
        return {}
    entries = parse_file(str(file), "bibtex").entries
    return {key: (_authors(entry), entry.fields.get("year", "")) for key, entry in entries.items()}


def reference_list(file: Path, keys: list[str]) -> list[str]:
    """Whole entries of these works as plain Markdown, sorted by author and year."""
    if not keys:
        return []
    from pybtex.backends.markdown import Backend
    from pybtex.style.formatting.unsrt import Style

    data = parse_file(str(file), "bibtex")
    cited = sorted(
        keys, key=lambda key: (_authors(data.entries[key]), data.entries[key].fields.get("year", ""))
    )
    formatted = Style().format_entries([data.entries[key] for key in cited])
    texts = [" ".join(entry.text.render(Backend("utf-8")).split()) for entry in formatted]
    return ["- " + _NEEDLESS.sub(r"\1", text) for text in texts]
