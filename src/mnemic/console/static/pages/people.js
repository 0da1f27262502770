// What is known of a person, as they would want to read it themselves: what holds, what held before, and
// what is covered until they ask. Everything can be put right, taken out of use, or erased. Beside it a chat
// shows which memories an answer used.

import { get, sdk } from "../api.js";
import { debounced, h, put } from "../dom.js";
import { ago, dateTime, day, number } from "../format.js";
import { t, word } from "../i18n.js";
import { edit, erase, forget, isSensitive } from "../parts/memory_actions.js";
import { nothing, waiting } from "../parts/states.js";
import "../parts/virtual_list.js";

const PORTION = 50;
const ROW = 78;

export async function show(place, { context, rest }) {
  const list = peopleList(rest[0]);
  const detail = h("div.detail");
  put(place, h("div.split", h("section.card.side", list.box, list.element), detail));
  const first = await list.begin();
  const name = rest[0] ?? first;
  if (name === undefined) return void put(place, nothing(t("people.none")));
  await person(detail, { context, name });
}

function peopleList(chosen) {
  const box = h("input", { type: "search", "aria-label": t("people.find"), placeholder: t("people.find"), maxlength: 200 });
  const element = h("div");
  let first;
  const begin = async () => {
    const list = document.createElement("virtual-list");
    list.classList.add("sessions");
    list.setAttribute("aria-label", t("page.people"));
    put(element, list);
    const load = async (rows) => {
      const { data, meta } = await get("/scopes", { kind: "user", part: box.value.trim(), after: rows.at(-1)?.name, limit: PORTION });
      if (!rows.length) first = data[0]?.name;
      return { rows: data, more: meta.next_after !== null };
    };
    await list.open({ rowHeight: 52, load, row: (one) => h("div", h("a", { href: `#/people/${encodeURIComponent(one.name)}`, "aria-current": one.name === (chosen ?? first) ? "true" : null },
      h("b", one.name), h("span", t("people.memories", { n: number(one.memories) })), one.changed_at ? h("time", { title: dateTime(one.changed_at) }, ago(one.changed_at)) : null)) });
    return first;
  };
  box.addEventListener("input", debounced(() => begin().catch(() => {})));
  return { box, element, begin };
}

async function person(detail, { context, name }) {
  const scope = { kind: "user", name };
  const mayWrite = context.right !== "read";
  const held = await sdk("profile", { scope });
  const kinds = Object.entries(held?.kinds || {}).filter(([, one]) => one.memories);
  const known = h("div");
  const again = () => person(detail, { context, name });
  const views = ["current", "history"];
  const tabs = views.map((view) => h("button.tab", { type: "button", role: "tab", "aria-selected": view === "current", onclick: () => choose(view) }, t(`people.${view}`)));
  const choose = async (view) => {
    tabs.forEach((tab, at) => tab.setAttribute("aria-selected", views[at] === view));
    await facts(known, { scope, view, mayWrite, again });
  };
  put(detail,
    h("section.card.person", { "data-person": name }, h("h2.name", h("span", name), mayWrite ? h("button.quiet.danger", { onclick: () => erase("user", name, () => (location.hash = "#/people")) }, t("people.erase")) : null),
      h("ul.legend", kinds.map(([kind, one]) => h("li", word("kind", kind), h("b", number(one.memories))))),
      held?.topics?.length ? h("p.note", t("people.topics", { topics: held.topics.slice(0, 8).join(", ") })) : null),
    h("div.columns",
      h("section.card.wide", h("div.tabs", { role: "tablist" }, tabs), known),
      conversation({ name, mayWrite, remembered: () => choose("current") })));
  await choose("current");
}

// What ended is history, whether it was replaced, forgotten, or simply over.
const isCurrent = (memory) => memory.status === "active" && !memory.valid_until;

async function facts(known, { scope, view, mayWrite, again }) {
  const list = document.createElement("virtual-list");
  list.classList.add("facts-list", "tall");
  list.setAttribute("aria-label", t(`people.${view}`));
  put(known, list);
  let before;
  // A page may hold nothing of what is asked for; then the next one is read.
  const load = async () => {
    for (;;) {
      const page = await sdk("browse", { scope, status: view === "current" ? "active" : null, limit: PORTION, ...(before ? { before_id: before } : {}) });
      before = page.at(-1)?.id;
      const rows = page.filter((memory) => isCurrent(memory) === (view === "current"));
      if (rows.length || page.length < PORTION) return { rows, more: page.length === PORTION };
    }
  };
  const shown = await list.open({ rowHeight: ROW, load, row: (memory) => fact(memory, { mayWrite, again }) });
  if (!shown) put(known, nothing(t(`people.no_${view}`)));
}

function fact(memory, { mayWrite, again }) {
  const words = h("a.said", { href: `#/memory/${memory.id}`, title: memory.content }, memory.content);
  const text = isSensitive(memory) ? h("button.quiet.cover", { type: "button", onclick: (event) => event.target.replaceWith(words) }, t("memory.uncover")) : words;
  const active = memory.status === "active";
  return h("div.fact", { "data-memory": memory.id },
    text, h("div.fact-line", h("p.facts", h("span.tag", word("kind", memory.kind)), h("time", { title: dateTime(memory.occurred_at) }, day(memory.occurred_at)),
      memory.valid_until ? h("span.tag.superseded", t("memory.until", { day: day(memory.valid_until) })) : null,
      active ? null : h(`span.tag.${memory.status}`, word("status", memory.status)),
      memory.superseded_by ? h("a", { href: `#/memory/${memory.superseded_by}` }, t("people.replaced", { id: memory.superseded_by })) : null),
    mayWrite ? h("span.fact-actions",
      active ? h("button.quiet", { onclick: () => edit(memory, again) }, t("people.correct")) : null,
      active ? h("button.quiet", { onclick: () => forget(memory.id, again) }, t("action.forget")) : null,
      h("button.quiet.danger", { onclick: () => erase("memory", memory.id, again) }, t("action.erase"))) : null));
}

function conversation({ name, mayWrite, remembered }) {
  const said = h("ol.talk", { "aria-live": "polite" });
  const box = h("textarea", { rows: 2, required: true, maxlength: 10_000, "aria-label": t("people.message"), placeholder: t("people.message") });
  const keeps = h("input", { type: "checkbox", disabled: !mayWrite });
  const form = h("form", box, h("div.actions", h("label.check", keeps, t("people.memorize")), h("button.primary", { disabled: !mayWrite }, t("people.send"))));
  let conversationId;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const message = box.value.trim();
    if (!message) return;
    const wait = h("li", waiting());
    said.append(h("li.message.user", h("p.said", message)), wait);
    box.value = "";
    const params = { message, user_id: name, memorizing: keeps.checked, ...(conversationId ? { conversation_id: conversationId } : {}) };
    try {
      const answer = await sdk("assistant.call", { name: "memory_chat", params });
      if (!answer.success) throw new Error(answer.error?.message);
      conversationId = keeps.checked ? answer.data.conversation_id : undefined;
      wait.replaceWith(reply(answer.data));
      if (keeps.checked) await remembered();
    } catch (error) {
      wait.replaceWith(h("li.failed", error.message));
    }
    said.lastElementChild.scrollIntoView({ block: "nearest" });
  });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  return h("section.card.talk-card", h("h2", t("people.chat")), mayWrite ? null : h("p.note", t("right.none")), said, form);
}

function reply({ response, used_memories: used, mode }) {
  return h("li.message.assistant", h("p.said", response),
    h("p.facts", h("span.tag", word("reply", mode))),
    used.length ? h("details", { open: true }, h("summary", t("people.used", { n: used.length })),
      h("ul.used", used.map((one) => h("li", h("a", { href: `#/memory/${Number(one.memory_id.replace(/\D/g, ""))}` }, one.content))))) : null);
}
