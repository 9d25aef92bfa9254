// A filter for the map of results. Without this script the page shows everything; the script adds the controls.
"use strict";

(() => {
  const rows = [...document.querySelectorAll("table.results-map tr.item")];
  const counts = document.querySelector("table.counts");
  if (!rows.length || !counts) return;

  const sectionOf = (row) => row.closest("section");
  const statusOf = (row) => row.querySelector(".status").textContent;
  const sources = [...new Set(rows.map(sectionOf))];

  const control = (name, element, happening) => {
    const label = document.createElement("label");
    label.textContent = name;
    label.htmlFor = element.id = `results-filter-${name.toLowerCase()}`;
    const pair = document.createElement("span");
    pair.append(label, " ", element);
    form.append(pair);
    element.addEventListener(happening, apply);
    return element;
  };

  const choice = (name, options) => {
    const select = document.createElement("select");
    for (const [value, text] of [["", "all"], ...options]) select.add(new Option(text, value));
    return control(name, select, "change");
  };

  const form = document.createElement("form");
  form.className = "results-filter";
  form.setAttribute("role", "search");
  form.setAttribute("aria-label", "Filter the items");
  form.addEventListener("submit", (event) => event.preventDefault());

  const source = choice("Source", sources.map((s) => [s.id, s.querySelector("h2").firstChild.textContent.split(":")[0]]));
  const status = choice("Status", ["covered", "partly", "not yet"].map((s) => [s, s]));
  const words = control("Words", document.createElement("input"), "input");
  words.type = "search";
  const told = document.createElement("output");
  form.append(told);
  counts.closest(".pst-scrollable-table-container, table").after(form);

  function apply() {
    const wanted = words.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const good =
        (!source.value || sectionOf(row).id === source.value) &&
        (!status.value || statusOf(row) === status.value) &&
        (!wanted || row.textContent.toLowerCase().includes(wanted));
      row.hidden = !good;
      shown += good;
    }
    for (const section of sources) section.hidden = !rows.some((row) => !row.hidden && sectionOf(row) === section);
    told.textContent = `${shown} of ${rows.length} items`;
  }

  apply();
})();
