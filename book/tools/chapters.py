"""Which chapters there are, and their files.

A chapter is a source ``book/<topic>.md`` and an executed notebook ``notebooks/<topic>.ipynb``; the table of
contents names the notebooks. `book.tools.staleness` says whether a notebook is up to date.
"""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]  # of this repository


@dataclass(frozen=True)
class Chapter:
    """One chapter of the book whose files lie below `root`."""

    root: Path
    topic: str

    @property
    def source(self) -> Path:
        """The MyST text that people write."""
        return self.root / "book" / f"{self.topic}.md"

    @property
    def notebook(self) -> Path:
        """The executed notebook that is committed."""
        return self.root / "notebooks" / f"{self.topic}.ipynb"

    @property
    def record(self) -> Path:
        """What this machine remembers of its last run."""
        return self.root / "_build" / "chapters" / f"{self.topic}.json"


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file at once or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_bytes(content.encode() if isinstance(content, str) else content)
    draft.replace(path)


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def files(path: Path) -> Iterator[Path]:
    """A file, or the files below a folder, in a fixed order; leftovers of Python and editors do not count."""
    for below in [path, *sorted(path.rglob("*"))]:
        parts = below.relative_to(path).parts
        if (
            below.is_file()
            and "__pycache__" not in parts
            and not any(p.startswith(".") for p in parts)
        ):
            yield below


def hash_of(root: Path, names: tuple[str, ...]) -> str:
    """Hash of files and folders below a root: their names and contents."""
    total = hashlib.sha256()
    for name in names:
        for file in files(root / name):
            total.update(
                f"{file.relative_to(root).as_posix()} {digest(file.read_bytes())}\n".encode()
            )
    return total.hexdigest()


def source_of(root: Path, page: str) -> Path:
    """The MyST file that a page of the contents is made from."""
    folder, _, topic = page.partition("/")
    return (
        root / "book" / f"{topic}.md" if folder == "notebooks" else root / f"{page}.md"
    )


def pages(root: Path) -> list[str]:
    """Names of all pages of the table of contents, in reading order, without suffix."""
    toc = yaml.safe_load((root / "_toc.yml").read_text())
    named = [toc["root"]]

    def walk(node: dict) -> None:
        for entry in [
            *node.get("parts", []),
            *node.get("chapters", []),
            *node.get("sections", []),
        ]:
            if "file" in entry:
                named.append(entry["file"])
            walk(entry)

    walk(toc)
    return [name.removesuffix(".md").removesuffix(".ipynb") for name in named]


def topics(root: Path) -> list[str]:
    """Topics of the chapters in the table of contents, in reading order."""
    return [
        page.removeprefix("notebooks/")
        for page in pages(root)
        if page.startswith("notebooks/")
    ]


def chapters(root: Path) -> list[Chapter]:
    """All chapters of the table of contents, in reading order; an error for a page without source."""
    for page in pages(root):
        source = source_of(root, page)
        if not source.exists():
            raise FileNotFoundError(
                f"_toc.yml names {page}, but there is no {source.relative_to(root)}"
            )
    return [Chapter(root, topic) for topic in topics(root)]
