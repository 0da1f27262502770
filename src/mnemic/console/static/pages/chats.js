// Sessions, their tree of branches, what was said in the turns, what was made of it, and what would be
// put into the prompt of the next answer.

import { get, post, request } from "../api.js";
import { field, h, put, select } from "../dom.js";
import { ago, dateTime, number } from "../format.js";
import { t, word } from "../i18n.js";
import { branchTree } from "../parts/branch_tree.js";
import { ask, trying } from "../parts/dialogs.js";
import { icon } from "../parts/icons.js";
import { failure, nothing, waiting } from "../parts/states.js";
import "../parts/virtual_list.js";

const PORTION = 50;
const STRATEGIES = ["relevance", "importance", "balanced", "dual_summary"];

export async function show(place, { context, rest, parameters }) {
  const list = document.createElement("virtual-list");
  list.classList.add("sessions");
  list.setAttribute("aria-label", t("chats.sessions"));
  const detail = h("div.detail");
  put(place, h("div.split", h("section.card.side", h("h2", t("chats.sessions")), list), detail));
  const load = async (rows) => {
    const { data, meta } = await get("/sessions", { limit: PORTION, offset: rows.length, sort_by: "updated_at" });
    return { rows: data, more: meta.has_more };
  };
  let chosen = rest[0];
  const shown = await list.open({ rowHeight: 52, load: async (rows) => {
    const page = await load(rows);
    if (!rows.length) chosen ??= page.rows[0]?.id;
    return page;
  }, row: (session) => sessionRow(session, chosen) });
  if (!shown && !chosen) return void put(place, nothing(t("chats.none"), h("a", { href: "/docs" }, t("shell.docs"))));
  return session(detail, { context, id: chosen, branch: rest[1] || "main", turn: parameters.get("turn") });
}

function sessionRow(session, chosen) {
  return h("div", h("a", { href: `#/chats/${encodeURIComponent(session.id)}`, "aria-current": session.id === chosen ? "true" : null },
    h("b", session.id),
    h("span", t("chats.counts", { turns: number(session.floor_count), branches: number(session.branch_count) })),
    h("time", { title: dateTime(session.updated_at) }, ago(session.updated_at))));
}

async function session(detail, { context, id, branch, turn }) {
  put(detail, waiting());
  const path = `/sessions/${encodeURIComponent(id)}`;
  const { data: branches } = await get(`${path}/branches`, { limit: 100 });
  const own = branches.find((one) => one.branch_id === branch) || branches[0];
  const mayWrite = context.right !== "read";
  const turns = turnList({ path, id, branch: own, mayWrite, chosen: turn });
  put(detail,
    h("section.card", h("h2", h("span", id), mayWrite ? deletion(path, id, own) : null),
      branchTree(branches, own.branch_id, (name) => (location.hash = `#/chats/${encodeURIComponent(id)}/${encodeURIComponent(name)}`))),
    h("div.columns.even",
      h("section.card", h("h2", t("chats.turns", { branch: own.branch_id })), turns.element),
      preview(path, own.branch_id)));
  await turns.more();
  return undefined;
}

function deletion(path, id, branch) {
  if (branch.branch_id === "main") return null;
  return h("button.quiet", { onclick: async () => {
    const given = await ask({ title: t("branch.delete", { name: branch.branch_id }), about: t("branch.delete_about"), confirm: t("action.delete"), danger: true });
    if (given && (await trying(() => request("DELETE", `${path}/branches/${encodeURIComponent(branch.branch_id)}`), t("branch.deleted")))) {
      location.hash = `#/chats/${encodeURIComponent(id)}`;
    }
  } }, t("branch.delete_short"));
}

function turnList({ path, id, branch, mayWrite, chosen }) {
  const items = h("ol.turns");
  const button = h("button.quiet.more", { onclick: () => more() }, t("list.more"));
  const element = h("div.turns-box", items, button);
  let offset = 0;
  async function more() {
    button.disabled = true;
    const { data, meta } = await get(`${path}/turns`, { branch_id: branch.branch_id, limit: PORTION, offset });
    offset += data.length;
    items.append(...data.map((one) => turnItem(one, { path, id, branch, mayWrite, chosen })));
    button.disabled = false;
    button.hidden = !meta.has_more;
    if (!offset) put(items, nothing(t("chats.no_turns")));
  }
  return { element, more };
}

function turnItem(turn, { path, id, branch, mayWrite, chosen }) {
  const made = h("details.made", h("summary", t("turn.made")), h("div"));
  made.addEventListener("toggle", () => made.open && whatWasMade(made.lastChild, turn.floor_id), { once: true });
  if (chosen === turn.floor_id) made.open = true;
  const shared = turn.branch_id !== branch.branch_id;
  const item = h("li", { "data-floor": turn.floor_no },
    h("header", h("b", t("turn.number", { n: turn.floor_no })), shared ? h("span.tag", t("turn.shared", { branch: turn.branch_id })) : null,
      swipes(turn, { path, mayWrite, changed: (next) => item.replaceWith(turnItem(next, { path, id, branch, mayWrite, chosen })) }),
      mayWrite ? h("button.quiet.icon", { title: t("turn.fork"), "aria-label": t("turn.fork"), onclick: () => fork(turn, { path, id, branch }) }, icon("fork")) : null),
    turn.messages.map((message) => h(`div.message.${message.role}`, h("span.speaker", message.name || word("role", message.role)), h("p.said", message.content))),
    made);
  return item;
}

function swipes(turn, { path, mayWrite, changed }) {
  if (turn.version_count < 2) return null;
  const step = (by) => async () => {
    const floor = `${path}/turns/${encodeURIComponent(turn.floor_id)}`;
    const version = turn.version + by;
    await trying(async () => {
      await request("PUT", floor, { version, mode: "sync" });
      changed((await get(floor)).data);
    }, t("turn.swiped", { n: version + 1 }));
  };
  return h("span.swipes",
    h("button.quiet", { disabled: !mayWrite || turn.version === 0, onclick: step(-1), "aria-label": t("turn.previous") }, "‹"),
    h("span", t("turn.version", { n: turn.version + 1, all: turn.version_count })),
    h("button.quiet", { disabled: !mayWrite || turn.version + 1 >= turn.version_count, onclick: step(1), "aria-label": t("turn.next") }, "›"));
}

async function fork(turn, { path, id, branch }) {
  const name = h("input", { type: "text", required: true, maxlength: 200, pattern: "[^\\/]+" });
  const given = await ask({ title: t("fork.title", { n: turn.floor_no }), about: t("fork.about"), fields: { name: { label: t("fork.name"), control: name } }, confirm: t("fork.make") });
  if (!given) return;
  const made = await trying(() => post(`${path}/branches`, { branch_id: given.name.trim(), from_branch: branch.branch_id, at_floor_no: turn.floor_no }), t("fork.done"));
  if (made) location.hash = `#/chats/${encodeURIComponent(id)}/${encodeURIComponent(made.data.branch_id)}`;
}

async function whatWasMade(place, floorId) {
  put(place, waiting());
  try {
    const { data } = await get("/memories", { source_floor_id: floorId, limit: 100 });
    put(place, data.length ? h("ul.items", data.map(itemRow)) : nothing(t("turn.nothing")));
  } catch (error) {
    put(place, failure(error));
  }
}

function itemRow(item) {
  const text = typeof item.content === "string" ? item.content : item.content.text;
  return h("li", h("span.tag", word("kind", item.type)), item.status === "active" && item.lifecycle_status === "active" ? null : h("span.tag.superseded", word("lifecycle", item.status === "active" ? item.lifecycle_status : item.status)),
    h("span.said", text), item.fact_key ? h("code", item.fact_key) : null);
}

// What would stand before the next answer, with the reasons.
function preview(path, branch) {
  const text = h("textarea", { rows: 2, maxlength: 10_000 });
  const budget = h("input", { type: "number", min: 1, max: 100_000, value: 500 });
  const strategy = select(STRATEGIES.map((one) => [one, word("strategy", one)]), "relevance");
  const result = h("div.block", { "aria-live": "polite" });
  const form = h("form",
    field(t("context.message"), text, { grow: true }),
    h("div.fields", field(t("context.budget"), budget), field(t("context.strategy"), strategy), h("button.primary", t("context.choose"))));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    put(result, waiting());
    const body = { branch_id: branch, token_budget: Number(budget.value) || 500, strategy: strategy.value };
    if (text.value.trim()) body.query = text.value;
    try {
      const { data } = await post(`${path}/context`, body);
      put(result, block(data, body.token_budget));
    } catch (error) {
      put(result, failure(error));
    }
  });
  return h("section.card.preview", h("h2", t("context.title")), form, result);
}

function block(data, budget) {
  const meter = h("meter", { min: 0, max: budget, value: data.token_count, "aria-label": t("context.tokens", { n: data.token_count, all: budget }) });
  return [
    h("p.count", meter, t("context.tokens", { n: number(data.token_count), all: number(budget) })),
    data.text ? h("pre.said", data.text) : nothing(t("context.empty")),
    data.items.length ? [h("h3", t("context.chosen")), table(data.items, true)] : null,
    data.dropped.length ? h("details", h("summary", t("context.dropped", { n: data.dropped.length })), table(data.dropped, false)) : null,
    h("details", h("summary", t("context.trace")), h("dl.properties", Object.entries(data.trace).map(([name, value]) => [h("dt", name), h("dd", typeof value === "object" ? JSON.stringify(value) : String(value))]))),
  ];
}

function table(rows, scored) {
  const head = scored ? ["context.item", "context.why", "context.score", "context.cost"] : ["context.item", "context.why"];
  return h("table", h("thead", h("tr", head.map((one) => h("th", { scope: "col" }, t(one))))),
    h("tbody", rows.map((one) => h("tr", h("td", scored ? word("kind", one.type) : "", " ", h("code", one.id.slice(0, 8))), h("td", one.reason),
      scored ? [h("td.number", one.score.toFixed(2)), h("td.number", one.tokens)] : null))));
}

