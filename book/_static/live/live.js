// A chapter whose code runs in the page. Nothing is loaded before the reader asks for it.
// The contents (live/<topic>.json): the code of each cell, the earlier cells and the parameters it stands on.

(() => {
"use strict";

const here = document.currentScript.src;
const bar = document.querySelector(".live-bar");
const cells = [...document.querySelectorAll("main div.cell")];
let contents, worker, waiting = new Map(), fresh = new Set(), edits = new Map(), taken, queue = Promise.resolve();

const element = (tag, options = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), options);
  made.append(...children);
  return made;
};
const button = (text, action, label = "") => {
  const made = element("button", { type: "button", className: "live-button", textContent: text, onclick: action });
  if (label) made.setAttribute("aria-label", label);
  return made;
};
const status = () => bar.querySelector(".live-status");
const say = (text) => { status().textContent = text; };

// ---------------------------------------------------------------- Python

function begin() {
  const settings = contents.runtime, absolute = (address) => new URL(address, here).href;
  worker = new Worker(new URL("worker.mjs", here), { type: "module" });
  const ready = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      if (data.state) say(data.state);
      else if (data.ready) resolve();
      else if (data.id === undefined) reject(new Error(data.failure));
      else { waiting.get(data.id)(data); waiting.delete(data.id); }
    };
    worker.onerror = (event) => reject(new Error(event.message || "the runtime could not be loaded"));
  });
  worker.postMessage({ start: {
    base: absolute(settings.base), packages: contents.packages,
    own: { needs: settings.own.needs, wheels: settings.own.wheels.map(absolute) },
    wheel: absolute(settings.wheel), program: absolute("cells.py"),
  } });
  return ready;
}

function stop() {
  worker?.terminate();
  worker = undefined;
  waiting = new Map();
  fresh = new Set();
  queue = Promise.resolve();
  cells.forEach((cell) => cell.classList.remove("live-running"));
}

const code = (k) => edits.get(k) ?? contents.cells[k].code;
const ask = (k) => new Promise((resolve) => {
  waiting.set(k, resolve);
  worker.postMessage({ id: k, code: code(k) });
});

// Run what cell k stands on and has not run as it is, then the cell; true when nothing failed.
async function run(k) {
  const mine = worker;
  for (const j of [...contents.cells[k].needs.filter((j) => !fresh.has(j)), k]) {
    say(`cell ${j + 1} of ${cells.length} runs`);
    cells[j].classList.add("live-running");
    const answer = await ask(j);
    if (worker !== mine) return false;
    cells[j].classList.remove("live-running");
    const outputs = answer.outputs ?? [{ error: answer.failure }];
    show(cells[j], outputs);
    contents.cells.forEach((cell, i) => cell.needs.includes(j) && fresh.delete(i));
    const failed = outputs.find((output) => output.error);
    if (failed) {
      say(`cell ${j + 1} stopped with an error: ${failed.error.trim().split("\n").pop()} `);
      status().append(button("Show the cell", () => cells[j].scrollIntoView({ block: "center" })));
      return false;
    }
    fresh.add(j);
  }
  return true;
}

async function runAll(wanted) {
  let done = 0;
  for (const k of wanted) {
    if (!fresh.has(k) && !(await run(k))) return;
    done += 1;
  }
  say(`${done} cells have run; ${changed()}`);
}

function enqueue(task) {
  if (!worker) return say("Python is stopped: press Restart");
  queue = queue.then(() => worker && task()).catch((error) => say(String(error)));
}

// ---------------------------------------------------------------- what a cell shows

const changed = () => {
  const numbers = document.querySelectorAll(".pasted-text.live-changed").length;
  const outputs = document.querySelectorAll(".cell_output.live-changed").length;
  if (!numbers && !outputs) return "they show what is printed here";
  return `numbers of the text that differ from the printed ones: ${numbers}; cells: ${outputs}`;
};

// What blocks of output say, without the buttons that the theme puts into them.
const words = (blocks) => blocks.map((block) => {
  const copy = block.cloneNode(true);
  copy.querySelectorAll("button").forEach((one) => one.remove());
  return copy.textContent.replace(/\s+/g, " ").trim();
}).join(" ");
// The same to nine digits, to which chapters agree from processor to processor.
const rounded = (text) => text.replace(/\d+\.\d{9,}(e[+-]?\d+)?/g, (number) => Number(number).toPrecision(9));

function numberInText(name, text) {
  for (const place of document.getElementsByClassName(`glued-${name}`)) {
    place.dataset.printed ??= place.textContent.replaceAll("\u00a0", " ");
    place.textContent = text;
    place.classList.toggle("live-changed", text !== place.dataset.printed);
    place.title = text !== place.dataset.printed ? `printed: ${place.dataset.printed}` : "";
  }
}

function block(output) {
  if (output.error || output.printed !== undefined) {
    const inner = element("pre", { textContent: output.error ?? output.printed });
    const outer = element("div", { className: "output stream" }, element("div", { className: "highlight" }, inner));
    if (output.error) outer.classList.add("live-error");
    return outer;
  }
  const html = output.data["text/html"];
  if (html) return element("div", { className: "output text_html", innerHTML: html });
  const inner = element("pre", { textContent: output.data["text/plain"] });
  return element("div", { className: "output text_plain" }, element("div", { className: "highlight" }, inner));
}

function show(cell, outputs) {
  const prefix = "application/papermill.record/text/plain";
  const pictures = [...cell.querySelectorAll(".cell_output img")], blocks = [];
  for (const output of outputs) {
    const data = output.data ?? {};
    if (prefix in data) numberInText(output.metadata.scrapbook.name, data[prefix]);
    else if (data["image/png"]) {
      const detail = data["application/vnd.privml.figure+json"];
      cell.querySelector(".moving")?.dispatchEvent(new CustomEvent("table", { detail }));
      const image = pictures.shift() ?? element("img", { alt: data["text/plain"] });
      image.src = `data:image/png;base64,${data["image/png"]}`;
      image.removeAttribute("srcset");
      if (!image.isConnected) blocks.push(image);
    } else if (!data["text/markdown"]) blocks.push(block(output));
  }
  if (!blocks.length && !cell.querySelector(".live-error")) return;
  let box = cell.querySelector(".cell_output");
  if (!box) cell.append(box = element("div", { className: "cell_output docutils container" }));
  const old = [...box.children].filter((child) => child.matches(".output"));
  const text = words(blocks);
  box.dataset.printed ??= words(old);
  box.classList.toggle("live-changed", rounded(text) !== rounded(box.dataset.printed));
  if (words(old) === text) return;
  old.forEach((child) => child.remove());
  box.append(...blocks);
}

// ---------------------------------------------------------------- buttons and parameters

function editor(k) {
  const cell = cells[k], pre = cell.querySelector(".cell_input .highlight");
  if (!pre || cell.querySelector(".live-code")) return;
  const area = element("textarea", { className: "live-code", value: code(k), spellcheck: false });
  area.rows = Math.min(20, code(k).split("\n").length);
  area.setAttribute("aria-label", `Code of cell ${k + 1}`);
  area.onkeydown = (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); runOne(k); }
  };
  pre.hidden = true;
  pre.after(area);
  area.focus();
}

function runOne(k) {
  const area = cells[k].querySelector(".live-code");
  if (area) edits.set(k, area.value);
  enqueue(async () => (await run(k)) && say(`cell ${k + 1} has run; ${changed()}`));
}

function cellButtons() {
  cells.forEach((cell, k) => {
    const place = cell.querySelector(".cell_input");
    const buttons = element("div", { className: "live-cell" });
    buttons.append(button("Run", () => runOne(k), `Run cell ${k + 1}`));
    buttons.append(button("Edit", () => editor(k), `Edit cell ${k + 1}`));
    place.prepend(buttons);
  });
}

// A file of the reader's stays in the page: Python gets its bytes, and the parameter its name.
function fieldFor({ name, value }) {
  const id = `live-${name}`;
  if (name !== "file") return element("input", { name, id, value, autocomplete: "off", spellcheck: false });
  const input = element("input", { id, type: "file", accept: ".csv,text/csv" });
  const hidden = element("input", { name, type: "hidden", value });
  input.onchange = () => {
    taken = input.files[0];
    hidden.value = taken ? JSON.stringify(taken.name) : value;
  };
  return element("span", {}, input, hidden);
}

function parameterForm() {
  const form = element("form", { className: "live-parameters" });
  for (const { name, value, comment } of contents.parameters) {
    const input = fieldFor({ name, value });
    const label = element("label", { htmlFor: `live-${name}` }, element("code", { textContent: name }));
    form.append(element("div", {}, label, input, element("small", { textContent: comment })));
  }
  form.append(element("button", { className: "live-button", textContent: "Run with these values" }));
  form.onsubmit = (event) => { event.preventDefault(); withParameters(new FormData(form)); seeStatus(); };
  return form;
}

// On a phone the form hides the line above it, which says how far Python is.
const seeStatus = () => status().scrollIntoView({ block: "nearest" });

function withParameters(given) {
  const k = contents.cells.findIndex((cell) => cell.tags.includes("parameters"));
  const before = Object.fromEntries(contents.parameters.map(({ name, now, value }) => [name, now ?? value]));
  const moved = contents.parameters.filter(({ name }) => given.get(name) !== before[name]);
  for (const parameter of contents.parameters) parameter.now = given.get(parameter.name);
  edits.set(k, contents.parameters.map(({ name, now }) => `${name} = ${now}`).join("\n"));
  const names = new Set(moved.map(({ name }) => name));
  const touched = contents.cells.map((cell, i) => cell.parameters.some((name) => names.has(name)) ? i : -1);
  enqueue(async () => {
    if (taken) worker.postMessage({ file: taken.name, bytes: await taken.arrayBuffer() });
    const kept = new Set(fresh);
    fresh.delete(k);
    if (!(await run(k))) return;
    touched.filter((i) => i >= 0).forEach((i) => kept.delete(i));
    kept.delete(k);
    fresh = new Set([...kept, k]);
    await runAll(contents.cells.keys());
  });
}

async function restart() {
  stop();
  say("Python starts again");
  try {
    queue = begin();
    await queue;
    say("ready");
  } catch (error) {
    stop();
    say(`Python could not be loaded (${error.message}): press Restart to try again`);
  }
}

async function open() {
  const start = bar.querySelector(".live-start");
  start.disabled = true;
  say("Python is being loaded");
  try {
    contents = await (await fetch(new URL(bar.dataset.contents, location))).json();
    if (contents.cells.length !== cells.length) throw new Error("the page and its code do not agree");
    queue = begin();
    await queue;
  } catch (error) {
    stop();
    start.disabled = false;
    say(`Python could not be loaded (${error.message}).`);
    return;
  }
  if (!bar.querySelector(".live-parameters")) {
    cellButtons();
    bar.append(parameterForm());
  }
  start.replaceWith(
    button("Run all", () => enqueue(() => runAll(contents.cells.keys()))),
    button("Stop", () => { stop(); say("stopped; what is shown stays"); }),
    button("Restart", restart),
  );
  say("ready: run a cell, edit it, or change a parameter");
}

if (bar) {
  bar.hidden = false;
  const start = bar.querySelector(".live-start");
  start.onclick = open;
  if (location.protocol === "file:") {
    start.remove();
    say("A page from a file cannot load Python: in the published book, or after make serve, this code runs in the page.");
  }
}
})();
