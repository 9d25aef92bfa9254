"""A public name of the package has a reason: a core item, a mechanism, a learner, or more than one user."""

import ast
import re
from collections import Counter, defaultdict
from pathlib import Path

from book.tools import inventory
from book.tools.chapter_code import source
from book.tools.chapters import Chapter, topics
from book.tools.execute import unexecuted

ROOT = Path(__file__).resolve().parent.parent
CHAPTERS = "- file: notebooks/one\n- file: notebooks/two\n"
ACTS = {
    "release",
    "run",
    "fit",
    "predict",
    "aggregate",
    "draw",
}  # what mechanisms and learners do
RECIPES = ("how-to", "first-hour")  # what a researcher asks for first
FAMILIES = re.compile(
    r"(?:HypothesisClass|Domain|Body|\w*Mechanism|_?Selection)(?:\[|$)"
)
SHIPPED = ("results", "benchmarks", "book/tools", "book/extensions")  # use names too


def names_in(tree, *, imports=True):
    """How often each identifier is read in a syntax tree: not in its strings."""
    found = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found[node.id] += 1
        elif isinstance(node, ast.Attribute):
            found[node.attr] += 1
        elif isinstance(node, ast.alias) and imports:
            found[node.name.rpartition(".")[2]] += 1
    return found


def of_chapter(root, topic):
    """Identifiers in the code of one chapter."""
    cells = unexecuted(Chapter(root, topic)).cells
    return names_in(
        ast.parse("\n".join(source(cell) for cell in cells if cell.cell_type == "code"))
    )


def users(root):
    """For each identifier the chapters, the files of the package and the studies that read it."""
    found = defaultdict(set)
    readers = {f"chapter {topic}": of_chapter(root, topic) for topic in topics(root)}
    for file in sorted((root / "tests" / "chapters").glob("*_functions.py")):
        tree = inventory.parsed(file.read_text())  # what chapters once defined
        readers[file.relative_to(root).as_posix()] = names_in(tree)
    for folder in ("privml", *SHIPPED):
        for file in sorted((root / folder).rglob("*.py")):
            tree = inventory.parsed(
                file.read_text()
            )  # what a room's door only passes on is no use
            readers[file.relative_to(root).as_posix()] = names_in(
                tree, imports=file.name != "__init__.py"
            )
    for reader, names in readers.items():
        for name in names:
            found[name].add(reader)
    return found


def acts(node):
    """Whether a class does what a mechanism or a learner does, or is one of a family that learners take."""
    if not isinstance(node, ast.ClassDef):
        return False
    defined = {child.name for child in node.body if isinstance(child, ast.FunctionDef)}
    return bool(defined & ACTS) or any(
        FAMILIES.match(ast.unparse(base)) for base in node.bases
    )


def without_reason(root):
    """Public functions and classes of the package that no rule keeps, with their users."""
    core = {item["id"] for item in inventory.items(root) if item["tier"] == "core"}
    read = users(root)
    for file in sorted((root / "privml").rglob("*.py")):
        tree, place = (
            inventory.parsed(file.read_text()),
            file.relative_to(root).as_posix(),
        )
        within = names_in(tree)
        for node in tree.body:
            if not isinstance(
                node, ast.FunctionDef | ast.ClassDef
            ) or node.name.startswith("_"):
                continue
            others = read[node.name] - {place}
            in_package = (
                any(not user.startswith("chapter ") for user in others)
                or within[node.name]
            )
            items = set(inventory.ID.findall(ast.get_docstring(node) or ""))
            asked = any(f"chapter {page}" in others for page in RECIPES)
            if not (
                items & core or acts(node) or in_package or asked or len(others) > 1
            ):
                yield f"{place}: {node.name}, used by {sorted(others) or 'nobody'}"


def test_every_public_name_has_a_reason():
    assert list(without_reason(ROOT)) == []


def planted(folder, code):
    """A small tree with one public name and one chapter that may use it."""
    head = re.match(
        r"---\n.*?\n---\n", (ROOT / "book" / "high-confidence.md").read_text(), re.S
    )[0]
    files = {
        "_toc.yml": f"format: jb-book\nroot: book/start\nchapters:\n{CHAPTERS}",
        "book/inventory.yml": "- {id: L4-thm-one, source: L4, tier: core, title: One}\n",
        "book/one.md": f"{head}\n# One\n\n```{{code-cell}}\nthing(1)\n```\n",
        "book/two.md": f"{head}\n# Two\n\n```{{code-cell}}\n2\n```\n",
        "privml/room.py": code,
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_a_name_of_one_chapter_is_seen_and_a_second_user_is_a_reason(tmp_path):
    root = planted(tmp_path, "def thing(x):\n    return x\n")
    assert list(without_reason(root)) == [
        "privml/room.py: thing, used by ['chapter one']"
    ]
    (root / "book" / "two.md").write_text((root / "book" / "one.md").read_text())
    assert list(without_reason(root)) == []


def test_a_core_item_and_a_mechanism_are_reasons(tmp_path):
    item = 'def thing(x):\n    """One.\n\n    **Source.** L4-thm-one.\n    """\n'
    assert (
        list(
            without_reason(
                planted(tmp_path, f"{item}\nclass M:\n    def release(self): ...\n")
            )
        )
        == []
    )
