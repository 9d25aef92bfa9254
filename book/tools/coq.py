"""The proofs that Coq checks: which files there are, which statements they hold, and how Coq is run on them.

A statement that the book speaks of follows a comment ``(** book: LABEL ... *)``, where two dashes introduce
what is different from the book; one that the book does not state follows ``(** checked -- WORDS *)``.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

FOLDER = "proofs"
LIBRARY = "Privml"
TABLE = "Table"  # the file with the whole table of sample sizes, which needs all certificates
RECORD = "assumptions.json"
SOLUTIONS = Path("book/teacher/proofs")
MISSING = (
    "coqc is not on the path: install Coq 8.16 or newer (on Debian: apt install coq)"
)
PROVED = ("Theorem", "Lemma", "Corollary")
_STATED = (*PROVED, "Definition", "Fixpoint", "Inductive")
_STATEMENT = re.compile(
    r"\(\*\* (?:book: (?P<labels>[\w.-]+(?: [\w.-]+)*?)|checked)(?: -- (?P<note>(?:(?!\*\)).)*?))? \*\)\n"
    rf"(?P<text>(?P<kind>{'|'.join(_STATED)})\s+(?P<name>\w+)\b.*?\.)(?=\n)",
    re.DOTALL,
)
_REQUIRED = re.compile(
    r"^From Privml(?:\.(\w+))? Require (?:Import )?([\w ]+)\.", re.MULTILINE
)


class Statement(NamedTuple):
    """A definition or a theorem, as it stands in its file."""

    module: str
    name: str
    kind: str
    labels: tuple[str, ...]
    note: str
    text: str
    line: int

    @property
    def proved(self) -> bool:
        """Whether it has a proof; a definition has none."""
        return self.kind in PROVED

    @property
    def path(self) -> str:
        """The file that holds it, from the root."""
        return f"{FOLDER}/{self.module}.v"


def modules(root: Path) -> list[str]:
    """Names of all files without those of the exercises, each after those that it needs."""
    folder = root / FOLDER
    files = [*folder.glob("*.v"), *folder.glob("certificates/*.v")]
    names = {f.relative_to(folder).with_suffix("").as_posix(): f for f in sorted(files)}
    needs = {
        name: required(file.read_text(encoding="utf-8")) for name, file in names.items()
    }
    ordered: list[str] = []
    while len(ordered) < len(names):
        free = [n for n in names if n not in ordered and needs[n] <= {*ordered}]
        if not free:
            raise ValueError(
                f"files of {FOLDER} must not need each other in a circle, got {needs}"
            )
        ordered += free
    return ordered


def required(text: str) -> set[str]:
    """Files of ours that a file needs."""
    return {
        f"{folder}/{name}" if folder else name
        for folder, names in _REQUIRED.findall(text)
        for name in names.split()
    }


def statements_of(module: str, text: str) -> list[Statement]:
    """The marked statements of one file."""
    found = []
    for match in _STATEMENT.finditer(text):
        labels = tuple((match["labels"] or "").split())
        note = " ".join((match["note"] or "").split())
        line = text.count("\n", 0, match.start("text")) + 1
        found.append(
            Statement(
                module, match["name"], match["kind"], labels, note, match["text"], line
            )
        )
    return found


def statements(root: Path) -> list[Statement]:
    """The marked statements of all files, in the order in which Coq reads them."""
    return [
        statement
        for module in modules(root)
        for statement in statements_of(
            module, (root / FOLDER / f"{module}.v").read_text(encoding="utf-8")
        )
    ]


def anchors(text: str) -> dict[int, str]:
    """Names of what a file defines and proves, by the line on which each begins."""
    return {
        text.count("\n", 0, match.start()) + 1: match[1]
        for match in re.finditer(
            rf"^(?:{'|'.join(_STATED)})\s+(\w+)", text, re.MULTILINE
        )
    }


def recorded(root: Path) -> dict[str, list[str]]:
    """The axioms behind each theorem, as committed."""
    return json.loads((root / FOLDER / RECORD).read_text(encoding="utf-8"))


def version() -> str | None:
    """The version of Coq; None if it is not on the path."""
    if shutil.which("coqc") is None:
        return None
    said = subprocess.run(
        ["coqc", "--print-version"], capture_output=True, text=True, check=True
    )
    return said.stdout.split()[0]


def ran(folder: Path, *command: str) -> str:
    """What a command prints, all of it; RuntimeError with what it prints if it fails."""
    done = subprocess.run(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout}".strip())
    return done.stdout


def compile_file(folder: Path, module: str) -> str:
    """Compile one file; what Coq prints."""
    return ran(folder, "coqc", "-q", "-w", "none", "-Q", ".", LIBRARY, f"{module}.v")


def laid_out(root: Path, folder: Path, names: list[str]) -> None:
    """Copy sources to a folder of their own, so that nothing is written beside them."""
    for name in names:
        goal = folder / f"{name}.v"
        goal.parent.mkdir(parents=True, exist_ok=True)
        text = (root / FOLDER / f"{name}.v").read_bytes()
        if not goal.exists() or goal.read_bytes() != text:
            goal.write_bytes(text)


def compiled(folder: Path, names: list[str], jobs: int) -> Iterator[str]:
    """Compile laid out files, as many at a time as there are jobs; yields each name when it is done."""
    needs = {
        name: required((folder / f"{name}.v").read_text(encoding="utf-8")) & {*names}
        for name in names
    }
    done: set[str] = set()
    running = {}
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        while len(done) < len(names):
            for name in names:
                if (
                    name not in done
                    and name not in running.values()
                    and needs[name] <= done
                ):
                    running[pool.submit(compile_file, folder, name)] = name
            first = next(as_completed(running))
            name = running.pop(first)
            first.result()
            done.add(name)
            yield name


def assumptions(
    folder: Path, groups: dict[str, list[Statement]]
) -> dict[str, list[str]]:
    """What Print Assumptions says of theorems whose files are compiled: the axioms of each group together."""
    needed = {statement.module for group in groups.values() for statement in group}
    lines = [
        "From Coq Require Import String.",
        f"From {LIBRARY} Require {' '.join(sorted(n.replace('/', '.') for n in needed))}.",
    ]
    for number, group in enumerate(groups.values()):
        names = [f"@{LIBRARY}.{s.module.replace('/', '.')}.{s.name}" for s in group]
        lines += [
            f"Definition group_{number} := ({', '.join(names)}).",
            f'Eval compute in "{number}"%string.',
            f"Print Assumptions group_{number}.",
        ]
    (folder / "Assumptions.v").write_text("\n".join(lines) + "\n", encoding="utf-8")
    said = compile_file(folder, "Assumptions")
    parts = re.split(r'^ += "\d+"%string\n +: string\n', said, flags=re.MULTILINE)[1:]
    return {
        name: sorted(
            {*re.findall(r"^(?:\w+\.)*(\w+)\s*:", text, re.MULTILINE)} - {"Axioms"}
        )
        for name, text in zip(groups, parts, strict=True)
    }


def rechecked(folder: Path, names: list[str]) -> str:
    """What coqchk, a small program of its own, says of compiled files."""
    dotted = [f"{LIBRARY}.{name.replace('/', '.')}" for name in names]
    return ran(folder, "coqchk", "-silent", "-o", "-Q", ".", LIBRARY, *dotted)


def cores() -> int:
    """How many files may be compiled at a time when nobody says."""
    return max(1, min(4, os.cpu_count() or 1))
