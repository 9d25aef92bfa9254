"""Ask all accountants and auditors, score them, and write the table: ``make truth``.

A claim is *false* if it is below the lower end of the proved interval by more than a millionth of it; a
smaller lack is called rounding.  How much too large it is, is its ratio to the upper end.  Each tool runs in
a process of its own, one thread; what is not installed, fails or refuses is said, and counts for nothing.
answers.json has every claim, so the table can be made again without asking (``--again``).
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from math import isfinite
from statistics import median

from benchmarks.timing import load, need_rest, readable
from benchmarks.truth.adapters import ACCOUNTANTS, HEAD
from benchmarks.truth.entries import ABOUT, HERE, PRIVML, read
from benchmarks.truth.scores import DIGITS, scored, worst

ROOT = HERE.parent.parent
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


def times(ratio: float) -> str:
    """A ratio to read, rounded up where that would show 1 for what is more."""
    if not isfinite(ratio):
        return "no end"
    if ratio < 1.001:
        return "1.00" if ratio < 1.00001 else "1.00+"
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:,.0f}"


def overview(entries: list[dict], found: dict) -> str:
    """One row for each accountant."""
    heads = (
        "accountant",
        "version",
        "asked",
        "answered",
        "refused",
        "failed",
        "false claims",
        "rounding",
    )
    heads += "too large: median", "largest", "time"
    rows = []
    for tool, answer in found.items():
        if "missing" in answer:
            rows.append([tool, answer["missing"], *[""] * (len(heads) - 2)])
            continue
        score = scored(entries, answer["answers"], tool)
        middle = times(median(score.ratios)) if score.ratios else ""
        most = times(max(score.ratios)) if score.ratios else ""
        time = (
            readable(median(score.seconds)).replace("us", "µs") if score.seconds else ""
        )
        counts = (
            score.asked,
            score.answered,
            score.refused,
            score.failed,
            len(score.false),
            score.rounded,
        )
        rows.append([tool, answer["version"], *map(str, counts), middle, most, time])
    return markdown(heads, rows)


def by_kind(entries: list[dict], found: dict) -> str:
    """Median ratio of each accountant on each kind of entry, and how many of its claims are false."""
    tools = [tool for tool, answer in found.items() if "missing" not in answer]
    kinds = list(dict.fromkeys(entry["kind"] for entry in entries))
    rows = []
    for kind in kinds:
        some, cells = [entry for entry in entries if entry["kind"] == kind], []
        for tool in tools:
            score = scored(some, found[tool]["answers"], tool)
            text = times(median(score.ratios)) if score.ratios else ""
            cells.append(
                f"{text}{', ' * bool(text)}{len(score.false)} false"
                if score.false
                else text
            )
        rows.append([kind, str(len(some)), *cells])
    return markdown(("kind", "entries", *tools), rows)


def witnesses(entries: list[dict], found: dict) -> str:
    """False claims: of each tool and kind the worst."""
    rows = []
    for tool, answer in found.items():
        if "missing" in answer:
            continue
        for claim in worst(scored(entries, answer["answers"], tool).false):
            rows.append(
                [tool, claim.entry["name"], f"{claim.quantity} at {claim.at:g}"]
                + [f"{claim.claim:.6g}", f"{claim.lower:.6g}"]
            )
    heads = "accountant", "entry", "asked for", "claimed", "proved: at least"
    return markdown(heads, rows) if rows else "No claim is false.\n"


def auditing(lines: list[dict]) -> str:
    """One row for each auditor: of all its bounds on null and true cases the false ones, and its power."""
    from benchmarks.truth.auditors import CASES, SIGNIFICANCE

    cases = {case.name: case for case in CASES}
    heads = (
        "auditor",
        "version",
        "false on null",
        "largest there",
        "false elsewhere",
        "twins caught",
    )
    heads += ("verdict",)
    rows = []
    for auditor in dict.fromkeys(line["auditor"] for line in lines):
        mine = [line for line in lines if line["auditor"] == auditor]
        if "missing" in mine[0]:
            rows.append([auditor, mine[0]["missing"], *[""] * 5])
            continue
        done = [line for line in mine if "case" in line]
        empty = [line for line in done if cases[line["case"]].null and line["runs"]]
        full = [line for line in done if not cases[line["case"]].null and line["runs"]]
        twins = [
            line
            for line in full
            if cases[line["case"]].claimed < cases[line["case"]].epsilon
        ]

        def share(some, key):
            return f"{sum(x[key] for x in some)} of {sum(x['runs'] for x in some)}"

        unsound = [line for line in (*empty, *full) if line["chance"] < 1e-3]
        verdict = (
            f"false more often than {SIGNIFICANCE:.0%}" if unsound else "as it says"
        )
        most = max((line["largest"] for line in empty), default=0.0)
        rows.append(
            [
                auditor,
                mine[0]["version"] or "here",
                share(empty, "false"),
                f"{most:.2f}",
            ]
            + [share(full, "false"), share(twins, "caught"), verdict]
        )
    return markdown(heads, rows)


def markdown(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table."""
    heads = list(heads)
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def summary(entries: list[dict], kept: dict) -> str:
    """The overview, which comes first."""
    about = kept["about"]
    proved = sum(entry["derivation"] != PRIVML for entry in entries)
    first = (
        f"{len(entries)} entries, {proved} of them proved without any accountant. Asked on {about['date']}, "
        f"Python {about['python']}; truth bench {about['truth']}."
    )
    return "\n".join(
        [first, "", overview(entries, kept["accountants"]), auditing(kept["auditors"])]
    )


def page(entries: list[dict], kept: dict) -> str:
    """All tables."""
    found = kept["accountants"]
    parts = [
        summary(entries, kept),
        "## By kind of release",
        "",
        by_kind(entries, found),
    ]
    return "\n".join(
        [
            *parts,
            "## False claims, the worst of each kind",
            "",
            witnesses(entries, found),
        ]
    )


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
    lines = ",\n".join(json.dumps(line) for line in kept["auditors"])
    tools, about = ",\n".join(parts), json.dumps(kept["about"])
    return f'{{"about": {about},\n"accountants": {{{tools}}},\n"auditors": [\n{lines}\n]}}\n'


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
        "--keep", action="store_true", help="ask only what is not answered yet"
    )
    parser.add_argument(
        "--again", action="store_true", help="ask nobody, make the table again"
    )
    chosen = parser.parse_args()
    entries, kept = (
        read(),
        answers() if ANSWERS.exists() else {"accountants": {}, "auditors": []},
    )
    if not chosen.again:
        need_rest(load())
        names = chosen.tool or [*ACCOUNTANTS, *(AT_HEAD if chosen.head else [])]
        for tool in names:
            keep = chosen.keep and ANSWERS.exists()
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
        if chosen.auditors:
            kept["auditors"] = printed(chosen.auditors, "auditors")
        need_rest(load())
        kept["about"] = facts()
        ANSWERS.write_text(kept_text(kept), encoding="utf-8")
    TABLE.write_text(page(entries, kept), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
