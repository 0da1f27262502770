// One memory: its text, context, history and edges; and what may be done about it.

import { ApiError, sdk } from "../api.js";
import { h, put } from "../dom.js";
import { ago, dateTime, decimal, number, scopeLabel } from "../format.js";
import { t, word } from "../i18n.js";
import { ask, notice, trying } from "../parts/dialogs.js";
import { diff } from "../parts/diff.js";
import { feedList } from "../parts/feed.js";
import { nothing } from "../parts/states.js";
import { jsonTree } from "../parts/json_tree.js";

export const memory = { name: "memory", group: "look", show };

const RELATED = 100;

async function show(place, { context, rest, refresh }) {
  const id = Number(rest[0]);
  if (!Number.isInteger(id) || id < 1) return browse(place, context);
  return one(place, { context, id, refresh });
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

async function one(place, { context, id, refresh }) {
  let found;
  try {
    found = await sdk("get", { memory_id: id });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return void put(place, nothing(t("memory.none", { id })));
    throw error;
  }
  const [events, links] = await Promise.all([sdk("history", { memory_id: id }), sdk("links", { memory_id: id, limit: RELATED })]);
  const again = () => Promise.all([one(place, { context, id, refresh }), refresh()]);
  const sensitive = found.context?.sensitivity === "high" || found.kind === "knowledge_vault";
  put(place,
    h("article.card.memory", { "data-memory": id },
      h("header", h("span.id", `#${id}`), h(`span.tag.${found.status}`, word("status", found.status)), h("span.tag", word("kind", found.kind)),
        found.perception_type ? h("span.tag", word("perception", found.perception_type)) : null,
        found.valid_until ? h("span.tag.superseded", t("memory.until", { day: dateTime(found.valid_until) })) : null),
      covered(found, sensitive),
      actions(found, { context, again, events })),
    h("div.columns",
      h("section.card.wide", h("h2", t("memory.history")), timeline(events, found, sensitive)),
      h("div.stack",
        h("section.card", h("h2", t("memory.about")), properties(found)),
        h("section.card", h("h2", t("memory.edges")), related(links)),
        h("section.card", h("h2", t("memory.context")), Object.keys(found.context || {}).length ? jsonTree(found.context) : nothing(t("memory.no_context"))))));
  return undefined;
}

function covered(found, sensitive) {
  const text = h("p.said.large", found.content);
  if (!sensitive) return text;
  const cover = h("button.quiet.cover", { type: "button", onclick: () => cover.replaceWith(text) }, t("memory.uncover"));
  return cover;
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
    found.episode_id ? [t("property.episode"), h("code", found.episode_id)] : null,
    found.tags?.length ? [t("property.tags"), found.tags.join(", ")] : null,
  ].filter(Boolean);
  return h("dl.properties", rows.map(([name, value]) => [h("dt", name), h("dd", value)]));
}

function related(links) {
  if (!links.length) return nothing(t("memory.no_edges"));
  return h("ul.edges", links.map((link) => h("li",
    h("span.relation", t(link.direction === "to" ? "edge.to" : "edge.from", { relation: word("relation", link.relation) })),
    h("a", { href: `#/memory/${link.memory_id}` }, link.summary || `#${link.memory_id}`),
    link.status === "active" ? null : h(`span.tag.${link.status}`, word("status", link.status)))));
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
  const isItem = ["global", "chat", "branch", "floor"].includes(found.scope.kind);
  const canUndo = events.some((event) => ["revised", "forgotten", "superseded"].includes(event.verb));
  return h("div.actions",
    isItem ? h("small", t("memory.item")) : null,
    h("button", { disabled: isItem, onclick: () => edit(found, again) }, t("action.edit")),
    h("button", { disabled: isItem || found.status !== "active", onclick: () => forget(id, again) }, t("action.forget")),
    h("button", { disabled: isItem || !canUndo, onclick: () => undo(id, again) }, t("action.undo")),
    h("button.danger", { onclick: () => erase(id) }, t("action.erase")));
}

async function edit(found, again) {
  const box = h("textarea", { rows: 6, maxlength: 20_000, "aria-label": t("memory.text") });
  box.value = found.content;
  const given = await ask({ title: t("edit.title", { id: found.id }), about: t("edit.about"), fields: { content: { control: box } }, confirm: t("action.save") });
  if (given && given.content.trim() && given.content !== found.content) {
    if (await trying(() => sdk("revise", { memory_id: found.id, content: given.content }), t("edit.done"))) await again();
  }
}

async function forget(id, again) {
  const box = h("input", { type: "text", required: true, maxlength: 300 });
  const given = await ask({ title: t("forget.title", { id }), about: t("forget.about"), fields: { reason: { label: t("forget.reason"), control: box } }, confirm: t("action.forget"), danger: true });
  if (given && (await trying(() => sdk("forget", { memory_id: id, reason: given.reason }), t("forget.done")))) await again();
}

async function undo(id, again) {
  const given = await ask({ title: t("undo.title", { id }), about: t("undo.about"), confirm: t("action.undo") });
  if (given && (await trying(() => sdk("undo", { memory_id: id }), t("undo.done")))) await again();
}

// First what would go, then the question.
async function erase(id) {
  const due = await trying(() => sdk("erase", { kind: "memory", name: id, dry_run: true }));
  if (!due) return;
  const counts = Object.entries(due.counts || {}).filter(([, rows]) => rows);
  const given = await ask({
    title: t("erase.title", { id }), about: t("erase.about"), confirm: t("action.erase"), danger: true,
    body: h("ul.counts", counts.map(([kind, rows]) => h("li", h("b", number(rows)), ` ${word("row", kind)}`))),
  });
  if (given && (await trying(() => sdk("erase", { kind: "memory", name: id })))) {
    notice(t("erase.done"));
    location.hash = "#/memory";
  }
}

