// The short path: further sections fold to their headings when the reader wants, on all chapters alike.
// Without this script everything is shown. The choice is kept in the browser.
"use strict";

(() => {
  const KEY = "privml-path", root = document.documentElement;
  const kept = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
  const keep = (path) => { try { localStorage.setItem(KEY, path); } catch { /* the choice holds for this page */ } };
  root.dataset.path = kept() === "short" ? "short" : "all";  // before the page is drawn

  const sections = () => document.querySelectorAll("section.further");

  function unfold(section, open) {
    const button = section.querySelector(":scope > .further-toggle");
    section.classList.toggle("further-open", open);
    button.setAttribute("aria-expanded", String(open));
    button.firstChild.textContent = open ? "Fold this section" : "Read this section";
  }

  // Open the further sections around the target of a link.
  function reveal(hash) {
    let target = null;
    try { target = document.getElementById(decodeURIComponent(hash.slice(1))); } catch { return; }
    const around = [];
    for (let at = target?.closest("section.further"); at; at = at.parentElement.closest("section.further")) around.push(at);
    const folded = around.filter((section) => !section.classList.contains("further-open"));
    folded.forEach((section) => unfold(section, true));
    if (folded.length && root.dataset.path === "short") target.scrollIntoView();
  }

  function choose(path) {
    root.dataset.path = path;
    document.querySelectorAll(".path-switch button").forEach((button) =>
      button.setAttribute("aria-pressed", String(button.dataset.path === path)));
  }

  function toggle(section) {
    const heading = section.querySelector("h2, h3, h4, h5, h6");
    const button = document.createElement("button");
    const name = document.createElement("span");
    button.type = "button";
    button.className = "live-button further-toggle";
    name.className = "visually-hidden";
    name.textContent = `: ${title(heading)}`;
    button.append("", name);
    button.addEventListener("click", () => unfold(section, !section.classList.contains("further-open")));
    heading.after(button);
    unfold(section, false);
  }

  function title(heading) {
    const copy = heading.cloneNode(true);
    copy.querySelectorAll(".headerlink, .further-mark").forEach((part) => part.remove());
    return copy.textContent.trim();
  }

  document.addEventListener("DOMContentLoaded", () => {
    sections().forEach(toggle);
    choose(root.dataset.path);
    document.querySelectorAll(".path-switch").forEach((group) => {
      group.hidden = false;
      group.addEventListener("click", ({ target }) => {
        const path = target.closest("button")?.dataset.path;
        if (!path) return;
        keep(path);
        sections().forEach((section) => unfold(section, false));
        choose(path);
      });
    });
    reveal(location.hash);
  });
  addEventListener("hashchange", () => reveal(location.hash));
  addEventListener("storage", ({ key }) => key === KEY && choose(kept() === "short" ? "short" : "all"));
  document.addEventListener("click", ({ target }) => {
    const link = target.closest?.("a[href^='#']");
    if (link) reveal(link.hash);
  });
})();
