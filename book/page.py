"""A changed chapter as a page, in seconds: ``make page TOPIC=experts``.

    python -m book.page TOPIC [--open]

The chapter's faults are named first (`book.check`). Its notebook takes the new text, and is executed if its
code or a room of the package behind it changed (`book.tools.staleness`). Then this page alone is made, below
``_build/page``: what refers to other chapters is no link there.
"""

import re
import shutil
import sys
import time
import webbrowser
from pathlib import Path

import yaml

from book import check
from book.tools import command, site, staleness
from book.tools.chapters import Chapter, write_whole
from book.tools.compare import agreement
from book.tools.execute import run
from book.tools.page_weight import remove_unused_files

_LEFT_OUT = ("book.extensions.downloads", "book.extensions.publish")
_MISSING_ON_ONE_PAGE = (
    "cross-reference|undefined label|not found|unknown document|find bibtex key"
)
_PROBLEM_LINE = re.compile(rf"(?:WARNING|ERROR)(?!.*(?:{_MISSING_ON_ONE_PAGE}))")


def refresh(chapter: Chapter) -> str:
    """Bring the notebook of a chapter up to its source; how, in words."""
    staleness.reworded(chapter)
    inputs = staleness.inputs(chapter.root)
    if not inputs.is_stale(chapter):
        return "nothing that decides its outputs changed, so they are kept"
    made_from, done = inputs.of(chapter), run(chapter)
    if done.text is None:
        raise ValueError(done.failure)
    verdict = agreement(chapter.notebook, done.text)
    if not verdict.same:
        write_whole(chapter.notebook, done.text)
    staleness.remember(chapter, made_from)
    return f"executed in {done.seconds:.0f} s, {verdict.sentence}"


def make(root: Path, topic: str) -> tuple[Path, list[str]]:
    """Make the page of a chapter; its file, and what Sphinx says of it but for what a page alone lacks."""
    work = root / "_build" / "page"
    toc = {
        "format": "jb-book",
        "root": yaml.safe_load((root / "_toc.yml").read_text())["root"],
    }
    toc |= {
        "parts": [
            {
                "caption": "A draft",
                "numbered": True,
                "chapters": [{"file": f"notebooks/{topic}"}],
            }
        ]
    }
    write_whole(work / "_toc.yml", yaml.safe_dump(toc))
    site.write_conf(root, work, work / "_toc.yml", _LEFT_OUT)
    shutil.rmtree(work / "html", ignore_errors=True)
    page = work / "html" / "notebooks" / f"{topic}.html"
    status, printed = site.sphinx(
        root, work, work / "html", doctrees=work / "doctrees", options=["-q"]
    )
    if status or not page.exists():
        raise ValueError(f"Sphinx failed:\n{printed}")
    remove_unused_files(work / "html")
    told = list(
        filter(_PROBLEM_LINE.search, site.in_sources(root, printed).splitlines())
    )
    if told:
        shutil.rmtree(
            work / "doctrees", ignore_errors=True
        )  # else the next run would be silent
    return page, told


@command.exits_on_errors("page")
def main(arguments: list[str] | None = None) -> int:
    """Make a page; the exit status is 1 when it or its source has faults, 2 when there is no page."""
    parser = command.parser("page", __doc__)
    parser.add_argument("topic", metavar="TOPIC", help="the chapter")
    parser.add_argument(
        "--open", action="store_true", help="open the page in a browser"
    )
    options, begin = parser.parse_args(arguments), time.perf_counter()
    chapter = command.chapter("TOPIC", options.root, options.topic)
    sound = command.report_faults(check.source_faults(options.root, [chapter.topic]))
    print(f"{chapter.topic}: {refresh(chapter)}", flush=True)
    page, told = make(options.root, chapter.topic)
    sound &= command.report_faults(told)
    print(f"{page.as_uri()} in {time.perf_counter() - begin:.0f} s")
    if options.open:
        webbrowser.open(page.as_uri())
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
