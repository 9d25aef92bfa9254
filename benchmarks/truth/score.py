"""Ask all accountants and auditors, run all releases, score them, and write the tables: ``make truth``.

Each tool runs in a process of its own, one thread; what is not installed, fails or refuses is said, and counts
for nothing.  answers.json has every claim, so the tables can be made again without asking (``--again``).
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from math import isfinite

from benchmarks.truth.adapters import ACCOUNTANTS, HEAD
from benchmarks.truth.entries import ABOUT, HERE, read
from benchmarks.truth.scores import DIGITS
from benchmarks.truth.tables import page

ROOT = HERE.parent.parent
MODULES = {"auditors": "auditors", "releases": "releases", "replays": "replay"}
LISTS = tuple(MODULES)  # what runs in the second environment
ANSWERS, TABLE = HERE / "answers.json", HERE / "table.md"
AT_HEAD = [name + HEAD for name in ACCOUNTANTS if name.startswith("dp_accounting")]


def printed(python: str, module: str, *words: str, path: str = "") -> list[dict]:
    """What a module of this folder prints as JSON lines, in a process of its own, one thread."""
    threads = dict.fromkeys(
        ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"
    )
    paths = os.pathsep.join(filter(None, (path, str(ROOT))))
    environment = os.environ | threads | {"PYTHONPATH": paths, "JAX_PLATFORMS": "cpu"}
    command = [python, "-m", f"benchmarks.truth.{module}", *words]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    return [
        json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")
    ]


def asked(tool: str, python: str, path: str = "", *, keep: bool = False) -> dict:
    """The answers of one tool, as it is in the folder of a path; with `keep` to what is not answered yet."""
    lines = printed(
        python, "ask", tool, *(["--known", str(ANSWERS)] if keep else []), path=path
    )
    if not lines:
        return {"missing": "cannot be started"}
    version = {"version": commit(path)} if path and "missing" not in lines[0] else {}
    return (
        lines[0] | version | {"answers": {line.pop("name"): line for line in lines[1:]}}
    )


def commit(folder: str) -> str:
    """The commit of a checkout, and its month."""
    command = [
        "git",
        "-C",
        folder,
        "log",
        "-1",
        "--abbrev=7",
        "--format=%h of %cd",
        "--date=format:%B %Y",
    ]
    return subprocess.run(
        command, capture_output=True, text=True, check=True
    ).stdout.strip()


def facts() -> dict:
    """When and where."""
    return {
        "command": "make truth",
        "truth": ABOUT["version"],
        "date": datetime.now(UTC).date().isoformat(),
        "python": platform.python_version(),
        "cores": os.cpu_count(),
    }


def answers() -> dict:
    """What is committed."""
    return json.loads(ANSWERS.read_text(encoding="utf-8"))


def kept_text(kept: dict) -> str:
    """The file of answers: one entry a line."""
    parts = []
    for tool, answer in kept["accountants"].items():
        head = json.dumps(
            {k: v for k, v in answer.items() if k != "answers"}, ensure_ascii=False
        )
        lines = (
            f"{json.dumps(k)}: {json.dumps(v)}"
            for k, v in answer.get("answers", {}).items()
        )
        body = ",\n".join(lines)
        parts.append(
            f'{json.dumps(tool, ensure_ascii=False)}: {head[:-1]}, "answers": {{\n{body}\n}}}}'
        )
    lists = []
    for part in LISTS:
        lines = ",\n".join(json.dumps(line, ensure_ascii=False) for line in kept[part])
        lists.append(f'"{part}": [\n{lines}\n]')
    rest = ",\n".join(lists)
    tools, about = ",\n".join(parts), json.dumps(kept["about"])
    return f'{{"about": {about},\n"accountants": {{{tools}}},\n{rest}}}\n'


def rounded(answer: dict) -> dict:
    """Claims to the digits that are kept."""

    def cut(value: float | None) -> float | None:
        return (
            value
            if value is None or not isfinite(value)
            else float(f"{value:.{DIGITS}g}")
        )

    said = {
        k: [cut(x) for x in v]
        for k, v in answer.items()
        if k in ("epsilon", "delta") and v
    }
    return answer | said


def main() -> int:
    """Ask, score, write."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.truth.score", description=__doc__.splitlines()[0]
    )
    parser.add_argument(
        "--python",
        default=sys.executable,
        help="the interpreter that has the accountants",
    )
    parser.add_argument(
        "--auditors", default="", help="the interpreter that has the auditors"
    )
    parser.add_argument(
        "--head", default="", help="a checkout of dp_accounting at its development head"
    )
    parser.add_argument("--tool", action="append", help="ask only these")
    parser.add_argument(
        "--part", default="", choices=("", "accountants", *LISTS), help="only this part"
    )
    parser.add_argument(
        "--keep", action="store_true", help="ask only what is not answered yet"
    )
    parser.add_argument(
        "--again", action="store_true", help="ask nobody, make the table again"
    )
    chosen = parser.parse_args()
    entries, kept = (
        read(),
        answers()
        if ANSWERS.exists()
        else {"about": {"truth": ""}, "accountants": {}} | dict.fromkeys(LISTS, []),
    )
    if not chosen.again:
        names = chosen.tool or [*ACCOUNTANTS, *(AT_HEAD if chosen.head else [])]
        names = [] if chosen.part in LISTS else names
        for tool in names:
            keep = chosen.keep and kept["about"]["truth"] == ABOUT["version"]
            found = asked(
                tool, chosen.python, chosen.head if tool in AT_HEAD else "", keep=keep
            )
            if "answers" in found:
                old = (
                    kept["accountants"].get(tool, {}).get("answers", {}) if keep else {}
                )
                found["answers"] = old | {
                    k: rounded(v) for k, v in found["answers"].items()
                }
            kept["accountants"][tool] = found
            print(tool, found.get("version", found.get("missing")), flush=True)
        for part in LISTS if chosen.auditors and not chosen.tool else ():
            if chosen.part in ("", part):
                kept[part] = printed(chosen.auditors, MODULES[part])
                print(part, len(kept[part]), flush=True)
        kept["about"] = facts()
        ANSWERS.write_text(kept_text(kept), encoding="utf-8")
    TABLE.write_text(page(entries, kept), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
