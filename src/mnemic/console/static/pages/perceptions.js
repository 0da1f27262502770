// What sensors delivered: series as plots with one zoom for all, pictures, and the way to the run and the
// place where it was felt.

import { get, sdk } from "../api.js";
import { field, h, put } from "../dom.js";
import { ago, dateTime, number, scopeOf } from "../format.js";
import { t, word } from "../i18n.js";
import { facts, memoryText } from "../parts/hits.js";
import { picture } from "../parts/picture.js";
import { plot, SharedWindow } from "../parts/plot.js";
import { scopeSelect } from "../parts/scope_picker.js";
import { failure, nothing, waiting } from "../parts/states.js";
import "../parts/virtual_list.js";

const PORTION = 50;
const VALUES = 800;
// More plots than these are drawn when somebody asks for them.
const FIRST = 8;

export async function show(place, { context, rest, parameters }) {
  const run = parameters.get("run");
  const scope = scopeSelect(context.scopes, parameters.get("scope"), ["collection"]);
  scope.addEventListener("change", () => (location.hash = `#/perceptions?scope=${encodeURIComponent(scope.value)}`));
  const list = document.createElement("virtual-list");
  list.classList.add("sessions");
  list.setAttribute("aria-label", t("perceptions.list"));
  const detail = h("div.detail");
  const side = h("section.card.side", run ? h("p.note", t("perceptions.of_run"), " ", h("a", { href: `#/timeline?run=${encodeURIComponent(run)}` }, h("code", run.slice(0, 8)))) : field(t("places.scope"), scope), list);
  put(place, h("div.split", side, detail));
  let chosen = Number(rest[0]) || null;
  const where = run ? { episode_id: run } : scope.value ? { scope_kind: scopeOf(scope.value).kind, scope: scopeOf(scope.value).name } : {};
  const load = async (rows) => {
    const { data, meta } = await get("/perceptions", { ...where, before: rows.at(-1)?.id, limit: PORTION });
    if (!rows.length) chosen ??= data[0]?.id ?? null;
    return { rows: data, more: meta.next_before !== null };
  };
  const query = run ? `?run=${encodeURIComponent(run)}` : scope.value && parameters.has("scope") ? `?scope=${encodeURIComponent(scope.value)}` : "";
  await list.open({ rowHeight: 56, load, row: (memory) => row(memory, chosen, query) });
  if (!chosen) return void put(detail, nothing(t("perceptions.none")));
  await one(detail, chosen);
}

function row(memory, chosen, query) {
  return h("div", h("a", { href: `#/perceptions/${memory.id}${query}`, "aria-current": memory.id === chosen ? "true" : null },
    h("b", memory.sensitive ? t("memory.covered") : memory.content),
    h("span", word("perception", memory.perception_type)),
    h("time", { title: dateTime(memory.created_at) }, ago(memory.created_at))));
}

async function one(detail, id) {
  put(detail, waiting());
  const [memory, parts] = await Promise.all([
    sdk("get", { memory_id: id }),
    get(`/payloads/${id}`).then(({ data }) => data),
  ]);
  put(detail,
    h("section.card.perception", { "data-memory": id }, memoryText(memory), facts(memory), ways(memory)),
    ...(await pictures(parts)), plots(id, parts), h("p.note", t("perceptions.size", { n: number(parts.characters) })));
}

// The run and the place, where there are any.
function ways(memory) {
  const run = memory.episode_id && encodeURIComponent(memory.episode_id);
  const scope = encodeURIComponent(`${memory.scope.kind}:${memory.scope.name}`);
  return h("p.ways",
    run ? h("a", { href: `#/timeline?run=${run}` }, t("way.run")) : null,
    run ? h("a", { href: `#/places?scope=${scope}&run=${run}` }, t("way.place")) : null,
    run ? h("a", { href: `#/perceptions?run=${run}` }, t("way.perceptions")) : null,
    h("a", { href: `#/memory/${memory.id}` }, t("way.memory")));
}

async function pictures({ pictures: found }) {
  const drawn = await Promise.all(found.map((one) => picture(one).catch(() => h("p.failed", t("picture.broken", { path: one.path })))));
  return drawn.length ? [h("section.card.pictures", drawn)] : [];
}

function plots(id, { series, pictures: found }) {
  if (!series.length) return found.length ? null : nothing(t("perceptions.empty"));
  const shared = new SharedWindow();
  const body = h("div.plots");
  const draw = (some) => {
    const made = some.map((one) => plot(one, shared, (start, end) => values(id, one.path, start, end)));
    body.append(...made.map((each) => each.figure));
    for (const each of made) each.draw().catch((error) => body.append(failure(error)));
  };
  const rest = series.slice(FIRST);
  const more = rest.length ? h("button.quiet", { onclick: () => { more.remove(); draw(rest); } }, t("perceptions.more", { n: rest.length })) : null;
  draw(series.slice(0, FIRST));
  return h("section.card",
    h("h2", t("perceptions.series"), h("span.tools",
      h("button.icon", { "aria-label": t("plot.nearer"), title: t("plot.nearer"), onclick: () => shared.zoom(0.5) }, "+"),
      h("button.icon", { "aria-label": t("plot.farther"), title: t("plot.farther"), onclick: () => shared.zoom(2) }, "−"),
      h("button.quiet", { onclick: () => shared.look(0, 1) }, t("plot.whole")))),
    h("p.note", t("plot.how")), body, more);
}

const values = (id, path, start, end) => get(`/payloads/${id}/values`, { path, start, end, values: VALUES }).then(({ data }) => data);
