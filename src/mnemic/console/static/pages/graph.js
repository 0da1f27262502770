// The edges around a memory: it stands in the middle, what relates to it around it, ring by ring.

import { get } from "../api.js";
import { field, h, put, select, svg } from "../dom.js";
import { t, word } from "../i18n.js";
import { facts, memoryText } from "../parts/hits.js";
import { failure, nothing } from "../parts/states.js";

const RING = 170;
const LABEL = 28;
// Beside a node stand so many pixels of text.
const BESIDE = 230;
// With more neighbours than these, every other one stands farther out, and edges go without a name.
const CROWD = 10;
const MOST = 60;

export async function show(place, { rest, parameters }) {
  const hops = Number(parameters.get("hops")) || 2;
  const box = h("input", { type: "text", inputmode: "numeric", value: rest[0] || "", placeholder: "#12" });
  const depth = select([1, 2, 3, 4].map((one) => [String(one), t("graph.hops", { n: one })]), String(hops));
  const go = () => {
    const id = box.value.replace(/\D/g, "");
    if (id) location.hash = `#/graph/${id}?hops=${depth.value}`;
  };
  depth.addEventListener("change", go);
  const form = h("form.card", h("div.fields", field(t("memory.number"), box), field(t("graph.depth"), depth), h("button.primary", t("memory.open"))));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    go();
  });
  const body = h("div");
  put(place, form, body);
  const id = Number(rest[0]) || (await anyRelated());
  if (!id) return void put(body, nothing(t("graph.begin")));
  box.value ||= id;
  try {
    const { data } = await get("/graph", { memory_id: id, hops, limit: MOST });
    put(body, ...shown(data, id, hops));
  } catch (error) {
    put(body, failure(error));
  }
}

// Without a number: what was related last.
async function anyRelated() {
  const { data } = await get("/memory-edges", { limit: 1 });
  if (!data.length) return null;
  const number = /^mem_0*(\d+)$/.exec(data[0].to_id);
  return number ? Number(number[1]) : null;
}

function shown({ nodes, edges, is_whole: isWhole }, id, hops) {
  const chosen = h("div.stack");
  const look = (node) => put(chosen, h("section.card", memoryText(node.memory), facts(node.memory), h("p.ways", h("a", { href: `#/graph/${node.memory.id}?hops=${hops}` }, t("graph.center")), h("a", { href: `#/memory/${node.memory.id}` }, t("way.memory")))));
  look(nodes[0]);
  if (!edges.length) return [h("div.map", h("section.card", nothing(t("memory.no_edges"))), chosen)];
  return [
    isWhole ? null : h("p.note", t("graph.cut", { n: nodes.length })),
    h("div.map", h("section.card.graph", drawing(nodes, edges, look)), h("div.stack", chosen, h("section.card", h("h2", t("graph.edges")), listed(nodes, edges)))),
  ].filter(Boolean);
}

function drawing(nodes, edges, look) {
  const places = placed(nodes, edges);
  const [across, down] = [0, 1].map((axis) => [...places.values()].map((place) => place[axis]));
  const box = [Math.min(...across) - BESIDE, Math.min(...down) - 30, Math.max(...across) - Math.min(...across) + 2 * BESIDE, Math.max(...down) - Math.min(...down) + 70];
  const lines = edges.map((edge) => {
    const [[x, y], [to, down]] = [places.get(edge.from_id), places.get(edge.to_id)];
    const label = edges.length <= CROWD ? svg("text.relation", { x: (x + to) / 2, y: (y + down) / 2 - 3, "text-anchor": "middle" }, word("relation", edge.relation)) : null;
    return svg(`g.edge.relation-${edge.relation}`, svg("line", { x1: x, y1: y, x2: to, y2: down, "marker-end": "url(#arrow)" }), label, svg("title", word("relation", edge.relation)));
  });
  const dots = nodes.map((node, at) => {
    const [x, y] = places.get(node.memory.id);
    const text = node.memory.sensitive ? t("memory.covered") : node.memory.content;
    const pick = () => look(node);
    return svg(`g.node.${node.memory.status}${at ? "" : ".middle"}`, { tabindex: 0, role: "button", "aria-label": `#${node.memory.id} ${text.slice(0, 80)}`, onclick: pick, onkeydown: (event) => event.key === "Enter" && pick() },
      svg("circle", { cx: x, cy: y, r: at ? 7 : 10 }), svg("text", label(x, y, at), text.length > LABEL ? `${text.slice(0, LABEL)}…` : text), svg("title", text));
  });
  return svg("svg", { viewBox: box.map(Math.round).join(" "), role: "group", "aria-label": t("graph.label", { n: nodes.length }) },
    svg("defs", svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 15, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, svg("path", { d: "M0 0L8 4L0 8Z" }))),
    lines, dots);
}

// Texts stand outside, so that lines do not cross them.
const label = (x, y, at) => (at ? { x: x < 0 ? x - 12 : x + 12, y: y + 4, "text-anchor": x < 0 ? "end" : "start" } : { x, y: y + 26, "text-anchor": "middle" });

// Each memory gets a part of its parent's part of the circle, as large as what hangs on it.
function placed(nodes, edges) {
  const neighbours = new Map(nodes.map((node) => [node.memory.id, []]));
  for (const edge of edges) {
    neighbours.get(edge.from_id).push(edge.to_id);
    neighbours.get(edge.to_id).push(edge.from_id);
  }
  const hops = new Map(nodes.map((node) => [node.memory.id, node.hops]));
  const taken = new Set([nodes[0].memory.id]);
  const children = new Map();
  for (const { memory } of nodes) {
    const own = neighbours.get(memory.id).filter((one) => hops.get(one) === hops.get(memory.id) + 1 && !taken.has(one));
    children.set(memory.id, [...new Set(own)]);
    own.forEach((one) => taken.add(one));
  }
  const size = (id) => Math.max(1, children.get(id).reduce((sum, one) => sum + size(one), 0));
  const places = new Map();
  const put = (id, from, to, stagger = false) => {
    const middle = (from + to) / 2;
    const away = (hops.get(id) + (stagger ? 0.45 : 0)) * RING;
    places.set(id, [Math.cos(middle) * away * 1.35, Math.sin(middle) * away]);
    let begins = from;
    for (const [at, child] of children.get(id).entries()) {
      const ends = begins + ((to - from) * size(child)) / size(id);
      put(child, begins, ends, children.get(id).length > CROWD && at % 2 === 1);
      begins = ends;
    }
  };
  put(nodes[0].memory.id, -Math.PI / 2, (3 * Math.PI) / 2);
  return places;
}

function listed(nodes, edges) {
  const texts = new Map(nodes.map(({ memory }) => [memory.id, memory.sensitive ? t("memory.covered") : memory.content]));
  const link = (id) => h("a", { href: `#/memory/${id}`, title: texts.get(id) }, `#${id} ${texts.get(id).slice(0, 60)}`);
  return h("ul.edges", edges.map((edge) => h("li", link(edge.from_id), h("span.relation", word("relation", edge.relation)), link(edge.to_id))));
}
