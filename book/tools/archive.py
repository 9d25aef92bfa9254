"""Files packed into one: the same files give the same bytes."""

import zipfile
from collections.abc import Iterable
from pathlib import Path

_DATE = (1980, 1, 1, 0, 0, 0)  # the first that the format knows


def write(goal: Path, files: Iterable[tuple[str, bytes]]) -> Path:
    """Write named contents in their order as a zip file; its path."""
    goal.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(goal, "w") as packed:
        for name, content in files:
            entry = zipfile.ZipInfo(name, _DATE)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            packed.writestr(entry, content, compresslevel=9)
    return goal
