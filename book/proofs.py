"""The proofs that a machine checks: `make proofs`.

    python -m book.proofs              compile every file with coqc, and check the result again with coqchk
    python -m book.proofs --record     and write the axioms behind each theorem to proofs/assumptions.json

Everything is built in _build/proofs, so that nothing is written beside the sources. The exit status is 1 when a
proof fails or rests on other axioms than were recorded, and 0 when Coq is missing, which a sentence says
(1 with PRIVML_REQUIRE_COQ=1).
"""

import json
import os
import sys
import time
from pathlib import Path

from book.tools import command, coq
from book.tools.chapters import write_whole


def exercises(root: Path, folder: Path) -> None:
    """Compile the exercises, and the solutions where they are."""
    for place in (root / coq.FOLDER / "exercises", root / coq.SOLUTIONS):
        goal = folder / ("exercises" if place.name == "exercises" else "solutions")
        goal.mkdir(exist_ok=True)
        for file in sorted(place.glob("*.v")):
            (goal / file.name).write_bytes(file.read_bytes())
            coq.compile_file(folder, f"{goal.name}/{file.stem}")
            print(f"  {goal.name}/{file.stem}")


def checked(root: Path, jobs: int, *, record: bool, again: bool) -> list[str]:
    """Compile and check everything; what is wrong."""
    folder = root / "_build" / "proofs"
    names, start = coq.modules(root), time.monotonic()
    coq.laid_out(root, folder, names)
    for name in coq.compiled(folder, names, jobs):
        print(f"  {name}: {time.monotonic() - start:.0f} s")
    exercises(root, folder)
    theorems = [statement for statement in coq.statements(root) if statement.proved]
    found = coq.assumptions(folder, {each.name: [each] for each in theorems})
    if record:
        text = json.dumps(dict(sorted(found.items())), indent=1) + "\n"
        write_whole(root / coq.FOLDER / coq.RECORD, text)
    if again:
        print(coq.rechecked(folder, names).strip())
    print(
        f"{len(theorems)} theorems of {len(names)} files, {time.monotonic() - start:.0f} seconds"
    )
    known = coq.recorded(root)
    return [
        f"{name} rests on {', '.join(found.get(name, ['nothing that was found']))}, recorded were"
        f" {', '.join(known.get(name, ['nothing']))}"
        for name in sorted({*found, *known})
        if found.get(name) != known.get(name)
    ]


def main(arguments: list[str] | None = None) -> int:
    parser = command.parser("proofs", __doc__)
    parser.add_argument("--jobs", type=int, default=coq.cores())
    parser.add_argument(
        "--record", action="store_true", help="write the axioms behind each theorem"
    )
    parser.add_argument("--once", action="store_true", help="without coqchk")
    options = parser.parse_args(arguments)
    if coq.version() is None:
        print(f"privml: {coq.MISSING}", file=sys.stderr)
        return int(os.environ.get("PRIVML_REQUIRE_COQ") == "1")
    try:
        faults = checked(
            options.root, options.jobs, record=options.record, again=not options.once
        )
    except RuntimeError as failure:
        faults = [str(failure)]
    return 0 if command.report_faults(faults) else 1


if __name__ == "__main__":
    sys.exit(main())
