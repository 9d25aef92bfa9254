"""What changed files touch, in about a minute of processor time: ``make quick``.

    python -m book.quick [--since COMMIT]

Changed are the files that differ from a commit (default: the last one) and those that git does not know yet.
They are linted; changed chapters are checked; then the tests run that are theirs by name: a chapter's, a
build module's, those of a file of the package (else its room's), with guards, claims and types.
"""

import re
import subprocess
import sys
from pathlib import Path

from book import check
from book.tools import command
from book.tools.chapters import topics


def changed(root: Path, since: str) -> list[Path]:
    """Files that differ from a commit or are new, and are still there."""
    asked = (
        ["diff", "--name-only", since],
        ["ls-files", "--others", "--exclude-standard"],
    )
    texts = [
        subprocess.check_output(["git", *words], cwd=root, text=True) for words in asked
    ]
    return [
        Path(name)
        for name in sorted({*"".join(texts).splitlines()})
        if (root / name).exists()
    ]


def patterns(root: Path, file: Path, known: list[str]) -> list[str]:
    """Where the tests of a file stand, as patterns below the root; `known` are the chapters."""
    first, stem = file.parts[0], file.stem.replace("-", "_")
    if file.parts[:2] == ("tests", "claims"):
        return ["tests/claims/test_*.py"]
    if first == "tests":
        return [file.as_posix()] if file.name.startswith("test_") else []
    if first == "privml" and file.suffix in (".py", ".pyi"):
        room = Path(*file.parts[1:2]).stem
        own = stem if any(root.glob(f"tests/{room}/**/test_{stem}*.py")) else ""
        shared = (
            "composed",
            "layers",
            "names",
            "parameters",
            "public_names",
        )
        names = [
            f"{room}/**/test_{own}*",
            "guarantee/test_*",
            *(f"test_{name}" for name in (room, *shared)),
        ]
        return [str(file.with_suffix(".py")), *(f"tests/{name}.py" for name in names)]
    if "proofs" in (first, stem) or file.suffix == ".v":
        return ["tests/test_proofs.py"]
    if first == "book" and file.suffix == ".md" and file.stem in known:
        return [f"tests/chapters/test_{stem}*.py"]
    own = [f"tests/book/**/test_{stem}*.py", "tests/book/test_map.py"]
    return own if first == "book" and file.suffix == ".py" else []


def commands(
    root: Path, files: list[Path], known: list[str], jobs: str
) -> list[list[str]]:
    """Modules to run on changed files, with their words; claims are those of the names in a changed file.

    Examples stand last: of a file that no test has imported yet, pytest makes a copy.
    """
    python = [str(file) for file in files if file.suffix == ".py"]
    ours = [
        (root / file).read_text(encoding="utf-8")
        for file in files
        if file.parts[0] == "privml"
    ]
    text = "\n".join(text for text in ours if "uarantee" in text)
    names = re.findall(r"(?m)^(?:class|def) ([^\W_]\w*)", text)
    claims = [
        "tests/claims/test_claims.py",
        "-k",
        " or ".join(["every_public_name", *names]),
    ]
    wanted = [one for file in files for one in patterns(root, file, known)]
    found = sorted({str(path) for one in wanted for path in root.glob(one)})
    once = [name for name in found if not (names and name == str(root / claims[0]))]
    tests = sorted(once, key=lambda name: name.startswith(str(root / "privml")))
    steps = (
        [["ruff", "check", *python], ["ruff", "format", "--check", *python]]
        if python
        else []
    )
    steps += (
        [["pytest", "-q", "-n", jobs, "--doctest-modules", *tests]] if tests else []
    )
    steps += [["pytest", "-q", *claims]] if names else []
    return steps + ([["book.typed"]] if ours else [])


def main(arguments: list[str] | None = None) -> int:
    """Run what changed files touch; the exit status."""
    parser = command.parser("quick", __doc__)
    parser.add_argument(
        "--since",
        default="HEAD",
        metavar="COMMIT",
        help="compare with this (default: HEAD)",
    )
    parser.add_argument("--jobs", default="2", help="tests at a time")
    options = parser.parse_args(arguments)
    root, known = options.root, topics(options.root)
    files = changed(root, options.since)
    asked = [
        file.stem
        for file in files
        if file.parent == Path("book") and file.stem in known
    ]
    sound = command.report_faults(check.source_faults(root, asked) if asked else [])
    todo = [
        [sys.executable, "-m", *words]
        for words in commands(root, files, known, options.jobs)
    ]
    failed = [words for words in todo if subprocess.run(words, cwd=root).returncode]
    print(
        f"{len(files)} changed files, {len(asked)} chapters, {len(todo)} commands, {len(failed)} failed"
    )
    return 0 if sound and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
