// What happened, the latest first, in a virtual list.

import { get } from "../api.js";
import { h } from "../dom.js";
import { ago, dateTime, scopeLabel } from "../format.js";
import { t, word } from "../i18n.js";
import "./virtual_list.js";

const PORTION = 100;

export function feedList({ filter = {}, tall = false } = {}) {
  const list = document.createElement("virtual-list");
  list.classList.add("feed");
  if (tall) list.classList.add("tall");
  list.setAttribute("aria-label", t("feed.label"));
  const seen = new Set();
  list.last = 0;
  list.begin = () => list.open({ rowHeight: 40, row, load });
  list.happened = (event) => {
    if (event.id <= list.last || seen.has(event.id)) return;
    list.last = event.id;
    list.prepend(event);
  };

  async function load(rows) {
    const { data, meta } = await get("/events", { ...filter, limit: PORTION, before: rows.at(-1)?.id });
    if (!rows.length) list.last = data[0]?.id ?? meta.last;
    return { rows: data, more: meta.next_before !== null };
  }

  return list;
}

function row(event) {
  const text = event.summary ?? (event.memory_id === null ? word("scope", event.scope.kind) : t("memory.covered"));
  const told = event.memory_id === null
    ? h("span.text", scopeLabel(event.scope))
    : h("a.text", { href: `#/memory/${event.memory_id}` }, text);
  return h("div",
    h(`span.verb.verb-${event.verb}`, word("verb", event.verb)),
    told,
    h("span.where", { title: event.scope.name }, scopeLabel(event.scope)),
    h("time", { datetime: new Date(event.at).toISOString(), title: dateTime(event.at) }, ago(event.at)));
}
