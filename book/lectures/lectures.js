// Every slide, and a sheet of one page, is set as large as it fits; arrow keys turn slides.
const pages = [...document.querySelectorAll(".slides .page, .sheet")];
const slides = document.body.classList.contains("slides");

// Whether anything stands out of a page: below, or to the right, as a long formula does.
function sticksOut(page) {
  const edge = page.getBoundingClientRect(), style = getComputedStyle(page);
  const right = edge.right - parseFloat(style.paddingRight) + 2, bottom = edge.bottom - parseFloat(style.paddingBottom) + 2;
  const parts = page.querySelectorAll("h1, p, li, td, th, img, figcaption, mjx-container mjx-math, .room");
  return [...parts].some((part) => {
    const box = part.getBoundingClientRect();
    return box.width > 0 && (box.right > right || box.bottom > bottom);
  });
}

function fit(page) {
  const [largest, least, step] = slides ? [36, 22, 1] : [14.67, 10, 0.33]; // pixels
  let size = largest;
  page.style.fontSize = `${size}px`;
  while (size > least && sticksOut(page)) page.style.fontSize = `${(size -= step)}px`;
  page.dataset.fits = String(!sticksOut(page));
}

function scale() {
  document.body.style.zoom = Math.min(innerWidth / 1280, innerHeight / 720);
}

function turn(by) {
  const at = pages.findIndex((page) => page.getBoundingClientRect().bottom > 10);
  pages[Math.max(0, Math.min(pages.length - 1, at + by))].scrollIntoView();
}

const keys = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 };
if (slides) {
  document.head.insertAdjacentHTML("beforeend", "<style>@page { size: 1280px 720px; margin: 0; }</style>");
  addEventListener("keydown", (event) => {
    if (event.key in keys) {
      event.preventDefault();
      turn(keys[event.key]);
    }
  });
}
MathJax.startup.promise.then(() => document.fonts.ready).then(() => {
  pages.forEach(fit);
  document.documentElement.dataset.fitted = "1";
  if (slides) {
    scale();
    addEventListener("resize", scale);
  }
});
