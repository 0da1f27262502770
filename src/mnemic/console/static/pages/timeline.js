// The journal and the runs over time, and a slider that shows what was known at a moment of it.

import { get, post, sdk } from "../api.js";
import { debounced, field, h, put, select, svg } from "../dom.js";
import { dateTime, decimal, number, scopeOf } from "../format.js";
import { t, word } from "../i18n.js";
import { dayBars } from "../parts/charts.js";
import { VERBS, lastDays } from "../parts/days.js";
import { feedList } from "../parts/feed.js";
import { hitCard } from "../parts/hits.js";
import { jsonTree } from "../parts/json_tree.js";
import { scopeSelect } from "../parts/scope_picker.js";
import { failure, nothing, waiting } from "../parts/states.js";

const MINUTE = 60_000;
const SPANS = [["30", 30], ["7", 7], ["1", 1]];
const RUNS = 100;
const LANES = 12;

export async function show(place, { context, parameters, refresh }) {
  await refresh();
  const days = Number(parameters.get("days")) || 30;
  const now = context.overview.now;
  const from = now - days * 86_400_000;
  const { data: runs, meta } = await get("/episodes", { limit: RUNS });
  const run = runs.find((one) => one.id === parameters.get("run"));
  const moment = { value: clamp(Number(parameters.get("at")) || run?.ended_at || run?.started_at || now, from, now), from, now };
  const span = select(SPANS.map(([value, many]) => [value, t("timeline.days", { n: many })]), String(days));
  span.addEventListener("change", () => (location.hash = `#/timeline?days=${span.value}`));
  const choose = (one) => (location.hash = `#/timeline?run=${encodeURIComponent(one.id)}&days=${days}`);
  const lanes = runLanes(runs.filter((one) => (one.ended_at ?? now) >= from), { from, now, chosen: run?.id, choose });
  const slider = h("input.moment", { type: "range", min: from, max: now, step: MINUTE, value: moment.value, "aria-label": t("timeline.slider") });
  const told = h("output.when");
  const then = thenKnown(context);
  const feed = h("div");
  const chart = days > 1 && context.overview.days.length ? dayBars(lastDays(context.overview, days), VERBS) : null;
  put(place,
    h("section.card.time", h("h2", t("timeline.title"), span), h("div.axis", chart, lanes, slider), h("p.when-line", told),
      runs.length < meta.total ? h("p.note", t("timeline.latest", { n: number(runs.length), all: number(meta.total) })) : null),
    run ? runCard(run) : null,
    h("div.columns.even",
      h("section.card", h("h2", t("timeline.before")), feed),
      then.element));
  const look = async () => {
    moment.value = Number(slider.value);
    const isNow = moment.value >= now - MINUTE;
    put(told, isNow ? t("timeline.now") : t("timeline.as_of", { at: dateTime(moment.value) }));
    place.dataset.at = moment.value;
    const list = feedList({ filter: isNow ? {} : { until: moment.value }, tall: true });
    put(feed, list);
    const shown = await list.begin();
    if (!shown) put(feed, nothing(t("timeline.nothing")));
    await then.look(isNow ? null : moment.value);
  };
  const later = debounced(() => look().catch((error) => put(feed, failure(error))), 200);
  slider.addEventListener("input", () => {
    put(told, t("timeline.as_of", { at: dateTime(Number(slider.value)) }));
    later();
  });
  await look();
}

const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

// Each run as a bar from its beginning to its end, in as many rows as needed.
function runLanes(runs, { from, now, chosen, choose }) {
  const width = 1000;
  const x = (at) => ((clamp(at, from, now) - from) / (now - from)) * width;
  const ends = [];
  const bars = [...runs].reverse().map((run) => {
    const [left, right] = [x(run.started_at), Math.max(x(run.ended_at ?? now), x(run.started_at) + 6)];
    let lane = ends.findIndex((end) => end + 2 <= left);
    if (lane < 0) lane = Math.min(ends.length, LANES - 1);
    ends[lane] = right;
    const label = t("timeline.run", { name: nameOf(run), at: dateTime(run.started_at), score: run.outcome_score === null ? "–" : decimal(run.outcome_score) });
    const pick = () => choose(run);
    return svg(`rect.run.${outcome(run)}${run.id === chosen ? ".chosen" : ""}`, { x: left, y: lane * 14 + 2, width: right - left, height: 10, rx: 2, tabindex: 0, role: "button", "aria-label": label, onclick: pick, onkeydown: (event) => event.key === "Enter" && pick() }, svg("title", label));
  });
  if (!bars.length) return h("p.note", t("timeline.no_runs"));
  return svg("svg.runs", { viewBox: `0 0 ${width} ${Math.max(1, ends.length) * 14}`, preserveAspectRatio: "none", role: "group", "aria-label": t("timeline.runs") }, bars);
}

const outcome = ({ outcome_score: score }) => (score === null ? "open" : score >= 0.6 ? "good" : score >= 0.3 ? "fair" : "poor");

const nameOf = (run) => run.context?.task?.name || run.id.slice(0, 8);

function runCard(run) {
  const id = encodeURIComponent(run.id);
  const scope = encodeURIComponent(`${run.scope.kind}:${run.scope.name}`);
  return h("section.card.run-card", h("h2", t("timeline.run_title", { name: nameOf(run) }), h("code", run.id)),
    h("p.facts", h("span.tag", word("run", run.status)), h("span", dateTime(run.started_at), " – ", run.ended_at ? dateTime(run.ended_at) : "…"),
      run.outcome_score === null ? null : h("span", t("timeline.score", { n: decimal(run.outcome_score) })), h("span", t("timeline.memories", { n: number(run.memories) }))),
    Object.keys(run.context).length ? jsonTree(run.context) : null,
    h("p.ways", h("a", { href: `#/places?scope=${scope}&run=${id}` }, t("way.place")), h("a", { href: `#/perceptions?run=${id}` }, t("way.perceptions"))));
}

// What a scope held at the moment, and what a question would have found then.
function thenKnown(context) {
  const scope = scopeSelect(context.scopes, null, ["collection", "user"]);
  const counts = h("ul.legend");
  const text = h("input", { type: "search", maxlength: 1000, required: true });
  const hits = h("div.results", { "aria-live": "polite" });
  const form = h("form", h("div.fields", field(t("places.scope"), scope), field(t("search.question"), text, { grow: true }), h("button.primary", t("search.ask"))));
  let at = null;
  const chosen = () => scopeOf(scope.value);
  const count = async () => {
    if (!scope.value) return;
    const { kind, name } = chosen();
    const held = await sdk("profile", { scope: { kind, name }, ...(at ? { as_of: new Date(at).toISOString() } : {}) });
    const kinds = Object.entries(held?.kinds || {}).filter(([, one]) => one.memories);
    put(counts, kinds.length ? kinds.map(([one, tally]) => h("li", word("kind", one), h("b", number(tally.memories)))) : h("li", t("timeline.held_nothing")));
  };
  const ask = async () => {
    if (!text.value.trim() || !scope.value) return;
    put(hits, waiting());
    const { data } = await post("/explain", { text: text.value, scopes: [chosen()], limit: 5, ...(at ? { as_of: Math.round(at) } : {}) });
    put(hits, data.hits.length ? data.hits.map((hit, index) => hitCard(hit, index + 1)) : nothing(t("search.none", { q: text.value })));
  };
  const told = (work) => work().catch((error) => put(hits, failure(error)));
  scope.addEventListener("change", () => told(async () => Promise.all([count(), ask()])));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    told(ask);
  });
  return {
    element: h("section.card", h("h2", t("timeline.known")), form, counts, hits),
    look: async (moment) => {
      at = moment;
      await Promise.all([count(), ask()]);
    },
  };
}
