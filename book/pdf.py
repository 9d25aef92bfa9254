"""The book on paper: `make pdf`.

    python -m book.pdf                    the whole book, in dist/privml-book.pdf
    python -m book.pdf --only TOPIC ...   a draft of these chapters, with numbers of its own

The pages' own sources go through Sphinx to LaTeX (`book/extensions/printed.py`, `book/print/`) and through
XeLaTeX to PDF.  What makes sense on a screen only is left out.  The numbers are compared with those of the
pages, and TeX's log is searched (`book.tools.print_checks`); the exit status is 1 when something is wrong, and 0
when there is no TeX, which a sentence says.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import yaml

from book.tools import command, print_checks, site
from book.tools.chapters import write_whole

NAME = "privml-book"
LEFT_OUT = (
    *(
        "notebooks/calculators",
        "notebooks/audit-yours",
        "notebooks/your-data",
        "book/history",
    ),
    *(
        "book/all-figures",
        "book/all-exercises",
        "book/results",
        "book/errata",
        "book/checked-proofs",
        "book/api",
    ),
    "book/general-index",
)
NEEDED = ("xelatex", "latexmk", "makeindex")
PACKAGES = "texlive-xetex texlive-latex-extra texlive-fonts-recommended latexmk"
PACKAGES += " fonts-texgyre fonts-texgyre-math fonts-dejavu"
EPOCH = "315532800"  # the date in the file, the first of 1980, as in the wheel


def contents(root: Path, only: list[str]) -> dict:
    """Table of contents of the printed edition: of all pages, or of some chapters."""
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    chosen = {f"notebooks/{topic}" for topic in only}
    chosen |= {"book/notation", "book/glossary", "book/bibliography"}
    for part in toc["parts"]:
        files = [page for page in part["chapters"] if page["file"] not in LEFT_OUT]
        part["chapters"] = [
            page for page in files if not only or page["file"] in chosen
        ]
    return toc | {"parts": [part for part in toc["parts"] if part["chapters"]]}


def settings(root: Path) -> dict:
    """The book's settings with those of the printed edition."""
    made = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    own = yaml.safe_load(
        (root / "book" / "print" / "config.yml").read_text(encoding="utf-8")
    )
    given, added = made["sphinx"]["config"], own["sphinx"]["config"]
    without = added.pop("without")
    extensions = [
        name for name in given["extensions"] if name not in without
    ] + added.pop("extensions")
    made["sphinx"]["config"] = (
        given | added | {"extensions": extensions, "project": made["title"]}
    )
    return made | {"latex": own["latex"]}


def typeset(root: Path, work: Path, only: list[str]) -> bool:
    """Make the LaTeX below ``latex`` of a folder; whether Sphinx had nothing to say."""
    for name, made in (
        ("_toc.yml", contents(root, only)),
        ("_config.yml", settings(root)),
    ):
        write_whole(work / name, yaml.safe_dump(made, sort_keys=False))
    site.write_conf(root, work, work / "_toc.yml", config=work / "_config.yml")
    doctrees, options = work / "_build" / ".doctrees", ["-W", "--keep-going"]
    status, printed = site.sphinx(
        root, work, folder(work), doctrees=doctrees, options=options, kind="latex"
    )
    write_whole(work / "sphinx.log", printed)
    return status == 0


def run_tex(work: Path) -> bool:
    """Make the PDF; whether TeX came to an end. The same sources give the same bytes."""
    told = {
        "max_print_line": "10000",
        "SOURCE_DATE_EPOCH": EPOCH,
        "FORCE_SOURCE_DATE": "1",
    }
    command = ["latexmk", "-xelatex", "-interaction=nonstopmode", f"{NAME}.tex"]
    with (work / "tex.log").open("w", encoding="utf-8") as log:
        outputs = {"stdout": log, "stderr": log, "check": False}
        done = subprocess.run(
            command, cwd=folder(work), env=os.environ | told, **outputs
        )
    return done.returncode == 0


def folder(work: Path) -> Path:
    """Where the LaTeX is, and what TeX makes of it."""
    return work / "_build" / "latex"


def faults(root: Path, work: Path, *, whole: bool) -> list[str]:
    """What is wrong with the PDF; a draft has other numbers than the pages, and dead links."""
    log = (folder(work) / f"{NAME}.log").read_text(encoding="utf-8", errors="replace")
    found = print_checks.log_faults(log)
    found += print_checks.citation_faults(
        (folder(work) / f"{NAME}.tex").read_text(encoding="utf-8")
    )
    if whole:
        printed = print_checks.printed_numbers(
            (folder(work) / f"{NAME}.aux").read_text(encoding="utf-8")
        )
        docnames = [
            page["file"]
            for part in contents(root, [])["parts"]
            for page in part["chapters"]
        ]
        found += print_checks.number_faults(
            printed, print_checks.page_numbers(root / "_build" / "html", docnames)
        )
    return found


def make(root: Path, only: list[str]) -> bool:
    """Make the PDF and check it; whether all is well."""
    work = root / "_build" / ("draft" if only else "print")
    shutil.rmtree(work, ignore_errors=True)
    if not only and not site.is_fresh(root):
        print(
            "pdf: the pages are not those of the present files (make book)",
            file=sys.stderr,
        )
        return False
    if not typeset(root, work, only) and not only:
        print(f"FAILED Sphinx: {work / 'sphinx.log'}", file=sys.stderr)
        return False
    ended = run_tex(work)
    sound = command.report_faults(faults(root, work, whole=not only))
    goal = work / f"{NAME}.pdf" if only else root / "dist" / f"{NAME}.pdf"
    goal.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(folder(work) / f"{NAME}.pdf", goal)
    print(f"{goal}: {goal.stat().st_size / 1e6:.1f} MB")
    return ended and sound


def main(arguments: list[str] | None = None) -> int:
    parser = command.parser("pdf", __doc__)
    parser.add_argument(
        "--only",
        nargs="+",
        default=[],
        metavar="TOPIC",
        help="a draft of these chapters",
    )
    options, begin = parser.parse_args(arguments), time.perf_counter()
    if lacking := [name for name in NEEDED if shutil.which(name) is None]:
        way = f"On Debian: apt-get install {PACKAGES}"
        print(f"pdf: skipped, for want of {', '.join(lacking)}. {way}", file=sys.stderr)
        return 1 if os.environ.get("PRIVML_REQUIRE_TEX") else 0
    good = make(options.root, options.only)
    print(
        f"pdf: {'done' if good else 'FAILED'} in {time.perf_counter() - begin:.0f} s",
        flush=True,
    )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
