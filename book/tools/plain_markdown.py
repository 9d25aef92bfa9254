"""From MyST to the Markdown that every notebook program shows: no directives, no roles, no targets.

Boxes, proofs, notes and exercises become paragraphs under a bold heading, with their number where the book
has one; references become the words that the page shows, computed numbers are put in, citations become author
and year. `rendered` refuses what it does not know, so that nothing raw can slip into a notebook.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from book.tools.myst import TARGET, Block, Code, Directive, blocks

_TOKEN = re.compile(
    r"(?s)(?P<role>\{(?P<name>[a-zA-Z][\w:.+-]*)\}(?P<ticks>`+)(?P<text>.+?)(?P=ticks))"
    r"|(?P<verbatim>(?P<fence>`+)(?!`).+?(?<!`)(?P=fence)(?!`)|\$\$.+?\$\$|\$[^$]+\$)"
    r"|(?P<span>\[(?P<inner>(?:[^\[\]]|\[[^\[\]]*\])*)\]\{[.#][^{}]*\})"
)
_EXPLICIT = re.compile(r"^(?P<title>.*\S)\s*<(?P<target>[^<>]+)>$", re.DOTALL)
_COMMENT = re.compile(r"^(?:%.*|\+\+\+.*|\{[#.][^{}]*\}\s*)$")
_EQUATION_LABEL = re.compile(r"(\$\$)\s*\([^\s()]+\)\s*$", re.MULTILINE)
_DROPPED = {
    "bibliography",
    "contents",
    "eval-rst",
    "index",
    "raw",
    "tableofcontents",
    "toctree",
}
_PROGRAM = {"code", "code-block", "sourcecode"}
_OWN_LINE = re.compile(r"\s*(?:[-*+]\s|\d+[.)]\s|\$\$|```|#|\||\\begin)")
_REFERENCES, _COUNTED = {"prf:ref", "ref", "numref", "eq"}, re.compile(r"%s|\{number\}")
_NAMED = re.compile(
    r"(?:py:)?(?:attr|class|data|func|meth|mod|obj|file|command|program)"
)
_RAW = re.compile(
    r"^\s*(?:`{3,}|:{3,})\s*\{|\{[a-z:-]+\}`|\]\{[.#]|^\([^\s()]+\)=\s*$", re.MULTILINE
)


@dataclass(frozen=True)
class References:
    """What references of a chapter say: all but `values` and `works` are functions of a label or page."""

    values: dict[str, str] = field(default_factory=dict)
    works: dict[str, tuple[str, str]] = field(default_factory=dict)
    words: Callable[[str], str] = str
    title: Callable[[str], str] = str


def _known(found: dict, key: str, what: str):
    if key not in found:
        raise ValueError(f"there is no {what} {key!r}")
    return found[key]


def _citation(style: str, keys: str, references: References) -> str:
    """Works as the text names them: Author (year), or (Author, year)."""
    works = [_known(references.works, key.strip(), "work") for key in keys.split(",")]
    if style == "cite:t":
        return ", ".join(
            f"{author} ({year})" if year else author for author, year in works
        )
    return "(" + "; ".join(", ".join(filter(None, work)) for work in works) + ")"


def _role(name: str, text: str, references: References) -> str:
    """Plain Markdown of a role."""
    if name in ("glue", "glue:text"):
        return _known(references.values, text, "computed number")
    if name in ("cite", "cite:p", "cite:t"):
        return _citation(name, text, references)
    explicit = _EXPLICIT.match(text)
    title, target = (explicit["title"], explicit["target"]) if explicit else ("", text)
    if name in _REFERENCES and not _COUNTED.search(title):
        return title or references.words(target)
    if name == "doc":
        return title or f"*{references.title(target)}*"
    if name in ("item", "erratum"):
        return title or f"`{target}`"
    if name == "math":
        return f"${text}$"
    if _NAMED.fullmatch(name):
        return f"`{title or target.lstrip('~')}`"
    if name in ("abbr", "term", "sub", "sup"):
        return title or target
    raise ValueError(
        f"the role {name!r} has no plain form yet (book/tools/plain_markdown.py)"
    )


def inline(text: str, references: References) -> str:
    """Plain Markdown of running text: roles and marked spans resolved, code and formulas as they are."""

    def plain(found: re.Match) -> str:
        if found["role"]:
            return _role(found["name"], found["text"], references)
        return found["verbatim"] or inline(found["inner"], references)

    return _TOKEN.sub(plain, text)


def _text(lines: list[str], references: References) -> list[str]:
    kept = [
        line for line in lines if not TARGET.match(line) and not _COMMENT.match(line)
    ]
    return inline(_EQUATION_LABEL.sub(r"\1", "\n".join(kept)), references).splitlines()


def _numbered(kind: str, label: str, references: References) -> str:
    """Kind and number of something that a label names, the kind alone without one."""
    return references.words(label) if label else kind


def _heading(block: Directive, references: References) -> str:
    """Bold heading of a directive, empty for those that need none."""
    title = inline(block.argument, references)
    bracket = f" ({title})" if title else ""
    if block.name == "prf:proof":
        return "*Proof.*"
    if block.name.startswith("prf:"):
        return f"**{_numbered(block.name[4:].title(), block.label, references)}**{bracket}."
    if block.name == "exercise-start":
        said = "; ".join(filter(None, [title, ", ".join(block.classes)]))
        return f"**{_numbered('Exercise', block.label, references)}**" + (
            f" ({said})." if said else "."
        )
    if block.name == "solution-start":
        return f"**Solution to {references.words(block.argument)}.**"
    if block.name == "margin":
        return "**In the margin.**"
    if block.name == "erratum":
        return f"*Erratum* ({title})."
    if block.name in ("admonition", "dropdown"):
        return f"**{title}.**" if title else ""
    return f"**{block.name.title()}.**{' ' + title if title else ''}"


def _fenced(language: str, lines: list[str]) -> list[str]:
    """Code in a fence longer than any within."""
    longest = max([2, *[len(ticks) for ticks in re.findall("`+", "\n".join(lines))]])
    return [f"{'`' * (longest + 1)}{language}", *lines, "`" * (longest + 1)]


def _body(block: Directive, references: References) -> list[str]:
    """Plain lines of a directive, heading and end mark included."""
    heading, lines = (
        _heading(block, references),
        list(rendered(block.lines, references)),
    )
    if block.name == "erratum":
        return [f"> {line}".rstrip() for line in [f"{heading} {lines[0]}", *lines[1:]]]
    if not heading or not lines:
        return [heading, *lines]
    end = ["", "∎"] if block.name == "prf:proof" else []
    if not block.name.startswith(("prf:", "margin")) or _OWN_LINE.match(lines[0]):
        return [heading, "", *lines, *end]
    return [f"{heading} {lines[0]}", *lines[1:], *end]


def _directive(block: Directive, references: References) -> list[str]:
    if block.name in _DROPPED or block.name in ("exercise-end", "solution-end"):
        return []
    if block.name in _PROGRAM:
        return _fenced(block.argument, block.lines)
    if block.name == "math":
        return ["$$", *block.lines, "$$"]
    return [block.indent + line if line else line for line in _body(block, references)]


def _plain(block: Block, references: References) -> list[str]:
    if isinstance(block, Directive):
        return _directive(block, references)
    if isinstance(block, Code):
        return _fenced(block.language, block.lines)
    return _text(block.lines, references)


def _stripped(lines: list[str]) -> list[str]:
    """Lines without blank ones at both ends."""
    full = [number for number, line in enumerate(lines) if line.strip()]
    return lines[full[0] : full[-1] + 1] if full else []


def rendered(lines: list[str], references: References) -> Iterator[str]:
    """Plain lines of a MyST text, one blank line between its parts."""
    first = True
    for block in blocks(lines):
        plain = _stripped(_plain(block, references))
        if plain and not first:
            yield ""
        first = first and not plain
        yield from plain


def markdown(text: str, references: References) -> str:
    """Plain Markdown of a MyST text; ValueError where something has no plain form."""
    plain = "\n".join(rendered(text.splitlines(), references))
    outside_code = re.sub(
        r"^(`{3,})[^`{]*\n.*?^\1$|(`+)(?!`).+?(?<!`)\2(?!`)",
        "",
        plain,
        flags=re.DOTALL | re.MULTILINE,
    )
    if left := _RAW.search(outside_code):
        raise ValueError(f"raw markup is left: {left[0].strip()!r}")
    return plain
