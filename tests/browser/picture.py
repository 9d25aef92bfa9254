"""The picture of a page in the README: ``python -m tests.browser.picture`` takes it from the built pages.

It is a screenshot of Chromium, with the colours of a palette; take it anew when the pages look different.
"""

import io
import sys
from pathlib import Path

from PIL import Image

from book.tools.lecture_files import chromium
from tests.browser import serving

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE, FIGURE, GOAL = (
    "notebooks/noise.html",
    "fig-noise-sliding",
    ROOT / ".github" / "page.png",
)
SIZE, COLOURS, BELOW = {"width": 1280, "height": 860}, 128, 40
MOVE = """async ([name, below]) => {
    await MathJax.startup.promise;
    await document.fonts.ready;
    const line = document.getElementById(name).nextElementSibling;
    const top = scrollY + line.getBoundingClientRect().bottom + below - innerHeight;
    window.scrollTo({ top, behavior: "instant" });
}"""


def taken(html: Path) -> Image.Image:
    """The picture, in the middle of the page where a figure that moves ends it."""
    with serving.running(chromium()) as browser, serving.served(html) as address:
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        page.goto(address + PAGE, wait_until="load")
        page.evaluate(MOVE, [FIGURE, BELOW])
        page.wait_for_timeout(
            1500
        )  # the picture is drawn, the button to the top has gone
        return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def main(html: Path) -> None:
    """Write the picture."""
    few = taken(html).quantize(
        COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE
    )
    few.save(GOAL, "PNG", optimize=True)
    print(f"{GOAL}: {GOAL.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else ROOT / "_build" / "html")
