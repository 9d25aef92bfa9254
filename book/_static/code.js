// Code outside of the flow: imports and drawing functions in a drawer at the chapter's end, numbers for the text
// nowhere, or all code in place when the reader wants it, on all chapters alike. The choice is kept in the browser.
"use strict";

(() => {
  const KEY = "privml-code", root = document.documentElement;
  const kept = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
  const keep = (choice) => { try { localStorage.setItem(KEY, choice); } catch { /* the choice holds for this page */ } };
  root.dataset.code = kept() === "all" ? "all" : "less"; // before the page is drawn

  const places = new Map();
  let drawer, button;

  // Cells keep their places in the page, and are in the drawer while it is open.
  function fill(open) {
    for (const [cell, place] of places) open ? drawer.append(cell) : place.replaceWith(cell);
    places.clear();
    if (!open) return;
    for (const cell of document.querySelectorAll(".cell.plumbing:not(.tag_values)")) {
      const place = document.createComment("code");
      cell.replaceWith(place);
      places.set(cell, place);
      drawer.append(cell);
    }
  }

  function choose(choice) {
    root.dataset.code = choice;
    button.setAttribute("aria-pressed", String(choice === "all"));
    for (const one of document.querySelectorAll(".figure-code")) one.open = choice === "all";
    drawer.hidden = choice === "all";
    drawer.open = false;
    fill(false);
  }

  // A link to a drawing function opens the drawer around it.
  function reveal(hash) {
    const cell = hash.length > 1 && document.getElementById(hash.slice(1))?.closest(".plumbing");
    if (!cell || root.dataset.code === "all") return;
    drawer.open = true;
    if (!places.size) fill(true);
    cell.scrollIntoView();
  }

  document.addEventListener("DOMContentLoaded", () => {
    drawer = document.querySelector(".code-drawer");
    button = document.querySelector(".code-switch");
    if (!drawer) return;
    drawer.addEventListener("toggle", () => drawer.open !== places.size > 0 && fill(drawer.open));
    button.hidden = false;
    button.addEventListener("click", () => {
      keep(root.dataset.code === "all" ? "less" : "all");
      choose(root.dataset.code === "all" ? "less" : "all");
    });
    choose(root.dataset.code);
    reveal(location.hash);
  });
  addEventListener("hashchange", () => reveal(location.hash));
})();
