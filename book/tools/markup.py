"""Reading the MyST sources as far as the checks need it: prose without code, headings, labels."""

import re
from collections.abc import Iterator
from pathlib import Path

_HEADING = re.compile(r"^#{1,2} +(.+?)\s*$")
_LABEL = re.compile(r"^\s*:(?:label|name):\s*(\S+)\s*$|^\((\S+)\)=\s*$")
_CODE = re.compile(r"^\s*(`{3,}|~{3,})(?:\{code[^}]*\}.*|[^{}]+)$")


def source_of(root: Path, page: str) -> Path:
    """The MyST file that a page of the contents is made from."""
    folder, _, topic = page.partition("/")
    return root / "book" / f"{topic}.md" if folder == "notebooks" else root / f"{page}.md"


def prose(source: Path) -> Iterator[str]:
    """Lines of a source that are not code."""
    fence = ""
    for line in source.read_text(encoding="utf-8").splitlines():
        if fence:
            fence = "" if line.strip() == fence else fence
        elif opening := _CODE.match(line):
            fence = opening[1]
        else:
            yield line


def headings_of(source: Path) -> list[str]:
    """Headings of the first two levels."""
    return [match[1] for line in prose(source) if (match := _HEADING.match(line))]


def labels_of(source: Path) -> list[str]:
    """Labels that a source defines: ``(label)=``, ``:label: label``, ``:name: label``."""
    return [match[1] or match[2] for line in prose(source) if (match := _LABEL.match(line))]
