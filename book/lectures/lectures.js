// Slides are cut where they are full, and set as large as they fit, as a sheet of one page is; arrow keys turn them.
const isDeck = document.body.classList.contains("slides");
const [largest, least] = isDeck ? [36, 22] : [14.67, 11.5]; // pixels

// Whether anything stands out of a page: below, or to the right, as a long formula does.
function sticksOut(page) {
  const edge = page.getBoundingClientRect(), style = getComputedStyle(page);
  const right = edge.right - parseFloat(style.paddingRight) + 2, bottom = edge.bottom - parseFloat(style.paddingBottom) + 2;
  const parts = page.querySelectorAll("h1, p, li, td, th, img, figcaption, mjx-math, .room, .body");
  return [...parts].some((part) => {
    const box = part.getBoundingClientRect();
    return box.width > 0 && (box.right > right || box.bottom > bottom);
  });
}

// A slide that is too full becomes some that are about as full as each other.
function cut(page) {
  const body = page.querySelector(".body"), pieces = [...(body?.children ?? [])];
  const heights = pieces.map((piece) => piece.getBoundingClientRect().height);
  const total = heights.reduce((sum, height) => sum + height, 0);
  const room = page.getBoundingClientRect().bottom - 76 - (body?.getBoundingClientRect().top ?? 0);
  const share = total / Math.max(1, Math.ceil(total / room - 0.2)); // a little too full is set smaller
  let last = page, done = 0;
  pieces.forEach((piece, at) => {
    if (at && done + heights[at] / 2 > share * (1 + [...last.parentNode.children].indexOf(last) - first(page))) {
      const next = page.cloneNode(true);
      next.querySelector(".body").replaceChildren();
      last.after(next);
      last = next;
    }
    last.querySelector(".body").append(piece);
    done += heights[at];
  });
}
const first = (page) => [...page.parentNode.children].indexOf(page);

function fit(page) {
  let size = largest;
  page.style.fontSize = `${size}px`;
  while (size > least && sticksOut(page)) page.style.fontSize = `${(size -= largest / 50)}px`;
  page.dataset.fits = String(!sticksOut(page));
}

const pages = () => [...document.querySelectorAll(isDeck ? ".page" : ".sheets")];
const scale = () => (document.body.style.zoom = Math.min(innerWidth / 1280, innerHeight / 720));
const keys = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 };

function turn(event) {
  if (!(event.key in keys)) return;
  event.preventDefault();
  const all = pages(), at = all.findIndex((page) => page.getBoundingClientRect().bottom > 10);
  all[Math.max(0, Math.min(all.length - 1, at + keys[event.key]))].scrollIntoView();
}

function show() {
  document.head.insertAdjacentHTML("beforeend", "<style>@page { size: 1280px 720px; margin: 0; }</style>");
  pages().forEach(cut);
  pages().forEach((page, at, all) => (page.querySelector(".place").textContent = `${at + 1} / ${all.length}`));
  addEventListener("keydown", turn);
  addEventListener("resize", scale);
}

window.fitted = MathJax.startup.promise.then(() => document.fonts.ready).then(() => {
  if (isDeck) show();
  pages().forEach(fit);
  if (isDeck) scale();
});
