// SliderFigure figures: a slider over the table that a figure was drawn from. Nothing is computed here: each stop of the
// slider shows rows of the table that stands in the page; without this script the picture of one stop remains.

(() => {
"use strict";

const COLOURS = ["#0072B2", "#D55E00", "#000000", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"];
const DASHES = ["", "7 4", "8 3 2 3", "2 3", "10 3", "6 2 2 2", "1 3"];
const [WIDEST, NARROWEST, LEFT, RIGHT, BOTTOM] = [640, 330, 64, 12, 52];
const NS = "http://www.w3.org/2000/svg";

const number = (y) => (y === "inf" ? Infinity : y === "-inf" ? -Infinity : y);
const said = (y) => {
  if (typeof y === "string") return y;
  if (y === null) return "none";
  if (!Number.isFinite(y)) return y > 0 ? "infinite" : "minus infinity";
  return y !== 0 && (Math.abs(y) < 1e-4 || Math.abs(y) >= 1e6) ? y.toExponential(2) : String(Number(y.toPrecision(3)));
};
const brief = (v) => said(v).replace(/\.?0+e/, "e");

// A scale from [low, high] to [from, to]; logarithmic where asked.
function scale(low, high, from, to, log) {
  const f = log ? Math.log10 : (v) => v;
  const [a, b] = [f(low), f(high) === f(low) ? f(low) + 1 : f(high)];
  return (v) => from + ((f(v) - a) / (b - a)) * (to - from);
}

function ticks(low, high, log) {
  if (log) {
    const [a, b] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
    if (b - a < 2) {
      const near = Array.from({ length: b - a + 3 }, (_, k) => [1, 2, 5].map((m) => Number(`${m}e${a - 1 + k}`))).flat();
      return near.filter((v) => v >= low * (1 - 1e-9) && v <= high * (1 + 1e-9));
    }
    const step = Math.max(1, Math.ceil((b - a) / 6));
    return Array.from({ length: Math.floor((b - a) / step) + 1 }, (_, k) => 10 ** (a + k * step));
  }
  const rough = (high - low) / 5, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].find((m) => m * power >= rough) * power;
  const made = [];
  for (let v = Math.ceil(low / step - 1e-9) * step; v <= high + 1e-9 * step; v += step) made.push(Number(v.toPrecision(12)));
  return made;
}

// Limits that the options give, else those of all numbers of the table.
function limits(given, numbers, log, fromZero) {
  const fit = numbers.filter((v) => v !== null && Number.isFinite(v) && (!log || v > 0));
  const low = given?.[0] ?? (fromZero ? 0 : Math.min(...fit)), high = given?.[1] ?? Math.max(...fit);
  return [low, high];
}

class SliderFigure {
  constructor(place) {
    this.place = place;
    this.picture = place.previousElementSibling?.querySelector("img");
    place.addEventListener("table", ({ detail }) => this.take(detail));
    this.take(JSON.parse(place.querySelector("script").textContent));
  }

  take({ columns, rows, options }) {
    [this.knob, this.across, ...this.names] = columns;
    this.rows = rows.map((row) => row.map(number));
    this.options = options;
    this.labels = options.labels?.length ? options.labels : this.names;
    this.stops = [...new Set(this.rows.map(([at]) => at))];
    this.bars = typeof this.rows[0][1] === "string";
    this.build();
    this.draw();
  }

  build() {
    const id = `slider-${this.place.dataset.name}`;
    const label = Object.assign(document.createElement("label"), { htmlFor: id, textContent: this.knob });
    this.range = Object.assign(document.createElement("input"), { type: "range", id, min: 0, max: this.stops.length - 1, step: 1 });
    this.range.value = this.stops.indexOf(this.options.at);
    this.out = Object.assign(document.createElement("output"), { htmlFor: id });
    this.range.addEventListener("input", () => this.draw());
    const line = Object.assign(document.createElement("div"), { className: "slider-line" });
    line.append(label, this.range, this.out);
    this.svg = document.createElementNS(NS, "svg");
    this.width = Math.min(WIDEST, Math.max(NARROWEST, this.place.parentElement.clientWidth));
    this.svg.setAttribute("role", "img");
    this.place.querySelectorAll("svg, .slider-line").forEach((old) => old.remove());
    this.place.append(line);
    if (this.picture) {
      this.picture.parentElement.querySelector("svg.slider-picture")?.remove();
      this.picture.hidden = true;
      this.picture.after(this.svg);
    } else this.place.prepend(this.svg);
    this.svg.setAttribute("class", "slider-picture");
    this.axes();
  }

  make(tag, at, text) {
    const made = document.createElementNS(NS, tag);
    for (const [key, value] of Object.entries(at)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    this.svg.append(made);
    return made;
  }

  axes() {
    const { log = "", xlim, ylim, xlabel = "", ylabel = "", x_at = [], y_at = [] } = this.options;
    this.top = this.names.length > 1 || !this.bars ? this.legend() : 16;
    this.height = Math.round(0.4 * this.width) + 116 + this.top;
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    const [W, H] = [this.width, this.height];
    const [xlog, ylog] = [log.includes("x"), log.includes("y")];
    const values = this.rows.flatMap((row) => row.slice(2));
    const [low, high] = limits(ylim, values, ylog, this.bars);
    this.y = scale(low, high, H - BOTTOM, this.top, ylog);
    const measures = { y: [low, high, H - BOTTOM, this.top, ylog] };
    const grey = { stroke: "#ddd", "stroke-width": 1 }, small = { "font-size": 13, fill: "#222" };
    for (const v of ticks(low, high, ylog)) {
      this.make("line", { x1: LEFT, x2: W - RIGHT, y1: this.y(v), y2: this.y(v), ...grey });
      this.make("text", { x: LEFT - 6, y: this.y(v) + 4, "text-anchor": "end", ...small }, brief(v));
    }
    if (this.bars) {
      this.items = [...new Set(this.rows.map((row) => row[1]))];
      const wide = (W - LEFT - RIGHT) / this.items.length;
      this.x = (item) => LEFT + (this.items.indexOf(item) + 0.5) * wide;
      this.items.forEach((item) => this.lines(item, wide / 6.5).forEach((text, k) =>
        this.make("text", { x: this.x(item), y: H - BOTTOM + 18 + 15 * k, "text-anchor": "middle", ...small, "font-size": 12 }, text)));
    } else {
      const [left, right] = limits(xlim, this.rows.map((row) => row[1]), xlog, false);
      this.x = scale(left, right, LEFT, W - RIGHT, xlog);
      measures.x = [left, right, LEFT, W - RIGHT, xlog];
      for (const v of ticks(left, right, xlog)) {
        this.make("line", { x1: this.x(v), x2: this.x(v), y1: this.top, y2: H - BOTTOM, ...grey });
        const words = brief(v), over = this.x(v) + 4 * words.length > W;
        this.make("text", { x: over ? W - 1 : this.x(v), y: H - BOTTOM + 18, "text-anchor": over ? "end" : "middle", ...small }, words);
      }
      this.make("text", { x: (LEFT + W - RIGHT) / 2, y: H - 8, "text-anchor": "middle", "font-size": 14, fill: "#222" }, xlabel || this.across);
    }
    const thin = { stroke: "#222", "stroke-dasharray": "1 3" };
    if (!this.bars) x_at.forEach((v) => this.make("line", { x1: this.x(v), x2: this.x(v), y1: this.top, y2: H - BOTTOM, ...thin }));
    y_at.forEach((v) => this.make("line", { x1: LEFT, x2: W - RIGHT, y1: this.y(v), y2: this.y(v), ...thin }));
    this.make("path", { d: `M${LEFT} ${this.top}V${H - BOTTOM}H${W - RIGHT}`, fill: "none", stroke: "#222" });
    const middle = (this.top + H - BOTTOM) / 2, fits = middle / (0.27 * ylabel.length + 1);
    this.make("text", { x: 13, y: middle, "text-anchor": "middle", "font-size": Math.min(14, fits), fill: "#222", transform: `rotate(-90 13 ${middle})` }, ylabel);
    const window = this.make("clipPath", { id: `window-${this.place.dataset.name}` });
    window.append(this.make("rect", { x: LEFT, y: this.top, width: W - LEFT - RIGHT, height: H - BOTTOM - this.top }));
    this.shapes = this.names.map((name, k) => this.shape(k));
    this.place.dataset.measures = JSON.stringify(measures);
  }

  // A text in lines of about so many letters.
  lines(text, letters) {
    return text.split(" ").reduce((made, word) => {
      const last = made.at(-1);
      return last && `${last} ${word}`.length <= letters ? [...made.slice(0, -1), `${last} ${word}`] : [...made, word];
    }, []);
  }

  // As many words in a line as fit; the place below them.
  legend() {
    const wide = 48 + 7.6 * Math.max(...this.labels.map((label) => label.length));
    const across = Math.min(this.labels.length, Math.max(1, Math.floor((this.width - 8) / wide)));
    const start = across * wide > this.width - LEFT ? 8 : LEFT;
    this.labels.forEach((label, k) => {
      const x = start + (k % across) * wide, y = 14 + 19 * Math.floor(k / across), stroke = COLOURS[k % 7];
      this.make("line", { x1: x, x2: x + 26, y1: y, y2: y, stroke, "stroke-width": this.bars ? 10 : 2.5, "stroke-dasharray": this.bars ? "" : DASHES[k % 7] });
      this.make("text", { x: x + 32, y: y + 4, "font-size": 13, fill: "#222" }, label);
    });
    return 34 + 19 * (Math.ceil(this.labels.length / across) - 1);
  }

  shape(k) {
    const inside = { "clip-path": `url(#window-${this.place.dataset.name})` };
    if (!this.bars) return this.make("path", { ...inside, class: "curve", fill: "none", stroke: COLOURS[k % 7], "stroke-width": 2.5, "stroke-dasharray": DASHES[k % 7] });
    return this.items.map(() => this.make("rect", { class: "bar", fill: COLOURS[k % 7] }));
  }

  draw() {
    const at = this.stops[this.range.value], rows = this.rows.filter((row) => row[0] === at);
    const words = this.names.map((name, k) => {
      const points = rows.map((row) => [row[1], row[k + 2]]);
      if (this.bars) {
        this.rects(k, points);
        return points.map(([item, y]) => `${item} ${said(y)}`).join(", ");
      }
      const seen = points.filter(([x, y]) => this.visible(x, "x") && this.visible(y, "y"));
      this.path(k, seen);
      return `${this.labels[k]} ${seen.length ? `from ${said(seen[0][1])} to ${said(seen.at(-1)[1])}` : "none"}`;
    });
    this.out.textContent = Number.isInteger(at) ? at.toLocaleString("en") : said(at);
    this.range.setAttribute("aria-valuetext", `${this.knob} ${said(at)}: ${words.join("; ")}`);
    this.svg.setAttribute("aria-label", `${this.options.ylabel ?? ""}, ${this.knob} ${said(at)}: ${words.join("; ")}`);
    this.place.dataset.shown = JSON.stringify(rows.map((row) => row.map((v) => (Number.isFinite(v) || typeof v !== "number" ? v : String(v)))));
  }

  // Whether a number has a place on an axis: it may be missing, infinite, or without a logarithm.
  visible(v, axis) {
    return Number.isFinite(v) && (v > 0 || !(this.options.log ?? "").includes(axis));
  }

  path(k, points) {
    this.shapes[k].setAttribute("d", points.map(([x, y], i) => `${i ? "L" : "M"}${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)}`).join(""));
  }

  rects(k, points) {
    const clip = (v) => Math.min(Math.max(this.y(v), this.top), this.height - BOTTOM);
    const wide = ((this.width - LEFT - RIGHT) / this.items.length) * 0.8 / this.names.length;
    points.forEach(([item, y], i) => {
      const top = clip(y), left = this.x(item) + (k - this.names.length / 2) * wide;
      const box = { x: left + 1, width: wide - 2, y: top, height: this.height - BOTTOM - top };
      for (const [key, value] of Object.entries(box)) this.shapes[k][i].setAttribute(key, value.toFixed(1));
    });
  }
}

for (const place of document.querySelectorAll(".slider-figure")) new SliderFigure(place);
})();
