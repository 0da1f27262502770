// Any question to any scopes, the hits with their reasons, and why a memory is not among them.

import { post } from "../api.js";
import { field, h, put, select } from "../dom.js";
import { decimal, milliseconds, number, percent, scopeOf } from "../format.js";
import { t, word } from "../i18n.js";
import { share, stageBar } from "../parts/charts.js";
import { facts, hitCard, memoryText } from "../parts/hits.js";
import { scopePicker } from "../parts/scope_picker.js";
import { failure, nothing, waiting } from "../parts/states.js";

const MOST_SCOPES = 200;

export async function show(place, { context, parameters }) {
  const form = questionForm(context, parameters);
  const results = h("div.results", { "aria-live": "polite" });
  put(place, form.element, results);
  let stop = new AbortController();
  const run = async () => {
    stop.abort();
    stop = new AbortController();
    const { signal } = stop;
    const body = form.read();
    if (!body) return;
    put(results, waiting());
    try {
      const { data } = await post("/explain", body, { signal });
      put(results, ...answer(data, body));
    } catch (error) {
      if (error.name !== "AbortError") put(results, failure(error));
    }
  };
  form.element.addEventListener("submit", (event) => {
    event.preventDefault();
    const query = form.remember();
    history.replaceState(null, "", `#/search?${query}`);
    run();
  });
  if (parameters.get("q")) await run();
  else put(results, nothing(t("search.begin")));
  return () => stop.abort();
}

function questionForm(context, parameters) {
  const value = (name, otherwise = "") => parameters.get(name) ?? otherwise;
  const text = h("input", { type: "search", name: "q", value: value("q"), maxlength: 10_000, autocomplete: "off", required: true });
  const scopes = scopePicker(context.scopes, parameters.getAll("scope"));
  const mode = select(["hybrid", "bm25_only", "vec_only"].map((one) => [one, word("mode", one)]), value("mode", "hybrid"));
  const limit = h("input", { type: "number", min: 1, max: 100, value: value("n", "10") });
  const filter = h("input", { type: "text", spellcheck: "false", value: value("filter"), placeholder: '{"task.success": true}' });
  const near = h("input", { type: "text", spellcheck: "false", value: value("near"), placeholder: "spatial.position 1.3,0.7,0.4 0.5" });
  const least = h("input", { type: "number", min: 0, max: 1, step: 0.05, value: value("least", "0") });
  const memory = h("input", { type: "text", inputmode: "numeric", value: value("why"), placeholder: "#12" });
  const asOf = h("input", { type: "datetime-local", value: value("as_of") });
  const more = h("details.more", { open: ["filter", "near", "why", "as_of"].some((name) => parameters.has(name)) }, h("summary", t("search.more")),
    h("div.fields",
      field(t("search.mode"), mode), field(t("search.limit"), limit), field(t("search.least"), least),
      field(t("search.filter"), filter, { grow: true }), field(t("search.near"), near, { grow: true }),
      field(t("search.as_of"), asOf),
      field(t("search.why"), memory)));
  const element = h("form.question.card", { role: "search" },
    h("div.fields", field(t("search.question"), text, { grow: true }), field(t("search.scope"), scopes.box), h("button.primary", t("search.ask"))), scopes.tags, more);
  const controls = { q: text, mode, n: limit, filter, near, least, why: memory, as_of: asOf };
  const usual = { mode: "hybrid", n: "10", least: "0" };
  return {
    element,
    remember: () => {
      const kept = new URLSearchParams();
      for (const [name, control] of Object.entries(controls)) {
        if (control.value && control.value !== usual[name]) kept.set(name, control.value);
      }
      for (const key of scopes.keys) kept.append("scope", key);
      return kept.toString();
    },
    read: () => read(controls, [...scopes.keys], context),
  };
}

function read({ q, mode, n, filter, near, least, why, as_of: asOf }, keys, context) {
  if (!q.value.trim()) return null;
  const scopes = keys.length ? keys.map(scopeOf) : context.scopes.slice(0, MOST_SCOPES).map(({ kind, name }) => ({ kind, name }));
  const body = { text: q.value, mode: mode.value, limit: Number(n.value) || 10, min_relevance: Number(least.value) || 0 };
  if (scopes.length) body.scopes = scopes;
  if (filter.value.trim()) body.filter = parsed(filter);
  if (near.value.trim()) body.near = nearOf(near.value);
  if (why.value.trim()) body.memory_id = Number(why.value.replace(/\D/g, "")) || null;
  if (asOf.value) body.as_of = Date.parse(asOf.value);
  return body;
}

function parsed(control) {
  control.setCustomValidity("");
  try {
    return JSON.parse(control.value);
  } catch {
    control.setCustomValidity(t("search.not_json"));
    control.reportValidity();
    control.addEventListener("input", () => control.setCustomValidity(""), { once: true });
    return undefined;
  }
}

function nearOf(text) {
  const [path, target = "", distance] = text.trim().split(/\s+/);
  const near = { field: path, target: target.split(",").map(Number) };
  return distance ? { ...near, max_distance: Number(distance) } : near;
}

function answer(data, body) {
  const cards = data.hits.map((hit, at) => hitCard(hit, at + 1));
  return [
    data.why_not ? whyNot(data.why_not) : null,
    h("p.count", { role: "status" }, t("search.found", { n: number(data.hits.length), ms: milliseconds(data.elapsed_ms) }), h("span.tag", word("mode", data.mode))),
    trace(data.trace),
    cards.length ? cards : nothing(t("search.none", { q: body.text })),
  ].flat().filter(Boolean);
}

function trace(told) {
  return h("section.trace.card", h("h2", t("trace.stages")), stageBar(told.stages), h("details", h("summary", t("trace.title"), h("span.brief", t("trace.brief", { words: number(told.by_words), meaning: number(told.by_meaning), all: number(told.candidates) }))),
    h("h3", t("trace.terms")),
    told.terms.length
      ? h("ul.terms", told.terms.map((one) => h("li", h("b", one.term), h("span", t("trace.weight", { n: decimal(one.weight) })), share(one.share, t("trace.share")), h("span", percent(one.share)))))
      : h("p", t("trace.no_terms")),
    told.embedded ? [h("h3", t("trace.embedded")), h("p.said", told.embedded)] : null));
}

function whyNot(told) {
  return h("section.card.why-not",
    h("h2", t("why.title", { id: told.memory.id })),
    memoryText(told.memory), facts(told.memory),
    h("p.verdict", t(`why.${told.reason}`, { place: told.place ?? "", conditions: told.conditions.join(", "), why: told.memory.status_reason ?? "" })),
    told.terms.length || told.missing.length
      ? h("p", h("small", t("why.words")), " ", told.terms.map((one) => h("span.tag.held", one)), told.missing.map((one) => h("span.tag.missing", one)))
      : null,
    told.hit && told.last && told.reason !== "shown"
      ? h("div.compare", h("div", h("h3", t("why.this")), hitNumbers(told.hit)), h("div", h("h3", t("why.last")), hitNumbers(told.last)))
      : null);
}

function hitNumbers(hit) {
  const rows = [["hit.relevance", percent(hit.relevance)], ["hit.score", decimal(hit.score, 3)], ["hit.words", decimal(hit.bm25_score)], ["hit.meaning", decimal(hit.cosine)]];
  return h("dl", rows.map(([name, value]) => [h("dt", t(name)), h("dd", value)]), Object.entries(hit.signals).map(([name, points]) => [h("dt", word("signal", name)), h("dd", decimal(points))]));
}
