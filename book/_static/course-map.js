// The course map: a chapter under the pointer or in focus shows all that it needs, and what needs it.

for (const map of document.querySelectorAll(".course-map")) {
  const rows = [...map.querySelectorAll("li[data-topic]")];
  const needs = new Map(rows.map((row) => [row.dataset.topic, new Set(row.dataset.needs.split(" "))]));
  const show = (topic) => {
    const below = (other) => other === topic || needs.get(topic)?.has(other);
    const above = (other) => needs.get(other)?.has(topic);
    map.classList.toggle("map-chosen", Boolean(topic));
    for (const one of map.querySelectorAll("[data-topic]")) {
      one.classList.toggle("map-on", below(one.dataset.topic));
      one.classList.toggle("map-after", Boolean(above(one.dataset.topic)));
    }
    for (const one of map.querySelectorAll("[data-to]")) one.classList.toggle("map-on", below(one.dataset.to));
  };
  for (const row of rows) {
    row.addEventListener("pointerenter", () => show(row.dataset.topic));
    row.addEventListener("focusin", () => show(row.dataset.topic));
    row.addEventListener("focusout", () => show(""));
  }
  map.addEventListener("pointerleave", () => show(""));
}
