// What the browser tests ask of a page. Each probe returns sentences, one a fault.
"use strict";

globalThis.probes = (() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  const shortened = (element) => element.outerHTML.replace(/\s+/g, " ").slice(0, 120);

  // The theme looks for boxes that scroll 300 ms after the last change of the width or of the elements.
  let told = innerWidth, changed = performance.now();
  window.addEventListener("resize", () => ([told, changed] = [innerWidth, performance.now()]));
  new MutationObserver(() => (changed = performance.now())).observe(document.body, { subtree: true, childList: true });
  const themed = document.querySelector('script[src*="pydata-sphinx-theme"]') !== null;
  async function rested() {
    for (let left; themed && (left = changed + 350 - performance.now()) > 0; ) await pause(left);
    const late = (box) => box.scrollWidth > box.clientWidth; // the theme's timer may be slow on a busy machine
    for (let n = 0; themed && n < 50 && all(".output[tabindex='-1']").some(late); n++) await pause(100);
  }

  // Wait until all that listens has been told of the width. Open what can be opened, load what waits for the
  // reader, and let formulas and pictures come to rest.
  async function settled(width) {
    for (let n = 0; n < 500 && told !== width; n++) await pause(20);
    for (const details of all("details")) details.open = true;
    for (const button of all(".toggle-button-hidden")) button.click();
    for (const picture of all("img[loading=lazy]")) picture.loading = "eager";
    await globalThis.MathJax?.startup?.promise;
    await document.fonts.ready;
    await Promise.all(all("img").map((picture) => picture.decode().catch(() => null)));
  }

  function math() {
    const found = all("mjx-merror").map((error) => `formula with an error: ${error.parentElement.textContent.slice(0, 80)}`);
    for (const place of all(".math"))
      if (place.tagName !== "PRE" && !place.querySelector("mjx-container")) found.push(`formula that is not typeset: ${shortened(place)}`);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode;
      if (/\\[([]|\$\$/.test(text.data) && !text.parentElement.closest("code, pre, script, style, .math"))
        found.push(`raw formula in the text: ${text.data.trim().slice(0, 80)}`);
    }
    return found;
  }

  function pictures() {
    const found = [];
    for (const picture of all("article img, main img")) {
      if (picture.hidden && picture.closest("figure")?.matches(":has(+ .slider-figure)")) continue; // its script draws it
      const box = picture.getBoundingClientRect();
      if (!picture.naturalWidth || box.width < 1 || box.height < 1) found.push(`picture that is not visible: ${shortened(picture)}`);
      const { paddingInline, paddingBlock } = getComputedStyle(picture);
      const [wide, high] = [picture.clientWidth - 2 * parseFloat(paddingInline), picture.clientHeight - 2 * parseFloat(paddingBlock)];
      const stretched = (wide * picture.naturalHeight) / (high * picture.naturalWidth);
      if (stretched < 0.95 || stretched > 1.05) found.push(`picture out of shape: ${shortened(picture)}`);
      if (!picture.alt.trim()) found.push(`picture without alternative text: ${shortened(picture)}`);
    }
    for (const figure of all("article figure"))
      if (!figure.querySelector("img, svg, table, pre, .math")) found.push(`figure without a picture: ${shortened(figure)}`);
    return found;
  }

  // What each moving figure draws at every stop of its slider, which then stands where it stood.
  function moving() {
    const read = (shape, names) => names.map((name) => Number(shape.getAttribute(name)));
    return Object.fromEntries(all(".slider-figure:has(input)").map((place) => {
      const slider = place.querySelector("input"), begin = slider.value;
      const drawn = place.querySelector("svg") ?? place.previousElementSibling.querySelector("svg");
      const move = (stop) => {
        slider.value = stop;
        slider.dispatchEvent(new Event("input"));
      };
      const stops = Array.from({ length: Number(slider.max) + 1 }, (_, stop) => {
        const before = performance.now();
        move(stop);
        const took = performance.now() - before;
        return {
          took, shown: JSON.parse(place.dataset.shown), said: slider.getAttribute("aria-valuetext"),
          curves: all(".curve", drawn).map((curve) => curve.getAttribute("d") ?? ""),
          bars: all(".bar", drawn).map((bar) => read(bar, ["x", "width", "y", "height"])),
        };
      });
      move(begin);
      return [place.dataset.name, { at: Number(begin), measures: JSON.parse(place.dataset.measures), stops }];
    }));
  }

  // The page must not scroll sideways; what sticks out is named.
  function sideways() {
    const page = document.scrollingElement;
    window.scrollTo(10_000, 0);
    const moved = window.scrollX;
    window.scrollTo(0, 0);
    if (page.scrollWidth <= innerWidth && !moved) return [];
    const out = all("body *").filter((element) => element.getBoundingClientRect().right > innerWidth + 1).slice(0, 3);
    return [`scrolls sideways at ${innerWidth} px (${page.scrollWidth} px wide): ${out.map(shortened).join(" | ")}`];
  }

  // A formula in a line ends within its block, and what touches it stands beside it.
  function lines() {
    const squeezed = (row) => row.checkVisibility() && row.offsetHeight > 20 * parseFloat(getComputedStyle(row).lineHeight);
    const found = all(".code-row").filter(squeezed).map((row) => `line of code in a narrow column: ${shortened(row)}`);
    const cut = all("article mjx-container[display=true]").filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1);
    found.push(...cut.map((display) => `display that is cut: ${display.textContent.slice(0, 60)}`));
    for (const formula of all("article mjx-container:not([display=true])")) {
      if (!formula.checkVisibility()) continue;
      const boxes = all("mjx-math", formula).flatMap((math) => [...math.getClientRects()]);
      const block = blockOf(formula), style = getComputedStyle(block);
      const edge = block.getBoundingClientRect().right - parseFloat(style.paddingRight) - parseFloat(style.borderRightWidth);
      const words = formula.textContent.replace(/\s+/g, " ").slice(0, 60);
      if (Math.max(...boxes.map((box) => box.right)) > edge + 1) found.push(`formula past the edge of its block: ${words}`);
      const next = formula.closest(".math").nextSibling;
      if (next?.nodeType !== 3 || !/^[,.;:)\]’”]/.test(next.data)) continue;
      const range = document.createRange();
      range.setStart(next, 0);
      range.setEnd(next, 1);
      if (range.getBoundingClientRect().top > boxes.at(-1).bottom - 1) found.push(`line that begins with ${next.data[0]}, after ${words}`);
    }
    return found;
  }

  function blockOf(element) {
    while (getComputedStyle(element).display.startsWith("inline")) element = element.parentElement;
    return element;
  }

  async function mode(wanted) {
    const theme = () => document.documentElement.dataset.theme;
    for (let n = 0; n < 20 && theme() !== wanted; n++) await pause(50);
    const set = theme();
    return set === undefined || set === wanted ? [] : [`the page is ${set} although the reader asks for ${wanted}`];
  }

  // MathJax hides its glyphs from assistive technology, so axe-core leaves them out of every verdict, but it
  // walks through all of them, as through each coloured word of code: most elements of a page, most of the
  // time. Glyphs go, their boxes stay; words of code become plain text but for the first of each kind.
  function thin() {
    const whole = (formula) => formula.closest("mjx-container:not([display=true])") ?? formula; // one box a formula
    const glyphs = all("mjx-math[aria-hidden=true]").map(whole);
    const sizes = glyphs.map((formula) => formula.getBoundingClientRect());
    glyphs.forEach((formula, number) => {
      formula.replaceChildren();
      const { width, height } = sizes[number];
      Object.assign(formula.style, { display: "inline-block", width: `${width}px`, height: `${height}px` });
    });
    for (const spoken of all("mjx-assistive-mml")) spoken.remove();
    const path = (element) => (element ? `${path(element.parentElement)}>${element.tagName}.${element.className}` : "");
    const seen = new Set();
    for (const word of all("pre span, dt.sig span, dt.sig em, code span")) {
      if (word.children.length || [...word.attributes].some((attribute) => attribute.name !== "class")) continue;
      const kind = path(word);
      if (seen.has(kind)) word.replaceWith(word.textContent);
      seen.add(kind);
    }
  }

  // One element of each kind: same font, colours, opacity and place, and the same backgrounds all the way up.
  // axe-core's verdict on contrast follows from these but where boxes overlap; it takes a millisecond or two
  // for each element, so it is asked once a kind.
  const chosen = new Set();
  const chainOf = (element, chains) => {
    if (!element) return "";
    if (!chains.has(element)) {
      const s = getComputedStyle(element);
      const own = [s.backgroundColor, s.backgroundImage, s.opacity, s.position, s.filter, s.mixBlendMode].join();
      const above = chainOf(element.parentElement, chains);
      chains.set(element, own === "rgba(0, 0, 0, 0),none,1,static,none,normal" ? above : `${above}/${own}`);
    }
    return chains.get(element);
  };
  const speaks = (element) => element.matches("input, select, textarea") || [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());

  function choose() {
    const chains = new Map();
    const kinds = new Set();
    for (const element of all("body *")) {
      if (!speaks(element) || !element.checkVisibility()) continue;
      const s = getComputedStyle(element);
      const link = element.closest("a");
      const around = link ? getComputedStyle(link).textDecorationLine + getComputedStyle(link.parentElement).color : "";
      const kind = [s.color, s.fontSize, s.fontWeight, s.textShadow, around, chainOf(element, chains)].join("|");
      if (!kinds.has(kind)) chosen.add(element);
      kinds.add(kind);
    }
  }

  // Empty all that holds no chosen element; the emptied elements stay, for styles that count siblings.
  function keepChosen() {
    const kept = new Set();
    for (const element of chosen) for (let e = element; e; e = e.parentElement) kept.add(e);
    for (const element of all("body *"))
      if (!kept.has(element) && kept.has(element.parentElement) && !chosen.has(element.parentElement)) element.replaceChildren();
  }

  async function violations(options, some) {
    if (!some) await rested();
    const results = await axe.run(some ? { include: [...chosen].filter((e) => e.isConnected) } : document, options);
    return results.violations.flatMap((rule) =>
      rule.nodes.slice(0, 3).map((node) => [rule.id, node.html.replace(/\s+/g, " ").slice(0, 120), node.failureSummary.replace(/\s+/g, " ")]));
  }

  return { settled, math, pictures, moving, sideways, lines, mode, thin, choose, keepChosen, violations };
})();
