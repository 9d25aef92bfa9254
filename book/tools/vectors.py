"""Vector pictures with short lengths: hundredths of a printer's point, each place from the one before."""

import re
from collections.abc import Callable, Iterator

# A glyph has a short name and its place as two numbers, and a group has no name.
_MOVED = re.compile(r'transform="translate\(([-\d.]+)[ ,]([-\d.]+)\)"/>')
_PATH = re.compile(r'(?<=\sd=")[^"]*')
_GLYPH = re.compile(r'(?<=\sd=")([^"]*)(" transform="scale\()0\.015625\)')
_PLACE = re.compile(r'(?<=\s[xy]=")[^"]*|(?<=translate\()[^)]*')
_LAYOUT = re.compile(r'\s*<!--[\s\S]*?-->|(?<=<g) id="[^"]*"|(?<=\n)\s+|(?<=[:;]) ')
_STYLE = ' style="{}"'
_MARKS = re.compile(r'<use [^>]*? style="(?P<style>[^"]*)"/>\n(?:<use [^>]*? style="(?P=style)"/>\n)+')
_NOT_INHERITED = re.compile(r"(?<![a-z-])(?:opacity|clip-path|filter|mask)\s*:")
_GROUP = re.compile(r"<g(?: [^>]*)?>\n?|</g>\n?")
_COMMAND = re.compile(r"([A-Za-z])([^A-Za-z]*)")
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
_LENGTHS = {"M": 2, "L": 2, "Q": 4, "C": 6, "z": 0}  # of each command that Matplotlib writes


def _short(hundredths: int) -> str:
    """A length in hundredths as it is written."""
    whole, rest = divmod(abs(hundredths), 100)
    digits = f"{whole or ''}.{rest:02d}".rstrip("0") if rest else str(whole)
    return f"-{digits}" if hundredths < 0 else digits


def _hundredths(number: str) -> int:
    return round(100 * float(number))


def _tens(number: str) -> int:
    return 100 * round(float(number) / 10)


def _steps(path: str, rounded: Callable[[str], int]) -> Iterator[tuple[str, list[int]]]:
    """The commands of a path, with steps between rounded places, so that no error grows."""
    here = start = [0, 0]
    for command, text in _COMMAND.findall(path):
        places = list(map(rounded, _NUMBER.findall(text)))
        if len(places) != _LENGTHS.get(command):
            raise ValueError(f"the path has a command that is not one of Matplotlib's: {command}{text}")
        yield command.lower(), [place - here[k % 2] for k, place in enumerate(places)]
        here = places[-2:] or start
        start = here if command == "M" else start


def _path(path: re.Match) -> str:
    """A path by relative commands; one that begins with such a command has been here."""
    return path[0] if path[0].startswith("m") else _relative(path[0], _hundredths)


def _glyph(glyph: re.Match) -> str:
    """A glyph in units of ten: 640 of them are as wide as a letter may be."""
    return f"{_relative(glyph[1], _tens)}{glyph[2]}.15625)"


def _relative(path: str, rounded: Callable[[str], int]) -> str:
    """A path by relative commands."""
    made, last = "", ""
    for command, lengths in _steps(path, rounded):
        text = " ".join(map(_short, lengths)).replace(" -", "-")
        said = "" if command == last != "m" or (last, command) == ("m", "l") else command
        made += said + (" " if not said and not text.startswith("-") else "") + text
        last = command
    return made


def _place(lengths: re.Match) -> str:
    return _NUMBER.sub(lambda number: _short(_hundredths(number[0])), lengths[0])


def _gathered(run: re.Match) -> str:
    """Marks of one style in a group that has it; what a mark inherits is what it had."""
    if _NOT_INHERITED.search(run["style"]):
        return run[0]
    return f'<g style="{run["style"]}">\n{run[0].replace(_STYLE.format(run["style"]), "")}</g>\n'


def _without_bare_groups(text: str) -> str:
    """The picture without groups that say nothing."""
    said: list[bool] = []

    def kept(mark: re.Match) -> str:
        if mark[0].startswith("<g"):
            said.append(mark[0].startswith("<g "))
            return mark[0] if said[-1] else ""
        return mark[0] if said.pop() else ""

    return _GROUP.sub(kept, text)


def lighter(text: str) -> str:
    """A vector picture without the layout of its text, which looks the same."""
    text = _MOVED.sub(r'x="\1" y="\2"/>', text.replace("DejaVuSans", "g"))
    text = _LAYOUT.sub("", _PLACE.sub(_place, _PATH.sub(_path, _GLYPH.sub(_glyph, text))))
    return _MARKS.sub(_gathered, _without_bare_groups(text))
