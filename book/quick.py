"""What changed files touch, in less than a minute: ``make quick``.

    python -m book.quick [--since COMMIT]

Changed are the files that differ from a commit (default: the last one) and those that git does not know yet.
They are linted; changed chapters are checked; then the tests run that are theirs by name: a chapter's, a
room's of the package (with the docstrings of its files), a module's of the build. `make test` runs all.
"""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from book import check
from book.tools import command
from book.tools.chapters import topics


def changed(root: Path, since: str) -> list[Path]:
    """Files that differ from a commit or are new, and are still there."""
    asked = (["diff", "--name-only", since], ["ls-files", "--others", "--exclude-standard"])
    texts = [subprocess.check_output(["git", *words], cwd=root, text=True) for words in asked]
    return [Path(name) for name in sorted({*"".join(texts).splitlines()}) if (root / name).exists()]


def patterns(file: Path, known: Iterable[str]) -> list[str]:
    """Where the tests of a file stand, as patterns below the root; `known` are the chapters."""
    first, stem = file.parts[0], file.stem.replace("-", "_")
    if first == "tests":
        return [file.as_posix()] if file.name.startswith("test_") else []
    if first == "privml" and file.suffix in (".py", ".pyi"):
        room = Path(*file.parts[1:2]).stem
        return [file.with_suffix(".py").as_posix(), f"tests/{room}/test_*.py", f"tests/test_{room}.py"]
    if first == "book" and file.suffix == ".md" and file.stem in known:
        return [f"tests/chapters/test_{stem}*.py"]
    if first == "book" and file.suffix == ".py":
        return [f"tests/book/**/test_{stem}*.py", "tests/book/test_map.py"]
    return []


def main(arguments: list[str] | None = None) -> int:
    """Run what changed files touch; the exit status."""
    parser = command.parser("quick", __doc__)
    parser.add_argument("--since", default="HEAD", metavar="COMMIT", help="compare with this (default: HEAD)")
    parser.add_argument("--jobs", default="2", help="tests at a time")
    options = parser.parse_args(arguments)
    root, known = options.root, topics(options.root)
    files = changed(root, options.since)
    asked = [file.stem for file in files if file.parent == Path("book") and file.stem in known]
    tests = sorted({path for file in files for one in patterns(file, known) for path in root.glob(one)})
    python = [str(file) for file in files if file.suffix == ".py"]
    status = not command.sound(check.source_faults(root, asked) if asked else [])
    for words, given in (
        (["ruff", "check"], python),
        (["ruff", "format", "--check"], python),
        (["pytest", "-q", "-n", options.jobs, "--doctest-modules"], [str(path) for path in tests]),
    ):
        status |= bool(given and subprocess.run([sys.executable, "-m", *words, *given], cwd=root).returncode)
    print(f"{len(files)} changed files, {len(asked)} chapters, {len(tests)} files of tests")
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
