// How a program gets to this memory: snippets to copy, and a test of the way that they take.

import { get, key } from "../api.js";
import { field, h, put, select } from "../dom.js";
import { t } from "../i18n.js";
import { notice } from "../parts/dialogs.js";
import { snippets } from "../parts/snippets.js";

const PROFILES = ["", "robot", "robot-extended", "assistant", "assistant-extended", "all", "extended"];

export function show(place, { parameters }) {
  const profile = select(PROFILES.map((one) => [one, one || t("connect.own_profile")]), parameters.get("profile") || "");
  const keyed = h("input", { type: "checkbox", checked: Boolean(key.get()) });
  const shown = h("div");
  const tabs = h("div.tabs", { role: "tablist", "aria-label": t("connect.clients") });
  let chosen = parameters.get("client") || "claude-code";
  const draw = () => {
    const all = snippets({ origin: location.origin, profile: profile.value, keyed: keyed.checked });
    put(tabs, all.map((one) => h("button.tab", { type: "button", role: "tab", "aria-selected": one.name === chosen, onclick: () => { chosen = one.name; draw(); } }, one.title)));
    const one = all.find(({ name }) => name === chosen) || all[0];
    put(shown, snippet(one));
  };
  for (const control of [profile, keyed]) control.addEventListener("change", draw);
  draw();
  const result = h("ol.checks", { "aria-live": "polite" });
  const test = h("button.primary", { onclick: async () => { test.disabled = true; await tested(result, profile.value); test.disabled = false; } }, t("connect.test"));
  put(place,
    h("section.card", h("div.fields", field(t("connect.profile"), profile), h("label.check", keyed, t("connect.with_key"))), tabs, shown),
    h("section.card", h("h2", t("connect.try"), test), h("p.note", t("connect.test_about")), result));
}

function snippet({ name, file, text }) {
  const copy = h("button", { onclick: async () => { await navigator.clipboard.writeText(text); notice(t("keys.copied")); } }, t("connect.copy"));
  return h("figure.snippet", { role: "tabpanel", "data-client": name },
    h("figcaption", file ? h("code", file) : h("span"), copy),
    h("pre", h("code", text)),
    name === "claude-desktop" ? h("p.note", t("connect.desktop")) : null);
}

// The address, the key, and the tools, one after the other.
async function tested(result, profile) {
  put(result);
  const step = async (name, work) => {
    const line = h("li.idle", h("i.dot"), h("span", t(`connect.${name}`)));
    result.append(line);
    try {
      const told = await work();
      line.className = "fine";
      line.append(h("b", ` ${told}`));
      return true;
    } catch (error) {
      line.className = "bad";
      line.append(h("b.failed", ` ${error.message}`));
      return false;
    }
  };
  const version = async () => (await fetch("/version", { cache: "no-store" }).then((one) => one.json())).version;
  const opens = async () => get("/overview").then(({ data }) => `${data.account} · ${t(`right.${data.right}`)}`);
  if (!(await step("server", version)) || !(await step("key", opens))) return;
  await step("mcp", () => tools(profile ? `/mcp?profile=${profile}` : "/mcp"));
}

// As a client of MCP does it: say hello, then ask which tools there are.
async function tools(path) {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream", ...(key.get() ? { authorization: `Bearer ${key.get()}` } : {}) };
  const send = (body, session) => fetch(path, { method: "POST", credentials: "omit", headers: { ...headers, ...(session ? { "mcp-session-id": session } : {}) }, body: JSON.stringify({ jsonrpc: "2.0", ...body }) });
  const hello = await send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "mnemic-console", version: "1" } } });
  if (!hello.ok) throw new Error(`HTTP ${hello.status}`);
  const session = hello.headers.get("mcp-session-id");
  await send({ method: "notifications/initialized" }, session);
  const answer = await (await send({ id: 2, method: "tools/list" }, session)).json();
  if (session) await fetch(path, { method: "DELETE", credentials: "omit", headers: { ...headers, "mcp-session-id": session } });
  return t("connect.tools", { n: answer.result.tools.length, names: answer.result.tools.slice(0, 4).map((one) => one.name).join(", ") });
}
