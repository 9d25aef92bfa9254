"""The book as one file to read without a network: `make offline`.

Pages, figures and downloads work from the file system as they are; what only a server can give is left out:
the runtime, the cells that it runs, the Lab, and what search engines and other books ask for. The same pages
give the same bytes.
"""

import sys
from pathlib import Path

from book.lab import LINKED
from book.tools import archive, site
from book.tools.chapters import ROOT

NAME = "privml-book"
_SERVED = (
    "_static/live/*.json",
    "_static/live/*.whl",
    "_static/live/*.mjs",
    "_static/live/*.py",
)
_SERVED += (
    "_static/live/pyodide/**/*",
    "live/**/*",
    ".*",
    "404.html",
    "objects.inv",
    "sitemap.xml",
)


def files(html: Path) -> list[str]:
    """Names of the files of a site that are read without a server, in order."""
    named = {path.relative_to(html) for path in html.rglob("*") if path.is_file()}
    served = {
        path.relative_to(html)
        for pattern in _SERVED
        for path in html.glob(pattern)
        if path.is_file()
    }
    return sorted(name.as_posix() for name in named - served)


def pack(html: Path, goal: Path) -> None:
    """Write the file; its pages have no link to the Lab."""

    def content(name: str) -> bytes:
        held = (html / name).read_bytes()
        return (
            LINKED.sub("", held.decode()).encode() if name.endswith(".html") else held
        )

    archive.write(goal, ((f"{NAME}/{name}", content(name)) for name in files(html)))


def main() -> int:
    """Pack the built pages into ``dist``; they must be those of the present files."""
    goal = ROOT / "dist" / f"{NAME}-offline.zip"
    if not site.is_fresh(ROOT):
        print(
            "offline: the pages are not those of the present files (make book)",
            file=sys.stderr,
        )
        return 1
    pack(ROOT / "_build" / "html", goal)
    print(
        f"{goal}: {goal.stat().st_size / 1e6:.1f} MB; unpack it and open {NAME}/index.html"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
