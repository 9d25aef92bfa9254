"""Names of the package: each has one meaning, each number its reason, and each mechanism its row."""

import ast
import inspect
import re
from collections import defaultdict
from pathlib import Path

from privml import mechanisms

ROOT = Path(__file__).resolve().parent.parent
SHARED = {
    "ApproximateMechanism",
    "Mechanism",
    "Selection",
}  # bases, which no page lists


def assigned(node):
    """Names that a statement of a module gives to a value."""
    targets = (
        node.targets
        if isinstance(node, ast.Assign)
        else [getattr(node, "target", node)]
    )
    return [
        part.id
        for target in targets
        for part in ast.walk(target)
        if isinstance(part, ast.Name)
    ]


def homes(root):
    """The files that define each public function, class and constant."""
    found = defaultdict(list)
    for file in sorted((root / "privml").rglob("*.py")):
        for node in ast.parse(file.read_text()).body:
            names = (
                [node.name] if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
            )
            if isinstance(node, ast.Assign | ast.AnnAssign):
                names = [name for name in assigned(node) if name.isupper()]
            for name in names:
                if not name.startswith("_"):
                    found[name].append(file.relative_to(root).as_posix())
    return found


def bare_numbers(text):
    """Constants that are numbers and say neither behind them nor below what they are for."""
    lines, body = text.splitlines(), ast.parse(text).body
    for node, below in zip(body, [*body[1:], ast.Pass()], strict=True):
        if not isinstance(node, ast.Assign) or not all(
            name.isupper() for name in assigned(node)
        ):
            continue
        parts = [
            part
            for part in ast.walk(node.value)
            if not isinstance(part, ast.Tuple | ast.Load)
        ]
        if any(
            not isinstance(part, ast.Constant | ast.BinOp | ast.operator)
            for part in parts
        ):
            continue
        is_number = all(
            isinstance(p.value, int | float)
            for p in parts
            if isinstance(p, ast.Constant)
        )
        explained = isinstance(below, ast.Expr) and isinstance(
            below.value, ast.Constant
        )
        own = lines[node.lineno - 1 : node.end_lineno]
        commented = any("  # " in line for line in own) or lines[
            node.lineno - 2
        ].startswith("#")
        if is_number and not explained and not commented:
            yield from assigned(node)


def test_a_public_name_has_one_meaning():
    twice = {
        name: " and ".join(files)
        for name, files in homes(ROOT).items()
        if len(files) > 1
    }
    told = [
        f"{name} is in {files}: rename one, or make both one"
        for name, files in twice.items()
    ]
    assert "\n".join(told) == ""


def test_two_meanings_are_seen(tmp_path):
    (tmp_path / "privml").mkdir()
    for name in ("one", "two"):
        (tmp_path / "privml" / f"{name}.py").write_text(
            "BLOCK = 2\n\n\ndef law(x):\n    return x\n"
        )
    assert {name for name, files in homes(tmp_path).items() if len(files) > 1} == {
        "BLOCK",
        "law",
    }


def test_every_number_of_the_package_has_its_reason():
    files = sorted((ROOT / "privml").rglob("*.py"))
    assert [
        f"{file.name}: {name}"
        for file in files
        for name in bare_numbers(file.read_text())
    ] == []


def test_a_number_without_a_reason_is_seen():
    text = 'A = 2**20\nB = 3  # rows\nC = 1 << 4\n"""Entries."""\nD = "text"\nE, F = 5, 6.0\n'
    assert list(bare_numbers(text)) == ["A", "E", "F"]


def test_every_mechanism_stands_in_the_table_of_what_floats_do_to_it():
    page = (ROOT / "book" / "proof-meets-float.md").read_text()
    rows = set(
        re.findall(
            r"`(\w+)`",
            "\n".join(row for row in page.splitlines() if row.startswith("| `")),
        )
    )
    public = {
        name
        for name in mechanisms.__all__
        if inspect.isclass(getattr(mechanisms, name))
    }
    made = {
        name
        for name in public
        if issubclass(getattr(mechanisms, name), mechanisms.Mechanism)
    }
    lacking = [
        f"book/proof-meets-float.md needs a row for {name}"
        for name in made - SHARED - rows
    ]
    assert "\n".join(sorted(lacking)) == ""
