"""The tables of the truth bench: accountants, auditors and releases, from what they answered.

A claim is *false* if it is below the lower end of the proved interval by more than rounding; how much too
large it is, is its ratio to the upper end.  A cause of false claims is one fault, with its entries beside it.
"""

from collections.abc import Iterable
from math import isfinite
from statistics import median

from benchmarks.timing import readable
from benchmarks.truth.adapters import ACCOUNTANTS, HEAD
from benchmarks.truth.ask import PATIENCE
from benchmarks.truth.entries import PRIVML
from benchmarks.truth.faults import FAULTS, RELEASED, Flaw, causes, flaw
from benchmarks.truth.scores import Claim, scored, worst


def times(ratio: float) -> str:
    """A ratio to read, rounded up where that would show 1 for what is more."""
    if not isfinite(ratio):
        return "no end"
    if ratio < 1.005:
        return "1.00" if ratio < 1.00001 else "1.00+"
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:,.0f}"


def present(found: dict) -> dict:
    """The tools that could be asked."""
    return {tool: answer for tool, answer in found.items() if "missing" not in answer}


def overview(entries: list[dict], found: dict) -> str:
    """One row for each accountant."""
    heads = ("accountant", "version", "answered", "no way", "not asked")
    heads += (f"over {PATIENCE} s", "error", "faults", "in entries", "false claims")
    heads += ("rounding",)
    heads += ("too large: median", "largest", "time")
    rows = []
    for tool, answer in found.items():
        if "missing" in answer:
            rows.append([tool, answer["missing"], *[""] * (len(heads) - 2)])
            continue
        score = scored(entries, answer["answers"], tool)
        middle = times(median(score.ratios)) if score.ratios else ""
        most = times(max(score.ratios)) if score.ratios else ""
        seconds = (
            readable(median(score.seconds)).replace("us", "µs") if score.seconds else ""
        )
        counts = (
            score.answered,
            score.refused,
            score.unasked,
            score.late,
            score.failed,
        )
        shown_by = {claim.entry["name"] for claim in score.false}
        counts += (len(causes(tool, score.false)), len(shown_by), len(score.false))
        counts += (score.rounded,)
        rows.append([tool, answer["version"], *map(str, counts), middle, most, seconds])
    return markdown(heads, rows)


def how(found: dict) -> str:
    """How each accountant is asked."""
    tools = (tool for tool in found if not tool.endswith(HEAD))
    return "".join(f"- *{tool}*: {ACCOUNTANTS[tool].asked}.\n" for tool in tools)


def width(entry: dict) -> float:
    """The widest of the entry's intervals of epsilon, as a fraction of its upper end."""
    return max(
        ((high - low) / high for _, low, high in entry["epsilon_at"] if high),
        default=0.0,
    )


def by_kind(entries: list[dict], found: dict) -> str:
    """Median ratio of each accountant on each kind of entry, and how wide our own intervals are."""
    tools, rows = list(present(found)), []
    for kind in dict.fromkeys(entry["kind"] for entry in entries):
        some, cells = [entry for entry in entries if entry["kind"] == kind], []
        for tool in tools:
            score = scored(some, found[tool]["answers"], tool)
            text = times(median(score.ratios)) if score.ratios else ""
            false = len({claim.entry["name"] for claim in score.false})
            cells.append(f"{text}{', ' * bool(text)}{false} false" if false else text)
        widths = sorted(map(width, some))
        ends = [
            f"{100 * w:.2g} %" if w > 1e-6 else "0"
            for w in (median(widths), widths[-1])
        ]
        rows.append([kind, str(len(some)), *ends, *cells])
    heads = ("kind", "entries", "our interval: median width", "widest", *tools)
    return markdown(heads, rows)


def by_event(name: str, claims: list[Claim]) -> dict[str, list[Claim]]:
    """The claims that a fault explains, apart for each event if it concerns several."""
    events = next((one.events for one in FAULTS if one.name == name), {})
    found: dict[str, list[Claim]] = {}
    for claim in claims:
        event = events.get(claim.entry["steps"][0]["mechanism"], "")
        found.setdefault(f"{name}: {event}" if event else name, []).append(claim)
    return dict(sorted(found.items()))


def faults(entries: list[dict], found: dict) -> str:
    """One row for each cause of false claims and each event, with the worst claim that it explains."""
    rows, seen = [], []
    for tool, answer in present(found).items():
        score = scored(entries, answer["answers"], tool)
        for name, claims in causes(tool, score.false).items():
            seen.append(name)
            for title, some in by_event(name, claims).items():
                claim = worst(some)
                names = {one.entry["name"] for one in some}
                rows.append(
                    [tool, title, str(len(names)), str(len(some)), claim.entry["name"]]
                    + [f"{claim.quantity} at {claim.at:g}"]
                    + [f"{claim.claim:.6g}", f"{claim.lower:.6g}"]
                )
    heads = ("accountant", "fault", "entries", "claims", "its worst", "asked for")
    heads += ("claimed", "proved: at least")
    if not rows:
        return "No claim is false.\n"
    told = "".join(
        f"- *{fault.name}* ({fault.tool}). Promised: {fault.promise}. Found: {fault.cause}.\n"
        for fault in FAULTS
        if fault.name in seen
    )
    first = (
        f"The {len(rows)} rows show {len(set(seen))} faults. A fault in a release and at the development head has rows "
        "for both and is one fault, and so is a fault that concerns two events."
    )
    return f"{first}\n\n{markdown(heads, rows)}\n{told}"


def auditing(lines: list[dict]) -> str:
    """One row for each auditor: of all its bounds on null and true cases the false ones, and its power."""
    from benchmarks.truth.auditors import AUDITORS, CASES, SIGNIFICANCE, promised

    cases = {case.name: case for case in CASES}
    heads = ("auditor", "version", "what its documentation promises")
    heads += ("null cases: false bounds", "largest bound there")
    heads += ("other cases: false bounds", "of these, where the promise applies")
    heads += ("twins caught", "verdict")
    rows = []
    for auditor in dict.fromkeys(line["auditor"] for line in lines):
        mine = [line for line in lines if line["auditor"] == auditor]
        if "missing" in mine[0]:
            rows.append([auditor, mine[0]["missing"], *[""] * 7])
            continue
        done = [line for line in mine if "case" in line and line["runs"]]
        empty = [line for line in done if cases[line["case"]].null]
        full = [line for line in done if not cases[line["case"]].null]
        twins = [
            line
            for line in full
            if cases[line["case"]].claimed < cases[line["case"]].epsilon
        ]

        def share(some, key):
            return f"{sum(x[key] for x in some)} of {sum(x['runs'] for x in some)}"

        promise = AUDITORS[auditor].promise
        judged = [line for line in done if promised(promise, cases[line["case"]])]
        unsound = any(line["chance"] < 1e-3 for line in judged)
        verdict = (
            f"false more often than the {SIGNIFICANCE:.0%} that it allows"
            if unsound
            else "keeps its promise"
        ).replace("%", " %")
        covered = [line for line in judged if line in full]
        most = max((line["largest"] for line in empty), default=0.0)
        rows.append(
            [auditor, mine[0]["version"] or "here", promise]
            + [share(empty, "false"), f"{most:.2f}"]
            + [share(full, "false")]
            + [share(covered, "false") if covered else "applies to none"]
            + [share(twins, "caught")]
            + [verdict if judged else "no promise to judge"]
        )
    return markdown(heads, rows)


def number(value: float | str | None, digits: int = 3) -> str:
    """A number of a release to read."""
    return (
        ""
        if value is None
        else value
        if isinstance(value, str)
        else f"{value:.{digits}g}"
    )


def stated(line: dict) -> str:
    """What a release claims."""
    epsilon, delta = line["claim"]
    if line["rho"] is not None:
        return f"ρ = {line['rho']:.4g}"
    return f"ε = {epsilon:.4g}" + (f", δ = {delta:.3g}" if delta else "")


def verdict(line: dict) -> str:
    """What is said of a release."""
    if line["agrees"] is False:
        return "draws contradict the law"
    if line["false"]:
        return "false"
    if line["refuted"]:
        return "refuted"
    return "not refuted" if line["exact"] is None else "as claimed"


def libraries(lines: list[dict]) -> str:
    """One row for each library: what its releases were found to be."""
    versions = {line["library"]: line for line in lines if "name" not in line}
    done = [line for line in lines if "name" in line]
    rows = []
    for library, about in versions.items():
        if "missing" in about:
            rows.append([library, about["missing"], *[""] * 6])
            continue
        mine = [line for line in done if line["library"] == library]
        said = [verdict(line) for line in mine if "failed" not in line]
        wrong = [line for line in mine if wrongly(line)]
        counts = (len(mine), said.count("as claimed"), said.count("not refuted"))
        counts += (len({of_flaw(line).name for line in wrong}), len(wrong))
        counts += (said.count("draws contradict the law") + len(mine) - len(said),)
        rows.append(
            [library, about["version"] or "of this repository", *map(str, counts)]
        )
    heads = (
        "library",
        "version",
        "releases",
        "as claimed, by the law",
        "not refuted, by draws",
    )
    heads += ("faults", "false releases", "failed, or law and draws differ")
    return markdown(heads, rows)


def wrongly(line: dict) -> bool:
    """Whether a release that was meant to be right is false, by its law or by draws."""
    return not line.get("twin") and verdict_of(line) in ("false", "refuted")


def of_flaw(line: dict) -> Flaw:
    """Why a release is false."""
    return flaw(f"{line['library']} {line['name']}")


def wrong_releases(lines: list[dict]) -> str:
    """The releases whose claims are false, by the law or by draws, and their causes."""
    wrong = [line for line in lines if wrongly(line)]
    rows = [
        [line["library"], of_flaw(line).name, line["name"], stated(line)]
        + [number(line["delta"]), number(line["exact"]), number(line["drawn"])]
        + [f"{line['draws']:,}"]
        for line in wrong
    ]
    names = [of_flaw(line).name for line in wrong]
    told = "".join(
        f"- *{one.name}* ({names.count(one.name)} release{'s' * (names.count(one.name) > 1)}). "
        f"Promised: {one.promise}. Found: {one.cause}.\n"
        for one in RELEASED
        if one.name in names
    )
    heads = ("library", "fault", "release", "claimed", "exactly: δ at this ε")
    heads += ("ε at this δ", "draws: ε at least", "draws a side")
    first = f"The {len(rows)} rows show {len(set(names))} faults."
    return f"{first}\n\n{markdown(heads, rows)}\n{told}"


def verdict_of(line: dict) -> str:
    """The same for lines that are no release, or failed."""
    return "" if "name" not in line else "failed" if "failed" in line else verdict(line)


def all_releases(lines: list[dict]) -> str:
    """Every release that is not false."""
    rows = [
        [line["library"], line["name"], line["kind"], stated(line)]
        + [number(line["exact"], 4), number(line["drawn"]), verdict(line)]
        for line in lines
        if not line.get("twin") and verdict_of(line) in ("as claimed", "not refuted")
    ]
    heads = ("library", "release", "kind", "claimed", "exactly: ε", "draws: ε at least")
    return markdown((*heads, "verdict"), rows)


def twins(lines: list[dict]) -> str:
    """Broken on purpose: which were caught, and how."""
    rows = []
    for line in lines:
        if line.get("twin"):
            law = (
                "" if line["exact"] is None else "caught" if line["false"] else "missed"
            )
            drawn = "caught" if line["refuted"] else "missed"
            hidden = "cannot be seen" if line["hidden"] else ""
            rows.append([line["name"], line["kind"], stated(line), law, drawn, hidden])
    heads = ("twin", "kind", "claimed", "by its law", "by draws", "by design")
    return markdown(heads, rows)


def replays(lines: list[dict]) -> str:
    """What a record moves at noise calls, over what is declared, under either relation."""
    rows = []
    for library, name in dict.fromkeys(
        (line["library"], line["name"]) for line in lines
    ):
        cells, fine = [], False
        for relation in ("replace-one", "add-or-remove-one"):
            [line] = [
                one
                for one in lines
                if (one["library"], one["name"], one["relation"])
                == (library, name, relation)
            ]
            ratio = line["ratio"]
            fine |= not line["moved"] and not isinstance(ratio, str) and ratio <= 1.0001
            cells.append(
                number(ratio) + (f"; {line['moved']}" if line["moved"] else "")
            )
        rows.append([library, name, *cells, "" if fine else "neither"])
    heads = (
        "library",
        "function",
        "replace-one",
        "add-or-remove-one",
        "as declared under",
    )
    rows = [[*row[:-1], row[-1] or "one of them, at least"] for row in rows]
    return markdown(heads, rows)


def markdown(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table."""
    heads = list(heads)
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def summary(entries: list[dict], kept: dict) -> str:
    """What was asked, and the overview."""
    about = kept["about"]
    proved = sum(entry["derivation"] != PRIVML for entry in entries)
    first = (
        f"{len(entries)} entries, {proved} of them proved without any accountant. Asked on {about['date']}, "
        f"Python {about['python']}, {PATIENCE} s of processor time for an entry; truth bench {about['truth']}."
    )
    return f"{first}\n\n{overview(entries, kept['accountants'])}\n{how(kept['accountants'])}"


def page(entries: list[dict], kept: dict) -> str:
    """All tables."""
    found = kept["accountants"]
    parts = {
        "What accountants claim": summary(entries, kept),
        "Faults": faults(entries, found),
        "By kind of release": by_kind(entries, found),
        "What mechanisms release": libraries(kept["releases"]),
        "Releases whose claims are false": wrong_releases(kept["releases"]),
        "Twins": twins(kept["releases"]),
        "Replay": replays(kept["replays"]),
        "What auditors find": auditing(kept["auditors"]),
        "All other releases": all_releases(kept["releases"]),
    }
    return "\n".join(f"## {title}\n\n{text}" for title, text in parts.items())
