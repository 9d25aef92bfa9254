// What does not fit: long formulas may break, wrapped code keeps its indents on a phone, and what scrolls says so.
"use strict";

(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // A formula in a line may break after a relation, a comma or an operator, as TeX breaks it, and within brackets
  // where a piece is still long.
  const LONG = 14, LONG_WIDE = 36; // glyphs
  const LAST = 99; // a bar of division stays with what it divides while that fits a line
  const INLINE = "mjx-math, mjx-mrow, mjx-texatom, mjx-mstyle, mjx-mpadded";

  const OPENING = new Set(["28", "5B", "7B", "2308", "230A", "27E8"]);
  const CLOSING = new Set(["29", "5D", "7D", "2309", "230B", "27E9"]);
  const glyphOf = (node) => (node?.localName === "mjx-mo" ? node : node?.querySelector("mjx-mo"))
    ?.querySelector("mjx-c")?.className.match(/mjx-c([0-9A-F]+)/)?.[1];

  function places(formula) {
    const found = [];
    let glyphs = 0, depth = 0;
    (function walk(node) {
      for (const child of node.children) {
        const before = child.previousElementSibling;
        const space = Number(child.getAttribute("space")); // 4 around a relation, 3 an operator, 2 after a comma
        if (before?.localName === "mjx-mo" && space > 1 && (space === 2 || before.hasAttribute("space")))
          found.push({ child, glyphs, rank: 2 * depth + (space === 3) });
        else if (glyphOf(before) === "2F") found.push({ child, glyphs, rank: LAST });
        const glyph = glyphOf(child);
        depth += OPENING.has(glyph) - CLOSING.has(glyph);
        if (child.matches(INLINE)) walk(child);
        else glyphs += all("mjx-c", child).length;
      }
    })(formula);
    return [found, glyphs];
  }

  const pieces = (chosen) => chosen.slice(1).map((place, n) => [chosen[n].glyphs, place.glyphs]);

  function breakable(formula, long) {
    if (all("mjx-c", formula).length <= long) return;
    const [found, length] = places(formula);
    const chosen = [{ glyphs: 0 }, { glyphs: length }];
    for (const rank of [...new Set(found.map((place) => place.rank))].sort((a, b) => a - b)) {
      const gaps = pieces(chosen).filter(([a, b]) => b - a > (rank === LAST ? 2 * long : long));
      chosen.push(...found.filter((place) => place.rank === rank && gaps.some(([a, b]) => a < place.glyphs && place.glyphs < b)));
      chosen.sort((a, b) => a.glyphs - b.glyphs);
    }
    formula.parentElement.classList.toggle("dense", pieces(chosen).some(([a, b]) => b - a > 2 * long));
    for (const { child } of chosen.filter((place) => place.child)) {
      child.before(document.createElement("wbr"));
      for (let box = child.parentElement; box.matches("span.math *, span.math"); box = box.parentElement) box.classList.add("breaks");
    }
  }

  // Code that is wrapped goes on below its own indent; where that leaves no room, spaces stand left of the cell.
  const DEEP = 16;
  function hang(pre) {
    const rows = pre.innerHTML.replace(/\n$/, "").split("\n");
    if (rows.length > 400) return;
    pre.innerHTML = rows.map((row) => {
      const indent = row.replace(/<[^>]*>/g, "").match(/^ */)[0].length;
      const out = Math.min(0, DEEP - indent);
      const broken = row.replace(/(<[^>]*>)|([([{,.=](?=\S))/g, (found, tag) => tag ?? `${found}<wbr>`); // within no word
      return `<span class="code-row" style="--indent: ${indent + 2}ch; margin-left: ${out}ch">${broken}\n</span>`;
    }).join("");
  }

  // Long names break after a dot or an underscore only.
  function breakNames(code) {
    for (const text of all("span.pre", code).concat(code).flatMap((box) => [...box.childNodes]).filter((node) => node.nodeType === 3))
      text.replaceWith(...text.data.split(/(?<=[._/])(?=\w)/).flatMap((part, n) => (n ? [document.createElement("wbr"), part] : [part])));
  }

  // Columns of numbers stand under each other, in tables that a run makes, too.
  const NUMBER = /^([-−–]?[\d.,]*\d[\d.,]*(e[-+]?\d+)?\s?%?|[-−–]|nan|-?inf|∞|)$/i;
  function alignNumbers(table) {
    const rows = [...table.rows].filter((row) => row.querySelector("td"));
    for (let n = 0; n < (rows[0]?.cells.length ?? 0); n++) {
      const said = rows.map((row) => row.cells[n]?.textContent.trim() ?? "");
      if (said.every((text) => NUMBER.test(text)) && said.some((text) => /\d/.test(text)))
        for (const row of table.rows) row.cells[n]?.classList.add("number");
    }
  }

  // What scrolls sideways fades at the side where more is.
  const BOXES = "div.math, .cell_output, .cell_output .output, .pst-scrollable-table-container, pre, mjx-container[display=true]";
  function cue(box) {
    const more = getComputedStyle(box).overflowX === "visible" ? 0 : box.scrollWidth - box.clientWidth;
    box.classList.toggle("more-left", box.scrollLeft > 2);
    box.classList.toggle("more-right", more - box.scrollLeft > 2);
  }

  // A picture is shown larger when its reader asks, and then scrolls.
  function offerLarger(line) {
    const figure = line.parentElement.querySelector("figure");
    const button = Object.assign(document.createElement("button"), { type: "button", className: "larger", textContent: "larger" });
    button.onclick = () => {
      const large = figure.classList.toggle("large");
      button.textContent = large ? "smaller" : "larger";
      figure.tabIndex = large ? 0 : -1;
    };
    if (figure) line.prepend(button);
    if (figure?.querySelector("img")?.getAttribute("width") > 1000) button.click(); // its words would be 5 pixels high
  }

  const narrow = matchMedia("(max-width: 600px)");
  let fitted = false;
  async function fit() {
    if (narrow.matches && !fitted) {
      fitted = true;
      all("article div.cell pre:not(.figure-line pre)").forEach(hang);
      all("article .cell_output > .figure-line").forEach(offerLarger);
    }
    await globalThis.MathJax?.startup?.promise;
    const formulas = all("article mjx-container:not([display=true]) > mjx-math");
    formulas.forEach((formula) => breakable(formula, narrow.matches ? LONG : LONG_WIDE));
  }

  addEventListener("beforeprint", () => all("img[loading=lazy]").forEach((picture) => { picture.loading = "eager"; }));
  document.addEventListener("scroll", ({ target }) => target.classList && cue(target), { capture: true, passive: true });
  narrow.addEventListener("change", fit);
  addEventListener("DOMContentLoaded", async () => {
    const tables = new MutationObserver((seen) => seen.forEach(({ target }) => all("table", target).forEach(alignNumbers)));
    all("article table").forEach(alignNumbers);
    all("article .cell_output").forEach((box) => tables.observe(box, { childList: true }));
    all("article :not(pre) > code, .page-toc code").forEach(breakNames);
    await fit();
    const seen = new ResizeObserver((entries) => entries.forEach(({ target }) => cue(target)));
    all("article").forEach((article) => all(BOXES, article).forEach((box) => seen.observe(box)));
  });
})();
