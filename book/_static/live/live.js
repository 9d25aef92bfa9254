// A chapter whose code runs in the page. Nothing is loaded before the reader asks for it, on this chapter or before.
// The contents (live/<topic>.json): the code of each cell, the earlier cells and the parameters it stands on.

(() => {
"use strict";

const here = document.currentScript.src;
const bar = document.querySelector(".live-bar");
const cells = [...document.querySelectorAll("main div.cell")];
// What has run as it is now, what stopped, and what stands on something that changed since it was shown.
let contents, worker, waiting = new Map(), fresh = new Set(), failed = new Set(), outdated = new Set();
let ran = [], clock = 0, head, taken, queue = Promise.resolve();
const edits = new Map(), values = new Map(), said = new Map();

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
  failed = new Set();
  ran = [];
  queue = Promise.resolve();
  cells.forEach((cell) => cell.classList.remove("live-running"));
}

const given = () => (values.size
  ? contents.parameters.map(({ name, value }) => `${name} = ${values.get(name) ?? value}`).join("\n") : undefined);
const code = (k) => (k === head ? given() : edits.get(k)) ?? contents.cells[k].code;
const ask = (k) => new Promise((resolve) => {
  waiting.set(k, resolve);
  worker.postMessage({ id: k, code: code(k), given: k === head ? contents.parameters.map(({ name }) => name) : [] });
});

// The earlier cells that run before cell k: what has not run as it is, and what others wrote over since.
function first(k) {
  const { needs, spoiled } = contents.cells[k], again = new Set(needs.filter((j) => !fresh.has(j)));
  for (const [j, i] of spoiled) if (again.has(i) || (ran[i] ?? 0) > (ran[j] ?? 0)) again.add(j);
  return [...again].sort((a, b) => a - b);
}

// Run what cell k stands on as far as it must, then the cell; true, or false when one failed.
async function run(k) {
  const mine = worker;
  for (const j of [...first(k), k]) {
    say(`cell ${j + 1} of ${cells.length} runs`);
    cells[j].classList.add("live-running");
    const answer = await ask(j);
    if (worker !== mine) return undefined;
    cells[j].classList.remove("live-running");
    const outputs = answer.outputs ?? [{ error: answer.failure }];
    show(j, outputs);
    ran[j] = ++clock;
    if (!fresh.has(j) && j !== head) above(j).forEach((i) => fresh.delete(i));
    const stopped = outputs.find((output) => output.error);
    if (stopped) {
      told.push([j, stopped.error.trim().split("\n").pop()]);
      failed.add(j);
      if (cells[j].querySelector(".cell_output img") || contents.cells[j].values.length) greyed(j, "this cell stopped");
      above(j).forEach((i) => { fresh.delete(i); greyed(i, `cell ${j + 1}, on which this one stands, stopped`); });
      return false;
    }
    failed.delete(j);
    fresh.add(j);
    current(j);
  }
  return true;
}

// The cells that stand on cell j, or that read a parameter.
const above = (j) => [...contents.cells.keys()].filter((i) => contents.cells[i].needs.includes(j));
const reading = (name) => [...contents.cells.keys()].filter((i) => contents.cells[i].parameters.includes(name));
const outdate = (some) => some.forEach((k) => { fresh.delete(k); outdated.add(k); });

// Grey what shows former answers, with the reason.
function greyed(k, reason) {
  const cell = cells[k], box = cell.querySelector(".cell_output");
  for (const name of contents.cells[k].values) places(name).forEach((place) => place.classList.add("live-stale"));
  if (!box) return;
  cell.classList.add("live-stale");
  note(cell, `former answer: ${reason}`);
}
function current(k) {
  outdated.delete(k);
  cells[k].classList.remove("live-stale");
  if (k !== head) note(cells[k], "");
  for (const name of contents.cells[k].values) places(name).forEach((place) => place.classList.remove("live-stale"));
}
function note(cell, text) {
  let place = cell.querySelector(".live-note");
  if (!place && text) cell.append(place = element("p", { className: "live-note" }));
  if (text) place.textContent = text;
  else place?.remove();
}

// The errors of a run, as the line of the status says them.
let told = [];
function errors() {
  const kept = told;
  told = [];
  if (!kept.length) return false;
  const grey = cells.filter((cell, k) => cell.classList.contains("live-stale") && !failed.has(k)).length;
  const rest = grey ? `; grey cells show former answers: ${grey}` : "";
  say(kept.map(([j, words]) => `cell ${j + 1} stopped with an error: ${words}`).join("; ") + `${rest} `);
  status().append(button("Show the cell", () => cells[kept[0][0]].scrollIntoView({ block: "center" })));
  return true;
}

async function runAll() {
  let done = 0;
  outdated.forEach((k) => greyed(k, "this cell runs again"));
  failed.clear();
  for (const k of contents.cells.keys()) {
    const broken = contents.cells[k].needs.find((j) => failed.has(j));
    if (broken !== undefined) greyed(k, `cell ${broken + 1}, on which this one stands, stopped`);
    else if (fresh.has(k)) done += 1;
    else {
      const well = await run(k);
      if (well === undefined) return;
      done += well;
    }
  }
  if (!errors()) say(`${done} cells have run; ${changed()}`);
}

// A task runs after those before it, unless a field holds what it must not.
function enqueue(task) {
  if (!worker) return say("Python is stopped: press Restart");
  const wrong = bar.querySelector(".live-parameters [aria-invalid=true]");
  if (wrong) {
    wrong.focus();
    return say(document.getElementById(`${wrong.id}-fault`).textContent);
  }
  queue = queue.then(() => worker && task()).catch((error) => say(String(error)));
}

// ---------------------------------------------------------------- what a cell shows

const changed = () => {
  const numbers = document.querySelectorAll(".pasted-text.live-changed").length;
  const outputs = document.querySelectorAll(".cell_output.live-changed").length;
  const figures = document.querySelectorAll("div.cell.live-redrawn").length;
  if (!numbers && !outputs && !figures) return "they show what is printed here";
  return `numbers of the text that differ from the printed ones: ${numbers}; figures: ${figures}; other outputs: ${outputs}`;
};

// What blocks of output say, without the buttons that the theme puts into them.
const words = (blocks) => blocks.map((block) => {
  const copy = block.cloneNode(true);
  copy.querySelectorAll("button").forEach((one) => one.remove());
  return copy.textContent.replace(/\s+/g, " ").trim();
}).join(" ");
// The same to nine digits, to which chapters agree from processor to processor.
const rounded = (text) => text.replace(/\d+\.\d{9,}(e[+-]?\d+)?/g, (number) => Number(number).toPrecision(9));

const places = (name) => [...document.getElementsByClassName(`glued-${name}`)];
function numberInText(name, text) {
  said.set(name, text);
  for (const place of places(name)) {
    place.dataset.printed ??= place.textContent.replaceAll("\u00a0", " ");
    place.textContent = text;
    place.classList.toggle("live-changed", text !== place.dataset.printed);
    place.title = text !== place.dataset.printed ? `printed: ${place.dataset.printed}` : "";
  }
}

// Whether two tables of a figure agree but for what a processor may change.
const close = (a, b) => a === b || (typeof a === "number" && typeof b === "number"
  && Math.abs(a - b) <= 1e-5 * Math.max(Math.abs(a), Math.abs(b)) + 1e-12);
const same = (one, other) => one.length === other.length
  && one.every((row, n) => row.length === other[n].length && row.every((entry, m) => close(entry, other[n][m])));

const OTHER = "Drawn with other values; as printed: ";
// An alternative text with the numbers that have been said; as it is while one is missing.
function alternative(text, before) {
  const named = /\{glue:text\}`([^`]+)`/g, names = [...text.matchAll(named)].map(([, name]) => name);
  return names.length && names.every((name) => said.has(name)) ? text.replace(named, (_, name) => said.get(name)) : before;
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

function show(k, outputs) {
  const cell = cells[k];
  const prefix = "application/papermill.record/text/plain";
  const pictures = [...cell.querySelectorAll(".cell_output img")], blocks = [];
  for (const output of outputs) {
    const data = output.data ?? {};
    if (prefix in data) numberInText(output.metadata.scrapbook.name, data[prefix]);
    else if (data["image/png"]) {
      const detail = data["application/vnd.privml.figure+json"];
      cell.querySelector(".slider-figure")?.dispatchEvent(new CustomEvent("table", { detail }));
      const image = pictures.shift() ?? element("img", { alt: data["text/plain"] });
      image.src = `data:image/png;base64,${data["image/png"]}`;
      image.removeAttribute("srcset");
      image.alt = alternative(contents.cells[k].alt, image.alt.replace(OTHER, ""));
      const other = detail && cell.classList.toggle("live-redrawn", !same(detail.rows, contents.cells[k].table));
      if (other) image.alt = OTHER + image.alt; // its positions are those of the printed figure
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

// ---------------------------------------------------------------- what the browser keeps

const store = { name: `privml ${bar?.dataset.contents.replace(/.*\//, "")}` };
store.save = () => {
  const kept = { values: Object.fromEntries(values), edits: [...edits].map(([k, text]) => [k, contents.cells[k].code, text]) };
  delete kept.values.file;
  try {
    if (Object.keys(kept.values).length || kept.edits.length) localStorage.setItem(store.name, JSON.stringify(kept));
    else localStorage.removeItem(store.name);
  } catch { /* a browser that keeps nothing */ }
};
// Values and edits of the last visit, those of code that is still on the page.
store.read = () => {
  try {
    const kept = JSON.parse(localStorage.getItem(store.name)) ?? {};
    for (const { name, value } of contents.parameters)
      if (name in (kept.values ?? {}) && !fault(name, kept.values[name]) && kept.values[name] !== value) values.set(name, kept.values[name]);
    for (const [k, before, text] of kept.edits ?? [])
      if (k !== head && contents.cells[k]?.code === before) edits.set(k, text);
  } catch { /* nothing that can be read */ }
};

// ---------------------------------------------------------------- what a field may hold

// A number, a text, or a list, tuple or dict of them: its kind, or nothing. Python sees no other words of a field.
const number = (text) => Number(text.replaceAll(/[_,\s]/g, "").split("/").reduce((a, b) => a / b));
const TOKENS = /\s*([-+]?(?:\d+(?:_\d+)*\.?\d*|\.\d+)(?:e[-+]?\d+)?(?:\s*\/\s*\d+)?|"[^"\\\n]*"|'[^'\\\n]*'|None\b|[[\](){},:])/yi;
function kind(text) {
  const found = [];
  let at = 0, end = TOKENS.lastIndex = 0;
  for (let match; (match = TOKENS.exec(text)); end = TOKENS.lastIndex) found.push(match[1]);
  if (text.slice(end).trim()) return "";
  const value = () => {
    const token = found[at++] ?? "";
    if (/^[-+.\d]/.test(token)) {
      if (/^[-+]?0\d/.test(token) || !Number.isFinite(number(token))) return "";
      return /^[-+]?[\d_]+$/.test(token) ? "whole number" : "number";
    }
    if (/^["']/.test(token)) return "text";
    if (/^[A-Z]/.test(token)) return token;
    const closing = { "[": "]", "(": ")", "{": "}" }[token];
    if (!closing) return "";
    for (;;) {
      if (found[at] === closing) break;
      if (!value()) return "";
      if (token === "{" && (found[at++] !== ":" || !value())) return "";
      if (found[at] === ",") at += 1;
      else if (found[at] !== closing) return "";
    }
    at += 1;
    return token === "{" ? "dict" : "list";
  };
  const whole = value();
  return at === found.length ? whole : "";
}

const SIGNS = {
  ">=": ["at least", (x, a) => x >= a], "<=": ["at most", (x, a) => x <= a],
  ">": ["more than", (x, a) => x > a], "<": ["below", (x, a) => x < a],
};

const parameter = (name) => contents.parameters.find((one) => one.name === name);
// What is wrong with a value for a parameter, in a sentence; nothing when it may run.
function fault(name, text) {
  const { value, comment, limits } = parameter(name);
  const wanted = kind(value), is = kind(text);
  if (is === "None" && /\bNone\b/.test(comment)) return "";
  const an = { "whole number": "a whole number", list: "a list of numbers", text: "a text in quotes", dict: "a dict" }[wanted] ?? "a number";
  const like = `, such as ${value}`;
  const words = /["']/.test(text) && !/["']/.test(value);
  if (words || (is !== wanted && !(wanted === "number" && is === "whole number")))
    return `${name} must be ${an}${like}${/^\s*\d+,\d+\s*$/.test(text) ? " (with a point, not a comma)" : ""}`;
  const broken = wanted.endsWith("number") && limits.find(([sign, bound]) => !SIGNS[sign][1](number(text), bound));
  if (broken) return `${name} must be ${SIGNS[broken[0]][0]} ${broken[1]}`;
  return "";
}

// ---------------------------------------------------------------- buttons and parameters

function editor(k) {
  if (k === head) return bar.querySelector(".live-parameters input")?.focus();
  const cell = cells[k], pre = cell.querySelector(".cell_input .highlight");
  if (!pre || cell.querySelector(".live-code")) return;
  const area = element("textarea", { className: "live-code", value: code(k), spellcheck: false });
  area.rows = Math.min(20, code(k).split("\n").length);
  area.setAttribute("aria-label", `Code of cell ${k + 1}`);
  area.oninput = () => edited(k, area.value);
  area.onkeydown = (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); runOne(k); }
  };
  pre.hidden = true;
  pre.after(area);
  area.focus();
}

// The code of a cell is now this; the printed code when there is none.
function edited(k, text) {
  if (text === undefined || text === contents.cells[k].code) edits.delete(k);
  else edits.set(k, text);
  cells[k].querySelector(".live-original").hidden = !edits.has(k);
  outdate([k, ...above(k)]);
  store.save();
}

function original(k) {
  const cell = cells[k];
  cell.querySelector(".live-code")?.remove();
  cell.querySelector(".cell_input .highlight").hidden = false;
  edited(k);
}

function runOne(k) {
  enqueue(async () => {
    failed.delete(k);
    outdated.forEach((i) => i !== k && greyed(i, "something that it stands on has changed"));
    const well = await run(k);
    if (!errors() && well) say(`cell ${k + 1} has run; ${changed()}`);
  });
}

function cellButtons() {
  cells.forEach((cell, k) => {
    const place = cell.querySelector(".cell_input");
    const buttons = element("div", { className: "live-cell" });
    buttons.append(button("Run", () => runOne(k), `Run cell ${k + 1}`));
    buttons.append(button("Edit", () => editor(k), `Edit cell ${k + 1}`));
    const back = button("Original", () => original(k), `Original code of cell ${k + 1}`);
    back.classList.add("live-original");
    back.hidden = true;
    buttons.append(back);
    place.prepend(buttons);
  });
}

// A file of the reader's stays in the page: Python gets its bytes, and the parameter its name.
function fieldFor({ name, value }) {
  const id = `live-${name}`;
  if (name !== "file") {
    const input = element("input", { name, id, defaultValue: value, autocomplete: "off", spellcheck: false });
    input.value = values.get(name) ?? value;
    input.setAttribute("aria-describedby", `${id}-fault`);
    input.oninput = () => field(input, name);
    return input;
  }
  const input = element("input", { id, type: "file", accept: ".csv,text/csv" });
  input.oninput = () => {
    taken = input.files[0];
    hold("file", taken ? JSON.stringify(taken.name) : value);
  };
  return input;
}

// What a field holds is checked as it is typed; only what may run becomes the value.
function field(input, name) {
  const wrong = fault(name, input.value);
  input.setAttribute("aria-invalid", String(Boolean(wrong)));
  document.getElementById(`${input.id}-fault`).textContent = wrong;
  if (!wrong) hold(name, input.value.trim());
}

function hold(name, text) {
  const printed = parameter(name).value;
  if ((values.get(name) ?? printed) === text && name !== "file") return;
  if (text === printed) values.delete(name);
  else values.set(name, text);
  outdate([head, ...reading(name)]);
  if (values.size) note(cells[head], `runs with ${[...values].map((pair) => pair.join(" = ")).join(", ")}`);
  else note(cells[head], "");
  store.save();
}

function parameterForm() {
  const form = element("form", { className: "live-parameters", noValidate: true });
  for (const { name, value, comment } of contents.parameters) {
    const input = fieldFor({ name, value });
    const label = element("label", { htmlFor: `live-${name}` }, element("code", { textContent: name }));
    const wrong = element("small", { className: "live-fault", id: `live-${name}-fault` });
    wrong.setAttribute("aria-live", "polite");
    form.append(element("div", {}, label, input, element("small", { textContent: comment }), wrong));
  }
  form.append(element("button", { className: "live-button", textContent: "Run with these values" }));
  form.append(button("Reset", reset, "Reset all values and edits to the printed ones"));
  form.onsubmit = (event) => { event.preventDefault(); withFile(); enqueue(runAll); };
  return form;
}

// Everything as it is printed; what the browser keeps is forgotten.
function reset() {
  const form = bar.querySelector(".live-parameters");
  form.reset();
  form.querySelectorAll("input").forEach((input) => input.oninput());
  [...edits.keys()].forEach(original);
  say("values and code are the printed ones: press Run all");
}

function withFile() {
  if (taken) enqueue(async () => worker.postMessage({ file: taken.name, bytes: await taken.arrayBuffer() }));
}

// The line of the status stays in sight: at the foot of the window where the bar is not. Its place keeps its room.
function keepStatus() {
  const place = element("span", { className: "live-place" });
  status().before(place);
  new IntersectionObserver(([{ isIntersecting }]) => {
    place.textContent = isIntersecting ? "" : status().textContent;
    status().classList.toggle("live-afloat", !isIntersecting);
  }).observe(place);
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

// Python with the packages of the chapter; the imports run while the reader looks.
let prepared;
async function prepare() {
  say("Python is being loaded");
  contents = await (await fetch(new URL(bar.dataset.contents, location))).json();
  if (contents.cells.length !== cells.length) throw new Error("the page and its code do not agree");
  head = contents.cells.findIndex((cell) => cell.tags.includes("parameters"));
  queue = begin();
  await queue;
  waiting.set(-1, () => {});
  worker.postMessage({ id: -1, code: contents.cells.find((cell) => cell.tags.includes("imports"))?.code ?? "" });
}

async function open() {
  const start = bar.querySelector(".live-start");
  start.disabled = true;
  try {
    visit.setItem("privml-live", "asked");
    await (prepared ??= prepare());
  } catch (error) {
    prepared = undefined;
    stop();
    start.disabled = false;
    say(`Python could not be loaded (${error.message}).`);
    return;
  }
  if (!bar.querySelector(".live-parameters")) {
    store.read();
    cellButtons();
    bar.append(parameterForm());
    keepStatus();
  }
  start.replaceWith(
    button("Run all", () => enqueue(runAll)),
    button("Stop", () => { stop(); say("stopped; what is shown stays"); }),
    button("Restart", restart),
  );
  say("ready: run a cell, edit it, or change a parameter");
  if (values.size || edits.size) again();
}

// What was kept from the last visit is in its place, and the line of the status says so.
function again() {
  const kept = new Map(values);
  values.clear();
  kept.forEach((text, name) => hold(name, text));
  for (const [k, text] of edits) { editor(k); edited(k, text); }
  document.activeElement.blur();
  say(`ready, with ${values.size} values and ${edits.size} edits of your last visit: Run all, or Reset`);
}

let visit = { getItem: () => null, setItem: () => {} };
try { visit = sessionStorage; } catch { /* a browser that keeps nothing */ }
if (bar) {
  bar.hidden = false;
  const start = bar.querySelector(".live-start");
  start.onclick = open;
  const quit = () => { prepared = undefined; stop(); say(""); };
  const early = () => { if (!prepared) (prepared = prepare()).then(() => say("Python is ready"), quit); };
  if (visit.getItem("privml-live") && !(navigator.deviceMemory < 4)) setTimeout(early, 2000);
  if (location.protocol === "file:") {
    start.remove();
    say("A page from a file cannot load Python: in the published book, or after make serve, this code runs in the page.");
  }
}
})();
