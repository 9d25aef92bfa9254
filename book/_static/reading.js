// What helps one who reads: proofs that fold, a look at what a link leads to, the symbols of the page, the place
// where one stopped, and a unit alone. Kept in the browser, and forgotten from the menu; without this script proofs
// are open and links lead where they lead.
"use strict";

(() => {
  const site = new URL("../", document.currentScript.src), topicOf = (path) => path.replace(/.*\/|\.html$/g, "");
  const here = topicOf(location.pathname), article = document.querySelector("article.bd-article");
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (tag, options = {}, ...children) => {
    const made = Object.assign(document.createElement(tag), options);
    made.append(...children);
    return made;
  };
  const KEY = "privml-reading", nothing = { places: {}, folded: [] };
  const kept = () => { try { return { ...nothing, ...JSON.parse(localStorage.getItem(KEY)) }; } catch { return nothing; } };
  const keep = (change) => {
    const now = kept();
    change(now);
    try { localStorage.setItem(KEY, JSON.stringify(now)); } catch { /* a browser that keeps nothing */ }
  };
  const words = (heading) => {
    const copy = heading.cloneNode(true);
    all(".headerlink, .further-mark, .section-number", copy).forEach((part) => part.remove());
    return copy.textContent.replace(/\s+/g, " ").trim();
  };

  // Proofs fold under their word, and stay as the reader left them; paper has them all.
  const proofs = all("details.proof-fold");
  const nameOf = (proof) => `${here} ${proof.previousElementSibling?.id || proofs.indexOf(proof)}`;
  const remember = (some) => keep((now) => {
    const names = new Set(some.map(nameOf)), shut = some.filter((proof) => !proof.open).map(nameOf);
    now.folded = [...now.folded.filter((name) => !names.has(name)), ...shut];
  });
  const asKept = () => { const { folded } = kept(); proofs.forEach((proof) => { proof.open = !folded.includes(nameOf(proof)); }); };
  asKept();
  for (const proof of proofs) proof.firstElementChild.addEventListener("click", () => setTimeout(() => remember([proof])));
  addEventListener("beforeprint", () => proofs.forEach((proof) => { proof.open = true; }));
  addEventListener("afterprint", asKept);

  // What stands at an anchor, without what can be pressed in it; nothing where it is a section or a page.
  const LINK = "a[href*='#']:not(.headerlink)", SHOWN = ".proof, .exercise, .solution, figure, dt, div.math, .citation";
  const AWAY = ".headerlink, .box-fold, .code-link, button, .slider-line, .figure-line, script, dl.field-list";
  const pages = new Map();
  const page = (path) => {
    const read = async () => new DOMParser().parseFromString(await (await fetch(path)).text(), "text/html");
    if (!pages.has(path)) pages.set(path, read());
    return pages.get(path);
  };
  async function sight(url) {
    const at = url.pathname === location.pathname ? document : await page(url.pathname);
    const goal = at.getElementById(decodeURIComponent(url.hash.slice(1))), next = goal?.nextElementSibling;
    const found = goal?.closest(SHOWN) ?? (next?.matches(SHOWN) ? next : null);
    if (!found) return null;
    const copy = make("div", {}, found.cloneNode(true));
    let said = found.localName === "dt" ? found.nextElementSibling : null;
    while (said?.localName === "dt") said = said.nextElementSibling;
    if (said) copy.append(...(found.matches(".sig") ? [...said.children].slice(0, 1) : [said]).map((part) => part.cloneNode(true)));
    all(AWAY, copy).forEach((part) => part.remove());
    all("a", copy).forEach((link) => link.replaceWith(...link.childNodes));
    all("[src]", copy).forEach((image) => { image.src = new URL(image.getAttribute("src"), url).href; });
    all("*", copy).forEach((part) => ["id", "tabindex"].forEach((name) => part.removeAttribute(name)));
    return copy.childNodes;
  }

  // It shows beside the link, to a pointer that rests, to the keyboard, and to the first touch of a finger.
  const box = make("div", { id: "preview", className: "preview", hidden: true, tabIndex: 0 });
  let asked, shown, timer, touched;
  article?.append(box);
  function hide() {
    clearTimeout(timer);
    shown?.removeAttribute("aria-describedby");
    asked = shown = undefined;
    box.hidden = true;
  }
  function place(link) {
    const { left, top, bottom } = link.getClientRects()[0], { clientWidth, clientHeight } = document.documentElement;
    box.style.left = `${Math.max(8, Math.min(left, clientWidth - box.offsetWidth - 8))}px`;
    const below = bottom + 6 + box.offsetHeight < clientHeight || top < box.offsetHeight;
    box.style.top = `${below ? bottom + 6 : top - box.offsetHeight - 6}px`;
  }
  async function show(link, parts, role = "tooltip") {
    shown = link;
    box.replaceChildren(...parts);
    box.role = role;
    box.ariaLabel = role === "dialog" ? "What stands there" : null;
    box.hidden = false;
    if (role === "tooltip") link.setAttribute("aria-describedby", box.id);
    await globalThis.MathJax?.startup?.promise;
    await globalThis.MathJax?.typesetPromise?.([box]);
    if (shown === link) place(link);
    if (shown === link && role === "dialog") box.focus({ preventScroll: true });
  }
  async function look(link, role) {
    if (asked !== link) hide();
    asked = link;
    const parts = await sight(new URL(link.href)).catch(() => null);
    if (parts && asked === link) await show(link, role ? [...parts, wayTo(link)] : parts, role);
    return parts;
  }
  const go = (link) => { hide(); location.href = link.href; };
  const wayTo = (link) => make("p", {}, make("a", { href: link.href, textContent: `Go to ${link.textContent.trim()}`, onclick: hide }));
  const linkAt = (target) => (box.contains(target) || !article?.contains(target) ? null : target.closest(LINK));
  const soon = (act, wait) => { clearTimeout(timer); timer = setTimeout(act, wait); };
  document.addEventListener("pointerover", ({ target, pointerType }) => {
    const link = linkAt(target);
    if (pointerType !== "mouse" || (shown && box.role === "dialog")) return;
    if (box.contains(target) || (link && link === shown)) clearTimeout(timer);
    else if (link) soon(() => look(link), 300);
    else soon(hide, 250);
  });
  document.addEventListener("focusin", ({ target }) => linkAt(target) && target.matches(":focus-visible") && soon(() => look(target), 300));
  document.addEventListener("focusout", ({ target }) => target === shown && box.role === "tooltip" && hide());
  document.addEventListener("keydown", ({ key }) => key === "Escape" && hide());
  document.addEventListener("pointerdown", ({ target, pointerType }) => {
    touched = pointerType === "touch";
    if (!box.contains(target) && linkAt(target) !== shown) hide();
  });
  document.addEventListener("click", async (event) => {
    const link = linkAt(event.target);
    if (!link || !touched || link === shown) return;
    event.preventDefault();
    if (!(await look(link, "dialog"))) go(link);
  });

  // The rows of the page of notation whose symbols stand in formulas of this page.
  async function symbols(button) {
    const bare = (tex) => tex.replace(/\s|\\[()]/g, ""), special = /[\\^$*+?.()|[\]{}]/g;
    const formulas = all("article .math", await page(location.pathname)).map((one) => bare(one.textContent)).join(" ");
    const used = (tex) => new RegExp(`(?<![A-Za-z\\\\])${bare(tex).replace(/\(.*/, "").replace(special, "\\$&")}(?![A-Za-z])`).test(formulas);
    const table = (await page(new URL("book/notation.html", site).pathname)).querySelector("#symbols table").cloneNode(true);
    for (const row of all("tbody tr", table)) if (!all(".math", row).some((one) => used(one.textContent))) row.remove();
    await show(button, [make("p", {}, "Symbols in formulas of this chapter; a letter with several meanings has several rows."), table], "dialog");
  }

  // A unit alone: ?unit=1.
  const units = all("article section > h2").filter((heading) => /^Unit \d/.test(words(heading)));
  const alone = units[new URLSearchParams(location.search).get("unit") - 1];
  if (alone) {
    document.documentElement.dataset.unit = "alone";
    alone.parentElement.classList.add("alone");
    const paper = make("button", { type: "button", className: "live-button", textContent: "Print", onclick: () => print() });
    const back = make("a", { href: location.pathname, textContent: "The whole chapter" });
    document.querySelector(".chapter-bar").before(make("p", { className: "unit-alone" }, "One unit of this chapter. ", paper, back));
  }

  // The place where one stopped: said in the head of the chapter and on the cover, marked in the contents.
  const line = document.querySelector(".short-path"), headings = line && !alone ? all("article section[id] > :is(h2, h3)") : [];
  function note() {
    const at = headings.filter((heading) => heading.checkVisibility() && heading.getBoundingClientRect().top < innerHeight / 2).pop();
    const end = at && headings.at(-1).getBoundingClientRect().top < innerHeight;
    if (at && scrollY > innerHeight / 2) keep((now) => {
      now.last = here;
      const done = end || Boolean(now.places[here]?.done);
      now.places[here] = { id: at.parentElement.id, words: words(at), title: words(article.querySelector("h1")), done };
    });
  }
  let noting;
  if (line) addEventListener("scroll", () => { noting ??= setTimeout(() => { noting = undefined; note(); }, 500); }, { passive: true });
  const way = (topic, { id }, textContent) => make("a", { className: "reading-place", href: `${new URL(`notebooks/${topic}.html`, site)}#${id}`, textContent });
  const { places, last } = kept(), cover = document.querySelector(".cover-actions p");
  if (places[here] && headings.length) line.append(make("span", { className: "reading-place" }, " · you were at ", way(here, places[here], places[here].words)));
  if (places[last]) cover?.append(way(last, places[last], `Go on: ${places[last].title}, ${places[last].words}`));
  for (const link of all("nav.bd-links .nav-part a")) {
    const found = places[topicOf(link.pathname)];
    if (found && !link.hash) link.classList.add(found.done ? "reading-done" : "reading-begun");
  }
  function forget() {
    keep((now) => { delete now.last; now.places = {}; });
    all(".reading-place").forEach((part) => part.remove());
    all(".reading-done, .reading-begun").forEach((link) => link.classList.remove("reading-done", "reading-begun"));
  }

  // The menu of a chapter.
  const menu = document.querySelector(".chapter-menu");
  const entry = (textContent, act) => make("button", { type: "button", textContent, onclick: ({ currentTarget }) => act(currentTarget) });
  const fold = () => (proofs.some((proof) => proof.open) ? "Fold all proofs" : "Unfold all proofs");
  function foldAll(button) {
    const open = !proofs.some((proof) => proof.open);
    proofs.forEach((proof) => { proof.open = open; });
    remember(proofs);
    button.textContent = fold();
  }
  const single = units.flatMap((unit, n) => [", ", make("a", { href: `?unit=${n + 1}`, textContent: `unit ${n + 1}` })]);
  menu?.append(make("p", {}, "Print ", entry("this chapter", () => print()), ...single));
  menu?.append(make("p", {}, entry("Symbols of this chapter", symbols)));
  if (proofs.length) menu?.append(make("p", {}, entry(fold(), foldAll)));
  menu?.append(make("p", {}, entry("Forget which chapters I have read", forget)));
})();
