"""Build the book: execute the chapters that changed, make the pages, check the pages.

    python -m book.build                    what `make book` does
    python -m book.build --all              execute every chapter
    python -m book.build --only TOPIC ...   execute these chapters, stale or not
    python -m book.build --redraw           ... and take its pictures where texts and tables agree
    python -m book.build --no-html          chapters only
    python -m book.build --html-only        pages only, from the notebooks as they are

``book/<topic>.md`` becomes ``notebooks/<topic>.ipynb`` (jupytext, papermill, normal form), and these become
the pages under ``_build/html``. A committed notebook is replaced only by one whose every cell ran and
whose texts or tables differ: pictures that another processor draws in other bytes change nothing. Faults of
the sources (`book.check`) stop the build before a chapter is executed, faults of the notebooks before a page
is made.
"""

import argparse
import os
import sys
import time
from pathlib import Path

from tqdm import tqdm

from book import check, lab
from book.tools import command, pages, site, staleness
from book.tools.chapters import Chapter, chapters, topics, write_whole
from book.tools.compare import agreement
from book.tools.execute import run_all
from book.tools.staleness import Inputs


def wanted(
    root: Path, *, everything: bool, only: list[str], inputs: Inputs
) -> list[Chapter]:
    """The chapters that a call of the build executes."""
    if only:
        return [command.chapter("--only", root, topic) for topic in dict.fromkeys(only)]
    return [
        chapter for chapter in chapters(root) if everything or inputs.is_stale(chapter)
    ]


def execute(todo: list[Chapter], *, jobs: int, inputs: Inputs, redraw: bool) -> bool:
    """Execute chapters, say how each compares with the committed one, and replace those that differ."""
    failed = False
    with tqdm(
        total=len(todo), desc="executing", unit="chapter", leave=False, disable=None
    ) as bar:
        made_from = {chapter: inputs.of(chapter) for chapter in todo}
        for result in run_all(todo, jobs=min(jobs, len(todo))):
            bar.update()
            if result.text is None:
                failed = True
                bar.write(
                    f"FAILED {result.failure}\n(the committed notebook is untouched)",
                    file=sys.stderr,
                )
                continue
            verdict = agreement(result.chapter.notebook, result.text)
            bar.write(
                f"{result.chapter.topic}: {result.seconds:.1f} s, {verdict.sentence}"
            )
            if redraw or not verdict.same:
                write_whole(result.chapter.notebook, result.text)
            staleness.remember(result.chapter, made_from[result.chapter])
    return not failed


def build_chapters(root: Path, options: argparse.Namespace) -> bool:
    """Execute what the options ask for; whether all went well."""
    inputs = staleness.inputs(root)
    todo = wanted(root, everything=options.all, only=options.only, inputs=inputs)
    if not command.report_faults(check.source_faults(root, options.only)):
        return False
    rest = "not asked for" if options.only else "up to date"
    print(
        f"{len(todo)} chapters to execute, {len(topics(root)) - len(todo)} {rest}",
        flush=True,
    )
    kept = (
        []
        if options.only
        else [chapter for chapter in chapters(root) if chapter not in todo]
    )
    for chapter in filter(staleness.reworded, kept):
        print(f"{chapter.topic}: texts changed, outputs are kept", flush=True)
    return not todo or execute(
        todo, jobs=options.jobs, inputs=inputs, redraw=options.redraw
    )


def build_pages(root: Path, *, jobs: int, checked: bool, again: bool) -> bool:
    """Make the pages and check them; whether all went well.

    `checked` says that all sources are sound, `again` that pages which are up to date are made all the same.
    """
    if site.is_fresh(root) and not again:
        print(f"pages up to date: {root / '_build' / 'html' / 'index.html'}")
        return True
    lab.remove(root)
    found, inputs = [] if checked else check.source_faults(root), site.made_from(root)
    if not (
        command.report_faults(found + check.notebook_faults(root))
        and site.build(root, jobs=jobs)
    ):
        return False
    if not command.report_faults(pages.faults(root)):
        return False
    site.approve(root, inputs)
    print(f"{pages.summary(root)}: {root / '_build' / 'html' / 'index.html'}")
    return True


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = command.parser("build", __doc__)
    parser.add_argument(
        "--all", action="store_true", help="execute every chapter, changed or not"
    )
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="TOPIC", help="execute these chapters"
    )
    parser.add_argument(
        "--redraw", action="store_true", help="replace notebooks for their pictures too"
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        help="chapters or pages at a time",
    )
    part = parser.add_mutually_exclusive_group()
    part.add_argument(
        "--no-html", action="store_true", help="execute chapters, make no pages"
    )
    part.add_argument(
        "--html-only",
        action="store_true",
        help="make pages from the notebooks as they are",
    )
    return parser.parse_args(arguments)


@command.exits_on_errors("book")
def main(arguments: list[str] | None = None) -> int:
    options = parsed(arguments)
    root, begin = options.root, time.perf_counter()
    good = options.html_only or build_chapters(root, options)
    known = {
        "checked": not (options.html_only or options.only),
        "again": options.html_only,
    }
    good = good and (options.no_html or build_pages(root, jobs=options.jobs, **known))
    print(
        f"book: {'done' if good else 'FAILED'} in {time.perf_counter() - begin:.0f} s",
        flush=True,
    )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
