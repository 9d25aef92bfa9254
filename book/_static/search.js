// The search, after Sphinx's own script: excerpts without what surrounds the text, and pages that are about the query first.
"use strict";

(() => {
  const AROUND = ".headerlink, script, style, .bd-header-article, #jb-print-docs-body, .bd-sidebar-secondary, "
    + ".chapter-bar, .code-drawer, .cell, .prev-next-footer, footer";

  // Anchors are the ids of statements, some with a point, which a selector would read as a class.
  Search.htmlToText = (text, anchor) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    const whole = page.querySelector("[role=main]");
    const part = anchor ? page.getElementById(anchor.slice(1)) : null;
    for (const element of page.querySelectorAll(AROUND)) element.remove();
    return ((part?.isConnected && part.textContent.trim() ? part : whole)?.textContent ?? "").replace(/\s+/g, " ");
  };

  // Sphinx counts a word in any heading of a page as one in its title, so that half of the chapters come out even.
  const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const asked = words(new URLSearchParams(location.search).get("q") ?? "").filter((word) => word.length > 3);
  Scorer.score = ([, title, anchor, said, score]) => {
    if (said?.startsWith("Python")) return score - 8; // a name of the package: chapters come first
    const named = words(title), met = asked.filter((word) => named.some((one) => one.startsWith(word)));
    // An entry of the index counts up to 100; a page whose title has every word comes before all entries.
    const about = met.length === asked.length ? 100 : 0;
    return anchor || !asked.length ? score : score + about + (15 * met.length) / asked.length;
  };
})();
