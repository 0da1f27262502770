// Where memories stand: the points of a coordinate path, an episode's way through them, and what a
// question finds within a radius.

import { get, post, sdk } from "../api.js";
import { field, h, put, select } from "../dom.js";
import { dateTime, decimal, number, scopeOf } from "../format.js";
import { t, word } from "../i18n.js";
import { facts, hitCard, memoryText } from "../parts/hits.js";
import { isSensitive } from "../parts/memory_actions.js";
import { PointCloud } from "../parts/point_cloud.js";
import { scopeSelect } from "../parts/scope_picker.js";
import { failure, nothing, waiting } from "../parts/states.js";
import { colored, css, pixel, scaled } from "../parts/tones.js";

const PORTION = 20_000;
const OUTCOME = "task.success";
const AGE = "";

export async function show(place, { context, parameters }) {
  const scope = scopeSelect(context.scopes, parameters.get("scope"), ["collection", "user"]);
  if (!scope.value) return void put(place, nothing(t("places.none")));
  const where = { scope_kind: scopeOf(scope.value).kind, scope: scopeOf(scope.value).name };
  const { data: paths } = await get("/points/paths", where);
  const go = (changed) => {
    const kept = new URLSearchParams({ scope: scope.value, ...Object.fromEntries(["path", "color", "run"].filter((name) => parameters.has(name)).map((name) => [name, parameters.get(name)])), ...changed });
    location.hash = `#/places?${kept}`;
  };
  scope.addEventListener("change", () => (location.hash = `#/places?scope=${encodeURIComponent(scope.value)}`));
  const path = paths.find((one) => one.path === parameters.get("path")) || paths[0];
  if (!path) return void put(place, h("section.card", field(t("places.scope"), scope)), nothing(t("places.none")));
  const map = new PlaceMap({ where, path, run: parameters.get("run"), color: parameters.get("color") ?? OUTCOME });
  put(place, toolbar({ scope, paths, path, map, go, color: map.color, run: map.run }), h("div.map", map.element, map.side));
  // What is stored is drawn as it comes.
  map.load().catch((error) => put(map.side, failure(error)));
  return () => map.close();
}

function toolbar({ scope, paths, path, map, go, color, run }) {
  const which = select(paths.map((one) => [one.path, t("places.path_of", { path: one.path, axes: one.axes })]), path.path);
  which.addEventListener("change", () => go({ path: which.value }));
  const colors = h("input", { type: "text", value: color, spellcheck: "false", placeholder: t("places.age"), list: "color-paths" });
  colors.addEventListener("change", () => go({ color: colors.value.trim() }));
  const flat = h("input", { type: "checkbox", checked: map.cloud.flat, disabled: path.axes === 2 });
  flat.addEventListener("change", () => map.flatten(flat.checked));
  return h("section.card.tools-row",
    h("div.fields", field(t("places.scope"), scope), field(t("places.path"), which), field(t("places.color"), colors),
      h("label.check", flat, t("places.flat")),
      h("button.quiet", { onclick: () => map.cloud.reset() }, t("plot.whole")),
      run ? h("button.quiet", { onclick: () => go({ run: "" }) }, t("places.all_runs")) : null),
    h("datalist", { id: "color-paths" }, h("option", { value: OUTCOME })));
}

class PlaceMap {
  values = [];
  created = [];
  episodes = [];
  center = null;
  radius = 0;
  found = [];

  constructor({ where, path, run, color }) {
    Object.assign(this, { where, path, run, color });
    this.way = run || null;
    const canvas = h("canvas", { tabindex: 0, role: "img", "aria-label": t("places.map", { path: path.path }) });
    this.count = h("p.count", { role: "status" });
    this.element = h("figure.cloud", canvas, h("figcaption", this.count, this.legend(), h("small", t("places.how"))));
    this.side = h("div.stack.map-side", nothing(t("places.choose")));
    this.cloud = new PointCloud(canvas, { axes: path.axes, ink: css("--soft"), paper: pixel("--card"), over: (...given) => this.over(...given) });
    let moved = 0;
    canvas.addEventListener("pointerdown", () => (moved = 0));
    canvas.addEventListener("pointermove", () => (moved += 1));
    canvas.addEventListener("pointerup", (event) => moved < 4 && this.choose(this.cloud.nearest(event)));
    canvas.addEventListener("keydown", (event) => event.key === "Enter" && this.choose(this.cloud.count - 1));
  }

  legend() {
    const told = this.color === OUTCOME ? [["--good", t("places.succeeded")], ["--bad", t("places.failed")], ["--faint", t("places.unknown")]]
      : this.color === AGE ? [["--line", t("places.oldest")], ["--tone-0", t("places.newest")]] : [["--tone-1", this.color]];
    return h("ul.legend", told.map(([tone, name]) => h("li", h("i.swatch", { style: { "--tone": `var(${tone})` } }), name)));
  }

  async load() {
    let before;
    do {
      const { data, meta } = await get("/points", { ...this.where, path: this.path.path, color: this.color || undefined, before, limit: PORTION });
      if (this.closed) return;
      this.take(data);
      before = meta.next_before;
    } while (before !== null);
    this.element.dataset.whole = "yes";
    if (!this.cloud.count) put(this.side, nothing(t("places.none")));
  }

  take({ ids, points, values, created_at: created, episodes }) {
    const fit = ids.map((_, at) => at).filter((at) => points[at].length === this.path.axes);
    for (const at of fit) {
      this.values.push(values[at]);
      this.created.push(created[at]);
      this.episodes.push(episodes[at]);
    }
    this.cloud.add(fit.map((at) => ids[at]), fit.map((at) => points[at]), colored(fit.map((at) => values[at])));
    // An age is one among all others, so all are coloured anew.
    this.cloud.recolor(this.color === AGE ? scaled(this.created) : colored(this.values));
    put(this.count, t("places.count", { n: number(this.cloud.count) }));
  }

  flatten(flat) {
    this.cloud.flat = flat;
    this.cloud.reset();
  }

  close() {
    this.closed = true;
    this.cloud.close();
  }

  async choose(at) {
    if (at < 0) return;
    this.center = this.cloud.placeOf(at);
    this.way = this.episodes[at];
    this.radius ||= this.cloud.extent / 6;
    this.found = [];
    this.cloud.draw();
    put(this.side, waiting());
    try {
      const memory = await sdk("get", { memory_id: this.cloud.ids[at] });
      put(this.side, this.card(memory), this.around());
    } catch (error) {
      put(this.side, failure(error));
    }
  }

  card(memory) {
    const run = memory.episode_id && encodeURIComponent(memory.episode_id);
    return h("section.card", { "data-memory": memory.id },
      memoryText({ ...memory, sensitive: isSensitive(memory) }), facts(memory),
      h("p.note", t("places.at", { place: this.center.map((one) => decimal(one)).join(", "), at: dateTime(memory.created_at) })),
      h("p.ways", run ? [h("a", { href: `#/timeline?run=${run}` }, t("way.run")), h("a", { href: `#/perceptions?run=${run}` }, t("way.perceptions"))] : null,
        h("a", { href: `#/memory/${memory.id}` }, t("way.memory"))));
  }

  // A question to what stands within a radius of the point that was chosen.
  around() {
    const text = h("input", { type: "search", required: true, maxlength: 1000, value: t("places.question") });
    const range = h("input", { type: "range", min: 0, max: this.cloud.extent, step: this.cloud.extent / 200, value: this.radius });
    const told = h("output", decimal(this.radius));
    range.addEventListener("input", () => {
      this.radius = Number(range.value);
      put(told, decimal(this.radius));
      this.cloud.draw();
    });
    const hits = h("div.results", { "aria-live": "polite" });
    const form = h("form.stack", field(t("search.question"), text), field(t("places.radius"), range), told, h("button.primary", t("places.recall")));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      put(hits, waiting());
      try {
        put(hits, await this.recall(text.value));
      } catch (error) {
        put(hits, failure(error));
      }
    });
    return h("section.card", h("h2", t("places.around")), form, hits);
  }

  async recall(text) {
    const near = { field: this.path.path, target: this.center, max_distance: this.radius };
    const { data } = await post("/explain", { text, scopes: [{ kind: this.where.scope_kind, name: this.where.scope }], near, limit: 20 });
    this.found = data.hits.map((hit) => pointOf(hit.memory.context, this.path.path));
    this.cloud.draw();
    if (!data.hits.length) return nothing(t("search.none", { q: text }));
    return [h("p.count", t("places.found", { n: number(data.hits.length) })), ...data.hits.map((hit, at) => hitCard(hit, at + 1))];
  }

  // What stands above the points: the way of a run, the radius, and what was found.
  over(pen, onScreen, scale) {
    const sharp = this.cloud.sharp;
    pen.lineWidth = 1.6 * sharp;
    pen.strokeStyle = css("--accent");
    if (this.way) this.drawWay(pen, onScreen, sharp);
    for (const place of this.found) if (place) ring(pen, onScreen(place), 7 * sharp);
    if (!this.center) return;
    ring(pen, onScreen(this.center), 5 * sharp);
    pen.globalAlpha = 0.16;
    pen.fillStyle = css("--accent");
    pen.beginPath();
    pen.arc(...onScreen(this.center), this.radius * scale, 0, 7);
    pen.fill();
    pen.globalAlpha = 1;
  }

  drawWay(pen, onScreen, sharp) {
    const steps = this.episodes.map((one, at) => (one === this.way ? at : -1)).filter((at) => at >= 0).sort((one, other) => this.cloud.ids[one] - this.cloud.ids[other]);
    this.element.dataset.way = steps.length;
    pen.beginPath();
    steps.forEach((at, step) => pen[step ? "lineTo" : "moveTo"](...onScreen(this.cloud.placeOf(at))));
    pen.stroke();
    for (const at of steps) ring(pen, onScreen(this.cloud.placeOf(at)), 4 * sharp);
  }
}

function ring(pen, [x, y], radius) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 7);
  pen.stroke();
}

const pointOf = (context, path) => path.split(".").reduce((value, name) => value?.[name], context);
