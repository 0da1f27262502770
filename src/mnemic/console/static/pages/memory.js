// One memory: its text, context, history and edges; and what may be done about it.

import { ApiError, get, sdk } from "../api.js";
import { h, put } from "../dom.js";
import { ago, dateTime, decimal, number, scopeLabel } from "../format.js";
import { t, word } from "../i18n.js";
import { diff } from "../parts/diff.js";
import { memoryText } from "../parts/hits.js";
import { feedList } from "../parts/feed.js";
import { edit, erase, forget, isItem, isSensitive, undo } from "../parts/memory_actions.js";
import { nothing } from "../parts/states.js";
import { jsonTree } from "../parts/json_tree.js";

const RELATED = 100;
// So much of what was said is shown of each message.
const MOST_SAID = 400;
const BRIEF = 160;

export async function show(place, { context, rest, parameters, refresh }) {
  const id = Number(rest[0]);
  if (!Number.isInteger(id) || id < 1) return browse(place, context);
  return one(place, { context, id, refresh, passage: passageOf(parameters.get("passage")) });
}

// Which part of a long text was found, such as 120-380.
function passageOf(text) {
  const [first, last] = (text || "").split("-").map(Number);
  return last > first ? [first, last] : null;
}

// Without an id: the newest changes, to choose from.
async function browse(place, context) {
  const box = h("input", { type: "text", inputmode: "numeric", "aria-label": t("memory.number"), placeholder: "#12" });
  const form = h("form.card.inline", box, h("button.primary", t("memory.open")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const id = box.value.replace(/\D/g, "");
    if (id) location.hash = `#/memory/${id}`;
  });
  const feed = feedList({ filter: { verb: "created" }, tall: true });
  put(place, form, h("section.card", h("h2", t("memory.newest")), feed));
  const shown = await feed.begin();
  if (!shown) put(feed.parentNode, nothing(t("overview.empty")));
  return undefined;
}

async function one(place, { context, id, refresh, passage }) {
  let found;
  try {
    found = await sdk("get", { memory_id: id });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return void put(place, nothing(t("memory.none", { id })));
    throw error;
  }
  const [events, graph, origin] = await Promise.all([
    sdk("history", { memory_id: id }),
    get("/graph", { memory_id: id, hops: 1, limit: RELATED }),
    get(`/sources/${id}`),
  ]);
  const again = () => Promise.all([one(place, { context, id, refresh, passage }), refresh()]);
  const sensitive = isSensitive(found);
  put(place,
    h("article.card.memory", { "data-memory": id },
      h("header", h("span.id", `#${id}`), h(`span.tag.${found.status}`, word("status", found.status)), h("span.tag", word("kind", found.kind)),
        found.perception_type ? h("span.tag", word("perception", found.perception_type)) : null,
        found.valid_until ? h("span.tag.superseded", t("memory.until", { day: dateTime(found.valid_until) })) : null),
      covered(found, sensitive, passage),
      actions(found, { context, again, events })),
    h("div.columns",
      h("section.card.wide", h("h2", t("memory.history")), timeline(events, found, sensitive)),
      h("div.stack",
        h("section.card", h("h2", t("memory.about")), properties(found)),
        h("section.card", h("h2", t("memory.edges"), graph.data.edges.length ? h("a", { href: `#/graph/${id}` }, t("memory.graph")) : null), related(found, graph.data, sensitive)),
        origin.data.sources.length ? h("section.card", h("h2", t("memory.sources")), sources(origin.data.sources)) : null,
        origin.data.passages.length ? h("section.card", h("h2", t("memory.passages")), passages(id, found.content, origin.data.passages)) : null,
        h("section.card", h("h2", t("memory.context"), found.kind === "perception" ? h("a", { href: `#/perceptions/${id}` }, t("memory.payload")) : null), Object.keys(found.context || {}).length ? jsonTree(found.context) : nothing(t("memory.no_context"))))));
  return undefined;
}

function covered(found, sensitive, passage) {
  const text = h(found.content.length > MOST_SAID ? "p.said" : "p.said.large", marked(found.content, passage));
  if (!sensitive) return text;
  const cover = h("button.quiet.cover", { type: "button", onclick: () => cover.replaceWith(text) }, t("memory.uncover"));
  return cover;
}

function marked(text, passage) {
  if (!passage) return text;
  const [first, last] = passage;
  return [text.slice(0, first), h("mark", text.slice(first, last)), text.slice(last)];
}

function passages(id, text, spans) {
  return h("ol.passages", spans.map(([first, last]) => h("li", h("a", { href: `#/memory/${id}?passage=${first}-${last}` },
    h("small", t("memory.characters", { first: number(first), last: number(last) })), h("span", text.slice(first, last))))));
}

// What was said where it was made from, with a way to that turn.
function sources(said) {
  return h("ul.sources", said.map((message) => h("li",
    h("span.speaker", message.name || word("role", message.role), " · ", sourceLink(message)),
    h("p.said", message.content.length > MOST_SAID ? `${message.content.slice(0, MOST_SAID)}…` : message.content))));
}

function sourceLink({ scope, conversation_id: conversation, number: turn, turn_id: floor }) {
  const told = t("memory.turn", { n: turn, conversation });
  return scope.kind === "chat" ? h("a", { href: `#/chats/${encodeURIComponent(conversation)}?turn=${encodeURIComponent(floor)}` }, told) : told;
}

function properties(found) {
  const rows = [
    [t("property.scope"), h("a", { href: `#/search?scope=${encodeURIComponent(`${found.scope.kind}:${found.scope.name}`)}` }, scopeLabel(found.scope))],
    [t("property.category"), word("category", found.category)],
    [t("property.confidence"), decimal(found.confidence)],
    found.occurred_at ? [t("property.occurred"), dateTime(found.occurred_at)] : null,
    [t("property.created"), dateTime(found.created_at)],
    [t("property.updated"), dateTime(found.updated_at)],
    found.valid_until ? [t("property.valid_until"), dateTime(found.valid_until)] : null,
    found.expires_at ? [t("property.expires"), dateTime(found.expires_at)] : null,
    found.superseded_by ? [t("property.superseded_by"), h("a", { href: `#/memory/${found.superseded_by}` }, `#${found.superseded_by}`)] : null,
    [t("property.used"), t("property.used_times", { n: number(found.access_count || 0), at: ago(found.accessed_at) })],
    found.status_reason ? [t("property.reason"), found.status_reason] : null,
    found.episode_id ? [t("property.episode"), h("a", { href: `#/timeline?run=${encodeURIComponent(found.episode_id)}` }, h("code", found.episode_id))] : null,
    found.tags?.length ? [t("property.tags"), found.tags.join(", ")] : null,
  ].filter(Boolean);
  return h("dl.properties", rows.map(([name, value]) => [h("dt", name), h("dd", value)]));
}

function related(found, { nodes, edges }, sensitive) {
  if (!edges.length) return nothing(t("memory.no_edges"));
  const memories = new Map(nodes.map((node) => [node.memory.id, node.memory]));
  return h("ul.edges", edges.map((edge) => {
    const from = edge.from_id === found.id;
    const other = memories.get(from ? edge.to_id : edge.from_id);
    const relation = word("relation", edge.relation);
    // What was replaced is shown as what changed.
    const replaced = from && edge.relation === "supersedes" && !sensitive && !other.sensitive;
    return h("li", h("span.relation", t(from ? "edge.to" : "edge.from", { relation })),
      replaced ? h("a.said.diff", { href: `#/memory/${other.id}` }, diff(other.content, found.content)) : memoryText(other, { most: BRIEF }),
      other.status === "active" ? null : h(`span.tag.${other.status}`, word("status", other.status)));
  }));
}

// Each version against the one before it: an event holds what a memory was before it.
function timeline(events, found, sensitive) {
  const versions = [];
  let text = found.content;
  for (const event of [...events].reverse()) {
    const before = event.before?.content;
    versions.push({ event, text, before });
    if (before !== undefined) text = before;
  }
  return h("ol.history", versions.map(({ event, text: now, before }) => h(`li.verb-${event.verb}`,
    h("div.when", h(`span.verb.verb-${event.verb}`, word("verb", event.verb)), h("time", { datetime: event.at, title: dateTime(event.at) }, ago(event.at)), h("span.actor", event.actor || "")),
    sensitive ? null : changed(event, before, now),
    event.after?.reason ? h("p.reason", event.after.reason) : null)));
}

function changed(event, before, now) {
  if (event.verb === "created") return h("p.said", now);
  if (before === undefined || before === now) return null;
  return h("p.said.diff", diff(before, now));
}

function actions(found, { context, again, events }) {
  if (context.right === "read") return h("p.note", t("right.none"));
  const id = found.id;
  const fixed = isItem(found);
  const canUndo = events.some((event) => ["revised", "forgotten", "superseded"].includes(event.verb));
  return h("div.actions",
    fixed ? h("small", t("memory.item")) : null,
    h("button", { disabled: fixed, onclick: () => edit(found, again) }, t("action.edit")),
    h("button", { disabled: fixed || found.status !== "active", onclick: () => forget(id, again) }, t("action.forget")),
    h("button", { disabled: fixed || !canUndo, onclick: () => undo(id, again) }, t("action.undo")),
    h("button.danger", { onclick: () => erase("memory", id, () => (location.hash = "#/memory")) }, t("action.erase")));
}
