// A plot of a series: a line, or a band from the least to the greatest where many numbers share a pixel.
// Dragging over it chooses the part to look at; the window is shared by all plots of a group.

import { h, put, svg } from "../dom.js";
import { decimal, number } from "../format.js";
import { t } from "../i18n.js";

const WIDTH = innerWidth < 760 ? 420 : 800;
const HEIGHT = 150;
const LEFT = 52;
const BOTTOM = 20;
const LEAST = 4;

// What several plots look at: from which share of their series to which.
export class SharedWindow {
  #plots = new Set();
  from = 0;
  to = 1;

  join(plot) {
    this.#plots.add(plot);
  }

  look(from, to) {
    [this.from, this.to] = to - from < 0.0005 ? [0, 1] : [Math.max(0, from), Math.min(1, to)];
    for (const plot of this.#plots) plot();
  }

  // A factor below 1 comes nearer.
  zoom(factor) {
    const middle = (this.from + this.to) / 2;
    const half = Math.min(0.5, ((this.to - this.from) / 2) * factor);
    const from = Math.max(0, Math.min(middle - half, 1 - 2 * half));
    this.look(from, from + 2 * half);
  }

  move(share) {
    const wide = this.to - this.from;
    const from = Math.max(0, Math.min(1 - wide, this.from + share * wide));
    this.look(from, from + wide);
  }
}

// `load(start, end)` brings the values of a part of the series.
export function plot(series, shared, load) {
  const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", tabindex: 0, "aria-label": t("plot.label", { path: series.path, low: decimal(series.low), high: decimal(series.high), n: number(series.length) }) });
  const readout = h("output");
  const figure = h("figure.plot", h("figcaption", h("b", series.path || t("plot.values")), readout), drawing);
  let shown = null;
  let wanted = 0;
  const draw = async () => {
    const asked = (wanted += 1);
    const start = Math.floor(shared.from * series.length);
    const end = Math.max(start + LEAST, Math.ceil(shared.to * series.length));
    const values = await load(start, end);
    if (asked !== wanted) return;
    shown = { ...values, end: Math.min(end, series.length) };
    put(drawing, ...inside(series, shown));
    drawing.dataset.window = `${shown.start}-${shown.end}`;
  };
  shared.join(() => draw().catch(() => {}));
  choosing(drawing, shared);
  drawing.addEventListener("pointermove", (event) => shown && put(readout, at(series, shown, place(drawing, event))));
  drawing.addEventListener("pointerleave", () => put(readout));
  return { figure, draw };
}

const place = (drawing, event) => {
  const box = drawing.getBoundingClientRect();
  return Math.max(0, Math.min(1, (((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT)));
};

function at(series, shown, share) {
  const index = Math.min(shown.low.length - 1, Math.floor(share * shown.low.length));
  const [low, high] = [shown.low[index], shown.high[index]];
  const value = low === null ? "–" : low === high ? decimal(low, 3) : `${decimal(low, 3)} … ${decimal(high, 3)}`;
  return `${axis(series, shown.start + index * shown.step)}  ${value}`;
}

const axis = (series, index) => (series.rate ? `${decimal(index / series.rate, index / series.rate < 10 ? 2 : 1)} s` : `#${number(index)}`);

function choosing(drawing, shared) {
  let began = null;
  const mark = svg("rect.chosen", { y: 0, height: HEIGHT - BOTTOM });
  const span = (event) => [began, place(drawing, event)].sort((one, other) => one - other);
  drawing.addEventListener("pointerdown", (event) => {
    began = place(drawing, event);
    drawing.setPointerCapture(event.pointerId);
    drawing.append(mark);
    mark.setAttribute("width", 0);
  });
  drawing.addEventListener("pointermove", (event) => {
    if (began === null) return;
    const [from, to] = span(event);
    mark.setAttribute("x", LEFT + from * (WIDTH - LEFT));
    mark.setAttribute("width", (to - from) * (WIDTH - LEFT));
  });
  drawing.addEventListener("pointerup", (event) => {
    if (began === null) return;
    const [from, to] = span(event);
    began = null;
    mark.remove();
    const wide = shared.to - shared.from;
    if (to - from > 0.01) shared.look(shared.from + from * wide, shared.from + to * wide);
  });
  drawing.addEventListener("dblclick", () => shared.look(0, 1));
  drawing.addEventListener("keydown", (event) => {
    const does = { "+": () => shared.zoom(0.5), "-": () => shared.zoom(2), ArrowLeft: () => shared.move(-0.25), ArrowRight: () => shared.move(0.25), 0: () => shared.look(0, 1) }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  });
}

function inside(series, shown) {
  const known = [...shown.low, ...shown.high].filter((one) => one !== null);
  const low = known.length ? Math.min(...known) : 0;
  const spread = (known.length ? Math.max(...known) : 1) - low || 1;
  const high = low + spread;
  const many = shown.low.length;
  const x = (index) => LEFT + ((index + 0.5) / many) * (WIDTH - LEFT);
  const y = (value) => 6 + ((high - value) / spread) * (HEIGHT - BOTTOM - 12);
  const ticks = [low, low + spread / 2, high].map((value) => [
    svg("line.grid", { x1: LEFT, x2: WIDTH, y1: y(value), y2: y(value) }),
    svg("text.tick", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, short(value)),
  ]);
  const times = [0, 0.25, 0.5, 0.75, 1].map((share) =>
    svg("text.tick", { x: LEFT + share * (WIDTH - LEFT), y: HEIGHT - 4, "text-anchor": share === 0 ? "start" : share === 1 ? "end" : "middle" },
      axis(series, Math.round(shown.start + share * (shown.end - shown.start)))));
  const band = shown.step > 1 ? svg("path.band", { d: area(shown, x, y) }) : null;
  return [...ticks.flat(), ...times, band, svg("path.line", { d: line(shown, x, y) })].filter(Boolean);
}

const short = (value) => (Math.abs(value) >= 1000 ? number(value) : decimal(value, Math.abs(value) < 1 ? 3 : 1));

// Through the middle of each pair; where nothing is known, the line breaks off.
function line({ low, high }, x, y) {
  let pen = "M";
  return low.map((value, index) => {
    if (value === null) {
      pen = "M";
      return "";
    }
    const step = `${pen}${x(index).toFixed(1)} ${y((value + high[index]) / 2).toFixed(1)}`;
    pen = "L";
    return step;
  }).join("");
}

function area({ low, high }, x, y) {
  const known = low.map((value, index) => [value, high[index], index]).filter(([value]) => value !== null);
  if (!known.length) return "";
  const top = known.map(([, value, index]) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`);
  const back = known.reverse().map(([value, , index]) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`);
  return `M${top.join("L")}L${back.join("L")}Z`;
}
