// What does not fit a narrow screen: long formulas may break, wrapped code keeps its indents, and what scrolls says so.
"use strict";

(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // A formula in a line may break after a relation, a comma or an operator, as TeX breaks it, and within brackets
  // where a piece is still long. The marks count on narrow screens only, by the style.
  const LONG = 14; // glyphs
  const INLINE = "mjx-math, mjx-mrow, mjx-texatom, mjx-mstyle, mjx-mpadded";

  function places(formula) {
    const found = [];
    let glyphs = 0, depth = 0;
    (function walk(node) {
      for (const child of node.children) {
        const before = child.previousElementSibling;
        const space = Number(child.getAttribute("space"));
        if (before?.localName === "mjx-mo" && space > 1) {
          const rank = space === 3 ? 1 : 0; // 3 stands around an operator, 4 around a relation, 2 after a comma
          if (before.hasAttribute("space") || space === 2) found.push({ child, glyphs, rank: 2 * depth + rank });
        }
        const glyph = child.localName === "mjx-mo" && child.textContent === "" ? child.querySelector("mjx-c")?.className ?? "" : "";
        if (/mjx-c(28|5B|7B|2308|230A|27E8)\b/.test(glyph)) depth++;
        if (/mjx-c(29|5D|7D|2309|230B|27E9)\b/.test(glyph)) depth--;
        if (child.matches(INLINE)) walk(child);
        else glyphs += all("mjx-c", child).length;
      }
    })(formula);
    return [found, glyphs];
  }

  function breakable(formula) {
    const [found, length] = places(formula);
    if (length <= LONG) return;
    const chosen = [{ glyphs: 0 }, { glyphs: length }];
    for (const rank of [...new Set(found.map((place) => place.rank))].sort((a, b) => a - b)) {
      const gaps = chosen.slice(1).map((place, n) => [chosen[n].glyphs, place.glyphs]).filter(([a, b]) => b - a > LONG);
      chosen.push(...found.filter((place) => place.rank === rank && gaps.some(([a, b]) => a < place.glyphs && place.glyphs < b)));
      chosen.sort((a, b) => a.glyphs - b.glyphs);
    }
    for (const { child } of chosen.filter((place) => place.child)) {
      child.before(document.createElement("wbr"));
      for (let box = child.parentElement; box !== formula.parentElement; box = box.parentElement) box.classList.add("breaks");
      formula.parentElement.classList.add("breaks");
    }
  }

  // Code that is wrapped goes on below its own indent.
  function hang(pre) {
    const rows = pre.innerHTML.replace(/\n$/, "").split("\n");
    if (rows.length > 400) return;
    pre.innerHTML = rows.map((row) => {
      const indent = row.replace(/<[^>]*>/g, "").match(/^ */)[0].length;
      return `<span class="code-row" style="--indent: ${indent + 2}ch">${row}\n</span>`;
    }).join("");
  }

  // What scrolls sideways fades at the side where more is.
  const BOXES = "div.math, .cell_output, .cell_output .output, .pst-scrollable-table-container, pre, mjx-container[display=true]";
  function cue(box) {
    const more = getComputedStyle(box).overflowX === "visible" ? 0 : box.scrollWidth - box.clientWidth;
    box.classList.toggle("more-left", box.scrollLeft > 2);
    box.classList.toggle("more-right", more - box.scrollLeft > 2);
  }

  document.addEventListener("scroll", (event) => event.target.classList && cue(event.target), { capture: true, passive: true });
  addEventListener("beforeprint", () => all("img[loading=lazy]").forEach((picture) => { picture.loading = "eager"; }));
  addEventListener("DOMContentLoaded", async () => {
    if (matchMedia("(max-width: 600px)").matches) all("article div.cell pre").forEach(hang);
    await globalThis.MathJax?.startup?.promise;
    all("article mjx-container:not([display=true]) > mjx-math").forEach(breakable);
    const seen = new ResizeObserver((entries) => entries.forEach(({ target }) => cue(target)));
    all(BOXES, document.querySelector("article") ?? document).forEach((box) => seen.observe(box));
  });
})();
