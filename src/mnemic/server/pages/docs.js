// The page: reads what the server says of itself, and shows it.

import { element, pretty } from "./elements.js";
import { operationElement, operationsOf, toolOperation } from "./operations.js";
import { Schemas } from "./schemas.js";

const TITLES = {
  memories: "Memories",
  sessions: "Sessions",
  "memory-edges": "Edges",
  "memory-jobs": "Jobs",
  "memory-scopes": "Scopes",
  tools: "Assistant's tools",
  health: "Health",
};
const at = (id) => document.getElementById(id);
const key = () => at("key").value.trim();

async function start() {
  const answer = await fetch("/openapi.json", { headers: headers() });
  if (!answer.ok) throw new Error(`/openapi.json answered ${answer.status}`);
  const described = await answer.json();
  const schemas = new Schemas(described);
  at("version").textContent = described.info.version;
  const groups = new Map();
  for (const one of operationsOf(described, schemas)) {
    if (!groups.has(one.tag)) groups.set(one.tag, []);
    groups.get(one.tag).push(one);
  }
  const last = [...groups].filter(([tag]) => tag === "health");
  const first = [...groups].filter(([tag]) => tag !== "health");
  at("groups").replaceChildren(
    ...first.map(([tag, operations]) => group(tag, operations, schemas)),
    element("section", { class: "group", id: "tag-tools" }),
    ...last.map(([tag, operations]) => group(tag, operations, schemas)),
  );
  showMcp();
  at("state").hidden = true;
  await showTools();
}

function headers() {
  return key() ? { Authorization: `Bearer ${key()}` } : {};
}

function group(tag, operations, schemas, ...before) {
  return element(
    "section",
    { class: "group", id: `tag-${tag}` },
    element("h2", {}, element("a", { class: "anchor", href: `#tag-${tag}` }, TITLES[tag] || tag)),
    before,
    operations.map((one) => operationElement(one, schemas, key)),
  );
}

// The tools describe themselves, and may ask for a key.
async function showTools() {
  const about = element("p", {}, "The tools of an assistant, one address each. They are the same as over MCP, and answer in an envelope of their own.");
  let shown;
  try {
    const answer = await fetch("/tools", { headers: headers() });
    if (!answer.ok) throw new Error(`/tools answered ${answer.status}`);
    const operations = (await answer.json()).tools.map(toolOperation);
    // Their schemas are complete in themselves.
    shown = group("tools", operations, new Schemas({}), about);
  } catch (error) {
    const told = element("p", { class: "failed" }, `${error.message}. Put a key into the field above to see the tools.`);
    shown = group("tools", [], new Schemas({}), about, told);
  }
  at("tag-tools").replaceWith(shown);
  showContents();
  search();
  follow();
}

function showMcp() {
  const url = `${location.origin}/mcp`;
  const server = { type: "http", url, headers: { Authorization: "Bearer YOUR_KEY" } };
  at("mcp-address").textContent = url;
  at("mcp-config").textContent = pretty({ mcpServers: { mnemic: server } });
  at("mcp").hidden = false;
  at("watch").hidden = false;
}

function showContents() {
  const entries = [...document.querySelectorAll("section.group:not([hidden])")].map((section) => {
    const operations = [...section.querySelectorAll("details.operation")];
    return element(
      "li",
      { "data-group": section.id },
      element("a", { href: `#${section.id}`, class: "of-group" }, section.querySelector("h2").textContent),
      operations.length
        ? element("ul", {}, operations.map((one) => element("li", { "data-operation": one.id }, contentsEntry(one))))
        : null,
    );
  });
  at("list").replaceChildren(element("ul", {}, entries));
}

function contentsEntry(operation) {
  const method = operation.querySelector(".method").textContent;
  const small = element("span", { class: `method ${method.toLowerCase()}` }, method);
  return element("a", { href: `#${operation.id}` }, small, element("span", {}, [...operation.querySelector(".summary").cloneNode(true).childNodes]));
}

function search() {
  const wanted = at("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const one of document.querySelectorAll("details.operation")) {
    const hit = wanted.every((word) => one.dataset.words.includes(word));
    one.hidden = !hit;
    found += hit;
    const entry = document.querySelector(`[data-operation="${CSS.escape(one.id)}"]`);
    if (entry) entry.hidden = !hit;
  }
  for (const section of document.querySelectorAll("section.group")) {
    const operations = [...section.querySelectorAll("details.operation")];
    const empty = operations.length ? operations.every((one) => one.hidden) : wanted.length > 0;
    section.classList.toggle("without", empty);
    const entry = document.querySelector(`[data-group="${CSS.escape(section.id)}"]`);
    if (entry) entry.hidden = empty;
  }
  at("state").hidden = !wanted.length;
  at("state").textContent = wanted.length ? `${found} found` : "";
}

// A link to an operation opens it.
function follow() {
  const target = at(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.matches("details.operation")) {
    target.hidden = false;
    target.closest("section").classList.remove("without");
    target.open = true;
    target.querySelector("summary").focus({ preventScroll: true });
  }
  target.scrollIntoView({ block: "start" });
}

const narrow = matchMedia("(max-width: 60rem)");
if (narrow.matches) at("contents").open = false;
at("list").addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link) return;
  if (narrow.matches) at("contents").open = false;
  // The same link again opens what was closed meanwhile.
  if (link.getAttribute("href") === location.hash) follow();
});
at("search").addEventListener("input", search);
at("key").addEventListener("change", () => showTools());
addEventListener("hashchange", follow);
addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select");
  if (event.key === "/" && !typing) {
    event.preventDefault();
    at("search").focus();
  }
  if (event.key === "Escape" && event.target === at("search")) {
    at("search").value = "";
    search();
  }
});

start().catch((error) => {
  at("state").textContent = `The page could not be made: ${error.message}`;
  at("state").className = "failed";
});
