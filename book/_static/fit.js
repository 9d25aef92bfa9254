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

  // A display that is wider than its box breaks: its rows stand below each other, and each breaks where the lines are
  // fewest and fullest, before outer relations first, then before operators, after commas, between words.
  const OPERATOR = 3, BARS = ["7C", "2225", "2016"], widths = new WeakMap();

  function breaksOf(row) {
    const found = [];
    let depth = 0, bars = 0, acted = true;
    (function walk(node) {
      for (const child of node.children) {
        const before = child.previousElementSibling, space = Number(child.getAttribute("space"));
        const sign = child.localName === "mjx-mo" && glyphOf(child), last = before?.localName === "mjx-mo" && glyphOf(before);
        const acts = !acted && space >= OPERATOR && (sign || Number(child.nextElementSibling?.getAttribute("space")) === space);
        const gap = child.localName === "mjx-mspace" ? child.offsetWidth > 12 : child.matches("mjx-mtd:nth-child(2n + 3)");
        depth -= CLOSING.has(sign) && depth > 0;
        const cost = gap ? 0 : acts ? 0.1 + 0.3 * (space === OPERATOR) : last === "2C" || last === "3B" ? 0.3 : last === "2F" ? 1.5
          : node.localName === "mjx-mtext" && before?.matches(".mjx-c20, .mjx-cA0") ? 0.6 : null;
        const { left, right } = child.getBoundingClientRect();
        if (cost !== null) found.push({ child, end: left, start: child.localName === "mjx-mspace" ? right : left, cost: cost + 0.8 * (depth + bars) });
        acted = acts || OPENING.has(sign) || (sign && space >= OPERATOR) || (acted && !child.querySelector("mjx-c"));
        depth += OPENING.has(sign);
        if (BARS.includes(sign) && !space) bars = 1 - bars;
        if (child.matches(`${INLINE}, mjx-mtd, mjx-mtext`)) walk(child);
      }
    })(row);
    return found;
  }

  function splitRow(row, em) {
    const shift = row.previousElementSibling && !row.firstElementChild.querySelector("mjx-c") ? 2 : 1; // goes on with the row above
    row.style.setProperty("--shift", `${shift}em`);
    const room = row.clientWidth - shift * em, ends = [...row.children].map((child) => child.getBoundingClientRect());
    if (!ends.length) return;
    const [left, right] = [ends[0].left, ends.at(-1).right];
    const places = [{ start: left }, ...breaksOf(row), { end: right, cost: 0 }], best = [{ cost: 0 }];
    for (const { end, cost, child } of places.slice(1)) {
      best.push(best.map((way, from) => {
        const free = 1 - (end - places[from].start) / (from ? room : room + em);
        return { from, cost: way.cost + 1 + cost + (free < 0 ? 10 - 20 * free : child ? free * free / 2 : 0) };
      }).reduce((a, b) => (b.cost < a.cost ? b : a)));
    }
    for (let n = best.at(-1).from; n; n = best[n].from) {
      const { child } = places[n];
      child.before(document.createElement("br"));
      if (child.localName === "mjx-mspace") child.classList.add("gone");
      for (let box = child.parentElement; box !== row; box = box.parentElement) box.classList.add("split");
    }
  }

  function splitDisplay(box) {
    const display = box.querySelector("mjx-container"), math = display?.firstElementChild;
    if (!math || widths.get(box) === box.clientWidth) return;
    widths.set(box, box.clientWidth);
    all("br", math).forEach((line) => line.remove());
    for (const part of all("*", box)) part.classList.remove("rows", "math-row", "split", "gone", "snug");
    if (display.scrollWidth <= display.clientWidth + 1 || math.querySelector("mjx-labels")) return;
    const table = all("mjx-mtable", math).filter((one) => all("mjx-c", one).length === all("mjx-c", math).length).at(-1);
    const rows = table ? all("mjx-mtr", table).filter((row) => row.closest("mjx-mtable") === table) : [math];
    for (const row of rows) {
      for (let part = row; part !== display; part = part.parentElement) part.classList.add("rows");
      row.classList.add("math-row");
      all(":scope > mjx-mtd", row).forEach((cell) => cell.classList.add("split"));
    }
    rows.forEach((row) => splitRow(row, parseFloat(getComputedStyle(math).fontSize)));
    display.classList.toggle("snug", display.scrollWidth > display.clientWidth);
  }

  // Code that is wrapped goes on below its own indent; where that leaves no room, spaces stand left of the cell.
  const DEEP = 16;
  function hang(pre) {
    const rows = pre.innerHTML.replace(/\n$/, "").split("\n");
    if (rows.length > 400) return;
    pre.innerHTML = rows.map((row) => {
      const indent = row.replace(/<[^>]*>/g, "").match(/^((>|&gt;){3} |[.]{3} )? */)[0].replace(/&gt;/g, ">").length;
      const out = Math.min(0, DEEP - indent);
      const broken = row.replace(/(<[^>]*>)|(\d[\d.]*e-\d+)|[([{,=](?=\S)|[.](?=[a-z_])/gi, (found, tag, number) =>
        tag ?? (number ? `<span class="together">${number}</span>` : `${found}<wbr>`)); // within no word or number
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
      all("article :is(.cell, .highlight) pre:not(.figure-line pre)").forEach(hang);
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
    const seen = new ResizeObserver((entries) => entries.forEach(({ target }) => {
      if (target.matches("div.math")) splitDisplay(target);
      cue(target);
    }));
    all("article").forEach((article) => all(BOXES, article).forEach((box) => seen.observe(box)));
  });
})();
