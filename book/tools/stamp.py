"""The stamp of a chapter: with what, and from what, its outputs were made, and a hash of them."""

import platform
import re
from pathlib import Path

import privml
from book.tools.chapter_code import source, tags
from book.tools.chapters import Chapter
from book.tools.compare import fingerprint
from book.tools.figures import cells_of
from book.tools.live import parameter_fields

PACKAGES = ("numpy", "scipy", "scikit-learn", "matplotlib")


def versions(root: Path) -> list[str]:
    """The library, Python and the packages that decide outputs, with the versions of the build."""
    pinned = dict(
        re.findall(
            r"^([\w-]+)==(\S+)$", (root / "constraints.txt").read_text(), re.MULTILINE
        )
    )
    python = ".".join(platform.python_version_tuple()[:2])
    found = {"privml": privml.__version__, "Python": python}
    found |= {name: pinned[name] for name in PACKAGES if name in pinned}
    return [f"{name} {version}" for name, version in found.items()]


def settings(cells: list[dict]) -> list[str]:
    """The chapter's parameters and its seed, as its cell of parameters gives them."""
    code = [source(cell) for cell in cells if "parameters" in tags(cell)]
    return [
        f"{given['name']} = {given['value']}"
        for text in code
        for given in parameter_fields(text)
    ]


def stamp(root: Path, topic: str) -> tuple[list[str], list[str], str]:
    """Versions, settings and the hash of the outputs of a committed notebook."""
    cells = cells_of(Chapter(root, topic).notebook)
    return versions(root), settings(cells), fingerprint(cells)
